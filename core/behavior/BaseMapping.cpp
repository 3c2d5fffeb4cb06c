// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/BaseMapping.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace sofa::core {

/// The blocks of the geometric stiffness as they were at some positions and forces, for all products with them.
class BaseMapping::KeptStiffness final : public MatrixAccumulator
{
public:
    void update(BaseMapping& m, const MechanicalParams& mp)
    {
        // What the blocks depend on: the inputs' positions and the outputs' forces, by the counts of their changes.
        m_key.clear();
        const auto take = [&](const BaseState& s, auto id) {
            m_key.insert(m_key.end(), {reinterpret_cast<std::uintptr_t>(&s), id.index, id.generation, s.changesOf(id)});
        };
        for (const BaseState* s : m.inputs()) take(*s, mp.x.at(*s));
        for (const BaseState* s : m.outputs()) take(*s, mp.f.at(*s));
        if (m_key == m_builtFor) return;
        m_builtFor.clear();
        for (const auto& part : m_parts) part->clear();
        m.buildGeometricStiffness(mp, *this);
        m_builtFor = m_key;
    }

    BlockSink& sink(const BaseState& row, const BaseState& col) override
    {
        for (const auto& p : m_parts)
            if (p->row == &row && p->col == &col) return *p;
        return *m_parts.emplace_back(std::make_unique<Part>(row, col));
    }

    void addProduct(const BaseMapping& m, const MechanicalParams& mp, const MultiVecDerivId& df) const
    {
        for (BaseState* s : m.inputs())
            for (const auto& part : m_parts) {
                if (part->row != s || part->columns.empty()) continue;
                const ScalarsAccessor to(*s, df.at(*s));
                part->addProduct(to.data(), part->col->scalars(mp.dx.at(*part->col)), mp.kFactor);
            }
    }

private:
    struct Part final : BlockSink
    {
        Part(const BaseState& r, const BaseState& c) : row(&r), col(&c) {}
        void clear()
        {
            rows.clear();
            columns.clear();
            values.clear();
        }
        void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
        {
            rows.push_back(i);
            columns.push_back(j);
            values.insert(values.end(), block, block + r * c);
        }
        void addProduct(double* df, const double* dx, double factor) const
        {
            const auto run = [&](auto r, auto c) {
                for (std::size_t n = 0; n < rows.size(); ++n) {
                    const double *block = values.data() + n * r * c, *from = dx + columns[n] * c;
                    double* to = df + rows[n] * r;
                    for (std::size_t a = 0; a < r; ++a) {
                        double s = 0.;
                        for (std::size_t b = 0; b < c; ++b) s += block[a * c + b] * from[b];
                        to[a] += factor * s;
                    }
                }
            };
            constexpr std::integral_constant<std::size_t, 3> three;
            if (row->derivSize() == 3 && col->derivSize() == 3)
                run(three, three);
            else
                run(row->derivSize(), col->derivSize());
        }
        const BaseState *row, *col;
        Vector<Index> rows, columns;
        Vector<double> values;  ///< block after block, row-major
    };

    std::vector<std::size_t> m_key, m_builtFor;
    std::vector<std::unique_ptr<Part>> m_parts;
};

BaseMapping::BaseMapping() = default;
BaseMapping::~BaseMapping() = default;

void BaseMapping::applyDJT(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    if (mp.kFactor == 0. || !hasGeometricStiffness()) return;
    if (!m_stiffness) m_stiffness = std::make_unique<KeptStiffness>();
    m_stiffness->update(*this, mp);
    m_stiffness->addProduct(*this, mp, df);
}

}  // namespace sofa::core
