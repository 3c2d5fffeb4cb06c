// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/SurfaceTriangles.h"
#include "core/behavior/ForceField.h"
#include "core/behavior/MatrixFree.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Pressure of a fluid inside a surface of triangles and quads, by Tait's equation (Tait 1888; Li, The Tait equation,
/// Journal of Applied Physics 1967, in the form of Murnaghan):
///
///     P = P₀ − B ((V/V₀)^γ − 1),   f_i = P ∂V/∂x_i,   ∂V/∂x_i = ⅙ Σ n over the triangles at i, n = (b − a) × (c − a).
///
/// V is the volume inside; V₀, at which the pressure is P₀, is the volume at rest plus what was injected. B = 0 or γ =
/// 0 gives the constant pressure P₀, γ = 1 a law linear in the volume, γ = 7 is usual for water. The law has SOFA's
/// form: for B > 0 and γ > 0 the pressure falls as the volume grows.
///
/// For a closed surface, E = −∫ P dV and the stiffness is its exact second derivative
///
///     ∂f_i/∂x_j = P′(V) ∂V/∂x_i ⊗ ∂V/∂x_j + P ∂²V/∂x_i ∂x_j,   P′ = −γ B (V/V₀)^γ / V.
///
/// The first part couples all points of the surface: solvers that can should work without a matrix. The surface need
/// not be closed where the pressure is constant; its forces then have no potential.
class TaitSurfacePressureForceField final : public core::ForceField<core::Vec3Types>,
                                            public core::MatrixFreeStiffness,
                                            public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<double> d_p0{
        this, {.name = "p0", .help = "Pressure at the volume v0", .unit = "Pa", .group = "Controls"}, 0.};
    core::Data<double> d_B{this,
                           {.name = "B",
                            .help = "Resistance to changes of the volume; the bulk modulus at v0 is gamma B",
                            .unit = "Pa",
                            .group = "Controls"},
                           0.};
    core::Data<double> d_gamma{
        this,
        {.name = "gamma", .help = "Exponent of the relative volume: 7 for water", .unit = "1", .group = "Controls"},
        0.};
    core::Data<double> d_injectedVolume{
        this,
        {.name = "injectedVolume",
         .help = "Volume to inject since the start of the simulation; negative: to extract",
         .unit = "m^3",
         .group = "Controls"},
        0.};
    core::Data<double> d_maxInjectionRate{this,
                                          {.name = "maxInjectionRate",
                                           .help = "Largest volume injected or extracted per time",
                                           .unit = "m^3/s",
                                           .range = core::Range::nonNegative(),
                                           .group = "Controls"},
                                          1000.};
    core::Data<double> d_initialVolume{this,
                                       {.name = "initialVolume",
                                        .help = "Volume of the surface at rest, when the simulation starts",
                                        .unit = "m^3",
                                        .group = "Results",
                                        .readOnly = true,
                                        .saved = false},
                                       0.};
    core::Data<double> d_currentInjectedVolume{
        this,
        {.name = "currentInjectedVolume",
         .help = "Volume injected so far: it goes towards injectedVolume at the rate maxInjectionRate",
         .unit = "m^3",
         .group = "Results"},
        0.};
    core::Data<double> d_v0{this,
                            {.name = "v0",
                             .help = "Volume at which the pressure is p0: initialVolume + currentInjectedVolume",
                             .unit = "m^3",
                             .group = "Results",
                             .readOnly = true,
                             .saved = false},
                            0.};
    core::Data<double> d_currentVolume{this,
                                       {.name = "currentVolume",
                                        .help = "Volume of the surface at the last force",
                                        .unit = "m^3",
                                        .group = "Results",
                                        .readOnly = true,
                                        .saved = false},
                                       0.};
    core::Data<double> d_currentPressure{this,
                                         {.name = "currentPressure",
                                          .help = "Pressure at the last force",
                                          .unit = "Pa",
                                          .group = "Results",
                                          .readOnly = true,
                                          .saved = false},
                                         0.};
    core::Data<double> d_currentStiffness{this,
                                          {.name = "currentStiffness",
                                           .help = "dP/dV at the last force",
                                           .unit = "Pa/m^3",
                                           .group = "Results",
                                           .readOnly = true,
                                           .saved = false},
                                          0.};
    core::Data<core::Vector<core::Triangle>> d_pressureTriangles{
        this,
        {.name = "pressureTriangles",
         .help = "Triangles under pressure: those of the mesh, and its quads cut in two",
         .readOnly = true,
         .displayed = false,
         .saved = false}};
    core::Data<double> d_initialSurfaceArea{this,
                                            {.name = "initialSurfaceArea",
                                             .help = "Area of the surface at rest, when the simulation starts",
                                             .unit = "m^2",
                                             .group = "Stats",
                                             .readOnly = true,
                                             .saved = false},
                                            0.};
    core::Data<double> d_currentSurfaceArea{this,
                                            {.name = "currentSurfaceArea",
                                             .help = "Area of the surface at the last force",
                                             .unit = "m^2",
                                             .group = "Stats",
                                             .readOnly = true,
                                             .saved = false},
                                            0.};
    core::Data<double> d_drawForceScale{this,
                                        {.name = "drawForceScale",
                                         .help = "Length drawn for a force; 0: nothing is drawn",
                                         .unit = "m/N",
                                         .group = "Visualization"},
                                        0.001};
    core::Data<core::Color> d_drawForceColor{
        this,
        {.name = "drawForceColor", .help = "Colour of the forces shown", .group = "Visualization"},
        core::Color(0.f, 1.f, 1.f)};
    core::Data<double> d_volumeAfterTC{
        this,
        {.name = "volumeAfterTC",
         .help =
             "Volume at rest of the surface since its triangles changed last; what they changed counts as no change "
             "of the volume",
         .unit = "m^3",
         .group = "Results",
         .readOnly = true,
         .saved = false},
        0.};
    core::Data<double> d_surfaceAreaAfterTC{this,
                                            {.name = "surfaceAreaAfterTC",
                                             .help = "Area at rest of the surface since its triangles changed last",
                                             .unit = "m^2",
                                             .group = "Results",
                                             .readOnly = true,
                                             .saved = false},
                                            0.};
    core::TopologyView l_topology{
        this, {"topology", "Topology that holds the triangles and quads; default: that of the node or above"}};

    TaitSurfacePressureForceField() { d_listening.setDefault(true); }

    PointLists pointLists() override { return noLists(); }
    /// Takes the triangles that there are; what the change made of the volume at rest is no change of the volume.
    void followTopology(const core::TopologyChange&) override;
    void init() override;
    void storeResetState() override;
    void reset() override;
    void archive(core::Archive& a) override;
    /// Injects at the beginning of each step.
    void handleEvent(const core::Event& e) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    bool isMatrixFreeFast() const override { return true; }
    bool couplesAllPoints() const override { return hasLaw(); }
    /// Force of each triangle as a line along its normal (flag InteractionForceFields).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    struct Extent
    {
        double volume, area;
    };
    struct Tait
    {
        double pressure, slope;
    };
    bool hasLaw() const { return d_B.value() != 0. && d_gamma.value() != 0.; }
    Extent extentOf(const VecCoord& x) const;
    /// P and dP/dV at a volume.
    Tait lawAt(double volume) const;
    /// The volume that the law sees: without what changes of the mesh added.
    double effective(double volume) const { return volume - (d_volumeAfterTC.value() - d_initialVolume.value()); }
    /// Triangles of the present mesh, with their volume at rest. Throws std::runtime_error on wrong indices.
    void takeTriangles();
    void followMesh();
    void updateRestVolume();
    bool meshChanged() const;

    core::Vector<core::Triangle> m_meshTriangles;  ///< of the topology, when pressureTriangles was made of them
    core::Vector<core::Quad> m_meshQuads;
    std::size_t m_revision = 0;
    core::Vector<core::Index> m_points;   ///< of the surface, in increasing order
    bool m_closed = false;                ///< whether each side of a triangle is that of another, in reverse
    bool m_warned = false;                ///< of a volume far from v0
    core::Vector<TriangleSides> m_sides;  ///< at the last force
    core::Vector<core::Vec3> m_gradient;  ///< ∂V/∂x of each point there
    double m_resetInjected = 0., m_resetCurrent = 0.;
};

}  // namespace sofa::component
