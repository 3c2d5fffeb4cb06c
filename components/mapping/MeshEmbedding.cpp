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

}  // namespace

io::InterpolationWeights embedPoints(const io::VegMesh& mesh, const Vector<Vec3>& points, double zeroThreshold)
{
    if (mesh.elementCount() == 0) throw std::runtime_error("the volumetric mesh has no elements");
    BarycentricWeights w = computeBarycentricWeights(VegTopology(mesh), mesh.positions, points);
    io::InterpolationWeights out;
    out.nodesPerPoint = mesh.tetrahedra.empty() ? 8 : 4;
    out.nodes = std::move(w.columns);
    out.weights = std::move(w.weights);
    const std::size_t n = out.nodesPerPoint;
    for (std::size_t i = 0; zeroThreshold > 0. && i < points.size(); ++i) {
        const auto first = out.nodes.begin() + static_cast<std::ptrdiff_t>(i * n);
        const bool far = std::none_of(first, first + static_cast<std::ptrdiff_t>(n),
                                      [&](Index v) { return norm(mesh.positions[v] - points[i]) <= zeroThreshold; });
        if (far) std::fill_n(out.weights.begin() + static_cast<std::ptrdiff_t>(i * n), n, 0.);
    }
    return out;
}

}  // namespace sofa::component
