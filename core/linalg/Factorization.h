// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/linalg/ComplianceCache.h"
#include "core/linalg/Ordering.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Direct methods for A x = b.
enum class FactorizationMethod
{
    supernodalLdlt,  ///< multifrontal block L D Lᵀ of this library (SupernodalLdlt); symmetric A; the default
    eigenLdlt,       ///< Eigen's simplicial L D Lᵀ; symmetric A
    eigenLlt,        ///< Eigen's simplicial Cholesky L Lᵀ; symmetric positive definite A
    eigenLu,         ///< Eigen's supernodal LU with partial pivoting; any regular A
    eigenQr,         ///< Eigen's rank-revealing QR; any A (least squares if it is singular)
    denseLu,         ///< dense LU with partial pivoting; any regular A of a few unknowns (DenseDirect)
    denseCholesky,   ///< dense L Lᵀ; symmetric positive definite A of a few unknowns (DenseDirect)
    denseSvd,        ///< dense singular value decomposition; any A of a few unknowns (DenseSvd)
};

/// "SupernodalLDLT", "EigenSimplicialLDLT", "EigenSimplicialLLT", "EigenSparseLU", "EigenSparseQR", "DenseLU",
/// "DenseCholesky", "DenseSVD"; and back.
std::string_view name(FactorizationMethod method);
std::optional<FactorizationMethod> factorizationMethod(std::string_view name);

/// Outcome of a factorisation.
enum class FactorizationStatus
{
    ok,
    nearlySingular,  ///< a pivot is below 1e-11 of its diagonal entry: solutions may have few correct digits
    singular,        ///< a pivot is exactly zero, or (eigenLlt) not positive; see FactorizationReport::zeroPivotRows
    notFinite,       ///< the matrix or its factor contains infinite or not-a-number values
};

/// What is known about the latest factorisation.
struct FactorizationReport
{
    FactorizationStatus status = FactorizationStatus::ok;
    OrderingMethod ordering = OrderingMethod::natural;
    std::size_t factorNonZeros = 0;  ///< stored scalars of the factor(s), diagonal included
    double operations = 0.;          ///< additions and multiplications of one factorisation; 0 if not known
    int negativePivots = 0;          ///< negative entries of D: the number of negative eigenvalues (Sylvester's law)
    int zeroPivots = 0;              ///< pivots that are zero, nearly zero or not finite
    Vector<int> zeroPivotRows;       ///< scalar rows of the matrix of the first of these (at most 16), increasing
    double analyzeSeconds = 0.;
    double factorizeSeconds = 0.;

    /// One line for a person: what is wrong, and in which rows. "ok" if nothing is.
    std::string describe() const;
};

/// A direct solver for one sparse matrix at a time.
///
///     auto f = makeFactorization(FactorizationMethod::supernodalLdlt);
///     f->analyze(a);                            // once per pattern
///     if (f->factorize(a) != FactorizationStatus::ok) report(f->report().describe());
///     f->solve(b, x);
///
/// Symmetric methods read one triangle of A (after the permutation); that A is symmetric is the caller's promise.
/// Objects are not thread-safe: `solve` is const but uses work space of the object.
class Factorization
{
public:
    virtual ~Factorization() = default;
    Factorization() = default;
    Factorization(const Factorization&) = delete;
    Factorization& operator=(const Factorization&) = delete;

    /// Symbolic phase: order and structure of the factor from the pattern of A. Throws std::runtime_error if A is not
    /// square.
    virtual void analyze(const BlockCsrMatrix& a) = 0;

    /// Numeric phase, for a matrix of the pattern given to `analyze`; called without, or with another pattern, it
    /// analyses first.
    virtual FactorizationStatus factorize(const BlockCsrMatrix& a) = 0;

    /// Solves A X = B for `nrhs` right-hand sides. b and x hold rows() · nrhs scalars, one right-hand side after the
    /// other, and may be the same memory. Throws std::runtime_error on wrong sizes or without a factorisation. If
    /// status is `singular` the supernodal method gives a finite vector that solves the regular part; the others give
    /// zeros.
    virtual void solve(std::span<const double> b, std::span<double> x, int nrhs = 1) const = 0;

    /// W += factor · H A⁻¹ Hᵀ, the compliance that constraints with Jacobian H see. W is row-major, H.size() squared.
    /// The supernodal method needs only the forward half of the solutions, on the part of the elimination tree that the
    /// rows of H touch, and gives an exactly symmetric result; the others solve for all of A⁻¹ Hᵀ. Throws
    /// std::runtime_error on wrong sizes or columns outside the matrix.
    virtual void addCompliance(const SparseRows& h, std::span<double> w, double factor = 1.) const;

    /// factor · H A⁻¹ Hᵀ in cache.values(), bitwise what addCompliance adds to zeros. The caller has told the cache the
    /// version of A and the factor. Rows that the cache knows are not solved again by the supernodal method, whose
    /// solutions do not depend on what they are solved together with; the others keep W while all of H is the same.
    virtual void updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache) const;

    /// Whether a matrix may lack the blocks left of the diagonal, for `analyze` and `factorize` alike: the solution is
    /// the same to the last bit where they are the transposes of those that are there.
    virtual bool readsUpperTriangle() const { return false; }

    const FactorizationReport& report() const { return m_report; }

protected:
    /// Number of unknowns of the matrix factorised.
    virtual int unknowns() const = 0;

    static void checkCompliance(int unknowns, bool factorized, const SparseRows& h, std::size_t w);

    virtual bool factorized() const = 0;

    /// Checks the arguments of `solve` for a matrix of `rows` scalars.
    static void checkSolve(int rows, bool factorized, std::size_t b, std::size_t x, int nrhs);

    FactorizationReport m_report;
};

/// W += factor · H A⁻¹ Hᵀ by one `solve`, x = A⁻¹ b, for each row of H over `unknowns` scalars; W is row-major,
/// H.size() squared.
void addComplianceBySolves(const SparseRows& h, int unknowns,
                           FunctionRef<void(std::span<const double> b, std::span<double> x)> solve, std::span<double> w,
                           double factor);

/// The symmetric methods have the same interface.
using SymmetricFactorization = Factorization;

/// New solver. `automatic` ordering: supernodalLdlt takes the one of AMD and METIS with fewer operations, the Eigen
/// methods AMD (eigenLu and eigenQr always use Eigen's column AMD).
std::unique_ptr<Factorization> makeFactorization(FactorizationMethod method = FactorizationMethod::supernodalLdlt,
                                                 OrderingMethod ordering = OrderingMethod::automatic);

}  // namespace sofa::core
