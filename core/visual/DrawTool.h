// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/parallel/Parallel.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DisplayFlags.h"
#include "core/visual/DrawList.h"
#include "core/visual/Scratch.h"

namespace sofa::core {

/// What a component draws with: it writes down geometry in bulk, and a viewer draws it later, as often as it likes.
///
/// Each call is one thing on the screen. The n-th call of a component is the same thing as its n-th call at the frame
/// before: arrays whose content did not change keep their number and are not uploaded again. Where even writing them
/// down is much work, `geometry` takes a version and calls nothing while that stays.
///
/// Vectors of other dimensions are drawn in the plane z = 0. Points that are not finite are left out by viewers.
class DrawTool
{
public:
    explicit DrawTool(DrawList& list) : m_list(list) {}

    // --- What is asked for ------------------------------------------------------------------------------------------
    /// Whether the node of the component shows such things (its VisualStyle and those above).
    bool shows(DisplayFlags::Flag flag) const { return m_flags.shows(flag); }
    /// Faces as their edges (the flag Wireframe).
    bool wireframe() const { return shows(DisplayFlags::Wireframe); }
    /// Size [m] of the scene, for things that have none of their own: the diagonal of the box around its states.
    double sceneSize() const { return m_sceneSize; }
    /// Box around the states of the scene; not valid if there are none.
    const BoundingBox& sceneBox() const { return m_sceneBox; }

    /// An empty array of a component for the time of its draw(), whose memory is kept for the next frame: what a
    /// component gathers (points, indices, colours) goes into such arrays, so that a scene at rest allocates nothing.
    template <class T>
    Scratch<T> scratch()
    {
        return Scratch<T>(m_scratch);
    }

    // --- Bulk calls -------------------------------------------------------------------------------------------------
    void points(std::span<const Vec3> positions, const DrawStyle& style);
    /// Segments between consecutive pairs of points.
    void lines(std::span<const Vec3> ends, const DrawStyle& style);
    void lines(std::span<const Vec3> positions, std::span<const Edge> edges, const DrawStyle& style);
    /// Flat faces; smooth ones with a unit normal for each point. `colors`: of the points, or none.
    void triangles(std::span<const Vec3> positions, std::span<const Triangle> triangles, const DrawStyle& style,
                   std::span<const Vec3> normals = {}, std::span<const Color> colors = {});
    void quads(std::span<const Vec3> positions, std::span<const Quad> quads, const DrawStyle& style,
               std::span<const Vec3> normals = {});
    /// Spheres [m]; one radius for all, or one for each; the colour of the style, or one for each.
    void spheres(std::span<const Vec3> centers, std::span<const double> radii, const DrawStyle& style,
                 std::span<const Color> colors = {});
    /// Cylinders between consecutive pairs of points; one radius for all, or one for each.
    void cylinders(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style);
    void cylinders(std::span<const Vec3> ends, double radius, const DrawStyle& style)
    {
        cylinders(ends, std::span<const double>(&radius, 1), style);
    }
    /// Cylinders with half spheres.
    void capsules(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style);
    /// Arrows between consecutive pairs of points, of the radius of their shafts: one for all, or one for each.
    void arrows(std::span<const Vec3> ends, std::span<const double> radii, const DrawStyle& style);
    void arrows(std::span<const Vec3> ends, double radius, const DrawStyle& style)
    {
        arrows(ends, std::span<const double>(&radius, 1), style);
    }
    /// Red, green and blue arrows along x, y and z.
    void frames(std::span<const RigidCoord3> frames, double size, const DrawStyle& style = {});
    /// Boxes by their half sizes [m] along the axes of a frame.
    void boxes(std::span<const RigidCoord3> frames, std::span<const Vec3> halfSizes, const DrawStyle& style);
    /// Edges of axis-aligned boxes.
    void boxEdges(std::span<const BoundingBox> boxes, const DrawStyle& style);
    void labels(std::span<const TextLabel> labels, const DrawStyle& style = {});
    /// The number of each point beside it.
    void indices(std::span<const Vec3> positions, double size, const Color& color);

    /// Anything else. `fill` gets an empty geometry; with a version it is only called when that is another one than at
    /// the frame before.
    void geometry(const DrawStyle& style, FunctionRef<void(Geometry&)> fill, std::optional<std::uint64_t> version = {});
    /// Draws the geometry of the call before once more, in another style (materials of groups of triangles).
    void again(const DrawStyle& style);

    /// A legend beside the view, below those that are there.
    void legend(std::string_view title, const ColorMap& colors, double low, double high);

    // --- What holds for others --------------------------------------------------------------------------------------
    /// Of the node of the component.
    DrawScope& scope() { return m_list.scopes[m_scope]; }
    /// Of the whole frame: lights, background, camera, ...
    DrawList& list() { return m_list; }

private:
    friend class SceneDrawing;
    friend class BodyDrawing;

    /// One thing of a component over all frames.
    struct Slot
    {
        std::uint64_t id = 0;
        std::optional<std::uint64_t> version;
        std::shared_ptr<Geometry> current, spare;
        std::shared_ptr<const LegendDescription> legend;
    };

    DrawList& m_list;
    DisplayFlags m_flags;
    double m_sceneSize = 1.;
    BoundingBox m_sceneBox;
    const Component* m_component = nullptr;
    std::uint32_t m_scope = 0;
    Slot& nextSlot();

    std::vector<Slot>* m_slots = nullptr;  ///< of the component
    std::size_t m_used = 0;                ///< of them, in this frame
    ScratchMemory* m_scratch = nullptr;
    std::uint64_t* m_nextSlot = nullptr;
    std::uint64_t* m_nextRevision = nullptr;
};

}  // namespace sofa::core
