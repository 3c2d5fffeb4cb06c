// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QIcon>

namespace sofa::qt {

/// Pictures on buttons. They are drawn by the program, in the colours of the style, so that they fit light and dark
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
    Warning
};

QIcon icon(Icon which);

}  // namespace sofa::qt
