// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "applications/gl/CurvedItems.h"
#include "applications/gl/Dressing.h"
#include "applications/gl/FrameUniforms.h"
#include "applications/gl/Functions.h"
#include "applications/gl/GeometryBuffers.h"
#include "applications/gl/PassImages.h"
#include "applications/gl/ShaderPrograms.h"
#include "applications/gl/Shaders.h"
#include "applications/gl/ShadowMaps.h"
#include "applications/gl/SolidMeshes.h"
#include "applications/gl/Target.h"
#include "applications/gl/TextRenderer.h"
#include "applications/gl/Textures.h"

namespace sofa::gl {

/// How a frame is made:
///   1. prepare(): curved triangles are divided, buffers of every item are brought up to date, and items are told
///      apart: opaque or transparent.
///   2. drawView() for the camera, and for every second view of the scene: layer after layer (space, overlay, screen);
///      in each the opaque items, then the transparent ones from far to near, triangle by triangle over all items
///      (Transparency.cpp), or as weighted sums if the scene asks for it.
///   3. The samples are resolved and copied to the caller's framebuffer.
class Renderer::Implementation
{
public:
    explicit Implementation(const GetProcAddress& load);
    ~Implementation();

    void draw(const DrawList& given, const Camera& camera, const RenderSettings& settings,
              std::optional<unsigned> framebuffer);
    Image image();
    std::optional<Pick> pick(const DrawList& list, const Camera& camera, double x, double y, int tolerance,
                             const std::function<bool(const DrawItem&)>& wanted);

    Functions gl;
    RenderStatistics statistics;
    std::string description;

private:
    /// One item of the list in this frame.
    struct Entry
    {
        const DrawItem* item = nullptr;
        GeometryBuffers* buffers = nullptr;
        std::size_t number = 0;  ///< of the item in the list
        bool transparent = false;
        bool ground = false;  ///< of the viewer: blended after what is opaque, before what is transparent
    };
    /// What a draw call is for.
    enum class Purpose
    {
        Color,
        Weighted,
        Pick
    };
    /// A part of a transparent item, and how far it is from the camera.
    struct Part
    {
        float depth;
        std::uint32_t entry;
        std::int32_t index;  ///< of the triangle or solid; −1: points, −2: lines, −3: labels
        friend bool operator==(const Part&, const Part&) = default;
    };
    /// Consecutive parts of one item that are drawn at once.
    struct Run
    {
        std::uint32_t entry;
        std::int32_t index;        ///< of its first part
        std::size_t first, count;  ///< in the array of sorted indices or solids
    };
    /// What the sorted parts were made from.
    struct SortKey
    {
        std::uint64_t slot = 0, positions = 0, elements = 0;
        int first = 0, count = 0;
        friend bool operator==(const SortKey&, const SortKey&) = default;
    };
    /// The sorted parts of one layer of one view.
    struct Sorted
    {
        std::vector<SortKey> keys;
        Matrix view{};
        std::vector<Part> parts;
        std::vector<Run> runs;
        GLuint indexBuffer = 0, solidBuffer = 0;
    };
    struct Rectangle
    {
        int x, y, width, height;  ///< from the lower left corner [pixel]
    };

    // --- Renderer.cpp
    void resetState();
    void prepare(const DrawList& list, const Camera& camera);
    Camera placed(const DrawList& list, const Camera& camera) const;
    void drawView(const DrawList& list, const Camera& camera, const Rectangle& view, std::size_t number);
    void drawLayer(const DrawList& list, const Camera& camera, const Rectangle& view, DrawStyle::Layer layer,
                   Sorted& sorted);
    void drawBackground(const DrawList& list, const Rectangle& view);
    void setFrame(const FrameUniforms& u);

    // --- DrawItems.cpp
    bool isTransparent(const DrawItem& item, const GeometryBuffers& b);
    /// Everything of an item but its labels.
    void drawItem(const DrawList& list, const Entry& e, Purpose purpose, std::size_t number = 0);
    void drawPoints(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber);
    void drawLines(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber);
    /// `count` triangles from an index buffer.
    void drawTriangles(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber, GLuint indices,
                       std::size_t first, std::size_t count);
    /// `count` solids from a buffer of instances.
    void drawSolids(const DrawList& list, const Entry& e, Purpose purpose, int pickNumber, GLuint instances,
                    std::size_t first, std::size_t count);
    /// The patches of buffers whose vertex array is bound, by the program in use.
    void drawPatches(const GeometryBuffers& b);
    /// Whether the GPU divides the curved triangles of an item: neither those that are drawn in an order or by their
    /// edges, nor what a shader of the scene draws.
    bool dividesOnGpu(const DrawList& list, const DrawItem& item) const;
    void drawLabels(const Entry& e);
    /// Chooses the program, and gives it the material and the planes of the item; the state of depth, culling and
    /// blending too.
    Program& begin(const DrawList& list, const Entry& e, unsigned features, Purpose purpose, int pickNumber,
                   bool faces);
    /// Triangles of the item, of those of its geometry.
    std::pair<std::size_t, std::size_t> triangleRange(const Entry& e) const;

    // --- Transparency.cpp
    void drawSorted(const DrawList& list, const Camera& camera, DrawStyle::Layer layer, Sorted& sorted);
    void sortParts(const Camera& camera, DrawStyle::Layer layer, Sorted& sorted);
    void drawWeighted(const DrawList& list, const Rectangle& view, DrawStyle::Layer layer);

    // --- Passes.cpp
    /// The depths that the lights of the scene see.
    void drawShadowMaps(const DrawList& list, const Camera& camera);
    /// The depths that lights see, in squares along the lower side: red where nothing is, darker what is nearer.
    void drawShadowTextures();
    void castShadow(const DrawList& list, const Entry& e, int map);
    /// Images on the way to the final one, if the scene has such passes; true if they made the final one.
    bool drawPasses(const DrawList& list, const Camera& camera);
    void drawPostProcess(const DrawList& list, const Camera& camera);
    /// The axes of the scene's frame in a corner of the view.
    void drawCornerFrame(const CornerFrameDescription& frame, const Camera& camera);
    /// Sets view and lights for an item, which may be drawn in a frame of its own.
    void setItemFrame(const DrawList& list, const DrawItem& item);
    /// Draws triangles by the program that the scene gives; false if there is none that works.
    bool drawByScene(const Entry& e, GLuint indices, std::size_t first, std::size_t count);
    /// Binds arrays and instances of solids.
    void bindSolids(const SolidMeshes::Mesh& mesh, GLuint instances, std::size_t first);

    // Made after `gl`, gone before it.
    ShaderLibrary m_shaders{gl};
    GeometryCache m_geometry{gl, statistics};
    TextureCache m_textures{gl};
    SolidMeshes m_solids{gl};
    TextRenderer m_text{gl, statistics};
    ShaderPrograms m_programs{gl, m_textures};
    ShadowMaps m_shadows{gl};
    PassImages m_images{gl};
    DrawList m_cornerList;          ///< of drawCornerFrame()
    FrameUniforms m_worldFrame{};   ///< of the view, for items without a frame of their own
    bool m_itemFrames = false;      ///< some items have one
    bool m_dividesCurves = false;   ///< the GPU has tessellation shaders
    bool m_weightedAllowed = true;  ///< in passes, there are no sums
    Target m_target{gl};
    PickTarget m_pickTarget{gl};
    GLuint m_frameBuffer = 0, m_emptyArray = 0, m_solidArray = 0;
    FrameUniforms m_frame{};
    bool m_frameKnown = false;
    RenderSettings m_settings;
    std::vector<Entry> m_entries, m_allEntries;  ///< of a pass, and of the frame
    std::vector<ShaderPrograms::PassImage> m_passImages;
    std::vector<Sorted> m_sorted;  ///< two for each view: space and overlay
    const Dressing::TextWidth m_textWidth = [this](const std::string& text, float size) {
        return m_text.width(text, size);
    };
    std::vector<std::uint32_t> m_indices;
    std::vector<SolidInstance> m_instances;
    std::vector<SortKey> m_keys;
    Dressing m_dressing;
    CurvedItems m_curved;
    BoundingBox m_box, m_thingsBox;  ///< with the ground, and without it
};

}  // namespace sofa::gl
