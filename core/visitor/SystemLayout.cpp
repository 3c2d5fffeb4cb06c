// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/SystemLayout.h"

#include <algorithm>

namespace sofa::core {

void SystemLayout::set(const ExecutionPlan& plan)
{
    m_entries.clear();
    m_size = 0;
    bool threes = true, twos = true;
    for (BaseState* s : plan.independentStates()) {
        m_entries.push_back({s, m_size, static_cast<int>(s->derivScalars())});
        m_size += m_entries.back().size;
        threes = threes && s->derivSize() % 3 == 0;
        twos = twos && s->derivSize() % 2 == 0;
    }
    m_blockSize = threes ? 3 : twos ? 2 : 1;
}

bool SystemLayout::fits(const ExecutionPlan& plan) const
{
    return std::ranges::equal(m_entries, plan.independentStates(), [](const Entry& e, const BaseState* s) {
        return e.state == s && e.size == static_cast<int>(s->derivScalars());
    });
}

const SystemLayout::Entry* SystemLayout::find(const BaseState& s) const
{
    const auto it = std::ranges::find(m_entries, &s, &Entry::state);
    return it == m_entries.end() ? nullptr : &*it;
}

void SystemLayout::gather(const MultiVecDerivId& v, double* out) const
{
    for (const Entry& e : m_entries) e.state->getScalars(v.at(*e.state), out + e.offset);
}

void SystemLayout::scatter(const double* in, const MultiVecDerivId& v) const
{
    for (const Entry& e : m_entries) e.state->setScalars(v.at(*e.state), in + e.offset);
}

std::string SystemLayout::describe(int scalar) const
{
    for (const Entry& e : m_entries) {
        if (scalar < e.offset || scalar >= e.offset + e.size) continue;
        const int local = scalar - e.offset, d = static_cast<int>(e.state->derivSize());
        return e.state->pathName() + ", point " + std::to_string(local / d) + ", component " +
               std::to_string(local % d);
    }
    return "scalar " + std::to_string(scalar);
}

}  // namespace sofa::core
