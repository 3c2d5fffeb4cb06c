// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Quantity.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "core/objectmodel/Link.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

namespace {

struct Table
{
    std::mutex mutex;
    std::vector<std::shared_ptr<const Quantity>> all;  ///< in the order of the names
};

Table& table()
{
    static Table& t = *new Table;  // those that are static may outlive it
    return t;
}

}  // namespace

std::vector<std::shared_ptr<const Quantity>> quantitiesOf(const Base& object)
{
    const std::lock_guard lock(table().mutex);
    std::vector<std::shared_ptr<const Quantity>> out;
    std::ranges::copy_if(table().all, std::back_inserter(out), [&](const auto& q) { return q->isOf(object); });
    return out;
}

void RegisterQuantity::add(Quantity q)
{
    m_quantity = std::make_shared<const Quantity>(std::move(q));
    const std::lock_guard lock(table().mutex);
    auto& all = table().all;
    all.insert(std::ranges::upper_bound(all, m_quantity->name, {}, [](const auto& known) { return known->name; }),
               m_quantity);
}

RegisterQuantity::~RegisterQuantity()
{
    const std::lock_guard lock(table().mutex);
    std::erase(table().all, m_quantity);
}

QuantityValue::QuantityValue(BaseData& result, Base& object, std::function<void()> compute)
    : DerivedValue(result, std::move(compute)), m_object(object)
{
    prepareInputs();
}

void QuantityValue::prepareInputs()
{
    std::vector<const Base*> objects{&m_object};
    for (const BaseLink* l : m_object.links())
        for (const Base* target : l->targets())
            if (std::ranges::find(objects, target) == objects.end()) objects.push_back(target);
    std::vector<std::uint64_t> followed(objects.size());
    std::ranges::transform(objects, followed.begin(), &Base::serial);
    if (followed == m_followed) return;
    m_followed = std::move(followed);
    // What is computed follows from the others.
    for (const Base* b : objects)
        for (BaseData* d : b->data())
            if (!d->isReadOnly()) addDependency(*d);
    if (Node* n = m_object.linkContext()) addDependency(n->root().d_time);
}

void QuantityValue::update()
{
    if (const auto* c = dynamic_cast<const Component*>(&m_object); c && !(c->isInitialised() && c->isValid()))
        throw std::runtime_error("'" + c->pathName() + "' is not initialised");
    DerivedValue::update();
}

}  // namespace sofa::core
