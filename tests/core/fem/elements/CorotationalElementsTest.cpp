// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalElements.h"

#include "core/fem/elements/HyperelasticElements.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace corotational_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const OrthotropicParameters wood{{11e3, 0.8e3, 0.5e3}, {0.37, 0.45, 0.02}, {0.9e3, 0.05e3, 0.7e3}, someRotation()};

template <std::size_t N>
const Vector<std::array<Index, N>>& elementsOf(const BoxMesh& mesh)
{
    if constexpr (N == 4)
        return mesh.tetrahedra;
    else
        return mesh.hexahedra;
}

template <std::size_t N>
CorotationalElements<N> body(const BoxMesh& mesh, Corotation warp, const ElasticityMatrix& c)
{
    CorotationalElements<N> e;
    e.build(elementsOf<N>(mesh), mesh.points, warp);
    e.setMaterial([&](Index) { return c; });
    return e;
}

double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).norm() / b.norm(); }

}  // namespace

TEST_CASE("the stiffness of an axis-aligned box in closed form is that of the quadrature", "[fem]")
{
    using Hexahedra = CorotationalElements<8>;
    const Vec3 h{0.3, 1.1, 0.7};
    Hexahedra::Nodes nodes;
    const Hexahedron ordered{0, 1, 2, 3, 4, 5, 6, 7};
    const BoxMesh box(1, 1, 1, h);
    for (std::size_t i = 0; i < 8; ++i) nodes[i] = box.points[box.hexahedra[0][ordered[i]]];
    for (const ElasticityMatrix& c : {isotropicElasticity({900., 400.}), orthotropicElasticity(wood)}) {
        const auto closed = Hexahedra::integrate(nodes, c), quadrature = Hexahedra::integrate(nodes, c, false);
        double size = 0., difference = 0.;
        for (std::size_t i = 0; i < 24; ++i)
            for (std::size_t j = 0; j < 24; ++j) {
                size = std::max(size, std::abs(quadrature[i][j]));
                difference = std::max(difference, std::abs(closed[i][j] - quadrature[i][j]));
            }
        CHECK(difference < 1e-13 * size);
        CHECK(closed != quadrature);  // two ways
    }
    // Sheared, it has no closed form: the same result either way.
    for (Vec3& p : nodes) p[0] += 0.2 * p[2];
    const ElasticityMatrix c = isotropicElasticity({900., 400.});
    CHECK(Hexahedra::integrate(nodes, c) == Hexahedra::integrate(nodes, c, false));
}

TEST_CASE("voxels share one stiffness", "[fem]")
{
    BoxMesh mesh(5, 4, 3, {1.5, 1.2, 0.9});
    const ElasticityMatrix c = isotropicElasticity({900., 400.});
    CHECK(body<8>(mesh, Corotation::Rotated, c).nbStiffness() == 1);
    mesh.points[0] += Vec3{-0.01, 0., 0.};
    CHECK(body<8>(mesh, Corotation::Rotated, c).nbStiffness() == 2);
}

TEST_CASE("isotropic elements with one rotation agree with the laws on quadrature points", "[fem]")
{
    BoxMesh mesh(2, 2, 2, {1., 1.3, 0.8});
    const ElasticityMatrix c = isotropicElasticity({900., 400.});
    const double parameters[] = {900., 400.};
    const auto compare = [&](auto elements, Corotation warp, MaterialLaw law, auto& quadrature, const Vector<Vec3>& x) {
        auto& reference = elements;
        MaterialEvaluation m;
        m.law = law;
        constexpr std::size_t n = std::tuple_size_v<typename std::decay_t<decltype(elements)>::Element>;
        reference.build(elementsOf<n>(mesh), mesh.points, quadrature);
        reference.setMaterial(m);
        for (Index e = 0; e < reference.size(); ++e) reference.setParameters(e, parameters);
        auto warped = body<n>(mesh, warp, c);
        const Vector<Vec3> f = forces(warped, x);
        CHECK(relative(flatten(f), flatten(forces(reference, x))) < 1e-12);
        CHECK(warped.energy(x) == Approx(reference.energy(x)).epsilon(1e-12));
        const auto k = stiffness(warped);
        CHECK(relative(k, stiffness(reference)) < 1e-12);
        const Vector<Vec3> dx = randomVectors(x.size(), 1., 3);
        Vector<Vec3> df(x.size());
        warped.addStiffnessProduct(df, dx, 0.5);
        CHECK(relative(flatten(df), 0.5 * k * flatten(dx)) < 1e-12);
    };
    mesh.jitter(0.05);
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += randomVectors(x.size(), 0.1, 5)[i];
    compare(HyperelasticElements<4>(), Corotation::None, MaterialLaw::Linear, tetrahedronQuadrature(), x);
    compare(HyperelasticElements<4>(), Corotation::Rotated, MaterialLaw::CorotationalApproximate,
            tetrahedronQuadrature(), x);
    compare(HyperelasticElements<4>(), Corotation::Exact, MaterialLaw::Corotational, tetrahedronQuadrature(), x);
    compare(HyperelasticElements<8>(), Corotation::None, MaterialLaw::Linear, hexahedronQuadrature(2), x);
    // Where a hexahedron deforms homogeneously, all its points have one rotation.
    Mat3 stretch = Mat3::diagonal({1.2, 0.9, 1.05});
    stretch[0][1] = 0.1;
    x = mapped(mesh.points, someRotation() * stretch, {});
    compare(HyperelasticElements<8>(), Corotation::Rotated, MaterialLaw::CorotationalApproximate,
            hexahedronQuadrature(2), x);
}

TEMPLATE_TEST_CASE_SIG("orthotropic elements: laws and tangents", "[fem]", ((std::size_t N), N), 4, 8)
{
    BoxMesh mesh(2, 1, 1, {1., 0.6, 0.7});
    mesh.jitter(0.04);
    const ElasticityMatrix c = orthotropicElasticity(wood);
    const std::size_t n = mesh.points.size();
    Vector<Vec3> x = mesh.points;
    const Vector<Vec3> u = randomVectors(n, 0.06, 5), v = randomVectors(n, 1., 6);
    for (std::size_t i = 0; i < n; ++i) x[i] += u[i];

    const auto shifted = [&](double t) {
        Vector<Vec3> y = x;
        for (std::size_t i = 0; i < n; ++i) y[i] += v[i] * t;
        return y;
    };
    constexpr double t = 1e-6;

    SECTION("without rotations the force is the gradient of the energy")
    {
        auto e = body<N>(mesh, Corotation::None, c);
        CHECK((e.energy(shifted(t)) - e.energy(shifted(-t))) / (2. * t) ==
              Approx(-flatten(forces(e, x)).dot(flatten(v))).epsilon(1e-7));
    }
    SECTION("the exact tangent is the derivative of the force, as matrix and product")
    {
        auto e = body<N>(mesh, Corotation::Exact, c);
        const Eigen::VectorXd difference =
            (flatten(forces(e, shifted(t))) - flatten(forces(e, shifted(-t)))) / (2. * t);
        forces(e, x);
        const Eigen::MatrixXd k = stiffness(e);
        CHECK(relative(k * flatten(v), difference) < 1e-7);
        Vector<Vec3> df(n);
        e.addStiffnessProduct(df, v, 2.);
        CHECK(relative(flatten(df), 2. * k * flatten(v)) < 1e-12);
        // That of a rotated stiffness is another one.
        auto rotated = body<N>(mesh, Corotation::Rotated, c);
        forces(rotated, x);
        CHECK(relative(stiffness(rotated) * flatten(v), difference) > 1e-3);
    }
    SECTION("a rotation of the body turns the forces")
    {
        auto e = body<N>(mesh, Corotation::Rotated, c);
        const Mat3 r = someRotation();
        const Vector<Vec3> rotated = mapped(forces(e, x), r, {});
        CHECK(relative(flatten(forces(e, mapped(x, r, {1., 2., 3.}))), flatten(rotated)) < 1e-12);
        CHECK(maxNorm(forces(e, mapped(mesh.points, r, {1., 2., 3.}))) < 1e-10);
    }
}

TEST_CASE("orthotropic elasticity follows its definition", "[fem]")
{
    OrthotropicParameters p = wood;
    p.axes = Mat3::identity();
    const ElasticityMatrix c = orthotropicElasticity(p);
    // Pulled along 1 alone: σ = (s, 0, 0) for ε = s/E₁ (1, −ν₁₂, −ν₁₃), ν₁₃ = ν₃₁ E₁/E₃.
    const Vec3& e = p.moduli;
    const double nu13 = p.ratios[2] * e[0] / e[2];
    const Vec<6> strain{1. / e[0], -p.ratios[0] / e[0], -nu13 / e[0], 0., 0., 0.};
    const Vec<6> stress = c * strain;
    CHECK(stress[0] == Approx(1.).epsilon(1e-12));
    for (std::size_t i = 1; i < 6; ++i) CHECK(std::abs(stress[i]) < 1e-12);
    CHECK(c[4][4] == p.shearModuli[1]);

    // The energy of a strain in the axes of the material does not depend on the axes.
    const Mat3 r = someRotation();
    p.axes = r;
    const ElasticityMatrix rotated = orthotropicElasticity(p);
    const auto numbers = [](const Mat3& m) {
        return Vec<6>{m[0][0], m[1][1], m[2][2], 2. * m[0][1], 2. * m[1][2], 2. * m[2][0]};
    };
    const Mat3 local = Mat3::fromRows(Vec3{0.1, 0.02, 0.03}, Vec3{0.02, -0.2, 0.05}, Vec3{0.03, 0.05, 0.07});
    const Vec<6> a = numbers(local), b = numbers(r * local * r.transposed());
    CHECK(dot(b, rotated * b) == Approx(dot(a, c * a)).epsilon(1e-12));

    // An isotropic material as an orthotropic one.
    const double young = 1000., poisson = 0.3, shear = young / (2. * (1. + poisson));
    const ElasticityMatrix iso =
        orthotropicElasticity({Vec3::filled(young), Vec3::filled(poisson), Vec3::filled(shear), r});
    const ElasticityMatrix lame = isotropicElasticity(lameParameters(young, poisson));
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) CHECK(iso[i][j] == Approx(lame[i][j]).margin(1e-9));

    CHECK_THROWS_WITH(orthotropicElasticity({{1., 0., 1.}, {}, {1., 1., 1.}}), Catch::Contains("above 0"));
    CHECK_THROWS_WITH(orthotropicElasticity({{1., 1., 1.}, {1.1, 0., 0.}, {1., 1., 1.}}),
                      Catch::Contains("grow with every strain"));
    CHECK_THROWS_WITH(orthotropicElasticity({{1., 1., 1.}, {0.9, 0.9, 0.9}, {1., 1., 1.}}),
                      Catch::Contains("grow with every strain"));
    CHECK_THROWS_WITH(orthotropicElasticity({{1., 1., 1.}, {}, {1., 1., 1.}, Mat3::diagonal({1., 2., 1.})}),
                      Catch::Contains("orthonormal"));
}

TEST_CASE("elements without volume and folded ones are named", "[fem]")
{
    BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    CorotationalElements<8> e;
    std::swap(mesh.hexahedra[0][0], mesh.hexahedra[0][1]);
    CHECK_THROWS_WITH(e.build(mesh.hexahedra, mesh.points, Corotation::None), Catch::Contains("hexahedron 0"));
    CorotationalElements<4> t;
    CHECK_THROWS_WITH(t.build({{0, 1, 3, 2}}, mesh.points, Corotation::None), Catch::Contains("no volume"));
    // Collapsed to a point, an element pushes back, and its tangent is finite.
    const BoxMesh again(1, 1, 1, {1., 1., 1.});
    auto exact = body<4>(again, Corotation::Exact, isotropicElasticity({900., 400.}));
    forces(exact, Vector<Vec3>(again.points.size()));
    CHECK(stiffness(exact).allFinite());
}

}  // namespace corotational_elements_test
