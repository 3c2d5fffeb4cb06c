# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Meshes of the experiments: bridges made by meshgen, kept in a folder of the build, and beams on grids."""
import math
import subprocess

# Edges of bridges with about as many vertices as those of the paper: 4,000, 21,000 and 107,000.
EDGES = {"L0": 0.25, "L1": 0.132, "L2": 0.071}
VOXELS = 0.19  # edge of the cubes of a bridge with about as many vertices as that of the paper, 3,923
QUICK = {"L0": 0.25, "L1": 0.2}
SPLIT = ((0, 5, 1, 6), (0, 1, 3, 6), (1, 3, 6, 2), (6, 3, 0, 7), (6, 7, 0, 5), (7, 5, 4, 0))


class Bridge:
    """A mesh file of a bridge with its points, the number of elements, and the point at the crown of an arch."""

    def __init__(self, meshgen, folder, edge, cubes=False):
        self.file = folder / f"bridge_{'cubes' if cubes else 'tetrahedra'}_{edge:g}.msh"
        if not self.file.exists():
            command = [str(meshgen), "bridge", str(self.file), repr(edge)] + (["--cubes"] if cubes else [])
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = iter(self.file.read_text().split("\n"))
        while next(lines) != "$Nodes":
            pass
        self.points = [tuple(map(float, next(lines).split()[1:])) for _ in range(int(next(lines)))]
        while next(lines) != "$Elements":
            pass
        self.elements = int(next(lines))
        self.crown = min(range(len(self.points)),
                         key=lambda i: sum((a - b) ** 2 for a, b in zip(self.points[i], (6., 3., 0.78))))

    @property
    def size(self):
        return f"{len(self.points):,} vertices, {self.elements:,} elements"

    def sideways(self, speed):
        """Velocities across the bridge that grow towards the crowns, as text; none where the bridge is fixed (x < 0.3 and
        x > 11.7), since fixed points keep the velocity they start with."""
        return " ".join(f"0 0 {speed * math.sin(math.pi * min(max(x - 0.31, 0.), 11.38) / 11.38) * y / 3.:.6g}"
                        for x, y, _ in self.points)

    def into(self, scene, velocity=None):
        """Puts the mesh into scenes/validation/bridge.scn."""
        scene.set("mesh", filename=str(self.file)).set("SubsetMapping", indices=str(self.crown))
        if velocity:
            scene.root.set("gravity", "0 0 0")
            scene.set("points", position="@mesh.position", velocity=velocity)
        return scene


def determinant(p, q, r, s):
    a, b, c = ([x[i] - p[i] for i in range(3)] for x in (q, r, s))
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def grid_tetrahedra(nx, ny, nz):
    """Six tetrahedra for each cell of a grid of nx x ny x nz cells, as point numbers; all have the sign of SPLIT."""
    def at(i, j, k):
        return i + (nx + 1) * (j + (ny + 1) * k)

    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                h = [at(i + a, j + b, k + c) for a, b, c in
                     ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]
                for t in SPLIT:
                    yield tuple(h[v] for v in t)


def grid_volume(x, nx, ny, nz):
    """Volume of a deformed grid [m3]: the sum over the split of its cells."""
    return abs(sum(determinant(*(x[v] for v in t)) for t in grid_tetrahedra(nx, ny, nz))) / 6.
