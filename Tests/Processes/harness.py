# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of this folder: a customer, a device without an app, a page's alerts, and checks of charges."""

import http.client
import json
import plistlib
import re
import secrets
import socket
import threading
from pathlib import Path

from processes import (  # noqa: F401
    APPLE, BUNDLE, EMAIL, ORANGE, PASSWORD, PATIENCE, PEAR, ROOT, SEEDS, BuyFruit, Failed, Store, ask, wait_until,
    with_customer)

NO_PRODUCTS = "Failed to load list of products."  # BuyFruit's alert

PRODUCT_LISTS = plistlib.loads((ROOT / "Examples/BuyFruit/Sources/BuyFruit/Resources/Products.plist").read_bytes())
# The number of products that BuyFruit asks for.
PRODUCTS = sum(len(PRODUCT_LISTS[kind]) for kind in ("NonConsumables", "Consumables", "Subscriptions"))


def code_of(text):
    """The machine-readable code of a refusal; `None` when it carries none."""
    try:
        code = json.loads(text)["error"]["code"]
        return code if isinstance(code, str) and code else None
    except (ValueError, TypeError, KeyError):
        return None


class Customer:
    """Answers the sheets that apps show. The presenter that apps run only writes the addresses into a file."""

    def __init__(self, folder, name="customer"):
        self.sheets = Path(folder) / f"{name}.sheets"
        self.sheets.touch()
        self.presenter = Path(folder) / f"{name}.present"
        self.presenter.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{self.sheets}"\n')
        self.presenter.chmod(0o755)
        self.answered = 0

    @property
    def environment(self):
        return {"STOREKIT_SHEET": f"script:{self.presenter}"}

    @property
    def shown(self):
        return self.sheets.read_text().split()

    def next_sheet(self):
        address = wait_until("a sheet is shown", lambda: (self.shown[self.answered:] or [None])[0])
        self.answered += 1
        return address

    def buy(self, address, password=PASSWORD):
        return self.decide(address, "buy", password)

    def decide(self, address, decision, password=PASSWORD, email=EMAIL):
        return ask("POST", address, accept="application/json", form={
            "email": email, "password": password, "decision": decision})


class Page:
    """An open page of BuyFruit, which receives alerts as a browser does."""

    def __init__(self, app):
        self.alerts = []
        self.connection = http.client.HTTPConnection("127.0.0.1", app.port)
        self.connection.request("GET", "/events")
        self.answer = self.connection.getresponse()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        event = None
        try:
            for line in self.answer:
                name, _, value = line.decode().strip().partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "alert":
                    self.alerts.append(json.loads(value))
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # The app has ended.

    def titles(self):
        return [alert["title"] for alert in self.alerts]

    def wait_for(self, title, count=1):
        """The message of the alert with a title, once there are as many."""
        def messages():
            found = [alert.get("message", "") for alert in list(self.alerts) if alert["title"] == title]
            return found if len(found) >= count else None

        try:
            return wait_until(f'BuyFruit says "{title}"', messages)[count - 1]
        except AssertionError as failed:
            raise Failed(f"{failed}; it said {self.alerts}") from None


class Device:
    """A device without an app, which sends messages of the device protocol."""

    def __init__(self, store):
        self.store = store
        self.identifier, self.secret = secrets.token_hex(16), secrets.token_hex(32)

    @property
    def authorization(self):
        return f"Device {self.identifier}:{self.secret}"

    def send(self, path, body, **headers):
        """Sends bytes unchanged, and returns the status and text of the answer."""
        return exchange(self.store, "POST", f"/device/v1/{path}", body, {
            "Authorization": self.authorization, "Content-Type": "application/json", **headers})

    def call(self, path, **message):
        status, text = self.send(path, json.dumps(message).encode())
        return status, json.loads(text)

    def register(self):
        status, answer = self.call("register")
        assert status == 200, f"registering a device: {status} {answer}"
        return self

    def pay(self, request, product=SEEDS, quantity=1, **others):
        return self.call("payments", requestIdentifier=request, bundleIdentifier=BUNDLE, productIdentifier=product,
                         quantity=quantity, simulatesAskToBuy=False, **others)

    def products(self, *identifiers):
        return self.call("products", bundleIdentifier=BUNDLE, productIdentifiers=identifiers, languages=["en_US"])


def exchange(store, method, path, body=None, headers=None, seconds=PATIENCE):
    """Sends a request on a connection of its own, and returns the status and the text of the answer."""
    status, _, contents = answered(store, method, path, body, headers, seconds)
    return status, contents.decode()


def answered(store, method, path, body=None, headers=None, seconds=PATIENCE):
    """Sends a request on a connection of its own, and returns the status, the headers and the bytes of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", store.port, timeout=seconds)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def raw(store, request, ends=False):
    """Sends bytes that needn't be HTTP; returns status and text of the answer, status 0 if there is none."""
    with socket.create_connection(("127.0.0.1", store.port), timeout=PATIENCE) as connection:
        answer = b""
        try:
            connection.sendall(request)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while received := connection.recv(65536):
                answer += received
        except (BrokenPipeError, ConnectionResetError):
            pass
        except TimeoutError:
            raise Failed(f"no answer to {request[:200]}") from None
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head.startswith(b"HTTP/1.") else 0), body.decode()


def row(app, product):
    """BuyFruit's row of a product; `None` if it has none."""
    return next((row for row in app.state()["products"] if row["identifier"] == product), None)


def owns(app, product):
    shown = row(app, product)
    return bool(shown) and shown["isPurchased"]


def press(app, button, **form):
    status, text = ask("POST", f"{app.url}/{button}", form=form)
    assert status == 200, f"{button} of {app.name} answers {status}: {text[:200]}"


def lists(app):
    wait_until(f"{app.name} lists its fruit", lambda: len(app.state()["products"]) == PRODUCTS)


def idle(app, product):
    """Requires that the product can be bought and that no payment is open."""
    state = app.state()
    assert row(app, product)["state"] == "for-sale", f"{product} is {row(app, product)['state']}"
    wait_until("no transaction is left", lambda: app.state()["unfinishedTransactions"] == 0)
    assert not state["purchased"], f"purchased: {state['purchased']}"


def charges(store):
    """All charges: product and milliunits, oldest first."""
    return store.rows(
        "SELECT purchase.product_id, ledger_entry.milliunits FROM ledger_entry JOIN purchase USING (transaction_id)"
        " WHERE ledger_entry.milliunits <> 0 ORDER BY at")


def requests(store):
    """How often each product was asked for."""
    return dict(store.rows("SELECT product_id, count(*) FROM request WHERE kind = 'payment' GROUP BY product_id"))


def is_quiet(store):
    return (store.rows("SELECT count(*) FROM queue_entry") == [(0,)]
            and store.rows("SELECT count(*) FROM payment WHERE status NOT IN ('captured', 'declined')") == [(0,)])


def nothing_charged(store):
    assert charges(store) == [], f"something was charged: {charges(store)}"
    provider = store.rows("SELECT * FROM sandbox_payment")
    assert provider == [], f"the provider was asked: {provider}"


def charged_once_each(store, *products):
    """Requires that the ledger and the provider have one charge for each of these products, and no other one."""
    ledger = sorted(product for product, _ in charges(store))
    assert ledger == sorted(products), f"charged {ledger} instead of {sorted(products)}"
    provider = store.rows("SELECT status FROM sandbox_payment")
    assert provider == [("captured",)] * len(products), f"the provider has {provider}"


def complains(text, *words):
    """Requires that a message has all the words, and no internals of the program."""
    missing = [word for word in words if not re.search(word, text)]
    assert not missing, f"{missing} isn't in: {text}"
    insides = re.search(r"Optional\(|NSError|Domain=|NIO|SocketAddressError|Fatal error|\berrno\b", text)
    assert not insides, f"insides of the program are in: {text}"


def logs(app, *words):
    """Waits until a line of an app's log has all the words: the developer's sentence, which no alert shows."""
    wait_until(f"the log of the app says {words}:\n{app.tail()}", lambda: any(
        all(re.search(word, line) for word in words) for line in app.log.read_text().splitlines()))


class Market:
    """A store with an account, and the processes that were started for it; ends all of them."""

    def __init__(self, folder, **environment):
        self.folder = Path(folder)
        self.store = Store(folder, prepare=with_customer)
        self.customer = Customer(folder)
        self.environment = environment
        self.running = [self.store]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for process in reversed(self.running):
            if isinstance(error, Exception):
                print(f"--- {process.name}\n{process.tail()}", flush=True)
            process.kill()

    def open(self, **environment):
        self.store.serve(**environment)
        return self

    def app(self, name="device", home=None, defaults=None):
        app = BuyFruit(self.folder, self.store, name, home=home, defaults=defaults)
        self.running.append(app)
        return app

    def launch(self, app, **environment):
        """Starts an app and opens its page."""
        app.launch(**{**self.customer.environment, **environment})
        return Page(app)

    def purchase(self, app, product=APPLE):
        """Makes a purchase without any fault."""
        lists(app)
        press(app, "buy", product=product)
        status, text = self.customer.buy(self.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until(f"{app.name} owns it", lambda: owns(app, product))
        wait_until("the store is quiet", lambda: is_quiet(self.store))
