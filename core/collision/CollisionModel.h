// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/behavior/State.h"
#include "core/collision/CollisionShape.h"
#include "core/collision/SplitOrder.h"
#include "core/geometry/Bvh.h"
#include "core/geometry/ConvexBody.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"
#include "core/visual/SolidShape.h"

namespace sofa::core {

class BaseMeshTopology;
class SurfaceAdjacency;

/// The way that points go within a step, for methods that look at the whole of it: none (positions as they are), that
/// of the present velocities, or that to the positions of the free motion (FreeMotionAnimationLoop).
enum class CollisionMotion
{
    None,
    Inertia,
    FreeMotion
};

/// Barycentric coordinates of a point of a primitive: the weights of its vertices, of which there are four at most. All
/// zero: not given, as for what one point or frame carries.
struct PrimitiveWeights : Vec4
{
    PrimitiveWeights() = default;
    /// Those of the first vertices.
    template <std::size_t N>
    PrimitiveWeights(const Vec<N>& first)
    {
        for (std::size_t k = 0; k < N; ++k) m[k] = first[k];
    }
    /// Vertex k.
    static PrimitiveWeights corner(std::size_t k) { return unit(k); }
    /// The point of the side between two vertices at the part t of it.
    static PrimitiveWeights onSide(std::size_t from, std::size_t to, double t)
    {
        PrimitiveWeights w;
        w[from] = 1. - t;
        w[to] = t;
        return w;
    }
};

/// A point of a primitive.
struct PrimitivePoint
{
    Vec3 position;  ///< [m]
    PrimitiveWeights weights{};
};

/// What a detection wants of the models.
struct CollisionUpdate
{
    int orderDepth = SplitOrder::defaultDepth;
    CollisionMotion motion = CollisionMotion::None;
    double dt = 0.;  ///< [s]
    /// At an impact within a step: solids are compared as they are at the begin of the motion, and wait for the next
    /// impact where they touch later.
    bool impact = false;
};

/// The surface of an object as collision detection sees it: primitives of one kind whose points are those of a state.
/// Changes of these points are impossible unless a subclass says how it follows (pointLists).
class CollisionModel : public Component, public SolidShape, public TopologyFollower
{
public:
    Data<bool> d_active{this, {.name = "active", .help = "Whether the model takes part in collision detection"}, true};
    Data<bool> d_moving{
        this, {.name = "moving", .help = "Whether it moves: what never moves is looked at once only"}, true};
    Data<bool> d_simulated{
        this,
        {.name = "simulated", .help = "Whether a simulation moves it: two models that none moves are not compared"},
        true};
    Data<bool> d_selfCollision{
        this, {.name = "selfCollision", .help = "Whether it may collide with models of its own node"}, false};
    Data<double> d_contactDistance{
        this,
        {.name = "contactDistance",
         .help = "Thickness of a skin around the primitives, added to the contact distance of "
                 "the intersection method",
         .unit = "m"},
        0.};
    Data<double> d_contactStiffness{this,
                                    {.name = "contactStiffness",
                                     .help = "Stiffness of penalty contacts: that of a pair is the product of both, "
                                             "divided by the distance at which the "
                                             "contact begins",
                                     .unit = "N^(1/2)",
                                     .range = Range::nonNegative()},
                                    10.};
    Data<double> d_contactFriction{
        this,
        {.name = "contactFriction", .help = "Coefficient of friction, for the responses that use it", .unit = "1"},
        0.};
    Data<double> d_contactRestitution{this,
                                      {.name = "contactRestitution",
                                       .help = "Coefficient of restitution, for the responses that use it",
                                       .unit = "1"},
                                      0.};
    Data<std::string> d_contactResponse{
        this,
        {.name = "contactResponse",
         .help = "Response wanted for contacts of this model; holds if the other model wants the same, or nothing"}};
    Data<Color> d_color{this, {.name = "color", .help = "Colour in which it is shown"}, Color(1.f, 0.f, 0.f, 1.f)};
    Data<Vector<int>> d_group{
        this, {.name = "group", .help = "Groups of the model: models with a common group do not collide"}};
    mutable Data<unsigned> d_numberOfContacts{
        this,
        {.name = "numberOfContacts", .help = "Models that it touches at present", .readOnly = true, .saved = false},
        0u};

    CollisionModel() { addAlias(d_contactDistance, "proximity"); }
    static std::string_view typeLabel() { return "collision model"; }

    virtual CollisionShape shape() const = 0;
    /// State whose points the primitives have.
    virtual BaseState& state() const = 0;
    ElementLists elementLists() override { return {pointsOf(state()), {}}; }
    /// Checks the primitives; the next update makes their boxes, also of a model that does not move.
    void followTopology(const TopologyChange&) override;
    /// Number of primitives, as of the last updatePrimitives.
    Index size() const { return static_cast<Index>(m_boxes.size()); }
    /// Vertices of all primitives, one after the other, and the points of the state as they are now.
    struct Arrays
    {
        const Index* vertices = nullptr;
        std::size_t perPrimitive = 0;
        const Vec3* points = nullptr;
    };
    /// For models without radii, so that many primitives need no call for each point; nothing where there are no
    /// arrays.
    virtual Arrays arrays() const { return {}; }

    /// Number of primitives whose vertices are known now, with or without boxes: before the first update too.
    Index currentSize() const { return primitiveCount(); }

    /// Brings primitives, normals and boxes up to date with positions and topology; a model that does not move is done
    /// once, and again when its number of primitives changed. Boxes hold the whole way of the motion.
    void update(const CollisionUpdate& wanted = {});
    /// Boxes of the primitives, with the skin, and their hierarchy.
    const Vector<geometry::Aabb>& boxes() const { return m_boxes; }
    const geometry::Bvh& tree() const;
    /// Order of the primitives in contacts: by the boxes of the first update, or of that after the last change of the
    /// primitives.
    const SplitOrder& order() const { return m_order; }
    /// Box of all of them; invalid if there is none.
    const geometry::Aabb& box() const { return m_box; }

    /// Vertices of a primitive: one to four points of the state, or the frame that carries it.
    virtual std::span<const Index> vertices(Index primitive) const = 0;
    /// Point k of the state [m].
    Vec3 point(Index k) const { return state().pointPosition(k); }
    Vec3 vertex(Index primitive, std::size_t k) const { return point(vertices(primitive)[k]); }
    /// Whether the last update was for an impact (CollisionUpdate).
    bool isAtImpact() const { return m_wanted.impact; }
    /// Where point k of the state is at the end of the motion for which the model was updated [m].
    Vec3 endPoint(Index k) const;
    /// How far a primitive turns on the way of the motion: the length of the longest arc that a point of its core makes
    /// around what carries it [m]. What vertices carry does not turn.
    virtual double turn(Index) const { return 0.; }
    /// The primitive at time t of the motion, from 0 (begin) to 1 (end of the step): vertices go straight, frames turn
    /// at a constant rate. By default the hull of the vertices, with the radius.
    virtual geometry::ConvexBody bodyAt(Index primitive, double t) const;
    /// The point of a primitive that is at p at time t of the motion, with its position at the begin.
    virtual PrimitivePoint carriedBack(Index primitive, double t, const Vec3& p) const;
    /// Weights of the vertices, of which there are several, for the point of a primitive that is nearest to p at time t
    /// of the motion: for those who have found p without them.
    PrimitiveWeights weightsAt(Index primitive, const Vec3& p, double t = 0.) const;
    /// Point k of the state at time t of the motion [m].
    Vec3 pointAt(Index k, double t) const { return t == 0. ? point(k) : point(k) * (1. - t) + endPoint(k) * t; }
    /// Radius of a sphere or capsule [m], 0 for other primitives. Contacts are detected at the centre or axis.
    virtual double radius(Index) const { return 0.; }
    /// Unit normal of a triangle; zero for other primitives.
    virtual Vec3 normal(Index) const { return {}; }
    /// Mesh whose points, edges or triangles the primitives are; nullptr if there is none.
    virtual const BaseMeshTopology* topology() const { return nullptr; }
    /// Whether contacts on the back are contacts too, for methods that tell the sides of a surface apart.
    virtual bool bothSide() const { return false; }
    /// The primitive as a convex body: by default the hull of its vertices, with its radius.
    virtual geometry::ConvexBody body(Index primitive) const;
    /// Neighbours of the triangles of a surface; nullptr for other models. Of tetrahedra, that of their boundary.
    virtual const SurfaceAdjacency* surface() const { return nullptr; }

    /// Of each triangle of a surface which corners (bits 0 to 2) and sides (bits 3 to 5, side k opposite to corner k)
    /// are its own: each corner and side of a mesh belongs to the first of the triangles around it, halves of quads own
    /// none. nullptr where each owns all. To be asked before tests on several threads.
    virtual const std::uint8_t* ownedParts() const { return nullptr; }

    /// Whether side k of a triangle (from corner k to k + 1) only divides a quad: no line of the mesh lies there.
    virtual bool dividesQuad(Index, std::size_t) const { return false; }

    /// Whether the lines of the mesh are compared too: there was a line model in the node or above at the last update.
    bool hasLines() const { return m_hasLines; }

    /// Whether two models may collide at all: not those of one node without selfCollision, nor with a common group.
    bool canCollideWith(const CollisionModel& other) const;
    /// Whether two primitives may collide, asked for models of one node: neighbours do not that are within the contact
    /// `distance` [m] of each other at rest. Of a model with itself each pair is wanted once.
    virtual bool canCollide(Index i, const CollisionModel& other, Index j, [[maybe_unused]] double distance) const
    {
        return &other != this || i > j;
    }

    void archive(Archive& a) override;
    BoundingBox boundingBox() const override { return {m_box.lower, m_box.upper}; }
    /// The primitives (flag CollisionModels), and the boxes of their hierarchy (BoundingCollisionModels), which fade
    /// with each level.
    void draw(DrawTool& tool) override;
    /// Balls and solids are shapes by themselves; points, lines and triangles are those of a mesh.
    bool hasShape() const override;
    const BaseState* shapeState() const override { return &state(); }
    std::optional<Color> shapeColor() const override;
    void drawShape(DrawTool& tool, const DrawStyle& style) override;

protected:
    /// The primitives at the present positions.
    virtual void drawPrimitives(DrawTool& tool);
    /// Whether the boxes of the hierarchy are drawn.
    virtual bool showsHierarchy(const DrawTool& tool) const;
    /// The solid of a primitive at the present positions.
    virtual geometry::ConvexBody presentBody(Index primitive) const { return body(primitive); }
    /// Whether two primitives on the points of one state have one in common.
    bool sharesVertex(Index i, const CollisionModel& other, Index j) const;
    /// What the last update was for.
    const CollisionUpdate& wanted() const { return m_wanted; }
    /// Sets the number of primitives and whatever else is needed for vertices(); called by update.
    virtual void updatePrimitives() = 0;
    /// Number of primitives after updatePrimitives.
    virtual Index primitiveCount() const = 0;
    /// Box of a primitive, without radius and skin: by default that of its vertices. Asked where one point or frame
    /// carries the primitive, or none; of others, the box is that of the vertices.
    virtual geometry::Aabb bounds(Index primitive) const;

private:
    /// updatePrimitives, with the name of the model before errors.
    void checkedPrimitives();
    /// Sets the boxes; false if there are no arrays, or a point is not finite.
    bool boxesOf(const Arrays& arrays);
    /// The same point by point. Throws std::runtime_error if one is not finite.
    void boxesOfPoints();
    /// Warns of a model of n primitives without any, or with lines without length or triangles without area.
    void reportDegenerate(Index n) const;

    Vector<geometry::Aabb> m_boxes;
    geometry::Aabb m_box;
    mutable geometry::Bvh m_tree;  ///< of the boxes, brought up to date when it is asked for
    mutable bool m_treeReady = false;
    bool m_hasLines = false;
    std::size_t m_nodeVersion = ~std::size_t{0};  ///< of the graph, for which m_hasLines is
    SplitOrder m_order;
    std::optional<std::size_t> m_orderRevision;  ///< of the topology for which it was made, if that is known
    bool m_updated = false;
    bool m_hasChanged = false;  ///< the topology, since the last update
    CollisionUpdate m_wanted;
};

}  // namespace sofa::core
