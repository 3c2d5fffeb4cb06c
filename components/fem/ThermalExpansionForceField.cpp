// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/ThermalExpansionForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/parallel/Parallel.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

std::vector<ElementData> ThermalExpansionForceField::elementValues()
{
    auto all = LinearElasticForceField::elementValues();
    all.push_back({&d_expansionCoefficient});
    return all;
}

TopologyFollower::PointLists ThermalExpansionForceField::pointLists()
{
    if (!l_state) return noLists();
    return std::vector<ElementLists>{{pointsOf(state()), {{&d_temperature}}}};
}

void ThermalExpansionForceField::checkTemperature() const
{
    const std::size_t given = d_temperature.value().size();
    if (given != 1 && given != state().size())
        throw std::runtime_error("temperature has " + std::to_string(given) + " values; expected one, or " +
                                 std::to_string(state().size()) + ", one for each point of '" + state().pathName() +
                                 "'");
}

void ThermalExpansionForceField::prepare()
{
    const Vector<Tetrahedron>& elements = topology().tetrahedra();
    if (elements.empty() && m_elements.empty() && !mayStartEmpty(*this, topology(), "tetrahedra")) return;
    // One that is linked may get its values later, from a state that starts after this.
    if (!d_temperature.parent()) checkTemperature();
    regions.update(static_cast<Index>(elements.size()));
    const VecCoord& rest = restPositions();
    m_gradients.resize(elements.size());
    m_volumes.resize(elements.size());
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const Tetrahedron& t = elements[e];
        for (const Index i : t)
            if (i >= rest.size())
                throw std::runtime_error("tetrahedron " + std::to_string(e) + " has point " + std::to_string(i) +
                                         "; the state has " + std::to_string(rest.size()) + " points");
        const Vec3 &o = rest[t[0]], a = rest[t[1]] - o, b = rest[t[2]] - o, c = rest[t[3]] - o;
        const double six = dot(a, cross(b, c));  // times the volume, negative of inverted ones
        if (six == 0.) throw std::runtime_error("tetrahedron " + std::to_string(e) + " has no volume at rest");
        auto& g = m_gradients[e];
        g[1] = cross(b, c) / six;
        g[2] = cross(c, a) / six;
        g[3] = cross(a, b) / six;
        g[0] = (g[1] + g[2] + g[3]) * -1.;
        m_volumes[e] = std::abs(six) / 6.;
    }
    m_elements = elements;
    // As at the rest shape, until there is a force.
    m_loads.assign(elements.size(), 0.);
    m_svd.assign(turns() ? elements.size() : 0, {Mat3::identity(), Vec3::filled(1.), Mat3::identity()});
    for (Index e = 0; e < elements.size(); ++e) (void)materialOf(e);
}

ThermalExpansionForceField::Heat ThermalExpansionForceField::heatOf(Index e) const
{
    const Vector<Vec<1>>& t = d_temperature.value();
    double mean = t[0][0];
    if (t.size() > 1) {
        const Tetrahedron& v = m_elements[e];
        mean = 0.25 * (t[v[0]][0] + t[v[1]][0] + t[v[2]][0] + t[v[3]][0]);
    }
    const double strain = regions.valueOf(d_expansionCoefficient, e) * (mean - d_referenceTemperature.value());
    const double pressure = 3. * bulkModulus(materialOf(e)) * strain;
    return {pressure, 1.5 * pressure * strain};
}

Mat3 ThermalExpansionForceField::gradientOf(Index e, const VecCoord& x) const
{
    const Tetrahedron& t = m_elements[e];
    const auto& g = m_gradients[e];
    Mat3 f;
    for (std::size_t k = 1; k < 4; ++k) f += outer(x[t[k]] - x[t[0]], g[k]);
    return f;
}

void ThermalExpansionForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    checkTemperature();
    const auto each = [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e) {
            m_loads[e] = m_volumes[e] * heatOf(static_cast<Index>(e)).pressure;
            if (turns()) m_svd[e] = svd(gradientOf(static_cast<Index>(e), x));
        }
    };
    parallelFor(0, m_elements.size(), 256, each);
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        const Mat3 r = turns() ? m_svd[e].u * m_svd[e].v.transposed() : Mat3::identity();
        for (std::size_t k = 0; k < 4; ++k) f[m_elements[e][k]] += r * m_gradients[e][k] * m_loads[e];
    }
}

void ThermalExpansionForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    if (!turns()) return;
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        if (m_loads[e] == 0.) continue;
        const Mat3 dr =
            polarRotationDerivative(m_svd[e], gradientOf(static_cast<Index>(e), dx)) * (factor * m_loads[e]);
        for (std::size_t k = 0; k < 4; ++k) df[m_elements[e][k]] += dr * m_gradients[e][k];
    }
}

void ThermalExpansionForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (!isValid() || !turns()) return;
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        if (m_loads[e] == 0.) continue;
        const Mat<9> dr = polarRotationGradient(m_svd[e]);
        const auto& g = m_gradients[e];
        // ∂f_ia/∂x_jc = V p Σ_bd ∂R_ab/∂F_cd g_ib g_jd
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                Mat3 block;
                for (std::size_t a = 0; a < 3; ++a)
                    for (std::size_t c = 0; c < 3; ++c) {
                        double sum = 0.;
                        for (std::size_t b = 0; b < 3; ++b)
                            for (std::size_t d = 0; d < 3; ++d) sum += dr[3 * a + b][3 * c + d] * g[i][b] * g[j][d];
                        block[a][c] = m_loads[e] * sum;
                    }
                k.add(m_elements[e][i], m_elements[e][j], block);
            }
    }
}

double ThermalExpansionForceField::energyOf(Index e, const VecCoord& x) const
{
    const Heat heat = heatOf(e);
    const Mat3 f = gradientOf(e, x);
    const Vec3 s = turns() ? svd(f).s : Vec3(f[0][0], f[1][1], f[2][2]);
    return m_volumes[e] * (heat.energy - heat.pressure * (s[0] + s[1] + s[2] - 3.));
}

double ThermalExpansionForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    checkTemperature();
    double sum = 0.;
    for (Index e = 0; e < m_elements.size(); ++e) sum += energyOf(e, x);
    return sum;
}

void ThermalExpansionForceField::elementEnergies(Vector<double>& out) const
{
    checkTemperature();
    out.clear();
    for (Index e = 0; e < m_elements.size(); ++e) out.push_back(energyOf(e, state().positions()));
}

void ThermalExpansionForceField::stresses(const Shape& shape, Vector<Mat3>& out) const
{
    LinearElasticForceField::stresses(shape, out);
    checkTemperature();
    for (Index e = 0; e < std::min(out.size(), m_elements.size()); ++e) out[e] -= Mat3::identity() * heatOf(e).pressure;
}

void ThermalExpansionForceField::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !isValid() || !l_state || !l_topology) return;
    const Vector<Vec<1>>& t = d_temperature.value();
    if (t.size() != state().size() || t.empty()) return;
    const auto [low, high] = std::ranges::minmax(t, {}, [](const Vec<1>& v) { return v[0]; });
    auto colors = tool.scratch<Color>();
    const ColorMap map;
    for (const Vec<1>& v : t) colors.push_back(map.of(v[0], low[0], high[0]));
    ElementDrawing how;
    how.pointColors = colors;
    drawElements(tool, ElementType::Tetrahedra, topology().tetrahedra(), state().positions(), how);
}

static const RegisterComponent registeredThermalExpansionForceField =
    RegisterComponent("ThermalExpansionForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Expansion of tetrahedra by heat, beside the force field of their material")
        .example("component/fem/ThermalExpansionForceField.scn")
        .add<ThermalExpansionForceField>();

}  // namespace sofa::component
