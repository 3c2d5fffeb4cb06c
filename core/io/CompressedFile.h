// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// The content of a file, decompressed if it is compressed by gzip, whatever its name; it may be empty.
/// \throws MeshError where the file is absent or unreadable, or its compressed content damaged or truncated.
SourceText loadCompressed(const std::filesystem::path& path);

}  // namespace sofa::core::io
