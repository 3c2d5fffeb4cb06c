// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Pause.h"

#include <atomic>

#include "core/log/Session.h"

namespace sofa::core {

namespace {

const SessionLocal<std::atomic<bool>> requested;

}  // namespace

void requestPause() { *requested = true; }

bool takePauseRequest() { return requested->exchange(false); }

}  // namespace sofa::core
