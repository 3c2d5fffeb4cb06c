# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Integrators on an oscillator and a pendulum, and bodies that spin, compared with closed forms."""
import cmath
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import axis_turn, complete, jacobi, order, simulate, text
from report.page import significant

DIRECT = "<SparseLDLSolver/>"
NEWTON = ('<NewtonRaphsonSolver maxNbIterationsNewton="20" absoluteResidualStoppingThreshold="1e-13" relativeInitialStoppingThreshold="1e-13" '
          'relativeSuccessiveStoppingThreshold="0" warnWhenLineSearchFails="0" warnWhenDiverge="0" requireConvergence="0"/>')


def roots_of_bdf2(z):
    """Of (3 − 2 i z) r² − 4 r + 1: what BDF2 multiplies a mode x' = i ω x by, z = h ω."""
    a = 3. - 2j * z
    d = cmath.sqrt(16. - 4. * a)
    return max(((4. + s * d) / (2. * a) for s in (1., -1.)), key=abs)


def invariant(matrix):
    """Of a one-step method (x, v)' = ((a, b), (c, d)) (x, v): the quadratic form that a step multiplies by a d − b c."""
    (a, b), (c, d) = matrix
    return lambda x, v: c * x * x + (d - a) * x * v - b * v * v


def symplectic(z):
    return ((1. - z * z, z), (-z, 1.))


def trapezoidal(z):
    d = 1. + 0.25 * z * z
    return ((1. - z * z / d, z - 0.5 * z ** 3 / d), (-z / d, 1. - 0.5 * z * z / d))


def energy(x, v):
    return 0.5 * (x * x + v * v)


# Name: components, order, factor by which a step multiplies the energy of an oscillator, of z = h ω (None: not compared), and for methods with skewed
# energy what is multiplied by that (a function of z that gives one of x and v).
INTEGRATORS = {
    "explicit Euler": ('<EulerExplicitSolver symplectic="0"/>', 1, lambda z: 1. + z * z, None),
    "symplectic Euler": ("<EulerExplicitSolver/>", 1, lambda z: 1., symplectic),
    "central differences": ("<CentralDifferenceSolver/>", 2, lambda z: 1., symplectic),
    "Runge-Kutta 2": ("<RungeKutta2Solver/>", 2, lambda z: 1. + z ** 4 / 4., None),
    "Runge-Kutta 4": ("<RungeKutta4Solver/>", 4, lambda z: 1. - z ** 6 / 72. + z ** 8 / 576., None),
    "implicit Euler": ("<EulerImplicitSolver/>" + DIRECT, 1, lambda z: 1. / (1. + z * z), None),
    "trapezoidal scheme": ('<EulerImplicitSolver trapezoidalScheme="1"/>' + DIRECT, 1, lambda z: (4. - z * z) / (4. + z * z), trapezoidal),
    "Newmark": ("<NewmarkImplicitSolver/>" + DIRECT, 2, lambda z: 1., None),
    "BDF 2": ('<BDFOdeSolver order="2"/>' + NEWTON + DIRECT, 2, lambda z: abs(roots_of_bdf2(z)) ** 2, None),
    "BDF 3": ('<BDFOdeSolver order="3"/>' + NEWTON + DIRECT, 2, None, None),
    "variational": ('<VariationalSymplecticSolver name="v" newtonError="1e-14" steps="20" useIncrementalPotentialEnergy="0"/>' + DIRECT, 2, lambda z: 1., None),
}


def oscillator(solver, h, velocity=0.):
    """1 kg on a spring of 1 N/m, released at 1 m: x = cos t."""
    return (f'<Node name="root" dt="{h!r}" gravity="0 0 0"><DefaultAnimationLoop/>{solver}<MechanicalObject name="p" template="Vec1" position="1" '
            f'velocity="{velocity!r}" rest_position="0"/><UniformMass vertexMass="1"/><RestShapeSpringsForceField template="Vec1" stiffness="1"/></Node>')


def pendulum(solver, h, angle, velocity=0.):
    """A body on an axle, 3 kg m² about it, with a weight of 3 N at 1 m: θ'' = −sin θ."""
    return (f'<Node name="root" dt="{h!r}" gravity="0 0 0"><DefaultAnimationLoop/>{solver}<MechanicalObject name="p" template="Rigid3" '
            f'position="0 0 0 {text(axis_turn(2, angle))}" velocity="0 0 0 0 0 {velocity!r}"/><UniformMass vertexMass="1 1 [3 0 0,0 3 0,0 0 3]"/>'
            '<PartialFixedProjectiveConstraint indices="0" fixedDirections="1 1 1 1 1 0"/><Node name="weight"><MechanicalObject position="1 0 0"/>'
            '<RigidMapping geometricStiffness="Exact"/><ConstantForceField forces="3 0 0"/></Node></Node>')


def angle_of(frame):
    return 2. * math.atan2(frame[5], frame[6])


def swing(t, start):
    """Angle and velocity of the pendulum that is released at the angle `start`, at a time t >= 0 (before half its period)."""
    k = math.sin(0.5 * start)
    angle = 2. * math.asin(k * jacobi(complete(k) + t, k)[0])
    return angle, -math.sqrt(max(0., 2. * (math.cos(angle) - math.cos(start))))


def integrators(setting):
    """Integrators without damping on two motions with a closed form: an oscillator, x = cos t, and a pendulum that is released at 2 rad,
    sin(θ/2) = k sn(K(k) + t, k) with k = sin 1. Plotted is the error of the position after 3 s against the time step. A step multiplies
    the energy of the oscillator by a factor that follows from the method, with z = h ω; of symplectic Euler, central differences and the trapezoidal scheme, whose
    velocities are at other times than the positions, the energy is the quadratic form that goes with that, of the variational integrator its own. BDF 3 starts with
    a step of BDF 1, whose error is of second order. BDFOdeSolver takes no frames, which the pendulum is."""
    out = Outcome()
    out.data("motion", "integrator", "step [s]", "error [m or rad]")
    counts = (80, 160) if setting.quick else (20, 40, 80, 160)  # steps a second
    start, end, rows = 2., 3., {name: [name, str(entry[1])] for name, entry in INTEGRATORS.items()}
    for motion, right in (("oscillator", math.cos(end)), ("pendulum", swing(end, start)[0])):
        chart = Chart(f"Order of integrators: {motion}", "time step [s]", "error at 3 s", xlog=True, ylog=True)
        worst = (0., "")
        for i, (name, (solver, expected, _, _)) in enumerate(INTEGRATORS.items()):
            if motion == "pendulum" and name.startswith("BDF"):
                rows[name].append("–")
                continue
            errors = []
            for h in (1. / n for n in counts):
                if motion == "oscillator":
                    scene = oscillator(solver, h)
                else:
                    scene = pendulum(solver, h, start)
                steps = round(end / h)
                got = simulate(setting, scene, steps, ["p"], steps).x("p")
                errors.append(abs((got[0] if motion == "oscillator" else angle_of(got)) - right))
                out.row(motion, name, h, errors[-1])
            found = order(errors)[-1]
            worst = max(worst, (abs(found - expected), name))
            rows[name].append(f"{found:.3f}")
            chart.line(name, [(1. / n, e) for n, e in zip(counts, errors)], COLORS[i % 8], "" if i < 8 else "5 3", "circle" if i < 8 else "square")
        out.check(worst[0] < 0.1, f"{motion}: every integrator has its order, to {worst[0]:.3f} ({worst[1]})")
        out.plot(motion, chart.svg())
    # From the fifth period to the tenth, so that the start of BDF does not count.
    per = 40
    z, worst = 2. * math.pi / per, (0., "")
    for name, (solver, _, factor, matrix) in INTEGRATORS.items():
        scene = oscillator(solver, z)
        run = simulate(setting, scene, 10 * per, ["p"], 5 * per, ["@/v.hamiltonianEnergy"] if name == "variational" else [])
        measure = invariant(matrix(z)) if matrix else energy
        energies = [run.rows[k][-1] if name == "variational" else measure(run.x("p", k)[0], run.v("p", k)[0]) for k in (1, 2)]
        ratio = (energies[1] / energies[0]) ** (1. / (5 * per))
        rows[name].append(f"{ratio - 1.:+.3g}" if abs(ratio - 1.) > 1e-13 else "0")
        if factor:
            theory = factor(z)
            rows[name].append("0" if theory == 1. else f"{theory - 1.:+.3g}")
            worst = max(worst, (abs(ratio - theory) / max(abs(theory - 1.), 1e-9), name))
        else:
            rows[name].append("–")
    out.check(worst[0] < 1e-3, f"a step multiplies the energy of the oscillator as each method's theory says (to {significant(worst[0], 2)} of its change "
              f"or 10⁻⁹; farthest: {worst[1]})")
    out.table(f"Orders at the finest steps, and change of the oscillator's energy in a step of h ω = 2π/{per}, as a part of it:",
              ["integrator", "order", "oscillator", "pendulum", "change of energy", "theory"], list(rows.values()))
    return out
