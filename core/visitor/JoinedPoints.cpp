// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/JoinedPoints.h"

#include <algorithm>
#include <unordered_map>

namespace sofa::core {

namespace {

/// Who holds each scalar.
class Holders final : public EliminationSink
{
public:
    Holders(const SystemLayout& layout) : m_layout(layout) {}

    void take(const BaseProjectiveConstraint& c)
    {
        m_constraint = &c;
        c.eliminate(*this);
    }
    void eliminate(const BaseState& s, Index i, std::size_t k) override
    {
        if (m_layout.find(s)) hold(s, i, k, false);
    }
    void project(const BaseState& s, Index i, const double*) override
    {
        for (std::size_t k = 0; k < s.derivSize(); ++k) eliminate(s, i, k);
    }
    void join(const BaseState& s1, Index i1, const BaseState& s2, Index i2, std::size_t k) override
    {
        for (const BaseState* s : {&s1, &s2})
            if (!m_layout.find(*s))
                throw std::runtime_error(name(*m_constraint) + ": '" + s->pathName() +
                                         "' is no unknown of the solver of the other state; both need the same one");
        hold(s1, i1, k, true);
        hold(s2, i2, k, true);
    }

private:
    struct Holder
    {
        const BaseProjectiveConstraint* constraint;
        bool joins;
    };
    static std::string name(const BaseProjectiveConstraint& c) { return c.pathName() + " (" + c.className() + ")"; }
    void hold(const BaseState& s, Index i, std::size_t k, bool joins)
    {
        const auto [at, isNew] = m_holders.try_emplace(m_layout.find(s)->scalar(i, k), Holder{m_constraint, joins});
        if (isNew || (!joins && !at->second.joins)) return;
        throw std::runtime_error(name(*m_constraint) + ": point " + std::to_string(i) + " of '" + s.pathName() +
                                 "' is held by " + name(*at->second.constraint) +
                                 " as well; a point that is joined with another one can be in one pair only, and no "
                                 "other projective constraint may hold it (a BilateralLagrangianConstraint may)");
    }
    const SystemLayout& m_layout;
    const BaseProjectiveConstraint* m_constraint = nullptr;
    std::unordered_map<int, Holder> m_holders;
};

}  // namespace

const BaseProjectiveConstraint* joiningConstraint(const ExecutionPlan& plan)
{
    const auto& all = plan.constraints();
    const auto at = std::ranges::find_if(all, [](const auto* c) { return c->joinsPoints(); });
    return at == all.end() ? nullptr : *at;
}

void checkJoinedPoints(const ExecutionPlan& plan, const SystemLayout& layout)
{
    if (!joiningConstraint(plan)) return;
    Holders holders(layout);
    for (const BaseProjectiveConstraint* c : plan.constraints()) holders.take(*c);
}

}  // namespace sofa::core
