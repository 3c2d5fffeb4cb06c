// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionDetection.h"

#include <algorithm>
#include <numeric>

#include "core/factory/NamedTable.h"
#include "core/log/Timer.h"

namespace sofa::core {

namespace {

/// A registered test, for one method or (empty) for all.
struct RegisteredTest
{
    ContactTest test;
    std::string method;
};

NamedTable<RegisteredTest>& contactTests()
{
    static NamedTable<RegisteredTest> table("contact test");
    return table;
}

std::string keyOf(CollisionShape a, CollisionShape b, const std::string& method)
{
    const auto [first, second] = std::minmax(a.info().name, b.info().name);
    return first + " and " + second + (method.empty() ? " of all methods" : " of " + method);
}

}  // namespace

RegisterContactTests::RegisterContactTests(const std::vector<ContactTest>& tests)
{
    for (const ContactTest& t : tests) {
        if (t.methods.empty()) contactTests().add(keyOf(t.first, t.second, {}), {t, {}});
        for (const std::string& m : t.methods) contactTests().add(keyOf(t.first, t.second, m), {t, m});
    }
}

bool removeContactTest(CollisionShape first, CollisionShape second, const std::string& method)
{
    return contactTests().remove(keyOf(first, second, method));
}

void IntersectionMethod::setTest(CollisionShape a, CollisionShape b, PrimitiveTest test)
{
    m_own[{a.number(), b.number()}].one = test;
    m_revision = 0;
}

void IntersectionMethod::setPairsTest(CollisionShape a, CollisionShape b, PrimitivePairsTest test)
{
    m_own[{a.number(), b.number()}].many = test;
    m_revision = 0;
}

const IntersectionMethod::Tests* IntersectionMethod::lookUp(const Table& table, CollisionShape a, CollisionShape b)
{
    const auto it = table.find({a.number(), b.number()});
    return it == table.end() || !it->second.one ? nullptr : &it->second;
}

IntersectionMethod::Tests IntersectionMethod::resolve(CollisionShape a, CollisionShape b, const Table& named,
                                                      const Table& general) const
{
    const auto of = [&](CollisionShape p, CollisionShape q) {
        for (const Table* table : {&named, &m_own, &general}) {
            if (const Tests* t = lookUp(*table, p, q)) return *t;
            if (const Tests* t = lookUp(*table, q, p)) return Tests{t->one, t->many, true};
        }
        return Tests{};
    };
    const bool solidA = a.info().solid, solidB = b.info().solid;
    Tests t = of(a, b);
    if (!t.one && solidB) t = of(a, CollisionShape::Solid);
    if (!t.one && solidA) t = of(CollisionShape::Solid, b);
    if (!t.one && solidA && solidB) {
        t = of(CollisionShape::Solid, CollisionShape::Solid);
        t.swapped = b.info().name < a.info().name;
    }
    return t;
}

const IntersectionMethod::Tests& IntersectionMethod::found(CollisionShape a, CollisionShape b) const
{
    if (m_revision != contactTests().revision() || std::max(a.number(), b.number()) >= m_shapes) {
        m_revision = contactTests().revision();
        m_shapes = collisionShapeCount();
        Table named, general;
        if (takesRegisteredTests())
            for (const auto& r : contactTests().all()) {
                if (!r->method.empty() && r->method != className()) continue;
                (r->method.empty() ? general : named)[{r->test.first.number(), r->test.second.number()}] = {
                    r->test.test, r->test.pairsTest, false};
            }
        m_found.clear();
        for (std::uint16_t i = 0; i < m_shapes; ++i)
            for (std::uint16_t j = 0; j < m_shapes; ++j)
                m_found.push_back(resolve(CollisionShape(i), CollisionShape(j), named, general));
    }
    return m_found[a.number() * m_shapes + b.number()];
}

PrimitiveTest IntersectionMethod::find(CollisionShape a, CollisionShape b, bool& swapped) const
{
    const Tests& t = found(a, b);
    swapped = t.swapped;
    return t.one;
}

PrimitivePairsTest IntersectionMethod::findPairsTest(CollisionShape a, CollisionShape b) const
{
    const Tests& t = found(a, b);
    return t.swapped ? nullptr : t.many;
}

void sortContacts(const ModelPair& models, Vector<DetectedContact>& contacts)
{
    if (contacts.size() < 2) return;
    const SplitOrder &a = models.first->order(), &b = models.second->order();
    Vector<std::size_t> order(contacts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t k, std::size_t l) {
        const DetectedContact &p = contacts[k], &q = contacts[l];
        return SplitOrder::before(a, b, p.primitive1, p.primitive2, q.primitive1, q.primitive2);
    });
    Vector<DetectedContact> sorted(contacts.size());
    for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = contacts[order[k]];
    contacts = std::move(sorted);
}

void IntersectionMethod::prepare(const ModelPair& models) const
{
    // All but lines and triangles ask triangles that they meet for the neighbours of these.
    const auto asks = [](const CollisionModel& m) {
        return m.shape() != CollisionShape::Line && m.shape() != CollisionShape::Triangle;
    };
    if (!asks(*models.first) && !asks(*models.second)) return;
    models.first->surface();
    models.second->surface();
}

void computeCollisions(Node& scene, double dt, const std::optional<CollisionUpdate>& motion,
                       FunctionRef<bool(const CollisionPipeline&)> takes)
{
    scene.propagateEvent(CollisionBeginEvent(dt));
    for (auto* pipeline : scene.getAll<CollisionPipeline>(Search::Down)) {
        if (!takes(*pipeline)) continue;
        const ScopedTimer timer("Collision");
        {
            const ScopedTimer t("Reset");
            pipeline->computeCollisionReset();
        }
        {
            const ScopedTimer t("Detection");
            pipeline->setMotion(motion);
            pipeline->computeCollisionDetection();
            pipeline->setMotion({});
        }
        const ScopedTimer t("Response");
        pipeline->computeCollisionResponse();
    }
    scene.propagateEvent(CollisionEndEvent(dt));
}

}  // namespace sofa::core
