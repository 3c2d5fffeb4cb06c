# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Consistent and lumped masses: vibrations of a bar along itself."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import order, simulate, text
from report.page import significant

YOUNG, DENSITY = 1e6, 1000.
SPEED = math.sqrt(YOUNG / DENSITY)
# Name: attributes of the mass, and ω h/c of a mode of k h.
MASSES = {
    "consistent": ("", lambda kh: math.sqrt(6. * (1. - math.cos(kh)) / (2. + math.cos(kh)))),
    "lumped": ('lumping="true"', lambda kh: 2. * math.sin(0.5 * kh)),
}


def bar(n, mass, wave, dt):
    """n hexahedra along 1 m, one across; held at x = 0, nothing across (ν = 0); it begins in the mode sin(wave x)."""
    nodes = [(i / n, j / n, k / n) for k in range(2) for j in range(2) for i in range(n + 1)]
    moved = [(x + 1e-4 * math.sin(wave * x), y, z) for x, y, z in nodes]
    held = " ".join(str(i) for i, p in enumerate(nodes) if p[0] == 0.)
    return (f'<Node name="root" dt="{dt!r}" gravity="0 0 0"><DefaultAnimationLoop/><RegularGridTopology name="grid" n="{n + 1} 2 2" min="0 0 0" max="1 {1. / n!r} {1. / n!r}"/>'
            f'<NewmarkImplicitSolver/><SparseLDLSolver/><HexahedronSetTopologyContainer name="mesh" src="@grid"/><MechanicalObject name="x" '
            f'position="{"  ".join(text(p) for p in moved)}" rest_position="{"  ".join(text(p) for p in nodes)}"/>'
            f'<FEMMass template="Vec3,Hexahedron" massDensity="{DENSITY!r}" topology="@mesh" {mass}/>'
            f'<HexahedronFEMForceField topology="@mesh" youngModulus="{YOUNG!r}" poissonRatio="0" method="small"/><FixedProjectiveConstraint indices="{held}"/></Node>')


def frequency(setting, n, mode, name):
    """Of a mode, 1 being the slowest, from its passages through zero in five periods, freed of the error of Newmark's method, which turns with (2/h) atan(h ω/2)."""
    wave = (mode - 0.5) * math.pi
    mass, relation = MASSES[name]
    dt = 2. * math.pi / (SPEED * n * relation(wave / n)) / 100.
    run = simulate(setting, bar(n, mass, wave, dt), 520, ["x"], 1)
    tip = [run.points("x", k)[n][0] - 1. for k in range(len(run.t))]
    passes = [dt * (k - tip[k] / (tip[k] - tip[k - 1])) for k in range(1, len(tip)) if tip[k] * tip[k - 1] < 0.]
    numeric = math.pi * (len(passes) - 1) / (passes[-1] - passes[0])
    return 2. / dt * math.tan(0.5 * dt * numeric)


def vibrations(setting):
    """A bar (1 m, Young's modulus 1 MPa, 1000 kg/m³, ν = 0) of hexahedra, held at one end, vibrates along itself in one of its modes, with the wave number k = (m − ½) π and the
    frequency c k, c = √(E/ρ). With FEMMass, consistent, n hexahedra of the length h have (ω h/c)² = 6 (1 − cos kh)/(2 + cos kh), more than the bar; lumped
    they have 2 (1 − cos kh), less than the bar; both with an error of second order. Plotted are the frequencies of the modes of 16 hexahedra."""
    out = Outcome()
    out.data("mass", "hexahedra", "mode", "frequency [rad/s]", "closed form of the mesh", "of the bar")
    chart = Chart("Vibrations of 16 hexahedra", "k h/π", "frequency over that of the bar", xmin=0., xmax=1.)
    counts = (4, 8, 16, 32)
    rows = {n: [n] for n in counts}
    for i, (name, (_, relation)) in enumerate(MASSES.items()):
        errors, apart, points = [], 0., []
        for n in counts:
            found, theory, exact = frequency(setting, n, 1, name), SPEED * n * relation(0.5 * math.pi / n), 0.5 * math.pi * SPEED
            out.row(name, n, 1, found, theory, exact)
            errors.append(abs(found / exact - 1.))
            apart = max(apart, abs(found / theory - 1.))
            rows[n] += [f"{found:.5f}", f"{100. * (found / exact - 1.):+.4f}%"]
        for mode in (1, 8, 16) if setting.quick else range(1, 17):
            kh = (mode - 0.5) * math.pi / 16.
            found, theory = frequency(setting, 16, mode, name), SPEED * 16. * relation(kh)
            out.row(name, 16, mode, found, theory, SPEED * 16. * kh)
            apart = max(apart, abs(found / theory - 1.))
            points.append((kh / math.pi, found / (SPEED * 16. * kh)))
        chart.line(f"closed form, {name}", [(k / 100., relation(math.pi * k / 100.) / (math.pi * k / 100.)) for k in range(1, 101)], COLORS[i], marker=None)
        chart.points(f"simulated, {name}", points, COLORS[i])
        out.check(apart < 1e-6, f"{name}: all modes have the frequency of the closed form of the mesh (to {significant(apart, 1)})")
        out.check(abs(order(errors)[-1] - 2.) < 0.1, f"{name}: the slowest one converges to that of the bar with order {order(errors)[-1]:.3f} (theory: 2)")
    out.table(f"The slowest frequency; of the bar: {0.5 * math.pi * SPEED:.5f} rad/s", ["hexahedra", "consistent [rad/s]", "against the bar", "lumped [rad/s]", "against the bar"],
              list(rows.values()))
    out.plot("", chart.svg())
    return out
