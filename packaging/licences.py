#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects the licences of all that is linked into storectl and storeagentd, as one file for each part.

    packaging/licences.py CHECKOUTS FOLDER

CHECKOUTS is the folder in which SwiftPM keeps the packages' sources. Uses only Python's standard library.
"""

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = re.compile(r"(LICENSE|LICENCE|NOTICE|COPYING)(\.txt|\.md)?$")
# Sources of others inside packages, whose licence is the first comment of a file only.
IN_SOURCES = {"sha1": "swift-nio/Sources/CNIOSHA1/c_nio_sha1.c", "xkcp": "swift-crypto/Sources/CXKCP/FIPS202-opt64/KeccakHash.c"}


def swift_licence():
    """The licence of the Swift that builds: its runtime is linked."""
    swift = shutil.which("swift")
    if not swift:
        sys.exit("licences: swift is missing, and its licence is beside it")
    licence = Path(swift).resolve().parent.parent / "share/swift/LICENSE.txt"
    if not licence.is_file():
        sys.exit(f"licences: Swift's licence isn't at {licence}")
    return licence.read_text()


def package_licences(package):
    """The licence and the notices of a package, also those of sources of others in it."""
    found = sorted(path for path in package.iterdir() if path.is_file() and NAMES.match(path.name))
    if not found:
        sys.exit(f"licences: {package.name} has no licence: look for it, and add it to packaging/licences")
    found += sorted(path for path in package.glob("Sources/*/LICENSE*"))
    return "\n\n".join(f"{path.relative_to(package)}\n\n{path.read_text()}" for path in found)


def licence_in(source):
    """The comments at the beginning of a source file."""
    comments = re.match(r"(?:\s*/\*.*?\*/)+", source.read_text() if source.is_file() else "", re.S)
    if not comments or not re.search(r"copyright", comments[0], re.I):
        sys.exit(f"licences: {source} doesn't begin with a licence: look for its licence, and correct IN_SOURCES")
    return comments[0].strip() + "\n"


def collect(checkouts, folder):
    """Writes the files, and returns their number."""
    texts = {path.stem: path.read_text() for path in HERE.glob("licences/*.txt")}
    texts["swift"] = swift_licence()
    packages = [path for path in sorted(checkouts.iterdir()) if path.is_dir()]
    if not packages:
        sys.exit(f"licences: {checkouts} has no packages: build storectl first")
    texts |= {package.name: package_licences(package) for package in packages}
    texts |= {name: licence_in(checkouts / path) for name, path in IN_SOURCES.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return len(texts)


if __name__ == "__main__":
    print(f"{collect(Path(sys.argv[1]), Path(sys.argv[2]))} licences")
