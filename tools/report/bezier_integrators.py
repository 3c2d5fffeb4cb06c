# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Integrators on the hanging bar of quadratic Bézier elements, with lumped and full masses: section 3.5 and "Mass lumping" of section 4 of Bargteil and Cohen, 2014."""
import math

from report import bezier_runs as runs
from report.bezier_meshes import coarse_bar
from report.chart import bars
from report.experiment import Outcome
from report.page import significant

# Name: component, attributes, whether it is explicit, the longest step tried [s].
INTEGRATORS = {
    "linearly implicit Euler": ("EulerImplicitSolver", {}, False, 1.),
    "implicit Euler, Newton": ("EulerImplicitSolver", {"maxIterations": "20", "epsilon": "1e-4", "requireConvergence": "false"}, False, 1.),
    "trapezoidal rule": ("EulerImplicitSolver", {"trapezoidalScheme": "true"}, False, 1.),
    "implicit Newmark": ("NewmarkImplicitSolver", {}, False, 1.),
    "variational, midpoint": ("VariationalSymplecticSolver", {"steps": "10", "newtonError": "1e-6", "computeHamiltonian": "false"}, False, 1.),
    "mixed Newmark": ("NewmarkImplicitSolver", {"beta": "0", "rayleighStiffness": "0.001"}, True, 0.05),
    "symplectic Euler": ("EulerExplicitSolver", {}, True, 0.05),
}
ENERGIES = ("@/.kineticEnergy", "@/.potentialEnergy")
WEIGHT = 1125. * 9.81 * 4.5  # energy that the bar can get by falling as far as it is long [J]


def bar(kind, integrator, lumped, dt):
    tag, attributes, _, _ = INTEGRATORS[integrator]
    case = runs.Case("hanging_bar", kind, coarse_bar())
    case.replace("integrator", tag, **attributes)
    case.set("solver", tolerance="1e-9")
    case.set("mass", lumping="true" if lumped else "false")
    case.root.set("dt", repr(dt))
    return case


def energy(run):
    return [k + p for k, p in zip(*run.more)]


def is_stable(setting, kind, integrator, lumped, dt, duration):
    """No more kinetic energy than the bar can have, for a duration and at least 100 steps."""
    steps = max(100, round(duration / dt))
    run = bar(kind, integrator, lumped, dt).measure(setting.run_sofa, steps, max(1, steps // 200), False, ENERGIES)
    return run.code == 0 and all(math.isfinite(k) and k < WEIGHT for k in run.more[0])


def largest_step(setting, kind, integrator, lumped, halvings, duration):
    high = INTEGRATORS[integrator][3]
    low = high / 4096.
    if is_stable(setting, kind, integrator, lumped, high, duration):
        return high
    if not is_stable(setting, kind, integrator, lumped, low, 20. * low):
        return 0.
    for _ in range(halvings):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_stable(setting, kind, integrator, lumped, middle, duration) else (low, middle)
    return low


def integrators(setting):
    """The hanging bar of 60 tetrahedra, without damping but that of mixed Newmark, for 2 s: the longest step at which its kinetic energy stays below what it can get by falling
    (found by bisection), what becomes of its energy, the time for a second of its motion and the iterations of conjugate gradients (to 10⁻⁹) for a step, with lumped and with
    full masses. Implicit integrators are run with 10 ms, explicit ones with nine tenths of their longest step. Linearly implicit Euler solves for the change of the velocity; the
    paper's system for the new velocity, (M − h² K) v' = M v + h f, is the same equation, since M v + h f − (M − h² K) v = h (f + h K v). Mixed Newmark (β = 0, γ = ½) is
    explicit in the forces and implicit in the damping (1 ms of stiffness)."""
    out = Outcome()
    out.data("elements", "mass", "integrator", "longest step [s]", "step [s]", "change of energy", "ms for a step", "ms for a second", "iterations")
    halvings, duration = (4, 0.3) if setting.quick else (10, 2.)
    chosen = list(INTEGRATORS) if not setting.quick else ["linearly implicit Euler", "variational, midpoint", "mixed Newmark", "symplectic Euler"]
    found = {}
    for kind in ("linear", "quadratic"):
        for lumped in (True, False):
            for name in chosen:
                explicit, longest = INTEGRATORS[name][2:]
                limit = largest_step(setting, kind, name, lumped, halvings, duration)
                dt = 0.9 * limit if explicit else min(0.01, 0.9 * limit)
                if dt <= 0.:
                    continue
                steps = round(duration / dt)
                run = min((bar(kind, name, lumped, dt).measure(setting.run_sofa, steps, max(1, steps // 200), False, ENERGIES) for _ in range(1 if setting.quick else 3)),
                          key=lambda r: r.total)
                course = energy(run)
                drift = (course[-1] - course[0]) / max(run.more[0])
                found[kind, lumped, name] = (limit, dt, drift, run.total, run.total / dt, run.iterations)
                out.row(kind, "lumped" if lumped else "full", name.replace(",", ""), *found[kind, lumped, name])
    rows = []
    for (kind, lumped, name), (limit, dt, drift, ms, second, iterations) in found.items():
        longest = INTEGRATORS[name][3]
        rows.append([kind, "lumped" if lumped else "full", name, ("≥ " if limit == longest else "") + significant(1e3 * limit), significant(1e3 * dt), f"{100. * drift:+.2g}%",
                     significant(ms), significant(second), significant(iterations) if iterations == iterations and iterations > 0. else "–"])
    out.table("Steps and times in milliseconds. The change of energy is that in 2 s, as a part of the largest kinetic energy:",
              ["elements", "mass", "integrator", "longest step", "step", "change of energy", "for a step", "for a second", "iterations"], rows)
    out.plot("", bars("A second of the hanging bar", "milliseconds", [(f"{name}, {kind}, {'lumped' if lumped else 'full'}", [v[4]]) for (kind, lumped, name), v in found.items() if kind == "quadratic"],
                      ["time"], xlog=True, xmin=1.))
    first = "linearly implicit Euler"
    out.check(all(found[kind, lumped, first][0] == INTEGRATORS[first][3] for kind in ("linear", "quadratic") for lumped in (True, False)),
              "linearly implicit Euler is stable with steps of 1 s, the longest tried, for all elements and masses")
    out.check(all(found["quadratic", lumped, "symplectic Euler"][0] < found["linear", lumped, "symplectic Euler"][0] for lumped in (True, False)),
              "symplectic Euler needs shorter steps with quadratic elements than with linear ones: "
              f"{1e3 * found['quadratic', True, 'symplectic Euler'][0]:.2f} and {1e3 * found['linear', True, 'symplectic Euler'][0]:.2f} ms, with full masses "
              f"{1e3 * found['quadratic', False, 'symplectic Euler'][0]:.2f} and {1e3 * found['linear', False, 'symplectic Euler'][0]:.2f} ms")
    out.check(all(found[kind, True, first][2] < found[kind, True, "variational, midpoint"][2] for kind in ("linear", "quadratic")),
              f"linearly implicit Euler loses energy ({100. * found['quadratic', True, first][2]:.0f}% in 2 s with quadratic elements), the variational integrator hardly any "
              f"({100. * found['quadratic', True, 'variational, midpoint'][2]:.2g}%)")
    quickest = min((v[4], name, kind) for (kind, lumped, name), v in found.items() if lumped and kind == "quadratic")
    out.note(f"a second of the quadratic bar takes least with {quickest[1]} (lumped masses), {quickest[0]:.1f} ms: on meshes as coarse as this explicit steps cost little, other than in the paper")
    if "trapezoidal rule" in chosen:
        out.note(f"the trapezoidal rule of EulerImplicitSolver moves positions with the new velocity, as SOFA's, and is stable for h ω < 2 only: up to "
                 f"{1e3 * found['linear', True, 'trapezoidal rule'][0]:.2f} ms, as symplectic Euler")
    full, lump = (found["quadratic", lumped, first][5] for lumped in (False, True))
    out.note(f"a step of linearly implicit Euler with quadratic elements takes {lump:.0f} iterations with lumped masses and {full:.0f} with full ones; with linear elements "
             f"{found['linear', True, first][5]:.0f} and {found['linear', False, first][5]:.0f}. The paper has the full mass as much worse conditioned")
    return out
