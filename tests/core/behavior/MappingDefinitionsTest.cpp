// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/MappingDefinitions.h"

#include <catch2/catch.hpp>

#include "tests/harness/MappingCheck.h"
#include "tests/harness/TestGraph.h"

// A pair of types that the core does not have.
template class sofa::core::Mapping<sofa::core::Vec6Types, sofa::core::Vec2Types>;

namespace mapping_definitions_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// The first number, and the product of the second and the last one.
class Product final : public Mapping<Vec6Types, Vec2Types>
{
public:
    using Mapping::apply;
    using Mapping::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        for (std::size_t i = 0; i < in.size(); ++i) out[i] = {in[i][0], in[i][1] * in[i][5]};
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override
    {
        j.clear();
        for (Index i = 0; i < in.size(); ++i) {
            Mat<2, 6> block;
            block[0][0] = 1.;
            block[1][1] = in[i][5];
            block[1][5] = in[i][1];
            j.appendRow();
            j.append(i, block);
        }
    }
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord&) override
    {
        for (Index i = 0; i < f.size(); ++i) {
            Mat<6, 6> block;
            block[1][5] = block[5][1] = f[i][1];
            k.add(i, i, block);
        }
    }
    bool isLinear() const override { return false; }
};

}  // namespace

TEST_CASE("A mapping between types that the core does not pair takes one statement")
{
    Node root("root");
    test::addState<Vec6Types>(root, {Vec6{1., 2., 3., 4., 5., 6.}, Vec6{0.5, -1., 0., 0., 0., 2.}});
    const auto below = std::make_shared<Node>("below");
    root.addChild(below);
    const auto& out = test::addState<Vec2Types>(*below, Vector<Vec2>(2));
    auto& mapping = below->create<Product>();
    REQUIRE(test::initialise(root));
    CHECK(out.d_position.value() == Vector<Vec2>{{1., 12.}, {0.5, -2.}});
    CHECK(Product::staticTemplateName() == "Vec6,Vec2");
    test::checkMapping(mapping);
}

}  // namespace mapping_definitions_test
