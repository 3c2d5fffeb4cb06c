// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Prototype.h"

#include <QString>
#include <algorithm>
#include <map>

#include "core/objectmodel/Link.h"
#include "core/objectmodel/Node.h"
#include "core/scene/OldNames.h"

namespace sofa::modeler {

std::shared_ptr<const Prototype> Prototype::of(const std::string& className, const std::string& templateName)
{
    static std::map<std::pair<std::string, std::string>, std::shared_ptr<const Prototype>> kept;
    std::string name = className;
    if (const std::string_view now = currentComponentName(name); !now.empty() && !Registry::instance().find(name))
        name = now;
    const ComponentEntryPtr entry = Registry::instance().find(name);
    if (name != "Node" && (!entry || entry->creators.empty())) return nullptr;
    const auto key = std::pair(entry ? entry->name : name, templateName);
    if (const auto it = kept.find(key); it != kept.end() && it->second->m_entry == entry) return it->second;

    const auto made = std::shared_ptr<Prototype>(new Prototype);
    made->m_entry = entry;
    if (entry) {
        const std::string wanted = Registry::canonicalTemplate(templateName);
        auto creator = std::ranges::find(entry->creators, wanted, &ComponentCreator::templ);
        if (creator == entry->creators.end()) creator = entry->creators.begin();
        made->m_object = creator->create();
        made->m_help = entry->help;
    } else {
        made->m_object = std::make_shared<Node>("node");
        made->m_help = "A part of the scene: it holds components and other nodes.";
    }
    const Base& object = *made->m_object;
    for (const BaseData* d : object.data()) {
        if (!d->isDisplayed()) continue;
        DataEntry e;
        e.name = d->name();
        e.help = d->help();
        e.unit = d->unit();
        e.group = d->group();
        e.typeName = d->typeName();
        e.range = d->range().str();
        e.text = e.defaultText = d->defaultText();
        e.length = e.text.size();
        e.choices = d->choices();
        e.required = d->isRequired();
        (d->isReadOnly() ? made->m_outputs : made->m_data).push_back(std::move(e));
    }
    for (const BaseLink* l : object.links())
        made->m_links.push_back(
            {std::string(l->name()), std::string(l->help()), l->targetTypeName(), {}, {}, l->isRequired()});
    // What the loader does for all of them.
    if (entry && !made->m_object->findData("src") && !made->m_object->findLink("src"))
        made->m_links.push_back(
            {"src", "Component, such as a loader, that gives all Data of the same names", "", {}, {}});
    if (!entry) made->m_links.push_back({"sameAs", "Node that is a child here too", "Node", {}, {}});
    for (const auto& [attribute, extra] : object.extraAttributes())
        if (!extra.ignored) made->m_others.emplace_back(attribute, extra.help);
    return kept[key] = made;
}

std::vector<std::string> Prototype::templates() const
{
    std::vector<std::string> out;
    if (m_entry)
        for (const ComponentCreator& c : m_entry->creators)
            if (!c.templ.empty()) out.push_back(c.templ);
    return out;
}

std::string Prototype::canonical(const std::string& attribute) const
{
    if (const BaseData* d = m_object->findData(attribute)) return d->name();
    if (const BaseLink* l = m_object->findLink(attribute)) return std::string(l->name());
    if (std::ranges::find(m_links, attribute, &LinkEntry::name) != m_links.end()) return attribute;
    if (m_object->extraAttributes().contains(attribute)) return attribute;
    if (const OldAttribute* old = findOldAttribute(m_object->className(), attribute); old && !old->now.empty())
        return canonical(std::string(old->now));
    return {};
}

std::string Prototype::ineffective(const std::string& attribute) const
{
    const auto& extra = m_object->extraAttributes();
    if (const auto it = extra.find(attribute); it != extra.end() && it->second.ignored) return it->second.help;
    const OldAttribute* old = findOldAttribute(m_object->className(), attribute);
    return old && old->now.empty() ? std::string(old->reason) : std::string();
}

std::string Prototype::problem(const std::string& attribute, const std::string& value) const
{
    BaseData* d = m_object->findData(canonical(attribute));
    const auto first = value.find_first_not_of(" \t\r\n");
    if (!d || first == std::string::npos || value[first] == '@') return {};
    std::string error;
    const bool good = d->read(value, error);
    d->resetToDefault();
    return good ? std::string() : error;
}

std::optional<std::vector<double>> Prototype::numbers(const std::string& attribute, const std::string& value) const
{
    BaseData* d = m_object->findData(canonical(attribute));
    if (!d) {
        bool good = false;
        const double number = QString::fromStdString(value).toDouble(&good);
        return good ? std::optional(std::vector{number}) : std::nullopt;
    }
    std::string error;
    std::vector<double> out;
    const bool good = d->read(value, error);
    const NumberArray n = d->numbers();
    for (std::size_t i = 0; good && i < n.shape[0]; ++i)
        for (std::size_t k = 0; k < n.shape[1]; ++k) out.push_back(n.at(i, k));
    d->resetToDefault();
    return good ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace sofa::modeler
