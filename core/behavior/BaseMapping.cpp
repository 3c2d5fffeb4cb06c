// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/BaseMapping.h"

#include <memory>
#include <vector>

namespace sofa::core {

namespace {

/// Multiplies the blocks that it receives by a displacement of the inputs: df_row += factor · block · dx_col.
class StiffnessProduct final : public MatrixAccumulator
{
public:
    StiffnessProduct(const BaseMapping& m, const MechanicalParams& mp, const MultiVecDerivId& df)
        : m_mapping(m), m_params(mp), m_df(df)
    {
    }
    BlockSink& sink(const BaseState& row, const BaseState& col) override
    {
        for (const auto& s : m_sinks)
            if (s->row == &row && s->col == &col) return *s;
        return *m_sinks.emplace_back(
            std::make_unique<Sink>(row, col, vectorOf(row), col.scalars(m_params.dx.at(col)), m_params.kFactor));
    }

private:
    struct Sink final : BlockSink
    {
        Sink(const BaseState& r, const BaseState& c, double* to, const double* from, double k)
            : row(&r), col(&c), df(to), dx(from), factor(k)
        {
        }
        void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
        {
            for (std::size_t a = 0; a < r; ++a) {
                double s = 0.;
                for (std::size_t b = 0; b < c; ++b) s += block[a * c + b] * dx[j * c + b];
                df[i * r + a] += factor * s;
            }
        }
        const BaseState *row, *col;
        double* df;
        const double* dx;
        double factor;
    };

    double* vectorOf(const BaseState& state)
    {
        const std::vector<BaseState*> inputs = m_mapping.inputs();
        m_vectors.resize(inputs.size());
        for (std::size_t k = 0;; ++k) {
            if (inputs.at(k) != &state) continue;
            if (!m_vectors[k]) m_vectors[k] = std::make_unique<ScalarsAccessor>(*inputs[k], m_df.at(*inputs[k]));
            return m_vectors[k]->data();
        }
    }

    const BaseMapping& m_mapping;
    const MechanicalParams& m_params;
    const MultiVecDerivId& m_df;
    std::vector<std::unique_ptr<ScalarsAccessor>> m_vectors;  ///< of the inputs, those in use
    std::vector<std::unique_ptr<Sink>> m_sinks;
};

}  // namespace

void BaseMapping::applyDJT(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    if (mp.kFactor == 0. || !hasGeometricStiffness()) return;
    StiffnessProduct product(*this, mp, df);
    buildGeometricStiffness(mp, product);
}

}  // namespace sofa::core
