#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 5000
"""SOFA's regression scenes of more than 300 steps, in full length, against SOFA's own states."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import oracle

oracle.run(lambda e: (e.get("steps") or 0) > oracle.SHORT, lambda e: e["steps"])
