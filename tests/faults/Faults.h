// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

namespace sofa::test {

/// While one of these lives, one thing that the program asks of the system fails. One at a time.
class Fault
{
public:
    enum class Kind
    {
        Allocation,  ///< the n-th call of operator new throws std::bad_alloc
        Write,       ///< no file gets longer than n bytes: the disk is full
        Sync,        ///< the n-th fsync fails
        Rename       ///< the n-th rename fails
    };
    Fault(Kind kind, std::size_t n);
    ~Fault();
    Fault(const Fault&) = delete;
    Fault& operator=(const Fault&) = delete;

    /// Of calls that are counted: whether the n-th came.
    static bool happened();

private:
    Kind m_kind;
};

}  // namespace sofa::test
