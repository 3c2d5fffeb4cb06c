#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""What docs/security.md promises: scenes load no native code, and write no file, that the user did not agree to."""
import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

RUNSOFA = os.environ["RUNSOFA"]
PLUGINS = pathlib.Path(os.environ["SOFA_BUILD_DIR"]) / "tests" / "plugins"
BODY = """<EulerExplicitSolver/><MechanicalObject name="dofs" position="0 0 0 1 0 0"/><UniformMass totalMass="1"/>
<MeshTopology name="mesh" edges="0 1"/>"""
# Components that write, with the attribute of the file; {} is its name.
WRITERS = {
    "FileMessageHandlerComponent": '<FileMessageHandlerComponent filename="{}"/>',
    "Monitor": '<Monitor fileName="{}" indices="0" ExportPositions="1"/>',
    "WriteState": '<WriteState filename="{}"/>',
    "WriteTopology": '<WriteTopology filename="{}" writeEdges="1"/>',
    "VTKExporter": '<VTKExporter filename="{}" edges="1" exportAtBegin="1"/>',
    "VTUExporter": '<VTUExporter filename="{}.pvd" exportEveryNumberOfSteps="1"/>',
    "MeshExporter": '<MeshExporter filename="{}" format="vtk" exportAtEnd="1"/>',
    "VegaStateExporter": '<VegaStateExporter filename="{}"/>',
    "BlenderExporter": '<BlenderExporter filename="{}" simulationType="3" nbPtsByHair="2"/>',
    "ClusteringEngine": '<ClusteringEngine radius="2" position="@dofs.position" outFile="{}" useTopo="0"/>',
    "EvalPointsDistance": '<EvalPointsDistance object1="@dofs" object2="@dofs" filename="{}"/>',
    "VariationalSymplecticSolver": '<CGLinearSolver/><VariationalSymplecticSolver computeHamiltonian="1" saveEnergyInFile="1" file="{}"/>',
}


def scene_of(writer, name):
    text = WRITERS[writer].format(name)
    body = BODY.replace("<EulerExplicitSolver/>", "") if writer == "VariationalSymplecticSolver" else BODY
    return f'<Node dt="0.01">{body}\n{text}</Node>'


def tree(folder):
    """Every file and folder below, with what changes when it is written."""
    out = {}
    for p in sorted(folder.rglob("*")):
        s = p.lstat()
        out[str(p.relative_to(folder))] = (s.st_mtime_ns, s.st_size, s.st_ino)
    return out


class Trust(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="trust-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = self.root / "working"
        self.outside = self.root / "outside"
        self.folder.mkdir()
        self.outside.mkdir()

    def write(self, text, name="a.scn"):
        (self.folder / name).write_text(text)
        return name

    def run_sofa(self, *arguments, code=0, stdin="", **environment):
        p = subprocess.run([RUNSOFA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, input=stdin,
                           env={**os.environ, **environment})
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p.stdout + p.stderr

    def loaded(self, name, *arguments, **options):
        """Output, and whether the loader of the system opened a library of this name."""
        trace = self.root / "loader"
        text = self.run_sofa(*arguments, LD_DEBUG="files", LD_DEBUG_OUTPUT=str(trace), **options)
        traces = [p.read_text(errors="replace") for p in self.root.glob("loader.*")]
        for p in self.root.glob("loader.*"):
            p.unlink()
        self.assertTrue(any("libsofa_core" in t for t in traces), "the loader tells what it opens")
        return text, any(name in t for t in traces)

    # --- Native code

    def test_a_plugin_by_path_is_loaded_only_with_trust(self):
        shutil.copy(PLUGINS / "libTest.Dotted.so", self.folder / "notes.dat")
        for name in ("notes.dat", "./notes.dat", self.folder / "notes.dat"):
            scene = self.write(f'<Node>\n <RequiredPlugin pluginName="{name}"/></Node>')
            for options in ((), ("--lenient",), ("--check",)):
                text, opened = self.loaded("notes.dat", "-g", "batch", "-n", 0, *options, scene, code=1)
                self.assertFalse(opened)
                self.assertRegex(text, r"a\.scn:2:\d+: error")
                self.assertIn("--trust", text)
                self.assertIn(str((self.folder / "notes.dat").resolve()), text)
            text, opened = self.loaded("notes.dat", "-g", "batch", "-n", 0, "--trust", scene)
            self.assertTrue(opened)
        # Who does not need the plugin does not get it silently either.
        scene = self.write('<Node><RequiredPlugin pluginName="notes.dat" requireAll="0"/></Node>')
        self.assertFalse(self.loaded("notes.dat", "-g", "batch", "-n", 0, scene, code=1)[1])

    def test_a_folder_of_the_scene_is_searched_only_with_trust(self):
        plugins = self.folder / "plugins"
        plugins.mkdir()
        shutil.copy(PLUGINS / "libTest.Dotted.so", plugins)
        scene = self.write('<Node><AddPluginRepository path="plugins"/>\n<RequiredPlugin name="Test.Dotted"/></Node>')
        text, opened = self.loaded("libTest.Dotted", "-g", "batch", "-n", 0, scene, code=1)
        self.assertFalse(opened)
        self.assertRegex(text, r"a\.scn:2:\d+: error.*--trust")
        self.assertTrue(self.loaded("libTest.Dotted", "-g", "batch", "-n", 0, "--trust", scene)[1])
        # Folders of the user are trusted, and come first.
        text, opened = self.loaded(str(PLUGINS / "libTest.Dotted.so"), "-g", "batch", "-n", 0, scene, SOFA_PLUGIN_PATH=str(PLUGINS))
        self.assertTrue(opened)

    def test_the_language_server_loads_nothing(self):
        shutil.copy(PLUGINS / "libTest.Dotted.so", self.folder / "notes.dat")
        uri = f"file://{self.folder}/a.scn"
        messages = [
            {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": uri, "languageId": "xml", "version": 1, "text": '<Node><RequiredPlugin name="notes.dat"/></Node>'}}},
            {"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}},
            {"id": 3, "method": "shutdown"}, {"method": "exit"},
        ]
        text = ""
        for m in messages:
            body = json.dumps({"jsonrpc": "2.0", **m})
            text += f"Content-Length: {len(body)}\r\n\r\n{body}"
        output, opened = self.loaded("notes.dat", "--language-server", stdin=text)
        self.assertIn("native code", output)
        self.assertFalse(opened)
        self.run_sofa("--language-server", "--trust", code=2)

    # --- Files

    def test_nothing_is_written_before_the_first_step(self):
        for writer in WRITERS:
            with self.subTest(writer):
                self.write(scene_of(writer, "result"))
                before = tree(self.folder)
                self.run_sofa("-g", "batch", "--check", "a.scn")
                self.run_sofa("-g", "batch", "-n", 0, "a.scn")
                self.assertEqual(tree(self.folder), before)
                self.run_sofa("-g", "batch", "-n", 2, "a.scn")
                written = [p for p in self.folder.iterdir() if p.name != "a.scn"]
                self.assertTrue(written, writer + " writes")
                self.assertTrue(all(p.name.startswith("result") for p in written), written)
                # What is there stays as it is.
                before = tree(self.folder)
                self.run_sofa("-g", "batch", "--check", "a.scn")
                self.assertEqual(tree(self.folder), before)
                for p in written:
                    shutil.rmtree(p) if p.is_dir() else p.unlink()

    def test_scenes_write_in_their_folders_only(self):
        (self.folder / "way").symlink_to(self.outside)
        for writer in WRITERS:
            for name in ("../outside/result", self.outside / "result", "way/result", ".result"):
                with self.subTest(writer, name=str(name)):
                    self.write(scene_of(writer, name))
                    before = tree(self.root)
                    text = self.run_sofa("-g", "batch", "-n", 2, "a.scn", code=1)
                    self.assertRegex(text, r"a\.scn:3:\d+: error")
                    self.assertIn("--trust", text)
                    self.assertEqual(tree(self.root), before)
            with self.subTest(writer, name="allowed"):
                self.write(scene_of(writer, self.outside / "result"))
                for option in (("--trust",), ("--output-folder", self.outside)):
                    self.run_sofa("-g", "batch", "-n", 2, *option, "a.scn")
                    self.assertTrue(list(self.outside.iterdir()))
                    shutil.rmtree(self.outside)
                    self.outside.mkdir()

    def test_links_to_other_files_are_not_written_through(self):
        victim = self.outside / "victim"
        victim.write_text("mine")
        (self.folder / "result").symlink_to(victim)
        (self.folder / "other.part").symlink_to(victim)
        for name, code in (("result", 1), ("other", 0)):
            self.write(scene_of("WriteState", name))
            self.run_sofa("-g", "batch", "-n", 2, "a.scn", code=code)
            self.assertEqual(victim.read_text(), "mine")
        self.assertTrue((self.folder / "other").read_text().startswith("T="))

    # --- Inputs

    def test_compressed_files_do_not_fill_the_memory(self):
        with gzip.open(self.folder / "bomb.gz", "wb", compresslevel=6) as f:
            f.write(b"T= 0\n  X= 0 0 0 1 0 0\n")
            for _ in range(300):
                f.write(b"\n" * 1_000_000)
        self.write(f'<Node>{BODY}<ReadState filename="bomb.gz"/></Node>')
        self.assertIn("200 times", self.run_sofa("-g", "batch", "-n", 1, "a.scn", code=1))
        text = self.run_sofa("-g", "batch", "-n", 1, "--input-limit", "1MB", "a.scn", code=1)
        self.assertIn("--input-limit", text)
        self.run_sofa("-g", "batch", "-n", 1, "--input-limit", "10GB", "a.scn")
        self.run_sofa("-g", "batch", "-n", 1, "a.scn", SOFA_INPUT_LIMIT="10GB")
        self.run_sofa("--input-limit", "much", "a.scn", code=2)

    def test_a_header_is_not_believed(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        head = struct.pack(">IIBBBBB", 30000, 30000, 8, 6, 0, 0, 0)
        (self.folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""))
        self.write('<Node><OglModel position="0 0 0 1 0 0 0 1 0" triangles="0 1 2" texcoords="0 0 1 0 0 1" texturename="a.png"/></Node>')
        p = subprocess.run([RUNSOFA, "-g", "headless", "--frames", "0", "--out", "a%d.ppm", "--size", "64x64", "a.scn"],
                           cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertIn("200 times", p.stdout + p.stderr)

    def test_pipes_are_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        self.write(f'<Node>{BODY}<ReadState filename="pipe"/></Node>')
        self.assertIn("no plain file", self.run_sofa("-g", "batch", "-n", 1, "a.scn", code=1))


if __name__ == "__main__":
    unittest.main()
