// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/SystemAssembly.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <unordered_map>

#include "core/behavior/ScalarBlockSink.h"
#include "core/behavior/State.h"
#include "core/log/Timer.h"
#include "core/math/Decompositions.h"
#include "core/visitor/JoinedPoints.h"

namespace sofa::core {

namespace {

constexpr std::size_t maxBlock = 7;

/// Drops what it gets: for states outside the system.
class NullSink final : public BlockSink
{
public:
    void addBlock(Index, Index, const double*, std::size_t, std::size_t) override {}
};

class DirectSink final : public BlockSink, public ScalarBlockSink
{
public:
    DirectSink(BlockAssembler& a, const SystemLayout::Entry& row, const SystemLayout::Entry& col, const double& factor,
               bool diagonalOnly)
        : m_assembler(a),
          m_rowOffset(row.offset),
          m_rowSize(static_cast<int>(row.state->derivSize())),
          m_colOffset(col.offset),
          m_colSize(static_cast<int>(col.state->derivSize())),
          m_factor(factor),
          m_diagonalOnly(diagonalOnly)
    {
    }
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        if (m_diagonalOnly && (i != j || m_rowOffset != m_colOffset)) return;
        m_assembler.add(m_rowOffset + static_cast<int>(i) * m_rowSize, m_colOffset + static_cast<int>(j) * m_colSize,
                        block, static_cast<int>(r), static_cast<int>(c), static_cast<int>(c), m_factor);
    }
    void addIdentity(Index i, Index j, double m, std::size_t d) override
    {
        if (d == 3 && !m_diagonalOnly)
            m_assembler.addScalarBlock(m_rowOffset + static_cast<int>(i) * m_rowSize,
                                       m_colOffset + static_cast<int>(j) * m_colSize, m, m_factor);
        else
            BlockSink::addIdentity(i, j, m, d);
    }
    bool addScalarBlocks(const ScalarBlockMatrix& m, std::size_t d) override
    {
        if (d != 3 || !isDiagonal()) return false;
        m_assembler.addScalarBlocks(m_rowOffset, m, m_factor);
        return true;
    }
    void addSymmetric(const SymmetricPattern& pattern, SymmetricSource& pairs) override
    {
        if (isDiagonal())
            m_assembler.addSymmetric(m_rowOffset, pattern, pairs, m_factor);
        else
            BlockSink::addSymmetric(pattern, pairs);
    }

private:
    /// Of points with three scalars, within one state, whose whole matrix is wanted.
    bool isDiagonal() const
    {
        return !m_diagonalOnly && m_assembler.blockSize() == 3 && m_rowSize == 3 && m_colSize == 3 &&
               m_rowOffset == m_colOffset;
    }

    BlockAssembler& m_assembler;
    int m_rowOffset, m_rowSize, m_colOffset, m_colSize;
    const double& m_factor;
    bool m_diagonalOnly;
};

/// Multiplies by Jᵀ from the left (rows) or J from the right (columns) and passes the blocks on, once per input.
class ReduceSink final : public BlockSink
{
public:
    struct Target
    {
        const BaseMapping* mapping;
        std::size_t output, input;
        BlockSink* sink;
    };
    ReduceSink(std::vector<Target> targets, bool rows) : m_targets(std::move(targets)), m_rows(rows) {}

    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        // Loops of known length for the usual blocks: of points that follow points or frames, and frames that follow
        // frames.
        const auto is = [&](const BaseJacobian& jac, std::size_t rows, std::size_t cols) {
            return jac.blockRows() == rows && jac.blockCols() == cols;
        };
        for (const Target& t : m_targets) {
            const BaseJacobian* jac = t.mapping->jacobian(t.output, t.input);
            if (!jac) continue;
            if (is(*jac, 3, 6))
                reduce(t, *jac, i, j, block, r, c, size<3>, size<6>);
            else if (is(*jac, 3, 3))
                reduce(t, *jac, i, j, block, r, c, size<3>, size<3>);
            else if (is(*jac, 6, 6))
                reduce(t, *jac, i, j, block, r, c, size<6>, size<6>);
            else
                reduce(t, *jac, i, j, block, r, c, jac->blockRows(), jac->blockCols());
        }
    }

private:
    template <std::size_t n>
    static constexpr std::integral_constant<std::size_t, n> size{};

    /// One target; blocks of its Jacobian have m × n scalars.
    void reduce(const Target& t, const BaseJacobian& jac, Index i, Index j, const double* block, std::size_t r,
                std::size_t c, auto m, auto n) const
    {
        std::array<double, maxBlock * maxBlock> product;
        const Index point = m_rows ? i : j;
        const double* jb = jac.blocks(point);
        for (const Index column : jac.columns(point)) {
            if (m_rows) {  // product = Jbᵀ block: n × c
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < c; ++b) {
                        double s = 0.;
                        for (std::size_t k = 0; k < m; ++k) s += jb[k * n + a] * block[k * c + b];
                        product[a * c + b] = s;
                    }
                t.sink->addBlock(column, j, product.data(), n, c);
            } else {  // product = block Jb: r × n
                for (std::size_t a = 0; a < r; ++a)
                    for (std::size_t b = 0; b < n; ++b) {
                        double s = 0.;
                        for (std::size_t k = 0; k < m; ++k) s += block[a * m + k] * jb[k * n + b];
                        product[a * n + b] = s;
                    }
                t.sink->addBlock(i, column, product.data(), r, n);
            }
            jb += m * n;
        }
    }

    std::vector<Target> m_targets;
    bool m_rows;
};

}  // namespace

/// The sinks of one layout, made on demand and kept.
class SystemAssembly::Sinks final : public MatrixAccumulator
{
public:
    Sinks(SystemAssembly& system, const ExecutionPlan& plan, const Options& options)
        : m_system(system), m_options(options)
    {
        for (const SystemLayout::Entry& e : system.m_layout) m_entries.emplace(e.state, &e);
        for (const BaseMapping* m : plan.mappings()) {
            if (!m->carriesMatrices()) continue;
            const auto outs = m->outputs();
            for (std::size_t o = 0; o < outs.size(); ++o) m_carriers[outs[o]].emplace_back(m, o);
        }
    }

    double factor = 1.;

    BlockSink& sink(const BaseState& row, const BaseState& col) override
    {
        if (const auto it = m_known.find({&row, &col}); it != m_known.end()) return *it->second;
        BlockSink& s = make(row, col);
        m_known.emplace(States(&row, &col), &s);
        return s;
    }

    /// Gives the scalars of points without mass and elements, in a state that has others, the row of the identity: such
    /// points keep their velocity, and the matrix has an inverse. So do directions in which a contact leaves such a
    /// point free.
    void holdIsolatedPoints()
    {
        const BlockCsrMatrix& stored = m_system.stored();
        const int size = m_system.m_layout.blockSize();
        if (m_isolatedVersion != m_system.patternVersion()) {
            m_isolatedVersion = m_system.patternVersion();
            m_system.m_assembler.isolatedRows(m_isolated);
        }
        if (m_isolated.empty()) return;
        const auto isZero = [&](int row) {
            const double* b = stored.block(static_cast<std::size_t>(stored.diagonal(row)));
            return std::all_of(b, b + size * size, [](double v) { return v == 0.; });
        };
        m_unconstrained.clear();
        for (const SystemLayout::Entry& e : m_system.m_layout) {
            const std::size_t before = m_unconstrained.size();
            auto it = std::lower_bound(m_isolated.begin(), m_isolated.end(), e.offset / size);
            for (; it != m_isolated.end() && *it * size < e.offset + e.size; ++it)
                if (isZero(*it))
                    for (int k = 0; k < size; ++k) m_unconstrained.push_back(*it * size + k);
            // A state without any mass and force is a mistake that the solver has to report.
            if (m_unconstrained.size() - before == static_cast<std::size_t>(e.size)) m_unconstrained.resize(before);
        }
        if (!m_unconstrained.empty()) {
            m_system.m_whole = false;
            m_system.m_assembler.eliminate(m_unconstrained);
        }
        if (size == 3) holdFreeDirections();
    }

private:
    /// Of isolated points, in a state whose other points are coupled, whose block is not zero and not definite:
    /// P A P + 1 − P, where P projects onto its range. Elsewhere a free direction is for the solver to report.
    void holdFreeDirections()
    {
        for (const SystemLayout::Entry& e : m_system.m_layout) {
            const auto first = std::ranges::lower_bound(m_isolated, e.offset / 3),
                       last = std::ranges::lower_bound(m_isolated, (e.offset + e.size) / 3);
            if (last - first < e.size / 3 && dynamic_cast<const State<Vec3Types>*>(e.state))
                holdFreeDirections({first, last});
        }
    }
    void holdFreeDirections(std::span<const int> isolated)
    {
        for (const int row : isolated) {
            const BlockCsrMatrix& stored = m_system.stored();
            const double* b = stored.block(static_cast<std::size_t>(stored.diagonal(row)));
            Mat3 block;
            std::copy_n(b, 9, block.data());
            const double size = trace(block);
            if (size == 0. || determinant(block) > 1e-9 * size * size * size) continue;
            const SymmetricEigen<3> e = symmetricEigen(block);
            double largest = 0.;
            for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(e.values[k]));
            Mat3 range = Mat3::identity();
            for (std::size_t k = 0; k < 3; ++k)
                if (std::abs(e.values[k]) < 1e-12 * largest) range -= outer(e.vectors.column(k), e.vectors.column(k));
            if (range == Mat3::identity()) continue;
            m_system.m_whole = false;
            m_system.m_assembler.project(3 * row, 3, range.data());
        }
    }
    BlockSink& own(std::unique_ptr<BlockSink> s)
    {
        m_owned.push_back(std::move(s));
        return *m_owned.back();
    }
    const SystemLayout::Entry* entryOf(const BaseState& s) const
    {
        const auto it = m_entries.find(&s);
        return it == m_entries.end() ? nullptr : it->second;
    }
    /// Whether a mapping of the scope moves a state and carries its matrices up.
    bool isCarried(const BaseState& s) const { return m_carriers.contains(&s); }
    BlockSink& make(const BaseState& row, const BaseState& col)
    {
        const SystemLayout::Entry *r = entryOf(row), *c = entryOf(col);
        if (r && c)
            return own(std::make_unique<DirectSink>(m_system.m_assembler, *r, *c, factor, m_options.diagonalOnly));
        if (m_options.mapped && m_options.factored && (r || isCarried(row)) && (c || isCarried(col)))
            return own(m_system.m_factors.sink(row, col, factor));
        const bool rows = r == nullptr;
        const BaseState& reduced = rows ? row : col;
        std::vector<ReduceSink::Target> targets;
        if (m_options.mapped) {
            if (const auto it = m_carriers.find(&reduced); it != m_carriers.end())
                for (const auto& [m, o] : it->second) {
                    const auto ins = m->inputs();
                    for (std::size_t k = 0; k < ins.size(); ++k)
                        targets.push_back({m, o, k, rows ? &sink(*ins[k], col) : &sink(row, *ins[k])});
                }
        }
        if (targets.empty()) return own(std::make_unique<NullSink>());
        return own(std::make_unique<ReduceSink>(std::move(targets), rows));
    }

    using States = std::pair<const BaseState*, const BaseState*>;
    struct Hash
    {
        std::size_t operator()(const States& s) const
        {
            const std::hash<const void*> hash;
            return hash(s.first) * 0x9e3779b97f4a7c15ULL + hash(s.second);
        }
    };

    SystemAssembly& m_system;
    Options m_options;
    // To look up, never to go through.
    std::unordered_map<const BaseState*, const SystemLayout::Entry*> m_entries;
    std::unordered_map<const BaseState*, std::vector<std::pair<const BaseMapping*, std::size_t>>>
        m_carriers;  ///< mappings of the scope that move a state and carry its matrices up, with the place of the
                     ///< output
    std::unordered_map<States, BlockSink*, Hash> m_known;
    std::vector<std::unique_ptr<BlockSink>> m_owned;
    std::uint64_t m_isolatedVersion = 0;  ///< of the pattern for which the next were found
    Vector<int> m_isolated;               ///< block rows that have a block on the diagonal only
    Vector<int> m_unconstrained;          ///< scalars of those that are zero
};

SystemAssembly::SystemAssembly() = default;
SystemAssembly::~SystemAssembly() = default;

void SystemAssembly::assemble(const SolverScope& scope, const MechanicalParams& mp, const Options& requested)
{
    ExecutionPlan& plan = ExecutionPlan::of(scope);
    Options options = requested;
    // Products by factors would need the columns of both points.
    options.factored = options.factored && !joiningConstraint(plan);
    if (!m_sinks || m_plan != &plan || m_planVersion != scope.node().version() || m_options != options ||
        !m_layout.fits(plan)) {
        m_plan = &plan;
        m_planVersion = scope.node().version();
        m_options = options;
        m_layout.set(plan);
        m_factors = {};
        m_fill.clear();
        m_sinks = std::make_unique<Sinks>(*this, plan, options);
    }
    do {
        sum(plan, mp);
        m_eliminated.clear();
        m_joined.clear();
        if (options.constraints) constrain(plan);
    } while (findFill());
    for (const auto& [first, second] : m_joined) m_assembler.join(first, second);
    m_factors.eliminate(m_eliminated);
    m_assembler.eliminate(m_eliminated);
}

void SystemAssembly::sum(const ExecutionPlan& plan, const MechanicalParams& mp)
{
    m_factors.clear();
    m_assembler.begin(size(), size(), m_layout.blockSize());
    // Stiffness first: a matrix that begins with a whole symmetric one need not be cleared.
    for (BaseForceField* ff : plan.forceFields()) {
        if (!ff->hasStiffness()) continue;  // a mass: its damping is in its factor below
        const ScopedTimer timer([ff] { return ff->pathName(); });
        if (m_options.stiffness) {
            m_sinks->factor = mp.stiffnessFactor(ff->d_rayleighStiffness.value());
            if (m_sinks->factor != 0.) ff->buildStiffness(mp, *m_sinks);
        }
        if (m_options.damping && mp.bFactor != 0. && ff->hasDamping()) {
            m_sinks->factor = mp.bFactor;
            ff->buildDamping(mp, *m_sinks);
        }
    }
    if (m_options.mass) {
        for (BaseMass* m : plan.masses()) {
            m_sinks->factor = mp.massFactor(m->rayleighMass());
            if (m_sinks->factor == 0.) continue;
            const ScopedTimer timer([m] { return dynamic_cast<Component&>(*m).pathName(); });
            m->buildMass(mp, *m_sinks);
        }
    }
    if (m_options.geometricStiffness && m_options.mapped && mp.kFactor != 0.) {
        m_sinks->factor = mp.kFactor;
        for (BaseMapping* m : plan.mappings())
            if (m->carriesMatrices()) m->buildGeometricStiffness(mp, *m_sinks);
    }
    const int b = m_layout.blockSize();
    constexpr std::array<double, 36> zeros{};
    for (const auto& [row, column] : m_fill) m_assembler.add(row * b, column * b, zeros.data(), b, b, b, 1.);
    m_assembler.end();
    m_whole = true;
    m_sinks->holdIsolatedPoints();
    m_factors.finish(plan, [this](const BaseState& s) {
        const auto* e = m_layout.find(s);
        return e ? e->offset : -1;
    });
    m_whole = m_whole && m_factors.empty();
}

void SystemAssembly::constrain(const ExecutionPlan& plan)
{
    struct Collect final : EliminationSink
    {
        explicit Collect(SystemAssembly& a) : system(a) {}
        void eliminate(const BaseState& s, Index i, std::size_t k) override
        {
            if (const auto* e = system.m_layout.find(s)) system.m_eliminated.push_back(e->scalar(i, k));
        }
        void project(const BaseState& s, Index i, const double* p) override
        {
            system.m_whole = false;
            const auto* e = system.m_layout.find(s);
            if (!e) return;
            const auto n = static_cast<int>(s.derivSize());
            system.m_factors.project(e->scalar(i), n, p);
            system.m_assembler.project(e->scalar(i), n, p);
        }
        void join(const BaseState& s1, Index i1, const BaseState& s2, Index i2, std::size_t k) override
        {
            system.m_whole = false;
            const auto *e1 = system.m_layout.find(s1), *e2 = system.m_layout.find(s2);
            if (e1 && e2) system.m_joined.emplace_back(e1->scalar(i1, k), e2->scalar(i2, k));
        }
        SystemAssembly& system;
    } collect(*this);
    for (const BaseProjectiveConstraint* c : plan.constraints()) c->eliminate(collect);
    std::sort(m_eliminated.begin(), m_eliminated.end());
    m_eliminated.erase(std::unique(m_eliminated.begin(), m_eliminated.end()), m_eliminated.end());
}

bool SystemAssembly::findFill()
{
    if (m_options.diagonalOnly || m_joined.empty()) return false;
    const int b = m_layout.blockSize();
    const auto rows = matrix().rowPtr(), columns = matrix().colIdx();
    const auto row = [&](int r) {
        const auto at = static_cast<std::size_t>(r);
        return columns.subspan(static_cast<std::size_t>(rows[at]), static_cast<std::size_t>(rows[at + 1] - rows[at]));
    };
    Vector<int> lacking;
    bool found = false;
    const auto add = [&](int from, int to) {
        lacking.clear();
        const auto has = row(from), given = row(to);
        std::set_difference(has.begin(), has.end(), given.begin(), given.end(), std::back_inserter(lacking));
        found = found || !lacking.empty();
        for (const int column : lacking) {
            m_fill.emplace_back(to, column);
            if (to != column) m_fill.emplace_back(column, to);
        }
    };
    std::pair<int, int> last{-1, -1};
    for (const auto& [first, second] : m_joined) {
        const std::pair blocks(first / b, second / b);
        if (std::exchange(last, blocks) == blocks) continue;
        add(blocks.first, blocks.second);
        add(blocks.second, blocks.first);
    }
    std::ranges::sort(m_fill);
    m_fill.erase(std::unique(m_fill.begin(), m_fill.end()), m_fill.end());
    return found;
}

void SystemAssembly::explainSizes(Explanation& e) const
{
    e.add("unknowns", toText(size()));
    const std::size_t blocks = stored().blockCount(), rows = static_cast<std::size_t>(stored().blockRows());
    const auto area = static_cast<std::size_t>(stored().blockSize() * stored().blockSize());
    e.add("non-zeros", toText(area * (isUpper() ? 2 * blocks - rows : blocks)));
    e.addMemory(m_assembler.bytes() + m_factors.bytes());
}

double SystemAssembly::mappedExpansion(const ExecutionPlan& plan)
{
    const auto& mappings = plan.mappings();
    if (mappings.empty()) return 1.;
    // States whose matrices must be carried up: those that a force field or a mass acts on, and what they depend on.
    ExecutionPlan::StateSet loaded;
    for (const BaseForceField* f : plan.forceFields())
        for (const BaseState* s : f->states()) loaded.insert(s);
    double rows = 0., blocks = 0.;
    for (auto it = mappings.rbegin(); it != mappings.rend(); ++it) {
        const auto outs = (*it)->outputs();
        const auto ins = (*it)->inputs();
        for (std::size_t o = 0; o < outs.size(); ++o) {
            if (!loaded.contains(outs[o])) continue;
            for (std::size_t i = 0; i < ins.size(); ++i) {
                const BaseJacobian* j = (*it)->jacobian(o, i);
                if (!j || j->rows() == 0) continue;
                loaded.insert(ins[i]);
                rows += j->rows();
                for (Index r = 0; r < j->rows(); ++r) blocks += static_cast<double>(j->columns(r).size());
            }
        }
    }
    return rows > 0. ? std::max(1., (blocks / rows) * (blocks / rows)) : 1.;
}

}  // namespace sofa::core
