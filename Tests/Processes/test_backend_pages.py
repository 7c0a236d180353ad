# SPDX-License-Identifier: Apache-2.0
"""The tests in the pages of docs/backend, run as a reader runs them, with the contents of the tar file.

BINARIES names the folder of another storectl. ARCHIVE names a tar file, which the pages' own commands then unpack.
CHECKOUTS names the folder of the packages' sources, if it isn't that of the debug build.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from addresses import Command, is_page
from pages import commands, versions, write_files
from processes import BINARIES, ROOT, free_port

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


def test_the_commands_by_hand(folder, openstorekit):
    """A store is started and listened to with the page's commands, in two terminals. Its port is a free one."""
    serve, listen = commands("curl.md", "By hand", every=True)
    assert "127.0.0.1:8080" in serve and "127.0.0.1:8080" in listen and "TOKEN=...  " in listen, "other commands"
    address = f"127.0.0.1:{free_port()}"
    here = f"cd {folder}\n{install(folder, 'curl.md', openstorekit)}"
    copied = commands("curl.md").splitlines()[0]
    store = Command("bash", "-euc", f"{here}{copied}\n{serve.replace('127.0.0.1:8080', address)}")
    try:
        store.wait_for("OPENSTOREKIT_CONTROL_TOKEN")
        is_page(f"http://{address}/")
        token = re.search(r"token of its remote control is (\w+)", store.said)[1]
        listen = listen.replace("127.0.0.1:8080", address).replace("=... ", f"={token} ")
        listener = Command("bash", "-euc", here + listen)
        try:
            listener.wait_for("Listening")
            ran = subprocess.run(
                ["bash", "-euc", f"{here}storectl trigger DID_RENEW --app com.example.garden --store http://{address}"],
                env={**os.environ, "OPENSTOREKIT_CONTROL_TOKEN": token}, text=True, capture_output=True,
                timeout=TOGETHER)
            assert ran.returncode == 0, ran.stderr
            listener.wait_for("DID_RENEW")
        finally:
            listener.stop()
    finally:
        store.stop()


@pytest.mark.soak
def test_the_tar_file_is_unpacked(folder):
    """The commands of the overview put the programs of the tar file onto the PATH."""
    archive = os.environ.get("ARCHIVE") or subprocess.run(
        [ROOT / "scripts" / "dist", BINARIES / "storectl", folder / "made"], check=True, text=True,
        stdout=subprocess.PIPE).stdout.strip()
    (folder / Path(archive).name).symlink_to(Path(archive).resolve())
    ran = subprocess.run(["bash", "-euc", f"{commands('README.md', 'Install', every=True)[0]}\nstoreagentd --version\n"
                          "command -v storectl"], cwd=folder, check=True, text=True, stdout=subprocess.PIPE)
    version, storectl = ran.stdout.splitlines()
    assert {version} == versions()["README.md"] and storectl.startswith(f"{folder}/openstorekit-{version}"), ran.stdout


def test_the_pages_name_the_packages_of_this_version():
    """The pages name the packages of this version, and no others."""
    version = subprocess.run([ROOT / "scripts" / "version"], check=True, capture_output=True, text=True).stdout.strip()
    found = versions()
    assert found["curl.md"] and found["README.md"], f"{found}"
    assert set().union(*found.values()) == {version}, f"{found}, and not only {version}"
