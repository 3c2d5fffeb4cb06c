// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/GraphPlace.h"

namespace sofa::core {

std::shared_ptr<Base> holdObject(Base& object)
{
    if (auto* n = dynamic_cast<Node*>(&object))
        return n->parents().empty() ? std::shared_ptr<Base>(std::shared_ptr<void>(), n) : n->shared_from_this();
    const auto& c = dynamic_cast<const Component&>(object);
    return c.node() ? std::shared_ptr<Base>(c.node()->components()[c.node()->placeOf(c)])
                    : std::shared_ptr<Base>(std::shared_ptr<void>(), &object);
}

GraphPlace::GraphPlace(Base& b) : object(holdObject(b))
{
    if (const auto* c = dynamic_cast<const Component*>(&b)) {
        nodes.emplace_back(holdObject(*c->node()), c->node()->placeOf(*c));
    } else {
        const auto& n = dynamic_cast<const Node&>(b);
        for (Node* p : n.parents()) nodes.emplace_back(holdObject(*p), p->placeOf(n));
    }
}

void GraphPlace::remove() const
{
    for (const auto& [holder, place] : nodes) {
        auto& n = dynamic_cast<Node&>(*holder);
        if (auto* c = dynamic_cast<Component*>(object.get()))
            n.removeComponent(*c);
        else
            n.removeChild(dynamic_cast<Node&>(*object));
    }
}

void GraphPlace::restore() const
{
    for (const auto& [holder, place] : nodes) {
        auto& n = dynamic_cast<Node&>(*holder);
        if (const auto c = std::dynamic_pointer_cast<Component>(object)) {
            n.addComponent(c, place);
        } else {
            const auto child = std::dynamic_pointer_cast<Node>(object);
            if (n.placeOf(*child) != Node::atEnd) n.moveChild(*child, n, place);
            n.addChild(child, place);
        }
    }
}

void moveObject(Base& object, Node& to, std::size_t place)
{
    if (auto* c = dynamic_cast<Component*>(&object)) {
        if (c->node() == &to && place != Node::atEnd && to.placeOf(*c) < place) --place;
        to.addComponent(std::shared_ptr(c->node()->components()[c->node()->placeOf(*c)]), place);
        return;
    }
    auto& n = dynamic_cast<Node&>(object);
    Node& from = *n.parents().front();
    if (&from == &to && place != Node::atEnd && to.placeOf(n) < place) --place;
    from.moveChild(n, to, place);
}

}  // namespace sofa::core
