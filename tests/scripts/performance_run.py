#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 1200
# serial: yes
"""tools/performance measures small sizes and writes its page, without SOFA's scenes where there are no reference results. Skipped
where the benchmarks are not built (`ninja benchmarks`)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "performance"
BUILD = pathlib.Path(os.environ["SOFA_BUILD_DIR"])


class Run(unittest.TestCase):
    def test_quick(self):
        with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as nothing:
            folder = pathlib.Path(scratch)
            done = subprocess.run([sys.executable, TOOL, "--quick", "--build", BUILD, "--output", folder], capture_output=True, text=True,
                                  env=dict(os.environ, SOFA_ORACLE=nothing))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            page = (folder / "performance.md").read_text()
            data = json.loads((folder / "performance" / "data.json").read_text())
        for title in ("The machine", "Element kernels", "Large strain and inverted elements", "Badly numbered meshes", "Voxels", "Products of the matrix with a vector",
                      "Direct solvers", "Whole steps"):
            self.assertIn(f"## {title}\n", page)
        self.assertNotRegex(page, r"\bnan\b")
        self.assertTrue(all(row["sum [ns]"] > 0. for row in data["elements"]))
        self.assertTrue(all(row["forces [flop]"] > 100. for row in data["operations"]))

    def test_wrong_parts_are_errors(self):
        done = subprocess.run([sys.executable, TOOL, "--only", "element"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no part 'element'", done.stderr)


if __name__ == "__main__":
    if not (BUILD / "benchmarks" / "calibrate").exists():
        print("the benchmarks are not built")
        sys.exit(77)
    unittest.main()
