#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 120
"""What runSofa --export writes is what VTK, meshio and gmsh read; where none is installed (python3-vtk9, python3-meshio, python3-gmsh) the
test skips."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

RUNSOFA = os.environ["RUNSOFA"]
SCENE = """<Node name="root" dt="0.02"><EulerImplicitSolver/><CGLinearSolver iterations="100" tolerance="1e-9" threshold="1e-9"/>
 <Node name="soft"><RegularGridTopology n="4 3 3" min="0 0 0" max="3 1 1"/><MechanicalObject name="dofs"/><UniformMass totalMass="2"/>
  <FixedProjectiveConstraint indices="0 4 8 12 16 20 24 28 32"/>
  <HyperelasticityFEMForceField materialName="StVenantKirchhoff" ParameterSet="770 1150"/></Node>
 <Node name="balls"><MechanicalObject template="Rigid3" position="0 5 0 0 0 0 1  1 5 0 0 0 0 1"/><UniformMass totalMass="1"/></Node></Node>"""


def check(condition, text):
    if not condition:
        sys.exit("wrong: " + text)


def with_vtk(folder):
    import vtk  # pylint: disable=import-outside-toplevel

    index = xml.etree.ElementTree.parse(folder / "out.pvd").getroot()
    sets = index.findall(".//DataSet")
    check([s.get("name") for s in sets] == ["soft", "balls"] * 3, f"data sets of the series: {[s.attrib for s in sets]}")
    for s in sets:
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(folder / s.get("file")))
        reader.Update()
        check(reader.GetErrorCode() == 0, f"VTK reads {s.get('file')}")
        grid = reader.GetOutput()
        points, cells = grid.GetPointData(), grid.GetCellData()
        names = [points.GetArrayName(i) for i in range(points.GetNumberOfArrays())]
        if s.get("name") == "balls":
            check(grid.GetNumberOfPoints() == 2 and "orientation" in names, "two frames")
            continue
        check((grid.GetNumberOfPoints(), grid.GetNumberOfCells()) == (36, 12), "points and hexahedra")
        check({"displacement", "velocity", "force", "reaction"} <= set(names), f"arrays of points: {names}")
        sizes = {"vonMises": 1, "stress": 6, "strain": 6, "energy": 1}
        for name, components in sizes.items():
            array = cells.GetArray(name)
            check(array and (array.GetNumberOfTuples(), array.GetNumberOfComponents()) == (12, components), name)
        quality = vtk.vtkCellSizeFilter()
        quality.SetInputData(grid)
        quality.Update()
        volumes = quality.GetOutput().GetCellData().GetArray("Volume")
        volume = sum(volumes.GetValue(i) for i in range(12))
        check(2.5 < volume < 3.5, f"positive volumes, {volume} of 3 in all")
    last = points.GetArray("velocity").GetTuple3(0)
    check(abs(last[1] + 9.81 * 0.08) < 1e-9, f"velocity of a ball that falls: {last}")

    reader = vtk.vtkGLTFReader()
    reader.SetFileName(str(folder / "last_soft.glb"))
    reader.Update()
    check(reader.GetErrorCode() == 0, "VTK reads glTF")
    faces = vtk.vtkCompositeDataGeometryFilter()
    faces.SetInputConnection(reader.GetOutputPort())
    faces.Update()
    border = faces.GetOutput()
    check((border.GetNumberOfPoints(), border.GetNumberOfCells()) == (36, 64), "the border of the body as triangles")


def with_meshio(folder):
    import meshio  # pylint: disable=import-outside-toplevel

    for name in ("out/soft_000004.vtu", "last_soft.vtk", "last_soft.msh", "last_soft.msh4"):
        mesh = meshio.read(folder / name, "gmsh" if ".msh" in name else None)
        check(len(mesh.points) == 36, f"meshio reads the points of {name}")
        check(sum(len(b.data) for b in mesh.cells if b.type == "hexahedron") == 12, f"meshio reads the cells of {name}")
    for name in ("last_soft.ply", "last_soft.stl", "last_soft.obj"):
        mesh = meshio.read(folder / name)
        faces = sum(len(b.data) * (2 if b.type == "quad" else 1) for b in mesh.cells if b.type in ("quad", "triangle"))
        check(faces == 64, f"meshio reads the border in {name}: {faces} of 64 triangles")


def with_gmsh(folder):
    import gmsh  # pylint: disable=import-outside-toplevel

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    for name in ("last_soft.msh", "last_soft.msh4"):
        gmsh.clear()
        gmsh.merge(str(folder / name))
        nodes, _, _ = gmsh.model.mesh.getNodes()
        types, elements, _ = gmsh.model.mesh.getElements(3)
        check(len(nodes) == 36 and list(types) == [5] and len(elements[0]) == 12, f"gmsh reads {name}")
    gmsh.finalize()


def main():
    have = [m for m in ("vtk", "meshio", "gmsh") if importlib.util.find_spec(m)]
    if not have:
        print("skipped: none of python3-vtk9, python3-meshio and python3-gmsh is installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "s.scn").write_text(SCENE)
        command = [RUNSOFA, "-n", "4", "--export", "out.pvd:every=2"]
        for extension in ("vtk", "msh", "msh4", "ply", "stl", "obj", "glb"):
            command += ["--export", "last." + extension]
        subprocess.run(command + ["s.scn"], cwd=folder, check=True, capture_output=True)
        for module in have:
            globals()["with_" + module](folder)
    print("read by " + ", ".join(have))


main()
