// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/MessageHandlerComponent.h"

#include <iostream>

#include "core/factory/Registry.h"

namespace sofa::core {

namespace {

using Form = std::string (*)(const Message&);

/// "[ERROR] [Class(name)] text"; the sender of a message is "/path/name (Class)".
std::string asSofa(const Message& m)
{
    std::string head;
    for (const char c : toString(m.severity)) head += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::string sender = m.sender;
    if (const auto open = sender.rfind(" ("); open != std::string::npos && sender.ends_with(')')) {
        const std::string path = sender.substr(0, open);
        sender = sender.substr(open + 2, sender.size() - open - 3) + '(' + path.substr(path.rfind('/') + 1) + ')';
    }
    return '[' + head + "] " + (sender.empty() ? "" : '[' + sender + "] ") + m.text;
}

std::string asRich(const Message& m) { return asSofa(m) + (m.where.known() ? "\n    " + m.where.str() : ""); }

const std::vector<std::pair<std::string, Form>>& forms()
{
    static const std::vector<std::pair<std::string, Form>> all{
        {"clang", [](const Message& m) { return m.str(); }}, {"rich", asRich}, {"silent", nullptr}, {"sofa", asSofa}};
    return all;
}

}  // namespace

void MessageHandlerComponent::parse(ComponentDescription& desc)
{
    Component::parse(desc);
    const std::string& wanted = d_handler.value();
    if (wanted.empty()) return;
    std::vector<std::string> names;
    for (const auto& [name, form] : forms()) {
        names.push_back(name);
        if (name != wanted) continue;
        m_handler = MessageLog::addHandler([form = form](const Message& m) {
            if (form) (m.severity <= Severity::Advice ? std::cout : std::cerr) << form(m) << std::endl;
        });
        return;
    }
    message(Severity::Error,
            "attribute 'handler': clang, rich, silent or sofa was expected, found '" + wanted + "'" +
                didYouMean(wanted, names),
            d_handler.location);
}

MessageHandlerComponent::~MessageHandlerComponent()
{
    if (m_handler) MessageLog::removeHandler(m_handler);
}

static const RegisterComponent registered =
    RegisterComponent("MessageHandlerComponent", "SceneUtility", "Sofa.Component.SceneUtility")
        .help("Says how messages are printed")
        .example("component/playback/MessageHandlerComponent.scn")
        .add<MessageHandlerComponent>();

}  // namespace sofa::core
