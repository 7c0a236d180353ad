# SPDX-License-Identifier: Apache-2.0
"""BuyFruit when its environment lacks something: an alert, a log that names the remedy, and nothing charged."""

import os
import re
import socket
import subprocess
import urllib.request

from harness import (
    APPLE, NO_PRODUCTS, PATIENCE, Market, Store, charged_once_each, complains, idle, lists, logs, nothing_charged,
    owns, press, requests, wait_until)
from processes import BINARIES


def test_no_way_to_show_the_sheet(folder):
    """The program that shows the sheet can't start: the payment fails immediately, because no page was shown.

    A program that has started may have shown the page, even if it failed: that payment waits (see the agent's tests).
    """
    with Market(folder).open() as market:
        ways = [
            ({"STOREKIT_SHEET": "script:/does/not/exist"},
             ["STOREKIT_SHEET", "/does/not/exist", "nothing was charged"]),
            ({"STOREKIT_SHEET": f"script:{market.store.log}"}, ["STOREKIT_SHEET", "nothing was charged"]),
            ({"STOREKIT_SHEET": "browser", "BROWSER": "/does/not/exist %s"}, ["BROWSER", "nothing was charged"]),
        ]
        app = market.app()
        for number, (environment, words) in enumerate(ways, 1):
            page = market.launch(app, **environment)
            lists(app)
            press(app, "buy", product=APPLE)
            complains(page.wait_for("Ups!"), "could not be completed")
            logs(app, *words)
            idle(app, APPLE)
            nothing_charged(market.store)
            assert requests(market.store) == {APPLE: number}, f"asked for {requests(market.store)}"
            app.stop()
        page = market.launch(app)
        market.purchase(app)
        charged_once_each(market.store, APPLE)
        assert "Ups!" not in page.titles(), f"the app says {page.alerts}"


def test_no_root_certificate(folder):
    """Without a root certificate nothing is sent, because the app couldn't use a purchase."""
    with Market(folder).open() as market:
        app = market.app()
        junk = market.folder / "junk.pem"
        junk.write_text("no certificate\n")
        for trust in ("", str(market.folder / "nowhere.pem"), str(junk)):
            page = market.launch(app, STOREKIT_TRUST=trust)
            lists(app)
            press(app, "buy", product=APPLE)
            complains(page.wait_for("Ups!"), "could not be completed")
            remedy = re.escape(f"{market.store.url}/pki/roots.pem")
            logs(app, "STOREKIT_TRUST", remedy, *([trust] if trust else []))
            idle(app, APPLE)
            assert requests(market.store) == {}, f"asked for {requests(market.store)}"
            app.stop()
        nothing_charged(market.store)
        # The remedy that the log names.
        saved = market.folder / "saved.pem"
        address = re.search(r"http://\S+/pki/roots\.pem", app.log.read_text()).group()
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            saved.write_bytes(answer.read())
        market.launch(app, STOREKIT_TRUST=str(saved))
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_the_root_certificate_of_another_store(folder):
    """With another store's root certificate the receipt is refused; the purchase is delivered when it is corrected."""
    with Market(folder).open() as market:
        (market.folder / "other").mkdir()
        other = Store(market.folder / "other", is_first=True)
        market.running.append(other)
        other.serve()
        other.stop()
        app = market.app()
        market.launch(app, STOREKIT_TRUST=str(other.root))
        lists(app)
        press(app, "buy", product=APPLE)
        status, text = market.customer.buy(market.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        said = wait_until("the app's log says why", lambda: [
            line for line in app.log.read_text().splitlines() if "receipt is refused" in line])
        complains(said[0], "STOREKIT_TRUST", "/pki/roots.pem")
        assert not owns(app, APPLE), "delivered on a receipt without a trusted signature"
        app.stop()
        market.launch(app)
        wait_until("the app owns it", lambda: owns(app, APPLE))
        charged_once_each(market.store, APPLE)


def test_no_address_of_a_store(folder):
    """The app says once which variable it needs, and works when it has it."""
    with Market(folder).open() as market:
        app = market.app()
        for address in ("", "nonsense", "ftp://127.0.0.1/", "http://"):
            app.log.unlink(missing_ok=True)
            page = market.launch(app, STOREKIT_STORE_URL=address)
            page.wait_for(NO_PRODUCTS)
            state = app.state()
            assert not state["products"] and state["canMakePayments"], f"the app's state is {state}"
            said = [line for line in app.log.read_text().splitlines() if line.startswith("StoreKit: ")]
            assert said.count(said[0]) == 1, f"said once is enough: {said}"
            complains(said[0], "STOREKIT_STORE_URL", "http://127.0.0.1:8080", address)
            press(app, "restore")
            complains(page.wait_for("Ups!"), "can’t be reached|could not be completed")
            logs(app, "STOREKIT_STORE_URL")
            app.stop()
        page = market.launch(app, STOREKIT_SHEET="telepathy")
        page.wait_for(NO_PRODUCTS)
        complains(app.log.read_text(), "STOREKIT_SHEET", "telepathy", "browser", "terminal", "script:")
        app.stop()
        market.launch(app)
        market.purchase(app)
        charged_once_each(market.store, APPLE)


def test_its_own_port(folder):
    """BuyFruit's own port is taken, or isn't a number."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = str(listener.getsockname()[1])
        for port, words in ((taken, [taken, "BUYFRUIT_PORT"]), ("fruit", ["fruit", "BUYFRUIT_PORT"])):
            ran = subprocess.run(
                [str(BINARIES / "BuyFruit")], capture_output=True, text=True, timeout=PATIENCE,
                stdin=subprocess.DEVNULL, env={
                    **os.environ, "BUYFRUIT_PORT": port, "STOREKIT_STORE_URL": "http://127.0.0.1:1",
                    "STOREKIT_HOME": f"{folder}/storekit", "XDG_CONFIG_HOME": f"{folder}/config"})
            assert ran.returncode == 1, f"it ended with {ran.returncode}: {ran.stderr}"
            said = [line for line in ran.stderr.splitlines() if line.startswith("BuyFruit: ")]
            assert len(said) == 1, f"it said {ran.stderr}"
            for word in words:
                assert word in said[0], f"{word} isn't in: {said[0]}"
