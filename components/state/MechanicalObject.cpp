// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/state/MechanicalObject.h"

#include <numbers>

#include "core/behavior/BaseMapping.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/PointFile.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Topology from which a state takes its positions: the first of its own node.
BaseMeshTopology* firstTopology(const Node& node)
{
    const auto own = node.getAll<BaseMeshTopology>(Search::Local);
    return own.empty() ? nullptr : own.front();
}

}  // namespace

template <class D>
MechanicalObject<D>::MechanicalObject()
{
    this->ignoreAttribute("constraint", "rows of constraints belong to the constraint solver");
    this->ignoreAttribute("mappingJacobian", "Jacobians belong to the mappings");
    this->bind(vec_id::position, d_position);
    this->bind(vec_id::restPosition, d_restPosition);
    this->bind(vec_id::freePosition, d_freePosition);
    this->bind(vec_id::resetPosition, d_resetPosition);
    this->bind(vec_id::velocity, d_velocity);
    this->bind(vec_id::resetVelocity, d_resetVelocity);
    this->bind(vec_id::freeVelocity, d_freeVelocity);
    this->bind(vec_id::force, d_force);
    this->bind(vec_id::externalForce, d_externalForce);
    this->bind(vec_id::dx, d_dx);
    this->setSize(1);

    this->declareAttribute("scale", "Initial scale, the same along each axis");
    for (const std::string axis : {"x", "y", "z"}) {
        this->declareAttribute("s" + axis, "Component " + axis + " of scale3d");
        this->declareAttribute("r" + axis, "Component " + axis + " of rotation [deg]");
        this->declareAttribute("d" + axis, "Component " + axis + " of translation [m]");
        this->declareAttribute("r" + axis + "2", "Component " + axis + " of rotation2 [deg]");
        this->declareAttribute("d" + axis + "2", "Component " + axis + " of translation2 [m]");
    }
    this->ignoreAttribute("debugViewIndices", "use showIndices");
    this->ignoreAttribute("useMask", "every point is always active");
    this->ignoreAttribute("internalForce", "forces are computed at each step; use externalForce or a force field");
}

template <class D>
void MechanicalObject<D>::setDeclared(std::string_view name, std::string_view text)
{
    const double value = this->readAttribute(text);
    if (name == "scale") return d_scale.setValue(Vec3::filled(value));
    const bool second = name.size() > 2;
    Data<Vec3>& d = name[0] == 's'   ? d_scale
                    : name[0] == 'r' ? (second ? d_rotation2 : d_rotation)
                                     : (second ? d_translation2 : d_translation);
    d.edit()[static_cast<std::size_t>(name[1] - 'x')] = value;
}

template <class D>
void MechanicalObject<D>::parse(ComponentDescription& desc)
{
    State<D>::parse(desc);
    if (desc.find("size")) resize(static_cast<Index>(d_size.value()));
}

template <class D>
void MechanicalObject<D>::resize(Index n)
{
    if (d_size.value() != static_cast<int>(n)) d_size.setValue(static_cast<int>(n));
    const auto fit = [n](auto&... data) { ((data.value().size() != n ? data.edit()->resize(n) : void()), ...); };
    fit(d_position, d_velocity, d_force, d_externalForce);
    State<D>::resize(n);
}

template <class D>
bool MechanicalObject<D>::loadFile()
{
    if (d_filename.value().text.empty()) return true;
    try {
        const io::PointFile file = io::readPoints(requireFile(d_filename));
        resize(static_cast<Index>(file.positions.size()));
        const auto x = d_position.edit();
        for (std::size_t i = 0; i < x.size(); ++i) D::setPosition(x[i], file.positions[i]);
        const auto v = d_velocity.edit();
        for (std::size_t i = 0; i < file.velocities.size(); ++i) D::setLinear(v[i], file.velocities[i]);
        return true;
    } catch (const std::runtime_error& e) {
        this->setValid(false);
        this->message(Severity::Error, e.what(), d_filename.location);
        return false;
    }
}

template <class D>
void MechanicalObject<D>::matchSizes()
{
    std::size_t largest = 0;
    std::vector<std::pair<std::string, std::size_t>> sizes;
    const auto collect = [&](const auto&... data) { (sizes.emplace_back(data.name(), data.value().size()), ...); };
    collect(d_position, d_velocity, d_force, d_externalForce, d_dx, d_freePosition, d_freeVelocity, d_restPosition,
            d_resetPosition, d_resetVelocity);
    for (const auto& [name, size] : sizes) largest = std::max(largest, size);

    const bool onlyRestPosition = d_position.value().size() <= 1 && d_restPosition.value().size() > 1;
    if (this->size() < largest) resize(static_cast<Index>(largest));
    if (onlyRestPosition) {
        const VecCoord rest = d_restPosition.value();
        std::copy(rest.begin(), rest.end(), d_position.edit().begin());
    }

    std::string list;
    bool differ = false;
    for (const auto& [name, size] : sizes) {
        if (size <= 1) continue;
        differ = differ || size != largest;
        list += (list.empty() ? "" : ", ") + name + " " + std::to_string(size);
    }
    if (differ)
        this->msgWarning() << "the given vectors have different numbers of points (" << list
                           << "); the shorter ones are extended";
}

template <class D>
void MechanicalObject<D>::takeTopologyPositions()
{
    const Index n = l_topology->nbPoints();
    const std::size_t given = d_velocity.value().size();
    if (given > std::max<std::size_t>(n, 1) &&
        !this->tolerate("velocity has " + std::to_string(given) + " entries for the " + std::to_string(n) +
                            " points of '" + l_topology->pathName() + "'",
                        "the first ones count"))
        return;
    const Deriv last = given ? d_velocity.value().back() : Deriv();
    resize(n);
    const auto v = d_velocity.edit();
    for (std::size_t i = given; i < v.size(); ++i) v[i] = last;
    const auto x = d_position.edit();
    for (Index i = 0; i < n; ++i) {
        x[i] = Coord();
        D::setPosition(x[i], l_topology->pointPosition(i));
    }
}

template <class D>
void MechanicalObject<D>::storeRestPosition()
{
    const VecCoord& x = d_position.value();
    if (d_restPosition.value().size() == x.size()) return;
    VecCoord rest = x;
    const double s = d_restScale.value();
    if (s != 1.)
        for (Coord& c : rest) {
            if constexpr (D::isRigid)
                c.center *= s;
            else
                c *= s;
        }
    d_restPosition.edit() = std::move(rest);
}

template <class D>
bool MechanicalObject<D>::checkOrientations()
{
    if constexpr (std::is_same_v<D, Rigid3Types>) {
        for (auto* data : {&d_position, &d_restPosition}) {
            const VecCoord& x = data->value();
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (norm2(x[i].orientation.q) > 0. || this->compatibility() == Compatibility::Sofa) continue;
                if (!this->tolerate(data->name() + ": the orientation of body " + std::to_string(i) +
                                        " is the quaternion 0 0 0 0, which is no rotation (0 0 0 1 is none)",
                                    "0 0 0 1 is taken"))
                    return false;
                data->edit()[i].orientation = Quat();
            }
        }
    }
    return true;
}

template <class D>
void MechanicalObject<D>::init()
{
    if (!l_topology) {
        std::string error;
        if (l_topology.isSet() && !l_topology.resolve(error)) return this->fail("topology: " + error);
        if (d_useTopology.value() && this->node()) l_topology.set(firstTopology(*this->node()));
    }
    if (!loadFile()) return;
    // Where no positions are given they are those of the topology, whatever other vectors are.
    const bool fromTopology = d_position.value().size() <= 1 && d_restPosition.value().size() <= 1 && l_topology &&
                              l_topology->hasPositions();
    if (fromTopology)
        takeTopologyPositions();
    else
        matchSizes();
    if (!this->isValid()) return;
    const std::size_t nx = d_position.value().size(), nv = d_velocity.value().size();
    if (fromTopology) {
        // complete
    } else if (nx <= 1 && nv <= 1) {
        if (nx == 0) resize(0);
    } else if (nx != this->size() || nv != this->size()) {
        if (nv >= 1 && nv < nx) {
            const Deriv last = d_velocity.value().back();
            d_velocity.edit()->resize(nx, last);
        }
        resize(static_cast<Index>(std::max(nx, nv)));
    }
    // A text without a complete entry (velocity="") leaves a vector shorter than the others.
    const auto fit = [n = this->size()](auto&... data) {
        ((data.value().size() != n ? data.edit()->resize(n) : void()), ...);
    };
    fit(d_position, d_velocity, d_force);
    applyScale(d_scale.value());
    applyRotation(d_rotation.value());
    applyTranslation(d_translation.value());
    storeRestPosition();
    if (!checkOrientations()) return;
    applyRotation(d_rotation2.value());
    applyTranslation(d_translation2.value());

    const auto reserve = [n = static_cast<std::size_t>(d_reserve.value())](auto&... data) {
        (data.edit()->reserve(n), ...);
    };
    if (d_reserve.value() > 0) reserve(d_position, d_velocity, d_force, d_externalForce, d_restPosition);
}

template <class D>
void MechanicalObject<D>::applyScale(const Vec3& s)
{
    if (s == Vec3{1., 1., 1.}) return;
    for (Coord& c : d_position.edit()) {
        Vec3 p = D::position(c);
        for (std::size_t k = 0; k < 3; ++k) p[k] *= s[k];
        D::setPosition(c, p);
    }
}

template <class D>
void MechanicalObject<D>::applyRotation(const Vec3& degrees)
{
    if (degrees == Vec3{}) return;
    const Quat q = Quat::fromEulerXYZ(degrees * (std::numbers::pi / 180.));
    for (Coord& c : d_position.edit()) {
        D::setPosition(c, q.rotate(D::position(c)));
        if constexpr (std::is_same_v<D, Rigid3Types>) c.orientation = q * c.orientation;
    }
}

template <class D>
void MechanicalObject<D>::applyTranslation(const Vec3& t)
{
    if (t == Vec3{}) return;
    for (Coord& c : d_position.edit()) D::setPosition(c, D::position(c) + t);
}

template <class D>
bool MechanicalObject<D>::isIndependent() const
{
    if (!this->node()) return true;
    for (const BaseMapping* m : this->node()->template getAll<BaseMapping>(Search::Local)) {
        if (!m->isMechanical()) continue;
        for (const BaseState* s : m->outputs())
            if (s == this) return false;
    }
    return true;
}

template <class D>
void MechanicalObject<D>::storeResetState()
{
    if (!isIndependent()) {
        d_resetPosition.resetToDefault();
        d_resetVelocity.resetToDefault();
        return;
    }
    d_resetPosition.setValue(d_position.value());
    const VecDeriv& v = d_velocity.value();
    if (std::all_of(v.begin(), v.end(), [](const Deriv& d) { return d == Deriv(); }))
        d_resetVelocity.resetToDefault();
    else
        d_resetVelocity.setValue(v);
}

template <class D>
void MechanicalObject<D>::reset()
{
    this->clear(vec_id::force);
    if (d_resetPosition.value().empty()) return;  // mapped states follow the independent ones
    if (d_resetPosition.value().size() != this->size()) resize(static_cast<Index>(d_resetPosition.value().size()));
    this->copy(vec_id::position, vec_id::resetPosition);
    if (!d_resetVelocity.value().empty())
        this->copy(vec_id::velocity, vec_id::resetVelocity);
    else
        this->clear(vec_id::velocity);
    if (this->isAllocated(vec_id::freePosition)) this->copy(vec_id::freePosition, vec_id::position);
    if (this->isAllocated(vec_id::freeVelocity)) this->copy(vec_id::freeVelocity, vec_id::velocity);
}

template <class D>
void MechanicalObject<D>::draw(DrawTool& tool)
{
    const VecCoord& x = d_position.value();
    const bool any = d_showIndices.value() || d_showVectors.value() || d_showObject.value();
    const auto points = any ? drawnPoints(tool, *this) : tool.scratch<Vec3>();
    const int mode = d_drawMode.value();
    if (d_showIndices.value())
        tool.indices(points, indexSize(static_cast<double>(d_showIndicesScale.value())), d_color.value());
    if (d_showVectors.value()) {
        const VecDeriv& v = d_velocity.value();
        const auto scale = static_cast<double>(d_showVectorsScale.value());
        auto ends = tool.scratch<Vec3>();
        auto radii = tool.scratch<double>();
        for (std::size_t i = 0; i < points.size() && i < v.size(); ++i) {
            const Vec3 along = D::linear(v[i]) * scale;
            ends.push_back(points[i]);
            ends.push_back(points[i] + along);
            radii.push_back(norm(along) / 20.);
        }
        if (mode == 1)
            tool.cylinders(ends, radii, litStyle(Color()));
        else if (mode == 2)
            tool.arrows(ends, radii, litStyle(Color()));
        else
            tool.lines(ends, plainStyle(Color()));
    }
    if (!d_showObject.value()) return;
    const auto scale = static_cast<double>(d_showObjectScale.value());
    if constexpr (std::is_same_v<D, Rigid3Types>) {
        const Color colors[] = {{0.f, 1.f, 0.f}, {1.f, 0.f, 0.f}, {0.f, 0.f, 1.f},
                                {1.f, 1.f, 0.f}, {1.f, 0.f, 1.f}, {0.f, 1.f, 1.f}};
        if (mode < 1 || mode > 6) return tool.frames(x, scale);
        auto ends = tool.scratch<Vec3>();
        for (const RigidCoord3& frame : x)
            for (std::size_t k = 0; k < 3; ++k) {
                ends.push_back(frame.center);
                ends.push_back(frame.apply(Vec3::unit(k) * scale));
            }
        drawArrows(tool, ends, 1. / 40., colors[mode - 1]);
    } else {
        const Color colors[] = {d_color.value(), {1.f, 0.f, 0.f}, {0.f, 1.f, 0.f}, {0.f, 0.f, 1.f}};
        if (mode >= 1 && mode <= 4)
            drawPoints(tool, points, colors[mode - 1], 1.f, scale);
        else
            drawPoints(tool, points, d_color.value(), static_cast<float>(scale));
        if constexpr (std::is_same_v<D, Rigid2Types>) {
            // The direction of the frames' x axes.
            auto directions = tool.scratch<Vec3>();
            for (const RigidCoord2& frame : x) directions.push_back({std::cos(frame.angle), std::sin(frame.angle), 0.});
            drawDirections(tool, points, directions, scale, d_color.value());
        }
    }
}

static const RegisterComponent registeredMechanicalObject =
    RegisterComponent("MechanicalObject", "State", "Sofa.Component.StateContainer")
        .help("Degrees of freedom of a body: positions, velocities, forces and every other state vector")
        .example("component/state/MechanicalObject.scn")
        .add<MechanicalObject, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types, Rigid2Types>();

#define SOFA_INSTANTIATE(D) template class MechanicalObject<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::component
