// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/CompressedFile.h"

#include <zlib.h>

#include "core/io/MeshError.h"

namespace sofa::core::io {

SourceText loadCompressed(const std::filesystem::path& path)
{
    // Tells what is absent, a folder or not allowed; the start of the bytes tells whether they are compressed.
    SourceText source = loadBytes(path);
    if (!source.text.starts_with("\x1f\x8b")) return source;
    const std::string name = path.string();
    gzFile gz = gzopen(name.c_str(), "rb");
    if (!gz) throw MeshError(name, "cannot be read");
    source.text.clear();
    std::string part(1U << 16, '\0');
    int n = 0;
    while ((n = gzread(gz, part.data(), static_cast<unsigned>(part.size()))) > 0)
        source.text.append(part, 0, static_cast<std::size_t>(n));
    if (gzclose(gz) != Z_OK || n < 0) throw MeshError(name, "it is damaged or truncated");
    return source;
}

}  // namespace sofa::core::io
