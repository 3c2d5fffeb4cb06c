#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: nightly
# timeout: 3600
"""Runs that write checkpoints are killed at random moments: there is always a complete one, and going on from it gives the same bits
as never having stopped. Other files are complete or absent."""
import concurrent.futures
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
RUNSOFA = os.environ["RUNSOFA"]
SCENES = ("organ", "friction_pile", "cloth")
STEPS = 60
TRIALS = int(os.environ.get("TRIALS", "1000"))


def command(scene, *options):
    return [RUNSOFA, "-g", "batch", "--threads", "1", *map(str, options), str(SOURCE / "scenes" / "demos" / f"{scene}.scn")]


def frames(path):
    return {f["step"]: json.dumps(f) for f in json.loads(path.read_text())["frames"]}


def reference(scene):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start = time.monotonic()
        subprocess.run(command(scene, "-n", STEPS + 2, "--record", "r.json", "--save-checkpoint", "c.bin", "--checkpoint-every", 1),
                       cwd=folder, check=True, capture_output=True)
        return frames(folder / "r.json"), time.monotonic() - start


def trial(number, scene, expected, seconds):
    """What is wrong, and the step of the checkpoint."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        p = subprocess.Popen(command(scene, "-n", STEPS, "--record", "k.json", "--export", "k.mdd", "--save-scene", "s.scn", "--save-checkpoint", "c.bin",
                                     "--checkpoint-every", 1, "--keep-checkpoints", 2),
                             cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        began = False
        end = time.monotonic() + random.Random(number).uniform(0., 1.1) * seconds
        while time.monotonic() < end and p.poll() is None:
            began = began or (folder / "c.bin").exists()
            time.sleep(0.002)
        p.kill()
        p.wait()
        if (folder / "k.json").exists() and len(frames(folder / "k.json")) != STEPS + 1:
            return "k.json is not complete", 0
        for cache in folder.glob("*.mdd"):  # one for each body
            data = cache.read_bytes()
            samples, points = struct.unpack(">ii", data[:8])
            if samples != STEPS + 1 or len(data) != 8 + samples * (4 + 12 * points):
                return f"{cache.name} is not complete", 0
        if not (folder / "c.bin").exists():
            return "the checkpoint is gone" if began else "", 0
        on = subprocess.run(command(scene, "-n", 2, "--load-checkpoint", "c.bin", "--record", "on.json"), cwd=folder, check=False,
                            capture_output=True, text=True)
        if on.returncode != 0:
            return f"exit status {on.returncode}: {on.stderr[-500:]}", 0
        found = frames(folder / "on.json")
        wrong = [step for step, frame in found.items() if frame != expected[step]]
        return f"it goes on differently at step {wrong[0]}" if wrong else "", min(found)


failed, steps = 0, set()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for scene in SCENES:
        expected, seconds = reference(scene)
        numbers = range(TRIALS // len(SCENES) + 1)
        for number, (problem, step) in zip(numbers, pool.map(lambda k, s=scene, e=expected, t=seconds: trial(k, s, e, t), numbers)):
            steps.add((scene, step))
            if problem:
                failed += 1
                print(f"FAIL {scene}, trial {number}: {problem}")
print(f"{failed} failures; killed at {len(steps)} different steps")
sys.exit(1 if failed or len(steps) < min(TRIALS, 60) / 2 else 0)
