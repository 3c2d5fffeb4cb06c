// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/JsonRpc.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace sofa::application {

namespace {

constexpr std::size_t longestLine = 4096, longestMessage = std::size_t{1} << 30;

bool startsIgnoringCase(std::string_view text, std::string_view with)
{
    if (text.size() < with.size()) return false;
    for (std::size_t i = 0; i < with.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(text[i])) != with[i]) return false;
    return true;
}

}  // namespace

bool JsonRpc::waits(int milliseconds) const
{
    if (!m_buffer.empty()) return true;
    pollfd p{m_in, POLLIN, 0};
    return poll(&p, 1, milliseconds) != 0;
}

bool JsonRpc::fill()
{
    std::array<char, 1 << 16> piece;
    ssize_t n = 0;
    do n = ::read(m_in, piece.data(), piece.size());
    while (n < 0 && errno == EINTR);
    if (n <= 0) return false;
    m_buffer.append(piece.data(), static_cast<std::size_t>(n));
    return true;
}

/// The next line without its end.
std::optional<std::string> JsonRpc::line()
{
    std::size_t end = 0;
    while ((end = m_buffer.find('\n')) == std::string::npos) {
        if (m_buffer.size() > longestLine) {
            m_buffer.clear();
            throw RpcError(RpcError::ParseError, "a line of a header is too long");
        }
        if (!fill()) return {};
    }
    std::string text = m_buffer.substr(0, end);
    m_buffer.erase(0, end + 1);
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

std::optional<Json> JsonRpc::read()
{
    static constexpr std::string_view key = "content-length:";
    std::optional<std::size_t> length;
    bool any = false;
    while (true) {
        const std::optional<std::string> header = line();
        if (!header) return {};
        if (header->empty()) {
            if (any) break;
            continue;
        }
        any = true;
        if (!startsIgnoringCase(*header, key)) continue;
        std::string_view number = std::string_view(*header).substr(key.size());
        number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
        std::size_t n = 0;
        const auto r = std::from_chars(number.data(), number.data() + number.size(), n);
        if (r.ec == std::errc() && n <= longestMessage) length = n;
    }
    if (!length) throw RpcError(RpcError::ParseError, "a header without a Content-Length that can be read");
    while (m_buffer.size() < *length)
        if (!fill()) return {};
    const std::string text = m_buffer.substr(0, *length);
    m_buffer.erase(0, *length);
    Json message = Json::parse(text, nullptr, false);
    if (message.is_discarded()) throw RpcError(RpcError::ParseError, "a message is no JSON");
    return message;
}

void JsonRpc::write(const Json& message)
{
    const std::string content = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::string text = "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(m_out, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;  // the editor has gone: the input ends too
        done += static_cast<std::size_t>(n);
    }
}

}  // namespace sofa::application
