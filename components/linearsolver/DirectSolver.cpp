// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/DirectSolver.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/visitor/FreeBodies.h"

namespace sofa::component {

using namespace core;

namespace {

/// Where two arrays of equal size begin to differ in their bits; their size if they do not.
std::size_t firstDifference(std::span<const double> a, std::span<const double> b)
{
    constexpr std::size_t piece = 512;
    for (std::size_t first = 0; first < a.size(); first += piece) {
        const std::size_t count = std::min(piece, a.size() - first);
        if (std::memcmp(a.data() + first, b.data() + first, count * sizeof(double)) == 0) continue;
        std::size_t k = first;
        while (std::bit_cast<std::uint64_t>(a[k]) == std::bit_cast<std::uint64_t>(b[k])) ++k;
        return k;
    }
    return a.size();
}

}  // namespace

DirectSolver::DirectSolver(FactorizationMethod method) : m_method(method)
{
    ignoreAttribute("precomputeSymbolicDecomposition",
                    "the symbolic factorisation is always kept while the pattern is the same");
    for (const char* unused : {"nbThreads", "taskSchedulerType", "parallelInverseProduct", "factorizationInvalidation"})
        ignoreAttribute(unused, "threads are set for the whole program (--threads)");
}

void DirectSolver::init()
{
    AssembledLinearSolver::init();
    std::string error;
    if (!l_ordering.resolve(error)) return fail("orderingMethod: " + error);
    if (!l_ordering) l_ordering.set(node()->get<BaseOrdering>(Search::Local));
    m_order = l_ordering ? l_ordering->method() : OrderingMethod::automatic;
    renew();
}

void DirectSolver::renew()
{
    m_general = newFactorization(m_order);
    m_definite = m_tryDefinite ? makeFactorization(FactorizationMethod::supernodalLdlt, m_order) : nullptr;
    m_active = m_general.get();
    m_factorized.clear();
}

FactorizationStatus DirectSolver::factorize(const BlockCsrMatrix& a)
{
    if (m_definite && a.isSymmetric(1e-14)) {
        m_active = m_definite.get();
        if (m_definite->factorize(a) == FactorizationStatus::ok && m_definite->report().negativePivots == 0)
            return FactorizationStatus::ok;
    }
    m_active = m_general.get();
    return m_general->factorize(a);
}

void DirectSolver::prepare(SystemOperator& from)
{
    const SystemAssembly& a = from.assemble(readsUpperTriangle());
    if (a.size() == 0) return;
    const BlockCsrMatrix& matrix = a.stored();
    const bool patternChanged = isNewPattern(matrix, a);
    const auto values = matrix.values();
    // A matrix that changes at each step is not copied for a comparison with the next one: the number that changed last
    // time is watched. One that ceases to change is factorised once more.
    bool changing = false;
    if (patternChanged) {
        m_watched = values.size();
    } else if (m_factorized.size() == values.size()) {
        m_watched = firstDifference(values, m_factorized);
        if (m_watched == values.size()) return sameMatrix();
        changing = true;
    } else if (m_watched < values.size()) {
        changing = std::bit_cast<std::uint64_t>(values[m_watched]) != std::bit_cast<std::uint64_t>(m_watchedValue);
    }
    if (m_watched < values.size()) m_watchedValue = values[m_watched];
    m_factorized.clear();
    if (patternChanged) {
        choose(a.matrix());
        ScopedTimer t("Analyze");
        (m_definite && matrix.isSymmetric(1e-14) ? m_definite : m_general)->analyze(matrix);
    }
    const Factorization* const before = m_active;
    FactorizationStatus status;
    {
        ScopedTimer t("Factorize");
        status = factorize(matrix);
    }
    const FactorizationReport& report = m_active->report();
    if (patternChanged || m_active != before) noteFactorization(a.matrix());
    if (patternChanged) d_factorNonZeros.setValue(static_cast<unsigned>(report.factorNonZeros));
    if (status == FactorizationStatus::ok && !changing) m_factorized.assign(values.begin(), values.end());
    judge(status, a);
}

void DirectSolver::judge(FactorizationStatus status, const SystemAssembly& a) const
{
    if (status == FactorizationStatus::ok) return;
    const FactorizationReport& report = m_active->report();
    std::string text = report.describe();
    if (!report.zeroPivotRows.empty()) text += " (first at " + a.layout().describe(report.zeroPivotRows.front()) + ")";
    std::string free;
    if (status != FactorizationStatus::notFinite)
        free = describeFreeBodies(a, ExecutionPlan::of({*node(), d_tags.value()}));
    if (!free.empty()) text += ". " + free;
    if (status == FactorizationStatus::nearlySingular) {
        msgWarning() << "the system matrix is nearly singular: " << text;
        return;
    }
    throw std::runtime_error(pathName() + " (" + className() + "): the system matrix cannot be factorised: " + text +
                             (free.empty() ? ". Is every body held, or given a mass?" : ""));
}

void DirectSolver::apply(std::span<const double> b, std::span<double> x)
{
    if (!b.empty()) m_active->solve(b, x);
}

void DirectSolver::explainFactor(Explanation& e) const
{
    if (!m_active) return;
    const FactorizationReport& r = m_active->report();
    const FactorizationMethod used = usesDefinite() ? FactorizationMethod::supernodalLdlt : m_method;
    if (used < FactorizationMethod::denseLu) e.add("ordering", std::string(core::name(r.ordering)));
    std::ostringstream text;
    text << core::name(used) << ", " << r.factorNonZeros << " numbers in the factor";
    if (r.operations > 0.) text << ", " << r.operations << " operations";
    e.add("factorisation", text.str());
    e.addMemory(r.factorNonZeros * sizeof(double));
}

void DirectSolver::addCompliance(const SparseRows& h, std::span<double> w, double factor)
{
    ScopedTimer t("Compliance");
    m_active->addCompliance(h, w, factor);
}

void DirectSolver::updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache)
{
    ScopedTimer t("Compliance");
    cache.expect(matrixVersion(), factor);
    m_active->updateCompliance(h, factor, cache);
}

namespace {

/// LDLᵀ of a symmetric matrix: SOFA's default direct solver.
class SparseLDLSolver final : public DirectSolver
{
public:
    SparseLDLSolver() : DirectSolver(FactorizationMethod::supernodalLdlt) {}
};

/// LDLᵀ of a symmetric matrix. SOFA computes it by Eigen's simplicial factorisation; the supernodal one of this library
/// gives the same factor up to rounding, several times faster, and is taken unless the scene asks for Eigen's.
class EigenSimplicialLDLT final : public DirectSolver
{
public:
    Data<Options> d_implementation{
        this,
        {.name = "implementation", .help = "Which code factorises: supernodal (of this library) or eigen"},
        Options({"supernodal", "eigen"})};
    EigenSimplicialLDLT() : DirectSolver(FactorizationMethod::supernodalLdlt) {}
    void init() override
    {
        setMethod(d_implementation.value().index() == 1 ? FactorizationMethod::eigenLdlt
                                                        : FactorizationMethod::supernodalLdlt);
        DirectSolver::init();
    }
};

/// LLᵀ of a symmetric positive definite matrix by Eigen's simplicial factorisation.
class EigenSimplicialLLT final : public DirectSolver
{
public:
    EigenSimplicialLLT() : DirectSolver(FactorizationMethod::eigenLlt) {}
};

/// Eigen's methods for general matrices, which take positive definite ones by L D Lᵀ unless the scene says otherwise.
class GeneralSolver : public DirectSolver
{
public:
    Data<Options> d_implementation{
        this,
        {.name = "implementation",
         .help = "Which code factorises: automatic (L D L' where the matrix is symmetric and "
                 "positive definite, else Eigen's) or always eigen"},
        Options({"automatic", "eigen"})};
    using DirectSolver::DirectSolver;
    void init() override
    {
        tryDefiniteFirst(d_implementation.value().index() == 0);
        DirectSolver::init();
    }
};

/// LU of any regular matrix by Eigen.
class EigenSparseLU final : public GeneralSolver
{
public:
    EigenSparseLU() : GeneralSolver(FactorizationMethod::eigenLu) {}
};

/// QR of any matrix by Eigen: least squares where it is singular.
class EigenSparseQR final : public GeneralSolver
{
public:
    EigenSparseQR() : GeneralSolver(FactorizationMethod::eigenQr) {}
};

/// Chooses the method by the size and the kind of the matrix, and says why; or the one that the scene names.
class NamedDirectSolver final : public DirectSolver
{
public:
    Data<Options> d_method{
        this,
        {.name = "method",
         .help = "automatic (by size and kind of the matrix), dense (LU with pivoting), supernodal (L D L' of this "
                 "library), simplicialLDLT, simplicialLLT, LU or QR (of Eigen)"},
        Options({"automatic", "dense", "supernodal", "simplicialLDLT", "simplicialLLT", "LU", "QR"})};
    Data<std::string> d_chosen{
        this, {.name = "chosen", .help = "Method that factorised the last matrix", .readOnly = true, .saved = false}};

    NamedDirectSolver() : DirectSolver(FactorizationMethod::eigenLu) { d_printLog.setDefault(true); }

    void init() override
    {
        constexpr FactorizationMethod methods[] = {FactorizationMethod::eigenLu,        FactorizationMethod::denseLu,
                                                   FactorizationMethod::supernodalLdlt, FactorizationMethod::eigenLdlt,
                                                   FactorizationMethod::eigenLlt,       FactorizationMethod::eigenLu,
                                                   FactorizationMethod::eigenQr};
        setMethod(methods[d_method.value().index()]);
        tryDefiniteFirst(isAutomatic());
        m_explained.clear();
        DirectSolver::init();
    }

protected:
    void choose(const BlockCsrMatrix& a) override
    {
        if (!isAutomatic()) return;
        const bool dense = a.rows() <= largestDense;
        const FactorizationMethod best = dense ? FactorizationMethod::denseLu : FactorizationMethod::eigenLu;
        if (best == method()) return;
        setMethod(best);
        tryDefiniteFirst(!dense);
        renew();
    }

    void noteFactorization(const BlockCsrMatrix& a) override
    {
        const FactorizationReport& report = factorization()->report();
        const bool definite = isAutomatic() && method() != FactorizationMethod::denseLu && usesDefinite();
        const FactorizationMethod used = definite ? FactorizationMethod::supernodalLdlt : method();
        const std::string what(core::name(used));
        d_chosen.setValue(what);
        // A changing mesh gives a line for each new choice, not for each step.
        if (what == m_explained) return;
        m_explained = what;
        std::ostringstream text;
        const double n = a.rows();
        text << a.rows() << " unknowns, " << a.nonZeros() << " numbers in the matrix";
        if (isAutomatic()) {
            text << ". ";
            if (used == FactorizationMethod::denseLu)
                text << "Up to " << largestDense << " unknowns a dense LU with pivoting is as fast as any other";
            else if (definite)
                text << "It is symmetric and positive definite: L D L' by supernodes, against " << 2. / 3. * n * n * n
                     << " operations of a dense factorisation";
            else
                text << "It is not symmetric and positive definite: sparse LU with pivoting";
        }
        text << ". " << (isAutomatic() ? "Chosen: " : "Method: ") << what;
        if (used == FactorizationMethod::supernodalLdlt || used == FactorizationMethod::eigenLdlt ||
            used == FactorizationMethod::eigenLlt)
            text << ", ordering " << core::name(report.ordering);
        text << "; the factor has " << report.factorNonZeros << " numbers";
        if (n > 0. && a.nonZeros() > 0)
            text << " (" << static_cast<double>(report.factorNonZeros) / static_cast<double>(a.nonZeros())
                 << " times the matrix)";
        if (report.operations > 0.) text << " and takes " << report.operations << " operations";
        if (used == FactorizationMethod::supernodalLdlt) text << ", on up to " << threadCount() << " threads";
        msgInfo() << text.str();
    }

private:
    /// Where the dense method stops to be the fastest (docs/linear-solvers.md).
    static constexpr int largestDense = 24;
    bool isAutomatic() const { return d_method.value().index() == 0; }

    std::string m_explained;  ///< what the last explanation was about
};

const char* const module = "Sofa.Component.LinearSolver.Direct";

const RegisterComponent registeredDirectSolver =
    RegisterComponent("DirectSolver", "LinearSolver", module)
        .help("Direct solver whose method follows from size and kind of the matrix, explained in the log, or is named")
        .example("component/linearsolver/DirectSolver.scn")
        .add<NamedDirectSolver>(matrixTemplates(false));
const RegisterComponent registeredSparseLDLSolver =
    RegisterComponent("SparseLDLSolver", "LinearSolver", module)
        .help("Direct solver: supernodal LDL' factorisation of the assembled symmetric matrix")
        .example("component/linearsolver/SparseLDLSolver.scn")
        .add<SparseLDLSolver>(matrixTemplates(false));
const RegisterComponent registeredEigenSimplicialLDLT =
    RegisterComponent("EigenSimplicialLDLT", "LinearSolver", module)
        .help("Direct solver: LDL' factorisation of the assembled symmetric matrix, supernodal or Eigen's")
        .example("component/linearsolver/EigenSimplicialLDLT.scn")
        .add<EigenSimplicialLDLT>(matrixTemplates(false));
const RegisterComponent registeredEigenSimplicialLLT =
    RegisterComponent("EigenSimplicialLLT", "LinearSolver", module)
        .help("Direct solver: Cholesky factorisation of the assembled positive definite matrix by Eigen")
        .alias("SparseCholeskySolver")
        .example("component/linearsolver/EigenSimplicialLLT.scn")
        .add<EigenSimplicialLLT>(matrixTemplates(false));
const RegisterComponent registeredEigenSparseLU =
    RegisterComponent("EigenSparseLU", "LinearSolver", module)
        .help("Direct solver: LU factorisation of the assembled matrix by Eigen, symmetric or not")
        .alias("SparseLUSolver")
        .alias("LULinearSolver")
        .example("component/linearsolver/EigenSparseLU.scn")
        .add<EigenSparseLU>(matrixTemplates(false));
const RegisterComponent registeredEigenSparseQR =
    RegisterComponent("EigenSparseQR", "LinearSolver", module)
        .help("Direct solver: QR factorisation of the assembled matrix by Eigen, even if it is singular")
        .example("component/linearsolver/EigenSparseQR.scn")
        .add<EigenSparseQR>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
