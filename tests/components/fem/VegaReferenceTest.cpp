// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Forces, energies and stiffness matrices against those that Vega FEM itself computed on its own meshes. The records,
// their formulas and tolerances are described in vega/README.md of the reference folder.
#include <cmath>
#include <deque>
#include <map>

#include "core/behavior/ForceField.h"
#include "core/io/VegFormat.h"
#include "core/linalg/BlockAssembler.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/Skip.h"
#include "tests/harness/VegaReference.h"

namespace vega_reference_test {

using namespace sofa::core;
using namespace sofa::test;
using nlohmann::json;

namespace {

/// Collects the matrix −K of a force field.
class Collect final : public BlockSink
{
public:
    explicit Collect(std::size_t points)
    {
        const auto n = static_cast<int>(3 * points);
        m_assembler.begin(n, n, 3);
    }
    void addBlock(Index i, Index j, const double* b, std::size_t, std::size_t) override
    {
        m_assembler.add(static_cast<int>(3 * i), static_cast<int>(3 * j), b, 3, 3, 3, -1.);
    }
    const BlockCsrMatrix& matrix() { return m_assembler.end(); }

private:
    BlockAssembler m_assembler;
};

struct Model
{
    const char* material;  ///< of the record
    std::string component;
    double energyTolerance, tolerance;
};

std::vector<Model> models()
{
    const auto invertible = [](const std::string& material, const std::string& more) {
        return "InvertibleFEMForceField material='" + material + "' " + more;
    };
    const std::string mooney = "mu01='57471.2643678161' mu10='114942.5287356322' v1='1666666.666666667' ";
    std::vector<Model> all = {
        {"linear", "CorotationalLinearFEMForceField warp='0'", 1e-9, 1e-9},
        {"corot0", "CorotationalLinearFEMForceField warp='0'", 1e-9, 1e-9},
        {"corot1", "CorotationalLinearFEMForceField warp='1'", 1e-9, 1e-9},
        {"corot2", "CorotationalLinearFEMForceField warp='2'", 1e-9, 1e-9},
        {"stvk", "StVKFEMForceField", 1e-7, 1e-8},
        {"massspring", "MassSpringForceField", 1e-9, 1e-9},
    };
    for (const auto& [suffix, more] : {std::pair<std::string, std::string>{"", "tangentProjection='none'"},
                                       {"_cr500", "tangentProjection='none' compressionResistance='500'"},
                                       {"_spd", "tangentProjection='clamp'"}}) {
        static std::deque<std::string> names;
        for (const auto& [name, component] : {std::pair{"inv_stvk", invertible("StVK", more)},
                                              {"inv_neohookean", invertible("neoHookean", more)},
                                              {"inv_mooneyrivlin", invertible("MooneyRivlin", mooney + more)}})
            all.push_back({names.emplace_back(name + suffix).c_str(), component, 1e-9, 1e-9});
    }
    return all;
}

/// Whatever a mesh has: the lists of the other kind of material are empty.
const std::string fromLoader = " youngModulus='@loader.youngModulus' poissonRatio='@loader.poissonRatio'";
const std::string orthotropicFromLoader =
    " orthotropicModuli='@loader.orthotropicModuli' orthotropicRatios='@loader.orthotropicRatios' "
    "orthotropicShearModuli='@loader.orthotropicShearModuli' orthotropicAxes='@loader.orthotropicAxes'";

/// The displacement fields A, B and C.
Vector<Vec3> displaced(const Vector<Vec3>& rest, const std::string& config)
{
    Vec3 low = rest[0], high = rest[0];
    for (const Vec3& p : rest)
        for (std::size_t c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], p[c]);
            high[c] = std::max(high[c], p[c]);
        }
    const double length = norm(high - low), k = 2. * M_PI / length;
    const Vec3 center = (low + high) * 0.5;
    Vector<Vec3> x = rest;
    if (config == "rest") return x;
    for (Vec3& p : x) {
        if (config == "A") {
            p += Vec3{std::sin(3. * p[0] + 1.), std::sin(5. * p[1] + 2.), std::sin(7. * p[2] + 3.)} * (0.01 * length);
            continue;
        }
        const Vec3 d = p - center;
        p += Vec3{std::sin(k * d[1] + 1.), std::sin(k * d[2] + 2.), std::sin(k * d[0] + 3.)} * (0.02 * length);
    }
    if (config != "C") return x;
    const Vec3 axis = Vec3{1., 2., 3.} * (40. * M_PI / 180. / std::sqrt(14.));
    const Mat3 r = Quat::fromRotationVector(axis).toMatrix();
    for (Vec3& p : x) p = center + r * (p - center);
    return x;
}

/// File of a mesh, or an empty path if it, or a file that it includes, is not in the collection.
std::filesystem::path completeMesh(const json& mesh)
{
    const auto file = vegaMesh(mesh["file"].get<std::string>());
    if (!file) return {};
    try {
        io::readVeg(*file);
        return *file;
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace

TEST_CASE("force models agree with Vega FEM", "[oracle]")
{
    const auto found = vegaReference();
    if (!found) return skip("no reference results (shared/oracle)");
    const json& reference = *found;
    std::map<std::string, std::map<std::string, json>> configurations;
    for (const json& c : reference["configurations"]) configurations[c["mesh"]][c["config"]] = c;

    std::map<std::string, std::filesystem::path> files;
    for (const auto& [name, mesh] : reference["meshes"].items()) {
        files[name] = completeMesh(mesh);
        if (files[name].empty()) WARN("the mesh " << name << " is not there, or not complete");
    }
    std::map<std::string, std::size_t> left;  // records of complete meshes by material that were not compared
    for (const json& r : reference["static"])
        if (!files[r["mesh"]].empty()) ++left[r["material"]];
    std::size_t compared = 0;
    for (const Model& model : models())
        for (const auto& [meshName, mesh] : reference["meshes"].items()) {
            const bool cubes = mesh["element"] != "TET";
            std::vector<const json*> records;
            for (const json& r : reference["static"])
                if (r["mesh"] == meshName && r["material"] == model.material) records.push_back(&r);
            if (records.empty() || files[meshName].empty()) continue;
            const bool homogeneous = mesh["materials"] == "homog";
            std::string component = model.component;
            if (component.starts_with("MassSpring"))
                component += " stiffness='25000'";
            else if (homogeneous)
                component += " youngModulus='1e6' poissonRatio='0.45'";
            else if (component.starts_with("Corotational"))
                component += fromLoader + orthotropicFromLoader;
            else
                component += fromLoader;
            auto root = loadSceneText("<Node name='root'><MeshVegLoader name='loader' filename='" +
                                          files[meshName].string() + "'/><" + (cubes ? "Hexahedron" : "Tetrahedron") +
                                          "SetTopologyContainer src='@loader'/><MechanicalObject "
                                          "name='dofs' src='@loader'/><" +
                                          component + " name='force'/></Node>",
                                      "vega.scn");
            Simulation simulation(root);
            REQUIRE(simulation.init());
            auto* force = dynamic_cast<ForceField<Vec3Types>*>(root->component("force"));
            REQUIRE(force);
            const Vector<Vec3> rest = force->state().read(vec_id::restPosition);
            Eigen::VectorXd w(static_cast<Eigen::Index>(3 * rest.size()));
            for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = std::sin(static_cast<double>(i + 1));

            for (const json* record : records) {
                const json& r = *record;
                const std::string config = r["config"];
                const json& c = configurations[meshName][config];
                INFO(meshName << ", " << model.material << ", " << config);
                const bool clamped = c.value("elements_below_inversion_threshold", 0) > 0;
                const bool inverted = c.value("inverted_elements", 0) > 0;
                const Vector<Vec3> x = displaced(rest, config);
                Vector<Vec3> f(rest.size());
                force->addForce({}, f, x, Vector<Vec3>(rest.size()));
                const Eigen::VectorXd flat = -flatten(f);
                Collect collect(rest.size());
                force->buildStiffness({}, collect);
                const BlockCsrMatrix& k = collect.matrix();
                Eigen::VectorXd product(w.size()), diagonal(w.size());
                const auto size3 = static_cast<std::size_t>(w.size());
                k.multiply({w.data(), size3}, {product.data(), size3});
                k.getDiagonal({diagonal.data(), size3});
                ++compared;
                --left[model.material];

                // Vega's own forces at rest are rounding errors; so are ours.
                const double size = r["force_norm"], stiffnessSize = r["K_frobenius"];
                const double tolerance = clamped || inverted ? 1e-6 : model.tolerance;
                double energyTolerance = clamped || inverted ? 1e-6 : model.energyTolerance;
                if (cubes && model.material == std::string("stvk")) energyTolerance = 1e-4;  // its README, quirk 7
                if (config == "rest") {
                    CHECK(flat.norm() < 1e-14 * stiffnessSize);
                } else {
                    CHECK(flat.norm() == Approx(size).epsilon(tolerance));
                    if (!(model.material == std::string("stvk") && r["energy"] == 0.))
                        CHECK(force->potentialEnergy({}, x) ==
                              Approx(r["energy"].get<double>()).epsilon(energyTolerance));
                    CHECK(std::abs(flat.dot(w) - r["force_dot_w"].get<double>()) <
                          tolerance * size * std::sqrt(w.squaredNorm()));
                    double first = 0.;
                    for (const double v : r["force_first6"]) first = std::max(first, std::abs(v));
                    for (Eigen::Index i = 0; i < 6; ++i)
                        CHECK(std::abs(flat[i] - r["force_first6"][static_cast<std::size_t>(i)].get<double>()) <
                              10. * tolerance * first);
                }
                // Vega's exact tangent is wrong on inverted elements (its README, quirk 1).
                if (model.material == std::string("corot2") && inverted) continue;
                CHECK(k.frobeniusNorm() == Approx(stiffnessSize).epsilon(tolerance));
                CHECK(std::abs(diagonal.sum() - r["K_trace"].get<double>()) < 10. * tolerance * stiffnessSize);
                CHECK(product.norm() == Approx(r["Kw_norm"].get<double>()).epsilon(tolerance));
                double first = 0.;
                for (const double v : r["Kw_first6"]) first = std::max(first, std::abs(v));
                for (Eigen::Index i = 0; i < 6; ++i)
                    CHECK(std::abs(product[i] - r["Kw_first6"][static_cast<std::size_t>(i)].get<double>()) <
                          10. * tolerance * first);
            }
        }
    CHECK(compared > 400);
    for (const auto& [material, count] : left) {
        INFO(material << ": " << count << " records of meshes that are there have not been compared");
        CHECK(count == 0);
    }
}

}  // namespace vega_reference_test
