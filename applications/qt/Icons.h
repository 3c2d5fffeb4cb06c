// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QIcon>

namespace sofa::qt {

/// Icons of buttons. They are drawn by the program, in the colours of the style, so that they fit light and dark
/// ones and every size of the screen.
enum class Icon
{
    Animate,
    Pause,
    Step,
    ResetScene,
    ResetView,
    SaveView,
    Screenshot,
    Open,
    Save,
    Reload,
    Record,
    Play,
    StepForward,
    StepBackward,
    ToBegin,
    ToEnd,
    Copy,
    Move,
    Turn,
    Scale,
    Warning
};

QIcon icon(Icon which);

/// A number on a red ground for errors, on an amber one else; nothing, of the same size, for 0.
QIcon countIcon(std::size_t count, bool errors);

}  // namespace sofa::qt
