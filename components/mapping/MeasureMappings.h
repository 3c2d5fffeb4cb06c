// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/ElementMeasures.h"
#include "components/mapping/LengthAttributes.h"
#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/Mapping.h"
#include "core/behavior/MultiMapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Base of mappings that measure elements: output i is the measure g of element i (components/mapping/
/// ElementMeasures.h), so that forces on it act along the gradients, f_a = g_a f with g_a = ∂g/∂x_a. Of frames the
/// centres count. The gradients turn and change with the points: the geometric stiffness is f ∂²g/∂x_a∂x_b.
template <class In, class Measure>
class MeasureMapping : public Mapping<In, Vec1Types>, public TopologyFollower
{
public:
    using Base = Mapping<In, Vec1Types>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;
    static constexpr std::size_t N = Measure::pointCount;
    using Element = std::array<Index, N>;
    using Points = typename Measure::Points;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::Stabilized};
    TopologyView l_topology{this, {"topology", "Topology whose elements are measured; default: the next above"}};

    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    PointLists pointLists() override { return {{{pointsOf(this->input()), {}}}}; }
    /// Refuses: values of the output, one for each element, cannot come or go.
    void followTopology(const TopologyChange& change) override;
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;

protected:
    /// What is subtracted from the measure of an element.
    virtual double offset(std::size_t) const { return 0.; }
    /// Sets up what offsets need. The states and elements are there; false if the component has failed.
    virtual bool prepare() { return true; }
    const Vector<Element>& elements() const;
    static Points pointsOfElement(const Element& e, const InVecCoord& x)
    {
        Points p;
        for (std::size_t a = 0; a < N; ++a) p[a] = In::position(x[e[a]]);
        return p;
    }
};

/// Base of measures of edges, which can be shown.
template <class In, class Measure>
class EdgeMeasureMapping : public MeasureMapping<In, Measure>
{
public:
    ShownLines d_lines{*this};

    void draw(DrawTool& tool) override;
};

/// Whether lengths are told as they are, or as extensions.
class LengthsOrExtensions
{
public:
    explicit LengthsOrExtensions(Base& owner)
        : m_lengths(&owner,
                    {.name = "computeDistance",
                     .help = "Where restLengths are not given: they are zero, so that the output is the length; "
                             "otherwise they are the first lengths"},
                    false)
    {
    }
    double restLength(double first) const { return m_lengths.value() ? 0. : first; }

private:
    Data<bool> m_lengths;
};

/// Extensions of edges: |x_b − x_a| − rest length.
template <class In, class Out>
class DistanceMapping final : public EdgeMeasureMapping<In, EdgeLength>
{
public:
    LengthsOrExtensions d_computeDistance{*this};
    RestLengths d_restLengths{*this};

protected:
    bool prepare() override;
    double offset(std::size_t i) const override { return d_restLengths[i]; }
};

/// Squares of the lengths of edges [m²].
template <class In, class Out>
class SquareDistanceMapping final : public EdgeMeasureMapping<In, EdgeSquareLength>
{
};

/// Areas of triangles [m²].
template <class In, class Out>
class AreaMapping final : public MeasureMapping<In, TriangleArea>
{
};

/// Volumes of tetrahedra [m³], negative of inverted ones.
template <class In, class Out>
class VolumeMapping final : public MeasureMapping<In, TetrahedronVolume>
{
};

/// Extensions of lines between points of any states. `indexPairs` are these points, two numbers for each: an input and
/// a point of it; the edges of the topology connect them by their place in that list.
template <class In, class Out>
class DistanceMultiMapping final : public MultiMapping<Out, In>
{
public:
    using Base = MultiMapping<Out, In>;
    using Positions = typename Base::template Positions<In>;
    using Jacobians = typename Base::template Jacobians<In>;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::Stabilized};
    LengthsOrExtensions d_computeDistance{*this};
    RestLengths d_restLengths{*this};
    ShownLines d_lines{*this};
    Data<Vector<Index>> d_indexPairs{
        this, {.name = "indexPairs", .help = "Points that edges connect: number of the input, point of it, ..."}};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology whose edges are measured; default: the next above"}};

    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, Positions in) override;
    void buildJacobians(Jacobians j, Positions in) override;
    void buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f, Positions in) override;
    void draw(DrawTool& tool) override;

private:
    /// End `a` of edge e.
    struct End
    {
        Index state, point;
    };
    End end(const Edge& e, std::size_t a) const
    {
        const Vector<Index>& pairs = d_indexPairs.value();
        return {pairs[2 * e[a]], pairs[2 * e[a] + 1]};
    }
    EdgeLength::Points pointsOfEdge(const Edge& e, Positions in) const;
    bool checkEdges();
};

/// Distances of points from fixed ones, less rest lengths, which are zero by default. Without `indices` they are those
/// of the first points of the input.
template <class In, class Out>
class DistanceFromTargetMapping final : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::Stabilized};
    Data<Vector<Index>> d_indices{this, {.name = "indices", .help = "Points whose distances are measured"}};
    Data<InVecCoord> d_targetPositions{
        this, {.name = "targetPositions", .help = "Place from which each of them is measured", .unit = "m"}};
    RestLengths d_restLengths{*this};
    ShownLines d_lines{*this};

    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;
    void draw(DrawTool& tool) override;

private:
    EdgeLength::Points line(std::size_t i, const InVecCoord& in) const
    {
        return {In::position(d_targetPositions.value()[i]), In::position(in[d_indices.value()[i]])};
    }
};

}  // namespace sofa::component
