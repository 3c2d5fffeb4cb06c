// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time until the messages about a scene are there again after an edit, and that of completion, in a scene of bodies
// with ten components each.
//
//     analysis_bench [number of bodies = 1000] [--json]
//
// "longest" is that of the slowest keystroke. What was found is checked, so that it is no time of doing nothing.
#include "core/scene/SceneAnalysis.h"
#include "tests/benchmarks/ManyBodies.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

/// Types a text at a place, and removes it again; the longest and the mean time of a keystroke [ms].
std::pair<double, double> type(SceneAnalysis& a, std::size_t at, const std::string& text)
{
    double longest = 0., sum = 0.;
    const auto measured = [&](const TextEdit& e) {
        const double start = now();
        a.edit(e);
        longest = std::max(longest, now() - start);
        sum += now() - start;
    };
    for (std::size_t i = 0; i < text.size(); ++i) measured({at + i, 0, std::string(1, text[i]), {}});
    for (std::size_t i = text.size(); i-- > 0;) measured({at + i, 1, "", {}});
    return {longest * 1e3, sum * 1e3 / (2. * static_cast<double>(text.size()))};
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    Report report(arguments);
    const unsigned long bodies = arguments.number(0, 1000);
    const std::string text = sceneOfBodies(bodies);
    SceneAnalysis a("/bench/scene.scn");
    a.setText(text);
    const std::size_t problems = a.problems().size();
    report.row({{"what", "whole scene"}, {"longest [ms]", best([&] { a.refresh(); }) * 1e3}, {"mean [ms]", ""}});
    const std::string middle = "body" + std::to_string(bodies / 2);
    const auto behind = [&](const std::string& part) { return text.find(part, text.find(middle)) + part.size(); };
    const auto row = [&](const char* what, std::size_t at, const std::string& typed) {
        const auto [longest, mean] = type(a, at, typed);
        report.row({{"what", what}, {"longest [ms]", longest}, {"mean [ms]", mean}});
    };
    row("a value", behind("youngModulus=\""), "12");
    row("an attribute", behind("<UniformMass"), " vertexMass=\"3\"");
    row("a component", behind("<UniformMass totalMass=\"2.5\"/>"), "\n    <ConstantForceField totalForce=\"0 1 0\"/>");
    row("a value of the root", text.find("iterations=\"") + 12, "12");
    row("an attribute of the root", text.find(" dt="), " gravity=\"0 0 -1\"");
    row("a link", behind("input=\"@.."), "/dofs");
    const auto complete = [&](const char* what, const std::string& part, const std::string& typed) {
        const std::size_t place = behind(part);
        a.setText(std::string(text).insert(place, typed));
        std::size_t found = 0;
        const double time = best([&] { found = a.completions(place + typed.size()).size(); });
        report.row({{"what", what}, {"longest [ms]", time * 1e3}, {"mean [ms]", ""}});
        return found > 0;
    };
    const bool completed = complete("completion of an attribute", "<UniformMass", " ") &&
                           complete("completion of a component", "<UniformMass totalMass=\"2.5\"/>", "<") &&
                           complete("completion of a link", "input=\"", "@");
    a.setText(text);
    a.refresh();
    return completed && a.problems().size() == problems ? 0 : 1;
}
