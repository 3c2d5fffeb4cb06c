// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What all collision models, and all methods and phases that compare them, have in common, looked at in the example
// scene of each.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/behavior/BaseState.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace collision_models_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

/// Registered classes of these bases, by their example scenes.
std::map<std::string, std::set<std::string>> scenesOf(const std::vector<std::string>& bases)
{
    std::map<std::string, std::set<std::string>> scenes;
    for (const std::string& base : bases)
        for (const std::string& name : Registry::instance().derivedFrom(base))
            scenes[Registry::instance().find(name)->example].insert(name);
    return scenes;
}

/// Calls `look` at the beginning of each of these scenes and after some steps.
void atMoments(const std::string& scene, const std::function<void(Simulation&, int step)>& look)
{
    static const sofa::test::TemporaryDirectory tmp;  // scenes may write
    fs::current_path(tmp.path());
    DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    const MessageCapture silence;
    Simulation s(loadScene((sofa::test::sourceDirectory() / "scenes" / scene).string()));
    INFO(scene);
    REQUIRE(s.init());
    for (int step = 0; step <= 60; ++step) {
        if (step % 20 == 0) look(s, step);
        s.step();
    }
}

std::vector<CollisionModel*> modelsOf(const Simulation& s)
{
    std::vector<CollisionModel*> all = s.root().getAll<CollisionModel>(Search::Down);
    std::erase_if(all, [](const CollisionModel* m) { return !m->isValid() || !m->d_active.value(); });
    return all;
}

/// What is wrong, for one report.
struct Findings
{
    std::string text;
    std::size_t count = 0;
    void add(const std::string& where, const std::string& what)
    {
        if (++count <= 40) text += "\n  " + where + ": " + what;
    }
};

std::string named(const CollisionModel& m) { return m.pathName() + " (" + m.className() + ")"; }

bool holds(const geometry::Aabb& outer, const geometry::Aabb& inner, double slack)
{
    for (std::size_t k = 0; k < 3; ++k)
        if (!(outer.lower[k] <= inner.lower[k] + slack) || !(outer.upper[k] >= inner.upper[k] - slack)) return false;
    return true;
}

/// Extent of a model, to which rounding is compared.
double sizeOf(const geometry::Aabb& b)
{
    double size = 0.;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::isfinite(b.lower[k]) && std::isfinite(b.upper[k]))
            size = std::max({size, std::abs(b.lower[k]), std::abs(b.upper[k])});
    return size;
}

/// The models whose primitives are none of a state: boxes of the others.
bool hasState(const CollisionModel& m) { return Registry::instance().nameOf(m) != "CubeCollisionModel"; }

/// Boxes that do not hold their primitives, now (`times` {0}) or on the way of a motion.
void checkBoxes(const std::string& when, const CollisionModel& m, std::span<const double> times, Findings& found)
{
    const std::string where = when + ", " + named(m);
    geometry::Aabb all;
    for (Index i = 0; i < m.size(); ++i) {
        const geometry::Aabb& box = m.boxes()[i];
        all.include(box);
        if (!box.valid()) return found.add(where, "box " + std::to_string(i) + " is empty");
        if (!hasState(m)) continue;
        for (const double t : times) {
            const geometry::Aabb body = m.bodyAt(i, t).bounds().inflated(m.d_contactDistance.value());
            if (!holds(box, body, 1e-12 * sizeOf(box)))
                return found.add(where, "box " + std::to_string(i) + " does not hold its primitive at " +
                                            std::to_string(t) + " of the motion");
        }
    }
    if (m.size() > 0 && !holds(m.box(), all, 0.)) found.add(where, "its box does not hold those of its primitives");
}

void checkNumbers(const std::string& when, const CollisionModel& m, Findings& found)
{
    const std::string where = when + ", " + named(m);
    if (m.currentSize() != m.size()) found.add(where, "boxes and primitives are not as many");
    if (!hasState(m)) return;
    for (Index i = 0; i < m.size(); ++i) {
        const auto v = m.vertices(i);
        if (v.empty() || v.size() > 4) return found.add(where, "a primitive with no vertex, or more than four");
        for (const Index k : v)
            if (k >= m.state().size()) return found.add(where, "point " + std::to_string(k) + " is not in its state");
        const double radius = m.radius(i);
        if (!(radius >= 0.) || !std::isfinite(radius)) return found.add(where, "radius " + std::to_string(radius));
        const double length = norm(m.normal(i));
        if (length != 0. && std::abs(length - 1.) > 1e-12) return found.add(where, "a normal that is no unit vector");
    }
}

/// A way for each point (or frame) of a state: all the same, or each another.
void setWay(BaseState& s, std::mt19937* random, double length)
{
    std::uniform_real_distribution<double> part(-length, length);
    std::vector<double> way(s.size() * s.derivSize(), 0.);
    for (std::size_t i = 0; i < way.size(); ++i) {
        const std::size_t axis = i % s.derivSize();
        if (random)
            way[i] = part(*random);
        else if (axis < 3)
            way[i] = length * static_cast<double>(axis + 1);
    }
    if (!s.isAllocated(vec_id::dx)) s.allocate(vec_id::dx);
    s.setScalars(vec_id::dx, way.data());
}

using Position = std::map<const BaseState*, std::vector<double>>;

Position positionsOf(const std::vector<CollisionModel*>& models)
{
    Position all;
    for (const CollisionModel* m : models)
        if (hasState(*m)) {
            auto& x = all[&m->state()];
            x.resize(m->state().size() * m->state().coordSize());
            m->state().getScalars(vec_id::position, x.data());
        }
    return all;
}

/// Contacts of two models.
using Contact =
    std::tuple<const CollisionModel*, const CollisionModel*, Index, Index, std::int64_t, std::array<double, 9>, double>;

void note(const ModelPair& pair, const Vector<DetectedContact>& contacts, std::vector<Contact>& all)
{
    for (const DetectedContact& c : contacts) {
        std::array<double, 9> numbers;
        for (std::size_t k = 0; k < 3; ++k) {
            numbers[k] = c.point1[k];
            numbers[3 + k] = c.point2[k];
            numbers[6 + k] = c.normal[k];
        }
        all.emplace_back(pair.first, pair.second, c.primitive1, c.primitive2, c.id, numbers, c.value);
    }
}

/// Contacts of every primitive with every other one, wherever they are: what a detection has to find, by the
/// definition.
std::vector<Contact> contactsOfAll(const std::vector<CollisionModel*>& models, const IntersectionMethod& method)
{
    std::vector<Contact> all;
    Vector<DetectedContact> found;
    for (std::size_t i = 0; i < models.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const CollisionModel &a = *models[i], &b = *models[j];
            if (i == j && !a.d_selfCollision.value()) continue;
            if (!a.d_simulated.value() && !b.d_simulated.value()) continue;
            bool swapped = false;
            const PrimitiveTest test = method.find(a.shape(), b.shape(), swapped);
            if (!a.canCollideWith(b) || !b.canCollideWith(a) || !test) continue;
            const ModelPair pair = swapped ? ModelPair{&b, &a} : ModelPair{&a, &b};
            method.prepare(pair);
            found.clear();
            const bool isOneNode = a.node() == b.node();
            for (Index k = 0; k < pair.first->size(); ++k)
                for (Index l = 0; l < (i == j ? k : pair.second->size()); ++l)
                    if (!isOneNode || pair.first->canCollide(k, *pair.second, l, method.contactDistance()))
                        test(method, *pair.first, k, *pair.second, l, found);
            note(pair, found, all);
        }
    std::ranges::sort(all);
    return all;
}

void checkContact(const std::string& when, const ModelPair& pair, const DetectedContact& c, Findings& found)
{
    const std::string where = when + ", " + named(*pair.first) + " and " + named(*pair.second);
    if (c.primitive1 >= pair.first->size() || c.primitive2 >= pair.second->size())
        return found.add(where, "a contact of a primitive that is not there");
    if (std::abs(norm(c.normal) - 1.) > 1e-9) return found.add(where, "a normal that is no unit vector");
    const auto check = [&](const CollisionModel& m, Index primitive, const PrimitiveWeights& w, const Vec3& p) {
        if (w == PrimitiveWeights()) return;
        Vec3 at;
        double sum = 0.;
        const auto v = m.vertices(primitive);
        for (std::size_t k = 0; k < 4; ++k) {
            sum += w[k];
            if (w[k] < -1e-9 || (k >= v.size() && w[k] != 0.)) found.add(where, "a weight that is none");
            if (k < v.size()) at += m.point(v[k]) * w[k];
        }
        if (std::abs(sum - 1.) > 1e-9) found.add(where, "weights whose sum is " + std::to_string(sum));
        // A ball's contact is at its centre; the point itself may be on its surface.
        if (norm(at - p) > 1e-9 * (1. + norm(p)) + m.radius(primitive))
            found.add(where, "weights that lead to a point at a distance of " + toText(norm(at - p)));
    };
    check(*pair.first, c.primitive1, c.weights1, c.point1);
    check(*pair.second, c.primitive2, c.weights2, c.point2);
}

}  // namespace

TEST_CASE("Collision models: boxes hold the primitives now, on the way of a motion, and go with them", "[scenes]")
{
    Findings found;
    std::set<std::string> looked;
    for (const auto& [scene, classes] : scenesOf({"CollisionModel"})) {
        std::map<const CollisionModel*, Vector<geometry::Aabb>> beginning;
        const auto beginAnew = [&, name = scene](Simulation& s) {
            for (CollisionModel* m : modelsOf(s)) {
                m->update({});
                const auto [it, isNew] = beginning.try_emplace(m, m->boxes());
                const auto same = [](const geometry::Aabb& a, const geometry::Aabb& b) {
                    return a.lower == b.lower && a.upper == b.upper;
                };
                if (!isNew && !std::ranges::equal(it->second, m->boxes(), same))
                    found.add(name + " after reset, " + named(*m), "other boxes than at the beginning");
            }
        };
        atMoments(scene, [&, name = scene](Simulation& s, int step) {
            const std::string when = name + " after " + std::to_string(step) + " steps";
            if (step == 0) beginAnew(s);
            const auto models = modelsOf(s);
            for (CollisionModel* m : models) {
                looked.insert(Registry::instance().nameOf(*m));
                m->update({});
                checkNumbers(when, *m, found);
                checkBoxes(when, *m, std::array{0.}, found);
            }
            // On the way of a motion, whatever it is: each point or frame goes elsewhere.
            const Position before = positionsOf(models);
            std::mt19937 random(3);
            for (const CollisionMotion motion : {CollisionMotion::Inertia, CollisionMotion::FreeMotion})
                for (CollisionModel* m : models) {
                    if (!m->d_moving.value() || !hasState(*m)) continue;
                    BaseState& state = m->state();
                    if (motion == CollisionMotion::FreeMotion) {
                        setWay(state, &random, 0.3);
                        if (!state.isAllocated(vec_id::freePosition)) state.allocate(vec_id::freePosition);
                        if (!state.isAllocated(vec_id::freeVelocity)) state.allocate(vec_id::freeVelocity);
                        state.add(vec_id::freePosition, vec_id::position, vec_id::dx, 1.);
                    } else if (!state.isAllocated(vec_id::velocity)) {
                        continue;
                    }
                    m->update({.motion = motion, .dt = s.root().dt()});
                    checkBoxes(when + (motion == CollisionMotion::Inertia ? ", with inertia" : ", with free motion"),
                               *m, std::array{0., 0.25, 0.5, 0.75, 1.}, found);
                    m->update({});
                }
            // They go with their points.
            std::map<const CollisionModel*, Vector<geometry::Aabb>> boxes;
            for (CollisionModel* m : models) boxes[m] = m->boxes();
            std::set<BaseState*> states;
            for (const CollisionModel* m : models)
                if (hasState(*m)) states.insert(&m->state());
            for (BaseState* state : states) {
                setWay(*state, nullptr, 0.5);
                state->add(vec_id::position, vec_id::position, vec_id::dx, 1.);
            }
            for (CollisionModel* m : models) {
                if (!m->d_moving.value() || !hasState(*m) || m->state().derivSize() < 3) continue;
                m->update({});
                const Vec3 way{0.5, 1., 1.5};
                for (Index i = 0; i < m->size(); ++i) {
                    const geometry::Aabb &a = boxes[m][i], &b = m->boxes()[i];
                    if (norm(a.lower + way - b.lower) + norm(a.upper + way - b.upper) < 1e-10 * (1. + sizeOf(b)))
                        continue;
                    found.add(when + ", " + named(*m), "box " + std::to_string(i) + " does not go with its points");
                    break;
                }
            }
            for (const auto& [state, x] : before) const_cast<BaseState*>(state)->setScalars(vec_id::position, x.data());
            if (step == 60) {
                s.reset();
                beginAnew(s);
            }
        });
    }
    INFO(found.text);
    CHECK(found.count == 0);
    for (const std::string& name : Registry::instance().derivedFrom("CollisionModel")) {
        INFO(name);
        CHECK(looked.contains(name));
    }
}

namespace {

/// What the comparison of all pairs has seen.
struct Seen
{
    Findings found;
    std::size_t contacts = 0;
    std::set<std::string> methods, shapes, withSelf;
};

/// Compares the contacts of all pairs of primitives with those of each broad and narrow phase.
void compare(const std::string& when, const Simulation& s, Seen& seen)
{
    // It sends rays from points into solids, and asks no method.
    const std::set<std::string> excused{"RayTraceNarrowPhase"};
    const auto make = [](const std::string& type) {
        ComponentDescription d;
        d.type = type;
        return Registry::instance().create(nullptr, d);
    };
    const auto models = modelsOf(s);
    std::size_t primitives = 0;
    for (const CollisionModel* m : models) primitives += m->currentSize();
    if (primitives > 4000) return;  // all pairs would take too long
    for (IntersectionMethod* method : s.root().getAll<IntersectionMethod>(Search::Down)) {
        if (!method->isValid()) continue;
        const std::string of = Registry::instance().nameOf(*method);
        for (CollisionModel* m : models) m->update({.motion = method->motion(), .dt = s.root().dt()});
        const std::vector<Contact> wanted = contactsOfAll(models, *method);
        seen.contacts += wanted.size();
        if (!wanted.empty()) seen.methods.insert(of);
        for (const Contact& c : wanted)
            if (std::get<0>(c) == std::get<1>(c)) seen.withSelf.insert(of);
        for (const std::string& broad : Registry::instance().derivedFrom("BroadPhase"))
            for (const std::string& narrow : Registry::instance().derivedFrom("NarrowPhase")) {
                if (excused.contains(narrow)) continue;
                std::vector<ModelPair> pairs;
                std::vector<DetectionOutput> outputs;
                dynamic_cast<BroadPhase&>(*make(broad)).findPairs(models, *method, pairs);
                dynamic_cast<NarrowPhase&>(*make(narrow)).findContacts(pairs, *method, outputs);
                std::vector<Contact> all;
                for (const DetectionOutput& o : outputs) note(o.models, o.contacts, all);
                std::ranges::sort(all);
                const std::string where = when + ", " + of + ", " + broad + ", " + narrow;
                if (all != wanted)
                    seen.found.add(where, std::to_string(all.size()) + " contacts, all pairs have " +
                                              std::to_string(wanted.size()));
                for (const DetectionOutput& o : outputs)
                    for (const DetectedContact& c : o.contacts) {
                        checkContact(where, o.models, c, seen.found);
                        seen.shapes.insert(nameOf(o.models.first->shape()));
                        seen.shapes.insert(nameOf(o.models.second->shape()));
                    }
            }
    }
}

/// A sheet that is rolled up, whose layers are near each other, with balls and solids in it, that all move.
std::string rolledSheet(const std::string& method)
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> part(-1., 1.);
    constexpr int rows = 24, columns = 6;
    std::string points, speeds, triangles, balls, frames;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const double angle = 0.6 * i, radius = 0.3 + 0.008 * i;
            points +=
                toText(Vec3{radius * std::cos(angle), radius * std::sin(angle), 0.1 * j + 0.01 * part(random)}) + " ";
            speeds += toText(Vec3{part(random), part(random), part(random)}) + " ";
        }
    for (int i = 0; i + 1 < rows; ++i)
        for (int j = 0; j + 1 < columns; ++j) {
            const int a = i * columns + j, b = a + columns;
            for (const int k : {a, a + 1, b, a + 1, b + 1, b}) triangles += std::to_string(k) + " ";
        }
    for (int k = 0; k < 60; ++k) balls += toText(Vec3{part(random), part(random), part(random)} * 0.4) + " ";
    for (int k = 0; k < 12; ++k)
        frames += toText(Vec3{part(random), part(random), part(random)} * 0.3) + " 0.5 0.5 -0.5 0.5 ";
    const auto own = [](const std::string& model) { return "<" + model + " selfCollision='1'/>"; };
    std::string text = "<Node name='root' gravity='0 0 0' dt='0.01'><" + method +
                       " alarmDistance='0.06' contactDistance='0.04'/><Node name='sheet'><MeshTopology triangles='" +
                       triangles + "'/><MechanicalObject position='" + points + "' velocity='" + speeds + "'/>" +
                       own("TriangleCollisionModel") + own("LineCollisionModel") + own("PointCollisionModel") +
                       "</Node><Node name='balls'><MechanicalObject position='" + balls + "'/>" +
                       own("SphereCollisionModel radius='0.03'") + "</Node>";
    for (const std::string solid :
         {"OBBCollisionModel extents='0.03 0.02 0.04'", "CapsuleCollisionModel radii='0.02' heights='0.05'",
          "CylinderCollisionModel radii='0.02' heights='0.05'"})
        text += "<Node name='" + solid.substr(0, 3) + "'><MechanicalObject template='Rigid3' position='" + frames +
                "'/>" + own(solid) + "</Node>";
    return text + "</Node>";
}

}  // namespace

TEST_CASE("Contacts: every broad and narrow phase finds those of all pairs of primitives", "[scenes]")
{
    Seen seen;
    for (const std::string& method : Registry::instance().derivedFrom("IntersectionMethod")) {
        const MessageCapture messages;
        Simulation s(loadSceneText(rolledSheet(method), "rolled.scn"));
        const bool starts = s.init();
        INFO(messages.text());
        REQUIRE(starts);
        compare("a rolled sheet", s, seen);
    }
    for (const auto& [scene, classes] :
         scenesOf({"CollisionModel", "IntersectionMethod", "BroadPhase", "NarrowPhase", "CollisionPipeline"}))
        atMoments(scene, [&, name = scene](Simulation& s, int step) {
            compare(name + " after " + std::to_string(step) + " steps", s, seen);
        });
    INFO(seen.found.text);
    CHECK(seen.found.count == 0);
    CHECK(seen.contacts > 1000);
    std::string all;
    for (const auto& set : {seen.methods, seen.withSelf, seen.shapes})
        for (const std::string& name : set) all += " " + name;
    INFO("contacts of:" << all);
    for (const std::string& name : Registry::instance().derivedFrom("IntersectionMethod")) {
        INFO(name);
        CHECK(seen.methods.contains(name));
        CHECK(seen.withSelf.contains(name));
    }
    CHECK(seen.shapes.size() >= 8);
}

}  // namespace collision_models_test
