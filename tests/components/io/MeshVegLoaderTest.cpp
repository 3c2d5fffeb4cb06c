// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshVegLoader.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/Paths.h"

namespace mesh_veg_loader_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

const std::string mesh =
    "*VERTICES\n5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTET\n2 4\n1 1 2 3 4\n2 5 3 2 4\n"
    "*SET first\n1\n";

MeshVegLoader& load(Node& root, const std::filesystem::path& file, std::string attribute = {}, std::string value = {})
{
    ComponentDescription desc;
    desc.type = "MeshVegLoader";
    desc.where = {std::make_shared<const std::string>((file.parent_path() / "scene.scn").string()), 3, 1};
    desc.set("filename", file.filename().string(), desc.where);
    if (!attribute.empty()) desc.set(attribute, value, desc.where);
    auto c = Registry::instance().create(&root, desc);
    root.addComponent(c);
    c->parse(desc);
    return dynamic_cast<MeshVegLoader&>(*c);
}

/// A loader of a file with the mesh above and the given materials and regions.
struct Loaded
{
    explicit Loaded(const std::string& rest) { std::ofstream(folder.path() / "m.veg") << mesh << rest; }
    MeshVegLoader& get(std::string attribute = {}, std::string value = {})
    {
        return load(root, folder.path() / "m.veg", std::move(attribute), std::move(value));
    }
    sofa::test::TemporaryDirectory folder;
    Node root{"root"};
};

}  // namespace

TEST_CASE("A .veg loader gives the mesh and the material of each element")
{
    Loaded file(
        "*MATERIAL a\nENU, 900, 1e5, .3\n*MATERIAL b\nENU, 800, 2e5, .4\n*REGION\nallElements,a\n*REGION\nfirst,b\n");
    MeshVegLoader& l = file.get("translation", "1 0 0");
    REQUIRE(l.findData("set_first"));
    CHECK(l.findData("set_first")->text() == "0");
    CHECK(l.d_position.value()[4] == Vec3{2, 1, 1});
    CHECK(l.d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 2, 3}, {4, 2, 1, 3}});
    CHECK(l.d_density.value() == Vector<double>{800, 900});
    CHECK(l.d_youngModulus.value() == Vector<double>{2e5, 1e5});
    CHECK(l.d_poissonRatio.value() == Vector<double>{.4, .3});
    CHECK(l.d_mu01.value().empty());
    CHECK(l.d_orthotropicModuli.value().empty());
    CHECK(l.d_materialNames.value() == Vector<std::string>{"a", "b"});
    CHECK(l.d_materialIndices.value() == Vector<Index>{1, 0});
    CHECK(l.d_setNames.value() == Vector<std::string>{"allElements", "first"});
    CHECK(l.d_sets.value() == Vector<Vector<Index>>{{0, 1}, {0}});
    CHECK(l.d_regionSets.value() == Vector<Index>{0, 1});
    CHECK(l.d_regionMaterials.value() == Vector<Index>{0, 1});
    CHECK(l.d_tetrahedraGroups.value().size() == 2);
    CHECK(l.isValid());
}

TEST_CASE("Mooney-Rivlin and orthotropic elements, and mixtures")
{
    MessageCapture messages;
    Loaded mooney("*MATERIAL a\nMOONEYRIVLIN, 900, 1, 2, 3\n*REGION\nallElements,a\n");
    MeshVegLoader& m = mooney.get();
    CHECK(m.d_mu01.value() == Vector<double>{1, 1});
    CHECK(m.d_mu10.value() == Vector<double>{2, 2});
    CHECK(m.d_v1.value() == Vector<double>{3, 3});
    CHECK(m.d_youngModulus.value().empty());
    CHECK_FALSE(messages.has(Severity::Warning, "the mesh has"));

    const std::string region = "*REGION\nallElements,a\n*REGION\nfirst,b\n";
    Loaded mixed("*MATERIAL a\nENU, 900, 10, .25\n*MATERIAL b\nORTHOTROPIC_N3G3, 1, 1,2,3, .1,.2,.3, 4,5,6\n" + region);
    MeshVegLoader& o = mixed.get();
    CHECK(messages.has(Severity::Warning,
                       "the mesh has isotropic (ENU) and orthotropic materials: all are given as orthotropic"));
    CHECK(o.d_youngModulus.value().empty());
    CHECK(o.d_density.value() == Vector<double>{1, 900});
    CHECK(o.d_orthotropicModuli.value() == Vector<Vec3>{{1, 2, 3}, {10, 10, 10}});
    CHECK(o.d_orthotropicRatios.value() == Vector<Vec3>{{.1, .2, .3}, {.25, .25, .25}});
    CHECK(o.d_orthotropicShearModuli.value() == Vector<Vec3>{{4, 5, 6}, {4, 4, 4}});
    CHECK(o.d_orthotropicAxes.value() == Vector<Mat3>(2, Mat3::identity()));

    Loaded odd("*MATERIAL a\nENU, 900, 10, .25\n*MATERIAL b\nMOONEYRIVLIN, 1, 1, 2, 3\n" + region);
    MeshVegLoader& d = odd.get();
    CHECK(messages.has(Severity::Warning, "isotropic (ENU) and Mooney-Rivlin materials: only their density is given"));
    CHECK(d.d_density.value() == Vector<double>{1, 900});
    CHECK(d.d_mu01.value().empty());
    CHECK(d.d_youngModulus.value().empty());
}

TEST_CASE("A .veg loader reports what is wrong, and gives nothing then")
{
    MessageCapture messages;
    Loaded file("*MATERIAL a\nENU, 900, 1e5, .6\n");
    MeshVegLoader& l = file.get();
    l.init();
    CHECK_FALSE(l.isValid());
    CHECK(messages.has(Severity::Error, "m.veg:16: expected a Poisson's ratio between -1 and 0.5"));
    CHECK_THROWS_AS(l.d_position.value(), DataError);
    CHECK_THROWS_AS(l.d_density.value(), DataError);
    // A failure after the file was read leaves no materials either.
    Loaded good("*MATERIAL a\nENU, 900, 1e5, .4\n");
    MeshVegLoader& t = good.get("transformation", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1");
    CHECK_FALSE(t.isValid());
    CHECK_THROWS_AS(t.d_density.value(), DataError);
    CHECK_THROWS_AS(t.d_materialNames.value(), DataError);
    // Another file.
    t.d_transformation.setValue(Mat<4, 4>::identity());
    CHECK(t.d_density.value() == Vector<double>{900, 900});
    CHECK(messages.has(Severity::Warning, "2 elements are in no region"));
}

}  // namespace mesh_veg_loader_test
