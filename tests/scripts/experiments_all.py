#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 14400
# serial: yes
"""All validation experiments on their full meshes: the findings of the paper and of mechanics hold. Takes about an hour."""
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "experiments"
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.run([sys.executable, TOOL, "--all", "--output", folder, "--build", os.environ["SOFA_BUILD_DIR"]]).returncode)
