// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>
#include <vector>

#include "core/math/Vec.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

struct QuadraturePoint
{
    core::Vec3 q;  ///< reference coordinates; those beyond the element's dimension are zero
    double weight;
};

/// Linear reference elements: shape functions N, their gradients dN/dq, and the quadrature rule that SOFA integrates
/// with. Reference coordinates run from −1 to 1 for edges, quads, hexahedra and pyramids (whose apex is the collapsed
/// side z = 1 of a hexahedron), from 0 to 1 for triangles, tetrahedra and prisms.
struct EdgeShape
{
    using Element = core::Edge;
    static constexpr std::string_view name = "Edge";
    static constexpr std::size_t dimension = 1;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.edges(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct TriangleShape
{
    using Element = core::Triangle;
    static constexpr std::string_view name = "Triangle";
    static constexpr std::size_t dimension = 2;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.triangles(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct QuadShape
{
    using Element = core::Quad;
    static constexpr std::string_view name = "Quad";
    static constexpr std::size_t dimension = 2;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.quads(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct TetrahedronShape
{
    using Element = core::Tetrahedron;
    static constexpr std::string_view name = "Tetrahedron";
    static constexpr std::size_t dimension = 3;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.tetrahedra(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct HexahedronShape
{
    using Element = core::Hexahedron;
    static constexpr std::string_view name = "Hexahedron";
    static constexpr std::size_t dimension = 3;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.hexahedra(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct PrismShape
{
    using Element = core::Prism;
    static constexpr std::string_view name = "Prism";
    static constexpr std::size_t dimension = 3;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.prisms(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};
struct PyramidShape
{
    using Element = core::Pyramid;
    static constexpr std::string_view name = "Pyramid";
    static constexpr std::size_t dimension = 3;
    static const core::Vector<Element>& elements(const core::BaseMeshTopology& t) { return t.pyramids(); }
    static std::vector<QuadraturePoint> quadrature();
    static void evaluate(const core::Vec3& q, double* n, core::Vec3* dn);
};

}  // namespace sofa::component
