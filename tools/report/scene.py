# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Variants of the scenes under scenes/validation, run by runSofa: what the experiments are made of."""
import json
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from report.page import ROOT

SCENES = ROOT / "scenes" / "validation"


class Run:
    """What a run gave: whether it went through, the recorded frames, what was printed, and the times by phase."""

    def __init__(self, code, output, frames):
        self.code, self.output, self.frames = code, output, frames
        self.times = {}  # path of phases -> milliseconds per step
        stack = []
        for line in output.splitlines():
            if line.startswith("phase "):  # another table, of later steps
                self.times, stack = {}, []
            found = re.match(r"^( *)(\S+) +[\d.]+ +([\d.]+) +[\d.]+ +[\d.]+%$", line)
            if found:
                depth = len(found.group(1)) // 2
                stack = stack[:depth] + [found.group(2)]
                self.times["/".join(stack)] = float(found.group(3))

    @property
    def step(self):
        """Milliseconds per step."""
        return self.times.get("Step", float("nan"))

    def phase(self, name, inside=""):
        """Milliseconds per step in all phases of that name below the integrator, in paths with `inside`."""
        return sum(ms for path, ms in self.times.items()
                   if path.endswith("/" + name) and path.count("/") >= 3 and inside in path)

    def state(self, name):
        """Positions of a state as lists of triples, for each frame."""
        result = []
        for frame in self.frames:
            x = next(s["x"] for s in frame["states"] if s["path"].split("/")[-1] == name)
            result.append([x[i:i + 3] for i in range(0, len(x), 3)])
        return result


class Scene:
    """A scene of scenes/validation that can be changed before it runs. Components are named by their name or, where there
    is only one of them, by their class."""

    def __init__(self, file):
        self.root = ElementTree.parse(SCENES / file).getroot()

    def find(self, what):
        found = [e for e in self.root.iter() if e.get("name") == what] or [e for e in self.root.iter() if e.tag == what]
        if len(found) != 1:
            raise LookupError(f"{len(found)} components '{what}' in the scene")
        return found[0]

    def set(self, what, **attributes):
        """Attributes of a component; None takes one away."""
        element = self.find(what)
        for key, value in attributes.items():
            if value is None:
                element.attrib.pop(key, None)
            else:
                element.set(key, value if isinstance(value, str) else repr(value))
        return self

    def replace(self, what, tag, **attributes):
        """Another component in the place of one, with its name and none of its other attributes."""
        element = self.find(what)
        name = element.get("name")
        element.attrib.clear()
        element.tag = tag
        if name:
            element.set("name", name)
        return self.set(name or tag, **attributes)

    def add(self, node, tag, **attributes):
        """A component at the end of a node."""
        ElementTree.SubElement(self.find(node), tag, {k: v if isinstance(v, str) else repr(v) for k, v in attributes.items()})
        return self

    def remove(self, what):
        element = self.find(what)
        next(parent for parent in self.root.iter() if element in list(parent)).remove(element)
        return self

    def run(self, program, steps, states=(), every=1, threads=1, timers=False, timeout=3600.):
        """Runs the scene. `states`: names of states to record, at every `every`th step and at the last. With `timers` it does
        twice as many steps and measures the second half: the first step also builds the pattern of the matrix."""
        with tempfile.TemporaryDirectory() as folder:
            scene, record = pathlib.Path(folder) / "scene.scn", pathlib.Path(folder) / "record.json"
            ElementTree.ElementTree(self.root).write(scene)
            command = [str(program), "-g", "batch", "--threads", str(threads), "-n", str(2 * steps if timers else steps)]
            if states:
                chosen = f"0-{steps}-{every}" + ("" if steps % every == 0 else f",{steps}")
                command += ["--record", str(record), "--record-states", ",".join(states), "--record-steps", chosen]
            if timers:
                command += ["--computationTimeSampling", str(steps)]
            done = subprocess.run([*command, str(scene)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                                  timeout=timeout, check=False)
            output = done.stdout + done.stderr
            if done.returncode not in (0, 3):  # 3: diverged
                raise RuntimeError(f"runSofa failed:\n{output}")
            frames = json.loads(record.read_text())["frames"] if states and record.exists() else []
            return Run(done.returncode, output, frames)

    def image(self, program, steps, file, size="640x360"):
        """The scene after so many steps, without a window."""
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "scene.scn"
            ElementTree.ElementTree(self.root).write(scene)
            done = subprocess.run([str(program), "-g", "headless", "--size", size, "--frames", str(steps), "--out", str(file), str(scene)],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder, check=False)
            if done.returncode:
                raise RuntimeError(f"no image:\n{done.stdout}{done.stderr}")
