// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/LinearElements.h"

#include <stdexcept>
#include <string>

#include "core/fem/elements/FastPolar.h"
#include "core/math/Decompositions.h"

namespace sofa::core {

namespace {

/// A rotation that takes the direction of `a` to that of `b`; how it turns about that direction is arbitrary.
Mat2 alignment(const Vec2& a, const Vec2& b)
{
    const Vec2 p = normalized(a), q = normalized(b, p);
    const double c = dot(p, q), s = cross(p, q);
    return Mat2::fromRows(Vec2{c, -s}, Vec2{s, c});
}

Mat3 alignment(const Vec3& a, const Vec3& b)
{
    Vec3 p = normalized(a);
    const Vec3 q = normalized(b, p);
    // The formula of the shortest rotation, R = c I + [v]× + v vᵀ / (1 + c) with v = p × q and c = p·q, loses accuracy
    // near c = −1: half a turn about an axis normal to p, first, brings p to the side of q.
    const bool flip = dot(p, q) < 0.;
    const Vec3 axis = flip ? perpendicular(p) : Vec3{};
    if (flip) p = -p;
    const Vec3 v = cross(p, q);
    const double c = dot(p, q);
    const Mat3 r = Mat3::identity() * c + crossMatrix(v) + outer(v, v) * (1. / (1. + c));
    return flip ? r * (outer(axis, axis) * 2. - Mat3::identity()) : r;
}

Mat2 nearestRotation(const Mat2& h) { return polarRotation(h).r; }
Mat3 nearestRotation(const Mat3& h) { return fastPolarRotation(h); }
Mat2 nearestOrthogonal(const Mat2& h) { return polarOrthogonal(h).r; }
Mat3 nearestOrthogonal(const Mat3& h) { return fastPolarOrthogonal(h); }

template <class Shape>
[[noreturn]] void throwInvalid(Index e, const typename Shape::Element& vertices, const char* what)
{
    std::string text = std::string(elementTypeName(Shape::type)) + ' ' + std::to_string(e) + " (vertices";
    for (const Index v : vertices) text += ' ' + std::to_string(v);
    throw std::runtime_error(text + ") " + what);
}

}  // namespace

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::build(const Vector<Element>& elements, const Vector<VecD>& rest, ElementRotation method,
                                     Dilatation dilatation)
{
    if (dilatation == Dilatation::Averaged && !canAverage)
        throw std::runtime_error(std::string("elements of type ") + elementTypeName(Shape::type) +
                                 " do not fill a volume: there is no averaged dilatation");
    m_dilatation = dilatation;
    if (method == ElementRotation::Frame && !hasFrame)
        throw std::runtime_error(std::string("elements of type ") + elementTypeName(Shape::type) +
                                 " have no frame of edges in this space");
    m_graph.build(elements, static_cast<Index>(rest.size()));
    m_method = method;
    m_rest.clear();
    m_restFrame.clear();
    m_rotation.clear();
    m_gradients.clear();
    m_material.clear();
    m_isInverted.clear();
    m_kinds.clear();
    m_nbInverted = 0;
    resize(elements.size());
    for (Index e = 0; e < size(); ++e) prepareElement(e, rest);
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::resize(std::size_t n)
{
    m_rest.resize(n);
    m_restFrame.resize(n, MatD::identity());
    m_rotation.resize(n, MatD::identity());
    m_gradients.resize(onePoint ? n : 0);
    m_material.resize(onePoint ? n : 0, {});
    for (std::size_t e = n; e < m_isInverted.size(); ++e)
        if (m_isInverted[e] != 0) --m_nbInverted;
    m_isInverted.resize(n, 0);
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::prepareElement(Index e, const Vector<VecD>& rest)
{
    m_rest[e] = offsetsOf(e, rest);
    if (m_method == ElementRotation::Frame) {
        m_restFrame[e] = frameOf(m_rest[e]);
        for (VecD& d : m_rest[e]) d = transposeTimes(m_restFrame[e], d);
    }
    m_rotation[e] = m_restFrame[e];
    measure(e);
}

template <class Shape, std::size_t D>
bool LinearElements<Shape, D>::follow(const Vector<Element>& elements, const Vector<VecD>& rest,
                                      const ElementSource& source, const ElementSource& points, Vector<Index>& touched)
{
    if (elements.empty() || source.before != size() || 2 * touched.size() > elements.size()) return false;
    m_graph.follow([&](Index e) -> const Element& { return elements[e]; }, static_cast<Index>(rest.size()), source,
                   points, touched);
    resize(elements.size());
    for (const Index e : touched) prepareElement(e, rest);
    return true;
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::measure(Index e)
{
    // Shapes whose measure is below this part of the product of their extents are flat.
    constexpr double flat = 1e-12;
    const std::array<VecD, nodes> x = restNodes(e);
    bool positive = false, negative = false;
    for (const auto& [q, weight] : Shape::quadrature) {
        const auto gradients = Shape::gradients(q);
        const auto j = elementJacobian(x, gradients);
        const double m = elementMeasure(j);
        double extent = 1.;
        for (std::size_t k = 0; k < Shape::dimension; ++k) extent *= norm(j.column(k));
        if (!(std::abs(m) > flat * extent))
            throwInvalid<Shape>(e, m_graph.elements()[e],
                                "has no length, area or volume at rest: two of its vertices coincide, or it is flat");
        (m > 0. ? positive : negative) = true;
        if constexpr (onePoint) {
            const auto g = spatialGradients(j, gradients);
            for (std::size_t i = 0; i < others; ++i) m_gradients[e].of[i] = g[i + 1];
            m_gradients[e].measure = weight * std::abs(m);
        }
    }
    if (positive && negative)
        throwInvalid<Shape>(e, m_graph.elements()[e],
                            "is folded at rest: a part of it is inside out. Are its vertices in the right order?");
    if (m_isInverted[e] != 0) --m_nbInverted;
    if (negative) ++m_nbInverted;
    m_isInverted[e] = negative ? 1 : 0;
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::setMaterial(const std::function<LameParameters(Index)>& materialOf)
{
    m_kinds.clear();
    setMaterial(identity(size()), materialOf);
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::setMaterial(const Vector<Index>& elements,
                                           const std::function<LameParameters(Index)>& materialOf)
{
    if constexpr (onePoint) {
        for (const Index e : elements) {
            const LameParameters p = materialOf(e);
            const double v = m_gradients[e].measure;
            m_material[e] = {p.lambda * v, p.mu * v};
        }
    } else {
        using Material = typename StiffnessKinds<nodes, D>::Material;
        const auto change = m_kinds.update(
            elements, size(), [this](Index e) { return m_rest[e]; },
            [&](Index e) { return std::optional(Material{materialOf(e)}); });
        m_stiffness.resize(m_kinds.end());
        for (const auto* kinds : {&change.fresh, &change.renewed})
            for (const std::uint32_t k : *kinds)
                m_stiffness[k] = integrate(m_kinds.kind(k).first, m_kinds.kind(k).material.lame);
    }
}

template <class Shape, std::size_t D>
auto LinearElements<Shape, D>::integrate(Index e, const LameParameters& material) const -> Stiffness
{
    const std::array<VecD, nodes> x = restNodes(e);
    Stiffness k;
    const bool averaged = m_dilatation == Dilatation::Averaged;
    // Five strains at each point and the mean of the sixth must hold every mode of the element; the two points of
    // prisms need all six, and leave only λ to the mean.
    constexpr bool enoughPoints = 5 * Shape::quadrature.size() + 1 + 6 >= scalars;
    LameParameters atPoints = material;
    if (averaged) atPoints.lambda = enoughPoints ? deviatoric(material).lambda : 0.;
    std::array<VecD, nodes> mean{};  // times the volume
    double volume = 0.;
    for (const auto& [q, weight] : Shape::quadrature) {
        const auto reference = Shape::gradients(q);
        const auto j = elementJacobian(x, reference);
        const double w = weight * std::abs(elementMeasure(j));
        const auto g = spatialGradients(j, reference);
        for (std::size_t a = 0; a < nodes; ++a)
            for (std::size_t b = a; b < nodes; ++b) {
                const MatD block = isotropicStiffnessBlock(g[a], g[b], atPoints.lambda * w, atPoints.mu * w);
                for (std::size_t r = 0; r < D; ++r)
                    for (std::size_t c = 0; c < D; ++c) k[D * a + r][D * b + c] += block[r][c];
            }
        for (std::size_t a = 0; averaged && a < nodes; ++a) mean[a] += g[a] * w;
        volume += w;
    }
    for (std::size_t a = 0; averaged && a < nodes; ++a)
        for (std::size_t b = a; b < nodes; ++b) {
            const MatD block = outer(mean[a], mean[b]) * ((material.lambda - atPoints.lambda) / volume);
            for (std::size_t r = 0; r < D; ++r)
                for (std::size_t c = 0; c < D; ++c) k[D * a + r][D * b + c] += block[r][c];
        }
    for (std::size_t r = 0; r < scalars; ++r)
        for (std::size_t c = 0; c < r; ++c) k[r][c] = k[c][r];
    return k;
}

template <class Shape, std::size_t D>
auto LinearElements<Shape, D>::restNodes(Index e) const -> std::array<VecD, nodes>
{
    std::array<VecD, nodes> x;
    for (std::size_t i = 0; i < others; ++i) x[i + 1] = m_rest[e][i];
    return x;
}

template <class Shape, std::size_t D>
auto LinearElements<Shape, D>::offsetsOf(Index e, const Vector<VecD>& x) const -> Offsets
{
    const Element& v = m_graph.elements()[e];
    Offsets d;
    for (std::size_t i = 0; i < others; ++i) d[i] = x[v[i + 1]] - x[v[0]];
    return d;
}

template <class Shape, std::size_t D>
Mat<D> LinearElements<Shape, D>::frameOf(const Offsets& d) const
{
    if constexpr (!hasFrame)
        return MatD::identity();
    else if constexpr (Shape::type == ElementType::Hexahedra)
        // Node i is d[i − 1]; node 0 is the origin. Four times the mean edges.
        return fastEdgeFrame(d[0] + (d[1] - d[2]) + (d[4] - d[3]) + (d[5] - d[6]),
                             d[2] + (d[1] - d[0]) + (d[6] - d[3]) + (d[5] - d[4]));
    else
        return fastEdgeFrame(d[0], d[1]);
}

template <class Shape, std::size_t D>
Mat<D> LinearElements<Shape, D>::rotationOf(Index e, const Offsets& d) const
{
    if (m_method == ElementRotation::Identity) return MatD::identity();
    if constexpr (D == 1) {
        return MatD::identity();
    } else {
        if (m_method == ElementRotation::Frame) return frameOf(d);
        const Offsets& rest = m_rest[e];
        if constexpr (Shape::dimension == 1) {
            return alignment(rest[0], d[0]);
        } else {
            // The rest nodes about their mean sum to zero, so that the deformed ones may be relative to any point.
            VecD mean;
            for (const VecD& r : rest) mean += r;
            mean *= 1. / static_cast<double>(nodes);
            MatD h;
            for (std::size_t i = 0; i < others; ++i) h += outer(d[i], rest[i] - mean);
            return m_method == ElementRotation::Polar ? nearestOrthogonal(h) : nearestRotation(h);
        }
    }
}

template <class Shape, std::size_t D>
auto LinearElements<Shape, D>::displacements(Index e, const Offsets& d, const MatD& r) const -> Offsets
{
    Offsets u;
    for (std::size_t i = 0; i < others; ++i) u[i] = transposeTimes(r, d[i]) - m_rest[e][i];
    return u;
}

namespace {

/// V σ of the displacement gradient Σ u_i ∇N_iᵀ, for Lamé's parameters times V.
template <std::size_t D, std::size_t M>
Mat<D> scaledStress(const std::array<Vec<D>, M>& u, const std::array<Vec<D>, M>& gradients, const LameParameters& p)
{
    Mat<D> g;
    for (std::size_t i = 0; i < M; ++i) g += outer(u[i], gradients[i]);
    return isotropicStress(g, p.lambda, p.mu);
}

/// K u for symmetric K and u with u₀ = 0, as a sum of rows: runs of scalars that the compiler turns into vector
/// instructions.
template <std::size_t D, std::size_t M>
Vec<(M + 1) * D> stiffnessTimes(const Mat<(M + 1) * D>& k, const std::array<Vec<D>, M>& u)
{
    Vec<(M + 1) * D> r;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t c = 0; c < D; ++c) {
            const Vec<(M + 1)* D>& row = k[(i + 1) * D + c];
            const double s = u[i][c];
            for (std::size_t j = 0; j < (M + 1) * D; ++j) r[j] += row[j] * s;
        }
    return r;
}

}  // namespace

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::internalForces(Index e, const Offsets& u, const MatD& r, double factor, VecD* out) const
{
    if constexpr (onePoint) {
        const std::array<VecD, others>& g = m_gradients[e].of;
        const MatD stress = r * scaledStress(u, g, m_material[e]) * factor;
        out[0] = {};
        for (std::size_t i = 0; i < others; ++i) {
            const VecD p = stress * g[i];
            out[0] += p;
            out[i + 1] = -p;
        }
    } else {
        const Vec<scalars> ku = stiffnessTimes(m_stiffness[m_kinds[e]], u);
        for (std::size_t i = 0; i < nodes; ++i) {
            VecD p;
            for (std::size_t c = 0; c < D; ++c) p[c] = ku[i * D + c];
            out[i] = r * p * -factor;
        }
    }
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::addForce(Vector<VecD>& f, const Vector<VecD>& x)
{
    m_graph.accumulate(f, [&](Index e, VecD* out) {
        const Offsets d = offsetsOf(e, x);
        const MatD r = rotationOf(e, d);
        m_rotation[e] = r;
        internalForces(e, displacements(e, d, r), r, 1., out);
    });
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::addStiffnessProduct(Vector<VecD>& df, const Vector<VecD>& dx, double factor) const
{
    m_graph.accumulate(df, [&](Index e, VecD* out) {
        Offsets d = offsetsOf(e, dx);
        for (VecD& v : d) v = transposeTimes(m_rotation[e], v);
        internalForces(e, d, m_rotation[e], factor, out);
    });
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::addStiffness(BlockSink& sink) const
{
    if constexpr (onePoint) {
        m_rotated.resize(size());
        m_graph.forEach([this](Index e) {
            std::array<VecD, nodes>& t = m_rotated[e];
            t[0] = {};
            for (std::size_t i = 0; i < others; ++i) {
                t[i + 1] = m_rotation[e] * m_gradients[e].of[i];
                t[0] -= t[i + 1];
            }
        });
        m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
            return isotropicStiffnessBlock(m_rotated[e][i], m_rotated[e][j], m_material[e].lambda, m_material[e].mu);
        });
    } else {
        m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
            // R K_ij Rᵀ
            const MatD& r = m_rotation[e];
            const Stiffness& k = m_stiffness[m_kinds[e]];
            MatD rotated;
            for (std::size_t a = 0; a < D; ++a)
                for (std::size_t c = 0; c < D; ++c)
                    for (std::size_t b = 0; b < D; ++b) rotated[a][b] += k[D * i + a][D * j + c] * r[b][c];
            return r * rotated;
        });
    }
}

template <class Shape, std::size_t D>
double LinearElements<Shape, D>::energyOf(Index e, const Vector<VecD>& x) const
{
    const Offsets d = offsetsOf(e, x);
    const Offsets u = displacements(e, d, rotationOf(e, d));
    double sum = 0.;
    if constexpr (onePoint) {
        const std::array<VecD, others>& g = m_gradients[e].of;
        const MatD stress = scaledStress(u, g, m_material[e]);
        for (std::size_t i = 0; i < others; ++i) sum += dot(u[i], stress * g[i]);
    } else {
        const Vec<scalars> ku = stiffnessTimes(m_stiffness[m_kinds[e]], u);
        for (std::size_t i = 0; i < others; ++i)
            for (std::size_t c = 0; c < D; ++c) sum += u[i][c] * ku[(i + 1) * D + c];
    }
    return 0.5 * sum;
}

template <class Shape, std::size_t D>
double LinearElements<Shape, D>::energy(const Vector<VecD>& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

template <class Shape, std::size_t D>
void LinearElements<Shape, D>::energies(const Vector<VecD>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return energyOf(e, x); });
}

#define SOFA_INSTANTIATE(S, D) template class LinearElements<S, D>;
SOFA_LINEAR_ELEMENTS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
