// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/VectorSpring.h"
#include "core/behavior/ForceField.h"
#include "core/objectmodel/DataText.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Springs between points of one or two states that keep the vector between their ends, not its length only.
///
/// With the vector r at rest, f₁ = k (x₂ − x₁ − r) + d (v₂ − v₁) = −f₂ and E = ½ k |x₂ − x₁ − r|². All derivatives are
/// constant and exact; SOFA leaves the damping out of them, and with `compatibility="sofa"` so does this.
/// The springs are those of `springs`, else of `filename`, else, with useTopology, the edges of the mesh with their
/// vectors at rest, else those between the points with the same number, with r = 0.
class VectorSpringForceField final : public core::PairInteractionForceField<core::Vec3Types>,
                                     public core::TopologyFollower
{
public:
    using Base = core::PairInteractionForceField<core::Vec3Types>;

    core::Data<core::Vector<VectorSpring>> d_springs{
        this,
        {.name = "springs",
         .help = "Springs, each as: point of object1, point of object2, stiffness [N/m], damping [N s/m], vector at "
                 "rest [m]"}};
    core::Data<core::FileName> d_file{
        this, {.name = "filename", .help = "Mass-spring file (.xs3, .xsp) with springs and their vectors"}};
    core::Data<double> d_stiffness{this,
                                   {.name = "stiffness",
                                    .help = "Stiffness of springs of the mesh or between points of the same number",
                                    .unit = "N/m",
                                    .range = core::Range::nonNegative()},
                                   1.};
    core::Data<double> d_viscosity{this,
                                   {.name = "viscosity",
                                    .help = "Damping of springs of the mesh or between points of the same number",
                                    .unit = "N s/m",
                                    .range = core::Range::nonNegative()},
                                   1.};
    core::Data<bool> d_useTopology{this, {.name = "useTopology", .help = "A spring on each edge of the mesh"}, false};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Mesh, with useTopology; default: that of the node or above"}};

    void init() override;
    /// Makes the springs, once the states have their sizes.
    void bwdInit() override;
    PointLists pointLists() override;
    /// Springs go with their points, or are those of the edges that there are.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::MatrixAccumulator& b) override;
    bool hasDamping() const override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;
    /// The springs (flag ForceFields; InteractionForceFields between two states).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::potentialEnergy;

private:
    /// Throws std::runtime_error on what the user must mend.
    void makeSprings();
    void springsOfEdges();
    void check() const;
    void addBlocks(core::MatrixAccumulator& out, double VectorSpring::*factor) const;

    bool m_ofEdges = false;
};

}  // namespace sofa::component
