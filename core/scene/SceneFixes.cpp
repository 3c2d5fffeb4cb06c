// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/factory/PluginManager.h"
#include "core/log/Suggestion.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneAnalysisContent.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

bool isWordAt(std::string_view text, std::size_t at, std::size_t length)
{
    const auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return (at == 0 || !inWord(text[at - 1])) && (at + length >= text.size() || !inWord(text[at + length]));
}

/// Libraries of plugins that are not loaded, in the folders where they are looked for.
std::vector<fs::path> otherPlugins()
{
    std::vector<fs::path> all;
    const PluginManager& manager = PluginManager::instance();
    for (const std::string& folder : manager.searchPaths()) {
        std::error_code ignored;
        for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
            const std::string name = it->path().filename().string();
            if (name.starts_with("lib") && name.ends_with(".so") && !name.starts_with("libsofa_") &&
                !manager.find(it->path().string()))
                all.push_back(it->path());
        }
    }
    std::ranges::sort(all);
    return all;
}

/// The plugin whose library has a class of this name; empty if there is none. It is not loaded for that: the names of
/// its classes stand in it.
std::string pluginWith(const std::string& component)
{
    if (component.empty()) return {};
    const std::string mangled = std::to_string(component.size()) + component;
    for (const fs::path& library : otherPlugins()) {
        std::ifstream in(library, std::ios::binary);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        if (bytes.view().find(mangled) == std::string_view::npos) continue;
        const std::string name = library.filename().string();
        return name.substr(3, name.size() - 6);
    }
    return {};
}

/// Text that a message offers: "for example <CGLinearSolver/>".
std::string exampleIn(const std::string& text)
{
    const auto at = text.find("for example <");
    if (at == std::string::npos) return {};
    const auto begin = at + 12, end = text.find("/>", begin);
    return end == std::string::npos ? std::string() : text.substr(begin, end + 2 - begin);
}

/// The first component that a message about something missing names: "a broad phase (BruteForceBroadPhase, ...)".
std::string componentIn(const std::string& text)
{
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && isLetter(text[end])) ++end;
        const std::string word = text.substr(i, end - i);
        if (end > i && std::isupper(static_cast<unsigned char>(word[0])) && Registry::instance().find(word))
            return word;
        i = end + 1;
    }
    return {};
}

/// What to add where a message says that something is missing; empty if that is not known.
std::string missingElement(const std::string& text, const Node& node)
{
    const auto says = [&text](std::string_view what) { return text.find(what) != std::string::npos; };
    if (!says("needs ") && !says("there is no ") && !says("expected ") && !says("is missing")) return {};
    if (const std::string example = exampleIn(text); !example.empty()) return example;
    if (says("needs a linear solver"))
        return "<CGLinearSolver iterations=\"25\" tolerance=\"1e-9\" threshold=\"1e-9\"/>";
    if (says("ODE solver")) return "<EulerImplicitSolver/>";
    if (says("needs a topology") || says("there is no topology")) {
        for (const auto& c : node.components()) {
            const auto entry = Registry::instance().find(c->className());
            if (entry && entry->category.find("Loader") != std::string::npos)
                return "<MeshTopology src=\"@" + c->name() + "\"/>";
        }
        return "<RegularGridTopology n=\"2 2 2\" min=\"0 0 0\" max=\"1 1 1\"/>";
    }
    if (says("needs a state") || says("needs a MechanicalObject")) {
        const auto templ = text.find("of type ");
        if (templ == std::string::npos) return "<MechanicalObject/>";
        const auto begin = templ + 8;
        return "<MechanicalObject template=\"" + text.substr(begin, text.find_first_of(" ,;)", begin) - begin) + "\"/>";
    }
    if (!says("needs a") && !says(", ...)")) return {};
    const std::string component = componentIn(text);
    return component.empty() ? std::string() : '<' + component + "/>";
}

/// Fixes of one problem.
class Fixer
{
public:
    Fixer(const SceneAnalysis::Content& c, const TextAnchor& anchor, const Message& m)
        : m_content(c),
          m_xml(c.xml()),
          m_anchor(anchor),
          m_element(c.item(anchor.item)),
          m_message(m),
          m_attribute(anchor.attribute == XmlItem::none ? nullptr : &m_xml.attributes(m_element)[anchor.attribute])
    {
    }

    std::vector<SceneFix> run()
    {
        if (!m_element.isElement()) return {};
        if (const auto s = suggestionIn(m_message.text)) replaceWord(s->instead, s->word);
        oldNames();
        noEffect();
        if (!m_attribute) {
            missing();
            plugin();
        }
        return std::move(m_fixes);
    }

private:
    void add(std::string title, std::vector<TextEdit> edits)
    {
        m_fixes.push_back({std::move(title), std::move(edits)});
    }

    /// In the attribute, or the start tag, that the message is about.
    void replaceWord(const std::string& from, const std::string& to)
    {
        const std::size_t begin = m_attribute ? m_attribute->begin : m_element.begin + std::size_t{1};
        const std::size_t end = m_attribute ? m_attribute->valueEnd : m_element.tagEnd;
        const std::string_view text = std::string_view(m_xml.bytes()).substr(begin, end - begin);
        const std::string raw = escapedXml(from, '\0');
        for (auto i = text.find(raw); i != std::string_view::npos; i = text.find(raw, i + 1))
            if (isWordAt(text, i, raw.size()))
                return add("Change '" + from + "' to '" + to + '\'', {{begin + i, raw.size(), escapedXml(to), {}}});
    }

    void oldNames()
    {
        if (m_message.severity != Severity::Deprecated) return;
        if (!m_attribute) {
            const XmlAttribute* typed =
                m_xml.name(m_element) == "Object" ? m_xml.attribute(m_element, "type") : nullptr;
            const std::string old(typed ? m_xml.value(*typed) : std::string(m_xml.name(m_element)));
            std::string now(currentComponentName(old));
            if (const OldComponent* o = findOldComponent(old))
                now = o->successors.find(' ') == std::string_view::npos ? o->successors : std::string_view();
            if (!now.empty()) renameElement(typed, old, now);
            return;
        }
        const std::string name(m_xml.name(*m_attribute));
        const OldAttribute* old = findOldAttribute(m_content.classOf(m_anchor.item), name);
        if (!old || old->now.empty()) return;
        add("Change '" + name + "' to '" + std::string(old->now) + '\'',
            {{m_attribute->begin, m_attribute->nameEnd - m_attribute->begin, std::string(old->now), {}}});
    }

    void renameElement(const XmlAttribute* typed, const std::string& old, const std::string& now)
    {
        std::vector<TextEdit> edits;
        if (typed) {
            edits.push_back({typed->valueBegin, typed->valueEnd - typed->valueBegin, now, {}});
        } else {
            edits.push_back({m_element.begin + std::size_t{1}, old.size(), now, {}});
            if (!m_element.isEmptyTag()) edits.push_back({m_element.closeBegin + std::size_t{2}, old.size(), now, {}});
        }
        add("Change '" + old + "' to '" + now + '\'', std::move(edits));
    }

    void noEffect()
    {
        if (!m_attribute || m_message.text.find("has no effect") == std::string::npos) return;
        // With the white space before it.
        std::size_t begin = m_attribute->begin;
        while (std::isspace(static_cast<unsigned char>(m_xml.bytes()[begin - 1]))) --begin;
        add("Remove '" + std::string(m_xml.name(*m_attribute)) + '\'',
            {{begin, std::min<std::size_t>(m_attribute->end(), m_xml.bytes().size()) - begin, {}, {}}});
    }

    void insertBefore(const std::string& element)
    {
        add("Add " + element, {{m_element.begin, 0, element + m_content.indentationOf(m_anchor.item), {}}});
    }

    void missing()
    {
        const Node* node = m_content.nodeAround(m_anchor.item);
        if (!node || m_message.severity < Severity::Warning) return;
        const std::string element = missingElement(m_message.text, *node);
        if (!element.empty()) insertBefore(element);
    }

    void plugin()
    {
        if (!m_message.text.starts_with("unknown component")) return;
        const std::string name = pluginWith(m_content.classOf(m_anchor.item));
        if (name.empty()) return;
        // At the beginning of the scene.
        const std::uint32_t first = m_xml.firstIn(m_xml.root());
        if (first >= m_xml.endIn(m_xml.root())) return;
        const std::string element = "<RequiredPlugin pluginName=\"" + name + "\"/>";
        add("Add " + element, {{m_xml.items()[first].begin, 0, element + m_content.indentationOf(first), {}}});
    }

    const SceneAnalysis::Content& m_content;
    const XmlDocument& m_xml;
    const TextAnchor& m_anchor;
    const XmlItem& m_element;
    const Message& m_message;
    const XmlAttribute* const m_attribute;
    std::vector<SceneFix> m_fixes;
};

}  // namespace

std::string SceneAnalysis::Content::indentationOf(std::uint32_t i) const
{
    const std::size_t begin = item(i).begin;
    std::size_t blank = begin;
    while (blank > 0 && (text[blank - 1] == ' ' || text[blank - 1] == '\t')) --blank;
    const bool startsLine = blank == 0 || text[blank - 1] == '\n';
    return std::string(xml().lineEnd()) + (startsLine ? text.substr(blank, begin - blank) : std::string());
}

std::vector<SceneFix> SceneAnalysis::fixes(const SceneProblem& problem) const
{
    const auto& all = m_content->problems;
    if (&problem < all.data() || &problem >= all.data() + all.size()) return {};
    const TextAnchor& anchor = m_content->anchors[static_cast<std::size_t>(&problem - all.data())];
    if (!problem.inText || anchor.item == XmlItem::none) return {};
    return Fixer(*m_content, anchor, problem.message).run();
}

}  // namespace sofa::core
