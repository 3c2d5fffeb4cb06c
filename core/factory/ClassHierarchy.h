// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <typeinfo>
#include <vector>

namespace sofa::core {

/// Name of a class without namespaces and template arguments: "Mass" for sofa::core::Mass<Vec3Types>.
std::string shortClassName(const std::type_info& type);

/// The classes from which a class derives directly, as the compiler wrote them down for dynamic_cast (the type
/// information of the Itanium C++ ABI, which g++ and clang share). A template that derives from its first parameter
/// adds to that class and is none of its own: the parameter stands in its place.
std::vector<const std::type_info*> directBases(const std::type_info& type);

/// All classes from which a class derives, nearest first, each once.
std::vector<std::string> baseNames(const std::type_info& type);

}  // namespace sofa::core
