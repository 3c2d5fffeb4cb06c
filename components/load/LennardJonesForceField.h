// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Attraction and repulsion between all points of a state, by the law of Mie and Lennard-Jones (Lennard-Jones, "On the
/// determination of molecular fields II", Proceedings of the Royal Society A 106, 1924). Two points at the distance d
/// have
///
///     E = −a d^(−α) + b d^(−β),   a = p₀ d₀^α / (1 − α/β),   b = p₀ d₀^β / (β/α − 1)        [J]
///
/// which is −p₀ at the distance d₀, where they exert no force: with p₀ > 0 the depth of a well around which they swing,
/// with p₀ < 0 a hill from which they part. (SOFA's forces have this sign, in which the scenes of 2011 are written;
/// what it gave as a potential had the opposite one, and was that of the last pair.) With `aInit` the law is E = −aInit
/// d^(−α) instead: gravitation, with α = 1 and aInit = G m².
///
/// The attraction dE/dd is at most `fmax`: where it would be larger, E is linear. Pairs at least dmax apart do not act
/// on each other; E is shifted to be 0 there, but the force has a step, which is small if dmax is large against d₀.
/// `damping` acts between points within dmax:  f = c (v_b − v_a).
///
/// The tangent is exact; the damping's step at dmax is left out of it. SOFA's lacks what is across the pair.
class LennardJonesForceField final : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    core::Data<double> d_aInit{
        this,
        {.name = "aInit",
         .help = "Coefficient of gravitation, G m1 m2 with alpha = 1, in place of p0, d0 and beta; 0: not given",
         .unit = "N m^2"},
        0.};
    core::Data<double> d_alpha{
        this,
        {.name = "alpha", .help = "Exponent of the attraction", .unit = "1", .range = core::Range::positive()},
        6.};
    core::Data<double> d_beta{this,
                              {.name = "beta",
                               .help = "Exponent of the repulsion, not alpha; of no effect with aInit",
                               .unit = "1",
                               .range = core::Range::nonNegative()},
                              12.};
    core::Data<double> d_dmax{
        this, {.name = "dmax", .help = "Distance from which on points do not act on each other", .unit = "m"}, 2.};
    core::Data<double> d_fmax{
        this,
        {.name = "fmax", .help = "Largest attraction of a pair", .unit = "N", .range = core::Range::nonNegative()},
        1.};
    core::Data<double> d_d0{
        this, {.name = "d0", .help = "Distance without force", .unit = "m", .range = core::Range::positive()}, 1.};
    core::Data<double> d_p0{
        this, {.name = "p0", .help = "Energy that parts a pair from the distance d0 to a large one", .unit = "J"}, 1.};
    core::Data<double> d_damping{this,
                                 {.name = "damping",
                                  .help = "Damping of the relative velocity of pairs",
                                  .unit = "N s/m",
                                  .range = core::Range::nonNegative()},
                                 0.};

    void init() override;
    /// Applies edited parameters.
    void reinit() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { m_pairs.clear(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return d_damping.value() > 0.; }
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// Lines between the pairs, white within d0, blue beyond (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

private:
    /// The law between two points, without the step at dmax.
    struct Law
    {
        double a = 0., alpha = 1., b = 0., beta = 1., fmax = 0.;
        double near = 0., far = 0.;  ///< between them the attraction is fmax [m]
        double level = 0.;           ///< energy at dmax [J]

        double freeEnergy(double d) const;
        double freeAttraction(double d) const;
        double energy(double d) const;      ///< [J]
        double attraction(double d) const;  ///< dE/dd [N]
        double slope(double d) const;       ///< d²E/dd² [N/m]
    };
    Law law() const;
    void takeLaw();
    /// Where the attraction of a law is fmax, between two distances at which it is less and more.
    static double crossing(const Law& law, double less, double more);
    /// Calls f(a, b, b − a, distance) for the pairs a < b within dmax, in an order that depends on the positions only.
    template <class F>
    void forEachPair(const VecCoord& x, F&& f) const;

    struct Pair
    {
        core::Index a, b;
        core::Vec3 direction;  ///< from a to b
        double along, across;  ///< stiffness along and across it [N/m]
        core::Vec3 product(const core::Vec3& d) const
        {
            return direction * ((along - across) * dot(direction, d)) + d * across;
        }
    };
    Law m_law;
    core::Vector<Pair> m_pairs;  ///< of the last addForce
    mutable core::Vector<std::pair<double, core::Index>> m_sweep;
};

}  // namespace sofa::component
