// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/UnilateralLagrangianConstraint.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/math/Fingerprint.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void UnilateralLagrangianConstraint::setContacts(Vector<Contact> contacts)
{
    m_fromScene = false;
    m_contacts = std::move(contacts);
}

void UnilateralLagrangianConstraint::init() { PairLagrangianConstraint::init(); }

void UnilateralLagrangianConstraint::bwdInit()
{
    if (isValid() && d_firstPoint.isSet()) readScene();
}

void UnilateralLagrangianConstraint::readScene()
{
    const auto &first = d_firstPoint.value(), &second = d_secondPoint.value();
    const auto& normals = d_normal.value();
    const auto& distances = d_distance.value();
    if (first.size() != second.size() &&
        !tolerate("first_point has " + std::to_string(first.size()) + " points and second_point " +
                      std::to_string(second.size()) + ": give one of each for every contact",
                  "the shorter list counts"))
        return;
    const std::size_t contacts = std::min(first.size(), second.size());
    const std::pair<const char*, std::size_t> lists[] = {{"normal", normals.size()}, {"distance", distances.size()}};
    for (const auto& [name, count] : lists)
        if (count != 1 && count != contacts && !(count == 0 && name == lists[1].first))
            return fail(std::string(name) + " has " + std::to_string(count) +
                        " entries; expected 1, or one for each of the " + std::to_string(contacts) + " contacts");
    const auto check = [this](const Data<Vector<Index>>& list, const State<Vec3Types>& state) {
        for (const Index i : list.value())
            if (i >= state.size()) {
                fail(list.name() + ": point " + std::to_string(i) + " is not in " + state.pathName() + ", which has " +
                     std::to_string(state.size()) + " points");
                return false;
            }
        return true;
    };
    if (!check(d_firstPoint, state1()) || !check(d_secondPoint, state2())) return;
    m_contacts.clear();
    for (std::size_t k = 0; k < contacts; ++k) {
        const Vec3 n = normals[normals.size() == 1 ? 0 : k];
        const double length = norm(n);
        if (!(length > 0.)) return fail("normal " + std::to_string(k) + " has no direction");
        m_contacts.push_back({first[k], second[k], n / length,
                              distances.empty() ? 0. : distances[distances.size() == 1 ? 0 : k],
                              static_cast<std::int64_t>(k), d_friction.value(), d_restitution.value()});
    }
    m_fromScene = true;
}

TopologyFollower::PointLists UnilateralLagrangianConstraint::pointLists()
{
    constexpr auto kept = ElementData::Kind::Kept;
    return {
        {{pointsOf(state1()), {{&d_firstPoint, kept}, {&d_secondPoint, kept}, {&d_normal, kept}, {&d_distance, kept}}},
         {pointsOf(state2()), {}}}};
}

void UnilateralLagrangianConstraint::followTopology(const TopologyChange& change)
{
    m_rows.clear();
    if (!m_fromScene) return m_contacts.clear();
    if (change.restores()) return readScene();
    const ElementSource source1 = change.source(pointsOf(state1())), source2 = change.source(pointsOf(state2()));
    if (source1.same && source2.same) return;
    const auto renumbered = [](Index i, const ElementSource& s) {
        const Vector<Index> now = s.renumbered({i});
        return now.empty() ? InvalidIndex : now[0];
    };
    const std::size_t count = m_contacts.size();
    Vector<Index> first, second;
    Vector<Vec3> normals;
    Vector<double> distances;
    std::map<Key, std::array<double, 3>> remembered;
    for (std::size_t k = 0; k < count; ++k) {
        const Contact& c = m_contacts[k];
        const Index a = renumbered(c.point1, source1), b = renumbered(c.point2, source2);
        if (a == InvalidIndex || b == InvalidIndex) continue;
        // The identity of a contact of the scene is its number.
        if (const auto force = m_remembered.find({c.id, c.pair}); force != m_remembered.end())
            remembered[{static_cast<std::int64_t>(first.size()), c.pair}] = force->second;
        first.push_back(a);
        second.push_back(b);
        if (d_normal.value().size() == count) normals.push_back(d_normal.value()[k]);
        if (d_distance.value().size() == count) distances.push_back(d_distance.value()[k]);
    }
    if (count > 1 && d_normal.value().size() == count) d_normal.setValue(std::move(normals));
    if (count > 1 && d_distance.value().size() == count) d_distance.setValue(std::move(distances));
    d_firstPoint.setValue(std::move(first));
    d_secondPoint.setValue(std::move(second));
    m_remembered = std::move(remembered);
    readScene();
}

void UnilateralLagrangianConstraint::reset()
{
    m_remembered.clear();
    m_solved = false;
    if (!m_fromScene) m_contacts.clear();
}

void UnilateralLagrangianConstraint::archive(Archive& a)
{
    Vector<Key> ids;
    Vector<std::array<double, 3>> forces;
    for (const auto& [id, force] : m_remembered) {
        ids.push_back(id);
        forces.push_back(force);
    }
    a(ids);
    a(forces);
    a(m_solved);
    if (!a.loading()) return;
    m_remembered.clear();
    for (std::size_t k = 0; k < ids.size() && k < forces.size(); ++k) m_remembered[ids[k]] = forces[k];
}

std::pair<Vec3, Vec3> UnilateralLagrangianConstraint::tangents(const Vec3& n)
{
    Vec3 s = cross(n, Vec3(n[2], n[0], n[1]));
    double length = norm(s);
    // A normal along (1, 1, 1) is its own shifted vector.
    if (!(length > 1e-8)) {
        s = cross(n, Vec3(1., 0., 0.));
        length = norm(s);
    }
    s = s / length;
    return {cross(s, n), s};
}

UnilateralLagrangianConstraint::Motion UnilateralLagrangianConstraint::motionOf(const ConstraintParams& p,
                                                                                const Contact& c,
                                                                                double& approach) const
{
    if (!(c.restitution > 0.)) return Motion::closing;
    const auto &v1 = state1().velocities()[c.point1], &v2 = state2().velocities()[c.point2];
    const auto &free1 = state1().read(p.freeV.at(state1()))[c.point1],
               &free2 = state2().read(p.freeV.at(state2()))[c.point2];
    approach = dot(v2 - v1, c.normal);
    const Vec3 change1 = free1 - v1, change2 = free2 - v2;
    double accelerated = std::abs(dot(change1, c.normal)) + std::abs(dot(change2, c.normal));
    if (accelerated <= 1e-9 * (norm(change1) + norm(change2))) accelerated = 0.;  // rounding of the normal
    if (c.restitution * std::abs(approach) < accelerated) return Motion::closing;
    const double gap = dot(state2().positions()[c.point2] - state1().positions()[c.point1], c.normal) - c.distance;
    const double time = p.remaining > 0. ? p.remaining : p.dt;
    return gap <= 0. || gap + time * dot(free2 - free1, c.normal) < 0. ? Motion::bouncing : Motion::none;
}

void UnilateralLagrangianConstraint::buildRows(const ConstraintParams& p, ConstraintMatrix& h)
{
    m_rows.clear();
    for (std::size_t k = 0; k < m_contacts.size(); ++k) {
        const Contact& c = m_contacts[k];
        Row row{k, {}, {}, false, 0.};
        const Motion motion = motionOf(p, c, row.approach);
        if (motion == Motion::none) continue;
        row.bounce = motion == Motion::bouncing;
        const int count = c.friction > 0. ? 3 : 1;
        if (count == 3) std::tie(row.t, row.s) = tangents(c.normal);
        const int first = h.addRows(count);
        const Vec3* directions[] = {&c.normal, &row.t, &row.s};
        for (int r = 0; r < count; ++r) {
            h.add(state1(), first + r, c.point1, -*directions[r]);
            h.add(state2(), first + r, c.point2, *directions[r]);
        }
        m_rows.push_back(row);
    }
    // Those of an earlier step are not those of contacts without rows.
    if (m_rows.empty() && !d_contactForces.value().empty()) d_contactForces.setValue({});
}

void UnilateralLagrangianConstraint::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    const auto &x1 = state1().read(x.at(state1())), &x2 = state2().read(x.at(state2()));
    const auto &start1 = state1().positions(), &start2 = state2().positions();
    double* out = d.data();
    for (const Row& r : m_rows) {
        const Contact& c = m_contacts[r.contact];
        *out++ = dot(x2[c.point2] - x1[c.point1], c.normal) - c.distance;
        if (!(c.friction > 0.)) continue;
        const Vec3 slip = (x2[c.point2] - start2[c.point2]) - (x1[c.point1] - start1[c.point1]);
        *out++ = dot(slip, r.t);
        *out++ = dot(slip, r.s);
    }
}

double UnilateralLagrangianConstraint::allowedGap(const ConstraintParams& p, const Contact& c, double gap) const
{
    double speed = d_maxSeparationSpeed.value();
    if (speed < 0. || compatibility() == Compatibility::Sofa) return 0.;
    if (speed == 0.) {
        const Vec3 approach = state1().velocities()[c.point1] - state2().velocities()[c.point2];
        speed = std::max({std::sqrt(-2. * norm(node()->gravity()) * gap), dot(approach, c.normal), -0.1 * gap / p.dt});
    }
    return std::min(0., gap + p.dt * speed);
}

void UnilateralLagrangianConstraint::freeViolation(const ConstraintParams& p, std::span<const double> hv,
                                                   std::span<double> d)
{
    const auto &start1 = state1().positions(), &start2 = state2().positions();
    const bool positions = p.order == ConstraintOrder::positionAndVelocity;
    std::size_t k = 0;
    if (!positions) {
        for (const Row& r : m_rows) {
            const Contact& c = m_contacts[r.contact];
            const double gap = dot(start2[c.point2] - start1[c.point1], c.normal) - c.distance;
            const double closing = gap < 0. ? (gap - allowedGap(p, c, gap)) / p.dt
                                            : gap / (gap > 0. && p.remaining > 0. ? p.remaining : p.dt);
            d[k] = hv[k] + (r.bounce ? c.restitution * r.approach : closing);
            ++k;
            if (!(c.friction > 0.)) continue;
            for (int i = 0; i < 2; ++i, ++k) d[k] = hv[k];
        }
        return;
    }
    const auto &free1 = state1().read(p.freeX.at(state1())), &free2 = state2().read(p.freeX.at(state2()));
    const auto &freeV1 = state1().read(p.freeV.at(state1())), &freeV2 = state2().read(p.freeV.at(state2()));
    for (const Row& r : m_rows) {
        const Contact& c = m_contacts[r.contact];
        const Vec3 &p0 = start2[c.point2], &q0 = start1[c.point1], &p1 = free2[c.point2], &q1 = free1[c.point1];
        const double before = dot(p0 - q0, c.normal) - c.distance, after = dot(p1 - q1, c.normal) - c.distance;
        d[k++] = r.bounce ? p.dt * (dot(freeV2[c.point2] - freeV1[c.point1], c.normal) + c.restitution * r.approach)
                          : after - (before < 0. ? allowedGap(p, c, before) : 0.);
        if (!(c.friction > 0.)) continue;
        // Slip of the free motion after the moment at which the contact closes. The cases and their bounds are SOFA's.
        const Vec3 move2 = p1 - p0, move1 = q1 - q0;
        const double moved = norm(move2) + norm(move1);
        double share = 1.;  // part of the step after that moment
        if (std::abs(before) >= 1e-5 * moved || std::abs(after) >= 1e-5 * moved) {
            if (std::abs(before - after) > 1e-3 * before) {
                const double closing = before / (before - after);
                if (closing > 0. && closing < 1.)
                    share = 1. - closing;
                else if (!(after < 0.))
                    share = 0.;
            }
        }
        const Vec3 slip = (c.round ? (freeV2[c.point2] - freeV1[c.point1]) * p.dt : move2 - move1) * share;
        d[k++] = dot(slip, r.t);
        d[k++] = dot(slip, r.s);
    }
}

void UnilateralLagrangianConstraint::laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out)
{
    std::size_t normal = 0, friction = 0;
    for (const Row& r : m_rows) {
        const Contact& c = m_contacts[r.contact];
        ContactLaw* law;
        if (c.friction > 0.) {
            if (friction == m_frictionLaws.size()) m_frictionLaws.emplace_back();
            CoulombLaw& coulomb = m_frictionLaws[friction++];
            coulomb.setFriction(c.friction);
            coulomb.setTolerance(d_tolerance.value());
            law = &coulomb;
        } else {
            if (normal == m_normalLaws.size()) m_normalLaws.emplace_back();
            law = &m_normalLaws[normal++];
        }
        law->setStep(d_epsilon.value());
        law->setIdentity(m_solved || (m_firstPair && c.id == 0) ? c.id : -1);
        const auto last = d_warmStart.value() ? m_remembered.find({c.id, c.pair}) : m_remembered.end();
        law->startFrom(last == m_remembered.end() ? std::span<const double>() : std::span<const double>(last->second));
        out.push_back(law);
    }
}

std::uint64_t UnilateralLagrangianConstraint::fingerprint() const
{
    if (m_contacts.empty()) return 0;
    Fingerprint f(1);
    for (const Contact& c : m_contacts)
        f.add(static_cast<std::uint64_t>(c.id))
            .add(static_cast<std::uint64_t>(c.pair))
            .add(state1().positions()[c.point1])
            .add(state2().positions()[c.point2])
            .add(c.normal)
            .add(c.distance)
            .add(c.friction)
            .add(c.restitution);
    return f.value();
}

void UnilateralLagrangianConstraint::storeForces(const ConstraintParams& p, std::span<const double> lambda)
{
    m_remembered.clear();
    const auto forces = d_contactForces.edit();
    const auto points = d_contactPoints.edit();
    forces->assign(m_contacts.size(), Vec3());
    points->resize(m_contacts.size());
    for (std::size_t k = 0; k < m_contacts.size(); ++k) points[k] = state2().positions()[m_contacts[k].point2];
    std::size_t at = 0;
    for (const Row& r : m_rows) {
        const Contact& c = m_contacts[r.contact];
        std::array<double, 3> f{lambda[at++], 0., 0.};
        if (c.friction > 0.) {
            f[1] = lambda[at++];
            f[2] = lambda[at++];
        }
        m_remembered[{c.id, c.pair}] = f;
        forces[r.contact] = (c.normal * f[0] + r.t * f[1] + r.s * f[2]) / p.dt;
    }
    m_solved = true;
}

void UnilateralLagrangianConstraint::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::InteractionForceFields) || !l_state1 || !l_state2) return;
    const State<Vec3Types>&a = state1(), &b = state2();
    auto touching = tool.scratch<Vec3>(), near = tool.scratch<Vec3>(), normals = tool.scratch<Vec3>(),
         forces = tool.scratch<Vec3>();
    const double length = 0.02 * tool.sceneSize();
    for (const Contact& c : m_contacts) {
        if (c.point1 >= a.size() || c.point2 >= b.size()) continue;
        const Vec3 p = a.pointPosition(c.point1), q = b.pointPosition(c.point2);
        Vector<Vec3>& lines = dot(q - p, c.normal) < c.distance ? touching : near;
        lines.push_back(p);
        lines.push_back(q);
        for (const Vec3& v : {p, p - c.normal * length, q, q + c.normal * length}) normals.push_back(v);
    }
    tool.lines(touching, plainStyle(Color(1.f, 0.f, 0.f)));
    tool.lines(near, plainStyle(Color(0.f, 1.f, 0.f)));
    const auto &at = d_contactPoints.value(), &force = d_contactForces.value();
    double largest = 0.;
    for (const Vec3& f : force) largest = std::max(largest, norm(f));
    for (std::size_t i = 0; i < at.size() && i < force.size() && largest > 0.; ++i) {
        forces.push_back(at[i]);
        forces.push_back(at[i] + force[i] * (0.1 * tool.sceneSize() / largest));
    }
    drawArrows(tool, forces, 1. / 20., Color(1.f, 0.5f, 0.f));
    if (tool.shows(DisplayFlags::Normals)) tool.lines(normals, plainStyle(Color(1.f, 1.f, 0.f)));
}

static const RegisterComponent registeredUnilateralLagrangianConstraint =
    RegisterComponent("UnilateralLagrangianConstraint", "LagrangianConstraint",
                      "Sofa.Component.Constraint.Lagrangian.Model")
        .help(
            "Keeps pairs of points apart, with friction and restitution: the contacts of contact responses, or those "
            "that the scene gives")
        .alias("AugmentedLagrangianConstraint")
        .example("component/constraint/UnilateralLagrangianConstraint.scn")
        .add<UnilateralLagrangianConstraint>();

}  // namespace sofa::component
