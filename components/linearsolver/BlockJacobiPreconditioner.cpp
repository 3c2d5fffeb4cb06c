// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <array>
#include <cmath>
#include <utility>

#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"
#include "core/parallel/Parallel.h"

namespace sofa::component {

using namespace core;

namespace {

/// z = D⁻¹ r with the diagonal blocks D of A, of the size of its blocks (3 × 3 for points in space).
class BlockJacobiPreconditioner final : public Preconditioner
{
public:
    bool needsMatrix() const override { return false; }
    void apply(std::span<const double> r, std::span<double> z) override
    {
        const std::size_t n = m_size;
        parallelFor(0, r.size() / n, 4096, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                for (std::size_t k = 0; k < n; ++k) {
                    double sum = 0.;
                    for (std::size_t c = 0; c < n; ++c) sum += m_inverse[(i * n + k) * n + c] * r[i * n + c];
                    z[i * n + k] = sum;
                }
        });
    }

protected:
    void prepare(SystemOperator& a) override
    {
        const BlockCsrMatrix& m = a.diagonal();
        m_size = static_cast<std::size_t>(m.blockSize());
        const std::size_t area = m_size * m_size;
        m_inverse.assign(static_cast<std::size_t>(m.blockRows()) * area, 0.);
        for (int i = 0; i < m.blockRows(); ++i) {
            // Gauss-Jordan elimination with row pivoting.
            std::array<double, 72> w{};
            for (std::size_t r = 0; r < m_size; ++r) {
                for (std::size_t c = 0; c < m_size; ++c)
                    w[r * 2 * m_size + c] = m.block(static_cast<std::size_t>(m.diagonal(i)))[r * m_size + c];
                w[r * 2 * m_size + m_size + r] = 1.;
            }
            for (std::size_t k = 0; k < m_size; ++k) {
                std::size_t pivot = k;
                for (std::size_t r = k + 1; r < m_size; ++r)
                    if (std::abs(w[r * 2 * m_size + k]) > std::abs(w[pivot * 2 * m_size + k])) pivot = r;
                const double p = w[pivot * 2 * m_size + k];
                if (p == 0.) singular(a, i * static_cast<int>(m_size) + static_cast<int>(k));
                for (std::size_t c = 0; c < 2 * m_size; ++c) {
                    std::swap(w[k * 2 * m_size + c], w[pivot * 2 * m_size + c]);
                    w[k * 2 * m_size + c] /= p;
                }
                for (std::size_t r = 0; r < m_size; ++r) {
                    const double f = w[r * 2 * m_size + k];
                    if (r == k || f == 0.) continue;
                    for (std::size_t c = 0; c < 2 * m_size; ++c) w[r * 2 * m_size + c] -= f * w[k * 2 * m_size + c];
                }
            }
            for (std::size_t r = 0; r < m_size; ++r)
                for (std::size_t c = 0; c < m_size; ++c)
                    m_inverse[static_cast<std::size_t>(i) * area + r * m_size + c] = w[r * 2 * m_size + m_size + c];
        }
    }

private:
    std::size_t m_size = 3;
    Vector<double> m_inverse;
};

const RegisterComponent registeredBlockJacobiPreconditioner =
    RegisterComponent("BlockJacobiPreconditioner", "LinearSolver", Preconditioner::module)
        .help("Preconditioner for PCGLinearSolver: the inverse diagonal blocks of the matrix")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<BlockJacobiPreconditioner>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
