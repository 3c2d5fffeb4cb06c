# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Random cuts through bodies of tetrahedra: what becomes of the elements."""
import concurrent.futures
import itertools
import math
import pathlib
import random
import subprocess
import tempfile

from report.bodies import add, cross, dot, norm, text
from report.chart import Chart
from report.experiment import Outcome
from report.page import significant

CELLS = 3
TETRAHEDRA = ((0, 5, 1, 6), (0, 1, 3, 6), (1, 3, 6, 2), (6, 3, 0, 7), (6, 7, 0, 5), (7, 5, 4, 0))
COUNTS = {0.001: 200, 0.05: 200, 0.1: 200, 0.15: 1000, 0.2: 200, 0.3: 200}  # of cuts for each value of snap; 0.15 is the default


def body(rng):
    """A cube of 1 m, of 27 cells of six tetrahedra each, its points moved at random by up to 0.15 of a cell."""
    n = CELLS + 1
    points = [[(c + rng.uniform(-0.15, 0.15)) / CELLS for c in (x, y, z)] for z in range(n) for y in range(n) for x in range(n)]
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    tetrahedra = []
    for x, y, z in itertools.product(range(CELLS), repeat=3):
        h = [x + i + n * (y + j + n * (z + k)) for i, j, k in corners]
        tetrahedra += [[h[i] for i in t] for t in TETRAHEDRA]
    return points, tetrahedra


def angles_and_stiffness(points, tetrahedra):
    """The smallest dihedral angle (degrees), the largest trace of the stiffness of an element (that of Laplace's equation, Σ A²/9V), which bounds the largest
    eigenvalue of the whole matrix, and the volume."""
    angle, trace, volume = 180., 0., 0.
    for t in tetrahedra:
        p = [points[i] for i in t]
        # Area vectors of the sides, outwards.
        sides = [[0.5 * c for c in cross(add(p[b], p[a], -1.), add(p[c], p[a], -1.))] for a, b, c in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))]
        v = dot(add(p[3], p[0], -1.), cross(add(p[1], p[0], -1.), add(p[2], p[0], -1.))) / 6.
        volume += v
        trace = max(trace, sum(dot(s, s) for s in sides) / (9. * v))
        for a, b in itertools.combinations(sides, 2):
            angle = min(angle, math.degrees(math.acos(max(-1., min(1., -dot(a, b) / (norm(a) * norm(b)))))))
    return angle, trace, volume


def pieces(count, tetrahedra):
    root = list(range(count))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i
    for t in tetrahedra:
        for i in t[1:]:
            root[find(i)] = find(t[0])
    return len({find(i) for i in range(count)})


def read_gmsh(path):
    """Points and tetrahedra of a text file of gmsh 2.2."""
    lines = path.read_text().splitlines()

    def section(name):
        at = lines.index("$" + name) + 1
        return [line.split() for line in lines[at + 1:at + 1 + int(lines[at])]]
    nodes = section("Nodes")
    number = {words[0]: i for i, words in enumerate(nodes)}
    tetrahedra = [[number[v] for v in words[3 + int(words[2]):]] for words in section("Elements") if words[1] == "4"]
    return [[float(c) for c in words[1:4]] for words in nodes], tetrahedra


def cut(program, seed, snap):
    """Cuts a body of its own by a blade that goes through it, or, every second one, to its middle."""
    rng = random.Random(seed)
    points, tetrahedra = body(rng)
    through = seed % 2 == 0
    normal = [rng.gauss(0., 1.) for _ in range(3)]
    u = cross(normal, [rng.gauss(0., 1.) for _ in range(3)])
    u = [c / norm(u) for c in u]
    v = [c / norm(cross(normal, u)) for c in cross(normal, u)]
    middle = [0.5 + rng.uniform(-0.1, 0.1) for _ in range(3)]
    way = 4. if through else 2.
    start = add(middle, v, -2. - way / 2.)  # it is placed after the first of three steps
    scene = f"""<Node name="root" dt="0.1" gravity="0 0 0">
  <Node name="body">
    <TetrahedronSetTopologyContainer position="{' '.join(text(*p) for p in points)}" tetrahedra="{' '.join(str(i) for t in tetrahedra for i in t)}"/>
    <TetrahedronSetTopologyModifier/><MechanicalObject/><CuttingManager active="true" snap="{snap}"/>
  </Node>
  <Node name="blade">
    <EulerExplicitSolver/>
    <MechanicalObject tags="CuttingTool" position="{text(*add(start, u, -3.))} {text(*add(start, u, 3.))}" velocity="{text(*[c * way * 5. for c in v] * 2)}"/>
    <UniformMass totalMass="1"/>
  </Node>
</Node>"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cut.scn").write_text(scene)
        done = subprocess.run([str(program), "-g", "batch", "--threads", "1", "-n", "3", "--export", str(folder / "cut.msh"), str(folder / "cut.scn")],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"runSofa failed:\n{done.stdout}{done.stderr}")
        after = read_gmsh(folder / "cut_body.msh")
    return angles_and_stiffness(points, tetrahedra), angles_and_stiffness(*after), pieces(len(after[0]), after[1]), through


def cuts(setting):
    """Random plane cuts by a blade (`CuttingManager`) through a jittered cube of 162 tetrahedra, every second one to its middle only, for several values of `snap`. The
    trace of the stiffness of an element bounds the largest eigenvalue of the matrix from above and below, up to constant factors (Shewchuk 2002), while the smallest one
    is that of the body: the condition number grows by no more than the largest trace."""
    out = Outcome()
    out.data("snap", "seed", "through", "smallest dihedral angle [deg]", "before", "largest trace, times before")
    chart = Chart("Smallest dihedral angle after a cut", "part of the cuts", "degrees", xmin=0., xmax=1., ymin=0., subtitle="random cuts for several values of snap")
    rows, worst, low = [], {}, {}
    conserved = complete = True
    for snap, count in COUNTS.items():
        count = 20 if setting.quick else count
        with concurrent.futures.ThreadPoolExecutor(setting.cores) as pool:
            found = list(pool.map(lambda seed, s=snap: cut(setting.run_sofa, seed, s), range(count)))
        angles, growth = [], []
        for seed, (before, after, parts, through) in enumerate(found):
            conserved = conserved and abs(after[2] - before[2]) <= 1e-12 * before[2]
            complete = complete and parts == (2 if through else 1)
            angles.append(after[0])
            growth.append(after[1] / before[1])
            out.row(snap, seed, int(through), after[0], before[0], after[1] / before[1])
        angles.sort()
        growth.sort()
        worst[snap] = angles[0], growth[-1]
        low[snap] = sum(a < 1. for a in angles) / count
        rows.append([snap, count] + [significant(v) for v in (angles[0], angles[count // 100], angles[count // 2], growth[count // 2], growth[count - 1 - count // 100], growth[-1])])
        chart.line(f"snap {snap}", [(i / (count - 1), angles[i]) for i in range(0, count, max(1, count // 100))], marker=None)
    out.plot("", chart.svg())
    out.table("Smallest dihedral angles, in degrees, and largest traces, relative to those before:", ["snap", "cuts", "smallest angle", "1% of the cuts below", "half below", "trace: half below", "99% below", "all below"], rows)
    out.check(conserved, "the volume is the same before and after, to 1e-12 of it, in all cuts")
    out.check(complete, "each cut through the body makes two of it, and each to its middle leaves one")
    out.check(low[0.15] <= 0.01, "of the cuts with the default snap of 0.15 at most one in a hundred leaves a dihedral angle below one degree")
    out.note("what is left below is where a blade, in a later step, goes through a point next to which it divided an edge before; larger values of snap make that rarer")
    out.check(worst[0.001][1] > worst[0.15][1], "the stiffness of the worst element is smaller with snap than almost without")
    return out
