// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Every law on every volume element: tetrahedra, pyramids, prisms and hexahedra.
#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/ElementMeshes.h"
#include "tests/core/fem/MaterialCases.h"
#include "tests/harness/ParallelGuard.h"

namespace hyperelastic_kinds_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const ElementQuadrature<4>& quadratureOf(TetrahedronShape, int) { return tetrahedronQuadrature(); }
const ElementQuadrature<5>& quadratureOf(PyramidShape, int n) { return pyramidQuadrature(n); }
const ElementQuadrature<6>& quadratureOf(PrismShape, int n) { return prismQuadrature(n); }
const ElementQuadrature<8>& quadratureOf(HexahedronShape, int n) { return hexahedronQuadrature(n); }

/// A box of a few elements whose inner points are displaced.
template <class Shape>
struct Body
{
    using Elements = HyperelasticElements<Shape::nodes>;
    ElementMesh<Shape, 3> mesh;
    Elements elements;

    explicit Body(const LawCase& law, const MaterialEvaluation& options = {}, int points = 2)
    {
        elements.build(mesh.elements, mesh.points, quadratureOf(Shape(), points));
        elements.setMaterial(evaluation(law, options));
        std::vector<double> p = law.parameters;
        if (options.compressionResistance) p.push_back(5e5);
        for (Index e = 0; e < elements.size(); ++e) elements.setParameters(e, p);
    }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f(x.size());
        elements.addForce(f, x);
        return f;
    }
    Eigen::MatrixXd stiffness()
    {
        DenseSink sink(mesh.points.size());
        elements.addStiffness(sink);
        return sink.matrix;
    }
};

/// The documented tangent of the approximate corotational law: that of linear elasticity, rotated by the rotation of F.
void turnLinearTangent(const LawCase& law, const Dual<9> (&f)[3][3], Dual<9>& psi)
{
    Mat3 numbers;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) numbers[i][j] = f[i][j].v;
    const Mat3 r = polarRotation(numbers).r;
    const Dual<9> linear = density({"", MaterialLaw::Linear, law.parameters, 0., 0.}, f);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t m = 0; m < 3; ++m)
                for (std::size_t n = 0; n < 3; ++n) {
                    double sum = 0.;
                    for (std::size_t a = 0; a < 3; ++a)
                        for (std::size_t b = 0; b < 3; ++b) sum += r[i][a] * r[m][b] * linear.h[3 * a + j][3 * b + n];
                    psi.h[3 * i + j][3 * m + n] = sum;
                }
}

/// Forces, stiffness and energy of the elements from densities in dual numbers.
template <class Shape>
struct Expected
{
    Eigen::VectorXd forces;
    Eigen::MatrixXd stiffness;
    double energy = 0.;

    Expected(const LawCase& law, const ElementMesh<Shape, 3>& mesh, const Vector<Vec3>& x, int points = 2)
        : forces(Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(x.size()))),
          stiffness(Eigen::MatrixXd::Zero(forces.size(), forces.size()))
    {
        for (const auto& element : mesh.elements)
            for (const auto& point : quadratureOf(Shape(), points).points) {
                std::array<Vec3, Shape::nodes> nodes;
                for (std::size_t k = 0; k < Shape::nodes; ++k) nodes[k] = mesh.points[element[k]];
                const Mat3 jacobian = elementJacobian(nodes, point.gradients);
                const auto b = spatialGradients(jacobian, point.gradients);
                const double volume = point.weight * std::abs(determinant(jacobian));
                Dual<9> f[3][3];
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j) {
                        double sum = 0.;
                        for (std::size_t k = 0; k < Shape::nodes; ++k) sum += x[element[k]][i] * b[k][j];
                        f[i][j] = Dual<9>::variable(sum, 3 * i + j);
                    }
                Dual<9> psi = density(law, f);
                if (law.law == MaterialLaw::CorotationalApproximate) turnLinearTangent(law, f, psi);
                energy += volume * psi.v;
                for (std::size_t k = 0; k < Shape::nodes; ++k)
                    for (std::size_t i = 0; i < 3; ++i)
                        for (std::size_t j = 0; j < 3; ++j) {
                            const auto row = static_cast<Eigen::Index>(3 * element[k] + i);
                            forces[row] -= volume * psi.g[3 * i + j] * b[k][j];
                            for (std::size_t l = 0; l < Shape::nodes; ++l)
                                for (std::size_t m = 0; m < 3; ++m)
                                    for (std::size_t n = 0; n < 3; ++n)
                                        stiffness(row, static_cast<Eigen::Index>(3 * element[l] + m)) -=
                                            volume * psi.h[3 * i + j][3 * m + n] * b[k][j] * b[l][n];
                        }
            }
    }
};

}  // namespace

#define SOFA_VOLUME_ELEMENTS TetrahedronShape, PyramidShape, PrismShape, HexahedronShape

TEMPLATE_TEST_CASE("forces and stiffness of volume elements are derivatives of the energy", "[fem]",
                   SOFA_VOLUME_ELEMENTS)
{
    for (const LawCase& law : allLaws()) {
        Body<TestType> body(law);
        auto all = poses(body.mesh.points);
        all.emplace_back("almost flat", mapped(all[1].second, Mat3::diagonal({1., 1., 0.05}), {}));
        if (law.validInverted) all.emplace_back("inverted", mapped(all[1].second, Mat3::diagonal({-0.7, 1., 1.}), {}));
        for (const auto& [pose, x] : all) {
            INFO(law.name << ", " << pose);
            const Vector<Vec3> d = randomVectors(x.size(), 1., 9);
            const double size = flatten(d).norm();
            const auto moved = [&, &start = x](double h) {
                Vector<Vec3> y = start;
                for (std::size_t i = 0; i < y.size(); ++i) y[i] += d[i] * h;
                return y;
            };
            const double h = pose == "almost flat" ? 1e-6 : 3e-5;
            const double slope = derivative([&](double s) { return body.elements.energy(moved(s)); }, h);
            const Eigen::VectorXd f = flatten(body.forces(x));
            CHECK(std::abs(slope + f.dot(flatten(d))) < 1e-7 * std::max(f.norm(), 1.) * size);
            const Eigen::VectorXd difference =
                derivative([&](double s) -> Eigen::VectorXd { return flatten(body.forces(moved(s))); }, h);
            body.forces(x);
            const Eigen::MatrixXd k = body.stiffness();
            REQUIRE(k.norm() > 1.);
            CHECK((k * flatten(d) - difference).norm() < 1e-7 * k.norm() * size);
            CHECK((k - k.transpose()).norm() < 1e-13 * k.norm());
            Vector<Vec3> product(x.size());
            body.elements.addStiffnessProduct(product, d, 1.);
            CHECK((flatten(product) - k * flatten(d)).norm() < 1e-13 * k.norm() * size);
        }
    }
}

TEMPLATE_TEST_CASE("forces and stiffness of volume elements are those of dual numbers", "[fem]", SOFA_VOLUME_ELEMENTS)
{
    std::vector<LawCase> all = allLaws();
    all.push_back(approximateCorotational());
    for (const LawCase& law : all) {
        Body<TestType> body(law);
        for (const auto& [pose, x] : poses(body.mesh.points)) {
            if (pose == "rest" && law.law == MaterialLaw::Ogden) continue;  // equal stretches
            INFO(law.name << ", " << pose);
            const Expected<TestType> reference(law, body.mesh, x);
            const Eigen::VectorXd f = flatten(body.forces(x));
            const Eigen::MatrixXd k = body.stiffness();
            const double scale = std::max(reference.forces.norm(), 1.);
            // Ogden's eigenvalues are roots of a cubic, which are less accurate where two are close.
            const double tolerance = law.law == MaterialLaw::Ogden ? 1e-8 : 1e-11;
            CHECK((f - reference.forces).norm() < tolerance * scale);
            CHECK((k - reference.stiffness).norm() < tolerance * k.norm());
            CHECK(std::abs(body.elements.energy(x) - reference.energy) < tolerance * scale);
        }
    }
}

TEMPLATE_TEST_CASE("volume elements agree with linear elasticity for small strains, and are objective and isotropic",
                   "[fem]", SOFA_VOLUME_ELEMENTS)
{
    for (const LawCase& law : laws()) {
        INFO(law.name);
        Body<TestType> body(law);
        const Vector<Vec3> x = poses(body.mesh.points)[1].second;
        if (law.mu > 0.) {
            body.forces(body.mesh.points);
            const Eigen::MatrixXd k = body.stiffness();
            const LawCase linear{"linear", MaterialLaw::Linear, {law.lambda, law.mu}, law.lambda, law.mu};
            const Eigen::MatrixXd expected = Expected<TestType>(linear, body.mesh, body.mesh.points).stiffness;
            CHECK((k - expected).norm() < 1e-12 * expected.norm());
        }
        const double energy = body.elements.energy(x);
        const Vector<Vec3> f = body.forces(x), rotated = mapped(x, someRotation(), {1., 2., 3.});
        CHECK(std::abs(body.elements.energy(rotated) - energy) < 1e-11 * energy);
        CHECK((flatten(body.forces(rotated)) - flatten(mapped(f, someRotation(), {}))).norm() <
              1e-11 * flatten(f).norm());
        if (!law.isotropic) continue;
        Body<TestType> other(law);
        other.mesh.points = mapped(other.mesh.points, someRotation(), {});
        other.elements.build(other.mesh.elements, other.mesh.points, quadratureOf(TestType(), 2));
        for (Index e = 0; e < other.elements.size(); ++e) other.elements.setParameters(e, law.parameters);
        CHECK(std::abs(other.elements.energy(x) - energy) < 1e-11 * energy);
        CHECK((flatten(other.forces(x)) - flatten(f)).norm() < 1e-11 * flatten(f).norm());
    }
}

TEMPLATE_TEST_CASE("volume elements give the same bits for any instruction set and number of threads", "[fem]",
                   SOFA_VOLUME_ELEMENTS)
{
    const sofa::test::ParallelGuard guard;
    for (const LawCase& law : allLaws()) {
        INFO(law.name);
        Body<TestType> body(law);
        const Vector<Vec3> x = poses(body.mesh.points)[1].second;
        setSimdLevel(SimdLevel::scalar);
        setThreadCount(1);
        const Vector<Vec3> f = body.forces(x);
        const Eigen::MatrixXd k = body.stiffness();
        for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
            setSimdLevel(level);
            setThreadCount(3);
            CHECK(body.forces(x) == f);
            CHECK(body.stiffness() == k);
        }
    }
}

TEMPLATE_TEST_CASE("volume elements: thresholds keep inverted and collapsed elements finite, projections definite",
                   "[fem]", SOFA_VOLUME_ELEMENTS)
{
    for (const LawCase& law : laws()) {
        if (law.law == MaterialLaw::Costa) continue;  // not a function of the stretches
        INFO(law.name);
        Mat3 mirror = Mat3::identity(), flat, squeeze = Mat3::identity();
        mirror[2][2] = -0.5;
        flat[0][0] = 1.;
        squeeze[1][1] = 0.3;
        MaterialEvaluation threshold;
        threshold.smallestStretch = 0.1;
        Body<TestType> body(law, threshold);
        const Vector<Vec3>& rest = body.mesh.points;
        for (const Vector<Vec3>& x : {mapped(rest, mirror, {}), mapped(rest, Mat3(), {1., 2., 3.}),
                                      mapped(rest, flat, {}), randomVectors(rest.size(), 0.4, 3)}) {
            CHECK(std::isfinite(maxNorm(body.forces(x))));
            CHECK(maxNorm(body.forces(x)) > 1.);
            CHECK(body.stiffness().allFinite());
        }
        Mat3 atThreshold = Mat3::identity();
        atThreshold[2][2] = 0.1;
        const Eigen::VectorXd mirrored = flatten(body.forces(mapped(rest, mirror, {}))),
                              limit = flatten(body.forces(mapped(rest, atThreshold, {})));
        CHECK((mirrored - limit).norm() < 1e-9 * limit.norm());

        const Vector<Vec3> x = mapped(poses(rest)[1].second, squeeze, {});
        Body<TestType> plain(law);
        const Vector<Vec3> f = plain.forces(x);
        const auto smallest = [](const Eigen::MatrixXd& k) {
            return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(-k, Eigen::EigenvaluesOnly).eigenvalues()[0];
        };
        CHECK(smallest(plain.stiffness()) < 0.);
        for (const TangentProjection p : {TangentProjection::Clamp, TangentProjection::Absolute}) {
            MaterialEvaluation options;
            options.projection = p;
            Body<TestType> definite(law, options);
            CHECK((flatten(definite.forces(x)) - flatten(f)).norm() < 1e-11 * flatten(f).norm());
            const Eigen::MatrixXd k = definite.stiffness();
            CHECK(smallest(k) > -1e-12 * k.norm());
        }
    }
}

TEMPLATE_TEST_CASE("quadratures of prisms, pyramids and hexahedra are exact as they say", "[fem]", PyramidShape,
                   PrismShape, HexahedronShape)
{
    // On an affine image of the reference element the rest shape has a constant Jacobian, and two points (three for St
    // Venant-Kirchhoff) integrate the energy exactly: more points do not change it.
    std::array<Vec3, TestType::nodes> nodes;
    Vector<Vec3> rest;
    typename TestType::Element element;
    Mat3 affine = someRotation();
    affine[0][1] += 0.4;
    for (std::size_t k = 0; k < TestType::nodes; ++k) {
        nodes[k] = affine * TestType::corners[k];
        rest.push_back(nodes[k]);
        element[k] = static_cast<Index>(k);
    }
    const double volume = TestType::type == ElementType::Prisms     ? 0.5
                          : TestType::type == ElementType::Pyramids ? 8. / 3.
                                                                    : 8.;
    Vector<Vec3> x = rest;
    const auto noise = randomVectors(x.size(), 0.2, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto energy = [&](MaterialLaw law, int n) {
        HyperelasticElements<TestType::nodes> b;
        b.build({element}, rest, quadratureOf(TestType(), n));
        b.setMaterial({.law = law});
        b.setParameters(0, std::vector<double>{900., 400.});
        CHECK(std::abs(b.restVolume(0) - volume * std::abs(determinant(affine))) < 1e-13 * volume);
        for (std::size_t q = 0; q < quadratureOf(TestType(), n).points.size(); ++q) {
            const Mat3 f = b.deformationGradient(0, mapped(rest, affine, {1., 2., 3.}), q);
            for (std::size_t k = 0; k < 9; ++k) CHECK(std::abs(f.data()[k] - affine.data()[k]) < 1e-14);
        }
        return b.energy(x);
    };
    const double two = energy(MaterialLaw::Linear, 2), three = energy(MaterialLaw::Linear, 3);
    CHECK(std::abs(two - three) < 1e-13 * three);
    // One point is not exact; pyramids do not have that rule.
    if (TestType::type != ElementType::Pyramids) CHECK(std::abs(energy(MaterialLaw::Linear, 1) - three) > 1e-4 * three);
    // St Venant-Kirchhoff with a rule of high order, a tensor product of Gauss's with five points and collapsed
    // corners.
    static constexpr double at[5] = {-0.90617984593866399, -0.53846931010568309, 0., 0.53846931010568309,
                                     0.90617984593866399};
    static constexpr double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                         0.47862867049936647, 0.23692688505618909};
    ElementQuadrature<TestType::nodes> fine;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 5; ++k) {
                const double w = weight[i] * weight[j] * weight[k];
                if (TestType::type == ElementType::Prisms) {
                    const double a = 0.5 * (1. + at[i]), b = 0.5 * (1. + at[j]) * (1. - a);
                    fine.points.push_back({w / 8. * (1. - a), TestType::gradients({a, b, 0.5 * (1. + at[k])})});
                } else {
                    fine.points.push_back({w, TestType::gradients({at[i], at[j], at[k]})});
                }
            }
    HyperelasticElements<TestType::nodes> b;
    b.build({element}, rest, fine);
    b.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
    b.setParameters(0, std::vector<double>{900., 400.});
    const double exact = b.energy(x);
    CHECK(std::abs(energy(MaterialLaw::StVenantKirchhoff, 3) - exact) < 1e-13 * exact);
    CHECK(std::abs(energy(MaterialLaw::StVenantKirchhoff, 2) - exact) > 1e-6 * exact);
}

}  // namespace hyperelastic_kinds_test
