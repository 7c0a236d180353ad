# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) a store, and the apps and daemons of devices, at random moments while they buy, and starts them again.

A customer presses Buy, answers every sheet and restarts dead processes. In the end the ledger, the payment provider,
the store and the journals agree with the apps' deliveries: each request was bought once and delivered once. A seed
fixes the plan of the kills; their effects depend on the machine.

KILL_PURCHASES is the number of purchases of each test (default: 24, with daemons 12). KILL_SEED chooses who is
killed and when.
"""

import collections
import json
import os
import random
import signal
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from daemon_device import Daemon, synchronizer
from harness import EMAIL, PASSWORD, PATIENCE, SEEDS, BuyFruit, Customer, Failed, Store, ask
from shop import LOST

DEVICES = 3
AT_ONCE = 3  # payments that one app has open
PAUSE = (0.1, 1.5)  # seconds between two kills
# Kills over one for each purchase. More of them wait for purchases: the processes of a busy machine start slowly.
AHEAD = 20
WITHOUT_PURCHASE = 10 * PATIENCE  # seconds without a purchase after which the test fails


class Device:
    """BuyFruit on a device, which writes the addresses of its sheets into a file for the customer."""

    def __init__(self, folder, store, number):
        self.store = store
        self.app = BuyFruit(folder, store, f"device-{number}")
        self.customer = Customer(folder, f"device-{number}")
        self.answered = set()
        self.daemon = Daemon(self.app)

    def start(self):
        self.app.launch(**self.customer.environment)

    def state(self):
        try:
            return self.app.state()
        except (*LOST, Failed, json.JSONDecodeError):
            return None  # Killed meanwhile.

    def delivered(self):
        state = self.state()
        rows = state["products"] if state else []
        return sum(row["count"] for row in rows if row["identifier"] == SEEDS) if rows else None

    def press(self):
        try:
            ask("POST", f"{self.app.url}/buy", form={"product": SEEDS})
        except LOST:
            pass  # Killed meanwhile: the final check shows whether the press had an effect.

    def answer(self, address):
        try:
            status, page = ask("GET", address)
            if status == 200 and 'id="buy"' in page:
                status, _ = self.customer.buy(address)
                if status == 429:
                    self.let_an_hour_pass()
            elif status == 200:
                self.answered.add(address)  # Shown as answered: it isn't loaded again.
        except LOST:
            pass  # The store was killed meanwhile: the sheet is answered again.

    def let_an_hour_pass(self):
        """Ages the store's counts of wrong passwords, which hold each password that a killed store was checking."""
        database = sqlite3.connect(self.store.data / "store.sqlite", timeout=30)
        try:
            with database:
                database.execute("UPDATE sign_in_throttle SET failed_at = failed_at - 3600001, blocked_until = 0")
        finally:
            database.close()

    def unconfirmed(self):
        """The numbers of journal entries by phase, without those whose finish the store has confirmed."""
        [file] = self.app.home.rglob("journal.sqlite")
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute(
                "SELECT phase, count(*) FROM entry WHERE phase <> 'confirmed' GROUP BY phase").fetchall()
        finally:
            database.close()


def with_account(store):
    """Prepares a store with an account whose password takes its usual time: kills also fall into its check."""
    store.add_account(EMAIL, PASSWORD)


class Market:
    def __init__(self, folder, seed, has_daemons):
        self.store = Store(folder, prepare=with_account)
        self.devices = [Device(folder, self.store, number) for number in range(DEVICES)]
        self.daemons = [device.daemon for device in self.devices] if has_daemons else []
        self.random = random.Random(seed)
        self.kills = collections.Counter()
        self.bought = 0
        # The daemons that have synchronized their app.
        self.seen = set()
        # The processes, and the functions that start them.
        self.starts = [(self.store, self.store.serve), *((daemon, daemon.launch) for daemon in self.daemons),
                       *((device.app, device.start) for device in self.devices)]
        self.peace = threading.Event()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        print(f"killed: {dict(self.kills)}")
        self.peace.set()
        for running, _ in reversed(self.starts):
            running.kill()

    def open(self):
        self.store.serve()
        for _, start in self.starts[1:]:
            start()

    def kill_at_random(self):
        """Kills random processes until `peace` is set."""
        while not self.peace.wait(self.random.uniform(*PAUSE)):
            victim, _ = self.random.choice(self.starts)
            if self.kills.total() < self.bought + AHEAD and victim.process.poll() is None:
                victim.process.send_signal(signal.SIGKILL)
                self.kills["store" if victim is self.store else "daemon" if victim in self.daemons else "app"] += 1

    def raise_the_dead(self):
        for running, start in self.starts:
            status = running.process.poll()
            if status is None:
                continue
            assert status == -9, f"{running.name} ended with {status}:\n{running.tail()}"
            try:
                start()
            except AssertionError:
                if running.process.poll() != -9:  # Killed while it started.
                    raise

    def number(self, query):
        return self.store.rows(query)[0][0]

    def play(self, purchases):
        killer = threading.Thread(target=self.kill_at_random, daemon=True)
        killer.start()
        since = time.monotonic()
        with ThreadPoolExecutor(max_workers=8) as pool:
            while True:
                self.raise_the_dead()
                bought = self.number("SELECT count(*) FROM ledger_entry")
                if bought >= purchases and self.has_killed_all() and not self.peace.is_set():
                    self.peace.set()
                    killer.join()
                if self.peace.is_set() and not self.whoever_is_dead() and self.is_quiet() and not self.silent():
                    return
                if bought > self.bought:
                    self.bought, since = bought, time.monotonic()
                if time.monotonic() - since > WITHOUT_PURCHASE:
                    raise Failed(
                        f"nothing was bought for {WITHOUT_PURCHASE} s after {bought} purchases; the daemons that have "
                        f"synchronized nothing are {self.silent()}; {self.summary()}")
                self.serve_customers(pool)

    def has_killed_all(self):
        """Whether a process of each kind was killed."""
        return all(self.kills[kind] for kind in ("store", "app", *(["daemon"] if self.daemons else [])))

    def serve_customers(self, pool):
        """Presses Buy and answers sheets on all devices in parallel, while processes are killed."""
        work = []
        for device in self.devices:
            self.look_at(device)
            state = device.state()
            if state and not self.peace.is_set() and state["unfinishedTransactions"] < AT_ONCE:
                work.append(pool.submit(device.press))
            for address in set(device.customer.shown) - device.answered:
                work.append(pool.submit(device.answer, address))
        for each in work:
            each.result()

    def look_at(self, device):
        """Records whether the device's daemon synchronizes the app. It may have been killed meanwhile."""
        if device.daemon.process and device.daemon.process.pid == synchronizer(device.app):
            self.seen.add(device.daemon)

    def silent(self):
        """The logs of the daemons that haven't synchronized their app. An app that was first hands over in a minute."""
        return [str(daemon.log) for daemon in self.daemons if daemon not in self.seen]

    def whoever_is_dead(self):
        return [running for running, _ in self.starts if running.process.poll() is not None]

    def is_quiet(self):
        states = [device.state() for device in self.devices]
        return (all(state and state["products"] and state["unfinishedTransactions"] == 0 for state in states)
                and all(device.unconfirmed() == [] for device in self.devices)
                and self.number("SELECT count(*) FROM queue_entry") == 0
                and self.number("SELECT count(*) FROM request WHERE status NOT IN ('done', 'failed')") == 0
                and self.number("SELECT count(*) FROM payment WHERE status NOT IN ('captured', 'declined')") == 0)

    def summary(self):
        return {table: self.store.rows(f"SELECT status, count(*) FROM {table} GROUP BY status")
                for table in ("request", "sheet", "payment")}

    def check(self):
        """Requires one purchase, charge, capture and delivery per request. `play` has checked that nothing is left."""
        counts = {name: self.number(query) for name, query in {
            "requests": "SELECT count(*) FROM request WHERE kind = 'payment' AND status = 'done'",
            "transactions of requests": "SELECT count(DISTINCT transaction_id) FROM request WHERE kind = 'payment'",
            "purchases": "SELECT count(*) FROM purchase",
            "requests of purchases": "SELECT count(*) FROM (SELECT DISTINCT device_id, request_id FROM purchase) AS p",
            "ledger entries": "SELECT count(*) FROM ledger_entry",
            "charged transactions": "SELECT count(DISTINCT transaction_id) FROM ledger_entry WHERE kind = 'charge'",
            "captures": "SELECT count(*) FROM sandbox_payment WHERE status = 'captured'",
        }.items()}
        counts["deliveries"] = sum(device.delivered() for device in self.devices)
        assert len(set(counts.values())) == 1, f"these aren't the same: {counts}"
        failed = self.store.rows("SELECT failure_code, failure_message FROM request WHERE status = 'failed'")
        assert not failed, f"requests failed: {failed}"


@pytest.mark.slow
@pytest.mark.parametrize(("has_daemons", "purchases"), [
    pytest.param(False, 24, id="apps"), pytest.param(True, 12, id="apps-and-daemons")])
def test_random_kills(folder, has_daemons, purchases):
    """Each purchase is charged once and delivered once, while processes are killed."""
    seed = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"KILL_SEED={seed}")
    with Market(folder, seed, has_daemons) as market:
        market.open()
        market.play(int(os.environ.get("KILL_PURCHASES") or purchases))
        market.check()
