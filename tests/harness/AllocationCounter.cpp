// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/AllocationCounter.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<long> left{-1};
std::atomic<bool> failed{false};
std::atomic<bool (*)(std::size_t)> refusal{nullptr};

/// Counts a call; true if it is one that fails.
bool fails(std::size_t size) noexcept
{
    count.fetch_add(1, std::memory_order_relaxed);
    if (const auto refuses = refusal.load(std::memory_order_relaxed); refuses && refuses(size)) return true;
    if (left.load(std::memory_order_relaxed) < 0 || left.fetch_sub(1) != 0) return false;
    failed = true;
    return true;
}

void* allocate(std::size_t size) noexcept
{
    if (fails(size)) return nullptr;
    return std::malloc(size > 0 ? size : 1);
}

void* allocateAligned(std::size_t size, std::align_val_t alignment) noexcept
{
    if (fails(size)) return nullptr;
    const auto a = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(a, size > 0 ? (size + a - 1) / a * a : a);
}

void* checked(void* p)
{
    if (!p) throw std::bad_alloc();
    return p;
}

}  // namespace

std::size_t sofa::test::allocationCount() { return count.load(std::memory_order_relaxed); }

void sofa::test::failAllocationAfter(long n)
{
    failed = false;
    left = n;
}

bool sofa::test::allocationFailed() { return failed; }

void sofa::test::refuseAllocations(bool (*refuses)(std::size_t bytes)) { refusal = refuses; }

void* operator new(std::size_t size) { return checked(allocate(size)); }
void* operator new[](std::size_t size) { return checked(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t a) { return checked(allocateAligned(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return checked(allocateAligned(size, a)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept
{
    return allocateAligned(size, a);
}
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept
{
    return allocateAligned(size, a);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
