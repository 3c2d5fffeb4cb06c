// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>
#include <QWidget>

#include "applications/modeler/Analyser.h"
#include "applications/qt/Session.h"

class QAction;
class QLabel;
class QPushButton;
class QToolBar;

namespace sofa::qt {
class Viewer;
}

namespace sofa::modeler {

class PointPicker;
class TransformTool;

/// The scene of a document as it is initialised. It can be played: what runs is made of the text, which stays as it is.
/// A click selects, handles move, turn and scale what is selected, and points of lists are picked here.
class PreviewPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewPanel(QWidget* parent = nullptr);
    ~PreviewPanel() override;

    /// Shows the scenes of this document from now on; nullptr: none.
    void setDocument(Document* document, Analyser* analyser);
    qt::Session& session() { return m_session; }
    qt::Viewer& viewer() const { return *m_viewer; }
    /// Commands, for menus too.
    QAction* play() const { return m_play; }
    QAction* step() const { return m_step; }
    QAction* stop() const { return m_stop; }
    /// What is said about the scene that is shown; empty if it is that of the text.
    QString notice() const;
    /// What stands below the view: what the handles move, or what a click picks.
    QString hint() const;
    TransformTool& tool() const { return *m_tool; }
    PointPicker& picker() const { return *m_picker; }
    /// Picks the points of a list of indices of the selected element by clicks in the view.
    void pickPoints(const QString& attribute);

protected:
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    void makeTools(QToolBar& bar);
    void showHint();
    void selectAt(const QString& path);
    void display(const std::shared_ptr<Simulation>& simulation);
    void followSelection();
    void updateActions();
    void say(const QString& text);

    std::shared_ptr<Simulation> m_simulation;  ///< outlives the thread of the session
    qt::Session m_session;
    qt::Viewer* m_viewer;
    TransformTool* m_tool;
    PointPicker* m_picker;
    QAction *m_play, *m_step, *m_stop;
    QLabel *m_notice, *m_time, *m_hint;
    QPushButton* m_done;
    QPointer<Document> m_document;
    QPointer<Analyser> m_analyser;
    bool m_keepView = false;  ///< the next scene is another state of the same document
};

}  // namespace sofa::modeler
