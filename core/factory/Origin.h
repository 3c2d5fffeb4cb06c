// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

namespace sofa::core {

struct ComponentEntry;

/// While one lives, what registers itself comes from this library: the plugin that is being loaded. They may be nested:
/// a plugin may load another one.
class RegistrationOrigin
{
public:
    explicit RegistrationOrigin(std::string library);
    ~RegistrationOrigin();
    RegistrationOrigin(const RegistrationOrigin&) = delete;
    RegistrationOrigin& operator=(const RegistrationOrigin&) = delete;

    /// That of now; empty while the program itself starts.
    static const std::string& current();

private:
    std::string m_outer;
};

/// Library that registered a component first.
std::string libraryOf(const ComponentEntry& e);

}  // namespace sofa::core
