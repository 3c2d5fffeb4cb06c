// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <exception>

#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"
#include "core/objectmodel/Link.h"

namespace sofa::core {

class DrawTool;
struct ComponentEntry;

/// Axis-aligned box; invalid (empty) until a point is included.
struct BoundingBox
{
    Vec3 low = Vec3::filled(std::numeric_limits<double>::infinity());
    Vec3 high = Vec3::filled(-std::numeric_limits<double>::infinity());

    bool valid() const { return low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]; }
    void include(const Vec3& p)
    {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = p[i] < low[i] ? p[i] : low[i];
            high[i] = p[i] > high[i] ? p[i] : high[i];
        }
    }
    void include(const BoundingBox& b)
    {
        if (!b.valid()) return;
        include(b.low);
        include(b.high);
    }
};

/// Whether a scene wants exact numbers or SOFA's, where these differ by SOFA's rounding (the root's `compatibility`).
enum class Compatibility
{
    Exact,
    Sofa
};

/// An object that lives in a node and has one job.
///
/// Life cycle: parse → (links resolved) → init, top-down through the graph, in the order of the scene → bwdInit,
/// bottom-up → storeResetState → steps → cleanup. reinit after a parameter was edited; reset returns to the stored
/// state. When the scene was changed between steps, all components are reset and initialised once more, and get the
/// state back that they had (Simulation::settle): init must do the same again then.
class Component : public Base
{
public:
    ~Component() override = default;

    std::string className() const override;
    std::string templateName() const override;
    std::string pathName() const override;
    Node* linkContext() const override { return m_node; }
    void dataChanged(const BaseData& d) override;
    /// Node that holds this component; nullptr while it is in none.
    Node* node() const { return m_node; }
    /// That of the node's root; exact without a node.
    Compatibility compatibility() const;

    virtual void init() {}
    virtual void bwdInit() {}
    /// After Data were edited.
    virtual void reinit() {}
    virtual void storeResetState() {}
    virtual void reset() {}
    virtual void cleanup() {}
    virtual void handleEvent(const Event&) {}
    /// Saves or loads what a step changes and init does not recompute, so that a run continues bit for bit.
    virtual void archive(Archive&) {}
    /// Writes down what viewers show of the component. Called between steps; nothing that a step depends on may change.
    virtual void draw(DrawTool&) {}
    /// Extent [m] of what the component shows; invalid when it has none.
    virtual BoundingBox boundingBox() const { return {}; }
    /// Whether a loader beside it, to which nothing refers, gives it positions and elements, as in scenes of SOFA
    /// before 2011.
    virtual bool takesLooseMesh() const { return false; }
    /// Whether steps change its lists, as those of a state.
    virtual bool hasStateVectors() const { return false; }

    /// False once the component reported that it cannot work; then the simulation does not start.
    bool isValid() const { return m_valid; }
    /// Reports an error that the user must fix, and marks the component as unable to work.
    void fail(std::string text);
    /// The same, with what went wrong in words for a user.
    void fail(const std::exception& e);
    /// Reports a mistake that SOFA tolerates; `instead` says what is done about it ("the shorter list counts"). In a
    /// scene that was opened leniently (Node::isLenient) this is a warning, and the result is true: go on so.
    /// Otherwise it is fail(text).
    bool tolerate(std::string text, std::string_view instead);
    void setValid(bool on);
    /// Whether init and bwdInit were done, without failure the last time.
    bool isInitialised() const { return m_initialised; }
    void setInitialised(bool on) { m_initialised = on; }
    /// Calls a function of initialisation, and remembers what it makes of the Data of this component.
    void initialise(void (Component::*function)());
    /// Before the component is initialised once more: Data that initialisation made are again what they were before,
    /// but not those that others have changed since. The vectors of states always are. A class that notes in members
    /// what is done once takes that back here.
    virtual void undoInit();

protected:
    /// A number of an attribute that is no Data. SOFA reads these in single precision: rounded so if the scene wants
    /// SOFA's numbers. Throws std::runtime_error with what was expected.
    double readAttribute(std::string_view text) const;

public:
    /// Whether this class can be created at that place of the scene; templates are chosen with it. Overridden (hidden)
    /// by base classes that need a state of their type; `why` then says what was missing.
    static bool canCreate(const Node*, const ComponentDescription&, std::string&) { return true; }

private:
    Node* m_node = nullptr;
    bool m_valid = true, m_initialised = false;
    std::shared_ptr<const ComponentEntry> m_entry;  ///< that made it; nullptr where C++ did
    unsigned m_creator = 0;                         ///< of the entry
    struct BeforeInit
    {
        BaseData* data;
        std::shared_ptr<void> value;  ///< nullptr: it followed another one
        std::string path;             ///< of that
        std::size_t changes;          ///< changeCount after initialisation
        bool isSet, always;
    };
    void rememberBefore(std::vector<BeforeInit> before);
    std::vector<BeforeInit> m_beforeInit;
    friend class Node;
    friend class Registry;
};

}  // namespace sofa::core
