#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 120
"""./run and ./test: what they pass on, from where, how quietly and how fast; ninja and ctest are partly stand-ins."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["SOFA_BUILD_DIR"])
SCENE = """<!-- One point that falls freely -->
<Node name="root" dt="0.01" gravity="0 -10 0">
  <EulerExplicitSolver/>
  <MechanicalObject template="Vec3" position="0 0 0"/>
  <UniformMass totalMass="1"/>
</Node>
"""


class EntryScripts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="entry scripts "))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, script, *arguments, stand_ins=None, cwd=None):
        """Runs a script of the top folder with stand-ins {program: shell text} found first."""
        path = self.folder / "bin"
        path.mkdir(exist_ok=True)
        for name, text in (stand_ins or {}).items():
            (path / name).write_text(f"#!/bin/bash\n{text}\n")
            (path / name).chmod(0o755)
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.run([script, *map(str, arguments)], cwd=cwd or self.folder, capture_output=True, text=True,
                              check=False, env={**environment, "PATH": f"{path}:{os.environ['PATH']}"})

    def test_run_takes_a_scene_relative_to_the_caller(self):
        (self.folder / "my scene.scn").write_text(SCENE)
        start = time.monotonic()
        done = self.call(SOURCE / "run", "my scene.scn", "-n", "2")
        self.assertLess(time.monotonic() - start, 2., "an up-to-date tree must start at once")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("ninja", done.stdout + done.stderr)
        self.assertNotIn("Building", done.stdout + done.stderr)

    def test_run_through_a_symbolic_link(self):
        (self.folder / "link").symlink_to(SOURCE / "run")
        (self.folder / "scene.scn").write_text(SCENE)
        self.assertEqual(self.call(self.folder / "link", "scene.scn", "-n", "1").returncode, 0)

    def test_run_reports_a_scene_that_does_not_exist(self):
        done = self.call(SOURCE / "run", "missing.scn", "-n", "1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("missing.scn", done.stdout + done.stderr)

    def test_run_shows_why_the_build_failed_and_does_not_run(self):
        (self.folder / "scene.scn").write_text(SCENE)
        done = self.call(SOURCE / "run", "scene.scn", stand_ins={"ninja": "echo 'A.cpp:1: error: it broke'; exit 1"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("A.cpp:1: error: it broke", done.stderr)
        self.assertIn(str(SOURCE / "build" / "release.log"), done.stderr)

    def test_test_leaves_the_nightly_ones_out_unless_asked(self):
        tools = {"ninja": "exit 0", "ctest": "printf '<%s>' \"$@\"; exit 3"}
        for arguments, expected, unexpected in (
                ([], "<-LE><nightly>", "<--all>"),
                (["--all"], "--no-tests=error", "nightly"),
                (["-L", "nightly"], "<-L><nightly>", "-LE"),
                (["-R", "a mass"], "<-LE><nightly><-R><a mass>", "<--all>")):
            done = self.call(SOURCE / "test", *arguments, stand_ins=tools)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(expected, done.stdout)
            self.assertNotIn(unexpected, done.stdout)

    def test_test_runs_nothing_after_a_failed_build(self):
        done = self.call(SOURCE / "test", stand_ins={"ninja": "exit 1", "ctest": "echo ran"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    if BUILD.resolve() != (SOURCE / "build" / "release").resolve() or not (BUILD / "bin" / "runSofa").exists():
        print("skipped: not the release build, or it has no runSofa")
        sys.exit(77)
    unittest.main()
