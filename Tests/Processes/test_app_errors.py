# SPDX-License-Identifier: Apache-2.0
"""BuyFruit when the store isn't there or doesn't sell: a readable alert, nothing charged, and it works afterwards."""

import json
import re
import signal
import socket
import sqlite3
import time

from harness import (
    APPLE, BUNDLE, NO_PRODUCTS, PASSWORD, PATIENCE, PEAR, SEEDS, Market, charged_once_each, code_of, complains, idle,
    lists, logs, nothing_charged, owns, press, requests, row, wait_until)
from processes import CONFIGURATION, ask


def test_no_store_at_the_start(folder):
    """The app says that the store can't be reached, and lists and buys when it can."""
    with Market(folder) as market:
        app = market.app()
        page = market.launch(app)
        page.wait_for(NO_PRODUCTS)
        state = app.state()
        assert state["hasFailed"] and not state["products"], f"the app's state is {state}"
        said = wait_until("the app's log says why", lambda: [
            line for line in app.log.read_text().splitlines() if NO_PRODUCTS[:-1] in line])
        complains(said[0], "can’t be reached")
        logs(app, "can't be reached", re.escape(market.store.url))
        status, text = ask("POST", f"{app.url}/buy", form={"product": APPLE})
        assert status == 404, f"buying a product that isn't listed: {status} {text}"
        market.open()
        press(app, "refresh")
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_no_store_when_buy_is_pressed(folder):
    """The payment fails with the reason, is charged never, and can be made afterwards."""
    with Market(folder).open() as market:
        app = market.app()
        page = market.launch(app)
        lists(app)
        market.store.kill()
        wait_until("the app has noticed", lambda: "no event stream" in app.log.read_text())
        press(app, "buy", product=APPLE)
        complains(page.wait_for("Ups!"), "can’t be reached")
        logs(app, "can't be reached", re.escape(market.store.url))
        idle(app, APPLE)
        press(app, "restore")
        complains(page.wait_for("Ups!", count=2), "can’t be reached")
        market.store.serve()
        nothing_charged(market.store)
        assert requests(market.store) == {}, f"asked for {requests(market.store)}"
        market.purchase(app)
        charged_once_each(market.store, APPLE)
        assert requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}"


def test_the_store_dies_after_the_payment_left(folder):
    """The outcome at the store is unknown: the payment doesn't fail, and the app repeats it until it is answered."""
    with Market(folder) as market:
        market.open(OPENSTOREKIT_CRASH_AT="decide:after")
        app = market.app()
        page = market.launch(app)
        lists(app)
        press(app, "buy", product=APPLE)
        wait_until("the store has died", lambda: market.store.process.poll() is not None)
        assert market.store.process.returncode == -signal.SIGKILL, f"it ended with {market.store.process.returncode}"
        # In the store's place a server receives the payment twice more and closes the connection.
        identifiers = hang_up_on_payments(market.store.port, 2)
        assert len(set(identifiers)) == 1, f"one payment came under several identifiers: {identifiers}"
        assert row(app, APPLE)["state"] == "buying", f"the app shows {row(app, APPLE)['state']}"
        assert "Ups!" not in page.titles(), f"the app says {page.alerts}"
        market.store.serve()
        status, text = market.customer.buy(market.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the app owns it", lambda: owns(app, APPLE))
        charged_once_each(market.store, APPLE)
        assert requests(market.store) == {APPLE: 1}, f"asked for {requests(market.store)}"
        assert market.store.rows("SELECT request_id FROM request WHERE kind = 'payment'") == [(identifiers[0],)], (
            "the store has recorded another request than was sent")
        assert "Ups!" not in page.titles(), f"the app said {page.alerts}"


def hang_up_on_payments(port, count):
    """Receives payments at a port without answering them, and returns their request identifiers."""
    identifiers = []
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        listener.settimeout(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while len(identifiers) < count and time.monotonic() < deadline:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(PATIENCE)
                received = b""
                while b"\r\n\r\n" not in received or (
                        received.startswith(b"POST") and not received.rstrip().endswith(b"}")):
                    more = connection.recv(65536)
                    if not more:
                        break
                    received += more
                if b"/device/v1/payments" in received.partition(b"\r\n")[0]:
                    identifiers.append(json.loads(received.partition(b"\r\n\r\n")[2])["requestIdentifier"])
    assert len(identifiers) == count, f"the payment came {len(identifiers)} times"
    return identifiers


def withdraw(market, identifier):
    """Starts the store again with a catalogue that lacks a product."""
    market.store.stop()
    document = json.loads(CONFIGURATION.read_text())
    document["products"] = [product for product in document["products"] if product["productID"] != identifier]
    market.store.configuration = market.folder / "less.storekit"
    market.store.configuration.write_text(json.dumps(document))
    market.store.serve()


def test_products_that_are_not_for_sale(folder):
    """Products that the store doesn't have, or has no longer, fail with the reason."""
    with Market(folder).open() as market:
        app = market.app()
        page = market.launch(app)
        lists(app)
        for product in (f"{BUNDLE}.Durian", "", "../Apple"):
            status, text = ask("POST", f"{app.url}/buy", form={"product": product})
            assert status == 404 and "no such product" in text, f"buying {product!r}: {status} {text}"
        # Withdrawn after it was listed.
        withdraw(market, PEAR)
        press(app, "buy", product=PEAR)
        complains(page.wait_for("Ups!"), "isn’t sold in your country")
        logs(app, "Pear", "not for sale")
        idle(app, PEAR)
        press(app, "refresh")
        wait_until("the fruit is off the list", lambda: row(app, PEAR) is None)
        nothing_charged(market.store)


def test_a_product_withdrawn_on_the_sheet(folder):
    """The product is withdrawn while its sheet is open."""
    with Market(folder).open() as market:
        app = market.app()
        page = market.launch(app)
        lists(app)
        press(app, "buy", product=PEAR)
        sheet = market.customer.next_sheet()
        withdraw(market, PEAR)
        status, text = market.customer.buy(sheet)
        assert status == 400 and code_of(text) == "invalid" and "not for sale" in text, f"the sheet: {status} {text}"
        complains(page.wait_for("Ups!"), "isn’t sold in your country")
        logs(app, "Pear", "not for sale")
        idle(app, PEAR)
        nothing_charged(market.store)


def test_wrong_passwords(folder):
    """After five wrong passwords an address has to wait, and then the right one is accepted."""
    with Market(folder).open() as market:
        app = market.app()
        page = market.launch(app)
        lists(app)
        press(app, "buy", product=APPLE)
        sheet = market.customer.next_sheet()
        # An address without an account gets the same answer.
        status, unknown = ask("POST", sheet, accept="application/json", form={
            "email": "nobody@example.com", "password": "wrong", "decision": "buy"})
        assert (status, code_of(unknown)) == (401, "wrong-password"), f"an unknown address: {status} {unknown}"
        for number in range(1, 6):
            before = time.monotonic()
            status, text = market.customer.buy(sheet, password=f"wrong-{number}")
            assert (status, text) == (401, unknown), f"try {number}: {status} {text}"
        # From the fifth on the address has to wait, twice as long each time, also with the right password.
        # Ten wrong passwords would close the page: at most nine are tried.
        for pause in (1, 2, 4):
            tried = time.monotonic()
            status, text = market.customer.buy(sheet, password="wrong again")
            if status == 429:
                break
            # On a slow machine the pause may be over already.
            assert time.monotonic() - before > pause, f"not throttled within {pause} s: {status} {text}"
            before = tried
        assert (status, code_of(text)) == (429, "throttled"), f"never throttled: {status} {text}"
        complains(json.loads(text)["error"]["message"], r"try again in \d+ s")
        nothing_charged(market.store)
        assert row(app, APPLE)["state"] == "buying", f"the app shows {row(app, APPLE)['state']}"

        def accepted():
            status, text = market.customer.buy(sheet, password=PASSWORD)
            assert status in (200, 429), f"the right password: {status} {text}"
            return status == 200

        wait_until("the right password is accepted", accepted)
        wait_until("the app owns it", lambda: owns(app, APPLE))
        charged_once_each(market.store, APPLE)
        assert "Ups!" not in page.titles(), f"the app says {page.alerts}"


def test_the_database_of_the_store_is_locked(folder):
    """The store answers that it is unavailable: the app repeats the payment and shows no failure."""
    with Market(folder).open() as market:
        app = market.app()
        page = market.launch(app)
        lists(app)
        outside = sqlite3.connect(market.store.data / "store.sqlite", isolation_level=None, timeout=PATIENCE)
        outside.execute("BEGIN EXCLUSIVE")
        press(app, "buy", product=SEEDS)
        wait_until("the store has refused", lambda: "place=payments" in market.store.log.read_text())
        assert row(app, SEEDS)["state"] == "buying", f"the app shows {row(app, SEEDS)['state']}"
        outside.execute("ROLLBACK")
        outside.close()
        status, text = market.customer.buy(market.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the seeds are there", lambda: row(app, SEEDS)["count"] == 1)
        charged_once_each(market.store, SEEDS)
        assert "Ups!" not in page.titles(), f"the app says {page.alerts}"
