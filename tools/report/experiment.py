# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""What an experiment is given and what it gives."""
from report.meshes import EDGES, QUICK, VOXELS, Bridge


class Setting:
    """Programs, the folder for meshes, and how much to do."""

    def __init__(self, run_sofa, meshgen, folder, quick, cores):
        self.run_sofa, self.meshgen, self.folder, self.quick, self.cores = run_sofa, meshgen, folder, quick, cores
        self.bridges = {}

    def bridge(self, level, cubes=False):
        """The bridge of tetrahedra of a level L0, L1, L2, or of cubes."""
        edge = VOXELS if cubes else (QUICK if self.quick else EDGES)[level]
        key = (edge, cubes)
        if key not in self.bridges:
            self.bridges[key] = Bridge(self.meshgen, self.folder, edge, cubes)
        return self.bridges[key]

    @property
    def levels(self):
        return [level for level in EDGES if not self.quick or level in QUICK]

    @property
    def threads(self):
        """1, 2, 4 ... up to the cores of the machine."""
        return sorted({min(2 ** k, self.cores) for k in range(10)})


class Outcome:
    """Data (one table of numbers), plots, tables for the page, and findings, each of which holds or does not."""

    def __init__(self):
        self.header, self.rows = [], []
        self.plots, self.tables, self.findings, self.notes = [], [], [], []

    def data(self, *header):
        self.header = list(header)

    def row(self, *values):
        self.rows.append(list(values))

    def check(self, holds, text):
        """A finding of the paper, or of mechanics; where it does not hold, the tool fails."""
        self.findings.append([bool(holds), text])
        print(("  ok    " if holds else "  FALSE ") + text, flush=True)

    def check_times(self, setting, holds, text):
        """A finding about times: asserted by full runs, and noted by quick ones, which tests make on busy machines."""
        if setting.quick:
            self.note(text if holds else "not in this quick run: " + text)
        else:
            self.check(holds, text)

    def note(self, text):
        """An observation that is not asserted."""
        self.notes.append(text)
        print("        " + text, flush=True)

    def plot(self, name, svg):
        self.plots.append((name, svg))

    def table(self, caption, header, rows):
        self.tables.append([caption, header, rows])
