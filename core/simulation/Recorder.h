// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <set>
#include <string>

#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Records the states and topologies of chosen steps as JSON:
/// {"dt", "frames": [{"step", "t", "states": [{"path", "template", "n", "mapped", "x", "v"}],
///                    "topo": [{"path", "p", "e", "t", "q", "tet", "hex"}]}]}
/// x and v are flat arrays of numbers that read back to the same bits; NaN and infinities are written as null.
class Recorder
{
public:
    /// `steps`: which steps to record, counted from 0 (the initial state); empty: all. `states`: names or paths of the
    /// states to record; empty: all.
    Recorder(std::string file, std::set<std::size_t> steps, std::set<std::string> states = {})
        : m_file(std::move(file)), m_steps(std::move(steps)), m_states(std::move(states))
    {
    }

    /// Records the present step if it is one of the chosen. Throws std::runtime_error if a chosen state does not exist.
    void record(const Simulation& s);
    /// Writes the file, gzip-compressed when its name ends in .gz. Throws std::runtime_error.
    void write() const;
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::set<std::size_t> m_steps;
    std::set<std::string> m_states;
    std::string m_frames;
    double m_dt = 0.;
};

/// Writes text to a file, gzip-compressed when its name ends in .gz. Throws std::runtime_error.
void writeTextFile(const std::string& file, const std::string& text);

}  // namespace sofa::core
