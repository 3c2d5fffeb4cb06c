// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"

#include <algorithm>

#include "core/factory/Origin.h"
#include "core/factory/PluginManager.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

namespace {

/// "; the plugin 'Soft' registered A, B", for each loaded one, as far as a message has room.
std::string ofPlugins()
{
    constexpr std::size_t most = 10;
    std::string text;
    for (const Plugin& p : PluginManager::instance().plugins()) {
        text += "; the plugin '" + p.name + "' registered ";
        for (std::size_t i = 0; i < std::min(most, p.components.size()); ++i)
            text += (i > 0 ? ", " : "") + p.components[i];
        if (p.components.size() > most) text += " and " + std::to_string(p.components.size() - most) + " more";
        if (p.components.empty()) text += "no component";
    }
    return text;
}

}  // namespace

Registry& Registry::instance()
{
    static Registry r;
    return r;
}

const ComponentEntry* Registry::find(std::string_view name) const
{
    auto it = m_entries.find(name);
    if (it == m_entries.end()) {
        const auto a = m_aliases.find(name);
        if (a == m_aliases.end()) return nullptr;
        it = m_entries.find(a->second);
    }
    return it == m_entries.end() ? nullptr : &it->second;
}

const ComponentEntry* Registry::defaultOf(std::string_view category) const
{
    for (const auto& [name, entry] : m_entries)
        if (entry.isDefault && entry.category == category) return &entry;
    return nullptr;
}

std::vector<std::string> Registry::names() const
{
    std::vector<std::string> out;
    for (const auto& [n, e] : m_entries) out.push_back(n);
    for (const auto& [a, n] : m_aliases) out.push_back(a);
    return out;
}

ComponentEntry& Registry::add(std::string name)
{
    const auto [it, inserted] = m_entries.try_emplace(name);
    if (!inserted) {
        // Registration runs while libraries are loaded, where an exception would end the program.
        const std::string& second = RegistrationOrigin::current();
        reject("component '" + name + "' is registered twice: by " + libraryOf(it->second) +
               (second.empty() ? " and once more" : " and by " + second) + "; the first one is kept");
        m_rejected.emplace_back().name = std::move(name);
        return m_rejected.back();
    }
    it->second.name = std::move(name);
    return it->second;
}

void Registry::reject(std::string text)
{
    MessageLog::emit(Severity::Error, text);
    m_conflicts.push_back(std::move(text));
}

bool Registry::isRegistered(const ComponentEntry& e) const
{
    const auto it = m_entries.find(e.name);
    return it != m_entries.end() && &it->second == &e;
}

void Registry::addAlias(const std::string& alias, const std::string& name)
{
    if (m_entries.count(alias) || (m_aliases.count(alias) && m_aliases[alias] != name)) {
        reject("alias '" + alias + "' of component '" + name + "' is taken");
        return;
    }
    m_aliases[alias] = name;
    auto& list = m_entries.find(name)->second.aliases;
    if (std::find(list.begin(), list.end(), alias) == list.end()) list.push_back(alias);
}

void Registry::addCreator(ComponentEntry& e, ComponentCreator c)
{
    if (isRegistered(e)) m_byType.emplace(c.type, e.name);  // of several names of a class the first is its own
    e.creators.push_back(std::move(c));
}

void Registry::remove(std::string_view name)
{
    const auto it = m_entries.find(name);
    if (it == m_entries.end()) return;
    for (const auto& a : it->second.aliases) m_aliases.erase(a);
    std::erase_if(m_byType, [&](const auto& p) { return p.second == name; });
    m_entries.erase(it);
}

const std::string& Registry::nameOf(const Component& c) const
{
    static const std::string none;
    const auto it = m_byType.find(typeid(c));
    return it == m_byType.end() ? none : it->second;
}

std::string Registry::templateOf(const Component& c) const
{
    const ComponentEntry* e = find(nameOf(c));
    if (!e) return {};
    const auto it =
        std::find_if(e->creators.begin(), e->creators.end(), [&](const auto& k) { return k.type == typeid(c); });
    return it == e->creators.end() ? std::string() : it->templ;
}

std::shared_ptr<Component> Registry::make(const ComponentCreator& creator)
{
    auto c = creator.create();
    c->m_templateName = creator.templ;
    return c;
}

std::string Registry::canonicalTemplate(std::string_view t)
{
    std::string s;
    for (char ch : t)
        if (ch != ' ') s += ch;
    // "Mapping<A,B>", "MechanicalMapping<MechanicalState<A>,MappedModel<B>>" → "A,B"
    for (;;) {
        const auto open = s.find('<');
        if (open == std::string::npos) break;
        std::size_t start = open;
        while (start > 0 && s[start - 1] != ',') --start;
        s.erase(start, open + 1 - start);
        // The bracket that closes it.
        int depth = 1;
        for (std::size_t i = start; i < s.size(); ++i) {
            if (s[i] == '<') ++depth;
            if (s[i] == '>' && --depth == 0) {
                s.erase(i, 1);
                break;
            }
        }
    }
    static const std::map<std::string, std::string, std::less<>> names = {
        {"Vec1d", "Vec1"},    {"Vec1f", "Vec1"},    {"Vec2d", "Vec2"},     {"Vec2f", "Vec2"},     {"Vec3d", "Vec3"},
        {"Vec3f", "Vec3"},    {"Vec6d", "Vec6"},    {"Vec6f", "Vec6"},     {"ExtVec3d", "Vec3"},  {"ExtVec3f", "Vec3"},
        {"ExtVec3", "Vec3"},  {"ExtVec2f", "Vec2"}, {"Rigid", "Rigid3"},   {"Rigid3d", "Rigid3"}, {"Rigid3f", "Rigid3"},
        {"Rigidd", "Rigid3"}, {"Rigidf", "Rigid3"}, {"Rigid2d", "Rigid2"}, {"Rigid2f", "Rigid2"},
    };
    std::string out, part;
    const auto flush = [&] {
        const auto it = names.find(part);
        out += it == names.end() ? part : it->second;
        part.clear();
    };
    for (char ch : s) {
        if (ch == ',') {
            flush();
            out += ',';
        } else {
            part += ch;
        }
    }
    flush();
    return out;
}

std::shared_ptr<Component> Registry::create(const Node* node, const ComponentDescription& desc) const
{
    const ComponentEntry* e = find(desc.type);
    if (!e) throw CreationError("unknown component '" + desc.type + "'" + didYouMean(desc.type, names()) + ofPlugins());
    const bool templated = e->creators.size() > 1 || !e->creators.front().templ.empty();
    const std::string wanted = templated ? canonicalTemplate(desc.templ) : std::string();
    std::string why;
    if (!wanted.empty()) {
        for (const auto& c : e->creators) {
            if (c.templ != wanted) continue;
            if (c.canCreate(node, desc, why)) return make(c);
            throw CreationError("cannot create " + e->name + " with template '" + desc.templ + "': " + why);
        }
        std::vector<std::string> have;
        std::string list;
        for (const auto& c : e->creators) {
            have.push_back(c.templ);
            list += (list.empty() ? "" : ", ") + c.templ;
        }
        throw CreationError("component " + e->name + " has no template '" + desc.templ + "'" +
                            didYouMean(wanted, have) + "; its templates are: " + list);
    }
    std::string reasons;
    for (const auto& c : e->creators) {
        why.clear();
        if (c.canCreate(node, desc, why)) return make(c);
        if (reasons.find(why) == std::string::npos) reasons += (reasons.empty() ? "" : "; ") + why;
    }
    throw CreationError("cannot create " + e->name + ": " + reasons);
}

std::shared_ptr<Component> Registry::createIn(Node& node, ComponentDescription& desc) const
{
    std::shared_ptr<Component> c = create(&node, desc);
    adopt(node, c, desc);
    return c;
}

void Registry::adopt(Node& node, const std::shared_ptr<Component>& c, ComponentDescription& desc)
{
    c->location = desc.where;
    // A name is set before the component is in the node: later it would be a renaming there.
    if (Attribute* name = desc.find("name")) {
        if (!name->value.empty()) c->setName(name->value);
        c->d_name.location = name->where;
        name->used = true;
    }
    node.addComponent(c);  // before parsing: links such as @[-1] need to know the place
    c->parse(desc);
    c->resolveDataLinks(false);
}

}  // namespace sofa::core
