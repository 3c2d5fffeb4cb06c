# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Runs of scenes/validation/bezier with other meshes and elements: their motion, and where the time goes, in the columns of Bargteil and Cohen, "Animation of
deformable bodies with quadratic Bézier finite elements", 2014."""
import csv
import json
import math
import pathlib
import re
import resource
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from report.bezier_meshes import LENGTH, WIDTH
from report.page import significant
from report.scene import Scene

# Tables I and II: non-zeros, and seconds a frame in all, for forces, degree, building the matrix, solving and collisions.
NAN = float("nan")
HANGING = {
    "linear": (1602, 0.00141, 0.000154, NAN, 0.000157, 0.000467, NAN), "linear, finer": (6858, 0.00751, 0.00080, NAN, 0.00089, 0.00355, NAN),
    "linear, refined": (8811, 0.0102, 0.00124, NAN, 0.00126, 0.00516, NAN), "quadratic": (15318, 0.00854, 0.000252, NAN, 0.00087, 0.00588, NAN),
    "adaptive A": (9915, 0.00726, 0.000286, 5.78e-05, 0.00106, 0.00407, NAN), "adaptive B": (6560, 0.00589, 0.000297, 6.36e-05, 0.00097, 0.00272, NAN),
    "adaptive C": (3787, 0.00384, 0.000266, 5.35e-05, 0.00054, 0.00143, NAN), "overhead": (1602, 0.00283, 0.00023, 4.54e-05, 0.00016, 0.00084, NAN),
    "quadratic, refined": (102366, 0.101, 0.00197, NAN, 0.00679, 0.0847, NAN), "linear, very fine": (407889, 1.5, 0.0759, NAN, 0.0816, 1.25, NAN)}
TWISTING = {
    "linear": (1602, 0.0262, 0.000553, NAN, 0.000452, 0.000634, 0.0236), "linear, finer": (5400, 0.0398, 0.00263, NAN, 0.00226, 0.00361, 0.0288),
    "linear, refined": (8811, 0.0483, 0.00382, NAN, 0.00335, 0.00608, 0.0321), "quadratic": (15318, 0.0205, 0.000821, NAN, 0.00242, 0.00704, 0.00847)}
SCULPTURE = {
    "Coarse": {"linear": (5787, 0.0133, 0.00078, NAN, 0.00074, 0.00064, 0.00906), "quadratic": (62784, 0.0281, 0.00123, NAN, 0.00396, 0.00836, 0.00932),
               "adaptive": (45795, 0.026, 0.00125, 0.00018, 0.00386, 0.00624, 0.00921)},
    "Moderate": {"linear": (10314, 0.0233, 0.00147, NAN, 0.00138, 0.00137, 0.0161), "quadratic": (115155, 0.0547, 0.00235, NAN, 0.00764, 0.0196, 0.016),
                 "adaptive": (82452, 0.05, 0.0025, 0.00033, 0.0074, 0.0143, 0.0162)},
    "Fine": {"linear": (25731, 0.0557, 0.00391, NAN, 0.00371, 0.00475, 0.0361), "quadratic": (299241, 0.162, 0.00657, NAN, 0.0218, 0.0684, 0.0421),
             "adaptive": (192812, 0.142, 0.00789, 0.00107, 0.0219, 0.0449, 0.0425)},
    "VeryFine": {"linear": (106470, 0.204, 0.0197, NAN, 0.0205, 0.0286, 0.108), "quadratic": (1369854, 0.97, 0.0388, NAN, 0.146, 0.593, 0.0988),
                 "adaptive": (688908, 0.736, 0.0467, 0.00707, 0.139, 0.346, 0.101)}}
BODIES = {
    "linear": (9783, 0.744, 0.132, NAN, 0.1188, 0.1452, NAN), "quadratic": (114219, 4.08, 0.1992, NAN, 0.585, 2.454, NAN),
    "adaptive": (78356, 3.45, 0.2088, 0.02511, 0.597, 1.716, NAN)}
FIN = (85736, 1.66, 0.0713, 0.00697, 0.212, 0.804, 0.428)
SPIRALS = (155727, 8.14, 0.0682, 0.00736, 0.171, 6.12, 1.38)
COLUMNS = ("non-zeros", "total", "force", "degree", "build matrix", "solve", "collision")

# How many edges get degree 2: the part of the squares of all bends that they have.
SHARES = {"adaptive A": 0.998, "adaptive B": 0.99, "adaptive C": 0.97}


class Case(Scene):
    """One body of a scene, of a mesh and with edges of a kind: "linear", "quadratic", "adaptive …" (one of SHARES), or "overhead", which is adaptive
    with a threshold that is never reached."""

    def __init__(self, file, kind, mesh, node="adaptive"):
        super().__init__(f"bezier/{file}.scn")
        self.mesh, self.kind, self.node = mesh, kind, node
        bodies = [n for n in self.root.findall("Node") if n.find("EulerImplicitSolver") is not None]
        for other in bodies:
            if other.get("name") != node:
                self.root.remove(other)
        self.bodies = [node]
        for parent in list(self.root.iter("Node")):
            for picture in parent.findall("Node"):
                if picture.get("name") == "picture":
                    parent.remove(picture)
        if mesh:
            self.remove("corners")
            self.set("mesh", **mesh.attributes())
        self.set("mesh", degrees="2" if kind == "quadratic" else "1").set("solver", assembly="always")
        if kind == "overhead":
            self.set("degree", raiseAbove="1e30")
        elif kind.startswith("adaptive"):
            self.set("degree", share=repr(SHARES.get(kind, SHARES["adaptive B"])))
        elif self.root.find(".//BezierDegreeController") is not None:
            self.remove("degree")

    def probe(self, points):
        """Points of the material whose motion is recorded."""
        inside = ElementTree.SubElement(self.find(self.node), "Node", name="probe")
        ElementTree.SubElement(inside, "MechanicalObject", name="probe", position="  ".join(" ".join(f"{c:.9g}" for c in p) for p in points))
        ElementTree.SubElement(inside, "BarycentricMapping")
        return self

    def count(self, number, place):
        """As many bodies; `place` gives the translation of each."""
        node = self.find(self.node)
        at = list(self.root).index(node)
        self.root.remove(node)
        self.bodies = []
        for i in range(number):
            one = ElementTree.fromstring(ElementTree.tostring(node))
            one.set("name", f"body{i}")
            for state in one.iter("MechanicalObject"):
                state.set("translation", " ".join(f"{c:.9g}" for c in place(i)))
            self.root.insert(at + i, one)
            self.bodies.append(f"body{i}")
        return self

    def measure(self, program, steps, every=1, probe=False, more=()):
        """Runs it; `more`: other probes of the table."""
        with tempfile.TemporaryDirectory() as folder:
            scene, record, table = (pathlib.Path(folder) / n for n in ("scene.scn", "record.json", "table.csv"))
            ElementTree.ElementTree(self.root).write(scene)
            command = [str(program), "-g", "batch", "--threads", "1", "-n", str(steps), "--computationTimeSampling", str(steps), "--csv", str(table), "--every", str(every)]
            adaptive = self.root.find(".//BezierDegreeController") is not None
            probes = [f"@/{b}/mesh.degrees" for b in self.bodies if adaptive] + [f"@/{b}/solver.lastIterations" for b in self.bodies if any("CGLinearSolver" in e.tag for e in self.root.iter())]
            probes += more
            for p in probes or ["@/.kineticEnergy"]:
                command += ["--probe", p]
            if probe:
                command += ["--record", str(record), "--record-states", "probe", "--record-steps", f"0-{steps}-{every}"]
            start, before = time.monotonic(), processor_time()
            done = subprocess.run([*command, str(scene)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=7200., check=False)
            # Other programs on the machine make steps longer: times are scaled to the part of them in which this one ran.
            part = min(1., (processor_time() - before) / (time.monotonic() - start))
            output = done.stdout + done.stderr
            if done.returncode not in (0, 3):  # 3: diverged
                raise RuntimeError(f"runSofa failed:\n{output[-4000:]}")
            rows = list(csv.reader(table.read_text().splitlines())) if table.exists() else [[]]
            frames = json.loads(record.read_text())["frames"] if record.exists() else []
        return Measured(self, done.returncode, output, rows, frames, adaptive, len(more), part)


class Measured:
    """What a run gave: milliseconds of a step by the paper's columns, non-zeros, iterations of the solver, and the motion of the probe."""

    def __init__(self, case, code, output, rows, frames, adaptive, more, part):
        self.code, self.output = code, output
        self.times = {column: part * ms for column, ms in phases(output).items()}
        header, rows = rows[0], [[float(v) for v in r] for r in rows[1:]]
        degrees = [i for i, name in enumerate(header) if ".degrees" in name]
        iterations = [i for i, name in enumerate(header) if ".lastIterations" in name]
        self.time = [r[1] for r in rows]
        self.more = [[r[i] for r in rows] for i in range(len(header) - more, len(header))]
        self.iterations = mean([r[i] for r in rows[1:] for i in iterations])
        edges = len(case.mesh.edges)
        self.quadratic = 1. if case.kind == "quadratic" else 0.
        if adaptive and rows:
            chosen = rows[1::max(1, len(rows) // 20)]
            flags = [[r[i] > 1.5 for i in degrees[b:b + edges]] for r in chosen for b in range(0, len(degrees), edges)]
            self.quadratic = mean([sum(f) / edges for f in flags])
            self.non_zeros = mean([case.mesh.non_zeros(f) for f in flags])
        else:
            self.non_zeros = case.mesh.non_zeros([case.kind == "quadratic"] * edges)
        self.motion = []
        for frame in frames:
            x = next(s["x"] for s in frame["states"] if s["path"].endswith("/probe"))
            self.motion.append([x[i:i + 3] for i in range(0, len(x), 3)])

    @property
    def total(self):
        return self.times["total"]

    def columns(self):
        return [self.non_zeros] + [self.times[c] for c in COLUMNS[1:]]


def processor_time():
    """Seconds that finished children have run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def phases(output):
    """Milliseconds of a step by column, from the last table of timers."""
    rows, stack = [], []
    for line in output.splitlines():
        if line.startswith("phase "):
            rows, stack = [], []
        found = re.match(r"^( *)(\S+) +[\d.]+ +([\d.]+) +[\d.]+ +[\d.]+%$", line)
        if found:
            stack = [*stack[:len(found.group(1)) // 2], found.group(2)]
            rows.append((tuple(stack), float(found.group(3))))

    def spent(is_one, inside="Step"):
        """In phases within others; the outermost count."""
        return sum(ms for path, ms in rows if is_one(path[-1]) and inside in path and not any(is_one(p) for p in path[path.index(inside) + 1:-1]))

    def named(name):
        return lambda phase: phase == name

    def touching(phase):
        return "/surface/" in phase

    def component(phase):
        return phase.startswith("/") and not touching(phase)

    # Linear solvers assemble the matrix when it is needed first, for the right-hand side or when they begin.
    solving = [(path[path.index("integrator"):], ms) for path, ms in rows if "integrator" in path]
    solve = sum(ms for path, ms in solving if path[-1] == "Solve" and path.count("Solve") == 1)
    right = spent(named("ComputeRHTerm")) - spent(touching, "ComputeRHTerm")
    assembly = sum(ms for path, ms in solving if "Solve" in path[:-1] and component(path[-1]))
    touched = sum(ms for path, ms in solving if "Solve" in path[:-1] and touching(path[-1]))
    return {"total": next((ms for path, ms in rows if path == ("Step",)), float("nan")),
            "force": spent(named("ComputeForce")) - spent(touching, "ComputeForce"), "degree": spent(named("Degree")),
            "build matrix": spent(named("SetSystem")) - spent(touching, "SetSystem") + right + assembly, "solve": solve - assembly - touched, "collision": spent(touching)}


def compare(cases, program, steps, repeats, every=1, probe=True):
    """Runs of all cases in turn, several times; of each phase the shortest time: other programs on the machine only make it longer."""
    found = {}
    for _ in range(repeats):
        for name, case in cases.items():
            run = case.measure(program, steps, every, probe)
            if run.code != 0:
                raise RuntimeError(f"{name} diverged:\n{run.output[-2000:]}")
            best = found.setdefault(name, run)
            best.times = {column: min(ms, run.times[column]) for column, ms in best.times.items()}
    return found


def apart(motion, reference):
    """Root mean square of the distance of two motions, over that of how far the reference moves."""
    way = distance = 0.
    for mine, theirs in zip(motion, reference):
        for p, q, start in zip(mine, theirs, reference[0]):
            distance += math.dist(p, q) ** 2
            way += math.dist(q, start) ** 2
    return math.sqrt(distance / way)


def ratio_table(out, caption, found, theirs, cases, linear="linear", errors=None):
    """A table of the columns as ratios to the linear row, with the paper's behind them."""
    def versus(values, base):
        return ["–" if v != v or v == 0. else significant(v / b) for v, b in zip(values, base)]

    header = ["elements", "points", "tetrahedra", "edges of degree 2", "non-zeros", "ms for a step", "total", "force", "degree", "build matrix", "solve", "collision", "iterations"]
    header += ["error"] if errors else []
    rows = []
    base = found[linear].columns()
    # Columns that the linear row lacks are compared with its total.
    based = [b if b > 0. else base[1] for b in base]
    for name, run in found.items():
        ratios = versus(run.columns(), based)
        mesh = cases[name].mesh
        row = [name, f"{len(mesh.points):,}", f"{len(mesh.tetrahedra):,}", f"{100. * run.quadratic:.0f}%", f"{run.non_zeros:,.0f}", significant(run.total)]
        rows.append(row + [f"**{ratios[1]}**", *ratios[2:], significant(run.iterations)] + ([f"{100. * errors[name]:.1f}%" if name in errors else "–"] if errors else []))
        if name in theirs:
            paper_base = [b if b == b else theirs[linear][1] for b in theirs[linear]]
            paper = versus(theirs[name], paper_base)
            rows.append(["in the paper", "", "", "", f"{theirs[name][0]:,}", "", f"*{paper[1]}*", *paper[2:], ""] + ([""] if errors else []))
        out.row(caption.split(":")[0].split(",")[0], name.replace(",", ""), len(mesh.points), len(mesh.tetrahedra), run.quadratic, *run.columns(), run.iterations, errors.get(name, float("nan")) if errors else float("nan"))
    out.table(caption, header, rows)


DATA = ("case", "elements", "points", "tetrahedra", "part of edges of degree 2", *COLUMNS[:1], *(f"{c} [ms]" for c in COLUMNS[1:]), "iterations", "error")


def bar_points():
    """Places in a bar whose motion is compared: the corners of ten sections."""
    return [(LENGTH * i / 9., WIDTH * a, WIDTH * b) for i in range(1, 10) for a in (0., 1.) for b in (0., 1.)]
