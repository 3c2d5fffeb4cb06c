// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/faults/Faults.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "tests/harness/AllocationCounter.h"

namespace sofa::test {

namespace {

/// How many calls go well still; negative: all of them. One counter for each kind.
std::atomic<long> left[4] = {-1, -1, -1, -1};
std::atomic<bool> came = false;
rlimit largestFile{};

std::atomic<long>& counter(Fault::Kind kind) { return left[static_cast<int>(kind)]; }

/// Whether this call is the one that fails.
bool fails(Fault::Kind kind)
{
    if (counter(kind).load(std::memory_order_relaxed) < 0 || counter(kind).fetch_sub(1) != 0) return false;
    came = true;
    return true;
}

}  // namespace

Fault::Fault(Kind kind, std::size_t n) : m_kind(kind)
{
    came = false;
    if (kind == Kind::Allocation) {
        failAllocationAfter(static_cast<long>(n));
        return;
    }
    if (kind != Kind::Write) {
        counter(kind) = static_cast<long>(n);
        return;
    }
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &largestFile);
    const rlimit small{n, largestFile.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
}

Fault::~Fault()
{
    if (m_kind == Kind::Allocation) {
        came = allocationFailed();
        failAllocationAfter(-1);
    } else if (m_kind == Kind::Write) {
        setrlimit(RLIMIT_FSIZE, &largestFile);
    } else {
        counter(m_kind) = -1;
    }
}

bool Fault::happened() { return came; }

}  // namespace sofa::test

extern "C" int fsync(int file)
{
    static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fsync"));
    if (sofa::test::fails(sofa::test::Fault::Kind::Sync)) return errno = EIO, -1;
    return real(file);
}

extern "C" int rename(const char* from, const char* to) noexcept
{
    static const auto real = reinterpret_cast<int (*)(const char*, const char*)>(dlsym(RTLD_NEXT, "rename"));
    if (sofa::test::fails(sofa::test::Fault::Kind::Rename)) return errno = EIO, -1;
    return real(from, to);
}
