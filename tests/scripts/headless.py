#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""runSofa -g headless: images, videos, views, and what it says to wrong options; and that batch needs no OpenGL."""
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

BUILD = pathlib.Path(os.environ["SOFA_BUILD_DIR"])
RUNSOFA = os.environ["RUNSOFA"]
MODULE = BUILD / "lib" / "libsofa_gui_headless.so"

# A red square of 2 m that moves to the right by 1 m/s, seen from the front: it fills the middle of the view.
SCENE = """<Node name="root" dt="0.1" gravity="0 0 0">
 <BackgroundSetting color="0 0 1 1"/><VisualStyle displayFlags="showVisual"/>
 <InteractiveCamera position="0 0 10" orientation="0 0 0 1" lookAt="0 0 0"/>
 <Node name="body"><EulerExplicitSolver/><MechanicalObject name="d" position="-1 -1 0  1 -1 0  1 1 0  -1 1 0" velocity="1 0 0  1 0 0  1 0 0  1 0 0"/>
  <UniformMass totalMass="1"/>
  <Node name="visual"><OglModel name="m" position="-1 -1 0  1 -1 0  1 1 0  -1 1 0" triangles="0 1 2  0 2 3" color="1 0 0 1"/><IdentityMapping/></Node></Node>
</Node>"""


def read_png(path):
    """Size and rows of RGB pixels of a PNG with 8 bits and without interlace."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", body[:10])
            assert bits == 8 and color == 2
        elif kind == b"IDAT":
            parts += body
        at += 12 + length
    raw, rows, stride = zlib.decompress(parts), [], 3 * width
    above = bytearray(stride)
    for y in range(height):
        filter_, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a, b = (line[x - 3] if x >= 3 else 0), above[x]
            c = above[x - 3] if x >= 3 else 0
            if filter_ == 1:
                line[x] = (line[x] + a) & 255
            elif filter_ == 2:
                line[x] = (line[x] + b) & 255
            elif filter_ == 3:
                line[x] = (line[x] + (a + b) // 2) & 255
            elif filter_ == 4:
                p = a + b - c
                line[x] = (line[x] + min((a, b, c), key=lambda v: abs(p - v))) & 255
        rows.append(bytes(line))
        above = line
    return width, height, rows


def pixel(image, x, y):
    return tuple(image[2][y][3 * x:3 * x + 3])


@unittest.skipUnless(MODULE.exists(), "this build makes no images")
class Headless(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headless-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "move.scn").write_text(SCENE)

    def run_sofa(self, *arguments, code=0, **environment):
        environment = {k: v for k, v in {**os.environ, **environment}.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        p = subprocess.run([RUNSOFA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                           env=environment)
        self.assertEqual(p.returncode, code, p.stdout + p.stderr)
        return p

    def test_images_of_chosen_steps(self):
        p = self.run_sofa("-g", "headless", "--size", "160x120", "--frames", "0,5,20", "--out", "s_%03d.png", "move.scn")
        self.assertEqual(p.stdout.split(), ["s_000.png", "s_005.png", "s_020.png"])
        self.assertEqual(sorted(f.name for f in self.folder.glob("*.png")), ["s_000.png", "s_005.png", "s_020.png"])
        first, later = read_png(self.folder / "s_000.png"), read_png(self.folder / "s_020.png")
        self.assertEqual(first[:2], (160, 120))
        self.assertEqual(pixel(first, 3, 3), (0, 0, 255))
        middle = pixel(first, 80, 60)
        self.assertGreater(middle[0], 150)
        self.assertLess(middle[2], 60)
        # After two seconds its left side is where its right side was.
        half = 120 / 2 / (10 * 0.41421356)  # pixels of a metre at 10 m, 45 degrees
        self.assertEqual(pixel(later, int(80 + half - 3), 60), (0, 0, 255))
        self.assertGreater(pixel(later, int(80 + half + 4), 60)[0], 150)
        self.assertEqual(pixel(first, int(80 + half + 4), 60), (0, 0, 255))

    def test_a_view_file_moves_the_camera(self):
        view = '<Camera version="1.0"><position value="20 0 10"/><orientation value="0 0 0 1"/><distance value="10"/></Camera>'
        (self.folder / "away.view").write_text(view)
        arguments = ["-g", "headless", "--size", "40x30", "--show", "hideSurroundings", "--frames", 0, "--out"]
        self.run_sofa(*arguments, "a.png", "--view", "away.view", "move.scn")
        self.assertEqual(pixel(read_png(self.folder / "a.png"), 20, 15), (0, 0, 255))
        (self.folder / "move.scn.view").write_text(view.replace("20 0 10", "2 0 10"))
        self.run_sofa(*arguments, "b.png", "move.scn")
        self.assertEqual(pixel(read_png(self.folder / "b.png"), 20, 15), (0, 0, 255))
        self.assertEqual(pixel(read_png(self.folder / "b.png"), 12, 15), (255, 0, 0))
        # A saved one in which nothing of the scene lies gives way; that of --view did not.
        (self.folder / "move.scn.view").write_text(view)
        p = self.run_sofa(*arguments, "c.png", "move.scn")
        self.assertEqual(pixel(read_png(self.folder / "c.png"), 20, 15), (255, 0, 0))
        self.assertIn("move.scn.view", p.stderr)
        (self.folder / "move.scn.view").write_text("<Camera>\n<position value='1 2'/></Camera>")
        p = self.run_sofa(*arguments, "c.png", "move.scn", code=3)
        self.assertIn("move.scn.view:2: position", p.stderr)

    def test_the_scene_chooses_size_and_projection(self):
        setting = '<ViewerSetting resolution="80 60" cameraMode="Orthographic"/>'
        # 5 m nearer to the camera than its target: twice as large, but in perspective only.
        near = SCENE.replace("-1 -1 0  1 -1 0  1 1 0  -1 1 0", "-1 -1 5  1 -1 5  1 1 5  -1 1 5")
        sizes = {}
        for name, text in (("plain.scn", near), ("set.scn", near.replace("<VisualStyle", setting + "<VisualStyle"))):
            (self.folder / name).write_text(text)
            given = ["--size", "80x60"] if name == "plain.scn" else []
            self.run_sofa("-g", "headless", *given, "--frames", 0, "--out", name + ".png", name)
            image = read_png(self.folder / (name + ".png"))
            self.assertEqual(image[:2], (80, 60))
            sizes[name] = sum(pixel(image, x, 30)[0] > 100 for x in range(80))
        self.assertGreater(sizes["plain.scn"], 1.6 * sizes["set.scn"])
        self.assertGreater(sizes["set.scn"], 5)
        # The command line goes first.
        self.run_sofa("-g", "headless", "--size", "30x20", "--frames", 0, "--out", "o.png", "set.scn")
        self.assertEqual(read_png(self.folder / "o.png")[:2], (30, 20))

    def test_what_is_shown_and_by_what_it_is_coloured(self):
        mesh = '<MeshTopology triangles="0 1 2  0 2 3"/><MechanicalObject rest_position="-1 -1 0  1 -1 0  3 3 0  -1 1 0"'
        (self.folder / "colour.scn").write_text(SCENE.replace("<MechanicalObject", mesh))
        arguments = ["-g", "headless", "--size", "320x240", "--frames", 0]
        self.run_sofa(*arguments, "--out", "plain.png", "colour.scn")
        self.run_sofa(*arguments, "--out", "colour.png", "--colour-by", "displacement", "colour.scn")
        self.run_sofa(*arguments, "--out", "none.png", "--show", "hideVisual hideAxes", "colour.scn")
        plain, colour, none = (read_png(self.folder / (n + ".png")) for n in ("plain", "colour", "none"))
        # The lower right corner of the square is where it was at rest: blue instead of the model's red.
        self.assertGreater(pixel(plain, 182, 146)[0], 150)
        self.assertLess(pixel(colour, 182, 146)[0], 80)
        self.assertGreater(pixel(colour, 182, 98)[0], 120)
        self.assertNotEqual(pixel(colour, 14, 14), pixel(plain, 14, 14))  # the legend
        self.assertEqual({pixel(none, x, y) for x in range(320) for y in range(240)}, {(0, 0, 255)})
        self.assertIn("Displacement", self.run_sofa("--colour-by", "colour", "colour.scn", code=2).stderr)
        self.assertIn("hideVisual", self.run_sofa("--show", "hideVisuals", "colour.scn", code=2).stderr)

    def test_video(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg")
        p = self.run_sofa("--size", "64x49", "--video", "v.mp4", "--fps", 20, "-n", 10, "move.scn")
        self.assertIn("v.mp4", p.stdout)
        count = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                "stream=nb_read_frames,width,height", "-of", "csv=p=0", self.folder / "v.mp4"],
                               capture_output=True, text=True, check=True).stdout
        # One second, in images of 1/20 s and the first; sizes are made even.
        self.assertEqual(count.strip().rstrip(","), "64,50,21")
        p = self.run_sofa("--video", "v.none", "-n", 2, "move.scn", code=3)
        self.assertIn("v.none", p.stderr)

    def test_a_signal_ends_after_the_step(self):
        p = subprocess.Popen([RUNSOFA, "-g", "headless", "--size", "20x10", "-n", str(10**9), "--frames", "0", "--out", "a.png", "move.scn"],
                             cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not (self.folder / "a.png").exists():
            self.assertIsNone(p.poll())
            time.sleep(0.01)
        p.send_signal(signal.SIGTERM)
        self.assertIn("stopped by SIGTERM after step", p.communicate(timeout=60)[1])
        self.assertEqual(p.returncode, 143)

    def test_no_ffmpeg_is_said(self):
        p = self.run_sofa("--video", "v.mp4", "-n", 2, "move.scn", code=3, PATH="/nowhere")
        self.assertIn("install the package ffmpeg", p.stderr)
        self.assertIn("needs the number of steps", self.run_sofa("--video", "v.mp4", "move.scn", code=2).stderr)

    def test_wrong_names_of_images(self):
        for out, why in (("a.png", "same name"), ("a%d%d.png", "more than one"), ("a%s.png", "%d"), ("a%05d.gif", ".png"), ("a%", ".png")):
            p = self.run_sofa("-g", "headless", "--frames", "0,1", "--out", out, "move.scn", code=2)
            self.assertIn(f"--out '{out}'", p.stderr)
            self.assertIn(why, p.stderr)
        p = self.run_sofa("-g", "headless", "--frames", "0", "--out", "none/a.png", "move.scn", code=3)
        self.assertIn("none/a.png", p.stderr)

    def test_broken_scenes(self):
        (self.folder / "bad.scn").write_text('<Node name="root"><OglModelle/></Node>')
        p = self.run_sofa("-g", "headless", "--frames", 0, "bad.scn", code=1)
        self.assertRegex(p.stderr, r"bad\.scn:1:\d+.*OglModelle")

    def test_one_image_by_default(self):
        self.run_sofa("-g", "headless", "--size", "20x10", "-n", 3, "move.scn")
        self.assertEqual([f.name for f in self.folder.glob("*.png")], ["shot_0003.png"])


class BatchAlone(unittest.TestCase):
    def test_batch_needs_neither_opengl_nor_qt(self):
        libraries = [RUNSOFA, *BUILD.glob("lib/libsofa_c*.so")]
        self.assertGreater(len(libraries), 2)
        for library in libraries:
            needed = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
            self.assertIn("libc.so", needed)
            for name in ("libGL", "libEGL", "libOSMesa", "libQt", "libX11", "libfreetype", "libpng", "sofa_gl"):
                self.assertNotIn(name, needed, f"{library} needs {name}")

    def test_the_batch_component_holds_no_other(self):
        # What each install script puts into which component.
        placed = {}
        for script in BUILD.rglob("cmake_install.cmake"):
            blocks = re.split(r'if\(.*?COMPONENT STREQUAL "(\w+)"', script.read_text())
            for component, text in zip(blocks[1::2], blocks[2::2]):
                placed.setdefault(component, set()).update(re.findall(r'/(?:bin|lib)/([^/"]+)"', text))
        self.assertIn("runSofa", placed["batch"])
        windows = [f for f in placed["batch"] if "sofa_gl" in f or "sofa_gui" in f or "qt" in f.lower()]
        self.assertEqual(windows, [])
        if MODULE.exists():
            self.assertIn(MODULE.name, placed["gl"])
            self.assertNotIn("runSofa", placed["gl"])


if __name__ == "__main__":
    sys.exit(unittest.main())
