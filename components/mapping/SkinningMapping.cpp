// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/SkinningMapping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "components/mapping/DualQuaternionBlend.h"
#include "core/factory/Registry.h"
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

}  // namespace

template <class In, class Out>
auto SkinningMapping<In, Out>::restFrames() const -> const InVecCoord&
{
    const State<In>& in = this->input();
    return !d_computeWeightsFromPosition.value() && in.isAllocated(vec_id::restPosition) ? in.read(vec_id::restPosition)
                                                                                         : in.positions();
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
void SkinningMapping<In, Out>::computeWeights()
{
    const Vector<Index>& counts = d_nbRef.value();
    const std::size_t kind = d_weighting.value().index();
    const double width = d_gaussianWidth.value() > 0. ? d_gaussianWidth.value() : spacing(m_rest);
    const auto weightOf = [&](double d2) {
        if (kind == 2) return std::exp(-d2 / (2. * width * width));
        return d2 > 0. ? 1. / (kind == 0 ? d2 : std::sqrt(d2)) : std::numeric_limits<double>::max();
    };
    Vector<Vector<Index>> indices(m_points.size());
    Vector<Vector<double>> weights(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const std::size_t count = counts.empty() ? 4 : counts[counts.size() == m_points.size() ? i : 0];
        for (Index j = 0; j < m_rest.size(); ++j) {
            // By decreasing weight; of equal ones the last comes first, as in SOFA.
            const double w = weightOf(norm2(m_points[i] - m_rest[j].center));
            const auto at = std::ranges::find_if(weights[i], [&](double other) { return !(other > w); });
            const auto place = at - weights[i].begin();
            weights[i].insert(at, w);
            indices[i].insert(indices[i].begin() + place, j);
            if (weights[i].size() > count) {
                weights[i].pop_back();
                indices[i].pop_back();
            }
        }
    }
    d_indices.setValue(std::move(indices));
    d_weight.setValue(std::move(weights));
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
void SkinningMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
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
