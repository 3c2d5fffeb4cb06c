# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Iterative solvers against the number of unknowns."""
import math

from report.chart import Chart
from report.experiment import Outcome
from report.mechanics import order, simulate
from report.page import significant

STATIC = ('<StaticSolver newtonSolver="@newton"/><NewtonRaphsonSolver name="newton" maxNbIterationsNewton="1" requireConvergence="0" warnWhenDiverge="0" '
          'warnWhenLineSearchFails="0"/>')


def beam(n, preconditioner):
    return (f'<Node name="root" dt="1" gravity="0 -9.81 0"><DefaultAnimationLoop/>{STATIC}'
            '<PCGLinearSolver name="cg" template="CompressedRowSparseMatrixMat3x3d" iterations="20000" tolerance="1e-16" automaticPreconditioner="0" '
            f'preconditioner="@p"/>{preconditioner}'
            f'<RegularGridTopology name="grid" n="{4 * n + 1} {n + 1} {n + 1}" min="0 0 0" max="4 1 1"/><MechanicalObject name="x"/><UniformMass totalMass="1"/>'
            '<BoxROI name="end" box="-0.01 -1 -1 0.01 2 2"/><FixedProjectiveConstraint indices="@end.indices"/>'
            '<HexahedronFEMForceField youngModulus="1e6" poissonRatio="0.3" method="small"/></Node>')


# Name: component, and cells across up to which it is run.
PRECONDITIONERS = {
    "Jacobi": ('<JacobiPreconditioner name="p"/>', 32),
    "incomplete Cholesky": ('<IncompleteCholeskyPreconditioner name="p" template="CompressedRowSparseMatrixMat3x3d"/>', 16),
    "multigrid": ('<MultigridPreconditioner name="p" template="CompressedRowSparseMatrixMat3x3d"/>', 32),
}


def multigrid(setting):
    """Conjugate gradients with three preconditioners for the static deflection of a beam (1 m × 1 m × 4 m, hexahedra of linear strain) under its weight, from 1,275
    unknowns to 421,443: iterations until the residual is 10⁻⁸ of the load, in the norm of the preconditioner. Theory: the condition number grows as h⁻², and with it
    iterations as h⁻¹ for preconditioners that are local; those of multigrid at most with the logarithm of the unknowns."""
    out = Outcome()
    out.data("preconditioner", "cells across", "unknowns", "iterations", "tip [m]")
    sizes = (4, 8, 16) if setting.quick else (4, 8, 16, 32)
    chart = Chart("Iterations of conjugate gradients", "unknowns", "iterations", xlog=True, ylog=True, ymin=1., ymax=1000.)
    taken, tips, rows = {}, {}, []
    for name, (component, most) in PRECONDITIONERS.items():
        for n in (n for n in sizes if n <= most):
            corner = (n + 1) * (4 * n + 1) * n + 4 * n  # at x = 4, y = 0, z = 1
            run = simulate(setting, beam(n, component), 1, probes=["@/cg.lastIterations", f"@/x.position:{corner}:y"])
            taken[name, n], tips[name, n] = int(run.rows[-1][-2]), run.rows[-1][-1]
            out.row(name, n, 3 * (n + 1) ** 2 * (4 * n + 1), taken[name, n], tips[name, n])
        chart.line(name, [(3 * (n + 1) ** 2 * (4 * n + 1), taken[name, n]) for n in sizes if n <= most])
        rows.append([name, *(str(taken.get((name, n), "–")) for n in sizes)])
    a, b = sizes[-2:]
    local = order([taken["Jacobi", b], taken["Jacobi", a]])[0]
    out.check(abs(local - 1.) < 0.1, f"iterations with Jacobi's grow with the power {local:.3f} of the cells across (theory: 1): from {taken['Jacobi', a]} to {taken['Jacobi', b]}")
    a, b = [n for n in sizes if n <= 16][-2:]
    local = order([taken["incomplete Cholesky", b], taken["incomplete Cholesky", a]])[0]
    out.check(abs(local - 1.) < 0.1, f"with incomplete Cholesky with {local:.3f} (theory: 1)")
    growth = taken["multigrid", sizes[-1]] / taken["multigrid", sizes[0]]
    few, many = (3 * (n + 1) ** 2 * (4 * n + 1) for n in (sizes[0], sizes[-1]))
    out.check(growth < math.log(many) / math.log(few), f"with multigrid from {taken['multigrid', sizes[0]]} to {taken['multigrid', sizes[-1]]}, {growth:.2f} times, while "
              f"unknowns grow {many / few:.0f} times: more slowly than their logarithm ({math.log(many) / math.log(few):.2f} times)")
    apart = max(abs(tips[name, n] / tips["multigrid", n] - 1.) for name, n in tips)
    out.check(apart < 1e-5, f"all find the same deflection, to {significant(apart, 1)} of it")
    out.table("Iterations, of cells across the beam", ["preconditioner", *(str(n) for n in sizes)], rows)
    out.plot("", chart.svg())
    return out
