// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QVariant>

namespace sofa::qt {

/// A value that the user may choose.
struct Preference
{
    QString key;          ///< its name in QSettings
    QVariant usual;       ///< where nothing was chosen; values have its type
    bool shared = false;  ///< it holds for runSofa's window and for the Modeler alike
};

/// What the user has chosen, kept by QSettings: of a program in its own file, what is shared in that of the
/// organisation. Values act where somebody listens to changed(); colours and letters do so by themselves.
class Preferences : public QObject
{
    Q_OBJECT

public:
    static Preferences& instance();

    static QVariant value(const Preference& p);
    static void set(const Preference& p, const QVariant& value);

    static const Preference theme;       ///< a Theme
    static const Preference language;    ///< "de"; empty: as the desktop. From the next start on
    static const Preference letters;     ///< size [% of the desktop's]
    static const Preference background;  ///< of views without one of the scene: a name of a colour; empty: sky, ground
    static const Preference smooth;      ///< edges in views
    static const Preference buttons;     ///< a permutation of "LMR": the buttons that turn, move and zoom in views
    static const Preference wheel;       ///< speed of the wheel in views [%]
    static const Preference recordings;  ///< folder of recordings and images; empty: of the scene
    static const Preference exports;     ///< folder; empty: of the scene
    static const Preference videos;      ///< folder; empty: of recordings and images

    /// The button that does the n-th of what `buttons` names.
    static Qt::MouseButton button(int n);

    /// Gives the windows their colours and letters.
    static void applyLook();

Q_SIGNALS:
    void changed(const QString& key);

private:
    Preferences();
};

}  // namespace sofa::qt
