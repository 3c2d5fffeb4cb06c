// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/behavior/StateLookup.h"

namespace sofa::core {

/// State that a component of this node works on: the link `name` of the description if it is set, else the node's (or
/// the nearest ancestor's), with the tags of the description if there are several. Used by canCreate; nullptr, with the
/// reason in `why`, if there is none.
BaseState* findStateFor(const Node* node, const ComponentDescription& desc, std::string_view linkName,
                        std::string& why);

/// canCreate for classes that need a state of type DataTypes.
template <class DataTypes>
bool stateHasType(const Node* node, const ComponentDescription& desc, std::string_view linkName, std::string& why)
{
    BaseState* s = findStateFor(node, desc, linkName, why);
    if (!s) return false;
    if (dynamic_cast<State<DataTypes>*>(s)) return true;
    why =
        "the state '" + s->pathName() + "' is of type " + s->templateName() + ", not " + std::string(DataTypes::name());
    return false;
}

/// A force field or constraint on one state with coordinates of type DataTypes: the link to it, how it is found, and
/// how the factory tells whether the class fits.
template <class Base, class DataTypes>
class OnState : public Base
{
public:
    Link<State<DataTypes>> l_state{this, {"mstate", "State that it acts on; default: that of the node"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "mstate", why);
    }
    /// Finds the state. Subclasses that override init call it first and return if !isValid().
    void init() override
    {
        std::string error;
        if (!l_state.resolve(error)) return this->fail("mstate: " + error);
        if (!l_state)
            l_state.set(findMechanicalState<State<DataTypes>>(*this->node(), Search::Up, this->d_tags.value()));
        if (!l_state)
            this->fail("it needs a MechanicalObject of type " + std::string(DataTypes::name()) +
                       " in its node or above");
    }
    std::vector<BaseState*> states() const override { return {l_state.get()}; }
    State<DataTypes>& state() const { return *l_state.get(); }
};

/// The same between two states of one type, which may be one state.
template <class Base, class DataTypes>
class OnTwoStates : public Base
{
public:
    Link<State<DataTypes>> l_state1{this, {"object1", "First state; default: that of the node"}};
    Link<State<DataTypes>> l_state2{this, {"object2", "Second state; default: the first one"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "object1", why) &&
               (!desc.find("object2") || stateHasType<DataTypes>(node, desc, "object2", why));
    }
    void init() override
    {
        std::string error;
        if (!l_state1.resolve(error)) return this->fail("object1: " + error);
        if (!l_state2.resolve(error)) return this->fail("object2: " + error);
        if (!l_state1)
            l_state1.set(findMechanicalState<State<DataTypes>>(*this->node(), Search::Up, this->d_tags.value()));
        if (!l_state1)
            return this->fail("it needs object1, or a MechanicalObject of type " + std::string(DataTypes::name()) +
                              " in its node or above");
        if (!l_state2) l_state2.set(l_state1.get());
    }
    /// Each state once.
    std::vector<BaseState*> states() const override
    {
        if (l_state1.get() == l_state2.get()) return {l_state1.get()};
        return {l_state1.get(), l_state2.get()};
    }
    State<DataTypes>& state1() const { return *l_state1.get(); }
    State<DataTypes>& state2() const { return *l_state2.get(); }
};

}  // namespace sofa::core
