#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Where runs of our own part from each other, and where from SOFA: what backs the entries of DIFFERENCES in oracle.py.

usage: tests/harness/sensitivity.py [--steps N] [--write] SCENE...

Each scene of the shared ones runs as it is, with two threads, without an assembled matrix, and with its start, gravity and
stiffness changed by parts of 1e-13, 1e-11, 1e-9 and 1e-8. For each recorded step the table has the largest difference of a
coordinate from the first run, as a part of the largest coordinate: of the variants, and of SOFA's reference. Where SOFA is no
further away than a variant of 1e-13, the scene amplifies rounding that much. --write keeps the tables in
tests/harness/sensitivity.json. The state that differs most is named.
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

PARTS = (1e-13, 1e-11, 1e-9, 1e-8)
KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sensitivity.json")
STIFFNESS = ("youngModulus", "stiffness", "angularStiffness")


def scaled(text, part):
    """The numbers of an attribute times 1 + part; links and units stay."""
    def one(word):
        try:
            return repr(float(word) * (1.0 + part))
        except ValueError:
            return word
    return text if "@" in text else " ".join(map(one, text.split()))


def change_start(root, part):
    """Moves the points of every state along x."""
    count = 0
    for e in root.iter("MechanicalObject"):
        if e.get("translation"):  # dx would stand for its first number
            first, *others = e.get("translation").split()
            e.set("translation", " ".join([repr(float(first) + part), *others]))
        else:
            e.set("dx", repr(float(e.get("dx", "0")) + part))
        count += 1
    return count


def change_gravity(root, part):
    if root.get("gravity") is None:
        return 0
    root.set("gravity", scaled(root.get("gravity"), part))
    return 1


def change_stiffness(root, part):
    count = 0
    for e in root.iter():
        for name in STIFFNESS:
            if e.get(name) and scaled(e.get(name), part) != e.get(name):
                e.set(name, scaled(e.get(name), part))
                count += 1
    return count


def without_assembly(root, _):
    solvers = [e for e in root.iter() if e.tag in oracle.TRUNCATED]
    for e in solvers:
        e.set("assembly", "never")
    return len(solvers)


def variants():
    """Name, arguments of runSofa, change of the scene."""
    yield "2 threads", ["--threads", "2"], None, 0.0
    yield "no matrix", ["--threads", "1"], without_assembly, 0.0
    for name, change in (("start", change_start), ("gravity", change_gravity), ("stiffness", change_stiffness)):
        for part in PARTS:
            yield f"{name} {part:g}", ["--threads", "1"], change, part


def simulate(scene, file, arguments, steps, wanted, folder):
    examples = os.path.join(oracle.ORACLE, "examples")
    env = dict(os.environ, SOFA_DATA_PATH=":".join([os.path.join(oracle.ORACLE, "share"), examples, folder,
                                                    os.path.dirname(os.path.join(examples, scene))]))
    record = os.path.join(folder, "record.json")
    run = subprocess.run([oracle.RUNSOFA, "-g", "batch", "--compatibility", "sofa", *arguments, "-n", str(steps), "--record", record,
                          "--record-steps", ",".join(map(str, wanted)), file],
                         capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, cwd=folder)
    if run.returncode != 0 and "did not converge in the last step" not in run.stderr:
        raise RuntimeError((run.stderr or run.stdout)[-600:])
    return frames_of(json.load(open(record)))


def frames_of(record):
    return {f["step"]: {re.sub(r"/Node\d+(?=/)", "/", s["path"]): s for s in f["states"]} for f in record["frames"]}


def difference(base, other):
    """Largest difference of a coordinate as a part of the largest one, over the states of a frame, and the state."""
    worst, where = 0.0, ""
    for path, s in base.items():
        t = other.get(path)
        if t is None or t.get("nan"):
            continue
        x, y = oracle.numbers(s.get("x")), oracle.numbers(t.get("x"))
        if "idx" in t and len(y) != len(x) and s["n"]:
            d = len(x) // s["n"]
            x = [x[d * j + c] for j in t["idx"] for c in range(d)]
        if not x or len(x) != len(y):
            continue
        size = max(max(map(abs, x)), 1e-12)
        part = max(abs(a - b) for a, b in zip(x, y)) / size
        if part > worst:
            worst, where = part, path
    return worst, where


def table_of(scene, steps):
    reference = json.load(gzip.open(os.path.join(oracle.ORACLE, "states", scene + ".json.gz"), "rt"))
    wanted = [f["step"] for f in reference["frames"] if f["step"] <= steps]
    rows, where = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        oracle.write_missing_files(folder)
        original = os.path.join(oracle.ORACLE, "examples", scene)
        base = simulate(scene, original, ["--threads", "1"], steps, wanted, folder)
        sofa = {k: difference(base[k], s) for k, s in frames_of(reference).items() if k in base}
        rows["SOFA"] = {k: d for k, (d, _) in sofa.items()}
        where = {k: path for k, (_, path) in sofa.items()}
        for name, arguments, change, part in variants():
            file = original
            if change:
                tree = ElementTree.parse(original)
                if change(tree.getroot(), part) == 0:
                    continue
                file = os.path.join(folder, os.path.basename(scene))
                tree.write(file)
            run = simulate(scene, file, arguments, steps, wanted, folder)
            rows[name] = {k: difference(base[k], run[k])[0] for k in wanted if k in run}
    return rows, where


def show(scene, rows, where):
    steps = [k for k in rows["SOFA"] if k > 0]
    print(scene)
    print(f"    {'step':>16}" + "".join(f"{k:>9}" for k in steps))
    for name, row in rows.items():
        print(f"    {name:>16}" + "".join(f"{row.get(k, float('nan')):>9.1e}" for k in steps))
    worst = max(steps, key=lambda k: rows["SOFA"][k], default=0)
    print(f"    SOFA is furthest away in {where.get(worst) or 'no state'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100, help="steps of the runs (default: 100)")
    parser.add_argument("--write", action="store_true", help="keep the tables in tests/harness/sensitivity.json")
    parser.add_argument("scenes", nargs="+", metavar="SCENE")
    o = parser.parse_args()
    oracle.skip_without_shared()
    kept = json.load(open(KEPT)) if os.path.exists(KEPT) else {}
    for scene in o.scenes:
        rows, where = table_of(scene, o.steps)
        show(scene, rows, where)
        kept[scene] = {name: {str(k): float(f"{d:.2g}") for k, d in row.items()} for name, row in rows.items()}
    if o.write:
        with open(KEPT, "w") as f:
            f.write(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
