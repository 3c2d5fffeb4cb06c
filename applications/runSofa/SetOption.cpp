// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/SetOption.h"

#include "core/objectmodel/Path.h"

namespace sofa::application {

using namespace core;

namespace {

bool knows(const Base& b, const std::string& name)
{
    return b.findData(name) || b.findLink(name) || b.extraAttributes().count(name) > 0;
}

/// Sets an attribute that the object has. Scenes may hold what SOFA passes over; a command line is read to the letter.
void set(Base& object, const std::string& name, const std::string& value, const SourceLocation& where)
{
    if (const BaseData* d = object.findData(name); d && d->isReadOnly()) {
        object.message(Severity::Error, "attribute '" + name + "' is computed and cannot be set", where);
        return;
    }
    const MessageRecorder said;
    object.setAttribute(name, value, where);
    object.resolveDataLinks(true);
    if (BaseLink* l = object.findLink(name)) {
        std::string error;
        if (l->isSet() && !l->resolve(error))
            object.message(Severity::Error, "link '" + name + "': broken link \"" + value + "\": " + error, where);
    }
    std::size_t warnings = 0;
    for (const Message& m : said.messages()) {
        if (m.severity == Severity::Error) return;
        if (m.severity == Severity::Warning || m.severity == Severity::Deprecated) ++warnings;
    }
    if (warnings > 0) object.message(Severity::Error, "attribute '" + name + "': the value was not taken whole", where);
}

}  // namespace

void applySetting(Node& root, const std::string& setting)
{
    const SourceLocation where{std::make_shared<const std::string>("--set " + setting), 0, 0};
    const auto equals = setting.find('=');
    const std::string target = setting.substr(0, equals);
    const auto dot = target.rfind('.');
    const auto slash = target.rfind('/');
    if (equals == std::string::npos || dot == std::string::npos || (slash != std::string::npos && dot < slash) ||
        dot + 1 == target.size()) {
        MessageLog::emit(Severity::Error, "expected PATH.NAME=VALUE, such as /body/fem.youngModulus=3kPa", where);
        return;
    }
    const std::string path = target.substr(0, dot), name = target.substr(dot + 1);
    std::string error;
    const std::vector<Base*> objects = findByPath(root, path, error);
    if (objects.empty()) {
        MessageLog::emit(Severity::Error, error, where);
        return;
    }
    for (Base* b : objects) {
        if (!knows(*b, name)) continue;
        set(*b, name, setting.substr(equals + 1), where);
        return;
    }
    Base& object = *objects.front();
    object.message(
        Severity::Error,
        "'" + name + "' is no attribute of " + object.className() + didYouMean(name, object.attributeNames()), where);
}

}  // namespace sofa::application
