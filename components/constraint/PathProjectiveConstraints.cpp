// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PathProjectiveConstraints.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
void PathProjectiveConstraint<D>::init()
{
    Base::init();
    if (this->isValid()) reinit();
}

template <class D>
void PathProjectiveConstraint<D>::reinit()
{
    Base::reinit();
    preparePath();
    if (this->isValid() && !(d_end.value() > d_begin.value())) this->fail("EndTime must be after BeginTime");
}

template <class D>
bool PathProjectiveConstraint<D>::acts() const
{
    const double t = this->node()->time();
    return t >= d_begin.value() && t <= d_end.value();
}

template <class D>
void PathProjectiveConstraint<D>::projectVelocity(VecDeriv& v) const
{
    if (!acts()) return;
    const double t = this->node()->time(), dt = this->node()->dt();
    const Vec3 speed = (place(part(t + dt)) - place(part(t))) / dt;
    this->forEachPoint(v.size(), [&](Index i) {
        v[i] = {};
        D::setLinear(v[i], speed);
    });
}

template <class D>
void PathProjectiveConstraint<D>::projectPosition(VecCoord& x) const
{
    if (!acts()) return;
    const Vec3 p = place(part(this->node()->time()));
    this->forEachPoint(x.size(), [&](Index i) { D::setPosition(x[i], p); });
}

template <class D>
void PathProjectiveConstraint<D>::draw(DrawTool& tool)
{
    Base::draw(tool);
    if (!tool.shows(DisplayFlags::BehaviorModels) || !this->isValid()) return;
    constexpr int pieces = 64;
    auto ends = tool.scratch<Vec3>();
    for (int i = 0; i < pieces; ++i)
        for (const int k : {i, i + 1}) ends.push_back(place(k / static_cast<double>(pieces)));
    const Color color(1.f, 0.5f, 0.5f);
    tool.lines(ends, plainStyle(color));
    tool.points(givenPoints(), plainStyle(color, 5.f));
}

template <class D>
void ParabolicProjectiveConstraint<D>::preparePath()
{
    const Vec3 second = d_p2.value() - d_p1.value(), third = d_p3.value() - d_p1.value();
    const Vec3 normal = cross(third, second);
    if (!(norm(normal) > 0.))
        return this->fail("P1, P2 and P3 must be three points that are not on one line: there is no parabola through " +
                          toText(d_p1.value()) + ", " + toText(d_p2.value()) + " and " + toText(d_p3.value()));
    const Vec3 x = third / norm(third), z = normal / norm(normal), y = cross(z, x);
    m_axes = Mat3::fromColumns(x, y, z);
    m_second = transposeTimes(m_axes, second);
    m_third = transposeTimes(m_axes, third);
}

template <class D>
Vec3 ParabolicProjectiveConstraint<D>::place(double u) const
{
    // y(x) vanishes at x = 0 and at P3, and is that of P2 there: y = y₂ x (x₃ − x) / (x₂ (x₃ − x₂)).
    const double x = m_third[0] * u;
    const double y = m_second[1] * x * (m_third[0] - x) / (m_second[0] * (m_third[0] - m_second[0]));
    return d_p1.value() + m_axes * Vec3(x, y, 0.);
}

template <class D>
Vec3 HermiteSplineProjectiveConstraint<D>::place(double u) const
{
    const auto curve = [](double t, const auto& a, const auto& da, const auto& b, const auto& db) {
        const double t2 = t * t, t3 = t2 * t;
        return a * (2. * t3 - 3. * t2 + 1.) + da * (t3 - 2. * t2 + t) + b * (3. * t2 - 2. * t3) + db * (t3 - t2);
    };
    const double s = curve(u, 0., d_sx0.value()[1], 1., d_sx1.value()[1]);
    return curve(s, d_x0.value(), d_dx0.value(), d_x1.value(), d_dx1.value());
}

namespace {

constexpr const char* pathModule = "Sofa.Component.Constraint.Projective";

const RegisterComponent registeredParabolicProjectiveConstraint =
    RegisterComponent("ParabolicProjectiveConstraint", "ProjectiveConstraint", pathModule)
        .help("Moves points along a parabola through three points")
        .alias("ParabolicConstraint")
        .example("component/constraint/ParabolicProjectiveConstraint.scn")
        .add<ParabolicProjectiveConstraint, Vec3Types, Rigid3Types>();
const RegisterComponent registeredHermiteSplineProjectiveConstraint =
    RegisterComponent("HermiteSplineProjectiveConstraint", "ProjectiveConstraint", pathModule)
        .help("Moves points along a cubic Hermite curve")
        .alias("HermiteSplineConstraint")
        .example("component/constraint/HermiteSplineProjectiveConstraint.scn")
        .add<HermiteSplineProjectiveConstraint, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
