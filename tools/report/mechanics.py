# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""What the experiments of mechanics share: scenes as text, what is recorded of them, elliptic functions, orders of convergence."""
import csv
import json
import math
import pathlib
import subprocess
import tempfile


class Recorded:
    """Frames (step, time, states by name with x and v) and the table of probes, a list of numbers a row."""

    def __init__(self, frames, rows):
        self.t = [f["t"] for f in frames]
        self.states = [{s["path"].split("/")[-1]: s for s in f["states"]} for f in frames]
        self.rows = rows

    def x(self, name, k=-1):
        return self.states[k][name]["x"]

    def v(self, name, k=-1):
        return self.states[k][name]["v"]

    def points(self, name, k=-1, size=3):
        x = self.x(name, k)
        return [x[i:i + size] for i in range(0, len(x), size)]


def simulate(setting, scene, steps, states=(), every=1, probes=(), threads=1):
    """Runs a scene given as text. Records the states of these names, at the start, at every `every`th step and at the last, and
    probes at every `every`th."""
    with tempfile.TemporaryDirectory() as folder:
        file, record, out = (pathlib.Path(folder) / n for n in ("scene.scn", "record.json", "out.csv"))
        file.write_text(scene)
        command = [str(setting.run_sofa), "-g", "batch", "--threads", str(threads), "-n", str(steps), "--every", str(every)]
        if states:
            chosen = f"0-{steps}-{every}" + ("" if steps % every == 0 else f",{steps}")
            command += ["--record", str(record), "--record-states", ",".join(states), "--record-steps", chosen]
        if probes:
            command += [w for p in probes for w in ("--probe", p)] + ["--csv", str(out)]
        done = subprocess.run([*command, str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                              timeout=3600., check=False)
        if done.returncode:
            raise RuntimeError(f"runSofa failed:\n{done.stdout}{done.stderr}\n{scene[:2000]}")
        rows = []
        if probes:
            with out.open() as stream:
                rows = [[float(v) for v in r] for r in list(csv.reader(stream))[1:]]
        return Recorded(json.loads(record.read_text())["frames"] if states else [], rows)


def text(values):
    return " ".join(f"{v!r}" if isinstance(v, float) else str(v) for v in values)


def order(errors, factor=2.):
    """Orders between neighbours of a list of errors, each with a step `factor` times shorter than the one before."""
    return [math.log(a / b) / math.log(factor) for a, b in zip(errors, errors[1:])]


# --- elliptic integrals and functions, of the modulus k (Abramowitz and Stegun, chapters 16 and 17)

def complete(k):
    """The complete elliptic integral of the first kind K(k), by the arithmetic-geometric mean."""
    a, b = 1., math.sqrt(1. - k * k)
    for _ in range(30):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 0.5 * math.pi / a


def jacobi(u, k):
    """sn, cn and dn of u, by descending Landen transformations (16.4)."""
    a, c = [1.], [k]
    b = math.sqrt(1. - k * k)
    while abs(c[-1]) > 1e-17 and len(a) < 12:
        a.append(0.5 * (a[-1] + b))
        c.append(0.5 * (a[-2] - b))
        b = math.sqrt(a[-2] * b)
    phi = 2. ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = 0.5 * (phi + math.asin(c[n] / a[n] * math.sin(phi)))
    s = math.sin(phi)
    return s, math.cos(phi), math.sqrt(1. - k * k * s * s)


# --- quaternions (x, y, z, w) and inertia

def rotate(q, v):
    """A vector turned by a quaternion."""
    x, y, z, w = q
    t = [2. * (y * v[2] - z * v[1]), 2. * (z * v[0] - x * v[2]), 2. * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def back(q, v):
    """A vector turned by the inverse of a quaternion."""
    return rotate([-q[0], -q[1], -q[2], q[3]], v)


def axis_turn(axis, angle):
    """The quaternion of a rotation about a coordinate axis 0, 1, 2."""
    q = [0., 0., 0., math.cos(0.5 * angle)]
    q[axis] = math.sin(0.5 * angle)
    return q
