// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Gui.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/Installation.h"
#include "core/factory/PluginManager.h"

namespace sofa::core {

namespace {

constexpr std::string_view prefix = "libsofa_gui_", suffix = ".so";

}  // namespace

std::vector<GuiModule> findGuis()
{
    std::vector<std::string> folders{(installationDirectory() / "lib").string()};
    const std::vector<std::string>& plugins = PluginManager::instance().searchPaths();
    folders.insert(folders.end(), plugins.begin(), plugins.end());
    std::map<std::string, std::string> found;
    for (const std::string& folder : folders) {
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
            const std::string file = entry.path().filename().string();
            if (file.size() > prefix.size() + suffix.size() && file.starts_with(prefix) && file.ends_with(suffix))
                found.emplace(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()),
                              entry.path().string());
        }
    }
    std::vector<GuiModule> modules;
    modules.reserve(found.size());
    for (const auto& [name, path] : found) modules.push_back({name, path});
    return modules;
}

std::unique_ptr<Gui> loadGui(const std::string& name)
{
    const std::vector<GuiModule> modules = findGuis();
    const auto module =
        std::find_if(modules.begin(), modules.end(), [&](const GuiModule& m) { return m.name == name; });
    if (module == modules.end()) {
        std::string known = "batch";
        for (const GuiModule& m : modules) known += ", " + m.name;
        throw GuiError("there is no user interface '" + name + "'; those installed are: " + known);
    }
    void* library = dlopen(module->path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        throw GuiError("the user interface '" + name + "' cannot be loaded: " + (why ? why : "unknown reason"));
    }
    using Create = Gui*();
    const auto create = reinterpret_cast<Create*>(dlsym(library, "sofaCreateGui"));
    if (!create)
        throw GuiError("the user interface '" + name + "' cannot be loaded: " + module->path +
                       " has no function sofaCreateGui (see SOFA_GUI)");
    return std::unique_ptr<Gui>(create());
}

}  // namespace sofa::core
