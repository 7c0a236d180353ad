# SPDX-License-Identifier: Apache-2.0
"""storeagentd and apps: purchases and downloads that go on without the app, and the hand-over in both directions.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Kill"))

import daemon_apps  # noqa: E402
import daemon_arrivals  # noqa: E402
import daemon_errors  # noqa: E402
import daemon_files  # noqa: E402
import daemon_limits  # noqa: E402
from book_device import BOOK, BookDevice, files, write_book  # noqa: E402
from cutting_proxy import Cut  # noqa: E402
from daemon_device import Daemon, entries, listens, query, synchronizes  # noqa: E402
from harness import (  # noqa: E402
    APPLE, BUNDLE, ORANGE, PEAR, SEEDS, Market, ask, charged_once_each, expect, is_quiet, lists, owns, play_all, press,
    row, wait_until)
from processes import BINARIES, ROOT, storectl  # noqa: E402


def daemon_of(market, app):
    daemon = Daemon(app)
    market.running.append(daemon)
    return daemon


def download(folder, is_late):
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
        expect(status == 200, f"buying on the sheet: {status} {text}")
        wait_until("the daemon has downloaded the book", lambda: query(
            device.app, "SELECT phase FROM download") == [("finished",)], seconds=60)
        expect(device.app.process.poll() == -signal.SIGKILL, "the app runs")
        expect(not device.proxy.cuts, "the app wasn't killed in the middle")
        expect(not device.kept.is_dir(), "the app has the book already")
        [listed] = json.loads(storectl("device", "downloads", "--home", device.app.home, "--json"))
        expect((listed["bundleIdentifier"], listed["productIdentifier"], listed["state"]) == (BUNDLE, BOOK, "finished")
               and listed["received"] == listed["length"] > 0, f"the list of downloads: {listed}")
        line = storectl("device", "downloads", "--home", device.app.home)
        expect(line.startswith(f"{BUNDLE}\t{BOOK}\tfinished\t"), f"the list of downloads: {line}")
        device.launch()
        wait_until("the app has the book", device.is_complete, seconds=60)
        expect(files(device.kept) == device.expected, "the files differ")
    finally:
        daemon.kill()
        device.close()


def both_directions(folder):
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


def in_the_conversation(folder, is_daemon_first):
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
        expect(status == 200, f"buying on the sheet: {status} {text}")
        wait_until("the app owns it", lambda: owns(app, APPLE))
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE)


def killed_at(folder, place):
    """A process is killed while an app and the daemon hand over; the other one goes on, and nothing is lost."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        is_app = place.startswith("yield")
        market.launch(app, **({"OPENSTOREKIT_CRASH_AT": place} if is_app else {}))
        lists(app)
        press(app, "buy", product=SEEDS)
        sheet = market.customer.next_sheet()
        victim, other = (app, daemon) if is_app else (daemon, app)
        daemon.launch(**({} if is_app else {"OPENSTOREKIT_CRASH_AT": place}))
        wait_until(f"{victim.name} is killed", lambda: victim.process.poll() == -signal.SIGKILL)
        synchronizes(app, other)
        status, text = market.customer.buy(sheet)
        expect(status == 200, f"buying on the sheet: {status} {text}")
        if is_app:
            wait_until("the seeds wait", lambda: (SEEDS, "ready") in entries(app))
            market.launch(app)
        else:
            daemon.launch()
        synchronizes(app, daemon)
        wait_until("the seeds are there", lambda: row(app, SEEDS) and row(app, SEEDS)["count"] == 1)
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, SEEDS)


def by_service_manager(folder):
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
        expect(manager.stop() == 0, f"the daemon ended: {manager.tail()}")
        synchronizes(app, app)


def units(folder):
    """systemd finds nothing to complain about in the units, and the same home in both."""
    installed = Path(folder) / "units"
    installed.mkdir(mode=0o700)
    for unit in (ROOT / "packaging").glob("storeagentd.*"):
        # A unit's program is looked up in the system's folders only.
        text = unit.read_text().replace("ExecStart=storeagentd", f"ExecStart={BINARIES / 'storeagentd'}")
        (installed / unit.name).write_text(text)
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *sorted(installed.iterdir())], text=True,
        capture_output=True, timeout=60, env={**os.environ, "XDG_RUNTIME_DIR": str(installed)})
    expect(ran.returncode == 0 and not ran.stderr, f"systemd-analyze ended with {ran.returncode}: {ran.stderr}")
    service, listener = ((installed / f"storeagentd.{kind}").read_text() for kind in ("service", "socket"))
    [home] = re.findall(r"^Environment=STOREKIT_HOME=(.+)$", service, re.MULTILINE)
    expect(re.findall(r"^ListenStream=(.+)$", listener, re.MULTILINE) == [f"{home}/agent.sock"],
           f"the socket isn't in the home {home}")


def device_commands(folder):
    """`storectl device status`, `restrict` and `sign-in`."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = daemon_of(market, app)
        home = ("--home", app.home)

        def status():
            return json.loads(storectl("device", "status", *home, "--json"))

        expect("No storeagentd runs" in storectl("device", "status", *home), "a daemon runs from the start")
        daemon.launch()
        expect(status()["daemon"]["apps"] == [], f"the daemon has apps: {status()}")
        market.launch(app)
        synchronizes(app, daemon)
        [served] = status()["daemon"]["apps"]
        expect(served == {"bundleIdentifier": BUNDLE, "processes": 1}, f"the daemon serves {served}")
        expect(status()["daemon"]["process"] == daemon.process.pid, f"the daemon's process: {status()}")

        storectl("device", "restrict", *home)
        expect(not status()["allowsPayments"] and not app.state()["canMakePayments"], "payments are allowed")
        expect("allows no In-App Purchases" in storectl("device", "status", *home), "the restriction isn't shown")
        storectl("device", "allow", *home)
        expect(status()["allowsPayments"] and app.state()["canMakePayments"], "payments aren't allowed")

        signs_in(market, app, "cancel", 1, "isn't signed in")
        signs_in(market, app, "sign-in", 0, "is signed in")
        said = storectl("device", "sign-in", *home, "--store", market.store.url)
        expect("is signed in" in said, f"a device that is signed in: {said}")

        app.kill()
        wait_until("the app has left", lambda: status()["daemon"]["apps"][0]["processes"] == 0)


def signs_in(market, app, decision, wanted, words):
    """Runs `storectl device sign-in`, and answers its page."""
    signing = subprocess.Popen(
        [BINARIES / "storectl", "device", "sign-in", "--home", app.home, "--store", market.store.url], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    line = signing.stdout.readline()
    expect("Open this page to continue: " in line, f"sign-in says {line!r}")
    status, text = market.customer.decide(line.split()[-1], decision)
    expect(status == 200, f"{decision} on the page: {status} {text}")
    said, _ = signing.communicate(timeout=60)
    expect(signing.returncode == wanted and words in said, f"sign-in ended with {signing.returncode}: {said}")


def scenarios():
    yield "daemon: storectl device", device_commands, {}
    yield "daemon: a download outlives the app", download, {"is_late": False}
    yield "daemon: a download is handed over and outlives the app", download, {"is_late": True}
    yield "daemon: hand-over in both directions", both_directions, {}
    yield "daemon: starts while the sheet is open", in_the_conversation, {"is_daemon_first": False}
    yield "daemon: is killed while the sheet is open", in_the_conversation, {"is_daemon_first": True}
    for step in ("yield", "register", "accept"):
        for place in (f"{step}:before", f"{step}:after"):
            yield f"daemon: killed at {place}", killed_at, {"place": place}
    if any(os.access(f"{folder}/systemd-socket-activate", os.X_OK) for folder in os.get_exec_path()):
        yield "daemon: started by its socket", by_service_manager, {}
    if any(os.access(f"{folder}/systemd-analyze", os.X_OK) for folder in os.get_exec_path()):
        yield "daemon: the units of systemd", units, {}
    yield from daemon_apps.scenarios()
    yield from daemon_arrivals.scenarios()
    yield from daemon_files.scenarios()
    yield from daemon_errors.scenarios()
    yield from daemon_limits.scenarios()


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
