// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringForceField.h"

#include <algorithm>

#include "components/spring/FollowPoints.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/XspFormat.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Severity;

template <class D>
SpringForceField<D>::SpringForceField()
{
    this->addAlias(d_lengths, "length");
    this->addAlias(d_indices1, "indices1");
    this->addAlias(d_indices2, "indices2");
    this->addAlias(d_file, "filename");
    for (const core::BaseData* d : std::initializer_list<core::BaseData*>{
             &d_indices1, &d_indices2, &d_lengths, &d_stiffness, &d_damping, &d_elongationOnly, &d_enabled})
        m_lists.track(*d);
    m_list.track(d_springs);
}

template <class D>
void SpringForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!d_file.value().text.empty()) loadFile();
    reinit();
}

template <class D>
void SpringForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    const std::string error = indexError(this->state1().size(), this->state2().size());
    if (!error.empty()) this->fail(error);
}

template <class D>
void SpringForceField<D>::reinit()
{
    if (d_springs.isSet())
        listsFromSprings();
    else
        springsFromLists();
}

template <class D>
core::TopologyFollower::PointLists SpringForceField<D>::pointLists()
{
    return {{{pointsOf(this->state1()), springLists(core::ElementData::Kind::Kept)}, {pointsOf(this->state2()), {}}}};
}

template <class D>
std::vector<core::ElementData> SpringForceField<D>::springLists(core::ElementData::Kind kind)
{
    return {{&d_springs, kind}, {&d_indices1, kind}, {&d_indices2, kind},       {&d_stiffness, kind},
            {&d_damping, kind}, {&d_lengths, kind},  {&d_elongationOnly, kind}, {&d_enabled, kind}};
}

template <class D>
void SpringForceField<D>::followTopology(const core::TopologyChange& change)
{
    if (change.restores()) return listsFromSprings();
    if (!followInPlace(change)) setSprings(springsLeft(d_springs.value(), change, this->state1(), this->state2()));
}

template <class D>
bool SpringForceField<D>::followInPlace(const core::TopologyChange& change)
{
    updateIfChanged();
    const core::ElementSource points = change.source(pointsOf(this->state1()));
    const core::NumbersNow now1(points), now2(change.source(pointsOf(this->state2())));
    SpringChange springs;
    springs.source.before = springs.source.now = static_cast<Index>(d_springs.value().size());
    struct Renumbered
    {
        Index spring, m1, m2;
    };
    core::Vector<Renumbered> renumbered;
    const core::Vector<Spring>& all = d_springs.value();
    for (Index i = 0; i < all.size(); ++i) {
        const Index a = now1(all[i].m1), b = now2(all[i].m2);
        if (a == core::InvalidIndex || b == core::InvalidIndex) return false;
        if (a != all[i].m1 || b != all[i].m2) renumbered.push_back({i, a, b});
    }
    if (!renumbered.empty()) {
        const auto edited = d_springs.edit();
        for (const Renumbered& r : renumbered) {
            edited[r.spring].m1 = r.m1;
            edited[r.spring].m2 = r.m2;
            springs.touched.push_back(r.spring);
        }
    }
    followPacks(springs, points);
    return true;
}

template <class D>
bool SpringForceField<D>::followMesh(const core::TopologyChange& change, const core::BaseMeshTopology& mesh,
                                     core::FunctionRef<core::Vector<Spring>(const core::Vector<Index>&)> made)
{
    if (!isPacked() || change.restores()) return false;
    const core::Vector<Index> points = change.touchedPoints(mesh);
    const core::ElementSource source = change.source(pointsOf(this->state1()));
    if (2 * points.size() > source.before || m_list.changed() || m_lists.changed()) return false;
    if (!m_packsReady) m_packed.build(packedSprings(d_springs.value(), leastLength), source.before);
    m_packsReady = m_packed.nbPoints() == source.before;
    if (!m_packsReady) return false;
    const core::Vector<Spring> now = made(points);
    SpringChange springs;
    {
        const auto edited = d_springs.edit();
        springs = followSprings(*edited, m_packed, now, points, source);
    }
    followPacks(springs, source);
    return true;
}

template <class D>
void SpringForceField<D>::followPacks(const SpringChange& change, const core::ElementSource& points)
{
    listsFromSprings(change.touched);
    const core::Vector<Spring>& springs = d_springs.value();
    for (const Index i : change.touched) needPoints(springs[i]);
    m_pointsNeeded1 = std::min<std::size_t>(m_pointsNeeded1, this->state1().size());
    m_pointsNeeded2 = std::min<std::size_t>(m_pointsNeeded2, this->state2().size());
    m_packsReady = m_packsReady &&
                   m_packed.follow([&](Index i) { return packedSpring(springs[i], leastLength); },
                                   static_cast<Index>(this->state1().size()), change.source, points, change.touched);
}

template <class D>
void SpringForceField<D>::loadFile()
{
    try {
        const core::io::XspData file = core::io::readXsp(core::requireFile(d_file));
        const auto springs = d_springs.edit();
        for (const auto& s : file.springs) springs->push_back({s.a, s.b, s.stiffness, s.damping, s.restLength});
    } catch (const std::runtime_error& e) {
        this->fail(std::string("fileSprings: ") + e.what());
    }
}

template <class D>
void SpringForceField<D>::setSprings(core::Vector<Spring> springs)
{
    d_springs.setValue(std::move(springs));
    listsFromSprings();
}

template <class D>
void SpringForceField<D>::listsFromSprings()
{
    listsFromSprings(core::identity(d_springs.value().size()));
    findLargestIndices();
}

template <class D>
void SpringForceField<D>::listsFromSprings(const core::Vector<Index>& places)
{
    const auto& springs = d_springs.value();
    const auto list = [&](auto& data, auto member) {
        const auto v = data.edit();
        v->resize(springs.size());
        for (const Index i : places) v[i] = springs[i].*member;
    };
    list(d_indices1, &Spring::m1);
    list(d_indices2, &Spring::m2);
    list(d_stiffness, &Spring::ks);
    list(d_damping, &Spring::kd);
    list(d_lengths, &Spring::initpos);
    list(d_elongationOnly, &Spring::elongationOnly);
    list(d_enabled, &Spring::enabled);
    m_lists.changed();
    m_list.changed();
}

template <class D>
void SpringForceField<D>::springsFromLists()
{
    const auto& i1 = d_indices1.value();
    const auto& i2 = d_indices2.value();
    if (i1.size() != i2.size() &&
        !this->tolerate("indices1 has " + std::to_string(i1.size()) + " points and indices2 has " +
                            std::to_string(i2.size()) + ": they must be equally long",
                        "the shorter list counts"))
        return;
    const std::size_t n = std::min(i1.size(), i2.size());
    const auto resized = [&](auto& data, auto fallback) {
        const auto& given = data.value();
        if (given.size() == n) return;
        if (given.size() > 1)
            this->msgWarning() << data.name() << " has " << given.size() << " values for " << n << " springs: it is "
                               << (given.size() > n ? "cut" : "filled with its last value");
        const auto v = data.edit();
        const auto last = v.empty() ? fallback : v->back();
        v->resize(n, last);
    };
    if (n > 0) {
        resized(d_lengths, 0.);
        resized(d_stiffness, 0.);
        resized(d_damping, 0.);
        resized(d_elongationOnly, false);
        resized(d_enabled, true);
    }
    const auto springs = d_springs.edit();
    springs->resize(n);
    for (std::size_t i = 0; i < n; ++i)
        springs[i] = {i1[i],
                      i2[i],
                      d_stiffness.value()[i],
                      d_damping.value()[i],
                      d_lengths.value()[i],
                      d_elongationOnly.value()[i],
                      d_enabled.value()[i]};
    d_springs.setIsSet(false);
    m_lists.changed();
    m_list.changed();
    findLargestIndices();
}

template <class D>
void SpringForceField<D>::updateIfChanged()
{
    if (m_lists.changed()) {
        springsFromLists();
    } else if (m_list.changed()) {
        listsFromSprings();
    } else {
        return;
    }
    if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the springs' lists do not agree");
}

template <class D>
void SpringForceField<D>::findLargestIndices()
{
    m_packsReady = false;
    m_pointsNeeded1 = m_pointsNeeded2 = 0;
    for (const Spring& s : d_springs.value()) needPoints(s);
}

template <class D>
void SpringForceField<D>::needPoints(const Spring& s)
{
    m_pointsNeeded1 = std::max<std::size_t>(m_pointsNeeded1, std::size_t(s.m1) + 1);
    m_pointsNeeded2 = std::max<std::size_t>(m_pointsNeeded2, std::size_t(s.m2) + 1);
}

template <class D>
std::string SpringForceField<D>::indexError(std::size_t size1, std::size_t size2) const
{
    if (m_pointsNeeded1 <= size1 && m_pointsNeeded2 <= size2) return {};
    const auto& springs = d_springs.value();
    std::size_t i = 0;
    while (i < springs.size() && springs[i].m1 < size1 && springs[i].m2 < size2) ++i;
    if (i == springs.size()) return {};
    const bool first = springs[i].m1 >= size1;
    const auto& s = first ? this->state1() : this->state2();
    return "spring " + std::to_string(i) + " joins point " + std::to_string(first ? springs[i].m1 : springs[i].m2) +
           " of '" + s.pathName() + "', which has " + std::to_string(first ? size1 : size2) + " points";
}

template <class D>
bool SpringForceField<D>::isPacked() const
{
    return std::is_same_v<D, core::Vec3Types> && &this->state1() == &this->state2() && !isRepulsive();
}

template <class D>
void SpringForceField<D>::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                   const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    updateIfChanged();
    if (const std::string error = indexError(x1.size(), x2.size()); !error.empty())
        throw std::runtime_error(this->pathName() + ": " + error);
    if constexpr (std::is_same_v<D, core::Vec3Types>) {
        if (isPacked()) {
            if (!m_packsReady || m_packed.nbPoints() != x1.size())
                m_packed.build(packedSprings(d_springs.value(), leastLength), static_cast<Index>(x1.size()));
            m_packsReady = true;
            return m_packed.addForce(f1, x1, v1, {d_projectedTangent.value(), d_implicitDamping.value()});
        }
    }
    Law::addForce(d_springs.value(), m_dfdx, f1, f2, x1, x2, v1, v2, leastLength, d_projectedTangent.value(),
                  isRepulsive());
    if (d_implicitDamping.value()) Law::dampingBlocks(d_springs.value(), m_dfdv, x1, x2, leastLength, isRepulsive());
}

template <class D>
void SpringForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    core::State<D>&a = this->state1(), &b = this->state2();
    // One that the calling solver does not move has none of its vectors.
    if (!a.isAllocated(df.at(a)) || !b.isAllocated(df.at(b))) return core::BaseForceField::addDForce(mp, df);
    const double stiffness = mp.stiffnessFactor(this->d_rayleighStiffness.value()),
                 damping = hasDamping() ? mp.bFactor : 0.;
    const auto df1 = a.write(df.at(a));
    if constexpr (std::is_same_v<D, core::Vec3Types>)
        if (isPacked()) return m_packed.addProduct(*df1, a.read(mp.dx.at(a)), stiffness, damping);
    const auto df2 = b.write(df.at(b));
    const auto add = [&](const auto& blocks, double factor) {
        Law::addDForce(d_springs.value(), blocks, *df1, *df2, a.read(mp.dx.at(a)), b.read(mp.dx.at(b)), factor);
    };
    add(m_dfdx, stiffness);
    if (damping != 0.) add(m_dfdv, damping);
}

template <class D>
void SpringForceField<D>::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    core::State<D>&a = this->state1(), &b = this->state2();
    if (isPacked()) return m_packed.addStiffness(k.sink(a, a));
    Law::buildStiffness(d_springs.value(), m_dfdx, k.sink(a, a), k.sink(a, b), k.sink(b, a), k.sink(b, b));
}

template <class D>
void SpringForceField<D>::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    core::State<D>&first = this->state1(), &second = this->state2();
    if (isPacked()) return m_packed.addDamping(b.sink(first, first));
    Law::buildStiffness(d_springs.value(), m_dfdv, b.sink(first, first), b.sink(first, second), b.sink(second, first),
                        b.sink(second, second));
}

template <class D>
double SpringForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    return Law::energy(d_springs.value(), x1, x2, isRepulsive());
}

template <class D>
core::BoundingBox SpringForceField<D>::boundingBox() const
{
    core::BoundingBox box;
    if (!this->l_state1 || !this->l_state2) return box;
    const core::State<D>&a = this->state1(), &b = this->state2();
    for (const Spring& s : d_springs.value()) {
        if (!s.enabled || s.m1 >= a.size() || s.m2 >= b.size()) continue;
        box.include(a.pointPosition(s.m1));
        box.include(b.pointPosition(s.m2));
    }
    return box;
}

template <class D>
void SpringForceField<D>::draw(core::DrawTool& tool)
{
    if (!this->l_state1 || !this->l_state2) return;
    const core::State<D>&a = this->state1(), &b = this->state2();
    const bool between = &a != &b;
    using core::DisplayFlags;
    if (!tool.shows(between ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto shortened = tool.scratch<core::Vec3>(), others = tool.scratch<core::Vec3>();
    for (const Spring& s : d_springs.value()) {
        if (!s.enabled || s.m1 >= a.size() || s.m2 >= b.size()) continue;
        const core::Vec3 p = a.pointPosition(s.m1), q = b.pointPosition(s.m2);
        auto& lines = norm(q - p) < 0.9999 * s.initpos ? shortened : others;
        lines.push_back(p);
        lines.push_back(q);
    }
    const int mode = d_drawMode.value();
    const double radius = d_showArrowSize.value();
    using core::Color;
    core::drawSprings(tool, shortened, mode, radius, between ? Color(1.f, 0.f, 0.f) : Color(1.f, 0.5f, 0.f));
    core::drawSprings(tool, others, mode, radius, between ? Color(0.f, 1.f, 0.f) : Color(0.f, 1.f, 0.5f));
}

template class SpringForceField<core::Vec1Types>;
template class SpringForceField<core::Vec2Types>;
template class SpringForceField<core::Vec3Types>;
template class SpringForceField<core::Vec6Types>;
template class SpringForceField<core::Rigid3Types>;

static const core::RegisterComponent registeredSpringForceField =
    core::RegisterComponent("SpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Damped linear springs between points of one or two states")
        .alias("StiffSpringForceField")
        .alias("ParallelSpringForceField")
        .example("component/spring/SpringForceField.scn")
        .add<SpringForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types, core::Rigid3Types>();

static const core::RegisterComponent registeredRepulsiveSpringForceField =
    core::RegisterComponent("RepulsiveSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Damped springs between points of one or two states that push but never pull")
        .example("component/spring/RepulsiveSpringForceField.scn")
        .add<RepulsiveSpringForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types>();

}  // namespace sofa::component
