// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "components/load/SurfaceTriangles.h"
#include "core/behavior/ForceField.h"
#include "core/behavior/MatrixFree.h"
#include "core/math/PositionPart.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A pressure on triangles and quads of a mesh, along their present normals.
///
/// With the normal n = (b − a) × (c − a) of a triangle, twice its area long, each of its vertices gets
///     f = p n/6,          with mainDirection m:  f = p n |n·m| / (6 |n|).
/// A quad is the mean of its two cuts into triangles: without a main direction this is p ∫ Nᵢ n dA of its bilinear
/// surface, exactly. The pressure p is
///     `pressure`, or with pulseMode one that goes to and fro between pressureLowerBound and `pressure` (between
///     `pressure` and pressureLowerBound where that is not positive), from zero on, by pressureSpeed per time; it
///     changes at the beginning of each step. With volumeConservationMode p times V₀/V, V being the volume that the
///     surface encloses and V₀ `defaultVolume`, or, where that is −1, the volume at the first step.
/// For closed surfaces without a main direction or a box, E = −p V, or −p V₀ ln(V/V₀) with volumeConservationMode.
/// The tangent is the exact derivative: with volumeConservationMode it couples all points, and solvers that can should
/// work without a matrix; for open surfaces, or a main direction, it is not symmetric, and conjugate gradients may go
/// wrong with it: useTangentStiffness = 0 leaves it out.
///
/// SOFA cuts a quad between its first and third vertex only, whose corners get twice the load of the others; its
/// tangent lacks the parts of quads, of the main direction and of the volume: with `compatibility="sofa"` this is so
/// here too. Its quads ignore the main direction; its pulse moves with every evaluation of forces.
template <class DataTypes>
class SurfacePressureForceField final : public core::ForceField<DataTypes>,
                                        public core::MatrixFreeStiffness,
                                        public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;

    core::Data<double> d_pressure{
        this,
        {.name = "pressure", .help = "Pressure towards the side from which the elements turn left", .unit = "Pa"},
        0.};
    core::Data<Coord> d_min{
        this,
        {.name = "min",
         .help = "Lower corner of a box: elements of the mesh, where no list is given, are under pressure while all "
                 "their vertices are in it. No box where both corners are zero",
         .unit = "m"}};
    core::Data<Coord> d_max{this, {.name = "max", .help = "Upper corner of the box", .unit = "m"}};
    core::Data<core::Vector<core::Index>> d_triangleIndices{
        this, {.name = "triangleIndices", .help = "Triangles under pressure; all of the mesh when empty"}};
    core::Data<core::Vector<core::Index>> d_quadIndices{
        this, {.name = "quadIndices", .help = "Quads under pressure; all of the mesh when empty"}};
    core::Data<bool> d_pulseMode{this, {.name = "pulseMode", .help = "The pressure goes to and fro"}, false};
    core::Data<double> d_pressureLowerBound{
        this, {.name = "pressureLowerBound", .help = "Other end of the pulse's pressures", .unit = "Pa"}, 0.};
    core::Data<double> d_pressureSpeed{
        this,
        {.name = "pressureSpeed",
         .help = "Change of the pulse's pressure per time; 0: the size of `pressure` per second",
         .unit = "Pa/s",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<bool> d_volumeConservationMode{
        this,
        {.name = "volumeConservationMode", .help = "The pressure is inversely proportional to the volume"},
        false};
    core::Data<bool> d_useTangentStiffness{
        this, {.name = "useTangentStiffness", .help = "State the derivative of the force"}, true};
    core::Data<double> d_defaultVolume{
        this,
        {.name = "defaultVolume",
         .help = "Volume at which the pressure is `pressure`, in volumeConservationMode; -1: that at the first step, "
                 "0: the pressure does not depend on the volume",
         .unit = "m^3"},
        -1.};
    core::Data<Deriv> d_mainDirection{
        this,
        {.name = "mainDirection",
         .help = "The pressure is multiplied by the size of the product of this direction and the normal; zero: it is "
                 "not",
         .unit = "1"}};
    core::Data<double> d_drawForceScale{
        this,
        {.name = "drawForceScale", .help = "Length that shows a force", .unit = "m/N", .group = "Visualization"},
        0.};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Mesh with the triangles and quads; default: that of the node or above"}};

    SurfacePressureForceField();

    void init() override;
    void bwdInit() override;
    void reinit() override;
    void reset() override;
    void archive(core::Archive& a) override;
    /// Moves the pulse at the beginning of each step.
    void handleEvent(const core::Event& e) override;
    core::ElementLists elementLists() override;
    PointLists pointLists() override { return this->noLists(); }
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    bool isMatrixFreeFast() const override { return true; }
    bool couplesAllPoints() const override { return dependsOnVolume() && d_useTangentStiffness.value(); }
    /// The box, and the forces on the vertices (flag ForceFields; `drawForceScale`).
    void draw(core::DrawTool& tool) override;

    /// Pressure of the pulse, or `pressure` [Pa].
    double pressureNow() const { return d_pulseMode.value() ? m_pulse.pressure : d_pressure.value(); }

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    static core::Vec3 at(const VecCoord& x, core::Index i) { return Position::of(x[i]); }
    /// Whether tangents and the loads of quads are SOFA's.
    bool likeSofa() const { return this->compatibility() == core::Compatibility::Sofa; }
    bool dependsOnVolume() const
    {
        return d_volumeConservationMode.value() && d_defaultVolume.value() != 0. && !likeSofa();
    }
    bool hasBox() const;
    core::Vec3 mainDirection() const { return Position::ofDeriv(d_mainDirection.value()); }
    /// Finds the triangles of the lists or of the mesh. Throws std::runtime_error on wrong indices.
    void takeFaces();
    void tryTakeFaces();
    double volumeOf(const VecCoord& x) const;
    /// V₀; the one measured where defaultVolume is −1.
    double restVolume() const { return d_defaultVolume.value() == -1. ? m_measured : d_defaultVolume.value(); }
    /// Part of its area for which a face counts: a quad has two halves, or four, cut along both diagonals.
    double weight(std::size_t face) const { return face < m_triangleCount || m_quadParts == 2 ? 1. : 0.5; }
    /// Calls f(triangle, number) for those under pressure at x.
    template <class F>
    void forEachLoaded(const VecCoord& x, F&& f) const;
    /// n, or n |n·m|/|n|, of a triangle.
    core::Vec3 loadVector(const VecCoord& x, const core::Triangle& t) const;

    /// A face under pressure whose tangent is stated, at the last force.
    struct Loaded
    {
        std::size_t face;
        TriangleSides sides;
    };
    /// Derivative of the load vector by n, with a main direction m: of n |n·m|/|n| with n = |n| u,
    /// ±((u·m) I + u (m − (u·m) u)ᵀ).
    core::Mat3 byNormal(const TriangleSides& t) const;

    struct Pulse
    {
        double pressure = 0.;
        bool rises = true;
    } m_pulse;
    core::Vector<core::Triangle> m_faces;  ///< the triangles, then the parts of quads
    std::size_t m_triangleCount = 0;       ///< of these, those that are triangles
    core::Vector<core::Index> m_points;    ///< of the triangles, in increasing order
    std::size_t m_quadParts = 4;           ///< triangles for each quad
    bool m_closed = false;
    bool m_emptied[2] = {false, false};            ///< the last triangle, quad of its list is gone
    double m_measured = -1.;                       ///< volume at the first step [m³]; −1 before it
    double m_pressure = 0.;                        ///< at the last force, with the factor of the volume [Pa]
    double m_volume = 0.;                          ///< then, where the pressure depends on it [m³]
    core::Vector<Loaded> m_loaded;                 ///< then
    core::Vector<core::Vec3> m_loads, m_gradient;  ///< Σ load vectors/6 and ∂V/∂x of each point then, with a volume
};

}  // namespace sofa::component
