// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/elements/MembraneElements.h"

#include "core/fem/materials/LinearElasticity.h"
#include "core/math/Decompositions.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/MaterialCases.h"
#include "tests/core/fem/elements/ElementChecks.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/ParallelGuard.h"

namespace hyperelastic_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

HyperelasticElements<4> body(const BoxMesh& mesh, const LawCase& law, const MaterialEvaluation& options = {})
{
    HyperelasticElements<4> b;
    b.build(mesh.tetrahedra, mesh.points, tetrahedronQuadrature());
    MaterialEvaluation m = options;
    m.law = law.law;
    m.user = law.law == MaterialLaw::User ? quadraticVolume : nullptr;
    m.userParameters = 2;
    b.setMaterial(m);
    std::vector<double> p = law.parameters;
    if (m.compressionResistance) p.push_back(5e5);
    for (Index e = 0; e < b.size(); ++e) b.setParameters(e, p);
    return b;
}

}  // namespace

TEST_CASE("forces of hyperelastic tetrahedra are the gradient of the energy", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    for (const LawCase& law : laws())
        for (const bool resistance : {false, true}) {
            if (resistance && law.law == MaterialLaw::Costa) continue;
            MaterialEvaluation options;
            options.compressionResistance = resistance;
            HyperelasticElements<4> b = body(mesh, law, options);
            for (const auto& [pose, x] : poses(mesh)) {
                INFO(law.name << ", " << pose << (resistance ? ", with compression resistance" : ""));
                const Vector<Vec3> f = forces(b, x);
                const Vector<Vec3> d = randomVectors(x.size(), 1., 9);
                const double slope = derivative(
                    [&, &start = x](double h) {
                        Vector<Vec3> y = start;
                        for (std::size_t i = 0; i < y.size(); ++i) y[i] += d[i] * h;
                        return b.energy(y);
                    },
                    1e-4);
                const double work = flatten(f).dot(flatten(d));
                const double scale = std::max(flatten(f).norm(), 1.);
                CHECK(std::abs(slope + work) < 1e-7 * scale * flatten(d).norm());
                if (pose != "rest") CHECK(std::abs(work) > 1e-3 * scale);
                Vec3 sum;
                for (const Vec3& v : f) sum += v;
                CHECK(norm(sum) < 1e-12 * scale * static_cast<double>(x.size()));
            }
        }
}

TEST_CASE("the stiffness of hyperelastic tetrahedra is the derivative of the force", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    for (const LawCase& law : laws())
        for (const bool resistance : {false, true}) {
            if (resistance && law.law == MaterialLaw::Costa) continue;
            MaterialEvaluation options;
            options.compressionResistance = resistance;
            HyperelasticElements<4> b = body(mesh, law, options);
            for (const auto& [pose, x] : poses(mesh)) {
                INFO(law.name << ", " << pose << (resistance ? ", with compression resistance" : ""));
                const Vector<Vec3> d = randomVectors(x.size(), 1., 9);
                const Eigen::VectorXd difference = derivative(
                    [&, &start = x](double h) -> Eigen::VectorXd {
                        Vector<Vec3> y = start;
                        for (std::size_t i = 0; i < y.size(); ++i) y[i] += d[i] * h;
                        return flatten(forces(b, y));
                    },
                    1e-4);
                forces(b, x);
                const Eigen::MatrixXd k = stiffness(b);
                REQUIRE(k.norm() > 1.);
                // With resistance the energy has a jump in its third derivative where J = 1: at rest, everywhere.
                const double tolerance = resistance && pose == "rest" ? 1e-3 : 1e-7;
                CHECK((k * flatten(d) - difference).norm() < tolerance * k.norm() * flatten(d).norm());
                CHECK((k - k.transpose()).norm() < 1e-13 * k.norm());
                Vector<Vec3> product(x.size());
                b.addStiffnessProduct(product, d, 2.);
                CHECK((flatten(product) - 2. * k * flatten(d)).norm() < 1e-13 * k.norm() * flatten(d).norm());
            }
        }
}

TEST_CASE("hyperelastic laws agree with linear elasticity for small strains, and are isotropic and objective", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    for (const LawCase& law : laws()) {
        INFO(law.name);
        HyperelasticElements<4> b = body(mesh, law);
        const Vector<Vec3> d = randomVectors(mesh.points.size(), 1., 4);
        forces(b, mesh.points);
        const Eigen::VectorXd kd = stiffness(b) * flatten(d);
        if (law.mu > 0.) {
            // The small-strain limit, from its own formula.
            Eigen::VectorXd linear = Eigen::VectorXd::Zero(kd.size());
            for (Index e = 0; e < b.size(); ++e) {
                const Tetrahedron& v = mesh.tetrahedra[e];
                const Mat3 g = b.deformationGradient(e, d);  // linear in the positions
                const Mat3 s = isotropicStress(g, law.lambda, law.mu);
                const Vec3 e1 = mesh.points[v[1]] - mesh.points[v[0]], e2 = mesh.points[v[2]] - mesh.points[v[0]],
                           e3 = mesh.points[v[3]] - mesh.points[v[0]];
                const double volume6 = dot(e1, cross(e2, e3));
                const Vec3 n[4] = {-(cross(e2, e3) + cross(e3, e1) + cross(e1, e2)) / volume6, cross(e2, e3) / volume6,
                                   cross(e3, e1) / volume6, cross(e1, e2) / volume6};
                for (std::size_t k = 0; k < 4; ++k) {
                    const Vec3 f = s * n[k] * (-std::abs(volume6) / 6.);
                    for (std::size_t c = 0; c < 3; ++c) linear[3 * v[k] + static_cast<Eigen::Index>(c)] += f[c];
                }
            }
            CHECK((kd - linear).norm() < 1e-12 * linear.norm());
        }
        // Objectivity: turning the deformed shape turns the forces. Isotropy: turning the rest shape changes nothing.
        const Vector<Vec3> x = poses(mesh)[1].second;
        const double energy = b.energy(x);
        const Vector<Vec3> f = forces(b, x), rotated = mapped(x, someRotation(), {1., 2., 3.});
        CHECK(std::abs(b.energy(rotated) - energy) < 1e-11 * energy);
        CHECK((flatten(forces(b, rotated)) - flatten(mapped(f, someRotation(), {}))).norm() <
              1e-11 * flatten(f).norm());
        if (!law.isotropic) continue;
        BoxMesh other = mesh;
        other.points = mapped(mesh.points, someRotation(), {});
        HyperelasticElements<4> r = body(other, law);
        CHECK(std::abs(r.energy(x) - energy) < 1e-11 * energy);
        CHECK((flatten(forces(r, x)) - flatten(f)).norm() < 1e-11 * flatten(f).norm());
    }
}

TEST_CASE("elements that name a vertex twice have the forces of their energy", "[fem]")
{
    BoxMesh mesh(2, 2, 2, {1., 1., 1.});
    mesh.jitter(0.05);
    const Vector<Vec3> shape = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(shape.size(), 0.05, 3), d = randomVectors(shape.size(), 1., 5);
    const auto check = [&](auto& elements) {
        for (Index e = 0; e < elements.size(); ++e) elements.setParameters(e, std::array{600., 400.});
        Vector<Vec3> x = shape;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
        const Vector<Vec3> f = forces(elements, x);
        double work = 0.;
        for (std::size_t i = 0; i < x.size(); ++i) work += dot(f[i], d[i]);
        const double slope = derivative(
            [&](double s) {
                Vector<Vec3> y = x;
                for (std::size_t i = 0; i < y.size(); ++i) y[i] += d[i] * s;
                return elements.energy(y);
            },
            1e-4);
        CHECK(std::abs(work) > 1.);
        CHECK(work == Approx(-slope).epsilon(1e-7));
    };
    // A hexahedron with an edge that has no length, and a quad that is a triangle.
    mesh.hexahedra[3][6] = mesh.hexahedra[3][7];
    HyperelasticElements<8> hexahedra;
    hexahedra.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
    hexahedra.build(mesh.hexahedra, mesh.points, hexahedronQuadrature(2));
    check(hexahedra);
    Vector<Quad> quads;
    for (const Hexahedron& h : mesh.hexahedra) quads.push_back({h[0], h[1], h[2], h[3]});
    quads[2][2] = quads[2][3];
    MembraneElements<QuadShape, 3> membranes;
    membranes.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
    membranes.build(quads, mesh.points, membraneQuadrature<QuadShape>(2));
    check(membranes);
}

TEST_CASE("the approximate corotational tangent is the rotated stiffness of linear elasticity", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    const LawCase exact = laws()[8];
    LawCase approximate = exact;
    approximate.law = MaterialLaw::CorotationalApproximate;
    HyperelasticElements<4> a = body(mesh, exact), b = body(mesh, approximate);
    const Vector<Vec3> x = poses(mesh)[2].second;
    CHECK(flatten(forces(a, x)) == flatten(forces(b, x)));
    CHECK(a.energy(x) == b.energy(x));
    CHECK((stiffness(a) - stiffness(b)).norm() > 1e-3 * stiffness(a).norm());
    // Turned rigidly, both are R K₀ Rᵀ.
    forces(a, mesh.points);
    const Eigen::MatrixXd k0 = stiffness(a);
    const Vector<Vec3> rigid = mapped(mesh.points, someRotation(), {1., 1., 1.});
    forces(a, rigid);
    forces(b, rigid);
    Eigen::MatrixXd r = Eigen::MatrixXd::Zero(k0.rows(), k0.cols());
    for (Eigen::Index i = 0; i < k0.rows(); i += 3)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                r(i + static_cast<Eigen::Index>(j), i + static_cast<Eigen::Index>(k)) = someRotation()[j][k];
    CHECK((stiffness(a) - r * k0 * r.transpose()).norm() < 1e-12 * k0.norm());
    CHECK((stiffness(b) - r * k0 * r.transpose()).norm() < 1e-12 * k0.norm());
}

TEST_CASE("the stretches of inverted elements are raised to the threshold", "[fem]")
{
    BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    MaterialEvaluation options;
    options.smallestStretch = 0.1;
    for (const LawCase& law : laws()) {
        if (law.law == MaterialLaw::Costa) continue;  // not a function of the stretches
        INFO(law.name);
        HyperelasticElements<4> b = body(mesh, law, options);
        // Mirrored: stretches 1, 1, −1; and flattened in many ways: everything stays finite.
        Mat3 mirror = Mat3::identity();
        mirror[2][2] = -1.;
        Mat3 flat;
        flat[0][0] = 1.;
        for (const Vector<Vec3>& x : {mapped(mesh.points, mirror, {}), mapped(mesh.points, Mat3(), {1., 2., 3.}),
                                      mapped(mesh.points, flat, {}), randomVectors(mesh.points.size(), 1., 3)}) {
            const Vector<Vec3> f = forces(b, x);
            CHECK(std::isfinite(maxNorm(f)));
            CHECK(maxNorm(f) > 1.);
            CHECK(stiffness(b).allFinite());
            CHECK(std::isfinite(b.energy(x)));
        }
        // The force on a mirrored element is that of one squeezed to the threshold, along the mirrored axis.
        Mat3 squeezed = Mat3::identity();
        squeezed[2][2] = 0.1;
        const Vector<Vec3> f = forces(b, mapped(mesh.points, mirror, {})),
                           g = forces(b, mapped(mesh.points, squeezed, {}));
        CHECK((flatten(f) - flatten(g)).norm() < 1e-10 * flatten(g).norm());
    }
}

TEST_CASE("projected tangents are positive semi-definite, and unchanged where they were", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    const auto smallest = [](const Eigen::MatrixXd& k) {
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(-k).eigenvalues()[0];
    };
    for (const LawCase& law : laws()) {
        if (law.law == MaterialLaw::Costa) continue;  // not a function of the stretches
        INFO(law.name);
        Mat3 squeeze = Mat3::identity();
        squeeze[1][1] = 0.3;
        const Vector<Vec3> x = mapped(poses(mesh)[1].second, squeeze, {});
        HyperelasticElements<4> plain = body(mesh, law);
        forces(plain, x);
        const Eigen::MatrixXd k = stiffness(plain);
        CHECK(smallest(k) < -1e-3 * k.norm() / std::sqrt(static_cast<double>(k.rows())));  // buckles
        for (const TangentProjection p : {TangentProjection::Clamp, TangentProjection::Absolute}) {
            MaterialEvaluation options;
            options.projection = p;
            HyperelasticElements<4> b = body(mesh, law, options);
            // Elements are decomposed here, which is another way to the same forces.
            CHECK((flatten(forces(b, x)) - flatten(forces(plain, x))).norm() <
                  1e-12 * flatten(forces(plain, x)).norm());
            const Eigen::MatrixXd projected = stiffness(b);
            CHECK(smallest(projected) > -1e-12 * projected.norm());
            CHECK((projected - projected.transpose()).norm() < 1e-13 * projected.norm());
            // Stretched, the laws are stable.
            const Vector<Vec3> stretched = mapped(mesh.points, Mat3::identity() * 1.02, {});
            forces(b, stretched);
            forces(plain, stretched);
            const Eigen::MatrixXd reference = stiffness(plain);
            CHECK((stiffness(b) - reference).norm() < 1e-12 * reference.norm());
        }
    }
}

TEST_CASE("hyperelastic results are the same for any instruction set, number of threads and order of calls", "[fem]")
{
    BoxMesh mesh(10, 8, 7, {2., 1.5, 1.});
    mesh.jitter(0.02);
    if (GENERATE(false, true)) {
        const auto points = static_cast<Index>(mesh.points.size());
        renumber<4>(mesh.tetrahedra, points);
        const Vector<Vec3> ordered = mesh.points;
        const Vector<Index> number = randomNumbers(points);
        for (Index v = 0; v < points; ++v) mesh.points[number[v]] = ordered[v];
        CHECK(!body(mesh, laws()[0]).graph().order().rank.empty());
    }
    Vector<Vec3> x = mesh.points;
    const auto noise = randomVectors(x.size(), 0.03, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto dx = randomVectors(x.size(), 1., 5);
    const auto all = [&](const LawCase& law) {
        HyperelasticElements<4> b = body(mesh, law);
        std::vector<double> bits;
        for (int pass = 0; pass < 2; ++pass) {  // the second with the blocks computed together with the forces
            const Vector<Vec3> f = forces(b, x);
            Vector<Vec3> df(x.size());
            b.addStiffnessProduct(df, dx, 1.3);
            bits.insert(bits.end(), f[0].data(), f[0].data() + 3 * f.size());
            bits.insert(bits.end(), df[0].data(), df[0].data() + 3 * f.size());
            bits.push_back(b.energy(x));
        }
        const auto half = static_cast<std::ptrdiff_t>(bits.size() / 2);
        CHECK(std::equal(bits.begin(), bits.begin() + half, bits.begin() + half));
        return bits;
    };
    const sofa::test::ParallelGuard guard;
    for (const LawCase& law : laws()) {
        INFO(law.name);
        setThreadCount(1);
        setSimdLevel(SimdLevel::scalar);
        const auto reference = all(law);
        for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512})
            for (const unsigned threads : {1u, 2u, 4u}) {
                setSimdLevel(level);
                setThreadCount(threads);
                CHECK(all(law) == reference);
            }
    }
}

TEST_CASE("the second derivative of St Venant-Kirchhoff forces", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    const Vector<Vec3> x = poses(mesh)[1].second, u = randomVectors(x.size(), 1., 1),
                       v = randomVectors(x.size(), 1., 2);
    const auto check = [&](auto& b) {
        const auto product = [&](double h) -> Eigen::VectorXd {  // K(x + h u) v: a quadratic polynomial in h
            Vector<Vec3> y = x, f(x.size()), df(x.size());
            for (std::size_t i = 0; i < y.size(); ++i) y[i] += u[i] * h;
            b.addForce(f, y);
            b.addStiffnessProduct(df, v, 1.);
            return flatten(df);
        };
        const Eigen::VectorXd difference = (product(0.5) - product(-0.5));  // exact
        product(0.);
        Vector<Vec3> uv(x.size()), vu(x.size());
        b.addSecondDerivative(uv, u, v);
        b.addSecondDerivative(vu, v, u);
        CHECK(difference.norm() > 1.);
        CHECK((flatten(uv) - difference).norm() < 1e-12 * difference.norm());
        CHECK((flatten(uv) - flatten(vu)).norm() < 1e-13 * difference.norm());
    };
    HyperelasticElements<4> t = body(mesh, laws()[0]);
    check(t);
    HyperelasticElements<8> h;
    h.build(mesh.hexahedra, mesh.points, hexahedronQuadrature(3));
    h.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
    for (Index e = 0; e < h.size(); ++e) h.setParameters(e, std::vector<double>{900., 400.});
    check(h);
    HyperelasticElements<4> other = body(mesh, laws()[1]);
    Vector<Vec3> d(x.size());
    CHECK_THROWS_WITH(other.addSecondDerivative(d, u, v), Catch::Contains("St Venant-Kirchhoff"));
}

TEST_CASE("a steady step of hyperelastic tetrahedra allocates nothing", "[fem]")
{
    const BoxMesh mesh = jitteredBox(1);
    HyperelasticElements<4> b = body(mesh, laws()[1]);
    Vector<Vec3> f(mesh.points.size()), df(f.size());
    struct Count final : BlockSink
    {
        void addBlock(Index, Index, const double*, std::size_t, std::size_t) override { ++blocks; }
        std::size_t blocks = 0;
    } sink;
    for (int i = 0; i < 2; ++i) {
        b.addForce(f, mesh.points);
        b.addStiffness(sink);
        b.addStiffnessProduct(df, f, 1.);
    }
    const std::size_t before = allocationCount();
    b.addForce(f, mesh.points);
    b.addStiffness(sink);
    b.addStiffnessProduct(df, f, 1.);
    CHECK(allocationCount() == before);
    CHECK(sink.blocks > 0);
}

TEST_CASE("hyperelastic tetrahedra without volume are named", "[fem]")
{
    BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    HyperelasticElements<4> b;
    mesh.tetrahedra[3] = {0, 1, 2, 3};
    CHECK_THROWS_WITH(b.build(mesh.tetrahedra, mesh.points, tetrahedronQuadrature()),
                      Catch::Contains("element 3 has no volume"));
    mesh.tetrahedra[3] = {0, 1, 2, 99};
    CHECK_THROWS_WITH(b.build(mesh.tetrahedra, mesh.points, tetrahedronQuadrature()),
                      Catch::Contains("element 3 has the vertex"));
}

}  // namespace hyperelastic_elements_test
