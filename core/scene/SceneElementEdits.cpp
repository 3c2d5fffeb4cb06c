// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Edits of elements in the files of a scene, as parts of a step.
#include "core/scene/ElementEdits.h"
#include "core/scene/SceneDocument.h"

namespace sofa::core {

std::uint32_t SceneDocument::index(const ElementPlace& place) const
{
    const XmlDocument& x = xml(place.file);
    const std::uint32_t i = place.known() ? x.find(place.element) : XmlItem::none;
    if (i == XmlItem::none || !x.items()[i].isElement())
        throw std::runtime_error("the element is not in '" + x.path() + "' any more");
    return i;
}

const XmlItem& SceneDocument::item(const ElementPlace& place) const { return xml(place.file).items()[index(place)]; }

TextEdit SceneDocument::insertionAt(const ElementPlace& parent, const ElementPlace& before,
                                    const std::string& text) const
{
    const bool elsewhere = before.known() && before.file != parent.file;
    if (elsewhere) throw std::runtime_error("the element to stand before is not in that one");
    return insertion(xml(parent.file), index(parent), before.known() ? index(before) : XmlItem::none, text);
}

std::vector<ElementPlace> SceneDocument::placesBetween(const ElementPlace& beside, std::size_t begin,
                                                       std::size_t end) const
{
    std::vector<ElementPlace> out;
    for (const XmlId id : elementsBetween(xml(beside.file), begin, end))
        out.push_back({beside.file, id, beside.include});
    return out;
}

std::vector<ElementPlace> SceneDocument::insert(const ElementPlace& parent, const ElementPlace& before,
                                                const std::string& text)
{
    TextEdit e = insertionAt(parent, before, text);
    const std::size_t begin = e.at, end = begin + e.text.size();
    edit(parent.file, {std::move(e)});
    return placesBetween(parent, begin, end);
}

void SceneDocument::remove(const ElementPlace& place) { edit(place.file, {removal(xml(place.file), index(place))}); }

std::vector<ElementPlace> SceneDocument::replace(const ElementPlace& place, const std::string& text)
{
    const XmlDocument& x = xml(place.file);
    const std::uint32_t part = x.find(place.element);
    if (part == XmlItem::none) throw std::runtime_error("what is to be replaced is not in '" + x.path() + "' any more");
    TextEdit e = replacement(x, part, text);
    const std::size_t begin = e.at, end = begin + e.text.size();
    edit(place.file, {std::move(e)});
    return placesBetween(place, begin, end);
}

void SceneDocument::move(const ElementPlace& place, const ElementPlace& parent, const ElementPlace& before)
{
    const XmlDocument& x = xml(place.file);
    if (parent.file != place.file) {
        const TextEdit away = removal(x, index(place));
        TextEdit here = insertionAt(parent, before, unindented(x, index(place)));
        edit(place.file, {away});
        edit(parent.file, {std::move(here)});
        return;
    }
    std::vector<TextEdit> edits =
        motion(x, index(place), index(parent), before.known() ? index(before) : XmlItem::none);
    if (!edits.empty()) edit(place.file, std::move(edits));
}

void SceneDocument::setAttribute(const ElementPlace& place, const std::string& name, const std::string& value)
{
    if (auto e = attributeEdit(xml(place.file), index(place), name, value)) edit(place.file, {*std::move(e)});
}

void SceneDocument::clearAttribute(const ElementPlace& place, const std::string& name)
{
    if (auto e = attributeRemoval(xml(place.file), index(place), name)) edit(place.file, {*std::move(e)});
}

void SceneDocument::renameAttribute(const ElementPlace& place, const std::string& from, const std::string& to)
{
    edit(place.file, {attributeRenaming(xml(place.file), index(place), from, to)});
}

}  // namespace sofa::core
