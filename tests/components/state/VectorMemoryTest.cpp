// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "components/state/MechanicalObject.h"
#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace vector_memory_test {

/// States of a plugin whose vectors lie in a memory of their own.
using namespace sofa;
using namespace sofa::core;

namespace {

struct Counts
{
    std::size_t uploads = 0, downloads = 0, operations = 0, resizes = 0;
};
Counts counts;

/// Numbers of type T that nobody sees but by copies, which are counted. The host's copy is made useless as soon as it
/// is out of date.
template <class T>
class FarBuffer final : public VectorBuffer
{
public:
    std::string_view memory() const override { return "far"; }
    Precision precision() const override { return sizeof(T) == 4 ? Precision::Single : Precision::Double; }
    std::size_t size() const override { return m_values.size(); }
    void resize(std::size_t n) override
    {
        counts.resizes += n != m_values.size();
        m_values.resize(n);
    }
    void upload(std::span<const double> from) override
    {
        ++counts.uploads;
        for (std::size_t i = 0; i < from.size(); ++i) m_values[i] = static_cast<T>(from[i]);
    }
    void download(std::span<double> to) const override
    {
        ++counts.downloads;
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<double>(m_values[i]);
    }
    void clear() override
    {
        ++counts.operations;
        std::fill(m_values.begin(), m_values.end(), T(0));
    }
    void copy(const VectorBuffer& a) override
    {
        ++counts.operations;
        m_values = of(a);
    }
    void add(const VectorBuffer* a, const VectorBuffer* b, double f) override
    {
        ++counts.operations;
        for (std::size_t i = 0; i < m_values.size(); ++i)
            m_values[i] = (a ? of(*a)[i] : T(0)) + (b ? of(*b)[i] * static_cast<T>(f) : T(0));
    }
    void scale(double f) override
    {
        ++counts.operations;
        for (T& v : m_values) v *= static_cast<T>(f);
    }
    double dot(const VectorBuffer& a) const override
    {
        ++counts.operations;
        double s = 0.;
        for (std::size_t i = 0; i < m_values.size(); ++i)
            s += static_cast<double>(m_values[i]) * static_cast<double>(of(a)[i]);
        return s;
    }
    bool forbidsStaleAccess() const override { return true; }

private:
    static const std::vector<T>& of(const VectorBuffer& b) { return dynamic_cast<const FarBuffer&>(b).m_values; }
    std::vector<T> m_values;
};

template <class T>
class FarObject : public component::MechanicalObject<Vec3Types>
{
public:
    static constexpr const char* registeredName = sizeof(T) == 4 ? "FarObjectSingle" : "FarObject";

protected:
    std::unique_ptr<VectorBuffer> makeBuffer() const override { return std::make_unique<FarBuffer<T>>(); }
};

const RegisterComponent registered = RegisterComponent("FarObject", "State", "Test")
                                         .help("A state in a memory of its own")
                                         .add<FarObject<double>>({"Vec3"});
const RegisterComponent registeredSingle = RegisterComponent("FarObjectSingle", "State", "Test")
                                               .help("A state in a memory of its own, in single precision")
                                               .add<FarObject<float>>({"Vec3"});

/// A beam that bends, with a state of the given class. `solvers` move it.
std::unique_ptr<Simulation> beam(const std::string& state, const std::string& solvers)
{
    auto s = std::make_unique<Simulation>(
        loadSceneText("<Node name='root' dt='0.01'><Node name='beam'>" + solvers +
                          "<RegularGridTopology name='grid' n='3 3 9' min='0 0 0' max='0.1 0.1 0.4'/>"
                          "<" +
                          state +
                          " name='dofs' template='Vec3'/>"
                          "<UniformMass totalMass='0.5'/>"
                          "<HexahedronFEMForceField youngModulus='20000' poissonRatio='0.3'/>"
                          "<BoxROI name='box' box='-1 -1 -0.01 1 1 0.01'/>"
                          "<FixedProjectiveConstraint indices='@box.indices'/>"
                          "<Node name='skin'><MechanicalObject name='follower' position='0.05 0.05 0.39'/>"
                          "<BarycentricMapping/></Node>"
                          "</Node></Node>",
                      "beam.scn"));
    REQUIRE(s->init());
    return s;
}

const Vector<Vec3>& positions(const Simulation& s, const char* node = "beam")
{
    auto* n = s.root().child("beam");
    if (node != std::string("beam")) n = n->child(node);
    return dynamic_cast<State<Vec3Types>&>(*n->get<BaseState>(Search::Local)).positions();
}

double farthest(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    double d = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, norm(a[i] - b[i]));
    return d;
}

const std::string explicitSolver = "<EulerExplicitSolver/>";
const std::string implicitSolver =
    "<EulerImplicitSolver rayleighStiffness='0.1'/><CGLinearSolver iterations='200' tolerance='1e-12'/>";

}  // namespace

TEST_CASE("Scenes run in a memory of their own as on the host", "[state]")
{
    const bool implicit = GENERATE(false, true);
    INFO((implicit ? "implicit" : "explicit"));
    const std::string solver = implicit ? implicitSolver : explicitSolver;
    const double dt = implicit ? 0.01 : 1e-4;
    const auto host = beam("MechanicalObject", solver), far = beam("FarObject", solver);
    const auto single = beam("FarObjectSingle", solver);
    for (int i = 0; i < 20; ++i) {
        for (Simulation* s : {host.get(), far.get(), single.get()}) s->step(dt);
    }
    const double moved = farthest(positions(*host), beam("MechanicalObject", solver)->root().child("beam")
                                                        ? positions(*beam("MechanicalObject", solver))
                                                        : Vector<Vec3>());
    CHECK(moved > 1e-6);
    // Sums of the operations are those of the host, to the order of additions.
    CHECK(farthest(positions(*host), positions(*far)) <= 1e-12);
    CHECK(farthest(positions(*host, "skin"), positions(*far, "skin")) <= 1e-12);
    // Single precision is what it is: 6e-8 of 0.4 m for each of some hundred operations.
    CHECK(farthest(positions(*host), positions(*single)) <= 1e-4);
    CHECK(farthest(positions(*host), positions(*single)) > 0.);
}

TEST_CASE("Only what changed is copied between memories, and nothing is allocated in later steps", "[state]")
{
    const auto far = beam("FarObject", explicitSolver);
    for (int i = 0; i < 3; ++i) far->step(1e-4);
    const auto inAStep = [&] {
        counts = {};
        far->step(1e-4);
        return counts;
    };
    const Counts a = inAStep(), b = inAStep();
    CHECK(a.uploads == b.uploads);
    CHECK(a.downloads == b.downloads);
    CHECK(a.operations == b.operations);
    CHECK(a.operations > 0);
    CHECK(a.resizes == 0);
    // Force, acceleration, velocity and position cross over a few times each, for forces, masses, constraints, mappings
    // and the check for divergence.
    CHECK(a.uploads + a.downloads <= 16);
    // Reading what was read already copies nothing.
    (void)positions(*far);
    counts = {};
    (void)positions(*far);
    CHECK(counts.downloads == 0);
}

TEST_CASE("What is kept of a vector longer than it is valid shows", "[state]")
{
    const auto far = beam("FarObject", explicitSolver);
    far->step(1e-4);
    auto& state = dynamic_cast<State<Vec3Types>&>(*far->root().child("beam")->get<BaseState>(Search::Local));
    const Vector<Vec3>& velocities = state.velocities();
    CHECK(std::isfinite(velocities[20][1]));
    state.scale(vec_id::velocity, 2.);
    CHECK(std::isnan(velocities[20][1]));
    CHECK(std::isfinite(state.velocities()[20][1]));
}

TEST_CASE("Links, checkpoints and writes from the host see vectors in another memory", "[state]")
{
    const auto a = beam("FarObject", implicitSolver), b = beam("FarObject", implicitSolver);
    for (int i = 0; i < 3; ++i) a->step();
    Data<Vector<Vec3>> follower(nullptr, {.name = "follower", .help = "Follows the positions"});
    follower.linkTo(*a->root().child("beam")->get<BaseState>(Search::Local)->findData("position"));
    a->step();
    CHECK(follower.value() == positions(*a));
    const test::TemporaryDirectory folder;
    saveCheckpoint(*a, (folder.path() / "c").string());
    loadCheckpoint(*b, (folder.path() / "c").string());
    CHECK(positions(*b) == positions(*a));
    for (int i = 0; i < 3; ++i) a->step(), b->step();
    CHECK(positions(*b) == positions(*a));
    auto& state = dynamic_cast<State<Vec3Types>&>(*a->root().child("beam")->get<BaseState>(Search::Local));
    state.write(vec_id::velocity)[30] = {1., 2., 3.};
    state.scale(vec_id::velocity, 2.);
    CHECK(state.velocities()[30] == Vec3{2., 4., 6.});
    state.findData("velocity")->editNumbers([](const NumberArray& v) { v.set(30, 0, 5.); });
    state.add(vec_id::velocity, vec_id::velocity, vec_id::velocity, 1.);
    CHECK(state.velocities()[30] == Vec3{10., 8., 12.});
}

}  // namespace vector_memory_test
