// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/DerivativeCheck.h"

#include <catch2/catch.hpp>

#include "core/behavior/Mapping.h"
#include "tests/harness/TestGraph.h"

namespace derivative_check_test {

using namespace sofa::core;
using sofa::test::TestState;
using Verdict = DerivativeResult::Verdict;

namespace {

/// E = ¼ |x|⁴ for each point, with drag; what it states may be put wrong.
class Well : public ForceField<Vec3Types>
{
public:
    double energyFactor = 1., stiffnessFactor = 1., dampingFactor = 1., kink = 0.;
    bool asymmetric = false;

    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    std::string className() const override { return "Well"; }
    void addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override
    {
        m_x = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            f[i] -= x[i] * dot(x[i], x[i]) + v[i] * 0.5;
            if (i == 0) f[i][0] -= kink * std::abs(x[i][0] - 1.);
        }
    }
    void buildStiffness(const MechanicalParams&, BlockSink& k) override
    {
        for (Index i = 0; i < m_x.size(); ++i) {
            Mat<3, 3> block;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c)
                    block(r, c) = -stiffnessFactor * ((r == c ? dot(m_x[i], m_x[i]) : 0.) + 2. * m_x[i][r] * m_x[i][c]);
            if (asymmetric && i == 1) block(0, 1) += 0.3;
            k.add(i, i, block);
        }
    }
    void buildDamping(const MechanicalParams&, BlockSink& b) override
    {
        for (Index i = 0; i < m_x.size(); ++i) b.addIdentity(i, i, -0.5 * dampingFactor, 3);
    }
    bool hasDamping() const override { return true; }
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override
    {
        if (kink != 0.) return std::nan("");
        double e = 0.;
        for (const Vec3& p : x) e += 0.25 * energyFactor * dot(p, p) * dot(p, p);
        return e;
    }

private:
    VecCoord m_x;
};

/// x_out = |x|² / 2
class HalfSquare : public Mapping<Vec3Types, Vec1Types>
{
public:
    double jacobianFactor = 1., geometricFactor = 1.;

    using Mapping::apply;
    using Mapping::buildGeometricStiffness;
    std::string className() const override { return "HalfSquare"; }
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        for (std::size_t i = 0; i < in.size(); ++i) out[i][0] = 0.5 * dot(in[i], in[i]);
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override
    {
        j.clear();
        for (std::size_t i = 0; i < in.size(); ++i) {
            Mat<1, 3> row;
            for (std::size_t k = 0; k < 3; ++k) row(0, k) = jacobianFactor * in[i][k];
            j.appendRow();
            j.append(static_cast<Index>(i), row);
        }
    }
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&) override
    {
        for (Index i = 0; i < f.size(); ++i) k.addIdentity(i, i, geometricFactor * f[i][0], 3);
    }
    bool isLinear() const override { return false; }
};

struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    TestState<Vec3Types>& state =
        sofa::test::addState<Vec3Types>(*root, {{1., 2., -1.}, {0.3, -0.2, 0.7}, {0.5, 0., 0.4}});
    Well& well = root->create<Well>();
    HalfSquare* mapping = nullptr;
    Simulation simulation{root};

    Scene()
    {
        const auto below = std::make_shared<Node>("below");
        root->addChild(below);
        sofa::test::addState<Vec1Types>(*below, Vector<Vec<1>>(3));
        mapping = &below->create<HalfSquare>();
        REQUIRE(simulation.init());
    }
    /// What is wrong, as "class: law".
    std::vector<std::string> wrong(Verdict v = Verdict::Wrong)
    {
        std::vector<std::string> out;
        for (const DerivativeResult& r : checkDerivatives(simulation))
            if (r.verdict == v) out.push_back(r.component.substr(r.component.find('(')) + ' ' + r.what);
        return out;
    }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("checkDerivatives: what is right is right, and nothing has moved afterwards")
{
    Scene s;
    s.state.d_velocity.setValue({{1., 0., 2.}, {0., 0., 0.}, {-1., 3., 0.}});
    const auto x = s.state.d_position.value(), v = s.state.d_velocity.value();
    const auto results = checkDerivatives(s.simulation);
    CHECK(results.size() == 8);
    for (const DerivativeResult& r : results) {
        INFO(r.component << ' ' << r.what << ' ' << nameOf(r.verdict) << ' ' << r.deviation);
        CHECK(r.verdict == Verdict::Right);
        CHECK(r.deviation < 1e-8);
    }
    CHECK(s.state.d_position.value() == x);
    CHECK(s.state.d_velocity.value() == v);
}

TEST_CASE("checkDerivatives: names the wrong one")
{
    Scene s;
    s.well.energyFactor = 1.001;
    CHECK(s.wrong() == Names{"(Well) force = -dE/dx"});
    s.well.energyFactor = 1.;
    s.well.stiffnessFactor = 0.999;
    CHECK(s.wrong() == Names{"(Well) stiffness = df/dx"});
    s.well.stiffnessFactor = 1.;
    s.well.dampingFactor = 2.;
    CHECK(s.wrong() == Names{"(Well) damping = df/dv"});
    s.well.dampingFactor = 0.;
    CHECK(s.wrong(Verdict::LeftOut) == Names{"(Well) damping = df/dv"});
    s.well.dampingFactor = 1.;
    s.mapping->geometricFactor = 0.5;
    CHECK(s.wrong() == Names{"(HalfSquare) geometric stiffness = d(Jt f)/dx"});
    s.mapping->geometricFactor = 0.;
    CHECK(s.wrong(Verdict::LeftOut) == Names{"(HalfSquare) geometric stiffness = d(Jt f)/dx"});
    s.mapping->geometricFactor = 1.01;
    s.mapping->jacobianFactor = 1.01;  // a geometric stiffness that fits the wrong Jacobian
    CHECK(s.wrong() == Names{"(HalfSquare) J = dx_out/dx_in"});
}

TEST_CASE("checkDerivatives: the place of a wrong entry")
{
    Scene s;
    s.well.asymmetric = true;
    for (const DerivativeResult& r : checkDerivatives(s.simulation)) {
        if (r.verdict != Verdict::Wrong) continue;
        CHECK(r.what == "stiffness = df/dx");
        CHECK(r.where == "point 1 of /TestState1, scalar 0");
        return;
    }
    FAIL("nothing was found");
}

TEST_CASE("checkDerivatives: at a kink nothing is said")
{
    Scene s;
    s.well.kink = 5.;  // at x = 1, where the first point lies
    CHECK(s.wrong().empty());
    CHECK(s.wrong(Verdict::Unclear) == Names{"(Well) stiffness = df/dx"});
}

}  // namespace derivative_check_test
