// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Component.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

std::string Component::className() const { return Registry::instance().nameOf(*this); }

std::string Component::templateName() const
{
    return m_templateName.empty() ? Registry::instance().templateOf(*this) : m_templateName;
}

void Component::dataChanged(const BaseData& d)
{
    if (m_node && &d == &d_name) m_node->m_componentNames.forget();
    if (m_node && &d == &d_listening) m_node->touch();
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
