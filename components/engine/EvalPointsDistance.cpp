// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/EvalPointsDistance.h"

#include <algorithm>
#include <cmath>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/SceneOutput.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

template <class D>
EvalPointsDistance<D>::EvalPointsDistance()
{
    d_listening.setDefault(true);
    ignoreAttribute("isToPrint", "results are never saved");
}

template <class D>
void EvalPointsDistance<D>::init()
{
    if (!findState(l_state1, *this) || !findState(l_state2, *this)) return;
    addInput(l_state1->coordData(vec_id::position));
    addInput(l_state2->coordData(vec_id::position));
    setDirty();
    m_file = {};
    if (d_filename.value().text.empty()) return;
    try {
        checkOutput(d_filename.value().text);
    } catch (const std::runtime_error& e) {
        fail(std::string("filename: ") + e.what());
    }
}

template <class D>
void EvalPointsDistance<D>::bwdInit()
{
    if (!isValid()) return;
    const BoundingBox box = l_state1->boundingBox();
    m_size = 0.;
    for (std::size_t a = 0; a < 3 && box.valid(); ++a) m_size += (box.high[a] - box.low[a]) / 3.;
    m_lastTime = -d_period.value();
    setDirty();
}

template <class D>
void EvalPointsDistance<D>::archive(Archive& a)
{
    a(m_lastTime);
}

template <class D>
template <class F>
void EvalPointsDistance<D>::forEachPair(F f) const
{
    const auto &x1 = l_state1->positions(), &x2 = l_state2->positions();
    const std::size_t n = std::min(x1.size(), x2.size());
    for (std::size_t i = 0; i < n; ++i) f(D::position(x1[x1.size() - n + i]), D::position(x2[x2.size() - n + i]));
}

template <class D>
void EvalPointsDistance<D>::doUpdate()
{
    if (!isValid() || !l_state1 || !l_state2) return;
    Vector<double> distances;
    forEachPair([&](const Vec3& a, const Vec3& b) { distances.push_back(norm(a - b)); });
    double mean = 0., variance = 0., least = 0., greatest = 0.;
    if (!distances.empty()) {
        const double n = static_cast<double>(distances.size());
        for (const double d : distances) mean += d / n;
        for (const double d : distances) variance += (d - mean) * (d - mean) / n;
        least = *std::ranges::min_element(distances);
        greatest = *std::ranges::max_element(distances);
    }
    const double factor = m_size > 1e-6 ? 1. / m_size : 0.;
    d_distance.setValue(std::move(distances));
    d_distMean.setValue(mean);
    d_distMin.setValue(least);
    d_distMax.setValue(greatest);
    d_distDev.setValue(std::sqrt(variance));
    d_rdistMean.setValue(mean * factor);
    d_rdistMin.setValue(least * factor);
    d_rdistMax.setValue(greatest * factor);
    d_rdistDev.setValue(std::sqrt(variance) * factor);
}

template <class D>
void EvalPointsDistance<D>::writeRow(double time)
{
    if (d_filename.value().text.empty()) return;
    if (!m_file.isOpen()) {
        m_file = LineFile(d_filename.value().text);
        m_file.write("# name\ttime\tmean\tmin\tmax\tdev\tmean(%)\tmin(%)\tmax(%)\tdev(%)");
    }
    std::string line = name() + '\t' + toText(time);
    for (const double v : {d_distMean.value(), d_distMin.value(), d_distMax.value(), d_distDev.value()})
        line += '\t' + toText(v);
    for (const double v : {d_rdistMean.value(), d_rdistMin.value(), d_rdistMax.value(), d_rdistDev.value()})
        line += '\t' + toText(100. * v);
    m_file.write(line);
}

template <class D>
void EvalPointsDistance<D>::handleEvent(const Event& e)
{
    const auto* end = dynamic_cast<const AnimateEndEvent*>(&e);
    if (!end || !isValid()) return;
    const double time = node()->time();
    if (time + end->dt() / 2. < m_lastTime + d_period.value()) return;
    writeRow(time);
    m_lastTime = time;
}

template <class D>
void EvalPointsDistance<D>::draw(DrawTool& tool)
{
    if (!d_draw.value() || !isValid()) return;
    auto ends = tool.scratch<Vec3>();
    forEachPair([&](const Vec3& a, const Vec3& b) {
        ends.push_back(a);
        ends.push_back(b);
    });
    tool.lines(ends, plainStyle(Color(1.f, 0.5f, 0.5f)));
}

template class EvalPointsDistance<Vec3Types>;
template class EvalPointsDistance<Rigid3Types>;

namespace {

const RegisterComponent registeredEvalPointsDistance =
    RegisterComponent("EvalPointsDistance", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Distances between the points of two states")
        .example("component/engine/EvalPointsDistance.scn")
        .add<EvalPointsDistance, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
