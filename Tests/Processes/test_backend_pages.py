# SPDX-License-Identifier: Apache-2.0
"""The tests in the pages of docs/backend, run as a reader runs them, with the contents of the tar file.

BINARIES names the folder of another storectl. ARCHIVE names a tar file, which the pages' own commands then unpack.
CHECKOUTS names the folder of the packages' sources, if it isn't that of the debug build.
"""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from pages import commands, versions, write_files
from processes import BINARIES, ROOT

pytestmark = [pytest.mark.xdist_group("backend pages"), pytest.mark.slow]

TOGETHER = 1800  # seconds for the commands of a page


@pytest.fixture(scope="module")
def openstorekit():
    """The folder with the contents of the tar file; `None` if there is a tar file, which each test unpacks."""
    if "ARCHIVE" in os.environ:
        yield None
        return
    checkouts = os.environ.get("CHECKOUTS") or ROOT / ".build" / "checkouts"
    with tempfile.TemporaryDirectory(prefix="openstorekit.") as folder:
        subprocess.run([ROOT / "packaging" / "stage", BINARIES / "storectl", folder, checkouts], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield folder


def install(folder, name, openstorekit):
    """The commands that put the store onto the PATH: the page's own if there is a tar file."""
    if openstorekit:
        return f"export OPENSTOREKIT={openstorekit} PATH={openstorekit}/bin:$PATH\n"
    archive = Path(os.environ["ARCHIVE"]).resolve()
    (folder / archive.name).symlink_to(archive)
    return commands(name, "Install")


@pytest.mark.parametrize("name, passed", [
    ("node.md", "pass 1"), ("java.md", "1 passed"), ("go.md", "ok "), ("ruby.md", "1 runs, 14 assertions, 0 failures"),
    ("curl.md", "1 passed")], ids=["node", "java", "go", "ruby", "curl"])
def test_the_test_of_the_page_passes(folder, openstorekit, name, passed):
    """The commands of a page pass in a folder with its files, and the output has `passed`."""
    files = write_files(name, folder)
    assert files, f"{name} has no files"
    script = install(folder, name, openstorekit) + commands(name)
    # Go compiles its library once for all runs; it caches no results of tests that are run without a package's name.
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder,
                         env={**os.environ, "GOCACHE": str(ROOT / ".build" / "go-build")}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TOGETHER)
    assert ran.returncode == 0 and passed in ran.stdout, f"{name} ended with {ran.returncode}:\n{ran.stdout}"


def test_the_pages_name_the_packages_of_this_version():
    """The pages name the packages of this version, and no others."""
    version = subprocess.run([ROOT / "scripts" / "version"], check=True, capture_output=True, text=True).stdout.strip()
    found = versions()
    assert found["curl.md"] and found["README.md"], f"{found}"
    assert set().union(*found.values()) == {version}, f"{found}, and not only {version}"
