# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Soft bodies in contact: a cloth on a ball, and a spring whose coils meet."""
import math

from report.bodies import World, add, cross, dot, norm
from report.chart import COLORS, Chart
from report.contacts import micrometres
from report.experiment import Outcome
from report.page import significant


def triples(x):
    return [x[i:i + 3] for i in range(0, len(x), 3)]


# --- cloth on a sphere

RADIUS, CLOTH_GAP = 0.5, 5e-3


def cloth_world(n, dt=0.01, mu=0.4, side=1.6):
    """A square cloth of n × n squares (0.2 kg/m²) above a ball that does not move."""
    world = World(mu, CLOTH_GAP, dt, alarm=0.02, method="MinProximityIntersection", maxIterations="100")
    node = world.node("cloth")
    world.child(node, "EulerImplicitSolver", rayleighStiffness="0.01", rayleighMass="2")
    world.child(node, "SparseLDLSolver")
    points = [[side * (i / n - 0.5), RADIUS + 2. * CLOTH_GAP, side * (j / n - 0.5)] for j in range(n + 1) for i in range(n + 1)]
    triangles = []
    for j in range(n):
        for i in range(n):
            a, b, c, d = ((j + v) * (n + 1) + i + u for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)))
            # Diagonals in turn, so that the cloth is as symmetric as the ball.
            triangles += [(a, c, b), (a, d, c)] if (i + j) % 2 else [(a, d, b), (b, d, c)]
    world.child(node, "MeshTopology", name="mesh", position="  ".join(" ".join(map(repr, p)) for p in points),
                triangles="  ".join(" ".join(map(str, t)) for t in triangles))
    world.child(node, "MechanicalObject", name="cloth")
    world.child(node, "UniformMass", totalMass=repr(0.2 * side * side))
    world.child(node, "TriangleFEMForceField", youngModulus="20000", poissonRatio="0.3", thickness="0.01")
    world.child(node, "LinearSolverConstraintCorrection")
    for tag in ("TriangleCollisionModel", "LineCollisionModel", "PointCollisionModel"):
        world.child(node, tag, color="0.20 0.45 0.75 1")
    world.bodies.append(("cloth", 0.2 * side * side, []))
    ball = world.node("ball")
    world.child(ball, "MechanicalObject", name="centre", position="0 0 0")
    world.child(ball, "SphereCollisionModel", radius=repr(RADIUS), moving="0", simulated="0", color="0.85 0.70 0.30 1")
    world.probes = ["@/cloth/cloth.velocity:norm:max"]
    return world, triangles


def nearest(p, q, r):
    """The point of a triangle that is nearest to the origin, about: of its corners, sides and inside."""
    best = min((p, q, r), key=norm)
    n = cross(add(q, p, -1.), add(r, p, -1.))
    foot = [dot(n, p) / dot(n, n) * c for c in n]
    inside = [dot(n, cross(add(b, a, -1.), add(foot, a, -1.))) for a, b in ((p, q), (q, r), (r, p))]
    if min(inside) >= 0.:
        return foot
    for a, b in ((p, q), (q, r), (r, p)):
        d = add(b, a, -1.)
        s = -dot(a, d) / dot(d, d)
        if 0. < s < 1. and norm(add(a, d, s)) < norm(best):
            best = add(a, d, s)
    return best


def cloth_on_sphere(setting):
    """A square cloth (1.6 m, 0.2 kg/m², a membrane of triangles without stiffness in bending) lies down on a ball of radius 0.5 m that does not move
    (friction 0.4, contact distance 5 mm, time step 10 ms, at most 100 iterations of the solver). Mechanics: nothing comes nearer to the ball than the
    contact distance; gravity is the only force that does work beside friction and damping, so that the energy should fall until the cloth rests; and
    it stays in the middle, to which it is symmetric. The cloth's folds may pass through each other here."""
    out = Outcome()
    n, steps = (10, 60) if setting.quick else (16, 400)
    world, triangles = cloth_world(n)
    motion = world.simulate(setting.run_sofa, steps, 5)
    out.data("time [s]", "penetration of points [m]", "penetration of triangles [m]", "largest speed [m/s]", "kinetic energy [J]",
             "potential energy [J]",
             "centre off the middle [m]")
    limit, deepest, aside, rows = RADIUS + CLOTH_GAP, [0., 0.], 0., []
    for k, t in enumerate(motion.t):
        x = triples(motion.x["cloth"][k])
        points = max(0., limit - min(norm(p) for p in x))
        faces = max(0.,
                    limit - min(norm(nearest(x[a], x[b], x[c])) for a, b, c in triangles if min(norm(x[a]), norm(x[b]), norm(x[c])) < 1.2 * limit))
        off = math.hypot(*(sum(p[c] for p in x) / len(x) for c in (0, 2)))
        deepest, aside = [max(deepest[0], points), max(deepest[1], faces)], max(aside, off)
        rows.append((t, points, faces, motion.more[0][k], motion.kinetic[k], motion.potential[k], off))
        out.row(*rows[-1])
    energies = [r[4] + r[5] for r in rows]
    drop = energies[0] - energies[-1]
    growth = max(b - a for a, b in zip(energies, energies[1:]))
    out.check(max(deepest) < CLOTH_GAP,
              f"nothing touches the ball itself: points come nearer than the contact distance, 5 mm, by {micrometres(deepest[0])} µm "
                                        f"at most, other places of triangles by {micrometres(deepest[1])} µm, while the cloth moves up to 4 cm in a step")
    if not setting.quick:
        out.check(max(rows[-1][1:3]) < 0.05 * CLOTH_GAP, f"at the end by {micrometres(rows[-1][1])} and {micrometres(rows[-1][2])} µm")
    out.note(f"in all the cloth loses {significant(drop)} J" + (
        "; the energy falls all the time" if growth <= 0. else
        f"; for a twentieth of a second it grows by {significant(growth, 2)} J where contacts push out what has come nearer than the contact distance"))
    if not setting.quick:
        out.check(rows[-1][4] < 1e-2 * max(motion.kinetic), f"the cloth comes to rest (kinetic energy {significant(rows[-1][4], 2)} J at the end, "
                                                            f"{significant(max(motion.kinetic), 2)} J at most)")
    out.check(aside < 0.01, f"it stays in the middle (to {1e3 * aside:.2g} mm)")
    out.note(f"steps whose contact forces did not converge: {int(motion.unconverged[-1])} of {steps}")
    chart = Chart("A cloth on a ball", "time [s]", "joules", subtitle="energy above that of the end")
    chart.line("kinetic", [(r[0], r[4]) for r in rows], COLORS[1], marker=None)
    chart.line("kinetic and potential", [(r[0], e - energies[-1]) for r, e in zip(rows, energies)], COLORS[0], marker=None)
    out.plot("", chart.svg())
    return out


def cloth_image():
    world, _ = cloth_world(16)
    return world.camera([1.2, 0.9, 1.6], [0., 0.05, 0.]), 300


# --- coil

WIRE, COIL, TURNS, PITCH, YOUNG, POISSON = 0.002, 0.02, 5, 0.008, 1e9, 0.4  # radii of wire and coil [m]
COIL_GAP = 2e-4


def coil_world(around, press, dt=0.005, time=2.):
    """A helix of beams, held at its lower end; the upper end, which moves along the axis only, is pressed down by a force that grows to `press`."""
    world = World(0.3, COIL_GAP, dt, alarm=2e-3, gravity="0 0 0")
    node, count = world.node("coil"), TURNS * around + 1
    world.child(node, "EulerImplicitSolver", rayleighStiffness="0.01", rayleighMass="1")
    world.child(node, "SparseLDLSolver")
    frames = []
    slope = math.atan2(PITCH, 2. * math.pi * COIL)
    for k in range(count):
        a = 2. * math.pi * k / around
        # x along the wire: turned up by the slope about z, then around y so that x is the tangent (-sin a, ., -cos a).
        up = [0., 0., math.sin(0.5 * slope), math.cos(0.5 * slope)]
        b = a + 0.5 * math.pi
        about = [0., math.sin(0.5 * b), 0., math.cos(0.5 * b)]
        q = add(add([c * about[3] for c in up[:3]], about[:3], up[3]), cross(about[:3], up[:3])) + [about[3] * up[3] - dot(about[:3], up[:3])]
        frames += [COIL * math.cos(a), PITCH * k / around, -COIL * math.sin(a)] + q
    world.child(node, "MechanicalObject", name="frames", template="Rigid3", position=" ".join(map(repr, frames)))
    world.child(node, "MeshTopology", name="wire", edges="  ".join(f"{k} {k + 1}" for k in range(count - 1)))
    length = math.hypot(2. * math.pi * COIL, PITCH) * TURNS
    mass = 1000. * math.pi * WIRE * WIRE * length / count
    m = 0.25 * WIRE * WIRE
    world.child(node, "UniformMass", vertexMass=f"{mass!r} 1 [{2. * m!r} 0 0,0 {m!r} 0,0 0 {m!r}]")
    world.child(node, "BeamFEMForceField", name="beams", radius=repr(WIRE), youngModulus=repr(YOUNG), poissonRatio=repr(POISSON))
    world.child(node, "FixedProjectiveConstraint", indices="0")
    world.child(node, "PartialFixedProjectiveConstraint", indices=str(count - 1), fixedDirections="1 0 1 1 1 1")
    world.child(node, "LinearForceField", points=str(count - 1), times=f"0 {time!r}", forces=f"0 0 0 0 0 0  0 {-press!r} 0 0 0 0")
    world.child(node, "LinearSolverConstraintCorrection")
    below = world.child(node, "Node", name="skin")
    world.child(below, "MeshTopology", name="mesh", edges="  ".join(f"{k} {k + 1}" for k in range(count - 1)))
    world.child(below, "MechanicalObject", name="points", template="Vec3",
                position="  ".join(" ".join(map(repr, frames[7 * k:7 * k + 3])) for k in range(count)))
    world.child(below, "CapsuleCollisionModel", template="Vec3", defaultRadius=repr(WIRE), selfCollision="1", color="0.72 0.74 0.78 1")
    world.child(below, "IdentityMapping")
    world.bodies.append(("points", mass * count, []))
    world.probes = [f"@/coil/beams.force:{count - 1}:y"]
    return world


def rigidity():
    """Stiffness of a helical spring in theory [N/m]: G d⁴/(8 D³ n)."""
    return 0.5 * YOUNG / (1. + POISSON) * (2. * WIRE) ** 4 / (8. * (2. * COIL) ** 3 * TURNS)


def apart(p0, p1, q0, q1):
    """Distance of two segments, by steps that lower it along each in turn."""
    d, e, s, t = add(p1, p0, -1.), add(q1, q0, -1.), 0.5, 0.5
    for _ in range(30):
        t = min(1., max(0., dot(add(add(p0, d, s), q0, -1.), e) / dot(e, e)))
        s = min(1., max(0., dot(add(add(q0, e, t), p0, -1.), d) / dot(d, d)))
    return norm(add(add(p0, d, s), add(q0, e, t), -1.))


def coil(setting):
    """A spring of five turns of wire (elastic beams, diameter 4 mm, E = 1 GPa, ν = 0.4; diameter of the coil 40 mm, pitch 8 mm) is pressed together
    by a force on its upper end, which moves along the axis only; it grows to twice what makes the turns meet. The wire is a chain of capsules that
    collide with each other (contact distance 0.2 mm, friction 0.3, no gravity, time step 5 ms, default settings). Mechanics: the spring gives way by
    F/k with k = G d⁴/(8 D³ n) until its pitch is the diameter of the wire and the contact distance; then its turns lie on each other and nothing
    gives way any more."""
    out = Outcome()
    around, steps, time = (12, 200, 1.) if setting.quick else (20, 400, 2.)
    k, closed = rigidity(), TURNS * (PITCH - 2. * WIRE - COIL_GAP)
    press = 2. * k * closed
    motion = coil_world(around, press, time=time).simulate(setting.run_sofa, steps, max(1, steps // 80))
    out.data("time [s]", "force [N]", "shortened by [m]", "in theory [m]", "least distance of turns less the wire's diameter [m]",
             "kinetic energy [J]")
    rows = []
    for i, t in enumerate(motion.t):
        x = triples(motion.x["points"][i])
        n, least = len(x) - 1, math.inf
        for a in range(n):
            for b in range(a + around // 2, min(n, a + 3 * around // 2)):
                if norm(add(x[a], x[b], -1.)) < 0.02:
                    least = min(least, apart(x[a], x[a + 1], x[b], x[b + 1]))
        force = press * t / time
        rows.append((t, force, TURNS * PITCH - x[-1][1], min(force / k, closed), least - 2. * WIRE, motion.kinetic[i]))
        out.row(*rows[-1])
    # Damping makes the spring follow the force some milliseconds late: the stiffness is that of the growth.
    free = [r for r in rows if 0.2 * closed < r[3] < 0.9 * closed]
    found = (free[-1][1] - free[0][1]) / (free[-1][2] - free[0][2])
    out.check(abs(found / k - 1.) < 0.05, f"until turns meet the stiffness is {found:.2f} N/m, in theory {k:.2f} N/m")
    end, least = rows[-1][2], min(r[4] for r in rows)
    out.check(abs(end / closed - 1.) < 0.01,
              f"twice the force shortens the spring by {1e3 * end:.2f} mm, in theory until turns meet by {1e3 * closed:.2f} mm")
    out.check(COIL_GAP - least < 0.05 * COIL_GAP,
              f"turns never come nearer than the contact distance, 0.2 mm, by more than {micrometres(COIL_GAP - least)} µm")
    out.check(rows[-1][5] < 1e-9, f"the turns lie still on each other under the growing force (kinetic energy {significant(rows[-1][5], 2)} J)")
    out.check(motion.unconverged[-1] == 0., "the contact forces of every step converge")
    out.note("a spring whose end is led beyond that asks for the impossible (capsules and wire do not shorten): forces then do not converge, and turns pass "
             "each other")
    chart = Chart("A spring whose turns meet", "force [N]", "shortened by [mm]")
    chart.line("simulation", [(r[1], 1e3 * r[2]) for r in rows], marker=None)
    chart.line("theory", [(r[1], 1e3 * r[3]) for r in rows], dash="5 4", marker=None)
    out.plot("", chart.svg())
    near = Chart("Distance of turns", "force [N]", "least distance of the wire's surfaces [mm]", height=300, ymin=0.)
    near.line("simulation", [(r[1], 1e3 * r[4]) for r in rows], marker=None)
    near.level(1e3 * COIL_GAP, "contact distance")
    out.plot("distance", near.svg())
    return out


def coil_image():
    return coil_world(20, 1.4).camera([0.035, 0.03, 0.065], [0., 0.011, 0.], "showCollisionModels hideSkins hideAxes"), 300
