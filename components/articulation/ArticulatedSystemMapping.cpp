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
void ArticulatedSystemMapping<Out, In, Root>::buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f,
                                                                      Positions<In>, Positions<Root>)
{
    const BaseState& numbers = *this->template inputsOf<In>()[0];
    const BaseState* root = hasRoot() ? this->template inputsOf<Root>()[0] : nullptr;
    const auto add = [&](const Column& row, const Column& col, double value) {
        // Blocks of the base have one scalar that is not zero.
        std::array<double, 36> block{};
        const std::size_t rows = row.isRoot ? 6 : 1, cols = col.isRoot ? 6 : 1;
        block[(row.isRoot ? row.index : 0) * cols + (col.isRoot ? col.index : 0)] = value;
        k.sink(row.isRoot ? *root : numbers, col.isRoot ? *root : numbers)
            .addBlock(row.isRoot ? rootIndex() : m_motions[row.index].number,
                      col.isRoot ? rootIndex() : m_motions[col.index].number, block.data(), rows, cols);
    };
    for (Index body = 0; body < m_bodies.size(); ++body) {
        typename Out::Deriv load = f[body];
        if (body < m_inertial.size()) load = load - m_inertial[body];
        const Vec3 force = Out::linear(load), torque = Out::angular(load);
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
                add(columns[i], columns[j], value);
            }
        }
    }
}

template <class Out, class In, class Root>
void ArticulatedSystemMapping<Out, In, Root>::addInertialForces(const MechanicalParams& mp, const MultiVecDerivId& f)
{
    m_inertial.clear();
    if (!d_inertialForces.value()) return;
    State<Out>& out = this->output();
    const auto masses = out.node()->template getAll<Mass<Out>>(Search::Local);
    if (masses.empty()) return;
    const auto& rates = this->template inputsOf<In>()[0]->read(mp.v.at(*this->template inputsOf<In>()[0]));
    const auto& values = this->template inputsOf<In>()[0]->read(mp.x.at(*this->template inputsOf<In>()[0]));
    // J̇ v of each body: its acceleration if the rates do not change.
    OutVecDeriv a(out.size());
    std::vector<Vec3> spins(out.size());
    if (hasRoot()) {
        const auto& root = *this->template inputsOf<Root>()[0];
        spins[0] = Out::angular(root.read(mp.v.at(root))[rootIndex()]);
    }
    for (const Joint& j : m_joints) {
        Vec3 spin = spins[j.parent], spinChange = Out::angular(a[j.parent]), change = Out::linear(a[j.parent]);
        const auto carry = [&](const Vec3& arm) { change += cross(spinChange, arm) + cross(spin, cross(spin, arm)); };
        carry(m_bodies[j.parent].orientation.rotate(j.onParent));
        for (std::size_t k = j.first; k < j.last; ++k) {
            const Motion& m = m_motions[k];
            const Vec3 rate = m.worldAxis * rates[m.number][0];
            if (m.ball < m_balls.size()) {
                const Ball& ball = m_balls[m.ball];
                Vec3 local, turning;
                for (std::size_t i = ball.first; i < ball.last; ++i) {
                    local += m_motions[i].axis * rates[m_motions[i].number][0];
                    turning += m_motions[i].worldAxis * rates[m_motions[i].number][0];
                }
                spinChange +=
                    cross(spin, turning) + ball.before.rotate(SpatialRotation(ball.vector).spinChange(local, local));
                spin += turning;
                k = ball.last - 1;
            } else if (m.rotates) {
                spinChange += cross(spin, rate);
                spin += rate;
            } else {
                carry(m.worldAxis * values[m.number][0]);
                change += cross(spin, rate) * 2.;
            }
        }
        carry(m_bodies[j.child].orientation.rotate(j.onChild) * -1.);
        a[j.child] = Out::makeDeriv(change, spinChange);
        spins[j.child] = spin;
    }
    m_inertial.assign(out.size(), {});
    for (const Mass<Out>* mass : masses) {
        mass->addMDx(m_inertial, a, m_bodies, -1.);
        if (!mass->turns()) continue;
        for (Index i = 0; i < out.size(); ++i) {
            Mat3 inertia;
            mass->addBodyInertia(i, inertia);
            const Quat& q = m_bodies[i].orientation;
            const Vec3 momentum = q.rotate(inertia * q.inverseRotate(spins[i]));
            const Vec3 torque = cross(spins[i], momentum);
            for (std::size_t r = 0; r < 3; ++r) m_inertial[i][3 + r] -= torque[r];
        }
    }
    const auto total = out.write(f.at(out));
    for (Index i = 0; i < out.size(); ++i) (*total)[i] += m_inertial[i];
}

static const RegisterComponent registeredArticulatedSystemMapping =
    RegisterComponent("ArticulatedSystemMapping", "Mapping", "ArticulatedSystemPlugin")
        .help("Rigid bodies that move by the numbers of the joints between them")
        .example("component/articulation/ArticulatedSystemMapping.scn")
        .add<ArticulatedSystemMapping<Rigid3Types, Vec1Types, Rigid3Types>>();

}  // namespace sofa::component
