// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DdgNode.h"

#include <catch2/catch.hpp>

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
