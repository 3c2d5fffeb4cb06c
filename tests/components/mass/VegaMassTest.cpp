// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Mass.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Skip.h"
#include "tests/harness/VegaReference.h"

using namespace sofa::core;

namespace {

struct Entries final : BlockSink
{
    void addBlock(Index i, Index j, const double* block, std::size_t, std::size_t) override
    {
        values[{i, j}] += block[0];
    }
    std::map<std::pair<Index, Index>, double> values;
};

}  // namespace

TEST_CASE("consistent masses of tetrahedra and voxels are those of Vega", "[oracle]")
{
    const auto reference = sofa::test::vegaReference();
    if (!reference) return sofa::test::skip("no reference results of Vega");
    int compared = 0;
    for (const auto& mesh : (*reference)["meshes"].items()) {
        const std::string& name = mesh.key();
        const auto& record = mesh.value();
        const auto file = sofa::test::vegaMesh(record["file"]);
        // The heterogeneous turtles include a list of elements that is not there.
        if (!file || name.find("turtle_hetero") == 0) continue;
        INFO(name);
        const bool cubes = record["element"] == "CUBIC";
        const std::string kind = cubes ? "Hexahedron" : "Tetrahedron";
        const std::string density = record["materials"] == "homog" ? "1000" : "@loader.density";
        auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0'><MeshVegLoader name='loader' filename='" + file->string() + "'/><" +
                kind + "SetTopologyContainer src='@loader'/><" + kind +
                "SetGeometryAlgorithms template='Vec3'/><MechanicalObject template='Vec3' src='@loader'/><" +
                (cubes ? "FEMMass template='Vec3,Hexahedron'" : "MeshMatrixMass") + " name='mass' massDensity='" +
                density + "'/></Node>",
            "mass.scn");
        Simulation simulation(root);
        REQUIRE(simulation.init());
        const auto& mass = dynamic_cast<Mass<Vec3Types>&>(*root->component("mass"));

        // Vega's coefficients of voxels are rounded: 0.0370370335876942 instead of 1/27, and so on.
        const double bound = cubes ? 1.5e-7 : 1e-9;
        const auto agree = [&](const char* field, double ours) {
            INFO(field << " " << ours);
            const double theirs = record[field];
            CHECK(std::abs(ours - theirs) <= bound * theirs);
        };
        Entries m;
        mass.buildMass(m);
        double sum = 0., squares = 0.;
        for (const auto& [at, value] : m.values) {
            sum += 3. * value;
            squares += 3. * value * value;
        }
        agree("M_sum", sum);
        agree("M_frobenius", std::sqrt(squares));
        const Index n = mass.state().size();
        Vector<Vec3> w(n), mw(n);
        for (Index i = 0; i < n; ++i)
            for (Index k = 0; k < 3; ++k) w[i][k] = std::sin(3. * i + k + 1.);
        mass.addMDx(mw, w, 1.);
        double norm2 = 0.;
        for (const Vec3& v : mw) norm2 += dot(v, v);
        agree("Mw_norm", std::sqrt(norm2));
        ++compared;
    }
    CHECK(compared > 0);
}
