// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/CorotationalTriangles.h"

#include <cmath>
#include <limits>

namespace sofa::core {

namespace {

/// Rows: the edge a b, the normal to it in the plane, the plane's normal.
Mat3 frameOf(const Vec3& ab, const Vec3& ac)
{
    const Vec3 x = ab / norm(ab), n = cross(x, ac), z = n / norm(n);
    return Mat3::fromRows(x, cross(z, x), z);
}

}  // namespace

auto CorotationalTriangles::planeStress(double young, double poisson) -> Material
{
    const double e = young / (1. - poisson * poisson);
    return {e, e * poisson, e * 0.5 * (1. - poisson)};
}

auto CorotationalTriangles::planeStrain(double young, double poisson) -> Material
{
    const double e = young / ((1. + poisson) * (1. - 2. * poisson));
    return {e * (1. - poisson), e * poisson, e * (0.5 - poisson)};
}

void CorotationalTriangles::build(const Vector<ElementGraph<3>::Element>& triangles, const Vector<Vec3>& rest,
                                  bool large, bool turnedCorners)
{
    m_graph.build(triangles, static_cast<Index>(rest.size()));
    m_large = large;
    m_rest.resize(triangles.size());
    m_shapes.resize(triangles.size());
    for (Index e = 0; e < size(); ++e) {
        const auto& t = triangles[e];
        const Vec3 ab = rest[t[1]] - rest[t[0]], ac = rest[t[2]] - rest[t[0]];
        const double twice = norm(cross(ab, ac));
        if (!(std::abs(twice) >= std::numeric_limits<double>::epsilon()))
            throw std::runtime_error("triangle " + std::to_string(e) + " (points " + std::to_string(t[0]) + ", " +
                                     std::to_string(t[1]) + ", " + std::to_string(t[2]) + ") has no area at rest");
        Rest& r = m_rest[e];
        r.axes = large ? frameOf(ab, ac) : Mat3::identity();
        const Vec3 a = turnedCorners ? r.axes * rest[t[0]] : Vec3();
        const Vec3 b = turnedCorners ? r.axes * rest[t[1]] - a : r.axes * ab,
                   c = turnedCorners ? r.axes * rest[t[2]] - a : r.axes * ac;
        r.bx = b[0];
        r.by = large ? 0. : b[1];
        r.cx = c[0];
        r.cy = c[1];
        r.area = 0.5 * twice;
        const double inverse = 1. / twice;
        r.gradients = {{(r.by - r.cy) * inverse, r.cy * inverse, -r.by * inverse},
                       {(r.cx - r.bx) * inverse, -r.cx * inverse, r.bx * inverse}};
        r.material = {};
        m_shapes[e] = {r.axes, r.gradients, {}};
    }
}

void CorotationalTriangles::setMaterial(const std::function<Material(Index)>& of)
{
    for (Index e = 0; e < size(); ++e) {
        const Material m = of(e);
        const double a = m_rest[e].area;
        m_rest[e].material = {m.normal * a, m.coupling * a, m.shear * a};
    }
}

auto CorotationalTriangles::shapeOf(Index e, const Vector<Vec3>& x) const -> Shape
{
    const auto& t = m_graph.elements()[e];
    const Rest& r = m_rest[e];
    const Vec3 ab = x[t[1]] - x[t[0]], ac = x[t[2]] - x[t[0]];
    Shape s;
    double ub, vb = 0., uc, vc;  // displacements of b and c in the frame
    if (m_large) {
        s.axes = frameOf(ab, ac);
        const Vec3 b = s.axes * ab, c = s.axes * ac;
        const double determinant = b[0] * c[1];
        if (!(std::abs(determinant) >= std::numeric_limits<double>::epsilon()))
            throw std::runtime_error("triangle " + std::to_string(e) + " (points " + std::to_string(t[0]) + ", " +
                                     std::to_string(t[1]) + ", " + std::to_string(t[2]) +
                                     ") has collapsed to a line: smaller time steps or a stiffer material may help");
        const double inverse = 1. / determinant;
        s.gradients = {{-c[1] * inverse, c[1] * inverse, 0.},
                       {(c[0] - b[0]) * inverse, -c[0] * inverse, b[0] * inverse}};
        ub = b[0] - r.bx;
        uc = c[0] - r.cx;
        vc = c[1] - r.cy;
    } else {
        s.axes = Mat3::identity();
        s.gradients = r.gradients;
        ub = ab[0] - r.bx;
        vb = ab[1] - r.by;
        uc = ac[0] - r.cx;
        vc = ac[1] - r.cy;
    }
    const Gradients& g = s.gradients;
    const double xx = g.x[1] * ub + g.x[2] * uc, yy = g.y[1] * vb + g.y[2] * vc,
                 xy = g.y[1] * ub + g.x[1] * vb + g.y[2] * uc + g.x[2] * vc;
    const Material& d = r.material;
    s.stress = {d.normal * xx + d.coupling * yy, d.coupling * xx + d.normal * yy, d.shear * xy};
    return s;
}

void CorotationalTriangles::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    m_graph.accumulate(f, [&](Index e, Vec3* out) {
        Shape& s = m_shapes[e];
        s = shapeOf(e, x);
        for (int i = 0; i < 3; ++i)
            out[i] =
                transposeTimes(s.axes, Vec3(-(s.gradients.x[i] * s.stress[0] + s.gradients.y[i] * s.stress[2]),
                                            -(s.gradients.y[i] * s.stress[1] + s.gradients.x[i] * s.stress[2]), 0.));
        s.stress = s.stress * (1. / m_rest[e].area);
    });
}

void CorotationalTriangles::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const Shape& s = m_shapes[e];
        const Gradients& g = s.gradients;
        const Material& d = m_rest[e].material;
        double xx = 0., yy = 0., xy = 0.;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 u = s.axes * dx[m_graph.elements()[e][i]];
            xx += g.x[i] * u[0];
            yy += g.y[i] * u[1];
            xy += g.y[i] * u[0] + g.x[i] * u[1];
        }
        const double sx = factor * (d.normal * xx + d.coupling * yy), sy = factor * (d.coupling * xx + d.normal * yy),
                     t = factor * d.shear * xy;
        for (int i = 0; i < 3; ++i)
            out[i] = transposeTimes(s.axes, Vec3(-(g.x[i] * sx + g.y[i] * t), -(g.y[i] * sy + g.x[i] * t), 0.));
    });
}

void CorotationalTriangles::addStiffness(BlockSink& sink) const
{
    m_graph.addStiffness(sink, [this](Index e, std::size_t i, std::size_t j) {
        const Shape& s = m_shapes[e];
        const Gradients& g = s.gradients;
        const Material& d = m_rest[e].material;
        // B_iᵀ D B_j in the frame, then R (·) Rᵀ with the first two axes.
        const double k00 = g.x[i] * d.normal * g.x[j] + g.y[i] * d.shear * g.y[j],
                     k01 = g.x[i] * d.coupling * g.y[j] + g.y[i] * d.shear * g.x[j],
                     k10 = g.y[i] * d.coupling * g.x[j] + g.x[i] * d.shear * g.y[j],
                     k11 = g.y[i] * d.normal * g.y[j] + g.x[i] * d.shear * g.x[j];
        const Vec3 &p = s.axes[0], &q = s.axes[1];
        Mat3 k;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                k[a][b] = p[a] * (k00 * p[b] + k01 * q[b]) + q[a] * (k10 * p[b] + k11 * q[b]);
        return k;
    });
}

double CorotationalTriangles::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) {
        const Shape s = shapeOf(e, x);
        // ε = D⁻¹ σ; the stress is times the area.
        const Material& d = m_rest[e].material;
        const double determinant = d.normal * d.normal - d.coupling * d.coupling;
        if (!(determinant > 0.)) return 0.;
        const double xx = (d.normal * s.stress[0] - d.coupling * s.stress[1]) / determinant,
                     yy = (d.normal * s.stress[1] - d.coupling * s.stress[0]) / determinant, xy = s.stress[2] / d.shear;
        return 0.5 * (xx * s.stress[0] + yy * s.stress[1] + xy * s.stress[2]);
    });
}

Mat3 CorotationalTriangles::rotation(Index e) const { return m_shapes[e].axes.transposed() * m_rest[e].axes; }

}  // namespace sofa::core
