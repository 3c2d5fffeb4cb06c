// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <cmath>

#include "applications/modeler/MeshWizard.h"
#include "core/Installation.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// From a mesh to a simulation: what files hold, what is made of them, and the wizard.
class MeshWizardTest : public ModelerWindowTest
{
    Q_OBJECT

    static std::string mesh(const std::string& name) { return (shareDirectory() / "mesh" / name).string(); }
    /// Loads a scene, runs 20 steps, and returns the messages.
    static QString run(const std::string& text)
    {
        const MessageCapture messages;
        LoadReport report;
        Simulation simulation(loadSceneText(text, "mesh.scn", {.strict = true}, &report));
        if (report.ok() && simulation.init())
            for (int i = 0; i < 20; ++i) simulation.step();
        QString out;
        for (const Message& m : messages.messages())
            if (m.severity == Severity::Error || m.severity == Severity::Warning || m.severity == Severity::Deprecated)
                out += QString::fromStdString(m.str()) + '\n';
        return out;
    }
    MeshWizard* openWizard()
    {
        clickMenu("File", "From Mesh to Simulation...");
        auto* wizard = window->findChild<MeshWizard*>("meshWizard");
        if (!wizard || !QTest::qWaitForWindowExposed(wizard)) qFatal("the wizard does not open");
        wizard->activateWindow();  // without a window manager, nobody else does
        if (!QTest::qWaitForWindowActive(wizard)) qFatal("the wizard does not get the keys");
        return wizard;
    }
    static void click(QWizard* wizard, QWizard::WizardButton button)
    {
        QTest::mouseClick(wizard->button(button), Qt::LeftButton);
    }
    static void type(QWizard* wizard, const char* field, const QString& text)
    {
        auto* line = wizard->findChild<QLineEdit*>(field);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Tab);
    }

private Q_SLOTS:
    void tellsWhatFilesHold();
    void everyKindRuns_data();
    void everyKindRuns();
    void wizardMakesADocument();
    void wizardInserts();
    void wizardRefuses();
};

void MeshWizardTest::tellsWhatFilesHold()
{
    const MeshFacts ball = meshFacts(mesh("sphere.obj"));
    QVERIFY(ball.isClosed);
    QVERIFY(std::abs(ball.volume - 4.1888) < 0.05);
    QVERIFY(std::abs(ball.inertia[0][0] / ball.volume - 0.4) < 0.01);
    QVERIFY(std::abs(ball.inertia[0][1]) < 1e-3);
    QCOMPARE(ball.triangles, std::size_t(1280));
    QCOMPARE(ball.loader, std::string("MeshOBJLoader"));
    QVERIFY(suits(ball, MeshSimulation::Kind::Grid) && !suits(ball, MeshSimulation::Kind::Elements));
    const MeshFacts cube = meshFacts(mesh("cube.obj"));
    QVERIFY(cube.isClosed);
    QVERIFY(std::abs(cube.volume - 8.) < 1e-9);
    QVERIFY(std::abs(cube.inertia[2][2] / cube.volume - 2. / 3.) < 1e-9);
    const MeshFacts floor = meshFacts(mesh("floor.obj"));
    QVERIFY(!floor.isClosed && floor.isFlat() && !cube.isFlat());
    QVERIFY(!suits(floor, MeshSimulation::Kind::Grid) && suits(floor, MeshSimulation::Kind::Cloth));
    const MeshFacts beam = meshFacts(mesh("beam.vtk"));
    QVERIFY(beam.isClosed && std::abs(beam.volume - 40.) < 1e-6);
    QVERIFY(suits(beam, MeshSimulation::Kind::Elements) && !suits(beam, MeshSimulation::Kind::Cloth));
    QVERIFY_EXCEPTION_THROWN(meshFacts("/nowhere/none.obj"), std::runtime_error);
    QVERIFY_EXCEPTION_THROWN(meshFacts(mesh("README.md")), std::runtime_error);
}

void MeshWizardTest::everyKindRuns_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"torus.obj", "cube.obj", "plate_holes_flat.obj", "floor.obj", "organ.obj", "sphere.msh",
                             "cube.msh", "beam.vtk", "bar.veg"})
        QTest::newRow(file) << file;
}

void MeshWizardTest::everyKindRuns()
{
    QFETCH(QString, file);
    const std::string name = file.toStdString();
    const MeshFacts facts = meshFacts(mesh(name));
    using Kind = MeshSimulation::Kind;
    int made = 0;
    for (const Kind kind : {Kind::Grid, Kind::Elements, Kind::Rigid, Kind::Obstacle, Kind::Cloth}) {
        if (!suits(facts, kind)) continue;
        MeshSimulation s;
        s.kind = kind;
        s.cells = 5;
        s.unit = made % 2 == 0 ? 1. : 0.01;
        s.direct = made % 2 == 1;
        s.collision = made % 3 != 2;
        s.thickness = 0.01 * facts.longest() * s.unit;
        s.boxMin = (facts.min - Vec3(0.1, 0.1, 0.1)) * s.unit;
        s.boxMax = Vec3(facts.min[0] + 0.2 * facts.longest(), facts.max[1] + 0.1, facts.max[2] + 0.1) * s.unit;
        const std::string text = meshScene(facts, s, "mesh/" + name);
        const QString messages = run(text);
        QVERIFY2(messages.isEmpty(), qPrintable(messages + QString::fromStdString(text)));
        ++made;
    }
    QVERIFY(made > 0);
}

void MeshWizardTest::wizardMakesADocument()
{
    open();
    MeshWizard* wizard = openWizard();
    QVERIFY(!wizard->button(QWizard::NextButton)->isEnabled());
    type(wizard, "meshFile", QString::fromStdString(mesh("torus.obj")));
    QVERIFY(wizard->findChild<QLabel*>("meshFacts")->text().contains("closed"));
    picture("wizardMesh");
    click(wizard, QWizard::NextButton);
    QVERIFY(wizard->findChild<QRadioButton*>("kindGrid")->isChecked());
    QVERIFY(!wizard->findChild<QRadioButton*>("kindElements")->isEnabled());
    type(wizard, "young", "3 kPa");
    if (const QByteArray images = qgetenv("SOFA_WINDOW_IMAGES"); !images.isEmpty())
        wizard->grab().save(QString::fromUtf8(images) + "/wizardObject.png");
    click(wizard, QWizard::NextButton);
    const QString text = wizard->findChild<QPlainTextEdit*>("wizardPreview")->toPlainText();
    QVERIFY(text.contains("youngModulus=\"3000\"") && text.contains("filename=\"mesh/torus.obj\""));
    click(wizard, QWizard::FinishButton);
    QTRY_COMPARE(window->tabs().count(), 2);
    QCOMPARE(QString::fromUtf8(bytes()), text);
    QCOMPARE(document().title(), QString("torus"));
    QTRY_VERIFY_WITH_TIMEOUT(window->current()->analyser().isUpToDate(), 60000);
    QCOMPARE(window->current()->analyser().findings().size(), std::size_t(0));
    picture("wizardResult");
}

void MeshWizardTest::wizardInserts()
{
    open();
    MeshWizard* wizard = openWizard();
    wizard->setFile(QString::fromStdString(mesh("cube.obj")));
    click(wizard, QWizard::NextButton);
    QTest::mouseClick(wizard->findChild<QRadioButton*>("kindObstacle"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(!wizard->findChild<QLineEdit*>("young")->isEnabled());
    QTest::mouseClick(wizard->findChild<QRadioButton*>("intoDocument"), Qt::LeftButton, {}, QPoint(8, 8));
    click(wizard, QWizard::NextButton);
    click(wizard, QWizard::FinishButton);
    QTRY_VERIFY(bytes().contains("<Node name=\"obstacle\">"));
    QVERIFY(bytes().contains("<CollisionPipeline/>"));
    QCOMPARE(document().text().historyPosition(), std::size_t(1));
    QCOMPARE(document().current(), at("/obstacle"));
    press(QKeySequence::Undo);
    QCOMPARE(bytes(), cube());
}

void MeshWizardTest::wizardRefuses()
{
    open();
    MeshWizard* wizard = openWizard();
    type(wizard, "meshFile", write("broken.obj", "v 0 0\nf 1 2 9\n"));
    QVERIFY(!wizard->button(QWizard::NextButton)->isEnabled());
    QVERIFY(!wizard->findChild<QLabel*>("meshFacts")->text().isEmpty());
    type(wizard, "meshFile", QString::fromStdString(mesh("sphere.msh")));
    click(wizard, QWizard::NextButton);
    type(wizard, "poisson", "0.7");
    QVERIFY(!wizard->button(QWizard::NextButton)->isEnabled());
    QVERIFY(wizard->findChild<QLabel*>("wizardProblem")->text().contains("Poisson"));
    type(wizard, "poisson", "0.4");
    type(wizard, "young", "3 kg");
    QVERIFY(!wizard->button(QWizard::NextButton)->isEnabled());
    type(wizard, "young", "0.2 MPa");
    type(wizard, "boxMin", "0 0");
    QVERIFY(!wizard->button(QWizard::NextButton)->isEnabled());
    QTest::mouseClick(wizard->findChild<QCheckBox*>("fixed"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(wizard->button(QWizard::NextButton)->isEnabled());
    click(wizard, QWizard::CancelButton);
    QCOMPARE(window->tabs().count(), 1);
}

const bool registered = qt::registerWindowTest<MeshWizardTest>();

}  // namespace sofa::modeler

#include <MeshWizardTest.moc>
