// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A fluid at rest that presses on the surface of a body, and brakes it.
///
/// At the depth z below the surface of the fluid, along gravity g, the pressure is p = p₀ + ρ |g| max(z, 0); p₀ acts
/// above as well. Each triangle of the body's surface, with the vector N of half the product of its sides, outwards,
/// and the shape functions λ of its corners, gets the exact integral of that
///
///     f_i = −∫ p λ_i dA N/A = −N (p₀/3 + ρ |g| Σ_j M_ij z_j),     M_ij = 1/A ∫ λ_i λ_j dA over what is immersed
///
/// so that a triangle that dives sees no jump, and a closed body is lifted by exactly the weight of the fluid that it
/// displaces (Archimedes). For closed surfaces E = ∫ p dV over the body is its potential, the tangent is symmetric, and
/// p₀ has no resultant: it squeezes the body. For open ones there is no potential, and conjugate gradients may go wrong
/// with the tangent: useTangentStiffness = 0 leaves it out. Derivatives are exact, but for that of the drag by x.
///
/// The drag on a corner is that on its share a_i = A Σ_j M_ij of the immersed surface:
///
///     laminar:    f_i = −(3η/2R) a_i v_i,      4π R² = area of the surface at rest
///     turbulent:  f_i = −ρ/8 a_i |v_i| v_i
///
/// which for a sphere of the radius R are Stokes' 6π η R v, and the drag coefficient 1 on its cross-section.
///
/// The surface is the border of the tetrahedra or hexahedra of the mesh, or its triangles and quads. Those of a closed
/// surface are turned outwards; in open ones they turn left when seen from the fluid, or right with flipNormals.
///
/// This class left SOFA in 2018. There the pressure was that at the middle of each triangle and 0 unless this is
/// immersed, p₀ acted on what is immersed only, which moved bodies that float, and each corner of each triangle was
/// braked like a sphere as large as the circle around that triangle, so that the drag grew with the number of
/// triangles.
class BuoyantForceField final : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    core::Data<int> d_fluidModel{this,
                                 {.name = "fluidModel",
                                  .help = "1: the fluid fills all below a plane; 2: a box, whose upper face is its "
                                          "surface; triangles whose middle is beside or below the box are not in it",
                                  .range = core::Range::closed(1, 2)},
                                 1};
    core::Data<core::Vec3> d_min{
        this, {.name = "min", .help = "One corner of the box", .unit = "m"}, core::Vec3(-100., -100., -100.)};
    core::Data<core::Vec3> d_max{
        this, {.name = "max", .help = "The opposite corner of the box", .unit = "m"}, core::Vec3(100., 100., 0.)};
    core::Data<double> d_heightPlane{
        this, {.name = "heightPlane", .help = "Height of the plane against gravity, from the origin", .unit = "m"}, 0.};
    core::Data<double> d_fluidDensity{this,
                                      {.name = "fluidDensity",
                                       .help = "Density ρ of the fluid",
                                       .unit = "kg/m^3",
                                       .range = core::Range::nonNegative()},
                                      1.};
    core::Data<double> d_fluidViscosity{this,
                                        {.name = "fluidViscosity",
                                         .help = "Dynamic viscosity η of the fluid",
                                         .unit = "Pa s",
                                         .range = core::Range::nonNegative()},
                                        1e-3};
    core::Data<double> d_atmosphericPressure{
        this,
        {.name = "atmosphericPressure",
         .help = "Pressure p₀ on all of the surface; 0 where the shape at rest is that under this pressure",
         .unit = "Pa"},
        101325.};
    core::Data<bool> d_enableViscosity{this, {.name = "enableViscosity", .help = "The fluid brakes the body"}, true};
    core::Data<bool> d_turbulentFlow{
        this,
        {.name = "turbulentFlow", .help = "The drag is that of turbulent flow, quadratic in the velocity"},
        false};
    core::Data<bool> d_flipNormals{
        this,
        {.name = "flipNormals", .help = "The elements of an open surface turn right when seen from the fluid"},
        false};
    core::Data<bool> d_useTangentStiffness{
        this, {.name = "useTangentStiffness", .help = "State the derivative of the pressure"}, true};
    core::Data<bool> d_showPressureForces{
        this,
        {.name = "showPressureForces", .help = "Draw the forces of the pressure", .group = "Visualization"},
        false};
    core::Data<bool> d_showViscosityForces{
        this, {.name = "showViscosityForces", .help = "Draw the drag", .group = "Visualization"}, false};
    core::Data<bool> d_showBoxOrPlane{
        this, {.name = "showBoxOrPlane", .help = "Draw the box, or the plane", .group = "Visualization"}, false};
    core::Data<double> d_showFactorSize{
        this,
        {.name = "showFactorSize", .help = "Length that shows a force", .unit = "m/N", .group = "Visualization"},
        1.};
    core::Link<core::BaseMeshTopology> l_topology{this,
                                                  {"topology", "Mesh of the body; default: that of the node or above"}};

    void init() override;
    void bwdInit() override;
    void reinit() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { takeSurface(); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// What the Data show (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

private:
    /// The fluid as it is: depth = down·x + height [m], weight ρ |g| [N/m³].
    struct Fluid
    {
        core::Vec3 down;
        double height = 0., weight = 0.;
    };
    /// A triangle under the fluid.
    struct Load
    {
        core::Triangle triangle{};
        core::Vec3 normal;     ///< N [m²]
        core::Vec3 depths;     ///< z [m]
        core::Mat3 moments;    ///< M
        core::Vec3 pressures;  ///< p₀/3 + ρ |g| M z [Pa]
    };
    Fluid fluid() const;
    bool isInBox(const core::Vec3& x) const;
    Load loadOf(const core::Triangle& t, const VecCoord& x, const Fluid& fluid) const;
    /// Finds the surface. Throws std::runtime_error on vertices that the state does not have.
    void takeSurface();
    void tryTakeSurface();
    /// ∂f_i/∂x_j of the pressure on a triangle.
    core::Mat3 tangent(const Load& load, std::size_t i, std::size_t j, const std::array<core::Mat3, 3>& turns) const;
    /// −∂f_i/∂v_i of the drag at the velocity v, with the share of the surface [m²].
    core::Mat3 dragOf(double share, const core::Vec3& v) const;

    core::Vector<core::Triangle> m_faces;
    bool m_closed = false;
    double m_radius = 0.;  ///< R [m]
    Fluid m_fluid;         ///< at the last force, as all below
    core::Vector<Load> m_loads;
    core::Vector<double> m_shares;  ///< of each point: what is immersed of its share [m²]
    VecCoord m_x;
    VecDeriv m_v;
};

}  // namespace sofa::component
