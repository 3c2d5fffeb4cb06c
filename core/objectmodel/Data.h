// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <typeindex>

#include "core/log/Message.h"
#include "core/objectmodel/DdgNode.h"
#include "core/objectmodel/TypeName.h"

namespace sofa::core {

class Base;

/// Interval in which every number of a Data must lie; a value outside is a located error.
struct Range
{
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool lowOpen = false;
    bool highOpen = false;

    static constexpr Range any() { return {}; }
    static constexpr Range positive() { return {.low = 0., .lowOpen = true}; }
    static constexpr Range nonNegative() { return {.low = 0.}; }
    static constexpr Range closed(double a, double b) { return {.low = a, .high = b}; }
    static constexpr Range halfOpen(double a, double b) { return {.low = a, .high = b, .highOpen = true}; }
    static constexpr Range open(double a, double b) { return {.low = a, .high = b, .lowOpen = true, .highOpen = true}; }
    static constexpr Range atLeast(double a) { return {.low = a}; }

    friend bool operator==(const Range&, const Range&) = default;
    bool unlimited() const { return low == -high && low < -std::numeric_limits<double>::max(); }
    bool contains(double v) const { return (lowOpen ? v > low : v >= low) && (highOpen ? v < high : v <= high); }
    /// Whether the numbers of a value lie in it; otherwise `error` says what was expected and found.
    template <class T>
    bool admits(const T& value, std::string& error) const
    {
        return unlimited() || !anyNumber(value, [&](double v) { return !contains(v) && (error = outside(v), true); });
    }
    /// "> 0", "in [0, 0.5)", or empty.
    std::string str() const;

private:
    std::string outside(double v) const;
};

/// Thrown when code gives a Data a value outside its range.
struct RangeError : std::invalid_argument
{
    using std::invalid_argument::invalid_argument;
};

/// What is known of a Data besides its value. `name` and `help` must be given; a quantity with a dimension names its
/// SI unit, a dimensionless number has unit "1", and text, flags and indices leave it empty.
struct DataInfo
{
    std::string_view name;
    std::string_view help;
    std::string_view unit = {};
    Range range = {};
    std::string_view group = {};
    bool required = false;  ///< initialisation fails while the scene does not give it
    bool readOnly = false;  ///< computed by its component; a scene cannot set it
    bool displayed = true;  ///< shown in property editors
    bool saved = true;      ///< written by the scene writer and by checkpoints
};

template <class T>
class Data;

/// Writes a value in place. What depends on the Data is marked when the edit ends, with the life of the accessor; so is
/// the value checked against the range of the Data, and what it was before is put back, with an error of the owner, if
/// it lies outside. While several edits of a Data last none of them is checked but by its own end.
///
///     auto x = d_position.edit();
///     x[0] = {};
///     d_indices.edit()->push_back(3);
template <class T>
class WriteAccessor
{
public:
    explicit WriteAccessor(Data<T>& data) : m_data(&data) { m_value = data.beginEdit(m_before); }
    ~WriteAccessor() { m_data->endEdit(std::move(m_before)); }
    WriteAccessor(const WriteAccessor&) = delete;
    WriteAccessor& operator=(const WriteAccessor&) = delete;

    T& operator*() const { return *m_value; }
    T* operator->() const { return m_value; }
    /// Of a named accessor only: a reference into one that goes at once would write after the end.
    operator T&() const& { return *m_value; }
    operator T&() const&& = delete;
    const WriteAccessor& operator=(T v) const
    {
        *m_value = std::move(v);
        return *this;
    }
    // Of lists and vectors.
    template <class I>
    decltype(auto) operator[](const I& i) const
    {
        return (*m_value)[i];
    }
    auto begin() const { return m_value->begin(); }
    auto end() const { return m_value->end(); }
    auto size() const { return m_value->size(); }
    auto empty() const { return m_value->empty(); }
    auto data() const { return m_value->data(); }

private:
    Data<T>* m_data;
    T* m_value;
    std::shared_ptr<void> m_before;
};

/// Untyped part of Data: identity, text form, links, change tracking. A body has some hundred Data, most of which are
/// never linked, nor set: what is the same for all of a class is shared, also defaults, and what few need is kept
/// beside. What readers need comes first, so that it mostly is one line of the cache.
class BaseData : public DdgNode
{
    bool m_isSet = false, m_required, m_readOnly, m_displayed, m_saved;

protected:
    std::shared_ptr<void> m_value;
    std::size_t m_counter = 0;

public:
    /// The strings of `info` must outlive the Data (they are literals).
    BaseData(Base* owner, const DataInfo& info, const std::type_info& type);
    ~BaseData() override;

    const std::string& name() const { return m_description.name; }
    std::string_view help() const { return m_description.help; }
    std::string_view unit() const { return m_description.unit; }
    std::string_view group() const { return m_description.group; }
    const Range& range() const { return m_description.range; }
    bool isRequired() const { return m_required; }
    bool isReadOnly() const { return m_readOnly; }
    bool isDisplayed() const { return m_displayed; }
    bool isSaved() const { return m_saved; }
    void setRequired(bool on) { m_required = on; }
    void setReadOnly(bool on) { m_readOnly = on; }
    void setDisplayed(bool on) { m_displayed = on; }
    void setSaved(bool on) { m_saved = on; }
    Base* owner() const { return m_owner; }
    /// Whether the owner and the listeners of the scene hear of each change (Base::dataChanged, SceneListener).
    using DdgNode::setWatched;

    /// True once a scene, a link or code gave a value other than the default.
    bool isSet() const { return m_isSet; }
    void setIsSet(bool on) { m_isSet = on; }
    /// Grows with every change; compare it to learn whether the value changed. Brings the value up to date first.
    std::size_t counter() const
    {
        updateIfDirty();
        return m_counter;
    }

    /// The value as it is, whatever it depends on, to put it back later. It is shared: it costs nothing until it
    /// changes.
    virtual std::shared_ptr<void> shareValue() const = 0;
    virtual void restoreValue(std::shared_ptr<void> value, bool isSet) = 0;
    /// Counts changes, without bringing the value up to date.
    std::size_t changeCount() const { return m_counter; }
    bool isList() const { return numberForm().list; }

    /// The numbers of the value where they lie, up to date, for reading. They stay until the value changes.
    virtual NumberArray numbers() const = 0;
    /// Calls `f` with the numbers, for writing in place; then checks them and marks what depends on them, as edit() of
    /// a typed Data does. With `entries`, a list gets so many first. False, without a call, if the value is no array of
    /// numbers, or no list.
    bool editNumbers(const std::function<void(const NumberArray&)>& f, std::optional<std::size_t> entries = {})
    {
        return doEditNumbers(f, entries);
    }

    /// Sets the value from text. On failure the value is unchanged and `error` says what was expected and found; on
    /// success it says what of the text was passed over, or is empty. Numbers may carry units
    /// (core/objectmodel/Units.h).
    virtual bool read(std::string_view text, std::string& error) = 0;
    virtual std::string text() const = 0;
    virtual std::string defaultText() const = 0;
    virtual std::string typeName() const = 0;
    virtual void resetToDefault() = 0;
    /// Choices of an Options Data; empty for every other type.
    virtual std::vector<std::string> choices() const { return {}; }

    /// Makes this Data follow `parent`. Types may differ: entries of other sizes are converted one by one (the centres
    /// of frames become points, points become frames that are not turned), all else if the parent's text reads as this
    /// type. Throws CycleError, or std::runtime_error if the present value of the parent cannot be converted.
    void linkTo(BaseData& parent);
    void unlink();
    /// Keeps the present value; the link is bound again when its path leads to a Data (Base::resolveDataLinks).
    void lose(DdgNode& input) override;
    BaseData* parent() const { return m_source ? m_source->parent : nullptr; }
    /// The "@..." text of the link as the scene wrote it; empty when there is none.
    const std::string& linkPath() const;
    void setLinkPath(std::string path) { source().path = std::move(path); }

    SourceLocation location;  ///< where the scene sets it

    std::string ddgName() const override;
    const Base* ddgOwner() const override { return m_owner; }

protected:
    virtual bool doEditNumbers(const std::function<void(const NumberArray&)>& f,
                               std::optional<std::size_t> entries) = 0;
    void update() override;
    void changed()
    {
        ++m_counter;
        m_isSet = true;
        if (!outputs().empty()) setOutputsDirty();
        if (isWatched()) tellOwner();
    }
    /// Takes over the parent's value; false if its type differs (then it is converted).
    virtual bool copyFrom(const BaseData& parent) = 0;
    virtual NumberForm numberForm() const = 0;
    /// Sets the value to its default, or a list to so many entries, without telling anybody, and returns its numbers.
    virtual NumberArray blankNumbers(std::size_t entries) = 0;
    /// Makes a value that is seen through a link the Data's own, before the other Data changes or goes.
    virtual void own() = 0;
    /// What follows this Data keeps the value.
    void leaveFollowers();
    void reportRefusal(const std::string& error) const;
    [[noreturn]] void refuse(const std::string& error) const;
    /// Converts numbers with units ("3 kPa") to the unit of this Data; `converted` stays empty where there are none.
    /// `scalable`: all numbers of a value are of one dimension. False, with the reason, if a unit does not fit.
    bool toOwnUnit(std::string_view text, std::string& converted, bool scalable, std::string& error) const;

    /// The default that Data of this description and type share if it equals this one, which is returned else.
    using IsEqual = bool (*)(const void* one, const void* other);
    std::shared_ptr<void> sharedDefault(std::shared_ptr<void> own, IsEqual isEqual) const;

private:
    /// Brings the value up to date if that is possible, and makes it the Data's own.
    void keepValue();
    void becameDirty() override { tellOwner(); }
    void tellOwner();

    void pull();
    void convert(BaseData& parent);
    bool convertEntries(const BaseData& parent, std::string& error);

    /// What Data of the same class share.
    struct Description
    {
        std::string name;
        std::string_view help, unit, group;
        Range range;
        std::type_index type;
        mutable std::shared_ptr<void> value;  ///< the first default
    };
    struct Source
    {
        BaseData* parent = nullptr;
        std::string path;
    };
    static const Description& describe(const DataInfo& info, const std::type_info& type);
    Source& source();

    Base* m_owner;
    const Description& m_description;
    std::unique_ptr<Source> m_source;  ///< that of the value, if it has one
    friend class Base;
};

/// A typed parameter or result of a component, visible to scenes, links, engines and editors.
///
///     Data<double> d_mass{this, {.name = "totalMass", .help = "Mass of the body", .unit = "kg",
///                                .range = Range::positive()}, 1.0};
///
/// A Data that follows one of the same type sees the value of that: a link to a large array costs nothing.
template <class T>
class Data : public BaseData
{
public:
    using value_type = T;

    Data(Base* owner, const DataInfo& info, T defaultValue = T())
        : BaseData(owner, info, typeid(T)), m_default(share(std::make_shared<T>(std::move(defaultValue))))
    {
        m_value = m_default;
    }
    ~Data() override { leaveFollowers(); }

    /// The value, brought up to date. Throws DataError if it cannot be computed.
    const T& value() const
    {
        updateIfDirty();
        return stored();
    }
    const T& operator*() const { return value(); }
    const T* operator->() const { return &value(); }

    /// Throws RangeError, and keeps its value, if `v` lies outside the range.
    void setValue(T v)
    {
        std::string error;
        if (!range().admits(v, error)) refuse(error);
        m_value = std::make_shared<T>(std::move(v));
        clearDirty();
        changed();
    }
    /// The value for writing in place.
    WriteAccessor<T> edit() { return WriteAccessor<T>(*this); }
    const T& defaultValue() const { return *m_default; }
    /// Replaces the default, and the value too if nobody set it.
    void setDefault(T v)
    {
        m_default = std::make_shared<T>(std::move(v));
        if (!isSet()) {
            m_value = m_default;
            ++m_counter;
            setOutputsDirty();
        }
    }

    NumberArray numbers() const override { return numbersIn(const_cast<T&>(value())); }
    bool doEditNumbers(const std::function<void(const NumberArray&)>& f, std::optional<std::size_t> entries) override
    {
        if constexpr (!IsNumberArray<T>::value) {
            return false;
        } else {
            if (entries && !IsList<T>::value) return false;
            auto v = edit();
            if constexpr (IsList<T>::value)
                if (entries) v->resize(*entries);
            f(numbersIn(*v));
            return true;
        }
    }

    bool read(std::string_view text, std::string& error) override
    {
        T v = *m_default;  // a starting value matters for Options
        bool good = parseLeniently(text, v, error);
        if constexpr (HoldsReals<T>::value) {
            // Only a text that is not just numbers may have units in it.
            if (!good || !error.empty()) {
                std::string converted, why;
                if (!toOwnUnit(text, converted, HoldsReals<T>::scalable, why)) {
                    error = why;
                    return false;
                }
                if (!converted.empty()) {
                    v = *m_default;
                    good = parseLeniently(converted, v, error);
                }
            }
        }
        if (!good || !range().admits(v, error)) return false;
        m_value = std::make_shared<T>(std::move(v));
        clearDirty();
        changed();
        return true;
    }
    std::string text() const override { return toText(value()); }
    std::string defaultText() const override { return toText(*m_default); }
    std::string typeName() const override { return TypeName<T>::get(); }
    std::shared_ptr<void> shareValue() const override { return isOwn() ? m_value : parent()->shareValue(); }
    void restoreValue(std::shared_ptr<void> value, bool isSet) override
    {
        m_value = std::move(value);
        clearDirty();
        changed();
        setIsSet(isSet);
    }
    void resetToDefault() override
    {
        m_value = m_default;
        changed();
        setIsSet(false);
    }
    std::vector<std::string> choices() const override
    {
        if constexpr (std::is_same_v<T, Options>)
            return m_default->names();
        else
            return {};
    }

protected:
    bool copyFrom(const BaseData& parent) override
    {
        const auto* p = dynamic_cast<const Data<T>*>(&parent);
        if (!p) return false;
        std::string error;
        if (!range().admits(p->value(), error)) refuse(error);
        // Seen, not shared: the other goes on writing in place.
        m_value = std::shared_ptr<void>(std::shared_ptr<void>(), p->m_value.get());
        return true;
    }
    NumberForm numberForm() const override { return FormOf<T>::form; }
    NumberArray blankNumbers(std::size_t entries) override
    {
        T v = *m_default;
        if constexpr (IsList<T>::value) v = T(entries);
        m_value = std::make_shared<T>(std::move(v));
        return numbersIn(stored());
    }
    void own() override
    {
        if (!isOwn()) m_value = parent()->shareValue();
    }

private:
    friend class WriteAccessor<T>;
    /// False while the value is that of the Data which this one follows.
    bool isOwn() const { return m_value.use_count() > 0; }
    T& stored() const { return *static_cast<T*>(m_value.get()); }
    std::shared_ptr<T> share(std::shared_ptr<T> own) const
    {
        const auto isEqual = [](const void* one, const void* other) {
            const T &a = *static_cast<const T*>(one), &b = *static_cast<const T*>(other);
            if constexpr (requires { a.empty(); } && !std::is_same_v<T, std::string>)
                return a.empty() && b.empty();
            else if constexpr (requires { a == b; })
                return a == b;
            else
                return false;
        };
        return std::static_pointer_cast<T>(sharedDefault(std::move(own), isEqual));
    }
    T* beginEdit(std::shared_ptr<void>& before)
    {
        updateIfDirty();
        if (!range().unlimited()) {
            own();
            before = m_value;
        }
        if (m_value.use_count() != 1) m_value = std::make_shared<T>(stored());
        return &stored();
    }
    void endEdit(std::shared_ptr<void> before)
    {
        std::string error;
        if (before && !range().admits(stored(), error)) {
            m_value = std::move(before);
            return reportRefusal(error);
        }
        changed();
    }

    std::shared_ptr<T> m_default;
};

/// Tells whether Data changed since it last looked.
class DataTracker final : public DdgNode
{
public:
    void track(const BaseData& d) { addDependency(const_cast<BaseData&>(d)); }
    /// True if any tracked Data changed since the last call (always at the first).
    bool changed()
    {
        const bool any = isDirty() || !m_asked;
        m_asked = true;
        updateIfDirty();
        return any;
    }
    std::string ddgName() const override { return "tracker"; }

private:
    void update() override {}
    bool m_asked = false;
};

}  // namespace sofa::core
