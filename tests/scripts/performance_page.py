#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# timeout: 60
"""docs/performance.md and its plots are what tools/performance makes of docs/performance/data.json, with and without the
results of SOFA's scenes."""
import json
import os
import pathlib
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

    def test_without_data_it_says_so(self):
        done = render(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("data.json does not exist", done.stderr)


if __name__ == "__main__":
    unittest.main()
