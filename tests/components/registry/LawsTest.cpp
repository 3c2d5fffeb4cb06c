// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What all constraints and linear solvers of the registry have in common, looked at in the example scene of each.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/behavior/ConstraintMatrix.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/behavior/Solvers.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/Operations.h"
#include "core/visitor/StateVectors.h"
#include "tests/harness/Paths.h"

namespace laws_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

/// The example scene of a class after some steps, with messages kept away; its objects of that class.
template <class Family>
void inItsExample(const std::string& name, int steps,
                  const std::function<void(Simulation&, std::vector<Family*>)>& look)
{
    static const sofa::test::TemporaryDirectory tmp;  // scenes may write
    fs::current_path(tmp.path());
    const MessageCapture silence;
    Simulation s(
        loadScene((sofa::test::sourceDirectory() / "scenes" / Registry::instance().find(name)->example).string()));
    INFO(name);
    REQUIRE(s.init());
    for (int i = 0; i < steps; ++i) s.step();
    std::vector<Family*> mine;
    for (Family* f : s.root().getAll<Family>(Search::Down))
        if (Registry::instance().nameOf(*f) == name) mine.push_back(f);
    look(s, mine);
}

/// Scalars of some states, one after the other.
using Scalars = std::map<const BaseState*, std::vector<double>>;

class Random
{
public:
    Scalars scalars(const std::vector<BaseState*>& states)
    {
        Scalars out;
        for (const BaseState* s : states) {
            auto& v = out[s];
            v.resize(s->size() * s->derivSize());
            for (double& x : v) x = m_value(m_engine);
        }
        return out;
    }

private:
    std::mt19937 m_engine{3};
    std::uniform_real_distribution<double> m_value{-1., 1.};
};

double dot(const Scalars& a, const Scalars& b)
{
    double sum = 0.;
    for (const auto& [s, v] : a)
        for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * b.at(s)[i];
    return sum;
}

double distance(const Scalars& a, const Scalars& b)
{
    double most = 0.;
    for (const auto& [s, v] : a)
        for (std::size_t i = 0; i < v.size(); ++i) most = std::max(most, std::abs(v[i] - b.at(s)[i]));
    return most;
}

Scalars projected(BaseProjectiveConstraint& c, const Scalars& v)
{
    Scalars out;
    const VecDerivId id = vec_id::dx;
    for (BaseState* s : c.states()) {
        if (!s->isAllocated(id)) s->allocate(id);
        s->setScalars(id, v.at(s).data());
    }
    c.projectResponse(MechanicalParams(), id);
    for (BaseState* s : c.states()) {
        out[s].resize(v.at(s).size());
        s->getScalars(id, out[s].data());
    }
    return out;
}

/// What the matrix gets of a constraint, done to a vector.
class SinkProjection final : public EliminationSink
{
public:
    explicit SinkProjection(Scalars v) : values(std::move(v)) {}
    void eliminate(const BaseState& s, Index i, std::size_t k) override { at(s, i, k) = 0.; }
    void project(const BaseState& s, Index i, const double* p) override
    {
        const std::size_t n = s.derivSize();
        std::vector<double> in(n), out(n, 0.);
        for (std::size_t k = 0; k < n; ++k) in[k] = at(s, i, k);
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t k = 0; k < n; ++k) out[r] += p[r * n + k] * in[k];
        for (std::size_t k = 0; k < n; ++k) at(s, i, k) = out[k];
    }
    void join(const BaseState& s1, Index i1, const BaseState& s2, Index i2, std::size_t k) override
    {
        at(s1, i1, k) = at(s2, i2, k) = 0.5 * (at(s1, i1, k) + at(s2, i2, k));
    }
    Scalars values;

private:
    double& at(const BaseState& s, Index i, std::size_t k) { return values.at(&s)[i * s.derivSize() + k]; }
};

/// Rows of a constraint at the present positions, times a direction, and their violations after a way along it.
struct Rows
{
    std::vector<double> product, violation;
};

Rows rowsOf(BaseLagrangianConstraint& c, const Scalars& direction, double way)
{
    Rows out;
    ConstraintParams p;
    p.dt = c.node()->root().d_dt.value();
    const auto states = c.states();
    for (BaseState* s : states) {
        if (!s->isAllocated(vec_id::freePosition)) s->allocate(vec_id::freePosition);
        if (!s->isAllocated(vec_id::freeVelocity)) s->allocate(vec_id::freeVelocity);
        if (!s->isAllocated(vec_id::dx)) s->allocate(vec_id::dx);
        s->setScalars(vec_id::dx, direction.at(s).data());
        s->copy(vec_id::freePosition, vec_id::position);
    }
    ConstraintMatrix h;
    h.begin();
    c.buildRows(p, h);
    h.carry({});
    out.product.assign(static_cast<std::size_t>(h.rows()), 0.);
    out.violation = out.product;
    for (const BaseState* s : states) h.addProduct(*s, vec_id::dx, out.product);
    for (BaseState* s : states) s->add(vec_id::freePosition, vec_id::position, vec_id::dx, way);
    c.violation(p, vec_id::freePosition, out.violation);
    return out;
}

}  // namespace

TEST_CASE("Projective constraints project, and matrices get the same projection")
{
    DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    std::size_t looked = 0;
    for (const std::string& name : Registry::instance().derivedFrom("BaseProjectiveConstraint")) {
        inItsExample<BaseProjectiveConstraint>(name, 2, [&](Simulation&, const auto& all) {
            // These turn frames back and put points at their targets, and let forces be.
            bool acts =
                name == "FixedRotationProjectiveConstraint" || name == "PositionBasedDynamicsProjectiveConstraint";
            for (BaseProjectiveConstraint* c : all) {
                INFO(name << " " << c->pathName());
                Random random;
                const auto states = c->states();
                const Scalars x = random.scalars(states), y = random.scalars(states);
                const Scalars px = projected(*c, x), py = projected(*c, y);
                acts = acts || distance(px, x) > 1e-3;
                CHECK(distance(projected(*c, px), px) < 1e-14);
                CHECK(dot(px, y) == Approx(dot(x, py)).margin(1e-12));
                SinkProjection sink(x);
                c->eliminate(sink);
                CHECK(distance(sink.values, px) < 1e-14);
                ++looked;
            }
            INFO(name << " holds something in its example");
            CHECK(acts);
        });
    }
    CHECK(looked >= 15);
}

TEST_CASE("The Jacobian of a Lagrangian constraint is the derivative of its violation")
{
    DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    std::size_t rows = 0;
    for (const std::string& name : Registry::instance().derivedFrom("BaseLagrangianConstraint")) {
        if (Registry::instance().find(name)->category == "ContactResponse") continue;
        inItsExample<BaseLagrangianConstraint>(name, 3, [&](Simulation&, const auto& all) {
            for (BaseLagrangianConstraint* c : all) {
                if (!c->isActive()) continue;
                INFO(name << " " << c->pathName());
                const Scalars direction = Random().scalars(c->states());
                constexpr double way = 1e-6;
                const Rows ahead = rowsOf(*c, direction, way), behind = rowsOf(*c, direction, -way);
                double largest = 0.;
                for (const double v : ahead.product) largest = std::max(largest, std::abs(v));
                for (std::size_t k = 0; k < ahead.product.size(); ++k) {
                    INFO("row " << k << " of " << ahead.product.size());
                    const double difference = (ahead.violation[k] - behind.violation[k]) / (2. * way);
                    CHECK(difference == Approx(ahead.product[k]).margin(1e-6 * largest));
                    ++rows;
                }
            }
        });
    }
    CHECK(rows >= 20);
}

TEST_CASE("Linear solvers solve: the residual is that of the products of components")
{
    DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    // These have factors of other moments by design.
    const std::set<std::string> excused{"AsyncSparseLDLSolver", "PrecomputedLinearSolver"};
    std::size_t looked = 0;
    for (const std::string& name : Registry::instance().derivedFrom("LinearSolver")) {
        if (excused.contains(name)) continue;
        inItsExample<LinearSolver>(name, 2, [&](Simulation&, const auto& all) {
            for (LinearSolver* solver : all) {
                INFO(name << " " << solver->pathName());
                OdeSolver* integrator = solver->node()->template get<OdeSolver>(Search::Up);
                if (!integrator || solver->isPreconditioner()) continue;
                // M + h²K and the like, at the present state.
                const double h = solver->node()->root().d_dt.value();
                MechanicalParams mp;
                mp.dt = h;
                mp.implicit = true;
                mp.mFactor = 1.;
                mp.bFactor = -h;
                mp.kFactor = -h * h;
                MechanicalOperations mop(integrator->scope(), mp);
                VectorOperations vop(integrator->scope());
                vop.allocate(vec_id::force);
                mop.computeForce(vec_id::force);
                TempDeriv b(vop), x(vop), product(vop);
                const auto& states = mop.plan().independentStates();
                Random random;
                const Scalars values = random.scalars(states);
                for (BaseState* s : states) s->setScalars(MultiVecDerivId(b).at(*s), values.at(s).data());
                mop.projectResponse(b);
                const double size = std::sqrt(vop.dot(b, b));
                if (size == 0.) continue;
                solver->setSystem(integrator->scope(), mp);
                solver->solve(x, b);
                mop.addMBKdx(product, x, mp.mFactor, mp.bFactor, mp.kFactor, true);
                mop.projectResponse(product);
                vop.add(product, product, b, -1.);
                const double residual = std::sqrt(vop.dot(product, product)) / size;
                INFO("|A x - b| / |b| = " << residual);
                // What an iterative one tells is what is there, but for the rounding of its recurrences; a direct one
                // leaves rounding.
                const auto* told = dynamic_cast<const Data<double>*>(solver->findData("lastResidual"));
                if (told && solver->findData("lastIterations"))
                    CHECK(residual == Approx(told->value()).epsilon(0.01).margin(1e-8));
                else
                    CHECK(residual < 1e-7);
                ++looked;
            }
        });
    }
    CHECK(looked >= 15);
}

}  // namespace laws_test
