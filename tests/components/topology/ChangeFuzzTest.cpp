// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Random changes of meshes of every kind of element, with followers of all families. After each batch the scene is
// compared with one that is made anew from what the mesh has become.
#include <catch2/catch.hpp>

#include "components/mapping/BarycentricMapping.h"
#include "core/io/InterpolationFile.h"
#include "core/mesh/ElementsAround.h"
#include "core/topology/MeshCut.h"
#include "core/topology/Subdivision.h"
#include "tests/components/topology/CutScene.h"
#include "tests/harness/Paths.h"

namespace change_fuzz_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Attributes that change with the mesh: of the components of the body, by "name.data".
using Lists = std::map<std::string, std::string>;

class Fuzz
{
public:
    Fuzz(ElementType type, unsigned seed) : m_type(type), m_random(seed)
    {
        const Mesh m = meshOf(type, seed);
        for (const Vec3& p : m.points) m_lists["mesh.position"] += toText(p) + " ";
        const std::string list = type == ElementType::Prisms     ? "prisms"
                                 : type == ElementType::Pyramids ? "pyramids"
                                                                 : nameOf(type);
        for (const auto& e : m.elements) m_lists["mesh." + list] += toText(e) + " ";
        m_lists["fixed.indices"] = "0 1 2";
        m_lists["partial.indices"] = "3 4 5 7";
        m_lists["lines.indices"] = "6 8";
        m_lists["rest.points"] = "3 4 5";
        m_lists["rest.stiffness"] = "10 20 30";
        m_lists["force.indices"] = "1 4 6";
        m_lists["force.forces"] = "0.1 0 0 0 0.2 0 0 0 0.3";
        m_regions = type == ElementType::Tetrahedra && seed % 2 == 0;
        if (m_regions) {
            m_lists["FEM.youngModulus"] = "400 800 600";
            std::string regions[3];
            for (std::size_t i = 0; i < m.elements.size(); ++i) regions[i % 3] += std::to_string(i) + " ";
            m_lists["FEM.regions"] = "[" + regions[0] + "] [" + regions[1] + "] [" + regions[2] + "]";
        } else if (type != ElementType::Edges && type != ElementType::Quads) {
            for (std::size_t i = 0; i < m.elements.size(); ++i)
                m_lists["FEM.youngModulus"] += std::to_string(400 + 10 * i) + " ";
        }
        if (type == ElementType::Triangles) m_lists["pressure.triangleList"] = "0 1 2 3 6 7";
        // Points anywhere in elements.
        if (type != ElementType::Prisms && type != ElementType::Pyramids) {
            for (int k = 0; k < 9; ++k) {
                const auto& e = m.elements[below(m.elements.size())];
                Vec3 x;
                double sum = 0.;
                for (const Index v : e) {
                    const double w = 0.05 + part();
                    x += m.points[v] * w;
                    sum += w;
                }
                m_embedded += toText(x / sum) + " ";
            }
        }
        m_run = std::make_unique<Run>(text(m_lists));
    }

    std::size_t elements() const { return elementCount(mesh(), m_type); }

    /// One change, in a transaction of its own. Returns how many elementary ones it consists of.
    int change()
    {
        const bool simplices = m_type == ElementType::Triangles || m_type == ElementType::Tetrahedra;
        const std::size_t before = count();
        const double measure = simplices ? measureOf() : 0.;
        const Index kind = below(10);
        if (kind == 0 && elements() > 6) {
            removeElements(mesh(), m_type, {below(elements()), below(elements())});
            return static_cast<int>(before - count());
        }
        if (kind == 1) {
            TopologyTransaction t(mesh());
            Vector<Index> now(mesh().nbPoints());
            std::iota(now.begin(), now.end(), Index(0));
            std::ranges::shuffle(now, m_random);
            t.renumberPoints(now);
            t.commit();
            return 1;
        }
        if (kind == 2) {  // a point moves towards a neighbour
            const auto e = element(below(elements()));
            if (simplices && !canMove(e[0], e[1])) return 0;
            TopologyTransaction t(mesh());
            t.movePoints({e[0]}, {{{e[0], 0.97}, {e[1], 0.03}}});
            t.commit();
            return 1;
        }
        if (kind == 3 || (!simplices && m_type != ElementType::Edges)) {  // made anew of itself
            const Index which = below(elements());
            const auto e = element(which);
            TopologyTransaction t(mesh());
            t.add(m_type, e, {{{which, 1.}}});
            t.remove(m_type, {which});
            t.commit();
            return 2;
        }
        const auto e = element(below(elements()));
        const double at = 0.2 + 0.6 * part();
        if (m_type == ElementType::Edges) {
            TopologyTransaction t(mesh());
            const Index which = below(elements());
            const auto edge = element(which);
            const Index p = t.addPoints({{{edge[0], 1. - at}, {edge[1], at}}});
            t.add(m_type, std::array{edge[0], p, p, edge[1]}, {{{which, 1.}}, {{which, 1.}}});
            t.remove(m_type, {which});
            t.commit();
            return 4;
        }
        TopologyTransaction t(mesh());
        if (kind == 4 && m_type == ElementType::Triangles)
            splitTriangle(t, mesh(), below(elements()), Vec3{0.3, 0.3, 0.4});
        else
            splitEdge(t, mesh(), e[0], e[1], at);
        t.commit();
        CHECK(measureOf() == Approx(measure).epsilon(1e-12));
        return static_cast<int>(count() - before) + 1;
    }

    /// Cuts along a random plane, or a part of one.
    MeshCut::Result cut()
    {
        const double measure = measureOf();
        CutPlane plane = randomPlane(m_random);
        if (below(2) == 0) plane.points[2] = plane.at;
        const auto r = MeshCut(0.1 + 0.2 * part()).along(mesh(), plane.points, plane.triangles);
        CHECK(measureOf() == Approx(measure).epsilon(1e-12));
        return r;
    }

    /// Tables are those of the lists, and the scene goes on as a new one of the same mesh does.
    void check()
    {
        for (const StoredTopology::List* list : mesh().lists()) {
            if (list->isWaiting()) continue;
            std::map<Index, Vector<Index>> around;
            for (Index i = 0; i < list->size(); ++i)
                for (const Index v : list->element(i)) around[v].push_back(i);
            for (Index v = 0; v < mesh().nbPoints(); ++v) {
                const auto now = list->around(v);
                REQUIRE(std::ranges::equal(now, around[v]));
            }
        }
        Lists now;
        const auto read = [&](const std::string& key, const std::string& value) { now[key] = value; };
        for (const auto& [key, value] : m_lists) {
            const std::size_t dot = key.find('.');
            read(key, m_run->body().component(key.substr(0, dot))->findData(key.substr(dot + 1))->text());
        }
        now["mesh.position"] = toText(m_run->state().read(vec_id::restPosition));
        const TemporaryDirectory folder;
        const std::string weights = (folder / "weights.interp").string();
        const std::string embedded = m_embedded.empty() ? std::string() : checkEmbedded(weights);
        Run fresh(text(now, weights, embedded));
        REQUIRE(fresh.state().size() == m_run->state().size());
        // From rest, so that many small elements do not end the simulation.
        m_run->state().write(vec_id::position) = m_run->state().read(vec_id::restPosition);
        Vector<Vec3> v;
        for (const Vec3& p : m_run->state().positions()) v.push_back({0.1 * p[1], 0.1 * p[2] - 0.05, 0.2 * p[0]});
        m_run->state().write(vec_id::velocity) = v;
        m_run->take(*m_run);
        fresh.take(*m_run);
        m_run->steps(1);
        fresh.steps(1);
        const auto& a = m_run->state().positions();
        const auto& b = fresh.state().positions();
        const auto& rest = m_run->state().read(vec_id::restPosition);
        double moved = 0.;
        for (std::size_t i = 0; i < a.size(); ++i) {
            INFO("point " << i << " of " << a.size() << " fixed " << now["fixed.indices"] << " rest "
                          << now["rest.points"] << " stiffness " << now["rest.stiffness"] << " force "
                          << now["force.indices"] << " " << now["force.forces"]);
            REQUIRE(norm(a[i] - b[i]) < (hasSlivers() ? 1e-12 : 1e-8));
            moved = std::max(moved, norm(a[i] - rest[i]));
        }
        REQUIRE(moved > 1e-4);
    }

private:
    /// Embedded points are at rest where they were at first, and are written as a new scene reads them. Returns their
    /// places.
    std::string checkEmbedded(const std::string& file) const
    {
        const Node& node = *m_run->body().child("embedded");
        const auto& mapping = *node.get<component::BarycentricMapping>(Search::Local);
        const auto& points = node.get<State<Vec3Types>>(Search::Local)->read(vec_id::restPosition);
        const component::BarycentricWeights& w = mapping.weights();
        REQUIRE(w.rows() == points.size());
        io::InterpolationWeights all;
        std::string places;
        all.nodesPerPoint = m_type == ElementType::Hexahedra ? 8 : 4;
        for (Index i = 0; i < w.rows(); ++i) {
            Vec3 x;
            double sum = 0.;
            for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) {
                REQUIRE(w.columns[k] < m_run->state().size());
                x += m_run->state().read(vec_id::restPosition)[w.columns[k]] * w.weights[k];
                sum += w.weights[k];
                all.nodes.push_back(w.columns[k]);
                all.weights.push_back(w.weights[k]);
            }
            places += toText(x) + " ";
            INFO("embedded point " << i);
            CHECK(sum == Approx(1.).epsilon(1e-10));
            // Points beside lines and curved faces go to the nearest place of these.
            if (m_type == ElementType::Tetrahedra || m_type == ElementType::Triangles)
                CHECK(norm(x - points[i]) < 1e-10);
            all.nodes.resize((i + 1) * all.nodesPerPoint, all.nodes.back());
            all.weights.resize(all.nodes.size(), 0.);
        }
        io::writeInterpolation(file, all);
        return places;
    }
    /// Whether elements are cut, so that conjugate gradients do not converge to rounding.
    bool hasSlivers() const { return m_type == ElementType::Triangles || m_type == ElementType::Tetrahedra; }
    /// Whether elements around a point keep a good part of their measure if it moves by a small step.
    bool canMove(Index p, Index towards) const
    {
        const auto& x = m_run->state().read(vec_id::restPosition);
        const Vec3 to = x[p] * 0.97 + x[towards] * 0.03;
        const auto measure = [&](std::span<const Index> e, bool moved) {
            Vec3 v[4];
            for (std::size_t k = 0; k < e.size(); ++k) v[k] = moved && e[k] == p ? to : x[e[k]];
            const Vec3 n = cross(v[1] - v[0], v[2] - v[0]);
            return e.size() == 3 ? n[2] : dot(n, v[3] - v[0]);
        };
        const StoredTopology::List& list = *mesh().list(m_type);
        return std::ranges::all_of(list.around(p), [&](Index e) {
            return measure(list.element(e), true) > 0.5 * measure(list.element(e), false);
        });
    }
    static Mesh meshOf(ElementType type, unsigned seed)
    {
        if (type == ElementType::Tetrahedra || type == ElementType::Triangles) return jittered(type, 2, 0.1, seed);
        const bool isPart = type == ElementType::Prisms || type == ElementType::Pyramids;
        Mesh m = type == ElementType::Quads ? jittered(ElementType::Triangles, 3, 0.1, seed)
                                            : block(isPart ? ElementType::Hexahedra : type);
        if (isPart) {  // parts of the hexahedra
            const auto whole = std::move(m.elements);
            m.elements.clear();
            for (const auto& h : whole) {
                if (type == ElementType::Prisms) {
                    m.elements.push_back({h[0], h[1], h[3], h[4], h[5], h[7]});
                    m.elements.push_back({h[1], h[2], h[3], h[5], h[6], h[7]});
                    continue;
                }
                const auto middle = static_cast<Index>(m.points.size());
                Vec3 x;
                for (const Index v : h) x += m.points[v] / 8.;
                m.points.push_back(x);
                for (const auto& f : {std::array{0, 1, 2, 3}, std::array{4, 7, 6, 5}, std::array{0, 4, 5, 1},
                                      std::array{3, 2, 6, 7}, std::array{0, 3, 7, 4}, std::array{1, 5, 6, 2}})
                    m.elements.push_back({h[f[0]], h[f[1]], h[f[2]], h[f[3]], middle});
            }
        }
        m.type = type;
        if (type == ElementType::Quads) {  // the triangles in pairs
            const auto halves = std::move(m.elements);
            m.elements.clear();
            for (std::size_t i = 0; i < halves.size(); i += 2)
                m.elements.push_back({halves[i][0], halves[i][1], halves[i][2], halves[i + 1][2]});
        } else
            for (Vec3& p : m.points) p *= 4.;
        return m;
    }
    StoredTopology& mesh() const { return m_run->mesh(); }
    Index below(std::size_t n) { return static_cast<Index>(m_random() % n); }
    double part() { return static_cast<double>(m_random() % 1000) / 1000.; }
    Vector<Index> element(Index i) const
    {
        const auto e = mesh().list(m_type)->element(i);
        return {e.begin(), e.end()};
    }
    std::size_t count() const { return elements() + mesh().nbPoints(); }
    double measureOf() const
    {
        const auto& x = m_run->state().read(vec_id::restPosition);
        return m_type == ElementType::Triangles ? geometry::totalArea(x, mesh().triangles())
                                                : geometry::totalVolume(x, mesh().tetrahedra());
    }

    /// `weights`: a file of those of the embedded points, `places`: where these are at the beginning; without them they
    /// are where they were first.
    std::string text(const Lists& lists, const std::string& weights = "", const std::string& places = "") const
    {
        const auto of = [&](const std::string& name) {
            std::string all = " name='" + name + "'";
            for (const auto& [key, value] : lists)
                if (key.starts_with(name + ".")) all += " " + key.substr(name.size() + 1) + "='" + value + "'";
            return all;
        };
        // In a scene a list without points would mean all points.
        const auto onPoints = [&](const std::string& key, const std::string& component) {
            return lists.at(key).empty() ? std::string() : component;
        };
        static const std::map<ElementType, std::string> names{
            {ElementType::Edges, "Edge"},           {ElementType::Triangles, "Triangle"},
            {ElementType::Quads, "Quad"},           {ElementType::Tetrahedra, "Tetrahedron"},
            {ElementType::Pyramids, "Tetrahedron"}, {ElementType::Prisms, "Tetrahedron"},
            {ElementType::Hexahedra, "Hexahedron"}};
        const std::string& kind = names.at(m_type);
        std::string forces;
        const std::string models = "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>";
        const std::string shown = "<Node><OglModel/><IdentityMapping/></Node>";
        if (m_type == ElementType::Edges || m_type == ElementType::Quads)
            forces =
                "<UniformMass vertexMass='0.05'/><MeshSpringForceField linesStiffness='30' trianglesStiffness='10' "
                "quadsStiffness='10'/><MassSpringForceField stiffness='5' damping='0.1'/>";
        if (m_type == ElementType::Quads) forces += "<QuadularBendingSprings stiffness='1'/>";
        // Without QuadraticBendingForceField: its weights are cotangents, which slivers of cuts make large (rounding is
        // 1.06e-12 with seed 2).
        if (m_type == ElementType::Triangles)
            forces = "<DiagonalMass massDensity='1'/><TriangularFEMForceField" + of("FEM") +
                     " poissonRatio='0.3'/><TriangularBendingSprings stiffness='1'/>" +
                     onPoints("pressure.triangleList",
                              "<TrianglePressureForceField" + of("pressure") + " pressure='0 0 1'/>") +
                     models + shown;
        if (m_type == ElementType::Tetrahedra)
            forces = std::string("<DiagonalMass massDensity='10'/><") +
                     (m_regions ? "StVKFEMForceField" : "TetrahedronFEMForceField") + of("FEM") +
                     " poissonRatio='0.3'/><MeshSpringForceField tetrahedraStiffness='1'/><Node>"
                     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/>"
                     "<TriangularBendingSprings stiffness='1'/>" +
                     models + shown + "</Node>";
        if (m_type == ElementType::Hexahedra)
            forces = "<DiagonalMass massDensity='10'/><HexahedronFEMForceField" + of("FEM") +
                     " poissonRatio='0.3'/><Node><QuadSetTopologyContainer/><Hexa2QuadTopologicalMapping/>" + models +
                     shown + "</Node>";
        if (m_type == ElementType::Prisms)
            forces =
                "<FEMMass template='Vec3,Prism' massDensity='10'/><CorotationalFEMForceField "
                "template='Vec3,Prism'" +
                of("FEM") + " poissonRatio='0.3'/>";
        if (m_type == ElementType::Pyramids)
            forces = "<UniformMass vertexMass='0.05'/><StVKFEMForceField" + of("FEM") + " poissonRatio='0.3'/>";
        const bool hasContainer = m_type != ElementType::Prisms && m_type != ElementType::Pyramids;
        const std::string container = hasContainer ? kind + "SetTopologyContainer" : std::string("MeshTopology");
        std::string embedded;
        if (!m_embedded.empty())
            embedded = "<Node name='embedded'><MechanicalObject position='" + (places.empty() ? m_embedded : places) +
                       "' rest_position='" + m_embedded + "'/><BarycentricMapping" +
                       (weights.empty() ? std::string() : " interpolation='" + weights + "'") +
                       "/><ConstantForceField totalForce='0.2 0.1 0.3'/><RestShapeSpringsForceField "
                       "stiffness='5'/></Node>";
        return "<Node name='root' dt='0.01' gravity='0 -1 0'><Node name='body'><EulerImplicitSolver "
               "rayleighMass='0.1'/>" +
               (hasSlivers() ? direct : "<CGLinearSolver iterations='1000' tolerance='1e-14' threshold='1e-28'/>") +
               "<" + container + of("mesh") + "/><" + kind + "SetTopologyModifier/><MechanicalObject name='x'/>" +
               forces + onPoints("fixed.indices", "<FixedProjectiveConstraint" + of("fixed") + "/>") +
               onPoints("partial.indices",
                        "<PartialFixedProjectiveConstraint" + of("partial") + " fixedDirections='1 0 1'/>") +
               onPoints("lines.indices", "<DirectionProjectiveConstraint" + of("lines") + " direction='1 1 0'/>") +
               onPoints("rest.points", "<RestShapeSpringsForceField" + of("rest") + "/>") +
               onPoints("force.indices", "<ConstantForceField" + of("force") + "/>") +
               "<PlaneForceField normal='0 1 0' d='-0.1' stiffness='10'/>" + embedded + "</Node></Node>";
    }

    ElementType m_type;
    std::mt19937 m_random;
    Lists m_lists;
    std::string m_embedded;  ///< positions of embedded points
    bool m_regions = false;  ///< whether materials are given for regions
    std::unique_ptr<Run> m_run;
};

/// Elementary changes and cuts, until there were as many.
void fuzz(ElementType type, int changes, int cuts, unsigned seed)
{
    int changed = 0, done = 0;
    while (changed < changes || done < cuts) {
        Fuzz body(type, ++seed);
        INFO("elements " << elementTypeName(type) << ", seed " << seed);
        for (int batch = 0; batch < 20 && body.elements() > 6 && body.elements() < 500; ++batch) {
            for (int k = 0; k < 12 && changed < changes && body.elements() < 500; ++k) changed += body.change();
            for (int k = 0; k < 2 && done < cuts && body.elements() < 500; ++k, ++done) body.cut();
            body.check();
        }
    }
}

/// The share of one kind of elements, of seven, or one of some parts of it. Only triangles and tetrahedra are cut.
void fuzzShare(ElementType type, int changes, int cuts, int part = 0, int parts = 1)
{
    const bool isCut = type == ElementType::Triangles || type == ElementType::Tetrahedra;
    fuzz(type, changes / 7 / parts, isCut ? cuts / 2 / parts : 0, 1 + 1000000 * static_cast<unsigned>(part));
}

}  // namespace

TEST_CASE("Random changes and cuts with followers of all families leave what a new scene has")
{
    fuzzShare(GENERATE(ElementType::Edges, ElementType::Triangles, ElementType::Quads, ElementType::Tetrahedra,
                       ElementType::Hexahedra, ElementType::Prisms, ElementType::Pyramids),
              3500, 60);
}

// A million changes and a hundred thousand cuts, in parts that run beside each other.
TEST_CASE("Many random changes of edges", "[nightly]") { fuzzShare(ElementType::Edges, 1000000, 100000); }
TEST_CASE("Many random changes and cuts of triangles", "[nightly]")
{
    fuzzShare(ElementType::Triangles, 1000000, 100000);
}
TEST_CASE("Many random changes of quads", "[nightly]") { fuzzShare(ElementType::Quads, 1000000, 100000); }
TEST_CASE("Many random changes and cuts of tetrahedra (first quarter)", "[nightly]")
{
    fuzzShare(ElementType::Tetrahedra, 1000000, 100000, 0, 4);
}
TEST_CASE("Many random changes and cuts of tetrahedra (second quarter)", "[nightly]")
{
    fuzzShare(ElementType::Tetrahedra, 1000000, 100000, 1, 4);
}
TEST_CASE("Many random changes and cuts of tetrahedra (third quarter)", "[nightly]")
{
    fuzzShare(ElementType::Tetrahedra, 1000000, 100000, 2, 4);
}
TEST_CASE("Many random changes and cuts of tetrahedra (last quarter)", "[nightly]")
{
    fuzzShare(ElementType::Tetrahedra, 1000000, 100000, 3, 4);
}
TEST_CASE("Many random changes of hexahedra", "[nightly]") { fuzzShare(ElementType::Hexahedra, 1000000, 100000); }
TEST_CASE("Many random changes of prisms", "[nightly]") { fuzzShare(ElementType::Prisms, 1000000, 100000); }
TEST_CASE("Many random changes of pyramids", "[nightly]") { fuzzShare(ElementType::Pyramids, 1000000, 100000); }

}  // namespace change_fuzz_test
