#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""runSofa runs configurations of the Vega library's simulator and exports them as scenes that give the same bits."""
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

RUNSOFA = os.environ["RUNSOFA"]
SCENES = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "scenes" / "vega"
POINTS = 63  # of bar.veg


def matrix(path, columns):
    data = struct.pack("<ii", len(columns[0]), len(columns))
    path.write_bytes(data + b"".join(struct.pack(f"<{len(c)}d", *c) for c in columns))


def read_matrix(path):
    data = path.read_bytes()
    rows, columns = struct.unpack_from("<ii", data)
    return rows, columns, list(struct.unpack_from(f"<{rows * columns}d", data, 8))


class Configurations(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vega-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for f in SCENES.iterdir():
            shutil.copy(f, self.folder)
        (self.folder / "elsewhere").mkdir()

    def run_sofa(self, *arguments, code=0):
        p = subprocess.run([RUNSOFA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def record(self, file, *arguments):
        self.run_sofa("-g", "batch", "-n", 20, "--strict", "--record", "r.json", *arguments, file)
        return json.loads((self.folder / "r.json").read_text())

    def change(self, *pairs, file="bar.config"):
        """Sets keys of a configuration, given as pairs of name and value."""
        path = self.folder / file
        path.write_text(path.read_text() + "".join(f"*{key}\n{value}\n" for key, value in pairs))

    def test_the_scenes_run_and_move(self):
        for name in ("bar.config", "bar_massspring.config"):
            frames = self.record(name)["frames"]
            states = frames[-1]["states"]
            self.assertEqual(states[0]["path"], "/body/points")
            self.assertEqual(states[0]["n"], POINTS)
            self.assertTrue(all(map(math.isfinite, states[0]["x"])))
            end = [i for i in range(POINTS) if abs(frames[0]["states"][0]["x"][3 * i] - 0.6) < 1e-9]
            self.assertTrue(all(states[0]["x"][3 * i + 1] < frames[0]["states"][0]["x"][3 * i + 1] - 1e-3 for i in end), name)

    def test_exported_scenes_give_the_same_bits(self):
        matrix(self.folder / "loads.bin", [[math.sin(i + k) for i in range(3 * POINTS)] for k in range(6)])
        matrix(self.folder / "u.bin", [[1e-3 * math.sin(2 * i) for i in range(3 * POINTS)]])
        matrix(self.folder / "v.bin", [[0.1 * math.cos(3 * i) for i in range(3 * POINTS)]])
        original = (self.folder / "bar.config").read_text()
        variants = [(("solver", s),) for s in ("implicitNewmark", "implicitBackwardEuler")]
        variants += [(("solver", s), ("timestep", "0.0005")) for s in ("centralDifferences", "Euler", "symplecticEuler")]
        variants += [(("deformableObjectMethod", m), ("frequencyScaling", "1.25")) for m in ("StVK", "CLFEM", "LinearFEM")]
        variants += [(("initialPositionFilename", "u.bin"), ("initialVelocityFilename", "v.bin"), ("forceLoadsFilename", "loads.bin"),
                      ("substepsPerTimeStep", "3"), ("maxIterations", "4"))]
        variants += [(("dampingLaplacianCoef", "0.1"),), (("customMassSpringSystem", "chain,8,300"), ("volumetricMeshFilename", "__none"))]
        for pairs in variants:
            with self.subTest(pairs):
                (self.folder / "bar.config").write_text(original)
                if pairs[0][0] == "customMassSpringSystem":  # what belongs to a mesh would be a warning
                    (self.folder / "bar.config").write_text(original.replace("*fixedVerticesFilename\nbar.bou\n", ""))
                self.change(*pairs)
                run = self.record("bar.config")
                first, last = run["frames"][0]["states"][0]["x"], run["frames"][-1]["states"][0]["x"]
                self.assertNotEqual(first, last)
                for target in ("bar.scn", "elsewhere/bar.scn"):
                    self.run_sofa("--save-scene", target, "bar.config")
                    self.assertEqual(run, self.record(target))

    def test_loads_act_one_step_each_and_states_are_written(self):
        force = [0.0] * (3 * POINTS)
        force[3 * 6 + 2] = 7.0
        matrix(self.folder / "loads.bin", [[0.0] * (3 * POINTS), force, [2 * f for f in force]])
        self.change(("forceLoadsFilename", "loads.bin"), ("outputFilename", "out"), ("substepsPerTimeStep", "2"), ("addGravity", "0"))
        run = self.record("bar.config")
        rest = run["frames"][0]["states"][0]["x"]
        for k in range(20):
            rows, columns, u = read_matrix(self.folder / f"out.u.{k:04}")
            self.assertEqual((rows, columns), (3 * POINTS, 1))
            x = run["frames"][k + 1]["states"][0]["x"]
            self.assertEqual(u, [a - b for a, b in zip(x, rest)])
            self.assertEqual(max(map(abs, u)) > 1e-9, k >= 2)  # the first column, of zeros, lasts two substeps
            expected = force if 2 <= k < 4 else [2 * f for f in force] if 4 <= k < 6 else [0.0] * len(force)
            self.assertEqual(read_matrix(self.folder / f"out.f.{k:04}")[2], expected)
        self.assertFalse((self.folder / "out.u.0020").exists())

    def test_what_is_not_known_is_a_warning_and_a_failure_when_strict(self):
        self.change(("YoungModulus", "1e7"))
        p = self.run_sofa("-g", "batch", "-n", 1, "bar.config")
        self.assertRegex(p.stderr, r"warning: .*bar\.config:\d+: the key 'YoungModulus' is not known")
        self.run_sofa("-g", "batch", "-n", 1, "--strict", "bar.config", code=1)
        self.run_sofa("--check", "bar.config")

    def test_errors_have_their_place(self):
        def fails(pattern, *pairs):
            original = (self.folder / "bar.config").read_text()
            self.change(*pairs)
            self.assertRegex(self.run_sofa("-g", "batch", "-n", 1, "bar.config", code=1).stderr, pattern)
            (self.folder / "bar.config").write_text(original)

        line = len((self.folder / "bar.config").read_text().splitlines()) + 2
        fails(rf"bar\.config:{line}: \*volumetricMeshFilename: there is no file '.*/none\.veg'", ("volumetricMeshFilename", "none.veg"))
        fails(rf"bar\.config:{line}: expected \*solver to be one of", ("solver", "leapfrog"))
        fails(rf"bar\.config:{line}:? error: .*rayleighMass", ("dampingMassCoef", "-1"))
        matrix(self.folder / "short.bin", [[0.0] * 9])
        fails(rf"bar\.config:{line}: \*initialPositionFilename: the matrix has 9 rows", ("initialPositionFilename", "short.bin"))
        fails(r"loads.*the matrix has 9 rows, but the state '/body/points' has 189", ("forceLoadsFilename", "short.bin"))
        fails(r"the material 'hard' of the mesh is isotropic \(ENU\); this method takes Mooney-Rivlin",
              ("invertibleMaterial", "MooneyRivlin"))
        self.assertIn("bar.config", self.run_sofa("-g", "batch", "missing/bar.config", code=1).stderr)

    def test_any_scene_can_be_exported(self):
        (self.folder / "s.scn").write_text('<Node name="root" dt="0.01"><EulerExplicitSolver/><MechanicalObject position="0 0 0"/>'
                                           '<UniformMass totalMass="1"/></Node>')
        p = self.run_sofa("--save-scene", "elsewhere/t.scn", "s.scn")
        self.assertNotIn("iterations", p.stdout)  # nothing is run
        self.assertEqual(self.record("s.scn"), self.record("elsewhere/t.scn"))
        self.assertIn("iterations", self.run_sofa("-g", "batch", "-n", 1, "--save-scene", "t.scn", "s.scn").stdout)
        self.assertIn("cannot write", self.run_sofa("--save-scene", "nowhere/t.scn", "s.scn", code=3).stderr)


if __name__ == "__main__":
    unittest.main()
