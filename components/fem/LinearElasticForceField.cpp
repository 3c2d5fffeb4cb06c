// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearElasticForceField.h"

#include "core/fem/elements/ElementStretch.h"
#include "core/math/Decompositions.h"
#include "core/topology/ElementsOf.h"

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
const BaseState* LinearElasticForceField<DataTypes>::stressedState() const
{
    if constexpr (DataTypes::isRigid || DataTypes::spatialDimensions == 1)
        return nullptr;
    else
        return this->l_state.get();
}

template <class DataTypes>
void LinearElasticForceField<DataTypes>::vonMisesStresses(const ElementNumbering& elements, std::span<const Vec3> rest,
                                                          std::span<const Vec3> now, Vector<double>& out) const
{
    out.clear();
    const auto stressOf = [&](const ElementStretch& s) {
        const auto e = static_cast<Index>(out.size());
        try {
            return vonMisesStress(s, lameParameters(this->regions.valueOf(d_youngModulus, e),
                                                    this->regions.valueOf(d_poissonRatio, e), s.dimension));
        } catch (const std::runtime_error&) {
            return std::numeric_limits<double>::quiet_NaN();  // values that the user is just changing
        }
    };
    for (const ElementType type : elements.kinds) {
        const std::span<const Index> all = verticesOf(*elements.topology, type);
        const std::size_t n = nodeCount(type);
        for (std::size_t i = 0; i + n <= all.size(); i += n) {
            const auto e = all.subspan(i, n);
            const bool exists = std::ranges::all_of(e, [&](Index v) { return v < now.size(); });
            out.push_back(exists ? stressOf(elementStretch(type, e, rest, now))
                                 : std::numeric_limits<double>::quiet_NaN());
        }
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
