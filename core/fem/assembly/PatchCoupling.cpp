// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/PatchCoupling.h"

#include <algorithm>
#include <tuple>

namespace sofa::core {

void PatchCoupling::build(Vector<std::size_t> start, Vector<Index> vertices, Index nbPoints)
{
    m_start = std::move(start);
    m_vertices = std::move(vertices);
    m_nbPoints = nbPoints;
    m_pairsReady = false;
    a.assign(places(), {});
    r.assign(places(), {});
    c.assign(size(), 0.);
    m_terms.assign(places(), {});
    m_around.assign(nbPoints + std::size_t{1}, 0);
    for (const Index v : m_vertices) ++m_around[v + std::size_t{1}];
    for (std::size_t v = 0; v < nbPoints; ++v) m_around[v + 1] += m_around[v];
    m_placesAround.resize(places());
    Vector<std::size_t> next(m_around.begin(), m_around.end() - 1);
    for (std::size_t place = 0; place < places(); ++place) m_placesAround[next[m_vertices[place]]++] = place;
}

std::size_t PatchCoupling::placeOf(std::size_t p, Index v) const
{
    const auto begin = m_vertices.begin();
    return static_cast<std::size_t>(std::find(begin + static_cast<std::ptrdiff_t>(m_start[p]),
                                              begin + static_cast<std::ptrdiff_t>(m_start[p + 1]), v) -
                                    begin);
}

void PatchCoupling::accumulate(Vector<Vec3>& f, const Vector<Vec3>& terms) const
{
    parallelFor(0, m_nbPoints, grain, [&](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v)
            for (std::size_t k = m_around[v]; k < m_around[v + 1]; ++k) f[v] += terms[m_placesAround[k]];
    });
}

void PatchCoupling::addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    forEach([&](std::size_t p) {
        double along = 0., across = 0.;
        for (std::size_t k = m_start[p]; k < m_start[p + 1]; ++k) {
            along += dot(a[k], dx[m_vertices[k]]);
            across += dot(r[k], dx[m_vertices[k]]);
        }
        across = -factor * (across + c[p] * along);
        along *= -factor;
        for (std::size_t k = m_start[p]; k < m_start[p + 1]; ++k) m_terms[k] = a[k] * across + r[k] * along;
    });
    accumulate(df, m_terms);
}

void PatchCoupling::preparePairs() const
{
    if (m_pairsReady) return;
    struct Found
    {
        Index v, w;
        Term term;
    };
    Vector<Found> row;
    Vector<std::pair<Index, Index>> pairs;
    m_pairStart.clear();
    m_pairTerms.clear();
    Vector<std::uint32_t> patchOf(places());
    for (std::size_t p = 0; p < size(); ++p)
        std::fill(patchOf.begin() + static_cast<std::ptrdiff_t>(m_start[p]),
                  patchOf.begin() + static_cast<std::ptrdiff_t>(m_start[p + 1]), static_cast<std::uint32_t>(p));
    for (Index v = 0; v < m_nbPoints; ++v) {
        row.clear();
        for (std::size_t k = m_around[v]; k < m_around[v + std::size_t{1}]; ++k) {
            const std::size_t i = m_placesAround[k];
            const std::uint32_t p = patchOf[i];
            for (std::size_t j = m_start[p]; j < m_start[p + 1]; ++j)
                if (m_vertices[j] > v)
                    row.push_back(
                        {v, m_vertices[j], {p, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)}});
        }
        std::sort(row.begin(), row.end(), [](const Found& one, const Found& other) {
            return std::tie(one.w, one.term.patch) < std::tie(other.w, other.term.patch);
        });
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k == 0 || row[k].w != row[k - 1].w) {
                pairs.emplace_back(v, row[k].w);
                m_pairStart.push_back(m_pairTerms.size());
            }
            m_pairTerms.push_back(row[k].term);
        }
    }
    m_pairStart.push_back(m_pairTerms.size());
    m_pairs.build(pairs, m_nbPoints);
    m_pairsReady = true;
}

void PatchCoupling::addStiffness(BlockSink& sink) const
{
    preparePairs();
    m_blocks.resize(m_pairStart.size() - 1);
    parallelFor(0, m_blocks.size(), 1024, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            Mat3 sum;
            for (std::size_t t = m_pairStart[k]; t < m_pairStart[k + 1]; ++t) {
                const auto [p, i, j] = m_pairTerms[t];
                sum -= outer(a[i], r[j] + a[j] * c[p]) + outer(r[i], a[j]);
            }
            m_blocks[k] = sum;
        }
    });
    StoredPairs pairs(m_pairs, m_blocks.data());
    sink.addSymmetric(m_pairs.pattern(), pairs);
}

}  // namespace sofa::core
