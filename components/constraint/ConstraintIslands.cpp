// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/ConstraintIslands.h"

#include <algorithm>
#include <stdexcept>

#include "core/parallel/Parallel.h"

namespace sofa::component {

using namespace core;

namespace {

/// The matrices of all islands of a compliance that is not built, once one of them is needed.
class BuiltIslands
{
public:
    BuiltIslands(const ConstraintProblem& p, std::span<const int> islandOf) : m_problem(p), m_islandOf(islandOf) {}
    const ComplianceMatrix& of(std::size_t island)
    {
        if (m_parts.empty()) {
            ComplianceMatrix whole;
            whole.begin(m_problem.w.starts());
            m_problem.products->build(whole);
            m_parts = whole.split(m_islandOf);
        }
        return m_parts[island];
    }

private:
    const ConstraintProblem& m_problem;
    std::span<const int> m_islandOf;
    std::vector<ComplianceMatrix> m_parts;
};

/// Products with the rows of one island.
class IslandProducts final : public ComplianceProducts
{
public:
    IslandProducts(ComplianceProducts& all, BuiltIslands& built, std::size_t island)
        : m_all(all), m_built(built), m_island(island)
    {
    }
    void addRows(int first, int n)
    {
        for (int i = 0; i < n; ++i) m_rows.push_back(first + i);
    }
    void addProduct(int first, int n, double* d) const override { m_all.addProduct(rowOf(first), n, d); }
    void changeForce(int first, int n, const double* change) override { m_all.changeForce(rowOf(first), n, change); }
    void startFrom(const Vector<double>&) override { throw std::logic_error("SOFA's contact solver has no islands"); }
    void build(ComplianceMatrix& w) const override { w = m_built.of(m_island); }

private:
    int rowOf(int first) const { return m_rows[static_cast<std::size_t>(first)]; }

    ComplianceProducts& m_all;
    BuiltIslands& m_built;
    std::size_t m_island;
    Vector<int> m_rows;  ///< of the whole problem
};

struct Island
{
    ConstraintProblem problem;
    std::unique_ptr<IslandProducts> products;
    std::vector<std::size_t> groups;  ///< of the whole problem
    ConstraintOutcome outcome;
};

/// Calls f(group of the whole problem, group of the island).
template <class F>
void forGroups(const ConstraintProblem& p, Island& island, F f)
{
    for (std::size_t k = 0; k < island.groups.size(); ++k) f(p.groups[island.groups[k]], island.problem.groups[k]);
}

/// The problem of an island; `w`: its compliance, if that is built.
void fill(const ConstraintProblem& p, Island& island, ComplianceMatrix* w)
{
    std::vector<ConstraintLaw*> laws;
    for (const std::size_t g : island.groups) laws.push_back(p.groups[g].law);
    ConstraintProblem& own = island.problem;
    own.begin(laws, island.products.get());
    if (w) own.w = std::move(*w);
    forGroups(p, island, [&](const ConstraintProblem::Group& from, const ConstraintProblem::Group& to) {
        const int n = from.law->size();
        std::copy_n(p.dFree.data() + from.first, n, own.dFree.data() + to.first);
        std::copy_n(p.force.data() + from.first, n, own.force.data() + to.first);
        if (!island.products) return;
        island.products->addRows(from.first, n);
        const ComplianceBlock block = p.block(from);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) own.w.add(to.first + i, to.first + j, block(i, j));
    });
}

ConstraintOutcome joined(const std::vector<Island>& islands)
{
    ConstraintOutcome all;
    for (const Island& i : islands) {
        const ConstraintOutcome& o = i.outcome;
        all.error += o.error;
        all.iterations = std::max(all.iterations, o.iterations);
        all.converged = all.converged && o.converged;
        if (all.errors.size() < o.errors.size()) all.errors.resize(o.errors.size(), 0.);
        for (std::size_t k = 0; k < o.errors.size(); ++k) all.errors[k] += o.errors[k];
        if (o.diverged && !all.diverged) all.best = o.best;
        all.diverged = all.diverged || o.diverged;
    }
    return all;
}

}  // namespace

ConstraintOutcome solveByIslands(ConstraintProblem& p,
                                 const std::function<ConstraintOutcome(ConstraintProblem&)>& solve)
{
    const Vector<int> islandOf = p.products ? p.products->islands() : p.w.islands();
    const int count = islandOf.empty() ? 1 : *std::ranges::max_element(islandOf) + 1;
    if (count == 1) return solve(p);
    std::vector<Island> islands(static_cast<std::size_t>(count));
    for (std::size_t g = 0; g < islandOf.size(); ++g)
        islands[static_cast<std::size_t>(islandOf[g])].groups.push_back(g);
    BuiltIslands built(p, islandOf);
    std::vector<ComplianceMatrix> parts;
    if (!p.products) parts = p.w.split(islandOf);
    // Bodies that apply their compliance themselves are not made for several threads.
    parallelFor(0, islands.size(), p.products ? islands.size() : 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Island& island = islands[k];
            if (p.products) island.products = std::make_unique<IslandProducts>(*p.products, built, k);
            fill(p, island, p.products ? nullptr : &parts[k]);
            island.outcome = solve(island.problem);
            forGroups(p, island, [&](const ConstraintProblem::Group& whole, const ConstraintProblem::Group& own) {
                std::copy_n(island.problem.force.data() + own.first, own.law->size(), p.force.data() + whole.first);
            });
            island.problem = {};
        }
    });
    return joined(islands);
}

}  // namespace sofa::component
