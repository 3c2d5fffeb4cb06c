// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/MeshScene.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/scene/OldNames.h"
#include "core/scene/XmlDocument.h"

namespace sofa::modeler {

namespace {

using Kind = MeshSimulation::Kind;

/// A number without digits that nobody needs.
std::string number(double x)
{
    std::array<char, 32> text{};
    const auto r = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6);
    return {text.data(), r.ptr};
}

std::string vector(const Vec3& v) { return number(v[0]) + ' ' + number(v[1]) + ' ' + number(v[2]); }

std::string loaderOf(const std::string& file)
{
    if (const std::string_view loader = loaderForFile(file); !loader.empty()) return std::string(loader);
    std::string extension = std::filesystem::path(file).extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    if (extension == ".veg") return "MeshVegLoader";
    if (extension == ".inp") return "MeshAbaqusLoader";
    return {};
}

/// Closedness, area, volume, centre and inertia of a surface of triangles.
void measure(MeshFacts& out, const io::MeshData& surface)
{
    // Points at the same place are one: some formats repeat them for each face.
    std::map<std::array<double, 3>, Index> places;
    std::vector<Index> same(surface.positions.size());
    for (std::size_t i = 0; i < same.size(); ++i) {
        const Vec3& p = surface.positions[i];
        same[i] = places.try_emplace({p[0], p[1], p[2]}, static_cast<Index>(i)).first->second;
    }
    std::map<std::pair<Index, Index>, int> balance;  // of the directions in which faces go along an edge
    std::map<std::pair<Index, Index>, int> count;
    const Vec3 origin = (out.min + out.max) * 0.5;
    double volume = 0.;
    Vec3 moment;
    double second[3][3] = {};
    for (const Triangle& t : surface.triangles) {
        for (int k = 0; k < 3; ++k) {
            const Index a = same[t[static_cast<std::size_t>(k)]], b = same[t[static_cast<std::size_t>((k + 1) % 3)]];
            if (a == b) continue;
            const std::pair<Index, Index> edge = std::minmax(a, b);
            ++count[edge];
            balance[edge] += a < b ? 1 : -1;
        }
        const Vec3 a = surface.positions[t[0]] - origin, b = surface.positions[t[1]] - origin,
                   c = surface.positions[t[2]] - origin;
        out.area += 0.5 * norm(cross(b - a, c - a));
        const double v = dot(a, cross(b, c)) / 6.;
        const Vec3 sum = a + b + c;
        volume += v;
        moment += sum * (v / 4.);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                second[i][j] += v / 20. * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
    out.isClosed = !count.empty() && std::ranges::all_of(count, [](const auto& e) { return e.second == 2; }) &&
                   std::ranges::all_of(balance, [](const auto& e) { return e.second == 0; }) &&
                   std::abs(volume) > 1e-12 * out.area * out.longest();
    if (out.isClosed) {
        const double sign = volume < 0. ? -1. : 1.;
        const Vec3 center = moment * (1. / volume);
        out.volume = sign * volume;
        out.center = origin + center;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) second[i][j] = sign * (second[i][j] - volume * center[i] * center[j]);
    } else {
        // The box around it, which has some thickness.
        Vec3 size = out.max - out.min;
        for (std::size_t i = 0; i < 3; ++i) size[i] = std::max(size[i], 0.01 * out.longest());
        out.volume = size[0] * size[1] * size[2];
        out.center = origin;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) second[i][j] = i == j ? out.volume * size[i] * size[i] / 12. : 0.;
    }
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            out.inertia[i][j] = (i == j ? second[0][0] + second[1][1] + second[2][2] : 0.) - second[i][j];
}

/// Lines of a scene with what stands around them.
class Writer
{
public:
    void open(const std::string& name)
    {
        line("<Node name=\"" + name + "\">");
        ++m_depth;
    }
    void close()
    {
        --m_depth;
        line("</Node>");
    }
    void line(const std::string& text)
    {
        if (!m_text.empty()) m_text += '\n';
        m_text += std::string(2 * m_depth, ' ') + text;
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    std::size_t m_depth = 0;
};

/// What all parts of an object need to know.
struct Builder
{
    const MeshFacts& mesh;
    const MeshSimulation& s;
    std::string filename;
    Writer out = {};

    std::string load(const std::string& name, const Vec3& shift = {}) const
    {
        std::string text = "<" + mesh.loader + " name=\"" + name + "\" filename=\"" + escapedXml(filename) + "\"";
        if (s.unit != 1.) text += " scale3d=\"" + number(s.unit) + ' ' + number(s.unit) + ' ' + number(s.unit) + "\"";
        if (shift != Vec3()) text += " translation=\"" + vector(shift) + "\"";
        return text + "/>";
    }
    double mass(double volume) const { return s.density * volume; }
    void solvers()
    {
        out.line("<EulerImplicitSolver rayleighStiffness=\"0.02\" rayleighMass=\"0.1\"/>");
        if (s.direct)
            out.line("<SparseLDLSolver/>");
        else
            out.line("<CGLinearSolver iterations=\"500\" tolerance=\"1e-6\" threshold=\"1e-12\"/>");
    }
    void hold()
    {
        if (!s.fixed) return;
        out.line("<BoxROI name=\"held\" box=\"" + vector(s.boxMin) + "  " + vector(s.boxMax) + "\"/>");
        out.line("<FixedProjectiveConstraint indices=\"@held.indices\"/>");
    }
    std::string material() const
    {
        return "youngModulus=\"" + number(s.youngModulus) + "\" poissonRatio=\"" + number(s.poissonRatio) + "\"";
    }
    /// That of a spring as soft as the material is, or a hard one for what does not deform.
    std::string stiffness() const
    {
        const double size = mesh.longest() * s.unit;
        const bool isHard = s.kind == Kind::Rigid || s.kind == Kind::Obstacle;
        return number(isHard ? 1000. * mass(mesh.volume * std::pow(s.unit, 3)) / size
                             : s.youngModulus * (s.kind == Kind::Cloth ? s.thickness : size / 20.));
    }
    void collisionModels(const std::string& more = {})
    {
        for (const char* shape : {"Triangle", "Line", "Point"})
            out.line(std::string("<") + shape + "CollisionModel contactStiffness=\"" + stiffness() + "\"" + more +
                     "/>");
    }
    /// The surface of the file below a body that moves it.
    void mappedSurface(const std::string& mapping, const std::string& body, const Vec3& shift = {})
    {
        out.open("skin");
        out.line(load("surface", shift));
        out.line("<OglModel name=\"visual\" src=\"@surface\" color=\"0.8 0.4 0.2\"/>");
        out.line("<" + mapping + " input=\"@../" + body + "\" output=\"@visual\"/>");
        out.close();
        if (!s.collision) return;
        out.open("collision");
        out.line(load("surface", shift));
        out.line("<MeshTopology src=\"@surface\"/>");
        out.line("<MechanicalObject name=\"points\" src=\"@surface\"/>");
        collisionModels();
        out.line("<" + mapping + " input=\"@../" + body + "\" output=\"@points\"/>");
        out.close();
    }

    void grid()
    {
        solvers();
        out.line(load("surface"));
        const Vec3 size = mesh.max - mesh.min;
        std::string n;
        for (std::size_t i = 0; i < 3; ++i) {
            const double cells = std::ceil(s.cells * size[i] / mesh.longest() - 1e-9);
            n += (i > 0 ? " " : "") + std::to_string(std::max(1, static_cast<int>(cells)) + 1);
        }
        out.line("<SparseGridTopology name=\"grid\" src=\"@surface\" n=\"" + n + "\"/>");
        out.line("<MechanicalObject name=\"dofs\"/>");
        out.line("<UniformMass totalMass=\"" + number(mass(mesh.volume * std::pow(s.unit, 3))) + "\"/>");
        out.line("<HexahedronFEMForceField name=\"material\" " + material() + " method=\"large\"/>");
        hold();
        mappedSurface("BarycentricMapping", "dofs");
    }
    void elements()
    {
        const bool tetrahedra = mesh.tetrahedra > 0;
        const std::string name = tetrahedra ? "Tetrahedron" : "Hexahedron";
        solvers();
        out.line(load("loader"));
        out.line("<" + name + "SetTopologyContainer name=\"topology\" src=\"@loader\"/>");
        out.line("<" + name + "SetGeometryAlgorithms/>");
        out.line("<MechanicalObject name=\"dofs\" src=\"@loader\"/>");
        out.line("<MeshMatrixMass massDensity=\"" + number(s.density) + "\" lumping=\"true\"/>");
        out.line("<" + name + "FEMForceField name=\"material\" " + material() + " method=\"large\"/>");
        hold();
        out.open("skin");
        out.line("<TriangleSetTopologyContainer name=\"triangles\"/>");
        out.line(std::string("<") + (tetrahedra ? "Tetra2Triangle" : "Hexa2Triangle") +
                 "TopologicalMapping input=\"@../topology\" output=\"@triangles\"/>");
        if (s.collision) collisionModels();
        out.open("visual");
        out.line("<OglModel name=\"visual\" color=\"0.8 0.4 0.2\"/>");
        out.line("<IdentityMapping input=\"@../../dofs\" output=\"@visual\"/>");
        out.close();
        out.close();
    }
    void rigid()
    {
        const double scale = s.unit * s.unit;
        out.line("<EulerImplicitSolver rayleighMass=\"0.1\"/>");
        out.line("<CGLinearSolver iterations=\"100\" tolerance=\"1e-8\" threshold=\"1e-12\"/>");
        const Vec3 center = mesh.center * s.unit;
        out.line("<MechanicalObject name=\"frame\" template=\"Rigid3\" position=\"" + vector(center) + "  0 0 0 1\"/>");
        out.line("<!-- Mass [kg], volume [m^3], inertia over mass [m^2] -->");
        const double volume = mesh.volume * std::pow(s.unit, 3);
        std::string inertia;
        for (const auto& row : mesh.inertia) {
            if (!inertia.empty()) inertia += ',';
            for (int j = 0; j < 3; ++j) {
                const double value = row[j] / mesh.volume * scale;
                inertia += (j > 0 ? " " : "") + number(std::abs(value) < 1e-9 * scale * mesh.longest() ? 0. : value);
            }
        }
        out.line("<UniformMass vertexMass=\"" + number(mass(volume)) + ' ' + number(volume) + " [" + inertia + "]\"/>");
        mappedSurface("RigidMapping", "frame", center * -1.);
    }
    void obstacle()
    {
        out.line(load("surface"));
        if (s.collision) {
            out.line("<MeshTopology src=\"@surface\"/>");
            out.line("<MechanicalObject src=\"@surface\"/>");
            collisionModels(" moving=\"0\" simulated=\"0\"");
        }
        out.line("<OglModel name=\"visual\" src=\"@surface\" color=\"0.6 0.6 0.55\"/>");
    }
    void cloth()
    {
        solvers();
        const bool triangulates = mesh.quads > 0;
        std::string loader = load("loader");
        if (triangulates) loader.insert(loader.size() - 2, " triangulate=\"true\"");
        out.line(loader);
        out.line(
            "<TriangleSetTopologyContainer name=\"topology\" position=\"@loader.position\" "
            "triangles=\"@loader.triangles\"/>");
        out.line("<TriangleSetGeometryAlgorithms/>");
        out.line("<MechanicalObject name=\"dofs\" position=\"@loader.position\"/>");
        out.line("<UniformMass totalMass=\"" + number(mass(mesh.area * s.unit * s.unit * s.thickness)) + "\"/>");
        // The membrane's modulus is that of a sheet one metre thick.
        out.line("<TriangularFEMForceField name=\"material\" youngModulus=\"" + number(s.youngModulus * s.thickness) +
                 "\" poissonRatio=\"" + number(s.poissonRatio) + "\"/>");
        const double bending =
            s.youngModulus * std::pow(s.thickness, 3) / (12. * (1. - s.poissonRatio * s.poissonRatio));
        out.line("<FastTriangularBendingSprings bendingStiffness=\"" + number(bending) + "\"/>");
        hold();
        if (s.collision) collisionModels();
        out.open("skin");
        out.line("<OglModel name=\"visual\" src=\"@../topology\" color=\"0.2 0.45 0.75\"/>");
        out.line("<IdentityMapping input=\"@../dofs\" output=\"@visual\"/>");
        out.close();
    }
};

const char* nameOf(Kind kind)
{
    switch (kind) {
        case Kind::Rigid:
            return "body";
        case Kind::Obstacle:
            return "obstacle";
        case Kind::Cloth:
            return "cloth";
        default:
            return "softBody";
    }
}

}  // namespace

double MeshFacts::longest() const
{
    const Vec3 size = max - min;
    return std::max({size[0], size[1], size[2]});
}

bool MeshFacts::isFlat() const
{
    const Vec3 size = max - min;
    return std::min({size[0], size[1], size[2]}) <= 1e-6 * longest();
}

MeshFacts meshFacts(const std::string& file)
{
    MeshFacts out;
    out.file = file;
    out.loader = loaderOf(file);
    if (out.loader.empty() || out.loader == "SphereLoader" || out.loader == "VoxelGridLoader")
        throw std::runtime_error("'" + file + "' has no name of a mesh file: .obj, .stl, .msh, .vtk, .vtu, .off, ...");
    const io::MeshData mesh = io::readMesh(file);
    out.points = mesh.positions.size();
    if (out.points == 0) throw std::runtime_error("'" + file + "' holds no points");
    out.edges = mesh.edges.size();
    out.triangles = mesh.triangles.size();
    out.quads = mesh.quads.size();
    out.tetrahedra = mesh.tetrahedra.size();
    out.hexahedra = mesh.hexahedra.size();
    out.others = mesh.prisms.size() + mesh.pyramids.size();
    out.min = out.max = mesh.positions[0];
    for (const Vec3& p : mesh.positions)
        for (std::size_t i = 0; i < 3; ++i) {
            out.min[i] = std::min(out.min[i], p[i]);
            out.max[i] = std::max(out.max[i], p[i]);
        }
    if (!(out.longest() > 0.)) throw std::runtime_error("all points of '" + file + "' are at one place");
    io::MeshData surface = io::withBorder(mesh);
    io::triangulate(surface);
    measure(out, surface);
    return out;
}

bool suits(const MeshFacts& mesh, Kind kind)
{
    switch (kind) {
        case Kind::Grid:
            return mesh.hasFaces() && !mesh.isFlat();
        case Kind::Elements:
            return mesh.tetrahedra > 0 || mesh.hexahedra > 0;
        case Kind::Cloth:
            return mesh.hasFaces() && mesh.tetrahedra + mesh.hexahedra + mesh.others == 0;
        default:
            return mesh.hasFaces();
    }
}

std::string meshNode(const MeshFacts& mesh, const MeshSimulation& s, const std::string& filename)
{
    Builder b{mesh, s, filename};
    b.out.open(nameOf(s.kind));
    switch (s.kind) {
        case Kind::Grid:
            b.grid();
            break;
        case Kind::Elements:
            b.elements();
            break;
        case Kind::Rigid:
            b.rigid();
            break;
        case Kind::Obstacle:
            b.obstacle();
            break;
        case Kind::Cloth:
            b.cloth();
            break;
    }
    b.out.close();
    return b.out.text();
}

std::string collisionComponents(const MeshFacts& mesh, const MeshSimulation& s)
{
    const double distance = mesh.longest() * s.unit * 0.01;
    return "<CollisionPipeline/>\n<BruteForceBroadPhase/>\n<BVHNarrowPhase/>\n<MinProximityIntersection "
           "alarmDistance=\"" +
           number(2. * distance) + "\" contactDistance=\"" + number(distance) +
           "\"/>\n<CollisionResponse response=\"PenalityContactForceField\"/>";
}

std::string meshScene(const MeshFacts& mesh, const MeshSimulation& s, const std::string& filename)
{
    std::string body = "<VisualStyle displayFlags=\"showVisual\"/>\n<DefaultAnimationLoop/>\n";
    if (s.collision) body += collisionComponents(mesh, s) + '\n';
    body += meshNode(mesh, s, filename);
    std::string out = "<?xml version=\"1.0\"?>\n<Node name=\"root\" dt=\"0.01\" gravity=\"0 -9.81 0\">\n  ";
    for (const char c : body) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out + "\n</Node>\n";
}

}  // namespace sofa::modeler
