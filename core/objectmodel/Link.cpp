// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Link.h"

#include "core/objectmodel/Node.h"
#include "core/objectmodel/Path.h"

namespace sofa::core {

void BaseLink::setPath(std::string p, SourceLocation where)
{
    clearTargets();
    m_resolved = false;
    m_path = std::move(p);
    m_lost.clear();
    m_given = true;
    location = std::move(where);
}

std::string BaseLink::text() const
{
    if (!m_path.empty()) return m_path;
    std::string s;
    for (Base* b : targets()) {
        if (!s.empty()) s += ' ';
        s += '@' + b->pathName();
    }
    return s;
}

void BaseLink::targetGone(const Base& object)
{
    if ((m_given || isSet()) && object.id() != 0) m_lost.push_back(object.id());
    if (isSet()) m_resolved = false;
}

std::vector<std::string> BaseLink::paths() const
{
    if (!isMultiple()) return {m_path};
    std::vector<std::string> all;
    TextCursor c(m_path);
    while (!c.atEnd()) all.emplace_back(c.token());
    return all;
}

bool BaseLink::resolve(std::string& error)
{
    if (!isSet() || m_resolved) return true;
    clearTargets();
    for (const std::string& path : paths()) {
        Base* target = find(path, error);
        if (!target || !addTarget(*target)) return false;
    }
    m_resolved = true;
    return true;
}

bool BaseLink::renew(std::string& error)
{
    if (!isSet()) {
        if (!m_given) clearTargets();
        for (const ObjectId id : std::exchange(m_lost, {})) {
            Base* back = m_owner->linkContext() ? m_owner->linkContext()->root().findById(id) : nullptr;
            if (back && addTarget(*back)) continue;
            m_lost.push_back(id);
            error = "the object that it was given is not in the scene any more";
        }
        return m_lost.empty();
    }
    // While an object was away, its path may have led to another one of the name.
    const auto isBack = [this](ObjectId id) {
        return m_owner->linkContext() && m_owner->linkContext()->root().findById(id) != nullptr;
    };
    if (std::ranges::any_of(m_lost, isBack)) {
        m_lost.clear();
        m_resolved = false;
    }
    if (!m_resolved) return resolve(error);
    // Targets may have got other names and places.
    const std::vector<Base*> objects = targets();
    if (objects.size() != paths().size()) return true;  // a program added some
    std::string now;
    std::size_t i = 0;
    for (const std::string& path : paths()) {
        std::string ignored;
        Base& target = *objects[i++];
        const bool same = !target.linkContext() || find(path, ignored) == &target;
        now += (now.empty() ? "" : " ") + (same ? path : '@' + target.pathName());
    }
    m_path = std::move(now);
    return true;
}

}  // namespace sofa::core
