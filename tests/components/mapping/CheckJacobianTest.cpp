// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Mapping.h"
#include "core/behavior/MultiMapping.h"
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

/// y = x1 · x2 of one point of each state.
class Product final : public MultiMapping<Vec1Types, Vec3Types>
{
public:
    double factor = 1.;
    std::string className() const override { return "Product"; }
    bool isLinear() const override { return false; }
    using MultiMapping::apply;
    void apply(Vector<Vec<1>>& out, Positions<Vec3Types> in) override { out[0][0] = dot((*in[0])[0], (*in[1])[0]); }
    void buildJacobians(Jacobians<Vec3Types> j, Positions<Vec3Types> in) override
    {
        for (std::size_t s = 0; s < 2; ++s) {
            j[s].clear();
            j[s].appendRow();
            Mat<1, 3> row;
            for (std::size_t c = 0; c < 3; ++c) row[0][c] = (*in[1 - s])[0][c] * (s == 1 ? factor : 1.);
            j[s].append(0, row);
        }
    }
};

std::size_t warningsOfTwo(double factor)
{
    auto root = std::make_shared<Node>("root");
    addState<Vec3Types>(*root->createChild("a"), {Vec3{1., 2., 3.}}).setName("state");
    addState<Vec3Types>(*root->createChild("b"), {Vec3{-0.5, 0.3, 1.}}).setName("state");
    auto child = root->createChild("child");
    addState<Vec1Types>(*child, {Vec<1>{}});
    auto& m = child->create<Product>();
    m.factor = factor;
    ComponentDescription d;
    d.set("input", "@../a/state @../b/state");
    d.set("checkJacobian", "true");
    m.parse(d);
    MessageCapture capture;
    m.init();
    CHECK(m.output().positions()[0][0] == 3.1);
    return capture.count(Severity::Warning);
}

}  // namespace

TEST_CASE("checkJacobian reports a Jacobian that is not the derivative, and only that")
{
    CHECK(warnings(1.) == 0);
    CHECK(warnings(1.001) == 1);
    CHECK(warningsOfTwo(1.) == 0);
    CHECK(warningsOfTwo(1.001) == 1);
}

}  // namespace check_jacobian_test
