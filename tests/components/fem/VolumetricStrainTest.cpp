// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalFEMForceField.h"
#include "components/fem/CorotationalLinearFEMForceField.h"
#include "components/fem/FastTetrahedralCorotationalForceField.h"
#include "components/fem/HexahedronFEMForceField.h"
#include "components/fem/HyperelasticityFEMForceField.h"
#include "components/fem/LinearSmallStrainFEMForceField.h"
#include "components/fem/TetrahedralCorotationalFEMForceField.h"
#include "components/fem/TetrahedronFEMForceField.h"
#include "components/fem/VegaForceFields.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace volumetric_strain_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

const BoxMesh& jittered()
{
    static const BoxMesh mesh = [] {
        BoxMesh m(2, 2, 3, {2., 2., 3.});
        m.jitter(0.15);
        return m;
    }();
    return mesh;
}

Vector<Vec3> noisy(const Vector<Vec3>& x, double amount)
{
    Vector<Vec3> y = x;
    const Vector<Vec3> noise = randomVectors(x.size(), amount, 8);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += noise[i];
    return y;
}

/// Calls `check(scene)` for a force field with averaged dilatation on irregular tetrahedra or hexahedra.
template <class F, class Check>
void withField(bool hexahedra, const std::vector<std::pair<std::string, std::string>>& attributes, Check&& check)
{
    ForceFieldScene<F> s(jittered(), !hexahedra, hexahedra);
    std::string text = hexahedra ? "hexahedra" : "tetrahedra";
    for (const auto& [name, value] : attributes) {
        s.set(name, value);
        text += " " + name + "=" + value;
    }
    s.set("volumetricStrain", "averaged").init();
    INFO(text);
    REQUIRE(s.field.isValid());
    check(s);
}

const std::vector<std::pair<std::string, std::string>> nearlyIncompressible{{"youngModulus", "100"},
                                                                            {"poissonRatio", "0.49"}};
std::vector<std::pair<std::string, std::string>> with(std::vector<std::pair<std::string, std::string>> more)
{
    more.insert(more.end(), nearlyIncompressible.begin(), nearlyIncompressible.end());
    return more;
}

template <class Check>
void withHyperelasticFields(Check&& check)
{
    for (const bool hexahedra : {false, true}) {
        withField<StVKFEMForceField<Vec3Types>>(hexahedra, nearlyIncompressible, check);
        withField<InvertibleFEMForceField<Vec3Types>>(
            hexahedra, with({{"material", "neoHookean"}, {"tangentProjection", "none"}}), check);
        withField<CorotationalLinearFEMForceField<Vec3Types>>(
            hexahedra, with({{"warp", "2"}, {"hexahedronRotation", "points"}}), check);
        for (const auto& [material, parameters] : {std::pair{"StableNeoHookean", "33 1600"},
                                                   {"MooneyRivlin", "12 6 1700"},
                                                   {"Ogden", "70 3 1700"},
                                                   {"Costa", "5 170 14 7 14 7 7 14"}})
            withField<HyperelasticityFEMForceField<Vec3Types>>(
                hexahedra, {{"materialName", material}, {"ParameterSet", parameters}, {"tangentProjection", "none"}},
                check);
    }
}
template <class Check>
void withLinearFields(Check&& check)
{
    for (const bool hexahedra : {false, true})
        withField<CorotationalLinearFEMForceField<Vec3Types>>(hexahedra, with({{"warp", "0"}}), check);
    withField<HexahedronFEMForceField>(true, with({{"method", "small"}}), check);
    withField<TetrahedronFEMForceField>(false, with({{"method", "small"}}), check);
    withField<LinearSmallStrainFEMForceField<Vec3Types, TetrahedronShape>>(false, nearlyIncompressible, check);
    withField<LinearSmallStrainFEMForceField<Vec3Types, HexahedronShape>>(true, nearlyIncompressible, check);
}
template <class Check>
void withTurningFields(Check&& check)
{
    for (const char* method : {"large", "polar"}) {
        withField<HexahedronFEMForceField>(true, with({{"method", method}}), check);
        withField<TetrahedronFEMForceField>(false, with({{"method", method}}), check);
        withField<TetrahedralCorotationalFEMForceField>(false, with({{"method", method}}), check);
        withField<FastTetrahedralCorotationalForceField>(false, with({{"method", method}}), check);
    }
    for (const char* method : {"stable_polar", "polar"}) {
        withField<CorotationalFEMForceField<Vec3Types, TetrahedronShape>>(false, with({{"rotationMethod", method}}),
                                                                          check);
        withField<CorotationalFEMForceField<Vec3Types, HexahedronShape>>(true, with({{"rotationMethod", method}}),
                                                                         check);
    }
    withField<CorotationalLinearFEMForceField<Vec3Types>>(true, with({{"warp", "1"}}), check);
}

}  // namespace

TEST_CASE("averaged dilatation: force, energy and stiffness of hyperelastic elements are derivatives", "[fem]")
{
    withHyperelasticFields([](auto& s) {
        s.field.d_rayleighStiffness.setValue(0.1);
        s.state.write(vec_id::position) = noisy(jittered().points, 0.03);
        checkForceField(s.field, {.displacement = 0.03, .step = 2e-4, .internal = true});
    });
}

TEST_CASE("averaged dilatation: force, energy and stiffness of linear elements are derivatives", "[fem]")
{
    withLinearFields([](auto& s) {
        s.field.d_rayleighStiffness.setValue(0.1);
        checkForceField(s.field, {.atGivenPose = false});
    });
    withField<FastTetrahedralCorotationalForceField>(false, with({{"method", "polar"}}), [](auto& s) {
        // The force is the gradient of the energy, though not the stiffness its derivative.
        const Vector<Vec3> x = noisy(jittered().points, 0.1), d = randomVectors(x.size(), 1., 3);
        const Vector<Vec3> f = s.forces(x);
        double expected = 0.;
        for (std::size_t i = 0; i < x.size(); ++i) expected -= dot(f[i], d[i]);
        const double h = 1e-5;
        Vector<Vec3> forward = x, backward = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            forward[i] += d[i] * h;
            backward[i] -= d[i] * h;
        }
        CHECK((s.energy(forward) - s.energy(backward)) / (2. * h) == Approx(expected).epsilon(1e-6));
    });
}

TEST_CASE("averaged dilatation: prisms and pyramids, and no mode without stiffness", "[fem]")
{
    // The first cube as six pyramids, the second as two prisms.
    BoxMesh mesh(1, 1, 2, {1., 1.5, 2.});
    mesh.jitter(0.1);
    const Hexahedron &a = mesh.hexahedra[0], &b = mesh.hexahedra[1];
    Vec3 middle;
    for (const Index v : a) middle += mesh.points[v] / 8.;
    const auto apex = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(middle);
    const Vector<Prism> prisms{{b[0], b[1], b[2], b[4], b[5], b[6]}, {b[0], b[2], b[3], b[4], b[6], b[7]}};
    constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
    Vector<Pyramid> pyramids;
    for (const auto& f : faces) pyramids.push_back({a[f[0]], a[f[1]], a[f[2]], a[f[3]], apex});
    const auto zeroModes = [](auto& s) {
        s.forces(s.state.positions());
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(-s.stiffness());
        const double top = solver.eigenvalues().maxCoeff();
        CHECK(solver.eigenvalues().minCoeff() > -1e-9 * top);
        return (solver.eigenvalues().array() < 1e-5 * top).count();
    };
    // Those of rigid motions and of points without elements; one prism of two points has one more, with the standard
    // elements as well.
    const auto hasNoOtherModes = [&](auto& s, std::size_t points) {
        CHECK(zeroModes(s) == 6 + 3 * static_cast<Eigen::Index>(s.state.size() - points));
    };
    for (const bool tetrahedra : {true, false}) {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(mesh, tetrahedra, !tetrahedra);
        s.set("volumetricStrain", "averaged").set("poissonRatio", "0.4").init();
        hasNoOtherModes(s, 12);
    }
    ForceFieldScene<StVKFEMForceField<Vec3Types>> both(mesh, false, false);
    both.topology.m_prisms = prisms;
    both.topology.m_pyramids = pyramids;
    both.set("volumetricStrain", "averaged").set("poissonRatio", "0.4").set("youngModulus", "100").init();
    REQUIRE(both.field.isValid());
    hasNoOtherModes(both, 13);
    both.field.d_rayleighStiffness.setValue(0.1);
    both.state.write(vec_id::position) = noisy(mesh.points, 0.05);
    checkForceField(both.field, {.displacement = 0.05, .internal = true});

    const auto linear = [&](auto& s, std::size_t points) {
        s.set("volumetricStrain", "averaged").set("poissonRatio", "0.4").set("youngModulus", "100").init();
        REQUIRE(s.field.isValid());
        hasNoOtherModes(s, points);
        s.field.d_rayleighStiffness.setValue(0.1);
        checkForceField(s.field, {.atGivenPose = false});
    };
    ForceFieldScene<LinearSmallStrainFEMForceField<Vec3Types, PrismShape>> p(mesh, false, false);
    p.topology.m_prisms = prisms;
    linear(p, 8);
    ForceFieldScene<LinearSmallStrainFEMForceField<Vec3Types, PyramidShape>> y(mesh, false, false);
    y.topology.m_pyramids = pyramids;
    linear(y, 9);
    ForceFieldScene<LinearSmallStrainFEMForceField<Vec3Types, HexahedronShape>> h(mesh, false, true);
    h.topology.m_hexahedra.resize(1);
    linear(h, 8);
}

TEST_CASE("averaged dilatation: products and blocks are one symmetric matrix with turning elements", "[fem]")
{
    withTurningFields([](auto& s) {
        s.state.write(vec_id::position) = noisy(jittered().points, 0.05);
        s.forces(s.state.positions());
        const Eigen::MatrixXd k = s.stiffness();
        CHECK((k - k.transpose()).cwiseAbs().maxCoeff() < 1e-12 * k.cwiseAbs().maxCoeff());
        const Vector<Vec3> dx = randomVectors(jittered().points.size(), 1., 5);
        s.forces(s.state.positions());
        s.state.write(vec_id::dx) = dx;
        s.state.write(vec_id::force)->assign(dx.size(), {});
        MechanicalParams mp;
        mp.kFactor = 1.;
        s.field.addDForce(mp, vec_id::force);
        const Eigen::VectorXd df = flatten(s.state.read(vec_id::force));
        CHECK((df - k * flatten(dx)).cwiseAbs().maxCoeff() < 1e-11 * df.cwiseAbs().maxCoeff());
    });
}

TEST_CASE("averaged dilatation passes the patch test, and rigid motions give no force", "[fem]")
{
    const Vector<Vec3>& rest = jittered().points;
    Mat3 f = Mat3::identity();
    f[0] += Vec3{0.05, 0.02, -0.03};
    f[1] += Vec3{0.01, -0.04, 0.02};
    const Vector<Vec3> x = mapped(rest, f, {0.1, 0.2, 0.3});
    const auto homogeneous = [&](auto& s) {
        const Vector<Vec3> forces = s.forces(x);
        CHECK(maxNorm(forces) > 1.);
        int inner = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto isInside = [&](std::size_t at, std::size_t n) { return at > 0 && at + 1 < n; };
            if (!isInside(i % 3, 3) || !isInside(i / 3 % 3, 3) || !isInside(i / 9, 4)) continue;
            CHECK(maxNorm({forces[i]}) < 1e-11 * maxNorm(forces));
            ++inner;
        }
        CHECK(inner == 2);
    };
    const auto rigid = [&](auto& s, const Mat3& rotation) {
        const double scale = maxNorm(s.forces(x));
        CHECK(maxNorm(s.forces(mapped(rest, rotation, {3., 2., 1.}))) < 1e-10 * scale);
    };
    withHyperelasticFields([&](auto& s) {
        homogeneous(s);
        rigid(s, someRotation());
    });
    withLinearFields([&](auto& s) {
        homogeneous(s);
        rigid(s, Mat3::identity());
    });
    withTurningFields([&](auto& s) { rigid(s, someRotation()); });
}

TEST_CASE("averaged dilatation gives the same bits for any number of threads", "[fem]")
{
    const BoxMesh mesh(8, 8, 8, {1., 1., 1.});
    REQUIRE(mesh.tetrahedra.size() > 2048);
    const auto check = [&](auto make) {
        Vector<Vec3> f;
        Eigen::MatrixXd k;
        double energy = 0.;
        const Vector<Vec3> x = noisy(mesh.points, 0.01);
        for (const unsigned threads : {1u, 2u, 5u}) {
            setThreadCount(threads);
            auto s = make();
            const Vector<Vec3> f2 = s->forces(x);
            const Eigen::MatrixXd k2 = s->stiffness();
            const double energy2 = s->energy(x);
            if (threads == 1) {
                f = f2;
                k = k2;
                energy = energy2;
                CHECK(maxNorm(f) > 0.);
            }
            CHECK(f == f2);
            CHECK(k == k2);
            CHECK(energy == energy2);
        }
        setThreadCount(0);
    };
    for (const bool hexahedra : {false, true})
        check([&] {
            auto s = std::make_unique<ForceFieldScene<StVKFEMForceField<Vec3Types>>>(mesh, !hexahedra, hexahedra);
            s->set("volumetricStrain", "averaged").init();
            return s;
        });
    check([&] {
        auto s = std::make_unique<ForceFieldScene<TetrahedronFEMForceField>>(mesh, true, false);
        s->set("volumetricStrain", "averaged").init();
        return s;
    });
}

TEST_CASE("averaged dilatation follows elements that are removed", "[fem]")
{
    const auto check = [](auto& s, auto& t) {
        const Vector<Vec3> x = noisy(jittered().points, 0.05);
        s.set("volumetricStrain", "averaged").init();
        s.forces(x);
        s.stiffness();
        s.topology.m_tetrahedra.erase(s.topology.m_tetrahedra.begin() + 3, s.topology.m_tetrahedra.begin() + 9);
        const Vector<Vec3> fewer = s.forces(x);
        t.topology.m_tetrahedra = s.topology.m_tetrahedra;
        t.set("volumetricStrain", "averaged").init();
        CHECK(maxNorm(fewer) > 1.);
        CHECK(fewer == t.forces(x));
        CHECK(s.stiffness() == t.stiffness());
        s.topology.m_tetrahedra.clear();
        CHECK(maxNorm(s.forces(x)) == 0.);
        CHECK(s.stiffness().isZero(0.));
        CHECK(s.field.isValid());
    };
    ForceFieldScene<TetrahedronFEMForceField> a(jittered(), true, false), b(jittered(), true, false);
    check(a, b);
    ForceFieldScene<StVKFEMForceField<Vec3Types>> c(jittered(), true, false), d(jittered(), true, false);
    check(c, d);
}

TEST_CASE("averaged dilatation: collapsed and inverted elements stay finite and consistent", "[fem]")
{
    for (const bool hexahedra : {false, true}) {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(jittered(), !hexahedra, hexahedra);
        s.set("youngModulus", "100").set("poissonRatio", "0.49").set("volumetricStrain", "averaged").init();
        Vector<Vec3> x = jittered().points;
        x[13] += Vec3{0.9, 0.8, 1.3};  // beyond the opposite faces of its elements
        for (const double part : {0., 0.5, 1.}) {
            Vector<Vec3> y = noisy(jittered().points, 0.02);
            for (std::size_t i = 0; i < x.size(); ++i) y[i] += (x[i] - jittered().points[i]) * part;
            s.state.write(vec_id::position) = y;
            checkForceField(s.field, {.seeds = 0, .step = 1e-4, .internal = true});
        }
        // Everything in a plane, and at a point.
        for (const double height : {0., -1.}) {
            Mat3 flat = Mat3::identity();
            flat[2][2] = height;
            for (const Vec3& f : s.forces(mapped(jittered().points, flat, {}))) CHECK(std::isfinite(norm2(f)));
            CHECK(std::isfinite(s.stiffness().sum()));
        }
        for (const Vec3& f : s.forces(Vector<Vec3>(x.size()))) CHECK(std::isfinite(norm2(f)));
        CHECK(std::isfinite(s.stiffness().sum()));
    }
}

TEST_CASE("what cannot have averaged dilatation says so, and elements that lock are warned about once", "[fem]")
{
    {
        ForceFieldScene<TetrahedronFEMForceField> s(jittered(), true, false);
        s.set("volumetricStrain", "averaged").set("updateStiffnessMatrix", "1").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "updateStiffnessMatrix"));
    }
    {
        ForceFieldScene<TetrahedronFEMForceField> s(jittered(), true, false);
        s.set("volumetricStrain", "averaged").set("plasticMaxThreshold", "1").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "plasticity"));
    }
    {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(jittered(), false, false);
        s.topology.m_triangles = {{0, 1, 3}};
        s.set("volumetricStrain", "averaged").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "not for triangles"));
    }
    {
        ForceFieldScene<CorotationalFEMForceField<Vec3Types, TriangleShape>> s(jittered(), false, false);
        s.topology.m_triangles = {{0, 1, 3}};
        s.set("volumetricStrain", "averaged").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "fill a volume"));
    }
    const auto warnings = [](auto& s) {
        return std::count_if(s.messages.messages().begin(), s.messages.messages().end(), [](const Message& m) {
            return m.severity == Severity::Warning && m.text.find("lock at this") != std::string::npos;
        });
    };
    for (const auto& [ratio, strain, expected] :
         {std::tuple{"0.49", "", 1}, {"0.48", "", 0}, {"0.499", "pointwise", 0}, {"0.499", "averaged", 0}}) {
        INFO(ratio << " " << strain);
        const auto check = [&, r = ratio, text = std::string(strain), n = expected](auto& s) {
            s.set("poissonRatio", r);
            if (!text.empty()) s.set("volumetricStrain", text);
            s.init();
            REQUIRE(s.field.isValid());
            s.field.reinit();
            CHECK(warnings(s) == n);
        };
        ForceFieldScene<TetrahedronFEMForceField> a(jittered(), true, false);
        check(a);
        ForceFieldScene<HexahedronFEMForceField> b(jittered(), false, true);
        check(b);
        ForceFieldScene<StVKFEMForceField<Vec3Types>> c(jittered(), false, true);
        check(c);
        ForceFieldScene<CorotationalLinearFEMForceField<Vec3Types>> d(jittered(), false, true);
        check(d);
        ForceFieldScene<LinearSmallStrainFEMForceField<Vec3Types, HexahedronShape>> e(jittered(), false, true);
        check(e);
        // Plane strain cannot take the mean.
        if (std::string(strain) == "averaged") continue;
        ForceFieldScene<CorotationalFEMForceField<Vec3Types, TriangleShape>> f(jittered(), false, false);
        f.topology.m_triangles = {{0, 1, 3}};
        check(f);
        for (const bool planeStress : {false, true}) {
            const std::string text =
                "<Node><MechanicalObject template='Vec2' position='0 0 1 0 0 1'/><MeshTopology triangles='0 1 2'/>"
                "<StVKFEMForceField template='Vec2' youngModulus='1' poissonRatio='" +
                std::string(ratio) + (*strain ? std::string("' volumetricStrain='") + strain : "") + "' planeStress='" +
                (planeStress ? "1" : "0") + "'/></Node>";
            const MessageCapture capture;
            Simulation s(loadSceneText(text, "plane.scn"));
            REQUIRE(s.init());
            CHECK(std::ranges::count_if(capture.messages(), [](const Message& m) {
                      return m.text.find("elements in plane strain lock") != std::string::npos;
                  }) == (planeStress ? 0 : expected));
        }
    }
}

TEST_CASE("laws that make no sense with their parameters are named", "[fem]")
{
    const auto error = [](const std::string& material, const std::string& parameters) {
        ForceFieldScene<HyperelasticityFEMForceField<Vec3Types>> s(jittered(), true, false);
        s.set("materialName", material).set("ParameterSet", parameters).init();
        std::string text;
        for (const Message& m : s.messages.messages())
            if (m.severity == Severity::Error) text += m.text;
        CHECK(s.field.isValid() == text.empty());
        return text;
    };
    // μ = 1, λ of ν = −0.3: all of these are stable but one.
    CHECK(error("StVenantKirchhoff", "1 -0.375").empty());
    CHECK(error("StableNeoHookean", "1 -0.375").empty());
    CHECK_THAT(error("NeoHookean", "1 -0.375"), Catch::Contains("lambda >= 0") && Catch::Contains("element 0"));
    // ν below −1, and materials with a negative stiffness.
    CHECK_THAT(error("StVenantKirchhoff", "1 -0.7"), Catch::Contains("bulk modulus is -0.033"));
    CHECK_THAT(error("StableNeoHookean", "1 -0.7"), Catch::Contains("unstable"));
    CHECK_THAT(error("MooneyRivlin", "1 -2 10"), Catch::Contains("shear modulus -2"));
    CHECK_THAT(error("Ogden", "1 2 -1"), Catch::Contains("bulk modulus is -1"));
    CHECK(error("MooneyRivlin", "2 -1 10").empty());
    for (const double nu : {-1., 0.5, -1.2}) {
        ForceFieldScene<TetrahedronFEMForceField> s(jittered(), true, false);
        s.set("poissonRatio", std::to_string(nu));
        CHECK(s.messages.has(Severity::Error, "in (-1, 0.5)"));
        CHECK_THROWS_AS(s.field.d_poissonRatio.setValue({nu}), RangeError);
    }
    ForceFieldScene<InvertibleFEMForceField<Vec3Types>> s(jittered(), true, false);
    s.set("poissonRatio", "-0.3").init();
    CHECK_FALSE(s.field.isValid());
    CHECK(s.messages.has(Severity::Error, "neo-Hookean law needs lambda >= 0"));
}

}  // namespace volumetric_strain_test
