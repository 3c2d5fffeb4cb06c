// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedronFEMForceField.h"

#include <map>
#include <set>

#include "components/fem/FastTetrahedralCorotationalForceField.h"
#include "components/fem/TetrahedralCorotationalFEMForceField.h"
#include "core/factory/Registry.h"
#include "tests/components/fem/StretchedBox.h"
#include "tests/harness/AllocationCounter.h"

namespace tetrahedron_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Scene = ForceFieldScene<TetrahedronFEMForceField>;
using CorotationalScene = ForceFieldScene<TetrahedralCorotationalFEMForceField>;

}  // namespace

HARNESS_FORCE_FIELD("TetrahedronFEMForceField") { checkUnrotated<TetrahedronFEMForceField>("small", true); }

HARNESS_FORCE_FIELD("TetrahedralCorotationalFEMForceField")
{
    checkUnrotated<TetrahedralCorotationalFEMForceField>("small", true);
}

HARNESS_FORCE_FIELD("FastTetrahedralCorotationalForceField")
{
    checkUnrotated<FastTetrahedralCorotationalForceField>("none", true);
}

TEST_CASE("The methods of the fast force field are those of the others by other names", "[fem]")
{
    const BoxMesh mesh = smallBox();
    const Vector<Vec3> x = mapped(stretched(mesh, 0.1), someRotation(), {});
    const auto fast = [&](const std::string& method) {
        ForceFieldScene<FastTetrahedralCorotationalForceField> s(mesh, true, false);
        s.set("method", method).init();
        return s.forces(x);
    };
    const auto other = [&](const std::string& method) {
        CorotationalScene s(mesh, true, false);
        s.set("method", method).init();
        return s.forces(x);
    };
    CHECK(fast("qr") == other("large"));
    CHECK(fast("large") == other("large"));
    CHECK(fast("polar2") == other("polar"));
    CHECK(fast("none") == other("small"));
    CHECK(fast("linear") == other("small"));
    CHECK_FALSE(fast("polar") == other("polar"));
    ForceFieldScene<FastTetrahedralCorotationalForceField> empty(mesh, false, true);
    empty.init();
    CHECK(empty.messages.has(Severity::Error, "has no tetrahedra"));
}

TEST_CASE("A tetrahedral force field without a topology says what to add", "[fem]")
{
    auto root = std::make_shared<Node>("root");
    root->create<MechanicalObject<Vec3Types>>().init();
    auto& field = root->create<TetrahedronFEMForceField>();
    const MessageCapture messages;
    field.init();
    CHECK_FALSE(field.isValid());
    CHECK(messages.has(Severity::Error, "needs a topology"));
    CHECK(messages.has(Severity::Error, "topology=\"@path\""));
}

TEST_CASE("A topology without elements is an error that names it", "[fem]")
{
    Scene s(smallBox(), false, false);
    s.init();
    CHECK_FALSE(s.field.isValid());
    CHECK(s.messages.has(Severity::Error, "has no tetrahedra"));
    CHECK(s.messages.has(Severity::Error, s.topology.pathName()));

    CorotationalScene c(smallBox(), false, false);
    c.init();
    CHECK(c.field.isValid());  // elements may be added later
    CHECK(c.messages.has(Severity::Warning, "has no tetrahedra"));
}

TEST_CASE("An unknown method is an error that lists the methods", "[fem]")
{
    Scene s(smallBox(), true, false);
    s.set("method", "huge");
    CHECK(s.messages.has(Severity::Error, "small, large, polar, svd"));
    CHECK(s.field.d_method.value().selected() == "large");
    CorotationalScene c(smallBox(), true, false);
    c.set("method", "svd");
    CHECK(c.messages.has(Severity::Error, "small, large, polar"));
}

TEST_CASE("Materials that do not exist are errors", "[fem]")
{
    Scene s(smallBox(), true, false);
    s.set("poissonRatio", "0.5");
    CHECK(s.messages.has(Severity::Error, "poissonRatio"));
    s.set("youngModulus", "-1");
    CHECK(s.messages.has(Severity::Error, "youngModulus"));
    // Nor do code and links bring them.
    Scene t(smallBox(), true, false);
    CHECK_THROWS_WITH(t.field.d_poissonRatio.setValue({0.3, 0.7}), Catch::Contains("found 0.7"));
    Data<Vector<double>> free(nullptr, {.name = "free", .help = "Any numbers"}, {0.3, 0.7});
    CHECK_THROWS_AS(t.field.d_poissonRatio.linkTo(free), RangeError);
}

TEST_CASE("Von Mises stress in the elements' frames needs frames", "[fem]")
{
    Scene s(smallBox(), true, false);
    s.set("method", "small").set("computeVonMisesStress", "1").init();
    CHECK_FALSE(s.field.isValid());
    CHECK(s.messages.has(Severity::Error, "computeVonMisesStress=\"2\""));
}

TEST_CASE("Old attributes are understood or reported", "[fem]")
{
    Scene s(smallBox(), true, false);
    s.set("assembling", "true");
    CHECK(s.messages.has(Severity::Deprecated, "'assembling' has no effect: the linear solver decides"));
    CHECK(Registry::instance().find("ParallelTetrahedronFEMForceField") ==
          Registry::instance().find("TetrahedronFEMForceField"));
    CHECK(s.field.extraAttributes().count("indices") == 1);
}

TEST_CASE("Uniaxial tension of a bar has its closed-form force, energy and stress", "[fem]")
{
    const BoxMesh mesh = smallBox();
    for (const char* method : {"small", "large", "polar", "svd"}) {
        Scene s(mesh, true, false);
        s.set("youngModulus", "300").set("poissonRatio", "0").set("method", method);
        s.set("computeVonMisesStress", "2").init();
        const double strain = 0.01;
        const Vector<Vec3> x = stretched(mesh, strain);
        const Vector<Vec3> f = s.forces(x);
        double pull = 0.;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (mesh.points[i][0] == 2.) pull -= f[i][0];
        // The edges that give the frames turn under strain, so the frames are not quite those of the deformation.
        const double tolerance = std::string(method) == "small" ? 1e-9 : 0.01;
        CHECK(pull == Approx(300. * strain).epsilon(tolerance));
        CHECK(s.energy(x) == Approx(0.5 * 300. * strain * strain * 2.).epsilon(tolerance));
        s.state.d_position.setValue(x);
        CHECK(s.field.d_listening.value());
        s.field.handleEvent(AnimateEndEvent(0.01));
        REQUIRE(s.field.d_vonMisesPerElement.value().size() == mesh.tetrahedra.size());
        REQUIRE(s.field.d_vonMisesPerNode.value().size() == x.size());
        const double green = strain + 0.5 * strain * strain;
        for (const double v : s.field.d_vonMisesPerElement.value()) CHECK(v == Approx(300. * green));
        for (const double v : s.field.d_vonMisesPerNode.value()) CHECK(v == Approx(300. * green));
        CHECK(s.field.d_vonMisesStressColors.value().size() == x.size());
    }
}

TEST_CASE("Stress colours run from the lowest stress to showStressAlpha times the highest", "[fem]")
{
    // Three tetrahedra of their own, stretched along x: every point has the colour of its element.
    BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    mesh.points.clear();
    mesh.tetrahedra.clear();
    Vector<Vec3> x;
    for (Index e = 0; e < 3; ++e) {
        for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            mesh.points.push_back(p + Vec3{0., 0., 2. * e});
            x.push_back(mesh.points.back());
            x.back()[0] *= 1. + 0.01 * (1 << e);
        }
        mesh.tetrahedra.push_back({4 * e, 4 * e + 1, 4 * e + 2, 4 * e + 3});
    }
    Scene s(mesh, true, false);
    s.set("youngModulus", "300").set("computeVonMisesStress", "2").set("showStressAlpha", "2").init();
    s.state.d_position.setValue(x);
    s.field.handleEvent(AnimateEndEvent(0.01));
    const Vector<double>& stress = s.field.d_vonMisesPerElement.value();
    const auto& colors = s.field.d_vonMisesStressColors.value();
    REQUIRE(stress[0] < stress[1]);
    REQUIRE(stress[1] < stress[2]);
    CHECK(colors[0] == Color(0.f, 0.f, 1.f, 1.f));  // blue: the lowest
    // From blue over cyan (a quarter) to green (a half): the highest stress stands at 0.43.
    const double t = (stress[2] - stress[0]) / (2. * stress[2] - stress[0]);
    REQUIRE(t > 0.25);
    REQUIRE(t < 0.5);
    for (Index v = 8; v < 12; ++v) {
        CHECK(colors[v][0] == 0.f);
        CHECK(colors[v][1] == 1.f);
        CHECK(colors[v][2] == Approx(2. - 4. * t));
    }
    // Means and colours are computed when they are read, and follow what they depend on.
    for (Index v = 0; v < 12; ++v) CHECK(s.field.d_vonMisesPerNode.value()[v] == stress[v / 4]);
    s.field.d_showStressColorMap.setValue("Red to Blue");
    CHECK(s.field.d_vonMisesStressColors.value()[0] == Color(1.f, 0.f, 0.f, 1.f));
    s.state.d_position.setValue(mesh.points);
    s.field.handleEvent(AnimateEndEvent(0.01));
    for (Index v = 0; v < 12; ++v) CHECK(std::abs(s.field.d_vonMisesPerNode.value()[v]) < 1e-12);
}

TEST_CASE("The corotational von Mises stress does not see rotations", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene s(mesh, true, false);
    s.set("youngModulus", "300").set("poissonRatio", "0.3").set("method", "polar").set("computeVonMisesStress", "1");
    s.init();
    s.state.d_position.setValue(mapped(stretched(mesh, 0.01), someRotation(), {1., 2., 3.}));
    s.field.handleEvent(AnimateEndEvent(0.01));
    const Vector<double> turned = s.field.d_vonMisesPerElement.value();
    s.state.d_position.setValue(stretched(mesh, 0.01));
    s.field.handleEvent(AnimateEndEvent(0.01));
    for (std::size_t e = 0; e < turned.size(); ++e) {
        CHECK(turned[e] > 1.);
        CHECK(turned[e] == Approx(s.field.d_vonMisesPerElement.value()[e]));
    }

    CorotationalScene c(mesh, true, false);
    c.set("youngModulus", "300").set("poissonRatio", "0.3").set("method", "polar").set("computeVonMisesStress", "true");
    c.init();
    c.forces(stretched(mesh, 0.01));
    for (std::size_t e = 0; e < turned.size(); ++e) CHECK(turned[e] == Approx(c.field.d_vonMisesPerElement.value()[e]));
}

TEST_CASE("Young's modulus may differ from element to element", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene uniform(mesh, true, false), listed(mesh, true, false), factors(mesh, true, false);
    uniform.set("youngModulus", "100").set("poissonRatio", "0.3").init();
    // Values beyond the list take the first one; with M factors and N elements, element i takes factor i M / N.
    listed.set("youngModulus", "100 100 700").set("poissonRatio", "0.3").init();
    factors.set("youngModulus", "100").set("poissonRatio", "0.3").set("localStiffnessFactor", "1 2").init();
    const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.1, 3);
    Vector<Vec3> x = mesh.points;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto energies = [&](Scene& s) {
        s.forces(x);
        std::vector<double> out;
        const CorotationalTetrahedra& m = s.field.mechanics();
        for (Index e = 0; e < m.size(); ++e) {
            const Mat3 g = m.corotatedGradient(e, x);
            out.push_back(doubleContraction(m.stress(e, g), g));
        }
        return out;
    };
    const auto u = energies(uniform), l = energies(listed), f = energies(factors);
    for (std::size_t e = 0; e < u.size(); ++e) {
        CHECK(u[e] > 0.);
        CHECK(l[e] == Approx(u[e] * (e == 2 ? 7. : 1.)));
        CHECK(f[e] == Approx(u[e] * (e < u.size() / 2 ? 1. : 2.)));
    }
}

TEST_CASE("Parameters that change are applied by reinit, or at each step on request", "[fem]")
{
    const BoxMesh mesh = smallBox();
    const Vector<Vec3> x = stretched(mesh, 0.1);
    Scene s(mesh, true, false);
    s.set("youngModulus", "100").init();
    const Vector<Vec3> before = s.forces(x);
    s.field.d_youngModulus.setValue({300.});
    CHECK(s.forces(x) == before);
    s.field.reinit();
    const Vector<Vec3> after = s.forces(x);
    CHECK(maxNorm(before) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(after[i] - before[i] * 3.) < 1e-11);

    Scene t(mesh, true, false);
    t.set("youngModulus", "100").set("updateStiffness", "true").init();
    CHECK(t.field.d_listening.value());
    t.field.d_youngModulus.setValue({300.});
    t.field.handleEvent(AnimateBeginEvent(0.01));
    CHECK(t.forces(x) == after);
}

TEST_CASE("The rest shape is the rest position, unless the scene gives another", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene s(mesh, true, false);
    s.state.d_restPosition.setValue(stretched(mesh, 0.5));
    s.init();
    CHECK(maxNorm(s.forces(mesh.points)) > 1.);
    CHECK(maxNorm(s.forces(stretched(mesh, 0.5))) == 0.);
    CHECK(s.field.d_initialPoints.value() == stretched(mesh, 0.5));

    Scene t(mesh, true, false);
    t.field.d_initialPoints.setValue(stretched(mesh, 0.25));
    t.init();
    CHECK(maxNorm(t.forces(stretched(mesh, 0.25))) == 0.);

    Scene wrong(mesh, true, false);
    wrong.field.d_initialPoints.setValue({Vec3{}});
    wrong.init();
    CHECK_FALSE(wrong.field.isValid());
    CHECK(wrong.messages.has(Severity::Error, "initialPoints has 1 points"));
}

TEST_CASE("Hexahedra are cut into six tetrahedra that match at shared faces", "[fem]")
{
    const BoxMesh mesh(3, 2, 2, {3., 2., 2.});
    Scene s(mesh, false, true);
    s.topology.cells = mesh.cells;
    s.init();
    REQUIRE(s.field.isValid());
    const auto& elements = s.field.mechanics().graph().elements();
    CHECK(elements.size() == 6 * mesh.hexahedra.size());
    CHECK(s.field.mechanics().restVolume() == Approx(12.));
    // Every face belongs to two tetrahedra or lies on the surface of the box.
    std::map<Triangle, int> faces;
    for (const Tetrahedron& t : elements)
        for (std::size_t k = 0; k < 4; ++k)
            ++faces[sortedVertices(Triangle{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]})];
    const std::array<double, 3> size{3., 2., 2.};
    for (const auto& [face, count] : faces) {
        bool onSurface = false;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const double plane : {0., size[axis]}) {
                bool all = true;
                for (const Index v : face) all = all && mesh.points[v][axis] == plane;
                onSurface = onSurface || all;
            }
        CHECK(count == (onSurface ? 1 : 2));
    }
}

TEST_CASE("Elements that are removed or added during the simulation are followed", "[fem]")
{
    const BoxMesh mesh = smallBox();
    const Vector<Vec3> x = stretched(mesh, 0.1);
    Scene s(mesh, true, false);
    s.init();
    s.forces(x);
    s.topology.m_tetrahedra.erase(s.topology.m_tetrahedra.begin());
    const Vector<Vec3> fewer = s.forces(x);
    Scene t(mesh, true, false);
    t.topology.m_tetrahedra = s.topology.m_tetrahedra;
    t.init();
    CHECK(maxNorm(fewer) > 1.);
    CHECK(fewer == t.forces(x));
    CHECK(s.stiffness() == t.stiffness());
    s.topology.m_tetrahedra.clear();
    CHECK(maxNorm(s.forces(x)) == 0.);
    CHECK(s.field.isValid());
}

TEST_CASE("The product carries the factors of stiffness and Rayleigh damping", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene s(mesh, true, false);
    s.set("rayleighStiffness", "0.1").init();
    const Vector<Vec3> dx = randomVectors(mesh.points.size(), 1., 1);
    s.forces(stretched(mesh, 0.1));
    s.state.allocate(vec_id::dx);
    s.state.allocate(vec_id::dforce);
    s.state.write(vec_id::dx) = dx;
    s.state.clear(vec_id::dforce);
    MechanicalParams mp;
    mp.kFactor = 2.;
    mp.bFactor = 3.;
    static_cast<BaseForceField&>(s.field).addDForce(mp, vec_id::dforce);
    const Eigen::VectorXd expected = 2.3 * s.stiffness() * flatten(dx);
    CHECK(expected.norm() > 1.);
    CHECK((flatten(s.state.read(vec_id::dforce)) - expected).norm() < 1e-12 * expected.norm());
}

TEST_CASE("Node rotations follow the body", "[fem]")
{
    const BoxMesh mesh = smallBox();
    for (const char* method : {"small", "large", "polar", "svd"}) {
        Scene s(mesh, true, false);
        s.set("method", method).init();
        s.forces(mapped(mesh.points, someRotation(), {}));
        Vector<Mat3> r;
        s.field.nodeRotations(r);
        REQUIRE(r.size() == mesh.points.size());
        const Mat3 expected = std::string(method) == "small" ? Mat3::identity() : someRotation();
        for (const Mat3& m : r) CHECK(norm(m - expected) < 1e-13);
    }
}

TEST_CASE("Plasticity is forgotten at reset", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene s(mesh, true, false);
    s.set("plasticMaxThreshold", "0.5").set("plasticYieldThreshold", "0.001").set("plasticCreep", "0.5").init();
    const Vector<Vec3> first = s.forces(stretched(mesh, 0.2));
    const Vector<Vec3> second = s.forces(stretched(mesh, 0.2));
    CHECK(maxNorm(first) > 1.1 * maxNorm(second));
    s.field.reset();
    CHECK(s.forces(stretched(mesh, 0.2)) == first);
}

TEST_CASE("A steady step allocates nothing", "[fem]")
{
    const BoxMesh mesh(8, 8, 8, {1., 1., 1.});
    Scene s(mesh, true, false);
    s.set("method", "polar").set("computeVonMisesStress", "1").init();
    struct Sum final : BlockSink
    {
        void addBlock(Index, Index, const double* block, std::size_t, std::size_t) override { trace += block[0]; }
        double trace = 0.;
    } sink;
    const Vector<Vec3> x = stretched(mesh, 0.1), v(x.size());
    Vector<Vec3> f(x.size());
    s.state.allocate(vec_id::dx);
    s.state.allocate(vec_id::dforce);
    MechanicalParams mp;
    mp.kFactor = 1.;
    setThreadCount(1);  // the scheduler of a parallel loop has its own memory
    const auto step = [&] {
        s.field.addForce(mp, f, x, v);
        static_cast<BaseForceField&>(s.field).addDForce(mp, vec_id::dforce);
        s.field.buildStiffness(mp, sink);
        s.field.handleEvent(AnimateEndEvent(0.01));
    };
    step();
    const std::size_t before = allocationCount();
    step();
    const std::size_t after = allocationCount();
    CHECK(after == before);
    setThreadCount(0);
    CHECK(sink.trace != 0.);
}

}  // namespace tetrahedron_fem_force_field_test
