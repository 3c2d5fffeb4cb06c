// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "components/state/MechanicalObject.h"
#include "core/behavior/Mapping.h"
#include "core/objectmodel/Node.h"

namespace sofa::test {

using namespace sofa::core;
using component::MechanicalObject;

/// Topology with given lists.
struct ListTopology : BaseMeshTopology
{
    Vector<Vec3> m_points;
    Vector<Edge> m_edges;
    Vector<Triangle> m_triangles;
    Vector<Quad> m_quads;
    Vector<Tetrahedron> m_tetrahedra;
    Vector<Hexahedron> m_hexahedra;
    bool m_container = false;

    Index nbPoints() const override { return static_cast<Index>(m_points.size()); }
    const Vector<Edge>& edges() const override { return m_edges; }
    const Vector<Triangle>& triangles() const override { return m_triangles; }
    const Vector<Quad>& quads() const override { return m_quads; }
    const Vector<Tetrahedron>& tetrahedra() const override { return m_tetrahedra; }
    const Vector<Hexahedron>& hexahedra() const override { return m_hexahedra; }
    bool hasPositions() const override { return !m_points.empty(); }
    Vec3 pointPosition(Index i) const override { return m_points[i]; }
    bool isContainer() const override { return m_container; }
};

/// Repeatable numbers in [−1, 1].
class Numbers
{
public:
    double next()
    {
        m_state = m_state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(m_state >> 11) / static_cast<double>(1ull << 52) - 1.;
    }
    Vec3 vector() { return {next(), next(), next()}; }
    template <class Deriv>
    Vector<Deriv> derivs(std::size_t n)
    {
        Vector<Deriv> out(n);
        for (auto& d : out)
            for (auto& c : d) c = next();
        return out;
    }

private:
    unsigned long long m_state = 42;
};

/// Input in the root and output in a child node, with a mapping of type M between them.
template <class M, class In, class Out>
struct MappedPair
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    std::shared_ptr<Node> child = root->createChild("child");
    MechanicalObject<In>& in = root->create<MechanicalObject<In>>();
    MechanicalObject<Out>& out = child->create<MechanicalObject<Out>>();
    M& mapping = child->create<M>();

    MappedPair(typename In::VecCoord x, typename Out::VecCoord y)
    {
        in.d_position.setValue(std::move(x));
        out.d_position.setValue(std::move(y));
    }
    void init()
    {
        in.init();
        out.init();
        mapping.init();
    }
};

/// Asserts that J is the derivative of apply (central differences), that applyJT is its transpose, and that the blocks
/// of the Jacobian give the same products.
template <class Pair>
void checkJacobian(Pair& p)
{
    using In = std::remove_reference_t<decltype(p.in)>;
    using Out = std::remove_reference_t<decltype(p.out)>;
    Numbers numbers;
    const MechanicalParams mp;
    const auto x0 = p.in.positions();
    const auto direction = numbers.derivs<typename In::Deriv>(p.in.size());
    p.in.d_velocity.setValue(direction);
    p.mapping.apply(mp, vec_id::position, vec_id::position);
    p.mapping.applyJ(mp, vec_id::velocity, vec_id::velocity);
    const auto jv = p.out.velocities();

    const double h = 1e-4;
    const VecDerivId difference{50};
    const VecCoordId plus{50}, minus{51};
    p.out.allocate(difference);
    p.out.allocate(plus);
    p.out.allocate(minus);
    p.in.add(vec_id::position, vec_id::position, vec_id::velocity, h);
    p.mapping.apply(mp, plus, vec_id::position);
    p.in.d_position.setValue(x0);
    p.in.add(vec_id::position, vec_id::position, vec_id::velocity, -h);
    p.mapping.apply(mp, minus, vec_id::position);
    p.in.d_position.setValue(x0);
    p.out.difference(difference, plus, minus);
    double largest = 0.;
    for (std::size_t i = 0; i < jv.size(); ++i) {
        const auto error = p.out.read(difference)[i] / (2. * h) - jv[i];
        INFO("point " << i);
        CHECK(norm(error) < 1e-6 * (1. + norm(jv[i])));
        largest = std::max(largest, norm(jv[i]));
    }
    CHECK(largest > 0.01);

    // ⟨f, J v⟩ = ⟨Jᵀ f, v⟩
    p.mapping.apply(mp, vec_id::position, vec_id::position);
    const auto f = numbers.derivs<typename Out::Deriv>(p.out.size());
    p.out.d_force.setValue(f);
    p.in.clear(vec_id::force);
    p.mapping.applyJT(mp, vec_id::force, vec_id::force);
    double left = 0., right = 0.;
    for (std::size_t i = 0; i < f.size(); ++i) left += dot(f[i], jv[i]);
    for (std::size_t i = 0; i < direction.size(); ++i) right += dot(p.in.forces()[i], direction[i]);
    CHECK(left == Approx(right));

    auto product = jv;
    p.mapping.jacobian().multiply(product, direction);
    for (std::size_t i = 0; i < jv.size(); ++i) CHECK(norm(product[i] - jv[i]) < 1e-12);
}

}  // namespace sofa::test
