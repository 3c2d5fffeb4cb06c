// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PreconditionedConjugateResidual.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Phases.h"

namespace sofa::component {

using namespace core;

ConstraintOutcome solveConjugateResidual(ConstraintProblem& p, const ConstraintSettings& s, bool oneNumber)
{
    ConstraintOutcome o;
    if (p.size == 0) return o;
    o.converged = false;
    const auto n = static_cast<std::size_t>(p.size);
    const double tolerance = s.tolerance * (s.scaleTolerance && !s.allVerified ? p.size : 1);
    Vector<double> scale(n), r(n), wr(n), direction, product;
    for (std::size_t i = 0; i < n; ++i) {
        const double w = p.w(static_cast<int>(i), static_cast<int>(i));
        scale[i] = w > 0. ? 1. / std::sqrt(w) : 0.;
        r[i] = -p.dFree[i] * scale[i];
    }
    Vector<double> scaled(n);
    const auto multiply = [&](const Vector<double>& x, Vector<double>& y) {
        for (std::size_t i = 0; i < n; ++i) scaled[i] = scale[i] * x[i];
        std::fill(y.begin(), y.end(), 0.);
        for (std::size_t g = 0; g < p.groups.size(); ++g)
            p.w.addProduct(g, scaled.data(), y.data() + p.groups[g].first);
        for (std::size_t i = 0; i < n; ++i) y[i] *= scale[i];
    };
    for (const auto& g : p.groups) g.law->begin(p.block(g), p.force.data() + g.first);
    std::fill(p.force.begin(), p.force.end(), 0.);
    multiply(r, wr);
    direction = r;
    product = wr;
    double rwr = vector::dot(r, wr);
    const int most = std::min(s.maxIterations, p.size);
    while (o.iterations < most && !o.converged) {
        Phases::check();
        const double square = vector::dot(product, product);
        if (!(square > 0.)) {
            o.converged = true;
            break;
        }
        ++o.iterations;
        const double alpha = rwr / square;
        vector::addScaled(p.force, direction, alpha);
        vector::addScaled(r, product, -alpha);
        multiply(r, wr);
        const double before = rwr;
        rwr = vector::dot(r, wr);
        bool verified = true;
        o.error = 0.;
        for (const auto& g : p.groups) {
            double sum = 0.;
            for (int k = 0; k < g.law->size(); ++k) {
                const double v = r[static_cast<std::size_t>(oneNumber ? o.iterations - 1 : g.first + k)];
                sum += v * v;
            }
            verified = verified && std::sqrt(sum) < tolerance;
            o.error += std::sqrt(sum);
        }
        o.errors.push_back(o.error);
        o.converged = s.allVerified ? verified : o.error < tolerance && o.iterations > 1;
        if (o.converged || before == 0.) break;
        const double beta = rwr / before;
        vector::scaleAndAdd(direction, beta, r);
        vector::scaleAndAdd(product, beta, wr);
    }
    for (std::size_t i = 0; i < n; ++i) p.force[i] *= scale[i];
    for (const auto& g : p.groups) g.law->end(p.force.data() + g.first, o.converged);
    return o;
}

ConstraintOutcome PreconditionedConjugateResidual::iterate(ConstraintProblem& p, const ConstraintSettings& s)
{
    for (std::size_t g = 0; g < p.groups.size(); ++g)
        if (!dynamic_cast<const BilateralLaw*>(p.groups[g].law))
            throw std::runtime_error(pathName() + " (" + className() + ") solves bilateral constraints only, and " +
                                     constraintOf(g)->pathName() +
                                     " is none; use, for example, a BlockGaussSeidelConstraintSolver");
    return solveConjugateResidual(p, s, compatibility() == Compatibility::Sofa);
}

static const RegisterComponent registeredPreconditionedConjugateResidual =
    RegisterComponent("PreconditionedConjugateResidual", "ConstraintSolver",
                      "Sofa.Component.Constraint.Lagrangian.Solver")
        .help("Finds the forces of bilateral constraints by conjugate residuals")
        .example("component/constraint/PreconditionedConjugateResidual.scn")
        .add<PreconditionedConjugateResidual>();

}  // namespace sofa::component
