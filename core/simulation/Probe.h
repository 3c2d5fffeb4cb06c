// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <optional>

#include "core/io/TableFile.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/simulation/SceneForces.h"
#include "core/simulation/Simulation.h"

namespace sofa::core {

/// A quantity of a scene as a few numbers: "@/organ/FEM.vonMises:max".
///
///     @PATH.NAME[:OPERATION ...]
///
/// PATH is that of a node or component, NAME one of its Data or quantities (core/objectmodel/Quantity.h) that holds
/// numbers. Operations go from left to right over the entries (points, elements):
///   min, max, mean, sum  of each scalar over all entries
///   norm       length of each entry; of a list of plain numbers the root of the sum of their squares
///   x, y, z    that scalar of each entry
///   a number   that entry, counted from 0
class Probe
{
public:
    /// Throws std::runtime_error if the text is no probe; whether the object exists is found when it is evaluated.
    explicit Probe(std::string text);

    const std::string& text() const { return m_text; }
    /// The path is seen from an object. Throws std::runtime_error, with what there is instead.
    NumberList evaluate(const Base& from) const;
    /// Whose Data or quantity it is, with its place in the scene, as messages begin.
    std::string objectOf(const Base& from) const;
    /// A name for each number of the result.
    std::vector<std::string> columns(const NumberList& result) const;

private:
    NumberList value(const Base& from) const;
    void apply(const std::string& operation, NumberList& list) const;

    std::string m_text, m_path;
    std::vector<std::string> m_operations;
};

/// A table of probes with a row for each step: "step", "time" [s], and a column for each number (TableFile).
class ProbeTable
{
public:
    /// Throws std::runtime_error.
    ProbeTable(std::string file, const std::vector<std::string>& probes);
    /// Writes the row of the present step. Throws std::runtime_error, also where a probe gives no number, or another
    /// number of numbers than in the first row.
    void write(const Simulation& s);
    /// Completes the file; without it there is none.
    void finish();

private:
    std::string m_file;
    std::vector<Probe> m_probes;
    std::vector<std::size_t> m_sizes;
    std::optional<TableFile> m_table;
};

}  // namespace sofa::core
