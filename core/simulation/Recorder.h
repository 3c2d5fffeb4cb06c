// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Records the states and topologies of chosen steps as they come; the memory that it takes does not grow. By the
/// extension of the file name:
///   .npz  arrays of NumPy: "step" and "time" [s] of the frames, and for each state "PATH/x" and "PATH/v", PATH
///         without the first '/', of shape (frames, points, scalars of a point). States that come or change their size
///         while it runs cannot be in it.
///   else  JSON, compressed where it ends in .gz:
///         {"frames": [{"step", "t", "states": [{"path", "template", "n", "mapped", "x", "v"}],
///                      "topo": [{"path", "p", "e", "t", "q", "tet", "hex"}]}], "dt"}
///         x and v are flat arrays of numbers that read back to the same bits; NaN and infinities are written as null.
class Recorder
{
public:
    /// `steps`: which steps to record, counted from 0 (the initial state); empty: all. `states`: names or paths of the
    /// states to record; empty: all. Throws std::runtime_error if the file cannot be written.
    Recorder(const std::string& file, std::set<std::size_t> steps, std::set<std::string> states = {});
    ~Recorder();

    /// Records the present step if it is one of the chosen. Throws std::runtime_error if a chosen state does not exist,
    /// or the file cannot be written.
    void record(const Simulation& s);
    /// Completes the file; without it there is none. Throws std::runtime_error.
    void finish();

    /// Format of a recording: writes its frames.
    class Writer;

private:
    std::vector<const BaseState*> chosenStates(const Node& root) const;

    std::set<std::size_t> m_steps;
    std::set<std::string> m_states;
    std::unique_ptr<Writer> m_writer;
};

}  // namespace sofa::core
