// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>

#include "applications/modeler/LiveStep.h"
#include "applications/qt/Viewer.h"
#include "core/scene/SceneSnapshot.h"

namespace sofa::modeler {

/// Picks the points of a list of indices in the view: a click takes a point into the list, or out of it. Everything
/// until Return is one step; Escape takes it back.
class PointPicker : public QObject
{
    Q_OBJECT

public:
    PointPicker(qt::Session& session, qt::Viewer& viewer, QObject* parent);

    /// Whether an attribute is a list of indices of points.
    static bool picks(const DataEntry& entry);

    /// Begins with an attribute of the element that is selected.
    void start(Document& document, const std::string& attribute);
    bool isActive() const { return m_step != nullptr; }
    void finish();
    void cancel();
    /// The scene of the present text has been opened.
    void sceneBuilt();
    /// What the view got: true if it is for the picking.
    bool handle(QEvent* e);
    void paint(QPainter& p);

    /// What a click does now; what is wrong.
    const QString& hint() const { return m_hint; }
    /// Where a point is in the view [pixel]; nothing if it is not seen.
    std::optional<QPointF> place(std::size_t point) const;

Q_SIGNALS:
    void changed();

private:
    void ask();
    std::optional<std::size_t> pointAt(const QPointF& p) const;
    void toggle(std::size_t point);
    void tell();

    qt::Session& m_session;
    qt::Viewer& m_viewer;
    QPointer<Document> m_document;
    std::unique_ptr<LiveStep> m_step;
    XmlId m_element = 0;
    std::string m_attribute, m_path;
    std::vector<std::size_t> m_indices;
    std::vector<Vec3> m_points;  ///< of the state [m]
    std::optional<std::size_t> m_under;
    std::size_t m_asked = 0;
    QPointF m_pressed;
    bool m_writing = false, m_isKnown = false;
    QString m_hint;
};

}  // namespace sofa::modeler
