// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <stdexcept>

#include "core/behavior/Solvers.h"
#include "core/log/Session.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

/// Thrown when a run cannot go on: the state is not finite, or a component failed. The text names component, index and
/// time.
struct SimulationError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

class SceneMemory;

/// Life of one scene: initialisation, steps, reset. Several simulations may live in one process.
class Simulation
{
public:
    explicit Simulation(std::shared_ptr<Node> root) : m_root(std::move(root)) {}

    Node& root() const { return *m_root; }
    /// The session in which the simulation was made. All that it does, it does there.
    Session& session() const { return *m_session; }

    /// Initialises every component, top-down in the order of the scene, then bwdInit bottom-up; maps the initial state
    /// and stores it for reset. A scene that names a checkpoint (Node::d_checkpoint) then goes on from there. Returns
    /// false if a component reported that it cannot work, or the checkpoint is of another scene; then the scene must
    /// not be stepped.
    bool init();
    /// Makes a scene whose nodes or components were added, removed or moved since init, between two steps, ready for
    /// the next step, which does it otherwise. All components are reset and initialised once more, new ones for the
    /// first time, and get back what they had; a state whose size has changed begins anew, with a warning. False if a
    /// component cannot work: it has reported that. The scene must not be stepped then, but may be changed again; its
    /// state is remembered.
    bool settle();
    /// Whether the scene was changed since it was initialised or settled.
    bool isUnsettled() const { return m_root->scene().unsettled; }
    /// One step of dt [s] (0: the scene's) by the animation loop. Throws SimulationError, and Interrupted (Phases): the
    /// scene is in the middle of the step then, and must be reset before the next one.
    void step(double dt = 0.);
    /// Back to the state after init. Throws SimulationError if the scene's checkpoint cannot be read any more.
    void reset();
    void cleanup();  ///< of all components, whatever one throws; throws ComponentError, the first of theirs

    /// Whether the last step was interrupted.
    bool isInterrupted() const { return m_interrupted; }
    std::size_t stepCount() const { return m_steps; }
    void setStepCount(std::size_t n) { m_steps = n; }
    /// Stops a run in which positions or velocities are not finite any more, or beyond what the scene can
    /// mean (AnimationLoop::d_divergenceFactor); on by default.
    void setFiniteGuard(bool on) { m_guard = on; }

    /// Sum of kinetic and potential energies of the components that know theirs [J].
    struct Energy
    {
        double kinetic = 0., potential = 0.;
    };
    Energy energy() const { return energyOf(*m_root); }
    /// The same of a node and what is below.
    static Energy energyOf(Node& scope);
    /// What did not converge, in a sentence for each solver: equilibria of the last step, equations of any step.
    std::vector<std::string> unconverged() const;

private:
    void loadOwnCheckpoint();
    void beginAsInitialised();
    void settleOrThrow();
    void checkFinite(double dt);
    void checkExtent(const BaseState& s, const AnimationLoop& loop, double dt);
    void rememberExtent();

    std::shared_ptr<Node> m_root;
    Session* m_session = &Session::current();  ///< in which it was made
    std::size_t m_steps = 0;
    double m_lastGoodTime = 0.;
    std::shared_ptr<SceneMemory> m_memory;  ///< of a scene that could not be settled yet
    Vec3 m_center;                          ///< of the positions at the beginning [m]
    double m_extent = 0., m_speed = 0.;     ///< of the scene then: [m], and largest speed [m/s]
    bool m_guard = true, m_interrupted = false;
};

/// Initialises the components of a sub-graph that was added to a running scene. Returns false if one failed.
bool initGraph(Node& scope);

}  // namespace sofa::core
