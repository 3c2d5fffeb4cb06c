// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Decorations.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void OglSceneFrame::draw(DrawTool& tool)
{
    if (!isShown(tool) || !d_draw.value()) return;
    using Frame = CornerFrameDescription;
    tool.list().cornerFrame = Frame{static_cast<Frame::Style>(d_style.value().index()),
                                    static_cast<Frame::Corner>(d_alignment.value().index()), d_viewportSize.value()};
}

void OglLabel::handleEvent(const Event& e)
{
    if (dynamic_cast<const AnimateBeginEvent*>(&e)) ++m_steps;
}

void OglLabel::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    if (m_first || m_steps > d_updateEvery.value() || d_updateEvery.value() == 0) {
        if (m_shown != d_label.value()) {
            m_shown = d_label.value();
            ++m_changes;
        }
        m_first = false;
        m_steps = 0;
    }
    Color color = d_color.value();
    if (d_selectContrastingColor.value()) {
        // Luma of the background (ITU-R BT.601).
        const Color behind = tool.list().background ? tool.list().background->color : BackgroundDescription{}.color;
        const float luma = 0.299f * behind[0] + 0.587f * behind[1] + 0.114f * behind[2];
        color = luma >= 0.5f ? Color(0.f, 0.f, 0.f) : Color(1.f, 1.f, 1.f);
    }
    DrawStyle style;
    style.layer = DrawStyle::Layer::Screen;
    style.color = color;
    const bool dark = color == Color(0.f, 0.f, 0.f);
    tool.geometry(
        style,
        [&](Geometry& g) {
            g.labels.push_back({{static_cast<float>(d_x.value()), static_cast<float>(d_y.value()), 0.f},
                                d_prefix.value() + m_shown + d_suffix.value(),
                                static_cast<float>(d_fontsize.value()),
                                false,
                                color});
        },
        2 * (versionOf({&d_x, &d_y, &d_prefix, &d_suffix, &d_fontsize, &d_color, &d_selectContrastingColor}) +
             m_changes) +
            (dark ? 1 : 0));
}

void VisualGrid::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    DrawStyle style;
    style.color = d_color.value();
    style.size = d_thickness.value();
    tool.geometry(
        style,
        [this](Geometry& g) {
            const std::size_t normal = d_plane.value().index(), u = (normal + 1) % 3, v = (normal + 2) % 3;
            const int cells = std::max(2, d_nbSubdiv.value()), parts = d_nbLineSegments.value();
            const float size = d_size.value();
            for (const auto& [along, across] : {std::pair{u, v}, std::pair{v, u}})
                for (int i = 0; i <= cells; ++i)
                    for (int j = 0; j <= parts; ++j) {
                        Vec3f x{};
                        x[across] = size * (static_cast<float>(i) / static_cast<float>(cells) - 0.5f);
                        x[along] = size * (static_cast<float>(j) / static_cast<float>(parts) - 0.5f);
                        if (j > 0) {
                            const auto n = static_cast<Index>(g.positions.size());
                            g.lines.push_back({n - 1, n});
                        }
                        g.positions.push_back(x);
                    }
        },
        versionOf({&d_plane, &d_size, &d_nbSubdiv, &d_nbLineSegments}));
}

/// An axis without end is drawn 1,000 times the size of the scene, and fades over ten times that size.
void LineAxis::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    const bool infinite = d_infinite.value(), fading = infinite && d_vanishing.value();
    const double half =
        infinite ? (fading ? 10. : 1000.) * tool.sceneSize() : 0.5 * static_cast<double>(d_size.value());
    DrawStyle style;
    style.size = d_thickness.value();
    tool.geometry(style, [&](Geometry& g) {
        const int parts = 2 * d_nbLineSegments.value();  // an even number, so that one point is the origin
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string& axes = d_axis.value();
            if (axes.find("xyz"[axis]) == std::string::npos && axes.find("XYZ"[axis]) == std::string::npos) continue;
            Color color(0.f, 0.f, 0.f);
            color[axis] = 1.f;
            for (int j = 0; j <= parts; ++j) {
                const double place = 2. * j / parts - 1.;
                if (j > 0) {
                    const auto n = static_cast<Index>(g.positions.size());
                    g.lines.push_back({n - 1, n});
                }
                g.positions.push_back(Vec3f(Vec3::unit(axis) * (half * place)));
                color[3] = fading ? static_cast<float>(1. - std::abs(place)) : 1.f;
                g.colors.push_back(color);
            }
        }
    });
}

void Visual3DText::draw(DrawTool& tool)
{
    if (!isShown(tool) || d_text.value().empty()) return;
    DrawStyle style;
    style.color = d_color.value();
    style.depthTest = d_depthTest.value();
    tool.geometry(
        style,
        [this](Geometry& g) {
            g.labels.push_back({Vec3f(d_position.value()), d_text.value(), d_scale.value(), true, d_color.value()});
        },
        versionOf({&d_position, &d_text, &d_scale, &d_color}));
}

void VisualBoundingBox::draw(DrawTool& tool)
{
    if (!isShown(tool) || !node()) return;
    BoundingBox box;
    m_nodes.update(*node());
    for (const Node* n : m_nodes.nodes())
        for (const auto& c : n->components()) box.include(c->boundingBox());
    DrawStyle style;
    style.color = d_color.value();
    style.size = d_thickness.value();
    tool.boxEdges({&box, 1}, style);
}

void VisualTransform::draw(DrawTool& tool)
{
    if (!d_enable.value()) return;
    tool.scope().frame = d_transform.value();
    tool.scope().frameBelow = d_recursive.value();
}

void ClipPlane::draw(DrawTool& tool)
{
    if (!d_enable.value() || !d_active.value()) return;
    const Vec3 n = d_normal.value();
    const double d = dot(n, d_position.value());
    tool.scope().clipPlanes.push_back(
        {static_cast<float>(-n[0]), static_cast<float>(-n[1]), static_cast<float>(-n[2]), static_cast<float>(d)});
}

void OglViewport::draw(DrawTool& tool)
{
    if (!d_enable.value() || !d_enabled.value()) return;
    if (d_advancedRendering.value() && !tool.shows(DisplayFlags::AdvancedRendering)) return;
    ViewportDescription view;
    view.x = d_screenPosition.value()[0];
    view.y = d_screenPosition.value()[1];
    view.width = static_cast<int>(d_screenSize.value()[0]);
    view.height = static_cast<int>(d_screenSize.value()[1]);
    const bool frame = d_cameraRigid.isSet();
    view.position = frame ? d_cameraRigid.value().center : d_cameraPosition.value();
    view.orientation = frame ? d_cameraRigid.value().orientation : d_cameraOrientation.value();
    view.zNear = d_zNear.value();
    view.zFar = d_zFar.value();
    view.fieldOfView = d_fovy.value();
    view.advanced = d_advancedRendering.value();
    view.swapMainView = d_swapMainView.value();
    tool.list().viewports.push_back(view);
    if (!d_drawCamera.value() || !isShown(tool)) return;
    const RigidCoord3 pose{view.position, view.orientation};
    tool.frames({&pose, 1}, 0.1 * tool.sceneSize());
}

BoundingBox VisualGrid::boundingBox() const
{
    if (!d_enable.value()) return {};
    const double h = 0.5 * static_cast<double>(d_size.value());
    Vec3 corner = Vec3::filled(h);
    corner[d_plane.value().index()] = 0.;
    BoundingBox box;
    box.include(corner);
    box.include(-corner);
    return box;
}

BoundingBox LineAxis::boundingBox() const
{
    BoundingBox box;
    if (!d_enable.value() || d_infinite.value()) return box;
    for (std::size_t i = 0; i < 3; ++i) {
        if (d_axis.value().find("xyz"[i]) == std::string::npos) continue;
        const Vec3 end = Vec3::unit(i) * (0.5 * static_cast<double>(d_size.value()));
        box.include(end);
        box.include(-end);
    }
    return box;
}

BoundingBox Visual3DText::boundingBox() const
{
    BoundingBox box;
    if (d_enable.value()) box.include(d_position.value());
    return box;
}

namespace {

const char* const drawsOnly = " It draws only in a viewer.";

RegisterComponent decoration(const char* name, const char* module, const char* help)
{
    return RegisterComponent(name, "Visual", module)
        .help(std::string(help) + drawsOnly)
        .example("component/visual/Decorations.scn");
}

const RegisterComponent registeredOglSceneFrame =
    decoration("OglSceneFrame", "Sofa.GL.Component.Rendering3D",
               "The axes of the scene's frame, drawn in a corner of the view.")
        .add<OglSceneFrame>();
const RegisterComponent registeredOglLabel =
    decoration("OglLabel", "Sofa.GL.Component.Rendering2D", "Text at a fixed place of the view.").add<OglLabel>();
const RegisterComponent registeredVisualGrid =
    decoration("VisualGrid", "Sofa.Component.Visual", "Square grid of lines in a coordinate plane.")
        .alias("OglGrid")
        .add<VisualGrid>();
const RegisterComponent registeredLineAxis =
    decoration("LineAxis", "Sofa.Component.Visual", "Coordinate axes through the origin.")
        .alias("OglLineAxis")
        .add<LineAxis>();
const RegisterComponent registeredVisual3DText =
    decoration("Visual3DText", "Sofa.Component.Visual", "Text at a place in space, facing the viewer.")
        .add<Visual3DText>();
const RegisterComponent registeredVisualBoundingBox =
    decoration("VisualBoundingBox", "Sofa.Component.Visual", "The bounding box of the node.").add<VisualBoundingBox>();
const RegisterComponent registeredVisualTransform =
    decoration("VisualTransform", "Sofa.Component.Visual", "Draws its node in another frame.").add<VisualTransform>();
const RegisterComponent registeredClipPlane =
    decoration("ClipPlane", "Sofa.GL.Component.Rendering3D", "Half space in which nothing of the node is drawn.")
        .add<ClipPlane>();
const RegisterComponent registeredOglViewport =
    decoration("OglViewport", "Sofa.GL.Component.Rendering2D", "A second view of the scene inside the view.")
        .add<OglViewport>();

}  // namespace

}  // namespace sofa::component
