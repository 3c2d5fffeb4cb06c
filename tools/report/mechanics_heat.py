# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Diffusion and thermal expansion, compared with Fourier's series and with the thermal stresses of bars."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import order, simulate, text
from report.page import significant

# Bars are 1 m long, along x, and 0.1 m wide and high; their cells are cubes.


def bar_nodes(n, length=1.):
    """Nodes of a bar with n cells along it."""
    across = round(0.1 * n / length)
    return [(length * i / n, 0.1 * j / across, 0.1 * k / across) for k in range(across + 1) for j in range(across + 1) for i in range(n + 1)]


def grid(n, length=1.):
    across = round(0.1 * n / length)
    return f'<RegularGridTopology name="grid" n="{n + 1} {across + 1} {across + 1}" min="0 0 0" max="{length!r} 0.1 0.1"/>'


def mean(nodes, errors):
    """Root mean square over the bar of errors at its nodes."""
    length = nodes[-1][0]
    weights = [math.prod(1. if 0.001 < v / size < 0.999 else 0.5 for v, size in zip(p, (length, 0.1, 0.1))) for p in nodes]
    return math.sqrt(sum(w * e * e for w, e in zip(weights, errors)) / sum(weights))


TETRAHEDRA = ('<TetrahedronSetTopologyContainer name="mesh"/><TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input="@../grid" '
              'output="@mesh"/><MechanicalObject name="shape" position="@../grid.position" tags="meca"/>')


def heat_scene(n, h, start, held=""):
    """A bar of n cells along it, whose temperature diffuses with 0.1 m²/s."""
    return (f'<Node name="root" dt="{h!r}" gravity="0 0 0"><DefaultAnimationLoop/>{grid(n)}<Node name="bar">{TETRAHEDRA}<Node name="heat">'
            f'<EulerImplicitSolver firstOrder="true"/><EigenSimplicialLDLT/><MechanicalObject name="u" template="Vec1" position="{text(start)}"/>'
            '<MeshMatrixMass template="Vec1,Vec3" massDensity="1" topology="@../mesh" geometryState="@../shape"/>'
            f'<TetrahedronDiffusionFEMForceField constantDiffusionCoefficient="0.1" topology="@../mesh"/>{held}</Node></Node></Node>')


def heated(x, t):
    """Of a bar at 0, one end of which is at 1 from t = 0 on and the other held at 0: Fourier's series."""
    return 1. - x - sum(2. / (k * math.pi) * math.sin(k * math.pi * x) * math.exp(-0.1 * (k * math.pi) ** 2 * t) for k in range(1, 200))


def diffusion(setting):
    """Heat in a bar of tetrahedra (1 m × 0.1 m × 0.1 m, diffusion coefficient 0.1 m²/s), by implicit Euler. An isolated bar with the temperature cos πx decays
    with exp(−π² D t); with steps of h each of them divides it by 1 + h π² D, which leaves the error of the mesh. A bar whose one end is suddenly at 1 and
    stays so, while the other is held at 0, follows Fourier's series; there steps are shortened with the square of the cells, so that both errors are of second
    order in the size of cells. Errors are root mean squares over the bar (the largest, at corners, fall with h² |log h|). Plotted are its temperatures and the errors."""
    out = Outcome()
    out.data("case", "cells", "time step [s]", "error, root mean square")
    rate = 0.1 * math.pi ** 2
    chart = Chart("Diffusion: errors", "size of cells [m]", "error of the temperature, root mean square", xlog=True, ylog=True)
    # The mesh alone.
    errors, cells = [], (10, 20, 40) if setting.quick else (10, 20, 40, 80)
    for n in cells:
        nodes = bar_nodes(n)
        u = simulate(setting, heat_scene(n, 0.05, [math.cos(math.pi * p[0]) for p in nodes]), 20, ["u"], 20).x("u")
        errors.append(mean(nodes, [v - math.cos(math.pi * p[0]) / (1. + 0.05 * rate) ** 20 for v, p in zip(u, nodes)]))
        out.row("cosine, mesh", n, 0.05, errors[-1])
    chart.line("cosine at 1 s, mesh alone", [(1. / n, e) for n, e in zip(cells, errors)])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"the error of the mesh is of order {order(errors)[-1]:.3f} (theory: 2), {errors[-1]:.1e} with {cells[-1]} cells")
    # Time steps, on the finest mesh.
    n, errors, steps = cells[-2], [], (4, 8, 16, 32)
    for count in steps:
        nodes = bar_nodes(n)
        u = simulate(setting, heat_scene(n, 1. / count, [math.cos(math.pi * p[0]) for p in nodes]), count, ["u"], count).x("u")
        errors.append(mean(nodes, [v - math.cos(math.pi * p[0]) * math.exp(-rate) for v, p in zip(u, nodes)]))
        out.row("cosine, time step", n, 1. / count, errors[-1])
    out.check(abs(order(errors)[-1] - 1.) < 0.1, f"the error of the time step is of order {order(errors)[-1]:.3f} (theory: 1), {errors[-1]:.1e} with {1000. / steps[-1]:.0f} ms")
    # A sudden end.
    errors, cells = [], (10, 20) if setting.quick else (10, 20, 40)
    plot = Chart("A bar that is heated at one end", "place [m]", "temperature")
    times = (0.05, 0.2, 0.5, 2.)
    for n in cells:
        nodes = bar_nodes(n)
        h = 0.05 * (5. / n) ** 2
        ends = " ".join(str(i) for i, p in enumerate(nodes) if p[0] in (0., 1.))
        held = f'<FixedProjectiveConstraint template="Vec1" indices="{ends}"/>'
        every = round(0.05 / h)
        run = simulate(setting, heat_scene(n, h, [1. if p[0] == 0. else 0. for p in nodes], held), round(2. / h), ["u"], every)
        at = {round(t, 6): k for k, t in enumerate(run.t)}
        errors.append(max(mean(nodes, [v - heated(p[0], t) for v, p in zip(run.x("u", at[t]), nodes)]) for t in times[1:]))
        out.row("heated end", n, h, errors[-1])
    for i, t in enumerate(times):
        plot.line(f"Fourier's series, {t:g} s", [(k / 100., heated(k / 100., t)) for k in range(101)], COLORS[i], marker=None)
        u = run.x("u", at[t])
        plot.points(f"simulated, {t:g} s", [(k / n, u[k]) for k in range(0, n + 1, 2)], COLORS[i])
    chart.line("heated end from 0.2 s on", [(1. / n, e) for n, e in zip(cells, errors)])
    out.check(abs(order(errors)[-1] - 2.) < 0.1, f"the heated bar follows Fourier's series with an error of order {order(errors)[-1]:.3f} (theory: 2), "
              f"{errors[-1]:.1e} with {cells[-1]} cells")
    out.plot("", plot.svg())
    out.plot("errors", chart.svg())
    return out


# --- thermal expansion

WARM = ('<TetrahedronFEMForceField topology="@mesh" youngModulus="{young!r}" poissonRatio="0.3" method="small"/>'
        '<ThermalExpansionForceField topology="@mesh" youngModulus="{young!r}" poissonRatio="0.3" expansionCoefficient="1e-5" temperature="{warm}" method="small"/>')
YOUNG, ALPHA = 2e11, 1e-5


def steel(n, warm, held, length=1.):
    return (f'<Node name="root" dt="1" gravity="0 0 0"><DefaultAnimationLoop/>{grid(n, length)}<Node name="bar"><StaticSolver newtonSolver="@newton"/>'
            '<NewtonRaphsonSolver name="newton" maxNbIterationsNewton="1" requireConvergence="0" warnWhenDiverge="0" warnWhenLineSearchFails="0"/>'
            f'<EigenSimplicialLDLT template="CompressedRowSparseMatrixMat3x3d"/>{TETRAHEDRA}{WARM.format(young=YOUNG, warm=text(warm))}{held}</Node></Node>')


def chosen(nodes, plane):
    return " ".join(str(i) for i, p in enumerate(nodes) if plane(p))


def thermal(setting):
    """A bar of steel (1 m × 0.1 m × 0.1 m, Young's modulus 200 GPa, ν = 0.3, α = 10⁻⁵/K) of tetrahedra with linear strain, in equilibrium. Warmed by ΔT =
    50 K it grows by α ΔT on all sides if it is free, and pushes with E A α ΔT if its ends are held (it is free across: the stress is uniaxial). When the
    temperature of a short one (0.2 m) grows from below to above by 50 K it bends without any stress, like a bimetal, to the curvature α 50 K/0.1 m, which lowers its tip by half of that:
    tetrahedra cannot bend, so this comes with an order, 2 in the size of cells. Plotted is its error."""
    out = Outcome()
    out.data("case", "cells", "value", "closed form")
    n = 10
    nodes = bar_nodes(n)
    planes = [chosen(nodes, lambda p, a=a: p[a] == 0.) for a in range(3)]
    sides = "".join(f'<PartialFixedProjectiveConstraint name="side{a}" indices="{planes[a]}" fixedDirections="{text([int(a == b) for b in range(3)])}"/>'
                    for a in range(3))
    free = simulate(setting, steel(n, [50.] * len(nodes), sides), 1, ["shape"]).points("shape")
    wrong = max(abs(x - p * (1. + 50. * ALPHA)) for q, r in zip(free, nodes) for x, p in zip(q, r))
    out.row("free", n, free[-1][0] - 1., 50. * ALPHA)
    out.check(wrong < 1e-12, f"a free bar grows by α ΔT = {50e3 * ALPHA:g} mm on all sides (to {wrong:.0e} m)")
    end = f'<PartialFixedProjectiveConstraint name="wall" indices="{chosen(nodes, lambda p: p[0] == 1.)}" fixedDirections="1 0 0"/>'
    held = simulate(setting, steel(n, [50.] * len(nodes), sides + end), 1, ["shape"], 1, ["@/bar/wall.reaction:x:sum"])
    force, theory = abs(held.rows[-1][-1]), YOUNG * 0.01 * ALPHA * 50.
    across = held.points("shape")[-1][1] - 0.1
    out.row("held", n, force, theory)
    out.check(abs(force / theory - 1.) < 1e-9, f"a held bar pushes with E A α ΔT = {significant(theory / 1000., 4)} kN (to {abs(force / theory - 1.):.0e})")
    out.check(abs(across / (0.1 * 1.3 * 50. * ALPHA) - 1.) < 1e-9, f"and grows across by (1 + ν) α ΔT ({across * 1e6:.1f} µm)")
    rows = []
    errors, cells, tip = [], (8, 16, 32) if setting.quick else (2, 4, 8, 16, 32), 0.5 * ALPHA * 50. / 0.1 * 0.04
    for n in cells:
        nodes = bar_nodes(n, 0.2)
        place = {p: i for i, p in enumerate(nodes)}
        # u = α g (x y, (y² − x² − z²)/2, y z) has the strain α g y in all directions; two planes of it slide, and one point stays.
        pins = (f'<PartialFixedProjectiveConstraint name="left" indices="{chosen(nodes, lambda p: p[0] == 0.)}" fixedDirections="1 0 0"/>'
                f'<PartialFixedProjectiveConstraint name="back" indices="{chosen(nodes, lambda p: p[2] == 0.)}" fixedDirections="0 0 1"/>'
                f'<PartialFixedProjectiveConstraint name="foot" indices="{place[0., 0., 0.]}" fixedDirections="0 1 0"/>')
        bent = simulate(setting, steel(n, [500. * p[1] for p in nodes], pins, 0.2), 1, ["shape"]).points("shape")
        u, at = [], place[0.2, 0., 0.]
        for q, p in zip(bent, nodes):
            x, y, z = p
            exact = [5e2 * ALPHA * v for v in (x * y, 0.5 * (y * y - x * x - z * z), y * z)]
            u.append(math.sqrt(sum((a - b - c) ** 2 for a, b, c in zip(q, p, exact))))
        errors.append(mean(nodes, u) / tip)
        out.row("bent", n, bent[at][1], -tip)
        rows.append([n, f"{-1e6 * bent[at][1]:.2f}", f"{100. * (bent[at][1] / -tip - 1.):+.2f}%", f"{100. * errors[-1]:.2f}%"])
    found = order(errors)[-1]
    out.check(abs(found - 2.) < 0.1, f"a bar that is warmer on one side bends, with an error of order {found:.3f} (theory: 2)")
    out.table(f"The bar of which one side is warmer by 50 K; closed form of the tip: {1e6 * tip:g} µm. Error: root mean square over the bar, as a part of that",
              ["cells along the bar", "tip [µm]", "against the closed form", "error"], rows)
    chart = Chart("Bending by temperature", "size of cells [m]", "error, as a part of the tip's displacement", xlog=True, ylog=True)
    chart.line("simulated", [(0.2 / n, e) for n, e in zip(cells, errors)])
    chart.line("second order", [(0.2 / n, errors[-1] * (cells[-1] / n) ** 2) for n in cells], "#555555", "4 3", None)
    out.plot("", chart.svg())
    return out
