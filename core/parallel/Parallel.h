// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

/// Parallel loops whose results do not depend on the number of threads.
///
/// A loop over [begin, end) is cut into chunks of `grain` consecutive indices (the last one may be shorter). The cut
/// depends on the range and the grain alone, never on the number of threads or on timing. A loop body that writes only
/// what its own indices own therefore gives bitwise the same result on any machine, and a reduction that adds the
/// chunks' partial results in the order of the chunks does too.
namespace sofa::core {

/// Non-owning reference to a callable; it must not outlive what it refers to. Two pointers, no allocation.
template <class Signature>
class FunctionRef;

template <class R, class... A>
class FunctionRef<R(A...)>
{
public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, A...>)
        FunctionRef(F&& f)
        : m_object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))), m_call([](void* o, A... a) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(o))(std::forward<A>(a)...);
          })
    {
    }
    R operator()(A... a) const { return m_call(m_object, std::forward<A>(a)...); }

private:
    void* m_object;
    R (*m_call)(void*, A...);
};

/// Sets how many threads the parallel loops may use: 1 is sequential, 0 means all the cores of the machine (the
/// default). Not to be called from inside a parallel loop.
void setThreadCount(unsigned n);

/// Number of threads that the parallel loops use at present, at least 1.
unsigned threadCount();

namespace detail {
/// Calls `f(k)` for every chunk k in [0, chunkCount), in any order and on any thread. Exceptions are rethrown.
void runChunks(std::size_t chunkCount, FunctionRef<void(std::size_t)> f);
}  // namespace detail

/// Calls `f(b, e)` for consecutive sub-ranges that cover [begin, end), each of `grain` indices (the last may be
/// shorter). A range of at most `grain` indices runs in the calling thread without any overhead. An exception thrown by
/// `f` reaches the caller; which one, if several chunks throw, is not determined.
template <class F>
void parallelFor(std::size_t begin, std::size_t end, std::size_t grain, F&& f)
{
    if (begin >= end) return;
    grain = std::max<std::size_t>(grain, 1);
    if (end - begin <= grain) {
        f(begin, end);
        return;
    }
    detail::runChunks((end - begin + grain - 1) / grain, [&](std::size_t k) {
        const std::size_t b = begin + k * grain;
        f(b, std::min(end, b + grain));
    });
}

/// Largest number of partial results of a `parallelReduce`; longer ranges get larger chunks.
inline constexpr std::size_t maxReduceChunks = 256;

/// Reduction over [begin, end): `map(b, e)` gives the partial result of a sub-range, `combine(a, b)` joins two of them,
/// always from left to right: combine(... combine(combine(identity, p₀), p₁) ..., pₙ). Bitwise the same for any number
/// of threads. T must be default constructible; nothing is allocated.
template <class T, class Map, class Combine>
T parallelReduce(std::size_t begin, std::size_t end, std::size_t grain, T identity, Map&& map, Combine&& combine)
{
    if (begin >= end) return identity;
    const std::size_t n = end - begin;
    const std::size_t chunk = std::max({grain, (n + maxReduceChunks - 1) / maxReduceChunks, std::size_t{1}});
    if (n <= chunk) return combine(identity, map(begin, end));
    const std::size_t chunkCount = (n + chunk - 1) / chunk;
    std::array<T, maxReduceChunks> partial;
    detail::runChunks(chunkCount, [&](std::size_t k) {
        const std::size_t b = begin + k * chunk;
        partial[k] = map(b, std::min(end, b + chunk));
    });
    T r = identity;
    for (std::size_t k = 0; k < chunkCount; ++k) r = combine(r, partial[k]);
    return r;
}

/// Sum of `map(b, e)` over the chunks of [begin, end), in the order of the chunks.
template <class T, class Map>
T parallelSum(std::size_t begin, std::size_t end, std::size_t grain, T zero, Map&& map)
{
    return parallelReduce(begin, end, grain, zero, map, [](const T& a, const T& b) { return a + b; });
}

}  // namespace sofa::core
