// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A wish for a number of threads, as scenes have it: in force as long as the object lives, unless a later wish, or the
/// program's own choice (fixThreadCount), stands above it. Results do not depend on the number of threads.
class ThreadRequest
{
public:
    ThreadRequest() = default;
    ~ThreadRequest() { withdraw(); }
    ThreadRequest(const ThreadRequest&) = delete;
    ThreadRequest& operator=(const ThreadRequest&) = delete;

    /// `wanted` as in SOFA: 0 all cores of the machine, −n all but n of them (one at least), else so many. Not to be
    /// called from inside a parallel loop. False if the program has chosen already.
    bool ask(int wanted);
    void withdraw();

private:
    unsigned m_count = 0;
};

/// setThreadCount for good: what the user of the program asks for comes before what scenes ask for.
void fixThreadCount(unsigned n);

}  // namespace sofa::core
