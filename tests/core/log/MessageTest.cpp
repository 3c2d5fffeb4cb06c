// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Message.h"

#include <catch2/catch.hpp>

using namespace sofa::core;

TEST_CASE("Messages print as file:line:column: severity: sender: text", "[log]")
{
    const auto file = std::make_shared<const std::string>("a.scn");
    CHECK(Message{Severity::Error, {file, 3, 7}, "/a (B)", "broken"}.str() == "a.scn:3:7: error: /a (B): broken");
    CHECK(Message{Severity::Warning, {file, 3, 0}, "", "odd"}.str() == "a.scn:3: warning: odd");
    CHECK(Message{Severity::Info, {}, "", "hello"}.str() == "info: hello");
    CHECK(SourceLocation{file, 0, 4}.str() == "a.scn");
}

TEST_CASE("A capture silences, a recorder listens in", "[log]")
{
    const MessageRecorder recorder;
    {
        const MessageCapture outer;
        {
            const MessageCapture inner;
            MessageLog::emit(Severity::Warning, "one");
            CHECK(inner.count(Severity::Warning) == 1);
            CHECK(inner.has(Severity::Warning, "on"));
            CHECK_FALSE(inner.has(Severity::Error, "one"));
        }
        CHECK(outer.messages().empty());
        MessageLog::emit(Severity::Error, "two");
        CHECK(outer.text() == "error: two\n");
    }
    REQUIRE(recorder.messages().size() == 2);
    CHECK(recorder.messages()[1].text == "two");
}

TEST_CASE("Handlers receive what passes the threshold, in the order in which they were added", "[log]")
{
    std::string heard;
    const int a = MessageLog::addHandler([&](const Message& m) { heard += "a:" + m.text + ' '; });
    const int b = MessageLog::addHandler([&](const Message& m) { heard += "b:" + m.text + ' '; }, true);
    MessageLog::resetCounts();
    MessageLog::emit(Severity::Warning, "x");
    MessageLog::emit(Severity::Debug, "hidden");
    const Severity before = MessageLog::threshold();
    MessageLog::setThreshold(Severity::Error);
    MessageLog::emit(Severity::Warning, "hidden");
    MessageLog::setThreshold(before);
    MessageLog::removeHandler(b);
    MessageLog::emit(Severity::Error, "y");
    MessageLog::removeHandler(a);
    CHECK(heard == "a:x b:x a:y ");
    CHECK(MessageLog::count(Severity::Warning) == 1);
    CHECK(MessageLog::count(Severity::Error) == 1);
}

TEST_CASE("The nearest match is a plausible slip, or none", "[log]")
{
    const std::vector<std::string> names{"youngModulus", "poissonRatio", "totalMass", "name"};
    CHECK(nearestMatch("yongModulus", names) == "youngModulus");
    CHECK(nearestMatch("TOTALMASS", names) == "totalMass");
    CHECK(nearestMatch("totlaMass", names) == "totalMass");
    CHECK(nearestMatch("damping", names).empty());
    CHECK(didYouMean("nmae", names) == " (did you mean 'name'?)");
    CHECK(didYouMean("x", names).empty());
}
