// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Preferences.h"

#include <QApplication>
#include <QFont>
#include <QSettings>
#include <algorithm>

#include "applications/qt/Theme.h"

namespace sofa::qt {

const Preference Preferences::theme{"theme", static_cast<int>(Theme::System), true};
const Preference Preferences::language{"language", QString(), true};
const Preference Preferences::letters{"letters", 100, true};
const Preference Preferences::background{"background", QString(), true};
const Preference Preferences::smooth{"smoothEdges", true, true};
const Preference Preferences::buttons{"mouseButtons", QStringLiteral("LRM"), true};
const Preference Preferences::wheel{"wheelSpeed", 100, true};
const Preference Preferences::recordings{"folder", QString()};
const Preference Preferences::exports{"exportFolder", QString()};
const Preference Preferences::videos{"videoFolder", QString()};

Preferences& Preferences::instance()
{
    static Preferences all;
    return all;
}

Preferences::Preferences()
{
    connect(this, &Preferences::changed, this, [](const QString& key) {
        if (key == theme.key || key == letters.key) applyLook();
    });
}

QVariant Preferences::value(const Preference& p)
{
    // What the program's own file does not have is looked for in that of the organisation.
    QVariant v = QSettings().value(p.key, p.usual);
    return v.convert(p.usual.metaType()) ? v : p.usual;
}

void Preferences::set(const Preference& p, const QVariant& value)
{
    if (p.shared) {
        QSettings(QSettings::NativeFormat, QSettings::UserScope, QCoreApplication::organizationName())
            .setValue(p.key, value);
        QSettings().remove(p.key);
    } else {
        QSettings().setValue(p.key, value);
    }
    Q_EMIT instance().changed(p.key);
}

Qt::MouseButton Preferences::button(int n)
{
    QString chosen = value(buttons).toString(), sorted = chosen;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != "LMR") chosen = buttons.usual.toString();
    return chosen[n] == 'L' ? Qt::LeftButton : chosen[n] == 'M' ? Qt::MiddleButton : Qt::RightButton;
}

void Preferences::applyLook()
{
    applyTheme(static_cast<Theme>(std::clamp(value(theme).toInt(), 0, 2)));
    static const QFont usual = QApplication::font();
    const double factor = std::clamp(value(letters).toInt(), 50, 300) / 100.;
    QFont font = usual;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(usual.pointSizeF() * factor);
    else
        font.setPixelSize(static_cast<int>(std::lround(usual.pixelSize() * factor)));
    if (font != QApplication::font()) QApplication::setFont(font);
}

}  // namespace sofa::qt
