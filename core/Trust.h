// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace sofa::core {

/// What the user allows scenes to do beyond computing (docs/security.md): which libraries they may load by a path, and
/// in which folders they may write. It holds for the whole process. Thread safe.
class Trust
{
public:
    static Trust& instance();

    /// Scenes may do whatever the user may: runSofa --trust.
    void trustAll(bool on = true);
    bool trustsAll() const;

    /// Whether the user has agreed earlier that this library (an absolute path) is loaded, with its present content.
    using Answer = std::function<bool(const std::string& library)>;
    void setAnswer(Answer answer);
    /// Whether a scene may load a library that is not installed. A text that is only looked at (Look) may load what the
    /// user agreed to for this file, and nothing else. What is refused is kept for takeRefused().
    bool mayLoad(const std::string& library);
    /// The libraries that were refused since the last call, each once, for a question to the user.
    std::vector<std::string> takeRefused();

    /// While one lives, scenes that this thread reads are only looked at: by an editor, for its messages.
    class Look
    {
    public:
        Look();
        ~Look();
        Look(const Look&) = delete;
        Look& operator=(const Look&) = delete;

    private:
        const bool m_before;
    };

    /// Scenes may write in this folder too, and below: runSofa --output-folder.
    void addOutputFolder(const std::filesystem::path& folder);
    /// Empty if a scene may write the file: it lies, where symbolic links and ".." lead, in the working folder, in an
    /// output folder or below, and no name below is hidden (".profile"). Otherwise a text that says why not.
    std::string whyNotWrite(const std::filesystem::path& file) const;

private:
    mutable std::mutex m_mutex;
    bool m_all = false;
    Answer m_answer;
    std::vector<std::string> m_refused;
    std::vector<std::filesystem::path> m_folders;
};

}  // namespace sofa::core
