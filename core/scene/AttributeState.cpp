// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/AttributeState.h"

#include "core/objectmodel/Component.h"
#include "core/scene/GraphPlace.h"

namespace sofa::core {

AttributeState::AttributeState(Base& b, std::string attribute) : object(holdObject(b)), name(std::move(attribute))
{
    if (const auto* c = dynamic_cast<const Component*>(&b)) isValid = c->isValid();
    BaseData* d = b.findData(name);
    if (d) name = d->name();
    if (const BaseLink* l = d ? nullptr : b.findLink(name)) name = l->name();
    for (const auto& [n, text] : b.givenAttributes())
        if (n == name) given = text;
    if (d && d->linkPath().empty() && !d->parent()) {
        isSet = d->isSet();
        value = d->shareValue();
    }
}

void AttributeState::restore() const
{
    BaseData* d = object->findData(name);
    if (given)
        object->setAttribute(name, *given, object->location);
    else
        object->clearAttribute(name);
    if (d && value) d->restoreValue(value, isSet);
    // A value that made it fail is gone: it is as able to work as it was.
    if (auto* c = dynamic_cast<Component*>(object.get())) c->setValid(isValid);
    finish(*object);
}

void AttributeState::finish(Base& b)
{
    b.resolveDataLinks(true);
    std::string ignored;
    for (BaseLink* l : b.links()) l->resolve(ignored);
    if (auto* c = dynamic_cast<Component*>(&b); c && c->isInitialised()) c->reinit();
}

}  // namespace sofa::core
