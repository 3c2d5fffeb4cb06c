// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/behavior/State.h"
#include "core/interaction/Picking.h"
#include "core/io/MeshData.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/BodyVisual.h"
#include "core/visual/Material.h"

namespace sofa::component {

using namespace sofa::core;

/// Faces and edges that share a material: `count` elements from `first` on, of each kind.
struct FaceGroup
{
    std::string materialName, groupName;
    int materialId = -1;  ///< index in the materials; −1: the model's own
    int firstEdge = 0, edgeCount = 0, firstTriangle = 0, triangleCount = 0, firstQuad = 0, quadCount = 0;
    friend bool operator==(const FaceGroup&, const FaceGroup&) = default;
};
bool readValue(TextCursor& c, FaceGroup& v);
void writeValue(std::string& out, const FaceGroup& v);

/// Surface that is shown. It draws only in a viewer; without one its vertices follow mappings all the same.
///
/// Its positions are a state without dynamics (isMechanical() is false), to which mappings write. They come from
///   1. `filename`, if it is given;
///   2. else `position` with `triangles` or `quads`, as the scene or a loader (src="@loader") gives them;
///   3. else a topology (`topology`, or the nearest one in the node or above): its faces, and, if no position is given,
///      its points or those of the state beside it.
/// Then x ← T R S x with scale3d, rotation and translation, which return to the identity.
///
/// Where texture coordinates or normals differ between the faces of a point, the point is drawn as several vertices:
/// `vertices`, with `vertPosIdx` (position of each) and `vertNormIdx` (vertices with one index share their normal).
///
/// The normal of a vertex is the normalised sum of the area-weighted normals of its triangles and of the corner normals
/// of its quads. Normals and tangents are only computed again when vertices, faces or texture coordinates changed.
class VisualModelImpl : public State<Vec3Types>,
                        public VisualModel,
                        public BodyVisual,
                        public PickableSurface,
                        public TopologyFollower
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Draw this component"}, true};
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Positions", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_restPosition{
        this, {.name = "restPosition", .help = "Positions at rest", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_normal{
        this, {.name = "normal", .help = "Unit normal of each vertex", .unit = "1", .group = "Vector"}};
    Data<bool> d_initRestPositions{
        this, {.name = "initRestPositions", .help = "Copy the initial positions to the rest positions"}, false};
    Data<bool> d_useNormals{this, {.name = "useNormals", .help = "Keep the smoothing groups of the file"}, true};
    Data<bool> d_updateNormals{this, {.name = "updateNormals", .help = "Compute the normals at each update"}, true};
    Data<bool> d_computeTangents{
        this, {.name = "computeTangents", .help = "Compute tangents of the texture coordinates"}, false};
    Data<bool> d_updateTangents{this, {.name = "updateTangents", .help = "Compute the tangents at each update"}, true};
    Data<bool> d_computeTextureCoordinates{
        this,
        {.name = "computeTextureCoordinates", .help = "Compute texture coordinates by projection from a sphere"},
        false};
    Data<bool> d_handleDynamicTopology{
        this, {.name = "handleDynamicTopology", .help = "Follow changes of the topology"}, true};
    Data<bool> d_keepLines{this, {.name = "keepLines", .help = "Draw the lines of the file"}, false};
    Data<Vector<Vec3>> d_vertices{this,
                                  {.name = "vertices",
                                   .help = "Drawn vertices, where points have several normals or texture coordinates",
                                   .unit = "m",
                                   .group = "Vector"}};
    Data<Vector<Vec<2, float>>> d_texcoords{
        this, {.name = "texcoords", .help = "Texture coordinates of the vertices", .unit = "1", .group = "Vector"}};
    Data<Vector<Vec3>> d_tangents{
        this,
        {.name = "tangents", .help = "Unit tangents along the first texture axis", .unit = "1", .group = "Vector"}};
    Data<Vector<Vec3>> d_bitangents{
        this,
        {.name = "bitangents", .help = "Unit tangents along the second texture axis", .unit = "1", .group = "Vector"}};
    Data<Vector<Edge>> d_edges{this, {.name = "edges", .help = "Lines", .group = "Vector"}};
    Data<Vector<Triangle>> d_triangles{this, {.name = "triangles", .help = "Triangles", .group = "Vector"}};
    Data<Vector<Quad>> d_quads{this, {.name = "quads", .help = "Quads", .group = "Vector"}};
    Data<Vector<Index>> d_vertPosIdx{this, {.name = "vertPosIdx", .help = "Position of each drawn vertex"}};
    Data<Vector<Index>> d_vertNormIdx{this, {.name = "vertNormIdx", .help = "Shared normal of each drawn vertex"}};
    Data<FileName> d_filename{this, {.name = "filename", .help = "Mesh file"}};
    Data<FileName> d_texturename{this, {.name = "texturename", .help = "Image file of the texture"}};
    Data<Vec3> d_translation{
        this, {.name = "translation", .help = "Initial translation", .unit = "m", .group = "Transformation"}};
    Data<Vec3> d_rotation{this,
                          {.name = "rotation",
                           .help = "Initial rotation by Euler angles about x, then y, then z",
                           .unit = "deg",
                           .group = "Transformation"}};
    Data<Vec3> d_scale{
        this,
        {.name = "scale3d", .help = "Initial scale along each axis", .unit = "1", .group = "Transformation"},
        Vec3{1., 1., 1.}};
    Data<Vec<2, float>> d_scaleTex{
        this, {.name = "scaleTex", .help = "Scale of the texture", .unit = "1"}, Vec<2, float>{1.f, 1.f}};
    Data<Vec<2, float>> d_translationTex{this,
                                         {.name = "translationTex", .help = "Translation of the texture", .unit = "1"}};
    Data<Material> d_material{
        this,
        {.name = "material", .help = "Material: name Diffuse on r g b a Ambient ... Specular ... Shininess on n"}};
    Data<bool> d_putOnlyTexCoords{
        this, {.name = "putOnlyTexCoords", .help = "Provide texture coordinates without a texture"}, false};
    Data<bool> d_srgbTexturing{
        this, {.name = "srgbTexturing", .help = "The texture is in the sRGB colour space"}, false};
    Data<Vector<Material>> d_materials{this, {.name = "materials", .help = "Materials of the groups"}};
    Data<Vector<FaceGroup>> d_groups{this, {.name = "groups", .help = "Groups of faces with a material of their own"}};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology whose faces are shown"}};

    VisualModelImpl();
    bool isMechanical() const override { return false; }
    void resize(Index n) override;
    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;
    void reset() override;
    void storeResetState() override;
    void updateVisual() override;
    /// Faces of its own stay as long as their points are there; new points have none. Vertices that are split do not
    /// follow with the faces of a topology.
    PointLists pointLists() override;
    void followTopology(const TopologyChange& change) override;
    void draw(DrawTool& tool) override;

    /// What a viewer draws: the vertices (positions, or the split vertices) with normals, and the faces on them.
    const Vector<Vec3>& drawnVertices() const
    {
        return d_vertPosIdx.value().empty() ? d_position.value() : d_vertices.value();
    }
    bool castsShadow() const { return m_castShadow; }
    BoundingBox boundingBox() const override;
    void surface(Vector<Vec3>& vertices, Vector<Triangle>& triangles) const override;

    /// Sets every part of the material from one colour, as SOFA does: ambient a fifth of it.
    void setColor(const Vec<4, float>& rgba);
    void flipFaces();
    /// How often normals were computed.
    std::size_t normalUpdates() const { return m_normalUpdates; }

protected:
    /// Adds what else the model says of how its surface is drawn, to what its material says: `transparent` where the
    /// material is not opaque.
    virtual void finishStyle(DrawStyle& style, SurfaceDescription& surface, bool transparent) const;
    /// Changes with what finishStyle() depends on.
    virtual std::uint64_t styleVersion() const { return 0; }
    virtual SurfaceDescription::Primitive primitive() const { return SurfaceDescription::Primitive::Triangles; }
    /// Scales and moves the texture coordinates as the scene says.
    void transformTexture();

private:
    void declareAttributes();
    bool load();
    void takeMesh(const io::MeshData& mesh);
    void takeTopology();
    void copyTopology();
    bool hasOwnFaces() const;
    /// The points that its positions are.
    ElementNumbering numberingOfPoints() const;
    void keepFaces(const ElementSource& points);
    void splitPositions();
    void transform();
    bool checkFaces();
    void computeVertices();
    void computeNormals();
    void computeTextureCoordinates();
    void computeTangents();
    bool shapeChanged();
    void updateStyles();
    /// Whether tangents are needed: the scene asks for them, or a material has a bump map.
    bool usesTangents() const;
    DrawStyle styleOf(const Material& material, std::shared_ptr<const TextureDescription> texture,
                      std::shared_ptr<const TextureDescription> bumps) const;
    void fill(Geometry& g) const;

    Vector<Vec3> m_resetPosition;
    Vector<Vec3> m_sums;       ///< normals being summed
    Vector<Vec3> m_normalsOf;  ///< vertices when normals and tangents were computed last
    std::uint64_t m_facesVersion = 0;
    std::size_t m_normalUpdates = 0;
    std::vector<DrawStyle> m_styles;  ///< of the groups, or of the whole
    std::optional<std::uint64_t> m_stylesVersion;
    bool m_initialised = false, m_useTopology = false, m_flip = false, m_castShadow = true;
    std::size_t m_topologySizes[2] = {0, 0};
};

}  // namespace sofa::component

namespace sofa::core {
template <>
struct TypeName<component::FaceGroup>
{
    static std::string get() { return "FaceGroup"; }
};
}  // namespace sofa::core
