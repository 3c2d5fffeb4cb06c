// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/HyperelasticTetrahedra.h"

#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

constexpr std::size_t width = 8, blockScalars = 54;
/// Index of the block of local vertices i < j.
constexpr std::size_t pairOf[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}, {0, 0, 0, 0}};
constexpr std::size_t pairVertices[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr std::size_t packGrain = 64;

std::size_t packCount(Index elements) { return (elements + width - 1) / width; }

}  // namespace

void HyperelasticTetrahedra::build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest)
{
    Vector<ElementGraph<4>::Element> sorted(elements.begin(), elements.end());
    for (auto& e : sorted) std::sort(e.begin(), e.end());
    m_graph.build(sorted, static_cast<Index>(rest.size()));
    m_packs.assign(packCount(size()), {});
    for (Index e = 0; e < m_packs.size() * width; ++e) {
        // Unused lanes repeat the last element.
        const Index from = std::min<Index>(e, size() - 1);
        const auto& v = sorted[from];
        const Vec3 d[3] = {rest[v[1]] - rest[v[0]], rest[v[2]] - rest[v[0]], rest[v[3]] - rest[v[0]]};
        const double volume6 = dot(d[0], cross(d[1], d[2]));
        if (!(std::abs(volume6) > 0.) || !std::isfinite(volume6))
            throw std::runtime_error("tetrahedron " + std::to_string(from) + " has no volume in the rest shape");
        const Vec3 g[3] = {cross(d[1], d[2]) / volume6, cross(d[2], d[0]) / volume6, cross(d[0], d[1]) / volume6};
        GradientTetrahedronPack& p = m_packs[e / width];
        const std::size_t lane = e % width;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t c = 0; c < 3; ++c) p.gradient[3 * k + c][lane] = g[k][c];
        for (std::size_t k = 0; k < 4; ++k) p.vertex[k][lane] = v[k];
        p.volume[lane] = from == e ? std::abs(volume6) / 6. : 0.;
    }
    m_x = rest;
    m_blocksReady = m_stiffnessUsed = false;
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
    set(e);
    if (e + 1 == size())
        for (std::size_t lane = size(); lane < m_packs.size() * width; ++lane) set(lane);
    m_blocksReady = false;
}

void HyperelasticTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    const MaterialKernels& kernels = materialKernels();
    m_x = x;
    const bool blocks = m_stiffnessUsed;
    if (blocks) m_blocks.resize(m_packs.size() * width * blockScalars);
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        kernels.tetrahedra(m_material, m_packs[p], parametersOf(p), x[0].data(), out,
                           blocks ? &m_blocks[p * width * blockScalars] : nullptr, nullptr);
    });
    m_blocksReady = blocks;
    m_stiffnessUsed = false;
}

void HyperelasticTetrahedra::prepareBlocks() const
{
    m_stiffnessUsed = true;
    if (m_blocksReady) return;
    const MaterialKernels& kernels = materialKernels();
    m_blocks.resize(m_packs.size() * width * blockScalars);
    parallelFor(0, m_packs.size(), packGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            kernels.tetrahedra(m_material, m_packs[p], parametersOf(p), m_x[0].data(), nullptr,
                               &m_blocks[p * width * blockScalars], nullptr);
    });
    m_blocksReady = true;
}

void HyperelasticTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    prepareBlocks();
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const auto& v = m_graph.elements()[e];
        const double* lane = &m_blocks[(e / width) * width * blockScalars + e % width];
        for (std::size_t i = 0; i < 4; ++i) out[i] = Vec3();
        for (std::size_t p = 0; p < pairs; ++p) {
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

void HyperelasticTetrahedra::addStiffness(BlockSink& sink) const
{
    prepareBlocks();
    m_graph.addPairs(sink, [&](const PairContribution* contributions, const std::size_t* start, std::size_t first,
                               std::size_t last, Mat3* out) {
        for (std::size_t p = first; p < last; ++p) {
            double sum[9] = {};
            for (std::size_t k = start[p]; k < start[p + 1]; ++k) {
                const PairContribution& c = contributions[k];
                const double* lane =
                    &m_blocks[(c.element / width * blockScalars + 9 * pairOf[c.i][c.j]) * width + c.element % width];
                for (std::size_t m = 0; m < 9; ++m) sum[m] += lane[width * m];
            }
            std::copy_n(sum, 9, out[p].data());
        }
    });
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
    const GradientTetrahedronPack& p = m_packs[e / width];
    const std::size_t lane = e % width;
    Mat3 f;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 d = x[p.vertex[k + 1][lane]] - x[p.vertex[0][lane]];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) f[i][j] += d[i] * p.gradient[3 * k + j][lane];
    }
    return f;
}

}  // namespace sofa::core
