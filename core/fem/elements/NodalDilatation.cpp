// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/NodalDilatation.h"

namespace sofa::core {

namespace {
constexpr std::size_t nodeGrain = 512;
}  // namespace

void NodalDilatation::setElements(const ElementGraph<4>& graph, Vector<double> volumes,
                                  const Vector<double>& bulkModuli)
{
    m_volume = std::move(volumes);
    m_dilatation.assign(graph.size(), 0.);
    m_pressure.assign(graph.nbPoints(), 0.);
    m_nodeVolume.assign(graph.nbPoints(), 0.);
    m_nodeBulk.assign(graph.nbPoints(), 0.);
    for (Index e = 0; e < graph.size(); ++e)
        for (const Index v : graph.elements()[e]) {
            m_nodeVolume[v] += 0.25 * m_volume[e];
            m_nodeBulk[v] += 0.25 * m_volume[e] * bulkModuli[e];
        }
    for (std::size_t v = 0; v < m_nodeVolume.size(); ++v)
        if (m_nodeVolume[v] > 0.) m_nodeBulk[v] /= m_nodeVolume[v];
}

void NodalDilatation::findPressures(const Vector<Vec3>& x, double offset, const Tetrahedra& elements) const
{
    elements.graph.forEach([&](Index e) {
        const Gradients c = elements.gradients(e);
        const Tetrahedron& t = elements.graph.elements()[e];
        double sum = -offset;
        for (std::size_t k = 0; k < 3; ++k) sum += dot(c[k], x[t[k + 1]] - x[t[0]]);
        m_dilatation[e] = sum;
    });
    parallelFor(0, m_pressure.size(), nodeGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v) {
            double sum = 0.;
            elements.graph.forEachAround(static_cast<Index>(v),
                                         [&](Index e) { sum += 0.25 * m_volume[e] * m_dilatation[e]; });
            m_pressure[v] = m_nodeVolume[v] > 0. ? m_nodeBulk[v] * sum / m_nodeVolume[v] : 0.;
        }
    });
}

void NodalDilatation::addPressures(Vector<Vec3>& f, double factor, const Tetrahedra& elements) const
{
    elements.graph.accumulate(f, [&](Index e, Vec3* out) {
        const Gradients c = elements.gradients(e);
        const double pressure = meanPressure(elements.graph.elements()[e]) * (factor * m_volume[e]);
        for (std::size_t k = 0; k < 3; ++k) out[k + 1] = c[k] * -pressure;
        out[0] = -(out[1] + out[2] + out[3]);
    });
}

void NodalDilatation::addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Tetrahedra& elements) const
{
    findPressures(x, 3., elements);
    addPressures(f, 1., elements);
}

void NodalDilatation::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor,
                                          const Tetrahedra& elements) const
{
    findPressures(dx, 0., elements);
    addPressures(df, factor, elements);
}

void NodalDilatation::addStiffness(BlockSink& sink, const Tetrahedra& elements) const
{
    if (!m_couplingReady) buildStars(m_coupling, elements.graph);
    m_couplingReady = true;
    m_coupling.forEach([&](std::size_t v) {
        for (std::size_t k = m_coupling.first(v); k < m_coupling.first(v + 1); ++k) m_coupling.a[k] = {};
        if (!(m_nodeVolume[v] > 0.)) return;
        m_coupling.c[v] = m_nodeBulk[v] * m_nodeVolume[v];
        elements.graph.forEachAround(static_cast<Index>(v), [&](Index e) {
            const Gradients c = elements.gradients(e);
            const Tetrahedron& t = elements.graph.elements()[e];
            const double part = 0.25 * m_volume[e] / m_nodeVolume[v];
            Vec3 first;
            for (std::size_t k = 0; k < 3; ++k) {
                m_coupling.a[m_coupling.placeOf(v, t[k + 1])] += c[k] * part;
                first -= c[k] * part;
            }
            m_coupling.a[m_coupling.placeOf(v, t[0])] += first;
        });
    });
    m_coupling.addStiffness(sink);
}

double NodalDilatation::energy(const Vector<Vec3>& x, const Tetrahedra& elements) const
{
    findPressures(x, 3., elements);
    double sum = 0.;
    for (std::size_t v = 0; v < m_pressure.size(); ++v)
        if (m_nodeBulk[v] > 0.) sum += 0.5 * m_nodeVolume[v] * m_pressure[v] * m_pressure[v] / m_nodeBulk[v];
    return sum;
}

void NodalDilatation::addEnergies(Vector<double>& energies, const Vector<Vec3>& x, const Tetrahedra& elements) const
{
    findPressures(x, 3., elements);
    for (std::size_t e = 0; e < energies.size(); ++e)
        for (const Index v : elements.graph.elements()[e])
            if (m_nodeBulk[v] > 0.) energies[e] += 0.125 * m_volume[e] * m_pressure[v] * m_pressure[v] / m_nodeBulk[v];
}

void NodalDilatation::addStresses(Vector<Mat3>& stresses, const Vector<Vec3>& x, const Tetrahedra& elements) const
{
    findPressures(x, 3., elements);
    for (std::size_t e = 0; e < stresses.size(); ++e)
        stresses[e] += Mat3::identity() * meanPressure(elements.graph.elements()[e]);
}

}  // namespace sofa::core
