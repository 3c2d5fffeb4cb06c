// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BaraffWitkinCloth.h"

#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

/// Places of the edge's vertices among the four of an inner edge: e = x₁ − x₂.
constexpr double along[4] = {0., 1., -1., 0.};
/// Derivatives of the vectors a_i by x_j, and of the b_i.
constexpr double ofA[4][4] = {{0, 1, -1, 0}, {-1, 0, 1, 0}, {1, -1, 0, 0}, {0, 0, 0, 0}};
constexpr double ofB[4][4] = {{0, 0, 0, 0}, {0, 0, -1, 1}, {0, 1, 0, -1}, {0, -1, 1, 0}};

std::string numbers(const char* kind, Index e, std::span<const Index> vertices)
{
    std::string text = std::string(kind) + ' ' + std::to_string(e) + " (vertices";
    for (const Index v : vertices) text += ' ' + std::to_string(v);
    return text + ")";
}

Mat3 blockOf(const auto& m, std::size_t i, std::size_t j) { return m.template block<3, 3>(3 * i, 3 * j); }

}  // namespace

void BaraffWitkinCloth::build(const Vector<Triangle>& triangles, const Vector<Vec3>& rest, const Vector<Vec2>& uv,
                              const Options& options, const std::function<Material(Index)>& materialOf)
{
    m_options = options;
    m_triangles.build(triangles, static_cast<Index>(rest.size()));
    if (!uv.empty() && uv.size() != rest.size())
        throw std::runtime_error("there are " + std::to_string(uv.size()) + " coordinates u v for " +
                                 std::to_string(rest.size()) + " points");
    m_pieces.clear();
    Vector<std::array<Vec2, 3>> coordinates(triangles.size());
    Vector<Material> materials(triangles.size());
    struct Side
    {
        Index triangle, opposite;
        bool complete;
    };
    std::map<Edge, Side> sides;
    Vector<std::array<Index, 4>> edges;
    m_sides.clear();
    for (Index e = 0; e < triangles.size(); ++e) {
        const Triangle& t = triangles[e];
        const Vec3 ab = rest[t[1]] - rest[t[0]], ac = rest[t[2]] - rest[t[0]];
        const double area = 0.5 * norm(cross(ab, ac));
        if (!(area > 1e-12 * norm(ab) * norm(ac)))
            throw std::runtime_error(numbers("triangle", e, t) + " has no area at rest");
        std::array<Vec2, 3>& q = coordinates[e];
        if (uv.empty()) {
            const double length = norm(ab);
            q[1] = {length, 0.};
            q[2] = {dot(ab, ac) / length, 2. * area / length};
        } else {
            for (std::size_t k = 0; k < 3; ++k) q[k] = uv[t[k]];
        }
        const Vec2 b = q[1] - q[0], c = q[2] - q[0];
        const double d = cross(b, c);
        if (!(std::abs(d) > 1e-12 * norm(b) * norm(c)))
            throw std::runtime_error(numbers("triangle", e, t) + " has no area in the coordinates u v");
        materials[e] = materialOf(e);
        m_pieces.push_back({{(b[1] - c[1]) / d, c[1] / d, -b[1] / d},
                            {(c[0] - b[0]) / d, -c[0] / d, b[0] / d},
                            std::pow(area, 0.75),
                            materials[e].tensile,
                            materials[e].shear});
        for (std::size_t k = 0; k < 3; ++k) {
            Edge edge{t[k], t[(k + 1) % 3]};
            if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
            const Index opposite = t[(k + 2) % 3];
            const auto [at, isNew] = sides.try_emplace(edge, Side{e, opposite, false});
            if (isNew) continue;
            if (at->second.complete)
                throw std::runtime_error("the edge between the points " + std::to_string(edge[0]) + " and " +
                                         std::to_string(edge[1]) + " has more than two triangles");
            at->second.complete = true;
            edges.push_back({at->second.opposite, edge[0], edge[1], opposite});
            m_sides.push_back({at->second.triangle, e});
        }
    }
    m_edges.build(edges, static_cast<Index>(rest.size()));
    m_bend.clear();
    m_restAngle.clear();
    for (Index e = 0; e < edges.size(); ++e) {
        double sum = 0.;
        for (const Index t : m_sides[e]) {
            Vec2 d;
            for (std::size_t k = 0; k < 3; ++k) {
                if (triangles[t][k] == edges[e][1]) d += coordinates[t][k];
                if (triangles[t][k] == edges[e][2]) d -= coordinates[t][k];
            }
            sum += (materials[t].bendU * d[0] * d[0] + materials[t].bendV * d[1] * d[1]) / norm2(d);
        }
        m_bend.push_back(0.5 * sum);
        m_restAngle.push_back(options.useRestAngles ? foldOf(e, rest).angle : 0.);
    }
    m_x = rest;
    m_ready = false;
}

// --- Triangles

auto BaraffWitkinCloth::strainOf(Index e, const Vector<Vec3>& x) const -> Strain
{
    const Triangle& t = m_triangles.elements()[e];
    const Piece& p = m_pieces[e];
    const Vec3 b = x[t[1]] - x[t[0]], c = x[t[2]] - x[t[0]];
    Strain s;
    s.wu = b * p.du[1] + c * p.du[2];
    s.wv = b * p.dv[1] + c * p.dv[2];
    s.lengthU = norm(s.wu);
    s.lengthV = norm(s.wv);
    // Where a triangle has collapsed it has no direction and no force along it.
    s.u = s.lengthU > 0. ? s.wu / s.lengthU : Vec3();
    s.v = s.lengthV > 0. ? s.wv / s.lengthV : Vec3();
    s.stretchU = p.alpha * (s.lengthU - m_options.restStretch[0]);
    s.stretchV = p.alpha * (s.lengthV - m_options.restStretch[1]);
    s.shear = p.alpha * dot(s.wu, s.wv);
    return s;
}

Mat<9> BaraffWitkinCloth::triangleStiffness(Index e) const
{
    const Piece& p = m_pieces[e];
    const Strain s = strainOf(e, m_x);
    const Mat3 one = Mat3::identity(), uu = outer(s.u, s.u), vv = outer(s.v, s.v);
    const double a2 = p.alpha * p.alpha;
    // Over ∂w_u/∂x_i ∂w_u/∂x_j, and so on.
    const Mat3 ku = (uu * a2 + (one - uu) * (s.lengthU > 0. ? p.alpha * s.stretchU / s.lengthU : 0.)) * p.tensile +
                    outer(s.wv, s.wv) * (a2 * p.shear);
    const Mat3 kv = (vv * a2 + (one - vv) * (s.lengthV > 0. ? p.alpha * s.stretchV / s.lengthV : 0.)) * p.tensile +
                    outer(s.wu, s.wu) * (a2 * p.shear);
    const Mat3 kuv = (outer(s.wv, s.wu) * a2 + one * (p.alpha * s.shear)) * p.shear;
    Mat<9> k;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            k.setBlock(3 * i, 3 * j,
                       ku * (p.du[i] * p.du[j]) + kv * (p.dv[i] * p.dv[j]) + kuv * (p.du[i] * p.dv[j]) +
                           kuv.transposed() * (p.dv[i] * p.du[j]));
    return k;
}

// --- Inner edges

auto BaraffWitkinCloth::foldOf(Index e, const Vector<Vec3>& x) const -> Fold
{
    const auto& v = m_edges.elements()[e];
    const Vec3 &x0 = x[v[0]], &x1 = x[v[1]], &x2 = x[v[2]], &x3 = x[v[3]];
    Fold f;
    f.a = {x1 - x2, x2 - x0, x0 - x1, Vec3()};
    f.b = {Vec3(), x3 - x2, x1 - x3, x2 - x1};
    f.normalA = cross(x2 - x0, x1 - x0);
    f.normalB = cross(x1 - x3, x2 - x3);
    f.edge = x1 - x2;
    // A fold with a collapsed triangle or edge has no angle.
    const auto inverseOf = [](double length) { return length > 0. ? 1. / length : 0.; };
    f.inverseA = inverseOf(norm(f.normalA));
    f.inverseB = inverseOf(norm(f.normalB));
    f.inverseEdge = inverseOf(norm(f.edge));
    for (std::size_t i = 0; i < 4; ++i) {
        f.a[i] *= f.inverseA;
        f.b[i] *= f.inverseB;
    }
    f.normalA *= f.inverseA;
    f.normalB *= f.inverseB;
    f.edge *= f.inverseEdge;
    f.cosine = dot(f.normalA, f.normalB);
    f.sine = dot(cross(f.normalA, f.normalB), f.edge);
    f.angle = std::atan2(f.sine, f.cosine);
    return f;
}

Mat3 BaraffWitkinCloth::turn(const Fold& f, std::size_t i)
{
    return Mat3::identity() * (dot(f.a[i], f.normalB) - dot(f.b[i], f.normalA)) - outer(f.a[i], f.normalB) +
           outer(f.b[i], f.normalA);
}

void BaraffWitkinCloth::slopes(const Fold& f, std::array<Vec3, 4>& sine, std::array<Vec3, 4>& cosine) const
{
    for (std::size_t i = 0; i < 4; ++i) {
        cosine[i] = cross(f.normalB, f.a[i]) + cross(f.normalA, f.b[i]);
        sine[i] = transposeTimes(turn(f, i), f.edge);
        // N_A × N_B lies along the edge, so that only a change of its length counts, where it is not divided by.
        if (m_options.bending == Bending::ConstantEdges)
            sine[i] += cross(f.normalA, f.normalB) * (along[i] * f.inverseEdge);
    }
}

Mat<12> BaraffWitkinCloth::edgeStiffness(Index e) const
{
    const Fold f = foldOf(e, m_x);
    const double s = f.sine, c = f.cosine, k = m_bend[e], moment = k * (f.angle - m_restAngle[e]);
    std::array<Vec3, 4> ds, dc, slope;
    slopes(f, ds, dc);
    std::array<Mat3, 4> turns;
    for (std::size_t i = 0; i < 4; ++i) {
        slope[i] = ds[i] * c - dc[i] * s;
        turns[i] = turn(f, i);
    }
    const bool exact = m_options.bending == Bending::Exact;
    const Mat3 one = Mat3::identity(), projection = one - outer(f.edge, f.edge);
    // Derivative of the edge's direction by the edge.
    const Mat3 direction = (exact ? projection : one) * f.inverseEdge;
    // With the second derivatives of the normals, which are dx_j × dx_i times ofA, ofB.
    const Mat3 crossA = crossMatrix(f.normalA) * f.inverseB, crossB = crossMatrix(f.normalB) * f.inverseA;
    const Mat3 edgeA = crossMatrix(cross(f.edge, f.normalA)) * f.inverseB,
               edgeB = crossMatrix(cross(f.normalB, f.edge)) * f.inverseA;
    Mat<12> out;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            const Vec3 &ai = f.a[i], &aj = f.a[j], &bi = f.b[i], &bj = f.b[j];
            const Mat3 d2c = crossB * ofA[i][j] + crossA * ofB[i][j] + one * (dot(ai, bj) + dot(bi, aj)) -
                             outer(bj, ai) - outer(aj, bi);
            Mat3 d2s = edgeB * ofA[i][j] + edgeA * ofB[i][j] - crossMatrix(ai) * dot(bj, f.edge) -
                       outer(cross(bj, ai), f.edge) + crossMatrix(bi) * dot(aj, f.edge) + outer(cross(aj, bi), f.edge) +
                       turns[i].transposed() * direction * along[j] + direction * turns[j] * along[i];
            if (exact) d2s -= projection * (along[i] * along[j] * s * f.inverseEdge * f.inverseEdge);
            // Of θ = atan2(S, C) where S² + C² = 1.
            const Mat3 d2 = d2s * c - d2c * s + (outer(ds[i], dc[j]) + outer(dc[i], ds[j])) * (s * s - c * c) +
                            (outer(dc[i], dc[j]) - outer(ds[i], ds[j])) * (2. * s * c);
            out.setBlock(3 * i, 3 * j, outer(slope[i], slope[j]) * k + d2 * moment);
        }
    return out;
}

// --- Sums

void BaraffWitkinCloth::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    m_x = x;
    m_ready = false;
    m_triangles.accumulate(f, [&](Index e, Vec3* out) {
        const Piece& p = m_pieces[e];
        const Strain s = strainOf(e, x);
        const Vec3 alongU = s.u * (p.tensile * s.stretchU) + s.wv * (p.shear * s.shear);
        const Vec3 alongV = s.v * (p.tensile * s.stretchV) + s.wu * (p.shear * s.shear);
        for (std::size_t i = 0; i < 3; ++i) out[i] = (alongU * p.du[i] + alongV * p.dv[i]) * -p.alpha;
    });
    m_edges.accumulate(f, [&](Index e, Vec3* out) {
        const Fold fold = foldOf(e, x);
        std::array<Vec3, 4> ds, dc;
        slopes(fold, ds, dc);
        const double moment = m_bend[e] * (fold.angle - m_restAngle[e]);
        for (std::size_t i = 0; i < 4; ++i) out[i] = (ds[i] * fold.cosine - dc[i] * fold.sine) * -moment;
    });
}

void BaraffWitkinCloth::keepStiffness() const
{
    if (m_ready) return;
    m_triangleStiffness.resize(triangleCount());
    m_edgeStiffness.resize(edgeCount());
    m_triangles.forEach([&](Index e) { m_triangleStiffness[e] = triangleStiffness(e); });
    m_edges.forEach([&](Index e) { m_edgeStiffness[e] = edgeStiffness(e); });
    m_ready = true;
}

void BaraffWitkinCloth::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    keepStiffness();
    const auto products = [&](const auto& graph, const auto& stiffness) {
        graph.accumulate(df, [&](Index e, Vec3* out) {
            const auto& v = graph.elements()[e];
            for (std::size_t i = 0; i < v.size(); ++i) {
                out[i] = {};
                for (std::size_t j = 0; j < v.size(); ++j) out[i] -= blockOf(stiffness[e], i, j) * dx[v[j]] * factor;
            }
        });
    };
    products(m_triangles, m_triangleStiffness);
    products(m_edges, m_edgeStiffness);
}

void BaraffWitkinCloth::addStiffness(BlockSink& sink) const
{
    keepStiffness();
    m_triangles.addStiffness(
        sink, [&](Index e, std::size_t i, std::size_t j) { return blockOf(m_triangleStiffness[e], i, j); });
    if (edgeCount() > 0)
        m_edges.addStiffness(sink,
                             [&](Index e, std::size_t i, std::size_t j) { return blockOf(m_edgeStiffness[e], i, j); });
}

double BaraffWitkinCloth::triangleEnergy(Index e, const Vector<Vec3>& x) const
{
    const Piece& p = m_pieces[e];
    const Strain s = strainOf(e, x);
    return 0.5 * (p.tensile * (s.stretchU * s.stretchU + s.stretchV * s.stretchV) + p.shear * s.shear * s.shear);
}

double BaraffWitkinCloth::edgeEnergy(Index e, const Vector<Vec3>& x) const
{
    const double d = foldOf(e, x).angle - m_restAngle[e];
    return 0.5 * m_bend[e] * d * d;
}

double BaraffWitkinCloth::energy(const Vector<Vec3>& x) const
{
    return m_triangles.sum([&](Index e) { return triangleEnergy(e, x); }) +
           m_edges.sum([&](Index e) { return edgeEnergy(e, x); });
}

void BaraffWitkinCloth::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    out.resize(triangleCount());
    for (Index e = 0; e < triangleCount(); ++e) out[e] = triangleEnergy(e, x);
    for (Index e = 0; e < edgeCount(); ++e)
        for (const Index side : m_sides[e]) out[side] += 0.5 * edgeEnergy(e, x);
}

}  // namespace sofa::core
