// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/LinearSprings.h"

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace sofa::core {

namespace {

constexpr std::size_t springWidth = AssemblyPlan::width;

}  // namespace

Vector<LinearSprings::Spring> LinearSprings::sorted(const Vector<Spring>& springs, Index nbPoints)
{
    Vector<std::size_t> start(nbPoints + std::size_t{1}, 0);
    for (const Spring& s : springs) ++start[std::min(s.a, s.b) + std::size_t{1}];
    for (std::size_t v = 0; v < nbPoints; ++v) start[v + 1] += start[v];
    Vector<std::pair<Index, Index>> order(springs.size());  // the higher point, and which spring
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (Index i = 0; i < springs.size(); ++i)
        order[next[std::min(springs[i].a, springs[i].b)]++] = {std::max(springs[i].a, springs[i].b), i};
    Vector<Spring> out;
    out.reserve(springs.size());
    for (std::size_t v = 0; v < nbPoints; ++v) {
        const auto group = std::span(order).subspan(start[v], start[v + 1] - start[v]);
        std::ranges::sort(group);
        for (const auto& [higher, i] : group) out.push_back(springs[i]);
    }
    return out;
}

void LinearSprings::build(const Vector<Spring>& springs, Index nbPoints)
{
    const std::size_t n = springs.size();
    m_damped = m_hasDrag = false;
    for (std::size_t i = 0; i < n; ++i) {
        const Index largest = std::max(springs[i].a, springs[i].b);
        if (largest >= nbPoints)
            throw std::runtime_error("spring " + std::to_string(i) + " joins point " + std::to_string(largest) +
                                     ", but there are only " + std::to_string(nbPoints) + " points");
        m_damped = m_damped || springs[i].damping != 0.;
        m_hasDrag = m_hasDrag || springs[i].drag != 0.;
    }
    const auto pairOf = [](const Spring& s) -> std::pair<Index, Index> { return std::minmax(s.a, s.b); };
    const Vector<Spring> inOrder = sorted(springs, nbPoints);
    // The first spring of each pair of points has the place of the pair, all others are behind.
    Vector<Index> placeOf(n), others;
    Vector<std::pair<Index, Index>> pairs;
    pairs.reserve(n);
    m_repeated.clear();
    for (Index k = 0; k < n; ++k) {
        const std::pair<Index, Index> pair = pairOf(inOrder[k]);
        const bool isLoop = pair.first == pair.second, again = !isLoop && !pairs.empty() && pair == pairs.back();
        if (again) m_repeated.push_back({static_cast<Index>(pairs.size()) - 1, k});
        if (again || isLoop) {
            others.push_back(k);
        } else {
            placeOf[k] = static_cast<Index>(pairs.size());
            pairs.push_back(pair);
        }
    }
    m_pairs.build(pairs, nbPoints);
    auto place = static_cast<Index>(pairs.size());
    for (const Index k : others) placeOf[k] = place++;
    for (Repeated& r : m_repeated) r.again = placeOf[r.again];
    // Springs of one point follow each other: if they were the lanes of a pack, each addition to the force on the point
    // would wait for the one before.
    const std::size_t packs = (n + springWidth - 1) / springWidth;
    Vector<Spring> ordered;
    m_places.clear();
    for (std::size_t p = 0; p < packs; ++p)
        for (std::size_t k = p; k < n; k += packs) {
            ordered.push_back(inOrder[k]);
            m_places.push_back(placeOf[k]);
        }
    Vector<ElementGraph<2>::Element> ends(n);
    for (std::size_t i = 0; i < n; ++i) ends[i] = {ordered[i].a, ordered[i].b};
    m_graph.build(ends, nbPoints);
    m_packs.assign(packs, {});
    m_tangents.assign(n * 8, 0.);
    m_corners.assign(n, 0.);
    for (std::size_t slot = 0; slot < packs * springWidth; ++slot) {
        const std::size_t e = std::min(slot, n - 1);
        const Spring& s = ordered[e];
        SpringPack& p = m_packs[slot / springWidth];
        const std::size_t lane = slot % springWidth;
        p.stiffness[lane] = s.stiffness;
        p.damping[lane] = s.damping;
        p.drag[lane] = s.drag;
        p.length[lane] = s.length;
        p.least[lane] = s.least;
        p.vertex[0][lane] = s.a;
        p.vertex[1][lane] = s.b;
        p.place[lane] = m_places[e];
    }
}

void LinearSprings::addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>& v, const Tangent& tangent)
{
    if (size() == 0) return;
    const SpringKernels& kernels = springKernels();
    const double leastAcross = tangent.projected ? 0. : -std::numeric_limits<double>::infinity();
    const double* velocities = m_damped || m_hasDrag ? v[0].data() : nullptr;
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        kernels.forces(m_packs[p], x[0].data(), velocities, leastAcross, out, m_tangents.data(), m_corners.data());
    });
    for (const Repeated& r : m_repeated) {
        double *const to = &m_tangents[8 * std::size_t{r.first}], *const from = &m_tangents[8 * std::size_t{r.again}];
        for (std::size_t k = 0; k < 8; ++k) to[k] += std::exchange(from[k], 0.);
        m_corners[r.first] += std::exchange(m_corners[r.again], 0.);
    }
    m_axes.assign(tangent.damping && m_damped ? size() : 0, Vec3());
    for (Index e = 0; e < m_axes.size(); ++e) {
        const auto& [a, b] = m_graph.elements()[e];
        const Vec3 d = x[b] - x[a];
        const double length = norm(d);
        if (length > m_packs[e / springWidth].least[e % springWidth]) m_axes[e] = d / length;
    }
}

Mat3 LinearSprings::damping(Index e) const
{
    const SpringPack& p = m_packs[e / springWidth];
    const std::size_t lane = e % springWidth;
    const Mat3 drag = Mat3::identity() * p.drag[lane];
    return m_axes.empty() ? drag : drag + outer(m_axes[e], m_axes[e] * p.damping[lane]);
}

void LinearSprings::addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor, double dampingFactor) const
{
    const PairBlocks k = blocks();
    // One by one: gathering and scattering packs would take longer than the nine products.
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const auto& ends = m_graph.elements()[e];
        const Vec3 d = dx[ends[1]] - dx[ends[0]];
        out[0] = k.at(m_places[e]) * d * factor;
        if (dampingFactor != 0.) out[0] += damping(e) * d * dampingFactor;
        out[1] = -out[0];
    });
}

void LinearSprings::addStiffness(BlockSink& sink) const
{
    if (size() == 0) return;
    StoredPairs stored(m_pairs, blocks());
    sink.addSymmetric(m_pairs.pattern(), stored);
}

void LinearSprings::addDamping(BlockSink& sink) const
{
    m_graph.addStiffness(sink, [&](Index e, std::size_t, std::size_t) { return -damping(e); });
}

}  // namespace sofa::core
