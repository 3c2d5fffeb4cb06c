// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/math/Vector.h"

namespace sofa::core {

/// Bytes of a component's run-time state, written or read by the same code: `archive(m_iterations);
/// archive(m_solution);`.
class Archive
{
public:
    /// Archive for saving.
    Archive() = default;
    /// Archive that loads from bytes.
    explicit Archive(std::string bytes) : m_bytes(std::move(bytes)), m_loading(true) {}

    bool loading() const { return m_loading; }
    const std::string& bytes() const { return m_bytes; }
    bool atEnd() const { return m_pos == m_bytes.size(); }

    template <class T>
    requires(std::is_trivially_copyable_v<T>) void operator()(T& v) { raw(&v, sizeof v); }

    template <class T>
    requires(std::is_trivially_copyable_v<T>) void operator()(Vector<T>& v)
    {
        std::uint64_t n = v.size();
        (*this)(n);
        if (m_loading) {
            if (n > (m_bytes.size() - m_pos) / sizeof(T)) throw std::runtime_error("truncated state");
            v.resize(n);
        }
        if (n > 0) raw(v.data(), n * sizeof(T));
    }
    void operator()(std::string& v)
    {
        std::uint64_t n = v.size();
        (*this)(n);
        if (m_loading) {
            if (n > m_bytes.size() - m_pos) throw std::runtime_error("truncated state");
            v.resize(n);
        }
        raw(v.data(), n);
    }

private:
    void raw(void* p, std::size_t n)
    {
        if (m_loading) {
            if (n > m_bytes.size() - m_pos) throw std::runtime_error("truncated state");
            std::memcpy(p, m_bytes.data() + m_pos, n);
            m_pos += n;
        } else {
            m_bytes.append(static_cast<const char*>(p), n);
        }
    }

    std::string m_bytes;
    std::size_t m_pos = 0;
    bool m_loading = false;
};

}  // namespace sofa::core
