// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BeamFEMForceField.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// b⁻¹ a, the way round that is at most half a turn.
Quat difference(const Quat& a, const Quat& b)
{
    const Quat q = (b.inverse() * a).normalized();
    return q[3] < 0. ? Quat{-q[0], -q[1], -q[2], -q[3]} : q;
}

/// R v of each of four vectors.
Vec<12> rotated(const Mat3& r, const Vec<12>& v)
{
    Vec<12> out;
    for (std::size_t k = 0; k < 12; k += 3) {
        const Vec3 w = r * Vec3{v[k], v[k + 1], v[k + 2]};
        for (std::size_t c = 0; c < 3; ++c) out[k + c] = w[c];
    }
    return out;
}

void subtract(Vector<Vec6>& f, const Edge& ends, const Vec<12>& v, double factor)
{
    for (std::size_t k = 0; k < 12; ++k) f[ends[k / 6]][k % 6] -= factor * v[k];
}

}  // namespace

BeamFEMForceField::BeamFEMForceField()
{
    ignoreAttribute("beamsData", "it was internal data of the component");
    ignoreAttribute("useSymmetricAssembly", "the assembled matrix is always symmetric");
}

ElementLists BeamFEMForceField::elementLists()
{
    ElementLists all = LinearElasticForceField::elementLists();
    all.data.push_back({&d_listSegment, ElementData::Kind::Members});
    return all;
}

void BeamFEMForceField::followTopology(const TopologyChange& change)
{
    m_following = true;
    LinearElasticForceField::followTopology(change);
    m_following = false;
}

void BeamFEMForceField::prepare()
{
    m_beams.clear();
    m_edges = topology().edges();
    const double radius = d_radius.value(), inner = d_radiusInner.value();
    if (inner >= radius)
        throw std::runtime_error("radiusInner (" + std::to_string(inner) + ") must be below radius (" +
                                 std::to_string(radius) + ")");
    Vector<Index> segments = d_listSegment.value();
    if (!m_following) m_listed = !segments.empty();
    if (!m_listed) {
        segments.resize(m_edges.size());
        std::iota(segments.begin(), segments.end(), Index(0));
    }
    if (segments.empty() && !m_following && !mayStartEmpty(*this, topology(), "edges")) return;
    regions.update(static_cast<Index>(m_edges.size()));
    const BeamSection section = this->section();
    const VecCoord& rest = restPositions();
    const auto name = [&](Index e) {
        return "beam " + std::to_string(e) + " (points " + std::to_string(m_edges[e][0]) + ", " +
               std::to_string(m_edges[e][1]) + ")";
    };
    bool reported = false;
    for (const Index e : segments) {
        if (e >= m_edges.size())
            throw std::runtime_error("listSegment: there is no edge " + std::to_string(e) + ", only " +
                                     std::to_string(m_edges.size()));
        const auto [a, b] = m_edges[e];
        if (std::max(a, b) >= rest.size())
            throw std::runtime_error(name(e) + " has an end beyond the " + std::to_string(rest.size()) +
                                     " points of '" + state().pathName() + "'");
        materialOf(e);  // names the element whose values make no sense
        Beam beam;
        beam.edge = e;
        beam.ends = m_edges[e];
        beam.shape = rest[a].orientation.normalized().inverseRotate(rest[b].center - rest[a].center);
        beam.turn = difference(rest[b].orientation.normalized(), rest[a].orientation.normalized());
        beam.length = norm(beam.shape);
        if (!(beam.length > 0.)) throw std::runtime_error(name(e) + " has no length at rest");
        beam.stiffness =
            beamStiffness(regions.valueOf(d_youngModulus, e), regions.valueOf(d_poissonRatio, e), section, beam.length);
        beam.frame = rest[a].orientation.normalized().toMatrix();
        // Orientations of scenes have six digits.
        if (!reported && beam.shape[0] < beam.length * (1. - 1e-6)) {
            reported = true;
            msgWarning() << name(e) << " does not lie along the x axis of the frame of its first end at rest, but "
                         << "along " << toText(beam.shape / beam.length)
                         << " of it: it bends and stretches as a beam along x would";
        }
        m_beams.push_back(beam);
    }
}

Vec6 BeamFEMForceField::displacement(const Beam& beam, const VecCoord& x)
{
    const RigidCoord3 &a = x[beam.ends[0]], &b = x[beam.ends[1]];
    const Quat q = a.orientation.normalized();
    const Vec3 u = q.inverseRotate(b.center - a.center) - beam.shape;
    const Vec3 theta = difference(difference(b.orientation.normalized(), q), beam.turn).toRotationVector();
    return {u[0], u[1], u[2], theta[0], theta[1], theta[2]};
}

Vec<12> BeamFEMForceField::endForces(const Beam& beam, const VecCoord& x)
{
    const Vec6 d = displacement(beam, x);
    Vec<12> local;
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 6; ++j) local[i] += beam.stiffness(i, 6 + j) * d[j];
    return local;
}

double BeamFEMForceField::energyOf(const Beam& beam, const VecCoord& x)
{
    const Vec6 d = displacement(beam, x);
    return 0.5 * dot(d, beam.stiffness.block<6, 6>(6, 6) * d);
}

void BeamFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    for (Beam& beam : m_beams) {
        beam.frame = x[beam.ends[0]].orientation.normalized().toMatrix();
        subtract(f, beam.ends, rotated(beam.frame, endForces(beam, x)), 1.);
    }
}

void BeamFEMForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    for (const Beam& beam : m_beams) {
        Vec<12> d;
        for (std::size_t k = 0; k < 12; ++k) d[k] = dx[beam.ends[k / 6]][k % 6];
        subtract(df, beam.ends, rotated(beam.frame, beam.stiffness * rotated(beam.frame.transposed(), d)), factor);
    }
}

void BeamFEMForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (!isValid()) return;
    for (const Beam& beam : m_beams) {
        const Mat3 back = beam.frame.transposed();
        Mat<12, 12> m;
        // The blocks above the diagonal, and their transposes: the matrix is symmetric to the last bit.
        for (std::size_t i = 0; i < 12; i += 3)
            for (std::size_t j = i; j < 12; j += 3) {
                Mat3 block = beam.frame * beam.stiffness.block<3, 3>(i, j) * back * -1.;
                if (i == j) block = (block + block.transposed()) * 0.5;
                m.setBlock(i, j, block);
                m.setBlock(j, i, block.transposed());
            }
        k.addElement<2, 6>(beam.ends, m);
    }
}

double BeamFEMForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const Beam& beam : m_beams) energy += energyOf(beam, x);
    return energy;
}

// Edges that are no beams have no energy, and no stress that is known.

void BeamFEMForceField::stresses(const Shape&, Vector<Mat3>& out) const
{
    out.assign(m_edges.size(), Mat3::identity() * std::nan(""));
    const VecCoord& x = state().positions();
    const double area = section().area;
    for (const Beam& beam : m_beams) {
        const Vec3 axis = x[beam.ends[0]].orientation.normalized().toMatrix().column(0);
        out[beam.edge] = outer(axis * (endForces(beam, x)[6] / area), axis);
    }
}

void BeamFEMForceField::vonMisesStresses(const Shape&, Vector<double>& out) const
{
    out.assign(m_edges.size(), std::nan(""));
    const VecCoord& x = state().positions();
    const BeamSection s = section();
    const double radius = d_radius.value();
    for (const Beam& beam : m_beams) {
        const Vec<12> f = endForces(beam, x);
        const double shear = f[9] * radius / s.torsion;
        const double bending = std::max(std::hypot(f[4], f[5]), std::hypot(f[10], f[11])) * radius / s.inertiaY;
        const double normal = std::abs(f[6]) / s.area + bending;
        out[beam.edge] = std::sqrt(normal * normal + 3. * shear * shear);
    }
}

void BeamFEMForceField::elementEnergies(Vector<double>& out) const
{
    out.assign(m_edges.size(), 0.);
    const VecCoord& x = state().positions();
    for (const Beam& beam : m_beams) out[beam.edge] += energyOf(beam, x);
}

void BeamFEMForceField::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !l_state) return;
    const VecCoord& x = state().positions();
    const double radius = 0.5 * d_radius.value();
    std::array<Scratch<Vec3>, 3> ends{tool.scratch<Vec3>(), tool.scratch<Vec3>(), tool.scratch<Vec3>()};
    for (const Beam& beam : m_beams) {
        const auto [a, b] = beam.ends;
        if (std::max(a, b) >= x.size()) continue;
        const Vec3 middle = (x[a].center + x[b].center) * 0.5;
        const Mat3 r = x[a].orientation.normalized().toMatrix();
        const Vec3 half = r.column(0) * (0.5 * beam.length);
        for (const Vec3& p : {middle - half, middle + half}) ends[0].push_back(p);
        for (std::size_t k = 1; k < 3; ++k)
            for (const Vec3& p : {middle, middle + r.column(k) * radius}) ends[k].push_back(p);
    }
    const std::array<Color, 3> colors{Color(1.f, 0.f, 0.f), Color(0.f, 1.f, 0.f), Color(0.f, 0.f, 1.f)};
    for (std::size_t k = 0; k < 3; ++k) tool.lines(ends[k], plainStyle(colors[k]));
}

static const RegisterComponent registeredBeamFEMForceField =
    RegisterComponent("BeamFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Linear elastic beams of round section between frames, corotational")
        .example("component/fem/BeamFEMForceField.scn")
        .add<BeamFEMForceField>();

}  // namespace sofa::component
