// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/VegaConfig.h"
#include "core/objectmodel/DataText.h"
#include "core/scene/SceneLoader.h"

/// What the scenes of Vega's two simulators have in common.
namespace sofa::component::vega {

using namespace sofa::core;

/// Place of a key, or of the file where it does not have it.
SourceLocation location(const io::VegaFile& file, std::string_view key);
/// An element with the place of a key.
SceneElement element(const io::VegaFile& file, std::string type, std::string_view key);
template <class T>
void set(SceneElement& e, const char* name, const T& value)
{
    e.description.set(name, toText(value), e.description.where);
}
inline void set(SceneElement& e, const char* name, const char* value)
{
    e.description.set(name, std::string(value), e.description.where);
}
/// Path of a file that must exist, named at `key` of `owner`. \throws SceneError
std::filesystem::path require(const io::VegaFile& owner, std::string_view key, const std::string& name);
/// Name of a file seen from the folder of a configuration.
std::string nameFrom(const io::VegaFile& config, const std::filesystem::path& path);
/// Camera at spherical coordinates [degrees] about the focus: longitude from x towards −z, latitude from the plane xz
/// towards y.
SceneElement camera(const io::VegaFile& file, const Vec3& focus, double radius, double longitude, double latitude);
/// Adds the lights of a file; where it cannot be read, that is a warning at `key`.
void addLights(SceneElement& root, const io::VegaFile& file, const char* key, const std::string& name);

}  // namespace sofa::component::vega
