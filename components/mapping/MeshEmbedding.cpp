// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MeshEmbedding.h"

#include <algorithm>
#include <stdexcept>

#include "components/mapping/BarycentricWeights.h"

namespace sofa::component {

namespace {

/// The elements of a volumetric mesh as a topology.
class VegTopology : public BaseMeshTopology
{
public:
    explicit VegTopology(const io::VegMesh& mesh) : m_mesh(&mesh) {}
    Index nbPoints() const override { return static_cast<Index>(m_mesh->positions.size()); }
    const Vector<Edge>& edges() const override { return none<Edge>(); }
    const Vector<Triangle>& triangles() const override { return none<Triangle>(); }
    const Vector<Quad>& quads() const override { return none<Quad>(); }
    const Vector<Tetrahedron>& tetrahedra() const override { return m_mesh->tetrahedra; }
    const Vector<Hexahedron>& hexahedra() const override { return m_mesh->hexahedra; }

private:
    const io::VegMesh* m_mesh;
};

/// The elements of a topology, whatever else it is: all of them are candidates for each point.
class PlainTopology : public BaseMeshTopology
{
public:
    explicit PlainTopology(const BaseMeshTopology& t) : m_t(&t) {}
    Index nbPoints() const override { return m_t->nbPoints(); }
    const Vector<Edge>& edges() const override { return m_t->edges(); }
    const Vector<Triangle>& triangles() const override { return m_t->triangles(); }
    const Vector<Quad>& quads() const override { return m_t->quads(); }
    const Vector<Tetrahedron>& tetrahedra() const override { return m_t->tetrahedra(); }
    const Vector<Hexahedron>& hexahedra() const override { return m_t->hexahedra(); }

private:
    const BaseMeshTopology* m_t;
};

}  // namespace

io::InterpolationWeights embedPoints(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                     const Vector<Vec3>& points, double zeroThreshold)
{
    BarycentricWeights w = computeBarycentricWeights(PlainTopology(topology), vertices, points);
    io::InterpolationWeights out;
    out.nodesPerPoint = w.rows() > 0 ? w.rowStart[1] : 4;
    const std::size_t n = out.nodesPerPoint;
    for (Index i = 0; i < w.rows(); ++i)
        if (w.rowStart[i + 1] != (i + 1) * n)
            throw std::runtime_error("point " + std::to_string(i) + " lies in an element with " +
                                     std::to_string(w.rowStart[i + 1] - w.rowStart[i]) +
                                     " vertices, others in one with " + std::to_string(n) +
                                     ": a file of weights has the same number for all points");
    out.nodes = std::move(w.columns);
    out.weights = std::move(w.weights);
    for (std::size_t i = 0; zeroThreshold > 0. && i < points.size(); ++i) {
        const auto first = out.nodes.begin() + static_cast<std::ptrdiff_t>(i * n);
        const bool far = std::none_of(first, first + static_cast<std::ptrdiff_t>(n),
                                      [&](Index v) { return norm(vertices[v] - points[i]) <= zeroThreshold; });
        if (far) std::fill_n(out.weights.begin() + static_cast<std::ptrdiff_t>(i * n), n, 0.);
    }
    return out;
}

io::InterpolationWeights embedPoints(const io::VegMesh& mesh, const Vector<Vec3>& points, double zeroThreshold)
{
    if (mesh.elementCount() == 0) throw std::runtime_error("the volumetric mesh has no elements");
    return embedPoints(VegTopology(mesh), mesh.positions, points, zeroThreshold);
}

}  // namespace sofa::component
