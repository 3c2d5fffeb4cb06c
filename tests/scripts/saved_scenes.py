#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: scenes
# timeout: 900
"""Every scene of this repository, saved after 10 steps, opens without a warning and goes on with the same bits."""
import concurrent.futures
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
RUNSOFA = os.environ["RUNSOFA"]


def run(folder, *options):
    p = subprocess.run(
        [RUNSOFA, "-g", "batch", "--strict", *map(str, options)],
        cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )
    return "" if p.returncode == 0 else f"{options}: exit status {p.returncode}: {(p.stderr + p.stdout)[-800:]}"


def check(scene):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        record = ["--record-steps", 13, "--record"]
        problem = (
            run(folder, "-n", 13, *record, "whole.json", scene)
            or run(folder, "-n", 10, "--save-scene", "saved.scn", scene)
            or run(folder, "--check", "saved.scn")
            or run(folder, "-n", 3, *record, "rest.json", "saved.scn")
        )
        if not problem and not filecmp.cmp(folder / "whole.json", folder / "rest.json", shallow=False):
            problem = "the saved scene goes on differently"
        return scene.relative_to(SOURCE).as_posix(), problem


scenes = sorted((SOURCE / "scenes").rglob("*.scn"))
failed = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for name, problem in pool.map(check, scenes):
        failed += bool(problem)
        if problem:
            print(f"FAIL {name}: {problem}")
print(f"{len(scenes) - failed} of {len(scenes)} scenes go on as they were saved")
sys.exit(1 if failed or not scenes else 0)
