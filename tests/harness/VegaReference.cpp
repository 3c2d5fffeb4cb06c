// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/VegaReference.h"

#include <zlib.h>

#include "tests/harness/Paths.h"

namespace sofa::test {

std::optional<nlohmann::json> vegaReference()
{
    const auto folder = oracleDirectory();
    if (!folder) return std::nullopt;
    const auto path = *folder / "vega" / "reference.json.gz";
    if (!std::filesystem::exists(path)) return std::nullopt;
    const gzFile file = gzopen(path.c_str(), "rb");
    if (!file) throw std::runtime_error("cannot open " + path.string());
    std::string text;
    char buffer[1 << 16];
    int n = 0;
    while ((n = gzread(file, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<std::size_t>(n));
    gzclose(file);
    if (n < 0) throw std::runtime_error("cannot read " + path.string());
    return nlohmann::json::parse(text);
}

std::optional<std::filesystem::path> vegaMesh(const std::string& file)
{
    const auto folder = oracleDirectory();
    if (!folder) return std::nullopt;
    const auto path = *folder / "vega" / "meshes" / std::filesystem::path(file).filename();
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path;
}

}  // namespace sofa::test
