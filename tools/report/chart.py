# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Charts as SVG text, for the pages that tools write: lines and points over linear or logarithmic axes, and bars.

Only the standard library is needed, and the same data give the same text.
"""
import html
import math

from report.page import significant

# Okabe and Ito's palette: told apart with every kind of colour vision.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#555555")
INK, FAINT, GRID = "#222222", "#5f6b76", "#e3e7eb"
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def text_width(text, size=12.):
    """About how wide a text is in pixels."""
    narrow = sum(c in "iljtf.,:;'|()[] I" for c in text)
    return size * (0.62 * (len(text) - narrow) + 0.33 * narrow)


def number(v, largest=1e5):
    """A tick's label: 0.001, 250, 12,000, 3·10⁶; powers of ten from `largest` on."""
    if v == 0.:
        return "0"
    a = abs(v)
    if 1e-3 <= a < largest:
        return f"{v:,.10f}".rstrip("0").rstrip(".") if a < 1000. else f"{v:,.0f}"
    exponent = math.floor(math.log10(a) + 1e-9)
    mantissa = v / 10. ** exponent
    power = "10" + str(exponent).translate(SUPERSCRIPT)
    return power if abs(mantissa - 1.) < 1e-6 else f"{mantissa:.3g}·{power}"


class Axis:
    """Values to pixels. Without bounds, those of the data, rounded outwards to ticks."""

    def __init__(self, values, log, low=None, high=None, ticks=6):
        self.log = log
        values = [v for v in values if v is not None and math.isfinite(v) and (v > 0. or not log)] or [1.]
        lo, hi = (min(values) if low is None else low), (max(values) if high is None else high)
        if log:
            if high is None and low is None and hi <= lo:
                lo, hi = 0.5 * lo, 2. * hi
            self.major = self._decades(lo, hi, low is None, high is None)
        else:
            if hi <= lo:
                hi = lo + (abs(lo) or 1.)
            step = self._step((hi - lo) / ticks)
            first = math.floor(lo / step + 1e-9) if low is None else math.ceil(lo / step - 1e-9)
            last = math.ceil(hi / step - 1e-9) if high is None else math.floor(hi / step + 1e-9)
            self.major = [k * step for k in range(first, last + 1)]
            self.low = min(self.major[0], lo) if low is None else lo
            self.high = max(self.major[-1], hi) if high is None else hi
            self.minor = []

    def labels(self):
        """Of the major ticks; along a logarithmic axis all large ones are powers of ten, or none."""
        largest = 1e3 if self.log and max(self.major) >= 1e5 else 1e5
        return {v: number(v, largest) for v in self.major}

    @staticmethod
    def _step(rough):
        power = 10. ** math.floor(math.log10(rough))
        return next(m * power for m in (1., 2., 2.5, 5., 10.) if m * power >= rough * 0.999)

    def _decades(self, lo, hi, free_low, free_high):
        marks = [m * 10. ** e for e in range(math.floor(math.log10(lo)) - 1, math.ceil(math.log10(hi)) + 2)
                 for m in range(1, 10)]
        # Outwards to the next of 1, 2, 5.
        good = [m for m in marks if round(m / 10. ** math.floor(math.log10(m * 1.0001))) in (1, 2, 5)]
        self.low = max((m for m in good if m <= lo * 1.001), default=lo) if free_low else lo
        self.high = min((m for m in good if m >= hi * 0.999), default=hi) if free_high else hi
        inside = [m for m in marks if self.low * 0.999 <= m <= self.high * 1.001]
        tens = [m for m in inside if abs(math.log10(m) - round(math.log10(m))) < 1e-9]
        self.minor = inside
        if len(tens) >= 3:
            return tens
        return [m for m in inside if m in good] if len(tens) >= 1 and len(inside) > 9 else inside

    def fraction(self, v):
        if self.log:
            return math.log(v / self.low) / math.log(self.high / self.low)
        return (v - self.low) / (self.high - self.low)


class Canvas:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def text(self, x, y, value, size=12., anchor="start", color=INK, bold=False, turn=None):
        weight = ' font-weight="bold"' if bold else ""
        rotate = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{color}"'
                          f'{weight}{rotate}>{html.escape(value)}</text>')

    def line(self, x1, y1, x2, y2, color=INK, width=1., dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}" stroke-width="{width:g}"{dashes}/>')

    def polyline(self, points, color, width=2., dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width:g}" '
                          f'stroke-linejoin="round"{dashes}/>')

    def rect(self, x, y, w, h, color, title=""):
        inner = f"<title>{html.escape(title)}</title>" if title else ""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(w, 0.):.1f}" height="{h:.1f}" fill="{color}">{inner}</rect>')

    def marker(self, shape, x, y, color, size=4.):
        if shape == "circle":
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" fill="{color}"/>')
            return
        corners = {"square": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "diamond": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
                   "triangle": ((0, -1.3), (1.2, 0.9), (-1.2, 0.9)), "ring": None}[shape]
        if corners is None:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" fill="white" stroke="{color}" stroke-width="2"/>')
        else:
            path = " ".join(f"{x + size * 0.95 * a:.1f},{y + size * 0.95 * b:.1f}" for a, b in corners)
            self.parts.append(f'<polygon points="{path}" fill="{color}"/>')

    def svg(self):
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                          f'viewBox="0 0 {self.width} {self.height}" font-family="{FONT}">',
                          '<rect width="100%" height="100%" fill="white"/>', *self.parts, "</svg>", ""])


class Chart:
    """Lines and points over two axes, with the legend on the right.

        chart = Chart("Title", "time [s]", "height [m]", xlog=False, ylog=False)
        chart.line("coarse", [(0, 1), (1, 2)])
        text = chart.svg()
    """

    def __init__(self, title, xlabel, ylabel, xlog=False, ylog=False, subtitle="", **bounds):
        self.title, self.subtitle, self.xlabel, self.ylabel = title, subtitle, xlabel, ylabel
        self.xlog, self.ylog, self.bounds = xlog, ylog, bounds
        self.width, self.height = bounds.pop("width", 820), bounds.pop("height", 430)
        self.xticks = bounds.pop("xticks", None)  # [(value, label)] instead of computed ones
        self.series, self.levels, self.notes = [], [], []

    def line(self, name, points, color=None, dash="", marker="circle", width=2., legend=True):
        """Points joined by a line; marker None: no marks; width 0: marks only."""
        color = color or COLORS[sum(1 for s in self.series if s["legend"]) % len(COLORS)]
        self.series.append({"name": name, "points": [p for p in points if p[1] is not None and math.isfinite(p[1])],
                            "color": color, "dash": dash, "marker": marker, "width": width, "legend": legend})

    def points(self, name, points, color=None, marker="circle", legend=True):
        self.line(name, points, color, "", marker, 0., legend)

    def level(self, y, label, color=FAINT):
        """A dashed horizontal line with a label above its right end."""
        self.levels.append((y, label, color))

    def note(self, x, y, text, color=FAINT, anchor="start"):
        """Text at a place given in the axes' values."""
        self.notes.append((x, y, text, color, anchor))

    def svg(self):
        names = [s for s in self.series if s["legend"] and s["name"]]
        legend = max([text_width(s["name"]) for s in names], default=0.)
        right = 24. if not names else legend + 60.
        top = 58. if self.subtitle else 44.
        xs = [p[0] for s in self.series for p in s["points"]]
        ys = [p[1] for s in self.series for p in s["points"]] + [y for y, _, _ in self.levels]
        b = self.bounds
        xa = Axis(xs, self.xlog, b.get("xmin"), b.get("xmax"))
        ya = Axis(ys, self.ylog, b.get("ymin"), b.get("ymax"))
        labels = ya.labels()
        left = 46. + max(text_width(t) for t in labels.values())
        w, h = self.width - left - right, self.height - top - 54.
        c = Canvas(self.width, self.height)

        def px(v):
            return left + w * xa.fraction(v)

        def py(v):
            return top + h * (1. - ya.fraction(v))

        c.text(left, 24, self.title, 15., bold=True)
        if self.subtitle:
            c.text(left, 42, self.subtitle, 11.5, color=FAINT)
        for v in ya.minor:
            c.line(left, py(v), left + w, py(v), "#f1f3f5")
        for v in xa.minor:
            c.line(px(v), top, px(v), top + h, "#f1f3f5")
        last = -1e9
        for v, label in self.xticks or xa.labels().items():
            x = px(v)
            c.line(x, top, x, top + h, GRID)
            half = text_width(label) / 2.
            if x - half > last + 4.:
                c.text(x, top + h + 18, label, anchor="middle")
                last = x + half
        for v in ya.major:
            c.line(left, py(v), left + w, py(v), "#b9c0c7" if v == 0. and not self.ylog else GRID)
            c.text(left - 7, py(v) + 4, labels[v], anchor="end")
        c.line(left, top, left, top + h)
        c.line(left, top + h, left + w, top + h)
        c.text(left + w / 2, self.height - 12, self.xlabel, 12.5, "middle")
        c.text(16, top + h / 2, self.ylabel, 12.5, "middle", turn=-90)
        for y, label, color in self.levels:
            c.line(left, py(y), left + w, py(y), color, 1.3, "6 4")
            c.text(left + w - 4, py(y) - 5, label, 11., "end", color)
        c.parts.append(f'<clipPath id="plot"><rect x="{left - 6:.1f}" y="{top - 6:.1f}" width="{w + 12:.1f}" '
                       f'height="{h + 12:.1f}"/></clipPath><g clip-path="url(#plot)">')
        for s in self.series:
            at = [(px(x), py(y)) for x, y in s["points"] if not (self.ylog and y <= 0.)]
            if s["width"] and len(at) > 1:
                c.polyline(at, s["color"], s["width"], s["dash"])
            if s["marker"]:
                for x, y in at:
                    c.marker(s["marker"], x, y, s["color"])
        c.parts.append("</g>")
        for x, y, text, color, anchor in self.notes:
            c.text(px(x), py(y), text, 11., anchor, color)
        for i, s in enumerate(names):
            x, y = left + w + 16, top + 8 + 20 * i
            if s["width"]:
                c.line(x, y, x + 22, y, s["color"], max(s["width"], 2.), s["dash"])
            if s["marker"]:
                c.marker(s["marker"], x + 11, y, s["color"])
            c.text(x + 29, y + 4, s["name"])
        return c.svg()


def bars(title, xlabel, groups, parts, subtitle="", marks=(), xlog=False, width=820, values=significant, xmin=None):
    """Horizontal bars, stacked from `parts`, as SVG.

    groups: [(label, [value of each part])]; a label None leaves a gap and its second entry is a heading.
    parts: names for the legend (one name: none is drawn). marks: [(name, {label: value})], drawn as ticks on the bars.
    values: gives the text of a bar's total, or None.
    """
    rows = []
    for label, v in groups:
        rows.append((label, v, 22. if label is not None else 26.))
    left = 18. + max(text_width(label) for label, _, _ in rows if label is not None)
    top = 58. if subtitle else 44.
    legend = len(parts) > 1 or marks
    if legend:
        top += 22.
    h = sum(r[2] for r in rows)
    height = int(top + h + 56)
    totals = [sum(v) for label, v, _ in rows if label is not None]
    every = totals + [v for _, m in marks for v in m.values()]
    axis = Axis(every, xlog, xmin if xlog else 0.)
    w = width - left - 70.
    c = Canvas(width, height)

    def px(v):
        return left + w * axis.fraction(v)

    c.text(14, 24, title, 15., bold=True)
    if subtitle:
        c.text(14, 42, subtitle, 11.5, color=FAINT)
    if legend:
        x = left
        for i, name in enumerate(parts):
            c.rect(x, top - 20, 12, 12, COLORS[i % len(COLORS)])
            c.text(x + 18, top - 10, name)
            x += 18 + text_width(name) + 22
        for name, _ in marks:
            c.line(x + 5, top - 22, x + 5, top - 6, INK, 2.5)
            c.text(x + 14, top - 10, name)
            x += 14 + text_width(name) + 22
    for v in axis.major:
        c.line(px(v), top, px(v), top + h, GRID)
        c.text(px(v), top + h + 17, number(v), anchor="middle")
    y = top
    for label, v, size in rows:
        if label is None:
            c.text(left + 6, y + 18, v, 12.5, bold=True)
            y += size
            continue
        c.text(left - 8, y + 15, label, anchor="end")
        x, total = (axis.low if xlog else 0.), 0.
        for i, part in enumerate(v):
            total += part
            c.rect(px(x), y + 3, px(total) - px(x), size - 6, COLORS[i % len(COLORS)], f"{parts[i]}: {part:.4g}")
            x = total
        end = px(total)
        for name, m in marks:
            if label in m:
                at = px(m[label])
                c.line(at, y + 1, at, y + size - 1, INK, 2.5)
                end = max(end, at)
        if values:
            c.text(end + 6, y + 15, values(total), 11., color=FAINT)
        y += size
    c.line(left, top, left, top + h)
    c.text(left + w / 2, height - 12, xlabel, 12.5, "middle")
    return c.svg()
