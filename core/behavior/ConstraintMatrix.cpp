// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintMatrix.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace sofa::core {

int ConstraintMatrix::Part::find(int row) const
{
    const auto it = std::lower_bound(rows.begin(), rows.end(), row);
    return it != rows.end() && *it == row ? static_cast<int>(it - rows.begin()) : -1;
}

void ConstraintMatrix::begin()
{
    m_rows = 0;
    // States that no row touched may be gone.
    std::erase_if(m_parts, [this](const auto& p) { return p->m_entries.empty() && m_partOf.erase(p->state) > 0; });
    for (auto& p : m_parts) {
        p->m_entries.clear();
        p->m_added.clear();
        p->rows.clear();
        p->start.assign(1, 0);
        p->points.clear();
        p->values.clear();
    }
}

ConstraintMatrix::Part& ConstraintMatrix::partOf(BaseState& s)
{
    Part*& place = m_partOf[&s];
    if (place) return *place;
    m_parts.push_back(std::make_unique<Part>());
    Part& p = *m_parts.back();
    place = &p;
    p.state = &s;
    p.derivSize = s.derivSize();
    p.start.assign(1, 0);
    return p;
}

void ConstraintMatrix::add(BaseState& s, int row, Index point, const double* values)
{
    if (point >= s.size())
        throw std::runtime_error("a constraint acts on point " + std::to_string(point) + " of " + s.pathName() +
                                 ", which has " + std::to_string(s.size()) + " points");
    Part& p = partOf(s);
    p.m_entries.push_back({row, point, p.m_added.size()});
    p.m_added.insert(p.m_added.end(), values, values + p.derivSize);
}

void ConstraintMatrix::compress(Part& p)
{
    // Entries of one row and point are summed in the order in which they came.
    std::stable_sort(p.m_entries.begin(), p.m_entries.end(), [](const Part::Entry& a, const Part::Entry& b) {
        return a.row != b.row ? a.row < b.row : a.point < b.point;
    });
    p.rows.clear();
    p.start.clear();
    p.points.clear();
    p.values.clear();
    for (const Part::Entry& e : p.m_entries) {
        const bool newRow = p.rows.empty() || p.rows.back() != e.row;
        if (newRow) {
            p.rows.push_back(e.row);
            p.start.push_back(static_cast<int>(p.points.size()));
        }
        const double* v = p.m_added.data() + e.at;
        if (newRow || p.points.back() != e.point) {
            p.points.push_back(e.point);
            p.values.insert(p.values.end(), v, v + p.derivSize);
        } else {
            double* sum = p.values.data() + p.values.size() - p.derivSize;
            for (std::size_t k = 0; k < p.derivSize; ++k) sum[k] += v[k];
        }
    }
    p.start.push_back(static_cast<int>(p.points.size()));
}

void ConstraintMatrix::carry(const std::vector<BaseMapping*>& mappings)
{
    Vector<double> product;
    for (auto it = mappings.rbegin(); it != mappings.rend(); ++it) {
        BaseMapping& m = **it;
        if (!m.isMechanical() || !m.d_mapConstraints.value()) continue;
        const auto outputs = m.outputs(), inputs = m.inputs();
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            Part* out = const_cast<Part*>(part(*outputs[o]));
            if (!out || out->m_entries.empty()) continue;
            compress(*out);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const BaseJacobian* j = m.jacobian(o, i);
                if (!j) continue;
                Part& in = partOf(*inputs[i]);
                const std::size_t r = j->blockRows(), c = j->blockCols();
                product.resize(c);
                for (std::size_t k = 0; k < out->rows.size(); ++k) {
                    for (int e = out->start[k]; e < out->start[k + 1]; ++e) {
                        const double* h = out->values.data() + static_cast<std::size_t>(e) * r;
                        const Index point = out->points[static_cast<std::size_t>(e)];
                        const double* block = j->blocks(point);
                        for (const Index column : j->columns(point)) {
                            for (std::size_t b = 0; b < c; ++b) {
                                double s = 0.;
                                for (std::size_t a = 0; a < r; ++a) s += h[a] * block[a * c + b];
                                product[b] = s;
                            }
                            in.m_entries.push_back({out->rows[k], column, in.m_added.size()});
                            in.m_added.insert(in.m_added.end(), product.begin(), product.end());
                            block += r * c;
                        }
                    }
                }
            }
        }
    }
    for (auto& p : m_parts) compress(*p);
}

void ConstraintMatrix::eliminate(const std::vector<BaseProjectiveConstraint*>& constraints)
{
    struct Collect final : EliminationSink
    {
        std::vector<std::pair<const BaseState*, Vector<std::uint64_t>>> held;
        void eliminate(const BaseState& s, Index i, std::size_t k) override
        {
            if (held.empty() || held.back().first != &s) held.push_back({&s, {}});
            held.back().second.push_back(static_cast<std::uint64_t>(i) * s.derivSize() + k);
        }
        void project(const BaseState& s, Index i, const double* p) override
        {
            auto* part = const_cast<Part*>(matrix.part(s));
            if (!part || part->empty()) return;
            const std::size_t n = part->derivSize;
            std::array<double, 6> h{};
            for (std::size_t e = 0; e < part->points.size(); ++e) {
                if (part->points[e] != i) continue;
                double* v = part->values.data() + e * n;
                std::copy_n(v, n, h.begin());
                for (std::size_t a = 0; a < n; ++a) {
                    v[a] = 0.;
                    for (std::size_t b = 0; b < n; ++b) v[a] += p[a * n + b] * h[b];
                }
            }
        }
        void join(const BaseState& s1, Index i1, const BaseState& s2, Index i2, std::size_t k) override
        {
            joined.push_back({&s1, i1, k, &s2, i2});
            joined.push_back({&s2, i2, k, &s1, i1});
        }
        explicit Collect(const ConstraintMatrix& m) : matrix(m) {}
        const ConstraintMatrix& matrix;
        std::vector<Joined> joined;
    } collect(*this);
    for (const BaseProjectiveConstraint* c : constraints) c->eliminate(collect);
    join(collect.joined);
    for (auto& [state, scalars] : collect.held) {
        Part* p = const_cast<Part*>(part(*state));
        if (!p || p->empty()) continue;
        std::sort(scalars.begin(), scalars.end());
        for (std::size_t e = 0; e < p->points.size(); ++e)
            for (std::size_t k = 0; k < p->derivSize; ++k)
                if (std::binary_search(scalars.begin(), scalars.end(), p->points[e] * p->derivSize + k))
                    p->values[e * p->derivSize + k] = 0.;
        Vector<int> rows, start;
        Vector<Index> points;
        Vector<double> values;
        for (std::size_t r = 0; r < p->rows.size(); ++r) {
            const auto first = static_cast<std::size_t>(p->start[r]), last = static_cast<std::size_t>(p->start[r + 1]);
            const auto zero = [](double v) { return v == 0.; };
            const auto begin = p->values.begin();
            const auto at = [&](std::size_t e) { return begin + static_cast<std::ptrdiff_t>(e * p->derivSize); };
            if (std::all_of(at(first), at(last), zero)) continue;
            rows.push_back(p->rows[r]);
            start.push_back(static_cast<int>(points.size()));
            for (std::size_t e = first; e < last; ++e) {
                if (std::all_of(at(e), at(e + 1), zero)) continue;
                points.push_back(p->points[e]);
                values.insert(values.end(), at(e), at(e + 1));
            }
        }
        start.push_back(static_cast<int>(points.size()));
        p->rows.swap(rows);
        p->start.swap(start);
        p->points.swap(points);
        p->values.swap(values);
    }
}

void ConstraintMatrix::join(std::span<const Joined> joined)
{
    if (joined.empty()) return;
    // Half of the number of each point goes to the other one, which may have no entry in that row yet.
    std::vector<std::tuple<BaseState*, int, Index, std::array<double, 6>>> halves;
    for (const Joined& j : joined) {
        auto* own = const_cast<Part*>(part(*j.state));
        if (!own) continue;
        for (std::size_t r = 0; r < own->rows.size(); ++r)
            for (int e = own->start[r]; e < own->start[r + 1]; ++e) {
                if (own->points[static_cast<std::size_t>(e)] != j.point) continue;
                double& value = own->values[static_cast<std::size_t>(e) * own->derivSize + j.scalar];
                value *= 0.5;
                std::array<double, 6> half{};
                half[j.scalar] = value;
                halves.emplace_back(const_cast<BaseState*>(j.other), own->rows[r], j.otherPoint, half);
            }
    }
    for (auto& p : m_parts) {
        p->m_entries.clear();
        for (std::size_t r = 0; r < p->rows.size(); ++r)
            for (auto e = static_cast<std::size_t>(p->start[r]); e < static_cast<std::size_t>(p->start[r + 1]); ++e)
                p->m_entries.push_back({p->rows[r], p->points[e], e * p->derivSize});
        p->m_added = p->values;
    }
    for (const auto& [state, row, point, half] : halves) add(*state, row, point, half.data());
    for (auto& p : m_parts) compress(*p);
}

const ConstraintMatrix::Part* ConstraintMatrix::part(const BaseState& s) const
{
    const auto it = m_partOf.find(&s);
    return it == m_partOf.end() ? nullptr : it->second;
}

void ConstraintMatrix::addProduct(const BaseState& s, VecDerivId v, std::span<double> out) const
{
    const Part* p = part(s);
    if (!p || p->empty()) return;
    const double* x = s.scalars(v);
    for (std::size_t r = 0; r < p->rows.size(); ++r) {
        double sum = 0.;
        for (int e = p->start[r]; e < p->start[r + 1]; ++e) {
            const double* h = p->values.data() + static_cast<std::size_t>(e) * p->derivSize;
            const double* xe = x + p->points[static_cast<std::size_t>(e)] * p->derivSize;
            for (std::size_t k = 0; k < p->derivSize; ++k) sum += h[k] * xe[k];
        }
        out[static_cast<std::size_t>(p->rows[r])] += sum;
    }
}

void ConstraintMatrix::addForce(BaseState& s, VecDerivId f, std::span<const double> lambda) const
{
    const Part* p = part(s);
    if (!p || p->empty()) return;
    const ScalarsAccessor access(s, f);
    double* y = access.data();
    for (std::size_t r = 0; r < p->rows.size(); ++r) {
        const double l = lambda[static_cast<std::size_t>(p->rows[r])];
        if (l == 0.) continue;
        for (int e = p->start[r]; e < p->start[r + 1]; ++e) {
            const double* h = p->values.data() + static_cast<std::size_t>(e) * p->derivSize;
            double* ye = y + p->points[static_cast<std::size_t>(e)] * p->derivSize;
            for (std::size_t k = 0; k < p->derivSize; ++k) ye[k] += h[k] * l;
        }
    }
}

}  // namespace sofa::core
