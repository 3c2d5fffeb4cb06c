// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Reference.h"

#include <algorithm>

#include "core/objectmodel/Link.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

void Reference::refer(Base* object)
{
    if (object == m_object) return;
    if (m_object) {
        *m_place = m_next;
        if (m_next) m_next->m_place = m_place;
    }
    m_object = object;
    if (!object) return;
    m_place = &object->m_references;
    m_next = *m_place;
    if (m_next) m_next->m_place = &m_next;
    *m_place = this;
}

Leaving::Leaving(Component& component) : m_objects{&component}, m_all{&component} {}

Leaving::Leaving(Node& node)
{
    for (Node* n : node.descendants(true)) {
        const auto stays = [this, &node](const Node* p) { return !m_all.contains(p) && &p->root() == &node.root(); };
        if (n != &node && std::ranges::any_of(n->parents(), stays)) {
            // Its root is that of its first parent.
            std::stable_partition(n->m_parents.begin(), n->m_parents.end(), stays);
            continue;
        }
        m_objects.push_back(n);
        for (const auto& c : n->components()) m_objects.push_back(c.get());
        m_all.insert(m_objects.end() - 1 - static_cast<std::ptrdiff_t>(n->components().size()), m_objects.end());
    }
}

void Leaving::letGo() const
{
    const auto stays = [this](const DdgNode& n) {
        const Base* owner = n.ddgOwner();
        return owner && !contains(*owner);
    };
    const auto cut = [&stays](DdgNode& n) {
        for (DdgNode* in : std::vector<DdgNode*>(n.inputs()))
            if (stays(*in)) n.lose(*in);
        for (DdgNode* out : std::vector<DdgNode*>(n.outputs()))
            if (stays(*out)) out->lose(n);
    };
    for (Base* object : m_objects) {
        for (Reference *r = object->m_references, *next = nullptr; r; r = next) {
            next = r->m_next;
            if (r->goesWith(*this)) continue;
            r->refer(nullptr);
            r->objectGone(*object);
        }
        for (BaseData* d : object->data()) {
            for (DdgNode* in : std::vector<DdgNode*>(d->inputs()))
                if (in->ddgOwner() == object) cut(*in);  // an engine, or a derived value
            cut(*d);
        }
    }
}

}  // namespace sofa::core
