// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BaraffWitkinForceField.h"

#include <sstream>

#include "core/linalg/BlockAssembler.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Skip.h"
#include "tests/harness/VegaReference.h"

namespace baraff_witkin_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A cloth of n × n squares on the unit square of x and z, each of two triangles, as in Vega's records.
struct Cloth
{
    explicit Cloth(std::size_t n, const std::string& attributes, bool uv = false, double height = 0.)
    {
        std::ostringstream points, coordinates, triangles;
        points.precision(17);
        coordinates.precision(17);
        const double s = 1. / static_cast<double>(n);
        for (std::size_t j = 0; j <= n; ++j)
            for (std::size_t i = 0; i <= n; ++i) {
                const double x = s * static_cast<double>(i), z = s * static_cast<double>(j);
                points << x << ' ' << height * x * z * (1. + x) << ' ' << z << "  ";
                coordinates << x << ' ' << z << "  ";
            }
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t p = i + (n + 1) * j;
                triangles << p << ' ' << p + n + 1 << ' ' << p + 1 << "  " << p + 1 << ' ' << p + n + 1 << ' '
                          << p + n + 2 << "  ";
            }
        root = loadSceneText("<Node name='root'><MeshTopology position='" + points.str() + "' triangles='" +
                                 triangles.str() + "'/><MechanicalObject/><BaraffWitkinForceField name='cloth' " +
                                 attributes + (uv ? " uv='" + coordinates.str() + "'" : "") + "/></Node>",
                             "cloth.scn");
        simulation = std::make_unique<Simulation>(root);
        valid = simulation->init();
    }
    BaraffWitkinForceField& field() const { return dynamic_cast<BaraffWitkinForceField&>(*root->component("cloth")); }
    Vector<Vec3> forces(const Vector<Vec3>& x) const
    {
        Vector<Vec3> f(x.size());
        field().addForce({}, f, x, Vector<Vec3>(x.size()));
        return f;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
    bool valid = false;
};

/// Matrix −K.
class Collect final : public BlockSink
{
public:
    explicit Collect(std::size_t points) { m_a.begin(static_cast<int>(3 * points), static_cast<int>(3 * points), 3); }
    void addBlock(Index i, Index j, const double* b, std::size_t, std::size_t) override
    {
        m_a.add(static_cast<int>(3 * i), static_cast<int>(3 * j), b, 3, 3, 3, -1.);
    }
    const BlockCsrMatrix& matrix() { return m_a.end(); }

private:
    BlockAssembler m_a;
};

const std::string stiff =
    "tensileStiffness='85' shearStiffness='10' bendStiffnessU='2' bendStiffnessV='4' rayleighStiffness='0.1' ";

}  // namespace

HARNESS_FORCE_FIELD("BaraffWitkinForceField")
{
    for (const char* more : {"", "useRestAngles='0'", "restStretch='0.9 1.1'"})
        for (const bool uv : {false, true}) {
            INFO(more << ", " << uv);
            const Cloth cloth(3, stiff + more, uv, 0.3);
            REQUIRE(cloth.valid);
            const auto x = cloth.field().state().write(vec_id::position);
            const auto noise = randomVectors(x.size(), 0.05, 4);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
            checkForceField(cloth.field(), {.displacement = 0.05, .step = 2e-4, .internal = true});
        }
}

TEST_CASE("Vega's bending is an approximation: neither its force nor its tangent is a derivative")
{
    const auto errors = [](const std::string& bending) {
        const Cloth cloth(3, stiff + "bending='" + bending + "'", false, 0.3);
        REQUIRE(cloth.valid);
        const BaraffWitkinForceField& field = cloth.field();
        Vector<Vec3> x = field.state().positions();
        const auto noise = randomVectors(x.size(), 0.05, 4), v = randomVectors(x.size(), 1., 5);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
        const auto at = [&](double t) {
            Vector<Vec3> y = x;
            for (std::size_t i = 0; i < x.size(); ++i) y[i] += v[i] * t;
            return y;
        };
        constexpr double t = 1e-6;
        const Eigen::VectorXd change = (flatten(cloth.forces(at(t))) - flatten(cloth.forces(at(-t)))) / (2. * t);
        const double slope = (field.potentialEnergy({}, at(t)) - field.potentialEnergy({}, at(-t))) / (2. * t);
        const Eigen::VectorXd f = flatten(cloth.forces(x));
        DenseSink sink(x.size());
        cloth.field().buildStiffness({}, sink);
        CHECK((sink.matrix - sink.matrix.transpose()).norm() < 1e-12 * sink.matrix.norm());
        return std::pair{std::abs(slope + f.dot(flatten(v))) / std::abs(slope),
                         (sink.matrix * flatten(v) - change).norm() / change.norm()};
    };
    const auto exact = errors("exact"), vega = errors("constantEdges");
    CHECK(exact.first < 1e-7);
    CHECK(exact.second < 1e-7);
    CHECK(vega.first > 1e-4);
    CHECK(vega.second > 1e-4);
}

TEST_CASE("cloth in closed form")
{
    // Two triangles, stretched by 10% along u, along v, and sheared: area 1/2 each.
    const double alpha2 = std::pow(0.5, 1.5);
    const Cloth cloth(1, "tensileStiffness='100' shearStiffness='10' bendStiffnessU='2' bendStiffnessV='3'", true);
    REQUIRE(cloth.valid);
    const Vector<Vec3> rest = cloth.field().state().positions();
    const auto energy = [&](const Mat3& f) { return cloth.field().potentialEnergy({}, mapped(rest, f, {1., 2., 3.})); };
    CHECK(std::abs(energy(Mat3::identity())) < 1e-14);
    CHECK(energy(Mat3::diagonal({1.1, 1., 1.})) == Approx(2. * 50. * alpha2 * 0.01));
    CHECK(energy(Mat3::diagonal({1., 1., 1.2})) == Approx(2. * 50. * alpha2 * 0.04));
    Mat3 shear = Mat3::identity();
    shear[0][2] = 0.1;
    CHECK(energy(shear) ==
          Approx(2. * (5. * alpha2 * 0.01 + 50. * alpha2 * std::pow(std::sqrt(1.01) - 1., 2))).epsilon(1e-12));
    CHECK(std::abs(energy(someRotation())) < 1e-12);
    // Folded by a right angle about its diagonal, which has equal parts of u and v: k = 2.5.
    Vector<Vec3> x = rest;
    const Vec3 middle = (rest[1] + rest[2]) * 0.5, axis = normalized(rest[2] - rest[1]);
    x[3] = middle + cross(axis, rest[3] - middle);
    CHECK(std::abs(cloth.field().mechanics().angle(0, x)) == Approx(M_PI / 2.));
    CHECK(cloth.field().potentialEnergy({}, x) == Approx(0.5 * 2.5 * M_PI * M_PI / 4.));
}

TEST_CASE("cloth that cannot be is named")
{
    const auto error = [](const std::string& points, const std::string& triangles, const std::string& more,
                          const char* text) {
        MessageCapture log;
        Simulation simulation(loadSceneText("<Node name='root'><MeshTopology position='" + points + "' triangles='" +
                                                triangles + "'/><MechanicalObject/><BaraffWitkinForceField " + more +
                                                "/></Node>",
                                            "cloth.scn"));
        CHECK_FALSE(simulation.init());
        INFO(log.text());
        CHECK(log.has(Severity::Error, text));
    };
    const std::string square = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1";
    error(square, "", "", "has no triangles");
    error("0 0 0 1 0 0 2 0 0", "0 1 2", "", "triangle 0 (vertices 0 1 2) has no area at rest");
    error("0 0 0 1 0 0 0 1 0", "0 1 2", "uv='0 0 1 0 2 0'",
          "triangle 0 (vertices 0 1 2) has no area in the coordinates u v");
    error("0 0 0 1 0 0 0 1 0", "0 1 2", "uv='0 0 1 0'", "there are 2 coordinates u v for 3 points");
    error(square, "0 1 2 1 3 2 1 2 4", "", "the edge between the points 1 and 2 has more than two triangles");
}

TEST_CASE("cloth agrees with Vega FEM", "[oracle]")
{
    const auto reference = vegaReference();
    if (!reference) return skip("no reference results of Vega");
    int compared = 0;
    for (const auto& r : (*reference)["cloth"]) {
        const auto n = r["N"].get<std::size_t>();
        const bool uv = r["uv"] != "automatic";
        INFO("N = " << n << ", uv " << r["uv"]);
        const Cloth cloth(n,
                          "tensileStiffness='8500' shearStiffness='100' bendStiffnessU='0.0002' "
                          "bendStiffnessV='0.0004' bending='constantEdges'",
                          uv);
        REQUIRE(cloth.valid);
        CHECK(cloth.field().mechanics().triangleCount() == r["triangles"]);
        CHECK(cloth.field().mechanics().edgeCount() == r["bend_quads"]);
        Vector<Vec3> x = cloth.field().state().positions();
        for (Vec3& p : x)
            p += Vec3{0.02 * std::sin(3. * p[0] + 1. + p[2]), 0.05 * std::sin(4. * p[0] + 5. * p[2] + 2.),
                      0.02 * std::sin(3. * p[2] + 3. - p[0])};
        const Eigen::VectorXd f = -flatten(cloth.forces(x));
        Eigen::VectorXd w(f.size()), kw(f.size());
        for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = std::sin(static_cast<double>(i + 1));
        Collect collect(x.size());
        cloth.field().buildStiffness({}, collect);
        const BlockCsrMatrix& k = collect.matrix();
        const auto size = static_cast<std::size_t>(w.size());
        k.multiply({w.data(), size}, {kw.data(), size});
        const auto close = [&](const char* name, double ours) {
            INFO(name << " " << ours);
            CHECK(ours == Approx(r[name].get<double>()).epsilon(1e-9));
        };
        close("energy", cloth.field().potentialEnergy({}, x));
        close("force_norm", f.norm());
        close("K_frobenius", k.frobeniusNorm());
        close("Kw_norm", kw.norm());
        CHECK(std::abs(f.dot(w) - r["force_dot_w"].get<double>()) < 1e-9 * f.norm() * w.norm());
        const auto first = [&](const char* name, const Eigen::VectorXd& ours) {
            INFO(name);
            double largest = 0.;
            for (const double v : r[name]) largest = std::max(largest, std::abs(v));
            for (Eigen::Index i = 0; i < 6; ++i)
                CHECK(std::abs(ours[i] - r[name][static_cast<std::size_t>(i)].get<double>()) < 1e-8 * largest);
        };
        first("force_first6", f);
        first("Kw_first6", kw);
        ++compared;
    }
    CHECK(compared == 6);
}

}  // namespace baraff_witkin_force_field_test
