// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// CPU time of one frame, without the GPU: writing down what a scene shows (a deforming
// surface of 50k triangles whose normals follow, 200 bodies of 252 triangles that move, and both at rest), and, where
// OpenGL is there, handing it over (uploads and calls; in software Mesa draws on the same processor, which is not
// counted: the view is 16 × 16 pixels).
// Usage: drawing_bench [triangles of the surface = 50000] [bodies = 200]
#include <cmath>
#include <memory>

#include "core/objectmodel/Node.h"
#include "core/visual/SceneDrawing.h"
#include "tests/benchmarks/Report.h"
#ifdef SOFA_HAS_GL
#include "applications/gl/OffscreenContext.h"
#endif

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

/// A closed surface of points around an axis, as a visual model draws itself.
class Surface final : public Component
{
public:
    Vector<Vec3> positions, normals;
    std::vector<Triangle> triangles;

    Surface() = default;
    void make(Index around, Index along, const Vec3& at)
    {
        for (Index i = 0; i <= along; ++i)
            for (Index j = 0; j < around; ++j) {
                const double a = 3.14159265 * i / along, b = 2. * 3.14159265 * j / around;
                normals.push_back({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
                positions.push_back(at + normals.back());
            }
        for (Index i = 0; i < along; ++i)
            for (Index j = 0; j < around; ++j) {
                const Index k = i * around + j, next = i * around + (j + 1) % around;
                triangles.push_back({k, k + around, next});
                triangles.push_back({next, k + around, next + around});
            }
    }
    void move(double by)
    {
        for (Vec3& p : positions) p[0] += by;
    }
    void draw(DrawTool& tool) override { tool.triangles(positions, triangles, {}, normals); }
    BoundingBox boundingBox() const override
    {
        BoundingBox b;
        for (const Vec3& p : positions) b.include(p);
        return b;
    }
};

void measure(const char* what, Node& root, const std::vector<Surface*>& moved)
{
    SceneDrawing drawing;
    double by = 1e-4;
    const auto step = [&] {
        for (Surface* s : moved) s->move(by);
        by = -by;
    };
    const double moving = best([&] { step(); });
    const double drawn = best([&] {
        step();
        drawing.draw(root);
    });
    std::printf("%-44s %8.3f ms to write down", what, 1e3 * (drawn - moving));
#ifdef SOFA_HAS_GL
    static sofa::gl::OffscreenContext context;
    sofa::gl::Renderer renderer(context.procAddress());
    sofa::gl::Camera camera;
    camera.width = camera.height = 16;
    sofa::gl::RenderSettings settings;
    settings.samples = 1;
    auto list = drawing.draw(root);
    camera.setDefaultView(list->box, {});
    renderer.draw(*list, camera, settings);
    const double all = best([&] {
        step();
        list = drawing.draw(root);
        renderer.draw(*list, camera, settings);
        renderer.image();
    });
    std::printf(", %8.3f ms to hand over; %zu uploads of %zu bytes, %zu calls", 1e3 * (all - drawn),
                renderer.statistics().uploads, renderer.statistics().uploadedBytes, renderer.statistics().drawCalls);
#endif
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    const auto triangles = static_cast<double>(arguments.number(0, 50000));
    const std::size_t bodies = arguments.number(1, 200);
    const auto side = static_cast<Index>(std::lround(std::sqrt(triangles / 2.)));
    auto one = std::make_shared<Node>("root");
    auto& organ = one->create<Surface>();
    organ.make(side, side, {});
    measure("a surface that deforms", *one, {&organ});
    measure("the same at rest", *one, {});
    auto many = std::make_shared<Node>("root");
    std::vector<Surface*> all;
    for (std::size_t i = 0; i < bodies; ++i) {
        auto& s = many->createChild("body" + std::to_string(i))->create<Surface>();
        s.make(14, 9, {3. * static_cast<double>(i % 15), 3. * static_cast<double>(i / 15), 0.});
        all.push_back(&s);
    }
    measure((std::to_string(bodies) + " bodies that move").c_str(), *many, all);
    measure("the same at rest", *many, {});
}
