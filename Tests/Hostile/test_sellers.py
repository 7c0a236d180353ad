# SPDX-License-Identifier: Apache-2.0
"""A seller with a full account attacks the searches, files, comparisons and addresses that all sellers share. An honest customer
buys beside each attack."""

import concurrent.futures
import contextlib
import http.server
import json
import socket
import threading

from attacked_store import STRANGER, attacked_store
from connect_console import Console, added_team
from harness import BUNDLE, SEEDS, wait_until
from seller_server import Receiver
from selling import control

APP = "com.example.silent"
# A page, a refusal of the values, or the refusal of too many requests at a time.
ANSWERS = {200, 303, 400, 429}


def seller(attacked):
    """The browser of the account holder of a new team with an app."""
    console = added_team(attacked.store)
    register(console, APP)
    return console


def register(console, app):
    status, _, text = console.send("/connect/apps", {
        "decision": "register", "bundle": app, "name": "Silence", "sku": app, "locale": "en_US"})
    assert status == 303, f"the app was answered {status} {text[:300]}"


def at_the_same_time(console, count, *requests):
    """Sends requests many times, sixteen at a time, and returns the statuses."""
    def one(number):
        browser = Console(console.store, console.cookie)
        return browser.send(requests[number % len(requests)])[0]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(one, range(count)))
    assert set(statuses) <= ANSWERS, f"a seller was answered {set(statuses) - ANSWERS}"
    assert 200 in statuses or 400 in statuses, f"the seller was never answered: {set(statuses)}"
    return statuses


def test_searches_have_a_number_of_words(folder):
    """Searches of a long log with a thousand words are refused, and those with eight leave the others their readers."""
    with attacked_store(folder) as attacked:
        console = seller(attacked)
        for number in range(60):
            console.send(f"/connect/apps/{APP}", {
                "decision": "change", "name": f"{'x' * 20}{number}", "version": str(number)})
        many = "/connect/log?q=" + "+".join(["x"] * 1000)
        with attacked.honest.buying():
            assert set(at_the_same_time(console, 100, many)) <= {400, 429}, "a thousand words were searched for"
            at_the_same_time(console, 200, "/connect/log?q=x+x+x+x+x+x+x+y", "/connect/apps?q=a+b+c+d",
                             f"/connect/apps/{APP}?q=a+b+c+d", "/connect/users?q=x", "/connect/testers?q=x")


def product(number, languages, length=30):
    return {"productID": f"p{number}", "type": "Consumable", "displayPrice": "0.99", "referenceName": f"P{number}",
            "localizations": [{"locale": f"l{language}", "displayName": "x" * length, "description": "y" * length}
                              for language in range(languages)]}


def test_files_have_numbers_of_entries(folder):
    """A product has at most fifty languages, and comparing a file of two megabytes leaves the others their readers."""
    with attacked_store(folder) as attacked:
        console, page = seller(attacked), f"/connect/apps/{APP}/file"
        with attacked.honest.buying():
            status, text = console.upload(page, json.dumps({"products": [product(0, 25000, length=1)]}).encode(),
                                          decision="upload")
            assert status == 400 and "of at most 50" in text, f"25,000 languages were answered {status}"
            contents = json.dumps({"products": [product(number, 50) for number in range(330)]}).encode()
            assert len(contents) < 2 << 20, f"the file has {len(contents)} bytes"
            status, text = console.upload(page, contents, decision="upload")
            assert status == 303, f"the file was answered {status} {text[:300]}"
            at_the_same_time(console, 40, page)


class Silence:
    """A server that accepts connections at all addresses of the loopback network, and answers none."""

    def __init__(self):
        self.listener = socket.create_server(("", 0), backlog=1000)
        self.port = self.listener.getsockname()[1]
        self.taken = []
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        with contextlib.suppress(OSError):
            while True:
                self.taken.append(self.listener.accept()[0])

    def open(self):
        """Returns the number of connections that their client hasn't closed."""
        return sum(self.is_open(connection) for connection in list(self.taken))

    @staticmethod
    def is_open(connection):
        try:
            while connection.recv(65536, socket.MSG_DONTWAIT):
                pass
            return False
        except BlockingIOError:
            return True
        except OSError:
            return False

    def close(self):
        self.listener.close()
        for connection in self.taken:
            connection.close()


def test_silent_servers_take_a_share_of_the_connections(folder):
    """Forty addresses of a team whose servers don't answer take a few connections, and another seller's server gets its notifications."""
    with attacked_store(folder) as attacked:
        silence = Silence()
        honest = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        honest.bodies = []
        threading.Thread(target=honest.serve_forever, daemon=True).start()
        try:
            console = added_team(attacked.store)
            for app in ("com.example.a", "com.example.b"):
                register(console, app)
                status, _, text = console.send(f"/connect/apps/{app}/new-product", {
                    "decision": "register", "kind": "Consumable", "product": f"{app}.juice", "reference": "Juice",
                    "tier": "1", "cleared": "yes", "title-en_US": "Juice", "description-en_US": "A glass"})
                assert status == 303, f"the product was answered {status} {text[:300]}"
                for number in range(20):
                    control(attacked.store, "add-notification-address", bundle=app,
                            url=f"http://127.0.0.{number + 10}:{silence.port}/{app}")
                for _ in range(10):
                    control(attacked.store, "buy", email=STRANGER, bundle=app, product=f"{app}.juice")
            control(attacked.store, "add-notification-address", bundle=BUNDLE, url=f"http://127.0.0.1:{honest.server_port}/")
            wait_until("the silent servers are asked", lambda: len(silence.taken) >= 8)
            with attacked.honest.buying():
                control(attacked.store, "buy", email=STRANGER, bundle=BUNDLE, product=SEEDS)
                before = len(honest.bodies)
                wait_until("the honest server gets another notification", lambda: len(honest.bodies) > before)
                # A team has four addresses at a time, and an address eight connections. As many may be at their deadline,
                # and are closed then. Forty addresses without a limit have 320.
                assert silence.open() <= 64, f"the silent servers have {silence.open()} open connections"
                wait_until("the silent servers have 32 connections at most", lambda: silence.open() <= 32)
        finally:
            silence.close()
            honest.shutdown()
