// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/fem/TetrahedronFEMForceField.h"
#include "components/fem/VegaForceFields.h"
#include "core/parallel/Parallel.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyChange.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/Paths.h"

namespace removal_state_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

const Vector<Vec6>& plasticStrain(const Run& r)
{
    return r.body().get<component::TetrahedronFEMForceField>(Search::Local)->mechanics().plasticStrain();
}

}  // namespace

TEST_CASE("The plastic strain of elements that stay survives")
{
    Run run(textOf(soft(), allOf(soft())));
    run.steps(20);
    const Vector<Vec6> before = plasticStrain(run);
    REQUIRE(std::ranges::any_of(before, [](const Vec6& s) { return norm(s) > 1e-6; }));
    removeElements(run.mesh(), ElementType::Tetrahedra, {40, 3, 17});
    const Vector<Vec6>& after = plasticStrain(run);
    REQUIRE(after.size() == 45);
    Vector<Index> left = allOf(soft());
    for (const std::size_t e : {40, 17, 3}) removeFrom(left, e);
    for (std::size_t k = 0; k < left.size(); ++k) CHECK(after[k] == before[left[k]]);
    run.steps(1);
    CHECK(plasticStrain(run).size() == 45);
}

TEST_CASE("The mass of removed elements goes: densities stay")
{
    Body b = soft();
    const auto total = [&](const std::string& mass) {
        b.mass = always(mass);
        Run run(textOf(b, allOf(b)));
        const double before = totalMass(run);
        run.steps(10);  // deformed: measures are those of the beginning
        removeElements(run.mesh(), ElementType::Tetrahedra, {5});
        const double after = totalMass(run);
        const Mesh m = block(b.type);
        double volume = 0., removed = 0.;
        for (Index e = 0; e < m.elements.size(); ++e) {
            const auto& v = m.elements[e];
            const double part = dot(cross(m.points[v[1]] - m.points[v[0]], m.points[v[2]] - m.points[v[0]]),
                                    m.points[v[3]] - m.points[v[0]]) /
                                6.;
            volume += std::abs(part);
            if (e == 5) removed = std::abs(part);
        }
        CHECK(after == Approx(before * (1. - removed / volume)).epsilon(1e-12));
        run.simulation->reset();
        CHECK(totalMass(run) == before);
    };
    total("<MeshMatrixMass totalMass='3'/>");
    total("<MeshMatrixMass totalMass='3' lumping='1'/>");
    total("<MeshMatrixMass massDensity='700'/>");
    total("<DiagonalMass totalMass='3'/>");
    total("<DiagonalMass massDensity='700'/>");
    b.mass = always("<UniformMass totalMass='3'/>");
    Run run(textOf(b, allOf(b)));
    removeElements(run.mesh(), ElementType::Tetrahedra, {5});
    CHECK(totalMass(run) == Approx(3.));
}

TEST_CASE("A reset brings all elements back, to the bit")
{
    for (const Body& b : bodies()) {
        INFO(b.name);
        Run run(textOf(b, allOf(b)));
        run.steps(8);
        const Vector<Vec3> x = run.state().positions(), v = run.state().velocities();
        run.simulation->reset();
        run.steps(3);
        const Index last = static_cast<Index>(allOf(b).size()) - 2;
        removeElements(run.mesh(), b.type, {0, 2});
        run.steps(2);
        removeElements(run.mesh(), b.type, {1, last - 2});
        CHECK(run.mesh().isEdited());
        run.steps(2);
        run.simulation->reset();
        CHECK_FALSE(run.mesh().isEdited());
        run.steps(8);
        CHECK(run.state().positions() == x);
        CHECK(run.state().velocities() == v);
    }
}

TEST_CASE("A checkpoint after removals continues to the bit, on any number of threads")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "removal-checkpoint.bin").string();
    auto all = bodies();
    all.push_back(soft());
    for (const Body& b : all) {
        INFO(b.name);
        const std::string text = textOf(b, allOf(b));
        Run run(text);
        run.steps(4);
        removeElements(run.mesh(), b.type, {1});
        run.steps(4);
        removeElements(run.mesh(), b.type, {0, 2});
        saveCheckpoint(*run.simulation, file);
        const Vector<Vec3> there = run.state().positions();
        run.steps(6);
        for (const unsigned threads : {1u, 2u, 4u}) {
            setThreadCount(threads);
            Run again(text);
            again.steps(1);
            removeElements(again.mesh(), b.type, {2});  // what it had done itself does not count
            loadCheckpoint(*again.simulation, file);
            CHECK(again.state().positions() == there);
            CHECK(again.mesh().edges() == run.mesh().edges());
            again.steps(6);
            CHECK(sameState(run, again));
        }
        setThreadCount(1);
        Run full(text);
        saveCheckpoint(*full.simulation, file);
        loadCheckpoint(*run.simulation, file);
        CHECK_FALSE(run.mesh().isEdited());
    }
}

TEST_CASE("A checkpoint of a badly numbered mesh that has changed continues to the bit")
{
    BoxMesh box(8, 9, 10, {1., 1., 1.});
    const Vector<Index> number = randomNumbers(static_cast<Index>(box.points.size()));
    Vector<Vec3> points(box.points.size());
    for (std::size_t v = 0; v < points.size(); ++v) points[number[v]] = box.points[v];
    std::string positions, tetrahedra;
    for (const Vec3& p : points) positions += toText(p) + " ";
    for (const Tetrahedron& t : box.tetrahedra)
        for (const Index v : t) tetrahedra += std::to_string(number[v]) + " ";
    const std::string text =
        "<Node name='root' dt='0.01' gravity='0 -1 0'><Node name='body'><EulerImplicitSolver/>"
        "<CGLinearSolver iterations='15' tolerance='1e-9' threshold='1e-9'/>"
        "<TetrahedronSetTopologyContainer name='mesh' position='" +
        positions + "' tetrahedra='" + tetrahedra +
        "'/><TetrahedronSetTopologyModifier/><MechanicalObject name='x'/><DiagonalMass massDensity='10'/>"
        "<StVKFEMForceField name='FEM' youngModulus='500' poissonRatio='0.3'/>"
        "<FixedProjectiveConstraint indices='0 1 2'/></Node></Node>";
    const auto places = [](const Run& r) {
        return r.body().get<component::StVKFEMForceField<Vec3Types>>(Search::Local)->tetrahedra().packOrder().places();
    };
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "numbered.bin").string();
    Run run(text);
    CHECK_FALSE(places(run).empty());
    run.steps(2);
    for (const Index first : {7u, 40u, 3u}) {
        removeElements(run.mesh(), ElementType::Tetrahedra, {first, 700 + first, 2000 - first});
        run.steps(1);
    }
    saveCheckpoint(*run.simulation, file);
    Run again(text);
    loadCheckpoint(*again.simulation, file);
    CHECK(places(again) == places(run));
    for (Run* r : {&run, &again}) {
        r->steps(2);
        removeElements(r->mesh(), ElementType::Tetrahedra, {12, 2500});
        r->steps(2);
    }
    CHECK(sameState(run, again));
    // The order of the beginning comes back with the mesh.
    again.simulation->reset();
    run.simulation->reset();
    CHECK(places(again) == places(run));
}

namespace {

/// A box of prisms or tetrahedra, of which the last ones come first: their points get the numbers of those that go.
std::string boxText(ElementType type, const Vector<Vec3>& points, std::span<const Index> elements,
                    const std::string& mass)
{
    const bool prisms = type == ElementType::Prisms;
    const std::string list = " position='" + toText(points) + "' " + (prisms ? "prisms" : "tetrahedra") + "='";
    std::string text =
        prisms ? "<MeshTopology name='mesh'" + list : "<TetrahedronSetTopologyContainer name='mesh'" + list;
    for (const Index v : elements) text += std::to_string(v) + " ";
    return "<Node name='root'><Node name='body'>" + text + "'/><TetrahedronSetTopologyModifier/>" +
           "<MechanicalObject name='x'/>" + mass + "</Node></Node>";
}

/// The mass matrix, dense, and its products with the same vectors.
std::pair<Eigen::MatrixXd, Vector<Vec3>> massOf(const Run& r)
{
    auto& mass = *r.body().get<Mass<Vec3Types>>(Search::Local);
    const StateSet states({&r.state()});
    DenseAccumulator m(states);
    mass.buildMass(m.sink(r.state(), r.state()), r.state().positions());
    Vector<Vec3> f(r.state().size());
    mass.addMDx(f, randomVectors(f.size(), 1., 5), r.state().positions(), 0.7);
    return {m.matrix(), f};
}

}  // namespace

TEST_CASE("Consistent masses follow points that take the numbers of others, like new ones")
{
    const bool prisms = GENERATE(false, true);
    const ElementType type = prisms ? ElementType::Prisms : ElementType::Tetrahedra;
    const std::string family = prisms ? "Prism" : "Tetrahedron";
    const BoxMesh box(6, 6, 6, {1., 1., 1.});
    Vector<Index> elements;
    if (prisms)
        for (auto h = box.hexahedra.rbegin(); h != box.hexahedra.rend(); ++h)
            for (const std::size_t k : {0, 1, 2, 4, 5, 6, 0, 2, 3, 4, 6, 7}) elements.push_back((*h)[k]);
    else
        for (auto t = box.tetrahedra.rbegin(); t != box.tetrahedra.rend(); ++t)
            elements.insert(elements.end(), t->begin(), t->end());
    std::vector<std::string> masses{"<FEMMass template='Vec3," + family + "' massDensity='10'/>",
                                    "<FEMMass template='Vec3," + family + "' massDensity='10' lumping='1'/>"};
    if (!prisms) masses.push_back("<MeshMatrixMass massDensity='10'/>");
    for (const std::string& mass : masses) {
        INFO(mass);
        Run run(boxText(type, box.points, elements, mass));
        for (int round = 0; round < 3; ++round) {
            // All elements around the first point: it goes, and another gets its number.
            const auto& list = *run.mesh().list(type);
            removeElements(run.mesh(), type, {list.around(0).begin(), list.around(0).end()});
            const Run fresh(boxText(type, run.state().positions(), verticesOf(run.mesh(), type), mass));
            REQUIRE(fresh.state().size() == run.state().size());
            const auto [is, product] = massOf(run);
            const auto [should, other] = massOf(fresh);
            CHECK(should.norm() > 0.1);
            CHECK((is - should).norm() < 1e-13 * should.norm());
            for (std::size_t v = 0; v < product.size(); ++v) CHECK(norm(product[v] - other[v]) < 1e-12);
        }
    }
}

namespace {

/// Lists of types that no component of the framework has: a text and a vector of four numbers for each element.
class Labels final : public Component, public TopologyFollower
{
public:
    Link<BaseMeshTopology> l_topology{this, {"topology", "Mesh"}};
    Data<Vector<std::string>> d_labels{this, {.name = "labels", .help = "A text for each element"}};
    Data<Vector<Vec<4>>> d_weights{this, {.name = "weights", .help = "Numbers of each element", .unit = "1"}};

    ElementLists elementLists() override
    {
        return {{l_topology.get(), {ElementType::Tetrahedra}}, {{&d_labels}, {&d_weights}}};
    }
    void followTopology(const TopologyChange&) override { ++changes; }
    int changes = 0;
};

}  // namespace

TEST_CASE("Lists of values of any type follow elements, and come back with them")
{
    Body b = soft();
    b.forces = always("<TetrahedronFEMForceField youngModulus='5000'/>");
    Run run(textOf(b, allOf(b)));
    auto& labels = run.body().create<Labels>();
    labels.l_topology.set(&run.mesh());
    Vector<std::string> texts;
    Vector<Vec<4>> weights;
    for (Index i = 0; i < 48; ++i) {
        texts.push_back("e" + std::to_string(i));
        weights.push_back({1. * i, 2. * i, 3. * i, 4. * i});
    }
    labels.d_labels.setValue(texts);
    labels.d_weights.setValue(weights);
    run.steps(1);
    removeElements(run.mesh(), ElementType::Tetrahedra, {0, 7});
    CHECK(labels.changes == 1);
    REQUIRE(labels.d_labels.value().size() == 46);
    CHECK(labels.d_labels.value()[0] == "e46");
    CHECK(labels.d_labels.value()[6] == "e6");
    CHECK(labels.d_labels.value()[7] == "e47");
    CHECK(labels.d_weights.value()[45] == weights[45]);
    restoreElements(*run.root);
    CHECK(labels.d_labels.value() == texts);
    CHECK(labels.d_weights.value() == weights);

    // What is no list cannot have a value for each element.
    Data<std::string> text(&labels, {.name = "text", .help = "Text"});
    CHECK_THROWS_WITH(ElementData(&text, ElementData::Kind::Values), Catch::Contains("does not follow elements"));
}

}  // namespace removal_state_test
