// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <unistd.h>

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "applications/qt/panels/DataEditor.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/LogPanel.h"
#include "applications/qt/panels/ProfilerPanel.h"
#include "applications/qt/panels/PropertyWindow.h"
#include "applications/qt/panels/StatsPanel.h"
#include "applications/qt/panels/TableEditor.h"
#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"

namespace panels_test {

namespace {

using namespace sofa::core;
using namespace sofa::qt;
namespace fs = std::filesystem;

/// The one application of this program: made by the first test that needs it, and gone before main() ends, as Qt wants.
/// Without a display it draws into memory.
std::unique_ptr<QApplication> theApplication;

void application()
{
    static int argc = 1;
    static char name[] = "test";
    static char* argv[] = {name, nullptr};
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !qEnvironmentVariableIsSet("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!theApplication) theApplication = std::make_unique<QApplication>(argc, argv);
}

struct EndOfTests final : Catch::TestEventListenerBase
{
    using TestEventListenerBase::TestEventListenerBase;
    void testRunEnded(const Catch::TestRunStats&) override { theApplication.reset(); }
};
CATCH_REGISTER_LISTENER(EndOfTests)

constexpr const char* scene = R"(
<Node name="root" dt="0.01" gravity="0 -10 0">
  <CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>
  <DiscreteIntersection/><CollisionResponse response="PenalityContactForceField"/>
  <Node name="upper">
    <EulerExplicitSolver name="solver"/>
    <MechanicalObject name="dofs" position="0 1.9 0" velocity="0 -1 0"/>
    <UniformMass name="mass" totalMass="2"/>
    <SphereCollisionModel name="ball" radius="1"/>
  </Node>
  <Node name="lower">
    <MechanicalObject name="dofs" position="0 0 0"/>
    <SphereCollisionModel name="ball" radius="1" moving="0" simulated="0"/>
  </Node>
</Node>)";

/// A running scene. Its messages are kept off the console.
struct Running
{
    MessageCapture quiet;
    std::shared_ptr<Simulation> simulation = std::make_shared<Simulation>(loadSceneText(scene, "balls.scn"));
    std::unique_ptr<SimulationThread> thread;
    Running()
    {
        application();
        REQUIRE(simulation->init());
        thread = std::make_unique<SimulationThread>(*simulation);
    }
};

/// Runs the window's events until something holds; false after five seconds.
template <class F>
bool soon(F&& what)
{
    for (int i = 0; i < 500; ++i) {
        QTest::qWait(10);
        if (what()) return true;
    }
    return false;
}

template <class W>
W& find(QWidget& in, const char* name)
{
    auto* w = in.findChild<W*>(name);
    if (!w) FAIL("no widget " << name);
    return *w;
}

QTreeWidgetItem* itemOf(QTreeWidget& tree, const QString& name)
{
    for (QTreeWidgetItemIterator it(&tree); *it; ++it)
        if ((*it)->text(0) == name) return *it;
    return nullptr;
}

fs::path scratch(const std::string& name)
{
    static const sofa::test::TemporaryDirectory folder;
    return folder / name;
}

std::string contents(const fs::path& file)
{
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

void doubleClick(QTreeWidget& tree, QTreeWidgetItem* item)
{
    REQUIRE(item);
    tree.scrollToItem(item);
    const QPoint at = tree.visualItemRect(item).center();
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(tree.viewport(), Qt::LeftButton, {}, at);
}

}  // namespace

TEST_CASE("The graph tab shows the scene, follows it, and finds things")
{
    Running run;
    GraphPanel panel;
    panel.resize(360, 500);
    panel.setSimulation(run.thread.get());
    panel.show();
    QTreeWidget& tree = *panel.tree();
    REQUIRE(soon([&] { return itemOf(tree, "mass") != nullptr; }));
    CHECK(itemOf(tree, "mass")->text(1) == "UniformMass<Vec3>");
    CHECK(itemOf(tree, "mass")->parent()->text(0) == "upper");

    QLineEdit& search = find<QLineEdit>(panel, "graphSearch");
    QTest::keyClicks(&search, "sphere");
    CHECK(itemOf(tree, "mass")->isHidden());
    CHECK_FALSE(itemOf(tree, "ball")->isHidden());
    CHECK_FALSE(itemOf(tree, "upper")->isHidden());
    search.clear();
    CHECK_FALSE(itemOf(tree, "mass")->isHidden());
    QComboBox& kind = find<QComboBox>(panel, "graphKind");
    kind.setCurrentIndex(kind.findText("Mass"));
    CHECK_FALSE(itemOf(tree, "mass")->isHidden());
    CHECK(itemOf(tree, "ball")->isHidden());
    kind.setCurrentIndex(0);

    // The first contact brings a force into the scene, and into the tree.
    const auto count = [&] {
        int n = 0;
        for (QTreeWidgetItemIterator it(&tree); *it; ++it) ++n;
        return n;
    };
    const int before = count();
    run.thread->step();
    CHECK(soon([&] { return count() > before; }));

    // A closed node stays closed.
    itemOf(tree, "upper")->setExpanded(false);
    run.thread->call([](Simulation& s) { s.root().createChild("new"); });
    REQUIRE(soon([&] { return itemOf(tree, "new") != nullptr; }));
    CHECK_FALSE(itemOf(tree, "upper")->isExpanded());
    CHECK(panel.select("/upper/mass"));
    CHECK(tree.currentItem()->text(0) == "mass");
    run.thread->stop();
    panel.setSimulation(nullptr);
    CHECK(count() == 0);
}

TEST_CASE("The menu of a node works on it")
{
    Running run;
    GraphPanel panel;
    panel.resize(360, 500);
    panel.setSimulation(run.thread.get());
    panel.show();
    QTreeWidget& tree = *panel.tree();
    QString said;
    panel.onMessage = [&](const QString& t) { said = t; };
    REQUIRE(soon([&] { return itemOf(tree, "upper") != nullptr; }));
    const auto choose = [&](const QString& node, const QString& action) {
        tree.scrollToItem(itemOf(tree, node));
        Q_EMIT tree.customContextMenuRequested(tree.visualItemRect(itemOf(tree, node)).center());
        const QPointer<QMenu> menu = panel.findChild<QMenu*>("graphMenu");
        REQUIRE(menu);
        for (QAction* a : menu->actions())
            if (a->text().remove('&') == action) {
                REQUIRE(a->isEnabled());
                QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(a).center());
                CHECK(soon([&] { return menu.isNull(); }));
                return;
            }
        FAIL("no action " << action.toStdString());
    };
    choose("upper", "Collapse");
    CHECK_FALSE(itemOf(tree, "upper")->isExpanded());
    choose("upper", "Expand");
    CHECK(itemOf(tree, "upper")->isExpanded());

    choose("upper", "Deactivate");
    CHECK(soon([&] { return itemOf(tree, "upper")->font(0).strikeOut(); }));
    bool active = true;
    run.thread->call([&](Simulation& s) { active = s.root().child("upper")->isActive(); });
    CHECK_FALSE(active);
    choose("upper", "Activate");
    CHECK(soon([&] { return !itemOf(tree, "upper")->font(0).strikeOut(); }));

    const fs::path file = scratch("node.scn");
    panel.saveNode("/upper", QString::fromStdString(file.string()));
    CHECK(soon([&] { return fs::exists(file) && !said.isEmpty(); }));
    CHECK(contents(file).find("UniformMass") != std::string::npos);

    said.clear();
    panel.addNode("/lower", QString::fromStdString(file.string()));
    CHECK(soon([&] {
        run.thread->call([&](Simulation& s) { active = s.root().child("lower")->child("upper") != nullptr; });
        return active;
    }));
    CHECK(soon([&] { return said.contains("was added"); }));
    run.thread->step();  // the scene goes on with it

    choose("lower", "Remove node");
    CHECK(soon([&] { return itemOf(tree, "lower") == nullptr; }));
    panel.removeNode("/");
    CHECK(soon([&] { return said.contains("the root cannot be removed"); }));
    panel.addNode("/upper", "/nonexistent.scn");
    CHECK(soon([&] { return said.contains("/nonexistent.scn"); }));

    const fs::path dot = scratch("scene.dot");
    panel.exportGraph(QString::fromStdString(dot.string()));
    CHECK(soon([&] { return fs::exists(dot) && contents(dot).ends_with("}\n"); }));
    run.thread->stop();
    panel.setSimulation(nullptr);
}

TEST_CASE("A double click opens the properties, and Update applies them")
{
    Running run;
    GraphPanel panel;
    panel.resize(360, 500);
    panel.setSimulation(run.thread.get());
    panel.show();
    QTreeWidget& tree = *panel.tree();
    REQUIRE(soon([&] { return itemOf(tree, "mass") != nullptr; }));
    doubleClick(tree, itemOf(tree, "mass"));
    REQUIRE(panel.propertyWindows().size() == 1);
    PropertyWindow& window = *panel.propertyWindows().front();
    REQUIRE(soon([&] { return window.editor("totalMass") && window.editor("totalMass")->value() == "2"; }));

    QPushButton& update = find<QPushButton>(window, "propertyUpdate");
    CHECK_FALSE(update.isEnabled());
    auto* line = window.editor("totalMass")->findChild<QLineEdit*>();
    REQUIRE(line);
    line->selectAll();
    QTest::keyClicks(line, "3000 g");
    CHECK(window.edited() == std::vector<std::string>{"totalMass"});
    CHECK(update.isEnabled());
    QTest::mouseClick(&update, Qt::LeftButton);
    REQUIRE(soon([&] { return window.edited().empty(); }));
    CHECK(soon([&] { return window.editor("totalMass")->value() == "3"; }));
    double mass = 0.;
    run.thread->call([&](Simulation& s) {
        std::istringstream(wholeText(*findObject(s.root(), "/upper/mass"), "totalMass")) >> mass;
    });
    CHECK(mass == 3.);

    line->selectAll();
    QTest::keyClicks(line, "three");
    QTest::mouseClick(&update, Qt::LeftButton);
    CHECK(soon([&] { return !window.error("totalMass").isEmpty(); }));
    CHECK(window.edited() == std::vector<std::string>{"totalMass"});
    QTest::mouseClick(&find<QPushButton>(window, "propertyRevert"), Qt::LeftButton);
    CHECK(soon([&] { return window.editor("totalMass")->value() == "3"; }));
    CHECK(window.error("totalMass").isEmpty());

    // Values that are not edited follow the simulation.
    panel.openProperties("/upper/dofs");
    REQUIRE(panel.propertyWindows().size() == 2);
    PropertyWindow* dofs = nullptr;
    for (PropertyWindow* w : panel.propertyWindows())
        if (w->path() == "/upper/dofs") dofs = w;
    REQUIRE(dofs);
    REQUIRE(soon([&] { return dofs->editor("position") && dofs->editor("position")->value() == "0 1.9 0"; }));
    run.thread->step();
    CHECK(soon([&] { return dofs->editor("position")->value() != "0 1.9 0"; }));
    run.thread->stop();
    panel.setSimulation(nullptr);
    CHECK(soon([&] { return panel.propertyWindows().empty(); }));
}

TEST_CASE("Each type of Data has an editor that writes it as a scene does")
{
    application();
    const auto make = [](const char* type, const char* text, std::vector<std::string> choices = {}) {
        DataEntry d;
        d.name = "x";
        d.typeName = type;
        d.text = text;
        d.length = d.text.size();
        d.choices = std::move(choices);
        auto* e = makeEditor(d);
        e->setValue(QString::fromStdString(d.text));
        return std::unique_ptr<DataEditor>(e);
    };
    int edits = 0;
    {
        const auto e = make("bool", "0");
        e->onEdited = [&] { ++edits; };
        e->show();
        auto& box = *e->findChild<QCheckBox*>();
        QTest::mouseClick(&box, Qt::LeftButton, {}, QPoint(8, box.height() / 2));
        CHECK(e->value() == "1");
        CHECK(edits == 1);
        e->setValue("0");
        CHECK(e->value() == "0");
        CHECK(edits == 1);
        e->setReadOnly(true);
        CHECK_FALSE(box.isEnabled());
    }
    {
        const auto e = make("option", "b", {"a", "b", "c"});
        CHECK(e->value() == "b");
        e->onEdited = [&] { ++edits; };
        e->show();
        QTest::keyClick(e->findChild<QComboBox*>(), Qt::Key_Down);
        CHECK(e->value() == "c");
        CHECK(edits == 2);
    }
    {
        const auto e = make("list of Vec3", "1 2 3 4 5 6.5");
        auto* table = e->findChild<QTableView*>();
        REQUIRE(table);
        CHECK(table->model()->rowCount() == 2);
        CHECK(e->value() == "1 2 3 4 5 6.5");
        e->onEdited = [&] { ++edits; };
        table->model()->setData(table->model()->index(1, 2), "7");
        CHECK(edits == 3);
        CHECK(e->value() == "1 2 3 4 5 7");
        table->setCurrentIndex(table->model()->index(0, 0));
        e->show();
        for (QPushButton* b : e->findChildren<QPushButton*>())
            if (b->text() == "Add row") QTest::mouseClick(b, Qt::LeftButton);
        CHECK(e->value() == "1 2 3 0 0 0 4 5 7");
        e->setReadOnly(true);
        CHECK(table->editTriggers() == QAbstractItemView::NoEditTriggers);
    }
    CHECK(make("colour", "1 0 0 1")->findChild<QToolButton*>() != nullptr);
    CHECK(make("file name", "mesh.obj")->findChild<QPushButton*>() != nullptr);
    CHECK(make("double", "1.5")->value() == "1.5");
    CHECK(make("string", "two\nlines")->value() == "two\nlines");
    CHECK(columnsOf("list of 4 x unsigned int") == 4);
    CHECK(columnsOf("list of RigidCoord3") == 7);
    CHECK(columnsOf("list of string") == 0);
    CHECK(columnsOf("list of list of int") == 0);
}

TEST_CASE("Lists are edited as tables: rows come and go, spreadsheets paste, long ones stay quick")
{
    application();
    int edits = 0;
    TableEditor e("list of Vec3");
    e.setValue("0 0 0  1 0 0");
    e.onEdited = [&] { ++edits; };
    e.show();
    CHECK(e.table().model()->headerData(2, Qt::Horizontal) == "z");
    const auto paste = [&](const char* text) {
        QApplication::clipboard()->setText(text);
        QTest::keyClick(&e.table(), Qt::Key_V, Qt::ControlModifier);
    };
    // Behind the last row, over what is marked, and numbers with a comma.
    paste("1\t2\t3\r\n4\t5\t6,5\r\n");
    CHECK(e.value() == "0 0 0 1 0 0 1 2 3 4 5 6.5");
    CHECK(edits == 1);
    e.table().setCurrentIndex(e.table().model()->index(3, 1));
    paste("7 8\n9 10\n");
    CHECK(e.value() == "0 0 0 1 0 0 1 2 3 4 7 8 0 9 10");
    CHECK(edits == 2);
    // What is refused changes nothing, and says why.
    auto* problem = e.findChild<QLabel*>("tableProblem");
    for (const char* bad : {"1 2 3 4", "a b", ""}) {
        paste(bad);
        CHECK_FALSE(problem->isHidden());
        CHECK(edits == 2);
    }
    // Rows that are marked go at once.
    e.table().clearSelection();
    auto* selection = e.table().selectionModel();
    for (const int row : {0, 2, 3})
        selection->select(e.table().model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTest::keyClick(&e.table(), Qt::Key_C, Qt::ControlModifier);
    CHECK(QApplication::clipboard()->text() == "0\t0\t0\n1\t2\t3\n4\t7\t8");
    for (QPushButton* b : e.findChildren<QPushButton*>())
        if (b->text() == "Remove rows") QTest::mouseClick(b, Qt::LeftButton);
    CHECK(e.value() == "1 0 0 0 9 10");
    CHECK(edits == 3);
    // A list of a hundred thousand rows makes no widgets of its cells.
    QString text;
    for (int i = 0; i < 100'000; ++i) text += QString::number(i) + " 0.5 1 ";
    e.setValue(text);
    CHECK(e.table().model()->rowCount() == 100'000);
    CHECK(e.value() == text.trimmed());
    CHECK(e.findChildren<QWidget*>().size() < 40);
    CHECK(columnNames("list of RigidCoord3").value(3) == "qx");
    CHECK(columnNames("list of 3 x unsigned int").value(0) == "0");
    // A short list has a line and, behind a button, its table.
    DataEntry entry;
    entry.typeName = "list of Vec3";
    entry.text = "1 2 3";
    entry.length = 5;
    const std::unique_ptr<DataEditor> line(makeEditor(entry));
    line->setValue("1 2 3");
    line->onEdited = [&] { ++edits; };
    line->show();
    auto* button = line->findChild<QToolButton*>("asTable");
    REQUIRE(button);
    QTest::mouseClick(button, Qt::LeftButton);
    auto* dialog = line->findChild<QDialog*>("tableDialog");
    REQUIRE(dialog);
    auto* inside = dialog->findChild<QTableView*>();
    QApplication::clipboard()->setText("4 5 6");
    QTest::keyClick(inside, Qt::Key_V, Qt::ControlModifier);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    CHECK(line->value() == "1 2 3 4 5 6");
    CHECK(edits == 4);
    line->setValue("1 2 3 mm");
    CHECK_FALSE(button->isEnabled());
}

TEST_CASE("The stats tab counts what collides, exports, and plots")
{
    Running run;
    StatsPanel panel;
    panel.resize(380, 700);
    QString said;
    panel.onMessage = [&](const QString& t) { said = t; };
    const fs::path folder = scratch("stats");
    fs::create_directories(folder);
    panel.setFolder(QString::fromStdString(folder.string()));
    panel.setSimulation(run.thread.get());
    panel.show();
    QTreeWidget& models = find<QTreeWidget>(panel, "statsModels");
    REQUIRE(soon([&] { return models.topLevelItemCount() == 2; }));
    CHECK(models.topLevelItem(0)->text(0) == "/upper/ball");
    CHECK(models.topLevelItem(1)->text(3) == "obstacle");
    CHECK(find<QLabel>(panel, "statsSummary").text().contains("2 sphere"));

    QTest::mouseClick(&find<QPushButton>(panel, "statsDump"), Qt::LeftButton);
    CHECK(soon([&] { return fs::exists(folder / "dumpState.data") && said.contains("dumpState.data"); }));
    CHECK(contents(folder / "dumpState.data").find("/upper/dofs Vec3 1\nx 0 1.9 0") != std::string::npos);

    QCheckBox& gnuplot = find<QCheckBox>(panel, "statsGnuplot");
    QTest::mouseClick(&gnuplot, Qt::LeftButton, {}, QPoint(8, gnuplot.height() / 2));
    CHECK(soon([&] { return said.contains("are written"); }));
    run.thread->step(3);
    QTreeWidget& pairs = find<QTreeWidget>(panel, "statsPairs");
    CHECK(soon([&] { return pairs.topLevelItemCount() == 1; }));
    CHECK(soon([&] { return panel.timePlot().pointCount() == 3; }));
    CHECK(panel.timePlot().last(0) > 0.);
    CHECK(panel.energyPlot().last(0) > 0.);
    CHECK(panel.energyPlot().last(2) == panel.energyPlot().last(0) + panel.energyPlot().last(1));
    QTest::mouseClick(&gnuplot, Qt::LeftButton, {}, QPoint(8, gnuplot.height() / 2));
    CHECK(soon([&] { return said.contains("complete"); }));
    const std::string lines = contents(folder / "Energy.txt");
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 5);  // a header, the state before, three steps

    QCheckBox& log = find<QCheckBox>(panel, "statsLogTime");
    std::ostringstream console;
    std::streambuf* real = std::cout.rdbuf(console.rdbuf());
    QTest::mouseClick(&log, Qt::LeftButton, {}, QPoint(8, log.height() / 2));
    run.thread->step();
    run.thread->call([](Simulation&) {});
    QTest::mouseClick(&log, Qt::LeftButton, {}, QPoint(8, log.height() / 2));
    run.thread->stop();
    std::cout.rdbuf(real);
    CHECK(console.str().starts_with("step 4, 0.04 s: "));
    CHECK(console.str().find(" ms; ") != std::string::npos);
    panel.setSimulation(nullptr);
}

TEST_CASE("The log tab shows messages, filters them, and leads to their components")
{
    application();
    LogPanel panel;
    panel.resize(500, 300);
    panel.show();
    // The panel's own handler is asked, not the console.
    MessageLog::emit({Severity::Error, {}, "/body/fem (FEM)", "too stiff"});
    MessageLog::emit({Severity::Warning, {}, "/body/mass (Mass)", "too light"});
    MessageLog::emit({Severity::Info, {}, "", "loaded"});
    REQUIRE(soon([&] { return panel.messageCount() >= 3; }));
    CHECK(panel.shownCount() == panel.messageCount());
    QToolButton& warnings = find<QToolButton>(panel, "logWarnings");
    QTest::mouseClick(&warnings, Qt::LeftButton);
    CHECK_FALSE(panel.shownText().contains("too light"));
    QTest::mouseClick(&warnings, Qt::LeftButton);
    QTest::keyClicks(&find<QLineEdit>(panel, "logFilter"), "/body/fem");
    CHECK(panel.shownCount() == 1);
    std::string asked;
    panel.onComponent = [&](const std::string& path) { asked = path; };
    QTreeWidget& list = find<QTreeWidget>(panel, "logList");
    doubleClick(list, list.topLevelItem(0));
    CHECK(asked == "/body/fem");
    QTest::mouseClick(&find<QPushButton>(panel, "logCopy"), Qt::LeftButton);
    CHECK(QGuiApplication::clipboard()->text().contains("too stiff"));
    QTest::mouseClick(&find<QPushButton>(panel, "logClear"), Qt::LeftButton);
    CHECK(panel.messageCount() == 0);
    CHECK(senderPath("/a/b (C)") == "/a/b");
}

TEST_CASE("The profiler tab says where the time of steps goes")
{
    Running run;
    ProfilerPanel panel;
    panel.resize(450, 400);
    panel.setSimulation(run.thread.get());
    panel.show();
    QPushButton& on = find<QPushButton>(panel, "profilerOn");
    QTest::mouseClick(&on, Qt::LeftButton);
    CHECK(panel.isOn());
    run.thread->step(5);
    QTreeWidget& tree = find<QTreeWidget>(panel, "profilerTree");
    REQUIRE(soon([&] { return tree.topLevelItemCount() > 0; }));
    QLabel& summary = find<QLabel>(panel, "profilerSummary");
    CHECK(soon([&] { return summary.text().startsWith("5 steps"); }));
    CHECK(tree.topLevelItem(0)->childCount() > 0);
    CHECK(tree.topLevelItem(0)->text(3).toDouble() > 0.);
    const fs::path file = scratch("trace.json");
    panel.exportTrace(QString::fromStdString(file.string()));
    CHECK(soon([&] { return fs::exists(file) && contents(file).find("\"ph\"") != std::string::npos; }));
    QTest::mouseClick(&find<QPushButton>(panel, "profilerReset"), Qt::LeftButton);
    CHECK(soon([&] { return summary.text() == "Measuring; no step yet."; }));
    QTest::mouseClick(&on, Qt::LeftButton);
    CHECK_FALSE(panel.isOn());
    run.thread->stop();
    panel.setSimulation(nullptr);
}

TEST_CASE("Ticks of plots are round numbers")
{
    CHECK(PlotWidget::tickStep(10., 5) == Approx(2.));
    CHECK(PlotWidget::tickStep(1., 3) == Approx(0.5));
    CHECK(PlotWidget::tickStep(0.03, 4) == Approx(0.01));
    CHECK(PlotWidget::tickStep(0., 4) == 1.);
    application();
    PlotWidget plot("Energy", "J", {{"a", Qt::red}});
    plot.append(0., {1.});
    plot.append(1., {2.});
    CHECK(plot.pointCount() == 2);
    plot.append(0.5, {3.});  // time went back: a reset
    CHECK(plot.pointCount() == 1);
    CHECK(plot.last(0) == 3.);
}

}  // namespace panels_test
