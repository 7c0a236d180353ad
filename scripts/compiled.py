# SPDX-License-Identifier: Apache-2.0
"""The modules that `swift build --build-tests` has compiled: their declarations, and programs that import them."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "debug"


def import_flags():
    """The flags with which a compiler finds the modules, and the C modules below them."""
    maps = [f"-fmodule-map-file={m}" for m in BUILD.glob("*.build/module.modulemap")]
    for place in ("*/Sources/*/include", "*/Sources/*"):
        maps += [f"-fmodule-map-file={m}" for m in (ROOT / ".build/checkouts").glob(f"{place}/module.modulemap")]
    return ["-I", str(BUILD / "Modules"), *(flag for m in maps for flag in ("-Xcc", m))]


def extract(module, folder):
    """Writes the symbol graphs of a module's public declarations into a folder, and returns their contents."""
    triple = json.loads(subprocess.run(
        ["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout)["target"]["triple"]
    ran = subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple, "-output-dir", folder,
         "-minimum-access-level", "public", "-emit-extension-block-symbols", *import_flags()],
        capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(f"swift symbolgraph-extract of {module}:\n{ran.stderr[-2000:]}")
    return [json.loads(path.read_text()) for path in Path(folder).glob(f"{module}*.symbols.json")]


def complaints(program, *flags):
    """The compiler's errors and warnings about a file with a program; an empty text for none."""
    ran = subprocess.run(
        ["swiftc", "-typecheck", "-whole-module-optimization", "-swift-version", "6", "-warnings-as-errors", *flags, *import_flags(), str(program)],
        capture_output=True, text=True)
    return ran.stderr[-3000:] or f"swiftc ended with {ran.returncode}" if ran.returncode else ""
