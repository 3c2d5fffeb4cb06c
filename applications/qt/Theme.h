// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::qt {

/// Colours of the window.
enum class Theme
{
    System,  ///< as the desktop says
    Light,
    Dark
};

/// Gives all windows the colours. The desktop's wish is asked for by D-Bus (org.freedesktop.appearance); without an
/// answer, its own colours are used.
void applyTheme(Theme theme);

}  // namespace sofa::qt
