#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 120
"""Files of WriteState: complete after a run, an interruption and a divergence, absent or as before after a kill; played back exactly."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

RUNSOFA = os.environ["RUNSOFA"]
SCENE = """<Node name="root" dt="0.01"><EulerExplicitSolver/><MechanicalObject name="dofs" position="0 0 0  1 0 0  2 0.1 0"/>
 <UniformMass totalMass="1"/><FixedProjectiveConstraint indices="0"/><SpringForceField spring="0 1 {k} 0.1 1  1 2 80 0.2 1"/>
 <{kind} name="file" filename="{file}" {more}/></Node>"""


def times(path):
    """Those of a file, which must end with a complete frame."""
    lines = path.read_text().splitlines()
    assert all(line.startswith("T= ") for line in lines[::3]) and len(lines) % 3 == 0, lines[-3:]
    assert all(len(line.split()) == 10 for line in lines[1::3] + lines[2::3])
    return [float(line.split()[1]) for line in lines[::3]]


class Playback(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="playback-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "out.txt"
        self.scene("write", "WriteState", 'writeV="1"')

    def scene(self, name, kind, more="", k=100, file="out.txt"):
        (self.folder / f"{name}.scn").write_text(SCENE.format(kind=kind, more=more, k=k, file=file))

    def command(self, *arguments):
        return [RUNSOFA, "-g", "batch", *map(str, arguments)]

    def run_sofa(self, *arguments, code=0):
        p = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def test_the_same_run_agrees_exactly_with_its_file(self):
        self.run_sofa("-n", 30, "write.scn")
        self.assertEqual(len(times(self.file)), 30)
        self.scene("compare", "CompareState")
        p = self.run_sofa("-n", 30, "--csv", "/dev/stdout", "--probe", "@/file.totalErrorX", "--probe", "@/file.totalErrorV", "compare.scn")
        self.assertEqual(p.stdout.splitlines()[-2].split(",")[2:], ["0", "0"])
        self.scene("other", "CompareState", k=101)
        p = self.run_sofa("-n", 30, "--csv", "/dev/stdout", "--probe", "@/file.totalErrorX", "other.scn")
        self.assertGreater(float(p.stdout.splitlines()[-2].split(",")[2]), 1e-6)

    def test_it_goes_on_from_a_checkpoint(self):
        self.run_sofa("-n", 12, "--save-checkpoint", "c.bin", "write.scn")
        self.run_sofa("-n", 5, "--load-checkpoint", "c.bin", "write.scn")
        self.assertEqual([round(t, 9) for t in times(self.file)], [0.12, 0.13, 0.14, 0.15, 0.16])

    def test_a_divergence_leaves_what_was_before(self):
        self.scene("diverges", "WriteState", 'writeV="1"', k=1e9)
        self.run_sofa("-n", 500, "diverges.scn", code=3)
        self.assertGreater(len(times(self.file)), 1)

    def test_an_interruption_completes_the_file(self):
        p = subprocess.Popen(self.command("-n", 100000000, "write.scn"), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.folder / "out.txt.part"
        end = time.monotonic() + 30
        while time.monotonic() < end and not (part.exists() and part.stat().st_size > 1000):
            time.sleep(0.005)
        p.send_signal(signal.SIGINT)
        self.assertEqual(p.wait(30), 130)
        self.assertGreater(len(times(self.file)), 3)
        self.assertFalse(part.exists())

    def test_a_kill_leaves_no_file_or_the_one_before(self):
        for seconds in (0.02, 0.06, 0.12):
            self.file.unlink(missing_ok=True)
            for before in (None, "before\n"):
                if before:
                    self.file.write_text(before)
                p = subprocess.Popen(self.command("-n", 100000000, "write.scn"), cwd=self.folder, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
                time.sleep(seconds)
                p.kill()
                p.wait()
                self.assertEqual(self.file.read_text() if self.file.exists() else None, before)


if __name__ == "__main__":
    unittest.main()
