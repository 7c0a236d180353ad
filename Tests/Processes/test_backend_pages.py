# SPDX-License-Identifier: Apache-2.0
"""The tests in the pages of docs/backend, run as a reader runs them, with the contents of the tar file.

Arguments choose the scenarios whose names have all of these words. BINARIES names the folder of another storectl. The last
line is `N passed, N failed`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import expect, play_all  # noqa: E402
from pages import commands, write_files  # noqa: E402
from processes import BINARIES, ROOT  # noqa: E402


def lay_out(folder):
    """Lays out the contents of the tar file, and returns their folder."""
    subprocess.run([ROOT / "packaging" / "stage", BINARIES / "storectl", folder, checkouts()], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def checkouts():
    return os.environ.get("CHECKOUTS") or ROOT / ".build" / "checkouts"


def page(folder, name, passed, openstorekit):
    """The commands of a page pass in a folder with its files, and the output has `passed`."""
    files = write_files(name, folder)
    expect(files, f"{name} has no files")
    environment = {**os.environ, "OPENSTOREKIT": str(openstorekit), "GOCACHE": str(Path(folder) / "go-build"),
                   "PATH": f"{openstorekit}/bin:{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", commands(name)], cwd=folder, env=environment, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    expect(ran.returncode == 0 and passed in ran.stdout, f"{name} ended with {ran.returncode}:\n{ran.stdout}")


def scenarios(openstorekit):
    for language, name, passed in (
            ("Node", "node.md", "pass 1"), ("Java", "java.md", "1 passed"), ("Go", "go.md", "ok "),
            ("Ruby", "ruby.md", "1 runs, 14 assertions, 0 failures"), ("curl", "curl.md", "1 passed")):
        yield f"The test of the page for {language} passes", page, {
            "name": name, "passed": passed, "openstorekit": openstorekit}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="openstorekit.") as place:
        sys.exit(play_all(scenarios(lay_out(place)), sys.argv[1:], workers=2))
