// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseForceField.h"
#include "core/behavior/State.h"

namespace sofa::core {

/// State that a component of this node works on: the link `name` of the description if it is set, else the node's (or
/// the nearest ancestor's). Used by canCreate; nullptr, with the reason in `why`, if there is none.
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

/// Force field on one state with coordinates of type DataTypes.
template <class DataTypes>
class ForceField : public BaseForceField
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    Link<State<DataTypes>> l_state{this, {"mstate", "State on which the force acts; default: that of the node"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "mstate", why);
    }

    /// Finds the state. Subclasses that override init call it first and return if !isValid().
    void init() override;
    std::vector<BaseState*> states() const override { return {l_state.get()}; }
    State<DataTypes>& state() const { return *l_state.get(); }

    void addForce(const MechanicalParams& mp, const MultiVecDerivId& f) override;
    void buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    void buildDamping(const MechanicalParams& mp, MatrixAccumulator& b) override;

    /// f += force at positions x and velocities v.
    virtual void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) = 0;
    /// Adds the blocks of ∂f/∂x at the state of the last addForce.
    virtual void buildStiffness(const MechanicalParams& mp, BlockSink& k) = 0;
    /// Adds the blocks of ∂f/∂v; override hasDamping too.
    virtual void buildDamping(const MechanicalParams&, BlockSink&) {}
    virtual double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const = 0;
    double potentialEnergy(const MechanicalParams& mp) const override;
};

/// Force field between two states of the same type (which may be one state).
template <class DataTypes>
class PairInteractionForceField : public BaseForceField
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    Link<State<DataTypes>> l_state1{this, {"object1", "First state; default: that of the node"}};
    Link<State<DataTypes>> l_state2{this, {"object2", "Second state; default: the first one"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "object1", why) &&
               stateHasType<DataTypes>(node, desc, "object2", why);
    }

    void init() override;
    std::vector<BaseState*> states() const override;
    bool isInteraction() const override { return true; }
    State<DataTypes>& state1() const { return *l_state1.get(); }
    State<DataTypes>& state2() const { return *l_state2.get(); }

    void addForce(const MechanicalParams& mp, const MultiVecDerivId& f) override;
    /// Adds the forces on both states; when the two states are one, f1 and f2 are the same vector.
    virtual void addForce(const MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                          const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2) = 0;
    virtual double potentialEnergy(const MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const = 0;
    double potentialEnergy(const MechanicalParams& mp) const override;
};

extern template class ForceField<Vec1Types>;
extern template class ForceField<Vec2Types>;
extern template class ForceField<Vec3Types>;
extern template class ForceField<Vec6Types>;
extern template class ForceField<Rigid2Types>;
extern template class ForceField<Rigid3Types>;
extern template class PairInteractionForceField<Vec1Types>;
extern template class PairInteractionForceField<Vec2Types>;
extern template class PairInteractionForceField<Vec3Types>;
extern template class PairInteractionForceField<Vec6Types>;
extern template class PairInteractionForceField<Rigid2Types>;
extern template class PairInteractionForceField<Rigid3Types>;

}  // namespace sofa::core
