// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>

namespace sofa::qt {

namespace {

/// Whether the desktop asks for dark windows.
bool systemIsDark()
{
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return false;
    QDBusMessage ask = QDBusMessage::createMethodCall(
        "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "Read");
    ask << "org.freedesktop.appearance"
        << "color-scheme";
    const QDBusMessage answer = bus.call(ask, QDBus::Block, 300);
    if (answer.type() != QDBusMessage::ReplyMessage || answer.arguments().isEmpty()) return false;
    // A variant within a variant: 1 is dark.
    QVariant value = answer.arguments().constFirst();
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toUInt() == 1;
}

QPalette paletteOf(const QColor& window, const QColor& base, const QColor& button, const QColor& text,
                   const QColor& faint)
{
    QPalette p(button, window);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        p.setColor(role, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, window);
    p.setColor(QPalette::ToolTipBase, button);
    p.setColor(QPalette::PlaceholderText, faint);
    p.setColor(QPalette::Highlight, QColor(48, 120, 205));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, QColor(70, 150, 235));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faint);
    return p;
}

/// Fusion, whose boxes to tick have a rim that is darker than the window: on a dark one they are not seen.
class DarkStyle final : public QProxyStyle
{
public:
    DarkStyle() : QProxyStyle(QStringLiteral("fusion")) {}
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* p,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, p, widget);
        if (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton) return;
        p->save();
        p->setRenderHint(QPainter::Antialiasing);
        p->setBrush(Qt::NoBrush);
        p->setPen(option->palette.color(QPalette::PlaceholderText));
        const QRectF rim = QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5);
        if (element == PE_IndicatorCheckBox)
            p->drawRoundedRect(rim, 2., 2.);
        else
            p->drawEllipse(rim);
        p->restore();
    }
};

}  // namespace

void applyTheme(Theme theme)
{
    static const QString firstStyle = QApplication::style()->name();
    const bool system = theme == Theme::System && !systemIsDark();
    // Only Fusion is drawn by the palette alone.
    const QString style = system ? firstStyle : QStringLiteral("fusion");
    const bool isDark = dynamic_cast<const DarkStyle*>(QApplication::style()) != nullptr;
    const bool becomesDark = !system && theme != Theme::Light;
    if (becomesDark && !isDark)
        QApplication::setStyle(new DarkStyle);
    else if (!becomesDark && (isDark || QApplication::style()->name() != style))
        QApplication::setStyle(QStyleFactory::create(style));
    QPalette palette;
    if (!system)
        palette = theme == Theme::Light
                      ? paletteOf({240, 240, 240}, Qt::white, {235, 235, 235}, {25, 25, 28}, {125, 125, 130})
                      : paletteOf({42, 44, 48}, {30, 32, 35}, {58, 61, 66}, {225, 226, 228}, {135, 138, 144});
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

}  // namespace sofa::qt
