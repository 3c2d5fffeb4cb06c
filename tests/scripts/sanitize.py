#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 14400
# serial: yes
"""Scenes that change while they run, and all that has threads, under the sanitizers. Builds what that needs (tools/sanitize)."""
import os
import pathlib
import subprocess
import sys

sys.exit(subprocess.run([pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "sanitize"]).returncode)
