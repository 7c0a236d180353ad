# SPDX-License-Identifier: Apache-2.0
"""The tests in the pages of docs/backend, run as a reader runs them, with the contents of the tar file.

Arguments choose the scenarios whose names have all of these words. BINARIES names the folder of another storectl. ARCHIVE
names a tar file, which the pages' own commands then unpack. The last line is `N passed, N failed`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import expect, play_all  # noqa: E402
from pages import commands, versions, write_files  # noqa: E402
from processes import BINARIES, ROOT  # noqa: E402


def lay_out(folder):
    """Lays out the contents of the tar file, and returns their folder."""
    subprocess.run([ROOT / "packaging" / "stage", BINARIES / "storectl", folder, checkouts()], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def checkouts():
    return os.environ.get("CHECKOUTS") or ROOT / ".build" / "checkouts"


def install(folder, name, openstorekit):
    """The commands that put the store onto the PATH: the page's own if there is a tar file."""
    if openstorekit:
        return f"export OPENSTOREKIT={openstorekit} PATH={openstorekit}/bin:$PATH\n"
    archive = Path(os.environ["ARCHIVE"]).resolve()
    (Path(folder) / archive.name).symlink_to(archive)
    return commands(name, "Install")


def page(folder, name, passed, openstorekit):
    """The commands of a page pass in a folder with its files, and the output has `passed`."""
    files = write_files(name, folder)
    expect(files, f"{name} has no files")
    script = install(folder, name, openstorekit) + commands(name)
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder,
                         env={**os.environ, "GOCACHE": str(Path(folder) / "go-build")}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    expect(ran.returncode == 0 and passed in ran.stdout, f"{name} ended with {ran.returncode}:\n{ran.stdout}")


def names(folder, version):
    """The pages name the packages of this version, and no others."""
    found = versions()
    expect(found["curl.md"] and found["README.md"], f"{found}")
    expect(set().union(*found.values()) == {version}, f"{found}, and not only {version}")


def scenarios(openstorekit):
    for language, name, passed in (
            ("Node", "node.md", "pass 1"), ("Java", "java.md", "1 passed"), ("Go", "go.md", "ok "),
            ("Ruby", "ruby.md", "1 runs, 14 assertions, 0 failures"), ("curl", "curl.md", "1 passed")):
        yield f"The test of the page for {language} passes", page, {
            "name": name, "passed": passed, "openstorekit": openstorekit}
    version = subprocess.run([ROOT / "scripts" / "version"], check=True, capture_output=True, text=True).stdout.strip()
    yield "The pages name the packages of this version", names, {"version": version}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="openstorekit.") as place:
        sys.exit(play_all(scenarios(None if "ARCHIVE" in os.environ else lay_out(place)), sys.argv[1:], workers=2))
