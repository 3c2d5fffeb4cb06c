// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneDocument.h"

#include <algorithm>

#include "core/objectmodel/Path.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneParser.h"

namespace sofa::core {

SceneDocument::SceneDocument() : m_includes(1) {}
SceneDocument::~SceneDocument() = default;

// --- Files -----------------------------------------------------------------------------------------------------------

std::uint32_t SceneDocument::open(const std::string& path)
{
    const std::string name = canonicalPath(path);
    for (std::uint32_t i = 0; i < m_files.size(); ++i)
        if (m_files[i]->name == name) return i;
    m_files.push_back(std::make_unique<SceneFile>(readBytes(path), path));
    m_files.back()->name = name;
    m_files.back()->stamp();
    return static_cast<std::uint32_t>(m_files.size() - 1);
}

std::uint32_t SceneDocument::openText(std::string text, const std::string& path)
{
    m_files.push_back(std::make_unique<SceneFile>(std::move(text), path));
    m_files.back()->name = canonicalPath(path);
    return static_cast<std::uint32_t>(m_files.size() - 1);
}

std::uint32_t SceneDocument::openText(std::string text, const std::string& path, std::vector<XmlProblem>& problems)
{
    m_files.push_back(std::make_unique<SceneFile>(std::move(text), path, problems));
    m_files.back()->name = canonicalPath(path);
    return static_cast<std::uint32_t>(m_files.size() - 1);
}

const XmlDocument& SceneDocument::xml(std::uint32_t file) const { return m_files[file]->xml; }

bool SceneDocument::isEdited(std::uint32_t file) const
{
    return textHash(m_files[file]->xml.bytes()) != m_files[file]->hash;
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
    for (const Node* p : permanentHolders(object)) k->parents.push_back(p->serial());
    k->name = textHash(object.name());
    k->given.clear();
    for (const auto& [name, text] : object.givenAttributes()) {
        const BaseData* d = object.findData(name);
        k->given.push_back({textHash(name), textHash(text), d ? d->changeCount() : 0});
    }
}

void SceneDocument::unsettle(const Base& object, std::string_view attribute)
{
    if (Known* k = known(object)) std::erase_if(k->given, [&](const auto& g) { return g.name == textHash(attribute); });
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

}  // namespace sofa::core
