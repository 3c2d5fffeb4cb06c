// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>

#include "core/behavior/JacobianCheck.h"
#include "core/behavior/OnState.h"

namespace sofa::core {

/// The states to which the paths of the link `link` of a description lead, each as findStateFor finds it; none, with
/// the reason in `why`, if there is no path or one leads to no state.
std::vector<BaseState*> findStatesFor(const Node* node, const ComponentDescription& desc, std::string_view link,
                                      std::string& why);

/// Whether there are such states, and all are of type DataTypes.
template <class DataTypes>
bool statesHaveType(const Node* node, const ComponentDescription& desc, std::string_view link, std::string& why)
{
    const std::vector<BaseState*> states = findStatesFor(node, desc, link, why);
    for (const BaseState* s : states)
        if (!dynamic_cast<const State<DataTypes>*>(s)) {
            why = "the state '" + s->pathName() + "' of " + std::string(link) + " is of type " + s->templateName() +
                  ", not " + std::string(DataTypes::name());
            return false;
        }
    return !states.empty();
}

/// Mapping from any number of states to one. `Ins` are the types of the inputs; each has a list of states of its own
/// ("input", or "input1", "input2" of several types). A subclass states the map and its Jacobian blocks, with respect
/// to each input; the products are derived. Maps are linear unless a subclass says otherwise and gives their geometric
/// stiffness.
template <class Out, class... Ins>
class MultiMapping : public BaseMapping
{
    static_assert(sizeof...(Ins) >= 1 && sizeof...(Ins) <= 3);

public:
    using OutVecCoord = typename Out::VecCoord;
    using OutVecDeriv = typename Out::VecDeriv;
    /// Positions of the inputs of one type, in the order of the link.
    template <class In>
    using Positions = std::span<const typename In::VecCoord* const>;
    template <class In>
    using JacobianMatrix = Jacobian<Out::derivSize, In::derivSize>;
    /// Jacobians with respect to the inputs of one type. Each has a row for each point of the output.
    template <class In>
    using Jacobians = std::span<JacobianMatrix<In>>;

    Link<State<Out>> l_output{this, {"output", "State that follows; default: that of the node"}};

    MultiMapping() : MultiMapping(std::index_sequence_for<Ins...>()) {}
    static std::string staticTemplateName()
    {
        std::string all;
        ((all += std::string(Ins::name()) + ','), ...);
        return all + std::string(Out::name());
    }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return statesFit(node, desc, why, sizeof...(Ins));
    }

    /// Finds the states and maps the initial positions. A subclass that overrides it calls findStates, sets up its data
    /// and gives the output its size, then calls this.
    void init() override;
    std::vector<BaseState*> inputs() const override;
    std::vector<BaseState*> outputs() const override { return {l_output.get()}; }
    State<Out>& output() const { return *l_output.get(); }
    /// Inputs of one type.
    template <class In>
    const std::vector<State<In>*>& inputsOf() const
    {
        return std::get<Group<In>>(m_groups).states.get();
    }

    // --- Written by subclasses --------------------------------------------------------------------------------------
    /// x_out = 𝒥(x_in, ...). `out` has the output's size.
    virtual void apply(OutVecCoord& out, Positions<Ins>... in) = 0;
    /// Blocks of J at the positions of the last apply. Called after each apply unless isLinear(), then once.
    virtual void buildJacobians(Jacobians<Ins>... j, Positions<Ins>... in) = 0;
    /// Adds the geometric stiffness blocks (∂(Jᵀ f)/∂x_in) of each pair of inputs for output forces f.
    virtual void buildGeometricStiffness(MatrixAccumulator&, const OutVecDeriv& /*f*/, Positions<Ins>... /*in*/) {}

    // --- Derived ----------------------------------------------------------------------------------------------------
    void apply(const MechanicalParams& mp, const MultiVecCoordId& out, const MultiVecCoordId& in) override;
    void applyJ(const MechanicalParams& mp, const MultiVecDerivId& out, const MultiVecDerivId& in) override;
    void applyJT(const MechanicalParams& mp, const MultiVecDerivId& in, const MultiVecDerivId& out) override;
    void buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    const BaseJacobian* jacobian(std::size_t output, std::size_t input) const override;
    /// The Jacobian is rebuilt at the next apply: call it when what it depends on, other than positions, changed.
    void invalidateJacobian() { m_jacobianBuilt = false; }

protected:
    /// Whether the states that a description names are of these types. Those of the first `needed` types must be named.
    static bool statesFit(const Node* node, const ComponentDescription& desc, std::string& why, std::size_t needed);
    /// Resolves the links; false, with the failure reported, if a state is missing. The inputs of the first `needed`
    /// types must be there.
    bool findStates(std::size_t needed = sizeof...(Ins));

private:
    template <std::size_t... K>
    explicit MultiMapping(std::index_sequence<K...>) : m_groups(GroupNumber<Ins>{this, K}...)
    {
    }

    template <class In>
    struct GroupNumber
    {
        MultiMapping* owner;
        std::size_t number;
    };
    template <class In>
    struct Group
    {
        explicit Group(GroupNumber<In> n) : states(n.owner, {linkName(n.number), "States that are followed"}) {}

        MultiLink<State<In>> states;
        std::vector<JacobianMatrix<In>> jacobians;
        std::vector<const typename In::VecCoord*> positions;
    };

    static constexpr const char* linkName(std::size_t group)
    {
        constexpr const char* several[] = {"input1", "input2", "input3"};
        return sizeof...(Ins) == 1 ? "input" : several[group];
    }
    template <class F>
    void forEachGroup(F f) const
    {
        std::apply([&](const auto&... g) { (f(g), ...); }, m_groups);
    }
    template <class F>
    void forEachGroup(F f)
    {
        std::apply([&](auto&... g) { (f(g), ...); }, m_groups);
    }
    void readPositions(const MultiVecCoordId& in);
    void probeJacobians(OutVecCoord& out);

    std::tuple<Group<Ins>...> m_groups;
    bool m_jacobianBuilt = false;
};

template <class Out, class... Ins>
bool MultiMapping<Out, Ins...>::statesFit(const Node* node, const ComponentDescription& desc, std::string& why,
                                          std::size_t needed)
{
    std::size_t k = 0;
    const auto fits = [&]<class In>() {
        const char* link = linkName(k);
        const bool isGiven = desc.get(link).find_first_not_of(" \t\r\n") != std::string::npos;
        return (k++ >= needed && !isGiven) || statesHaveType<In>(node, desc, link, why);
    };
    if (!(fits.template operator()<Ins>() && ...)) return false;
    if (desc.find("output")) return stateHasType<Out>(node, desc, "output", why);
    if (node->get<State<Out>>(Search::Local)) return true;
    why = "it needs an output: a state of type " + std::string(Out::name()) + " before it in its node";
    return false;
}

template <class Out, class... Ins>
bool MultiMapping<Out, Ins...>::findStates(std::size_t needed)
{
    std::string error;
    bool good = true;
    const auto failed = [&](const std::string& why) {
        this->fail(why);
        good = false;
    };
    std::size_t group = 0;
    forEachGroup([&](auto& g) {
        const bool mayLack = group++ >= needed;
        if (!good) return;
        if (!g.states.resolve(error))
            failed(std::string(g.states.name()) + ": " + error);
        else if (g.states.get().empty() && !mayLack)
            failed(std::string(g.states.name()) +
                   ": no state is given; expected paths of states, as \"@a/state @b/state\"");
    });
    if (good && !l_output.resolve(error)) failed("output: " + error);
    if (!good) return false;
    if (!l_output) l_output.set(node()->template get<State<Out>>(Search::Local));
    if (!l_output) {
        failed("it needs an output state of type " + std::string(Out::name()) + " in its node");
        return false;
    }
    m_mechanical = l_output->isMechanical();
    for (const BaseState* s : inputs()) {
        if (s == static_cast<BaseState*>(l_output.get())) failed("the output is one of the inputs");
        m_mechanical = m_mechanical && s->isMechanical();
    }
    return good;
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::init()
{
    if (!l_output && !findStates()) return;
    const std::vector<BaseState*> in = inputs();
    const auto have = [&](auto id) {
        return std::ranges::all_of(in, [&](const BaseState* s) { return s->isAllocated(id); });
    };
    const MechanicalParams mp;
    apply(mp, vec_id::position, vec_id::position);
    if (m_mechanical && output().isAllocated(vec_id::velocity) && have(vec_id::velocity))
        applyJ(mp, vec_id::velocity, vec_id::velocity);
    if (d_applyRestPosition.value() && have(vec_id::restPosition)) {
        output().allocate(vec_id::restPosition);
        apply(mp, vec_id::restPosition, vec_id::restPosition);
        if (!isLinear()) apply(mp, vec_id::position, vec_id::position);  // the Jacobian is that of the present position
    }
}

template <class Out, class... Ins>
std::vector<BaseState*> MultiMapping<Out, Ins...>::inputs() const
{
    std::vector<BaseState*> all;
    forEachGroup([&](const auto& g) { all.insert(all.end(), g.states.get().begin(), g.states.get().end()); });
    return all;
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::readPositions(const MultiVecCoordId& in)
{
    forEachGroup([&](auto& g) {
        g.positions.clear();
        for (auto* s : g.states.get()) g.positions.push_back(&s->read(in.at(*s)));
    });
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::probeJacobians(OutVecCoord& out)
{
    std::tuple<JacobianProbe<Ins>...> probes(JacobianProbe<Ins>(std::get<Group<Ins>>(m_groups).positions)...);
    OutVecDeriv jd(out.size());
    const auto add = [&](const auto& g, const auto& probe) {
        for (std::size_t k = 0; k < g.jacobians.size(); ++k) g.jacobians[k].multiply(jd, probe.directions()[k], true);
    };
    (add(std::get<Group<Ins>>(m_groups), std::get<JacobianProbe<Ins>>(probes)), ...);
    checkJacobian<Out>(
        *this, out, jd, [&](Positions<Ins>... at) { apply(out, at...); }, std::get<JacobianProbe<Ins>>(probes)...);
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::apply(const MechanicalParams&, const MultiVecCoordId& out, const MultiVecCoordId& in)
{
    readPositions(in);
    const auto y = output().write(out.at(output()));
    std::apply([&](const auto&... g) { apply(*y, Positions<Ins>(g.positions)...); }, m_groups);
    if (!m_mechanical) return;
    if (!m_jacobianBuilt || !isLinear()) {
        forEachGroup([](auto& g) { g.jacobians.resize(g.positions.size()); });
        std::apply([&](auto&... g) { buildJacobians(Jacobians<Ins>(g.jacobians)..., Positions<Ins>(g.positions)...); },
                   m_groups);
        m_jacobianBuilt = true;
    }
    if (d_checkJacobian.value()) probeJacobians(*y);
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    const auto y = output().write(out.at(output()));
    bool accumulate = false;
    forEachGroup([&](auto& g) {
        for (std::size_t k = 0; k < g.jacobians.size(); ++k) {
            const auto& s = *g.states.get()[k];
            g.jacobians[k].multiply(*y, s.read(in.at(s)), accumulate);
            accumulate = true;
        }
    });
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    const auto& f = output().read(out.at(output()));
    forEachGroup([&](auto& g) {
        for (std::size_t k = 0; k < g.jacobians.size(); ++k) {
            auto& s = *g.states.get()[k];
            g.jacobians[k].addTransposed(*s.write(in.at(s)), f);
        }
    });
}

template <class Out, class... Ins>
void MultiMapping<Out, Ins...>::buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k)
{
    if (!hasGeometricStiffness()) return;
    readPositions(mp.x);
    std::apply(
        [&](const auto&... g) {
            buildGeometricStiffness(k, output().read(mp.f.at(output())), Positions<Ins>(g.positions)...);
        },
        m_groups);
}

template <class Out, class... Ins>
const BaseJacobian* MultiMapping<Out, Ins...>::jacobian(std::size_t, std::size_t input) const
{
    const BaseJacobian* found = nullptr;
    forEachGroup([&](const auto& g) {
        if (!found && input < g.jacobians.size()) found = &g.jacobians[input];
        input -= std::min(input, g.jacobians.size());
    });
    return found;
}

}  // namespace sofa::core
