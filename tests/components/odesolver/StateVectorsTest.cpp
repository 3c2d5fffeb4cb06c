// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/StateVectors.h"

#include <catch2/catch.hpp>

#include "core/behavior/Solvers.h"
#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/Paths.h"

namespace state_vectors_test {

/// Vectors that solvers take for a while or keep, and a solver of a plugin that takes some around another one.
using namespace sofa;
using namespace sofa::core;

namespace {

/// Iterative refinement around another linear solver: x = A⁻¹ b, then x += A⁻¹ (b − A x), `times` times.
class RefinedSolver : public LinearSolver
{
public:
    Data<unsigned> d_times{this, {.name = "times", .help = "Corrections"}, 2};
    Link<LinearSolver> l_inner{this, {.name = "inner", .help = "Solver that is refined", .required = true}};
    double first = 0., last = 0.;  ///< norms of the residual

    void init() override
    {
        std::string error;
        if (!l_inner.resolve(error)) fail("inner: " + error);
    }
    void setSystem(const SolverScope& scope, const MechanicalParams& mp) override
    {
        m_scope = scope;
        m_params = mp;
        l_inner->setSystem(scope, mp);
    }
    void solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs) override
    {
        VectorOperations vop(m_scope);
        MechanicalOperations mop(m_scope, m_params);
        const TempDeriv residual(vop), correction(vop), solution(vop);
        l_inner->solve(solution, rhs);
        for (unsigned i = 0; i <= d_times.value(); ++i) {
            mop.addMBKdx(residual, solution, m_params.mFactor, m_params.bFactor, m_params.kFactor, true);
            vop.scale(residual, -1.);
            vop.add(residual, residual, rhs, 1.);
            mop.projectResponse(residual);
            last = vop.norm(residual);
            if (i == 0) first = last;
            if (i == d_times.value()) break;
            l_inner->solve(correction, residual);
            vop.add(solution, solution, correction, 1.);
        }
        vop.copy(x, solution);
    }

private:
    SolverScope m_scope;
    MechanicalParams m_params;
};

const RegisterComponent registered = RegisterComponent("RefinedSolver", "LinearSolver", "Test")
                                         .help("Iterative refinement around another solver")
                                         .add<RefinedSolver>();

std::string body(const std::string& name, const std::string& solvers, const std::string& place = "0 0 0")
{
    return "<Node name='" + name + "'>" + solvers +
           "<RegularGridTopology name='grid' n='3 3 6' min='0 0 0' max='0.1 0.1 0.3'/>"
           "<MechanicalObject name='dofs' template='Vec3' translation='" +
           place +
           "'/>"
           "<UniformMass totalMass='0.5'/>"
           "<HexahedronFEMForceField youngModulus='20000' poissonRatio='0.3'/>"
           "<BoxROI name='box' box='-10 -10 -0.01 10 10 0.01'/>"
           "<FixedProjectiveConstraint indices='@box.indices'/></Node>";
}

std::unique_ptr<Simulation> scene(const std::string& bodies, bool poison = false)
{
    auto s = std::make_unique<Simulation>(loadSceneText("<Node dt='0.01'>" + bodies + "</Node>", "bodies.scn"));
    s->root().scene().vectors->poison = poison;
    REQUIRE(s->init());
    return s;
}

const Vector<Vec3>& positions(const Simulation& s, const char* name)
{
    return dynamic_cast<State<Vec3Types>&>(*s.root().child(name)->get<BaseState>(Search::Local)).positions();
}

/// Solvers of all kinds that take vectors, those without a matrix among them.
const std::vector<std::string> solvers = {
    "<EulerImplicitSolver/><CGLinearSolver iterations='50' assembly='never'/>",
    "<EulerImplicitSolver maxIterations='3' computeResidual='1'/><CGLinearSolver iterations='50'/>",
    "<NewmarkImplicitSolver/><SparseLDLSolver/>",
    "<NewmarkImplicitSolver maxIterations='3'/><SparseLDLSolver/>",
    "<VariationalSymplecticSolver/><CGLinearSolver iterations='50' assembly='never'/>",
    "<BDFOdeSolver order='2'/><NewtonRaphsonSolver/><SparseLDLSolver/>",
    "<EulerImplicitSolver linearSolver='@refined'/><CGLinearSolver name='cg' iterations='30' tolerance='1e-3' "
    "assembly='never'/><RefinedSolver name='refined' inner='@cg'/>",
    "<RungeKutta4Solver/>",
    "<RungeKutta2Solver/>",
    "<CentralDifferenceSolver rayleighMass='0.1'/>",
    "<EulerExplicitSolver/>"};

bool isExplicit(const std::string& s)
{
    return s.find("LinearSolver") == std::string::npos && s.find("LDL") == std::string::npos;
}

}  // namespace

TEST_CASE("Vectors that are taken at one time have different identifiers, and later ones take them again")
{
    const auto s = scene(body("a", solvers[0]) + body("b", solvers[1]));
    VectorOperations a(*s->root().child("a")), b(*s->root().child("b"));
    auto& inA = *s->root().child("a")->get<BaseState>();
    auto& inB = *s->root().child("b")->get<BaseState>();
    VecDerivId firstId, secondId;
    {
        const TempDeriv first(a), second(a), third(b);
        firstId = first;
        secondId = second;
        CHECK(first.id() != second.id());
        CHECK(second.id() != third.id());
        CHECK(inA.isAllocated(first));
        CHECK_FALSE(inB.isAllocated(first));
        CHECK(inB.isAllocated(third));
    }
    const TempDeriv again(b);
    CHECK(again.id().index == firstId.index);
    CHECK(again.id() != firstId);
    // The state of another scope had the vector before: it has it no more for the one that takes it now.
    CHECK_FALSE(inA.isAllocated(again));
    CHECK_THROWS_AS(inA.dot(again, again), std::logic_error);
    const KeptDeriv kept(*s->root().child("a")->get<OdeSolver>(), "test");
    VectorOperations vop(*s->root().child("a"));
    const VecDerivId keptId = kept.allocate(vop);
    CHECK(keptId.index == secondId.index);
    CHECK(inA.maxNorm(keptId) == 0.);
    CHECK(kept.id() == keptId);
    CHECK(TempDeriv(a).id().index != keptId.index);
}

TEST_CASE("Solvers beside and around each other compute what each computes alone")
{
    for (std::size_t i = 0; i < solvers.size(); ++i) {
        const std::string& mine = solvers[i];
        INFO(mine);
        const double dt = isExplicit(mine) ? 1e-4 : 0.01;
        const auto alone = scene(body("a", mine));
        for (int k = 0; k < 5; ++k) alone->step(dt);
        CHECK(norm(positions(*alone, "a").back() - Vec3{0.1, 0.1, 0.3}) > 1e-9);
        for (std::size_t j = 0; j < solvers.size(); ++j) {
            if (isExplicit(mine) != isExplicit(solvers[j])) continue;
            INFO("beside " << solvers[j]);
            const bool poison = (i + j) % 2 == 0;
            const auto both =
                scene(body("b", solvers[j], "1 0 0") + body("a", mine) + body("c", solvers[j], "2 0 0"), poison);
            for (int k = 0; k < 5; ++k) both->step(dt);
            CHECK(positions(*both, "a") == positions(*alone, "a"));
            CHECK(both->root().scene().vectors->coord.inUse() == both->root().scene().vectors->coord.kept().size());
            CHECK(both->root().scene().vectors->deriv.inUse() == both->root().scene().vectors->deriv.kept().size());
        }
    }
}

TEST_CASE("A solver of a plugin takes vectors around another one")
{
    const auto s = scene(body("a", solvers[6]), true);
    for (int k = 0; k < 3; ++k) s->step();
    const auto& refined = *s->root().child("a")->get<RefinedSolver>();
    CHECK(refined.first > 0.);
    CHECK(refined.last < 1e-4 * refined.first);
}

TEST_CASE("Vectors that are taken again are not allocated again")
{
    for (const std::string& mine : solvers) {
        INFO(mine);
        const auto s = scene(body("a", mine));
        const double dt = isExplicit(mine) ? 1e-4 : 0.01;
        for (int k = 0; k < 5; ++k) s->step(dt);
        VectorOperations vop(*s->root().child("a"));
        const auto take = [&vop] {
            const TempDeriv a(vop), b(vop), c(vop), d(vop);
            const TempCoord x(vop), y(vop);
            vop.clear(a);
        };
        take();
        const std::size_t before = test::allocationCount();
        for (int k = 0; k < 100; ++k) take();
        CHECK(test::allocationCount() == before);
    }
}

TEST_CASE("Checkpoints hold what solvers keep from step to step, and nothing that they take for a while")
{
    for (const std::string& mine : solvers) {
        INFO(mine);
        const double dt = isExplicit(mine) ? 1e-4 : 0.01;
        const std::string bodies = body("b", mine, "1 0 0") + body("a", mine);
        const auto straight = scene(bodies);
        for (int k = 0; k < 3; ++k) straight->step(dt);
        const test::TemporaryDirectory folder;
        const std::string file = (folder.path() / "checkpoint").string();
        saveCheckpoint(*straight, file);
        const auto loaded = scene(bodies, true);
        loadCheckpoint(*loaded, file);
        for (int k = 0; k < 3; ++k) straight->step(dt), loaded->step(dt);
        CHECK(positions(*loaded, "a") == positions(*straight, "a"));
        CHECK(positions(*loaded, "b") == positions(*straight, "b"));
    }
}

}  // namespace state_vectors_test
