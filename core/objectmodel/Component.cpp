// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Component.h"

#include <algorithm>

#include "core/log/Reason.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

void Component::dataChanged(const BaseData& d)
{
    if (m_node && &d == &d_name) m_node->m_componentNames.forget();
    if (m_node && (&d == &d_listening || &d == &d_tags)) m_node->touch();
}

std::string Component::pathName() const
{
    std::string p = m_node ? m_node->pathName() : std::string();
    if (p.empty() || p.back() != '/') p += '/';
    return p + name();
}

Compatibility Component::compatibility() const { return m_node ? m_node->compatibility() : Compatibility::Exact; }

double Component::readAttribute(std::string_view text) const
{
    double v = 0.;
    std::string error;
    if (!parseText(text, v, error)) throw std::runtime_error(error);
    return compatibility() == Compatibility::Sofa ? static_cast<double>(static_cast<float>(v)) : v;
}

void Component::initialise(void (Component::*function)())
{
    std::vector<BeforeInit> before;
    for (BaseData* d : data()) {
        const bool follows = d->parent() != nullptr;
        if (!follows && !d->inputs().empty()) continue;  // an engine makes it
        const bool always = hasStateVectors() && d->isList();
        std::string path = d->linkPath();
        if (follows && path.empty()) path = '@' + d->parent()->ddgName();
        before.push_back(
            {d, follows ? nullptr : d->shareValue(), std::move(path), d->changeCount(), d->isSet(), always});
    }
    try {
        (this->*function)();
    } catch (...) {
        rememberBefore(std::move(before));
        throw;
    }
    rememberBefore(std::move(before));
}

void Component::rememberBefore(std::vector<BeforeInit> before)
{
    for (BeforeInit& b : before) {
        const bool changed = b.data->changeCount() != b.changes;
        const bool unlinked = !b.value && !b.data->parent();
        if (!changed && !unlinked && !(b.always && (!b.value || b.isSet))) continue;
        b.changes = b.data->changeCount();
        const auto known = std::ranges::find(m_beforeInit, b.data, &BeforeInit::data);
        if (known == m_beforeInit.end())
            m_beforeInit.push_back(std::move(b));
        else
            known->changes = b.changes;
    }
}

void Component::undoInit()
{
    for (const BeforeInit& b : m_beforeInit) {
        if (!b.always && b.data->changeCount() != b.changes) continue;
        if (b.value) {
            b.data->unlink();
            if (b.data->inputs().empty())
                b.data->restoreValue(b.value, b.isSet);
            else
                b.data->setDirty();  // it is computed now
        } else if (b.data->parent()) {
            b.data->setDirty();
        } else {
            b.data->setLinkPath(b.path);  // bound again with all other links
        }
    }
    m_beforeInit.clear();
}

void Component::setValid(bool on)
{
    if (m_valid == on) return;
    m_valid = on;
    tell(SceneChange::Kind::Message);
}

void Component::fail(const std::exception& e) { fail(reasonOf(e)); }

void Component::fail(std::string text)
{
    m_valid = false;
    message(Severity::Error, std::move(text));
}

bool Component::tolerate(std::string text, std::string_view instead)
{
    if (m_node && m_node->isLenient()) {
        message(Severity::Warning, std::move(text) + "; " + std::string(instead));
        return true;
    }
    fail(std::move(text));
    return false;
}

}  // namespace sofa::core
