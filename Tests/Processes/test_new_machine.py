# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md and CONTRIBUTING.md on a machine that has only the programs that README.md names. `make
soak` runs them, as root.

The ports 8080 to 8083 have to be free: the commands run as they stand there.
"""

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

import readme
from addresses import Command, is_page, opened
from bare_debian import NewMachine
from pages import commands, write_files
from processes import EMAIL, PASSWORD, ROOT

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("new machine")]

LONGEST = 4 * 3600  # seconds for a command


@pytest.fixture(scope="module")
def machine():
    """A new machine. Its programs are built by the first command that needs them."""
    with tempfile.TemporaryDirectory(prefix="new-machine.", dir=ROOT / ".build") as folder:
        yield NewMachine(folder)


def run(machine, script, folder="OpenStoreKit"):
    ran = subprocess.run(machine.shell(script, folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=LONGEST)
    assert ran.returncode == 0, f"{script} ended with {ran.returncode}:\n{ran.stdout[-20_000:]}"
    return ran.stdout


def write(machine, name, text):
    """Writes a file into the home of the machine's user."""
    path = machine.folder / machine.home.removeprefix("/") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    machine.run("chown", "--recursive", f"{machine.user}:", f"{machine.home}/{name.split('/')[0]}")


def starts(machine, script, end, pages, others=()):
    """A command prints addresses, which are there, and Ctrl-C ends it and its servers."""
    command = Command(*machine.shell(script))
    try:
        addresses = command.addresses(end)
        assert len(set(addresses)) == pages + len(others), addresses
        for address in addresses:
            if address.endswith(others):
                assert opened(address)[0] == 200, address
            else:
                is_page(address)
    finally:
        command.stop()
    assert "Stopping." in command.said, command.said
    for address in addresses:
        with pytest.raises(OSError):
            opened(address)


def test_make_run_starts_the_store_and_an_app(machine):
    first, *others = re.findall(r"^make \w+", readme.blocks("")[0], re.M)
    assert [first, *others] == ["make run", "make test"], "README.md begins with other commands"
    starts(machine, first, "Ctrl-C stops both", pages=2)
    # The second time nothing is installed or built, and the data of the first time are used.
    starts(machine, first, "Ctrl-C stops both", pages=2)


def test_make_demo_buys(machine):
    assert "All of it held." in run(machine, "make demo")


def test_a_back_end_is_tested_with_the_wheels(machine):
    """The commands of README.md and of docs/backend/python.md make the wheels, install them and run their tests."""
    title = "Tests of a back end, in any language"
    run(machine, readme.blocks(title)[0])
    write(machine, "readme/test_shop.py", readme.blocks(title, "python")[0])
    assert "1 passed" in run(machine, "~/OpenStoreKit/.build/shop/bin/pytest", "readme")

    made, installed = commands("python.md", "Install", every=True)
    run(machine, made)
    with tempfile.TemporaryDirectory() as folder:
        for name in write_files("python.md", folder):
            write(machine, f"shop/{name}", (Path(folder) / name).read_text())
    run(machine, f"export WHEELS=~/OpenStoreKit/wheels\n{installed}", "shop")
    assert "2 passed" in run(machine, commands("python.md"), "shop")


def test_an_app_in_three_files_buys(machine):
    """Both programs of README.md buy, each with the commands of its two terminals. The browser is a script."""
    title = "An app in three files"
    for name, text in readme.files(title).items():
        write(machine, f"Tip/{name}", text)
    serve, buy = readme.blocks(title)
    browser = "export BROWSER=~/OpenStoreKit/scripts/answer-sheet\n"
    browser += f"export SHEET_EMAIL={EMAIL} SHEET_PASSWORD={PASSWORD}\n"
    store = Command(*machine.shell(serve, "Tip"))
    try:
        store.wait_for("http://127.0.0.1:8080")
        assert "Thank you for com.example.tip.small!" in run(machine, browser + buy, "Tip")
        write(machine, "Tip/Sources/Tip/main.swift", readme.blocks("The same app with StoreKit 2", "swift")[0])
        again = buy.replace("account add", "account add --if-missing")
        assert "Thank you for com.example.tip.small!" in run(machine, browser + again, "Tip")
    finally:
        store.stop()


def test_make_garden_starts_all_parts(machine):
    assert readme.blocks("A seller's own server")[0].startswith("make garden "), "README.md has another command"
    for command in ("make garden", "GARDEN_CHECK=store make garden"):
        starts(machine, command, "Ctrl-C stops all of them", pages=2, others=("/products",))


def test_make_test_passes(machine):
    """`make test` installs the packages that it needs, and each test passes. So do the other commands."""
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed", run(machine, "make test").splitlines()[-1])
    run(machine, "scripts/pytest -k garden")
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    for command in re.search(r"^```sh\n(.*?)^```$", contributing, re.M | re.S)[1].splitlines():
        if not command.startswith(("make run ", "make test ")):
            run(machine, command)
