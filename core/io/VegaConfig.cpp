// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegaConfig.h"

#include "core/io/ConfigReader.h"
#include "core/io/MeshError.h"

namespace sofa::core::io {

namespace {

/// Reads a text value; "__none" stands for none.
void clearNone(std::initializer_list<std::string*> names)
{
    for (std::string* s : names)
        if (*s == "__none") s->clear();
}

void requirePositive(const ConfigReader& reader, const char* key, double value)
{
    if (!(value > 0.)) reader.fail(key, std::string("*") + key + " above 0");
}

void requireNonNegative(const ConfigReader& reader, const char* key, double value)
{
    if (!(value >= 0.)) reader.fail(key, std::string("*") + key + " not below 0");
}

/// "chain,<particles>,<stiffness>"
void parseChain(const ConfigReader& reader, const std::string& text, VegaConfig& c)
{
    const char* key = "customMassSpringSystem";
    const char* expected = "chain,<number of particles from 2>,<stiffness above 0>";
    const SourceText source{c.file.string(), text};
    LineValues v(DataLine{source.text, &source, 1});
    std::int64_t n = 0;
    if (v.next() != "chain" || !parseInteger(v.next(), n) || n < 2 || n > (1 << 24)) reader.fail(key, expected);
    if (!parseReal(v.next(), c.chainStiffness) || !(c.chainStiffness > 0.)) reader.fail(key, expected);
    c.chainParticles = static_cast<int>(n);
}

void parseColor(const ConfigReader& reader, const std::string& text, Vec3& color)
{
    const SourceText source{"color", text};
    LineValues v(DataLine{source.text, &source, 1});
    for (double& c : color)
        if (!parseReal(v.next(), c) || !(c >= 0. && c <= 255.))
            reader.fail("backgroundColor", "red, green and blue from 0 to 255");
}

/// Texts that the members of VegaConfig are computed from.
struct RawConfig
{
    std::string solver = "implicitNewmark", obsoleteSolver = "none", method = "StVK", invertible = "__none";
    std::string quads, tetrahedra, cubes, chain, color = "255 255 255";
};

void addKeys(ConfigReader& r, VegaConfig& c, RawConfig& raw)
{
    r.optional("volumetricMeshFilename", &c.volumetricMeshFilename);
    r.optional("deformableObjectMethod", &raw.method);
    r.optional("invertibleMaterial", &raw.invertible);
    r.optional("inversionThreshold", &c.inversionThreshold);
    r.optional("enableCompressionResistance", &c.enableCompressionResistance);
    r.optional("compressionResistance", &c.compressionResistance);
    r.optional("corotationalLinearFEM_warp", &c.corotationalLinearFEM_warp);
    r.optional("massSpringSystemObjConfigFilename", &raw.quads);
    r.optional("massSpringSystemTetMeshConfigFilename", &raw.tetrahedra);
    r.optional("massSpringSystemCubicMeshConfigFilename", &raw.cubes);
    r.optional("customMassSpringSystem", &raw.chain);
    r.optional("solver", &raw.solver);
    r.optional("implicitSolverMethod", &raw.obsoleteSolver);
    r.required("timestep", &c.timestep);
    r.optional("substepsPerTimeStep", &c.substepsPerTimeStep);
    r.optional("syncTimestepWithGraphics", &c.syncTimestepWithGraphics);
    r.required("dampingMassCoef", &c.dampingMassCoef);
    r.required("dampingStiffnessCoef", &c.dampingStiffnessCoef);
    r.optional("dampingLaplacianCoef", &c.dampingLaplacianCoef);
    r.optional("newmarkBeta", &c.newmarkBeta);
    r.optional("newmarkGamma", &c.newmarkGamma);
    r.optional("centralDifferencesTangentialDampingUpdateMode", &c.centralDifferencesTangentialDampingUpdateMode);
    r.optional("maxIterations", &c.maxIterations);
    r.optional("epsilon", &c.epsilon);
    r.optional("numInternalForceThreads", &c.numInternalForceThreads);
    r.optional("numSolverThreads", &c.numSolverThreads);
    r.required("deformableObjectCompliance", &c.deformableObjectCompliance);
    r.optional("forceNeighborhoodSize", &c.forceNeighborhoodSize);
    r.required("frequencyScaling", &c.frequencyScaling);
    r.optional("fixedVerticesFilename", &c.fixedVerticesFilename);
    r.optional("initialPositionFilename", &c.initialPositionFilename);
    r.optional("initialVelocityFilename", &c.initialVelocityFilename);
    r.optional("forceLoadsFilename", &c.forceLoadsFilename);
    r.optional("outputFilename", &c.outputFilename);
    r.optional("addGravity", &c.addGravity);
    r.optional("g", &c.g);
    r.optional("renderingMeshFilename", &c.renderingMeshFilename);
    r.optional("secondaryRenderingMeshFilename", &c.secondaryRenderingMeshFilename);
    r.optional("secondaryRenderingMeshInterpolationFilename", &c.secondaryRenderingMeshInterpolationFilename);
    r.optional("renderSecondaryDeformableObject", &c.renderSecondaryDeformableObject);
    r.required("lightingConfigFilename", &c.lightingConfigFilename);
    r.optional("useRealTimeNormals", &c.useRealTimeNormals);
    r.optional("cameraRadius", &c.cameraRadius);
    r.optional("cameraLongitude", &c.cameraLongitude);
    r.optional("cameraLattitude", &c.cameraLatitude);
    r.optional("focusPositionX", &c.focusPosition[0]);
    r.optional("focusPositionY", &c.focusPosition[1]);
    r.optional("focusPositionZ", &c.focusPosition[2]);
    r.optional("windowWidth", &c.windowWidth);
    r.optional("windowHeight", &c.windowHeight);
    r.optional("renderWireframe", &c.renderWireframe);
    r.optional("renderAxes", &c.renderAxes);
    r.optional("enableTextures", &c.enableTextures);
    r.optional("backgroundColor", &raw.color);
    r.optional("extraSceneGeometry", &c.extraSceneGeometry);
    r.optional("groundPlane", &c.groundPlane);
    r.optional("singleStepMode", &c.singleStepMode);
    r.optional("pauseSimulation", &c.pauseSimulation);
    r.optional("lockAt30Hz", &c.lockAt30Hz);
}

/// Decides what is simulated: mass-spring keys override the method, the first of them given counts.
void chooseModel(const ConfigReader& r, const RawConfig& raw, VegaConfig& c)
{
    const auto method = r.choice("deformableObjectMethod", {"StVK", "CLFEM", "LinearFEM", "InvertibleFEM"});
    if (!c.volumetricMeshFilename.empty()) {
        constexpr VegaModel models[] = {VegaModel::StVK, VegaModel::CorotationalLinear, VegaModel::Linear,
                                        VegaModel::Invertible};
        c.model = models[method];
    }
    const auto spring = [&](const std::string& file, VegaModel model) {
        if (file.empty() || !c.massSpringFile.empty()) return;
        c.massSpringFile = file;
        c.model = model;
    };
    spring(raw.quads, VegaModel::MassSpringQuads);
    spring(raw.tetrahedra, VegaModel::MassSpringTetrahedra);
    spring(raw.cubes, VegaModel::MassSpringCubes);
    if (c.massSpringFile.empty() && !raw.chain.empty()) {
        c.model = VegaModel::MassSpringChain;
        parseChain(r, raw.chain, c);
    }
    if (r.isSet("invertibleMaterial") || c.model == VegaModel::Invertible)
        c.invertibleMaterial = static_cast<VegaInvertibleMaterial>(
            r.choice("invertibleMaterial", {"__none", "StVK", "neoHookean", "MooneyRivlin"}));
    if (c.model == VegaModel::Invertible && c.invertibleMaterial == VegaInvertibleMaterial::None)
        r.fail("invertibleMaterial", "an *invertibleMaterial (StVK, neoHookean or MooneyRivlin) for InvertibleFEM");
}

void checkNumbers(const ConfigReader& r, const VegaConfig& c)
{
    requirePositive(r, "timestep", c.timestep);
    requirePositive(r, "substepsPerTimeStep", c.substepsPerTimeStep);
    requirePositive(r, "maxIterations", c.maxIterations);
    requirePositive(r, "windowWidth", c.windowWidth);
    requirePositive(r, "windowHeight", c.windowHeight);
    requireNonNegative(r, "epsilon", c.epsilon);
    requireNonNegative(r, "forceNeighborhoodSize", c.forceNeighborhoodSize);
    requireNonNegative(r, "centralDifferencesTangentialDampingUpdateMode",
                       c.centralDifferencesTangentialDampingUpdateMode);
    if (c.corotationalLinearFEM_warp < 0 || c.corotationalLinearFEM_warp > 2)
        r.fail("corotationalLinearFEM_warp", "*corotationalLinearFEM_warp 0, 1 or 2");
}

}  // namespace

const ConfigKey* VegaFile::find(std::string_view key) const
{
    for (const ConfigKey& k : given)
        if (equalsIgnoringCase(k.name, key)) return &k;
    return nullptr;
}

VegaConfig parseVegaConfig(const SourceText& source)
{
    VegaConfig c;
    c.file = source.path;
    RawConfig raw;
    ConfigReader r;
    addKeys(r, c, raw);
    r.parse(source, c.notes);
    c.given = r.given();
    clearNone({&c.volumetricMeshFilename, &raw.quads, &raw.tetrahedra, &raw.cubes, &raw.chain, &c.fixedVerticesFilename,
               &c.initialPositionFilename, &c.initialVelocityFilename, &c.forceLoadsFilename, &c.outputFilename,
               &c.renderingMeshFilename, &c.secondaryRenderingMeshFilename,
               &c.secondaryRenderingMeshInterpolationFilename, &c.lightingConfigFilename, &c.extraSceneGeometry,
               &c.groundPlane});
    c.solver = static_cast<VegaSolver>(r.choice(
        "solver", {"implicitNewmark", "implicitBackwardEuler", "centralDifferences", "Euler", "symplecticEuler"}));
    if (r.isSet("implicitSolverMethod"))
        c.notes.push_back(r.place("implicitSolverMethod") +
                          ": the key implicitSolverMethod is obsolete and has no effect; *solver decides");
    chooseModel(r, raw, c);
    parseColor(r, raw.color, c.backgroundColor);
    checkNumbers(r, c);
    if (!c.secondaryRenderingMeshFilename.empty() && c.secondaryRenderingMeshInterpolationFilename.empty())
        r.fail("secondaryRenderingMeshInterpolationFilename",
               "a *secondaryRenderingMeshInterpolationFilename for the *secondaryRenderingMeshFilename");
    return c;
}

VegaConfig readVegaConfig(const std::filesystem::path& path) { return parseVegaConfig(loadSource(path)); }

VegaMassSpring parseVegaMassSpring(const SourceText& source)
{
    VegaMassSpring m;
    m.file = source.path;
    std::string meshes[3];
    static const char* const meshKeys[] = {"tetMeshFilename", "cubicMeshFilename", "massSpringMeshFilename"};
    double surfaceDensity = 0.;
    ConfigReader r;
    for (std::size_t k = 0; k < 3; ++k) r.optional(meshKeys[k], &meshes[k]);
    r.optional("surfaceMeshFilename", &m.surfaceMeshFilename);
    r.optional("density", &m.density);
    r.optional("surfaceDensity", &surfaceDensity);
    r.required("tensileStiffness", &m.tensileStiffness);
    r.optional("shearStiffness", &m.shearStiffness);
    r.optional("bendStiffness", &m.bendStiffness);
    r.required("damping", &m.damping);
    r.required("addGravity", &m.addGravity);
    r.parse(source, m.notes);
    m.given = r.given();

    std::size_t given = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!r.isSet(meshKeys[k])) continue;
        if (given++) r.fail(meshKeys[k], "one of tetMeshFilename, cubicMeshFilename and massSpringMeshFilename only");
        m.kind = static_cast<VegaMassSpring::Kind>(k);
        m.meshFilename = meshes[k];
    }
    if (!given) r.fail("tetMeshFilename", "the key *tetMeshFilename, *cubicMeshFilename or *massSpringMeshFilename");
    const bool quads = m.kind == VegaMassSpring::Kind::Quads;
    const auto required = quads ? std::vector<const char*>{"surfaceDensity", "shearStiffness", "bendStiffness"}
                                : std::vector<const char*>{"density"};
    for (const char* key : required)
        if (!r.isSet(key)) r.fail(key, std::string("the key *") + key);
    const auto foreign = quads ? std::vector<const char*>{"density", "surfaceMeshFilename"}
                               : std::vector<const char*>{"surfaceDensity", "shearStiffness", "bendStiffness"};
    for (const char* key : foreign)
        if (r.isSet(key)) m.notes.push_back(r.place(key) + ": the key " + key + " has no effect on this kind of mesh");
    if (quads) m.density = surfaceDensity;
    clearNone({&m.surfaceMeshFilename});
    requireNonNegative(r, quads ? "surfaceDensity" : "density", m.density);
    requireNonNegative(r, "tensileStiffness", m.tensileStiffness);
    requireNonNegative(r, "damping", m.damping);
    return m;
}

VegaMassSpring readVegaMassSpring(const std::filesystem::path& path) { return parseVegaMassSpring(loadSource(path)); }

bool isVegaClothConfig(const SourceText& source)
{
    DataLines lines(source);
    for (DataLine line; lines.next(line) && line.text != "**EOF";)
        if (equalsIgnoringCase(line.text, "*objMeshname")) return true;
    return false;
}

VegaClothConfig parseVegaClothConfig(const SourceText& source)
{
    VegaClothConfig c;
    c.file = source.path;
    ConfigReader r;
    r.required("objMeshname", &c.objMeshname);
    r.required("fixedVerticesFilename", &c.fixedVerticesFilename);
    r.required("lightingFilename", &c.lightingFilename);
    r.optional("timeStep", &c.timeStep);
    r.optional("surfaceDensity", &c.surfaceDensity);
    r.optional("tensileStiffness", &c.tensileStiffness);
    r.optional("shearStiffness", &c.shearStiffness);
    r.optional("bendStiffnessU", &c.bendStiffnessU);
    r.optional("bendStiffnessV", &c.bendStiffnessV);
    r.optional("useRestAngles", &c.useRestAngles);
    r.optional("dampingMass", &c.dampingMass);
    r.optional("dampingStiffness", &c.dampingStiffness);
    r.optional("addGravity", &c.addGravity);
    r.optional("gravityForce", &c.gravityForce);
    r.optional("wind_x", &c.wind[0]);
    r.optional("wind_y", &c.wind[1]);
    r.optional("wind_z", &c.wind[2]);
    r.optional("mouseForceCoeff", &c.mouseForceCoeff);
    r.optional("computeStretchShearForce", &c.computeStretchShearForce);
    r.optional("computeStretchShearStiffness", &c.computeStretchShearStiffness);
    r.optional("computeBendForce", &c.computeBendForce);
    r.optional("computeBendStiffness", &c.computeBendStiffness);
    r.optional("numInternalForceThreads", &c.numInternalForceThreads);
    r.optional("numSolverThreads", &c.numSolverThreads);
    r.optional("focusPositionX", &c.focusPosition[0]);
    r.optional("focusPositionY", &c.focusPosition[1]);
    r.optional("focusPositionZ", &c.focusPosition[2]);
    r.optional("cameraRadius", &c.cameraRadius);
    r.optional("cameraLongitude", &c.cameraLongitude);
    r.optional("cameraLatitude", &c.cameraLatitude);
    r.optional("zBufferNear", &c.zBufferNear);
    r.optional("zBufferFar", &c.zBufferFar);
    r.optional("renderWireframe", &c.renderWireframe);
    r.optional("extraSceneGeometryFilename", &c.extraSceneGeometryFilename);
    r.parse(source, c.notes);
    c.given = r.given();
    clearNone({&c.fixedVerticesFilename, &c.lightingFilename, &c.extraSceneGeometryFilename});
    requirePositive(r, "timeStep", c.timeStep);
    requirePositive(r, "surfaceDensity", c.surfaceDensity);
    return c;
}

VegaClothConfig readVegaClothConfig(const std::filesystem::path& path)
{
    return parseVegaClothConfig(loadSource(path));
}

VegaLighting parseVegaLighting(const SourceText& source)
{
    VegaLighting l;
    l.file = source.path;
    ConfigReader r;
    r.optional("globalAmbientIntensity", &l.globalAmbientIntensity);
    r.optional("localViewer", &l.localViewer);
    r.optional("twoSidedLighting", &l.twoSidedLighting);
    r.optional("enableAmbientTerm", &l.enableAmbientTerm);
    r.optional("enableDiffuseTerm", &l.enableDiffuseTerm);
    r.optional("enableSpecularTerm", &l.enableSpecularTerm);
    for (std::size_t i = 0; i < l.lights.size(); ++i) {
        const std::string n = std::to_string(i);
        r.optional("lightEnabled_" + n, &l.lights[i].enabled);
        r.optional("lightIntensity_" + n, &l.lights[i].intensity);
        static const char* const axes[] = {"_X", "_Y", "_Z", "_DIR"};
        for (std::size_t k = 0; k < 4; ++k) r.optional("position_" + n + axes[k], &l.lights[i].position[k]);
    }
    r.parse(source, l.notes);
    l.given = r.given();
    return l;
}

VegaLighting readVegaLighting(const std::filesystem::path& path) { return parseVegaLighting(loadSource(path)); }

}  // namespace sofa::core::io
