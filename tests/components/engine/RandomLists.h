// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "tests/harness/EngineCheck.h"

/// Random values of the types that lists of engines have.
namespace sofa::test {

using Indices = core::Vector<core::Index>;
using Numbers = core::Vector<double>;

template <class T>
T randomValue(RandomInput& random)
{
    if constexpr (std::is_same_v<T, bool>) {
        return random.number() > 0.;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return "word" + std::to_string(random.index(9));
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(random.index(9)) + T(1);
    } else if constexpr (std::is_same_v<T, double>) {
        return static_cast<double>(random.index(9)) + 0.5;
    } else if constexpr (std::is_same_v<T, core::RigidCoord3>) {
        return {random.point(), random.rotation()};
    } else if constexpr (std::is_same_v<T, core::RigidCoord2>) {
        return {{random.number(), random.number()}, random.number()};
    } else {
        T v{};
        for (auto& x : v) x = randomValue<std::decay_t<decltype(x)>>(random);
        return v;
    }
}

template <class T>
core::Vector<T> randomList(RandomInput& random, std::size_t n)
{
    core::Vector<T> list(n);
    for (std::size_t i = 0; i < n; ++i) list[i] = randomValue<T>(random);
    return list;
}

}  // namespace sofa::test
