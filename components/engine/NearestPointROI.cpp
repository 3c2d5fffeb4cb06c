// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>
#include <numeric>

#include "components/engine/ListTypes.h"
#include "core/behavior/OnState.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Pairs of points of two states: with each point of the second one the nearest point of the first one, where that is
/// nearer than `radius`; of equal ones that with the lower index. The distance of frames is that of their centres.
template <class D>
class NearestPointROI final : public Engine, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<D>(node, desc, "object1", why) && stateHasType<D>(node, desc, "object2", why);
    }

    Link<State<D>> l_object1{this, {"object1", "First state; default: that of the node"}};
    Link<State<D>> l_object2{this, {"object2", "Second state; default: that of the node"}};
    Input<Vector<Index>> d_inputIndices1{this, input("inputIndices1", "Points of the first state; none: all of them")};
    Input<Vector<Index>> d_inputIndices2{this, input("inputIndices2", "Points of the second state; none: all of them")};
    Input<double> d_radius{this, input("radius", "Distance that pairs must stay below", "m", Range::positive()), 1.};
    Input<bool> d_useRestPosition{
        this, input("useRestPosition", "Whether rest positions count; otherwise present ones"), true};
    Output<Vector<Index>> d_indices1{this, output("indices1", "Points of the first state, one for each pair")};
    Output<Vector<Index>> d_indices2{this, output("indices2", "Points of the second state, one for each pair")};
    Output<Vector<Edge>> d_edges{
        this, output("edges", "The k-th pair as an edge (2k, 2k + 1), in the numbering of indexPairs")};
    Output<Vector<Index>> d_indexPairs{
        this, output("indexPairs", "0, point of the first state, 1, point of the second one; for each pair")};
    Output<Vector<double>> d_distances{this, output("distances", "Distance of each pair", "m")};
    Data<bool> d_drawPairs{this, display("drawPairs", "Show the pairs as lines"), false};

    PointLists pointLists() override
    {
        if (!l_object1 || !l_object2) return noLists();
        m_some = {!d_inputIndices1.value().empty(), !d_inputIndices2.value().empty()};
        constexpr auto numbers = ElementData::Kind::Numbers;
        return {{{pointsOf(*l_object1), {{&d_inputIndices1, numbers}}},
                 {pointsOf(*l_object2), {{&d_inputIndices2, numbers}}}}};
    }
    /// Points that were chosen cannot all go: none would mean all of them.
    void followTopology(const TopologyChange& change) override
    {
        const std::array<const Data<Vector<Index>>*, 2> chosen{&d_inputIndices1, &d_inputIndices2};
        for (std::size_t k = 0; k < 2; ++k)
            if (!change.restores() && m_some[k] && chosen[k]->value().empty())
                throw std::runtime_error("'" + pathName() + "' (NearestPointROI): the last point of " +
                                         chosen[k]->name() + " would go");
        setDirty();
    }
    void draw(DrawTool& tool) override
    {
        if (!d_drawPairs.value() || !l_object1 || !l_object2) return;
        auto ends = tool.scratch<Vec3>();
        for (std::size_t k = 0; k < d_indices1.value().size(); ++k) {
            if (d_indices1.value()[k] >= positions(*l_object1).size()) continue;
            if (d_indices2.value()[k] >= positions(*l_object2).size()) continue;
            ends.push_back(point(*l_object1, d_indices1.value()[k]));
            ends.push_back(point(*l_object2, d_indices2.value()[k]));
        }
        tool.lines(ends, plainStyle(Color(0.5f, 1.f, 0.5f)));
    }

protected:
    void findInputs() override
    {
        for (auto* link : {&l_object1, &l_object2})
            if (!*link) link->set(node()->template get<State<D>>(Search::Local));
        if (!l_object1 || !l_object2) throw std::runtime_error("object1, object2: two states are needed");
        for (auto* s : {l_object1.get(), l_object2.get()}) {
            addInput(s->coordData(vec_id::position));
            addInput(s->coordData(vec_id::restPosition));
        }
    }
    void doUpdate() override
    {
        if (!l_object1 || !l_object2) throw std::runtime_error("object1, object2: two states are needed");
        const Vector<Index> from = candidates(d_inputIndices1, *l_object1),
                            to = candidates(d_inputIndices2, *l_object2);
        Vector<Index> indices1, indices2, pairs;
        Vector<Edge> edges;
        Vector<double> distances;
        for (const Index i2 : to) {
            double least = d_radius.value() * d_radius.value();
            Index nearest = InvalidIndex;
            for (const Index i1 : from) {
                const double d = norm2(point(*l_object1, i1) - point(*l_object2, i2));
                if (d < least) {
                    least = d;
                    nearest = i1;
                }
            }
            if (nearest == InvalidIndex) continue;
            const auto k = static_cast<Index>(indices1.size());
            indices1.push_back(nearest);
            indices2.push_back(i2);
            edges.push_back({2 * k, 2 * k + 1});
            pairs.insert(pairs.end(), {0, nearest, 1, i2});
            distances.push_back(std::sqrt(least));
        }
        d_indices1.setValue(std::move(indices1));
        d_indices2.setValue(std::move(indices2));
        d_edges.setValue(std::move(edges));
        d_indexPairs.setValue(std::move(pairs));
        d_distances.setValue(std::move(distances));
    }

private:
    std::array<bool, 2> m_some{};  ///< whether points were chosen before a change

    const typename D::VecCoord& positions(const State<D>& s) const
    {
        return s.read(d_useRestPosition.value() ? vec_id::restPosition : vec_id::position);
    }
    Vec3 point(const State<D>& s, Index i) const { return D::position(positions(s)[i]); }
    Vector<Index> candidates(const Data<Vector<Index>>& chosen, const State<D>& s) const
    {
        const std::size_t n = positions(s).size();
        if (n == 0)
            throw std::runtime_error("the state '" + s.pathName() +
                                     "' has no positions yet: put what needs the pairs behind it in the scene");
        requireIndices(chosen, n);
        if (!chosen.value().empty()) return chosen.value();
        Vector<Index> all(n);
        std::iota(all.begin(), all.end(), Index(0));
        return all;
    }
};

const RegisterComponent registeredNearestPointROI =
    RegisterComponent("NearestPointROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Pairs of points of two states that are near to each other")
        .example("component/engine/NearestPointROI.scn")
        .add<NearestPointROI, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types, Rigid2Types>();

}  // namespace

}  // namespace sofa::component
