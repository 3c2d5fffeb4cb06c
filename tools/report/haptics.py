# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Haptic rendering against a wall and against tissue: the periods of its thread, and the energy that it makes."""
import csv
import pathlib
import subprocess
import tempfile

from report.experiment import Outcome
from report.page import significant

# The hand goes up and down once a second, from 3 cm above the surface to 1.5 cm below it: a mass of 0.1 kg, held by 300 N/m and 6 N s/m.
HAND = """<EmulatedHapticDevice name="hand" threaded="true" realTime="true" loop="true" handMass="0.1" handStiffness="300" handDamping="6" times="0 0.5 1"
    poses="0 0.03 0 0 0 0 1  0 -0.015 0 0 0 0 1  0 0.03 0 0 0 0 1"/>
    <MechanicalObject name="pose" template="Rigid3" position="0 0.03 0 0 0 0 1"/>"""
BALL = """<Node name="surface"><MechanicalObject position="0 -0.01 0"/><SphereCollisionModel radius="0.01" contactStiffness="10"/><RigidMapping/></Node>"""
DETECTION = """<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"""
PENALTY = f"""<DefaultAnimationLoop/>{DETECTION}<MinProximityIntersection alarmDistance="0.01" contactDistance="0.001"/>
  <CollisionResponse response="PenalityContactForceField"/>"""
CONSTRAINTS = f"""<FreeMotionAnimationLoop/><LCPConstraintSolver mu="0.2" tolerance="1e-7" maxIt="1000"/>{DETECTION}
  <LocalMinDistance alarmDistance="0.01" contactDistance="0.001"/><CollisionResponse response="FrictionContactConstraint"/>"""
WALL = """<Node name="wall"><RegularGridTopology n="5 1 5" min="-0.08 0 -0.08" max="0.08 0 0.08"/><MechanicalObject/>
    <TriangleCollisionModel simulated="false" moving="false" contactStiffness="20"/></Node>"""
TISSUE = """<Node name="tissue"><EulerImplicitSolver rayleighStiffness="0.02"/><SparseLDLSolver/>
    <RegularGridTopology n="9 4 9" min="-0.08 -0.05 -0.08" max="0.08 0 0.08"/><MechanicalObject/><UniformMass totalMass="1.2"/>
    <HexahedronFEMForceField youngModulus="8000" poissonRatio="0.4"/>
    <BoxROI name="bottom" box="-1 -0.051 -1 1 -0.049 1"/><FixedProjectiveConstraint indices="@bottom.indices"/>
    <LinearSolverConstraintCorrection/><TriangleCollisionModel contactStiffness="3"/></Node>"""


def tool(coupling):
    return f"""<Node name="tool"><EulerImplicitSolver/><SparseLDLSolver/>
    <MechanicalObject name="body" template="Rigid3" position="0 0.03 0 0 0 0 1"/><UniformMass totalMass="0.05"/>
    {coupling}<LinearSolverConstraintCorrection/>{BALL}</Node>"""


# Renderings: what is beside the device, the loop with its contacts, the tool.
SPRING = '<VirtualCoupling activate="true" stiffness="800" damping="2" angularStiffness="1" angularDamping="0.005" {}/>'
FOLLOW = '<RestShapeSpringsForceField external_rest_shape="@../device/pose" stiffness="800" angularStiffness="1"/>'
RENDERINGS = {
    "direct": (f'<DirectForceFeedback activate="true"/>{BALL}', PENALTY, ""),
    "virtual coupling": ("", CONSTRAINTS, tool(SPRING.format(""))),
    "the same, synchronous": ("", CONSTRAINTS, tool(SPRING.format('synchronous="true"'))),
    "the same, without artificial damping": ("", CONSTRAINTS, tool(SPRING.format('cancelArtificialDamping="true"'))),
    "constraints": ("", CONSTRAINTS, tool(FOLLOW + '<LCPForceFeedback activate="true" forceCoef="100"/>')),
}
OUTPUTS = ("deviceTime", "meanPeriod", "periodDeviation", "longestPeriod", "longestComputation", "largestForce", "largestWork", "work")


def run(program, rendering, obstacle, seconds):
    beside, loop, body = RENDERINGS[rendering]
    scene = f"""<Node name="root" dt="0.01" gravity="0 0 0">{loop}<Node name="device">{HAND}{beside}</Node>{body}
  {WALL if obstacle == "wall" else TISSUE}</Node>"""
    with tempfile.TemporaryDirectory() as folder:
        file, out = pathlib.Path(folder) / "haptics.scn", pathlib.Path(folder) / "out.csv"
        file.write_text(scene)
        probes = [x for name in OUTPUTS for x in ("--probe", f"@/device/hand.{name}")]
        done = subprocess.run([program, "-g", "batch", "-n", str(round(seconds * 100)), *probes, "--csv", str(out), str(file)],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{rendering}, {obstacle}: {done.stdout}{done.stderr}")
        with out.open() as stream:
            last = list(csv.reader(stream))[-1]
        return dict(zip(OUTPUTS, map(float, last[-len(OUTPUTS):])))


def haptics(setting):
    """A hand presses a ball against a wall and against a block of tissue (8 kPa) once a second, for a minute. The loop of the emulated device runs in a thread of
    its own at 1 kHz, with real-time priority where the system grants it, steps of 10 ms in another. The work is that of the device on the hand: what is passive takes work away, whatever the hand does; where it is
    above zero, energy came out of nothing."""
    outcome = Outcome()
    seconds = 2 if setting.quick else 60
    outcome.data("rendering", "obstacle", *OUTPUTS)
    rows, all_runs = [], {}
    for obstacle in ("wall", "tissue"):
        for rendering in RENDERINGS:
            r = all_runs[rendering, obstacle] = run(setting.run_sofa, rendering, obstacle, seconds)
            outcome.row(rendering, obstacle, *(r[name] for name in OUTPUTS))
            rows.append([rendering, obstacle, *(significant(1e3 * r[name], 3) for name in OUTPUTS[1:5]), significant(r["largestForce"], 3),
                         significant(1e3 * r["largestWork"], 3), significant(1e3 * r["work"], 3)])
    outcome.table("Periods of the loop [ms], force [N], work on the hand [mJ]",
                  ["rendering", "obstacle", "mean period", "deviation", "longest", "longest computation", "largest force", "largest work", "work"], rows)
    touches = round(seconds)
    for rendering, obstacle in (("virtual coupling", "wall"), ("virtual coupling", "tissue"), ("constraints", "tissue")):
        r = all_runs[rendering, obstacle]
        outcome.check_times(setting, r["work"] < 0. and r["largestWork"] < 1e-3, f"{rendering} against the {obstacle} is passive: work never reaches 1 mJ, and "
                            "ends below zero")
    r = all_runs["constraints", "wall"]
    outcome.check_times(setting, r["work"] < 5e-4 * touches, "constraints against the wall have no damping of their own: what the force gains because it is held "
                        "for a period is below 0.5 mJ a touch, which the damping of the hand takes")
    for obstacle in ("wall", "tissue"):
        r = all_runs["direct", obstacle]
        outcome.check_times(setting, r["work"] > 0.1 * touches, f"direct coupling against the {obstacle} is not passive: above 0.1 J a touch")
    outcome.check_times(setting, all(r["meanPeriod"] < 1.1e-3 for r in all_runs.values()), "the thread keeps 1 kHz: mean periods are within 10%")
    outcome.check_times(setting, all(r["longestComputation"] < 1e-3 for (rendering, _), r in all_runs.items() if rendering != "constraints"),
                        "couplings compute for less than a period")
    return outcome
