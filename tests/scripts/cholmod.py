#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""The solver of the plugin Cholmod gives the motion of SparseLDLSolver with each code and ordering, and names the free degree of
freedom of a singular system. Skipped (exit status 77) where the plugin is not built: it needs SuiteSparse.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RUNSOFA = pathlib.Path(os.environ["RUNSOFA"])
SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
SCENE = (SOURCE / "plugins/Cholmod/CholmodSolver.scn").read_text()
SOLVER = '<CholmodSolver template="CompressedRowSparseMatrixMat3x3d" code="supernodal"/>'


def run(folder, text, steps=10):
    scene = pathlib.Path(folder) / "scene.scn"
    record = pathlib.Path(folder) / "record.json"
    scene.write_text(text)
    p = subprocess.run([RUNSOFA, "-g", "batch", "-n", str(steps), "--record", record, "--record-steps", str(steps), scene],
                       capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return p, record


def positions(folder, solver):
    p, record = run(folder, SCENE.replace(SOLVER, solver))
    if p.returncode != 0:
        sys.exit(f"{solver}: exit status {p.returncode}: {p.stderr[-600:]}")
    values = json.loads(record.read_text())["frames"][-1]["states"][0]["x"]
    return [float(v) for row in values for v in (row if isinstance(row, list) else [row])]


def main():
    if not (RUNSOFA.resolve().parent.parent / "lib" / "libCholmod.so").exists():
        print("the plugin Cholmod is not built")
        return 77
    assert SOLVER in SCENE
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        reference = positions(folder, "<SparseLDLSolver/>")
        scale = max(map(abs, reference))
        for code in ("automatic", "simplicial", "supernodal"):
            for order in ("", "<NaturalOrderingMethod/>", "<AMDOrderingMethod/>", "<MetisOrderingMethod/>", "<RCMOrderingMethod/>"):
                x = positions(folder, f'{order}<CholmodSolver code="{code}"/>')
                difference = max(abs(a - b) for a, b in zip(x, reference, strict=True)) / scale
                good = 0 < scale and difference < 1e-10
                failed += not good
                print(f"{'ok  ' if good else 'FAIL'} {code} {order or 'automatic'}: {difference:.1e}")
        # Without mass and without a fixed point, the static system is singular.
        text = SCENE.replace("<EulerImplicitSolver rayleighStiffness=\"0.05\"/>", "<StaticSolver/>").replace(
            '<FixedProjectiveConstraint indices="@end.indices"/>', "")
        text = text.replace('<HexahedronFEMForceField youngModulus="20000" poissonRatio="0.3"/>', "")
        p, _ = run(folder, text, 1)
        good = p.returncode != 0 and "the system matrix cannot be factorised" in p.stderr and "component" in p.stderr
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} a singular system: {p.stderr.strip().splitlines()[-1:]}")
    return 1 if failed else 0


sys.exit(main())
