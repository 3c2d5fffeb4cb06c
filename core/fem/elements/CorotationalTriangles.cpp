// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalTriangles.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

#include "core/fem/elements/FrameTurning.h"
#include "core/mesh/Renumbering.h"

namespace sofa::core {

namespace {

/// Rows: the edge a b, the normal to it in the plane, the plane's normal.
Mat3 frameOf(const Vec3& ab, const Vec3& ac)
{
    const Vec3 x = ab * (1. / norm(ab)), n = cross(x, ac), z = n * (1. / norm(n));
    return Mat3::fromRows(x, cross(z, x), z);
}

}  // namespace

auto CorotationalTriangles::planeStress(double young, double poisson) -> Material
{
    const double e = young / (1. - poisson * poisson);
    return {.xx = e, .yy = e, .xy = e * poisson, .ss = e * 0.5 * (1. - poisson)};
}

auto CorotationalTriangles::planeStrain(double young, double poisson) -> Material
{
    const double e = young / ((1. + poisson) * (1. - 2. * poisson));
    return {.xx = e * (1. - poisson), .yy = e * (1. - poisson), .xy = e * poisson, .ss = e * (0.5 - poisson)};
}

auto CorotationalTriangles::fibrous(double along, double across, double poisson, double shear, const Vec2& direction)
    -> Material
{
    if (!(along > 0.) || !(across >= 0.) || !(poisson * poisson * across < along)) {
        std::ostringstream text;
        text << "Young's modulus along the fibres must be positive and more than Poisson's ratio squared times that "
                "across them, but they are "
             << along << " and " << across << ", with Poisson's ratio " << poisson;
        throw std::runtime_error(text.str());
    }
    const double scale = 1. / (1. - poisson * poisson * across / along);
    const double q11 = along * scale, q22 = across * scale, q12 = poisson * across * scale;
    // ψ = ½ (q11 f² + q22 g²) + q12 f g + ½ shear h², with the strain f along the fibres, g across and the shear h
    // between both: f = c² xx + s² yy + c s xy, g = s² xx + c² yy − c s xy, h = 2 c s (yy − xx) + (c² − s²) xy.
    const double c = direction[0], s = direction[1];
    const Vec3 f{c * c, s * s, c * s}, g{s * s, c * c, -c * s}, h{-2. * c * s, 2. * c * s, c * c - s * s};
    const auto d = [&](std::size_t i, std::size_t j) {
        return q11 * f[i] * f[j] + q22 * g[i] * g[j] + q12 * (f[i] * g[j] + g[i] * f[j]) + shear * h[i] * h[j];
    };
    return {.xx = d(0, 0), .yy = d(1, 1), .xy = d(0, 1), .xs = d(0, 2), .ys = d(1, 2), .ss = d(2, 2)};
}

void CorotationalTriangles::build(const Vector<ElementGraph<3>::Element>& triangles, const Vector<Vec3>& rest,
                                  Method method, bool rotatedCorners, double scale)
{
    m_graph.build(triangles, static_cast<Index>(rest.size()));
    m_method = method;
    m_rotatedCorners = rotatedCorners;
    m_scale = scale;
    if (m_exact) m_x = rest;
    m_rest.clear();
    m_packs.clear();
    m_shapes.clear();
    resize(triangles.size());
    for (Index e = 0; e < size(); ++e) prepareElement(e, rest);
}

void CorotationalTriangles::resize(std::size_t elements)
{
    const std::size_t packs = (elements + packWidth - 1) / packWidth;
    m_rest.resize(elements);
    m_packs.resize(packs, {});
    m_shapes.resize(packs, {});
}

template <class F>
void CorotationalTriangles::forLanes(Index e, F&& f) const
{
    const std::size_t end = e + std::size_t{1} == size() ? m_packs.size() * packWidth : e + std::size_t{1};
    for (std::size_t slot = e; slot < end; ++slot) f(slot / packWidth, slot % packWidth);
}

void CorotationalTriangles::prepareElement(Index e, const Vector<Vec3>& rest)
{
    const auto& t = m_graph.elements()[e];
    const bool large = m_method != Method::small;
    const Vec3 ab = (rest[t[1]] - rest[t[0]]) * m_scale, ac = (rest[t[2]] - rest[t[0]]) * m_scale;
    const double twice = norm(cross(ab, ac));
    if (!(std::abs(twice) >= std::numeric_limits<double>::epsilon()))
        throw std::runtime_error("triangle " + std::to_string(e) + " (points " + std::to_string(t[0]) + ", " +
                                 std::to_string(t[1]) + ", " + std::to_string(t[2]) + ") has no area at rest");
    Rest& r = m_rest[e];
    r.axes = large ? frameOf(ab, ac) : Mat3::identity();
    const Vec3 a = m_rotatedCorners ? r.axes * rest[t[0]] : Vec3();
    const Vec3 b = m_rotatedCorners ? (r.axes * rest[t[1]] - a) * m_scale : r.axes * ab,
               c = m_rotatedCorners ? (r.axes * rest[t[2]] - a) * m_scale : r.axes * ac;
    r.bx = b[0];
    r.by = large ? 0. : b[1];
    r.cx = c[0];
    r.cy = c[1];
    r.area = 0.5 * twice;
    const double inverse = 1. / twice;
    r.gradients = {{(r.by - r.cy) * inverse, r.cy * inverse, -r.by * inverse},
                   {(r.cx - r.bx) * inverse, -r.cx * inverse, r.bx * inverse}};
    r.material = {};
    forLanes(e, [&](std::size_t pack, std::size_t lane) {
        TrianglePack& p = m_packs[pack];
        TriangleShapes& s = m_shapes[pack];
        p.b[0][lane] = r.bx;
        p.b[1][lane] = r.by;
        p.c[0][lane] = r.cx;
        p.c[1][lane] = r.cy;
        p.inverseArea[lane] = 1. / r.area;
        for (std::size_t k = 0; k < 3; ++k) {
            p.gradients[k][lane] = s.gradients[k][lane] = r.gradients.x[k];
            p.gradients[3 + k][lane] = s.gradients[3 + k][lane] = r.gradients.y[k];
            p.vertex[k][lane] = t[k];
            s.axes[k][lane] = r.axes[0][k];
            s.axes[3 + k][lane] = r.axes[1][k];
        }
    });
}

bool CorotationalTriangles::follow(const Vector<ElementGraph<3>::Element>& triangles, const Vector<Vec3>& rest,
                                   const ElementSource& source, const ElementSource& points, Vector<Index>& touched)
{
    if (triangles.empty() || source.before != size() || 2 * touched.size() > triangles.size()) return false;
    m_graph.follow([&](Index e) -> const Triangle& { return triangles[e]; }, static_cast<Index>(rest.size()), source,
                   points, touched);
    if (m_exact) (void)points.update(m_x, 1, [&rest](const Vector<Vec3>&, Index v, Index) { return rest[v]; });
    resize(triangles.size());
    if (size() % packWidth != 0) touched.push_back(size() - 1);  // that of the unused lanes
    for (const Index e : touched) prepareElement(e, rest);
    return true;
}

void CorotationalTriangles::setMaterial(const std::function<Material(Index)>& of) { setMaterial(identity(size()), of); }

void CorotationalTriangles::setMaterial(const Vector<Index>& elements, const std::function<Material(Index)>& of)
{
    for (const Index e : elements) {
        const Material given = of(e);
        const double a = m_rest[e].area;
        const Material m =
            m_rest[e].material = {given.xx * a, given.yy * a, given.xy * a, given.xs * a, given.ys * a, given.ss * a};
        forLanes(e, [&](std::size_t pack, std::size_t lane) {
            TrianglePack& p = m_packs[pack];
            p.xx[lane] = m.xx;
            p.yy[lane] = m.yy;
            p.xy[lane] = m.xy;
            p.xs[lane] = m.xs;
            p.ys[lane] = m.ys;
            p.ss[lane] = m.ss;
        });
    }
    for (const Index e : elements) {
        TrianglePack& p = m_packs[e / packWidth];
        p.isotropic = true;
        for (std::size_t l = 0; l < packWidth; ++l)
            p.isotropic = p.isotropic && p.xx[l] == p.yy[l] && p.xs[l] == 0. && p.ys[l] == 0.;
    }
}

void CorotationalTriangles::failCollapsed(Index e) const
{
    const auto& t = m_graph.elements()[e];
    throw std::runtime_error("triangle " + std::to_string(e) + " (points " + std::to_string(t[0]) + ", " +
                             std::to_string(t[1]) + ", " + std::to_string(t[2]) +
                             ") has collapsed to a line: smaller time steps or a stiffer material may help");
}

auto CorotationalTriangles::shapeOf(Index e, const Vector<Vec3>& x) const -> Shape
{
    const auto& t = m_graph.elements()[e];
    const Rest& r = m_rest[e];
    const Vec3 ab = x[t[1]] - x[t[0]], ac = x[t[2]] - x[t[0]];
    Shape s;
    double ub, vb = 0., uc, vc;  // displacements of b and c in the frame
    s.gradients = r.gradients;
    if (m_method != Method::small) {
        s.axes = frameOf(ab, ac);
        const Vec3 b = s.axes * ab, c = s.axes * ac;
        const double determinant = b[0] * c[1];
        if (!(std::abs(determinant) >= std::numeric_limits<double>::epsilon())) failCollapsed(e);
        if (m_method == Method::large) {
            const double inverse = 1. / determinant;
            s.gradients = {{-c[1] * inverse, c[1] * inverse, 0.},
                           {(c[0] - b[0]) * inverse, -c[0] * inverse, b[0] * inverse}};
        }
        ub = b[0] - r.bx;
        uc = c[0] - r.cx;
        vc = c[1] - r.cy;
    } else {
        s.axes = Mat3::identity();
        ub = ab[0] - r.bx;
        vb = ab[1] - r.by;
        uc = ac[0] - r.cx;
        vc = ac[1] - r.cy;
    }
    const Gradients& g = s.gradients;
    const double xx = g.x[1] * ub + g.x[2] * uc, yy = g.y[1] * vb + g.y[2] * vc,
                 xy = g.y[1] * ub + g.x[1] * vb + g.y[2] * uc + g.x[2] * vc;
    const Material& d = r.material;
    s.strain = {xx, yy, xy};
    s.stress = {d.xx * xx + d.xy * yy + d.xs * xy, d.xy * xx + d.yy * yy + d.ys * xy,
                d.ss * xy + (d.xs * xx + d.ys * yy)};
    return s;
}

void CorotationalTriangles::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (size() == 0) return;
    if (m_exact) m_x = x;
    const TriangleKernels& kernels = triangleKernels();
    std::atomic<Index> collapsed{InvalidIndex};
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        const unsigned bad = kernels.forces(m_packs[p], m_method, x[0].data(), out, m_shapes[p]);
        if (bad == 0) return;
        // The first one, whichever thread finds one first. Unused lanes repeat the last triangle.
        const std::size_t lane = static_cast<std::size_t>(std::countr_zero(bad));
        const auto e = static_cast<Index>(std::min(p * packWidth + lane, m_rest.size() - 1));
        for (Index seen = collapsed; e < seen && !collapsed.compare_exchange_weak(seen, e);) {
        }
    });
    if (collapsed != InvalidIndex) failCollapsed(collapsed);
}

auto CorotationalTriangles::exactTangent(Index e) const -> std::array<std::array<Mat3, 3>, 3>
{
    const auto& t = m_graph.elements()[e];
    const Shape s = shapeOf(e, m_x);
    const Material& d = m_rest[e].material;
    const Vec3 y[3] = {Vec3(), m_x[t[1]] - m_x[t[0]], m_x[t[2]] - m_x[t[0]]};
    const Vec3 first = s.axes[0], second = s.axes[1];
    // In the frame, where f_a = −S g_a with the gradients g of the shape functions. Those of the deformed shape change
    // by dg_a = −g_b (g_a·dx_b); so does the strain, as if dx were (1 − G) dx, where G is the gradient of u.
    Vec2 g[3];
    for (std::size_t a = 0; a < 3; ++a) g[a] = {s.gradients.x[a], s.gradients.y[a]};
    const auto stress = Mat<2>::fromRows(Vec2{s.stress[0], s.stress[2]}, Vec2{s.stress[2], s.stress[1]});
    Mat<2> kept = Mat<2>::identity();
    const bool deformed = m_method == Method::large;
    if (deformed) {
        const Rest& r = m_rest[e];
        const Vec2 u[3] = {{}, {dot(first, y[1]) - r.bx, 0.}, {dot(first, y[2]) - r.cx, dot(second, y[2]) - r.cy}};
        for (std::size_t b = 1; b < 3; ++b)
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 2; ++j) kept[i][j] -= u[b][i] * g[b][j];
    }
    const auto strain = [&](std::size_t a, std::size_t i) {
        return i == 0 ? Vec3{g[a][0], 0., g[a][1]} : Vec3{0., g[a][1], g[a][0]};
    };
    std::array<std::array<Mat3, 3>, 3> k{};  // −∂f/∂x while the frame stays, in world axes
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
            Mat<2> local;
            for (std::size_t j = 0; j < 2; ++j) {
                const Vec3 w = strain(b, 0) * kept[0][j] + strain(b, 1) * kept[1][j];
                const Vec3 sigma{d.xx * w[0] + d.xy * w[1] + d.xs * w[2], d.xy * w[0] + d.yy * w[1] + d.ys * w[2],
                                 d.xs * w[0] + d.ys * w[1] + d.ss * w[2]};
                for (std::size_t i = 0; i < 2; ++i) {
                    local[i][j] = dot(strain(a, i), sigma);
                    if (deformed) local[i][j] -= dot(stress[i], g[b]) * g[a][j];
                }
            }
            k[a][b] = outer(first, first) * local[0][0] + outer(first, second) * local[0][1] +
                      outer(second, first) * local[1][0] + outer(second, second) * local[1][1];
        }
    FrameTurning<3> turning{};
    if (m_method != Method::small) {
        const auto [ofB, ofC] = edgeFrameTurning(s.axes, y[1], y[2]);
        turning.ofNode = {-(ofB + ofC), ofB, ofC};
        for (std::size_t a = 0; a < 3; ++a) {
            const Vec2 f = stress * g[a];
            turning.force[a] = crossMatrix(first * f[0] + second * f[1]);
            for (std::size_t b = 1; b < 3; ++b) turning.force[a] -= k[a][b] * crossMatrix(y[b]);
        }
    }
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) k[a][b] = turning.force[a] * turning.ofNode[b] - k[a][b];
    return k;
}

void CorotationalTriangles::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    if (size() == 0) return;
    if (m_exact)
        return m_graph.accumulate(df, [&](Index e, Vec3* out) {
            const auto k = exactTangent(e);
            const auto& t = m_graph.elements()[e];
            for (std::size_t a = 0; a < 3; ++a)
                out[a] = (k[a][0] * dx[t[0]] + k[a][1] * dx[t[1]] + k[a][2] * dx[t[2]]) * factor;
        });
    const TriangleKernels& kernels = triangleKernels();
    m_graph.accumulatePacks(
        df, [&](std::size_t p, double* out) { kernels.product(m_packs[p], m_shapes[p], dx[0].data(), factor, out); });
}

void CorotationalTriangles::addStiffness(BlockSink& sink) const
{
    for (Index e = 0; m_exact && e < size(); ++e) {
        const auto k = exactTangent(e);
        const auto& t = m_graph.elements()[e];
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) sink.add(t[a], t[b], k[a][b]);
    }
    if (size() == 0 || m_exact) return;
    const TriangleKernels& kernels = triangleKernels();
    const EdgeAssembly& sums = m_graph.edgeAssembly();
    m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) {
        kernels.blocks(m_packs[p], m_shapes[p], sums.transposed(p), values);
    });
}

double CorotationalTriangles::energyOf(Index e, const Vector<Vec3>& x) const
{
    const Shape s = shapeOf(e, x);
    return 0.5 * dot(s.strain, s.stress);  // the stress is times the area
}

double CorotationalTriangles::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

void CorotationalTriangles::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return energyOf(e, x); });
}

Mat3 CorotationalTriangles::axes(Index e) const
{
    const auto& axes = m_shapes[e / packWidth].axes;
    const std::size_t lane = e % packWidth;
    const Vec3 p{axes[0][lane], axes[1][lane], axes[2][lane]}, q{axes[3][lane], axes[4][lane], axes[5][lane]};
    return Mat3::fromRows(p, q, cross(p, q));
}

Mat3 CorotationalTriangles::rotation(Index e) const { return axes(e).transposed() * m_rest[e].axes; }

std::array<Vec2, 3> CorotationalTriangles::restCorners(Index e) const
{
    const Rest& r = m_rest[e];
    return {Vec2{0., 0.}, Vec2{r.bx, r.by}, Vec2{r.cx, r.cy}};
}

Vec3 CorotationalTriangles::stress(Index e) const
{
    const auto& s = m_shapes[e / packWidth].stress;
    const std::size_t lane = e % packWidth;
    return {s[0][lane], s[1][lane], s[2][lane]};
}

}  // namespace sofa::core
