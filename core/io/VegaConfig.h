// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/ConfigReader.h"
#include "core/io/TextScanner.h"
#include "core/math/Vec.h"

namespace sofa::core::io {

/// What all configuration files of Vega have: file names in them count from the folder in which the program runs,
/// which for Vega's examples is that of the file; here it is always that.
struct VegaFile
{
    std::filesystem::path file;
    std::vector<std::string> notes;  ///< unknown and obsolete keys, with their places: to be shown as warnings
    std::vector<ConfigKey> given;    ///< the keys that the file gives

    /// Where the file gives this key (any case); null where it does not.
    const ConfigKey* find(std::string_view key) const;
    /// A file named in the configuration. Names that are not given are empty, and so is their path.
    std::filesystem::path resolve(const std::string& name) const
    {
        return name.empty() ? std::filesystem::path() : file.parent_path() / name;
    }
};

/// Time integration of VegaConfig.
enum class VegaSolver
{
    ImplicitNewmark,
    ImplicitBackwardEuler,
    CentralDifferences,
    Euler,
    SymplecticEuler
};

/// What VegaConfig simulates.
enum class VegaModel
{
    None,  ///< the file names no mesh
    StVK,  ///< St. Venant-Kirchhoff, Green strain
    CorotationalLinear,
    Linear,
    Invertible,       ///< isotropic hyperelastic, by principal stretches (tetrahedra only)
    MassSpringQuads,  ///< massSpringFile: springs of a surface mesh of quads
    MassSpringTetrahedra,
    MassSpringCubes,
    MassSpringChain  ///< chainParticles, chainStiffness
};

/// Material of VegaModel::Invertible.
enum class VegaInvertibleMaterial
{
    None,
    StVK,
    NeoHookean,
    MooneyRivlin
};

/// Configuration of Vega's interactive deformable simulator (*.config), with the values that keys have by default.
/// Units are SI. Members have the names of the keys but for what follows from several of them.
struct VegaConfig : VegaFile
{
    VegaModel model = VegaModel::None;
    VegaSolver solver = VegaSolver::ImplicitNewmark;

    // --- Model ----------------------------------------------------------------------------------------------------
    std::string volumetricMeshFilename;  ///< .veg
    VegaInvertibleMaterial invertibleMaterial = VegaInvertibleMaterial::None;
    double inversionThreshold = -1.7976931348623157e308;  ///< principal stretches below are clamped to it; default: off
    bool enableCompressionResistance = true;              ///< Invertible: adds a penalty on loss of volume
    double compressionResistance = 500.;                  ///< its factor
    int corotationalLinearFEM_warp = 1;                   ///< 0 linear, 1 warped stiffness, 2 exact tangent
    std::string massSpringFile;                           ///< .massspring file of the model, see readVegaMassSpring
    int chainParticles = 0;
    double chainStiffness = 0.;  ///< [N/m]

    // --- Time -----------------------------------------------------------------------------------------------------
    double timestep = 0.;                  ///< [s], mandatory, > 0
    int substepsPerTimeStep = 1;           ///< integrator step: timestep / substepsPerTimeStep
    bool syncTimestepWithGraphics = true;  ///< the time step follows the frame rate
    double newmarkBeta = 0.25, newmarkGamma = 0.5;
    int centralDifferencesTangentialDampingUpdateMode = 1;  ///< rebuild the matrix every so many steps, 0: never
    int maxIterations = 1;                                  ///< of Newton's method; 1: semi-implicit
    double epsilon = 1e-6;                                  ///< relative residual at which Newton's method stops
    int numInternalForceThreads = 0;                        ///< without effect since Vega 4.0
    int numSolverThreads = 1;

    // --- Forces ---------------------------------------------------------------------------------------------------
    double dampingMassCoef = 0.;             ///< Rayleigh damping, mass part [1/s], mandatory
    double dampingStiffnessCoef = 0.;        ///< Rayleigh damping, stiffness part [s], mandatory
    double dampingLaplacianCoef = 0.;        ///< damping by the graph Laplacian of the mesh
    double deformableObjectCompliance = 0.;  ///< force for each pixel that the mouse pulls [N], mandatory
    int forceNeighborhoodSize = 5;           ///< rings of vertices over which that force spreads
    double frequencyScaling = 1.;            ///< internal forces and stiffness are multiplied by its square, mandatory
    bool addGravity = false;                 ///< Vega 4.0 reads it, but applies no gravity to any of its models
    double g = 9.81;                         ///< gravity along −y [m/s²]

    // --- Files ----------------------------------------------------------------------------------------------------
    std::string fixedVerticesFilename;    ///< .bou, see readVertexList; empty: no vertex is fixed
    std::string initialPositionFilename;  ///< 3n × 1 displacements, see readVegaMatrix
    std::string initialVelocityFilename;  ///< 3n × 1
    std::string forceLoadsFilename;       ///< 3n × T: column k is added to the external forces of step k
    std::string outputFilename;           ///< every substep writes <name>.u.%04d and <name>.f.%04d, 3n × 1

    // --- Rendering --------------------------------------------------------------------------------------------------
    std::string renderingMeshFilename;                        ///< .obj, its vertices are the first ones of the mesh
    std::string secondaryRenderingMeshFilename;               ///< .obj that is embedded in the mesh
    std::string secondaryRenderingMeshInterpolationFilename;  ///< .interp, see readInterpolation
    bool renderSecondaryDeformableObject = true;
    std::string lightingConfigFilename;  ///< see readVegaLighting, mandatory
    bool useRealTimeNormals = false;
    double cameraRadius = 17.5, cameraLongitude = -60., cameraLatitude = 20.;  ///< [m], [°]; the key is cameraLattitude
    Vec3 focusPosition;                                                        ///< keys focusPositionX, Y, Z
    int windowWidth = 800, windowHeight = 600;
    bool renderWireframe = true, renderAxes = false, enableTextures = false;
    Vec3 backgroundColor{255., 255., 255.};  ///< red, green, blue, 0 to 255
    std::string extraSceneGeometry;          ///< .obj that stands still
    std::string groundPlane;                 ///< "h,lightH,size,rR,gG,bB,aA,dD,sS,shSH"; empty: none
    bool singleStepMode = false, pauseSimulation = false, lockAt30Hz = false;
};

/// \throws MeshError for what ConfigReader refuses, a time step or a number of steps that is not positive, names that
/// are none of the choices, InvertibleFEM without a material, and an embedded mesh without its weights
VegaConfig readVegaConfig(const std::filesystem::path& path);
VegaConfig parseVegaConfig(const SourceText& source);

/// Springs on the edges of a mesh (*.massspring). Vega 4.0 reads the density and does not use it: vertices get a share
/// of the volume of each element (a quarter, an eighth) or of the area (a quarter) as mass.
struct VegaMassSpring : VegaFile
{
    enum class Kind
    {
        Tetrahedra,  ///< key tetMeshFilename, a .veg file
        Cubes,       ///< key cubicMeshFilename, a .veg file
        Quads        ///< key massSpringMeshFilename, an .obj file
    };
    Kind kind = Kind::Tetrahedra;
    std::string meshFilename;
    std::string surfaceMeshFilename;  ///< .obj to draw
    double density = 0.;              ///< [kg/m³]; of quads surfaceDensity [kg/m²]
    double tensileStiffness = 0.;     ///< of the springs on edges [N/m]
    double shearStiffness = 0.;       ///< quads: of the springs on diagonals [N/m]
    double bendStiffness = 0.;        ///< quads: of the springs to the vertices after the next [N/m]
    double damping = 0.;              ///< of each spring [kg/s]
    bool addGravity = false;
};

/// \throws MeshError for what ConfigReader refuses, and unless one of the three meshes is named
VegaMassSpring readVegaMassSpring(const std::filesystem::path& path);
VegaMassSpring parseVegaMassSpring(const SourceText& source);

/// Configuration of Vega's cloth simulator clothBW-rt (*.config), after Baraff and Witkin, "Large steps in cloth
/// simulation", SIGGRAPH 1998.
struct VegaClothConfig : VegaFile
{
    std::string objMeshname;            ///< triangles, mandatory
    std::string fixedVerticesFilename;  ///< .bou, mandatory
    std::string lightingFilename;       ///< mandatory
    double timeStep = 0.02;             ///< [s]
    double surfaceDensity = 0.25;       ///< [kg/m²]
    double tensileStiffness = 6500., shearStiffness = 100.;
    double bendStiffnessU = 0.0002, bendStiffnessV = 0.0002;
    bool useRestAngles = true;  ///< bending is measured from the rest shape, else from the plane
    double dampingMass = 0., dampingStiffness = 0.001;
    bool addGravity = true;
    double gravityForce = 9.81;  ///< [m/s²]
    Vec3 wind;                   ///< force on each vertex [N]; keys wind_x, wind_y, wind_z
    double mouseForceCoeff = 0.05;
    bool computeStretchShearForce = true, computeStretchShearStiffness = true, computeBendForce = true,
         computeBendStiffness = true;
    int numInternalForceThreads = 0, numSolverThreads = 0;
    Vec3 focusPosition{0., 10., 0.};
    double cameraRadius = 6., cameraLongitude = -10., cameraLatitude = 45.;
    double zBufferNear = 0.01, zBufferFar = 10.;
    bool renderWireframe = true;
    std::string extraSceneGeometryFilename;
};

/// Whether the file configures clothBW-rt: it has the key objMeshname.
bool isVegaClothConfig(const SourceText& source);
/// \throws MeshError for what ConfigReader refuses and a time step that is not positive
VegaClothConfig readVegaClothConfig(const std::filesystem::path& path);
VegaClothConfig parseVegaClothConfig(const SourceText& source);

/// Lights of a scene (*.lighting).
struct VegaLighting : VegaFile
{
    struct Light
    {
        bool enabled = false;
        Vec4 position{0., 0., 0., 1.};  ///< the last number is 0 for light from a direction
        double intensity = 1.;
    };
    double globalAmbientIntensity = 0.;
    bool localViewer = true, twoSidedLighting = false;
    bool enableAmbientTerm = true, enableDiffuseTerm = true, enableSpecularTerm = true;
    std::array<Light, 8> lights;
};

/// \throws MeshError for what ConfigReader refuses
VegaLighting readVegaLighting(const std::filesystem::path& path);
VegaLighting parseVegaLighting(const SourceText& source);

}  // namespace sofa::core::io
