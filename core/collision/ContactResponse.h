// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "core/collision/CollisionDetection.h"
#include "core/collision/ContactPoints.h"
#include "core/factory/NamedTable.h"

namespace sofa::core {

/// A contact that acts between points of two states.
struct ContactForce
{
    State<Vec3Types>*state1, *state2;
    Index point1, point2;
    Vec3 force;  ///< on the second point [N]; the first one has the opposite force
};

/// What the simulation does about the contacts of one pair of models: forces, constraints. It lives as long as the pair
/// is in contact.
class ContactResponse
{
public:
    explicit ContactResponse(const ModelPair& models) : m_models(models) {}
    ContactResponse(const ContactResponse&) = delete;
    ContactResponse& operator=(const ContactResponse&) = delete;
    virtual ~ContactResponse() = default;

    const ModelPair& models() const { return m_models; }
    /// How many responses its manager had made before.
    std::uint64_t number() const { return m_number; }
    void setNumber(std::uint64_t n) { m_number = n; }
    /// Creates the components of the response in `where`; called once. `points` are those that pairs share: they are
    /// cleared before the updates of a step, and finished after them.
    virtual void insert(Node& where, const std::string& name, SharedContactPoints& points) = 0;
    /// Takes the contacts of the present step; the response acts from now on.
    virtual void update(const Vector<DetectedContact>& contacts, const IntersectionMethod& method) = 0;
    /// The response acts no more until the next update. The components stay, so that the scene keeps its structure.
    virtual void suspend() = 0;
    /// True for a response that goes on after its models have parted: then resume() stands for update().
    virtual bool keepsAlive() const { return false; }
    virtual void resume() {}
    /// The component that acts between the models, if any: its manager takes it out of the scene, and then calls
    /// remove(), which lets go of the points.
    virtual Component* component() const { return nullptr; }
    virtual void remove() = 0;

    /// Appends the contacts that act, with their forces in the last step (constraints), or at present (forces).
    virtual void appendForces(Vector<ContactForce>&) const {}

    /// What it has put into the scene: components, and nodes of contact points, which others may share. Scene files do
    /// not hold them; checkpoints do, in their order.
    virtual std::vector<Base*> inserted() const { return {}; }
    /// Saves or loads what the response keeps over steps and its components do not archive; loading follows insert.
    virtual void archive(Archive&) {}

    /// Whether component() is a force between the models: integrators below whose node it is know it, others take it
    /// for constant in a step, so that groups of objects move it to theirs.
    virtual bool actsByForce() const { return false; }

private:
    ModelPair m_models;
    std::uint64_t m_number = 0;
};

/// Parameters that a scene gives to a response: `responseParams="mu=0.6&tolerance=1e-3"` of a contact manager, or what
/// stands after '?' in the name of a response ("FrictionContactConstraint?mu=0.6").
///
/// A creator asks for those that it knows; what nobody asked for is reported to the user as unknown.
class ResponseParameters
{
public:
    ResponseParameters() = default;
    /// Reads "name=value&name=value"; spaces around names and values do not count. Throws std::runtime_error if a part
    /// has no '=' or no name, or if a name comes twice.
    explicit ResponseParameters(std::string_view text);

    bool empty() const { return m_values.empty(); }
    /// Value of a parameter, or nullptr; it counts as known from now on.
    const std::string* find(const std::string& name) const;
    /// Number, or nothing if the parameter is not given. Throws std::runtime_error if it is not a finite number.
    std::optional<double> number(const std::string& name) const;
    /// Whether a flag ("1", "0", "true", "false") is set, or nothing. Throws std::runtime_error if it is neither.
    std::optional<bool> flag(const std::string& name) const;
    /// Parameters that were not asked for, in the order of their names.
    std::vector<std::string> unknown() const;

private:
    std::map<std::string, std::string> m_values;
    mutable std::set<std::string> m_known;
};

/// Makes a response for a pair of models: nullptr for models that it cannot handle. Throws std::runtime_error for
/// parameters that make no sense.
using ResponseCreator = std::function<std::unique_ptr<ContactResponse>(const ModelPair&, const ResponseParameters&)>;

/// A kind of responses.
struct ContactResponseKind
{
    ResponseCreator create;
    /// Bodies come no nearer than where their contact begins: constraints see to it, forces do not.
    bool isNonPenetrating = false;
    /// What has touched is held together.
    bool sticks = false;
};

/// Kinds of responses by the names that scenes give them.
NamedTable<ContactResponseKind>& contactResponses();

/// Registers a kind of response. A name that is taken is reported as an error, and the first one kept;
/// contactResponses() can also replace and remove one. Responses that exist go on.
void registerContactResponse(const std::string& name, ResponseCreator creator, bool isNonPenetrating = false,
                             bool sticks = false);

/// Where the response to a pair stands: with a model that nothing moves, in the node of the other one; else in the
/// scene.
Node& placeOf(const ModelPair& m, Node& scene);

/// Of contacts with one id, keeps that of the smallest value; those that are kept keep their order.
void keepNearest(Vector<DetectedContact>& contacts);

}  // namespace sofa::core
