// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "core/behavior/Mass.h"
#include "core/interaction/Picking.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/StoredTopology.h"
#include "core/visitor/Operations.h"

namespace sofa::test {

using namespace sofa::core;

/// A block of 2 x 2 x 2 cells, each cut into tetrahedra by the same diagonals, or the grid of its upper side.
struct Mesh
{
    ElementType type;
    Vector<Vec3> points;
    Vector<Vector<Index>> elements;
};

inline Mesh block(ElementType type)
{
    Mesh m{type, {}, {}};
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x) m.points.push_back({0.1 * x + 0.003 * y * z, 0.1 * y, 0.1 * z + 0.002 * x});
    const auto p = [](int x, int y, int z) { return static_cast<Index>(x + 3 * (y + 3 * z)); };
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x) {
                const Index h[] = {p(x, y, z),     p(x + 1, y, z),     p(x + 1, y + 1, z),     p(x, y + 1, z),
                                   p(x, y, z + 1), p(x + 1, y, z + 1), p(x + 1, y + 1, z + 1), p(x, y + 1, z + 1)};
                if (type == ElementType::Hexahedra) m.elements.emplace_back(std::begin(h), std::end(h));
                if (type == ElementType::Tetrahedra)
                    for (const auto& t : {std::array{0, 5, 1, 6}, std::array{0, 1, 3, 6}, std::array{1, 3, 6, 2},
                                          std::array{6, 3, 0, 7}, std::array{6, 7, 0, 5}, std::array{7, 5, 4, 0}})
                        m.elements.push_back({h[t[0]], h[t[1]], h[t[2]], h[t[3]]});
                if (y == 1 && type == ElementType::Quads) m.elements.push_back({h[3], h[7], h[6], h[2]});
                if (y == 1 && type == ElementType::Triangles) {
                    m.elements.push_back({h[3], h[7], h[6]});
                    m.elements.push_back({h[3], h[6], h[2]});
                }
                if (type == ElementType::Edges)
                    for (const auto& e : {std::array{0, 1}, std::array{0, 3}, std::array{0, 4}, std::array{0, 6}})
                        m.elements.push_back({h[e[0]], h[e[1]]});
            }
    return m;
}

inline const char* nameOf(ElementType t)
{
    constexpr const char* names[] = {"", "edges", "triangles", "quads", "tetrahedra", "", "", "hexahedra"};
    return names[static_cast<int>(t)];
}

/// A number for each of these elements: "1000 1010 ...".
inline std::string values(const Vector<Index>& elements, double first, double more, int perElement = 1)
{
    std::string text;
    for (const Index e : elements)
        for (int k = 0; k < perElement; ++k) text += toText(first + more * e) + " ";
    return text;
}

using Ingredient = std::function<std::string(const Vector<Index>& elements)>;

/// A body of some elements of a mesh that hangs on its highest points or falls onto a floor.
struct Body
{
    std::string name;
    ElementType type;
    Ingredient forces;
    Ingredient mass = [](const Vector<Index>&) { return "<MeshMatrixMass massDensity='1000'/>"; };
    std::string topology = "MeshTopology";
    std::string solver = "<CGLinearSolver iterations='30' tolerance='1e-12' threshold='1e-20'/>";
};

/// `sides`: a mesh whose lists of sides are given with the elements.
inline std::string textOf(const Body& b, const Vector<Index>& elements, const StoredTopology* sides = nullptr)
{
    const Mesh m = block(b.type);
    std::string list, points;
    for (const Index e : elements) list += toText(m.elements[e]) + " ";
    for (const Vec3& p : m.points) points += toText(p) + " ";
    std::string more;
    if (sides) {
        const auto add = [&](ElementType type, const auto& all) {
            if (dimensionOf(type) < dimensionOf(b.type) && !all.empty())
                more += std::string(" ") + nameOf(type) + "='" + toText(all) + "'";
        };
        add(ElementType::Edges, sides->edges());
        add(ElementType::Triangles, sides->triangles());
        add(ElementType::Quads, sides->quads());
    }
    const bool volume = b.type == ElementType::Tetrahedra || b.type == ElementType::Hexahedra;
    const std::string models =
        "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/><Node name='skin'><OglModel name='v'/>"
        "<IdentityMapping/></Node>";
    std::string surface;
    if (b.type == ElementType::Tetrahedra)
        surface = "<TriangleSetTopologyContainer name='border'/><Tetra2TriangleTopologicalMapping/>" + models;
    if (b.type == ElementType::Hexahedra)
        surface = "<QuadSetTopologyContainer name='border'/><Hexa2QuadTopologicalMapping/>" + models;
    return "<Node name='root' dt='0.01' gravity='0 -9.81 "
           "0'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
           "<MinProximityIntersection alarmDistance='0.03' contactDistance='0.01'/><CollisionResponse "
           "response='PenalityContactForceField'/><Node name='body'><EulerImplicitSolver rayleighStiffness='0.05' "
           "rayleighMass='0.1'/>" +
           b.solver + "<" + b.topology + " name='mesh' position='" + points + "' " + nameOf(b.type) + "='" + list +
           "'" + more + "/><MechanicalObject name='x'/>" + b.mass(elements) + b.forces(elements) +
           "<FixedProjectiveConstraint indices='6 7 8'/>" +
           (volume ? "<Node name='surface'>" + surface + "</Node>" : "<TriangleCollisionModel/><LineCollisionModel/>") +
           "</Node><Node name='floor'><MeshTopology position='-1 -0.02 -1  -1 -0.02 1  1 -0.02 1  1 -0.02 -1' "
           "triangles='0 1 2 0 2 3'/><MechanicalObject/><TriangleCollisionModel moving='0' "
           "simulated='0'/></Node></Node>";
}

/// Without the one at a place, which the last one takes.
inline void removeFrom(Vector<Index>& elements, std::size_t place)
{
    elements[place] = elements.back();
    elements.pop_back();
}

inline Vector<Index> allOf(const Body& b)
{
    Vector<Index> all(block(b.type).elements.size());
    std::iota(all.begin(), all.end(), Index(0));
    return all;
}

struct Run
{
    explicit Run(const std::string& text) : root(loadSceneText(text, "removal.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation->step();
    }
    Node& body() const { return *root->child("body"); }
    State<Vec3Types>& state() const { return *body().get<State<Vec3Types>>(Search::Local); }
    StoredTopology& mesh() const { return *body().get<StoredTopology>(Search::Local); }
    template <class T = BaseMeshTopology>
    T& surface() const
    {
        return *body().child("surface")->get<T>(Search::Local);
    }
    /// Takes over the positions and velocities of another run.
    void take(const Run& other) const
    {
        state().write(vec_id::position) = other.state().positions();
        state().write(vec_id::velocity) = other.state().velocities();
        MechanicalOperations(*root, MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

inline bool sameState(const Run& a, const Run& b)
{
    return a.state().positions() == b.state().positions() && a.state().velocities() == b.state().velocities();
}

inline Ingredient always(std::string text)
{
    return [text = std::move(text)](const Vector<Index>&) { return text; };
}

/// With a Young's modulus for each element.
inline Ingredient heterogeneous(const std::string& name, const std::string& more = "")
{
    return [=](const Vector<Index>& e) {
        return "<" + name + " " + more + " youngModulus='" + values(e, 4000., 50.) + "' poissonRatio='0.3'/>";
    };
}

/// The elements in two regions: even and odd ones.
inline Ingredient regions(const std::string& name)
{
    return [=](const Vector<Index>& elements) {
        std::string lists[2];
        for (std::size_t i = 0; i < elements.size(); ++i) lists[elements[i] % 2] += std::to_string(i) + " ";
        return "<" + name + " youngModulus='4000 8000' poissonRatio='0.3' regions='[" + lists[0] + "] [" + lists[1] +
               "]'/>";
    };
}

inline const std::string direct = "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>";

inline std::vector<Body> bodies()
{
    using E = ElementType;
    const Ingredient stiff = always("<TetrahedronFEMForceField youngModulus='5000' poissonRatio='0.3'/>");
    return {
        {"corotational", E::Tetrahedra, heterogeneous("TetrahedronFEMForceField")},
        {"polar, in a container", E::Tetrahedra, heterogeneous("TetrahedronFEMForceField", "method='polar'"),
         always("<DiagonalMass massDensity='1000'/>"), "TetrahedronSetTopologyContainer"},
        {"direct", E::Tetrahedra, heterogeneous("TetrahedronFEMForceField"),
         always("<MeshMatrixMass massDensity='1000' lumping='1'/>"), "MeshTopology", direct},
        {"stiffness factors", E::Tetrahedra,
         [](const Vector<Index>& e) {
             return "<TetrahedronFEMForceField youngModulus='4000' poissonRatio='0.3' localStiffnessFactor='" +
                    values(e, 1., 0.01) + "'/>";
         }},
        {"other corotational", E::Tetrahedra, always("<TetrahedralCorotationalFEMForceField youngModulus='5000'/>")},
        {"fast corotational", E::Tetrahedra, always("<FastTetrahedralCorotationalForceField youngModulus='5000'/>")},
        {"any element", E::Tetrahedra, heterogeneous("CorotationalFEMForceField", "template='Vec3,Tetrahedron'")},
        {"StVK of Vega", E::Tetrahedra, heterogeneous("StVKFEMForceField")},
        {"regions", E::Tetrahedra, regions("StVKFEMForceField")},
        {"neo-Hookean", E::Tetrahedra,
         [](const Vector<Index>& e) {
             return "<TetrahedronHyperelasticityFEMForceField materialName='StableNeoHookean' ParameterSet='" +
                    values(e, 3000., 10., 2) + "'/>";
         }},
        {"springs of tetrahedra", E::Tetrahedra,
         always("<MeshSpringForceField tetrahedraStiffness='50' tetrahedraDamping='0.1'/>")},
        {"springs of edges", E::Tetrahedra, always("<MeshSpringForceField linesStiffness='50' linesDamping='0.1'/>")},
        {"mass-spring system", E::Tetrahedra,
         [](const Vector<Index>& e) {
             std::string groups;
             for (const Index k : e) groups += std::to_string(k % 2) + " ";
             return "<MassSpringForceField groups='" + groups + "' groupStiffness='300 600' damping='0.1'/>";
         }},
        {"finite element mass", E::Tetrahedra, stiff,
         [](const Vector<Index>& e) {
             return "<FEMMass template='Vec3,Tetrahedron' massDensity='" + values(e, 900., 10.) + "'/>";
         }},
        {"densities", E::Tetrahedra, stiff,
         [](const Vector<Index>& e) { return "<MeshMatrixMass massDensity='" + values(e, 900., 10.) + "'/>"; }},
        {"hexahedra", E::Hexahedra, heterogeneous("HexahedronFEMForceField")},
        {"averaged tetrahedra", E::Tetrahedra,
         heterogeneous("TetrahedronFEMForceField", "volumetricStrain='averaged'")},
        {"averaged hyperelastic tetrahedra", E::Tetrahedra,
         heterogeneous("StVKFEMForceField", "volumetricStrain='averaged'"),
         always("<MeshMatrixMass massDensity='1000' lumping='1'/>"), "TetrahedronSetTopologyContainer"},
        {"averaged hexahedra", E::Hexahedra, heterogeneous("StVKFEMForceField", "volumetricStrain='averaged'")},
        {"hyperelastic hexahedra", E::Hexahedra, heterogeneous("StVKFEMForceField"),
         always("<DiagonalMass massDensity='1000'/>"), "HexahedronSetTopologyContainer"},
        {"springs of hexahedra", E::Hexahedra, always("<MeshSpringForceField cubesStiffness='50'/>")},
        {"triangles", E::Triangles, heterogeneous("TriangularFEMForceField"), always("<UniformMass totalMass='0.1'/>")},
        {"plane stress triangles", E::Triangles, heterogeneous("TriangleFEMForceField"),
         always("<UniformMass totalMass='0.1'/>")},
        {"cloth", E::Triangles,
         [](const Vector<Index>& e) {
             return "<BaraffWitkinForceField tensileStiffness='" + values(e, 100., 2.) + "' shearStiffness='" +
                    values(e, 50., 1.) + "'/>";
         },
         always("<UniformMass totalMass='0.1'/>"), "TriangleSetTopologyContainer"},
        {"bending of triangles", E::Triangles,
         always("<MeshSpringForceField trianglesStiffness='20'/><TriangularBendingSprings stiffness='5' damping='0'/>"
                "<TriangleBendingSprings stiffness='5' damping='0.01'/>"),
         always("<UniformMass totalMass='0.1'/>")},
        {"quads", E::Quads,
         always("<MeshSpringForceField quadsStiffness='20'/><QuadularBendingSprings stiffness='5' damping='0'/>"
                "<QuadBendingSprings stiffness='5' damping='0.01'/>"),
         always("<UniformMass totalMass='0.1'/>"), "QuadSetTopologyContainer"},
        {"springs", E::Edges, always("<MeshSpringForceField linesStiffness='20' linesDamping='0.05'/>"),
         always("<UniformMass totalMass='0.1'/>"), "EdgeSetTopologyContainer"},
    };
}

inline const Body& soft()
{
    static const Body b{"soft", ElementType::Tetrahedra,
                        heterogeneous("TetrahedronFEMForceField",
                                      "plasticMaxThreshold='0.02' plasticYieldThreshold='1e-6' plasticCreep='0.2'")};
    return b;
}

inline double totalMass(const Run& r)
{
    double sum = 0.;
    const auto* m = r.body().get<Mass<Vec3Types>>(Search::Local);
    for (Index i = 0; i < r.state().size(); ++i) sum += m->pointMass(i);
    return sum;
}

/// A ray from the outside to the middle of a triangle of the skin.
inline PickRay rayTo(const Run& r, const Triangle& t)
{
    Vec3 p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = r.state().pointPosition(t[k]);
    const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
    const Vec3 middle = (p[0] + p[1] + p[2]) / 3.;
    return {middle + n * (0.002 / norm(n)), -n};
}

}  // namespace sofa::test
