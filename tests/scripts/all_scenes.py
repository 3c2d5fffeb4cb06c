#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: scenes
# timeout: 900
"""Every scene of this repository describes itself, loads without a warning, and runs 20 steps; those of a plugin where it is built."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
RUNSOFA = os.environ["RUNSOFA"]


def is_built(plugin_scene):
    plugin = plugin_scene.relative_to(SOURCE / "plugins").parts[0]
    return (pathlib.Path(RUNSOFA).resolve().parent.parent / "lib" / f"lib{plugin}.so").exists()


def check(scene):
    name = scene.relative_to(SOURCE).as_posix()
    text = scene.read_text()
    comment = re.search(r"<!--(.*?)-->", text, re.S)
    if not comment or text.index("<Node") < comment.start() or f"./run {name}" not in comment.group(1):
        return name, f"it does not open with a comment that says what it shows and './run {name}'"
    p = subprocess.run([RUNSOFA, "-g", "batch", "-n", "20", "--strict", str(scene)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return name, "" if p.returncode == 0 else f"exit status {p.returncode}: {(p.stderr + p.stdout)[-800:]}"


scenes = sorted((SOURCE / "scenes").rglob("*.scn")) + [s for s in sorted((SOURCE / "plugins").rglob("*.scn")) if is_built(s)]
failed = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for name, problem in pool.map(check, scenes):
        failed += bool(problem)
        if problem:
            print(f"FAIL {name}: {problem}")
print(f"{len(scenes) - failed} of {len(scenes)} scenes are fine")
sys.exit(1 if failed or not scenes else 0)
