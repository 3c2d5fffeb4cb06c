#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 60
"""docs/components.md is what the program says of its components, in lines of 100 columns. `--update` writes it anew."""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("SOFA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools"))
from report.page import wrapped  # noqa: E402

RUNSOFA = os.environ.get("RUNSOFA", str(SOURCE / "build" / "release" / "bin" / "runSofa"))
PAGE = SOURCE / "docs" / "components.md"


def main():
    # Somewhere else, so that no file of the present folder is mistaken for one of the program.
    with tempfile.TemporaryDirectory() as elsewhere:
        generated = subprocess.run([RUNSOFA, "--list-components", "--format", "markdown"], capture_output=True,
                                   encoding="utf-8", check=True, cwd=elsewhere).stdout
    generated = wrapped(generated.split("\n"))
    if "--update" in sys.argv[1:]:
        PAGE.write_text(generated, encoding="utf-8")
        print(f"wrote {PAGE}")
        return 0
    faults = []
    anchors = {"#" + re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
               for title in re.findall(r"^#+ (.*)$", generated, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]*)\)", generated):
        if target.startswith("#") and target not in anchors:
            faults.append(f"there is no title for the link {target}")
        elif target.startswith("../") and not (PAGE.parent / target).exists():
            faults.append(f"the link {target} leads nowhere")
    for line in generated.splitlines():
        if line.startswith("|") and len(re.findall(r"(?<!\\)\|", line)) not in (4, 7):
            faults.append(f"a row of the table has neither 6 nor 3 cells: {line}")
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if committed != generated:
        difference = difflib.unified_diff(committed.splitlines(), generated.splitlines(), "docs/components.md",
                                          "the program", lineterm="", n=0)
        faults += list(difference)[:20]
        faults.append("docs/components.md is out of date; write it anew with\n"
                      "    python3 tests/scripts/components_page.py --update")
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
