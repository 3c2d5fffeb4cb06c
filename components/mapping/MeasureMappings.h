// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of mappings that measure elements of N points: output i is the measure g of element i, a length, an area or a
/// volume, so that forces on it act along the gradients, f_a = g_a f with g_a = ∂g/∂x_a. Of frames the centres count.
///
/// The gradients turn and change with the points: the geometric stiffness is f ∂²g/∂x_a∂x_b. `geometricStiffness` adds
/// it ("Exact"), leaves it out ("None"), or adds what of it does not push points away ("Stabilized"): its part with
/// negative eigenvalues, which keeps the matrix of an implicit integrator definite.
template <class In, std::size_t N>
class MeasureMapping : public Mapping<In, Vec1Types>, public TopologyFollower
{
public:
    using Base = Mapping<In, Vec1Types>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;
    using Element = std::array<Index, N>;
    using Points = std::array<Vec3, N>;
    using Hessian = Mat<3 * N, 3 * N>;

    Data<Options> d_geometricStiffness{
        this,
        {.name = "geometricStiffness",
         .help = "Stiffness of forces whose directions change with the points: None, Exact, Stabilized (its part that "
                 "keeps the matrix definite)"},
        Options({"None", "Exact", "Stabilized"}, 2)};
    TopologyView l_topology{this, {"topology", "Topology whose elements are measured; default: the next above"}};

    void init() override;
    bool isLinear() const override { return false; }
    PointLists pointLists() override { return {{{pointsOf(this->input()), {}}}}; }
    /// Refuses: values of the output, one for each element, cannot come or go.
    void followTopology(const TopologyChange& change) override;
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;
    void applyDJT(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    void buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;

protected:
    virtual const Vector<Element>& elementsOf(const BaseMeshTopology& t) const = 0;
    virtual std::string_view elementsName() const = 0;
    virtual double measure(const Points& x) const = 0;
    virtual Points gradient(const Points& x) const = 0;
    virtual Hessian hessian(const Points& x) const = 0;
    /// What is subtracted from the measure of an element.
    virtual double offset(std::size_t) const { return 0.; }
    /// Sets up what offsets need. The states and elements are there; false if the component has failed.
    virtual bool prepare() { return true; }
    const Vector<Element>& elements() const { return elementsOf(*l_topology); }
    static Points pointsOfElement(const Element& e, const InVecCoord& x)
    {
        Points p;
        for (std::size_t a = 0; a < N; ++a) p[a] = In::position(x[e[a]]);
        return p;
    }
};

/// Base of measures of edges, which can be shown (flag MechanicalMappings).
template <class In>
class EdgeMeasureMapping : public MeasureMapping<In, 2>
{
public:
    Data<double> d_showObjectScale{this,
                                   {.name = "showObjectScale",
                                    .help = "Radius of the cylinders that show edges; 0: lines",
                                    .unit = "m",
                                    .range = Range::nonNegative(),
                                    .group = "Visualization"},
                                   0.};
    Data<Color> d_showColor{
        this, {.name = "showColor", .help = "Color of edges", .group = "Visualization"}, Color(1.f, 1.f, 0.f)};

    void draw(DrawTool& tool) override;

protected:
    const Vector<Edge>& elementsOf(const BaseMeshTopology& t) const override { return t.edges(); }
    std::string_view elementsName() const override { return "edges"; }
};

/// Extensions of edges: |x_b − x_a| − rest length.
template <class In, class Out>
class DistanceMapping final : public EdgeMeasureMapping<In>
{
public:
    using typename MeasureMapping<In, 2>::Points;
    using typename MeasureMapping<In, 2>::Hessian;

    Data<bool> d_computeDistance{
        this,
        {.name = "computeDistance",
         .help = "Where restLengths are not given: they are zero, so that the output is the length; otherwise they are "
                 "the first lengths"},
        false};
    Data<Vector<double>> d_restLengths{
        this, {.name = "restLengths", .help = "Rest length of each edge; default: see computeDistance", .unit = "m"}};

protected:
    bool prepare() override;
    double offset(std::size_t i) const override { return d_restLengths.value()[i]; }
    double measure(const Points& x) const override;
    Points gradient(const Points& x) const override;
    Hessian hessian(const Points& x) const override;
};

/// Squares of the lengths of edges [m²].
template <class In, class Out>
class SquareDistanceMapping final : public EdgeMeasureMapping<In>
{
public:
    using typename MeasureMapping<In, 2>::Points;
    using typename MeasureMapping<In, 2>::Hessian;

protected:
    double measure(const Points& x) const override;
    Points gradient(const Points& x) const override;
    Hessian hessian(const Points& x) const override;
};

/// Areas of triangles [m²].
template <class In, class Out>
class AreaMapping final : public MeasureMapping<In, 3>
{
public:
    using typename MeasureMapping<In, 3>::Points;
    using typename MeasureMapping<In, 3>::Hessian;

protected:
    const Vector<Triangle>& elementsOf(const BaseMeshTopology& t) const override { return t.triangles(); }
    std::string_view elementsName() const override { return "triangles"; }
    double measure(const Points& x) const override;
    Points gradient(const Points& x) const override;
    Hessian hessian(const Points& x) const override;
};

/// Volumes of tetrahedra [m³], negative of inverted ones.
template <class In, class Out>
class VolumeMapping final : public MeasureMapping<In, 4>
{
public:
    using typename MeasureMapping<In, 4>::Points;
    using typename MeasureMapping<In, 4>::Hessian;

protected:
    const Vector<Tetrahedron>& elementsOf(const BaseMeshTopology& t) const override { return t.tetrahedra(); }
    std::string_view elementsName() const override { return "tetrahedra"; }
    double measure(const Points& x) const override;
    Points gradient(const Points& x) const override;
    Hessian hessian(const Points& x) const override;
};

}  // namespace sofa::component
