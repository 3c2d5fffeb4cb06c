// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QColor>
#include <QOpenGLWidget>
#include <QTimer>
#include <array>
#include <memory>
#include <set>

#include "applications/gl/Renderer.h"
#include "applications/qt/FrameRate.h"
#include "applications/qt/Session.h"
#include "applications/qt/UnderCursor.h"
#include "applications/qt/ViewCube.h"
#include "core/interaction/MouseInteractor.h"

namespace sofa::qt {

/// Shows the frames of a session and turns mouse and keys into views of them, and into interaction with the scene.
///
/// Left button: turns; right: moves; middle, wheel: nearer and farther, if the user does not prefer others. With Shift
/// a button does its operation on what is under the cursor, in the thread of the simulation. In the interaction mode of
/// microSofa, the left button pulls and the right one fixes without Shift. A click selects what is under the cursor, or
/// turns the view to the side of the cube in the corner; a double click makes the camera turn around the place.
class Viewer : public QOpenGLWidget
{
    Q_OBJECT

public:
    explicit Viewer(Session& session, QWidget* parent = nullptr);
    ~Viewer() override;

    const gl::Camera& camera() const { return m_camera; }
    void setCamera(const gl::Camera& camera);
    /// The view that the scene, or a file beside it, begins with.
    void resetView();
    /// Moves back until everything shown is seen.
    void fitView();
    /// Moves until what is selected is seen, as large as it can; everything if nothing is, or has no extent.
    void fitSelection();
    /// Looks from a side of the scene at what is looked at now: parts to the right, top and front (SceneSides).
    void lookFrom(const Vec3& side);
    const SceneSides& sides() const { return m_sides; }
    void setOrthographic(bool on);
    /// The point around which the mouse turns the camera [m]; without one, the middle of what is seen.
    const std::optional<Vec3>& pivot() const { return m_pivot; }
    void setPivot(const Vec3& point);
    /// The same for what is under a point of the view; nothing happens where nothing is.
    void setPivotAt(const QPointF& at);
    void setViewCube(bool on);
    bool hasViewCube() const { return m_hasCube; }
    const ViewCube& viewCube() const { return m_cube; }

    /// Where the scene is cut: what lies beyond a place on an axis is not drawn and not picked.
    struct Cut
    {
        std::size_t axis = 0;    ///< x, y or z
        double at = 0.;          ///< [m]
        bool lowerSide = false;  ///< what is below is cut away, not what is above
        friend bool operator==(const Cut&, const Cut&) = default;
    };
    void setCut(const std::optional<Cut>& cut);
    const std::optional<Cut>& cut() const { return m_cut; }
    /// File of the view that the scene begins with: its own name with ".view"; or the one chosen on the command line.
    QString viewFile() const;
    void setViewFile(const QString& file) { m_viewFile = file; }
    /// Writes the view so that the scene begins with it. Throws std::runtime_error.
    void saveView() const;
    /// The next scene keeps the present view (reload).
    void keepView(bool on) { m_keepView = on; }
    /// Does what a key means in the view; false if it means nothing.
    bool pressed(QKeyEvent* e);
    /// The ray under a point of the view [pixel], with the camera.
    PickRay rayAt(const QPointF& p) const;
    /// How far from its origin the ray under a point comes out of what is cut away [m].
    double cutDepth(const QPointF& p) const;
    /// The image as it is shown, without what is written over it.
    QImage image();

    void setDisplayFlags(const DisplayFlags& flags);
    const DisplayFlags& displayFlags() const { return m_flags; }
    /// What the scene itself says at its root.
    const DisplayFlags& sceneFlags() const { return m_sceneFlags; }
    /// Shows such things, or not, whatever the scene says.
    void setShown(std::initializer_list<DisplayFlags::Flag> flags, bool on);
    /// Path of the node or component that is shown as selected; empty: none.
    void setSelection(const QString& path);
    const QString& selection() const { return m_selection; }
    BodyField field() const { return DisplayFlags::merged(m_sceneFlags, m_flags).field(); }
    bool isShown(DisplayFlags::Flag flag) const { return DisplayFlags::merged(m_sceneFlags, m_flags).shows(flag); }

    /// Does not show a component, or a node with all below it, until the scene is opened again.
    void setHidden(const QString& path, bool on);
    bool isHidden(const QString& path) const { return m_hidden.contains(path.toStdString()); }
    bool hasHidden() const { return !m_hidden.empty(); }
    void showHidden();
    /// The range of the colours of the present field; none: of the values that are seen.
    void setRange(std::optional<std::array<double, 2>> range);
    /// The force of the mouse on what it holds [N]; nothing where it holds nothing.
    std::optional<Vec3> pullingForce() const;

    /// Points of space, joined by lines, with a text.
    struct Mark
    {
        std::vector<Vec3> points;  ///< [m]
        QString text;
    };
    /// Drawn over the scene.
    void setMarks(std::vector<Mark> marks);
    const std::vector<Mark>& marks() const { return m_marks; }
    /// Paints over the scene, below the marks, in pixels of the view; empty: nothing. It holds for all scenes.
    void setOverlay(std::function<void(QPainter&)> paint);
    /// What a click in the view gives its place to, instead of selecting; empty: nothing. The place is told as a
    /// function that finds it again, in the thread of the simulation, as what it lies on moves; it is nothing when that
    /// is gone.
    using Place = std::function<std::optional<Vec3>()>;
    void setPlaceTaker(std::function<void(const Place& place, const Vec3& now)> taker);

    void setInformation(bool on);
    bool hasInformation() const { return m_information; }
    /// Lines of the information overlay, as they are shown.
    QStringList informationLines() const;

    void setMicroSofaMode(bool on);
    bool microSofaMode() const { return m_microSofa; }
    /// What Shift and a button do, with the usual strength; "" for nothing.
    void setOperation(MouseButton button, const QString& performer);
    QString operation(MouseButton button) const { return m_operations[static_cast<std::size_t>(button)]; }
    /// How strongly, in the unit of the operation (PerformerInfo); 0 where that has no strength.
    void setStrength(MouseButton button, double strength);
    double strength(MouseButton button) const;
    /// Takes back what outlasts its button: fixed points.
    void releaseFixed();

    const UnderCursor& underCursor() const { return m_under; }
    /// Where the mouse was last [pixel].
    const QPointF& mouse() const { return m_last; }
    const SimulationThread::Frame& frame() const { return m_frame; }
    /// Frames shown a second, over about the last second; 0 if nothing was shown.
    double frameRate() const { return m_rate.perSecond(); }
    /// What is drawn with, after the first frame; the reason if it cannot draw.
    const QString& rendererText() const { return m_rendererText; }

Q_SIGNALS:
    void underCursorChanged();
    /// A click on a component or node, with its path; empty: on nothing.
    void clicked(const QString& path);
    void displayFlagsChanged();
    void informationChanged(bool on);
    void microSofaModeChanged(bool on);
    void operationsChanged();
    /// A press of an interaction had nothing to work on, or could not.
    void interactionRefused(const QString& reason);
    void frameShown();
    /// A scene was opened, and says this of its window.
    void windowWanted(const sofa::core::ViewerDescription& wanted);
    void cameraChanged();
    void cutChanged();

protected:
    void initializeGL() override;
    void paintGL() override;
    void resizeGL(int width, int height) override;
    void mousePressEvent(QMouseEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void mouseReleaseEvent(QMouseEvent* e) override;
    void mouseDoubleClickEvent(QMouseEvent* e) override;
    void wheelEvent(QWheelEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;
    void leaveEvent(QEvent* e) override;

private:
    struct Shared;

    /// What the user prefers (Preferences).
    struct Choices
    {
        QColor background;  ///< not valid: sky and ground
        bool smooth = true;
        std::array<Qt::MouseButton, 3> buttons{};  ///< that turn, move, and go nearer and farther
        double wheel = 1.;
    };

    void readPreferences();
    void sceneOpened();
    void sceneClosing();
    void fetch();
    void drawOver(QPainter& p);
    void drawMarks(QPainter& p);
    void takePlace(const QPointF& at);
    void releaseRenderer();
    gl::Camera deviceCamera() const;            ///< in pixels of the screen
    gl::RenderSettings renderSettings() const;  ///< with the context made ready
    void changed();
    bool picksOnlyCollisionModels() const;
    /// Asks what is at a point of the view, and calls `then` when the answer is there, unless the scene is gone.
    void ask(const QPointF& at, std::function<void(const UnderCursor&)> then);
    void click(const QPointF& at);
    std::optional<Vec4> cutPlane() const;  ///< n·x + d ≥ 0 is seen
    void setUnderCursor(const UnderCursor& under);
    double tolerance() const;
    bool startInteraction(Qt::MouseButton button, const QPointF& p);
    void endInteraction();
    /// Tells the reason of a failure, from the thread of the simulation.
    void tellRefusal(const MouseInteractor& m);

    Session& m_session;
    std::unique_ptr<gl::Renderer> m_renderer;
    QString m_rendererText, m_viewFile;
    gl::Camera m_camera;
    SimulationThread::Frame m_frame;
    DisplayFlags m_flags, m_sceneFlags;
    Vec3 m_gravity{0., -1., 0.};  ///< of the scene when it was opened: its lower side [m/s²]
    bool m_keepView = false, m_viewPending = true;
    bool m_fitted = false;  ///< the view is the one in which everything is seen, and the user has not moved it
    bool m_information = false, m_microSofa = false;
    SceneSides m_sides;
    ViewCube m_cube;
    bool m_hasCube = true;
    std::optional<Vec3> m_pivot;
    std::optional<Cut> m_cut;
    QString m_selection;
    std::set<std::string> m_hidden;
    std::vector<Mark> m_marks;
    std::function<void(const Place&, const Vec3&)> m_placeTaker;

    Choices m_choices;

    std::shared_ptr<Shared> m_shared;  ///< what lives in the thread of the simulation
    std::array<QString, 3> m_operations;
    std::array<PerformerSettings, 3> m_settings;
    Qt::MouseButton m_interacting = Qt::NoButton;
    double m_raysFrom = 0.;  ///< where the rays of the interaction begin, behind the near plane [m]
    QPointF m_last, m_pressed;
    bool m_dragged = false;  ///< the mouse has moved since a button was pressed
    QTimer m_hover;
    UnderCursor m_under;
    FrameRate m_rate;
    std::function<void(QPainter&)> m_overlay;
};

}  // namespace sofa::qt
