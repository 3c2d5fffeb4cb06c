// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/behavior/RotationFinder.h"
#include "core/fem/CorotationalTetrahedra.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the finite element force fields of isotropic linear elasticity: the material, the mesh, the rest shape.
class LinearElasticForceField : public ForceField<Vec3Types>, public RotationFinder
{
public:
    Data<Vector<double>> d_poissonRatio{
        this,
        {.name = "poissonRatio",
         .help = "Poisson's ratio: one value, or one per element (elements without a value take the first)",
         .unit = "1",
         .range = Range::halfOpen(0., 0.5)},
        {0.45}};
    Data<Vector<double>> d_youngModulus{
        this,
        {.name = "youngModulus",
         .help = "Young's modulus: one value, or one per element (elements without a value take the first)",
         .unit = "Pa",
         .range = Range::nonNegative()},
        {5000.}};
    Link<BaseMeshTopology> l_topology{
        this, {"topology", "Topology that holds the elements; default: that of the node or the nearest above"}};

    void init() override;
    /// Applies edited parameters: material, method, rest shape.
    void reinit() override;

    using ForceField::addForce;
    void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    BoundingBox boundingBox() const override;

protected:
    /// (Re)builds everything that is precomputed from the elements, the rest shape and the parameters. Throws
    /// std::runtime_error, with what the user must change, if that is not possible.
    virtual void prepare() = 0;
    /// False if the topology's elements are not those of the last prepare().
    virtual bool hasPreparedElements() const = 0;
    /// Forces at x, and products with the stiffness, of the prepared elements.
    virtual void addElementForces(VecDeriv& f, const VecCoord& x) = 0;
    virtual void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const = 0;

    BaseMeshTopology& topology() const { return *l_topology.get(); }
    /// Rest positions of the state.
    const VecCoord& restPositions() const;
    /// Material of an element, its Young's modulus times `factor`. Throws std::runtime_error on invalid values.
    LameParameters materialOf(Index e, double factor = 1.) const;
    /// Average over the elements around each node of `rotation(e)`; the identity where there are none.
    template <std::size_t N, class Rotation>
    void averageRotations(const ElementGraph<N>& graph, Vector<Mat3>& rotations, Rotation&& rotation) const
    {
        rotations.assign(state().size(), Mat3::identity());
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
    static Mat3 nearestRotation(const Mat3& m);
    /// True while the topology's elements are those of the last prepare().
    bool isUpToDate();
    /// prepare(), with its exceptions reported as errors of this component.
    void tryPrepare();

    std::size_t m_revision = 0;  ///< of the topology, when its elements were last known to be the prepared ones
};

/// Names of rotation methods as scenes write them, for an Options Data; "large" is the default.
Options rotationMethodOptions(bool withSvd);
/// The method that such an option selects.
RotationMethod rotationMethod(const Options& o);

}  // namespace sofa::component
