// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/behavior/State.h"
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
/// done `iterations` times, each time from the places before.
///
/// Points of clusters count on after those of the state with points whose motion is given. Rotations are proper ones,
/// and where a flat or thin cluster leaves the linear map open, the rotation counts there; SOFA reflects inverted
/// clusters, and flat ones spoil the result.
///
/// Where points of the state come and go, clusters that the scene gives keep those that stay, and new points come to
/// the first cluster that has their nearest ancestor; clusters of an engine are computed anew by it.
class ShapeMatching final : public Engine, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Link<State<Vec3Types>> l_state{this, {"mstate", "State with the rest shape; default: the nearest one"}};
    Input<Index> d_iterations{this, input("iterations", "Number of iterations", {}, Range::closed(0., 1e4)), 1};
    Input<double> d_affineRatio{this, input("affineRatio", "0: rotations; 1: linear maps", "1", Range::closed(0., 1.)),
                                0.};
    Input<double> d_fixedWeight{this,
                                input("fixedweight", "Weight of points with given motion", "1", Range::positive()), 1.};
    Input<Vector<Vec3>> d_fixedPosition0{this,
                                         input("fixedPosition0", "Rest positions of points with given motion", "m")};
    Input<Vector<Vec3>> d_fixedPosition{this, input("fixedPosition", "Their present positions", "m")};
    Input<Vector<Vec3>> d_position{this, input("position", "Positions; default: those of the state", "m")};
    Input<Vector<Vector<Index>>> d_cluster{this, input("cluster", "Points of each cluster")};
    Output<Vector<Vec3>> d_targetPosition{this, output("targetPosition", "Where the points should go", "m")};

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
        if (!l_state) l_state.set(node()->get<State<Vec3Types>>(Search::Up));
        addInput(restShape());
        followByDefault(d_position, l_state->findData("position"));
    }
    void doUpdate() override
    {
        Vector<Vec3> rest = restShape().value(), x = d_position.value();
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
            Vector<Vec3> sum(moving);
            Vector<double> count(moving, 0.);
            for (std::size_t c = 0; c < clusters.size(); ++c)
                for (const Index i : clusters[c]) {
                    if (i >= moving) continue;
                    sum[i] += motions[c].center + motions[c].linear * (rest[i] - motions[c].restCenter);
                    count[i] += 1.;
                }
            for (std::size_t i = 0; i < moving; ++i)
                if (count[i] > 0.) x[i] = sum[i] / count[i];
        }
        x.resize(moving);
        d_targetPosition.setValue(std::move(x));
    }

private:
    Data<Vector<Vec3>>& restShape() const
    {
        auto* rest = dynamic_cast<Data<Vector<Vec3>>*>(l_state ? l_state->findData("rest_position") : nullptr);
        if (!rest) throw std::runtime_error("there is no state with a rest shape; give the attribute 'mstate'");
        return *rest;
    }
    /// x = center + linear (x⁰ − restCenter)
    struct Motion
    {
        Vec3 restCenter, center;
        Mat3 linear;
    };
    Motion match(const Vector<Index>& cluster, const Vector<Vec3>& rest, const Vector<Vec3>& x,
                 std::size_t moving) const
    {
        Motion m;
        double total = 0.;
        const auto weight = [&](Index i) { return i < moving ? 1. : d_fixedWeight.value(); };
        for (const Index i : cluster) {
            total += weight(i);
            m.restCenter += rest[i] * weight(i);
            m.center += x[i] * weight(i);
        }
        if (total == 0.) return m;
        m.restCenter /= total;
        m.center /= total;
        Mat3 a, q;
        for (const Index i : cluster) {
            const Vec3 r = rest[i] - m.restCenter;
            a += outer(x[i] - m.center, r) * weight(i);
            q += outer(r, r) * weight(i);
        }
        const Mat3 rotation = polarRotation(a).r;
        m.linear = rotation;
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

const RegisterComponent registered =
    RegisterComponent("ShapeMatching", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Where points should go so that clusters have their shapes at rest again")
        .example("component/engine/ShapeMatching.scn")
        .add<ShapeMatching>();

}  // namespace

}  // namespace sofa::component
