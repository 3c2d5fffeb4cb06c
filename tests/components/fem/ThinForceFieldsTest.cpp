// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The force fields of materials on triangles, quads and edges, in the plane and in space; kinds of elements; regions.
#include <fstream>

#include "components/fem/CorotationalLinearFEMForceField.h"
#include "components/fem/HyperelasticityFEMForceField.h"
#include "components/fem/TetrahedronHyperelasticityFEMForceField.h"
#include "components/fem/VegaForceFields.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"

namespace thin_force_fields_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A scene of one node with a topology, a state and a force field.
template <class F>
struct SmallScene
{
    using Types = typename F::DataTypes;
    std::shared_ptr<Node> root;
    MessageCapture messages;

    SmallScene(const std::string& topology, const std::string& field)
        : root(loadSceneText("<Node name='root'>" + topology + "<MechanicalObject template='" +
                                 std::string(Types::name()) + "' name='state'/><" + field + "/></Node>",
                             "scene.scn"))
    {
        Simulation simulation(root);
        ready = simulation.init();
    }
    F& field()
    {
        F* found = root->template get<F>(Search::Local);
        REQUIRE(found);
        return *found;
    }
    const typename Types::VecCoord& positions() { return field().state().positions(); }
    Vector<typename Types::Deriv> forces(const typename Types::VecCoord& x)
    {
        Vector<typename Types::Deriv> f(x.size());
        field().addForce({}, f, x, f);
        return f;
    }
    bool ready = false;
};

const std::string sheet = "<RegularGridTopology n='3 4 1' min='0 0 0' max='2 3 0'/>";

template <class F>
void checkOn(const std::string& topology, const std::string& field, bool internal = true, double step = 1e-3)
{
    INFO(field);
    SmallScene<F> s(topology, field + " rayleighStiffness='0.1'");
    REQUIRE(s.ready);
    const auto x = s.field().state().write(vec_id::position);
    const Vector<Vec3> noise = randomVectors(x.size(), 0.05, 8);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] += noise[i][c];
    checkForceField(s.field(), {.displacement = 0.05, .step = step, .internal = internal});
}

template <class Types>
void checkAll()
{
    for (const char* elements : {"quads", "triangles", "edges", "quads edges"})
        for (const char* plane : {"0", "1"}) {
            const std::string rest = std::string(" elements='") + elements + "' planeStress='" + plane +
                                     "' thickness='0.3' crossSection='0.2' youngModulus='100' poissonRatio='0.3'";
            checkOn<StVKFEMForceField<Types>>(sheet, "StVKFEMForceField" + rest);
            checkOn<CorotationalLinearFEMForceField<Types>>(sheet, "CorotationalLinearFEMForceField warp='0'" + rest,
                                                            false);
            checkOn<CorotationalLinearFEMForceField<Types>>(sheet, "CorotationalLinearFEMForceField warp='2'" + rest);
            for (const char* material : {"StVK", "neoHookean", "MooneyRivlin' mu01='8' mu10='12' v1='70"})
                checkOn<InvertibleFEMForceField<Types>>(
                    sheet,
                    std::string("InvertibleFEMForceField tangentProjection='none' material='") + material + "'" + rest);
        }
}

}  // namespace

TEST_CASE("the force models of Vega obey the laws of force fields in the plane") { checkAll<Vec2Types>(); }
TEST_CASE("the force models of Vega obey the laws of force fields on membranes and bars") { checkAll<Vec3Types>(); }

HARNESS_FORCE_FIELD("HyperelasticityFEMForceField")
{
    const std::string box = "<RegularGridTopology n='3 3 2' min='0 0 0' max='2 2 1'/>";
    for (const auto& [material, parameters] : {std::pair{"StVenantKirchhoff", "36 144"},
                                               {"NeoHookean", "36 144"},
                                               {"StableNeoHookean", "36 144"},
                                               {"MooneyRivlin", "12 6 170"},
                                               {"ArrudaBoyce", "33 170"},
                                               {"Ogden", "70 3 170"},
                                               {"VerondaWestman", "5 8 170"},
                                               {"Costa", "5 170 14 7 14 7 7 14"}}) {
        const std::string field = std::string("HyperelasticityFEMForceField tangentProjection='none' materialName='") +
                                  material + "' ParameterSet='" + parameters + "'";
        const double step = material == std::string("VerondaWestman") || material == std::string("Costa") ? 2e-4 : 1e-3;
        checkOn<HyperelasticityFEMForceField<Vec3Types>>(box, field, true, step);
        checkOn<HyperelasticityFEMForceField<Vec3Types>>(sheet, field, true, step);
        checkOn<HyperelasticityFEMForceField<Vec3Types>>(sheet, field + " elements='edges'", true, step);
        checkOn<HyperelasticityFEMForceField<Vec2Types>>(sheet, field, true, step);
        checkOn<HyperelasticityFEMForceField<Vec2Types>>(sheet, field + " planeStress='1'", true, step);
    }
}

TEST_CASE("a pulled strip has the modulus and the contraction of its state of stress")
{
    const double young = 100., poisson = 0.3, extension = 0.01;
    const auto pull = [&](auto types, const std::string& options, double contraction, double modulus) {
        using Types = decltype(types);
        SmallScene<CorotationalLinearFEMForceField<Types>> s(
            sheet,
            "CorotationalLinearFEMForceField warp='0' youngModulus='100' poissonRatio='0.3' thickness='0.5'" + options);
        REQUIRE(s.ready);
        auto x = s.positions();
        for (auto& p : x) {
            p[0] *= 1. - contraction * extension;
            p[1] *= 1. + extension;
        }
        // Balanced but for the ends, where the whole width pulls.
        const auto f = s.forces(x);
        double end = 0.;
        for (std::size_t i = 0; i < f.size(); ++i) {
            CHECK(std::abs(f[i][0]) < 1e-12);
            if (i >= 9) end -= f[i][1];
            if (i >= 3 && i < 9) CHECK(std::abs(f[i][1]) < 1e-12);
        }
        CHECK(end == Approx(modulus * extension * 2. * 0.5).epsilon(1e-10));
    };
    pull(Vec2Types(), " planeStress='1'", poisson, young);
    pull(Vec2Types(), "", poisson / (1. - poisson), young / (1. - poisson * poisson));
    pull(Vec3Types(), "", poisson, young);
}

TEST_CASE("the elements of the highest dimension are taken, or those that the scene names")
{
    const BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    const auto energy = [&](const char* elements) {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(mesh, true, false);
        s.topology.m_triangles = {{0, 1, 2}, {1, 2, 3}};
        s.topology.m_edges = {{0, 7}};
        s.set("elements", elements).set("youngModulus", "100").set("poissonRatio", "0.3").init();
        REQUIRE(s.field.isValid());
        return s.energy(mapped(mesh.points, Mat3::identity() * 1.1, {}));
    };
    const double e = 0.5 * (1.1 * 1.1 - 1.), tetrahedra = energy("");
    CHECK(tetrahedra == Approx(100. / (1. - 2. * 0.3) * 1.5 * e * e));
    CHECK(energy("tetrahedra") == tetrahedra);
    CHECK(energy("triangles") == Approx(100. / (1. - 0.3) * e * e));
    CHECK(energy("edges") == Approx(std::sqrt(3.) * 50. * e * e));
    CHECK(energy("edges tetrahedra") == Approx(energy("edges") + tetrahedra));

    // The triangles of a grid are its quads once more.
    const auto sheetEnergy = [](const std::string& options) {
        SmallScene<StVKFEMForceField<Vec3Types>> s(sheet, "StVKFEMForceField" + options);
        REQUIRE(s.ready);
        auto x = s.positions();
        for (auto& p : x) p *= 1.1;
        return s.field().potentialEnergy({}, x);
    };
    CHECK(sheetEnergy("") == Approx(sheetEnergy(" elements='triangles'")));

    ForceFieldScene<StVKFEMForceField<Vec3Types>> wrong(mesh, true, false);
    wrong.set("elements", "tetrahedrons").init();
    CHECK_FALSE(wrong.field.isValid());
    CHECK(wrong.messages.has(Severity::Error, "elements=\"tetrahedrons\" is not one of the kinds"));
    ForceFieldScene<StVKFEMForceField<Vec3Types>> missing(mesh, true, false);
    missing.set("elements", "prisms").init();
    CHECK_FALSE(missing.field.isValid());
    CHECK(missing.messages.has(Severity::Error, "has none of the elements that it is to act on: prisms"));
    // Force fields of volumes do not take surfaces.
    ForceFieldScene<TetrahedronHyperelasticityFEMForceField> volumes(mesh, false, false);
    volumes.topology.m_triangles = {{0, 1, 2}};
    volumes.set("ParameterSet", "1 1").init();
    CHECK_FALSE(volumes.field.isValid());
    CHECK(volumes.messages.has(Severity::Error, "acts on: tetrahedra, hexahedra, prisms, pyramids"));
}

TEST_CASE("regions and indices of materials say where the parameters of an element are")
{
    BoxMesh mesh(1, 1, 2, {1., 1.5, 1.});
    mesh.jitter(0.1);
    Vector<Vec3> x = mesh.points;
    const auto noise = randomVectors(x.size(), 0.05, 8);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    using Scene = ForceFieldScene<InvertibleFEMForceField<Vec3Types>>;
    const auto forces = [&](auto&& prepare) {
        Scene s(mesh, true, false);
        s.set("poissonRatio", "0.3");
        prepare(s);
        s.init();
        REQUIRE(s.field.isValid());
        return flatten(s.forces(x));
    };
    const Eigen::VectorXd listed =
        forces([](Scene& s) { s.set("youngModulus", "100 100 300 300 100 100 100 100 100 100 100 300"); });
    CHECK(forces([](Scene& s) { s.set("youngModulus", "100 300").set("regions", "[0-11] [2 3 11]"); }) == listed);
    CHECK(forces([](Scene& s) {
              s.set("youngModulus", "300 100").set("materialIndices", "1 1 0 0 1 1 1 1 1 1 1 0");
          }) == listed);
    // Also for materials with three parameters, and for the sets of parameters of SOFA.
    const auto mooney = [&](const char* mu, const char* regions) {
        return forces([&](Scene& s) {
            s.set("material", "MooneyRivlin").set("mu01", mu).set("mu10", "12").set("v1", "70").set("regions", regions);
        });
    };
    CHECK(mooney("8 16", "[0-11] [2 3 11]") != mooney("8", "[0-11] [2 3 11]"));
    CHECK(mooney("8 8", "[0-11] [2 3 11]") == mooney("8", ""));
    const auto sofa = [&](const char* set, const char* regions) {
        ForceFieldScene<TetrahedronHyperelasticityFEMForceField> s(mesh, true, false);
        s.set("materialName", "NeoHookean").set("ParameterSet", set).set("regions", regions).init();
        REQUIRE(s.field.isValid());
        return flatten(s.forces(x));
    };
    CHECK(sofa("36 144 36 144", "[0-3] [4-11]") == sofa("36 144", ""));
    CHECK((sofa("36 144 72 288", "[] [0-11]") - 2. * sofa("36 144", "")).norm() < 1e-12 * listed.norm());

    const auto fails = [&](const char* name, const char* value, const char* text) {
        Scene s(mesh, true, false);
        s.set("youngModulus", "100 200").set(name, value).init();
        INFO(name << "=" << value);
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, text));
    };
    fails("regions", "[0-5] [7-11]", "element 6 is in none of the regions");
    fails("regions", "[0-12]", "region 0 has the element 12, but there are only 12");
    fails("regions", "[0-3] [4-6] [7-11]", "youngModulus has 2 values for 3 regions");
    fails("materialIndices", "0 1", "materialIndices has 2 entries for 12 elements");
}

TEST_CASE("the materials and sets of a Vega mesh serve as regions")
{
    const TemporaryDirectory folder;
    std::ofstream(folder.path() / "t.veg")
        << "*VERTICES\n5 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n*ELEMENTS\nTETS\n2 4\n0 0 1 2 3\n1 4 2 1 3\n"
           "*MATERIAL a\nENU, 1000, 500, 0.3\n*MATERIAL b\nENU, 1000, 700, 0.3\n*SET second\n1\n"
           "*REGION\nallElements, a\n*REGION\nsecond, b\n";
    const auto energy = [&](const std::string& attributes) {
        INFO(attributes);
        auto root = loadSceneText(
            "<Node name='root'><MeshVegLoader name='loader' filename='" + (folder.path() / "t.veg").string() +
                "'/><TetrahedronSetTopologyContainer src='@loader'/><MechanicalObject src='@loader'/>"
                "<InvertibleFEMForceField name='field' poissonRatio='0.3' " +
                attributes + "/></Node>",
            "scene.scn");
        Simulation simulation(root);
        REQUIRE(simulation.init());
        auto* field = dynamic_cast<InvertibleFEMForceField<Vec3Types>*>(root->component("field"));
        REQUIRE(field);
        return field->potentialEnergy({}, mapped(field->state().positions(), Mat3::identity() * 1.1, {}));
    };
    const double expected = energy("youngModulus='@loader.youngModulus'");
    CHECK(energy("youngModulus='500 700' materialIndices='@loader.materialIndices'") == expected);
    CHECK(energy("youngModulus='500 700' regions='@loader.sets'") == expected);
    CHECK(energy("youngModulus='500'") < 0.95 * expected);
}

}  // namespace thin_force_fields_test
