// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/mesh/Elements.h"

/// Elements of one mesh at different times, in files that SOFA's WriteTopology writes and ReadTopology reads.
namespace sofa::core::io {

/// What a file holds of one time.
struct TopologyFrame
{
    double time = 0.;      ///< [s]
    std::size_t line = 0;  ///< of the time
    Vector<Edge> edges;
    Vector<Triangle> triangles;
    Vector<Quad> quads;
    Vector<Tetrahedron> tetrahedra;
    Vector<Hexahedron> hexahedra;
    std::array<bool, 5> given{};  ///< whether the file has the list, in this order
};

/// Calls `f(name, list)` with the lists of a frame and the names of these in files: Edges, Triangles, Quads,
/// Tetrahedra, Hexahedra.
template <class Frame, class F>
void forEachList(Frame& frame, F&& f)
{
    f("Edges", frame.edges);
    f("Triangles", frame.triangles);
    f("Quads", frame.quads);
    f("Tetrahedra", frame.tetrahedra);
    f("Hexahedra", frame.hexahedra);
}

/// Reads lines "T= TIME", each with lines "Edges= COUNT", "Triangles= COUNT", ... below it, as far as they were
/// written, and after each of these one with the vertices of all elements. Times increase; a file may hold no frame and
/// may be compressed by gzip. \throws MeshError with file and line
std::vector<TopologyFrame> readTopologyFile(const std::filesystem::path& path);

/// Appends a frame: its time, and, if `lists`, all lists.
void appendTopologyFrame(std::string& out, const TopologyFrame& frame, bool lists);

}  // namespace sofa::core::io
