// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>

#include "core/behavior/Mass.h"
#include "core/io/VegFormat.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"
#include "tests/harness/VegaReference.h"

namespace vega_mass_test {

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

/// A scene with a mesh of Vega and a mass.
struct MassScene
{
    MassScene(const std::string& file, bool cubes, const std::string& mass)
        : root(loadSceneText(text(file, cubes, mass), "mass.scn"))
    {
        REQUIRE(simulation.init());
    }
    Mass<Vec3Types>& mass() const { return dynamic_cast<Mass<Vec3Types>&>(*root->component("mass")); }
    std::shared_ptr<Node> root;
    Simulation simulation{root};

private:
    static std::string text(const std::string& file, bool cubes, const std::string& mass)
    {
        const std::string kind = cubes ? "Hexahedron" : "Tetrahedron";
        return "<Node name='root' gravity='0 0 0'><MeshVegLoader name='loader' filename='" + file + "'/><" + kind +
               "SetTopologyContainer src='@loader'/><" + kind +
               "SetGeometryAlgorithms template='Vec3'/><MechanicalObject template='Vec3' src='@loader'/><" + mass +
               " name='mass'/></Node>";
    }
};

/// The component that has Vega's consistent mass matrix, and the one that has its lumped masses (the row sums).
std::string consistent(bool cubes, const std::string& density)
{
    return (cubes ? "FEMMass template='Vec3,Hexahedron' massDensity='" : "MeshMatrixMass massDensity='") + density +
           "'";
}
std::string lumped(const std::string& density) { return "MeshMatrixMass lumping='true' massDensity='" + density + "'"; }

/// Lumped masses against the row sums of the consistent matrix.
void checkLumped(const Mass<Vec3Types>& full, const Mass<Vec3Types>& diagonal)
{
    Entries m, d;
    full.buildMass(m, full.state().positions());
    diagonal.buildMass(d, diagonal.state().positions());
    const Index n = full.state().size();
    Vector<double> sums(n, 0.);
    for (const auto& [at, value] : m.values) sums[at.first] += value;
    double largest = 0., difference = 0.;
    for (const auto& [at, value] : d.values) {
        REQUIRE(at.first == at.second);
        largest = std::max(largest, value);
        difference = std::max(difference, std::abs(value - sums[at.first]));
    }
    CHECK(d.values.size() == n);
    CHECK(difference < 1e-13 * largest);
}

}  // namespace

TEST_CASE("consistent masses of tetrahedra and voxels are those of Vega, and lumped ones their row sums", "[oracle]")
{
    const auto reference = sofa::test::vegaReference();
    if (!reference) return sofa::test::skip("no reference results of Vega");
    int compared = 0;
    for (const auto& mesh : (*reference)["meshes"].items()) {
        const auto& record = mesh.value();
        const auto file = sofa::test::vegaMesh(record["file"]);
        if (!file) continue;
        try {
            io::readVeg(*file);
        } catch (const std::runtime_error&) {
            continue;  // it includes a list of elements that is not there
        }
        INFO(mesh.key());
        const bool cubes = record["element"] == "CUBIC";
        const std::string density = record["materials"] == "homog" ? "1000" : "@loader.density";
        const MassScene scene(file->string(), cubes, consistent(cubes, density));
        const Mass<Vec3Types>& mass = scene.mass();

        // Vega's coefficients of voxels are rounded: 0.0370370335876942 instead of 1/27, and so on.
        const double bound = cubes ? 1.5e-7 : 1e-9;
        const auto agree = [&](const char* field, double ours) {
            INFO(field << " " << ours);
            const double theirs = record[field];
            CHECK(std::abs(ours - theirs) <= bound * theirs);
        };
        Entries m;
        mass.buildMass(m, mass.state().positions());
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
        mass.addMDx(mw, w, mass.state().positions(), 1.);
        double norm2 = 0.;
        for (const Vec3& v : mw) norm2 += dot(v, v);
        agree("Mw_norm", std::sqrt(norm2));

        const MassScene diagonal(file->string(), cubes, lumped(density));
        checkLumped(mass, diagonal.mass());
        double total = 0.;
        for (Index i = 0; i < n; ++i) total += diagonal.mass().pointMass(i);
        agree("mass", total);
        ++compared;
    }
    CHECK(compared > 0);
}

TEST_CASE("masses of a mesh of Vega with two densities, in closed form")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string materials =
        "*MATERIAL a\nENU, 60, 1, .3\n*MATERIAL b\nENU, 120, 1, .3\n*SET second\n2\n*REGION\nallElements, "
        "a\n*REGION\nsecond, b\n";
    const auto entry = [](const Mass<Vec3Types>& mass, Index i, Index j) {
        Entries m;
        mass.buildMass(m, mass.state().positions());
        return m.values[{i, j}];
    };
    SECTION("tetrahedra: V/20 (1 + [i = j]), and V/4")
    {
        const std::string file = (folder.path() / "t.veg").string();
        std::ofstream(file)
            << "*VERTICES\n5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -2\n*ELEMENTS\nTET\n2 4\n1 1 2 3 "
               "4\n2 1 3 2 5\n"
            << materials;
        // Masses 60/6 = 10 and 120 · 2/6 = 40; the vertices 1 2 3 belong to both.
        const MassScene full(file, false, consistent(false, "@loader.density"));
        CHECK(entry(full.mass(), 0, 0) == Approx(50. / 10.).epsilon(1e-14));
        CHECK(entry(full.mass(), 0, 1) == Approx(50. / 20.).epsilon(1e-14));
        CHECK(entry(full.mass(), 3, 3) == Approx(10. / 10.).epsilon(1e-14));
        CHECK(entry(full.mass(), 4, 1) == Approx(40. / 20.).epsilon(1e-14));
        const MassScene diagonal(file, false, lumped("@loader.density"));
        CHECK(diagonal.mass().pointMass(0) == Approx(12.5).epsilon(1e-14));
        CHECK(diagonal.mass().pointMass(3) == Approx(2.5).epsilon(1e-14));
        CHECK(diagonal.mass().pointMass(4) == Approx(10.).epsilon(1e-14));
        checkLumped(full.mass(), diagonal.mass());
    }
    SECTION("voxels: V/27 .. V/216, and V/8")
    {
        const std::string file = (folder.path() / "v.veg").string();
        std::ofstream(file)
            << "*VERTICES\n12 3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 "
               "0 0 2\n10 1 0 2\n11 1 1 2\n12 0 1 2\n*ELEMENTS\nCUBIC\n2 8\n1 1 2 3 4 5 6 7 8\n2 5 6 7 8 "
               "9 10 11 12\n"
            << materials;
        const MassScene full(file, true, consistent(true, "@loader.density"));
        CHECK(entry(full.mass(), 0, 0) == Approx(60. / 27.).epsilon(1e-14));
        CHECK(entry(full.mass(), 0, 1) == Approx(60. / 54.).epsilon(1e-14));
        CHECK(entry(full.mass(), 0, 2) == Approx(60. / 108.).epsilon(1e-14));
        CHECK(entry(full.mass(), 0, 6) == Approx(60. / 216.).epsilon(1e-14));
        CHECK(entry(full.mass(), 4, 5) == Approx(180. / 54.).epsilon(1e-14));
        CHECK(entry(full.mass(), 8, 4) == Approx(120. / 54.).epsilon(1e-14));
        const MassScene diagonal(file, true, lumped("@loader.density"));
        CHECK(diagonal.mass().pointMass(0) == Approx(7.5).epsilon(1e-14));
        CHECK(diagonal.mass().pointMass(4) == Approx(22.5).epsilon(1e-14));
        CHECK(diagonal.mass().pointMass(8) == Approx(15.).epsilon(1e-14));
        checkLumped(full.mass(), diagonal.mass());
    }
}

}  // namespace vega_mass_test
