// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/FiniteElements.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace sofa::test {

/// A mesh of one kind of elements whose inner points are displaced, so that no element is regular, in a body of known
/// size: a line of length 2, a rectangle of area 6, a box of volume 6. Lines and rectangles lie obliquely in the space.
template <class Shape, std::size_t D>
struct ElementMesh
{
    Vector<Vec<D>> points;
    Vector<typename Shape::Element> elements;
    std::vector<bool> inner;  ///< per point: not on the boundary
    double measure = Shape::dimension == 1 ? 2. : 6.;

    /// `refine` multiplies the number of elements along each axis.
    explicit ElementMesh(Index refine = 1)
    {
        if constexpr (Shape::dimension == 1)
            makeLine(4 * refine);
        else if constexpr (Shape::dimension == 2)
            makeRectangle(3 * refine, 2 * refine);
        else
            makeBox(3 * refine);
    }

private:
    /// A point of the line or rectangle in the space of the elements.
    static Vec<D> embed(double x, double y)
    {
        Vec<D> p;
        if constexpr (D == 1) {
            p[0] = x;
        } else if constexpr (D == 2) {
            p = Vec2{0.8 * x - 0.6 * y + 1., 0.6 * x + 0.8 * y};
        } else {
            const Mat3 r = someRotation();
            p = r.column(0) * x + r.column(1) * y + Vec3{0., 1., 0.};
        }
        return p;
    }

    void makeLine(Index n)
    {
        for (Index i = 0; i <= n; ++i) {
            const double s = static_cast<double>(i) / n;
            points.push_back(embed(2. * s + 0.3 * s * (1. - s), 0.));
            inner.push_back(i > 0 && i < n);
            if (i > 0) elements.push_back({i - 1, i});
        }
    }

    void makeRectangle(Index nx, Index ny)
    {
        const Vector<Vec3> noise = randomVectors((nx + 1) * (ny + 1), 0.2, 5);
        for (Index j = 0; j <= ny; ++j)
            for (Index i = 0; i <= nx; ++i) {
                const bool in = i > 0 && i < nx && j > 0 && j < ny;
                const Vec3 d = in ? noise[points.size()] : Vec3{};
                points.push_back(embed((i + d[0]) * 3. / nx, (j + d[1]) * 2. / ny));
                inner.push_back(in);
            }
        for (Index j = 0; j < ny; ++j)
            for (Index i = 0; i < nx; ++i) {
                const Index a = i + (nx + 1) * j;
                const Quad q{a, a + 1, a + nx + 2, a + nx + 1};
                if constexpr (Shape::nodes == 4) {
                    elements.push_back(q);
                } else {
                    elements.push_back({q[0], q[1], q[2]});
                    elements.push_back({q[0], q[2], q[3]});
                }
            }
    }

    void makeBox(Index n)
    {
        BoxMesh box(n, n, n, {2., 1.5, 2.});
        const Vector<Vec3> noise = randomVectors(box.points.size(), 0.2 / n, 6);
        for (std::size_t i = 0; i < box.points.size(); ++i) {
            bool in = true;
            for (std::size_t k = 0; k < 3; ++k)
                in = in && box.points[i][k] > 0. && box.points[i][k] < (k == 1 ? 1.5 : 2.);
            inner.push_back(in);
            if (in) box.points[i] += noise[i];
        }
        points = box.points;
        if constexpr (Shape::type == ElementType::Tetrahedra) elements = box.tetrahedra;
        if constexpr (Shape::type == ElementType::Hexahedra) elements = box.hexahedra;
        for (const Hexahedron& h : box.hexahedra) {
            if constexpr (Shape::type == ElementType::Prisms) {
                elements.push_back({h[0], h[1], h[2], h[4], h[5], h[6]});
                elements.push_back({h[0], h[2], h[3], h[4], h[6], h[7]});
            }
            if constexpr (Shape::type == ElementType::Pyramids) {
                // A pyramid on each face, with its apex in the middle of the cell; the faces as seen from there.
                constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                             {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
                Vec3 middle;
                for (const Index v : h) middle += box.points[v] / 8.;
                for (const auto& f : faces)
                    elements.push_back({h[f[0]], h[f[1]], h[f[2]], h[f[3]], static_cast<Index>(points.size())});
                points.push_back(middle + Vec3{0.1 / n, -0.05 / n, 0.07 / n});
                inner.push_back(true);
            }
        }
    }
};

}  // namespace sofa::test
