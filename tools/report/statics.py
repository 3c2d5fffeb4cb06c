# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Static experiments and the recovery from collapse: figures 4, 5, 8 and 10 of the paper."""
import math
import random

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.meshes import determinant, grid_tetrahedra, grid_volume
from report.scene import Scene

SHAPES = ("tetrahedra", "cubes")


def mean_along(x, rest, indices, axis):
    return sum(x[i][axis] - rest[i][axis] for i in indices) / len(indices)


# --- figure 4

def stretching(setting):
    """A beam (1 m × 1 m × 4 m, Young's modulus 1 MPa, ν = 0.45), clamped at one end, is stretched by forces on the other: corotational and
    linear elasticity, and St Venant-Kirchhoff, of tetrahedra and cubes; and by a load spread over its volume. The dotted curve is the closed
    form of a bar of St Venant-Kirchhoff material, F/(E A) = (s³ − s)/2 with the stretch s; it ends where the bar would be infinitely thin, at s² = 1 + 1/ν."""
    out = Outcome()
    out.data("model", "elements", "load", "force over E A", "elongation [m]")
    n = 2 if setting.quick else 4
    forces = (0.125, 0.5, 1.) if setting.quick else (0.0625, 0.125, 0.25, 0.5, 0.75, 1.)
    stronger = (2., 4.) if setting.quick else (1.5, 2., 3., 4., 5., 6.)

    def elongation(shape, force, model, distributed=False):
        scene = Scene(f"stretching_{shape}.scn").set("grid", n=f"{n + 1} {n + 1} {4 * n + 1}")
        if model != "StVK":
            topology = {"topology": "@tetrahedra"} if shape == "tetrahedra" else {}
            scene.replace("material", "CorotationalLinearFEMForceField", youngModulus="1e6", poissonRatio="0.45",
                          warp="0" if model == "linear" else "2", **topology)
        if distributed:
            scene.remove("pull")
            scene.root.set("gravity", f"0 0 {force * 1e6 / 4000.!r}")
        else:
            scene.set("pull", totalForce=f"0 0 {force * 1e6!r}")
        rest, x = scene.run(setting.run_sofa, 1, ["points"]).state("points")
        return mean_along(x, rest, range(len(x) - (n + 1) ** 2, len(x)), 2)

    table = {}
    cases = [("corotational", "tetrahedra", False), ("linear", "cubes", False), ("StVK", "tetrahedra", False), ("StVK", "cubes", False),
             ("StVK", "tetrahedra", True), ("StVK", "cubes", True)]
    for model, shape, distributed in cases:
        for force in forces + (stronger if model == "StVK" and not distributed else ()):
            value = elongation(shape, force, model, distributed)
            table[model, shape, distributed, force] = value
            out.row(model, shape, "volume" if distributed else "end", force, value)
    strong, weak = forces[-1], forces[0]
    pair = [table["corotational", "tetrahedra", False, strong], table["linear", "cubes", False, strong]]
    out.check(abs(pair[0] / pair[1] - 1.) < 0.03,
              f"without rotations corotational tetrahedra and linear cubes coincide ({pair[0]:.3f} and {pair[1]:.3f} m at F = E A)")
    for model, shape in (("corotational", "tetrahedra"), ("linear", "cubes")):
        growth = table[model, shape, False, strong] / table[model, shape, False, weak] / (strong / weak)
        out.check(abs(growth - 1.) < 0.03, f"{model} elasticity is linear in the force (the elongation grows {growth:.3f} times as fast)")
    for shape in SHAPES:
        compliance = [table["StVK", shape, False, f] / f for f in forces + stronger]
        out.check(all(a > b for a, b in zip(compliance, compliance[1:])) and compliance[len(forces) - 1] < 0.8 * compliance[0],
                  f"StVK of {shape} stiffens: its compliance at F = E A is {100. * compliance[len(forces) - 1] / compliance[0]:.0f}% of that at "
                  f"{weak:g} E A")
        spread = table["StVK", shape, True, strong] / table["StVK", shape, False, strong]
        out.check(spread < 1., f"the same force spread over the volume stretches {shape} less ({100. * spread:.0f}%)")
    all_forces = forces + stronger
    for shape in SHAPES:
        for a, b in zip(all_forces, all_forces[1:]):
            x, y = table["StVK", shape, False, a], table["StVK", shape, False, b]
            if x < pair[0] <= y:
                needed = a + (b - a) * (pair[0] - x) / (y - x)
                out.note(f"to stretch StVK of {shape} as far as corotational elasticity at F = E A takes {needed:.1f} times the force "
                         "(StVK at ν = 0.45 is far beyond its range there: see the end of the closed form)")
    chart = Chart("Stretching a beam of 4 m", "force over E A", "elongation [m]", xmin=0., ymin=0.)
    for i, (model, shape, distributed) in enumerate(cases):
        points = [(0., 0.)] + [(f, table[model, shape, distributed, f]) for f in all_forces if (model, shape, distributed, f) in table]
        chart.line(f"{model}, {shape}{', over the volume' if distributed else ''}", points, dash="6 4" if shape == "cubes" else "",
                   color=COLORS[(0, 5, 1, 4, 2, 3)[i]], marker="square" if shape == "cubes" else "circle")
    thinnest = math.sqrt(1. + 1. / 0.45)
    stretches = [1. + (thinnest - 1.) * k / 30. for k in range(31)]
    chart.line("closed form, StVK bar", [((s ** 3 - s) / 2., 4. * (s - 1.)) for s in stretches], "#555555", "2 3", None, 1.5)
    out.plot("", chart.svg())
    return out


# --- figures 8 and 10

def locking(setting):
    """A beam (1 m × 1 m × 4 m, Young's modulus 2 MPa, St Venant-Kirchhoff), clamped at one end, hangs under its weight. Its tip's deflection and its
    volume against Poisson's ratio, for cubes and for tetrahedra that split them, under refinement."""
    out = Outcome()
    out.data("elements", "cells across", "Poisson's ratio", "tip deflection [m]", "volume change [%]")
    ratios = (0., 0.3, 0.4, 0.45, 0.49, 0.499) if setting.quick else (0., 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.47, 0.48, 0.49, 0.495, 0.499)
    levels = (2, 4) if setting.quick else (2, 4, 8)
    table = {}
    for shape in SHAPES:
        for n in levels:
            for nu in ratios:
                run = Scene(f"locking_{shape}.scn").set("grid", n=f"{n + 1} {n + 1} {4 * n + 1}").set("material", poissonRatio=nu).run(
                    setting.run_sofa, 1, ["points"])
                rest, x = run.state("points")
                tip = -mean_along(x, rest, range(len(x) - (n + 1) ** 2, len(x)), 1)
                table[shape, n, nu] = (tip, 100. * (grid_volume(x, n, n, 4 * n) / 4. - 1.))
                out.row(shape, n, nu, *table[shape, n, nu])
    coarse, fine = levels[0], levels[-1]
    out.check(all(table["tetrahedra", n, nu][0] < table["cubes", n, nu][0] for n in levels for nu in ratios if nu <= 0.45),
              "tetrahedra lock more than cubes, on every mesh, up to ν = 0.45")
    for shape in SHAPES:
        out.check(all(table[shape, a, 0.49][0] < table[shape, b, 0.49][0] for a, b in zip(levels, levels[1:])),
                  f"locking of {shape} falls under refinement (ν = 0.49: " + ", ".join(f"{table[shape, n, 0.49][0]:.3f}" for n in levels) + " m)")
    gain = [table[e, fine, 0.45][0] / table[e, coarse, 0.45][0] for e in SHAPES]
    out.check(gain[0] > gain[1], f"refinement helps tetrahedra more ({gain[0]:.2f} times the deflection at ν = 0.45) than cubes ({gain[1]:.2f})")
    falling = [table["tetrahedra", coarse, nu][0] for nu in ratios if nu >= 0.3]
    out.check(all(a > b for a, b in zip(falling, falling[1:])), "towards ν = 0.5 coarse tetrahedra stiffen")
    worst = max(abs(v[1]) for k, v in table.items() if k[2] <= 0.45)
    out.check(worst < 3.5, f"the volume changes by less than 3.5% up to ν = 0.45 (at most {worst:.2f}%)")
    near = [table[e, fine, 0.49][0] for e in SHAPES]
    out.note(f"ν = 0.49, finest mesh: tetrahedra {near[0]:.3f} m, cubes {near[1]:.3f} m. The paper's cubes lock less there too. Cubes integrated exactly, as "
             "Vega's are, lock as much once ν is that near to 0.5: the volume of each of their points is kept.")
    # Along 1 − 2ν, since everything happens near ν = 0.5.
    ticks = [(1. - 2. * nu, f"{nu:g}") for nu in (0., 0.3, 0.4, 0.45, 0.49, 0.499)]
    for name, column, label, title in (("", 0, "tip deflection [m]", "Locking of a hanging beam"),
                                       ("volume", 1, "volume change [%]", "Volume of a hanging beam")):
        chart = Chart(title, "Poisson's ratio", label, xlog=True, xticks=ticks, xmin=0.9, xmax=0.002, ymin=0. if column == 0 else None,
                      subtitle="the axis is logarithmic in 1 − 2ν")
        chart.bounds.update(xmin=1.1, xmax=0.0018)
        for shape in SHAPES:
            for k, n in enumerate(levels):
                chart.line(f"{shape}, {n} across", [(1. - 2. * nu, table[shape, n, nu][column]) for nu in ratios],
                           (("#9ecae9", "#3a8fc8", "#084f86") if shape == "tetrahedra" else ("#f5b895", "#e0762f", "#983f06"))[k],
                           marker="circle" if shape == "tetrahedra" else "square")
        out.plot(name, chart.svg())
    return out


# --- figure 5

def recovery(setting):
    """A free beam (1 m × 1 m × 3 m) of each invertible material starts with all points in a plane, at one point, or anywhere in a box of its size, and is
    integrated by implicit Euler. Plotted is the mean error of the lengths of its elements' edges, relative to the rest shape. Inversion thresholds: 0.5 for St
    Venant-Kirchhoff and 0.6 for neo-Hookean, with the tangent made semi-definite by clamping; 0.1 for Mooney-Rivlin, with absolute eigenvalues."""
    out = Outcome()
    out.data("material", "start", "time [s]", "mean error of edges [%]", "inverted elements [%]")
    cells = (2, 2, 6) if setting.quick else (3, 3, 9)
    steps, every = 600, (30 if setting.quick else 10)
    nx, ny, nz = cells
    rest = [(i / nx, j / ny, 3. * k / nz) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]
    generator = random.Random(1)
    starts = {"plane": [(x, 0.5, z) for x, _, z in rest], "point": [(0.5, 0.5, 1.5)] * len(rest)}
    for k in range(1, 2 if setting.quick else 4):
        starts["box" if k == 1 else f"box (random numbers {k})"] = [
            (generator.random(), generator.random(), 3. * generator.random()) for _ in rest]
    materials = {"StVK": {"inversionThreshold": "0.5"}, "neoHookean": {"inversionThreshold": "0.6"},
                 "MooneyRivlin": {"inversionThreshold": "0.1", "tangentProjection": "absolute", "mu01": "6e4", "mu10": "1.2e5", "v1": "8e5"}}
    tetrahedra = list(grid_tetrahedra(*cells))
    edges = sorted({tuple(sorted((a, b))) for t in tetrahedra for a in t for b in t if a != b})

    def length(x, e):
        return sum((a - b) ** 2 for a, b in zip(x[e[0]], x[e[1]])) ** 0.5

    lengths = [length(rest, e) for e in edges]
    chart = Chart("Recovery from collapse", "time [s]", "mean error of edges [%]", ylog=True, ymin=1e-4)
    table = []
    for k, (material, extra) in enumerate(materials.items()):
        ends = []
        for s, (start, points) in enumerate(starts.items()):
            scene = Scene("recovery.scn").remove("flat")
            scene.set("grid", n=f"{nx + 1} {ny + 1} {nz + 1}")
            scene.set("points", position=" ".join("%r %r %r" % p for p in points)).set("material", material=material, **extra)
            run = scene.run(setting.run_sofa, steps, ["points"], every)
            series = []
            for frame, x in zip(run.frames, run.state("points")):
                error = 100. * sum(abs(length(x, e) / l0 - 1.) for e, l0 in zip(edges, lengths)) / len(edges)
                inverted = 100. * sum(determinant(*(x[v] for v in t)) <= 0. for t in tetrahedra) / len(tetrahedra)
                series.append((frame["t"], error, inverted))
                out.row(material, start, *series[-1])
            good = run.code == 0 and series[-1][1] < 1. and series[-1][2] == 0. and series[0][1] > 20.
            ends.append((good, f"{series[0][1]:.0f}% → {series[-1][1]:.0e}%"))
            if s < 3:
                chart.line(f"{material}, {start}", [(t, max(e, 1e-4)) for t, e, _ in series], COLORS[k], ("", "7 4", "2 3")[s], None)
        out.check(all(good for good, _ in ends), f"{material} recovers from a plane, a point and random positions; no element stays inverted")
        table.append([material, *(text for _, text in ends)])
    out.table("Mean error of edges at the start and after 6 s:", ["material", *starts], table)
    out.note("the thresholds matter for random starts: with others (0.3, say) a few elements stay inverted, in equilibrium with their neighbours")
    out.plot("", chart.svg())
    return out
