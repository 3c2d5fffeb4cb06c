// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Mapping.h"
#include "core/behavior/Mass.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/TestGraph.h"

namespace harness_test {

/// The harnesses find each kind of mistake: the test cases tagged [!shouldfail] pass only if a check fails in them.
using namespace sofa;
using namespace sofa::core;

namespace {

enum class Mistake
{
    None,
    Energy,
    Stiffness,
    Symmetry,
    Product,
    Memory,
    Overwrite,
    Momentum,
    Damping,
    Zero
};

/// Nonlinear springs between consecutive points, f = k |u|² u with E = ¼ k |u|⁴, with one mistake.
class Faulty : public ForceField<Vec3Types>
{
public:
    explicit Faulty(Mistake m) : m_mistake(m) {}
    std::string className() const override { return "Faulty"; }

    void addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override
    {
        if (m_mistake == Mistake::Overwrite) std::fill(f.begin(), f.end(), Vec3());
        m_blocks.clear();
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const Vec3 u = x[i + 1] - x[i];
            const double k = m_mistake == Mistake::Zero ? 0. : 7.;
            Vec3 force = u * (k * norm2(u));
            Mat3 block = Mat3::identity() * (k * norm2(u)) + outer(u, u) * (2. * k);
            if (m_mistake == Mistake::Memory) force *= 1. + 1e-9 * m_calls;
            if (m_mistake == Mistake::Stiffness) block[1][1] *= 1. + 1e-5;
            if (m_mistake == Mistake::Symmetry) block[0][1] *= 1. + 1e-5;
            f[i] += force + (v[i + 1] - v[i]) * 2.;
            f[i + 1] -= (m_mistake == Mistake::Momentum ? force * (1. + 1e-10) : force) + (v[i + 1] - v[i]) * 2.;
            m_blocks.push_back(block);
        }
        ++m_calls;
    }
    void buildStiffness(const MechanicalParams&, BlockSink& k) override { build(k, m_blocks); }
    void buildDamping(const MechanicalParams&, BlockSink& b) override
    {
        build(b, Vector<Mat3>(m_blocks.size(), Mat3::identity() * (m_mistake == Mistake::Damping ? 2.001 : 2.)));
    }
    bool hasDamping() const override { return true; }
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override
    {
        MechanicalParams changed = mp;
        if (m_mistake == Mistake::Product) changed.kFactor = mp.kFactor - mp.bFactor * 1e-3;
        BaseForceField::addDForce(changed, df);
    }
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override
    {
        double e = 0.;
        for (std::size_t i = 0; i + 1 < x.size(); ++i) e += 0.25 * 7. * norm2(x[i + 1] - x[i]) * norm2(x[i + 1] - x[i]);
        return m_mistake == Mistake::Energy ? e * (1. + 1e-5) : m_mistake == Mistake::Zero ? 0. : e;
    }
    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

private:
    static void build(BlockSink& k, const Vector<Mat3>& blocks)
    {
        for (Index i = 0; i < blocks.size(); ++i) {
            k.add(i, i, -blocks[i]);
            k.add(i, i + 1, blocks[i]);
            k.add(i + 1, i, blocks[i]);
            k.add(i + 1, i + 1, -blocks[i]);
        }
    }
    Mistake m_mistake;
    Vector<Mat3> m_blocks;
    int m_calls = 0;
};

void checkFaulty(Mistake m)
{
    Node root;
    test::addState<Vec3Types>(root, {Vec3(), Vec3{1., 0.2, 0.3}, Vec3{0.5, 1., -0.3}});
    auto& ff = root.create<Faulty>(m);
    REQUIRE(test::initialise(root));
    test::checkForceField(ff, {.internal = true});
}

/// (x, y, z) → (x y, y z, z x), with mistakes of its Jacobian and of its geometric stiffness.
class FaultyMapping : public Mapping<Vec3Types, Vec3Types>
{
public:
    FaultyMapping(double jacobian, double geometric) : m_jacobianFactor(jacobian), m_geometricFactor(geometric) {}
    std::string className() const override { return "FaultyMapping"; }
    bool isLinear() const override { return false; }
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {in[i][0] * in[i][1], in[i][1] * in[i][2], in[i][2] * in[i][0]};
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override
    {
        j.clear();
        for (Index i = 0; i < in.size(); ++i) {
            Mat3 b;
            b[0] = {in[i][1] * m_jacobianFactor, in[i][0], 0.};
            b[1] = {0., in[i][2], in[i][1]};
            b[2] = {in[i][2], 0., in[i][0]};
            j.appendRow();
            j.append(i, b);
        }
    }
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&) override
    {
        for (Index i = 0; i < f.size(); ++i) {
            Mat3 b;
            b[0] = {0., f[i][0] * m_geometricFactor, f[i][2]};
            b[1] = {f[i][0], 0., f[i][1]};
            b[2] = {f[i][2], f[i][1], 0.};
            k.add(i, i, b);
        }
    }
    using Mapping::apply;
    using Mapping::buildGeometricStiffness;

private:
    double m_jacobianFactor, m_geometricFactor;
};

void checkFaultyMapping(double jacobian, double geometric)
{
    Node root;
    test::addState<Vec3Types>(root, {Vec3{1., 0.2, 0.3}, Vec3{0.5, 1., -0.3}});
    auto& child = *root.createChild("child");
    test::addState<Vec3Types>(child, Vec3Types::VecCoord(2));
    auto& m = child.create<FaultyMapping>(jacobian, geometric);
    REQUIRE(test::initialise(root));
    test::checkMapping(m);
}

/// 3 kg for each point, with a mistake of the given size in addMDx.
class FaultyMass : public Mass<Vec3Types>
{
public:
    explicit FaultyMass(double mistake) : m_factor(1. + mistake) {}
    std::string className() const override { return "FaultyMass"; }
    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord&, double factor) const override
    {
        for (std::size_t i = 0; i < f.size(); ++i) f[i] += dx[i] * (3. * m_factor * factor);
    }
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord&) const override
    {
        for (std::size_t i = 0; i < f.size(); ++i) a[i] = f[i] / 3.;
    }
    void buildMass(BlockSink& m, const VecCoord&) const override
    {
        for (Index i = 0; i < state().size(); ++i) m.add(i, i, Mat3::identity() * 3.);
    }
    bool isDiagonal() const override { return true; }
    double pointMass(Index) const override { return 3.; }
    using Mass::accFromF;
    using Mass::addMDx;
    using Mass::buildMass;

private:
    double m_factor;
};

void checkFaultyMass(double mistake, double total)
{
    Node root;
    test::addState<Vec3Types>(root, {Vec3{1., 0.2, 0.3}, Vec3{0.5, 1., -0.3}});
    auto& m = root.create<FaultyMass>(mistake);
    REQUIRE(test::initialise(root));
    test::checkMass(m, {.totalMass = total});
}

}  // namespace

TEST_CASE("the harnesses accept what is right")
{
    checkFaulty(Mistake::None);
    checkFaultyMapping(1., 1.);
    checkFaultyMass(0., 6.);
}

TEST_CASE("the harness finds a wrong energy", "[!shouldfail]") { checkFaulty(Mistake::Energy); }
TEST_CASE("the harness finds a wrong stiffness", "[!shouldfail]") { checkFaulty(Mistake::Stiffness); }
TEST_CASE("the harness finds an unsymmetric stiffness", "[!shouldfail]") { checkFaulty(Mistake::Symmetry); }
TEST_CASE("the harness finds a wrong product", "[!shouldfail]") { checkFaulty(Mistake::Product); }
TEST_CASE("the harness finds a force that depends on the past", "[!shouldfail]") { checkFaulty(Mistake::Memory); }
TEST_CASE("the harness finds a force that overwrites others", "[!shouldfail]") { checkFaulty(Mistake::Overwrite); }
TEST_CASE("the harness finds a resultant of internal forces", "[!shouldfail]") { checkFaulty(Mistake::Momentum); }
TEST_CASE("the harness finds a wrong damping", "[!shouldfail]") { checkFaulty(Mistake::Damping); }
TEST_CASE("the harness finds a force field that does nothing", "[!shouldfail]") { checkFaulty(Mistake::Zero); }
TEST_CASE("the harness finds a wrong Jacobian", "[!shouldfail]") { checkFaultyMapping(1. + 1e-5, 1.); }
TEST_CASE("the harness finds a wrong geometric stiffness", "[!shouldfail]") { checkFaultyMapping(1., 1. + 1e-5); }
TEST_CASE("the harness finds a wrong mass product", "[!shouldfail]") { checkFaultyMass(1e-10, 6.); }
TEST_CASE("the harness finds a wrong total mass", "[!shouldfail]") { checkFaultyMass(0., 6.000001); }

}  // namespace harness_test
