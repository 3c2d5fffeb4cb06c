// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/RotatingBodies.h"

#include <algorithm>
#include <unordered_map>

#include "core/behavior/ProjectiveConstraint.h"
#include "core/math/Decompositions.h"
#include "core/visitor/StateVectors.h"

namespace sofa::core {

namespace {

using Rigid = Rigid3Types;

Vec3 angular(const Vec6& d) { return Rigid::angular(d); }
void setAngular(Vec6& d, const Vec3& a)
{
    for (std::size_t k = 0; k < 3; ++k) d[3 + k] = a[k];
}

/// I ω in world axes, and ω from it, for a body with the orientation q.
Vec3 momentum(const Quat& q, const Mat3& inertia, const Vec3& w) { return q.rotate(inertia * q.inverseRotate(w)); }
Vec3 velocity(const Quat& q, const Mat3& inverse, const Vec3& l) { return q.rotate(inverse * q.inverseRotate(l)); }

bool isPositiveDefinite(const Mat3& a)
{
    return a[0][0] > 0. && a[0][0] * a[1][1] - a[0][1] * a[1][0] > 0. && determinant(a) > 0.;
}

}  // namespace

Quat turnFreely(const Quat& q, const Mat3& inertia, const Vec3& angularMomentum, double h)
{
    const SymmetricEigen<3> principal = symmetricEigen(inertia);
    const Vec3& moments = principal.values;
    const Quat axes = Quat::fromMatrix(principal.vectors);
    Quat body = q * axes;
    Vec3 m = body.inverseRotate(angularMomentum);
    const auto turnAbout = [&](std::size_t axis, double time) {
        const double angle = time * m[axis] * (1. / moments[axis] - 1. / moments[1]);
        const Quat r = Quat::fromRotationVector(Vec3::unit(axis) * angle);
        body = body * r;
        m = r.inverseRotate(m);
    };
    turnAbout(0, 0.5 * h);
    turnAbout(2, h);
    turnAbout(0, 0.5 * h);
    return (Quat::fromRotationVector(angularMomentum * (h / moments[1])) * body * axes.inverse()).normalized();
}

RotatingBodies::RotatingBodies(ExecutionPlan& plan) : m_plan(plan)
{
    if (std::none_of(plan.masses().begin(), plan.masses().end(), [](const BaseMass* m) { return m->turns(); })) return;
    // All masses of a state count, also those that do not depend on its orientation.
    std::unordered_map<const BaseState*, std::vector<const BaseMass*>> masses;
    std::unordered_map<const BaseState*, bool> turning;
    for (const BaseMass* m : plan.masses()) {
        const BaseState* s = dynamic_cast<const BaseForceField&>(*m).states().front();
        masses[s].push_back(m);
        turning[s] = turning[s] || m->turns();
    }
    for (BaseState* s : plan.independentStates())
        if (const auto it = turning.find(s); it != turning.end() && it->second)
            m_groups.push_back({dynamic_cast<State<Rigid>*>(s), std::move(masses[s])});
}

bool RotatingBodies::contains(const BaseState& s) const
{
    return std::any_of(m_groups.begin(), m_groups.end(), [&s](const Group& g) { return g.state == &s; });
}

Mat3 RotatingBodies::inertia(const Group& g, Index i)
{
    Mat3 sum;
    for (const BaseMass* m : g.masses) m->addBodyInertia(i, sum);
    return sum;
}

void RotatingBodies::turn(const MechanicalParams& mp, const MultiVecCoordId& from, const MultiVecDerivId& u, double h)
{
    m_bodies.clear();
    for (const Group& g : m_groups) {
        const auto& x = g.state->read(from.at(*g.state));
        for (Index i = 0; i < x.size(); ++i) {
            const Mat3 a = inertia(g, i);
            if (isPositiveDefinite(a))  // otherwise without mass
                m_bodies.push_back({g.state, i, a, Mat3::identity(), x[i].orientation.normalized(), {}});
        }
    }
    if (!m_plan.constraints().empty()) {
        // Unit rotations, and what projective constraints leave of them.
        VectorOperations vop(m_plan);
        const TempDeriv unit(vop);
        for (std::size_t k = 0; k < 3; ++k) {
            vop.clear(unit);
            for (const Body& b : m_bodies) b.state->write(unit)[b.index][3 + k] = 1.;
            for (BaseProjectiveConstraint* c : m_plan.constraints()) c->projectResponse(mp, unit);
            for (Body& b : m_bodies) {
                const Vec3 left = angular(b.state->read(unit)[b.index]);
                for (std::size_t r = 0; r < 3; ++r) b.allowed[r][k] = left[r];
            }
        }
    }
    for (Body& b : m_bodies) {
        const Vec3 w = angular(b.state->read(u.at(*b.state))[b.index]);
        if (b.allowed == Mat3::identity())
            b.after = turnFreely(b.before, b.inertia, momentum(b.before, b.inertia, w), h);
        else
            b.after = (Quat::fromRotationVector(w * h) * b.before).normalized();
    }
}

void RotatingBodies::finish(const MultiVecCoordId& x, std::initializer_list<MultiVecDerivId> carried)
{
    for (const Body& b : m_bodies) b.state->write(x.at(*b.state))[b.index].orientation = b.after;
    for (const Body& b : m_bodies) {
        const bool isFree = b.allowed == Mat3::identity();
        Mat3 reduced = b.inertia;  // P I P + (1 − P) in world axes, where the body is not free
        if (!isFree) {
            const Mat3 r = b.after.toMatrix();
            reduced = b.allowed * (r * b.inertia * r.transposed()) * b.allowed + (Mat3::identity() - b.allowed);
        }
        const Mat3 inverse = core::inverse(reduced);
        for (const MultiVecDerivId& id : carried) {
            const auto velocities = b.state->write(id.at(*b.state));
            Vec6& d = velocities[b.index];
            const Vec3 w = angular(d);
            const Vec3 l = momentum(b.before, b.inertia, w);
            setAngular(d, isFree ? velocity(b.after, inverse, l)
                                 : w + inverse * (b.allowed * (l - momentum(b.after, b.inertia, w))));
        }
    }
}

void RotatingBodies::addGyroscopicTorque(const MechanicalParams& mp, const MultiVecDerivId& f) const
{
    for (const Group& g : m_groups) {
        const auto& x = g.state->read(mp.xMass.at(*g.state));
        const auto& v = g.state->read(mp.v.at(*g.state));
        const auto force = g.state->write(f.at(*g.state));
        for (Index i = 0; i < x.size(); ++i) {
            const Vec3 w = angular(v[i]);
            const Vec3 l = momentum(x[i].orientation, inertia(g, i), w);
            setAngular(force[i], angular(force[i]) - cross(w, l));
        }
    }
}

}  // namespace sofa::core
