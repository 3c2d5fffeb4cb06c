// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/CorotationalHexahedra.h"

#include <map>
#include <stdexcept>
#include <string>

#include "core/fem/FastPolar.h"
#include "core/fem/FiniteElements.h"
#include "core/fem/StiffnessKey.h"

namespace sofa::core {

namespace {

[[noreturn]] void throwInvalid(Index e, const Hexahedron& h)
{
    std::string text = "hexahedron " + std::to_string(e) + " (vertices";
    for (const Index v : h) text += ' ' + std::to_string(v);
    throw std::runtime_error(
        text +
        ") is flat, twisted or numbered inside out: its Jacobian is not positive in the rest shape. The first four "
        "vertices go counter-clockwise round the bottom, seen from the top, and the last four lie above them");
}

/// True if opposite edges agree within a thousandth of their length.
bool isParallelepiped(const CorotationalHexahedra::Nodes& n)
{
    constexpr double tolerance = 0.001;
    const Vec3 lx = n[1] - n[0], lz = n[4] - n[0];
    const auto near = [](const Vec3& a, const Vec3& b, double length) { return norm(a - b) < length * tolerance; };
    const double z = norm(lz);
    return near(n[3] + lx, n[2], norm(lx)) && near(n[1] + lz, n[5], z) && near(n[2] + lz, n[6], z) &&
           near(n[3] + lz, n[7], z);
}

}  // namespace

CorotationalHexahedra::Stiffness CorotationalHexahedra::integrate(const Nodes& nodes, const LameParameters& material,
                                                                  bool* valid)
{
    const bool parallel = isParallelepiped(nodes);
    const Mat3 edges = Mat3::fromColumns(nodes[1] - nodes[0], nodes[3] - nodes[0], nodes[4] - nodes[0]) * 0.5;
    if (valid) *valid = true;
    Stiffness k;
    for (const QuadraturePoint<3>& point : HexahedronShape::quadrature) {
        std::array<Vec3, 8> g = HexahedronShape::gradients(point.at);
        const Mat3 j = parallel ? edges : elementJacobian(nodes, g);
        const double det = determinant(j);
        if (valid && !(det > 0.)) *valid = false;
        g = spatialGradients(j, g);
        for (std::size_t a = 0; a < 8; ++a)
            for (std::size_t b = a; b < 8; ++b) {
                const Mat3 block = isotropicStiffnessBlock(g[a], g[b], material.lambda * det, material.mu * det);
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) k[3 * a + r][3 * b + c] += block[r][c];
            }
    }
    for (std::size_t r = 0; r < 24; ++r)
        for (std::size_t c = 0; c < r; ++c) k[r][c] = k[c][r];
    return k;
}

void CorotationalHexahedra::build(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
                                  bool updateStiffness)
{
    m_graph.build(elements, static_cast<Index>(rest.size()));
    m_method = method;
    m_updateStiffness = updateStiffness;
    const std::size_t n = elements.size();
    m_rest.resize(n);
    m_restFrame.resize(n);
    m_stiffness.assign(1, {});
    m_stiffnessOf.assign(n, 0);
    m_material.assign(n, {});
    m_graph.forEach([&](Index e) {
        const Nodes nodes = nodesOf(e, rest);
        m_restFrame[e] = frameOf(nodes);
        for (std::size_t i = 0; i < 8; ++i) m_rest[e][i] = m_restFrame[e] * nodes[i];
    });
    m_frame = m_restFrame;
}

void CorotationalHexahedra::setMaterial(const std::function<Material(Index)>& materialOf)
{
    const Index n = size();
    m_stiffness.clear();
    std::map<StiffnessKey<8, 3>, Index> known;
    for (Index e = 0; e < n; ++e) {
        m_material[e] = materialOf(e);
        if (m_updateStiffness) {
            m_stiffnessOf[e] = e;
        } else {
            const auto [at, isNew] =
                known.emplace(stiffnessKey<8, 3>(&m_rest[e][1], m_material[e].lame, m_material[e].factor),
                              static_cast<Index>(known.size()));
            m_stiffnessOf[e] = at->second;
            if (!isNew) continue;
        }
        bool valid = true;
        m_stiffness.push_back(integrate(m_rest[e], m_material[e].lame, &valid));
        m_stiffness.back() *= m_material[e].factor;
        if (!valid) throwInvalid(e, m_graph.elements()[e]);
    }
}

CorotationalHexahedra::Nodes CorotationalHexahedra::nodesOf(Index e, const Vector<Vec3>& x) const
{
    const Hexahedron& h = m_graph.elements()[e];
    Nodes n;
    for (std::size_t i = 1; i < 8; ++i) n[i] = x[h[i]] - x[h[0]];
    return n;
}

Mat3 CorotationalHexahedra::frameOf(const Nodes& n) const
{
    if (m_method == RotationMethod::Small) return Mat3::identity();
    const Vec3 h1 = (n[1] - n[0] + n[2] - n[3] + n[5] - n[4] + n[6] - n[7]) * 0.25;
    const Vec3 h2 = (n[3] - n[0] + n[2] - n[1] + n[7] - n[4] + n[6] - n[5]) * 0.25;
    if (m_method == RotationMethod::Large) return fastEdgeFrame(h1, h2).transposed();
    const Vec3 h3 = (n[4] - n[0] + n[5] - n[1] + n[7] - n[3] + n[6] - n[2]) * 0.25;
    return fastPolarOrthogonal(Mat3::fromRows(h1, h2, h3));
}

Vec<24> CorotationalHexahedra::displacement(Index e, const Nodes& nodes, const Mat3& frame) const
{
    Vec<24> u;
    for (std::size_t i = 1; i < 8; ++i) {
        const Vec3 d = frame * nodes[i] - m_rest[e][i];
        for (std::size_t c = 0; c < 3; ++c) u[3 * i + c] = d[c];
    }
    return u;
}

namespace {

/// K u for symmetric K, as a sum of its rows: runs of 24 scalars that the compiler turns into vector instructions.
Vec<24> symmetricTimes(const Mat<24>& k, const Vec<24>& u)
{
    Vec<24> r;
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) r[j] += k[i][j] * u[i];
    return r;
}

Vec3 part(const Vec<24>& v, std::size_t i) { return {v[3 * i], v[3 * i + 1], v[3 * i + 2]}; }

}  // namespace

void CorotationalHexahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    m_graph.accumulate(f, [&](Index e, Vec3* out) {
        const Nodes nodes = nodesOf(e, x);
        const Mat3 frame = frameOf(nodes);
        m_frame[e] = frame;
        if (m_updateStiffness) {
            Nodes deformed;
            for (std::size_t i = 0; i < 8; ++i) deformed[i] = frame * nodes[i];
            Stiffness& k = m_stiffness[m_stiffnessOf[e]];
            k = integrate(deformed, m_material[e].lame);
            k *= m_material[e].factor;
        }
        const Vec<24> r = symmetricTimes(stiffness(e), displacement(e, nodes, frame));
        for (std::size_t i = 0; i < 8; ++i) out[i] = -transposeTimes(frame, part(r, i));
    });
}

void CorotationalHexahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const Nodes d = nodesOf(e, dx);
        const Mat3& frame = m_frame[e];
        Vec<24> u;
        for (std::size_t i = 1; i < 8; ++i) {
            const Vec3 local = frame * d[i];
            for (std::size_t c = 0; c < 3; ++c) u[3 * i + c] = local[c];
        }
        const Vec<24> r = symmetricTimes(stiffness(e), u);
        for (std::size_t i = 0; i < 8; ++i) out[i] = transposeTimes(frame, part(r, i)) * -factor;
    });
}

void CorotationalHexahedra::addStiffness(BlockSink& sink) const
{
    m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
        // Eᵀ K_ij E
        const Mat3& frame = m_frame[e];
        const Stiffness& k = stiffness(e);
        Mat3 r;
        for (std::size_t a = 0; a < 3; ++a) {
            const double* row = &k[3 * i + a][3 * j];
            const Vec3 turned = frame[0] * row[0] + frame[1] * row[1] + frame[2] * row[2];
            for (std::size_t b = 0; b < 3; ++b) r[b] += turned * frame[a][b];
        }
        return r;
    });
}

double CorotationalHexahedra::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) {
        const Nodes nodes = nodesOf(e, x);
        const Vec<24> u = displacement(e, nodes, frameOf(nodes));
        return 0.5 * dot(u, symmetricTimes(stiffness(e), u));
    });
}

}  // namespace sofa::core
