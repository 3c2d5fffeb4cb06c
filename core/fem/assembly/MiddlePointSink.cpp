// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/MiddlePointSink.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <tuple>

namespace sofa::core {

namespace {

constexpr std::size_t grain = 256;

struct Parent
{
    Index point;
    double weight;
};
/// The row of P of a control point.
struct Parents
{
    std::array<Parent, 2> all;
    std::size_t count;

    Parents(Index control, const MiddlePoints& m)
    {
        if (!m.isMiddle(control)) {
            all[0] = {control, 1.};
            count = 1;
            return;
        }
        const Edge& ends = m.endsOf(control);
        all = {Parent{ends[0], 0.5}, Parent{ends[1], 0.5}};
        count = 2;
    }
    std::span<const Parent> list() const { return {all.data(), count}; }
};

}  // namespace

void MiddlePointFold::build(const SymmetricPattern& all, const MiddlePoints& middles)
{
    if (m_from == all.id && m_from != 0) return;
    m_from = all.id;
    struct Found
    {
        Index v, w;
        Term term;
    };
    Vector<Found> found;
    const auto put = [&found](Index i, Index j, const Term& t) {
        if (i == j) return;  // the diagonal is minus the sum of the others
        Term turned = t;
        if (i > j && t.kind != Term::Kind::Symmetric) turned.kind = Term::Kind::Transposed;
        found.push_back({std::min(i, j), std::max(i, j), turned});
    };
    for (std::size_t row = 0; row < all.rows(); ++row)
        for (std::size_t k = 0; k < all.columns[row].size(); ++k) {
            const auto pair = static_cast<std::uint32_t>(all.columns.first(row) + k);
            const auto a = static_cast<Index>(row), b = static_cast<Index>(all.columns[row][k]);
            const Parents one(a, middles), other(b, middles);
            for (const Parent& i : one.list())
                for (const Parent& j : other.list())
                    put(i.point, j.point, {pair, Term::Kind::Plain, i.weight * j.weight});
            // Its part of the diagonal block of a middle point, which couples the ends.
            for (const Index c : {a, b})
                if (middles.isMiddle(c)) {
                    const Edge& ends = middles.endsOf(c);
                    put(ends[0], ends[1], {pair, Term::Kind::Symmetric, -0.25});
                }
        }
    std::ranges::sort(found, [](const Found& one, const Found& other) {
        return std::tie(one.v, one.w, one.term.pair, one.term.kind, one.term.factor) <
               std::tie(other.v, other.w, other.term.pair, other.term.kind, other.term.factor);
    });
    m_start.clear();
    m_terms.clear();
    Vector<std::pair<Index, Index>> pairs;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (k == 0 || found[k].v != found[k - 1].v || found[k].w != found[k - 1].w) {
            pairs.emplace_back(found[k].v, found[k].w);
            m_start.push_back(m_terms.size());
        }
        m_terms.push_back(found[k].term);
    }
    m_start.push_back(m_terms.size());
    m_pairs.build(pairs, middles.first);
}

void MiddlePointFold::add(BlockSink& sink, const SymmetricPattern& pattern, SymmetricSource& source)
{
    m_all.set(pattern, source);
    m_blocks.resize(m_start.size() - 1);
    parallelFor(0, m_blocks.size(), grain, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) {
            Mat3 sum;
            for (std::size_t k = m_start[p]; k < m_start[p + 1]; ++k) {
                const Term& t = m_terms[k];
                Mat3 block = m_all.pairs[t.pair];
                if (t.kind == Term::Kind::Transposed) block = block.transposed();
                if (t.kind == Term::Kind::Symmetric) block = (block + block.transposed()) * 0.5;
                sum += block * t.factor;
            }
            m_blocks[p] = sum;
        }
    });
    StoredPairs pairs(m_pairs, m_blocks.data());
    sink.addSymmetric(m_pairs.pattern(), pairs);
}

void MiddlePointSink::addBlock(Index, Index, const double*, std::size_t, std::size_t)
{
    throw std::logic_error("MiddlePointSink: elements give symmetric matrices");
}

}  // namespace sofa::core
