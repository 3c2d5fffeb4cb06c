// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/MassCheck.h"

#include "core/behavior/Mass.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/Numerics.h"

namespace sofa::test {

using core::BaseForceField;
using core::BaseMass;
using core::BaseState;
using core::Index;
using core::MechanicalParams;
using core::Vec3;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class MassHarness
{
public:
    MassHarness(core::Component& c, const MassOptions& o)
        : m_ff(dynamic_cast<BaseForceField&>(c)),
          m_mass(dynamic_cast<BaseMass&>(c)),
          m_options(o),
          m_states(m_ff.states()),
          m_state(*m_states.states().at(0)),
          m_separate(dynamic_cast<core::Data<bool>&>(*c.findData("separateGravity"))),
          m_size(static_cast<Eigen::Index>(m_state.derivSize())),
          m_rigid(m_state.templateName().rfind("Rigid", 0) == 0)
    {
        m_linear = m_state.templateName() == "Rigid2" ? 2 : std::min<Eigen::Index>(3, m_size);
    }

    void run()
    {
        INFO(m_ff.pathName() << " (" << m_ff.className() << ' ' << m_ff.templateName() << ')');
        REQUIRE(m_ff.isValid());
        REQUIRE(m_states.states().size() == 1);
        m_gravity = gravity();
        REQUIRE(m_gravity.norm() > 0.);
        checkMatrix();
        for (unsigned seed = 1; seed <= m_options.seeds; ++seed) {
            if (!m_options.constantPose) m_matrix = matrix();  // the last seed left another pose
            Random random(seed);
            checkProducts(random);
            checkEnergies(random);
            checkGravity(random);
        }
    }

private:
    MatrixXd matrix()
    {
        DenseAccumulator m(m_states);
        m_mass.buildMass(m_mp, m);
        return m.matrix();
    }

    /// g as a derivative vector of all points.
    VectorXd gravity() const
    {
        const Vec3 g = m_ff.node()->gravity();
        VectorXd v = VectorXd::Zero(m_states.size());
        for (Eigen::Index o = 0; o < v.size(); o += m_size)
            for (Eigen::Index k = 0; k < m_linear; ++k) v[o + k] = g[static_cast<std::size_t>(k)];
        return v;
    }

    /// |M| |v|, the size of the terms of M v.
    VectorXd magnitude(const VectorXd& v) const { return m_matrix.cwiseAbs() * v.cwiseAbs(); }

    void checkMatrix()
    {
        m_matrix = matrix();
        REQUIRE(m_matrix.allFinite());
        CHECK((m_matrix.array() == m_matrix.transpose().array()).all());
        CHECK((m_matrix.array() == matrix().array()).all());
        double sum = 0.;
        for (Index i = 0; i < m_state.size(); ++i) sum += m_mass.pointMass(i);
        const double rounding = 64. * machineEpsilon * m_options.totalMass * m_state.size();
        CHECK(std::abs(sum - m_options.totalMass) <= rounding);
        for (Eigen::Index k = 0; k < (m_rigid ? m_linear : m_size); ++k) {
            VectorXd axis = VectorXd::Zero(m_states.size());
            for (Eigen::Index o = k; o < axis.size(); o += m_size) axis[o] = 1.;
            CHECK(std::abs(axis.dot(m_matrix * axis) - m_options.totalMass) <= rounding);
        }
        MatrixXd outside = m_matrix;
        for (Eigen::Index o = 0; o < outside.rows(); o += m_size) outside.block(o, o, m_size, m_size).setZero();
        CHECK(outside.isZero(0.) == m_mass.isDiagonal());
        if (m_options.constantPose) {
            m_states.displace(0.1 * Random(99).vector(m_states.size()));
            CHECK((m_matrix.array() == matrix().array()).all());
            m_states.displace(VectorXd::Zero(m_states.size()));
        }
    }

    void checkProducts(Random& random)
    {
        const Eigen::Index n = m_states.size();
        const VectorXd dx = random.vector(n), before = random.vector(n);
        CHECK(dx.dot(m_matrix * dx) >= -64. * machineEpsilon * dx.cwiseAbs().dot(magnitude(dx)));
        for (const double factor : {1., -0.3}) {
            m_states.set(core::vec_id::dx, dx);
            m_states.set(core::vec_id::force, before);
            m_mass.addMDx(m_mp, core::vec_id::force, factor);
            checkEqual(m_states.get(core::vec_id::force), before + factor * m_matrix * dx,
                       before.cwiseAbs() + magnitude(dx), "addMDx");
        }
        m_states.set(core::vec_id::force, m_matrix * dx);
        m_states.set(harness_id::result, VectorXd::Zero(n));
        if (!m_mass.isDiagonal()) {
            CHECK_THROWS_AS(m_mass.accFromF(m_mp, harness_id::result, core::vec_id::force), std::runtime_error);
        } else if (m_matrix.diagonal().minCoeff() > 0.) {
            m_mass.accFromF(m_mp, harness_id::result, core::vec_id::force);
            // The condition number of a point's block amplifies rounding.
            double condition = 1.;
            for (Eigen::Index o = 0; o < n; o += m_size) {
                const MatrixXd b = m_matrix.block(o, o, m_size, m_size);
                condition = std::max(condition, b.cwiseAbs().maxCoeff() / b.diagonal().minCoeff());
            }
            checkEqual(m_states.get(harness_id::result), dx, VectorXd::Constant(n, condition), "accFromF after addMDx");
        }
    }

    void checkEnergies(Random& random)
    {
        const VectorXd v = random.vector(m_states.size());
        m_states.set(core::vec_id::velocity, v);
        const VectorXd p = m_matrix * v;
        const double size = v.cwiseAbs().dot(magnitude(v));
        const double kinetic = m_mass.kineticEnergy(m_mp);
        CHECK(kinetic > 0.);
        CHECK(std::abs(kinetic - 0.5 * v.dot(p)) <= 64. * machineEpsilon * size);

        Vec3 linear, angular;
        double lever = 1.;
        for (Index i = 0; i < m_state.size(); ++i) {
            const Eigen::Index o = m_size * static_cast<Eigen::Index>(i);
            Vec3 l;
            for (Eigen::Index k = 0; k < m_linear; ++k) l[static_cast<std::size_t>(k)] = p[o + k];
            const Vec3 x = m_state.pointPosition(i);
            linear += l;
            angular += cross(x, l);
            lever = std::max(lever, norm(x));
            if (m_rigid && m_linear == 2) angular[2] += p[o + 2];
            if (m_rigid && m_linear == 3)
                for (std::size_t k = 0; k < 3; ++k) angular[k] += p[o + 3 + static_cast<Eigen::Index>(k)];
        }
        const core::Vec6 momentum = m_mass.momentum(m_mp);
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(std::abs(momentum[k] - linear[k]) <= 64. * machineEpsilon * magnitude(v).sum());
            CHECK(std::abs(momentum[k + 3] - angular[k]) <= 64. * machineEpsilon * magnitude(v).sum() * lever);
        }
    }

    void checkGravity(Random& random)
    {
        const Eigen::Index n = m_states.size();
        m_states.displace(0.3 * random.vector(n));
        m_states.rebase();
        const VectorXd before = random.vector(n);
        const VectorXd weight = m_matrix * m_gravity;
        const auto addForce = [&] {
            m_states.set(core::vec_id::force, before);
            m_ff.addForce(m_mp, core::vec_id::force);
            return m_states.get(core::vec_id::force);
        };
        checkEqual(addForce(), before + weight, before.cwiseAbs() + magnitude(m_gravity), "weight");
        const auto energy = [&](const VectorXd& d) -> VectorXd {
            m_states.displace(d);
            return VectorXd::Constant(1, m_ff.potentialEnergy(m_mp));
        };
        checkDerivative(-weight.transpose(),
                        differentiate(energy, n, 1e-2, magnitude(m_gravity).sum() * (1. + m_states.largestPosition())),
                        "weight = -dE/dx");
        DenseAccumulator k(m_states);
        m_ff.buildStiffness(m_mp, k);
        CHECK(k.matrix().isZero(0.));

        m_separate.setValue(true);
        CHECK((addForce().array() == before.array()).all());
        MechanicalParams mp = m_mp;
        mp.dt = 0.02;
        m_states.set(core::vec_id::velocity, before);
        m_mass.addGravityToV(mp, core::vec_id::velocity);
        checkEqual(m_states.get(core::vec_id::velocity), before + mp.dt * m_gravity,
                   before.cwiseAbs() + mp.dt * m_gravity.cwiseAbs(), "addGravityToV");
        m_separate.setValue(false);
        m_states.set(core::vec_id::velocity, before);
        m_mass.addGravityToV(mp, core::vec_id::velocity);
        CHECK((m_states.get(core::vec_id::velocity).array() == before.array()).all());
    }

    BaseForceField& m_ff;
    BaseMass& m_mass;
    const MassOptions& m_options;
    StateSet m_states;
    BaseState& m_state;
    core::Data<bool>& m_separate;
    Eigen::Index m_size, m_linear = 0;
    bool m_rigid;
    MechanicalParams m_mp;
    MatrixXd m_matrix;
    VectorXd m_gravity;
};

}  // namespace

void checkMass(core::Component& mass, const MassOptions& options) { MassHarness(mass, options).run(); }

}  // namespace sofa::test
