# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Rigid bodies in contact with friction, compared with mechanics: stacks, an incline, an arch, dominoes."""
import math

from report.bodies import G, World, moments_of, turn
from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.page import significant

STEP = 0.01


def micrometres(metres):
    return significant(1e6 * metres, 2)


def measures(motion, distance, pairs, scale=1):
    """Drift, penetration and energies of every frame: rows for the data."""
    return [(t, motion.most_drift(k), motion.penetration(distance, pairs, k), motion.kinetic[k] / scale, motion.potential[k] / scale)
            for k, t in enumerate(motion.t)]


# --- stack

def pile(count, distance=1e-3, spread=0., half=(0.5, 0.5, 0.5), **settings):
    """Boxes of 1 m on a floor, each at the contact distance above the one below, or farther by `spread`."""
    world = World(0.5, distance, STEP, **settings)
    world.box("floor", [3., 0.5, 3.], [0., -0.5, 0.], 0.)
    for k in range(count):
        world.box(f"box{k}", half, [0., half[1] + distance + k * (2. * half[1] + distance) + (k + 1) * spread, 0.])
    names = ["floor"] + [f"box{k}" for k in range(count)]
    return world, list(zip(names, names[1:]))


def stack(setting):
    """Cubes of 1 m and 1,000 kg stand on each other (boxes with four points of contact each, friction 0.5, contact distance 1 mm, time step 10 ms,
    default settings of all components): ten that stand from the beginning, ten that fall from 5 mm above each other, and a hundred slabs of 1 m × 0.5
    m × 1 m. Mechanics: they do not move. Drift is the largest distance of a centre from where it was,
    penetration the largest distance by which neighbours are nearer than the contact distance."""
    out = Outcome()
    out.data("case", "time [s]", "drift [m]", "penetration [m]", "kinetic energy [J]", "potential energy [J]", "iterations")
    distance, steps = 1e-3, 200 if setting.quick else 2000
    chart = Chart("Stacks of boxes", "time [s]", "metres", ylog=True, ymin=1e-12, ymax=1e-1,
                  subtitle="drift (lines) and penetration (dashed); what is exactly zero is not drawn")
    rows = []
    cases = [("10 that stand", 10, 0., steps, {}), ("10 that fall by 5 mm each", 10, 0.005, steps, {}),
             ("100 slabs", 30 if setting.quick else 100, 0., 50 if setting.quick else 1000, {"half": (0.5, 0.25, 0.5)})]
    for i, (name, count, spread, n, more) in enumerate(cases):
        name = name.replace("100", str(count))
        world, pairs = pile(count, distance, spread, **more)
        motion = world.simulate(setting.run_sofa, n, max(1, n // 50))
        data = measures(motion, distance, pairs)
        for k, r in enumerate(data):
            out.row(name, *r, motion.iterations[k])
        last, deepest = data[-1], max(r[2] for r in data)
        chart.line(f"{name}: drift", [r[:2] for r in data[1:]], COLORS[i], marker=None)
        chart.line(f"{name}: penetration", [(r[0], r[2]) for r in data[1:]], COLORS[i], "4 3", marker=None)
        rows.append([name, n, micrometres(last[1]), micrometres(last[2]), micrometres(deepest), significant(last[3], 2), int(max(motion.iterations)),
                     int(motion.unconverged[-1])])
        if not spread:
            out.check(last[1] < 1e-4, f"{name}: after {n} steps the stack has drifted by {micrometres(last[1])} µm at most (a thousandth of "
                                      "a side would be 1,000)")
            out.check(deepest < 0.01 * distance, f"{name}: boxes are never nearer than the contact distance by more than {micrometres(deepest)} µm")
            out.check(last[3] < 1e-6 * count * 1000., f"{name}: the stack is at rest (kinetic energy {significant(last[3], 2)} J; its weight is "
                                                      f"{significant(sum(b[1] for b in world.bodies) * G, 3)} N)")
        else:
            lost, fallen = data[0][4] - last[4], sum(b[1] * G * spread * (k + 1) for k, b in enumerate(world.bodies))
            out.check(abs(lost / fallen - 1.) < 1e-3,
                      f"{name}: each box comes down to the one below; {significant(fallen)} J of potential energy become "
                                                      f"{significant(lost, 4)} J less")
            out.check(last[3] < 1e-6 * fallen,
                      f"{name}: impacts without restitution take all the energy of the fall ({significant(last[3], 2)} J are left)")
            energies = [r[3] + r[4] for r in data]
            out.check(all(b <= a + 1e-6 * fallen for a, b in zip(energies, energies[1:])), f"{name}: the energy never grows")
            out.note(f"while they fall, boxes come nearer than the contact distance by {micrometres(deepest)} µm at most; at the end by {micrometres(last[2])} µm")
    out.table("After the last step:", ["stack", "steps", "drift [µm]", "penetration [µm]", "largest penetration [µm]", "kinetic energy [J]",
                                       "iterations at most", "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


def stack_image():
    world, _ = pile(10)
    return world.camera([7., 7., 13.], [0., 4.7, 0.]), 100


# --- mass ratio

def mass_ratio(setting):
    """A box of 1 m lies on another one of the same size that is lighter, up to 10,000 times (default settings, 500 steps of 10 ms). Mechanics:
    nothing moves, and both contacts carry what lies on them. Gauss-Seidel iterations alone converge the more slowly the larger the ratio is."""
    out = Outcome()
    out.data("mass ratio", "time [s]", "drift [m]", "penetration [m]", "kinetic energy [J]", "iterations")
    distance, steps, rows = 1e-3, 100 if setting.quick else 500, []
    chart = Chart("A heavy box on a light one", "mass ratio", "metres", xlog=True, ylog=True)
    lines = {"drift": [], "penetration": []}
    for ratio in (1., 1000.) if setting.quick else (1., 10., 100., 1000., 10000.):
        world = World(0.5, distance, STEP)
        world.box("floor", [3., 0.5, 3.], [0., -0.5, 0.], 0.)
        world.box("light", [0.5] * 3, [0., 0.5 + distance, 0.], 10.)
        world.box("heavy", [0.5] * 3, [0., 1.5 + 2. * distance, 0.], 10. * ratio)
        motion = world.simulate(setting.run_sofa, steps, steps // 50)
        data = measures(motion, distance, [("floor", "light"), ("light", "heavy")])
        for k, r in enumerate(data):
            out.row(ratio, *r[:4], motion.iterations[k])
        drift, deepest = max(r[1] for r in data), max(r[2] for r in data)
        lines["drift"].append((ratio, drift))
        lines["penetration"].append((ratio, deepest))
        rows.append([f"1:{ratio:,.0f}", micrometres(drift), micrometres(deepest), significant(data[-1][3], 2), int(max(motion.iterations)),
                     int(motion.unconverged[-1])])
        if ratio <= 1000.:
            out.check(drift < 1e-4 and deepest < 0.01 * distance,
                      f"1:{ratio:,.0f}: the boxes stay ({micrometres(drift)} µm of drift, {micrometres(deepest)} µm of penetration)")
        else:
            out.note(f"1:{ratio:,.0f}: {micrometres(drift)} µm of drift, {micrometres(deepest)} µm of penetration")
    for name, points in lines.items():
        chart.line(name, points)
    out.table(f"Largest values of {steps} steps:", ["masses", "drift [µm]", "penetration [µm]", "kinetic energy at the end [J]", "iterations at most",
                                                    "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


# --- incline

def incline(setting):
    """A box (1 m × 0.2 m × 0.8 m) lies on a slope of 10°, 25° or 40°, whose tangent is 0.5, 0.99, 1.01, 1.5 or 2 times the coefficient of friction.
    Coulomb's law: up to 1 it rests; beyond it slides with a = g (sin θ − μ cos θ). Friction takes μ m g cos θ times the way, the rest of the
    potential energy becomes kinetic."""
    out = Outcome()
    out.data("angle [degrees]", "tan(angle) / mu", "time [s]", "way [m]", "speed [m/s]", "speed in theory [m/s]", "penetration [m]",
             "kinetic energy [J]")
    distance, steps, factors = 1e-3, 50 if setting.quick else 200, (0.5, 0.99, 1.01, 1.5, 2.)
    chart = Chart("A box on a slope of 25°", "time [s]", "speed [m/s]", subtitle="lines: simulation; points: g (sin θ − μ cos θ) t")
    rows, worst, creep, deepest, balance = [], 0., 0., 0., 0.
    for degrees in (25.,) if setting.quick else (10., 25., 40.):
        angle = math.radians(degrees)
        along, normal, q = [-math.cos(angle), -math.sin(angle), 0.], [-math.sin(angle), math.cos(angle), 0.], turn([0., 0., 1.], angle)
        for i, factor in enumerate(factors):
            mu = math.tan(angle) / factor
            world = World(mu, distance, STEP)
            world.box("slope", [60., 0.5, 2.], [-0.5 * n for n in normal] + q, 0.)
            world.box("box", [0.5, 0.1, 0.4], [(0.1 + distance) * n for n in normal] + q, 100.)
            motion = world.simulate(setting.run_sofa, steps, steps // 50)
            a, x0 = max(0., G * (math.sin(angle) - mu * math.cos(angle))), motion.x["box"][0]
            data = measures(motion, distance, [("slope", "box")])
            points = []
            for k, t in enumerate(motion.t):
                way = sum((motion.x["box"][k][c] - x0[c]) * along[c] for c in range(3))
                speed = sum(motion.v["box"][k][c] * along[c] for c in range(3))
                out.row(degrees, factor, t, way, speed, a * t, data[k][2], data[k][3])
                points.append((t, speed))
            deepest = max(deepest, max(r[2] for r in data))
            if a:
                worst = max(worst, abs(speed / (a * t) - 1.))
                # What friction takes over the way of implicit Euler's steps.
                balance = max(balance,
                              abs((data[0][4] - data[-1][4] - mu * 100. * G * math.cos(angle) * way - data[-1][3]) / (data[0][4] - data[-1][4])))
            else:
                creep = max(creep, way)
            rows.append([f"{degrees:.0f}°", factor, significant(a, 4), significant(speed / t, 4) if a else "0", "slides" if way > 1e-4 else "rests",
                         micrometres(way) if not a else f"{1e6 * way:,.0f}"])
            if degrees == 25.:
                chart.line(f"tan θ = {factor:g} μ", points, COLORS[i], marker=None)
                chart.points("", [(t, a * t) for t in motion.t[::5]], COLORS[i], legend=False)
    out.check(creep < 1e-5, f"up to tan θ = 0.99 μ the box rests (it moves by {micrometres(creep)} µm at most in {steps * STEP:g} s)")
    out.check(worst < 1e-3, f"from tan θ = 1.01 μ on it slides with g (sin θ − μ cos θ), to {100. * worst:.1g}%")
    out.check(deepest < 0.01 * distance, f"it never comes nearer than the contact distance by more than {micrometres(deepest)} µm")
    # Way and speed of implicit Euler: v² = 2 a s less a h v.
    out.check(balance < 2. * STEP / (steps * STEP),
              f"potential energy becomes kinetic and work of friction, to {100. * balance:.2g}% (implicit Euler loses a "
                                                    "step's share)")
    out.table(f"After {steps * STEP:g} s:", ["slope", "tan θ / μ", "acceleration in theory [m/s²]", "acceleration [m/s²]", "the box", "way [µm]"],
              rows)
    out.plot("", chart.svg())
    return out


# --- arch

MU_ARCH, STONES = 0.8, 11


def stone(ratio, count=STONES):
    """Outline of a voussoir of a semicircular arch of mean radius 1 m and thickness `ratio`, in axes along the radius and across it."""
    half = 0.5 * math.pi / count
    return [(r * math.cos(half), s * r * math.sin(half)) for s, r in ((-1., 1. - 0.5 * ratio), (-1., 1. + 0.5 * ratio), (1., 1. + 0.5 * ratio),
                                                                     (1., 1. - 0.5 * ratio))]


def stands(ratio, mu=None, count=STONES):
    """Whether an arch stands by Heyman's theorem: whether some line of thrust stays within all joints, steeper to none than friction allows.
    The unknown thrust H at the crown and its moment H y obey linear inequalities; two numbers obey all if a corner of them does."""
    area, (radius, _), _ = moments_of(stone(ratio, count))
    limits = []  # a H + b M <= c
    for k in range((count + 1) // 2):
        phi = math.pi * k / count
        above = [(1. if 2 * i + 1 < count else 0.5, radius * math.cos(math.pi * (i + 0.5) / count)) for i in range(k, (count + 1) // 2)]
        if count % 2:  # of the crown's stone the half on this side
            half = [(x, y) for x, y in crown_half(ratio, count)]
            share, (_, aside), _ = moments_of(half)
            above[-1] = (share / area, aside)
        weight = area * sum(w for w, _ in above)
        moment = area * sum(w * (x - math.cos(phi)) for w, x in above)
        c, s = math.cos(phi), math.sin(phi)
        for sign in (1., -1.):  # sign (M - s H + moment) <= ratio / 2 (c weight + s H)
            limits.append((-sign * s - 0.5 * ratio * s, sign, 0.5 * ratio * c * weight - sign * moment))
            if mu is not None:  # sign (s weight - c H) <= mu (c weight + s H)
                limits.append((-sign * c - mu * s, 0., mu * c * weight - sign * s * weight))
    for i, (a, b, c) in enumerate(limits):
        for d, e, f in limits[:i]:
            det = a * e - b * d
            if abs(det) > 1e-12:
                h, m = (c * e - b * f) / det, (a * f - c * d) / det
                if all(p * h + q * m <= r + 1e-12 for p, q, r in limits):
                    return True
    return False


def crown_half(ratio, count):
    """Half of the stone at the crown: that with y > 0, which is away from the middle of the arch."""
    (x0, y0), (x1, y1) = stone(ratio, count)[3], stone(ratio, count)[2]
    return [(x0, 0.), (x1, 0.), (x1, y1), (x0, y0)]


def bisect(low, high, holds):
    """Where something begins to hold between two numbers."""
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def arch_world(ratio, mu, distance=1e-3, count=STONES):
    """The stones stand at the contact distance from each other: each joint is so thick. Every second one is a tenth less deep, so that no two corners
    meet, and weighs as much as the others."""
    world = World(mu, distance, STEP)
    world.box("floor", [20., 0.5, 20.], [0., -0.5 - 0.5 * distance, 0.], 0.)
    outline, half = stone(ratio, count), 0.5 * math.pi / count
    _, (radius, _), _ = moments_of(outline)
    shrunk = [(x + 0.5 * distance * math.sin(half) - radius, y - math.copysign(0.5 * distance * math.cos(half), y)) for x, y in outline]
    whole = [(x - radius, y) for x, y in outline]
    for k in range(count):
        angle = math.pi * (k + 0.5) / count
        world.prism(f"stone{k}", shrunk, 0.3 * (0.9 if k % 2 else 1.),
                    [radius * math.cos(angle), radius * math.sin(angle), 0.] + turn([0., 0., 1.], angle),
                    2000., 0.3, whole)
    names = ["floor"] + [f"stone{k}" for k in range(count)] + ["floor"]
    return world, list(zip(names, names[1:]))


def arch(setting):
    """A semicircular arch of eleven stones without mortar (mean radius 1 m, 2,000 kg/m³, friction 0.8; rigid meshes of triangles, contacts of
    LocalMinDistance, default settings, time step 10 ms). Mechanics: it stands if some line of thrust stays within it (Heyman's safe theorem). Of a
    continuous arch that takes t/R ≥ 0.1075 (Milankovitch); of eleven stones, which can open at their joints only, a little less; and friction of at
    least what the line needs where it crosses the joints most obliquely. Both limits are computed by the same inequalities here, and the simulation
    is asked on both sides of them, 2% and more apart."""
    out = Outcome()
    out.data("t/R", "friction", "time [s]", "largest motion of a stone [m]", "penetration [m]", "kinetic energy [J]", "potential energy [J]")
    distance = 1e-3
    thinnest = bisect(0.05, 0.3, stands)
    continuous = bisect(0.05, 0.3, lambda r: stands(r, None, 101))
    thick = 0.15
    slippery = bisect(0.1, 1., lambda mu: stands(thick, mu))
    out.check(abs(continuous - 0.1075) < 5e-4, f"the inequalities give Milankovitch's limit: t/R = {continuous:.4f} for 101 stones")
    cases = [(thick, MU_ARCH), (0.8 * thinnest, MU_ARCH)] if setting.quick else \
        [(f * thinnest, MU_ARCH) for f in (1.5, 1.1, 1.05, 1.02, 0.98, 0.95, 0.9)] + [(thick, f * slippery) for f in (1.1, 1.02, 0.98, 0.9)]
    chart = Chart("An arch of eleven stones", "time [s]", "largest motion of a stone [m]", ylog=True, ymin=1e-9, ymax=1.,
                  subtitle=f"limits: t/R = {thinnest:.4f}, friction {slippery:.4f} (at t/R = {thick})")
    rows, right, deepest, drift, kinetic, gained = [], True, 0., 0., 0., 0.
    for i, (ratio, mu) in enumerate(cases):
        world, pairs = arch_world(ratio, mu, distance)
        motion = world.simulate(setting.run_sofa, 20 if setting.quick else 150, 5)
        data = measures(motion, distance, pairs)
        for r in data:
            out.row(ratio, mu, *r)
        safe, fell = stands(ratio, mu), data[-1][1] > 0.01
        right = right and safe != fell
        if safe:
            drift, deepest, kinetic = max(drift, data[-1][1]), max([deepest] + [r[2] for r in data]), max(kinetic, data[-1][3])
        else:
            energies = [r[3] + r[4] for r in data]
            gained = max(gained, (max(energies) - energies[0]) / energies[0])
        chart.line(f"t/R {ratio:.4f}, μ {mu:.3f}", [r[:2] for r in data[1:]], COLORS[i % len(COLORS)], "" if i < 7 else "5 4", marker=None)
        rows.append([f"{ratio:.4f}", f"{mu:.3f}", "stands" if safe else "falls", "falls" if fell else "stands", significant(data[-1][1], 2),
                     micrometres(max(r[2] for r in data)) if not fell else "–", significant(data[-1][3], 2), int(motion.unconverged[-1])])
    near = (0.8, 1.43) if setting.quick else (0.98, 1.02)
    out.check(right, f"arches stand where the theory has a line of thrust and fall where it has none: thickness {near[0]} and {near[1]} times the "
                     f"limit t/R = {thinnest:.4f}" + ("" if setting.quick else f", friction 0.98 and 1.02 times the limit {slippery:.4f}"))
    out.check(drift < 1e-4, f"those that stand have moved by {micrometres(drift)} µm at most")
    out.check(deepest < 0.01 * distance, f"their stones never come nearer than the contact distance by more than {micrometres(deepest)} µm")
    out.check(kinetic < 1e-6, f"and are at rest ({significant(kinetic, 2)} J)")
    if gained > 1e-3:
        out.note(f"of those that fall one gains {significant(100. * gained, 2)}% of its potential energy when its stones strike each other and the floor: impacts "
                 "without restitution may only lose energy. What stands is not concerned")
    out.table(f"After {motion.t[-1]:g} s:",
              ["t/R", "friction", "in theory it", "here it", "largest motion [m]", "penetration [µm]", "kinetic energy [J]",
                                            "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


def arch_image():
    world, _ = arch_world(0.15, MU_ARCH)
    return world.camera([0.7, 0.9, 2.3], [0., 0.46, 0.]), 100


# --- dominoes

TILE = (0.0035, 0.024, 0.012)  # half thickness, height and width [m]


def domino_row(count, spacing, push, mu=0.2, size=1., distance=5e-5, step=1e-3):
    """Dominoes of 7 mm × 48 mm × 24 mm (times `size`), `spacing` apart face to face; the first has the angular velocity `push`."""
    world = World(mu, distance * size, step * math.sqrt(size), alarm=40. * distance * size)
    half = [size * h for h in TILE]
    pitch = 2. * half[0] + spacing * size
    world.box("floor", [size, 0.1 * size, 0.2 * size], [0.5 * count * pitch, -0.1 * size, 0.], 0.)
    for k in range(count):
        # It turns about its lower edge in front.
        velocity = [push * half[1], -push * half[0], 0., 0., 0., -push] if k == 0 else None
        world.box(f"tile{k}", half, [k * pitch, half[1] + distance * size, 0.], velocity=velocity)
    return world, pitch


def front(motion, count):
    """Times at which the dominoes have turned by 2 degrees, between frames by interpolation; None for those that have not."""
    times = []
    for k in range(count):
        turned = [2. * math.atan2(abs(x[5]), x[6]) for x in motion.x[f"tile{k}"]]
        limit, i = math.radians(2.), next((i for i, a in enumerate(turned) if a > math.radians(2.)), None)
        times.append(None if i is None or i == 0 else
                     motion.t[i - 1] + (motion.t[i] - motion.t[i - 1]) * (limit - turned[i - 1]) / (turned[i] - turned[i - 1]))
    return times


def dominoes(setting):
    """Rows of thirty dominoes (48 mm × 24 mm × 7 mm, friction 0.2, contact distance 0.05 mm, time step 1 ms),
    of which the first is pushed, gently or hard. Mechanics: after some dominoes the front has a speed of its own that does not depend on the push
    (Stronge 1987), since each impact without restitution shares what the fall of those before gave; and rows of another size fall with the speed
    times the root of the size (Froude). The front is where dominoes have turned by 2°."""
    out = Outcome()
    out.data("spacing [mm]", "push [1/s]", "size", "domino", "time [s]", "speed of the front [m/s]")
    count, step = (16, 2e-3) if setting.quick else (30, 1e-3)
    chart = Chart("A row of dominoes", "domino", "speed of the front over √(g h)",
                  subtitle="mean over five dominoes; spacing between faces, angular velocity of the first one")
    rows, speeds, deepest, energies = [], {}, 0., True
    cases = [(16., 5., 1.), (16., 12., 1.)] if setting.quick else [(16., 5., 1.), (16., 12., 1.), (16., 5., 10.), (8., 5., 1.), (24., 5., 1.)]
    for i, (gap, push, size) in enumerate(cases):
        world, pitch = domino_row(count, 1e-3 * gap, push / math.sqrt(size), size=size, step=step)
        steps = int((0.2 + count * pitch / size / 0.85) / step)
        motion = world.simulate(setting.run_sofa, steps, 1 if setting.quick else 2)
        times = front(motion, count)
        if None in times[1:]:
            out.check(False, f"spacing {gap:g} mm: all dominoes fall")
            continue
        mean = [(k, 4. * pitch / (times[k + 2] - times[k - 2])) for k in range(3, count - 3)]
        for k, v in mean:
            out.row(gap, push, size, k, times[k], v)
        late = [v for k, v in mean if k >= count // 2]
        speed = speeds[gap, push, size] = pitch * (count - 3 - count // 2) / (times[count - 3] - times[count // 2])
        spread, scale = (max(late) - min(late)) / speed, math.sqrt(G * 2. * TILE[1] * size)
        chart.line(f"{gap:g} mm, {push:g}/s" + (f", {size:g} times as large" if size != 1. else ""), [(k, v / scale) for k, v in mean], COLORS[i],
                   marker=None)
        names = [f"tile{k}" for k in range(count)]
        depth = max(motion.penetration(5e-5 * size, list(zip(names, names[1:])) + [("floor", n) for n in names], k)
                    for k in range(0, len(motion.t), max(1, len(motion.t) // 8)))
        deepest = max(deepest, depth / size)
        total = [a + b for a, b in zip(motion.kinetic, motion.potential)]
        energies = energies and all(b <= a + 1e-3 * total[0] for a, b in zip(total, total[1:]))
        first = [p[1] for p in mean]
        rows.append([f"{gap:g}", f"{push:g}", f"{size:g}", significant(first[0]), significant(speed),
                     significant(speed / scale),
                     f"{100. * spread:.1f}%", significant(1e6 * depth, 2), f"{total[0]:.4g} → {total[-1]:.4g}", int(motion.unconverged[-1])])
        out.check(spread < 0.1, f"{gap:g} mm apart, pushed by {push:g}/s" + (f", {size:g} times as large" if size != 1. else "") +
                  f": over the second half of the row the front goes at {significant(speed)} m/s, within {100. * spread:.1f}%")
    gentle, hard = speeds.get((16., 5., 1.)), speeds.get((16., 12., 1.))
    out.check(abs(hard / gentle - 1.) < 0.03, f"the speed does not depend on the push ({significant(gentle, 4)} and {significant(hard, 4)} m/s)")
    if not setting.quick:
        froude = speeds[16., 5., 10.] / gentle / math.sqrt(10.)
        out.check(abs(froude - 1.) < 0.01, f"ten times as large they fall √10 times as fast, to {100. * abs(froude - 1.):.2g}%")
    out.check(energies, "the energy never grows")
    out.check(deepest < 5e-5, f"dominoes never overlap: they come nearer than the contact distance, 50 µm, by {micrometres(deepest)} µm at most")
    out.table("Rows:",
              ["spacing [mm]", "push [1/s]", "size", "front at first [m/s]", "front later [m/s]", "later, over √(g h)", "spread", "penetration [µm]",
                        "energy [J]", "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


def dominoes_image():
    world, pitch = domino_row(24, 0.016, 5.)
    return world.camera([0.30, 0.16, 0.42], [0.26, 0.01, 0.]), 330
