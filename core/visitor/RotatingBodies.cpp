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

/// Inertia of a mass at a place, about the origin.
Mat3 offset(double mass, const Vec3& p) { return Mat3::identity() * (mass * norm2(p)) - outer(p, p) * mass; }

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
    if (plan.massesAreIndependent() && std::ranges::none_of(plan.masses(), &BaseMass::turns)) return;
    // All masses of a state count, also those that do not depend on its orientation.
    struct Masses
    {
        std::vector<const BaseMass*> own;
        std::vector<Part> parts;
        bool turns = false;
    };
    std::unordered_map<const BaseState*, Masses> masses;
    for (const BaseMass* m : plan.masses()) {
        const BaseState* s = m->massState();
        if (Part part; findPart(*m, *s, part, s)) {
            masses[s].parts.push_back(std::move(part));
            masses[s].turns = true;
        } else {
            masses[s].own.push_back(m);
            masses[s].turns = masses[s].turns || m->turns();
        }
    }
    for (BaseState* s : plan.independentStates())
        if (const auto it = masses.find(s); it != masses.end() && it->second.turns)
            m_groups.push_back(
                {dynamic_cast<State<Rigid>*>(s), std::move(it->second.own), std::move(it->second.parts)});
}

bool RotatingBodies::findPart(const BaseMass& mass, const BaseState& state, Part& part, const BaseState*& frames) const
{
    if (!mass.isDiagonal()) return false;
    part = {&mass, state.size(), {}};
    const BaseState* at = &state;
    for (const BaseMapping* m = m_plan.mappingTo(*at); m; m = m_plan.mappingTo(*at)) {
        if (!m->hasFixtures() || !m->carriesMasses() || m->compatibility() == Compatibility::Sofa) return false;
        part.mappings.push_back(m);
        at = m->inputs().front();
    }
    if (part.mappings.empty() || !m_plan.isIndependent(*at) || !dynamic_cast<const State<Rigid>*>(at)) return false;
    frames = at;
    return true;
}

bool RotatingBodies::contains(const BaseState& s) const
{
    return std::any_of(m_groups.begin(), m_groups.end(), [&s](const Group& g) { return g.state == &s; });
}

std::vector<RotatingBodies::Inertia> RotatingBodies::inertias(const Group& g)
{
    std::vector<Inertia> all(g.state->size());
    for (Index i = 0; i < all.size(); ++i)
        for (const BaseMass* m : g.masses) {
            all[i].mass += m->pointMass(i);
            m->addBodyInertia(i, all[i].inertia);
        }
    for (const Part& part : g.parts)
        for (Index i = 0; i < part.size; ++i) {
            BaseMapping::Fixture in{i};
            for (const BaseMapping* m : part.mappings) {
                const BaseMapping::Fixture next = m->fixture(in.in);
                in = {next.in, next.place + next.turn.rotate(in.place), next.turn * in.turn};
                if (in.in == InvalidIndex) break;
            }
            if (in.in >= all.size()) continue;
            Inertia& sum = all[in.in];
            const double mass = part.mass->pointMass(i);
            sum.mass += mass;
            sum.moment += in.place * mass;
            Mat3 own;
            part.mass->addBodyInertia(i, own);
            const Mat3 turn = in.turn.toMatrix();
            sum.inertia += turn * own * turn.transposed() + offset(mass, in.place);
        }
    return all;
}

void RotatingBodies::turn(const MechanicalParams& mp, const MultiVecCoordId& from, const MultiVecDerivId& u, double h)
{
    m_bodies.clear();
    std::vector<Inertia> about;  // of each body
    for (const Group& g : m_groups) {
        const auto& x = g.state->read(from.at(*g.state));
        const std::vector<Inertia> all = inertias(g);
        for (Index i = 0; i < x.size(); ++i) {
            const Inertia& a = all[i];
            const Vec3 arm = a.moment == Vec3{} ? Vec3{} : a.moment / a.mass;
            const Mat3 centred = a.inertia - offset(a.mass, arm);
            if (!isPositiveDefinite(centred)) continue;  // without mass, or masses on a line
            m_bodies.push_back({g.state, i, centred, arm, x[i].orientation.normalized()});
            about.push_back(a);
        }
    }
    if (!m_plan.constraints().empty()) constrain(mp, about);
    for (Body& b : m_bodies) {
        const Vec6& d = b.state->read(u.at(*b.state))[b.index];
        const Vec3 w = angular(d), arm = b.before.rotate(b.arm);
        if (b.isFree())
            b.after = turnFreely(b.before, b.inertia, momentum(b.before, b.inertia, w), h);
        else
            b.after = (Quat::fromRotationVector(w * h) * b.before).normalized();
        b.way = arm + (Rigid::linear(d) + cross(w, arm)) * h - b.after.rotate(b.arm);
        b.place = b.state->read(from.at(*b.state))[b.index].center + b.way;
    }
}

void RotatingBodies::constrain(const MechanicalParams& mp, const std::vector<Inertia>& about)
{
    // Unit motions, and what projective constraints leave of them.
    VectorOperations vop(m_plan);
    const TempDeriv unit(vop);
    std::vector<char> isHeld(m_bodies.size(), 0);
    const bool shifted = std::ranges::any_of(m_bodies, [](const Body& b) { return b.arm != Vec3{}; });
    for (std::size_t k = shifted ? 0 : 3; k < 6; ++k) {
        vop.clear(unit);
        for (const Body& b : m_bodies) b.state->write(unit)[b.index][k] = 1.;
        for (BaseProjectiveConstraint* c : m_plan.constraints()) c->projectResponse(mp, unit);
        for (std::size_t n = 0; n < m_bodies.size(); ++n) {
            const Vec6& left = m_bodies[n].state->read(unit)[m_bodies[n].index];
            for (std::size_t r = 0; r < 3; ++r) {
                if (k >= 3)
                    m_bodies[n].allowed[r][k - 3] = left[3 + r];
                else if (left[r] != (r == k ? 1. : 0.))
                    isHeld[n] = 1;
            }
        }
    }
    for (std::size_t n = 0; n < m_bodies.size(); ++n)
        if (isHeld[n] || !m_bodies[n].isFree()) {
            m_bodies[n].arm = {};
            m_bodies[n].inertia = about[n].inertia;
        }
}

void RotatingBodies::finish(const MultiVecCoordId& x, std::initializer_list<MultiVecDerivId> carried,
                            std::initializer_list<MultiVecDerivId> momenta)
{
    for (const Body& b : m_bodies) {
        RigidCoord3& at = b.state->write(x.at(*b.state))[b.index];
        at.orientation = b.after;
        if (b.arm != Vec3{}) at.center = b.place;
    }
    for (const Body& b : m_bodies) {
        Mat3 reduced = b.inertia;  // P I P + (1 − P) in world axes, where the body is not free
        if (!b.isFree()) {
            const Mat3 r = b.after.toMatrix();
            reduced = b.allowed * (r * b.inertia * r.transposed()) * b.allowed + (Mat3::identity() - b.allowed);
        }
        const Mat3 inverse = core::inverse(reduced);
        for (const MultiVecDerivId& id : carried) {
            const auto velocities = b.state->write(id.at(*b.state));
            Vec6& d = velocities[b.index];
            const Vec3 w = angular(d);
            const Vec3 l = momentum(b.before, b.inertia, w);
            const Vec3 now = b.isFree() ? velocity(b.after, inverse, l)
                                        : w + inverse * (b.allowed * (l - momentum(b.after, b.inertia, w)));
            if (b.arm != Vec3{}) {
                const Vec3 change = cross(w, b.before.rotate(b.arm)) - cross(now, b.after.rotate(b.arm));
                for (std::size_t k = 0; k < 3; ++k) d[k] += change[k];
            }
            setAngular(d, now);
        }
        for (const MultiVecDerivId& id : momenta) {
            if (b.arm == Vec3{}) continue;
            const auto values = b.state->write(id.at(*b.state));
            Vec6& p = values[b.index];
            setAngular(p, angular(p) - cross(b.way, Rigid::linear(p)));
        }
    }
}

void RotatingBodies::addGyroscopicTorque(const MechanicalParams& mp, const MultiVecDerivId& f) const
{
    for (const Group& g : m_groups) {
        const auto& x = g.state->read(mp.xMass.at(*g.state));
        const auto& v = g.state->read(mp.v.at(*g.state));
        const auto force = g.state->write(f.at(*g.state));
        const std::vector<Inertia> all = inertias(g);
        for (Index i = 0; i < x.size(); ++i) {
            const Vec3 w = angular(v[i]);
            const Vec3 l = momentum(x[i].orientation, all[i].inertia, w);
            setAngular(force[i], angular(force[i]) - cross(w, l));
            const Vec3 pull = cross(w, cross(w, x[i].orientation.rotate(all[i].moment)));
            for (std::size_t k = 0; k < 3; ++k) force[i][k] -= pull[k];
        }
    }
}

}  // namespace sofa::core
