// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/math/Vector.h"

namespace sofa::core {

/// An element or point of which a new one is made, and its part. The parts add up to one.
struct Ancestor
{
    Index index;
    double weight;

    friend bool operator==(const Ancestor&, const Ancestor&) = default;
};
using Ancestors = Vector<Ancestor>;

/// The value of a new element: the sum of those of its ancestors, for numbers and vectors of numbers; for any other
/// type that of the ancestor with the largest part. `valueOf(i)` is the value of element i before the change.
template <class T, class ValueOf>
T inherited(const Ancestors& ancestors, ValueOf valueOf)
{
    constexpr auto sum = []<class S>(const Ancestors& a, const ValueOf& value, S) {
        T s = value(a.front().index) * static_cast<S>(a.front().weight);
        for (std::size_t k = 1; k < a.size(); ++k) s += value(a[k].index) * static_cast<S>(a[k].weight);
        return s;
    };
    if constexpr (std::is_floating_point_v<T>)
        return sum(ancestors, valueOf, T());
    else if constexpr (requires(T v) {
                           requires std::is_floating_point_v<std::remove_cvref_t<decltype(v *= v[0], v[0])>>;
                       })
        return sum(ancestors, valueOf, std::remove_cvref_t<decltype(std::declval<T>()[0])>());
    else
        return valueOf(std::ranges::max_element(ancestors, {}, &Ancestor::weight)->index);
}

}  // namespace sofa::core
