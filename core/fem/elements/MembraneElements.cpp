// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/MembraneElements.h"

#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

constexpr std::size_t membraneLanes = 8;
constexpr std::size_t membraneGrain = 64;

/// Columns are orthonormal vectors that span the columns of J. In space the first one is the projection of the x axis,
/// or of the y axis where that is too short, so that it does not depend on the order of the vertices.
template <std::size_t D, std::size_t M>
Mat<D, M> tangentFrame(const Mat<D, M>& j)
{
    Mat<D, M> frame;
    const auto set = [&](std::size_t column, const Vec<D>& v) {
        for (std::size_t i = 0; i < D; ++i) frame[i][column] = v[i];
    };
    if constexpr (M == D) {
        return Mat<D, M>::identity();
    } else if constexpr (M == 1) {
        set(0, normalized(j.column(0)));
    } else {
        const Vec3 normal = normalized(cross(j.column(0), j.column(1)));
        Vec3 first{1., 0., 0.};
        if (std::abs(normal[0]) > 0.9) first = Vec3{0., 1., 0.};
        first = normalized(first - normal * dot(first, normal));
        set(0, first);
        set(1, cross(normal, first));
    }
    return frame;
}

template <class Shape>
[[noreturn]] void throwInvalid(Index e, const char* what)
{
    throw std::runtime_error(std::string(elementTypeName(Shape::type)) + ' ' + std::to_string(e) + ' ' + what);
}

template <class Shape>
MembraneQuadrature<Shape> membraneRule(int n)
{
    MembraneQuadrature<Shape> q;
    if constexpr (Shape::type == ElementType::Quads) {
        constexpr double at[2][3] = {{-0.57735026918962576, 0.57735026918962576, 0.},
                                     {-0.77459666924148338, 0., 0.77459666924148338}};
        constexpr double weights[2][3] = {{1., 1., 0.}, {5. / 9., 8. / 9., 5. / 9.}};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                q.points.push_back(
                    {weights[n - 2][i] * weights[n - 2][j], Shape::gradients({at[n - 2][i], at[n - 2][j]})});
    } else if constexpr (isBezierShape<Shape>) {
        for (const auto& [at, weight] : Shape::quadrature) q.points.push_back({weight, Shape::gradients(at)});
    } else {
        q.points.push_back({Shape::quadrature[0].weight, Shape::gradients(Shape::quadrature[0].at)});
    }
    return q;
}

}  // namespace

template <class Shape>
const MembraneQuadrature<Shape>& membraneQuadrature(int n)
{
    static const MembraneQuadrature<Shape> rules[2] = {membraneRule<Shape>(2), membraneRule<Shape>(3)};
    return rules[n < 3 ? 0 : 1];
}
template const MembraneQuadrature<EdgeShape>& membraneQuadrature(int);
template const MembraneQuadrature<TriangleShape>& membraneQuadrature(int);
template const MembraneQuadrature<QuadShape>& membraneQuadrature(int);
template const MembraneQuadrature<BezierTriangleShape>& membraneQuadrature(int);

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::build(const Vector<Element>& elements, const Vector<VecD>& rest,
                                       const MembraneQuadrature<Shape>& quadrature)
{
    // Checked in the order of the mesh, so that messages name its elements. The vertices of an element then stand in
    // increasing order, as the sums of stiffness blocks want them.
    m_graph.build(elements, static_cast<Index>(rest.size()));
    Vector<Element> sorted = elements;
    for (Element& e : sorted) e = sortedVertices(e);
    m_graph.build(sorted, static_cast<Index>(rest.size()));
    m_points = quadrature.points.size();
    m_vertices.clear();
    m_gradients.clear();
    m_frames.clear();
    m_measures.clear();
    resize();
    for (std::size_t place = 0; place < m_packCount * membraneLanes; ++place) {
        const auto e = static_cast<Index>(std::min<std::size_t>(place, elements.size() - 1));
        prepareLane(place, e, elements[e], rest, quadrature);
    }
    m_volumes = m_measures;
    m_x = rest;
    setMaterial(m_how.material, m_how.freeThickness ? Thickness::Free : Thickness::Kept);
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::resize()
{
    m_packCount = (size() + membraneLanes - 1) / membraneLanes;
    const std::size_t lanes = m_packCount * membraneLanes;
    m_vertices.resize(nodes * lanes);
    m_gradients.resize(m_points * dimension * (nodes - 1) * lanes);
    m_frames.resize(m_points * frameScalars * lanes);
    m_measures.resize(m_points * lanes);
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::prepareLane(std::size_t place, Index e, const Element& element,
                                             const Vector<VecD>& rest, const MembraneQuadrature<Shape>& quadrature)
{
    constexpr double flat = 1e-12;  // part of the product of the extents of an element below which it has no measure
    const std::size_t p = place / membraneLanes, lane = place % membraneLanes;
    const Element sorted = sortedVertices(element);
    std::array<VecD, nodes> x;
    const std::array<std::size_t, nodes> local = placesOf(sorted, element);
    for (std::size_t k = 0; k < nodes; ++k) {
        m_vertices[(p * nodes + k) * membraneLanes + lane] = sorted[k];
        x[k] = rest[element[k]];
    }
    VecD side;  // the normal of the first point; in the plane, its sign
    for (std::size_t q = 0; q < m_points; ++q) {
        const auto& [weight, gradients] = quadrature.points[q];
        const Mat<D, dimension> j = elementJacobian(x, gradients);
        const double measure = elementMeasure(j);
        double extent = 1.;
        for (std::size_t c = 0; c < dimension; ++c) extent *= norm(j.column(c));
        if (!(std::abs(measure) > flat * extent) || !std::isfinite(measure))
            throwInvalid<Shape>(e,
                                dimension == 1 ? "has no length in the rest shape" : "has no area in the rest shape");
        if constexpr (dimension == 2) {
            VecD normal;
            if constexpr (D == 3)
                normal = cross(j.column(0), j.column(1));
            else
                normal[0] = measure;
            if (dot(side, normal) < 0.)
                throwInvalid<Shape>(e, "is folded in the rest shape: are its vertices in the right order?");
            side = normal;
        }
        const Mat<D, dimension> frame = tangentFrame(j);
        Mat<dimension> transform;
        if constexpr (dimension == 1)
            transform[0][0] = 1. / dot(frame.column(0), j.column(0));
        else
            transform = inverse(frame.transposed() * j).transposed();
        const std::size_t point = p * m_points + q;
        for (std::size_t k = 1; k < nodes; ++k) {
            const Vec<dimension> g = transform * gradients[local[k]];
            for (std::size_t c = 0; c < dimension; ++c)
                m_gradients[(point * dimension * (nodes - 1) + dimension * (k - 1) + c) * membraneLanes + lane] = g[c];
        }
        if constexpr (frameScalars > 0)
            for (std::size_t c = 0; c < dimension; ++c)
                for (std::size_t i = 0; i < D; ++i)
                    m_frames[(point * frameScalars + D * c + i) * membraneLanes + lane] = frame[i][c];
        // Unused lanes repeat the last element, without volume.
        m_measures[point * membraneLanes + lane] = place < size() ? std::abs(measure) * weight : 0.;
    }
}

template <class Shape, std::size_t D>
bool MembraneElements<Shape, D>::follow(const Vector<Element>& elements, const Vector<VecD>& rest,
                                        const MembraneQuadrature<Shape>& quadrature, const ElementSource& source,
                                        const ElementSource& points, Vector<Index>& touched)
{
    if (elements.empty() || source.before != size() || quadrature.points.size() != m_points ||
        2 * touched.size() > elements.size())
        return false;
    Element vertices;
    m_graph.follow([&](Index e) -> const Element& { return vertices = sortedVertices(elements[e]); },
                   static_cast<Index>(rest.size()), source, points, touched);
    resize();
    m_volumes.resize(m_measures.size());
    m_parameters.resize(m_packCount * parameterCount() * membraneLanes);
    if (size() % membraneLanes != 0) touched.push_back(size() - 1);  // that of the unused lanes
    for (const Index e : touched) prepareLane(e, e, elements[e], rest, quadrature);
    for (std::size_t place = size(); place < m_packCount * membraneLanes; ++place) {
        prepareLane(place, size() - 1, elements.back(), rest, quadrature);
        for (std::size_t q = 0; q < m_points; ++q)
            m_volumes[(place / membraneLanes * m_points + q) * membraneLanes + place % membraneLanes] = 0.;
    }
    (void)points.update(m_x, 1, [&rest](const Vector<VecD>&, Index v, Index) { return rest[v]; });
    m_blocksReady = false;
    return true;
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::setMaterial(const MaterialEvaluation& material, Thickness thickness)
{
    const std::size_t count =
        (material.law == MaterialLaw::User ? material.userParameters : core::parameterCount(material.law)) +
        (material.compressionResistance ? 1 : 0);
    m_how = {material, static_cast<int>(count), thickness == Thickness::Free};
    m_parameters.assign(m_packCount * count * membraneLanes, 0.);
    m_blocksReady = false;
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::setParameters(Index e, std::span<const double> values)
{
    const std::size_t count = parameterCount();
    if (e >= size() || values.size() != count)
        throw std::runtime_error("MembraneElements: " + std::to_string(values.size()) + " parameters for element " +
                                 std::to_string(e) + ", expected " + std::to_string(count));
    // The last element is also that of the unused lanes.
    const std::size_t last = e + std::size_t{1} == size() ? m_packCount * membraneLanes : e + std::size_t{1};
    for (std::size_t to = e; to < last; ++to)
        for (std::size_t k = 0; k < count; ++k)
            m_parameters[((to / membraneLanes) * count + k) * membraneLanes + to % membraneLanes] = values[k];
    m_blocksReady = false;
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::setSection(Index e, double section)
{
    for (std::size_t q = 0; q < m_points; ++q) {
        const std::size_t at = (e / membraneLanes * m_points + q) * membraneLanes + e % membraneLanes;
        m_volumes[at] = m_measures[at] * section;
    }
    m_blocksReady = false;
}

template <class Shape, std::size_t D>
double MembraneElements<Shape, D>::restVolume(Index e) const
{
    double sum = 0.;
    for (std::size_t q = 0; q < m_points; ++q)
        sum += m_volumes[(e / membraneLanes * m_points + q) * membraneLanes + e % membraneLanes];
    return sum;
}

template <class Shape, std::size_t D>
MembraneKernels::Function MembraneElements<Shape, D>::kernel() const
{
    const MembraneKernels& k = membraneKernels();
    if constexpr (Shape::type == ElementType::Edges)
        return k.edges[D - 2];
    else if constexpr (isBezierShape<Shape>)
        return k.curvedTriangles;
    else if constexpr (Shape::type == ElementType::Triangles)
        return k.triangles[D - 2];
    else
        return k.quads[D - 2];
}

template <class Shape, std::size_t D>
MembranePackView MembraneElements<Shape, D>::pack(std::size_t p) const
{
    return {static_cast<int>(m_points), &m_vertices[p * nodes * membraneLanes],
            &m_gradients[p * m_points * dimension * (nodes - 1) * membraneLanes],
            m_frames.data() + p * m_points * frameScalars * membraneLanes, &m_volumes[p * m_points * membraneLanes]};
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::addForce(Vector<VecD>& f, const Vector<VecD>& x)
{
    const MembraneKernels::Function evaluate = kernel();
    m_x = x;
    m_blocksReady = false;
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        evaluate(m_how, pack(p), parametersOf(p), x[0].data(), out, nullptr, nullptr);
    });
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::keepBlocks() const
{
    if (m_blocksReady) return;
    const MembraneKernels::Function evaluate = kernel();
    m_blocks.resize(m_packCount * pairs * D * D * membraneLanes);
    parallelFor(0, m_packCount, membraneGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            evaluate(m_how, pack(p), parametersOf(p), m_x[0].data(), nullptr,
                     &m_blocks[p * pairs * D * D * membraneLanes], nullptr);
    });
    m_blocksReady = true;
}

template <class Shape, std::size_t D>
Mat<D> MembraneElements<Shape, D>::keptBlock(Index e, std::size_t pair) const
{
    const double* lane = &m_blocks[(e / membraneLanes * pairs + pair) * D * D * membraneLanes + e % membraneLanes];
    Mat<D> b;
    for (std::size_t r = 0; r < D; ++r)
        for (std::size_t c = 0; c < D; ++c) b[r][c] = lane[membraneLanes * (D * r + c)];
    return b;
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::addStiffnessProduct(Vector<VecD>& df, const Vector<VecD>& dx, double factor) const
{
    keepBlocks();
    m_graph.accumulate(df, [&](Index e, VecD* out) {
        const Element& v = m_graph.elements()[e];
        for (std::size_t i = 0; i < nodes; ++i) out[i] = VecD();
        std::size_t p = 0;
        for (std::size_t i = 0; i < nodes; ++i)
            for (std::size_t j = i + 1; j < nodes; ++j, ++p) {
                // Rows of blocks sum to zero.
                const Mat<D> b = keptBlock(e, p);
                const VecD d = (dx[v[j]] - dx[v[i]]) * factor;
                out[i] += b * d;
                out[j] -= transposeTimes(b, d);
            }
    });
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::addStiffness(BlockSink& sink) const
{
    if constexpr (D == 3) {
        const MembraneKernels::Function evaluate = kernel();
        m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) {
            evaluate(m_how, pack(p), parametersOf(p), m_x[0].data(), nullptr, values, nullptr);
        });
    } else {
        // The graph asks for pairs in the order of the vertices of the mesh, which is that of an element.
        keepBlocks();
        m_graph.addStiffness(sink, [&](Index e, std::size_t i, std::size_t j) {
            return keptBlock(e, i * (2 * nodes - i - 1) / 2 + j - i - 1) * -1.;
        });
    }
}

template <class Shape, std::size_t D>
double MembraneElements<Shape, D>::energy(const Vector<VecD>& x) const
{
    const MembraneKernels::Function evaluate = kernel();
    return parallelSum(0, m_packCount, membraneGrain, 0., [&](std::size_t first, std::size_t last) {
        double sum = 0.;
        for (std::size_t p = first; p < last; ++p) {
            alignas(64) double energies[membraneLanes];
            evaluate(m_how, pack(p), parametersOf(p), x[0].data(), nullptr, nullptr, energies);
            const std::size_t count = std::min(membraneLanes, size() - p * membraneLanes);
            for (std::size_t l = 0; l < count; ++l) sum += energies[l];
        }
        return sum;
    });
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::energies(const Vector<VecD>& x, Vector<double>& out) const
{
    out.resize(m_packCount * membraneLanes);
    const MembraneKernels::Function evaluate = kernel();
    for (std::size_t p = 0; p < m_packCount; ++p) {
        alignas(64) double energies[membraneLanes];
        evaluate(m_how, pack(p), parametersOf(p), x[0].data(), nullptr, nullptr, energies);
        std::copy_n(energies, membraneLanes, &out[p * membraneLanes]);
    }
    out.resize(size());
}

template <class Shape, std::size_t D>
void MembraneElements<Shape, D>::stresses(const Vector<VecD>& x, Vector<Mat3>& out) const
{
    out.assign(size(), Mat3());
    const MembraneKernels::Function evaluate = kernel();
    for (std::size_t p = 0; p < m_packCount; ++p) {
        alignas(64) double forces[membraneLanes * nodes * D];
        evaluate(m_how, pack(p), parametersOf(p), x[0].data(), forces, nullptr, nullptr);
        for (std::size_t lane = 0; lane < membraneLanes && p * membraneLanes + lane < size(); ++lane) {
            const std::size_t e = p * membraneLanes + lane;
            const Element& vertices = m_graph.elements()[e];
            Mat3 sum;
            for (std::size_t k = 1; k < nodes; ++k) {
                const VecD d = x[vertices[k]] - x[vertices[0]];
                const double* f = &forces[D * (lane * nodes + k)];
                for (std::size_t i = 0; i < D; ++i)
                    for (std::size_t j = 0; j < D; ++j) sum[i][j] -= 0.5 * (f[i] * d[j] + f[j] * d[i]);
            }
            double volume = 0.;
            for (std::size_t q = 0; q < m_points; ++q) {
                const double* gradients =
                    &m_gradients[(p * m_points + q) * dimension * (nodes - 1) * membraneLanes + lane];
                Mat<D, dimension> f;  // on the tangent frame of the rest shape
                for (std::size_t k = 1; k < nodes; ++k)
                    for (std::size_t c = 0; c < dimension; ++c)
                        for (std::size_t i = 0; i < D; ++i)
                            f[i][c] += (x[vertices[k]][i] - x[vertices[0]][i]) *
                                       gradients[(dimension * (k - 1) + c) * membraneLanes];
                volume += m_volumes[(p * m_points + q) * membraneLanes + lane] * std::abs(elementMeasure(f));
            }
            out[e] = sum * (1. / volume);
        }
    }
}

#define SOFA_INSTANTIATE(S, D) template class MembraneElements<S, D>;
SOFA_THIN_ELEMENTS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
