// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/HyperelasticTetrahedra.h"

#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

constexpr std::size_t width = 8, blockScalars = 54;
/// Index of the block of local vertices i < j.
constexpr std::size_t pairOf[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}, {0, 0, 0, 0}};
constexpr std::size_t pairVertices[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr std::size_t packGrain = 64;
constexpr std::size_t chunk = 32;  ///< packs whose blocks are computed at once, about 100 kB

std::size_t packCount(Index elements) { return (elements + width - 1) / width; }

}  // namespace

void HyperelasticTetrahedra::build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest)
{
    Vector<ElementGraph<4>::Element> sorted(elements.begin(), elements.end());
    for (auto& e : sorted) std::sort(e.begin(), e.end());
    // Checked in the order of the mesh, so that messages name its elements.
    m_graph.build(sorted, static_cast<Index>(rest.size()));
    Vector<Index> order(elements.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sorted[a][0] < sorted[b][0]; });
    m_place.resize(elements.size());
    for (Index place = 0; place < order.size(); ++place) m_place[order[place]] = place;
    const Vector<ElementGraph<4>::Element> given = sorted;
    for (Index place = 0; place < order.size(); ++place) sorted[place] = given[order[place]];
    m_graph.build(sorted, static_cast<Index>(rest.size()));
    m_packs.assign(packCount(size()), {});
    for (Index e = 0; e < m_packs.size() * width; ++e) {
        // Unused lanes repeat the last element.
        const Index from = std::min<Index>(e, size() - 1);
        const auto& v = sorted[from];
        const Vec3 d[3] = {rest[v[1]] - rest[v[0]], rest[v[2]] - rest[v[0]], rest[v[3]] - rest[v[0]]};
        const double volume6 = dot(d[0], cross(d[1], d[2]));
        if (!(std::abs(volume6) > 0.) || !std::isfinite(volume6))
            throw std::runtime_error("tetrahedron " + std::to_string(order[from]) + " has no volume in the rest shape");
        const Vec3 g[3] = {cross(d[1], d[2]) / volume6, cross(d[2], d[0]) / volume6, cross(d[0], d[1]) / volume6};
        GradientTetrahedronPack& p = m_packs[e / width];
        const std::size_t lane = e % width;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t c = 0; c < 3; ++c) p.gradient[3 * k + c][lane] = g[k][c];
        for (std::size_t k = 0; k < 4; ++k) p.vertex[k][lane] = v[k];
        p.volume[lane] = from == e ? std::abs(volume6) / 6. : 0.;
    }
    m_x = rest;
    m_blocksReady = m_planned = false;
    setMaterial(m_material);
}

void HyperelasticTetrahedra::setMaterial(const MaterialEvaluation& material)
{
    m_material = material;
    m_parameterCount = material.law == MaterialLaw::User ? material.userParameters : core::parameterCount(material.law);
    if (material.compressionResistance) ++m_parameterCount;
    m_parameters.assign(m_packs.size() * m_parameterCount * width, 0.);
    m_blocksReady = false;
}

void HyperelasticTetrahedra::setParameters(Index e, std::span<const double> values)
{
    if (e >= size() || values.size() != m_parameterCount)
        throw std::runtime_error("HyperelasticTetrahedra: " + std::to_string(values.size()) +
                                 " parameters for element " + std::to_string(e) + ", expected " +
                                 std::to_string(m_parameterCount));
    const auto set = [&](std::size_t to) {
        for (std::size_t k = 0; k < m_parameterCount; ++k)
            m_parameters[((to / width) * m_parameterCount + k) * width + to % width] = values[k];
    };
    const std::size_t place = m_place[e];
    set(place);
    if (place + 1 == size())
        for (std::size_t lane = size(); lane < m_packs.size() * width; ++lane) set(lane);
    m_blocksReady = false;
}

void HyperelasticTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    const MaterialKernels& kernels = materialKernels();
    m_x = x;
    m_blocksReady = false;
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        kernels.tetrahedra(m_material, m_packs[p], parametersOf(p), x[0].data(), out, nullptr, nullptr);
    });
}

void HyperelasticTetrahedra::computeBlocks(std::size_t first, std::size_t last, std::size_t ring, double* blocks) const
{
    const MaterialKernels& kernels = materialKernels();
    for (std::size_t p = first; p < last; ++p)
        kernels.tetrahedra(m_material, m_packs[p], parametersOf(p), m_x[0].data(), nullptr,
                           blocks + (p & (ring - 1)) * width * blockScalars, nullptr);
}

void HyperelasticTetrahedra::keepBlocks() const
{
    if (m_blocksReady) return;
    m_blocks.resize(m_packs.size() * width * blockScalars);
    parallelFor(0, m_packs.size(), packGrain, [&](std::size_t first, std::size_t last) {
        computeBlocks(first, last, std::bit_ceil(m_packs.size()), m_blocks.data());
    });
    m_blocksReady = true;
}

void HyperelasticTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    keepBlocks();
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const auto& v = m_graph.elements()[e];
        const double* lane = &m_blocks[(e / width) * width * blockScalars + e % width];
        for (std::size_t i = 0; i < 4; ++i) out[i] = Vec3();
        for (std::size_t p = 0; p < std::size(pairVertices); ++p) {
            double b[9];
            for (std::size_t k = 0; k < 9; ++k) b[k] = lane[width * (9 * p + k)];
            const std::size_t i = pairVertices[p][0], j = pairVertices[p][1];
            // Rows of blocks sum to zero.
            const Vec3 d = (dx[v[j]] - dx[v[i]]) * factor;
            for (std::size_t r = 0; r < 3; ++r) {
                out[i][r] += b[3 * r] * d[0] + b[3 * r + 1] * d[1] + b[3 * r + 2] * d[2];
                out[j][r] -= b[r] * d[0] + b[3 + r] * d[1] + b[6 + r] * d[2];
            }
        }
    });
}

void HyperelasticTetrahedra::planSweep() const
{
    if (m_planned) return;
    // Elements stand in the order of their smallest vertex: the pairs of a vertex are complete when the elements up to
    // the last one with that smallest vertex are done.
    const auto pairs = m_graph.pairs();
    const auto& elements = m_graph.elements();
    m_pairEnd.clear();
    m_reach = 0;
    std::size_t p = 0;
    for (std::size_t end = chunk; end < m_packs.size() + chunk; end += chunk) {
        const std::size_t next = end * width;
        while (p < pairs.count && (next >= elements.size() || pairs.first[p] < elements[next][0])) {
            const std::size_t earliest = pairs.contributions[pairs.start[p]].element / width;
            m_reach = std::max(m_reach, std::min(end, m_packs.size()) - earliest);
            ++p;
        }
        m_pairEnd.push_back(p);
    }
    m_planned = true;
}

void HyperelasticTetrahedra::addStiffness(BlockSink& sink) const
{
    planSweep();
    const auto pairs = m_graph.pairs();
    const std::size_t chunks = m_pairEnd.size();
    // Each thread sweeps over a range of chunks with a ring of blocks of its own. It begins where its first pairs reach
    // back to; blocks computed twice are the same.
    const std::size_t reach = (m_reach + chunk - 1) / chunk + 1;  // in chunks
    const std::size_t ranges = std::clamp<std::size_t>(chunks / (4 * reach), 1, threadCount());
    const std::size_t ring = std::bit_ceil(std::min(reach * chunk, m_packs.size()));
    m_ring.resize(ranges * ring * width * blockScalars);
    parallelFor(0, ranges, 1, [&](std::size_t firstRange, std::size_t lastRange) {
        for (std::size_t range = firstRange; range < lastRange; ++range) {
            double* blocks = &m_ring[range * ring * width * blockScalars];
            const std::size_t begin = chunks * range / ranges, end = chunks * (range + 1) / ranges;
            for (std::size_t c = begin > reach - 1 ? begin - (reach - 1) : 0; c < end; ++c) {
                computeBlocks(c * chunk, std::min((c + 1) * chunk, m_packs.size()), ring, blocks);
                if (c < begin) continue;
                for (std::size_t p = c > 0 ? m_pairEnd[c - 1] : 0; p < m_pairEnd[c]; ++p) {
                    double sum[9] = {};
                    for (std::size_t k = pairs.start[p]; k < pairs.start[p + 1]; ++k) {
                        const PairContribution& from = pairs.contributions[k];
                        const double* lane =
                            blocks +
                            ((from.element / width & (ring - 1)) * blockScalars + 9 * pairOf[from.i][from.j]) * width +
                            from.element % width;
                        for (std::size_t m = 0; m < 9; ++m) sum[m] += lane[width * m];
                    }
                    std::copy_n(sum, 9, pairs.blocks[p].data());
                }
            }
        }
    });
    m_graph.finishPairs(sink);
}

double HyperelasticTetrahedra::energy(const Vector<Vec3>& x) const
{
    const MaterialKernels& kernels = materialKernels();
    return parallelSum(0, m_packs.size(), packGrain, 0., [&](std::size_t first, std::size_t last) {
        double sum = 0.;
        for (std::size_t p = first; p < last; ++p) {
            alignas(64) double energies[width];
            kernels.tetrahedra(m_material, m_packs[p], parametersOf(p), x[0].data(), nullptr, nullptr, energies);
            const std::size_t count = std::min(width, size() - p * width);
            for (std::size_t l = 0; l < count; ++l) sum += energies[l];
        }
        return sum;
    });
}

Mat3 HyperelasticTetrahedra::deformationGradient(Index e, const Vector<Vec3>& x) const
{
    const GradientTetrahedronPack& p = m_packs[m_place[e] / width];
    const std::size_t lane = m_place[e] % width;
    Mat3 f;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 d = x[p.vertex[k + 1][lane]] - x[p.vertex[0][lane]];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) f[i][j] += d[i] * p.gradient[3 * k + j][lane];
    }
    return f;
}

}  // namespace sofa::core
