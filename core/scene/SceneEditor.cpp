// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneEditor.h"

#include <algorithm>

#include "core/scene/AttributeState.h"
#include "core/scene/ElementEdits.h"
#include "core/scene/GraphPlace.h"
#include "core/scene/LinkCorrections.h"
#include "core/scene/SceneLoader.h"

namespace sofa::core {

SceneEditor::SceneEditor(Node& root) : m_root(root)
{
    auto& document = root.scene().document;
    if (!document) document = std::make_shared<SceneDocument>();
    m_document = document;
}

bool SceneEditor::undo()
{
    if (!canUndo()) return false;
    m_document->undo();
    return true;
}

bool SceneEditor::redo()
{
    if (!canRedo()) return false;
    m_document->redo();
    return true;
}

ElementPlace SceneEditor::placeToEdit(const Base& object, Where where) const
{
    const SceneOrigin* o = m_document->origin(object);
    if (!o) throw EditError("'" + object.pathName() + "' is in no file of the scene");
    if (o->place.include != 0 && where == Where::AsOverride)
        throw EditError("'" + object.pathName() + "' comes from '" + m_document->xml(o->place.file).path() +
                        "', of which an include can change attributes only: edit it in that file");
    return o->place;
}

namespace {

/// Runs a command as one step of the document; all is taken back if it throws.
template <class F>
void inStep(SceneDocument& document, const std::string& label, const F& f)
{
    document.begin(label);
    try {
        f();
    } catch (const EditError&) {
        document.rollBack();
        throw;
    } catch (const std::runtime_error& e) {
        document.rollBack();
        throw EditError(e.what());
    }
}

}  // namespace

EditErrors SceneEditor::setAttributes(Base& object, const Edits& edits, Where where, bool merge)
{
    std::string label = "set",
                key = "set " + std::to_string(object.serial()) + (where == Where::InInclude ? " i" : " o");
    for (const auto& [name, text] : edits) {
        if (name == "name") throw EditError("a name is changed by renaming the object");
        label += (label.size() > 3 ? ", " : " ") + name;
        key += ' ' + name;
    }
    const SceneOrigin* o = m_document->origin(object);
    // All that the same text makes, where no include says otherwise.
    std::vector<Base*> objects{&object};
    if (o && o->place.include != 0 && where == Where::InInclude) objects = m_document->objectsOf(m_root, o->place);
    EditErrors errors;
    inStep(*m_document, label, [&] {
        if (o)
            for (const auto& [name, text] : edits) m_document->give(m_root, object, name, text, where);
        std::vector<AttributeState> before, after;
        for (Base* b : objects)
            for (const auto& [name, text] : edits) {
                if (b != &object && m_document->giver(*b, name).by.include != m_document->origin(*b)->place.include)
                    continue;
                before.emplace_back(*b, name);
            }
        for (Base* b : objects) {
            Edits here;
            for (const auto& e : edits)
                if (b == &object || m_document->giver(*b, e.first).by.include == m_document->origin(*b)->place.include)
                    here.push_back(e);
            if (!here.empty()) errors = applyEdits(*b, here);
            if (!errors.empty()) break;
        }
        const auto restoreAll = [document = m_document.get()](const std::vector<AttributeState>& list) {
            for (auto s = list.rbegin(); s != list.rend(); ++s) {
                s->restore();
                document->settle(*s->object);
            }
        };
        if (!errors.empty()) {
            restoreAll(before);
            m_document->rollBack();
            return;
        }
        for (const AttributeState& s : before) {
            after.emplace_back(*s.object, s.name);
            m_document->settle(*s.object);
        }
        m_document->commit([restoreAll, before] { restoreAll(before); }, [restoreAll, after] { restoreAll(after); },
                           merge ? key : std::string());
    });
    return errors;
}

void SceneEditor::clearAttribute(Base& object, const std::string& name, Where where)
{
    const SceneOrigin* o = m_document->origin(object);
    std::vector<Base*> objects{&object};
    if (o && o->place.include != 0 && where == Where::InInclude) objects = m_document->objectsOf(m_root, o->place);
    inStep(*m_document, "clear " + name, [&] {
        std::erase_if(objects, [&](const Base* b) {
            return b != &object && m_document->giver(*b, name).by.include != m_document->origin(*b)->place.include;
        });
        const std::optional<std::string> left = o ? m_document->takeAway(object, name, where) : std::nullopt;
        std::vector<AttributeState> before, after;
        for (Base* b : objects) {
            const AttributeState& s = before.emplace_back(*b, name);
            if (left)
                b->setAttribute(s.name, *left, b->location);
            else if (!b->clearAttribute(s.name))
                throw EditError("'" + name + "' of '" + b->pathName() + "' cannot be taken back");
            AttributeState::finish(*b);
            after.emplace_back(*b, name);
            m_document->settle(*b);
        }
        const auto restoreAll = [document = m_document.get()](const std::vector<AttributeState>& list) {
            for (const AttributeState& s : list) {
                s.restore();
                document->settle(*s.object);
            }
        };
        m_document->commit([restoreAll, before] { restoreAll(before); }, [restoreAll, after] { restoreAll(after); });
    });
}

void SceneEditor::switchOffAttribute(Base& object, const std::string& name, Where where)
{
    const GivenElsewhere g = m_document->giver(object, name);
    if (!g.by.known()) throw EditError("'" + object.pathName() + "' is not given '" + name + "' by a file");
    if (g.by.include != 0 && where == Where::AsOverride)
        throw EditError("an include cannot switch an attribute off: edit it in the included file");
    if (g.by != m_document->origin(object)->place) throw EditError("'" + name + "' is given elsewhere: clear it there");
    const std::vector<Base*> objects = m_document->objectsOf(m_root, g.by);
    inStep(*m_document, "switch off " + name, [&] {
        m_document->renameAttribute(g.by, g.spelling, '_' + g.spelling);
        std::vector<AttributeState> before;
        for (Base* b : objects) {
            before.emplace_back(*b, name);
            b->clearAttribute(name);
            AttributeState::finish(*b);
            m_document->settle(*b);
        }
        m_document->commit(
            [before, document = m_document.get()] {
                for (const AttributeState& s : before) {
                    s.restore();
                    document->settle(*s.object);
                }
            },
            [before, document = m_document.get()] {
                for (const AttributeState& s : before) {
                    s.object->clearAttribute(s.name);
                    AttributeState::finish(*s.object);
                    document->settle(*s.object);
                }
            });
    });
}

void SceneEditor::switchOnAttribute(Base& object, const std::string& name, Where where)
{
    const ElementPlace place = placeToEdit(object, where);
    const XmlDocument& x = m_document->xml(place.file);
    const XmlAttribute* a = x.attribute(x.items()[x.find(place.element)], '_' + name);
    if (!a) throw EditError("'" + object.pathName() + "' has no attribute '_" + name + "'");
    const std::string value = x.value(*a);
    std::vector<Base*> objects = m_document->objectsOf(m_root, place);
    std::erase_if(objects, [&](const Base* b) { return m_document->giver(*b, name).by.known(); });
    inStep(*m_document, "switch on " + name, [&] {
        m_document->renameAttribute(place, '_' + name, name);
        std::vector<AttributeState> before, after;
        for (Base* b : objects) {
            before.emplace_back(*b, name);
            if (const EditErrors errors = applyEdits(*b, {{name, value}}); !errors.empty()) {
                for (const AttributeState& s : before) s.restore();
                throw EditError(errors.front().second);
            }
            after.emplace_back(*b, name);
            m_document->settle(*b);
        }
        const auto restoreAll = [document = m_document.get()](const std::vector<AttributeState>& list) {
            for (const AttributeState& s : list) {
                s.restore();
                document->settle(*s.object);
            }
        };
        m_document->commit([restoreAll, before] { restoreAll(before); }, [restoreAll, after] { restoreAll(after); });
    });
}

std::size_t SceneEditor::placeBefore(const Node& node, const ElementPlace& place, bool forNode) const
{
    // The first object of the kind from that element on.
    const XmlDocument& x = m_document->xml(place.file);
    const std::uint32_t index = x.find(place.element);
    for (std::uint32_t i = index; i < x.items()[x.items()[index].parent].next; i = x.items()[i].next) {
        if (!x.items()[i].isElement()) continue;
        for (const Base* b : m_document->objectsOf(m_root, {place.file, x.items()[i].id, 0})) {
            if (m_document->origin(*b)->place.include != place.include) continue;
            const auto* n = dynamic_cast<const Node*>(b);
            if ((n != nullptr) != forNode) continue;
            const std::size_t at = n ? node.placeOf(*n) : node.placeOf(dynamic_cast<const Component&>(*b));
            if (at != Node::atEnd) return at;
        }
    }
    return Node::atEnd;
}

std::vector<Base*> SceneEditor::build(Node& parent, const std::vector<ElementPlace>& places)
{
    std::vector<Base*> made;
    LoadReport report;
    const auto takeAway = [&made] {
        for (Base* b : made) GraphPlace(*b).remove();
    };
    try {
        for (const ElementPlace& place : places) {
            const MessageRecorder recorder;
            for (const SceneElement& e : parseElement(*m_document, place)) {
                const std::size_t components = parent.components().size(), children = parent.children().size();
                buildInto(parent, e, {}, &report);
                for (std::size_t i = components; i < parent.components().size(); ++i)
                    made.push_back(parent.components()[i].get());
                for (std::size_t i = children; i < parent.children().size(); ++i)
                    made.push_back(parent.children()[i].get());
            }
            for (const Message& m : recorder.messages())
                if (m.severity == Severity::Error) throw EditError(m.text);
        }
    } catch (...) {
        takeAway();
        throw;
    }
    // New elements stand where the text has them; those behind them are known by their elements.
    const XmlDocument& x = m_document->xml(places.back().file);
    const XmlItem& last = x.items()[x.find(places.back().element)];
    if (std::uint32_t next = last.next; next < x.items()[last.parent].next) {
        const ElementPlace behind{places.back().file, x.items()[next].id, places.back().include};
        for (Base* b : std::vector(made)) {
            const std::size_t at = placeBefore(parent, behind, dynamic_cast<Node*>(b) != nullptr);
            if (at != Node::atEnd) moveObject(*b, parent, at);
        }
    }
    return made;
}

std::vector<Base*> SceneEditor::add(Node& parent, const std::string& text, const Base* before, Where where)
{
    const ElementPlace place = placeToEdit(parent, where);
    const ElementPlace at = before ? placeToEdit(*before, where) : ElementPlace();
    std::vector<Base*> parents = m_document->objectsOf(m_root, place), all, here;
    inStep(*m_document, "add to " + parent.pathName(), [&] {
        std::vector<ElementPlace> places = m_document->insert(place, at, text);
        if (places.empty()) throw EditError("there is no element to add");
        std::vector<GraphPlace> made;
        const auto takeAway = [&] {
            for (const GraphPlace& s : made) s.remove();
        };
        try {
            for (Base* p : parents) {
                for (ElementPlace& e : places) e.include = m_document->origin(*p)->place.include;
                for (Base* b : build(dynamic_cast<Node&>(*p), places)) {
                    made.emplace_back(*b);
                    if (p == &parent) here.push_back(b);
                }
            }
        } catch (...) {
            takeAway();
            throw;
        }
        m_document->commit(
            [made] {
                for (auto s = made.rbegin(); s != made.rend(); ++s) s->remove();
            },
            [made] {
                for (const GraphPlace& s : made) s.restore();
            });
    });
    return here;
}

void SceneEditor::remove(Base& object, Where where)
{
    if (&object == &m_root) throw EditError("the root of a scene cannot be removed");
    const SceneOrigin* o = m_document->origin(object);
    inStep(*m_document, "remove " + object.pathName(), [&] {
        std::vector<Base*> objects{&object};
        if (o) {
            const ElementPlace place = placeToEdit(object, where);
            objects = m_document->objectsOf(m_root, place);
            for (const Base* b : objects)
                if (const auto* n = dynamic_cast<const Node*>(b))
                    for (const ElementPlace& r : m_document->references(m_root, *n)) m_document->remove(r);
            m_document->remove(place);
        }
        std::vector<GraphPlace> gone;
        for (Base* b : objects) gone.emplace_back(*b).remove();
        m_document->commit(
            [gone] {
                for (auto s = gone.rbegin(); s != gone.rend(); ++s) s->restore();
            },
            [gone] {
                for (const GraphPlace& s : gone) s.remove();
            });
    });
}

void SceneEditor::rename(Base& object, const std::string& name, Where where)
{
    if (name.empty() || name.find_first_of("/@ \t\r\n") != std::string::npos)
        throw EditError("'" + name + "' cannot be a name: paths could not lead to it");
    const SceneOrigin* o = m_document->origin(object);
    std::vector<Base*> objects{&object};
    if (o && o->place.include != 0 && where == Where::InInclude) {
        objects = m_document->objectsOf(m_root, o->place);
        std::erase_if(objects, [&](const Base* b) {
            return b != &object && m_document->giver(*b, "name").by.include != m_document->origin(*b)->place.include;
        });
    }
    for (const Base* b : objects) {
        const Node* n = b->linkContext();
        if (n == b) n = n->parents().empty() ? nullptr : n->parents().front();
        const Base* taken = n ? n->child(name) : nullptr;
        if (n && !taken) taken = n->component(name);
        if (taken && taken != b) throw EditError("the name '" + name + "' is taken in '" + n->pathName() + "'");
    }
    struct Named
    {
        std::shared_ptr<Base> object;
        std::string name;
        bool isSet;
    };
    std::vector<Named> before;
    before.reserve(objects.size());
    for (Base* b : objects) before.push_back({holdObject(*b), b->name(), b->d_name.isSet()});
    const auto call = [document = m_document.get()](Base& b, const std::string& n, bool isSet) {
        b.setName(n);
        b.d_name.setIsSet(isSet);
        document->settle(b);
    };
    const GivenLinks links(m_root);
    const NodeReferences references(*m_document, m_root);
    const std::string old = object.name();
    std::vector<HeldLinkCorrection> held;
    LinkCorrections corrections;
    try {
        inStep(*m_document, "rename " + object.pathName(), [&] {
            if (o) m_document->give(m_root, object, "name", name, where);
            for (Base* b : objects) call(*b, name, true);
            corrections = links.corrections(old, name);
            held = correctLinks(*m_document, m_root, corrections, where);
            references.correct(*m_document, m_root);
            m_document->commit(
                [before, call, held, document = m_document.get()] {
                    for (const Named& n : before) call(*n.object, n.name, n.isSet);
                    writeLinks(*document, held, false);
                },
                [before, call, held, name, document = m_document.get()] {
                    for (const Named& n : before) call(*n.object, name, true);
                    writeLinks(*document, held, true);
                });
        });
    } catch (...) {
        for (const Named& n : before) call(*n.object, n.name, n.isSet);
        for (const auto& c : corrections) GivenLinks::write(*c.object, c.name, c.after, c.before, c.given);
        throw;
    }
}

void SceneEditor::move(Base& object, Node& to, const Base* before, Where where)
{
    if (&object == &m_root) throw EditError("the root of a scene cannot be moved");
    const ElementPlace from = placeToEdit(object, where), target = placeToEdit(to, where);
    const ElementPlace at = before ? placeToEdit(*before, where) : ElementPlace();
    if (from.file != target.file) throw EditError("an element cannot be moved into another file");
    if (const auto* n = dynamic_cast<const Node*>(&object)) {
        if (n->contains(to)) throw EditError("a node cannot be moved into itself");
        if (n->parents().size() != 1) throw EditError("a node with several parents cannot be moved");
    }
    if (before == &object) return;
    const GivenLinks links(m_root);
    const NodeReferences references(*m_document, m_root);
    const std::vector<Base*> objects = m_document->objectsOf(m_root, from),
                             targets = m_document->objectsOf(m_root, target);
    std::vector<GraphPlace> stood;
    std::vector<std::pair<std::shared_ptr<Base>, std::shared_ptr<Base>>> moved;
    for (Base* b : objects)
        for (Base* t : targets)
            if (m_document->origin(*t)->place.include == m_document->origin(*b)->place.include) {
                stood.emplace_back(*b);
                moved.emplace_back(holdObject(*b), holdObject(*t));
            }
    const auto restoreAll = [document = m_document.get()](const std::vector<GraphPlace>& list) {
        for (auto s = list.rbegin(); s != list.rend(); ++s) {
            auto& n = dynamic_cast<Node&>(*s->nodes.front().first);
            moveObject(*s->object, n, Node::atEnd);
            // Behind itself in the list there is one place less to count.
            moveObject(*s->object, n, s->nodes.front().second);
            document->settle(*s->object);
        }
    };
    LinkCorrections corrections;
    try {
        inStep(*m_document, "move " + object.pathName(), [&] {
            m_document->move(from, target, at);
            for (const auto& [b, t] : moved) {
                auto& n = dynamic_cast<Node&>(*t);
                ElementPlace beside = at;
                beside.include = m_document->origin(*b)->place.include;
                const bool isNode = dynamic_cast<const Node*>(b.get()) != nullptr;
                const std::size_t place = before ? placeBefore(n, beside, isNode) : Node::atEnd;
                moveObject(*b, n, place);
                m_document->settle(*b);
            }
            corrections = links.corrections({}, {});
            const std::vector<HeldLinkCorrection> held = correctLinks(*m_document, m_root, corrections, where);
            references.correct(*m_document, m_root);
            std::vector<GraphPlace> now;
            now.reserve(moved.size());
            for (const auto& [b, t] : moved) now.emplace_back(*b);
            m_document->commit(
                [restoreAll, stood, held, document = m_document.get()] {
                    restoreAll(stood);
                    writeLinks(*document, held, false);
                },
                [restoreAll, now, held, document = m_document.get()] {
                    restoreAll(now);
                    writeLinks(*document, held, true);
                });
        });
    } catch (...) {
        restoreAll(stood);
        for (const auto& c : corrections) GivenLinks::write(*c.object, c.name, c.after, c.before, c.given);
        throw;
    }
}

void SceneEditor::switchOff(Base& object, Where where)
{
    if (dynamic_cast<Node*>(&object)) {
        if (const EditErrors errors = setAttributes(object, {{"activated", "0"}}, where); !errors.empty())
            throw EditError(errors.front().second);
        return;
    }
    const ElementPlace place = placeToEdit(object, where);
    const std::string text = m_document->text(place);
    if (text.find("--") != std::string::npos || text.ends_with('-'))
        throw EditError("'" + object.pathName() + "' holds \"--\", which cannot stand in a comment");
    inStep(*m_document, "switch off " + object.pathName(), [&] {
        const std::vector<Base*> objects = m_document->objectsOf(m_root, place);
        m_document->replace(place, "<!-- " + text + " -->");
        std::vector<GraphPlace> gone;
        for (Base* b : objects) gone.emplace_back(*b).remove();
        m_document->commit(
            [gone] {
                for (auto s = gone.rbegin(); s != gone.rend(); ++s) s->restore();
            },
            [gone] {
                for (const GraphPlace& s : gone) s.remove();
            });
    });
}

std::vector<XmlId> SceneEditor::switchedOff(const Node& node) const
{
    std::vector<XmlId> out;
    const SceneOrigin* o = m_document->origin(node);
    if (!o) return out;
    const XmlDocument& x = m_document->xml(o->place.file);
    const std::uint32_t index = x.find(o->place.element);
    if (index == XmlItem::none) return out;
    for (std::uint32_t i = x.firstIn(index); i < x.endIn(index); i = x.items()[i].next)
        if (x.items()[i].kind == XmlItem::Kind::Comment && !elementIn(x, x.items()[i]).empty())
            out.push_back(x.items()[i].id);
    return out;
}

std::vector<Base*> SceneEditor::switchOn(Node& node, XmlId comment, Where where)
{
    const ElementPlace place = placeToEdit(node, where);
    const XmlDocument& x = m_document->xml(place.file);
    const std::uint32_t index = x.find(comment);
    const std::string text = index == XmlItem::none || x.items()[index].kind != XmlItem::Kind::Comment
                                 ? std::string()
                                 : elementIn(x, x.items()[index]);
    if (text.empty()) throw EditError("there is no element in the comment");
    std::vector<Base*> here;
    inStep(*m_document, "switch on", [&] {
        std::vector<ElementPlace> places = m_document->replace({place.file, comment, place.include}, text);
        std::vector<GraphPlace> made;
        try {
            for (Base* p : m_document->objectsOf(m_root, place)) {
                for (ElementPlace& e : places) e.include = m_document->origin(*p)->place.include;
                for (Base* b : build(dynamic_cast<Node&>(*p), places)) {
                    made.emplace_back(*b);
                    if (p == &node) here.push_back(b);
                }
            }
        } catch (...) {
            for (const GraphPlace& s : made) s.remove();
            throw;
        }
        m_document->commit(
            [made] {
                for (auto s = made.rbegin(); s != made.rend(); ++s) s->remove();
            },
            [made] {
                for (const GraphPlace& s : made) s.restore();
            });
    });
    return here;
}

EditErrors editAttributes(Node& root, Base& object, const Edits& edits)
{
    const bool renames = std::ranges::find(edits, "name", &Edits::value_type::first) != edits.end();
    try {
        if (!renames) return SceneEditor(root).setAttributes(object, edits);
    } catch (const EditError&) {
        // An include that cannot say it.
    }
    return applyEdits(object, edits);
}

}  // namespace sofa::core
