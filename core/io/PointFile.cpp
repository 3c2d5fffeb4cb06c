// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/PointFile.h"

#include "core/io/MeshReader.h"
#include "core/io/XspFormat.h"

namespace sofa::core::io {

PointFile readPoints(const std::filesystem::path& path)
{
    PointFile out;
    const std::string extension = path.extension().string();
    if (extension == ".xs3" || extension == ".xsp") {
        for (const XspData::Mass& m : readXsp(path).masses) {
            out.positions.push_back(m.position);
            out.velocities.push_back(m.velocity);
        }
    } else {
        out.positions = readMesh(path).positions;
    }
    return out;
}

}  // namespace sofa::core::io
