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

    def bridge(self, *arguments):
        """Points and elements of a bridge, as lists of point numbers."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "b.msh"
            subprocess.run([MESHGEN, "bridge", file, *arguments], check=True, stdout=subprocess.DEVNULL)
            lines = file.read_text().split("\n")
        def section(name):
            first = lines.index(name)
            return [line.split() for line in lines[first + 2:first + 2 + int(lines[first + 1])]]

        return ([tuple(map(float, w[1:])) for w in section("$Nodes")],
                [[int(v) - 1 for v in w[3 + int(w[2]):]] for w in section("$Elements")])

    def fill(self, *arguments, check=True):
        return subprocess.run([MESHGEN, "tetrahedra", *arguments], check=check, capture_output=True, text=True)

    def test_surfaces_are_filled_where_netgen_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "made.msh"
            if not (MESHGEN.resolve().parent.parent / "lib" / "libNetgen.so").exists():
                missing = self.fill(SOURCE / "sphere.obj", made, check=False)
                self.assertEqual(missing.returncode, 1)
                self.assertIn("libnglib-dev", missing.stderr)
                return
            counts = []
            for size in ("0.3", "0.1"):
                self.fill(SOURCE / "sphere.obj", made, "--size", size)
                counts.append(int(made.read_text().split("$Nodes\n")[1].split()[0]))
            self.assertGreater(counts[1], 2 * counts[0])
            for arguments, message in (((SOURCE / "floor.obj", made), "the surface is open: 40 edges"),
                                       ((SOURCE / "sphere.obj", made, "--grading", "3"), "--grading: expected values in (0, 1]"),
                                       ((SOURCE / "sphere.obj", made, "--size", "x"), "--size: expected a number"),
                                       ((pathlib.Path(folder) / "none.obj", made), "none.obj: no such file")):
                failed = self.fill(*arguments, check=False)
                self.assertEqual(failed.returncode, 1)
                self.assertIn(message, failed.stderr)
                self.assertEqual(len(failed.stderr.splitlines()), 1, failed.stderr)

    def test_bridges_are_connected_and_reach_from_end_to_end(self):
        for arguments, corners in ((("0.25",), 4), (("0.19", "--cubes"), 8)):
            points, elements = self.bridge(*arguments)
            self.assertTrue(3800 < len(points) < 4200, len(points))
            self.assertTrue(all(len(e) == corners for e in elements))
            part = list(range(len(points)))

            def root(i):
                while part[i] != i:
                    part[i] = part[part[i]]
                    i = part[i]
                return i

            for e in elements:
                for i in e[1:]:
                    part[root(i)] = root(e[0])
            self.assertEqual(len({root(i) for i in range(len(points))}), 1)
            for axis, low, high in ((0, 0., 12.), (1, 0., 3.), (2, -1., 1.)):
                values = [p[axis] for p in points]
                self.assertAlmostEqual(min(values), low, delta=0.2)
                self.assertAlmostEqual(max(values), high, delta=0.2)

    def test_wrong_edges_are_errors(self):
        for edge in ("0.001", "x", "-1"):
            done = subprocess.run([MESHGEN, "bridge", "b.msh", edge], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, edge)
            self.assertIn("EDGE", done.stderr)
            self.assertIn("--help", done.stderr)

    def test_a_missing_folder_is_an_error(self):
        done = subprocess.run([MESHGEN, "no/such/folder"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(subprocess.run([MESHGEN], capture_output=True).returncode, 2)


if __name__ == "__main__":
    if not MESHGEN.exists():
        print("meshgen is not built")
        sys.exit(77)
    unittest.main()
