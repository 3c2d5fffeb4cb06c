// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QStringList>

class QLineEdit;

namespace sofa::qt {

/// The languages of the windows, "en" and those of the translations that the program was built with.
QStringList availableLanguages();
/// What those who speak it call it.
QString nameOfLanguage(const QString& language);

/// Chooses the language of all windows that are made from now on: the one that is wanted; else the user's preference;
/// else the first one of the desktop's that there is; else English. Numbers are written with a decimal point in every
/// language, in editors and by the functions of C, as QApplication takes those of the desktop; a comma that is typed
/// into a number becomes a point. Returns the language; empty, and nothing was done, if the wanted one is not there.
QString startLanguage(const QString& wanted = {});

/// The line is for one number: a comma becomes a point there, too.
void takesNumber(QLineEdit& line);

}  // namespace sofa::qt
