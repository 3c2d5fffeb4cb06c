// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/io/SceneOutput.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

/// zlib takes 32-bit lengths.
constexpr std::size_t largestPart = std::size_t{1} << 30;

/// Where symbolic links lead.
struct Target
{
    fs::path path;        ///< there or not
    int descriptor = -1;  ///< what the program has open itself
};

/// The folder of what the program has open.
fs::path openFiles() { return "/proc/" + std::to_string(getpid()) + "/fd"; }

Target targetOf(fs::path path)
{
    const fs::path open = openFiles();
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
        // The links in there can be read, too, but lead to other files where those were renamed or have no name.
        int descriptor = -1;
        const std::string name = path.filename();
        if (fs::canonical(path.parent_path().empty() ? "." : path.parent_path(), error) == open &&
            std::from_chars(name.data(), name.data() + name.size(), descriptor).ec == std::errc())
            return {path, descriptor};
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return {path};
}

/// Neither a plain file nor a folder: a pipe, a terminal, another device.
bool isDevice(const struct stat& file) { return !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode); }

}  // namespace

OutputFile::OutputFile(const fs::path& path) : m_path(path.string())
{
    SceneOutput::require(path);
    struct stat old = {};
    const bool exists = stat(m_path.c_str(), &old) == 0;
    const Target target = targetOf(path);
    const bool direct = target.descriptor >= 0 || (exists && isDevice(old));
    if (exists && S_ISDIR(old.st_mode)) fail("it is a folder");
    m_target = direct ? m_path : target.path.string();
    if (exists && !direct && access(m_target.c_str(), W_OK) != 0) fail(std::strerror(errno));
    if (!direct) {
        m_temporary = m_target + ".part";
        // One that somebody laid there would have its target emptied.
        std::error_code error;
        if (fs::is_symlink(m_temporary, error)) unlink(m_temporary.c_str());
    }
    const int file = target.descriptor >= 0
                         ? fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0)
                         : open((direct ? m_target : m_temporary).c_str(),
                                O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (direct ? 0 : O_NOFOLLOW), 0666);
    if (file < 0) {
        m_temporary.clear();
        fail(std::strerror(errno));
    }
    // One that is replaced keeps its rights.
    if (exists && !direct && fchmod(file, old.st_mode & 07777) != 0) {
        close(file);
        fail(std::strerror(errno));
    }
    m_stream = fdopen(file, "wb");
    if (!m_stream) {
        close(file);
        fail();
    }
    // Others write there, too: lines stay whole.
    if (target.descriptor >= 0) setvbuf(m_stream, nullptr, _IOLBF, BUFSIZ);
    if (!m_path.ends_with(".gz")) return;
    const int copy = dup(file);
    m_gz = copy < 0 ? nullptr : gzdopen(copy, "wb1");
    if (!m_gz) fail();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_stream(std::exchange(other.m_stream, nullptr)),
      m_gz(std::exchange(other.m_gz, nullptr))
{
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() noexcept
{
    if (m_gz) gzclose(static_cast<gzFile>(std::exchange(m_gz, nullptr)));
    if (m_stream) std::fclose(std::exchange(m_stream, nullptr));
    if (!m_temporary.empty()) unlink(std::exchange(m_temporary, {}).c_str());
}

void OutputFile::fail(const std::string& why)
{
    discard();
    throw std::runtime_error("cannot write '" + m_path + "'" + (why.empty() ? "" : ": " + why));
}

void OutputFile::write(std::string_view bytes)
{
    if (!m_stream) fail();
    if (!m_gz) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), m_stream) != bytes.size()) fail(std::strerror(errno));
        return;
    }
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, largestPart);
        const auto n = static_cast<unsigned>(part.size());
        if (gzwrite(static_cast<gzFile>(m_gz), part.data(), n) != static_cast<int>(n)) fail(std::strerror(errno));
        bytes.remove_prefix(part.size());
    }
}

void OutputFile::flush()
{
    if (m_gz ? gzflush(static_cast<gzFile>(m_gz), Z_SYNC_FLUSH) != Z_OK : std::fflush(m_stream) != 0)
        fail(std::strerror(errno));
}

std::uint64_t OutputFile::written() const
{
    // The stream and zlib use the same descriptor, or copies that share its offset.
    const off_t at = m_stream ? lseek(fileno(m_stream), 0, SEEK_CUR) : -1;
    return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}

void OutputFile::commit()
{
    if (!m_stream) fail();
    if (m_gz && gzclose(static_cast<gzFile>(std::exchange(m_gz, nullptr))) != Z_OK) fail(std::strerror(errno));
    if (std::fflush(m_stream) != 0) fail(std::strerror(errno));
    if (!m_temporary.empty() && fsync(fileno(m_stream)) != 0) fail(std::strerror(errno));
    if (std::fclose(std::exchange(m_stream, nullptr)) != 0) fail(std::strerror(errno));
    if (m_temporary.empty()) return;
    if (rename(m_temporary.c_str(), m_target.c_str()) != 0) fail(std::strerror(errno));
    m_temporary.clear();
    // The new name is on the disk when the folder is; where a file system refuses that, it sees to it by itself.
    const fs::path folder = fs::path(m_target).parent_path();
    const int f = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f < 0) return;
    fsync(f);
    close(f);
}

void writeFile(const fs::path& path, std::string_view content)
{
    OutputFile out(path);
    out.write(content);
    out.commit();
}

void checkWritable(const fs::path& path)
{
    const auto fail = [&path](const char* why) {
        throw std::runtime_error("cannot write '" + path.string() + "': " + why);
    };
    struct stat there = {};
    const bool exists = stat(path.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) fail("it is a folder");
    if (exists && access(path.c_str(), W_OK) != 0) fail(std::strerror(errno));
    const Target target = targetOf(path);
    if (target.descriptor >= 0 || (exists && isDevice(there))) return;
    const fs::path folder = target.path.parent_path();
    if (stat(folder.empty() ? "." : folder.c_str(), &there) != 0) fail(std::strerror(errno));
    if (!S_ISDIR(there.st_mode)) fail(std::strerror(ENOTDIR));
    std::error_code error;
    if (fs::canonical(folder.empty() ? "." : folder, error) == openFiles()) fail(std::strerror(ENOENT));
    if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail(std::strerror(errno));
}

}  // namespace sofa::core
