// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearElasticForceField.h"

#include "core/fem/Decompositions.h"

namespace sofa::component {

template <class DataTypes>
LameParameters LinearElasticForceField<DataTypes>::materialOf(Index e, double factor) const
{
    try {
        return lameParameters(factor * this->regions.valueOf(d_youngModulus, e),
                              this->regions.valueOf(d_poissonRatio, e), DataTypes::spatialDimensions);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("element " + std::to_string(e) + ": " + error.what());
    }
}

template <class DataTypes>
Mat3 LinearElasticForceField<DataTypes>::nearestRotation(const Mat3& m)
{
    return polarRotation(m).r;
}

template class LinearElasticForceField<Vec1Types>;
template class LinearElasticForceField<Vec2Types>;
template class LinearElasticForceField<Vec3Types>;
template class LinearElasticForceField<Rigid3Types>;

}  // namespace sofa::component
