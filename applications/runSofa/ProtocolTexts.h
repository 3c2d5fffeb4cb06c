// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "applications/runSofa/JsonRpc.h"
#include "core/scene/SceneAnalysis.h"
#include "core/scene/TextLines.h"

/// What the Language Server Protocol writes in JSON, from what an analysis of a scene says, and back.
namespace sofa::application {

std::string uriOf(const std::string& path);
/// Path of a document; one that is in no file is taken to be in the working folder.
std::string pathOf(const std::string& uri);

Json rangeOf(const core::TextLines& lines, const core::TextRange& r);
Json locationOf(const std::string& uri, const std::string& text, const core::TextRange& r);
Json diagnosticOf(const core::Message& m, Json range);
Json editsOf(const std::string& text, const std::vector<core::TextEdit>& edits);
Json symbolOf(const core::TextLines& lines, const core::SceneSymbol& s);
/// A text as a snippet, with the cursor at a place.
std::string asSnippet(const std::string& text, std::size_t cursor);

// Parts of parameters. All throw RpcError (InvalidParams) where these are others than expected.
[[noreturn]] void refuse(const std::string& text);
const Json& member(const Json& j, const char* name);
std::string textIn(const Json& j, const char* name);
std::size_t offsetIn(const core::TextLines& lines, const Json& position);

}  // namespace sofa::application
