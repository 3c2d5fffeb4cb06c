// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/DerivativeCheck.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/math/LineDerivative.h"
#include "core/visitor/StateVectors.h"

namespace sofa::core {

namespace {

using Verdict = DerivativeResult::Verdict;
using Scalars = Vector<double>;

/// Vectors of the check of a component.
struct Vectors
{
    explicit Vectors(const Component& c) : vop(c.node()->root()) {}
    VectorOperations vop;
    const TempCoord base{vop};
    const TempDeriv move{vop}, result{vop}, force{vop}, input{vop};
};

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double largest(const Scalars& v)
{
    double m = 0.;
    for (const double s : v) m = std::isnan(s) ? s : std::max(m, std::abs(s));
    return m;
}

double dot(const Scalars& a, const Scalars& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); }

/// Σ |a| |b|: the size of the numbers that are summed.
double dotSize(const Scalars& a, const Scalars& b)
{
    double s = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) s += std::abs(a[i] * b[i]);
    return s;
}

/// States as one vector of derivative scalars, around the positions that they have when it is made.
class States
{
public:
    States(const Vectors& vectors, std::vector<BaseState*> states) : m_ids(vectors), m_states(std::move(states))
    {
        for (BaseState* s : m_states) {
            s->allocate(m_ids.base);
            s->copy(m_ids.base, vec_id::position);
            for (const VecDerivId id :
                 {vec_id::velocity, m_ids.move.id(), m_ids.result.id(), m_ids.force.id(), m_ids.input.id()})
                s->allocate(id);
            m_size += s->derivScalars();
        }
        m_velocity = get(vec_id::velocity);
    }
    ~States()
    {
        for (BaseState* s : m_states) s->copy(vec_id::position, m_ids.base);
        set(vec_id::velocity, m_velocity);
    }
    States(const States&) = delete;
    States& operator=(const States&) = delete;

    std::size_t size() const { return m_size; }
    const std::vector<BaseState*>& all() const { return m_states; }
    const Scalars& velocity() const { return m_velocity; }
    std::size_t offset(const BaseState& s) const
    {
        std::size_t o = 0;
        for (const BaseState* t : m_states) {
            if (t == &s) return o;
            o += t->derivScalars();
        }
        throw std::runtime_error("it writes to the state " + s.pathName() + ", which it does not name");
    }
    Scalars get(VecDerivId id) const
    {
        Scalars v(m_size);
        std::size_t o = 0;
        for (const BaseState* s : m_states) {
            s->getScalars(id, v.data() + o);
            o += s->derivScalars();
        }
        return v;
    }
    void set(VecDerivId id, const Scalars& v) const
    {
        std::size_t o = 0;
        for (BaseState* s : m_states) {
            s->setScalars(id, v.data() + o);
            o += s->derivScalars();
        }
    }
    void clear(VecDerivId id) const { set(id, Scalars(m_size)); }
    /// positions = base + h d
    void displace(const Scalars& d, double h) const
    {
        set(m_ids.move, d);
        for (BaseState* s : m_states) s->add(vec_id::position, m_ids.base, m_ids.move, h);
    }
    /// Displacement from the base to the present positions.
    Scalars displacement() const
    {
        for (BaseState* s : m_states) s->difference(m_ids.result, vec_id::position, m_ids.base);
        return get(m_ids.result);
    }
    double largestPosition() const
    {
        double m = 0.;
        for (const BaseState* s : m_states)
            for (Index i = 0; i < s->size(); ++i) m = std::max(m, norm(s->pointPosition(i)));
        return m;
    }
    /// A length between neighbouring points, roughly.
    double spacing() const
    {
        BoundingBox box;
        std::size_t points = 0;
        for (const BaseState* s : m_states) {
            points += s->size();
            for (Index i = 0; i < s->size(); ++i) box.include(s->pointPosition(i));
        }
        const double extent = box.valid() ? norm(box.high - box.low) : 0.;
        return extent > 0. ? extent / std::cbrt(static_cast<double>(points)) : 1.;
    }
    std::string nameOf(std::size_t scalar) const
    {
        for (const BaseState* s : m_states) {
            if (scalar < s->derivScalars())
                return "point " + std::to_string(scalar / s->derivSize()) + " of " + s->pathName() + ", scalar " +
                       std::to_string(scalar % s->derivSize());
            scalar -= s->derivScalars();
        }
        return {};
    }

private:
    const Vectors& m_ids;
    std::vector<BaseState*> m_states;
    std::size_t m_size = 0;
    Scalars m_velocity;
};

/// Multiplies the blocks that come in with a vector; keeps the sizes of the terms too.
class Product final : public MatrixAccumulator
{
public:
    Product(const States& states, const Scalars& x) : m_states(states), m_x(x), value(states.size()), size(value) {}
    BlockSink& sink(const BaseState& row, const BaseState& col) override
    {
        m_sinks.push_back(std::make_unique<Sink>(*this, m_states.offset(row), m_states.offset(col), row.derivSize(),
                                                 col.derivSize()));
        return *m_sinks.back();
    }

private:
    class Sink final : public BlockSink
    {
    public:
        Sink(Product& p, std::size_t row, std::size_t col, std::size_t r, std::size_t c)
            : m_product(p), m_row(row), m_col(col), m_r(r), m_c(c)
        {
        }
        void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
        {
            if (r != m_r || c != m_c) throw std::runtime_error("a block has another size than the states' points");
            const std::size_t row = m_row + i * r, col = m_col + j * c;
            if (row + r > m_product.value.size() || col + c > m_product.m_x.size())
                throw std::runtime_error("a block lies outside the states");
            for (std::size_t a = 0; a < r; ++a)
                for (std::size_t b = 0; b < c; ++b) {
                    const double term = block[a * c + b] * m_product.m_x[col + b];
                    m_product.value[row + a] += term;
                    m_product.size[row + a] += std::abs(term);
                }
        }

    private:
        Product& m_product;
        std::size_t m_row, m_col, m_r, m_c;
    };

    const States& m_states;
    const Scalars& m_x;
    std::vector<std::unique_ptr<Sink>> m_sinks;

public:
    Scalars value, size;
};

/// A derivative along a line, and where it does not exist: there the slopes of both sides stay apart as the step goes
/// to zero, and the mean of both, which central differences give, says nothing.
struct Slope : LineDerivative
{
    std::vector<bool> kink;
};

Slope differentiate(const std::function<Scalars(double)>& f, double step, double scale)
{
    Slope out{differentiateLine(f, step, scale), {}};
    const Scalars here = f(0.);
    const auto bend = [&](double h) {
        Scalars b = f(h);
        const Scalars back = f(-h);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = (b[i] - 2. * here[i] + back[i]) / h;
        return b;
    };
    const Scalars coarse = bend(step), fine = bend(step / 2.);
    const double rounding = std::max(out.bound, 1e-6 * largest(out.value));
    for (std::size_t i = 0; i < fine.size(); ++i)
        out.kink.push_back(std::abs(fine[i]) > rounding && std::abs(fine[i]) > 0.75 * std::abs(coarse[i]));
    return out;
}

class Checker
{
public:
    std::vector<DerivativeResult> results;

    void forceField(BaseForceField& f)
    {
        begin(f);
        const Vectors ids(f);
        const States s(ids, f.states());
        const Scalars d = direction(s.size());
        const double h = 1e-4 * s.spacing();
        MechanicalParams mp;
        mp.implicit = true;  // derivatives are asked for
        mp.f = ids.force;
        const auto force = [&] {
            s.clear(ids.force);
            f.addForce(mp, ids.force);
            return s.get(ids.force);
        };
        // Energies know nothing of damping, and many laws leave the derivative of its force out of the stiffness.
        s.clear(vec_id::velocity);
        Scalars here = force();
        Product k(s, d);
        f.buildStiffness(mp, k);
        const double lengths = 1. + s.largestPosition();

        if (const double energy = f.potentialEnergy(mp); !std::isnan(energy)) {
            const Slope slope = differentiate(
                [&](double t) {
                    s.displace(d, t);
                    return Scalars{f.potentialEnergy(mp)};
                },
                h, std::abs(energy) + dotSize(here, d) * lengths + largest(k.size) * h * lengths);
            compare("force = -dE/dx", {dot(here, d)}, {-slope.value[0]}, slope.bound, nullptr, dotSize(here, d),
                    &slope.kink);
        }

        const auto at = [&](double t) {
            s.displace(d, t);
            return force();
        };
        const Slope df = differentiate(at, h, largest(here) + largest(k.size) * lengths);
        compare("stiffness = df/dx", k.value, df.value, df.bound, &s, 0., &df.kink);
        s.displace(d, 0.);
        s.set(vec_id::velocity, s.velocity());
        here = force();

        Product b(s, d);
        f.buildDamping(mp, b);
        const double speed = std::max(1e-3, largest(s.velocity()) * 1e-4);
        const Slope dfv = differentiate(
            [&](double t) {
                Scalars v = s.velocity();
                for (std::size_t i = 0; i < v.size(); ++i) v[i] += t * d[i];
                s.set(vec_id::velocity, v);
                return force();
            },
            speed, largest(here) + largest(b.size) * (1. + largest(s.velocity())));
        s.set(vec_id::velocity, s.velocity());
        if (f.hasDamping() || largest(dfv.value) > dfv.bound) {
            compare("damping = df/dv", b.value, dfv.value, dfv.bound, &s, 0., &dfv.kink);
            mayLeaveOut(b.value);
        }
        force();

        Product now(s, d);
        f.buildStiffness(mp, now);
        mp.kFactor = 1.;
        mp.bFactor = 1.;
        mp.dx = ids.input;
        s.set(ids.input, d);
        s.clear(ids.result);
        f.addDForce(mp, ids.result);
        Scalars found(s.size()), size(s.size());
        const double factor = mp.stiffnessFactor(f.d_rayleighStiffness.value());
        for (std::size_t i = 0; i < found.size(); ++i) {
            found[i] = factor * now.value[i] + b.value[i];
            size[i] = std::abs(factor) * now.size[i] + b.size[i];
        }
        if (f.hasStiffness())
            compare("product of addDForce = its matrix", s.get(ids.result), found, 64. * epsilon * largest(size), &s);
    }

    void mass(BaseMass& m)
    {
        auto& f = dynamic_cast<BaseForceField&>(m);
        begin(f);
        const Vectors ids(f);
        const States s(ids, f.states());
        const Scalars d = direction(s.size());
        MechanicalParams mp;
        Product matrix(s, d);
        m.buildMass(mp, matrix);
        mp.dx = ids.input;
        s.set(ids.input, d);
        s.clear(ids.result);
        m.addMDx(mp, ids.result, 1.);
        const double rounding = 64. * epsilon * largest(matrix.size);
        compare("product of addMDx = its matrix", s.get(ids.result), matrix.value, rounding, &s);
        s.set(vec_id::velocity, d);
        compare("kinetic energy = v M v / 2", {m.kineticEnergy(mp)}, {0.5 * dot(d, matrix.value)},
                64. * epsilon * dotSize(d, matrix.size), nullptr);
    }

    void mapping(BaseMapping& m)
    {
        begin(m);
        const Vectors ids(m);
        const States in(ids, m.inputs());
        const States out(ids, m.outputs());
        const Scalars d = direction(in.size()), f = direction(out.size());
        const double h = 1e-4 * in.spacing();
        MechanicalParams mp;
        const auto map = [&](double t) {
            in.displace(d, t);
            m.apply(mp, vec_id::position, vec_id::position);
        };
        // The outputs lie where this mapping puts them, whatever others did.
        map(0.);
        for (BaseState* s : out.all()) s->copy(ids.base, vec_id::position);

        Scalars jd(out.size()), sizes(out.size()), jtf(in.size()), jtfSizes(in.size());
        for (std::size_t o = 0; o < m.outputs().size(); ++o)
            for (std::size_t i = 0; i < m.inputs().size(); ++i) {
                const BaseJacobian* j = m.jacobian(o, i);
                if (!j) continue;
                const std::size_t row = out.offset(*m.outputs()[o]), col = in.offset(*m.inputs()[i]);
                const std::size_t r = j->blockRows(), c = j->blockCols();
                for (Index k = 0; k < j->rows(); ++k) {
                    const double* block = j->blocks(k);
                    for (const Index p : j->columns(k)) {
                        for (std::size_t a = 0; a < r; ++a)
                            for (std::size_t b = 0; b < c; ++b) {
                                const double v = block[a * c + b];
                                const std::size_t y = row + k * r + a, x = col + p * c + b;
                                jd[y] += v * d[x];
                                sizes[y] += std::abs(v * d[x]);
                                jtf[x] += v * f[y];
                                jtfSizes[x] += std::abs(v * f[y]);
                            }
                        block += r * c;
                    }
                }
            }
        const double lengths = 1. + std::max(in.largestPosition(), out.largestPosition());
        const Slope dx = differentiate(
            [&](double t) {
                map(t);
                return out.displacement();
            },
            h, lengths * (1. + largest(sizes)));
        compare("J = dx_out/dx_in", jd, dx.value, dx.bound, &out, 0., &dx.kink);
        map(0.);

        in.set(ids.input, d);
        out.clear(ids.result);
        m.applyJ(mp, ids.result, ids.input);
        compare("velocities = J v", out.get(ids.result), jd, 64. * epsilon * largest(sizes), &out);
        out.set(ids.force, f);
        const auto transposed = [&] {
            in.clear(ids.result);
            m.applyJT(mp, ids.result, ids.force);
            return in.get(ids.result);
        };
        compare("forces = Jt f", transposed(), jtf, 64. * epsilon * largest(jtfSizes), &in);

        mp.f = ids.force;
        Product g(in, d);
        m.buildGeometricStiffness(mp, g);
        const Slope df = differentiate(
            [&](double t) {
                map(t);
                return transposed();
            },
            h, (largest(jtfSizes) + largest(g.size)) * lengths);
        map(0.);
        if (m.isLinear() && largest(df.value) <= df.bound) return;
        compare("geometric stiffness = d(Jt f)/dx", g.value, df.value, df.bound, &in, 0., &df.kink);
        mayLeaveOut(g.value);
    }

    /// A component that throws is wrong, too.
    void failed(const std::string& why)
    {
        DerivativeResult r{m_component, "it failed", Verdict::Wrong};
        r.where = why;
        results.push_back(std::move(r));
    }

private:
    void begin(const Component& c) { m_component = c.pathName() + " (" + c.className() + ')'; }

    /// What a component does not state at all it leaves out on purpose: an integrator takes it explicitly.
    void mayLeaveOut(const Scalars& stated)
    {
        if (largest(stated) == 0. && results.back().verdict == Verdict::Wrong)
            results.back().verdict = Verdict::LeftOut;
    }

    /// Numbers between −1 and 1 that are the same in every run.
    Scalars direction(std::size_t n)
    {
        Scalars d(n);
        for (double& v : d) {
            m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
            v = static_cast<double>(m_random >> 11) / 4503599627370496. - 1.;
        }
        return d;
    }

    /// `states`: of the scalars, for the place of a deviation. `size`: of the terms of a sum that may cancel. `kinks`:
    /// scalars that are not compared.
    void compare(const char* what, const Scalars& stated, const Scalars& found, double bound, const States* states,
                 double size = 0., const std::vector<bool>* kinks = nullptr)
    {
        DerivativeResult r{m_component, what};
        const double most = std::max({largest(stated), largest(found), size});
        double worst = 0.;
        std::size_t place = 0;
        bool kink = false;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (kinks && (*kinks)[i]) {
                kink = true;
                continue;
            }
            const double error = std::abs(stated[i] - found[i]);
            if (error <= worst) continue;
            worst = error;
            place = i;
            if (std::isnan(error)) break;
        }
        const bool finite = std::isfinite(worst) && std::isfinite(most);
        if (finite && most <= bound) {
            results.push_back(std::move(r));  // nothing but rounding
            return;
        }
        r.deviation = most > 0. ? worst / most : worst;
        if (finite && worst <= std::max(10. * bound, 1e-6 * most) && bound <= 1e-2 * most)
            r.verdict = Verdict::Right;
        else
            r.verdict = bound > 1e-2 * most ? Verdict::Unclear : Verdict::Wrong;
        if (kink && r.verdict == Verdict::Right) r.verdict = Verdict::Unclear;
        if (r.verdict == Verdict::Wrong) {
            r.where = states ? states->nameOf(place) : "the whole";
            r.stated = stated[place];
            r.found = found[place];
        }
        results.push_back(std::move(r));
    }

    std::string m_component;
    std::uint64_t m_random = 1;
};

bool hasPoints(const std::vector<BaseState*>& states)
{
    return std::ranges::all_of(states, [](const BaseState* s) { return s && s->size() > 0; });
}

}  // namespace

const char* nameOf(DerivativeResult::Verdict v)
{
    switch (v) {
        case Verdict::Right:
            return "right";
        case Verdict::Wrong:
            return "WRONG";
        case Verdict::Zero:
            return "zero here";
        case Verdict::Unclear:
            return "not smooth here";
        case Verdict::LeftOut:
            return "left out";
    }
    return "";
}

std::vector<DerivativeResult> checkDerivatives(Simulation& s)
{
    const ExecutionPlan& plan = ExecutionPlan::of(s.root());
    Checker checker;
    const auto guarded = [&checker](auto&& check) {
        try {
            check();
        } catch (const std::exception& e) {
            checker.failed(e.what());
        }
    };
    for (BaseForceField* f : plan.forceFields())
        if (hasPoints(f->states())) guarded([&] { checker.forceField(*f); });
    for (BaseMass* m : plan.masses())
        if (const auto* f = dynamic_cast<BaseForceField*>(m); f && hasPoints(f->states()))
            guarded([&] { checker.mass(*m); });
    for (BaseMapping* m : plan.mappings())
        if (hasPoints(m->inputs()) && hasPoints(m->outputs())) guarded([&] { checker.mapping(*m); });
    MechanicalOperations(s.root(), MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
    return checker.results;
}

}  // namespace sofa::core
