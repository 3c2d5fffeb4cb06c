// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/SurfaceFormats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/RawBytes.h"

namespace sofa::core::io {

namespace {

struct PointHash
{
    std::size_t operator()(const Vec3& p) const
    {
        std::uint64_t h = 1469598103934665603ull;
        // Adding 0 turns −0 into +0, which compare equal.
        for (const double c : p) h = (h ^ std::bit_cast<std::uint64_t>(c + 0.)) * 1099511628211ull;
        return static_cast<std::size_t>(h ^ (h >> 31));
    }
};

/// Collects facets, merging corners at the same place.
class Facets
{
public:
    Facets(MeshData& mesh, bool merge) : m_mesh(mesh), m_merge(merge) {}
    void add(const Vec3 (&corners)[3])
    {
        Triangle t;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto next = static_cast<Index>(m_mesh.positions.size());
            const auto [it, isNew] = m_merge ? m_index.try_emplace(corners[k], next) : std::pair{m_index.end(), true};
            if (isNew) m_mesh.positions.push_back(corners[k]);
            t[k] = isNew ? next : it->second;
        }
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            ++m_degenerate;
        else
            m_mesh.triangles.push_back(t);
    }
    void finish(const std::string& path)
    {
        if (m_degenerate)
            m_mesh.notes.push_back(path + ": " + std::to_string(m_degenerate) +
                                   " facets with two corners at the same place are left out");
    }

private:
    MeshData& m_mesh;
    bool m_merge;
    std::size_t m_degenerate = 0;
    std::unordered_map<Vec3, Index, PointHash> m_index;  // look-ups only
};

MeshData parseBinaryStl(const SourceText& source, const MeshReadOptions& options)
{
    MeshData mesh;
    TextScanner in(source);
    in.setByteSwap(std::endian::native == std::endian::big);
    (void)in.bytes(options.stlHeaderSize, "the header of a binary STL file");
    const std::size_t count = in.offset();
    const auto announced = in.binary<std::uint32_t>("the number of facets");
    const std::size_t n = in.checkCount(announced, 50, "a number of facets");
    if (n == 0 && source.text.size() > in.offset())
        in.failBinary(count, "a number of facets, which are behind it", "0");
    Facets facets(mesh, options.stlMergePoints);
    for (std::size_t i = 0; i < n; ++i) {
        (void)in.bytes(12, "the normal of a facet");
        Vec3 corners[3];
        for (auto& c : corners)
            for (auto& x : c) {
                const std::size_t at = in.offset();
                x = in.binary<float>("a coordinate");
                if (!std::isfinite(x)) in.failBinary(at, "a coordinate (a finite number)", "infinity or NaN");
            }
        (void)in.bytes(2, "the attributes of a facet");
        facets.add(corners);
    }
    facets.finish(source.path);
    return mesh;
}

MeshData parseTextStl(const SourceText& source, const MeshReadOptions& options)
{
    MeshData mesh;
    TextScanner in(source);
    in.stayOnLine(true);
    Facets facets(mesh, options.stlMergePoints);
    Vec3 corners[3];
    std::size_t k = 0;
    bool inFacet = false, any = false, hasEnd = false;
    for (; !in.atEnd(); in.skipLine()) {
        const auto key = in.token();
        if (key.empty()) continue;
        if (key == "vertex") {
            if (!inFacet || k == 3)
                in.fail(inFacet ? "three vertices of a facet" : "'facet' before 'vertex'", "'vertex'");
            corners[k++] = in.point("a vertex coordinate");
        } else if (key == "facet") {
            if (inFacet) in.fail("'endfacet'", in.found());
            inFacet = true;
            k = 0;
        } else if (key == "endfacet") {
            if (!inFacet || k != 3) in.fail("three vertices of a facet", std::to_string(k));
            inFacet = false;
            facets.add(corners);
        } else if (key == "solid" || key == "endsolid" || key == "end") {
            any = true;
            hasEnd = key != "solid";
        } else if (key != "outer" && key != "endloop" && key != "color") {
            in.fail("a statement of the STL format", in.found());
        }
    }
    if (inFacet) in.fail("'endfacet'", in.found());
    if (!any) in.fail("'solid'", in.found());
    if (!hasEnd && mesh.positions.empty()) in.fail("'facet' or 'endsolid'", in.found());
    if (!hasEnd) mesh.notes.push_back(source.path + ": there is no 'endsolid': the end of the file may be missing");
    facets.finish(source.path);
    return mesh;
}

}  // namespace

MeshData parseStl(const SourceText& source, const MeshReadOptions& options)
{
    TextScanner in(source);
    bool binary = options.stlForceBinary || in.token() != "solid" || source.text.find('\0') != std::string::npos;
    if (!binary && source.text.size() > options.stlHeaderSize + 4) {
        in.seek(options.stlHeaderSize);
        in.setByteSwap(std::endian::native == std::endian::big);
        const std::uint64_t n = in.binary<std::uint32_t>("the number of facets");
        binary = source.text.size() == options.stlHeaderSize + 4 + 50 * n;
    }
    return binary ? parseBinaryStl(source, options) : parseTextStl(source, options);
}

MeshData readStl(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseStl(loadSource(path), options);
}

void writeStl(const std::filesystem::path& path, const MeshData& given, bool binary)
{
    requirePoints(path, given);
    const MeshData mesh = withBorder(given);
    std::string out = binary ? std::string(80, ' ') : "solid mesh\n";
    if (binary) appendRaw(out, static_cast<std::uint32_t>(mesh.triangles.size() + 2 * mesh.quads.size()));
    const auto vector = [&](const Vec3& v) {
        for (const double c : v) {
            if (binary) {
                appendRaw(out, static_cast<float>(c));
            } else {
                out += ' ';
                appendNumber(out, c);
            }
        }
        if (!binary) out += '\n';
    };
    const auto facet = [&](Index a, Index b, Index c) {
        const Vec3 &x = mesh.positions[a], &y = mesh.positions[b], &z = mesh.positions[c];
        if (!binary) out += "facet normal";
        vector(normalized(cross(y - x, z - x)));
        if (!binary) out += "outer loop\n";
        for (const Vec3* p : {&x, &y, &z}) {
            if (!binary) out += "vertex";
            vector(*p);
        }
        if (binary)
            appendRaw(out, std::uint16_t{0});
        else
            out += "endloop\nendfacet\n";
    };
    for (const auto& t : mesh.triangles) facet(t[0], t[1], t[2]);
    for (const auto& q : mesh.quads) {
        facet(q[0], q[1], q[2]);
        facet(q[0], q[2], q[3]);
    }
    if (!binary) out += "endsolid mesh\n";
    saveText(path, out);
}

MeshData parseOff(const SourceText& source)
{
    MeshData mesh;
    TextScanner in(source);
    // Next token that is not part of a comment stays next.
    const auto skipComments = [&] {
        while (!in.peek().empty() && in.peek()[0] == '#') {
            (void)in.token();
            in.skipLine();
        }
    };
    skipComments();
    const std::string header(in.token());
    std::string prefix;
    if (header.size() >= 3 && header.substr(header.size() - 3) == "OFF") prefix = header.substr(0, header.size() - 3);
    if (header.size() < 3 || header.substr(header.size() - 3) != "OFF" ||
        prefix.find_first_not_of("STCN") != std::string::npos)
        in.fail("'OFF'", in.found());
    skipComments();
    if (in.peek() == "BINARY") in.fail("an OFF file in ASCII", in.found());
    const std::size_t points = in.count("the number of vertices", 6);
    const std::size_t faces = in.count("the number of faces", 2);
    if (!in.atLineEnd()) (void)in.integer("the number of edges");
    in.skipLine();
    const bool hasN = prefix.find('N') != std::string::npos, hasT = prefix.find("ST") != std::string::npos;
    mesh.positions.reserve(points);
    for (std::size_t i = 0; i < points; ++i) {
        skipComments();
        mesh.positions.push_back(in.point("a vertex coordinate"));
        if (hasN) mesh.normals.push_back(normalized(in.point("a normal's component")));
        if (hasT) {
            if (prefix.find('C') != std::string::npos)
                for (int k = 0; k < 4; ++k) (void)in.real("a colour component");
            const double u = in.real("a texture coordinate"), v = in.real("a texture coordinate");
            mesh.texCoords.push_back({u, v});
        }
        in.skipLine();
    }
    Vector<Index> ids;
    for (std::size_t f = 0; f < faces; ++f) {
        skipComments();
        const std::size_t n = in.count("the number of corners of a face", 2);
        ids.clear();
        for (std::size_t k = 0; k < n; ++k) {
            const std::int64_t i = in.integer("the index of a vertex");
            if (i < 0 || static_cast<std::uint64_t>(i) >= points)
                in.fail("the index of one of the " + std::to_string(points) + " vertices, from 0", in.found());
            ids.push_back(static_cast<Index>(i));
        }
        if (n == 1)
            mesh.points.push_back(ids[0]);
        else if (n == 2)
            mesh.edges.push_back({ids[0], ids[1]});
        else if (n == 4)
            mesh.quads.push_back({ids[0], ids[1], ids[2], ids[3]});
        else if (n > 2)
            addPolygon(mesh, ids.data(), n);
        in.skipLine();
    }
    return mesh;
}

MeshData readOff(const std::filesystem::path& path) { return parseOff(loadSource(path)); }

void writeOff(const std::filesystem::path& path, const MeshData& given)
{
    const MeshData mesh = withBorder(given);
    std::string out = "OFF\n" + std::to_string(mesh.positions.size()) + ' ' +
                      std::to_string(mesh.triangles.size() + mesh.quads.size() + mesh.edges.size()) + " 0\n";
    for (const Vec3& p : mesh.positions) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (k > 0) out += ' ';
            appendNumber(out, p[k]);
        }
        out += '\n';
    }
    const auto faces = [&](const auto& list) {
        for (const auto& face : list) {
            out += std::to_string(face.size());
            for (const Index v : face) {
                out += ' ';
                appendNumber(out, std::uint64_t{v});
            }
            out += '\n';
        }
    };
    faces(mesh.triangles);
    faces(mesh.quads);
    faces(mesh.edges);
    saveText(path, out);
}

static const RegisterMeshFormat stl(
    {.name = "stereolithography",
     .extensions = {".stl"},
     .recognise =
         [](std::string_view content) { return content.starts_with("solid") ? Recognition::Likely : Recognition::No; },
     .read = [](const SourceText& source, const MeshReadOptions& options) { return parseStl(source, options); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeStl(path, mesh); }});

static const RegisterMeshFormat off(
    {.name = "object file format",
     .extensions = {".off"},
     .recognise =
         [](std::string_view content) { return content.starts_with("OFF") ? Recognition::Likely : Recognition::No; },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseOff(source); },
     .write = writeOff});

}  // namespace sofa::core::io
