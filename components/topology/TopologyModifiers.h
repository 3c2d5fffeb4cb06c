// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Entrance for changes of the topology of its node at run time: elements can be removed (core/topology/
/// TopologyChange.h, which needs no modifier). Points stay. To add points is not possible yet: that is reported as an
/// error, and the component marked as unable to work, so that nothing goes on with a mesh other than the one asked for.
class PointSetTopologyModifier : public Component, public TopologyModifier, public TopologyFollower
{
public:
    static std::string_view typeLabel() { return "topology modifier"; }
    Data<bool> d_propagateToDOF{
        this, {.name = "propagateToDOF", .help = "Change the state with the points of the topology"}, true};

    void init() override;
    /// Topology of this node; nullptr if there is none.
    BaseMeshTopology* topology() const;
    /// Reports that a change cannot be made; `change` says which ("remove 3 triangles").
    void refuseChange(const std::string& change);
    void addPoints(std::size_t count) { refuseChange("add " + std::to_string(count) + " points"); }
    /// Removes elements of the kind of this modifier. Throws std::runtime_error, having changed nothing, if that is
    /// impossible.
    void removeElements(const Vector<Index>& elements) const;

protected:
    /// Kind of elements of the topology that this modifier belongs to.
    virtual ElementType elementType() const { return ElementType::Points; }
};

class EdgeSetTopologyModifier : public PointSetTopologyModifier
{
protected:
    ElementType elementType() const override { return ElementType::Edges; }
};

class TriangleSetTopologyModifier : public EdgeSetTopologyModifier
{
public:
    Data<Vector<Index>> d_listOut{this, {.name = "list_Out", .help = "Triangles that must not be removed"}};

    std::string refusal(const ElementRemoval& removal) const override;
    ElementLists elementLists() override
    {
        return {{topology(), {ElementType::Triangles}}, {{&d_listOut, ElementData::Kind::Numbers}}};
    }

protected:
    ElementType elementType() const override { return ElementType::Triangles; }
};

class QuadSetTopologyModifier : public EdgeSetTopologyModifier
{
protected:
    ElementType elementType() const override { return ElementType::Quads; }
};

class TetrahedronSetTopologyModifier : public TriangleSetTopologyModifier
{
public:
    Data<bool> d_removeIsolated{
        this,
        {.name = "removeIsolated", .help = "Accepted from scenes; points stay when their last tetrahedron is removed"},
        true};

protected:
    ElementType elementType() const override { return ElementType::Tetrahedra; }
};

class HexahedronSetTopologyModifier : public QuadSetTopologyModifier
{
public:
    Data<bool> d_removeIsolated{
        this,
        {.name = "removeIsolated", .help = "Accepted from scenes; points stay when their last hexahedron is removed"},
        true};

protected:
    ElementType elementType() const override { return ElementType::Hexahedra; }
};

}  // namespace sofa::component
