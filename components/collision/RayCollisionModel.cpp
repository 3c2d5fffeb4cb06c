// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/RayCollisionModel.h"

#include <algorithm>

#include "core/behavior/StateLookup.h"
#include "core/collision/ContactResponse.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

CollisionShape rayShape()
{
    static const CollisionShape shape = registerCollisionShape({.name = "ray", .plural = "rays", .surface = false});
    return shape;
}

geometry::ConvexBody BaseRayCollisionModel::body(Index i) const
{
    const CollisionRay r = ray(i);
    const std::array<Vec3, 2> ends{r.origin, r.end()};
    return geometry::ConvexBody::of(ends);
}

void BaseRayCollisionModel::drawPrimitives(DrawTool& tool)
{
    auto ends = tool.scratch<Vec3>();
    for (Index i = 0; i < currentSize(); ++i) {
        const CollisionRay r = ray(i);
        ends.push_back(r.origin);
        ends.push_back(r.end());
    }
    tool.lines(ends, plainStyle(Color(1.f, 0.f, 1.f)));
}

void BaseRayCollisionModel::setHits(const CollisionModel& model, Vector<DetectedContact> contacts) const
{
    std::erase_if(m_hits, [&](const Hits& h) { return h.model == &model; });
    if (!contacts.empty()) m_hits.push_back({&model, std::move(contacts)});
}

template <class DataTypes>
void RayCollisionModel<DataTypes>::init()
{
    m_state = findMechanicalState<State<DataTypes>>(*node(), Search::Up);
    if (!m_state)
        return fail("needs a state of the origins (MechanicalObject template=\"" + std::string(DataTypes::name()) +
                    "\") in its node");
    updatePrimitives();
}

template <class DataTypes>
void RayCollisionModel<DataTypes>::updatePrimitives()
{
    const std::size_t n = m_state->size(), known = m_points.size();
    m_points.resize(n);
    for (std::size_t i = known; i < n; ++i) m_points[i] = static_cast<Index>(i);
}

template <class DataTypes>
CollisionRay RayCollisionModel<DataTypes>::ray(Index i) const
{
    const auto& directions = d_directions.value();
    const auto& lengths = d_lengths.value();
    CollisionRay r{point(i), i < directions.size() ? directions[i] : Vec3(),
                   i < lengths.size() ? lengths[i] : d_defaultLength.value()};
    if constexpr (DataTypes::isRigid) r.direction = m_state->positions()[i].orientation.rotate(r.direction);
    return r;
}

template <class DataTypes>
void RayCollisionModel<DataTypes>::setRay(Index i, const CollisionRay& ray)
{
    DataTypes::setPosition(m_state->write(vec_id::position)[i], ray.origin);
    if (m_state->isAllocated(vec_id::freePosition))
        DataTypes::setPosition(m_state->write(vec_id::freePosition)[i], ray.origin);
    Vec3 direction = ray.direction;
    if constexpr (DataTypes::isRigid) direction = m_state->positions()[i].orientation.inverseRotate(direction);
    Vector<Vec3> directions = d_directions.value();
    if (directions.size() <= i) directions.resize(i + 1);
    directions[i] = direction;
    d_directions.setValue(directions);
    Vector<double> lengths = d_lengths.value();
    while (lengths.size() <= i) lengths.push_back(d_defaultLength.value());
    lengths[i] = ray.length;
    d_lengths.setValue(lengths);
}

template <class DataTypes>
Index RayCollisionModel<DataTypes>::addRay(const CollisionRay& ray)
{
    const Index i = m_state->size();
    m_state->resize(i + 1);
    m_state->write(vec_id::position)[i] = typename DataTypes::Coord();
    updatePrimitives();
    setRay(i, ray);
    return i;
}

template class RayCollisionModel<Vec3Types>;
template class RayCollisionModel<Rigid3Types>;

namespace {

/// Tells the rays what they hit.
class RayContact final : public ContactResponse
{
public:
    using ContactResponse::ContactResponse;

    void insert(Node&, const std::string&, SharedContactPoints&) override {}
    void update(const Vector<DetectedContact>& contacts, const IntersectionMethod&) override
    {
        if (const auto* rays = dynamic_cast<const BaseRayCollisionModel*>(models().first))
            return rays->setHits(*models().second, contacts);
        Vector<DetectedContact> turned = contacts;
        for (DetectedContact& c : turned) c.swapPrimitives();
        dynamic_cast<const BaseRayCollisionModel&>(*models().second).setHits(*models().first, std::move(turned));
    }
    void suspend() override
    {
        for (const auto& [one, other] : {std::pair{models().first, models().second}, {models().second, models().first}})
            if (const auto* rays = dynamic_cast<const BaseRayCollisionModel*>(one)) rays->setHits(*other, {});
    }
    void remove() override { suspend(); }
};

[[maybe_unused]] const bool response = [] {
    const auto create = [](const ModelPair& m, const ResponseParameters&) -> std::unique_ptr<ContactResponse> {
        if (m.first->shape() != rayShape() && m.second->shape() != rayShape()) return nullptr;
        return std::make_unique<RayContact>(m);
    };
    registerContactResponse("RayContact", create);
    return true;
}();

const RegisterComponent registeredRayCollisionModel =
    RegisterComponent("RayCollisionModel", "CollisionModel", "Sofa.Component.Collision.Geometry")
        .help("Rays that tell what they hit, for picking")
        .example("component/collision/Rays.scn")
        .add<RayCollisionModel, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
