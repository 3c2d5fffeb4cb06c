# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Bodies that spin: without torque, and a heavy top, compared with Euler's and Lagrange's solutions."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import axis_turn, back, complete, jacobi, order, rotate, simulate, text
from report.page import significant

DIRECT = "<SparseLDLSolver/>"
# Name: components, whether the gyroscopic torque is split off (docs/rigid-bodies.md), order of the free motion, and with a torque.
SOLVERS = {
    "explicit Euler": ('<EulerExplicitSolver symplectic="0"/>', True, 2, 1),
    "symplectic Euler": ("<EulerExplicitSolver/>", True, 2, 1),
    "implicit Euler": ("<EulerImplicitSolver/>" + DIRECT, True, 2, 1),
    "Newmark": ("<NewmarkImplicitSolver/>" + DIRECT, True, 2, 2),
    "variational": ('<VariationalSymplecticSolver newtonError="1e-14" steps="20" computeHamiltonian="0"/>' + DIRECT, True, 2, 2),
    "Runge-Kutta 2": ("<RungeKutta2Solver/>", False, 2, 2),
    "Runge-Kutta 4": ("<RungeKutta4Solver/>", False, 4, 4),
}


def body(solver, h, moments, orientation, spin, more=""):
    return (f'<Node name="root" dt="{h!r}" gravity="0 0 0"><DefaultAnimationLoop/>{solver}<MechanicalObject name="p" template="Rigid3" '
            f'position="0 0 0 {text(orientation)}" velocity="0 0 0 {text(spin)}"/>'
            f'<UniformMass vertexMass="1 1 [{moments[0]!r} 0 0,0 {moments[1]!r} 0,0 0 {moments[2]!r}]"/>{more}</Node>')


def measures(run, k, moments):
    """Angular velocity in the axes of the body, angular momentum in space, kinetic energy, of a recorded step."""
    q, w = run.x("p", k)[3:], run.v("p", k)[3:]
    own = back(q, w)
    return own, rotate(q, [i * o for i, o in zip(moments, own)]), 0.5 * sum(i * o * o for i, o in zip(moments, own))


def distance(a, b):
    return math.sqrt(sum((p - q) ** 2 for p, q in zip(a, b)))


class FreeBody:
    """Euler's solution for moments I₁ < I₂ < I₃ and L² > 2 T I₂, from ω₁ = 0 on (Landau and Lifshitz, Mechanics, § 37)."""

    def __init__(self, moments, start):
        i1, i2, i3 = moments
        l2 = sum((i * w) ** 2 for i, w in zip(moments, start))
        t2 = sum(i * w * w for i, w in zip(moments, start))
        self.size = [math.sqrt((t2 * i3 - l2) / (i1 * (i3 - i1))), math.sqrt((t2 * i3 - l2) / (i2 * (i3 - i2))),
                     math.sqrt((l2 - t2 * i1) / (i3 * (i3 - i1)))]
        self.rate = math.sqrt((i3 - i2) * (l2 - t2 * i1) / (i1 * i2 * i3))
        self.k = math.sqrt((i2 - i1) * (t2 * i3 - l2) / ((i3 - i2) * (l2 - t2 * i1)))
        self.quarter = complete(self.k) / self.rate

    def at(self, t):
        sn, cn, dn = jacobi(self.rate * (t + self.quarter), self.k)
        return [self.size[0] * cn, self.size[1] * sn, self.size[2] * dn]


def free_body(setting):
    """A body with the moments of inertia 1, 2 and 3 kg m² spins without torque. Angular momentum and energy over 10,000 steps of 10 ms, with integrators that
    split the gyroscopic torque off ([rigid bodies](../rigid-bodies.md)) and with Runge-Kutta methods, for which it is a force; the order of the angular velocity
    against Euler's solution in elliptic functions, ω = (a₁ cn, a₂ sn, a₃ dn); and flips of a body that spins about its middle axis
    (Dzhanibekov), every 2 K(k)/p. Plotted are these flips (symplectic Euler, 10 ms) and the errors, which coincide where the torque is split off."""
    out = Outcome()
    out.data("integrator", "case", "step or time [s]", "value")
    moments, rows = (1., 2., 3.), []
    turned = [0.1, 0.2, 0.3, math.sqrt(1. - 0.14)]
    steps = 1000 if setting.quick else 10000
    counts = (100, 200) if setting.quick else (25, 50, 100, 200)
    start, end = [0., 1.5, 0.5], 3.
    exact = FreeBody(moments, start).at(end)
    chart = Chart("Free body: order of integrators", "time step [s]", "error of ω at 3 s [rad/s]", xlog=True, ylog=True)
    worst, loss, band = (0., ""), (0., ""), (0., "")
    for i, (name, (solver, split, expected, _)) in enumerate(SOLVERS.items()):
        run = simulate(setting, body(solver, 0.01, moments, turned, rotate(turned, [0.3, 2., 0.5])), steps, ["p"], steps // 100)
        first = measures(run, 0, moments)
        size = math.sqrt(sum(v * v for v in first[1]))
        momentum = max(distance(measures(run, k, moments)[1], first[1]) for k in range(len(run.t))) / size
        energies = [measures(run, k, moments)[2] / first[2] - 1. for k in range(len(run.t))]
        off = max(abs(e) for e in energies)
        out.row(name, "momentum", 0.01, momentum)
        out.row(name, "energy", 0.01, off)
        errors = []
        for n in counts:
            got = simulate(setting, body(solver, 1. / n, moments, [0., 0., 0., 1.], start), round(end * n), ["p"], round(end * n))
            errors.append(distance(measures(got, -1, moments)[0], exact))
            out.row(name, "error", 1. / n, errors[-1])
        found = order(errors)[-1]
        worst = max(worst, (abs(found - expected), name))
        if split:
            loss, band = max(loss, (momentum, name)), max(band, (off, name))
        chart.line(name, [(1. / n, e) for n, e in zip(counts, errors)], COLORS[i])
        rows.append([name, "split" if split else "force", f"{momentum:.1e}", f"{off:.1e}", f"{energies[-1]:+.1e}", str(expected), f"{found:.3f}"])
    out.check(loss[0] < 1e-11, f"where the torque is split off, {steps:,} steps keep the angular momentum to {loss[0]:.1e} (rounding errors of 10⁻¹⁶ a step)")
    out.check(worst[0] < 0.1, f"every integrator has its order, to {worst[0]:.3f} ({worst[1]})")
    out.table(f"Largest changes of angular momentum and energy within {steps:,} steps of 10 ms, as a part of them, the energy's at the end, and orders:",
              ["integrator", "gyroscopic torque", "momentum", "energy", "energy at the end", "order", "found"], rows)
    # Energy errors of the splitting are of second order in the step, and bounded.
    sizes = []
    for h in (0.02, 0.01):
        run = simulate(setting, body(SOLVERS["implicit Euler"][0], h, moments, turned, rotate(turned, [0.3, 2., 0.5])), 2000, ["p"], 1)
        first = measures(run, 0, moments)[2]
        sizes.append(max(abs(measures(run, k, moments)[2] / first - 1.) for k in range(len(run.t))))
    out.check(abs(order(sizes)[0] - 2.) < 0.1, f"the energy then oscillates, within {sizes[1]:.1e} of it at 10 ms, of order {order(sizes)[0]:.2f}")
    # Dzhanibekov
    start = [0., 4., 0.04]
    closed = FreeBody(moments, start)
    flips = Chart("Flips about the middle axis", "time [s]", "ω₂ in the body [rad/s]")
    duration = 12. * closed.quarter
    flips.line("Euler's solution", [(duration * i / 600., closed.at(duration * i / 600.)[1]) for i in range(601)], "#555555", marker=None, width=4.)
    errors = []
    for h in (0.01, 0.005, 0.0025):
        run = simulate(setting, body(SOLVERS["symplectic Euler"][0], h, moments, [0., 0., 0., 1.], start), round(duration / h), ["p"], 1)
        values = [measures(run, k, moments)[0][1] for k in range(len(run.t))]
        if h == 0.01:
            flips.line("simulated", list(zip(run.t, values))[::5], COLORS[1], marker=None)
        passes = [h * (k - 1 + values[k - 1] / (values[k - 1] - values[k])) for k in range(1, len(values)) if values[k] * values[k - 1] < 0.]
        found = (passes[4] - passes[0]) / 4.
        errors.append(abs(found / (2. * closed.quarter) - 1.))
        out.row("symplectic Euler", "flip period", h, found)
    out.check(abs(order(errors)[-1] - 2.) < 0.1 and len(passes) == 6,
              f"it flips every {significant(found, 5)} s (2 K/p = {significant(2. * closed.quarter, 5)} s), with an error of order {order(errors)[-1]:.2f}")
    out.plot("flips", flips.svg())
    out.plot("", chart.svg())
    return out


class Top:
    """A symmetric top with a fixed point, released with its spin only: cos θ = u₁ + (u₂ − u₁) sn² (Goldstein, Classical Mechanics, 5.7)."""

    def __init__(self, across, along, spin, torque, angle):
        a2, beta = (along * spin / across) ** 2, 2. * torque / across
        self.high = math.cos(angle)
        root = math.sqrt(a2 * a2 - 4. * beta * (a2 * self.high - beta))
        self.low, third = (a2 - root) / (2. * beta), (a2 + root) / (2. * beta)
        self.rate = 0.5 * math.sqrt(beta * (third - self.low))
        self.k = math.sqrt((self.high - self.low) / (third - self.low))
        self.period = 2. * complete(self.k) / self.rate

    def at(self, t):
        return self.low + (self.high - self.low) * jacobi(complete(self.k) + self.rate * t, self.k)[0] ** 2


def top(setting):
    """A symmetric top (0.5 kg m² across its axis, 0.2 kg m² about it, both for the fixed point; spin 20 rad/s; a weight of 5 N at 0.5 m on its axis) is
    released at 60° from the vertical with its spin only: its axis nutates as Lagrange's solution says, cos θ = u₁ + (u₂ − u₁) sn². With the velocity of a
    regular precession, Ω from I₁ Ω² cos θ − I₃ ω₃ Ω + m g l = 0, it keeps its inclination. The stiffness
    of a force on a point of a body is not symmetric; the variational integrator has a solver for symmetric matrices here, which takes a part of it: its iterations
    come to the same motion. Plotted are nutation (Newmark, 10 ms) and errors."""
    out = Outcome()
    out.data("integrator", "case", "step [s]", "error")
    across, along, spin, arm, weight, angle = 0.5, 0.2, 20., 0.5, 5., math.pi / 3.
    torque = weight * arm
    closed = Top(across, along, spin, torque, angle)
    tilt = axis_turn(0, angle)  # the axis lies in the plane of y and z, towards −y
    axis = rotate(tilt, [0., 0., 1.])
    held = ('<PartialFixedProjectiveConstraint indices="0" fixedDirections="1 1 1 0 0 0"/>'
            f'<Node name="weight"><MechanicalObject position="0 0 {arm!r}"/><RigidMapping geometricStiffness="Exact"/>'
            f'<ConstantForceField forces="0 0 {-weight!r}"/></Node>')
    moments = (across, across, along)
    roots = math.sqrt((along * spin) ** 2 - 4. * across * math.cos(angle) * torque)
    precession = (along * spin - roots) / (2. * across * math.cos(angle))
    # ω = ω₃ e₃ + Ω (ẑ − cos θ e₃)
    regular = [spin * e + precession * (z - math.cos(angle) * e) for e, z in zip(axis, (0., 0., 1.))]
    counts = (800, 1600) if setting.quick else (50, 100, 200, 400, 800, 1600)
    end = 2.
    chart = Chart("Heavy top: order of integrators", "time step [s]", "error of cos θ at 2 s", xlog=True, ylog=True)
    rows, worst = [], (0., "")
    for i, (name, (solver, _, _, expected)) in enumerate(SOLVERS.items()):
        errors, angles = [], []
        for n in counts:
            steps = round(end * n)
            got = simulate(setting, body(solver, 1. / n, moments, tilt, [spin * a for a in axis], held), steps, ["p"], steps)
            errors.append(abs(rotate(got.x("p")[3:], [0., 0., 1.])[2] - closed.at(end)))
            out.row(name, "nutation", 1. / n, errors[-1])
            got = simulate(setting, body(solver, 1. / n, moments, tilt, regular, held), steps, ["p"], steps)
            tip = rotate(got.x("p")[3:], [0., 0., 1.])
            turned = math.atan2(tip[1], tip[0]) - math.atan2(axis[1], axis[0]) - precession * end
            angles.append(abs(math.remainder(turned, 2. * math.pi)))
            out.row(name, "precession", 1. / n, angles[-1])
        found = order(errors)[-1], order(angles)[-1]
        worst = max(worst, (abs(found[0] - expected), name + ", nutation"), (abs(found[1] - expected), name + ", precession"))
        rows.append([name, str(expected), f"{found[0]:.3f}", f"{found[1]:.3f}", f"{errors[-1]:.1e}", f"{angles[-1]:.1e}"])
        chart.line(name, [(1. / n, e) for n, e in zip(counts, errors)], COLORS[i])
    out.check(worst[0] < 0.1, f"every integrator has its order, to {worst[0]:.3f} ({worst[1]})")
    out.table(f"Orders, and errors at 2 s with the finest step: of cos θ in a nutation (period {significant(closed.period, 4)} s), and of the angle [rad] of the regular "
              f"precession (Ω = {significant(precession, 4)} rad/s)", ["integrator", "order", "nutation", "precession", "error of cos θ", "error of the angle"], rows)
    plot = Chart("Nutation of a heavy top", "time [s]", "cos θ")
    plot.line("Lagrange's solution", [(end * i / 400., closed.at(end * i / 400.)) for i in range(401)], "#555555", marker=None, width=4.)
    run = simulate(setting, body(SOLVERS["Newmark"][0], 0.01, moments, tilt, [spin * a for a in axis], held), round(end / 0.01), ["p"], 1)
    heights = [rotate(run.x("p", k)[3:], [0., 0., 1.])[2] for k in range(len(run.t))]
    plot.line("simulated", list(zip(run.t, heights)), COLORS[1], marker=None)
    most = max(abs(h - closed.at(t)) for h, t in zip(heights, run.t))
    out.note(f"within 2 s cos θ of the simulation with Newmark and 10 ms differs from Lagrange's by {most:.1e} at most, where it goes from {closed.low:.4f} to {closed.high:.4f}")
    out.plot("nutation", plot.svg())
    out.plot("", chart.svg())
    return out
