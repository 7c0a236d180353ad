# SPDX-License-Identifier: Apache-2.0
"""storeagentd with more connections than it takes, without open files, beside the socket of a service manager, and on a
disk that fills while it synchronizes."""

import os
import select
import subprocess
import time
from pathlib import Path

from daemon_device import Connection, Daemon, listens, query, synchronizes, version_of
from harness import (
    APPLE, BUNDLE, PATIENCE, PEAR, Market, charged_once_each, complains, is_quiet, lists, owns, press, wait_until)
from processes import BINARIES
from small_disk import SmallDisk

CONNECTIONS = 256


def device(*arguments):
    """`storectl device`, and the text that it prints."""
    ran = subprocess.run(
        [BINARIES / "storectl", "device", *arguments], text=True, capture_output=True, timeout=PATIENCE)
    return ran.returncode, ran.stdout + ran.stderr


def test_more_connections_than_it_takes(folder):
    """One connection too many is refused with the reason, and the app synchronizes alone until there are fewer."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        version = version_of(daemon)
        wait_until("the daemon has no connection", lambda: not sockets(daemon) - 1)
        open_ones = []
        for _ in range(CONNECTIONS):
            open_ones.append(Connection(daemon.socket))
            open_ones[-1].send(version=version, asksForStatus=True)
            assert open_ones[-1].receive()["status"], "a connection isn't served"
        with Connection(daemon.socket) as late:
            refusal = late.receive()["refusal"]
        assert refusal["code"] == "busy", f"one connection too many is refused with {refusal}"
        status, text = device("status", "--home", app.home)
        assert status == 1, f"storectl device status ended with {status}: {text}"
        complains(text, f"{CONNECTIONS} connections", "End processes")
        market.launch(app)
        synchronizes(app, app)
        complains(app.log.read_text(), f"{CONNECTIONS} connections")
        for connection in open_ones:
            connection.__exit__()
        app.stop()
        wait_until("the daemon has no connection", lambda: not sockets(daemon) - 1)
        market.launch(app)
        synchronizes(app, daemon)
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def sockets(daemon):
    """The number of the daemon's sockets with its path: the listener, and a connection each."""
    with open("/proc/net/unix") as listed:
        return sum(line.rstrip().endswith(f" {daemon.socket}") for line in listed)


def processor_time(running):
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_without_open_files(folder):
    """Without open files the daemon pauses and complains once; it goes on as soon as it has some."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app)
        market.running.append(daemon)
        launch = daemon.start
        daemon.start = lambda command, environment: launch(["prlimit", "--nofile=96:96", *command], environment)
        daemon.launch()
        version = version_of(daemon)
        complaint, open_ones = "No connection can be accepted", []

        def complains_or_answers():
            return complaint in daemon.log.read_text() or select.select([open_ones[-1].socket], [], [], 0)[0]

        while complaint not in daemon.log.read_text():
            assert len(open_ones) < 96, "the daemon has more open files than it may have"
            open_ones.append(Connection(daemon.socket))
            open_ones[-1].send(version=version, asksForStatus=True)
            wait_until("the daemon answers, or has no open files", complains_or_answers)
        begun, used = time.monotonic(), processor_time(daemon)
        wait_until("two seconds have passed", lambda: time.monotonic() - begun > 2)
        used = processor_time(daemon) - used
        assert used < 1, f"the daemon has used {used} s of processor time in two seconds"
        assert daemon.log.read_text().count(complaint) == 1, f"the daemon repeats itself: {daemon.tail()}"
        for connection in open_ones[:-1]:
            connection.__exit__()
        with open_ones[-1] as last:
            assert last.receive()["status"], "a connection that has waited isn't served"
        market.launch(app)
        synchronizes(app, daemon)
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_by_hand_beside_the_socket_of_the_service_manager(folder):
    """A daemon that is started by hand leaves the socket of a service manager, whose daemon serves the app."""
    with Market(folder).open() as market:
        app = market.app()
        app.home.mkdir(mode=0o700, parents=True)
        manager = Daemon(app)
        market.running.append(manager)
        manager.start(["systemd-socket-activate", "--listen", manager.socket, f"--setenv=STOREKIT_HOME={app.home}",
                       BINARIES / "storeagentd"])
        wait_until("the service manager listens", lambda: listens(manager.socket))
        ran = subprocess.run([BINARIES / "storeagentd", "--home", app.home], text=True, capture_output=True,
                             timeout=PATIENCE)
        assert ran.returncode == 1, f"the daemon by hand ended with {ran.returncode}: {ran.stdout} {ran.stderr}"
        complains(ran.stderr, "service manager listens", "storeagentd.socket")
        market.launch(app)
        synchronizes(app, manager)
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_the_service_manager_has_the_socket_of_another_home(folder):
    """The service manager's socket isn't that of the daemon's home: the daemon names both units, and ends."""
    place = Path(folder).resolve()
    (place / "home").mkdir(mode=0o700)
    with open(place / "log", "w") as log:
        manager = subprocess.Popen(
            ["systemd-socket-activate", "--listen", place / "agent.sock", f"--setenv=STOREKIT_HOME={place}/home",
             BINARIES / "storeagentd"], stdout=log, stderr=log)
    try:
        wait_until("the service manager listens", lambda: listens(place / "agent.sock"))
        with Connection(place / "agent.sock"):
            wait_until("the daemon ends", lambda: manager.poll() is not None)
        assert manager.returncode == 1, f"the daemon ended with {manager.returncode}"
        complains((place / "log").read_text(), "service manager has opened", "ListenStream", "STOREKIT_HOME")
    finally:
        manager.kill()
        manager.wait()


def test_a_disk_that_fills_while_it_synchronizes(folder):
    """The disk of the home fills while the daemon synchronizes: a purchase waits for room, and is charged once."""
    place = Path(folder).resolve() / "disk"
    disk = SmallDisk(place, 8 << 20)
    try:
        with Market(folder).open() as market:
            home = {"STOREKIT_HOME": str(place / "home")}
            app = market.app(home=disk.folder / "home")
            daemon = Daemon(app)
            market.running.append(daemon)
            for running in (app, daemon):
                running.start = lambda command, environment, start=running.start: start(
                    disk.enter + command, environment)
            daemon.launch(**home)
            market.launch(app, **home)
            lists(app)
            synchronizes(app, daemon)
            press(app, "buy", product=APPLE)
            sheet = market.customer.next_sheet()
            # A database without room for its log can't be changed.
            disk.fill(left=0)
            status, text = market.customer.buy(sheet)
            assert status == 200, f"buying on the sheet: {status} {text}"
            wait_until("the daemon can't write", lambda: "can't be" in daemon.log.read_text())
            assert not owns(app, APPLE), "the purchase is delivered without room for it"
            disk.make_room()
            wait_until("the app owns it", lambda: owns(app, APPLE))
            wait_until("the store is quiet", lambda: is_quiet(market.store))
            synchronizes(app, daemon)
            market.purchase(app, PEAR)
            charged_once_each(market.store, APPLE, PEAR)
    finally:
        disk.close()


def test_an_app_is_forgotten(folder):
    """`storectl device forget`: an app that doesn't run isn't served until it is launched again."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        market.launch(app)
        synchronizes(app, daemon)
        status, text = device("forget", BUNDLE, "--home", app.home)
        assert status == 1, f"an app that runs is forgotten: {text}"
        complains(text, "runs", "End it")
        app.stop()
        wait_until("the app has left", lambda: daemon.status()["apps"][0]["processes"] == 0)
        status, text = device("forget", BUNDLE, "--home", app.home)
        assert status == 0, f"forgetting ended with {status}: {text}"
        assert daemon.status()["apps"] == [], f"the daemon has {daemon.status()}"
        assert query(app, "SELECT count(*) FROM entry") == [(0,)], "the journal isn't there"
        market.launch(app)
        synchronizes(app, daemon)
        market.purchase(app)
        charged_once_each(market.store, APPLE)
