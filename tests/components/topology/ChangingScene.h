// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"

/// Bodies whose points come and go, and scenes of what they have become.
namespace sofa::test {

/// A body with a modifier: a container of tetrahedra or triangles, with a surface, masses and constraints.
inline Body changing(ElementType type)
{
    Body b =
        type == ElementType::Tetrahedra
            ? Body{"tetrahedra", type, always("<TetrahedronFEMForceField youngModulus='5000' poissonRatio='0.3'/>")}
            : Body{"triangles", type,
                   always("<TriangularFEMForceField youngModulus='50' poissonRatio='0.3'/>"
                          "<TriangularBendingSprings stiffness='0.1' damping='0'/>")};
    const bool volume = type == ElementType::Tetrahedra;
    b.topology = volume ? "TetrahedronSetTopologyContainer" : "TriangleSetTopologyContainer";
    b.mass = always(std::string("<DiagonalMass massDensity='") + (volume ? "1000" : "1") + "'/>" +
                    (volume ? "<TetrahedronSetTopologyModifier/>" : "<TriangleSetTopologyModifier/>"));
    return b;
}

/// The scene as it would be written now: positions, rest positions and lists of a run that has changed.
inline std::string textNow(const Body& b, const Run& r)
{
    const StoredTopology& t = r.mesh();
    const auto text = [](const auto& list) { return toText(list); };
    std::string lists = " edges='" + text(t.edges()) + "' triangles='" + text(t.triangles()) + "'";
    if (!t.tetrahedra().empty()) lists += " tetrahedra='" + text(t.tetrahedra()) + "'";
    const std::string fixed = r.body().get<Component>(Search::Local)
                                  ? r.body().component("fixed")->findData("indices")->text()
                                  : std::string();
    std::string s = textOf(b, allOf(b));
    const auto replace = [&](const std::string& from, const std::string& to, const std::string& by) {
        const std::size_t i = s.find(from), j = s.find(to, i + from.size());
        REQUIRE(i != std::string::npos);
        s.replace(i, j - i, by);
    };
    replace(" position='", "/><MechanicalObject",
            " position='" + text(r.state().read(vec_id::restPosition)) + "'" + lists);
    replace("<FixedProjectiveConstraint indices='", "'/>", "<FixedProjectiveConstraint indices='" + fixed);
    return s;
}

inline std::string withName(std::string s)
{
    const std::string from = "<FixedProjectiveConstraint ";
    s.insert(s.find(from) + from.size(), "name='fixed' ");
    return s;
}

inline Vector<Vec3> moved(const Run& r) { return r.state().positions(); }

inline double difference(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

/// Splits a triangle or tetrahedron at its centre.
inline void splitAtCentre(StoredTopology& t, ElementType type, Index element)
{
    Vector<Index> v;
    if (type == ElementType::Triangles)
        v.assign(t.triangles()[element].begin(), t.triangles()[element].end());
    else
        v.assign(t.tetrahedra()[element].begin(), t.tetrahedra()[element].end());
    TopologyTransaction change(t);
    Ancestors from;
    for (const Index i : v) from.push_back({i, 1. / static_cast<double>(v.size())});
    const Index p = change.addPoints({from});
    Vector<Index> vertices;
    for (std::size_t k = 0; k < v.size(); ++k) {
        Vector<Index> part = v;
        part[k] = p;
        vertices.insert(vertices.end(), part.begin(), part.end());
    }
    change.add(type, vertices, Vector<Ancestors>(v.size(), Ancestors{{element, 1.}}));
    change.remove(type, {element});
    change.commit();
}

}  // namespace sofa::test
