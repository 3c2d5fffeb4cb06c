// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <utility>

#include "components/linearsolver/KeptFactor.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "components/linearsolver/PointRotations.h"
#include "components/linearsolver/Preconditioner.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// Says how often the matrix of a WarpPreconditioner is taken anew, and which component knows how its points turn in
/// between.
class RotationMatrixSystem final : public LinearSystem
{
public:
    Data<unsigned> d_assemblingRate{
        this,
        {.name = "assemblingRate",
         .help =
             "The solver that is warped takes the matrix at every assemblingRate-th system; in between its solutions "
             "are turned with the material"},
        1};
    Link<RotationFinder> l_rotationFinder{this,
                                          {"rotationFinder",
                                           "Component that knows how the material around each point has turned; "
                                           "default: the first one of the node or below"}};

    RotationMatrixSystem()
    {
        ignoreAttribute("mainSystem", "the matrix is that of the solver that is preconditioned");
        ignoreAttribute("enableAssembly", "the matrix is assembled when it is needed");
    }
    void init() override
    {
        LinearSystem::init();
        tellUnusedParts("the matrix is that of the solver that is preconditioned");
        std::string error;
        if (!l_rotationFinder.resolve(error)) return fail("rotationFinder: " + error);
        if (!l_rotationFinder) l_rotationFinder.set(PointRotations::find(*node()));
        if (d_assemblingRate.value() > 1 && !l_rotationFinder)
            fail("no force field of node '" + node()->pathName() +
                 "' or below knows how its points turn (a corotational one does)");
    }
};

/// Preconditioner for PCGLinearSolver: the solver of an older matrix, warped by the rotations R of the material since:
/// z = R A⁻¹ Rᵀ r (Saupin, Duriez, Cotin and Grisoni, Efficient contact modeling using compliance warping, 2008). One
/// factorisation then serves for many steps of a body that turns.
///
/// SOFA turns by the whole rotation from the rest shape also where the matrix is that of a turned shape; here it is the
/// rotation since that shape.
class WarpPreconditioner final : public Preconditioner
{
public:
    Link<AssembledLinearSolver> l_linearSolver{
        this, {"linearSolver", "Solver that is warped; default: the first one of the node that solves directly"}};

    WarpPreconditioner()
    {
        ignoreAttribute("update_step", "set assemblingRate of a RotationMatrixSystem");
        ignoreAttribute("useRotationFinder", "set rotationFinder of a RotationMatrixSystem");
    }

    void init() override
    {
        std::string error;
        if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
        if (!l_linearSystem) l_linearSystem.set(node()->get<RotationMatrixSystem>(Search::Local));
        if (!l_linearSystem) {
            // Without one in the scene each system takes its own matrix, and nothing turns.
            Preconditioner::init();
        } else if (!dynamic_cast<RotationMatrixSystem*>(l_linearSystem.get())) {
            return fail("linearSystem: " + l_linearSystem->pathName() + " (" + l_linearSystem->className() +
                        ") is no RotationMatrixSystem");
        }
        if (!l_linearSolver.resolve(error)) return fail("linearSolver: " + error);
        if (!l_linearSolver)
            for (AssembledLinearSolver* s : node()->getAll<AssembledLinearSolver>(Search::Local))
                if (!l_linearSolver && !s->isPreconditioner()) l_linearSolver.set(s);
        if (!l_linearSolver) return fail("node '" + node()->pathName() + "' has no solver to be warped");
        if (dynamic_cast<WarpPreconditioner*>(l_linearSolver.get()))
            return fail("linearSolver: a WarpPreconditioner cannot be warped");
        forget();
    }
    void reset() override
    {
        Preconditioner::reset();
        forget();
    }
    void archive(Archive& a) override
    {
        Preconditioner::archive(a);
        a(m_age);
        a(m_size);
        a(m_values);
        m_rotations.archive(a);
        auto count = static_cast<std::uint64_t>(m_queue.size());
        a(count);
        if (a.loading()) {
            if (count > 17) throw std::runtime_error("more rotations than there can be");
            m_queue.assign(count, {});
        }
        for (PointRotations& r : m_queue) r.archive(a);
        m_isRestored = a.loading() && m_age > 0;
    }
    void restoring() override { m_repeat = m_age > 0; }

    void apply(std::span<const double> r, std::span<double> z) override
    {
        m_turned.resize(r.size());
        m_rotations.turnBack(r, m_turned);
        l_linearSolver->apply(m_turned, z);
        m_rotations.turn(z, z);
    }
    void explainFactor(Explanation& e) const override
    {
        if (!l_linearSolver) return;
        e.add("warps", l_linearSolver->pathName() + " (" + l_linearSolver->className() + ")");
        l_linearSolver->explainFactor(e);
        e.include(l_linearSolver.get());
    }

protected:
    void prepare(SystemOperator& a) override
    {
        AssembledLinearSolver& solver = *l_linearSolver;
        const unsigned every = rate();
        const bool fits = a.layout().size() == m_size;
        if (m_isRestored && fits && remake(a) && std::exchange(m_repeat, false)) return;
        m_isRestored = m_repeat = false;
        if (m_age == 0 || m_age >= every || !fits) {
            if (!fits) forget();
            solver.update(a);
            m_size = a.layout().size();
            m_age = 0;
            if (every > 1) {
                const auto values = a.assemble().values();
                m_values.assign(values.begin(), values.end());
                m_queue.emplace_back();
                m_queue.back().begin(finder(), a.layout());
            }
            const auto* lagging = dynamic_cast<const LaggingSolver*>(&solver);
            const std::size_t length = lagging ? std::size_t{lagging->lag()} + 1 : 1;
            while (m_queue.size() > length) m_queue.erase(m_queue.begin());
        }
        ++m_age;
        if (m_queue.empty()) return;
        m_queue.front().update(finder(), a.layout());
        m_rotations = m_queue.front();
    }

private:
    const RotationMatrixSystem* rotationSystem() const
    {
        return dynamic_cast<const RotationMatrixSystem*>(l_linearSystem.get());
    }
    unsigned rate() const
    {
        const RotationMatrixSystem* s = rotationSystem();
        return s ? std::max(1u, s->d_assemblingRate.value()) : 1u;
    }
    const RotationFinder& finder() const
    {
        const RotationFinder* f = rotationSystem()->l_rotationFinder.get();
        if (!f) refuse("nothing knows how its points turn");
        return *f;
    }
    void forget()
    {
        m_age = 0;
        m_size = 0;
        m_values.clear();
        m_rotations.clear();
        m_queue.clear();
        m_isRestored = m_repeat = false;
    }
    /// After a checkpoint the solver takes the matrix that it had; false if that does not fit.
    bool remake(SystemOperator& a)
    {
        m_isRestored = false;
        if (rate() == 1) {
            // The next update gives it another one, unless this one repeats what was before.
            if (!m_repeat) return true;
            l_linearSolver->restoring();
            l_linearSolver->update(a);
            return true;
        }
        const std::span<double> values = a.assemble().values();
        if (values.size() != m_values.size()) return false;
        l_linearSolver->restoring();
        std::ranges::swap_ranges(values, m_values);
        l_linearSolver->update(a);
        std::ranges::swap_ranges(values, m_values);
        return true;
    }

    unsigned m_age = 0;       ///< systems since the solver took a matrix; 0: never
    int m_size = 0;           ///< of that matrix
    Vector<double> m_values;  ///< its values, for checkpoints
    std::vector<PointRotations>
        m_queue;                 ///< since the matrices whose factors the solver has or makes, the oldest first
    PointRotations m_rotations;  ///< since the matrix of its factor
    Vector<double> m_turned;
    bool m_isRestored = false;  ///< by a checkpoint: the solver is to take these values
    bool m_repeat = false;      ///< the next update repeats one before a checkpoint
};

const RegisterComponent registeredRotationMatrixSystem =
    RegisterComponent("RotationMatrixSystem", "LinearSystem", Preconditioner::module)
        .help(
            "Says how often the matrix of a WarpPreconditioner is taken anew, and what knows how points turn in "
            "between")
        .example("component/linearsolver/WarpPreconditioner.scn")
        .add<RotationMatrixSystem>(matrixTemplates(false));
const RegisterComponent registeredWarpPreconditioner =
    RegisterComponent("WarpPreconditioner", "LinearSolver", Preconditioner::module)
        .help("Preconditioner for PCGLinearSolver: a direct solver of an older matrix, turned with the material since")
        .example("component/linearsolver/WarpPreconditioner.scn")
        .add<WarpPreconditioner>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
