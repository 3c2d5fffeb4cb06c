// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/fuzz/FuzzTargets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <numeric>
#include <regex>

#ifdef SOFA_HAS_IMAGES
#include "applications/gl/Image.h"
#endif
#include "core/behavior/State.h"
#include "core/io/CompressedFile.h"
#include "core/io/InterpolationFile.h"
#include "core/io/MeshError.h"
#include "core/io/MeshReader.h"
#include "core/io/ObjFormat.h"
#include "core/io/StateFile.h"
#include "core/io/TopologyFile.h"
#include "core/io/TransformFile.h"
#include "core/io/VegaConfig.h"
#include "core/io/VegaMatrixFile.h"
#include "core/io/VertexListFile.h"
#include "core/io/VoxelFile.h"
#include "core/objectmodel/Units.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/SimuFile.h"
#include "core/topology/MeshFaults.h"
#include "core/topology/TopologyTransaction.h"

namespace sofa::fuzz {

using namespace sofa::core;

namespace {

void write(const std::string& file, std::string_view bytes)
{
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Runs a reader, which may throw std::runtime_error with a message for users.
std::string findingOf(const std::function<void()>& read)
{
    const MessageCapture silence;
    try {
        read();
    } catch (const std::runtime_error& e) {
        if (isRaw(e.what())) return std::string("a message for programmers: ") + e.what();
    } catch (const std::exception& e) {
        return std::string("an exception that is not documented: ") + e.what();
    }
    for (const Message& m : silence.messages())
        if (isRaw(m.text)) return "a message for programmers: " + m.str();
    return {};
}

/// A target that reads a file of this name.
template <class Read>
FuzzTarget fileTarget(const std::string& name, const std::string& file, Read read)
{
    return {name, [file, read](const std::string& bytes) {
                write(file, bytes);
                return findingOf([&] { read(file); });
            }};
}

/// A target that reads bytes in memory.
template <class Parse>
FuzzTarget textTarget(const std::string& name, const std::string& file, Parse parse)
{
    return {name, [file, parse](const std::string& bytes) {
                return findingOf([&] { parse(io::SourceText{file, bytes}); });
            }};
}

constexpr const char* fallingTriangle =
    "<Node name='root' dt='0.01'><EulerImplicitSolver/><CGLinearSolver/><TriangleSetTopologyContainer name='mesh' "
    "position='0 0 0 1 0 0 0 1 0 1 1 0' triangles='0 1 2 1 3 2'/><TriangleSetTopologyModifier/><MechanicalObject "
    "name='x'/><DiagonalMass massDensity='1'/><TriangularFEMForceField youngModulus='100'/></Node>";

std::string checkpointFinding(const std::string& bytes)
{
    write("state.checkpoint", bytes);
    return findingOf([] {
        Simulation s(loadSceneText(fallingTriangle, "checkpoint.scn"));
        s.init();
        loadCheckpoint(s, "state.checkpoint");
        s.step();
    });
}

/// The bytes are the recording, then after a line "=" those of its first state.
std::string simuFinding(const std::string& bytes)
{
    const std::size_t cut = std::min(bytes.find("\n=\n"), bytes.size());
    std::filesystem::create_directories("states");
    write("run.simu", std::string_view(bytes).substr(0, cut));
    write("states/0_x.txt.gz", std::string_view(bytes).substr(std::min(cut + 3, bytes.size())));
    return findingOf([] {
        Simulation s(loadSceneText(fallingTriangle, "recorded.scn"));
        s.init();
        const SimuRecording recording("run.simu");
        recording.show(s, recording.size() - 1);
    });
}

/// The first line is a unit, what follows a value of every kind of Data.
std::string valueFinding(const std::string& bytes)
{
    const std::size_t cut = std::min(bytes.find('\n'), bytes.size());
    const std::string unit = bytes.substr(0, cut), value = bytes.substr(std::min(cut + 1, bytes.size()));
    struct Owner : Component
    {
        Data<double> number{this, {.name = "number", .help = "", .unit = "m"}, 0.};
        Data<int> count{this, {.name = "count", .help = "", .range = Range::closed(0., 10.)}, 0};
        Data<bool> on{this, {.name = "on", .help = ""}, false};
        Data<std::string> text{this, {.name = "text", .help = ""}};
        Data<Vec3> vector{this, {.name = "vector", .help = "", .unit = "kg/m^3"}};
        Data<Vector<Vec3>> points{this, {.name = "points", .help = ""}};
        Data<Vector<Index>> indices{this, {.name = "indices", .help = ""}};
        Data<Vector<std::array<Index, 3>>> triangles{this, {.name = "triangles", .help = ""}};
        Data<Vector<std::string>> words{this, {.name = "words", .help = ""}};
        Data<Vector<Vector<Index>>> facets{this, {.name = "facets", .help = ""}};
        Data<Vector<RigidCoord3>> frames{this, {.name = "frames", .help = ""}};
    } owner;
    return findingOf([&] {
        std::string converted, error;
        parseUnit(unit);
        if (mayContainUnits(value)) convertUnits(value, unit, converted, error);
        if (isRaw(error)) throw std::runtime_error(error);
        for (BaseData* d : owner.data()) {
            error.clear();
            if (!d->read(value, error)) {
                if (error.empty()) throw std::logic_error("a value is refused without a message");
                if (isRaw(error)) throw std::runtime_error(error);
                continue;
            }
            // What was read is written so that it reads back. A word with both kinds of quotes need not: there is no
            // escape.
            if ((d == &owner.words || d->name() == "tags") && value.find('\'') < value.size() &&
                value.find('"') < value.size())
                continue;
            const std::string written = d->text();
            if (!d->read(written, error) || d->text() != written)
                throw std::logic_error("'" + written + "' of " + d->typeName() + " does not read back");
        }
    });
}

/// Changes of a mesh, one for each few bytes. Each is done as a whole or not at all.
std::string changesFinding(ElementType type, std::size_t corners, const std::string& list, const std::string& bytes)
{
    std::string first, second;
    for (std::size_t i = 0; i < corners; ++i) {
        first += std::to_string(i) + " ";
        second += std::to_string(corners - i) + " ";
    }
    const std::string scene =
        "<Node name='root' dt='0.01'><MeshTopology name='mesh' position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 "
        "1 0.5 0.5 2' " +
        list + "='" + first + second +
        "'/><MechanicalObject name='x'/><UniformMass vertexMass='1'/><FixedProjectiveConstraint "
        "indices='0'/><RestShapeSpringsForceField points='1 2' stiffness='10'/></Node>";
    std::string finding = findingOf([&] {
        Simulation s(loadSceneText(scene, "changes.scn"));
        if (!s.init()) throw std::logic_error("the scene of the target is faulty");
        auto& mesh = *s.root().get<StoredTopology>(Search::Local);
        std::size_t at = 0;
        const auto next = [&] { return at < bytes.size() ? static_cast<unsigned char>(bytes[at++]) : 0u; };
        const auto point = [&] { return static_cast<Index>(next() % (mesh.nbPoints() + 1)); };
        while (at < bytes.size()) {
            try {
                TopologyTransaction t(mesh);
                for (unsigned changes = next() % 4; changes-- > 0;) {
                    const auto elements = static_cast<Index>(mesh.list(type)->size() + 1);
                    switch (next() % 6) {
                        case 0: {
                            Vector<Index> gone(next() % 3);
                            for (Index& i : gone) i = static_cast<Index>(next()) % elements;
                            t.remove(type, gone);
                            break;
                        }
                        case 1: {
                            Vector<Index> vertices(corners);
                            for (Index& i : vertices) i = point();
                            t.add(type, vertices);
                            break;
                        }
                        case 2:
                            t.addPoints({{{point(), 0.25}, {point(), 0.75}}});
                            break;
                        case 3:
                            t.removePoints({point()});
                            break;
                        case 4: {
                            Vector<Index> now(mesh.nbPoints());
                            std::iota(now.begin(), now.end(), Index(0));
                            if (!now.empty()) std::swap(now.front(), now[next() % now.size()]);
                            if (next() == 0) now.push_back(point());
                            t.renumberPoints(now);
                            break;
                        }
                        default:
                            t.movePoints({point()}, {{{point(), 0.5}, {point(), 0.5}}});
                    }
                }
                if (next() % 8 != 0) t.commit();
            } catch (const std::runtime_error& e) {
                if (isRaw(e.what())) throw;
            }
            for (const MeshFault& f : faultsOf(mesh))
                if (f.kind == MeshFault::Kind::Table || f.kind == MeshFault::Kind::Vertex)
                    throw std::logic_error("a change leaves a faulty mesh: " + f.text);
            if (s.root().get<BaseState>(Search::Local)->size() != mesh.nbPoints())
                throw std::logic_error("mesh and state have other numbers of points");
        }
    });
    return finding;
}

std::vector<FuzzTarget> makeTargets()
{
    std::vector<FuzzTarget> out;
    out.push_back({"scene", [](const std::string& bytes) { return sceneFinding("fuzzed.scn", bytes); }});
    for (const std::string& name : io::meshFormats().names()) {
        const auto format = io::meshFormats().get(name);
        if (!format->read || format->extensions.empty()) continue;
        const std::string& extension = format->extensions.front();
        const bool two = extension == ".node";
        out.push_back({"mesh" + extension, [extension, two](const std::string& bytes) {
                           // Of TetGen's two files the second one stands after a line "=".
                           const std::size_t cut = two ? std::min(bytes.find("\n=\n"), bytes.size()) : bytes.size();
                           if (cut < bytes.size())
                               write("fuzzed.ele", std::string_view(bytes).substr(cut + 3));
                           else if (two)
                               std::filesystem::remove("fuzzed.ele");
                           return meshFinding("fuzzed" + extension, bytes.substr(0, cut));
                       }});
    }
    out.push_back({"checkpoint", checkpointFinding});
    out.push_back({"simu", simuFinding});
    out.push_back({"value", valueFinding});
    const auto addChanges = [&](ElementType type, std::size_t corners, const std::string& list) {
        out.push_back({"changes_" + list, [type, corners, list](const std::string& bytes) {
                           return changesFinding(type, corners, list, bytes);
                       }});
    };
    addChanges(ElementType::Triangles, 3, "triangles");
    addChanges(ElementType::Tetrahedra, 4, "tetrahedra");
    addChanges(ElementType::Hexahedra, 8, "hexahedra");
    for (const char* extension : {"", ".csv", ".json"})
        out.push_back(fileTarget(std::string("state") + extension, std::string("fuzzed.state") + extension,
                                 [](const std::string& f) { io::readStateFile(f); }));
    out.push_back(fileTarget("topology", "fuzzed.txt", [](const std::string& f) { io::readTopologyFile(f); }));
    out.push_back(fileTarget("transform", "fuzzed.trs", [](const std::string& f) { io::readTransform(f); }));
    out.push_back(fileTarget("voxels", "fuzzed.vox", [](const std::string& f) { io::readVoxelText(f); }));
    out.push_back(fileTarget("gz", "fuzzed.msh.gz", [](const std::string& f) { io::loadCompressed(f); }));
#ifdef SOFA_HAS_IMAGES
    // Old files of TGA have no mark but the end of their name.
    out.push_back(fileTarget("image", "fuzzed.tga", [](const std::string& f) { gl::readImage(f); }));
#endif
    out.push_back(textTarget("vertices", "fuzzed.bou", [](const auto& s) { io::parseVertexList(s); }));
    out.push_back(textTarget("mtl", "fuzzed.mtl", [](const auto& s) {
        std::vector<io::MeshMaterial> materials;
        std::vector<std::string> notes;
        io::parseMtl(s, materials, notes);
    }));
    out.push_back(textTarget("vega_config", "fuzzed.config", [](const auto& s) { io::parseVegaConfig(s); }));
    out.push_back(textTarget("vega_cloth", "fuzzed.config", [](const auto& s) { io::parseVegaClothConfig(s); }));
    out.push_back(textTarget("vega_lighting", "fuzzed.lighting", [](const auto& s) { io::parseVegaLighting(s); }));
    out.push_back(textTarget("vega_springs", "fuzzed.massspring", [](const auto& s) { io::parseVegaMassSpring(s); }));
    out.push_back(textTarget("vega_matrix", "fuzzed.U", [](const auto& s) { io::parseVegaMatrix(s); }));
    out.push_back(textTarget("vega_matrix_text", "fuzzed.txt", [](const auto& s) { io::parseVegaMatrixText(s); }));
    out.push_back(textTarget("vega_sparse", "fuzzed.K", [](const auto& s) { io::parseVegaSparseMatrix(s); }));
    out.push_back(textTarget("vega_weights", "fuzzed.interp", [](const auto& s) { io::parseInterpolation(s); }));
    return out;
}

}  // namespace

const std::vector<FuzzTarget>& fuzzTargets()
{
    static const std::vector<FuzzTarget> all = makeTargets();
    return all;
}

bool isRaw(const std::string& message)
{
    static const std::regex raw(R"(bad_alloc|vector::|basic_string::|bad_cast|bad_function_call|map::at|\bsto[id]\b)"
                                R"(|bad_array_new_length|bad optional|std::|array::at|bad_weak_ptr)");
    return std::regex_search(message, raw);
}

std::string meshFinding(const std::string& name, const std::string& bytes, bool print)
{
    try {
        io::parseMesh({name, bytes});
        // The other ways.
        io::parseMesh({name, bytes},
                      {.triangulate = true, .flipNormals = true, .handleSeams = true, .stlMergePoints = false});
    } catch (const io::MeshError& e) {
        const std::string what = e.what();
        if (print) std::cout << what << '\n';
        if (isRaw(what)) return "a message for programmers: " + what;
        // TetGen's are two files.
        const bool partner = name.ends_with(".node") && what.starts_with(name.substr(0, name.size() - 4) + "ele:");
        if (!partner && !what.starts_with(name + ':')) return "an error without place: " + what;
    } catch (const std::exception& e) {
        return std::string("an exception that is not documented: ") + e.what();
    }
    return {};
}

std::string sceneFinding(const std::string& path, const std::string& text, bool print, std::size_t* stepped)
{
    const MessageCapture capture;
    std::string finding;
    try {
        LoadReport report;
        const auto root = loadSceneText(text, path, {}, &report);
        // Like runSofa: a scene with errors is not initialised.
        if (report.ok()) {
            Simulation simulation(root);
            const bool good = simulation.init();
            const std::size_t errors = capture.count(Severity::Error);
            if (!good && errors == 0) finding = "the initialisation fails without a message";
            if (good && errors == 0) {
                try {
                    simulation.step();
                    if (stepped) ++*stepped;
                } catch (const SimulationError& e) {
                    if (isRaw(e.what())) finding = std::string("a message for programmers: ") + e.what();
                    if (print) std::cout << "step: " << e.what() << '\n';
                }
            }
            simulation.cleanup();
        }
    } catch (const SceneError& e) {
        if (!e.where().known()) finding = std::string("an error without place: ") + e.what();
        if (print) std::cout << e.what() << '\n';
    } catch (const std::exception& e) {
        finding = std::string("an exception that is not documented: ") + e.what();
    }
    if (print) std::cout << capture.text() << '\n';
    for (const Message& m : capture.messages()) {
        if (m.severity != Severity::Error && m.severity != Severity::Warning) continue;
        if (finding.empty() && m.severity == Severity::Error && !m.where.known())
            finding = "an error without place: " + m.str();
        if (finding.empty() && isRaw(m.text)) finding = "a message for programmers: " + m.str();
    }
    return finding;
}

void writeSeeds(const std::string& folder)
{
    namespace fs = std::filesystem;
    const auto place = [&](const std::string& target, const std::string& name) {
        fs::create_directories(fs::path(folder) / target);
        return (fs::path(folder) / target / name).string();
    };
    // Two tetrahedra by every format that takes them, else two triangles.
    const io::MeshData solid =
        io::parseMesh({"solid.msh",
                       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
                       "$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 2 2 2 3 4 5\n$EndElements\n"});
    const io::MeshData surface =
        io::parseMesh({"surface.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0.5\n3 0 1 2\n3 1 3 2\n"});
    for (const std::string& name : io::meshFormats().names()) {
        const auto format = io::meshFormats().get(name);
        if (!format->write || !format->read) continue;
        for (const std::string& extension : format->extensions)
            for (const io::MeshData* mesh : {&solid, &surface}) {
                const std::string file = place("mesh" + format->extensions.front(),
                                               std::string(mesh == &solid ? "solid" : "surface") + extension);
                try {
                    format->write(file, *mesh);
                } catch (const io::MeshError&) {
                    fs::remove(file);
                }
            }
    }
    for (const auto& [target, text] : std::initializer_list<std::pair<const char*, const char*>>{
             {"value", "mm\n1.5 mm 2e-3 -3 m"},
             {"value", "kg/m^3\n[1 2] [3 4 5]"},
             {"value", "\ntrue"},
             {"value", "\n[0-3] [7-1-2 4]"},
             {"state", "T= 0\n  X0= 0 0 0 1 0 0\n  X= 0 0 0 1 0 0\n  V= 0 0 0 0 0 0\nT= 0.01\n  X= 0 0 1 1 0 0\n"},
             {"state.csv", "# time, positions\n0, 0, 0, 0, 1, 0, 0\n0.01, 0, 0, 1, 1, 0, 0\n"},
             {"state.json", "{\"0\": [[0, 0, 0], [1, 0, 0]],\n\"0.01\": [[0, 0, 1], [1, 0, 0]]}\n"},
             {"mesh.node", "4 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 1 0\n3 0 1 0 2 0\n4 0 0 1 3 1\n=\n1 4 1\n1 1 2 3 4 7\n"},
             {"topology",
              "T= 0\n  Edges= 1\n  0 1\n  Triangles= 2\n  0 1 2 1 3 2\n  Quads= 0\n  Tetrahedra= 0\n  "
              "Hexahedra= 0\n"},
             {"transform", "1 0 0 0.5\n0 1 0 0\n0 0 1 2\n0 0 0 1\n"},
             {"voxels", "2 2 2\n1 1 0.5\n1 0 0 1 1 1 0 0\n"},
             {"vega_matrix_text", "2\n2\n1 2\n3 4.5\n"},
             {"vega_sparse", "2\n2\n0 0 1.5\n1 0 -2\n1 1 3\n"},
             {"vega_lighting",
              "*globalAmbientIntensity\n0.1\n*localViewer\ntrue\n*twoSidedLighting\nfalse\n*enableSpecularTerm\n1\n"
              "*lightEnabled_0\ntrue\n*position_0_X\n-1\n*position_0_DIR\n1\n*lightIntensity_7\n0.5\n**EOF\n"},
             {"vertices", "1, 2, 3,\n 7, 12\n"},
             {"mtl", "newmtl red\nKa 0.1 0 0\nKd 1 0 0\nKs 1 1 1\nNs 30\nd 0.5\nmap_Kd red.png\nnewmtl none\n"},
             {"vega_cloth",
              "*objMeshname\nsheet.obj\n*fixedVerticesFilename\n__none\n*lightingFilename\n__none\n*timeStep\n0.01\n"
              "*surfaceDensity\n0.1\n*useRestAngles\n1\n*bendStiffnessU\n1e-4\n*wind_x\n2\n# end\n"}})
        write(place(target, "seed" + std::to_string(std::hash<std::string>{}(text) % 1000)), text);
#ifdef SOFA_HAS_IMAGES
    for (const int channels : {1, 3, 4})
        for (const char* extension : {".png", ".jpg", ".ppm"}) {
            gl::Image image{3, 2, channels, std::vector<unsigned char>(static_cast<std::size_t>(6 * channels), 100)};
            gl::writeImage(place("image", std::to_string(channels) + extension), image);
        }
#endif
    std::uint32_t random = 1;
    for (const char* list : {"triangles", "tetrahedra", "hexahedra"})
        for (int k = 0; k < 8; ++k) {
            std::string bytes(64, '\0');
            for (char& c : bytes) c = static_cast<char>((random = random * 1664525u + 1013904223u) >> 24);
            write(place(std::string("changes_") + list, "random" + std::to_string(k)), bytes);
        }
    Simulation s(loadSceneText(fallingTriangle, "seed.scn"));
    s.init();
    {
        SimuRecorder recorder("seed.simu", "seed.scn", s);
        s.step();
        recorder.record(s);
        recorder.finish();
    }
    saveCheckpoint(s, place("checkpoint", "fallen"));
    const auto bytesOf = [](const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    for (const auto& entry : fs::recursive_directory_iterator("."))
        if (entry.path().extension() == ".gz")
            for (const char* target : {"simu", "gz"}) {
                const std::string before =
                    target == std::string("simu") ? "seed.scn\nStates: states\nDt: 0.01\n=\n" : "";
                write(place(target, "fallen"), before + bytesOf(entry.path()));
            }
}

std::vector<std::string> readCorpus(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file);
    std::vector<std::string> out;
    for (unsigned char size[4]; in.read(reinterpret_cast<char*>(size), 4);) {
        std::string bytes(size[0] | size[1] << 8 | size[2] << 16 | static_cast<std::size_t>(size[3]) << 24, '\0');
        if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
            throw std::runtime_error(file + " is cut off");
        out.push_back(std::move(bytes));
    }
    return out;
}

}  // namespace sofa::fuzz
