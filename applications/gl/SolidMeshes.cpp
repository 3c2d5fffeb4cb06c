// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/SolidMeshes.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace sofa::gl {

namespace {

struct Corner
{
    Vec3f position, normal;
};

struct Shape
{
    std::vector<Corner> corners;
    std::vector<Index> indices;

    Index add(double x, double y, double z, double nx, double ny, double nz)
    {
        corners.push_back({Vec3f(x, y, z), Vec3f(nx, ny, nz)});
        return static_cast<Index>(corners.size() - 1);
    }
    void triangle(Index a, Index b, Index c) { indices.insert(indices.end(), {a, b, c}); }
};

/// Rings of longitudes between two poles.
void sphere(Shape& s, unsigned around, unsigned rings)
{
    for (unsigned i = 0; i <= rings; ++i)
        for (unsigned j = 0; j < around; ++j) {
            const double a = std::numbers::pi * i / rings, b = 2. * std::numbers::pi * j / around;
            const double x = std::sin(a) * std::cos(b), y = std::sin(a) * std::sin(b), z = std::cos(a);
            s.add(x, y, z, x, y, z);
        }
    for (unsigned i = 0; i < rings; ++i)
        for (unsigned j = 0; j < around; ++j) {
            const Index a = i * around + j, b = i * around + (j + 1) % around;
            if (i > 0) s.triangle(a, a + around, b);
            if (i + 1 < rings) s.triangle(b, a + around, b + around);
        }
}

/// The side between z = 0 with radius 1 and z = 1 with a radius `top` of 1 or 0, and the discs.
void round(Shape& s, unsigned around, double top)
{
    const double slope = 1. - top, n = 1. / std::sqrt(1. + slope * slope);
    for (unsigned j = 0; j < around; ++j) {
        const double b = 2. * std::numbers::pi * j / around, x = std::cos(b), y = std::sin(b);
        // The apex of a cone has a vertex for each side, with the normal of its middle.
        const double m = slope > 0. ? b + std::numbers::pi / around : b;
        const Index lower = s.add(x, y, 0., x * n, y * n, slope * n);
        s.add(x * top, y * top, 1., std::cos(m) * n, std::sin(m) * n, slope * n);
        const Index next = 2 * ((j + 1) % around);
        s.triangle(lower, next, lower + 1);
        if (top > 0.) s.triangle(next, next + 1, lower + 1);
    }
    const auto disc = [&](double z, double direction) {
        const Index center = s.add(0., 0., z, 0., 0., direction);
        for (unsigned j = 0; j < around; ++j) {
            const double b = 2. * std::numbers::pi * j / around;
            s.add(std::cos(b), std::sin(b), z, 0., 0., direction);
        }
        for (unsigned j = 0; j < around; ++j) {
            const Index a = center + 1 + j, b = center + 1 + (j + 1) % around;
            direction > 0. ? s.triangle(center, a, b) : s.triangle(center, b, a);
        }
    };
    disc(0., -1.);
    if (top > 0.) disc(1., 1.);
}

void cube(Shape& s)
{
    for (unsigned axis = 0; axis < 3; ++axis)
        for (const double side : {-1., 1.}) {
            Vec3 n;
            n[axis] = side;
            const Vec3 u = Vec3::unit((axis + 1) % 3), v = cross(n, u);
            const Index first = static_cast<Index>(s.corners.size());
            for (const auto& [a, b] :
                 {std::pair(-1., -1.), std::pair(1., -1.), std::pair(1., 1.), std::pair(-1., 1.)}) {
                const Vec3 p = n + u * a + v * b;
                s.add(p[0], p[1], p[2], n[0], n[1], n[2]);
            }
            s.triangle(first, first + 1, first + 2);
            s.triangle(first, first + 2, first + 3);
        }
}

}  // namespace

SolidMeshes::~SolidMeshes()
{
    for (auto& both : m_meshes)
        for (const Mesh& m : both)
            if (m.vertices) {
                const GLuint buffers[] = {m.vertices, m.indices};
                m_gl.DeleteBuffers(2, buffers);
            }
}

const SolidMeshes::Mesh& SolidMeshes::mesh(Solid solid, bool fine)
{
    Mesh& m = m_meshes[static_cast<std::size_t>(solid)][fine ? 1 : 0];
    if (m.vertices) return m;
    Shape s;
    switch (solid) {
        case Solid::Sphere:
            sphere(s, fine ? 32 : 12, fine ? 16 : 7);
            break;
        case Solid::Cylinder:
            round(s, fine ? 32 : 10, 1.);
            break;
        case Solid::Cone:
            round(s, fine ? 32 : 10, 0.);
            break;
        case Solid::Cube:
            cube(s);
            break;
    }
    m_gl.GenBuffers(1, &m.vertices);
    m_gl.GenBuffers(1, &m.indices);
    m_gl.BindVertexArray(0);
    m_gl.BindBuffer(GL_ARRAY_BUFFER, m.vertices);
    m_gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(s.corners.size() * sizeof(Corner)), s.corners.data(),
                    GL_STATIC_DRAW);
    m_gl.BindBuffer(GL_ARRAY_BUFFER, m.indices);
    m_gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(s.indices.size() * sizeof(Index)), s.indices.data(),
                    GL_STATIC_DRAW);
    m.count = static_cast<GLsizei>(s.indices.size());
    return m;
}

}  // namespace sofa::gl
