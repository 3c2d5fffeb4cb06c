// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "core/mesh/Ancestors.h"
#include "core/objectmodel/Data.h"
#include "core/topology/BaseMeshTopology.h"

/// Lists that follow elements and points when these come, go or get other numbers (core/topology/TopologyChange.h).
namespace sofa::core {

class BaseState;

/// How a component numbers elements: those of these kinds one after the other, each cut into `parts`.
struct ElementNumbering
{
    const BaseMeshTopology* topology = nullptr;
    std::vector<ElementType> kinds;
    Index parts = 1;
    const BaseState* state = nullptr;  ///< whose points are meant, instead of those of a topology
};

/// The points of a state.
ElementNumbering pointsOf(const BaseState& s);

/// Where the elements of a numbering come from. Says what changed, and takes memory and time as that: an element that
/// is not named has the number that it had.
struct ElementSource
{
    /// An element that has another number now, or is new.
    struct Moved
    {
        Index now, before;  ///< `before` is InvalidIndex for a new one
        friend bool operator==(const Moved&, const Moved&) = default;
    };

    Index before = 0, now = 0;  ///< how many there were, and are
    Vector<Moved> moved;        ///< by increasing number now
    Vector<Index> gone;         ///< numbers before of those that are gone, in increasing order
    bool same = true;           ///< all elements are there, with their numbers, and no others; points have not moved
    /// Of what new elements are made, by the number of the new one; those that are not named come from nothing.
    std::map<Index, Ancestors> ancestors;

    /// The number that an element had; InvalidIndex for a new one.
    Index from(Index element) const;
    /// The new numbers of a list of elements, without those that are gone.
    Vector<Index> renumbered(const Vector<Index>& elements) const;
    /// The same, and at the end the new elements all of whose ancestors were in the list.
    Vector<Index> withHeirs(const Vector<Index>& elements) const;
    /// The new numbers of lists of elements; new elements come to each list that has their nearest ancestor.
    Vector<Vector<Index>> renumberedLists(const Vector<Vector<Index>>& lists) const;
    /// New number of each element that was there; InvalidIndex for those that are gone.
    Vector<Index> inverse() const;
    const Ancestors& ancestorsOf(Index element) const;
    /// New numbers by old ones, for those that are there and have others.
    std::vector<std::pair<Index, Index>> renumberings() const;

    /// Brings a list with `width` values for each element up to date in place; `created(values, i, k)` gives value k of
    /// new element i from the values before. Returns what takes that back.
    template <class T, class Created>
    std::function<void(Vector<T>&)> update(Vector<T>& values, Index width, Created created) const
    {
        Vector<T> brought;
        brought.reserve(moved.size() * width);
        for (const Moved& m : moved)
            for (Index k = 0; k < width; ++k)
                brought.push_back(m.before == InvalidIndex ? created(std::as_const(values), m.now, k)
                                                           : values[std::size_t{m.before} * width + k]);
        const std::size_t size = values.size();
        Vector<std::pair<std::size_t, T>> lost;
        for (std::size_t i = std::size_t{now} * width; i < size; ++i) lost.emplace_back(i, values[i]);
        values.resize(std::size_t{now} * width);
        for (std::size_t j = 0; j < brought.size(); ++j) {
            const std::size_t i = std::size_t{moved[j / width].now} * width + j % width;
            if (i < size) lost.emplace_back(i, values[i]);
            values[i] = std::move(brought[j]);
        }
        return [size, lost = std::move(lost)](Vector<T>& v) {
            v.resize(size);
            for (const auto& [i, value] : lost) v[i] = value;
        };
    }
    /// The same where new elements take the value of their ancestors, or T() where they have none.
    template <class T>
    std::function<void(Vector<T>&)> follow(Vector<T>& values) const
    {
        return update(values, 1, [this](const Vector<T>& v, Index i, Index) {
            const Ancestors& a = ancestorsOf(i);
            return a.empty() ? T() : inherited<T>(a, [&v](Index e) { return v[e]; });
        });
    }
};

/// The numbers that elements have now, by those before, for many questions.
class NumbersNow
{
public:
    explicit NumbersNow(const ElementSource& source);
    /// InvalidIndex for an element that is gone.
    Index operator()(Index before) const;

private:
    std::vector<std::pair<Index, Index>> m_others;  ///< of those that have another one, or none
};

/// A Data that refers to elements by their numbers: a list of values of any type, which can be compared, or of numbers.
struct ElementData
{
    enum class Kind
    {
        Values,       ///< `width` values for each element, or for all; elements beyond the end take the first ones
        Spread,       ///< of M values and N elements, element i takes value i M / N
        Numbers,      ///< a list of elements, to which no new ones come
        Members,      ///< a list to which new elements come that were made of elements of the list only
        NumberLists,  ///< lists of elements; new ones come to those that have their nearest ancestor
        Kept,         ///< does not refer to elements, but is put back with them: what the component computes of them
        Computed  ///< the same of a large list: the component itself takes changes back (TopologyChange::ifTakenBack)
    };

    template <class T>
    ElementData(Data<Vector<T>>* list, Kind k = Kind::Values, Index valuesOfElement = 1)
        : data(list), kind(k), width(valuesOfElement), follow(&followAs<T>)
    {
    }
    /// Data that are no lists can only be kept; throws std::logic_error otherwise.
    ElementData(BaseData* d, Kind k);

    BaseData* data;
    Kind kind;
    Index width = 1;
    /// Brings the list up to date, and returns what takes that back; empty if nothing changed. nullptr where nothing
    /// follows.
    using Undo = std::function<void()>;
    Undo (*follow)(const ElementData&, const ElementSource&) = nullptr;

private:
    template <class T>
    static Undo followAs(const ElementData& d, const ElementSource& s);
    template <class T>
    Undo followValues(Data<Vector<T>>& data, const ElementSource& s) const;
};

/// What a component has of ElementData, and how it numbers the elements.
struct ElementLists
{
    ElementNumbering numbering;
    std::vector<ElementData> data;
};

// --- Lists of values of any type -----------------------------------------------------------------------------------

/// Sets a value without its link, and returns what takes that back.
template <class T>
ElementData::Undo replaceValue(Data<Vector<T>>& data, Vector<T> value)
{
    BaseData* const link = data.parent();
    const bool isSet = data.isSet();
    data.unlink();
    std::swap(*data.edit(), value);
    data.setIsSet(isSet);
    return [&data, link, isSet, before = std::move(value)] {
        data.setValue(before);
        data.setIsSet(isSet);
        if (link) data.linkTo(*link);
    };
}

template <class T>
ElementData::Undo ElementData::followValues(Data<Vector<T>>& list, const ElementSource& s) const
{
    // Groups and materials: one for each element, never one for all.
    constexpr bool numbers = std::is_same_v<T, Index>;
    const Vector<T>& values = list.value();
    if (s.before == 0 || (numbers ? values.size() != s.before : values.size() <= width)) return {};
    const auto valueOf = [this, &s](const Vector<T>& v, Index element, std::size_t k) -> T {
        if (kind == Kind::Spread) return v[element * v.size() / s.before];
        const std::size_t at = static_cast<std::size_t>(element) * width + k;
        return at < v.size() ? v[at] : v[k];
    };
    const auto created = [&](const Vector<T>& v, Index i, Index k) -> T {
        const Ancestors& from = s.ancestorsOf(i);
        if (from.empty()) return numbers ? T() : valueOf(v, 0, k);
        return inherited<T>(from, [&](Index a) { return valueOf(v, a, k); });
    };
    // Without any element the list still says what one would have.
    if (s.now == 0)
        return replaceValue(list, Vector<T>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)));
    const std::size_t all = static_cast<std::size_t>(s.before) * width;
    if (values.size() != all || list.parent()) {
        Vector<T> each(all);
        for (std::size_t i = 0; i < all; ++i) each[i] = valueOf(values, static_cast<Index>(i / width), i % width);
        (void)s.update(each, width, created);
        return replaceValue(list, std::move(each));
    }
    const bool isSet = list.isSet();
    auto undo = s.update(*list.edit(), width, created);
    list.setIsSet(isSet);
    return [&list, isSet, undo = std::move(undo)] {
        undo(*list.edit());
        list.setIsSet(isSet);
    };
}

template <class T>
ElementData::Undo ElementData::followAs(const ElementData& d, const ElementSource& s)
{
    if (d.kind == Kind::Kept || d.kind == Kind::Computed) return {};
    auto& data = static_cast<Data<Vector<T>>&>(*d.data);
    const auto replaced = [&data](Vector<T> now) {
        return now == data.value() ? Undo() : replaceValue(data, std::move(now));
    };
    if constexpr (std::is_same_v<T, Index>)
        if (d.kind == Kind::Numbers || d.kind == Kind::Members)
            return replaced(d.kind == Kind::Members ? s.withHeirs(data.value()) : s.renumbered(data.value()));
    if constexpr (std::is_same_v<T, Vector<Index>>)
        if (d.kind == Kind::NumberLists) {
            return replaced(s.renumberedLists(data.value()));
        }
    return d.followValues(data, s);
}

}  // namespace sofa::core
