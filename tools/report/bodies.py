# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Scenes of rigid bodies in contact, made of boxes, convex prisms and balls, and what is measured of them."""
import csv
import io
import json
import math
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from report.scene import Run, Scene

G = 9.81
COLORS = ("0.80 0.36 0.22 1", "0.86 0.70 0.40 1", "0.30 0.52 0.70 1", "0.45 0.62 0.38 1")


def add(a, b, s=1.):
    return [p + s * q for p, q in zip(a, b)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def turn(axis, angle):
    """A quaternion (x, y, z, w)."""
    s = math.sin(0.5 * angle) / norm(axis)
    return [s * a for a in axis] + [math.cos(0.5 * angle)]


def rotate(q, v):
    t = [2. * c for c in cross(q[:3], v)]
    return add(add(v, t, q[3]), cross(q[:3], t))


def text(*numbers):
    return " ".join(repr(float(v)) for v in numbers)


class Shape:
    """A convex body in its own axes: corners, normals of faces and directions of edges."""

    def __init__(self, corners, normals, edges):
        self.corners, self.normals, self.edges = corners, normals, edges

    def at(self, frame):
        q = frame[3:7]
        return Shape([add(frame[:3], rotate(q, c)) for c in self.corners], [rotate(q, n) for n in self.normals],
                     [rotate(q, e) for e in self.edges])


def box_shape(half):
    units = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]
    corners = [[(1. if i & 1 else -1.) * half[0], (1. if i & 2 else -1.) * half[1], (1. if i & 4 else -1.) * half[2]] for i in range(8)]
    return Shape(corners, units, units)


def prism(outline, depth):
    """A convex prism: its outline in the plane of x and y, anticlockwise, and its depth along z; and triangles of its surface."""
    n = len(outline)
    corners = [[x, y, -0.5 * depth] for x, y in outline] + [[x, y, 0.5 * depth] for x, y in outline]
    normals, edges = [[0., 0., 1.]], [[0., 0., 1.]]
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1]):
        long = math.hypot(x1 - x0, y1 - y0)
        normals.append([(y1 - y0) / long, (x0 - x1) / long, 0.])
        edges.append([(x1 - x0) / long, (y1 - y0) / long, 0.])
    triangles = [(0, i + 1, i) for i in range(1, n - 1)] + [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i)]
    return Shape(corners, normals, edges), triangles


def moments_of(outline):
    """Area, centre and polar moment of area about the centre of a polygon."""
    area = cx = cy = polar = 0.
    sides = list(zip(outline, outline[1:] + outline[:1]))
    for (x0, y0), (x1, y1) in sides:
        d = x0 * y1 - x1 * y0
        area, cx, cy = area + d / 2., cx + (x0 + x1) * d / 6., cy + (y0 + y1) * d / 6.
        polar += d * (x0 * x0 + x0 * x1 + x1 * x1 + y0 * y0 + y0 * y1 + y1 * y1) / 12.
    cx, cy = cx / area, cy / area
    return area, (cx, cy), polar - area * (cx * cx + cy * cy)


def gap(a, b):
    """How far two convex bodies are apart, by the axis that separates them best: normals of faces, of pairs of edges, and across
    parallel edges the way between the nearest corners; negative if they overlap."""
    axes = list(a.normals) + list(b.normals)
    near = min((add(p, q, -1.) for p in a.corners for q in b.corners), key=norm)
    for e in a.edges:
        for f in b.edges:
            n = cross(e, f)
            if norm(n) < 1e-4:
                n = add(near, e, -dot(near, e))
            if norm(n) > 1e-9:
                axes.append([c / norm(n) for c in n])
    best = -math.inf
    for n in axes:
        pa, pb = [dot(n, c) for c in a.corners], [dot(n, c) for c in b.corners]
        best = max(best, min(pb) - max(pa), min(pa) - max(pb))
    return best


def penetration(shapes, frames, contact_distance, pairs):
    """By how much bodies are nearer to each other than the contact distance, at most [m]."""
    at = {i: shapes[i].at(frames[i]) for pair in pairs for i in pair}
    return max([0.] + [contact_distance - gap(at[i], at[j]) for i, j in pairs])


class World(Scene):
    """A scene of bodies with Lagrangian contacts, whose components have their default settings unless others are given.
    `mu`: coefficient of friction. `distance`: contact distance. `alarm`: distance at which detection begins to look."""

    def __init__(self, mu, distance=1e-3, dt=0.01, alarm=None, gravity="0 -9.81 0", solver="BlockGaussSeidelConstraintSolver",
                 method="LocalMinDistance", **settings):  # pylint: disable=super-init-not-called
        self.root = ElementTree.Element("Node", name="root", dt=repr(dt), gravity=gravity)
        self.dt, self.bodies, self.shapes, self.probes = dt, [], {}, []
        self.child(self.root, "FreeMotionAnimationLoop")
        self.child(self.root, solver, name="solver", **settings)
        for tag in ("CollisionPipeline", "BruteForceBroadPhase", "BVHNarrowPhase"):
            self.child(self.root, tag)
        self.child(self.root, method, alarmDistance=repr(alarm or 10. * distance), contactDistance=repr(distance))
        self.child(self.root, "CollisionResponse", response="FrictionContactConstraint", responseParams=f"mu={mu!r}")

    @staticmethod
    def child(parent, tag, **attributes):
        return ElementTree.SubElement(parent, tag, attributes)

    def node(self, name):
        return self.child(self.root, "Node", name=name)

    def body(self, name, position, mass, moments, velocity=None):
        """Node of a rigid body that moves. `position`: 3 or 7 numbers; `moments`: principal moments of inertia."""
        node = self.node(name)
        self.child(node, "EulerImplicitSolver")
        self.child(node, "CGLinearSolver")
        frame = list(position) + [0., 0., 0., 1.][:7 - len(position)]
        given = {"velocity": text(*velocity)} if velocity else {}
        self.child(node, "MechanicalObject", name=name, template="Rigid3", position=text(*frame), **given)
        a, b, c = (m / mass for m in moments)
        self.child(node, "UniformMass", vertexMass=f"{mass!r} 1 [{a!r} 0 0,0 {b!r} 0,0 0 {c!r}]")
        self.child(node, "UncoupledConstraintCorrection")
        self.bodies.append((name, mass, list(moments)))
        return node

    def obstacle(self, name, position):
        node = self.node(name)
        self.child(node, "MechanicalObject", name=name, template="Rigid3", position=text(*position, *[0., 0., 0., 1.][:7 - len(position)]))
        return node

    def box(self, name, half, position, mass=None, density=1000., color=None, velocity=None, **attributes):
        """A box that moves (half lengths of its sides), or with mass 0 one that does not."""
        if mass is None:
            mass = 8. * density * half[0] * half[1] * half[2]
        if mass:
            a, b, c = (h * h for h in half)
            node = self.body(name, position, mass, [mass * (b + c) / 3., mass * (a + c) / 3., mass * (a + b) / 3.], velocity)
        else:
            node = self.obstacle(name, position)
            attributes.update(moving="0", simulated="0")
        color = color or ("0.62 0.64 0.66 1" if not mass else COLORS[len(self.bodies) % 3])
        self.child(node, "OBBCollisionModel", extents=text(*half), color=color, **attributes)
        self.shapes[name] = box_shape(half)
        return node

    def ball(self, name, radius, position, mass, color=None, velocity=None, **attributes):
        node = self.body(name, position, mass, [0.4 * mass * radius * radius] * 3, velocity)
        self.child(node, "SphereCollisionModel", radius=repr(radius), color=color or COLORS[2], **attributes)
        return node

    def prism(self, name, outline, depth, position, density=1000., solid_depth=None, solid=None, color=None):
        """A convex prism (outline about its centre of mass) as a mesh of triangles. `solid`, `solid_depth`: what its mass is that of."""
        area, _, polar = moments_of(solid or outline)
        deep = solid_depth or depth
        mass = density * area * deep
        across = mass * (deep * deep / 12. + 0.5 * polar / area)
        node = self.body(name, position, mass, [across, across, mass * polar / area])
        self.shapes[name], triangles = prism(outline, depth)
        self.surface(node, self.shapes[name].corners, triangles, color)

    def surface(self, node, corners, triangles, color=None, fixed=False):
        """A mesh of triangles that the frame of the node carries, with its edges and corners, for collisions."""
        below = self.child(node, "Node", name="surface")
        self.child(below, "MeshTopology", name="mesh", position="  ".join(text(*c) for c in corners),
                   triangles="  ".join(" ".join(map(str, t)) for t in triangles))
        self.child(below, "MechanicalObject")
        still = {"moving": "0", "simulated": "0"} if fixed else {}
        for tag in ("TriangleCollisionModel", "LineCollisionModel", "PointCollisionModel"):
            self.child(below, tag, color=color or COLORS[len(self.bodies) % 3], **still)
        self.child(below, "RigidMapping")

    def camera(self, position, look_at, flags="showVisual hideAxes"):
        self.child(self.root, "VisualStyle", displayFlags=flags)
        self.child(self.root, "InteractiveCamera", position=text(*position), lookAt=text(*look_at))
        return self

    def start(self):
        """The frames of bodies and obstacles at the beginning, by name."""
        return {e.get("name"): [float(v) for v in e.get("position").split()] for e in self.root.iter("MechanicalObject") if e.get("name")}

    def simulate(self, program, steps, every=1, timeout=3600.):
        """Runs the scene: frames of the bodies, energies and iterations of the solver at every `every`th step."""
        with tempfile.TemporaryDirectory() as folder:
            scene, record, table = (pathlib.Path(folder) / n for n in ("scene.scn", "record.json", "table.csv"))
            ElementTree.ElementTree(self.root).write(scene)
            command = [str(program), "-g", "batch", "--threads", "1", "-n", str(steps), "--every", str(every), "--record", str(record),
                       "--record-states", ",".join(name for name, _, _ in self.bodies), "--csv", str(table)]
            for probe in ("@/.kineticEnergy", "@/.potentialEnergy", "@/solver.currentIterations", "@/solver.unconvergedSolves", *self.probes):
                command += ["--probe", probe]
            done = subprocess.run([*command, str(scene)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                                  timeout=timeout, check=False)
            if done.returncode:
                raise RuntimeError(f"runSofa failed:\n{done.stdout}{done.stderr}")
            return Motion(self, done.stdout + done.stderr, record, table)


class Motion(Run):
    """Frames and velocities of the bodies (lists by name), times, energies."""

    def __init__(self, world, output, record, table):
        super().__init__(0, output, json.loads(record.read_text())["frames"])
        self.world = world
        self.x, self.v = {}, {}
        for frame in self.frames:
            for s in frame["states"]:
                name = s["path"].split("/")[-1]
                self.x.setdefault(name, []).append(s["x"])
                self.v.setdefault(name, []).append(s["v"])
        lines = list(csv.DictReader(io.StringIO(table.read_text())))
        columns = list(lines[0])
        self.t = [float(r["time"]) for r in lines]
        self.kinetic, self.potential, self.iterations, self.unconverged = ([float(r[c]) for r in lines] for c in columns[2:6])
        self.more = [[float(r[c]) for r in lines] for c in columns[6:]]  # the world's own probes

    def drift(self, name, k=-1):
        return norm(add(self.x[name][k][:3], self.x[name][0][:3], -1.))

    def most_drift(self, k=-1, names=None):
        return max(self.drift(n, k) for n in (names or self.x))

    def penetration(self, distance, pairs, k=-1):
        """By how much the bodies of these pairs of names are nearer to each other than the contact distance, at most [m]."""
        start = self.world.start()
        frames = {n: self.x[n][k] if n in self.x else start[n] for pair in pairs for n in pair}
        return penetration(self.world.shapes, frames, distance, pairs)
