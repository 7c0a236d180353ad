# SPDX-License-Identifier: Apache-2.0
"""Teams with a full account: the requests of their browsers, keys and servers, and requests that are sent together."""

import contextlib
import itertools
import json
import select
import sqlite3
from urllib.parse import urlsplit

import wire
from connect_console import PASSWORD, Console, added_team
from connect_keys import make_key
from honest import FORM
from page_forms import MULTIPART, encoded
from processes import PATIENCE
from tokens import bearer

APP = "com.example.seller"
TEAMS = itertools.count(1)


def control(store, verb, **message):
    """Sends a call of the remote control, as the operator does."""
    token = (store.data / "control.token").read_text().strip()
    answer = wire.ask(store, "POST", f"/control/v1/{verb}", [("Authorization", f"Bearer {token}")],
                      json.dumps(message).encode())
    assert answer.status == 200, f"{verb} was answered {answer}"
    return answer.json


class Seller:
    """A team with an app of its own, which has a consumable, a non-consumable and subscriptions."""

    def __init__(self, store, plans=25):
        self.number = next(TEAMS)
        self.store, self.app = store, f"{APP}{self.number}"
        self.product, self.book, self.plans = (f"{self.app}.{name}" for name in ("juice", "book", "plan"))
        self.tokens, self.codes, self.is_full = {}, None, False
        self.console = added_team(store, f"seller{self.number}@example.com")
        self.register(self.app)
        self.add_products(
            products=[listed(self.product, "Consumable"), listed(self.book, "NonConsumable")],
            subscriptionGroups=[{"id": f"{self.app}.plans", "subscriptions": [
                listed(f"{self.plans}{number}", "RecurringSubscription", groupNumber=1, recurringSubscriptionPeriod="P1M")
                for number in range(plans)]}])

    def add_products(self, **lists):
        """Imports a file."""
        answer = self.accepted(self.api("PUT", "apps/:app/file/comparison", lists))
        assert not answer.json["problems"], f"the file was answered {answer}"
        self.accepted(self.api("POST", "apps/:app/file/import", headers=[("If-Match", answer.headers["etag"])]))

    def register(self, app):
        self.accepted(self.page("apps", {
            "decision": "register", "bundle": app, "name": app[-30:], "sku": app, "locale": "en_US"}))

    def path(self, path):
        return path.replace(":app", self.app).replace(":product", self.product).replace(":book", self.book)

    def join(self, name):
        """Invites a user, and returns the user's browser."""
        invited = self.accepted(self.api("POST", "invitations", {"email": f"{name}@{self.app}", "role": "admin"}))
        console = Console(self.store)
        status, _, text = console.send(
            urlsplit(invited.json["address"]).path, {"name": name, "newPassword": PASSWORD})
        assert status == 303, f"the invitation was answered {status} {text[:300]}"
        return console

    def page(self, path, form=None, is_multipart=False, console=None):
        """A request of a user's browser, usually the account holder's; a form is sent with POST."""
        headers = [("Host", wire.host_of(self.store)), ("Cookie", (console or self.console).cookie)]
        path = f"/connect/{self.path(path)}"
        if form is None:
            return wire.whole("GET", path, headers)
        kind = ("Content-Type", MULTIPART) if is_multipart else FORM
        return wire.whole("POST", path, [*headers, kind, ("Origin", self.store.url)], encoded(form, is_multipart))

    def api(self, method, path, message=None, key="connect", headers=()):
        """A request of a program to Connect's API; bytes are sent as they are."""
        return self.whole(method, f"/connect/v1/{self.path(path)}", self.authorization(key), message, headers)

    def server(self, method, path, message=None, app=None):
        """A request of the seller's server to the App Store Server API."""
        return self.whole(method, f"/inApps/{path}", self.authorization("in-app-purchase", bid=app or self.app), message)

    def whole(self, method, path, authorization, message, headers=()):
        if message is not None and not isinstance(message, bytes):
            message = json.dumps(message).encode()
        if message is None and method != "GET":
            message = b""
        return wire.whole(method, path, [
            ("Host", wire.host_of(self.store)), authorization, ("Content-Type", "application/json"), *headers], message)

    def authorization(self, name, **claims):
        """The token of a key, which is made at its first use: "connect", "connect 2", "in-app-purchase"."""
        if name not in self.tokens:
            purpose = name.split()[0]
            self.tokens[name] = make_key(self.console, purpose, "admin")
        return ("Authorization", bearer(*self.tokens[name], **claims))

    def accepted(self, request):
        """Sends a request that the store has to carry out, and returns the answer."""
        answer = wire.send(self.store, request)
        assert 200 <= answer.status < 400, f"{request[:60]!r} was answered {answer}"
        return answer

    def buy(self, email, product=None):
        """A customer's purchase in the app; returns the transaction."""
        return control(self.store, "buy", email=email, bundle=self.app, product=product or self.product)["transaction"]


def listed(product, kind, **fields):
    """A product of a file."""
    return {"productID": product, "type": kind, "displayPrice": "0.99", "referenceName": product[-20:],
            "localizations": [{"locale": "en_US", "displayName": "A product", "description": "It is sold."}], **fields}


class Burst:
    """Requests that are sent together, each on a connection of its own."""

    def __init__(self, store, requests):
        self.waiting = {wire.connect(store): request for request in requests}

    def send(self):
        for connection, request in self.waiting.items():
            connection.sendall(request)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.waiting:
            connection.close()

    def answers(self):
        """Yields the answers in the order in which they arrive."""
        while self.waiting:
            ready, _, _ = select.select(list(self.waiting), [], [], PATIENCE)
            assert ready, f"{len(self.waiting)} requests have no answer after {PATIENCE} s"
            for connection in ready:
                answer = wire.read_answer(connection)
                del self.waiting[connection]
                connection.close()
                yield answer


@contextlib.contextmanager
def locked(store):
    """Lets nothing be written into the database meanwhile. The store's writes wait for some seconds, and fail then."""
    database = sqlite3.connect(store.data / "store.sqlite", timeout=PATIENCE, isolation_level=None)
    with contextlib.closing(database):
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")
