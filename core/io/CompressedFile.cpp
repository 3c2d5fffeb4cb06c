// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/CompressedFile.h"

#include <zlib.h>

#include <memory>

#include "core/io/InputLimit.h"
#include "core/io/MeshError.h"

namespace sofa::core::io {

SourceText loadCompressed(const std::filesystem::path& path)
{
    // Tells what is absent, a folder or not allowed; the start of the bytes tells whether they are compressed.
    SourceText source = loadBytes(path);
    if (!source.text.starts_with("\x1f\x8b")) return source;
    const std::string name = path.string();
    const std::size_t compressed = source.text.size();
    source.text.clear();
    source.text.shrink_to_fit();
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> owner(gzopen(name.c_str(), "rb"), gzclose_r);
    gzFile gz = owner.get();
    if (!gz) throw MeshError(name, "cannot be read");
    std::string part(1U << 16, '\0');
    int n = 0;
    while ((n = gzread(gz, part.data(), static_cast<unsigned>(part.size()))) > 0) {
        requireInflatedSize(name, source.text.size() + static_cast<std::uint64_t>(n), compressed);
        source.text.append(part, 0, static_cast<std::size_t>(n));
    }
    int end = Z_OK;
    gzerror(gz, &end);  // Z_BUF_ERROR: the file ends in the middle
    if (end != Z_OK || n < 0) throw MeshError(name, "it is damaged or truncated");
    return source;
}

}  // namespace sofa::core::io
