// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sofa::core {

class Base;

/// Thrown when a dependency would close a cycle; the text names the whole path of the cycle.
struct CycleError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Thrown to those who read a value that could not be computed; the text names what failed, and why.
struct DataError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Node of the data dependency graph.
///
/// Data and engines are its nodes: a Data linked to another depends on it, an engine depends on its input Data, and its
/// output Data depend on the engine. A change marks everything downstream dirty, at once and only until the first node
/// that is dirty already; values are recomputed only when they are read (pull). Invariant: if a node is dirty, all
/// nodes downstream of it are dirty.
///
/// Any number of threads may read while none writes: the first reader of a dirty node updates it, the others wait. A
/// node whose update failed stays dirty. Readers get its DataError, without another attempt until an input changes.
class DdgNode
{
public:
    DdgNode() = default;
    virtual ~DdgNode();
    DdgNode(const DdgNode&) = delete;
    DdgNode& operator=(const DdgNode&) = delete;

    /// Makes this node depend on `input`, and dirty. Throws CycleError if `input` depends on this node.
    void addDependency(DdgNode& input);
    void removeDependency(DdgNode& input);
    /// The input leaves the scene: this node keeps the value that it has, and depends on the input no more.
    virtual void lose(DdgNode& input) { removeDependency(input); }

    const std::vector<DdgNode*>& inputs() const { return m_neighbours ? m_neighbours->inputs : none(); }
    const std::vector<DdgNode*>& outputs() const { return m_neighbours ? m_neighbours->outputs : none(); }

    bool isDirty() const { return m_state.load(std::memory_order_relaxed) != Status::Clean; }
    /// Marks this node and everything downstream as out of date.
    void setDirty();
    /// Marks everything downstream, not this node, as out of date: called after this node's value was written.
    void setOutputsDirty();
    /// Brings this node up to date if it is dirty. Throws DataError if that fails.
    void updateIfDirty() const
    {
        if (m_state.load(std::memory_order_acquire) != Status::Clean) const_cast<DdgNode*>(this)->runUpdate();
    }
    /// Name for messages, e.g. "/body/box.indices".
    virtual std::string ddgName() const = 0;
    /// The object to which this node belongs; nullptr if it belongs to none.
    virtual const Base* ddgOwner() const { return nullptr; }

protected:
    /// Before the inputs are brought up to date, for update(): they can still change.
    virtual void prepareInputs() {}
    /// Recomputes the value from the inputs, which are up to date.
    virtual void update() = 0;
    /// The value was written.
    void clearDirty();
    /// Whether becameDirty is called.
    bool isWatched() const { return m_watched; }
    void setWatched(bool on) { m_watched = on; }
    virtual void becameDirty() {}

private:
    struct Neighbours
    {
        std::vector<DdgNode*> inputs, outputs;
        std::string failure;  ///< of the last update
    };
    enum class Status : std::uint8_t
    {
        Clean,
        Dirty,
        Failed,   ///< dirty, and no input has changed since the update failed
        Updating  ///< by one thread; the others wait
    };
    static const std::vector<DdgNode*>& none();
    Neighbours& neighbours();
    void runUpdate();

    std::unique_ptr<Neighbours> m_neighbours;  ///< few nodes have some
    std::atomic<Status> m_state{Status::Clean};
    bool m_changedMeanwhile = false;  ///< an input changed while this node was updated
    bool m_watched = false;
};

}  // namespace sofa::core
