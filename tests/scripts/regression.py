#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""Regression tests of scenes: the list of this repository agrees, and what the program tells of lists, scenes and references."""
import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

RUNSOFA = os.environ["RUNSOFA"]
SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
EXAMPLES = SOURCE / "scenes" / "examples.regression-tests"
PLUGIN = pathlib.Path(os.environ["SOFA_BUILD_DIR"]) / "tests" / "plugins" / "libTestCrash.so"
FALL = """<Node name="root" dt="0.1" gravity="0 {g} 0"><EulerExplicitSolver/><MechanicalObject name="dofs" position="0 0 0  1 0 0"/>
 <UniformMass totalMass="2"/>{more}</Node>"""


# Example scenes that are not in the list, by the reason.
EXCEPTIONS = {
    "no integrator moves a state of it: there is nothing to compare": """
        component/articulation: ArticulatedHierarchyBVHController ArticulatedHierarchyController
        component/engine: DilateEngine Distances MeshSampler MeshSplittingEngine SmoothMeshEngine Transforms
        component/haptics: EmulatedHapticDevice
        component/interaction: MechanicalStateController
        component/io: OffSequenceLoader
        component/playback: CompareTopology InputEventReader MessageHandlerComponent ReadState ReadTopology WriteTopology
        component/setting: CameraSettings Settings
        component/state: MechanicalObject
        component/visual: Cameras Decorations Lights Passes PostProcess Shaders ShaderVariables SplatsAndSlices Tessellation Transparency VisualModelImpl VisualStyle""",
    "its references would have 33 kB and more, compressed": """
        component/engine: MeshTetraStuffing
        component/fem: TetrahedronHyperelasticityFEMForceField
        component/io: MeshGmshLoader
        component/linearsolver: IncompleteCholeskyPreconditioner MultigridPreconditioner PCGLinearSolver
        component/load: TaitSurfacePressureForceField
        component/topology: BezierTetrahedronSetTopologyContainer SparseGridMultipleTopology SparseGridTopology
        demos: beam carving cloth cutting mixed_chain mixed_chain_penalty organ plate textured_organ torus
        validation: bridge cantilever
        validation/bezier: embedded_bodies helices"""}


def exceptions():
    for scenes in EXCEPTIONS.values():
        for line in scenes.split("\n")[1:]:
            folder, names = line.strip().split(":")
            yield from (f"{folder}/{name}.scn" for name in names.split())


class Regression(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="regression-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.scene("a")
        self.scene("b")
        self.write_list("a.scn 3 1e-9 0 1", "b.scn 3 1e-9 0 0")

    def scene(self, name, g="-10", more=""):
        (self.folder / f"{name}.scn").write_text(FALL.format(g=g, more=more))

    def write_list(self, *lines):
        (self.folder / "my.regression-tests").write_text("# mine\nreferences\n" + "\n".join(lines) + "\n")

    def run_sofa(self, *arguments, code=0):
        p = subprocess.run([RUNSOFA, "-g", "batch", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def regression(self, *arguments, code=0):
        return self.run_sofa("--regression", "my.regression-tests", *arguments, code=code)

    def result(self, output, scene):
        """The last word of a scene's row."""
        return next(line.split()[-1] for line in output.splitlines() if line.startswith(scene))

    def test_the_examples_agree(self):
        p = self.run_sofa("--regression", EXAMPLES, "--strict")
        scenes = EXAMPLES.read_text().count(".scn ")
        self.assertIn(f"{scenes} of {scenes} scenes agree", p.stdout)

    def test_each_example_is_in_the_list_or_an_exception(self):
        listed = [line.split()[0] for line in EXAMPLES.read_text().splitlines() if ".scn " in line and not line.startswith("#")]
        folders = [SOURCE / "scenes" / folder for folder in ("component", "demos", "validation")]
        scenes = [scene.relative_to(SOURCE / "scenes").as_posix() for folder in folders for scene in folder.rglob("*.scn")]
        self.assertEqual(sorted([*listed, *exceptions()]), sorted(scenes))
        # Each reference belongs to a scene of the list.
        references = SOURCE / "tests" / "refs"
        found = {f.relative_to(references).as_posix().split(".reference_")[0] for f in references.rglob("*") if f.is_file()}
        self.assertEqual(sorted(listed), sorted(found))

    def test_a_scene_that_takes_too_long_is_stopped(self):
        self.regression("--update")
        self.write_list("a.scn 1000000000 1e-9 0 1", "b.scn 3 1e-9 0 0")
        p = self.regression("--timeout", "1", "--junit", "j.xml", code=3)
        self.assertIn("it was stopped after 1 s (--timeout)", p.stdout)
        self.assertIn("1 of 2 scenes agree", p.stdout)
        self.assertIn("it was stopped", (self.folder / "j.xml").read_text())
        self.run_sofa("--timeout", "1", "a.scn", code=2)
        self.regression("--timeout", "0", code=2)

    def test_references_are_written_and_compared(self):
        p = self.regression(code=3)
        self.assertIn("/dofs has no reference", p.stdout)
        self.assertIn("0 of 2 scenes agree", p.stdout)
        self.assertIn("2 of 2 scenes have new references", self.regression("--update").stdout)
        self.assertEqual(sorted(f.name for f in (self.folder / "references").iterdir()),
                         [f"{s}.scn.reference_0_dofs_mstate.txt.gz" for s in "ab"])
        text = gzip.open(self.folder / "references" / "b.scn.reference_0_dofs_mstate.txt.gz", "rt").read()
        self.assertEqual(text.count("T="), 4)
        p = self.regression("--threads", 1)
        self.assertEqual([self.result(p.stdout, s) for s in ("a.scn", "b.scn")], ["agrees", "agrees"])
        self.assertIn("2 of 2 scenes agree", p.stdout)

        self.scene("b", g="-9")
        p = self.regression("--junit", "r.xml", code=3)
        self.assertEqual([self.result(p.stdout, s) for s in ("a.scn", "b.scn")], ["agrees", "DIFFERS"])
        self.assertIn("/dofs: positions", p.stdout)
        self.assertIn("1e-09 allowed; beyond it at t = 0.1 s first", p.stdout)
        suite = ElementTree.parse(self.folder / "r.xml").getroot().find("testsuite")
        self.assertEqual({k: suite.get(k) for k in ("name", "tests", "failures", "errors")},
                         {"name": "my.regression-tests", "tests": "2", "failures": "1", "errors": "0"})
        self.assertEqual([c.get("name") for c in suite], ["a.scn", "b.scn"])
        self.assertIn("/dofs: positions", suite[1].find("failure").get("message"))
        self.regression("--update")
        self.regression()

    def test_a_scene_that_crashes_or_cannot_start_does_not_end_the_others(self):
        self.regression("--update")
        self.scene("crash", more="<TestCrash/>")
        self.scene("quiet", more="<TestCrash quietly='1'/>")
        self.scene("wrong", more="<NoSuchComponent/>")
        self.scene("still", more="<!-- & -->")
        (self.folder / "still.scn").write_text("<Node name='root'><MechanicalObject/></Node>")
        self.write_list("crash.scn 3 1e-9 0 1", "wrong.scn 3 1e-9 0 1", "quiet.scn 3 1e-9 0 1", "a.scn 3 1e-9 0 1", "still.scn 3 1e-9 0 1",
                        "b.scn 3 1e-9 0 0")
        for name in ("crash", "quiet"):  # they have references, and crash while these are compared
            shutil.copy(self.folder / "references" / "a.scn.reference_0_dofs_mstate.txt.gz",
                        self.folder / "references" / f"{name}.scn.reference_0_dofs_mstate.txt.gz")
        p = self.regression("-l", PLUGIN, "--junit", "r.xml", code=3)
        self.assertIn("2 of 6 scenes agree", p.stdout)
        self.assertIn("the program crashed: Segmentation fault", p.stdout)
        self.assertIn("| about to crash", p.stdout)
        self.assertIn("the program ended early, with exit status 0", p.stdout)
        self.assertIn("the scene cannot be loaded and initialised", p.stdout)
        self.assertIn("NoSuchComponent", p.stdout)
        self.assertIn("no integrator moves a state of the scene", p.stdout)
        rows = [line.split()[0] for line in p.stdout.splitlines() if line.split()[0].endswith(".scn")]
        self.assertEqual(rows, ["crash.scn", "wrong.scn", "quiet.scn", "a.scn", "still.scn", "b.scn"])
        suite = ElementTree.parse(self.folder / "r.xml").getroot().find("testsuite")
        self.assertEqual((suite.get("errors"), suite.get("failures")), ("4", "0"))

    def test_mistakes_in_lists_are_told_with_their_lines(self):
        self.write_list("a.scn three 1e-9 0 1", "none.scn 3 1e-9 0 1")
        p = self.regression(code=1)
        self.assertIn("my.regression-tests:3: a number of steps was expected, found 'three'", p.stderr)
        self.assertIn("my.regression-tests:4: there is no scene", p.stderr)
        self.assertEqual(p.stdout, "")
        p = self.run_sofa("--regression", "none", code=2)
        self.assertIn("none", p.stderr)
        self.assertIn("--update needs --regression LIST", self.run_sofa("--update", "a.scn", code=2).stderr)
        self.assertIn("--junit needs --regression LIST", self.run_sofa("--junit", "x", "a.scn", code=2).stderr)
        self.write_list("a.scn 3 1e-9 0 1")
        self.assertIn("takes scenes and steps from its lists", self.regression("-n", 3, code=2).stderr)
        self.assertIn("cannot write", self.regression("--junit", "no/folder.xml", code=3).stderr)
        self.assertIn("--regression", self.run_sofa("--help").stdout)

    def test_the_environment_names_the_folder_of_the_references(self):
        (self.folder / "my.regression-tests").write_text("$REGRESSION_DIR/refs\na.scn 3 0 1 1\n")
        os.environ["REGRESSION_DIR"] = str(self.folder / "elsewhere")
        self.addCleanup(os.environ.pop, "REGRESSION_DIR", None)
        self.regression("--update")
        self.assertTrue((self.folder / "elsewhere/refs/a.scn.reference_0_dofs_mstate.txt.gz").exists())
        self.regression()
        del os.environ["REGRESSION_DIR"]
        self.assertIn("has no reference", self.regression(code=3).stdout)
        self.regression("--update")
        self.assertTrue((self.folder / "refs/a.scn.reference_0_dofs_mstate.txt.gz").exists())


if __name__ == "__main__":
    unittest.main()
