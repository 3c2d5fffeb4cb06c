#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: oracle
# timeout: 900
"""SOFA's scenes that our components cover, up to 300 steps, against SOFA's own states."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import oracle

oracle.run(lambda e: True, lambda e: min(e.get("steps") or 100, oracle.SHORT))
