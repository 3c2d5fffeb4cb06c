# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""What the tools that write pages share: tables, files, the description of the machine and of the source."""
import json
import os
import pathlib
import re
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def table(header, rows):
    """A Markdown table; numbers keep the text they are given as."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(v) for v in r) + " |" for r in rows])


def wrapped(lines, width=100):
    """The text of a Markdown page: paragraphs and list entries, each given as one line, in lines of at most `width`
    characters. Code spans stay whole; tables, titles, images and code blocks as they are."""
    out, code = [], False
    for line in "\n".join(lines).rstrip().split("\n"):
        code ^= line.startswith("```")
        if code or line.startswith(("|", "#", "!", "```")):
            out.append(line)
            continue
        whole = re.sub("`[^`]*`", lambda span: span.group().replace(" ", "\0"), line)
        indent = " " * len(re.match(r"(- )?", line).group())
        out += textwrap.wrap(whole, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(out).replace("\0", " ") + "\n"


def significant(v, digits=3):
    """A number with so many significant digits, without an exponent where it is short: 0.0123, 1.23, 12,300."""
    if v is None or v != v:
        return "–"
    if v == 0.:
        return "0"
    rounded = float(f"{v:.{digits}g}")
    if 1e-4 <= abs(rounded) < 1e6:
        whole = len(str(int(abs(rounded)))) if abs(rounded) >= 1. else 0
        if whole >= digits:
            return f"{rounded:,.0f}"
        decimals = digits - whole if whole else digits - 1 - int(f"{rounded:e}".split("e")[1])
        return f"{rounded:.{decimals}f}"
    return f"{rounded:.{digits - 1}e}"


def write_csv(path, header, rows):
    lines = [",".join(header)] + [",".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in r) for r in rows]
    path.write_text("\n".join(lines) + "\n")


def machine():
    """The processor, its cores and the compiler in words."""
    try:
        info = pathlib.Path("/proc/cpuinfo").read_text()
        model = re.search(r"^model name\s*: (.*)$", info, re.M).group(1)
    except (OSError, AttributeError):
        model = "unknown processor"
    return f"{' '.join(model.split())}, {os.cpu_count()} cores"


def revision():
    """Commit of the source, with a mark where it was changed, or nothing without git."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False).stdout.strip()

    commit = git("rev-parse", "--short", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "core", "components", "applications")
    return commit + (" with changes" if changed else "")


def oracle():
    """Folder of the reference results, as tests/harness/Paths.h finds it; None where there is none."""
    given = os.environ.get("SOFA_ORACLE")
    for place in ([pathlib.Path(given)] if given else [ROOT / "shared" / "oracle", ROOT.parent / "shared" / "oracle"]):
        if place.is_dir():
            return place.resolve()
    return None


def save_json(path, data):
    """A JSON object; lists in it with one entry per line, so that changes can be read."""
    def text(v):
        if isinstance(v, list) and v and isinstance(v[0], (dict, list)):
            return "[\n  " + ",\n  ".join(json.dumps(e, ensure_ascii=False) for e in v) + "\n ]"
        return json.dumps(v, ensure_ascii=False)

    path.write_text("{\n" + ",\n".join(f" {json.dumps(k)}: {text(v)}" for k, v in data.items()) + "\n}\n")
