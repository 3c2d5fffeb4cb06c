// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QTimer>

#include "applications/modeler/Gizmo.h"
#include "applications/modeler/LiveStep.h"
#include "applications/qt/Viewer.h"

namespace sofa::modeler {

/// Handles in the view for what is selected. Dragging one writes `translation`, `rotation` and `scale3d` to the text,
/// as one step; Ctrl snaps, Escape takes it back. Until the scene is initialised again, an outline shows where the
/// object will be.
class TransformTool : public QObject
{
    Q_OBJECT

public:
    TransformTool(qt::Session& session, qt::Viewer& viewer, QObject* parent);

    void setDocument(Document* document);
    void setTool(Tool tool);
    Tool tool() const { return m_gizmo.tool; }
    /// The scene of the present text has been opened.
    void sceneBuilt();
    /// What the view got: true if the handles take it.
    bool handle(QEvent* e);
    void paint(QPainter& p);

    /// The handles as they are; only where isShown().
    const Gizmo& gizmo() const { return m_gizmo; }
    bool isShown() const;
    bool isDragging() const { return m_drag != nullptr; }
    /// What the handles move, or why there are none; empty without a tool.
    QString hint() const;

Q_SIGNALS:
    void changed();

private:
    struct Drag
    {
        LiveStep step;
        Gizmo::Handle handle;
        QPointF from;
        Motion motion;
        bool isWritten;  ///< the motion is in the text
    };
    void readText();
    void ask();
    void begin(Gizmo::Handle handle, const QPointF& at);
    void follow(const QPointF& to, bool snaps);
    void write();
    void end();
    void cancel();
    bool isAtBeginning() const;

    qt::Session& m_session;
    qt::Viewer& m_viewer;
    QPointer<Document> m_document;
    PlacedElements m_placed;
    Gizmo m_gizmo;
    std::vector<Vec3> m_corners;  ///< of the box around what is moved [m]; empty: not known yet
    std::vector<Vec3> m_points;   ///< some of its points [m]
    std::size_t m_asked = 0;
    std::unique_ptr<Drag> m_drag;
    QTimer m_writer;
};

}  // namespace sofa::modeler
