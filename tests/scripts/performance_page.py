#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# timeout: 60
"""docs/performance.md and its plots are what tools/performance makes of docs/performance/data.json, with and without the
results of SOFA's scenes."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])


def render(folder):
    return subprocess.run([sys.executable, SOURCE / "tools" / "performance", "--render", "--output", folder], capture_output=True,
                          text=True)


class Page(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "performance").mkdir()
        self.data = self.folder / "performance" / "data.json"

    def tearDown(self):
        self.scratch.cleanup()

    def test_the_page_is_that_of_its_data(self):
        shutil.copy(SOURCE / "docs" / "performance" / "data.json", self.data)
        done = render(self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = [p.relative_to(self.folder) for p in sorted(self.folder.rglob("*")) if p.is_file()]
        kept = SOURCE / "docs"
        self.assertIn(pathlib.Path("performance/roofline.svg"), made)
        for name in made:
            self.assertEqual((self.folder / name).read_text(), (kept / name).read_text(),
                             f"{name}: tools/performance --render writes it anew")

    def test_without_reference_results_their_section_is_left_out(self):
        data = json.loads((SOURCE / "docs" / "performance" / "data.json").read_text())
        data["scenes"] = []
        self.data.write_text(json.dumps(data))
        self.assertEqual(render(self.folder).returncode, 0)
        page = (self.folder / "performance.md").read_text()
        self.assertIn("## Element kernels", page)
        self.assertNotIn("## Against SOFA", page)
        self.assertFalse((self.folder / "performance" / "scenes.svg").exists())

    def test_figures_of_one_thread_stand_beside_those_of_one_thread_only(self):
        page = (SOURCE / "docs" / "performance.md").read_text()
        headers = re.findall(r"^\S+, (one|\d+) threads?:\n\n(.*)$", page, re.M)
        self.assertGreaterEqual(len(headers), 2)
        self.assertTrue(any(threads != "one" for threads, _ in headers))
        for threads, header in headers:
            self.assertEqual("Vega" in header, threads == "one", header)
        products = re.search(r"^\| tetrahedra \| unknowns \| threads .*?\n\n", page, re.M | re.S).group().strip().splitlines()
        theirs = products[0].split("|").index(" Vega's over ours ")
        for row in (line.split("|") for line in products[2:]):
            self.assertEqual(row[theirs].strip() == "", row[3].strip() != "1", row)

    def test_parts_that_were_measured_apart_are_named(self):
        data = json.loads((SOURCE / "docs" / "performance" / "data.json").read_text())
        general = [data[k] for k in ("machine", "compiler", "revision", "date")]
        data["measured"] = {"elements": general, "linalg": [*general[:2], "0123abcd", "2001-02-03"]}
        self.data.write_text(json.dumps(data))
        self.assertEqual(render(self.folder).returncode, 0)
        page = " ".join((self.folder / "performance.md").read_text().split())
        self.assertIn("Measured apart: linalg, source 0123abcd, on 2001-02-03.", page)

    def test_without_data_it_says_so(self):
        done = render(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("data.json does not exist", done.stderr)


if __name__ == "__main__":
    unittest.main()
