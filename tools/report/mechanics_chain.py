# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Chains of rods, in reduced coordinates and with constraints: modes of a hanging chain, and a swing."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import axis_turn, order, simulate, text

G, LENGTH, MASS = 9.81, 10., 10.
VARIATIONAL = '<VariationalSymplecticSolver newtonError="1e-13" steps="20" computeHamiltonian="0"/><EigenSimplicialLDLT/>'


def inertia(links):
    """Of a rod, for each unit of its mass: slender, across its axis, which is −y."""
    i = (LENGTH / links) ** 2 / 12.
    return f"[{i!r} 0 0,0 {0.01 * i!r} 0,0 0 {i!r}]"


def reduced(solver, h, angles, attributes=""):
    """A chain of rods that hangs from the origin; angles between neighbours, about z."""
    links, half = len(angles), 0.5 * LENGTH / len(angles)
    joints = "".join(
        f'<Node name="joint{i}"><ArticulationCenter parentIndex="{i}" childIndex="{i + 1}" posOnParent="0 {-half if i else 0.!r} 0" posOnChild="0 {half!r} 0"/>'
        f'<Node name="articulations"><Articulation axis="0 0 1" rotation="true" articulationIndex="{i}"/></Node></Node>' for i in range(links))
    return (f'<Node name="root" dt="{h!r}" gravity="0 {-G!r} 0"><DefaultAnimationLoop/><Node name="chain">{solver}<MechanicalObject name="angles" '
            f'template="Vec1" position="{text(angles)}"/><Node name="bodies"><MechanicalObject name="rods" template="Rigid3" '
            f'position="{" ".join(["0 0 0 0 0 0 1"] * (links + 1))}"/><UniformMass vertexMass="{MASS / links!r} 1 {inertia(links)}"/>'
            f'<ArticulatedSystemMapping input1="@../angles" output="@rods" geometricStiffness="Exact" {attributes}/></Node><ArticulatedHierarchyContainer/>{joints}'
            '</Node></Node>')


def frames(angles):
    """Frames of the rods, and the end of the chain."""
    length, at, total, found = LENGTH / len(angles), [0., 0.], 0., []
    for a in angles:
        total += a
        step = [length * math.sin(total), -length * math.cos(total)]
        found.append([at[0] + 0.5 * step[0], at[1] + 0.5 * step[1], 0., *axis_turn(2, total)])
        at = [at[0] + step[0], at[1] + step[1]]
    return found, at


def constrained(solver, h, angles):
    """The same chain of free rods, whose ends Lagrange multipliers hold together."""
    links, half = len(angles), 0.5 * LENGTH / len(angles)
    start = "  ".join(text(f) for f in frames(angles)[0])
    ends = "  ".join(f"0 {half!r} 0  0 {-half!r} 0" for _ in range(links))
    of = " ".join(f"{i} {i}" for i in range(links))
    return (f'<Node name="root" dt="{h!r}" gravity="0 {-G!r} 0"><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations="20000" tolerance="1e-12"/>'
            f'<Node name="chain">{solver}<MechanicalObject name="rods" template="Rigid3" position="{start}"/>'
            f'<UniformMass vertexMass="{MASS / links!r} 1 {inertia(links)}"/><LinearSolverConstraintCorrection/><Node name="ends">'
            f'<MechanicalObject name="ends" position="{ends}"/><RigidMapping rigidIndexPerPoint="{of}" applyRestPosition="true"/><FixedLagrangianConstraint indices="0"/>'
            f'<BilateralLagrangianConstraint object1="@ends" object2="@ends" first_point="{" ".join(str(2 * i + 1) for i in range(links - 1))}" '
            f'second_point="{" ".join(str(2 * i + 2) for i in range(links - 1))}"/></Node></Node></Node>')


FIRST_ZERO = 2.404825557695773  # of the Bessel function J₀
STEP = 0.01


def bessel(x):
    """J₀, by its series."""
    total, term = 0., 1.
    for k in range(1, 40):
        total += term
        term *= -(0.5 * x / k) ** 2
    return total


def frequency(run, links):
    """Of the motion along the mode, from its first and its last passage through zero."""
    shape = [bessel(FIRST_ZERO * math.sqrt(1. - (i + 0.5) / links)) for i in range(links)]
    along = [sum(s * f[0] for s, f in zip(shape, run.points("rods", k, 7)[-links:])) for k in range(len(run.t))]
    passes = [run.t[k - 1] + (run.t[k] - run.t[k - 1]) * along[k - 1] / (along[k - 1] - along[k])
              for k in range(1, len(along)) if along[k] * along[k - 1] < 0.]
    numeric = math.pi * (len(passes) - 1) / (passes[-1] - passes[0])
    return 2. / STEP * math.tan(0.5 * STEP * numeric)  # the midpoint rule turns with (2/h) atan(h ω/2)


def apart(a, b):
    """Root mean square of the distances of rods of two runs at their ends."""
    a, b = a.points("rods", -1, 7), b.points("rods", -1, 7)
    n = min(len(a), len(b))  # in reduced coordinates the first frame is the base
    return math.sqrt(sum(math.dist(p[:2], q[:2]) ** 2 for p, q in zip(a[-n:], b[-n:])) / n)


def chain(setting):
    """A chain of rods (10 m, 10 kg) hangs from a point. In reduced coordinates (ArticulatedSystemMapping: an angle for each joint): its slowest oscillation, of
    1 mm, against that of a heavy rope, ω = j₀₁ √(g/L)/2 with the first zero j₀₁ of J₀; rods are linear elements of the rope, so theory has an error of second
    order in their length. And a swing of 100 links, in reduced coordinates and as free rods whose ends Lagrange multipliers hold together: both by linearly implicit Euler,
    so that they come together with the first order of the time step. Plotted is the chain of 100 links in reduced coordinates."""
    out = Outcome()
    out.data("case", "links", "time step [s]", "value")
    exact = 0.5 * FIRST_ZERO * math.sqrt(G / LENGTH)
    errors, counts = [], (5, 10, 20) if setting.quick else (5, 10, 20, 40)
    rows = []
    for n in counts:
        # The rope's mode at the joints, as angles between neighbours.
        at = [2e-3 * bessel(FIRST_ZERO * math.sqrt(max(0., 1. - i / n))) for i in range(n + 1)]
        slopes = [0.] + [(b - a) * n / LENGTH for a, b in zip(at, at[1:])]
        found = frequency(simulate(setting, reduced(VARIATIONAL, STEP, [b - a for a, b in zip(slopes, slopes[1:])]), 1100, ["rods"], 1), n)
        errors.append(abs(found / exact - 1.))
        out.row("frequency", n, STEP, found)
        rows.append([n, f"{found:.6f}", f"{100. * (found / exact - 1.):+.4f}%"])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"the slowest frequency is that of a heavy rope, {exact:.5f} rad/s, with an error of order {order(errors)[-1]:.3f} "
              f"in the length of the links (theory: 2), {errors[-1]:.1e} with {counts[-1]} of them")
    out.table(f"Slowest frequency; that of a heavy rope: {exact:.6f} rad/s", ["links", "frequency [rad/s]", "against the rope"], rows)
    # A swing
    links = 20 if setting.quick else 100
    angles, end = [0.1] + [0.5 / links] * (links - 1), 0.4
    linear, direct = "<EulerImplicitSolver/><EigenSimplicialLDLT/>", "<EulerImplicitSolver/><SparseLDLSolver/>"
    between, moved, gaps = [], [], []
    for h in (0.005, 0.0025, 0.00125):
        steps = round(end / h)
        one = simulate(setting, reduced(linear, h, angles), steps, ["rods"], steps)
        other = simulate(setting, constrained(direct, h, angles), steps, ["rods", "ends"], steps)
        between.append(apart(one, other))
        moved.append(one)
        ends = other.points("ends")
        gaps.append(max(math.dist(ends[2 * i + 1], ends[2 * i + 2]) for i in range(links - 1)))
        out.row("reduced to constrained [m]", links, h, between[-1])
        out.row("gap [m]", links, h, gaps[-1])
    out.check(abs(order(between)[-1] - 1.) < 0.1, f"{links} links with reduced coordinates and with constraints come together with order {order(between)[-1]:.3f} (theory: 1): "
              f"after {end:g} s they are {1e3 * between[-1]:.2f} mm apart at 1.25 ms, root mean square")
    own = order([apart(a, b) for a, b in zip(moved, moved[1:])])[0]
    out.check(abs(own - 1.) < 0.1, f"in reduced coordinates they converge with order {own:.3f} (theory: 1)")
    out.check(abs(order(gaps)[-1] - 2.) < 0.1, f"joints of Lagrange multipliers, which are linear in a step, open with order {order(gaps)[-1]:.3f} (theory: 2), by {1e6 * gaps[-1]:.2g} µm at "
              "1.25 ms; in reduced coordinates they cannot")
    plot = Chart("A chain of links swings", "x [m]", "y [m]", width=640)
    run = simulate(setting, reduced(linear, 0.01, angles), 150, ["rods"], 30)
    for k, t in enumerate(run.t):
        plot.line(f"{t:.1f} s", [(f[0], f[1]) for f in run.points("rods", k, 7)], COLORS[k], marker=None)
    out.plot("", plot.svg())
    return out
