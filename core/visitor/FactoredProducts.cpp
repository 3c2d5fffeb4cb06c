// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/FactoredProducts.h"

#include <algorithm>
#include <array>

namespace sofa::core {

namespace {

constexpr std::size_t maxBlock = 7;

/// y += A x, row-major.
void addTo(double* y, const double* a, int rows, int cols, const double* x)
{
    if (rows == 3 && cols == 3) {
        for (int i = 0; i < 3; ++i) y[i] += a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
        return;
    }
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < cols; ++k) y[i] += a[i * cols + k] * x[k];
}

/// y += Aᵀ x, row-major.
void addTransposedTo(double* y, const double* a, int rows, int cols, const double* x)
{
    if (rows == 3 && cols == 3) {
        for (int k = 0; k < 3; ++k) y[k] += a[k] * x[0] + a[3 + k] * x[1] + a[6 + k] * x[2];
        return;
    }
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < cols; ++k) y[k] += a[i * cols + k] * x[i];
}

}  // namespace

class FactoredProducts::Sink final : public BlockSink
{
public:
    Sink(FactoredProducts& factors, const BaseState& row, const BaseState& col, const double& factor)
        : m_factors(factors),
          m_row(row),
          m_col(col),
          m_rowPoints(factors.m_states[&row]),
          m_colPoints(factors.m_states[&col]),
          m_factor(factor)
    {
    }
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        FactoredProducts& f = m_factors;
        const int row = f.pointOf(m_row, m_rowPoints, i), col = f.pointOf(m_col, m_colPoints, j);
        f.m_blocks.push_back({f.m_points[static_cast<std::size_t>(row)].offset,
                              f.m_points[static_cast<std::size_t>(col)].offset, static_cast<int>(r),
                              static_cast<int>(c), f.m_values.size()});
        for (std::size_t k = 0; k < r * c; ++k) f.m_values.push_back(m_factor * block[k]);
    }

private:
    FactoredProducts& m_factors;
    const BaseState &m_row, &m_col;
    Points &m_rowPoints, &m_colPoints;
    const double& m_factor;
};

std::unique_ptr<BlockSink> FactoredProducts::sink(const BaseState& row, const BaseState& col, const double& factor)
{
    return std::make_unique<Sink>(*this, row, col, factor);
}

void FactoredProducts::clear()
{
    for (const Point& p : m_points) m_states[p.state].numberOf[p.index] = -1;
    m_points.clear();
    m_entries.clear();
    m_blocks.clear();
    m_jacobian.clear();
    m_values.clear();
    m_u.clear();
}

int FactoredProducts::pointOf(const BaseState& s, Points& known, Index index)
{
    if (known.numberOf.size() <= index) known.numberOf.resize(std::max<std::size_t>(s.size(), index + 1), -1);
    int& number = known.numberOf[index];
    if (number < 0) {
        number = static_cast<int>(m_points.size());
        const int offset = m_points.empty() ? 0 : m_points.back().offset + m_points.back().size;
        m_points.push_back({&s, index, offset, static_cast<int>(s.derivSize())});
    }
    return number;
}

void FactoredProducts::finish(const ExecutionPlan& plan, OffsetOf offset)
{
    for (auto& [output, links] : m_links) links.clear();
    if (empty()) return;
    for (const BaseMapping* mapping : plan.mappings()) {
        if (!mapping->carriesMatrices()) continue;
        const auto outs = mapping->outputs();
        const auto ins = mapping->inputs();
        for (std::size_t o = 0; o < outs.size(); ++o)
            for (std::size_t i = 0; i < ins.size(); ++i)
                if (const BaseJacobian* j = mapping->jacobian(o, i))
                    m_links[outs[o]].push_back({ins[i], offset(*ins[i]), j});
    }
    std::array<double, maxBlock * maxBlock> identity;
    for (Point& p : m_points) {
        p.firstEntry = m_entries.size();
        identity.fill(0.);
        for (int k = 0; k < p.size; ++k) identity[static_cast<std::size_t>(k * p.size + k)] = 1.;
        addRow(*p.state, offset(*p.state), p.index, identity.data(), p.size, p.firstEntry);
        p.lastEntry = m_entries.size();
    }
    const auto scalars = static_cast<std::size_t>(m_points.back().offset + m_points.back().size);
    m_u.resize(scalars);
    m_f.resize(scalars);
}

void FactoredProducts::addRow(const BaseState& s, int offset, Index index, const double* m, int rows,
                              std::size_t firstEntry)
{
    const int size = static_cast<int>(s.derivSize());
    if (offset >= 0) {
        const int column = offset + static_cast<int>(index) * size;
        const auto area = static_cast<std::size_t>(rows * size);
        const auto known = std::find_if(m_entries.begin() + static_cast<std::ptrdiff_t>(firstEntry), m_entries.end(),
                                        [column](const Entry& e) { return e.column == column; });
        if (known == m_entries.end()) {
            m_entries.push_back({column, size, m_jacobian.size()});
            m_jacobian.insert(m_jacobian.end(), m, m + area);
        } else {
            for (std::size_t k = 0; k < area; ++k) m_jacobian[known->value + k] += m[k];
        }
        return;
    }
    std::array<double, maxBlock * maxBlock> product;
    const auto links = m_links.find(&s);
    if (links == m_links.end()) return;
    for (const Link& link : links->second) {
        const int n = static_cast<int>(link.jacobian->blockCols());
        const double* block = link.jacobian->blocks(index);
        for (const Index column : link.jacobian->columns(index)) {
            product.fill(0.);
            for (int i = 0; i < rows; ++i) addTransposedTo(product.data() + i * n, block, size, n, m + i * size);
            addRow(*link.input, link.inputOffset, column, product.data(), rows, firstEntry);
            block += size * n;
        }
    }
}

void FactoredProducts::eliminate(std::span<const int> scalars)
{
    if (scalars.empty()) return;
    for (const Point& p : m_points)
        for (std::size_t e = p.firstEntry; e < p.lastEntry; ++e) {
            const Entry& entry = m_entries[e];
            for (auto k = std::ranges::lower_bound(scalars, entry.column);
                 k != scalars.end() && *k < entry.column + entry.size; ++k)
                for (int i = 0; i < p.size; ++i)
                    m_jacobian[entry.value + static_cast<std::size_t>(i * entry.size + *k - entry.column)] = 0.;
        }
}

void FactoredProducts::project(int first, int n, const double* p)
{
    std::array<double, maxBlock> row;
    for (const Point& point : m_points)
        for (std::size_t e = point.firstEntry; e < point.lastEntry; ++e) {
            const Entry& entry = m_entries[e];
            if (entry.column != first || entry.size != n) continue;
            for (int i = 0; i < point.size; ++i) {
                double* const j = m_jacobian.data() + entry.value + i * n;
                row.fill(0.);
                addTransposedTo(row.data(), p, n, n, j);
                std::copy_n(row.data(), n, j);
            }
        }
}

std::span<const FactoredProducts::Entry> FactoredProducts::entriesOf(int scalar) const
{
    const Point& p = *std::prev(std::ranges::upper_bound(m_points, scalar, {}, &Point::offset));
    return std::span(m_entries).subspan(p.firstEntry, p.lastEntry - p.firstEntry);
}

void FactoredProducts::addDiagonal(BlockCsrMatrix& a) const
{
    std::array<double, maxBlock> row;  // of Jᵀ K
    const int n = a.blockSize();
    for (const Block& k : m_blocks) {
        const std::span<const Entry> columns = entriesOf(k.col);
        for (const Entry& e : entriesOf(k.row)) {
            const auto other = std::ranges::find(columns, e.column, &Entry::column);
            if (other == columns.end()) continue;
            const double* const left = m_jacobian.data() + e.value;
            for (int r = 0; r < e.size; ++r) {
                row.fill(0.);
                for (int i = 0; i < k.rows; ++i)
                    for (int c = 0; c < k.cols; ++c)
                        row[static_cast<std::size_t>(c)] +=
                            left[i * e.size + r] * m_values[k.value + static_cast<std::size_t>(i * k.cols + c)];
                const int at = e.column + r, first = at / n * n;
                const double* const right = m_jacobian.data() + other->value + first - e.column;
                double* const to = a.block(static_cast<std::size_t>(a.diagonal(at / n))) + (at - first) * n;
                for (int c = 0; c < k.cols; ++c)
                    for (int j = 0; j < n; ++j) to[j] += row[static_cast<std::size_t>(c)] * right[c * e.size + j];
            }
        }
    }
}

void FactoredProducts::addProduct(const double* p, double* q)
{
    std::ranges::fill(m_u, 0.);
    std::ranges::fill(m_f, 0.);
    for (const Point& point : m_points)
        for (std::size_t e = point.firstEntry; e < point.lastEntry; ++e)
            addTo(m_u.data() + point.offset, m_jacobian.data() + m_entries[e].value, point.size, m_entries[e].size,
                  p + m_entries[e].column);
    for (const Block& b : m_blocks)
        addTo(m_f.data() + b.row, m_values.data() + b.value, b.rows, b.cols, m_u.data() + b.col);
    for (const Point& point : m_points)
        for (std::size_t e = point.firstEntry; e < point.lastEntry; ++e)
            addTransposedTo(q + m_entries[e].column, m_jacobian.data() + m_entries[e].value, point.size,
                            m_entries[e].size, m_f.data() + point.offset);
}

}  // namespace sofa::core
