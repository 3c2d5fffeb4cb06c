# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""The larger examples of Bargteil and Cohen, "Animation of deformable bodies with quadratic Bézier finite elements", 2014: fin, helices with quadratic rest shapes, and 25
embedded bodies."""
import math
import xml.etree.ElementTree as ElementTree

from report import bezier_runs as runs
from report.bezier import stacked
from report.bezier_meshes import CLUB, Mesh, club, fin, rod, wound
from report.experiment import Outcome

HELICES = 12


# --- fin

def fin_case(kind, mesh):
    points = [(0.6 + 0.45 * k / 10., 0.15 * k, 0.) for k in range(1, 11)]
    return runs.Case("fin", kind, mesh).probe(points)


# --- embedded bodies

def place(i):
    """Of 25 bodies above the obstacles."""
    return (-0.32 + 0.16 * (i % 5), 0.1 + 0.4 * (i // 5), 0.07 * ((2 * i) % 5 - 2))


def embedded_case(kind, number):
    case = runs.Case("embedded_bodies", kind, club(), node="body0")
    case.root.set("dt", "0.005")
    return case.count(number, place)


# --- helices

def straight_and_wound(mesh):
    """Control points of a mesh, behind its points one for each edge, and where they are on the helix: of edges those that make the curve go through the place of its middle."""
    middles = [tuple(0.5 * (a + b) for a, b in zip(mesh.points[i], mesh.points[j])) for i, j in mesh.edges]
    curved = [wound(p) for p in mesh.points]
    for (i, j), m in zip(mesh.edges, middles):
        curved.append(tuple(2. * c - 0.5 * (a + b) for a, b, c in zip(wound(mesh.points[i]), wound(mesh.points[j]), wound(m))))
    return [*mesh.points, *middles], curved


def text(points):
    return "  ".join(" ".join(f"{c:.9g}" for c in p) for p in points)


def wind(setting, mesh, steps):
    """The end of a simulation: the rod, straight at rest, is held on the helix along one of its edges and at its ends, and the rest of it comes to rest."""
    rest, start = straight_and_wound(mesh)
    case = runs.Case("helices", "quadratic", mesh, node="helix0")
    case.set("mesh", position=text(rest), edgeControlPoints=" ".join(str(len(mesh.points) + e) for e in range(len(mesh.edges))), degrees=None)
    case.root.set("gravity", "0 0 0")
    for force in list(case.find("helix0")):
        if force.tag in ("PlaneForceField", "SphereForceField"):
            case.find("helix0").remove(force)
    ends = sorted(i for i, p in enumerate(mesh.points) if p[0] > 0. and p[1] > 0. or abs(p[2]) > 0.499 * abs(mesh.points[0][2]) * 2.)
    case.set("state", position=text(start), rest_position=text(rest), translation=None)
    case.add("helix0", "FixedProjectiveConstraint", indices=" ".join(map(str, ends)))
    case.set("integrator", rayleighMass="20")
    state = ElementTree.SubElement(case.find("helix0"), "Node", name="all")
    ElementTree.SubElement(state, "MechanicalObject", name="probe")
    ElementTree.SubElement(state, "IdentityMapping")
    run = case.measure(setting.run_sofa, steps, steps, True)
    if run.code != 0:
        raise RuntimeError("winding the rod diverged:\n" + run.output[-2000:])
    return run.motion[-1]


def helix_case(kind, mesh, shape, number):
    """Helices whose rest shape is curved (quadratic), or of straight elements between the same points (linear)."""
    case = runs.Case("helices", kind, mesh, node="helix0")
    if kind == "quadratic":
        case.set("mesh", position=text(shape), edgeControlPoints=" ".join(str(len(mesh.points) + e) for e in range(len(mesh.edges))), degrees=None)
    else:
        case.replace("mesh", "TetrahedronSetTopologyContainer", **Mesh(shape[:len(mesh.points)], mesh.tetrahedra).attributes())
        case.set("mass", template="Vec3,Tetrahedron")
    turned = [(0.2 * (i % 4 - 1.5), 0.9 + 0.42 * i, 0.15 * (i % 3 - 1)) for i in range(number)]
    return case.count(number, lambda i: turned[i])


def bodies(setting):
    """A swept and tapered fin (1.5 m high) whose foot is moved to and fro, twice a second; 25 bodies of 540 tetrahedra that fall through obstacles, which touch their embedded
    surfaces (in the paper rubber chickens); and twelve helices of 600 elements, whose curved rest shape is the end of a simulation, that of a straight rod of which one edge is
    held on a helix, dropped onto obstacles. The helices are of stable neo-Hookean material with 14 points of quadrature in each element, the others corotational. Obstacles push
    out points; bodies do not touch each other. Implicit Euler with 5 ms, conjugate gradients to 10⁻⁶, lumped masses, one thread. Of the helices the paper's columns are beside
    those of linear elements with straight edges between the same points. Columns are ratios to the linear row of the example; the paper has none for fin and helices."""
    out = Outcome()
    out.data(*runs.DATA)
    quick = setting.quick
    kinds = ("linear", "quadratic", "adaptive B") if not quick else ("linear", "adaptive B")
    mesh = fin(6, 8, 1) if quick else fin()
    cases = {kind: fin_case(kind, mesh) for kind in kinds}
    found = runs.compare(cases, setting.run_sofa, 20 if quick else 30, 1, 5)
    errors = {name: runs.apart(run.motion, found["quadratic"].motion) for name, run in found.items() if name != "quadratic"} if not quick else None
    runs.ratio_table(out, "Fin: ratios to the linear row; the error is the distance to the motion of quadratic elements", found, {}, cases, errors=errors)
    out.plot("fin", stacked("A step of the fin", found, mesh.size))
    if not quick:
        out.check(errors["adaptive B"] < errors["linear"], f"fin: adaptive elements move as quadratic ones to {100. * errors['adaptive B']:.1f}%, linear ones to {100. * errors['linear']:.0f}%")

    number = 3 if quick else 25
    cases = {kind: embedded_case(kind, number) for kind in kinds}
    found = runs.compare(cases, setting.run_sofa, 30 if quick else 120, 1, 5, False)
    theirs = {"linear": runs.BODIES["linear"], "quadratic": runs.BODIES["quadratic"], "adaptive B": runs.BODIES["adaptive"]}
    runs.ratio_table(out, f"{number} embedded bodies of 540 tetrahedra: ratios to the linear row", found, theirs, cases)
    out.plot("embedded", stacked(f"A step of {number} embedded bodies", found, f"each of {club().size}, with a surface of {len(CLUB.skin(12, 24)[0])} points"))

    cells, number = (20, 2) if quick else (100, HELICES)
    mesh = rod(cells)
    shape = wind(setting, mesh, 20 if quick else 60)
    moved = max(math.dist(p, q) for p, q in zip(shape, straight_and_wound(mesh)[1]))
    cases = {kind: helix_case(kind, mesh, shape, number) for kind in ("linear", "quadratic")}
    found = runs.compare(cases, setting.run_sofa, 10 if quick else 60, 1, 5, False)
    runs.ratio_table(out, f"{number} helices of {len(mesh.tetrahedra)} elements, curved at rest: ratios to straight linear elements", found, {}, cases)
    out.plot("helices", stacked(f"A step of {number} helices", found, f"each of {mesh.size}"))
    out.check(all(run.code == 0 for run in found.values()), f"{number} helices, whose rest shape is where winding ended (up to {1e3 * moved:.0f} mm from the geometric helix), fall on obstacles")
    return out
