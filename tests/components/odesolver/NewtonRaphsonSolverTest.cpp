// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/NewtonRaphsonSolver.h"

#include <catch2/catch.hpp>

#include "tests/harness/TestGraph.h"

namespace newton_raphson_solver_test {

using namespace sofa::core;
using namespace sofa::test;
using sofa::component::NewtonRaphsonSolver;
using sofa::component::NonlinearFunction;

namespace {

/// One equation r(x) = 0; with an energy, r is its derivative and forces are −r. The mass is 2 kg.
class Equation final : public NonlinearFunction
{
public:
    Equation(double start, std::function<double(double)> residual, std::function<double(double)> slope,
             bool energy = false)
        : x(start), r(std::move(residual)), k(std::move(slope)), hasEnergy(energy)
    {
    }
    void evaluate() override
    {
        value = r(x);
        seen.push_back(x);
    }
    double squaredResidual() override { return value * value; }
    void computeGradient() override { gradient = k(x) + 2. * weight; }
    void solveLinearEquation() override { dx = -value / gradient; }
    double work() override { return hasEnergy ? -value * dx : std::nan(""); }
    void setDamping(double w) override { weight = w; }
    double inertia() override { return 2. * dx * dx; }
    void updateGuess(double alpha) override { x += alpha * dx; }
    double squaredCorrection() override { return dx * dx; }
    double squaredGuess() override { return x * x; }
    void keepGuess() override { kept = x; }
    void restoreGuess() override { x = kept; }

    double x, value = 0., gradient = 1., dx = 0., kept = 0., weight = 0.;
    std::vector<double> seen;  ///< where it was evaluated
    std::function<double(double)> r, k;
    bool hasEnergy;
};

/// x² = 2, by Newton's (Heron's) method: x ← (x + 2/x)/2.
Equation root(double start)
{
    return {start, [](double x) { return x * x - 2.; }, [](double x) { return 2. * x; }};
}

struct Scene
{
    explicit Scene(Attributes attributes = {})
    {
        // None of the criteria, but for those that are given.
        for (const char* name : {"relativeSuccessiveStoppingThreshold", "relativeInitialStoppingThreshold",
                                 "absoluteResidualStoppingThreshold", "relativeEstimateDifferenceThreshold",
                                 "absoluteEstimateDifferenceThreshold"})
            if (std::ranges::none_of(attributes, [&](const auto& a) { return a.first == name; }))
                attributes.emplace_back(name, "0");
        if (std::ranges::none_of(attributes, [](const auto& a) { return a.first == "maxNbIterationsNewton"; }))
            attributes.emplace_back("maxNbIterationsNewton", "30");
        newton = &addComponent<NewtonRaphsonSolver>(node, "NewtonRaphsonSolver", attributes);
    }
    Node node;
    NewtonRaphsonSolver* newton;
};

}  // namespace

TEST_CASE("Newton's method stops at the first iterate that meets the criterion, and says which")
{
    // Iterates, residuals and corrections from 10.
    std::vector<double> x{10.}, r{98.};
    for (int n = 0; n < 12; ++n) {
        x.push_back(0.5 * (x.back() + 2. / x.back()));
        r.push_back(x.back() * x.back() - 2.);
    }
    const auto first = [&](const std::function<bool(std::size_t)>& holds) {
        for (std::size_t n = 1; n < x.size(); ++n)
            if (holds(n)) return n;
        return x.size();
    };
    const auto check = [&](const std::string& name, const std::string& threshold, const std::string& status,
                           const std::function<bool(std::size_t)>& holds) {
        Scene s(Attributes{{name, threshold}});
        Equation e = root(10.);
        CHECK(s.newton->solve(e));
        CHECK(s.newton->d_status.value() == status);
        const std::size_t n = first(holds);
        CHECK(e.seen.size() == n + 1);
        CHECK(e.x == Approx(x[n]).epsilon(1e-12));
        REQUIRE(s.newton->d_residualGraph.value().size() == n + 1);
        CHECK(s.newton->d_residualGraph.value()[n - 1] == Approx(r[n - 1] * r[n - 1]));
        return n;
    };
    std::set<std::size_t> stops;
    for (const double t : {0.3, 0.2, 0.05, 1e-4}) {
        const std::string text = std::to_string(t);
        stops.insert(check("relativeSuccessiveStoppingThreshold", text, "ConvergedResidualSuccessiveRatio",
                           [&](std::size_t n) { return std::abs(r[n]) < t * std::abs(r[n - 1]); }));
        stops.insert(check("relativeInitialStoppingThreshold", text, "ConvergedResidualInitialRatio",
                           [&](std::size_t n) { return std::abs(r[n]) < t * std::abs(r[0]); }));
        stops.insert(check("absoluteResidualStoppingThreshold", text, "ConvergedAbsoluteResidual",
                           [&](std::size_t n) { return std::abs(r[n]) < t; }));
        stops.insert(check("relativeEstimateDifferenceThreshold", text, "ConvergedRelativeEstimateDifference",
                           [&](std::size_t n) { return std::abs(x[n] - x[n - 1]) < t * std::abs(x[n - 1]); }));
        stops.insert(check("absoluteEstimateDifferenceThreshold", text, "ConvergedAbsoluteEstimateDifference",
                           [&](std::size_t n) { return std::abs(x[n] - x[n - 1]) < t; }));
    }
    CHECK(stops.size() >= 4);
    // There already.
    Scene s(Attributes{{"absoluteResidualStoppingThreshold", "1e-3"}});
    Equation e = root(std::sqrt(2.));
    CHECK(s.newton->solve(e));
    CHECK(s.newton->d_status.value() == "ConvergedEquilibrium");
    CHECK(e.seen.size() == 1);
    // No estimate is small against x = 0.
    Scene zero(Attributes{{"relativeEstimateDifferenceThreshold", "0.5"}, {"maxNbIterationsNewton", "1"}});
    Equation line(
        0., [](double v) { return v - 1e-9; }, [](double) { return 1.; });
    CHECK_FALSE(zero.newton->solve(line));
}

TEST_CASE("what does not converge is reported, and put back if the scene or the caller wants it")
{
    for (const bool keeps : {true, false})
        for (const bool tryAgain : {true, false})
            for (const bool warns : {true, false}) {
                Scene s(Attributes{{"maxNbIterationsNewton", "2"},
                                   {"absoluteResidualStoppingThreshold", "1e-9"},
                                   {"requireConvergence", "0"},
                                   {"warnWhenDiverge", warns ? "1" : "0"},
                                   {"updateStateWhenDiverged", keeps ? "1" : "0"}});
                Equation e = root(10.);
                const MessageCapture told;
                CHECK_FALSE(s.newton->solve(e, tryAgain));
                CHECK(s.newton->d_status.value() == "DivergedMaxIterations");
                CHECK(told.has(Severity::Warning, "did not converge in 2 iterations") == (warns && !tryAgain));
                CHECK(e.x == Approx(keeps && !tryAgain ? 0.5 * (5.1 + 2. / 5.1) : 10.));
            }
}

TEST_CASE("without an energy a line search takes the first of its steps that brings |r| down")
{
    // From 3 a full step of Newton's method for atan x = 0 leads to −9.49, where |r| is larger.
    const auto equation = [] {
        return Equation(
            3., [](double x) { return std::atan(x); }, [](double x) { return 1. / (1. + x * x); });
    };
    const double step = -std::atan(3.) * 10.;
    Scene one(Attributes{{"maxNbIterationsNewton", "1"},
                         {"maxNbIterationsLineSearch", "10"},
                         {"lineSearchCoefficient", "0.7"},
                         {"requireConvergence", "0"},
                         {"warnWhenDiverge", "0"}});
    Equation e = equation();
    one.newton->solve(e);
    double factor = 1.;
    std::vector<double> expected{3.};
    while (true) {
        expected.push_back(3. + factor * step);
        if (std::abs(std::atan(expected.back())) < std::atan(3.)) break;
        factor *= 0.7;
    }
    CHECK(expected.size() == 5);  // 1, 0.7, 0.49, 0.343
    REQUIRE(e.seen.size() == expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) CHECK(e.seen[n] == Approx(expected[n]));
    Scene all(Attributes{{"maxNbIterationsLineSearch", "10"}, {"absoluteResidualStoppingThreshold", "1e-10"}});
    Equation whole = equation();
    CHECK(all.newton->solve(whole));
    CHECK(std::abs(whole.x) < 1e-9);
    // Too few trials: the full step is taken all the same, and the failure is told.
    for (const bool warns : {true, false}) {
        Scene few(Attributes{{"maxNbIterationsNewton", "1"},
                             {"maxNbIterationsLineSearch", "3"},
                             {"lineSearchCoefficient", "0.7"},
                             {"requireConvergence", "0"},
                             {"warnWhenDiverge", "0"},
                             {"warnWhenLineSearchFails", warns ? "1" : "0"}});
        Equation back = equation();
        const MessageCapture told;
        few.newton->solve(back);
        CHECK(back.x == Approx(3. + step));
        CHECK(told.has(Severity::Warning, "line search failed at Newton iteration 0") == warns);
    }
}

TEST_CASE("with an energy a line search goes on as long as the forces along the step have not turned against it")
{
    // E = log cosh x: forces −tanh x. From 2 a step leads to 2 − sinh 2 cosh 2 = −11.6, half of it to −4.8.
    Equation e(
        2., [](double x) { return std::tanh(x); }, [](double x) { return 1. / std::pow(std::cosh(x), 2); }, true);
    Scene s(Attributes{{"maxNbIterationsNewton", "1"},
                       {"maxNbIterationsLineSearch", "10"},
                       {"requireConvergence", "0"},
                       {"warnWhenDiverge", "0"}});
    s.newton->solve(e);
    const double step = -std::sinh(2.) * std::cosh(2.);
    // Enough: tanh x ≥ −0.9 tanh 2.
    double factor = 1.;
    std::size_t trials = 1;
    while (std::tanh(2. + factor * step) < -0.9 * std::tanh(2.)) {
        factor *= 0.5;
        ++trials;
    }
    CHECK(trials > 2);
    CHECK(e.x == Approx(2. + factor * step));
    CHECK(e.seen.size() == trials + 1);
}

TEST_CASE("a trust region goes from an unstable place to a minimum of the energy, downhill in each step")
{
    // E = x⁴/4 − x²/2 is indefinite within 1/√3 of zero, where Newton's method leads to the maximum at 0.
    const auto energy = [](double x) { return 0.25 * x * x * x * x - 0.5 * x * x; };
    for (const double start : {0.05, -0.3, 0.57, 4., -20.}) {
        Equation e(
            start, [](double x) { return x * x * x - x; }, [](double x) { return 3. * x * x - 1.; }, true);
        Scene s(Attributes{{"globalization", "trustRegion"}, {"absoluteResidualStoppingThreshold", "1e-12"}});
        REQUIRE(s.newton->solve(e));
        CHECK(e.x == Approx(start > 0. ? 1. : -1.).epsilon(1e-10));
        CHECK(energy(e.x) < energy(start));
        CHECK(s.newton->d_residualGraph.value().size() < 25);
    }
    Equation massless(
        0.5, [](double x) { return x; }, [](double) { return 1.; });
    massless.solveLinearEquation();
    Equation newton(
        0.1, [](double x) { return x * x * x - x; }, [](double x) { return 3. * x * x - 1.; }, true);
    Scene plain(Attributes{{"absoluteResidualStoppingThreshold", "1e-12"}});
    REQUIRE(plain.newton->solve(newton));
    CHECK(std::abs(newton.x) < 1e-10);  // that is why
}

}  // namespace newton_raphson_solver_test
