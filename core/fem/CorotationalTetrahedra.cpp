// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/CorotationalTetrahedra.h"

#include <numeric>
#include <stdexcept>
#include <string>

#include "core/fem/FastPolar.h"

namespace sofa::core {

namespace {

/// Polar factor that SOFA assigns to three edges (the rows of A): Q = (orthogonal factor of A)ᵀ.
Mat3 polarFrame(const Vec3 (&d)[3]) { return fastPolarOrthogonal(Mat3::fromRows(d[0], d[1], d[2])).transposed(); }

Vec3 edgeOf(const Vector<Vec3>& x, const Tetrahedron& t, std::size_t k) { return x[t[k + 1]] - x[t[0]]; }

[[noreturn]] void throwDegenerate(Index e, const Tetrahedron& t)
{
    std::string text = "tetrahedron " + std::to_string(e) + " (vertices";
    for (const Index v : t) text += ' ' + std::to_string(v);
    throw std::runtime_error(text + ") has no volume in its rest shape");
}

}  // namespace

void CorotationalTetrahedra::build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
                                   bool updateGradients)
{
    m_graph.build(elements, static_cast<Index>(rest.size()));
    m_method = method;
    m_updateGradients = updateGradients && method != RotationMethod::Small;
    const std::size_t n = elements.size();
    m_rest.resize(n);
    m_tangent.assign(n, {});
    m_volume.resize(n);
    m_restFrame.resize(method == RotationMethod::Small ? 0 : n);
    m_plasticStrain.resize(n);
    m_nbInverted = 0;

    for (Index e = 0; e < n; ++e) {
        const Tetrahedron& t = elements[e];
        const Vec3 d[3] = {edgeOf(rest, t, 0), edgeOf(rest, t, 1), edgeOf(rest, t, 2)};
        Shape s;
        // The rest shape of Svd is that of Polar: it is neither collapsed nor inverted with respect to itself.
        frameAndEdges(d, method == RotationMethod::Svd ? RotationMethod::Polar : method, s);
        Rest& r = m_rest[e];
        const Vec3 areas[3] = {cross(s.edge[1], s.edge[2]), cross(s.edge[2], s.edge[0]), cross(s.edge[0], s.edge[1])};
        r.volume6 = dot(s.edge[0], areas[0]);
        m_volume[e] = std::abs(r.volume6) / 6.;
        for (std::size_t k = 0; k < 3; ++k) {
            r.edge[k] = s.edge[k];
            r.gradient[k] = areas[k] / r.volume6;
            if (!(m_volume[e] > 0.) || !isFinite(r.gradient[k])) throwDegenerate(e, t);
        }
        // Orientation is that of the mesh; the polar frame of an inverted element is itself a reflection.
        if (dot(d[0], cross(d[1], d[2])) < 0.) ++m_nbInverted;
        if (!m_restFrame.empty()) m_restFrame[e] = s.frame;
        Tangent& tangent = m_tangent[e];
        for (std::size_t k = 0; k < 3; ++k) tangent.c[k + 1] = s.frame * r.gradient[k];
        tangent.c[0] = -(tangent.c[1] + tangent.c[2] + tangent.c[3]);
    }
    m_frame.clear();
    if (m_updateGradients) m_frame = m_restFrame;
}

void CorotationalTetrahedra::setMaterial(Index e, const LameParameters& material)
{
    m_tangent[e].lambdaV = material.lambda * m_volume[e];
    m_tangent[e].muV = material.mu * m_volume[e];
}

void CorotationalTetrahedra::frameAndEdges(const Vec3 (&d)[3], RotationMethod method, Shape& s)
{
    if (method == RotationMethod::Large)
        s.frame = fastEdgeFrame(d[0], d[1]);
    else if (method == RotationMethod::Small)
        s.frame = Mat3::identity();
    else
        s.frame = polarFrame(d);
    for (std::size_t k = 0; k < 3; ++k)
        s.edge[k] = method == RotationMethod::Small ? d[k] : transposeTimes(s.frame, d[k]);
}

template <RotationMethod method>
CorotationalTetrahedra::Shape CorotationalTetrahedra::shapeOf(Index e, const Vector<Vec3>& x) const
{
    const Tetrahedron& t = m_graph.elements()[e];
    const Vec3 d[3] = {edgeOf(x, t, 0), edgeOf(x, t, 1), edgeOf(x, t, 2)};
    Shape s;
    if constexpr (method == RotationMethod::Svd) {
        // A (rows: deformed edges) times the inverse of the rest edges, whose columns are the gradients ∇N_k.
        const Mat3& q0 = m_restFrame[e];
        const Rest& r = m_rest[e];
        const Mat3 a = Mat3::fromRows(d[0], d[1], d[2]) *
                       Mat3::fromColumns(q0 * r.gradient[0], q0 * r.gradient[1], q0 * r.gradient[2]);
        constexpr double collapsed = 1e-6;  // SOFA's limit on the ratio of volumes
        if (determinant(a) < collapsed) {
            s.frame = q0 * fastPolarRotation(a).transposed();
            for (std::size_t k = 0; k < 3; ++k) s.edge[k] = transposeTimes(s.frame, d[k]);
            return s;
        }
    }
    frameAndEdges(d, method, s);
    return s;
}

CorotationalTetrahedra::Shape CorotationalTetrahedra::shapeOf(Index e, const Vector<Vec3>& x) const
{
    switch (m_method) {
        case RotationMethod::Small:
            return shapeOf<RotationMethod::Small>(e, x);
        case RotationMethod::Large:
            return shapeOf<RotationMethod::Large>(e, x);
        case RotationMethod::Polar:
            return shapeOf<RotationMethod::Polar>(e, x);
        case RotationMethod::Svd:
            break;
    }
    return shapeOf<RotationMethod::Svd>(e, x);
}

Mat3 CorotationalTetrahedra::gradientOf(Index e, const Shape& s, const Vec3* g) const
{
    const Rest& r = m_rest[e];
    Mat3 gradient;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 u = s.edge[k] - r.edge[k];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) gradient[i][j] += u[i] * g[k][j];
    }
    return gradient;
}

namespace {

/// Voigt form (xx, yy, zz, xy, yz, zx) with engineering shears of the symmetric part of a gradient, times `scale`.
Vec6 voigt(const Mat3& g, double scale)
{
    return Vec6{g[0][0], g[1][1], g[2][2], g[0][1] + g[1][0], g[1][2] + g[2][1], g[2][0] + g[0][2]} * scale;
}

/// Symmetric matrix whose Voigt form is `v` (shears halved), times `scale`.
Mat3 unvoigt(const Vec6& v, double scale)
{
    Mat3 m;
    for (std::size_t i = 0; i < 3; ++i) m[i][i] = v[i] * scale;
    m[0][1] = m[1][0] = 0.5 * v[3] * scale;
    m[1][2] = m[2][1] = 0.5 * v[4] * scale;
    m[2][0] = m[0][2] = 0.5 * v[5] * scale;
    return m;
}

/// One step of yielding: moves a part of the elastic strain total − p to p, and limits p.
void yieldStrain(Vec6& p, const Vec6& total, const CorotationalTetrahedra::Plasticity& law)
{
    const Vec6 elastic = total - p;
    if (norm2(elastic) > law.yieldThreshold * law.yieldThreshold) p += elastic * law.creep;
    const double n2 = norm2(p);
    if (n2 > law.maxThreshold * law.maxThreshold) p *= law.maxThreshold / std::sqrt(n2);
}

}  // namespace

template <RotationMethod method>
void CorotationalTetrahedra::elementForce(Index e, const Vector<Vec3>& x, Vec3* f)
{
    const Shape s = shapeOf<method>(e, x);
    const Rest& r = m_rest[e];
    Tangent& t = m_tangent[e];
    Vec3 g[3] = {r.gradient[0], r.gradient[1], r.gradient[2]};
    if (m_updateGradients) {
        for (std::size_t k = 0; k < 3; ++k) g[k] = cross(s.edge[(k + 1) % 3], s.edge[(k + 2) % 3]) / r.volume6;
        m_frame[e] = s.frame;
    }
    Mat3 gradient = gradientOf(e, s, g);
    if (m_plasticity.maxThreshold > 0.) {
        const Vec6 total = voigt(gradient, r.volume6);
        yieldStrain(m_plasticStrain[e], total, m_plasticity);
        gradient = unvoigt(total - m_plasticStrain[e], 1. / r.volume6);
    }
    const Mat3 stressV = isotropicStress(gradient, t.lambdaV, t.muV);
    if constexpr (method == RotationMethod::Small) {
        for (std::size_t k = 0; k < 3; ++k) f[k + 1] = -(stressV * g[k]);
    } else {
        for (std::size_t k = 0; k < 3; ++k) {
            f[k + 1] = s.frame * -(stressV * g[k]);
            t.c[k + 1] = s.frame * g[k];
        }
        t.c[0] = -(t.c[1] + t.c[2] + t.c[3]);
    }
    f[0] = -(f[1] + f[2] + f[3]);
}

void CorotationalTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    const auto run = [&]<RotationMethod method>() {
        m_graph.accumulate(f, [&](Index e, Vec3* out) { elementForce<method>(e, x, out); });
    };
    switch (m_method) {
        case RotationMethod::Small:
            return run.operator()<RotationMethod::Small>();
        case RotationMethod::Large:
            return run.operator()<RotationMethod::Large>();
        case RotationMethod::Polar:
            return run.operator()<RotationMethod::Polar>();
        case RotationMethod::Svd:
            return run.operator()<RotationMethod::Svd>();
    }
}

void CorotationalTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const Tetrahedron& v = m_graph.elements()[e];
        const Tangent& t = m_tangent[e];
        Mat3 gradient;
        for (std::size_t k = 1; k < 4; ++k) {
            const Vec3 d = dx[v[k]] - dx[v[0]];
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) gradient[i][j] += d[i] * t.c[k][j];
        }
        const Mat3 stressV = isotropicStress(gradient, factor * t.lambdaV, factor * t.muV);
        for (std::size_t k = 1; k < 4; ++k) out[k] = -(stressV * t.c[k]);
        out[0] = -(out[1] + out[2] + out[3]);
    });
}

void CorotationalTetrahedra::addStiffness(BlockSink& sink) const
{
    m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
        const Tangent& t = m_tangent[e];
        return isotropicStiffnessBlock(t.c[i], t.c[j], t.lambdaV, t.muV);
    });
}

double CorotationalTetrahedra::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) {
        Mat3 g = corotatedGradient(e, x);
        if (m_plasticity.maxThreshold > 0.) {
            const double v6 = m_rest[e].volume6;
            g = unvoigt(voigt(g, v6) - m_plasticStrain[e], 1. / v6);
        }
        return 0.5 * doubleContraction(isotropicStress(g, m_tangent[e].lambdaV, m_tangent[e].muV), g);
    });
}

double CorotationalTetrahedra::restVolume() const { return std::accumulate(m_volume.begin(), m_volume.end(), 0.); }

Mat3 CorotationalTetrahedra::corotatedGradient(Index e, const Vector<Vec3>& x) const
{
    return gradientOf(e, shapeOf(e, x), m_rest[e].gradient);
}

Mat3 CorotationalTetrahedra::displacementGradient(Index e, const Vector<Vec3>& x) const
{
    // F = Σ_k (x_k − x₀) ∇N_kᵀ with ∇N_k = Q₀ g_k; the displacement's gradient is F − I.
    const Tetrahedron& t = m_graph.elements()[e];
    const Rest& r = m_rest[e];
    Mat3 gradient;
    for (std::size_t k = 0; k < 3; ++k) {
        const bool rotated = !m_restFrame.empty();
        const Vec3 g = rotated ? m_restFrame[e] * r.gradient[k] : r.gradient[k];
        const Vec3 restEdge = rotated ? m_restFrame[e] * r.edge[k] : r.edge[k];
        gradient += outer(edgeOf(x, t, k) - restEdge, g);
    }
    return gradient;
}

Mat3 CorotationalTetrahedra::stress(Index e, const Mat3& gradient) const
{
    const double v = m_volume[e];
    return isotropicStress(gradient, m_tangent[e].lambdaV / v, m_tangent[e].muV / v);
}

Mat3 CorotationalTetrahedra::rotation(Index e) const
{
    if (m_restFrame.empty()) return Mat3::identity();
    if (!m_frame.empty()) return m_frame[e] * m_restFrame[e].transposed();
    // Q = Σ_k c_k (Q₀ᵀ (X_k − X₀))ᵀ, because the rest edges and their gradients are dual bases.
    Mat3 q;
    for (std::size_t k = 0; k < 3; ++k) q += outer(m_tangent[e].c[k + 1], m_rest[e].edge[k]);
    return q * m_restFrame[e].transposed();
}

}  // namespace sofa::core
