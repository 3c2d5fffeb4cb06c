// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/ImageProjectiveConstraints.h"

#include "core/factory/Registry.h"
#include "core/geometry/Aabb.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

template <class D>
void ImageProjectiveConstraint<D>::init()
{
    Base::init();
    m_start.clear();
}

template <class D>
void ImageProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    this->forEachPoint(v.size(), [&](Index i) { v[i] = {}; });
}

template <class D>
void ImageProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    if (m_start.size() != x.size()) m_start = x;
    const double now = this->node()->time(), begin = d_begin.value(), end = d_end.value();
    if (now > end) return this->forEachPoint(x.size(), [&](Index i) { x[i] = image(m_start[i]); });
    if (!(now > begin)) return;
    const double t = (now - begin) / (end - begin);
    this->forEachPoint(x.size(), [&](Index i) {
        const Coord &from = m_start[i], to = image(from);
        D::setPosition(x[i], D::position(from) * (1. - t) + D::position(to) * t);
        if constexpr (D::isRigid) {
            const Vec3 turn = (to.orientation * from.orientation.inverse()).toRotationVector();
            x[i].orientation = (Quat::fromRotationVector(turn * t) * from.orientation).normalized();
        }
    });
}

template <class D>
auto AffineMovementProjectiveConstraint<D>::image(const Coord& x) const -> Coord
{
    if constexpr (D::isRigid) {
        const Quat q = d_quaternion.value();
        return {q.toMatrix() * x.center + d_translation.value(), (q * x.orientation).normalized()};
    } else {
        return d_rotation.value() * x + d_translation.value();
    }
}

template <class D>
void PatchTestMovementProjectiveConstraint<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    const VecCoord& corners = d_cornerPoints.value();
    if (!corners.empty()) {
        if (corners.size() != 4 && corners.size() != 8)
            return this->fail("cornerPoints has " + std::to_string(corners.size()) + " points; expected four or eight");
        m_flat = corners.size() == 4;
        m_low = D::position(corners[0]);
        m_size = {D::position(corners[1])[0] - m_low[0], D::position(corners[3])[1] - m_low[1],
                  m_flat ? 0. : D::position(corners[4])[2] - m_low[2]};
    } else {
        geometry::Aabb box;
        for (const Coord& p : d_constrainedPoints.value()) box.include(D::position(p));
        if (d_constrainedPoints.value().empty()) {
            const VecCoord& x = this->state().read(vec_id::position);
            this->forEachPoint(x.size(), [&](Index i) { box.include(D::position(x[i])); });
        }
        if (!box.valid()) return this->fail("no points: set constrainedPoints, cornerPoints or indices");
        m_low = box.lower;
        m_size = box.upper - box.lower;
        m_flat = m_size[2] == 0.;
    }
    if (m_size[0] == 0. || m_size[1] == 0. || (!m_flat && m_size[2] == 0.))
        return this->fail("the corners must have different x and y, and eight corners different z as well");
    const std::size_t movements = d_cornerMovements.value().size(), expected = m_flat ? 4 : 8;
    if (movements != expected)
        this->fail("cornerMovements has " + std::to_string(movements) + " values; expected " +
                   std::to_string(expected) + ", one for each corner");
}

template <class D>
auto PatchTestMovementProjectiveConstraint<D>::displacement(const Vec3& place) const -> Deriv
{
    constexpr std::size_t side[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};  // of a corner along x and y
    const VecDeriv& movements = d_cornerMovements.value();
    double share[3][2] = {{1., 0.}, {1., 0.}, {1., 0.}};
    for (std::size_t k = 0; k < (m_flat ? 2u : 3u); ++k) {
        share[k][1] = (place[k] - m_low[k]) / m_size[k];
        share[k][0] = 1. - share[k][1];
    }
    Deriv sum{};
    for (std::size_t c = 0; c < movements.size(); ++c)
        sum += movements[c] * (share[0][side[c % 4][0]] * share[1][side[c % 4][1]] * share[2][c / 4]);
    return sum;
}

template <class D>
auto PatchTestMovementProjectiveConstraint<D>::image(const Coord& x) const -> Coord
{
    const Deriv d = displacement(D::position(x));
    Coord out = x;
    D::setPosition(out, D::position(x) + D::linear(d));
    if constexpr (D::isRigid) out.orientation = (Quat::fromRotationVector(D::angular(d)) * x.orientation).normalized();
    return out;
}

namespace {

constexpr const char* imageModule = "Sofa.Component.Constraint.Projective";

const RegisterComponent registeredAffineMovementProjectiveConstraint =
    RegisterComponent("AffineMovementProjectiveConstraint", "ProjectiveConstraint", imageModule)
        .help("Moves points to their images under an affine map")
        .alias("AffineMovementConstraint")
        .example("component/constraint/AffineMovementProjectiveConstraint.scn")
        .add<AffineMovementProjectiveConstraint, Vec3Types, Rigid3Types>();
const RegisterComponent registeredPatchTestMovementProjectiveConstraint =
    RegisterComponent("PatchTestMovementProjectiveConstraint", "ProjectiveConstraint", imageModule)
        .help("Moves points by the displacements of the corners of a box, interpolated: a patch test of elements")
        .alias("PatchTestMovementConstraint")
        .example("component/constraint/PatchTestMovementProjectiveConstraint.scn")
        .add<PatchTestMovementProjectiveConstraint, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
