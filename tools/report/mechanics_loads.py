# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Loads, compared with closed forms: torsion of a bar, pressure in a shell, bodies that float."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import axis_turn, order, simulate, text
from report.page import significant

LINEAR = ('<StaticSolver newtonSolver="@newton"/><NewtonRaphsonSolver name="newton" maxNbIterationsNewton="1" requireConvergence="0" warnWhenDiverge="0" '
          'warnWhenLineSearchFails="0"/><EigenSimplicialLDLT template="CompressedRowSparseMatrixMat3x3d"/>')


def numbers(values):
    return " ".join(str(v) for v in values)


# --- torsion

def torsion_constant(terms=40):
    """J of a square of 1 m (Timoshenko and Goodier, Theory of Elasticity, § 109)."""
    return 1. / 3. - 64. / math.pi ** 5 * sum(math.tanh(0.5 * n * math.pi) / n ** 5 for n in range(1, 2 * terms, 2))


def torsion(setting):
    """A bar of 1 m × 1 m × 4 m (Young's modulus 1 MPa, ν = 0.3, hexahedra of linear strain) is twisted by TorsionForceField at one end, and held against turning
    at the other, where it may warp. Saint-Venant: far from the ends it turns by M/(G J) for each metre, with J = 0.1406 m⁴. Plotted are the errors between 1.5 m and 2.5 m."""
    out = Outcome()
    out.data("cells across", "twist [rad/m]", "closed form")
    young, nu, moment = 1e6, 0.3, 100.
    twist = moment / (young / 2. / (1. + nu) * torsion_constant())
    counts, errors, rows = (6, 12) if setting.quick else (2, 4, 8, 16), [], []
    for n in counts:
        nodes = [(k / n, j / n - 0.5, i / n - 0.5) for i in range(n + 1) for j in range(n + 1) for k in range(4 * n + 1)]
        place = {p: i for i, p in enumerate(nodes)}
        tip = [i for i, p in enumerate(nodes) if p[0] == 4.]
        factor = moment / sum(nodes[i][1] ** 2 + nodes[i][2] ** 2 for i in tip)
        foot = [i for i, p in enumerate(nodes) if p[0] == 0.]
        scene = (f'<Node name="root" dt="1" gravity="0 0 0"><DefaultAnimationLoop/>{LINEAR}<RegularGridTopology name="grid" n="{4 * n + 1} {n + 1} {n + 1}" '
                 f'min="0 -0.5 -0.5" max="4 0.5 0.5"/><MechanicalObject name="x"/><HexahedronFEMForceField youngModulus="{young!r}" poissonRatio="{nu!r}" method="small"/>'
                 f'<PartialFixedProjectiveConstraint indices="{numbers(foot)}" fixedDirections="0 1 1"/>'
                 f'<PartialFixedProjectiveConstraint name="middle" indices="{place[0., 0., 0.]} {place[0., 0.5, 0.]} {place[0., 0., 0.5]}" fixedDirections="1 0 0"/>'
                 f'<TorsionForceField indices="{numbers(tip)}" torque="{factor!r}" axis="1 0 0"/></Node>')
        x = simulate(setting, scene, 1, ["x"]).points("x")

        def turned(at):
            p = place[at, 0.5, 0.5]  # a corner: u = θ (−z, y)
            return 0.5 * ((x[p][2] - 0.5) / 0.5 - (x[p][1] - 0.5) / 0.5)

        found = turned(2.5) - turned(1.5)
        errors.append(abs(found / twist - 1.))
        out.row(n, found, twist)
        rows.append([n, f"{1e6 * found:.2f}", f"{100. * (found / twist - 1.):+.2f}%"])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"the twist follows Saint-Venant's, {1e6 * twist:.2f} µrad/m, with an error of order {order(errors)[-1]:.3f} (theory: 2), "
              f"{100. * errors[-1]:.2f}% with {counts[-1]} cells across")
    out.table(f"Twist between 1.5 m and 2.5 m; Saint-Venant: {1e6 * twist:.2f} µrad/m", ["cells across", "twist [µrad/m]", "against Saint-Venant"], rows)
    chart = Chart("Torsion of a square bar", "size of cells [m]", "error of the twist", xlog=True, ylog=True)
    chart.line("simulated", [(1. / n, e) for n, e in zip(counts, errors)])
    chart.line("second order", [(1. / n, errors[-1] * (counts[-1] / n) ** 2) for n in counts], "#555555", "4 3", None)
    out.plot("", chart.svg())
    return out


# --- shell

def octant(n):
    """An eighth of a hollow ball, radii 1 and 2 m: nodes, hexahedra, and quads of the inner surface, which turn left seen from outside. Three patches, each a part of
    a face of a cube blown up to a sphere; n cells across a patch and through the wall."""
    nodes, index, cells, inner = [], {}, [], []

    def at(patch, i, j, k):
        # A direction by (1, s, t) with s, t <= 1, by equal angles.
        s, t = math.tan(0.25 * math.pi * i / n), math.tan(0.25 * math.pi * j / n)
        d = [1., s, t]
        d = d[-patch:] + d[:-patch] if patch else d
        size, r = math.sqrt(sum(v * v for v in d)), 1. + k / n
        p = tuple(r * v / size for v in d)
        key = tuple(round(v, 9) for v in p)
        if key not in index:
            index[key] = len(nodes)
            nodes.append(p)
        return index[key]

    for patch in range(3):
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    lower = [at(patch, i, j, k), at(patch, i + 1, j, k), at(patch, i + 1, j + 1, k), at(patch, i, j + 1, k)]
                    upper = [at(patch, i, j, k + 1), at(patch, i + 1, j, k + 1), at(patch, i + 1, j + 1, k + 1), at(patch, i, j + 1, k + 1)]
                    cells.append(lower + upper)
                    if k == 0:
                        inner.append(lower)
    return nodes, cells, inner


def hollow_ball(setting):
    """A hollow ball (radii 1 m and 2 m, Young's modulus 1 MPa, ν = 0.3) with 100 Pa inside (SurfacePressureForceField on its quads): an eighth of it, of hexahedra of
    linear strain, that slides on planes of symmetry. Lamé: it grows by u = p a³/(E (b³ − a³)) ((1 − 2ν) r + (1 + ν) b³/(2 r²)). Plotted are
    displacements and errors."""
    out = Outcome()
    out.data("cells through the wall", "radius [m]", "displacement [m]", "closed form")
    young, nu, pressure = 1e6, 0.3, 100.

    def lame(r):
        return pressure / (young * 7.) * ((1. - 2. * nu) * r + (1. + nu) * 8. / (2. * r * r))

    plot = Chart("A hollow ball under pressure", "radius [m]", "displacement [µm]", ymin=0.)
    plot.line("Lamé", [(1. + k / 100., 1e6 * lame(1. + k / 100.)) for k in range(101)], "#555555", marker=None, width=3.)
    counts, errors = (2, 4, 8) if setting.quick else (2, 4, 8, 16), []
    largest = []
    for i, n in enumerate(counts):
        nodes, cells, inner = octant(n)
        held = "".join(f'<PartialFixedProjectiveConstraint name="plane{a}" indices="{numbers(j for j, p in enumerate(nodes) if abs(p[a]) < 1e-9)}" '
                       f'fixedDirections="{text([int(a == b) for b in range(3)])}"/>' for a in range(3))
        scene = (f'<Node name="root" dt="1" gravity="0 0 0"><DefaultAnimationLoop/>{LINEAR}<MeshTopology name="mesh" position="{"  ".join(text(p) for p in nodes)}" '
                 f'hexahedra="{"  ".join(numbers(c) for c in cells)}" quads="{"  ".join(numbers(q) for q in inner)}"/><MechanicalObject name="x"/>'
                 f'<HexahedronFEMForceField youngModulus="{young!r}" poissonRatio="{nu!r}" method="small"/>'
                 f'<SurfacePressureForceField pressure="{pressure!r}" quadIndices="{numbers(range(len(inner)))}" useTangentStiffness="false"/>{held}</Node>')
        x = simulate(setting, scene, 1, ["x"]).points("x")
        worst, total, places = 0., 0., {}
        for q, p in zip(x, nodes):
            r = math.sqrt(sum(v * v for v in p))
            wrong = sum((a - b - lame(r) * b / r) ** 2 for a, b in zip(q, p))
            worst, total = max(worst, math.sqrt(wrong) / lame(1.)), total + wrong
            places.setdefault(round(r, 9), []).append(sum((a - b) * b / r for a, b in zip(q, p)))
        for r, u in sorted(places.items()):
            out.row(n, r, sum(u) / len(u), lame(r))
        errors.append(math.sqrt(total / len(x)) / lame(1.))
        largest.append(worst)
        if n < 16:
            plot.points(f"simulated, {n} cells", [(r, 1e6 * sum(u) / len(u)) for r, u in sorted(places.items())], COLORS[i])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"displacements follow Lamé's solution with an error of order {order(errors)[-1]:.3f} (theory: 2), "
              f"{100. * errors[-1]:.2f}% of that inside with {counts[-1]} cells through the wall, root mean square")
    least = 2. - math.log2(math.log(counts[-1]) / math.log(counts[-2]))
    out.check(least < order(largest)[-1] < 2.1, f"the largest error is of order {order(largest)[-1]:.3f}; theory: h² |log h| at most, which is {least:.2f} here")
    chart = Chart("A hollow ball: errors", "size of cells through the wall [m]", "error, as a part of the displacement inside", xlog=True, ylog=True)
    chart.line("root mean square", [(1. / n, e) for n, e in zip(counts, errors)])
    chart.line("largest", [(1. / n, e) for n, e in zip(counts, largest)])
    out.plot("", plot.svg())
    out.plot("errors", chart.svg())
    return out


# --- floating

SIDE, WATER, G = 0.2, 1000., 9.81


def bar(density, dt, height, rotation, solver):
    """A rigid bar of square section, twice as long, in water up to y = 0; its axis is z."""
    h, q = 0.5 * SIDE, axis_turn(2, rotation)
    corners = [(x, y, z) for z in (-SIDE, SIDE) for y in (-h, h) for x in (-h, h)]
    across, along = 5. * SIDE ** 2 / 12., SIDE ** 2 / 6.
    return (f'<Node name="root" dt="{dt!r}" gravity="0 {-G!r} 0"><DefaultAnimationLoop/><Node name="bar">{solver}<SparseLDLSolver/>'
            f'<MechanicalObject name="body" template="Rigid3" position="0 {height!r} 0 {text(q)}"/>'
            f'<UniformMass vertexMass="{2. * density * SIDE ** 3!r} 1 [{across!r} 0 0,0 {across!r} 0,0 0 {along!r}]"/><Node name="hull">'
            f'<MeshTopology name="mesh" position="{"  ".join(text(c) for c in corners)}" hexahedra="0 1 3 2 4 5 7 6"/><MechanicalObject/>'
            f'<RigidMapping geometricStiffness="Exact"/><BuoyantForceField fluidDensity="{WATER!r}" atmosphericPressure="0" enableViscosity="false"/>'
            '</Node></Node></Node>')


def tilt(share):
    """Angle [degrees] at which a long bar of square section floats, of its density as a share of the water's; None where neither formula holds."""
    share = min(share, 1. - share)
    if share <= 0.5 - math.sqrt(1. / 12.):
        return 0.
    if share <= 0.25:
        return math.degrees(math.atan(math.sqrt(12. * share * (1. - share) - 2.)))
    return 45. if share >= 9. / 32. else None


def oscillation(setting, density, height, rotation, measure, dt):
    """Half the time between every other passage through zero, as a period, freed of the error of Newmark's method: it turns with (2/h) atan(h ω/2)."""
    run = simulate(setting, bar(density, dt, height, rotation, "<NewmarkImplicitSolver/>"), round(4. / dt), ["body"], 1)
    values = [measure(run.x("body", k)) for k in range(len(run.t))]
    passes = [dt * (k - values[k] / (values[k] - values[k - 1])) for k in range(1, len(values)) if values[k] * values[k - 1] < 0.]
    numeric = math.pi * (len(passes) - 1) / (passes[-1] - passes[0])
    return 2. * math.pi / (2. / dt * math.tan(0.5 * dt * numeric))


def floating(setting):
    """A rigid bar of square section (0.2 m) floats (BuoyantForceField on its faces, without drag). Archimedes: a share s = ρ/ρ_w of it is immersed. It floats flat where its
    metacentre, a/(12 s) − a (1 − s)/2 above the centre of mass, is above it; beyond s = 0.2113 it tilts, tan² φ = 12 s (1 − s) − 2, up to s = 1/4, and floats on
    an edge between 9/32 and 23/32. It heaves with the period 2π √(s a/g), and rolls with 2π √(I/(m g GM)), GM being the height of the metacentre. The equilibrium is
    where implicit Euler with mass damping ends after 60 s, from 6° on. Plotted is the tilt against s."""
    out = Outcome()
    out.data("case", "density over that of water", "value", "closed form")
    shares = (0.15, 0.24, 0.5) if setting.quick else (0.05, 0.1, 0.15, 0.2, 0.22, 0.23, 0.24, 0.265, 0.3, 0.4, 0.5, 0.6, 0.7, 0.735, 0.76, 0.77, 0.78, 0.8, 0.85, 0.9)
    found, wrong, deep = [], 0., 0.
    for s in shares:
        run = simulate(setting, bar(s * WATER, 0.02, (0.5 - s) * SIDE, 0.1, '<EulerImplicitSolver rayleighMass="1"/>'), 3000, ["body"], 3000)
        x = run.x("body")
        angle = math.degrees(2. * math.atan2(x[5], x[6])) % 90.  # sides are alike
        found.append((s, min(angle, 90. - angle)))
        out.row("tilt [degrees]", s, found[-1][1], "" if tilt(s) is None else tilt(s))
        if tilt(s) is not None:
            wrong = max(wrong, abs(found[-1][1] - tilt(s)))
        if tilt(s) == 0.:
            deep = max(deep, abs(x[1] - (0.5 - s) * SIDE))
    out.check(deep < 1e-6 * SIDE, f"flat bars lie as deep as Archimedes says (to {significant(deep, 1)} m)")
    out.check(wrong < 1e-3, f"they are flat, tilt, or float on an edge, as stability says (to {wrong:.0e}°)")
    s = 0.6
    period, theory = oscillation(setting, s * WATER, (0.5 - s) * SIDE - 0.01, 0., lambda x: x[1] - (0.5 - s) * SIDE, 0.005), 2. * math.pi * math.sqrt(s * SIDE / G)
    out.row("heave [s]", s, period, theory)
    out.check(abs(period / theory - 1.) < 1e-3, f"one of s = 0.6 heaves with a period of {significant(period, 5)} s (closed form: {significant(theory, 5)} s)")
    s = 0.15
    centre = SIDE / (12. * s) - 0.5 * SIDE * (1. - s)
    period, theory = oscillation(setting, s * WATER, (0.5 - s) * SIDE, 1e-3, lambda x: x[5], 0.005), 2. * math.pi * math.sqrt(SIDE ** 2 / 6. / (G * centre))
    out.row("roll [s]", s, period, theory)
    out.check(abs(period / theory - 1.) < 1e-3, f"one of s = 0.15 rolls with a period of {significant(period, 5)} s (closed form: {significant(theory, 5)} s)")
    chart = Chart("How a square bar floats", "density over that of water", "tilt [degrees]", xmin=0., xmax=1., ymin=0., ymax=50.)
    for low, high, legend in ((0., 0.25, True), (9. / 32., 23. / 32., False), (0.75, 1., False)):
        chart.line("closed form", [(low + (high - low) * k / 200., tilt(low + (high - low) * k / 200.)) for k in range(201)], "#555555", marker=None, legend=legend)
    chart.points("simulated", found, COLORS[0])
    out.plot("", chart.svg())
    return out
