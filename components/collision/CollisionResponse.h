// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/ContactResponse.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Gives each pair of models in contact the response that the scene names: that of the manager, or that of the models
/// where both want the same one, or one wants one. A name may carry parameters after a '?'
/// ("FrictionContactConstraint?mu=0.6"); those of `responseParams` belong to the response of the manager.
class CollisionResponse : public ContactManager, public TopologyFollower
{
public:
    Data<std::string> d_response{
        this,
        {.name = "response", .help = "Response to contacts, by its name (FrictionContactConstraint, ...)"},
        "PenalityContactForceField"};
    Data<std::string> d_responseParams{this,
                                       {.name = "responseParams",
                                        .help = "Parameters of the response, as name=value with & in between: mu=0.6 "
                                                "is a coefficient of friction"}};

    void init() override;
    void reinit() override;
    void removeResponses() override;
    void cleanup() override { removeAll(); }
    void reset() override;
    bool followsPoints() const override { return true; }
    std::vector<Base*> takenAway() const override;
    /// Contacts are found anew.
    void followTopology(const TopologyChange& change) override
    {
        if (change.changesPoints()) removeAll();
    }
    void respond(const std::vector<DetectionOutput>& outputs, const IntersectionMethod& method, Node& scene) override;
    bool isNonPenetrating(const ModelPair& m) const override;
    bool sticks(const ModelPair& m) const override;
    std::vector<ContactResponse*> responses() const override;
    void archiveResponses(Archive& a, Node& scene) override;

protected:
    /// Name of the response to contacts of two models, with its parameters after a '?'; "nullptr" for none.
    virtual std::string responseFor(const ModelPair& m) const;
    /// The response of the manager with its parameters.
    virtual std::string ownResponse() const;
    /// Fails unless a response of this name, with or without parameters, exists; false then. `what` says where the name
    /// stands.
    bool checkName(const std::string& response, const std::string& what);

private:
    std::unique_ptr<ContactResponse> create(const ModelPair& m);
    void insert(ContactResponse& response, std::uint64_t number, Node& scene);
    /// Makes the responses of a checkpoint: those of the models at these places in the scene.
    void restore(const Vector<std::uint64_t>& shared, const Vector<std::array<std::uint64_t, 3>>& known,
                 const std::vector<CollisionModel*>& models, Node& scene);
    void refuse(const ModelPair& m, const std::string& why);
    void removeAll();

    std::vector<std::unique_ptr<ContactResponse>> m_responses;  ///< in the order of the detection
    SharedContactPoints m_points;
    std::vector<ModelPair> m_refused;
    std::uint64_t m_created = 0;
};

}  // namespace sofa::component
