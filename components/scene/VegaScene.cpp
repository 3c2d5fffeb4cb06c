// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaScene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "components/scene/VegaSceneParts.h"
#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/MeshReader.h"
#include "core/io/VegFormat.h"
#include "core/io/VegaMatrixFile.h"
#include "core/io/VertexListFile.h"
#include "core/objectmodel/DataText.h"

namespace sofa::component {

namespace fs = std::filesystem;

namespace {

using io::VegaInvertibleMaterial;
using io::VegaModel;
using io::VegaSolver;
using Kind = io::VegMaterial::Kind;

using vega::location;

class VegaSceneBuilder
{
public:
    explicit VegaSceneBuilder(const io::VegaConfig& config) : m_config(config) {}
    SceneElement build();

private:
    // --- Elements -------------------------------------------------------------------------------------------------
    SourceLocation at(std::string_view key) const { return location(m_config, key); }
    [[noreturn]] void fail(std::string_view key, const std::string& text) const { throw SceneError(at(key), text); }
    void warn(std::string_view key, const std::string& text) const
    {
        MessageLog::emit(Severity::Warning, text, at(key));
    }
    void inform(std::string_view key, const std::string& text) const
    {
        MessageLog::emit(Severity::Info, text, at(key));
    }
    /// An element with the place of a key.
    SceneElement element(std::string type, std::string_view key) const
    {
        SceneElement e;
        e.isNode = type == "Node";
        e.description.type = std::move(type);
        e.description.where = at(key);
        return e;
    }
    /// Adds an attribute with the place of a key; without one, that of the element.
    template <class T>
    void set(SceneElement& e, const char* name, const T& value, std::string_view key = {}) const
    {
        e.description.set(name, text(value), key.empty() ? e.description.where : at(key));
    }
    static std::string text(const char* s) { return s; }
    static std::string text(const std::string& s) { return s; }
    template <class T>
    static std::string text(const T& value)
    {
        return toText(value);
    }

    // --- Files ----------------------------------------------------------------------------------------------------
    /// Path of a file that must exist, named in `owner`.
    fs::path require(std::string_view key, const io::VegaFile& owner, const std::string& name) const;
    fs::path require(std::string_view key, const std::string& name) const { return require(key, m_config, name); }
    /// Name of a file as the scene has it: from the folder of the configuration.
    std::string fileName(const fs::path& path) const;
    /// Displacements or velocities of all points.
    Vector<Vec3> readState(std::string_view key, const std::string& name) const;

    // --- Parts of the scene ---------------------------------------------------------------------------------------
    void readModel();
    void readMesh(const fs::path& path);
    void readSprings();
    void readFixedVertices();
    void describeGravity(SceneElement& root) const;
    void describeView(SceneElement& root) const;
    void describeSolver(SceneElement& body) const;
    void describePoints(SceneElement& body) const;
    void describeMesh(SceneElement& body) const;
    void describeForces(SceneElement& body) const;
    void describeSprings(SceneElement& body) const;
    void describeMaterial(SceneElement& forceField) const;
    void describeLoads(SceneElement& body) const;
    void describeSurfaces(SceneElement& body) const;
    /// How a surface follows the body: not at all, as its first points, or embedded in its elements.
    enum class Mapped
    {
        Not,
        First,
        Embedded
    };
    void addSurface(SceneElement& parent, const char* node, std::string_view key, const fs::path& file, Mapped how,
                    bool shown = true) const;
    void reportUnused() const;

    bool isSpring() const { return !m_config.massSpringFile.empty() || m_config.model == VegaModel::MassSpringChain; }
    bool isImplicit() const
    {
        return m_config.solver == VegaSolver::ImplicitNewmark || m_config.solver == VegaSolver::ImplicitBackwardEuler;
    }
    bool hasGravity() const { return m_config.addGravity || (m_springs && m_springs->addGravity); }
    bool hasInitialState() const
    {
        return !m_config.initialPositionFilename.empty() || !m_config.initialVelocityFilename.empty() ||
               m_config.model == VegaModel::MassSpringChain;
    }
    bool isLinearMaterial() const
    {
        return m_config.model == VegaModel::CorotationalLinear || m_config.model == VegaModel::Linear;
    }
    int warp() const
    {
        return m_config.model == VegaModel::CorotationalLinear ? m_config.corotationalLinearFEM_warp : 0;
    }
    /// Whether the mesh has orthotropic materials and the model can have them.
    bool hasOrthotropic() const
    {
        const auto isOrthotropic = [&](Index m) { return m_mesh.materials[m].kind == Kind::Orthotropic; };
        return isLinearMaterial() && std::ranges::any_of(m_mesh.elementMaterial, isOrthotropic);
    }
    /// Property of the material of each element, times the square of frequencyScaling.
    template <class Get>
    void setProperty(SceneElement& forceField, const char* name, Get get) const;

    const io::VegaConfig& m_config;
    std::string m_modelKey;  ///< the key that decides what is simulated
    std::string m_meshKey;   ///< the key, of m_meshFile, that names the mesh
    fs::path m_meshPath;
    io::VegMesh m_mesh;  ///< volumetric mesh, if there is one
    std::size_t m_points = 0;
    std::optional<io::VegaMassSpring> m_springs;
    Vector<Index> m_fixed;
    Vector<Vec3> m_rest;  ///< positions, where the scene gives others to begin with
};

// --- Files

fs::path VegaSceneBuilder::require(std::string_view key, const io::VegaFile& owner, const std::string& name) const
{
    return vega::require(owner, key, name);
}

std::string VegaSceneBuilder::fileName(const fs::path& path) const { return vega::nameFrom(m_config, path); }

Vector<Vec3> VegaSceneBuilder::readState(std::string_view key, const std::string& name) const
{
    const io::VegaMatrix m = io::readVegaMatrix(require(key, name));
    if (m.columns != 1 || static_cast<std::size_t>(m.rows) != 3 * m_points)
        fail(key, "*" + std::string(key) + ": the matrix has " + std::to_string(m.rows) + " rows and " +
                      std::to_string(m.columns) + " columns; " + std::to_string(m_points) + " points need " +
                      std::to_string(3 * m_points) + " rows and 1 column");
    Vector<Vec3> values(m_points);
    for (std::size_t i = 0; i < m_points; ++i)
        for (std::size_t c = 0; c < 3; ++c) values[i][c] = m(static_cast<int>(3 * i + c), 0);
    // Vega's integrators set both to zero at fixed vertices.
    for (const Index i : m_fixed) values[i] = {};
    return values;
}

void VegaSceneBuilder::readModel()
{
    switch (m_config.model) {
        case VegaModel::None:
            fail({},
                 "the configuration says nothing to simulate: it needs *volumetricMeshFilename, one of the three "
                 "*massSpringSystem... files, or *customMassSpringSystem");
        case VegaModel::MassSpringQuads:
            m_modelKey = "massSpringSystemObjConfigFilename";
            return readSprings();
        case VegaModel::MassSpringTetrahedra:
            m_modelKey = "massSpringSystemTetMeshConfigFilename";
            return readSprings();
        case VegaModel::MassSpringCubes:
            m_modelKey = "massSpringSystemCubicMeshConfigFilename";
            return readSprings();
        case VegaModel::MassSpringChain:
            m_modelKey = "customMassSpringSystem";
            m_points = static_cast<std::size_t>(m_config.chainParticles);
            for (std::size_t i = 0; i < m_points; ++i)
                m_rest.push_back({0., static_cast<double>(i) / static_cast<double>(m_points - 1), 0.});
            return;
        default:
            break;
    }
    m_modelKey = m_config.find("deformableObjectMethod") ? "deformableObjectMethod" : "volumetricMeshFilename";
    m_meshKey = "volumetricMeshFilename";
    readMesh(require(m_meshKey, m_config.volumetricMeshFilename));
}

void VegaSceneBuilder::readMesh(const fs::path& path)
{
    m_meshPath = path;
    m_mesh = io::readVeg(path);  // its notes are repeated by the loader of the scene
    m_points = m_mesh.positions.size();
    m_rest = m_mesh.positions;
}

void VegaSceneBuilder::readSprings()
{
    m_springs = io::readVegaMassSpring(require(m_modelKey, m_config.massSpringFile));
    const io::VegaMassSpring& s = *m_springs;
    for (const std::string& note : s.notes) MessageLog::emit(Severity::Warning, note);
    constexpr std::pair<VegaModel, const char*> kinds[] = {{VegaModel::MassSpringTetrahedra, "tetMeshFilename"},
                                                           {VegaModel::MassSpringCubes, "cubicMeshFilename"},
                                                           {VegaModel::MassSpringQuads, "massSpringMeshFilename"}};
    const auto& [model, key] = kinds[static_cast<std::size_t>(s.kind)];
    if (model != m_config.model)
        fail(m_modelKey,
             "*" + m_modelKey + ": '" + m_config.massSpringFile + "' is for another kind of mesh, it has *" + key);
    m_meshKey = key;
    const fs::path path = require(m_meshKey, s, s.meshFilename);
    if (model == VegaModel::MassSpringQuads) {
        m_meshPath = path;
        const io::MeshData mesh = io::readMesh(path);
        if (mesh.quads.empty()) throw SceneError(location(s, m_meshKey), "'" + path.string() + "' has no quads");
        m_points = mesh.positions.size();
        m_rest = mesh.positions;
        return;
    }
    readMesh(path);
    if (m_mesh.hexahedra.empty() == (model == VegaModel::MassSpringCubes))
        throw SceneError(location(s, m_meshKey), "'" + path.string() + "' has " +
                                                     (m_mesh.hexahedra.empty() ? "tetrahedra, not cubes: *tet"
                                                                               : "cubes, not tetrahedra: *cubic") +
                                                     "MeshFilename is the key for it");
}

void VegaSceneBuilder::readFixedVertices()
{
    const char* key = "fixedVerticesFilename";
    if (m_config.model == VegaModel::MassSpringChain) {
        m_fixed = {static_cast<Index>(m_points - 1)};
        if (!m_config.fixedVerticesFilename.empty())
            warn(key, "a chain is fixed at its last particle; *fixedVerticesFilename has no effect");
    } else if (!m_config.fixedVerticesFilename.empty()) {
        m_fixed = io::readVertexList(require(key, m_config.fixedVerticesFilename), m_points);
    }
}

// --- Scene

SceneElement VegaSceneBuilder::build()
{
    for (const std::string& note : m_config.notes) MessageLog::emit(Severity::Warning, note);
    readModel();
    readFixedVertices();

    SceneElement root = element("Node", {});
    set(root, "name", "root");
    set(root, "dt", m_config.timestep / m_config.substepsPerTimeStep, "timestep");
    describeGravity(root);
    root.children.push_back(element("DefaultAnimationLoop", {}));
    describeView(root);
    vega::addLights(root, m_config, "lightingConfigFilename", m_config.lightingConfigFilename);

    SceneElement body = element("Node", m_modelKey);
    set(body, "name", "body");
    describeSolver(body);
    describeMesh(body);
    describePoints(body);
    describeForces(body);
    describeLoads(body);
    describeSurfaces(body);
    root.children.push_back(std::move(body));

    if (!m_config.extraSceneGeometry.empty()) {
        const char* key = "extraSceneGeometry";
        addSurface(root, "extraSceneGeometry", key, m_config.resolve(m_config.extraSceneGeometry), Mapped::Not);
    }
    reportUnused();
    return root;
}

void VegaSceneBuilder::describeGravity(SceneElement& root) const
{
    set(root, "gravity", Vec3{0., hasGravity() ? -m_config.g : 0., 0.}, m_config.find("g") ? "g" : "addGravity");
    if (!hasGravity()) return;
    const std::string note = "gravity of " + toText(m_config.g) +
                             " m/s^2 acts along -y; Vega 4.0 reads this key but applies no (or a wrong) gravity";
    if (m_config.addGravity)
        inform("addGravity", note);
    else
        MessageLog::emit(Severity::Info, note, location(*m_springs, "addGravity"));
}

void VegaSceneBuilder::describeView(SceneElement& root) const
{
    SceneElement style = element("VisualStyle", {});
    set(style, "displayFlags", m_mesh.positions.empty() ? "showVisualModels showForceFields" : "showVisualModels");
    root.children.push_back(std::move(style));

    SceneElement background = element("BackgroundSetting", "backgroundColor");
    const Vec3& c = m_config.backgroundColor;
    set(background, "color",
        Vec<4, float>{static_cast<float>(c[0] / 255.), static_cast<float>(c[1] / 255.), static_cast<float>(c[2] / 255.),
                      1.f});
    root.children.push_back(std::move(background));

    if (m_config.find("windowWidth") || m_config.find("windowHeight")) {
        SceneElement viewer = element("ViewerSetting", "windowWidth");
        set(viewer, "resolution", Vec<2, int>{m_config.windowWidth, m_config.windowHeight});
        root.children.push_back(std::move(viewer));
    }

    root.children.push_back(vega::camera(m_config, m_config.focusPosition, m_config.cameraRadius,
                                         m_config.cameraLongitude, m_config.cameraLatitude));
}

void VegaSceneBuilder::describeSolver(SceneElement& body) const
{
    const bool newmark = m_config.solver == VegaSolver::ImplicitNewmark,
               central = m_config.solver == VegaSolver::CentralDifferences;
    constexpr const char* types[] = {"NewmarkImplicitSolver", "EulerImplicitSolver", "CentralDifferenceSolver",
                                     "EulerExplicitSolver", "EulerExplicitSolver"};
    SceneElement solver = element(types[static_cast<std::size_t>(m_config.solver)], "solver");
    set(solver, "rayleighMass", m_config.dampingMassCoef, "dampingMassCoef");
    if (isImplicit() || central) {
        set(solver, "rayleighStiffness", m_config.dampingStiffnessCoef, "dampingStiffnessCoef");
    } else if (m_config.dampingStiffnessCoef != 0.) {
        inform("dampingStiffnessCoef", "the explicit Euler methods of Vega have no stiffness damping: no effect");
    }
    if (isImplicit()) {
        set(solver, "maxIterations", m_config.maxIterations, "maxIterations");
        set(solver, "epsilon", m_config.epsilon, "epsilon");
    }
    if (newmark) {
        set(solver, "beta", m_config.newmarkBeta, "newmarkBeta");
        set(solver, "gamma", m_config.newmarkGamma, "newmarkGamma");
        // Vega takes the acceleration of its internal forces in a given initial state, and 0 without one.
        set(solver, "initialAcceleration", hasInitialState() || hasGravity());
        set(solver, "residualAtFixedPoints", true);
    }
    if (central)
        set(solver, "tangentialDampingMode", m_config.centralDifferencesTangentialDampingUpdateMode,
            "centralDifferencesTangentialDampingUpdateMode");
    if (!isImplicit() && !central) set(solver, "symplectic", m_config.solver == VegaSolver::SymplecticEuler);
    body.children.push_back(std::move(solver));

    const bool diagonal = isSpring() && !isImplicit() && !(central && m_config.dampingStiffnessCoef != 0.);
    if (diagonal) return;
    // Vega's Laplacian and the exact tangent of orthotropic materials are not symmetric.
    const bool general = m_config.dampingLaplacianCoef != 0. || (warp() == 2 && hasOrthotropic());
    SceneElement linear = element(isImplicit() && general ? "EigenSparseLU" : "SparseLDLSolver", "solver");
    set(linear, "template", "CompressedRowSparseMatrixMat3x3d");
    body.children.push_back(std::move(linear));
}

void VegaSceneBuilder::describeMesh(SceneElement& body) const
{
    if (m_config.model == VegaModel::MassSpringChain) return;
    const bool quads = m_config.model == VegaModel::MassSpringQuads, cubes = !m_mesh.hexahedra.empty();
    const std::string kind = quads ? "Quad" : cubes ? "Hexahedron" : "Tetrahedron";
    SceneElement loader = element(quads ? "MeshOBJLoader" : "MeshVegLoader", m_modelKey);
    loader.description.where = m_springs ? at(m_modelKey) : at(m_meshKey);
    set(loader, "name", "loader");
    set(loader, "filename", fileName(m_meshPath));
    body.children.push_back(std::move(loader));
    SceneElement container = element(kind + "SetTopologyContainer", m_modelKey);
    set(container, "name", "container");
    set(container, "src", "@loader");
    body.children.push_back(std::move(container));
    SceneElement geometry = element(kind + "SetGeometryAlgorithms", m_modelKey);
    set(geometry, "template", "Vec3");
    body.children.push_back(std::move(geometry));
}

void VegaSceneBuilder::describePoints(SceneElement& body) const
{
    SceneElement points = element("MechanicalObject", m_modelKey);
    set(points, "name", "points");
    set(points, "template", "Vec3");
    const bool chain = m_config.model == VegaModel::MassSpringChain;
    if (!m_config.initialPositionFilename.empty() || chain) {
        Vector<Vec3> x = m_rest;
        if (!m_config.initialPositionFilename.empty()) {
            const Vector<Vec3> u = readState("initialPositionFilename", m_config.initialPositionFilename);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += u[i];
        } else {
            // Vega starts a chain lying along x at the height of its fixed end.
            for (Vec3& p : x) p = {1. - p[1], 1., 0.};
        }
        set(points, "position", x, chain ? m_modelKey : "initialPositionFilename");
        if (chain)
            set(points, "rest_position", m_rest);
        else
            set(points, "rest_position", "@loader.position");
    }
    if (!m_config.initialVelocityFilename.empty())
        set(points, "velocity", readState("initialVelocityFilename", m_config.initialVelocityFilename),
            "initialVelocityFilename");
    if (!chain) set(points, "src", "@loader");
    body.children.push_back(std::move(points));

    const bool cubes = !m_mesh.hexahedra.empty();
    SceneElement mass = element(chain        ? "UniformMass"
                                : isSpring() ? "DiagonalMass"
                                : cubes      ? "FEMMass"
                                             : "MeshMatrixMass",
                                m_modelKey);
    if (cubes && !chain && !isSpring())
        set(mass, "template", "Vec3,Hexahedron");
    else if (!chain)
        set(mass, "computeMassOnRest", true);
    if (chain)
        set(mass, "vertexMass", 1.);
    else if (isSpring())
        set(mass, "massDensity", m_springs->density);
    else
        set(mass, "massDensity", "@loader.density");
    body.children.push_back(std::move(mass));
    if (m_springs && m_springs->density != 1.)
        MessageLog::emit(
            Severity::Info,
            "the density " + toText(m_springs->density) + " gives the masses; Vega 4.0 reads this key but takes 1",
            location(*m_springs, m_config.model == VegaModel::MassSpringQuads ? "surfaceDensity" : "density"));
}

// --- Forces

void VegaSceneBuilder::describeForces(SceneElement& body) const
{
    if (isSpring()) {
        describeSprings(body);
    } else {
        const bool invertible = m_config.model == VegaModel::Invertible, stvk = m_config.model == VegaModel::StVK;
        SceneElement field = element(invertible ? "InvertibleFEMForceField"
                                     : stvk     ? "StVKFEMForceField"
                                                : "CorotationalLinearFEMForceField",
                                     m_modelKey);
        describeMaterial(field);
        if (invertible) {
            constexpr const char* materials[] = {"", "StVK", "neoHookean", "MooneyRivlin"};
            set(field, "material", materials[static_cast<std::size_t>(m_config.invertibleMaterial)],
                "invertibleMaterial");
            set(field, "tangentProjection", "none", "deformableObjectMethod");
            set(field, "inversionThreshold", m_config.inversionThreshold, "inversionThreshold");
            set(field, "compressionResistance",
                m_config.enableCompressionResistance ? m_config.compressionResistance : 0., "compressionResistance");
        } else if (!stvk) {
            set(field, "warp", warp(), "corotationalLinearFEM_warp");
        }
        body.children.push_back(std::move(field));
    }
    if (m_config.dampingLaplacianCoef != 0.) {
        const char* key = "dampingLaplacianCoef";
        if (m_config.solver == VegaSolver::Euler || m_config.solver == VegaSolver::SymplecticEuler) {
            inform(key, "the explicit Euler methods of Vega take no damping matrix: no effect");
        } else if (m_config.model == VegaModel::MassSpringChain) {
            warn(key, "*dampingLaplacianCoef has no effect on a chain: it has no mesh");
        } else {
            if (m_config.solver == VegaSolver::CentralDifferences)
                warn(key, "central differences treat this damping explicitly here, which needs smaller time steps");
            SceneElement damping = element("DampingMatrixForceField", key);
            set(damping, "laplacian", m_config.dampingLaplacianCoef);
            set(damping, "scaleRows", true);
            body.children.push_back(std::move(damping));
        }
    }
    if (m_fixed.empty()) return;
    SceneElement fixed = element("FixedProjectiveConstraint",
                                 m_config.model == VegaModel::MassSpringChain ? m_modelKey : "fixedVerticesFilename");
    set(fixed, "indices", m_fixed);
    body.children.push_back(std::move(fixed));
}

void VegaSceneBuilder::describeSprings(SceneElement& body) const
{
    const double factor = m_config.frequencyScaling * m_config.frequencyScaling;
    SceneElement field = element("MassSpringForceField", m_modelKey);
    if (!m_springs) {
        Vector<Edge> springs;
        for (Index i = 0; i + 1 < m_points; ++i) springs.push_back({i, i + 1});
        set(field, "springs", springs);
        set(field, "tensileStiffness", factor * m_config.chainStiffness);
    } else {
        set(field, "tensileStiffness", factor * m_springs->tensileStiffness);
        if (m_config.model == VegaModel::MassSpringQuads) {
            set(field, "shearStiffness", factor * m_springs->shearStiffness);
            set(field, "bendStiffness", factor * m_springs->bendStiffness);
        }
        if (m_springs->damping != 0.)
            MessageLog::emit(Severity::Info,
                             "the damping of springs has no effect, as in Vega; give it to MassSpringForceField in the "
                             "exported scene to have it",
                             location(*m_springs, "damping"));
    }
    body.children.push_back(std::move(field));
}

template <class Get>
void VegaSceneBuilder::setProperty(SceneElement& field, const char* name, Get get) const
{
    const double factor = m_config.frequencyScaling * m_config.frequencyScaling;
    if (factor == 1.) return set(field, name, "@loader." + std::string(name));
    Vector<std::decay_t<decltype(get(m_mesh.materialOf(0)))>> values;
    for (std::size_t e = 0; e < m_mesh.elementCount(); ++e) values.push_back(get(m_mesh.materialOf(e)) * factor);
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) values.resize(1);
    set(field, name, values, "frequencyScaling");
}

void VegaSceneBuilder::describeMaterial(SceneElement& field) const
{
    const bool mooneyRivlin =
        m_config.model == VegaModel::Invertible && m_config.invertibleMaterial == VegaInvertibleMaterial::MooneyRivlin;
    const Kind expected = mooneyRivlin ? Kind::MooneyRivlin : Kind::Isotropic;
    for (std::size_t e = 0; e < m_mesh.elementCount(); ++e) {
        const io::VegMaterial& m = m_mesh.materialOf(e);
        if (m.kind == expected || (m.kind == Kind::Orthotropic && isLinearMaterial())) continue;
        const char* kinds[] = {"isotropic (ENU)", "orthotropic", "Mooney-Rivlin (MOONEYRIVLIN)"};
        fail(mooneyRivlin ? "invertibleMaterial" : m_modelKey,
             "the material '" + m.name + "' of the mesh is " + kinds[static_cast<std::size_t>(m.kind)] +
                 "; this method takes " + kinds[static_cast<std::size_t>(expected)] + " materials here");
    }
    if (mooneyRivlin) {
        setProperty(field, "mu01", [](const io::VegMaterial& m) { return m.mu01; });
        setProperty(field, "mu10", [](const io::VegMaterial& m) { return m.mu10; });
        setProperty(field, "v1", [](const io::VegMaterial& m) { return m.v1; });
        return;
    }
    if (hasOrthotropic()) {
        setProperty(field, "orthotropicModuli", [](const io::VegMaterial& m) { return m.toOrthotropic().moduli; });
        set(field, "orthotropicRatios", "@loader.orthotropicRatios");
        setProperty(field, "orthotropicShearModuli",
                    [](const io::VegMaterial& m) { return m.toOrthotropic().shearModuli; });
        set(field, "orthotropicAxes", "@loader.orthotropicAxes");
        return;
    }
    setProperty(field, "youngModulus", [](const io::VegMaterial& m) { return m.youngModulus; });
    set(field, "poissonRatio", "@loader.poissonRatio");
}

void VegaSceneBuilder::describeLoads(SceneElement& body) const
{
    const char* key = "forceLoadsFilename";
    if (!m_config.forceLoadsFilename.empty()) {
        SceneElement loads = element("ForceSequence", key);
        set(loads, "name", "loads");
        set(loads, "filename", fileName(require(key, m_config.forceLoadsFilename)));
        set(loads, "period", m_config.timestep, "timestep");
        body.children.push_back(std::move(loads));
    }
    if (!m_config.outputFilename.empty()) {
        SceneElement exporter = element("VegaStateExporter", "outputFilename");
        set(exporter, "filename", m_config.outputFilename);
        if (!m_config.forceLoadsFilename.empty()) set(exporter, "forces", "@loads.forces");
        body.children.push_back(std::move(exporter));
    }
}

// --- Picture

void VegaSceneBuilder::describeSurfaces(SceneElement& body) const
{
    if (m_springs && m_config.model != VegaModel::MassSpringQuads && !m_springs->surfaceMeshFilename.empty()) {
        addSurface(body, "surface", m_modelKey, m_springs->resolve(m_springs->surfaceMeshFilename), Mapped::First);
    } else if (m_config.model == VegaModel::MassSpringQuads) {
        addSurface(body, "surface", m_modelKey, m_meshPath, Mapped::First);
    } else if (!m_config.renderingMeshFilename.empty() && m_config.model != VegaModel::MassSpringChain) {
        addSurface(body, "surface", "renderingMeshFilename", m_config.resolve(m_config.renderingMeshFilename),
                   Mapped::First);
    }
    if (!m_config.secondaryRenderingMeshFilename.empty() && m_config.model != VegaModel::MassSpringChain)
        addSurface(body, "embedded", "secondaryRenderingMeshFilename",
                   m_config.resolve(m_config.secondaryRenderingMeshFilename), Mapped::Embedded,
                   m_config.renderSecondaryDeformableObject);
}

void VegaSceneBuilder::addSurface(SceneElement& parent, const char* nodeName, std::string_view key,
                                  const fs::path& file, Mapped how, bool shown) const
{
    const fs::path path = file.lexically_normal();
    std::size_t points = 0;
    try {
        points = io::readMesh(path).positions.size();
    } catch (const io::MeshError& e) {
        return warn(key, std::string(e.what()) + "; nothing is drawn");
    }
    if (how == Mapped::First && points > m_points)
        fail(key, "'" + path.string() + "' has " + std::to_string(points) + " points and the mesh only " +
                      std::to_string(m_points) + ": its points must be the first ones of the mesh");
    SceneElement node = element("Node", key);
    set(node, "name", nodeName);
    SceneElement model = element("OglModel", key);
    set(model, "name", "visual");
    set(model, "filename", fileName(path));
    if (!shown) set(model, "enable", false, "renderSecondaryDeformableObject");
    node.children.push_back(std::move(model));
    if (how != Mapped::Not) {
        const bool subset = how == Mapped::First && points < m_points;
        SceneElement mapping = element(how == Mapped::Embedded ? "BarycentricMapping"
                                       : subset                ? "SubsetMapping"
                                                               : "IdentityMapping",
                                       key);
        if (how == Mapped::Embedded) {
            // The points belong to the rest shape.
            if (!m_config.initialPositionFilename.empty()) set(mapping, "useRestPosition", true);
            const char* weights = "secondaryRenderingMeshInterpolationFilename";
            set(mapping, "interpolation",
                fileName(m_config.resolve(m_config.secondaryRenderingMeshInterpolationFilename).lexically_normal()),
                weights);
        }
        if (subset) {
            set(mapping, "first", 0);
            set(mapping, "last", points - 1);
        }
        node.children.push_back(std::move(mapping));
    }
    parent.children.push_back(std::move(node));
}

void VegaSceneBuilder::reportUnused() const
{
    std::vector<const char*> keys = {"deformableObjectCompliance",
                                     "forceNeighborhoodSize",
                                     "numInternalForceThreads",
                                     "numSolverThreads",
                                     "useRealTimeNormals",
                                     "renderWireframe",
                                     "renderAxes",
                                     "enableTextures",
                                     "groundPlane",
                                     "singleStepMode",
                                     "pauseSimulation",
                                     "lockAt30Hz"};
    if (m_config.syncTimestepWithGraphics) keys.push_back("syncTimestepWithGraphics");
    if (isSpring()) keys.insert(keys.end(), {"volumetricMeshFilename", "deformableObjectMethod"});
    if (m_config.model != VegaModel::Invertible)
        keys.insert(keys.end(), {"invertibleMaterial", "inversionThreshold", "enableCompressionResistance",
                                 "compressionResistance"});
    std::string list;
    for (const char* key : keys)
        if (const io::ConfigKey* k = m_config.find(key))
            list += (list.empty() ? "" : ", ") + k->name + " (line " + std::to_string(k->line) + ')';
    if (!list.empty()) MessageLog::emit(Severity::Info, "without effect in this scene: " + list, at({}));
}

}  // namespace

bool isVegaConfigName(const fs::path& path) { return io::equalsIgnoringCase(path.extension().string(), ".config"); }

SceneElement vegaScene(const io::VegaConfig& config) { return VegaSceneBuilder(config).build(); }

std::shared_ptr<Node> loadVegaScene(const std::string& path, const LoadOptions& options, LoadReport* report)
{
    const fs::path file = fs::absolute(path).lexically_normal();
    const io::SourceText source = io::loadSource(file);
    SceneElement scene;
    LoadReport mine;
    {
        const MessageRecorder recorder;
        scene = io::isVegaClothConfig(source) ? vegaScene(io::parseVegaClothConfig(source))
                                              : vegaScene(io::parseVegaConfig(source));
        mine.messages = recorder.messages();
    }
    if (report) report->messages.insert(report->messages.end(), mine.messages.begin(), mine.messages.end());
    return buildScene(scene, options, report);
}

}  // namespace sofa::component
