// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Origin.h"

#include <dlfcn.h>

#include "core/factory/Registry.h"

namespace sofa::core {

namespace {

std::string& currentLibrary()
{
    static std::string library;
    return library;
}

}  // namespace

RegistrationOrigin::RegistrationOrigin(std::string library) : m_outer(std::move(currentLibrary()))
{
    currentLibrary() = std::move(library);
}
RegistrationOrigin::~RegistrationOrigin() { currentLibrary() = std::move(m_outer); }
const std::string& RegistrationOrigin::current() { return currentLibrary(); }

std::string libraryOf(const ComponentEntry& e)
{
    if (!e.library.empty()) return e.library;
    // The functions that make objects lie in the library of their class.
    for (const ComponentCreator& c : e.creators) {
        Dl_info info{};
        if (c.code && dladdr(c.code, &info) != 0 && info.dli_fname) return info.dli_fname;
    }
    return "the program";
}

}  // namespace sofa::core
