#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""What a run of runSofa gives: recordings, tables of probes, checkpoints, signals, --set, --check-derivatives, the progress line."""
import csv
import json
import math
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

RUNSOFA = os.environ["RUNSOFA"]
BODY = """<Node name="root" dt="0.02"><EulerImplicitSolver/><CGLinearSolver iterations="25" tolerance="1e-9" threshold="1e-9"/>
 <Node name="body"><RegularGridTopology name="grid" n="{n} 4 4" min="0 0 0" max="3 1 1"/><MechanicalObject name="dofs"/>
  <UniformMass name="mass" totalMass="2"/><FixedProjectiveConstraint name="fixed" indices="{fixed}"/>
  <HexahedronFEMForceField name="fem" youngModulus="2000" poissonRatio="0.3" method="large"/></Node></Node>"""
SMALL = BODY.format(n=4, fixed="0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60")

STATIC = SMALL.replace("<EulerImplicitSolver/>", '<StaticSolver/><NewtonRaphsonSolver maxNbIterationsNewton="{}" '
                       'absoluteResidualStoppingThreshold="1e-9" relativeInitialStoppingThreshold="0" relativeSuccessiveStoppingThreshold="0"/>')
STATIC = STATIC.replace("CGLinearSolver", "SparseLDLSolver name='ldl'").replace('iterations="25" tolerance="1e-9" threshold="1e-9"', "")


def npy(data):
    """A file of NumPy: type, shape, bytes. Written from its format, since NumPy need not be installed."""
    assert data[:6] == b"\x93NUMPY"
    length, start = (struct.unpack("<H", data[8:10])[0], 10) if data[6] == 1 else (struct.unpack("<I", data[8:12])[0], 12)
    header = eval(data[start:start + length])  # pylint: disable=eval-used
    assert (start + length) % 64 == 0 and not header["fortran_order"]
    return header["descr"], header["shape"], data[start + length:]


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="results-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "body.scn").write_text(SMALL)

    def run_sofa(self, *arguments, code=0):
        p = subprocess.run([RUNSOFA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def table(self, *probes, steps=3, scene="body.scn", options=(), code=0):
        words = [w for p in probes for w in ("--probe", p)]
        p = self.run_sofa("-n", steps, "--csv", "t.csv", *words, *options, scene, code=code)
        return list(csv.DictReader((self.folder / "t.csv").read_text().splitlines())) if code == 0 else p.stderr

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def start(self, *arguments):
        return subprocess.Popen([RUNSOFA, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)

    # --- Recordings ---------------------------------------------------------------------------------------------
    def test_recording_takes_no_memory(self):
        def memory(steps):
            # On one core, nothing is touched ahead while the scene is loaded.
            script = ("import os, resource, subprocess, sys; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
                      "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                      "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            return int(subprocess.run([sys.executable, "-c", script, RUNSOFA, "-n", str(steps), "--record", "r.json",
                                       str(self.folder / "body.scn")], capture_output=True, text=True, check=True,
                                      cwd=self.folder).stdout)
        (self.folder / "body.scn").write_text(SMALL.replace("EulerImplicitSolver", "EulerExplicitSolver").replace('dt="0.02"', 'dt="1e-5"'))
        few, many = memory(100), memory(3000)
        written = (self.folder / "r.json").stat().st_size / 1024
        self.assertGreater(written, 10000)
        self.assertLess(many - few, 0.2 * written)
        self.assertEqual(len(json.loads((self.folder / "r.json").read_text())["frames"]), 3001)

    def test_every(self):
        self.run_sofa("-n", 10, "--record", "r.json", "--every", 4, "body.scn")
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([f["step"] for f in record["frames"]], [0, 4, 8])
        self.assertEqual(record["dt"], 0.02)
        self.assertEqual([r["step"] for r in self.table("@/body.energy", steps=10, options=("--every", 5))], ["0", "5", "10"])

    def test_numpy(self):
        self.run_sofa("-n", 3, "--record", "r.npz", "body.scn")
        self.run_sofa("-n", 3, "--record", "r.json", "body.scn")
        with zipfile.ZipFile(self.folder / "r.npz") as z:
            self.assertIsNone(z.testzip())
            self.assertEqual(sorted(z.namelist()), ["body/dofs/v.npy", "body/dofs/x.npy", "step.npy", "time.npy"])
            kind, shape, data = npy(z.read("body/dofs/x.npy"))
        self.assertEqual((kind, shape), ("<f8", (4, 64, 3)))
        frames = json.loads((self.folder / "r.json").read_text())["frames"]
        self.assertEqual(list(struct.unpack("<768d", data)), [x for f in frames for x in f["states"][0]["x"]])

        self.run_sofa("-n", 3, "--csv", "t.npy", "--probe", "@/body/dofs.position:5", "--probe", "@/.time", "body.scn")
        kind, shape, data = npy((self.folder / "t.npy").read_bytes())
        names = ["step", "time", "/body/dofs.position:5.x", "/body/dofs.position:5.y", "/body/dofs.position:5.z", "/.time"]
        self.assertEqual((kind, shape), ([(n, "<f8") for n in names], (4,)))
        rows = list(struct.iter_unpack("<6d", data))
        self.assertEqual([list(r[2:5]) for r in rows], [f["states"][0]["x"][15:18] for f in frames])
        self.run_sofa("-n", 3, "--csv", "t.npz", "--probe", "@/body.energy", "body.scn")
        with zipfile.ZipFile(self.folder / "t.npz") as z:
            self.assertEqual(npy(z.read("time.npy"))[1], (4,))
        try:
            import numpy  # pylint: disable=import-outside-toplevel
        except ImportError:
            return
        self.assertEqual(numpy.load(self.folder / "r.npz")["body/dofs/x"].shape, (4, 64, 3))
        self.assertEqual(list(numpy.load(self.folder / "t.npy")["step"]), [0, 1, 2, 3])

    def test_files_are_complete_or_absent(self):
        self.run_sofa("-n", 1, "--record", "r.json", "body.scn")
        old = (self.folder / "r.json").read_bytes()
        self.run_sofa("-n", 5, "--record", "r.json", "--record-states", "none", "body.scn", code=3)
        self.assertEqual((self.folder / "r.json").read_bytes(), old)
        p = self.start("-n", 10**6, "--record", "r.json", "body.scn")
        while not (self.folder / "r.json.part").exists():
            time.sleep(0.01)
        p.kill()
        p.communicate()
        self.assertEqual((self.folder / "r.json").read_bytes(), old)
        (self.folder / "r.json.part").unlink()
        self.assertEqual(self.files(), ["body.scn", "r.json"])
        for option in ("--record", "--save-scene", "--export-graph"):
            self.assertIn("cannot write 'none/f", self.run_sofa("-n", 1, option, "none/f", "body.scn", code=3).stderr)

    def test_files_that_are_none(self):
        probe = ("--probe", "@/body/dofs.position:y:min")
        self.run_sofa("-n", 3, "--csv", "t.csv", *probe, "--record", "r.json", "--export", "r.pc2", "body.scn")
        expected = {f: (self.folder / f).read_bytes() for f in ("t.csv", "r.json", "r.pc2")}

        for target in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            # What stood there stays, and what the program prints itself too.
            (self.folder / "all.txt").write_text("before\n")
            with (self.folder / "all.txt").open("a", encoding="utf-8") as out:
                subprocess.run([RUNSOFA, "-n", "3", "--csv", target, *probe, "body.scn"], cwd=self.folder, stdout=out, check=True)
            lines = (self.folder / "all.txt").read_text().splitlines()
            self.assertEqual(lines[0], "before")
            self.assertEqual(sum("iterations done" in line for line in lines), 1)
            self.assertEqual([line for line in lines[1:] if "iterations" not in line], expected["t.csv"].decode().splitlines())
        out = self.run_sofa("-n", 3, "--csv", "/dev/stdout", *probe, "body.scn").stdout  # a pipe without a name
        for line in expected["t.csv"].decode().splitlines():
            self.assertIn(line, out.splitlines())
        (self.folder / "all.txt").unlink()

        # Pipes with a name: the reader gets the whole file, once.
        for name in ("r.npz", "t.npy"):
            self.run_sofa("-n", 3, *(("--csv", name, *probe) if name == "t.npy" else ("--record", name)), "body.scn")
            expected[name] = (self.folder / name).read_bytes()
            (self.folder / name).unlink()
        for option, name, pipe in (("--csv", "t.csv", "p"), ("--record", "r.json", "p"), ("--export", "r.pc2", "p.pc2"),
                                   ("--record", "r.npz", "p.npz"), ("--csv", "t.npy", "p.npy")):
            os.mkfifo(self.folder / pipe)
            p = self.start("-n", 3, option, pipe, *(probe if option == "--csv" else ()), "body.scn")
            self.assertEqual((self.folder / pipe).read_bytes(), expected[name], name)
            p.communicate(timeout=60)
            self.assertEqual(p.returncode, 0)
            self.assertTrue((self.folder / pipe).is_fifo())
            (self.folder / pipe).unlink()
        self.assertEqual(self.files(), ["body.scn", "r.json", "r.pc2", "t.csv"])

    def test_exports_that_cannot_be_are_wrong_usage(self):
        for target, text in (("x.foo", "no format is known by this extension"), ("x.pvd:every=0", "expected a number of steps"),
                             ("x_%04x.vtk", "such as bar_%04d.vtk"), ("x_%d.mdd", "a time series has one name")):
            p = self.run_sofa("-n", 10**9, "--export", target, "body.scn", code=2)
            self.assertIn(text, p.stderr)
            self.assertNotIn("iterations", p.stdout)
        self.assertIn("cannot write", self.run_sofa("-n", 1, "--export", "no/folder.vtk", "body.scn", code=3).stderr)
        self.assertEqual(self.files(), ["body.scn"])

    # --- Probes -------------------------------------------------------------------------------------------------
    def test_probes_of_data(self):
        self.run_sofa("-n", 3, "--record", "r.json", "body.scn")
        last = json.loads((self.folder / "r.json").read_text())["frames"][-1]["states"][0]
        v = [last["v"][i:i + 3] for i in range(0, len(last["v"]), 3)]
        row = self.table("@/body/dofs.velocity:norm:max", "@/body/dofs.velocity:mean", "@/body/dofs.velocity:7:y", "@/body/dofs.velocity:z:min",
                         "/body/fem.youngModulus", "@/body/dofs.velocity:sum:norm", "@/body/fixed.indices:norm")[-1]
        self.assertEqual(float(row["/body/dofs.velocity:norm:max"]), max(math.sqrt(a * a + b * b + c * c) for a, b, c in v))
        self.assertAlmostEqual(float(row["/body/dofs.velocity:mean.y"]), sum(a[1] for a in v) / 64, places=15)
        self.assertEqual(float(row["/body/dofs.velocity:7:y"]), v[7][1])
        self.assertEqual(float(row["/body/dofs.velocity:z:min"]), min(a[2] for a in v))
        self.assertEqual(row["/body/fem.youngModulus"], "2000")
        self.assertAlmostEqual(float(row["/body/dofs.velocity:sum:norm"]), math.dist([sum(c) for c in zip(*v)], [0, 0, 0]), places=12)
        self.assertAlmostEqual(float(row["/body/fixed.indices:norm"]), math.sqrt(sum(i * i for i in range(0, 64, 4))), places=10)

    def test_reactions_carry_the_weight_at_rest(self):
        (self.folder / "rest.scn").write_text(STATIC.format(50))
        rows = self.table("@/body/fixed.reaction:sum", "@/body/mass.force:sum", "@/body/fem.force:sum:norm", "@/.kineticEnergy",
                          "@/.energy", "@/body.potentialEnergy", "@/body/mass.potentialEnergy", "@/body/fem.potentialEnergy",
                          "@/body/mass.momentum", steps=1, scene="rest.scn")
        row = rows[-1]
        self.assertAlmostEqual(float(row["/body/mass.force:sum.y"]), -2 * 9.81, places=12)
        self.assertAlmostEqual(float(row["/body/fixed.reaction:sum.y"]), 2 * 9.81, delta=1e-7)
        self.assertAlmostEqual(float(row["/body/fixed.reaction:sum.x"]), 0., delta=1e-7)
        self.assertAlmostEqual(float(row["/body/fem.force:sum:norm"]), 0., delta=1e-10)
        self.assertLess(float(row["/.kineticEnergy"]), 1e-12)
        parts = [float(row[f"/body/{c}.potentialEnergy"]) for c in ("mass", "fem")]
        self.assertGreater(parts[1], 0.)
        self.assertAlmostEqual(float(row["/body.potentialEnergy"]), sum(parts), places=12)
        self.assertEqual(float(row["/.energy"]), float(row["/.kineticEnergy"]) + float(row["/body.potentialEnergy"]))

    def test_probes_do_not_change_the_run(self):
        self.run_sofa("-n", 20, "--record", "a.json", "body.scn")
        self.run_sofa("-n", 20, "--record", "b.json", "--csv", "t.csv", "--probe", "@/body/fixed.reaction:sum", "--probe", "@/.energy",
                      "--probe", "@/body/fem.force:norm:max", "body.scn")
        self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())

    def test_stresses(self):
        # What the force field computes itself is the same.
        row = self.table("@/body/fem.vonMises:max", "@/body/fem.vonMises:min", "@/body/fem.vonMises:3", steps=20)[-1]
        self.assertGreater(float(row["/body/fem.vonMises:max"]), float(row["/body/fem.vonMises:min"]))
        self.assertGreaterEqual(float(row["/body/fem.vonMises:min"]), 0)
        tetrahedra = SMALL.replace("HexahedronFEM", "TetrahedronFEM").replace('method="large"', 'method="large" computeVonMisesStress="1"')
        (self.folder / "tetra.scn").write_text(tetrahedra)
        row = self.table("@/body/fem.vonMises:max", "@/body/fem.vonMisesPerElement:max", scene="tetra.scn")[-1]
        self.assertGreater(float(row["/body/fem.vonMises:max"]), 0)
        self.assertAlmostEqual(float(row["/body/fem.vonMises:max"]), float(row["/body/fem.vonMisesPerElement:max"]), places=9)

    def test_wrong_probes(self):
        for probe, text in (("@/body/dofs.velocty", "did you mean 'velocity'"), ("@/bode/dofs.velocity", "did you mean 'body'"),
                            ("@/body/dofs.velocity:largest", "'largest' is no operation"), ("@/body/dofs.velocity:64", "64 entries"),
                            ("@/body/dofs.name", "does not hold numbers"), ("@/body/dofs", "expected @PATH.NAME"),
                            ("@/body/fixed.reactions", "did you mean 'reaction'")):
            self.assertIn(text, self.table(probe, code=3), probe)
        self.assertIn("--probe needs --csv", self.run_sofa("--probe", "@/.dt", "body.scn", code=2).stderr)
        self.assertIn("--csv needs --probe", self.run_sofa("--csv", "a.csv", "body.scn", code=2).stderr)
        self.assertEqual(self.files(), ["body.scn"])

    # --- Checkpoints and signals --------------------------------------------------------------------------------
    def test_signals_end_after_the_step(self):
        for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
            p = self.start("-n", 10**6, "--record", "r.json", "--csv", "t.csv", "--probe", "@/.energy", "--save-checkpoint", "c.bin", "body.scn")
            while not (self.folder / "t.csv.part").exists():
                time.sleep(0.01)
            time.sleep(0.2)
            p.send_signal(number)
            _, err = p.communicate(timeout=60)
            self.assertEqual(p.returncode, 128 + number)
            step = int(re.search(rf"stopped by {name} after step (\d+)", err)[1])
            self.assertEqual(json.loads((self.folder / "r.json").read_text())["frames"][-1]["step"], step)
            self.assertEqual(int(list(csv.DictReader((self.folder / "t.csv").read_text().splitlines()))[-1]["step"]), step)
            self.run_sofa("-n", 1, "--load-checkpoint", "c.bin", "--record", "on.json", "body.scn")
            self.assertEqual([f["step"] for f in json.loads((self.folder / "on.json").read_text())["frames"]], [step, step + 1])
            self.assertFalse([f for f in self.files() if f.endswith(".part")])

    def test_checkpoint_every(self):
        p = self.start("-n", 10**6, "--save-checkpoint", "c.bin", "--checkpoint-every", 5, "body.scn")
        while not (self.folder / "c.bin").exists():
            time.sleep(0.01)
        p.kill()
        p.communicate()
        self.run_sofa("-n", 0, "--load-checkpoint", "c.bin", "--record", "r.json", "body.scn")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["frames"][0]["step"] % 5, 0)
        self.assertIn("needs --save-checkpoint", self.run_sofa("--checkpoint-every", 5, "body.scn", code=2).stderr)

    def test_older_checkpoints_are_kept(self):
        self.run_sofa("-n", 9, "--save-checkpoint", "c.bin", "--checkpoint-every", 2, "--keep-checkpoints", 3, "body.scn")
        self.assertEqual(self.files(), ["body.scn", "c.1.bin", "c.2.bin", "c.bin"])
        steps = []
        for name in ("c.bin", "c.1.bin", "c.2.bin"):
            self.run_sofa("-n", 0, "--load-checkpoint", name, "--record", "r.json", "body.scn")
            steps.append(json.loads((self.folder / "r.json").read_text())["frames"][0]["step"])
        self.assertEqual(steps, [9, 8, 6])
        self.assertIn("needs --save-checkpoint", self.run_sofa("--keep-checkpoints", 2, "body.scn", code=2).stderr)

    def test_a_second_signal_interrupts_the_step(self):
        # A long beam needs many iterations.
        (self.folder / "long.scn").write_text(BODY.format(n=8000, fixed="0").replace('iterations="25" tolerance="1e-9" threshold="1e-9"',
                                                                                     'iterations="1000000000" tolerance="0" threshold="0"'))
        p = self.start("-n", 3, "--record", "r.json", "--save-checkpoint", "c.bin", "long.scn")
        line = p.stderr.readline()
        self.assertRegex(line, r"step 1 has taken 5 s so far \(Step/.*Solve.*\)")
        p.send_signal(signal.SIGTERM)
        self.assertRegex(p.stderr.readline(), r"SIGTERM: waiting for the end of step 1 \(Step/.*\); a second one interrupts it")
        p.send_signal(signal.SIGTERM)
        _, err = p.communicate(timeout=60)
        self.assertEqual(p.returncode, 128 + signal.SIGTERM, err)
        self.assertIn("stopped by SIGTERM within step 1: results end before it, and no checkpoint was made of it", err)
        self.assertEqual([f["step"] for f in json.loads((self.folder / "r.json").read_text())["frames"]], [0])
        self.assertEqual(self.files(), ["body.scn", "long.scn", "r.json"])

    def test_long_initialisation_says_what_it_does(self):
        # The compliance of 27,000 points takes minutes.
        scene = """<Node name="root"><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver/>
 <Node name="body"><EulerImplicitSolver/><SparseLDLSolver/><RegularGridTopology n="30 30 30" min="0 0 0" max="1 1 1"/><MechanicalObject/>
  <UniformMass totalMass="2"/><HexahedronFEMForceField/><PrecomputedConstraintCorrection recompute="1"/></Node></Node>"""
        (self.folder / "long.scn").write_text(scene)
        p = self.start("-n", 1, "long.scn")
        self.assertRegex(p.stderr.readline(),
                         r"initialisation has taken 5 s so far \(Initialisation/PrecomputedConstraintCorrection.*\)")
        p.kill()
        p.communicate()

    def test_what_cannot_be_written(self):
        for option in ("--record", "--save-checkpoint", "--save-scene", "--timers=none/x"):
            words = [option] if "=" in option else [option, "none/x"]
            p = self.run_sofa("-n", 10**9, *words, "body.scn", code=3)
            self.assertIn("cannot write 'none/x': No such file or directory", p.stderr)
        # A limit on the size of files stands for a full disk.
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        (self.folder / "c.bin").write_text("old")
        p = subprocess.run([RUNSOFA, "-n", "1000000", "--record", "r.json", "--csv", "t.csv", "--probe", "@/.energy", "--save-checkpoint",
                            "c.bin", "body.scn"], cwd=self.folder, capture_output=True, text=True, preexec_fn=limited, check=False)
        self.assertEqual(p.returncode, 3, p.stderr)
        self.assertIn("cannot write 'r.json': File too large", p.stderr)
        self.assertEqual((self.folder / "c.bin").read_text(), "old")
        self.assertGreater(len((self.folder / "t.csv").read_text().splitlines()), 3)
        self.assertEqual(self.files(), ["body.scn", "c.bin", "t.csv"])
        p = subprocess.run(f"{RUNSOFA} -n 100000 --record /dev/stdout body.scn 2> err.txt | head -c 100 > part; echo ${{PIPESTATUS[0]}}",
                           cwd=self.folder, shell=True, executable="/bin/bash", capture_output=True, text=True, check=False)
        self.assertEqual(p.stdout, "3\n")
        self.assertIn("cannot write '/dev/stdout': Broken pipe", (self.folder / "err.txt").read_text())

    # --- --set --------------------------------------------------------------------------------------------------
    def test_set(self):
        rows = self.table("@/body/fem.youngModulus", "@/.dt", "@/body/fixed.indices:max",
                          options=("--set", "/body/fem.youngModulus=3kPa", "--set", "/.dt=5 ms", "--set", "@/body/fixed.indices=0-5"))
        self.assertEqual((rows[-1]["/body/fem.youngModulus"], rows[-1]["/.dt"], rows[-1]["/body/fixed.indices:max"]), ("3000", "0.005", "5"))
        self.assertAlmostEqual(float(rows[-1]["time"]), 0.015)
        # The value holds from the start: the same as in the scene.
        (self.folder / "stiff.scn").write_text(SMALL.replace('"2000"', '"3000"'))
        self.run_sofa("-n", 5, "--record", "a.json", "stiff.scn")
        self.run_sofa("-n", 5, "--record", "b.json", "--set", "/body/fem.youngModulus=3kPa", "body.scn")
        self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())

    def test_set_is_checked(self):
        for setting, text in (("/body/fem.youngModulus=3 kg", "measures something else"), ("/body/fem.youngModulus=-1", "expected values"),
                              ("/body/fem.youngModulus=soft", "number"), ("/body/fem.youngModulos=1", "did you mean 'youngModulus'"),
                              ("/body/fum.youngModulus=1", "did you mean 'fem'"), ("/body/fem=1", "expected PATH.NAME=VALUE"),
                              ("/body/mass.totalMass=1 2 3", "not taken whole"), ("/body/dofs.position=@/none.position", "broken link"),
                              ("nothing", "expected PATH.NAME=VALUE")):
            p = self.run_sofa("-n", 1, "--set", setting, "body.scn", code=1)
            self.assertIn(f"--set {setting}: error:", p.stderr)
            self.assertIn(text, p.stderr, setting)

    # --- The rest -----------------------------------------------------------------------------------------------
    def test_progress_line_on_terminals_only(self):
        here, there = pty.openpty()
        p = subprocess.Popen([RUNSOFA, "-n", "50", str(self.folder / "body.scn")], stdout=there, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        os.close(there)
        text = b""
        while True:
            try:
                part = os.read(here, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        p.communicate()
        self.assertRegex(text.decode(), r"step 50 of 50 \(100 %\), t = 1 s, \S+ steps/s, 0 s left")
        self.assertNotIn("steps/s", self.run_sofa("-n", 5, "body.scn").stdout)

    def test_n_means_batch(self):
        display = dict(os.environ, DISPLAY=":9999", QT_QPA_PLATFORM="offscreen")
        p = subprocess.run([RUNSOFA, "-n", "2", "body.scn"], cwd=self.folder, capture_output=True, text=True, env=display, timeout=60, check=False)
        self.assertIn("2 iterations done", p.stdout, p.stderr)

    def test_wrong_numbers_and_files(self):
        for words in (("-n", "abc"), ("-n", "-3"), ("-n", "1.5")):
            p = self.run_sofa(*words, "body.scn", code=2)
            self.assertIn("expected a whole number from 0 to 1000000000", p.stderr)
        self.assertIn("expected a time above 0", self.run_sofa("--dt", "0", "body.scn", code=2).stderr)
        self.assertIn("measures something else", self.run_sofa("--dt", "5 m", "body.scn", code=2).stderr)
        (self.folder / "a.py").write_text("def createScene(root):\n    pass\n")
        self.assertIn("a scene written in Python", self.run_sofa("-n", 1, "a.py", code=1).stderr)

    def test_check_derivatives(self):
        p = self.run_sofa("--check-derivatives", "body.scn")
        self.assertRegex(p.stdout, r"/body/fem \(HexahedronFEMForceField\)\n.*\n  stiffness = df/dx +right")
        self.assertIn("nothing is wrong", p.stdout)
        # A corotational law leaves out the turning of its frames: seen once the body is bent.
        p = self.run_sofa("--check-derivatives", "-n", 20, "body.scn", code=3)
        self.assertIn("/body/fem (HexahedronFEMForceField): stiffness = df/dx does not hold", p.stderr)

    def test_static_solves_that_do_not_converge_fail(self):
        (self.folder / "good.scn").write_text(STATIC.format(50))
        (self.folder / "bad.scn").write_text(STATIC.format(1))
        self.run_sofa("-n", 1, "good.scn")
        p = self.run_sofa("-n", 1, "bad.scn", code=3)
        self.assertRegex(p.stderr, r"/StaticSolver\S* \(StaticSolver\) did not converge in the last step")
        self.run_sofa("-n", 60, "bad.scn")  # it has converged, one iteration a step


if __name__ == "__main__":
    unittest.main()
