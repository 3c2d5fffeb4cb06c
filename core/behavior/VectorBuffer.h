// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sofa::core {

enum class Precision
{
    Double,
    Single
};

/// The scalars of a state vector in a memory of their own, such as that of a GPU, with the operations
/// that run there. State::makeBuffer gives a state such vectors; it sees to it that they and what components read and
/// write on the host are the same, and copies only what has changed.
///
/// The other buffers of an operation are of the same kind and size; they may be this one.
class VectorBuffer
{
public:
    virtual ~VectorBuffer() = default;
    virtual std::string_view memory() const = 0;
    virtual Precision precision() const = 0;
    virtual std::size_t size() const = 0;
    virtual void resize(std::size_t scalars) = 0;

    /// Takes or gives all scalars, converted from or to double.
    virtual void upload(std::span<const double> from) = 0;
    virtual void download(std::span<double> to) const = 0;

    /// 0
    virtual void clear() = 0;
    /// a
    virtual void copy(const VectorBuffer& a) = 0;
    /// a + f b; a null pointer stands for zero.
    virtual void add(const VectorBuffer* a, const VectorBuffer* b, double f) = 0;
    virtual void scale(double f) = 0;
    virtual double dot(const VectorBuffer& a) const = 0;
    /// For checks: what the host holds is overwritten by what is no number as soon as it is out of date, so that a
    /// reference that was kept too long shows.
    virtual bool forbidsStaleAccess() const { return false; }
};

}  // namespace sofa::core
