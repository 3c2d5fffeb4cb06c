// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/DataRepository.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "core/Installation.h"
#include "core/log/Session.h"
#include "core/objectmodel/Base.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

std::vector<std::string> splitPath(const std::string& path)
{
    std::vector<std::string> out;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        if (end > start) {
            fs::path p = fs::absolute(path.substr(start, end - start)).lexically_normal();
            if (!p.has_filename()) p = p.parent_path();
            out.push_back(p.string());
        }
        start = end + 1;
    }
    return out;
}

std::string withoutScheme(const std::string& name)
{
    if (name.starts_with("file://")) return name.substr(7);
    if (name.starts_with("file:")) return name.substr(5);
    return name;
}

bool exists(const fs::path& p)
{
    std::error_code ignored;
    return fs::exists(p, ignored);
}

/// " (did you mean 'x'?)" from the files that lie where `wanted` would.
std::string nearFile(const std::vector<std::string>& wanted)
{
    for (const std::string& w : wanted) {
        const fs::path p(w);
        std::error_code ignored;
        std::vector<std::string> names;
        for (fs::directory_iterator it(p.parent_path(), ignored), end; !ignored && it != end; it.increment(ignored))
            names.push_back(it->path().filename().string());
        std::sort(names.begin(), names.end());
        const std::string hint = didYouMean(p.filename().string(), names);
        if (!hint.empty()) return hint;
    }
    return {};
}

std::string folderOf(const SourceLocation& where)
{
    return where.file ? fs::path(*where.file).parent_path().string() : std::string();
}

/// Folders from which the value of a Data may be meant.
std::vector<std::string> foldersFor(const BaseData& d)
{
    std::vector<std::string> out;
    if (d.owner() && d.owner()->location.known()) out.push_back(folderOf(d.owner()->location));
    if (d.location.known()) {
        const std::string given = folderOf(d.location);
        if (out.empty() || out.front() != given) out.push_back(given);
    }
    if (out.empty()) out.emplace_back();
    return out;
}

[[noreturn]] void failToFind(const std::string& name, const std::vector<std::string>& places)
{
    if (name.empty()) throw std::runtime_error("expected the name of a file, found an empty name");
    std::string text = "cannot find the file '" + name + "'" + nearFile(places) + "; searched:";
    for (const std::string& p : places) text += "\n    " + p;
    throw std::runtime_error(text);
}

}  // namespace

DataRepository& DataRepository::instance()
{
    static const SessionLocal<DataRepository> repository;
    return *repository;
}

DataRepository::DataRepository()
{
    if (const char* environment = std::getenv("SOFA_DATA_PATH")) m_paths = splitPath(environment);
    const fs::path share = shareDirectory();
    m_paths.push_back(share.string());
    m_paths.push_back((share / "scenes").string());
}

void DataRepository::addPath(const std::string& path)
{
    const auto added = splitPath(path);
    for (const std::string& p : added) std::erase(m_paths, p);
    m_paths.insert(m_paths.begin(), added.begin(), added.end());
}

void DataRepository::addLastPath(const std::string& path)
{
    for (const std::string& p : splitPath(path))
        if (std::find(m_paths.begin(), m_paths.end(), p) == m_paths.end()) m_paths.push_back(p);
}

void DataRepository::removePath(const std::string& path)
{
    for (const std::string& p : splitPath(path)) std::erase(m_paths, p);
}

std::vector<std::string> DataRepository::candidates(const std::string& given, const std::string& relativeTo) const
{
    const std::string name = withoutScheme(given);
    if (name.empty()) return {};
    const fs::path path(name);
    if (path.is_absolute()) return {path.lexically_normal().string()};
    std::vector<std::string> out;
    const auto add = [&](const fs::path& folder) {
        std::string s = (fs::absolute(folder) / path).lexically_normal().string();
        if (std::find(out.begin(), out.end(), s) == out.end()) out.push_back(std::move(s));
    };
    add(relativeTo.empty() ? fs::path(".") : fs::path(relativeTo));
    for (const std::string& p : m_paths) add(p);
    return out;
}

std::optional<std::string> DataRepository::find(const std::string& name, const std::string& relativeTo) const
{
    for (std::string& c : candidates(name, relativeTo))
        if (exists(c)) return std::move(c);
    return std::nullopt;
}

std::string DataRepository::require(const std::string& name, const std::string& relativeTo) const
{
    if (auto found = find(name, relativeTo)) return *found;
    failToFind(name, candidates(name, relativeTo));
}

std::optional<std::string> findFile(const std::string& name, const BaseData& relativeTo)
{
    for (const std::string& folder : foldersFor(relativeTo))
        if (auto found = DataRepository::instance().find(name, folder)) return found;
    return std::nullopt;
}

std::string requireFile(const BaseData& fileName)
{
    const std::string name = fileName.text();
    if (auto found = findFile(name, fileName)) return *found;
    std::vector<std::string> places;
    for (const std::string& folder : foldersFor(fileName))
        for (std::string& c : DataRepository::instance().candidates(name, folder))
            if (std::find(places.begin(), places.end(), c) == places.end()) places.push_back(std::move(c));
    failToFind(name, places);
}

}  // namespace sofa::core
