// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Data.h"
#include "core/log/Reason.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

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

std::string Range::outside(double v) const { return "expected values " + str() + ", found " + toText(v); }

namespace {

/// Guards what Data of one description share.
std::mutex& descriptions()
{
    static auto& mutex = *new std::mutex;
    return mutex;
}

}  // namespace

const BaseData::Description& BaseData::describe(const DataInfo& info, const std::type_info& type)
{
    // Strings that are literals are the same if they are at the same place.
    struct Hash
    {
        std::size_t operator()(const Description& d) const
        {
            return std::hash<std::string_view>()(d.name) ^ std::hash<const void*>()(d.help.data());
        }
    };
    struct Equal
    {
        static bool same(std::string_view a, std::string_view b)
        {
            return a.data() == b.data() && a.size() == b.size();
        }
        bool operator()(const Description& a, const Description& b) const
        {
            return a.name == b.name && same(a.help, b.help) && same(a.unit, b.unit) && same(a.group, b.group) &&
                   a.range == b.range && a.type == b.type;
        }
    };
    static auto& known = *new std::unordered_set<Description, Hash, Equal>;  // Data of static objects may outlive it
    Description d{std::string(info.name), info.help, info.unit, info.group, info.range, type, {}};
    const std::scoped_lock lock(descriptions());
    return *known.insert(std::move(d)).first;
}

std::shared_ptr<void> BaseData::sharedDefault(std::shared_ptr<void> own, IsEqual isEqual) const
{
    const std::scoped_lock lock(descriptions());
    std::shared_ptr<void>& shared = m_description.value;
    if (!shared) shared = own;
    return isEqual(shared.get(), own.get()) ? shared : own;
}

BaseData::BaseData(Base* owner, const DataInfo& info, const std::type_info& type)
    : m_required(info.required),
      m_readOnly(info.readOnly),
      m_displayed(info.displayed),
      m_saved(info.saved),
      m_owner(owner),
      m_description(describe(info, type))
{
    if (owner) owner->addData(*this);
}

BaseData::~BaseData()
{
    for (DdgNode* o : outputs())
        if (auto* d = dynamic_cast<BaseData*>(o); d && d->parent() == this) d->m_source->parent = nullptr;
}

BaseData::Source& BaseData::source()
{
    if (!m_source) m_source = std::make_unique<Source>();
    return *m_source;
}

const std::string& BaseData::linkPath() const
{
    static const std::string none;
    return m_source ? m_source->path : none;
}

void BaseData::tellOwner()
{
    if (!m_owner) return;
    m_owner->dataChanged(*this);
    m_owner->tell(this == &m_owner->d_name ? SceneChange::Kind::Renamed : SceneChange::Kind::Value, this);
}

std::string BaseData::ddgName() const { return (m_owner ? m_owner->pathName() : std::string()) + '.' + name(); }

void BaseData::linkTo(BaseData& parent)
{
    unlink();
    addDependency(parent);
    source().parent = &parent;
    // Not before somebody reads it if the parent waits for an engine, which may lack its own inputs as yet.
    if (!parent.isDirty())
        pull();
    else
        m_isSet = true;
    if (isWatched() && m_owner) m_owner->tell(SceneChange::Kind::Link, this);
}

void BaseData::unlink()
{
    if (!parent()) return;
    keepValue();
    removeDependency(*parent());
    m_source.reset();
}

void BaseData::keepValue()
{
    try {
        updateIfDirty();
    } catch (const std::exception&) {
        // What the link led to cannot tell its value any more.
        clearDirty();
    }
    own();
}

void BaseData::leaveFollowers()
{
    for (DdgNode* o : outputs())
        if (auto* d = dynamic_cast<BaseData*>(o); d && d->parent() == this) d->own();
}

void BaseData::reportRefusal(const std::string& error) const
{
    const std::string text = "attribute '" + name() + "': " + error + "; it keeps the value that it had";
    if (m_owner)
        m_owner->message(Severity::Error, text, location);
    else
        MessageLog::emit(Severity::Error, text, location);
}

void BaseData::refuse(const std::string& error) const { throw RangeError(ddgName() + ": " + error); }

void BaseData::lose(DdgNode& input)
{
    if (&input != parent()) return removeDependency(input);
    if (m_source->path.empty()) m_source->path = '@' + m_source->parent->ddgName();
    keepValue();
    removeDependency(input);
    m_source->parent = nullptr;
}

void BaseData::pull()
{
    clearDirty();
    if (!copyFrom(*parent())) convert(*parent());
    ++m_counter;
    m_isSet = true;
    setOutputsDirty();
}

namespace {

/// Whether a value is a plain number or a flat list of them: no vector, not even of one number.
bool isFlat(const BaseData& d, const NumberForm& f)
{
    return f.count == 1 && !dynamic_cast<const Data<Vector<Vec<1>>>*>(&d) && !dynamic_cast<const Data<Vec<1>>*>(&d);
}

}  // namespace

void BaseData::convert(BaseData& parent)
{
    std::string error;
    if (convertEntries(parent, error)) return;
    if (error.empty()) {
        const std::string t = parent.text();
        const NumberForm from = parent.numberForm(), to = numberForm();
        // A flat list is cut into the entries of another one, if it holds whole ones.
        std::size_t n = 0;
        if (isFlat(parent, from) && to.list && to.count > 1) {
            TextCursor c(t);
            for (; !c.atEnd(); ++n) c.token();
        }
        if (n % std::max<std::size_t>(to.count, 1) != 0)
            error = std::to_string(n) + " numbers are no whole entries of " + std::to_string(to.count);
        else if ((t.empty() && !to.list) || read(t, error))
            return;
    }
    throw std::runtime_error("cannot convert " + parent.ddgName() + " (" + parent.typeName() + ") to " + ddgName() +
                             " (" + typeName() + "): " + error);
}

/// Converts entries of other sizes than ours one by one. False if that is not how these types are converted, or, with
/// `error`, if it makes no sense.
bool BaseData::convertEntries(const BaseData& parent, std::string& error)
{
    const NumberForm from = parent.numberForm(), to = numberForm();
    if (from.count == to.count || from.count == 0 || to.count == 0) return false;
    if (isFlat(parent, from) || isFlat(*this, to)) return false;
    const NumberArray all = parent.numbers();
    if (!to.list && all.shape[0] * all.shape[1] == to.count) return false;  // all of a list: two corners are a box
    const std::size_t used = std::min(from.count, to.count);
    if (!from.real || !to.real || used > from.divisible || used > to.divisible) {
        error = "entries of " + std::to_string(from.count) + " numbers are none of " + std::to_string(to.count);
        return false;
    }
    if (all.shape[0] == 0 && !to.list) return true;  // there is nothing to take
    for (std::size_t i = 0; i < all.shape[0]; ++i)
        for (std::size_t k = 0; k < used; ++k)
            if (!range().admits(all.at(i, k), error)) return false;
    const NumberArray mine = blankNumbers(all.shape[0]);
    for (std::size_t i = 0; i < mine.shape[0]; ++i)
        for (std::size_t k = 0; k < used; ++k) mine.set(i, k, all.at(i, k));
    return true;
}

void BaseData::update()
{
    if (!parent()) return;  // the output of an engine, which has written it
    try {
        pull();
    } catch (const std::exception& e) {
        if (m_owner) m_owner->message(Severity::Error, "attribute '" + name() + "': " + reasonOf(e), location);
        throw DataError(reasonOf(e) + (location.known() ? " (" + location.str() + ")" : std::string()));
    }
}

bool BaseData::toOwnUnit(std::string_view text, std::string& converted, bool scalable, std::string& error) const
{
    if (unit().empty() || !mayContainUnits(text)) return true;
    if (!convertUnits(text, unit(), converted, error)) return false;
    if (converted == text) {
        converted.clear();
    } else if (!scalable) {
        error =
            "expected numbers without unit: a value of type " + typeName() + " holds more than one kind of quantity";
        return false;
    }
    return true;
}

}  // namespace sofa::core
