// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Damaged scenes and meshes, made from those of the repository: whatever a file contains, the program must neither
// crash nor hang, throw only what it documents, and say where the fault is. A scene that is edited and taken back has
// the bytes it had.
//
//   fuzz_input --cases N [--first I]   runs N cases, beginning with case I (0)
//   fuzz_input --case I                runs one case in this process, for a debugger, and prints its text and messages
//
// A case depends on its number only. Cases run in child processes with limits of time and memory; a child that dies
// names the case. What is found is written to the folder fuzz/ of the build tree. Exit status 1 says that something
// was.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <set>

#include "core/io/DataRepository.h"
#include "core/scene/SceneAnalysis.h"
#include "core/scene/SceneEditor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/fuzz/FuzzTargets.h"
#include "tests/fuzz/Mutator.h"
#include "tests/harness/Paths.h"

#if defined(__SANITIZE_ADDRESS__)
#define SOFA_FUZZ_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SOFA_FUZZ_ASAN 1
#endif
#endif

#ifdef SOFA_FUZZ_ASAN
extern "C" const char* __asan_default_options()
{
    return "hard_rss_limit_mb=3000:max_allocation_size_mb=3000:detect_leaks=0";
}
#endif

namespace {

using namespace sofa::core;
using namespace sofa::fuzz;
namespace fs = std::filesystem;

/// Scenes that got as far as a time step: cases that fail early test little.
std::size_t stepped = 0;

/// A damaged number may ask for a million nodes or contacts, whose step takes minutes; what hangs takes longer.
constexpr unsigned secondsPerCase = 600;
[[maybe_unused]] constexpr rlim_t bytesPerChild = rlim_t(4) << 30;
constexpr std::size_t casesPerChild = 250;

struct File
{
    fs::path path;
    std::string text;
};

/// Files of these extensions in folders of the repository.
std::vector<File> filesBelow(const std::vector<const char*>& folders, const std::set<std::string>& extensions)
{
    std::vector<File> out;
    for (const char* folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(sofa::test::sourceDirectory() / folder)) {
            if (!extensions.count(entry.path().extension().string())) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            out.push_back({entry.path(), std::string(std::istreambuf_iterator<char>(in), {})});
        }
    std::sort(out.begin(), out.end(), [](const File& a, const File& b) { return a.path < b.path; });
    if (out.empty()) throw std::runtime_error(std::string("no files below ") + folders.front());
    return out;
}

/// The faultless files that cases are made from.
struct Corpus
{
    std::vector<File> scenes = filesBelow({"scenes"}, {".scn", ".xml"});
    std::vector<File> meshes =
        filesBelow({"share/mesh", "scenes/component/io"},
                   {".msh", ".obj", ".vtk", ".off", ".stl", ".gidmsh", ".mesh", ".trian", ".xs3", ".inp"});
};

struct Case
{
    bool isMesh = false;
    fs::path path;         ///< of the faultless file; of a mesh, its name below the working folder
    std::string text;      ///< what the reader gets
    std::string meshName;  ///< a mesh to write beside the scene, and its text
    std::string meshText;
};

Case makeCase(const Corpus& corpus, std::size_t number)
{
    Dice dice(0x5eed0000u + number);
    Case c;
    switch (dice.below(8)) {
        case 0: {  // a mesh reader
            const File& f = dice.of(corpus.meshes);
            c.isMesh = true;
            c.path = f.path.filename();
            c.text = damagedText(f.text, dice);
            break;
        }
        case 1: {  // a mesh that reads, perhaps, in a scene
            const File* f = &dice.of(corpus.meshes);
            while (f->text.size() > 60'000) f = &dice.of(corpus.meshes);
            c.meshName = "damaged" + f->path.extension().string();
            c.meshText = damagedText(f->text, dice);
            c.text = sceneOfMesh(c.meshName, dice);
            c.path = "mesh.scn";
            break;
        }
        case 2:  // the text of a scene
            c.path = dice.of(corpus.scenes).path;
            for (const File& f : corpus.scenes)
                if (f.path == c.path) c.text = damagedText(f.text, dice);
            break;
        case 3:
        case 4:
            c.path = "component.scn";
            c.text = hostileComponent(dice);
            break;
        default:
            c.path = dice.of(corpus.scenes).path;
            for (const File& f : corpus.scenes)
                if (f.path == c.path) c.text = hostileScene(f.text, dice);
    }
    return c;
}

/// Values and pieces of scenes for edits.
constexpr const char* editTexts[] = {"",
                                     "1",
                                     "-1",
                                     "nan",
                                     "1e999",
                                     "@/",
                                     "@../x.y",
                                     "@[-1].name",
                                     "a b",
                                     "<&>\"'\n\t--]]>",
                                     "\xC3\xA9\xE2\x82\xAC",
                                     "0 0 0",
                                     "/",
                                     "2 mm"};
constexpr const char* editPieces[] = {"<Node/>",
                                      "<Node name='x'>\n  <MechanicalObject/>\n</Node>",
                                      "<MechanicalObject position='0 0 0'/><UniformMass/>",
                                      "<Nothing/>",
                                      "<Node sameAs='@/'/>",
                                      "<include href='damaged.xml'/>",
                                      "</Node><Node>",
                                      "<!-- c -->",
                                      "<Node",
                                      ""};

void editOnce(SceneEditor& editor, Node& root, Dice& dice)
{
    const std::vector<Node*> nodes = root.descendants(true);
    Node& node = *dice.of(nodes);
    std::vector<Base*> objects{&node};
    for (const auto& c : node.components()) objects.push_back(c.get());
    for (const auto& c : node.children()) objects.push_back(c.get());
    Base& object = *dice.of(objects);
    const Base* const before = dice.chance(2) ? dice.of(objects) : nullptr;
    const EditWhere where = dice.chance(2) ? EditWhere::InInclude : EditWhere::AsOverride;
    const std::string text = dice.of(editTexts);
    const std::vector<std::string> names = object.attributeNames();
    const auto& given = object.givenAttributes();
    const std::string name = !given.empty() && dice.chance(2) ? dice.of(given).first : dice.of(names);
    switch (dice.below(10)) {
        case 0:
        case 1:
            return void(editor.setAttributes(object, {{name, text}}, where, dice.chance(2)));
        case 2:
            return editor.clearAttribute(object, name, where);
        case 3:
            return dice.chance(2) ? editor.switchOffAttribute(object, name, where)
                                  : editor.switchOnAttribute(object, name, where);
        case 4:
            return void(editor.add(node, dice.of(editPieces), before, where));
        case 5:
            return editor.remove(object, where);
        case 6:
            return editor.move(object, *dice.of(nodes), before, where);
        case 7:
            return editor.rename(object, dice.chance(3) ? text : "n" + std::to_string(dice.below(100)), where);
        case 8:
            return editor.switchOff(object, where);
        case 9: {
            const auto off = editor.switchedOff(node);
            return off.empty() ? void(editor.undo()) : void(editor.switchOn(node, dice.of(off), where));
        }
        default:
            return void(dice.chance(2) ? editor.undo() : editor.redo());
    }
}

/// Reads a text into a document, which must have its bytes, edits it at random and takes everything back.
std::string documentFinding(const Case& c)
{
    const MessageCapture silence;
    std::shared_ptr<Node> root;
    try {
        root = loadSceneText(c.text, c.path.string());
    } catch (const SceneError&) {
        return {};
    }
    SceneDocument& document = *root->scene().document;
    if (document.xml(0).bytes() != c.text) return "a document has other bytes than its text";
    Dice dice(c.text.size());
    std::vector<std::string> before;
    try {
        SceneEditor editor(*root);
        for (std::uint32_t i = 0; i < document.fileCount(); ++i) before.push_back(document.xml(i).bytes());
        for (int i = 0; i < 30; ++i) {
            try {
                editOnce(editor, *root, dice);
            } catch (const EditError& e) {
                if (isRaw(e.what())) return std::string("a message for programmers: ") + e.what();
            }
        }
        document.update(*root);
        while (editor.undo()) {
        }
        for (std::uint32_t i = 0; i < before.size(); ++i)
            if (document.xml(i).bytes() != before[i]) return "edits that were taken back leave other bytes";
        while (editor.redo()) {
        }
        while (editor.undo()) {
        }
        for (std::uint32_t i = 0; i < before.size(); ++i)
            if (document.xml(i).bytes() != before[i]) return "edits that were made again cannot be taken back";
    } catch (const std::exception& e) {
        return std::string("editing throws what is not documented: ") + e.what();
    }
    return {};
}

/// Types at random in a text, and asks what editors ask: answers are within the text, and nothing is thrown but what is
/// documented. In the end the messages are those of a text that was never edited.
std::string analysisFinding(const Case& c)
{
    static const std::vector<std::string> typed{"<", "<Node",      "\"", "@",    "/>", "</",
                                                "=", "name=\"a\"", " ",  "<!--", "x"};
    const MessageCapture silence;
    Dice dice(c.text.size());
    const auto listed = [](const SceneAnalysis& a) {
        std::string all;
        for (const SceneProblem& p : a.problems()) all += p.message.str() + '\n';
        return all;
    };
    try {
        SceneAnalysis a(c.path.string());
        if (dice.chance(2)) a.setPatience(0.);
        a.setText(c.text);
        for (int i = 0; i < 12; ++i) {
            const std::size_t at = dice.below(a.text().size() + 1);
            const std::size_t gone = std::min<std::size_t>(dice.below(6), a.text().size() - at);
            a.edit({at, gone, dice.of(typed), {}});
            for (const SceneCompletion& s : a.completions(at))
                if (s.replaced.begin > s.replaced.end || s.replaced.end > a.text().size() || s.cursor > s.insert.size())
                    return "a completion outside of the text";
            a.hover(at);
            a.definition(at);
            a.references(at);
            a.symbols();
            for (const SceneProblem& p : a.problems()) {
                if (p.range.begin > p.range.end || p.range.end > a.text().size())
                    return "a message outside of the text";
                for (const SceneFix& f : a.fixes(p))
                    for (const TextEdit& e : f.edits)
                        if (e.at + e.length > a.text().size()) return "a fix outside of the text";
            }
            try {
                a.rename(at, "renamed");
            } catch (const AnalysisError& e) {
                if (isRaw(e.what())) return std::string("a message for programmers: ") + e.what();
            }
        }
        a.refresh();
        SceneAnalysis whole(c.path.string());
        whole.setText(a.text());
        if (listed(whole) != listed(a)) return "an analysis after edits has other messages";
    } catch (const std::exception& e) {
        return std::string("an analysis throws what is not documented: ") + e.what();
    }
    return {};
}

/// Runs a case; the return value tells what is wrong with the program, and is empty if nothing is.
std::string runCase(const Case& c, bool print)
{
    if (c.isMesh) return meshFinding(c.path.string(), c.text, print);
    if (!c.meshName.empty()) std::ofstream(c.meshName, std::ios::binary) << c.meshText;
    if (std::string finding = c.text.size() < 200'000 ? documentFinding(c) : std::string(); !finding.empty())
        return finding;
    if (std::string finding = c.text.size() < 20'000 ? analysisFinding(c) : std::string(); !finding.empty())
        return finding;
    return sceneFinding(c.path.string(), c.text, print, &stepped);
}

/// Limits the memory of this process. The address sanitizer, which needs the whole address space, has a limit of its
/// own.
void limitMemory()
{
#ifndef SOFA_FUZZ_ASAN
    const rlimit memory{bytesPerChild, bytesPerChild};
    setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

/// What a sanitizer or the runtime wrote before it ended the process.
std::string lastWords(const fs::path& file)
{
    std::ifstream in(file);
    std::string line, words;
    while (std::getline(in, line))
        for (const char* mark :
             {"runtime error:", "ERROR:", "SUMMARY:", "rss limit", "terminate", "what()", "Assertion"})
            if (line.find(mark) != std::string::npos && words.size() < 400)
                words += (words.empty() ? "" : " | ") + line;
    return words;
}

struct Finding
{
    std::size_t number;
    std::string text;
};

/// Runs cases in a child until one of them kills it or all are done; returns the number of the next case to run.
std::size_t runInChild(const Corpus& corpus, std::size_t first, std::size_t end, std::vector<Finding>& findings)
{
    int channel[2];
    if (pipe(channel) != 0) throw std::runtime_error("cannot create a pipe");
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot create a process");
    if (child == 0) {
        close(channel[0]);
        stepped = 0;
        limitMemory();
        if (!std::freopen("stderr.txt", "w", stderr)) _exit(3);
        const auto say = [&](const std::string& line) {
            const std::string text = line + '\n';
            if (write(channel[1], text.data(), text.size()) < 0) _exit(3);
        };
        for (std::size_t i = first; i < end; ++i) {
            say(std::to_string(i));
            alarm(secondsPerCase);
            const std::string finding = runCase(makeCase(corpus, i), false);
            alarm(0);
            if (!finding.empty()) say('!' + finding.substr(0, finding.find('\n')));
        }
        say('#' + std::to_string(stepped));
        say("done");
        _exit(0);
    }
    close(channel[1]);
    std::string heard;
    char buffer[4096];
    for (ssize_t n; (n = read(channel[0], buffer, sizeof buffer)) > 0;)
        heard.append(buffer, static_cast<std::size_t>(n));
    close(channel[0]);
    int status = 0;
    waitpid(child, &status, 0);

    std::size_t last = first;
    bool done = false;
    std::size_t at = 0;
    while (at < heard.size()) {
        const std::size_t next = std::min(heard.find('\n', at), heard.size());
        const std::string line = heard.substr(at, next - at);
        at = next + 1;
        if (line == "done")
            done = true;
        else if (line.starts_with('!'))
            findings.push_back({last, line.substr(1)});
        else if (line.starts_with('#'))
            stepped += static_cast<std::size_t>(std::stoull(line.substr(1)));
        else
            last = static_cast<std::size_t>(std::stoull(line));
    }
    if (done && WIFEXITED(status) && WEXITSTATUS(status) == 0) return end;
    std::string why = "exit status " + std::to_string(WEXITSTATUS(status));
    if (WIFSIGNALED(status))
        why = WTERMSIG(status) == SIGALRM ? "it takes longer than " + std::to_string(secondsPerCase) + " s"
                                          : std::string("it crashes: ") + strsignal(WTERMSIG(status));
    const std::string words = lastWords("stderr.txt");
    // With the address sanitizer an allocation that fails ends the process; without, it is an error of the scene.
    const bool memory = words.find("out-of-memory") != std::string::npos ||
                        words.find("rss limit") != std::string::npos ||
                        words.find("allocation-size-too-big") != std::string::npos;
    if (!memory) findings.push_back({last, why + (words.empty() ? "" : ": " + words)});
    return last + 1;
}

void keep(const Case& c, std::size_t number)
{
    const fs::path folder = sofa::test::buildDirectory() / "fuzz";
    fs::create_directories(folder);
    const std::string stem = "case" + std::to_string(number);
    std::ofstream(folder / (stem + (c.isMesh ? c.path.extension().string() : ".scn")), std::ios::binary) << c.text;
    if (!c.meshName.empty()) std::ofstream(folder / (stem + '_' + c.meshName), std::ios::binary) << c.meshText;
}

}  // namespace

int main(int argc, char** argv)
{
    std::size_t cases = 0, first = 0;
    bool single = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const std::size_t value = std::strtoull(argv[i + 1], nullptr, 10);
        if (name == "--cases") cases = value;
        if (name == "--first") first = value;
        if (name == "--case") first = value, single = true;
    }
    if (!single && cases == 0) {
        std::cerr << "usage: fuzz_input --cases N [--first I] | --case I\n";
        return 2;
    }
    const Corpus corpus;
    DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    const sofa::test::TemporaryDirectory tmp;  // whatever a component writes lands here
    fs::current_path(tmp.path());
    if (single) {
        limitMemory();
        const Case c = makeCase(corpus, first);
        keep(c, first);
        std::cout << c.path.string() << "\n"
                  << (c.isMesh ? std::string() : c.text.substr(0, 5000)) << "\n"
                  << std::flush;
        const std::string finding = runCase(c, true);
        std::cout << (finding.empty() ? "nothing is wrong" : finding) << '\n';
        return finding.empty() ? 0 : 1;
    }
    std::vector<Finding> findings;
    for (std::size_t next = first, end = first + cases; next < end;)
        next = runInChild(corpus, next, std::min(end, next + casesPerChild), findings);
    for (const Finding& f : findings) {
        std::cout << "case " << f.number << ": " << f.text << '\n';
        keep(makeCase(corpus, f.number), f.number);
    }
    std::cout << cases << " cases, " << stepped << " of them made a time step, " << findings.size() << " findings";
    if (!findings.empty()) std::cout << ", written to " << (sofa::test::buildDirectory() / "fuzz").string();
    std::cout << '\n';
    return findings.empty() ? 0 : 1;
}
