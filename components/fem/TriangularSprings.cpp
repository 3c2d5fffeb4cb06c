// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularSprings.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// ∂edge_k/∂x_i: edge k goes from vertex k + 1 to vertex k + 2.
constexpr double edgeSigns[3][3] = {{0., -1., 1.}, {1., 0., -1.}, {-1., 1., 0.}};

}  // namespace

TriangularSprings::TriangularSprings(Measure measure) : m_measure(measure)
{
    for (const char* name : {"triangleInfo", "edgeInfo"})
        ignoreAttribute(name, "it was internal data of the component");
    ignoreAttribute("initialPoints", "the shape at rest is that of the state, as in SOFA");
}

TriangularBiquadraticSpringsForceField::TriangularBiquadraticSpringsForceField()
    : TriangularSprings(Measure::SquaredLength)
{
    ignoreAttribute("matrixRegularization", "it has no effect in SOFA either; the tangent is exact");
}

void TriangularSprings::prepare()
{
    const Vector<Triangle>& triangles = topology().triangles();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (triangles.empty() && m_graph.size() == 0 && !mayStartEmpty(*this, topology(), "triangles")) return;
    const VecCoord& rest = restPositions();
    m_graph.build(triangles, static_cast<Index>(rest.size()));
    regions.update(static_cast<Index>(triangles.size()));
    m_springs.resize(triangles.size());
    for (Index e = 0; e < triangles.size(); ++e) {
        const Triangle& t = triangles[e];
        Springs& s = m_springs[e];
        std::array<Vec3, 3> edges;
        for (std::size_t k = 0; k < 3; ++k) edges[k] = rest[t[(k + 2) % 3]] - rest[t[(k + 1) % 3]];
        s.area = 0.5 * norm(cross(edges[1], edges[2]));
        if (!(s.area > 1e-12 * norm(edges[1]) * norm(edges[2])))
            throw std::runtime_error("triangle " + std::to_string(e) + " (vertices " + std::to_string(t[0]) + ' ' +
                                     std::to_string(t[1]) + ' ' + std::to_string(t[2]) + ") has no area at rest");
        const double young = regions.valueOf(d_youngModulus, e), poisson = regions.valueOf(d_poissonRatio, e);
        const double lambda = young * poisson / (1. - poisson * poisson), mu = young / (1. + poisson);
        s.areaModulus = 3. * (lambda + mu);
        Vec3 cotangent;
        for (std::size_t k = 0; k < 3; ++k) cotangent[k] = -dot(edges[(k + 1) % 3], edges[(k + 2) % 3]) / (2. * s.area);
        for (std::size_t a = 0; a < 3; ++a) {
            const double length = norm(edges[a]);
            s.rest[a] = m_measure == Measure::Length ? length : length * length;
            for (std::size_t b = 0; b < 3; ++b) {
                const double scale = m_measure == Measure::Length ? 4. * length * norm(edges[b]) : 1.;
                const double form = 2. * (lambda + mu) * cotangent[a] * cotangent[b] + (a == b ? mu : -mu);
                s.form[a][b] = a != b && !d_useAngularSprings.value() ? 0. : scale * form / (32. * s.area);
            }
        }
    }
    m_x = rest;
    m_stiffnessReady = m_dampingReady = false;
}

auto TriangularSprings::strainOf(Index e, const VecCoord& x) const -> Strain
{
    const Triangle& t = m_graph.elements()[e];
    const Springs& springs = m_springs[e];
    Strain s;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& edge = s.edges[k] = x[t[(k + 2) % 3]] - x[t[(k + 1) % 3]];
        if (m_measure == Measure::SquaredLength) {
            s.change[k] = norm2(edge) - springs.rest[k];
            s.slopes[k] = edge * 2.;
        } else {
            // An edge that has collapsed has no direction, and no force along it.
            const double length = norm(edge);
            s.change[k] = length - springs.rest[k];
            s.slopes[k] = length > 0. ? edge / length : Vec3();
        }
    }
    if (!resistsCollapse()) return s;
    const Vec3 normal = cross(s.edges[1], s.edges[2]);
    s.doubleArea = norm(normal);
    s.loss = std::min(0.5 * s.doubleArea / springs.area - 1., 0.);
    if (s.loss < 0. && s.doubleArea > 0.) s.normal = normal / s.doubleArea;
    return s;
}

double TriangularSprings::energyOf(Index e, const VecCoord& x) const
{
    const Springs& springs = m_springs[e];
    const Strain s = strainOf(e, x);
    const double square = s.loss * s.loss;
    return 0.5 * dot(s.change, springs.form * s.change) + 0.25 * springs.areaModulus * springs.area * square * square;
}

void TriangularSprings::addElementForces(VecDeriv& f, const VecCoord& x)
{
    m_x = x;
    m_stiffnessReady = m_dampingReady = false;
    m_graph.accumulate(f, [&](Index e, Vec3* out) {
        const Springs& springs = m_springs[e];
        const Strain s = strainOf(e, x);
        const Vec3 forces = springs.form * s.change;
        const double pressure = springs.areaModulus * s.loss * s.loss * s.loss;
        for (std::size_t i = 0; i < 3; ++i) {
            // ∂area/∂x_i = ½ n × edge_i
            out[i] = cross(s.normal, s.edges[i]) * (-0.5 * pressure);
            for (std::size_t k = 0; k < 3; ++k) out[i] -= s.slopes[k] * (forces[k] * edgeSigns[k][i]);
        }
    });
}

Mat<9> TriangularSprings::formBlocks(const Springs& springs, const Strain& s, const Vec3* forces) const
{
    // Derivatives by two edges.
    std::array<std::array<Mat3, 3>, 3> h;
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 3; ++b) h[a][b] = outer(s.slopes[a], s.slopes[b]) * springs.form[a][b];
        if (!forces) continue;
        if (m_measure == Measure::SquaredLength) {
            h[a][a] += Mat3::identity() * (2. * (*forces)[a]);
        } else if (const double length = norm(s.edges[a]); length > 0.) {
            if (likeSofa() && d_useAngularSprings.value()) h[a][a] *= springs.rest[a] / length;
            h[a][a] += (Mat3::identity() - outer(s.slopes[a], s.slopes[a])) * ((*forces)[a] / length);
        }
    }
    Mat<9> out;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            Mat3 sum;
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = 0; b < 3; ++b)
                    if (a != i && b != j) sum += h[a][b] * (edgeSigns[a][i] * edgeSigns[b][j]);
            out.setBlock(3 * i, 3 * j, sum);
        }
    return out;
}

Mat<9> TriangularSprings::stiffnessOf(Index e) const
{
    const Springs& springs = m_springs[e];
    const Strain s = strainOf(e, m_x);
    const Vec3 forces = springs.form * s.change;
    Mat<9> k = formBlocks(springs, s, &forces);
    if (!(s.loss < 0.) || !(s.doubleArea > 0.)) return k;
    // The normal N of twice the area has dN = Σ edge_i × dx_i, and d(edge_i) = Σ signs_ij dx_j.
    const double slope = springs.areaModulus * s.loss * s.loss * s.loss,
                 curvature = 3. * springs.areaModulus * s.loss * s.loss / springs.area;
    const Mat3 one = Mat3::identity(), across = one - outer(s.normal, s.normal), turn = crossMatrix(s.normal);
    const double mixed = likeSofa() ? -s.loss : 0., sign = likeSofa() ? -1. : 1.;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const Mat3 ei = crossMatrix(s.edges[i]), ej = crossMatrix(s.edges[j]);
            const Mat3 second = ei.transposed() * across * ej * ((mixed > 0. ? -1. : 0.5) / s.doubleArea) +
                                turn * (0.5 * sign * edgeSigns[i][j]);
            const Vec3 gi = cross(s.normal, s.edges[i]) * 0.5, gj = cross(s.normal, s.edges[j]) * 0.5;
            const Mat3 first = outer(gi, gj) * (1. - mixed) + one * (mixed * dot(gi, gj));
            k.setBlock(3 * i, 3 * j, k.block<3, 3>(3 * i, 3 * j) + second * slope + first * curvature);
        }
    return k;
}

void TriangularSprings::keepStiffness() const
{
    if (m_stiffnessReady) return;
    m_stiffness.resize(m_graph.size());
    m_graph.forEach([&](Index e) { m_stiffness[e] = stiffnessOf(e); });
    m_stiffnessReady = true;
}

void TriangularSprings::keepDamping() const
{
    if (m_dampingReady) return;
    m_damping.resize(m_graph.size());
    m_graph.forEach([&](Index e) { m_damping[e] = formBlocks(m_springs[e], strainOf(e, m_x), nullptr); });
    m_dampingReady = true;
}

void TriangularSprings::addProducts(VecDeriv& out, const VecDeriv& v, const Vector<Mat<9>>& blocks, double factor) const
{
    m_graph.accumulate(out, [&](Index e, Vec3* sums) {
        const Triangle& t = m_graph.elements()[e];
        for (std::size_t i = 0; i < 3; ++i) {
            sums[i] = {};
            for (std::size_t j = 0; j < 3; ++j) sums[i] -= blocks[e].block<3, 3>(3 * i, 3 * j) * v[t[j]] * factor;
        }
    });
}

void TriangularSprings::addBlocks(BlockSink& sink, const Vector<Mat<9>>& blocks, double factor) const
{
    if (m_graph.size() > 0)
        m_graph.addStiffness(
            sink, [&](Index e, std::size_t i, std::size_t j) { return blocks[e].block<3, 3>(3 * i, 3 * j) * factor; });
}

void TriangularSprings::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    keepStiffness();
    addProducts(df, dx, m_stiffness, factor);
}

void TriangularSprings::addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    ElementForceField::addForce(mp, f, x, v);
    if (!hasDamping() || !isValid()) return;
    keepDamping();
    addProducts(f, v, m_damping, d_dampingRatio.value());
}

void TriangularSprings::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    ElementForceField::addDForce(mp, df);
    if (!hasDamping() || mp.bFactor == 0. || !isValid()) return;
    keepDamping();
    addProducts(*state().write(df.at(state())), state().read(mp.dx.at(state())), m_damping,
                mp.bFactor * d_dampingRatio.value());
}

void TriangularSprings::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (!isValid()) return;
    keepStiffness();
    addBlocks(k, m_stiffness, 1.);
}

void TriangularSprings::buildDamping(const MechanicalParams&, BlockSink& b)
{
    if (!isValid() || !hasDamping()) return;
    keepDamping();
    addBlocks(b, m_damping, d_dampingRatio.value());
}

double TriangularSprings::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

void TriangularSprings::elementEnergies(Vector<double>& out) const
{
    out.resize(m_graph.size());
    for (Index e = 0; e < m_graph.size(); ++e) out[e] = energyOf(e, state().positions());
}

void TriangularSprings::draw(DrawTool& tool)
{
    if (tool.shows(DisplayFlags::ForceFields) && l_state && l_topology)
        drawElements(tool, ElementType::Triangles, topology().triangles(), state().positions());
}

static const RegisterComponent registeredTriangularQuadraticSpringsForceField =
    RegisterComponent("TriangularQuadraticSpringsForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("A membrane of springs along the edges of triangles and between these edges, linear in their lengths")
        .example("component/spring/TriangularSprings.scn")
        .add<TriangularQuadraticSpringsForceField>();

static const RegisterComponent registeredTriangularBiquadraticSpringsForceField =
    RegisterComponent("TriangularBiquadraticSpringsForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("A St Venant-Kirchhoff membrane, as springs along the edges of triangles and between these edges")
        .example("component/spring/TriangularSprings.scn")
        .add<TriangularBiquadraticSpringsForceField>();

}  // namespace sofa::component
