#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# timeout: 900
"""The validation experiments on coarse meshes: the findings of the paper and of mechanics hold, and data, plots and the page
are written."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(os.environ["SOFA_SOURCE_DIR"]) / "tools" / "experiments"
BUILD = os.environ["SOFA_BUILD_DIR"]
NAMES = re.findall(r'^    "(\w+)": \(', TOOL.read_text(), re.M)
failed = []


def check(holds, text):
    if not holds:
        print(f"FAIL {text}")
        failed.append(text)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    p = subprocess.run([sys.executable, TOOL, "--all", "--quick", "--output", folder, "--build", BUILD])
    check(p.returncode == 0, f"exit status {p.returncode}")
    check(len(NAMES) == 41, f"experiments: {NAMES}")
    page = (folder / "README.md").read_text() if (folder / "README.md").exists() else ""
    for name in NAMES:
        for kind in ("csv", "json"):
            check((folder / f"{name}.{kind}").exists(), f"{name}.{kind} is missing")
        check(f"tools/experiments {name}`" in page, f"the page lacks {name}")
    for plot in re.findall(r"\]\((\w+\.svg)\)", page):
        text = (folder / plot).read_text()
        check(text.startswith("<svg") and not re.search(r"\bnan\b", text), f"{plot} is no plot")
    check("Does not hold" not in page, "a finding does not hold")

p = subprocess.run([sys.executable, TOOL, "lockin", "--build", BUILD], capture_output=True, text=True)
check(p.returncode == 2 and "no experiment 'lockin'" in p.stderr, f"a wrong name gives {p.returncode}: {p.stderr}")
sys.exit(1 if failed else 0)
