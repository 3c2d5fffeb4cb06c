# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""The bars and the sculpture of Bargteil and Cohen, "Animation of deformable bodies with quadratic Bézier finite elements", 2014: figures 3, 4 and 6, tables I and II."""
import math

from report import bezier_runs as runs
from report.bezier_meshes import LENGTH, SCULPTURE, SCULPTURES, WIDTH, coarse_bar, wide_bar
from report.chart import COLORS, Chart, bars
from report.experiment import Outcome

REPEATS = 5


def stacked(title, found, subtitle):
    """Bars of the parts of a step."""
    parts = ["force", "degree", "build matrix", "solve", "collision", "other"]

    def of(run):
        known = [max(0., run.times[c]) for c in runs.COLUMNS[2:]]
        return [*known, max(0., run.total - sum(known))]
    return bars(title, "milliseconds for a step", [(name, of(run)) for name, run in found.items()], parts, subtitle)


# --- figure 3

def hanging_case(kind, mesh):
    case = runs.Case("hanging_bar", kind, mesh)
    return case.probe(runs.bar_points())


def hanging(setting):
    """A bar (4.5 m × 0.5 m × 0.5 m, Young's modulus 10 MPa, ν = 0.4, 1000 kg/m³), clamped at one end, swings under gravity for 2.5 s with linear, quadratic and adaptive
    elements; the refined mesh has each element divided in eight, the very fine one in 512. Implicit Euler with 10 ms (and 2 ms of stiffness damping), conjugate gradients to 10⁻⁶, lumped masses, one
    thread. Adaptive A, B and C give degree 2 to the edges that have 99.8%, 99% and 97% of the squares of all bends; overhead has a threshold that is never reached. The error is
    the distance of the motion of 36 points to that of quadratic elements on the mesh divided in 64, root mean square over the time, as a part of the way. Columns are
    ratios to the row of linear elements on the coarse mesh, columns that this row lacks to its total."""
    out = Outcome()
    out.data(*runs.DATA)
    coarse = coarse_bar()
    refined = coarse.refined()
    meshes = {"linear": coarse, "linear, finer": wide_bar(16), "linear, refined": refined, "quadratic": coarse, "adaptive A": coarse, "adaptive B": coarse,
              "adaptive C": coarse, "overhead": coarse, "quadratic, refined": refined}
    cases = {name: hanging_case(name.split(",")[0], mesh) for name, mesh in meshes.items()}
    steps = 40 if setting.quick else 250
    found = runs.compare(cases, setting.run_sofa, steps, 1 if setting.quick else REPEATS)
    twice = refined.refined()
    reference_case = hanging_case("quadratic", refined if setting.quick else twice)
    reference = reference_case.measure(setting.run_sofa, steps, 1, True)
    if not setting.quick:
        cases["linear, very fine"] = hanging_case("linear", twice.refined())
        found["linear, very fine"] = cases["linear, very fine"].measure(setting.run_sofa, steps, 1, True)
    errors = {name: runs.apart(run.motion, reference.motion) for name, run in found.items()}
    runs.ratio_table(out, "Hanging bar, table I of the paper: ratios to the linear row", found, runs.HANGING, cases, errors=errors)
    chart = Chart("Hanging bar", "time [s]", "height of the free end [m]", subtitle="quadratic elements on 60 tetrahedra move as very fine meshes do", xmin=0.)
    tips = {"reference": reference, **{n: found[n] for n in ("linear", "linear, refined", "adaptive C", "adaptive B", "quadratic")}}
    for i, (name, run) in enumerate(tips.items()):
        chart.line(name, [(0.01 * k, frame[-1][1]) for k, frame in enumerate(run.motion)], COLORS[i], "" if i else "6 4", None, 1.8)
    out.plot("", chart.svg())
    out.plot("cost", stacked("A step of the hanging bar", {n: r for n, r in found.items() if "," not in n}, coarse.size))
    overhead = found["overhead"].total / found["linear"].total
    out.check(runs.apart(found["overhead"].motion, found["linear"].motion) < 1e-9, "with a threshold that is never reached the motion is that of linear elements")
    out.check(errors["quadratic"] < errors["linear, refined"] < errors["linear"],
              f"quadratic elements are nearer to the reference ({100. * errors['quadratic']:.1f}%) than linear ones on the mesh divided in eight ({100. * errors['linear, refined']:.0f}%) "
              f"and on the same mesh ({100. * errors['linear']:.0f}%)")
    out.check(errors["adaptive A"] <= errors["adaptive C"] <= errors["linear"],
              "the earlier edges get degree 2, the nearer: " + ", ".join(f"{n} {100. * errors[n]:.1f}%" for n in runs.SHARES))
    out.check(setting.quick or found["adaptive B"].non_zeros < 0.5 * found["quadratic"].non_zeros and errors["adaptive B"] < 1.25 * errors["quadratic"],
              f"adaptive B has {100. * found['adaptive B'].non_zeros / found['quadratic'].non_zeros:.0f}% of the non-zeros of quadratic elements at an error of "
              f"{100. * errors['adaptive B']:.1f}% (the paper: {100. * 6560 / 15318:.0f}% of them)")
    out.note(f"quadratic elements take {found['quadratic'].total / found['linear, refined'].total:.2f} times the time of linear ones on the mesh divided in eight "
             f"(the paper: {0.00854 / 0.0102:.2f})")
    out.note(f"adaptivity that changes nothing takes {overhead:.2f} times the time of linear elements (the paper: {0.00283 / 0.00141:.2f}); steps of 0.03 ms are too short to tell a few percent")
    return out


# --- figure 4

def turning(case, mesh, turns=0.5, keys=60, duration=2.):
    """The constraints that lead each point of the end around."""
    node = case.find(case.node)
    for old in node.findall("LinearMovementProjectiveConstraint"):
        node.remove(old)
    times = " ".join([repr(duration * k / keys) for k in range(keys + 1)] + ["1000"])
    for i, v in enumerate(mesh.at(0, LENGTH)):
        x, y, z = mesh.points[v]
        y, z = y - 0.5 * WIDTH, z - 0.5 * WIDTH
        places = []
        for k in [*range(keys + 1), keys]:
            c, s = math.cos(2. * math.pi * turns * k / keys), math.sin(2. * math.pi * turns * k / keys)
            places.append(f"{x:.9g} {0.5 * WIDTH + c * y - s * z:.9g} {0.5 * WIDTH + s * y + c * z:.9g}")
        case.add(case.node, "LinearMovementProjectiveConstraint", name=f"turn{i}", indices=str(v), relativeMovements="false", keyTimes=times, movements="  ".join(places))
    return case


def twisting(setting):
    """The same bar (Young's modulus 1 MPa, no gravity) is twisted by half a turn in two seconds, 20° in each of its nine cells, and held for half a second; the points of the
    end are led around. Otherwise as the hanging bar. There are no contacts here; the paper's total contains its detection of collisions of the bar with itself."""
    out = Outcome()
    out.data(*runs.DATA)
    coarse = coarse_bar()
    refined = coarse.refined()
    fine = refined if setting.quick else refined.refined()
    steps = 60 if setting.quick else 250

    def case(name, mesh, turns=0.5):
        return turning(runs.Case("twisting_bar", name.split(",")[0], mesh), mesh, turns).probe(runs.bar_points())

    meshes = {"linear": coarse, "linear, finer": wide_bar(12), "linear, refined": refined, "quadratic": coarse, "quadratic, refined": refined, "adaptive A": coarse,
              "adaptive B": coarse, "adaptive C": coarse}
    cases = {name: case(name, mesh) for name, mesh in meshes.items()}
    found = runs.compare(cases, setting.run_sofa, steps, 1 if setting.quick else REPEATS)
    reference = case("quadratic", fine).measure(setting.run_sofa, steps, 1, True)
    errors = {name: runs.apart(run.motion, reference.motion) for name, run in found.items()}
    runs.ratio_table(out, "Twisting bar, table I of the paper: ratios to the linear row", found, runs.TWISTING, cases, errors=errors)
    out.plot("", stacked("A step of the twisting bar", {n: r for n, r in found.items() if "," not in n}, coarse.size))
    gaps = {name: runs.apart(found[name].motion, found["quadratic"].motion) for name in [*runs.SHARES, "linear"]}
    out.check(gaps["adaptive A"] < gaps["linear"], f"adaptive elements move as quadratic ones: {', '.join(f'{n} to {100. * g:.1f}%' for n, g in gaps.items())}")
    out.check(found["adaptive A"].quadratic >= found["adaptive B"].quadratic >= found["adaptive C"].quadratic,
              "of the edges " + ", ".join(f"{100. * found[n].quadratic:.0f}%" for n in runs.SHARES) + " have degree 2 on average with A, B and C")
    if not setting.quick:
        out.check(errors["quadratic, refined"] < errors["linear, refined"],
                  f"on the mesh divided in eight quadratic elements are nearer to the reference ({100. * errors['quadratic, refined']:.1f}%) than linear ones "
                  f"({100. * errors['linear, refined']:.1f}%)")
        for turns, words in ((0.25, "a quarter of a turn"), (1., "a whole turn")):
            reference = case("quadratic", fine, turns).measure(setting.run_sofa, steps, 5, True)
            apart = [runs.apart(case(kind, coarse, turns).measure(setting.run_sofa, steps, 5, True).motion, reference.motion) for kind in ("linear", "quadratic")]
            out.note(f"twisted by {words} linear elements are {100. * apart[0]:.0f}% from the reference, quadratic ones {100. * apart[1]:.0f}%")
        out.note("where an element is twisted much, quadratic elements do not help: their strain is that of small deformations in the axes of one rotation for each element")
    return out


# --- figure 6

def sculpture_case(kind, mesh, dt=None):
    case = runs.Case("sculpture", kind, mesh)
    points, triangles = SCULPTURE.skin(16, 40)
    case.set("skin", position="  ".join(" ".join(f"{c:.9g}" for c in p) for p in points), triangles=" ".join(str(i) for t in triangles for i in t))
    if dt:
        case.root.set("dt", repr(dt))
    inside = [SCULPTURE.point(0., 0., k / 40.) for k in range(40)]
    return case.probe(inside)


def sculpture(setting):
    """A closed tube (2.7 m high, Young's modulus 1 MPa, ν = 0.4, 1000 kg/m³) is thrown on the ground with 3 m/s, in the paper's four resolutions; a plane pushes out
    the points of its embedded surface, the same 640 for all. Implicit Euler with 4 ms for 0.6 s, conjugate gradients with the inverse of the blocks on the diagonal to 10⁻⁶,
    lumped masses, one thread; degrees are tested every ten steps. The error is the distance of the centre line to that of quadratic elements on the mesh divided in eight. The paper's sculpture has another shape; meshes have its numbers of tetrahedra to
    5%. Columns are ratios to the linear row of the resolution, columns that this row lacks to its total."""
    out = Outcome()
    out.data(*runs.DATA)
    sizes = dict(list(SCULPTURES.items())[:1 if setting.quick else 4])
    steps = 40 if setting.quick else 150
    kinds = ("linear", "quadratic", "adaptive A", "adaptive B", "adaptive C", "overhead")
    speed, ratios, overheads = [], {}, {}
    for size, cells in sizes.items():
        mesh = SCULPTURE.mesh(*cells)
        cases = {kind: sculpture_case(kind, mesh) for kind in kinds}
        repeats = 1 if setting.quick or size == "VeryFine" else 2
        found = runs.compare(cases, setting.run_sofa, steps, repeats, 5)
        reference = found["quadratic"] if setting.quick else sculpture_case("quadratic", mesh.refined()).measure(setting.run_sofa, steps, 5, True)
        errors = {name: runs.apart(run.motion, reference.motion) for name, run in found.items()}
        theirs = runs.SCULPTURE[size]
        runs.ratio_table(out, f"{size}: ratios to the linear row", found, {"linear": theirs["linear"], "quadratic": theirs["quadratic"], "adaptive B": theirs["adaptive"]}, cases, errors=errors)
        ratios[size] = {name: run.total / found["quadratic"].total for name, run in found.items()}
        overheads[size] = found["overhead"].total / found["linear"].total - 1.
        speed.append((size, found, errors))
        if setting.quick:
            out.check(errors["adaptive A"] < errors["adaptive C"] < errors["linear"],
                      f"{size}: adaptive elements move as quadratic ones to {', '.join(f'{100. * errors[k]:.1f}%' for k in runs.SHARES)} with A, B and C, linear ones to "
                      f"{100. * errors['linear']:.1f}%, in {', '.join(f'{ratios[size][k]:.2f}' for k in runs.SHARES)} and {ratios[size]['linear']:.3f} times the time of quadratic ones "
                      "(adaptive in the paper: 0.76)")
            continue
        good = [k for k in runs.SHARES if errors[k] <= 1.1 * errors["quadratic"]]
        best = f"adaptive elements have it, to a tenth of it, in {min(ratios[size][k] for k in good):.2f} times the time" if good else "adaptive elements are farther"
        out.check(errors["quadratic"] <= errors["linear"],
                  f"{size}: quadratic elements are nearer to the reference ({100. * errors['quadratic']:.1f}%) than linear ones ({100. * errors['linear']:.1f}%); {best}")
    chart = Chart("Sculpture", "milliseconds for a step", "error", xlog=True, ylog=True, subtitle="of each kind the resolutions with a reference")
    for i, kind in enumerate(kinds[:-1]):
        chart.line(kind, sorted((found[kind].total, errors[kind]) for size, found, errors in speed if errors[kind] > 0.), COLORS[i])
    out.plot("", chart.svg())
    last, found, _ = speed[-1]
    out.plot("cost", stacked(f"A step of the sculpture, {last}", found, cases["linear"].mesh.size))
    out.note("adaptivity that changes nothing takes more time than linear elements by " + ", ".join(f"{100. * v:.0f}% ({k})" for k, v in overheads.items()))
    return out
