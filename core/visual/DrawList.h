// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/math/DataTypes.h"
#include "core/mesh/Elements.h"
#include "core/objectmodel/Component.h"
#include "core/visual/Color.h"
#include "core/visual/ShaderDescription.h"
#include "core/visual/ViewerDescription.h"

namespace sofa::core {

/// Closed shapes that are drawn many times, each placed by a matrix. In their own frame:
enum class Solid
{
    Sphere,    ///< radius 1 around the origin
    Cylinder,  ///< radius 1 around z, from z = 0 to z = 1, with both discs
    Cone,      ///< radius 1 at z = 0, apex at z = 1
    Cube       ///< from −1 to 1 along each axis
};

/// One placed solid: x = [a b c] x' + t, columns one after the other in `axes`, then t.
struct SolidInstance
{
    std::array<float, 9> axes;
    Vec3f center;
    Color color;
    friend bool operator==(const SolidInstance&, const SolidInstance&) = default;
};

/// Text beside a point of space, or of the view.
struct TextLabel
{
    Vec3f position;     ///< [m], or with Layer::Screen in pixels from the upper left corner
    std::string text;   ///< UTF-8; '\n' begins a new line
    float size = 14.f;  ///< height of the text [pixel]; [m] where `worldSize`
    bool worldSize = false;
    Color color;
    friend bool operator==(const TextLabel&, const TextLabel&) = default;
};

/// Values for the vertices of a custom shader, under a name of its own.
struct VertexAttribute
{
    std::string name;
    int components = 1;         ///< values of each vertex, 1 to 4
    std::vector<float> values;  ///< components × vertices
    friend bool operator==(const VertexAttribute&, const VertexAttribute&) = default;
};

/// One array and the number of its content: equal numbers of one geometry mean equal content, so that it is not
/// uploaded again.
template <class T>
struct DrawArray : std::vector<T>
{
    using std::vector<T>::vector;
    using std::vector<T>::operator=;
    std::uint64_t revision = 0;
};

/// What is drawn at once: vertices, and the points, lines and triangles on them; or solids; or texts. Arrays that do
/// not apply are empty.
struct Geometry
{
    DrawArray<Vec3f> positions;  ///< [m]
    DrawArray<Vec3f> normals;    ///< unit vectors of the vertices; empty: faces are flat
    DrawArray<Color> colors;     ///< of the vertices; empty: that of the style
    DrawArray<Vec<2, float>> texCoords;
    DrawArray<Vec3f> tangents, bitangents;
    DrawArray<VertexAttribute> attributes;
    DrawArray<Index> points;
    DrawArray<Edge> lines;
    DrawArray<Triangle> triangles;
    /// Quads among the triangles, by the first of the two that each consists of, ascending: drawn by their edges, they
    /// do not show what parts them.
    DrawArray<Index> quads;
    /// Curved triangles: three corners, and the control points of the edges 01, 12 and 02. Positions, normals and
    /// colours of the six are control values of quadratic Bézier triangles, Σ_ij α_i α_j v_ij; viewers divide them as
    /// finely as the view needs (core/visual/CurvedFaces.h). A geometry has these or other faces.
    DrawArray<std::array<Index, 6>> patches;
    DrawArray<SolidInstance> solids;
    DrawArray<TextLabel> labels;
    Solid solid = Solid::Sphere;

    void clear();
    void addQuad(Index a, Index b, Index c, Index d)
    {
        quads.push_back(static_cast<Index>(triangles.size()));
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    }
    bool empty() const
    {
        return points.empty() && lines.empty() && triangles.empty() && patches.empty() && solids.empty() &&
               labels.empty();
    }
};

/// How faces and lines are drawn.
struct DrawStyle
{
    enum class Layer : unsigned char
    {
        World,    ///< in space, hidden by what is nearer
        Overlay,  ///< in space, over all else
        Screen    ///< x, y in pixels from the upper left corner of the view
    };
    enum class Cull : unsigned char
    {
        None,
        Back,
        Front
    };

    Color color;             ///< of all vertices, unless they have their own; opacity below 1 is blended
    float size = 1.f;        ///< width of lines, diameter of points [pixel]
    bool lit = true;         ///< faces by the lights of the scene; lines and points never are
    bool wireframe = false;  ///< edges of the triangles only
    bool depthTest = true;   ///< hidden by what is nearer
    bool depthWrite = true;  ///< hides what is behind
    bool blend = true;       ///< mixes colours by opacity; false: opacity has no effect
    Cull cull = Cull::None;
    Layer layer = Layer::World;
    /// Reflection, texture and blending of a visual model; without one, `color` is all there is.
    std::shared_ptr<const SurfaceDescription> surface;
    /// Triangles concerned, of those of the geometry: `count` from `first` on; all if `count` is −1.
    int firstTriangle = 0, triangleCount = -1;
    friend bool operator==(const DrawStyle&, const DrawStyle&) = default;
};

/// One thing to draw.
struct DrawItem
{
    std::uint64_t slot = 0;            ///< which thing it is, over all frames; buffers are kept for it
    const Component* owner = nullptr;  ///< only to compare: it may be gone when the list is drawn
    std::uint32_t scope = 0;           ///< index in the list's scopes
    DrawStyle style;
    std::shared_ptr<const Geometry> geometry;
};

/// What holds in a sub-graph while it is drawn. A value that is not given is that of the scope above.
struct DrawScope
{
    std::uint32_t parent = 0;  ///< index; the first scope (the root's) is its own parent
    std::string path;          ///< of the node
    /// Shader programs of this node, in the order of its components; the last that is not passive is used for
    /// everything here and below, unless a node below has one of its own.
    std::vector<std::shared_ptr<const ShaderDescription>> shaders;
    std::vector<Vec<4, float>> clipPlanes;  ///< n·x + d ≥ 0 is drawn; those of the scopes above hold too
    /// Frame in which the items of this scope are drawn, within that of the nearest scope above that hands its own on.
    std::optional<RigidCoord3> frame;
    bool frameBelow = false;  ///< scopes below are drawn in it too
};

/// Everything that a viewer needs for one frame of a scene, without any reference to the scene: a viewer may draw it
/// while the scene goes on.
struct DrawList
{
    std::vector<DrawScope> scopes;
    std::vector<DrawItem> items;
    std::vector<LightDescription> lights;  ///< empty: viewers use one white light at the camera
    std::optional<LightingDescription> lighting;
    std::shared_ptr<const BackgroundDescription> background;  ///< none: viewers choose
    std::optional<CameraDescription> camera;
    std::optional<ViewerDescription> viewer;
    std::vector<ViewportDescription> viewports;
    std::optional<CornerFrameDescription> cornerFrame;
    std::vector<std::shared_ptr<const LegendDescription>> legends;
    /// What viewers may add of their own where the scene has none: sky, ground and light, and the axes of the scene.
    bool surroundings = false, axes = false;
    std::optional<GroundDescription> ground;
    std::vector<std::shared_ptr<const PassDescription>> passes;
    bool orderIndependentTransparency = false;
    float transparencyDepthScale = 0.01f;
    bool srgb = false;
    BoundingBox box;  ///< of the components that drew something; of all states if none did [m]
    double time = 0.;
    std::size_t step = 0;

    /// Takes everything out but the scopes, and keeps its memory.
    void clear();
    /// Frame in which the items of a scope are drawn; none: that of the scene.
    std::optional<RigidCoord3> frameOf(std::uint32_t scope) const;
    /// Enlarges the box by one of what a scope shows, in the frame in which it is drawn.
    void includeBox(std::uint32_t scope, const BoundingBox& ofScope);
    /// The shader of the items of a scope: of the nearest node that has one which is not passive, the last; or none.
    const ShaderDescription* shaderOf(std::uint32_t scope) const;
    /// Clipping planes of a scope and of those above, the nearest first, in place of what is in `planes`.
    void clipPlanesOf(std::uint32_t scope, std::vector<Vec<4, float>>& planes) const;
};

}  // namespace sofa::core
