// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/MultigridLevel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/parallel/Parallel.h"

#if defined(__clang__)
#define SOFA_UNROLL _Pragma("unroll")
#else
#define SOFA_UNROLL _Pragma("GCC unroll 6")
#endif

namespace sofa::core {

namespace {

/// Four numbers, one register of every machine.
using Four = float __attribute__((vector_size(16)));

Four load(const float* p)
{
    Four v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// The first six numbers of a small vector, in two registers: 0 to 3, and 2 to 5.
template <int N>
struct SmallVector
{
    Four low, high;
    explicit SmallVector(const float* p) : low(load(p)), high(N > 4 ? load(p + 2) : low) {}
};

/// Sums of the products of the entries of R × C blocks, each with the number of a vector that its column (or, for
/// transposed products, its row) meets: no sum waits for another one.
template <int R, int C, bool Transposed = false>
class BlockSums
{
public:
    void add(const float* block, const float* x)
    {
        addAll(block, SmallVector < Transposed ? R : C > (x), std::make_integer_sequence<int, count>());
    }
    /// The product, of C numbers if it is transposed, else R.
    void get(float* y) const
    {
        float sums[4 * count];
        std::memcpy(sums, m_sums, sizeof sums);
        if constexpr (Transposed) {
            for (int c = 0; c < C; ++c) y[c] = sums[c];
            for (int r = 1; r < R; ++r)
                for (int c = 0; c < C; ++c) y[c] += sums[r * C + c];
        } else {
            for (int r = 0; r < R; ++r) {
                y[r] = sums[r * C];
                for (int c = 1; c < C; ++c) y[r] += sums[r * C + c];
            }
        }
    }

private:
    static constexpr int count = (R * C + 3) / 4;
    /// Where entry e finds its number in the two registers.
    static constexpr int lane(int e)
    {
        const int k = Transposed ? e / C : e % C;
        return k < 4 ? k : k + 2;
    }
    template <int V, int N>
    void addOne(const float* block, const SmallVector<N>& x)
    {
        m_sums[V] += load(block + 4 * V) * __builtin_shufflevector(x.low, x.high, lane(4 * V), lane(4 * V + 1),
                                                                   lane(4 * V + 2), lane(4 * V + 3));
    }
    template <int N, int... V>
    void addAll(const float* block, const SmallVector<N>& x, std::integer_sequence<int, V...>)
    {
        (addOne<V>(block, x), ...);
    }

    Four m_sums[count] = {};
};

/// c += a b for row-major matrices, or aᵀ b.
template <int R, int K, int C, bool Transposed = false>
[[gnu::always_inline]] inline void addProduct(const double* a, const double* b, double* c)
{
    SOFA_UNROLL
    for (int r = 0; r < R; ++r) {
        double row[C];
        for (int j = 0; j < C; ++j) row[j] = c[r * C + j];
        SOFA_UNROLL
        for (int k = 0; k < K; ++k) {
            const double f = Transposed ? a[k * R + r] : a[r * K + k];
            for (int j = 0; j < C; ++j) row[j] += f * b[k * C + j];
        }
        for (int j = 0; j < C; ++j) c[r * C + j] = row[j];
    }
}

template <std::size_t N>
std::array<double, N> widened(const float* p)
{
    std::array<double, N> d;
    for (std::size_t k = 0; k < N; ++k) d[k] = static_cast<double>(p[k]);
    return d;
}

/// Inverse of a symmetric positive definite block by its Cholesky factor; false if it is not one.
template <int B>
bool invert(const double* a, double* inverse)
{
    double l[B * B] = {}, w[B * B] = {};  // the factor and its inverse
    for (int i = 0; i < B; ++i) {
        for (int j = 0; j <= i; ++j) {
            double s = a[i * B + j];
            for (int k = 0; k < j; ++k) s -= l[i * B + k] * l[j * B + k];
            if (i != j) {
                l[i * B + j] = s / l[j * B + j];
            } else {
                if (!(s > 1e-14 * a[i * B + i]) || !std::isfinite(s)) return false;
                l[i * B + i] = std::sqrt(s);
            }
        }
        for (int j = 0; j <= i; ++j) {
            double s = i == j ? 1. : 0.;
            for (int k = j; k < i; ++k) s -= l[i * B + k] * w[k * B + j];
            w[i * B + j] = s / l[i * B + i];
        }
    }
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
            double s = 0.;
            for (int k = std::max(i, j); k < B; ++k) s += w[k * B + i] * w[k * B + j];
            inverse[i * B + j] = s;
        }
    return true;
}

/// Largest eigenvalue of the symmetric tridiagonal matrix, by bisection with Sturm sequences.
double largestEigenvalue(const Vector<double>& diagonal, const Vector<double>& beside)
{
    double high = 0.;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        high = std::max(high, diagonal[i] + (i > 0 ? std::abs(beside[i - 1]) : 0.) +
                                  (i + 1 < diagonal.size() ? std::abs(beside[i]) : 0.));
    double low = 0.;
    for (int step = 0; step < 40; ++step) {
        const double middle = 0.5 * (low + high);
        double pivot = 1.;
        bool above = false;  // an eigenvalue is
        for (std::size_t i = 0; i < diagonal.size() && !above; ++i) {
            pivot = diagonal[i] - middle - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0.);
            above = pivot >= 0.;
        }
        (above ? low : high) = middle;
    }
    return high;
}

/// Slots of a row's columns. Only those that were just set may be asked for.
class Slots
{
public:
    explicit Slots(int columns)
    {
        thread_local Vector<int> numbers;
        if (numbers.size() < static_cast<std::size_t>(columns)) numbers.resize(static_cast<std::size_t>(columns));
        m_numbers = numbers.data();
    }
    void set(std::span<const int> columns)
    {
        for (std::size_t k = 0; k < columns.size(); ++k) m_numbers[columns[k]] = static_cast<int>(k);
    }
    std::size_t operator[](int column) const { return static_cast<std::size_t>(m_numbers[column]); }

private:
    int* m_numbers;
};

/// Blocks of B scalars, M modes.
template <int B, int M>
class Level final : public MultigridLevel
{
public:
    Level(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed)
        : MultigridLevel(a, fixed, M),
          m_nodes(static_cast<std::size_t>(a.blockRows())),
          m_grain(grainOf(a.blockCount(), m_nodes, B * B))
    {
        m_rowStart.assign(a.rowPtr().begin(), a.rowPtr().end());
        m_columns.assign(a.colIdx().begin(), a.colIdx().end());
        m_values.assign(a.nonZeros() + padding, 0.f);
        m_inverse.assign(m_nodes * B * B + padding, 0.f);
        m_prolongation.assign(m_aggregation.prolongation.values.size() * B * M + padding, 0.f);
        m_restriction = m_prolongation;
        for (auto* v : {&solution, &residual, &m_direction, &m_next}) v->assign(m_nodes * B + padding, 0.f);
    }

    void refresh(const BlockCsrMatrix& a, double scale, Vector<double>& modes) override
    {
        copyValues(a, scale);
        estimateRadius();
        Vector<double> coarseModes = orthonormalize(modes);
        smoothProlongation(a, scale, modes);
        multiplyProlongation(a);
        multiplyTransposed();
        modes.swap(coarseModes);
    }

    void smoothDown(int degree) override
    {
        const auto first = static_cast<float>(4. / 3. / m_radius);
        parallelFor(0, m_nodes, 4096, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                float z[B];
                precondition(i, z);
                for (std::size_t c = 0; c < B; ++c) solution[i * B + c] = m_direction[i * B + c] = first * z[c];
            }
        });
        for (int k = 1; k < degree; ++k) step(k);
        parallelFor(0, m_nodes, m_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) subtractProduct(i);
        });
    }

    void restrictTo(Vector<float>& to) const override
    {
        const auto count = static_cast<std::size_t>(m_aggregation.count);
        parallelFor(0, count, 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                BlockSums<B, M, true> sums;
                for (int k = m_aggregation.rowsOf.start[g]; k < m_aggregation.rowsOf.start[g + 1]; ++k) {
                    const auto at = static_cast<std::size_t>(k);
                    sums.add(&m_restriction[at * B * M],
                             &residual[static_cast<std::size_t>(m_aggregation.rowsOf.values[at]) * B]);
                }
                sums.get(&to[g * M]);
            }
        });
    }

    void prolong(const Vector<float>& from, Vector<float>& to) const override
    {
        const IndexRows& p = m_aggregation.prolongation;
        parallelFor(0, m_nodes, 2048, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                BlockSums<B, M> sums;
                for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
                    const auto at = static_cast<std::size_t>(k);
                    sums.add(&m_prolongation[at * B * M], &from[static_cast<std::size_t>(p.values[at]) * M]);
                }
                sums.get(&to[i * B]);
            }
        });
    }

    void smoothUp(const Vector<float>& correction, int degree) override
    {
        prolong(correction, m_direction);
        parallelFor(0, m_nodes * B, 16384, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) solution[i] += m_direction[i];
        });
        for (int k = 0; k < degree; ++k) step(k);
    }

private:
    /// Nodes that make half a megabyte of blocks of `area` numbers.
    static std::size_t grainOf(std::size_t blocks, std::size_t rows, std::size_t area)
    {
        const std::size_t bytes =
            std::max<std::size_t>(1, blocks * area * sizeof(float) / std::max<std::size_t>(1, rows));
        return std::clamp<std::size_t>((std::size_t{1} << 19) / bytes, 16, 4096);
    }
    std::size_t rowBegin(std::size_t i) const { return static_cast<std::size_t>(m_rowStart[i]); }

    /// z = D⁻¹ residual, for node i.
    void precondition(std::size_t i, float* z) const
    {
        BlockSums<B, B> sums;
        sums.add(&m_inverse[i * B * B], &residual[i * B]);
        sums.get(z);
    }
    /// y = A x, for node i.
    void product(std::size_t i, const Vector<float>& x, float* y) const
    {
        BlockSums<B, B> sums;
        for (std::size_t k = rowBegin(i); k < rowBegin(i + 1); ++k)
            sums.add(&m_values[k * B * B], &x[static_cast<std::size_t>(m_columns[k]) * B]);
        sums.get(y);
    }
    /// residual −= A direction, for node i.
    void subtractProduct(std::size_t i)
    {
        float y[B];
        product(i, m_direction, y);
        for (std::size_t c = 0; c < B; ++c) residual[i * B + c] -= y[c];
    }
    /// Step k of the polynomial smoother by Chebyshev polynomials of the fourth kind, which needs no lower bound of the
    /// eigenvalues that it damps: J. Lottes, "Optimal polynomial smoothers for multigrid V-cycles" (Numerical Linear
    /// Algebra with Applications 30, 2023), algorithm 3.1 with β = 1.
    void step(int k)
    {
        const auto keep = static_cast<float>(k == 0 ? 0. : (2. * k - 1.) / (2. * k + 3.)),
                   take = static_cast<float>((8. * k + 4.) / (2. * k + 3.) / m_radius);
        parallelFor(0, m_nodes, m_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                subtractProduct(i);
                float z[B];
                precondition(i, z);
                for (std::size_t c = 0; c < B; ++c) {
                    m_next[i * B + c] = keep * m_direction[i * B + c] + take * z[c];
                    solution[i * B + c] += m_next[i * B + c];
                }
            }
        });
        m_direction.swap(m_next);
    }

    void copyValues(const BlockCsrMatrix& a, double scale)
    {
        parallelFor(0, m_nodes, m_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = rowBegin(begin) * B * B; k < rowBegin(end) * B * B; ++k)
                m_values[k] = static_cast<float>(a.values()[k] * scale);
            for (std::size_t i = begin; i < end; ++i) {
                double inverse[B * B];
                const int diagonal = a.diagonal(static_cast<int>(i));
                if (diagonal < 0 || !invert<B>(a.block(static_cast<std::size_t>(diagonal)), inverse))
                    throw std::runtime_error("block " + std::to_string(i) + " of the diagonal of a matrix of " +
                                             std::to_string(m_nodes) + " blocks is not positive definite");
                for (std::size_t e = 0; e < B * B; ++e)
                    m_inverse[i * B * B + e] = static_cast<float>(inverse[e] / scale);
            }
        });
    }

    static double dot(const Vector<float>& a, const Vector<float>& b, std::size_t n)
    {
        return parallelSum(0, n, 16384, 0., [&](std::size_t begin, std::size_t end) {
            double s = 0.;
            for (std::size_t i = begin; i < end; ++i) s += static_cast<double>(a[i]) * static_cast<double>(b[i]);
            return s;
        });
    }

    /// Largest eigenvalue of D⁻¹ A from the coefficients of some conjugate gradient iterations with D⁻¹ as
    /// preconditioner, which are those of Lanczos' method (Golub and Van Loan, Matrix Computations, section 11.5.2).
    void estimateRadius()
    {
        constexpr int iterations = 10;
        constexpr double margin = 1.05;  // Lanczos' value is a lower bound, a few per cent off by then
        const std::size_t n = m_nodes * B;
        Vector<float>&q = m_direction, &z = m_next, &p = solution;
        const auto forAll = [n](auto&& f) {
            parallelFor(0, n, 16384, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) f(i);
            });
        };
        forAll([&](std::size_t i) {
            // Any vector that is like no eigenvector: the bits of i, mixed.
            auto h = static_cast<std::uint32_t>(i) * 2654435761u;
            h = (h ^ (h >> 15)) * 2246822519u;
            residual[i] = static_cast<float>(h >> 8) / 8388608.f - 1.f;
        });
        const auto preconditionAll = [&] {
            parallelFor(0, m_nodes, 4096, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) precondition(i, &z[i * B]);
            });
            return dot(residual, z, n);
        };
        Vector<double> diagonal, beside;
        double rho = preconditionAll(), carry = 0.;
        const double least = 1e-10 * rho;
        p = z;
        while (diagonal.size() < iterations && rho > least) {
            parallelFor(0, m_nodes, m_grain, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) product(i, p, &q[i * B]);
            });
            const double curvature = dot(p, q, n);
            if (!(curvature > 0.)) throw std::runtime_error("the matrix is not positive definite");
            const double alpha = rho / curvature;
            const auto down = static_cast<float>(alpha);
            forAll([&](std::size_t i) { residual[i] -= down * q[i]; });
            const double next = preconditionAll(), beta = next / rho;
            diagonal.push_back(1. / alpha + carry);
            beside.push_back(std::sqrt(beta) / alpha);
            carry = beta / alpha;
            const auto turn = static_cast<float>(beta);
            forAll([&](std::size_t i) { p[i] = z[i] + turn * p[i]; });
            rho = next;
        }
        m_radius = diagonal.empty() ? 1. : margin * largestEigenvalue(diagonal, beside);
    }

    /// Replaces the modes on each aggregate by an orthonormal basis of them (Gram and Schmidt, twice) and returns the
    /// coordinates of the modes in it. A mode that depends on others, as the rotation of points on a line about it, has
    /// no vector in the basis.
    Vector<double> orthonormalize(Vector<double>& modes) const
    {
        const auto count = static_cast<std::size_t>(m_aggregation.count);
        Vector<double> coordinates(count * M * M, 0.);
        parallelFor(0, count, 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const auto forRows = [&](auto&& f) {
                    for (const int i : m_aggregation.nodes[g])
                        for (std::size_t c = 0; c < B; ++c) f(&modes[(static_cast<std::size_t>(i) * B + c) * M]);
                };
                double* const r = &coordinates[g * M * M];
                for (int k = 0; k < M; ++k) {
                    double before = 0.;
                    forRows([&](const double* row) { before += row[k] * row[k]; });
                    for (int pass = 0; pass < 2; ++pass)
                        for (int j = 0; j < k; ++j) {
                            double s = 0.;
                            forRows([&](const double* row) { s += row[j] * row[k]; });
                            forRows([&](double* row) { row[k] -= s * row[j]; });
                            r[j * M + k] += s;
                        }
                    double square = 0.;
                    forRows([&](const double* row) { square += row[k] * row[k]; });
                    const double norm = square > 1e-18 * before ? std::sqrt(square) : 0.;
                    r[k * M + k] = norm;
                    forRows([&](double* row) { row[k] = norm > 0. ? row[k] / norm : 0.; });
                }
            }
        });
        return coordinates;
    }

    /// P = (I − ω D⁻¹ A) T for the orthonormal modes T of the aggregates, with ω = 4/3 over the spectral radius.
    void smoothProlongation(const BlockCsrMatrix& a, double scale, const Vector<double>& t)
    {
        const IndexRows& p = m_aggregation.prolongation;
        const double factor = -4. / 3. / m_radius * scale;
        parallelFor(0, m_nodes, 2048, [&](std::size_t begin, std::size_t end) {
            Slots slots(m_aggregation.count);
            Vector<double> sums;
            for (std::size_t i = begin; i < end; ++i) {
                const auto columns = p[i];
                if (columns.empty()) continue;
                slots.set(columns);
                sums.assign(columns.size() * B * M, 0.);
                for (std::size_t k = rowBegin(i); k < rowBegin(i + 1); ++k) {
                    const auto j = static_cast<std::size_t>(m_columns[k]);
                    if (const int g = m_aggregation.aggregate[j]; g >= 0)
                        addProduct<B, B, M>(a.block(k), &t[j * B * M], &sums[slots[g] * B * M]);
                }
                auto inverse = widened<B * B>(&m_inverse[i * B * B]);
                for (double& v : inverse) v *= factor;
                for (std::size_t s = 0; s < columns.size(); ++s) {
                    double block[B * M] = {};
                    if (columns[s] == m_aggregation.aggregate[i])
                        std::copy_n(&t[i * B * M], B * M, static_cast<double*>(block));
                    addProduct<B, B, M>(inverse.data(), &sums[s * B * M], block);
                    float* const out = &m_prolongation[(static_cast<std::size_t>(p.start[i]) + s) * B * M];
                    for (std::size_t e = 0; e < B * M; ++e) out[e] = static_cast<float>(block[e]);
                }
            }
        });
    }

    /// A P
    void multiplyProlongation(const BlockCsrMatrix& a)
    {
        const IndexRows &p = m_aggregation.prolongation, &ap = m_aggregation.product;
        m_product.resize(ap.values.size() * B * M);
        parallelFor(0, m_nodes, 1024, [&](std::size_t begin, std::size_t end) {
            Slots slots(m_aggregation.count);
            for (std::size_t i = begin; i < end; ++i) {
                const auto columns = ap[i];
                if (columns.empty()) continue;
                slots.set(columns);
                double* const out = &m_product[static_cast<std::size_t>(ap.start[i]) * B * M];
                std::fill_n(out, columns.size() * B * M, 0.);
                for (std::size_t k = rowBegin(i); k < rowBegin(i + 1); ++k) {
                    const auto j = static_cast<std::size_t>(m_columns[k]);
                    for (int e = p.start[j]; e < p.start[j + 1]; ++e) {
                        const auto at = static_cast<std::size_t>(e);
                        const auto block = widened<B * M>(&m_prolongation[at * B * M]);
                        addProduct<B, B, M>(a.block(k), block.data(), out + slots[p.values[at]] * B * M);
                    }
                }
            }
        });
    }

    /// Pᵀ (A P): the blocks on and right of the diagonal, then the others as their transposes.
    void multiplyTransposed()
    {
        const Aggregation& g = m_aggregation;
        BlockCsrMatrix& c = m_aggregation.coarse;
        const auto count = static_cast<std::size_t>(g.count);
        parallelFor(0, count, 64, [&](std::size_t begin, std::size_t end) {
            Slots slots(g.count);
            for (std::size_t row = begin; row < end; ++row) {
                const auto first = static_cast<std::size_t>(c.rowPtr()[row]),
                           last = static_cast<std::size_t>(c.rowPtr()[row + 1]);
                slots.set(c.colIdx().subspan(first, last - first));
                std::fill(c.block(first), c.block(last), 0.);
                for (int k = g.rowsOf.start[row]; k < g.rowsOf.start[row + 1]; ++k) {
                    const auto at = static_cast<std::size_t>(k);
                    const auto i = static_cast<std::size_t>(g.rowsOf.values[at]);
                    std::copy_n(&m_prolongation[static_cast<std::size_t>(g.entryOf[at]) * B * M], B * M,
                                &m_restriction[at * B * M]);
                    const auto block = widened<B * M>(&m_restriction[at * B * M]);
                    for (int e = g.product.start[i + 1]; e-- > g.product.start[i];) {
                        const int column = g.product.values[static_cast<std::size_t>(e)];
                        if (column < static_cast<int>(row)) break;
                        addProduct<M, B, M, true>(block.data(), &m_product[static_cast<std::size_t>(e) * B * M],
                                                  c.block(first + slots[column]));
                    }
                }
                completeDiagonal(c.block(static_cast<std::size_t>(c.diagonal(static_cast<int>(row)))));
            }
        });
        parallelFor(0, count, 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row)
                for (auto k = static_cast<std::size_t>(c.rowPtr()[row]); c.colIdx()[k] < static_cast<int>(row); ++k) {
                    const double* const from =
                        c.block(static_cast<std::size_t>(c.find(c.colIdx()[k], static_cast<int>(row))));
                    double* const to = c.block(k);
                    for (int r = 0; r < M; ++r)
                        for (int s = 0; s < M; ++s) to[r * M + s] = from[s * M + r];
                }
        });
    }

    /// Makes a diagonal block exactly symmetric, and gives modes that do not exist the row of the identity, in the size
    /// of the others.
    static void completeDiagonal(double* d)
    {
        double largest = 0.;
        for (int r = 0; r < M; ++r) {
            largest = std::max(largest, d[r * M + r]);
            for (int s = 0; s < r; ++s) d[r * M + s] = d[s * M + r];
        }
        for (int r = 0; r < M; ++r)
            if (d[r * M + r] == 0.) d[r * M + r] = largest;
    }

    std::size_t m_nodes, m_grain;
    Vector<float> m_direction, m_next;
};

}  // namespace

std::size_t MultigridLevel::bytes() const
{
    const auto numbers = [](const auto&... v) { return (... + (v.size() * sizeof(v[0]))); };
    const auto rows = [&](const IndexRows& r) { return numbers(r.start, r.values); };
    const Aggregation& g = m_aggregation;
    return numbers(m_rowStart, m_columns, m_values, m_inverse, m_prolongation, m_restriction, m_product, g.aggregate,
                   g.entryOf, g.coarse.values(), g.coarse.colIdx(), solution, residual, solution, residual) +
           rows(g.nodes) + rows(g.prolongation) + rows(g.rowsOf) + rows(g.product);
}

std::unique_ptr<MultigridLevel> makeMultigridLevel(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed,
                                                   int modes)
{
    if (modes != 3 && modes != 6) throw std::runtime_error("multigrid takes 3 or 6 modes");
    const bool space = modes == 6;
    switch (a.blockSize()) {
        case 1:
            if (space) return std::make_unique<Level<1, 6>>(a, fixed);
            return std::make_unique<Level<1, 3>>(a, fixed);
        case 2:
            if (space) return std::make_unique<Level<2, 6>>(a, fixed);
            return std::make_unique<Level<2, 3>>(a, fixed);
        case 3:
            if (space) return std::make_unique<Level<3, 6>>(a, fixed);
            return std::make_unique<Level<3, 3>>(a, fixed);
        default:
            if (!space) throw std::runtime_error("blocks of 6 scalars need 6 modes");
            return std::make_unique<Level<6, 6>>(a, fixed);
    }
}

}  // namespace sofa::core
