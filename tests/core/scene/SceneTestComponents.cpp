// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/core/scene/SceneTestComponents.h"

#include <fstream>

#include "core/factory/Registry.h"

namespace sofa::test {

namespace {

struct Vec3Name
{
    static std::string get() { return "Vec3"; }
};
struct Rigid3Name
{
    static std::string get() { return "Rigid3"; }
};

template <class Name>
class TestState : public TestStateBase
{
public:
    static std::string staticTemplateName() { return Name::get(); }
};

const auto loader = RegisterComponent("TestLoader", "MeshLoader", "Test.Scene").help("Test").add<TestLoader>();
const auto state = RegisterComponent("TestState", "State", "Test.Scene")
                       .help("Test")
                       .add<TestState<Vec3Name>>()
                       .add<TestState<Rigid3Name>>();
const auto mapping = RegisterComponent("TestMapping", "Mapping", "Test.Scene").help("Test").add<TestMapping>();
const auto roi = RegisterComponent("TestROI", "Engine", "Test.Scene").help("Test").add<TestRoi>();
const auto mass = RegisterComponent("TestMass", "Mass", "Test.Scene").help("Test").alias("TestOldMass").add<TestMass>();

}  // namespace

TestStateBase::TestStateBase()
{
    addAlias(d_lines, "edges");
    declareAttribute("dx", "Shift along x");
}

void TestStateBase::setDeclared(std::string_view, std::string_view text)
{
    std::string error;
    if (!parseText(text, dx, error)) throw std::runtime_error(error);
}

TestRoi::TestRoi()
{
    addInput(d_box);
    addInput(d_position);
    addOutput(d_indices);
}

void TestRoi::doUpdate()
{
    Vector<int> inside;
    const auto& box = d_box.value();
    const auto& x = d_position.value();
    for (std::size_t i = 0; i < x.size(); ++i)
        if (box.size() == 2 && x[i][0] >= box[0] && x[i][0] <= box[1]) inside.push_back(static_cast<int>(i));
    d_indices.setValue(inside);
}

std::string textOf(const LoadReport& r)
{
    std::string t;
    for (const Message& m : r.messages) t += m.str() + '\n';
    return t;
}

void writeFile(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace sofa::test
