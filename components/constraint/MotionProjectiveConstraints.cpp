// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/MotionProjectiveConstraints.h"

#include <algorithm>
#include <cmath>

#include "components/constraint/DrawSize.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

namespace {

/// Spherical interpolation by the angle between the two, without choosing the shorter way round (as SOFA).
Quat slerp(const Quat& a, const Quat& b, double t)
{
    const double c = std::clamp(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], -1., 1.);
    const double angle = std::acos(c), s = std::sin(angle);
    if (s < 1e-9) return a;
    const double p = std::sin((1. - t) * angle) / s, q = std::sin(t * angle) / s;
    return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2], p * a[3] + q * b[3]};
}

/// One value for each key time, increasing; otherwise an error of the component.
template <class Component, class Values>
void checkKeys(Component& c, Data<Vector<double>>& times, Data<Values>& values)
{
    const auto& t = times.value();
    if (t.size() != values.value().size()) {
        if (!c.tolerate(times.name() + " has " + std::to_string(t.size()) + " values and " + values.name() + " " +
                            std::to_string(values.value().size()) + "; expected as many",
                        "the shorter list counts"))
            return;
        const std::size_t keys = std::min(t.size(), values.value().size());
        times.edit()->resize(keys);
        values.edit()->resize(keys);
    }
    for (std::size_t i = 1; i < t.size(); ++i)
        if (!(t[i] > t[i - 1]))
            return c.fail(times.name() + " must increase: " + toText(t[i]) + " s comes after " + toText(t[i - 1]) +
                          " s");
}

}  // namespace

template <class D>
void LinearMovementProjectiveConstraint<D>::init()
{
    Base::init();
    m_start.clear();
    if (this->isValid()) checkKeys(*this, d_keyTimes, d_movements);
}

template <class D>
auto LinearMovementProjectiveConstraint<D>::segment() const -> std::optional<Segment>
{
    const auto& times = d_keyTimes.value();
    const auto& moves = d_movements.value();
    const double now = this->node()->time();
    const auto next = std::upper_bound(times.begin(), times.end(), now);
    if (next == times.begin() || next == times.end()) return {};
    const auto k = static_cast<std::size_t>(next - times.begin());
    return Segment{times[k - 1], times[k], moves[k - 1], moves[k]};
}

template <class D>
void LinearMovementProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    const auto s = segment();
    if (!s) return;
    const Deriv speed = (s->end - s->start) * (1. / (s->to - s->from));
    this->forEachPoint(v.size(), [&](Index i) {
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (moves(k)) v[i][k] = speed[k];
    });
}

template <class D>
void LinearMovementProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    if (m_start.size() != x.size()) m_start = x;
    const auto s = segment();
    if (!s) return;
    const double t = (this->node()->time() - s->from) / (s->to - s->from);
    const Deriv m = s->start + (s->end - s->start) * t;
    const bool relative = d_relativeMovements.value();
    if constexpr (std::is_same_v<D, Rigid3Types>) {
        const Quat turn = slerp(Quat::fromEulerXYZ(D::angular(s->start)), Quat::fromEulerXYZ(D::angular(s->end)), t);
        this->forEachPoint(x.size(), [&](Index i) {
            for (std::size_t k = 0; k < 3; ++k)
                if (moves(k)) x[i].center[k] = (relative ? m_start[i].center[k] : 0.) + m[k];
            if (moves(3) && moves(4) && moves(5)) x[i].orientation = relative ? m_start[i].orientation * turn : turn;
        });
    } else {
        this->forEachPoint(x.size(), [&](Index i) {
            for (std::size_t k = 0; k < D::derivSize; ++k)
                if (moves(k)) x[i][k] = (relative ? m_start[i][k] : 0.) + m[k];
        });
    }
}

template <class D>
PartialLinearMovementProjectiveConstraint<D>::PartialLinearMovementProjectiveConstraint()
{
    for (const char* name : {"linearMovementBetweenNodesInIndices", "mainIndice", "minDepIndice", "maxDepIndice",
                             "imposedDisplacmentOnMacroNodes", "X0", "Y0", "Z0"})
        this->ignoreAttribute(name, "every point moves alike");
}

template <class D>
void PartialLinearMovementProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    if (!this->acts()) return;
    this->forEachPoint(dx.size(), [&](Index i) {
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (moves(k)) dx[i][k] = 0.;
    });
}

template <class D>
void PartialLinearMovementProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive() || !this->acts()) return;
    this->forEachPoint(this->state().size(), [&](Index i) {
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (moves(k)) sink.eliminate(this->state(), i, k);
    });
}

template <class D>
void LinearVelocityProjectiveConstraint<D>::init()
{
    Base::init();
    m_last.clear();
    if (!this->isValid()) return;
    checkKeys(*this, d_keyTimes, d_velocities);
    for (const Index k : d_coordinates.value())
        if (k >= D::derivSize)
            return this->fail("coordinates: " + std::to_string(static_cast<int>(k)) + " is no scalar of " +
                              std::string(D::name()) + "; expected 0 to " + std::to_string(D::derivSize - 1));
}

template <class D>
auto LinearVelocityProjectiveConstraint<D>::velocity() const -> std::optional<Deriv>
{
    const auto& times = d_keyTimes.value();
    const auto& v = d_velocities.value();
    // A single key time does nothing, as in SOFA.
    if (times.size() < 2) return {};
    const double now = this->node()->time();
    if (now < times.front()) return {};
    if (now > times.back() && !d_continueAfterEnd.value()) return {};
    const auto next = std::upper_bound(times.begin(), times.end(), now);
    if (next == times.end()) return v.back();
    const auto k = static_cast<std::size_t>(next - times.begin());
    return v[k - 1] + (v[k] - v[k - 1]) * ((now - times[k - 1]) / (times[k] - times[k - 1]));
}

template <class D>
bool LinearVelocityProjectiveConstraint<D>::follows(std::size_t k) const
{
    const auto& c = d_coordinates.value();
    return c.empty() || std::find(c.begin(), c.end(), static_cast<Index>(k)) != c.end();
}

template <class D>
void LinearVelocityProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    const auto now = velocity();
    if (!now) return;
    this->forEachPoint(v.size(), [&](Index i) {
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (follows(k)) v[i][k] = (*now)[k];
    });
}

template <class D>
void LinearVelocityProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    if (m_last.size() != x.size()) m_last = x;
    const auto now = velocity();
    if (!now) return;
    this->forEachPoint(x.size(), [&](Index i) {
        // Scalars that do not follow have moved by themselves since.
        Deriv step = D::difference(x[i], m_last[i]);
        for (std::size_t k = 0; k < D::derivSize; ++k)
            if (follows(k)) step[k] = (*now)[k] * this->node()->dt();
        D::add(m_last[i], step);
        x[i] = m_last[i];
    });
}

template <class D>
void OscillatorProjectiveConstraint<D>::init()
{
    Base::init();
    if (this->isValid()) read();
}

template <class D>
void OscillatorProjectiveConstraint<D>::read()
{
    constexpr std::size_t width = s_width;
    const auto& all = d_oscillators.value();
    m_oscillators.clear();
    if (all.size() % width != 0)
        return this->fail("oscillators has " + std::to_string(all.size()) + " numbers; expected " +
                          std::to_string(width) + " for each oscillator of " + std::string(D::name()));
    for (std::size_t k = 0; k < all.size(); k += width) {
        const double* v = all.data() + k;
        if (!(v[0] >= 0. && v[0] < static_cast<double>(this->state().size())))
            return this->fail("oscillators: point " + toText(v[0]) + " is not in " + this->state().pathName() +
                              ", which has " + std::to_string(this->state().size()) + " points");
        Oscillator o{static_cast<Index>(v[0]), {}, {}, 0., 0.};
        std::copy_n(v + 1, D::coordSize, scalars(o.mean));
        std::copy_n(v + 1 + D::coordSize, D::derivSize, o.amplitude.data());
        o.frequency = v[width - 2];
        o.phase = v[width - 1];
        m_oscillators.push_back(o);
    }
}

template <class D>
void OscillatorProjectiveConstraint<D>::followTopology(const core::TopologyChange& change)
{
    const core::ElementSource source = change.source(pointsOf(this->state()));
    if (!change.restores() && !source.same) {
        Vector<double> left;
        const Vector<double>& all = d_oscillators.value();
        for (std::size_t k = 0; k + s_width <= all.size(); k += s_width) {
            const Vector<Index> now = source.renumbered({static_cast<Index>(all[k])});
            if (now.empty()) continue;
            left.push_back(static_cast<double>(now[0]));
            for (std::size_t j = 1; j < s_width; ++j) left.push_back(all[k + j]);
        }
        d_oscillators.setValue(std::move(left));
    }
    read();
}

template <class D>
void OscillatorProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    for (const Oscillator& o : m_oscillators) dx[o.point] = Deriv();
}

template <class D>
void OscillatorProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    for (const Oscillator& o : m_oscillators)
        v[o.point] = o.amplitude * (o.frequency * std::cos(o.frequency * this->node()->time() + o.phase));
}

template <class D>
void OscillatorProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    for (const Oscillator& o : m_oscillators) {
        x[o.point] = o.mean;
        D::add(x[o.point], o.amplitude * std::sin(o.frequency * this->node()->time() + o.phase));
    }
}

template <class D>
void OscillatorProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive()) return;
    for (const Oscillator& o : m_oscillators)
        for (std::size_t k = 0; k < D::derivSize; ++k) sink.eliminate(this->state(), o.point, k);
}

template <class D>
void LinearMovementProjectiveConstraint<D>::draw(core::DrawTool& tool)
{
    Base::draw(tool);
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !d_showMovement.value() || !this->l_state) return;
    const core::State<D>& s = this->state();
    const bool relative = d_relativeMovements.value();
    const VecCoord& start =
        !m_start.empty() || !s.isAllocated(core::vec_id::restPosition) ? m_start : s.read(core::vec_id::restPosition);
    const VecDeriv& keys = d_movements.value();
    auto ends = tool.scratch<Vec3>();
    this->forEachPoint(relative ? start.size() : s.size(), [&](Index i) {
        const Vec3 from = relative ? D::position(start[i]) : Vec3();
        for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
            ends.push_back(from + D::linear(keys[k]));
            ends.push_back(from + D::linear(keys[k + 1]));
        }
    });
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.5f, 0.5f), 10.f));
}

template <class D>
void OscillatorProjectiveConstraint<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !this->l_state || !this->isActive()) return;
    auto points = tool.scratch<Index>();
    auto ends = tool.scratch<Vec3>();
    for (const Oscillator& o : m_oscillators) {
        points.push_back(o.point);
        ends.push_back(D::position(o.mean) - D::linear(o.amplitude));
        ends.push_back(D::position(o.mean) + D::linear(o.amplitude));
    }
    drawConstrainedPoints(tool, core::drawnPoints(tool, this->state(), points), 0.);
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.5f, 0.5f)));
}

namespace {

constexpr const char* motionModule = "Sofa.Component.Constraint.Projective";

const RegisterComponent registeredLinearMovementProjectiveConstraint =
    RegisterComponent("LinearMovementProjectiveConstraint", "ProjectiveConstraint", motionModule)
        .help("Moves points through displacements given at key times, linearly in between")
        .alias("LinearMovementConstraint")
        .example("component/constraint/LinearMovementProjectiveConstraint.scn")
        .add<LinearMovementProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types>();
const RegisterComponent registeredPartialLinearMovementProjectiveConstraint =
    RegisterComponent("PartialLinearMovementProjectiveConstraint", "ProjectiveConstraint", motionModule)
        .help("Moves points in some directions through displacements given at key times, linearly in between")
        .alias("PartialLinearMovementConstraint")
        .example("component/constraint/PartialLinearMovementProjectiveConstraint.scn")
        .add<PartialLinearMovementProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types>();
const RegisterComponent registeredLinearVelocityProjectiveConstraint =
    RegisterComponent("LinearVelocityProjectiveConstraint", "ProjectiveConstraint", motionModule)
        .help("Gives points velocities at key times, linear in between")
        .alias("LinearVelocityConstraint")
        .example("component/constraint/LinearVelocityProjectiveConstraint.scn")
        .add<LinearVelocityProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types>();
const RegisterComponent registeredOscillatorProjectiveConstraint =
    RegisterComponent("OscillatorProjectiveConstraint", "ProjectiveConstraint", motionModule)
        .help("Lets points oscillate about a position")
        .alias("OscillatorConstraint")
        .example("component/constraint/OscillatorProjectiveConstraint.scn")
        .add<OscillatorProjectiveConstraint, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
