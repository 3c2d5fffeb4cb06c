// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>

#include "applications/qt/Viewer.h"
#include "tests/applications/qt/WindowTest.h"

namespace sofa::qt {

/// The window on small and large screens; run with letters of the usual size, with all at twice the size, and
/// in German.
class ScreenTest : public WindowTest
{
    Q_OBJECT

    /// Sizes in pixels of the screen, as the window counts them.
    QSize points(const QSize& pixels) const { return pixels / window->devicePixelRatioF(); }

    /// What shows a text and is too small for it; empty if nothing is.
    QStringList cutOff() const
    {
        QStringList faults;
        const auto check = [&](const QWidget* w, const QString& text, const QSize& needed) {
            if (!w->isVisible() || text.isEmpty()) return;
            if (w->width() < needed.width() || w->height() < needed.height())
                faults << QStringLiteral("'%1' needs %2x%3, has %4x%5")
                              .arg(text)
                              .arg(needed.width())
                              .arg(needed.height())
                              .arg(w->width())
                              .arg(w->height());
        };
        for (const auto* b : window->findChildren<QPushButton*>()) check(b, b->text(), b->minimumSizeHint());
        for (const auto* b : window->findChildren<QCheckBox*>()) check(b, b->text(), b->sizeHint());
        for (const auto* b : window->findChildren<QToolButton*>()) check(b, b->text(), b->minimumSizeHint());
        for (const auto* b : window->findChildren<QLabel*>()) {
            QSize needed = b->minimumSizeHint();
            if (b->wordWrap()) needed.setHeight(b->heightForWidth(b->width()));
            check(b, b->text(), needed);
        }
        for (const auto* b : window->findChildren<QAbstractSpinBox*>()) check(b, b->text(), b->minimumSizeHint());
        for (const auto* b : window->findChildren<QComboBox*>()) {
            // The chosen entry, with room for the arrow.
            const int letters = b->fontMetrics().horizontalAdvance(b->currentText());
            check(b, b->currentText(), {letters + b->height(), b->minimumSizeHint().height()});
        }
        // The longest text of each column of lists.
        for (const auto* t : window->findChildren<QTreeWidget*>())
            for (int c = 0; t->isVisible() && c < t->columnCount(); ++c) {
                const int needed = static_cast<const QAbstractItemView*>(t)->sizeHintForColumn(c);
                if (t->header()->sectionSize(c) < needed)
                    faults << QStringLiteral("column %1 of %2 needs %3, has %4")
                                  .arg(c)
                                  .arg(t->objectName())
                                  .arg(needed)
                                  .arg(t->header()->sectionSize(c));
            }
        return faults;
    }

private Q_SLOTS:
    void nothingIsCutOff_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x720") << QSize(1280, 720);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
        QTest::newRow("3840x2160") << QSize(3840, 2160);
    }

    void nothingIsCutOff()
    {
        QFETCH(QSize, size);
        open(QString(cube()).replace("<EulerImplicitSolver/>",
                                     "<EulerImplicitSolver name='a solver with a name that is longer than others'/>"));
        if (window->devicePixelRatioF() > 1. && size.width() < 2000)
            QSKIP("a screen of this size has no letters of twice the size");
        const QSize wanted = points(size);
        QVERIFY2(window->minimumSizeHint().width() <= wanted.width(), "the window is wider than the screen");
        QVERIFY2(window->minimumSizeHint().height() <= wanted.height(), "the window is higher than the screen");
        window->move(0, 0);
        window->resize(wanted);
        settle();
        QCOMPARE(window->size(), wanted);
        const QTabBar* bar = tabBar();
        QVERIFY2(bar->tabRect(bar->count() - 1).right() <= bar->width(), "tabs are hidden");
        for (int i = 0; i < tabs(); ++i) {
            showTab(i);
            QTRY_VERIFY2(cutOff().isEmpty(), qPrintable(bar->tabText(i) + ": " + cutOff().join("; ")));
            const auto* area = tab(i)->findChild<QScrollArea*>();
            QVERIFY(area);
            QTRY_VERIFY2(area->horizontalScrollBar()->maximum() == 0, qPrintable(bar->tabText(i) + " is too wide"));
        }
        // No control has fallen into the extension of the tool bar.
        auto* tools = find<QToolBar>("controls");
        for (QAction* a : tools->actions())
            if (const QWidget* w = tools->widgetForAction(a)) QVERIFY2(w->isVisible(), qPrintable(a->text()));
        // The view has what the panel leaves: most of a large window.
        const int panel = window->panels().front()->width();
        QVERIFY(window->viewer().width() > wanted.width() - panel - 20);
        if (wanted.width() >= 1900) QVERIFY(window->viewer().width() > wanted.width() * 2 / 3);
    }

    void theViewIsSharpAndWorksAtAnySize()
    {
        open();
        window->move(0, 0);
        window->resize(points({3840, 2160}));
        settle();
        Viewer& v = window->viewer();
        const QSize pixels = v.size() * v.devicePixelRatioF();
        QVERIFY(pixels.width() > 2000);
        QCOMPARE(image().size(), pixels);
        // What is under the cursor is found where it is seen.
        const QPoint middle = v.rect().center();
        QMouseEvent move(QEvent::MouseMove, middle, v.mapToGlobal(middle), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&v, &move);
        QTRY_COMPARE(v.underCursor().path, QString("/body/faces"));
        // Of the size asked for: images of a given resolution.
        auto *width = inTab<QSpinBox>("viewWidth"), *height = inTab<QSpinBox>("viewHeight");
        type(width, "1000");
        type(height, "500");
        click(inTab<QPushButton>("viewResize"));
        QTRY_COMPARE(v.size(), QSize(1000, 500));
        // Steps are done and shown.
        clickAction("step");
        settle();
        QCOMPARE(v.frame().step, std::size_t{1});
    }

    void theFirstLayoutFitsTheScreen()
    {
        open();
        window->findChild<QAction*>("resetLayout")->trigger();
        settle();
        const QRect screen = window->screen()->availableGeometry();
        QVERIFY(window->width() <= screen.width() && window->height() <= screen.height());
        QVERIFY(window->width() >= 1000 && window->height() >= 600);
        QVERIFY(window->viewer().width() > window->width() / 2);
        QTRY_VERIFY2(cutOff().isEmpty(), qPrintable(cutOff().join("; ")));
    }
};

[[maybe_unused]] const bool registered = registerWindowTest<ScreenTest>();

}  // namespace sofa::qt

#include <ScreenTest.moc>
