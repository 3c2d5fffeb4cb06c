// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Cost of a change of a mesh of tetrahedra against its size, for a container alone and with what follows it: the median
// time of removing one tetrahedron, and of dividing one into four at a new point; the first change, which makes tables,
// is shown by itself; and the time of a step, on a mesh that stays and after a change. And carving and cutting: the
// time of a step in which a few tetrahedra are removed or divided, with what that takes. On one core. Usage:
// topology_bench [most tetrahedra = 1000000] [tetrahedra to carve, cut = 50000]
#include <algorithm>
#include <random>

#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/MeshCut.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/benchmarks/Bodies.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

struct Followers
{
    const char* name;
    std::string state, surface;
};

const Followers allFollowers[] = {
    {"container", "", ""},
    {"mass", "<MeshMatrixMass massDensity='1000'/>", ""},
    {"elements", "<DiagonalMass massDensity='1000'/><TetrahedronFEMForceField youngModulus='1e6' poissonRatio='0.4'/>",
     ""},
    {"surface", "<DiagonalMass massDensity='1000'/>",
     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/>"},
    {"collision", "<DiagonalMass massDensity='1000'/>",
     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/><TriangleCollisionModel/>"},
    {"picture", "<DiagonalMass massDensity='1000'/>",
     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/><Node><OglModel/><IdentityMapping/></Node>"},
    {"all", "<DiagonalMass massDensity='1000'/><TetrahedronFEMForceField youngModulus='1e6' poissonRatio='0.4'/>",
     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/><TriangleCollisionModel/>"
     "<Node><OglModel/><IdentityMapping/></Node>"},
};

/// Measured on smaller meshes.
const Followers otherFollowers[] = {
    {"st venant", "<DiagonalMass massDensity='1000'/><StVKFEMForceField youngModulus='1e6' poissonRatio='0.4'/>", ""},
    {"springs", "<DiagonalMass massDensity='1000'/><MeshSpringForceField stiffness='1000'/>", ""},
    {"membrane", "<DiagonalMass massDensity='1000'/>",
     "<TriangleSetTopologyContainer/><Tetra2TriangleTopologicalMapping/><TriangularFEMForceField youngModulus='1e4' "
     "poissonRatio='0.3'/><TriangularBendingSprings stiffness='1'/>"},
    {"femmass",
     "<FEMMass template='Vec3,Tetrahedron' massDensity='1000'/><TetrahedronFEMForceField youngModulus='1e6' "
     "poissonRatio='0.4'/>",
     ""},
};

struct Scene
{
    Scene(const sofa::benchmark::Mesh& mesh, const Followers& f)
        : Scene("Tetrahedron", f, [&mesh](StoredTopology& t) {
              t.d_position.setValue(mesh.rest);
              t.setElements("tetrahedra", mesh.tetrahedra);
          })
    {
    }
    template <class Fill>
    Scene(const std::string& kind, const Followers& f, Fill&& fill)
        : root(loadSceneText(
              "<Node name='root' dt='0.01' gravity='0 -9.81 0'><CollisionPipeline/><BruteForceBroadPhase/>"
              "<BVHNarrowPhase/><MinProximityIntersection alarmDistance='0.03' contactDistance='0.01'/>"
              "<CollisionResponse response='PenalityContactForceField'/><Node name='body'><EulerImplicitSolver "
              "rayleighStiffness='0.01' "
              "rayleighMass='0.1'/><CGLinearSolver iterations='10' tolerance='1e-9' threshold='1e-9'/>"
              "<" +
                  kind + "SetTopologyContainer name='mesh'/><" + kind + "SetTopologyModifier/><MechanicalObject/>" +
                  f.state + "<FixedProjectiveConstraint indices='0 1 2'/>" +
                  (f.surface.empty() ? "" : "<Node name='surface'>" + f.surface + "</Node>") + "</Node></Node>",
              "bench.scn"))
    {
        fill(topology());
        simulation = std::make_unique<Simulation>(root);
        if (!simulation->init()) std::exit(1);
    }
    StoredTopology& topology() const { return *root->child("body")->get<StoredTopology>(Search::Local); }

    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

void removeOne(StoredTopology& t, Index e, ElementType type = ElementType::Tetrahedra)
{
    TopologyTransaction change(t);
    change.remove(type, {e});
    change.commit();
}

void splitOne(StoredTopology& t, Index e)
{
    const Tetrahedron v = t.tetrahedra()[e];
    TopologyTransaction change(t);
    const Index p = change.addPoints({{{v[0], 0.25}, {v[1], 0.25}, {v[2], 0.25}, {v[3], 0.25}}});
    Vector<Index> parts;
    for (std::size_t k = 0; k < 4; ++k) {
        Tetrahedron part = v;
        part[k] = p;
        parts.insert(parts.end(), part.begin(), part.end());
    }
    change.add(ElementType::Tetrahedra, parts, Vector<Ancestors>(4, {{e, 1.}}));
    change.remove(ElementType::Tetrahedra, {e});
    change.commit();
}

/// Milliseconds.
template <class F>
double timed(F&& f)
{
    const double start = now();
    f();
    return 1e3 * (now() - start);
}

void costOfAChange(Index cells, std::span<const Followers> followers)
{
    const auto mesh = box(cells);
    for (const Followers& f : followers) {
        Scene s(mesh, f);
        std::mt19937 random(1);
        StoredTopology& t = s.topology();
        const auto any = [&] { return std::uniform_int_distribution<Index>(0, t.tetrahedra().size() - 1)(random); };
        const double first = timed([&] { removeOne(t, any()); });
        std::vector<double> removed, split;
        const double start = now();
        for (int k = 0; k < 50 && (k < 3 || now() - start < 5.); ++k) {
            Index e = any();
            removed.push_back(timed([&] { removeOne(t, e); }));
            e = any();
            split.push_back(timed([&] { splitOne(t, e); }));
        }
        // What is left to the next step: that of a mesh that stays, and of one that has changed.
        std::vector<double> step, stepAfter;
        for (int k = 0; k < 7; ++k) {
            splitOne(t, any());
            stepAfter.push_back(timed([&] { s.simulation->step(); }));
            step.push_back(timed([&] { s.simulation->step(); }));
        }
        std::printf("%9zu  %-10s %10.2f %10.3f %10.3f %8.2f %8.2f\n", mesh.tetrahedra.size(), f.name, first,
                    median(removed), median(split), median(step), median(stepAfter));
        std::fflush(stdout);
    }
}

/// The same for a grid of hexahedra, whose points are moved by up to a tenth of an edge; none is divided.
void costOfHexahedra(Index cells)
{
    Vector<Vec3> points;
    Vector<Hexahedron> hexahedra;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> d(-0.1, 0.1);
    const Index n = cells + 1;
    for (Index z = 0; z < n; ++z)
        for (Index y = 0; y < n; ++y)
            for (Index x = 0; x < n; ++x) {
                points.push_back({x + d(random), y + d(random), z + d(random)});
                const auto at = [&](Index i, Index j, Index k) { return x + i + n * (y + j + n * (z + k)); };
                if (x < cells && y < cells && z < cells)
                    hexahedra.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1),
                                         at(1, 1, 1), at(0, 1, 1)});
            }
    const Followers elements{"hexahedra",
                             "<DiagonalMass massDensity='1000'/><HexahedronFEMForceField youngModulus='1e6' "
                             "poissonRatio='0.4'/>",
                             ""};
    Scene s("Hexahedron", elements, [&](StoredTopology& t) {
        t.d_position.setValue(points);
        t.setElements("hexahedra", hexahedra);
    });
    StoredTopology& t = s.topology();
    const auto remove = [&] { removeOne(t, random() % t.hexahedra().size(), ElementType::Hexahedra); };
    const double first = timed(remove);
    std::vector<double> removed, step, stepAfter;
    for (int k = 0; k < 50; ++k) removed.push_back(timed(remove));
    for (int k = 0; k < 7; ++k) {
        remove();
        stepAfter.push_back(timed([&] { s.simulation->step(); }));
        step.push_back(timed([&] { s.simulation->step(); }));
    }
    std::printf("%9zu  %-10s %10.2f %10.3f %10s %8.2f %8.2f\n", hexahedra.size(), elements.name, first, median(removed),
                "", median(step), median(stepAfter));
}

/// A ball goes through the body and takes what it touches, a layer in each step.
void carving(Index tetrahedra)
{
    const auto cells = static_cast<Index>(std::lround(std::cbrt(tetrahedra / 6.)));
    const auto mesh = box(cells);
    Scene s(mesh, allFollowers[std::size(allFollowers) - 1]);
    StoredTopology& t = s.topology();
    std::vector<double> change, step;
    std::size_t gone = 0;
    const int steps = 100;
    for (int k = 0; k < steps; ++k) {
        const Vec3 tool{cells * (k + 1.) / steps, 0.8 * cells, 0.5 * cells};
        Vector<Index> touched;
        for (Index e = 0; e < t.tetrahedra().size(); ++e) {
            Vec3 centre;
            for (const Index v : t.tetrahedra()[e]) centre += t.pointPosition(v) / 4.;
            if (norm(centre - tool) < 0.15 * cells) touched.push_back(e);
        }
        gone += touched.size();
        change.push_back(timed([&] {
            if (touched.empty()) return;
            TopologyTransaction cut(t);
            cut.remove(ElementType::Tetrahedra, touched);
            cut.commit();
        }));
        step.push_back(timed([&] { s.simulation->step(); }));
    }
    std::printf("\ncarving %zu of %zu tetrahedra in %d steps: %.2f ms for the change, %.2f ms for the step (medians)\n",
                gone, mesh.tetrahedra.size(), steps, median(change), median(step));
}

/// A blade goes through the body in as many steps.
void cutting(Index tetrahedra)
{
    const auto cells = static_cast<Index>(std::lround(std::cbrt(tetrahedra / 6.)));
    const auto mesh = box(cells);
    Scene s(mesh, allFollowers[std::size(allFollowers) - 1]);
    MeshCut cut;
    std::vector<double> change, step;
    const int steps = 100;
    for (int k = 0; k <= steps; ++k) {
        const double x = cells * (1.02 * k / steps - 0.01), y = 0.437 * cells + 0.1 * x;
        change.push_back(timed([&] { cut.moveBlade(s.topology(), {{x, y, -1.}, {x, y, cells + 1.}}, {{0, 1}}); }));
        step.push_back(timed([&] { s.simulation->step(); }));
    }
    std::printf(
        "\ncutting %zu tetrahedra into %zu in %d steps: %.2f ms for the change, %.2f ms for the step (medians)\n",
        mesh.tetrahedra.size(), s.topology().tetrahedra().size(), steps, median(change), median(step));
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments a(argc, argv);
    setThreadCount(1);
    const auto most = static_cast<std::size_t>(a.number(0, 1000000));
    std::printf("tetrahedra  followers  first (ms)  remove one  divide one  a step  a step after a change\n");
    for (const Index cells : {6u, 12u, 26u, 55u}) {
        if (6u * cells * cells * cells > most) continue;
        costOfAChange(cells, allFollowers);
        if (cells > 26) continue;
        costOfAChange(cells, otherFollowers);
        costOfHexahedra(cells);
    }
    carving(static_cast<Index>(a.number(1, 50000)));
    cutting(static_cast<Index>(a.number(1, 50000)));
    return 0;
}
