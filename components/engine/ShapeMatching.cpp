// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "components/engine/MeanCoord.h"
#include "core/behavior/OnState.h"
#include "core/fem/elements/FastPolar.h"
#include "core/math/Decompositions.h"
#include "core/parallel/Parallel.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// Places to which points should go so that clusters of them have their shapes at rest again: M. Müller, B.
/// Heidelberger, M. Teschner, M. Gross, "Meshless deformations based on shape matching", ACM Transactions on Graphics
/// 24 (2005).
///
/// For each cluster the rotation R nearest to A = Σ w (x − c)(x⁰ − c⁰)ᵀ moves its rest shape to the present centre;
/// with `affineRatio` β the linear map that fits best, A Q⁻¹ with Q = Σ w (x⁰ − c⁰)(x⁰ − c⁰)ᵀ, counts β and the
/// rotation 1 − β. A point goes to the mean of its places in all its clusters, and stays where it is in none. This is
/// done `iterations` times, each time from the places before. Of frames the centres count; the rotations of its
/// clusters turn a frame from its orientation at rest, and it gets their mean.
///
/// Points of clusters count on after those of the state with points whose motion is given. Rotations are proper ones,
/// and where a flat or thin cluster leaves the linear map open, the rotation counts there; SOFA reflects inverted
/// clusters, and flat ones spoil the result.
///
/// Where points of the state come and go, clusters that the scene gives keep those that stay, and new points come to
/// the first cluster that has their nearest ancestor; clusters of an engine are computed anew by it.
template <class D>
class ShapeMatching final : public Engine, public TopologyFollower
{
public:
    using Coord = typename D::Coord;
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        const auto* link = desc.find("mstate") ? "mstate" : desc.find("state") ? "state" : nullptr;
        if (link) return stateHasType<D>(node, desc, link, why);
        // One that comes later is found when the engine begins.
        const auto* state = node ? node->get<BaseState>(Search::Up) : nullptr;
        if (!state || dynamic_cast<const State<D>*>(state)) return true;
        why = "the state '" + state->pathName() + "' is of type " + state->templateName() + ", not " +
              std::string(D::name());
        return false;
    }

    Link<State<D>> l_state{this, {"mstate", "State with the rest shape; default: the nearest one"}};
    Input<Index> d_iterations{this, input("iterations", "Number of iterations", {}, Range::closed(0., 1e4)), 1};
    Input<double> d_affineRatio{this, input("affineRatio", "0: rotations; 1: linear maps", "1", Range::closed(0., 1.)),
                                0.};
    Input<double> d_fixedWeight{this,
                                input("fixedweight", "Weight of points with given motion", "1", Range::positive()), 1.};
    Input<VecCoord> d_fixedPosition0{this, input("fixedPosition0", "Rest positions of points with given motion", "m")};
    Input<VecCoord> d_fixedPosition{this, input("fixedPosition", "Their present positions", "m")};
    Input<VecCoord> d_position{this, input("position", "Positions; default: those of the state", "m")};
    Input<Vector<Vector<Index>>> d_cluster{this, input("cluster", "Points of each cluster")};
    Output<VecCoord> d_targetPosition{this, output("targetPosition", "Where the points should go", "m")};

    ShapeMatching() { addAlias(l_state, "state"); }
    PointLists pointLists() override
    {
        if (!l_state) return noLists();
        std::vector<ElementData> lists;
        if (!d_cluster.parent()) lists.emplace_back(&d_cluster, ElementData::Kind::NumberLists);
        if (!d_position.parent()) lists.emplace_back(&d_position);
        return {{{pointsOf(*l_state), std::move(lists)}}};
    }
    void followTopology(const TopologyChange&) override { setDirty(); }

protected:
    void findInputs() override
    {
        if (!l_state) l_state.set(node()->template get<State<D>>(Search::Up));
        addInput(restShape());
        followByDefault(d_position, l_state->findData("position"));
    }
    void doUpdate() override
    {
        VecCoord rest = restShape().value(), x = d_position.value();
        const std::size_t moving = rest.size();
        const auto& clusters = d_cluster.value();
        if (x.size() != moving)
            throw std::runtime_error("position: there are " + std::to_string(x.size()) + "; the rest shape has " +
                                     std::to_string(moving) + " points");
        requireSameSize(d_fixedPosition0, d_fixedPosition);
        rest.insert(rest.end(), d_fixedPosition0.value().begin(), d_fixedPosition0.value().end());
        x.insert(x.end(), d_fixedPosition.value().begin(), d_fixedPosition.value().end());
        for (std::size_t c = 0; c < clusters.size(); ++c)
            for (const Index i : clusters[c])
                if (i >= x.size())
                    throw std::runtime_error("cluster: number " + std::to_string(c) + " has the point " +
                                             std::to_string(i) + "; there are " + std::to_string(x.size()));
        for (Index k = 0; k < d_iterations.value(); ++k) {
            Vector<Motion> motions(clusters.size());
            parallelFor(0, clusters.size(), 16, [&](std::size_t begin, std::size_t end) {
                for (std::size_t c = begin; c < end; ++c) motions[c] = match(clusters[c], rest, x, moving);
            });
            Vector<SumOfCoords<Coord>> sum(moving);
            Vector<double> count(moving, 0.);
            for (std::size_t c = 0; c < clusters.size(); ++c)
                for (const Index i : clusters[c]) {
                    if (i >= moving) continue;
                    sum[i].add(motions[c].moved(rest[i]));
                    count[i] += 1.;
                }
            for (std::size_t i = 0; i < moving; ++i)
                if (count[i] > 0.) x[i] = sum[i].mean(count[i]);
        }
        x.resize(moving);
        d_targetPosition.setValue(std::move(x));
    }

private:
    Data<VecCoord>& restShape() const
    {
        auto* rest = dynamic_cast<Data<VecCoord>*>(l_state ? l_state->findData("rest_position") : nullptr);
        if (!rest) throw std::runtime_error("there is no state with a rest shape; give the attribute 'mstate'");
        return *rest;
    }
    /// x = center + linear (x⁰ − restCenter)
    struct Motion
    {
        Vec3 restCenter, center;
        Mat3 linear, rotation;

        Coord moved(const Coord& x0) const
        {
            const Vec3 place = center + linear * (D::position(x0) - restCenter);
            if constexpr (std::is_same_v<Coord, RigidCoord3>)
                return {place, Quat::fromMatrix(rotation) * x0.orientation};
            else
                return place;
        }
    };
    Motion match(const Vector<Index>& cluster, const VecCoord& rest, const VecCoord& x, std::size_t moving) const
    {
        Motion m;
        double total = 0.;
        const auto weight = [&](Index i) { return i < moving ? 1. : d_fixedWeight.value(); };
        for (const Index i : cluster) {
            total += weight(i);
            m.restCenter += D::position(rest[i]) * weight(i);
            m.center += D::position(x[i]) * weight(i);
        }
        if (total == 0.) return m;
        m.restCenter /= total;
        m.center /= total;
        Mat3 a, q;
        for (const Index i : cluster) {
            const Vec3 r = D::position(rest[i]) - m.restCenter;
            a += outer(D::position(x[i]) - m.center, r) * weight(i);
            q += outer(r, r) * weight(i);
        }
        const Mat3 rotation = fastPolarRotation(a);
        m.linear = m.rotation = rotation;
        const double ratio = d_affineRatio.value();
        if (ratio == 0.) return m;
        // Q = Σ s v vᵀ; directions v in which the cluster has no extent keep the rotation.
        const Svd3 parts = svd(q);
        Mat3 best = rotation;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 v = parts.v.column(k);
            if (parts.s[k] > 1e-10 * parts.s[0]) best += outer(a * v / parts.s[k] - rotation * v, v);
        }
        m.linear = best * ratio + rotation * (1. - ratio);
        return m;
    }
};

const RegisterComponent registeredShapeMatching =
    RegisterComponent("ShapeMatching", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Where points should go so that clusters have their shapes at rest again")
        .example("component/engine/ShapeMatching.scn")
        .add<ShapeMatching, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
