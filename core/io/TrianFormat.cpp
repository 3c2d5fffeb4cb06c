// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TrianFormat.h"

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

namespace {

class TrianParser
{
public:
    explicit TrianParser(const SourceText& source) : m_in(source) {}

    TrianMesh run(TrianKind kind)
    {
        double number = 0.;
        const bool first = kind == TrianKind::Auto ? parseReal(m_in.peek(), number) : kind == TrianKind::First;
        if (first)
            readFirst();
        else
            readSecond();
        m_in.skipSpace();
        if (!m_in.atEnd()) {
            (void)m_in.token();
            m_in.fail("the end of the file after the triangles", m_in.found());
        }
        return std::move(m_out);
    }

private:
    void readFirst()
    {
        MeshData& mesh = m_out.mesh;
        readPoints(mesh.positions);
        const std::size_t n = m_in.count("the number of triangles", 12);
        for (std::size_t i = 0; i < n; ++i) {
            mesh.triangles.push_back(triangle());
            std::array<int, 3> neighbours{};
            for (int& t : neighbours) {
                const std::int64_t v = m_in.integer("the index of a neighbour");
                if (v < -1 || v >= static_cast<std::int64_t>(n))
                    m_in.fail("the index of one of the " + std::to_string(n) + " triangles, or -1", m_in.found());
                t = static_cast<int>(v);
            }
            m_out.neighbours.push_back(neighbours);
        }
    }

    void readSecond()
    {
        constexpr int headerLines = 13;
        for (int i = 0; i < headerLines; ++i) {
            if (m_in.atEnd()) m_in.failAt(m_in.offset(), "13 lines before the points", "the end of the file");
            m_in.skipLine();
        }
        MeshData& mesh = m_out.mesh;
        word("points");
        readPoints(mesh.positions);
        word("normals");
        Vector<Vec3> normals;
        readPoints(normals);
        if (normals.size() == mesh.positions.size()) {
            for (const Vec3& n : normals) mesh.normals.push_back(normalized(n));
        } else if (!normals.empty()) {
            mesh.notes.push_back(m_in.path() + ": " + std::to_string(normals.size()) + " normals for " +
                                 std::to_string(mesh.positions.size()) + " points are left out");
        }
        word("triangles");
        const std::size_t n = m_in.count("the number of triangles", 6);
        for (std::size_t i = 0; i < n; ++i) mesh.triangles.push_back(triangle());
    }

    void word(const char* what)
    {
        double number = 0.;
        if (m_in.token().empty() || !parseReal(m_in.peek(), number))
            m_in.fail("a word and the number of " + std::string(what), m_in.found());
    }

    void readPoints(Vector<Vec3>& points)
    {
        const std::size_t n = m_in.count("a number of points", 6);
        points.reserve(n);
        for (std::size_t i = 0; i < n; ++i) points.push_back(m_in.point("a coordinate"));
    }

    Triangle triangle()
    {
        const std::size_t points = m_out.mesh.positions.size();
        Triangle t{};
        for (Index& p : t) {
            const std::int64_t v = m_in.integer("the index of a vertex");
            if (v < 0 || static_cast<std::uint64_t>(v) >= points)
                m_in.fail("the index of one of the " + std::to_string(points) + " points, from 0", m_in.found());
            p = static_cast<Index>(v);
        }
        return t;
    }

    TextScanner m_in;
    TrianMesh m_out;
};

}  // namespace

TrianMesh parseTrian(const SourceText& source, TrianKind kind) { return TrianParser(source).run(kind); }

static const RegisterMeshFormat registeredTrianFormat({.name = "triangulation",
                                                       .extensions = {".trian", ".trian2"},
                                                       .read = [](const SourceText& source, const MeshReadOptions&) {
                                                           return parseTrian(source).mesh;
                                                       }});

}  // namespace sofa::core::io
