// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"
#include "core/objectmodel/OutputFileName.h"

/// Components that act while a scene is loaded.
namespace sofa::core {

/// Names plugins that a scene needs, and loads them at once, before the elements below it are created. A module of SOFA
/// that is part of this program is satisfied without loading anything.
class RequiredPlugin : public Component
{
public:
    RequiredPlugin();

    Data<Vector<std::string>> d_pluginName{
        this, {.name = "pluginName", .help = "Plugins by name or path; the component's name if none is given"}};
    Data<bool> d_requireAll{this, {.name = "requireAll", .help = "Fail if any of the plugins cannot be loaded"}, true};
    Data<bool> d_requireOne{this, {.name = "requireOne", .help = "Fail if none of the plugins can be loaded"}, false};
    Data<bool> d_stopAfterFirstNameFound{
        this,
        {.name = "stopAfterFirstNameFound", .help = "The names are alternatives: load the first that exists"},
        false};
    Data<Vector<std::string>> d_loadedPlugins{
        this,
        {.name = "loadedPlugins", .help = "Names that were loaded or built in", .readOnly = true, .saved = false}};

    void parse(ComponentDescription& desc) override;

private:
    void load(const Vector<std::string>& names);
};

/// Adds a folder in which files are looked for (core/io/DataRepository.h), from here on.
class AddDataRepository : public Component
{
public:
    Data<FileName> d_path{
        this, {.name = "path", .help = "Folder; a relative one is taken from the scene's", .required = true}};

    void parse(ComponentDescription& desc) override;
};

/// Adds a folder in which plugins are looked for, from here on.
class AddPluginRepository : public Component
{
public:
    Data<FileName> d_path{
        this, {.name = "path", .help = "Folder; a relative one is taken from the scene's", .required = true}};

    void parse(ComponentDescription& desc) override;
};

/// States the version of SOFA that a scene was written for. Nothing depends on it, but what is no version is told.
class ApiVersion : public Component
{
public:
    Data<std::string> d_level{this, {.name = "level", .help = "Version, such as 23.06; default: the name"}};

    void init() override;
};

/// Text for the reader of a scene; SOFA puts it in the place of components that it could not create.
class InfoComponent : public Component
{
};

/// Writes messages to a file, from here on until the scene is closed. What comes before the first step waits in memory
/// for it: a scene that is only opened writes nothing.
class FileMessageHandlerComponent : public Component
{
public:
    Data<OutputFileName> d_filename{
        this,
        {.name = "filename", .help = "File to write; a relative one lies in the working folder", .required = true}};

    FileMessageHandlerComponent() { d_listening.setDefault(true); }
    void parse(ComponentDescription& desc) override;
    /// Opens the file when a step begins. \throws std::runtime_error where that fails
    void handleEvent(const Event& e) override;
    ~FileMessageHandlerComponent() override;

    /// While one lives, those that are made in this thread write nothing: the scene is a draft.
    class Silence
    {
    public:
        Silence();
        ~Silence();
        Silence(const Silence&) = delete;
        Silence& operator=(const Silence&) = delete;

    private:
        const bool m_before;
    };

private:
    struct Lines;

    int m_handler = 0;
    std::shared_ptr<Lines> m_lines;
};

}  // namespace sofa::core
