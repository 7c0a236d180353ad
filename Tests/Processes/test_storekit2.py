# SPDX-License-Identifier: Apache-2.0
"""An app of StoreKit 2 as a process of its own, with a served store: purchases, updates, entitlements and statuses over
launches, without a network, after a renewal and a refund, and beside an app of StoreKit 1.

The tests of the answers of the store run on both engines. The behaviour of an app is the same on either.
"""

import shutil
import uuid

import pytest

from harness import (
    APPLE, BUNDLE, EMAIL, ORANGE, PASSWORD, PATIENCE, PEAR, SEEDS, ask, charged_once_each, complains, is_quiet, lists,
    owns, press, wait_until)
from processes import storectl
from transaction_app import TransactionApp

BASKET, GROUP = f"{BUNDLE}.SmallBasket", "10000010"

on_both_engines = pytest.mark.engines("sqlite", "postgresql")


@pytest.fixture
def app(market):
    """A process of the app, which hasn't been launched."""
    return TransactionApp(market)


def operate(market, *arguments):
    return storectl(*arguments, "--data", market.store.data)


@on_both_engines
def test_purchases_and_launches(app, market):
    """A purchase is the result of its call, an update of each launch until it is finished, and then an entitlement."""
    app.launch()
    assert app.listed("all") == [], "there are transactions from the start"
    account = str(uuid.uuid4()).upper()
    pear = app.buys(PEAR, account)
    assert pear["account"] == account and pear["reason"] == "PURCHASE", f"bought: {pear}"
    seeds = app.buys(SEEDS)
    app.finishes(seeds)
    assert app.products("unfinished") == [PEAR], "another transaction is unfinished"
    assert app.updates() == [], f"a purchase is an update beside its call: {app.updates()}"
    app.quit()

    app.launch()
    wait_until("the unfinished transaction is an update", app.updates)
    assert app.updates() == [pear], f"updates: {app.updates()}"
    app.finishes(pear)
    assert app.listed("unfinished") == [], "a finished transaction is unfinished"
    assert app.listed("entitlements") == [pear], "the pear isn't an entitlement"
    assert app.products("all") == [PEAR], "a finished consumable is listed"
    wait_until("the store is quiet", lambda: is_quiet(market.store))
    app.quit()

    app.launch()
    assert app.begin(SEEDS, "cancel")["outcome"] == "cancelled", "a cancelled purchase has another end"
    assert app.updates() == [] and app.listed("unfinished") == [], f"a finished update is repeated: {app.updates()}"
    app.quit()
    charged_once_each(market.store, PEAR, SEEDS)


def test_a_killed_process(app, market):
    """A process that is killed while the sheet is open gets the purchase as an update of its next launch."""
    app.launch()
    app.tell(f"buy {PEAR}")
    sheet = market.customer.next_sheet()
    app.kill()
    status, text = market.customer.buy(sheet)
    assert status == 200, f"the sheet: {status} {text}"
    app.launch()
    wait_until("the purchase is an update", app.updates)
    [update] = app.updates()
    assert update["product"] == PEAR and "refusal" not in update, f"the update: {update}"
    app.finishes(update)
    assert app.products("entitlements") == [PEAR], "it isn't an entitlement"
    charged_once_each(market.store, PEAR)


@on_both_engines
def test_a_renewal_and_a_refund(app, market):
    """A renewal and a refund are updates, of the subscription's status too, and the entitlements follow them."""
    app.launch()
    first = app.buys(BASKET)
    app.finishes(first)
    status = app.status(GROUP)
    assert ((status["state"], status["renews"], status["isVerified"], status["transaction"]["id"])
           == ("Subscribed", True, True, first["id"])), f"the status: {status}"

    operate(market, "clock", "advance", EMAIL, "1mo1d")
    renewal = wait_until("the renewal is an update", app.updates)[0]
    assert (renewal["original"] == first["id"] != renewal["id"] and renewal["reason"] == "RENEWAL"
           and "refusal" not in renewal), f"the renewal: {renewal}"
    wait_until("the renewal is a status", lambda: any(
        status["transaction"]["id"] == renewal["id"] for status in app.statuses()))
    app.finishes(renewal)
    assert [listed["id"] for listed in app.listed("entitlements")] == [renewal["id"]], "another entitlement"
    assert [listed["id"] for listed in app.listed("all")] == [renewal["id"], first["id"]], "another history"

    operate(market, "refund", renewal["id"], "--store", market.store.url)
    wait_until("the refund is an update", lambda: any(
        update["id"] == renewal["id"] and update["isRefunded"] for update in app.updates()))
    assert app.listed("entitlements") == [], "a refunded period is an entitlement"
    assert app.status(GROUP)["state"] == "Revoked", f"the status: {app.status(GROUP)}"
    wait_until("the refund is a status", lambda: any(status["state"] == "Revoked" for status in app.statuses()))
    app.quit()


def test_without_a_network(app, market):
    """Without a network the history is the journal's, and a refund of that time is an update of the next launch."""
    app.launch()
    for product in (PEAR, APPLE, BASKET):
        app.finishes(app.buys(product))
    before = {command: app.listed(command) for command in ("all", "entitlements")}
    assert len(before["all"]) == len(before["entitlements"]) == 3, f"bought: {before}"
    app.quit()
    market.store.stop()

    app.launch()
    after = {command: app.listed(command) for command in before}
    assert after == before, f"without a network {after} instead of {before}"
    assert app.status(GROUP)["state"] == "Subscribed", "the subscription has ended without a network"
    assert app.updates() == [], f"updates without a network: {app.updates()}"
    app.quit()

    market.store.serve()
    apple = next(transaction for transaction in before["all"] if transaction["product"] == APPLE)
    operate(market, "refund", apple["id"], "--store", market.store.url)
    app.launch()
    wait_until("the refund is an update", app.updates)
    assert app.updates() == [{**apple, "isRefunded": True}], f"updates: {app.updates()}"
    assert app.products("entitlements") == sorted([PEAR, BASKET]), "a refunded product is an entitlement"
    app.quit()


@on_both_engines
def test_beside_storekit_1(app, market):
    """StoreKit 1 and StoreKit 2 have one queue: each purchase is in both, and is delivered once."""
    app.launch()
    fruit = market.app(home=app.home)
    page = market.launch(fruit)
    market.purchase(fruit, APPLE)
    wait_until("the purchase is an entitlement of StoreKit 2", lambda: app.products("entitlements") == [APPLE])
    app.finishes(app.buys(PEAR))
    wait_until("the store is quiet", lambda: is_quiet(market.store))
    assert fruit.state()["unfinishedTransactions"] == 0, "a finished transaction is in StoreKit 1's queue"
    page.wait_for("Bought successfully!")
    assert page.titles().count("Bought successfully!") == 1, f"StoreKit 1 was shown {page.alerts}"

    # Another device, on which the customer uses StoreKit 1.
    other = market.app("other")
    market.launch(other)
    market.purchase(other, ORANGE)
    wait_until("the other device's purchase is an update", lambda: any(
        update["product"] == ORANGE for update in app.updates()))
    assert app.products("entitlements") == sorted([APPLE, PEAR, ORANGE]), "an entitlement is missing"
    press(other, "restore")
    wait_until("StoreKit 1 restores StoreKit 2's purchase", lambda: owns(other, PEAR))
    lists(other)
    charged_once_each(market.store, APPLE, PEAR, ORANGE)
    app.quit()


@pytest.mark.slow
def test_two_processes_of_an_app(market):
    """One process at a time is given a purchase, the next one when it dies, and a refund reaches all of them."""
    first = TransactionApp(market, "first").launch()
    second = TransactionApp(market, "second", home=first.home).launch()
    assert second.listed("unfinished") == [], "there are transactions from the start"
    pear = first.buys(PEAR)
    wait_until("the other process has the purchase", lambda: second.products("all") == [PEAR])
    assert second.listed("unfinished") == [] and second.updates() == [], f"a second delivery: {second.updates()}"
    first.kill()
    # A process that dies says nothing: the others look for its entries once a minute.
    wait_until("the process that is left is given the purchase", second.updates, 60 + PATIENCE)
    assert second.updates() == [pear], f"updates: {second.updates()}"
    second.finishes(pear)

    first.launch()
    assert first.products("entitlements") == [PEAR] and first.updates() == [], (
        f"a second delivery: {first.updates()}")
    operate(market, "refund", pear["id"], "--store", market.store.url)
    for app in (first, second):
        wait_until("the refund is an update of each process", lambda: any(
            update == {**pear, "isRefunded": True} for update in app.updates()))
        assert app.listed("entitlements") == [], "a refunded product is an entitlement"
        app.quit()
    charged = market.store.rows("SELECT count(*) FROM ledger_entry WHERE kind = 'charge'")
    assert charged == [(1,)], f"charged {charged}"


def test_two_customers_of_a_device(app, market):
    """A device shows the transactions of the customer who has signed in last, and those of a customer again."""
    other = "second@example.com"
    market.store.add_account(other, PASSWORD)
    app.launch()
    app.finishes(app.buys(PEAR))

    app.finishes(app.buys(ORANGE, email=other))
    wait_until("the second customer has one entitlement", lambda: app.products("entitlements") == [ORANGE])
    assert app.products("all") == [ORANGE], f"another customer's history: {app.products('all')}"
    app.quit()
    app.launch()
    assert app.products("all") == [ORANGE], f"another customer's history after a launch: {app.products('all')}"

    app.finishes(app.buys(APPLE))
    both = sorted([APPLE, PEAR])
    wait_until("the first customer has both again", lambda: app.products("entitlements") == both)
    assert app.products("all") == both, f"another customer's history: {app.products('all')}"
    assert app.updates() == [] or all(update["product"] != ORANGE for update in app.updates()), (
        f"another customer's purchase is an update: {app.updates()}")
    app.quit()


def test_an_app_that_does_not_listen(app, market):
    """An app that listens to no updates has its unfinished purchases, entitlements and refunds all the same."""
    app.launch("--quiet")
    pear = app.buys(PEAR)
    app.finishes(app.buys(BASKET))
    assert app.listed("unfinished") == [pear], "the purchase isn't unfinished"
    app.quit()

    app.launch("--quiet")
    assert app.listed("unfinished") == [pear], "the purchase isn't unfinished after a launch"
    app.finishes(pear)
    operate(market, "clock", "advance", EMAIL, "1mo1d")
    wait_until("the renewal is unfinished", lambda: app.products("unfinished") == [BASKET])
    [renewal] = app.listed("unfinished")
    assert renewal["reason"] == "RENEWAL", f"unfinished: {renewal}"
    app.finishes(renewal)
    operate(market, "refund", pear["id"], "--store", market.store.url)
    wait_until("the refunded product is no entitlement", lambda: app.products("entitlements") == [BASKET])
    assert app.updates() == [] and app.statuses() == [], "the app listens"
    app.quit()


def test_the_root_certificates_that_an_app_trusts(folder, app, market):
    """With the receipts' root certificate alone no transaction is verified; with the store's file the same ones are."""
    receipts = folder / "receipts.pem"
    receipts.write_text(ask("GET", f"{market.store.url}/pki/root.pem")[1])
    app.launch(STOREKIT_TRUST=str(receipts))
    answer = app.begin(PEAR, "buy")
    [transaction] = answer["transactions"]
    assert answer["outcome"] == "success" and transaction["refusal"] == "invalidCertificateChain", (
        f"bought: {answer}")
    assert app.listed("entitlements") == [], "an unverified transaction is an entitlement"
    assert [listed.get("refusal") for listed in app.listed("all")] == ["invalidCertificateChain"], "another history"
    app.quit()

    app.launch()
    wait_until("the transaction is an update", app.updates)
    [update] = app.updates()
    assert update["id"] == transaction["id"] and "refusal" not in update, f"the update: {update}"
    assert app.products("entitlements") == [PEAR], "a verified transaction isn't an entitlement"
    app.finishes(update)
    app.quit()


def test_the_root_certificates_in_the_folder_of_the_store(market):
    """Each start of the store writes the root certificates for apps, and leaves those that an operator has added."""
    store = market.store
    both = ask("GET", f"{store.url}/pki/roots.pem")[1]
    assert both.count("BEGIN CERTIFICATE") == 2 and store.root.read_text() == both, (
        "another file than /pki/roots.pem")
    added = both.replace("-----END CERTIFICATE-----", "-----END CERTIFICATE-----\n", 1) + both
    # A folder of an earlier version has no file, a store's with another authority has another one.
    for contents, expected in ((None, both), ("", both), (both[:500], both), (added, added)):
        store.stop()
        store.root.unlink()
        if contents is not None:
            store.root.write_text(contents)
        store.serve()
        assert store.root.read_text() == expected, f"{store.root} is {store.root.read_text()[:80]}"
    store.stop()
    store.root.unlink()
    store.root.mkdir()
    store.serve()
    complains(store.tail(), "root certificates can't be written", "/pki/roots.pem")
    shutil.rmtree(store.root)
