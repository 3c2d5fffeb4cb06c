// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/LinearSprings.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/mesh/Renumbering.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

void LinearSprings::build(const Vector<Spring>& springs, Index nbPoints)
{
    Vector<Edge> ends;
    ends.reserve(springs.size());
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const auto [lower, largest] = std::minmax(springs[i].a, springs[i].b);
        if (largest >= nbPoints)
            throw std::runtime_error("spring " + std::to_string(i) + " joins point " + std::to_string(largest) +
                                     ", but there are only " + std::to_string(nbPoints) + " points");
        ends.push_back({lower, largest});
    }
    ElementReordering sweep =
        elementReordering(ends.empty() ? nullptr : ends[0].data(), ends.size(), 2, nbPoints, ElementOrder::Sorted);
    m_order = PackOrder(std::move(sweep.places), std::move(sweep.elements));
    Vector<Edge> placed(ends.size());
    for (std::size_t place = 0; place < ends.size(); ++place) placed[place] = ends[m_order.elementAt(place)];
    m_graph.build(placed, nbPoints);
    m_damped = m_hasDrag = false;
    m_packs.clear();
    m_tangents.clear();
    m_corners.clear();
    resize();
    for (std::size_t place = 0; place < m_packs.size() * packWidth; ++place)
        prepareLane(place, springs[m_order.elementAt(std::min<std::size_t>(place, size() - 1))]);

    SymmetricPattern& pattern = m_pairs.pattern();
    preparePattern();  // what follow() changed, nobody has seen: the next pattern is made from this one
    PiecewiseRows<std::uint32_t> before;
    std::swap(pattern.columns, before);
    m_pairs.entries().clear();
    m_pairs.entries().reserve(nbPoints, 2 * springs.size());
    m_repeated.clear();
    m_touched.clear();
    Row row;
    for (Index v = 0; v < nbPoints; ++v) {
        findRow(v, {}, row, m_repeated);
        m_pairs.entries().push_back(row.entries);
        pattern.columns.push_back(row.columns);
    }
    pattern.columnsWere(before);
    m_rowsSeen = nbPoints;
    sortRepeated();
}

void LinearSprings::resize()
{
    m_packs.resize((size() + packWidth - 1) / packWidth);
    m_tangents.resize(m_packs.size() * packWidth * 8, 0.);
    m_corners.resize(m_packs.size() * packWidth, 0.);
    m_forces.resize(m_packs.size() * packWidth * 3);
    m_axes.clear();
}

void LinearSprings::prepareLane(std::size_t place, const Spring& s)
{
    m_damped = m_damped || s.damping != 0.;
    m_hasDrag = m_hasDrag || s.drag != 0.;
    SpringPack& p = m_packs[place / packWidth];
    const std::size_t lane = place % packWidth;
    p.stiffness[lane] = s.stiffness;
    p.damping[lane] = s.damping;
    p.drag[lane] = s.drag;
    p.length[lane] = s.length;
    p.least[lane] = s.least;
    p.vertex[0][lane] = std::min(s.a, s.b);
    p.vertex[1][lane] = std::max(s.a, s.b);
}

void LinearSprings::findRow(Index point, const Vector<Index>& others, Row& row, Vector<Repeated>& again) const
{
    thread_local Vector<std::uint64_t> sorted;  // the point at the other end, and the place
    sorted.clear();
    row.entries.clear();
    row.columns.clear();
    m_graph.forEachAround(point, [&](Index place) {
        const auto& [lower, higher] = m_graph.elements()[place];
        if (lower != higher) sorted.push_back(std::uint64_t{lower == point ? higher : lower} << 32 | place);
    });
    std::ranges::sort(sorted);
    Index last = InvalidIndex;
    for (const std::uint64_t entry : sorted) {
        const auto other = static_cast<Index>(entry >> 32), place = static_cast<Index>(entry);
        if (other == last) {
            const bool isThere = other < point && (others.empty() || std::ranges::binary_search(others, other));
            if (!isThere) again.push_back({row.entries.back() >> 1, place});
            continue;
        }
        last = other;
        row.entries.push_back(2 * place + (other < point));
        if (other > point) row.columns.push_back(other);
    }
}

void LinearSprings::sortRepeated()
{
    std::ranges::sort(m_repeated, {},
                      [this](const Repeated& r) { return std::pair(m_graph.elements()[r.again], r.again); });
}

bool LinearSprings::follow(FunctionRef<Spring(Index)> springOf, Index nbPoints, const ElementSource& source,
                           const ElementSource& points, Vector<Index> touched)
{
    if (source.now == 0 || source.before != size()) return false;
    std::optional<Vector<Index>> places = m_order.follow(source, touched);
    if (!places) return false;
    Vector<Index> ends;  // of springs that differ, before and now
    const auto addEnds = [&](Index place) {
        if (place < size()) ends.insert(ends.end(), m_graph.elements()[place].begin(), m_graph.elements()[place].end());
    };
    for (const Index place : *places) addEnds(place);
    for (Index place = source.now; place < source.before; ++place) addEnds(place);
    const auto isTouched = [&ends](Index v) { return std::ranges::binary_search(ends, v); };
    sortUnique(ends);
    std::erase_if(m_repeated, [&](const Repeated& r) {
        const auto& [lower, higher] = m_graph.elements()[r.again];
        return isTouched(lower) || isTouched(higher);
    });
    ElementSource byPlace;
    byPlace.before = source.before;
    byPlace.now = source.now;
    Edge element;
    m_graph.follow(
        [&](Index place) -> const Edge& {
            const Spring s = springOf(m_order.elementAt(place));
            return element = {std::min(s.a, s.b), std::max(s.a, s.b)};
        },
        nbPoints, byPlace, points, *places);
    for (const Index place : *places) addEnds(place);
    sortUnique(ends);
    while (!ends.empty() && ends.back() >= nbPoints) ends.pop_back();
    std::erase_if(m_repeated, [&](const Repeated& r) {
        const auto& [lower, higher] = m_graph.elements()[r.again];
        return isTouched(lower) || isTouched(higher);
    });
    for (auto v = static_cast<Index>(m_pairs.pattern().rows()); v < nbPoints; ++v) m_touched.push_back(v);
    m_pairs.entries().resize(nbPoints);
    m_pairs.pattern().columns.resize(nbPoints);
    Row row;
    for (const Index v : ends) {
        findRow(v, ends, row, m_repeated);
        m_pairs.entries().set(v, row.entries);
        m_pairs.pattern().columns.set(v, row.columns);
    }
    sortRepeated();
    m_touched.insert(m_touched.end(), ends.begin(), ends.end());
    resize();
    for (std::size_t place = size(); place < m_packs.size() * packWidth; ++place)
        places->push_back(static_cast<Index>(place));
    for (const Index place : *places) prepareLane(place, springOf(m_order.elementAt(std::min(place, size() - 1))));
    return true;
}

template <class Kernel>
void LinearSprings::accumulate(Vector<Vec3>& f, Kernel&& kernel) const
{
    constexpr std::size_t packGrain = 256, pointGrain = 1024;
    parallelFor(0, m_packs.size(), packGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) kernel(p, &m_forces[p * 3 * packWidth]);
    });
    parallelFor(0, nbPoints(), pointGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            Vec3 sum = f[v];
            for (const std::uint32_t entry : m_pairs.entries()[v]) {
                const double* const force = &m_forces[std::size_t{3} * (entry >> 1)];
                const double sign = 1. - 2. * (entry & 1);
                for (std::size_t i = 0; i < 3; ++i) sum[i] += sign * force[i];
            }
            f[v] = sum;
        }
    });
    for (const Repeated& r : m_repeated) {
        const auto& [lower, higher] = m_graph.elements()[r.again];
        const double* const force = &m_forces[std::size_t{3} * r.again];
        for (std::size_t i = 0; i < 3; ++i) {
            f[lower][i] += force[i];
            f[higher][i] -= force[i];
        }
    }
}

void LinearSprings::addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>& v, const Tangent& tangent)
{
    if (size() == 0) return;
    const SpringKernels& kernels = springKernels();
    const double leastAcross = tangent.projected ? 0. : -std::numeric_limits<double>::infinity();
    const double* velocities = m_damped || m_hasDrag ? v[0].data() : nullptr;
    accumulate(f, [&](std::size_t p, double* out) {
        kernels.forces(m_packs[p], x[0].data(), velocities, leastAcross, out, &m_tangents[p * packWidth * 8],
                       &m_corners[p * packWidth]);
    });
    for (const Repeated& r : m_repeated) {
        double *const to = &m_tangents[8 * std::size_t{r.first}], *const from = &m_tangents[8 * std::size_t{r.again}];
        for (std::size_t k = 0; k < 8; ++k) to[k] += std::exchange(from[k], 0.);
        m_corners[r.first] += std::exchange(m_corners[r.again], 0.);
    }
    m_axes.assign(tangent.damping && m_damped ? size() : 0, Vec3());
    for (Index place = 0; place < m_axes.size(); ++place) {
        const auto& [a, b] = m_graph.elements()[place];
        const Vec3 d = x[b] - x[a];
        const double length = norm(d);
        if (length > m_packs[place / packWidth].least[place % packWidth]) m_axes[place] = d / length;
    }
}

Mat3 LinearSprings::damping(std::size_t place) const
{
    const SpringPack& p = m_packs[place / packWidth];
    const std::size_t lane = place % packWidth;
    const Mat3 drag = Mat3::identity() * p.drag[lane];
    return m_axes.empty() ? drag : drag + outer(m_axes[place], m_axes[place] * p.damping[lane]);
}

void LinearSprings::addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor, double dampingFactor) const
{
    const PairBlocks k = blocks();
    accumulate(df, [&](std::size_t p, double* out) {
        // One by one: gathering packs would take longer than the nine products.
        const std::size_t first = p * packWidth, last = std::min<std::size_t>(first + packWidth, size());
        for (std::size_t place = first; place < last; ++place, out += 3) {
            const auto& [a, b] = m_graph.elements()[place];
            const Vec3 d = dx[b] - dx[a];
            Vec3 force = k.at(place) * d * factor;
            if (dampingFactor != 0.) force += damping(place) * d * dampingFactor;
            for (std::size_t i = 0; i < 3; ++i) out[i] = force[i];
        }
    });
}

void LinearSprings::addStiffness(BlockSink& sink) const
{
    if (size() == 0) return;
    preparePattern();
    StoredPairs stored(m_pairs, blocks());
    sink.addSymmetric(m_pairs.pattern(), stored);
}

void LinearSprings::addDamping(BlockSink& sink) const
{
    if (size() == 0) return;
    preparePattern();
    m_dampings.resize(m_tangents.size());
    m_dampingCorners.resize(m_corners.size());
    const auto add = [&](std::size_t to, const Mat3& b) {
        for (std::size_t k = 0; k < 8; ++k) m_dampings[8 * to + k] += b[k / 3][k % 3];
        m_dampingCorners[to] += b[2][2];
    };
    std::ranges::fill(m_dampings, 0.);
    std::ranges::fill(m_dampingCorners, 0.);
    for (std::size_t place = 0; place < size(); ++place) add(place, damping(place));
    for (const Repeated& r : m_repeated) add(r.first, damping(r.again));
    StoredPairs stored(m_pairs, {m_dampings.data(), m_dampingCorners.data(), 8, 1});
    sink.addSymmetric(m_pairs.pattern(), stored);
}

void LinearSprings::preparePattern() const
{
    SymmetricPattern& pattern = m_pairs.pattern();
    if (m_touched.empty() && pattern.rows() == m_rowsSeen) return;
    m_rowsSeen = pattern.rows();
    sortUnique(m_touched);
    while (!m_touched.empty() && m_touched.back() >= nbPoints()) m_touched.pop_back();
    pattern.previous = std::exchange(pattern.id, SymmetricPattern::newId());
    pattern.changed = std::exchange(m_touched, {});
}

}  // namespace sofa::core
