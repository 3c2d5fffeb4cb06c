# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""A slender rod with large deflections, compared with Euler's elastica."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import complete, order, simulate

RADIUS, YOUNG = 0.005, 1e9
STIFFNESS = YOUNG * 0.25 * math.pi * RADIUS ** 4


def integral(f, a, b, n=400):
    """Simpson's rule."""
    h = (b - a) / n
    return h / 3. * (f(a) + f(b) + sum((4. if i % 2 else 2.) * f(a + i * h) for i in range(1, n)))


def elastica(load):
    """Tip (along, down, of the length) of a cantilever under a force that stays vertical, load = P L²/(E I) (Bisshopp and Drucker, Quarterly of Applied Mathematics
    3(3), 1945)."""
    def first(k):
        return complete(k) - integral(lambda p: 1. / math.sqrt(1. - (k * math.sin(p)) ** 2), 0., math.asin(1. / (k * math.sqrt(2.))))

    low, high = math.sqrt(0.5) * (1. + 1e-15), 1. - 1e-13
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if first(middle) ** 2 < load else (low, middle)
    k, root = low, math.sqrt(load)

    def second(p):
        return math.sqrt(1. - (k * math.sin(p)) ** 2)

    down = 1. - 2. / root * (integral(second, 0., 0.5 * math.pi) - integral(second, 0., math.asin(1. / (k * math.sqrt(2.)))))
    return math.sqrt(2. * (2. * k * k - 1.)) / root, down


def rod(n, force, moment=0., steps=10):
    """n beams along 1 m; the load grows to its end in so many parts."""
    return (f'<Node name="root" dt="1" gravity="0 0 0"><DefaultAnimationLoop/><StaticSolver newtonSolver="@newton" loadSteps="{steps}"/>'
            '<NewtonRaphsonSolver name="newton" maxNbIterationsNewton="400" maxNbIterationsLineSearch="12" absoluteResidualStoppingThreshold="1e-7" '
            'relativeInitialStoppingThreshold="0" relativeSuccessiveStoppingThreshold="0" warnWhenLineSearchFails="0"/><EigenSparseLU/>'
            f'<MechanicalObject name="x" template="Rigid3" position="{"  ".join(f"{i / n!r} 0 0 0 0 0 1" for i in range(n + 1))}"/>'
            f'<MeshTopology edges="{"  ".join(f"{i} {i + 1}" for i in range(n))}"/><FixedProjectiveConstraint indices="0"/>'
            f'<BeamFEMForceField radius="{RADIUS!r}" youngModulus="{YOUNG!r}" poissonRatio="0.3"/>'
            f'<ConstantForceField indices="{n}" forces="0 {-force!r} 0 0 0 {moment!r}"/></Node>')


def large_deflection(setting):
    """A slender rod (1 m, radius 5 mm, BeamFEMForceField) is clamped at one end, and a force at the other, which stays vertical, bends it by up to a right angle. Euler's
    elastica: P L²/(E I) = (K(k) − F(φ, k))² with sin φ = 1/(k √2), the deflection 1 − 2 (E(k) − E(φ, k))/(K(k) − F(φ, k)) of the length, in elliptic integrals. Beams measure
    displacements in the frame of their first end, as SOFA's do, where the force of a bent one lacks the moment of the normal force about its deflection, N κ h²/2:
    theory has an error of first order in their length. Plotted are the ends of the rod."""
    out = Outcome()
    out.data("P L²/(E I)", "beams", "along [m]", "down [m]", "error [m]")
    counts, rows, worst = (16, 32) if setting.quick else (8, 16, 32, 64), [], (0., 0.)
    chart = Chart("A rod bent by a force: its end", "P L²/(E I)", "metres", xmin=0., ymin=0., ymax=1.)
    loads = [0.05 * k for k in range(1, 201)]
    for j, name in enumerate(("along the rod", "down")):
        chart.line(f"elastica, {name}", [(p, elastica(p)[j]) for p in loads], COLORS[j], marker=None)
    ends = []
    for load in (0.5, 1., 2., 4., 7., 10.):
        exact, errors = elastica(load), []
        for n in counts:
            x = simulate(setting, rod(n, load * STIFFNESS), 1, ["x"]).points("x", -1, 7)[-1]
            errors.append(math.hypot(x[0] - exact[0], x[1] + exact[1]))
            out.row(load, n, x[0], -x[1], errors[-1])
        ends.append((load, x[0], -x[1]))
        found = order(errors)[-1]
        worst = max(worst, (abs(found - 1.), load))
        rows.append([f"{load:g}", f"{exact[0]:.5f}", f"{x[0]:.5f}", f"{exact[1]:.5f}", f"{-x[1]:.5f}", f"{1e3 * errors[-1]:.2f}", f"{found:.3f}"])
    for j, name in enumerate(("along the rod", "down")):
        chart.points(f"{counts[-1]} beams, {name}", [(e[0], e[1 + j]) for e in ends], COLORS[j])
    out.check(worst[0] < 0.1, f"the end converges to the elastica with order 1, to {worst[0]:.3f} (farthest: P L²/(E I) = {worst[1]:g})")
    errors, turn = [], 1.5
    for n in counts:
        x = simulate(setting, rod(n, 0., turn * STIFFNESS), 1, ["x"]).points("x", -1, 7)[-1]
        errors.append(math.hypot(x[0] - math.sin(turn) / turn, x[1] - (1. - math.cos(turn)) / turn))
        out.row("moment 1.5", n, x[0], -x[1], errors[-1])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"a moment bends it into an arc of a circle, without a normal force: then the order is {order(errors)[-1]:.3f} (theory: 2)")
    out.table(f"The end of the rod [m] by the elastica and with {counts[-1]} beams, error [mm], and order:",
              ["P L²/(E I)", "along, elastica", "along", "down, elastica", "down", "error", "order"], rows)
    out.plot("", chart.svg())
    return out
