// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What follows a change step by step is what it would be if it were made anew.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/mesh/ElementsAround.h"
#include "core/mesh/Renumbering.h"
#include "core/mesh/SubElements.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyNumbers.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

namespace following_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Hexahedra, with tetrahedra, border quads and border triangles that mappings make of them.
std::string cascade(bool modifier)
{
    const Mesh m = block(ElementType::Hexahedra);
    std::string points, hexahedra;
    for (const Vec3& p : m.points) points += toText(p) + " ";
    for (const auto& e : m.elements) hexahedra += toText(e) + " ";
    return "<Node name='root'><Node name='body'><HexahedronSetTopologyContainer name='mesh' position='" + points +
           "' hexahedra='" + hexahedra + "'/>" + (modifier ? "<HexahedronSetTopologyModifier/>" : "") +
           "<MechanicalObject/>"
           "<Node name='tetrahedra'><TetrahedronSetTopologyContainer name='mesh'/><Hexa2TetraTopologicalMapping/>"
           "<DiagonalMass massDensity='1000'/>"
           "<Node name='skin'><TriangleSetTopologyContainer name='mesh'/><Tetra2TriangleTopologicalMapping/>"
           "<LineCollisionModel/></Node></Node>"
           "<Node name='quads'><QuadSetTopologyContainer name='mesh'/><Hexa2QuadTopologicalMapping/>"
           "<Node name='halves'><TriangleSetTopologyContainer name='mesh'/><Quad2TriangleTopologicalMapping/>"
           "</Node></Node></Node></Node>";
}

StoredTopology& meshAt(const Run& r, const std::string& path)
{
    Node* node = &r.body();
    for (std::size_t i = 0, j = 0; (j = path.find('/', i)) != std::string::npos; i = j + 1)
        node = node->child(path.substr(i, j - i));
    return *node->get<StoredTopology>(Search::Local);
}

TopologicalMapping& mappingAt(const Run& r, const std::string& path)
{
    return *meshAt(r, path).node()->get<TopologicalMapping>(Search::Local);
}

/// With the lowest vertex first, in the same sense.
template <class T>
std::set<T> turned(const Vector<T>& all)
{
    std::set<T> out;
    for (T e : all) {
        std::rotate(e.begin(), std::min_element(e.begin(), e.end()), e.end());
        out.insert(e);
    }
    CHECK(out.size() == all.size());
    return out;
}

/// Whether the numbers on both sides are true.
void checkMaps(const TopologicalMapping& m)
{
    const Vector<Index>& inputs = m.localToGlobal();
    REQUIRE(inputs.size() == elementCount(*m.output(), m.outputType()));
    const auto out = verticesOf(*m.output(), m.outputType()), in = verticesOf(*m.input(), m.sourceType());
    const std::size_t n = nodeCount(m.outputType()), k = nodeCount(m.sourceType());
    for (Index o = 0; o < inputs.size(); ++o) {
        REQUIRE(inputs[o] < in.size() / k);
        CHECK(hasAll(in.subspan(inputs[o] * k, k), out.subspan(o * n, n)));
        const Vector<Index> others = m.outputElements(inputs[o]);
        CHECK(std::ranges::count(others, o) == 1);
    }
    std::size_t all = 0;
    for (Index i = 0; i < in.size() / k; ++i) all += m.outputElements(i).size();
    CHECK(all == inputs.size());
}

void checkCascade(const Run& r)
{
    const auto& hexahedra = meshAt(r, "").hexahedra();
    const auto& tetrahedra = meshAt(r, "tetrahedra/").tetrahedra();
    CHECK(tetrahedra.size() == 6 * hexahedra.size());
    CHECK(turned(meshAt(r, "tetrahedra/skin/").triangles()) == turned(borderOf(tetrahedra)));
    CHECK(turned(meshAt(r, "quads/").quads()) == turned(borderOf(hexahedra)));
    CHECK(meshAt(r, "quads/halves/").triangles().size() == 2 * meshAt(r, "quads/").quads().size());
    for (const char* path : {"tetrahedra/", "tetrahedra/skin/", "quads/", "quads/halves/"}) {
        INFO(path);
        checkMaps(mappingAt(r, path));
    }
    // Edges of the skin are those of its triangles.
    std::set<Edge> edges, there;
    const StoredTopology& skin = meshAt(r, "tetrahedra/skin/");
    for (const Edge& e : edgesOf(skin.triangles(), {})) edges.insert(sortedVertices(e));
    for (const Edge& e : skin.edges()) there.insert(sortedVertices(e));
    CHECK(edges == there);
    CHECK(skin.edges().size() == edges.size());
    for (const char* path : {"", "tetrahedra/", "tetrahedra/skin/", "quads/", "quads/halves/"})
        CHECK(meshAt(r, path).nbPoints() == r.state().size());
}

Vector<double> masses(const Run& r, const std::string& path)
{
    Vector<double> out;
    const auto* m = meshAt(r, path).node()->get<BaseMass>(Search::Local);
    for (Index i = 0; i < r.state().size(); ++i) out.push_back(m->pointMass(i));
    return out;
}

}  // namespace

TEST_CASE("Sources of random changes tell the same as lists of all numbers")
{
    std::mt19937 random(3);  // NOLINT: the same numbers each time
    for (int round = 0; round < 200; ++round) {
        const Index before = 1 + random() % 12;
        TopologyNumbers sparse(before);
        Vector<Index> dense = identity(before);
        Vector<double> values(before);
        for (Index i = 0; i < before; ++i) values[i] = i;
        for (int k = 0; k < 6; ++k) {
            if (random() % 2 == 0 && !dense.empty()) {
                const Vector<Index> one{static_cast<Index>(random() % dense.size())};
                sparse.remove(one);
                removeEntries(dense, one);
            } else {
                sparse.add({});
                dense.push_back(InvalidIndex);
            }
        }
        const ElementSource s = sparse.source(), expected = sourceOf(before, dense);
        CHECK(s.moved == expected.moved);
        CHECK(s.gone == expected.gone);
        CHECK(s.now == dense.size());
        CHECK(s.same == expected.same);
        Vector<Index> back(before, InvalidIndex);
        for (Index i = 0; i < dense.size(); ++i) {
            CHECK(s.from(i) == dense[i]);
            if (dense[i] != InvalidIndex) back[dense[i]] = i;
        }
        CHECK(s.inverse() == back);
        Vector<Index> left;
        for (const Index e : back)
            if (e != InvalidIndex) left.push_back(e);
        CHECK(s.renumbered(identity(before)) == left);
        const Vector<double> then = values;
        const auto undo = s.update(values, 1, [](const Vector<double>&, Index, Index) { return -1.; });
        for (Index i = 0; i < dense.size(); ++i) CHECK(values[i] == (dense[i] == InvalidIndex ? -1. : dense[i]));
        undo(values);
        CHECK(values == then);
    }
}

TEST_CASE("Mappings translate changes of their input, one after the other")
{
    for (const bool modifier : {false, true}) {
        Run run(cascade(modifier));
        StoredTopology& t = run.mesh();
        std::mt19937 random(5);  // NOLINT: the same numbers each time
        checkCascade(run);
        Vector<Hexahedron> away;
        for (int k = 0; k < 40; ++k) {
            const bool add = !modifier && !away.empty() && random() % 2 == 0;
            if (add) {
                TopologyTransaction change(t);
                change.add(ElementType::Hexahedra, away.back());
                change.commit();
                away.pop_back();
            } else if (t.hexahedra().size() > 1) {
                const auto e = static_cast<Index>(random() % t.hexahedra().size());
                away.push_back(t.hexahedra()[e]);
                removeElements(t, ElementType::Hexahedra, {e});
            }
            checkCascade(run);
            const Vector<double> followed = masses(run, "tetrahedra/");
            double sum = 0.;
            for (const double m : followed) sum += m;
            CHECK(sum == Approx(1000. * 8e-3 / 8. * static_cast<double>(t.hexahedra().size())).epsilon(0.1));
            if (modifier && t.hexahedra().size() == 1) break;
        }
        run.simulation->reset();
        checkCascade(run);
        const Run other(cascade(modifier));
        for (const char* path : {"tetrahedra/skin/", "quads/halves/"}) {
            CHECK(meshAt(run, path).triangles() == meshAt(other, path).triangles());
            CHECK(mappingAt(run, path).localToGlobal() == mappingAt(other, path).localToGlobal());
        }
        CHECK(masses(run, "tetrahedra/") == masses(other, "tetrahedra/"));
    }
}

TEST_CASE("What mappings have translated comes back with a checkpoint, and goes on alike")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "cascade.bin").string();
    Run run(cascade(true));
    for (const Index e : {2u, 5u, 0u}) removeElements(run.mesh(), ElementType::Hexahedra, {e});
    saveCheckpoint(*run.simulation, file);
    Run again(cascade(true));
    removeElements(again.mesh(), ElementType::Hexahedra, {7});
    loadCheckpoint(*again.simulation, file);
    for (int round = 0; round < 2; ++round) {
        checkCascade(again);
        for (const char* path : {"tetrahedra/skin/", "quads/halves/"}) {
            CHECK(meshAt(run, path).triangles() == meshAt(again, path).triangles());
            CHECK(mappingAt(run, path).localToGlobal() == mappingAt(again, path).localToGlobal());
        }
        CHECK(masses(run, "tetrahedra/") == masses(again, "tetrahedra/"));
        for (Run* r : {&run, &again}) removeElements(r->mesh(), ElementType::Hexahedra, {1});
    }
}

namespace {

/// Fails when it is to follow.
class Stubborn final : public Component, public TopologyFollower
{
public:
    explicit Stubborn(const StoredTopology& t) : m_topology(t) {}
    ElementLists elementLists() override { return {{&m_topology, {ElementType::Hexahedra}}, {}}; }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override
    {
        if (!change.restores()) throw std::runtime_error("it does not want to");
    }

private:
    const StoredTopology& m_topology;
};

}  // namespace

TEST_CASE("What followed before another could not is taken back")
{
    Run run(cascade(true));
    removeElements(run.mesh(), ElementType::Hexahedra, {3});
    const Run other(cascade(true));
    removeElements(other.mesh(), ElementType::Hexahedra, {3});
    const auto stubborn = std::make_shared<Stubborn>(run.mesh());
    run.root->addComponent(stubborn);
    for (const Index e : {0u, 4u, 6u}) {
        CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Hexahedra, {e}), Catch::Contains("does not want to"));
        checkCascade(run);
        CHECK(run.state().size() == other.state().size());
        CHECK(masses(run, "tetrahedra/") == masses(other, "tetrahedra/"));
        for (const char* path : {"tetrahedra/skin/", "quads/halves/"})
            CHECK(meshAt(run, path).triangles() == meshAt(other, path).triangles());
    }
    run.root->removeComponent(*stubborn);
    removeElements(run.mesh(), ElementType::Hexahedra, {2});
    checkCascade(run);
}

TEST_CASE("Masses that follow are those of a new scene, on vertices and edges, to the bit")
{
    for (const char* mass : {"<DiagonalMass massDensity='1000'/>", "<MeshMatrixMass massDensity='1000'/>",
                             "<MeshMatrixMass massDensity='1000' lumping='1'/>", "<MeshMatrixMass totalMass='2'/>"}) {
        INFO(mass);
        Body b{"body", ElementType::Tetrahedra, always("")};
        b.topology = "TetrahedronSetTopologyContainer";
        b.mass = always(std::string(mass) + "<TetrahedronSetTopologyModifier/>");
        Run run(textOf(b, allOf(b)));
        std::mt19937 random(11);  // NOLINT: the same numbers each time
        auto& component = dynamic_cast<Component&>(*run.body().get<BaseMass>(Search::Local));
        const auto list = [&](const char* name) {
            const auto* d = dynamic_cast<Data<Vector<double>>*>(component.findData(name));
            return d ? d->value() : Vector<double>();
        };
        for (int k = 0; k < 10; ++k) {
            removeElements(run.mesh(), ElementType::Tetrahedra,
                           {static_cast<Index>(random() % run.mesh().tetrahedra().size())});
            const Vector<double> vertices = list("vertexMass"), edges = list("edgeMass");
            const double total = dynamic_cast<Data<double>&>(*component.findData("totalMass")).value();
            // A density that changes makes all of it anew.
            if (BaseData* density = component.findData("massDensity"); density) {
                const std::string text = density->text();
                std::string error;
                REQUIRE(density->read(text, error));
                component.reinit();
            }
            CHECK(list("vertexMass") == vertices);
            CHECK(list("edgeMass") == edges);
            CHECK(dynamic_cast<Data<double>&>(*component.findData("totalMass")).value() ==
                  Approx(total).epsilon(1e-14));
        }
    }
}

TEST_CASE("Masses of a density measure elements anew whose points were moved at rest")
{
    for (const char* mass : {"<DiagonalMass massDensity='1000'/>", "<MeshMatrixMass massDensity='1000'/>",
                             "<MeshMatrixMass massDensity='1000' lumping='1'/>", "<MeshMatrixMass totalMass='2'/>"}) {
        INFO(mass);
        Body b{"body", ElementType::Tetrahedra, always("")};
        b.topology = "TetrahedronSetTopologyContainer";
        b.mass = always(std::string(mass) + "<TetrahedronSetTopologyModifier/>");
        Run run(withName(textOf(b, allOf(b))));
        const auto list = [](const Run& r, const char* name) {
            return dynamic_cast<Component&>(*r.body().get<BaseMass>(Search::Local)).findData(name)->text();
        };
        const std::string vertices = list(run, "vertexMass"), total = list(run, "totalMass");
        run.steps(3);
        const auto move = [](const Run& r, const Vector<Index>& points, const Vector<Ancestors>& to) {
            TopologyTransaction t(r.mesh());
            t.movePoints(points, to);
            t.commit();
        };
        // Some at first, when all masses are summed, then others; the corner goes back to where it was.
        move(run, {13}, {{{13, 0.6}, {14, 0.4}}});
        move(run, {26, 2}, {{{26, 0.5}, {25, 0.5}}, {{2, 0.7}, {1, 0.3}}});
        CHECK(list(run, "totalMass") != total);
        splitAtCentre(run.mesh(), ElementType::Tetrahedra, 5);
        removeElements(run.mesh(), ElementType::Tetrahedra, {40});
        move(run, {2}, {{{2, 1. / 0.7}, {1, -0.3 / 0.7}}});
        // The density stays, as if it had been given.
        const double density = std::stod(list(run, "massDensity"));
        Body now = b;
        now.mass = always((std::string(mass).find("Diagonal") == std::string::npos
                               ? "<MeshMatrixMass lumping='" + list(run, "lumping") + "' massDensity='"
                               : "<DiagonalMass massDensity='") +
                          toText(density) + "'/><TetrahedronSetTopologyModifier/>");
        const Run fresh(withName(textNow(now, run)));
        CHECK(totalMass(run) == Approx(totalMass(fresh)).epsilon(1e-14));
        for (Index i = 0; i < run.state().size(); ++i)
            CHECK(run.body().get<BaseMass>(Search::Local)->pointMass(i) ==
                  Approx(fresh.body().get<BaseMass>(Search::Local)->pointMass(i)).epsilon(1e-13));
        run.simulation->reset();
        CHECK(list(run, "vertexMass") == vertices);
        CHECK(list(run, "totalMass") == total);
    }
}

TEST_CASE("A move that is taken back leaves masses as they were")
{
    Body b{"body", ElementType::Tetrahedra, always("")};
    b.topology = "TetrahedronSetTopologyContainer";
    b.mass = always("<DiagonalMass massDensity='1000'/><TetrahedronSetTopologyModifier/>");
    Run run(textOf(b, allOf(b)));
    removeElements(run.mesh(), ElementType::Tetrahedra, {40});
    const double before = totalMass(run);
    run.root->addComponent(std::make_shared<Stubborn>(run.mesh()));
    TopologyTransaction t(run.mesh());
    t.movePoints({13}, {{{13, 0.6}, {14, 0.4}}});
    CHECK_THROWS_WITH(t.commit(), Catch::Contains("does not want to"));
    CHECK(totalMass(run) == before);
}

}  // namespace following_test
