#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 60
"""What core says while scenes are edited (names of steps, changes that mend something, why an edit is refused) is in the
table of the windows, applications/qt/CoreTexts.cpp, so that it can be translated."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.))\'')


def plain(literal):
    return re.sub(r"\\(.)", r"\1", literal)


def arguments(text, at):
    """The arguments of a call whose opening bracket is at `at`."""
    depth, begin, out = 0, at + 1, []
    while True:
        literal = LITERAL.match(text, at)
        if literal:
            at = literal.end()
            continue
        c = text[at]
        depth += (c in "([{") - (c in ")]}")
        if (c == "," and depth == 1) or depth == 0:
            out.append(text[begin:at])
            begin = at + 1
        if depth == 0:
            return out
        at += 1


def pattern(expression):
    """The text that an expression makes, with %1, %2, ... for what is not a literal; empty without any words."""
    pieces, at = [], 0
    for m in LITERAL.finditer(expression):
        pieces += [None, plain(m.group(1) if m.group(1) is not None else m.group(2))] if \
            re.search(r"\w", expression[at:m.start()]) else [plain(m.group(1) or m.group(2) or "")]
        at = m.end()
    if re.search(r"\w", expression[at:]):
        pieces.append(None)
    if not any(p and re.search("[A-Za-z]{2}", p) for p in pieces):
        return ""
    out, n = "", 0
    for p in pieces:
        if p is None:
            n += 1
        out += f"%{n}" if p is None else p
    return out


def said(source, text):
    """Patterns of what a source file of core says."""
    calls = [("EditError", 0), ("step", 0), ("change", 1)]
    if source.endswith("SceneIncludes.cpp"):
        calls.append(("edit", 1))
    if source.endswith("SceneFixes.cpp"):
        calls.append(("add", 0))
    for name, which in calls:
        for m in re.finditer(rf"\b{name}\(", text):
            given = arguments(text, m.end() - 1)
            if len(given) <= which:
                continue
            label = re.search(r'labelOf\([^"]*"([^"]*)"', given[which])
            if label:
                yield from (f"{label.group(1)} %1 elements", f"{label.group(1)} %1")
            elif pattern(given[which]):
                yield pattern(given[which])


def main():
    # The check can fail.
    assert pattern("\"'\" + o.pathName() + \"' is in no file\"") == "'%1' is in no file"
    assert pattern('"set " + name') == "set %1" and pattern("e.what()") == "" and pattern("std::string()") == ""
    assert arguments('f("a,(", g(1, 2), {})', 1) == ['"a,("', " g(1, 2)", " {}"]
    table = (ROOT / "applications" / "qt" / "CoreTexts.cpp").read_text()
    known = {plain(t) for t in re.findall(r'QT_TRANSLATE_NOOP\(\s*"core",\s*"((?:[^"\\]|\\.)*)"\)', table)}
    found = {}
    for source in sorted((ROOT / "core" / "scene").glob("*.cpp")):
        for text in said(source.name, source.read_text()):
            found.setdefault(text, source.name)
    missing = [f"{file}: '{text}' is not in applications/qt/CoreTexts.cpp"
               for text, file in found.items() if text not in known]
    print("\n".join(missing or [f"{len(found)} texts of core/scene are known"]))
    return 1 if missing or len(found) < 50 else 0


sys.exit(main())
