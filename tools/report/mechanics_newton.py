# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Newton's method with exact and with approximate tangents: residuals from iteration to iteration."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import simulate, text

BAR = ('{solver}<RegularGridTopology name="grid" n="7 3 3" min="0 0 0" max="2 0.4 0.4"/><MechanicalObject name="x"/>'
       '<BoxROI name="end" box="-0.1 -1 -1 0.1 1 1"/><FixedProjectiveConstraint indices="@end.indices"/>'
       '<BoxROI name="tip" box="1.9 -1 -1 2.1 1 1"/><ConstantForceField indices="@tip.indices" totalForce="0 3 1"/>')
SHEET = ('{solver}<RegularGridTopology name="grid" n="5 5 1" min="0 0 0" max="1 1 0"/><MechanicalObject name="x"/>'
         '<BoxROI name="end" box="-0.1 -1 -1 0.1 2 1"/><FixedProjectiveConstraint indices="@end.indices"/>'
         '<BoxROI name="corner" box="0.9 0.9 -1 1.1 1.1 1"/><ConstantForceField indices="@corner.indices" totalForce="0 10 0"/>'
         '<RestShapeSpringsForceField stiffness="1"/>')
ELASTIC = 'youngModulus="3000" poissonRatio="0.3"'


def cable():
    """Nine points on a parabola, joined by stiff springs on the distances of neighbours, pulled aside."""
    points = [(i / 8., -1.2 * (i / 8.) * (1. - i / 8.), 0.) for i in range(9)]
    rest = [0.98 * math.dist(a, b) for a, b in zip(points, points[1:])]
    return (f'{{solver}}<MeshTopology name="mesh" position="{"  ".join(text(p) for p in points)}" edges="{" ".join(f"{i} {i + 1}" for i in range(8))}"/>'
            '<MechanicalObject name="x"/><FixedProjectiveConstraint indices="0 8"/><ConstantForceField indices="1-7" totalForce="0 -50 20"/><RestShapeSpringsForceField stiffness="20"/>'
            '<Node name="lengths"><MechanicalObject template="Vec1"/>'
            f'<DistanceMapping topology="@../mesh" restLengths="{text(rest)}" {{}}/><RestShapeSpringsForceField template="Vec1" stiffness="1e4"/></Node>')


# Four corners of a body on springs to places where they would be if it had turned by 1 rad and grown by half.
def cornered():
    corners = [(1., 0., 0.), (-0.5, 0.8, 0.), (-0.5, -0.8, 0.3), (0., 0., -1.)]
    c, s = math.cos(1.), math.sin(1.)
    places = [(1.5 * (c * x - s * y), 1.5 * (s * x + c * y), 1.5 * z + 0.2) for x, y, z in corners]
    return ('<Node name="places"><MechanicalObject name="to" position="' + "  ".join(text(p) for p in places) + '"/></Node>'
            '<Node name="body">{solver}<MechanicalObject name="x" template="Rigid3" position="0 0 0 0 0 0 1"/><Node name="corners"><MechanicalObject position="'
            + "  ".join(text(p) for p in corners) + '"/><RigidMapping {}/><RestShapeSpringsForceField stiffness="100" external_rest_shape="@../../places/to"/>'
            '</Node></Node>')


# Name: components with a place {} for attributes, those of the approximate tangent and of the exact one.
CASES = {
    "tetrahedra, polar": (BAR + f'<TetrahedronFEMForceField method="polar" {ELASTIC} {{}}/>', 'tangent="0"', 'tangent="1"'),
    "tetrahedra, large": (BAR + f'<TetrahedronFEMForceField method="large" {ELASTIC} {{}}/>', 'tangent="0"', 'tangent="1"'),
    "hexahedra, polar": (BAR + f'<HexahedronFEMForceField method="polar" {ELASTIC} {{}}/>', 'tangent="0"', 'tangent="1"'),
    "triangles": (SHEET + '<TriangleFEMForceField youngModulus="400" poissonRatio="0.3" {}/>', 'tangent="0"', 'tangent="1"'),
    "springs on distances": (cable(), 'geometricStiffness="None"', 'geometricStiffness="Exact"'),
    "points on a body": (cornered(), 'geometricStiffness="None"', 'geometricStiffness="Exact"'),
}


def residuals(setting, scene, most):
    """|r| after 0, 1, 2 ... iterations of Newton's method, up to 10⁻¹¹ of the first or to the last."""
    def run(iterations, steps):
        solver = ('<StaticSolver newtonSolver="@newton"/><NewtonRaphsonSolver name="newton" '
                  f'maxNbIterationsNewton="{iterations}" maxNbIterationsLineSearch="1" requireConvergence="0" warnWhenDiverge="0" warnWhenLineSearchFails="0" '
                  'relativeSuccessiveStoppingThreshold="0" relativeInitialStoppingThreshold="0" absoluteResidualStoppingThreshold="0"/><EigenSparseLU/>')
        whole = scene.replace("{solver}", solver)
        at = "/body" if "<Node name=\"body\">" in scene else ""
        return [r[-1] for r in simulate(setting, f'<Node name="root" dt="1" gravity="0 0 0"><DefaultAnimationLoop/>{whole}</Node>', steps,
                                        probes=[f"@{at}/newton.lastResidual"]).rows[1:]]

    found = run(0, 1) + run(1, most)
    return found[:next((k + 1 for k, r in enumerate(found) if r < 1e-11 * found[0]), len(found))]


def newton(setting):
    """Newton's method for static equilibria with large displacements, without a line search: the residual from iteration to iteration with exact tangents
    (`tangent="1"` of corotational elements, `geometricStiffness="Exact"` of mappings) and with approximate ones, which hold the frames of the elements,
    or the directions of mapped forces. A bar of 2 m (7 × 3 × 3 points) and a sheet that forces bend and turn; a cable of stiff springs on the distances
    of its points; a body that springs at four of its points turn by 1 rad. Theory: near the solution an exact tangent doubles the number of correct digits with each
    iteration, so that three lead from 10⁻² to 10⁻¹⁰ of the first residual; others gain a constant number of digits, or diverge."""
    out = Outcome()
    out.data("case", "tangent", "iteration", "residual [N]")
    chart = Chart("Newton's method", "iteration", "residual, as a part of the first", ylog=True, ymin=1e-13, ymax=1e3,
                  subtitle="exact tangents (lines) and approximate ones (dashed)")
    rows, slowest, fastest = [], 0, 99
    for i, (name, (scene, rough, exact)) in enumerate(CASES.items()):
        row = [name]
        for kind, attributes in (("exact", exact), ("approximate", rough)):
            r = residuals(setting, scene.replace("{}", attributes), 10 if kind == "exact" else 40)
            for k, value in enumerate(r):
                out.row(name, kind, k, value)
            chart.line(f"{name}" if kind == "exact" else "", [(k, v / r[0]) for k, v in enumerate(r)], COLORS[i], "" if kind == "exact" else "5 3",
                       "circle" if kind == "exact" else None, legend=kind == "exact")
            near = next((k for k, v in enumerate(r) if all(w < 1e-2 * r[0] for w in r[k:])), len(r))
            done = next((k for k, v in enumerate(r) if v < 1e-10 * r[0]), None)
            taken = None if done is None else done - near + 1
            if kind == "exact":
                slowest = max(slowest, 99 if taken is None else taken)
                row += [str(taken), str(done)]
            else:
                fastest = min(fastest, 99 if taken is None else taken)
                # Over two iterations: some tangents go to and fro.
                tail = r[:done] if done else r
                row += ["–" if taken is None else str(taken), "> 40" if done is None else str(done), f"{math.sqrt(tail[-1] / tail[-3]):.2f}"]
        rows.append(row)
    out.check(slowest <= 3, f"with exact tangents at most {slowest} iterations lead from 10⁻² to 10⁻¹⁰ of the first residual: convergence is quadratic")
    out.check(fastest > 6, f"with approximate tangents at least {fastest}: convergence is linear where there is any")
    out.table("Iterations from 10⁻² to 10⁻¹⁰ of the first residual, all iterations to there, and the factor of the residual in an iteration at the end:",
              ["case", "exact", "all", "approximate", "all", "factor"], rows)
    out.plot("", chart.svg())
    return out
