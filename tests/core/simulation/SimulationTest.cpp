// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Simulation.h"

#include <catch2/catch.hpp>
#include <new>

#include "core/behavior/Mapping.h"
#include "core/log/Message.h"
#include "core/objectmodel/Engine.h"
#include "tests/harness/TestGraph.h"

namespace simulation_test {

using namespace sofa::core;

namespace {

/// Asks for more memory than there is, in one of the two ways in which the standard library says so.
class Greedy final : public Component
{
public:
    bool tooLong = false;
    std::string className() const override { return "Greedy"; }
    void init() override
    {
        if (tooLong) throw std::length_error("vector::_M_default_append");
        throw std::bad_alloc();
    }
};

/// Sums a list.
class Summing final : public Engine
{
public:
    Data<Vector<double>> d_in{this, {.name = "in", .help = "Numbers", .unit = "1"}};
    Data<double> d_sum{this, {.name = "sum", .help = "Their sum", .unit = "1"}};
    Link<Node> l_node{this, {"of", "Node"}};

    Summing()
    {
        addInput(d_in);
        addOutput(d_sum);
    }
    std::string className() const override { return "Summing"; }

private:
    void doUpdate() override
    {
        double sum = 0.;
        for (const double v : d_in.value()) sum += v;
        d_sum.setValue(sum);
    }
};

/// A point that follows another one of the same kind.
class Following final : public Mapping<Vec3Types, Vec3Types>
{
public:
    using Mapping::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override { out = in; }
    void buildJacobian(JacobianMatrix& j, const InVecCoord&) override
    {
        j.clear();
        j.appendRow();
        j.append(0, Mat<3, 3>::identity());
    }
};

}  // namespace

TEST_CASE("An engine that was given no input is warned about")
{
    const auto warned = [](auto&& prepare) {
        const MessageCapture messages;
        auto root = std::make_shared<Node>("root");
        prepare(root->create<Summing>());
        CHECK(Simulation(root).init());
        return messages.has(Severity::Warning, "none of its inputs is given (in)");
    };
    CHECK(warned([](Summing&) {}));
    CHECK_FALSE(warned([](Summing& s) { s.d_in.setValue({1., 2.}); }));
    CHECK_FALSE(warned([](Summing& s) { s.l_node.set(s.node()); }));
}

TEST_CASE("A state below a mapped one that nothing moves is warned about")
{
    const auto child = [](Node& parent) {
        const auto n = std::make_shared<Node>("n");
        parent.addChild(n);
        sofa::test::addState<Vec3Types>(*n, {{1., 0., 0.}});
        return n;
    };
    const MessageCapture messages;
    auto root = std::make_shared<Node>("root");
    sofa::test::addState<Vec3Types>(*root, {{1., 0., 0.}});
    const auto mapped = child(*root);
    mapped->create<Following>();
    CHECK(Simulation(root).init());
    const auto below = child(*mapped);
    CHECK_FALSE(messages.has(Severity::Warning, "follow nothing"));
    CHECK(Simulation(root).init());
    CHECK(messages.has(Severity::Warning, "/n/n/TestState1 (TestState): it lies below /n/TestState1"));
    const MessageCapture others;
    below->create<Following>();
    CHECK(Simulation(root).init());
    CHECK_FALSE(others.has(Severity::Warning, "follow nothing"));
}

TEST_CASE("A component that gets no memory fails in words for a user")
{
    for (const bool tooLong : {false, true}) {
        const MessageCapture messages;
        auto root = std::make_shared<Node>("root");
        root->create<Greedy>().tooLong = tooLong;
        CHECK_FALSE(Simulation(root).init());
        CHECK(messages.has(Severity::Error, "there is not enough memory for what it asks for"));
        CHECK_FALSE(messages.has(Severity::Error, "vector::"));
    }
}

}  // namespace simulation_test
