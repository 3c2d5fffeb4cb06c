// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/SurfacePressureForceField.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Event.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::ElementType;
using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Triangle;
using core::Vec3;

template <class D>
SurfacePressureForceField<D>::SurfacePressureForceField()
{
    this->d_listening.setDefault(true);
}

template <class D>
void SurfacePressureForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    reset();
}

template <class D>
void SurfacePressureForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    tryTakeFaces();
    if (this->isValid() && m_faces.empty() && !core::mayStartEmpty(*this, *l_topology, "triangles")) return;
    if (this->isValid() && d_volumeConservationMode.value() && !m_closed)
        this->msgWarning() << "the surface is not closed, so its volume means little";
}

template <class D>
void SurfacePressureForceField<D>::reinit()
{
    if (this->isValid()) tryTakeFaces();
}

template <class D>
void SurfacePressureForceField<D>::reset()
{
    m_pulse = {0., d_pressure.value() > 0.};
    m_measured = -1.;
}

template <class D>
void SurfacePressureForceField<D>::archive(core::Archive& a)
{
    a(m_pulse.pressure);
    a(m_pulse.rises);
    a(m_measured);
}

template <class D>
void SurfacePressureForceField<D>::handleEvent(const core::Event& e)
{
    const auto* begin = dynamic_cast<const core::AnimateBeginEvent*>(&e);
    if (!begin || !d_pulseMode.value()) return;
    const double end = d_pressure.value(), other = d_pressureLowerBound.value();
    const double high = end > 0. ? end : other, low = end > 0. ? other : end;
    const double speed = d_pressureSpeed.value() == 0. ? std::abs(end) : d_pressureSpeed.value();
    m_pulse.pressure += (m_pulse.rises ? speed : -speed) * begin->dt();
    if (m_pulse.rises && m_pulse.pressure >= high)
        m_pulse = {high, false};
    else if (!m_pulse.rises && m_pulse.pressure <= low)
        m_pulse = {low, true};
}

template <class D>
void SurfacePressureForceField<D>::takeFaces()
{
    const auto take = [](const auto& list, const auto& elements, bool emptied, const char* name, auto&& add) {
        const auto& indices = list.value();
        if (indices.empty() && !emptied)
            for (const auto& e : elements) add(e);
        for (const Index i : indices) {
            if (i >= elements.size())
                throw std::runtime_error(list.name() + ": there is no " + name + ' ' + std::to_string(i) + ", only " +
                                         std::to_string(elements.size()));
            add(elements[i]);
        }
    };
    m_faces.clear();
    take(d_triangleIndices, l_topology->triangles(), m_emptied[0], "triangle",
         [this](const Triangle& t) { m_faces.push_back(t); });
    m_triangleCount = m_faces.size();
    m_quadParts = likeSofa() ? 2 : 4;
    core::Vector<Triangle> surface = m_faces;
    take(d_quadIndices, l_topology->quads(), m_emptied[1], "quad", [&](const core::Quad& q) {
        addHalves(surface, q);
        addHalves(m_faces, q);
        if (m_quadParts == 4) addHalves(m_faces, {q[1], q[2], q[3], q[0]});
    });
    m_points.clear();
    for (const Triangle& t : m_faces) m_points.insert(m_points.end(), t.begin(), t.end());
    std::sort(m_points.begin(), m_points.end());
    m_points.erase(std::unique(m_points.begin(), m_points.end()), m_points.end());
    if (!m_points.empty() && m_points.back() >= this->state().size())
        throw std::runtime_error("the mesh has a point " + std::to_string(m_points.back()) + ", but the state '" +
                                 this->state().pathName() + "' has only " + std::to_string(this->state().size()));
    m_closed = isClosed(surface);
    m_loaded.clear();
    m_loads.clear();
}

template <class D>
void SurfacePressureForceField<D>::tryTakeFaces()
{
    try {
        takeFaces();
    } catch (const std::runtime_error& e) {
        this->fail(e);
    }
}

template <class D>
core::ElementLists SurfacePressureForceField<D>::elementLists()
{
    using Kind = core::ElementData::Kind;
    return {{l_topology.get(), {ElementType::Triangles}},
            {{&d_triangleIndices, Kind::Members}, {&d_quadIndices, Kind::Kept}}};
}

template <class D>
void SurfacePressureForceField<D>::followTopology(const core::TopologyChange& change)
{
    if (change.restores()) {
        m_emptied[0] = m_emptied[1] = false;
    } else {
        const bool hadQuads = !d_quadIndices.value().empty(), hadTriangles = m_triangleCount > 0;
        if (hadQuads)
            d_quadIndices.setValue(change.source(*l_topology, ElementType::Quads).withHeirs(d_quadIndices.value()));
        m_emptied[1] = m_emptied[1] || (hadQuads && d_quadIndices.value().empty());
        // All triangles of the mesh are still all of them; those of a list that is now empty are gone.
        const bool listed = d_triangleIndices.isSet();
        m_emptied[0] = m_emptied[0] || (listed && hadTriangles && d_triangleIndices.value().empty());
    }
    takeFaces();
}

template <class D>
bool SurfacePressureForceField<D>::hasBox() const
{
    return Position::of(d_min.value()) != Vec3() || Position::of(d_max.value()) != Vec3();
}

template <class D>
double SurfacePressureForceField<D>::volumeOf(const VecCoord& x) const
{
    double volume = 0.;
    for (std::size_t i = 0; i < m_faces.size(); ++i) {
        const Triangle& t = m_faces[i];
        volume += weight(i) * dot(cross(at(x, t[0]), at(x, t[1])), at(x, t[2]));
    }
    return volume / 6.;
}

template <class D>
template <class F>
void SurfacePressureForceField<D>::forEachLoaded(const VecCoord& x, F&& f) const
{
    const bool box = hasBox();
    const Vec3 low = Position::of(d_min.value()), high = Position::of(d_max.value());
    const auto inside = [&](Index i) {
        const Vec3 p = at(x, i);
        for (std::size_t k = 0; k < 3; ++k)
            if (!(p[k] >= low[k] && p[k] <= high[k])) return false;
        return true;
    };
    const bool everyTriangle = !box || !d_triangleIndices.value().empty(),
               everyQuad = !box || !d_quadIndices.value().empty();
    for (std::size_t i = 0; i < m_faces.size(); ++i) {
        const Triangle& t = m_faces[i];
        const bool isQuad = i >= m_triangleCount;
        if (!(isQuad ? everyQuad : everyTriangle)) {
            // A quad is all in the box, or not: its first two parts have all of its vertices.
            const std::size_t first = isQuad ? i - (i - m_triangleCount) % m_quadParts : i;
            const std::size_t end = isQuad ? first + 2 : i + 1;
            const auto isIn = [&](const Triangle& part) { return std::all_of(part.begin(), part.end(), inside); };
            if (!std::all_of(m_faces.begin() + static_cast<std::ptrdiff_t>(first),
                             m_faces.begin() + static_cast<std::ptrdiff_t>(end), isIn))
                continue;
        }
        f(t, i);
    }
}

template <class D>
Vec3 SurfacePressureForceField<D>::loadVector(const VecCoord& x, const Triangle& t) const
{
    const Vec3 a = at(x, t[0]), n = cross(at(x, t[1]) - a, at(x, t[2]) - a), m = mainDirection();
    if (m == Vec3()) return n;
    const double length = norm(n);
    return length > 0. ? n * (std::abs(dot(n, m)) / length) : n;
}

template <class D>
Mat3 SurfacePressureForceField<D>::byNormal(const TriangleSides& t) const
{
    const Vec3 m = mainDirection(), n = t.normal();
    const double length = norm(n);
    if (m == Vec3() || likeSofa() || !(length > 0.)) return Mat3::identity();
    const Vec3 u = n / length;
    const double along = dot(u, m), sign = along < 0. ? -1. : 1.;
    return (Mat3::identity() * along + outer(u, m - u * along)) * sign;
}

template <class D>
void SurfacePressureForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    if (!this->isValid()) return;
    m_pressure = pressureNow();
    if (d_volumeConservationMode.value() && d_defaultVolume.value() != 0.) {
        const double volume = volumeOf(x);
        if (d_defaultVolume.value() == -1. && m_measured == -1.) m_measured = volume;
        if (volume == 0.)
            throw std::runtime_error(this->pathName() +
                                     ": the surface encloses no volume, so that the pressure would "
                                     "be infinite");
        m_pressure *= restVolume() / volume;
        m_volume = volume;
    }
    m_loaded.clear();
    const bool tangent = d_useTangentStiffness.value(), coupled = tangent && dependsOnVolume();
    m_loads.assign(coupled ? x.size() : 0, Vec3());
    m_gradient.assign(coupled ? x.size() : 0, Vec3());
    forEachLoaded(x, [&](const Triangle& t, std::size_t i) {
        const Vec3 load = loadVector(x, t) * weight(i) / 6.;
        for (const Index v : t) Position::addTo(f[v], load * m_pressure);
        if (tangent && (i < m_triangleCount || !likeSofa()))
            m_loaded.push_back({i, {t, at(x, t[0]), at(x, t[1]), at(x, t[2])}});
        if (coupled)
            for (const Index v : t) m_loads[v] += load;
    });
    if (!coupled) return;
    for (std::size_t i = 0; i < m_faces.size(); ++i) {
        const Triangle& t = m_faces[i];
        for (std::size_t k = 0; k < 3; ++k)
            m_gradient[t[k]] += cross(at(x, t[(k + 1) % 3]), at(x, t[(k + 2) % 3])) * weight(i) / 6.;
    }
}

template <class D>
void SurfacePressureForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& dfId)
{
    const double factor = mp.stiffnessFactor(this->d_rayleighStiffness.value());
    if (factor == 0. || !this->isValid()) return;
    core::State<D>& s = this->state();
    const auto df = s.write(dfId.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    const double p = factor * m_pressure / 6.;
    const bool directed = mainDirection() != Vec3();
    for (const auto& [face, sides] : m_loaded) {
        const auto& [a, b, c] = sides.points;
        Vec3 dn = sides.normalChange(Position::ofDeriv(dx[a]), Position::ofDeriv(dx[b]), Position::ofDeriv(dx[c]));
        if (directed) dn = byNormal(sides) * dn;
        dn *= p * weight(face);
        for (const Index v : sides.points) Position::addTo(df[v], dn);
    }
    if (m_loads.empty()) return;
    double change = 0.;
    for (const Index i : m_points) change += dot(m_gradient[i], Position::ofDeriv(dx[i]));
    const double slope = -factor * m_pressure / m_volume * change;
    for (const Index i : m_points) Position::addTo(df[i], m_loads[i] * slope);
}

template <class D>
void SurfacePressureForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    if (!this->isValid()) return;
    const double p = m_pressure / 6.;
    // In a closed surface the sum of what each vertex feels from itself is zero.
    const bool closed = m_closed && m_loaded.size() == m_faces.size() && mainDirection() == Vec3();
    for (const auto& [face, sides] : m_loaded) {
        const Triangle& t = sides.points;
        const Mat3 turn = byNormal(sides) * (p * weight(face));
        const auto d = sides.normalDerivatives();
        for (std::size_t j = 0; j < 3; ++j) {
            const auto block = Position::block(turn * d[j]);
            for (std::size_t i = 0; i < 3; ++i)
                if (i != j || !closed) k.add(t[i], t[j], block);
        }
    }
    if (m_loads.empty()) return;
    const double slope = -m_pressure / m_volume;
    for (const Index i : m_points)
        for (const Index j : m_points) k.add(i, j, Position::block(outer(m_loads[i] * slope, m_gradient[j])));
}

template <class D>
double SurfacePressureForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    if (!m_closed || hasBox() || mainDirection() != Vec3()) return std::nan("");
    const double p = pressureNow(), volume = volumeOf(x);
    if (!d_volumeConservationMode.value() || d_defaultVolume.value() == 0.) return -p * volume;
    const double rest = d_defaultVolume.value() == -1. && m_measured == -1. ? volume : restVolume();
    return -p * rest * std::log(volume / rest);
}

template <class D>
void SurfacePressureForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !this->l_state) return;
    if (hasBox()) {
        core::BoundingBox box;
        box.include(Position::of(d_min.value()));
        box.include(Position::of(d_max.value()));
        tool.boxEdges({&box, 1}, core::plainStyle(core::Color(0.f, 0.8f, 0.3f)));
    }
    const VecCoord& x = this->state().positions();
    const double scale = d_drawForceScale.value() * m_pressure / 6.;
    if (scale == 0. || (!m_points.empty() && m_points.back() >= x.size())) return;
    auto ends = tool.scratch<Vec3>();
    forEachLoaded(x, [&](const Triangle& t, std::size_t i) {
        const Vec3 load = loadVector(x, t) * (scale * weight(i));
        for (const Index v : t) {
            ends.push_back(at(x, v));
            ends.push_back(at(x, v) + load);
        }
    });
    tool.lines(ends, core::plainStyle(core::Color(0.f, 1.f, 0.5f)));
}

static const core::RegisterComponent registeredSurfacePressureForceField =
    core::RegisterComponent("SurfacePressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A pressure on triangles and quads of a mesh, along their present normals")
        .example("component/load/SurfacePressureForceField.scn")
        .add<SurfacePressureForceField, core::Vec3Types, core::Rigid3Types>();

}  // namespace sofa::component
