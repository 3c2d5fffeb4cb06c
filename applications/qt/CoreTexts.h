// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QString>
#include <string_view>

namespace sofa::qt {

/// A short text that core or a component gives in English, in the language of the windows: what operations of the mouse
/// do, groups of attributes, names of steps to undo, changes that mend something, why an edit is refused. A text that
/// the table does not have, such as one of a plugin, is returned as it is.
QString coreText(std::string_view text);

/// A category of components in words, in the language of the windows: "ForceField" is "Force Field" in English.
QString kindText(std::string_view category);

/// Whether the table has the text, or the words of the category: for tests.
bool hasCoreText(std::string_view text);
bool hasKindText(std::string_view category);

}  // namespace sofa::qt
