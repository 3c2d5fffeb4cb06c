// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <set>
#include <tuple>

#include "components/interaction/PickedElement.h"
#include "core/behavior/BaseMapping.h"
#include "core/behavior/SkinnedBody.h"
#include "core/behavior/State.h"
#include "core/interaction/MouseInteractor.h"
#include "core/mesh/ElementsAround.h"
#include "core/topology/MeshCut.h"
#include "core/topology/PresentPositions.h"
#include "core/topology/Subdivision.h"

namespace sofa::component {

namespace {

/// What changes a mesh where it is touched. It is not undone when what the mouse did is: a reset of the scene brings
/// the mesh back.
class MeshOperation : public InteractionPerformer
{
public:
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        try {
            const RemovableElement e = pickedElement(picked);
            if (change(e, picked.point)) return true;
            why = nothingToDo();
        } catch (const std::runtime_error& e) {
            why = e.what();
        }
        return false;
    }
    void touch(const Picked& picked) override { change(pickedElement(picked), picked.point); }
    void move(const Vec3&) override {}
    void stop() override {}

protected:
    /// Changes the mesh of an element, which was touched at a place [m]. False if there was nothing to do.
    virtual bool change(const RemovableElement& e, const Vec3& place) = 0;
    virtual std::string nothingToDo() const { return {}; }
};

/// Removes the element of the mesh on which the picked primitive lies, when the button is pressed.
class RemovePrimitive final : public MeshOperation
{
    bool change(const RemovableElement& e, const Vec3&) override
    {
        removeElements(*e.topology, e.type, {e.index});
        return true;
    }
};

/// Removes, while the button is down, the touched element and those that hang together with it by points and are
/// nearer to the touched place than a radius.
class Carve final : public MeshOperation
{
public:
    explicit Carve(double radius) : m_radius(radius) {}
    bool touches() const override { return true; }

private:
    bool change(const RemovableElement& from, const Vec3& place) override
    {
        const StoredTopology::List& list = *from.topology->list(from.type);
        const PresentPositions position(*from.topology);
        const auto ball = geometry::ConvexBody::of(std::array{place});
        std::set<Index> seen{from.index};
        Vector<Index> elements{from.index};
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const auto element = list.element(elements[k]);
            for (const Index v : element)
                for (const Index other : list.around(v)) {
                    if (!seen.insert(other).second) continue;
                    std::vector<Vec3> x;
                    for (const Index p : list.element(other)) x.push_back(position(p));
                    if (elementDistance(ball, from.type, x) < m_radius) elements.push_back(other);
                }
        }
        std::ranges::sort(elements);
        removeElements(*from.topology, from.type, std::move(elements));
        return true;
    }

    double m_radius;
};

/// Divides the touched triangle or tetrahedron at the middle of its longest edge, with all elements around that edge;
/// first those beside it that have a longer one, so that angles stay bounded (M.-C. Rivara, "New longest-edge
/// algorithms for the refinement and/or improvement of unstructured triangulations", International Journal for
/// Numerical Methods in Engineering 40, 1997). Lengths are those at rest.
class Refine final : public MeshOperation
{
public:
    explicit Refine(double size) : m_size(size) {}
    bool touches() const override { return true; }

private:
    /// An edge and its length; of edges of the same length, one is called the longer.
    using Length = std::tuple<double, Index, Index>;

    bool change(const RemovableElement& e, const Vec3&) override
    {
        const StoredTopology::List& list = *e.topology->list(e.type);
        const auto vertices = list.element(e.index);
        const Vector<Index> element(vertices.begin(), vertices.end());
        if (!(std::get<0>(longest(*e.topology, element)) > m_size * m_size)) return false;
        TopologyTransaction transaction(*e.topology);
        while (contains(list, element)) {
            Length edge = longest(*e.topology, element);
            while (true) {
                Length longer = edge;
                for (const Index other : list.around(std::get<1>(edge)))
                    if (hasAll(list.element(other), std::array{std::get<2>(edge)}))
                        longer = std::max(longer, longest(*e.topology, list.element(other)));
                if (longer == edge) break;
                edge = longer;
            }
            splitEdge(transaction, *e.topology, std::get<1>(edge), std::get<2>(edge), 0.5);
        }
        transaction.commit();
        return true;
    }
    std::string nothingToDo() const override
    {
        return "no edge of the element is longer than " + toText(m_size) + " m, the size to which elements are divided";
    }
    static bool contains(const StoredTopology::List& list, const Vector<Index>& element)
    {
        return std::ranges::any_of(list.around(element[0]),
                                   [&](Index e) { return std::ranges::equal(list.element(e), element); });
    }
    static Length longest(const StoredTopology& mesh, std::span<const Index> element)
    {
        const auto* state = mesh.node()->get<State<Vec3Types>>(Search::Local);
        const bool rest = state && state->isAllocated(vec_id::restPosition) &&
                          state->read(vec_id::restPosition).size() == mesh.nbPoints();
        const auto at = [&](Index p) { return rest ? state->read(vec_id::restPosition)[p] : mesh.pointPosition(p); };
        Length found{-1., 0, 0};
        for (std::size_t i = 0; i < element.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const auto [a, b] = std::minmax(element[i], element[j]);
                found = std::max(found, Length{norm2(at(a) - at(b)), a, b});
            }
        return found;
    }

    double m_size;
};

/// Cuts the touched mesh along what the mouse draws, as deep along the sight as a length says.
class InciseAlongPath final : public InteractionPerformer
{
public:
    explicit InciseAlongPath(double depth) : m_depth(depth) {}
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        try {
            m_mesh = pickedElement(picked).topology;
            divisibleElements(*m_mesh);
        } catch (const std::runtime_error& e) {
            why = e.what();
            return false;
        }
        m_revision = revision();
        return true;
    }
    void move(const Vec3&) override {}
    void moveAlong(const PickRay& ray, const Vec3& target) override
    {
        if (m_revision != revision()) m_cut.end();  // others have changed the mesh: the cut begins anew
        const Vec3 along = normalized(ray.direction) * m_depth;
        m_cut.moveBlade(*m_mesh, {target - along, target + along}, {{0, 1}});
        m_revision = revision();
    }
    void stop() override { m_cut.end(); }
    bool isLost() const override { return !m_mesh; }

private:
    std::size_t revision() const { return static_cast<const BaseMeshTopology&>(*m_mesh).revision(); }

    double m_depth;
    Tracked<StoredTopology> m_mesh;
    std::size_t m_revision = 0;
    MeshCut m_cut;
};

/// Adds a frame to the skinned body that was picked, or that moves what was picked, where it was touched.
class AddFrame final : public InteractionPerformer
{
public:
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        std::set<const BaseState*> seen;
        const BaseState* state = picked.state.get();
        while (state && seen.insert(state).second) {
            const BaseMapping* above = nullptr;
            for (BaseMapping* m : state->node()->getAll<BaseMapping>()) {
                if (!std::ranges::count(m->outputs(), state)) continue;
                if (auto* body = dynamic_cast<SkinnedBody*>(m)) return add(*body, picked.point, why);
                above = m;
            }
            state = above && above->inputs().size() == 1 ? above->inputs().front() : nullptr;
        }
        why = "no frames with weights move it: it has no SkinningMapping";
        return false;
    }
    void move(const Vec3&) override {}
    void stop() override {}

private:
    static bool add(SkinnedBody& body, const Vec3& place, std::string& why)
    {
        try {
            (void)body.addFrame(place);
            return true;
        } catch (const std::runtime_error& e) {
            why = e.what();
            return false;
        }
    }
};

[[maybe_unused]] const bool registeredTopologyPerformers = [] {
    using Settings = const PerformerSettings&;
    performers().add("RemovePrimitive",
                     {[](Settings) { return std::make_unique<RemovePrimitive>(); }, "remove the element", {}});
    performers().add("Carve",
                     {[](Settings s) { return std::make_unique<Carve>(s.radius); }, "carve: remove what is near",
                      PerformerStrength{&PerformerSettings::radius, "Radius in which elements are removed", "m", 0.1}});
    performers().add("Refine",
                     {[](Settings s) { return std::make_unique<Refine>(s.size); }, "refine: divide the element",
                      PerformerStrength{&PerformerSettings::size, "Edges that are longer are divided", "m", 0.1}});
    performers().add("AddFrame", {[](Settings) { return std::make_unique<AddFrame>(); }, "add a frame", {}});
    performers().add("InciseAlongPath",
                     {[](Settings s) { return std::make_unique<InciseAlongPath>(s.depth); }, "cut along a path",
                      PerformerStrength{&PerformerSettings::depth, "Depth of the cut below what is drawn", "m", 0.1}});
    return true;
}();

}  // namespace

}  // namespace sofa::component
