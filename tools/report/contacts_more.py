# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Bodies in contact, compared with mechanics: cards, a cradle, a peg, a nut on a bolt."""
import math

from report.bodies import G, World, text, turn
from report.chart import COLORS, Chart
from report.contacts import measures, micrometres
from report.experiment import Outcome
from report.page import significant

# --- card house

LONG, THICK, WIDE, LEAN = 0.1, 0.003, 0.06, math.radians(20.)  # a card [m], and its angle to the vertical
CARD_GAP, CARD_STEP = 1e-4, 5e-3
LEAST = 0.5 * (math.tan(LEAN) - THICK / LONG)  # friction below which two cards slip
ENOUGH = math.tan(LEAN) - THICK / LONG  # friction from which on any load from above is carried
ACROSS = [math.cos(LEAN), -math.sin(LEAN)]  # of a card that leans to the right
UP = [math.sin(LEAN), math.cos(LEAN)]


def tent(world, name, x, ground):
    """Two cards that lean on each other, on a ground of that height; pairs of what touches."""
    half = [0.5 * THICK, 0.5 * LONG, 0.5 * WIDE]
    low = [0.5 * THICK * ACROSS[i] - 0.5 * LONG * UP[i] for i in (0, 1)]
    top = [0.5 * THICK * ACROSS[i] + 0.5 * LONG * UP[i] for i in (0, 1)]
    aside, height = 0.5 * CARD_GAP + top[0], ground + CARD_GAP - low[1]
    world.box(name + "l", half, [x - aside, height, 0.] + turn([0., 0., -1.], LEAN), color="0.84 0.30 0.26 1")
    world.box(name + "r", half, [x + aside, height, 0.] + turn([0., 0., 1.], LEAN), color="0.93 0.91 0.86 1")
    return [(name + "l", name + "r")], height + 0.5 * LONG * UP[1] + 0.5 * THICK * math.sin(LEAN)


def card_house(storeys, mu):
    world = World(mu, CARD_GAP, CARD_STEP)
    world.box("table", [0.5, 0.1, 0.3], [0., -0.1, 0.], 0.)
    pitch, ground, pairs, below = 0.09, 0., [], {}
    for s in range(storeys):
        count, tops = storeys - s, {}
        for k in range(count):
            x, name = pitch * (k - 0.5 * (count - 1)), f"s{s}t{k}"
            touching, height = tent(world, name, x, ground)
            pairs += touching + [(below.get(k, "table"), name + side) for side in "lr"]
            tops[k] = height
        for k in range(count - 1):
            name = f"s{s}p{k}"
            x, y = pitch * (k + 0.5 - 0.5 * (count - 1)), tops[0] + CARD_GAP + 0.5 * THICK
            world.box(name, [0.5 * (pitch - THICK), 0.5 * THICK, 0.5 * WIDE], [x, y, 0.], color="0.30 0.45 0.68 1")
            pairs += [(f"s{s}t{k}r", name), (f"s{s}t{k + 1}l", name)]
        below = {k: f"s{s}p{k}" for k in range(count - 1)}
        ground = tops[0] + CARD_GAP + THICK
    return world, pairs


def cards(setting):
    """Cards of 100 mm × 60 mm × 3 mm lean on each other at 20° to the vertical (contact distance 0.1 mm, time step 5 ms, default settings
    of all components): two of them, and a house of three storeys and 15 cards. Mechanics: two cards stand if friction is at least (tan α − d/L)/2;
    under any load from above there is an equilibrium from tan α − d/L on."""
    out = Outcome()
    out.data("storeys", "friction", "time [s]", "largest motion of a card [m]", "penetration [m]", "kinetic energy [J]",
             "potential energy [J]")
    chart = Chart("Card houses", "time [s]", "largest motion of a card [m]", ylog=True, ymin=1e-10, ymax=1.,
                  subtitle=f"two cards need friction of {LEAST:.4f}; loaded ones at most {ENOUGH:.4f}")
    cases = [(1, 0.95 * LEAST), (1, 1.05 * LEAST), (2, ENOUGH)] if setting.quick else \
        [(1, 0.9 * LEAST), (1, 0.98 * LEAST), (1, 1.02 * LEAST), (1, 1.1 * LEAST), (3, 0.98 * LEAST), (3, ENOUGH), (3, 0.6)]
    rows, right, deepest, drift, kinetic = [], True, 0., 0., 0.
    for i, (storeys, mu) in enumerate(cases):
        world, pairs = card_house(storeys, mu)
        falls = mu < LEAST
        motion = world.simulate(setting.run_sofa, (100 if falls or setting.quick else 600), 10)
        data = measures(motion, CARD_GAP, pairs)
        for r in data:
            out.row(storeys, mu, *r)
        fell = data[-1][1] > 0.01
        right = right and fell == falls
        if not falls and not fell:
            drift, deepest, kinetic = max(drift, data[-1][1]), max([deepest] + [r[2] for r in data]), max(kinetic, data[-1][3])
        name = "two cards" if storeys == 1 else f"{len(world.bodies)} cards"
        chart.line(f"{name}, μ {mu:.3f}", [r[:2] for r in data[1:]], COLORS[i % len(COLORS)], marker=None)
        rows.append([name, f"{mu:.4f}", "falls" if falls else "stands", "falls" if fell else "stands", f"{motion.t[-1]:g}",
                     significant(data[-1][1], 2),
                     "–" if fell else micrometres(max(r[2] for r in data)), significant(data[-1][3], 2), int(motion.unconverged[-1])])
    out.check(right, f"two cards stand from friction {LEAST:.4f} on and slip below (asked at {0.95 if setting.quick else 0.98} and "
                     f"{1.05 if setting.quick else 1.02} times that); houses stand with {ENOUGH:.4f}")
    out.check(drift < 1e-5, f"those that stand have moved by {micrometres(drift)} µm at most")
    out.check(deepest < 0.05 * CARD_GAP, f"their cards never come nearer than the contact distance by more than {micrometres(deepest)} µm")
    out.check(kinetic < 1e-8, f"and are at rest ({significant(kinetic, 2)} J)")
    out.table("At the end:",
              ["cards", "friction", "in theory it", "here it", "time [s]", "largest motion [m]", "penetration [µm]", "kinetic energy [J]",
                              "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


def cards_image():
    world, _ = card_house(3, 0.6)
    return world.camera([0.18, 0.22, 0.55], [0., 0.13, 0.]), 200


# --- Newton's cradle

def row_of_balls(restitution, spaces, moving, balls=5):
    """Balls on a line without gravity, `spaces` beyond the contact distance apart; the first `moving` ones come at 1 m/s."""
    world = World(0., 1e-4, 1e-3, alarm=2e-2, gravity="0 0 0")
    x = 0.
    for k in range(balls):
        world.ball(f"ball{k}", 0.05, [x, 0., 0.], 1., velocity=[1. if k < moving else 0., 0., 0., 0., 0., 0.], contactRestitution=repr(restitution))
        x += 0.1 + 1e-4 + (0.02 if k == moving - 1 else 0. if k < moving - 1 else spaces)
    return world


def cradle(setting):
    """Five equal balls in a row, the first of which (or the first two) come at 1 m/s (no gravity, time step 1 ms). Mechanics: momentum is conserved
    whatever happens; impacts one after the other with restitution e hand on (1 + e)/2 of the speed, so that with e = 1 the last ball goes off with
    all of it. Balls that stand apart strike one after the other. How balls that touch share an impact the mechanics of rigid bodies does not say.
    Contacts have no restitution unless models give `contactRestitution`: then balls go on together."""
    out = Outcome()
    out.data("restitution", "space [m]", "moving", "ball", "speed [m/s]")
    rows, momentum, worst, touching, apart, together = [], 0., 0., 0., 0., 0.
    for e, spaces, moving in ((1., 2e-3, 1), (1., 2e-3, 2), (0.9, 2e-3, 1), (0., 2e-3, 1), (0., 0., 1), (1., 0., 1)):
        world = row_of_balls(e, spaces, moving)
        motion = world.simulate(setting.run_sofa, 300, 5)
        v = [motion.v[f"ball{k}"][-1][0] for k in range(5)]
        for k, speed in enumerate(v):
            out.row(e, spaces, moving, k, speed)
        momentum = max(momentum, max(abs(sum(motion.v[f"ball{k}"][i][0] for k in range(5)) - moving) for i in range(len(motion.t))))
        energy = motion.kinetic[-1] / motion.kinetic[0]
        expected = [0.] * 5
        if e == 1. and spaces:
            expected = [1. if k >= 5 - moving else 0. for k in range(5)]
        elif e and spaces:
            expected = [0.5 * (1. - e) * (0.5 * (1. + e)) ** k for k in range(4)] + [(0.5 * (1. + e)) ** 4]
        elif not e:
            expected = [0.2] * 5
        error = max(abs(a - b) for a, b in zip(v, expected))
        if e and spaces:
            apart = max(apart, error)
        elif not e:
            together = max(together, error)
        if e == 1. and spaces:
            worst = max(worst, abs(energy - 1.))
        elif e == 1.:
            touching = abs(energy - 1.)
        rows.append([f"{e:g}", "2 mm apart" if spaces else "touch", moving, "  ".join(f"{x:.4f}" for x in v), f"{energy:.6f}",
                     f"{error:.1e}" if not (e and not spaces) else "not said"])
    out.check(momentum < 1e-12, f"momentum is conserved to rounding, with and without restitution ({momentum:.1e} of it is lost)")
    out.check(worst < 1e-12, f"with e = 1 the energy is, too, where one ball strikes after the other ({worst:.1e})")
    out.check(touching < 1e-4, f"where balls touch, it is to the tolerance of the solver ({touching:.1e})")
    out.check(apart < 1e-6, f"balls that stand apart hand on their speed as in theory: with e = 1 as many go off as came (to {apart:.1e} m/s)")
    out.check(together < 1e-6,
              "without restitution, which is the default, all balls go on together, and four fifths of the energy are lost, whether they touch or not")
    out.note("balls that touch do not act as a cradle does, where elastic waves hand the impact on: with e = 1 they share it, and the first one rebounds (last "
             "row). A cradle needs spaces between its balls")
    out.table("After 0.3 s:",
              ["restitution", "the others", "balls that come", "speeds of the balls [m/s]", "energy left", "difference from theory [m/s]"], rows)
    return out


# --- peg in hole

PULL = 4.  # [N]


def peg_in_hole(mu, offset, distance=1e-4, clearance=5e-5, deep=0.04):
    """A square peg of 20 mm × 20 mm × 120 mm in a hole 40 mm deep, pulled down `offset` beside its axis."""
    world = World(mu, distance, 1e-3, alarm=5e-3, gravity="0 0 0")
    room, wall, tilt = 0.01 + distance + clearance, 0.02, 0.
    for _ in range(50):  # both edges of the hole at the contact distance from the faces of the peg
        tilt = math.asin((room * math.cos(tilt) - 0.01 - distance) / (0.5 * deep)) if offset else 0.
    for name, at, half in (("left", [-room - wall, 0., 0.], [wall, 0.5 * deep, 0.06]), ("right", [room + wall, 0., 0.], [wall, 0.5 * deep, 0.06]),
                           ("back", [0., 0., -room - wall], [room, 0.5 * deep, wall]), ("front", [0., 0., room + wall], [room, 0.5 * deep, wall])):
        world.box(name, half, at, 0.)
    node = world.box("peg", [0.01, 0.06, 0.01], [0., 0., 0.] + turn([0., 0., -1.], tilt), 0.4)
    world.child(node, "ConstantForceField", indices="0", forces=text(0., -PULL, 0., 0., 0., -PULL * offset))
    return world


def peg(setting):
    """A square peg of 20 mm and 0.4 kg leans in a hole that is 0.05 mm wider on each side than where contact begins, and 40 mm deep. It is pulled by
    4 N along the hole, but beside its axis, as a drawer at one of its handles (no gravity, contact distance 0.1 mm, time step 1 ms). Mechanics: two
    edges of the hole take the moment, each with N = F x/h, and it jams if 2 μ N ≥ F, that is μ ≥ h/(2 x), however strong the pull is; otherwise it
    slides with (F/m) (1 − 2 μ x/h). Pulled on its axis nothing holds it."""
    out = Outcome()
    out.data("friction over h/2x (0: on the axis)", "time [s]", "way [m]", "speed [m/s]", "kinetic energy [J]")
    offset, deep = 0.05, 0.04
    limit = deep / (2. * offset)
    chart = Chart("A peg in a hole", "time [s]", "speed [m/s]", subtitle="lines: simulation; points: (F/m) (1 − 2 μ x/h) t")
    rows, right, worst, creep = [], True, 0., 0.
    steps = 80
    for i, (factor, x) in enumerate(((0.5, 0.), (0.5, offset), (0.95, offset), (1.05, offset), (2., offset))):
        world = peg_in_hole(factor * limit, x)
        motion = world.simulate(setting.run_sofa, steps, 2)
        a = PULL / 0.4 if x == 0. else max(0., PULL / 0.4 * (1. - factor))
        way, speed = -(motion.x["peg"][-1][1] - motion.x["peg"][0][1]), -motion.v["peg"][-1][1]
        for k, t in enumerate(motion.t):
            out.row(factor if x else 0., t, motion.x["peg"][0][1] - motion.x["peg"][k][1], -motion.v["peg"][k][1], motion.kinetic[k])
        # It tilts first until it has contact: the acceleration is that of the second half.
        half = len(motion.t) // 2
        found = (speed + motion.v["peg"][half][1]) / (motion.t[-1] - motion.t[half])
        if a:
            worst = max(worst, abs(found - a) / (PULL / 0.4))
        else:
            later = motion.x["peg"][half][1] - motion.x["peg"][-1][1]
            creep = max(creep, abs(later))
        right = right and (abs(found) < 1e-3) == (a == 0.)
        chart.line("on the axis" if not x else f"μ = {factor:g} h/(2 x)", [(t, -motion.v["peg"][k][1]) for k, t in enumerate(motion.t)], COLORS[i],
                   marker=None)
        chart.points("", [(t, a * t) for t in motion.t[::5]], COLORS[i], legend=False)
        rows.append(["0" if not x else f"{1e3 * x:g} mm", f"{factor:g}", significant(a, 3), significant(found, 3),
                     "jams" if abs(found) < 1e-3 else "slides",
                     significant(1e3 * way, 3), int(motion.unconverged[-1])])
    out.check(right, "it jams from μ = 1.05 h/(2 x) on, and slides up to 0.95 of that")
    out.check(worst < 0.02, f"it slides with (F/m) (1 − 2 μ x/h), to {100. * worst:.2g}% of F/m, and freely where it is pulled on its axis")
    out.check(creep < 1e-6, f"what jams stays ({micrometres(creep)} µm in {0.5 * steps:g} ms)")
    out.table(f"In {steps} ms:", ["pull beside the axis", "μ / (h/2x)", "acceleration in theory [m/s²]", "acceleration", "it", "way [mm]",
                                  "steps not converged"], rows)
    out.plot("", chart.svg())
    return out


# --- nut on a bolt

LEAD, MEAN, THREAD_GAP = 0.02, 0.01, 1e-4  # rise in a turn, radius of contact [m]
RISE = LEAD / (2. * math.pi)
SLOPE = math.atan2(RISE, MEAN)


def flank(inner, outer, first, last, around, lift):
    """A helicoid between two radii and two angles: corners and triangles."""
    n = max(1, round((last - first) / (2. * math.pi) * around))
    angles = [first + (last - first) * k / n for k in range(n + 1)]
    corners = [[r * math.cos(a), RISE * a + lift, -r * math.sin(a)] for a in angles for r in (inner, outer)]
    return corners, [t for i in range(0, 2 * n, 2) for t in ((i, i + 1, i + 3), (i, i + 3, i + 2))]


def nut_on_bolt(mu, sides=48):
    """A nut of 0.1 kg that its guide lets move along and turn about the axis of a bolt. Its inertia is that of its mass at the radius of contact."""
    world = World(mu, THREAD_GAP, 1e-3)
    world.surface(world.obstacle("bolt", [0., 0., 0.]), *flank(0.008, 0.012, -4. * math.pi, 2.4 * math.pi, sides, 0.), color="0.62 0.64 0.66 1",
                  fixed=True)
    mass = 0.1
    moment = mass * MEAN * MEAN
    node = world.body("nut", [0., 0., 0.], mass, [0.5 * moment, moment, 0.5 * moment])
    for element in node:
        element.tag = {"CGLinearSolver": "SparseLDLSolver", "UncoupledConstraintCorrection": "LinearSolverConstraintCorrection"}.get(element.tag,
                                                                                                                                     element.tag)
    world.child(node, "PartialFixedProjectiveConstraint", indices="0", fixedDirections="1 0 1 1 0 1")
    world.surface(node, *flank(0.0098, 0.0102, -3.11, 3.11, 3 * sides // 4, THREAD_GAP / math.cos(SLOPE)), color="0.80 0.36 0.22 1")
    return world, mass, moment


def screw(setting):
    """A nut of 0.1 kg on a bolt with a thread of 20 mm lead at 10 mm radius (one flank of each, rigid meshes of triangles with 48 and 36 sides a
    turn; a guide keeps the nut on the axis; contact distance 0.1 mm, time step 1 ms, default settings). Mechanics of the screw: under its weight the
    nut turns down if friction is less than tan λ, the slope of the thread; without friction with a = g/(1 + I/(m b²)), b = lead/2π, where its weight
    spins it; and with friction with the acceleration for which sin λ − μ cos λ and cos λ + μ sin λ are the shares of the contact force. It stays on
    the thread: height and angle go together."""
    out = Outcome()
    out.data("friction / tan λ", "time [s]", "way down [m]", "speed [m/s]", "speed in theory [m/s]", "off the thread [m]", "kinetic energy [J]",
             "potential energy [J]")
    steps = 100 if setting.quick else 200
    chart = Chart("A nut on a bolt", "time [s]", "speed down [m/s]", subtitle="lines: simulation; points: theory")
    rows, worst, off, creep, lost, finer = [], 0., 0., 0., 0., 0.
    if not setting.quick:
        motion = nut_on_bolt(0., 96)[0].simulate(setting.run_sofa, steps, steps)
        finer = 1. - motion.kinetic[-1] / (motion.potential[0] - motion.potential[-1])
    for i, factor in enumerate((0., 0.5, 0.95, 1.05)):
        mu = factor * math.tan(SLOPE)
        world, mass, moment = nut_on_bolt(mu)
        motion = world.simulate(setting.run_sofa, steps, 2)
        drive = math.sin(SLOPE) - mu * math.cos(SLOPE)
        a = G / (1. + moment * (math.cos(SLOPE) + mu * math.sin(SLOPE)) / (mass * RISE * MEAN * drive)) if drive > 0. else 0.
        angle, last = 0., 0.
        for k, t in enumerate(motion.t):
            x = motion.x["nut"][k]
            now = 2. * math.atan2(x[4], x[6])
            angle, last = angle + (now - last + math.pi) % (2. * math.pi) - math.pi, now
            aside = abs(x[1] - RISE * angle)
            off = max(off, aside)
            out.row(factor, t, -x[1], -motion.v["nut"][k][1], a * t, aside, motion.kinetic[k], motion.potential[k])
        # From the way of implicit Euler's steps: edges of triangles that meet make the speed uneven.
        half, t = len(motion.t) // 2, motion.t[-1]
        found = -2. * motion.x["nut"][-1][1] / (t * (t + 1e-3))
        if a:
            worst = max(worst, abs(found - a) / a if factor < 0.9 else 0.)
        else:
            creep = abs(motion.x["nut"][-1][1] - motion.x["nut"][half][1])
        if factor == 0.:
            lost = 1. - motion.kinetic[-1] / (motion.potential[0] - motion.potential[-1])
        chart.line(f"μ = {factor:g} tan λ", [(t, -motion.v["nut"][k][1]) for k, t in enumerate(motion.t)], COLORS[i], marker=None)
        chart.points("", [(t, a * t) for t in motion.t[::10]], COLORS[i], legend=False)
        rows.append([f"{factor:g}", significant(a, 3), significant(found, 3), "turns" if abs(motion.v["nut"][-1][1]) > 1e-5 else "stays",
                     significant(-1e3 * motion.x["nut"][-1][1], 3), int(motion.unconverged[-1])])
    out.check([r[3] for r in rows] == ["turns"] * 3 + ["stays"], "the nut turns down at μ = 0.95 tan λ and stays at 1.05 tan λ")
    out.check(worst < 0.05, f"up to half the friction that holds it, it goes down as in theory, to {100. * worst:.2g}%")
    out.check(creep < 1e-6, f"held by friction it creeps by {micrometres(creep)} µm in {0.5 * steps:g} ms")
    out.check(off < THREAD_GAP, f"it stays on the thread, to {micrometres(off)} µm")
    out.note(f"without friction its potential energy should become kinetic; {100. * lost:.2g}% of it are lost where edges of triangles meet" +
             ("" if setting.quick else f", with 96 sides a turn {100. * finer:.2g}%: finer meshes do not help"))
    out.table(f"In {steps} ms:", ["μ / tan λ", "acceleration in theory [m/s²]", "acceleration", "the nut", "way down [mm]", "steps not converged"],
              rows)
    out.plot("", chart.svg())
    return out


def screw_image():
    world, _, _ = nut_on_bolt(0.)
    return world.camera([0.02, 0.03, 0.07], [0., -0.008, 0.], "showCollisionModels hideSkins hideAxes"), 100
