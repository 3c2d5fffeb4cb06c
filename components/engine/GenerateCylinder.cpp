// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <numbers>

#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// A cylinder along z, from its lower end at `origin`: tetrahedra, and triangles of its surface, each with points of
/// their own.
///
/// The solid has layers of points, in each the one on the axis and then rings of growing radius. Prisms around the axis
/// become three tetrahedra, the cells outside them six; neighbours agree about the diagonals. The points of the surface
/// are the outer rings; if it is closed, then the centre and the inner rings of the lower end, and of the upper one.
/// With one ring, SOFA's closed surface refers to points that do not exist.
class GenerateCylinder final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Output<Vector<Vec3>> d_tetrahedraPosition{this, output("output_TetrahedraPosition", "Points of the solid", "m")};
    Output<Vector<Vec3>> d_trianglesPosition{this, output("output_TrianglesPosition", "Points of the surface", "m")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Tetrahedra of the solid")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles of the surface, seen from outside")};
    Input<double> d_radius{this, input("radius", "Radius", "m", Range::positive()), 0.2};
    Input<double> d_height{this, input("height", "Height", "m", Range::positive()), 1.};
    Input<Vec3> d_origin{this, input("origin", "Centre of the lower end", "m")};
    Input<bool> d_openSurface{this, input("openSurface", "Leave out both ends of the surface"), true};
    Input<Index> d_resCircumferential{this, input("resCircumferential", "Points on a ring", {}, Range::atLeast(3.)), 6};
    Input<Index> d_resRadial{this, input("resRadial", "Rings around the axis", {}, Range::atLeast(1.)), 3};
    Input<Index> d_resHeight{this, input("resHeight", "Layers of points along the axis", {}, Range::atLeast(2.)), 5};

    GenerateCylinder()
    {
        addAlias(d_tetrahedraPosition, "position");
        addAlias(d_tetrahedraPosition, "output_position");
    }

protected:
    void doUpdate() override
    {
        requireMeshSize("resCircumferential, resRadial and resHeight",
                        6. * d_resCircumferential.value() * d_resRadial.value() * d_resHeight.value());
        makeSolid();
        makeSurface();
    }

private:
    Vec3 point(Index layer, Index ring, Index k) const
    {
        const double r = ring * d_radius.value() / d_resRadial.value();
        const double angle = 2. * std::numbers::pi * k / d_resCircumferential.value();
        const double z = layer * d_height.value() / (d_resHeight.value() - 1.);
        return d_origin.value() + Vec3{r * std::cos(angle), r * std::sin(angle), z};
    }
    void makeSolid()
    {
        const Index n = d_resCircumferential.value(), rings = d_resRadial.value(), layers = d_resHeight.value();
        Vector<Vec3> x;
        for (Index i = 0; i < layers; ++i) {
            x.push_back(point(i, 0, 0));
            for (Index j = 1; j <= rings; ++j)
                for (Index k = 0; k < n; ++k) x.push_back(point(i, j, k));
        }
        // Numbers of points: three or four above, then those below.
        constexpr std::array<Tetrahedron, 3> ofPrism{{{1, 0, 2, 3}, {1, 2, 4, 3}, {3, 4, 5, 2}}};
        constexpr std::array<Tetrahedron, 6> ofCell{
            {{0, 5, 4, 7}, {0, 1, 5, 3}, {5, 0, 3, 7}, {0, 3, 7, 2}, {7, 0, 2, 4}, {6, 7, 2, 4}}};
        Vector<Tetrahedron> tetrahedra;
        const Index layer = n * rings + 1;
        for (Index i = 1; i < layers; ++i)
            for (Index j = 0; j < rings; ++j)
                for (Index k = 0; k < n; ++k) {
                    const Index before = (k + n - 1) % n, axis = i * layer, outer = axis + 1 + j * n;
                    if (j == 0) {
                        const Index a = axis, b = outer + before, c = outer + k;
                        for (const auto& t : ofPrism)
                            tetrahedra.push_back(subElement(Prism{a, b, c, a - layer, b - layer, c - layer}, t));
                    } else {
                        const Index a = outer - n + k, b = outer - n + before, c = outer + k, d = outer + before;
                        const Hexahedron cell{a, b, c, d, a - layer, b - layer, c - layer, d - layer};
                        for (const auto& t : ofCell) tetrahedra.push_back(subElement(cell, t));
                    }
                }
        d_tetrahedraPosition.setValue(std::move(x));
        d_tetrahedra.setValue(std::move(tetrahedra));
    }
    void makeSurface()
    {
        const Index n = d_resCircumferential.value(), rings = d_resRadial.value(), layers = d_resHeight.value();
        Vector<Vec3> x;
        Vector<Triangle> triangles;
        for (Index i = 0; i < layers; ++i)
            for (Index k = 0; k < n; ++k) x.push_back(point(i, rings, k));
        for (Index i = 1; i < layers; ++i)
            for (Index k = 0; k < n; ++k) {
                const Index below = (i - 1) * n + k, belowNext = (i - 1) * n + (k + 1) % n;
                triangles.push_back({below + n, below, belowNext});
                triangles.push_back({below + n, belowNext, belowNext + n});
            }
        for (Index end = 0; end < 2 && !d_openSurface.value(); ++end) {
            const Index center = static_cast<Index>(x.size()), height = end * (layers - 1);
            x.push_back(point(height, 0, 0));
            for (Index j = 1; j < rings; ++j)
                for (Index k = 0; k < n; ++k) x.push_back(point(height, j, k));
            const auto number = [&](Index j, Index k) {
                return j == rings ? height * n + k % n : j == 0 ? center : center + 1 + (j - 1) * n + k % n;
            };
            const auto add = [&](Index a, Index b, Index c) {
                triangles.push_back(end ? Triangle{a, b, c} : Triangle{a, c, b});
            };
            for (Index k = 0; k < n; ++k) add(center, number(1, k), number(1, k + 1));
            for (Index j = 1; j < rings; ++j)
                for (Index k = 0; k < n; ++k) {
                    const Index a = number(j, k), b = number(j + 1, k), c = number(j + 1, k + 1), d = number(j, k + 1);
                    add(a, b, c);
                    add(a, c, d);
                }
        }
        d_trianglesPosition.setValue(std::move(x));
        d_triangles.setValue(std::move(triangles));
    }
};

const RegisterComponent registeredGenerateCylinder =
    RegisterComponent("GenerateCylinder", "Engine", "Sofa.Component.Engine.Generate")
        .help("A cylinder: tetrahedra, and triangles of its surface")
        .example("component/engine/GenerateCylinder.scn")
        .add<GenerateCylinder>();

}  // namespace

}  // namespace sofa::component
