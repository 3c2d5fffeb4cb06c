// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

/// zlib takes 32-bit lengths.
constexpr std::size_t largestPart = std::size_t{1} << 30;

/// The file to which symbolic links lead, there or not.
fs::path targetOf(fs::path path)
{
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path) : m_path(path.string())
{
    struct stat old = {};
    const bool exists = stat(m_path.c_str(), &old) == 0;
    const bool direct = exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode);
    if (exists && S_ISDIR(old.st_mode)) fail("it is a folder");
    m_target = direct ? m_path : targetOf(path).string();
    if (exists && !direct && access(m_target.c_str(), W_OK) != 0) fail(std::strerror(errno));
    if (!direct) m_temporary = m_target + ".part";
    const int file = open((direct ? m_target : m_temporary).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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

void OutputFile::overwrite(std::size_t offset, std::string_view bytes)
{
    if (!m_stream || m_gz || std::fseek(m_stream, static_cast<long>(offset), SEEK_SET) != 0) fail();
    write(bytes);
    if (std::fseek(m_stream, 0, SEEK_END) != 0) fail(std::strerror(errno));
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

}  // namespace sofa::core
