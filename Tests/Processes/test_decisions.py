# SPDX-License-Identifier: Apache-2.0
"""Decisions of parents, customers, banks and the store's operator by `storectl`, of which a running app is notified."""

import json
import re

import pytest

from harness import (
    APPLE, BUNDLE, EMAIL, PASSWORD, PEAR, SEEDS, Device, Failed, ask, charged_once_each, charges, is_quiet, lists, nothing_charged,
    owns, press, row, wait_until)
from processes import storectl

FAILED = "Ups!"  # the title of BuyFruit's alert


class Counter:
    """A store, an app that lists its fruit, and the person who decides."""

    def __init__(self, market, **environment):
        self.market = market
        self.app = market.app()
        self.page = market.launch(self.app, **environment)
        lists(self.app)

    def decide(self, *arguments):
        """Runs a verb that calls the running store, with the token from the store's folder."""
        return storectl(*arguments, "--store", self.market.store.url, "--data", self.market.store.data)

    def account(self, *flags):
        return json.loads(self.decide("account", "set", EMAIL, *flags, "--json"))

    def waiting(self):
        return json.loads(self.decide("requests", "--json"))

    def ask(self, product=APPLE):
        """Asks for a product and confirms its sheet, which decides nothing yet."""
        press(self.app, "buy", product=product)
        status, text = self.market.customer.buy(self.market.customer.next_sheet())
        assert status == 200, f"confirming the sheet: {status} {text}"

    def pending_payments(self):
        return json.loads(self.decide("payment", "list", "--json"))

    def buy_pending(self):
        """Asks for an apple whose payment the provider answers later; returns its sheet and the payment."""
        press(self.app, "buy", product=APPLE)
        sheet = self.market.customer.next_sheet()
        status, text = self.market.customer.buy(sheet)
        assert status == 202, f"confirming the sheet: {status} {text}"
        answer = json.loads(text)
        assert answer["outcome"] == "pending", f"the sheet's answer: {answer}"
        [payment] = self.pending_payments()
        assert (payment["email"], payment["bundle"], payment["product"]) == (EMAIL, BUNDLE, APPLE), (
            f"another payment is pending: {payment}")
        assert payment.get("action") == answer.get("action"), f"the list has {payment}, the sheet {answer}"
        assert charges(self.market.store) == [], "it is charged before the provider's answer"
        return sheet, payment

    def events(self, payment):
        """The kinds and outcomes of the handled events of a payment."""
        return sorted(self.market.store.rows(
            "SELECT kind, outcome FROM provider_event WHERE handled_at IS NOT NULL"
            f" AND payment_number = '{payment['payment']}'"))

    def all_is_sent(self):
        return self.market.store.rows("SELECT * FROM sandbox_event") == []

    def owns_it(self, product=APPLE):
        wait_until(f"the app has {product}", lambda: owns(self.app, product))
        wait_until("the store is quiet", lambda: is_quiet(self.market.store))
        wait_until("nothing is left", lambda: self.app.state()["unfinishedTransactions"] == 0)

    def bought(self):
        """The purchases in the receipt on the device's disk."""
        return json.loads(storectl("receipt", "inspect", self.app.receipt, "--json"))["purchases"]


@pytest.fixture
def counter(market):
    return Counter(market)


def test_a_request_is_approved_while_the_app_does_not_run(counter, market):
    """A request to buy is approved while the app doesn't run, which is notified at its next launch."""
    assert counter.waiting() == [], "something waits from the start"
    assert counter.account("--ask-to-buy")["asksToBuy"], "the account doesn't ask"
    counter.ask()
    wait_until("the app waits", lambda: row(counter.app, APPLE)["state"] == "waiting")
    nothing_charged(market.store)
    [request] = counter.waiting()
    assert request["product"] == APPLE, f"another request waits: {request}"

    # Approved while the app doesn't run: it is notified at its next launch.
    counter.app.stop()
    counter.decide("approve", request["transaction"])
    assert counter.waiting() == [], "it waits still"
    market.launch(counter.app)
    counter.owns_it()
    charged_once_each(market.store, APPLE)
    fails_with(counter, "already", "decline", request["transaction"])


def test_a_request_is_declined_and_made_again(counter, market):
    """A request to buy that was declined may be made again."""
    counter.account("--ask-to-buy")
    counter.ask()
    [request] = wait_until("it waits", counter.waiting)
    counter.decide("decline", request["transaction"])
    wait_until("it is for sale again", lambda: row(counter.app, APPLE)["state"] == "for-sale")
    nothing_charged(market.store)
    fails_with(counter, "already", "approve", request["transaction"])

    assert not counter.account("--no-ask-to-buy")["asksToBuy"], "the account asks still"
    counter.ask()
    counter.owns_it()
    charged_once_each(market.store, APPLE)


def test_a_parents_device_opens_the_page_of_the_family(counter, market):
    """When a child asks to buy, the device of a parent opens the page of the family, once for each request."""
    child = "child@example.com"
    market.store.add_account(child, PASSWORD)
    counter.decide("family", "create", EMAIL)
    counter.decide("family", "add", EMAIL, child, "--role", "child")
    press(counter.app, "restore")
    status, text = market.customer.decide(market.customer.next_sheet(), "sign-in")
    assert status == 200, f"signing in: {status} {text}"
    device = Device(market.store).register()
    for asked, product in enumerate([APPLE, PEAR], start=1):
        status, paid = device.pay(f"request {asked}", product)
        assert status == 200, f"asking for {product}: {status} {paid}"
        if asked == 1:  # The device of a child that has signed in asks without a sheet.
            status, text = market.customer.decide(paid["sheet"], "buy", email=child)
            assert status == 200, f"confirming the child's sheet: {status} {text}"
        page = market.customer.next_sheet()
        assert page == f"{market.store.url}/account/family", f"the parent's device shows {page}"
        assert ask("GET", page)[0] == 200, "the page of the family can't be opened"
    # A process that starts again shows no request of before.
    counter.app.stop()
    market.launch(counter.app)
    lists(counter.app)
    assert len(market.customer.shown) == 3, f"more was shown: {market.customer.shown}"


def test_an_interrupted_purchase_is_resolved(counter, market):
    """An interrupted purchase fails in the app, which gets it when it is resolved."""
    counter.account("--interrupt-purchases")
    counter.ask()
    counter.page.wait_for(FAILED)
    wait_until("the failure is finished", lambda: counter.app.state()["unfinishedTransactions"] == 0)
    nothing_charged(market.store)
    [request] = counter.waiting()
    counter.decide("resolve", request["transaction"])
    # The app gets the purchase without a request of its own.
    counter.owns_it()
    charged_once_each(market.store, APPLE)


def test_a_purchase_is_refunded(counter, market):
    """A purchase is refunded in parts and as a whole, and the receipt on the device has the refund."""
    counter.ask()
    counter.owns_it()
    [bought] = counter.bought()
    assert "cancellationDate" not in bought, f"refunded from the start: {bought}"
    part = json.loads(counter.decide("refund", bought["transactionIdentifier"], "--amount", "0.10", "--json"))
    assert part["status"] == "refunded", f"the refund of a part revokes nothing: {part}"
    for _ in range(2):
        counter.decide("refund", bought["transactionIdentifier"], "--amount", "0.20", "--identifier", "5e" * 16)
    fails_with(counter, "was used for another refund", "refund", bought["transactionIdentifier"], "--identifier",
               "5e" * 16)
    refunds = market.store.rows("SELECT milliunits FROM refund ORDER BY milliunits")
    assert refunds == [(100,), (200,)], f"a repeated refund: {refunds}"
    answer = json.loads(counter.decide("refund", bought["transactionIdentifier"], "--json"))
    assert answer["product"] == APPLE, f"another product was refunded: {answer}"
    wait_until("the receipt has the refund",
               lambda: any("cancellationDate" in purchase for purchase in counter.bought()))
    money = sum(milliunits for (milliunits,) in market.store.rows("SELECT milliunits FROM ledger_entry"))
    assert money == 0, f"the ledger's sum is {money}"
    fails_with(counter, "2000000000000000", "refund", "2000000000000000")


def test_a_pending_payment_is_confirmed_twice_and_out_of_order(counter, market):
    """A payment that the bank confirms later is charged once, also when the bank declines it after that."""
    assert counter.pending_payments() == [], "a payment is pending from the start"
    said = counter.decide("payment", "answer", "pending", "--account", EMAIL, "--action", "--twice",
                          "--out-of-order")
    assert EMAIL in said and "pending" in said, f"setting the answer says: {said}"
    _, payment = counter.buy_pending()
    number = payment["payment"]
    assert payment["action"].endswith(f"/sandbox/payments/{number}"), f"the customer's page: {payment}"
    [line] = counter.decide("payment", "list").splitlines()
    assert (line.startswith(f"{number} {EMAIL} {APPLE} {payment['amount']} {payment['currency']} until ")
           and line.endswith(f", at {payment['action']}")), f"printed: {line}"

    assert counter.decide("payment", "confirm", number) == f"{number} confirmed", "it doesn't say so"
    counter.owns_it()
    assert counter.pending_payments() == [], "it is pending still"
    # The event is repeated, and an older one follows it.
    wait_until("every event is sent", counter.all_is_sent)
    wait_until("both events are handled", lambda: len(counter.events(payment)) == 2)
    assert counter.events(payment) == [("authorised", "purchased"), ("pending", "ignored")], (
        f"the events: {counter.events(payment)}")
    charged_once_each(market.store, APPLE)

    # A bank that contradicts itself takes nothing back.
    counter.decide("payment", "answer", "default", "--account", EMAIL)
    counter.decide("payment", "decline", number)
    wait_until("the late event is handled", lambda: ("declined", "contradicted") in counter.events(payment))
    charged_once_each(market.store, APPLE)
    assert owns(counter.app, APPLE), "the app has lost the product"
    fails_with(counter, "no such payment", "payment", "confirm", "unknown")
    fails_with(counter, "nobody@example.com", "payment", "answer", "pending", "--account", "nobody@example.com")


def test_a_pending_payment_is_declined_and_its_sheet_buys_again(counter, market):
    """A payment that the bank declines later isn't charged, and its sheet buys again."""
    counter.decide("payment", "answer", "pending")
    sheet, payment = counter.buy_pending()
    assert "action" not in payment, f"the customer has a page: {payment}"

    counter.decide("payment", "decline", payment["payment"])
    wait_until("the event is handled", lambda: counter.events(payment) == [("declined", "declined")])
    assert counter.pending_payments() == [], "it is pending still"
    assert charges(market.store) == [], f"a declined payment was charged: {charges(market.store)}"

    # The customer buys on the same sheet, which is open again.
    counter.decide("payment", "answer", "default")
    status, text = market.customer.buy(sheet)
    assert status == 200, f"buying again on the sheet: {status} {text}"
    counter.owns_it()
    assert [product for product, _ in charges(market.store)] == [APPLE], f"charged: {charges(market.store)}"
    provider = sorted(market.store.rows("SELECT status FROM sandbox_payment"))
    assert provider == [("captured",), ("declined",)], f"the provider has {provider}"


def test_a_device_is_restricted_and_allowed_again(counter, market):
    """An app on a restricted device may not pay, until the device is allowed to."""
    home = ("--home", counter.app.home)
    storectl("device", "restrict", *home)
    wait_until("the app may not pay", lambda: not counter.app.state()["canMakePayments"])
    press(counter.app, "buy", product=APPLE)
    counter.page.wait_for(FAILED)
    assert market.store.rows("SELECT * FROM request WHERE kind = 'payment'") == [], "the store was asked"

    storectl("device", "allow", *home)
    wait_until("the app may pay", lambda: counter.app.state()["canMakePayments"])
    counter.ask()
    counter.owns_it()
    charged_once_each(market.store, APPLE)


def test_an_account_is_barred_and_moves(counter, market):
    """An account that is barred buys nothing, and one that moves only products that are sold there."""
    counter.ask(PEAR)
    counter.owns_it(PEAR)
    assert counter.account("--barred")["isBarred"], "the account isn't barred"
    press(counter.app, "buy", product=APPLE)
    counter.page.wait_for(FAILED)
    charged_once_each(market.store, PEAR)

    moved = counter.account("--no-barred", "--storefront", "DEU")
    assert moved["storefront"] == "DEU" and not moved["isBarred"], f"the account is {moved}"
    counter.decide("product", "limit", BUNDLE, APPLE, "--not-in", "DEU")
    press(counter.app, "buy", product=APPLE)
    counter.page.wait_for(FAILED, count=2)
    charged_once_each(market.store, PEAR)
    counter.decide("product", "limit", BUNDLE, APPLE)
    counter.ask()
    counter.owns_it()
    charged_once_each(market.store, APPLE, PEAR)
    fails_with(counter, "XYZ", "account", "set", EMAIL, "--storefront", "XYZ")


def test_a_device_is_signed_out(counter, market):
    """The receipt stays on a device that is signed out, and its next customer signs in."""
    counter.ask()
    counter.owns_it()
    storectl("device", "sign-out", "--home", counter.app.home, "--store", market.store.url)
    assert len(counter.bought()) == 1, "the receipt didn't stay"
    # The next customer has to sign in.
    press(counter.app, "buy", product=SEEDS)
    sheet = market.customer.next_sheet()
    assert market.store.rows("SELECT account_id FROM device WHERE account_id IS NOT NULL") == [], (
        "an account is signed in")
    status, text = market.customer.buy(sheet)
    assert status == 200, f"buying on the sheet: {status} {text}"
    wait_until("the app has seeds", lambda: row(counter.app, SEEDS)["count"] > 0)
    wait_until("the store is quiet", lambda: is_quiet(market.store))
    charged_once_each(market.store, APPLE, SEEDS)


def test_who_does_not_have_the_key_of_the_store_decides_nothing(folder, counter, market):
    """Without the key in the store's folder, and for a device, no decision is taken."""
    counter.account("--ask-to-buy")
    counter.ask()
    [request] = wait_until("it waits", counter.waiting)
    elsewhere = folder / "elsewhere"
    for verb in ("approve", "decline", "refund", "resolve"):
        with pytest.raises(Failed, match=re.escape(str(elsewhere))):
            storectl(verb, request["transaction"], "--store", market.store.url, "--data", elsewhere)
    status, _ = Device(market.store).register().call("../../control/v1/approve", transaction="1")
    assert status in (401, 403, 404), f"a device decides: {status}"
    nothing_charged(market.store)


def fails_with(counter, word, *arguments):
    with pytest.raises(Failed, match=re.escape(word)):
        counter.decide(*arguments)
