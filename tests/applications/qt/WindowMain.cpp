// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The main program of all tests of windows.
#include "tests/applications/qt/WindowMain.h"

#include <QAccessible>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QSurfaceFormat>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include "applications/qt/Language.h"
#include "applications/qt/Preferences.h"

namespace sofa::qt {

std::map<std::string, std::function<std::unique_ptr<QObject>()>>& windowTests()
{
    static std::map<std::string, std::function<std::unique_ptr<QObject>()>> all;
    return all;
}

void clearSettings()
{
    QSettings().clear();
    QSettings(QSettings::NativeFormat, QSettings::UserScope, QApplication::organizationName()).clear();
    Preferences::applyLook();
}

QString namelessWidgets(const QWidget& window)
{
    QStringList out;
    for (QWidget* w : window.findChildren<QWidget*>()) {
        const bool isReached =
            w->isVisible() && w->isEnabled() && (w->focusPolicy() & Qt::TabFocus) && !w->focusProxy();
        // Parts that Qt makes, such as the line of a box or the tabs of docks, speak for others.
        if (!isReached || w->objectName().startsWith("qt_") || (qobject_cast<QTabBar*>(w) && w->objectName().isEmpty()))
            continue;
        const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(w);
        if (spoken && spoken->text(QAccessible::Name).isEmpty())
            out << QString("%1 '%2' in '%3'")
                       .arg(w->metaObject()->className(), w->objectName(), w->parent()->objectName());
    }
    return out.join('\n');
}

void answerFileDialog(QObject* owner, const QString& path)
{
    auto* timer = new QTimer(owner);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        timer->deleteLater();
        timer->stop();
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(path);  // as pasted: typing would open a list of completions over it
        QTest::keyClick(name, Qt::Key_Return);
    });
    timer->start(20);
}

}  // namespace sofa::qt

int main(int argc, char** argv)
{
    // A home of its own: what the windows of other tests leave there, or copy for a recovery, is not theirs.
    if (qEnvironmentVariableIsEmpty("XDG_CACHE_HOME"))
        qputenv("XDG_CACHE_HOME", QDir::home().filePath(".cache").toLocal8Bit());  // shaders of the driver
    const QTemporaryDir home(QDir::temp().filePath("sofa-home-"));
    qputenv("HOME", qEnvironmentVariable("SOFA_TEST_HOME", home.path()).toLocal8Bit());
    QStandardPaths::setTestModeEnabled(true);
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication application(argc, argv);
    QApplication::setOrganizationName("sofa");
    QApplication::setApplicationName("runSofaTests");
    QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    // Some classes also run in other languages.
    sofa::qt::startLanguage(qEnvironmentVariable("SOFA_TEST_LANGUAGE", "en"));
    int failures = 0;
    // [CLASS [arguments of QtTest]]
    const std::string wanted = argc > 1 ? argv[1] : "";
    QStringList arguments{argv[0]};
    for (int i = 2; i < argc; ++i) arguments << argv[i];
    bool any = false;
    for (const auto& [name, create] : sofa::qt::windowTests()) {
        if (!wanted.empty() && !name.ends_with("::" + wanted)) continue;
        any = true;
        failures += QTest::qExec(create().get(), arguments);
    }
    if (!any) qCritical("there is no test class '%s'", wanted.c_str());
    return any ? failures : 1;
}
