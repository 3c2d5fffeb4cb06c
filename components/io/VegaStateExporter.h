// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/objectmodel/Component.h"
#include "core/objectmodel/OutputFileName.h"

namespace sofa::component {

using namespace sofa::core;

/// Writes the displacements u = x − X (X the rest positions) of the state of its node after each step, as Vega's
/// simulator does (outputFilename): the file <filename>.u.<number> holds a binary matrix of 3n rows and one column,
/// and <filename>.f.<number> the forces that are linked to it. Numbers have four digits or more and count the steps
/// from 0.
class VegaStateExporter final : public Component
{
public:
    Data<OutputFileName> d_filename{
        this,
        {.name = "filename",
         .help = "Name of the files without .u.0000; a relative one counts from the working directory",
         .required = true}};
    Data<unsigned> d_interval{
        this, {.name = "interval", .help = "Write after every this many steps", .range = Range::closed(1., 1e9)}, 1};
    Data<Vector<Vec3>> d_forces{this,
                                {.name = "forces", .help = "External force on each point; empty: zero", .unit = "N"}};

    static std::string_view typeLabel() { return "exporter"; }
    VegaStateExporter();

    void init() override;
    void reset() override { m_steps = 0; }
    void archive(Archive& a) override;
    /// Writes at the end of each step. \throws std::runtime_error where that fails
    void handleEvent(const Event& e) override;

private:
    void write(const char* kind, const Vector<Vec3>& values) const;

    State<Vec3Types>* m_state = nullptr;
    std::string m_base;         ///< as given
    std::uint64_t m_steps = 0;  ///< done since the start
};

}  // namespace sofa::component
