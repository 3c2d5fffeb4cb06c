// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/UniformMass.h"

#include <algorithm>
#include <numeric>

#include "components/mass/MassDrawing.h"
#include "components/mass/RigidMassFile.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Severity;

template <class D>
typename UniformMass<D>::MassType UniformMass<D>::initialMass()
{
    MassType m{};
    Point::setScalar(m, 1.);
    return m;
}

template <class D>
UniformMass<D>::UniformMass()
{
    this->ignoreAttribute("compute_mapping_inertia", "masses below mappings are carried anyway");
    this->addAlias(d_vertexMass, "mass");
    this->addAlias(d_totalMass, "totalmass");
    m_tracker.track(d_vertexMass);
    m_tracker.track(d_totalMass);
}

template <class D>
void UniformMass<D>::parse(core::ComponentDescription& desc)
{
    // Scenes give surplus numbers now and then: "1 1 0.01 0 0 0 0.1 0 0 0 0.1 0".
    for (core::Attribute& a : desc.attributes) {
        if (a.name != "vertexMass" && a.name != "mass") continue;
        if (a.value.find_first_of("@[") != std::string::npos) continue;
        core::TextCursor c(a.value);
        for (std::size_t i = 0; i < Point::numbers && !c.atEnd(); ++i) c.token();
        if (c.atEnd()) continue;
        this->message(Severity::Warning,
                      "attribute '" + a.name + "': surplus text \"" + std::string(c.rest()) + "\" is ignored", a.where);
        a.value.resize(c.position());
    }
    Base::parse(desc);
}

template <class D>
void UniformMass<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    if (d_filename.value().text != "unused" && !d_filename.value().text.empty()) readFile();
    if (!this->isValid()) return;

    const int size = static_cast<int>(this->state().size());
    const auto [first, last] = d_localRange.value();
    if (first >= 0 && last > 0 && last + 1 < size) {
        const auto indices = d_indices.edit();
        indices->resize(static_cast<std::size_t>(std::max(0, last - first + 1)));
        std::iota(indices.begin(), indices.end(), static_cast<Index>(first));
    }
    m_all = d_indices.value().empty();
    m_points = this->state().size();

    if (d_totalMass.isSet() && d_vertexMass.isSet())
        this->msgWarning() << "both vertexMass and totalMass are given: totalMass is used";
    if (!d_totalMass.isSet() && !d_vertexMass.isSet())
        this->message(Severity::Deprecated,
                      "neither vertexMass nor totalMass is given: each point has 1 kg, as older scenes expect");
    m_fromTotal = d_totalMass.isSet();
    distribute();
}

template <class D>
void UniformMass<D>::bwdInit()
{
    if (!this->isValid() || m_all) return;
    for (const Index i : d_indices.value())
        if (i >= this->state().size())
            return this->fail("indices: point " + std::to_string(i) + " of '" + this->state().pathName() +
                              "', which has " + std::to_string(this->state().size()) + " points");
}

template <class D>
void UniformMass<D>::reinit()
{
    distribute();
}

template <class D>
void UniformMass<D>::readFile()
{
    if constexpr (!std::is_same_v<D, core::Rigid3Types>) {
        this->fail("filename: only rigid bodies read their mass from a file; this mass is of type " +
                   std::string(D::name()));
    } else {
        try {
            const RigidMassFile file = readRigidMassFile(core::requireFile(d_filename));
            if (!file.unknown.empty() && !this->tolerate("filename: " + file.unknown, "it is left out")) return;
            MassType m = d_vertexMass.value();
            const bool given = d_vertexMass.isSet();
            if (file.inertia) m.inertia = *file.inertia;
            if (file.volume) m.volume = *file.volume;
            if (file.mass && !given) m.mass = *file.mass;
            if (file.vertexMass) m.mass = *file.vertexMass;
            m.update();
            d_vertexMass.setValue(m);
            // As in SOFA, vertexMass of a file counts more than totalMass of the scene, and that more than mass of a
            // file.
            if (!given && d_totalMass.isSet())
                (file.vertexMass ? d_totalMass.setIsSet(false) : d_vertexMass.setIsSet(false));
        } catch (const std::runtime_error& e) {
            this->fail(std::string("filename: ") + e.what());
        }
    }
}

template <class D>
std::size_t UniformMass<D>::count() const
{
    return m_all ? m_points : d_indices.value().size();
}

template <class D>
void UniformMass<D>::distribute()
{
    const auto n = static_cast<double>(count());
    if (m_fromTotal) {
        if (!acceptMass(*this, d_totalMass.value(), "totalMass is " + d_totalMass.text() + " kg")) return;
        if (n > 0.) Point::setScalar(*d_vertexMass.edit(), d_totalMass.value() / n);
    } else {
        if (!acceptMass(*this, Point::scalar(d_vertexMass.value()), "vertexMass is " + d_vertexMass.text())) return;
        d_totalMass.setValue(Point::scalar(d_vertexMass.value()) * n);
    }
    if constexpr (D::isRigid)
        if (Point::scalar(d_vertexMass.value()) > 0. && !Point::isInvertible(d_vertexMass.value()))
            this->fail("vertexMass has an inertia that is not positive definite: " + d_vertexMass.text());
    if constexpr (std::is_same_v<D, core::Rigid3Types>)
        if (const std::string doubt = Point::doubt(d_vertexMass.value()); this->isValid() && !doubt.empty())
            this->msgWarning() << "vertexMass: " << doubt;
    m_tracker.changed();
}

template <class D>
void UniformMass<D>::updateIfChanged(std::size_t points)
{
    if (m_tracker.changed()) distribute();
    if (points == m_points) return;
    m_points = points;
    if (!m_all) return;
    if (d_preserveTotalMass.value() && points > 0)
        Point::setScalar(*d_vertexMass.edit(), d_totalMass.value() / static_cast<double>(points));
    else
        d_totalMass.setValue(static_cast<double>(points) * Point::scalar(d_vertexMass.value()));
    m_tracker.changed();
}

template <class D>
template <class F>
void UniformMass<D>::forEach(std::size_t points, F f) const
{
    if (m_all)
        for (std::size_t i = 0; i < points; ++i) f(i);
    else
        for (const Index i : d_indices.value()) f(i);
}

template <class D>
template <class F>
void UniformMass<D>::forEachMass(const MassType& m, const VecCoord& x, std::size_t points, F f) const
{
    if (turns())
        forEach(points, [&](std::size_t i) { f(i, Point::turned(m, x[i])); });
    else
        forEach(points, [&](std::size_t i) { f(i, m); });
}

template <class D>
void UniformMass<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    updateIfChanged(f.size());
    if (this->d_separateGravity.value()) return;
    const Deriv weight = Point::times(d_vertexMass.value(), this->gravityDeriv());
    forEach(f.size(), [&](std::size_t i) { f[i] += weight; });
}

template <class D>
void UniformMass<D>::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const
{
    const MassType m = factor == 1. ? d_vertexMass.value() : Point::scaled(d_vertexMass.value(), factor);
    forEachMass(m, x, f.size(), [&](std::size_t i, const MassType& p) { f[i] += Point::times(p, dx[i]); });
}

template <class D>
void UniformMass<D>::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const
{
    const MassType& m = d_vertexMass.value();
    forEachMass(m, x, f.size(), [&](std::size_t i, const MassType& p) { a[i] = Point::inverseTimes(p, f[i]); });
}

template <class D>
void UniformMass<D>::buildMass(core::BlockSink& sink, const VecCoord& x) const
{
    const MassType& m = d_vertexMass.value();
    forEachMass(m, x, this->state().size(),
                [&](std::size_t i, const MassType& p) { Point::addTo(sink, static_cast<Index>(i), p); });
}

template <class D>
double UniformMass<D>::pointMass(Index i) const
{
    return hasMass(i) ? Point::scalar(d_vertexMass.value()) : 0.;
}

template <class D>
bool UniformMass<D>::hasMass(Index i) const
{
    const auto& indices = d_indices.value();
    return m_all || std::find(indices.begin(), indices.end(), i) != indices.end();
}

template <class D>
void UniformMass<D>::addBodyInertia(Index i, core::Mat3& sum) const
{
    if constexpr (std::is_same_v<D, core::Rigid3Types>)
        if (hasMass(i)) sum += d_vertexMass.value().inertiaMass;
}

template <class D>
void UniformMass<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::BehaviorModels) || !this->l_state) return;
    drawAt(tool, core::vec_id::position, d_showGravityCenter.value());
    if (d_showX0.value() || d_showInitialCenterOfGravity.value())
        drawAt(tool, core::vec_id::restPosition, d_showInitialCenterOfGravity.value());
}

template <class D>
void UniformMass<D>::drawAt(core::DrawTool& tool, core::VecCoordId id, bool center) const
{
    using core::Color;
    using core::Vec3;
    const core::State<D>& s = this->state();
    const auto all = core::drawnPoints(tool, s, id);
    const bool rest = id == core::vec_id::restPosition, bodies = !rest || d_showX0.value();
    const auto factor = static_cast<double>(d_showAxisSizeFactor.value());
    const auto mass = [this](core::Index i) { return this->pointMass(i); };
    if constexpr (D::isRigid) {
        // Sides of a box with these moments of inertia per mass: I_x = (y² + z²) / 12, and so on.
        std::array<Vec3, 3> axes{Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)};
        std::size_t count = 3;
        if constexpr (std::is_same_v<D, core::Rigid3Types>) {
            const core::Mat3& inertia = d_vertexMass.value().inertia;
            const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
            for (std::size_t k = 0; k < 3; ++k)
                axes[k] *= std::sqrt(std::max(6. * (trace - 2. * inertia[k][k]), 0.)) * factor;
        } else {
            const double side = std::sqrt(std::max(6. * d_vertexMass.value().inertia, 0.)) * factor;
            for (Vec3& a : axes) a *= side;
            count = 2;
        }
        const Color colors[] = {{1.f, 0.f, 0.f}, {0.f, 1.f, 0.f}, {0.f, 0.f, 1.f}};
        for (std::size_t k = 0; k < count && bodies; ++k) {
            auto ends = tool.scratch<Vec3>();
            if (s.isAllocated(id))
                for (const auto& frame : s.read(id)) {
                    Vec3 along;
                    if constexpr (std::is_same_v<D, core::Rigid3Types>)
                        along = frame.orientation.rotate(axes[k]);
                    else
                        along = Vec3{axes[k][0] * std::cos(frame.angle) - axes[k][1] * std::sin(frame.angle),
                                     axes[k][0] * std::sin(frame.angle) + axes[k][1] * std::cos(frame.angle), 0.};
                    ends.push_back(D::position(frame) - along * 0.5);
                    ends.push_back(D::position(frame) + along * 0.5);
                }
            tool.lines(ends, core::plainStyle(colors[k], rest ? 1.f : 2.f));
        }
    } else if (rest ? bodies : center) {
        core::drawPoints(tool, all, Color(1.f, 1.f, 0.f), 4.f);
    }
    if (center) drawCenterOfMass(tool, all, mass, factor, rest ? Color(1.f, 0.5f, 0.f) : Color(1.f, 1.f, 0.f));
}

static const core::RegisterComponent registeredUniformMass =
    core::RegisterComponent("UniformMass", "Mass", "Sofa.Component.Mass")
        .help("The same mass for every point")
        .example("component/mass/UniformMass.scn")
        .add<UniformMass, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types, core::Rigid3Types,
             core::Rigid2Types>();

}  // namespace sofa::component
