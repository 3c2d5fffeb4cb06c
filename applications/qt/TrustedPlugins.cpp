// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/TrustedPlugins.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "core/Trust.h"

namespace sofa::qt {

namespace {

/// Those of the organisation, also before there is an application.
struct Settings : QSettings
{
    Settings() : QSettings(NativeFormat, UserScope, QStringLiteral("sofa")) {}
};

const char* const key = "trustedPlugins";

/// "HASH PATH"; empty if the file cannot be read.
QString entry(const QString& library)
{
    QFile file(library);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {};
    return QString::fromLatin1(hash.result().toHex()) + ' ' + library;
}

}  // namespace

void TrustedPlugins::use()
{
    core::Trust::instance().setAnswer(
        [](const std::string& library) { return contains(QString::fromStdString(library)); });
}

bool TrustedPlugins::contains(const QString& library)
{
    const QString wanted = entry(library);
    return !wanted.isEmpty() && Settings().value(key).toStringList().contains(wanted);
}

void TrustedPlugins::add(const QString& library)
{
    const QString added = entry(library);
    if (added.isEmpty()) return;
    Settings s;
    QStringList all = s.value(key).toStringList();
    all.removeIf([&](const QString& e) { return e.section(' ', 1) == library; });
    s.setValue(key, all << added);
}

bool TrustedPlugins::ask(const QStringList& libraries, QWidget* parent)
{
    QMessageBox box(QMessageBox::Warning, QCoreApplication::translate("TrustedPlugins", "Native code"),
                    QCoreApplication::translate("TrustedPlugins",
                                                "The scene would load native code that is not installed:\n\n%1\n\nIt "
                                                "can do all that you can. Load it only if you trust where it comes "
                                                "from. The answer is kept until the file changes.")
                        .arg(libraries.join('\n')),
                    QMessageBox::Cancel, parent);
    const QPushButton* yes =
        box.addButton(QCoreApplication::translate("TrustedPlugins", "&Trust and load"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != yes) return false;
    for (const QString& l : libraries) add(l);
    return true;
}

}  // namespace sofa::qt
