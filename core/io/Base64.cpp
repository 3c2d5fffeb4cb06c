// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/Base64.h"

namespace sofa::core::io {

namespace {

constexpr int Blank = -1, Pad = -2, Bad = -3;

int sextet(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    if (c == '=') return Pad;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') return Blank;
    return Bad;
}

}  // namespace

bool Base64Reader::group()
{
    unsigned bits = 0;
    int digits = 0, pads = 0;
    while (digits + pads < 4) {
        if (m_at == m_text.size()) return false;
        const int v = sextet(m_text[m_at]);
        if (v == Bad || (v >= 0 && pads > 0) || (v == Pad && digits < 2)) {
            m_bad = true;
            return false;
        }
        ++m_at;
        if (v == Blank) continue;
        if (v == Pad) {
            ++pads;
            bits <<= 6;
        } else {
            ++digits;
            bits = bits << 6 | static_cast<unsigned>(v);
        }
    }
    m_pending[0] = static_cast<char>(bits >> 16);
    m_pending[1] = static_cast<char>(bits >> 8);
    m_pending[2] = static_cast<char>(bits);
    m_first = 0;
    m_count = 3 - static_cast<std::size_t>(pads);
    return true;
}

std::string Base64Reader::read(std::size_t n)
{
    std::string out;
    out.reserve(n < m_text.size() ? n : m_text.size());
    while (out.size() < n) {
        if (m_count == 0 && !group()) break;
        while (m_count > 0 && out.size() < n) {
            out += m_pending[m_first++];
            --m_count;
        }
    }
    return out;
}

}  // namespace sofa::core::io
