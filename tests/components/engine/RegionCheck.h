// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "tests/harness/EngineCheck.h"

/// What the tests of regions of interest share.
namespace sofa::test {

using Indices = core::Vector<core::Index>;
using Points = core::Vector<core::Vec3>;

/// Positions of a state type with these points.
template <class D>
void setPoints(const EngineAccess& e, std::string_view name, const Points& x)
{
    typename D::VecCoord list(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) D::setPosition(list[i], x[i]);
    e.set(name, list);
}

inline void fillElements(const EngineAccess& e, RandomInput& random, std::size_t points)
{
    e.set("edges", random.elements<2>(20, points));
    e.set("triangles", random.elements<3>(20, points));
    e.set("quads", random.elements<4>(9, points));
    e.set("tetrahedra", random.elements<4>(12, points));
    e.set("hexahedra", random.elements<8>(6, points));
}

/// Checks the selection of one kind of elements in a region: `in` and `out` by index and as they are.
template <std::size_t N>
void verifyElements(const EngineAccess& e, const std::string& list, const std::string& indices,
                    const std::string& inside, const std::function<bool(const std::array<core::Index, N>&)>& isIn)
{
    Indices in;
    core::Vector<std::array<core::Index, N>> elements;
    const auto& all = e.get<core::Vector<std::array<core::Index, N>>>(list);
    for (core::Index k = 0; k < all.size(); ++k)
        if (isIn(all[k])) {
            in.push_back(k);
            elements.push_back(all[k]);
        }
    INFO(list);
    CHECK(e.indices(indices) == in);
    CHECK(e.get<core::Vector<std::array<core::Index, N>>>(inside) == elements);
}

/// Verifies a region of interest: `contains` for points, `accepts` for elements with these vertices.
template <class D>
void verifyRegion(
    const EngineAccess& e, const std::function<bool(const core::Vec3&)>& contains,
    const std::function<bool(const std::vector<core::Vec3>&)>& accepts = [](const auto&) { return true; })
{
    Points x;
    for (const auto& c : e.get<typename D::VecCoord>("position")) x.push_back(D::position(c));
    Indices in, out;
    for (core::Index i = 0; i < x.size(); ++i) (contains(x[i]) ? in : out).push_back(i);
    CHECK_FALSE(in.empty());
    CHECK_FALSE(out.empty());
    CHECK(e.indices("indices") == in);
    CHECK(e.indices("indicesOut") == out);
    CHECK(e.get<core::Index>("nbIndices") == in.size());
    CHECK(e.get<typename D::VecCoord>("pointsInROI").size() == in.size());
    const bool strict = e.get<bool>("strict");
    const auto isIn = [&](const auto& element) {
        std::vector<core::Vec3> corners;
        core::Vec3 mean;
        bool all = true;
        for (const core::Index i : element) {
            corners.push_back(x[i]);
            mean += x[i] / static_cast<double>(element.size());
            all = all && contains(x[i]);
        }
        return (strict ? all : contains(mean)) && accepts(corners);
    };
    verifyElements<2>(e, "edges", "edgeIndices", "edgesInROI", isIn);
    verifyElements<3>(e, "triangles", "triangleIndices", "trianglesInROI", isIn);
    verifyElements<4>(e, "quads", "quadIndices", "quadsInROI", isIn);
    verifyElements<4>(e, "tetrahedra", "tetrahedronIndices", "tetrahedraInROI", isIn);
    verifyElements<8>(e, "hexahedra", "hexahedronIndices", "hexahedraInROI", isIn);
}

}  // namespace sofa::test
