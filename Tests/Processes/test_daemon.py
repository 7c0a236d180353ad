# SPDX-License-Identifier: Apache-2.0
"""storeagentd and apps: purchases and downloads that go on without the app, and the hand-over in both directions."""

import json
import os
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

from book_device import BOOK, BookDevice, files, write_book
from cutting_proxy import Cut
from daemon_device import Daemon, entries, listens, query, synchronizes
from harness import (
    APPLE, BUNDLE, ORANGE, PATIENCE, PEAR, SEEDS, Market, ask, charged_once_each, is_quiet, lists, owns, press, row,
    wait_until)
from processes import BINARIES, ROOT, storectl


def daemon_of(market, app):
    daemon = Daemon(app)
    market.running.append(daemon)
    return daemon


@pytest.mark.parametrize("is_late", [False, True], ids=["with a daemon", "handed over to a daemon"])
def test_a_download_outlives_the_app(folder, is_late):
    """The app is killed in the middle of a download; the daemon completes it, and the next launch delivers it.

    `is_late`: the daemon starts in the middle, too, before the app is killed.
    """
    book = write_book(Path(folder) / "book", random.Random(1))
    device = BookDevice(Path(folder) / "device", book)
    daemon = Daemon(device.app)
    try:
        if not is_late:
            daemon.launch()
        device.open()

        def kill(pair):
            if is_late:
                daemon.launch()
                synchronizes(device.app, daemon)
            device.app.process.kill()
            device.app.process.wait()
            pair.close()

        device.proxy.arm([Cut(device.length // 2, "app", kill)])
        ask("POST", f"{device.app.url}/buy", form={"product": BOOK})
        status, text = device.customer.buy(device.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the daemon has downloaded the book", lambda: query(
            device.app, "SELECT phase FROM download") == [("finished",)])
        assert device.app.process.poll() == -signal.SIGKILL, "the app runs"
        assert not device.proxy.cuts, "the app wasn't killed in the middle"
        assert not device.kept.is_dir(), "the app has the book already"
        [listed] = json.loads(storectl("device", "downloads", "--home", device.app.home, "--json"))
        assert ((listed["bundleIdentifier"], listed["productIdentifier"], listed["state"]) == (BUNDLE, BOOK, "finished")
               and listed["received"] == listed["length"] > 0), f"the list of downloads: {listed}"
        line = storectl("device", "downloads", "--home", device.app.home)
        assert line.startswith(f"{BUNDLE}\t{BOOK}\tfinished\t"), f"the list of downloads: {line}"
        device.launch()
        wait_until("the app has the book", device.is_complete)
        assert files(device.kept) == device.expected, "the files differ"
    finally:
        daemon.kill()
        device.close()


def test_hand_over_in_both_directions(folder):
    """The daemon takes an app over that runs, and the app goes on when the daemon is killed, several times."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        market.launch(app)
        lists(app)
        synchronizes(app, app)
        bought = []
        for product, end in ((APPLE, daemon.kill), (PEAR, daemon.stop)):
            daemon.launch()
            synchronizes(app, daemon)
            market.purchase(app, product)
            end()
            synchronizes(app, app)
            bought.append(product)
        market.purchase(app, ORANGE)
        charged_once_each(market.store, *bought, ORANGE)


@pytest.mark.parametrize("is_daemon_first", [False, True], ids=["a daemon starts", "the daemon is killed"])
def test_the_synchronizer_changes_while_the_sheet_is_open(folder, is_daemon_first):
    """The synchronizer changes while the sheet is open: the purchase is made once."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        if is_daemon_first:
            daemon.launch()
        market.launch(app)
        lists(app)
        synchronizes(app, daemon if is_daemon_first else app)
        press(app, "buy", product=APPLE)
        sheet = market.customer.next_sheet()
        if is_daemon_first:
            daemon.kill()
            synchronizes(app, app)
        else:
            daemon.launch()
            synchronizes(app, daemon)
        status, text = market.customer.buy(sheet)
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the app owns it", lambda: owns(app, APPLE))
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE)


@pytest.mark.sampled
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["yield", "register", "accept"])
def test_killed_at_a_step_of_the_hand_over(folder, step, when):
    """A process is killed while an app and the daemon hand over; the other one goes on, and nothing is lost."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        place = f"{step}:{when}"
        is_app = step == "yield"
        market.launch(app, **({"OPENSTOREKIT_CRASH_AT": place} if is_app else {}))
        lists(app)
        press(app, "buy", product=SEEDS)
        sheet = market.customer.next_sheet()
        victim, other = (app, daemon) if is_app else (daemon, app)
        daemon.launch(**({} if is_app else {"OPENSTOREKIT_CRASH_AT": place}))
        wait_until(f"{victim.name} is killed", lambda: victim.process.poll() == -signal.SIGKILL)
        synchronizes(app, other)
        status, text = market.customer.buy(sheet)
        assert status == 200, f"buying on the sheet: {status} {text}"
        if is_app:
            wait_until("the seeds wait", lambda: (SEEDS, "ready") in entries(app))
            market.launch(app)
        else:
            daemon.launch()
        synchronizes(app, daemon)
        wait_until("the seeds are there", lambda: row(app, SEEDS) and row(app, SEEDS)["count"] == 1)
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, SEEDS)


def test_started_by_its_socket(folder):
    """A service manager opens the socket; the first app that connects starts the daemon."""
    with Market(folder).open() as market:
        app = market.app()
        app.home.mkdir(mode=0o700, parents=True)
        manager = daemon_of(market, app)
        manager.start(["systemd-socket-activate", "--listen", manager.socket, f"--setenv=STOREKIT_HOME={app.home}",
                       BINARIES / "storeagentd"])
        wait_until("the service manager listens", lambda: listens(manager.socket))
        market.launch(app)
        # The manager becomes the daemon.
        synchronizes(app, manager)
        market.purchase(app)
        charged_once_each(market.store, APPLE)
        assert manager.stop() == 0, f"the daemon ended: {manager.tail()}"
        synchronizes(app, app)


def test_the_units_of_systemd(folder):
    """systemd finds nothing to complain about in the units, and the same home in both."""
    installed = Path(folder) / "units"
    installed.mkdir(mode=0o700)
    for unit in (ROOT / "packaging").glob("storeagentd.*"):
        # A unit's program is looked up in the system's folders only.
        text = unit.read_text().replace("ExecStart=storeagentd", f"ExecStart={BINARIES / 'storeagentd'}")
        (installed / unit.name).write_text(text)
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *sorted(installed.iterdir())], text=True,
        capture_output=True, timeout=PATIENCE, env={**os.environ, "XDG_RUNTIME_DIR": str(installed)})
    assert ran.returncode == 0 and not ran.stderr, f"systemd-analyze ended with {ran.returncode}: {ran.stderr}"
    service, listener = ((installed / f"storeagentd.{kind}").read_text() for kind in ("service", "socket"))
    [home] = re.findall(r"^Environment=STOREKIT_HOME=(.+)$", service, re.MULTILINE)
    assert re.findall(r"^ListenStream=(.+)$", listener, re.MULTILINE) == [f"{home}/agent.sock"], (
        f"the socket isn't in the home {home}")


def test_storectl_device(folder):
    """`storectl device status`, `restrict` and `sign-in`."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        home = ("--home", app.home)

        def status():
            return json.loads(storectl("device", "status", *home, "--json"))

        assert "No storeagentd runs" in storectl("device", "status", *home), "a daemon runs from the start"
        daemon.launch()
        assert status()["daemon"]["apps"] == [], f"the daemon has apps: {status()}"
        market.launch(app)
        synchronizes(app, daemon)
        [served] = status()["daemon"]["apps"]
        assert served == {"bundleIdentifier": BUNDLE, "processes": 1}, f"the daemon serves {served}"
        assert status()["daemon"]["process"] == daemon.process.pid, f"the daemon's process: {status()}"

        storectl("device", "restrict", *home)
        assert not status()["allowsPayments"] and not app.state()["canMakePayments"], "payments are allowed"
        assert "allows no In-App Purchases" in storectl("device", "status", *home), "the restriction isn't shown"
        storectl("device", "allow", *home)
        assert status()["allowsPayments"] and app.state()["canMakePayments"], "payments aren't allowed"

        signs_in(market, app, "cancel", 1, "isn't signed in")
        signs_in(market, app, "sign-in", 0, "is signed in")
        said = storectl("device", "sign-in", *home, "--store", market.store.url)
        assert "is signed in" in said, f"a device that is signed in: {said}"

        app.kill()
        wait_until("the app has left", lambda: status()["daemon"]["apps"][0]["processes"] == 0)


def signs_in(market, app, decision, wanted, words):
    """Runs `storectl device sign-in`, and answers its page."""
    signing = subprocess.Popen(
        [BINARIES / "storectl", "device", "sign-in", "--home", app.home, "--store", market.store.url], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    line = signing.stdout.readline()
    assert "Open this page to continue: " in line, f"sign-in says {line!r}"
    status, text = market.customer.decide(line.split()[-1], decision)
    assert status == 200, f"{decision} on the page: {status} {text}"
    said, _ = signing.communicate(timeout=PATIENCE)
    assert signing.returncode == wanted and words in said, f"sign-in ended with {signing.returncode}: {said}"
