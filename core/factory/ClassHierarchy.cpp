// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/ClassHierarchy.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace sofa::core {

namespace {

std::string fullName(const std::type_info& type)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : type.name();
}

/// Whether a class is a template that derives from its first parameter (core/behavior/OnState.h).
bool extendsParameter(const std::type_info& type)
{
    const auto* one = dynamic_cast<const abi::__si_class_type_info*>(&type);
    if (!one) return false;
    const std::string name = fullName(type), base = fullName(*one->__base_type);
    const auto argument = name.find('<') + 1;  // 0 where there is none
    if (argument == 0 || name.compare(argument, base.size(), base) != 0) return false;
    const char next = name[argument + base.size()];
    return next == ',' || next == '>';
}

}  // namespace

std::string shortClassName(const std::type_info& type)
{
    std::string s = fullName(type);
    if (const auto open = s.find('<'); open != std::string::npos) s.erase(open);
    const auto colon = s.rfind(':');
    return colon == std::string::npos ? s : s.substr(colon + 1);
}

std::vector<const std::type_info*> directBases(const std::type_info& type)
{
    std::vector<const std::type_info*> bases;
    if (const auto* one = dynamic_cast<const abi::__si_class_type_info*>(&type)) {
        bases.push_back(one->__base_type);
    } else if (const auto* several = dynamic_cast<const abi::__vmi_class_type_info*>(&type)) {
        for (unsigned k = 0; k < several->__base_count; ++k) bases.push_back(several->__base_info[k].__base_type);
    }
    for (const std::type_info*& b : bases)
        while (extendsParameter(*b)) b = static_cast<const abi::__si_class_type_info*>(b)->__base_type;
    return bases;
}

std::vector<std::string> baseNames(const std::type_info& type)
{
    std::vector<std::string> names;
    std::vector<const std::type_info*> queue = directBases(type);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        std::string name = shortClassName(*queue[k]);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
        const auto more = directBases(*queue[k]);
        queue.insert(queue.end(), more.begin(), more.end());
    }
    return names;
}

}  // namespace sofa::core
