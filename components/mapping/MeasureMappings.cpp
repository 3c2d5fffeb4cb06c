// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MeasureMappings.h"

#include "components/mapping/IndexPairs.h"
#include "core/factory/Registry.h"
#include "core/math/NegativePart.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

namespace {

/// The Hessian of a measure times the force on it, or the part of that with negative eigenvalues: of a convex measure
/// all or nothing.
template <class Measure, class H>
H stiffness(const H& hessian, double force, bool negativeOnly)
{
    if (!negativeOnly) return hessian * force;
    if constexpr (Measure::isConvex)
        return hessian * std::min(force, 0.);
    else
        return negativePart(hessian * force);
}

template <std::size_t N>
struct ElementsOf;
template <>
struct ElementsOf<2>
{
    static constexpr const char* name = "edges";
    static const Vector<Edge>& list(const BaseMeshTopology& t) { return t.edges(); }
};
template <>
struct ElementsOf<3>
{
    static constexpr const char* name = "triangles";
    static const Vector<Triangle>& list(const BaseMeshTopology& t) { return t.triangles(); }
};
template <>
struct ElementsOf<4>
{
    static constexpr const char* name = "tetrahedra";
    static const Vector<Tetrahedron>& list(const BaseMeshTopology& t) { return t.tetrahedra(); }
};

/// Block of a Jacobian to one scalar: a gradient in space, of which inputs have their first scalars.
template <class In>
Mat<1, In::derivSize> rowOf(const Vec3& gradient)
{
    Mat<1, In::derivSize> block;
    for (std::size_t k = 0; k < In::spatialDimensions; ++k) block[0][k] = gradient[k];
    return block;
}

template <class In, std::size_t M>
Mat<In::derivSize, In::derivSize> blockOf(const Mat<M, M>& k, std::size_t a, std::size_t b)
{
    Mat<In::derivSize, In::derivSize> block;
    for (std::size_t r = 0; r < In::spatialDimensions; ++r)
        for (std::size_t c = 0; c < In::spatialDimensions; ++c) block[r][c] = k[3 * a + r][3 * b + c];
    return block;
}

/// Finds the topology of a mapping, which must have elements of N points; false, with the failure reported, if there is
/// none.
template <std::size_t N>
bool findElements(Link<BaseMeshTopology>& topology, Component& owner)
{
    if (!resolveOrNeed(topology, owner)) return false;
    if (!ElementsOf<N>::list(*topology).empty()) return true;
    owner.fail("the topology '" + topology->pathName() + "' has no " + ElementsOf<N>::name);
    return false;
}

}  // namespace

template <class In, class Measure>
auto MeasureMapping<In, Measure>::elements() const -> const Vector<Element>&
{
    return ElementsOf<N>::list(*l_topology);
}

template <class In, class Measure>
void MeasureMapping<In, Measure>::init()
{
    if (!this->findStates() || !findElements<N>(l_topology, *this)) return;
    for (const Element& e : elements())
        for (const Index i : e)
            if (i >= this->input().size())
                return this->fail("the topology '" + l_topology->pathName() + "' has point " + std::to_string(i) +
                                  ", the input '" + this->input().pathName() + "' has " +
                                  std::to_string(this->input().size()) + " points");
    if (!prepare()) return;
    this->output().resize(static_cast<Index>(elements().size()));
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Measure>
void MeasureMapping<In, Measure>::followTopology(const TopologyChange& change)
{
    if (!change.restores())
        throw std::runtime_error("'" + this->pathName() + "' (" + this->className() + "): " + ElementsOf<N>::name +
                                 " that it measures cannot come or go");
}

template <class In, class Measure>
void MeasureMapping<In, Measure>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i][0] = Measure::value(pointsOfElement(elements()[i], in)) - offset(i);
}

template <class In, class Measure>
void MeasureMapping<In, Measure>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (const Element& e : elements()) {
        j.appendRow();
        const Points g = Measure::gradient(pointsOfElement(e, in));
        for (std::size_t a = 0; a < N; ++a) j.append(e[a], rowOf<In>(g[a]));
    }
}

template <class In, class Measure>
void MeasureMapping<In, Measure>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in)
{
    for (std::size_t i = 0; i < f.size(); ++i) {
        const Element& e = elements()[i];
        const auto h =
            stiffness<Measure>(Measure::hessian(pointsOfElement(e, in)), f[i][0], d_geometricStiffness.isStabilized());
        for (std::size_t a = 0; a < N; ++a)
            for (std::size_t b = 0; b < N; ++b) k.add(e[a], e[b], blockOf<In>(h, a, b));
    }
}

template <class In, class Measure>
void EdgeMeasureMapping<In, Measure>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::MechanicalMappings) || !this->l_input || !this->l_topology) return;
    auto ends = tool.scratch<Vec3>();
    for (const Edge& e : this->elements())
        for (const Index i : e)
            if (i < this->input().size()) ends.push_back(this->input().pointPosition(i));
    d_lines.draw(tool, ends);
}

template <class In, class Out>
bool DistanceMapping<In, Out>::prepare()
{
    return d_restLengths.complete(*this, this->elements().size(), [&](std::size_t i) {
        return d_computeDistance.restLength(
            EdgeLength::value(this->pointsOfElement(this->elements()[i], this->input().positions())));
    });
}

template <class In, class Out>
bool DistanceMultiMapping<In, Out>::checkEdges()
{
    const Vector<Index>& pairs = d_indexPairs.value();
    if (const std::string fault = faultOfIndexPairs(pairs, this->template inputsOf<In>()); !fault.empty()) {
        this->fail(fault);
        return false;
    }
    for (const Edge& e : l_topology->edges())
        for (const Index i : e)
            if (2 * static_cast<std::size_t>(i) >= pairs.size()) {
                this->fail("an edge of '" + l_topology->pathName() + "' has point " + std::to_string(i) +
                           "; indexPairs has " + std::to_string(pairs.size() / 2) + " points");
                return false;
            }
    return true;
}

template <class In, class Out>
void DistanceMultiMapping<In, Out>::init()
{
    if (!this->findStates() || !findElements<2>(l_topology, *this) || !checkEdges()) return;
    const Vector<Edge>& edges = l_topology->edges();
    std::vector<const typename In::VecCoord*> x;
    for (const auto* s : this->template inputsOf<In>()) x.push_back(&s->positions());
    if (!d_restLengths.complete(*this, edges.size(), [&](std::size_t i) {
            return d_computeDistance.restLength(EdgeLength::value(pointsOfEdge(edges[i], x)));
        }))
        return;
    this->output().resize(static_cast<Index>(edges.size()));
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
EdgeLength::Points DistanceMultiMapping<In, Out>::pointsOfEdge(const Edge& e, Positions in) const
{
    EdgeLength::Points p;
    for (std::size_t a = 0; a < 2; ++a) p[a] = In::position((*in[end(e, a).state])[end(e, a).point]);
    return p;
}

template <class In, class Out>
void DistanceMultiMapping<In, Out>::apply(OutVecCoord& out, Positions in)
{
    const Vector<Edge>& edges = l_topology->edges();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i][0] = EdgeLength::value(pointsOfEdge(edges[i], in)) - d_restLengths[i];
}

template <class In, class Out>
void DistanceMultiMapping<In, Out>::buildJacobians(Jacobians j, Positions in)
{
    for (auto& one : j) one.clear();
    for (const Edge& e : l_topology->edges()) {
        for (auto& one : j) one.appendRow();
        const auto g = EdgeLength::gradient(pointsOfEdge(e, in));
        for (std::size_t a = 0; a < 2; ++a) j[end(e, a).state].append(end(e, a).point, rowOf<In>(g[a]));
    }
}

template <class In, class Out>
void DistanceMultiMapping<In, Out>::buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f, Positions in)
{
    const auto& inputs = this->template inputsOf<In>();
    const Vector<Edge>& edges = l_topology->edges();
    for (std::size_t i = 0; i < f.size(); ++i) {
        const auto h = stiffness<EdgeLength>(EdgeLength::hessian(pointsOfEdge(edges[i], in)), f[i][0],
                                             d_geometricStiffness.isStabilized());
        for (std::size_t a = 0; a < 2; ++a)
            for (std::size_t b = 0; b < 2; ++b) {
                const End row = end(edges[i], a), col = end(edges[i], b);
                k.sink(*inputs[row.state], *inputs[col.state]).add(row.point, col.point, blockOf<In>(h, a, b));
            }
    }
}

template <class In, class Out>
void DistanceMultiMapping<In, Out>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::MechanicalMappings) || !this->isValid() || !l_topology) return;
    const auto& inputs = this->template inputsOf<In>();
    auto ends = tool.scratch<Vec3>();
    for (const Edge& e : l_topology->edges())
        for (std::size_t a = 0; a < 2; ++a)
            if (const End one = end(e, a); one.state < inputs.size())
                ends.push_back(inputs[one.state]->pointPosition(one.point));
    if (ends.size() != 2 * l_topology->edges().size()) return;  // an input is gone
    d_lines.draw(tool, ends);
}

template <class In, class Out>
void DistanceFromTargetMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const std::size_t targets = d_targetPositions.value().size();
    Vector<Index> indices = d_indices.value();
    while (indices.size() < targets) indices.push_back(static_cast<Index>(indices.size()));
    if (indices.size() > targets)
        return this->fail("targetPositions has " + std::to_string(targets) + " values; indices has " +
                          std::to_string(indices.size()));
    for (const Index i : indices)
        if (i >= this->input().size())
            return this->fail("point " + std::to_string(i) + " does not exist: the input '" + this->input().pathName() +
                              "' has " + std::to_string(this->input().size()) + " points");
    d_indices.setValue(std::move(indices));
    if (!d_restLengths.complete(*this, targets, [](std::size_t) { return 0.; })) return;
    this->output().resize(static_cast<Index>(targets));
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
void DistanceFromTargetMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < out.size(); ++i) out[i][0] = EdgeLength::value(line(i, in)) - d_restLengths[i];
}

template <class In, class Out>
void DistanceFromTargetMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (std::size_t i = 0; i < d_indices.value().size(); ++i) {
        j.appendRow();
        j.append(d_indices.value()[i], rowOf<In>(EdgeLength::gradient(line(i, in))[1]));
    }
}

template <class In, class Out>
void DistanceFromTargetMapping<In, Out>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f,
                                                                 const InVecCoord& in)
{
    for (std::size_t i = 0; i < f.size(); ++i) {
        const Mat3 h = stiffness<EdgeLength>(Mat3(EdgeLength::hessian(line(i, in)).template block<3, 3>(3, 3)), f[i][0],
                                             d_geometricStiffness.isStabilized());
        k.add(d_indices.value()[i], d_indices.value()[i], blockOf<In>(h, 0, 0));
    }
}

template <class In, class Out>
void DistanceFromTargetMapping<In, Out>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::MechanicalMappings) || !this->isValid() || !this->l_input) return;
    auto ends = tool.scratch<Vec3>();
    for (std::size_t i = 0; i < d_indices.value().size(); ++i)
        for (const Vec3& x : line(i, this->input().positions())) ends.push_back(x);
    d_lines.draw(tool, ends);
}

namespace {

RegisterComponent measureMapping(const char* name, const char* help)
{
    return RegisterComponent(name, "Mapping", "Sofa.Component.Mapping.NonLinear")
        .help(help)
        .example(std::string("component/mapping/") + name + ".scn");
}

const RegisterComponent registeredDistanceMapping =
    measureMapping("DistanceMapping", "Extensions of edges: their lengths less rest lengths")
        .add<DistanceMapping, Types<Vec3Types, Vec1Types>, Types<Rigid3Types, Vec1Types>>();
const RegisterComponent registeredSquareDistanceMapping =
    measureMapping("SquareDistanceMapping", "Squares of the lengths of edges")
        .add<SquareDistanceMapping, Types<Vec3Types, Vec1Types>, Types<Rigid3Types, Vec1Types>>();
const RegisterComponent registeredAreaMapping =
    measureMapping("AreaMapping", "Areas of triangles").add<AreaMapping, Types<Vec3Types, Vec1Types>>();
const RegisterComponent registeredVolumeMapping =
    measureMapping("VolumeMapping", "Volumes of tetrahedra").add<VolumeMapping, Types<Vec3Types, Vec1Types>>();
const RegisterComponent registeredDistanceMultiMapping =
    measureMapping("DistanceMultiMapping", "Extensions of lines between points of several states")
        .add<DistanceMultiMapping, Types<Vec3Types, Vec1Types>, Types<Rigid3Types, Vec1Types>>();
const RegisterComponent registeredDistanceFromTargetMapping =
    measureMapping("DistanceFromTargetMapping", "Distances of points from fixed places")
        .add<DistanceFromTargetMapping, Types<Vec3Types, Vec1Types>, Types<Vec1Types, Vec1Types>,
             Types<Rigid3Types, Vec1Types>>();

}  // namespace

}  // namespace sofa::component
