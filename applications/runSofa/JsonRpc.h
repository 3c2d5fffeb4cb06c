// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

namespace sofa::application {

using Json = nlohmann::json;

/// An error of JSON-RPC 2.0, with its code.
struct RpcError : std::runtime_error
{
    enum Code
    {
        ParseError = -32700,
        InvalidRequest = -32600,
        MethodNotFound = -32601,
        InvalidParams = -32602,
        NotInitialized = -32002,
        RequestFailed = -32803
    };
    RpcError(Code c, const std::string& text) : std::runtime_error(text), code(c) {}
    Code code;
};

/// Messages of JSON-RPC with a header "Content-Length: N", as the Language Server Protocol has them, over two file
/// descriptors.
class JsonRpc
{
public:
    JsonRpc(int in, int out) : m_in(in), m_out(out) {}

    /// Whether something can be read within this time; also at the end of the input.
    bool waits(int milliseconds) const;
    /// The next message; none at the end of the input. Throws RpcError for one that is malformed; what follows can be
    /// read then.
    std::optional<Json> read();
    void write(const Json& message);

private:
    bool fill();
    std::optional<std::string> line();

    int m_in, m_out;
    std::string m_buffer;
};

}  // namespace sofa::application
