// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/RecentMenu.h"

#include <QFileInfo>
#include <QSettings>

namespace sofa::qt {

namespace {

constexpr int recentLimit = 10;

}  // namespace

RecentMenu::RecentMenu(const QString& title, QWidget* parent) : QMenu(title, parent)
{
    connect(this, &QMenu::aboutToShow, this, &RecentMenu::fill);
    fill();
}

void RecentMenu::remember(const QString& path)
{
    QSettings settings;
    QStringList recent = settings.value("recent").toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings.setValue("recent", QStringList(recent.mid(0, recentLimit)));
}

void RecentMenu::fill()
{
    clear();
    int number = 0;
    for (const QString& path : QSettings().value("recent").toStringList()) {
        ++number;
        QAction* a = addAction(QStringLiteral("&%1  %2").arg(number % 10).arg(QString(path).replace('&', "&&")), this,
                               [this, path] { Q_EMIT chosen(path); });
        a->setEnabled(QFileInfo::exists(path));
    }
    if (number == 0) addAction(tr("(none)"))->setEnabled(false);
    addSeparator();
    addAction(tr("&Clear"), this, [] { QSettings().remove("recent"); })->setEnabled(number > 0);
}

}  // namespace sofa::qt
