// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sofa::core {

/// Thrown when a plugin cannot be found or loaded; the text says where it was looked for, or what the loader said.
struct PluginError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Thrown for a plugin that is there, but that a scene may not load: the user has not agreed to it.
struct UntrustedPlugin : PluginError
{
    using PluginError::PluginError;
};

/// A loaded plugin.
struct Plugin
{
    std::string name;     ///< what it calls itself, or the name of its file without "lib" and ".so"
    std::string path;     ///< absolute path of its library
    std::string version;  ///< empty where it does not say
    std::string license;
    std::string description;
    std::vector<std::string> components;  ///< classes that it registered, sorted
};

/// Loads shared libraries that add components to the registry.
///
/// A plugin needs no entry point: its components register themselves when the library is loaded. These C functions are
/// called where the library has them: `void initExternalModule()`, once; `bool moduleIsInitialized()`, which may
/// refuse; and `const char* getModuleName()`, `getModuleVersion()`, `getModuleLicense()`, `getModuleDescription()`.
/// Plugins stay loaded until the program ends, since objects of their classes may live that long.
class PluginManager
{
public:
    static PluginManager& instance();

    /// Folders of SOFA_PLUGIN_PATH (separated by ':') and the lib/ and plugins/ folders of the running program.
    PluginManager();

    /// Loads a plugin by the path of its library or by its name, and returns what is known of it. Loading it again, by
    /// whatever name, changes nothing. Throws PluginError.
    const Plugin& load(const std::string& nameOrPath);
    /// The same for a scene: by its name from searchPaths(); by a path, or from a folder that a scene added, only if
    /// the user agrees (Trust). Throws PluginError, and UntrustedPlugin where he does not: nothing of it is loaded
    /// then.
    const Plugin& loadForScene(const std::string& nameOrPath);
    /// The plugin of this name or path if it is loaded.
    const Plugin* find(const std::string& nameOrPath) const;
    /// In the order of loading. Entries keep their address.
    const std::deque<Plugin>& plugins() const { return m_plugins; }

    /// Loads every plugin that a list names: one a line, `name [version]`; empty lines and those that begin with '#'
    /// are skipped. What cannot be loaded is reported as an error, and the rest is loaded. Returns the number of
    /// plugins loaded. Throws PluginError if there is no such file.
    int loadList(const std::string& path);
    /// Loads the plugin_list.conf beside the program's libraries, else its plugin_list.conf.default, if there is one.
    int loadDefaultList();

    /// Puts a folder before those searched so far.
    void addSearchPath(const std::string& folder);
    /// Folders that were installed, or that the user chose: what they hold is trusted.
    const std::vector<std::string>& searchPaths() const { return m_paths; }
    /// Adds a folder that a scene names: searched for scenes only, behind searchPaths(), the last one first.
    void addSceneFolder(const std::string& folder);
    const std::vector<std::string>& sceneFolders() const { return m_sceneFolders; }
    /// Library of the plugin `name`: <folder>/lib<name>.so, <folder>/<name>/lib<name>.so,
    /// <folder>/<name>/lib/lib<name>.so for each folder of searchPaths(), first as written, then whatever the case of
    /// its letters.
    std::optional<std::string> findLibrary(const std::string& name) const { return findLibrary(name, m_paths); }

private:
    static std::optional<std::string> findLibrary(const std::string& name, const std::vector<std::string>& folders);
    [[noreturn]] void failToFind(const std::string& nameOrPath, bool forScene) const;
    const Plugin& loadLibrary(const std::string& path);

    std::vector<std::string> m_paths, m_sceneFolders;
    std::deque<Plugin> m_plugins;
};

}  // namespace sofa::core
