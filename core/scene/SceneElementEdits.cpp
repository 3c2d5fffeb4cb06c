// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Edits of elements in the text of a scene: where their bytes go, and how they are indented.
#include <algorithm>

#include "core/scene/SceneDocument.h"

namespace sofa::core {

const XmlItem& SceneDocument::item(const ElementPlace& place) const
{
    const XmlDocument& x = xml(place.file);
    const std::uint32_t i = place.known() ? x.find(place.element) : XmlItem::none;
    if (i == XmlItem::none || !x.items()[i].isElement())
        throw std::runtime_error("the element is not in '" + x.path() + "' any more");
    return x.items()[i];
}

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Beginning of the line.
std::size_t lineBegin(std::string_view text, std::size_t at)
{
    const auto end = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return end == std::string_view::npos ? 0 : end + 1;
}

/// The white space in front of `at` if nothing else is there in its line.
std::optional<std::string> indentation(std::string_view text, std::size_t at)
{
    std::size_t begin = lineBegin(text, at);
    if (begin == 0 && text.starts_with("\xEF\xBB\xBF")) begin = std::min<std::size_t>(3, at);
    const std::string_view before = text.substr(begin, at - begin);
    if (!std::ranges::all_of(before, isBlank)) return std::nullopt;
    return std::string(before);
}

/// What a level more is indented by, as the elements around do it.
std::string indentationStep(const XmlDocument& x, std::uint32_t parent)
{
    const auto own = [&](std::uint32_t i) { return indentation(x.bytes(), x.items()[i].begin); };
    for (std::uint32_t i = parent; i != XmlItem::none && x.items()[i].parent != XmlItem::none;
         i = x.items()[i].parent) {
        const auto inner = own(i), outer = own(x.items()[i].parent);
        if (inner && outer && inner->size() > outer->size() && inner->starts_with(*outer))
            return inner->substr(outer->size());
    }
    for (const XmlItem& i : x.items())
        if (i.isElement() && i.parent != XmlItem::none)
            if (const auto inner = indentation(x.bytes(), i.begin), outer = own(i.parent);
                inner && outer && inner->size() > outer->size() && inner->starts_with(*outer))
                return inner->substr(outer->size());
    return "  ";
}

/// Puts `indent` in front of each line but the first; not of those that begin in a value of an attribute.
std::string indented(const std::string& text, const std::string& indent, std::string_view lineEnd)
{
    std::string out;
    char quote = 0;
    bool inTag = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (text.compare(i, 4, "<!--") == 0 && !inTag) {
            const auto end = text.find("-->", i);
            const std::size_t length = end == std::string::npos ? text.size() - i : end + 3 - i;
            out.append(text, i, length);
            i += length - 1;
            continue;
        }
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (inTag && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == '<') {
            inTag = true;
        } else if (c == '>') {
            inTag = false;
        }
        if (c == '\r' && quote == 0 && i + 1 < text.size() && text[i + 1] == '\n') continue;
        if (c != '\n' || quote != 0) {
            out += c;
            continue;
        }
        out += lineEnd;
        if (i + 1 < text.size() && text[i + 1] != '\n' && text[i + 1] != '\r') out += indent;
    }
    return out;
}

char quoteOf(const XmlDocument& x, const XmlItem& e)
{
    const auto list = x.attributes(e);
    return list.empty() ? '"' : x.bytes()[list.back().valueEnd];
}

}  // namespace

std::string SceneDocument::unindented(const ElementPlace& place) const
{
    const XmlDocument& x = xml(place.file);
    const XmlItem& e = item(place);
    const std::string indent = indentation(x.bytes(), e.begin).value_or("");
    const std::string_view text = x.text(e);
    if (indent.empty()) return x.utf8(text);
    // Values of attributes are ascending ranges.
    const std::uint32_t first = x.find(e.id);
    std::vector<XmlAttribute> values;
    for (std::uint32_t i = first; i < e.next; ++i)
        for (const XmlAttribute& a : x.attributes(x.items()[i])) values.push_back(a);
    std::string out;
    std::size_t v = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
        const std::size_t at = e.begin + i;
        while (v < values.size() && values[v].valueEnd < at) ++v;
        const bool inValue = v < values.size() && values[v].valueBegin <= at;
        std::string_view line = text.substr(i, end - i);
        if (i > 0 && !inValue && line.starts_with(indent)) line.remove_prefix(indent.size());
        out += line;
        i = end;
    }
    return x.utf8(out);
}

std::vector<TextEdit> SceneDocument::insertion(const ElementPlace& parent, const ElementPlace& before,
                                               const std::string& utf8) const
{
    const XmlDocument& x = xml(parent.file);
    const XmlItem& p = item(parent);
    const std::uint32_t index = x.find(p.id);
    const std::string text = x.transcoded(utf8);
    const std::string_view lineEnd = x.lineEnd();
    if (before.known()) {
        const XmlItem& b = item(before);
        if (b.parent != index || before.file != parent.file)
            throw std::runtime_error("the element to stand before is not in that one");
        const auto indent = indentation(x.bytes(), b.begin);
        if (!indent) return {{b.begin, 0, text}};
        return {{b.begin, 0, indented(text, *indent, lineEnd) + std::string(lineEnd) + *indent}};
    }
    std::uint32_t last = XmlItem::none, lastElement = XmlItem::none;
    for (std::uint32_t i = x.firstIn(index); i < x.endIn(index); i = x.items()[i].next) {
        last = i;
        if (x.items()[i].isElement()) lastElement = i;
    }
    if (last != XmlItem::none) {
        const auto indent = indentation(x.bytes(), x.items()[lastElement != XmlItem::none ? lastElement : last].begin);
        const std::size_t at = x.items()[last].end;
        if (!indent) return {{at, 0, text}};
        return {{at, 0, std::string(lineEnd) + *indent + indented(text, *indent, lineEnd)}};
    }
    const auto outer = indentation(x.bytes(), p.begin);
    const std::string outside = outer.value_or("");
    const std::string inside = outside + indentationStep(x, index);
    const std::string line = std::string(lineEnd) + inside + indented(text, inside, lineEnd);
    if (!p.isEmptyTag()) {
        const std::string_view content = std::string_view(x.bytes()).substr(p.tagEnd, p.closeBegin - p.tagEnd);
        if (content.find('\n') != std::string_view::npos) return {{p.tagEnd, 0, line}};
        return {{p.tagEnd, content.size(), line + std::string(lineEnd) + outside}};
    }
    std::size_t end = p.tagEnd - 2;
    while (isBlank(x.bytes()[end - 1])) --end;
    return {{end, p.tagEnd - end, '>' + line + std::string(lineEnd) + outside + "</" + std::string(x.name(p)) + '>'}};
}

TextEdit SceneDocument::removal(const ElementPlace& place) const
{
    const XmlDocument& x = xml(place.file);
    const XmlItem& e = item(place);
    if (e.parent == XmlItem::none) throw std::runtime_error("the root of a file cannot be removed");
    std::size_t begin = e.begin, end = e.end;
    const auto indent = indentation(x.bytes(), begin);
    std::size_t rest = end;
    while (rest < x.bytes().size() && (isBlank(x.bytes()[rest]) || x.bytes()[rest] == '\r')) ++rest;
    if (indent && rest < x.bytes().size() && x.bytes()[rest] == '\n') {
        begin -= indent->size();
        end = rest + 1;
    }
    return {begin, end - begin, {}};
}

std::vector<ElementPlace> SceneDocument::insert(const ElementPlace& parent, const ElementPlace& before,
                                                const std::string& text)
{
    std::vector<TextEdit> edits = insertion(parent, before, text);
    const std::size_t begin = edits.front().at, end = begin + edits.front().text.size();
    edit(parent.file, std::move(edits));
    return elementsBetween(parent.file, parent.include, begin, end);
}

std::vector<ElementPlace> SceneDocument::elementsBetween(std::uint32_t file, std::uint32_t include, std::size_t begin,
                                                         std::size_t end) const
{
    const XmlDocument& x = xml(file);
    std::vector<ElementPlace> out;
    for (std::uint32_t i = 0; i < x.items().size();) {
        const XmlItem& k = x.items()[i];
        const bool inside = k.begin >= begin && k.end <= end;
        if (inside && k.isElement()) out.push_back({file, k.id, include});
        i = inside || k.end <= begin ? k.next : i + 1;
        if (k.begin >= end) break;
    }
    return out;
}

void SceneDocument::remove(const ElementPlace& place) { edit(place.file, {removal(place)}); }

std::vector<ElementPlace> SceneDocument::replace(const ElementPlace& place, const std::string& text)
{
    const XmlDocument& x = xml(place.file);
    const std::uint32_t index = x.find(place.element);
    if (index == XmlItem::none)
        throw std::runtime_error("what is to be replaced is not in '" + x.path() + "' any more");
    const XmlItem& e = x.items()[index];
    const std::string indent = indentation(x.bytes(), e.begin).value_or("");
    std::string now = indented(x.transcoded(text), indent, x.lineEnd());
    const std::size_t begin = e.begin, end = begin + now.size();
    edit(place.file, {{begin, e.end - begin, std::move(now)}});
    return elementsBetween(place.file, place.include, begin, end);
}

void SceneDocument::move(const ElementPlace& place, const ElementPlace& parent, const ElementPlace& before)
{
    const XmlDocument& x = xml(place.file);
    const std::uint32_t index = x.find(item(place).id);
    if (parent.file == place.file) {
        const std::uint32_t to = x.find(item(parent).id);
        if (to >= index && to < x.items()[index].next)
            throw std::runtime_error("an element cannot be moved into itself");
        if (before.isSameElement(place)) return;
    }
    std::vector<XmlId> ids;
    for (std::uint32_t i = index; i < x.items()[index].next; ++i) ids.push_back(x.items()[i].id);
    TextEdit away = removal(place);
    std::vector<TextEdit> here = insertion(parent, before, unindented(place));
    if (parent.file != place.file) {
        edit(place.file, {away});
        edit(parent.file, std::move(here));
        return;
    }
    TextEdit& to = here.front();
    // Behind the element itself: where it is taken away.
    if (to.at > away.at && to.at < away.at + away.length) to.at = away.at + away.length, to.length = 0;
    to.ids = std::move(ids);
    std::vector<TextEdit> both{away, std::move(to)};
    if (both[1].at < both[0].at) std::swap(both[0], both[1]);
    if (both[0].at + both[0].length > both[1].at) throw std::runtime_error("the element cannot be moved there");
    edit(place.file, std::move(both));
}

void SceneDocument::setAttribute(const ElementPlace& place, const std::string& name, const std::string& value)
{
    const XmlDocument& x = xml(place.file);
    const XmlItem& e = item(place);
    if (const XmlAttribute* a = x.attribute(e, name)) {
        std::string text = x.encoded(value, x.bytes()[a->valueEnd]);
        if (x.value(*a) != value) edit(place.file, {{a->valueBegin, a->valueEnd - a->valueBegin, std::move(text)}});
        return;
    }
    const auto list = x.attributes(e);
    const char quote = quoteOf(x, e);
    const std::string text = name + '=' + quote + x.encoded(value, quote) + quote;
    std::size_t at = e.nameEnd;
    std::string space = " ";
    if (!list.empty() && name != "name") {
        at = list.back().end();
        // One attribute a line, where the others have it so.
        const std::size_t before = list.size() > 1 ? list[list.size() - 2].end() : e.nameEnd;
        const std::string_view gap = std::string_view(x.bytes()).substr(before, list.back().begin - before);
        if (gap.find('\n') != std::string_view::npos &&
            std::ranges::all_of(gap, [](char c) { return isBlank(c) || c == '\n' || c == '\r'; }))
            space = std::string(gap.substr(
                gap.rfind('\n') == 0 || gap[gap.rfind('\n') - 1] != '\r' ? gap.rfind('\n') : gap.rfind('\n') - 1));
    }
    edit(place.file, {{at, 0, space + text}});
}

void SceneDocument::clearAttribute(const ElementPlace& place, const std::string& name)
{
    const XmlDocument& x = xml(place.file);
    const XmlItem& e = item(place);
    const XmlAttribute* a = x.attribute(e, name);
    if (!a) return;
    std::size_t begin = a->begin;
    while (begin > e.nameEnd && std::string_view(" \t\r\n").find(x.bytes()[begin - 1]) != std::string_view::npos)
        --begin;
    edit(place.file, {{begin, a->end() - begin, {}}});
}

void SceneDocument::renameAttribute(const ElementPlace& place, const std::string& from, const std::string& to)
{
    const XmlDocument& x = xml(place.file);
    const XmlAttribute* a = x.attribute(item(place), from);
    if (!a) throw std::runtime_error("there is no attribute '" + from + "'");
    edit(place.file, {{a->begin, a->nameEnd - a->begin, to}});
}

}  // namespace sofa::core
