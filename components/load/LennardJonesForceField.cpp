// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/LennardJonesForceField.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Vec3;

double LennardJonesForceField::Law::freeEnergy(double d) const
{
    return b * std::pow(d, -beta) - a * std::pow(d, -alpha);
}

double LennardJonesForceField::Law::freeAttraction(double d) const
{
    return a * alpha * std::pow(d, -alpha - 1.) - b * beta * std::pow(d, -beta - 1.);
}

double LennardJonesForceField::Law::energy(double d) const
{
    if (d >= far) return freeEnergy(d) - level;
    const double atFar = freeEnergy(far) - level;
    if (d >= near) return atFar - fmax * (far - d);
    return freeEnergy(d) - freeEnergy(near) + atFar - fmax * (far - near);
}

double LennardJonesForceField::Law::attraction(double d) const
{
    return d >= near && d < far ? fmax : freeAttraction(d);
}

double LennardJonesForceField::Law::slope(double d) const
{
    if (d >= near && d < far) return 0.;
    return b * beta * (beta + 1.) * std::pow(d, -beta - 2.) - a * alpha * (alpha + 1.) * std::pow(d, -alpha - 2.);
}

double LennardJonesForceField::crossing(const Law& law, double less, double more)
{
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (less + more);
        (law.freeAttraction(middle) < law.fmax ? less : more) = middle;
    }
    return more;
}

auto LennardJonesForceField::law() const -> Law
{
    const double alpha = d_alpha.value(), beta = d_beta.value(), d0 = d_d0.value(), p0 = d_p0.value(),
                 dmax = d_dmax.value();
    Law l;
    l.alpha = alpha;
    l.fmax = d_fmax.value();
    if (d_aInit.value() != 0.) {
        l.a = d_aInit.value();
        // a α d^(−α − 1) = fmax
        if (l.a > 0.) l.far = std::pow(l.fmax / (l.a * alpha), -1. / (alpha + 1.));
    } else {
        l.beta = beta;
        l.a = p0 * std::pow(d0, alpha) / (1. - alpha / beta);
        l.b = p0 * std::pow(d0, beta) / (beta / alpha - 1.);
        // The attraction of a well has its maximum where its derivative vanishes; within a hill it has no bound.
        const double most = d0 * std::pow((beta + 1.) / (alpha + 1.), 1. / (beta - alpha));
        if (p0 < 0. && l.fmax > 0.) {
            double inside = 0.5 * d0;
            while (l.freeAttraction(inside) < l.fmax) inside *= 0.5;
            l.far = crossing(l, d0, inside);
        } else if (p0 < 0.) {
            l.far = d0;
        } else if (p0 > 0. && l.freeAttraction(most) > l.fmax) {
            double outside = 2. * most;
            while (l.freeAttraction(outside) > l.fmax && outside < dmax) outside *= 2.;
            l.near = crossing(l, d0, most);
            l.far = outside < dmax || l.freeAttraction(dmax) < l.fmax ? crossing(l, outside, most) : dmax;
        }
    }
    l.far = std::min(l.far, dmax);
    l.near = std::min(l.near, dmax);
    l.level = l.freeEnergy(dmax);
    return l;
}

void LennardJonesForceField::init()
{
    ForceField::init();
    if (isValid()) takeLaw();
}

void LennardJonesForceField::reinit()
{
    if (isValid()) takeLaw();
}

void LennardJonesForceField::takeLaw()
{
    if (d_aInit.value() == 0. && (d_beta.value() == d_alpha.value() || !(d_beta.value() > 0.)))
        return fail("beta: the exponent of the repulsion must be positive and not alpha (" + d_alpha.text() +
                    "), not " + d_beta.text());
    if (!(d_dmax.value() > 0.)) return fail("dmax: give the distance up to which points act on each other");
    m_law = law();
}

template <class F>
void LennardJonesForceField::forEachPair(const VecCoord& x, F&& f) const
{
    // A sweep along x: behind a point come those that may be within dmax.
    const double dmax = d_dmax.value();
    m_sweep.clear();
    for (Index i = 0; i < x.size(); ++i)
        if (core::isFinite(x[i])) m_sweep.push_back({x[i][0], i});
    std::sort(m_sweep.begin(), m_sweep.end());
    for (std::size_t i = 0; i < m_sweep.size(); ++i)
        for (std::size_t j = i + 1; j < m_sweep.size() && m_sweep[j].first - m_sweep[i].first < dmax; ++j) {
            const Index a = std::min(m_sweep[i].second, m_sweep[j].second),
                        b = std::max(m_sweep[i].second, m_sweep[j].second);
            const Vec3 way = x[b] - x[a];
            const double d = norm(way);
            if (d < dmax) f(a, b, way, d);
        }
}

void LennardJonesForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    m_pairs.clear();
    if (!isValid()) return;
    const double damping = d_damping.value();
    forEachPair(x, [&](Index a, Index b, const Vec3& way, double d) {
        // Points in one place have no direction.
        const Vec3 direction = d > 0. ? way / d : Vec3();
        const double force = d > 0. ? m_law.attraction(d) : 0.;
        const Vec3 onA = direction * force + (v[b] - v[a]) * damping;
        f[a] += onA;
        f[b] -= onA;
        m_pairs.push_back({a, b, direction, d > 0. ? m_law.slope(d) : 0., d > 0. ? force / d : 0.});
    });
}

void LennardJonesForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& dfId)
{
    if (!isValid()) return;
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value()), c = mp.bFactor * d_damping.value();
    core::State<core::Vec3Types>& s = state();
    const auto df = s.write(dfId.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (const Pair& p : m_pairs) {
        const Vec3 d = dx[p.b] - dx[p.a], onA = p.product(d) * k + d * c;
        df[p.a] += onA;
        df[p.b] -= onA;
    }
}

void LennardJonesForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    for (const Pair& p : m_pairs) {
        const Mat3 block = outer(p.direction, p.direction) * (p.along - p.across) + Mat3::identity() * p.across;
        k.add(p.a, p.a, -block);
        k.add(p.a, p.b, block);
        k.add(p.b, p.a, block);
        k.add(p.b, p.b, -block);
    }
}

void LennardJonesForceField::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!hasDamping()) return;
    const double c = d_damping.value();
    for (const Pair& p : m_pairs) {
        b.addIdentity(p.a, p.a, -c, 3);
        b.addIdentity(p.a, p.b, c, 3);
        b.addIdentity(p.b, p.a, c, 3);
        b.addIdentity(p.b, p.b, -c, 3);
    }
}

double LennardJonesForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    if (isValid()) forEachPair(x, [&](Index, Index, const Vec3&, double d) { energy += m_law.energy(d); });
    return energy;
}

void LennardJonesForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state) return;
    const VecCoord& x = state().positions();
    auto near = tool.scratch<core::Edge>(), far = tool.scratch<core::Edge>();
    for (const Pair& p : m_pairs)
        if (p.b < x.size()) (norm(x[p.b] - x[p.a]) < d_d0.value() ? near : far).push_back({p.a, p.b});
    core::drawEdges(tool, near, x, core::Color(1.f, 1.f, 1.f));
    core::drawEdges(tool, far, x, core::Color(0.f, 0.f, 1.f));
}

static const core::RegisterComponent registeredLennardJonesForceField =
    core::RegisterComponent("LennardJonesForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Attraction and repulsion between all points of a state (Lennard-Jones, or gravitation)")
        .example("component/load/LennardJonesForceField.scn")
        .add<LennardJonesForceField>();

}  // namespace sofa::component
