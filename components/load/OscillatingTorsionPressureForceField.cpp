// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/OscillatingTorsionPressureForceField.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/math/Quat.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Vec3;

OscillatingTorsionPressureForceField::OscillatingTorsionPressureForceField()
{
    ignoreAttribute("trianglePressureMap", "it was internal data of the component");
}

void OscillatingTorsionPressureForceField::init()
{
    LoadedElements::init();
    if (!isValid()) return;
    if (!(norm(d_axis.value()) > 0.)) fail("axis: give the direction of the axis; it is zero");
}

double OscillatingTorsionPressureForceField::momentNow() const
{
    return d_moment.value() * std::cos(2. * std::numbers::pi * d_frequency.value() * node()->time());
}

Vec3 OscillatingTorsionPressureForceField::armOf(const Vec3& x) const
{
    const Vec3 u = planeNormal(), way = x - d_center.value();
    return way - u * dot(u, way);
}

void OscillatingTorsionPressureForceField::update()
{
    LoadedElements::update();
    m_points.clear();
    m_turn = {};
    if (!isValid()) return;
    std::map<Index, Point> points;
    const VecCoord& rest = restPoints();
    double all = 0.;
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        std::array<double, 3> d;
        for (std::size_t k = 0; k < 3; ++k) {
            const Index v = m_elements[i][k];
            const Vec3 arm = armOf(rest[v]);
            points[v] = {v, arm, rest[v] - arm, points[v].weight};
            d[k] = norm(arm);
        }
        const double middle = (d[0] + d[1] + d[2]) / 3.;
        for (std::size_t k = 0; k < 3; ++k) {
            // The corner, the middles of its sides, the middle of these three, and that of the triangle.
            const double a = d[k], b = 0.5 * (a + d[(k + 1) % 3]), c = 0.5 * (a + d[(k + 2) % 3]), e = (a + b + c) / 3.;
            const double share = (a * a + b * b + c * c + e * e + middle * middle) * a * m_sizes[i] / 3.;
            points[m_elements[i][k]].weight += share;
            all += share;
        }
    }
    for (auto& [v, p] : points) {
        p.weight = all > 0. ? p.weight / all : 0.;
        m_points.push_back(p);
    }
}

void OscillatingTorsionPressureForceField::find(Turn& turn, const VecCoord& x) const
{
    const std::size_t n = m_points.size();
    const Vec3 u = planeNormal();
    turn.angle = turn.stiffness = 0.;
    turn.goals.resize(n);
    turn.ways.resize(n);
    turn.gradients.assign(n, Vec3());
    turn.curvatures.assign(n, Mat3());
    for (std::size_t i = 0; i < n; ++i) {
        const Point& p = m_points[i];
        const Vec3 r = armOf(x[p.index]);
        const double square = norm2(r);
        if (p.weight == 0. || !(square > 0.)) continue;
        turn.angle += p.weight * std::atan2(dot(u, cross(p.arm, r)), dot(p.arm, r));
        const Vec3 around = cross(u, r);
        turn.gradients[i] = around * (p.weight / square);
        turn.curvatures[i] = (outer(around, r) + outer(r, around)) * (-p.weight / (square * square));
    }
    const core::Quat rotation = core::Quat::fromAxisAngle(u, turn.angle);
    double p = 0.;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 arm = rotation.rotate(m_points[i].arm), r = armOf(x[m_points[i].index]);
        turn.goals[i] = arm + m_points[i].foot;
        turn.ways[i] = cross(u, arm);
        p -= d_penalty.value() * dot(r, turn.ways[i]);
        turn.stiffness += d_penalty.value() * dot(r, arm);
    }
    turn.moment = momentNow() - p;
}

void OscillatingTorsionPressureForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x,
                                                    const VecDeriv&)
{
    if (!isValid()) return;
    find(m_turn, x);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Index v = m_points[i].index;
        f[v] += (m_turn.goals[i] - x[v]) * d_penalty.value() + m_turn.gradients[i] * m_turn.moment;
    }
}

void OscillatingTorsionPressureForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& dfId)
{
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value()), k = d_penalty.value();
    if (factor == 0. || !isValid() || m_turn.goals.size() != m_points.size()) return;
    core::State<core::Vec3Types>& s = state();
    const auto df = s.write(dfId.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    double angle = 0., moment = 0.;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Vec3& d = dx[m_points[i].index];
        angle += dot(m_turn.gradients[i], d);
        moment -= k * dot(m_turn.ways[i], d);
    }
    moment += m_turn.stiffness * angle;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Index v = m_points[i].index;
        df[v] += (m_turn.ways[i] * (k * angle) - dx[v] * k - m_turn.gradients[i] * moment +
                  m_turn.curvatures[i] * dx[v] * m_turn.moment) *
                 factor;
    }
}

void OscillatingTorsionPressureForceField::buildStiffness(const MechanicalParams&, core::BlockSink& sink)
{
    if (!isValid() || m_turn.goals.size() != m_points.size()) return;
    const double k = d_penalty.value();
    for (std::size_t i = 0; i < m_points.size(); ++i)
        for (std::size_t j = 0; j < m_points.size(); ++j) {
            const Vec3 &gi = m_turn.gradients[i], &gj = m_turn.gradients[j];
            Mat3 block =
                outer(m_turn.ways[i], gj) * k + outer(gi, m_turn.ways[j]) * k - outer(gi, gj) * m_turn.stiffness;
            if (i == j) block += m_turn.curvatures[i] * m_turn.moment - Mat3::identity() * k;
            sink.add(m_points[i].index, m_points[j].index, block);
        }
}

double OscillatingTorsionPressureForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    if (!isValid()) return 0.;
    find(m_other, x);
    double energy = -momentNow() * m_other.angle;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        energy += 0.5 * d_penalty.value() * norm2(m_other.goals[i] - x[m_points[i].index]);
    return energy;
}

static const core::RegisterComponent registeredOscillatingTorsionPressureForceField =
    core::RegisterComponent("OscillatingTorsionPressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A moment that goes to and fro turns the points of some triangles about an axis, like a clamp")
        .example("component/load/OscillatingTorsionPressureForceField.scn")
        .add<OscillatingTorsionPressureForceField>();

}  // namespace sofa::component
