// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaScene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "components/scene/VegaSceneParts.h"
#include "components/scene/VegaSimulatedModel.h"
#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/MeshReader.h"
#include "core/io/VegFormat.h"
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
    explicit VegaSceneBuilder(const io::VegaConfig& config) : m_config(config), m_simulated(config) {}
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

    // --- Parts of the scene ---------------------------------------------------------------------------------------
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
    bool hasGravity() const { return m_config.addGravity || (m_simulated.springs && m_simulated.springs->addGravity); }
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
        const auto isOrthotropic = [&](Index m) { return m_simulated.mesh.materials[m].kind == Kind::Orthotropic; };
        return isLinearMaterial() && std::ranges::any_of(m_simulated.mesh.elementMaterial, isOrthotropic);
    }
    /// Property of the material of each element, times the square of frequencyScaling.
    template <class Get>
    void setProperty(SceneElement& forceField, const char* name, Get get) const;

    const io::VegaConfig& m_config;
    const vega::SimulatedModel m_simulated;
};

// --- Files

fs::path VegaSceneBuilder::require(std::string_view key, const io::VegaFile& owner, const std::string& name) const
{
    return vega::require(owner, key, name);
}

std::string VegaSceneBuilder::fileName(const fs::path& path) const { return vega::nameFrom(m_config, path); }

// --- Scene

SceneElement VegaSceneBuilder::build()
{
    SceneElement root = element("Node", {});
    set(root, "name", "root");
    set(root, "dt", m_config.timestep / m_config.substepsPerTimeStep, "timestep");
    describeGravity(root);
    root.children.push_back(element("DefaultAnimationLoop", {}));
    describeView(root);
    vega::addLights(root, m_config, "lightingConfigFilename", m_config.lightingConfigFilename);

    SceneElement body = element("Node", m_simulated.modelKey);
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
        MessageLog::emit(Severity::Info, note, location(*m_simulated.springs, "addGravity"));
}

void VegaSceneBuilder::describeView(SceneElement& root) const
{
    SceneElement style = element("VisualStyle", {});
    set(style, "displayFlags",
        m_simulated.mesh.positions.empty() ? "showVisualModels showForceFields" : "showVisualModels");
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
    if (central) {
        set(solver, "tangentialDampingMode", m_config.centralDifferencesTangentialDampingUpdateMode,
            "centralDifferencesTangentialDampingUpdateMode");
        set(solver, "startVelocity", "before");
    }
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
    const bool quads = m_config.model == VegaModel::MassSpringQuads, cubes = !m_simulated.mesh.hexahedra.empty();
    const std::string kind = quads ? "Quad" : cubes ? "Hexahedron" : "Tetrahedron";
    SceneElement loader = element(quads ? "MeshOBJLoader" : "MeshVegLoader", m_simulated.modelKey);
    loader.description.where = m_simulated.springs ? at(m_simulated.modelKey) : at(m_simulated.meshKey);
    set(loader, "name", "loader");
    set(loader, "filename", fileName(m_simulated.meshPath));
    body.children.push_back(std::move(loader));
    SceneElement container = element(kind + "SetTopologyContainer", m_simulated.modelKey);
    set(container, "name", "container");
    set(container, "src", "@loader");
    body.children.push_back(std::move(container));
    SceneElement geometry = element(kind + "SetGeometryAlgorithms", m_simulated.modelKey);
    set(geometry, "template", "Vec3");
    body.children.push_back(std::move(geometry));
}

void VegaSceneBuilder::describePoints(SceneElement& body) const
{
    SceneElement points = element("MechanicalObject", m_simulated.modelKey);
    set(points, "name", "points");
    set(points, "template", "Vec3");
    const bool chain = m_config.model == VegaModel::MassSpringChain;
    if (!m_config.initialPositionFilename.empty() || chain) {
        Vector<Vec3> x = m_simulated.rest;
        if (!m_config.initialPositionFilename.empty()) {
            const Vector<Vec3> u = m_simulated.readState("initialPositionFilename", m_config.initialPositionFilename);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += u[i];
        } else {
            // Vega starts a chain lying along x at the height of its fixed end.
            for (Vec3& p : x) p = {1. - p[1], 1., 0.};
        }
        set(points, "position", x, chain ? m_simulated.modelKey : "initialPositionFilename");
        if (chain)
            set(points, "rest_position", m_simulated.rest);
        else
            set(points, "rest_position", "@loader.position");
    }
    if (!m_config.initialVelocityFilename.empty())
        set(points, "velocity", m_simulated.readState("initialVelocityFilename", m_config.initialVelocityFilename),
            "initialVelocityFilename");
    if (!chain) set(points, "src", "@loader");
    body.children.push_back(std::move(points));

    const bool cubes = !m_simulated.mesh.hexahedra.empty();
    SceneElement mass = element(chain        ? "UniformMass"
                                : isSpring() ? "DiagonalMass"
                                : cubes      ? "FEMMass"
                                             : "MeshMatrixMass",
                                m_simulated.modelKey);
    if (cubes && !chain && !isSpring())
        set(mass, "template", "Vec3,Hexahedron");
    else if (!chain)
        set(mass, "computeMassOnRest", true);
    if (chain)
        set(mass, "vertexMass", 1.);
    else if (isSpring())
        set(mass, "massDensity", m_simulated.springs->density);
    else
        set(mass, "massDensity", "@loader.density");
    body.children.push_back(std::move(mass));
    if (m_simulated.springs && m_simulated.springs->density != 1.)
        MessageLog::emit(Severity::Info,
                         "the density " + toText(m_simulated.springs->density) +
                             " gives the masses; Vega 4.0 reads this key but takes 1",
                         location(*m_simulated.springs,
                                  m_config.model == VegaModel::MassSpringQuads ? "surfaceDensity" : "density"));
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
                                     m_simulated.modelKey);
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
    if (m_simulated.fixed.empty()) return;
    SceneElement fixed =
        element("FixedProjectiveConstraint",
                m_config.model == VegaModel::MassSpringChain ? m_simulated.modelKey : "fixedVerticesFilename");
    set(fixed, "indices", m_simulated.fixed);
    body.children.push_back(std::move(fixed));
}

void VegaSceneBuilder::describeSprings(SceneElement& body) const
{
    const double factor = m_config.frequencyScaling * m_config.frequencyScaling;
    SceneElement field = element("MassSpringForceField", m_simulated.modelKey);
    if (!m_simulated.springs) {
        Vector<Edge> springs;
        for (Index i = 0; i + 1 < m_simulated.points; ++i) springs.push_back({i, i + 1});
        set(field, "springs", springs);
        set(field, "tensileStiffness", factor * m_config.chainStiffness);
    } else {
        set(field, "tensileStiffness", factor * m_simulated.springs->tensileStiffness);
        if (m_config.model == VegaModel::MassSpringQuads) {
            set(field, "shearStiffness", factor * m_simulated.springs->shearStiffness);
            set(field, "bendStiffness", factor * m_simulated.springs->bendStiffness);
        }
        if (m_simulated.springs->damping != 0.)
            MessageLog::emit(Severity::Info,
                             "the damping of springs has no effect, as in Vega; give it to MassSpringForceField in the "
                             "exported scene to have it",
                             location(*m_simulated.springs, "damping"));
    }
    body.children.push_back(std::move(field));
}

template <class Get>
void VegaSceneBuilder::setProperty(SceneElement& field, const char* name, Get get) const
{
    const double factor = m_config.frequencyScaling * m_config.frequencyScaling;
    if (factor == 1.) return set(field, name, "@loader." + std::string(name));
    Vector<std::decay_t<decltype(get(m_simulated.mesh.materialOf(0)))>> values;
    for (std::size_t e = 0; e < m_simulated.mesh.elementCount(); ++e)
        values.push_back(get(m_simulated.mesh.materialOf(e)) * factor);
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) values.resize(1);
    set(field, name, values, "frequencyScaling");
}

void VegaSceneBuilder::describeMaterial(SceneElement& field) const
{
    const bool mooneyRivlin =
        m_config.model == VegaModel::Invertible && m_config.invertibleMaterial == VegaInvertibleMaterial::MooneyRivlin;
    const Kind expected = mooneyRivlin ? Kind::MooneyRivlin : Kind::Isotropic;
    for (std::size_t e = 0; e < m_simulated.mesh.elementCount(); ++e) {
        const io::VegMaterial& m = m_simulated.mesh.materialOf(e);
        if (m.kind == expected || (m.kind == Kind::Orthotropic && isLinearMaterial())) continue;
        const char* kinds[] = {"isotropic (ENU)", "orthotropic", "Mooney-Rivlin (MOONEYRIVLIN)"};
        fail(mooneyRivlin ? "invertibleMaterial" : m_simulated.modelKey,
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

// --- Surfaces

void VegaSceneBuilder::describeSurfaces(SceneElement& body) const
{
    if (m_simulated.springs && m_config.model != VegaModel::MassSpringQuads &&
        !m_simulated.springs->surfaceMeshFilename.empty()) {
        addSurface(body, "surface", m_simulated.modelKey,
                   m_simulated.springs->resolve(m_simulated.springs->surfaceMeshFilename), Mapped::First);
    } else if (m_config.model == VegaModel::MassSpringQuads) {
        addSurface(body, "surface", m_simulated.modelKey, m_simulated.meshPath, Mapped::First);
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
    if (how == Mapped::First && points > m_simulated.points)
        fail(key, "'" + path.string() + "' has " + std::to_string(points) + " points and the mesh only " +
                      std::to_string(m_simulated.points) + ": its points must be the first ones of the mesh");
    SceneElement node = element("Node", key);
    set(node, "name", nodeName);
    SceneElement model = element("OglModel", key);
    set(model, "name", "visual");
    set(model, "filename", fileName(path));
    if (!shown) set(model, "enable", false, "renderSecondaryDeformableObject");
    node.children.push_back(std::move(model));
    if (how != Mapped::Not) {
        const bool subset = how == Mapped::First && points < m_simulated.points;
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

SceneElement vegaScene(const io::VegaConfig& config)
{
    for (const std::string& note : config.notes) MessageLog::emit(Severity::Warning, note);
    return VegaSceneBuilder(config).build();
}

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
