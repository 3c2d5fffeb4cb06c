// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/collision/OutputOrder.h"
#include "core/geometry/NearPairs.h"

namespace sofa::component {

using namespace sofa::core;

/// What narrow phases share: candidates are found in one way or another, then tested in parallel. Pairs of
/// models and their contacts stand in SOFA's order (OutputOrder, sortContacts), for any number of threads.
class CandidateNarrowPhase : public NarrowPhase
{
public:
    void findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                      std::vector<DetectionOutput>& outputs) final;
    void reset() override { m_outputOrder.clear(); }
    void archive(Archive& a) override { m_outputOrder.archive(a); }

protected:
    /// Appends the candidates of all pairs, in the order of the pairs, whose boxes are within the distance and which
    /// may collide when they come nearer than the distance of contact.
    virtual void findCandidates(const std::vector<ModelPair>& pairs, double distance, double contact,
                                Vector<Candidate>& candidates) = 0;

private:
    OutputOrder m_outputOrder;
    Vector<Candidate> m_candidates;
    std::vector<Vector<DetectedContact>> m_found;  ///< of each chunk of candidates
    std::vector<Vector<Index>> m_pairOf;           ///< the pair of each of these contacts
};

/// Candidates by the hierarchies of the boxes of the primitives, from lists that hold for some steps where models move
/// slowly (NearPairs).
class BVHNarrowPhase : public CandidateNarrowPhase
{
public:
    void reset() override
    {
        CandidateNarrowPhase::reset();
        m_near.clear();
    }

protected:
    void findCandidates(const std::vector<ModelPair>& pairs, double distance, double contact,
                        Vector<Candidate>& candidates) override;

private:
    struct Near
    {
        geometry::NearPairs pairs;
        bool used = false;  ///< in this step
    };
    geometry::BvhPairs m_search;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Near> m_near;  ///< by the serial numbers of two models
};

/// Candidates by one sweep over the boxes of all primitives of all pairs, along the axis on which they are most spread
/// (SOFA's DirectSAP).
class DirectSAPNarrowPhase : public CandidateNarrowPhase
{
public:
    Data<int> d_nbPairs{this,
                        {.name = "nbPairs",
                         .help = "Pairs of primitives that were tested in the last step",
                         .readOnly = true,
                         .saved = false},
                        0};

    DirectSAPNarrowPhase()
    {
        ignoreAttribute("showOnlyInvestigatedBoxes",
                        "boxes are shown by their collision models (showBoundingCollisionModels)");
    }

protected:
    void findCandidates(const std::vector<ModelPair>& pairs, double distance, double contact,
                        Vector<Candidate>& candidates) override;

private:
    struct Box
    {
        const geometry::Aabb* box;
        Index model, primitive;
    };
    std::vector<const CollisionModel*> m_models;
    Vector<Box> m_boxes;
    Vector<Index> m_order, m_open;
};

}  // namespace sofa::component
