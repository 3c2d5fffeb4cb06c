// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/FrameReader.h"
#include "core/io/TopologyFile.h"

namespace sofa::component {

/// Hands out the elements of a file that WriteTopology wrote, as results that the lists of a topology follow:
/// `<MeshTopology triangles="@reader.triangles"/>`. The first ones are there when components below it are initialised.
class ReadTopology : public FrameReader
{
    template <class E>
    using List = Data<Vector<E>>;

public:
    List<Edge> d_edges{this, result("edges", "Edges at the present time")};
    List<Triangle> d_triangles{this, result("triangles", "Triangles at the present time")};
    List<Quad> d_quads{this, result("quads", "Quads at the present time")};
    List<Tetrahedron> d_tetrahedra{this, result("tetrahedra", "Tetrahedra at the present time")};
    List<Hexahedron> d_hexahedra{this, result("hexahedra", "Hexahedra at the present time")};

    void init() override;

protected:
    std::vector<double> load(const std::string& file) override;
    void show(std::size_t frame) override;
    const io::TopologyFrame& frame(std::size_t i) const { return m_frames[i]; }

private:
    /// Whether the topologies that take over the lists have the points of a frame. \throws std::runtime_error if not
    void checkVertices(const io::TopologyFrame& f) const;
    static DataInfo result(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .readOnly = true, .saved = false};
    }
    std::vector<io::TopologyFrame> m_frames;
};

}  // namespace sofa::component
