// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/CompareState.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void CompareState::reset()
{
    ReadState::reset();
    m_expected.clear();
    for (auto* d : {&d_errorX, &d_errorV, &d_totalErrorX, &d_totalErrorV}) d->setValue(0.);
}

void CompareState::archive(Archive& a)
{
    ReadState::archive(a);
    for (auto* d : {&d_errorX, &d_errorV, &d_totalErrorX, &d_totalErrorV}) {
        double value = d->value();
        a(value);
        if (a.loading()) d->setValue(value);
    }
}

void CompareState::show(std::size_t i)
{
    if (!state()) throw std::runtime_error("the state that " + pathName() + " compares has left the scene");
    const auto compare = [&](const std::vector<double>& expected, Data<double>& error, Data<double>& total) {
        double sum = 0.;
        for (std::size_t k = 0; k < expected.size(); ++k) sum += std::abs(m_scalars[k] - expected[k]);
        error.setValue(expected.empty() ? 0. : sum / static_cast<double>(expected.size()));
        total.setValue(total.value() + error.value());
    };
    const io::StateFrame& f = frame(i);
    if (fits(f.position, state()->coordSize(), "positions")) {
        m_scalars.resize(state()->size() * state()->coordSize());
        state()->getScalars(vec_id::position, m_scalars.data());
        m_expected = transformed(f.position.numbers);
        compare(m_expected, d_errorX, d_totalErrorX);
    }
    if (fits(f.velocity, state()->derivSize(), "velocities")) {
        m_scalars.assign(state()->derivScalars(), 0.);
        if (state()->isAllocated(vec_id::velocity)) state()->getScalars(vec_id::velocity, m_scalars.data());
        compare(f.velocity.numbers, d_errorV, d_totalErrorV);
    }
    if (d_printLog.value())
        message(Severity::Info, "t = " + toText(f.time) + " s: errorX = " + toText(d_errorX.value()) + " m, errorV = " +
                                    toText(d_errorV.value()) + " m/s; sums: " + toText(d_totalErrorX.value()) + " m, " +
                                    toText(d_totalErrorV.value()) + " m/s");
}

void CompareState::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !state()) return;
    const std::vector<double>& x = m_expected;
    const std::size_t size = state()->coordSize(), count = std::min<std::size_t>(x.size() / size, state()->size());
    auto ends = tool.scratch<Vec3>();
    for (std::size_t i = 0; i < count; ++i) {
        Vec3 p;
        for (std::size_t k = 0; k < std::min<std::size_t>(size, 3); ++k) p[k] = x[i * size + k];
        ends.push_back(state()->pointPosition(static_cast<Index>(i)));
        ends.push_back(p);
    }
    tool.lines(ends, plainStyle(Color(1.f, 0.f, 0.5f)));
}

static const RegisterComponent registeredCompareState =
    RegisterComponent("CompareState", "Loader", "Sofa.Component.Playback")
        .help("Compares a state with a file of WriteState")
        .example("component/playback/CompareState.scn")
        .add<CompareState>();

}  // namespace sofa::component
