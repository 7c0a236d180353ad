# SPDX-License-Identifier: Apache-2.0
"""Kills BuyFruit or the store (-9) before and after each step of a purchase, starts it again, and checks the ledger.

Real processes with a fault point each (`OPENSTOREKIT_CRASH_AT`). After each crash: charged once, delivered, finished,
queue empty. A store dies on SQLite, and in `make soak` on PostgreSQL too: test_nodes.py kills nodes of PostgreSQL for each change.
The death of an app is the same on either.
"""

import pytest

from harness import APPLE, PEAR, SEEDS, BuyFruit
from shop import Shop

# The steps of a purchase, by the process that takes them.
APP_STEPS = ["journal", "sending", "present", "arrived", "receipt", "deliver", "finish", "confirm"]
STORE_STEPS = ["decide", "sheet", "reserve", "authorise", "commit", "capture", "finished"]
APP_RESTORE_STEPS = ["restore", "restored"]
STORE_RESTORE_STEPS = ["restore"]

on_both_engines = pytest.mark.engines("sqlite", soak=["postgresql"])


def at(steps):
    """The fault points of steps; each change runs the test at one of both points of a step."""
    points = pytest.mark.parametrize("point", [f"{step}:{when}" for step in steps for when in ("before", "after")])
    return lambda test: pytest.mark.sampled(points(test))


@pytest.fixture
def shop(folder):
    with Shop(folder) as shop:
        yield shop


@at(APP_STEPS)
def test_buyfruit_dies_in_a_purchase(shop, point):
    """Seeds are charged once and delivered once, whenever BuyFruit dies."""
    shop.crash_app = point
    # The customer has to repeat only a payment that wasn't in the journal yet.
    purchase(shop, repeats=point == "journal:before")


@on_both_engines
@at(STORE_STEPS)
def test_the_store_dies_in_a_purchase(shop, point):
    """Seeds are charged once and delivered once, whenever the store dies."""
    shop.crash_store = point
    purchase(shop)


@at(APP_RESTORE_STEPS)
def test_buyfruit_dies_in_a_restore(folder, shop, point):
    """A second device restores two purchases, whenever BuyFruit dies."""
    buy_two(shop)
    shop.crash_app = point
    restore(folder, shop)


@on_both_engines
@at(STORE_RESTORE_STEPS)
def test_the_store_dies_in_a_restore(folder, shop, point):
    """A second device restores two purchases, whenever the store dies."""
    buy_two(shop)
    shop.store.stop()
    shop.crash_store = point
    shop.start_store()
    restore(folder, shop)


def purchase(shop, repeats=False):
    # Seeds are a consumable: a second charge or delivery shows, where a fruit that is owned once would hide it.
    shop.open()
    shop.lists()

    def buy_again():
        shop.lists()
        shop.press("buy", product=SEEDS)

    shop.press("buy", product=SEEDS)
    shop.settle("the seeds are there", lambda: shop.count(SEEDS) > 0 and shop.is_quiet(),
                press_again=buy_again if repeats else None)
    # Steps after the last one that the customer sees (confirming the finish) may still be due.
    if shop.crash_app or shop.crash_store:
        shop.settle("the fault point was reached", lambda: not (shop.crash_app or shop.crash_store))
        shop.settle("all is quiet", shop.is_quiet)
    assert shop.crashes == 1, f"the fault point was reached {shop.crashes} times"
    shop.check()
    for what, number in (("requests", "SELECT count(*) FROM request WHERE kind = 'payment'"),
                         ("purchases", "SELECT count(*) FROM purchase"),
                         ("ledger entries", "SELECT count(*) FROM ledger_entry")):
        found = shop.store.rows(number)
        assert found == [(1,)], f"{found} {what} for one payment"
    assert shop.count(SEEDS) == 1, f"delivered {shop.count(SEEDS)} times"


def buy_two(shop):
    """Buys two fruits on a device, which ends."""
    shop.open()
    for product in (APPLE, PEAR):
        shop.lists()
        shop.press("buy", product=product)
        shop.settle("it is there", lambda: shop.owns(product) and shop.is_quiet())
    shop.app.stop()


def restore(folder, shop):
    shop.app = BuyFruit(folder, shop.store, name="second")
    shop.start_app()

    def press():
        shop.lists()
        shop.press("restore")

    press()
    shop.settle("both are restored", lambda: shop.owns(APPLE) and shop.owns(PEAR) and shop.is_quiet(),
                press_again=press)
    shop.settle("the fault point was reached", lambda: not (shop.crash_app or shop.crash_store))
    shop.check(charges=2)
