// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DdgNode.h"

#include <algorithm>

namespace sofa::core {

DdgNode::~DdgNode()
{
    for (DdgNode* i : m_inputs) std::erase(i->m_outputs, this);
    for (DdgNode* o : m_outputs) std::erase(o->m_inputs, this);
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
    if (std::find(m_inputs.begin(), m_inputs.end(), &input) != m_inputs.end()) return;
    std::vector<const DdgNode*> visited, path;
    if (findChain(this, &input, visited, path)) {
        std::string text = "cyclic dependency: ";
        for (const DdgNode* n : path) text += n->ddgName() + " -> ";
        throw CycleError(text + ddgName());
    }
    m_inputs.push_back(&input);
    input.m_outputs.push_back(this);
    setDirty();
}

void DdgNode::removeDependency(DdgNode& input)
{
    std::erase(m_inputs, &input);
    std::erase(input.m_outputs, this);
}

void DdgNode::setDirty()
{
    if (m_dirty) return;
    m_dirty = true;
    setOutputsDirty();
}

void DdgNode::setOutputsDirty()
{
    for (DdgNode* o : m_outputs) o->setDirty();
}

void DdgNode::runUpdate()
{
    // Inputs first, while this node still counts as dirty: what they mark when they change stops here. Otherwise the
    // node would end up dirty with clean outputs, and hide later changes from them.
    for (std::size_t i = 0; i < m_inputs.size(); ++i) m_inputs[i]->updateIfDirty();
    m_dirty = false;
    update();
}

}  // namespace sofa::core
