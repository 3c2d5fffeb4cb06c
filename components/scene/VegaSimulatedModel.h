// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "components/scene/VegaSceneParts.h"
#include "core/io/VegFormat.h"

namespace sofa::component::vega {

/// What a configuration of Vega's interactive simulator simulates: its mesh or springs and the fixed vertices, read
/// from the files that it names.
class SimulatedModel
{
public:
    /// \throws SceneError at a key that asks for what does not exist here, and for files that are missing or do not
    /// fit; io::MeshError for files that cannot be read
    explicit SimulatedModel(const io::VegaConfig& config);

    /// Displacements or velocities of all points, from the file at `key`.
    Vector<Vec3> readState(std::string_view key, const std::string& name) const;

    std::string modelKey;  ///< the key that decides what is simulated
    std::string meshKey;   ///< the key that names the mesh
    std::filesystem::path meshPath;
    io::VegMesh mesh;  ///< volumetric mesh, if there is one
    std::size_t points = 0;
    std::optional<io::VegaMassSpring> springs;
    Vector<Index> fixed;
    Vector<Vec3> rest;  ///< positions, where the scene gives others to begin with

private:
    void readModel();
    void readMesh(const std::filesystem::path& path);
    void readSprings();
    void readFixedVertices();
    [[noreturn]] void fail(std::string_view key, const std::string& text) const;

    const io::VegaConfig& m_config;
};

}  // namespace sofa::component::vega
