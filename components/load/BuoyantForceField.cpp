// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/BuoyantForceField.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/load/SurfaceTriangles.h"
#include "core/factory/Registry.h"
#include "core/math/Decompositions.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Triangle;
using core::Vec3;

namespace {

/// ∫ λ_i λ_j dA over a part of a triangle whose corners have these barycentric coordinates, in the columns, over its
/// area divided by 12.
Mat3 shapeMoments(const Mat3& corners)
{
    const Vec3 sum = corners.column(0) + corners.column(1) + corners.column(2);
    return corners * corners.transposed() + outer(sum, sum);
}

/// M of a triangle with these depths at its corners.
Mat3 immersedMoments(const Vec3& z)
{
    const auto count = std::count_if(z.begin(), z.end(), [](double d) { return d > 0.; });
    const Mat3 whole = shapeMoments(Mat3::identity()) * (1. / 12.);
    if (count == 0) return {};
    if (count == 3) return whole;
    // The corner that is alone on its side of the surface, and the part of the triangle there.
    std::size_t a = 0;
    while ((z[a] > 0.) != (count == 1)) ++a;
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    const double s = z[a] / (z[a] - z[b]), t = z[a] / (z[a] - z[c]);
    Mat3 corners;
    corners[a] = {1., 1. - s, 1. - t};
    corners[b] = {0., s, 0.};
    corners[c] = {0., 0., t};
    const Mat3 part = shapeMoments(corners) * (s * t / 12.);
    return count == 1 ? part : whole - part;
}

double enclosedVolume(const core::Vector<Triangle>& faces, const core::Vector<Vec3>& x)
{
    double volume = 0.;
    for (const Triangle& t : faces) volume += dot(cross(x[t[0]], x[t[1]]), x[t[2]]) / 6.;
    return volume;
}

}  // namespace

void BuoyantForceField::init()
{
    ForceField::init();
    if (!isValid()) return;
    core::resolveOrNeed(l_topology, *this);
}

void BuoyantForceField::bwdInit()
{
    if (!isValid()) return;
    tryTakeSurface();
    if (isValid() && m_faces.empty())
        core::mayStartEmpty(*this, *l_topology, "tetrahedra, hexahedra, triangles or quads");
}

void BuoyantForceField::reinit()
{
    if (isValid()) tryTakeSurface();
}

void BuoyantForceField::tryTakeSurface()
{
    try {
        takeSurface();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void BuoyantForceField::takeSurface()
{
    m_loads.clear();
    m_shares.clear();
    if (!l_topology->tetrahedra().empty() || !l_topology->hexahedra().empty()) {
        m_faces = core::borderOf(l_topology->tetrahedra());
        for (const core::Quad& q : core::borderOf(l_topology->hexahedra())) addHalves(m_faces, q);
    } else {
        m_faces = l_topology->triangles();
        for (const core::Quad& q : l_topology->quads()) addHalves(m_faces, q);
    }
    const auto id =
        state().isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const VecCoord& rest = state().read(id);
    for (const Triangle& t : m_faces)
        for (const Index v : t)
            if (v >= rest.size())
                throw std::runtime_error("the mesh has a point " + std::to_string(v) + ", but the state '" +
                                         state().pathName() + "' has only " + std::to_string(rest.size()));
    m_closed = isClosed(m_faces);
    if (m_closed ? enclosedVolume(m_faces, rest) < 0. : d_flipNormals.value())
        for (Triangle& t : m_faces) std::swap(t[1], t[2]);
    double area = 0.;
    for (const Triangle& t : m_faces) area += 0.5 * norm(cross(rest[t[1]] - rest[t[0]], rest[t[2]] - rest[t[0]]));
    m_radius = std::sqrt(area / (4. * std::numbers::pi));
}

auto BuoyantForceField::fluid() const -> Fluid
{
    const Vec3 gravity = node()->gravity();
    const double size = norm(gravity);
    Fluid f;
    f.weight = d_fluidDensity.value() * size;
    f.down = normalized(gravity);
    f.height = d_heightPlane.value();
    if (d_fluidModel.value() == 1 || !(size > 0.)) return f;
    // The face of the box whose normal is nearest to gravity.
    std::size_t k = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (std::abs(gravity[i]) > std::abs(gravity[k])) k = i;
    f.down = {};
    f.down[k] = gravity[k] > 0. ? 1. : -1.;
    const double low = std::min(d_min.value()[k], d_max.value()[k]),
                 high = std::max(d_min.value()[k], d_max.value()[k]);
    f.height = gravity[k] > 0. ? -low : high;
    return f;
}

bool BuoyantForceField::isInBox(const Vec3& x) const
{
    for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(d_min.value()[k], d_max.value()[k]);
        // The surface is no wall.
        if ((x[k] < low && !(m_fluid.down[k] > 0.)) || (x[k] > high && !(m_fluid.down[k] < 0.))) return false;
    }
    return true;
}

auto BuoyantForceField::loadOf(const Triangle& t, const VecCoord& x, const Fluid& fluid) const -> Load
{
    Load l;
    l.triangle = t;
    l.normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]) * 0.5;
    for (std::size_t i = 0; i < 3; ++i) l.depths[i] = dot(fluid.down, x[t[i]]) + fluid.height;
    if (d_fluidModel.value() == 1 || isInBox((x[t[0]] + x[t[1]] + x[t[2]]) / 3.)) l.moments = immersedMoments(l.depths);
    const double atmosphere = d_atmosphericPressure.value() / 3.;
    l.pressures = l.moments * l.depths * fluid.weight + Vec3{atmosphere, atmosphere, atmosphere};
    return l;
}

void BuoyantForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    if (!isValid()) return;
    m_fluid = fluid();
    m_loads.clear();
    m_shares.assign(x.size(), 0.);
    m_x = x;
    m_v = v;
    for (const Triangle& t : m_faces) {
        const Load l = loadOf(t, x, m_fluid);
        const double area = norm(l.normal);
        for (std::size_t i = 0; i < 3; ++i) {
            f[t[i]] -= l.normal * l.pressures[i];
            m_shares[t[i]] += area * (l.moments[i][0] + l.moments[i][1] + l.moments[i][2]);
        }
        m_loads.push_back(l);
    }
    if (!hasDamping()) return;
    for (Index i = 0; i < x.size(); ++i) {
        if (d_turbulentFlow.value())
            f[i] -= v[i] * (0.125 * d_fluidDensity.value() * m_shares[i] * norm(v[i]));
        else
            f[i] -= v[i] * (1.5 * d_fluidViscosity.value() / m_radius * m_shares[i]);
    }
}

bool BuoyantForceField::hasDamping() const
{
    return d_enableViscosity.value() && m_radius > 0. &&
           (d_turbulentFlow.value() ? d_fluidDensity.value() : d_fluidViscosity.value()) > 0.;
}

Mat3 BuoyantForceField::dragOf(double share, const Vec3& v) const
{
    if (!d_turbulentFlow.value()) return Mat3::identity() * (1.5 * d_fluidViscosity.value() / m_radius * share);
    const double speed = norm(v);
    if (!(speed > 0.)) return {};
    return (Mat3::identity() * speed + outer(v, v) * (1. / speed)) * (0.125 * d_fluidDensity.value() * share);
}

Mat3 BuoyantForceField::tangent(const Load& l, std::size_t i, std::size_t j, const std::array<Mat3, 3>& turns) const
{
    return turns[j] * (-0.5 * l.pressures[i]) - outer(l.normal, m_fluid.down) * (m_fluid.weight * l.moments[i][j]);
}

void BuoyantForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& dfId)
{
    if (!isValid()) return;
    const double k = d_useTangentStiffness.value() ? mp.stiffnessFactor(d_rayleighStiffness.value()) : 0.;
    core::State<core::Vec3Types>& s = state();
    const auto df = s.write(dfId.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    if (k != 0.)
        for (const Load& l : m_loads) {
            const Triangle& t = l.triangle;
            const auto turns = TriangleSides(t, m_x[t[0]], m_x[t[1]], m_x[t[2]]).normalDerivatives();
            Vec3 turn, depth;
            for (std::size_t j = 0; j < 3; ++j) {
                turn += turns[j] * dx[t[j]] * 0.5;
                depth[j] = dot(m_fluid.down, dx[t[j]]);
            }
            const Vec3 pressures = l.moments * depth * m_fluid.weight;
            for (std::size_t i = 0; i < 3; ++i) df[t[i]] -= (turn * l.pressures[i] + l.normal * pressures[i]) * k;
        }
    if (!hasDamping() || mp.bFactor == 0.) return;
    for (Index i = 0; i < m_shares.size(); ++i)
        if (m_shares[i] > 0.) df[i] -= dragOf(m_shares[i], m_v[i]) * dx[i] * mp.bFactor;
}

void BuoyantForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    if (!isValid() || !d_useTangentStiffness.value()) return;
    for (const Load& l : m_loads) {
        const Triangle& t = l.triangle;
        const auto turns = TriangleSides(t, m_x[t[0]], m_x[t[1]], m_x[t[2]]).normalDerivatives();
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) k.add(t[i], t[j], tangent(l, i, j, turns));
    }
}

void BuoyantForceField::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!isValid() || !hasDamping()) return;
    for (Index i = 0; i < m_shares.size(); ++i)
        if (m_shares[i] > 0.) b.add(i, i, -dragOf(m_shares[i], m_v[i]));
}

double BuoyantForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    if (!m_closed) return std::nan("");
    const Fluid water = fluid();
    double energy = d_atmosphericPressure.value() * enclosedVolume(m_faces, x);
    for (const Triangle& t : m_faces) {
        if (d_fluidModel.value() != 1 && !isInBox((x[t[0]] + x[t[1]] + x[t[2]]) / 3.)) return std::nan("");
        // The divergence of ½ w max(z, 0)² down is the pressure.
        const Load l = loadOf(t, x, water);
        energy += 0.5 * water.weight * dot(water.down, l.normal) * dot(l.depths, l.moments * l.depths);
    }
    return energy;
}

void BuoyantForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state || !isValid()) return;
    const VecCoord& x = state().positions();
    if (d_showBoxOrPlane.value() && d_fluidModel.value() == 2) {
        core::BoundingBox box;
        box.include(d_min.value());
        box.include(d_max.value());
        tool.boxEdges({&box, 1}, core::plainStyle(core::Color(0.f, 0.f, 1.f)));
    } else if (d_showBoxOrPlane.value() && norm(node()->gravity()) > 0.) {
        const Fluid water = fluid();
        const Vec3 middle = tool.sceneBox().valid() ? (tool.sceneBox().low + tool.sceneBox().high) * 0.5 : Vec3();
        const Vec3 center = middle - water.down * (dot(water.down, middle) + water.height);
        const Vec3 p = core::perpendicular(water.down) * (0.5 * tool.sceneSize()), q = cross(water.down, p);
        const std::array<Vec3, 4> corners{center - p - q, center + p - q, center + p + q, center - p + q};
        const core::Quad quad{0, 1, 2, 3};
        tool.quads(corners, {&quad, 1}, core::plainStyle(core::Color(0.f, 0.3f, 1.f, 0.3f)));
    }
    const double scale = d_showFactorSize.value();
    if (m_x.size() != x.size() || m_v.size() != x.size() || m_shares.size() != x.size()) return;
    auto ends = tool.scratch<Vec3>();
    if (d_showPressureForces.value())
        for (const Load& l : m_loads)
            for (std::size_t i = 0; i < 3; ++i) {
                ends.push_back(x[l.triangle[i]]);
                ends.push_back(x[l.triangle[i]] - l.normal * (l.pressures[i] * scale));
            }
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.f, 0.f)));
    ends.clear();
    if (d_showViscosityForces.value() && hasDamping())
        for (Index i = 0; i < x.size(); ++i) {
            const Vec3 drag = dragOf(m_shares[i], m_v[i]) * m_v[i] * (d_turbulentFlow.value() ? 0.5 : 1.);
            ends.push_back(x[i]);
            ends.push_back(x[i] - drag * scale);
        }
    tool.lines(ends, core::plainStyle(core::Color(0.f, 1.f, 1.f)));
}

static const core::RegisterComponent registeredBuoyantForceField =
    core::RegisterComponent("BuoyantForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A fluid at rest that presses on the surface of a body, and brakes it")
        .example("component/load/BuoyantForceField.scn")
        .add<BuoyantForceField>();

}  // namespace sofa::component
