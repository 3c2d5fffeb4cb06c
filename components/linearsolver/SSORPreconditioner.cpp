// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <array>

#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// Symmetric successive over-relaxation: with A = L + D + Lᵀ, z = (2 − ω) ω (D + ω L)⁻¹ D (D + ω Lᵀ)⁻¹ r, scalar by
/// scalar (Axelsson, "A generalized SSOR method", 1972). Sequential.
class SSORPreconditioner final : public Preconditioner
{
public:
    Data<double> d_omega{
        this,
        {.name = "omega", .help = "Relaxation factor, between 0 and 2", .unit = "1", .range = Range::closed(0., 2.)},
        1.};

    void apply(std::span<const double> r, std::span<double> z) override
    {
        switch (m_matrix->blockSize()) {
            case 1:
                return substitute<1>(*m_matrix, r.data(), z.data());
            case 2:
                return substitute<2>(*m_matrix, r.data(), z.data());
            case 3:
                return substitute<3>(*m_matrix, r.data(), z.data());
            default:
                return substitute<6>(*m_matrix, r.data(), z.data());
        }
    }

protected:
    void prepare(SystemOperator& a) override
    {
        m_matrix = &a.assemble().matrix();
        m_factor = 2. - d_omega.value();
        m_inverse.resize(static_cast<std::size_t>(m_matrix->rows()));
        m_matrix->getDiagonal(m_inverse);
        for (std::size_t i = 0; i < m_inverse.size(); ++i) {
            if (m_inverse[i] == 0.) singular(a, static_cast<int>(i));
            m_inverse[i] = d_omega.value() / m_inverse[i];
        }
    }

private:
    /// Σ over blocks [first, last) of block × z. The entries of a block have sums that do not wait for each other.
    template <int B>
    static std::array<double, B> products(const BlockCsrMatrix& m, int first, int last, const double* z)
    {
        const int* const columns = m.colIdx().data();
        double sums[B * B] = {};
        for (int k = first; k < last; ++k) {
            const double* const values = m.block(static_cast<std::size_t>(k));
            const double* const x = z + std::ptrdiff_t{B} * columns[k];
            for (int e = 0; e < B * B; ++e) sums[e] += values[e] * x[e % B];
        }
        std::array<double, B> rows{};
        for (int e = 0; e < B * B; ++e) rows[static_cast<std::size_t>(e / B)] += sums[e];
        return rows;
    }
    /// z = (2 − ω) (1 + ω D⁻¹ L)⁻¹ ω (D + ω U)⁻¹ r for the parts L, D, U of the matrix, scalar by scalar.
    template <int B>
    void substitute(const BlockCsrMatrix& m, const double* r, double* z) const
    {
        const auto rowPtr = m.rowPtr();
        const int rows = m.rows() / B;
        // Diagonal blocks are stored, since none has a zero on its diagonal.
        for (int i = rows - 1; i >= 0; --i) {
            auto sums = products<B>(m, m.diagonal(i) + 1, rowPtr[static_cast<std::size_t>(i) + 1], z);
            const double* const values = m.block(static_cast<std::size_t>(m.diagonal(i)));
            double* const x = z + std::ptrdiff_t{B} * i;
            for (std::size_t e = B; e-- > 0;) {
                for (std::size_t c = e + 1; c < B; ++c) sums[e] += values[B * e + c] * x[c];
                x[e] = (r[B * i + static_cast<int>(e)] - sums[e]) * m_inverse[static_cast<std::size_t>(B * i) + e];
            }
        }
        for (int i = 0; i < rows; ++i) {
            auto sums = products<B>(m, rowPtr[static_cast<std::size_t>(i)], m.diagonal(i), z);
            const double* const values = m.block(static_cast<std::size_t>(m.diagonal(i)));
            double* const x = z + std::ptrdiff_t{B} * i;
            for (std::size_t e = 0; e < B; ++e) {
                for (std::size_t c = 0; c < e; ++c) sums[e] += values[B * e + c] * x[c];
                x[e] -= sums[e] * m_inverse[static_cast<std::size_t>(B * i) + e];
            }
        }
        if (m_factor != 1.)
            for (int i = 0; i < m.rows(); ++i) z[i] *= m_factor;
    }

    const BlockCsrMatrix* m_matrix = nullptr;
    Vector<double> m_inverse;  ///< ω D⁻¹
    double m_factor = 1.;      ///< 2 − ω
};

const RegisterComponent registeredSSORPreconditioner =
    RegisterComponent("SSORPreconditioner", "LinearSolver", Preconditioner::module)
        .help("Preconditioner for PCGLinearSolver: symmetric successive over-relaxation")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<SSORPreconditioner>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
