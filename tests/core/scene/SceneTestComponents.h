// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <string>

#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"

/// Components that scene tests load, registered for the whole test program as TestLoader, TestState, TestMapping,
/// TestROI and TestMass.
namespace sofa::test {

using namespace sofa::core;

class TestLoader : public Component
{
public:
    Data<FileName> d_filename{this, {.name = "filename", .help = "A file"}};
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Points"}};
    Data<Vector<int>> d_edges{this, {.name = "edges", .help = "Edges"}};
    Data<Vec3> d_translation{this, {.name = "translation", .help = "Shift"}};
};

/// State with templates Vec3 and Rigid3.
class TestStateBase : public Component
{
public:
    static std::string_view typeLabel() { return "state"; }
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Points"}};
    Data<Vector<int>> d_lines{this, {.name = "lines", .help = "Edges"}};
    Data<Vec3> d_translation{this, {.name = "translation", .help = "Shift"}};
    Data<double> d_scale{this, {.name = "scale", .help = "Factor", .range = Range::positive()}, 1.};
    double dx = 0.;

    TestStateBase();
    void setDeclared(std::string_view name, std::string_view text) override;
};

/// Links input and output, as mappings have them.
class TestMapping : public Component
{
public:
    Link<TestStateBase> l_input{this, {.name = "input", .help = "State above"}};
    Link<TestStateBase> l_output{this, {.name = "output", .help = "State below"}};
    MultiLink<Component> l_all{this, {.name = "all", .help = "Components"}};
};

/// Engine: indices of the points of which x lies in an interval.
class TestRoi : public Engine
{
public:
    Data<Vector<double>> d_box{this, {.name = "box", .help = "Interval"}};
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Points"}};
    Data<Vector<int>> d_indices{this, {.name = "indices", .help = "Points inside", .readOnly = true}};

    TestRoi();

protected:
    void doUpdate() override;
};

class TestMass : public Component
{
public:
    Data<double> d_totalMass{this, {.name = "totalMass", .help = "Mass", .unit = "kg"}, 1.};
    Data<Vector<int>> d_indices{this, {.name = "indices", .help = "Points"}};
    Data<std::string> d_label{this, {.name = "label", .help = "Any text"}};
};

/// Loads a scene text as if it lay in `folder`/test.scn.
inline std::shared_ptr<Node> load(const std::string& text, LoadReport& report, const LoadOptions& options = {},
                                  const std::string& folder = "/nowhere")
{
    const MessageCapture silence;
    return loadSceneText(text, folder + "/test.scn", options, &report);
}

template <class T>
T& component(const Node& n, const std::string& name)
{
    auto* c = dynamic_cast<T*>(n.component(name));
    if (!c) throw std::runtime_error("no component " + name);
    return *c;
}

/// All messages, one a line.
std::string textOf(const LoadReport& r);

void writeFile(const std::filesystem::path& path, const std::string& text);

}  // namespace sofa::test
