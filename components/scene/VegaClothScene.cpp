// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaScene.h"
#include "components/scene/VegaSceneParts.h"
#include "core/io/MeshReader.h"
#include "core/io/VertexListFile.h"

namespace sofa::component {

namespace {

using vega::element;
using vega::location;
using vega::set;

/// The keys that concern only the window, the mouse or the threads, or switch off parts of the tangent.
void reportUnused(const io::VegaClothConfig& config)
{
    std::string list;
    for (const char* key : {"mouseForceCoeff", "numInternalForceThreads", "numSolverThreads", "zBufferNear",
                            "zBufferFar", "renderWireframe", "computeStretchShearStiffness", "computeBendStiffness"})
        if (const io::ConfigKey* k = config.find(key))
            list += (list.empty() ? "" : ", ") + k->name + " (line " + std::to_string(k->line) + ')';
    if (!list.empty()) MessageLog::emit(Severity::Info, "without effect in this scene: " + list, location(config, {}));
}

}  // namespace

SceneElement vegaScene(const io::VegaClothConfig& config)
{
    for (const std::string& note : config.notes) MessageLog::emit(Severity::Warning, note);
    const auto mesh = vega::require(config, "objMeshname", config.objMeshname);
    const std::size_t points = io::readMesh(mesh).positions.size();
    const Vector<Index> fixed =
        io::readVertexList(vega::require(config, "fixedVerticesFilename", config.fixedVerticesFilename), points);
    const auto make = [&](const char* type, const char* key) { return element(config, type, key); };

    SceneElement root = make("Node", "");
    set(root, "name", "root");
    set(root, "dt", config.timeStep);
    set(root, "gravity", Vec3{0., config.addGravity ? -config.gravityForce : 0., 0.});
    root.children.push_back(make("DefaultAnimationLoop", ""));
    SceneElement style = make("VisualStyle", "");
    set(style, "displayFlags", "showVisualModels");
    root.children.push_back(std::move(style));
    root.children.push_back(
        vega::camera(config, config.focusPosition, config.cameraRadius, config.cameraLongitude, config.cameraLatitude));
    vega::addLights(root, config, "lightingFilename", config.lightingFilename);

    SceneElement body = make("Node", "objMeshname");
    set(body, "name", "cloth");
    // Vega's program: one Newton iteration of backward Euler, a direct solver.
    SceneElement solver = make("EulerImplicitSolver", "timeStep");
    set(solver, "rayleighMass", config.dampingMass);
    set(solver, "rayleighStiffness", config.dampingStiffness);
    body.children.push_back(std::move(solver));
    SceneElement linear = make("SparseLDLSolver", "timeStep");
    set(linear, "template", "CompressedRowSparseMatrixMat3x3d");
    body.children.push_back(std::move(linear));
    SceneElement loader = make("MeshOBJLoader", "objMeshname");
    set(loader, "name", "loader");
    set(loader, "filename", vega::nameFrom(config, mesh));
    set(loader, "triangulate", true);
    body.children.push_back(std::move(loader));
    for (const auto& [type, src] : {std::pair{"TriangleSetTopologyContainer", true},
                                    {"TriangleSetGeometryAlgorithms", false},
                                    {"MechanicalObject", true}}) {
        SceneElement e = make(type, "objMeshname");
        if (src) set(e, "src", "@loader");
        if (std::string_view(type) != "TriangleSetTopologyContainer") set(e, "template", "Vec3");
        body.children.push_back(std::move(e));
    }
    SceneElement mass = make("DiagonalMass", "surfaceDensity");
    set(mass, "massDensity", config.surfaceDensity);
    body.children.push_back(std::move(mass));

    SceneElement force = make("BaraffWitkinForceField", "tensileStiffness");
    const bool stretch = config.computeStretchShearForce, bend = config.computeBendForce;
    set(force, "tensileStiffness", stretch ? config.tensileStiffness : 0.);
    set(force, "shearStiffness", stretch ? config.shearStiffness : 0.);
    set(force, "bendStiffnessU", bend ? config.bendStiffnessU : 0.);
    set(force, "bendStiffnessV", bend ? config.bendStiffnessV : 0.);
    set(force, "useRestAngles", config.useRestAngles);
    set(force, "bending", "constantEdges");
    body.children.push_back(std::move(force));
    if (config.wind != Vec3()) {
        SceneElement wind = make("ConstantForceField", "wind_x");
        Vector<Index> all(points);
        for (Index i = 0; i < all.size(); ++i) all[i] = i;
        set(wind, "indices", all);
        set(wind, "forces", config.wind);
        body.children.push_back(std::move(wind));
    }
    SceneElement constraint = make("FixedProjectiveConstraint", "fixedVerticesFilename");
    set(constraint, "indices", fixed);
    if (!fixed.empty()) body.children.push_back(std::move(constraint));

    SceneElement surface = make("Node", "objMeshname");
    set(surface, "name", "surface");
    SceneElement model = make("OglModel", "objMeshname");
    set(model, "name", "visual");
    set(model, "filename", vega::nameFrom(config, mesh));
    surface.children.push_back(std::move(model));
    surface.children.push_back(make("IdentityMapping", "objMeshname"));
    body.children.push_back(std::move(surface));
    root.children.push_back(std::move(body));

    if (!config.extraSceneGeometryFilename.empty()) {
        SceneElement extra = make("Node", "extraSceneGeometryFilename");
        set(extra, "name", "extraSceneGeometry");
        SceneElement still = make("OglModel", "extraSceneGeometryFilename");
        set(still, "filename",
            vega::nameFrom(config,
                           vega::require(config, "extraSceneGeometryFilename", config.extraSceneGeometryFilename)));
        extra.children.push_back(std::move(still));
        root.children.push_back(std::move(extra));
    }
    reportUnused(config);
    return root;
}

}  // namespace sofa::component
