// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/AttachProjectiveConstraint.h"

#include <cmath>

#include "components/constraint/DrawSize.h"
#include "core/behavior/Mass.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

namespace {

/// A vector of the state, or its present one where a solver of another scope asks.
template <class D>
const typename D::VecCoord& coordinates(State<D>& s, const MultiVecCoordId& x)
{
    const VecCoordId id = x.at(s);
    return s.read(s.isAllocated(id) ? id : vec_id::position);
}

}  // namespace

template <class D>
AttachProjectiveConstraint<D>::AttachProjectiveConstraint()
{
    this->ignoreAttribute("responseFactor", "followers leave the system as a whole");
}

template <class D>
bool AttachProjectiveConstraint<D>::checkLists()
{
    const auto &first = d_indices1.value(), &second = d_indices2.value();
    if (first.size() != second.size()) {
        this->fail("indices1 has " + std::to_string(first.size()) + " points, indices2 " +
                   std::to_string(second.size()));
        return false;
    }
    const auto& factors = d_constraintFactor.value();
    if (!factors.empty() && factors.size() != first.size()) {
        this->fail("constraintFactor: there are " + std::to_string(factors.size()) + " factors for " +
                   std::to_string(first.size()) + " pairs");
        return false;
    }
    const auto inside = [&](const Vector<Index>& list, const char* name, const State<D>& s) {
        for (const Index i : list) {
            if (i < s.size()) continue;
            this->fail(std::string(name) + ": the point " + std::to_string(i) + " does not exist; '" + s.pathName() +
                       "' has " + std::to_string(s.size()));
            return false;
        }
        return true;
    };
    return inside(first, "indices1", this->state1()) && inside(second, "indices2", this->state2());
}

template <class D>
void AttachProjectiveConstraint<D>::reinit()
{
    if (!this->isValid() || !this->l_state1 || !this->l_state2 || !checkLists()) return;
    m_pairs.assign(d_indices2.value().size(), Pair::Follows);
    m_beyond.assign(m_pairs.size(), 0.);
    m_rest.clear();
    if constexpr (std::is_same_v<D, Rigid3Types>) {
        if (!d_restRotations.value()) return;
        const VecCoord& x0 = this->state2().read(vec_id::restPosition);
        for (const Index i : d_indices2.value()) {
            Vec3 turn;
            if (i + 1 < x0.size()) {
                const Vec3 way = x0[i].orientation.inverseRotate(x0[i + 1].center - x0[i].center);
                const double length = norm(way);
                const Vec3 axis = cross(way, Vec3{1., 0., 0.});
                if (norm(axis) > 0.) turn = axis * (std::acos(way[0] / length) / norm(axis));
            }
            m_rest.push_back(turn);
        }
    }
}

template <class D>
double AttachProjectiveConstraint<D>::factor(std::size_t pair) const
{
    return d_constraintFactor.value().empty() ? 1. : d_constraintFactor.value()[pair];
}

template <class D>
bool AttachProjectiveConstraint<D>::turnsFreely(std::size_t pair) const
{
    if (d_freeRotations.value()) return true;
    const bool last = pair + 1 == m_pairs.size() || m_pairs[pair + 1] != Pair::Follows;
    return d_lastFreeRotation.value() && m_pairs[pair] == Pair::Follows && last;
}

template <class D>
std::size_t AttachProjectiveConstraint<D>::held(std::size_t pair) const
{
    if (m_pairs[pair] == Pair::Free || factor(pair) == 0.) return 0;
    return D::isRigid && turnsFreely(pair) ? D::spatialDimensions : D::derivSize;
}

template <class D>
void AttachProjectiveConstraint<D>::findPairs(const VecCoord& x1, const VecCoord& x2)
{
    const auto &first = d_indices1.value(), &second = d_indices2.value();
    const Vec3 direction = d_lastDir.value();
    const double most = d_minDistance.value();
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const Vec3 p = D::position(x1[first[i]]);
        m_beyond[i] = dot(p - d_lastPos.value(), direction);
        m_pairs[i] = Pair::Follows;
        if (m_beyond[i] > 0.) m_pairs[i] = d_clamp.value() ? Pair::Clamped : Pair::Free;
        const Vec3 to = m_pairs[i] == Pair::Clamped ? d_lastPos.value() : p;
        if (most >= 0. && norm(D::position(x2[second[i]]) - to) > most) m_pairs[i] = Pair::Free;
    }
}

template <class D>
Quat AttachProjectiveConstraint<D>::restTurn(std::size_t pair) const
{
    if (m_rest.empty()) return {};
    double part = 1.;
    // The last one that follows turns as the plane goes from it to the next one.
    if (pair + 1 < m_pairs.size() && m_pairs[pair + 1] != Pair::Follows && m_beyond[pair + 1] > m_beyond[pair])
        part = -m_beyond[pair] / (m_beyond[pair + 1] - m_beyond[pair]);
    return Quat::fromRotationVector(m_rest[pair] * part);
}

template <class D>
double AttachProjectiveConstraint<D>::share(std::size_t pair) const
{
    const auto mass = [](const State<D>& s, Index i) {
        double sum = 0.;
        for (const BaseMass* m : s.node()->template getAll<BaseMass>()) sum += m->pointMass(i);
        return sum;
    };
    const double first = mass(this->state1(), d_indices1.value()[pair]);
    const double second = mass(this->state2(), d_indices2.value()[pair]);
    return first + second > 0. ? second / (first + second) : 0.5;
}

template <class D>
auto AttachProjectiveConstraint<D>::target(std::size_t pair, const Coord& from, const Coord& follower) const -> Coord
{
    Coord to = from;
    if (m_pairs[pair] == Pair::Clamped) D::setPosition(to, d_lastPos.value());
    if constexpr (std::is_same_v<D, Rigid3Types>) {
        to.orientation = turnsFreely(pair) ? follower.orientation : to.orientation * restTurn(pair);
    } else if constexpr (D::isRigid) {
        if (turnsFreely(pair)) to.angle = follower.angle;
    }
    return to;
}

template <class D>
template <class V, class Follow, class Join>
void AttachProjectiveConstraint<D>::forEachPair(const V& v, Follow follow, Join join)
{
    State<D>&s1 = this->state1(), &s2 = this->state2();
    const bool bothMove = d_twoWay.value() && s1.isAllocated(v.at(s1));
    const auto second = s2.write(v.at(s2));
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
        if (held(i) > 0 && !joins(i)) follow(i, second[d_indices2.value()[i]]);
    if (!bothMove) return;
    const auto first = s1.write(v.at(s1));
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
        if (held(i) > 0 && joins(i)) join(i, first[d_indices1.value()[i]], second[d_indices2.value()[i]]);
}

template <class D>
void AttachProjectiveConstraint<D>::projectPosition(const MechanicalParams&, const MultiVecCoordId& x)
{
    State<D>&s1 = this->state1(), &s2 = this->state2();
    if (!this->isActive() || !s2.isAllocated(x.at(s2))) return;
    findPairs(coordinates(s1, x), s2.read(x.at(s2)));
    const auto part = [&](std::size_t i) { return d_positionFactor.value() * factor(i); };
    forEachPair(
        x,
        [&](std::size_t i, Coord& follower) {
            const Coord to = target(i, coordinates(s1, x)[d_indices1.value()[i]], follower);
            if (part(i) == 1.)
                follower = to;
            else
                D::add(follower, D::difference(to, follower) * part(i));
        },
        [&](std::size_t i, Coord& first, Coord& second) {
            const Deriv way = D::difference(target(i, first, second), second) * part(i);
            if (way == Deriv{}) return;
            D::add(first, way * -share(i));
            D::add(second, way * (1. - share(i)));
        });
}

template <class D>
void AttachProjectiveConstraint<D>::projectVelocity(const MechanicalParams&, const MultiVecDerivId& v)
{
    State<D>&s1 = this->state1(), &s2 = this->state2();
    if (!this->isActive() || !s2.isAllocated(v.at(s2))) return;
    const VecDerivId id = s1.isAllocated(v.at(s1)) ? v.at(s1) : VecDerivId(vec_id::velocity);
    if (!s1.isAllocated(id)) return;
    const auto part = [&](std::size_t i) { return d_velocityFactor.value() * factor(i); };
    forEachPair(
        v,
        [&](std::size_t i, Deriv& own) {
            const Deriv to = m_pairs[i] == Pair::Clamped ? Deriv{} : s1.read(id)[d_indices1.value()[i]];
            for (std::size_t k = 0; k < held(i); ++k)
                own[k] = part(i) == 1. ? to[k] : own[k] + part(i) * (to[k] - own[k]);
        },
        [&](std::size_t i, Deriv& first, Deriv& second) {
            for (std::size_t k = 0; k < held(i); ++k) {
                const double way = part(i) * (first[k] - second[k]);
                first[k] -= share(i) * way;
                second[k] += (1. - share(i)) * way;
            }
        });
}

template <class D>
void AttachProjectiveConstraint<D>::projectResponse(const MechanicalParams&, const MultiVecDerivId& dx)
{
    if (!this->isActive() || !this->state2().isAllocated(dx.at(this->state2()))) return;
    forEachPair(
        dx,
        [&](std::size_t i, Deriv& own) {
            for (std::size_t k = 0; k < held(i); ++k) own[k] = 0.;
        },
        [&](std::size_t i, Deriv& first, Deriv& second) {
            for (std::size_t k = 0; k < held(i); ++k) first[k] = second[k] = 0.5 * (first[k] + second[k]);
        });
}

template <class D>
void AttachProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive()) return;
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const Index second = d_indices2.value()[i];
        for (std::size_t k = 0; k < held(i); ++k) {
            if (joins(i))
                sink.join(this->state1(), d_indices1.value()[i], this->state2(), second, k);
            else
                sink.eliminate(this->state2(), second, k);
        }
    }
}

template <class D>
void AttachProjectiveConstraint<D>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !this->isActive() || !this->l_state2) return;
    drawConstrainedPoints(tool, drawnPoints(tool, this->state2(), d_indices2.value()), 0.);
}

template class AttachProjectiveConstraint<Vec3Types>;
template class AttachProjectiveConstraint<Vec2Types>;
template class AttachProjectiveConstraint<Vec1Types>;
template class AttachProjectiveConstraint<Rigid3Types>;
template class AttachProjectiveConstraint<Rigid2Types>;

static const RegisterComponent registeredAttachProjectiveConstraint =
    RegisterComponent("AttachProjectiveConstraint", "ProjectiveConstraint", "Sofa.Component.Constraint.Projective")
        .help("Points of a state follow points of another one, which does not feel them unless twoWay is set")
        .example("component/constraint/AttachProjectiveConstraint.scn")
        .add<AttachProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Rigid3Types, Rigid2Types>();

}  // namespace sofa::component
