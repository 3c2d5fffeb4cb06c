// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Data.h"

#include <charconv>

#include "core/objectmodel/Base.h"
#include "core/objectmodel/Units.h"

namespace sofa::core {

std::string Range::str() const
{
    if (unlimited()) return {};
    const bool hasLow = low > -std::numeric_limits<double>::max(), hasHigh = high < std::numeric_limits<double>::max();
    if (hasLow && hasHigh)
        return std::string("in ") + (lowOpen ? '(' : '[') + toText(low) + ", " + toText(high) + (highOpen ? ')' : ']');
    if (hasLow) return (lowOpen ? "> " : ">= ") + toText(low);
    return (highOpen ? "< " : "<= ") + toText(high);
}

BaseData::BaseData(Base* owner, const DataInfo& info) : m_owner(owner), m_name(info.name), m_info(info)
{
    if (owner) owner->addData(*this);
}

BaseData::~BaseData()
{
    for (DdgNode* o : std::vector<DdgNode*>(outputs()))
        if (auto* d = dynamic_cast<BaseData*>(o); d && d->m_parent == this) d->m_parent = nullptr;
}

std::string BaseData::ddgName() const { return (m_owner ? m_owner->pathName() : std::string()) + '.' + m_name; }

void BaseData::linkTo(BaseData& parent)
{
    unlink();
    addDependency(parent);
    m_parent = &parent;
    // Not before somebody reads it if the parent waits for an engine, which may lack its own inputs as yet.
    if (!parent.isDirty())
        pull();
    else
        m_isSet = true;
}

void BaseData::unlink()
{
    if (!m_parent) return;
    updateIfDirty();
    removeDependency(*m_parent);
    m_parent = nullptr;
    m_linkPath.clear();
}

void BaseData::pull()
{
    clearDirty();
    if (!copyFrom(*m_parent)) {
        std::string error;
        const std::string t = m_parent->text();
        if (!t.empty() && !read(t, error))
            throw std::runtime_error("cannot convert " + m_parent->ddgName() + " (" + m_parent->typeName() + ") to " +
                                     ddgName() + " (" + typeName() + "): " + error);
    }
    ++m_counter;
    m_isSet = true;
    setOutputsDirty();
}

void BaseData::update()
{
    if (m_parent) {
        try {
            pull();
        } catch (const std::runtime_error& e) {
            if (!m_owner) throw;
            m_owner->message(Severity::Error, "attribute '" + m_name + "': " + e.what(), location);
        }
        return;
    }
    // The output of an engine: the engine writes it.
    for (DdgNode* in : inputs()) in->updateIfDirty();
}

bool BaseData::toOwnUnit(std::string_view text, std::string& converted, bool scalable, std::string& error) const
{
    if (m_info.unit.empty() || !mayContainUnits(text)) return true;
    if (!convertUnits(text, m_info.unit, converted, error)) return false;
    if (converted == text) {
        converted.clear();
    } else if (!scalable) {
        error =
            "expected numbers without unit: a value of type " + typeName() + " holds more than one kind of quantity";
        return false;
    }
    return true;
}

bool BaseData::checkRange(std::string_view text, std::string& error) const
{
    if (m_info.range.unlimited()) return true;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        double v = 0.;
        const auto r = std::from_chars(p, end, v);
        if (r.ec != std::errc()) {
            ++p;
            continue;
        }
        if (!m_info.range.contains(v)) {
            error = "expected values " + m_info.range.str() + ", found " + std::string(p, r.ptr);
            return false;
        }
        p = r.ptr;
    }
    return true;
}

}  // namespace sofa::core
