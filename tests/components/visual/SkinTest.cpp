// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/behavior/State.h"
#include "core/fem/ElementResults.h"
#include "core/fem/elements/ElementStretch.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visual/CurvedFaces.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/DrawCheck.h"
#include "tests/harness/Paths.h"

namespace skin_test {

using namespace sofa;
using namespace sofa::core;

// What is seen of bodies that have no visual model, and of all when they are coloured by a field.

namespace {

struct Scene
{
    explicit Scene(const std::string& content, const std::string& gravity = "0 -10 0")
    {
        const auto root = loadSceneText(
            "<Node name='root' gravity='" + gravity + "' dt='0.01'><DefaultAnimationLoop/>" + content + "</Node>",
            "skin.scn");
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    /// A frame whose faults are checked.
    std::shared_ptr<const DrawList> draw(const std::string& flags = "")
    {
        DisplayFlags chosen;
        std::string error;
        REQUIRE(parseText(flags, chosen, error));
        auto list = drawing.draw(simulation->root(), chosen);
        CHECK(test::faultsOf(*list).empty());
        return list;
    }
    Component& find(const std::string& name) const
    {
        for (Node* n : simulation->root().descendants())
            for (const auto& c : n->components())
                if (c->name() == name) return *c;
        FAIL("there is no " + name);
        throw 0;
    }
    template <class T>
    const Vector<T>& list(const std::string& component, const std::string& data) const
    {
        return dynamic_cast<const Data<Vector<T>>&>(*find(component).findData(data)).value();
    }

    std::unique_ptr<Simulation> simulation;
    SceneDrawing drawing;
};

/// Triangles, solids and lines of a frame.
struct Count
{
    explicit Count(const DrawList& list)
    {
        for (const DrawItem& i : list.items) {
            triangles += i.geometry->triangles.size();
            solids += i.geometry->solids.size();
            lines += i.geometry->lines.size();
        }
    }
    std::size_t triangles = 0, solids = 0, lines = 0;
};

const std::string cube = "<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/><MechanicalObject name='x'/>";
const std::string solver = "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-9' threshold='1e-12'/>";
/// A bar of length 1 that is drawn out by a tenth; its middle is free.
const std::string stretched =
    "<MechanicalObject name='x' position='0 0 0  1.1 0 0  0 1 0  0 0 1' rest_position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
    "<MeshTopology tetrahedra='0 1 2 3'/><UniformMass totalMass='1'/>";

}  // namespace

TEST_CASE("A body without a visual model is drawn as the lit border of its volumes", "[visual]")
{
    Scene s("<Node name='body'>" + solver + cube + "<UniformMass totalMass='1'/></Node>");
    const auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    const Geometry& g = *list->items[0].geometry;
    CHECK(list->items[0].style.lit);
    // Six sides of four quads; the corners of a cube are sharp, so each side has its own vertices.
    CHECK(g.triangles.size() == 6 * 4 * 2);
    CHECK(g.positions.size() == 6 * 9);
    REQUIRE(g.normals.size() == g.positions.size());
    for (std::size_t i = 0; i < g.normals.size(); ++i) {
        const Vec3 outwards = Vec3(g.positions[i]) - Vec3{0.5, 0.5, 0.5};
        CHECK(dot(Vec3(g.normals[i]), outwards) > 0.4);
    }
    CHECK(list->box.high == Vec3{1., 1., 1.});
    // It is switched off, or gives place to the elements themselves.
    CHECK(s.draw("hideSkins")->items.empty());
    CHECK(s.draw("hideVisual")->items.empty());
    CHECK(s.draw("showForceFields")->items.empty());
    CHECK(s.draw("showForceFields showSkins")->items.size() == 1);
}

TEST_CASE("Smooth surfaces stay smooth", "[visual]")
{
    Scene s(
        "<Node name='body'><MeshOBJLoader name='l' filename='mesh/torus.obj'/><MeshTopology src='@l'/>"
        "<MechanicalObject name='x' src='@l'/></Node>");
    const auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    CHECK(list->items[0].geometry->positions.size() == s.list<Vec3>("x", "position").size());
}

TEST_CASE("A body is drawn once: by its visual model if there is one, mapped or beside it", "[visual]")
{
    const std::string model = "<OglModel name='v' position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>";
    Scene mapped("<Node name='body'>" + solver + cube + "<UniformMass totalMass='1'/><Node name='skin'>" + model +
                 "<BarycentricMapping/></Node></Node>");
    CHECK(Count(*mapped.draw()).triangles == 1);
    Scene twice("<Node name='body'>" + solver + cube +
                "<UniformMass totalMass='1'/><Node name='between'>"
                "<MechanicalObject position='0 0 0  1 0 0  0 1 0'/><BarycentricMapping/><Node name='skin'>" +
                model + "<IdentityMapping/></Node></Node></Node>");
    CHECK(Count(*twice.draw()).triangles == 1);
    Scene beside("<Node name='body'>" + cube + model + "</Node>");
    CHECK(Count(*beside.draw()).triangles == 1);
    // Another body's model is not its own, and texts and grids are none.
    Scene other("<Node name='body'>" + cube + "<OglLabel label='a'/><LineAxis/></Node><Node name='floor'>" + model +
                "</Node>");
    CHECK(Count(*other.draw()).triangles == 48 + 1);
    CHECK(Count(*other.draw("hideSkins")).triangles == 1);
}

TEST_CASE("Bodies of frames show the surface that follows them, and bodies of volumes a closed one", "[visual]")
{
    const std::string surface =
        "<Node name='surface'><MeshOBJLoader name='l' filename='mesh/cube.obj' triangulate='1' scale='0.4'/>"
        "<MeshTopology src='@l'/><MechanicalObject src='@l'/>";
    Scene rigid("<Node name='body'><MechanicalObject template='Rigid3'/><UniformMass/>" + surface +
                "<RigidMapping/></Node></Node>");
    CHECK(Count(*rigid.draw()).triangles == 12);
    Scene closed("<Node name='body'>" + cube + surface + "<BarycentricMapping/></Node></Node>");
    CHECK(Count(*closed.draw()).triangles == 12);
    Scene patch("<Node name='body'>" + cube +
                "<Node name='patch'><MeshTopology position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>"
                "<MechanicalObject position='0 0 0  1 0 0  0 1 0'/><BarycentricMapping/></Node></Node>");
    CHECK(Count(*patch.draw()).triangles == 48);
}

TEST_CASE("Wires are tubes, particles balls, solids and obstacles what they are", "[visual]")
{
    Scene wire("<MechanicalObject position='0 0 0  1 0 0  2 0 0'/><MeshTopology edges='0 1  1 2'/>");
    auto list = wire.draw();
    REQUIRE(list->items.size() == 2);
    CHECK(list->items[0].geometry->solid == Solid::Cylinder);
    CHECK(Count(*list).solids == 2 + 3);

    Scene particles("<MechanicalObject position='0 0 0  1 0 0  0 1 0'/>");
    list = particles.draw();
    REQUIRE(list->items.size() == 1);
    CHECK(list->items[0].geometry->solid == Solid::Sphere);
    CHECK(list->items[0].geometry->solids.size() == 3);

    Scene ball("<MechanicalObject position='0 0 0'/><SphereCollisionModel radius='2' color='1 0 0'/>");
    list = ball.draw();
    REQUIRE(list->items.size() == 1);
    CHECK(list->items[0].geometry->solids.at(0).axes[0] == 2.f);
    CHECK(list->items[0].geometry->solids.at(0).color == Color(1.f, 0.f, 0.f));
    CHECK(list->box.low == Vec3{-2., -2., -2.});
    // Not once more where collision models are shown.
    CHECK(Count(*ball.draw("showCollisionModels")).solids == 1);

    Scene box("<MechanicalObject template='Rigid3'/><OBBCollisionModel extents='1 2 3'/>");
    CHECK(box.draw()->items.at(0).geometry->solid == Solid::Cube);

    Scene frame("<MechanicalObject template='Rigid3'/>");
    CHECK(Count(*frame.draw()).solids == 6);

    Scene plane(
        "<MechanicalObject position='0 1 0  1 1 0'/><MeshTopology edges='0 1'/>"
        "<PlaneForceField normal='0 1 0' d='0'/><SphereForceField center='0 0.5 0' radius='0.3'/>");
    list = plane.draw();
    CHECK(Count(*list).triangles == 2);
    CHECK(Count(*list).solids == 1 + 2 + 1);
    CHECK(Count(*plane.draw("hideSkins")).triangles == 0);
}

TEST_CASE("A skin follows its body and the removal of elements, and rests without memory", "[visual]")
{
    Scene s("<Node name='body'>" + solver + cube +
            "<UniformMass totalMass='1'/><HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/></Node>");
    const Vec3f before = s.draw()->items.at(0).geometry->positions[0];
    s.simulation->step();
    CHECK(s.draw()->items.at(0).geometry->positions[0][1] < before[1]);
    for (const char* flags : {"", "colorByStress", "colorByStrain showElementColors", "colorByVelocity"}) {
        INFO(flags);
        for (int i = 0; i < 4; ++i) s.draw(flags);
        DisplayFlags chosen;
        std::string error;
        REQUIRE(parseText(flags, chosen, error));
        const auto held = s.drawing.draw(s.simulation->root(), chosen);
        const std::size_t allocations = test::allocationCount();
        const auto list = s.drawing.draw(s.simulation->root(), chosen);
        CHECK(test::allocationCount() == allocations);
        CHECK(test::haveSameArrays(*held, *list));
    }
}

TEST_CASE("Bodies keep their colours and their numbers while contacts come and go", "[visual]")
{
    Scene s(
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
        "<MinProximityIntersection alarmDistance='0.1' contactDistance='0.05'/>"
        "<CollisionResponse response='PenalityContactForceField'/>"
        "<Node name='a'>" +
        solver +
        "<MechanicalObject name='x' position='0 0.5 0'/><UniformMass totalMass='1'/>"
        "<SphereCollisionModel radius='0.2'/></Node>"
        "<Node name='b'>" +
        solver +
        "<MechanicalObject name='y' position='3 0.5 0'/><UniformMass totalMass='1'/>"
        "<SphereCollisionModel radius='0.2'/></Node>"
        "<Node name='floor'><MechanicalObject position='0 -1 0'/><SphereCollisionModel radius='1' moving='0' "
        "simulated='0'/></Node>");
    std::set<std::vector<std::uint64_t>> slots;
    std::set<std::vector<std::array<float, 4>>> colors;
    for (int i = 0; i < 60; ++i) {
        const auto list = s.draw();
        std::vector<std::uint64_t> of;
        std::vector<std::array<float, 4>> color;
        for (const DrawItem& item : list->items) {
            of.push_back(item.slot);
            const Color& c = item.geometry->solids.at(0).color;
            color.push_back({c[0], c[1], c[2], c[3]});
        }
        slots.insert(of);
        colors.insert(color);
        s.simulation->step();
    }
    CHECK(slots.size() == 1);
    REQUIRE(colors.size() == 1);
    CHECK(colors.begin()->at(0) != colors.begin()->at(1));
}

TEST_CASE("Any body is coloured by displacement and velocity, with one legend for all", "[visual]")
{
    Scene s("<Node name='a'>" + stretched +
            "</Node><Node name='b'><MechanicalObject position='5 0 0  6 0 0  5 1 0' "
            "rest_position='5 0 0  6 0 0  5 0.6 0'/><MeshTopology triangles='0 1 2'/></Node>");
    const auto list = s.draw("colorByDisplacement");
    REQUIRE(list->legends.size() == 1);
    CHECK(list->legends[0]->title == "displacement [m]");
    CHECK(list->legends[0]->low == 0.);
    CHECK(list->legends[0]->high == Approx(0.4));
    REQUIRE(list->items.size() == 2);
    for (const DrawItem& i : list->items) CHECK(i.style.lit);
    // Blue where nothing moves, red where most does.
    const auto colorAt = [&](std::size_t item, const Vec3& x) {
        const Geometry& g = *list->items[item].geometry;
        for (std::size_t i = 0; i < g.positions.size(); ++i)
            if (norm(Vec3(g.positions[i]) - x) < 1e-6) return g.colors.at(i);
        FAIL("no such vertex");
        throw 0;
    };
    CHECK(colorAt(0, {0., 0., 0.}) == Color(0.f, 0.f, 1.f));
    CHECK(colorAt(1, {5., 1., 0.}) == Color(1.f, 0.f, 0.f));
    CHECK(s.draw("colorByVelocity")->legends.at(0)->high == 0.);
    CHECK(s.draw("")->legends.empty());
    CHECK(s.draw("colorByNone")->legends.empty());
}

TEST_CASE("A body is coloured by strain and by the stress that its force field knows", "[visual]")
{
    // A tenth of stretch along one axis: Green's strain is (1.1² − 1)/2.
    const double strain = 0.5 * (1.1 * 1.1 - 1.);
    // Hooke's law for the stretch 0.1: σ = λ ε (1, 1, 1) + 2 μ ε (1, 0, 0), of which 2 μ ε is von Mises' equivalent.
    const double young = 1000., poisson = 0.3, stress = young / (1. + poisson) * 0.1;
    const std::string material = "youngModulus='1000' poissonRatio='0.3'";
    const auto legendOf = [&](const std::string& force, const std::string& flags) {
        Scene s("<Node name='body'>" + stretched + force + "</Node>");
        const auto list = s.draw(flags);
        REQUIRE(list->legends.size() == 1);
        REQUIRE(list->items.size() == 1);
        CHECK(list->items[0].geometry->colors.size() == list->items[0].geometry->positions.size());
        return *list->legends[0];
    };
    for (const std::string force :
         {"<TetrahedronFEMForceField method='polar' ", "<TetrahedralCorotationalFEMForceField method='polar' ",
          "<CorotationalFEMForceField template='Vec3,Tetrahedron' ",
          "<FastTetrahedralCorotationalForceField method='polar' "}) {
        INFO(force);
        CHECK(legendOf(force + material + "/>", "colorByStress").high == Approx(stress).epsilon(1e-6));
        CHECK(legendOf(force + material + "/>", "colorByStrain").high == Approx(strain).epsilon(1e-9));
    }
    // St Venant-Kirchhoff: second Piola stress λ E (1, 1, 1) + 2 μ E (1, 0, 0), pushed forward by F = diag(1.1, 1, 1).
    const double lambda = young * poisson / ((1. + poisson) * (1. - 2. * poisson)), mu = young / (2. * (1. + poisson));
    const double along = 1.1 * (lambda + 2. * mu) * strain, across = lambda * strain / 1.1;
    CHECK(legendOf("<StVKFEMForceField " + material + "/>", "colorByStress").high ==
          Approx(along - across).epsilon(1e-6));
}

TEST_CASE("Stretches of elements: rotations do not count, lower dimensions have their own", "[visual]")
{
    const Vec3 rest[] = {{0., 0., 0.}, {1., 0., 0.}, {0., 2., 0.}, {0., 0., 3.}};
    const Quat turn = Quat::fromRotationVector({0.3, -0.7, 1.1});
    Vec3 now[4];
    for (std::size_t i = 0; i < 4; ++i) now[i] = turn.rotate({1.2 * rest[i][0], 0.9 * rest[i][1], rest[i][2]});
    const Index all[] = {0, 1, 2, 3};
    const ElementStretch volume = elementStretch(ElementType::Tetrahedra, all, rest, now);
    REQUIRE(volume.dimension == 3);
    CHECK(volume.values[0] == Approx(1.2));
    CHECK(volume.values[1] == Approx(1.));
    CHECK(volume.values[2] == Approx(0.9));
    CHECK(principalStrain(volume) == Approx(0.22));
    const ElementStretch face = elementStretch(ElementType::Triangles, std::span(all).first(3), rest, now);
    REQUIRE(face.dimension == 2);
    CHECK(face.values[0] == Approx(1.2));
    CHECK(face.values[1] == Approx(0.9));
    // Plane stress: σ₁ and σ₂ with no stress across.
    const LameParameters plane = lameParameters(100., 0.25, 2);
    const double a = 100. / (1. - 0.0625) * (0.2 + 0.25 * -0.1), b = 100. / (1. - 0.0625) * (-0.1 + 0.25 * 0.2);
    CHECK(vonMisesStress(hookeStress(face, plane)) == Approx(std::sqrt(a * a - a * b + b * b)));
    const ElementStretch line = elementStretch(ElementType::Edges, std::span(all).first(2), rest, now);
    REQUIRE(line.dimension == 1);
    CHECK(vonMisesStress(hookeStress(line, lameParameters(100., 0.25, 1))) == Approx(20.));
    const Index flat[] = {0, 1, 1, 1};
    CHECK(std::isnan(principalStrain(elementStretch(ElementType::Tetrahedra, flat, rest, now))));
}

TEST_CASE("Colours of elements are flat, smooth ones are of the points", "[visual]")
{
    Scene s(
        "<Node name='body'><MechanicalObject position='0 0 0  1 0 0  0 1 0  2 2 0' rest_position='0 0 0  1 0 0  "
        "0 1 0  1 1 0'/><MeshTopology triangles='0 1 2  1 3 2'/></Node>");
    const auto smooth = s.draw("colorByStrain"), flat = s.draw("colorByStrain showElementColors");
    CHECK(smooth->items.at(0).geometry->positions.size() == 4);
    const Geometry& g = *flat->items.at(0).geometry;
    REQUIRE(g.positions.size() == 6);
    for (const std::size_t e : {0, 1})
        for (const std::size_t k : {1, 2}) CHECK(g.colors[3 * e + k] == g.colors[3 * e]);
    CHECK(g.colors[0] != g.colors[3]);
}

TEST_CASE("A field takes the place of visual models, and only there", "[visual]")
{
    Scene s("<Node name='body'>" + stretched +
            "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/><Node name='skin'>"
            "<OglModel name='v' position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/><BarycentricMapping/></Node></Node>"
            "<Node name='other'><OglModel position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/></Node>");
    CHECK(Count(*s.draw()).triangles == 2);
    CHECK(Count(*s.draw("colorByStress")).triangles == 4 + 1);
    CHECK(test::itemsOf(*s.draw("colorByStress"), s.find("v")).empty());
    CHECK(Count(*s.draw("colorByStress hideSkins")).triangles == 2);
    CHECK(test::itemsOf(*s.draw(), s.find("v")).size() == 1);
}

TEST_CASE("showVonMises alone shows stresses, with a legend", "[visual]")
{
    for (const char* what :
         {"showVonMisesStressPerNode", "showVonMisesStressPerNodeColorMap", "showVonMisesStressPerElement"}) {
        INFO(what);
        Scene s("<Node name='body'>" + stretched + "<TetrahedronFEMForceField name='fem' method='polar' " +
                std::string(what) + "='1' youngModulus='1000' poissonRatio='0.3'/></Node>");
        // As a skin, and as elements of the force field.
        auto list = s.draw();
        REQUIRE(list->legends.size() == 1);
        CHECK(list->items.at(0).geometry->colors.size() == list->items[0].geometry->positions.size());
        CHECK(list->items[0].style.lit);
        CHECK(list->legends[0]->high == Approx(1000. / 1.3 * 0.1));
        list = s.draw("showForceFields");
        REQUIRE(list->legends.size() == 1);
        CHECK(list->legends[0]->high == Approx(1000. / 1.3 * 0.1));
        CHECK(s.list<double>("fem", "vonMisesPerElement").size() == 1);
        bool colored = false;
        for (const DrawItem* i : test::itemsOf(*list, s.find("fem"))) colored = colored || !i->geometry->colors.empty();
        CHECK(colored);
    }
}

TEST_CASE("The ground lies below what moves, and under what stands", "[visual]")
{
    const std::string falling = "<Node name='body'>" + solver + cube + "<UniformMass totalMass='1'/></Node>";
    Scene alone(falling);
    const auto list = alone.draw();
    REQUIRE(list->ground);
    CHECK(list->surroundings);
    CHECK(list->axes);
    CHECK(list->ground->up == Vec3{0., 1., 0.});
    CHECK(list->ground->level < -0.2);
    Scene standing(falling +
                   "<Node name='floor'><MeshTopology position='-1 -1 -1  2 -1 -1  0 -1 3' triangles='0 1 2'/>"
                   "<MechanicalObject position='-1 -1 -1  2 -1 -1  0 -1 3'/></Node>");
    const double level = standing.draw()->ground->level;
    CHECK(level < -1.);
    CHECK(level > -1.02);
    // It does not move with the body.
    standing.simulation->step();
    CHECK(standing.draw()->ground->level == level);
    CHECK_FALSE(Scene(falling, "0 0 0").draw()->ground);
    CHECK_FALSE(Scene(falling + "<BackgroundSetting color='white'/>").draw()->ground);
    CHECK_FALSE(alone.draw("hideSurroundings")->ground);
    CHECK_FALSE(alone.draw("hideAxes")->axes);
}

TEST_CASE("A body of quadratic elements has a curved skin, coloured by its stress", "[visual]")
{
    Scene s(
        "<Node name='body'><MeshGmshLoader name='l' filename='mesh/curved_ball.msh'/>"
        "<BezierTetrahedronSetTopologyContainer name='mesh' src='@l'/><MechanicalObject name='x'/>"
        "<FEMMass template='Vec3,BezierTetrahedron' massDensity='100'/></Node>");
    const auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    const Geometry& g = *list->items[0].geometry;
    CHECK(g.triangles.empty());
    CHECK(g.patches.size() == 20);
    REQUIRE(g.normals.size() == g.positions.size());
    Geometry flat;
    flatten(g, 8, flat);
    for (std::size_t i = 0; i < flat.positions.size(); ++i) {
        const Vec3 x(flat.positions[i]), n(flat.normals[i]);
        CHECK(norm(x) == Approx(1.).margin(0.05));  // those of linear elements would be inside by 0.2
        CHECK(dot(n, x) / norm(x) > 0.98);
        CHECK(norm(n) == Approx(1.).margin(1e-5));
    }
    // Neighbours meet, and their normals with them: each point on a side is there twice, corners five times or six.
    std::map<std::array<int, 3>, Vec3> normals;
    for (std::size_t i = 0; i < flat.positions.size(); ++i) {
        std::array<int, 3> key{};
        for (std::size_t k = 0; k < 3; ++k) key[k] = static_cast<int>(std::lround(flat.positions[i][k] * 1e4f));
        const auto [at, isNew] = normals.emplace(key, Vec3(flat.normals[i]));
        if (!isNew) CHECK(norm(at->second - Vec3(flat.normals[i])) < 1e-3);
    }
    CHECK(normals.size() == 20 * 64 / 2 + 2);

    Scene stressed(
        "<Node name='body'><BezierTetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' "
        "tetrahedra='0 1 2 3 1 4 2 3'/><MechanicalObject name='x'/><UniformMass totalMass='1'/>"
        "<BezierTetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/></Node>");
    auto& state = dynamic_cast<State<Vec3Types>&>(stressed.find("x"));
    (*state.write(vec_id::position))[4] += Vec3{0.1, 0., 0.};
    const auto colored = stressed.draw("colorByStress");
    REQUIRE(colored->items.size() == 1);
    const Geometry& c = *colored->items[0].geometry;
    CHECK(c.patches.size() == 6);
    CHECK(c.colors.size() == c.positions.size());
}

}  // namespace skin_test
