# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) a store, and the apps and daemons of several devices, at random moments while they buy, and starts them again.

    test_random_kills.py [PURCHASES] [SEED]             100 purchases; the seed chooses who is killed and when
    test_random_kills.py daemon [PURCHASES] [SEED]      each device has a storeagentd, which is killed, too

A customer presses Buy, answers every sheet and restarts dead processes. In the end the ledger, the payment provider,
the store and the journals agree with the apps' deliveries: each request was bought once and delivered once. A seed
fixes the plan of the kills; their effects depend on the machine. The last line is `N passed, N failed`.
"""

import json
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))

from daemon_device import Daemon, synchronizer  # noqa: E402
from harness import EMAIL, PASSWORD, SEEDS, BuyFruit, Customer, Failed, Store, ask  # noqa: E402

DEVICES = 3
AT_ONCE = 3  # payments that one app has open
PAUSE = (0.1, 1.5)  # seconds between two kills
PATIENCE = 240  # seconds without a purchase after which the test fails


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
        except (OSError, Failed, json.JSONDecodeError):
            return None  # Killed meanwhile.

    def delivered(self):
        state = self.state()
        rows = state["products"] if state else []
        return sum(row["count"] for row in rows if row["identifier"] == SEEDS) if rows else None

    def press(self):
        try:
            ask("POST", f"{self.app.url}/buy", form={"product": SEEDS})
        except OSError:
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
        except OSError:
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


class Market:
    def __init__(self, folder, seed, has_daemons):
        self.store = Store(folder)
        self.devices = [Device(folder, self.store, number) for number in range(DEVICES)]
        self.daemons = [device.daemon for device in self.devices] if has_daemons else []
        self.random = random.Random(seed)
        self.kills = {"store": 0, "app": 0, "daemon": 0}
        # The daemons that have synchronized their app.
        self.seen = set()
        # The processes, and the functions that start them.
        self.starts = [(self.store, self.store.serve), *((daemon, daemon.launch) for daemon in self.daemons),
                       *((device.app, device.start) for device in self.devices)]
        self.peace = threading.Event()

    def open(self):
        self.store.serve()
        self.store.add_account(EMAIL, PASSWORD)
        for _, start in self.starts[1:]:
            start()

    def close(self):
        self.peace.set()
        for running, _ in reversed(self.starts):
            running.kill()

    def kill_at_random(self):
        """Kills random processes until `peace` is set."""
        while not self.peace.wait(self.random.uniform(*PAUSE)):
            victim, _ = self.random.choice(self.starts)
            if victim.process.poll() is None:
                victim.process.send_signal(signal.SIGKILL)
                self.kills["store" if victim is self.store else "daemon" if victim in self.daemons else "app"] += 1

    def raise_the_dead(self):
        for running, start in self.starts:
            status = running.process.poll()
            if status is None:
                continue
            if status != -9:
                raise Failed(f"{running.name} ended with {status}:\n{running.tail()}")
            try:
                start()
            except Failed:
                if running.process.poll() != -9:  # Killed while it started.
                    raise

    def number(self, query):
        return self.store.rows(query)[0][0]

    def play(self, purchases):
        killer = threading.Thread(target=self.kill_at_random, daemon=True)
        killer.start()
        last, since = 0, time.monotonic()
        with ThreadPoolExecutor(max_workers=8) as pool:
            while True:
                self.raise_the_dead()
                bought = self.number("SELECT count(*) FROM ledger_entry")
                if bought >= purchases and not self.peace.is_set():
                    self.peace.set()
                    killer.join()
                if self.peace.is_set() and not self.whoever_is_dead() and self.is_quiet():
                    return
                if bought > last:
                    last, since = bought, time.monotonic()
                if time.monotonic() - since > PATIENCE:
                    raise Failed(f"nothing was bought for {PATIENCE} s after {bought} purchases: {self.summary()}")
                self.serve_customers(pool)

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
        if len(set(counts.values())) != 1:
            raise Failed(f"these aren't the same: {counts}")
        if self.daemons:
            silent = [str(daemon.log) for daemon in self.daemons if daemon not in self.seen]
            if silent or not self.kills["daemon"]:
                raise Failed(f"{silent} synchronized no app, with {self.kills['daemon']} kills of daemons")
        failed = self.store.rows("SELECT failure_code, failure_message FROM request WHERE status = 'failed'")
        if failed:
            raise Failed(f"requests failed: {failed}")
        return counts["purchases"]


def main(*arguments):
    has_daemons = arguments[:1] == ("daemon",)
    return run(has_daemons, *arguments[has_daemons:])


def run(has_daemons, purchases=100, seed=None):
    seed = int(seed) if seed else random.SystemRandom().randrange(1 << 32)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kill.") as folder:
        market = Market(folder, seed, has_daemons)
        try:
            market.open()
            market.play(int(purchases))
            bought = market.check()
        except Failed as failed:
            print(f"seed {seed}, {market.kills} kills: failed: {failed}")
            print("0 passed, 1 failed")
            return 1
        finally:
            market.close()
    print(f"seed {seed}: {bought} purchases through {market.kills['store']} kills of the store and "
          f"{market.kills['app']} of apps and {market.kills['daemon']} of daemons, in {time.monotonic() - started:.0f} s: each charged once, delivered once")
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
