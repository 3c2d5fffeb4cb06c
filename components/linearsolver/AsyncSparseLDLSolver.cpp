// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <future>

#include "components/linearsolver/KeptFactor.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/log/Session.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"

namespace sofa::component {

using namespace core;

namespace {

/// A matrix whose factor may be in the making.
struct LaggingFactor : KeptFactor
{
    std::future<void> work;  ///< the last member: it waits for its end before the others go

    void start()
    {
        Session& session = Session::current();
        work = std::async(std::launch::async, [this, &session] {
            const Session::Scope scope(session);
            factorize();
        });
    }
    void finish()
    {
        if (work.valid()) work.get();
    }
};

/// L D Lᵀ of the assembled matrix in the background: the k-th system is solved with the factor of the (k − d)-th one,
/// or of the first where k ≤ d, for the delay d. The factorisations of the last d matrices go on meanwhile, in threads
/// of their own, and are waited for when their turn has come: which factor is used depends on the number of the system
/// only, never on how long a factorisation takes. Solutions are those of an older matrix; as a preconditioner of
/// PCGLinearSolver it costs an iteration or two instead.
///
/// SOFA's takes the newest factor that is ready, also between two iterations of conjugate gradients; where a
/// factorisation takes less than a step, that is a delay of one. A matrix of another size is factorised at once.
class AsyncSparseLDLSolver final : public DirectSolver, public LaggingSolver
{
public:
    Data<unsigned> d_delay{this,
                           {.name = "delay",
                            .help = "How many systems older than the one to be solved the factorised matrix is; 0: it "
                                    "is that of the system itself",
                            .range = Range::closed(0., 16.)},
                           1};

    AsyncSparseLDLSolver() : DirectSolver(FactorizationMethod::supernodalLdlt)
    {
        ignoreAttribute("enableAssembly", "the matrix is assembled for each system");
    }

    void init() override
    {
        DirectSolver::init();
        forget();
    }
    void reset() override
    {
        DirectSolver::reset();
        forget();
    }
    /// The factors that are in use or in the making are made anew from their matrices.
    void archive(Archive& a) override
    {
        DirectSolver::archive(a);
        auto count = static_cast<std::uint64_t>(m_queue.size());
        a(count);
        if (a.loading()) {
            forget();
            if (count > 17) throw std::runtime_error("more factors than there can be");
            for (std::uint64_t k = 0; k < count; ++k) m_queue.push_back(newFactor());
        }
        for (const auto& f : m_queue) f->archiveMatrix(a);
        if (!a.loading()) return;
        for (const auto& f : m_queue) f->factorize();
        m_wasLoaded = count > 0;
    }
    /// The archive has the matrix of that update already.
    void restoring() override { m_skip = !m_queue.empty(); }

    unsigned lag() const override { return m_queue.empty() ? 0 : static_cast<unsigned>(m_queue.size()) - 1; }

    void explainFactor(Explanation& e) const override
    {
        DirectSolver::explainFactor(e);
        e.add("delay", toText(d_delay.value()) + " systems, factorised in the background");
        for (const auto& f : m_queue) e.addMemory(f->matrix.bytes());
    }

protected:
    void prepare(SystemOperator& from) override
    {
        const SystemAssembly& a = from.assemble(readsUpperTriangle());
        if (std::exchange(m_skip, false) && m_queue.front()->matrix.rows() == a.size()) return take(a, false);
        if (a.size() == 0) return;
        const std::size_t length = d_delay.value() + std::size_t{1};
        const bool fits = !m_queue.empty() && m_queue.front()->matrix.rows() == a.size() && m_queue.size() <= length;
        if (!fits) forget();
        const bool older = fits && m_queue.size() < length;  // there is no other factor to take yet
        if (m_queue.size() == length)
            std::rotate(m_queue.begin(), m_queue.begin() + 1, m_queue.end());
        else
            m_queue.push_back(newFactor());
        LaggingFactor& newest = *m_queue.back();
        newest.matrix = a.stored();
        if (m_queue.size() > 1 && threadCount() > 1) {
            newest.start();
        } else {
            ScopedTimer t("Factorize");
            newest.factorize();
        }
        take(a, older);
    }

private:
    std::unique_ptr<LaggingFactor> newFactor() const
    {
        auto f = std::make_unique<LaggingFactor>();
        f->factor = newFactorization(ordering());
        return f;
    }
    void forget()
    {
        m_queue.clear();
        m_skip = m_wasLoaded = false;
        if (factorization()) renew();
    }
    /// Solves with the oldest factor from now on.
    void take(const SystemAssembly& a, bool isKnown)
    {
        LaggingFactor& oldest = *m_queue.front();
        {
            ScopedTimer t("Wait for factor");
            oldest.finish();
        }
        if (isKnown && !std::exchange(m_wasLoaded, false)) return sameMatrix();
        m_wasLoaded = false;
        use(*oldest.factor);
        if (const auto stored = static_cast<unsigned>(oldest.factor->report().factorNonZeros);
            stored != d_factorNonZeros.value())
            d_factorNonZeros.setValue(stored);
        judge(oldest.status, a);
    }

    std::vector<std::unique_ptr<LaggingFactor>> m_queue;  ///< the oldest first; solves take that one
    bool m_skip = false;                                  ///< the next update repeats one before a checkpoint
    bool m_wasLoaded = false;                             ///< and solves have not taken the oldest factor yet
};

const RegisterComponent registeredAsyncSparseLDLSolver =
    RegisterComponent("AsyncSparseLDLSolver", "LinearSolver", "Sofa.Component.LinearSolver.Direct")
        .help(
            "LDL' factorisation of the assembled symmetric matrix in the background: solves take the factor of the "
            "system before, a preconditioner for PCGLinearSolver")
        .example("component/linearsolver/AsyncSparseLDLSolver.scn")
        .add<AsyncSparseLDLSolver>(matrixTemplates(false));

}  // namespace

}  // namespace sofa::component
