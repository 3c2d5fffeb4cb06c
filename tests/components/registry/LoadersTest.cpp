// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What all loaders of the registry have in common, looked at in the example scene of each, whose file is damaged.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace loaders_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::string bytesOf(const fs::path& file)
{
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Registered loaders that read a file.
std::vector<std::string> loaders()
{
    // These compute their meshes.
    const std::set<std::string> excused{"GridMeshCreator", "StringMeshCreator"};
    std::vector<std::string> names;
    for (const auto& entry : Registry::instance().entries())
        if ((entry->category == "MeshLoader" || entry->category == "Loader") && !excused.contains(entry->name))
            names.push_back(entry->name);
    return names;
}

Data<FileName>& fileOf(Component& c) { return dynamic_cast<Data<FileName>&>(*c.findData("filename")); }

/// Those of a class in a scene.
std::vector<Component*> ofClass(const Node& root, const std::string& type)
{
    std::vector<Component*> found;
    for (const Node* n : root.descendants(true))
        for (const auto& c : n->components())
            if (Registry::instance().nameOf(*c) == type) found.push_back(c.get());
    return found;
}

/// What a loader made of a file.
struct Outcome
{
    bool isValid = false;
    std::map<std::string, std::string> data;  ///< the texts of all that it gives
    std::vector<Message> errors;
    bool warns = false;

    std::vector<double> numbers(const std::string& name) const
    {
        std::vector<double> out;
        const auto it = data.find(name);
        std::istringstream text(it == data.end() ? "" : it->second);
        for (double v; text >> v;) out.push_back(v);
        return out;
    }
};

Outcome outcomeOf(const Component& c)
{
    Outcome out;
    out.isValid = c.isValid();
    for (const Message& m : c.messages())
        if (m.severity == Severity::Error)
            out.errors.push_back(m);
        else if (m.severity == Severity::Warning)
            out.warns = true;
    for (const BaseData* d : c.data())
        if (out.isValid && d->name() != "filename" && d->name() != "name") out.data[d->name()] = d->text();
    return out;
}

/// The example scene of a loader in a folder of its own, with a copy of the file that the loader reads, and of those
/// beside it that belong to it: the folder of the scene may hold its name too, and "given_" tells them apart.
class Example
{
public:
    explicit Example(const std::string& name) : type(name)
    {
        DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
        fs::current_path(m_folder.path());  // scenes may write
        const fs::path original = sofa::test::sourceDirectory() / "scenes" / Registry::instance().find(type)->example;
        const MessageCapture silence;
        const auto root = loadScene(original.string());
        const auto all = ofClass(*root, type);
        REQUIRE_FALSE(all.empty());
        const std::string given = fileOf(*all.front()).value().text;
        const fs::path source = requireFile(fileOf(*all.front()));
        std::string stem = source.filename().string();
        file = "given_" + stem;
        stem = stem.substr(0, stem.find_first_of(".0123456789"));
        for (const auto& e : fs::directory_iterator(source.parent_path()))
            if (const std::string n = e.path().filename().string(); e.is_regular_file() && n.starts_with(stem)) {
                fs::copy_file(e.path(), m_folder / ("given_" + n));
                if (n != source.filename()) fs::copy_file(e.path(), m_folder / n);  // files name it
            }
        m_text = bytesOf(original);
        const std::string quoted = "filename=\"" + given + '"';
        REQUIRE(m_text.find(quoted) != m_text.npos);
        for (std::size_t at = 0; (at = m_text.find(quoted, at)) != m_text.npos;)
            m_text.replace(at, quoted.size(), "filename=\"" + file + '"');
        content = bytesOf(m_folder / file);
    }
    ~Example() { fs::current_path(m_before); }
    Example(const Example&) = delete;
    Example& operator=(const Example&) = delete;

    void write(const std::string& bytes, const std::string& name = {}) const
    {
        std::ofstream(m_folder / (name.empty() ? file : name), std::ios::binary) << bytes;
    }
    void remove() const { fs::remove(m_folder / file); }

    /// Loads the scene with its file as it is, or one of this name, and initialises it. `look` sees its loaders.
    Outcome load(const std::string& name = {},
                 const std::function<void(Simulation&, const std::vector<Component*>&)>& look = {}) const
    {
        std::string text = m_text;
        for (std::size_t at = 0; !name.empty() && (at = text.find(file, at)) != text.npos; at += name.size())
            text.replace(at, file.size(), name);
        const MessageCapture silence;
        Simulation s(loadSceneText(text, (m_folder / "scene.scn").string()));
        s.init();
        const auto all = ofClass(s.root(), type);
        REQUIRE_FALSE(all.empty());
        Outcome out = outcomeOf(*all.front());
        if (look) look(s, all);
        return out;
    }

    std::string type, file, content;

private:
    const fs::path m_before = fs::current_path();
    sofa::test::TemporaryDirectory m_folder;
    std::string m_text;
};

/// Why an outcome is not what a refused file should give; empty if it is.
std::string faultOfRefusal(const Outcome& o, const std::string& file)
{
    if (o.isValid) return "it is accepted";
    if (o.errors.empty()) return "no error is told";
    for (const Message& m : o.errors) {
        if (!m.where.known()) return "no place in the scene: " + m.text;
        if (m.text.find(file) == m.text.npos) return "the file is not named: " + m.text;
    }
    return {};
}

/// Why the values of a loader cannot be a mesh; empty if they can.
std::string faultOfMesh(const Outcome& o)
{
    const std::vector<double> x = o.numbers("position");
    if (!o.data.contains("position")) return {};
    for (const double v : x)
        if (!std::isfinite(v)) return "a position is not finite";
    for (const char* kind : {"edges", "triangles", "quads", "tetrahedra", "hexahedra", "prisms", "pyramids"})
        for (const double v : o.numbers(kind))
            if (!(v >= 0. && v < static_cast<double>(x.size()) / 3.))
                return std::string(kind) + " have point " + std::to_string(v) + " of " + std::to_string(x.size() / 3);
    return {};
}

/// Collects what is wrong, for one report.
struct Findings
{
    std::string text;
    void add(const std::string& type, const std::string& when, const std::string& what)
    {
        if (!what.empty()) text += "\n  " + type + " " + when + ": " + what;
    }
};

}  // namespace

TEST_CASE("Each loader gives the same mesh whenever it reads its file, and its elements have points of it")
{
    Findings found;
    const auto names = loaders();
    for (const std::string& name : names) {
        const Example example(name);
        const Outcome first = example.load();
        if (!first.isValid || !first.errors.empty()) {
            found.add(name, "reads its own file", first.errors.empty() ? "fails" : first.errors[0].text);
            continue;
        }
        found.add(name, "reads its own file", faultOfMesh(first));
        if (first.data.contains("position") && first.numbers("position").empty())
            found.add(name, "reads its own file", "no points");
        const auto same = [&](const std::string& when, const Outcome& o) {
            if (!o.isValid) return found.add(name, when, o.errors.empty() ? "fails" : o.errors.back().text);
            for (const auto& [data, text] : first.data)
                if (const auto it = o.data.find(data); it == o.data.end() || it->second != text)
                    found.add(name, when, data + " differs");
        };
        same("reads it in another scene", example.load());
        example.load({}, [&](Simulation& s, const std::vector<Component*>& all) {
            s.root().scene().unsettled = true;
            CHECK(s.settle());
            same("is initialised once more", outcomeOf(*all.front()));
        });
    }
    INFO(found.text);
    CHECK(found.text.empty());
    CHECK(names.size() >= 16);
}

// What is no mesh for others, these may be given: a list of frames without a frame, and any bytes as voxels.
const std::set<std::string> playbacks{"CompareState", "CompareTopology", "ReadState", "ReadTopology"};
const std::set<std::string> rawReaders{"VoxelGridLoader"};

TEST_CASE("Each loader reads its file again when the name is given again, also after it was damaged")
{
    Findings found;
    for (const std::string& name : loaders()) {
        const Example example(name);
        example.load({}, [&](Simulation& s, const std::vector<Component*>& all) {
            Component& c = *all.front();
            const Outcome before = outcomeOf(c);
            const auto initAgain = [&](const std::string& file) {
                c.clearMessages();
                for (Component* each : all) fileOf(*each).setValue({file});
                s.root().scene().unsettled = true;
                s.settle();
                return outcomeOf(c);
            };
            example.write("");
            const Outcome empty = initAgain(example.file);
            if (!playbacks.contains(name))
                found.add(name, "with its file emptied meanwhile", faultOfRefusal(empty, example.file));
            found.add(name, "with a file that is missing", faultOfRefusal(initAgain("none.abc"), "none.abc"));
            example.write(example.content);
            const Outcome after = initAgain(example.file);
            if (!after.isValid || !after.errors.empty() || after.data != before.data)
                found.add(name, "with its file restored", "it is not the same mesh");
        });
    }
    INFO(found.text);
    CHECK(found.text.empty());
}

namespace {

/// A bar of tetrahedra whose coordinates have all their digits.
const std::string bar =
    "<RegularGridTopology name='grid' n='4 3 2' min='0.1 -0.2 0.3' max='1 0.9 1.7'/><TetrahedronSetTopologyContainer "
    "name='mesh' position='@grid.position'/><Hexa2TetraTopologicalMapping input='@grid' output='@mesh'/>"
    "<MechanicalObject name='points' position='@grid.position'/>";

/// Writes the bar by an exporter; returns its points, tetrahedra and faces as the loaders' Data have them.
Outcome exported(const std::string& exporter)
{
    Simulation s(loadSceneText("<Node name='root' gravity='0 0 0'>" + bar + exporter + "</Node>", "export.scn"));
    REQUIRE(s.init());
    Outcome out;
    const Node& root = s.root();
    out.data = {{"position", root.component("points")->findData("position")->text()},
                {"tetrahedra", root.component("mesh")->findData("tetrahedra")->text()},
                {"triangles", root.component("mesh")->findData("triangles")->text()}};
    s.step();
    s.cleanup();
    return out;
}

/// Sums that a mesh has whatever the order of its points and faces.
struct Measures
{
    double volume = 0., area = 0.;
};
Measures measuresOf(const Outcome& o)
{
    Measures m;
    const auto x = o.numbers("position"), t = o.numbers("tetrahedra"), f = o.numbers("triangles");
    const auto point = [&](double i) {
        const auto k = 3 * static_cast<std::size_t>(i);
        return Vec3{x.at(k), x.at(k + 1), x.at(k + 2)};
    };
    for (std::size_t i = 0; i + 3 < t.size(); i += 4) {
        const Vec3 a = point(t[i]);
        m.volume += dot(cross(point(t[i + 1]) - a, point(t[i + 2]) - a), point(t[i + 3]) - a) / 6.;
    }
    for (std::size_t i = 0; i + 2 < f.size(); i += 3) {
        const Vec3 a = point(f[i]);
        m.area += norm(cross(point(f[i + 1]) - a, point(f[i + 2]) - a)) / 2.;
    }
    return m;
}

}  // namespace

TEST_CASE("What exporters write, loaders read back")
{
    const fs::path before = fs::current_path();
    const sofa::test::TemporaryDirectory folder;
    fs::current_path(folder.path());
    const MessageCapture silence;
    // Nothing in a scene writes what these read.
    const std::set<std::string> onlyRead{"GIDMeshLoader", "MeshAbaqusLoader", "MeshOffLoader",    "MeshTrianLoader",
                                         "MeshVegLoader", "MeshXspLoader",    "OffSequenceLoader"};
    std::set<std::string> read;
    const auto comparesWith = [&](const std::string& file, const Outcome& wanted, bool isSolid, bool allFaces,
                                  double rounding) {
        std::size_t readers = 0;
        for (const auto& entry : Registry::instance().entries()) {
            if (entry->category != "MeshLoader" || !entry->creators.front().create()->findData("filename")) continue;
            if (entry->name.ends_with("Creator")) continue;
            Simulation s(
                loadSceneText("<Node name='root'><" + entry->name + " name='l' filename='" + file + "'/></Node>",
                              (folder / "read.scn").string()));
            s.init();
            const Outcome o = outcomeOf(*s.root().component("l"));
            if (!o.isValid) continue;
            INFO(file << " by " << entry->name);
            ++readers;
            read.insert(entry->name);
            if (isSolid) {
                const auto x = o.numbers("position"), y = wanted.numbers("position");
                REQUIRE(x.size() == y.size());
                double most = 0.;
                for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
                CHECK(most <= rounding);
                CHECK(o.numbers("tetrahedra") == wanted.numbers("tetrahedra"));
            } else {
                // All faces, or those of the border, which is that of a box.
                const double border = 2. * (0.9 * 1.1 + 0.9 * 1.4 + 1.1 * 1.4);
                CHECK(o.numbers("position").size() <= wanted.numbers("position").size());
                CHECK(measuresOf(o).area ==
                      Approx(allFaces ? measuresOf(wanted).area : border).epsilon(std::max(rounding, 1e-12)));
                CHECK(measuresOf(wanted).area > 2. * border);
            }
        }
        INFO(file);
        CHECK(readers > 0);
    };
    for (const auto& [format, file, isSolid] : {std::tuple{"vtkxml", "mesh.vtu", true},
                                                {"vtk", "mesh.vtk", true},
                                                {"netgen", "mesh.mesh", true},
                                                {"tetgen", "mesh.node", true},
                                                {"gmsh", "mesh.gmsh", true},
                                                {"obj", "mesh.obj", false}}) {
        const Outcome wanted =
            exported("<MeshExporter filename='mesh' exportAtEnd='1' format='" + std::string(format) + "' edges='0'/>");
        CHECK(measuresOf(wanted).volume == Approx(0.9 * 1.1 * 1.4));
        REQUIRE(fs::exists(file));
        comparesWith(file, wanted, isSolid, true, 1e-15);
    }
    for (const std::string binary : {"0", "1"}) {
        const Outcome wanted =
            exported("<STLExporter filename='surface' exportAtEnd='1' binaryformat='" + binary + "'/>");
        comparesWith("surface.stl", wanted, false, false, 1e-7);
    }
    fs::current_path(before);
    for (const auto& entry : Registry::instance().entries()) {
        if (entry->category != "MeshLoader" || entry->name.ends_with("Creator")) continue;
        INFO(entry->name);
        CHECK(read.contains(entry->name) != onlyRead.contains(entry->name));
    }
}

TEST_CASE("Each loader refuses what is not its file, and says which file and where the scene names it")
{
    Findings found;
    for (const std::string& name : loaders()) {
        const Example example(name);
        found.add(name, "no such file", faultOfRefusal(example.load("none.abc"), "none.abc"));
        fs::create_directory("folder.abc");
        found.add(name, "a folder", faultOfRefusal(example.load("folder.abc"), "folder.abc"));
        example.write("");
        if (!playbacks.contains(name)) found.add(name, "an empty file", faultOfRefusal(example.load(), example.file));
        example.write("no mesh at all: 1 2 x\n");
        found.add(name, "a sentence", faultOfRefusal(example.load(), example.file));
        example.write(std::string(300, '\0'));
        if (!rawReaders.contains(name)) found.add(name, "zeros", faultOfRefusal(example.load(), example.file));
        // The content tells the format, or the loader does: the name is either no matter, or what the error names.
        const std::string other = "other.abc";
        example.write(example.content, other);
        const Outcome o = example.load(other);
        example.write(example.content);
        if (!o.isValid)
            found.add(name, "its file under another name", faultOfRefusal(o, other));
        else if (o.data != example.load().data)
            found.add(name, "its file under another name", "it is another mesh");
    }
    INFO(found.text);
    CHECK(found.text.empty());
}

TEST_CASE("Each loader refuses a file that ends too early, or warns, and gives a mesh that is whole in itself")
{
    // What was read of these files before their end cannot be told from a whole one: lines or sets that stand for
    // themselves, as far as they go, or frames one after the other.
    const std::set<std::string> endAnywhere{"MeshAbaqusLoader", "MeshOBJLoader", "ReadTopology"};
    Findings found;
    for (const std::string& name : loaders()) {
        const Example example(name);
        const std::string& content = example.content;
        // Without the last line: a number may be cut at any digit.
        const std::size_t last = content.find_last_not_of(" \t\r\n");
        const std::size_t whole = std::min(content.rfind('\n', last), last);
        std::size_t accepted = 0, cuts = 0, at = 0;
        const std::size_t stride = std::max<std::size_t>(content.size() / 60, 1);
        const Outcome all = example.load();
        for (std::size_t n = 1; n < content.size(); n += n < 20 ? 1 : stride) {
            example.write(content.substr(0, n));
            const Outcome o = example.load();
            const std::string when = "with " + std::to_string(n) + " of " + std::to_string(content.size()) + " bytes";
            if (!o.isValid) {
                found.add(name, when, faultOfRefusal(o, example.file));
                continue;
            }
            found.add(name, when, faultOfMesh(o));
            if (n < whole && !o.warns && o.data != all.data) ++accepted, at = n;
            ++cuts;
        }
        if (accepted && !endAnywhere.contains(name))
            found.add(name, "cut short",
                      "accepted " + std::to_string(accepted) + " times, at last at " + std::to_string(at) + " of " +
                          std::to_string(content.size()));
        if (!accepted && endAnywhere.contains(name)) found.add(name, "cut short", "it is no exception");
    }
    INFO(found.text);
    CHECK(found.text.empty());
}

}  // namespace loaders_test
