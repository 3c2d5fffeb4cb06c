// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/AbaqusFormat.h"

#include <algorithm>
#include <numbers>

#include "core/io/AbaqusAssembly.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/math/Quat.h"

namespace sofa::core::io {

namespace {

using namespace abaqus;

class AbaqusParser
{
public:
    explicit AbaqusParser(const SourceText& source) : m_path(source.path), m_lines(source, DataLines::Includes::Follow)
    {
    }

    AbaqusModel run()
    {
        DataLine line;
        while (m_lines.next(line)) {
            if (line.text.starts_with("**")) continue;
            if (line.text.starts_with('*'))
                keyword(readKeyword(m_lines, line));
            else
                data(line);
        }
        if (m_model.nodes() == 0) line.fail("*NODE with the nodes of a mesh", "the end of the file");
        AbaqusModel out = m_model.assemble(m_path);
        for (std::string& note : m_lines.takeNotes()) out.mesh.notes.push_back(std::move(note));
        for (std::string& note : m_notes) out.mesh.notes.push_back(std::move(note));
        if (!m_passedOver.empty()) out.mesh.notes.push_back(m_path + ": passed over are " + m_passedOver);
        return out;
    }

private:
    enum class Data
    {
        Start,
        PassedOver,
        None,
        Nodes,
        Elements,
        NodeSet,
        ElementSet,
        Instance,
        Density,
        Elastic,
        Hyperelastic
    };

    // --- keywords ---
    void keyword(const Keyword& k)
    {
        if (m_inStep) {
            if (k.name == "END STEP") m_inStep = false;
            m_data = Data::PassedOver;
            return;
        }
        m_data = Data::None;
        m_dataLines = 0;
        if (k.name == "NODE")
            startNodes(k);
        else if (k.name == "ELEMENT")
            startElements(k);
        else if (k.name == "NSET" || k.name == "ELSET")
            startSet(k);
        else if (k.name == "PART")
            m_target = m_model.addPart(k.require("NAME"), k.line);
        else if (k.name == "INSTANCE")
            startInstance(k);
        else if (k.name == "END PART" || k.name == "END INSTANCE")
            m_target = nullptr;
        else if (k.name == "MATERIAL")
            startMaterial(k);
        else if (k.name == "DENSITY" || k.name == "ELASTIC" || k.name == "HYPERELASTIC")
            startProperty(k);
        else if (k.name.ends_with(" SECTION") && k.has("ELSET") && k.has("MATERIAL"))
            startSection(k);
        else
            passOver(k);
    }

    void passOver(const Keyword& k)
    {
        for (const char* word : {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM"})
            if (k.name == word)
                k.line.fail("nodes and elements that are given one by one",
                            "*" + k.name + ", which makes or moves them and is not supported");
        m_data = Data::PassedOver;
        m_inStep = k.name == "STEP";
        if (k.name == "HEADING" || k.name == "PREPRINT" || k.name == "ASSEMBLY" || k.name == "END ASSEMBLY") return;
        const std::string word = "*" + k.name + " (";
        if (m_passedOver.find(word) != std::string::npos) return;
        m_passedOver += (m_passedOver.empty() ? "" : ", ") + word + "line " + std::to_string(k.line.number) + ")";
    }

    /// Where nodes, elements and sets go.
    Part& target() { return m_target ? *m_target : m_model.root(); }

    static void requireInFile(const Keyword& k)
    {
        if (k.has("INPUT")) k.line.fail("the data of *" + k.name + " below it, or *INCLUDE", "INPUT");
    }

    void startNodes(const Keyword& k)
    {
        requireInFile(k);
        const std::string system = upper(k.value("SYSTEM"));
        if (!system.empty() && system != "R")
            k.line.fail("nodes in rectangular coordinates", "SYSTEM=" + k.value("SYSTEM"));
        m_set = k.has("NSET") ? &target().nodeSets.at(k.require("NSET"), k.line) : nullptr;
        m_data = Data::Nodes;
    }

    void startElements(const Keyword& k)
    {
        requireInFile(k);
        const std::string& name = k.require("TYPE");
        const auto type = elementType(name);
        m_type = type.value_or(ElementType{});
        if (!type) m_model.leaveOut(upper(name));
        m_set = k.has("ELSET") ? &target().elementSets.at(k.require("ELSET"), k.line) : nullptr;
        m_data = Data::Elements;
    }

    void startSet(const Keyword& k)
    {
        const bool ofNodes = k.name == "NSET";
        const std::string& name = k.require(ofNodes ? "NSET" : "ELSET");
        m_set = &(ofNodes ? target().nodeSets : target().elementSets).at(name, k.line);
        m_generate = k.has("GENERATE");
        m_instance = upper(k.value("INSTANCE"));
        m_data = ofNodes ? Data::NodeSet : Data::ElementSet;
        if (ofNodes && k.has("ELSET"))
            m_set->entries.push_back(
                {SetEntry::Kind::NodesOfSet, 0, 0, 1, upper(k.require("ELSET")), m_instance, k.line});
    }

    void startInstance(const Keyword& k)
    {
        m_target = m_model.addInstance(k.require("NAME"), k.require("PART"), k.line);
        m_data = Data::Instance;
    }

    void startMaterial(const Keyword& k)
    {
        VegMaterial m;
        m.name = k.require("NAME");
        m.density = m.youngModulus = 0.;
        m_model.addMaterial(m, k.line);
        m_haveMaterial = true;
    }

    void startProperty(const Keyword& k)
    {
        if (!m_haveMaterial) k.line.fail("*MATERIAL before *" + k.name, "*" + k.name);
        m_law = "ISOTROPIC";
        if (k.name == "DENSITY") {
            m_data = Data::Density;
        } else if (k.name == "ELASTIC") {
            m_data = Data::Elastic;
            const std::string type = upper(k.value("TYPE"));
            if (type == "ENGINEERING CONSTANTS")
                m_law = type;
            else if (!type.empty() && type != "ISOTROPIC" && type != "ISO")
                refuseLaw(k, "TYPE=" + type);
        } else {
            m_data = Data::Hyperelastic;
            m_law = k.has("NEO HOOKE") ? "NEO HOOKE" : "MOONEY-RIVLIN";
            if (!k.has("NEO HOOKE") && !k.has("MOONEY-RIVLIN")) refuseLaw(k, "of this kind");
        }
    }

    void refuseLaw(const Keyword& k, const std::string& what)
    {
        m_data = Data::PassedOver;
        m_notes.push_back(k.line.place() + ": *" + k.name + " " + what + " is not supported: material '" +
                          m_model.material().name + "' has no law");
    }

    void startSection(const Keyword& k)
    {
        target().sections.push_back({upper(k.require("ELSET")), upper(k.require("MATERIAL")), k.line});
        if (k.has("ORIENTATION"))
            m_notes.push_back(k.line.place() +
                              ": ORIENTATION is not supported: the axes of the material are those of the mesh");
        m_data = Data::PassedOver;  // a thickness or a profile
    }

    // --- data lines ---
    void data(const DataLine& line)
    {
        ++m_dataLines;
        switch (m_data) {
            case Data::Start:
                line.fail("a keyword, as *HEADING", TextScanner::quoted(line.text));
            case Data::PassedOver:
                return;
            case Data::None:
                line.fail("a keyword", TextScanner::quoted(line.text));
            case Data::Nodes:
                return node(line);
            case Data::Elements:
                return element(line);
            case Data::NodeSet:
            case Data::ElementSet:
                return members(line);
            case Data::Instance:
                return place(line);
            case Data::Density:
            case Data::Elastic:
            case Data::Hyperelastic:
                return property(line);
        }
    }

    void node(const DataLine& line)
    {
        Part& part = target();
        Fields f(line);
        const std::int64_t number = f.integer("the number of a node");
        Vec3 x;
        for (double& c : x) c = f.finite("a coordinate", 0.);
        if (!part.nodes.set(number, static_cast<Index>(part.positions.size())))
            line.fail("each node once", "node " + std::to_string(number) + " again");
        part.positions.push_back(x);
        addMember(number, line);
    }

    void element(DataLine line)
    {
        Part& part = target();
        const DataLine first = line;
        Fields f(line);
        const std::int64_t number = f.integer("the number of an element");
        if (!part.elementNumbers.set(number, static_cast<Index>(part.elements.size())))
            line.fail("each element once", "element " + std::to_string(number) + " again");
        part.elements.push_back({m_type, part.connectivity.size(), first});
        addMember(number, first);
        // A line that ends with a comma goes on in the next one.
        const auto goOn = [&] {
            if (!line.text.ends_with(',') || !m_lines.next(line)) return false;
            if (line.text.starts_with('*')) {
                m_lines.back();
                return false;
            }
            f = Fields(line);
            return true;
        };
        if (m_type.nodes == 0) {
            while (goOn()) {
            }
            return;
        }
        for (std::size_t k = 0; k < m_type.nodes; ++k) {
            if (f.atEnd() && !goOn())
                line.fail("the " + std::to_string(m_type.nodes) + " nodes of an element", std::to_string(k));
            part.connectivity.push_back(f.integer("the number of a node"));
        }
        if (!f.atEnd()) {
            (void)f.next();
            f.fail("the end of the line after " + std::to_string(m_type.nodes) + " nodes");
        }
    }

    /// A node or element whose keyword names a set.
    void addMember(std::int64_t number, const DataLine& line)
    {
        if (!m_set) return;
        if (!m_set->entries.empty()) {
            SetEntry& last = m_set->entries.back();
            if (last.kind == SetEntry::Kind::Range && last.step == 1 && last.instance.empty() &&
                last.last + 1 == number) {
                last.last = number;
                return;
            }
        }
        m_set->entries.push_back({SetEntry::Kind::Range, number, number, 1, {}, {}, line});
    }

    void members(const DataLine& line)
    {
        Fields f(line);
        if (m_generate) {
            const std::int64_t first = f.integer("the first number"), last = f.integer("the last number");
            const std::int64_t step = f.integer("the step between numbers", 1);
            if (step < 1) f.fail("a step between numbers of at least 1");
            m_set->entries.push_back({SetEntry::Kind::Range, first, last, step, {}, m_instance, line});
            return;
        }
        while (!f.atEnd()) {
            std::string_view field = f.next();
            if (field.empty()) continue;
            SetEntry e{SetEntry::Kind::Range, 0, 0, 1, {}, m_instance, line};
            if (const std::size_t dot = field.find('.'); dot != std::string_view::npos) {
                e.instance = upper(field.substr(0, dot));
                field = field.substr(dot + 1);
            }
            if (parseInteger(field, e.first)) {
                e.last = e.first;
            } else {
                e.kind = SetEntry::Kind::Set;
                e.name = upper(field);
                if (e.name.size() > 1 && e.name.front() == '"' && e.name.back() == '"')
                    e.name = e.name.substr(1, e.name.size() - 2);
            }
            m_set->entries.push_back(std::move(e));
        }
    }

    /// The place of an instance: a translation, then a rotation.
    void place(const DataLine& line)
    {
        Fields f(line);
        AffineTransform& t = m_model.lastInstance().transform;
        Vec3 a;
        for (double& c : a) c = f.finite("a coordinate", 0.);
        if (m_dataLines == 1) {
            t.translation = a;
            return;
        }
        if (m_dataLines > 2) line.fail("a translation and a rotation of an instance", "a third line");
        Vec3 b;
        for (double& c : b) c = f.finite("a coordinate", 0.);
        const double degrees = f.finite("an angle in degrees");
        if (!(norm(b - a) > 0.)) line.fail("two points on the axis of the rotation", "the same point twice");
        t.linear = Quat::fromAxisAngle(normalized(b - a), degrees * std::numbers::pi / 180.).toMatrix();
        t.translation = t.linear * (t.translation - a) + a;
    }

    void property(const DataLine& line)
    {
        VegMaterial& m = m_model.material();
        Fields f(line);
        if (m_dataLines > 1) {
            if (m_dataLines == 2)
                m_notes.push_back(line.place() + ": material '" + m.name +
                                  "' depends on the temperature or on fields: its first values are taken");
        } else if (m_data == Data::Density) {
            m.density = f.finite("a density");
            if (!(m.density > 0.)) f.fail("a density greater than 0");
        } else if (m_data == Data::Hyperelastic) {
            hyperelastic(f, m, line);
        } else if (m_law == "ISOTROPIC") {
            isotropic(f, m, line);
        } else {
            engineeringConstants(f, m);
        }
    }

    void isotropic(Fields& f, VegMaterial& m, const DataLine& line)
    {
        const double young = f.finite("Young's modulus");
        if (!(young > 0.)) f.fail("Young's modulus, greater than 0");
        const double poisson = f.finite("Poisson's ratio");
        if (!(poisson > -1. && poisson <= 0.5)) f.fail("Poisson's ratio, greater than -1 and at most 0.5");
        m.kind = VegMaterial::Kind::Isotropic;
        if (poisson == 0.5) {
            m_notes.push_back(line.place() + ": material '" + m.name + "' is incompressible, and has no law here");
            return;
        }
        m.youngModulus = young;
        m.poissonRatio = poisson;
    }

    /// E1 E2 E3 nu12 nu13 nu23 G12 G13, and on another line G23.
    void engineeringConstants(Fields& f, VegMaterial& m)
    {
        double c[9];
        const auto read = [&](Fields& from, std::size_t k) {
            c[k] = from.finite("a constant of the material");
            if ((k < 3 || k > 5) && !(c[k] > 0.)) from.fail("a modulus greater than 0");
        };
        for (std::size_t k = 0; k < 8; ++k) read(f, k);
        DataLine second;
        if (!m_lines.next(second) || second.text.starts_with('*'))
            second.fail("a second line with G23", TextScanner::quoted(second.text));
        Fields rest(second);
        read(rest, 8);
        m = VegMaterial::orthotropic(m.name, m.density, {c[0], c[1], c[2]}, {c[3], c[5], c[4] * c[2] / c[0]},
                                     {c[6], c[8], c[7]});
    }

    void hyperelastic(Fields& f, VegMaterial& m, const DataLine& line)
    {
        const double c10 = f.finite("C10"), c01 = m_law == "NEO HOOKE" ? 0. : f.finite("C01");
        const double d1 = f.finite("D1", 0.);
        if (d1 < 0.) f.fail("D1, not negative");
        if (d1 == 0.) {
            m_notes.push_back(line.place() + ": material '" + m.name + "' is incompressible, and has no law here");
            return;
        }
        m = VegMaterial::mooneyRivlin(m.name, m.density, c01, c10, 1. / d1);
    }

    std::string m_path;
    DataLines m_lines;
    Assembly m_model;
    Part* m_target = nullptr;  ///< the part or instance that is open; nullptr: none
    NamedSet* m_set = nullptr;
    ElementType m_type;
    Data m_data = Data::Start;
    std::size_t m_dataLines = 0;  ///< since the keyword
    bool m_inStep = false, m_generate = false, m_haveMaterial = false;
    std::string m_instance, m_law, m_passedOver;
    std::vector<std::string> m_notes;
};

}  // namespace

AbaqusModel parseAbaqus(const SourceText& source) { return AbaqusParser(source).run(); }

static const RegisterMeshFormat registeredAbaqusFormat(
    {.name = "Abaqus",
     .extensions = {".inp"},
     .recognise =
         [](std::string_view content) {
             for (const std::string_view word : {"*HEADING", "*NODE", "*PART"})
                 if (equalsIgnoringCase(content.substr(0, word.size()), word)) return Recognition::Sure;
             return Recognition::No;
         },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseAbaqus(source).mesh; }});

}  // namespace sofa::core::io
