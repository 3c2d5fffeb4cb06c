// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::core {
class TopologyTransaction;
namespace io {
class LineValues;
}
}  // namespace sofa::core

namespace sofa::component {

using namespace sofa::core;

/// Changes the topology of its node at given times: at the beginning of the first step that begins at that time, or
/// less than 2e-16 s before it, or later.
///
/// The file `filename` (it may be compressed by gzip) has a line "T= time" [s] for each time, in increasing order, and
/// below it changes of two lines each:
///
///     REMOVE= n                         n elements of the kind of the modifier of the node, and their numbers
///     ADD= Triangles n [Ancestors a..]  n elements, and their vertices; the number of an ancestor of each
///     ADD= PointsInTriangle n           n points, and for each a triangle and the parts u, v of its first two vertices
///     INCISE= n                         a cut of a surface of triangles along n points: x y z of each [m], or a
///                                       triangle and x y z of each
///
/// Elements are Edges, Triangles, Quads, Tetrahedra and Hexahedra; singular forms mean the same. Changes of one time
/// are made together, or none of them is. With `useDataInputs` the lists ...ToRemove are removed instead, in the first
/// step that begins after `timeToRemove`, and again after each `interval` if that is not zero. Numbers of elements that
/// are not there are passed over, with a warning. A cut goes from point to point over the surface, through the places
/// nearest to them (core/topology/SurfaceIncision.h).
class TopologicalChangeProcessor final : public Component, public TopologyFollower
{
public:
    static std::string_view typeLabel() { return "topological change processor"; }

    Data<FileName> d_filename{this, {.name = "filename", .help = "File with times and changes"}};
    Data<double> d_interval{this,
                            {.name = "interval",
                             .help = "Time between removals of the lists; 0: once",
                             .unit = "s",
                             .range = Range::closed(0., largestNumber)},
                            0.};
    Data<double> d_shift{this,
                         {.name = "shift",
                          .help = "Added to the time before it is compared with those of the file",
                          .unit = "s",
                          .range = Range::closed(-largestNumber, largestNumber)},
                         0.};
    Data<bool> d_loop{this, {.name = "loop", .help = "Begin the file again at its end"}, false};
    Data<bool> d_useDataInputs{this, {.name = "useDataInputs", .help = "Remove the lists, instead of the file"}, false};
    Data<double> d_timeToRemove{this,
                                {.name = "timeToRemove",
                                 .help = "Time after which the lists are removed",
                                 .unit = "s",
                                 .range = Range::closed(-largestNumber, largestNumber)},
                                0.};
    Data<Vector<Index>> d_points{this, {.name = "pointsToRemove", .help = "Points to remove"}};
    Data<Vector<Index>> d_edges{this, {.name = "edgesToRemove", .help = "Edges to remove"}};
    Data<Vector<Index>> d_triangles{this, {.name = "trianglesToRemove", .help = "Triangles to remove"}};
    Data<Vector<Index>> d_quads{this, {.name = "quadsToRemove", .help = "Quads to remove"}};
    Data<Vector<Index>> d_tetrahedra{this, {.name = "tetrahedraToRemove", .help = "Tetrahedra to remove"}};
    Data<Vector<Index>> d_hexahedra{this, {.name = "hexahedraToRemove", .help = "Hexahedra to remove"}};
    Data<bool> d_saveIndicesAtInit{
        this,
        {.name = "saveIndicesAtInit",
         .help =
             "The points of INCISE= are places of the mesh at rest, where the cut is found; otherwise where it is at "
             "that time. Triangles given with them are passed over"},
        false};
    Data<double> d_epsilonSnapPath{this,
                                   {.name = "epsilonSnapPath",
                                    .help = "Part of an edge within which a cut goes through its end",
                                    .unit = "1",
                                    .range = Range{0., 0.5}},
                                   0.1};
    Data<double> d_epsilonSnapBorder{
        this,
        {.name = "epsilonSnapBorder",
         .help = "Part of the height of a triangle at the border within which an end of a cut goes to the border",
         .unit = "1",
         .range = Range{0., 1.}},
        0.25};
    Data<bool> d_draw{
        this,
        {.name = "draw",
         .help = "Show, in yellow, the elements and places that change next, and, in grey, where the last "
                 "changes were made",
         .group = "Visualization"},
        false};
    TopologyView l_topology{this, {"topology", "Topology that is changed; default: that of the node"}};

    TopologicalChangeProcessor();
    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;
    void draw(DrawTool& tool) override;

    /// It keeps its place in the file, which recordings bring back with the mesh, and nothing of the mesh.
    PointLists pointLists() override { return noLists(); }

private:
    static constexpr double largestNumber = 1e100;

    struct Change
    {
        enum class Kind
        {
            Remove,
            Add,
            AddPointsInTriangles,
            Incise
        };
        Kind kind;
        ElementType type;
        Vector<Index> numbers;  ///< removed elements, vertices of new ones, or triangles (of a cut: or none)
        Vector<Index> ancestors;
        Vector<double> parts;  ///< u, v for each point, or x, y, z
        std::string place;     ///< file and line
    };
    struct Block
    {
        double time;
        std::vector<Change> changes;
    };
    void read();
    static void readPath(io::LineValues& values, Index count, Change& c);
    void incise(TopologyTransaction& all, StoredTopology& mesh, const Change& c) const;
    void make(const std::vector<Change>& changes);
    void removeLists(double time);
    std::array<std::pair<const Data<Vector<Index>>*, ElementType>, 6> lists() const;
    /// Appends the ends of lines along elements and cuts, and points, where changes are now.
    template <class Points>
    void markElements(ElementType type, const Vector<Index>& elements, Points& lines, Points& points) const;
    template <class Points>
    void mark(const Change& c, Points& lines, Points& points) const;
    ElementType elementType() const;

    std::vector<Block> m_blocks;
    std::size_t m_next = 0;
    double m_begin = 0.;  ///< of the file, when it is repeated [s]
    double m_removeAfter = 0.;
    Vector<Vec3> m_madeLines, m_madePoints;  ///< where the last changes were made, to be drawn
};

}  // namespace sofa::component
