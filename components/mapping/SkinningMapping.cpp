// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/SkinningMapping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "components/mapping/DualQuaternionBlend.h"
#include "core/factory/Registry.h"
#include "core/math/Decompositions.h"
#include "core/topology/TopologyTransaction.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Mean distance of frames from their nearest ones [m]; 1 of a single frame.
double spacing(const Vector<RigidCoord3>& frames)
{
    double sum = 0.;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < frames.size(); ++j)
            if (j != i) nearest = std::min(nearest, norm(frames[i].center - frames[j].center));
        sum += nearest;
    }
    const double mean = sum / static_cast<double>(frames.size());
    return mean > 0. && std::isfinite(mean) ? mean : 1.;
}

/// Puts a frame in its place, by decreasing weight; of equal ones the last comes first, as in SOFA.
void insertWeight(std::vector<std::pair<double, Index>>& weights, double weight, Index frame)
{
    const auto at = std::ranges::find_if(weights, [&](const auto& other) { return !(other.first > weight); });
    weights.insert(at, {weight, frame});
}

/// Makes weights sum to one.
void normalize(std::vector<std::pair<double, Index>>& weights)
{
    double sum = 0.;
    for (const auto& [weight, frame] : weights) sum += weight;
    for (auto& [weight, frame] : weights) weight /= sum;
}

}  // namespace

template <class In, class Out>
auto SkinningMapping<In, Out>::restFrames() const -> const InVecCoord&
{
    const State<In>& in = this->input();
    return hasRestFrames() ? in.read(vec_id::restPosition) : in.positions();
}

template <class In, class Out>
void SkinningMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const Index points = this->output().size();
    if (this->input().size() == 0) return this->fail("the input '" + this->input().pathName() + "' has no frames");
    const std::size_t given = d_initPos.value().size();
    if (given > 0 && given != points) {
        if (points > 0 && this->output().isMechanical())
            this->msgWarning() << "initPos has " << given << " points; the output had " << points;
        this->output().resize(static_cast<Index>(given));
    }
    if (given == 0) d_initPos.setValue(this->output().positions());
    m_points = d_initPos.value();
    m_rest = restFrames();
    if (d_weight.value().empty() && d_indices.value().empty()) computeWeights();
    if (!checkWeights()) return;
    setUp();
    Base::init();
}

template <class In, class Out>
std::function<double(double)> SkinningMapping<In, Out>::weighting() const
{
    const std::size_t kind = d_weighting.value().index();
    const double width = d_gaussianWidth.value() > 0. ? d_gaussianWidth.value() : spacing(m_rest);
    return [kind, width](double d2) {
        if (kind == 2) return std::exp(-d2 / (2. * width * width));
        return d2 > 0. ? 1. / (kind == 0 ? d2 : std::sqrt(d2)) : std::numeric_limits<double>::max();
    };
}

template <class In, class Out>
std::size_t SkinningMapping<In, Out>::wantedFrames(std::size_t point) const
{
    const Vector<Index>& counts = d_nbRef.value();
    return counts.empty() ? 4 : counts[counts.size() == m_points.size() ? point : 0];
}

template <class In, class Out>
auto SkinningMapping<In, Out>::weightsOf(std::size_t point) const -> Weights
{
    const auto weightOf = weighting();
    Weights all;
    for (Index j = 0; j < m_rest.size(); ++j) {
        insertWeight(all, weightOf(norm2(m_points[point] - m_rest[j].center)), j);
        if (all.size() > wantedFrames(point)) all.pop_back();
    }
    return all;
}

template <class In, class Out>
void SkinningMapping<In, Out>::computeWeights()
{
    Vector<Weights> all(m_points.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = weightsOf(i);
    setWeights(all);
}

template <class In, class Out>
auto SkinningMapping<In, Out>::weights() const -> Vector<Weights>
{
    Vector<Weights> all(m_points.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < d_indices.value()[i].size(); ++k)
            all[i].emplace_back(d_weight.value()[i][k], d_indices.value()[i][k]);
    return all;
}

template <class In, class Out>
void SkinningMapping<In, Out>::setWeights(const Vector<Weights>& all)
{
    Vector<Vector<Index>> indices(all.size());
    Vector<Vector<double>> values(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto& [weight, frame] : all[i]) {
            indices[i].push_back(frame);
            values[i].push_back(weight);
        }
    d_indices.setValue(std::move(indices));
    d_weight.setValue(std::move(values));
}

template <class In, class Out>
bool SkinningMapping<In, Out>::checkWeights()
{
    const auto failed = [&](const std::string& why) {
        this->fail(why);
        return false;
    };
    const Vector<Vector<Index>>& indices = d_indices.value();
    Vector<Vector<double>> weights = d_weight.value();
    for (const auto& [name, size] : {std::pair("indices", indices.size()), std::pair("weight", weights.size())})
        if (size != m_points.size())
            return failed(std::string(name) + " has " + std::to_string(size) + " lists; expected " +
                          std::to_string(m_points.size()) + ", one for each point");
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::string where = "point " + std::to_string(i) + ": ";
        if (indices[i].size() != weights[i].size())
            return failed(where + std::to_string(indices[i].size()) + " frames have " +
                          std::to_string(weights[i].size()) + " weights");
        double sum = 0.;
        for (const double w : weights[i]) {
            if (!(w >= 0.) || !std::isfinite(w))
                return failed(where + "weight " + std::to_string(w) + "; expected 0 or more");
            sum += w;
        }
        for (const Index frame : indices[i])
            if (frame >= m_rest.size())
                return failed(where + "frame " + std::to_string(frame) + " does not exist: the input has " +
                              std::to_string(m_rest.size()) + (m_rest.size() == 1 ? " frame" : " frames"));
        if (!(sum > 0.)) return failed(where + "it follows no frame; expected a weight above 0");
        for (double& w : weights[i]) w /= sum;
    }
    d_weight.setValue(std::move(weights));
    return true;
}

template <class In, class Out>
void SkinningMapping<In, Out>::setUp()
{
    Vector<typename Base::Influence> influences;
    Vector<Index> starts{0};
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Vector<Index>& frames = d_indices.value()[i];
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const RigidCoord3& rest = m_rest[frames[k]];
            if (const double w = d_weight.value()[i][k]; w > 0.)
                influences.push_back({frames[k], w, rest.orientation.inverseRotate(m_points[i] - rest.center)});
        }
        starts.push_back(static_cast<Index>(influences.size()));
    }
    this->setInfluences(std::move(influences), std::move(starts));
}

namespace {

/// Blends the motions of the frames of a point.
template <class Influences>
DualQuaternionBlend blend(const Influences& influences, const Vector<RigidCoord3>& rest, const Vector<RigidCoord3>& now,
                          const Vec3& x0)
{
    std::vector<DualQuaternionBlend::Motion> motions;
    for (const auto& one : influences) motions.push_back({one.weight, rest[one.frame], now[one.frame]});
    return {motions, x0};
}

}  // namespace

template <class In, class Out>
TopologyFollower::PointLists SkinningMapping<In, Out>::pointLists()
{
    constexpr auto kept = ElementData::Kind::Kept;
    return {{{pointsOf(this->output()), {{&d_initPos, kept}, {&d_indices, kept}, {&d_weight, kept}, {&d_nbRef}}},
             {pointsOf(this->input()), {}}}};
}

template <class In, class Out>
auto SkinningMapping<In, Out>::followed(const Weights& before, std::size_t point, const ElementSource& frames,
                                        const Vector<Index>& numbers) const -> Weights
{
    const auto distance2 = [&](Index frame) { return norm2(m_points[point] - m_rest[frame].center); };
    const auto weightOf = [of = weighting()](double d2) { return std::min(of(d2), 1e150); };  // sums are finite
    Weights now;
    for (const auto& [weight, frame] : before)
        if (numbers[frame] != InvalidIndex) now.emplace_back(weight, numbers[frame]);
    // New frames have beside the old ones the part that all would have by their distance.
    double sum = 0.;
    for (const auto& [weight, frame] : now) sum += weightOf(distance2(frame));
    Weights added;
    for (const ElementSource::Moved& m : frames.moved)
        if (m.before == InvalidIndex) insertWeight(added, weightOf(distance2(m.now)), m.now);
    for (const auto& [weight, frame] : added) {
        const double part = sum + weight > 0. ? weight / (sum + weight) : 0.;
        for (auto& [other, unused] : now) other *= 1. - part;
        insertWeight(now, part, frame);
        sum += weight;
    }
    const std::size_t wanted = std::max(wantedFrames(point), before.size());
    if (now.size() > wanted) now.resize(wanted);
    if (now.empty() || !(now.front().first > 0.)) {
        now.clear();
        Index nearest = 0;
        for (Index j = 1; j < m_rest.size(); ++j)
            if (distance2(j) < distance2(nearest)) nearest = j;
        now.emplace_back(1., nearest);
    }
    normalize(now);
    return now;
}

template <class In, class Out>
void SkinningMapping<In, Out>::followTopology(const TopologyChange& change)
{
    if (!this->isValid()) return;
    this->invalidateJacobian();
    m_restored = change.restores();
    if (m_restored) return;  // the rest positions of the frames may not be there yet
    const auto refuse = [this](const std::string& why) {
        throw std::runtime_error("'" + this->pathName() + "' (SkinningMapping): " + why);
    };
    const ElementSource points = change.source(pointsOf(this->output())),
                        frames = change.source(pointsOf(this->input()));
    if (frames.now == 0) refuse("no frame would be left");
    if (!frames.same && !hasRestFrames())
        refuse("frames that have no rest positions, or not with computeWeightsFromPosition, cannot change");

    Vector<Weights> all = weights();
    (void)points.update(all, 1, [&](const Vector<Weights>& before, Index i, Index) {
        std::map<Index, double> sums;
        for (const Ancestor& a : points.ancestorsOf(i))
            for (const auto& [weight, frame] : before[a.index])
                if (a.weight > 0.) sums[frame] += a.weight * weight;
        Weights mean;
        for (const auto& [frame, weight] : sums) insertWeight(mean, weight, frame);
        return mean;
    });
    (void)points.follow(m_points);
    if (!frames.same) {
        m_rest = restFrames();
        const Vector<Index> numbers = frames.inverse();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!all[i].empty()) all[i] = followed(all[i], i, frames, numbers);
    }
    for (const ElementSource::Moved& m : points.moved) {
        if (m.before != InvalidIndex) continue;
        if (all[m.now].empty()) all[m.now] = weightsOf(m.now);
        normalize(all[m.now]);
    }
    d_initPos.setValue(m_points);
    setWeights(all);
    setUp();
}

template <class In, class Out>
void SkinningMapping<In, Out>::archive(Archive& a)
{
    if (!this->isValid() || !this->l_input || !this->l_output) return;
    // Who loads it has the points and frames already.
    if (!this->input().hasChangedPoints() && !this->output().hasChangedPoints()) return;
    Vector<Index> counts, frames;
    Vector<double> values;
    for (const Weights& one : weights()) {
        counts.push_back(static_cast<Index>(one.size()));
        for (const auto& [weight, frame] : one) {
            values.push_back(weight);
            frames.push_back(frame);
        }
    }
    a(counts);
    a(frames);
    a(values);
    a(m_points);
    a(m_rest);
    if (!a.loading()) return;
    Vector<Weights> all(counts.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (Index n = 0; n < counts[i]; ++n, ++k) all[i].emplace_back(values.at(k), frames.at(k));
    if (all.size() != this->output().size() || m_points.size() != all.size() || m_rest.size() != this->input().size() ||
        std::ranges::any_of(frames, [this](Index f) { return f >= m_rest.size(); }))
        throw std::runtime_error("'" + this->pathName() + "' has another skin");
    d_initPos.setValue(m_points);
    setWeights(all);
    setUp();
    m_restored = false;
}

template <class In, class Out>
Index SkinningMapping<In, Out>::addFrame(const Vec3& place)
{
    State<In>& in = this->input();
    auto* const mesh = in.node()->template get<StoredTopology>(Search::Local);
    if (!mesh)
        throw std::runtime_error(
            "the frames of '" + in.pathName() +
            "' cannot change: put a PointSetTopologyContainer and a PointSetTopologyModifier into their node");
    // The skin at the place has about the weights of the nearest point.
    const OutVecCoord& skin = this->output().positions();
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < skin.size(); ++i)
        if (norm2(skin[i] - place) < norm2(skin[nearest] - place)) nearest = i;
    // x = shift + turn X where the skin is linear; other methods have the same motion to first order.
    const InVecCoord now = in.positions(), rest = m_rest;
    const typename In::VecDeriv velocities = in.velocities();
    Mat3 turn;
    Vec3 shift;
    Ancestors ancestors;
    double largest = 0.;
    Quat restTurn;
    const auto motionOf = [&](Index frame) {
        return (now[frame].orientation * rest[frame].orientation.conjugate()).toMatrix();
    };
    for (const auto& one : this->influencesOf(nearest)) {
        const Mat3 r = motionOf(one.frame);
        turn += r * one.weight;
        shift += (now[one.frame].center - r * rest[one.frame].center) * one.weight;
        ancestors.push_back({one.frame, one.weight});
        if (one.weight > largest) restTurn = rest[one.frame].orientation;
        largest = std::max(largest, one.weight);
    }
    const bool invertible = std::abs(determinant(turn)) > 1e-3;
    const RigidCoord3 atRest{invertible ? inverse(turn) * (place - shift) : Vec3(m_points[nearest]), restTurn};
    const RigidCoord3 present{place, Quat::fromMatrix(polarRotation(turn).r) * restTurn};
    Vec3 velocity, spin;
    for (const auto& one : this->influencesOf(nearest)) {
        const auto& v = velocities[one.frame];
        const Vec3 arm = motionOf(one.frame) * (atRest.center - rest[one.frame].center);
        velocity += (In::linear(v) + cross(In::angular(v), arm)) * one.weight;
        spin += In::angular(v) * one.weight;
    }

    TopologyTransaction change(*mesh);
    const Index frame = change.addPoints({ancestors});
    if (frame >= in.size())
        throw std::runtime_error("'" + in.pathName() + "' does not have the points of '" + mesh->pathName() + "'");
    (*in.write(vec_id::position))[frame] = present;
    (*in.write(vec_id::velocity))[frame] = {velocity[0], velocity[1], velocity[2], spin[0], spin[1], spin[2]};
    if (in.isAllocated(vec_id::restPosition)) (*in.write(vec_id::restPosition))[frame] = atRest;
    change.commit();
    return frame;
}

template <class In, class Out>
void SkinningMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    if (std::exchange(m_restored, false)) {
        if (hasRestFrames()) m_rest = restFrames();
        m_points = d_initPos.value();
        setUp();
    }
    if (!isDual()) return Base::apply(out, in);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = blend(this->influencesOf(i), m_rest, in, m_points[i]).position();
}

template <class In, class Out>
void SkinningMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    if (!isDual()) return Base::buildJacobian(j, in);
    j.clear();
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        j.appendRow();
        const auto influences = this->influencesOf(i);
        const auto point = blend(influences, m_rest, in, m_points[i]);
        for (std::size_t k = 0; k < influences.size(); ++k) j.append(influences[k].frame, point.jacobian(k));
    }
}

template <class In, class Out>
void SkinningMapping<In, Out>::buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in)
{
    if (!isDual()) return Base::buildGeometricStiffness(k, f, in);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const auto influences = this->influencesOf(i);
        const auto point = blend(influences, m_rest, in, m_points[i]);
        for (std::size_t a = 0; a < influences.size(); ++a)
            for (std::size_t b = 0; b < influences.size(); ++b)
                k.add(influences[a].frame, influences[b].frame, point.stiffness(a, b, f[i]));
    }
}

template <class In, class Out>
void SkinningMapping<In, Out>::draw(DrawTool& tool)
{
    if (!d_showWeights.value() || !this->isValid() || !this->l_output) return;
    const ColorMap colors;
    auto shades = tool.scratch<Color>();
    for (Index i = 0; i < m_points.size(); ++i) {
        double weight = 0.;
        for (const auto& one : this->influencesOf(i))
            if (one.frame == d_showFromIndex.value()) weight = one.weight;
        shades.push_back(colors.of(weight, 0., 1.));
    }
    const double radius = 0.01 * tool.sceneSize();
    tool.spheres(this->output().positions(), std::span<const double>(&radius, 1), litStyle(Color()), shades);
}

static const RegisterComponent registeredSkinningMapping =
    RegisterComponent("SkinningMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("A skin whose points follow several frames each, with weights")
        .example("component/mapping/SkinningMapping.scn")
        .add<SkinningMapping, Types<Rigid3Types, Vec3Types>>();

}  // namespace sofa::component
