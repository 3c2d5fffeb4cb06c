#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: oracle
# timeout: 900
"""Integrators and force fields against trajectories of the Vega library (its 4.0, direct solver).

A tetrahedral body, fixed at one end, is pulled at a point for ten steps and then left to itself. Compared are the displacement of
that point and the norm of all displacements after every step, and the velocities at the end: the largest difference relative to
the largest value of the trajectory must be below max(1e-8, 100 x what another build of Vega itself changes).

usage: vega_trajectories.py [word...]    only trajectories whose description has all of the words, e.g. turtle NEWMARK linear

The references lie in ../shared beside the checkout; where it is absent the test skips (exit status 77). A force field joins by a
line in MATERIALS.
"""
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("SOFA_SOURCE_DIR", os.getcwd())
ORACLE = os.path.normpath(os.path.join(SOURCE, "..", "shared", "oracle", "vega"))
RUNSOFA = os.environ.get("RUNSOFA", "runSofa")
DENSITY = 1000
CONSISTENT = f'<MeshMatrixMass massDensity="{DENSITY}"/>'
LUMPED = f'<DiagonalMass massDensity="{DENSITY}"/>'
ELASTIC = 'youngModulus="1e6" poissonRatio="0.45"'
# K = E/(3 (1 - 2 nu)), G = E/(2 (1 + nu)), mu01/mu10 = 1/2
MOONEY_RIVLIN = f'mu10="{1e6 / (2 * 1.45) / 3!r}" mu01="{1e6 / (2 * 1.45) / 6!r}" v1="{1e6 / (3 * (1 - 2 * 0.45)) / 2!r}"'

# Name of the material in the reference: the force field, and the mass if it is not the consistent one.
MATERIALS = {
    "linear": (f'<TetrahedronFEMForceField method="small" {ELASTIC}/>',),
    "corot1": (f'<CorotationalLinearFEMForceField warp="1" {ELASTIC}/>',),
    "corot2": (f'<CorotationalLinearFEMForceField warp="2" {ELASTIC}/>',),
    "stvk": (f'<StVKFEMForceField {ELASTIC}/>',),
    "inv_stvk": (f'<InvertibleFEMForceField tangentProjection="none" material="StVK" {ELASTIC}/>',),
    "inv_neohookean": (f'<InvertibleFEMForceField tangentProjection="none" material="neoHookean" {ELASTIC}/>',),
    "inv_mooneyrivlin": (f'<InvertibleFEMForceField tangentProjection="none" material="MooneyRivlin" {MOONEY_RIVLIN}/>',),
    "massspring": ('<MassSpringForceField tensileStiffness="25000"/>', LUMPED),
}

INTEGRATORS = {
    "IBE": '<EulerImplicitSolver rayleighMass="{damping_mass}" rayleighStiffness="{damping_stiffness}" '
           'maxIterations="{newton_iterations}" epsilon="1e-6"/>',
    "NEWMARK": '<NewmarkImplicitSolver rayleighMass="{damping_mass}" rayleighStiffness="{damping_stiffness}" beta="0.25" '
               'gamma="0.5" initialAcceleration="0" maxIterations="{newton_iterations}" epsilon="1e-6" '
               'residualAtFixedPoints="1"/>',
    "CD": '<CentralDifferenceSolver rayleighMass="{damping_mass}" rayleighStiffness="{damping_stiffness}" '
          'tangentialDampingMode="0" startVelocity="before"/>',
    "SYMEULER": '<EulerExplicitSolver symplectic="1" rayleighMass="{damping_mass}"/>',
}


def describe(t):
    return f"{t['mesh']} {t['integrator']} {t['newton_iterations']} {t['material']}"


def scene(t, mesh):
    field, *mass = MATERIALS[t["material"]]
    force = " ".join(map(repr, t["load_vector"]))
    off = (t["load_steps"] - 0.5) * t["dt"]
    return f"""<?xml version="1.0"?>
<Node name="root" dt="{t['dt']!r}" gravity="0 0 0">
  <DefaultAnimationLoop/>
  {INTEGRATORS[t['integrator']].format(**t)}
  <SparseLDLSolver template="CompressedRowSparseMatrixMat3x3d"/>
  <MeshVegLoader name="loader" filename="{mesh}"/>
  <TetrahedronSetTopologyContainer name="container" src="@loader"/>
  <TetrahedronSetGeometryAlgorithms template="Vec3"/>
  <MechanicalObject name="points" template="Vec3" src="@loader"/>
  {mass[0] if mass else CONSISTENT}
  {field}
  <FixedProjectiveConstraint indices="{' '.join(map(str, t['fixed_vertices_0based']))}"/>
  <LinearForceField points="{t['loaded_vertex_0based']}" times="0 {off!r} {off + 1e-3 * t['dt']!r}"
                    forces="{force} {force} 0 0 0"/>
</Node>
"""


def numbers(a):
    return [float(s) for s in a.split()] if isinstance(a, str) else [float(s) for s in a]


def norm(a):
    return math.sqrt(math.fsum(s * s for s in a))


def worst(ours, theirs):
    """Largest difference of vectors, relative to the largest of theirs."""
    scale = max(norm(b) for b in theirs)
    return max(norm([s - t for s, t in zip(a, b)]) for a, b in zip(ours, theirs)) / scale


def differences(t, mesh):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.scn")
        with open(path, "w") as f:
            f.write(scene(t, mesh))
        return compare(t, path)


def compare(t, path):
    """Runs a scene, or a configuration, and compares its first state with the trajectory."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        run = subprocess.run([RUNSOFA, "-g", "batch", "-n", str(t["steps"]), "--record", record, path],
                             capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if run.returncode != 0:
            raise RuntimeError(f"exit status {run.returncode}: {(run.stderr or run.stdout)[-600:]}")
        frames = {f["step"]: f["states"][0] for f in json.load(open(record))["frames"]}
    rest = numbers(frames[0]["x"])
    u = [[a - b for a, b in zip(numbers(frames[k]["x"]), rest)] for k in range(1, t["steps"] + 1)]
    v = numbers(frames[t["steps"]]["v"])
    i = 3 * t["loaded_vertex_0based"]
    d = t["displacement_xyz_per_step"]
    return {"displacement": worst([q[i:i + 3] for q in u], [d[3 * k:3 * k + 3] for k in range(t["steps"])]),
            "|q|": worst([[norm(q)] for q in u], [[s] for s in t["q_norm_per_step"]]),
            "velocity": norm([a - b for a, b in zip(v[i:i + 3], t["velocity_xyz_final"])]) / t["final_qvel_norm"],
            "|v|": abs(norm(v) - t["final_qvel_norm"]) / t["final_qvel_norm"]}


def main():
    reference = os.path.join(ORACLE, "reference.json.gz")
    if not os.path.exists(reference):
        print(f"skipped: {reference} is absent (reference results of Vega)")
        sys.exit(77)
    data = json.load(gzip.open(reference, "rt"))
    chosen = [t for t in data["trajectories"]
              if t["material"] in MATERIALS and set(sys.argv[1:]) <= set(describe(t).split())]
    failed = done = 0
    for t in chosen:
        mesh = os.path.join(ORACLE, "meshes", os.path.basename(data["meshes"][t["mesh"]]["file"]))
        if not os.path.exists(mesh):
            print(f"no mesh for {describe(t)}")
            continue
        bound = max(1e-8, 100. * t["sensitivity"]["native_spooles"])
        try:
            d = differences(t, mesh)
        except RuntimeError as e:
            d = {str(e): math.inf}
        bad = not max(d.values()) <= bound
        failed += bad
        done += 1
        print(f"{'FAIL' if bad else 'ok  '} {describe(t)}: " + ", ".join(f"{k} {s:.1e}" for k, s in d.items()) +
              (f" > {bound:.1e}" if bad else ""), flush=True)
    print(f"{done - failed} of {done} trajectories agree with Vega")
    sys.exit(1 if failed or not done else 0)


if __name__ == "__main__":
    main()
