// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/ReadTopology.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Compares a topology with the frames of a file that WriteTopology wrote, each when its time comes. Where the number
/// of elements of a kind differs, the difference counts as errors, else each element with other vertices as one. Kinds
/// that the file does not have are not compared.
class CompareTopology final : public ReadTopology
{
public:
    TopologyView l_topology{this, {"topology", "Topology that is compared; default: that of the node or above"}};
    Data<Vector<unsigned>> d_errors{
        this,
        {.name = "errors",
         .help = "Errors of all frames so far: edges, triangles, quads, tetrahedra, hexahedra",
         .readOnly = true,
         .saved = false},
        Vector<unsigned>(5)};
    Data<unsigned> d_totalError{
        this, {.name = "totalError", .help = "Sum of the errors", .readOnly = true, .saved = false}, 0};

    void init() override;
    void reset() override;
    void archive(Archive& a) override;

protected:
    void show(std::size_t frame) override;

private:
    void setErrors(Vector<unsigned> errors);
};

}  // namespace sofa::component
