// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Changes that were made to the graph without an editor, brought into the scene's document.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/objectmodel/Transient.h"
#include "core/scene/SceneDocument.h"
#include "core/scene/SceneParser.h"
#include "core/scene/SceneWriter.h"

namespace sofa::core {

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
        if (k->name != textHash(b.name())) set(b, "name", b.name());
        const auto given = b.givenAttributes();
        const std::vector<Known::Given> before = k->given;
        std::size_t stayed = 0;
        for (const auto& [name, text] : given) {
            const auto was = std::ranges::find(before, textHash(name), &Known::Given::name);
            if (was != before.end()) ++stayed;
            const BaseData* d = b.findData(name);
            const bool isValue = d && d->linkPath().empty() && d->inputs().empty();
            const bool hasMoved = isValue && was != before.end() && d->counter() != was->counter && d->text() != text;
            if (presentValues && hasMoved)
                set(b, name, d->text());
            else if (was == before.end() || was->text != textHash(text))
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
        const std::vector<const Node*> now = permanentHolders(b);
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

}  // namespace sofa::core
