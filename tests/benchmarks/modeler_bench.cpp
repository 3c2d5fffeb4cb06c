// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// How the Modeler's window answers in a scene of bodies with ten components each: what its user waits for.
//
//     xvfb-run -a -s "-screen 0 1600x1000x24" modeler_bench [number of bodies = 1000] [--view] [--json]
//
// The panel with the view is closed unless `--view` is given: without a graphics card, its images take longer than all
// else, as OpenGL in software draws the bodies, and the whole window through it.
//
// "longest" is that of the slowest of several. Times of the window are those until everything is painted; "validated"
// is the time from the key until the messages of the text are there. "CPU" is what the thread of the window computes,
// in the mean, which other programs do not change.
#include <QApplication>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTreeView>
#include <ctime>
#include <fstream>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/ModelerWindow.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/SourceEditor.h"
#include "applications/modeler/TreePanel.h"
#include "tests/benchmarks/ManyBodies.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::benchmark;
using namespace sofa::modeler;

namespace {

/// Lets the window work until it waits for its user.
void settle()
{
    for (int i = 0; i < 3; ++i) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
}

template <class F>
double until(const F& f, double most)
{
    const double start = now();
    while (!f() && now() - start < most) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    return now() - start;
}

/// What the thread of the window has computed [s].
double cpuTime()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

class Times
{
public:
    template <class F>
    void measure(const F& f)
    {
        const double start = now(), used = cpuTime();
        f();
        add(now() - start, cpuTime() - used);
    }
    void add(double seconds, double cpu)
    {
        m_cpu += cpu;
        m_longest = std::max(m_longest, seconds);
        m_sum += seconds;
        ++m_count;
    }
    void write(Report& report, const char* what) const
    {
        report.row({{"what", what},
                    {"longest [ms]", m_longest * 1e3},
                    {"mean [ms]", m_sum / m_count * 1e3},
                    {"CPU [ms]", m_cpu / m_count * 1e3}});
    }

private:
    double m_longest = 0., m_sum = 0., m_cpu = 0.;
    int m_count = 0;
};

void key(QWidget& w, int code, const QString& text)
{
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent e(type, code, Qt::NoModifier, text);
        QApplication::sendEvent(&w, &e);
    }
}

void scroll(Report& report, const char* what, QAbstractScrollArea& area)
{
    Times times;
    QScrollBar& bar = *area.verticalScrollBar();
    bar.setValue(bar.minimum());
    settle();
    for (int i = 0; i < 200; ++i)
        times.measure([&] {
            bar.setValue(bar.value() + 3 * bar.singleStep());
            area.viewport()->repaint();
            settle();
        });
    times.write(report, what);
}

}  // namespace

int main(int argc, char** argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QApplication::setOrganizationName("sofa");
    QApplication::setApplicationName("modelerBench");
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    const Arguments arguments(argc, argv);
    Report report(arguments);
    const std::string text = sceneOfBodies(arguments.number(0, 1000));
    const QString path = folder.filePath("scene.scn");
    std::ofstream(path.toStdString()) << text;

    ModelerWindow window;
    if (!arguments.has("--view")) window.findChild<QWidget*>("viewDock")->hide();
    window.resize(1400, 900);
    window.show();
    settle();
    const auto row = [&](const char* what, double seconds) {
        report.row({{"what", what}, {"longest [ms]", seconds * 1e3}, {"mean [ms]", ""}, {"CPU [ms]", ""}});
    };
    const double begun = now();
    window.open(path);
    settle();
    row("opening: the window", now() - begun);
    Analyser& analyser = window.current()->analyser();
    int analysed = 0;
    QObject::connect(&analyser, &Analyser::analysed, &window, [&] { ++analysed; });
    until([&] { return analysed > 0; }, 60.);
    row("opening: messages", now() - begun);
    until([&] { return analyser.isUpToDate() && window.preview().session().isOpen(); }, 300.);
    settle();
    row("opening: initialised", now() - begun);

    QTreeView& tree = window.current()->tree().view();
    tree.expandAll();
    scroll(report, "a step of scrolling the tree", tree);
    SourceEditor& source = window.current()->source();
    scroll(report, "a step of scrolling the text", source);

    Times select;
    for (int i = 0; i < 20; ++i)
        select.measure([&] {
            key(tree, Qt::Key_Down, {});
            settle();
        });
    select.write(report, "a step down in the tree");

    // A value in the middle of the scene.
    const std::size_t place = text.find("youngModulus=\"", text.size() / 2) + 14;
    source.setFocus();
    source.goTo(place);
    settle();
    Times typed, validated;
    for (int i = 0; i < 8; ++i) {
        const int before = analysed;
        const double start = now(), used = cpuTime();
        key(source, Qt::Key_1, "1");
        settle();
        typed.add(now() - start, cpuTime() - used);
        until([&] { return analysed > before; }, 60.);
        validated.add(now() - start, cpuTime() - used);
    }
    typed.write(report, "a key: the window");
    validated.write(report, "a key: validated");
    Times undone;
    undone.measure([&] {
        window.document()->undo();
        settle();
    });
    undone.write(report, "undo");
    window.document()->goTo(0);
    return window.document()->text().bytes() == text ? 0 : 1;
}
