# SPDX-License-Identifier: Apache-2.0
"""A hostile store against the real BuyFruit: it neither ends nor hangs, and opens nothing but pages of the web.

In each scenario the app asks for products, starts a payment and restores, and the store answers one of the messages
absurdly.
"""

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from harness import APPLE, Failed, Page, ask, wait_until
from hostile_store import ROOT, HostileStore
from hostile_store_answers import answers, lists
from hostile_store_events import events
from hostile_store_sheets import sheets
from processes import BuyFruit

GROWTH = 200  # MB by which an app may grow from a store's answers.
SECONDS = 5  # in which the app answers afterwards: a hundred times as long as it usually takes
WEB = re.compile(rb"https?://[A-Za-z0-9\[][!-~]*")


class Victim:
    """BuyFruit on a device of its own, and a browser that writes its arguments down."""

    def __init__(self, folder, store):
        self.store, self.opened = store, folder / "opened"
        self.opened.touch()
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\nprintf "%s\\0" "$#" "$@" >> "{self.opened}"\n')
        browser.chmod(0o755)
        store.root = folder / "root.pem"
        store.root.write_text(ROOT)
        self.app = BuyFruit(folder, store)
        # An app that traps ends immediately, without a backtrace of half a minute.
        self.app.launch(BROWSER=str(browser), STOREKIT_SHEET="browser", SWIFT_BACKTRACE="enable=no")
        self.page = Page(self.app)
        self.begin()

    def begin(self):
        """Forgets the greatest memory so far, and the log."""
        Path(f"/proc/{self.app.process.pid}/clear_refs").write_text("5")
        self.before, self.logged = self.memory("VmRSS"), self.app.log.stat().st_size

    def memory(self, field):
        """A kind of memory in megabytes, by the kernel's count."""
        status = Path(f"/proc/{self.app.process.pid}/status").read_text()
        found = re.search(rf"{field}:\s+(\d+) kB", status)
        return int(found.group(1)) / 1024 if found else 0

    def press(self, button, **form):
        """Presses a button, and returns whether it was there. A fruit that isn't listed can't be bought, which is a 404."""
        status, text = ask("POST", f"{self.app.url}/{button}", form=form)
        assert status in (200, 404), f"{button} answers {status}: {text[:200]}"
        return status == 200

    @property
    def browsed(self):
        """The arguments of each call of the browser."""
        words = self.opened.read_bytes().split(b"\0")[:-1]
        calls = []
        while words:
            count = int(words.pop(0))
            calls.append(words[:count])
            del words[:count]
        return calls

    @property
    def state(self):
        status, text = ask("GET", f"{self.app.url}/state.json")
        assert status == 200, f"/state.json answers {status}: {text[:200]}"
        return json.loads(text)

    def goes_on(self, store):
        """Requires that the app lists its fruit again after the stream of events."""
        before = store.answered.get("products", 0)
        self.press("refresh")
        wait_until("the fruit is listed again", lambda: (
            store.answered.get("products", 0) > before and not self.state["isLoading"] and self.state["products"]))

    def check(self, windows):
        code = self.app.process.poll()
        assert code is None, f"BuyFruit ended with {code}:\n{self.app.tail(8)[-2000:]}"
        started = time.monotonic()
        assert self.state, "no state"
        assert time.monotonic() - started < SECONDS, f"/state.json took {time.monotonic() - started:.1f} s"
        growth = self.memory("VmHWM") - self.before
        assert growth < GROWTH, f"its memory grew by {growth:.0f} MB"
        for call in self.browsed:
            assert len(call) == 1 and WEB.fullmatch(call[0]) and len(call[0]) <= 2048, f"the browser got {call!r:.300}"
        assert len(self.browsed) <= windows, f"{len(self.browsed)} windows were opened"
        log = self.app.log.read_bytes()[self.logged:]
        assert b"\x1b" not in log, "the store's escape sequences are in the app's log"
        assert len(log) < 1 << 20, f"the app's log has {len(log)} bytes"
        return growth

    def has_ended(self):
        """Whether the process has ended; after closing its connections it needs a moment for that."""
        try:
            self.app.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self):
        self.app.kill()


def declined(wire):
    wire.json({"status": "failed", "failure": {"code": 2, "message": "It was declined."}})


class Lister:
    """An app that gets one list of products after another. After a failure another one takes its place."""

    def __init__(self, folder):
        self.folder, self.store, self.victim = folder, None, None

    def play(self, answers):
        """Gives the app a list, and a payment for a fruit of it, which is declined."""
        if self.victim is None:
            self.store = HostileStore({"payments": declined})
            self.victim = Victim(self.folder, self.store)
            wait_until("the fruit is listed", lambda: self.victim.state["products"])
        store, victim = self.store, self.victim
        store.answer_by({"payments": declined, **answers})
        victim.begin()
        victim.press("refresh")
        wait_until("the app has seen the list", lambda: victim.app.process.poll() is not None or (
            store.answered.get("products") and not victim.state["isLoading"]))
        if victim.press("buy", product=APPLE):
            wait_until("the payment is over", lambda: victim.app.process.poll() is not None or (
                store.answered.get("payments") and victim.state["unfinishedTransactions"] == 0))
        victim.check(windows=0)
        assert not store.faults, f"the test's store failed: {store.faults}"

    def end(self):
        if self.victim:
            self.victim.end()
            self.store.close()
        self.victim = None


@pytest.fixture(scope="module")
def lister():
    with tempfile.TemporaryDirectory(prefix="lister.") as folder:
        lister = Lister(Path(folder))
        yield lister
        lister.end()


@pytest.mark.parametrize("variant", lists(), ids=lambda variant: variant.name)
def test_the_app_survives_a_list(lister, variant):
    """The app neither ends nor hangs when it gets an absurd list of products, and pays for a fruit of it."""
    try:
        lister.play(variant.answers)
    except (AssertionError, OSError) as error:
        said = lister.victim and lister.victim.app.tail(8)[-2000:]
        lister.end()
        raise Failed(f"{error or repr(error)}; the app said:\n{said}") from None


@pytest.mark.parametrize("variant", [*sheets(), *answers(), *events()], ids=lambda variant: variant.name)
def test_the_app_survives(folder, variant):
    """The app neither ends nor hangs: `variant` has the absurd answers, and the condition that ends the scenario."""
    store = HostileStore(variant.answers)
    victim = None
    try:
        victim = Victim(folder, store)
        wait_until("the products were asked for", lambda: store.asked.get("products"))
        if "products" not in variant.answers:
            wait_until("the fruit is listed", lambda: victim.state["products"])
        if "payments" not in variant.answers or "products" not in variant.answers:
            victim.press("buy", product=APPLE)
        if "restore" in variant.answers:
            victim.press("restore")
        wait_until("the app has seen it",
                   lambda: victim.app.process.poll() is not None or variant.is_over(store, victim))
        if variant.answers.keys() == {"events"}:
            victim.goes_on(store)
        victim.check(variant.windows)
        assert not store.faults, f"the test's store failed: {store.faults}"
    except (AssertionError, OSError) as error:
        if victim is not None and victim.has_ended():
            code = victim.app.process.returncode
            raise Failed(f"BuyFruit ended with {code}:\n{victim.app.tail(8)[-2000:]}") from None
        raise Failed(f"{error or repr(error)}; the store was asked {store.asked}") from None
    finally:
        if victim is not None:
            victim.end()
        store.close()
