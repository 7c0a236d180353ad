# SPDX-License-Identifier: Apache-2.0
"""The wheels of openstorekit and pytest-openstorekit: made, installed outside of the tree, and used as a reader of
docs/backend/python.md uses them.

Arguments choose the scenarios whose names have all of these words. BINARIES names the folder of another storectl, such as a
release build. The last line is `N passed, N failed`.
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

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import Failed, expect, play_all, wait_until  # noqa: E402
from pages import write_files  # noqa: E402
from processes import BINARIES, ROOT  # noqa: E402
from small_disk import SmallDisk  # noqa: E402

PYTHON = ROOT / "packaging" / "python"
TOOLS = Path(sys.executable).parent


def run(*command, cwd=None, status=0, seconds=300, **environment):
    """Runs a command outside of the tree's own environment, and returns its output."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OPENSTOREKIT", "STORECTL", "PYTEST", "PYTHON"))}
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env={**kept, **environment}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    expect(ran.returncode == status, f"{command[0]} ended with {ran.returncode}, not {status}:\n{ran.stdout}")
    return ran.stdout


def sums(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in Path(folder).glob("*.whl")}


class Wheels:
    """The wheels of a stripped copy of the program, and a fresh virtual environment with them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.program = self.folder / "program" / "storectl"
        self.program.parent.mkdir()
        run("strip", "-o", self.program, BINARIES / "storectl")
        self.made = self.make("made")
        self.python = self.environment()

    def make(self, name):
        run(ROOT / "scripts" / "wheel", self.program, self.folder / name, PYTHON=sys.executable)
        return self.folder / name

    def environment(self):
        home = self.folder / "environment"
        run(sys.executable, "-m", "venv", home)
        run(home / "bin" / "python", "-m", "pip", "install", "--quiet", "--find-links", self.made,
            "pytest-openstorekit[store,apple]", "pytest-xdist")
        return home / "bin" / "python"

    def pytest(self, folder, *arguments, status=0, **environment):
        return run(self.python, "-m", "pytest", *arguments, cwd=folder, status=status, **environment)


def reproducible(folder, wheels):
    """The names say where the wheels run, the contents are complete, and a second build has the same bytes. storeagentd
    isn't in them: tests of a server don't need it."""
    again = wheels.make("again")
    expect(len(sums(again)) == 2 and sums(again) == sums(wheels.made), f"{sums(again)} and {sums(wheels.made)}")
    shutil.rmtree(again)
    version = run(ROOT / "scripts" / "version").strip()
    names = sorted(sums(wheels.made))
    expect(names[1] == f"pytest_openstorekit-{version}-py3-none-any.whl", f"{names}")
    needed = re.findall(r"GLIBC_([\d.]+)", run("readelf", "--version-info", wheels.program))
    newest = "_".join(max(needed, key=lambda text: tuple(map(int, text.split(".")))).split(".")[:2])
    libraries = run("readelf", "--dynamic", wheels.program)
    is_static = "libswiftCore" not in libraries
    expect("libFoundationNetworking" not in libraries, "it needs libcurl, which can't be linked into it")
    platform = f"manylinux_{newest}" if is_static else "linux"
    expect(re.fullmatch(rf"openstorekit-{version}-py3-none-{platform}_\w+\.whl", names[0]), f"{names[0]}: {platform}")
    listed = run(wheels.python, "-m", "zipfile", "--list", wheels.made / names[0])
    for name in (f"openstorekit-{version}.data/scripts/storectl", "openstorekit/licences/swift.txt",
                 "openstorekit/licences/icu.txt", "openstorekit/py.typed"):
        expect(name in listed, f"no {name} in {listed}")
    expect("storeagentd" not in listed, f"storeagentd is in the wheel: {listed}")


def program(folder, wheels):
    """The program runs by its name and as a module, and its errors name the remedy."""
    version = run(ROOT / "scripts" / "version").strip()
    storectl = wheels.python.with_name("storectl")
    expect(run(storectl, "--version", cwd=folder).strip() == version, "storectl --version")
    expect(run(wheels.python, "-m", "openstorekit", "--version", cwd=folder).strip() == version, "-m openstorekit")
    run(wheels.python, "-m", "openstorekit", "no-such-command", cwd=folder, status=64)
    found = run(wheels.python, "-c", "import openstorekit; print(openstorekit.find_storectl())", cwd=folder).strip()
    expect(found == str(storectl), f"{found}")
    said = run(wheels.python, "-m", "openstorekit", cwd=folder, status=1, STORECTL="/nowhere")
    expect(said == "openstorekit: STORECTL names /nowhere, which is no program: correct the variable, or remove it.\n",
           said)

    # A copy of the package whose program needs a newer C library than there is, and one without its program.
    package = run(wheels.python, "-c", "import openstorekit; print(openstorekit.__path__[0])", cwd=folder).strip()
    copy = Path(folder) / "copy" / "openstorekit"
    shutil.copytree(package, copy)
    (copy / "glibc.txt").write_text("99.1\n")
    said = run(wheels.python, "-m", "openstorekit", cwd=copy.parent, status=1, PYTHONPATH=str(copy.parent))
    expect(re.match(r"openstorekit: This storectl needs glibc 99\.1 or newer, and this machine has 2\.\d+: use a newer "
                    r"system", said), said)
    (copy / "glibc.txt").write_text("2.0\n")
    said = run(sys.executable, "-m", "openstorekit", cwd=copy.parent, status=1, PYTHONPATH=str(copy.parent))
    expect("storectl isn't in " in said and "pip install --force-reinstall openstorekit" in said, said)


def page(folder, wheels):
    """The tests of the page and of the README pass, and so they do in several processes."""
    expect(write_files("python.md", folder) == ["test_shop.py"], "the files of the page")
    expect("2 passed" in wheels.pytest(folder), "the test of the page")
    readme = re.search(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)[1]
    (Path(folder) / "test_readme.py").write_text(readme)
    expect("1 passed" in wheels.pytest(folder, "test_readme.py"), "the test of the README")
    expect("4 workers" in wheels.pytest(folder, "-n", "4"), "with pytest-xdist")


def fixtures(folder, wheels):
    """The plugin's own tests pass."""
    tests = Path(folder) / "tests"
    shutil.copytree(PYTHON / "pytest-openstorekit" / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    said = wheels.pytest(tests)
    count = (tests / "test_fixtures.py").read_text().count("\ndef test_")
    expect(count > 10 and f"{count} passed" in said, f"{count} tests: {said}")


WAITING = '''
import pathlib
import threading


def test_it_waits(storekit_proc):
    pathlib.Path("pids").open("a").write(f"{storekit_proc.pid}\\n")
    threading.Event().wait()
'''


def killed(folder, wheels):
    """Two runs at the same time have a store each, and no store outlives its pytest, however that ends."""
    (Path(folder) / "test_it.py").write_text(WAITING)
    running = []
    try:
        for number in (signal.SIGKILL, signal.SIGTERM):
            running.append((number, subprocess.Popen([wheels.python, "-m", "pytest", "-p", "no:cacheprovider"],
                                                     cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)))
        pids = Path(folder) / "pids"
        wait_until("both stores run", lambda: pids.exists() and pids.read_text().count("\n") == 2, seconds=60)
        stores = [int(line) for line in pids.read_text().split()]
        expect(len(set(stores)) == 2 and all(map(is_running, stores)), f"the stores {stores}")
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


def settings(folder, wheels):
    """Each wrong setting has one clear sentence, and no store is started for it."""
    (Path(folder) / "test_it.py").write_text(USING)
    (Path(folder) / "Tip.storekit").write_text("no JSON")

    def says(sentence, *arguments, **environment):
        said = wheels.pytest(folder, *arguments, status=1, **environment)
        expect(sentence in said, f"{arguments}: {sentence!r} isn't in {said}")

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        says(f"Port {port} is in use: leave out storekit_port, so that each process of tests takes a free one.",
             f"--storekit-port={port}")
    says("Set storekit_bundle_id too", "--storekit-configuration=Tip.storekit")
    says("There is no configuration file ", "--storekit-configuration=None.storekit", "--storekit-bundle-id=a.b")
    says("The store has ended with status 1 before it was ready: storectl: ", "--storekit-configuration=Tip.storekit", "--storekit-bundle-id=a.b")
    says("/nowhere can't be started: [Errno 2] No such file", "--storekit-exec=/nowhere")
    says("/bin/echo doesn't answer as storectl does. Its first line: serve --ephemeral", "--storekit-exec=/bin/echo")
    says("storekit_port takes a number, not 'http'.", "--storekit-port=http")
    says("STORECTL names /nowhere, which is no program", STORECTL="/nowhere")
    says("The store isn't ready after 0.001 s: raise storekit_startup_timeout.", "--storekit-startup-timeout=0.001")
    (Path(folder) / "pytest.ini").write_text("[pytest]\nstorekit_port = 99999\n")
    says("storekit_port is from 1 to 65535, or 0 for a free one: 99999.")
    expect("1 passed" in wheels.pytest(folder, "--storekit-port=0"), "the command line precedes the file")


def full(folder, wheels):
    """With a full temporary folder the tests pass: neither the store nor the fixtures write to it."""
    (Path(folder) / "test_it.py").write_text(USING)
    disk = SmallDisk(Path(folder) / "small", 1 << 20)
    try:
        disk.fill(0)
        expect(disk.free == 0, "the disk isn't full")
        said = wheels.pytest(folder, "-p", "no:cacheprovider", TMPDIR=str(disk.folder))
        expect("1 passed" in said, said)
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


def running(folder, wheels):
    """A store that runs already is used with its address and its token."""
    (Path(folder) / "test_it.py").write_text(NOPROC)
    said = wheels.pytest(folder, status=1)
    expect("storekit_noproc needs storekit_address, and the token" in said, said)
    said = wheels.pytest(folder, "--storekit-address=http://127.0.0.1:1", status=1, OPENSTOREKIT_CONTROL_TOKEN="00")
    expect("No store answers at http://127.0.0.1:1" in said and "correct storekit_address" in said, said)
    store = subprocess.Popen(
        [BINARIES / "storectl", "serve", "--ephemeral", "--json", "--end-with-input", "--listen", "127.0.0.1:0",
         "--configuration", ROOT / "Sources/StoreScenarios/Shipped/garden.storekit", "--bundle-id",
         "com.example.garden"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        facts = json.loads(store.stdout.readline())
        address = f"--storekit-address={facts['address']}"
        said = wheels.pytest(folder, address, OPENSTOREKIT_CONTROL_TOKEN=facts["controlToken"])
        expect("1 passed" in said, said)
        said = wheels.pytest(folder, address, "--storekit-token=00", status=1)
        expect("401" in said, said)
    finally:
        store.stdin.close()
        store.stdout.close()
        store.wait()


def sources(folder, wheels):
    """The types are right, the sources are formatted, and the client is that of the store's description."""
    for name in ("openstorekit", "pytest-openstorekit"):
        run(TOOLS / "mypy", "--cache-dir", Path(folder) / "mypy", cwd=PYTHON / name)
    run(TOOLS / "ruff", "check", "--no-cache", ".", cwd=PYTHON)
    run(TOOLS / "ruff", "format", "--no-cache", "--check", ".", cwd=PYTHON)
    made = run(sys.executable, "generate_control.py", ROOT / "Sources/StoreServer/OpenAPI/control.json",
               cwd=PYTHON / "pytest-openstorekit")
    kept = PYTHON / "pytest-openstorekit/src/pytest_openstorekit/control.py"
    expect(made == kept.read_text(), f"{kept} isn't that of the description: make it with generate_control.py")
    expect(made.count("self._call(") > 70, "calls are missing")


def scenarios(wheels):
    for name, play in (
            ("The test of the page for Python passes outside of the tree", page),
            ("The plugin's own tests pass", fixtures),
            ("Wheels name their platform, and are reproducible", reproducible),
            ("The program is found, and its errors are clear", program),
            ("No store outlives a killed pytest, and two run side by side", killed),
            ("Wrong settings have clear sentences", settings),
            ("Tests pass with a full temporary folder", full),
            ("A store that runs already is tested against", running),
            ("Types, format and the generated client are right", sources)):
        yield name, play, {"wheels": wheels}


def main(wanted):
    with tempfile.TemporaryDirectory(prefix="openstorekit.") as folder:
        try:
            wheels = Wheels(folder)
        except (Failed, subprocess.TimeoutExpired) as failed:
            print(f"The wheels can't be made or installed: failed: {failed}\n0 passed, 1 failed")
            return 1
        return play_all(scenarios(wheels), wanted, workers=2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
