// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/state/MechanicalObject.h"
#include "core/behavior/ForceField.h"
#include "core/log/Message.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace sofa::test {

using namespace sofa::component;

/// A topology whose lists are plain members.
class ListTopology : public BaseMeshTopology
{
public:
    Index nbPoints() const override { return points; }
    const Vector<Edge>& edges() const override { return m_edges; }
    const Vector<Triangle>& triangles() const override { return m_triangles; }
    const Vector<Quad>& quads() const override { return m_quads; }
    const Vector<Tetrahedron>& tetrahedra() const override { return m_tetrahedra; }
    const Vector<Hexahedron>& hexahedra() const override { return m_hexahedra; }
    const Vector<Prism>& prisms() const override { return m_prisms; }
    const Vector<Pyramid>& pyramids() const override { return m_pyramids; }
    std::array<Index, 3> gridCells() const override { return cells; }
    double stiffnessFactor(Index h) const override { return h < factors.size() ? factors[h] : 1.; }

    Index points = 0;
    Vector<Edge> m_edges;
    Vector<Triangle> m_triangles;
    Vector<Quad> m_quads;
    Vector<Tetrahedron> m_tetrahedra;
    Vector<Hexahedron> m_hexahedra;
    Vector<Prism> m_prisms;
    Vector<Pyramid> m_pyramids;
    std::array<Index, 3> cells{};
    Vector<double> factors;
};

/// A node with a state and a topology, for a force field of type F.
template <class F>
struct ForceFieldScene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    MechanicalObject<Vec3Types>& state = root->create<MechanicalObject<Vec3Types>>();
    ListTopology& topology = root->create<ListTopology>();
    F& field = root->create<F>();
    MessageCapture messages;

    explicit ForceFieldScene(const BoxMesh& mesh, bool withTetrahedra, bool withHexahedra)
    {
        state.d_position.setValue(mesh.points);
        topology.points = static_cast<Index>(mesh.points.size());
        if (withTetrahedra) topology.m_tetrahedra = mesh.tetrahedra;
        if (withHexahedra) topology.m_hexahedra = mesh.hexahedra;
    }
    /// Sets an attribute as a scene does.
    ForceFieldScene& set(const std::string& name, const std::string& value)
    {
        ComponentDescription d;
        d.set(name, value);
        field.parse(d);
        return *this;
    }
    ForceFieldScene& init()
    {
        state.init();
        field.init();
        return *this;
    }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        field.addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
    Eigen::MatrixXd stiffness()
    {
        DenseSink sink(state.size());
        field.buildStiffness({}, sink);
        return sink.matrix;
    }
    double energy(const Vector<Vec3>& x) { return field.potentialEnergy({}, x); }
};

/// Equilibrium of a linear body under a load [N]: u is prescribed at the `fixed` points and solved for at the others.
Vector<Vec3> solveEquilibrium(ForceField<Vec3Types>& field, const Vector<Vec3>& load, const std::vector<bool>& fixed,
                              const Vector<Vec3>& prescribed);

/// Deflection [m] at the end of a linear cantilever with a cross-section of 1 m × 1 m, held at x = 0, under a load [N]
/// along z at x = length.
double cantileverDeflection(ForceField<Vec3Types>& field, const BoxMesh& mesh, double length, double load);

}  // namespace sofa::test
