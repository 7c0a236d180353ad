# SPDX-License-Identifier: Apache-2.0
"""Two devices of one account, and two processes of one app on one device: each purchase is charged once, sent once,
and shown to one of them, whichever process is killed meanwhile.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import (  # noqa: E402
    APPLE, ORANGE, PEAR, SEEDS, Customer, Failed, Market, charged_once_each, expect, is_quiet, lists, owns,
    play_all, press, requests, row, wait_until)

BOUGHT = "Bought successfully!"


def two_devices(folder):
    with Market(folder).open() as market:
        first, second = market.app("first"), market.app("second")
        market.launch(first)
        market.purchase(first, APPLE)
        market.purchase(first, PEAR)

        page = market.launch(second)
        lists(second)
        expect(not owns(second, APPLE), "the second device has it before anybody signed in there")
        press(second, "restore")
        status, text = market.customer.decide(market.customer.next_sheet(), "sign-in")
        expect(status == 200, f"signing in: {status} {text}")
        wait_until("both are there", lambda: owns(second, APPLE) and owns(second, PEAR))
        page.wait_for("Restored successfully!")
        expect(BOUGHT not in page.titles(), f"a restored purchase is shown as bought: {page.alerts}")
        wait_until("no transaction is left", lambda: second.state()["unfinishedTransactions"] == 0)
        charged_once_each(market.store, APPLE, PEAR)
        second.stop()

        # The same app without its user defaults buys the product again.
        second.defaults = market.folder / "forgotten"
        second.defaults.mkdir()
        page = market.launch(second)
        lists(second)
        expect(not owns(second, APPLE), "the user defaults weren't forgotten")
        market.purchase(second, APPLE)
        page.wait_for(BOUGHT)
        expect("Restored successfully!" not in page.titles(), f"shown as restored: {page.alerts}")
        charged_once_each(market.store, APPLE, PEAR)
        bought = market.store.rows(
            "SELECT transaction_id, original_transaction_id, milliunits FROM purchase"
            f" WHERE product_id = '{APPLE}' ORDER BY purchased_at")
        expect(len(bought) == 2, f"purchases of the fruit: {bought}")
        (original, its_own, price), (again, its_original, nothing) = bought
        expect(original == its_own == its_original and again != original, f"no repeat of the first: {bought}")
        expect(price > 0 and nothing == 0, f"charged {price} and {nothing}")


class Pair:
    """Two processes of BuyFruit on one device. The first one launched talks to the store."""

    def __init__(self, market, same_defaults=False):
        self.market = market
        self.first = market.app("first")
        defaults = self.first.defaults if same_defaults else None
        self.second = market.app("second", home=self.first.home, defaults=defaults)
        self.customers = {app: Customer(market.folder, app.name.split()[-1]) for app in (self.first, self.second)}
        self.pages = {}
        self.taken = set()

    def launch(self, app, **environment):
        self.pages[app] = self.market.launch(app, **{**self.customers[app].environment, **environment})
        lists(app)

    def shown(self, by=None):
        """The sheets that all processes have shown, or one."""
        return [sheet for app, customer in self.customers.items() if by in (None, app) for sheet in customer.shown]

    def buy_next(self):
        """Answers a sheet that hasn't been answered; another process may have shown it again."""
        sheet = wait_until("a sheet is shown", lambda: next(
            (sheet for sheet in self.shown() if sheet not in self.taken), None))
        self.taken.add(sheet)
        status, text = self.market.customer.buy(sheet)
        expect(status == 200, f"buying on the sheet: {status} {text}")

    def press_at_once(self, *presses):
        """Presses several Buy buttons at the same moment."""
        barrier, problems = threading.Barrier(len(presses)), []

        def run(app, product):
            barrier.wait()
            try:
                press(app, "buy", product=product)
            except (Failed, OSError) as problem:
                problems.append(problem)

        threads = [threading.Thread(target=run, args=each) for each in presses]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(not problems, f"{problems}")

    def alerts_of_purchases(self, app):
        return self.pages[app].titles().count(BOUGHT)

    def settled(self):
        wait_until("the store is quiet", lambda: is_quiet(self.market.store))
        for app in self.customers:
            if app.process.poll() is None:
                wait_until(f"{app.name} has nothing left", lambda: app.state()["unfinishedTransactions"] == 0)


def two_processes(folder, same_defaults):
    with Market(folder).open() as market:
        pair = Pair(market, same_defaults)
        first, second = pair.first, pair.second
        pair.launch(first)
        pair.launch(second)

        pair.press_at_once((first, APPLE), (second, PEAR))
        pair.buy_next()
        pair.buy_next()
        wait_until("each has shown its fruit", lambda: pair.alerts_of_purchases(first) == pair.alerts_of_purchases(second) == 1)
        pair.settled()
        if not same_defaults:
            expect(owns(first, APPLE) and not owns(first, PEAR), "the first process shows a purchase of the second")
            expect(owns(second, PEAR) and not owns(second, APPLE), "the second shows a purchase of the first")

        pair.press_at_once((first, SEEDS), (second, SEEDS))
        pair.buy_next()
        pair.buy_next()
        wait_until("each has shown its seeds", lambda: pair.alerts_of_purchases(first) == pair.alerts_of_purchases(second) == 2)
        pair.settled()
        if not same_defaults:
            expect((row(first, SEEDS)["count"], row(second, SEEDS)["count"]) == (1, 1), "seeds went astray")

        # Several at a time in both, so that answers, events and finishes cross.
        pair.press_at_once((first, SEEDS), (second, SEEDS), (first, ORANGE), (second, SEEDS))
        for _ in range(4):
            pair.buy_next()
        wait_until("all purchases are shown", lambda: (pair.alerts_of_purchases(first), pair.alerts_of_purchases(second)) == (4, 4))
        pair.settled()

        charged_once_each(market.store, APPLE, PEAR, ORANGE, *[SEEDS] * 5)
        asked = requests(market.store)
        expect(asked == {APPLE: 1, PEAR: 1, ORANGE: 1, SEEDS: 5}, f"asked for {asked}")
        sheets = pair.shown()
        expect(len(sheets) == len(set(sheets)) == 8, f"sheets were shown more than once: {sheets}")
        expect((pair.alerts_of_purchases(first), pair.alerts_of_purchases(second)) == (4, 4), "a purchase was shown twice")
        expect(pair.shown(by=second) == [], "the second process talked to the store beside the first")
        if not same_defaults:
            expect((row(first, SEEDS)["count"], row(second, SEEDS)["count"]) == (2, 3), "seeds went astray")
        # After a launch neither process receives a transaction.
        for app in (first, second):
            app.stop()
        for app in (first, second):
            pair.launch(app)
        expect(pair.alerts_of_purchases(first) == pair.alerts_of_purchases(second) == 0, "something finished came back")
        expect(first.state()["unfinishedTransactions"] == 0, f"left: {first.state()}")


def synchronizer_is_killed(folder, whose="second", crash=None):
    """The process that talks to the store dies while a purchase is under way, and isn't started again."""
    with Market(folder).open() as market:
        pair = Pair(market)
        first, second = pair.first, pair.second
        pair.launch(first, OPENSTOREKIT_CRASH_AT=crash or "")
        pair.launch(second)
        expect("no event stream" not in first.log.read_text(), f"the first doesn't talk: {first.tail()}")
        press(second if whose == "second" else first, "buy", product=APPLE)
        if crash is None:
            wait_until("the first shows the sheet", lambda: pair.shown(by=first))
            first.process.kill()
        elif crash.split(":")[0] in ("arrived", "receipt"):
            pair.buy_next()
        wait_until("the first has died", lambda: first.process.poll() is not None)
        expect(first.process.returncode == -signal.SIGKILL, f"the first ended with {first.process.returncode}")

        if not pair.taken:
            # The process that talks now shows the sheet, which may have been shown before.
            wait_until("the second shows the sheet", lambda: pair.shown(by=second))
            expect(len(set(pair.shown())) == 1, f"there are several sheets: {pair.shown()}")
            pair.buy_next()
        wait_until("the second owns it", lambda: owns(second, APPLE))
        pair.settled()
        charged_once_each(market.store, APPLE)
        expect(requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}")
        expect(pair.alerts_of_purchases(second) == 1, f"the second says {pair.pages[second].alerts}")
        # The second process can buy more, and the first one has no work left at its launch.
        press(second, "buy", product=PEAR)
        pair.buy_next()
        wait_until("the second owns the next", lambda: owns(second, PEAR))
        pair.settled()
        pair.launch(first)
        expect(first.state()["unfinishedTransactions"] == 0, f"left for the first: {first.state()}")
        charged_once_each(market.store, APPLE, PEAR)


def listener_is_killed(folder):
    """The process that doesn't talk dies with its purchase under way: the other one delivers the purchase."""
    with Market(folder).open() as market:
        pair = Pair(market)
        first, second = pair.first, pair.second
        pair.launch(first)
        pair.launch(second)
        press(second, "buy", product=APPLE)
        wait_until("the sheet is shown", pair.shown)
        second.kill()
        pair.buy_next()
        wait_until("the first owns it", lambda: owns(first, APPLE))
        pair.settled()
        charged_once_each(market.store, APPLE)
        expect(requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}")
        expect(pair.alerts_of_purchases(first) == 1, f"the first says {pair.pages[first].alerts}")


def scenarios():
    yield "two devices of one account", two_devices, {}
    yield "two processes, user defaults of their own", two_processes, {"same_defaults": False}
    yield "two processes, the same user defaults", two_processes, {"same_defaults": True}
    yield "the synchronizer is killed while the other's sheet is open", synchronizer_is_killed, {}
    yield "the synchronizer is killed while its own sheet is open", synchronizer_is_killed, {"whose": "first"}
    for step in ("sending:before", "sending:after", "present:before", "present:after", "arrived:before",
                 "arrived:after", "receipt:before", "receipt:after"):
        yield f"the synchronizer dies at {step} of the other's purchase", synchronizer_is_killed, {"crash": step}
    yield "the process that doesn't talk is killed", listener_is_killed, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
