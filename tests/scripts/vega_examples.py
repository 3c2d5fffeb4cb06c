#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: oracle
# timeout: 900
"""Configurations of the Vega library's simulator: all of its examples, cloth too, run 20 steps, or fail with the message that is right for
them; and configurations of our own give the trajectories that Vega computed (see vega_trajectories.py).

The examples and references lie in ../shared beside the checkout; where it is absent the test skips (exit status 77).
"""
import gzip
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vega_trajectories as vega

EXAMPLES = pathlib.Path(vega.ORACLE) / "examples"

# What an example cannot do here, by the words that its error must have; the others must run.
REFUSED = {}

METHODS = {
    "linear": "*deformableObjectMethod\nLinearFEM\n",
    "corot1": "*deformableObjectMethod\nCLFEM\n",
    "corot2": "*deformableObjectMethod\nCLFEM\n*corotationalLinearFEM_warp\n2\n",
    "stvk": "*deformableObjectMethod\nStVK\n",
    **{f"inv_{m.lower()}": "*deformableObjectMethod\nInvertibleFEM\n*inversionThreshold\n0.1\n*enableCompressionResistance\n0\n"
                           f"*invertibleMaterial\n{m}\n" for m in ("StVK", "neoHookean", "MooneyRivlin")},
    "massspring": "*massSpringSystemTetMeshConfigFilename\nbody.massspring\n",
}
SOLVERS = {"IBE": "implicitBackwardEuler", "NEWMARK": "implicitNewmark", "CD": "centralDifferences", "SYMEULER": "symplecticEuler"}
MATERIAL = "*MATERIAL body\nENU, 1000, 1e6, 0.45\n"
# K = E/(3 (1 - 2 nu)), G = E/(2 (1 + nu)), mu01/mu10 = 1/2, v1 = K/2
MOONEY_RIVLIN = f"*MATERIAL body\nMOONEYRIVLIN, 1000, {1e6 / 2.9 / 6!r}, {1e6 / 2.9 / 3!r}, {1e6 / (3 * (1 - 2 * 0.45)) / 2!r}\n"


def missing_include(veg):
    """The first file that a mesh includes and that does not exist."""
    for name in re.findall(r"^\*INCLUDE\s+(\S+)", veg.read_text(), re.M):
        if not (veg.parent / name).exists():
            return name
    return None


def example(path):
    """What is wrong with the run of an example; None if all is well."""
    name = path.relative_to(EXAMPLES).as_posix()
    expected = REFUSED.get(name)
    lines = "\n".join(s for s in path.read_text().splitlines() if not s.startswith("#"))
    mesh = re.search(r"^\*volumetricMeshFilename\s+(\S+)", lines, re.M)
    if not expected and mesh and (missing := missing_include((path.parent / mesh.group(1)).resolve())):
        expected = rf"\.veg:\d+: expected a file to include that can be read, found '{re.escape(missing)}'"
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        p = subprocess.run([vega.RUNSOFA, "-g", "batch", "-n", "20", "--record", record, "--record-steps", "0,20", str(path)],
                           capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if expected:
            return None if p.returncode == 1 and re.search(expected, p.stderr) else f"not refused by '{expected}': {p.stderr[-600:]}"
        if p.returncode != 0:
            return f"exit status {p.returncode}: {p.stderr[-600:]}"
        first, last = [vega.numbers(f["states"][0]["x"]) for f in json.load(open(record))["frames"]]
    if len(last) != len(first) or not last or not all(map(math.isfinite, last)):
        return "its last state is not finite"
    if name.startswith("cloth/"):  # under gravity, or flattened by its bending
        return None
    return None if max(abs(a - b) for a, b in zip(first, last)) < 1e-6 else "it moves, although no force acts"


def write_configuration(folder, t, mesh):
    """The trajectory t as a configuration: the load on a vertex as a matrix with a column for each step."""
    text = mesh.read_text()
    points = int(re.search(r"\*VERTICES\s+(\d+)", text).group(1))
    body = re.split(r"^\*(?:MATERIAL|SET|REGION)", text, 1, re.M)[0]
    material = MOONEY_RIVLIN if t["material"] == "inv_mooneyrivlin" else MATERIAL
    (folder / "body.veg").write_text(f"{body}\n{material}*REGION\nallElements, body\n")
    (folder / "body.massspring").write_text("*tetMeshFilename\nbody.veg\n*density\n1000\n*tensileStiffness\n25000\n*damping\n0\n"
                                            "*addGravity\n0\n")
    (folder / "body.bou").write_text(", ".join(str(i + 1) for i in t["fixed_vertices_0based"]))
    loads = bytearray(struct.pack("<ii", 3 * points, t["load_steps"]))
    for _ in range(t["load_steps"]):
        column = [0.0] * (3 * points)
        i = 3 * t["loaded_vertex_0based"]
        column[i:i + 3] = t["load_vector"]
        loads += struct.pack(f"<{len(column)}d", *column)
    (folder / "loads.bin").write_bytes(loads)
    model = METHODS[t["material"]] + ("" if t["material"] == "massspring" else "*volumetricMeshFilename\nbody.veg\n")
    path = folder / "model.config"
    path.write_text(f"""{model}*fixedVerticesFilename
body.bou
*forceLoadsFilename
loads.bin
*solver
{SOLVERS[t['integrator']]}
*timestep
{t['dt']!r}
*syncTimestepWithGraphics
0
*dampingMassCoef
{t['damping_mass']!r}
*dampingStiffnessCoef
{t['damping_stiffness']!r}
*centralDifferencesTangentialDampingUpdateMode
0
*maxIterations
{t['newton_iterations']}
*frequencyScaling
1
*deformableObjectCompliance
1
*lightingConfigFilename
__none
""")
    return path


def trajectories():
    """Number of trajectories that differ, and of all."""
    data = json.load(gzip.open(os.path.join(vega.ORACLE, "reference.json.gz"), "rt"))
    failed = done = 0
    for t in data["trajectories"]:
        if t["mesh"] not in ("box_4x3x2", "beam3_tet") or t["material"] not in METHODS:
            continue
        mesh = pathlib.Path(vega.ORACLE) / "meshes" / os.path.basename(data["meshes"][t["mesh"]]["file"])
        bound = max(1e-8, 100. * t["sensitivity"]["native_spooles"])
        with tempfile.TemporaryDirectory() as folder:
            try:
                worst = max(vega.compare(t, str(write_configuration(pathlib.Path(folder), t, mesh))).values())
            except RuntimeError as e:
                print(e)
                worst = math.inf
        bad = not worst <= bound
        failed += bad
        done += 1
        print(f"{'FAIL' if bad else 'ok  '} {vega.describe(t)}: {worst:.1e}, bound {bound:.1e}", flush=True)
    return failed, done


def main():
    if not EXAMPLES.is_dir():
        print(f"skipped: {EXAMPLES} is absent (examples of Vega)")
        sys.exit(77)
    configurations = sorted(EXAMPLES.rglob("*.config"))
    failed = 0
    for path in configurations:
        problem = example(path)
        failed += problem is not None
        print(f"{'FAIL' if problem else 'ok  '} {path.relative_to(EXAMPLES)}" + (f": {problem}" if problem else ""), flush=True)
    print(f"{len(configurations) - failed} of {len(configurations)} examples are fine")
    different, done = trajectories()
    print(f"{done - different} of {done} trajectories agree with Vega")
    sys.exit(1 if failed or different or not done or not configurations else 0)


if __name__ == "__main__":
    main()
