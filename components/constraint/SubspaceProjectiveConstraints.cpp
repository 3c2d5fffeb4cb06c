// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/SubspaceProjectiveConstraints.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

namespace {

template <std::size_t N>
Vec<N> shortened(const Vec3& v)
{
    Vec<N> out;
    for (std::size_t k = 0; k < N; ++k) out[k] = v[k];
    return out;
}
template <std::size_t N>
Vec3 padded(const Vec<N>& v)
{
    Vec3 out;
    for (std::size_t k = 0; k < N; ++k) out[k] = v[k];
    return out;
}

}  // namespace

template <class D>
void SubspaceProjectiveConstraint<D>::init()
{
    Base::init();
    if (this->isValid()) reinit();
}

template <class D>
void SubspaceProjectiveConstraint<D>::reinit()
{
    Base::reinit();
    const Point d = direction();
    const double length = norm(d);
    if (!(length > 0.))
        return this->fail(std::string(directionData().name()) + " has no direction: it is " + toText(d));
    m_unit = d / length;
}

template <class D>
auto SubspaceProjectiveConstraint<D>::allowed(const Point& d) const -> Point
{
    const Point along = m_unit * dot(m_unit, d);
    return isPlane() ? d - along : along;
}

template <class D>
void SubspaceProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    this->forEachPoint(dx.size(), [&](Index i) {
        D::setLinear(dx[i], padded<dimensions>(allowed(shortened<dimensions>(D::linear(dx[i])))));
    });
}

template <class D>
void SubspaceProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive()) return;
    constexpr std::size_t n = D::derivSize;
    const auto axis =
        std::find_if(m_unit.data(), m_unit.data() + dimensions, [](double c) { return std::abs(c) == 1.; });
    if (axis != m_unit.data() + dimensions) {  // scalars leave the system
        const auto a = static_cast<std::size_t>(axis - m_unit.data());
        this->forEachPoint(this->state().size(), [&](Index i) {
            for (std::size_t k = 0; k < dimensions; ++k)
                if ((k == a) == isPlane()) sink.eliminate(this->state(), i, k);
        });
        return;
    }
    std::array<double, n * n> p{};
    for (std::size_t k = 0; k < n; ++k) {
        if (k >= dimensions) {
            p[k * n + k] = 1.;
            continue;
        }
        Point e;
        e[k] = 1.;
        const Point column = allowed(e);
        for (std::size_t r = 0; r < dimensions; ++r) p[r * n + k] = column[r];
    }
    this->forEachPoint(this->state().size(), [&](Index i) { sink.project(this->state(), i, p.data()); });
}

template <class D>
void PlaneProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    this->forEachPoint(x.size(), [&](Index i) {
        const auto p = shortened<Base::dimensions>(D::position(x[i]));
        D::setPosition(x[i], padded<Base::dimensions>(d_origin.value() + this->allowed(p - d_origin.value())));
    });
}

template <class D>
void LineProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    this->forEachPoint(x.size(), [&](Index i) {
        const auto p = shortened<Base::dimensions>(D::position(x[i]));
        D::setPosition(x[i], padded<Base::dimensions>(d_origin.value() + this->allowed(p - d_origin.value())));
    });
}

template <class D>
void DirectionProjectiveConstraint<D>::init()
{
    Base::init();
    if (this->isValid()) m_start = this->state().read(vec_id::position);
}

template <class D>
void DirectionProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    this->forEachPoint(std::min(x.size(), m_start.size()), [&](Index i) {
        const auto o = shortened<Base::dimensions>(D::position(m_start[i])),
                   p = shortened<Base::dimensions>(D::position(x[i]));
        D::setPosition(x[i], padded<Base::dimensions>(o + this->allowed(p - o)));
    });
}

template <class D>
void DirectionProjectiveConstraint<D>::followTopology(const core::TopologyChange& change)
{
    // Positions for a reset are those of the beginning, and follow moves of points at rest too.
    if (this->state().isAllocated(vec_id::resetPosition))
        m_start = this->state().read(vec_id::resetPosition);
    else
        this->followPoints(change, m_start);
}

template <class D>
void FixedPlaneProjectiveConstraint<D>::init()
{
    Base::init();
    if (!this->isValid() || d_dmin.value() == d_dmax.value()) return;
    const auto& x = this->state().read(vec_id::position);
    Vector<Index> indices = this->d_indices.value();
    for (Index i = 0; i < x.size(); ++i) {
        const double d = dot(shortened<Base::dimensions>(D::position(x[i])), d_direction.value());
        if (d > d_dmin.value() && d < d_dmax.value() && std::find(indices.begin(), indices.end(), i) == indices.end())
            indices.push_back(i);
    }
    this->d_indices.setValue(indices);
}

template <class D>
void PointProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    if (d_fixAll.value())
        std::fill(dx.begin(), dx.end(), typename D::Deriv{});
    else
        Base::projectResponse(dx);
}

template <class D>
void PointProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    if (d_fixAll.value())
        std::fill(x.begin(), x.end(), d_point.value());
    else
        this->forEachPoint(x.size(), [&](Index i) { x[i] = d_point.value(); });
}

template <class D>
void PointProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!d_fixAll.value()) return Base::eliminate(sink);
    if (!this->isActive()) return;
    for (Index i = 0; i < this->state().size(); ++i)
        for (std::size_t k = 0; k < D::derivSize; ++k) sink.eliminate(this->state(), i, k);
}

template <class D>
void FixedTranslationProjectiveConstraint<D>::projectResponse(VecDeriv& dx) const
{
    const auto hold = [&](Index i) {
        for (std::size_t k = 0; k < translations; ++k) dx[i][k] = 0.;
    };
    if (d_fixAll.value())
        for (Index i = 0; i < dx.size(); ++i) hold(i);
    else
        this->forEachPoint(dx.size(), hold);
}

template <class D>
void FixedTranslationProjectiveConstraint<D>::eliminate(EliminationSink& sink) const
{
    if (!this->isActive()) return;
    const auto hold = [&](Index i) {
        for (std::size_t k = 0; k < translations; ++k) sink.eliminate(this->state(), i, k);
    };
    if (d_fixAll.value())
        for (Index i = 0; i < this->state().size(); ++i) hold(i);
    else
        this->forEachPoint(this->state().size(), hold);
}

void FixedRotationProjectiveConstraint::init()
{
    ProjectiveConstraint::init();
    m_start.clear();
    if (isValid())
        for (const RigidCoord3& x : state().read(vec_id::position)) m_start.push_back(x.orientation);
}

void FixedRotationProjectiveConstraint::followTopology(const core::TopologyChange& change)
{
    // Positions for reset follow the frames, and are in checkpoints.
    if (!isValid() || (!change.restores() && change.source(pointsOf(state())).same)) return;
    m_start.clear();
    const auto id = state().isAllocated(vec_id::resetPosition) ? vec_id::resetPosition : vec_id::position;
    for (const RigidCoord3& x : state().read(id)) m_start.push_back(x.orientation);
}

void FixedRotationProjectiveConstraint::projectPosition(VecCoord& x) const
{
    struct Split
    {
        Quat twist, swing;  ///< q = swing twist
    };
    const auto split = [](const Quat& q, std::size_t axis) {
        Quat twist(0., 0., 0., q[3]);
        twist[axis] = q[axis];
        twist = twist.normalized();
        return Split{twist, (q * twist.inverse()).normalized()};
    };
    const std::array<bool, 3> fixed{d_fixedX.value(), d_fixedY.value(), d_fixedZ.value()};
    for (Index i = 0; i < std::min(x.size(), m_start.size()); ++i) {
        Quat now = x[i].orientation, start = m_start[i], keep;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (!fixed[axis]) continue;
            now = split(now, axis).swing;
            const Split first = split(start, axis);
            start = first.swing;
            keep = first.twist * keep;
        }
        x[i].orientation = now * keep;
    }
}

void FixedRotationProjectiveConstraint::draw(core::DrawTool& tool)
{
    if (tool.shows(core::DisplayFlags::BehaviorModels) && l_state && isActive())
        drawConstrainedPoints(tool, core::drawnPoints(tool, state()), 0.);
}

namespace {

constexpr const char* subspaceModule = "Sofa.Component.Constraint.Projective";

const RegisterComponent registeredPlaneProjectiveConstraint =
    RegisterComponent("PlaneProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Keeps points in a plane")
        .alias("ProjectToPlaneConstraint")
        .example("component/constraint/PlaneProjectiveConstraint.scn")
        .add<PlaneProjectiveConstraint, Vec3Types, Vec2Types>();
const RegisterComponent registeredLineProjectiveConstraint =
    RegisterComponent("LineProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Keeps points on a line")
        .alias("ProjectToLineConstraint")
        .example("component/constraint/LineProjectiveConstraint.scn")
        .add<LineProjectiveConstraint, Vec3Types, Vec2Types>();
const RegisterComponent registeredDirectionProjectiveConstraint =
    RegisterComponent("DirectionProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Keeps each point on a line of one direction")
        .alias("ProjectDirectionConstraint")
        .example("component/constraint/DirectionProjectiveConstraint.scn")
        .add<DirectionProjectiveConstraint, Vec3Types, Vec2Types>();
const RegisterComponent registeredFixedPlaneProjectiveConstraint =
    RegisterComponent("FixedPlaneProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Lets points move across a direction only")
        .alias("FixedPlaneConstraint")
        .example("component/constraint/FixedPlaneProjectiveConstraint.scn")
        .add<FixedPlaneProjectiveConstraint, Vec3Types, Rigid3Types, Vec6Types>();
const RegisterComponent registeredPointProjectiveConstraint =
    RegisterComponent("PointProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Puts points at one place")
        .alias("ProjectToPointConstraint")
        .example("component/constraint/PointProjectiveConstraint.scn")
        .add<PointProjectiveConstraint, Vec3Types, Vec2Types, Vec1Types, Vec6Types>();
const RegisterComponent registeredFixedTranslationProjectiveConstraint =
    RegisterComponent("FixedTranslationProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Holds the centres of frames where they are")
        .alias("FixedTranslationConstraint")
        .example("component/constraint/FixedTranslationProjectiveConstraint.scn")
        .add<FixedTranslationProjectiveConstraint, Rigid3Types, Rigid2Types, Vec6Types>();
const RegisterComponent registeredFixedRotationProjectiveConstraint =
    RegisterComponent("FixedRotationProjectiveConstraint", "ProjectiveConstraint", subspaceModule)
        .help("Keeps the share of a frame's rotation about chosen axes")
        .alias("FixedRotationConstraint")
        .example("component/constraint/FixedRotationProjectiveConstraint.scn")
        .add<FixedRotationProjectiveConstraint>();

}  // namespace

}  // namespace sofa::component
