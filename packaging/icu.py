#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an object file with the part of ICU's data that storectl uses, for the linker to take in place of all of it.

    packaging/icu.py OBJECT

Foundation links ICU's data as one block of 34 MB, of which the formats of numbers, currencies and dates are a quarter. The
rest is encodings of text, sorting by language, spelled numbers, dictionaries that find words, and names of languages,
countries, units and time zones: they stay for English and for the root, which every language falls back to.

Prints the options of the linker. Uses Python's standard library, and ar, nm, objcopy and cc.
"""

import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# The format of `icudata`'s common file: ICU's source/common/ucmndata.h.
MAGIC = b"\xda\x27"
ALIGNMENT = 16
# The parts that ICU needs of the folders whose other parts are left out.
KEPT = re.compile(r"/(root|en|pool|res_index|tzdbNames|supplementalData)\.res$|/ucadata\.icu$|\.brk$")
LEFT_OUT = re.compile(r"\.cnv$|/translit/|/(brkitr|coll|zone|unit|lang|region|rbnf)/")


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True).stdout


def library():
    """The ICU of the Swift that builds."""
    swift = shutil.which("swift")
    path = Path(swift or "/").resolve().parent.parent / "lib/swift_static/linux/lib_FoundationICU.a"
    if not path.is_file():
        sys.exit(f"icu: {path} is missing: install Swift with its static libraries")
    return path


def all_data(archive):
    """The symbol of the block, and its bytes."""
    symbols = re.findall(r"(\S+\.o):\S+ R (icudt\d+_dat)$", run("nm", "-A", archive).decode(), re.M)
    if len(symbols) != 1:
        sys.exit(f"icu: {archive} doesn't have its data in one block: {symbols}")
    [(member, symbol)] = symbols
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "data.o", Path(folder) / "data"
        source.write_bytes(run("ar", "p", archive, member.rsplit(":", 1)[-1]))
        run("objcopy", "--output-target=binary", "--only-section=.rodata", source, target)
        return symbol, target.read_bytes()


def items(data):
    """The header of the block, and its items with their names."""
    if data[2:4] != MAGIC or data[8] != 0:
        sys.exit("icu: the data have another format, or are those of a machine with another order of bytes")
    start = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, start)[0]
    table = [struct.unpack_from("<II", data, start + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in table[1:]] + [len(data) - start]
    return data[:start], [
        (data[start + name:data.index(b"\0", start + name)].decode(), data[start + offset:start + end])
        for (name, offset), end in zip(table, ends, strict=True)]


def is_kept(name):
    return not LEFT_OUT.search(name) or ("/translit/" not in name and KEPT.search(name) is not None)


def padded(contents):
    return contents + b"\0" * (-len(contents) % ALIGNMENT)


def block(header, kept):
    """The bytes of a block with some items, in the order of their names."""
    offset, names, name_offsets, offsets = 4 + 8 * len(kept), b"", [], []
    for name, _ in kept:
        name_offsets.append(offset + len(names))
        names += name.encode() + b"\0"
    # The items begin at a multiple of the alignment, counted from the end of the header.
    names += b"\0" * (-(offset + len(names)) % ALIGNMENT)
    offset += len(names)
    for _, contents in kept:
        offsets.append(offset)
        offset += len(padded(contents))
    table = b"".join(struct.pack("<II", *pair) for pair in zip(name_offsets, offsets, strict=True))
    return header + struct.pack("<I", len(kept)) + table + names + b"".join(padded(contents) for _, contents in kept)


def write_object(path, symbol, data):
    """Writes an object file in which the symbol `__wrap_…` has the data, as the linker's option --wrap looks for it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").write_bytes(data)
        source = Path(folder) / "data.s"
        source.write_text(
            f".section .rodata\n.globl __wrap_{symbol}\n.type __wrap_{symbol}, %object\n.balign {ALIGNMENT}\n"
            f'__wrap_{symbol}:\n.incbin "{folder}/data"\n.size __wrap_{symbol}, {len(data)}\n'
            '.section .note.GNU-stack,"",%progbits\n')
        run("cc", "-c", source, "-o", path)


def main(path):
    symbol, data = all_data(library())
    header, found = items(data)
    kept = [(name, contents) for name, contents in found if is_kept(name)]
    small = block(header, kept)
    if [(name, padded(contents)) for name, contents in kept] != [(name, padded(part)) for name, part in items(small)[1]]:
        sys.exit("icu: the smaller block doesn't have the same items")
    write_object(path, symbol, small)
    print(f"icu: {len(small) / 1e6:.1f} MB of {len(data) / 1e6:.1f} MB, {len(kept)} items of {len(found)}", file=sys.stderr)
    print(f"--wrap={symbol}\n{path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
