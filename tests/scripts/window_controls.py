#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 30
"""The table of tests/applications/qt/README.md names tests that exist: every control keeps the test that operates it."""
import os
import pathlib
import re
import sys

FOLDER = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tests" / "applications" / "qt"


def main():
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    sources = {f.stem: f.read_text(encoding="utf-8") for f in FOLDER.glob("*Test.cpp")}
    faults = []
    named = re.findall(r"`(\w+Test)::(\w+)`", table)
    for cls, test in named:
        if not re.search(rf"\bvoid {test}\(\)", sources.get(cls, "")):
            faults.append(f"README.md names {cls}::{test}, which is not there")
    for script in re.findall(r"`(tests/scripts/\w+\.py)`", table):
        if not (FOLDER.parents[2] / script).exists():
            faults.append(f"README.md names {script}, which is not there")
    # A control that lost its test would leave a row without one.
    for line in table.splitlines():
        cells = [c.strip() for c in line.split("|")[1:-1]]
        if len(cells) == 3 and not cells[0].startswith(("**", "---", "Control")) and "`" not in cells[1]:
            faults.append(f"README.md names no test for '{cells[0]}'")
    print("\n".join(faults) or f"{len(named)} tests of the window's controls are there")
    return 1 if faults or len(named) < 30 else 0


sys.exit(main())
