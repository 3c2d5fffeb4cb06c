// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mass.h"
#include "core/behavior/MatrixFree.h"
#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/ElementMassMatrix.h"
#include "core/topology/ElementRegions.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Mass per volume (area, length) at the nodes of a mesh, which FEMMass interpolates over the elements. Nodes beyond
/// the end of the list take its last value.
class NodalMassDensity : public core::Component
{
public:
    static std::string_view typeLabel() { return "nodal mass density"; }

    core::Data<core::Vector<double>> d_property{
        this, {.name = "property", .help = "Density at the nodes", .unit = "kg/m^3"}, {1.}};

    double at(core::Index node) const
    {
        const auto& v = d_property.value();
        return v.empty() ? 1. : node < v.size() ? v[node] : v.back();
    }
};

/// Consistent mass matrix of finite elements, M_ij = ∫ ρ Nᵢ Nⱼ over the rest positions, with the density ρ of the
/// elements (massDensity) or interpolated from the nodes (NodalMassDensity), and the quadrature of
/// core/fem/elements/FiniteElements.h, which is SOFA's: one point for edges, triangles and tetrahedra, so that their
/// element matrices have rank one but the right row sums and total mass. For hexahedra that are boxes the matrix is
/// exact, with ρV/27, ρV/54, ρV/108 and ρV/216 for nodes that differ in 0, 1, 2 and 3 directions, and for quadratic
/// Bézier tetrahedra (of degree 1 and 2); the exact one of tetrahedra is MeshMatrixMass's. With `lumping` its row sums
/// stand on the diagonal: of a straight Bézier tetrahedron a tenth of its mass at each control point. Gravity acts with
/// the row sums, which is M g for a uniform g.
template <class DataTypes, class Shape>
class FEMMass : public core::Mass<DataTypes>, public core::EqualElementMass, public core::TopologyFollower
{
public:
    using Base = core::Mass<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Deriv = typename DataTypes::Deriv;

    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};
    core::Link<NodalMassDensity> l_nodalMassDensity{
        this, {"nodalMassDensity", "Density at the nodes; default: that of the node or above"}};
    core::Data<core::Vector<double>> d_massDensity{
        this,
        {.name = "massDensity",
         .help =
             "Density of the elements, > 0: one for all, one for each, or one for each region; empty: the densities "
             "at the nodes count",
         .unit = "kg/m^3"}};

    core::Data<bool> d_lumping{
        this, {.name = "lumping", .help = "Sum the rows on the diagonal: the matrix becomes diagonal"}, false};

    /// Where massDensity has the value of an element.
    core::ElementRegions regions{this};

    static std::string staticTemplateName() { return std::string(DataTypes::name()) + ',' + std::string(Shape::name); }

    void init() override;
    void reinit() override;
    core::ElementLists elementLists() override;
    PointLists pointLists() override { return this->noLists(); }
    /// The mass of removed elements goes.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const override;
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const override;
    void buildMass(core::BlockSink& m, const VecCoord& x) const override;
    bool isDiagonal() const override { return d_lumping.value(); }
    const core::Mat<8>* elementMatrix(const core::Vector<core::Hexahedron>& elements) const override;
    /// The points (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;
    /// Row sum of the matrix.
    double pointMass(core::Index i) const override { return m_matrix.rowSum(i); }

    using Base::accFromF;
    using Base::addForce;
    using Base::addMDx;
    using Base::buildMass;

private:
    void assemble();
    /// Whether the density makes sense for the elements; else fails.
    bool checkDensity();
    /// Adds the matrix of an element, unless it has a vertex that the state does not have: then fails.
    void addElement(core::Index index);
    /// Sets the rows around what has changed; false if all must be made anew.
    bool followRows(const core::TopologyChange& change);
    /// Calls f(i, weight) for each point that moves node `control` of an element: of Bézier elements the ends of an
    /// edge of degree 1.
    template <class F>
    void forEachPoint(core::Index control, F&& f) const
    {
        if constexpr (core::isBezierShape<Shape>)
            if (m_middles->isMiddle(control)) {
                for (const core::Index end : m_middles->endsOf(control)) f(end, 0.5);
                return;
            }
        f(control, 1.);
    }
    using Element = typename Shape::Element;
    using ElementMatrix = core::Mat<Shape::nodes>;
    /// The density at a point with the shape functions n of element e.
    double density(std::size_t e, const Element& nodes, const double* n) const;
    /// The matrix of element `index` with these vertices at rest.
    ElementMatrix matrixOf(std::size_t index, const Element& e, const std::array<core::Vec3, Shape::nodes>& x) const;

    core::ElementMassMatrix m_matrix;
    core::EqualHexahedra m_equal;
    core::DataTracker m_density;
    const core::MiddlePoints* m_middles = nullptr;  ///< of the topology, while matrices are assembled
};

#define SOFA_FEM_MASS_INSTANCES(X)                   \
    X(core::Vec1Types, core::EdgeShape)              \
    X(core::Vec2Types, core::EdgeShape)              \
    X(core::Vec3Types, core::EdgeShape)              \
    X(core::Vec2Types, core::TriangleShape)          \
    X(core::Vec3Types, core::TriangleShape)          \
    X(core::Vec2Types, core::QuadShape)              \
    X(core::Vec3Types, core::QuadShape)              \
    X(core::Vec3Types, core::TetrahedronShape)       \
    X(core::Vec3Types, core::HexahedronShape)        \
    X(core::Vec3Types, core::PrismShape)             \
    X(core::Vec3Types, core::PyramidShape)           \
    X(core::Vec3Types, core::BezierTetrahedronShape) \
    X(core::Vec3Types, core::BezierTriangleShape)

}  // namespace sofa::component
