#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 60
"""Each rule of tools/lint finds its violation, at its place, and nothing in a clean tree."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("SOFA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
LICENCE = "// SPDX-License-Identifier: LGPL-2.1-or-later\n// Part of the Sofa-compatible simulation framework; see LICENSE.\n"
HEADER = LICENCE + "#pragma once\n"


def lint(files):
    """What tools/lint prints for a tree of the given files, and its exit status."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run([sys.executable, SOURCE / "tools" / "lint", "--root", root], capture_output=True,
                              text=True, check=False, env={**os.environ, "GIT_CEILING_DIRECTORIES": root})
        return done.stdout, done.returncode


class Lint(unittest.TestCase):
    def expect(self, finding, files):
        output, status = lint(files)
        self.assertIn(finding, output)
        self.assertEqual(output.count("\n"), 2, "one finding and the count:\n" + output)
        self.assertEqual(status, 1)

    def test_clean_tree(self):
        output, status = lint({
            "core/math/A.h": HEADER + "#include <vector>\n",
            "core/io/B.h": HEADER + '#include "core/math/A.h"\n',
            "components/mass/C.cpp": LICENCE + '#include "core/io/B.h"\n',
            "scenes/a.scn": "<!-- A point that falls: ./run scenes/a.scn -->\n<Node/>\n",
            "tools/x": "#!/usr/bin/env python3\n" + LICENCE.replace("//", "#"),
        })
        self.assertEqual((output, status), ("lint: nothing found\n", 0))

    def test_licence(self):
        self.expect("core/A.h:1: licence:", {"core/A.h": "#pragma once\n"})
        self.expect("tools/x.py:1: licence:", {"tools/x.py": "import os\n"})

    def test_output(self):
        self.expect("components/io/A.cpp:3: output:", {"components/io/A.cpp": LICENCE + 'std::ofstream out("a");\n'})
        self.expect("plugins/a/A.cpp:3: output:", {"plugins/a/A.cpp": LICENCE + 'std::filesystem::create_directories("a");\n'})

    def test_length(self):
        self.expect("core/A.cpp:600: length: 601 lines", {"core/A.cpp": LICENCE + "\n" * 599})
        self.expect("tools/a.py:1000: length: 1001 lines", {"tools/a.py": LICENCE.replace("//", "#") + "\n" * 999})

    def test_path(self):
        self.expect("path: 4 folders deep", {"core/math/b/c/A.cpp": LICENCE})
        self.expect("path: path of 81 characters", {"docs/" + "a" * 73 + ".md": "x\n"})
        self.expect("path: path of 81 characters", {"tests/" + "a" * 72 + ".gz": b"\x1f\x8b"})
        self.expect("path: one .h and one .cpp", {"core/A.inl": "\n"})

    def test_layers(self):
        component = {"components/mass/M.h": HEADER}
        self.expect("core/A.cpp:3: layer: core/ never includes components/",
                    {"core/A.cpp": LICENCE + '#include "components/mass/M.h"\n', **component})
        self.expect("components/solver/S.cpp:3: layer: components/solver/ never includes another family",
                    {"components/solver/S.cpp": LICENCE + '#include "components/mass/M.h"\n', **component})
        upwards = {"core/math/A.cpp": LICENCE + '#include "core/io/B.h"\n', "core/io/B.h": HEADER}
        self.expect("core/math/A.cpp:3: layer: core/math/ is below core/io/ and never includes it: core/io/B.h", upwards)
        self.expect("core/new/A.cpp:1: layer: core/new/ has no place in the order of layers", {"core/new/A.cpp": LICENCE})
        self.expect("core/A.cpp:3: layer: GL/gl.h", {"core/A.cpp": LICENCE + "#include <GL/gl.h>\n"})
        self.expect("core/A.cpp:3: layer: QWidget", {"core/A.cpp": LICENCE + "#include <QWidget>\n"})

    def test_includes(self):
        self.expect("no file of this tree", {"core/A.cpp": LICENCE + '#include "core/Missing.h"\n'})
        self.expect("included with quotes", {"core/A.cpp": LICENCE + "#include <core/B.h>\n", "core/B.h": HEADER})
        self.expect("#pragma once", {"core/A.h": LICENCE})
        self.expect("core/A.h:4: include: no `using namespace`", {"core/A.h": HEADER + "using namespace std;\n"})

    def test_folders(self):
        own = LICENCE + "auto f = std::filesystem::temp_directory_path();\n"
        self.expect("tests/core/A.cpp:3: folder: tests run several at a time", {"tests/core/A.cpp": own})

    def test_leftovers(self):
        self.expect("core/A.cpp:3: unfinished", {"core/A.cpp": LICENCE + "// TO" + "DO later\n"})
        self.expect("docs/a.md:1: machine-path", {"docs/a.md": "see /ho" + "me/someone/file\n"})
        self.expect("core/A.cpp:3: swallowed", {"core/A.cpp": LICENCE + "void f() { try { g(); } catch (...) {\n} }\n"})
        self.expect("core/A.cpp:3: determinism", {"core/A.cpp": LICENCE + "int i = rand();\n"})

    def test_whitespace(self):
        self.expect("core/A.cpp:3: whitespace: trailing blanks", {"core/A.cpp": LICENCE + "int i; \n"})
        self.expect("core/A.cpp:3: whitespace: tabulator", {"core/A.cpp": LICENCE + "\tint i;\n"})
        self.expect("core/A.cpp:3: whitespace: lines end with LF", {"core/A.cpp": LICENCE + "int i;\r\n"})
        self.expect("core/A.cpp:3: whitespace: the last line", {"core/A.cpp": LICENCE + "int i;"})

    def test_prose(self):
        self.expect("docs/a.md:3: prose: 101 characters; at most 100", {"docs/a.md": "# A\n\n" + "word " * 20 + "w\n"})
        self.expect("a.md:1: prose: 101", {"a.md": "- " + "word " * 19 + "word\n"})
        self.expect("a.md:1: prose: 109", {"a.md": "see " * 2 + "[" + "link " * 10 + "](b.md)" + " word" * 8 + " ab\n"})
        self.expect("a.md:4: prose: 120", {"a.md": "```\n" + "x " * 60 + "\n```\n" + "word " * 24 + "\n"})

    def test_prose_that_may_be_long(self):
        long = "word " * 25
        page = ("é" * 40 + " " + "é" * 59 + "\n"  # 100 characters, twice as many bytes
                f"\n| {long} |\n\n# {long}\n\n```sh\n{long}\n```\n\n  ~~~\n{long}\n  ~~~\n"
                f"- [{long}](page.md)\n![{long}](a.png)\n`{long}`\n" + "x" * 120 + "\n")
        self.assertEqual(lint({"a.md": page}), ("lint: nothing found\n", 0))

    def test_scene_comment(self):
        self.expect("scenes/a.scn:1: scene:", {"scenes/a.scn": "<Node/>\n"})


if __name__ == "__main__":
    unittest.main()
