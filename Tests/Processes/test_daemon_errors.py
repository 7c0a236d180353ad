# SPDX-License-Identifier: Apache-2.0
"""A daemon of another version or user, two daemons, a home without space: a clear error, and nothing is lost."""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from daemon_device import Connection, Daemon, entries, is_root, synchronizer, synchronizes, version_of
from harness import (
    APPLE, BUNDLE, EMAIL, PATIENCE, PEAR, Market, charged_once_each, complains, is_quiet, lists, owns, wait_until)
from processes import BINARIES, storectl
from small_disk import SmallDisk

STRANGER = 65534  # the user of a foreign process


def test_an_app_of_another_version(folder):
    """The daemon releases an app that has another version, and the app's process goes on alone."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        market.launch(app)
        lists(app)
        synchronizes(app, daemon)
        version = version_of(daemon)
        # Other messages concern the one program: the app's other processes keep the daemon.
        with Connection(daemon.socket) as newer:
            newer.send(version={**version, "messages": version["messages"] + 1, "release": "9.8"}, bundle=BUNDLE)
            refusal = newer.receive()["refusal"]
        assert refusal["code"] == "version", f"another version is refused with {refusal}"
        assert synchronizer(app) == daemon.process.pid, "the daemon has let the app go"
        # The app's process would ask again after a second.
        app.process.send_signal(signal.SIGSTOP)
        with Connection(daemon.socket) as newer:
            newer.send(version={**version, "journal": version["journal"] + 1, "release": "9.9"}, bundle=BUNDLE)
            refusal = newer.receive()["refusal"]
            assert synchronizer(app) != daemon.process.pid, "the daemon has refused the app, and holds its lock"
        app.process.send_signal(signal.SIGCONT)
        assert refusal["code"] == "version", f"another version is refused with {refusal}"
        complains(refusal["message"], r"9\.9", version["release"], "Install")
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_a_daemon_of_another_version(folder):
    """A daemon of another version refuses the app: the app says why, and synchronizes."""
    with Market(folder).open() as market:
        app = market.app()
        app.home.mkdir(mode=0o700, parents=True)
        listener = Listener(app.home / "agent.sock", {"refusal": {
            "code": "version", "message": "This app has StoreKit 1.0, and storeagentd 9.9 is another version."}})
        market.launch(app)
        synchronizes(app, app)
        market.purchase(app)
        complains(app.log.read_text(), r"storeagentd 9\.9 is another version")
        listener.close()
        charged_once_each(market.store, APPLE)


def test_a_newer_version_changes_the_journal(folder):
    """A newer version migrates the journal beside a daemon, and dies before it asks the daemon. The daemon lets the app
    go when a purchase arrives, and doesn't write it. A program of the newer version has it at its launch."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        market.launch(app)
        market.purchase(app, APPLE)
        synchronizes(app, daemon)
        app.kill()

        change(app, "ALTER TABLE entry ADD COLUMN colour TEXT",
               "INSERT INTO schema_migration SELECT 'agent-next', max(applied) + 1 FROM schema_migration")
        storectl("buy", EMAIL, PEAR, "--bundle-id", BUNDLE, *market.store.where)
        wait_until("the daemon has let the app go", lambda: synchronizer(app) is None)
        complains(daemon.log.read_text(), "newer version", "install the storeagentd")
        assert PEAR not in dict(entries(app)), "the daemon has written the purchase"
        [served] = daemon.status()["apps"]
        complains(served["failure"], "newer version")

        # An app of the daemon's version leaves the journal alone too.
        market.launch(app)
        wait_until("the app says why", lambda: "newer version" in app.log.read_text())
        app.kill()
        assert synchronizer(app) is None, "the app synchronizes a journal of a newer version"

        # The migrations of a program that knows the newest one are those of the journal.
        change(app, "DELETE FROM schema_migration WHERE name = 'agent-next'")
        daemon.kill()
        market.launch(app)
        synchronizes(app, app)
        wait_until("the app owns the pear", lambda: owns(app, PEAR))
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE, PEAR)


def change(app, *statements):
    """Changes the app's journal."""
    file = app.home / "apps" / BUNDLE / "journal.sqlite"
    with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_nonsense_on_the_socket(folder):
    """A program that answers nonsense isn't a daemon, and a daemon closes the connection of one that sends nonsense."""
    with Market(folder).open() as market:
        app = market.app()
        app.home.mkdir(mode=0o700, parents=True)
        listener = Listener(app.home / "agent.sock", ["nonsense"])
        market.launch(app)
        synchronizes(app, app)
        complains(app.log.read_text(), "doesn't answer as storeagentd does", "Start storeagentd again")
        listener.close()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        synchronizes(app, daemon)
        long = b'{"bundle":"' + b"x" * (1 << 19)
        for nonsense in (
                b"\n", b"{\n", b"[]\n", b"\xff\x00\n", long, b'{"bundle":"../../x","version":null}\n', b"{}\n"):
            with Connection(daemon.socket) as connection:
                try:
                    connection.socket.sendall(nonsense)
                    connection.socket.shutdown(socket.SHUT_WR)
                    assert connection.receive() is None, f"an answer to {nonsense[:20]}"
                except (BrokenPipeError, ConnectionResetError):
                    pass
        assert daemon.process.poll() is None, f"the daemon ended: {daemon.tail()}"
        market.purchase(app)
        charged_once_each(market.store, APPLE)


class Listener:
    """A program in the daemon's place, which sends a line to each program that connects."""

    def __init__(self, path, line):
        self.line = line
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self):
        while True:
            try:
                connection, _ = self.socket.accept()
                connection.recv(65536)
                connection.sendall(json.dumps(self.line).encode() + b"\n")
            except OSError:
                return  # Closed.

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


LISTEN_AS = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
os.setuid(int(sys.argv[2]))
listener.listen()
print("listens", flush=True)
sys.stdin.read()
"""
CONNECT_AS = """
import json, os, socket, sys
os.setuid(int(sys.argv[2]))
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
connection.sendall(sys.argv[3].encode() + b"\\n")
print(connection.makefile().readline(), end="")
"""


@pytest.mark.skipif(not is_root(), reason="only root can run a process of another user")
def test_the_socket_of_another_user(folder):
    """The socket is another user's, or another user connects to it."""
    with Market(folder).open() as market:
        app = market.app()
        app.home.mkdir(mode=0o700, parents=True)
        path = app.home / "agent.sock"
        stranger = subprocess.Popen([sys.executable, "-c", LISTEN_AS, str(path), str(STRANGER)], text=True,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert stranger.stdout.readline() == "listens\n", "the stranger doesn't listen"
        market.launch(app)
        synchronizes(app, app)
        wait_until("the app says why", lambda: "another user's socket" in app.log.read_text())
        market.purchase(app)
        stranger.stdin.close()
        stranger.wait()

        daemon = Daemon(app).launch()
        market.running.append(daemon)
        synchronizes(app, daemon)
        # Readable by all, so that only the daemon's check is left.
        for place in (path, *path.parents):
            if str(place).startswith(str(folder)):
                os.chmod(place, 0o777)
        greeting = json.dumps({"version": version_of(daemon), "bundle": BUNDLE, "asksForStatus": True})
        answer = subprocess.run([sys.executable, "-c", CONNECT_AS, str(path), str(STRANGER), greeting], text=True,
                                capture_output=True, timeout=PATIENCE)
        assert answer.returncode == 0, f"the stranger couldn't connect: {answer.stderr}"
        refusal = json.loads(answer.stdout)["refusal"]
        assert refusal["code"] == "user", f"a stranger is refused with {refusal}"
        complains(refusal["message"], "another user")
        market.purchase(app, PEAR)
        charged_once_each(market.store, APPLE, PEAR)


def test_two_daemons(folder):
    """The second daemon of a home ends with an error, and the first one goes on."""
    with Market(folder).open() as market:
        app = market.app()
        daemon = Daemon(app).launch()
        market.running.append(daemon)
        market.launch(app)
        lists(app)
        ran = subprocess.run([BINARIES / "storeagentd", "--home", app.home], text=True, capture_output=True,
                             timeout=PATIENCE)
        assert ran.returncode == 1, f"the second daemon ended with {ran.returncode}: {ran.stdout} {ran.stderr}"
        complains(ran.stderr, "Another storeagentd serves", "STOREKIT_HOME")
        synchronizes(app, daemon)
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_a_home_without_space(folder):
    """The daemon can't save which app it serves: the app goes on alone until there is room."""
    place = Path(folder).resolve() / "disk"
    disk = SmallDisk(place, 4 << 20)
    try:
        with Market(folder).open() as market:
            # The path is longer than the address of a socket can be.
            long = Path("a-long-name-of-a-folder" * 4) / "home"
            home = {"STOREKIT_HOME": str(place / long)}
            app = market.app(home=disk.folder / long)
            daemon = Daemon(app)
            market.running.append(daemon)
            for running in (app, daemon):
                running.start = lambda command, environment, start=running.start: start(
                    disk.enter + command, environment)
            market.launch(app, **home)
            lists(app)
            synchronizes(app, app)
            disk.fill(left=0)
            daemon.launch(**home)
            wait_until("the app says why", lambda: "No space left on device" in app.log.read_text())
            synchronizes(app, app)
            disk.make_room()
            market.purchase(app)
            app.stop()
            market.launch(app, **home)
            synchronizes(app, daemon)
            market.purchase(app, PEAR)
            charged_once_each(market.store, APPLE, PEAR)
    finally:
        disk.close()
