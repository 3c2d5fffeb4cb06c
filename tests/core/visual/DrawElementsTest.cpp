// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DrawElements.h"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "core/visual/ColorMap.h"
#include "tests/harness/DrawCheck.h"

namespace draw_elements_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// Draws by a function.
class Sketch final : public Component
{
public:
    std::function<void(DrawTool&)> how;
    void draw(DrawTool& tool) override { how(tool); }
};

struct Board
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    Sketch& sketch = root->create<Sketch>();
    test::Drawing draw(std::function<void(DrawTool&)> how, const std::string& flags = "showAll")
    {
        sketch.how = std::move(how);
        return test::Drawing(sketch, flags);
    }
};

ElementDrawing withGap(double gap)
{
    ElementDrawing how;
    how.gap = gap;
    return how;
}

const Vector<Vec3> cube{{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.},
                        {0., 0., 1.}, {1., 0., 1.}, {1., 1., 1.}, {0., 1., 1.}};

}  // namespace

TEST_CASE("Solids have all their faces, turned outwards, each group in its colour", "[visual]")
{
    struct Kind
    {
        ElementType type;
        Vector<Index> vertices;
        std::size_t triangles, colors;
    };
    const Kind kinds[] = {{ElementType::Tetrahedra, {0, 1, 3, 4}, 4, 4},
                          {ElementType::Pyramids, {0, 1, 2, 3, 4}, 6, 5},
                          {ElementType::Prisms, {0, 1, 3, 4, 5, 7}, 8, 5},
                          {ElementType::Hexahedra, {0, 1, 2, 3, 4, 5, 6, 7}, 12, 6}};
    for (const Kind& k : kinds) {
        INFO(elementTypeName(k.type));
        Board board;
        const auto d = board.draw([&](DrawTool& t) { drawElements(t, k.type, k.vertices, cube, withGap(0.)); });
        CHECK(d.triangles == k.triangles);
        REQUIRE(d.size() == k.colors);
        std::set<std::array<float, 3>> colors;
        for (std::size_t i = 0; i < d.size(); ++i) {
            const Color c = d.style(i).color;
            colors.insert({c[0], c[1], c[2]});
            CHECK(d.items[i]->geometry == d.items[0]->geometry);
        }
        CHECK(colors.size() == k.colors);
        // Six times the enclosed volume, by the divergence theorem: positive if all faces are turned outwards.
        double volume = 0.;
        const Geometry& g = d.geometry(0);
        for (const Triangle& t : g.triangles)
            volume += dot(Vec3(g.positions[t[0]]), cross(Vec3(g.positions[t[1]]), Vec3(g.positions[t[2]])));
        const double expected[] = {1., 2., 3., 6.};
        CHECK(volume == Approx(expected[&k - kinds]));
    }
}

TEST_CASE("Elements shrink towards their centres, but their edges do not", "[visual]")
{
    Board board;
    const Vector<Tetrahedron> one{{0, 1, 3, 4}};
    const auto drawing = [&](DrawTool& t) { drawElements(t, ElementType::Tetrahedra, one, cube, withGap(0.5)); };
    const auto faces = board.draw(drawing);
    REQUIRE(faces.geometry(0).positions.size() == 4);
    // The centre is at 1/4.
    CHECK(faces.geometry(0).positions[0] == Vec3f{0.125f, 0.125f, 0.125f});
    CHECK(faces.geometry(0).positions[1] == Vec3f{0.625f, 0.125f, 0.125f});
    Board other;
    const auto wires = other.draw(drawing, "showAll showWireframe");
    CHECK(wires.geometry(0).positions.size() == cube.size());
    CHECK(wires.style(0).wireframe);
}

TEST_CASE("Flat elements take colours in turn; elements whose points do not exist are left out", "[visual]")
{
    Board board;
    const Vector<Triangle> triangles{{0, 1, 2}, {0, 2, 99}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    const auto d = board.draw([&](DrawTool& t) { drawElements(t, ElementType::Triangles, triangles, cube); });
    CHECK(d.triangles == 4);
    REQUIRE(d.size() == 3);
    CHECK(d.style(0).triangleCount == 2);
    CHECK(d.style(1).firstTriangle == 2);
    CHECK(d.style(1).triangleCount == 1);

    Board lines;
    const Vector<Edge> edges{{0, 1}, {1, 2}, {2, 42}};
    const auto e = lines.draw([&](DrawTool& t) { drawElements(t, ElementType::Edges, edges, cube); });
    CHECK(e.lines == 2);
    CHECK(e.size() == 2);
}

TEST_CASE("Elements take colours of their own, or of their points", "[visual]")
{
    const Vector<Hexahedron> one{{0, 1, 2, 3, 4, 5, 6, 7}};
    const Color red[] = {Color(1.f, 0.f, 0.f)};
    Vector<Color> points(8, Color(0.f, 1.f, 0.f));
    Board board;
    const auto byElement = board.draw([&](DrawTool& t) {
        ElementDrawing how;
        how.elementColors = red;
        drawElements(t, ElementType::Hexahedra, one, cube, how);
    });
    REQUIRE(byElement.size() == 1);
    REQUIRE(byElement.geometry(0).colors.size() == 8);
    CHECK(byElement.geometry(0).colors[7] == red[0]);
    Board other;
    points[3] = Color(0.f, 0.f, 1.f);
    const auto byPoint = other.draw([&](DrawTool& t) {
        ElementDrawing how;
        how.pointColors = points;
        drawElements(t, ElementType::Hexahedra, one, cube, how);
    });
    CHECK(byPoint.geometry(0).colors[3] == points[3]);
    CHECK(byPoint.geometry(0).colors[4] == points[4]);
}

TEST_CASE("Colour maps begin, pass and end at their colours", "[visual]")
{
    const ColorMap map("Blue to Red");
    CHECK(map.of(3., 3., 7.) == Color(0.f, 0.f, 1.f));
    CHECK(map.of(5., 3., 7.) == Color(0.f, 1.f, 0.f));
    CHECK(map.of(7., 3., 7.) == Color(1.f, 0.f, 0.f));
    CHECK(map.of(8., 3., 7.) == Color(1.f, 0.f, 0.f));
    CHECK(map.of(8., 3., 3.) == Color(0.f, 0.f, 1.f));
    CHECK(map.at(std::numeric_limits<double>::quiet_NaN()) == Color(0.f, 0.f, 1.f));
    CHECK(ColorMap("Red to Blue").at(0.) == Color(1.f, 0.f, 0.f));
    CHECK(ColorMap("none of them").at(0.5) == ColorMap("HSV").at(0.5));
    for (const std::string& name : ColorMap::names()) CHECK(ColorMap::has(name));
}

}  // namespace draw_elements_test
