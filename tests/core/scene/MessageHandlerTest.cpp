// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

#include "core/log/Session.h"
#include "core/scene/SceneLoader.h"

namespace message_handler_test {

using namespace sofa::core;
using Catch::Contains;

namespace {

/// What is printed while it lives.
class Printed
{
public:
    Printed() : m_out(std::cout.rdbuf(m_text.rdbuf())), m_err(std::cerr.rdbuf(m_text.rdbuf())) {}
    ~Printed()
    {
        std::cout.rdbuf(m_out);
        std::cerr.rdbuf(m_err);
    }
    Printed(const Printed&) = delete;
    Printed& operator=(const Printed&) = delete;
    std::string text() const { return m_text.str(); }

private:
    std::ostringstream m_text;
    std::streambuf *m_out, *m_err;
};

/// What a scene with a handler prints of a warning of one of its components.
std::string printed(const std::string& handler)
{
    Session session;
    const Session::Scope scope(session);
    const Printed out;
    auto root = loadSceneText(
        "<Node name=\"root\">\n<MessageHandlerComponent name=\"h\" handler=\"" + handler + "\"/>\n</Node>", "main.scn");
    root->component("h")->message(Severity::Warning, "look");
    CHECK(MessageLog::count(Severity::Warning) == 1);
    const std::string within = out.text();
    root.reset();
    MessageLog::emit(Severity::Warning, "after");
    CHECK_THAT(out.text(), Contains("warning: after"));
    return within;
}

}  // namespace

TEST_CASE("MessageHandlerComponent says how messages are printed, until the scene is closed")
{
    CHECK_THAT(printed(""), Contains("2:1: warning: /h (MessageHandlerComponent): look"));
    CHECK_THAT(printed("clang"), Contains("2:1: warning: /h (MessageHandlerComponent): look"));
    CHECK(printed("sofa") == "[WARNING] [MessageHandlerComponent(h)] look\n");
    CHECK_THAT(printed("rich"), Contains("[WARNING] [MessageHandlerComponent(h)] look\n    ") && Contains(":2:1"));
    CHECK(printed("silent").empty());
}

TEST_CASE("An unknown message handler is an error with the names that there are", "[input]")
{
    const MessageCapture capture;
    loadSceneText("<Node name=\"root\"><MessageHandlerComponent handler=\"silentt\"/></Node>", "main.scn");
    CHECK(capture.has(Severity::Error,
                      "clang, rich, silent or sofa was expected, found 'silentt' (did you mean "
                      "'silent'?)"));
}

}  // namespace message_handler_test
