// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/MappingCheck.h"

#include "tests/harness/Numerics.h"

namespace sofa::test {

using core::BaseMapping;
using core::BaseState;
using core::Index;
using core::MechanicalParams;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class MappingHarness
{
public:
    MappingHarness(BaseMapping& m, const MappingOptions& o)
        : m_mapping(m), m_options(o), m_in(m.inputs()), m_out(m.outputs())
    {
    }

    void run()
    {
        INFO(m_mapping.pathName() << " (" << m_mapping.className() << ' ' << m_mapping.templateName() << ')');
        REQUIRE(m_mapping.isValid());
        const Eigen::Index n = m_in.size();
        for (unsigned pose = m_options.atGivenPose ? 0 : 1; pose <= m_options.seeds; ++pose) {
            INFO("pose " << pose << (pose == 0 ? " (as given)" : " (random)"));
            Random random(pose);
            if (pose > 0) {
                // Derivatives are those of displacements from the pose: rotations do not add up.
                m_in.displace(m_options.displacement * random.vector(n));
                m_in.rebase();
            }
            checkJacobian();
            checkProducts(random);
            checkGeometricStiffness(random);
            checkRepeatable(random);
            if (m_options.translates) checkTranslation();
        }
        CHECK(m_anyJacobian);
        if (m_options.exactGeometricStiffness) CHECK(m_anyGeometric == !m_mapping.isLinear());
    }

private:
    void apply(const VectorXd& d)
    {
        m_in.displace(d);
        m_mapping.apply(m_mp, core::vec_id::position, core::vec_id::position);
    }

    MatrixXd jacobian() const
    {
        MatrixXd j = MatrixXd::Zero(m_out.size(), m_in.size());
        Eigen::Index row0 = 0;
        for (std::size_t o = 0; o < m_out.states().size(); ++o) {
            const BaseState& out = *m_out.states()[o];
            Eigen::Index col0 = 0;
            for (std::size_t i = 0; i < m_in.states().size(); ++i) {
                const BaseState& in = *m_in.states()[i];
                if (const core::BaseJacobian* b = m_mapping.jacobian(o, i)) addBlocks(j, *b, out, in, row0, col0);
                col0 += in.derivScalars();
            }
            row0 += out.derivScalars();
        }
        return j;
    }

    static void addBlocks(MatrixXd& j, const core::BaseJacobian& b, const BaseState& out, const BaseState& in,
                          Eigen::Index row0, Eigen::Index col0)
    {
        REQUIRE(b.rows() == out.size());
        REQUIRE(b.blockRows() == out.derivSize());
        REQUIRE(b.blockCols() == in.derivSize());
        const auto r = static_cast<Eigen::Index>(b.blockRows()), c = static_cast<Eigen::Index>(b.blockCols());
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        for (Index p = 0; p < b.rows(); ++p) {
            const double* block = b.blocks(p);
            for (const Index q : b.columns(p)) {
                REQUIRE(q < in.size());
                j.block(row0 + p * r, col0 + q * c, r, c) += Eigen::Map<const RowMajor>(block, r, c);
                block += r * c;
            }
        }
    }

    void checkJacobian()
    {
        apply(VectorXd::Zero(m_in.size()));
        m_jacobian = jacobian();
        REQUIRE(m_jacobian.allFinite());
        if (!m_jacobian.isZero(0.)) m_anyJacobian = true;
        m_out.rebase();
        const double scale = m_out.largestPosition() + m_jacobian.cwiseAbs().maxCoeff() * (1. + m_in.largestPosition());
        const auto displacement = [&](const VectorXd& d) {
            apply(d);
            return m_out.displacementFromBase();
        };
        checkDerivative(m_jacobian, differentiate(displacement, m_in.size(), m_options.step, scale),
                        "J = dx_out/dx_in");
        apply(VectorXd::Zero(m_in.size()));
    }

    void checkProducts(Random& random)
    {
        const VectorXd v = random.vector(m_in.size()), f = random.vector(m_out.size()),
                       before = random.vector(v.size());
        m_in.set(core::vec_id::velocity, v);
        m_out.set(core::vec_id::velocity, random.vector(f.size()));
        m_mapping.applyJ(m_mp, core::vec_id::velocity, core::vec_id::velocity);
        const VectorXd jv = m_out.get(core::vec_id::velocity);
        const MatrixXd size = m_jacobian.cwiseAbs();
        checkEqual(jv, m_jacobian * v, size * v.cwiseAbs(), "applyJ");

        m_in.set(core::vec_id::force, before);
        m_out.set(core::vec_id::force, f);
        m_mapping.applyJT(m_mp, core::vec_id::force, core::vec_id::force);
        const VectorXd jtf = m_in.get(core::vec_id::force) - before;
        checkEqual(jtf, m_jacobian.transpose() * f, before.cwiseAbs() + size.transpose() * f.cwiseAbs(), "applyJT");
        checkEqual(VectorXd::Constant(1, jv.dot(f)), VectorXd::Constant(1, v.dot(jtf)),
                   VectorXd::Constant(1, f.cwiseAbs().dot(size * v.cwiseAbs()) + v.cwiseAbs().dot(before.cwiseAbs())),
                   "<J v, f> = <v, Jt f>");
    }

    VectorXd transposed(const VectorXd& d, const VectorXd& f)
    {
        apply(d);
        m_in.set(core::vec_id::force, VectorXd::Zero(d.size()));
        m_out.set(core::vec_id::force, f);
        m_mapping.applyJT(m_mp, core::vec_id::force, core::vec_id::force);
        return m_in.get(core::vec_id::force);
    }

    void checkGeometricStiffness(Random& random)
    {
        const Eigen::Index n = m_in.size();
        const VectorXd f = random.vector(m_out.size()), dx = random.vector(n), before = random.vector(n);
        const VectorXd jtf = transposed(VectorXd::Zero(n), f);
        DenseAccumulator g(m_in);
        m_mapping.buildGeometricStiffness(m_mp, g);
        const MatrixXd& k = g.matrix();
        if (!k.isZero(0.)) m_anyGeometric = true;
        if (m_mapping.isLinear()) CHECK(k.isZero(0.));

        MechanicalParams mp = m_mp;
        mp.kFactor = -0.7;
        m_in.set(core::vec_id::dx, dx);
        // The blocks are kept for the second product, and are others for other forces.
        for (const double size : {0., 1., 1.}) {
            m_in.set(core::vec_id::dforce, before);
            if (size == 0. || m_out.get(core::vec_id::force) != size * f) m_out.set(core::vec_id::force, size * f);
            m_mapping.applyDJT(mp, core::vec_id::dforce);
            checkEqual(m_in.get(core::vec_id::dforce), before + size * mp.kFactor * k * dx,
                       before.cwiseAbs() + k.cwiseAbs() * dx.cwiseAbs(), "applyDJT");
        }

        if (!m_options.exactGeometricStiffness) return;
        const auto at = [&](const VectorXd& d) { return transposed(d, f); };
        const double scale =
            jtf.lpNorm<Eigen::Infinity>() +
            (m_jacobian.cwiseAbs().maxCoeff() + k.cwiseAbs().maxCoeff()) * (1. + m_in.largestPosition());
        checkDerivative(k, differentiate(at, n, m_options.step, scale), "geometric stiffness = d(Jt f)/dx");
        apply(VectorXd::Zero(n));
    }

    /// All coordinates of the outputs.
    std::vector<double> outputs() const
    {
        std::vector<double> all;
        for (const BaseState* s : m_out.states()) {
            const std::size_t o = all.size();
            all.resize(o + s->size() * s->coordSize());
            s->getScalars(core::vec_id::position, all.data() + o);
        }
        return all;
    }

    void checkRepeatable(Random& random)
    {
        const Eigen::Index n = m_in.size();
        apply(VectorXd::Zero(n));
        const std::vector<double> first = outputs();
        const MatrixXd j = jacobian();
        apply(0.5 * m_options.displacement * random.vector(n));
        apply(VectorXd::Zero(n));
        CHECK(outputs() == first);
        CHECK((jacobian().array() == j.array()).all());
    }

    void checkTranslation()
    {
        const auto translation = [](const StateSet& set) {
            VectorXd t = VectorXd::Zero(set.size());
            Eigen::Index o = 0;
            for (const BaseState* s : set.states()) {
                const Eigen::Index linear = s->templateName() == "Rigid2"
                                                ? 2
                                                : std::min<Eigen::Index>(3, static_cast<Eigen::Index>(s->derivSize()));
                for (Index i = 0; i < s->size(); ++i, o += static_cast<Eigen::Index>(s->derivSize()))
                    for (Eigen::Index k = 0; k < linear; ++k) t[o + k] = 0.3 - 0.2 * static_cast<double>(k);
            }
            return t;
        };
        apply(VectorXd::Zero(m_in.size()));
        m_out.rebase();
        apply(translation(m_in));
        const double scale =
            1. + m_out.largestPosition() + m_in.largestPosition() * m_jacobian.cwiseAbs().rowwise().sum().maxCoeff();
        checkEqual(m_out.displacementFromBase(), translation(m_out), VectorXd::Constant(m_out.size(), scale),
                   "a translation of the inputs");
        apply(VectorXd::Zero(m_in.size()));
    }

    BaseMapping& m_mapping;
    const MappingOptions& m_options;
    StateSet m_in, m_out;
    MechanicalParams m_mp;
    MatrixXd m_jacobian;
    bool m_anyJacobian = false, m_anyGeometric = false;
};

}  // namespace

void checkMapping(BaseMapping& mapping, const MappingOptions& options) { MappingHarness(mapping, options).run(); }

}  // namespace sofa::test
