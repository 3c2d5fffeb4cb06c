// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/math/Vec.h"

namespace sofa::core {

/// A number for a sequence of values: the same for the same bits, and with a probability of 2⁻⁶⁴ for others.
/// (splitmix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.)
class Fingerprint
{
public:
    explicit Fingerprint(std::uint64_t start = 0) : m_value(start) {}
    Fingerprint& add(std::uint64_t x)
    {
        m_value += 0x9e3779b97f4a7c15u + x;
        m_value = (m_value ^ (m_value >> 30)) * 0xbf58476d1ce4e5b9u;
        m_value = (m_value ^ (m_value >> 27)) * 0x94d049bb133111ebu;
        m_value ^= m_value >> 31;
        return *this;
    }
    Fingerprint& add(double x) { return add(std::bit_cast<std::uint64_t>(x)); }
    Fingerprint& add(std::span<const double> all)
    {
        for (const double x : all) add(x);
        return *this;
    }
    template <std::size_t N>
    Fingerprint& add(const Vec<N>& v)
    {
        return add(std::span<const double>(v.m));
    }
    Fingerprint& add(std::string_view text)
    {
        add(std::uint64_t{text.size()});
        for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
        return *this;
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value;
};

}  // namespace sofa::core
