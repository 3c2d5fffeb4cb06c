// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MassSpringForceField.h"
#include "components/spring/MeshBendingSprings.h"
#include "components/spring/MeshSpringForceField.h"
#include "components/spring/TriangleHinges.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace mesh_springs_follow_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A grid of quads, the same cut into triangles, or a box of tetrahedra.
struct Sheet
{
    ElementType type;
    Vector<Vec3> points;
    Vector<Index> vertices;

    explicit Sheet(ElementType t) : type(t)
    {
        const BoxMesh box(12, 12, t == ElementType::Tetrahedra ? 3 : 1, {1., 1.2, 0.3});
        points = box.points;
        for (std::size_t v = 0; v < points.size(); ++v) points[v][2] += 0.01 * std::sin(5. * static_cast<double>(v));
        if (t == ElementType::Tetrahedra) {
            for (const Tetrahedron& e : box.tetrahedra) vertices.insert(vertices.end(), e.begin(), e.end());
            return;
        }
        points.resize(13 * 13);
        for (const Hexahedron& h : box.hexahedra)
            if (t == ElementType::Quads)
                vertices.insert(vertices.end(), h.begin(), h.begin() + 4);
            else
                for (const std::size_t k : {0, 1, 2, 0, 2, 3}) vertices.push_back(h[k]);
    }
    explicit Sheet(const Run& r, ElementType t)
        : type(t),
          points(r.state().read(vec_id::restPosition)),
          vertices(verticesOf(r.mesh(), t).begin(), verticesOf(r.mesh(), t).end())
    {
    }
    std::string text(const std::string& springs) const
    {
        const std::string family = type == ElementType::Quads       ? "Quad"
                                   : type == ElementType::Triangles ? "Triangle"
                                                                    : "Tetrahedron";
        std::string list;
        for (const Index v : vertices) list += std::to_string(v) + " ";
        return "<Node name='root' dt='0.005'><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='10' "
               "tolerance='1e-9' threshold='1e-9'/><" +
               family + "SetTopologyContainer name='mesh' position='" + toText(points) + "' " + nameOf(type) + "='" +
               list + "'/><" + family + "SetTopologyModifier/><MechanicalObject name='x'/><UniformMass " +
               "vertexMass='0.01'/>" + springs + "<FixedProjectiveConstraint indices='0 1 2'/></Node></Node>";
    }
};

/// Some elements go, and one comes on a new point.
void change(const Run& r, ElementType type, Index round)
{
    const auto last = static_cast<Index>(elementCount(r.mesh(), type)) - 1;
    removeElements(r.mesh(), type, {3 + 2 * round, 31 + round, last - round, last});
    TopologyTransaction t(r.mesh());
    const auto all = verticesOf(r.mesh(), type);
    const std::size_t n = nodeCount(type);
    Vector<Index> vertices(all.begin() + static_cast<std::ptrdiff_t>(20 * n),
                           all.begin() + static_cast<std::ptrdiff_t>(21 * n));
    vertices[1] = t.addPoints({{{vertices[0], 1.5}, {vertices[1], -0.9}, {vertices[2], 0.4}}});
    t.add(type, vertices);
    t.commit();
}

/// Springs by their ends.
std::map<std::array<double, 6>, int> sorted(const Vector<component::LinearSpring>& springs)
{
    std::map<std::array<double, 6>, int> all;
    for (const auto& s : springs)
        ++all[{static_cast<double>(std::min(s.m1, s.m2)), static_cast<double>(std::max(s.m1, s.m2)), s.ks, s.kd,
               s.initpos, static_cast<double>(s.elongationOnly)}];
    return all;
}

struct Case
{
    ElementType type;
    std::string springs;
    std::function<Vector<component::LinearSpring>(const Run&)> list;
};

template <class F>
Vector<component::LinearSpring> listOf(const Run& r)
{
    F& f = *r.body().get<F>(Search::Local);
    if constexpr (requires { f.d_indices1; })
        return f.d_springs.value();
    else
        return f.springs();
}

}  // namespace

TEST_CASE("Springs around changed elements follow in place, and are those of a new scene to the bit")
{
    using component::MassSpringForceField;
    using E = ElementType;
    const auto mesh = listOf<component::MeshSpringForceField<Vec3Types>>;
    const auto system = listOf<MassSpringForceField>;
    const auto [type, springs, list] = GENERATE_COPY(values<Case>({
        {E::Tetrahedra, "<MeshSpringForceField tetrahedraStiffness='20' tetrahedraDamping='0.1'/>", mesh},
        {E::Tetrahedra, "<MeshSpringForceField linesStiffness='20' tetrahedraStiffness='5' noCompression='1'/>", mesh},
        {E::Quads, "<MeshSpringForceField linesStiffness='20' quadsStiffness='10' localRange='5 120'/>", mesh},
        {E::Triangles, "<MeshSpringForceField trianglesStiffness='10'/>", mesh},
        {E::Tetrahedra, "<MassSpringForceField tensileStiffness='20' damping='0.1'/>", system},
        {E::Quads, "<MassSpringForceField tensileStiffness='20' shearStiffness='10' bendStiffness='5'/>", system},
        {E::Triangles, "<TriangularBendingSprings stiffness='20' damping='0.1'/>",
         listOf<component::TriangularBendingSprings>},
        {E::Quads, "<QuadularBendingSprings stiffness='20'/>", listOf<component::QuadularBendingSprings>},
    }));
    INFO(springs);
    Run run(Sheet(type).text(springs));
    run.steps(2);
    bool differs = false;
    for (Index round = 0; round < 6; ++round) {
        change(run, type, round);
        const Run fresh(Sheet(run, type).text(springs));
        const Vector<component::LinearSpring> is = list(run), should = list(fresh);
        REQUIRE(should.size() > 50);
        CHECK(sorted(is) == sorted(should));
        differs = differs || is != should;
        fresh.take(run);
        run.steps(2);
        for (int k = 0; k < 2; ++k) fresh.simulation->step();
        CHECK(sameState(run, fresh));
    }
    CHECK(differs);  // they were not made anew as a whole
    run.simulation->reset();
    CHECK(list(run) == list(Run(Sheet(type).text(springs))));
}

TEST_CASE("Hinges around changed triangles follow in place, and are those of a new scene")
{
    for (const std::string name : {"QuadraticBendingForceField", "FastTriangularBendingSprings"}) {
        INFO(name);
        const std::string text = "<" + name + " bendingStiffness='0.1'/>";
        Run run(Sheet(ElementType::Triangles).text(text));
        const auto hinges = [](const Run& r) {
            std::map<std::array<Index, 4>, std::pair<Vec4, double>> all;
            for (const auto& h : r.body().get<component::TriangleHinges>(Search::Local)->hinges()) {
                // Without regard to the order of the two triangles and the direction of the edge.
                auto [points, weights, stiffness] = h;
                for (const std::size_t k : {0, 2})
                    if (points[k] > points[k + 1]) {
                        std::swap(points[k], points[k + 1]);
                        std::swap(weights[k], weights[k + 1]);
                    }
                all[points] = {weights, stiffness};
            }
            return all;
        };
        for (Index round = 0; round < 6; ++round) {
            run.steps(1);
            change(run, ElementType::Triangles, round);
            const Run fresh(Sheet(run, ElementType::Triangles).text(text));
            const auto is = hinges(run), should = hinges(fresh);
            REQUIRE(should.size() > 50);
            REQUIRE(is.size() == should.size());
            for (const auto& [points, hinge] : should) {
                REQUIRE(is.contains(points));
                CHECK(is.at(points).second == Approx(hinge.second).epsilon(1e-12));
                CHECK(norm(is.at(points).first - hinge.first) < 1e-12 * norm(hinge.first));
            }
        }
    }
}

TEST_CASE("A stiffness that is edited before a change holds for all springs and hinges after it")
{
    const auto which = GENERATE(table<std::string, std::string>({{"MeshSpringForceField", "trianglesStiffness"},
                                                                 {"TriangularBendingSprings", "stiffness"},
                                                                 {"QuadraticBendingForceField", "bendingStiffness"}}));
    const std::string name = std::get<0>(which), data = std::get<1>(which);
    INFO(name);
    const auto text = [&](double value) {
        return "<" + name + " name='f' " + data + "='" + std::to_string(value) + "'/>";
    };
    Run run(Sheet(ElementType::Triangles).text(text(0.5)));
    run.steps(1);
    change(run, ElementType::Triangles, 0);
    run.steps(1);
    std::string error;
    REQUIRE(run.body().component("f")->findData(data)->read("0.25", error));
    change(run, ElementType::Triangles, 1);
    const Run fresh(Sheet(run, ElementType::Triangles).text(text(0.25)));
    fresh.take(run);
    run.steps(2);
    for (int k = 0; k < 2; ++k) fresh.simulation->step();
    for (std::size_t v = 0; v < run.state().size(); ++v)
        CHECK(norm(run.state().positions()[v] - fresh.state().positions()[v]) < 1e-10);
}

}  // namespace mesh_springs_follow_test
