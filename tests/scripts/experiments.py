#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# timeout: 600
"""The validation experiments on coarse meshes: the findings of the paper hold, and data and pictures are written."""
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
with tempfile.TemporaryDirectory() as folder:
    p = subprocess.run([sys.executable, SOURCE / "tools" / "experiments", "--quick", "--output", folder, "--run-sofa", os.environ["RUNSOFA"]])
    files = {f.name for f in pathlib.Path(folder).iterdir() if f.stat().st_size > 100}
wanted = {f"{name}.{kind}" for name in ("locking", "solver") for kind in ("csv", "svg")}
if files != wanted:
    print(f"written: {sorted(files)}, expected: {sorted(wanted)}")
sys.exit(p.returncode or files != wanted)
