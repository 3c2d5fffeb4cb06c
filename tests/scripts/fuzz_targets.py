#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 28800
# serial: yes
"""Ten minutes of fuzzing guided by coverage for each target. Builds what that needs (tools/fuzz)."""
import os
import pathlib
import subprocess
import sys

sys.exit(subprocess.run([pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "fuzz"]).returncode)
