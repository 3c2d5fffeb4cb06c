// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/Operations.h"

#include <catch2/catch.hpp>

#include "core/behavior/ForceField.h"
#include "core/behavior/Mass.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/visitor/StateVectors.h"
#include "core/visitor/SystemAssembly.h"
#include "tests/harness/MatrixMapping.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace operations_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

Vec3 randomVector(Random& random)
{
    Vec3 v;
    for (std::size_t k = 0; k < 3; ++k) v[k] = random();
    return v;
}
Vector<Vec3> randomVectors(Random& random, Index n)
{
    Vector<Vec3> v(n);
    for (Vec3& x : v) x = randomVector(random);
    return v;
}

/// f_i = −k |x_i|² x_i − c v_i, and a spring between neighbours.
class Force final : public ForceField<Vec3Types>
{
public:
    double stiffness = 1., damping = 0., spring = 0.;
    std::string className() const override { return "Force"; }
    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const MechanicalParams&, Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>& v) override
    {
        for (Index i = 0; i < x.size(); ++i) f[i] -= x[i] * (stiffness * norm2(x[i])) + v[i] * damping;
        for (Index i = 1; i < x.size(); ++i) {
            f[i] -= (x[i] - x[i - 1]) * spring;
            f[i - 1] += (x[i] - x[i - 1]) * spring;
        }
        m_x = x;
    }
    void buildStiffness(const MechanicalParams&, BlockSink& sink) override
    {
        for (Index i = 0; i < m_x.size(); ++i)
            sink.add(i, i, (Mat3::identity() * norm2(m_x[i]) + outer(m_x[i], m_x[i]) * 2.) * -stiffness);
        for (Index i = 1; i < m_x.size(); ++i)
            for (const Index a : {i - 1, i})
                for (const Index b : {i - 1, i}) sink.add(a, b, Mat3::identity() * (a == b ? -spring : spring));
    }
    bool hasDamping() const override { return damping != 0.; }
    void buildDamping(const MechanicalParams&, BlockSink& sink) override
    {
        for (Index i = 0; i < m_x.size(); ++i) sink.add(i, i, Mat3::identity() * -damping);
    }
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>&) const override { return std::nan(""); }

private:
    Vector<Vec3> m_x;
};

/// f = 4 (x_b − x_a) on point a, and the opposite on b.
class Spring final : public ForceField<Vec3Types>
{
public:
    std::array<Index, 2> ends{};
    std::string className() const override { return "Spring"; }
    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const MechanicalParams&, Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>&) override
    {
        const Vec3 pull = (x[ends[1]] - x[ends[0]]) * 4.;
        f[ends[0]] += pull;
        f[ends[1]] -= pull;
    }
    void buildStiffness(const MechanicalParams&, BlockSink& sink) override
    {
        for (const Index a : ends)
            for (const Index b : ends) sink.add(a, b, Mat3::identity() * (a == b ? -4. : 4.));
    }
    double potentialEnergy(const MechanicalParams&, const Vector<Vec3>&) const override { return std::nan(""); }
};

class PointMass final : public Mass<Vec3Types>
{
public:
    double mass = 1.;
    bool diagonal = true;
    std::string className() const override { return "PointMass"; }
    using Mass::accFromF;
    using Mass::addMDx;
    using Mass::buildMass;
    void addMDx(Vector<Vec3>& f, const Vector<Vec3>& dx, const Vector<Vec3>&, double factor) const override
    {
        for (Index i = 0; i < f.size(); ++i) f[i] += dx[i] * (factor * pointMass(i));
    }
    void accFromF(Vector<Vec3>& a, const Vector<Vec3>& f, const Vector<Vec3>&) const override
    {
        for (Index i = 0; i < f.size(); ++i) a[i] = f[i] / pointMass(i);
    }
    void buildMass(BlockSink& m, const Vector<Vec3>& x) const override
    {
        for (Index i = 0; i < x.size(); ++i) m.add(i, i, Mat3::identity() * pointMass(i));
    }
    bool isDiagonal() const override { return diagonal; }
    double pointMass(Index i) const override { return mass * (1. + i); }
};

/// Holds the scalar 1 of the first point, and the direction n of the last one.
class Holding final : public ProjectiveConstraint<Vec3Types>
{
public:
    Vec3 n{0.6, 0., 0.8};
    std::string className() const override { return "Holding"; }
    using ProjectiveConstraint::projectPosition;
    using ProjectiveConstraint::projectResponse;
    using ProjectiveConstraint::projectVelocity;
    void projectResponse(Vector<Vec3>& dx) const override
    {
        dx.front()[1] = 0.;
        dx.back() -= n * dot(n, dx.back());
    }
    void projectVelocity(Vector<Vec3>& v) const override { projectResponse(v); }
    void projectPosition(Vector<Vec3>& x) const override { x.front() = {7., 7., 7.}; }
    void eliminate(EliminationSink& sink) const override
    {
        sink.eliminate(state(), 0, 1);
        const Mat3 p = Mat3::identity() - outer(n, n);
        sink.project(state(), state().size() - 1, p.data());
    }
};

/// Two states that solvers know, and one that follows the points of the first.
///
///     root ─ a ─ mapped
///          └ b
struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    Random random{11};
    TestState<Vec3Types>& a = addState<Vec3Types>(*root->createChild("a"), randomVectors(random, 3));
    TestState<Vec3Types>& b = addState<Vec3Types>(*root->createChild("b"), randomVectors(random, 2));
    TestState<Vec3Types>& m = addState<Vec3Types>(*a.node()->createChild("mapped"), Vector<Vec3>(4));
    MatrixMapping& mapping = m.node()->create<MatrixMapping>();

    explicit Scene(bool masses = true)
    {
        root->d_gravity.setValue(Vec3{});
        mapping.l_input.set(&a);
        mapping.l_output.set(&m);
        mapping.matrix.resize(4);
        for (const auto& [row, column] :
             std::vector<std::pair<Index, Index>>{{0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {3, 2}}) {
            Mat3 block;
            for (std::size_t k = 0; k < 3; ++k) block[k] = randomVector(random);
            mapping.matrix[row].emplace_back(column, block);
        }
        force(a, 2., 0.3, 5.);
        force(b, 3., 0., 0.);
        force(m, 1.5, 0.7, 4.);
        if (masses) {
            mass(a, 2.);
            mass(b, 3.);
            mass(m, 0.5);
        }
        REQUIRE(initialise(*root));
        for (auto* s : {&a, &b}) s->d_velocity.setValue(randomVectors(random, s->size()));
        MechanicalOperations mop(*root, {});
        mop.propagateXAndV(vec_id::position, vec_id::velocity);
    }
    Force& force(TestState<Vec3Types>& s, double k, double damping, double spring)
    {
        auto& f = s.node()->create<Force>();
        f.l_state.set(&s);
        f.stiffness = k;
        f.damping = damping;
        f.spring = spring;
        return f;
    }
    PointMass& mass(TestState<Vec3Types>& s, double m0)
    {
        auto& c = s.node()->create<PointMass>();
        c.l_state.set(&s);
        c.mass = m0;
        return c;
    }
    Eigen::VectorXd get(VecDerivId id) const
    {
        Eigen::VectorXd v(15);
        a.getScalars(id, v.data());
        b.getScalars(id, v.data() + 9);
        return v;
    }
    void set(VecDerivId id, const Eigen::VectorXd& v)
    {
        a.setScalars(id, v.data());
        b.setScalars(id, v.data() + 9);
    }
    /// All forces at displaced positions and velocities.
    Eigen::VectorXd forces(const Eigen::VectorXd& dx, const Eigen::VectorXd& dv)
    {
        const Vector<Vec3> xa = a.d_position.value(), xb = b.d_position.value();
        const Eigen::VectorXd v = get(vec_id::velocity);
        const auto moved = [&](const Vector<Vec3>& x, Eigen::Index at) {
            Vector<Vec3> out = x;
            for (Index i = 0; i < out.size(); ++i)
                for (std::size_t k = 0; k < 3; ++k) out[i][k] += dx[at + static_cast<Eigen::Index>(3 * i + k)];
            return out;
        };
        a.d_position.setValue(moved(xa, 0));
        b.d_position.setValue(moved(xb, 9));
        set(vec_id::velocity, v + dv);
        MechanicalOperations mop(*root, {});
        mop.propagateXAndV(vec_id::position, vec_id::velocity);
        mop.computeForce(vec_id::force);
        const Eigen::VectorXd f = get(vec_id::force);
        a.d_position.setValue(xa);
        b.d_position.setValue(xb);
        set(vec_id::velocity, v);
        mop.propagateXAndV(vec_id::position, vec_id::velocity);
        mop.computeForce(vec_id::force);
        return f;
    }
    /// The same derivatives by central differences; they are exact to h² for forces that are cubic.
    Eigen::MatrixXd derivative(bool byVelocity)
    {
        const double h = 1e-5;
        Eigen::MatrixXd d(15, 15);
        for (Eigen::Index k = 0; k < 15; ++k) {
            const Eigen::VectorXd e = Eigen::VectorXd::Unit(15, k) * h, zero = Eigen::VectorXd::Zero(15);
            d.col(k) = byVelocity ? (forces(zero, e) - forces(zero, -e)) / (2. * h)
                                  : (forces(e, zero) - forces(-e, zero)) / (2. * h);
        }
        return d;
    }
    /// Jᵀ M J of the masses.
    Eigen::MatrixXd massMatrix() const
    {
        Eigen::MatrixXd j = Eigen::MatrixXd::Zero(12, 15), own = Eigen::MatrixXd::Zero(15, 15), mapped(12, 12);
        for (std::size_t r = 0; r < 4; ++r)
            for (const auto& [column, block] : mapping.matrix[r])
                for (std::size_t p = 0; p < 3; ++p)
                    for (std::size_t q = 0; q < 3; ++q)
                        j(static_cast<Eigen::Index>(3 * r + p), static_cast<Eigen::Index>(3 * column + q)) =
                            block[p][q];
        mapped.setZero();
        for (Eigen::Index k = 0; k < 12; ++k) mapped(k, k) = 0.5 * (1. + static_cast<double>(k / 3));
        for (Eigen::Index k = 0; k < 9; ++k) own(k, k) = 2. * (1. + static_cast<double>(k / 3));
        for (Eigen::Index k = 0; k < 6; ++k) own(9 + k, 9 + k) = 3. * (1. + static_cast<double>(k / 3));
        return own + j.transpose() * mapped * j;
    }
    Eigen::VectorXd product(const Eigen::VectorXd& p, double mf, double bf, double kf,
                            MechanicalOperations::Damping damping = MechanicalOperations::Damping::All)
    {
        MechanicalOperations mop(*root, {});
        VectorOperations vop(*root);
        vop.allocate(vec_id::dx);
        vop.allocate(vec_id::dforce);
        mop.computeForce(vec_id::force);
        set(vec_id::dx, p);
        mop.addMBKdx(vec_id::dforce, vec_id::dx, mf, bf, kf, true, damping);
        return get(vec_id::dforce);
    }
    Eigen::MatrixXd assembled(double mf, double bf, double kf, const SystemAssembly::Options& options = {})
    {
        MechanicalParams mp;
        mp.mFactor = mf;
        mp.bFactor = bf;
        mp.kFactor = kf;
        SystemAssembly s;
        Eigen::MatrixXd out;
        for (int times = 0; times < 2; ++times) {  // the second one goes by what the first one noted
            s.assemble(*root, mp, options);
            REQUIRE(s.size() == 15);
            out.setZero(15, 15);
            for (int r = 0; r < 15; ++r) {
                Vector<double> p(15, 0.), q(15, 0.);
                p[static_cast<std::size_t>(r)] = 1.;
                s.matrix().multiply(p, q);
                s.addFactoredProduct(p, q);
                out.col(r) = Eigen::Map<const Eigen::VectorXd>(q.data(), 15);
            }
            BlockCsrMatrix whole = s.matrix();
            s.factors().addDiagonal(whole);
            const auto n = static_cast<Eigen::Index>(whole.blockSize());
            for (Eigen::Index i = 0; i < 15 / n; ++i) {
                const double* const block = whole.block(static_cast<std::size_t>(whole.diagonal(static_cast<int>(i))));
                const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> is(block, n, n);
                CHECK((is - out.block(n * i, n * i, n, n)).norm() <= 1e-12 * out.norm());
            }
        }
        return out;
    }
};

}  // namespace

TEST_CASE("vector operations are those of the scalars of all independent states")
{
    Scene s;
    VectorOperations vop(*s.root);
    const TempDeriv u(vop), v(vop), w(vop);
    const Eigen::VectorXd p = s.random.vector(15), q = s.random.vector(15);
    s.set(u, p);
    s.set(v, q);
    CHECK(vop.dot(u, v) == Approx(p.dot(q)));
    CHECK(vop.norm(u) == Approx(p.norm()));
    vop.add(w, u, v, 0.3);
    CHECK((s.get(w) - p - 0.3 * q).norm() < 1e-15);
    vop.add(w, w, v, -0.3);
    CHECK((s.get(w) - p).norm() < 1e-15);
    vop.scale(w, 4.);
    CHECK((s.get(w) - 4. * p).norm() < 1e-15);
    vop.copy(w, v);
    CHECK(s.get(w) == q);
    vop.clear(w);
    CHECK(s.get(w).norm() == 0.);
    CHECK(s.m.isAllocated(w));
    const TempCoord x(vop);
    vop.add(x, vec_id::position, u, 2.);
    CHECK(norm(s.b.read(x)[1] - s.b.positions()[1] - Vec3{p[12], p[13], p[14]} * 2.) < 1e-15);
    vop.copy(x, vec_id::position);
    CHECK(s.a.read(x) == s.a.positions());
}

TEST_CASE("products by visits and by matrices, assembled and factored, are the derivatives of the forces")
{
    Scene s;
    const Eigen::MatrixXd k = s.derivative(false), b = s.derivative(true), m = s.massMatrix();
    REQUIRE(k.topLeftCorner(9, 9).norm() > 1.);
    REQUIRE(b.norm() > 0.1);
    const double mf = 1.7, bf = -0.6, kf = 0.4;
    const Eigen::MatrixXd expected = mf * m + bf * b + kf * k;
    const auto near = [](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
        return (x - y).norm() < 1e-7 * y.norm();
    };
    const Eigen::VectorXd p = s.random.vector(15);
    CHECK(near(s.product(p, mf, bf, kf), expected * p));
    CHECK(near(s.product(p, 0., 0., kf), kf * k * p));
    CHECK(near(s.product(p, 0., bf, 0.), bf * b * p));
    CHECK((s.product(p, mf, 0., 0.) - mf * m * p).norm() < 1e-13);
    s.forces(Eigen::VectorXd::Zero(15), Eigen::VectorXd::Zero(15));
    CHECK(near(s.assembled(mf, bf, kf), expected));
    CHECK(near(s.assembled(mf, bf, kf, {.factored = true}), expected));
    CHECK(near(s.assembled(mf, bf, kf, {.mass = false}), bf * b + kf * k));
    CHECK(near(s.assembled(mf, bf, kf, {.stiffness = false}), mf * m + bf * b));
    CHECK(near(s.assembled(mf, bf, kf, {.damping = false}), mf * m + kf * k));
    // The mapped state left out: what acts on the independent ones.
    const Eigen::MatrixXd own = s.assembled(mf, bf, kf, {.mapped = false});
    CHECK(near(own.bottomRightCorner(6, 6), expected.bottomRightCorner(6, 6)));
    CHECK((own - expected).topLeftCorner(9, 9).norm() > 0.1);
    CHECK(own.topRightCorner(9, 6).norm() == 0.);
    const Eigen::MatrixXd diagonal = s.assembled(mf, bf, kf, {.mapped = false, .diagonalOnly = true});
    for (Eigen::Index r = 0; r < 5; ++r)
        for (Eigen::Index c = 0; c < 5; ++c)
            CHECK(diagonal.block(3 * r, 3 * c, 3, 3) ==
                  (r == c ? Eigen::MatrixXd(own.block(3 * r, 3 * c, 3, 3)) : Eigen::MatrixXd::Zero(3, 3)));
}

TEST_CASE("Rayleigh damping is that of each component: B = −α M + β K")
{
    Scene s;
    const Eigen::VectorXd p = s.random.vector(15);
    const Eigen::VectorXd m = s.product(p, 1., 0., 0.), k = s.product(p, 0., 0., 1.), b = s.product(p, 0., 1., 0.);
    for (Node* n : s.root->descendants()) {
        for (auto* f : n->getAll<Force>()) f->d_rayleighStiffness.setValue(0.2);
        for (auto* c : n->getAll<PointMass>()) c->d_rayleighMass.setValue(0.3);
    }
    const Eigen::VectorXd rayleigh = 0.2 * k - 0.3 * m;
    CHECK((s.product(p, 0., 2., 0.) - 2. * (b + rayleigh)).norm() < 1e-12);
    using Damping = MechanicalOperations::Damping;
    CHECK((s.product(p, 0., 2., 0., Damping::RayleighOnly) - 2. * rayleigh).norm() < 1e-12);
    CHECK((s.product(p, 1., 2., 3., Damping::RayleighOnly) - m - 3. * k - 2. * rayleigh).norm() < 1e-12);
    CHECK((s.product(p, 1., 0., 0., Damping::RayleighOnly) - m).norm() < 1e-13);
    CHECK((s.assembled(1., 2., 3.) * p - m - 3. * k - 2. * (b + rayleigh)).norm() < 1e-11);
}

TEST_CASE("what is not cleared is added to, and mappings carry what they are told to")
{
    Scene s;
    const Eigen::VectorXd p = s.random.vector(15), before = s.random.vector(15);
    const Eigen::VectorXd whole = s.product(p, 1., 0.5, 2.);
    MechanicalOperations mop(*s.root, {});
    s.set(vec_id::dforce, before);
    mop.addMBKdx(vec_id::dforce, vec_id::dx, 1., 0.5, 2., false);
    CHECK((s.get(vec_id::dforce) - before - whole).norm() < 1e-12);
    s.set(vec_id::dforce, before);
    mop.addMdx(vec_id::dforce, vec_id::dx, 0.7);
    CHECK((s.get(vec_id::dforce) - before - 0.7 * s.massMatrix() * p).norm() < 1e-12);

    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(15), forces = s.forces(zero, zero);
    s.mapping.d_mapMatrices.setValue(false);
    const Eigen::VectorXd without = s.product(p, 1., 0.5, 2.);
    CHECK((without - whole).head(9).norm() > 0.1);
    CHECK((without - whole).tail(6).norm() < 1e-13);
    CHECK(s.forces(zero, zero) == forces);
    CHECK((s.assembled(1., 0.5, 2.) * p - without).norm() < 1e-12);
    s.mapping.d_mapForces.setValue(false);
    CHECK((s.forces(zero, zero) - forces).head(9).norm() > 0.1);
    CHECK((s.product(p, 1., 0.5, 2.) - without).norm() < 1e-13);
}

TEST_CASE("external forces are part of the forces, which are computed anew each time")
{
    Scene s;
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(15), forces = s.forces(zero, zero), extra = s.random.vector(15);
    s.a.allocate(vec_id::externalForce);
    s.a.setScalars(vec_id::externalForce, extra.data());
    CHECK((s.forces(zero, zero) - forces).tail(6).norm() == 0.);
    CHECK((s.forces(zero, zero) - forces - extra).head(9).norm() < 1e-12);
}

TEST_CASE("accelerations are forces over masses where every mass is diagonal and alone on an independent state")
{
    Scene mapped;
    CHECK_FALSE(MechanicalOperations(*mapped.root, {}).massIsDiagonal());  // one on the mapped state
    Scene s(false);
    CHECK(MechanicalOperations(*s.root, {}).massIsDiagonal());
    PointMass& first = s.mass(s.a, 2.);
    s.mass(s.b, 3.);
    for (auto* c : s.root->getAll<PointMass>(Search::Down)) c->init();
    MechanicalOperations mop(*s.root, {});
    REQUIRE(mop.massIsDiagonal());
    VectorOperations vop(*s.root);
    const TempDeriv acceleration(vop), f(vop), back(vop);
    const Eigen::VectorXd forces = s.random.vector(15);
    s.set(f, forces);
    mop.accFromF(acceleration, f);
    CHECK(s.get(acceleration)[4] == Approx(forces[4] / 4.));
    CHECK(s.get(acceleration)[14] == Approx(forces[14] / 6.));
    vop.clear(back);
    mop.addMdx(back, acceleration, 1.);
    CHECK((s.get(back) - forces).norm() < 1e-14);
    first.diagonal = false;
    CHECK_FALSE(mop.massIsDiagonal());
    first.diagonal = true;
    s.mass(s.a, 1.);
    CHECK_FALSE(MechanicalOperations(*s.root, {}).massIsDiagonal());
}

TEST_CASE("projections act on independent states, and leave the system P A P + 1 − P")
{
    Scene s;
    const Eigen::MatrixXd whole = (s.product(s.random.vector(15), 1., 0.5, 2.), s.assembled(1., 0.5, 2.));
    auto& holding = s.a.node()->create<Holding>();
    holding.l_state.set(&s.a);
    holding.init();
    Eigen::MatrixXd p = Eigen::MatrixXd::Identity(15, 15);
    p(1, 1) = 0.;
    const Eigen::Vector3d n(0.6, 0., 0.8);
    p.block<3, 3>(6, 6) -= n * n.transpose();
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(15, 15);
    for (const bool factored : {false, true})
        CHECK((s.assembled(1., 0.5, 2., {.factored = factored}) - (p * whole * p + one - p)).norm() < 1e-11);
    CHECK((s.assembled(1., 0.5, 2., {.constraints = false}) - whole).norm() < 1e-11);

    MechanicalOperations mop(*s.root, {});
    VectorOperations vop(*s.root);
    const TempDeriv v(vop);
    const Eigen::VectorXd before = s.random.vector(15);
    s.set(v, before);
    mop.projectResponse(v);
    CHECK((s.get(v) - p * before).norm() < 1e-14);
    s.set(v, before);
    mop.projectVelocity(v);
    CHECK((s.get(v) - p * before).norm() < 1e-14);
    const Vector<Vec3> xb = s.b.positions();
    mop.projectPosition(vec_id::position);
    CHECK(s.a.positions()[0] == Vec3{7., 7., 7.});
    CHECK(s.b.positions() == xb);
    // Forces at given positions and velocities come after projections and mappings.
    s.a.allocate(vec_id::freePosition);
    s.b.allocate(vec_id::freePosition);
    s.m.allocate(vec_id::freePosition);
    vop.copy(vec_id::freePosition, vec_id::position);
    const TempDeriv f(vop);
    s.set(v, before);
    mop.computeForceAt(f, vec_id::freePosition, v);
    CHECK((s.get(v) - p * before).norm() < 1e-14);
    CHECK(s.a.read(vec_id::freePosition)[0] == Vec3{7., 7., 7.});
    CHECK(norm(s.m.read(vec_id::freePosition)[3] - s.mapping.matrix[3][0].second * s.a.positions()[2]) < 1e-14);
    s.set(vec_id::velocity, p * before);
    CHECK((s.forces(Eigen::VectorXd::Zero(15), Eigen::VectorXd::Zero(15)) - s.get(f)).norm() < 1e-10);
}

TEST_CASE("points that nothing holds or moves, in a state that has others, have the row of the identity")
{
    for (Index lonely = 0; lonely < 3; ++lonely) {
        Node root;
        Random random(5);
        auto& state = addState<Vec3Types>(root, randomVectors(random, 3));
        auto& spring = root.create<Spring>();
        spring.l_state.set(&state);
        spring.ends = {(lonely + 1) % 3, (lonely + 2) % 3};
        REQUIRE(initialise(root));
        MechanicalParams mp;
        mp.kFactor = -1.;
        SystemAssembly s;
        s.assemble(root, mp);
        Eigen::MatrixXd a(9, 9);
        for (int r = 0; r < 9; ++r)
            for (int c = 0; c < 9; ++c) a(r, c) = s.matrix().value(r, c);
        Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(9, 9);
        const auto at = [](Index i) { return static_cast<Eigen::Index>(3 * i); };
        for (const Index i : spring.ends)
            for (const Index j : spring.ends)
                expected.block<3, 3>(at(i), at(j)) = (i == j ? 4. : -4.) * Eigen::Matrix3d::Identity();
        expected.block<3, 3>(at(lonely), at(lonely)).setIdentity();
        CHECK(a == expected);
    }
}

TEST_CASE("a layout says where the scalars of states stand, and in which blocks")
{
    Node root;
    const auto blocks = [](Node& n) {
        SystemLayout l;
        l.set(ExecutionPlan::of(n));
        return l.blockSize();
    };
    auto& points = addState<Vec3Types>(*root.createChild("points"), Vector<Vec3>(2));
    auto& frames = addState<Rigid3Types>(*root.createChild("frames"), Vector<RigidCoord3>(2));
    SystemLayout layout;
    layout.set(ExecutionPlan::of(root));
    CHECK(layout.size() == 18);
    CHECK(layout.blockSize() == 3);
    CHECK(layout.fits(ExecutionPlan::of(root)));
    CHECK(layout.find(points)->offset == 0);
    CHECK(layout.find(frames)->offset == 6);
    CHECK(layout.find(frames)->size == 12);
    CHECK(layout.find(frames)->scalar(1, 4) == 16);
    CHECK_THAT(layout.describe(5), Catch::Contains("/points/") && Catch::Contains("point 1, component 2"));
    CHECK_THAT(layout.describe(6), Catch::Contains("/frames/") && Catch::Contains("point 0, component 0"));
    CHECK_THAT(layout.describe(17), Catch::Contains("point 1, component 5"));
    CHECK(layout.describe(18) == "scalar 18");
    Vector<double> out(18), in(18);
    for (std::size_t k = 0; k < 18; ++k) in[k] = 1. + static_cast<double>(k);
    layout.scatter(in.data(), vec_id::velocity);
    CHECK(points.velocities()[1] == Vec3{4., 5., 6.});
    CHECK(frames.velocities()[1] == Vec6{13., 14., 15., 16., 17., 18.});
    layout.gather(vec_id::velocity, out.data());
    CHECK(out == in);
    points.setPositions(Vector<Vec3>(3));
    CHECK_FALSE(layout.fits(ExecutionPlan::of(root)));
    layout.set(ExecutionPlan::of(root));
    auto& plane = addState<Vec2Types>(*root.createChild("plane"), Vector<Vec2>(1));
    CHECK_FALSE(layout.fits(ExecutionPlan::of(root)));
    CHECK(layout.find(plane) == nullptr);
    CHECK(blocks(root) == 1);
    CHECK(blocks(*plane.node()) == 2);
    Node numbers, mixed;
    addState<Vec1Types>(numbers, Vector<Vec1>(4));
    CHECK(blocks(numbers) == 1);
    addState<Vec6Types>(mixed, Vector<Vec6>(1));
    CHECK(blocks(mixed) == 3);
    addState<Vec2Types>(*mixed.createChild("more"), Vector<Vec2>(1));
    CHECK(blocks(mixed) == 2);
}

}  // namespace operations_test
