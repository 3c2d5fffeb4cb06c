#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 300
"""runSofa --language-server: the Language Server Protocol over standard input and output, malformed input included."""
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import unittest

RUNSOFA = os.environ["RUNSOFA"]
SCENE = """<?xml version="1.0"?>
<!-- Größe 😀 --><Node name="root">
  <EulerImplicitSolver/>
  <Node name="body">
    <MechanicalObject name="dofs" position="0 0 0"/>
    <UniformMass totalMas="2"/>
    <Node name="skin"><MechanicalObject name="points"/><IdentityMapping input="@../dofs" output="@points"/></Node>
  </Node>
</Node>
"""


class Client:
    """An editor."""

    def __init__(self, folder):
        self.process = subprocess.Popen([RUNSOFA, "--language-server", "--stdio"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.messages, self.published, self.last = queue.Queue(), {}, 0
        self.versions = {}  # of documents, as this editor has told them
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        out = self.process.stdout
        while True:
            header = out.readline()
            if not header:
                break
            name, length = header.decode("ascii").split(":")
            if name != "Content-Length" or out.readline() != b"\r\n":
                self.messages.put({"not the protocol": header.decode()})
                break
            self.messages.put(json.loads(out.read(int(length))))
        self.messages.put(None)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        content = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def receive(self):
        message = self.messages.get(timeout=60)
        if message and message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        return message

    def answer(self):
        while True:
            message = self.receive()
            if message is None or "method" not in message:
                return message

    def ask(self, method, params=None):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}})
        answer = self.answer()
        assert answer["id"] == self.last and answer["jsonrpc"] == "2.0", answer
        return answer

    def result(self, method, params=None):
        answer = self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def tell(self, method, params=None):
        document = (params or {}).get("textDocument", {})
        if "version" in document:
            self.versions[document["uri"]] = document["version"]
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def diagnostics(self, uri):
        """The next ones that are published about a document as it is now: what the server says between edits depends on time."""
        while True:
            message = self.receive()
            assert message is not None, "the server has gone"
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                version = message["params"].get("version")
                if version is None or version == self.versions.get(uri):
                    return message["params"]["diagnostics"]


def position(text, at):
    """Line and UTF-16 character of an index."""
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return {"line": line, "character": len(text[start:at].encode("utf-16-le")) // 2}


def part(text, r):
    """The text of a range of the protocol."""
    def index(p):
        start = sum(len(line) + 1 for line in text.split("\n")[: p["line"]])
        line = text[start:].split("\n")[0]
        return start + len(line.encode("utf-16-le")[: 2 * p["character"]].decode("utf-16-le"))
    return text[index(r["start"]):index(r["end"])]


def edited(text, edits):
    for e in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        lines = text.split("\n")
        def index(p):
            line = lines[p["line"]]
            return sum(len(l) + 1 for l in lines[: p["line"]]) + len(line.encode("utf-16-le")[: 2 * p["character"]].decode("utf-16-le"))
        text = text[: index(e["range"]["start"])] + e["newText"] + text[index(e["range"]["end"]):]
    return text


class LanguageServer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lsp ä "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.client = Client(self.folder)
        self.addCleanup(self.stop)
        self.uri = (self.folder / "scene.scn").as_uri()
        self.text = SCENE

    def stop(self):
        self.client.process.stdin.close()
        self.client.process.wait(timeout=60)
        self.client.process.stdout.close()

    def initialise(self, **options):
        capabilities = self.client.result("initialize", {"processId": None, "rootUri": None, "capabilities": {
            "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}, **options})["capabilities"]
        self.client.tell("initialized")
        return capabilities

    def open(self, text=None):
        self.text = text or self.text
        self.client.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "xml", "version": 1, "text": self.text}})
        return self.client.diagnostics(self.uri)

    def at(self, what, behind=0, **more):
        return {"textDocument": {"uri": self.uri}, "position": position(self.text, self.text.index(what) + behind), **more}

    def change(self, at, length, new):
        r = {"start": position(self.text, at), "end": position(self.text, at + length)}
        self.text = self.text[:at] + new + self.text[at + length:]
        self.client.tell("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.client.versions[self.uri] + 1},
                                                    "contentChanges": [{"range": r, "text": new}]})

    def test_life(self):
        self.assertEqual(self.client.ask("textDocument/hover", {})["error"]["code"], -32002)
        capabilities = self.initialise()
        self.assertEqual(capabilities["textDocumentSync"]["change"], 2)
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertIsNone(self.client.result("shutdown"))
        self.assertEqual(self.client.ask("shutdown")["error"]["code"], -32600)
        self.client.tell("exit")
        self.assertEqual(self.client.process.wait(timeout=60), 0)

    def test_exit_without_shutdown(self):
        self.initialise()
        self.client.tell("exit")
        self.assertEqual(self.client.process.wait(timeout=60), 1)

    def test_diagnostics_and_fixes(self):
        self.initialise()
        found = self.open()
        self.assertEqual(len(found), 1, found)
        self.assertEqual(found[0]["message"],
                         "/body/UniformMass1 (UniformMass): 'totalMas' is no attribute of UniformMass (did you mean 'totalMass'?)")
        self.assertEqual(found[0]["severity"], 2)
        self.assertEqual(part(self.text, found[0]["range"]), "totalMas")
        actions = self.client.result("textDocument/codeAction", {"textDocument": {"uri": self.uri}, "range": found[0]["range"],
                                                                 "context": {"diagnostics": found}})
        self.assertEqual([a["title"] for a in actions], ["Change 'totalMas' to 'totalMass'"])
        self.assertIn('totalMass="2"', edited(self.text, actions[0]["edit"]["changes"][self.uri]))
        # An edit behind characters of several bytes and units, and one that leaves the text not well-formed.
        self.change(self.text.index("totalMas") + 8, 0, "s")
        self.assertEqual(self.client.diagnostics(self.uri), [])
        self.change(self.text.index("Größe"), 7, "Gr😀")
        self.change(self.text.index('name="root"'), 4, "naam")
        found = self.client.diagnostics(self.uri)
        self.assertEqual(part(self.text, found[0]["range"]), "naam")
        self.change(self.text.index("<UniformMass") + 12, 0, " <")
        found = self.client.diagnostics(self.uri)
        self.assertTrue(any("no well-formed XML" in d["message"] and d["severity"] == 1 for d in found), found)
        # The whole text at once.
        self.text = "<Node><EulerImplicit/></Node>"
        self.client.tell("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 9}, "contentChanges": [{"text": self.text}]})
        found = self.client.diagnostics(self.uri)
        self.assertEqual((found[0]["severity"], found[0]["tags"]), (4, [2]))
        self.assertEqual(self.client.published[self.uri]["version"], 9)
        actions = self.client.result("textDocument/codeAction", {"textDocument": {"uri": self.uri}, "range": found[0]["range"], "context": {}})
        self.assertEqual(edited(self.text, actions[0]["edit"]["changes"][self.uri]), "<Node><EulerImplicitSolver/></Node>")
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.assertEqual(self.client.diagnostics(self.uri), [])

    def test_saving_initialises(self):
        self.initialise()
        self.assertEqual(self.open("<Node><EulerImplicitSolver/><MechanicalObject/><UniformMass totalMass='1'/></Node>"), [])
        self.client.tell("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        found = self.client.diagnostics(self.uri)
        self.assertTrue(found and "linear solver" in found[0]["message"], found)
        actions = self.client.result("textDocument/codeAction", {"textDocument": {"uri": self.uri}, "range": found[0]["range"], "context": {}})
        self.assertIn("<CGLinearSolver", edited(self.text, actions[0]["edit"]["changes"][self.uri]))

    def test_included_files(self):
        (self.folder / "part.xml").write_text('<Node name="part">\n  <!-- ä --><UniformMass totalMas="1"/>\n</Node>')
        self.initialise()
        self.assertEqual(self.open("<Node><MechanicalObject/><include href='part.xml'/></Node>"), [])
        other = (self.folder / "part.xml").as_uri()
        found = self.client.published.get(other, {}).get("diagnostics") or self.client.diagnostics(other)
        self.assertEqual(found[0]["range"]["start"], {"line": 1, "character": 25})
        (self.folder / "part.xml").write_text('<Node name="part"/>')
        self.client.tell("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        self.assertEqual(self.client.diagnostics(other), [])

    def test_completion_and_hover(self):
        self.initialise()
        self.open()
        self.change(self.text.index("    <UniformMass"), 0, "    <Diag\n")
        items = self.client.result("textDocument/completion", self.at("<Diag", 5))["items"]
        item = next(i for i in items if i["label"] == "DiagonalMass")
        self.assertEqual(item["textEdit"]["newText"], "DiagonalMass $0/>")
        self.assertEqual(part(self.text, item["textEdit"]["range"]), "Diag")
        self.assertIn("Templates:", item["documentation"])
        items = self.client.result("textDocument/completion", self.at('"@../dofs"', 2))["items"]
        self.assertIn("@dofs", [i["label"] for i in items])
        hover = self.client.result("textDocument/hover", self.at("totalMas=", 3))
        self.assertIsNone(hover)
        hover = self.client.result("textDocument/hover", self.at("position=", 3))
        self.assertIn("list of Vec3 [m]", hover["contents"]["value"])

    def test_links_and_names(self):
        self.initialise()
        self.open()
        place = self.client.result("textDocument/definition", self.at("@../dofs", 5))
        self.assertEqual((place["uri"], part(self.text, place["range"])), (self.uri, "MechanicalObject"))
        self.assertIsNone(self.client.result("textDocument/definition", self.at("<Node")))
        found = self.client.result("textDocument/references", self.at('name="dofs"', 7, context={"includeDeclaration": True}))
        self.assertEqual([part(self.text, f["range"]) for f in found], ["dofs", "@../dofs"])
        self.assertEqual(part(self.text, self.client.result("textDocument/prepareRename", self.at('name="dofs"', 7))), "dofs")
        changes = self.client.result("textDocument/rename", self.at('name="dofs"', 7, newName="state"))["changes"]
        self.assertEqual(edited(self.text, changes[self.uri]), self.text.replace("dofs", "state"))
        refusal = self.client.ask("textDocument/rename", self.at('name="dofs"', 7, newName="a/b"))["error"]
        self.assertIn("cannot be a name", refusal["message"])
        symbols = self.client.result("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})
        self.assertEqual([s["name"] for s in symbols], ["root"])
        self.assertEqual([s["name"] for s in symbols[0]["children"]], ["EulerImplicitSolver1", "body"])
        self.assertEqual(part(self.text, symbols[0]["selectionRange"]), "Node")

    def test_malformed(self):
        c = self.client
        c.raw(b"Content-Length: 5\r\n\r\n{nope")
        self.assertEqual(c.answer()["error"]["code"], -32700)
        c.raw(b"Nothing: here\r\n\r\n")
        self.assertEqual(c.answer()["error"]["code"], -32700)
        c.raw(b"Content-Length: a\r\n\r\n")
        self.assertEqual(c.answer()["error"]["code"], -32700)
        c.raw(b"content-length:2\nX: y\n\n[]")
        self.assertEqual(c.answer()["error"]["code"], -32600)
        for message, code in (([], -32600), (3, -32600), ({}, -32600), ({"id": 1, "method": 2}, -32600), ({"id": {}, "method": "x"}, -32600)):
            c.send(message)
            self.assertEqual(c.answer()["error"]["code"], code, message)
        self.initialise()
        for method, params, code in (("nothing/such", {}, -32601), ("textDocument/hover", {}, -32602), ("textDocument/hover", [1], -32602),
                                     ("textDocument/hover", self.at("Node"), -32602)):
            self.assertEqual(c.ask(method, params)["error"]["code"], code, (method, params))
        self.open()
        document = {"textDocument": {"uri": self.uri}}
        for method, params in (("hover", document), ("hover", {**document, "position": {"line": -1, "character": 0}}),
                               ("hover", {**document, "position": {"line": "x", "character": 0}}), ("rename", self.at("Node")),
                               ("codeAction", document), ("completion", {**document, "position": 3})):
            self.assertEqual(c.ask(f"textDocument/{method}", params)["error"]["code"], -32602, (method, params))
        # Far outside of the text: its end.
        self.assertIsNone(c.result("textDocument/hover", {**document, "position": {"line": 10**9, "character": 10**9}}))
        # A notification has no answer, but the server lives and its document is as before.
        for changes in (3, [{}], [{"text": 1}], [{"range": {}, "text": ""}],
                        [{"range": {"start": {"line": 2, "character": 0}, "end": {"line": 1, "character": 0}}, "text": ""}]):
            c.tell("textDocument/didChange", {"textDocument": {"uri": self.uri}, "contentChanges": changes})
        c.tell("textDocument/didChange", {"textDocument": {"uri": "file:///not/open"}, "contentChanges": []})
        c.tell("textDocument/didOpen", {"textDocument": {"uri": 1}})
        c.tell("nothing/such")
        self.assertEqual(len(c.result("textDocument/documentSymbol", document)), 1)
        # Texts that are no scenes.
        for i, text in enumerate(["", "\0", "no xml", "<a" * 2000, "<Node>" * 600, "\ufeff<Node/>", "<Node dt='&#0;&bogus;'/>"]):
            uri = (self.folder / f"{i}.scn").as_uri()
            c.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "text": text}})
            c.result("textDocument/completion", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}})
            c.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        c.tell("textDocument/didOpen", {"textDocument": {"uri": "untitled:Untitled-1", "text": "<Node>"}})
        self.assertTrue(c.diagnostics("untitled:Untitled-1"))

    def test_output_is_the_protocol(self):
        self.initialise()
        self.open("<Node><MessageHandlerComponent handler='sofa'/><RequiredPlugin name='no-such-plugin'/><Nothing/></Node>")
        self.client.tell("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        self.client.diagnostics(self.uri)
        self.client.result("shutdown")
        self.client.tell("exit")
        self.client.process.wait(timeout=60)
        while (message := self.client.receive()) is not None:
            self.assertEqual(message.get("jsonrpc"), "2.0", message)


if __name__ == "__main__":
    unittest.main()
