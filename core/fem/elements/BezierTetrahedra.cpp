// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BezierTetrahedra.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/fem/elements/FastPolar.h"

namespace sofa::core {

namespace {

constexpr std::size_t width = 8;

[[noreturn]] void throwInvalid(Index e, const BezierTetrahedron& t, const std::string& what)
{
    std::string text = "tetrahedron " + std::to_string(e) + " (control points";
    for (const Index v : t) text += ' ' + std::to_string(v);
    throw std::runtime_error(text + ") " + what);
}

}  // namespace

void BezierTetrahedra::build(const Vector<BezierTetrahedron>& elements, const Vector<Vec3>& rest, bool rotated,
                             Index middles)
{
    const auto points = static_cast<Index>(rest.size());
    m_graph.build(elements, points, {}, middles);  // checks the vertices
    ElementReordering order = elementReordering(elements.empty() ? nullptr : elements[0].data(), elements.size(), 10,
                                                points, ElementOrder::Kept);
    if (!order.elements.empty()) m_graph.build(elements, points, std::move(order), middles);
    m_rotated = rotated;
    m_nbInverted = 0;
    const std::size_t n = elements.size(), slots = (n + width - 1) / width * width;
    m_edges.resize(slots * 9);
    m_stiffness.assign(slots * 2, 0.);
    m_vertices.resize(slots);
    m_tangents.assign(slots, {});
    m_volume6.resize(n);
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const Index e = m_graph.order().elementAt(std::min(slot, n - 1));
        const BezierTetrahedron& t = elements[e];
        m_vertices[slot] = t;
        const std::size_t pack = slot / width, lane = slot % width;
        Vec3 d[3];
        for (std::size_t k = 0; k < 3; ++k) {
            d[k] = rest[t[k + 1]] - rest[t[0]];
            for (std::size_t c = 0; c < 3; ++c) m_edges[(pack * 9 + 3 * k + c) * width + lane] = d[k][c];
        }
        if (slot >= n) continue;  // an unused lane, which repeats the last one
        m_volume6[e] = dot(d[0], cross(d[1], d[2]));
        if (!(std::abs(m_volume6[e]) > 1e-12 * norm(d[0]) * norm(d[1]) * norm(d[2])))
            throwInvalid(e, t, "has no volume in its rest shape");
        for (std::size_t k = 0; k < 6; ++k) {
            const auto& [i, j] = bezierEdges[k];
            if (!isStraightEdge(rest[t[i]], rest[t[4 + k]], rest[t[j]]))
                throwInvalid(e, t,
                             "has a curved rest shape: control point " + std::to_string(t[4 + k]) +
                                 " is not in the middle of its edge");
        }
        if (m_volume6[e] < 0.) ++m_nbInverted;
        setTangent(e, restGradients(e));
    }
}

void BezierTetrahedra::setMaterial(Index e, const LameParameters& material)
{
    const std::size_t place = m_graph.order().placeOf(e);
    double* const row = &m_stiffness[place / width * 2 * width + place % width];
    row[0] = material.lambda * restVolume(e);
    row[width] = material.mu * restVolume(e);
    m_tangents[place].rows[0][3] = row[width];
    m_tangents[place].rows[1][3] = row[0];
}

BezierPack BezierTetrahedra::packAt(std::size_t p) const
{
    return {&m_edges[p * 9 * width], &m_stiffness[p * 2 * width], m_vertices[p * width].data()};
}

BezierTetrahedra::Gradients BezierTetrahedra::restGradients(Index e) const
{
    const std::size_t place = m_graph.order().placeOf(e), pack = place / width, lane = place % width;
    Vec3 d[3];
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t c = 0; c < 3; ++c) d[k][c] = m_edges[(pack * 9 + 3 * k + c) * width + lane];
    Gradients b;
    for (std::size_t k = 0; k < 3; ++k) b[k + 1] = cross(d[(k + 1) % 3], d[(k + 2) % 3]) / m_volume6[e];
    b[0] = -(b[1] + b[2] + b[3]);
    return b;
}

Mat3 BezierTetrahedra::rotation(Index e, const Vector<Vec3>& x) const
{
    if (!m_rotated) return Mat3::identity();
    const BezierTetrahedron& t = m_graph.elements()[e];
    const Gradients b = restGradients(e);
    Mat3 f;
    for (std::size_t k = 1; k < 4; ++k) f += outer(x[t[k]] - x[t[0]], b[k]);
    return fastPolarRotation(f);
}

BezierTetrahedra::Gradients BezierTetrahedra::turnedGradients(Index e, const Vector<Vec3>& x) const
{
    Gradients b = restGradients(e);
    const Mat3 r = rotation(e, x);
    for (Vec3& g : b) g = r * g;
    return b;
}

std::array<Mat3, 4> BezierTetrahedra::cornerGradients(Index e, const Vector<Vec3>& x, const Gradients& turned) const
{
    const BezierTetrahedron& t = m_graph.elements()[e];
    std::array<Mat3, 4> g;
    for (std::size_t v = 0; v < 4; ++v) {
        for (std::size_t k = 0; k < 4; ++k)
            if (k != v) g[v] += outer((x[t[bezierControl[v][k]]] - x[t[v]]) * 2., turned[k]);
        g[v] -= Mat3::identity();
    }
    return g;
}

void BezierTetrahedra::setTangent(Index e, const Gradients& turned)
{
    IsotropicTangent& tangent = m_tangents[m_graph.order().placeOf(e)];
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t c = 0; c < 3; ++c) tangent.rows[k][c] = turned[k][c];
}

void BezierTetrahedra::elementForces(Index e, const Vector<Vec3>& x, const Gradients& turned, Vec3* f) const
{
    const double* const material = m_tangents[m_graph.order().placeOf(e)].rows[0];
    const double lambda = material[7], mu = material[3];  // times the volume
    std::array<Mat3, 4> s = cornerGradients(e, x, turned);
    Mat3 sum;
    for (Mat3& v : s) {
        v = isotropicStress(v, lambda, mu);
        sum += v;
    }
    for (Mat3& v : s) v = (sum + v) * (-0.1);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = i; k < 4; ++k)
            f[bezierControl[i][k]] = i == k ? s[i] * turned[i] : s[i] * turned[k] + s[k] * turned[i];
}

void BezierTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (size() == 0) return;
    const BezierKernels& kernels = bezierKernels();
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        const unsigned others = kernels.forces(packAt(p), m_rotated, x[0].data(), out, &m_tangents[p * width]);
        for (std::size_t lane = 0; others != 0 && lane < std::min<std::size_t>(width, size() - p * width); ++lane) {
            if (!(others >> lane & 1u)) continue;
            const Index e = m_graph.order().elementAt(p * width + lane);
            const Gradients turned = turnedGradients(e, x);  // by the reference of the rotation
            setTangent(e, turned);
            Vec3 own[10];
            elementForces(e, x, turned, own);
            for (std::size_t k = 0; k < 30; ++k) out[30 * lane + k] = own[k / 3][k % 3];
        }
    });
}

void BezierTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    if (size() == 0) return;
    const BezierKernels& kernels = bezierKernels();
    m_graph.accumulatePacks(df, [&](std::size_t p, double* out) {
        kernels.product(packAt(p), &m_tangents[p * width], dx[0].data(), factor, out);
    });
}

void BezierTetrahedra::addStiffness(BlockSink& sink) const { m_graph.addIsotropicStiffness(sink, m_tangents); }

double BezierTetrahedra::energyOf(Index e, const Vector<Vec3>& x) const
{
    const double* const material = m_tangents[m_graph.order().placeOf(e)].rows[0];
    const std::array<Mat3, 4> g = cornerGradients(e, x, turnedGradients(e, x));
    // ∫ σ : G with both linear: V/20 (Σ_v σ_v : Σ_v G_v + Σ_v σ_v : G_v).
    Mat3 sum;
    double own = 0.;
    for (const Mat3& v : g) {
        sum += v;
        own += doubleContraction(isotropicStress(v, material[7], material[3]), v);
    }
    return (doubleContraction(isotropicStress(sum, material[7], material[3]), sum) + own) / 40.;
}

double BezierTetrahedra::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

void BezierTetrahedra::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return energyOf(e, x); });
}

std::array<Mat3, 4> BezierTetrahedra::cornerStresses(Index e, const Vector<Vec3>& x) const
{
    const double* const material = m_tangents[m_graph.order().placeOf(e)].rows[0];
    const double volume = restVolume(e);
    std::array<Mat3, 4> s = cornerGradients(e, x, turnedGradients(e, x));
    for (Mat3& v : s) v = isotropicStress(v, material[7] / volume, material[3] / volume);
    return s;
}

void BezierTetrahedra::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    m_graph.evaluate(out, [&](Index e) {
        Mat3 mean;
        for (const Mat3& s : cornerStresses(e, x)) mean += s * 0.25;
        return mean;
    });
}

}  // namespace sofa::core
