// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Session.h"

namespace sofa::core {

Session& Session::ofProcess()
{
    static auto& session = *new Session;  // messages may come until the process has ended
    return session;
}

}  // namespace sofa::core
