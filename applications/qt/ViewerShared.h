// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <mutex>

#include "applications/qt/Viewer.h"

namespace sofa::qt {

/// Only touched in the thread of the simulation, but for the mutex's part.
struct Viewer::Shared
{
    std::unique_ptr<MouseInteractor> interactor;
    std::optional<PickRay> motion;  ///< where the mouse went since; under the mutex
    std::optional<Vec3> force;      ///< of the operation that is at work [N]; under the mutex
    QStringList solvers;            ///< iterations of solvers in the last step; under the mutex
    std::atomic<bool> wantSolvers{false};
    std::mutex mutex;
};

constexpr std::size_t numberOf(MouseButton b) { return static_cast<std::size_t>(b); }

}  // namespace sofa::qt
