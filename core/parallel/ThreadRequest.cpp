// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/ThreadRequest.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

struct Requests
{
    std::mutex mutex;
    std::vector<const ThreadRequest*> all;  ///< in the order in which they came
    unsigned before = 0;                    ///< threads without requests
    bool fixed = false;
};

Requests& requests()
{
    static Requests instance;
    return instance;
}

}  // namespace

bool ThreadRequest::ask(int wanted)
{
    Requests& r = requests();
    const std::lock_guard lock(r.mutex);
    if (r.fixed) return false;
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    m_count = static_cast<unsigned>(wanted > 0 ? wanted : std::max(1, cores + wanted));
    if (r.all.empty()) r.before = threadCount();
    std::erase(r.all, this);
    r.all.push_back(this);
    setThreadCount(m_count);
    return true;
}

void ThreadRequest::withdraw()
{
    Requests& r = requests();
    const std::lock_guard lock(r.mutex);
    if (std::erase(r.all, this) == 0 || r.fixed) return;
    setThreadCount(r.all.empty() ? r.before : r.all.back()->m_count);
}

void fixThreadCount(unsigned n)
{
    Requests& r = requests();
    const std::lock_guard lock(r.mutex);
    r.fixed = true;
    setThreadCount(n);
}

}  // namespace sofa::core
