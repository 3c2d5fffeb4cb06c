// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

/// Bodies that rest, and are left out of steps until something acts on them.
///
/// A body is what one node with integrators moves, with everything below. Bodies with a constraint or force field
/// between them, touching contacts or open ones, are an island. When all bodies of an island have been slow for a time
/// they are stopped, and the next step is done with them as always. What it begins with is noted:
///
///   * the state, and the forces on it at rest, those from outside its node included;
///   * projective constraints, and the constraints with other bodies (BaseLagrangianConstraint::fingerprint);
///   * the free motion.
///
/// If they gain next to no velocity in that step, they are put back to where they were stopped, and sleep: a step that
/// begins with the same ends with the same. In each step the first two are looked at again and compared bit for bit,
/// without any tolerance, so that forces that grow slowly are noticed at once; the third is what it was. A body wakes
/// when anything is different, or when its island has a body that is awake, or ground that has moved: what no
/// integrator moves is ground, and joins nothing. It goes on with the velocity at which it was stopped, so that what
/// moves slowly is not held up.
class SleepingBodies
{
public:
    /// What counts as slow, and for how long.
    struct Limits
    {
        double time = 0.;   ///< [s]
        double speed = 0.;  ///< of points [m/s]
        double spin = 0.;   ///< of rigid bodies [rad/s]
    };

    /// After what moves by itself has moved, before integrators: which bodies there are, and which ground has moved.
    void begin(Node& target);
    /// Whether the body of a node sleeps on, asked when its integrators would have their turn. One on which other
    /// forces act than before wakes.
    bool rests(Node& body, double dt);
    /// After the detection of a step: wakes the bodies of islands in which something is awake or has changed, and
    /// returns their nodes. After a later detection, within the step, only what has come to touch counts.
    std::vector<Node*> wakeIslands(Node& target, bool later = false);
    /// The states of bodies that sleep, mapped ones too; nullptr if there are none.
    const std::unordered_set<const BaseState*>* states() const { return m_asleep.empty() ? nullptr : &m_asleep; }
    /// At the end of the motion: stops islands that have been slow for the time, and puts those to sleep that one more
    /// step has left slow.
    void end(double dt, const Limits& limits);

    /// Number of bodies that sleep.
    int count() const;
    /// All are awake.
    void clear();
    void archive(Archive& a);

private:
    /// What rests would take longer than so many times the time to become fast by what it gains in a step.
    static constexpr double patience = 10.;

    enum class Phase : std::uint64_t
    {
        Awake,
        Stopped,  ///< in the step that tells whether it rests
        Asleep
    };
    /// What is known of a body, or of ground, from step to step.
    struct Memory
    {
        ObjectId id = 0;  ///< of the node; of ground, of the state
        Phase phase = Phase::Awake;
        double slow = 0.;                     ///< for so long [s]
        std::uint64_t own = 0, contacts = 0;  ///< fingerprints; of ground, the first is that of its state
        std::uint64_t kept = 0;               ///< numbers in Unit::kept, for archives
    };
    struct Unit
    {
        Memory memory;
        Node* node = nullptr;  ///< nullptr: ground
        std::vector<BaseState*> states;
        /// While it is stopped or sleeps, state after state: position and velocity where it was stopped, and the free
        /// motion from there.
        Vector<double> kept;
        bool mayRest = true;  ///< false where integrators look for equilibria
        bool moved = false;   ///< ground only: since the last step
        bool isBody() const { return node != nullptr; }
    };

    void collect(Node& target);
    std::uint64_t stateOf(const Unit& u);
    std::uint64_t whatActsOn(const Unit& u, double dt);
    void findIslands(Node& target);
    std::size_t islandOf(std::size_t unit);
    static std::size_t sizeOf(const Unit& u);
    static void stop(Unit& u);
    static void keepFreeMotion(Unit& u);
    static void moveFreely(const Unit& u);
    static void fallAsleep(Unit& u);
    /// Gives it the velocity back with which it was stopped, and the way that it has missed in a time [s] since.
    void wake(Unit& u, double missed = 0.);
    void listStates();

    const Node* m_target = nullptr;
    std::size_t m_version = 0;
    std::vector<Unit> m_units;  ///< bodies in the order of the scene, then ground
    std::unordered_map<const Node*, std::size_t> m_unitOf;
    std::unordered_map<const BaseState*, std::vector<std::size_t>> m_unitsBehind;  ///< of states, mapped ones too
    std::unordered_map<ObjectId, Unit> m_known;  ///< of units that left with a change of the scene, or of a checkpoint
    std::vector<std::size_t> m_parent;           ///< of each unit, towards the first of its island
    std::vector<std::uint64_t> m_contacts;       ///< fingerprint of the constraints on each unit at present
    std::vector<char> m_touchesMoved;            ///< whether ground that has moved acts on the unit
    std::unordered_set<const BaseState*> m_asleep;
    Vector<double> m_scratch;
};

}  // namespace sofa::component
