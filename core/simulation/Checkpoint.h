// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/scene/SceneDocument.h"
#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Saves the run-time state of every component (state vectors, warm starts, internal variables), time and step count,
/// so that the same scene, loaded and initialised anew, continues bit for bit. What components have put into the scene
/// since (contacts, groups) is made anew by them (TransientOwner); the hold of the mouse is left out. Elements that
/// were removed are removed again first (archiveElements). The file names each component and is refused by a scene with
/// other components, or with another time step, gravity, mass or material unless the command line gives it (with
/// --lenient a warning). Throws std::runtime_error; the simulation is then as it was before.
void saveCheckpoint(const Simulation& s, const std::string& file);
void loadCheckpoint(Simulation& s, const std::string& file);

/// The state of a scene while its components are initialised once more because others changed (Simulation::settle).
class SceneMemory
{
public:
    /// Takes the state of every component that is initialised.
    explicit SceneMemory(Node& root);
    /// Brings the scene back to its beginning.
    void rollBack(Node& root) const;
    /// Gives all components that are still there their state back. Those whose states or meshes have other sizes now
    /// keep the one in which they begin, with a warning; contacts begin anew if there are other collision models.
    void restore(Node& root);

private:
    struct Kept
    {
        std::shared_ptr<Component> component;
        std::vector<std::size_t> sizes;
        std::string bytes;
    };
    std::vector<Kept> m_kept;
    std::vector<std::pair<std::string, std::string>> m_transient;  ///< what transient components are, and their states
    std::vector<ObjectId> m_contactMakers;
    std::string m_elements, m_transients;
    double m_time;
};

/// Saves the scene so that it goes on from here when it is loaded: its text (saveScene), and, unless the simulation
/// stands at the beginning, a checkpoint `FILE.checkpoint` beside it, which the root of the text names
/// (Node::d_checkpoint). Throws FileChanged and std::runtime_error; the scene's file is then as it was before.
void saveSceneAndState(const Simulation& s, const std::string& file, SaveOptions options = {});

}  // namespace sofa::core
