// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ForceField.h"

#include <deque>

#include "core/behavior/StateLookup.h"
#include "core/objectmodel/Path.h"

namespace sofa::core {

namespace {

/// Multiplies each block as it arrives: df_i += factor · block · dx_j.
class ProductSink final : public BlockSink
{
public:
    ProductSink(double* df, std::size_t rowSize, const double* dx, std::size_t colSize, double factor)
        : m_df(df), m_dx(dx), m_rowSize(rowSize), m_colSize(colSize), m_factor(factor)
    {
    }
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        double* y = m_df + i * m_rowSize;
        const double* x = m_dx + j * m_colSize;
        for (std::size_t a = 0; a < r; ++a) {
            double s = 0.;
            for (std::size_t b = 0; b < c; ++b) s += block[a * c + b] * x[b];
            y[a] += m_factor * s;
        }
    }

private:
    double* m_df;
    const double* m_dx;
    std::size_t m_rowSize, m_colSize;
    double m_factor;
};

class ProductAccumulator final : public MatrixAccumulator
{
public:
    ProductAccumulator(const MultiVecDerivId& df, const MultiVecDerivId& dx, double factor)
        : m_df(df), m_dx(dx), m_factor(factor)
    {
    }
    BlockSink& sink(const BaseState& row, const BaseState& col) override
    {
        for (Entry& e : m_sinks)
            if (e.row == &row && e.col == &col) return e.sink;
        // A state that the calling solver does not move has none of its vectors: it stays where it is, and the force on
        // it is dropped.
        if (!row.isAllocated(m_df.at(row)) || !col.isAllocated(m_dx.at(col))) return m_nothing;
        return m_sinks.emplace_back(*this, const_cast<BaseState&>(row), col).sink;
    }

private:
    MultiVecDerivId m_df, m_dx;
    double m_factor;
    struct Entry
    {
        Entry(const ProductAccumulator& p, BaseState& r, const BaseState& c)
            : row(&r),
              col(&c),
              access(r, p.m_df.at(r)),
              sink(access.data(), r.derivSize(), c.scalars(p.m_dx.at(c)), c.derivSize(), p.m_factor)
        {
        }
        const BaseState *row, *col;
        ScalarsAccessor access;
        ProductSink sink;
    };
    struct NoSink final : BlockSink
    {
        void addBlock(Index, Index, const double*, std::size_t, std::size_t) override {}
    };
    NoSink m_nothing;
    std::deque<Entry> m_sinks;  // references stay valid
};

}  // namespace

void BaseForceField::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    if (k != 0.) {
        ProductAccumulator product(df, mp.dx, k);
        buildStiffness(mp, product);
    }
    if (mp.bFactor != 0. && hasDamping()) {
        ProductAccumulator product(df, mp.dx, mp.bFactor);
        buildDamping(mp, product);
    }
}

BaseState* findStateFor(const Node* node, const ComponentDescription& desc, std::string_view linkName, std::string& why)
{
    if (const Attribute* a = desc.find(linkName); a && !a->value.empty()) {
        std::string error;
        const std::vector<Base*> found = findByPath(*node, a->value, error);
        for (Base* b : found)
            if (auto* s = dynamic_cast<BaseState*>(b)) return s;
        // A node stands for the state that holds there.
        if (auto* n = found.empty() ? nullptr : dynamic_cast<Node*>(found.front()))
            if (auto* s = findMechanicalState<BaseState>(*n, Search::Up)) return s;
        why = std::string(linkName) + "=\"" + a->value + "\": " + (error.empty() ? "it is no state" : error);
        return nullptr;
    }
    TagSet tags;
    if (const Attribute* a = desc.find("tags")) {
        TextCursor text(a->value);
        (void)readValue(text, tags);
    }
    auto* s = findMechanicalState<BaseState>(*node, Search::Up, tags);
    if (!s) why = "it needs a state (MechanicalObject) before it in its node or above";
    return s;
}

template <class D>
void ForceField<D>::addForce(const MechanicalParams& mp, const MultiVecDerivId& f)
{
    State<D>& s = state();
    addForce(mp, *s.write(f.at(s)), s.read(mp.x.at(s)), s.read(mp.v.at(s)));
}

template <class D>
void ForceField<D>::buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k)
{
    buildStiffness(mp, k.sink(state(), state()));
}

template <class D>
void ForceField<D>::buildDamping(const MechanicalParams& mp, MatrixAccumulator& b)
{
    buildDamping(mp, b.sink(state(), state()));
}

template <class D>
double ForceField<D>::potentialEnergy(const MechanicalParams& mp) const
{
    return potentialEnergy(mp, state().read(mp.x.at(state())));
}

template <class D>
void PairInteractionForceField<D>::addForce(const MechanicalParams& mp, const MultiVecDerivId& f)
{
    State<D>&a = state1(), &b = state2();
    // A state that the calling solver does not move has the solver's vectors not: it stays where it is, and the force
    // on it is dropped.
    VecDeriv dropped;
    std::optional<WriteAccessor<VecDeriv>> forces1, forces2;
    const auto target = [&](State<D>& s, std::optional<WriteAccessor<VecDeriv>>& forces) -> VecDeriv& {
        if (s.isAllocated(f.at(s))) return *forces.emplace(s.derivData(f.at(s)));
        dropped.assign(s.size(), Deriv());
        return dropped;
    };
    const auto positions = [&](const State<D>& s) -> const VecCoord& {
        return s.read(s.isAllocated(mp.x.at(s)) ? mp.x.at(s) : VecCoordId(vec_id::position));
    };
    const auto velocities = [&](const State<D>& s) -> const VecDeriv& {
        return s.read(s.isAllocated(mp.v.at(s)) ? mp.v.at(s) : VecDerivId(vec_id::velocity));
    };
    VecDeriv& f1 = target(a, forces1);
    VecDeriv& f2 = &a == &b ? f1 : target(b, forces2);
    addForce(mp, f1, f2, positions(a), positions(b), velocities(a), velocities(b));
}

template <class D>
double PairInteractionForceField<D>::potentialEnergy(const MechanicalParams& mp) const
{
    return potentialEnergy(mp, state1().read(mp.x.at(state1())), state2().read(mp.x.at(state2())));
}

#define SOFA_INSTANTIATE(D)                        \
    template class OnState<BaseForceField, D>;     \
    template class OnTwoStates<BaseForceField, D>; \
    template class ForceField<D>;                  \
    template class PairInteractionForceField<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
