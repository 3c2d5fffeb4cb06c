// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "core/factory/ClassHierarchy.h"
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

/// The same text, for the time of the program: objects that C++ made do not hold the entry that has their name, and who
/// asks may look at it (what a program is busy with) when the class is withdrawn.
const std::string& lasting(const std::string& name)
{
    static std::mutex mutex;
    static std::set<std::string> names;
    const std::lock_guard lock(mutex);
    return *names.insert(name).first;
}

}  // namespace

Registry& Registry::instance()
{
    static Registry r;
    return r;
}

ComponentEntryPtr Registry::findLocked(std::string_view name) const
{
    auto it = m_entries.find(name);
    if (it == m_entries.end()) {
        const auto a = m_aliases.find(name);
        if (a == m_aliases.end()) return nullptr;
        it = m_entries.find(a->second);
    }
    return it == m_entries.end() ? nullptr : it->second;
}

ComponentEntryPtr Registry::find(std::string_view name) const
{
    const std::lock_guard lock(m_mutex);
    return findLocked(name);
}

std::vector<ComponentEntryPtr> Registry::entries() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<ComponentEntryPtr> all;
    for (const auto& [name, entry] : m_entries) all.push_back(entry);
    return all;
}

ComponentEntryPtr Registry::defaultOf(std::string_view category) const
{
    const std::lock_guard lock(m_mutex);
    for (const auto& [name, entry] : m_entries)
        if (entry->isDefault && entry->category == category) return entry;
    return nullptr;
}

std::vector<std::string> Registry::names() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> out;
    for (const auto& [n, e] : m_entries) out.push_back(n);
    for (const auto& [a, n] : m_aliases) out.push_back(a);
    return out;
}

void Registry::reject(std::string text)
{
    MessageLog::emit(Severity::Error, text);
    const std::lock_guard lock(m_mutex);
    m_conflicts.push_back(std::move(text));
}

std::vector<std::string> Registry::conflicts() const
{
    const std::lock_guard lock(m_mutex);
    return m_conflicts;
}

bool Registry::add(ComponentEntry entry)
{
    // Registration runs while libraries are loaded, where an exception would end the program: what is wrong is told.
    const std::string name = entry.name, &second = RegistrationOrigin::current();
    entry.library = second;
    ComponentEntryPtr first;
    {
        const std::lock_guard lock(m_mutex);
        const auto [it, isNew] = m_entries.try_emplace(name);
        if (isNew) {
            it->second = std::make_shared<ComponentEntry>(std::move(entry));
            m_aliases.erase(name);
            return true;
        }
        first = it->second;
    }
    reject("component '" + name + "' is registered twice: by " + libraryOf(*first) +
           (second.empty() ? " and once more" : " and by " + second) + "; the first one is kept");
    return false;
}

namespace {

/// Points to an entry that the registry has.
ComponentEntryPtr unowned(const ComponentEntry& e) { return {ComponentEntryPtr(), &e}; }

}  // namespace

void Registry::changeLocked(const std::string& name, const std::function<void(ComponentEntry&)>& change)
{
    const auto it = m_entries.find(name);
    if (it == m_entries.end()) return;
    // Who holds the entry keeps it as it is. While libraries are loaded nobody does: it is edited in place.
    const bool alone = it->second.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire);
    std::vector<const std::type_info*> before;  // of the creators that were looked up by earlier changes
    if (alone)
        for (const ComponentCreator& c : it->second->creators) before.push_back(c.type);
    const auto entry =
        alone ? std::const_pointer_cast<ComponentEntry>(it->second) : std::make_shared<ComponentEntry>(*it->second);
    change(*entry);
    if (!alone) {
        for (auto& [type, known] : m_byType)
            if (known == it->second) known = unowned(*entry);
        it->second = entry;
    }
    // Of several names of a class the first is its own.
    for (std::size_t k = 0; k < entry->creators.size(); ++k) {
        const std::type_info* type = entry->creators[k].type;
        if (type && (k >= before.size() || type != before[k])) m_byType.emplace(*type, unowned(*entry));
    }
}

void Registry::change(const std::string& name, const std::function<void(ComponentEntry&)>& change)
{
    const std::lock_guard lock(m_mutex);
    changeLocked(name, change);
}

void Registry::addAlias(const std::string& alias, const std::string& name)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto it = m_aliases.find(alias);
        if (it != m_aliases.end() && it->second == name) return;
        if (it == m_aliases.end() && !m_entries.contains(alias) && m_entries.contains(name)) {
            m_aliases[alias] = name;
            return changeLocked(name, [&](ComponentEntry& e) { e.aliases.push_back(alias); });
        }
    }
    reject("alias '" + alias + "' of component '" + name + "' is taken");
}

bool Registry::setBase(const std::string& name, const std::string& base)
{
    const Classes known = classes();
    if (find(base) || known.contains(base)) {
        change(name, [&](ComponentEntry& e) { e.base = base; });
        return true;
    }
    std::vector<std::string> candidates = names();
    for (const auto& [n, bases] : known) candidates.push_back(n);
    reject("component '" + name + "' extends '" + base + "', which is no class" + didYouMean(base, candidates));
    remove(name);
    return false;
}

void Registry::remove(std::string_view name)
{
    const std::lock_guard lock(m_mutex);
    const auto it = m_entries.find(name);
    if (it == m_entries.end()) return;
    for (const auto& a : it->second->aliases) m_aliases.erase(a);
    std::erase_if(m_byType, [&](const auto& p) { return p.second == it->second; });
    m_entries.erase(it);
}

ComponentEntryPtr Registry::entryOf(const Component& c) const
{
    if (c.m_entry) return c.m_entry;
    const std::lock_guard lock(m_mutex);
    const auto it = m_byType.find(typeid(c));
    return it == m_byType.end() ? nullptr : findLocked(it->second->name);
}

const std::string& Registry::nameOf(const Component& c) const
{
    if (c.m_entry) return c.m_entry->name;
    const ComponentEntryPtr e = entryOf(c);
    return lasting(e ? e->name : std::string());
}

std::string Registry::templateOf(const Component& c) const
{
    const ComponentEntryPtr e = entryOf(c);
    if (!e) return {};
    if (c.m_entry) return e->creators[c.m_creator].templ;
    const auto it = std::find_if(e->creators.begin(), e->creators.end(),
                                 [&](const auto& k) { return k.type && *k.type == typeid(c); });
    return it == e->creators.end() ? std::string() : it->templ;
}

std::shared_ptr<Component> Registry::make(const ComponentEntryPtr& entry, std::size_t creator)
{
    auto c = entry->creators[creator].create();
    if (!c) throw CreationError("cannot create " + entry->name + ": its function made nothing");
    c->m_entry = entry;
    c->m_creator = static_cast<unsigned>(creator);
    return c;
}

// --- Class hierarchy -----------------------------------------------------------------------------------------------

Registry::Classes Registry::classes() const
{
    Classes known;
    std::vector<const std::type_info*> queue;
    const auto all = entries();
    for (const ComponentEntryPtr& e : all)
        for (const ComponentCreator& c : e->creators)
            if (c.type) queue.push_back(c.type);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const auto [it, isNew] = known.try_emplace(shortClassName(*queue[k]));
        if (!isNew) continue;
        for (const std::type_info* b : directBases(*queue[k])) {
            it->second.push_back(shortClassName(*b));
            queue.push_back(b);
        }
    }
    // What is registered may have another name than its class, or none.
    for (const ComponentEntryPtr& e : all) {
        const std::type_info* type = e->creators.empty() ? nullptr : e->creators.front().type;
        const std::string base = !e->base.empty() ? e->base : type ? shortClassName(*type) : "Component";
        // The name of a component can be that of a class from which it and others derive, whose bases stay.
        if (base == e->name || known.contains(e->name)) continue;
        if (e->base.empty() && type)
            known[e->name] = known[base];
        else
            known[e->name] = {base};
    }
    return known;
}

std::vector<std::string> Registry::basesOf(std::string_view name, const Classes& known) const
{
    std::vector<std::string> bases;
    const auto add = [&](std::string_view n) {
        const ComponentEntryPtr e = find(n);
        const auto it = known.find(e ? std::string_view(e->name) : n);
        if (it == known.end()) return false;
        for (const std::string& b : it->second)
            if (std::find(bases.begin(), bases.end(), b) == bases.end()) bases.push_back(b);
        return true;
    };
    if (!add(name)) {
        std::vector<std::string> candidates = names();
        for (const auto& [n, b] : known) candidates.push_back(n);
        throw std::runtime_error("there is no class '" + std::string(name) + "'" + didYouMean(name, candidates));
    }
    for (std::size_t k = 0; k < bases.size(); ++k) add(std::string(bases[k]));
    return bases;
}

std::vector<std::string> Registry::basesOf(std::string_view name) const { return basesOf(name, classes()); }

bool Registry::derives(std::string_view name, std::string_view base) const
{
    const std::vector<std::string> bases = basesOf(name);
    return name == base || std::find(bases.begin(), bases.end(), base) != bases.end();
}

std::vector<std::string> Registry::derivedFrom(std::string_view base) const
{
    const Classes known = classes();
    std::vector<std::string> out;
    for (const ComponentEntryPtr& e : entries()) {
        const std::vector<std::string> bases = basesOf(e->name, known);
        if (std::find(bases.begin(), bases.end(), base) != bases.end()) out.push_back(e->name);
    }
    return out;
}

// --- Registration --------------------------------------------------------------------------------------------------

RegisterComponent::RegisterComponent(std::string name, std::string category, std::string module)
    : m_name(std::move(name))
{
    ComponentEntry entry;
    entry.name = m_name;
    entry.category = std::move(category);
    entry.module = std::move(module);
    m_accepted = Registry::instance().add(std::move(entry));
}

RegisterComponent& RegisterComponent::add(ComponentCreator creator)
{
    return change([&](ComponentEntry& e) { e.creators.push_back(std::move(creator)); });
}

// --- Creation ------------------------------------------------------------------------------------------------------

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
        {"Vec1d", "Vec1"},
        {"Vec1f", "Vec1"},
        {"Vec2d", "Vec2"},
        {"Vec2f", "Vec2"},
        {"Vec3d", "Vec3"},
        {"Vec3f", "Vec3"},
        {"Vec6d", "Vec6"},
        {"Vec6f", "Vec6"},
        {"ExtVec3d", "Vec3"},
        {"ExtVec3f", "Vec3"},
        {"ExtVec3", "Vec3"},
        {"ExtVec2f", "Vec2"},
        {"Rigid", "Rigid3"},
        {"Rigid3d", "Rigid3"},
        {"Rigid3f", "Rigid3"},
        {"Rigidd", "Rigid3"},
        {"Rigidf", "Rigid3"},
        {"Rigid2d", "Rigid2"},
        {"Rigid2f", "Rigid2"},
        // Entries of lists, as SOFA writes them in full or short.
        {"d", "double"},
        {"i", "int"},
        {"I", "unsigned"},
        {"unsignedint", "unsigned"},
        {"uint", "unsigned"},
        {"Index", "unsigned"},
        {"B", "unsignedchar"},
        {"H", "unsignedshort"},
        {"Vec4d", "Vec4"},
        {"RigidCoord2d", "RigidCoord2"},
        {"RigidCoord3d", "RigidCoord3"},
        {"RigidDeriv2d", "Vec3"},
        {"RigidDeriv3d", "Vec6"},
        {"Mat4x4d", "Mat4x4"},
        {"Vec2I", "Edge"},
    };
    static const std::map<std::string, std::string, std::less<>> arrays = {{"unsigned,2", "Edge"},
                                                                           {"unsigned,3", "Triangle"},
                                                                           {"unsigned,4", "Tetrahedron"},
                                                                           {"unsigned,8", "Hexahedron"},
                                                                           {"Quad", "Tetrahedron"}};
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
    const auto array = arrays.find(out);
    return array == arrays.end() ? out : array->second;
}

std::shared_ptr<Component> Registry::create(const Node* node, const ComponentDescription& desc) const
{
    const ComponentEntryPtr e = find(desc.type);
    if (!e) throw CreationError("unknown component '" + desc.type + "'" + didYouMean(desc.type, names()) + ofPlugins());
    if (e->creators.empty())
        throw CreationError("component " + e->name + " is registered without a class or function that makes it");
    const bool templated = e->creators.size() > 1 || !e->creators.front().templ.empty();
    std::string wanted = templated ? canonicalTemplate(desc.templ) : std::string();
    // The first of several types stands for all where it leaves no choice: "Vec3" of "Vec3,Vec1".
    const auto begins = [&](const ComponentCreator& c) { return c.templ.starts_with(wanted + ','); };
    if (!wanted.empty() && std::ranges::none_of(e->creators, [&](const auto& c) { return c.templ == wanted; }) &&
        std::ranges::count_if(e->creators, begins) == 1)
        wanted = std::ranges::find_if(e->creators, begins)->templ;
    std::string why;
    if (!wanted.empty()) {
        std::vector<std::string> have;
        std::string list;
        for (std::size_t k = 0; k < e->creators.size(); ++k) {
            const ComponentCreator& c = e->creators[k];
            have.push_back(c.templ);
            list += (list.empty() ? "" : ", ") + c.templ;
            if (c.templ != wanted) continue;
            if (c.fits(node, desc, why)) return make(e, k);
            throw CreationError("cannot create " + e->name + " with template '" + desc.templ + "': " + why);
        }
        throw CreationError("component " + e->name + " has no template '" + desc.templ + "'" +
                            didYouMean(wanted, have) + "; its templates are: " + list);
    }
    std::string reasons;
    for (std::size_t k = 0; k < e->creators.size(); ++k) {
        why.clear();
        if (e->creators[k].fits(node, desc, why)) return make(e, k);
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

// A component has the names under which its class was registered.
std::string Component::className() const { return Registry::instance().nameOf(*this); }
std::string Component::templateName() const { return Registry::instance().templateOf(*this); }

}  // namespace sofa::core
