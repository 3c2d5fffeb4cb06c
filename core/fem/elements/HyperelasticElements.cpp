// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/HyperelasticElements.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/NodalDilatation.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

namespace {

constexpr std::size_t width = 8;
constexpr std::size_t hyperelasticGrain = 64;
/// Data of elements are fetched this many packs ahead.
constexpr std::size_t packsAhead = 8;

/// What forces and stiffness read and write of a tetrahedron with tangents, about.
constexpr std::size_t bytesPerTetrahedron = 400;

/// Number of block scalars of an element.
template <std::size_t N>
constexpr std::size_t blockScalars = 9 * (N * (N - 1) / 2);

/// A quadratic element may be folded between the points of quadrature.
template <std::size_t N>
void requireNotFolded(Index e, const std::array<Index, N>& element, const Vector<Vec3>& rest)
{
    if constexpr (N == 10) {
        std::array<Vec3, 10> control;
        for (std::size_t k = 0; k < N; ++k) control[k] = rest[element[k]];
        if (const std::string fold = foldOf(control); !fold.empty())
            throw std::runtime_error("element " + std::to_string(e) + " of the rest shape " + fold);
    }
}

std::size_t packCountOf(Index elements) { return (elements + width - 1) / width; }

}  // namespace

template <std::size_t N>
void HyperelasticElements<N>::build(const Vector<Element>& elements, const Vector<Vec3>& rest,
                                    const ElementQuadrature<N>& quadrature, Dilatation dilatation,
                                    const PackOrder* order)
{
    m_dilatation = dilatation;
    // Checked in the order of the mesh, so that messages name its elements.
    m_graph.build(elements, static_cast<Index>(rest.size()));
    // Local vertices in increasing order, elements in that of a sweep.
    ElementReordering sweep = elementReordering(elements.empty() ? nullptr : elements[0].data(), elements.size(), N,
                                                static_cast<Index>(rest.size()), ElementOrder::Kept);
    ElementReordering ranks{std::move(sweep.rank), std::move(sweep.vertices), {}, {}};
    m_order = order ? PackOrder(*order) : PackOrder(std::move(sweep.places), std::move(sweep.elements));
    Vector<Element> placed(elements.size());
    for (std::size_t place = 0; place < placed.size(); ++place)
        placed[place] = sortedVertices(elements[m_order.elementAt(place)]);
    m_graph.build(placed, static_cast<Index>(rest.size()), std::move(ranks));
    m_points = quadrature.points.size();
    m_vertices.clear();
    m_gradients.clear();
    m_volumes.clear();
    resize();
    for (std::size_t place = 0; place < m_packCount * width; ++place) {
        const Index e = m_order.elementAt(std::min<std::size_t>(place, size() - 1));
        prepareLane(place, e, elements[e], rest, quadrature);
    }
    m_x = rest;
    m_blocksReady = false;
    if (averages()) buildPatches();
    setMaterial(m_material);
}

template <std::size_t N>
void HyperelasticElements<N>::resize()
{
    m_packCount = packCountOf(size());
    m_vertices.resize(m_packCount * N * width);
    m_gradients.resize(m_packCount * m_points * 3 * (N - 1) * width);
    m_volumes.resize(m_packCount * m_points * width);
}

template <std::size_t N>
void HyperelasticElements<N>::prepareLane(std::size_t place, Index e, const Element& element, const Vector<Vec3>& rest,
                                          const ElementQuadrature<N>& quadrature)
{
    requireNotFolded(e, element, rest);
    const std::size_t p = place / width, lane = place % width;
    const Element vertices = sortedVertices(element);
    const std::array<std::size_t, N> local = placesOf(vertices, element);
    for (std::size_t k = 0; k < N; ++k) m_vertices[(p * N + k) * width + lane] = vertices[k];
    double sign = 0.;
    for (std::size_t q = 0; q < m_points; ++q) {
        Mat3 jacobian;
        for (std::size_t k = 0; k < N; ++k)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    jacobian[i][j] += rest[element[k]][i] * quadrature.points[q].gradients[k][j];
        const double d = determinant(jacobian);
        if (!(std::abs(d) > 0.) || !std::isfinite(d))
            throw std::runtime_error("element " + std::to_string(e) + " has no volume in the rest shape");
        if (sign * d < 0.)
            throw std::runtime_error("element " + std::to_string(e) +
                                     " is folded in the rest shape: its volume is positive and negative");
        sign = d;
        const Mat3 transform = inverse(jacobian).transposed();
        const std::size_t point = p * m_points + q;
        for (std::size_t k = 1; k < N; ++k) {
            const Vec3 g = transform * quadrature.points[q].gradients[local[k]];
            for (std::size_t c = 0; c < 3; ++c)
                m_gradients[(point * 3 * (N - 1) + 3 * (k - 1) + c) * width + lane] = g[c];
        }
        // Unused lanes repeat the last element, without volume.
        m_volumes[point * width + lane] = place < size() ? std::abs(d) * quadrature.points[q].weight : 0.;
    }
}

template <std::size_t N>
bool HyperelasticElements<N>::follow(const Vector<Element>& elements, const Vector<Vec3>& rest,
                                     const ElementQuadrature<N>& quadrature, const ElementSource& source,
                                     const ElementSource& points, Vector<Index>& touched)
{
    if (elements.empty() || source.before != size() || averages() || quadrature.points.size() != m_points) return false;
    std::optional<Vector<Index>> followed = m_order.follow(source, touched);
    if (!followed) return false;
    Vector<Index>& places = *followed;
    ElementSource byPlace;
    byPlace.before = source.before;
    byPlace.now = source.now;
    Element vertices;
    m_graph.follow(
        [&](Index place) -> const Element& { return vertices = sortedVertices(elements[m_order.elementAt(place)]); },
        static_cast<Index>(rest.size()), byPlace, points, places);
    resize();
    for (std::size_t place = size(); place < m_packCount * width; ++place) places.push_back(static_cast<Index>(place));
    for (const Index place : places) {
        const Index e = m_order.elementAt(std::min(place, size() - 1));
        prepareLane(place, e, elements[e], rest, quadrature);
    }
    m_parameters.resize(m_packCount * m_parameterCount * width);
    if (!m_traces.empty()) {
        m_traces.resize(m_packCount * m_points * width);
        for (const Index place : places)
            for (std::size_t q = 0; q < m_points; ++q)
                m_traces[(place / width * m_points + q) * width + place % width] =
                    std::numeric_limits<double>::quiet_NaN();
    }
    if (!m_tangents.empty()) m_tangents.resize(m_packCount * width);
    if (size() % width != 0) touched.push_back(m_order.elementAt(size() - 1));  // the parameters of unused lanes
    (void)points.update(m_x, 1, [&rest](const Vector<Vec3>&, Index v, Index) { return rest[v]; });
    m_blocksReady = m_tangentsReady = false;
    return true;
}

template <std::size_t N>
void HyperelasticElements<N>::buildPatches()
{
    // The tetrahedra around each node, with a quarter of each; or the points of each element.
    constexpr bool byNode = N == 4;
    DilatationPatches::Points points;
    PatchCoupling coupling;
    points.vertices = N;
    points.perElement = byNode ? 4 : m_points;
    Vector<std::size_t> start{0};
    for (std::size_t e = 0; e < size(); ++e) {
        const auto& v = m_graph.elements()[e];
        points.elements.insert(points.elements.end(), v.begin(), v.end());
        start.push_back(points.elements.size());
        for (std::size_t k = 0; k < points.perElement; ++k) {
            const std::size_t point = (e / width) * m_points + (byNode ? 0 : k);
            Vec3 first;
            points.gradients.emplace_back();
            for (std::size_t i = 1; i < N; ++i) {
                Vec3 g;
                for (std::size_t c = 0; c < 3; ++c)
                    g[c] = m_gradients[(point * 3 * (N - 1) + 3 * (i - 1) + c) * width + e % width];
                points.gradients.push_back(g);
                first -= g;
            }
            points.gradients[points.gradients.size() - N] = first;
            points.weights.push_back(m_volumes[point * width + e % width] * (byNode ? 0.25 : 1.));
            points.patches.push_back(static_cast<std::uint32_t>(byNode ? v[k] : e));
        }
    }
    if constexpr (byNode)
        buildStars(coupling, m_graph);
    else
        coupling.build(std::move(start), points.elements, m_graph.nbPoints());
    m_patches.build(std::move(points), std::move(coupling));
}

template <std::size_t N>
void HyperelasticElements<N>::updatePatches() const
{
    if (!m_parametersChanged) return;
    m_parametersChanged = false;
    m_patches.setMaterial(m_material, m_parameterCount, [&](std::size_t e, std::size_t k) {
        return m_parameters[((e / width) * m_parameterCount + k) * width + e % width];
    });
}

template <std::size_t N>
double HyperelasticElements<N>::restVolume(Index e) const
{
    double sum = 0.;
    for (std::size_t q = 0; q < m_points; ++q)
        sum += m_volumes[(m_order.placeOf(e) / width * m_points + q) * width + m_order.placeOf(e) % width];
    return sum;
}

template <std::size_t N>
void HyperelasticElements<N>::setMaterial(const MaterialEvaluation& material)
{
    m_material = material;
    m_parameterCount = material.law == MaterialLaw::User ? material.userParameters : core::parameterCount(material.law);
    if (material.compressionResistance) ++m_parameterCount;
    m_parameters.assign(m_packCount * m_parameterCount * width, 0.);
    m_parameterStride = m_parameterCount * width;
    m_parametersChanged = true;
    const bool rotates =
        material.law == MaterialLaw::Corotational || material.law == MaterialLaw::CorotationalApproximate;
    m_tangents.clear();
    m_tangentsReady = false;
    m_traces.assign(rotates && !isIsotropic() ? m_packCount * m_points * width : 0,
                    std::numeric_limits<double>::quiet_NaN());
    m_blocksReady = false;
}

template <std::size_t N>
bool HyperelasticElements<N>::isIsotropic() const
{
    return N == 4 && m_points == 1 && m_material.projection == TangentProjection::None &&
           !m_material.compressionResistance &&
           (m_material.law == MaterialLaw::CorotationalApproximate || m_material.law == MaterialLaw::Linear);
}

template <std::size_t N>
void HyperelasticElements<N>::setParameters(Index e, std::span<const double> values)
{
    if (e >= size() || values.size() != m_parameterCount)
        throw std::runtime_error("HyperelasticElements: " + std::to_string(values.size()) + " parameters for element " +
                                 std::to_string(e) + ", expected " + std::to_string(m_parameterCount));
    const auto set = [&](std::size_t to) {
        for (std::size_t k = 0; k < m_parameterCount; ++k)
            m_parameters[((to / width) * m_parameterCount + k) * width + to % width] = values[k];
    };
    const std::size_t place = m_order.placeOf(e);
    bool isShared = m_parameterStride == 0 && m_parameterCount > 0;  // all have those of the first one
    for (std::size_t k = 0; k < m_parameterCount; ++k) isShared = isShared && values[k] == m_parameters[k * width];
    if (!isShared) {
        m_parameterStride = m_parameterCount * width;
        m_parametersChanged = true;
    }
    set(place);
    if (place + 1 == size())
        for (std::size_t lane = size(); lane < m_packCount * width; ++lane) set(lane);
    m_blocksReady = m_tangentsReady = false;
}

template <std::size_t N>
void HyperelasticElements<N>::shareParameters()
{
    m_parametersChanged = false;
    for (std::size_t p = 0; p < m_packCount; ++p)
        for (std::size_t k = 0; k < m_parameterCount * width; ++k)
            if (m_parameters[p * m_parameterCount * width + k] != m_parameters[k / width * width]) return;
    m_parameterStride = 0;
}

template <std::size_t N>
void HyperelasticElements<N>::prefetch(std::size_t p) const
{
    constexpr std::size_t line = 64;
    const auto fetch = [](const auto* from, std::size_t bytes) {
        for (std::size_t k = 0; k < bytes; k += line) __builtin_prefetch(reinterpret_cast<const char*>(from) + k);
    };
    if (p >= m_packCount) return;
    fetch(&m_vertices[p * N * width], N * width * sizeof(std::uint32_t));
    fetch(&m_gradients[p * m_points * 3 * (N - 1) * width], 3 * (N - 1) * width * sizeof(double));
    if (m_parameterStride) fetch(parametersOf(p), m_parameterCount * width * sizeof(double));
    fetch(&m_volumes[p * m_points * width], width * sizeof(double));
    if (!m_traces.empty()) fetch(&m_traces[p * m_points * width], width * sizeof(double));
}

template <std::size_t N>
void HyperelasticElements<N>::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (averages()) {
        updatePatches();
        m_x = x;
        m_patches.addForce(f, x);
        return;
    }
    const MaterialKernels& kernels = materialKernels();
    if (m_parametersChanged) shareParameters();
    m_x = x;
    m_blocksReady = false;
    m_tangentsReady = !m_tangents.empty();
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        prefetch(p + packsAhead);
        kernels.elements(m_material, packWithTangents(p), parametersOf(p), x[0].data(), out, nullptr, nullptr);
    });
}

template <std::size_t N>
ElementPackView HyperelasticElements<N>::packWithTangents(std::size_t p) const
{
    ElementPackView view = pack(p);
    if (m_tangents.empty()) return view;
    view.tangents = &m_tangents[p * width];
    view.streamed = size() * bytesPerTetrahedron > streamedBytes;
    return view;
}

template <std::size_t N>
void HyperelasticElements<N>::prepareTangents() const
{
    if (m_tangentsReady) return;
    m_tangents.resize(m_packCount * width);
    parallelFor(0, m_packCount, hyperelasticGrain, [&](std::size_t first, std::size_t last) {
        alignas(64) double forces[width * N * 3];
        for (std::size_t p = first; p < last; ++p)
            materialKernels().elements(m_material, packWithTangents(p), parametersOf(p), m_x[0].data(), forces, nullptr,
                                       nullptr);
    });
    m_tangentsReady = true;
}

template <std::size_t N>
void HyperelasticElements<N>::computeBlocks(std::size_t p, double* blocks) const
{
    prefetch(p + packsAhead);
    materialKernels().elements(m_material, pack(p), parametersOf(p), m_x[0].data(), nullptr, blocks, nullptr);
}

template <std::size_t N>
void HyperelasticElements<N>::keepBlocks() const
{
    if (m_blocksReady) return;
    m_blocks.resize(m_packCount * width * blockScalars<N>);
    parallelFor(0, m_packCount, hyperelasticGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) computeBlocks(p, &m_blocks[p * width * blockScalars<N>]);
    });
    m_blocksReady = true;
}

template <std::size_t N>
void HyperelasticElements<N>::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    if (averages()) {
        updatePatches();
        m_patches.coupling().addProduct(df, dx, factor);
        const Mat3* const blocks = m_patches.elementStiffness().data();
        m_graph.accumulate(df, [&](Index e, Vec3* out) {
            const auto& v = m_graph.elements()[e];
            for (std::size_t i = 0; i < N; ++i) out[i] = Vec3();
            const Mat3* block = blocks + e * (N * (N - 1) / 2);
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = i + 1; j < N; ++j) {
                    const Mat3& k = *block++;
                    const Vec3 d = (dx[v[i]] - dx[v[j]]) * factor;  // rows of blocks sum to zero
                    out[i] += k * d;
                    out[j] -= transposeTimes(k, d);
                }
        });
        return;
    }
    keepBlocks();
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const auto& v = m_graph.elements()[e];
        const double* lane = &m_blocks[(e / width) * width * blockScalars<N> + e % width];
        for (std::size_t i = 0; i < N; ++i) out[i] = Vec3();
        std::size_t p = 0;
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i + 1; j < N; ++j, ++p) {
                double b[9];
                for (std::size_t k = 0; k < 9; ++k) b[k] = lane[width * (9 * p + k)];
                // Rows of blocks sum to zero.
                const Vec3 d = (dx[v[j]] - dx[v[i]]) * factor;
                for (std::size_t r = 0; r < 3; ++r) {
                    out[i][r] += b[3 * r] * d[0] + b[3 * r + 1] * d[1] + b[3 * r + 2] * d[2];
                    out[j][r] -= b[r] * d[0] + b[3 + r] * d[1] + b[6 + r] * d[2];
                }
            }
    });
}

template <std::size_t N>
void HyperelasticElements<N>::addStiffness(BlockSink& sink) const
{
    if (averages()) {
        updatePatches();
        const Mat3* const blocks = m_patches.elementStiffness().data();
        m_graph.addStiffness(sink, [blocks](Index e, std::size_t i, std::size_t j) {
            const std::size_t low = std::min(i, j), high = std::max(i, j);
            const Mat3& k = blocks[e * (N * (N - 1) / 2) + low * (2 * N - low - 1) / 2 + high - low - 1];
            return i < j ? k : k.transposed();
        });
        m_patches.coupling().addStiffness(sink);
        return;
    }
    if constexpr (N == 4)
        if (isIsotropic()) {
            prepareTangents();
            return m_graph.addIsotropicStiffness(sink, m_tangents);
        }
    m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) { computeBlocks(p, values); });
}

template <std::size_t N>
double HyperelasticElements<N>::energy(const Vector<Vec3>& x) const
{
    if (averages()) {
        updatePatches();
        return m_patches.energy(x);
    }
    const MaterialKernels& kernels = materialKernels();
    return parallelSum(0, m_packCount, hyperelasticGrain, 0., [&](std::size_t first, std::size_t last) {
        double sum = 0.;
        for (std::size_t p = first; p < last; ++p) {
            alignas(64) double energies[width];
            kernels.elements(m_material, pack(p, false), parametersOf(p), x[0].data(), nullptr, nullptr, energies);
            const std::size_t count = std::min(width, size() - p * width);
            for (std::size_t l = 0; l < count; ++l) sum += energies[l];
        }
        return sum;
    });
}

template <std::size_t N>
void HyperelasticElements<N>::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    out.resize(size());
    Vector<double> inPlace(m_packCount * width);
    if (averages()) {
        updatePatches();
        m_patches.energies(x, inPlace);
    } else {
        const MaterialKernels& kernels = materialKernels();
        parallelFor(0, m_packCount, hyperelasticGrain, [&](std::size_t first, std::size_t last) {
            alignas(64) double energies[width];
            for (std::size_t p = first; p < last; ++p) {
                kernels.elements(m_material, pack(p, false), parametersOf(p), x[0].data(), nullptr, nullptr, energies);
                std::copy_n(energies, width, &inPlace[p * width]);
            }
        });
    }
    for (std::size_t e = 0; e < size(); ++e) out[e] = inPlace[m_order.placeOf(e)];
}

template <std::size_t N>
void HyperelasticElements<N>::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    out.resize(size());
    if (averages()) {
        updatePatches();
        Vector<Mat3> inPlace;
        m_patches.stresses(x, inPlace);
        for (std::size_t e = 0; e < size(); ++e) out[e] = inPlace[m_order.placeOf(e)];
        return;
    }
    const MaterialKernels& kernels = materialKernels();
    parallelFor(0, size(), width, [&](std::size_t first, std::size_t last) {
        alignas(64) double forces[width * N * 3];
        std::size_t computed = m_packCount;  // pack whose forces these are
        for (std::size_t e = first; e < last; ++e) {
            const std::size_t place = m_order.placeOf(e), p = place / width, lane = place % width;
            if (p != computed)
                kernels.elements(m_material, pack(p, false), parametersOf(p), x[0].data(), forces, nullptr, nullptr);
            computed = p;
            double volume = 0.;
            for (std::size_t q = 0; q < m_points; ++q)
                volume += m_volumes[(p * m_points + q) * width + lane] * determinant(gradientAt(place, x, q));
            const Vec3& origin = x[m_vertices[p * N * width + lane]];
            Mat3 stress;
            for (std::size_t k = 0; k < N; ++k) {
                const Vec3 d = x[m_vertices[(p * N + k) * width + lane]] - origin;
                const double* f = &forces[3 * (lane * N + k)];
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j) stress[i][j] -= 0.5 * (f[i] * d[j] + f[j] * d[i]) / volume;
            }
            out[e] = stress;
        }
    });
}

template <std::size_t N>
void HyperelasticElements<N>::addSecondDerivative(Vector<Vec3>& d2f, const Vector<Vec3>& u, const Vector<Vec3>& v) const
{
    if (m_material.law != MaterialLaw::StVenantKirchhoff || m_material.smallestStretch > -1e299 ||
        m_material.compressionResistance || averages())
        throw std::runtime_error(
            "second derivatives of forces are those of the St Venant-Kirchhoff law without threshold and with "
            "pointwise dilatation");
    m_graph.accumulate(d2f, [&](Index place, Vec3* out) {
        for (std::size_t k = 0; k < N; ++k) out[k] = Vec3();
        const std::size_t p = place / width, lane = place % width;
        const double lambda = parametersOf(p)[lane], mu = parametersOf(p)[width + lane];
        for (std::size_t q = 0; q < m_points; ++q) {
            // P = F S(E): with A, B the gradients of u and v, D²P[A, B] = A S(Fᵀ B) + B S(Fᵀ A) + F S(Aᵀ B), where S
            // takes the symmetric part.
            const Mat3 f = gradientAt(place, m_x, q), a = gradientAt(place, u, q), b = gradientAt(place, v, q);
            const Mat3 piola = a * isotropicStress(f.transposed() * b, lambda, mu) +
                               b * isotropicStress(f.transposed() * a, lambda, mu) +
                               f * isotropicStress(a.transposed() * b, lambda, mu);
            const double volume = m_volumes[(p * m_points + q) * width + lane];
            const double* gradients = &m_gradients[(p * m_points + q) * 3 * (N - 1) * width + lane];
            for (std::size_t k = 1; k < N; ++k) {
                const Vec3 g{gradients[width * (3 * k - 3)], gradients[width * (3 * k - 2)],
                             gradients[width * (3 * k - 1)]};
                const Vec3 force = piola * g * volume;
                out[k] -= force;
                out[0] += force;
            }
        }
    });
}

template <std::size_t N>
Mat3 HyperelasticElements<N>::gradientAt(std::size_t place, const Vector<Vec3>& x, std::size_t point) const
{
    const std::size_t p = place / width, lane = place % width;
    const std::uint32_t* vertices = &m_vertices[p * N * width + lane];
    const double* gradients = &m_gradients[(p * m_points + point) * 3 * (N - 1) * width + lane];
    Mat3 f;
    for (std::size_t k = 1; k < N; ++k) {
        const Vec3 d = x[vertices[width * k]] - x[vertices[0]];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) f[i][j] += d[i] * gradients[width * (3 * (k - 1) + j)];
    }
    return f;
}

template class HyperelasticElements<4>;
template class HyperelasticElements<5>;
template class HyperelasticElements<6>;
template class HyperelasticElements<8>;
template class HyperelasticElements<10>;

}  // namespace sofa::core
