// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/qt/Preferences.h"

/// What the user may choose of the Modeler alone.
namespace sofa::modeler::preferences {

inline const qt::Preference textSize{"modeler/textSize", 0};        ///< of letters in texts [pt]; 0: as others
inline const qt::Preference tabWidth{"modeler/tabWidth", 4};        ///< [letters]
inline const qt::Preference tabSpaces{"modeler/tabSpaces", false};  ///< the Tab key writes spaces
inline const qt::Preference wrap{"modeler/wrap", false};            ///< long lines go on below
inline const qt::Preference copies{"modeler/copies", 5};            ///< seconds between safety copies

}  // namespace sofa::modeler::preferences
