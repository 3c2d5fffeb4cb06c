// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// How much a file may bring into memory (docs/security.md). What a header claims is compared with the bytes that are
/// there before memory is asked for; what is compressed, with these limits.
namespace sofa::core::io {

/// Largest size of an input, decompressed [bytes]: that of setInputLimit(), else of the environment variable
/// SOFA_INPUT_LIMIT, else 4 GB.
std::uint64_t inputLimit();
void setInputLimit(std::uint64_t bytes);

/// "500", "16 GB" (10⁹ bytes), "2MB", "8kB"; nothing if the text is no size above 0.
std::optional<std::uint64_t> parseSize(std::string_view text);
/// "4.3 GB".
std::string sizeText(std::uint64_t bytes);

/// Throws MeshError with the name of the file if so many bytes are more than an input may have; the text says
/// how to raise the limit.
void requireInputSize(const std::string& path, std::uint64_t bytes);
/// The same for what comes out of `compressed` bytes: beyond 64 MB, also if it is more than 200 times as much.
void requireInflatedSize(const std::string& path, std::uint64_t bytes, std::uint64_t compressed);

}  // namespace sofa::core::io
