// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaSceneParts.h"

#include <cmath>
#include <numbers>

#include "core/io/MeshError.h"

namespace sofa::component::vega {

namespace fs = std::filesystem;

SourceLocation location(const io::VegaFile& file, std::string_view key)
{
    const io::ConfigKey* k = file.find(key);
    return {std::make_shared<const std::string>(k ? k->file : file.file.string()), k ? static_cast<int>(k->line) : 0,
            0};
}

SceneElement element(const io::VegaFile& file, std::string type, std::string_view key)
{
    SceneElement e;
    e.isNode = type == "Node";
    e.description.type = std::move(type);
    e.description.where = location(file, key);
    return e;
}

fs::path require(const io::VegaFile& owner, std::string_view key, const std::string& name)
{
    const fs::path path = owner.resolve(name).lexically_normal();
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
        throw SceneError(location(owner, key), "*" + std::string(key) + ": there is no file '" + path.string() + "'");
    return path;
}

std::string nameFrom(const io::VegaFile& config, const fs::path& path)
{
    const fs::path folder = config.file.parent_path();
    const fs::path relative = path.lexically_relative(folder.empty() ? fs::path(".") : folder);
    return relative.empty() ? path.string() : relative.generic_string();
}

SceneElement camera(const io::VegaFile& file, const Vec3& focus, double radius, double longitude, double latitude)
{
    const double phi = longitude * std::numbers::pi / 180., theta = latitude * std::numbers::pi / 180.;
    const Vec3 direction{std::cos(phi) * std::cos(theta), std::sin(theta), -std::sin(phi) * std::cos(theta)};
    SceneElement e = element(file, "InteractiveCamera", "cameraRadius");
    set(e, "position", focus + direction * radius);
    set(e, "lookAt", focus);
    return e;
}

void addLights(SceneElement& root, const io::VegaFile& file, const char* key, const std::string& name)
{
    if (name.empty()) return;
    io::VegaLighting lights;
    try {
        lights = io::readVegaLighting(file.resolve(name));
    } catch (const io::MeshError& e) {
        MessageLog::emit(Severity::Warning, std::string(e.what()) + "; the viewer uses a light of its own",
                         location(file, key));
        return;
    }
    for (const std::string& note : lights.notes) MessageLog::emit(Severity::Warning, note);
    const auto gray = [](double s) {
        const auto f = static_cast<float>(s);
        return Vec<4, float>{f, f, f, 1.f};
    };
    SceneElement manager = element(file, "LightManager", key);
    set(manager, "ambient", gray(lights.globalAmbientIntensity));
    root.children.push_back(std::move(manager));
    for (const auto& light : lights.lights) {
        if (!light.enabled) continue;
        const Vec3 place{light.position[0], light.position[1], light.position[2]};
        const bool directional = light.position[3] == 0.;
        SceneElement e = element(file, directional ? "DirectionalLight" : "PositionalLight", key);
        set(e, directional ? "direction" : "position", place);
        set(e, "color", gray(light.intensity));
        root.children.push_back(std::move(e));
    }
}

}  // namespace sofa::component::vega
