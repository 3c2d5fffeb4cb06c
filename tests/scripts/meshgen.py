#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 120
"""The meshes of share/mesh are what applications/meshgen makes (coordinates to 2e-6: libraries of mathematical
functions differ in the last bits)."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "share" / "mesh"
MESHGEN = pathlib.Path(os.environ["SOFA_BUILD_DIR"]) / "bin" / "meshgen"


def same(a, b):
    if a == b:
        return True
    try:
        return abs(float(a) - float(b)) <= 2e-6
    except ValueError:
        return False


class Meshgen(unittest.TestCase):
    def test_meshes_are_reproduced(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([MESHGEN, folder], check=True, stdout=subprocess.DEVNULL)
            made = {p.name: p.read_text().split() for p in pathlib.Path(folder).iterdir()}
        kept = {p.name: p.read_text().split() for p in SOURCE.iterdir() if p.suffix != ".md"}
        self.assertEqual(sorted(made), sorted(kept))
        for name, words in kept.items():
            self.assertEqual(len(made[name]), len(words), name)
            different = [(a, b) for a, b in zip(made[name], words) if not same(a, b)]
            self.assertEqual(different[:3], [], name)

    def test_a_missing_folder_is_an_error(self):
        done = subprocess.run([MESHGEN, "no/such/folder"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be opened for writing", done.stderr)
        self.assertEqual(subprocess.run([MESHGEN], capture_output=True).returncode, 2)


if __name__ == "__main__":
    if not MESHGEN.exists():
        print("meshgen is not built")
        sys.exit(77)
    unittest.main()
