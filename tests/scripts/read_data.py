#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""Every Data and link of a component is read by code; one that nothing reads is a promise that is not kept. What scenes may
still give without an effect is declared by Base::ignoreAttribute, which tells so when a scene gives it."""
import bisect
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("SOFA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = ("core", "components", "applications", "plugins")
# What needs no reader, with the reason why that is no lie.
NEEDS_NO_READER = {
    "PlasticMaterial": "its parameters are for force fields that follow them; it warns where none does",
    "MeshTopology.uv": "for visual models (src, links)",
    "QuadBendingFEMForceField.method": "it has one choice, and refuses others",
}

# What helper classes make, which have no member d_ or l_ for it.
MADE_BY_HELPERS = {
    "input_topology", "output_topology", "triangleList", "quadList", "polynomialStiffness", "polynomialDegree", "quadsOutROI",
    "hexahedraOutROI",
}

DECLARATION = re.compile(r"^[ \t]*(?!return\b|delete\b|throw\b|else\b|case\b)(?:mutable )?[\w:]+(?:<[^;{}()=]*>)?\s+"
                         r"([dl]_\w+)\s*(?=[{;])", re.M)
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
NAME = re.compile(r'"([^"\s]+)"')
CLASS = re.compile(r"^(?:template\s*<[^;{]*>\s*)?(?:class|struct)\s+(\w+)[^;{}()]*\{", re.M)
FUNCTION = re.compile(r"^(?![#/ }])[^\n;={}]*?\b(\w+)(?:<[^\n;{}()]*>)?::~?\w+\(", re.M)
# What is no reading: other names and properties, and, of what scenes give, writing.
SETUP = re.compile(r"addAlias\(\s*(?:this->)?$")
INITIALISER = re.compile(r"\s*[({]\s*&?\*?(?:this|owner)\b")
OF_ANOTHER = re.compile(r"(?<!\bthis)(?:->|\.)\s*$")
PROPERTY = re.compile(r"\s*\.\s*(?:setDefault|setDisplayed|setRequired|setReadOnly|setSaved|setWatched|setGroup|addAlias)\(")
WRITING = re.compile(r"\s*\.\s*(?:setValue|resetToDefault|setPath|set)\(")


def blank(match):
    """Comments without their text, strings as they are."""
    text = match.group()
    return text if text[0] == '"' else re.sub(r"[^\n]", " ", text)


class Source:
    """A file: its text without comments, which class each place belongs to, and its members."""

    def __init__(self, path, name):
        self.name = name
        self.text = COMMENT.sub(blank, path.read_text())
        self.regions = []  # (begin, end, class), the inner ones later
        for m in CLASS.finditer(self.text):
            self.regions.append((m.start(), self.end_of(m.end() - 1), m.group(1)))
        for m in FUNCTION.finditer(self.text):
            end = self.text.find("\n}", m.end())
            self.regions.append((m.start(), len(self.text) if end < 0 else end, m.group(1)))
        self.regions.sort()
        self.begins = [r[0] for r in self.regions]
        self.declarations = {m.start(1): m for m in DECLARATION.finditer(self.text)}

    def end_of(self, brace):
        depth = 0
        for m in re.compile(r'[{}]|"(?:\\.|[^"\\\n])*"').finditer(self.text, brace):
            depth += {"{": 1, "}": -1}.get(m.group(), 0)
            if depth == 0:
                return m.end()
        return len(self.text)

    def class_at(self, place):
        for begin, end, name in reversed(self.regions[:bisect.bisect_right(self.begins, place)]):
            if place < end:
                return name
        return None

    def declared(self):
        """(place, member, name, class, whether scenes give it) of each Data and link."""
        for place, m in self.declarations.items():
            body = self.text[m.end():self.end_of(m.end())] if self.text[m.end()] == "{" else ""
            named = NAME.search(body)
            given = bool(body) and "readOnly = true" not in body and " output(" not in body and "Output" not in m.group()
            yield place, m.group(1), named.group(1) if named else m.group(1)[2:], self.class_at(place), given


def scan(root):
    sources = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                name = path.relative_to(root).as_posix()
                sources[name] = Source(path, name)
    return sources


def unread(root):
    """Findings "file:line: Class.attribute: ...", and the names of all attributes that were seen."""
    sources = scan(root)
    included_by = collections.defaultdict(set)
    for name, source in sources.items():
        for other in re.findall(r'#include "([^"]+)"', source.text):
            included_by[other].add(name)
    reach = {}

    def users(name):
        if name not in reach:
            seen, todo = {name}, [name]
            while todo:
                for n in included_by[todo.pop()] - seen:
                    seen.add(n)
                    todo.append(n)
            reach[name] = seen
        return reach[name]

    occurrences = collections.defaultdict(list)  # member -> (file, place, class)
    holders = collections.defaultdict(set)  # member -> classes that declare one of this name
    quoted = {name: set(NAME.findall(source.text)) for name, source in sources.items()}
    members = []
    for name, source in sources.items():
        for m in re.finditer(r"\b[dl]_\w+", source.text):
            if m.start() not in source.declarations:
                occurrences[m.group()].append((source, m.start(), m.end(), source.class_at(m.start())))
        for place, member, attribute, owner, given in source.declared():
            holders[member].add(owner)
            members.append((source, place, member, attribute, owner, given))

    findings, names = [], set()
    for source, place, member, attribute, owner, given in members:
        names.add(attribute)
        read = written = False
        for at, begin, end, user in occurrences[member]:
            if at.name not in users(source.name):
                continue
            if user != owner and user in holders[member] and not OF_ANOTHER.search(at.text, max(0, begin - 40), begin):
                continue
            if (SETUP.search(at.text, max(0, begin - 30), begin) or PROPERTY.match(at.text, end) or
                    INITIALISER.match(at.text, end)):
                continue
            if given and WRITING.match(at.text, end):
                written = True
                continue
            read = True
            break
        # By its name, as windows do which do not know the class.
        read = read or f'find("{attribute}")' in source.text or any(
            attribute in q and (owner in q or f'findData("{attribute}")' in sources[n].text)
            for n, q in quoted.items() if n not in users(source.name))
        if not read and not {owner, f"{owner}.{attribute}"} & set(NEEDS_NO_READER):
            line = source.text.count("\n", 0, place) + 1
            findings.append(f"{source.name}:{line}: {owner}.{attribute}: " +
                            ("only written" if written else "nothing reads it"))
    return findings, names


class ReadData(unittest.TestCase):
    def find(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / "components" / "a" / name.replace("_", ".")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [f.split(": ", 1)[1] for f in unread(root)[0]]

    DRAG = ('class Drag : public Component\n{{\npublic:\n    Data<double> d_drag{{this, {{.name = "drag", .help = "Drag"}},'
            ' 1.}};\n    Link<State> l_state{{this, {{"state", "State"}}}};\n    {more}\n}};\n')
    USE = '#include "components/a/Drag.h"\nvoid Drag::init()\n{\n    use(d_drag.value(), *l_state);\n}\n'

    def test_what_is_read_is_no_finding(self):
        self.assertEqual(self.find(Drag_h=self.DRAG.format(more=""), Drag_cpp=self.USE), [])

    def test_what_nothing_reads_is_found(self):
        more = 'Data<bool> d_wind{this, {.name = "wind", .help = "Wind"}, false};'
        self.assertEqual(self.find(Drag_h=self.DRAG.format(more=more), Drag_cpp=self.USE), ["Drag.wind: nothing reads it"])
        link = 'Link<Component> l_air{this, {"air", "Air"}};  // l_air is read'
        self.assertEqual(self.find(Drag_h=self.DRAG.format(more=link), Drag_cpp=self.USE), ["Drag.air: nothing reads it"])

    def test_other_names_defaults_and_writing_are_no_reading(self):
        more = 'Data<bool> d_wind{this, {.name = "wind", .help = "Wind"}, false};\n    Drag();'
        for use in ('addAlias(d_wind, "breeze");', "this->d_wind.setDefault(true);"):
            found = self.find(Drag_h=self.DRAG.format(more=more), Drag_cpp=self.USE + "Drag::Drag() { " + use + " }\n")
            self.assertEqual(found, ["Drag.wind: nothing reads it"])
        found = self.find(Drag_h=self.DRAG.format(more=more), Drag_cpp=self.USE + "Drag::Drag() { d_wind.setValue(1); }\n")
        self.assertEqual(found, ["Drag.wind: only written"])
        result = more.replace('"Wind"}', '"Wind", .readOnly = true}')
        found = self.find(Drag_h=self.DRAG.format(more=result), Drag_cpp=self.USE + "Drag::Drag() { d_wind.setValue(1); }\n")
        self.assertEqual(found, [])

    def test_a_member_of_that_name_in_another_class_is_no_reading(self):
        other = self.DRAG.replace("Drag", "Lift").format(more="")
        use = self.USE.replace("Drag::", "Lift::")
        both = self.find(Drag_h=self.DRAG.format(more="") + other, Drag_cpp=use)
        self.assertEqual(both, ["Drag.drag: nothing reads it", "Drag.state: nothing reads it"])
        apart = self.find(Drag_h=self.DRAG.format(more=""), Lift_h=other, Lift_cpp=use.replace("Drag.h", "Lift.h"))
        self.assertEqual(apart, ["Drag.drag: nothing reads it", "Drag.state: nothing reads it"])

    def test_every_data_is_read(self):
        findings, names = unread(SOURCE)
        self.assertEqual(findings, [], "nothing reads these: let them act, or declare them by ignoreAttribute:\n" +
                         "\n".join(findings))
        self.assertGreater(len(names), 1000)

    @unittest.skipUnless("RUNSOFA" in os.environ, "needs runSofa")
    def test_the_check_sees_every_attribute_of_the_registry(self):
        listed = subprocess.run([os.environ["RUNSOFA"], "--list-components", "--format", "json"], capture_output=True,
                                check=True).stdout
        _, names = unread(SOURCE)
        missed = {d["name"] for c in json.loads(listed) for kind in ("data", "links") for d in c[kind]
                  if re.sub(r"\d+$", "", d["name"]) not in names and d["name"] not in names}
        self.assertEqual(missed, MADE_BY_HELPERS, "their declarations are not recognised, or are by now")
        classes = {c["class"] for c in json.loads(listed)}
        self.assertEqual({name.split(".")[0] for name in NEEDS_NO_READER} - classes, set(), "no such components")


if __name__ == "__main__":
    unittest.main()
