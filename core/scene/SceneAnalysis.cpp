// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneAnalysis.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/io/DataRepository.h"
#include "core/log/Reason.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneAnalysisContent.h"
#include "core/scene/SceneParser.h"
#include "core/scene/TextLines.h"

namespace sofa::core {

namespace {

const LoadOptions draft{.reportOldNames = true, .draft = true};
constexpr ParseOptions draftParse{.draft = true};

/// What a thread does belongs to a session that has the folders of the one around.
std::shared_ptr<Session> sessionLikeThis()
{
    const DataRepository here = DataRepository::instance();
    auto session = std::make_shared<Session>();
    const Session::Scope scope(*session);
    DataRepository::instance() = here;
    return session;
}

}  // namespace

// --- Loading ---------------------------------------------------------------------------------------------------------

void SceneAnalysis::Content::clear()
{
    if (!m_session) return;
    // What the scene has set up in its session is taken back there.
    const Session::Scope scope(*m_session);
    objects.clear();
    root.reset();
}

void SceneAnalysis::Content::readText(std::string newText)
{
    text = std::move(newText);
    malformed.clear();
    source = std::make_unique<SceneDocument>();
    try {
        source->openText(text, path, malformed);
    } catch (const SceneError&) {
        source.reset();
        malformed.clear();  // the loader says what is wrong
    }
}

/// Builds the scene of the text. Without an exception, but perhaps without a root.
std::shared_ptr<Node> SceneAnalysis::Content::build(std::vector<Message>& messages) const
{
    const MessageCapture capture;
    std::shared_ptr<Node> made;
    try {
        made = loadSceneText(text, path, draft);
    } catch (const SceneError& e) {
        MessageLog::emit(Severity::Error, e.reason(), e.where());
    } catch (const std::exception& e) {
        MessageLog::emit(Severity::Error, reasonOf(e), {std::make_shared<const std::string>(path), 0, 0});
    }
    messages = capture.messages();
    return made;
}

void SceneAnalysis::Content::load(std::string newText)
{
    const auto begin = std::chrono::steady_clock::now();
    clear();
    readText(std::move(newText));
    problems.clear();
    anchors.clear();
    m_session = sessionLikeThis();
    {
        const Session::Scope scope(*m_session);
        std::vector<Message> messages;
        root = build(messages);
        mapObjects();
        take(messages);
    }
    provisional = false;
    finishProblems();
    m_loadTime = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void SceneAnalysis::Content::mapObjects()
{
    objects.assign(isReadable() ? xml().items().size() : 0, nullptr);
    const auto document = root ? root->scene().document : nullptr;
    if (!document || !isReadable()) return;
    const auto note = [&](Base& b) {
        const SceneOrigin* o = document->origin(b);
        if (!o || o->place.file != 0 || o->place.include != 0) return;
        const std::uint32_t i = xml().find(o->place.element);
        if (i != XmlItem::none && !objects[i]) objects[i] = &b;
    };
    for (Node* n : root->descendants(true)) {
        note(*n);
        for (const auto& c : n->components()) note(*c);
    }
}

// --- Problems --------------------------------------------------------------------------------------------------------

TextAnchor SceneAnalysis::Content::anchorAt(std::size_t at) const
{
    TextAnchor a;
    if (!isReadable()) return a;
    const auto& items = xml().items();
    const auto next = std::ranges::upper_bound(items, at, {}, &XmlItem::begin);
    if (next == items.begin()) return a;
    a.item = static_cast<std::uint32_t>(next - items.begin() - 1);
    const auto list = xml().attributes(item(a.item));
    for (std::uint32_t k = 0; k < list.size(); ++k)
        if (list[k].begin == at) a.attribute = k;
    return a;
}

/// What is underlined: the value of an attribute, or its name if that is wrong; the name of an element.
TextRange SceneAnalysis::Content::rangeOf(const TextAnchor& a, const Message& m) const
{
    if (!isReadable() || a.item == XmlItem::none) return {};
    const XmlItem& e = item(a.item);
    if (a.attribute != XmlItem::none) {
        const XmlAttribute& x = xml().attributes(e)[a.attribute];
        const bool ofName = m.text.starts_with('\'' + std::string(xml().name(x)) + '\'') ||
                            m.severity == Severity::Deprecated || x.valueBegin == x.valueEnd;
        return ofName ? TextRange{x.begin, x.nameEnd} : TextRange{x.valueBegin, x.valueEnd};
    }
    if (e.isElement()) return {e.begin + std::size_t{1}, e.nameEnd};
    return {e.begin, e.end};
}

void SceneAnalysis::Content::take(const std::vector<Message>& messages)
{
    const TextLines lines(text);
    for (const Message& m : messages) {
        if (m.severity < Severity::Advice) continue;
        SceneProblem p{m, !m.where.known() || *m.where.file == path, {}};
        TextAnchor a;
        if (p.inText && m.text.starts_with("this is no well-formed XML") && !malformed.empty()) continue;
        if (p.inText) {
            const std::size_t at = lines.offset(TextPosition{m.where.line, m.where.column});
            p.range = {at, std::min(text.find_first_of("\r\n", at), text.size())};
            if (m.where.line > 0)
                a = anchorAt(at);
            else if (isReadable())
                a.item = xml().root();
        }
        problems.push_back(std::move(p));
        anchors.push_back(a);
    }
}

/// Places, ranges and fixes of the problems, in the order of their places.
void SceneAnalysis::Content::finishProblems()
{
    std::vector<SceneProblem> all;
    std::vector<TextAnchor> allAnchors;
    std::vector<std::size_t> order;
    const auto file = std::make_shared<const std::string>(path);
    for (const XmlProblem& x : malformed) {
        const std::size_t end = std::min(text.find_first_of("\r\n", x.at), text.size());
        all.push_back({{Severity::Error, source->xml(0).where(x.at), {}, x.text}, true, {x.at, end}});
        all.back().message.where.file = file;
        allAnchors.emplace_back();
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SceneProblem& p = problems[i];
        if (isReadable() && anchors[i].item == XmlItem::none && p.inText &&
            p.message.text.starts_with("this is no well-formed XML"))
            continue;
        if (p.inText && anchors[i].item != XmlItem::none) {
            const XmlItem& e = item(anchors[i].item);
            const auto list = xml().attributes(e);
            p.message.where =
                xml().where(anchors[i].attribute != XmlItem::none ? list[anchors[i].attribute].begin : e.begin);
            p.message.where.file = file;
            p.range = rangeOf(anchors[i], p.message);
        }
        all.push_back(std::move(p));
        allAnchors.push_back(anchors[i]);
    }
    for (std::size_t i = 0; i < all.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(
        order, {}, [&all](std::size_t i) { return std::pair(!all[i].inText, all[i].inText ? all[i].range.begin : 0); });
    problems.clear();
    anchors.clear();
    for (const std::size_t i : order) {
        problems.push_back(std::move(all[i]));
        anchors.push_back(allAnchors[i]);
    }
}

// --- Edits -----------------------------------------------------------------------------------------------------------

namespace {

/// The bytes that make a part what it is: an element is its start tag.
std::string_view ownBytes(const XmlDocument& x, const XmlItem& i)
{
    return std::string_view(x.bytes()).substr(i.begin, (i.isElement() ? i.tagEnd : i.end) - i.begin);
}

}  // namespace

void SceneAnalysis::Content::setText(std::string newText)
{
    if (!root || !isReadable() || m_loadTime < patience) return load(std::move(newText));
    const std::unique_ptr<SceneDocument> before = std::move(source);
    const std::vector<XmlProblem> malformedBefore = malformed;
    const std::string textBefore = std::move(text);
    readText(std::move(newText));
    if (isReadable()) {
        const Session::Scope scope(*m_session);
        if (tryChanges(*before, textBefore, malformedBefore)) {
            finishProblems();
            return;
        }
    }
    load(std::move(text));
}

/// Takes over what is known of the parts that are the same, and tries the others. False if all must be loaded anew.
bool SceneAnalysis::Content::tryChanges(const SceneDocument& before, const std::string& textBefore,
                                        const std::vector<XmlProblem>& malformedBefore)
{
    if (text == textBefore && malformed.size() == malformedBefore.size()) return true;
    const XmlDocument& was = before.xml(0);
    const XmlDocument& now = xml();
    const auto& a = was.items();
    const auto& b = now.items();
    const auto same = [&](std::size_t i, std::size_t k) {
        return a[i].kind == b[k].kind && ownBytes(was, a[i]) == ownBytes(now, b[k]);
    };
    const std::size_t most = std::min(a.size(), b.size());
    std::size_t first = 0, last = 0;
    while (first < most && same(first, first)) ++first;
    while (last < most - first && same(a.size() - 1 - last, b.size() - 1 - last)) ++last;
    const std::size_t endA = a.size() - last, endB = b.size() - last;
    if (endA - first > 64 || endB - first > 64) return false;
    const bool oneForOne = endA - first == 1 && endB - first == 1;
    // An end tag may have moved: what follows must stand in the same element as before.
    const auto mapped = [&](std::uint32_t i) -> std::uint32_t {
        if (i == XmlItem::none || i < first) return i;
        if (i >= endA) return static_cast<std::uint32_t>(i - endA + endB);
        return oneForOne ? i : XmlItem::none - 1;
    };
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((i < first || i >= endA) && mapped(a[i].parent) != b[mapped(static_cast<std::uint32_t>(i))].parent)
            return false;
    std::vector<Base*> olds = std::move(objects);
    objects.assign(b.size(), nullptr);
    for (std::uint32_t i = 0; i < a.size(); ++i)
        if (i < first || i >= endA) objects[mapped(i)] = olds[i];
    // Of the changed ones: those that are in no other changed one, as far as a node is around them.
    std::vector<std::uint32_t> units;
    for (auto i = static_cast<std::uint32_t>(first); i < endB; ++i) {
        std::uint32_t e = i;
        if (!b[e].isElement() && (b[e].parent == XmlItem::none || nodeAround(e))) continue;
        while (e != XmlItem::none && !(b[e].isElement() && (b[e].parent == XmlItem::none || nodeAround(e))))
            e = b[e].parent;
        if (e == XmlItem::none || (b[e].parent == XmlItem::none && !oneForOne)) return false;
        const bool inner = std::ranges::any_of(units, [&](std::uint32_t u) { return e >= u && e < b[u].next; });
        if (!inner) units.push_back(e);
    }
    const auto isChanged = [&](std::uint32_t i) { return i >= first && i < endA; };
    // Of a node that was there before only its own attributes are tried.
    const bool ownOnly = oneForOne && dynamic_cast<Node*>(olds[first]) != nullptr;
    const auto inUnit = [&](std::uint32_t i) {
        return std::ranges::any_of(units,
                                   [&](std::uint32_t u) { return i == u || (!ownOnly && i > u && i < b[u].next); });
    };
    std::vector<SceneProblem> kept;
    std::vector<TextAnchor> keptAnchors;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        TextAnchor k = anchors[i];
        if (problems[i].inText) {
            if (k.item == XmlItem::none || isChanged(k.item)) continue;
            k.item = mapped(k.item);
            if (inUnit(k.item)) continue;
        }
        kept.push_back(std::move(problems[i]));
        keptAnchors.push_back(k);
    }
    problems = std::move(kept);
    anchors = std::move(keptAnchors);
    for (const std::uint32_t u : units) {
        Base* old = oneForOne && u == first ? olds[first] : objectOf(u);
        if (old && classOf(u) != old->className()) old = nullptr;
        tryElementAt(u, old, ownOnly);
        objects[u] = old;
    }
    provisional = true;
    return true;
}

namespace {

/// What is only tried belongs to no document.
void forgetPlaces(SceneElement& e)
{
    e.place = {};
    e.elsewhere.clear();
    for (SceneElement& c : e.children) forgetPlaces(c);
}

}  // namespace

/// The name that a scene gives to an element without one: its class, and its number among those without in its node.
std::string SceneAnalysis::Content::nameAmongOthers(std::uint32_t element) const
{
    const std::string type = classOf(element);
    std::size_t number = 1;
    for (std::uint32_t i = xml().firstIn(item(element).parent); i < element; i = item(i).next)
        if (item(i).isElement() && classOf(i) == type && !xml().attribute(item(i), "name")) ++number;
    return type + std::to_string(number);
}

void SceneAnalysis::Content::tryElementAt(std::uint32_t element, Base* old, bool ownOnly)
{
    std::vector<Message> messages;
    std::string given;
    const auto add = [&messages](const std::vector<Message>& more) {
        messages.insert(messages.end(), more.begin(), more.end());
    };
    try {
        std::vector<SceneElement> parsed;
        if (ownOnly) {
            SceneElement& node = parsed.emplace_back();
            node.isNode = true;
            node.description.type = "Node";
            node.description.where = xml().where(item(element).begin);
            for (const XmlAttribute& a : xml().attributes(item(element)))
                node.description.set(std::string(xml().name(a)), xml().value(a), xml().where(a.begin));
        } else {
            const MessageCapture capture;
            parsed = parseElement(*source, {0, item(element).id, 0}, draftParse);
            add(capture.messages());
        }
        Node* const parent = nodeAround(element);
        for (SceneElement& e : parsed) {
            forgetPlaces(e);
            // Its own name is not taken, and a place counted from the end of its node cannot be tried.
            if (old && parent && e.name() == old->name())
                std::erase_if(e.description.attributes, [](const Attribute& x) { return x.name == "name"; });
            if (!old && e.name().empty()) e.description.set("name", given = nameAmongOthers(element));
            std::erase_if(e.description.attributes, [](const Attribute& x) { return x.value.starts_with("@["); });
            if (parent) {
                add(tryElement(*parent, e, draft));
            } else {
                const MessageCapture capture;
                buildScene(e, draft);
                add(capture.messages());
            }
        }
    } catch (const std::exception& e) {
        messages.push_back({Severity::Error, xml().where(item(element).begin), {}, reasonOf(e)});
    }
    std::erase_if(messages, [&given](const Message& m) {
        return !given.empty() && m.text.starts_with("the name '" + given + "' is taken");
    });
    if (old)
        for (Message& m : messages)
            if (!m.sender.empty()) m.sender = old->pathName() + " (" + old->className() + ')';
    take(messages);
}

void SceneAnalysis::Content::check(const Initialise& initialise)
{
    if (provisional) load(std::move(text));
    const auto isError = [](const SceneProblem& p) { return p.message.severity == Severity::Error; };
    if (!root || std::ranges::any_of(problems, isError)) return;
    const auto session = sessionLikeThis();
    const Session::Scope scope(*session);
    std::vector<Message> loading, messages;
    std::shared_ptr<Node> scene = build(loading);
    if (!scene) return;
    {
        const MessageCapture capture;
        try {
            initialise(scene, session);
        } catch (const std::exception& e) {
            MessageLog::emit(Severity::Error, reasonOf(e), scene->location);
        }
        scene.reset();
        messages = capture.messages();
    }
    take(messages);
    finishProblems();
}

// --- Elements --------------------------------------------------------------------------------------------------------

Node* SceneAnalysis::Content::nodeAround(std::uint32_t i) const
{
    const std::uint32_t parent = item(i).parent;
    return parent == XmlItem::none ? nullptr : dynamic_cast<Node*>(objectOf(parent));
}

std::uint32_t SceneAnalysis::Content::elementAt(std::size_t at) const
{
    if (!isReadable()) return XmlItem::none;
    std::uint32_t i = anchorAt(at == 0 ? 0 : at - 1).item;
    // Behind its '>' a place is not in an element any more, but at the end of one that has none it is.
    const auto holds = [&](const XmlItem& e) {
        return e.isElement() && at > e.begin && (at < e.end || (at == e.end && text[at - 1] != '>'));
    };
    while (i != XmlItem::none && !holds(item(i))) i = item(i).parent;
    return i;
}

std::string SceneAnalysis::Content::classOf(std::uint32_t element) const
{
    const XmlItem& e = item(element);
    std::string type(xml().name(e));
    if (type == "Object") {
        const XmlAttribute* a = xml().attribute(e, "type");
        type = a ? xml().value(*a) : std::string();
    }
    if (const auto entry = Registry::instance().find(type)) return entry->name;
    const std::string_view now = currentComponentName(type);
    return now.empty() ? type : std::string(now);
}

const Base* SceneAnalysis::Content::prototype(std::uint32_t element) const
{
    if (const Base* b = objectOf(element)) return b;
    const XmlAttribute* t = xml().attribute(item(element), "template");
    return prototype(classOf(element), t ? xml().value(*t) : std::string());
}

const Base* SceneAnalysis::Content::prototype(const std::string& type, const std::string& templ) const
{
    if (type == "Node") {
        static const auto node = std::make_shared<Node>("Node");
        return node.get();
    }
    const ComponentEntryPtr entry = Registry::instance().find(type);
    if (!entry || entry->creators.empty()) return nullptr;
    const std::string wanted = Registry::canonicalTemplate(templ);
    auto creator = std::ranges::find(entry->creators, wanted, &ComponentCreator::templ);
    if (creator == entry->creators.end()) creator = entry->creators.begin();
    auto& made = m_prototypes[{entry, creator->templ}];
    if (!made) made = creator->create();
    return made.get();
}

// --- Interface -------------------------------------------------------------------------------------------------------

SceneAnalysis::SceneAnalysis(std::string path)
    : m_content(std::make_unique<Content>(std::filesystem::absolute(path).lexically_normal().string()))
{
}

SceneAnalysis::~SceneAnalysis() = default;

const std::string& SceneAnalysis::path() const { return m_content->path; }
const std::string& SceneAnalysis::text() const { return m_content->text; }
void SceneAnalysis::setText(std::string text) { m_content->setText(std::move(text)); }

void SceneAnalysis::edit(const TextEdit& edit)
{
    std::string text = m_content->text;
    if (edit.at > text.size() || edit.length > text.size() - edit.at)
        throw AnalysisError("an edit is outside of the text");
    m_content->setText(text.replace(edit.at, edit.length, edit.text));
}

bool SceneAnalysis::isProvisional() const { return m_content->provisional; }
void SceneAnalysis::refresh() { m_content->load(m_content->text); }
void SceneAnalysis::setPatience(double seconds) { m_content->patience = seconds; }
const std::vector<SceneProblem>& SceneAnalysis::problems() const { return m_content->problems; }

void SceneAnalysis::check(const Initialise& initialise) { m_content->check(initialise); }

Node* SceneAnalysis::root() const { return m_content->root.get(); }

Base* SceneAnalysis::objectAt(std::size_t at) const
{
    const std::uint32_t e = m_content->elementAt(at);
    return e == XmlItem::none ? nullptr : m_content->objectOf(e);
}

}  // namespace sofa::core
