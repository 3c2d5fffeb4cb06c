// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Origin.h"

#include <dlfcn.h>

namespace sofa::core {

namespace {

std::string& currentLibrary()
{
    static std::string library;
    return library;
}

}  // namespace

RegistrationOrigin::RegistrationOrigin(std::string library) { currentLibrary() = std::move(library); }
RegistrationOrigin::~RegistrationOrigin() { currentLibrary().clear(); }
const std::string& RegistrationOrigin::current() { return currentLibrary(); }

std::string libraryOf(const ComponentEntry& e)
{
    // The functions that make objects lie in the library of their class.
    for (const ComponentCreator& c : e.creators) {
        Dl_info info{};
        if (dladdr(reinterpret_cast<const void*>(c.create), &info) != 0 && info.dli_fname) return info.dli_fname;
    }
    return "the program";
}

}  // namespace sofa::core
