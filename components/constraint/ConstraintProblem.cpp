// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/ConstraintProblem.h"

#include <algorithm>
#include <cmath>

#include "components/constraint/InteriorPoint.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Phases.h"

namespace sofa::component {

using namespace core;

void ConstraintProblem::begin(std::span<ConstraintLaw* const> laws, ComplianceProducts* unbuilt)
{
    products = unbuilt;
    m_isBuilt = false;
    groups.clear();
    Vector<int> starts{0};
    for (ConstraintLaw* law : laws) {
        groups.push_back({law, starts.back()});
        starts.push_back(starts.back() + law->size());
    }
    size = starts.back();
    dFree.assign(static_cast<std::size_t>(size), 0.);
    force.assign(static_cast<std::size_t>(size), 0.);
    w.begin(starts);
    if (products) w.finish();
}

const ComplianceMatrix& ConstraintProblem::entries()
{
    if (!products) return w;
    if (!m_isBuilt) {
        m_built.begin(w.starts());
        products->build(m_built);
        m_isBuilt = true;
    }
    return m_built;
}

void ConstraintProblem::changed(const Group& g, const double* before)
{
    if (!products) return;
    double change[16];
    Vector<double> large;
    double* c = change;
    if (g.law->size() > 16) {
        large.resize(static_cast<std::size_t>(g.law->size()));
        c = large.data();
    }
    bool any = false;
    for (int i = 0; i < g.law->size(); ++i) {
        c[i] = force[static_cast<std::size_t>(g.first + i)] - before[i];
        any = any || c[i] != 0.;
    }
    if (any) products->changeForce(g.first, g.law->size(), c);
}

void ConstraintProblem::allChanged(const Vector<double>* before)
{
    if (!products) return;
    const Vector<double> zero(before ? 0 : force.size(), 0.);
    for (const Group& g : groups) changed(g, (before ? before : &zero)->data() + g.first);
}

void ConstraintProblem::violation(const Group& g, double* d) const
{
    std::copy_n(dFree.data() + g.first, g.law->size(), d);
    if (products)
        products->addProduct(g.first, g.law->size(), d);
    else
        w.addProduct(index(g), force.data(), d);
}

Vector<double> ConstraintProblem::violations() const
{
    Vector<double> d(static_cast<std::size_t>(size));
    for (const Group& g : groups) violation(g, d.data() + g.first);
    return d;
}

namespace {

/// Error of an update of one group, and whether every row's is below the tolerance.
double updateError(const ComplianceBlock& w, const ConstraintLaw& law, const double* after, const double* before,
                   double tolerance, bool& verified)
{
    double error = 0.;
    const int n = law.size();
    for (int l = 0; l < n; ++l) {
        double line = 0.;
        for (int m = 0; m < n; ++m) {
            const double e = w(l, m) * (after[m] - before[m]);
            line += e * e;
        }
        line = std::sqrt(line);
        if (line > tolerance) verified = false;
        error += line;
    }
    if (law.tolerance() != 0.) {
        if (error > law.tolerance()) verified = false;
        error *= tolerance / law.tolerance();
    }
    return error;
}

/// What the iterations share.
struct Iteration
{
    ConstraintProblem& p;
    double tolerance;
    Vector<double> d, before;

    const bool eachRow, actingRows;
    const double ofRow;  ///< tolerance of each row that counts

    Iteration(ConstraintProblem& problem, const ConstraintSettings& s)
        : p(problem),
          tolerance(s.tolerance),
          eachRow(s.allVerified || s.relativeTolerance > 0.),
          actingRows(s.scaleTolerance && s.onlyActing && !eachRow),
          ofRow(s.tolerance)
    {
        if (s.scaleTolerance && !eachRow) tolerance *= p.size;
        int largest = 0;
        for (const auto& g : p.groups) {
            largest = std::max(largest, g.law->size());
            g.law->begin(p.block(g), p.force.data() + g.first);
        }
        p.allChanged();
        d.resize(static_cast<std::size_t>(largest));
        before.assign(static_cast<std::size_t>(largest), 0.);
        if (s.relativeTolerance > 0.) tolerance = s.relativeTolerance * largestChange();
    }
    /// Largest |W_gg λ_g| of the forces that a law finds by itself, from no force.
    double largestChange()
    {
        double worst = 0.;
        Vector<double> f;
        for (const auto& g : p.groups) {
            const auto n = static_cast<std::size_t>(g.law->size());
            f.assign(n, 0.);
            std::copy_n(p.dFree.data() + g.first, n, d.data());
            const ComplianceBlock w = p.block(g);
            g.law->update(w, d.data(), f.data());
            for (std::size_t i = 0; i < n; ++i) {
                double s = 0.;
                for (std::size_t k = 0; k < n; ++k) s += w(static_cast<int>(i), static_cast<int>(k)) * f[k];
                worst = std::max(worst, std::abs(s));
            }
        }
        return worst;
    }
    /// Of the errors of single rows.
    double rowTolerance() const { return eachRow ? tolerance : tolerance / p.size; }
    /// Sets the tolerance of the next sweep by the forces from which it starts.
    void beginSweep()
    {
        if (!actingRows) return;
        const auto acting = std::ranges::count_if(p.force, [](double f) { return f != 0.; });
        tolerance = ofRow * static_cast<double>(std::max<std::ptrdiff_t>(1, acting));
    }
    /// One sweep; the sum of the errors.
    double sweep(bool& verified)
    {
        beginSweep();
        double error = 0.;
        for (const auto& g : p.groups) {
            double* f = p.force.data() + g.first;
            const ComplianceBlock w = p.block(g);
            std::copy_n(f, g.law->size(), before.data());
            p.violation(g, d.data());
            g.law->update(w, d.data(), f);
            p.changed(g, before.data());
            error += updateError(w, *g.law, f, before.data(), tolerance, verified);
        }
        return error;
    }
    void finish(const ConstraintOutcome& o)
    {
        for (const auto& g : p.groups) g.law->end(p.force.data() + g.first, o.converged);
    }
};

/// Finds all forces at once between sweeps, as soon as these have cost as much.
class InteriorSolutions
{
public:
    InteriorSolutions(ConstraintProblem& p, const ConstraintSettings& s)
        : m_p(p), m_enabled(s.interior && s.overrelaxation == 1.)
    {
    }
    /// Whether it has changed the forces.
    bool beforeSweep(int iteration, double tolerance)
    {
        if (!m_enabled || iteration < m_next) return false;
        // What sweeps have found to push is mostly what does. If not, the next solution is for all.
        InteriorPoint method(m_p, m_first ? InteriorPoint::Rows::acting : InteriorPoint::Rows::all);
        m_next = std::max(m_next, static_cast<int>(std::min(method.cost(), 1e6)));
        if (iteration < m_next) return false;
        m_next *= 2;
        m_first = false;
        return method.improve(m_p, 0.5 * tolerance);
    }

private:
    ConstraintProblem& m_p;
    const bool m_enabled;
    int m_next = 10;
    bool m_first = true;
};

}  // namespace

ConstraintOutcome solveGaussSeidel(ConstraintProblem& p, const ConstraintSettings& s)
{
    ConstraintOutcome o;
    if (p.size == 0) return o;
    o.converged = false;
    Iteration it(p, s);
    Vector<double> old;
    InteriorSolutions solutions(p, s);
    while (o.iterations < s.maxIterations) {
        Phases::check();
        solutions.beforeSweep(o.iterations, it.rowTolerance());
        ++o.iterations;
        bool verified = true;
        if (s.overrelaxation != 1.) old = p.force;
        o.error = it.sweep(verified);
        o.errors.push_back(o.error);
        if (s.overrelaxation != 1.) {
            const Vector<double> swept = p.force;
            for (std::size_t i = 0; i < old.size(); ++i)
                p.force[i] = s.overrelaxation * p.force[i] + (1. - s.overrelaxation) * old[i];
            p.allChanged(&swept);
        }
        o.converged = it.eachRow ? verified : o.error < it.tolerance;
        if (o.converged) break;
    }
    it.finish(o);
    return o;
}

ConstraintOutcome solveNncg(ConstraintProblem& p, const ConstraintSettings& s)
{
    ConstraintOutcome o;
    if (p.size == 0) return o;
    o.converged = false;
    Iteration it(p, s);
    const auto n = static_cast<std::size_t>(p.size);
    Vector<double> start = p.force, gradient(n), direction(n);
    bool verified = true;
    it.sweep(verified);
    for (std::size_t i = 0; i < n; ++i) {
        gradient[i] = start[i] - p.force[i];
        direction[i] = -gradient[i];
    }
    double previous = vector::dot(gradient, gradient);
    InteriorSolutions solutions(p, s);
    while (o.iterations + 1 < s.maxIterations) {
        Phases::check();
        if (solutions.beforeSweep(o.iterations, it.rowTolerance())) std::fill(direction.begin(), direction.end(), 0.);
        ++o.iterations;
        verified = true;
        start = p.force;
        o.error = it.sweep(verified);
        o.errors.push_back(o.error);
        o.converged = it.eachRow ? verified : o.error < it.tolerance;
        if (o.converged) break;
        for (std::size_t i = 0; i < n; ++i) gradient[i] = start[i] - p.force[i];
        const double square = vector::dot(gradient, gradient);
        const double beta = previous > 0. ? square / previous : 0.;
        previous = square;
        if (beta > 1.) {
            std::fill(direction.begin(), direction.end(), 0.);
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                p.force[i] += beta * direction[i];
                direction[i] = beta * direction[i] - gradient[i];
            }
        }
        if (!(s.relativeTolerance > 0.) && std::sqrt(square) < it.tolerance) break;
    }
    it.finish(o);
    return o;
}

namespace {

/// ρ(D⁻¹ W) by the power method; D: JacobiSettings. D⁻¹ W is self-adjoint in the product xᵀ W y.
double spectralRadius(const ConstraintProblem& p)
{
    const auto n = static_cast<std::size_t>(p.size);
    Vector<double> v(n), u(n), next(n), scratch;
    for (std::size_t i = 0; i < n; ++i) v[i] = 1. + 0.5 * std::sin(static_cast<double>(i));
    double radius = 0.;
    for (int k = 0; k < 200; ++k) {
        const double length = std::sqrt(vector::dot(v, v));
        if (!(length > 0.)) return 0.;
        for (double& x : v) x /= length;
        std::fill(u.begin(), u.end(), 0.);
        for (std::size_t g = 0; g < p.groups.size(); ++g) p.w.addProduct(g, v.data(), u.data() + p.groups[g].first);
        for (const auto& g : p.groups) {
            const auto first = static_cast<std::size_t>(g.first);
            if (g.law->size() == 1 || g.law->isUnilateral()) {
                for (int r = 0; r < g.law->size(); ++r) {
                    const double w = p.diagonal(g, r);
                    next[first + static_cast<std::size_t>(r)] =
                        w > 0. ? u[first + static_cast<std::size_t>(r)] / w : 0.;
                }
                continue;
            }
            // From no force, the law's is −D⁻¹ u.
            scratch.assign(u.data() + first, u.data() + first + g.law->size());
            std::fill_n(next.data() + first, g.law->size(), 0.);
            g.law->update(p.block(g), scratch.data(), next.data() + first);
            for (int r = 0; r < g.law->size(); ++r) next[first + static_cast<std::size_t>(r)] *= -1.;
        }
        const double square = vector::dot(v, u);
        if (!(square > 0.)) return radius;
        const double now = vector::dot(u, next) / square;
        v.swap(next);
        if (std::abs(now - radius) <= 1e-9 * now) return now;
        radius = now;
    }
    return radius;
}

}  // namespace

ConstraintOutcome solveJacobi(ConstraintProblem& p, const ConstraintSettings& s, const JacobiSettings& j)
{
    ConstraintOutcome o;
    if (p.size == 0) return o;
    o.converged = false;
    Iteration it(p, s);
    const auto n = static_cast<std::size_t>(p.size);
    double rho = 1.;
    if (j.spectralCorrection) {
        const double radius = spectralRadius(p);
        rho = j.spectralFactor * (radius > 0. ? std::min(1., 1.8 / radius) : 1.);
    }
    Vector<double> last = p.force, change(n), d(n), bestForce = p.force;
    // Updates all groups from the same violations; the sum of |W_gg Δλ_g|, which says how good the forces before were.
    const auto update = [&] {
        it.beginSweep();
        d = p.violations();
        double sum = 0.;
        bool ignored = true;
        for (double& x : d) x *= rho;
        for (const auto& g : p.groups) {
            double* f = p.force.data() + g.first;
            const ComplianceBlock w = p.block(g);
            g.law->update(w, d.data() + g.first, f);
            sum += updateError(w, *g.law, f, last.data() + g.first, it.tolerance, ignored);
        }
        return sum;
    };
    constexpr double hopeless = 1e6;
    double atStart = 0., least = std::numeric_limits<double>::infinity();
    InteriorSolutions solutions(p, s);
    while (o.iterations < s.maxIterations) {
        Phases::check();
        if (solutions.beforeSweep(o.iterations, it.rowTolerance())) {
            last = p.force;
            std::fill(change.begin(), change.end(), 0.);
        }
        const int i = o.iterations++;
        const double beta = j.conjugateResidue
                                ? std::min(1., std::pow(static_cast<double>(i) / s.maxIterations, j.conjugateExponent))
                                : 0.;
        const double distance = update();
        if (i == 0) atStart = distance;
        if (distance < least) {
            least = distance;
            o.best = i;
            bestForce = last;
        }
        if (!(distance <= hopeless * std::max(atStart, it.tolerance))) break;
        for (std::size_t k = 0; k < n; ++k) {
            p.force[k] += beta * change[k];
            change[k] = p.force[k] - last[k];
            last[k] = p.force[k];
        }
        bool verified = true;
        o.error = 0.;
        for (const auto& g : p.groups) {
            double square = 0.;
            for (int k = 0; k < g.law->size(); ++k) {
                p.w.forRow(g.first + k, [&](int c, double w) {
                    const double e = w * change[static_cast<std::size_t>(c)];
                    square += e * e;
                });
            }
            verified = verified && square < it.tolerance * it.tolerance;
            o.error += std::sqrt(square);
        }
        o.errors.push_back(o.error);
        o.converged = it.eachRow ? verified : o.error < it.tolerance && i > 0;
        if (o.converged) break;
    }
    if (!o.converged) {
        p.force = last;
        const double distance = update();
        const bool lastIsBest = distance <= least && o.iterations > 0;
        p.force = lastIsBest ? last : bestForce;
        if (lastIsBest) o.best = o.iterations;
        o.diverged = o.iterations > 0 && !(distance < atStart);
    }
    it.finish(o);
    return o;
}

double complementarityResidual(const ConstraintProblem& p)
{
    double worst = 0.;
    Vector<double> d, f, before;
    for (const auto& g : p.groups) {
        const auto n = static_cast<std::size_t>(g.law->size());
        d.resize(n);
        const double* force = p.force.data() + g.first;
        f.assign(force, force + n);
        before = f;
        p.violation(g, d.data());
        const ComplianceBlock w = p.block(g);
        g.law->update(w, d.data(), f.data());
        double square = 0.;
        for (int i = 0; i < g.law->size(); ++i) {
            double s = 0.;
            for (int k = 0; k < g.law->size(); ++k)
                s += w(i, k) * (f[static_cast<std::size_t>(k)] - before[static_cast<std::size_t>(k)]);
            square += s * s;
        }
        worst = std::max(worst, std::sqrt(square));
    }
    return worst;
}

}  // namespace sofa::component
