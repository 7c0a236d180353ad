# SPDX-License-Identifier: Apache-2.0
"""The wheels of openstorekit and pytest-openstorekit: made, installed outside of the tree, and used as a reader of
docs/backend/python.md uses them.

BINARIES names the folder of another storectl, such as a release build.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness import wait_until
from pages import write_files
from processes import BINARIES, ROOT
from small_disk import SmallDisk

pytestmark = [pytest.mark.xdist_group("packages"), pytest.mark.slow]

PYTHON = ROOT / "packaging" / "python"
TOOLS = Path(sys.executable).parent
TOGETHER = 1800  # seconds for a command


def run(*command, cwd=None, status=0, **environment):
    """Runs a command outside of the tree's own environment, and returns its output."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OPENSTOREKIT", "STORECTL", "PYTEST", "PYTHON"))}
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env={**kept, **environment}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TOGETHER)
    assert ran.returncode == status, f"{command[0]} ended with {ran.returncode}, not {status}:\n{ran.stdout}"
    return ran.stdout


def sums(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in Path(folder).glob("*.whl")}


class Wheels:
    """The wheels of a stripped copy of the program, and a fresh virtual environment with them."""

    def __init__(self, folder):
        self.folder = folder
        self.program = self.folder / "program" / "storectl"
        self.program.parent.mkdir()
        run("strip", "-o", self.program, BINARIES / "storectl")
        self.made = self.make("made", self.program)
        self.python = self.environment()

    def make(self, name, program):
        run(ROOT / "scripts" / "wheel", program, self.folder / name, PYTHON=sys.executable)
        return self.folder / name

    def environment(self):
        python = self.folder / "environment" / "bin" / "python"
        # A pip inside would take longer to install than everything else.
        run(sys.executable, "-m", "venv", "--without-pip", self.folder / "environment")
        run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile", "--find-links",
            self.made, "pytest-openstorekit[store,apple]", "pytest-xdist")
        return python

    def pytest(self, folder, *arguments, status=0, **environment):
        return run(self.python, "-m", "pytest", *arguments, cwd=folder, status=status, **environment)


@pytest.fixture(scope="module")
def wheels():
    with tempfile.TemporaryDirectory(prefix="wheels.") as folder:
        yield Wheels(Path(folder))


@pytest.mark.soak
def test_wheels_are_reproducible(wheels):
    """Two builds have the same bytes. The program is a small one, because its compression takes the most time."""
    one, two = (sums(wheels.make(name, shutil.which("true"))) for name in ("one", "two"))
    assert len(one) == 2 and one == two, f"{one} and {two}"


def test_wheels_name_their_platform(wheels):
    """The names say where the wheels run, and the contents are complete. storeagentd isn't in them: tests of a server
    don't need it."""
    version = run(ROOT / "scripts" / "version").strip()
    names = sorted(sums(wheels.made))
    assert names[1] == f"pytest_openstorekit-{version}-py3-none-any.whl", f"{names}"
    needed = re.findall(r"GLIBC_([\d.]+)", run("readelf", "--version-info", wheels.program))
    newest = "_".join(max(needed, key=lambda text: tuple(map(int, text.split(".")))).split(".")[:2])
    libraries = run("readelf", "--dynamic", wheels.program)
    is_static = "libswiftCore" not in libraries
    assert "libFoundationNetworking" not in libraries, "it needs libcurl, which can't be linked into it"
    platform = f"manylinux_{newest}" if is_static else "linux"
    assert re.fullmatch(rf"openstorekit-{version}-py3-none-{platform}_\w+\.whl", names[0]), f"{names[0]}: {platform}"
    listed = run(wheels.python, "-m", "zipfile", "--list", wheels.made / names[0])
    for name in (f"openstorekit-{version}.data/scripts/storectl", "openstorekit/licences/swift.txt",
                 "openstorekit/licences/icu.txt", "openstorekit/py.typed"):
        assert name in listed, f"no {name} in {listed}"
    assert "storeagentd" not in listed, f"storeagentd is in the wheel: {listed}"


def test_the_program_is_found_and_its_errors_are_clear(folder, wheels):
    """The program runs by its name and as a module, and its errors name the remedy."""
    version = run(ROOT / "scripts" / "version").strip()
    storectl = wheels.python.with_name("storectl")
    assert run(storectl, "--version", cwd=folder).strip() == version, "storectl --version"
    assert run(wheels.python, "-m", "openstorekit", "--version", cwd=folder).strip() == version, "-m openstorekit"
    run(wheels.python, "-m", "openstorekit", "no-such-command", cwd=folder, status=64)
    found = run(wheels.python, "-c", "import openstorekit; print(openstorekit.find_storectl())", cwd=folder).strip()
    assert found == str(storectl), f"{found}"
    said = run(wheels.python, "-m", "openstorekit", cwd=folder, status=1, STORECTL="/nowhere")
    remedy = "openstorekit: STORECTL names /nowhere, which is no program: correct the variable, or remove it.\n"
    assert said == remedy, said

    # A copy of the package whose program needs a newer C library than there is, and one without its program.
    package = run(wheels.python, "-c", "import openstorekit; print(openstorekit.__path__[0])", cwd=folder).strip()
    copy = folder / "copy" / "openstorekit"
    shutil.copytree(package, copy)
    (copy / "glibc.txt").write_text("99.1\n")
    said = run(wheels.python, "-m", "openstorekit", cwd=copy.parent, status=1, PYTHONPATH=str(copy.parent))
    assert re.match(r"openstorekit: This storectl needs glibc 99\.1 or newer, and this machine has 2\.\d+: use a newer "
                    r"system", said), said
    (copy / "glibc.txt").write_text("2.0\n")
    said = run(sys.executable, "-m", "openstorekit", cwd=copy.parent, status=1, PYTHONPATH=str(copy.parent))
    assert "storectl isn't in " in said and "pip install --force-reinstall openstorekit" in said, said


def test_the_page_for_python_passes_outside_of_the_tree(folder, wheels):
    """The tests of the page and of the README pass, and so they do in several processes."""
    assert write_files("python.md", folder) == ["test_shop.py"], "the files of the page"
    assert "2 passed" in wheels.pytest(folder), "the test of the page"
    readme = re.search(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)[1]
    (folder / "test_readme.py").write_text(readme)
    assert "1 passed" in wheels.pytest(folder, "test_readme.py"), "the test of the README"
    assert "2 workers" in wheels.pytest(folder, "-n", "2"), "with pytest-xdist"


def test_the_own_tests_of_the_plugin_pass(folder, wheels):
    """The plugin's own tests pass."""
    tests = folder / "tests"
    shutil.copytree(PYTHON / "pytest-openstorekit" / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    said = wheels.pytest(tests)
    count = (tests / "test_fixtures.py").read_text().count("\ndef test_")
    assert count > 10 and f"{count} passed" in said, f"{count} tests: {said}"


WAITING = '''
import pathlib
import threading


def test_it_waits(storekit_proc):
    pathlib.Path("pids").open("a").write(f"{storekit_proc.pid}\\n")
    threading.Event().wait()
'''


def test_no_store_outlives_a_killed_pytest(folder, wheels):
    """Two runs at the same time have a store each, and no store outlives its pytest, however that ends."""
    (folder / "test_it.py").write_text(WAITING)
    running = []
    try:
        for number in (signal.SIGKILL, signal.SIGTERM):
            running.append((number, subprocess.Popen([wheels.python, "-m", "pytest", "-p", "no:cacheprovider"],
                                                     cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)))
        pids = folder / "pids"
        wait_until("both stores run", lambda: pids.exists() and pids.read_text().count("\n") == 2)
        stores = [int(line) for line in pids.read_text().split()]
        assert len(set(stores)) == 2 and all(map(is_running, stores)), f"the stores {stores}"
    finally:
        for number, process in running:
            process.send_signal(number)
            process.wait()
    wait_until("the stores have ended", lambda: not any(map(is_running, stores)))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


USING = "def test_it(storekit):\n    assert storekit.address\n"


def test_wrong_settings_have_clear_sentences(folder, wheels):
    """Each wrong setting has one clear sentence, and no store is started for it."""
    (folder / "test_it.py").write_text(USING)
    (folder / "Tip.storekit").write_text("no JSON")

    def says(sentence, *arguments, **environment):
        said = wheels.pytest(folder, *arguments, status=1, **environment)
        assert sentence in said, f"{arguments}: {sentence!r} isn't in {said}"

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        says(f"Port {port} is in use: leave out storekit_port, so that each process of tests takes a free one.",
             f"--storekit-port={port}")
    says("Set storekit_bundle_id too", "--storekit-configuration=Tip.storekit")
    says("There is no configuration file ", "--storekit-configuration=None.storekit", "--storekit-bundle-id=a.b")
    says("The store has ended with status 1 before it was ready: storectl: ", "--storekit-configuration=Tip.storekit",
         "--storekit-bundle-id=a.b")
    says("/nowhere can't be started: [Errno 2] No such file", "--storekit-exec=/nowhere")
    says("/bin/echo doesn't answer as storectl does. Its first line: serve --ephemeral", "--storekit-exec=/bin/echo")
    says("storekit_port takes a number, not 'http'.", "--storekit-port=http")
    says("STORECTL names /nowhere, which is no program", STORECTL="/nowhere")
    says("The store isn't ready after 0.001 s: raise storekit_startup_timeout.", "--storekit-startup-timeout=0.001")
    (folder / "pytest.ini").write_text("[pytest]\nstorekit_port = 99999\n")
    says("storekit_port is from 1 to 65535, or 0 for a free one: 99999.")
    assert "1 passed" in wheels.pytest(folder, "--storekit-port=0"), "the command line precedes the file"


def test_tests_pass_with_a_full_temporary_folder(folder, wheels):
    """With a full temporary folder the tests pass: neither the store nor the fixtures write to it."""
    (folder / "test_it.py").write_text(USING)
    disk = SmallDisk(folder / "small", 1 << 20)
    try:
        disk.fill(0)
        assert disk.free == 0, "the disk isn't full"
        said = wheels.pytest(folder, "-p", "no:cacheprovider", TMPDIR=str(disk.folder))
        assert "1 passed" in said, said
    finally:
        disk.close()


NOPROC = '''
import pytest
from pytest_openstorekit import factories

running = factories.storekit("storekit_noproc")
running_notifications = factories.storekit_notifications("running")


def test_it(running, running_notifications):
    bought = running.buy(running.add_customer(), "garden.seeds")["transaction"]
    notification = running_notifications.wait_for("ONE_TIME_CHARGE")
    running.verifier().verify_and_decode_notification(notification.signed_payload)
    assert running.api_client().get_transaction_info(bought).signedTransactionInfo
'''


def test_a_store_that_runs_already_is_tested_against(folder, wheels):
    """A store that runs already is used with its address and its token."""
    (folder / "test_it.py").write_text(NOPROC)
    said = wheels.pytest(folder, status=1)
    assert "storekit_noproc needs storekit_address, and the token" in said, said
    said = wheels.pytest(folder, "--storekit-address=http://127.0.0.1:1", status=1, OPENSTOREKIT_CONTROL_TOKEN="00")
    assert "No store answers at http://127.0.0.1:1" in said and "correct storekit_address" in said, said
    store = subprocess.Popen(
        [BINARIES / "storectl", "serve", "--ephemeral", "--json", "--end-with-input", "--listen", "127.0.0.1:0",
         "--configuration", ROOT / "Sources/StoreScenarios/Shipped/garden.storekit", "--bundle-id",
         "com.example.garden"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        facts = json.loads(store.stdout.readline())
        address = f"--storekit-address={facts['address']}"
        said = wheels.pytest(folder, address, OPENSTOREKIT_CONTROL_TOKEN=facts["controlToken"])
        assert "1 passed" in said, said
        said = wheels.pytest(folder, address, "--storekit-token=00", status=1)
        assert "401" in said, said
    finally:
        store.stdin.close()
        store.stdout.close()
        store.wait()


def test_types_format_and_the_generated_client_are_right(folder):
    """The types are right, the sources are formatted, and the client is that of the store's description."""
    for name in ("openstorekit", "pytest-openstorekit"):
        run(TOOLS / "mypy", "--cache-dir", folder / "mypy", cwd=PYTHON / name)
    run(TOOLS / "ruff", "check", "--no-cache", ".", cwd=PYTHON)
    run(TOOLS / "ruff", "format", "--no-cache", "--check", ".", cwd=PYTHON)
    made = run(sys.executable, "generate_control.py", ROOT / "Sources/StoreServer/OpenAPI/control.json",
               cwd=PYTHON / "pytest-openstorekit")
    kept = PYTHON / "pytest-openstorekit/src/pytest_openstorekit/control.py"
    assert made == kept.read_text(), f"{kept} isn't that of the description: make it with generate_control.py"
    assert made.count("self._call(") > 70, "calls are missing"
