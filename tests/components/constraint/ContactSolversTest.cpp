// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "components/constraint/LCPConstraintSolver.h"
#include "components/constraint/PreconditionedConjugateResidual.h"
#include "core/linalg/VectorKernels.h"
#include "core/objectmodel/Path.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace contact_solvers_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

using LawMaker = std::function<std::unique_ptr<ConstraintLaw>()>;
const LawMaker frictionless = [] { return std::make_unique<UnilateralLaw>(); };
LawMaker coulomb(double mu)
{
    return [mu] { return std::make_unique<CoulombLaw>(mu); };
}

/// Compliance by rows that is a dense matrix in truth.
struct DenseProducts final : ComplianceProducts
{
    Vector<double> w, force;
    void addProduct(int first, int n, double* d) const override
    {
        for (int i = 0; i < n; ++i)
            d[i] += vector::dot({w.data() + static_cast<std::size_t>(first + i) * force.size(), force.size()}, force);
    }
    void startFrom(const Vector<double>& start) override
    {
        if (!start.empty()) changeForce(0, static_cast<int>(start.size()), start.data());
    }
    void changeForce(int first, int n, const double* change) override
    {
        for (int i = 0; i < n; ++i) force[static_cast<std::size_t>(first + i)] += change[i];
    }
    void build(ComplianceMatrix& built) const override { built.assignDense(w); }
};

/// A random problem with a symmetric positive definite compliance, built or by products.
struct Problem
{
    ConstraintProblem p;
    DenseProducts products;
    std::vector<std::unique_ptr<ConstraintLaw>> laws;

    Problem(int groups, const LawMaker& law, bool built = true)
    {
        std::mt19937 generator(17);
        std::normal_distribution<double> normal;
        std::size_t n = 0;
        for (int g = 0; g < groups; ++g) {
            laws.push_back(law());
            n += static_cast<std::size_t>(laws.back()->size());
        }
        Vector<double> root(n * n);
        for (double& x : root) x = normal(generator);
        products.w.resize(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double s = i == j ? 0.1 : 0.;
                for (std::size_t k = 0; k < n; ++k) s += root[k * n + i] * root[k * n + j] / static_cast<double>(n);
                products.w[i * n + j] = s;
            }
        products.force.assign(n, 0.);
        std::vector<ConstraintLaw*> pointers;
        for (auto& l : laws) pointers.push_back(l.get());
        p.begin(pointers, built ? nullptr : &products);
        if (built) p.w.assignDense(products.w);
        for (double& d : p.dFree) d = normal(generator);
        if (!built)
            for (const auto& g : p.groups)
                for (int i = g.first; i < g.first + g.law->size(); ++i)
                    for (int j = g.first; j < g.first + g.law->size(); ++j)
                        p.w.add(i, j, products.w[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)]);
    }
};

double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

const ConstraintSettings exact{.tolerance = 1e-13, .maxIterations = 50000, .scaleTolerance = false};

}  // namespace

TEST_CASE("Five solvers agree on 200 frictionless contacts with positive definite compliance", "[constraint]")
{
    Problem gaussSeidel(200, frictionless), nncg(200, frictionless), jacobi(200, frictionless),
        unbuilt(200, frictionless, false), lcp(200, frictionless), unbuiltLcp(200, frictionless, false);
    CHECK(solveGaussSeidel(gaussSeidel.p, exact).converged);
    CHECK(solveNncg(nncg.p, exact).iterations > 5);
    CHECK(solveJacobi(jacobi.p, exact, {.spectralCorrection = true, .spectralFactor = 0.4}).converged);
    CHECK(solveGaussSeidel(unbuilt.p, exact).converged);
    const LcpSettings s{.tolerance = 1e-13, .maxIterations = 50000, .friction = 0.};
    CHECK(solveLcp(lcp.p, s).converged);
    CHECK(solveLcp(unbuiltLcp.p, s).converged);
    double largest = 0.;
    for (const double f : gaussSeidel.p.force) largest = std::max(largest, f);
    CHECK(largest > 0.1);
    for (const Problem* other : {&nncg, &jacobi, &unbuilt, &lcp, &unbuiltLcp})
        CHECK(difference(gaussSeidel.p.force, other->p.force) < 1e-8);
    CHECK(complementarityResidual(unbuilt.p) < 1e-12);
}

TEST_CASE("Conjugate residuals solve bilateral rows in as many iterations as there are rows", "[constraint]")
{
    const LawMaker joint = [] { return std::make_unique<BilateralLaw>(3); };
    Problem reference(4, joint), p(4, joint), few(4, joint), singular(4, joint);
    CHECK(solveGaussSeidel(reference.p, exact).converged);
    const auto o = solveConjugateResidual(p.p, {.tolerance = 1e-13, .maxIterations = 1000, .scaleTolerance = false});
    CHECK(o.iterations <= 12);
    CHECK(difference(reference.p.force, p.p.force) < 1e-9);
    // The residual decreases, and the tolerance is scaled by the rows.
    for (std::size_t k = 1; k < o.errors.size(); ++k) CHECK(o.errors[k] < o.errors[k - 1] * 1.5);
    const auto loose = solveConjugateResidual(few.p, {.tolerance = 1e-3, .maxIterations = 1000});
    CHECK(loose.converged);
    CHECK(loose.error < 12e-3);
    CHECK(loose.iterations < o.iterations);
    // SOFA's rule takes one number of the residual for all, whose index is the count of iterations.
    Problem odd(4, joint);
    const auto byOne = solveConjugateResidual(odd.p, {.tolerance = 1e-3, .maxIterations = 1000}, true);
    REQUIRE(byOne.converged);
    const int k = byOne.iterations - 1;
    const double one = odd.p.violations()[static_cast<std::size_t>(k)] / std::sqrt(odd.p.w(k, k));
    CHECK(byOne.error == Approx(4. * std::sqrt(3.) * std::abs(one)).epsilon(1e-6));
    double all = 0.;
    for (int i = 0; i < 12; ++i)
        all = std::max(all, std::abs(odd.p.violations()[static_cast<std::size_t>(i)]) / std::sqrt(odd.p.w(i, i)));
    CHECK(all > 1.5 * std::abs(one));
    // Rows that repeat others: W is singular, and the violations that can vanish do.
    Vector<double> repeated(144);
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j) repeated[i * 12 + j] = reference.products.w[i % 6 * 12 + j % 6];
    singular.p.w.assignDense(repeated);
    for (std::size_t i = 0; i < 12; ++i) singular.p.dFree[i] = reference.p.dFree[i % 6];
    solveConjugateResidual(singular.p, {.tolerance = 1e-12, .maxIterations = 1000});
    for (const double d : singular.p.violations()) CHECK(std::abs(d) < 1e-9);
}

TEST_CASE("With friction, the contact solver takes its own coefficient for all contacts", "[constraint]")
{
    Problem reference(40, coulomb(0.3)), built(40, coulomb(0.9)), unbuilt(40, coulomb(0.9), false),
        without(40, coulomb(0.9));
    CHECK(solveGaussSeidel(reference.p, exact).converged);
    CHECK(solveLcp(built.p, {.tolerance = 1e-14, .maxIterations = 50000, .friction = 0.3}).converged);
    CHECK(solveLcp(unbuilt.p, {.tolerance = 1e-14, .maxIterations = 50000, .friction = 0.3}).converged);
    CHECK(difference(reference.p.force, built.p.force) < 1e-10);
    CHECK(difference(reference.p.force, unbuilt.p.force) < 1e-10);
    CHECK(solveLcp(without.p, {.tolerance = 1e-13, .maxIterations = 50000, .friction = 0.}).converged);
    const auto d = without.p.violations();
    double slip = 0.;
    for (std::size_t c = 0; c < 40; ++c) {
        CHECK(without.p.force[3 * c] >= 0.);
        CHECK(d[3 * c] > -1e-11);
        CHECK(std::abs(d[3 * c] * without.p.force[3 * c]) < 1e-10);
        CHECK(without.p.force[3 * c + 1] == 0.);
        CHECK(without.p.force[3 * c + 2] == 0.);
        slip = std::max(slip, std::abs(d[3 * c + 1]));
    }
    CHECK(slip > 0.1);
}

TEST_CASE("The contact solver stops when the changes of all violations sum to less than SOFA's bound", "[constraint]")
{
    const auto run = [](double tolerance, double mu, bool built, const LawMaker& law) {
        Problem a(50, law, built);
        return solveLcp(a.p, {.tolerance = tolerance, .maxIterations = 50000, .friction = mu});
    };
    // Without friction and built: the tolerance itself; otherwise times the number of contacts plus one.
    const auto plain = run(51e-6, 0., true, frictionless), scaled = run(1e-6, 0., false, frictionless);
    CHECK(plain.iterations == scaled.iterations);
    CHECK(plain.error < 51e-6);
    CHECK(plain.errors[plain.errors.size() - 2] >= 51e-6);
    CHECK(run(1e-6, 0., true, frictionless).iterations > plain.iterations);
    const auto friction = run(1e-6, 0.5, true, coulomb(0.5));
    CHECK(friction.error < 51e-6);
    CHECK(friction.errors[friction.errors.size() - 2] >= 51e-6);
    // The first sweep from zero: the error is the sum of |W_gg λ_g|, by hand for one contact.
    Problem one(1, coulomb(0.));
    one.p.dFree = {-2., 0., 0.};
    const auto first = solveLcp(one.p, {.tolerance = 0., .maxIterations = 1, .friction = 1e-18});
    const auto& w = one.p.w;
    const double f = 2. / w(0, 0);
    CHECK(one.p.force[0] == Approx(f));
    CHECK(first.error == Approx(f * std::sqrt(w(0, 0) * w(0, 0) + w(1, 0) * w(1, 0) + w(2, 0) * w(2, 0))));
}

TEST_CASE("Contacts that are too stiff or too strong get no force", "[constraint]")
{
    Problem all(30, frictionless), stiff(30, frictionless), strong(30, frictionless, false);
    const LcpSettings s{.tolerance = 1e-12, .maxIterations = 5000, .friction = 0.};
    solveLcp(all.p, s);
    double bound = 0., least = 1e9;
    for (std::size_t i = 0; i < 30; ++i) {
        bound = std::max(bound, all.p.force[i]);
        if (all.p.force[i] > 0.) least = std::min(least, all.p.w(static_cast<int>(i), static_cast<int>(i)));
    }
    LcpSettings noStiff = s, noStrong = s;
    noStiff.minCompliance = least;
    noStrong.maxForce = 0.9 * bound;
    const auto a = solveLcp(stiff.p, noStiff), b = solveLcp(strong.p, noStrong);
    CHECK(a.tooStiff > 0);
    CHECK(b.tooStrong > 0);
    int changed = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        if (all.p.w(static_cast<int>(i), static_cast<int>(i)) <= least) CHECK(stiff.p.force[i] == 0.);
        CHECK(strong.p.force[i] < 0.9 * bound);
        CHECK((strong.p.force[i] == 0. || std::abs(strong.p.force[i] - all.p.force[i]) < 1e-9));
        changed += strong.p.force[i] != 0.;
    }
    CHECK(changed > 3);
    // What the products know of the forces is what came out.
    CHECK(difference(strong.products.force, strong.p.force) < 1e-12);
}

namespace {

/// Floor y = 0 under each point of a state, with friction; its contacts are known by their points.
class Floor final : public LagrangianConstraint<Vec3Types>
{
public:
    explicit Floor(double mu) : m_law(mu) {}
    std::vector<std::int64_t> names;  ///< identity of each contact

    void buildRows(const ConstraintParams&, ConstraintMatrix& h) override
    {
        const auto n = static_cast<int>(state().size());
        const int row = h.addRows(3 * n);
        for (int i = 0; i < n; ++i) {
            h.add(state(), row + 3 * i, static_cast<Index>(i), Vec3(0, 1, 0));
            h.add(state(), row + 3 * i + 1, static_cast<Index>(i), Vec3(0, 0, 1));
            h.add(state(), row + 3 * i + 2, static_cast<Index>(i), Vec3(1, 0, 0));
        }
    }
    void violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d) override
    {
        const auto& p = state().read(x.at(state()));
        const auto& x0 = state().read(vec_id::position);
        for (Index i = 0; i < p.size(); ++i) {
            d[3 * i] = p[i][1];
            d[3 * i + 1] = p[i][2] - x0[i][2];
            d[3 * i + 2] = p[i][0] - x0[i][0];
        }
    }
    void laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out) override
    {
        m_laws.assign(state().size(), m_law);
        for (std::size_t i = 0; i < m_laws.size(); ++i) {
            if (i < names.size()) m_laws[i].setIdentity(names[i]);
            out.push_back(&m_laws[i]);
        }
    }

private:
    CoulombLaw m_law;
    std::vector<CoulombLaw> m_laws;
};

/// Cubes of finite elements or particles on a floor.
struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    std::shared_ptr<Floor> floor = std::make_shared<Floor>(0.4);

    Scene(const std::string& solver, const std::string& body)
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='1 -9.81 0'><FreeMotionAnimationLoop/>" + solver +
                                 "<Node name='body'>" + body + "</Node></Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        root->child("body")->addComponent(floor);
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
    const Vector<Vec3>& positions() { return floor->state().read(vec_id::position); }
};

const std::string cube =
    "<EulerImplicitSolver rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='3 3 3' min='0 0.001 0' "
    "max='1 1 1'/><MechanicalObject/><UniformMass totalMass='1'/><HexahedronFEMForceField youngModulus='3000' "
    "poissonRatio='0.3'/><LinearSolverConstraintCorrection/>";
const std::string particles =
    "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0 0.01 0  1 0.02 0  2 0.5 0' "
    "velocity='1 0 0  0 -1 0.2  0 0 0'/><UniformMass totalMass='6'/><UncoupledConstraintCorrection "
    "defaultCompliance='0.5'/>";
const std::string accurate = " tolerance='1e-14' maxIt='5000' ";

}  // namespace

TEST_CASE("Solvers that never build the compliance move bodies as those that do", "[constraint]")
{
    for (const std::string& body : {cube, particles}) {
        Scene built("<BlockGaussSeidelConstraintSolver" + accurate + "/>", body),
            unbuilt("<UnbuiltGaussSeidelConstraintSolver" + accurate + "/>", body),
            lcp("<LCPConstraintSolver mu='0.4'" + accurate + "/>", body),
            unbuiltLcp("<LCPConstraintSolver build_lcp='0' mu='0.4'" + accurate + "/>", body);
        double force = 0.;
        for (int i = 0; i < 40; ++i) {
            for (Scene* s : {&built, &unbuilt, &lcp, &unbuiltLcp}) s->step(1);
            for (const double f : built.solver().problem().force) force = std::max(force, f);
        }
        CHECK(force > 1e-3);
        CHECK(unbuilt.solver().problem().w.entries() == 9 * unbuilt.solver().problem().groups.size());
        for (Scene* s : {&unbuilt, &lcp, &unbuiltLcp}) {
            double worst = 0.;
            for (std::size_t i = 0; i < built.positions().size(); ++i)
                worst = std::max(worst, norm(built.positions()[i] - s->positions()[i]));
            CHECK(worst < 1e-9);
            CHECK(s->solver().d_currentResidual.value() < 1e-12);
        }
    }
}

TEST_CASE("Jacobi iterations on a stiff body diverge with a warning, and converge with the correction", "[constraint]")
{
    std::string stiff = cube;
    stiff.replace(stiff.find("3000"), 4, "3e6");
    MessageCapture capture;
    Scene plain("<ImprovedJacobiConstraintSolver maxIt='300' tolerance='1e-12' useSpectralCorrection='0'/>", stiff);
    plain.step(10);
    const std::string warning = "the iterations diverge";
    CHECK(capture.has(Severity::Warning, warning));
    const auto said = [&] {
        return std::count_if(capture.messages().begin(), capture.messages().end(),
                             [&](const Message& m) { return m.text.find(warning) != std::string::npos; });
    };
    CHECK(said() == 1);
    for (const Vec3& x : plain.positions()) CHECK(norm(x) < 10.);

    Scene damped("<ImprovedJacobiConstraintSolver useSpectralCorrection='1'" + accurate + "/>", stiff),
        reference("<BlockGaussSeidelConstraintSolver" + accurate + "/>", stiff);
    for (Scene* s : {&damped, &reference}) s->step(10);
    CHECK(said() == 1);
    double worst = 0.;
    for (std::size_t i = 0; i < 27; ++i)
        worst = std::max(worst, norm(damped.positions()[i] - reference.positions()[i]));
    CHECK(worst < 1e-6);  // where the undamped forces let it sink by 0.05
    CHECK(norm(plain.positions()[0] - reference.positions()[0]) > 1e-2);
}

TEST_CASE("Every solver gives the same bits with any number of threads", "[constraint]")
{
    const std::string large =
        "<EulerImplicitSolver rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='9 4 9' min='0 0.001 "
        "0' "
        "max='1 0.4 1'/><MechanicalObject/><UniformMass totalMass='4'/><HexahedronFEMForceField youngModulus='3000' "
        "poissonRatio='0.3'/><GenericConstraintCorrection/>";
    for (const std::string solver :
         {"BlockGaussSeidelConstraintSolver", "NNCGConstraintSolver", "ImprovedJacobiConstraintSolver",
          "UnbuiltGaussSeidelConstraintSolver", "LCPConstraintSolver", "LCPConstraintSolver build_lcp='0'"}) {
        const auto run = [&](unsigned threads) {
            setThreadCount(threads);
            Scene s("<" + solver + " maxIt='50' tolerance='1e-9'/>", large);
            s.step(4);
            setThreadCount(1);
            CHECK(s.solver().problem().size == 972);
            return s.positions();
        };
        const auto one = run(1);
        CHECK(run(2) == one);
        CHECK(run(3) == one);
    }
}

TEST_CASE("Conjugate residuals refuse contacts by name", "[constraint]")
{
    Scene s("<PreconditionedConjugateResidual/>", cube);
    CHECK_THROWS_WITH(s.step(1), Catch::Contains("bilateral constraints only") && Catch::Contains("body"));
}

TEST_CASE("Regularisation is added to the diagonal, built or not", "[constraint]")
{
    Scene built("<LCPConstraintSolver regularizationTerm='1e-3'" + accurate + "/>", cube),
        unbuilt("<LCPConstraintSolver build_lcp='0' regularizationTerm='1e-3'" + accurate + "/>", cube),
        none("<LCPConstraintSolver" + accurate + "/>", cube);
    for (Scene* s : {&built, &unbuilt, &none}) s->step(1);
    const auto& p = built.solver().problem();
    REQUIRE(p.size > 0);
    CHECK(p.w(0, 0) == Approx(none.solver().problem().w(0, 0) + 1e-3).epsilon(1e-12));
    for (Scene* o : {&built, &unbuilt, &none}) o->step(10);
    CHECK(difference(p.force, unbuilt.solver().problem().force) < 1e-9);
    CHECK(difference(p.force, none.solver().problem().force) > 1e-9);
}

TEST_CASE("Contacts start from their own forces of the last step, wherever they stand in the list", "[constraint]")
{
    const std::string solver = "<LCPConstraintSolver mu='0.4' tolerance='1e-9' maxIt='5000' initial_guess='";
    Scene warm(solver + "1'/>", cube), cold(solver + "0'/>", cube), nameless(solver + "1'/>", cube);
    for (std::int64_t i = 0; i < 27; ++i)
        for (Scene* s : {&warm, &cold}) s->floor->names.push_back(1000 - i);
    int sweepsWarm = 0, sweepsCold = 0;
    for (int i = 0; i < 60; ++i) {
        for (Scene* s : {&warm, &cold, &nameless}) s->step(1);
        sweepsWarm += warm.solver().d_currentIterations.value();
        sweepsCold += cold.solver().d_currentIterations.value();
        CHECK(nameless.solver().d_currentIterations.value() == cold.solver().d_currentIterations.value());
    }
    CHECK(sweepsWarm < 0.8 * sweepsCold);
    warm.sim->reset();
    cold.sim->reset();
    warm.step(1);
    cold.step(1);
    CHECK(warm.solver().d_currentIterations.value() == cold.solver().d_currentIterations.value());
}

TEST_CASE("Old attributes of the contact solver are named in a warning, wrong values are errors", "[constraint]")
{
    const auto load = [](const std::string& attributes) {
        LoadReport report;
        loadSceneText("<Node><LCPConstraintSolver " + attributes + "/></Node>", "test.scn", {}, &report);
        return report.ok();
    };
    CHECK(load("multi_grid='true' merge_method='1' showLevels='2' graph='' group='1'"));
    CHECK_FALSE(load("mu='-0.1'"));
}

}  // namespace contact_solvers_test
