// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Node.h"

namespace sofa::core {

/// The active nodes at and below a root, listed again only when the structure changed or a node was switched on or off:
/// what is asked for in every frame needs no memory of its own then.
class ActiveNodes
{
public:
    /// Brings the list up to date; true if it is a new one.
    bool update(Node& root)
    {
        if (m_root == &root && m_version == root.version()) return false;
        m_root = &root;
        m_version = root.version();
        m_active = root.descendants();
        return true;
    }
    /// In the order of Node::descendants.
    const std::vector<Node*>& nodes() const { return m_active; }

private:
    const Node* m_root = nullptr;
    std::size_t m_version = 0;  ///< versions of different nodes are never the same
    std::vector<Node*> m_active;
};

}  // namespace sofa::core
