// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/GltfFormat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/RawBytes.h"

namespace sofa::core::io {

namespace {

using Json = nlohmann::ordered_json;

// Numbers of the format.
constexpr int pointsMode = 0, linesMode = 1, trianglesMode = 4;
constexpr int floatType = 5126, indexType = 5125;
constexpr int vertexTarget = 34962, indexTarget = 34963;

class GlbWriter
{
public:
    explicit GlbWriter(const MeshData& mesh) : m_mesh(mesh) {}

    std::string run()
    {
        m_json["asset"] = {{"version", "2.0"}};
        m_json["scene"] = 0;
        m_json["scenes"] = {{{"nodes", {0}}}};
        m_json["nodes"] = {{{"mesh", 0}}};
        addVertices();
        addMaterials();
        addFaces();
        if (m_mesh.triangles.empty() && m_mesh.quads.empty()) {
            Vector<Index> ends;
            for (const Edge& e : m_mesh.edges) ends.insert(ends.end(), e.begin(), e.end());
            addPart(linesMode, ends, -1);
            addPart(pointsMode, m_mesh.points, -1);
        }
        m_json["meshes"] = {{{"primitives", m_parts}}};
        m_json["accessors"] = m_accessors;
        m_json["bufferViews"] = m_views;
        m_json["buffers"] = {{{"byteLength", m_bytes.size()}}};
        return file();
    }

private:
    /// Adds an array to the buffer; the number of its accessor.
    std::size_t addArray(const std::string& bytes, std::size_t count, const char* shape, int type, int target)
    {
        m_views.push_back(
            {{"buffer", 0}, {"byteOffset", m_bytes.size()}, {"byteLength", bytes.size()}, {"target", target}});
        m_accessors.push_back(
            {{"bufferView", m_views.size() - 1}, {"componentType", type}, {"count", count}, {"type", shape}});
        m_bytes += bytes;
        return m_accessors.size() - 1;
    }

    void addVertices()
    {
        const auto array = [&](const char* name, const char* shape, const auto& values, auto&& convert) {
            std::string bytes;
            for (const auto& v : values)
                for (const double c : convert(v)) appendRaw(bytes, static_cast<float>(c));
            m_attributes[name] = addArray(bytes, values.size(), shape, floatType, vertexTarget);
        };
        const auto same = [](const auto& v) { return v; };
        const auto& x = m_mesh.positions;
        array("POSITION", "VEC3", x, same);
        Vec<3, float> low(x.empty() ? Vec3() : x[0]), high = low;
        for (const Vec3& p : x)
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], static_cast<float>(p[k]));
                high[k] = std::max(high[k], static_cast<float>(p[k]));
            }
        m_accessors.back()["min"] = {low[0], low[1], low[2]};
        m_accessors.back()["max"] = {high[0], high[1], high[2]};
        // Normals must be of unit length.
        const bool units = std::ranges::all_of(m_mesh.normals, [](const Vec3& n) { return norm(n) > 0.; });
        if (!x.empty() && m_mesh.normals.size() == x.size() && units)
            array("NORMAL", "VEC3", m_mesh.normals, [](const Vec3& n) { return normalized(n); });
        // The origin of images is at the top.
        if (!x.empty() && m_mesh.texCoords.size() == x.size())
            array("TEXCOORD_0", "VEC2", m_mesh.texCoords, [](const Vec2& t) { return Vec2{t[0], 1. - t[1]}; });
    }

    void addMaterials()
    {
        for (const MeshMaterial& m : m_mesh.materials) {
            const Vec<4, float> color = m.useDiffuse ? m.diffuse : Vec<4, float>{0.8f, 0.8f, 0.8f, 1.f};
            const double exponent = m.useShininess ? std::max(0.f, m.shininess) : 0.;
            Json j = {{"name", m.name}, {"doubleSided", true}};
            j["pbrMetallicRoughness"] = {{"baseColorFactor", {color[0], color[1], color[2], color[3]}},
                                         {"metallicFactor", 0.},
                                         {"roughnessFactor", std::sqrt(2. / (exponent + 2.))}};
            if (m.useEmissive) j["emissiveFactor"] = {m.emissive[0], m.emissive[1], m.emissive[2]};
            if (color[3] < 1.f) j["alphaMode"] = "BLEND";
            m_json["materials"].push_back(j);
        }
    }

    void addPart(int mode, const Vector<Index>& vertices, int material)
    {
        if (vertices.empty()) return;
        std::string bytes;
        for (const Index v : vertices) appendRaw(bytes, static_cast<std::uint32_t>(v));
        Json part = {{"attributes", m_attributes},
                     {"indices", addArray(bytes, vertices.size(), "SCALAR", indexType, indexTarget)},
                     {"mode", mode}};
        if (material >= 0 && static_cast<std::size_t>(material) < m_mesh.materials.size()) part["material"] = material;
        m_parts.push_back(part);
    }

    /// Faces of one range after the other, then those of none.
    void addFaces()
    {
        const auto corners = [](const auto& face, Vector<Index>& out) {
            for (std::size_t k = 2; k < face.size(); ++k) out.insert(out.end(), {face[0], face[k - 1], face[k]});
        };
        const auto addKind = [&](CellKind kind, const auto& faces) {
            Vector<char> done(faces.size(), 0);
            for (const CellRange& r : m_mesh.ranges[static_cast<std::size_t>(kind)]) {
                Vector<Index> part;
                for (std::size_t f = r.first; f < std::min<std::size_t>(std::size_t{r.first} + r.count, faces.size());
                     ++f) {
                    corners(faces[f], part);
                    done[f] = 1;
                }
                addPart(trianglesMode, part, r.materialId);
            }
            Vector<Index> rest;
            for (std::size_t f = 0; f < faces.size(); ++f)
                if (!done[f]) corners(faces[f], rest);
            addPart(trianglesMode, rest, m_mesh.materials.size() == 1 ? 0 : -1);
        };
        addKind(CellKind::Triangle, m_mesh.triangles);
        addKind(CellKind::Quad, m_mesh.quads);
    }

    /// Two chunks whose lengths are multiples of four.
    std::string file()
    {
        std::string json = m_json.dump();
        json.resize((json.size() + 3) / 4 * 4, ' ');
        m_bytes.resize((m_bytes.size() + 3) / 4 * 4, '\0');
        std::string out = "glTF";
        appendRaw(out, std::uint32_t{2});
        appendRaw(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + m_bytes.size()));
        appendRaw(out, static_cast<std::uint32_t>(json.size()));
        out += "JSON" + json;
        appendRaw(out, static_cast<std::uint32_t>(m_bytes.size()));
        out += std::string("BIN\0", 4) + m_bytes;
        return out;
    }

    const MeshData& m_mesh;
    Json m_json, m_attributes = Json::object(), m_parts = Json::array(), m_accessors = Json::array(),
                 m_views = Json::array();
    std::string m_bytes;
};

const RegisterMeshFormat registeredGltfFormat({.name = "glTF", .extensions = {".glb"}, .write = writeGlb});

}  // namespace

void writeGlb(const std::filesystem::path& path, const MeshData& mesh)
{
    requirePoints(path, mesh);
    if (mesh.positions.empty()) throw MeshError(path.string(), "a mesh without points cannot be written as glTF");
    const std::string bytes = GlbWriter(withBorder(mesh)).run();
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
        throw MeshError(path.string(),
                        "glTF holds at most 4 GiB, and the mesh has " + std::to_string(bytes.size()) + " bytes");
    saveText(path, bytes);
}

}  // namespace sofa::core::io
