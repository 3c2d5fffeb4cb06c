// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneSnapshot.h"
#include "core/log/Reason.h"

#include <algorithm>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/behavior/Mass.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Path.h"
#include "core/objectmodel/Transient.h"

namespace sofa::core {

namespace {

std::string categoryOf(const Base& object)
{
    if (dynamic_cast<const Node*>(&object)) return "Node";
    if (const auto entry = Registry::instance().find(object.className())) return entry->category;
    // Not for scenes: what others make while the scene runs, as contacts and the mouse do.
    if (dynamic_cast<const BaseState*>(&object)) return "State";
    if (dynamic_cast<const BaseForceField*>(&object)) return "ForceField";
    if (dynamic_cast<const BaseMapping*>(&object)) return "Mapping";
    if (dynamic_cast<const BaseLagrangianConstraint*>(&object)) return "LagrangianConstraint";
    if (dynamic_cast<const BaseProjectiveConstraint*>(&object)) return "ProjectiveConstraint";
    return "Component";
}

GraphEntry entryOf(const Base& object, ObjectHandle handle, int parent, int depth)
{
    GraphEntry e;
    e.object = std::move(handle);
    e.id = object.id();
    e.parent = parent;
    e.depth = depth;
    e.name = object.name();
    e.path = object.pathName();
    e.className = object.className();
    e.templateName = object.templateName();
    e.category = categoryOf(object);
    e.transient = isTransient(object);
    for (const Message& m : object.messages()) {
        if (m.severity == Severity::Error) ++e.errors;
        if (m.severity == Severity::Warning || m.severity == Severity::Deprecated) ++e.warnings;
    }
    return e;
}

void addNode(GraphSnapshot& out, const Node& node, ObjectHandle handle, int parent, int depth)
{
    const int index = static_cast<int>(out.entries.size());
    out.entries.push_back(entryOf(node, std::move(handle), parent, depth));
    out.entries.back().isNode = true;
    out.entries.back().active = node.isActive();
    for (const auto& c : node.components()) {
        out.entries.push_back(entryOf(*c, c, index, depth + 1));
        out.entries.back().active = c->isValid();
    }
    for (const auto& c : node.children()) addNode(out, *c, c, index, depth + 1);
}

/// The value as text, or why there is none.
std::string textOf(const BaseData& d)
{
    try {
        return d.text();
    } catch (const DataError& e) {
        return std::string("(") + e.what() + ')';
    }
}

bool isLink(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '@';
}

}  // namespace

GraphSnapshot takeGraph(const Node& root, ObjectHandle handle)
{
    GraphSnapshot out;
    out.version = root.changeCount();
    addNode(out, root, std::move(handle), -1, 0);
    return out;
}

ObjectSnapshot takeObject(const Base& object, std::size_t longest)
{
    ObjectSnapshot o;
    o.name = object.name();
    o.path = object.pathName();
    o.className = object.className();
    o.templateName = object.templateName();
    o.category = categoryOf(object);
    o.location = object.location.str();
    if (const auto* c = dynamic_cast<const Component*>(&object)) o.valid = c->isValid();
    if (const auto e = Registry::instance().find(o.className)) {
        o.help = e->help;
        o.module = e->module;
    }
    for (const BaseData* d : object.data()) {
        if (!d->isDisplayed()) continue;
        DataEntry e;
        e.name = d->name();
        e.help = d->help();
        e.unit = d->unit();
        e.group = d->group();
        e.typeName = d->typeName();
        e.range = d->range().str();
        e.text = textOf(*d);
        e.counter = d->changeCount();
        e.length = e.text.size();
        if (e.text.size() > longest) {
            e.text.resize(longest);
            e.text.resize(e.text.find_last_of(" \n") == std::string::npos ? longest : e.text.find_last_of(" \n"));
        }
        e.defaultText = d->defaultText();
        e.linkPath = d->linkPath();
        e.choices = d->choices();
        e.readOnly = d->isReadOnly();
        e.required = d->isRequired();
        e.isSet = d->isSet();
        o.data.push_back(std::move(e));
    }
    for (const BaseLink* l : object.links()) {
        LinkEntry e{std::string(l->name()), std::string(l->help()), l->targetTypeName(), l->path(), {},
                    l->isRequired()};
        for (const Base* t : l->targets())
            if (t) e.targets.push_back(t->pathName());
        o.links.push_back(std::move(e));
    }
    o.messages = object.messages();
    return o;
}

std::string wholeText(const Base& object, std::string_view name)
{
    if (const BaseData* d = object.findData(name)) return textOf(*d);
    if (const BaseLink* l = object.findLink(name)) return l->text();
    return {};
}

EditErrors applyEdits(Base& object, const Edits& edits)
{
    EditErrors errors;
    // Try all of them on the Data themselves, and take them back if one is refused.
    std::vector<std::tuple<BaseData*, std::shared_ptr<void>, bool>> before;
    for (const auto& [name, text] : edits) {
        std::string error;
        if (BaseData* d = object.findData(name)) {
            if (d->isReadOnly()) {
                errors.emplace_back(name, "it is computed by the component and cannot be set");
            } else if (isLink(text)) {
                if (!findDataByPath(object, text.substr(text.find('@')), error)) errors.emplace_back(name, error);
            } else {
                before.emplace_back(d, d->shareValue(), d->isSet());
                if (!d->read(text, error)) errors.emplace_back(name, error);
            }
        } else if (object.findLink(name)) {
            if (!text.empty() && findByPath(object, text, error).empty()) errors.emplace_back(name, error);
        } else {
            errors.emplace_back(name, "there is no such property");
        }
    }
    if (!errors.empty()) {
        for (auto it = before.rbegin(); it != before.rend(); ++it) {
            const auto& [data, value, wasSet] = *it;
            data->restoreValue(value, wasSet);
        }
        return errors;
    }
    MessageRecorder recorder;
    for (const auto& [name, text] : edits) object.setAttribute(name, text, object.location);
    object.resolveDataLinks(true);
    for (const auto& [name, text] : edits) {
        std::string error;
        if (BaseLink* l = object.findLink(name); l && !l->resolve(error)) errors.emplace_back(name, error);
    }
    if (auto* c = dynamic_cast<Component*>(&object); c && c->isInitialised()) {
        try {
            c->reinit();
        } catch (const std::exception& e) {
            errors.emplace_back("", reasonOf(e));
        }
    }
    for (const Message& m : recorder.messages())
        if (m.severity == Severity::Error) errors.emplace_back("", m.text);
    return errors;
}

Base* findObject(Node& root, std::string_view path)
{
    for (Node* n : root.descendants(true)) {
        if (n->pathName() == path) return n;
        for (const auto& c : n->components())
            if (c->pathName() == path) return c.get();
    }
    return nullptr;
}

}  // namespace sofa::core
