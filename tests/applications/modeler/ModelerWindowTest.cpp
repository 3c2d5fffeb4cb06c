// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/applications/modeler/ModelerWindowTest.h"

#include <QDrag>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QTextBlock>
#include <QTreeView>

#include "applications/modeler/Recovery.h"

namespace sofa::modeler {

void ModelerWindowTest::init()
{
    qt::clearSettings();
    QDir(Recovery::folder()).removeRecursively();
    folder = std::make_unique<QTemporaryDir>();
    QVERIFY(folder->isValid());
}

void ModelerWindowTest::cleanup()
{
    close();
    folder.reset();
}

QByteArray ModelerWindowTest::cube()
{
    return R"(<?xml version="1.0"?>
<!-- A soft cube that falls -->
<Node name="root" dt="0.01" gravity="0 -1 0">
  <VisualStyle displayFlags="showBehavior showVisual"/>
  <Node name="body">
    <EulerImplicitSolver name="ode"  rayleighMass='0.1'/>
    <CGLinearSolver iterations="50" tolerance="1e-9" threshold="1e-12"/>
    <MeshTopology name="mesh" position="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1"
      tetrahedra="0 1 3 4  1 2 3 6  1 4 6 5  3 4 7 6  1 3 6 4"/>
    <MechanicalObject name="dofs" position="@mesh.position"/>
    <UniformMass name="mass" totalMass="1"/>
    <TetrahedronFEMForceField name="fem" youngModulus="1000" poissonRatio="0.3" unknownThing="7"/>
    <!-- <FixedProjectiveConstraint name="fixed" indices="0 1"/> -->
    <Node name="visual">
      <OglModel name="skin" src="@../mesh"/>
      <IdentityMapping input="@../dofs" output="@skin"/>
    </Node>
  </Node>
</Node>
)";
}

QString ModelerWindowTest::write(const QString& name, const QByteArray& text)
{
    const QString path = folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("cannot write a file");
    return path;
}

QByteArray ModelerWindowTest::read(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read '%s'", qPrintable(path));
    return file.readAll();
}

void ModelerWindowTest::openWindow()
{
    window = std::make_unique<ModelerWindow>();
    window->resize(1400, 900);
    window->show();
    if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window does not appear");
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get())) qFatal("the window does not get the keys");
}

void ModelerWindowTest::open(const QByteArray& scene)
{
    if (!window) openWindow();
    QVERIFY(window->open(write(QString("scene%1.scn").arg(window->tabs().count()), scene)));
    tree().expandAll();
    QTest::qWait(20);
}

void ModelerWindowTest::close() { window.reset(); }

XmlId ModelerWindowTest::at(const char* path) const
{
    const TextLinks* names = document().links();
    const XmlDocument* x = document().text().tree();
    for (std::uint32_t i = 0; x && i < x->items().size(); ++i)
        if (!names->nameOf(i).empty() && names->pathOf(i) == path) return x->items()[i].id;
    qFatal("no element at '%s'", path);
    return 0;
}

QPoint ModelerWindowTest::place(const char* path) const
{
    const QModelIndex i = model().indexOf(at(path));
    tree().scrollTo(i);
    QRect row = tree().visualRect(i);
    row.setRight(std::min(row.right(), row.left() + 60));
    return row.center();
}

void ModelerWindowTest::clickTree(const char* path, Qt::KeyboardModifiers keys)
{
    const QPoint p = place(path);
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, keys, p);
}

void ModelerWindowTest::dragAndDrop(QAbstractItemView* from, const QPoint& begin, QAbstractItemView* to,
                                    const QPoint& end, Qt::DropAction action)
{
    if (from->isVisible()) QTest::mouseClick(from->viewport(), Qt::LeftButton, {}, begin);
    const std::unique_ptr<QMimeData> data(from->model()->mimeData(from->selectionModel()->selectedRows()));
    const Qt::KeyboardModifiers keys = action == Qt::CopyAction ? Qt::ControlModifier : Qt::NoModifier;
    QDragEnterEvent enter(end, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, keys);
    QApplication::sendEvent(to->viewport(), &enter);
    QDragMoveEvent move(end, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, keys);
    QApplication::sendEvent(to->viewport(), &move);
    QDropEvent drop(end, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, keys);
    drop.setDropAction(action);
    QApplication::sendEvent(to->viewport(), &drop);
}

void ModelerWindowTest::clickMenu(const QString& menu, const QString& entry)
{
    const auto plain = [](QString s) { return s.remove('&').section('\t', 0, 0); };
    for (QAction* m : window->menuBar()->actions()) {
        if (plain(m->text()) != menu) continue;
        QTest::mouseClick(window->menuBar(), Qt::LeftButton, {}, window->menuBar()->actionGeometry(m).center());
        QTRY_VERIFY(m->menu()->isVisible());
        for (QAction* a : m->menu()->actions()) {
            if (plain(a->text()) != entry) continue;
            QTest::mouseClick(m->menu(), Qt::LeftButton, {}, m->menu()->actionGeometry(a).center());
            return;
        }
    }
    qFatal("no entry '%s' in the menu '%s'", qPrintable(entry), qPrintable(menu));
}

void ModelerWindowTest::press(const QKeySequence& keys) const
{
    if (!window->isActiveWindow()) window->activateWindow();  // without a window manager, nobody else does
    if (!QTest::qWaitForWindowActive(window.get())) qFatal("the window does not get the keys");
    QWidget* focus = window->focusWidget() ? window->focusWidget() : window.get();
    const QKeyCombination k = keys[0];
    QTest::keyClick(focus, k.key(), k.keyboardModifiers());
    QTest::qWait(5);
}

void ModelerWindowTest::answerDialog(const QString& path) { qt::answerFileDialog(qApp, path); }

void ModelerWindowTest::clickText(const QString& behind) const
{
    source().setFocus();
    QTextCursor c = source().document()->find(behind);
    if (c.isNull()) qFatal("no '%s' in the text", qPrintable(behind));
    c.clearSelection();
    c.setPosition(source().document()->find(behind).selectionEnd());
    source().setTextCursor(c);
}

void ModelerWindowTest::picture(const char* name) const
{
    const QString images = qEnvironmentVariable("SOFA_WINDOW_IMAGES");
    if (images.isEmpty()) return;
    QTest::qWait(50);
    // What is painted over the view is in the image of the screen alone.
    window->screen()->grabWindow(window->winId()).save(images + '/' + name + ".png");
}

}  // namespace sofa::modeler
