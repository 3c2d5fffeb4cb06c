// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/ElementEdits.h"

#include <algorithm>

namespace sofa::core {

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

std::string unindented(const XmlDocument& x, std::uint32_t first)
{
    const XmlItem& e = x.items()[first];
    const std::string indent = indentation(x.bytes(), e.begin).value_or("");
    const std::string_view text = x.text(e);
    if (indent.empty()) return x.utf8(text);
    // Values of attributes are ascending ranges.
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

TextEdit insertion(const XmlDocument& x, std::uint32_t index, std::uint32_t before, const std::string& utf8)
{
    const XmlItem& p = x.items()[index];
    const std::string text = x.transcoded(utf8);
    const std::string_view lineEnd = x.lineEnd();
    if (before != XmlItem::none) {
        const XmlItem& b = x.items()[before];
        if (b.parent != index) throw std::runtime_error("the element to stand before is not in that one");
        const auto indent = indentation(x.bytes(), b.begin);
        if (!indent) return {b.begin, 0, text};
        return {b.begin, 0, indented(text, *indent, lineEnd) + std::string(lineEnd) + *indent};
    }
    std::uint32_t last = XmlItem::none, lastElement = XmlItem::none;
    for (std::uint32_t i = x.firstIn(index); i < x.endIn(index); i = x.items()[i].next) {
        last = i;
        if (x.items()[i].isElement()) lastElement = i;
    }
    if (last != XmlItem::none) {
        const auto indent = indentation(x.bytes(), x.items()[lastElement != XmlItem::none ? lastElement : last].begin);
        const std::size_t at = x.items()[last].end;
        if (!indent) return {at, 0, text};
        return {at, 0, std::string(lineEnd) + *indent + indented(text, *indent, lineEnd)};
    }
    const auto outer = indentation(x.bytes(), p.begin);
    const std::string outside = outer.value_or("");
    const std::string inside = outside + indentationStep(x, index);
    const std::string line = std::string(lineEnd) + inside + indented(text, inside, lineEnd);
    if (!p.isEmptyTag()) {
        const std::string_view content = std::string_view(x.bytes()).substr(p.tagEnd, p.closeBegin - p.tagEnd);
        if (content.find('\n') != std::string_view::npos) return {p.tagEnd, 0, line};
        return {p.tagEnd, content.size(), line + std::string(lineEnd) + outside};
    }
    std::size_t end = p.tagEnd - 2;
    while (isBlank(x.bytes()[end - 1])) --end;
    return {end, p.tagEnd - end, '>' + line + std::string(lineEnd) + outside + "</" + std::string(x.name(p)) + '>'};
}

TextEdit removal(const XmlDocument& x, std::uint32_t part)
{
    const XmlItem& e = x.items()[part];
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

std::vector<TextEdit> motion(const XmlDocument& x, std::uint32_t element, std::uint32_t parent, std::uint32_t before)
{
    if (parent >= element && parent < x.items()[element].next)
        throw std::runtime_error("an element cannot be moved into itself");
    if (before == element) return {};
    TextEdit away = removal(x, element);
    TextEdit to = insertion(x, parent, before, unindented(x, element));
    // Behind the element itself: where it is taken away.
    if (to.at > away.at && to.at < away.at + away.length) to.at = away.at + away.length, to.length = 0;
    for (std::uint32_t i = element; i < x.items()[element].next; ++i) to.ids.push_back(x.items()[i].id);
    std::vector<TextEdit> both{std::move(away), std::move(to)};
    if (both[1].at < both[0].at) std::swap(both[0], both[1]);
    if (both[0].at + both[0].length > both[1].at) throw std::runtime_error("the element cannot be moved there");
    return both;
}

TextEdit replacement(const XmlDocument& x, std::uint32_t part, const std::string& text)
{
    const XmlItem& e = x.items()[part];
    const std::string indent = indentation(x.bytes(), e.begin).value_or("");
    return {e.begin, e.end - e.begin, indented(x.transcoded(text), indent, x.lineEnd())};
}

std::optional<TextEdit> attributeEdit(const XmlDocument& x, std::uint32_t element, const std::string& name,
                                      const std::string& value)
{
    const XmlItem& e = x.items()[element];
    if (const XmlAttribute* a = x.attribute(e, name)) {
        if (x.value(*a) == value) return std::nullopt;
        return TextEdit{a->valueBegin, a->valueEnd - a->valueBegin, x.encoded(value, x.bytes()[a->valueEnd])};
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
    return TextEdit{at, 0, space + text};
}

std::optional<TextEdit> attributeRemoval(const XmlDocument& x, std::uint32_t element, const std::string& name)
{
    const XmlItem& e = x.items()[element];
    const XmlAttribute* a = x.attribute(e, name);
    if (!a) return std::nullopt;
    std::size_t begin = a->begin;
    while (begin > e.nameEnd && std::string_view(" \t\r\n").find(x.bytes()[begin - 1]) != std::string_view::npos)
        --begin;
    return TextEdit{begin, a->end() - begin, {}};
}

TextEdit attributeRenaming(const XmlDocument& x, std::uint32_t element, const std::string& from, const std::string& to)
{
    const XmlAttribute* a = x.attribute(x.items()[element], from);
    if (!a) throw std::runtime_error("there is no attribute '" + from + "'");
    return {a->begin, a->nameEnd - a->begin, to};
}

std::string elementIn(const XmlDocument& x, const XmlItem& comment)
{
    std::string text = x.utf8(x.text(comment));
    text = text.substr(4, text.size() - 7);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '<') return {};
    text = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    try {
        const XmlDocument inner(text, "comment");
        const std::uint32_t root = inner.root();
        const bool alone = root == 0 && inner.items()[0].end == text.size();
        return alone ? text : std::string();
    } catch (const SceneError&) {
        return {};
    }
}

std::vector<XmlId> elementsBetween(const XmlDocument& x, std::size_t begin, std::size_t end)
{
    std::vector<XmlId> out;
    for (std::uint32_t i = 0; i < x.items().size();) {
        const XmlItem& k = x.items()[i];
        const bool inside = k.begin >= begin && k.end <= end;
        if (inside && k.isElement()) out.push_back(k.id);
        i = inside || k.end <= begin ? k.next : i + 1;
        if (k.begin >= end) break;
    }
    return out;
}

}  // namespace sofa::core
