// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalElements.h"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/fem/elements/FastPolar.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/fem/materials/StiffnessKey.h"

namespace sofa::core {

namespace {

template <std::size_t N>
using ShapeOf = std::conditional_t<N == 4, TetrahedronShape, HexahedronShape>;

/// Edges of an axis-aligned box with these nodes relative to the first one; nothing for other shapes.
std::optional<Vec3> boxEdges(const std::array<Vec3, 8>& n)
{
    const Vec3 edges = n[6] - n[0];
    const double tolerance = 1e-12 * norm(edges);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const double expected = HexahedronShape::corners[i][c] > 0. ? edges[c] : 0.;
            if (!(std::abs(n[i][c] - n[0][c] - expected) <= tolerance) || !(edges[c] > 0.)) return std::nullopt;
        }
    return edges;
}

/// ∫ ∂_j N_a ∂_l N_b over a box: products of the integrals of linear functions along each edge, h/3 or h/6 for two
/// functions, ±1/h for two derivatives, ±1/2 for one of each.
Mat3 boxProducts(const Vec3& h, std::size_t a, std::size_t b)
{
    const Vec3 &p = HexahedronShape::corners[a], &q = HexahedronShape::corners[b];
    Vec3 values, derivatives;
    for (std::size_t c = 0; c < 3; ++c) {
        values[c] = h[c] / (p[c] == q[c] ? 3. : 6.);
        derivatives[c] = p[c] * q[c] / h[c];
    }
    Mat3 g;
    for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t l = (j + 1) % 3, m = (j + 2) % 3;
        g[j][j] = derivatives[j] * values[l] * values[m];
        g[j][l] = 0.25 * p[j] * q[l] * values[m];
        g[l][j] = 0.25 * p[l] * q[j] * values[m];
    }
    return g;
}

/// K u for symmetric K, as a sum of its rows: runs of scalars that the compiler turns into vector instructions.
template <std::size_t M>
Vec<M> symmetricTimes(const Mat<M>& k, const Vec<M>& u)
{
    Vec<M> r;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < M; ++j) r[j] += k[i][j] * u[i];
    return r;
}

template <std::size_t M>
Vec3 part(const Vec<M>& v, std::size_t i)
{
    return {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
}

template <std::size_t N>
[[noreturn]] void throwInvalid(Index e, const std::array<Index, N>& vertices, const char* what)
{
    std::string text = std::string(elementTypeName(ShapeOf<N>::type)) + ' ' + std::to_string(e) + " (vertices";
    for (const Index v : vertices) text += ' ' + std::to_string(v);
    throw std::runtime_error(text + ") " + what);
}

}  // namespace

template <std::size_t N>
auto CorotationalElements<N>::integrate(const Nodes& nodes, const ElasticityMatrix& c, bool closedForm) -> Stiffness
{
    using Shape = ShapeOf<N>;
    std::array<std::array<Mat3, N>, N> products{};
    std::optional<Vec3> box;
    if constexpr (N == 8) {
        if (closedForm) box = boxEdges(nodes);
        if (box)
            for (std::size_t a = 0; a < N; ++a)
                for (std::size_t b = a; b < N; ++b) products[a][b] = boxProducts(*box, a, b);
    }
    if (!box)
        for (const auto& [at, weight] : Shape::quadrature) {
            const auto reference = Shape::gradients(at);
            const Mat3 jacobian = elementJacobian(nodes, reference);
            const double w = weight * std::abs(determinant(jacobian));
            const auto g = spatialGradients(jacobian, reference);
            for (std::size_t a = 0; a < N; ++a)
                for (std::size_t b = a; b < N; ++b) products[a][b] += outer(g[a] * w, g[b]);
        }
    Stiffness k;
    for (std::size_t a = 0; a < N; ++a)
        for (std::size_t b = a; b < N; ++b) {
            const Mat3 block = elasticStiffnessBlock(c, products[a][b]);
            k.setBlock(3 * a, 3 * b, block);
            k.setBlock(3 * b, 3 * a, block.transposed());
        }
    return k;
}

template <std::size_t N>
auto CorotationalElements<N>::integrateAveraged(const Nodes& nodes, const ElasticityMatrix& c) -> Stiffness
{
    using Shape = ShapeOf<N>;
    std::array<std::array<Vec3, N>, Shape::quadrature.size()> gradients;
    std::array<double, Shape::quadrature.size()> weights;
    std::array<Vec3, N> mean{};
    double volume = 0.;
    for (std::size_t q = 0; q < weights.size(); ++q) {
        const auto reference = Shape::gradients(Shape::quadrature[q].at);
        const Mat3 jacobian = elementJacobian(nodes, reference);
        weights[q] = Shape::quadrature[q].weight * std::abs(determinant(jacobian));
        gradients[q] = spatialGradients(jacobian, reference);
        for (std::size_t a = 0; a < N; ++a) mean[a] += gradients[q][a] * weights[q];
        volume += weights[q];
    }
    Stiffness k;
    for (std::size_t q = 0; q < weights.size(); ++q) {
        std::array<std::array<Vec6, 3>, N> strain, stress;  // of a unit displacement of each node along each axis
        for (std::size_t a = 0; a < N; ++a)
            for (std::size_t i = 0; i < 3; ++i) {
                const Vec3& g = gradients[q][a];
                const double trace = (mean[a][i] / volume - g[i]) / 3.;
                Vec6& e = strain[a][i];
                e = {trace, trace, trace, 0., 0., 0.};
                e[i] += g[i];
                e[3 + i] += g[(i + 1) % 3];            // 12, 23, 31
                e[3 + (i + 2) % 3] += g[(i + 2) % 3];  // 31, 12, 23
                stress[a][i] = c * e * weights[q];
            }
        for (std::size_t row = 0; row < 3 * N; ++row)
            for (std::size_t column = row; column < 3 * N; ++column)
                k[row][column] += dot(strain[row / 3][row % 3], stress[column / 3][column % 3]);
    }
    for (std::size_t row = 0; row < 3 * N; ++row)
        for (std::size_t column = 0; column < row; ++column) k[row][column] = k[column][row];
    return k;
}

template <std::size_t N>
void CorotationalElements<N>::build(const Vector<Element>& elements, const Vector<Vec3>& rest, Corotation warp,
                                    Dilatation dilatation)
{
    m_dilatation = dilatation;
    using Shape = ShapeOf<N>;
    m_graph.build(elements, static_cast<Index>(rest.size()));
    m_warp = warp;
    const std::size_t n = elements.size();
    m_rest.resize(n);
    m_volume.assign(n, 0.);
    m_gradient.resize(warp == Corotation::None ? 0 : n);
    m_rotation.assign(n, Mat3::identity());
    m_x = rest;
    m_stiffness.assign(1, {});
    m_stiffnessOf.assign(n, 0);
    constexpr auto corners = rotationNodes();
    for (Index e = 0; e < n; ++e) {
        m_rest[e] = nodesOf(e, rest);
        double sign = 0.;
        for (const auto& point : Shape::quadrature) {
            const Mat3 j = elementJacobian(m_rest[e], Shape::gradients(point.at));
            const double d = determinant(j), extent = norm(j.column(0)) * norm(j.column(1)) * norm(j.column(2));
            if (!(std::abs(d) > 1e-12 * extent)) throwInvalid(e, elements[e], "has no volume at rest");
            if (sign * d < 0.)
                throwInvalid(e, elements[e],
                             "is folded at rest: its volume is positive and negative. Are its "
                             "vertices in the right order?");
            sign = d;
            m_volume[e] += point.weight * std::abs(d);
        }
        if (warp == Corotation::None) continue;
        const Vec3& origin = m_rest[e][corners[0]];
        const Mat3 edges = Mat3::fromColumns(m_rest[e][corners[1]] - origin, m_rest[e][corners[2]] - origin,
                                             m_rest[e][corners[3]] - origin);
        if (!(std::abs(determinant(edges)) >
              1e-12 * norm(edges.column(0)) * norm(edges.column(1)) * norm(edges.column(2))))
            throwInvalid(e, elements[e],
                         "is so skew that its corners 3, 4, 1, 6, from which its rotation comes, "
                         "have no volume at rest");
        const Mat3 rows = inverse(edges);
        for (std::size_t c = 0; c < 3; ++c) m_gradient[e][c + 1] = rows[c];
        m_gradient[e][0] = -(rows[0] + rows[1] + rows[2]);
    }
}

template <std::size_t N>
void CorotationalElements<N>::setMaterial(const std::function<ElasticityMatrix(Index)>& elasticityOf)
{
    using Key = std::pair<StiffnessKey<N, 3>, std::array<Vec<6>, 6>>;
    std::map<Key, Index> known;
    m_stiffness.clear();
    const bool averaged = m_dilatation == Dilatation::Averaged;
    for (Index e = 0; e < size(); ++e) {
        const ElasticityMatrix c = elasticityOf(e);
        Key key{stiffnessKey<N, 3>(&m_rest[e][1], {}), {}};
        for (std::size_t i = 0; i < 6; ++i) key.second[i] = c[i];
        const auto [at, isNew] = known.emplace(key, static_cast<Index>(known.size()));
        m_stiffnessOf[e] = at->second;
        if (isNew) m_stiffness.push_back(averaged ? integrateAveraged(m_rest[e], c) : integrate(m_rest[e], c));
    }
}

template <std::size_t N>
auto CorotationalElements<N>::nodesOf(Index e, const Vector<Vec3>& x) const -> Nodes
{
    const Element& v = m_graph.elements()[e];
    Nodes n;
    for (std::size_t i = 1; i < N; ++i) n[i] = x[v[i]] - x[v[0]];
    return n;
}

template <std::size_t N>
Mat3 CorotationalElements<N>::deformationGradient(Index e, const Nodes& nodes) const
{
    constexpr auto corners = rotationNodes();
    Mat3 f;
    for (std::size_t c = 0; c < 4; ++c) f += outer(nodes[corners[c]], m_gradient[e][c]);
    return f;
}

template <std::size_t N>
Mat3 CorotationalElements<N>::rotationOf(Index e, const Nodes& nodes) const
{
    return m_warp == Corotation::None ? Mat3::identity() : fastPolarRotation(deformationGradient(e, nodes));
}

template <std::size_t N>
Vec<3 * N> CorotationalElements<N>::localForces(Index e, const Nodes& nodes, const Mat3& r) const
{
    Vec<3 * N> z;
    for (std::size_t i = 1; i < N; ++i) {
        const Vec3 d = transposeTimes(r, nodes[i]) - m_rest[e][i];
        for (std::size_t c = 0; c < 3; ++c) z[3 * i + c] = d[c];
    }
    return symmetricTimes(stiffness(e), z);
}

template <std::size_t N>
void CorotationalElements<N>::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (m_warp == Corotation::Exact) m_x = x;
    m_graph.accumulate(f, [&](Index e, Vec3* out) {
        const Nodes nodes = nodesOf(e, x);
        const Mat3 r = rotationOf(e, nodes);
        m_rotation[e] = r;
        const Vec<3 * N> p = localForces(e, nodes, r);
        for (std::size_t i = 0; i < N; ++i) out[i] = -(r * part(p, i));
    });
}

template <std::size_t N>
FrameTurning<N> CorotationalElements<N>::turningOf(Index e) const
{
    const Nodes nodes = nodesOf(e, m_x);
    const Mat3& r = m_rotation[e];
    const Stiffness& k = stiffness(e);
    const Vec<3 * N> p = localForces(e, nodes, r);
    FrameTurning<N> t{};
    std::array<Mat3, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = crossMatrix(transposeTimes(r, nodes[i]));
    for (std::size_t a = 0; a < N; ++a) {
        t.force[a] = crossMatrix(part(p, a));
        for (std::size_t b = 0; b < N; ++b) t.force[a] -= k.template block<3, 3>(3 * a, 3 * b) * y[b];
        t.force[a] = r * t.force[a] * r.transposed();
    }
    constexpr auto corners = rotationNodes();
    const Mat3 inverted = polarTurning(deformationGradient(e, nodes) * r.transposed());
    for (std::size_t c = 0; c < 4; ++c) t.ofNode[corners[c]] = inverted * crossMatrix(r * m_gradient[e][c]);
    return t;
}

template <std::size_t N>
void CorotationalElements<N>::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const Mat3& r = m_rotation[e];
        const Nodes u = nodesOf(e, dx);
        Vec<3 * N> z;
        for (std::size_t i = 0; i < N; ++i) {
            const Vec3 local = transposeTimes(r, u[i]);
            for (std::size_t c = 0; c < 3; ++c) z[3 * i + c] = local[c];
        }
        const Vec<3 * N> p = symmetricTimes(stiffness(e), z);
        for (std::size_t i = 0; i < N; ++i) out[i] = r * part(p, i) * -factor;
    });
    if (m_warp == Corotation::Exact)
        addTurningProduct(m_graph, df, dx, factor, [this](Index e) { return turningOf(e); });
}

template <std::size_t N>
void CorotationalElements<N>::addStiffness(BlockSink& sink) const
{
    m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
        const Mat3 k = stiffness(e).template block<3, 3>(3 * i, 3 * j);
        if (m_warp == Corotation::None) return k;
        const Mat3& r = m_rotation[e];
        return r * k * r.transposed();
    });
    if (m_warp == Corotation::Exact) addTurningStiffness(m_graph, sink, [this](Index e) { return turningOf(e); });
}

template <std::size_t N>
double CorotationalElements<N>::energyOf(Index e, const Vector<Vec3>& x) const
{
    const Nodes nodes = nodesOf(e, x);
    const Mat3 r = rotationOf(e, nodes);
    const Vec<3 * N> p = localForces(e, nodes, r);
    double sum = 0.;
    for (std::size_t i = 1; i < N; ++i) sum += dot(transposeTimes(r, nodes[i]) - m_rest[e][i], part(p, i));
    return 0.5 * sum;
}

template <std::size_t N>
double CorotationalElements<N>::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

template <std::size_t N>
void CorotationalElements<N>::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return energyOf(e, x); });
}

template <std::size_t N>
void CorotationalElements<N>::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    m_graph.evaluate(out, [&](Index e) {
        const Nodes nodes = nodesOf(e, x);
        const Mat3 r = rotationOf(e, nodes);
        const Vec<3 * N> p = localForces(e, nodes, r);
        Mat3 sum;
        for (std::size_t i = 1; i < N; ++i) sum += outer(part(p, i), m_rest[e][i]);
        return r * (sum + sum.transposed()) * r.transposed() * (0.5 / m_volume[e]);
    });
}

template class CorotationalElements<4>;
template class CorotationalElements<8>;

}  // namespace sofa::core
