// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/Momentum.h"

#include <catch2/catch.hpp>

#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace momentum_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Point i has the mass 1 + i.
class Points final : public Mass<Vec3Types>
{
public:
    std::string className() const override { return "Points"; }
    using Mass::accFromF;
    using Mass::addMDx;
    using Mass::buildMass;
    void addMDx(Vector<Vec3>& f, const Vector<Vec3>& dx, const Vector<Vec3>&, double factor) const override
    {
        for (Index i = 0; i < f.size(); ++i) f[i] += dx[i] * (factor * pointMass(i));
    }
    void accFromF(Vector<Vec3>&, const Vector<Vec3>&, const Vector<Vec3>&) const override {}
    void buildMass(BlockSink&, const Vector<Vec3>&) const override {}
    bool isDiagonal() const override { return true; }
    double pointMass(Index i) const override { return 1. + i; }
};

}  // namespace

TEST_CASE("a body gets a momentum by a rigid velocity, and keeps what it does within itself")
{
    Random random(8);
    for (const Index n : {1u, 2u, 5u}) {
        Node root;
        Vector<Vec3> x(n), v(n);
        for (Index i = 0; i < n; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                x[i][k] = random() + 3.;
                v[i][k] = random();
            }
        auto& state = addState<Vec3Types>(root, x);
        state.d_velocity.setValue(v);
        auto& mass = root.create<Points>();
        mass.l_state.set(&state);
        REQUIRE(initialise(root));
        // What points can have that move like that.
        Vec6 wanted;
        const Vec3 a{random(), random(), random()}, spin{random(), random(), random()};
        Vector<Vec3> rigid(n);
        for (Index i = 0; i < n; ++i) {
            rigid[i] = a + cross(spin, x[i]);
            for (std::size_t k = 0; k < 3; ++k) {
                wanted[k] += (1. + i) * rigid[i][k];
                wanted[3 + k] += (1. + i) * cross(x[i], rigid[i])[k];
            }
        }
        giveMomentum(state, mass, wanted);
        CHECK(norm(mass.momentum(MechanicalParams()) - wanted) < 1e-11 * norm(wanted));
        // The change is a rigid motion: distances of points do not feel it.
        const Vector<Vec3>& w = state.velocities();
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < i; ++j) CHECK(std::abs(dot((w[i] - v[i]) - (w[j] - v[j]), x[i] - x[j])) < 1e-12);
    }
}

}  // namespace momentum_test
