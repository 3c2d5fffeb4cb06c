# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""What things cost: figures 6 and 11 and tables 2, 3 and 4 of the paper. Times are those of runSofa's timers."""
import re

from report.chart import Chart
from report.dynamics import RATIO, YOUNG, bridge_scene
from report.experiment import Outcome
from report.page import significant

PHASES = (("forces", "INT"), ("stiffness", "STM"), ("solver", "SO"), ("step", "TOT"))


def times(run):
    """Milliseconds per step of forces, stiffness with assembly, solver and step."""
    factorization = run.phase("Factorize")
    return {"forces": run.phase("ComputeForce"), "stiffness": run.phase("SetSystem") - factorization,
            "solver": factorization + run.phase("Solve"), "step": run.step}


# --- figure 6

def threads(setting):
    """A step of the bridge of 21,000 vertices (St Venant-Kirchhoff, implicit Euler, direct solver) on one and more threads: internal forces (INT), stiffness and its
    assembly (STM), solver (SO) and the whole step (TOT)."""
    out = Outcome()
    out.data("threads", "forces [ms]", "stiffness [ms]", "solver [ms]", "step [ms]")
    bridge = setting.bridge("L0" if setting.quick else "L1")
    steps = 3 if setting.quick else 8
    found = {}
    for n in setting.threads:
        runs = [bridge_scene(bridge, velocity=bridge.sideways(2.)).run(setting.run_sofa, steps, threads=n, timers=True) for _ in range(2)]
        found[n] = {k: min(times(r)[k] for r in runs) for k, _ in PHASES}
        out.row(n, *(found[n][k] for k, _ in PHASES))
    chart = Chart("Speed on several threads", "threads", "times faster than one thread", xmin=1., ymin=0.,
                  subtitle=f"bridge, {bridge.size}", xticks=[(n, str(n)) for n in setting.threads])
    for k, label in PHASES:
        chart.line(f"{label} ({k})", [(n, found[1][k] / found[n][k]) for n in setting.threads])
    chart.line("ideal", [(n, n) for n in setting.threads], "#999999", "4 4", None, 1.3)
    out.plot("", chart.svg())
    header = ["threads"] + [f"{label}, ms (times faster)" for _, label in PHASES]
    out.table(f"Bridge, {bridge.size}:", header, [
        [n] + [f"{significant(found[n][k])} ({found[1][k] / found[n][k]:.2f})" for k, _ in PHASES] for n in setting.threads])
    out.check(all(found[n][k] > 0. for n in found for k, _ in PHASES), "every phase was measured")
    if len(found) > 1:
        out.note(f"on {setting.threads[1]} threads the whole step is {found[1]['step'] / found[setting.threads[1]]['step']:.2f} times faster; the paper's figure shows good "
                 "speed-ups to a few cores, with forces and stiffness scaling better than the direct solver")
    return out


# --- figure 11

def solver(setting):
    """The bridge of 4,000 vertices (St Venant-Kirchhoff, implicit Euler, 20 ms) against Young's modulus: Jacobi-preconditioned conjugate gradients, stopped at 10⁻⁶ of the
    initial residual, and the direct solver, on one and more threads."""
    out = Outcome()
    out.data("Young's modulus [Pa]", "threads", "iterations", "conjugate gradients [ms]", "direct [ms]")
    bridge = setting.bridge("L0")
    moduli = ("1e6", "1e8", "1e10") if setting.quick else ("1e5", "1e6", "1e7", "1e8", "1e9", "1e10")
    steps = 3 if setting.quick else 8
    counts = setting.threads[:1] if setting.quick else setting.threads
    found = {}

    def scene(young):
        return bridge_scene(bridge, velocity=bridge.sideways(0.1), young=young)

    def direct(young, n):
        return min(times(scene(young).run(setting.run_sofa, steps, threads=n, timers=True))["solver"] for _ in range(2))

    for young in moduli:
        for n in counts:
            iterative = scene(young).replace("solver", "PCGLinearSolver", iterations="20000", tolerance="1e-12", printLog="true").add(
                "bridge", "JacobiPreconditioner").run(setting.run_sofa, steps, threads=n, timers=True)
            iterations = [int(c) for c in re.findall(r"(\d+) iterations, stopped", iterative.output)]
            found[young, n] = [sum(iterations) / len(iterations), times(iterative)["solver"], direct(young, n)]
    for _ in range(4):  # other programs on the machine only make a run slower
        fastest = min(found[young, 1][2] for young in moduli)
        for young in moduli:
            if found[young, 1][2] > 1.5 * fastest:
                found[young, 1][2] = min(found[young, 1][2], direct(young, 1))
    for (young, n), values in found.items():
        out.row(float(young), n, *values)
    one = [found[young, 1] for young in moduli]
    out.check(all(a[0] < b[0] for a, b in zip(one, one[1:])),
              "conjugate gradient iterations grow with stiffness: " + ", ".join(f"{r[0]:.0f}" for r in one))
    out.check(one[-1][0] > 5. * one[0][0], f"... by {one[-1][0] / one[0][0]:.0f} times from {moduli[0]} to {moduli[-1]} Pa")
    spent = [r[2] for r in one]
    out.check_times(setting, max(spent) < 2. * min(spent),
                    f"the time of the direct solver does not ({min(spent):.1f} to {max(spent):.1f} ms per step)")
    for name, column, label in (("", 1, "milliseconds per step"), ("iterations", 0, "iterations")):
        chart = Chart("Solvers against stiffness", "Young's modulus [Pa]", label, xlog=True, ylog=True, subtitle=f"bridge, {bridge.size}")
        for n in counts:
            suffix = f", {n} thread{'s' if n > 1 else ''}"
            chart.line("conjugate gradients" + (suffix if column else ""), [(float(y), found[y, n][column]) for y in moduli])
            if not column:
                break
            chart.line("direct" + suffix, [(float(y), found[y, n][2]) for y in moduli], marker="square")
        out.plot(name, chart.svg())
    return out


# --- tables 2, 3, 4

MATERIALS = {
    "corotational": ("CorotationalLinearFEMForceField", {"warp": "1"}), "StVK": ("StVKFEMForceField", {}),
    "invertible StVK": ("InvertibleFEMForceField", {"material": "StVK"}),
    "invertible neo-Hookean": ("InvertibleFEMForceField", {"material": "neoHookean"}), "mass-spring": ("MassSpringForceField", None)}
# Table 2, INT + STM in ms: the tetrahedral bridge and the dragon (46,736 vertices, 160,553 tetrahedra). Their StVK is not the invertible one.
THEIRS = {"corotational": (32.1, 484.), "StVK": (99.8 + 191., 1219. + 2737.), "invertible StVK": (0.8 + 40.1, 15.5 + 582.),
          "invertible neo-Hookean": (1.6 + 41.3, 21.2 + 599.), "mass-spring": (0.8 + 4.1, 17.1 + 70.8)}
# Voxel bridge: there is no corotational row.
THEIR_VOXELS = {"StVK": 136. + 256., "mass-spring": 1.2 + 5.3}
# Table 3, bridge of tetrahedra, in ms without forces and stiffness; and table 4.
INTEGRATORS = {"implicit backward Euler": ("EulerImplicitSolver", 73.9), "implicit Newmark": ("NewmarkImplicitSolver", 70.0),
               "central differences": ("CentralDifferenceSolver", 19.0), "symplectic Euler": ("EulerExplicitSolver", 9.81)}
SOLVERS = {"direct (theirs: Pardiso)": ("SparseLDLSolver", {}, 72.), "direct, simplicial (theirs: SPOOLES)": (
    "EigenSimplicialLDLT", {}, 136.), "conjugate gradients, Jacobi": ("PCGLinearSolver", {"iterations": "20000", "tolerance": "1e-12"}, 9.1)}


def material_times(setting, bridge, material, cubes, steps):
    """(forces, stiffness with assembly) of a material, ms per step. A conjugate gradient iteration stands for the solver."""
    scene = bridge_scene(bridge, velocity=bridge.sideways(0.1))
    tag, extra = MATERIALS[material]
    elastic = {} if extra is None else {"youngModulus": YOUNG, "poissonRatio": RATIO}
    if extra is None:
        extra = {"tensileStiffness": "1e6"}
    scene.replace("material", tag, **elastic, **extra).replace("solver", "CGLinearSolver", iterations="1", tolerance="1e-9", threshold="1e-20")
    if cubes:
        scene.replace("MeshMatrixMass", "FEMMass", template="Vec3,Hexahedron", massDensity="1000")
    runs = [scene.run(setting.run_sofa, steps, timers=True) for _ in range(2)]
    return tuple(min(r.phase("material", inside) for r in runs) for inside in ("ComputeForce", "SetSystem"))


def tables(setting):
    """Forces (INT) and stiffness (STM) of five materials, integrators without them, and linear solvers, on one thread, as ratios to INT + STM of corotational elasticity on the same
    mesh: the paper's times were taken in 2011, the ratios tell what each part costs."""
    out = Outcome()
    out.data("table", "row", "mesh", "forces [ms]", "stiffness or other [ms]")
    meshes = [("L0", False), ("cubes", True)] if setting.quick else [("L0", False), ("L1", False), ("L2", False), ("cubes", True)]
    found = {}
    for label, cubes in meshes:
        bridge = setting.bridge("L0" if cubes else label, cubes)
        for material in MATERIALS:
            found[label, material] = material_times(setting, bridge, material, cubes, 3 if setting.quick or label == "L2" else 10)
            out.row("2", material, label, *found[label, material])
    total = {k: sum(v) for k, v in found.items()}
    rows = []
    for material in MATERIALS:
        row = [material]
        for label, _ in meshes:
            row += [significant(found[label, material][0]), significant(found[label, material][1]),
                    f"**{total[label, material] / total[label, 'corotational']:.2f}**"]
        bridge_ratio, dragon_ratio = (a / b for a, b in zip(THEIRS[material], THEIRS["corotational"]))
        rows.append(row + [f"{bridge_ratio:.2f}", f"{dragon_ratio:.2f}",
                           f"{THEIR_VOXELS[material] / THEIRS['corotational'][0]:.1f}" if material in THEIR_VOXELS else "–"])
    header = ["material"]
    for label, cubes in meshes:
        bridge = setting.bridge("L0" if cubes else label, cubes)
        name = f"{'cubes' if cubes else label} ({len(bridge.points):,} vertices)"
        header += [f"{name}: INT, ms", "STM, ms", "ratio"]
    out.table("Table 2, materials. Ratios are INT + STM over the corotational row of the same mesh (theirs of cubes: over their bridge of tetrahedra):",
              header + ["their bridge", "their dragon", "their cubes"], rows)
    unit = total["L0", "corotational"]
    bridge = setting.bridge("L0")
    steps = 3 if setting.quick else 20
    passes = 1 if setting.quick else 2
    rows, integrators = [], {}
    for name, (tag, theirs) in INTEGRATORS.items():
        explicit = tag in ("CentralDifferenceSolver", "EulerExplicitSolver")
        scene = bridge_scene(bridge, velocity=bridge.sideways(0.1), dt=1e-5 if explicit else 0.02)
        scene.replace("integrator", tag)
        t = min((times(scene.run(setting.run_sofa, steps, timers=True)) for _ in range(passes)), key=lambda r: r["step"])
        rest = t["step"] - t["forces"] - (0. if explicit else t["stiffness"])
        integrators[name] = rest
        out.row("3", name, "L0", t["forces"], rest)
        rows.append([name, significant(rest), f"**{rest / unit:.2f}**", f"{theirs:g}", f"{theirs / THEIRS['corotational'][0]:.2f}"])
    out.table("Table 3, integrators (the step without forces and stiffness; implicit ones with the direct solver), L0. Ratios are to INT + STM of corotational "
              "elasticity:", ["integrator", "ours, ms", "ratio", "theirs, ms", "ratio"], rows)
    rows, solvers = [], {}
    for name, (tag, extra, theirs) in SOLVERS.items():
        scene = bridge_scene(bridge, velocity=bridge.sideways(0.1))
        scene.replace("solver", tag, **extra)
        if tag == "PCGLinearSolver":
            scene.add("bridge", "JacobiPreconditioner")
        t = min((times(scene.run(setting.run_sofa, steps, timers=True))["solver"] for _ in range(passes)))
        solvers[name] = t
        out.row("4", name, "L0", 0., t)
        rows.append([name, significant(t), f"**{t / unit:.2f}**", f"{theirs:g}", f"{theirs / THEIRS['corotational'][0]:.2f}"])
    out.table("Table 4, linear solvers, L0 (Young's modulus 0.1 GPa; the time of conjugate gradients depends on it, see above). Ratios are to INT + STM of corotational "
              "elasticity:", ["solver", "ours, ms", "ratio", "theirs, ms", "ratio"], rows)
    out.check_times(setting, total["L0", "mass-spring"] < total["L0", "corotational"],
                    "mass-spring systems cost less than any finite element")
    out.check_times(setting, integrators["symplectic Euler"] < 0.5 * integrators["implicit backward Euler"],
                    "an explicit step costs a fraction of an implicit one")
    ratio = total["L0", "StVK"] / total["L0", "corotational"]
    out.note(f"St Venant-Kirchhoff costs {ratio:.1f} times corotational elasticity, {THEIRS['StVK'][0] / THEIRS['corotational'][0]:.1f} times in the paper, whose polynomials are "
             "of fourth order in the vertices of an element; here P = F S(E) and its derivative are evaluated as they stand")
    return out
