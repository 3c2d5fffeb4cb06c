// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QString>
#include <functional>

namespace sofa::qt {

/// Does work in a thread of its own and waits for it, while the window draws itself. Work that takes longer than two
/// seconds gets a dialog that says what takes the time (Phases) and has a button to interrupt it. Throws
/// what the work throws, and std::runtime_error if it was interrupted.
void doLongWork(const QString& title, const std::function<void()>& work);

}  // namespace sofa::qt
