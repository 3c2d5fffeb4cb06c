// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/DataText.h"

namespace sofa::core {

class Node;

/// What a solver acts on: a node and everything below it, or, with tags, of these what belongs to the tags
/// (ExecutionPlan says what that is). A value of two pointers; tags live as long as the process.
class SolverScope
{
public:
    SolverScope() = default;
    SolverScope(Node& node) : m_node(&node) {}  // NOLINT(google-explicit-constructor): a node stands for all of it
    SolverScope(Node& node, const TagSet& tags);

    Node& node() const { return *m_node; }
    /// None: everything.
    const TagSet& tags() const;
    bool operator==(const SolverScope&) const = default;

private:
    Node* m_node = nullptr;
    const TagSet* m_tags = nullptr;  ///< one address for equal sets, null for none
};

}  // namespace sofa::core
