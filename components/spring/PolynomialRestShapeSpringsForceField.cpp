// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/PolynomialRestShapeSpringsForceField.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"

namespace sofa::component {

using core::MechanicalParams;

template <class D>
PolynomialRestShapeSpringsForceField<D>::PolynomialRestShapeSpringsForceField()
{
    this->ignoreAttribute("showIndicesScale", "showIndices of the state draws the numbers of points");
    this->m_tracker.track(d_coefficients);
    this->m_tracker.track(d_degrees);
    this->m_tracker.track(d_initialLength);
}

template <class D>
std::vector<core::BaseData*> PolynomialRestShapeSpringsForceField<D>::furtherLists()
{
    if (d_degrees.value().size() <= 1) return {};
    return {&d_degrees, &d_coefficients};
}

template <class D>
void PolynomialRestShapeSpringsForceField<D>::springsFound()
{
    const std::string wrong = m_polynomials.set(d_degrees.value(), d_coefficients.value(), m_points.size());
    if (!wrong.empty() && !this->tolerate(wrong, "the first polynomial counts for all, without missing coefficients"))
        return;
    if (d_initialLength.value().empty())
        this->fail("initialLength must have one length for all springs, or one for each");
}

template <class D>
void PolynomialRestShapeSpringsForceField<D>::keepSprings(const core::Vector<core::Index>& left)
{
    SpringPolynomials::keep(left, d_degrees, d_coefficients);
}

template <class D>
void PolynomialRestShapeSpringsForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x,
                                                       const VecDeriv&)
{
    this->updateSprings();
    const VecCoord& target = targets();
    const double scale = d_smoothScale.value();
    m_stiffness.resize(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv d = x[m_points[i]] - target[m_targets[i]];
        const double l2 = norm2(d), l = std::sqrt(l2), rest = Base::valueOf(d_initialLength.value(), i);
        const double e = std::exp(d_smoothShift.value() - scale * l2), length = std::sqrt(l2 + e);
        Matrix& k = m_stiffness[i];
        k = {};
        // e may be too small for a number: the spring has no direction then.
        if (!(length > 0.)) continue;
        const auto p = m_polynomials.at(i, l / rest);
        const double across = p.force / length;
        f[m_points[i]] -= d * across;
        const double along = l > 0. ? p.derivative / (rest * length * l) - across * (1. - scale * e) / (l2 + e) : 0.;
        k = outer(d, d) * -along;
        for (std::size_t j = 0; j < D::derivSize; ++j) k[j][j] -= across;
    }
}

template <class D>
void PolynomialRestShapeSpringsForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const double factor = mp.stiffnessFactor(this->d_rayleighStiffness.value());
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (std::size_t i = 0; i < m_points.size(); ++i) out[m_points[i]] += m_stiffness[i] * dx[m_points[i]] * factor;
}

template <class D>
void PolynomialRestShapeSpringsForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& sink)
{
    for (std::size_t i = 0; i < m_points.size(); ++i) sink.add(m_points[i], m_points[i], m_stiffness[i]);
}

template <class D>
double PolynomialRestShapeSpringsForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const VecCoord& target = targets();
    double energy = 0.;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double l = norm(x[m_points[i]] - target[m_targets[i]]), rest = Base::valueOf(d_initialLength.value(), i);
        energy += rest * m_polynomials.at(i, l / rest).integral - smoothedEnergy(i, rest, l);
    }
    return energy;
}

template <class D>
double PolynomialRestShapeSpringsForceField<D>::smoothedEnergy(std::size_t spring, double restLength,
                                                               double length) const
{
    const double shift = d_smoothShift.value(), scale = d_smoothScale.value();
    // Where e < 10⁻²⁰ s², it does not count.
    double end = length;
    if (scale > 0.) {
        const double beyond = std::max(1., std::max(0., shift) + 50. + std::max(0., std::log(scale)));
        end = std::min(length, std::sqrt(beyond / scale));
    }
    // Nodes and weights of the Gauss-Legendre rule of ten points on [−1, 1], the positive half.
    constexpr double nodes[] = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451,
                                0.97390652851717172};
    constexpr double weights[] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204, 0.14945134915058059,
                                  0.066671344308688138};
    constexpr int parts = 32;
    const double half = 0.5 * end / parts;
    double energy = 0.;
    for (int part = 0; part < parts; ++part)
        for (std::size_t n = 0; n < 5; ++n)
            for (const double sign : {-1., 1.}) {
                const double s = half * (2. * part + 1. + sign * nodes[n]);
                const double e = std::exp(shift - scale * s * s), smooth = std::sqrt(s * s + e);
                // 1 − s/D without cancellation
                energy +=
                    half * weights[n] * m_polynomials.at(spring, s / restLength).force * e / (smooth * (smooth + s));
            }
    return energy;
}

static const core::RegisterComponent registeredPolynomialRestShapeSpringsForceField =
    core::RegisterComponent("PolynomialRestShapeSpringsForceField", "ForceField",
                            "Sofa.Component.SolidMechanics.Spring")
        .help(
            "Springs whose force is a polynomial of the strain, that pull points to their rest positions or to "
            "another state")
        .example("component/spring/PolynomialSprings.scn")
        .add<PolynomialRestShapeSpringsForceField, core::Vec3Types, core::Vec1Types>();

}  // namespace sofa::component
