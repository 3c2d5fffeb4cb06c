// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QApplication>
#include <QCommandLineParser>
#include <QSurfaceFormat>
#include <iostream>

#include "applications/modeler/ModelerWindow.h"
#include "applications/qt/Language.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/TrustedPlugins.h"
#include "core/Version.h"
#include "core/factory/PluginManager.h"

int main(int argc, char* argv[])
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    const QApplication application(argc, argv);
    QApplication::setOrganizationName("sofa");
    QApplication::setApplicationName("modeler");
    QApplication::setApplicationVersion(QString::fromUtf8(sofa::core::version()));
    QCommandLineParser parser;
    parser.setApplicationDescription("Edits scenes.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("scenes", "Scenes to open, beside those that were open last.", "[scenes...]");
    parser.addOption({"language", "Language of the window: en, de, ... Without it: that of the preferences.", "code"});
    parser.process(application);
    if (sofa::qt::startLanguage(parser.value("language")).isEmpty()) {
        std::cerr << "modeler: --language: there is no '" << parser.value("language").toStdString()
                  << "'; there are: " << sofa::qt::availableLanguages().join(", ").toStdString() << '\n';
        return 2;
    }
    sofa::qt::TrustedPlugins::use();
    try {
        sofa::core::PluginManager::instance().loadDefaultList();
    } catch (const sofa::core::PluginError& e) {
        std::cerr << e.what() << '\n';
    }
    sofa::qt::Preferences::applyLook();
    sofa::modeler::ModelerWindow window;
    window.show();
    window.restoreSession();
    for (const QString& path : parser.positionalArguments()) window.open(path);
    return QApplication::exec();
}
