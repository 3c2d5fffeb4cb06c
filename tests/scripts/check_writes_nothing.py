#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: scenes
# timeout: 900
"""`runSofa --check` of every scene of this repository leaves all files as they are: none is made, emptied or touched."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
RUNSOFA = os.environ["RUNSOFA"]


def tree(folder):
    """Every file and folder below, with what changes when it is written."""
    return {str(p.relative_to(folder)): (p.lstat().st_mtime_ns, p.lstat().st_size, p.lstat().st_ino)
            for p in [folder, *folder.rglob("*")]}


with tempfile.TemporaryDirectory(prefix="check-") as root:
    copy = pathlib.Path(root, "scenes")
    shutil.copytree(SOURCE / "scenes", copy)
    scenes = sorted(copy.rglob("*.scn"))
    before = tree(pathlib.Path(root))

    def check(scene):
        # In the folder of the scene: names of files that it writes are relative to the working folder.
        return scene, subprocess.run([RUNSOFA, "--check", scene.name], cwd=scene.parent, capture_output=True, text=True,
                                     stdin=subprocess.DEVNULL)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for scene, p in pool.map(check, scenes):
            if p.returncode != 0:
                failed += 1
                print(f"FAIL {scene.relative_to(copy)}: exit status {p.returncode}: {(p.stderr + p.stdout)[-800:]}")
    after = tree(pathlib.Path(root))
    for name in sorted(set(before) | set(after)):
        if before.get(name) != after.get(name):
            failed += 1
            print(f"FAIL {name}: {'made' if name not in before else 'gone' if name not in after else 'touched'}")
    print(f"{len(scenes)} scenes were checked")
sys.exit(1 if failed or not scenes else 0)
