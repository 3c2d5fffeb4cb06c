// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneComponents.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <utility>

#include "core/factory/PluginManager.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/LineFile.h"
#include "core/io/SceneOutput.h"
#include "core/objectmodel/Event.h"
#include "core/scene/OldNames.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

bool isBuiltIn(const std::string& name)
{
    if (isBuiltInModule(name)) return true;
    return std::ranges::any_of(Registry::instance().entries(), [&](const auto& e) { return e->module == name; });
}

/// Absolute path of a folder that a Data names; a relative one is taken from the folder of the scene.
std::string folderFor(const Data<FileName>& path)
{
    fs::path p = path.value().text;
    if (p.is_relative() && path.location.known()) p = fs::path(*path.location.file).parent_path() / p;
    return fs::absolute(p).lexically_normal().string();
}

}  // namespace

RequiredPlugin::RequiredPlugin()
{
    ignoreAttribute("suffixMap", "plugins have no suffixes");
    ignoreAttribute("stopAfterFirstSuffixFound", "plugins have no suffixes");
}

void RequiredPlugin::parse(ComponentDescription& desc)
{
    Component::parse(desc);
    Vector<std::string> names = d_pluginName.value();
    if (names.empty()) {
        const std::string own = desc.get("name");
        if (own.empty()) {
            fail("expected pluginName=\"...\", the plugin to load");
            return;
        }
        names.push_back(own);
    }
    load(names);
}

void RequiredPlugin::load(const Vector<std::string>& names)
{
    Vector<std::string> loaded;
    std::string reasons, refused;
    for (const std::string& name : names) {
        if (!isBuiltIn(name)) {
            try {
                PluginManager::instance().loadForScene(name);
            } catch (const UntrustedPlugin& e) {
                refused += (refused.empty() ? "" : "; ") + std::string(e.what());
                continue;
            } catch (const PluginError& e) {
                reasons += (reasons.empty() ? "" : "; ") + std::string(e.what());
                continue;
            }
        }
        loaded.push_back(name);
        if (d_stopAfterFirstNameFound.value()) {
            reasons.clear();
            refused.clear();
            break;
        }
    }
    const bool none = loaded.empty();
    d_loadedPlugins.setValue(std::move(loaded));
    // Not to be passed over by --lenient and requireAll="0": the user is to know what the scene wanted.
    if (!refused.empty())
        message(Severity::Error, refused, d_pluginName.location.known() ? d_pluginName.location : location);
    if (reasons.empty()) return;
    if (d_requireAll.value() || (d_requireOne.value() && none))
        tolerate(reasons, "the scene goes on without");
    else
        message(Severity::Warning, reasons);
}

void AddDataRepository::parse(ComponentDescription& desc)
{
    Component::parse(desc);
    if (d_path.value().text.empty()) return;
    const std::string folder = folderFor(d_path);
    if (fs::is_directory(folder))
        DataRepository::instance().addPath(folder);
    else
        message(Severity::Error, "attribute 'path': '" + folder + "' is no folder", d_path.location);
}

void AddPluginRepository::parse(ComponentDescription& desc)
{
    Component::parse(desc);
    if (d_path.value().text.empty()) return;
    const std::string folder = folderFor(d_path);
    if (fs::is_directory(folder))
        PluginManager::instance().addSceneFolder(folder);
    else
        message(Severity::Error, "attribute 'path': '" + folder + "' is no folder", d_path.location);
}

namespace {

thread_local bool silent = false;

}  // namespace

FileMessageHandlerComponent::Silence::Silence() : m_before(silent) { silent = true; }
FileMessageHandlerComponent::Silence::~Silence() { silent = m_before; }

/// Messages come from any thread.
struct FileMessageHandlerComponent::Lines
{
    void add(const std::string& line)
    {
        const std::scoped_lock lock(mutex);
        if (waits)
            waiting.push_back(line);
        else
            write(line);
    }
    void open(const std::string& name)
    {
        const std::scoped_lock lock(mutex);
        if (!std::exchange(waits, false)) return;
        file = LineFile(name);
        for (const std::string& line : std::exchange(waiting, {})) write(line);
    }

private:
    void write(const std::string& line)
    {
        if (!file.isOpen()) return;
        try {
            file.write(line);
        } catch (const std::runtime_error& e) {
            std::cerr << e.what() << std::endl;  // not a message: it would come here again
        }
    }

    std::mutex mutex;
    bool waits = true;
    std::vector<std::string> waiting;
    LineFile file;
};

void FileMessageHandlerComponent::parse(ComponentDescription& desc)
{
    Component::parse(desc);
    const std::string file = d_filename.value().text;
    if (file.empty() || silent) return;
    try {
        checkOutput(file);
    } catch (const std::runtime_error& e) {
        return message(Severity::Error, std::string("attribute 'filename': ") + e.what(), d_filename.location);
    }
    m_lines = std::make_shared<Lines>();
    m_handler = MessageLog::addHandler([lines = m_lines](const Message& m) { lines->add(m.str()); }, true);
}

void FileMessageHandlerComponent::handleEvent(const Event& e)
{
    if (m_lines && dynamic_cast<const AnimateBeginEvent*>(&e)) m_lines->open(d_filename.value().text);
}

FileMessageHandlerComponent::~FileMessageHandlerComponent()
{
    if (m_handler) MessageLog::removeHandler(m_handler);
}

void ApiVersion::init()
{
    const std::string& level = d_level.value().empty() ? name() : d_level.value();
    const auto digits = [&level](std::size_t from) {
        return std::all_of(level.begin() + from, level.begin() + from + 2,
                           [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    if (level.size() != 5 || level[2] != '.' || !digits(0) || !digits(3))
        message(Severity::Warning, "level: '" + level + "' is no version of SOFA, such as 23.06", d_level.location);
}

namespace {

const auto requiredPlugin = RegisterComponent("RequiredPlugin", "SceneUtility", "Sofa.Simulation.Core")
                                .help("Loads the plugins that a scene needs")
                                .example("component/scene/SceneUtilities.scn")
                                .add<RequiredPlugin>();
const auto addDataRepository = RegisterComponent("AddDataRepository", "SceneUtility", "Sofa.Component.SceneUtility")
                                   .help("Adds a folder in which the files of a scene are looked for")
                                   .alias("AddResourceRepository")
                                   .example("component/scene/SceneUtilities.scn")
                                   .add<AddDataRepository>();
const auto addPluginRepository = RegisterComponent("AddPluginRepository", "SceneUtility", "Sofa.Component.SceneUtility")
                                     .help("Adds a folder in which plugins are looked for")
                                     .example("component/scene/SceneUtilities.scn")
                                     .add<AddPluginRepository>();
const auto apiVersion = RegisterComponent("APIVersion", "SceneUtility", "Sofa.Component.SceneUtility")
                            .help("States the version of SOFA that a scene was written for")
                            .example("component/scene/SceneUtilities.scn")
                            .add<ApiVersion>();
const auto infoComponent = RegisterComponent("InfoComponent", "SceneUtility", "Sofa.Component.SceneUtility")
                               .help("Text for the reader of a scene")
                               .example("component/scene/SceneUtilities.scn")
                               .add<InfoComponent>();
const auto fileMessageHandler =
    RegisterComponent("FileMessageHandlerComponent", "SceneUtility", "Sofa.Component.SceneUtility")
        .help("Writes the messages of a scene to a file")
        .example("component/scene/SceneUtilities.scn")
        .add<FileMessageHandlerComponent>();

}  // namespace

}  // namespace sofa::core
