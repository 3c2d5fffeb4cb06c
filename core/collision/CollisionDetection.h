// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/collision/CollisionModel.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Two points of two primitives that are, or are about to be, in contact.
struct DetectedContact
{
    Index primitive1 = 0, primitive2 = 0;
    /// Tells contacts of one pair of models apart over the steps. Of contacts with one id, responses keep the nearest.
    std::int64_t id = 0;
    Vec3 point1, point2;  ///< [m]
    Vec3 normal;          ///< unit vector from the first to the second one
    /// Distance of the surfaces minus that at which the contact begins [m]: negative where they touch.
    double value = 0.;
    /// Of the points on their primitives, as the test has found them: where they are not given (a test that knows
    /// points only), contact points look for them.
    PrimitiveWeights weights1{}, weights2{};
    /// Found at the end of the motion to which the other contacts led (CollisionPipeline::addEndContacts): it counts
    /// whatever else acts at its points.
    bool atEnd = false;
    /// On which sides of the first and the second primitive the other one is (ContactSides); 0: nobody remembers.
    std::array<std::int8_t, 2> sides{};

    /// Makes the second primitive the first one.
    void swapPrimitives()
    {
        std::swap(primitive1, primitive2);
        std::swap(point1, point2);
        std::swap(weights1, weights2);
        std::swap(sides[0], sides[1]);
        normal = -normal;
    }
};

class ContactResponse;
class ContactSides;
class IntersectionMethod;

/// Two models that are compared, in the order that the test of their shapes wants.
struct ModelPair
{
    const CollisionModel* first;
    const CollisionModel* second;
    friend bool operator==(const ModelPair&, const ModelPair&) = default;
};

/// Tests primitive i of the first model against primitive j of the second one; appends the contacts, if any. It is
/// called from several threads at once.
using PrimitiveTest = void (*)(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b,
                               Index j, Vector<DetectedContact>& out);

/// Primitives i and j, of the first and the second model of a pair, whose boxes are near each other; `pair` is the
/// number of the pair in a list of pairs.
struct Candidate
{
    Index pair, i, j;
};

/// The same for many candidates of one pair of models, one after the other.
using PrimitivePairsTest = void (*)(const IntersectionMethod&, const CollisionModel& a, const CollisionModel& b,
                                    std::span<const Candidate> candidates, Vector<DetectedContact>& out);

/// A test for two shapes that registers beside one of them, where no intersection method knows of it. A shape that is
/// solid needs none: those of any solid (CollisionShape::Solid) do for it.
struct ContactTest
{
    CollisionShape first, second;  ///< in the order in which the test wants the models
    PrimitiveTest test = nullptr;
    PrimitivePairsTest pairsTest = nullptr;  ///< the same for many, if there is one
    /// Intersection methods by the names under which they are registered: it takes the place of their own test. None:
    /// for all methods that have no test of their own for these two shapes.
    std::vector<std::string> methods = {};
};

/// Registers tests, in the core and in plugins alike; each pair of shapes, in either order, once for a method and once
/// for all of them. A second one is reported as an error, and the first one kept.
struct RegisterContactTests
{
    explicit RegisterContactTests(const std::vector<ContactTest>& tests);
};
/// Withdraws a test, of a method or of all; false if there is none. Methods in use look again at their next question.
bool removeContactTest(CollisionShape first, CollisionShape second, const std::string& method = {});

/// How near primitives must be to be in contact, and what the contact then is.
class IntersectionMethod : public Component
{
public:
    static std::string_view typeLabel() { return "intersection method"; }
    /// Distance below which pairs are reported, and that at which contact begins [m]; both 0 without proximity. The
    /// skins of the models come on top.
    virtual double alarmDistance() const { return 0.; }
    virtual double contactDistance() const { return 0.; }

    /// Part of the step that the method looks at.
    virtual CollisionMotion motion() const { return CollisionMotion::None; }
    /// Impacts that may be resolved one after the other in a step, where its contacts do not hold what they should; 0:
    /// nobody looks.
    virtual int maxImpacts() const { return 0; }
    /// Tests of a motion that has been found: of each pair of primitives that come nearer to each other than contacts
    /// may let them, one "contact" whose value is the time of that, from 0 to 1. nullptr where maxImpacts() is 0.
    virtual const IntersectionMethod* timesOfImpact() const { return nullptr; }
    /// How often contacts may be added to those of a step that turn out to be missing at its end; 0: nobody looks.
    virtual int maxCorrections() const { return 0; }
    /// Part of the distance at which contact begins by which a pair must be nearer than that to be missing.
    virtual double correctionTolerance() const { return 0.; }

    /// The sides of contacts of the last detection, for tests that ask for them; nullptr: nobody remembers.
    const ContactSides* sides() const { return m_sides; }
    void setSides(const ContactSides* sides) { m_sides = sides; }

    /// The test for two shapes, or nullptr. `swapped` tells that it takes them in the other order.
    ///
    /// What is there for these two shapes stands before what is there for any solid; for the same shapes, what is
    /// registered for this method by name before its own tests, and those before what is registered for all methods.
    /// Two solids that have only the test of any two are taken in the order of their names. Not to be asked by several
    /// threads at once.
    PrimitiveTest find(CollisionShape a, CollisionShape b, bool& swapped) const;
    /// The test of many candidates for two shapes, in this order; nullptr if there is none but the one above.
    PrimitivePairsTest findPairsTest(CollisionShape a, CollisionShape b) const;
    /// Called by one thread for each pair of models before their tests: the place to make what tests only read (tables
    /// of topologies, which are made at the first question).
    /// Those that override it call it too.
    virtual void prepare(const ModelPair& models) const;

    /// Sets the test for two shapes, in this order; nullptr for none.
    void setTest(CollisionShape a, CollisionShape b, PrimitiveTest test);
    /// Adds to the test for two shapes one that does many at once, with the same contacts in the same order.
    void setPairsTest(CollisionShape a, CollisionShape b, PrimitivePairsTest test);

protected:
    /// Whether registered tests (RegisterContactTests) count, or only its own.
    virtual bool takesRegisteredTests() const { return true; }

private:
    struct Tests
    {
        PrimitiveTest one = nullptr;
        PrimitivePairsTest many = nullptr;
        bool swapped = false;
    };
    using Table = std::map<std::pair<std::size_t, std::size_t>, Tests>;
    static const Tests* lookUp(const Table& table, CollisionShape a, CollisionShape b);
    Tests resolve(CollisionShape a, CollisionShape b, const Table& named, const Table& general) const;
    const Tests& found(CollisionShape a, CollisionShape b) const;

    Table m_own;
    /// For each two shapes what find() gives, as of a revision of the registered tests; 0: to be made anew.
    mutable std::vector<Tests> m_found;
    mutable std::size_t m_shapes = 0, m_revision = 0;
    const ContactSides* m_sides = nullptr;
};

class NarrowPhase;

/// Finds the pairs of models that may be in contact.
class BroadPhase : public Component
{
public:
    static std::string_view typeLabel() { return "broad phase"; }
    /// The pairs, by the later model and then the earlier one (a model with itself first); of each, both models can
    /// collide, the method has a test, and boxes are nearer than the alarm distance. Every broad phase gives the same.
    virtual void findPairs(const std::vector<CollisionModel*>& models, const IntersectionMethod& method,
                           std::vector<ModelPair>& pairs) = 0;
    /// The narrow phase that it brings along, for components that are both; nullptr otherwise.
    virtual NarrowPhase* narrowPhase() { return nullptr; }
};

/// Contacts of the pairs of models that have any, in the order of the pairs.
struct DetectionOutput
{
    ModelPair models;
    Vector<DetectedContact> contacts;
};

/// Puts contacts of two models into the order in which SOFA finds them (SplitOrder), whatever order they were found in;
/// those of one pair of primitives keep theirs.
void sortContacts(const ModelPair& models, Vector<DetectedContact>& contacts);

/// Finds the contacts of pairs of models.
class NarrowPhase : public Component
{
public:
    static std::string_view typeLabel() { return "narrow phase"; }
    virtual void findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                              std::vector<DetectionOutput>& outputs) = 0;
};

/// Turns detected contacts into responses of the simulation.
class ContactManager : public Component
{
public:
    static std::string_view typeLabel() { return "contact manager"; }

    Data<unsigned> d_contacts{this,
                              {.name = "contacts",
                               .help = "Number of contacts that have a response in the present step",
                               .group = "Stats",
                               .readOnly = true,
                               .saved = false},
                              0};

    /// Takes the responses of the step before out of the scene.
    virtual void removeResponses() = 0;
    /// Creates, updates and removes contacts, and puts their responses into the scene.
    virtual void respond(const std::vector<DetectionOutput>& outputs, const IntersectionMethod& method,
                         Node& scene) = 0;
    /// Whether contacts of two models have a response that lets them come no nearer: constraints, not forces.
    virtual bool isNonPenetrating(const ModelPair&) const { return false; }
    /// Whether it holds together what has touched.
    virtual bool sticks(const ModelPair&) const { return false; }
    /// The responses that act at present, in the order of the detection.
    virtual std::vector<ContactResponse*> responses() const { return {}; }
    /// Saves which responses there are, or makes them anew in place of those that there are; their components are
    /// archived by themselves afterwards.
    virtual void archiveResponses(Archive&, Node& /*scene*/) {}
};

/// Brings objects that push each other by forces under one integrator as long as they do.
class CollisionGroupManager : public Component
{
public:
    static std::string_view typeLabel() { return "collision group manager"; }
    /// Forms and splits groups for these responses, whose pipeline stands in `scene`, and moves their forces.
    virtual void regroup(const std::vector<ContactResponse*>& responses, Node& scene) = 0;
    /// Splits all groups: the scene is as it was. Forces go where they were, or to `scene`; nullptr, for a pipeline
    /// that left the scene: they stay where they are.
    virtual void dissolve(const std::vector<ContactResponse*>& responses, Node* scene) = 0;
    /// Saves the groups, or forms them anew and moves the forces of these responses, and appends their nodes to `made`.
    virtual void archiveGroups(Archive&, const std::vector<ContactResponse*>& /*responses*/, Node& /*scene*/,
                               std::vector<Base*>& /*made*/)
    {
    }
};

/// Collision detection and response of a scene, run by the animation loop before integration.
class CollisionPipeline : public Component
{
public:
    static std::string_view typeLabel() { return "collision pipeline"; }
    virtual void computeCollisionReset() = 0;
    virtual void computeCollisionDetection() = 0;
    virtual void computeCollisionResponse() = 0;
    /// As of its method (IntersectionMethod::maxImpacts).
    virtual int maxImpacts() const { return 0; }
    /// When two bodies that a response holds apart first come too near to each other on the way of a motion
    /// (IntersectionMethod::timesOfImpact): the part of the motion before that, from 0 to 1; 1 if none do.
    virtual double firstPassage(const CollisionUpdate& /*motion*/) { return 1.; }
    /// As of its method (IntersectionMethod::maxCorrections).
    virtual int maxCorrections() const { return 0; }
    /// Adds to the contacts of the last detection those that it lacks at the end of a motion, and tells how many; the
    /// next response acts on them.
    virtual std::size_t addEndContacts(const CollisionUpdate& /*motion*/) { return 0; }
    /// The motion that detections look at instead of that of their method, unless that looks at none; nothing: that of
    /// the method. The depth of the order is always the pipeline's.
    void setMotion(const std::optional<CollisionUpdate>& motion) { m_motion = motion; }
    /// What the last detection found: contacts of pairs of models, in the order of the detection.
    virtual std::vector<const DetectionOutput*> detected() const = 0;

protected:
    const std::optional<CollisionUpdate>& motion() const { return m_motion; }

private:
    std::optional<CollisionUpdate> m_motion;
};

/// Runs the pipelines of a scene, between CollisionBeginEvent and CollisionEndEvent, for the motion of their methods or
/// another one (CollisionPipeline::setMotion); only those that `takes` says.
void computeCollisions(
    Node& scene, double dt, const std::optional<CollisionUpdate>& motion = {},
    FunctionRef<bool(const CollisionPipeline&)> takes = [](const CollisionPipeline&) { return true; });

}  // namespace sofa::core
