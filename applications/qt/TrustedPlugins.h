// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QString>

class QWidget;

namespace sofa::qt {

/// Plugins outside of the installation that the user agreed to when a scene wanted to load them: each by its path and
/// the SHA-256 of its content, kept in the settings of the organisation, for runSofa's window and for the Modeler.
class TrustedPlugins
{
public:
    /// Scenes of this process may load what was agreed to, as long as the content is the same (core::Trust).
    static void use();
    static bool contains(const QString& library);
    static void add(const QString& library);
    /// Asks whether libraries that were refused may be loaded, and keeps the answer if it is yes. True for yes.
    static bool ask(const QStringList& libraries, QWidget* parent);
};

}  // namespace sofa::qt
