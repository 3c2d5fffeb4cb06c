// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DdgNode.h"

#include <algorithm>
#include <utility>

#include "core/log/Reason.h"

namespace sofa::core {

DdgNode::~DdgNode()
{
    for (DdgNode* i : inputs()) std::erase(i->m_neighbours->outputs, this);
    for (DdgNode* o : outputs()) std::erase(o->m_neighbours->inputs, this);
}

const std::vector<DdgNode*>& DdgNode::none()
{
    static const std::vector<DdgNode*> empty;
    return empty;
}

DdgNode::Neighbours& DdgNode::neighbours()
{
    if (!m_neighbours) m_neighbours = std::make_unique<Neighbours>();
    return *m_neighbours;
}

namespace {

/// Depth-first search for a chain of dependencies that leads from `from` down to `to`; fills `path` with it.
bool findChain(const DdgNode* from, const DdgNode* to, std::vector<const DdgNode*>& visited,
               std::vector<const DdgNode*>& path)
{
    path.push_back(from);
    if (from == to) return true;
    if (std::find(visited.begin(), visited.end(), from) == visited.end()) {
        visited.push_back(from);
        for (const DdgNode* o : from->outputs())
            if (findChain(o, to, visited, path)) return true;
    }
    path.pop_back();
    return false;
}

}  // namespace

void DdgNode::addDependency(DdgNode& input)
{
    if (std::find(inputs().begin(), inputs().end(), &input) != inputs().end()) return;
    std::vector<const DdgNode*> visited, path;
    if (findChain(this, &input, visited, path)) {
        std::string text = "cyclic dependency: ";
        for (const DdgNode* n : path) text += n->ddgName() + " -> ";
        throw CycleError(text + ddgName());
    }
    Neighbours &own = neighbours(), &others = input.neighbours();
    own.inputs.push_back(&input);
    try {
        others.outputs.push_back(this);
    } catch (...) {
        own.inputs.pop_back();
        throw;
    }
    setDirty();
}

void DdgNode::removeDependency(DdgNode& input)
{
    if (m_neighbours) std::erase(m_neighbours->inputs, &input);
    if (input.m_neighbours) std::erase(input.m_neighbours->outputs, this);
}

void DdgNode::setDirty()
{
    switch (m_state.load(std::memory_order_relaxed)) {
        case Status::Dirty:
            return;
        case Status::Failed:  // what is downstream is dirty
            m_state.store(Status::Dirty, std::memory_order_relaxed);
            return;
        case Status::Updating:
            if (std::exchange(m_changedMeanwhile, true)) return;
            break;
        case Status::Clean:
            m_state.store(Status::Dirty, std::memory_order_relaxed);
    }
    setOutputsDirty();
    if (m_watched) becameDirty();
}

void DdgNode::setOutputsDirty()
{
    for (DdgNode* o : outputs()) o->setDirty();
}

namespace {

/// The nodes that this thread updates now, inputs first, the innermost at the beginning.
struct Updates
{
    explicit Updates(const DdgNode& n);
    ~Updates();
    Updates(const Updates&) = delete;
    Updates& operator=(const Updates&) = delete;
    static bool contain(const DdgNode& n);

    const DdgNode* node;
    const Updates* outer;
};
thread_local const Updates* updates = nullptr;

Updates::Updates(const DdgNode& n) : node(&n), outer(updates) { updates = this; }
Updates::~Updates() { updates = outer; }

bool Updates::contain(const DdgNode& n)
{
    for (const Updates* u = updates; u; u = u->outer)
        if (u->node == &n) return true;
    return false;
}

}  // namespace

void DdgNode::clearDirty()
{
    // What one of its inputs writes, while this node waits for them, is not yet what it makes of all of them.
    if (m_state.load(std::memory_order_relaxed) != Status::Updating && !Updates::contain(*this))
        m_state.store(Status::Clean, std::memory_order_release);
}

void DdgNode::runUpdate()
{
    if (Updates::contain(*this)) return;  // an engine that reads its own outputs gets what it has written
    const Updates here(*this);
    prepareInputs();
    // Inputs first, while this node still counts as dirty: what they mark when they change stops here. Otherwise the
    // node would end up dirty with clean outputs, and hide later changes from them.
    for (std::size_t i = 0; i < inputs().size(); ++i) inputs()[i]->updateIfDirty();
    for (;;) {
        Status now = m_state.load(std::memory_order_acquire);
        if (now == Status::Clean) return;  // another thread was faster
        if (now == Status::Failed) throw DataError(m_neighbours->failure);
        if (now == Status::Updating)
            m_state.wait(Status::Updating, std::memory_order_acquire);
        else if (m_state.compare_exchange_strong(now, Status::Updating, std::memory_order_acq_rel))
            break;
    }
    m_changedMeanwhile = false;
    const auto end = [this](Status as) {
        m_state.store(as, std::memory_order_release);
        m_state.notify_all();
    };
    try {
        update();
    } catch (const std::exception& e) {
        const std::string reason = reasonOf(e);
        neighbours().failure = reason;
        setOutputsDirty();  // also those that were written before it failed
        end(m_changedMeanwhile ? Status::Dirty : Status::Failed);
        throw DataError(reason);
    } catch (...) {
        end(Status::Dirty);
        throw;
    }
    end(m_changedMeanwhile ? Status::Dirty : Status::Clean);
}

}  // namespace sofa::core
