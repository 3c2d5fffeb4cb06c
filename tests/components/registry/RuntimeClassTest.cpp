// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/ForceField.h"
#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Simulation.h"

namespace runtime_class_test {

using namespace sofa::core;

namespace {

/// What a script says a force is; the script owns the numbers.
class ScriptedForce final : public ForceField<Vec3Types>
{
public:
    explicit ScriptedForce(std::function<Vec3(const Vec3&)> f) : m_force(std::move(f)) {}
    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&) override
    {
        for (std::size_t i = 0; i < f.size(); ++i) f[i] += m_force(x[i]);
    }
    void buildStiffness(const MechanicalParams&, BlockSink&) override {}
    double potentialEnergy(const MechanicalParams&, const VecCoord&) const override { return std::nan(""); }

private:
    std::function<Vec3(const Vec3&)> m_force;
};

}  // namespace

TEST_CASE("A scene uses a class that was registered from functions with state, and goes on when it is withdrawn")
{
    Registry& r = Registry::instance();
    auto calls = std::make_shared<int>(0);
    RegisterComponent("TestWind", "ForceField", "my script")
        .help("Blows along x")
        .base("ForceField")
        .add("Vec3", [calls] {
            return std::make_shared<ScriptedForce>([calls](const Vec3&) {
                ++*calls;
                return Vec3{2., 0., 0.};
            });
        });
    CHECK(r.derives("TestWind", "BaseForceField"));
    CHECK(r.basesOf("TestWind").front() == "ForceField");
    const std::string scene =
        "<Node name='root' dt='0.5' gravity='0 0 0'><DefaultAnimationLoop/><EulerExplicitSolver/>"
        "<MechanicalObject name='x' position='0 0 0'/><UniformMass totalMass='1'/><TestWind name='w'/></Node>";
    const auto root = loadSceneText(scene, "wind.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    simulation.step();
    const auto& state = *root->get<State<Vec3Types>>(Search::Local);
    CHECK(state.velocities()[0] == Vec3{1., 0., 0.});
    const int before = *calls;
    CHECK(before > 0);

    r.remove("TestWind");
    root->addChild(std::make_shared<Node>("more"));  // the next step initialises the scene once more
    simulation.step();
    CHECK(state.velocities()[0] == Vec3{2., 0., 0.});
    CHECK(*calls > before);
    CHECK(root->component("w")->className() == "TestWind");
    CHECK(root->component("w")->templateName() == "Vec3");
    CHECK_THAT(writeScene(*root), Catch::Contains("<TestWind name=\"w\""));

    const MessageCapture capture;
    loadSceneText(scene, "wind.scn");
    CHECK(capture.has(Severity::Error, "unknown component 'TestWind'"));
}

}  // namespace runtime_class_test
