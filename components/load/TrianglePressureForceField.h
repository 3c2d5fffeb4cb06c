// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A pressure on triangles of a mesh.
///
/// With useConstantForce, the vector p (force per area) times the area at rest, in thirds to the vertices: f = p A₀ /
/// 3, with E = −Σ f·x. Otherwise the traction of a given Cauchy stress σ on the present triangle,
///     f = σ a / 3,   a = ½ (x₁ − x₀) × (x₂ − x₀),
/// which follows the surface; as in SOFA its derivative is left out, and it has no potential.
/// The triangles are those of triangleList at initialisation: a list that is linked to a region of interest does not
/// follow it, as in SOFA. Old scenes give normal, dmin and dmax instead: the triangles with all
/// vertices between the two planes dmin < normal·x < dmax at rest.
class TrianglePressureForceField : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    core::Data<core::Vec3> d_pressure{this, {.name = "pressure", .help = "Force per area at rest", .unit = "Pa"}};
    core::Data<core::Mat3> d_cauchyStress{
        this, {.name = "cauchyStress", .help = "Stress that acts on the normals of the triangles", .unit = "Pa"}};
    core::Data<core::Vector<core::Index>> d_triangleList{
        this, {.name = "triangleList", .help = "Triangles of the mesh on which the pressure acts"}};
    core::Data<bool> d_showForces{
        this, {.name = "showForces", .help = "Show the forces", .group = "Visualization"}, false};
    core::Data<bool> d_useConstantForce{
        this, {.name = "useConstantForce", .help = "Use pressure and areas at rest, not cauchyStress"}, true};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    TrianglePressureForceField();

    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;
    void bwdInit() override;
    void reinit() override;
    core::ElementLists elementLists() override
    {
        return {{l_topology.get(), {core::ElementType::Triangles}},
                {{&d_triangleList, core::ElementData::Kind::Members}}};
    }
    /// The pressure acts on the triangles of the list that are left.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { update(); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams&, const core::MultiVecDerivId&) override {}
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The triangles and the forces on their corners, 1 m/N (`showForces`).
    void draw(core::DrawTool& tool) override;

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

private:
    /// Force [N] on each corner of a triangle.
    core::Vec3 cornerForce(std::size_t triangle, const VecCoord& x) const;
    void selectBetweenPlanes();
    /// Finds the triangles' areas at rest.
    void update();

    core::Vec3 m_normal;
    double m_dmin = 0., m_dmax = 0.;
    core::Vector<core::Triangle> m_triangles;
    core::Vector<double> m_areas;  ///< at rest [m²]
};

}  // namespace sofa::component
