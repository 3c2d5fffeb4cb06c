#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 900
"""Installs into a folder, moves it, builds a program that embeds the framework, starts plugins with the generator, builds and
tests them and runs their scenes."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["SOFA_BUILD_DIR"])
SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
# The build environment of the framework must not help the installed tree.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("SOFA_") and k not in ("RUNSOFA", "LD_LIBRARY_PATH")}


def run(*command, status=0, **options):
    """Runs a command; its output. Raises with the output if the exit status is another than `status`."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, env=ENVIRONMENT, **options)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))}\nexit status {done.returncode}, expected {status}\n{done.stdout}")
    return done.stdout


class PluginRoundTrip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="plugin round trip "))
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first place")
        cls.prefix = cls.folder / "second place"
        (cls.folder / "first place").rename(cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_installed_program_starts_from_its_new_place(self):
        version = re.search(r"project\(Sofa VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertIn(version, run(self.prefix / "bin" / "runSofa", "--version"))

    def test_every_installed_library_and_program_finds_its_libraries(self):
        for binary in [*(self.prefix / "lib").glob("*.so"), *(self.prefix / "bin").glob("runSofa")]:
            linked = run("ldd", binary)
            self.assertNotIn("not found", linked, binary)
            self.assertNotIn(str(BUILD), linked, binary)

    def test_only_headers_are_installed_as_sources(self):
        self.assertTrue((self.prefix / "include/sofa/core/math/Vec.h").exists())
        self.assertFalse(list((self.prefix / "include").rglob("*.cpp")))

    def build_plugin(self, name, plugin, *options):
        """A new plugin of the generator, built, and its tests run."""
        run(self.prefix / "bin" / "sofa-new-plugin", *options, name, plugin)
        text = "".join(p.read_text() for p in plugin.iterdir())
        self.assertNotRegex(text + " ".join(p.name for p in plugin.iterdir()), "[Pp]luginName|PluginKind")
        build = plugin / "build"
        run("cmake", "-S", plugin, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", build)
        self.assertIn("100% tests passed, 0 tests failed out of 3", run("ctest", "--test-dir", build, "--output-on-failure"))

    def test_every_kind_of_plugin_builds_and_passes_its_tests(self):
        for kind in ("mapping", "engine"):
            with self.subTest(kind):
                self.build_plugin("Soft" + kind.capitalize(), self.folder / kind, "--" + kind)

    def test_a_plugin_with_everything(self):
        """Force field, mappings of one and two inputs, engine, loader, mesh format, value type and collision shape with its tests: built outside
        the repository against what is installed; one scene uses all of them, and computes what it should."""
        plugin = self.folder / "everything"
        self.build_plugin("SoftThings", plugin, "--all")
        kinds = [k.name for k in (SOURCE / "share" / "plugin-template").iterdir() if k.is_dir() and k.name != "All"]
        self.assertGreaterEqual(len(kinds), 10)
        scene, record = plugin / "SoftThings.scn", self.folder / "everything.json"
        for kind in kinds:
            used = {"MeshFormat": "floor.tri", "ValueType": "<SoftThingsInside"}.get(kind, "<SoftThings" + kind)
            self.assertIn(used, scene.read_text(), kind)
        library = plugin / "build" / "lib" / "libSoftThings.so"
        program = self.prefix / "bin" / "runSofa"
        run(program, "--strict", "-n", "300", "--record", record, "--every", "300", "-l", library, scene)
        states = {s["path"]: s["x"] for s in json.loads(record.read_text())["frames"][-1]["states"]}
        # The ellipsoid lies on the floor with its shortest axis upright, and the ball on the ellipsoid or beside it.
        self.assertAlmostEqual(states["/bodies/ellipsoid/frame"][1], 0.3, delta=0.05)
        self.assertTrue(0.15 < states["/bodies/ball/dofs"][1] < 1.2)
        a, b, between = (states[f"/points/{n}/dofs"] for n in ("a", "b", "between"))
        for p, q, x in zip(a, b, between):
            self.assertAlmostEqual(x, 0.75 * p + 0.25 * q, delta=1e-9)
        # Conjugate gradients take the operator of the plugin, and give what the matrix gives.
        explained = run(program, "-n", "5", "--explain", "-l", library, scene)
        self.assertRegex(explained, r"/string/solver \(CGLinearSolver\)\n  operator +product of /string/\S* ?\(SoftThingsOperator\) with "
                                    r"the whole matrix: a string\n  because .*\n  unknowns +36\n")
        assembled = self.folder / "assembled.json"
        run(program, "--strict", "-n", "300", "--record", assembled, "--every", "300", "--set", "/string/solver.assembly=always",
            "-l", library, scene)
        other = {s["path"]: s["x"] for s in json.loads(assembled.read_text())["frames"][-1]["states"]}["/string/dofs"]
        self.assertLess(min(other), -0.01)
        for p, q in zip(states["/string/dofs"], other):
            self.assertAlmostEqual(p, q, delta=1e-6)
        # The scene of each kind, as the generator writes it.
        for kind in kinds:
            option = "--" + re.sub(r"(?<!^)([A-Z])", r"-\1", kind).lower()
            with self.subTest(option):
                folder = self.folder / ("only" + option)
                run(self.prefix / "bin" / "sofa-new-plugin", option, "SoftThings", folder)
                run(program, "--strict", "-n", "100", "-l", library, folder / "SoftThings.scn")
        # The classes of a plugin know what they derive from.
        known = json.loads(run(program, "--list-components", "--format", "json", "-l", library))
        bases = {c["class"]: c["bases"] for c in known}
        self.assertIn("ForceField", bases["SoftThingsForceField"])
        self.assertIn("FrameCollisionModel", bases["SoftThingsCollisionModel"])
        # What is unknown is told with what there is.
        (plugin / "wrong.scn").write_text('<Node><RequiredPlugin name="SoftThings"/><MeshTopology filename="README.md"/></Node>')
        self.assertIn("SoftThings (.tri)", run(program, "-n", "1", "-l", library, plugin / "wrong.scn", status=1))

    def test_new_plugin_builds_and_runs(self):
        plugin = self.folder / "my plugin"
        build = plugin / "build"
        self.build_plugin("SoftWell", plugin, "--force-field")
        scene, library = plugin / "SoftWell.scn", build / "lib" / "libSoftWell.so"
        program = self.prefix / "bin" / "runSofa"
        run(program, "-g", "batch", "-n", "10", "-l", library, scene)
        # What a law gets wrong is found, by its tests and by the program.
        source = plugin / "SoftWellForceField.cpp"
        source.write_text(source.read_text().replace("2. * d[r] * d[c]", "3. * d[r] * d[c]"))
        run("cmake", "--build", build)
        self.assertIn("2 tests failed out of 3", run("ctest", "--test-dir", build, status=8))
        wrong = run(program, "--check-derivatives", "-l", library, scene, status=3)
        self.assertRegex(wrong, r"runSofa: /\S+ \(SoftWellForceField\): stiffness = df/dx does not hold")
        # A name that is not there: what the plugins have.
        (plugin / "typo.scn").write_text('<Node><RequiredPlugin name="SoftWell"/><Weel/></Node>')
        self.assertIn("the plugin 'SoftWell' registered SoftWellForceField",
                      run(program, "-n", "1", "-l", library, plugin / "typo.scn", status=1))
        # Without the plugin the scene is refused, and the message names what is missing.
        refused = subprocess.run([program, "-g", "batch", "-n", "10", scene], capture_output=True, text=True, check=False,
                                 env=ENVIRONMENT)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("SoftWell", refused.stdout + refused.stderr)

    def test_embedding(self):
        """The installed example program loads and steps a scene, and gives the states that runSofa gives."""
        build = self.folder / "embedding"
        run("cmake", "-S", self.prefix / "share" / "sofa" / "embedding", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed")
        run("cmake", "--build", build)
        time, points, *position = run(build / "embedding", "demos/organ.scn", "/organ/dofs", "5").split()
        self.assertAlmostEqual(float(time), 0.1)
        record = self.folder / "organ.json"
        run(self.prefix / "bin" / "runSofa", "-n", "5", "--record", record, "--every", "5", "demos/organ.scn")
        state = next(s for s in json.loads(record.read_text())["frames"][-1]["states"] if s["path"] == "/organ/dofs")
        self.assertEqual((int(points), [float(x) for x in position]), (state["n"], state["x"][:3]))
        self.assertIn("usage", run(build / "embedding", status=1))
        self.assertIn("cannot find", run(build / "embedding", "missing.scn", "/", "1", status=1))

    def test_generator_refuses_bad_names_and_full_folders(self):
        generator = SOURCE / "tools" / "new-plugin"
        for name in ("softWell", "Soft Well", "Soft-Well", "9Wells", "../Well"):
            self.assertIn("is no plugin name", run(generator, name, status=2, cwd=self.folder))
        full = self.folder / "full"
        full.mkdir()
        (full / "file").touch()
        self.assertIn("is not empty", run(generator, "SoftWell", full, status=1))
        self.assertEqual([p.name for p in full.iterdir()], ["file"])


if __name__ == "__main__":
    if not (BUILD / "bin" / "runSofa").exists():
        print("skipped: this build has no runSofa")
        sys.exit(77)
    unittest.main()
