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

template <class F>
void MiddlePointFold::forEachTerm(const SymmetricPattern& all, const MiddlePoints& middles, F&& f) const
{
    for (Index a = 0; a < all.rows(); ++a) {
        if (m_firstBlock[a] == passesOn) continue;
        const Parents one(a, middles);
        for (const Parent& i : one.list())
            for (const Parent& j : one.list())
                if (i.point <= j.point)
                    f(i.point, Term{j.point, m_firstBlock[a], Term::Kind::Plain, i.weight * j.weight});
        for (std::size_t k = 0; k < all.columns[a].size(); ++k) {
            const Parents other(all.columns[a][k], middles);
            const auto block = static_cast<std::uint32_t>(m_firstBlock[a] + 1 + k);
            for (const Parent& i : one.list())
                for (const Parent& j : other.list()) {
                    const auto kind = i.point < j.point   ? Term::Kind::Plain
                                      : i.point > j.point ? Term::Kind::Transposed
                                                          : Term::Kind::Both;
                    f(std::min(i.point, j.point), Term{std::max(i.point, j.point), block, kind, i.weight * j.weight});
                }
        }
    }
}

void MiddlePointFold::build(const SymmetricPattern& all, const MiddlePoints& middles)
{
    if (m_from == all.id && m_from != 0) return;
    m_from = all.id;
    const std::size_t points = middles.first;
    m_firstBlock.assign(all.rows(), passesOn);
    std::uint32_t kept = 0;
    for (std::size_t r = 0; r < all.rows(); ++r) {
        const auto columns = all.columns[r];
        if (r < points && (columns.empty() || !middles.isMiddle(columns.back()))) continue;
        m_firstBlock[r] = kept;
        kept += static_cast<std::uint32_t>(1 + columns.size());
    }
    m_kept.resize(kept);

    m_start.assign(points + 1, 0);
    forEachTerm(all, middles, [&](Index row, const Term&) { ++m_start[row + std::size_t{1}]; });
    for (std::size_t r = 0; r < points; ++r) m_start[r + 1] += m_start[r];
    m_terms.resize(m_start.back());
    Vector<std::size_t> next(m_start.begin(), m_start.end() - 1);
    forEachTerm(all, middles, [&](Index row, const Term& t) { m_terms[next[row]++] = t; });

    PiecewiseRows<std::uint32_t> before;
    std::swap(m_pattern.columns, before);
    m_pattern.columns.reserve(points, before.count());
    m_folded.clear();
    Vector<std::uint32_t> columns;
    for (Index r = 0; r < points; ++r) {
        if (m_firstBlock[r] == passesOn) {
            m_pattern.columns.push_back(all.columns[r]);
            continue;
        }
        m_folded.push_back(r);
        const auto terms = std::span(m_terms).subspan(m_start[r], m_start[r + std::size_t{1}] - m_start[r]);
        std::ranges::sort(terms, [](const Term& one, const Term& other) {
            return std::tie(one.column, one.block, one.kind) < std::tie(other.column, other.block, other.kind);
        });
        columns.clear();
        for (const Term& t : terms)
            if (t.column > r && (columns.empty() || columns.back() != t.column)) columns.push_back(t.column);
        m_pattern.columns.push_back(columns);
    }
    m_pattern.columnsWere(before);
}

class MiddlePointFold::Source final : public SymmetricSource
{
public:
    Source(MiddlePointFold& fold, const SymmetricPattern& all, SymmetricSource& source)
        : m_fold(fold), m_all(all), m_source(source)
    {
    }
    void forEachRows(const Rows& rows) override
    {
        m_source.forEachRows([&](std::size_t first, std::size_t last, const double* blocks) {
            while (first < last) {
                const Index v = m_all.vertexAt(first++);
                const std::uint32_t kept = m_fold.m_firstBlock[v];
                const double* const begin = blocks;
                blocks += sizeOf(m_all, v);
                if (kept != passesOn) {
                    std::copy(begin, blocks, m_fold.m_kept[kept].data());
                    continue;
                }
                // Rows that follow each other pass on at once.
                Index end = v + 1;
                for (; first < last && m_all.vertexAt(first) == end && m_fold.m_firstBlock[end] == passesOn; ++first)
                    blocks += sizeOf(m_all, end++);
                rows(v, end, begin);
            }
        });
        parallelFor(0, m_fold.m_folded.size(), grain, [&](std::size_t first, std::size_t last) {
            thread_local Vector<Mat3> row;
            for (std::size_t k = first; k < last; ++k) {
                const Index r = m_fold.m_folded[k];
                m_fold.sum(r, row);
                rows(r, r + std::size_t{1}, row[0].data());
            }
        });
    }

private:
    static std::size_t sizeOf(const SymmetricPattern& p, Index v) { return 9 * (1 + p.columns[v].size()); }

    MiddlePointFold& m_fold;
    const SymmetricPattern& m_all;
    SymmetricSource& m_source;
};

void MiddlePointFold::sum(Index row, Vector<Mat3>& blocks) const
{
    blocks.clear();
    Index column = InvalidIndex;
    for (std::size_t k = m_start[row]; k < m_start[row + std::size_t{1}]; ++k) {
        const Term& t = m_terms[k];
        if (t.column != column) blocks.emplace_back();
        column = t.column;
        const Mat3& block = m_kept[t.block];
        if (t.kind == Term::Kind::Plain)
            blocks.back() += block * t.factor;
        else if (t.kind == Term::Kind::Transposed)
            blocks.back() += block.transposed() * t.factor;
        else
            blocks.back() += (block + block.transposed()) * t.factor;
    }
}

void MiddlePointFold::add(BlockSink& sink, const SymmetricPattern& all, SymmetricSource& source)
{
    Source folded(*this, all, source);
    sink.addSymmetric(m_pattern, folded);
}

void MiddlePointSink::addBlock(Index, Index, const double*, std::size_t, std::size_t)
{
    throw std::logic_error("MiddlePointSink: elements give symmetric matrices");
}

}  // namespace sofa::core
