// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/io/MeshError.h"
#include "core/io/TextScanner.h"
#include "tests/harness/Paths.h"

namespace sofa::test {

/// A source that was never on disk.
inline core::io::SourceText source(std::string name, std::string text) { return {std::move(name), std::move(text)}; }

/// The message of the MeshError that `f` throws; "no error" where it throws none.
template <class F>
std::string errorOf(F f)
{
    try {
        f();
    } catch (const core::io::MeshError& e) {
        return e.what();
    }
    return "no error";
}

/// Appends the bytes of a value in little-endian or big-endian order.
template <class T>
void put(std::string& out, T value, bool bigEndian = false)
{
    char b[sizeof(T)];
    std::memcpy(b, &value, sizeof(T));
    if (bigEndian)
        for (std::size_t i = sizeof(T); i-- > 0;) out += b[i];
    else
        out.append(b, sizeof(T));
}

}  // namespace sofa::test
