// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/SkeletalMotionProjectiveConstraint.h"

#include <algorithm>
#include <cmath>

#include "components/constraint/DrawSize.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

namespace {

/// Spherical interpolation the shorter way round.
Quat turnBetween(const Quat& a, const Quat& b, double t)
{
    return Quat::fromRotationVector((b * a.inverse()).normalized().toRotationVector() * t) * a;
}

constexpr std::string_view jointWords =
    "Parent, Rest, Key, Channels, Times, PreviousMotion, PreviousMotionTime, NextMotion, NextMotionTime or LocalRigid";

/// The word that comes next, without taking it.
std::string_view nextWord(TextCursor c) { return c.token(",]"); }

bool readPose(TextCursor& c, RigidCoord3& pose)
{
    if (!readValue(c, pose)) return false;
    return norm(pose.orientation.q) > 1e-9 || c.fail("a quaternion that is not zero before this");
}

/// A list after its length.
template <class T, class Read>
bool readCounted(TextCursor& c, Vector<T>& values, Read read)
{
    Index n = 0;
    if (!core::readValue(c, n)) return false;
    if (n == InvalidIndex) return c.fail("the length of the list before this");
    values.clear();
    // A length is believed as far as there are values.
    for (Index i = 0; i < n; ++i) {
        T value{};
        if (!read(c, value)) return false;
        values.push_back(value);
    }
    return true;
}

}  // namespace

RigidCoord3 SkeletonJoint::pose(double time) const
{
    const auto unit = [](const RigidCoord3& p) { return RigidCoord3{p.center, p.orientation.normalized()}; };
    if (keys.empty()) return unit(rest);
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& key) { return t < key.time; });
    if (next == keys.end()) return unit(keys.back().pose);
    const Key from = next == keys.begin() ? Key{std::min(0., time), rest} : *(next - 1);
    const RigidCoord3 a = unit(from.pose), b = unit(next->pose);
    const double u = (time - from.time) / (next->time - from.time);
    return {a.center + (b.center - a.center) * u, turnBetween(a.orientation, b.orientation, u)};
}

bool readValue(TextCursor& c, SkeletonJoint& j)
{
    j = {};
    if (nextWord(c) != "Parent") return c.fail("Parent, with which a joint begins");
    (void)c.token();
    if (!core::readValue(c, j.parent)) return false;
    Vector<RigidCoord3> channels;
    Vector<double> times;
    RigidCoord3 previous, next, local;
    double unused = 0.;
    bool hasRest = false, hasPrevious = false, hasLocal = false;
    while (!c.atEnd() && c.peek() != ',' && c.peek() != ']') {
        const std::string_view word = nextWord(c);
        if (word == "Parent") break;
        const auto take = [&c](auto read) {
            (void)c.token();
            return read();
        };
        bool good = true;
        if (word == "Rest") {
            good = hasRest = take([&] { return readPose(c, j.rest); });
        } else if (word == "Key") {
            SkeletonJoint::Key key;
            good = take([&] { return core::readValue(c, key.time) && readPose(c, key.pose); });
            j.keys.push_back(key);
        } else if (word == "Channels") {
            good = take([&] { return readCounted(c, channels, readPose); });
        } else if (word == "Times") {
            good = take(
                [&] { return readCounted(c, times, [](TextCursor& t, double& v) { return core::readValue(t, v); }); });
        } else if (word == "PreviousMotion") {
            good = hasPrevious = take([&] { return readPose(c, previous); });
        } else if (word == "NextMotion") {
            good = take([&] { return readPose(c, next); });
        } else if (word == "LocalRigid") {
            good = hasLocal = take([&] { return readPose(c, local); });
        } else if (word == "PreviousMotionTime" || word == "NextMotionTime") {
            good = take([&] { return core::readValue(c, unused); });
        } else {
            return c.fail(jointWords);
        }
        if (!good) return false;
    }
    if (channels.size() != times.size())
        return c.fail("as many Times as Channels before this: there are " + std::to_string(channels.size()) +
                      " Channels and " + std::to_string(times.size()) + " Times");
    for (std::size_t i = 0; i < channels.size(); ++i) j.keys.push_back({times[i], channels[i]});
    // What SOFA keeps of a joint without keys is in LocalRigid; one with keys comes from PreviousMotion.
    if (!hasRest) {
        if (hasPrevious && (!j.keys.empty() || !hasLocal))
            j.rest = previous;
        else if (hasLocal)
            j.rest = local;
    }
    return true;
}

void writeValue(std::string& out, const SkeletonJoint& j)
{
    out += "Parent " + toText(j.parent) + " Rest " + toText(j.rest);
    for (const SkeletonJoint::Key& k : j.keys) out += " Key " + toText(k.time) + ' ' + toText(k.pose);
}

bool readValue(TextCursor& c, Skeleton& s)
{
    s.joints.clear();
    const bool bracket = c.accept('[');
    while (!c.atEnd() && c.peek() != ']') {
        SkeletonJoint joint;
        if (!readValue(c, joint)) return false;
        s.joints.push_back(std::move(joint));
        c.accept(',');
    }
    if (bracket && !c.accept(']')) return c.fail("']'");
    return true;
}

void writeValue(std::string& out, const Skeleton& s)
{
    out += '[';
    for (std::size_t i = 0; i < s.joints.size(); ++i) {
        if (i > 0) out += ", ";
        writeValue(out, s.joints[i]);
    }
    out += ']';
}

bool BoneList::read(std::string_view text, std::string& error)
{
    std::string plain(text);
    const std::size_t first = plain.find_first_not_of(" \t\r\n"), last = plain.find_last_not_of(" \t\r\n");
    if (first != std::string::npos && plain[first] == '[') {
        if (plain[last] != ']') {
            error = "expected ']', found the end of the text";
            return false;
        }
        plain[first] = plain[last] = ' ';
        std::replace(plain.begin(), plain.end(), ',', ' ');
    }
    return Data::read(plain, error);
}

void SkeletalMotionProjectiveConstraint::init()
{
    ProjectiveConstraint::init();
    if (this->isValid()) check();
}

void SkeletalMotionProjectiveConstraint::check()
{
    m_joints.clear();
    m_order.clear();
    if (!l_state) return;
    const auto refuse = [this](const BaseData& d, const std::string& reason) {
        setValid(false);
        message(Severity::Error, std::string(d.name()) + ": " + reason, d.location);
    };
    const auto& joints = d_joints->joints;
    const std::string count = "there are " + std::to_string(joints.size()) + " joints, numbered from 0";
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::string joint = "joint " + std::to_string(i);
        if (joints[i].parent < -1 || joints[i].parent >= static_cast<int>(joints.size()))
            return refuse(d_joints, joint + " has the parent " + std::to_string(joints[i].parent) + ", but " + count);
        const auto& keys = joints[i].keys;
        for (std::size_t k = 1; k < keys.size(); ++k)
            if (keys[k].time < keys[k - 1].time)
                return refuse(d_joints, joint + " has a key at " + toText(keys[k].time) + " s after one at " +
                                            toText(keys[k - 1].time) + " s; times must not decrease");
    }
    for (const Index b : d_bones.value())
        if (b >= joints.size())
            return refuse(d_bones, "joint " + std::to_string(static_cast<int>(b)) + " does not exist; " + count);
    if (d_bones->size() > state().size())
        return refuse(d_bones, std::to_string(d_bones->size()) + " frames are to follow, but " + state().pathName() +
                                   " has " + std::to_string(state().size()));

    // Parents before children.
    Vector<Index> order;
    std::vector<bool> placed(joints.size());
    while (order.size() < joints.size()) {
        const std::size_t before = order.size();
        for (Index i = 0; i < joints.size(); ++i) {
            const int parent = joints[i].parent;
            if (placed[i] || (parent >= 0 && !placed[static_cast<std::size_t>(parent)])) continue;
            placed[i] = true;
            order.push_back(i);
        }
        if (order.size() > before) continue;
        const auto first = std::find(placed.begin(), placed.end(), false) - placed.begin();
        return refuse(d_joints, "joint " + std::to_string(first) + " is carried by parents that form a circle");
    }
    m_joints = joints;
    m_order = std::move(order);
    place(node()->time(), m_now);
}

void SkeletalMotionProjectiveConstraint::place(double time, VecCoord& places) const
{
    places.resize(m_joints.size());
    for (const Index i : m_order) {
        const RigidCoord3 pose = m_joints[i].pose(time * d_animationSpeed.value());
        const int parent = m_joints[i].parent;
        places[i] = parent < 0 ? pose : places[static_cast<std::size_t>(parent)].compose(pose);
    }
}

template <class F>
void SkeletalMotionProjectiveConstraint::forEachBone(std::size_t frames, F f) const
{
    if (!d_active.value()) return;
    const auto& bones = d_bones.value();
    for (Index i = 0; i < std::min(frames, bones.size()); ++i)
        if (bones[i] < m_joints.size()) f(i, bones[i]);
}

void SkeletalMotionProjectiveConstraint::projectResponse(VecDeriv& dx) const
{
    forEachBone(dx.size(), [&](Index i, Index) { dx[i] = Deriv(); });
}

void SkeletalMotionProjectiveConstraint::projectVelocity(VecDeriv& v) const
{
    const double dt = node()->dt();
    if (!d_active.value() || dt == 0.) return;
    place(node()->time(), m_now);
    place(node()->time() + dt, m_next);
    forEachBone(v.size(), [&](Index i, Index b) { v[i] = Rigid3Types::difference(m_next[b], m_now[b]) / dt; });
}

void SkeletalMotionProjectiveConstraint::projectPosition(VecCoord& x) const
{
    if (!d_active.value()) return;
    place(node()->time(), m_now);
    forEachBone(x.size(), [&](Index i, Index b) { x[i] = m_now[b]; });
}

void SkeletalMotionProjectiveConstraint::eliminate(EliminationSink& sink) const
{
    if (!isActive()) return;
    forEachBone(state().size(), [&](Index i, Index) {
        for (std::size_t k = 0; k < Rigid3Types::derivSize; ++k) sink.eliminate(state(), i, k);
    });
}

void SkeletalMotionProjectiveConstraint::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !d_active.value() || m_now.size() != m_joints.size()) return;
    auto centers = tool.scratch<Vec3>();
    auto lines = tool.scratch<Vec3>();
    double length = 0.;
    for (std::size_t i = 0; i < m_now.size(); ++i) {
        centers.push_back(m_now[i].center);
        const int parent = m_joints[i].parent;
        if (parent < 0) continue;
        lines.push_back(m_now[static_cast<std::size_t>(parent)].center);
        lines.push_back(m_now[i].center);
        length = std::max(length, norm(lines.back() - lines[lines.size() - 2]));
    }
    drawConstrainedPoints(tool, centers, 0.);
    tool.lines(lines, plainStyle(Color(1.f, 0.5f, 0.5f), 2.f));
    tool.frames(m_now, length > 0. ? 0.2 * length : 0.05 * tool.sceneSize());
}

static const RegisterComponent registeredSkeletalMotionProjectiveConstraint =
    RegisterComponent("SkeletalMotionProjectiveConstraint", "ProjectiveConstraint",
                      "Sofa.Component.Constraint.Projective")
        .help("Moves frames as the joints of a skeleton that is animated by key poses")
        .alias("SkeletalMotionConstraint")
        .example("component/constraint/SkeletalMotionProjectiveConstraint.scn")
        .add<SkeletalMotionProjectiveConstraint>();

}  // namespace sofa::component
