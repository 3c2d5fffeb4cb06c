#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
"""Draws the images of share/textures: python3 tools/make_textures.py [folder]"""
import os
import struct
import sys
import zlib


def png(path, size, color):
    """Writes a square RGB image; color(x, y) gives 0 to 255 for each channel, y from above."""
    rows = b"".join(b"\0" + bytes(c for x in range(size) for c in color(x, y)) for y in range(size))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
                + chunk(b"IEND", b""))


def checker(x, y):
    """8 x 8 squares, light and blue, the first in the lower left corner red."""
    i, j = x // 8, (63 - y) // 8
    if i == 0 and j == 0:
        return 200, 40, 30
    return (235, 230, 215) if (i + j) % 2 else (60, 105, 160)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "share", "textures")
    os.makedirs(folder, exist_ok=True)
    png(os.path.join(folder, "checker.png"), 64, checker)


if __name__ == "__main__":
    main()
