// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/collision/EndContacts.h"
#include "core/collision/CollisionDetection.h"
#include "core/collision/ContactSides.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

using namespace sofa::core;

/// One run of detection and response with a set of phases: what all pipelines do.
struct DetectionRun
{
    IntersectionMethod* method = nullptr;
    BroadPhase* broadPhase = nullptr;
    NarrowPhase* narrowPhase = nullptr;
    ContactManager* manager = nullptr;
    std::vector<ModelPair> pairs;
    std::vector<DetectionOutput> outputs;

    bool isComplete() const { return method && broadPhase && narrowPhase && manager; }
    /// What it wants of the models that it compares, for the depth of a pipeline.
    CollisionUpdate wanted(int depth, double dt) const
    {
        return {depth, method ? method->motion() : CollisionMotion::None, dt};
    }
    /// The same where a pipeline is to look at another motion (CollisionPipeline::setMotion).
    CollisionUpdate wanted(int depth, double dt, const std::optional<CollisionUpdate>& other) const
    {
        CollisionUpdate update = wanted(depth, dt);
        if (!other || update.motion == CollisionMotion::None) return update;
        update = *other;
        update.orderDepth = depth;
        return update;
    }
    int maxImpacts() const { return isComplete() ? method->maxImpacts() : 0; }
    /// The part of the motion for which the models are up to date before bodies that the manager holds apart come too
    /// near to each other; 1 if none do.
    double firstPassage(const std::vector<CollisionModel*>& models) const;
    /// As of the method, where the last detection had models that may lack contacts at the end of a motion.
    int maxCorrections() const { return isComplete() && !m_corrected.empty() ? method->maxCorrections() : 0; }
    /// Adds the contacts that are missing at the end of a motion, and tells how many.
    std::size_t addEndContacts(const CollisionUpdate& motion);
    /// Pairs and contacts of models that are up to date.
    void detect(const std::vector<CollisionModel*>& models);
    /// Warns, the first time, of models that pass through each other.
    void reportInterpenetration(const Component& reporter, const std::vector<CollisionModel*>& models);
    void clear();
    /// The phases and the manager may go.
    void forget() { method = nullptr, broadPhase = nullptr, narrowPhase = nullptr, manager = nullptr; }
    void reset();
    void archive(Archive& a) { a(m_startReported); }
    /// What responses keep, and the sides of the contacts.
    void archiveResponses(Archive& a, Node& scene);
    /// Number of contacts of the last detection.
    std::size_t contactCount() const;

private:
    void findCorrected(const std::vector<CollisionModel*>& models);

    std::vector<CollisionModel*> m_corrected;  ///< of the last detection: those that EndContacts looks at
    EndContacts m_endContacts;
    ContactSides m_sides;
    bool m_startReported = false;
};

/// Models that take part in a detection now: valid, active, in an active node.
std::vector<CollisionModel*> activeModels(const std::vector<CollisionModel*>& models);

/// The pipeline of a scene: the models below its node, compared by the phases and the method that it finds there.
class DefaultPipeline : public CollisionPipeline, public TransientOwner
{
public:
    Data<bool> d_verbose{
        this, {.name = "verbose", .help = "Report the number of pairs and contacts at each step"}, false};
    Data<bool> d_draw{this, {.name = "draw", .help = "Show the detected contacts"}, false};
    Data<int> d_depth{
        this,
        {.name = "depth",
         .help = "Depth of SOFA's trees of boxes, from which the order of contacts follows; which contacts there are "
                 "does not depend on it",
         .range = Range::nonNegative()},
        SplitOrder::defaultDepth};
    Data<unsigned> d_contactCount{
        this,
        {.name = "contactCount", .help = "Contacts detected in the present step", .readOnly = true, .saved = false},
        0u};

    void init() override;
    void reset() override;
    void cleanup() override;
    void computeCollisionReset() override;
    void computeCollisionDetection() override;
    void computeCollisionResponse() override;
    int maxImpacts() const override;
    double firstPassage(const CollisionUpdate& motion) override;
    int maxCorrections() const override;
    std::size_t addEndContacts(const CollisionUpdate& motion) override;
    std::vector<const DetectionOutput*> detected() const override;
    void archive(Archive& a) override { m_run.archive(a); }
    void archiveTransients(Archive& a, std::vector<Base*>& made) override;
    /// The contacts (flag DetectionOutputs, or `draw`), with their normals (Normals).
    void draw(DrawTool& tool) override;

private:
    DetectionRun m_run;
    CollisionGroupManager* m_groups = nullptr;
};

/// Detection and response for the models that it names, with phases of its own; run by a CompositeCollisionPipeline.
class SubCollisionPipeline : public Component
{
public:
    Data<int> d_depth{
        this,
        {.name = "depth",
         .help = "Depth of SOFA's trees of boxes, from which the order of contacts follows; which contacts there are "
                 "does not depend on it",
         .range = Range::nonNegative()},
        SplitOrder::defaultDepth};
    MultiLink<CollisionModel> l_collisionModels{this, {"collisionModels", "Collision models that are compared"}};
    Link<IntersectionMethod> l_intersectionMethod{this, {"intersectionMethod", "Intersection method"}};
    Link<ContactManager> l_contactManager{this,
                                          {"contactManager", "Contact manager; each pipeline needs one of its own"}};
    Link<BroadPhase> l_broadPhase{this, {"broadPhaseDetection", "Broad phase"}};
    Link<NarrowPhase> l_narrowPhase{this, {"narrowPhaseDetection", "Narrow phase; default: that of the broad phase"}};

    static std::string_view typeLabel() { return "sub collision pipeline"; }
    void init() override;
    void reset() override;
    void cleanup() override;

    const std::vector<CollisionModel*>& models() const { return l_collisionModels.get(); }
    DetectionRun& run() { return m_run; }
    const DetectionRun& run() const { return m_run; }
    void archive(Archive& a) override { m_run.archive(a); }

private:
    DetectionRun m_run;
};

/// Several collision pipelines in one: models of different ones do not collide.
class CompositeCollisionPipeline : public CollisionPipeline, public TransientOwner
{
public:
    Data<bool> d_parallelDetection{
        this,
        {.name = "parallelDetection",
         .help =
             "Run the detections of the sub pipelines at the same time, unless they share a phase, a method or models "
             "of a node"},
        false};
    MultiLink<SubCollisionPipeline> l_subCollisionPipelines{
        this, {"subCollisionPipelines", "Sub collision pipelines, in the order in which they respond"}};

    void init() override;
    void bwdInit() override;
    void reset() override;
    void cleanup() override;
    void computeCollisionReset() override;
    void computeCollisionDetection() override;
    void computeCollisionResponse() override;
    int maxImpacts() const override;
    double firstPassage(const CollisionUpdate& motion) override;
    int maxCorrections() const override;
    std::size_t addEndContacts(const CollisionUpdate& motion) override;
    std::vector<const DetectionOutput*> detected() const override;
    void archiveTransients(Archive& a, std::vector<Base*>& made) override;
    /// The contacts of all sub pipelines (flag DetectionOutputs), with their normals (Normals).
    void draw(DrawTool& tool) override;

private:
    /// Whether no two sub pipelines have a phase, or models of one node, in common.
    bool areIndependent() const;
    std::vector<ContactResponse*> responses() const;

    CollisionGroupManager* m_groups = nullptr;
};

}  // namespace sofa::component
