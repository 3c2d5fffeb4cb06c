// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/ControlBar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <cmath>
#include <limits>

namespace sofa::qt {

namespace {

/// Seconds of the scene in a second of the clock.
constexpr double speeds[] = {0.1, 0.2, 0.5, 1., 2., 5., 10., std::numeric_limits<double>::infinity()};

}  // namespace

ControlBar::ControlBar(const QList<QAction*>& before, const QList<QAction*>& behind, QWidget* parent)
    : QToolBar(tr("Controls"), parent)
{
    setObjectName("controls");
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({20, 20});
    setMovable(false);
    addActions(before);
    addSeparator();
    auto* label = new QLabel(tr(" &DT "));
    m_dt = new QDoubleSpinBox;
    m_dt->setObjectName("dt");
    m_dt->setDecimals(6);
    m_dt->setRange(1e-6, 1e3);
    m_dt->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_dt->setSuffix(tr(" s"));
    m_dt->setKeyboardTracking(false);
    m_dt->setToolTip(tr("Time step of the simulation"));
    m_dt->setAccessibleName(tr("Time step"));
    label->setBuddy(m_dt);
    connect(m_dt, &QDoubleSpinBox::valueChanged, this, &ControlBar::dtChosen);
    addWidget(label);
    addWidget(m_dt);
    auto* speedLabel = new QLabel(tr("  S&peed "));
    m_speed = new QComboBox;
    m_speed->setObjectName("speed");
    for (const double s : speeds)
        m_speed->addItem(std::isinf(s) ? tr("fastest") : QStringLiteral("×%1").arg(QLocale().toString(s)), s);
    m_speed->setCurrentIndex(m_speed->findData(1.));
    m_speed->setFocusPolicy(Qt::TabFocus);
    m_speed->setToolTip(
        tr("Seconds of the scene in a second of the clock, of Animate and of recordings that are "
           "played; fastest: as fast as possible"));
    m_speed->setAccessibleName(tr("Speed"));
    speedLabel->setBuddy(m_speed);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT speedChosen(speed()); });
    addWidget(speedLabel);
    addWidget(m_speed);
    auto* untilLabel = new QLabel(tr("  &Until "));
    m_until = new QDoubleSpinBox;
    m_until->setObjectName("until");
    m_until->setDecimals(3);
    m_until->setRange(0., 1e6);
    m_until->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_until->setSpecialValueText(tr("no end"));
    m_until->setSuffix(tr(" s"));
    m_until->setKeyboardTracking(false);
    m_until->setToolTip(tr("Time of the scene at which the animation stops; 0: no end"));
    m_until->setAccessibleName(tr("Animate until"));
    untilLabel->setBuddy(m_until);
    connect(m_until, &QDoubleSpinBox::valueChanged, this, [this] { Q_EMIT endTimeChosen(endTime()); });
    addWidget(untilLabel);
    addWidget(m_until);
    addSeparator();
    addActions(behind);
    for (QToolButton* b : findChildren<QToolButton*>()) b->setFocusPolicy(Qt::TabFocus);
}

void ControlBar::showDt(double dt)
{
    if (m_dt->hasFocus()) return;
    const QSignalBlocker blocked(m_dt);
    m_dt->setValue(dt);
}

void ControlBar::setDtEnabled(bool on) { m_dt->setEnabled(on); }

double ControlBar::speed() const { return m_speed->currentData().toDouble(); }

double ControlBar::endTime() const
{
    return m_until->value() > 0. ? m_until->value() : std::numeric_limits<double>::infinity();
}

QString ControlBar::endText() const { return m_until->text(); }

}  // namespace sofa::qt
