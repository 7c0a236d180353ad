# SPDX-License-Identifier: Apache-2.0
"""storeagentd as a process, the lock of an app's synchronizer, and the first message of a program that connects."""

import json
import os
import socket
import sqlite3

from harness import BUNDLE, PATIENCE, Failed, wait_until
from processes import BINARIES, Running


class Daemon(Running):
    """storeagentd for the home of an app."""

    def __init__(self, app):
        super().__init__("storeagentd", app.log.with_name("storeagentd.log"))
        self.home = app.home
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket = self.home / "agent.sock"

    def launch(self, **environment):
        said = self.log.stat().st_size if self.log.exists() else 0
        self.start([BINARIES / "storeagentd"], {"STOREKIT_HOME": str(self.home), **environment})

        def serves():
            if self.process.poll() is not None:
                raise Failed(f"storeagentd ended with {self.process.returncode}: {self.tail()}")
            return "serves" in self.log.read_text()[said:]

        wait_until("storeagentd serves", serves)
        return self

    def status(self):
        with Connection(self.socket) as connection:
            connection.send(version=version_of(self), asksForStatus=True)
            return connection.receive()["status"]


def version_of(daemon):
    """The version of the daemon, which it says to a program that asks for its state."""
    with Connection(daemon.socket) as connection:
        connection.send(version={"messages": 0, "journal": 0, "release": "0"}, asksForStatus=True)
        return connection.receive()["status"]["version"]


def listens(path):
    """Whether a process listens on a socket. Its file is there a moment earlier, when a connection is still refused."""
    with open("/proc/net/unix") as sockets:
        # Number, references, protocol, flags (one of them: it accepts connections), type, state, inode.
        return any(
            line.rstrip().endswith(f" {path}") and int(line.split()[3], 16) & 0x10000 for line in sockets)


class Connection:
    """A program that connects to the daemon's socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def send(self, **line):
        self.socket.sendall(json.dumps(line).encode() + b"\n")

    def receive(self):
        """The next line; `None` after the end."""
        line = self.file.readline()
        return json.loads(line) if line else None


def synchronizer(app):
    """The process that synchronizes the app; `None` without one. A process that only waits isn't it."""
    lock = app.home / "apps" / BUNDLE / "talker.lock"
    if not lock.exists():
        return None
    inode = str(lock.stat().st_ino)
    with open("/proc/locks") as locks:
        for line in locks:
            words = line.split()
            if words[1] == "FLOCK" and words[5].rsplit(":", 1)[1] == inode:
                return int(words[4])
    return None


def synchronizes(app, running):
    wait_until(f"{running.name} synchronizes the app", lambda: synchronizer(app) == running.process.pid)


def entries(app):
    """The product and the phase of each entry of the app's journal, oldest first."""
    return query(app, "SELECT product, phase FROM entry ORDER BY sequence")


def query(app, sql):
    database = sqlite3.connect(f"file:{app.home}/apps/{BUNDLE}/journal.sqlite?mode=ro", uri=True, timeout=PATIENCE)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def is_root():
    return os.geteuid() == 0
