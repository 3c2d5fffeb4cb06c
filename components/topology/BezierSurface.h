// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/PointMappings.h"
#include "core/topology/BezierSurface.h"

namespace sofa::component {

/// The border of quadratic Bézier tetrahedra, or Bézier triangles, as flat triangles: of each curved one n × n, whose
/// points lie on it,
///
///     x(α) = Σ_ij α_i α_j p_ij,   α_k = 0, 1/n, ..., 1.
///
/// Neighbours have the points of their common edge in common. A BezierSurfaceMechanicalMapping of the same node moves
/// them, so that a surface of any resolution is drawn and collides. Degrees of edges may change; triangles stay.
class BezierSurfaceTopologicalMapping final : public PointTopologicalMapping,
                                              public BezierSurface,
                                              public TopologyFollower
{
public:
    Data<Index> d_divisions{
        this,
        {.name = "divisions",
         .help = "Pieces of each edge: each curved triangle becomes as many times as many flat ones"},
        4};
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the triangles"}, false};

    void init() override;
    void followDegrees() override { remake(); }
    /// Control points of edges follow a change after topological mappings do.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override;
    void undoInit() override
    {
        PointTopologicalMapping::undoInit();
        m_patches.clear();
    }
    /// Of a quadratic map, linear interpolation in a triangle with the sides s_k errs by ½ Σ_k λ_i λ_j D²x(s_k, s_k),
    /// and D²x along an edge is 2 (p_ii − 2 p_ij + p_jj): no more than a third of the largest |p_ii − 2 p_ij + p_jj|
    /// over n².
    double deviation(const Vector<Vec3>& points) const override;

protected:
    ElementType inputType() const override
    {
        return input() && input()->topologyType() == ElementType::Triangles ? ElementType::Triangles
                                                                            : ElementType::Tetrahedra;
    }
    ElementType outputType() const override { return ElementType::Triangles; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
    void sortNumbers(Origin& origin) const override;

private:
    /// A triangle, or a face of the border: its corners among those of its element, and their points, turned outwards.
    struct Patch
    {
        Index element = 0;
        std::array<std::size_t, 3> corners{};
        Triangle points{};
    };
    void findPatches(const BaseMeshTopology& input);
    /// Corners, and how many of the n parts each has: those of at most three.
    using Parts = std::array<std::pair<Index, Index>, 3>;
    /// Of the point that has these parts of its corners, of which the first `count` are given.
    Origin originOf(Parts parts, std::size_t count) const;
    /// Of the point at (i, j, n − i − j) / n of a patch.
    Origin originOf(const Patch& patch, Index i, Index j) const;
    std::size_t divisions() const { return d_divisions.value(); }

    Vector<Patch> m_patches;
};

}  // namespace sofa::component
