// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Lets points of the topology of its node come and go at run time, with those of the state, and elements be added
/// (core/topology/TopologyTransaction.h). Elements can be removed without it; their points then stay.
class PointSetTopologyModifier : public Component, public TopologyModifier, public TopologyFollower
{
public:
    static std::string_view typeLabel() { return "topology modifier"; }
    Data<bool> d_propagateToDOF{
        this,
        {.name = "propagateToDOF",
         .help = "Change the state with the points of the topology; without it the points of a state stay"},
        true};

    bool changesState() const override { return d_propagateToDOF.value(); }
    PointLists pointLists() override { return noLists(); }
    void init() override;
    /// Topology of this node; nullptr if there is none.
    BaseMeshTopology* topology() const;
    /// The topology, to change it. Throws std::runtime_error if there is none in this node that can change.
    StoredTopology& changeable() const;
    /// Kind of elements of the topology that this modifier belongs to.
    virtual ElementType elementType() const { return ElementType::Points; }
};

class EdgeSetTopologyModifier : public PointSetTopologyModifier
{
public:
    ElementType elementType() const override { return ElementType::Edges; }
};

class TriangleSetTopologyModifier : public EdgeSetTopologyModifier
{
public:
    Data<Vector<Index>> d_listOut{this, {.name = "list_Out", .help = "Triangles that must not be removed"}};

    std::string refusal(const TopologyStep& step) const override;
    ElementLists elementLists() override
    {
        return {{topology(), {ElementType::Triangles}}, {{&d_listOut, ElementData::Kind::Numbers}}};
    }
    ElementType elementType() const override { return ElementType::Triangles; }
};

class QuadSetTopologyModifier : public EdgeSetTopologyModifier
{
public:
    ElementType elementType() const override { return ElementType::Quads; }
};

class TetrahedronSetTopologyModifier : public TriangleSetTopologyModifier
{
public:
    Data<bool> d_removeIsolated{
        this, {.name = "removeIsolated", .help = "Points go with their last tetrahedron"}, true};

    bool removesIsolatedPoints(ElementType t) const override
    {
        return t != ElementType::Tetrahedra || d_removeIsolated.value();
    }
    ElementType elementType() const override { return ElementType::Tetrahedra; }
};

class HexahedronSetTopologyModifier : public QuadSetTopologyModifier
{
public:
    Data<bool> d_removeIsolated{this, {.name = "removeIsolated", .help = "Points go with their last hexahedron"}, true};

    bool removesIsolatedPoints(ElementType t) const override
    {
        return t != ElementType::Hexahedra || d_removeIsolated.value();
    }
    ElementType elementType() const override { return ElementType::Hexahedra; }
};

}  // namespace sofa::component
