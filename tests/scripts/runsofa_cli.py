#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""The command line of runSofa: exit codes, recording, checkpoints, threads, timers, listing."""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

RUNSOFA = os.environ["RUNSOFA"]
SCENES = {
    "explicit": """<Node name="root" dt="0.01"><EulerExplicitSolver/><MechanicalObject name="dofs" position="0 0 0 1 0 0 2 0.1 0"/>
 <UniformMass totalMass="1"/><FixedProjectiveConstraint indices="0"/><SpringForceField spring="0 1 100 0.1 1 1 2 80 0.2 1"/></Node>""",
    "cg": """<Node name="root" dt="0.02"><EulerImplicitSolver rayleighStiffness="0.1"/><CGLinearSolver iterations="7" tolerance="1e-9" threshold="1e-9" warmStart="1"/>
 <RegularGridTopology name="grid" n="4 4 10" min="0 0 0" max="1 1 3"/><MechanicalObject name="dofs"/><UniformMass totalMass="1"/>
 <BoxROI name="box" box="-1 -1 -0.1 2 2 0.1"/><FixedProjectiveConstraint indices="@box.indices"/>
 <HexahedronFEMForceField youngModulus="2000" poissonRatio="0.3" method="large"/></Node>""",
    "direct": """<Node name="root" dt="0.02"><EulerImplicitSolver rayleighMass="0.1"/><SparseLDLSolver/>
 <RegularGridTopology name="grid" n="4 4 9" min="0 0 0" max="1 1 3"/><MechanicalObject name="dofs"/><UniformMass totalMass="1"/>
 <FixedProjectiveConstraint indices="0-15"/><TetrahedronFEMForceField youngModulus="3000" poissonRatio="0.4" method="polar"/>
 <Node name="rigid"><MechanicalObject template="Rigid3" position="2 0 0 0 0 0 1"/><UniformMass totalMass="0.5"/>
  <Node name="points"><MechanicalObject name="p" position="0 0 0 0.5 0 0"/><RigidMapping/></Node></Node>
 <SpringForceField object1="@dofs" object2="@rigid/points/p" spring="140 0 50 0.1 1"/></Node>""",
    "contacts": """<Node name="root" dt="0.01"><FreeMotionAnimationLoop/><LCPConstraintSolver mu="0.3" maxIt="20"/>
 <CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection alarmDistance="0.2" contactDistance="0.05"/>
 <CollisionResponse response="FrictionContactConstraint"/>
 <Node name="balls"><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template="Rigid3" position="0 0.4 0 0 0 0 1  0.1 1.1 0 0 0 0 1"/>
  <UniformMass totalMass="1"/><UncoupledConstraintCorrection/><SphereCollisionModel radius="0.3" selfCollision="1"/></Node>
 <Node name="floor"><RegularGridTopology n="3 1 3" min="-2 0 -2" max="2 0 2"/><MechanicalObject/>
  <TriangleCollisionModel moving="0" simulated="0"/></Node></Node>""",
}


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="runsofa-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in SCENES.items():
            (self.folder / f"{name}.scn").write_text(text)

    def run_sofa(self, *arguments, code=0):
        p = subprocess.run([RUNSOFA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def record(self, name, *arguments):
        self.run_sofa("-g", "batch", "--record", "r.json", *arguments, f"{name}.scn")
        return json.loads((self.folder / "r.json").read_text())

    def test_user_interfaces_are_modules_found_by_name(self):
        modules = pathlib.Path(os.environ["SOFA_BUILD_DIR"]) / "tests" / "plugins"
        os.environ["SOFA_PLUGIN_PATH"] = str(modules)
        self.addCleanup(os.environ.pop, "SOFA_PLUGIN_PATH")
        self.assertRegex(self.run_sofa("--help").stdout, r"installed:[^()]*\brecite\b")
        p = self.run_sofa("-g", "recite", "--size", "640x480", "--frames", "0,5,2-4", "--out", "a%d.png", "--video", "v.mp4", "--fps", 25,
                          "--view", "a.view", "-n", 7, "--dt", 0.5, "explicit.scn")
        self.assertIn("root 640x480 0 2 3 4 5 a%d.png v.mp4 25 a.view 7 0.5", p.stdout)
        p = self.run_sofa("-g", "recite", "missing.scn", code=1)
        self.assertIn("no scene 0x0", p.stdout)
        self.assertIn("missing.scn", p.stderr)
        self.assertIn("missing.scn", p.stdout.split("problem: ")[1])
        # What is wrong with a scene is printed once; the interface is told, and need not load it again.
        (self.folder / "wrong.scn").write_text("<Node><MechanicalObjekt/></Node>")
        p = self.run_sofa("-g", "recite", "wrong.scn", code=1)
        self.assertEqual(p.stderr.count("MechanicalObjekt"), 1, p.stderr)
        self.assertRegex(p.stdout, r"said: [^\n]*MechanicalObjekt")
        self.assertNotIn("problem: ", p.stdout)
        os.environ["RECITE_NOT"] = "1"
        self.addCleanup(os.environ.pop, "RECITE_NOT")
        p = self.run_sofa("-g", "recite", "-n", 3, "explicit.scn")
        self.assertIn("nobody listens: running 3 steps in batch", p.stdout)
        self.assertIn("3 iterations done", p.stdout)
        p = self.run_sofa("-g", "recited", "explicit.scn", code=2)
        self.assertRegex(p.stderr, r"no user interface 'recited'.*batch.*recite")

    def test_compatibility_of_scenes_that_do_not_say(self):
        single = 0.10000000149011612
        for attribute, option, x in (("", (), 0.1), ("", ("--compatibility", "sofa"), single), ("", ("--compatibility", "exact"), 0.1),
                                     ('compatibility="sofa"', ("--compatibility", "exact"), single)):
            (self.folder / "one.scn").write_text(f'<Node {attribute}><MechanicalObject name="o" position="0 0 0" dx="0.1"/></Node>')
            frame = self.record("one", "-n", 0, *option)["frames"][0]
            self.assertEqual(frame["states"][0]["x"][0], x)
        self.assertIn("--compatibility", self.run_sofa("--compatibility", "vega", "one.scn", code=2).stderr)

    def test_options_of_images_are_checked(self):
        for size in ("640", "640x", "0x10", "10x20x30", "99999x5"):
            self.assertIn("--size", self.run_sofa("--size", size, "explicit.scn", code=2).stderr)
        self.assertIn("--frames", self.run_sofa("--frames", "a", "explicit.scn", code=2).stderr)
        self.assertIn("headless", self.run_sofa("-g", "batch", "--frames", "1", "explicit.scn", code=2).stderr)

    def test_runs_a_scene_and_says_how_fast(self):
        p = self.run_sofa("-g", "batch", "-n", 20, "explicit.scn")
        self.assertRegex(p.stdout, r"20 iterations done in \S+ s \( \S+ FPS\)")
        self.assertNotIn("%", p.stdout)  # no progress bar in a pipe

    def test_exit_codes(self):
        self.run_sofa("missing.scn", code=1)
        (self.folder / "bad.scn").write_text('<Node name="root"><UniformMas/></Node>')
        p = self.run_sofa("-g", "batch", "bad.scn", code=1)
        self.assertIn("bad.scn:1:19: error", p.stderr)
        self.assertIn("did you mean 'UniformMass'", p.stderr)
        self.run_sofa("-g", "batch", "-n", 1, "--lenient", "bad.scn")
        self.run_sofa("--no-such-option", code=2)
        self.run_sofa("-g", "nowhere", "explicit.scn", code=2)
        self.run_sofa("-n", "minus", "explicit.scn", code=2)
        self.run_sofa("--record-steps", "1", "explicit.scn", code=2)
        (self.folder / "diverge.scn").write_text(SCENES["explicit"].replace("100 0.1", "1e9 0").replace('dt="0.01"', 'dt="1"'))
        p = self.run_sofa("-g", "batch", "-n", 1000, "diverge.scn", code=3)
        self.assertRegex(p.stderr, r"the position of point \d+ of /dofs \(MechanicalObject\), at .* is beyond what the scene can mean "
                                   r"after step \d+: .*divergenceFactor")
        p = self.run_sofa("-g", "batch", "-n", 1000, "--set", "/DefaultAnimationLoop1.divergenceFactor=0", "diverge.scn", code=3)
        self.assertIn("/dofs (MechanicalObject) is not finite after step", p.stderr)

    def test_check_and_strict(self):
        self.assertIn("the scene is fine", self.run_sofa("--check", "explicit.scn").stdout)
        (self.folder / "warn.scn").write_text(SCENES["explicit"].replace("<UniformMass", '<UniformMass colour="red"'))
        self.run_sofa("--check", "warn.scn")
        p = self.run_sofa("--check", "--strict", "warn.scn", code=1)
        self.assertIn("colour", p.stderr)
        two = SCENES["explicit"].replace('totalMass="1"', 'totalMass="heavy"').replace('indices="0"', 'indices="zero"')
        (self.folder / "two.scn").write_text(two)
        p = self.run_sofa("--check", "two.scn", code=1)
        self.assertIn("heavy", p.stderr)
        self.assertIn("zero", p.stderr)

    def test_record(self):
        r = self.record("explicit", "-n", 10, "--record-steps", "0,2,5-9-2")
        self.assertEqual([f["step"] for f in r["frames"]], [0, 2, 5, 7, 9])
        self.assertEqual(r["dt"], 0.01)
        state = r["frames"][0]["states"][0]
        self.assertEqual((state["path"], state["template"], state["n"], state["mapped"]), ("/dofs", "Vec3", 3, 0))
        self.assertEqual(state["x"], [0, 0, 0, 1, 0, 0, 2, 0.1, 0])
        self.run_sofa("-g", "batch", "-n", 2, "--record", "r.json.gz", "explicit.scn")
        self.assertEqual(len(json.loads(gzip.open(self.folder / "r.json.gz").read())["frames"]), 3)

    def test_record_chosen_states(self):
        two = SCENES["explicit"].replace("</Node>", "<Node name='other'><MechanicalObject name='probe' position='1 2 3'/></Node></Node>", 1)
        (self.folder / "two.scn").write_text(two)

        def paths(*names):
            return [s["path"] for s in self.record("two", "-n", 1, *names)["frames"][0]["states"]]

        self.assertEqual(paths(), ["/dofs", "/other/probe"])
        self.assertEqual(paths("--record-states", "probe"), ["/other/probe"])
        self.assertEqual(paths("--record-states", "/dofs,/other/probe"), ["/dofs", "/other/probe"])
        p = self.run_sofa("-g", "batch", "-n", 1, "--record", "r.json", "--record-states", "dofs,none", "two.scn", code=3)
        self.assertIn("no state 'none' to record", p.stderr)
        p = self.run_sofa("--record-states", "dofs", "two.scn", code=2)
        self.assertIn("--record-states needs --record", p.stderr)

    def test_bits_do_not_depend_on_threads(self):
        for name in SCENES:
            runs = [self.record(name, "-n", 30, "--threads", t) for t in (1, 2, 4)]
            self.assertEqual(runs[0], runs[1], name)
            self.assertEqual(runs[0], runs[2], name)
            first, last = runs[0]["frames"][0], runs[0]["frames"][-1]
            self.assertNotEqual(first["states"][0]["x"], last["states"][0]["x"], name)  # something moved

    def test_checkpoints_continue_bit_for_bit(self):
        for name in SCENES:
            whole = self.record(name, "-n", 40, "--record-steps", "40")
            self.run_sofa("-g", "batch", "-n", 20, "--save-checkpoint", "c.bin", f"{name}.scn")
            half = self.record(name, "-n", 20, "--load-checkpoint", "c.bin", "--record-steps", "40")
            self.assertEqual(whole, half, name)
        p = self.run_sofa("-g", "batch", "-n", 1, "--load-checkpoint", "c.bin", "explicit.scn", code=1)
        self.assertIn("belongs to another scene", p.stderr)
        data = (self.folder / "c.bin").read_bytes()
        (self.folder / "cut.bin").write_bytes(data[: len(data) // 2])
        self.assertIn("damaged", self.run_sofa("-g", "batch", "--load-checkpoint", "cut.bin", "direct.scn", code=1).stderr)

    def test_explain(self):
        out = self.run_sofa("--explain", "direct.scn").stdout
        self.assertIn("1 iterations done", out)
        self.assertRegex(out, r"(?m)^/\S+ \(SparseLDLSolver\)$")
        for heading in ("operator", "because", "unknowns", "non-zeros", "ordering", "factorisation", "memory"):
            self.assertRegex(out, rf"(?m)^  {heading} +\S")
        self.assertIn("5 iterations done", self.run_sofa("--explain", "-n", 5, "cg.scn").stdout)
        self.assertIn("There is no linear solver", self.run_sofa("--explain", "explicit.scn").stdout)
        self.assertIn("--explain", self.run_sofa("--explain", "-g", "headless", "cg.scn", code=2).stderr)

    def test_timers(self):
        p = self.run_sofa("-g", "batch", "-n", 5, "--timers=trace.json", "direct.scn")
        for phase in ("Step", "ComputeForce", "Factorize", "ms/step", "/TetrahedronFEMForceField1", "/rigid/points/RigidMapping1"):
            self.assertIn(phase, p.stdout)
        events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        self.assertEqual(sum(e["name"] == "Step" for e in events), 5)
        self.assertIn("ms/step", self.run_sofa("-g", "batch", "-n", 5, "--timers", "direct.scn").stdout)
        self.assertIn("ms/step", self.run_sofa("-g", "batch", "-n", 4, "--computationTimeSampling", 2, "cg.scn").stdout)

    def test_list_components(self):
        listing = json.loads(self.run_sofa("--list-components", "--format", "json").stdout)
        mass = next(c for c in listing if c["class"] == "UniformMass")
        self.assertIn("Vec3", mass["templates"])
        total = next(d for d in mass["data"] if d["name"] == "totalMass")
        self.assertEqual(total["unit"], "kg")
        self.assertIn("UniformMass", self.run_sofa("--list-components").stdout)
        self.assertIn("## UniformMass", self.run_sofa("--list-components", "--format", "markdown").stdout)
        self.assertIn("did you mean", self.run_sofa("--component", "UniformMas", code=2).stderr)

    def test_help_and_version(self):
        self.assertIn("Exit codes", self.run_sofa("--help").stdout)
        self.assertRegex(self.run_sofa("--version").stdout, r"runSofa \d+\.\d+\.\d+")

    def test_export_graph(self):
        p = self.run_sofa("--export-graph", "g.dot", "direct.scn")
        self.assertNotIn("iterations done", p.stdout)
        text = (self.folder / "g.dot").read_text()
        self.assertTrue(text.startswith("digraph scene {"))
        self.assertIn('label="SpringForceField', text)
        self.assertIn('label="object2"', text)  # links are arrows
        self.assertIn("iterations done", self.run_sofa("--export-graph", "g.dot", "-g", "batch", "-n", 1, "direct.scn").stdout)
        self.assertIn("/nonexistent/g.dot", self.run_sofa("--export-graph", "/nonexistent/g.dot", "direct.scn", code=3).stderr)

    def test_save_scene_gives_the_same_run(self):
        self.run_sofa("-g", "batch", "-n", 0, "--save-scene", "saved.scn", "explicit.scn")
        self.assertEqual(self.record("explicit", "-n", 10), self.record("saved", "-n", 10))

    def test_saved_scenes_keep_their_text(self):
        text = SCENES["cg"].replace("\n", "\r\n") + "<!-- end -->"
        (self.folder / "cg.scn").write_bytes(text.encode())
        saved = self.folder / "saved.scn"
        self.run_sofa("--save-scene", saved, "cg.scn")
        self.assertEqual(saved.read_bytes(), text.encode())
        self.run_sofa("--save-scene", saved, "--set", "/HexahedronFEMForceField1.youngModulus=3 kPa", "cg.scn")
        self.assertEqual(saved.read_bytes(), text.replace('youngModulus="2000"', 'youngModulus="3 kPa"').encode())
        self.run_sofa("-g", "batch", "-n", 5, "--save-scene", saved, "--present-values", "cg.scn")
        now = saved.read_text()
        self.assertIn('dt="0.02"', now)
        self.assertIn('checkpoint="saved.scn.checkpoint"', now)
        # The file itself.
        self.run_sofa("--save-scene", "cg.scn", "--set", "/dofs.rotation=0 0 90", "cg.scn")
        self.assertEqual((self.folder / "cg.scn").read_bytes(),
                         text.replace('<MechanicalObject name="dofs"', '<MechanicalObject name="dofs" rotation="0 0 90"').encode())

    def test_a_scene_that_others_changed_is_not_overwritten(self):
        scene = self.folder / "explicit.scn"
        p = subprocess.Popen([RUNSOFA, "-g", "batch", "-n", "100000000", "--save-checkpoint", "c.bin", "--checkpoint-every", "100",
                              "--save-scene", scene, scene], cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        while not (self.folder / "c.bin").exists() and p.poll() is None:
            time.sleep(0.01)
        scene.write_text("<Node/>")
        p.terminate()
        self.assertIn("was changed by another program", p.communicate()[1])
        self.assertEqual(p.returncode, 3)
        self.assertEqual(scene.read_text(), "<Node/>")
        self.assertFalse((self.folder / "explicit.scn.checkpoint").exists())


if __name__ == "__main__":
    unittest.main()
