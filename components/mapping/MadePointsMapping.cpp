// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MadePointsMapping.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/Quantity.h"
#include "core/topology/BezierSurface.h"

namespace sofa::component {

TopologicalMapping* MadePointsMapping::find() const { return node()->get<TopologicalMapping>(Search::Local); }

TopologicalMapping* Mesh2PointMechanicalMapping::find() const
{
    return l_topologicalMapping ? l_topologicalMapping.get() : MadePointsMapping::find();
}

void MadePointsMapping::init()
{
    if (!findStates()) return;
    m_map = find();
    if (!m_map) return fail("there is no topological mapping in its node that makes the points");
    m_map->build();
    if (!m_map->isValid()) return fail("'" + m_map->pathName() + "' did not make the points, as reported");
    const auto points = m_map->mappedPoints();
    if (points.empty())
        return fail("'" + m_map->pathName() + "' (" + m_map->className() + ") makes no points of its own");
    for (const MappedPoint& p : points)
        for (const Ancestor& a : p.from)
            if (a.index >= input().size())
                return fail("'" + m_map->pathName() + "' makes points of point " + std::to_string(a.index) +
                            ", but the state '" + input().pathName() + "' has only " + std::to_string(input().size()));
    output().resize(static_cast<Index>(points.size()));
    invalidateJacobian();
    Base::init();
}

void MadePointsMapping::followTopology(const TopologyChange&)
{
    if (!isValid() || !m_map) return;
    const std::size_t count = m_map->mappedPoints().size();
    if (output().size() != count)
        throw std::runtime_error("'" + pathName() + "' (" + className() + "): '" + m_map->pathName() + "' makes " +
                                 std::to_string(count) + " points, but the state '" + output().pathName() + "' has " +
                                 std::to_string(output().size()));
    invalidateJacobian();
    apply(MechanicalParams(), vec_id::position, vec_id::position);
}

void MadePointsMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    if (!m_map) return;
    const auto points = m_map->mappedPoints();
    for (std::size_t i = 0; i < points.size(); ++i) {
        Vec3 x = points[i].offset;
        for (const Ancestor& a : points[i].from) x += in[a.index] * a.weight;
        out[i] = x;
    }
}

void MadePointsMapping::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    if (!m_map) return;
    for (const MappedPoint& p : m_map->mappedPoints()) {
        j.appendRow();
        for (const Ancestor& a : p.from) j.append(a.index, Mat3::identity() * a.weight);
    }
}

void BezierSurfaceMechanicalMapping::followTopology(const TopologyChange& change)
{
    if (auto* map = dynamic_cast<BezierSurface*>(find()); map && isValid()) map->followDegrees();
    MadePointsMapping::followTopology(change);
}

double BezierSurfaceMechanicalMapping::deviation()
{
    const auto* map = dynamic_cast<const BezierSurface*>(find());
    return map && isValid() ? map->deviation(input().positions()) : 0.;
}

void MadePointsMapping::appendLinks(Vector<Vec3>& ends) const
{
    if (!m_map) return;
    const auto points = m_map->mappedPoints();
    for (Index i = 0; i < points.size() && i < output().size(); ++i)
        for (const Ancestor& a : points[i].from) {
            ends.push_back(input().pointPosition(a.index));
            ends.push_back(output().pointPosition(i));
        }
}

namespace {

constexpr const char* madePointsMappingModule = "Sofa.Component.Mapping.Linear";

const RegisterComponent registeredMesh2PointMechanicalMapping =
    RegisterComponent("Mesh2PointMechanicalMapping", "Mapping", madePointsMappingModule)
        .help("Points made by a Mesh2PointTopologicalMapping follow the mesh")
        .example("component/topology/Mesh2PointTopologicalMapping.scn")
        .add<Mesh2PointMechanicalMapping>();
const RegisterComponent registeredSimpleTesselatedTetraMechanicalMapping =
    RegisterComponent("SimpleTesselatedTetraMechanicalMapping", "Mapping", madePointsMappingModule)
        .help("Points made by a SimpleTesselatedTetraTopologicalMapping follow the tetrahedra")
        .example("component/topology/SimpleTesselatedTetraTopologicalMapping.scn")
        .add<SimpleTesselatedTetraMechanicalMapping>();
const RegisterComponent registeredBezierSurfaceMechanicalMapping =
    RegisterComponent("BezierSurfaceMechanicalMapping", "Mapping", madePointsMappingModule)
        .help("Points made by a BezierSurfaceTopologicalMapping follow the quadratic elements")
        .example("component/topology/BezierSurfaceTopologicalMapping.scn")
        .add<BezierSurfaceMechanicalMapping>();
const RegisterQuantity deviation({.name = "deviation",
                                  .help = "Bound of the distance between the flat triangles and the curved surface",
                                  .unit = "m"},
                                 [](BezierSurfaceMechanicalMapping& m) { return m.deviation(); });

}  // namespace

}  // namespace sofa::component
