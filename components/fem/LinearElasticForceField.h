// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementForceField.h"
#include "components/fem/VolumetricStrain.h"
#include "core/fem/ElementResults.h"
#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/materials/LinearElasticity.h"

namespace sofa::component {

/// Base of the finite element force fields of isotropic linear elasticity in one, two or three dimensions: the material
/// and the elements.
template <class DataTypes>
class LinearElasticForceField : public ElementForceField<DataTypes>, public ElementResults
{
public:
    Data<Vector<double>> d_poissonRatio{
        this,
        {.name = "poissonRatio",
         .help = "Poisson's ratio: one value, one per element (elements without a value take the first), or one per "
                 "region; auxetic materials have a negative one",
         .unit = "1",
         .range = Range::open(-1., 0.5)},
        {0.45}};
    Data<Vector<double>> d_youngModulus{
        this,
        {.name = "youngModulus",
         .help =
             "Young's modulus: one value, one per element (elements without a value take the first), or one per region",
         .unit = "Pa",
         .range = Range::nonNegative()},
        {5000.}};

    BaseState* resultState() const override { return this->l_state.get(); }
    ElementNumbering resultElements() const override { return this->elementNumbering(); }
    /// Hooke's law for the stretches of the elements, whatever turns them. No stress acts across membranes and lines.
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    void vonMisesStresses(const Shape& shape, Vector<double>& out) const override;
    std::vector<Parameter> materialParameters() override { return this->elementParameters(); }

protected:
    std::vector<ElementData> elementValues() override { return {{&d_poissonRatio}, {&d_youngModulus}}; }
    /// Warns where elements lock that fill a volume, or are in plane strain.
    void checkLocking(VolumetricStrain& strain, bool inPlaneStrain = false) const
    {
        for (const double ratio : d_poissonRatio.value()) strain.check(ratio, inPlaneStrain);
    }
    /// Material of an element, its Young's modulus times `factor`. Throws std::runtime_error on invalid values.
    LameParameters materialOf(Index e, double factor = 1.) const;
    /// Average over the elements around each node of `rotation(e)`; the identity where there are none.
    template <std::size_t N, std::size_t D, class Rotation>
    void averageRotations(const ElementGraph<N, D>& graph, Vector<Mat3>& rotations, Rotation&& rotation) const
    {
        rotations.assign(this->state().size(), Mat3::identity());
        for (Index v = 0; v < graph.nbPoints() && v < rotations.size(); ++v) {
            Mat3 sum;
            bool any = false;
            graph.forEachAround(v, [&](Index e) {
                sum += rotation(e);
                any = true;
            });
            if (any) rotations[v] = nearestRotation(sum);
        }
    }

private:
    /// Calls f with the stress of each element.
    template <class F>
    void forEachStress(const Shape& shape, F&& f) const;
    static Mat3 nearestRotation(const Mat3& m);
};

}  // namespace sofa::component
