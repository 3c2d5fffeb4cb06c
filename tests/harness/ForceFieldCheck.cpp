// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/ForceFieldCheck.h"

#include "tests/harness/Numerics.h"

namespace sofa::test {

using core::BaseForceField;
using core::BaseState;
using core::MechanicalParams;

namespace {

class ForceFieldHarness
{
public:
    ForceFieldHarness(BaseForceField& ff, const ForceFieldOptions& o) : m_ff(ff), m_options(o), m_states(ff.states()) {}

    void run()
    {
        INFO(m_ff.pathName() << " (" << m_ff.className() << ' ' << m_ff.templateName() << ')');
        REQUIRE(m_ff.isValid());
        const Eigen::Index n = m_states.size();
        for (unsigned pose = m_options.atGivenPose ? 0 : 1; pose <= m_options.seeds; ++pose) {
            Random random(pose);
            m_pose = pose == 0 ? Eigen::VectorXd::Zero(n) : Eigen::VectorXd(m_options.displacement * random.vector(n));
            INFO("pose " << pose << (pose == 0 ? " (as given)" : " (random)"));
            const bool derivatives = pose == 0 || !m_options.frozenFrames;
            checkEnergy(derivatives);
            checkStiffness(random.vector(n), derivatives);
            checkDamping(random.vector(n));
            checkProduct(random);
            checkRepeatable(random);
        }
        CHECK(m_anyForce);
        INFO("the stiffness is zero at every pose, so nothing was compared");
        CHECK(m_anyStiffness == m_options.hasStiffness);
        if (m_ff.hasDamping()) CHECK(m_anyDamping);
    }

private:
    Eigen::VectorXd force(const Eigen::VectorXd& d, const Eigen::VectorXd& v)
    {
        m_states.displace(m_pose + d);
        m_states.set(core::vec_id::velocity, v);
        m_states.set(core::vec_id::force, Eigen::VectorXd::Zero(d.size()));
        m_ff.addForce(m_mp, core::vec_id::force);
        return m_states.get(core::vec_id::force);
    }

    Eigen::VectorXd zero() const { return Eigen::VectorXd::Zero(m_states.size()); }

    Eigen::MatrixXd stiffness()
    {
        DenseAccumulator k(m_states);
        m_ff.buildStiffness(m_mp, k);
        return k.matrix();
    }

    Eigen::MatrixXd damping()
    {
        DenseAccumulator b(m_states);
        m_ff.buildDamping(m_mp, b);
        return b.matrix();
    }

    /// Size of the numbers whose differences make the force.
    double forceScale(const Eigen::VectorXd& f, const Eigen::MatrixXd& k) const
    {
        return f.lpNorm<Eigen::Infinity>() + k.cwiseAbs().maxCoeff() * (1. + m_states.largestPosition());
    }

    void checkEnergy(bool derivatives)
    {
        const Eigen::VectorXd f = force(zero(), zero());
        if (!f.isZero(0.)) m_anyForce = true;
        REQUIRE(f.allFinite());
        if (m_options.internal) checkResultant(f);
        const double energy = m_ff.potentialEnergy(m_mp);
        m_hasPotential = !std::isnan(energy);
        if (!m_hasPotential || !derivatives) return;
        const auto e = [&](const Eigen::VectorXd& d) -> Eigen::VectorXd {
            m_states.displace(m_pose + d);
            return Eigen::VectorXd::Constant(1, m_ff.potentialEnergy(m_mp));
        };
        // Where the force vanishes, it is still of the size K h a step away.
        const double nearby = f.lpNorm<Eigen::Infinity>() + stiffness().cwiseAbs().maxCoeff() * m_options.step;
        const double scale = std::abs(energy) + nearby * (1. + m_states.largestPosition());
        checkDerivative(-f.transpose(), differentiate(e, m_states.size(), m_options.step, scale), "force = -dE/dx");
    }

    void checkResultant(const Eigen::VectorXd& f)
    {
        core::Vec3 sum, torque;
        double magnitude = 0., lever = 0.;
        Eigen::Index o = 0;
        for (const BaseState* s : m_states.states()) {
            const std::string type = s->templateName();
            const std::size_t linear = type == "Rigid2" ? 2 : std::min<std::size_t>(3, s->derivSize());
            for (core::Index i = 0; i < s->size(); ++i, o += static_cast<Eigen::Index>(s->derivSize())) {
                core::Vec3 p;
                for (std::size_t k = 0; k < linear; ++k) p[k] = f[o + static_cast<Eigen::Index>(k)];
                const core::Vec3 x = s->pointPosition(i);
                sum += p;
                torque += cross(x, p);
                magnitude += norm(p);
                lever += norm(p) * norm(x);
                core::Vec3 own;
                if (type == "Rigid3")
                    for (std::size_t k = 0; k < 3; ++k) own[k] = f[o + 3 + static_cast<Eigen::Index>(k)];
                if (type == "Rigid2") own[2] = f[o + 2];
                torque += own;
                lever += norm(own);
            }
        }
        INFO("resultant force " << sum[0] << ' ' << sum[1] << ' ' << sum[2] << ", torque " << torque[0] << ' '
                                << torque[1] << ' ' << torque[2]);
        CHECK(norm(sum) <= 64. * machineEpsilon * magnitude);
        CHECK(norm(torque) <= 64. * machineEpsilon * (lever + magnitude));
    }

    void checkStiffness(const Eigen::VectorXd& direction, bool derivatives)
    {
        const Eigen::VectorXd v = m_options.velocity * direction;
        const Eigen::VectorXd f = force(zero(), v);
        const Eigen::MatrixXd k = stiffness();
        REQUIRE(k.allFinite());
        if (!k.isZero(0.)) m_anyStiffness = true;
        const auto at = [&](const Eigen::VectorXd& d) { return force(d, v); };
        if (derivatives)
            checkDerivative(k, differentiate(at, m_states.size(), m_options.step, forceScale(f, k)),
                            "stiffness = df/dx");
        if (m_hasPotential && m_options.symmetric && !k.isZero(0.)) {
            const double asymmetry = (k - k.transpose()).cwiseAbs().maxCoeff();
            CHECK(asymmetry <= 64. * machineEpsilon * k.cwiseAbs().maxCoeff());
        }
    }

    void checkDamping(const Eigen::VectorXd& direction)
    {
        const Eigen::VectorXd v = m_options.dampingVelocity * direction;
        const Eigen::VectorXd f = force(zero(), v);
        const Eigen::MatrixXd b = damping();
        if (!f.isZero(0.)) m_anyForce = true;
        if (!m_ff.hasDamping()) {
            CHECK(b.isZero(0.));
            return;
        }
        if (!b.isZero(0.)) m_anyDamping = true;
        const auto at = [&](const Eigen::VectorXd& dv) { return force(zero(), v + dv); };
        const double scale = f.lpNorm<Eigen::Infinity>() + b.cwiseAbs().maxCoeff() * (1. + v.lpNorm<Eigen::Infinity>());
        checkDerivative(b, differentiate(at, m_states.size(), m_options.step, scale), "damping = df/dv");
    }

    void checkProduct(Random& random)
    {
        const Eigen::Index n = m_states.size();
        force(zero(), m_options.velocity * random.vector(n));
        const Eigen::MatrixXd k = stiffness(), b = damping();
        const Eigen::VectorXd dx = random.vector(n), before = random.vector(n);
        const double given = m_ff.d_rayleighStiffness.value();
        for (const auto& [kFactor, bFactor, rayleigh] :
             {std::array{1., 0., 0.}, std::array{-0.7, 0.3, 0.05}, std::array{0., 1.3, 0.}, std::array{0., 0., 0.1}}) {
            INFO("addDForce with kFactor " << kFactor << ", bFactor " << bFactor << ", rayleighStiffness " << rayleigh);
            m_ff.d_rayleighStiffness.setValue(rayleigh);
            MechanicalParams mp = m_mp;
            mp.kFactor = kFactor;
            mp.bFactor = bFactor;
            m_states.set(core::vec_id::dx, dx);
            m_states.set(core::vec_id::dforce, before);
            m_ff.addDForce(mp, core::vec_id::dforce);
            const Eigen::MatrixXd a = (kFactor + bFactor * rayleigh) * k + bFactor * b;
            const Eigen::MatrixXd size =
                (std::abs(kFactor) + bFactor * rayleigh) * k.cwiseAbs() + bFactor * b.cwiseAbs();
            // Products may group dx differently (dx2 − dx1 first), hence row sums times the largest |dx|.
            const Eigen::VectorXd magnitude = before.cwiseAbs() + size.rowwise().sum() * dx.lpNorm<Eigen::Infinity>();
            checkEqual(m_states.get(core::vec_id::dforce), before + a * dx, magnitude, "addDForce");
        }
        m_ff.d_rayleighStiffness.setValue(given);
    }

    void checkRepeatable(Random& random)
    {
        const Eigen::Index n = m_states.size();
        const Eigen::VectorXd v = random.vector(n);
        const Eigen::VectorXd first = force(zero(), v);
        const Eigen::MatrixXd k = stiffness();
        force(0.5 * m_options.displacement * random.vector(n), random.vector(n));
        const Eigen::VectorXd again = force(zero(), v);
        CHECK((first.array() == again.array()).all());
        CHECK((k.array() == stiffness().array()).all());

        const Eigen::VectorXd before = random.vector(n);
        m_states.set(core::vec_id::force, before);
        m_ff.addForce(m_mp, core::vec_id::force);
        const double scale = forceScale(first, k) + 1.;
        checkEqual(m_states.get(core::vec_id::force), before + first, Eigen::VectorXd::Constant(n, scale),
                   "addForce adds to the force");
    }

    BaseForceField& m_ff;
    const ForceFieldOptions& m_options;
    StateSet m_states;
    MechanicalParams m_mp;
    Eigen::VectorXd m_pose;
    bool m_anyForce = false, m_anyStiffness = false, m_anyDamping = false, m_hasPotential = false;
};

}  // namespace

void checkForceField(BaseForceField& ff, const ForceFieldOptions& options) { ForceFieldHarness(ff, options).run(); }

}  // namespace sofa::test
