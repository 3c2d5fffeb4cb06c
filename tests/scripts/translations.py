#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 120
"""The translations of the windows (share/translations) have every text that the sources have, finished, with the same
placeholders, patterns of files and tags, with a letter for the keyboard where the text has one, and with the same
spaces at their ends. Without lupdate (qt6-l10n-tools), only what the files hold is looked at."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])


def tool():
    loader = importlib.machinery.SourceFileLoader("translations_tool", str(ROOT / "tools" / "translations"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def parts(text):
    """What a translation has to keep."""
    mnemonic = len(re.findall(r"&(?!&)\S", text.replace("&&", "")))
    return {"placeholders": sorted(set(re.findall(r"%\d|%n", text))),
            "letters after &": mnemonic,
            "tags": sorted(re.findall(r"</?\w+>", text)),
            "patterns of files": re.findall(r"\([^()]*\*[^()]*\)", text),
            "spaces at the ends": (text[:len(text) - len(text.lstrip())], text[len(text.rstrip()):]),
            "dots at the end": text.endswith("...") or text.endswith("…")}


def faults(source, text):
    if not text:
        return ["is not translated"]
    a, b = parts(source), parts(text)
    return [f"has other {what}: '{text}'" for what in a if a[what] != b[what]]


def check(file):
    found, n = [], 0
    for context in ET.parse(file).getroot().findall("context"):
        for message in context.findall("message"):
            n += 1
            source, translation = message.find("source").text, message.find("translation")
            where = f"{file.name}: {context.find('name').text}: '{source}'"
            if translation.get("type"):
                found.append(f"{where} is {translation.get('type')}")
                continue
            forms = [f.text for f in translation.findall("numerusform")] or [translation.text]
            found += [f"{where} {fault}" for form in forms for fault in faults(source, form)]
    return found, n


def main():
    # The checks can fail.
    assert faults("&Open %1...", "Öffnen...") == ["has other placeholders: 'Öffnen...'",
                                                  "has other letters after &: 'Öffnen...'"]
    assert faults(" s", "s") and faults("a", None) and not faults("Images (*.png)", "Bilder (*.png)")
    assert faults("Images (*.png)", "Bilder (*.jpg)") and faults("<h3>%1</h3>", "%1")
    found, numbers = [], []
    files = sorted((ROOT / "share" / "translations").glob("sofa_*.ts"))
    for file in files:
        more, n = check(file)
        found += more
        numbers.append(f"{file.name}: {n} texts")
    translations = tool()
    if translations.lupdate():
        with tempfile.TemporaryDirectory() as folder:
            for file in files:
                made = translations.update(file.stem.removeprefix("sofa_"), folder)
                if made.read_bytes() != file.read_bytes():
                    found.append(f"{file.name} lacks texts of the sources, or has more: run tools/translations")
    else:
        numbers.append("not compared with the sources: lupdate was not found")
    print("\n".join(found or numbers))
    return 1 if found or not files or "sofa_de.ts" not in [f.name for f in files] else 0


sys.exit(main())
