// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

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

/// The points of a state, or of a topology.
ElementNumbering pointsOf(const BaseState& s);
ElementNumbering pointsOf(const BaseMeshTopology& t);

/// Where the elements of a numbering come from.
struct ElementSource
{
    Index before = 0;       ///< number of elements before the change
    Vector<Index> numbers;  ///< for each element the number that it had; InvalidIndex for one that was not there
    bool same = true;       ///< all elements are there, with their numbers, and no others
    /// Of what new elements are made, by the number of the new one; those that are not named come from nothing.
    std::map<Index, Ancestors> ancestors;

    /// The new numbers of a list of elements, without those that are gone.
    Vector<Index> renumbered(const Vector<Index>& elements) const;
    /// New number of each element that was there; InvalidIndex for those that are gone.
    Vector<Index> inverse() const;
    const Ancestors& ancestorsOf(Index element) const;
    /// The values of the elements that are there now, from those of each element before.
    template <class T>
    Vector<T> followed(const Vector<T>& values) const
    {
        Vector<T> now;
        for (Index i = 0; i < numbers.size(); ++i) {
            const Ancestors& from = ancestorsOf(i);
            now.push_back(numbers[i] != InvalidIndex ? values[numbers[i]]
                          : from.empty()             ? T()
                                                     : inherited<T>(from, [&values](Index k) { return values[k]; }));
        }
        return now;
    }
};

/// A Data that refers to elements by their numbers: a list of values of any type, which can be compared, or of numbers.
struct ElementData
{
    enum class Kind
    {
        Values,       ///< `width` values for each element, or for all; elements beyond the end take the first ones
        Spread,       ///< of M values and N elements, element i takes value i M / N
        Numbers,      ///< a list of elements
        NumberLists,  ///< lists of elements
        Kept          ///< does not refer to elements, but is put back with them: what the component computes of them
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
    /// Sets the list for changed elements, from the value that it had before, unless it changed by itself: what is
    /// linked to Data of the mesh does. nullptr where nothing follows.
    void (*follow)(const ElementData&, const void* before, bool isSet, const ElementSource&) = nullptr;

private:
    template <class T>
    Vector<T> remapped(const Vector<T>& values, const ElementSource& s) const;
    template <class T>
    static void followAs(const ElementData& d, const void* before, bool isSet, const ElementSource& s);
};

/// What a component has of ElementData, and how it numbers the elements.
struct ElementLists
{
    ElementNumbering numbering;
    std::vector<ElementData> data;
};

// --- Lists of values of any type -----------------------------------------------------------------------------------

template <class T>
Vector<T> ElementData::remapped(const Vector<T>& values, const ElementSource& s) const
{
    if constexpr (std::is_same_v<T, Index>) {
        if (kind == Kind::Numbers) return s.renumbered(values);
        // Groups and materials: one for each element, never one for all.
        if (values.size() != s.before) return values;
        Vector<T> left;
        for (Index i = 0; i < s.numbers.size(); ++i) {
            const Index e = s.numbers[i];
            const Ancestors& from = s.ancestorsOf(i);
            left.push_back(e != InvalidIndex ? values[e]
                           : from.empty()    ? 0
                                             : inherited<T>(from, [&](Index k) { return values[k]; }));
        }
        return left;
    } else if constexpr (std::is_same_v<T, Vector<Index>>) {
        if (kind == Kind::NumberLists) {
            Vector<T> lists;
            for (const Vector<Index>& list : values) lists.push_back(s.renumbered(list));
            return lists;
        }
    }
    if (s.before == 0 || values.size() <= width) return values;
    const auto valueOf = [&](Index element, std::size_t k) -> T {
        if (kind == Kind::Spread) return values[element * values.size() / s.before];
        const std::size_t at = static_cast<std::size_t>(element) * width + k;
        return at < values.size() ? values[at] : values[k];
    };
    Vector<T> out;
    for (Index i = 0; i < s.numbers.size(); ++i) {
        const Index e = s.numbers[i];
        const Ancestors& from = s.ancestorsOf(i);
        for (std::size_t k = 0; k < width; ++k)
            out.push_back(e != InvalidIndex ? valueOf(e, k)
                          : from.empty()    ? valueOf(0, k)
                                            : inherited<T>(from, [&](Index a) { return valueOf(a, k); }));
    }
    // Without any element the list still says what one would have.
    if (out.empty()) out.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
    return out;
}

template <class T>
void ElementData::followAs(const ElementData& d, const void* before, bool isSet, const ElementSource& s)
{
    if (d.kind == Kind::Kept) return;
    auto& data = static_cast<Data<Vector<T>>&>(*d.data);
    const auto& value = *static_cast<const Vector<T>*>(before);
    if (data.parent() && !(data.value() == value)) return;
    Vector<T> now = d.remapped(value, s);
    if (now == value) return;
    data.unlink();
    data.setValue(std::move(now));
    data.setIsSet(isSet);
}

}  // namespace sofa::core
