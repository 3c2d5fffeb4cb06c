// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/OldNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace sofa::core {

namespace {

struct Renamed
{
    std::string_view now;
    std::string_view before;  ///< old names, separated by spaces
};

constexpr Renamed renamedTable[] = {
    {"AddFrameButtonSetting", "AddFrameButton"},
    {"AddRecordedCameraButtonSetting", "AddRecordedCameraButton"},
    {"AffineMovementProjectiveConstraint", "AffineMovementConstraint"},
    {"AttachBodyButtonSetting", "AttachBodyButton"},
    {"AttachProjectiveConstraint", "AttachConstraint"},
    {"BackgroundSetting", "Background"},
    {"BilateralLagrangianConstraint", "BilateralInteractionConstraint"},
    {"BlockGaussSeidelConstraintSolver", "GenericConstraintSolver"},
    {"CGLinearSolver", "CGSolver ConjugateGradient"},
    {"CapsuleCollisionModel",
     "Capsule CapsuleMesh CapsuleModel CapsuleSet RigidCapsule RigidCapsuleModel TCapsuleModel"},
    {"CentralDifferenceSolver", "CentralDifference"},
    {"CollisionPipeline", "DefaultPipeline"},
    {"CollisionResponse", "DefaultContactManager"},
    {"ConstraintAnimationLoop", "MasterConstraintSolver"},
    {"CubeCollisionModel", "Cube CubeModel"},
    {"CylinderCollisionModel", "Cylinder CylinderMesh CylinderModel CylinderSet TCylinderModel"},
    {"CylinderGridTopology", "CylinderGrid"},
    {"CylinderVisualModel", "OglCylinderModel"},
    {"DampVelocitySolver", "DampVelocity"},
    {"DefaultCollisionGroupManager", "CollisionGroup CollisionGroupManager TreeCollisionGroupManager"},
    {"DirectionProjectiveConstraint", "ProjectDirectionConstraint"},
    {"EulerExplicitSolver", "Euler EulerExplicit EulerSolver ExplicitEuler ExplicitEulerSolver"},
    {"EulerImplicitSolver",
     "ComplianceEuler ComplianceEulerSolver EulerImplicit ImplicitEuler ImplicitEulerSolver ParallelEulerImplicit"},
    {"FFDDistanceGridCollisionModel", "FFDDistanceGrid"},
    {"FixPickedParticleButtonSetting", "FixPickedParticleButton"},
    {"FixedPlaneProjectiveConstraint", "FixedPlaneConstraint"},
    {"FixedProjectiveConstraint", "FixedConstraint FixedLMConstraint"},
    {"FixedRotationProjectiveConstraint", "FixedRotationConstraint"},
    {"FixedTranslationProjectiveConstraint", "FixedTranslationConstraint"},
    {"FreeMotionAnimationLoop", "FreeMotionMasterSolver"},
    {"GridTopology", "Grid"},
    {"HermiteSplineProjectiveConstraint", "HermiteSplineConstraint"},
    {"IncrSAP", "IncrementalSAP IncrementalSweepAndPrune"},
    {"JacobiPreconditioner", "JacobiLinearSolver JacobiSolver"},
    {"LineAxis", "OglLineAxis"},
    {"LineCollisionModel", "Line LineMesh LineMeshModel LineModel LineSet LineSetModel TLineModel"},
    {"LineProjectiveConstraint", "ProjectToLineConstraint"},
    {"LinearMovementProjectiveConstraint", "LinearMovementConstraint"},
    {"LinearVelocityProjectiveConstraint", "LinearVelocityConstraint"},
    {"MechanicalObject", "MecanicalObject MechanicalyesObject"},
    {"MeshMatrixMass", "MatrixMass"},
    {"MeshOBJLoader", "MeshObjLoader"},
    {"MeshSpringForceField", "MeshSpring"},
    {"MeshTopology", "Mesh"},
    {"MinResLinearSolver", "MINRESSolver MinResSolver"},
    {"MultiStepAnimationLoop", "MultiStepMasterSolver"},
    {"MultiTagAnimationLoop", "MultiTagMasterSolver"},
    {"NewmarkImplicitSolver", "Newmark"},
    {"OBBCollisionModel", "OBB OBBMesh OBBModel OBBSet TOBBModel"},
    {"OscillatorProjectiveConstraint", "OscillatorConstraint"},
    {"PCGLinearSolver", "ShewchukPCGLinearSolver"},
    {"ParabolicProjectiveConstraint", "ParabolicConstraint"},
    {"ParallelCGLinearSolver", "ParallelCGSolver"},
    {"ParallelSpringForceField", "ParallelStiffSpringForceField"},
    {"PartialFixedProjectiveConstraint", "DOFBlockerLMConstraint PartialFixedConstraint"},
    {"PartialLinearMovementProjectiveConstraint", "PartialLinearMovementConstraint"},
    {"PatchTestMovementProjectiveConstraint", "PatchTestMovementConstraint"},
    {"PlaneProjectiveConstraint", "ProjectToPlaneConstraint"},
    {"PointCollisionModel", "Point PointMesh PointModel PointSet TPointModel"},
    {"PointProjectiveConstraint", "ProjectToPointConstraint"},
    {"PointSplatModel", "PointSplat"},
    {"PositionBasedDynamicsProjectiveConstraint", "PositionBasedDynamicsConstraint"},
    {"RayCollisionModel", "Ray RayModel"},
    {"RegularGridTopology", "RegularGrid"},
    {"RigidDistanceGridCollisionModel", "DistanceGrid DistanceGridCollisionModel RigidDistanceGrid"},
    {"RigidMapping", "RigidRigidMapping"},
    {"RigidToQuatEngine", "RigidEngine"},
    {"RuleBasedContactManager", "RuleBasedCollisionResponse"},
    {"RungeKutta2Solver", "RungeKutta2"},
    {"RungeKutta4Solver", "RungeKutta4"},
    {"SSORPreconditioner", "SSORLinearSolver SSORSolver"},
    {"SVDLinearSolver", "SVD SVDLinear"},
    {"SkeletalMotionProjectiveConstraint", "SkeletalMotionConstraint"},
    {"SlidingLagrangianConstraint", "SlidingConstraint"},
    {"SofaDefaultPathSetting", "SofaDefaultPath"},
    {"SparseGridMultipleTopology", "SparseGridMultiple"},
    {"SparseGridRamificationTopology", "SparseGridRamification"},
    {"SparseGridTopology", "SparseGrid"},
    {"SparsePARDISOSolver", "PARDISOSolver"},
    {"SphereCollisionModel", "CudaSphere CudaSphereModel Sphere SphereMesh SphereModel SphereSet TSphereModel"},
    {"SphereQuadTopology", "SphereQuad"},
    {"SphereROI", "PrimitivesInSphereROI"},
    {"SpringForceField", "StiffSpringForceField"},
    {"StartNavigationButtonSetting", "StartNavigationButton"},
    {"StatsSetting", "Stats"},
    {"StopperLagrangianConstraint", "StopperConstraint"},
    {"SubsetMapping", "SurfaceIdentityMapping"},
    {"TetrahedronCollisionModel", "Tetrahedron TetrahedronModel"},
    {"TransformPosition", "ProjectOnPlane"},
    {"TriangleCollisionModel",
     "TTriangleModel Triangle TriangleMesh TriangleMeshModel TriangleModel TriangleSet TriangleSetModel"},
    {"TriangleOctreeCollisionModel", "TriangleOctree TriangleOctreeModel"},
    {"UniformLagrangianConstraint", "UniformConstraint"},
    {"UnilateralLagrangianConstraint", "UnilateralConstraint UnilateralInteractionConstraint UnilateralProjector"},
    {"ViewerSetting", "Viewer"},
    {"VisualGrid", "OglGrid"},
    {"VisualModelImpl", "VisualModel"},
    {"VisualModelOBJExporter", "OBJExporter ObjExporter"},
    {"VolumeFromVolumetricElements", "VolumeFromTetrahedrons"},
};

constexpr std::string_view holdsPoints = "points that it held are held by projective constraints, which need no solver";

constexpr OldComponent oldComponents[] = {
    {"BruteForceDetection", "BruteForceBroadPhase BVHNarrowPhase", "split into a broad and a narrow phase"},
    {"RayTraceDetection", "BruteForceBroadPhase RayTraceNarrowPhase", "split into a broad and a narrow phase"},
    {"PointSetTopologyAlgorithms", "", "its work is done by PointSetGeometryAlgorithms and the modifier"},
    {"EdgeSetTopologyAlgorithms", "", "its work is done by EdgeSetGeometryAlgorithms"},
    {"TriangleSetTopologyAlgorithms", "", "its work is done by TriangleSetGeometryAlgorithms"},
    {"QuadSetTopologyAlgorithms", "", "its work is done by QuadSetGeometryAlgorithms"},
    {"TetrahedronSetTopologyAlgorithms", "", "its work is done by TetrahedronSetGeometryAlgorithms"},
    {"HexahedronSetTopologyAlgorithms", "", "its work is done by HexahedronSetGeometryAlgorithms"},
    {"DynamicSparseGridTopologyAlgorithms", "", "its work is done by DynamicSparseGridGeometryAlgorithms"},
    {"MultilevelHexahedronSetTopologyAlgorithms", "", "its work is done by MultilevelHexahedronSetGeometryAlgorithms"},
    {"LMConstraintSolver", "", holdsPoints},
    {"LMConstraintDirectSolver", "", holdsPoints},
    {"DistanceLMConstraint", "",
     "it held distances by corrections after each solver. Today, with a FreeMotionAnimationLoop: "
     "BilateralLagrangianConstraint for points that lie on each other, else a FixedLagrangianConstraint on the "
     "distances "
     "that a DistanceMapping (in one object) or DistanceMultiMapping (of two) computes",
     true},
    {"DistanceLMContactConstraint", "",
     "contacts made it. Today CollisionResponse makes contacts with response=\"FrictionContactConstraint\", below a "
     "FreeMotionAnimationLoop",
     true},
};

constexpr std::string_view viewers = "viewers decide what is drawn";
constexpr std::string_view verbosity = "printLog asks for messages";
constexpr std::string_view onSolver = "set it on the constraint solver";
constexpr std::string_view automatic = "it is computed";

constexpr OldAttribute oldAttributes[] = {
    {"AttachProjectiveConstraint", "radius", "", "the pairs are given by indices"},
    {"BTDLinearSolver", "bandWidth", "", automatic},
    {"BTDLinearSolver", "threshold", "", "the solver is direct"},
    {"BTDLinearSolver", "tolerance", "", "the solver is direct"},
    {"BarycentricMapping", "hexamap", "", automatic},
    {"BlockGaussSeidelConstraintSolver", "maxIt", "maxIterations", {}},
    {"BoxROI", "isVisible", "drawBoxes", {}},
    {"BoxROI", "drawBoxes", "", viewers},
    {"BoxROI", "pointsInBox", "pointsInROI", {}},
    {"BruteForceBroadPhase", "draw", "", viewers},
    {"CGLinearSolver", "maxIter", "iterations", {}},
    {"CGLinearSolver", "rayleighMass", "", "set it on the ODE solver"},
    {"CGLinearSolver", "smallDenominatorThreshold", "threshold", {}},
    {"CGLinearSolver", "stiffness", "", "set it on the force field"},
    {"CGLinearSolver", "tol", "tolerance", {}},
    {"CGLinearSolver", "verbose", "", verbosity},
    {"ConstantForceField", "arrowSizeCoef", "showArrowSize", {}},
    {"ConstantForceField", "force", "forces", {}},
    {"ConstantForceField", "points", "indices", {}},
    {"DiagonalMass", "mass", "vertexMass", {}},
    {"EdgePressureForceField", "edgeList", "edgeIndices", {}},
    {"EulerImplicitSolver", "constraintPos", "", onSolver},
    {"EulerImplicitSolver", "constraintResolution", "", onSolver},
    {"EulerImplicitSolver", "constraintVel", "", onSolver},
    {"EulerImplicitSolver", "verbose", "", verbosity},
    {"FreeMotionAnimationLoop", "build_lcp", "", onSolver},
    {"FreeMotionAnimationLoop", "displayTime", "", onSolver},
    {"FreeMotionAnimationLoop", "initial_guess", "", onSolver},
    {"FreeMotionAnimationLoop", "maxIt", "", onSolver},
    {"FreeMotionAnimationLoop", "mu", "", onSolver},
    {"HexahedralFEMForceField", "drawing", "", viewers},
    {"LCPConstraintSolver", "multi_grid", "", "there is no multi-grid any more"},
    {"MechanicalObject", "debugViewIndices", "showIndices", {}},
    {"MechanicalObject", "ignoreLoader", "", "nothing is taken from a loader unless src says so"},
    {"MechanicalObject", "internalForce", "", automatic},
    {"MechanicalObject", "useMask", "", automatic},
    {"MeshMatrixMass", "integrationMethod", "", automatic},
    {"MeshMatrixMass", "integrationOrder", "", automatic},
    {"MeshMatrixMass", "numericalIntegrationMethod", "", automatic},
    {"MeshROI", "drawMesh", "", viewers},
    {"MeshTopology", "fileTopology", "filename", {}},
    {"MinProximityIntersection", "useLineTriangle", "", automatic},
    {"MinProximityIntersection", "useTriangleTriangle", "", automatic},
    {"PartialFixedProjectiveConstraint", "showSizeAxis", "", viewers},
    {"PlaneForceField", "color", "", viewers},
    {"PlaneForceField", "draw", "", viewers},
    {"RegularGridTopology", "scale", "", "the corners are given by min and max"},
    {"RestShapeSpringsForceField", "angularDamping", "", "use a damping force field"},
    {"RestShapeSpringsForceField", "damping", "", "use a damping force field"},
    {"RigidMapping", "axisLength", "", viewers},
    {"SkinningMapping", "coefs", "weight", {}},
    {"SkinningMapping", "computeAllMatrices", "", automatic},
    {"SkinningMapping", "computeJ", "", automatic},
    {"SkinningMapping", "distanceType", "", "the distance is Euclidean"},
    {"SkinningMapping", "enableSkinning", "", "it is always on"},
    {"SkinningMapping", "interpolationType", "", "skinning is linear"},
    {"SkinningMapping", "nbRefs", "nbRef", {}},
    {"SkinningMapping", "showTextScaleFactor", "", viewers},
    {"SkinningMapping", "showValuesNbDecimals", "", viewers},
    {"SkinningMapping", "voxelVolume", "", automatic},
    {"SkinningMapping", "wheightingType", "", "weights fall with the squared distance unless they are given"},
    {"SphereCollisionModel", "proximity", "contactDistance", {}},
    {"SphereROI", "drawSphere", "", viewers},
    {"SphereROI", "isVisible", "", viewers},
    {"StatsSetting", "traceVisitors", "", "visitors cannot be traced"},
    {"TetrahedralCorotationalFEMForceField", "assembling", "computeGlobalMatrix", {}},
    {"TetrahedronFEMForceField", "assembling", "computeGlobalMatrix", {}},
    {"TetrahedronFEMForceField", "indices", "", "every tetrahedron of the topology counts"},
    {"TetrahedronSetGeometryAlgorithms", "swapping", "", "it has no effect in SOFA either"},
    {"TrianglePressureForceField", "arrowSizeCoef", "showForceScale", {}},
    {"TrianglePressureForceField", "triangleIndices", "triangleList", {}},
    {"TriangularFEMForceFieldOptim", "method", "", "the method is always large displacements"},
    {"TriangularFEMForceFieldOptim", "showStressColorMap", "", viewers},
    {"UnbuiltGaussSeidelConstraintSolver", "multithreading", "", "threads are set for the whole program (--threads)"},
    {"UniformMass", "mass", "vertexMass", {}},
    {"UniformMass", "totalmass", "totalMass", {}},
    {"VTKExporter", "fileFormat", "", "XMLformat chooses the format"},
    {"VisualModelImpl", "fileMesh", "filename", {}},
    {"OglModel", "fileMesh", "filename", {}},
    {"", "fileTopology", "filename", {}},
    {"", "hexas", "hexahedra", {}},
    {"", "lines", "edges", {}},
    {"", "object1", "input", {}},
    {"", "object2", "output", {}},
    {"", "proximity", "contactDistance", {}},
    {"", "isMechanical", "", "whether a mapping is mechanical follows from the states that it joins"},
    {"", "tetras", "tetrahedra", {}},
    {"", "useMask", "", automatic},
};

/// Modules by the names that SOFA gave them over the years, beside those that begin with "Sofa.".
constexpr std::string_view oldModules[] = {
    "LMConstraint",
    "MultiThreading",
    "SceneChecking",
    "SofaAllCommonComponents",
    "SofaBase",
    "SofaBaseCollision",
    "SofaBaseLinearSolver",
    "SofaBaseMechanics",
    "SofaBaseTopology",
    "SofaBaseUtils",
    "SofaBaseVisual",
    "SofaBoundaryCondition",
    "SofaCarving",
    "SofaCommon",
    "SofaConstraint",
    "SofaDeformable",
    "SofaDenseSolver",
    "SofaEigen2Solver",
    "SofaEngine",
    "SofaEulerianFluid",
    "SofaExplicitOdeSolver",
    "SofaExporter",
    "SofaGeneral",
    "SofaGeneralAnimationLoop",
    "SofaGeneralDeformable",
    "SofaGeneralEngine",
    "SofaGeneralExplicitOdeSolver",
    "SofaGeneralImplicitOdeSolver",
    "SofaGeneralLinearSolver",
    "SofaGeneralLoader",
    "SofaGeneralMeshCollision",
    "SofaGeneralObjectInteraction",
    "SofaGeneralRigid",
    "SofaGeneralSimpleFem",
    "SofaGeneralTopology",
    "SofaGeneralVisual",
    "SofaGraphComponent",
    "SofaHaptics",
    "SofaImplicitOdeSolver",
    "SofaLoader",
    "SofaMatrix",
    "SofaMeshCollision",
    "SofaMisc",
    "SofaMiscCollision",
    "SofaMiscEngine",
    "SofaMiscExtra",
    "SofaMiscFem",
    "SofaMiscForceField",
    "SofaMiscMapping",
    "SofaMiscSolver",
    "SofaMiscTopology",
    "SofaNonUniformFem",
    "SofaObjectInteraction",
    "SofaOpenglVisual",
    "SofaPreconditioner",
    "SofaRigid",
    "SofaSimpleFem",
    "SofaSparseSolver",
    "SofaSphFluid",
    "SofaTopologyMapping",
    "SofaUserInteraction",
    "SofaValidation",
    "SofaVolumetricData",
};

constexpr std::string_view moduleFamilies[] = {"Sofa.Component", "Sofa.GL", "Sofa.GUI", "Sofa.Simulation", "Sofa.Core"};

std::string lower(std::string_view s)
{
    std::string t(s);
    std::transform(t.begin(), t.end(), t.begin(), [](unsigned char c) { return std::tolower(c); });
    return t;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& renamedComponents()
{
    static const auto pairs = [] {
        std::vector<std::pair<std::string, std::string>> out;
        for (const Renamed& r : renamedTable) {
            std::string_view rest = r.before;
            while (!rest.empty()) {
                const auto space = std::min(rest.find(' '), rest.size());
                out.emplace_back(rest.substr(0, space), r.now);
                rest.remove_prefix(std::min(space + 1, rest.size()));
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }();
    return pairs;
}

std::string_view currentComponentName(std::string_view name)
{
    const auto& all = renamedComponents();
    const auto it = std::lower_bound(all.begin(), all.end(), name, [](const auto& p, auto n) { return p.first < n; });
    return it != all.end() && it->first == name ? std::string_view(it->second) : std::string_view();
}

const OldComponent* findOldComponent(std::string_view name)
{
    const auto* it = std::find_if(std::begin(oldComponents), std::end(oldComponents),
                                  [&](const OldComponent& c) { return c.name == name; });
    return it == std::end(oldComponents) ? nullptr : it;
}

std::span<const OldComponent> oldComponentsWithoutSuccessor() { return oldComponents; }

std::string_view loaderForFile(std::string_view fileName)
{
    static constexpr std::pair<std::string_view, std::string_view> loaders[] = {
        {".obj", "MeshOBJLoader"},     {".msh", "MeshGmshLoader"}, {".gmsh", "MeshGmshLoader"},
        {".vtk", "MeshVTKLoader"},     {".vtu", "MeshVTKLoader"},  {".stl", "MeshSTLLoader"},
        {".off", "MeshOffLoader"},     {".xs3", "MeshXspLoader"},  {".xsp", "MeshXspLoader"},
        {".trian", "MeshTrianLoader"}, {".gid", "GIDMeshLoader"},  {".sph", "SphereLoader"},
        {".vox", "VoxelGridLoader"}};
    const std::string name = lower(fileName);
    for (const auto& [extension, loader] : loaders)
        if (name.ends_with(extension)) return loader;
    return {};
}

const OldAttribute* findOldAttribute(std::string_view component, std::string_view name)
{
    const OldAttribute* general = nullptr;
    for (const OldAttribute& a : oldAttributes) {
        if (a.name != name) continue;
        if (a.component == component) return &a;
        if (a.component.empty()) general = &a;
    }
    return general;
}

std::vector<std::string_view> oldAttributeNames(std::string_view component)
{
    std::vector<std::string_view> names;
    for (const OldAttribute& a : oldAttributes)
        if ((a.component.empty() || a.component == component) && std::ranges::find(names, a.name) == names.end())
            names.push_back(a.name);
    return names;
}

bool isBuiltInModule(std::string_view name)
{
    for (const std::string_view family : moduleFamilies)
        if (name == family || (name.starts_with(family) && name.size() > family.size() && name[family.size()] == '.'))
            return true;
    return std::find(std::begin(oldModules), std::end(oldModules), name) != std::end(oldModules);
}

std::string currentPath(std::string_view path)
{
    if (path.empty() || path.front() == '@') return std::string(path);
    // The first ".." leads from the component to its node, where names are looked for, and then in those above.
    if (path == ".." || path.starts_with("../")) path.remove_prefix(std::min<std::size_t>(3, path.size()));
    return path.empty() ? "@." : '@' + std::string(path);
}

}  // namespace sofa::core
