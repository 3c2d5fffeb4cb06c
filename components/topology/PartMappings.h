// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// The output has the elements of the input: all of the kinds that it can hold.
class IdentityTopologicalMapping final : public TopologicalMapping
{
protected:
    ElementType inputType() const override;
    ElementType outputType() const override { return inputType(); }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// The output is a part of the input, given by its lists. Of the kinds that are handled, elements go with those of the
/// input; new ones of the input join the part if all that they are made of is in it.
///
/// Unless both have the `samePoints`, a point of the output is the one of the input at the same position, to the bit;
/// or that of the same number if positions are missing. Points go with those of the input; new ones join the part if
/// all that they are made of is in it, or an element that joins has them.
class SubsetTopologicalMapping final : public TopologicalMapping, public TopologyFollower
{
public:
    Data<bool> d_samePoints{this, {.name = "samePoints", .help = "Both topologies have the same points"}, false};
    Data<bool> d_handleEdges{this, {.name = "handleEdges", .help = "Edges go with those of the input"}, false};
    Data<bool> d_handleTriangles{
        this, {.name = "handleTriangles", .help = "Triangles go with those of the input"}, false};
    Data<bool> d_handleQuads{this, {.name = "handleQuads", .help = "Quads go with those of the input"}, false};
    Data<bool> d_handleTetrahedra{
        this, {.name = "handleTetrahedra", .help = "Tetrahedra go with those of the input"}, false};
    Data<bool> d_handleHexahedra{
        this, {.name = "handleHexahedra", .help = "Hexahedra go with those of the input"}, false};
    Data<Vector<Index>> d_pointS2D{this, computed("pointS2D", "Point of the output for each of the input, computed")};
    Data<Vector<Index>> d_pointD2S{this, computed("pointD2S", "Point of the input for each of the output, computed")};
    Data<Vector<Index>> d_edgeS2D{this, computed("edgeS2D", "The same for handled edges")};
    Data<Vector<Index>> d_edgeD2S{this, computed("edgeD2S", "The same for handled edges")};
    Data<Vector<Index>> d_triangleS2D{this, computed("triangleS2D", "The same for handled triangles")};
    Data<Vector<Index>> d_triangleD2S{this, computed("triangleD2S", "The same for handled triangles")};
    Data<Vector<Index>> d_quadS2D{this, computed("quadS2D", "The same for handled quads")};
    Data<Vector<Index>> d_quadD2S{this, computed("quadD2S", "The same for handled quads")};
    Data<Vector<Index>> d_tetrahedronS2D{this, computed("tetrahedronS2D", "The same for handled tetrahedra")};
    Data<Vector<Index>> d_tetrahedronD2S{this, computed("tetrahedronD2S", "The same for handled tetrahedra")};
    Data<Vector<Index>> d_hexahedronS2D{this, computed("hexahedronS2D", "The same for handled hexahedra")};
    Data<Vector<Index>> d_hexahedronD2S{this, computed("hexahedronD2S", "The same for handled hexahedra")};

    void undoInit() override;
    std::span<const MappedPoint> mappedPoints() const override { return m_points; }
    std::string refusal(const TopologyStep& step) const override;
    PointLists pointLists() override { return noLists(); }
    bool makesPoints() const override { return !d_samePoints.value(); }
    bool makesPointsOf(ElementType type) const override { return handles(type); }
    bool keepsInput() const override { return true; }
    MadePoints followInput(const TopologyChange& change) override;
    StoredTopology::List::Undo remakeInput(bool restoring) override;
    void archiveInput(Archive& a) override;

protected:
    ElementType inputType() const override;
    ElementType outputType() const override { return inputType(); }
    Index preparePoints(const BaseMeshTopology& input, StoredTopology& output) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;

private:
    static DataInfo computed(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .readOnly = true};
    }
    /// The elements of one kind that the scene gives.
    template <class T>
    struct Part
    {
        Vector<T> given{};
        bool isGiven = false;
        Vector<Index> source{};  ///< of those in the part now the numbers in the input, if they are handled
        Vector<T> places{};      ///< vertex k is vertex places[k] of the one in the input
    };
    /// What belongs to the part.
    struct Kept
    {
        Part<Edge> edges{};
        Part<Triangle> triangles{};
        Part<Quad> quads{};
        Part<Tetrahedron> tetrahedra{};
        Part<Hexahedron> hexahedra{};
        Vector<Index> points{};  ///< of the input, for each of the output if it has its own
    };
    /// f(part, type, name, handled, S2D, D2S) for each kind.
    template <class Self, class F>
    static void forEachPart(Self& self, F f);
    void findPoints(const BaseMeshTopology& input, const StoredTopology& output);
    /// Fills what follows from the points of the part.
    void notePoints(const BaseMeshTopology& input);
    bool handles(ElementType type) const;
    /// Element k of a part, with the points of the output.
    template <class T>
    T elementOf(const Part<T>& part, const Vector<T>& from, std::size_t k) const;
    StoredTopology::List::Undo replace(Kept kept, std::optional<Kept> initial);

    Kept m_kept;
    std::optional<Kept> m_initial;  ///< before the first change
    std::vector<MappedPoint> m_points;
    bool m_noted = false;
};

}  // namespace sofa::component
