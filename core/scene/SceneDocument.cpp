// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneDocument.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/objectmodel/Path.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneParser.h"
#include "core/scene/SceneWriter.h"

namespace fs = std::filesystem;

namespace sofa::core {

FileChanged::FileChanged(std::string path)
    : std::runtime_error("'" + path +
                         "' was changed by another program since the scene was opened; it is left as it is"),
      m_path(std::move(path))
{
}

namespace {

std::uint64_t hashOf(std::string_view a, std::string_view b = {})
{
    const std::hash<std::string_view> hash;
    return hash(a) * 0x9E3779B97F4A7C15ull + hash(b);
}

std::string canonical(const std::string& path)
{
    std::error_code error;
    const fs::path p = fs::weakly_canonical(path, error);
    return error ? path : p.string();
}

}  // namespace

/// A file, and what was on the disk when it was read or written last.
struct SceneDocument::File
{
    File(std::string bytes, const std::string& path) : xml(std::move(bytes), path), hash(hashOf(xml.bytes())) {}

    void stamp()
    {
        std::error_code error;
        hash = hashOf(xml.bytes());
        size = fs::file_size(name, error);
        time = fs::last_write_time(name, error);
        onDisk = !error;
    }
    /// Whether there is something else on the disk now.
    bool changed() const
    {
        std::error_code error;
        if (!fs::is_regular_file(name, error)) return false;
        if (!onDisk) return true;
        if (fs::file_size(name, error) == size && fs::last_write_time(name, error) == time) return false;
        return hashOf(readBytes(name)) != hash;
    }

    XmlDocument xml;
    std::string name;  ///< canonical
    std::uint64_t hash;
    std::uintmax_t size = 0;
    fs::file_time_type time = {};
    bool onDisk = false;
};

SceneDocument::SceneDocument() : m_includes(1) {}
SceneDocument::~SceneDocument() = default;

// --- Files -----------------------------------------------------------------------------------------------------------

std::uint32_t SceneDocument::open(const std::string& path)
{
    const std::string name = canonical(path);
    for (std::uint32_t i = 0; i < m_files.size(); ++i)
        if (m_files[i]->name == name) return i;
    m_files.push_back(std::make_unique<File>(readBytes(path), path));
    m_files.back()->name = name;
    m_files.back()->stamp();
    return static_cast<std::uint32_t>(m_files.size() - 1);
}

std::uint32_t SceneDocument::openText(std::string text, const std::string& path)
{
    m_files.push_back(std::make_unique<File>(std::move(text), path));
    m_files.back()->name = canonical(path);
    return static_cast<std::uint32_t>(m_files.size() - 1);
}

const XmlDocument& SceneDocument::xml(std::uint32_t file) const { return m_files[file]->xml; }

bool SceneDocument::isEdited(std::uint32_t file) const
{
    return hashOf(m_files[file]->xml.bytes()) != m_files[file]->hash;
}

bool SceneDocument::isEdited() const
{
    for (std::uint32_t i = 0; i < m_files.size(); ++i)
        if (isEdited(i)) return true;
    return false;
}

std::vector<std::string> SceneDocument::changedOnDisk() const
{
    std::vector<std::string> out;
    for (const auto& f : m_files)
        if (f->onDisk && f->changed()) out.push_back(f->xml.path());
    return out;
}

// --- Origins ---------------------------------------------------------------------------------------------------------

std::uint32_t SceneDocument::addInclude(SceneInclude include)
{
    m_includes.push_back(include);
    return static_cast<std::uint32_t>(m_includes.size() - 1);
}

SceneDocument::Known* SceneDocument::known(const Base& object)
{
    return const_cast<Known*>(std::as_const(*this).known(object));
}

const SceneDocument::Known* SceneDocument::known(const Base& object) const
{
    const auto it = std::ranges::lower_bound(m_known, object.serial(), {}, &Known::serial);
    return it != m_known.end() && it->serial == object.serial() && it->origin.place.known() ? &*it : nullptr;
}

const SceneOrigin* SceneDocument::origin(const Base& object) const
{
    const Known* k = known(object);
    return k ? &k->origin : nullptr;
}

SourceLocation SceneDocument::where(const Base& object) const
{
    const SceneOrigin* o = origin(object);
    if (!o) return {};
    const XmlDocument& x = xml(o->place.file);
    const std::uint32_t index = x.find(o->place.element);
    return index == XmlItem::none ? SourceLocation{} : x.where(x.items()[index].begin);
}

std::vector<SceneInclude> SceneDocument::chain(const Base& object) const
{
    std::vector<SceneInclude> out;
    const SceneOrigin* o = origin(object);
    for (std::uint32_t i = o ? o->place.include : 0; i != 0; i = m_includes[i].by.include)
        out.insert(out.begin(), m_includes[i]);
    return out;
}

GivenElsewhere SceneDocument::giver(const Base& object, std::string_view attribute) const
{
    const SceneOrigin* o = origin(object);
    if (!o) return {};
    const auto means = [&](std::string_view spelled) {
        if (spelled == attribute) return true;
        if (const BaseData* d = object.findData(attribute)) {
            if (object.findData(spelled) == d) return true;
        } else if (const BaseLink* l = object.findLink(attribute)) {
            if (object.findLink(spelled) == l) return true;
        }
        const OldAttribute* old = findOldAttribute(object.className(), std::string(spelled));
        return old && old->now == attribute;
    };
    for (auto g = o->elsewhere.rbegin(); g != o->elsewhere.rend(); ++g)
        if (means(g->name) && xml(g->by.file).find(g->by.element) != XmlItem::none) {
            const XmlDocument& x = xml(g->by.file);
            if (x.attribute(x.items()[x.find(g->by.element)], g->spelling)) return *g;
        }
    const XmlDocument& x = xml(o->place.file);
    const std::uint32_t index = x.find(o->place.element);
    if (index == XmlItem::none) return {};
    for (const XmlAttribute& a : x.attributes(x.items()[index]))
        if (means(x.name(a))) return {std::string(attribute), o->place, std::string(x.name(a))};
    return {};
}

std::vector<Base*> SceneDocument::objectsOf(const Node& root, const ElementPlace& place) const
{
    std::vector<Base*> out;
    const auto look = [&](Base& b) {
        if (const SceneOrigin* o = origin(b); o && o->place.isSameElement(place)) out.push_back(&b);
    };
    for (Node* n : root.descendants(true)) {
        look(*n);
        for (const auto& c : n->components()) look(*c);
    }
    return out;
}

std::vector<ElementPlace> SceneDocument::references(const Node& root, const Node& node) const
{
    std::vector<ElementPlace> out;
    for (const Node* n : root.descendants(true)) {
        const SceneOrigin* o = origin(*n);
        if (!o) continue;
        const XmlDocument& x = xml(o->place.file);
        const std::uint32_t index = x.find(o->place.element);
        if (index == XmlItem::none) continue;
        for (std::uint32_t i = x.firstIn(index); i < x.endIn(index); i = x.items()[i].next) {
            const XmlItem& e = x.items()[i];
            const XmlAttribute* same = e.isElement() && x.name(e) == "Node" ? x.attribute(e, "sameAs") : nullptr;
            if (!same) continue;
            std::string path = x.value(*same), ignored;
            if (!path.starts_with('@')) path.insert(0, 1, '@');
            const std::vector<Base*> found = findByPath(*n, path, ignored);
            const ElementPlace place{o->place.file, e.id, o->place.include};
            if (!found.empty() && found.front() == &node &&
                std::ranges::none_of(out, [&](const ElementPlace& other) { return other.isSameElement(place); }))
                out.push_back(place);
        }
    }
    return out;
}

std::string SceneDocument::text(const ElementPlace& place) const
{
    return xml(place.file).utf8(xml(place.file).text(item(place)));
}

namespace {

/// The nodes that hold an object, transient ones aside.
std::vector<const Node*> holders(const Base& object)
{
    if (const auto* c = dynamic_cast<const Component*>(&object))
        return c->node() ? std::vector<const Node*>{c->node()} : std::vector<const Node*>();
    std::vector<const Node*> out;
    for (const Node* p : dynamic_cast<const Node&>(object).parents())
        if (!isTransient(*p)) out.push_back(p);
    return out;
}

}  // namespace

namespace {

/// What a node holds that is part of the scene's text, in the order in which it was made, as the writer has it.
std::vector<Base*> inOrder(const Node& n)
{
    std::vector<Base*> all;
    for (const auto& c : n.components())
        if (!isTransient(*c) && !c->className().empty()) all.push_back(c.get());
    for (const auto& c : n.children())
        if (!isTransient(*c)) all.push_back(c.get());
    std::ranges::sort(all, {}, [](const Base* b) { return b->serial(); });
    return all;
}

}  // namespace

void SceneDocument::noteAll(Base& object, const SceneElement& e)
{
    note(object, e);
    settle(object);
    const auto* n = dynamic_cast<const Node*>(&object);
    if (!n) return;
    const std::vector<Base*> all = inOrder(*n);
    for (std::size_t i = 0; i < all.size() && all.size() == e.children.size(); ++i) noteAll(*all[i], e.children[i]);
}

std::uint32_t SceneDocument::outermost(const ElementPlace& place) const
{
    std::uint32_t include = place.include;
    while (include != 0 && m_includes[include].by.include != 0) include = m_includes[include].by.include;
    return include;
}

void SceneDocument::note(const Base& object, const SceneElement& e)
{
    if (!e.place.known()) return;
    setOrigin(object, {e.place, e.elsewhere});
}

void SceneDocument::setOrigin(const Base& object, SceneOrigin origin)
{
    auto it = std::ranges::lower_bound(m_known, object.serial(), {}, &Known::serial);
    if (it == m_known.end() || it->serial != object.serial()) {
        it = m_known.insert(it, Known());
        it->serial = object.serial();
    }
    remember(*it);
    it->origin = std::move(origin);
}

void SceneDocument::remember(const Known& k)
{
    if (m_step) m_step->known.push_back(k);
}

void SceneDocument::settle(const Base& object)
{
    Known* k = known(object);
    if (!k) return;
    remember(*k);
    k->parents.clear();
    for (const Node* p : holders(object)) k->parents.push_back(p->serial());
    k->name = hashOf(object.name());
    k->given.clear();
    for (const auto& [name, text] : object.givenAttributes()) {
        const BaseData* d = object.findData(name);
        k->given.push_back({hashOf(name), hashOf(text), d ? d->changeCount() : 0});
    }
}

void SceneDocument::unsettle(const Base& object, std::string_view attribute)
{
    if (Known* k = known(object)) std::erase_if(k->given, [&](const auto& g) { return g.name == hashOf(attribute); });
}

void SceneDocument::leaveOut(std::uint64_t first) { m_leftOut.emplace_back(first, Base::nextSerial()); }

bool SceneDocument::isLeftOut(const Base& object) const
{
    return std::ranges::any_of(m_leftOut,
                               [&](const auto& r) { return object.serial() >= r.first && object.serial() < r.second; });
}

// --- Steps -----------------------------------------------------------------------------------------------------------

void SceneDocument::begin(std::string label)
{
    if (m_step) throw std::logic_error("a step of editing within another");
    m_step.emplace();
    m_step->label = std::move(label);
}

void SceneDocument::edit(std::uint32_t file, std::vector<TextEdit> edits)
{
    if (!m_step) throw std::logic_error("an edit of a scene outside of a step");
    std::vector<TextEdit> back = m_files[file]->xml.apply(edits);
    m_step->text.insert(m_step->text.begin(), {file, std::move(back)});
}

void SceneDocument::commit(std::function<void()> undo, std::function<void()> redo, std::string mergeKey)
{
    Step step = std::move(*m_step);
    m_step.reset();
    if (step.text.empty() && !undo) return;
    std::ranges::reverse(step.known);
    step.undo = std::move(undo);
    step.redo = std::move(redo);
    step.mergeKey = std::move(mergeKey);
    m_undone.clear();
    if (!m_done.empty() && !step.mergeKey.empty() && m_done.back().mergeKey == step.mergeKey) {
        // One step that goes back over both. Going forward, the last value is enough.
        Step& last = m_done.back();
        last.text.insert(last.text.begin(), std::make_move_iterator(step.text.begin()),
                         std::make_move_iterator(step.text.end()));
        last.known.insert(last.known.begin(), std::make_move_iterator(step.known.begin()),
                          std::make_move_iterator(step.known.end()));
        last.redo = std::move(step.redo);
        return;
    }
    m_done.push_back(std::move(step));
}

void SceneDocument::swapStep(Step& step)
{
    std::vector<Step::Piece> other;
    for (const Step::Piece& p : step.text) other.insert(other.begin(), {p.file, m_files[p.file]->xml.apply(p.edits)});
    step.text = std::move(other);
    std::vector<Known> before;
    for (Known& k : step.known) {
        const auto it = std::ranges::lower_bound(m_known, k.serial, {}, &Known::serial);
        if (it == m_known.end() || it->serial != k.serial) continue;
        before.push_back(std::exchange(*it, std::move(k)));
    }
    std::ranges::reverse(before);
    step.known = std::move(before);
}

void SceneDocument::rollBack()
{
    if (!m_step) return;
    Step step = std::move(*m_step);
    m_step.reset();
    std::ranges::reverse(step.known);
    swapStep(step);
}

void SceneDocument::undo()
{
    if (m_done.empty() || m_step) return;
    Step step = std::move(m_done.back());
    m_done.pop_back();
    step.mergeKey.clear();
    swapStep(step);
    if (step.undo) step.undo();
    m_undone.push_back(std::move(step));
}

void SceneDocument::redo()
{
    if (m_undone.empty() || m_step) return;
    Step step = std::move(m_undone.back());
    m_undone.pop_back();
    swapStep(step);
    if (step.redo) step.redo();
    m_done.push_back(std::move(step));
}

// --- Attributes of objects -------------------------------------------------------------------------------------------

void SceneDocument::give(const Node& root, const Base& object, const std::string& name, const std::string& value,
                         EditWhere where)
{
    const SceneOrigin* o = origin(object);
    if (!o) throw EditError("'" + object.pathName() + "' is in no file of the scene");
    const GivenElsewhere g = giver(object, name);
    const std::uint32_t top = outermost(o->place);
    const ElementPlace by = m_includes[top].by;
    if (top == 0 && where == EditWhere::AsOverride && g.by.include != 0 && object.d_name.isSet() &&
        dynamic_cast<const Component*>(&object) && object.name().find("__") == std::string::npos) {
        // A file that is merged into this one gives it: its include can say otherwise.
        const ElementPlace merging = m_includes[outermost(g.by)].by;
        SceneOrigin changed = *o;
        changed.elsewhere.push_back({g.name, merging, object.name() + "__" + g.name});
        setAttribute(merging, changed.elsewhere.back().spelling, value);
        setOrigin(object, std::move(changed));
        return;
    }
    if (top == 0 || where == EditWhere::InInclude) {
        if (g.by.known() && g.by.include != o->place.include)
            throw EditError("an include gives '" + name + "' of '" + object.pathName() + "' another value, in " +
                            xml(g.by.file).where(item(g.by).begin).str() + ": edit it there");
        if (g.by.known())
            setAttribute(g.by, g.spelling, value);
        else
            setAttribute(o->place, name, value);
        return;
    }
    const auto cannot = [&](const std::string& why) {
        return EditError("an override cannot set '" + name + "' of '" + object.pathName() + "': " + why +
                         "; edit it in the included file");
    };
    const auto throughTop = [&](const Base& b) {
        const SceneOrigin* other = origin(b);
        return other && outermost(other->place) == top;
    };
    std::vector<const Base*> all;
    for (const Node* n : root.descendants(true)) {
        if (throughTop(*n)) all.push_back(n);
        for (const auto& c : n->components())
            if (throughTop(*c)) all.push_back(c.get());
    }
    SceneOrigin changed = *o;
    const auto takesFrom = [&](const Base* b, const std::string& spelling) {
        const GivenElsewhere other = giver(*b, name);
        return other.by == by && other.spelling == spelling;
    };
    if (g.by == by && std::ranges::count_if(all, [&](const Base* b) { return takesFrom(b, g.spelling); }) == 1) {
        setAttribute(by, g.spelling, value);
        return;
    }
    if (name == "name") {
        const XmlDocument& x = xml(o->place.file);
        if (o->place.include != top || x.items()[x.root()].id != o->place.element)
            throw cannot("only the root of a file is renamed by its include");
        setAttribute(by, "name", value);
        changed.elsewhere.push_back({"name", by, "name"});
        setOrigin(object, std::move(changed));
        return;
    }
    if (!g.by.known()) throw cannot("the included file does not give it");
    const std::string carried = g.by == o->place ? g.spelling : g.name;
    const auto carries = [&](const Base* b) { return giver(*b, name).by.known(); };
    const auto named = [&](const Base* b) { return b->name() == object.name() && carries(b); };
    std::string spelling;
    if (object.d_name.isSet() && object.name().find("__") == std::string::npos &&
        std::ranges::count_if(all, named) == 1)
        spelling = object.name() + "__" + carried;
    else if (!dynamic_cast<const Node*>(&object) && carried != "href" && carried != "type" &&
             carried.find('_') == std::string::npos && std::ranges::count_if(all, carries) == 1)
        spelling = carried;
    else
        throw cannot("its element has no name of its own");
    const bool isName = spelling.find_first_of(" \t\r\n=/>\"'<&") == std::string::npos;
    if (!isName) throw cannot("its name cannot be part of an attribute");
    setAttribute(by, spelling, value);
    changed.elsewhere.push_back({carried, by, spelling});
    setOrigin(object, std::move(changed));
}

std::optional<std::string> SceneDocument::takeAway(const Base& object, const std::string& name, EditWhere where)
{
    const SceneOrigin* o = origin(object);
    if (!o) throw EditError("'" + object.pathName() + "' is in no file of the scene");
    const GivenElsewhere g = giver(object, name);
    if (!g.by.known()) return std::nullopt;
    const std::uint32_t top = outermost(o->place);
    const bool override = top != 0 && where == EditWhere::AsOverride;
    if (override && g.by != m_includes[top].by)
        throw EditError("an override cannot take '" + name + "' from '" + object.pathName() +
                        "': edit it in the included file");
    if (!override && g.by.include != o->place.include)
        throw EditError("an include gives '" + name + "' of '" + object.pathName() + "', in " +
                        xml(g.by.file).where(item(g.by).begin).str() + ": edit it there");
    clearAttribute(g.by, g.spelling);
    if (g.by != o->place) {
        SceneOrigin changed = *o;
        std::erase_if(changed.elsewhere,
                      [&](const GivenElsewhere& e) { return e.by == g.by && e.spelling == g.spelling; });
        setOrigin(object, std::move(changed));
    }
    const GivenElsewhere left = giver(object, name);
    if (!left.by.known()) return std::nullopt;
    const XmlDocument& x = xml(left.by.file);
    return x.value(*x.attribute(item(left.by), left.spelling));
}

// --- Changes of the graph --------------------------------------------------------------------------------------------

/// Brings the changes of a graph into its document.
class SceneDocument::Updater
{
public:
    Updater(SceneDocument& document, Node& root) : m_doc(document), m_root(root)
    {
        for (Node* n : root.descendants(true)) {
            m_here.emplace(n->serial(), n);
            for (const auto& c : n->components()) m_here.emplace(c->serial(), c.get());
        }
    }

    void run(bool presentValues)
    {
        for (const Known& k : std::vector<Known>(m_doc.m_known))
            if (k.origin.place.known() && !m_here.contains(k.serial)) gone(k);
        node(m_root, presentValues);
        for (const std::uint32_t include : m_toWrite) writeOut(include);
    }

private:
    void node(Node& n, bool presentValues)
    {
        if (!m_seen.insert(&n).second) return;
        changes(n, presentValues);
        for (Base* b : inOrder(n)) {
            const Known* k = m_doc.known(*b);
            auto* child = dynamic_cast<Node*>(b);
            if (!k) {
                if (!m_doc.isLeftOut(*b)) added(*b, n);
                continue;
            }
            if (!child || !m_seen.contains(child)) placed(*b);
            if (child)
                node(*child, presentValues);
            else
                changes(*b, presentValues);
        }
    }

    void changes(Base& b, bool presentValues)
    {
        Known* k = m_doc.known(b);
        if (!k) return;
        if (k->name != hashOf(b.name())) set(b, "name", b.name());
        const auto given = b.givenAttributes();
        const std::vector<Known::Given> before = k->given;
        std::size_t stayed = 0;
        for (const auto& [name, text] : given) {
            const auto was = std::ranges::find(before, hashOf(name), &Known::Given::name);
            if (was != before.end()) ++stayed;
            const BaseData* d = b.findData(name);
            const bool isValue = d && d->linkPath().empty() && d->inputs().empty();
            const bool hasMoved = isValue && was != before.end() && d->counter() != was->counter && d->text() != text;
            if (presentValues && hasMoved)
                set(b, name, d->text());
            else if (was == before.end() || was->text != hashOf(text))
                set(b, name, text);
        }
        if (stayed < before.size()) {  // an attribute was taken back
            const XmlDocument& x = m_doc.xml(k->origin.place.file);
            const std::uint32_t index = x.find(k->origin.place.element);
            if (index == XmlItem::none) return;
            std::vector<std::string> spelled;
            for (const XmlAttribute& a : x.attributes(x.items()[index])) spelled.emplace_back(x.name(a));
            for (const std::string& s : spelled) {
                const BaseData* d = b.findData(s);
                const BaseLink* l = b.findLink(s);
                if (!d && !l) continue;
                const std::string name = d ? d->name() : std::string(l->name());
                if (name == "name" ||
                    std::ranges::find(given, name, &std::pair<std::string, std::string>::first) != given.end())
                    continue;
                attempt(b, [&] { m_doc.clearAttribute(k->origin.place, s); });
            }
        }
        m_doc.settle(b);
        for (Known::Given& g : k->given)  // values that were not written are still to be written on request
            if (const auto was = std::ranges::find(before, g.name, &Known::Given::name); was != before.end())
                g.counter = presentValues ? g.counter : was->counter;
    }

    void set(Base& b, const std::string& name, const std::string& text)
    {
        attempt(b, [&] { m_doc.give(m_root, b, name, text, EditWhere::AsOverride); });
    }

    /// What cannot be said where an include stands is said by writing it out.
    void attempt(const Base& b, const std::function<void()>& f)
    {
        const std::uint32_t include = outermost(b);
        if (m_toWrite.contains(include)) return;
        try {
            f();
        } catch (const EditError& e) {
            if (include == 0)
                b.message(Severity::Warning, std::string("a change cannot be saved: ") + e.what());
            else
                m_toWrite.insert(include);
        }
    }

    std::uint32_t outermost(const Base& b) const
    {
        const SceneOrigin* o = m_doc.origin(b);
        return o ? m_doc.outermost(o->place) : 0;
    }

    void gone(const Known& k)
    {
        if (m_doc.xml(k.origin.place.file).find(k.origin.place.element) == XmlItem::none) return;
        for (Base* other : m_doc.objectsOf(m_root, k.origin.place))
            if (m_doc.origin(*other)->place == k.origin.place) return;  // one of two that an element made
        if (k.origin.place.include == 0)
            m_doc.remove(k.origin.place);
        else
            m_toWrite.insert(m_doc.outermost(k.origin.place));
    }

    void added(Base& b, const Node& parent)
    {
        const Known* p = m_doc.known(parent);
        if (!p) return;  // written with its node
        if (p->origin.place.include != 0) {
            m_toWrite.insert(outermost(parent));
            return;
        }
        note({&b}, m_doc.insert(p->origin.place, {}, writeElement(b)));
    }

    /// Whether the nodes that hold an object are those that held it.
    void placed(Base& b)
    {
        const std::vector<std::uint64_t> before = m_doc.known(b)->parents;
        const std::vector<const Node*> now = holders(b);
        const auto held = [&before](const Node* n) { return std::ranges::find(before, n->serial()) != before.end(); };
        const auto holds = [&now](std::uint64_t serial) {
            return std::ranges::find(now, serial, [](const Node* n) { return n->serial(); }) != now.end();
        };
        if (now.empty() || before.empty()) return;
        for (const Node* n : now) {
            if (held(n)) continue;
            if (n == now.front() && !holds(before.front()))
                moved(b, *n);
            else
                addedAgain(dynamic_cast<Node&>(b), *n);
        }
        if (std::ranges::all_of(before, holds) || !dynamic_cast<Node*>(&b)) return;
        for (const ElementPlace& r : m_doc.references(m_root, dynamic_cast<Node&>(b))) {
            const XmlDocument& x = m_doc.xml(r.file);
            const XmlId around = x.items()[m_doc.item(r).parent].id;
            const std::vector<Base*> parents = m_doc.objectsOf(m_root, {r.file, around, r.include});
            const bool isHeld = std::ranges::any_of(parents, [&](const Base* p) { return holds(p->serial()); });
            if (!isHeld && r.include == 0) m_doc.remove(r);
        }
    }

    /// A node that has one more parent.
    void addedAgain(const Node& b, const Node& parent)
    {
        const Known* p = m_doc.known(parent);
        if (!p || p->origin.place.include != 0) return;
        m_doc.insert(p->origin.place, {}, "<Node sameAs=\"@" + b.pathName() + "\"/>");
    }

    /// What was written of these objects is what they come from now.
    void note(const std::vector<Base*>& objects, const std::vector<ElementPlace>& places)
    {
        if (objects.size() != places.size()) return;
        const MessageCapture known;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const std::vector<SceneElement> elements = parseElement(m_doc, places[i]);
            if (elements.size() == 1) m_doc.noteAll(*objects[i], elements.front());
        }
    }

    void moved(Base& b, const Node& to)
    {
        const Known *k = m_doc.known(b), *p = m_doc.known(to);
        if (!p) return;
        if (k->origin.place.include != 0 || p->origin.place.include != 0) {
            if (k->origin.place.include != 0) m_toWrite.insert(outermost(b));
            if (p->origin.place.include != 0) m_toWrite.insert(outermost(to));
            return;
        }
        m_doc.move(k->origin.place, p->origin.place, {});
    }

    void writeOut(std::uint32_t include)
    {
        if (include == 0) return;
        const ElementPlace by = m_doc.m_includes[include].by;
        std::string text;
        std::vector<Base*> written;
        for (Node* n : m_root.descendants(true)) {
            const auto belongs = [&](const Base& b) { return m_doc.known(b) && outermost(b) == include; };
            if (belongs(*n)) continue;  // with what holds it
            for (Base* b : inOrder(*n)) {
                if (!belongs(*b)) continue;
                text += (text.empty() ? "" : "\n") + writeElement(*b);
                written.push_back(b);
            }
        }
        m_root.message(Severity::Info, "what was changed in an include cannot be said there: it is written out",
                       m_doc.xml(by.file).where(m_doc.item(by).begin));
        if (text.empty())
            m_doc.remove(by);
        else
            note(written, m_doc.replace(by, text));
    }

    SceneDocument& m_doc;
    Node& m_root;
    std::unordered_map<std::uint64_t, Base*> m_here;  ///< to look objects up
    std::unordered_set<const Node*> m_seen;
    std::set<std::uint32_t> m_toWrite;  ///< includes
};

// --- Saving ----------------------------------------------------------------------------------------------------------

void SceneDocument::update(Node& root, bool presentValues)
{
    if (m_files.empty()) return;
    begin("changes of the scene");
    try {
        Updater(*this, root).run(presentValues);
    } catch (...) {
        rollBack();
        throw;
    }
    commit();
}

void SceneDocument::checkSave(const std::string& path) const
{
    const std::string name = canonical(fs::absolute(path).string());
    for (std::uint32_t i = 1; i < m_files.size(); ++i)
        if (m_files[i]->name == name)
            throw std::runtime_error("'" + path + "' is part of the scene: save it under another name");
    if (!m_files.empty() && m_files.front()->name == name) checkUnchanged(0);
}

void SceneDocument::checkUnchanged(std::uint32_t file) const
{
    if (m_files[file]->onDisk && m_files[file]->changed()) throw FileChanged(m_files[file]->xml.path());
}

namespace {

/// The name by which a file is found from a folder.
std::string nameFrom(const std::string& file, const fs::path& folder)
{
    // ".." behind a symbolic link leads elsewhere than the text says: then only the whole path is right.
    const std::string relative = fs::path(file).lexically_relative(folder).string();
    std::error_code ignored;
    return !relative.empty() && fs::equivalent(folder / relative, file, ignored) ? relative : file;
}

}  // namespace

void SceneDocument::moveFileNames(Node& root, const fs::path& folder)
{
    const auto move = [&](const Base& b) {
        const SceneOrigin* o = origin(b);
        if (!o) return;
        for (const auto& [name, text] : std::vector(b.givenAttributes())) {
            const auto* d = dynamic_cast<const Data<FileName>*>(b.findData(name));
            if (!d || text.empty() || text.front() == '@' || fs::path(text).is_absolute()) continue;
            const GivenElsewhere g = giver(b, name);
            const auto meant = findFile(text, *d);
            if (!g.by.known() || g.by.file != 0 || !meant) continue;
            std::vector<fs::path> folders{folder};
            if (o->place.file != 0) folders.insert(folders.begin(), fs::path(xml(o->place.file).path()).parent_path());
            const auto found = [&](const std::string& file) {
                for (const fs::path& f : folders)
                    if (const auto there = DataRepository::instance().find(file, f.string())) return *there == *meant;
                return false;
            };
            if (found(text)) continue;
            std::string now = nameFrom(*meant, folder);
            std::error_code ignored;
            if (folders.size() > 1 && fs::exists(folders.front() / now, ignored)) now = *meant;
            setAttribute(g.by, g.spelling, now);
        }
    };
    for (const Node* n : root.descendants(true)) {
        move(*n);
        for (const auto& c : n->components()) move(*c);
    }
}

void SceneDocument::moveIncludes(const fs::path& folder)
{
    const std::string here = fs::path(xml(0).path()).parent_path().string();
    const DataRepository& repository = DataRepository::instance();
    std::vector<std::pair<ElementPlace, std::string>> includes;
    for (const XmlItem& i : xml(0).items()) {
        if (!i.isElement() || xml(0).name(i) != "include") continue;
        const XmlAttribute* href = xml(0).attribute(i, "href");
        const auto meant = href ? repository.find(xml(0).value(*href), here) : std::nullopt;
        if (!meant || repository.find(xml(0).value(*href), folder.string()) == meant) continue;
        includes.push_back({{0, i.id, 0}, nameFrom(*meant, folder)});
    }
    for (const auto& [place, name] : includes) setAttribute(place, "href", name);
    // A prefab that is not found from there any more is an include that names its file.
    for (const SceneInclude& i : std::vector(m_includes)) {
        if (i.isPrefab && i.by.file != 0) {
            const fs::path file(m_files[i.file]->name);
            const std::string from = fs::path(xml(i.by.file).path()).parent_path().string();
            const auto found = repository.find("Objects/" + file.filename().string(), from);
            if (!found || canonical(*found) != file)
                MessageLog::emit(Severity::Warning,
                                 "the prefab '" + file.string() + "' is not found from the folder of the saved scene",
                                 xml(i.by.file).where(item(i.by).begin));
            continue;
        }
        if (!i.isPrefab || i.by.file != 0 || xml(0).find(i.by.element) == XmlItem::none) continue;
        const XmlItem& e = item(i.by);
        const bool isObject = xml(0).name(e) == "Object";
        const XmlAttribute* type = isObject ? xml(0).attribute(e, "type") : nullptr;
        const std::string prefab = type ? xml(0).value(*type) : std::string(xml(0).name(e));
        const std::string file = m_files[i.file]->name;
        const auto there = repository.find("Objects/" + prefab + ".xml", folder.string());
        if (there && canonical(*there) == file) continue;
        if (isObject) clearAttribute(i.by, "type");
        const XmlDocument& x = xml(i.file);
        const XmlAttribute* name = x.attribute(x.items()[x.root()], "name");
        if (name && (x.value(*name) == "Group" || x.value(*name) == "_Group_")) clearAttribute(i.by, "name");
        const XmlItem& now = item(i.by);
        std::vector<TextEdit> edits{{now.begin + std::size_t{1}, now.nameEnd - now.begin - std::size_t{1},
                                     "include href=\"" + xml(0).encoded(nameFrom(file, folder), '"') + '"'}};
        if (!now.isEmptyTag()) edits.push_back({now.closeBegin, now.end - now.closeBegin, "</include>"});
        edit(0, std::move(edits));
    }
}

void SceneDocument::save(Node& root, const std::string& path, const SaveOptions& options)
{
    const fs::path target = fs::absolute(path).lexically_normal();
    const std::string name = canonical(target.string());
    const bool inPlace = !m_files.empty() && m_files.front()->name == name;
    if (!options.overwrite) checkSave(path);
    const Known* known = m_files.empty() ? nullptr : this->known(root);
    if (!known || known->origin.place.include != 0) {
        const WriteOptions written{target.parent_path().string(), options.checkpoint};
        return writeFile(target, writeScene(root, written));
    }
    update(root, options.presentValues);
    for (std::uint32_t i = 1; i < m_files.size(); ++i)
        if (isEdited(i) && !options.overwrite) checkUnchanged(i);
    begin("save");
    std::string bytes;
    try {
        if (!options.checkpoint.empty())
            setAttribute(this->known(root)->origin.place, "checkpoint", options.checkpoint);
        if (const fs::path folder = target.parent_path();
            folder != fs::path(m_files.front()->xml.path()).parent_path()) {
            moveIncludes(folder);
            moveFileNames(root, folder);
        }
        bytes = xml(0).bytes();
    } catch (...) {
        rollBack();
        throw;
    }
    try {
        writeFile(target, bytes);
        for (std::uint32_t i = 1; i < m_files.size(); ++i) {
            if (!isEdited(i)) continue;
            writeFile(m_files[i]->name, xml(i).bytes());
            m_files[i]->stamp();
        }
    } catch (...) {
        rollBack();
        throw;
    }
    if (!inPlace) return rollBack();  // the document is still that of its own file
    commit();
    m_files.front()->stamp();
}

}  // namespace sofa::core
