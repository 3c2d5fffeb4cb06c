// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/MeanCoord.h"
#include "core/behavior/State.h"
#include "core/behavior/StateLookup.h"

namespace sofa::component {

namespace {

/// Mean of the positions of all states of its node with its type, point by point. A state with the tag MeanOutput is
/// none of them: its positions are the mean. Of states with different numbers of points the first ones of each count.
///
/// The result follows the states whenever it is read. SOFA computes it at the beginning of each step, and adds to the
/// result of the step before without clearing it; here it is the mean of the present positions alone. Orientations are
/// averaged as by AverageCoord.
template <class D>
class MeanComputation final : public Engine
{
public:
    using Coord = typename D::Coord;
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription&, std::string& why)
    {
        if (!node || !node->get<BaseState>(Search::Local) || node->get<State<D>>(Search::Local)) return true;
        why = "there is no state of type " + std::string(D::name()) + " in its node";
        return false;
    }

    Output<VecCoord> d_result{this, output("result", "Mean positions", "m")};

    void bwdInit() override
    {
        if (!isValid()) return;
        for (State<D>* s : node()->template getAll<State<D>>())
            if (s->coordData(vec_id::position).parent() == &d_result) s->resize(static_cast<Index>(d_result->size()));
    }
    void undoInit() override
    {
        for (const Tracked<State<D>>& s : m_states)
            if (s) removeDependency(s->coordData(vec_id::position));
        m_states.clear();
        Engine::undoInit();
    }

protected:
    void findInputs() override
    {
        for (State<D>* s : node()->template getAll<State<D>>()) {
            Data<VecCoord>& x = s->coordData(vec_id::position);
            if (x.parent() == &d_result) continue;
            if (!s->hasTag("MeanOutput")) {
                addInput(x);
                m_states.push_back(s);
            } else if (!x.parent()) {
                x.linkTo(d_result);
            }
        }
        if (m_states.empty())
            throw std::runtime_error("there is no state of type " + std::string(D::name()) +
                                     " in its node whose positions it could average");
    }

    void doUpdate() override
    {
        std::vector<const VecCoord*> lists;
        for (const Tracked<State<D>>& s : m_states)
            if (s) lists.push_back(&s->positions());
        if (lists.empty()) return;  // they have left the scene: the mean stays
        const auto shortest = std::ranges::min(lists, {}, [](const VecCoord* x) { return x->size(); });
        VecCoord mean(shortest->size());
        for (std::size_t i = 0; i < mean.size(); ++i) {
            SumOfCoords<Coord> sum;
            for (const VecCoord* x : lists) sum.add((*x)[i]);
            mean[i] = sum.mean(static_cast<double>(lists.size()));
        }
        d_result.setValue(std::move(mean));
    }

private:
    std::vector<Tracked<State<D>>> m_states;
};

const RegisterComponent registeredMeanComputation =
    RegisterComponent("MeanComputation", "Engine", "MultiThreading")
        .help("Mean of the positions of the states of a node")
        .example("component/engine/MeanComputation.scn")
        .add<MeanComputation, Vec3Types, Vec1Types, Vec2Types, Rigid2Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
