// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/DilatationPatches.h"

#include <cmath>

namespace sofa::core {

namespace {

constexpr std::size_t dilatationGrain = 32;
constexpr std::size_t elementGroup = 8;  ///< elements whose points fill whole packs

/// ln φ and its derivatives.
struct Barrier
{
    double phi, first, second;
};
Barrier barrier(double j)
{
    constexpr double delta = 0.1;
    if (j >= delta) return {j, 1. / j, -1. / (j * j)};
    const double t = std::tanh(2. * (j - delta) / delta), phi = delta * (1. + 0.5 * t);
    const double first = (1. - t * t) / phi;
    return {phi, first, -4. / delta * t * (1. - t * t) / phi - first * first};
}
/// Of the linear law, whose sum takes the place of the product.
constexpr Barrier additive{1., 1., 0.};

Mat3 cofactorOf(const Mat3& f)
{
    const Vec3 a = f.column(0), b = f.column(1), c = f.column(2);
    return Mat3::fromColumns(cross(b, c), cross(c, a), cross(a, b));
}

double contraction(const Mat3& a, const Mat3& b) { return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]); }

}  // namespace

void DilatationPatches::build(Points points, PatchCoupling coupling)
{
    m_points = std::move(points);
    m_coupling = std::move(coupling);
    const std::size_t n = m_points.vertices, count = this->points(), patches = m_coupling.size();
    m_patchStart.assign(patches + 1, 0);
    m_patchWeight.assign(patches, 0.);
    for (std::size_t q = 0; q < count; ++q) {
        ++m_patchStart[m_points.patches[q] + std::size_t{1}];
        m_patchWeight[m_points.patches[q]] += m_points.weights[q];
    }
    for (std::size_t p = 0; p < patches; ++p) m_patchStart[p + 1] += m_patchStart[p];
    m_patchPoints.resize(count);
    Vector<std::size_t> next(m_patchStart.begin(), m_patchStart.end() - 1);
    m_place.resize(count * n);
    for (std::size_t q = 0; q < count; ++q) {
        const std::uint32_t p = m_points.patches[q];
        m_patchPoints[next[p]++] = q;
        for (std::size_t k = 0; k < n; ++k)
            m_place[q * n + k] = m_coupling.placeOf(p, m_points.elements[q / m_points.perElement * n + k]);
    }
    for (State* s : {&m_state, &m_other}) {
        for (auto* v : {&s->f, &s->barF, &s->stress}) v->assign(count, Mat3::identity());
        s->j.assign(count, 1.);
        s->scale.assign(count, 1.);
        s->mean.assign(patches, 1.);
    }
    for (Mat3& stress : m_state.stress) stress = {};
    m_terms.assign(m_coupling.places(), {});
    m_stiffnessReady = false;
}

void DilatationPatches::deform(const Vector<Vec3>& x, State& s) const
{
    const std::size_t n = m_points.vertices;
    parallelFor(0, points(), dilatationGrain * width, [&](std::size_t first, std::size_t last) {
        for (std::size_t q = first; q < last; ++q) {
            const Index* v = &m_points.elements[q / m_points.perElement * n];
            Mat3 f;
            for (std::size_t k = 1; k < n; ++k) f += outer(x[v[k]] - x[v[0]], m_points.gradients[q * n + k]);
            s.f[q] = f;
            s.j[q] = isLinear() ? trace(f) : determinant(f);
        }
    });
    m_coupling.forEach([&](std::size_t p) {
        double mean = 0.;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i)
            mean += m_points.weights[m_patchPoints[i]] * s.j[m_patchPoints[i]];
        s.mean[p] = m_patchWeight[p] > 0. ? mean / m_patchWeight[p] : 0.;
        const double phi = barrier(s.mean[p]).phi;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i) {
            const std::size_t q = m_patchPoints[i];
            if (isLinear()) {
                s.barF[q] = s.f[q] + Mat3::identity() * ((s.mean[p] - s.j[q]) / 3.);
                continue;
            }
            s.scale[q] = std::cbrt(phi / barrier(s.j[q]).phi);
            s.barF[q] = s.f[q] * s.scale[q];
        }
    });
}

PointLaw DilatationPatches::lawOf(std::size_t pack, const State& s) const
{
    PointLaw::Gradients f;
    for (std::size_t lane = 0; lane < width; ++lane) f[lane] = s.barF[std::min(pack * width + lane, points() - 1)];
    return {m_material, &m_parameters[pack * m_parameterCount * width], f};
}

void DilatationPatches::findStresses(State& s) const
{
    parallelFor(0, packs(), dilatationGrain, [&](std::size_t first, std::size_t last) {
        PointLaw::Gradients stresses;
        for (std::size_t p = first; p < last; ++p) {
            lawOf(p, s).stresses(stresses);
            for (std::size_t lane = 0; lane < width && p * width + lane < points(); ++lane)
                s.stress[p * width + lane] = stresses[lane];
        }
    });
}

void DilatationPatches::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (points() == 0) return;
    State& s = m_state;
    deform(x, s);
    findStresses(s);
    m_stiffnessReady = false;
    const std::size_t n = m_points.vertices;
    m_coupling.forEach([&](std::size_t p) {
        for (std::size_t k = m_coupling.first(p); k < m_coupling.first(p + 1); ++k) m_terms[k] = {};
        const double beta = (isLinear() ? additive : barrier(s.mean[p])).first / 3.;
        double work = 0.;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i) {
            const std::size_t q = m_patchPoints[i];
            work += m_points.weights[q] * contraction(s.stress[q], direction(s, q));
        }
        const double along = m_patchWeight[p] > 0. ? beta * work / m_patchWeight[p] : 0.;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i) {
            const std::size_t q = m_patchPoints[i];
            const Mat3 cofactor = cofactorOf(s.f[q]);
            const double gamma = (isLinear() ? additive : barrier(s.j[q])).first / 3.;
            const double pressure = along - gamma * contraction(s.stress[q], direction(s, q));
            for (std::size_t k = 0; k < n; ++k)
                m_terms[m_place[q * n + k]] -= (s.stress[q] * m_points.gradients[q * n + k] * s.scale[q] +
                                                volumeGradient(cofactor, q, k) * pressure) *
                                               m_points.weights[q];
        }
    });
    m_coupling.accumulate(f, m_terms);
}

void DilatationPatches::addPoint(std::size_t q, const PointLaw& law, Mat3* element) const
{
    const State& s = m_state;
    const std::size_t n = m_points.vertices, p = m_points.patches[q];
    const double weight = m_points.weights[q], scale = s.scale[q];
    const Vec3* g = &m_points.gradients[q * n];
    PointLaw::Tangent a;
    law.tangent(q % width, a);
    const Mat3 along = direction(s, q);
    Vec3 t[3];  // columns of ∂P/∂F : direction
    double tau = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) t[k] += a[k][l] * along.column(l);
        tau += dot(t[k], along.column(k));
    }
    const Barrier own = isLinear() ? additive : barrier(s.j[q]), mean = isLinear() ? additive : barrier(s.mean[p]);
    const double work = isLinear() ? 0. : contraction(s.stress[q], along), gamma = own.first / 3.;
    const double ofPatch = isLinear() ? 0. : mean.first / 3. * m_patchWork[p] / m_patchWeight[p];
    const Mat3 cofactor = cofactorOf(s.f[q]);
    Vec3 c[8], r[8];
    for (std::size_t k = 0; k < n; ++k) {
        c[k] = volumeGradient(cofactor, q, k);
        r[k] = (t[0] * g[k][0] + t[1] * g[k][1] + t[2] * g[k][2]) * scale;
        if (!isLinear()) r[k] += s.stress[q] * g[k] * scale;
        m_pointVectors[q * n + k] = (r[k] - c[k] * ((tau + work) * gamma)) * weight;
    }
    m_pointNumbers[q] = (tau + work) * weight;
    const double both = (tau + work) * gamma * gamma - work * own.second / 3.;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = k + 1; l < n; ++l) {
            Mat3 sum;
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) sum += a[i][j] * (g[k][i] * g[l][j]);
            sum = sum * (scale * scale) - (outer(c[k], r[l]) + outer(r[k], c[l])) * gamma + outer(c[k], c[l]) * both;
            // ∂²J/∂x_k ∂x_l = −[F (g_k × g_l)]ₓ
            if (!isLinear()) sum += crossMatrix(s.f[q] * cross(g[k], g[l])) * (work * own.first / 3. - ofPatch);
            *element++ += sum * weight;
        }
}

void DilatationPatches::findStiffness() const
{
    if (m_stiffnessReady) return;
    const State& s = m_state;
    const std::size_t n = m_points.vertices, pairs = n * (n - 1) / 2, per = m_points.perElement;
    m_elementBlocks.assign(elements() * pairs, {});
    m_pointVectors.resize(points() * n);
    m_pointNumbers.resize(points());
    m_patchWork.resize(m_coupling.size());
    m_coupling.forEach([&](std::size_t p) {
        m_patchWork[p] = 0.;
        if (isLinear()) return;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i) {
            const std::size_t q = m_patchPoints[i];
            m_patchWork[p] += m_points.weights[q] * contraction(s.stress[q], s.barF[q]);
        }
    });
    parallelFor(0, (elements() + elementGroup - 1) / elementGroup, 4, [&](std::size_t first, std::size_t last) {
        const std::size_t end = std::min(last * elementGroup, elements()) * per;
        for (std::size_t from = first * elementGroup * per; from < end; from += width) {
            PointLaw law = lawOf(from / width, s);
            law.findTangents();
            for (std::size_t q = from; q < std::min(from + width, end); ++q)
                addPoint(q, law, &m_elementBlocks[q / per * pairs]);
        }
    });
    m_coupling.forEach([&](std::size_t p) {
        for (std::size_t k = m_coupling.first(p); k < m_coupling.first(p + 1); ++k)
            m_coupling.a[k] = m_coupling.r[k] = {};
        const Barrier mean = isLinear() ? additive : barrier(s.mean[p]);
        const double beta = mean.first / 3.;
        double numbers = 0.;
        for (std::size_t i = m_patchStart[p]; i < m_patchStart[p + 1]; ++i) {
            const std::size_t q = m_patchPoints[i];
            const Mat3 cofactor = cofactorOf(s.f[q]);
            const double part = m_points.weights[q] / m_patchWeight[p];
            numbers += m_pointNumbers[q];
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t place = m_place[q * n + k];
                m_coupling.a[place] += volumeGradient(cofactor, q, k) * part;
                m_coupling.r[place] += m_pointVectors[q * n + k] * beta;
            }
        }
        m_coupling.c[p] = numbers * beta * beta + m_patchWork[p] * mean.second / 3.;
    });
    m_stiffnessReady = true;
}

const Vector<Mat3>& DilatationPatches::elementStiffness() const
{
    findStiffness();
    return m_elementBlocks;
}

double DilatationPatches::energy(const Vector<Vec3>& x) const
{
    if (points() == 0) return 0.;
    deform(x, m_other);
    return parallelSum(0, packs(), dilatationGrain, 0., [&](std::size_t first, std::size_t last) {
        double total = 0.;
        for (std::size_t p = first; p < last; ++p) {
            double energies[width];
            lawOf(p, m_other).energies(energies);
            for (std::size_t lane = 0; lane < width && p * width + lane < points(); ++lane)
                total += energies[lane] * m_points.weights[p * width + lane];
        }
        return total;
    });
}

void DilatationPatches::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    out.assign(elements(), 0.);
    if (points() == 0) return;
    deform(x, m_other);
    for (std::size_t p = 0; p < packs(); ++p) {
        double energies[width];
        lawOf(p, m_other).energies(energies);
        for (std::size_t lane = 0; lane < width && p * width + lane < points(); ++lane) {
            const std::size_t q = p * width + lane;
            out[q / m_points.perElement] += energies[lane] * m_points.weights[q];
        }
    }
}

void DilatationPatches::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    out.assign(elements(), {});
    if (points() == 0) return;
    deform(x, m_other);
    findStresses(m_other);
    for (std::size_t e = 0; e < elements(); ++e) {
        double volume = 0.;
        for (std::size_t q = e * m_points.perElement; q < (e + 1) * m_points.perElement; ++q) {
            volume += m_points.weights[q] * determinant(m_other.barF[q]);
            out[e] += m_other.stress[q] * m_other.barF[q].transposed() * m_points.weights[q];
        }
        out[e] = (out[e] + out[e].transposed()) * (0.5 / volume);
    }
}

}  // namespace sofa::core
