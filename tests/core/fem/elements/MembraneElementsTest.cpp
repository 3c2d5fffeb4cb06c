// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Every law on every element of lower dimension: edges, triangles and quads in the plane and in space.
#include "core/fem/elements/MembraneElements.h"

#include "core/fem/elements/LinearElements.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/ElementMeshes.h"
#include "tests/core/fem/MaterialCases.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/ParallelGuard.h"

namespace membrane_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

template <class S, std::size_t dimension, Thickness thickness = Thickness::Free>
struct Kind
{
    using Shape = S;
    static constexpr std::size_t D = dimension, M = S::dimension, N = S::nodes;
    static constexpr Thickness state = thickness;
};

#define SOFA_SLICES (Kind<TriangleShape, 2, Thickness::Kept>), (Kind<QuadShape, 2, Thickness::Kept>)
#define SOFA_THIN_KINDS                                                                             \
    (Kind<EdgeShape, 2>), (Kind<EdgeShape, 3>), (Kind<TriangleShape, 2>), (Kind<TriangleShape, 3>), \
        (Kind<QuadShape, 2>), (Kind<QuadShape, 3>), SOFA_SLICES

template <std::size_t D>
class SquareSink final : public BlockSink
{
public:
    explicit SquareSink(std::size_t points)
        : matrix(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(D * points), static_cast<Eigen::Index>(D * points)))
    {
    }
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        REQUIRE((r == D && c == D));
        for (std::size_t a = 0; a < D; ++a)
            for (std::size_t b = 0; b < D; ++b)
                matrix(static_cast<Eigen::Index>(D * i + a), static_cast<Eigen::Index>(D * j + b)) += block[a * D + b];
    }
    Eigen::MatrixXd matrix;
};

template <std::size_t D>
Eigen::VectorXd flatten(const Vector<Vec<D>>& v)
{
    return Eigen::Map<const Eigen::VectorXd>(v[0].data(), static_cast<Eigen::Index>(D * v.size()));
}

template <std::size_t D>
Vector<Vec<D>> noise(std::size_t n, double amount, unsigned seed)
{
    const Vector<Vec3> full = randomVectors(n, amount, seed);
    Vector<Vec<D>> v(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < D; ++i) v[k][i] = full[k][i];
    return v;
}

template <std::size_t D>
Mat<D> someTurn()
{
    if constexpr (D == 3)
        return someRotation();
    else
        return Mat2::fromRows(Vec2{0.6, -0.8}, Vec2{0.8, 0.6});
}

template <std::size_t D>
Vector<Vec<D>> image(const Vector<Vec<D>>& x, const Mat<D>& a)
{
    Vector<Vec<D>> y;
    for (const Vec<D>& p : x) y.push_back(a * p);
    return y;
}

template <class K>
struct Body
{
    static constexpr std::size_t D = K::D;
    using Positions = Vector<Vec<D>>;
    ElementMesh<typename K::Shape, D> mesh;
    MembraneElements<typename K::Shape, D> elements;

    explicit Body(const LawCase& law, const MaterialEvaluation& options = {}, bool rotated = false)
    {
        if (rotated) mesh.points = image(mesh.points, someTurn<D>());
        elements.build(mesh.elements, mesh.points, membraneQuadrature<typename K::Shape>(2));
        elements.setMaterial(evaluation(law, options), K::state);
        std::vector<double> p = law.parameters;
        if (options.compressionResistance) p.push_back(5e5);
        for (Index e = 0; e < elements.size(); ++e) {
            elements.setParameters(e, p);
            elements.setSection(e, 0.3 + 0.01 * e);
        }
    }
    Positions forces(const Positions& x)
    {
        Positions f(x.size());
        elements.addForce(f, x);
        return f;
    }
    Eigen::MatrixXd stiffness() const
    {
        SquareSink<D> sink(mesh.points.size());
        elements.addStiffness(sink);
        return sink.matrix;
    }
    Positions moved(const Positions& x, const Positions& d, double h) const
    {
        Positions y = x;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += d[i] * h;
        return y;
    }
    /// At rest, randomly deformed (membranes are bent), rotated, compressed to a third.
    std::vector<std::pair<std::string, Positions>> poses() const
    {
        const Positions random = moved(mesh.points, noise<D>(mesh.points.size(), 0.08, 3), 1.);
        Mat<D> squeeze = Mat<D>::identity();
        squeeze[1][1] = 0.3;
        squeeze[0][1] = 0.2;
        return {{"rest", mesh.points},
                {"random", random},
                {"rotated", image(random, someTurn<D>())},
                {"squeezed", image(random, squeeze)}};
    }
};

/// Energy, forces and stiffness from densities in dual numbers at a full deformation gradient, in space: its columns
/// across an element are the vectors at which the density is stationary, all of their components unknown, and the
/// stiffness is condensed on the others.
template <class K>
struct Expected
{
    double energy = 0.;
    Eigen::VectorXd forces;
    Eigen::MatrixXd stiffness;

    Expected(const LawCase& law, const Body<K>& body, const typename Body<K>::Positions& x)
        : forces(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(K::D * x.size()))),
          stiffness(Eigen::MatrixXd::Zero(forces.size(), forces.size()))
    {
        for (Index e = 0; e < body.mesh.elements.size(); ++e)
            for (const auto& [weight, gradients] : membraneQuadrature<typename K::Shape>(2).points) {
                const auto& vertices = body.mesh.elements[e];
                std::array<Vec3, K::N> rest{};
                for (std::size_t k = 0; k < K::N; ++k)
                    for (std::size_t i = 0; i < K::D; ++i) rest[k][i] = body.mesh.points[vertices[k]][i];
                const Mat<3, K::M> jacobian = elementJacobian(rest, gradients);
                const auto spatial = spatialGradients(jacobian, gradients);
                // Axes whose first M vectors span the element: those of Costa's law.
                Vec3 axes[3];
                if constexpr (K::M == 2) {
                    axes[2] = normalized(cross(jacobian.column(0), jacobian.column(1)));
                    axes[0] = normalized(Vec3{1., 0., 0.} - axes[2] * axes[2][0]);
                } else {
                    axes[0] = normalized(jacobian.column(0));
                    axes[2] = perpendicular(axes[0]);
                }
                axes[1] = cross(axes[2], axes[0]);
                std::array<Vec3, 3> columns{};
                for (std::size_t c = 0; c < K::M; ++c)
                    for (std::size_t k = 0; k < K::N; ++k)
                        for (std::size_t i = 0; i < K::D; ++i)
                            columns[c][i] += x[vertices[k]][i] * dot(spatial[k], axes[c]);
                const Dual<9> psi = stationary(law, axes, columns);
                const Eigen::MatrixXd tangent = condensed(psi);
                const double volume = weight * elementMeasure(jacobian) * (0.3 + 0.01 * e);
                energy += volume * psi.v;
                for (std::size_t k = 0; k < K::N; ++k)
                    for (std::size_t c = 0; c < K::M; ++c)
                        for (std::size_t i = 0; i < K::D; ++i) {
                            const auto row = static_cast<Eigen::Index>(K::D * vertices[k] + i);
                            const double left = volume * dot(spatial[k], axes[c]);
                            forces[row] -= left * psi.g[3 * c + i];
                            for (std::size_t l = 0; l < K::N; ++l)
                                for (std::size_t d = 0; d < K::M; ++d)
                                    for (std::size_t j = 0; j < K::D; ++j)
                                        stiffness(row, static_cast<Eigen::Index>(K::D * vertices[l] + j)) -=
                                            left * dot(spatial[l], axes[d]) *
                                            tangent(static_cast<Eigen::Index>(3 * c + i),
                                                    static_cast<Eigen::Index>(3 * d + j));
                        }
            }
    }

private:
    static constexpr Eigen::Index known = 3 * K::M, across = 9 - known;

    /// The density as a function of the entries of F in the given axes, column by column.
    static Dual<9> at(const LawCase& law, const Vec3 (&axes)[3], const std::array<Vec3, 3>& columns)
    {
        Dual<9> f[3][3];
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    const double axis = law.law != MaterialLaw::Costa ? axes[c][j] : c == j ? 1. : 0.;
                    f[i][j] = f[i][j] + Dual<9>::variable(columns[c][i], 3 * c + i) * axis;
                }
        return density(law, f);
    }
    static Dual<9> stationary(const LawCase& law, const Vec3 (&axes)[3], std::array<Vec3, 3>& columns)
    {
        if (law.law == MaterialLaw::Linear) {
            for (std::size_t c = K::M; c < 3; ++c) columns[c] = axes[c];
        } else if constexpr (K::M == 2) {
            columns[2] = normalized(cross(columns[0], columns[1]));
        } else {
            columns[1] = perpendicular(normalized(columns[0]));
            columns[2] = normalized(cross(columns[0], columns[1]));
        }
        if (K::state == Thickness::Kept) return at(law, axes, columns);
        // Golden section for the size of the columns, then Newton's method for all of their components.
        const std::array<Vec3, 3> unit = columns;
        const auto scaled = [&](double l) {
            for (std::size_t c = K::M; c < 3; ++c) columns[c] = unit[c] * std::exp(l);
            return at(law, axes, columns).v;
        };
        double low = -2., high = 2.;
        const double ratio = 0.5 * (std::sqrt(5.) - 1.);
        while (high - low > 1e-6) {
            const double a = high - ratio * (high - low), b = low + ratio * (high - low);
            (scaled(a) < scaled(b) ? high : low) = scaled(a) < scaled(b) ? b : a;
        }
        scaled(0.5 * (low + high));
        Dual<9> psi;
        for (int step = 0; step < 6; ++step) {
            psi = at(law, axes, columns);
            Eigen::VectorXd g(across);
            for (Eigen::Index k = 0; k < across; ++k) g[k] = psi.g[static_cast<std::size_t>(known + k)];
            const Eigen::VectorXd d = inverseAcross(psi) * g;
            for (Eigen::Index k = 0; k < across; ++k)
                columns[static_cast<std::size_t>((known + k) / 3)][static_cast<std::size_t>(k % 3)] -= d[k];
        }
        return at(law, axes, columns);
    }
    static Eigen::MatrixXd block(const Dual<9>& psi, Eigen::Index row, Eigen::Index column, Eigen::Index rows,
                                 Eigen::Index columns)
    {
        Eigen::MatrixXd b(rows, columns);
        for (Eigen::Index i = 0; i < rows; ++i)
            for (Eigen::Index j = 0; j < columns; ++j)
                b(i, j) = psi.h[static_cast<std::size_t>(row + i)][static_cast<std::size_t>(column + j)];
        return b;
    }
    /// Around an edge the columns may turn: the block then has a zero eigenvalue.
    static Eigen::MatrixXd inverseAcross(const Dual<9>& psi)
    {
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> d;
        d.setThreshold(1e-8);
        d.compute(block(psi, known, known, across, across));
        return d.pseudoInverse();
    }
    static Eigen::MatrixXd condensed(const Dual<9>& psi)
    {
        const Eigen::MatrixXd full = block(psi, 0, 0, known, known);
        if (K::state == Thickness::Kept) return full;
        return full - block(psi, 0, known, known, across) * inverseAcross(psi) * block(psi, known, 0, across, known);
    }
};

}  // namespace

TEMPLATE_TEST_CASE("forces and stiffness of thin elements are derivatives of the energy", "[fem]", SOFA_THIN_KINDS)
{
    constexpr std::size_t D = TestType::D;
    for (const LawCase& law : allLaws())
        for (const bool resistance : {false, true}) {
            if (resistance && (law.law == MaterialLaw::Linear || law.law == MaterialLaw::Costa)) continue;
            MaterialEvaluation options;
            options.compressionResistance = resistance;
            Body<TestType> body(law, options);
            auto all = body.poses();
            Mat<D> flat = Mat<D>::identity();
            flat[1][1] = 0.05;
            all.emplace_back("almost flat", image(all[1].second, flat));
            if (law.validInverted && TestType::M == D) {
                Mat<D> mirror = Mat<D>::identity();
                mirror[0][0] = -0.7;
                all.emplace_back("inverted", image(all[1].second, mirror));
            }
            for (const auto& [pose, x] : all) {
                // With resistance the energy has a jump in its third derivative where the measure is that at rest.
                if (resistance && pose == "rest") continue;
                INFO(law.name << ", " << pose << (resistance ? ", with compression resistance" : ""));
                const auto d = noise<D>(x.size(), 1., 9);
                const double size = flatten<D>(d).norm(), h = pose == "almost flat" ? 1e-6 : 3e-5;
                const double slope =
                    derivative([&, &at = x](double s) { return body.elements.energy(body.moved(at, d, s)); }, h);
                const Eigen::VectorXd f = flatten<D>(body.forces(x));
                CHECK(std::abs(slope + f.dot(flatten<D>(d))) < 1e-7 * std::max(f.norm(), 1.) * size);
                if (pose != "rest") CHECK(f.norm() > 1.);
                const Eigen::VectorXd difference = derivative(
                    [&, &at = x](double s) -> Eigen::VectorXd { return flatten<D>(body.forces(body.moved(at, d, s))); },
                    h);
                body.forces(x);
                const Eigen::MatrixXd k = body.stiffness();
                REQUIRE(k.norm() > 1.);
                CHECK((k * flatten<D>(d) - difference).norm() < 1e-7 * k.norm() * size);
                CHECK((k - k.transpose()).norm() < 1e-13 * k.norm());
                Vector<Vec<D>> product(x.size());
                body.elements.addStiffnessProduct(product, d, 2.);
                CHECK((flatten<D>(product) - 2. * k * flatten<D>(d)).norm() < 1e-13 * k.norm() * size);
            }
        }
}

TEMPLATE_TEST_CASE("thin elements are volume elements without stress across, by dual numbers", "[fem]", SOFA_THIN_KINDS)
{
    constexpr std::size_t D = TestType::D;
    for (const LawCase& law : allLaws()) {
        Body<TestType> body(law);
        for (const auto& [pose, x] : body.poses()) {
            // Ogden's law in dual numbers needs stretches far from each other, as squeezed surfaces have, but not
            // slices with their stretch of one.
            if (law.law == MaterialLaw::Ogden &&
                (pose != "squeezed" || TestType::M == 1 || TestType::state == Thickness::Kept))
                continue;
            INFO(law.name << ", " << pose);
            const Expected<TestType> reference(law, body, x);
            const Eigen::VectorXd f = flatten<D>(body.forces(x));
            const Eigen::MatrixXd k = body.stiffness();
            const double scale = std::max(reference.forces.norm(), 1.);
            const double tolerance = law.law == MaterialLaw::Ogden ? 1e-7 : 1e-10;
            CHECK(std::abs(body.elements.energy(x) - reference.energy) < tolerance * scale);
            CHECK((f - reference.forces).norm() < tolerance * scale);
            CHECK((k - reference.stiffness).norm() < tolerance * k.norm());
        }
    }
}

TEMPLATE_TEST_CASE("thin elements agree with linear elasticity for small strains, and are objective and isotropic",
                   "[fem]", SOFA_THIN_KINDS)
{
    constexpr std::size_t D = TestType::D;
    for (const LawCase& law : allLaws()) {
        INFO(law.name);
        Body<TestType> body(law), turnedRest(law, {}, true);
        if (law.mu > 0.) {
            Body<TestType> linear({"linear", MaterialLaw::Linear, {law.lambda, law.mu}, 0., 0.});
            linear.forces(body.mesh.points);
            body.forces(body.mesh.points);
            const Eigen::MatrixXd expected = linear.stiffness();
            CHECK((body.stiffness() - expected).norm() < 1e-12 * expected.norm());
        }
        if (law.law == MaterialLaw::Linear) continue;
        const auto x = body.poses()[1].second, rotated = image(x, someTurn<D>());
        const double energy = body.elements.energy(x);
        const auto f = body.forces(x);
        CHECK(energy > 1e-3);
        CHECK(std::abs(body.elements.energy(rotated) - energy) < 1e-11 * energy);
        CHECK((flatten<D>(body.forces(rotated)) - flatten<D>(image(f, someTurn<D>()))).norm() <
              1e-11 * flatten<D>(f).norm());
        if (!law.isotropic) continue;
        CHECK(std::abs(turnedRest.elements.energy(x) - energy) < 1e-11 * energy);
        CHECK((flatten<D>(turnedRest.forces(x)) - flatten<D>(f)).norm() < 1e-11 * flatten<D>(f).norm());
    }
}

TEMPLATE_TEST_CASE("linear slices are the plane elements of linear elasticity", "[fem]",
                   (Kind<TriangleShape, 2, Thickness::Kept>))
{
    using Shape = typename TestType::Shape;
    Body<TestType> body({"", MaterialLaw::Linear, {900., 400.}, 0., 0.});
    for (Index e = 0; e < body.elements.size(); ++e) body.elements.setSection(e, 1.);
    LinearElements<Shape, 2> other;
    other.build(body.mesh.elements, body.mesh.points, ElementRotation::Identity);
    other.setMaterial([](Index) { return LameParameters{900., 400.}; });
    body.forces(body.mesh.points);
    SquareSink<2> sink(body.mesh.points.size());
    other.addStiffness(sink);
    CHECK((body.stiffness() - sink.matrix).norm() < 1e-13 * sink.matrix.norm());
}

TEST_CASE("a pulled bar and a pulled strip have the closed forms of their laws", "[fem]")
{
    const double lambda = 900., mu = 400., young = mu * (3. * lambda + 2. * mu) / (lambda + mu), stretch = 1.7;
    const auto pull = [&](MaterialLaw law) {
        MembraneElements<EdgeShape, 3> bar;
        bar.build({{0, 1}}, {{0., 0., 0.}, {0., 2., 0.}}, membraneQuadrature<EdgeShape>(1));
        bar.setMaterial({.law = law});
        bar.setParameters(0, std::vector<double>{lambda, mu});
        bar.setSection(0, 0.25);
        CHECK(bar.restVolume(0) == Approx(0.5));
        Vector<Vec3> f(2);
        bar.addForce(f, {{1., 1., 1.}, {1., 1. + 2. * stretch, 1.}});
        CHECK(f[0][0] == 0.);
        CHECK(f[0] == -f[1]);
        return f[0][1];
    };
    CHECK(pull(MaterialLaw::Corotational) == Approx(0.25 * young * (stretch - 1.)).epsilon(1e-14));
    CHECK(pull(MaterialLaw::StVenantKirchhoff) ==
          Approx(0.25 * young * 0.5 * (stretch * stretch - 1.) * stretch).epsilon(1e-14));
    // Neo-Hookean: μ (t² − 1) + λ ln(s t²) = 0 across, P = μ (s − 1/s) + λ ln(s t²)/s along.
    double t2 = 1.;
    for (int i = 0; i < 100; ++i) t2 -= (mu * (t2 - 1.) + lambda * std::log(stretch * t2)) / (mu + lambda / t2);
    CHECK(t2 < 1.);
    CHECK(pull(MaterialLaw::NeoHookean) ==
          Approx(0.25 * (mu * (stretch - 1. / stretch) + lambda * std::log(stretch * t2) / stretch)).epsilon(1e-12));
}

TEMPLATE_TEST_CASE("thin elements give the same bits for any instruction set and number of threads", "[fem]",
                   SOFA_THIN_KINDS)
{
    const sofa::test::ParallelGuard guard;
    for (const LawCase& law : allLaws()) {
        INFO(law.name);
        Body<TestType> body(law);
        const auto x = body.poses()[1].second;
        setSimdLevel(SimdLevel::scalar);
        setThreadCount(1);
        const auto f = body.forces(x);
        const Eigen::MatrixXd k = body.stiffness();
        const double energy = body.elements.energy(x);
        for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
            setSimdLevel(level);
            setThreadCount(3);
            CHECK(body.forces(x) == f);
            CHECK(body.stiffness() == k);
            CHECK(body.elements.energy(x) == energy);
        }
    }
}

TEMPLATE_TEST_CASE("thin elements: thresholds keep inverted and collapsed elements finite, projections definite",
                   "[fem]", SOFA_THIN_KINDS)
{
    constexpr std::size_t D = TestType::D;
    for (const LawCase& law : allLaws()) {
        if (law.law == MaterialLaw::Costa) continue;  // not a function of the stretches
        INFO(law.name);
        Mat<D> mirror = Mat<D>::identity(), line;
        mirror[1][1] = -0.5;
        line[0][0] = 1.;
        MaterialEvaluation threshold;
        threshold.smallestStretch = 0.1;
        Body<TestType> body(law, threshold);
        for (const auto& x : {image(body.mesh.points, mirror), image(body.mesh.points, Mat<D>()),
                              image(body.mesh.points, line), noise<D>(body.mesh.points.size(), 0.4, 3)}) {
            const auto f = body.forces(x);
            CHECK(flatten<D>(f).allFinite());
            CHECK(flatten<D>(f).norm() > 1e-3);
            CHECK(body.stiffness().allFinite());
            CHECK(std::isfinite(body.elements.energy(x)));
        }
        Body<TestType> plain(law);
        const auto x = plain.poses()[3].second;
        const auto f = plain.forces(x);
        const auto smallest = [](const Eigen::MatrixXd& k) {
            return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(-k, Eigen::EigenvaluesOnly).eigenvalues()[0];
        };
        const Eigen::MatrixXd exact = plain.stiffness();
        if (law.law != MaterialLaw::Linear) CHECK(smallest(exact) < -1e-3 * exact.norm() / exact.rows());  // buckles
        for (const TangentProjection p : {TangentProjection::Clamp, TangentProjection::Absolute}) {
            MaterialEvaluation options;
            options.projection = p;
            Body<TestType> definite(law, options);
            CHECK(definite.forces(x) == f);
            const Eigen::MatrixXd k = definite.stiffness();
            CHECK(smallest(k) > -1e-12 * k.norm());
            // Stretched in all directions, all laws are stable: nothing changes.
            Mat<D> stretch = Mat<D>::identity() * 1.05;
            definite.forces(image(definite.mesh.points, stretch));
            plain.forces(image(plain.mesh.points, stretch));
            CHECK((definite.stiffness() - plain.stiffness()).norm() < 1e-13 * plain.stiffness().norm());
        }
    }
}

TEST_CASE("the approximate tangent of corotational membranes is the rotated stiffness of linear elasticity", "[fem]")
{
    using K = Kind<TriangleShape, 3>;
    const LawCase approximate = approximateCorotational();
    LawCase exact = approximate;
    exact.law = MaterialLaw::Corotational;
    Body<K> a(approximate), b(exact), linear({"", MaterialLaw::Linear, approximate.parameters, 0., 0.});
    const auto x = a.poses()[1].second;
    CHECK(a.forces(x) == b.forces(x));
    CHECK((a.stiffness() - b.stiffness()).norm() > 1e-3 * b.stiffness().norm());
    // Turned rigidly, both are R K₀ Rᵀ.
    linear.forces(linear.mesh.points);
    const Eigen::MatrixXd k0 = linear.stiffness();
    const auto rigid = image(a.mesh.points, someRotation());
    a.forces(rigid);
    b.forces(rigid);
    Eigen::MatrixXd r = Eigen::MatrixXd::Zero(k0.rows(), k0.cols());
    for (Eigen::Index i = 0; i < k0.rows(); ++i)
        for (Eigen::Index j = 0; j < 3; ++j)
            r(i, i - i % 3 + j) = someRotation()[static_cast<std::size_t>(i % 3)][static_cast<std::size_t>(j)];
    CHECK((a.stiffness() - r * k0 * r.transpose()).norm() < 1e-12 * k0.norm());
    CHECK((b.stiffness() - r * k0 * r.transpose()).norm() < 1e-12 * k0.norm());
}

TEST_CASE("a steady step of thin elements allocates nothing, and mistakes are named", "[fem]")
{
    Body<Kind<TriangleShape, 3>> body(laws()[1]);
    struct Count final : BlockSink
    {
        void addBlock(Index, Index, const double*, std::size_t, std::size_t) override { ++blocks; }
        std::size_t blocks = 0;
    } sink;
    Vector<Vec3> f(body.mesh.points.size()), df(f.size());
    const auto step = [&] {
        body.elements.addForce(f, body.mesh.points);
        body.elements.addStiffness(sink);
        body.elements.addStiffnessProduct(df, f, 1.);
    };
    step();
    step();
    const std::size_t before = allocationCount();
    step();
    CHECK(allocationCount() == before);
    CHECK(sink.blocks > 0);

    CHECK_THROWS_WITH(body.elements.setParameters(0, std::vector<double>{1.}), Catch::Contains("expected 2"));
    const Vector<Vec3> points{{0., 0., 0.}, {1., 0., 0.}, {2., 0., 0.}, {1., 1., 0.}};
    CHECK_THROWS_WITH(body.elements.build({{0, 1, 3}, {0, 1, 2}}, points, membraneQuadrature<TriangleShape>(1)),
                      Catch::Contains("triangle 1 has no area"));
    MembraneElements<EdgeShape, 3> bars;
    CHECK_THROWS_WITH(bars.build({{1, 1}}, points, membraneQuadrature<EdgeShape>(1)),
                      Catch::Contains("edge 0 has no length"));
    MembraneElements<QuadShape, 3> quads;
    CHECK_THROWS_WITH(quads.build({{0, 2, 1, 3}}, points, membraneQuadrature<QuadShape>(2)),
                      Catch::Contains("quad 0 is folded"));
    CHECK_THROWS_WITH(quads.build({{0, 2, 1, 9}}, points, membraneQuadrature<QuadShape>(2)),
                      Catch::Contains("element 0 has the vertex 9"));
}

}  // namespace membrane_elements_test
