# SPDX-License-Identifier: Apache-2.0
"""Kills BuyFruit or the store (-9) before and after each step of a purchase, starts it again, and checks the ledger.

Real processes with a fault point each (`OPENSTOREKIT_CRASH_AT`). After each crash: charged once, delivered, finished,
queue empty. The last line is `N passed, N failed`.
"""

import json
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))

from harness import (  # noqa: E402
    APPLE, EMAIL, PASSWORD, PEAR, SEEDS, BuyFruit, Customer, Failed, Store, ask, play_all, wait_until)

# The steps of a purchase, by the process that takes them.
APP_STEPS = ["journal", "sending", "present", "arrived", "receipt", "deliver", "finish", "confirm"]
STORE_STEPS = ["decide", "sheet", "reserve", "authorise", "commit", "capture", "finished"]
APP_RESTORE_STEPS = ["restore", "restored"]
STORE_RESTORE_STEPS = ["restore"]


class Shop:
    """A store and BuyFruit on a device, with a customer who answers every sheet and restarts dead processes."""

    def __init__(self, folder, crash_app=None, crash_store=None):
        self.store = Store(folder)
        self.app = BuyFruit(folder, self.store)
        self.customer = Customer(folder)
        self.crash_app, self.crash_store = crash_app, crash_store
        self.crashes = 0

    def open(self):
        self.start_store()
        self.store.add_account(EMAIL, PASSWORD)
        self.start_app()

    def close(self):
        self.app.kill()
        self.store.kill()

    def start_store(self):
        self.store.serve(OPENSTOREKIT_CRASH_AT=self.crash_store or "")

    def start_app(self):
        try:
            self.app.launch(**self.customer.environment, OPENSTOREKIT_CRASH_AT=self.crash_app or "")
        except Failed:
            # The fault point is a step of the launch.
            if self.app.process.poll() is None:
                raise

    def raise_the_dead(self):
        """Restarts a process that a fault point has killed; returns whether there was one."""
        for who, start in ((self.store, self.start_store), (self.app, self.start_app)):
            if who.process.poll() is not None:
                if who.process.returncode != -9:
                    raise Failed(f"{who.name} ended with {who.process.returncode}:\n{who.tail()}")
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
        except OSError:
            pass  # Died meanwhile: the state shows whether the press had an effect.

    def answer_sheets(self):
        for address in set(self.customer.shown):
            try:
                status, page = ask("GET", address)
                if status == 200 and 'id="sheet"' in page:
                    decision = "buy" if 'id="buy"' in page else "sign-in"
                    self.customer.decide(address, decision)
            except OSError:
                return

    def state(self):
        try:
            return self.app.state()
        except (OSError, Failed, json.JSONDecodeError):
            return None

    def owns(self, product):
        state = self.state()
        return bool(state) and any(
            row["identifier"] == product and row["isPurchased"] for row in state["products"])

    def count(self, product):
        """The number of units of a consumable that the app has delivered."""
        state = self.state()
        return sum(row["count"] for row in state["products"] if row["identifier"] == product) if state else 0

    def settle(self, what, condition, press_again=None, seconds=90):
        """Answers sheets and restarts dead processes, until the condition holds and no process is dead."""
        deadline = time.monotonic() + seconds
        while True:
            died = self.raise_the_dead()
            if died and press_again:
                press_again()
            self.answer_sheets()
            if not died and condition() and not self.someone_died():
                return
            if time.monotonic() > deadline:
                raise Failed(f"waited {seconds} s in vain until {what}: {self.summary()}\n"
                             f"{self.app.tail()}\n{self.store.tail()}")
            time.sleep(0.05)

    def is_quiet(self):
        state = self.state()
        return (bool(state) and state["unfinishedTransactions"] == 0
                and self.store.rows("SELECT count(*) FROM queue_entry") == [(0,)]
                and self.store.rows("SELECT count(*) FROM payment WHERE status <> 'captured'") == [(0,)])

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
        if len(ledger) != charges:
            raise Failed(f"charged {len(ledger)} times instead of {charges}: {ledger}")
        captured = self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status = 'captured'")
        other = self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status <> 'captured'")
        if captured != [(charges,)] or other != [(0,)]:
            raise Failed(f"the provider captured {captured} and left {other} open")
        # After a restart no transaction is delivered again, and no purchase is lost.
        before = self.purchased()
        self.app.stop()
        self.start_app()
        wait_until("the app lists its fruit again", lambda: self.state() and self.state()["products"])
        after = self.state()
        if after["unfinishedTransactions"]:
            raise Failed(f"something finished came back: {after}")
        if self.purchased() != before:
            raise Failed(f"purchased were {before}, after a restart {self.purchased()}: {self.defaults()}")

    def purchased(self):
        return sorted((row["identifier"], row["count"]) for row in self.state()["products"]
                      if row["isPurchased"] or row["count"])

    def defaults(self):
        return {file.name: file.read_bytes() for file in self.app.defaults.rglob("*") if file.is_file()}


def purchase(folder, crash_app=None, crash_store=None):
    # Seeds are a consumable: a second charge or delivery shows, where a fruit that is owned once would hide it.
    shop = Shop(folder, crash_app, crash_store)
    try:
        shop.open()
        wait_until("the app lists its fruit", lambda: shop.state() and shop.state()["products"])

        def buy_again():
            wait_until("the app shows its fruit", lambda: shop.state() and shop.state()["products"])
            shop.press("buy", product=SEEDS)

        shop.press("buy", product=SEEDS)
        # The customer has to repeat only a payment that wasn't in the journal yet.
        shop.settle("the seeds are there", lambda: shop.count(SEEDS) > 0 and shop.is_quiet(),
                    press_again=buy_again if crash_app == "journal:before" else None)
        # Steps after the last one that the customer sees (confirming the finish) may still be due.
        if shop.crash_app or shop.crash_store:
            shop.settle("the fault point was reached", lambda: not (shop.crash_app or shop.crash_store), seconds=20)
            shop.settle("all is quiet", shop.is_quiet)
        if shop.crashes != 1:
            raise Failed(f"the fault point was reached {shop.crashes} times")
        shop.check()
        for what, number in (("requests", "SELECT count(*) FROM request WHERE kind = 'payment'"),
                             ("purchases", "SELECT count(*) FROM purchase"),
                             ("ledger entries", "SELECT count(*) FROM ledger_entry")):
            if shop.store.rows(number) != [(1,)]:
                raise Failed(f"{shop.store.rows(number)} {what} for one payment")
        if shop.count(SEEDS) != 1:
            raise Failed(f"delivered {shop.count(SEEDS)} times")
    finally:
        shop.close()


def restore(folder, crash_app=None, crash_store=None):
    shop = Shop(folder)
    second = None
    try:
        shop.open()
        for product in (APPLE, PEAR):
            wait_until("the app lists its fruit", lambda: shop.state() and shop.state()["products"])
            shop.press("buy", product=product)
            shop.settle("it is there", lambda: shop.owns(product) and shop.is_quiet())
        shop.app.stop()

        second = BuyFruit(folder, shop.store, name="second")
        shop.app = second
        shop.crash_app, shop.crash_store = crash_app, crash_store
        if crash_store:
            shop.store.stop()
            shop.start_store()
        shop.start_app()
        wait_until("the second device lists its fruit", lambda: shop.state() and shop.state()["products"])

        def press():
            wait_until("the app shows its fruit", lambda: shop.state() and shop.state()["products"])
            shop.press("restore")

        press()
        shop.settle("both are restored", lambda: shop.owns(APPLE) and shop.owns(PEAR) and shop.is_quiet(),
                    press_again=press)
        if crash_app or crash_store:
            shop.settle("the fault point was reached", lambda: not (shop.crash_app or shop.crash_store), seconds=20)
        shop.check(charges=2)
    finally:
        shop.close()


def scenarios():
    for when in ("before", "after"):
        for step in APP_STEPS:
            yield f"BuyFruit dies at {step}:{when}", purchase, {"crash_app": f"{step}:{when}"}
        for step in STORE_STEPS:
            yield f"the store dies at {step}:{when}", purchase, {"crash_store": f"{step}:{when}"}
        for step in APP_RESTORE_STEPS:
            yield f"BuyFruit dies at {step}:{when} of a restore", restore, {"crash_app": f"{step}:{when}"}
        for step in STORE_RESTORE_STEPS:
            yield f"the store dies at {step}:{when} of a restore", restore, {"crash_store": f"{step}:{when}"}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
