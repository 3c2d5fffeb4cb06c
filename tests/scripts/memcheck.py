#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 14400
# serial: yes
"""Scenes of all families and the corpus of the fuzzer under valgrind (tools/memcheck)."""
import os
import pathlib
import subprocess
import sys

sys.exit(subprocess.run([pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "memcheck"]).returncode)
