// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalTetrahedra.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/fem/elements/FastPolar.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/SimdLevel.h"

namespace sofa::core {

namespace {

/// Polar factor that SOFA assigns to three edges (the rows of A): Q = (orthogonal factor of A)ᵀ.
Mat3 polarFrame(const Vec3 (&d)[3]) { return fastPolarOrthogonal(Mat3::fromRows(d[0], d[1], d[2])).transposed(); }

/// What forces and stiffness read and write of an element, about.
constexpr std::size_t bytesPerElement = 400;

/// Volumes below this part of the rest volume take the nearest proper rotation with methods that have one: SOFA's
/// limit.
constexpr double collapsed = 1e-6;

/// Whether inverted elements have a proper rotation.
bool isProper(RotationMethod m)
{
    return m == RotationMethod::Svd || m == RotationMethod::NearestGradient || m == RotationMethod::NearestMoments;
}

Vec3 edgeOf(const Vector<Vec3>& x, const Tetrahedron& t, std::size_t k) { return x[t[k + 1]] - x[t[0]]; }

[[noreturn]] void throwDegenerate(Index e, const Tetrahedron& t)
{
    std::string text = "tetrahedron " + std::to_string(e) + " (vertices";
    for (const Index v : t) text += ' ' + std::to_string(v);
    throw std::runtime_error(text + ") has no volume in its rest shape");
}

}  // namespace

void CorotationalTetrahedra::build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
                                   bool updateGradients, Dilatation dilatation)
{
    if (updateGradients && dilatation == Dilatation::Averaged)
        throw std::runtime_error("averaged dilatation needs gradients that stay as they are");
    if (m_exact && (updateGradients || dilatation == Dilatation::Averaged))
        throw std::runtime_error("the exact tangent needs gradients and volumes of each element that stay as they are");
    const auto points = static_cast<Index>(rest.size());
    m_graph.build(elements, points);  // checks the vertices
    ElementReordering order = elementReordering(elements.empty() ? nullptr : elements[0].data(), elements.size(), 4,
                                                points, ElementOrder::Kept);
    if (!order.elements.empty()) m_graph.build(elements, points, std::move(order));
    m_method = method;
    m_updateGradients = updateGradients && method != RotationMethod::Small;
    if (m_exact) m_x = rest;
    m_dilatation = dilatation;
    m_nodes.clear();
    m_nodesReady = false;
    m_bulkModuli.assign(dilatation == Dilatation::Averaged ? elements.size() : 0, 0.);
    m_edges.clear();
    m_stiffness.clear();
    m_tangents.clear();
    m_volume6.clear();
    m_nbInverted = 0;
    resize(elements.size());
    for (std::size_t slot = 0; slot < m_packCount * packWidth; ++slot)
        prepareLane(slot, m_graph.order().elementAt(std::min(slot, elements.size() - 1)), rest);
    setPackVertices(identity(size()));
    m_frame.clear();
    if (m_updateGradients) m_frame = m_restFrame;
}

void CorotationalTetrahedra::resize(std::size_t n)
{
    m_packCount = (n + packWidth - 1) / packWidth;
    m_edges.resize(m_packCount * edgeRows() * packWidth);
    m_stiffness.resize(m_packCount * 2 * packWidth);
    m_tangents.resize(m_packCount * packWidth);
    m_volume6.resize(n);
    m_restFrame.resize(m_method == RotationMethod::Small ? 0 : n);
    m_plasticStrain.resize(n);
}

void CorotationalTetrahedra::prepareLane(std::size_t slot, Index e, const Vector<Vec3>& rest)
{
    const Tetrahedron& t = m_graph.elements()[e];
    const Vec3 d[3] = {edgeOf(rest, t, 0), edgeOf(rest, t, 1), edgeOf(rest, t, 2)};
    Shape s;
    // The rest shape of Svd is that of Polar: it is neither collapsed nor inverted with respect to itself. Methods
    // that compare with the rest shape do not rotate it.
    RotationMethod restMethod = m_method;
    if (m_method == RotationMethod::Svd) restMethod = RotationMethod::Polar;
    if (m_method >= RotationMethod::DeformationGradient) restMethod = RotationMethod::Small;
    frameAndEdges(d, restMethod, s);
    Rest r;
    for (std::size_t k = 0; k < 3; ++k) r.edge[k] = s.edge[k];
    r.findGradients();
    if (!isFinite(r.gradient[0]) || !isFinite(r.gradient[1]) || !isFinite(r.gradient[2])) throwDegenerate(e, t);
    const std::size_t pack = slot / packWidth, lane = slot % packWidth;
    double* row = &m_edges[pack * edgeRows() * packWidth + lane];
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < (edgeRows() == 6 ? k + 1 : 3); ++i, row += packWidth) *row = r.edge[k][i];
    }
    if (slot >= size()) return;  // an unused lane, which repeats the last one
    setTangent(e, s.frame, r.gradient);
    // Orientation is that of the mesh; the polar frame of an inverted element is itself a reflection.
    if (m_volume6[e] < 0.) --m_nbInverted;
    m_volume6[e] = dot(d[0], cross(d[1], d[2]));
    if (m_volume6[e] < 0.) ++m_nbInverted;
    if (!m_restFrame.empty()) m_restFrame[e] = s.frame;
}

void CorotationalTetrahedra::setPackVertices(const Vector<Index>& elements)
{
    const ElementReordering& order = m_graph.order();
    const std::size_t first = order.elements.empty() ? size() / packWidth * packWidth : 0;
    m_vertices.resize(m_packCount * packWidth - first);
    for (const Index e : elements)
        if (order.placeOf(e) >= first) m_vertices[order.placeOf(e) - first] = m_graph.elements()[e];
    for (std::size_t slot = std::max<std::size_t>(first, size() / packWidth * packWidth);
         slot < first + m_vertices.size(); ++slot)
        m_vertices[slot - first] = m_graph.elements()[order.elementAt(std::min<std::size_t>(slot, size() - 1))];
}

bool CorotationalTetrahedra::follow(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest,
                                    const ElementSource& source, const ElementSource& points, Vector<Index>& touched)
{
    if (elements.empty() || source.before != size() || averages() || touched.size() > elements.size() / 2) return false;
    m_graph.follow([&](Index e) -> const Tetrahedron& { return elements[e]; }, static_cast<Index>(rest.size()), source,
                   points, touched);
    if (m_exact) (void)points.update(m_x, 1, [&rest](const Vector<Vec3>&, Index v, Index) { return rest[v]; });
    for (const Index e : source.gone)
        if (m_volume6[e] < 0.) --m_nbInverted;
    const auto none = [](const auto& values, Index, Index) { return std::remove_cvref_t<decltype(values[0])>(); };
    (void)source.update(m_volume6, 1, none);
    (void)source.update(m_plasticStrain, 1, none);
    if (!m_restFrame.empty()) (void)source.update(m_restFrame, 1, none);
    if (!m_frame.empty()) (void)source.update(m_frame, 1, none);
    resize(elements.size());
    for (const Index e : touched) prepareLane(m_graph.order().placeOf(e), e, rest);
    for (std::size_t slot = size(); slot < m_packCount * packWidth; ++slot)
        prepareLane(slot, m_graph.order().elementAt(size() - 1), rest);
    if (!m_frame.empty())
        for (const Index e : touched) m_frame[e] = m_restFrame[e];
    setPackVertices(touched);
    return true;
}

void CorotationalTetrahedra::setMaterial(Index e, const LameParameters& given)
{
    const LameParameters material = averages() ? deviatoric(given) : given;
    if (averages()) m_bulkModuli[e] = bulkModulus(given);
    m_nodesReady = false;
    const auto [pack, lane] = placeOf(e);
    double* const row = &m_stiffness[pack * 2 * packWidth + lane];
    row[0] = material.lambda * restVolume(e);
    row[packWidth] = material.mu * restVolume(e);
    IsotropicTangent& tangent = m_tangents[m_graph.order().placeOf(e)];
    tangent.rows[0][3] = row[packWidth];
    tangent.rows[1][3] = row[0];
}

const NodalDilatation& CorotationalTetrahedra::nodes() const
{
    if (m_nodesReady) return m_nodes;
    Vector<double> volumes(size());
    for (Index e = 0; e < size(); ++e) volumes[e] = restVolume(e);
    m_nodes.setElements(m_graph, std::move(volumes), m_bulkModuli);
    m_nodesReady = true;
    return m_nodes;
}

void CorotationalTetrahedra::Rest::findGradients()
{
    for (std::size_t k = 0; k < 3; ++k) gradient[k] = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
    const double scale = 1. / dot(edge[0], gradient[0]);
    for (Vec3& g : gradient) g *= scale;
}

CorotationalTetrahedra::Rest CorotationalTetrahedra::restOf(Index e) const
{
    const auto [pack, lane] = placeOf(e);
    Rest r;
    const double* row = &m_edges[pack * edgeRows() * packWidth + lane];
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < (edgeRows() == 6 ? k + 1 : 3); ++i, row += packWidth) r.edge[k][i] = *row;
    r.findGradients();
    const double* const stiffness = &m_stiffness[pack * 2 * packWidth + lane];
    r.lambdaV = stiffness[0];
    r.muV = stiffness[packWidth];
    return r;
}

TetrahedronPack CorotationalTetrahedra::packAt(std::size_t p) const
{
    const Tetrahedron* vertices = nullptr;
    if (!m_graph.order().elements.empty())
        vertices = &m_vertices[p * packWidth];
    else
        vertices = p == size() / packWidth ? m_vertices.data() : &m_graph.elements()[p * packWidth];
    return {&m_edges[p * edgeRows() * packWidth], &m_stiffness[p * 2 * packWidth], vertices->data()};
}

Vec3 CorotationalTetrahedra::tangentOf(Index e, std::size_t k) const
{
    const double* const c = m_tangents[m_graph.order().placeOf(e)].rows[k + 1];
    return {c[0], c[1], c[2]};
}

void CorotationalTetrahedra::setTangent(Index e, const Mat3& frame, const Vec3 (&gradients)[3])
{
    IsotropicTangent& tangent = m_tangents[m_graph.order().placeOf(e)];
    Vec3 c[4];
    for (std::size_t k = 0; k < 3; ++k) c[k + 1] = frame * gradients[k];
    c[0] = -(c[1] + c[2] + c[3]);
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 3; ++i) tangent.rows[k][i] = c[k][i];
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
    if (method == RotationMethod::Large) s.edge[0][1] = s.edge[0][2] = s.edge[1][2] = 0.;  // up to rounding
}

double CorotationalTetrahedra::volumeRatio(Index e, const Vector<Vec3>& x) const
{
    const Tetrahedron& t = m_graph.elements()[e];
    return dot(edgeOf(x, t, 0), cross(edgeOf(x, t, 1), edgeOf(x, t, 2))) / m_volume6[e];
}

CorotationalTetrahedra::Shape CorotationalTetrahedra::shapeOf(Index e, const Vector<Vec3>& x) const
{
    const Tetrahedron& t = m_graph.elements()[e];
    const Vec3 d[3] = {edgeOf(x, t, 0), edgeOf(x, t, 1), edgeOf(x, t, 2)};
    Shape s;
    if (m_method == RotationMethod::Svd && volumeRatio(e, x) < collapsed) {
        // A (rows: deformed edges) times the inverse of the rest edges, whose columns are the gradients ∇N_k.
        const Mat3& q0 = m_restFrame[e];
        const Rest r = restOf(e);
        const Mat3 a = Mat3::fromRows(d[0], d[1], d[2]) *
                       Mat3::fromColumns(q0 * r.gradient[0], q0 * r.gradient[1], q0 * r.gradient[2]);
        s.frame = q0 * fastPolarRotation(a).transposed();
        for (std::size_t k = 0; k < 3; ++k) s.edge[k] = transposeTimes(s.frame, d[k]);
        return s;
    }
    if (m_method >= RotationMethod::DeformationGradient) {
        const Rest r = restOf(e);
        // Of NearestMoments and Moments, the rest edges from the mean in place of the gradients.
        const bool gradient = m_method <= RotationMethod::NearestGradient;
        const Vec3 mean = (r.edge[0] + r.edge[1] + r.edge[2]) * 0.25;
        Mat3 f;
        for (std::size_t k = 0; k < 3; ++k) f += outer(d[k], gradient ? r.gradient[k] : r.edge[k] - mean);
        s.frame = isProper(m_method) ? fastPolarRotation(f) : fastPolarOrthogonal(f);
        for (std::size_t k = 0; k < 3; ++k) s.edge[k] = transposeTimes(s.frame, d[k]);
        return s;
    }
    frameAndEdges(d, m_method, s);
    return s;
}

Mat3 CorotationalTetrahedra::gradientOf(const Shape& s, const Rest& r, const Vec3* g)
{
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

void CorotationalTetrahedra::elementForce(Index e, const Vector<Vec3>& x, Vec3* f)
{
    const Shape s = shapeOf(e, x);
    const Rest r = restOf(e);
    Vec3 g[3] = {r.gradient[0], r.gradient[1], r.gradient[2]};
    if (m_updateGradients) {
        const double v6 = r.volume6();
        for (std::size_t k = 0; k < 3; ++k) g[k] = cross(s.edge[(k + 1) % 3], s.edge[(k + 2) % 3]) / v6;
        m_frame[e] = s.frame;
    }
    Mat3 gradient = gradientOf(s, r, g);
    if (m_plasticity.maxThreshold > 0.) {
        const double v6 = r.volume6();
        const Vec6 total = voigt(gradient, v6);
        yieldStrain(m_plasticStrain[e], total, m_plasticity);
        gradient = unvoigt(total - m_plasticStrain[e], 1. / v6);
    }
    const Mat3 stressV = isotropicStress(gradient, r.lambdaV, r.muV);
    for (std::size_t k = 0; k < 3; ++k) f[k + 1] = s.frame * -(stressV * g[k]);
    setTangent(e, s.frame, g);
    f[0] = -(f[1] + f[2] + f[3]);
}

unsigned CorotationalTetrahedra::runKernel(std::size_t p, const TetrahedronKernels& kernels, const Vector<Vec3>& x,
                                           double* out, IsotropicTangent* tangents) const
{
    const TetrahedronPack pack = packAt(p);
    const double* points = x[0].data();
    const bool streamed = size() * bytesPerElement > streamedBytes;
    unsigned others = 0;
    if (m_method == RotationMethod::Small)
        kernels.small(pack, points, out);
    else if (m_method == RotationMethod::Large)
        others = kernels.large(pack, points, out, tangents, streamed);
    else if (m_method > RotationMethod::NearestGradient)
        others = kernels.moments(pack, points, out, tangents, streamed);
    else if (m_method >= RotationMethod::DeformationGradient)
        others = kernels.gradient(pack, points, out, tangents, streamed);
    else
        others = kernels.polar(pack, points, out, tangents, streamed);
    return others | collapsedLanes(p, x);
}

unsigned CorotationalTetrahedra::collapsedLanes(std::size_t p, const Vector<Vec3>& x) const
{
    unsigned lanes = 0;
    if (isProper(m_method))
        for (std::size_t lane = 0; lane < lanesOf(p); ++lane)
            if (volumeRatio(elementAt(p, lane), x) < collapsed) lanes |= 1u << lane;
    return lanes;
}

TetrahedronFrame CorotationalTetrahedra::kernelFrame() const
{
    if (m_method == RotationMethod::Small) return TetrahedronFrame::small;
    if (m_method == RotationMethod::Large) return TetrahedronFrame::large;
    if (m_method > RotationMethod::NearestGradient) return TetrahedronFrame::moments;
    if (m_method >= RotationMethod::DeformationGradient) return TetrahedronFrame::gradient;
    return TetrahedronFrame::polar;
}

unsigned CorotationalTetrahedra::runPlasticKernel(std::size_t p, const TetrahedronKernels& kernels,
                                                  const Vector<Vec3>& x, double* out)
{
    alignas(64) double strains[6][packWidth] = {};
    for (std::size_t lane = 0; lane < lanesOf(p); ++lane)
        for (std::size_t i = 0; i < 6; ++i) strains[i][lane] = m_plasticStrain[elementAt(p, lane)][i];
    const unsigned others =
        kernels.plastic(packAt(p), kernelFrame(), x[0].data(), out, &m_tangents[p * packWidth],
                        {m_plasticity.maxThreshold, m_plasticity.yieldThreshold, m_plasticity.creep}, strains) |
        collapsedLanes(p, x);
    for (std::size_t lane = 0; lane < lanesOf(p); ++lane)
        if (!(others >> lane & 1u))
            for (std::size_t i = 0; i < 6; ++i) m_plasticStrain[elementAt(p, lane)][i] = strains[i][lane];
    return others;
}

void CorotationalTetrahedra::packForces(std::size_t p, const TetrahedronKernels& kernels, const Vector<Vec3>& x,
                                        double* out)
{
    const unsigned others = m_plasticity.maxThreshold > 0. ? runPlasticKernel(p, kernels, x, out)
                                                           : runKernel(p, kernels, x, out, &m_tangents[p * packWidth]);
    if (others == 0) return;
    for (std::size_t lane = 0; lane < lanesOf(p); ++lane) {
        if (!(others >> lane & 1u)) continue;
        Vec3 f[4];
        elementForce(elementAt(p, lane), x, f);
        for (std::size_t k = 0; k < 12; ++k) out[12 * lane + k] = f[k / 3][k % 3];
    }
}

void CorotationalTetrahedra::vonMisesStresses(const Vector<Vec3>& x, bool greenStrain, Vector<double>& out) const
{
    out.resize(size());
    const TetrahedronKernels& kernels = tetrahedronKernels();
    const TetrahedronFrame frame = kernelFrame();
    parallelFor(0, m_packCount, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            alignas(64) double stresses[packWidth];
            unsigned others = kernels.vonMises(packAt(p), frame, greenStrain, x[0].data(), stresses);
            if (!greenStrain) others |= collapsedLanes(p, x);
            for (std::size_t lane = 0; lane < lanesOf(p); ++lane) {
                const Index e = elementAt(p, lane);
                out[e] = others >> lane & 1u ? vonMisesStress(stress(e, corotatedGradient(e, x))) : stresses[lane];
            }
        }
    });
}

void CorotationalTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (size() == 0) return;
    if (m_exact) m_x = x;
    if (m_updateGradients) return m_graph.accumulate(f, [&](Index e, Vec3* out) { elementForce(e, x, out); });
    const TetrahedronKernels& kernels = tetrahedronKernels();
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) { packForces(p, kernels, x, out); });
    const auto tangents = [this](Index e) { return tangentsOf(e); };
    if (averages()) nodes().addForce(f, x, {m_graph, tangents});
}

void CorotationalTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    if (size() == 0) return;
    const TetrahedronKernels& kernels = tetrahedronKernels();
    m_graph.accumulatePacks(df, [&](std::size_t p, double* out) {
        kernels.product(packAt(p), &m_tangents[p * packWidth], dx[0].data(), factor, out);
    });
    if (m_exact) addTurningProduct(m_graph, df, dx, factor, [this](Index e) { return turningOf(e); });
    const auto tangents = [this](Index e) { return tangentsOf(e); };
    if (averages()) nodes().addStiffnessProduct(df, dx, factor, {m_graph, tangents});
}

void CorotationalTetrahedra::addStiffness(BlockSink& sink) const
{
    m_graph.addIsotropicStiffness(sink, m_tangents);
    if (m_exact) addTurningStiffness(m_graph, sink, [this](Index e) { return turningOf(e); });
    const auto tangents = [this](Index e) { return tangentsOf(e); };
    if (averages()) nodes().addStiffness(sink, {m_graph, tangents});
}

FrameTurning<4> CorotationalTetrahedra::turningOf(Index e) const
{
    FrameTurning<4> t{};
    if (m_method == RotationMethod::Small || (isProper(m_method) && volumeRatio(e, m_x) < collapsed)) return t;
    const Shape s = shapeOf(e, m_x);
    const Rest r = restOf(e);
    const Mat3 stressV = isotropicStress(gradientOf(s, r, r.gradient), r.lambdaV, r.muV);
    const Vec3 mean = (r.edge[0] + r.edge[1] + r.edge[2]) * 0.25;
    Vec3 y[3], c[3], axis[3];  // edges, gradients, and Q w_k, where Q is the polar factor of Σ_k y_k w_kᵀ
    for (std::size_t k = 0; k < 3; ++k) {
        y[k] = s.frame * s.edge[k];
        c[k] = s.frame * r.gradient[k];
        axis[k] = s.frame.column(k);
        if (m_method >= RotationMethod::DeformationGradient) axis[k] = c[k];
        if (m_method >= RotationMethod::Moments) axis[k] = s.frame * (r.edge[k] - mean);
    }
    if (m_method == RotationMethod::Large) {
        const auto [first, second] = edgeFrameTurning(s.frame.transposed(), y[0], y[1]);
        t.ofNode = {-(first + second), first, second, Mat3()};
    } else {
        Mat3 p;
        for (std::size_t k = 0; k < 3; ++k) p += outer(y[k], axis[k]);
        const Mat3 inverted = polarTurning(p);
        for (std::size_t k = 0; k < 3; ++k) {
            t.ofNode[k + 1] = inverted * crossMatrix(axis[k]);
            t.ofNode[0] -= t.ofNode[k + 1];
        }
    }
    for (std::size_t a = 0; a < 3; ++a) {
        Mat3& force = t.force[a + 1];
        force = crossMatrix(s.frame * (stressV * r.gradient[a]));
        for (std::size_t b = 0; b < 3; ++b)
            force -=
                (outer(c[a], c[b]) * r.lambdaV + (outer(c[b], c[a]) + Mat3::identity() * dot(c[a], c[b])) * r.muV) *
                crossMatrix(y[b]);
        t.force[0] -= force;
    }
    return t;
}

Mat3 CorotationalTetrahedra::elasticGradient(Index e, const Rest& r, const Shape& s) const
{
    const Mat3 g = gradientOf(s, r, r.gradient);
    if (!(m_plasticity.maxThreshold > 0.)) return g;
    return unvoigt(voigt(g, r.volume6()) - m_plasticStrain[e], 1. / r.volume6());
}

double CorotationalTetrahedra::ownEnergy(Index e, const Vector<Vec3>& x) const
{
    const Rest r = restOf(e);
    const Mat3 g = elasticGradient(e, r, shapeOf(e, x));
    return 0.5 * doubleContraction(isotropicStress(g, r.lambdaV, r.muV), g);
}

NodalDilatation::Gradients CorotationalTetrahedra::turnedGradients(Index e, const Vector<Vec3>& x) const
{
    const Shape s = shapeOf(e, x);
    const Rest r = restOf(e);
    return {s.frame * r.gradient[0], s.frame * r.gradient[1], s.frame * r.gradient[2]};
}

double CorotationalTetrahedra::energy(const Vector<Vec3>& x) const
{
    const double own = m_graph.sum([&](Index e) { return ownEnergy(e, x); });
    if (!averages()) return own;
    return own + nodes().energy(x, {m_graph, [&](Index e) { return turnedGradients(e, x); }});
}

void CorotationalTetrahedra::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return ownEnergy(e, x); });
    if (averages()) nodes().addEnergies(out, x, {m_graph, [&](Index e) { return turnedGradients(e, x); }});
}

void CorotationalTetrahedra::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    m_graph.evaluate(out, [&](Index e) {
        const Shape s = shapeOf(e, x);
        return s.frame * stress(e, elasticGradient(e, restOf(e), s)) * s.frame.transposed();
    });
    if (averages()) nodes().addStresses(out, x, {m_graph, [&](Index e) { return turnedGradients(e, x); }});
}

double CorotationalTetrahedra::restVolume() const
{
    double sum = 0.;
    for (Index e = 0; e < size(); ++e) sum += restVolume(e);
    return sum;
}

Mat3 CorotationalTetrahedra::corotatedGradient(Index e, const Vector<Vec3>& x) const
{
    const Rest r = restOf(e);
    return gradientOf(shapeOf(e, x), r, r.gradient);
}

Mat3 CorotationalTetrahedra::displacementGradient(Index e, const Vector<Vec3>& x) const
{
    // F = Σ_k (x_k − x₀) ∇N_kᵀ with ∇N_k = Q₀ g_k; the displacement's gradient is F − I.
    const Tetrahedron& t = m_graph.elements()[e];
    const Rest r = restOf(e);
    const Mat3 q0 = m_restFrame.empty() ? Mat3::identity() : m_restFrame[e];
    Mat3 gradient;
    for (std::size_t k = 0; k < 3; ++k) gradient += outer(edgeOf(x, t, k) - q0 * r.edge[k], q0 * r.gradient[k]);
    return gradient;
}

Mat3 CorotationalTetrahedra::stress(Index e, const Mat3& gradient) const
{
    const Rest r = restOf(e);
    const double v = restVolume(e);
    return isotropicStress(gradient, r.lambdaV / v, r.muV / v);
}

Mat3 CorotationalTetrahedra::rotation(Index e) const
{
    if (m_restFrame.empty()) return Mat3::identity();
    if (!m_frame.empty()) return m_frame[e] * m_restFrame[e].transposed();
    // Q = Σ_k c_k (Q₀ᵀ (X_k − X₀))ᵀ, because the rest edges and their gradients are dual bases.
    const Rest r = restOf(e);
    Mat3 q;
    for (std::size_t k = 0; k < 3; ++k) q += outer(tangentOf(e, k), r.edge[k]);
    return q * m_restFrame[e].transposed();
}

}  // namespace sofa::core
