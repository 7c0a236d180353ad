# SPDX-License-Identifier: Apache-2.0
"""Files of a seller's own server, whose app is killed: the daemon goes on, and without one the next launch does."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from daemon_device import Daemon, query, synchronizes
from harness import BUNDLE, wait_until
from processes import storectl
from seller_files import FILE, Probe, Seller
from small_disk import SmallDisk

LENGTH = 3_000_000


class Pair:
    """An app and its seller, and a daemon that can be launched."""

    def __init__(self, folder):
        self.seller = Seller(os.urandom(LENGTH))
        self.app = Probe(folder, self.seller)
        self.daemon = Daemon(self.app)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the app\n{self.app.tail()}\n--- storeagentd\n{self.daemon.tail()}\n"
                  f"--- the middle of the transfer: {self.seller.failure!r}", flush=True)
        self.app.kill()
        self.daemon.kill()
        self.seller.close()

    def received(self):
        """The number of bytes that the journal counts; 0 before the first are durable."""
        return sum(received for _, received in self.app.phases())

    def in_the_middle(self, action):
        """Runs an action when half of the file is sent and some of its bytes are durable."""
        def middle(close):
            wait_until("some bytes are durable", self.received)
            action(close)

        self.seller.middle = middle

    def kill_app(self, _=None):
        self.app.process.kill()
        self.app.process.wait()


@pytest.mark.parametrize("is_late", [False, True], ids=["with a daemon", "handed over to a daemon"])
def test_a_file_outlives_the_app(folder, is_late):
    """The app is killed in the middle; the daemon completes the file, and launches deliver it until it is acknowledged.

    `is_late`: the daemon starts in the middle, too, before the app is killed.
    """
    with Pair(folder) as pair:
        app, daemon = pair.app, pair.daemon
        if not is_late:
            daemon.launch()

        def middle(close):
            if is_late:
                daemon.launch()
                synchronizes(app, daemon)
            pair.kill_app()

        pair.in_the_middle(middle)
        app.begin()
        app.is_killed()
        app.finishes()
        first, *others = pair.seller.ranges
        assert first == (None, None), f"the first request has {first}"
        assert len(others) == int(is_late), f"the file was requested with {pair.seller.ranges}"
        for range_field, condition in others:
            assert range_field and condition == pair.seller.tag, f"the daemon goes on with {range_field} {condition}"
        is_listed(app)

        # The app sees the file and is killed before it handles it.
        app.launch("watch")
        wait_until("the file is delivered", lambda: [state for *_, state in app.states()] == ["finished"])
        app.kill()
        app.takes()


def is_listed(app):
    """`storectl device downloads` has the finished file."""
    listed = json.loads(storectl("device", "downloads", "--home", app.home, "--json"))
    wanted = {"bundleIdentifier": BUNDLE, "file": FILE, "state": "finished", "received": LENGTH, "length": LENGTH}
    assert listed == [wanted], f"the list of downloads: {listed}"
    line = storectl("device", "downloads", "--home", app.home)
    assert line == f"{BUNDLE}\tfile {FILE}\tfinished\t{LENGTH} of {LENGTH} bytes", f"the list of downloads: {line}"


@pytest.mark.parametrize("is_changed", [False, True], ids=["unchanged", "changed"])
def test_a_file_goes_on_at_the_next_launch(folder, is_changed):
    """The app is killed in the middle: the next launch goes on where the bytes end, or anew after a change."""
    with Pair(folder) as pair:
        app = pair.app
        pair.in_the_middle(pair.kill_app)
        app.begin()
        app.is_killed()
        [(phase, received)] = app.phases()
        assert phase == "running" and 0 < received < LENGTH, f"the journal has {phase} with {received} bytes"
        if is_changed:
            pair.seller.content, pair.seller.tag = os.urandom(LENGTH // 2), '"second"'
        app.takes()
        assert pair.seller.ranges[1:] == [(f"bytes={received}-", '"first"')], (
            f"the next launch requests {pair.seller.ranges[1:]} after {received} bytes")


def test_a_file_goes_on_without_the_daemon(folder):
    """The daemon is killed in the middle while the app runs: the app goes on, and receives the file."""
    with Pair(folder) as pair:
        app, daemon = pair.app, pair.daemon
        daemon.launch()

        def middle(close):
            daemon.kill()
            close()

        pair.in_the_middle(middle)
        app.begin()
        wait_until("the running app receives the file", lambda: (FILE, LENGTH, "finished") in app.states())
        assert len(pair.seller.ranges) == 2, f"the file was requested with {pair.seller.ranges}"
        app.kill()
        app.takes()


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("who", ["daemon", "app"])
def test_killed_around_the_move(folder, who, when):
    """A process is killed around the move of the complete file to its place: the next one requests nothing again."""
    place = f"background:{when}"
    with Pair(folder) as pair:
        app, daemon = pair.app, pair.daemon
        if who == "daemon":
            daemon.launch(OPENSTOREKIT_CRASH_AT=place)
            pair.in_the_middle(pair.kill_app)
            app.begin()
            app.is_killed()
            wait_until("the daemon is killed", lambda: daemon.process.poll() == -signal.SIGKILL)
            assert app.phases()[0][0] == "running", f"the journal has {app.phases()}"
            daemon.launch()
        else:
            app.begin(OPENSTOREKIT_CRASH_AT=place)
            app.is_killed()
            assert app.phases()[0][0] == "running", f"the journal has {app.phases()}"
            app.launch("watch")
        app.finishes()
        app.kill()
        app.takes()
        assert pair.seller.ranges == [(None, None)], f"the file was requested with {pair.seller.ranges}"


def test_a_file_is_cancelled(folder):
    """A download that the app cancels while the daemon transfers it leaves no file and isn't delivered."""
    with Pair(folder) as pair:
        app, daemon = pair.app, pair.daemon
        daemon.launch()

        def middle(close):
            pair.kill_app()
            app.launch("cancel", FILE)
            app.ends()

        pair.in_the_middle(middle)
        app.begin()
        wait_until("nothing is left", lambda: pair.seller.ranges and not app.phases() and not app.left())
        assert not pair.seller.failure, f"in the middle of the transfer: {pair.seller.failure!r}"
        assert daemon.process.poll() is None, f"the daemon ended: {daemon.tail()}"
        assert app.listed() == [], f"a cancelled download is listed: {app.states()}"


def test_a_file_has_a_time_limit(folder):
    """The time limit passes while only the daemon runs: the next launch is given the reason, and can go on."""
    with Pair(folder) as pair:
        app = pair.app
        pair.daemon.launch()

        def middle(_):
            pair.kill_app()
            [(deadline,)] = query(app, "SELECT deadline FROM background_download")
            wait_until("the time limit has passed", lambda: time.time() * 1000 > deadline)

        pair.in_the_middle(middle)
        app.begin(seconds=10)
        app.is_killed()
        app.fails("time-limit")
        goes_on(pair)


def test_a_file_finds_the_disk_full(folder):
    """The disk is full while only the daemon runs: the next launch is given the reason, and can go on."""
    disk = SmallDisk(Path(folder).resolve() / "disk", 8 << 20)
    try:
        with Pair(folder) as pair:
            app = pair.app
            app.caches = disk.folder / "caches"
            pair.daemon.launch()

            def middle(_):
                pair.kill_app()
                disk.fill(left=0)

            pair.in_the_middle(middle)
            app.begin()
            app.is_killed()
            app.fails("disk-full")
            disk.make_room()
            goes_on(pair)
    finally:
        disk.close()


def goes_on(pair):
    """The app starts a failed download again: its bytes aren't requested a second time."""
    received = pair.received()
    assert 0 < received < LENGTH, f"{received} bytes are kept"
    pair.app.begin()
    pair.app.finishes()
    pair.app.kill()
    assert pair.seller.ranges[1:] == [(f"bytes={received}-", '"first"')], (
        f"the app requests {pair.seller.ranges[1:]} after {received} bytes")
    pair.app.takes()


def test_a_file_is_too_large(folder):
    """A file that is larger than one can be fails while only the daemon runs, and no byte of it is kept."""
    with Pair(folder) as pair:
        app = pair.app
        pair.daemon.launch()
        # Before the server's answer, the daemon has the request.
        pair.seller.length = (64 << 30) + 1
        pair.seller.before = pair.kill_app
        app.begin()
        app.is_killed()
        app.fails("too-large")
        assert not app.left(), f"files are kept: {app.left()}"
        assert pair.seller.ranges == [(None, None)], f"the file was requested with {pair.seller.ranges}"
