// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Mapping.h"
#include "tests/harness/TestGraph.h"

namespace check_jacobian_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// y = (x², x y, z), with the Jacobian times a factor: right for 1.
class Square final : public Mapping<Vec3Types, Vec3Types>
{
public:
    double factor = 1.;
    std::string className() const override { return "Square"; }
    bool isLinear() const override { return false; }
    using Mapping::apply;
    void apply(Vector<Vec3>& out, const Vector<Vec3>& in) override
    {
        out.resize(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) out[i] = {in[i][0] * in[i][0], in[i][0] * in[i][1], in[i][2]};
    }
    void buildJacobian(JacobianMatrix& j, const Vector<Vec3>& in) override
    {
        j.clear();
        for (Index i = 0; i < in.size(); ++i) {
            j.appendRow();
            const Vec3& x = in[i];
            j.append(i, Mat3::fromRows(Vec3{2. * x[0], 0., 0.}, Vec3{x[1], x[0], 0.}, Vec3{0., 0., 1.}) * factor);
        }
    }
};

std::size_t warnings(double factor)
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    auto& in = addState<Vec3Types>(*root, {Vec3{1., 2., 3.}, Vec3{-0.5, 0.3, 0.}});
    auto& out = addState<Vec3Types>(*child, {Vec3{}, Vec3{}});
    auto& m = child->create<Square>();
    m.l_input.set(&in);
    m.l_output.set(&out);
    m.factor = factor;
    m.d_checkJacobian.setValue(true);
    MessageCapture capture;
    m.apply(MechanicalParams(), vec_id::position, vec_id::position);
    CHECK(out.positions()[0] == Vec3{1., 2., 3.});
    return capture.count(Severity::Warning);
}

}  // namespace

TEST_CASE("checkJacobian reports a Jacobian that is not the derivative, and only that")
{
    CHECK(warnings(1.) == 0);
    CHECK(warnings(1.001) == 1);
}

}  // namespace check_jacobian_test
