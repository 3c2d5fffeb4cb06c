// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"

/// A scene in miniature for unit tests of components: a state and a topology without any behaviour of their own, and
/// components made from attributes as a scene would.
namespace sofa::test {

/// State that holds vectors and nothing else: no transformation, no files, no topology.
template <class DataTypes>
class TestState : public core::State<DataTypes>
{
public:
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<VecCoord> d_position{this, {.name = "position", .help = "positions"}};
    core::Data<VecCoord> d_restPosition{this, {.name = "rest_position", .help = "rest positions"}};
    core::Data<VecDeriv> d_velocity{this, {.name = "velocity", .help = "velocities"}};
    core::Data<VecDeriv> d_force{this, {.name = "force", .help = "forces"}};

    TestState()
    {
        this->bind(core::vec_id::position, d_position);
        this->bind(core::vec_id::restPosition, d_restPosition);
        this->bind(core::vec_id::velocity, d_velocity);
        this->bind(core::vec_id::force, d_force);
    }
    std::string className() const override { return "TestState"; }
    /// Sets the rest and present positions; velocities and forces are zero.
    void setPositions(VecCoord x)
    {
        this->setSize(static_cast<core::Index>(x.size()));
        d_restPosition.setValue(x);
        d_position.setValue(std::move(x));
        d_velocity.setValue(VecDeriv(this->size()));
        d_force.setValue(VecDeriv(this->size()));
    }
};

/// Topology whose lists are what the test puts into them.
class TestTopology : public core::BaseMeshTopology
{
public:
    core::Index points = 0;
    core::Vector<core::Edge> edgeList;
    core::Vector<core::Triangle> triangleList;
    core::Vector<core::Quad> quadList;
    core::Vector<core::Tetrahedron> tetrahedronList;
    core::Vector<core::Hexahedron> hexahedronList;

    std::string className() const override { return "TestTopology"; }
    core::Index nbPoints() const override { return points; }
    const core::Vector<core::Edge>& edges() const override { return edgeList; }
    const core::Vector<core::Triangle>& triangles() const override { return triangleList; }
    const core::Vector<core::Quad>& quads() const override { return quadList; }
    const core::Vector<core::Tetrahedron>& tetrahedra() const override { return tetrahedronList; }
    const core::Vector<core::Hexahedron>& hexahedra() const override { return hexahedronList; }
    /// Call it after the lists were changed.
    void changed() { invalidateTables(); }
};

/// Adds a state with these positions.
template <class DataTypes>
TestState<DataTypes>& addState(core::Node& node, typename DataTypes::VecCoord x)
{
    auto& s = node.create<TestState<DataTypes>>();
    s.setPositions(std::move(x));
    return s;
}

/// Positions `x` with the first scalars of a point in space: Vec<N> gets its first N scalars (or three and zeros), a
/// rigid frame its centre.
template <class DataTypes>
typename DataTypes::VecCoord coordinates(const std::vector<core::Vec3>& x)
{
    typename DataTypes::VecCoord out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) DataTypes::setPosition(out[i], x[i]);
    return out;
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Creates a component of the registry from attributes, "template" among them, and adds it to the node. It is not
/// initialised. Throws what the registry throws, and std::runtime_error on an attribute that the component lacks.
core::Component& addComponent(core::Node& node, const std::string& type, const Attributes& attributes = {});

/// The same as a T.
template <class T>
T& addComponent(core::Node& node, const std::string& type, const Attributes& attributes = {})
{
    return dynamic_cast<T&>(addComponent(node, type, attributes));
}

/// Resolves links and initialises every component below the root, in the order of a scene; true if all of them are
/// valid afterwards.
bool initialise(core::Node& root);

/// A unit cube [0,1]³ as one hexahedron in the framework's numbering, and as five tetrahedra.
std::vector<core::Vec3> cubePoints();
core::Vector<core::Hexahedron> cubeHexahedron();
core::Vector<core::Tetrahedron> cubeTetrahedra();

}  // namespace sofa::test
