// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Simulation.h"

#include <catch2/catch.hpp>
#include <new>

#include "core/log/Message.h"

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

}  // namespace

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
