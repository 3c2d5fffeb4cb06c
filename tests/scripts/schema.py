#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: scenes
# timeout: 600
"""runSofa --schema: every scene of this repository is valid (jing, xmllint; as JSON python3-jsonschema), and what is misspelt is not. Skipped
where none of these is installed."""
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ["SOFA_SOURCE_DIR"])
RUNSOFA = os.environ["RUNSOFA"]
GOOD = {
    "both spellings": '<Node><UniformMass totalMass="1"/><Object type="UniformMass" totalMass="2"/></Node>',
    "old names": '<Node><EulerImplicit/><Object type="EulerImplicit" verbose="1"/><UniformMass totalmass="3"/></Node>',
    "units": '<Node dt="5 ms" gravity="0 -981 0 cm/s^2"><UniformMass totalMass="3kg"/></Node>',
    "links": '<Node><UniformMass totalMass="@a.b"/><BarycentricMapping input="@.." output="@../x"/></Node>',
    "lists": '<Node><FixedProjectiveConstraint indices="0-4 7 9-21-3"/><MechanicalObject position="0 0 1e-3  1. .5 -2"/></Node>',
    "choices": '<Node compatibility="SOFA"><TetrahedronFEMForceField method="Large"/><RequiredPlugin name="a"/></Node>',
    "an attribute as an element": '<Node><BoxROI><Attribute type="box"><Data value="0 0 0 1 1 1"/></Attribute></BoxROI></Node>',
    "an include and a prefab": '<Node><include href="a.xml" any="1"/><BoxConstraint box="0 0 0 1 1 1"/></Node>',
}
BAD = {
    "an attribute": '<Node><UniformMass totalMas="1"/></Node>',
    "an attribute, as an Object": '<Node><Object type="UniformMass" totalMas="1"/></Node>',
    "an attribute of a node": '<Node gravty="0 0 0"/>',
    "a component": '<Node><UniformMas totalMass="1"/></Node>',
    "a component, as an Object": '<Node><Object type="UniformMas"/></Node>',
    "a number": '<Node dt="a bit"/>',
    "a number with a unit of no dimension": '<Node><TetrahedronFEMForceField poissonRatio="0.4 kPa"/></Node>',
    "a bool": '<Node activated="perhaps"/>',
    "a choice": '<Node compatibility="other"/>',
    "an index": '<Node><FixedProjectiveConstraint indices="0 x"/></Node>',
    "a link": '<Node><BarycentricMapping input=".." output="@x"/></Node>',
    "a component in a component": '<Node><UniformMass><UniformMass/></UniformMass></Node>',
}


def schema(form, folder):
    path = folder / f"scene.{form}"
    p = subprocess.run([RUNSOFA, "--schema", form], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
    path.write_text(p.stdout)
    return path


def refused(command, files):
    """The files that a program finds not valid, with what it says."""
    p = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = p.stdout + p.stderr
    return {f: said for f in files if re.search(rf"{re.escape(str(f))}(:\d+.*error| fails to validate)", said)}


def jing(rng, files):
    return refused(["jing", str(rng)], files)


def xmllint(rng, files):
    return refused(["xmllint", "--noout", "--relaxng", str(rng)], files)


def as_json(element):
    """The form of scenes that the JSON schema describes."""
    out = dict(element.attrib, type=element.get("type", element.tag) if element.tag == "Object" else element.tag)
    if element.tag == "Node":
        out["children"] = [as_json(child) for child in element]
    elif len(element) and element.tag != "include":
        for attribute in element.findall("Attribute"):
            data = attribute.find("Data")
            out[attribute.get("type", attribute.get("name"))] = (data if data is not None else attribute).get("value", "")
        out.update({child.tag: {} for child in element if child.tag != "Attribute"})
    return out


def json_schema(path, files):
    import jsonschema  # pylint: disable=import-outside-toplevel

    whole = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(whole)
    rules = {name: r for rule in whole["$defs"]["element"]["allOf"] for name in rule["if"]["properties"]["type"]["enum"] for r in [rule["then"]]}
    known = set(whole["$defs"]["element"]["properties"]["type"]["enum"])
    validators = {}
    bad = {}

    def check(file, element):
        # Element by element: what the schema says by "if" and "then" is chosen here, for the sake of time.
        if element["type"] not in known:
            bad[file] = f"'{element['type']}' is no element"
            return
        if element["type"] in rules:
            ref = rules[element["type"]]["$ref"]
            validators.setdefault(ref, jsonschema.Draft202012Validator({"$ref": ref, "$defs": {**whole["$defs"], "element": {}}}))
            for error in validators[ref].iter_errors(element):
                bad[file] = error.message[:300]
        for child in element.get("children", []):
            check(file, child)

    for file in files:
        check(file, as_json(xml.etree.ElementTree.parse(file).getroot()))
    # The schema as a whole does the same.
    validator = jsonschema.Draft202012Validator(whole)
    for good, element in ((True, {"type": "Node", "children": [{"type": "UniformMass", "totalMass": 1.5}]}), (False, {"type": "Node", "dt": []}),
                          (False, {"type": "Node", "children": [{"type": "UniformMass", "totalMas": 1}]}), (False, {"type": "Nod"})):
        if validator.is_valid(element) != good:
            bad[pathlib.Path(json.dumps(element))] = "the whole schema says otherwise"
    return bad


def main():
    checks = {"jing": ("rng", jing), "xmllint": ("rng", xmllint)}
    checks = {name: c for name, c in checks.items() if shutil.which(name)}
    if importlib.util.find_spec("jsonschema"):
        checks["jsonschema"] = ("json", json_schema)
    if not checks:
        print("neither jing, xmllint nor python3-jsonschema is installed")
        return 77
    scenes = sorted((SOURCE / "scenes").rglob("*.scn"))
    failed = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        schemas = {form: schema(form, folder) for form in ("rng", "json")}
        good, bad = [], []
        for what, files in ((GOOD, good), (BAD, bad)):
            for i, text in enumerate(what.values()):
                files.append(folder / f"{'good' if what is GOOD else 'bad'}{i}.scn")
                files[-1].write_text(text)
        jobs = {name: pool.submit(c, schemas[form], scenes + good + bad) for name, (form, c) in checks.items()}
        for name, job in jobs.items():
            said = job.result()
            for file in scenes + good:
                if file in said:
                    failed += 1
                    lines = [line for line in said[file].splitlines() if str(file) in line] or [said[file]]
                    what = list(GOOD)[good.index(file)] if file in good else file
                    print(f"FAIL {name} refuses {what}: {lines[0][:600]}")
            for file, what in zip(bad, BAD):
                if file not in said:
                    failed += 1
                    print(f"FAIL {name} takes a scene in which {what} is wrong")
            for file in set(said) - set(scenes + good + bad):
                failed += 1
                print(f"FAIL {name}: {file}: {said[file]}")
            print(f"{name}: {len(scenes)} scenes")
    return 1 if failed else 0


sys.exit(main())
