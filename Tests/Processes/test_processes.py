# SPDX-License-Identifier: Apache-2.0
"""Two devices of one account, and two processes of one app on one device: each purchase is charged once, sent once,
and shown to one of them, whichever process is killed meanwhile.
"""

import signal
import threading

import pytest

from harness import (
    APPLE, ORANGE, PEAR, SEEDS, Customer, charged_once_each, is_quiet, lists, owns, press, requests, row, wait_until)

BOUGHT = "Bought successfully!"

on_both_engines = pytest.mark.engines("sqlite", "postgresql")


@on_both_engines
def test_two_devices_of_one_account(market):
    """A second device restores the purchases of the first one, and buys it again for nothing without its defaults."""
    first, second = market.app("first"), market.app("second")
    market.launch(first)
    market.purchase(first, APPLE)
    market.purchase(first, PEAR)

    page = market.launch(second)
    lists(second)
    assert not owns(second, APPLE), "the second device has it before anybody signed in there"
    press(second, "restore")
    status, text = market.customer.decide(market.customer.next_sheet(), "sign-in")
    assert status == 200, f"signing in: {status} {text}"
    wait_until("both are there", lambda: owns(second, APPLE) and owns(second, PEAR))
    page.wait_for("Restored successfully!")
    assert BOUGHT not in page.titles(), f"a restored purchase is shown as bought: {page.alerts}"
    wait_until("no transaction is left", lambda: second.state()["unfinishedTransactions"] == 0)
    charged_once_each(market.store, APPLE, PEAR)
    second.stop()

    # The same app without its user defaults buys the product again.
    second.defaults = market.folder / "forgotten"
    second.defaults.mkdir()
    page = market.launch(second)
    lists(second)
    assert not owns(second, APPLE), "the user defaults weren't forgotten"
    market.purchase(second, APPLE)
    page.wait_for(BOUGHT)
    assert "Restored successfully!" not in page.titles(), f"shown as restored: {page.alerts}"
    charged_once_each(market.store, APPLE, PEAR)
    bought = market.store.rows(
        "SELECT transaction_id, original_transaction_id, milliunits FROM purchase"
        f" WHERE product_id = '{APPLE}' ORDER BY purchased_at")
    assert len(bought) == 2, f"purchases of the fruit: {bought}"
    (original, its_own, price), (again, its_original, nothing) = bought
    assert original == its_own == its_original and again != original, f"no repeat of the first: {bought}"
    assert price > 0 and nothing == 0, f"charged {price} and {nothing}"


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
        assert status == 200, f"buying on the sheet: {status} {text}"

    def press_at_once(self, *presses):
        """Presses several Buy buttons at the same moment."""
        barrier, problems = threading.Barrier(len(presses)), []

        def run(app, product):
            barrier.wait()
            try:
                press(app, "buy", product=product)
            except (AssertionError, OSError) as problem:
                problems.append(problem)

        threads = [threading.Thread(target=run, args=each) for each in presses]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems, f"{problems}"

    def alerts_of_purchases(self, app):
        return self.pages[app].titles().count(BOUGHT)

    def wait_for_alerts(self, what, count):
        wait_until(f"each has shown {what}", lambda: all(
            self.alerts_of_purchases(app) == count for app in (self.first, self.second)))

    def settled(self):
        wait_until("the store is quiet", lambda: is_quiet(self.market.store))
        for app in self.customers:
            if app.process.poll() is None:
                wait_until(f"{app.name} has nothing left", lambda: app.state()["unfinishedTransactions"] == 0)


@on_both_engines
def test_two_processes_with_user_defaults_of_their_own(market):
    """Each process delivers its own purchases once."""
    two_processes(market, same_defaults=False)


def test_two_processes_with_the_same_user_defaults(market):
    """Each process shows its own purchases once."""
    two_processes(market, same_defaults=True)


def two_processes(market, same_defaults):
    pair = Pair(market, same_defaults)
    first, second = pair.first, pair.second
    pair.launch(first)
    pair.launch(second)

    pair.press_at_once((first, APPLE), (second, PEAR))
    pair.buy_next()
    pair.buy_next()
    pair.wait_for_alerts("its fruit", 1)
    pair.settled()
    if not same_defaults:
        assert owns(first, APPLE) and not owns(first, PEAR), "the first process shows a purchase of the second"
        assert owns(second, PEAR) and not owns(second, APPLE), "the second shows a purchase of the first"

    pair.press_at_once((first, SEEDS), (second, SEEDS))
    pair.buy_next()
    pair.buy_next()
    pair.wait_for_alerts("its seeds", 2)
    pair.settled()
    if not same_defaults:
        assert (row(first, SEEDS)["count"], row(second, SEEDS)["count"]) == (1, 1), "seeds went astray"

    # Several at a time in both, so that answers, events and finishes cross.
    pair.press_at_once((first, SEEDS), (second, SEEDS), (first, ORANGE), (second, SEEDS))
    for _ in range(4):
        pair.buy_next()
    pair.wait_for_alerts("all purchases", 4)
    pair.settled()

    charged_once_each(market.store, APPLE, PEAR, ORANGE, *[SEEDS] * 5)
    asked = requests(market.store)
    assert asked == {APPLE: 1, PEAR: 1, ORANGE: 1, SEEDS: 5}, f"asked for {asked}"
    sheets = pair.shown()
    assert len(sheets) == len(set(sheets)) == 8, f"sheets were shown more than once: {sheets}"
    assert (pair.alerts_of_purchases(first), pair.alerts_of_purchases(second)) == (4, 4), (
        "a purchase was shown twice")
    assert pair.shown(by=second) == [], "the second process talked to the store beside the first"
    if not same_defaults:
        assert (row(first, SEEDS)["count"], row(second, SEEDS)["count"]) == (2, 3), "seeds went astray"
    # After a launch neither process receives a transaction.
    for app in (first, second):
        app.stop()
    for app in (first, second):
        pair.launch(app)
    assert pair.alerts_of_purchases(first) == pair.alerts_of_purchases(second) == 0, "something finished came back"
    assert first.state()["unfinishedTransactions"] == 0, f"left: {first.state()}"


@pytest.mark.parametrize("whose", ["first", "second"])
def test_the_synchronizer_is_killed_while_a_sheet_is_open(market, whose):
    """The process that talks to the store is killed while its own sheet or the other's is open."""
    synchronizer_is_killed(market, whose)


@pytest.mark.sampled
@pytest.mark.parametrize("crash", [f"{step}:{when}" for step in ("sending", "present", "arrived", "receipt")
                                   for when in ("before", "after")])
def test_the_synchronizer_dies_in_the_purchase_of_the_other(market, crash):
    """The process that talks to the store dies at a step of the other process's purchase."""
    synchronizer_is_killed(market, "second", crash)


def synchronizer_is_killed(market, whose, crash=None):
    """The process that talks dies while a purchase of one of them is under way, and isn't started again."""
    pair = Pair(market)
    first, second = pair.first, pair.second
    pair.launch(first, OPENSTOREKIT_CRASH_AT=crash or "")
    pair.launch(second)
    assert "no event stream" not in first.log.read_text(), f"the first doesn't talk: {first.tail()}"
    press(second if whose == "second" else first, "buy", product=APPLE)
    if crash is None:
        wait_until("the first shows the sheet", lambda: pair.shown(by=first))
        first.process.kill()
    elif crash.split(":")[0] in ("arrived", "receipt"):
        pair.buy_next()
    wait_until("the first has died", lambda: first.process.poll() is not None)
    assert first.process.returncode == -signal.SIGKILL, f"the first ended with {first.process.returncode}"

    if not pair.taken:
        # The process that talks now shows the sheet, which may have been shown before.
        wait_until("the second shows the sheet", lambda: pair.shown(by=second))
        assert len(set(pair.shown())) == 1, f"there are several sheets: {pair.shown()}"
        pair.buy_next()
    wait_until("the second owns it", lambda: owns(second, APPLE))
    pair.settled()
    charged_once_each(market.store, APPLE)
    assert requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}"
    pair.pages[second].wait_for(BOUGHT)
    assert pair.alerts_of_purchases(second) == 1, f"the second says {pair.pages[second].alerts}"
    # The second process can buy more, and the first one has no work left at its launch.
    press(second, "buy", product=PEAR)
    pair.buy_next()
    wait_until("the second owns the next", lambda: owns(second, PEAR))
    pair.settled()
    pair.launch(first)
    assert first.state()["unfinishedTransactions"] == 0, f"left for the first: {first.state()}"
    charged_once_each(market.store, APPLE, PEAR)


def test_the_process_that_does_not_talk_is_killed(market):
    """The process that doesn't talk dies with its purchase under way: the other one delivers the purchase."""
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
    assert requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}"
    pair.pages[first].wait_for(BOUGHT)
    assert pair.alerts_of_purchases(first) == 1, f"the first says {pair.pages[first].alerts}"
