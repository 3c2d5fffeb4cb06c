// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/DiagonalMass.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/XspFormat.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D, class G>
DiagonalMass<D, G>::DiagonalMass() : Base(true)
{
    this->addAlias(d_vertexMass, "mass");
    this->addAlias(d_filename, "fileMass");
    m_total.track(this->d_totalMass);
    m_density.track(d_massDensity);
    m_vertex.track(d_vertexMass);
}

template <class D, class G>
void DiagonalMass<D, G>::init()
{
    Base::init();
    if (!this->isValid()) return;
    const bool fromFile = !d_filename.value().text.empty();
    if (fromFile) readFile();
    if (!this->isValid()) return;
    if (fromFile || D::isRigid) {
        if (d_vertexMass.value().empty())
            return this->fail(fromFile ? "filename: the file has no masses" : "vertexMass: rigid bodies need it");
        completeVertexMass();
        if (D::isRigid && (this->d_totalMass.isSet() || d_massDensity.isSet()))
            this->msgWarning() << "totalMass and massDensity have no effect on rigid bodies: vertexMass is used";
        fromVertexMass();
        return;
    }
    std::string why;
    m_hasMesh = this->findMesh(why);
    const bool total = this->d_totalMass.isSet(), density = d_massDensity.isSet(), vertex = d_vertexMass.isSet();
    if (!m_hasMesh && (total || density || !vertex)) return this->fail(why);
    if (vertex) completeVertexMass();
    if (total && (density || vertex))
        this->msgWarning() << "several of totalMass, massDensity and vertexMass are given: totalMass is used";
    else if (density && vertex)
        this->msgWarning() << "both massDensity and vertexMass are given: massDensity is used";
    m_fromMesh = total || density || !vertex;
    if (total || (!density && !vertex))
        fromTotalMass();
    else if (density)
        fromDensity();
    else
        fromVertexMass();
}

template <class D, class G>
void DiagonalMass<D, G>::reinit()
{
    followChanges();
}

template <class D, class G>
void DiagonalMass<D, G>::readFile()
{
    try {
        const core::io::XspData file = core::io::readXsp(core::requireFile(d_filename));
        core::Vector<MassType> masses(file.masses.size());
        for (std::size_t i = 0; i < masses.size(); ++i) Point::setScalar(masses[i], file.masses[i].mass);
        d_vertexMass.setValue(std::move(masses));
    } catch (const std::runtime_error& e) {
        this->fail(std::string("filename: ") + e.what());
    }
}

template <class D, class G>
void DiagonalMass<D, G>::completeVertexMass()
{
    const auto& given = d_vertexMass.value();
    const std::size_t n = this->state().size();
    if (!given.empty() && given.size() < n) {
        const auto masses = d_vertexMass.edit();
        const MassType last = masses->back();
        masses->resize(n, last);
    }
}

template <class D, class G>
double DiagonalMass<D, G>::integrate(double density)
{
    const auto masses = d_vertexMass.edit();
    masses->assign(this->state().size(), MassType{});
    double sum = 0.;
    if constexpr (!D::isRigid) {
        try {
            this->forEachElement([&](Index, std::span<const Index> vertices, double measure) {
                const double part = (density * measure) / static_cast<double>(vertices.size());
                for (const Index v : vertices) {
                    masses[v] += part;
                    sum += part;
                }
            });
        } catch (const std::runtime_error& e) {
            this->fail(e);
        }
    }
    return sum;
}

template <class D, class G>
void DiagonalMass<D, G>::fromTotalMass()
{
    const double total = this->d_totalMass.value();
    if (!acceptMass(*this, total, "totalMass is " + this->d_totalMass.text() + " kg")) return;
    const double volume = integrate(1.);
    const double density = volume < std::numeric_limits<double>::epsilon() ? 1. : total / volume;
    d_massDensity.setValue(density);
    for (MassType& m : d_vertexMass.edit()) m = Point::scaled(m, density);
    forgetChanges();
}

template <class D, class G>
void DiagonalMass<D, G>::fromDensity()
{
    if (!acceptMass(*this, d_massDensity.value(), "massDensity is " + d_massDensity.text())) return;
    this->d_totalMass.setValue(integrate(d_massDensity.value()));
    forgetChanges();
}

template <class D, class G>
void DiagonalMass<D, G>::fromVertexMass()
{
    core::Vector<MassType> masses = d_vertexMass.value();
    const std::size_t n = this->state().size();
    if (masses.size() != n) {  // too many: missing ones were completed
        if (!this->tolerate(
                "vertexMass has " + std::to_string(masses.size()) + " values for " + std::to_string(n) + " points",
                "the first ones count"))
            return;
        masses.resize(n);
        d_vertexMass.setValue(masses);
    }
    double total = 0.;
    for (std::size_t i = 0; i < n; ++i) {
        const double m = Point::scalar(masses[i]);
        if (m < 0.) return this->fail("vertexMass of point " + std::to_string(i) + " is negative");
        if (D::isRigid && m > 0. && !Point::isInvertible(masses[i]))
            return this->fail("vertexMass of point " + std::to_string(i) +
                              " has an inertia that is not positive definite");
        if constexpr (std::is_same_v<D, core::Rigid3Types>)
            if (const std::string doubt = Point::doubt(masses[i]); m > 0. && !doubt.empty())
                this->msgWarning() << "vertexMass of point " << i << ": " << doubt;
        total += m;
    }
    if (n > 0 && !acceptMass(*this, total, "the sum of vertexMass is " + core::toText(total) + " kg")) return;
    this->d_totalMass.setValue(total);
    if (m_hasMesh) {
        const double volume = integrate(1.);
        d_massDensity.setValue(volume < std::numeric_limits<double>::epsilon() ? 1. : total / volume);
        d_vertexMass.setValue(masses);
    }
    forgetChanges();
}

template <class D, class G>
core::ElementLists DiagonalMass<D, G>::elementLists()
{
    if (!m_fromMesh) return {};
    this->measureAtRest();
    constexpr auto kept = core::ElementData::Kind::Kept;
    return {this->elementNumbering(),
            {{&d_vertexMass, core::ElementData::Kind::Computed}, {&this->d_totalMass, kept}, {&d_massDensity, kept}}};
}

template <class D, class G>
core::TopologyFollower::PointLists DiagonalMass<D, G>::pointLists()
{
    if (m_fromMesh) return this->noLists();
    constexpr auto kept = core::ElementData::Kind::Kept;
    return {{{pointsOf(this->state()), {{&d_vertexMass}, {&this->d_totalMass, kept}, {&d_massDensity, kept}}}}};
}

template <class D, class G>
void DiagonalMass<D, G>::followTopology(const core::TopologyChange& change)
{
    if (!m_fromMesh) {
        if (!change.restores()) fromVertexMass();
        return;
    }
    this->keepMeasures();
    if (change.restores()) {
        this->m_summed = false;
        return forgetChanges();
    }
    if constexpr (std::is_same_v<MassType, double>) {
        const auto points = change.source(pointsOf(this->state()));
        const auto touched = this->touchedPoints(change);
        const double density = d_massDensity.value();
        if (this->m_summed && touched && d_vertexMass.value().size() == points.before) {
            const auto measured = this->measureTouched(change);
            this->updateMasses(change, d_vertexMass, m_sum, points, *touched, [&](Index i) {
                double m = 0.;
                this->forEachElementOn({&i, 1}, measured, [&](Index, std::span<const Index> vertices, double measure) {
                    m += (density * measure) / static_cast<double>(vertices.size());
                });
                return m;
            });
        } else {
            this->keep(change, d_vertexMass);
            fromDensity();
            this->m_summed = true;
        }
        this->d_totalMass.setValue(m_sum.of(d_vertexMass));
        forgetChanges();
    }
}

template <class D, class G>
void DiagonalMass<D, G>::followChanges()
{
    if (m_hasMesh && m_total.changed())
        fromTotalMass();
    else if (m_hasMesh && m_density.changed())
        fromDensity();
    else if (m_vertex.changed())
        fromVertexMass();
    else
        return;
    if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the mass was changed to an invalid one");
}

template <class D, class G>
void DiagonalMass<D, G>::forgetChanges()
{
    m_total.changed();
    m_density.changed();
    m_vertex.changed();
}

template <class D, class G>
void DiagonalMass<D, G>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    followChanges();
    if (this->d_separateGravity.value()) return;
    const Deriv g = this->gravityDeriv();
    const auto& masses = d_vertexMass.value();
    const std::size_t n = std::min(masses.size(), f.size());
    for (std::size_t i = 0; i < n; ++i) f[i] += Point::times(masses[i], g);
}

template <class D, class G>
bool DiagonalMass<D, G>::turns() const
{
    return this->inertiaTurns() && std::ranges::any_of(d_vertexMass.value(), Point::turns);
}

template <class D, class G>
void DiagonalMass<D, G>::addBodyInertia(Index i, core::Mat3& sum) const
{
    if constexpr (std::is_same_v<D, core::Rigid3Types>)
        if (i < d_vertexMass.value().size()) sum += d_vertexMass.value()[i].inertiaMass;
}

template <class D, class G>
typename DiagonalMass<D, G>::MassType DiagonalMass<D, G>::massAt(std::size_t i, const VecCoord& x) const
{
    const MassType& m = d_vertexMass.value()[i];
    return this->inertiaTurns() ? Point::turned(m, x[i]) : m;
}

template <class D, class G>
void DiagonalMass<D, G>::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const
{
    const auto& masses = d_vertexMass.value();
    const std::size_t n = std::min(masses.size(), f.size());
    if (factor == 1.)
        for (std::size_t i = 0; i < n; ++i) f[i] += Point::times(massAt(i, x), dx[i]);
    else
        for (std::size_t i = 0; i < n; ++i) f[i] += Point::times(massAt(i, x), dx[i]) * factor;
}

template <class D, class G>
void DiagonalMass<D, G>::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const
{
    const auto& masses = d_vertexMass.value();
    const std::size_t n = std::min(masses.size(), f.size());
    // Points without elements have no mass; they keep their velocity.
    for (std::size_t i = 0; i < n; ++i)
        a[i] = m_fromMesh && !(Point::scalar(masses[i]) > 0.) ? Deriv() : Point::inverseTimes(massAt(i, x), f[i]);
}

template <class D, class G>
void DiagonalMass<D, G>::buildMass(core::BlockSink& sink, const VecCoord& x) const
{
    const auto& masses = d_vertexMass.value();
    const std::size_t n = std::min<std::size_t>(masses.size(), this->state().size());
    for (std::size_t i = 0; i < n; ++i) Point::addTo(sink, static_cast<Index>(i), massAt(i, x));
}

template <class D, class G>
double DiagonalMass<D, G>::pointMass(Index i) const
{
    const auto& masses = d_vertexMass.value();
    return i < masses.size() ? Point::scalar(masses[i]) : 0.;
}

#define SOFA_INSTANTIATE(D, G) template class DiagonalMass<D, G>;
SOFA_MESH_MASS_INSTANCES(SOFA_INSTANTIATE)
SOFA_RIGID_MESH_MASS_INSTANCES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

namespace {

core::RegisterComponent describeDiagonalMass()
{
    auto r = core::RegisterComponent("DiagonalMass", "Mass", "Sofa.Component.Mass");
    r.help("A mass for each point, given or lumped from a density on a mesh")
        .example("component/mass/DiagonalMass.scn");
#define SOFA_REGISTER(D, G) r.add<DiagonalMass<D, G>>(MeshMass<D, G>::templateNames());
    SOFA_MESH_MASS_INSTANCES(SOFA_REGISTER)
    SOFA_RIGID_MESH_MASS_INSTANCES(SOFA_REGISTER)
#undef SOFA_REGISTER
    return r;
}

const core::RegisterComponent registeredDiagonalMass = describeDiagonalMass();

}  // namespace

}  // namespace sofa::component
