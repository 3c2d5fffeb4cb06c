// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/articulation/ArticulatedSystemMapping.h"

#include <algorithm>

#include "components/articulation/SpatialRotation.h"
#include "core/behavior/Mass.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

Vec3 unitAxis(std::size_t k)
{
    Vec3 e;
    e[k] = 1.;
    return e;
}

/// How SpatialRotation::spinChange(v, v) changes with φ along d, by central differences: an error of 1e-10 of it.
Vec3 spinChangeSlope(const Vec3& vector, const Vec3& v, const Vec3& d)
{
    constexpr double h = 1e-5;
    return (SpatialRotation(vector + d * h).spinChange(v, v) - SpatialRotation(vector - d * h).spinChange(v, v)) *
           (0.5 / h);
}

}  // namespace

template <class Out, class In, class Root>
Index ArticulatedSystemMapping<Out, In, Root>::rootIndex() const
{
    const Index given = d_indexInput2.value();
    return given == InvalidIndex ? this->template inputsOf<Root>()[0]->size() - 1 : given;
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::init()
{
    if (!this->findStates(1)) return;
    for (const auto& [name, count, least] :
         {std::tuple("input1", this->template inputsOf<In>().size(), std::size_t{1}),
          std::tuple("input2", this->template inputsOf<Root>().size(), std::size_t{0})})
        if (count < least || count > 1)
            return this->fail(std::string(name) + " has " + std::to_string(count) + " states; expected one");
    if (hasRoot()) {
        const auto& root = *this->template inputsOf<Root>()[0];
        if (rootIndex() >= root.size())
            return this->fail("indexInput2: body " + d_indexInput2.text() + " does not exist: '" + root.pathName() +
                              "' has " + std::to_string(root.size()));
    }
    if (d_geometricStiffness.isStabilized())
        return this->fail("geometricStiffness: there is None and Exact for articulated systems");
    if (!findJoints() || !sortJoints()) return;
    findChains();
    m_initial = this->output().positions();
    this->invalidateJacobian();
    Base::init();
}

template <class Out, class In, class Root>
bool ArticulatedSystemMapping<Out, In, Root>::findJoints()
{
    std::string error;
    if (!l_container.resolve(error)) {
        this->fail("container: " + error);
        return false;
    }
    if (!l_container)
        l_container.set(
            this->template inputsOf<In>()[0]->node()->template get<ArticulatedHierarchyContainer>(Search::Down));
    if (!l_container) {
        this->fail("there is no ArticulatedHierarchyContainer in the node of input1 or below");
        return false;
    }
    m_motions.clear();
    m_balls.clear();
    m_joints.clear();
    for (const JointDescription& joint : l_container->joints())
        if (!addJoint(joint)) return false;
    return true;
}

template <class Out, class In, class Root>
bool ArticulatedSystemMapping<Out, In, Root>::addJoint(const JointDescription& given)
{
    const auto failed = [&](const std::string& place, const std::string& why) {
        this->fail("'" + place + "': " + why);
        return false;
    };
    const Index bodies = this->output().size(), numbers = this->template inputsOf<In>()[0]->size();
    for (const auto& [name, body] : {std::pair("parentIndex", given.parent), std::pair("childIndex", given.child)})
        if (body >= bodies)
            return failed(given.place, std::string(name) + ": body " + toText(body) +
                                           " does not exist: the output has " + std::to_string(bodies));
    Joint joint{given.center,   given.place,   given.parent,     given.child,
                given.onParent, given.onChild, m_motions.size(), 0};
    for (const JointDescription::Part& a : given.parts) {
        const double length = norm(a.axis);
        if (!(length > 0.)) return failed(a.place, "axis is zero; expected a direction");
        if (a.number >= numbers)
            return failed(a.place, "articulationIndex: there is no number " + toText(a.number) + ": input1 has " +
                                       std::to_string(numbers));
        if (!a.rotates && !a.translates)
            return failed(a.place, "it neither turns nor moves; expected rotation or translation");
        // A screw turns first, which its axis does not notice.
        for (const bool rotates : {true, false})
            if (rotates ? a.rotates : a.translates)
                m_motions.push_back({a.number, a.axis / length, rotates, {}, {}, s_noBall});
    }
    joint.last = m_motions.size();
    if (given.process != 0) {
        const auto first = m_motions.begin() + static_cast<std::ptrdiff_t>(joint.first);
        const auto isFirst = [&](const Motion& m) { return m.rotates != (given.process == 1); };
        const auto rest = std::stable_partition(first, m_motions.end(), isFirst);
        const auto [begin, end] = given.process == 1 ? std::pair(rest, m_motions.end()) : std::pair(first, rest);
        if (end - begin > 1) {
            for (auto m = begin; m != end; ++m) m->ball = m_balls.size();
            m_balls.push_back({static_cast<std::size_t>(begin - m_motions.begin()),
                               static_cast<std::size_t>(end - m_motions.begin()),
                               {},
                               {}});
        }
    }
    m_joints.push_back(std::move(joint));
    return true;
}

/// Parents before children, otherwise in the order of the scene.
template <class Out, class In, class Root>
bool ArticulatedSystemMapping<Out, In, Root>::sortJoints()
{
    std::vector<const Joint*> moves(this->output().size(), nullptr);
    for (const Joint& j : m_joints) {
        if (moves[j.child]) {
            this->fail("'" + j.place + "' moves body " + std::to_string(j.child) + ", as '" + moves[j.child]->place +
                       "' does; expected one joint for each body");
            return false;
        }
        moves[j.child] = &j;
    }
    if (hasRoot() && !moves.empty() && moves[0]) {
        this->fail("'" + moves[0]->place + "' moves body 0, which follows input2");
        return false;
    }
    std::vector<Joint> sorted;
    std::vector<int> seen(moves.size(), 0);  // 1: on the way up, 2: done
    for (const Joint& start : m_joints) {
        std::vector<const Joint*> path;
        for (const Joint* j = &start; j && seen[j->child] != 2; j = moves[j->parent]) {
            if (seen[j->child] == 1) {
                this->fail("'" + j->place + "' closes a loop of joints");
                return false;
            }
            seen[j->child] = 1;
            path.push_back(j);
        }
        for (auto j = path.rbegin(); j != path.rend(); ++j) {
            sorted.push_back(**j);
            seen[(*j)->child] = 2;
        }
    }
    m_joints = std::move(sorted);
    return true;
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::findChains()
{
    m_chains.assign(this->output().size(), {});
    m_isOnBase.assign(this->output().size(), false);
    if (!m_isOnBase.empty()) m_isOnBase[0] = true;
    for (const Joint& j : m_joints) {
        m_chains[j.child] = m_chains[j.parent];
        for (std::size_t k = j.first; k < j.last; ++k) m_chains[j.child].push_back(k);
        m_isOnBase[j.child] = m_isOnBase[j.parent];
    }
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::apply(OutVecCoord& out, Positions<In> numbers, Positions<Root> roots)
{
    for (std::size_t i = 0; i < out.size() && i < m_initial.size(); ++i) out[i] = m_initial[i];
    if (hasRoot()) out[0] = (*roots[0])[rootIndex()];
    for (const Joint& j : m_joints) {
        Quat turn = out[j.parent].orientation;
        Vec3 at = out[j.parent].apply(j.onParent);
        for (std::size_t k = j.first; k < j.last; ++k) {
            Motion& m = m_motions[k];
            const double value = (*numbers[0])[m.number][0];
            m.worldAxis = turn.rotate(m.axis);
            m.pivot = at;
            if (m.ball < m_balls.size()) {
                Ball& ball = m_balls[m.ball];
                ball.before = turn;
                ball.vector = {};
                for (std::size_t i = ball.first; i < ball.last; ++i)
                    ball.vector += m_motions[i].axis * (*numbers[0])[m_motions[i].number][0];
                const SpatialRotation rotation(ball.vector);
                for (std::size_t i = ball.first; i < ball.last; ++i) {
                    m_motions[i].worldAxis = turn.rotate(rotation.spin(m_motions[i].axis));
                    m_motions[i].pivot = at;
                }
                turn = (turn * Quat::fromRotationVector(ball.vector)).normalized();
                k = ball.last - 1;
            } else if (m.rotates)
                turn = (turn * Quat::fromRotationVector(m.axis * value)).normalized();
            else
                at += m.worldAxis * value;
        }
        out[j.child] = {at - turn.rotate(j.onChild), turn};
        if (j.center) j.center->d_globalPosition.setValue(at);
    }
    m_bodies = out;
}

template <class Out, class In, class Root>
auto ArticulatedSystemMapping<Out, In, Root>::columnsOf(Index body) const -> std::vector<Column>
{
    std::vector<Column> columns;
    if (hasRoot() && m_isOnBase[body])
        for (std::size_t k = 0; k < 6; ++k) columns.push_back({true, k});
    for (const std::size_t m : m_chains[body]) columns.push_back({false, m});
    return columns;
}

template <class Out, class In, class Root>
auto ArticulatedSystemMapping<Out, In, Root>::motionOf(const Column& c) const -> Motion
{
    if (!c.isRoot) return m_motions[c.index];
    return {0, {}, c.index >= 3, unitAxis(c.index % 3), m_bodies[0].center, s_noBall};
}

template <class Out, class In, class Root>
Vec3 ArticulatedSystemMapping<Out, In, Root>::axisChange(const Motion& i, const Motion& j) const
{
    const Ball& ball = m_balls[i.ball];
    return ball.before.rotate(SpatialRotation(ball.vector).spinChange(i.axis, j.axis));
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::buildJacobians(Jacobians<In> ofNumbers, Jacobians<Root> ofRoots,
                                                             Positions<In>, Positions<Root>)
{
    auto& j = ofNumbers[0];
    j.clear();
    for (auto& root : ofRoots) root.clear();
    for (Index body = 0; body < m_bodies.size(); ++body) {
        const Vec3& c = m_bodies[body].center;
        j.appendRow();
        for (const std::size_t k : m_chains[body]) {
            const Motion& m = m_motions[k];
            const Vec3 v = m.rotates ? cross(m.worldAxis, c - m.pivot) : m.worldAxis;
            Mat<6, 1> column;
            for (std::size_t r = 0; r < 3; ++r) {
                column[r][0] = v[r];
                column[3 + r][0] = m.rotates ? m.worldAxis[r] : 0.;
            }
            j.append(m.number, column);
        }
        if (!hasRoot()) continue;
        ofRoots[0].appendRow();
        if (!m_isOnBase[body]) continue;
        auto block = Mat<6, 6>::identity();
        block.setBlock(0, 3, crossMatrix(m_bodies[0].center - c));
        ofRoots[0].append(rootIndex(), block);
    }
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::addEntry(MatrixAccumulator& k, const Column& row, const Column& col,
                                                       double value) const
{
    const BaseState& numbers = *this->template inputsOf<In>()[0];
    const BaseState* root = hasRoot() ? this->template inputsOf<Root>()[0] : nullptr;
    // Blocks of the base have one scalar that is not zero.
    std::array<double, 36> block{};
    const std::size_t rows = row.isRoot ? 6 : 1, cols = col.isRoot ? 6 : 1;
    block[(row.isRoot ? row.index : 0) * cols + (col.isRoot ? col.index : 0)] = value;
    k.sink(row.isRoot ? *root : numbers, col.isRoot ? *root : numbers)
        .addBlock(row.isRoot ? rootIndex() : m_motions[row.index].number,
                  col.isRoot ? rootIndex() : m_motions[col.index].number, block.data(), rows, cols);
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f,
                                                                      Positions<In>, Positions<Root>)
{
    for (Index body = 0; body < m_bodies.size(); ++body) {
        const Vec3 force = Out::linear(f[body]), torque = Out::angular(f[body]);
        const Vec3& c = m_bodies[body].center;
        const std::vector<Column> columns = columnsOf(body);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Motion mi = motionOf(columns[i]);
            for (std::size_t j = 0; j < columns.size(); ++j) {
                const Motion mj = motionOf(columns[j]);
                // How column i changes with motion j. Those before it carry its axis and its pivot; axes of the base
                // are those of the world.
                const bool carries = j <= i && !columns[i].isRoot;
                double value = 0.;
                if (mi.ball < m_balls.size() && mi.ball == mj.ball) {
                    const Vec3 arm = c - mi.pivot, axis = axisChange(mi, mj);
                    value = dot(force, cross(axis, arm) + cross(mi.worldAxis, cross(mj.worldAxis, arm))) +
                            dot(torque, axis);
                } else if (carries && mj.rotates) {
                    const Vec3 axis = cross(mj.worldAxis, mi.worldAxis);
                    value = mi.rotates
                                ? dot(force, cross(mj.worldAxis, cross(mi.worldAxis, c - mi.pivot))) + dot(torque, axis)
                                : dot(force, axis);
                } else if (!carries && mi.rotates) {
                    const bool both = columns[i].isRoot && columns[j].isRoot;
                    // The pivot of the base goes with its translations.
                    const Vec3 moved = mj.rotates ? cross(mj.worldAxis, c - mj.pivot) : both ? Vec3() : mj.worldAxis;
                    value = dot(force, cross(mi.worldAxis, moved));
                }
                addEntry(k, columns[i], columns[j], value);
            }
        }
    }
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::carry(const Joint& j, Kinematics& k, Kinematics* d,
                                                    std::size_t along) const
{
    const auto turned = [d](const Vec3& v) { return d ? cross(d->turn, v) : Vec3(); };
    const auto move = [&](const Vec3& arm, const Vec3& armChange) {
        if (d)
            d->acceleration += cross(d->spinRate, arm) + cross(k.spinRate, armChange) +
                               cross(d->spin, cross(k.spin, arm)) +
                               cross(k.spin, cross(d->spin, arm) + cross(k.spin, armChange));
        k.acceleration += cross(k.spinRate, arm) + cross(k.spin, cross(k.spin, arm));
    };
    const auto turn = [&](const Vec3& rate, const Vec3& rateChange, const Vec3& bend, const Vec3& bendChange) {
        if (d) {
            d->spinRate += cross(d->spin, rate) + cross(k.spin, rateChange) + bendChange;
            d->spin += rateChange;
        }
        k.spinRate += cross(k.spin, rate) + bend;
        k.spin += rate;
    };
    const Vec3 toJoint = m_bodies[j.parent].orientation.rotate(j.onParent);
    move(toJoint, turned(toJoint));
    for (std::size_t i = j.first; i < j.last; ++i) {
        const Motion& m = m_motions[i];
        const Vec3 rate = m.worldAxis * m_rates[i];
        if (m.ball < m_balls.size()) {
            const Ball& ball = m_balls[m.ball];
            const SpatialRotation rotation(ball.vector);
            Vec3 local, turning;
            for (std::size_t n = ball.first; n < ball.last; ++n) {
                local += m_motions[n].axis * m_rates[n];
                turning += m_motions[n].worldAxis * m_rates[n];
            }
            const Vec3 bend = ball.before.rotate(rotation.spinChange(local, local));
            Vec3 turningChange = turned(turning), bendChange = turned(bend);
            const bool changes = along >= ball.first && along < ball.last;
            if (changes) {
                const Vec3& axis = m_motions[along].axis;
                turningChange += ball.before.rotate(rotation.spinChange(local, axis));
                bendChange += ball.before.rotate(spinChangeSlope(ball.vector, local, axis));
            }
            turn(turning, turningChange, bend, bendChange);
            if (d && changes) d->turn += m_motions[along].worldAxis;
            i = ball.last - 1;
        } else if (m.rotates) {
            turn(rate, turned(rate), {}, {});
            if (d && i == along) d->turn += m.worldAxis;
        } else {
            const Vec3 way = m.worldAxis * m_values[i];
            move(way, i == along ? turned(way) + m.worldAxis : turned(way));
            if (d) d->acceleration += (cross(d->spin, rate) + cross(k.spin, turned(rate))) * 2.;
            k.acceleration += cross(k.spin, rate) * 2.;
        }
    }
    const Vec3 toChild = m_bodies[j.child].orientation.rotate(j.onChild) * -1.;
    move(toChild, turned(toChild));
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::addInertialForces(const MechanicalParams& mp, const MultiVecDerivId& f)
{
    m_kinematics.clear();
    if (!d_inertialForces.value()) return;
    State<Out>& out = this->output();
    const auto masses = out.node()->template getAll<Mass<Out>>(Search::Local);
    if (masses.empty()) return;
    const auto& rates = this->template inputsOf<In>()[0]->read(mp.v.at(*this->template inputsOf<In>()[0]));
    const auto& values = this->template inputsOf<In>()[0]->read(mp.x.at(*this->template inputsOf<In>()[0]));
    m_rates.clear();
    m_values.clear();
    for (const Motion& m : m_motions) {
        m_rates.push_back(rates[m.number][0]);
        m_values.push_back(values[m.number][0]);
    }
    // J̇ v of each body: its acceleration if the rates do not change.
    m_kinematics.resize(out.size());
    if (hasRoot()) {
        const auto& root = *this->template inputsOf<Root>()[0];
        m_kinematics[0].spin = Out::angular(root.read(mp.v.at(root))[rootIndex()]);
    }
    for (const Joint& j : m_joints) {
        m_kinematics[j.child] = m_kinematics[j.parent];
        carry(j, m_kinematics[j.child]);
    }
    OutVecDeriv a(out.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        a[i] = Out::makeDeriv(m_kinematics[i].acceleration, m_kinematics[i].spinRate);
    m_inertialSum = f.at(out);
    const auto total = out.write(m_inertialSum);
    for (const Mass<Out>* mass : masses) {
        mass->addMDx(*total, a, m_bodies, -1.);
        if (!mass->turns()) continue;
        for (Index i = 0; i < out.size(); ++i) {
            Mat3 inertia;
            mass->addBodyInertia(i, inertia);
            const Quat& q = m_bodies[i].orientation;
            const Vec3 momentum = q.rotate(inertia * q.inverseRotate(m_kinematics[i].spin));
            const Vec3 torque = cross(m_kinematics[i].spin, momentum);
            for (std::size_t r = 0; r < 3; ++r) (*total)[i][3 + r] -= torque[r];
        }
    }
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k)
{
    Base::buildGeometricStiffness(mp, k);
    if (!hasGeometricStiffness() || m_kinematics.empty() || mp.f.at(this->output()) != m_inertialSum) return;
    std::vector<std::vector<Column>> columns;
    for (Index body = 0; body < m_bodies.size(); ++body) columns.push_back(columnsOf(body));
    if (hasRoot())
        for (std::size_t axis = 3; axis < 6; ++axis) addInertialStiffness(k, {true, axis}, columns);
    for (std::size_t m = 0; m < m_motions.size(); ++m) addInertialStiffness(k, {false, m}, columns);
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::addInertialStiffness(
    MatrixAccumulator& k, const Column& along, const std::vector<std::vector<Column>>& columns) const
{
    State<Out>& out = this->output();
    // What a unit of the motion changes, and the bodies of which it does.
    std::vector<Kinematics> change(out.size());
    std::vector<Index> bodies;
    std::vector<bool> moves(out.size(), false);
    if (along.isRoot) {
        change[0].turn = unitAxis(along.index - 3);
        moves[0] = true;
        bodies.push_back(0);
    }
    for (const Joint& j : m_joints) {
        if (!moves[j.parent] && (along.isRoot || along.index < j.first || along.index >= j.last)) continue;
        Kinematics now = m_kinematics[j.parent];
        change[j.child] = change[j.parent];
        carry(j, now, &change[j.child], along.isRoot ? s_noBall : along.index);
        moves[j.child] = true;
        bodies.push_back(j.child);
    }
    OutVecDeriv a(out.size()), f(out.size());
    for (const Index i : bodies) a[i] = Out::makeDeriv(change[i].acceleration, change[i].spinRate);
    for (const Mass<Out>* mass : out.node()->template getAll<Mass<Out>>(Search::Local)) {
        mass->addMDx(f, a, m_bodies, -1.);
        if (!mass->turns()) continue;
        for (const Index i : bodies) {
            Mat3 inertia;
            mass->addBodyInertia(i, inertia);
            const Quat& q = m_bodies[i].orientation;
            const auto momentum = [&](const Vec3& w) { return q.rotate(inertia * q.inverseRotate(w)); };
            const Kinematics &now = m_kinematics[i], &d = change[i];
            // The inertia turns with its body: ∂(I w) = turn × I w − I (turn × w).
            const auto turned = [&](const Vec3& w) { return cross(d.turn, momentum(w)) - momentum(cross(d.turn, w)); };
            const Vec3 torque = turned(now.spinRate) + cross(d.spin, momentum(now.spin)) +
                                cross(now.spin, momentum(d.spin) + turned(now.spin));
            for (std::size_t r = 0; r < 3; ++r) f[i][3 + r] -= torque[r];
        }
    }
    const std::size_t first = hasRoot() ? 6 : 0;
    std::vector<double> rows(first + m_motions.size(), 0.);
    std::vector<bool> has(rows.size(), false);
    for (const Index i : bodies)
        for (const Column& c : columns[i]) {
            const Motion m = motionOf(c);
            const std::size_t row = c.isRoot ? c.index : first + c.index;
            const Vec3 v = m.rotates ? cross(m.worldAxis, m_bodies[i].center - m.pivot) : m.worldAxis;
            rows[row] += dot(v, Out::linear(f[i])) + (m.rotates ? dot(m.worldAxis, Out::angular(f[i])) : 0.);
            has[row] = true;
        }
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (has[r]) {
            const Column row = r < first ? Column{true, r} : Column{false, r - first};
            // The symmetric part, so that a matrix that is symmetric stays so.
            addEntry(k, row, along, 0.5 * rows[r]);
            addEntry(k, along, row, 0.5 * rows[r]);
        }
}

static const RegisterComponent registeredArticulatedSystemMapping =
    RegisterComponent("ArticulatedSystemMapping", "Mapping", "ArticulatedSystemPlugin")
        .help("Rigid bodies that move by the numbers of the joints between them")
        .example("component/articulation/ArticulatedSystemMapping.scn")
        .add<ArticulatedSystemMapping<Rigid3Types, Vec1Types, Rigid3Types>>();

}  // namespace sofa::component
