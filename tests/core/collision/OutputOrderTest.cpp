// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/OutputOrder.h"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace output_order_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// A model that is nothing but a name.
class NamedModel final : public CollisionModel
{
public:
    std::string className() const override { return "NamedModel"; }
    CollisionShape shape() const override { return CollisionShape::Point; }
    BaseState& state() const override { throw std::logic_error("no state"); }
    std::span<const Index> vertices(Index) const override { return {}; }

protected:
    void updatePrimitives() override {}
    Index primitiveCount() const override { return 0; }
};

struct Models
{
    Node root;
    NamedModel& operator[](const std::string& name)
    {
        auto& m = all[name];
        if (!m) {
            m = std::make_shared<NamedModel>();
            m->setName(name);
            root.addComponent(m);
        }
        return *m;
    }
    ModelPair pair(const std::string& a, const std::string& b) { return {&(*this)[a], &(*this)[b]}; }
    std::map<std::string, std::shared_ptr<NamedModel>> all;
};

using Names = std::vector<std::pair<std::string, std::string>>;

/// The order of the outputs of a detection that looked at some pairs and found contacts of some.
Names sorted(OutputOrder& order, Models& models, const Names& pairs, const Names& inContact)
{
    std::vector<ModelPair> looked;
    for (const auto& [a, b] : pairs) looked.push_back(models.pair(a, b));
    std::vector<DetectionOutput> outputs;
    for (const auto& [a, b] : inContact) outputs.push_back({models.pair(a, b), {}});
    order.sort(looked, outputs);
    Names names;
    for (const DetectionOutput& o : outputs) names.push_back({o.models.first->name(), o.models.second->name()});
    return names;
}

/// Pairs of the triangles, lines and points of several bodies as the broad phase finds them.
Names pairsOf(const std::vector<std::pair<std::string, std::string>>& nearBodies,
              const std::vector<std::string>& bodies)
{
    std::vector<std::string> models;
    for (const std::string& b : bodies)
        for (const char* kind : {" T", " L", " P"}) models.push_back(b + kind);
    Names pairs;
    for (std::size_t i = 0; i < models.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const std::string a = models[i].substr(0, 1), b = models[j].substr(0, 1);
            bool near = false;
            for (const auto& [p, q] : nearBodies) near = near || (p == a && q == b) || (p == b && q == a);
            const std::string kinds = {models[i].back(), models[j].back()};
            if (!near) continue;
            if (kinds == "TP" || kinds == "LP" || kinds == "LL" || kinds == "PP")
                pairs.push_back({models[i], models[j]});
            if (kinds == "PT" || kinds == "PL") pairs.push_back({models[j], models[i]});
        }
    return pairs;
}

}  // namespace

TEST_CASE("pairs of models in contact have the order that SOFA's own run shows")
{
    // A torus, a man, a cube, a dragon and a box around them; the contacts of the first step of SOFA's scene
    // BuiltConstraintCorrection. In SOFA's record the contacts of the cube and those of the torus are each ordered as
    // triangle-point, line-point, line-line.
    Models models;
    const Names pairs = pairsOf({{"T", "M"}, {"C", "M"}, {"D", "T"}, {"B", "T"}, {"B", "M"}, {"B", "C"}, {"B", "D"}},
                                {"T", "M", "C", "D", "B"});
    const Names found = {{"C T", "M P"}, {"C L", "M L"}, {"C L", "M P"}, {"C P", "M P"},
                         {"D L", "T L"}, {"T T", "D P"}, {"T L", "D P"}};
    OutputOrder order;
    const Names expected = {{"T T", "D P"}, {"T L", "D P"}, {"C T", "M P"}, {"C L", "M P"},
                            {"C L", "M L"}, {"C P", "M P"}, {"D L", "T L"}};
    CHECK(sorted(order, models, pairs, found) == expected);
    // It stays when one is gone for a while, and does not depend on the order in which outputs come.
    Names fewer = expected, reversed(found.rbegin(), found.rend());
    fewer.erase(fewer.begin() + 1);
    CHECK(sorted(order, models, pairs, fewer) == fewer);
    CHECK(sorted(order, models, pairs, reversed) == expected);
}

TEST_CASE("the first pair in contact is ranked with the second one; a checkpoint keeps ranks")
{
    const Names pairs = {{"a", "b"}, {"c", "d"}, {"e", "f"}};
    for (const bool checkpoint : {false, true}) {
        Models models;
        OutputOrder order;
        const auto continued = [&] {
            if (!checkpoint) return;
            Archive save;
            order.archive(save);
            order = OutputOrder();
            Archive load(save.bytes());
            order.archive(load);
            CHECK(load.atEnd());
        };
        CHECK(sorted(order, models, pairs, {{"a", "b"}}) == Names{{"a", "b"}});
        continued();
        CHECK(sorted(order, models, pairs, {{"a", "b"}, {"c", "d"}}) == Names{{"c", "d"}, {"a", "b"}});
        continued();
        CHECK(sorted(order, models, pairs, {{"a", "b"}, {"c", "d"}, {"e", "f"}}) ==
              Names{{"c", "d"}, {"a", "b"}, {"e", "f"}});
        order.clear();
        CHECK(sorted(order, models, pairs, {{"e", "f"}}) == Names{{"e", "f"}});
        CHECK(sorted(order, models, pairs, {{"a", "b"}, {"e", "f"}}) == Names{{"a", "b"}, {"e", "f"}});
    }
}

}  // namespace output_order_test
