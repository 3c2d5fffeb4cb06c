// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Trust.h"

#include <algorithm>
#include <utility>

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

thread_local bool onlyLooks = false;

/// What the program has open, and what swallows everything: writing there harms no file.
bool isStream(const fs::path& file) { return file == "/dev/stdout" || file == "/dev/stderr" || file == "/dev/null"; }

/// Where a file lies: all links that exist are followed. Empty if that cannot be told, as with a link that leads to
/// what does not exist: who writes there would make it.
fs::path placeOf(const fs::path& file)
{
    std::error_code error;
    fs::path place = fs::weakly_canonical(fs::absolute(file, error), error);
    if (error || place.empty()) return {};
    fs::path part;
    for (const fs::path& name : place) {
        part /= name;
        if (name == ".." || fs::is_symlink(part, error)) return {};
    }
    return place;
}

bool liesBelow(const fs::path& place, const fs::path& folder)
{
    auto name = place.begin();
    for (const fs::path& f : folder) {
        if (f.empty()) break;  // "folder/"
        if (name == place.end() || *name++ != f) return false;
    }
    return name != place.end() &&
           std::none_of(name, place.end(), [](const fs::path& n) { return n.string().starts_with('.'); });
}

}  // namespace

Trust& Trust::instance()
{
    static Trust trust;
    return trust;
}

void Trust::trustAll(bool on)
{
    const std::scoped_lock lock(m_mutex);
    m_all = on;
}

bool Trust::trustsAll() const
{
    const std::scoped_lock lock(m_mutex);
    return m_all;
}

void Trust::setAnswer(Answer answer)
{
    const std::scoped_lock lock(m_mutex);
    m_answer = std::move(answer);
}

bool Trust::mayLoad(const std::string& library)
{
    const std::scoped_lock lock(m_mutex);
    if ((m_all && !onlyLooks) || (m_answer && m_answer(library))) return true;
    if (!onlyLooks && std::ranges::find(m_refused, library) == m_refused.end()) m_refused.push_back(library);
    return false;
}

std::vector<std::string> Trust::takeRefused()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_refused, {});
}

Trust::Look::Look() : m_before(std::exchange(onlyLooks, true)) {}
Trust::Look::~Look() { onlyLooks = m_before; }

void Trust::addOutputFolder(const fs::path& folder)
{
    const std::scoped_lock lock(m_mutex);
    m_folders.push_back(folder);
}

std::string Trust::whyNotWrite(const fs::path& file) const
{
    const std::scoped_lock lock(m_mutex);
    if (m_all || isStream(file)) return {};
    const fs::path place = placeOf(file);
    std::error_code error;
    std::vector<fs::path> folders = m_folders;
    folders.insert(folders.begin(), fs::current_path(error));
    std::string text;
    for (const fs::path& folder : folders) {
        const fs::path real = fs::weakly_canonical(folder, error);
        if (error || real.empty()) continue;
        if (!place.empty() && liesBelow(place, real)) return {};
        text += (text.empty() ? "'" : ", '") + real.string() + '\'';
    }
    return "a scene that is not trusted writes only in the working folder and the folders of --output-folder (" + text +
           "), no hidden files, and not through links that lead out" +
           (place.empty() || place == fs::absolute(file, error) ? "" : "; this one leads to '" + place.string() + "'") +
           "; start with --trust if you trust the scene";
}

}  // namespace sofa::core
