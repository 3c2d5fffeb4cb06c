// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DdgNode.h"

#include <catch2/catch.hpp>

#include "core/objectmodel/Component.h"
#include "core/objectmodel/DerivedValue.h"

namespace ddg_node_test {

using namespace sofa::core;

namespace {

/// Adds one to the sum of its inputs, and tells what depends on it whenever it was computed, as Data does.
class Counter : public DdgNode
{
public:
    explicit Counter(int start = 0) : m_start(start) {}
    std::string ddgName() const override { return "counter"; }
    int value() const
    {
        updateIfDirty();
        return m_value;
    }
    void set(int v)
    {
        m_start = v;
        m_value = v;
        setOutputsDirty();
    }

protected:
    void update() override
    {
        m_value = m_start;
        for (const DdgNode* in : inputs()) m_value += static_cast<const Counter*>(in)->value() + 1;
        setOutputsDirty();
    }

private:
    int m_start;
    int m_value = 0;
};

class Doubling : public Component
{
public:
    Data<int> d_value{this, {.name = "value", .help = "a number"}, 1};
    Data<int> d_twice{this, {.name = "twice", .help = "twice that number", .readOnly = true}};
    int computed = 0;

    Doubling() { m_twice.addDependency(d_value); }

private:
    DerivedValue m_twice{d_twice, [this] {
                             ++computed;
                             d_twice.setValue(2 * d_value.value());
                         }};
};

}  // namespace

TEST_CASE("A node computed from inputs that were dirty too sees their next change")
{
    Counter source, middle, other, last;
    middle.addDependency(source);
    last.addDependency(middle);
    last.addDependency(other);
    REQUIRE(last.value() == 3);
    CHECK_FALSE(last.isDirty());
    CHECK_FALSE(middle.isDirty());
    for (int v = 1; v < 4; ++v) {
        source.set(v);
        CHECK(last.isDirty());
        CHECK(last.value() == 3 + v);
    }
    other.set(10);
    CHECK(last.value() == 16);
}

TEST_CASE("A derived value is computed when it is read after a change, and not otherwise")
{
    Doubling c;
    CHECK(c.computed == 0);
    CHECK(c.d_twice.value() == 2);
    CHECK(c.d_twice.value() == 2);
    CHECK(c.computed == 1);
    for (int v = 3; v < 6; ++v) c.d_value.setValue(v);
    CHECK(c.computed == 1);
    Data<int> follower(nullptr, {.name = "follower", .help = "what follows"});
    follower.linkTo(c.d_twice);
    CHECK(follower.value() == 10);
    CHECK(c.computed == 2);
    c.d_value.setValue(7);
    CHECK(follower.value() == 14);
    CHECK(c.d_twice.value() == 14);
    CHECK(c.computed == 3);
}

}  // namespace ddg_node_test
