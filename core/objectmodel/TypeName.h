// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// The texts, one after the other. Names of types are composed by it, out of line: inlined concatenations make GCC 12
/// see reads past the end that are none.
std::string joinText(std::initializer_list<std::string_view> parts);

/// Name of a type as messages, the reference and the schema print it: "double", "list of Vec3", ... A type of a plugin
/// has a static function typeName() for it; docs/writing-a-component.md has what else it needs.
template <class T>
struct TypeName
{
    static std::string get() { return std::string(T::typeName()); }
};

#define SOFA_TYPE_NAME(T, text)                   \
    template <>                                   \
    struct TypeName<T>                            \
    {                                             \
        static std::string get() { return text; } \
    }
SOFA_TYPE_NAME(bool, "bool");
SOFA_TYPE_NAME(int, "int");
SOFA_TYPE_NAME(unsigned int, "unsigned int");
SOFA_TYPE_NAME(long long, "int");
SOFA_TYPE_NAME(unsigned long, "unsigned int");
SOFA_TYPE_NAME(unsigned char, "unsigned int");
SOFA_TYPE_NAME(float, "float");
SOFA_TYPE_NAME(double, "double");
SOFA_TYPE_NAME(std::string, "string");
SOFA_TYPE_NAME(Options, "option");
SOFA_TYPE_NAME(FileName, "file name");
SOFA_TYPE_NAME(Quat, "Quat");
SOFA_TYPE_NAME(RigidCoord3, "RigidCoord3");
SOFA_TYPE_NAME(RigidCoord2, "RigidCoord2");
#undef SOFA_TYPE_NAME
template <std::size_t N, class T>
struct TypeName<Vec<N, T>>
{
    static std::string get() { return joinText({"Vec", std::to_string(N), std::is_integral_v<T> ? "i" : ""}); }
};
template <class T, std::size_t N>
struct TypeName<std::array<T, N>>
{
    static std::string get() { return joinText({std::to_string(N), " x ", TypeName<T>::get()}); }
};
template <std::size_t R, std::size_t C, class T>
struct TypeName<Mat<R, C, T>>
{
    static std::string get() { return joinText({"Mat", std::to_string(R), "x", std::to_string(C)}); }
};
template <class T>
struct TypeName<Vector<T>>
{
    static std::string get() { return joinText({"list of ", TypeName<T>::get()}); }
};
template <class T>
struct TypeName<std::set<T>>
{
    static std::string get() { return joinText({"set of ", TypeName<T>::get()}); }
};
template <class A, class B>
struct TypeName<std::pair<A, B>>
{
    static std::string get() { return joinText({"pair of ", TypeName<A>::get(), ", ", TypeName<B>::get()}); }
};
template <class K, class V>
struct TypeName<std::map<K, V>>
{
    static std::string get() { return joinText({"map of ", TypeName<K>::get(), " to ", TypeName<V>::get()}); }
};

}  // namespace sofa::core
