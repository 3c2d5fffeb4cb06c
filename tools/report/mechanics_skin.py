# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Skins that follow frames, compared with the closed forms of blending."""
import math

from report.chart import COLORS, Chart
from report.experiment import Outcome
from report.mechanics import axis_turn, simulate, text

RADIUS = 0.2


def tube(method, angle, shares, around=8):
    """Rings of a tube of 1 m about y, between a frame at its foot and one at its top, which is turned about the axis."""
    points = [(RADIUS * math.cos(2. * math.pi * k / around), s, RADIUS * math.sin(2. * math.pi * k / around)) for s in shares for k in range(around)]
    weights = "".join(f"[{1. - s!r} {s!r}]" for s in shares for _ in range(around))
    return (f'<Node name="root" dt="0.01" gravity="0 0 0"><DefaultAnimationLoop/><Node name="frames"><MechanicalObject name="bones" template="Rigid3" '
            f'rest_position="0 0 0 0 0 0 1  0 1 0 0 0 0 1" position="0 0 0 0 0 0 1  0 1 0 {text(axis_turn(1, angle))}"/>'
            f'<Node name="skin"><MechanicalObject name="points" position="{"  ".join(text(p) for p in points)}"/>'
            f'<SkinningMapping method="{method}" nbRef="2" indices="{"[0 1]" * len(points)}" weight="{weights}"/></Node></Node></Node>')


def skins(setting):
    """A tube (radius 0.2 m, 1 m long) follows two frames, of which the upper one is turned about its axis by φ; weights go from 1 to 0 along it. Blending places
    (SkinningMapping, Linear) makes it thinner, by √(1 − 2 s (1 − s) (1 − cos φ)) at a height of s, to nothing for 180°; blending motions (DualQuaternion: Kavan et al., ACM
    Transactions on Graphics 27(4), 2008) keeps its radius, and turns it by 2 atan(s sin(φ/2)/(1 − s + s cos(φ/2)))."""
    out = Outcome()
    out.data("method", "angle [degrees]", "height [m]", "radius [m]", "turned [degrees]")
    shares = [k / 40. for k in range(41)]
    chart = Chart("Radius of a twisted tube", "height [m]", "radius [m]", ymin=0., ymax=0.25)
    wrong = {"Linear": 0., "DualQuaternion": 0.}
    turned_wrong = 0.
    for i, degrees in enumerate((60., 120., 179.)):
        angle = math.radians(degrees)
        for method in wrong:
            points = simulate(setting, tube(method, angle, shares), 1, ["points"]).points("points", 0)
            line = []
            for j, s in enumerate(shares):
                ring = points[8 * j:8 * j + 8]
                radius = [math.hypot(p[0], p[2]) for p in ring]
                theory = RADIUS * (math.sqrt(max(0., 1. - 2. * s * (1. - s) * (1. - math.cos(angle)))) if method == "Linear" else 1.)
                wrong[method] = max(wrong[method], *(abs(r - theory) for r in radius), *(abs(p[1] - s) for p in ring))
                now = math.atan2(-ring[0][2], ring[0][0])  # about y, from x to −z
                if method == "DualQuaternion":
                    turned_wrong = max(turned_wrong, abs(now - 2. * math.atan2(s * math.sin(0.5 * angle), 1. - s + s * math.cos(0.5 * angle))))
                line.append((s, radius[0]))
                out.row(method, degrees, s, radius[0], math.degrees(now))
            linear = method == "Linear"
            chart.line(f"{degrees:g}°, {'places' if linear else 'motions'}", line, COLORS[i], "" if linear else "6 4", marker=None)
    out.check(wrong["Linear"] < 1e-14, f"blended places have the radius of the closed form (to {wrong['Linear']:.0e} m): with 179° 0.9% of it is left in the middle")
    out.check(wrong["DualQuaternion"] < 1e-14, f"blended motions keep the radius (to {wrong['DualQuaternion']:.0e} m)")
    out.check(turned_wrong < 1e-13, f"and turn each ring as far as the closed form says (to {turned_wrong:.0e} rad)")
    out.plot("", chart.svg())
    return out
