// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearElasticForceField.h"

#include <limits>

#include "core/fem/elements/ElementStretch.h"
#include "core/fem/elements/FastPolar.h"

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
template <class F>
void LinearElasticForceField<DataTypes>::forEachStress(const Shape& shape, F&& f) const
{
    Index number = 0;
    forEachElement(shape, [&](ElementType type, std::span<const Index> e, bool exists) {
        const ElementStretch stretch = exists ? elementStretch(type, e, shape.rest, shape.now) : ElementStretch();
        LameParameters material{};
        try {
            if (stretch.dimension > 0)
                material = lameParameters(this->regions.valueOf(d_youngModulus, number),
                                          this->regions.valueOf(d_poissonRatio, number), stretch.dimension);
        } catch (const std::runtime_error&) {
            // Values that the user is just changing.
            material.lambda = material.mu = std::numeric_limits<double>::quiet_NaN();
        }
        f(hookeStress(stretch, material));
        ++number;
    });
}

template <class DataTypes>
void LinearElasticForceField<DataTypes>::stresses(const Shape& shape, Vector<Mat3>& out) const
{
    out.clear();
    forEachStress(shape, [&](const Mat3& stress) { out.push_back(stress); });
}

template <class DataTypes>
void LinearElasticForceField<DataTypes>::vonMisesStresses(const Shape& shape, Vector<double>& out) const
{
    out.clear();
    forEachStress(shape, [&](const Mat3& stress) { out.push_back(vonMisesStress(stress)); });
}

template <class DataTypes>
Mat3 LinearElasticForceField<DataTypes>::nearestRotation(const Mat3& m)
{
    return fastPolarRotation(m);
}

template class LinearElasticForceField<Vec1Types>;
template class LinearElasticForceField<Vec2Types>;
template class LinearElasticForceField<Vec3Types>;
template class LinearElasticForceField<Rigid3Types>;

}  // namespace sofa::component
