# SPDX-License-Identifier: Apache-2.0
"""Connect's API of a running store, with tokens that PyJWT signs.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import csv
import json
import signal
import sys
import time
from pathlib import Path

import jwt

sys.path.insert(0, str(Path(__file__).resolve().parent))

from connect_keys import make_key  # noqa: E402
from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, Store, answered, expect, play_all, wait_until  # noqa: E402
from processes import storectl  # noqa: E402
from test_connect import set_up  # noqa: E402
from test_connect_sales import added_team, png  # noqa: E402
from test_notifications import Laptop  # noqa: E402


class Program:
    """A program with a key of the team, whose tokens PyJWT signs."""

    def __init__(self, store, made):
        self.store = store
        self.key, self.issuer, self.private = made

    def token(self, **claims):
        now = int(time.time())
        payload = {"iss": self.issuer, "iat": now, "exp": now + 1200, "aud": "appstoreconnect-v1"} | claims
        return jwt.encode(payload, self.private, algorithm="ES256", headers={"kid": self.key})

    def send(self, method, path, message=None, tag=None, **claims):
        """Returns the status, the ETag and the answer."""
        body = None if message is None else json.dumps(message)
        status, headers, body = self.exchange(method, path, body, {"If-Match": tag} if tag else {}, **claims)
        return status, headers.get("ETag"), json.loads(body) if body else None

    def exchange(self, method, path, body=None, headers=None, **claims):
        """Returns the status, the headers and the bytes of the answer."""
        headers = {"Authorization": f"Bearer {self.token(**claims)}"} | (headers or {})
        return answered(self.store, method, path, body, headers, seconds=120)


def programs(folder):
    """A program registers an app and a product by the API, and a customer buys the product; a killed store has kept
    both, and a revoked key is refused."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        program = Program(store, make_key(console, "connect", "developer"))
        bundle, name = "com.example.api", "=HYPERLINK(1)"
        app = {"bundle": bundle, "name": name, "sku": "API-1", "locale": "en_US"}
        status, tag, answer = program.send("POST", "/connect/v1/apps", app)
        expect(status == 201 and tag == '"1"' and answer["name"] == name, f"the app was answered {status} {answer}")
        status, _, answer = program.send("POST", "/connect/v1/apps", app | {"sku": "API-2"})
        expect(status == 400 and answer["error"]["fields"] == [{"field": "bundle", "problem": "taken"}],
               f"another app was answered {status} {answer}")
        products = f"/connect/v1/apps/{bundle}/products"
        product = {"product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
                   "texts": {"en_US": {"title": "Fig", "description": "A fig"}}}
        status, tag, answer = program.send("POST", products, product)
        expect(status == 201 and answer["state"] == "approved", f"the product was answered {status} {answer}")
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        status, changed, _ = program.send("PATCH", f"{products}/fig", {"tier": 2}, tag)
        expect(status == 200 and changed == '"2"', f"the change was answered {status} {changed}")
        status, _, answer = program.send("PATCH", f"{products}/fig", {"tier": 3}, tag)
        expect(status == 409 and answer["saved"]["tier"] == 2, f"the second change was answered {status} {answer}")
        store.add_account(EMAIL, PASSWORD)
        bought = json.loads(storectl("buy", EMAIL, "fig", "--bundle-id", bundle, "--json", "--data", store.data))
        expect(bought["product"] == "fig", f"the purchase was answered {bought}")

        now = int(time.time())
        for claims in ({"exp": now - 1}, {"exp": now + 1300}, {"aud": "other"}, {"iss": "other"},
                       {"scope": ["GET /connect/v1/team"]}):
            status, _, answer = program.send("GET", products, **claims)
            expect(status == 401 and answer["error"]["code"] == "credentials-missing", f"{claims}: {status} {answer}")
        status, _, _ = program.send("GET", "/connect/v1/team", scope=["GET /connect/v1/team"])
        expect(status == 200, f"a token with a scope was answered {status}")
        expect(program.send("GET", "/connect/v1/log")[0] == 403, "a developer's key reads the log")
        console.send("/connect/keys", {"decision": "revoke", "key": program.key})
        expect(program.send("GET", products)[0] == 401, "a revoked key is accepted")
        expect(program.key in console.send("/connect/log")[2], "the log doesn't name the key")
        expect("BEGIN PRIVATE KEY" not in store.log.read_text(), "a private key is in the log")
    finally:
        store.stop()


def files(folder):
    """A program uploads a table and an image, and makes codes; a killed store has kept the upload, whose import after
    a change of another key is refused with the new comparison."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        program, other = (Program(store, make_key(console, "connect", role)) for role in ("developer", "admin"))
        bundle = "com.example.api"
        app = f"/connect/v1/apps/{bundle}"
        program.send("POST", "/connect/v1/apps", {"bundle": bundle, "name": "Api", "sku": "A", "locale": "en_US"})
        status, tag, answer = program.send("POST", f"{app}/products", {
            "product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
            "texts": {"en_US": {"title": "Fig", "description": "A fig"}}})
        expect(status == 201, f"the product was answered {status} {answer}")
        status, headers, body = program.exchange("PUT", f"{app}/table/comparison?name=prices.csv",
                                                 b"product_id,price\r\nfig,2.49\r\n")
        expect(status == 200 and b"2.49" in body, f"the table was answered {status} {body}")
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        expect(other.send("PATCH", f"{app}/products/fig", {"tier": 3}, tag)[0] == 200, "the price wasn't changed")
        status, tag, answer = program.send("POST", f"{app}/table/import", tag=headers["ETag"])
        expect(status == 409 and "2.99" in json.dumps(answer["saved"]), f"the import was answered {status} {answer}")
        for _ in range(2):
            status, _, answer = program.send("POST", f"{app}/table/import", tag=tag)
            expect(status == 204, f"the second import was answered {status} {answer}")
        expect(program.send("GET", f"{app}/products/fig")[2]["price"] == "2.49", "the table wasn't imported")
        status, _, body = program.exchange("GET", f"{app}/table")
        expect(status == 200 and b"fig,Fig,2.49" in body, f"the table is {body}")
        status, _, body = program.exchange("GET", f"{app}/file")
        expect(status == 200 and json.loads(body)["products"][0]["displayPrice"] == "2.49", f"the file is {body}")

        icon = png(1024, 1024)
        expect(program.exchange("PUT", f"{app}/icon", icon)[0] == 200, "the icon wasn't saved")
        status, headers, body = program.exchange("GET", f"{app}/icon")
        expect(body == icon and headers["Content-Type"] == "image/png", f"the icon was answered {status} {headers}")
        status, _, answer = program.send("POST", f"{app}/codes", {"product": "fig", "name": "Press", "count": 2})
        expect(status == 201, f"the codes were answered {status} {answer}")
        codes = f"{app}/codes/{answer['batch']}/codes"
        status, headers, body = program.exchange("GET", codes, headers={"Accept": "text/csv"})
        listed = [one["code"] for one in program.send("GET", codes)[2]["codes"]]
        rows = list(csv.DictReader(body.decode().splitlines()))
        expect([row["code"] for row in rows] == listed and len(listed) == 2, f"the codes are {body}")
        expect(not any(code in store.log.read_text() for code in listed), "a code is in the log")
    finally:
        store.stop()


def customers(folder):
    """A program adds a tester, who buys; the program refunds the purchase once, and moves the tester's clock."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        program = Program(store, make_key(console, "connect", "admin"))
        tester = {"email": EMAIL, "password": PASSWORD, "storefront": "USA"}
        status, tag, answer = program.send("POST", "/connect/v1/testers", tester)
        expect(status == 201 and "password" not in answer, f"the tester was answered {status} {answer}")
        path = f"/connect/v1/testers/{answer['tester']}"
        status, tag, answer = program.send("PATCH", path, {"switches": {"asksToBuy": False}, "name": "Anna"}, tag)
        expect(status == 200 and answer["name"] == "Anna", f"the change was answered {status} {answer}")
        time_before = answer["time"]
        bought = json.loads(storectl("buy", EMAIL, SEEDS, "--bundle-id", BUNDLE, "--json", "--data", store.data))
        transaction = f"/connect/v1/transactions/{bought['transaction']}"
        status, _, answer = program.send("GET", "/connect/v1/transactions?state=valid")
        expect([one["product"] for one in answer["transactions"]] == [SEEDS], f"the list is {answer}")
        for _ in range(2):
            status, _, answer = program.send("PUT", f"{transaction}/refunds/{'5e' * 16}", {})
            expect(status == 200 and "revoked" in answer["transaction"], f"the refund was answered {status} {answer}")
        expect([line["kind"] for line in answer["ledger"]] == ["charge", "refund"], f"the ledger is {answer['ledger']}")
        status, _, answer = program.send("POST", f"{path}/clock", {"by": "1mo"})
        expect(status == 200 and answer["time"] > time_before, f"the clock was answered {status} {answer}")
        expect(program.send("DELETE", path)[0] == 204 and program.send("GET", path)[0] == 404, "the tester is still there")
        expect(PASSWORD not in store.log.read_text(), "a tester's password is in the log")
    finally:
        store.stop()


def servers(folder):
    """A program adds a notification address, sends a test that the seller's server gets, and makes shared secrets."""
    store = Store(folder)
    try:
        store.serve()
        program = Program(store, make_key(set_up(store), "connect", "developer"))
        app = f"/connect/v1/apps/{BUNDLE}"
        with Laptop(refused=1) as laptop:
            address = {"url": laptop.url, "version": 2, "environment": "Sandbox"}
            for _ in range(2):
                status, tag, answer = program.send("POST", f"{app}/notification-addresses", address)
                expect(status == 201 and tag == '"2"', f"the address was answered {status} {answer}")
            path = f"{app}/notification-addresses/{answer['address']}"
            test = f"{app}/notification-test"
            expect(program.send("GET", test)[0] == 404, "there is a test that no one has sent")

            def attempts():
                return [attempt for delivery in program.send("GET", test)[2]["deliveries"]
                        for attempt in delivery["attempts"]]

            status, _, first = program.send("POST", test)
            expect(status == 200 and first["type"] == "TEST", f"the test was answered {status} {first}")
            [attempt] = wait_until("the test was sent", attempts)
            expect(attempt["result"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE" and attempt["status"] == 500,
                   f"the attempt is {attempt}")
            status, _, second = program.send("POST", test)
            expect(status == 200 and second["notification"] != first["notification"], f"answered {status} {second}")
            [attempt] = wait_until("the other test was sent", attempts)
            expect(attempt["result"] == "SUCCESS" and len(laptop.bodies) == 2, f"the attempt is {attempt}")
            changed = address | {"version": 1}
            expect(program.send("PUT", path, changed, '"1"')[0] == 409, "another version was changed")
            status, tag, answer = program.send("PUT", path, changed, tag)
            expect(status == 200 and tag == '"1"', f"the change was answered {status} {answer}")
            expect(program.send("DELETE", path)[0] == 204, "the address wasn't removed")
            expect(program.send("GET", f"{app}/notification-addresses")[2] == {"addresses": []}, "an address is left")
        status, tag, answer = program.send("GET", f"{app}/secrets")
        expect(status == 200 and answer == {}, f"the secrets were answered {status} {answer}")
        status, headers, body = program.exchange("POST", f"{app}/secrets/app", headers={"If-Match": tag})
        expect(status == 201 and headers["Cache-Control"] == "no-store", f"the secret was answered {status}")
        status, _, answer = program.send("POST", f"{app}/secrets/app", tag=tag)
        expect(status == 409 and answer["saved"] == json.loads(body), f"the same request was answered {status} {answer}")
        status, _, answer = program.send("POST", f"{app}/secrets/master", tag=headers["ETag"])
        expect(status == 201, f"the master secret was answered {status} {answer}")
        expect(set(answer) == {"app", "master"}, f"the secrets are {sorted(answer)}")
        expect(not any(secret in store.log.read_text() for secret in answer.values()), "a secret is in the log")
    finally:
        store.stop()


def reviews(folder):
    """A team's program submits a product, and the operator's rejects it with a reason and approves it later."""
    store = Store(folder)
    try:
        store.serve()
        operator = Program(store, make_key(set_up(store), "connect", "admin"))
        seller = Program(store, make_key(added_team(store), "connect", "developer"))
        bundle = "com.example.flowers"
        seller.send("POST", "/connect/v1/apps", {"bundle": bundle, "name": "Flowers", "sku": "F", "locale": "en_US"})
        product, review = f"/connect/v1/apps/{bundle}/products/rose", f"/connect/v1/reviews/{bundle}/rose"
        seller.send("POST", f"/connect/v1/apps/{bundle}/products", {
            "product": "rose", "kind": "Consumable", "reference": "Rose", "tier": 1, "note": "Tap the rose.",
            "texts": {"en_US": {"title": "Rose", "description": "A rose"}}})
        expect(seller.exchange("PUT", f"{product}/screenshot", png(640, 920))[0] == 200, "the screenshot wasn't saved")
        for decision, state in (({"decision": "reject", "reason": "It shows a tulip."}, "rejected"),
                                ({"decision": "approve"}, "approved")):
            status, _, answer = seller.send(
                "POST", f"{product}/submission", tag=seller.send("GET", product)[1])
            expect(status == 200, f"the submission was answered {status} {answer}")
            status, _, answer = operator.send("GET", "/connect/v1/reviews?search=rose&state=waiting")
            expect([one["team"] for one in answer["submissions"]] == ["Flowers"], f"the queue is {answer}")
            status, tag, answer = operator.send("GET", review)
            expect(status == 200 and answer["product"]["note"] == "Tap the rose.", f"answered {status} {answer}")
            expect(operator.exchange("GET", f"{review}/screenshot")[2] == png(640, 920), "the screenshot is another one")
            expect(seller.send("POST", f"{review}/decision", decision, tag)[0] == 404, "the seller decides")
            status, _, answer = operator.send("POST", f"{review}/decision", decision, '"99"')
            expect(status == 409 and answer["error"]["code"] == "changed", f"answered {status} {answer}")
            for _ in range(2):
                status, tag, answer = operator.send("POST", f"{review}/decision", decision, tag)
                expect(status == 200, f"the decision was answered {status} {answer}")
            shown = seller.send("GET", product)[2]["review"]
            expect(shown["state"] == state and shown.get("reason") == decision.get("reason"), f"the seller sees {shown}")
        expect(operator.send("GET", "/connect/v1/reviews")[2] == {"submissions": []}, "the queue isn't empty")
    finally:
        store.stop()


def media(folder):
    """A program registers an item with images, changes its price, and its page shows both."""
    store = Store(folder)
    try:
        store.serve()
        program = Program(store, make_key(set_up(store), "connect", "developer"))
        book = {"kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
                "texts": {"en_US": {"title": "A book", "description": "About fruit"}}}
        status, tag, answer = program.send("POST", "/connect/v1/items", book)
        expect(status == 201 and tag == '"0"', f"the item was answered {status} {answer}")
        path, number = f"/connect/v1/items/{answer['item']}", answer["item"]
        for place, image in (("icon", png(64, 64)), ("screenshots/1", png(64, 65))):
            expect(program.exchange("PUT", f"{path}/{place}", image)[0] == 200, f"{place} wasn't saved")
            status, headers, body = program.exchange("GET", f"{path}/{place}")
            expect(body == image and headers["Content-Type"] == "image/png", f"{place} was answered {status} {headers}")
        for _ in range(2):
            status, changed, answer = program.send("PATCH", path, {"price": "5.99", "prices": {"DEU": "5.49"}}, tag)
            expect(status == 200 and changed == '"1"', f"the change was answered {status} {answer}")
        expect(program.send("PATCH", path, {"price": "6.99"}, tag)[0] == 409, "an old change was carried out")
        page = program.exchange("GET", f"/item/{number}/DEU/en")[2].decode()
        expect("5.49" in page and f"/artwork/{number}/{answer['icon']}" in page, f"the page is {page}")
        expect([one["item"] for one in program.send("GET", "/connect/v1/items?kind=book")[2]["items"]] == [number],
               "the list lacks the item")
    finally:
        store.stop()


def scenarios():
    yield "connect: a program registers a product by the API", programs, {}
    yield "connect: a program imports a table, and makes codes by the API", files, {}
    yield "connect: a program works with a tester and a purchase by the API", customers, {}
    yield "connect: a program tests a notification address and makes secrets by the API", servers, {}
    yield "connect: programs submit a product and review it by the API", reviews, {}
    yield "connect: a program registers an item with images by the API", media, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
