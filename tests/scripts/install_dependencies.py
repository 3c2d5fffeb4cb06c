#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
# label: unit
# timeout: 60
"""tools/install-dependencies: what it asks of the system, seen through stand-ins for dpkg-query, apt-get, id and sudo."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("SOFA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRIPT = SOURCE / "tools" / "install-dependencies"


def packages(*uses):
    """The packages that tools/packages.txt lists for the given uses."""
    rows = [line.split() for line in (SOURCE / "tools" / "packages.txt").read_text().splitlines()]
    return [row[0] for row in rows if row and not row[0].startswith("#") and row[1] in uses]


class InstallDependencies(unittest.TestCase):
    def run_with(self, installed, uses=(), user=0, sudo=False, apt_status=0):
        """Runs the script where only `installed` packages are installed; its result, and the apt-get calls made."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            calls = folder / "calls"
            calls.touch()
            script = shutil.copy(SCRIPT, folder)
            listed = pathlib.Path(shutil.copy(SCRIPT.parent / "packages.txt", folder))
            os.utime(listed, (0, 0))
            # The real dpkg-query says nothing of unknown packages, and a removed one is "config-files".
            stand_ins = {
                "dpkg-query": f'for p in "$@"; do case " {" ".join(installed)} " in *" $p "*) '
                              'printf "installed:%s " "$p";; *) case $p in --*) ;; *) printf "config-files:%s " "$p";; esac;; '
                              "esac; done; exit 1",
                "apt-get": f'echo "$@" >>"{calls}"; [ "$1" = update ] || {{ echo said by apt; exit {apt_status}; }}',
                "id": f"echo {user}",
                "sudo": 'shift; [ "$1" = true ] || exec "$@"' if sudo else "exit 1",
            }
            for name, body in stand_ins.items():
                path = folder / name
                path.write_text(f"#!/bin/bash\n{body}\n")
                path.chmod(0o755)
            done = subprocess.run([script, *uses], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            self.touched = listed.stat().st_mtime > 0
            return done, calls.read_text().splitlines()

    def test_nothing_missing(self):
        done, calls = self.run_with(packages("build", "test", "check"))
        self.assertEqual((done.returncode, done.stdout, done.stderr, calls), (0, "", "", []))
        self.assertFalse(self.touched, "nothing came, so no build is to be configured anew")

    def test_missing_ones_are_installed_as_root(self):
        rest = [p for p in packages("build", "test") if p not in ("mold", "ffmpeg")]
        done, calls = self.run_with(rest, ("build", "test"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls, ["update", "install --yes --no-install-recommends mold ffmpeg"])
        self.assertTrue(self.touched, "what came may bring parts of the program: builds are to be configured anew")

    def test_only_for_the_use_asked_for(self):
        done, calls = self.run_with(packages("build"), ("build",))
        self.assertEqual((done.returncode, calls), (0, []))

    def test_a_name_that_contains_another_is_not_it(self):
        installed = [p for p in packages("build", "test", "check") if p != "clang-format"] + ["clang-format-14"]
        _, calls = self.run_with(installed)
        self.assertEqual(calls[1:], ["install --yes --no-install-recommends clang-format"])

    def test_sudo_without_password(self):
        _, calls = self.run_with([p for p in packages("build") if p != "g++"], ("build",), user=1000, sudo=True)
        self.assertEqual(calls, ["update", "install --yes --no-install-recommends g++"])

    def test_without_rights_the_command_is_printed(self):
        done, calls = self.run_with([p for p in packages("build") if p != "g++"], ("build",), user=1000)
        self.assertEqual((done.returncode, calls), (1, []))
        self.assertIn("apt-get install --yes --no-install-recommends g++\n", done.stderr)

    def test_failure_shows_what_apt_said(self):
        done, _ = self.run_with([p for p in packages("build") if p != "g++"], ("build",), apt_status=100)
        self.assertEqual(done.returncode, 1)
        self.assertIn("said by apt", done.stderr)
        self.assertIn("apt-get install --yes --no-install-recommends g++\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
