// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/Parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "core/log/Session.h"

namespace sofa::core {

namespace {

unsigned machineThreads() { return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency())); }

/// The limit that is in force. TBB keeps at most as many workers as the machine has cores unless an arena asks for
/// more, so loops run in an arena of the wanted size; the global control bounds TBB use elsewhere (plugins).
struct ThreadLimit
{
    std::mutex mutex;
    std::optional<tbb::global_control> control;
    std::unique_ptr<tbb::task_arena> arena;
    std::atomic<unsigned> count{machineThreads()};
};

ThreadLimit& limit()
{
    static ThreadLimit instance;
    return instance;
}

}  // namespace

void setThreadCount(unsigned n)
{
    ThreadLimit& l = limit();
    const std::lock_guard lock(l.mutex);
    if (n == 0) n = machineThreads();
    l.control.reset();
    l.control.emplace(tbb::global_control::max_allowed_parallelism, n);
    l.arena = n == machineThreads() || n == 1 ? nullptr : std::make_unique<tbb::task_arena>(static_cast<int>(n));
    l.count = n;
}

unsigned threadCount() { return limit().count.load(std::memory_order_relaxed); }

namespace detail {

namespace {

/// oneTBB is not instrumented, so that the thread sanitizer does not see that a loop begins before its chunks and ends
/// after them: here it does. Costs nothing elsewhere.
class LoopOrder
{
public:
#if defined(__SANITIZE_THREAD__)
    LoopOrder() { m_begun.store(1, std::memory_order_release); }
    void beginChunk() { (void)m_begun.load(std::memory_order_acquire); }
    void endChunk() { m_ended.fetch_add(1, std::memory_order_acq_rel); }
    void end() { (void)m_ended.load(std::memory_order_acquire); }

private:
    std::atomic<int> m_begun{0}, m_ended{0};
#else
    void beginChunk() {}
    void endChunk() {}
    void end() {}
#endif
};

}  // namespace

void runChunks(std::size_t chunkCount, FunctionRef<void(std::size_t)> f)
{
    ThreadLimit& l = limit();
    if (chunkCount < 2 || l.count.load(std::memory_order_relaxed) < 2) {
        for (std::size_t k = 0; k < chunkCount; ++k) f(k);
        return;
    }
    Session& session = Session::current();
    LoopOrder order;
    const auto loop = [&] {
        // Isolation: a thread that waits for a nested loop must not start another chunk of the outer loop, or
        // thread-local work space of the outer body would be used twice at once.
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunkCount, 1),
                              [&](const tbb::blocked_range<std::size_t>& r) {
                                  order.beginChunk();
                                  {
                                      const Session::Scope scope(session);
                                      for (std::size_t k = r.begin(); k != r.end(); ++k) f(k);
                                  }
                                  order.endChunk();
                              });
        });
    };
    if (l.arena)
        l.arena->execute(loop);
    else
        loop();
    order.end();
}

}  // namespace detail

}  // namespace sofa::core
