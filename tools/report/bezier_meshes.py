# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Meshes of tetrahedra of the sizes in Bargteil and Cohen, "Animation of deformable bodies with quadratic Bézier finite elements", 2014: bars, a closed
tube that stands for the sculpture, a fin, rods that are wound to helices, and clubs; grids of cells, mapped."""
import math

from report.meshes import SPLIT, determinant

CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
# Five tetrahedra of a cell, with the four corners of its middle one in turn.
FIVE = (((0, 1, 3, 4), (2, 3, 1, 6), (5, 4, 6, 1), (7, 6, 4, 3), (1, 3, 4, 6)), ((1, 0, 5, 2), (3, 2, 7, 0), (4, 7, 5, 0), (6, 5, 7, 2), (0, 2, 5, 7)))
SIDES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))  # of a tetrahedron, seen from outside


class Mesh:
    """Points and tetrahedra, all of positive volume, and their edges, sorted."""

    def __init__(self, points, tetrahedra):
        self.points = [tuple(p) for p in points]
        self.tetrahedra = []
        for a, b, c, d in tetrahedra:
            positive = determinant(*(self.points[i] for i in (a, b, c, d))) > 0.
            self.tetrahedra.append((a, b, c, d) if positive else (a, c, b, d))
        self.edges = sorted({(min(a, b), max(a, b)) for t in self.tetrahedra for i, a in enumerate(t) for b in t[:i]})
        self._neighbours = None

    @property
    def size(self):
        return f"{len(self.points):,} points, {len(self.tetrahedra):,} tetrahedra"

    def at(self, axis, value):
        """The points in a plane."""
        return [i for i, p in enumerate(self.points) if abs(p[axis] - value) < 1e-9]

    def attributes(self):
        """What a topology in a scene needs."""
        return {"position": "  ".join(" ".join(f"{c:.9g}" for c in p) for p in self.points), "tetrahedra": "  ".join(" ".join(map(str, t)) for t in self.tetrahedra),
                "edges": "  ".join(f"{a} {b}" for a, b in self.edges)}

    def refined(self):
        """Each tetrahedron divided in eight, at the middles of its edges."""
        middle, points = {}, list(self.points)
        for a, b in self.edges:
            middle[a, b] = middle[b, a] = len(points)
            points.append(tuple(0.5 * (p + q) for p, q in zip(self.points[a], self.points[b])))
        result = []
        for t in self.tetrahedra:
            m = {(i, j): middle[t[i], t[j]] for i in range(4) for j in range(4) if i != j}
            result += [(t[i], *(m[i, j] for j in range(4) if j != i)) for i in range(4)]
            # The octahedron between them, along the shortest of its diagonals.
            pairs = (((0, 1), (2, 3), (0, 2), (1, 3), (1, 2), (0, 3)), ((0, 2), (1, 3), (0, 1), (2, 3), (1, 2), (0, 3)), ((0, 3), (1, 2), (0, 1), (2, 3), (0, 2), (1, 3)))
            best = min(pairs, key=lambda p: math.dist(points[m[p[0]]], points[m[p[1]]]))
            a, b, c, d, e, f = (m[k] for k in best)
            result += [(a, b, c, e), (a, b, e, d), (a, b, d, f), (a, b, f, c)]
        return Mesh(points, result)

    def non_zeros(self, quadratic):
        """Numbers in the lower triangle of the matrix, in blocks of nine as the paper counts them. `quadratic`: of each edge, whether its degree is 2."""
        if self._neighbours is None:
            number = {e: i for i, e in enumerate(self.edges)}
            corners, others = [set() for _ in self.edges], [set() for _ in self.edges]
            for t in self.tetrahedra:
                own = [number[min(a, b), max(a, b)] for i, a in enumerate(t) for b in t[:i]]
                for e in own:
                    corners[e].update(t)
                    others[e].update(k for k in own if k > e)
            self._neighbours = [(len(c), sorted(o)) for c, o in zip(corners, others)]
        blocks = len(self.points) + len(self.edges)
        for (corners, others), degree in zip(self._neighbours, quadratic):
            if degree:
                blocks += 1 + corners + sum(1 for k in others if quadratic[k])
        return 9 * blocks

    def border(self):
        """Triangles of one tetrahedron only, seen from outside."""
        found = {}
        for t in self.tetrahedra:
            for side in SIDES:
                triangle = tuple(t[i] for i in side)
                found.setdefault(tuple(sorted(triangle)), []).append(triangle)
        return [kept[0] for kept in found.values() if len(kept) == 1]


def grid(nx, ny, nz, place, cells=5, closed=False):
    """nx × ny × nz cells of five or six tetrahedra; `place` gives the point at fractions of the three directions. Closed: along the third direction the
    last cell meets the first."""
    layers = nz if closed else nz + 1

    def at(i, j, k):
        return i + (nx + 1) * (j + (ny + 1) * (k % layers))

    points = [place(i / nx, j / ny, k / nz) for k in range(layers) for j in range(ny + 1) for i in range(nx + 1)]
    tetrahedra = []
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                h = [at(i + a, j + b, k + c) for a, b, c in CORNERS]
                tetrahedra += [tuple(h[v] for v in t) for t in (SPLIT if cells == 6 else FIVE[(i + j + k) % 2])]
    return Mesh(points, tetrahedra)


# --- bars, 4.5 m × 0.5 m × 0.5 m along x

LENGTH, WIDTH = 4.5, 0.5


def in_bar(u, v, w):
    return (LENGTH * w, WIDTH * u, WIDTH * v)


def coarse_bar():
    """The bar of 41 points, 60 tetrahedra and 138 edges (the paper's: 41, 59 and 137): nine cells in a row, one of them with a point in its middle."""
    bar = grid(1, 1, 9, in_bar, cells=6)
    cell = bar.tetrahedra[24:30]
    centre = len(bar.points)
    points = [*bar.points, in_bar(0.5, 0.5, 0.5)]
    return Mesh(points, bar.tetrahedra[:24] + bar.tetrahedra[30:] + [(*t, centre) for t in Mesh(bar.points, cell).border()])


def wide_bar(cells):
    """Two by two cells across: with 16 along it 153 points, 320 tetrahedra and 608 edges (the paper's: 154, 313 and 608), with 12 117, 240 and 460 (123, 242
    and 477)."""
    return grid(2, 2, cells, in_bar)


# --- tubes

def rounded(u, v):
    """The square [0, 1]² to a square of half the side 1 with round sides: of a disc, corner elements would be flat."""
    x, y = 2. * u - 1., 2. * v - 1.
    return x * math.sqrt(1. - 0.35 * y * y), y * math.sqrt(1. - 0.35 * x * x)


def around_square(t):
    """The border of the square [0, 1]², once around for t from 0 to 1."""
    side, part = divmod(4. * t, 1.)
    return ((part, 0.), (1., part), (1. - part, 1.), (0., 1. - part))[int(side) % 4]


def unit(v):
    size = math.sqrt(sum(c * c for c in v))
    return [c / size for c in v]


def across(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Tube:
    """A tube around a curve: its centre and radius at a place 0 … 1 along it. Sections are perpendicular to the curve, turned as little as `up` allows."""

    def __init__(self, centre, radius, up=(0., 0., 1.), closed=False):
        self.centre, self.radius, self.up, self.closed = centre, radius, up, closed

    def frame(self, s):
        h = 1e-5
        along = unit([b - a for a, b in zip(self.centre(s - h), self.centre(s + h))])
        side = unit(across(self.up, along))
        return self.centre(s), side, across(along, side)

    def point(self, x, y, s):
        """At x, y in the section at s, in units of the radius."""
        c, side, top = self.frame(s)
        r = self.radius(s)
        return tuple(p + r * (x * a + y * b) for p, a, b in zip(c, side, top))

    def mesh(self, width, length, cells=5):
        return grid(width, width, length, lambda u, v, w: self.point(*rounded(u, v), w), cells, self.closed)

    def skin(self, around, length):
        """Points and triangles of the surface, seen from outside."""
        layers = length if self.closed else length + 1
        border = [rounded(*around_square(i / around)) for i in range(around)]
        points = [self.point(x, y, k / length) for k in range(layers) for x, y in border]
        triangles = []
        for k in range(length):
            for i in range(around):
                a, b = (i + around * k, (i + 1) % around + around * k)
                c, d = (i + around * ((k + 1) % layers), (i + 1) % around + around * ((k + 1) % layers))
                triangles += [(a, b, d), (a, d, c)]
        if not self.closed:
            for first, turned in ((0, True), (around * length, False)):
                ends = [(first, first + i, first + i + 1) for i in range(1, around - 1)]
                triangles += [t[::-1] for t in ends] if turned else ends
        return points, triangles


def ring(s):
    """A closed curve about 2 m wide that bends up and down twice on its way around."""
    t = 2. * math.pi * s
    return (math.cos(t), 1.1 * math.sin(t), 0.35 * math.cos(2. * t))


# The body that stands for the sculpture: it stands on its narrow side (y is up). Cells across and along for the sizes of table II (points, tetrahedra, edges).
SCULPTURE = Tube(lambda s: (ring(s)[0], ring(s)[1] + 1.5, ring(s)[2]), lambda s: 0.34 + 0.06 * math.cos(2. * math.pi * s + 1.), closed=True)
SCULPTURES = {"Coarse": (2, 14), "Moderate": (2, 26), "Fine": (3, 30), "VeryFine": (6, 38)}
# One of 25 bodies: 208 points, 540 tetrahedra (the paper's: 194, 525).
CLUB = Tube(lambda s: (0.9 * (s - 0.5), 0.12 * math.sin(math.pi * s), 0.06 * math.sin(2. * math.pi * s)),
            lambda s: 0.06 + 0.11 * math.exp(-((s - 0.25) / 0.2) ** 2) + 0.05 * math.exp(-((s - 0.85) / 0.1) ** 2))


def club():
    return CLUB.mesh(3, 12)


def fin(along=30, high=29, thick=2):
    """A swept and tapered fin, 1.2 m at its foot (y = 0) and 1.5 m high: 2,790 points, 8,700 tetrahedra (the paper's: 2,740, 8,705)."""
    def place(u, v, w):
        x = (1.2 - 0.7 * v) * u + 0.8 * v * v
        depth = (0.16 - 0.11 * v) * (0.25 + 0.75 * math.sin(math.pi * (0.08 + 0.84 * u)))
        return (x, 1.5 * v, depth * (w - 0.5))
    return grid(along, high, thick, place)


# --- rods

ROD, RADIUS, TURNS, PITCH = 0.1, 0.5, 5., 0.28  # width of the rod, radius and turns of the helix, rise for each turn [m]


def rod(cells):
    """A straight rod of square section along z, as long as the helix."""
    length = TURNS * math.hypot(2. * math.pi * RADIUS, PITCH)
    return grid(1, 1, cells, lambda u, v, w: (ROD * (u - 0.5), ROD * (v - 0.5), length * (w - 0.5)), cells=6)


def wound(p):
    """Where a point of the straight rod is on the helix about the y axis."""
    length = TURNS * math.hypot(2. * math.pi * RADIUS, PITCH)
    s = p[2] / length
    t = 2. * math.pi * TURNS * s
    r = RADIUS + p[0]
    rise = math.atan2(PITCH, 2. * math.pi * RADIUS)
    # The section is perpendicular to the curve.
    return (r * math.cos(t) + p[1] * math.sin(rise) * math.sin(t), TURNS * PITCH * s + p[1] * math.cos(rise), r * math.sin(t) - p[1] * math.sin(rise) * math.cos(t))
