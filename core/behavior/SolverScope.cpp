// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/SolverScope.h"

#include <mutex>

namespace sofa::core {

namespace {

/// The one copy of these tags. Scenes have few, so that none is ever given up.
const TagSet& uniqueTags(const TagSet& tags)
{
    static std::mutex mutex;
    static std::set<TagSet> all;
    const std::lock_guard lock(mutex);
    const auto known = all.find(tags);
    return known != all.end() ? *known : *all.insert(tags).first;
}

}  // namespace

SolverScope::SolverScope(Node& node, const TagSet& tags)
    : m_node(&node), m_tags(tags.empty() ? nullptr : &uniqueTags(tags))
{
}

const TagSet& SolverScope::tags() const
{
    static const TagSet none;
    return m_tags ? *m_tags : none;
}

}  // namespace sofa::core
