// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scene/XmlDocument.h"

/// Edits of elements in the text of a scene: where their bytes go, and how they are indented. Elements are given by
/// their index in the document, new text in UTF-8. Nothing is changed here: XmlDocument::apply does that.
namespace sofa::core {

/// Puts the text of elements, not indented, into an element: before another part of it, or at its end (XmlItem::none).
TextEdit insertion(const XmlDocument& x, std::uint32_t parent, std::uint32_t before, const std::string& text);
/// Takes a part away, with its line if nothing else is there. Throws std::runtime_error for the root.
TextEdit removal(const XmlDocument& x, std::uint32_t part);
/// Moves an element within the document; it keeps its number. Throws std::runtime_error where it cannot go.
std::vector<TextEdit> motion(const XmlDocument& x, std::uint32_t element, std::uint32_t parent, std::uint32_t before);
/// Text in the place of a part.
TextEdit replacement(const XmlDocument& x, std::uint32_t part, const std::string& text);

/// Gives an attribute a value; none if it has that already.
std::optional<TextEdit> attributeEdit(const XmlDocument& x, std::uint32_t element, const std::string& name,
                                      const std::string& value);
/// Takes an attribute away, with the white space before it; none if it is not there.
std::optional<TextEdit> attributeRemoval(const XmlDocument& x, std::uint32_t element, const std::string& name);
/// Throws std::runtime_error if there is no such attribute.
TextEdit attributeRenaming(const XmlDocument& x, std::uint32_t element, const std::string& from, const std::string& to);

/// An element as insertion() takes it: without the indentation of its lines, but for those that begin in a value of an
/// attribute.
std::string unindented(const XmlDocument& x, std::uint32_t element);

/// What a comment holds if that is one element and nothing else; empty otherwise.
std::string elementIn(const XmlDocument& x, const XmlItem& comment);

/// Numbers of the elements that begin and end in a piece of the bytes, without those inside of them.
std::vector<XmlId> elementsBetween(const XmlDocument& x, std::size_t begin, std::size_t end);

}  // namespace sofa::core
