// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QGraphicsItem>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "applications/modeler/LinkGraphPanel.h"
#include "tests/applications/modeler/ModelerWindowTest.h"

namespace sofa::modeler {

/// The graph of links: what is in it, where, and the mouse.
class LinkGraphTest : public ModelerWindowTest
{
    Q_OBJECT

    LinkGraphPanel& panel() const { return window->graph(); }
    bool shows(const char* path) const { return panel().box(at(path)) != nullptr; }
    void show()
    {
        find<QWidget>("graphDock")->raise();
        QTRY_VERIFY(panel().isVisible());
    }
    QPoint middleOf(const char* path) const
    {
        return panel().view().mapFromScene(panel().box(at(path))->sceneBoundingRect().center());
    }

private Q_SLOTS:
    void holdsTheNeighbourhood();
    void laysOutApart();
    void mouseSelectsZoomsAndMoves();
    void staysReadable();
};

void LinkGraphTest::holdsTheNeighbourhood()
{
    open();
    show();
    clickTree("/body/visual/IdentityMapping1");
    find<QSpinBox>("graphDistance")->setValue(1);
    QVERIFY(shows("/body/visual/IdentityMapping1") && shows("/body/dofs") && shows("/body/visual/skin"));
    QVERIFY(shows("/body/visual") && !shows("/body/mass"));
    const auto& g = panel().graph();
    const auto named = [&](const std::string& label) {
        return std::ranges::count(g.edges, label, &LinkGraph::Edge::label);
    };
    QCOMPARE(named("input"), 1);
    QCOMPARE(named("output"), 1);
    find<QSpinBox>("graphDistance")->setValue(2);
    QVERIFY(shows("/body/mesh") && shows("/body") && !shows("/body/mass"));
    picture("graph");
    // The text changes, and so does the graph.
    clickTree("/body/dofs");
    press(QKeySequence::Delete);
    QVERIFY(std::ranges::none_of(panel().graph().edges, [](const auto& e) { return e.label == "input"; }));
    press(QKeySequence::Undo);
}

void LinkGraphTest::laysOutApart()
{
    LinkGraph g;
    for (XmlId i = 0; i < 40; ++i) g.objects.push_back(i + 1);
    for (std::size_t i = 1; i < 40; ++i) g.edges.push_back({(i - 1) / 3, i, i % 2 ? "input" : ""});
    g.edges.push_back({39, 3, "again"});
    const auto places = layOut(g, 100.);
    QCOMPARE(places.size(), std::size_t(40));
    QCOMPARE(layOut(g, 100.), places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        QVERIFY(std::isfinite(places[i].x()) && std::isfinite(places[i].y()));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(QLineF(places[i], places[j]).length() > 10.);
    }
    double sum = 0.;
    for (const auto& e : g.edges) sum += QLineF(places[e.from], places[e.to]).length();
    QVERIFY(sum / static_cast<double>(g.edges.size()) > 40. && sum / static_cast<double>(g.edges.size()) < 250.);
    QCOMPARE(layOut({}, 100.).size(), std::size_t(0));
    g.objects.resize(1);
    g.edges.clear();
    QCOMPARE(layOut(g, 100.).size(), std::size_t(1));
}

void LinkGraphTest::mouseSelectsZoomsAndMoves()
{
    open();
    show();
    clickTree("/body/dofs");
    const auto before = panel().graph().objects;
    panel().view().fitInView(panel().view().sceneRect(), Qt::KeepAspectRatio);
    QTest::mouseClick(panel().view().viewport(), Qt::LeftButton, {}, middleOf("/body/mesh"));
    QCOMPARE(document().current(), at("/body/mesh"));
    QCOMPARE(panel().graph().objects, before);  // what is shown stays where it is
    QTest::mouseDClick(panel().view().viewport(), Qt::LeftButton, {}, middleOf("/body/mesh"));
    QCOMPARE(panel().graph().objects.front(), at("/body/mesh"));
    const double scale = panel().view().transform().m11();
    QWheelEvent wheel(QPointF(50, 50), panel().view().viewport()->mapToGlobal(QPointF(50, 50)), {}, {0, 120},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(panel().view().viewport(), &wheel);
    QVERIFY(panel().view().transform().m11() > 1.1 * scale);
}

void LinkGraphTest::staysReadable()
{
    QByteArray many = "<Node name=\"root\">\n";
    for (int i = 0; i < 200; ++i) many += "  <UniformMass name=\"m" + QByteArray::number(i) + "\"/>\n";
    open(many + "</Node>\n");
    show();
    clickTree("/m3");
    QCOMPARE(panel().graph().objects.size(), LinkGraphPanel::limit);
    QVERIFY(shows("/m3"));
    QVERIFY(find<QLabel>("graphNote")->text().contains("141"));
}

const bool registered = qt::registerWindowTest<LinkGraphTest>();

}  // namespace sofa::modeler

#include <LinkGraphTest.moc>
