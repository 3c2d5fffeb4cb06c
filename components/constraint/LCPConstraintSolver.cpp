// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/LCPConstraintSolver.h"

#include <algorithm>
#include <cmath>

#include "components/constraint/ConstraintIslands.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

namespace {

/// Law of a group for this solver: that of a contact with the friction of the solver, or the group's own.
class LcpLaw final : public ConstraintLaw
{
public:
    LcpLaw(ConstraintLaw& own, const LcpSettings& s)
        : ConstraintLaw(own.size()),
          m_own(own),
          m_settings(s),
          m_friction(s.friction.value_or(own.friction())),
          m_coulomb(m_friction)
    {
    }
    static bool isContact(const ConstraintLaw& law)
    {
        return law.isUnilateral() && (law.size() == 1 || law.size() == 3);
    }
    bool isContact() const { return isContact(m_own); }
    bool isTooStiff(const ComplianceBlock& w) const
    {
        return isContact() && m_settings.minCompliance != 0. && std::abs(w(0, 0)) <= m_settings.minCompliance;
    }
    ConstraintLaw& own() const { return m_own; }

    bool isUnilateral() const override { return m_own.isUnilateral(); }
    bool isBilateral() const override { return m_own.isBilateral(); }
    double friction() const override { return size() == 3 && isContact() ? m_friction : m_own.friction(); }
    void begin(const ComplianceBlock& w, double* force) override
    {
        if (!isContact()) m_own.begin(w, force);
    }
    void update(const ComplianceBlock& w, double* d, double* f) const override
    {
        if (!isContact()) return m_own.update(w, d, f);
        if (isTooStiff(w)) {
            std::fill_n(f, size(), 0.);
        } else if (size() == 3 && m_friction > 0.) {
            m_coulomb.update(w, d, f);
        } else {
            m_unilateral.update(w, d, f);
            std::fill(f + 1, f + size(), 0.);
        }
    }
    void end(const double* force, bool converged) override
    {
        if (!isContact()) m_own.end(force, converged);
    }
    std::unique_ptr<ConstraintLaw> clone() const override
    {
        return isContact() && size() == 3 ? std::make_unique<CoulombLaw>(m_friction) : m_own.clone();
    }

private:
    ConstraintLaw& m_own;
    const LcpSettings& m_settings;
    double m_friction;
    CoulombLaw m_coulomb;
    UnilateralLaw m_unilateral;
};

/// Gives the groups of a problem their laws for this solver, while it lives.
class LcpLaws
{
public:
    LcpLaws(ConstraintProblem& p, const LcpSettings& s) : m_problem(p)
    {
        m_laws.reserve(p.groups.size());
        for (auto& g : p.groups) g.law = &m_laws.emplace_back(*g.law, s);
    }
    ~LcpLaws()
    {
        for (std::size_t g = 0; g < m_laws.size(); ++g) m_problem.groups[g].law = &m_laws[g].own();
    }
    LcpLaws(const LcpLaws&) = delete;
    LcpLaws& operator=(const LcpLaws&) = delete;
    const LcpLaw& operator[](std::size_t g) const { return m_laws[g]; }

private:
    ConstraintProblem& m_problem;
    std::vector<LcpLaw> m_laws;
};

/// |W_gg Δλ_g|
double changeOfViolation(const ComplianceBlock& w, int n, const double* after, const double* before)
{
    double square = 0.;
    for (int i = 0; i < n; ++i) {
        double s = 0.;
        for (int j = 0; j < n; ++j) s += w(i, j) * (after[j] - before[j]);
        square += s * s;
    }
    return std::sqrt(square);
}

}  // namespace

namespace {

/// SOFA's sweeps and rule.
ConstraintOutcome sweepContacts(ConstraintProblem& p, const LcpSettings& s)
{
    ConstraintOutcome o;
    o.converged = false;
    int largest = 0;
    for (const auto& g : p.groups) {
        largest = std::max(largest, g.law->size());
        g.law->begin(p.block(g), p.force.data() + g.first);
    }
    if (p.products) p.products->startFrom(p.force);
    Vector<double> d(static_cast<std::size_t>(largest)), before(static_cast<std::size_t>(largest));
    const bool scaled = s.friction.value_or(1.) > 0. || p.products;
    const double tolerance = s.tolerance * (scaled ? static_cast<double>(p.groups.size() + 1) : 1.);
    while (o.iterations < s.maxIterations && !o.converged) {
        Phases::check();
        ++o.iterations;
        o.error = 0.;
        for (const auto& g : p.groups) {
            double* f = p.force.data() + g.first;
            const ComplianceBlock w = p.block(g);
            std::copy_n(f, g.law->size(), before.data());
            p.violation(g, d.data());
            g.law->update(w, d.data(), f);
            p.changed(g, before.data());
            o.error += changeOfViolation(w, g.law->size(), f, before.data());
        }
        o.errors.push_back(o.error);
        o.converged = o.error < tolerance;
    }
    for (const auto& g : p.groups) g.law->end(p.force.data() + g.first, o.converged);
    return o;
}

}  // namespace

LcpOutcome solveLcp(ConstraintProblem& p, const LcpSettings& s)
{
    LcpOutcome o;
    if (p.size == 0) return o;
    const LcpLaws laws(p, s);
    static_cast<ConstraintOutcome&>(o) =
        s.relativeTolerance > 0.
            ? solveByIslands(p,
                             [&](ConstraintProblem& island) {
                                 return solveGaussSeidel(island, {.relativeTolerance = s.relativeTolerance,
                                                                  .maxIterations = s.maxIterations,
                                                                  .interior = true});
                             })
            : sweepContacts(p, s);
    for (std::size_t k = 0; k < p.groups.size(); ++k) {
        const auto& g = p.groups[k];
        double* f = p.force.data() + g.first;
        o.tooStiff += laws[k].isTooStiff(p.block(g));
        if (!laws[k].isContact() || s.maxForce == 0. || std::abs(f[0]) < s.maxForce) continue;
        ++o.tooStrong;
        const Vector<double> before(f, f + g.law->size());
        std::fill_n(f, g.law->size(), 0.);
        p.changed(g, before.data());
    }
    return o;
}

LCPConstraintSolver::LCPConstraintSolver()
{
    constexpr std::string_view grid = "there is one level only: SOFA removed its multigrid too";
    for (const char* name : {"multi_grid", "multi_grid_levels", "merge_method", "merge_spatial_step",
                             "merge_local_levels", "showLevels", "showLevelTranslation"})
        ignoreAttribute(name, std::string(grid));
    for (const char* name : {"showCellWidth", "showTranslation"}) ignoreAttribute(name, "the compliance is not drawn");
    ignoreAttribute("displayDebug", "use printLog");
    ignoreAttribute("graph", "it is an output; use printLog");
    ignoreAttribute("group", "every constraint at and below the node is solved");
}

void LCPConstraintSolver::reset()
{
    LagrangianSolver::reset();
    m_forces.clear();
    m_reported = false;
}

void LCPConstraintSolver::archive(Archive& a)
{
    struct Kept
    {
        std::uint64_t constraint;  ///< its place in the scene
        std::int64_t identity;
        std::array<double, 3> force;
    };
    const auto constraints = node()->getAll<BaseLagrangianConstraint>(Search::Root);
    Vector<Kept> kept;
    for (std::size_t k = 0; k < constraints.size(); ++k)
        for (auto it = m_forces.lower_bound({constraints[k], std::numeric_limits<std::int64_t>::min()});
             it != m_forces.end() && it->first.first == constraints[k]; ++it)
            kept.push_back({k, it->first.second, it->second});
    a(kept);
    if (!a.loading()) return;
    m_forces.clear();
    for (const Kept& f : kept) {
        if (f.constraint >= constraints.size()) throw std::runtime_error("forces of constraints that are not there");
        m_forces[{constraints[f.constraint], f.identity}] = f.force;
    }
}

void LCPConstraintSolver::buildCompliance(const ConstraintParams& p, ConstraintProblem& problem)
{
    if (d_buildLcp.value()) return LagrangianSolver::buildCompliance(p, problem);
    ScopedTimer t("Compliance");
    m_compliance.begin(corrections(), p, jacobian(), d_regularizationTerm.value(), problem);
}

LcpSettings LCPConstraintSolver::settings() const
{
    const bool givesFriction = d_mu.isSet() || compatibility() == Compatibility::Sofa;
    return {.tolerance = d_tolerance.value(),
            .relativeTolerance = relativeTolerance(),
            .maxIterations = d_maxIterations.value(),
            .friction = givesFriction ? std::optional(d_mu.value()) : std::nullopt,
            .minCompliance = d_minW.value(),
            .maxForce = d_maxF.value()};
}

ConstraintOutcome LCPConstraintSolver::solveProblem(ConstraintProblem& p)
{
    const auto key = [&](std::size_t g) { return Contact(constraintOf(g), p.groups[g].law->identity()); };
    const auto lasts = [&](std::size_t g) {
        const ConstraintLaw& law = *p.groups[g].law;
        return LcpLaw::isContact(law) && law.identity() >= 0;
    };
    if (d_initialGuess.value()) {
        for (std::size_t g = 0; g < p.groups.size(); ++g) {
            if (!lasts(g)) continue;
            const auto last = m_forces.find(key(g));
            if (last != m_forces.end())
                std::copy_n(last->second.begin(), p.groups[g].law->size(), p.force.data() + p.groups[g].first);
        }
    }
    const LcpOutcome o = solveLcp(p, settings());
    m_forces.clear();
    if (d_initialGuess.value()) {
        for (std::size_t g = 0; g < p.groups.size(); ++g) {
            if (!lasts(g)) continue;
            std::array<double, 3> f{};
            std::copy_n(p.force.data() + p.groups[g].first, p.groups[g].law->size(), f.begin());
            m_forces[key(g)] = f;  // of equal identities the last one counts, as in SOFA
        }
    }
    if (!m_reported && (o.tooStiff > 0 || o.tooStrong > 0)) {
        m_reported = true;
        if (o.tooStiff > 0)
            msgWarning() << o.tooStiff << " contacts have a normal compliance not above minW = " << d_minW.value()
                         << " m/(N s) and get no force";
        if (o.tooStrong > 0)
            msgWarning() << o.tooStrong << " contacts would have a normal force of maxF = " << d_maxF.value()
                         << " N s or more and get none";
    }
    return o;
}

std::unique_ptr<ConstraintLaw> LCPConstraintSolver::copyOf(ConstraintLaw& law) const
{
    const LcpSettings s = settings();
    return LcpLaw(law, s).clone();
}

double LCPConstraintSolver::residual(const ConstraintProblem& p) const
{
    const LcpSettings s = settings();
    Vector<double> d, f;
    double worst = 0.;
    for (const auto& g : p.groups) {
        const auto n = static_cast<std::size_t>(g.law->size());
        d.resize(n);
        const double* force = p.force.data() + g.first;
        f.assign(force, force + n);
        p.violation(g, d.data());
        LcpLaw(*g.law, s).update(p.block(g), d.data(), f.data());
        worst = std::max(worst, changeOfViolation(p.block(g), g.law->size(), f.data(), force));
    }
    return worst;
}

static const RegisterComponent registeredLCPConstraintSolver =
    RegisterComponent("LCPConstraintSolver", "ConstraintSolver", "Sofa.Component.Constraint.Lagrangian.Solver")
        .help("Finds the forces of contacts as a complementarity problem, with one coefficient of friction for all")
        .example("component/constraint/LCPConstraintSolver.scn")
        .add<LCPConstraintSolver>();

}  // namespace sofa::component
