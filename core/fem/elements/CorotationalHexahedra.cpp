// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalHexahedra.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/fem/elements/FastPolar.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/mesh/Renumbering.h"

namespace sofa::core {

namespace {

[[noreturn]] void throwInvalid(Index e, const Hexahedron& h)
{
    std::string text = "hexahedron " + std::to_string(e) + " (vertices";
    for (const Index v : h) text += ' ' + std::to_string(v);
    throw std::runtime_error(
        text +
        ") is flat, twisted or numbered inside out: its Jacobian is not positive in the rest shape. The first four "
        "vertices go counter-clockwise round the bottom, seen from the top, and the last four lie above them");
}

/// The numbers that give a stiffness, see HexahedronStiffness.
std::array<double, hexahedronStiffnessScalars> numbersOf(const CorotationalHexahedra::Stiffness& k)
{
    std::array<double, hexahedronStiffnessScalars> numbers;
    std::size_t n = 0;
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = i + 1; j < 8; ++j)
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) numbers[n++] = k[3 * i + r][3 * j + c];
    for (std::size_t j = 1; j < 8; ++j)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = r; c < 3; ++c) numbers[n++] = k[3 * j + r][3 * j + c];
    return numbers;
}

/// True if opposite edges agree within a thousandth of their length.
bool isParallelepiped(const CorotationalHexahedra::Nodes& n)
{
    constexpr double tolerance = 0.001;
    const Vec3 lx = n[1] - n[0], lz = n[4] - n[0];
    const auto near = [](const Vec3& a, const Vec3& b, double length) { return norm(a - b) < length * tolerance; };
    const double z = norm(lz);
    return near(n[3] + lx, n[2], norm(lx)) && near(n[1] + lz, n[5], z) && near(n[2] + lz, n[6], z) &&
           near(n[3] + lz, n[7], z);
}

}  // namespace

CorotationalHexahedra::Stiffness CorotationalHexahedra::integrate(const Nodes& nodes, const LameParameters& material,
                                                                  bool* valid, Jacobian jacobian, Dilatation dilatation,
                                                                  std::span<const QuadraturePoint<3>> rule)
{
    const bool parallel = jacobian == Jacobian::ParallelEdges && isParallelepiped(nodes);
    const Mat3 edges = Mat3::fromColumns(nodes[1] - nodes[0], nodes[3] - nodes[0], nodes[4] - nodes[0]) * 0.5;
    if (valid) *valid = true;
    Stiffness k;
    const bool averaged = dilatation == Dilatation::Averaged;
    const LameParameters atPoints = averaged ? deviatoric(material) : material;
    std::array<Vec3, 8> mean{};  // times the volume
    double volume = 0.;
    for (const QuadraturePoint<3>& point : rule) {
        std::array<Vec3, 8> g = HexahedronShape::gradients(point.at);
        const Mat3 j = parallel ? edges : elementJacobian(nodes, g);
        double det = determinant(j);
        if (valid && !(det > 0.)) *valid = false;
        det *= point.weight;
        g = spatialGradients(j, g);
        for (std::size_t a = 0; a < 8; ++a)
            for (std::size_t b = a; b < 8; ++b) {
                const Mat3 block = isotropicStiffnessBlock(g[a], g[b], atPoints.lambda * det, atPoints.mu * det);
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) k[3 * a + r][3 * b + c] += block[r][c];
            }
        for (std::size_t a = 0; averaged && a < 8; ++a) mean[a] += g[a] * det;
        volume += det;
    }
    for (std::size_t a = 0; averaged && volume != 0. && a < 8; ++a)
        for (std::size_t b = a; b < 8; ++b) {
            const Mat3 block = outer(mean[a], mean[b]) * (bulkModulus(material) / volume);
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) k[3 * a + r][3 * b + c] += block[r][c];
        }
    for (std::size_t r = 0; r < 24; ++r)
        for (std::size_t c = 0; c < r; ++c) k[r][c] = k[c][r];
    return k;
}

CorotationalHexahedra::Stiffness CorotationalHexahedra::integrate(const Nodes& nodes, const Material& m,
                                                                  bool* valid) const
{
    Stiffness k = m.given    ? *m.given
                  : m.filled ? integrate(nodes, m.lame, valid, m_jacobian, m_dilatation, m.filled->rule())
                             : integrate(nodes, m.lame, valid, m_jacobian, m_dilatation);
    return k *= m.factor;
}

void CorotationalHexahedra::build(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
                                  bool updateStiffness, Jacobian jacobian, Dilatation dilatation)
{
    m_graph.build(elements, static_cast<Index>(rest.size()));
    m_method = method;
    m_updateStiffness = updateStiffness;
    if (m_exact) m_x = rest;
    m_jacobian = jacobian;
    m_dilatation = dilatation;
    m_packs.clear();
    m_frames.clear();
    resize();
    m_kinds.clear();
    m_shared.assign(1, {});
    m_place.assign(m_packs.size(), {0, true});
    for (Index e = 0; e < size(); ++e) prepareElement(e, rest);
}

void CorotationalHexahedra::resize()
{
    const std::size_t packs = (size() + packWidth - 1) / packWidth;
    m_packs.resize(packs, {});
    m_frames.resize(packs, {});
    m_restFrame.resize(size());
    m_boxes.clear();
    m_grid.clear();
    m_boxesHaveFrames = m_gridHasFrames = false;
}

template <class F>
void CorotationalHexahedra::forLanes(Index e, F&& f) const
{
    const std::size_t end = e + std::size_t{1} == size() ? m_packs.size() * packWidth : e + std::size_t{1};
    for (std::size_t slot = e; slot < end; ++slot) f(slot);
}

void CorotationalHexahedra::prepareElement(Index e, const Vector<Vec3>& rest)
{
    const Nodes nodes = nodesOf(e, rest);
    const Mat3 axes = frameOf(nodes);
    m_restFrame[e] = axes;
    forLanes(e, [&](std::size_t slot) {
        HexahedronPack& pack = m_packs[slot / packWidth];
        const std::size_t lane = slot % packWidth;
        for (std::size_t i = 0; i < 8; ++i) pack.vertex[i][lane] = m_graph.elements()[e][i];
        for (std::size_t i = 1; i < 8; ++i) {
            const Vec3 local = axes * nodes[i];
            for (std::size_t c = 0; c < 3; ++c) pack.rest[3 * (i - 1) + c][lane] = local[c];
        }
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) m_frames[slot / packWidth].axis[3 * r + c][lane] = axes[r][c];
    });
}

bool CorotationalHexahedra::follow(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest,
                                   const ElementSource& source, const ElementSource& points, Vector<Index>& touched)
{
    if (elements.empty() || source.before != size() || m_kinds.hasOwn() || 2 * touched.size() > elements.size())
        return false;
    m_graph.follow([&](Index e) -> const Hexahedron& { return elements[e]; }, static_cast<Index>(rest.size()), source,
                   points, touched);
    if (m_exact) (void)points.update(m_x, 1, [&rest](const Vector<Vec3>&, Index v, Index) { return rest[v]; });
    resize();
    if (size() % packWidth != 0) touched.push_back(size() - 1);  // that of the unused lanes
    for (const Index e : touched) prepareElement(e, rest);
    return true;
}

void CorotationalHexahedra::setMaterial(const std::function<Material(Index)>& materialOf)
{
    m_kinds.clear();
    setMaterial(identity(size()), materialOf);
}

void CorotationalHexahedra::setMaterial(const Vector<Index>& elements, const std::function<Material(Index)>& materialOf)
{
    using Kinds = StiffnessKinds<8, 3>;
    const bool isWhole = m_kinds.end() == 0;
    if (isWhole) {
        m_material.clear();
        m_sharedOf.clear();
        m_shared.clear();
        m_packed.clear();
        m_freeShared.clear();
        m_freePacked.clear();
        m_place.clear();
    }
    const auto restOf = [this](Index e) {
        const Nodes nodes = restNodes(e);
        Kinds::Offsets rest;
        std::copy(nodes.begin() + 1, nodes.end(), rest.begin());
        return rest;
    };
    const auto change = m_kinds.update(elements, size(), restOf, [&](Index e) -> std::optional<Kinds::Material> {
        const Material material = materialOf(e);
        if (isWhole) m_material.push_back(material);
        if (m_updateStiffness || material.filled || material.given) return std::nullopt;
        return Kinds::Material{material.lame, material.factor};
    });
    if (!m_updateStiffness && !m_kinds.hasOwn()) m_material.clear();
    for (const std::uint32_t k : change.fresh)
        if (k < m_sharedOf.size() && m_sharedOf[k] != nowhere)
            m_freeShared.push_back(std::exchange(m_sharedOf[k], nowhere));
    m_sharedOf.resize(m_kinds.end(), nowhere);
    for (const std::uint32_t k : change.renewed)
        if (m_sharedOf[k] != nowhere) m_shared[m_sharedOf[k]] = numbersOfKind(k);

    Vector<std::uint8_t> lanes(m_packs.size(), 0);
    const auto mark = [&](Index e) {
        forLanes(
            e, [&](std::size_t slot) { lanes[slot / packWidth] |= static_cast<std::uint8_t>(1u << slot % packWidth); });
    };
    for (const Index e : change.elements) mark(e);
    for (Index e = 0; !change.renewed.empty() && e < size(); ++e)
        if (std::ranges::binary_search(change.renewed, m_kinds[e])) mark(e);
    if (size() > 0) mark(size() - 1);  // and the unused lanes
    for (std::size_t p = lanes.size(); p < m_place.size(); ++p) releasePack(p);
    m_place.resize(lanes.size());
    for (std::size_t p = 0; p < lanes.size(); ++p)
        if (lanes[p] != 0) placePack(p, lanes[p]);
    findBoxes();
}

CorotationalHexahedra::Numbers CorotationalHexahedra::numbersOfKind(std::uint32_t kind) const
{
    const auto& k = m_kinds.kind(kind);
    Material material{k.material.lame, k.material.factor};
    if (!m_material.empty()) material = m_material[k.first];
    bool valid = true;
    const Numbers numbers = numbersOf(integrate(restNodes(k.first), material, &valid));
    if (!valid) throwInvalid(k.first, m_graph.elements()[k.first]);
    return numbers;
}

void CorotationalHexahedra::placePack(std::size_t p, std::uint8_t lanes)
{
    std::array<std::uint32_t, packWidth> kinds;
    for (std::size_t lane = 0; lane < packWidth; ++lane)
        kinds[lane] = m_kinds[static_cast<Index>(std::min<std::size_t>(p * packWidth + lane, size() - 1))];
    Place& place = m_place[p];
    const auto take = [](auto& all, Vector<std::uint32_t>& free) {
        if (free.empty()) {
            all.emplace_back();
            return static_cast<std::uint32_t>(all.size() - 1);
        }
        const std::uint32_t index = free.back();
        free.pop_back();
        return index;
    };
    const auto share = [&](std::uint32_t k) {
        if (m_sharedOf[k] == nowhere) {
            const Numbers numbers = numbersOfKind(k);
            m_sharedOf[k] = take(m_shared, m_freeShared);
            m_shared[m_sharedOf[k]] = numbers;
        }
        return m_sharedOf[k];
    };
    if (!m_updateStiffness && std::ranges::count(kinds, kinds[0]) == packWidth) {
        releasePack(p);
        place = {share(kinds[0]), true};
        return;
    }
    if (place.shared) {
        place = {take(m_packed, m_freePacked), false};
        lanes = 0xff;
    }
    for (std::size_t lane = 0; lane < packWidth; ++lane) {
        if ((lanes >> lane & 1u) == 0) continue;
        const bool isOwn = m_kinds.kind(kinds[lane]).count == 1;
        setStiffness(p, lane, isOwn ? numbersOfKind(kinds[lane]) : m_shared[share(kinds[lane])]);
    }
}

void CorotationalHexahedra::releasePack(std::size_t p)
{
    if (!m_place[p].shared) m_freePacked.push_back(m_place[p].index);
    m_place[p] = {};
}

void CorotationalHexahedra::findBoxes()
{
    m_boxes.clear();
    m_grid.clear();
    m_boxesHaveFrames = m_gridHasFrames = false;
    if (size() == 0 || m_updateStiffness || m_exact || nbStiffness() != 1) return;
    if (const auto modes = BoxHexahedra::modesOf(stiffness(0))) {
        m_boxes.build(m_graph.elements(), m_graph.nbPoints(), *modes);
        m_grid.build(m_graph.elements(), m_graph.nbPoints(), *modes);
    }
}

void CorotationalHexahedra::setStiffness(std::size_t p, std::size_t lane, const Numbers& numbers)
{
    PackNumbers& to = m_packed[m_place[p].index];
    for (std::size_t k = 0; k < numbers.size(); ++k) to.k[k][lane] = numbers[k];
}

HexahedronStiffness CorotationalHexahedra::stiffnessOfPack(std::size_t p) const
{
    const Place& place = m_place[p];
    return {place.shared ? m_shared[place.index].data() : m_packed[place.index].k[0], place.shared};
}

double CorotationalHexahedra::entry(Index e, std::size_t number) const
{
    const Place& place = m_place[e / packWidth];
    return place.shared ? m_shared[place.index][number] : m_packed[place.index].k[number][e % packWidth];
}

CorotationalHexahedra::Stiffness CorotationalHexahedra::stiffness(Index e) const
{
    Stiffness k;
    std::size_t n = 0;
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = i + 1; j < 8; ++j)
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) k[3 * i + r][3 * j + c] = k[3 * j + c][3 * i + r] = entry(e, n++);
    for (std::size_t j = 1; j < 8; ++j)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = r; c < 3; ++c) k[3 * j + r][3 * j + c] = k[3 * j + c][3 * j + r] = entry(e, n++);
    // The rows of blocks sum to zero.
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = r; c < 3; ++c) {
            for (std::size_t j = 1; j < 8; ++j) k[r][c] -= k[r][3 * j + c];
            k[c][r] = k[r][c];
        }
    return k;
}

CorotationalHexahedra::Nodes CorotationalHexahedra::nodesOf(Index e, const Vector<Vec3>& x) const
{
    const Hexahedron& h = m_graph.elements()[e];
    Nodes n;
    for (std::size_t i = 1; i < 8; ++i) n[i] = x[h[i]] - x[h[0]];
    return n;
}

CorotationalHexahedra::Nodes CorotationalHexahedra::restNodes(Index e) const
{
    Nodes n;
    for (std::size_t i = 1; i < 8; ++i)
        for (std::size_t c = 0; c < 3; ++c) n[i][c] = m_packs[e / packWidth].rest[3 * (i - 1) + c][e % packWidth];
    return n;
}

Mat3 CorotationalHexahedra::frame(Index e) const
{
    Mat3 axes;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) axes[r][c] = m_frames[e / packWidth].axis[3 * r + c][e % packWidth];
    return axes;
}

void CorotationalHexahedra::setFrame(Index e, const Mat3& axes)
{
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) m_frames[e / packWidth].axis[3 * r + c][e % packWidth] = axes[r][c];
}

Mat3 CorotationalHexahedra::frameOf(const Nodes& n, RotationMethod method)
{
    if (method == RotationMethod::Small) return Mat3::identity();
    const Vec3 h1 = (n[1] - n[0] + n[2] - n[3] + n[5] - n[4] + n[6] - n[7]) * 0.25;
    const Vec3 h2 = (n[3] - n[0] + n[2] - n[1] + n[7] - n[4] + n[6] - n[5]) * 0.25;
    if (method == RotationMethod::Large) return fastEdgeFrame(h1, h2).transposed();
    const Vec3 h3 = (n[4] - n[0] + n[5] - n[1] + n[7] - n[3] + n[6] - n[2]) * 0.25;
    return fastPolarOrthogonal(Mat3::fromRows(h1, h2, h3));
}

std::array<Mat3, 8> CorotationalHexahedra::turningOf(const Nodes& n, RotationMethod method)
{
    std::array<Mat3, 8> out{};
    if (method == RotationMethod::Small) return out;
    // Mean edges h_a = Σ_i s_ia x_i / 4, s_ia = ±1.
    std::array<Vec3, 3> h{};
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t i = 0; i < 8; ++i) h[a] += n[i] * (0.25 * HexahedronShape::corners[i][a]);
    const Mat3 axes = frameOf(n, method);
    std::array<Mat3, 3> ofEdge{};  // angular velocity = Σ_a ofEdge[a] dh_a
    if (method == RotationMethod::Large) {
        const auto [first, second] = edgeFrameTurning(axes, h[0], h[1]);
        ofEdge = {first, second, Mat3()};
    } else {
        Mat3 p;
        for (std::size_t a = 0; a < 3; ++a) p += outer(h[a], axes[a]);
        const Mat3 inverted = polarTurning(p);
        for (std::size_t a = 0; a < 3; ++a) ofEdge[a] = inverted * crossMatrix(axes[a]);
    }
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t a = 0; a < 3; ++a) out[i] += ofEdge[a] * (0.25 * HexahedronShape::corners[i][a]);
    return out;
}

FrameTurning<8> CorotationalHexahedra::exactTurning(Index e) const
{
    const Nodes nodes = nodesOf(e, m_x);
    const Mat3 axes = frameOf(nodes);
    const Stiffness k = stiffness(e);
    const Vec<24> f = k * displacement(e, nodes, axes);
    FrameTurning<8> t{turningOf(nodes, m_method), {}};
    for (std::size_t a = 0; a < 8; ++a) {
        // In the frame, where −f is the force, and back.
        t.force[a] = crossMatrix(Vec3{f[3 * a], f[3 * a + 1], f[3 * a + 2]});
        for (std::size_t b = 1; b < 8; ++b) t.force[a] -= k.block<3, 3>(3 * a, 3 * b) * crossMatrix(axes * nodes[b]);
        t.force[a] = axes.transposed() * t.force[a] * axes;
    }
    return t;
}

Vec<24> CorotationalHexahedra::displacement(Index e, const Nodes& nodes, const Mat3& axes) const
{
    const Nodes rest = restNodes(e);
    Vec<24> u;
    for (std::size_t i = 1; i < 8; ++i) {
        const Vec3 d = axes * nodes[i] - rest[i];
        for (std::size_t c = 0; c < 3; ++c) u[3 * i + c] = d[c];
    }
    return u;
}

void CorotationalHexahedra::elementForce(Index e, const Vector<Vec3>& x, double* out)
{
    const Nodes nodes = nodesOf(e, x);
    const Mat3 axes = frameOf(nodes);
    setFrame(e, axes);
    const Vec<24> f = stiffness(e) * displacement(e, nodes, axes);
    for (std::size_t i = 0; i < 8; ++i) {
        const Vec3 world = transposeTimes(axes, Vec3{f[3 * i], f[3 * i + 1], f[3 * i + 2]});
        for (std::size_t c = 0; c < 3; ++c) out[3 * i + c] = -world[c];
    }
}

void CorotationalHexahedra::updatePack(std::size_t p, const Vector<Vec3>& x)
{
    for (std::size_t lane = 0; lane < packWidth; ++lane) {
        const auto e = static_cast<Index>(std::min<std::size_t>(p * packWidth + lane, size() - 1));
        const Nodes nodes = nodesOf(e, x);
        const Mat3 axes = frameOf(nodes);
        Nodes deformed;
        for (std::size_t i = 0; i < 8; ++i) deformed[i] = axes * nodes[i];
        setStiffness(p, lane, numbersOf(integrate(deformed, m_material[e], nullptr)));
    }
}

void CorotationalHexahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    if (size() == 0) return;
    m_boxesHaveFrames = m_gridHasFrames = false;
    if (m_exact) m_x = x;
    const HexahedronKernels& kernels = hexahedronKernels();
    HexahedronKernels::Forces forces = kernels.polar;
    if (m_method == RotationMethod::Small)
        forces = kernels.given;  // the identity
    else if (m_method == RotationMethod::Large)
        forces = kernels.large;
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        if (m_updateStiffness) updatePack(p, x);
        const unsigned bad = forces(m_packs[p], stiffnessOfPack(p), x[0].data(), out, m_frames[p]);
        for (std::size_t lane = 0; lane < packWidth; ++lane)
            if (bad >> lane & 1u && p * packWidth + lane < size())
                elementForce(static_cast<Index>(p * packWidth + lane), x, out + 24 * lane);
    });
}

void CorotationalHexahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    if (size() == 0) return;
    if (m_boxes.isReady()) {
        if (!m_boxesHaveFrames) m_boxes.setFrames(m_frames);
        m_boxesHaveFrames = true;
        m_boxes.addProduct(df, dx, factor);
        return;
    }
    const HexahedronKernels& kernels = hexahedronKernels();
    m_graph.accumulatePacks(df, [&](std::size_t p, double* out) {
        kernels.product(m_packs[p], stiffnessOfPack(p), m_frames[p], dx[0].data(), factor, out);
    });
    if (m_exact) addTurningProduct(m_graph, df, dx, factor, [this](Index e) { return exactTurning(e); });
}

MatrixFreeOperator* CorotationalHexahedra::matrixFreeOperator() const
{
    if (!m_grid.isReady()) return nullptr;
    if (!m_gridHasFrames) m_grid.setFrames(m_frames);
    m_gridHasFrames = true;
    return &m_grid;
}

void CorotationalHexahedra::addStiffness(BlockSink& sink) const
{
    const HexahedronKernels& kernels = hexahedronKernels();
    const EdgeAssembly& sums = m_graph.edgeAssembly();
    m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) {
        kernels.blocks(stiffnessOfPack(p), m_frames[p], sums.transposed(p), values);
    });
    if (m_exact) addTurningStiffness(m_graph, sink, [this](Index e) { return exactTurning(e); });
}

double CorotationalHexahedra::energyOf(Index e, const Vector<Vec3>& x) const
{
    const Nodes nodes = nodesOf(e, x);
    const Vec<24> u = displacement(e, nodes, frameOf(nodes));
    return 0.5 * dot(u, stiffness(e) * u);
}

double CorotationalHexahedra::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index e) { return energyOf(e, x); });
}

void CorotationalHexahedra::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    m_graph.evaluate(out, [&](Index e) { return energyOf(e, x); });
}

}  // namespace sofa::core
