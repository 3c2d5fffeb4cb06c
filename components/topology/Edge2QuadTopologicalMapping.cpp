// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/Edge2QuadTopologicalMapping.h"

#include <cmath>
#include <numbers>

#include "core/behavior/State.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

/// The state that has the frames of a wire; nullptr if none has.
const State<Rigid3Types>* framesOf(const BaseMeshTopology& wire)
{
    for (const BaseState* s : wire.node()->getAll<BaseState>(Search::Up))
        if (s->isMechanical() && s->size() == wire.nbPoints()) return dynamic_cast<const State<Rigid3Types>*>(s);
    return nullptr;
}

}  // namespace

void Edge2QuadTopologicalMapping::undoInit()
{
    PointTopologicalMapping::undoInit();
    if (m_initialEdges) d_edgeList.setValue(*m_initialEdges);
    m_initialEdges.reset();
    m_isListed = false;
}

void Edge2QuadTopologicalMapping::makePoints(const BaseMeshTopology& input)
{
    const Index n = d_nbPointsOnEachCircle.value();
    if (n < 3)
        throw std::runtime_error("nbPointsOnEachCircle: a circle has three points at least, not " + std::to_string(n));
    if (!d_radius.isSet() && !d_radiusFocal.isSet()) throw std::runtime_error("radius must be given");
    if (!(d_radius.value() > 0.)) throw std::runtime_error("radius must be above 0, not " + d_radius.text());
    if (!(d_radiusFocal.value() >= 0.))
        throw std::runtime_error("radiusFocal must not be below 0, but is " + d_radiusFocal.text());
    Vec3 y{0., d_radius.value(), 0.}, z{0., 0., d_radius.value()};
    if (d_radiusFocal.value() > 0.) {
        const Vec3 axis = d_focalAxis.value(), across = cross(axis, Vec3{1., 0., 0.});
        if (!(norm(across) > 0.))
            throw std::runtime_error("focalAxis must not be along x or zero, but is " + d_focalAxis.text());
        z = axis * (d_radiusFocal.value() / norm(axis));
        y = across * (d_radius.value() / norm(axis));
    }
    for (Index i = 0; i < input.nbPoints(); ++i)
        for (Index j = 0; j < n; ++j) {
            const double angle = 2. * std::numbers::pi * j / n;
            addPoint(Origin::ofElement(ElementType::Points, i, j),
                     {{{i, 1.}}, y * std::cos(angle) + z * std::sin(angle)});
        }
}

void Edge2QuadTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const Index n = d_nbPointsOnEachCircle.value();
    Vector<Quad> quads;
    m_isListed = m_isListed || !d_edgeList.value().empty();
    const auto add = [&](Index i) {
        const auto [a, b] = input.edges()[i];
        for (Index j = 0; j < n; ++j) {
            const Index k = (j + 1) % n;
            Quad q{a * n + j, b * n + j, b * n + k, a * n + k};
            if (d_flipNormals.value()) std::ranges::reverse(q);
            quads.push_back(q);
            addElement(i);
        }
    };
    const auto count = static_cast<Index>(input.edges().size());
    for (Index i = 0; i < count && !m_isListed; ++i) add(i);
    for (const Index i : d_edgeList.value()) {
        if (i >= count)
            throw std::runtime_error("edgeList: there is no edge " + std::to_string(i) + " in '" + input.pathName() +
                                     "', only " + std::to_string(count));
        add(i);
    }
    output.setElements("quads", std::move(quads));
}

bool Edge2QuadTopologicalMapping::knowsPositions(const BaseMeshTopology& input) const
{
    return input.hasPositions() || framesOf(input);
}

Vec3 Edge2QuadTopologicalMapping::positionOf(const BaseMeshTopology& input, const MappedPoint& p) const
{
    const Index i = p.from.front().index;
    const State<Rigid3Types>* frames = framesOf(input);
    if (!frames) return input.pointPosition(i) + p.offset;
    const RigidCoord3& frame = frames->positions()[i];
    return frame.center + frame.orientation.rotate(p.offset);
}

TopologicalMapping::MadePoints Edge2QuadTopologicalMapping::followInput(const TopologyChange& change)
{
    MadePoints made = PointTopologicalMapping::followInput(change);
    if (!m_isListed) return made;
    const Vector<Index> edges = change.source(*input(), ElementType::Edges).withHeirs(d_edgeList.value());
    if (edges == d_edgeList.value()) return made;
    made.undo = [first = made.undo, second = setEdges(edges, false)] {
        second();
        first();
    };
    return made;
}

/// Returns what takes it back.
StoredTopology::List::Undo Edge2QuadTopologicalMapping::setEdges(Vector<Index> edges, bool restoring)
{
    const auto before = d_edgeList.value();
    const auto initial = m_initialEdges;
    if (restoring)
        m_initialEdges.reset();
    else if (!m_initialEdges)
        m_initialEdges = before;
    d_edgeList.setValue(std::move(edges));
    return [this, before, initial] {
        d_edgeList.setValue(before);
        m_initialEdges = initial;
    };
}

StoredTopology::List::Undo Edge2QuadTopologicalMapping::remakeInput(bool restoring)
{
    const auto points = PointTopologicalMapping::remakeInput(restoring);
    if (!restoring || !m_initialEdges) return points;
    return [points, edges = setEdges(Vector<Index>(*m_initialEdges), true)] {
        edges();
        points();
    };
}

void Edge2QuadTopologicalMapping::archiveInput(Archive& a)
{
    if (!a.loading() && !m_initialEdges) return;
    if (a.loading() && a.atEnd()) {
        if (m_initialEdges) (void)setEdges(Vector<Index>(*m_initialEdges), true);
        return;
    }
    Vector<Index> edges = d_edgeList.value();
    a(edges);
    if (a.loading()) (void)setEdges(std::move(edges), false);
}

StoredTopology::List::Undo Edge2QuadTopologicalMapping::placePoints(std::span<const Index> points,
                                                                    std::span<BaseState* const> states, bool areNew)
{
    const State<Rigid3Types>* frames = framesOf(*input());
    if (!frames) return PointTopologicalMapping::placePoints(points, states, areNew);
    const std::span<const MappedPoint> made = mappedPoints();
    std::vector<StoredTopology::List::Undo> undo;
    const auto arm = [&](const RigidCoord3& frame, Index i) { return frame.orientation.rotate(made[i].offset); };
    const auto place = [&](Vector<Vec3>& x, const Vector<RigidCoord3>& at) {
        for (const Index i : points) {
            const RigidCoord3& frame = at[made[i].from.front().index];
            x[i] = frame.center + arm(frame, i);
        }
    };
    auto& out = dynamic_cast<StoredTopology&>(*output());
    if (Data<Vector<Vec3>>& data = out.d_position; !data.parent() && data.value().size() == made.size()) {
        if (!areNew) undo.push_back([&data, before = data.value()] { data.setValue(before); });
        place(*data.edit(), frames->positions());
    }
    for (BaseState* s : states) {
        auto* state = dynamic_cast<State<Vec3Types>*>(s);
        if (!state || state->size() != made.size()) continue;
        for (const VecCoordId id : {vec_id::position, vec_id::restPosition, vec_id::resetPosition}) {
            if (!frames->isAllocated(id) || !state->isAllocated(id)) continue;
            if (frames->read(id).size() != frames->size() || state->read(id).size() != made.size()) continue;
            if (id.index == vec_id::position.index && !areNew) continue;
            if (!areNew) undo.push_back([state, id, before = state->read(id)] { state->write(id) = before; });
            place(*state->write(id), frames->read(id));
        }
        if (!areNew || !state->isAllocated(vec_id::velocity)) continue;
        const auto v = state->write(vec_id::velocity);
        for (const Index i : points) {
            const Index of = made[i].from.front().index;
            const auto& rate = frames->velocities()[of];
            v[i] = Rigid3Types::linear(rate) + cross(Rigid3Types::angular(rate), arm(frames->positions()[of], i));
        }
    }
    return [undo = std::move(undo)] {
        for (auto it = undo.rbegin(); it != undo.rend(); ++it) (*it)();
    };
}

static const RegisterComponent registeredEdge2QuadTopologicalMapping =
    RegisterComponent("Edge2QuadTopologicalMapping", "TopologicalMapping", "Sofa.Component.Topology.Mapping")
        .help("A tube of quads around a wire")
        .example("component/topology/Edge2QuadTopologicalMapping.scn")
        .add<Edge2QuadTopologicalMapping>();

}  // namespace sofa::component
