// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <limits>
#include <memory>

#include "core/log/Message.h"
#include "core/objectmodel/DataText.h"
#include "core/objectmodel/DdgNode.h"

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
    /// "> 0", "in [0, 0.5)", or empty.
    std::string str() const;
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

/// Untyped part of Data: identity, text form, links, change tracking. A body has some hundred Data, most of which are
/// never linked: what is the same for all of a class is shared, and what few need is kept beside.
class BaseData : public DdgNode
{
    bool m_isSet = false, m_required, m_readOnly, m_displayed, m_saved;

public:
    /// The strings of `info` must outlive the Data (they are literals).
    BaseData(Base* owner, const DataInfo& info);
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
    virtual void putBack(std::shared_ptr<void> value, bool isSet) = 0;
    /// Counts changes, without bringing the value up to date.
    std::size_t changeCount() const { return m_counter; }
    bool isList() const { return numberForm().list; }

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
    /// Appends the numbers of the value; only for forms that are real.
    virtual void appendNumbers(Vector<double>& out) const = 0;
    /// Makes the value of entries with `stride` numbers each: the first `used` of an entry are the first of ours, and
    /// what ours has besides is as in its default. Only for forms that are real.
    virtual void takeNumbers(const Vector<double>& numbers, std::size_t stride, std::size_t used) = 0;
    /// Converts numbers with units ("3 kPa") to the unit of this Data; `converted` stays empty where there are none.
    /// `scalable`: all numbers of a value are of one dimension. False, with the reason, if a unit does not fit.
    bool toOwnUnit(std::string_view text, std::string& converted, bool scalable, std::string& error) const;
    /// Checks every number of `text` against the range.
    bool checkRange(std::string_view text, std::string& error) const;

    std::size_t m_counter = 0;

private:
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
    };
    struct Source
    {
        BaseData* parent = nullptr;
        std::string path;
    };
    static const Description& describe(const DataInfo& info);
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
/// Values are shared copy-on-write between linked Data of equal type, so a link to a large array costs nothing.
template <class T>
class Data : public BaseData
{
public:
    using value_type = T;

    Data(Base* owner, const DataInfo& info, T defaultValue = T())
        : BaseData(owner, info), m_value(std::make_shared<T>(std::move(defaultValue))), m_default(m_value)
    {
    }

    /// The value, brought up to date.
    const T& value() const
    {
        updateIfDirty();
        return *m_value;
    }
    const T& operator*() const { return value(); }
    const T* operator->() const { return &value(); }

    void setValue(T v)
    {
        m_value = std::make_shared<T>(std::move(v));
        clearDirty();
        changed();
    }
    /// The value for writing in place. What depends on it is marked dirty now, so finish the edit before reading that.
    T& edit()
    {
        updateIfDirty();
        if (m_value.use_count() > 1) m_value = std::make_shared<T>(*m_value);
        changed();
        return *m_value;
    }
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

    bool read(std::string_view text, std::string& error) override
    {
        std::string converted;
        if constexpr (HoldsReals<T>::value) {
            if (!toOwnUnit(text, converted, HoldsReals<T>::scalable, error)) return false;
            text = converted.empty() ? text : std::string_view(converted);
        }
        T v = *m_default;  // a starting value matters for Options
        if (!parseLeniently(text, v, error)) return false;
        std::string outside;
        if (!checkRange(text, outside)) {
            error = outside;
            return false;
        }
        setValue(std::move(v));
        return true;
    }
    std::string text() const override { return toText(value()); }
    std::string defaultText() const override { return toText(*m_default); }
    std::string typeName() const override { return TypeName<T>::get(); }
    std::shared_ptr<void> shareValue() const override { return m_value; }
    void putBack(std::shared_ptr<void> value, bool isSet) override
    {
        m_value = std::static_pointer_cast<T>(std::move(value));
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
            return m_value->names();
        else
            return {};
    }

protected:
    bool copyFrom(const BaseData& parent) override
    {
        const auto* p = dynamic_cast<const Data<T>*>(&parent);
        if (!p) return false;
        p->updateIfDirty();
        m_value = p->m_value;
        return true;
    }
    NumberForm numberForm() const override { return FormOf<T>::form; }
    void appendNumbers(Vector<double>& out) const override
    {
        if constexpr (FormOf<T>::form.real && FormOf<T>::form.count > 0) core::appendNumbers(value(), out);
    }
    void takeNumbers(const Vector<double>& numbers, std::size_t stride, std::size_t used) override
    {
        if constexpr (FormOf<T>::form.real && FormOf<T>::form.count > 0) {
            T v{};
            if constexpr (IsList<T>::value) {
                v.resize(numbers.size() / stride);
                for (std::size_t i = 0; i < v.size(); ++i) setFirstNumbers(v[i], numbers.data() + i * stride, used);
            } else {
                v = *m_default;
                setFirstNumbers(v, numbers.data(), used);
            }
            m_value = std::make_shared<T>(std::move(v));
        }
    }

private:
    std::shared_ptr<T> m_value;
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
