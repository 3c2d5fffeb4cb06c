// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Installation.h"

#include <dlfcn.h>

#include <stdexcept>

namespace sofa::core {

std::filesystem::path installationDirectory()
{
    // A variable, since the address of a function may be that of a trampoline in the executable.
    static const char anchor = 0;
    Dl_info info{};
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr)
        throw std::runtime_error("cannot find the file that the core library was loaded from");
    return std::filesystem::canonical(info.dli_fname).parent_path().parent_path();
}

std::filesystem::path shareDirectory() { return installationDirectory() / "share" / "sofa"; }

}  // namespace sofa::core
