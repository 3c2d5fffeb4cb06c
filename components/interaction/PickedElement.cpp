// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/PickedElement.h"

#include <algorithm>

#include "core/geometry/ConvexContact.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// Tetrahedra that fill an element with more than four vertices.
std::vector<std::array<Index, 4>> partsOf(ElementType type)
{
    if (type == ElementType::Hexahedra) return {hexahedronTetrahedra.begin(), hexahedronTetrahedra.end()};
    if (type == ElementType::Prisms) return {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}};
    if (type == ElementType::Pyramids) return {{0, 1, 2, 4}, {0, 2, 3, 4}};
    return {};
}

}  // namespace

RemovableElement pickedElement(const Picked& picked)
{
    const BaseMeshTopology* mesh = picked.model ? picked.model->topology() : nullptr;
    if (!mesh && !picked.state) throw std::runtime_error("nothing moves '" + picked.surface->pathName() + "'");
    if (!mesh) mesh = picked.state->node()->get<BaseMeshTopology>(Search::Local);
    if (!mesh) throw std::runtime_error("'" + picked.state->pathName() + "' is not on a mesh");
    Vector<Index> vertices{picked.index};
    if (picked.model) {
        const auto v = picked.model->vertices(picked.index);
        vertices.assign(v.begin(), v.end());
    }
    return elementOn(*mesh, vertices, *picked.state, picked.point);
}

double elementDistance(const geometry::ConvexBody& body, ElementType type, const std::vector<Vec3>& vertices)
{
    if (vertices.size() <= 4) return coreContact(body, geometry::ConvexBody::of(vertices)).distance;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& part : partsOf(type)) {
        const std::array<Vec3, 4> p{vertices[part[0]], vertices[part[1]], vertices[part[2]], vertices[part[3]]};
        least = std::min(least, coreContact(body, geometry::ConvexBody::of(p)).distance);
    }
    return least;
}

}  // namespace sofa::component
