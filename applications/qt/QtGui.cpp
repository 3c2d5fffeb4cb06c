// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <dlfcn.h>

#include <QApplication>
#include <QSurfaceFormat>
#include <cstdlib>
#include <iostream>

#include "applications/qt/Language.h"
#include "applications/qt/MainWindow.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/TrustedPlugins.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/LogPanel.h"
#include "core/simulation/Gui.h"

namespace {

using namespace sofa::core;

/// Whether an X server answers: Qt ends the program if it does not.
bool xAnswers()
{
    void* library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    using Connect = void* (*)(const char*, int*);
    using HasError = int (*)(void*);
    using Disconnect = void (*)(void*);
    const auto connect = reinterpret_cast<Connect>(dlsym(library, "xcb_connect"));
    const auto hasError = reinterpret_cast<HasError>(dlsym(library, "xcb_connection_has_error"));
    const auto disconnect = reinterpret_cast<Disconnect>(dlsym(library, "xcb_disconnect"));
    if (!connect || !hasError || !disconnect) return false;
    void* connection = connect(nullptr, nullptr);
    const bool good = hasError(connection) == 0;
    disconnect(connection);
    return good;
}

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable);
    return value && *value;
}

/// runSofa's window.
class QtGui final : public Gui
{
public:
    QtGui() { sofa::qt::TrustedPlugins::use(); }
    std::string unavailable() const override
    {
        const char* platform = std::getenv("QT_QPA_PLATFORM");
        if (platform && *platform && std::string_view(platform).find("xcb") == std::string_view::npos) return {};
        if (isSet("WAYLAND_DISPLAY")) return {};
        if (!isSet("DISPLAY")) return "no display";
        return xAnswers() ? "" : "no display answers at '" + std::string(std::getenv("DISPLAY")) + "'";
    }
    bool runsWithoutScene() const override { return true; }

    int run(std::shared_ptr<Simulation> simulation, const GuiOptions& options) override
    {
        QSurfaceFormat format;
        format.setVersion(3, 3);
        format.setProfile(QSurfaceFormat::CoreProfile);
        format.setDepthBufferSize(24);
        QSurfaceFormat::setDefaultFormat(format);
        static int argc = 1;
        static char name[] = "runSofa";
        static char* argv[] = {name, nullptr};
        QApplication application(argc, argv);
        QApplication::setOrganizationName("sofa");
        QApplication::setApplicationName("runSofa");

        if (sofa::qt::startLanguage(QString::fromStdString(options.language)).isEmpty()) {
            std::cerr << "runSofa: --language: there is no '" << options.language
                      << "'; there are: " << sofa::qt::availableLanguages().join(", ").toStdString() << '\n';
            return 2;
        }
        sofa::qt::Preferences::applyLook();
        sofa::qt::MainWindow window(options.load);
        window.viewer().setDisplayFlags(options.display);
        window.viewer().setViewFile(QString::fromStdString(options.view));
        window.show();
        window.log().add(options.messages);
        const QString path = QString::fromStdString(options.scene);
        if (simulation)
            window.session().adopt(*simulation, path);
        else
            window.notOpened(path, sofa::qt::Session::problems(options.messages, options.problem.c_str()),
                             options.problem.empty());
        simulation.reset();
        if (options.width > 0 && options.height > 0) {
            window.keepSize();
            window.resizeView(options.width, options.height);
        }
        if (window.session().thread()) {
            if (options.stepsGiven) window.stopAfter(options.steps);
            if (options.start && !(options.stepsGiven && options.steps == 0)) window.startWhenShown();
        }
        return QApplication::exec();
    }
};

}  // namespace

SOFA_GUI(QtGui)
