// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MeasureMappings.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// The part of a symmetric matrix that has its negative eigenvalues.
template <std::size_t M>
Mat<M, M> negativePart(const Mat<M, M>& k)
{
    constexpr int m = static_cast<int>(M);
    using Matrix = Eigen::Matrix<double, m, m, Eigen::RowMajor>;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Eigen::Map<const Matrix>(k.data()));
    const auto& v = solver.eigenvectors();
    Mat<M, M> out;
    Eigen::Map<Matrix>(out.data()) = v * solver.eigenvalues().cwiseMin(0.).asDiagonal() * v.transpose();
    return out;
}

/// Adds a 3 × 3 block to a matrix of points, and its transpose to the opposite one.
template <std::size_t M>
void addPair(Mat<M, M>& h, std::size_t a, std::size_t b, const Mat3& block)
{
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            h[3 * a + i][3 * b + j] += block[i][j];
            if (a != b) h[3 * b + j][3 * a + i] += block[i][j];
        }
}

/// Second derivatives of what depends on differences of two points only: ∂²/∂d² for d = x_b − x_a.
Mat<6, 6> ofDifference(const Mat3& second)
{
    Mat<6, 6> h;
    addPair(h, 0, 0, second);
    addPair(h, 1, 1, second);
    addPair(h, 0, 1, second * -1.);
    return h;
}

/// The direction from a to b; of points at one place the same one in all directions, as SOFA takes it.
Vec3 directionOf(const std::array<Vec3, 2>& x)
{
    const Vec3 d = x[1] - x[0];
    const double length = norm(d);
    return length > std::numeric_limits<double>::epsilon() ? d / length : Vec3::filled(1. / std::sqrt(3.));
}

Vec3 twiceArea(const std::array<Vec3, 3>& x) { return cross(x[1] - x[0], x[2] - x[0]); }

}  // namespace

template <class In, std::size_t N>
void MeasureMapping<In, N>::init()
{
    if (!this->findStates()) return;
    std::string error;
    if (!l_topology.resolve(error)) return this->fail("topology: " + error);
    if (!l_topology) l_topology.set(this->node()->template get<BaseMeshTopology>());
    if (!l_topology) return this->fail("it needs a topology in its node or above");
    if (elements().empty())
        return this->fail("the topology '" + l_topology->pathName() + "' has no " + std::string(elementsName()));
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

template <class In, std::size_t N>
void MeasureMapping<In, N>::followTopology(const TopologyChange& change)
{
    if (!change.restores())
        throw std::runtime_error("'" + this->pathName() + "' (" + this->className() +
                                 "): " + std::string(elementsName()) + " that it measures cannot come or go");
}

template <class In, std::size_t N>
void MeasureMapping<In, N>::apply(OutVecCoord& out, const InVecCoord& in)
{
    for (std::size_t i = 0; i < out.size(); ++i) out[i][0] = measure(pointsOfElement(elements()[i], in)) - offset(i);
}

template <class In, std::size_t N>
void MeasureMapping<In, N>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (const Element& e : elements()) {
        j.appendRow();
        const Points g = gradient(pointsOfElement(e, in));
        for (std::size_t a = 0; a < N; ++a) {
            Mat<1, In::derivSize> block;
            for (std::size_t k = 0; k < 3; ++k) block[0][k] = g[a][k];
            j.append(e[a], block);
        }
    }
}

template <class In, std::size_t N>
void MeasureMapping<In, N>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in)
{
    const bool stabilized = d_geometricStiffness.value().index() == 2;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const Element& e = elements()[i];
        Hessian h = hessian(pointsOfElement(e, in)) * f[i][0];
        if (stabilized) h = negativePart(h);
        for (std::size_t a = 0; a < N; ++a)
            for (std::size_t b = 0; b < N; ++b) {
                Mat<In::derivSize, In::derivSize> block;
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) block[r][c] = h[3 * a + r][3 * b + c];
                k.add(e[a], e[b], block);
            }
    }
}

template <class In, std::size_t N>
void MeasureMapping<In, N>::applyDJT(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    if (d_geometricStiffness.value().index() > 0) Base::applyDJT(mp, df);
}

template <class In, std::size_t N>
void MeasureMapping<In, N>::buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k)
{
    if (d_geometricStiffness.value().index() > 0) Base::buildGeometricStiffness(mp, k);
}

template <class In>
void EdgeMeasureMapping<In>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::MechanicalMappings) || !this->l_input || !this->l_topology) return;
    auto ends = tool.scratch<Vec3>();
    for (const Edge& e : this->elements())
        for (const Index i : e)
            if (i < this->input().size()) ends.push_back(this->input().pointPosition(i));
    const double radius = d_showObjectScale.value();
    if (radius > 0.)
        tool.cylinders(ends, radius, litStyle(d_showColor.value()));
    else
        tool.lines(ends, plainStyle(d_showColor.value()));
}

template <class In, class Out>
bool DistanceMapping<In, Out>::prepare()
{
    const Vector<Edge>& edges = this->elements();
    const std::size_t given = d_restLengths.value().size();
    if (given == edges.size()) return true;
    if (given > 0) {
        this->fail("restLengths has " + std::to_string(given) + " values; expected " + std::to_string(edges.size()) +
                   ", one for each edge");
        return false;
    }
    Vector<double> lengths(edges.size(), 0.);
    if (!d_computeDistance.value())
        for (std::size_t i = 0; i < edges.size(); ++i)
            lengths[i] = measure(this->pointsOfElement(edges[i], this->input().positions()));
    d_restLengths.setValue(std::move(lengths));
    return true;
}

template <class In, class Out>
double DistanceMapping<In, Out>::measure(const Points& x) const
{
    return norm(x[1] - x[0]);
}

template <class In, class Out>
auto DistanceMapping<In, Out>::gradient(const Points& x) const -> Points
{
    const Vec3 n = directionOf(x);
    return {n * -1., n};
}

template <class In, class Out>
auto DistanceMapping<In, Out>::hessian(const Points& x) const -> Hessian
{
    const double length = measure(x);
    if (!(length > std::numeric_limits<double>::epsilon())) return {};
    const Vec3 n = directionOf(x);
    return ofDifference((Mat3::identity() - outer(n, n)) * (1. / length));
}

template <class In, class Out>
double SquareDistanceMapping<In, Out>::measure(const Points& x) const
{
    return norm2(x[1] - x[0]);
}

template <class In, class Out>
auto SquareDistanceMapping<In, Out>::gradient(const Points& x) const -> Points
{
    const Vec3 d = (x[1] - x[0]) * 2.;
    return {d * -1., d};
}

template <class In, class Out>
auto SquareDistanceMapping<In, Out>::hessian(const Points&) const -> Hessian
{
    return ofDifference(Mat3::identity() * 2.);
}

template <class In, class Out>
double AreaMapping<In, Out>::measure(const Points& x) const
{
    return 0.5 * norm(twiceArea(x));
}

template <class In, class Out>
auto AreaMapping<In, Out>::gradient(const Points& x) const -> Points
{
    const Vec3 n = twiceArea(x);
    const double size = norm(n);
    if (!(size > 0.)) return {};
    const Vec3 half = n * (0.5 / size);
    return {cross(half, x[2] - x[1]), cross(half, x[0] - x[2]), cross(half, x[1] - x[0])};
}

template <class In, class Out>
auto AreaMapping<In, Out>::hessian(const Points& x) const -> Hessian
{
    // With n = a × b + b × c + c × a and u = n / |n|: ∂²A = ½ (∂nᵀ (I − u uᵀ) ∂n / |n| + u · ∂²n).
    Hessian h;
    const Vec3 n = twiceArea(x);
    const double size = norm(n);
    if (!(size > 0.)) return h;
    const Vec3 u = n / size;
    const Mat3 project = (Mat3::identity() - outer(u, u)) * (0.5 / size), second = crossMatrix(u) * -0.5;
    const Mat3 first[3] = {crossMatrix(x[2] - x[1]), crossMatrix(x[0] - x[2]), crossMatrix(x[1] - x[0])};  // ∂n
    for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t q = p; q < 3; ++q) addPair(h, p, q, first[p].transposed() * project * first[q]);
        addPair(h, p, (p + 1) % 3, second);
    }
    return h;
}

template <class In, class Out>
double VolumeMapping<In, Out>::measure(const Points& x) const
{
    return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6.;
}

template <class In, class Out>
auto VolumeMapping<In, Out>::gradient(const Points& x) const -> Points
{
    const Vec3 e1 = (x[1] - x[0]) / 6., e2 = x[2] - x[0], e3 = x[3] - x[0];
    const Vec3 b = cross(e2, e3) / 6., c = cross(e3, e1), d = cross(e1, e2);
    return {(b + c + d) * -1., b, c, d};
}

template <class In, class Out>
auto VolumeMapping<In, Out>::hessian(const Points& x) const -> Hessian
{
    const Mat3 e1 = crossMatrix(x[1] - x[0]) * (1. / 6.), e2 = crossMatrix(x[2] - x[0]) * (1. / 6.),
               e3 = crossMatrix(x[3] - x[0]) * (1. / 6.);
    // Of pairs of the last three points; the first one takes the opposite of all.
    Hessian h;
    addPair(h, 1, 2, e3 * -1.);
    addPair(h, 1, 3, e2);
    addPair(h, 2, 3, e1 * -1.);
    const auto block = [&](std::size_t a, std::size_t b) { return h.template block<3, 3>(3 * a, 3 * b); };
    Mat3 all;
    for (std::size_t b = 1; b < 4; ++b) {
        const Mat3 column = (block(1, b) + block(2, b) + block(3, b)) * -1.;
        addPair(h, 0, b, column);
        all = all - column;
    }
    addPair(h, 0, 0, all);
    return h;
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

}  // namespace

}  // namespace sofa::component
