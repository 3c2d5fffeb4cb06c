// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Base.h"
#include "core/log/Reason.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/objectmodel/Link.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/Path.h"
#include "core/objectmodel/Quantity.h"

namespace sofa::core {

const Attribute* ComponentDescription::find(std::string_view name) const
{
    const auto it = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == name; });
    return it == attributes.end() ? nullptr : &*it;
}

Attribute* ComponentDescription::find(std::string_view name)
{
    return const_cast<Attribute*>(std::as_const(*this).find(name));
}

std::string ComponentDescription::get(std::string_view name, std::string fallback) const
{
    const Attribute* a = find(name);
    return a ? a->value : fallback;
}

void ComponentDescription::set(std::string name, std::string value, SourceLocation at)
{
    if (Attribute* a = find(name)) {
        a->value = std::move(value);
        if (at.known()) a->where = std::move(at);
    } else {
        attributes.push_back({std::move(name), std::move(value), std::move(at), false});
    }
}

std::uint64_t Base::nextSerial()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

const Base::OtherNames& Base::noOtherNames()
{
    static const auto& none = *new OtherNames;  // objects that are static may outlive it
    return none;
}

Base::Base() : m_otherNames(&noOtherNames()), m_serial(nextSerial())
{
    for (BaseData* d :
         {static_cast<BaseData*>(&d_name), static_cast<BaseData*>(&d_tags), static_cast<BaseData*>(&d_listening)})
        d->setWatched(true);
}

Base::~Base()
{
    while (m_references) {
        Reference& r = *m_references;
        r.refer(nullptr);
        r.objectGone(*this);
    }
}

void Base::tell(SceneChange::Kind kind, const BaseData* data) const
{
    Node* n = linkContext();
    if (n) n->root().tell(SceneChange{kind, const_cast<Base&>(*this), nullptr, data});
}

void Base::addData(BaseData& d) { m_data.push_back(&d); }
void Base::removeData(BaseData& d) { std::erase(m_data, &d); }
void Base::addLink(BaseLink& l) { m_links.push_back(&l); }

BaseData* Base::findData(std::string_view name) const
{
    const auto alias = m_otherNames->aliases.find(name);
    if (alias != m_otherNames->aliases.end()) name = alias->second;
    const auto it = std::find_if(m_data.begin(), m_data.end(), [&](const BaseData* d) { return d->name() == name; });
    return it == m_data.end() ? nullptr : *it;
}

BaseData* Base::findReadable(std::string_view name)
{
    if (BaseData* d = findData(name)) return d;
    for (const auto& q : quantitiesOf(*this)) {
        if (q->name != name) continue;
        m_quantities.push_back(q->make(*this));
        return m_quantities.back().get();
    }
    return nullptr;
}

std::vector<std::string> Base::readableNames() const
{
    std::vector<std::string> names;
    for (const BaseData* d : m_data) names.push_back(d->name());
    for (const auto& q : quantitiesOf(*this)) names.push_back(q->name);
    return names;
}

BaseLink* Base::findLink(std::string_view name) const
{
    const auto alias = m_otherNames->aliases.find(name);
    if (alias != m_otherNames->aliases.end()) name = alias->second;
    const auto it = std::find_if(m_links.begin(), m_links.end(), [&](const BaseLink* l) { return l->name() == name; });
    return it == m_links.end() ? nullptr : *it;
}

/// Kinds of other names.
namespace {

constexpr const char* aliasName = "alias";
constexpr const char* declaredName = "declared";
constexpr const char* ignoredName = "ignored";

}  // namespace

void Base::addOtherName(const char* kind, std::string name, std::string meaning)
{
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    const OtherNames& before = *m_otherNames;
    std::unique_ptr<OtherNames>& after = before.more[{kind, name, meaning}];
    if (!after) {
        after = std::make_unique<OtherNames>();
        after->aliases = before.aliases;
        after->extra = before.extra;
        if (kind == aliasName)
            after->aliases.emplace(std::move(name), std::move(meaning));
        else
            after->extra.insert_or_assign(std::move(name), ExtraAttribute{std::move(meaning), kind == ignoredName});
    }
    m_otherNames = after.get();
}

void Base::addAlias(const BaseData& d, std::string alias) { addOtherName(aliasName, std::move(alias), d.name()); }
void Base::addAlias(const BaseLink& l, std::string alias)
{
    addOtherName(aliasName, std::move(alias), std::string(l.name()));
}

std::vector<std::string> Base::aliasesOf(std::string_view name) const
{
    std::vector<std::string> out;
    for (const auto& [alias, target] : m_otherNames->aliases)
        if (target == name) out.push_back(alias);
    return out;
}

void Base::declareAttribute(std::string name, std::string help)
{
    addOtherName(declaredName, std::move(name), std::move(help));
}

void Base::ignoreAttribute(std::string name, std::string reason)
{
    addOtherName(ignoredName, std::move(name), std::move(reason));
}

std::vector<std::string> Base::attributeNames() const
{
    std::vector<std::string> names;
    for (const BaseData* d : m_data) names.push_back(d->name());
    for (const BaseLink* l : m_links) names.emplace_back(l->name());
    for (const auto& [alias, target] : m_otherNames->aliases) names.push_back(alias);
    for (const auto& [name, e] : m_otherNames->extra) names.push_back(name);
    return names;
}

namespace {

bool isLinkText(std::string_view value)
{
    const auto first = value.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && value[first] == '@';
}

std::string trimmed(std::string_view s)
{
    const auto first = s.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(s.substr(first, s.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace

void Base::recordAttribute(const std::string& name, std::string value)
{
    const auto it = std::find_if(m_given.begin(), m_given.end(), [&](const auto& a) { return a.first == name; });
    if (it != m_given.end())
        it->second = std::move(value);
    else
        m_given.emplace_back(name, std::move(value));
}

bool Base::setAttribute(const std::string& name, const std::string& value, const SourceLocation& where)
{
    if (BaseData* d = findData(name)) {
        if (d->isReadOnly())
            message(Severity::Deprecated, "attribute '" + name + "' has no effect: the object computes it", where);
        d->location = where;
        d->unlink();
        recordAttribute(d->name(), value);
        if (isLinkText(value)) {
            d->setLinkPath(trimmed(value));
            return true;
        }
        std::string error;
        const bool good = d->read(value, error);
        if (trimmed(value).empty()) {
            // An attribute without text empties a list or a string, and otherwise counts as not given.
            if (good) d->setIsSet(false);
            return true;
        }
        if (!error.empty())
            message(good ? Severity::Warning : Severity::Error,
                    "attribute '" + name + "' (" + d->typeName() + "): " + error + ", in \"" +
                        (value.size() > 60 ? value.substr(0, 57) + "..." : value) + "\"",
                    where);
        return true;
    }
    if (BaseLink* l = findLink(name)) {
        l->setPath(trimmed(value), where);
        recordAttribute(std::string(l->name()), value);
        return true;
    }
    const auto extra = m_otherNames->extra.find(name);
    if (extra == m_otherNames->extra.end()) return false;
    if (extra->second.ignored) {
        message(Severity::Deprecated, "attribute '" + name + "' has no effect: " + extra->second.help, where);
        return true;
    }
    try {
        setDeclared(name, value);
        recordAttribute(name, value);
    } catch (const std::exception& e) {
        // SOFA leaves out such an attribute when there is text behind the number.
        const std::string reason = reasonOf(e);
        const bool surplus = reason.starts_with("expected nothing more");
        message(surplus ? Severity::Warning : Severity::Error,
                "attribute '" + name + "': " + std::string(reason) + (surplus ? "; it is left out" : ""), where);
    }
    return true;
}

bool Base::clearAttribute(const std::string& name)
{
    std::string known;
    if (BaseData* d = findData(name)) {
        known = d->name();
        d->unlink();
        d->setLinkPath({});
        d->resetToDefault();
        d->location = {};
    } else if (BaseLink* l = findLink(name)) {
        known = l->name();
        l->setPath({}, {});
    } else {
        return false;
    }
    std::erase_if(m_given, [&known](const auto& a) { return a.first == known; });
    return true;
}

void Base::setDeclared(std::string_view name, std::string_view)
{
    throw std::logic_error("no class reads the attribute '" + std::string(name) + "' that it declares");
}

void Base::parse(ComponentDescription& desc)
{
    location = desc.where;
    for (Attribute& a : desc.attributes)
        if (!a.used) a.used = setAttribute(a.name, a.value, a.where);
}

bool Base::resolveDataLinks(bool report)
{
    bool complete = true;
    for (std::size_t i = 0; i < m_data.size(); ++i) {  // a link to a quantity of the object adds one
        BaseData* const d = m_data[i];
        if (d->parent() || d->linkPath().empty()) continue;
        std::string error;
        const std::string path = d->linkPath();
        try {
            if (BaseData* target = findDataByPath(*this, path, error)) {
                if (target == d) {
                    message(Severity::Warning,
                            "attribute '" + d->name() + "': the link \"" + path + "\" leads to itself", d->location);
                    d->setLinkPath({});
                    continue;
                }
                d->linkTo(*target);
                d->setLinkPath(path);
                continue;
            }
        } catch (const std::exception& e) {
            message(Severity::Error, "attribute '" + d->name() + "': " + reasonOf(e), d->location);
            d->setLinkPath({});
            complete = false;
            continue;
        }
        complete = false;
        if (report) {
            message(Severity::Error, "attribute '" + d->name() + "': broken link \"" + path + "\": " + error,
                    d->location);
        }
    }
    return complete;
}

void Base::message(Severity s, std::string text, SourceLocation where) const
{
    if (s == Severity::Info && !d_printLog.value()) return;
    std::string sender = pathName();
    if (const std::string c = className(); !c.empty()) sender += " (" + c + ')';
    Message m{s, where.known() ? where : location, std::move(sender), std::move(text)};
    m_messages.push_back(m);
    MessageLog::emit(m);
    if (s >= Severity::Warning) tell(SceneChange::Kind::Message);
}

}  // namespace sofa::core
