// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/DataExchange.h"
#include "components/engine/ListTypes.h"
#include "core/behavior/BaseState.h"
#include "core/behavior/Solvers.h"

namespace sofa::component {

namespace {

/// The type of the Data that are exchanged: a list of its entries, or a single value.
template <class T>
struct Exchanged
{
    using Value = T;
    static std::string name() { return TypeName<T>::get() + "Value"; }
};
template <class T>
struct Exchanged<Vector<T>>
{
    using Value = Vector<T>;
    static std::string name() { return listTemplate<T>(); }
};

/// Copies a Data to another one when the scene starts, after each step, and after a reset. Unlike a link from one to
/// the other it copies at these times only: two parts of a scene may depend on each other so, each on the other as it
/// was after the last step.
///
/// With a loop that says when (AnimationLoopParallelScheduler) it copies then, after the last part of the scene has
/// made the step. SOFA does not copy at all with other loops. Templates are named by the entries of lists; those of
/// single values end in "Value". Without `template` it is that of `from`.
template <class T>
class DataExchange final : public Component
{
public:
    static std::string staticTemplateName() { return Exchanged<T>::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        const BaseData* d = linkedData(node, desc, "from");
        if (!d || d->typeName() == TypeName<T>::get()) return true;
        why = "from: " + d->ddgName() + " is a " + d->typeName() + ", not a " + TypeName<T>::get();
        return false;
    }

    Data<T> d_from{this, {.name = "from", .help = "Link to the Data that is copied", .unit = "1"}};
    Data<T> d_to{this, {.name = "to", .help = "Link to the Data that gets its value", .unit = "1"}};

    DataExchange() { d_listening.setDefault(true); }

    void init() override
    {
        for (const Data<T>* d : {&d_from, &d_to})
            if (!d->parent()) return fail(d->name() + ": it must be a link to a Data, as in \"@other.position\"");
        if (!target()) {
            const BaseData& to = *d_to.parent();
            return fail("to: " + to.ddgName() + " is a " + to.typeName() + ", not a " + TypeName<T>::get());
        }
        if (target()->isReadOnly() || target()->parent())
            return fail("to: " + target()->ddgName() + " is computed, and cannot be written");
    }
    void bwdInit() override { copy(); }
    void reset() override { copy(); }
    void handleEvent(const Event& e) override
    {
        if (dynamic_cast<const DataExchangeEvent*>(&e) || (dynamic_cast<const AnimateEndEvent*>(&e) && !isTold()))
            copy();
    }

private:
    /// Whether the loop of the scene says when to copy.
    bool isTold() const
    {
        return dynamic_cast<const DataExchangeSender*>(node()->root().template get<AnimationLoop>(Search::Local)) !=
               nullptr;
    }
    /// The Data at the other end of the link; none where it left the scene.
    Data<T>* target() const { return dynamic_cast<Data<T>*>(d_to.parent()); }
    void copy()
    {
        if (!isValid() || !d_from.parent() || !target()) return;
        const T& value = d_from.value();
        if constexpr (IsList<T>::value) {
            // The vectors of a state are as long as it has points.
            const auto* state = dynamic_cast<const BaseState*>(target()->owner());
            if (state && target()->value().size() == state->size() && value.size() != state->size())
                return fail("from: there are " + std::to_string(value.size()) + " entries; the state '" +
                            state->pathName() + "' has " + std::to_string(state->size()) + " points");
        }
        target()->setValue(value);
    }
};

const RegisterComponent registeredDataExchange =
    RegisterComponent("DataExchange", "Miscellaneous", "MultiThreading")
        .help("Copies a Data to another one after each step")
        .example("component/engine/DataExchange.scn")
        .add<DataExchange, Vector<Vec3>, Vector<Vec2>, Vector<double>, Vector<int>, Vector<Index>, Vector<RigidCoord3>,
             Vec3, double, bool>();

}  // namespace

}  // namespace sofa::component
