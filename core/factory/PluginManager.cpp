// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/PluginManager.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/Installation.h"
#include "core/Trust.h"
#include "core/factory/Origin.h"
#include "core/factory/Registry.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

bool equalIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool isFile(const fs::path& p)
{
    std::error_code ignored;
    return fs::is_regular_file(p, ignored);
}

/// "libSoft.Spring.so" -> "Soft.Spring".
std::string nameFromFile(const fs::path& path)
{
    std::string name = path.filename().string();
    if (const auto extension = name.rfind(".so"); extension != std::string::npos && extension > 0)
        name.erase(extension);
    if (name.starts_with("lib")) name.erase(0, 3);
    return name;
}

/// A file or folder in `folder` whose name is `name` but for the case of its letters; the first in sorted order.
std::optional<fs::path> entryIgnoringCase(const fs::path& folder, const std::string& name)
{
    std::error_code ignored;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored))
        if (equalIgnoringCase(it->path().filename().string(), name)) found.push_back(it->path());
    if (found.empty()) return std::nullopt;
    return *std::min_element(found.begin(), found.end());
}

template <class Function>
Function* symbol(void* library, const char* name)
{
    return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string textOf(void* library, const char* name)
{
    auto* const f = symbol<const char*()>(library, name);
    const char* text = f ? f() : nullptr;
    return text ? text : "";
}

std::vector<std::string> registeredNames()
{
    std::vector<std::string> names;
    for (const auto& entry : Registry::instance().entries()) names.push_back(entry->name);
    return names;
}

/// What has no help cannot be documented: an error, as it is for the components of the program.
void checkHelp(const std::string& plugin, const ComponentEntry& e)
{
    std::set<std::string> without;
    for (const ComponentCreator& creator : e.creators) {
        const std::shared_ptr<Component> c = creator.create();
        for (const BaseData* d : c->data())
            if (d->help().empty()) without.insert("Data '" + d->name() + '\'');
        for (const BaseLink* l : c->links())
            if (l->help().empty()) without.insert("link '" + std::string(l->name()) + '\'');
    }
    for (const std::string& what : without)
        MessageLog::emit(Severity::Error, "plugin '" + plugin + "': " + what + " of component '" + e.name +
                                              "' has no help: say in its declaration what it is");
}

}  // namespace

PluginManager& PluginManager::instance()
{
    static PluginManager manager;
    return manager;
}

PluginManager::PluginManager()
{
    if (const char* environment = std::getenv("SOFA_PLUGIN_PATH")) {
        std::istringstream folders(environment);
        for (std::string folder; std::getline(folders, folder, ':');)
            if (!folder.empty()) m_paths.push_back(fs::absolute(folder).lexically_normal().string());
    }
    const fs::path root = installationDirectory();
    m_paths.push_back((root / "lib").string());
    m_paths.push_back((root / "plugins").string());
}

void PluginManager::addSearchPath(const std::string& folder)
{
    const std::string path = fs::absolute(folder).lexically_normal().string();
    std::erase(m_paths, path);
    m_paths.insert(m_paths.begin(), path);
}

void PluginManager::addSceneFolder(const std::string& folder)
{
    const std::string path = fs::absolute(folder).lexically_normal().string();
    std::erase(m_sceneFolders, path);
    m_sceneFolders.insert(m_sceneFolders.begin(), path);
}

std::optional<std::string> PluginManager::findLibrary(const std::string& name, const std::vector<std::string>& folders)
{
    if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
    const std::string file = "lib" + name + ".so";
    for (const fs::path folder : folders)
        for (const fs::path& p :
             {folder / file, folder / name / file, folder / name / "lib" / file, folder / (name + ".so")})
            if (isFile(p)) return p.string();
    for (const fs::path folder : folders) {
        if (const auto p = entryIgnoringCase(folder, file); p && isFile(*p)) return p->string();
        if (const auto sub = entryIgnoringCase(folder, name))
            for (const fs::path& inner : {*sub, *sub / "lib"})
                if (const auto p = entryIgnoringCase(inner, file); p && isFile(*p)) return p->string();
    }
    return std::nullopt;
}

const Plugin* PluginManager::find(const std::string& nameOrPath) const
{
    std::error_code ignored;
    const std::string path = isFile(nameOrPath) ? fs::canonical(nameOrPath, ignored).string() : std::string();
    const auto it = std::find_if(m_plugins.begin(), m_plugins.end(), [&](const Plugin& p) {
        return p.name == nameOrPath || nameFromFile(p.path) == nameOrPath || (!path.empty() && p.path == path);
    });
    return it == m_plugins.end() ? nullptr : &*it;
}

const Plugin& PluginManager::load(const std::string& nameOrPath)
{
    if (const Plugin* p = find(nameOrPath)) return *p;
    if (isFile(nameOrPath)) return loadLibrary(fs::canonical(nameOrPath).string());
    if (const auto library = findLibrary(nameOrPath)) {
        const std::string path = fs::canonical(*library).string();
        if (const Plugin* p = find(path)) return *p;
        return loadLibrary(path);
    }
    failToFind(nameOrPath, false);
}

const Plugin& PluginManager::loadForScene(const std::string& nameOrPath)
{
    if (const Plugin* p = find(nameOrPath)) return *p;
    if (const auto installed = findLibrary(nameOrPath)) return load(*installed);
    std::optional<std::string> library = findLibrary(nameOrPath, m_sceneFolders);
    if (isFile(nameOrPath)) library = nameOrPath;
    if (!library) failToFind(nameOrPath, true);
    const std::string path = fs::canonical(*library).string();
    if (const Plugin* p = find(path)) return *p;
    if (!Trust::instance().mayLoad(path))
        throw UntrustedPlugin("the plugin '" + nameOrPath + "' was not loaded: it is native code, '" + path +
                              "', which is not installed and could do all that you can; if you trust the scene and "
                              "this file, start with --trust, or load it yourself with --load '" +
                              path + "'");
    return loadLibrary(path);
}

void PluginManager::failToFind(const std::string& nameOrPath, bool forScene) const
{
    std::string text = "cannot find the plugin '" + nameOrPath + "'";
    if (nameOrPath.find('/') == std::string::npos) {
        text += ": there is no lib" + nameOrPath + ".so in";
        for (const std::string& p : m_paths) text += "\n    " + p;
        if (forScene)
            for (const std::string& p : m_sceneFolders) text += "\n    " + p;
    }
    throw PluginError(text);
}

const Plugin& PluginManager::loadLibrary(const std::string& path)
{
    const std::string name = nameFromFile(path);
    if (const Plugin* other = find(name)) {
        MessageLog::emit(Severity::Warning, "plugin '" + name + "' was loaded from '" + other->path + "'; '" + path +
                                                "' is not loaded beside it");
        return *other;
    }
    const std::vector<std::string> before = registeredNames();
    dlerror();
    const RegistrationOrigin origin(path);
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char* reason = dlerror();
        throw PluginError("cannot load the plugin '" + path + "': " + (reason ? reason : "unknown reason"));
    }
    if (auto* const init = symbol<void()>(library, "initExternalModule")) init();
    if (auto* const ready = symbol<bool()>(library, "moduleIsInitialized"); ready && !ready())
        throw PluginError("the plugin '" + path + "' reports that it could not be initialised");
    Plugin plugin;
    plugin.name = textOf(library, "getModuleName");
    if (plugin.name.empty()) plugin.name = name;
    plugin.path = path;
    plugin.version = textOf(library, "getModuleVersion");
    plugin.license = textOf(library, "getModuleLicense");
    plugin.description = textOf(library, "getModuleDescription");
    const std::vector<std::string> after = registeredNames();
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(plugin.components));
    for (const std::string& c : plugin.components) checkHelp(plugin.name, *Registry::instance().find(c));
    m_plugins.push_back(std::move(plugin));
    return m_plugins.back();
}

int PluginManager::loadList(const std::string& path)
{
    std::ifstream in(path);
    if (!in) throw PluginError("cannot open the plugin list '" + path + "'");
    const auto file = std::make_shared<const std::string>(path);
    int loaded = 0, line = 0;
    for (std::string text; std::getline(in, text);) {
        ++line;
        std::istringstream words(text);
        std::string name;
        if (!(words >> name) || name.front() == '#') continue;
        try {
            load(name);
            ++loaded;
        } catch (const PluginError& e) {
            MessageLog::emit(Severity::Error, e.what(), {file, line, 1});
        }
    }
    return loaded;
}

int PluginManager::loadDefaultList()
{
    for (const char* name : {"plugin_list.conf", "plugin_list.conf.default"}) {
        const fs::path list = installationDirectory() / "lib" / name;
        if (isFile(list)) return loadList(list.string());
    }
    return 0;
}

}  // namespace sofa::core
