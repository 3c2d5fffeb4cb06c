// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/collision/CollisionDetection.h"

namespace sofa::core {

/// Where the contacts of a collision model act: points on its primitives, as a state of their own that follows that of
/// the model. Points and spheres of points need none: their contacts act on the points themselves.
///
/// Contacts of spheres and capsules are detected at the centre or axis (CollisionModel::radius). Where a frame carries
/// them, they act on the surface, so that friction turns the body; points do not turn.
class ContactPoints
{
public:
    virtual ~ContactPoints() = default;
    /// The way of a model; it may add a node below that of the model. Throws std::logic_error without a provider.
    static std::unique_ptr<ContactPoints> create(const CollisionModel& model, const std::string& name);
    /// What makes them; the library of the collision models sets it when it is loaded.
    using Provider = std::unique_ptr<ContactPoints> (*)(const CollisionModel& model, const std::string& name);
    static void setProvider(Provider p);

    virtual State<Vec3Types>& state() = 0;
    /// The (transient) node that was made for them; nullptr if there is none.
    virtual Node* node() const { return nullptr; }
    /// Starts a new list of points.
    virtual void clear() = 0;
    /// Adds a point of a primitive and returns its index in the state. Where vertices carry it and no weights are
    /// given, it is their point that is nearest to the position. The contact acts at `arm` from it: the point of a
    /// round surface that touches, which stays where the surface touches while the body turns.
    virtual Index add(Index primitive, const PrimitivePoint& point, const Vec3& arm = {}) = 0;
    /// Distance of the surface from the points at which contacts are detected, where contacts act on the surface [m];
    /// 0: they act at these points.
    virtual double arm(Index /*primitive*/) const { return 0.; }
    /// Moves the points, and gives them velocities, after the last one was added; where the model has had its free
    /// motion, the free positions and velocities too, and the Jacobian is that at the free positions (as in SOFA).
    virtual void finish() = 0;
    /// Takes the node away again.
    virtual void remove() = 0;
};

/// Contact points that all pairs of a model share: one state and one mapping for each model, however many it touches,
/// so that the structure of the scene does not change with each pair that meets or parts.
class SharedContactPoints
{
public:
    /// Those of a model; made if it has none.
    std::shared_ptr<ContactPoints> of(const CollisionModel& model);
    /// Starts new lists of points for all models.
    void clear();
    /// Finishes the lists; points that nobody else holds are taken away.
    void finish();
    /// The models that have points, in the order in which these were made.
    std::vector<const CollisionModel*> models() const;

private:
    struct Entry
    {
        const CollisionModel* model;
        std::shared_ptr<ContactPoints> points;
    };
    std::vector<Entry> m_entries;
    std::unordered_map<const CollisionModel*, std::size_t> m_places;  ///< in m_entries
};

/// The contact points of the models of one pair.
class PairPoints
{
public:
    /// Points that other pairs share: who owns them clears and finishes them.
    void share(const ModelPair& models, SharedContactPoints& points);
    /// Points of this pair only, which stay as they are until it clears them.
    void create(const ModelPair& models, const std::string& name);
    ContactPoints& first() { return *m_first; }
    ContactPoints& second() { return *m_second; }
    /// Starts new lists of own points, and finishes them; nothing for shared ones.
    void clear();
    void finish();
    /// The nodes of the points, if they have some.
    void appendNodes(std::vector<Base*>& to) const;
    void remove();

private:
    bool m_own = false;
    std::shared_ptr<ContactPoints> m_first, m_second;  ///< the same for a model with itself
};

/// A contact of two models on the points where it acts.
struct PlacedContact
{
    Index point1, point2;
    Vec3 apart;    ///< from the first point to the second one [m]
    double radii;  ///< what is left of the radii between the points when the surfaces touch [m]
    bool round;    ///< whether a surface that touches moves on over the body as that turns
};

/// Adds the points of a contact to those of its models.
PlacedContact placeContact(PairPoints& points, const ModelPair& models, const DetectedContact& c);

}  // namespace sofa::core
