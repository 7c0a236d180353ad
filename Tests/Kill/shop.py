# SPDX-License-Identifier: Apache-2.0
"""A store and BuyFruit, which die at fault points, and a customer who goes on."""

import http.client
import json
import sqlite3
import time

from harness import PATIENCE, BuyFruit, Customer, Failed, Store, ask, wait_until, with_customer

# The errors of a request to a process that dies meanwhile.
LOST = (OSError, http.client.HTTPException)
# The seconds after which a test fails that waits for the work that a killed node of a store has begun. Another one takes it over
# after ten seconds.
TAKEN_OVER = 10 * PATIENCE


class Shop:
    """A store and BuyFruit on a device, with a customer who answers every sheet and restarts dead processes."""

    prepare = staticmethod(with_customer)  # prepares the store

    def __init__(self, folder):
        self.store = Store(folder, prepare=self.prepare)
        self.app = BuyFruit(folder, self.store)
        self.customer = Customer(folder)
        # The fault points of the next starts.
        self.crash_app, self.crash_store = None, None
        self.crashes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for who in (self.app, self.store):
            print(f"--- {who.name}\n{who.tail()}")
            who.kill()

    def open(self):
        self.start_store()
        self.start_app()

    def start_store(self):
        self.store.serve(OPENSTOREKIT_CRASH_AT=self.crash_store or "")

    def start_app(self):
        try:
            self.app.launch(**self.customer.environment, OPENSTOREKIT_CRASH_AT=self.crash_app or "")
        except AssertionError:
            # The fault point is a step of the launch.
            if self.app.process.poll() is None:
                raise

    def raise_the_dead(self):
        """Restarts a process that a fault point has killed; returns whether there was one."""
        for who, start in ((self.store, self.start_store), (self.app, self.start_app)):
            if who.process.poll() is not None:
                assert who.process.returncode == -9, f"{who.name} ended with {who.process.returncode}:\n{who.tail()}"
                self.crashes += 1
                if who is self.store:
                    self.crash_store = None
                else:
                    self.crash_app = None
                start()
                return True
        return False

    def someone_died(self):
        return any(who.process.poll() is not None for who in (self.store, self.app))

    def press(self, button, **form):
        try:
            ask("POST", f"{self.app.url}/{button}", form=form)
        except LOST:
            pass  # Died meanwhile: the state shows whether the press had an effect.

    def answer_sheets(self):
        for address in set(self.customer.shown):
            try:
                status, page = ask("GET", address)
                if status == 200 and 'id="sheet"' in page:
                    decision = "buy" if 'id="buy"' in page else "sign-in"
                    self.customer.decide(address, decision)
            except LOST:
                return

    def state(self):
        try:
            return self.app.state()
        except (*LOST, Failed, json.JSONDecodeError):
            return None

    def lists(self):
        wait_until("the app lists its fruit", lambda: self.state() and self.state()["products"])

    def owns(self, product):
        state = self.state()
        return bool(state) and any(
            row["identifier"] == product and row["isPurchased"] for row in state["products"])

    def count(self, product):
        """The number of units of a consumable that the app has delivered."""
        state = self.state()
        return sum(row["count"] for row in state["products"] if row["identifier"] == product) if state else 0

    def settle(self, what, condition, press_again=None):
        """Answers sheets and restarts dead processes, until the condition holds and no process is dead."""
        deadline, pause = time.monotonic() + TAKEN_OVER, 0.05
        while True:
            died = self.raise_the_dead()
            if died and press_again:
                press_again()
            self.answer_sheets()
            if not died and condition() and not self.someone_died():
                return
            if time.monotonic() > deadline:
                raise Failed(f"waited {TAKEN_OVER} s in vain until {what}: {self.summary()}")
            time.sleep(pause)
            pause = min(1.2 * pause, 0.5)

    def is_quiet(self):
        state = self.state()
        return bool(state) and state["unfinishedTransactions"] == 0 and self.store.rows(
            "SELECT (SELECT count(*) FROM queue_entry) + (SELECT count(*) FROM payment WHERE status <> 'captured')"
        ) == [(0,)]

    def summary(self):
        """The message of a failed scenario, the most telling values first: CI shows its beginning."""
        tables = {table: self.store.rows(f"SELECT * FROM {table}")
                  for table in ("request", "sheet", "payment", "purchase", "queue_entry", "event")}
        journal = {}
        for file in self.app.home.rglob("journal.sqlite"):
            database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                journal[name] = database.execute(f"SELECT * FROM {name}").fetchall()
            database.close()
        state = self.state() or {}
        counts = {row["identifier"].rsplit(".")[-1]: (row["count"], row["state"]) for row in state.get("products", [])
                  if row["count"] or row["isPurchased"] or row["state"] != "for-sale"}
        return (f"counts {counts}, unfinished {state.get('unfinishedTransactions')}, crashes {self.crashes}, "
                f"sheets {len(self.customer.shown)}; journal's entries {journal.get('entry')}; "
                f"store {tables}; journal {journal}; state {state}")

    def check(self, charges=1):
        ledger = self.store.rows("SELECT kind, milliunits FROM ledger_entry WHERE milliunits > 0")
        assert len(ledger) == charges, f"charged {len(ledger)} times instead of {charges}: {ledger}"
        captured = self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status = 'captured'")
        other = self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status <> 'captured'")
        assert captured == [(charges,)] and other == [(0,)], f"the provider captured {captured} and left {other} open"
        # After a restart no transaction is delivered again, and no purchase is lost.
        before = self.purchased()
        self.app.stop()
        self.start_app()
        self.lists()
        after = self.state()
        assert not after["unfinishedTransactions"], f"something finished came back: {after}"
        assert self.purchased() == before, (
            f"purchased were {before}, after a restart {self.purchased()}: {self.defaults()}")

    def purchased(self):
        return sorted((row["identifier"], row["count"]) for row in self.state()["products"]
                      if row["isPurchased"] or row["count"])

    def defaults(self):
        return {file.name: file.read_bytes() for file in self.app.defaults.rglob("*") if file.is_file()}
