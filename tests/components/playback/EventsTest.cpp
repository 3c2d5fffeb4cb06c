// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <linux/input.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/interaction/MouseButtonEvent.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/io/OutputFile.h"
#include "core/simulation/Pause.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace events_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;
using test::Attributes;

namespace {

/// Notes what it hears.
class Listener final : public Component
{
public:
    std::string heard;
    Listener() { d_listening.setValue(true); }
    std::string className() const override { return "Listener"; }
    void handleEvent(const Event& e) override
    {
        if (const auto* k = dynamic_cast<const KeyEvent*>(&e))
            heard += std::string(k->pressed() ? "+" : "-") + k->key();
        if (const auto* m = dynamic_cast<const MouseMotionEvent*>(&e))
            heard += '(' + std::to_string(m->dx()) + ',' + std::to_string(m->dy()) + ')';
        if (const auto* b = dynamic_cast<const MouseButtonEvent*>(&e))
            heard += std::string(b->pressed() ? "[" : "]") + "LMR"[static_cast<int>(b->button())];
    }
};

struct Scene
{
    test::TemporaryDirectory folder;
    Node root;
    Listener& listener = root.create<Listener>();

    std::string file(const char* name) const { return (folder.path() / name).string(); }
    /// What is heard in each of some steps.
    std::string run(Component& c, int steps)
    {
        std::string all;
        for (int k = 0; k < steps; ++k) {
            listener.heard.clear();
            c.handleEvent(AnimateBeginEvent(0.1));
            all += listener.heard + '|';
        }
        return all;
    }
};

std::string bytes(std::initializer_list<std::array<int, 3>> events)
{
    std::string all;
    for (const auto& [type, code, value] : events) {
        input_event e{};
        e.type = static_cast<std::uint16_t>(type);
        e.code = static_cast<std::uint16_t>(code);
        e.value = value;
        all.append(reinterpret_cast<const char*>(&e), sizeof e);
    }
    return all;
}

std::string contents(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("InputEventReader tells what pedals and a mouse do, from a recording")
{
    Scene s;
    writeFile(s.file("a"), "3 1 200\n\n2 0 5 2 1 -3 2 0 1\n3 1 20\n3 1 30\n3 1 128\n");
    const auto run = [&s](const Attributes& more) {
        Attributes attributes{{"outputFilename", s.file("a")}};
        attributes.insert(attributes.end(), more.begin(), more.end());
        Component& c = test::addComponent(s.root, "InputEventReader", attributes);
        REQUIRE(test::initialise(s.root));
        const std::string once = s.run(c, 7);
        c.reset();
        CHECK(s.run(c, 7) == once);
        s.root.removeComponent(c);
        return once;
    };
    CHECK(run({}) == "+0||(6,-3)|-0+1||-1||");
    CHECK(run({{"inverseSense", "1"}, {"key1", "l"}, {"key2", "r"}}) == "+l||(-6,3)|-l+r||-r||");
}

TEST_CASE("InputEventReader tells buttons of a mouse where they come between motions")
{
    Scene s;
    writeFile(s.file("a"), "2 0 1 1 272 1 2 0 2 2 1 3\n1 272 2 1 273 1 1 30 1\n1 272 0 1 273 0 1 274 1\n");
    Component& c = test::addComponent(s.root, "InputEventReader", {{"outputFilename", s.file("a")}});
    REQUIRE(test::initialise(s.root));
    CHECK(s.run(c, 3) == "(1,0)[L(2,3)|[R|]L]R[M|");
}

TEST_CASE("InputEventReader writes the events of a device, which give the same when they are read")
{
    Scene s;
    writeFile(s.file("device"), bytes({{EV_REL, REL_X, 4}, {EV_SYN, 0, 0}, {EV_ABS, ABS_Y, 250}}));
    const MessageCapture capture;
    Component& c = test::addComponent(
        s.root, "InputEventReader",
        {{"filename", s.file("device")}, {"writeEvents", "1"}, {"outputFilename", s.file("out")}, {"printEvent", "1"}});
    REQUIRE(test::initialise(s.root));
    CHECK(s.run(c, 2) == "(4,0)+0||");
    CHECK(contents(s.file("out")) == "2 0 4 0 0 0 3 1 250\n\n");
    CHECK(capture.has(Severity::Info, "event of type 3, code 1, value 250"));
    s.root.removeComponent(c);
    Component& again = test::addComponent(s.root, "InputEventReader", {{"outputFilename", s.file("out")}});
    REQUIRE(test::initialise(s.root));
    CHECK(s.run(again, 2) == "(4,0)+0||");
}

TEST_CASE("InputEventReader says what is wrong", "[input]")
{
    const auto failure = [](const Attributes& attributes) {
        Scene s;
        const MessageCapture capture;
        Attributes all = attributes;
        for (auto& [name, value] : all)
            if (name == "outputFilename" && value == "wrong") {
                value = s.file("wrong");
                writeFile(value, "3 1 200\n3 1 x\n");
            }
        test::addComponent(s.root, "InputEventReader", all);
        CHECK_FALSE(test::initialise(s.root));
        return capture.text();
    };
    CHECK_THAT(failure({{"filename", "/no/such/device"}}), Contains("filename: cannot read '/no/such/device'"));
    CHECK_THAT(failure({{"writeEvents", "1"}}), Contains("writeEvents needs outputFilename"));
    CHECK_THAT(failure({{"key1", "ab"}}), Contains("key1: one character was expected, found 'ab'"));
    CHECK_THAT(failure({{"outputFilename", "none"}}), Contains("outputFilename: cannot find the file 'none'"));
    CHECK_THAT(failure({{"outputFilename", "wrong"}}), Contains("wrong:2: expected its value (an integer), found 'x'"));
    Scene s;
    writeFile(s.file("device"), "short");
    Component& c = test::addComponent(s.root, "InputEventReader", {{"filename", s.file("device")}});
    REQUIRE(test::initialise(s.root));
    CHECK_THROWS_WITH(c.handleEvent(AnimateBeginEvent(0.1)), Contains("events are cut off"));
}

TEST_CASE("PauseAnimationOnEvent asks for a pause when a PauseEvent comes")
{
    Node root;
    test::addComponent(root, "PauseAnimationOnEvent", {{"printLog", "1"}});
    REQUIRE(test::initialise(root));
    const MessageCapture capture;
    root.propagateEvent(AnimateBeginEvent(0.1));
    CHECK_FALSE(takePauseRequest());
    root.propagateEvent(PauseEvent());
    CHECK(takePauseRequest());
    CHECK_FALSE(takePauseRequest());
    CHECK(capture.has(Severity::Info, "the animation is paused"));
}

}  // namespace events_test
