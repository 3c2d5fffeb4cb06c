// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/VegaStateExporter.h"

#include <catch2/catch.hpp>

#include "core/io/VegaMatrixFile.h"
#include "core/objectmodel/Event.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using namespace sofa::core;
using component::VegaStateExporter;

TEST_CASE("A state exporter writes displacements and forces after each interval")
{
    const test::TemporaryDirectory folder;
    const auto file = [&](const char* name) { return folder.path() / name; };
    Node root;
    auto& state = test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}});
    auto& e = test::addComponent<VegaStateExporter>(
        root, "VegaStateExporter", {{"filename", file("out").string()}, {"interval", "2"}, {"forces", "1 2 3"}});
    REQUIRE(test::initialise(root));
    CHECK(e.d_listening.value());
    state.d_position.setValue({{0.5, 0., 0.}, {1., -0.25, 0.}});
    for (int i = 0; i < 3; ++i) e.handleEvent(AnimateEndEvent(0.1));
    CHECK_FALSE(std::filesystem::exists(file("out.u.0000")));
    CHECK_FALSE(std::filesystem::exists(file("out.u.0002")));
    const io::VegaMatrix u = io::readVegaMatrix(file("out.u.0001")), f = io::readVegaMatrix(file("out.f.0001"));
    CHECK(u == io::VegaMatrix{6, 1, {0.5, 0., 0., 0., -0.25, 0.}});
    CHECK(f == io::VegaMatrix{6, 1, {1., 2., 3., 0., 0., 0.}});
    e.reset();
    state.d_position.setValue({{0., 0., 0.}, {1., 0., 0.}});
    for (int i = 0; i < 2; ++i) e.handleEvent(AnimateEndEvent(0.1));
    CHECK(io::readVegaMatrix(file("out.u.0001")).values == Vector<double>(6, 0.));
}

TEST_CASE("A state exporter says where it cannot write")
{
    Node root;
    const MessageCapture capture;
    SECTION("folder")
    {
        test::addState<Vec3Types>(root, {{0., 0., 0.}});
        test::addComponent(root, "VegaStateExporter", {{"filename", "no/such/folder/out"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "the folder 'no/such/folder' does not exist"));
    }
    SECTION("no state")
    {
        test::addComponent(root, "VegaStateExporter", {{"filename", "out"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "it needs a state of Vec3"));
    }
}
