# SPDX-License-Identifier: Apache-2.0
"""Connect of a running store: the printed set-up address, authenticator apps, and the operator's commands.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import http.client
import http.server
import json
import re
import signal
import sys
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pyotp

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import (  # noqa: E402
    APPLE, BUNDLE, PEAR, Device, Store, answered, ask, exchange, expect, play_all, wait_until)
from page_forms import MULTIPART, encoded  # noqa: E402
from processes import storectl  # noqa: E402

EMAIL, PASSWORD = "holder@example.com", "correct horse battery"
PRINTED = re.compile(r"Connect, where apps and products are registered, is set up at (\S+)")


class Console:
    """A browser at Connect, which keeps the session's cookie."""

    def __init__(self, store):
        self.store, self.cookie = store, ""

    def send(self, path, form=None, origin=True):
        """Returns the status, the headers and the text of the answer."""
        headers = {"Cookie": self.cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            if origin:
                headers["Origin"] = self.store.url
        status, headers, contents = answered(
            self.store, "GET" if form is None else "POST", path, urlencode(form) if form else None, headers, seconds=30)
        if headers.get("Set-Cookie"):
            self.cookie = headers["Set-Cookie"].split(";")[0]
        return status, headers, contents.decode()

    def upload(self, path, contents, name="fruit.storekit", **fields):
        """Sends a form with a file, as a browser does."""
        body = encoded({**fields, "file": (name, contents)}, is_multipart=True)
        headers = {"Cookie": self.cookie, "Origin": self.store.url, "Content-Type": MULTIPART}
        return exchange(self.store, "POST", path, body, headers, seconds=30)

    def apply(self, path):
        """Decides for the changes that a page shows."""
        shown = self.send(path)[2]
        version = re.search(r'name="version" value="([0-9a-f]+)"', shown).group(1)
        return self.send(path, {"decision": "apply", "version": version})[0], shown

    def sign_in(self, **code):
        return self.send("/connect/sign-in", {"email": EMAIL, "password": PASSWORD, **code})[0]


def printed(store):
    """The set-up addresses that the store has printed since it began."""
    return PRINTED.findall(store.log.read_text())


def set_up(store):
    address = wait_until("the set-up address is printed", lambda: (printed(store) or [None])[-1])
    expect(address.startswith(store.url + "/connect/setup/"), f"the address is {address}")
    console = Console(store)
    status, _, text = console.send(
        urlsplit(address).path, {"team": "Fruit", "email": EMAIL, "name": "Holder", "newPassword": PASSWORD})
    expect(status == 303 and console.cookie.startswith("connect_session="), f"the set-up was answered {status} {text}")
    return console


def addresses(folder):
    """Each start prints another address until Connect has a user; each works until then, and none afterwards."""
    store = Store(folder)
    try:
        store.serve()
        wait_until("an address is printed", lambda: printed(store))
        store.stop()
        store.serve()
        wait_until("another address is printed", lambda: len(printed(store)) == 2)
        first, second = printed(store)
        expect(first != second, "two starts printed one address")
        for address in (first, second):
            status, _, _ = Console(store).send(urlsplit(address).path)
            expect(status == 200, f"an address was answered {status}")
        console = set_up(store)
        expect(console.send("/connect/users")[0] == 200, "the holder isn't signed in")
        status, _, _ = Console(store).send(urlsplit(first).path)
        expect(status == 404, f"an address after the set-up was answered {status}")
        store.stop()
        store.serve()
        expect(len(printed(store)) == 2, "a store with a user printed an address")
        expect(console.send("/connect/users")[0] == 200, "the session ended with the store")
    finally:
        store.stop()


def codes(folder):
    """pyotp reads the link for an authenticator app, and its codes sign in, each once."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        account = "/connect/account"
        expect(console.send(account, {"decision": "codes-begin", "password": PASSWORD})[0] == 303, "no secret")
        _, _, text = console.send(account)
        link = re.search(r'href="(otpauth://[^"]+)"', text).group(1).replace("&amp;", "&")
        app = pyotp.parse_uri(link)
        expect(app.name == EMAIL and app.issuer == "Connect Fruit", f"the link has {app.name} of {app.issuer}")
        typed = re.search(r"<pre>([A-Z2-7 ]+)\n?</pre>", text).group(1).replace(" ", "")
        expect(parse_qs(urlsplit(link).query)["secret"] == [typed], "the link and the text differ")
        status, _, text = console.send(account, {"decision": "codes-use", "code": "000000"})
        expect(status == 400, f"a wrong code was answered {status}")
        status, _, text = console.send(account, {"decision": "codes-use", "code": app.now()})
        recovery = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", text)
        expect(status == 200 and len(set(recovery)) == 10, f"the codes were answered {status} {text}")

        other = Console(store)
        expect(other.sign_in() == 401 and other.sign_in(code=recovery[0]) == 303, "a recovery code doesn't sign in")
        # The code of the next period is accepted already, and is none that was used.
        following = app.at(time.time() + 30)
        expect(other.sign_in(code=following) == 303, "a code of pyotp doesn't sign in")
        expect(other.sign_in(code=following) == 401, "a code signs in twice")
        expect(other.sign_in(code=recovery[0]) == 401, "a recovery code signs in twice")
    finally:
        store.stop()


def commands(folder):
    """The operator adds a team, lists teams, and lets a user in again, while the store runs and while it doesn't."""
    store = Store(folder)
    try:
        store.serve()
        holder = set_up(store)
        added = storectl("team", "add", *store.where)
        expect(added.startswith(store.url + "/connect/setup/"), f"team add printed {added}")
        other = Console(store)
        status, _, _ = other.send(urlsplit(added).path, {
            "team": "Flowers", "email": "flora@example.com", "name": "Flora", "newPassword": PASSWORD})
        expect(status == 303, f"the other team's set-up was answered {status}")
        teams = json.loads(storectl("team", "list", "--json", *store.where))
        expect(sorted(team["name"] for team in teams) == ["Flowers", "Fruit"], f"the teams are {teams}")
        expect("flora@example.com" not in holder.send("/connect/users")[2], "a team sees the users of another")
        store.stop()
        path = storectl("team", "recover", EMAIL, *store.where)
        expect(path.startswith("/connect/recovery/"), f"team recover printed {path}")
        store.serve()
        status, _, _ = Console(store).send(path, {"newPassword": "another long horse"})
        expect(status == 303, f"the new password was answered {status}")
        expect(holder.send("/connect/users")[0] == 403, "a session outlived the password")
        expect(Console(store).sign_in() == 401, "the old password signs in")
    finally:
        store.stop()


def killed(folder):
    """A store that is killed after an answer has kept it: the user, the invitation, and the log."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        form = {"decision": "invite", "email": "berta@example.com", "role": "admin"}
        _, _, text = console.send("/connect/users", form)
        path = re.search(r"/connect/invitation/[0-9a-f]+", text).group()
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        berta = Console(store)
        status, _, _ = berta.send(path, {"name": "Berta", "newPassword": PASSWORD})
        expect(status == 303, f"the invitation was answered {status}")
        log = berta.send("/connect/log")[2]
        expect(log.count("berta@example.com") >= 2 and EMAIL in log, "the log lacks the invitation")
    finally:
        store.stop()


def product_form(identifier, **fields):
    return {"decision": "register", "kind": "Consumable", "product": identifier, "reference": identifier, "tier": "1",
            "cleared": "yes", "title-en_US": identifier, "description-en_US": "A fruit", **fields}


def sold(store, *identifiers):
    """The products that the store sells to a new device, by their identifiers."""
    return sold_to(Device(store).register(), *identifiers)


def sold_to(device, *identifiers):
    status, answer = device.products(*identifiers)
    expect(status == 200, f"the products were answered {status} {answer}")
    return {product["productIdentifier"]: product for product in answer["products"]}


def registered(folder):
    """A product of Connect is sold after its registration, survives the start with the file, and is taken off sale."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page = f"/connect/apps/{BUNDLE}"
        expect("mango" not in sold(store, "mango"), "a product is sold before its registration")
        status, headers, _ = console.send(f"{page}/new-product", product_form("mango"))
        expect(status == 303 and headers["Location"] == f"{page}/products/mango?done=product", f"answered {status}")
        expect(sold(store, "mango")["mango"]["milliunits"] == 990, "the product isn't sold for its price")
        console.send(f"{page}/new-product", product_form("priceless", tier=""))
        expect(not sold(store, "priceless"), "a product without a price is sold")
        store.stop()
        store.serve()
        expect("mango" in sold(store, "mango"), "the start with the file has changed the product")
        version = re.search(r'name="version" value="(\d+)"', console.send(f"{page}/products/mango")[2]).group(1)
        form = product_form("mango", decision="save", cleared="no", version=version)
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused")
        expect(not sold(store, "mango"), "a product that was taken off sale is sold")
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the same change again was refused")
        form["reference"] = "Of an old page"
        status, _, text = console.send(f"{page}/products/mango", form)
        expect(status == 409 and "Of an old page" in text, f"a change of an old page was answered {status}")
    finally:
        store.stop()


def killed_while_registering(folder):
    """A store that is killed while products are registered and changed sells none that is incomplete."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page, answered, names = f"/connect/apps/{BUNDLE}", {}, []
        for round_ in range(5):
            stops = threading.Event()

            def register(number):
                mine = Console(store)
                mine.cookie = console.cookie
                for place in range(200):
                    if stops.is_set():
                        return
                    name = f"fruit.{round_}.{number}.{place}"
                    names.append(name)
                    try:
                        answered[name] = mine.send(f"{page}/new-product", product_form(name))[0]
                        mine.send(f"{page}/products/{name}", product_form(
                            name, decision="save", version="1", tier="", **{"title-en_US": ""}))
                    except (OSError, http.client.HTTPException):
                        return

            threads = [threading.Thread(target=register, args=(number,)) for number in range(3)]
            for thread in threads:
                thread.start()
            goal = len(answered) + 6 + round_
            wait_until("some products were registered", lambda: len(answered) >= goal)
            store.process.send_signal(signal.SIGKILL)
            stops.set()
            store.process.wait(timeout=15)
            for thread in threads:
                thread.join()
            store.serve()
            stored = {row[0]: row[1:] for row in store.rows(
                "SELECT product_id, for_sale, has_price, (SELECT count(*) FROM product_localization AS text WHERE "
                "text.bundle_id = product.bundle_id AND text.product_id = product.product_id), (SELECT count(*) FROM "
                "team_product WHERE team_product.product_id = product.product_id) FROM product")}
            for name in names:
                if answered.get(name) == 303:
                    expect(name in stored, f"the answered product {name} is lost")
                if name in stored:
                    for_sale, has_price, texts, claims = stored[name]
                    expect(claims == 1 and for_sale == (1 if has_price and texts else 0), f"{name}: {stored[name]}")
                    expect((has_price, texts) in ((1, 1), (0, 1), (0, 0)), f"{name}: {stored[name]}")
    finally:
        store.stop()


class LivePage:
    """The stream of the live page, whose newest list it keeps."""

    def __init__(self, console):
        self.text, self.lists = "", 0
        self.connection = http.client.HTTPConnection("127.0.0.1", console.store.port, timeout=30)
        self.connection.request("GET", "/connect/live/stream", headers={"Cookie": console.cookie})
        self.answer = self.connection.getresponse()
        expect(self.answer.status == 200, f"the stream was answered {self.answer.status}")
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        lines = []
        try:
            for line in self.answer:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "data":
                    lines.append(value)
                elif not name and lines:
                    self.text, lines = "\n".join(lines), []
                    self.lists += 1
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # The store has ended.


class Seller(http.server.BaseHTTPRequestHandler):
    """A seller's server that takes notifications."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received += 1
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def developed(folder):
    """A purchase appears on the live page; its page refunds it and sends the notification again, once for two clicks."""
    store = Store(folder)
    seller = http.server.HTTPServer(("127.0.0.1", 0), Seller)
    seller.received = 0
    threading.Thread(target=seller.serve_forever, daemon=True).start()
    try:
        store.serve()
        console = set_up(store)
        url = f"http://127.0.0.1:{seller.server_port}/"
        storectl("notifications", "address", "add", url, *store.where)
        store.add_account("tess@example.com", PASSWORD)
        live = LivePage(console)
        wait_until("the stream has begun", lambda: live.lists)
        device = Device(store).register()
        status, answer = device.pay("1", product=PEAR)
        expect(status == 200, f"the payment was answered {status} {answer}")
        wait_until("the request waits on its sheet", lambda: "The sheet waits for the customer." in live.text)
        bought = ask("POST", answer["sheet"], accept="application/json", form={
            "email": "tess@example.com", "password": PASSWORD, "decision": "buy"})
        expect(bought[0] == 200, f"the purchase was answered {bought}")
        wait_until("the purchase is live", lambda: re.search(r"/connect/transactions/\d+", live.text))
        page = re.search(r"/connect/transactions/\d+", live.text).group()
        expect("tess@example.com" in live.text, "the live page lacks the tester")
        wait_until("the notification is live", lambda: "SUCCESS" in live.text)

        text = console.send(page)[2]
        for word in ("tess@example.com", "charged", "ONE_TIME_CHARGE", url, device.identifier, "tess"):
            expect(word in text, f"the page of the transaction lacks {word}")
        refund = re.search(r'name="refund" value="(\w+)"', text).group(1)
        for _ in range(2):
            status, headers, _ = console.send(page, {"decision": "refund", "amount": "", "refund": refund})
            expect(status == 303 and headers["Location"] == f"{page}?done=refunded", f"answered {status}")
        refunds = store.rows("SELECT count(*) FROM ledger_entry WHERE kind = 'refund'")[0][0]
        expect(refunds == 1, f"there are {refunds} refunds")
        wait_until("two notifications were sent", lambda: seller.received == 2)
        text = console.send(page)[2]
        expect("REFUND" in text and "was refunded" in text, "the page lacks the refund")
        notification = re.search(r'name="notification" value="([0-9a-f-]+)"', text).group(1)
        status, _, _ = console.send(page, {"decision": "resend", "notification": notification})
        expect(status == 303, f"the second sending was answered {status}")
        wait_until("the notification was sent again", lambda: seller.received == 3)
        found = console.send(f"/connect/transactions?q={device.identifier}")[2]
        expect(page in found, "the search for the device doesn't find the transaction")
        checks = console.send(f"/connect/apps/{BUNDLE}/checklist")[2]
        expect("A purchase was made" in checks and page in checks, "the check list lacks the purchase")
    finally:
        store.stop()
        seller.shutdown()


# A file with many products, so that its import takes a while.
MANY = 200


def many(price, first="1.00"):
    products = [
        {"displayPrice": first if number == 0 else price, "familyShareable": False, "internalID": str(number),
         "productID": f"many.{number}", "referenceName": f"Many {number}", "type": "Consumable",
         "localizations": [{"description": "One of many", "displayName": f"Many {number}", "locale": "en_US"}]}
        for number in range(MANY)]
    return json.dumps({"products": products, "version": {"major": 4, "minor": 0}}).encode()


def files(folder):
    """A file and a table are compared, imported and downloaded; the store's start with its own file keeps them."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page, table = f"/connect/apps/{BUNDLE}/file", f"/connect/apps/{BUNDLE}/table"
        status, text = console.upload(page, b"no JSON", decision="upload", others="keep")
        expect(status == 400 and "is not JSON" in text, f"a bad file was answered {status}")
        status, _ = console.upload(page, many("2.00"), decision="upload", others="keep")
        expect(status == 303, f"the file was answered {status}")
        expect("many.1" not in sold(store, "many.1"), "a file was imported before the decision")
        status, shown = console.apply(page)
        expect(status == 303 and len(shown) < 80_000, f"the import was answered {status}, {len(shown)} bytes")
        expect(sold(store, "many.1")["many.1"]["milliunits"] == 2000, "the imported product isn't sold")
        exported = json.loads(console.send(f"{page}/download")[2])
        names = {product["productID"] for product in exported["products"]}
        expect(f"many.{MANY - 1}" in names and APPLE in names, "the export lacks a product")

        rows = console.send(f"{table}/download")[2]
        expect(rows.count("\n") > MANY and "many.1,Many 1,2.00" in rows, "the table lacks a product")
        status, _ = console.upload(table, "product_id;price\nmany.1;3,50\n".encode(), "a.csv", decision="upload")
        expect(status == 303 and console.apply(table)[0] == 303, "the table was refused")
        expect(sold(store, "many.1")["many.1"]["milliunits"] == 3500, "the table's price isn't sold")
        store.stop()
        store.serve()
        expect(sold(store, "many.1")["many.1"]["milliunits"] == 3500, "the start has changed the price")
    finally:
        store.stop()


def killed_while_importing(folder):
    """A store that is killed while a file is imported has all prices of a file, and never those of two."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page = f"/connect/apps/{BUNDLE}/file"
        for round_ in range(6):
            price = f"{round_ + 2}.00"
            expect(console.upload(page, many(price, price), decision="upload", others="keep")[0] == 303, "refused")
            outcome = []

            def apply():
                try:
                    outcome.append(console.apply(page)[0])
                except (OSError, http.client.HTTPException):
                    outcome.append(None)

            importer = threading.Thread(target=apply)
            importer.start()
            # Each round kills at another moment of the import.
            importer.join(timeout=0.02 + 0.03 * round_)
            store.process.send_signal(signal.SIGKILL)
            store.process.wait(timeout=15)
            importer.join()
            store.serve()
            prices = {row[0] for row in store.rows("SELECT milliunits FROM product WHERE product_id LIKE 'many.%'")}
            expect(len(prices) <= 1, f"round {round_} has the prices {prices}")
            if outcome == [303]:
                expect(prices == {(round_ + 2) * 1000}, f"the answered import is lost: {prices}")
            if prices != {(round_ + 2) * 1000}:
                expect(console.apply(page)[0] == 303, "the file is lost")
    finally:
        store.stop()


def codes_of_apps(folder):
    """Promo codes of Connect are downloaded as CSV, and one gives its product for nothing, once."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page = f"/connect/apps/{BUNDLE}"
        console.send(f"{page}/new-product", product_form("mango", kind="Non-Consumable"))
        form = {"decision": "draw", "product": "mango", "offer": "", "name": "Press", "count": "3"}
        expect(console.send(f"{page}/codes", form)[0] == 303, "the codes were refused")
        path = re.search(r'href="([^"]+/download)"', console.send(f"{page}/codes")[2]).group(1)
        status, headers, table = console.send(path)
        expect(status == 200 and headers["Content-Type"].startswith("text/csv"), f"the table was answered {status}")
        first, second = [line.split(",")[0] for line in table.splitlines()[1:3]]
        store.add_account("anna@example.com", "correct horse battery")
        expect("mango" in storectl("code", "redeem", "anna@example.com", first, "--bundle-id", BUNDLE, *store.where),
               "the code gave nothing")
        expect(f"{first},1" in console.send(path)[2], "the redemption isn't in the table")
        batch = path.split("/")[-2]
        expect(console.send(f"{page}/codes", {"decision": "revoke", "batch": batch})[0] == 303, "not revoked")
        expect(storectl("code", "list", "--bundle-id", BUNDLE, *store.where).count("revoked") >= 1, "not revoked")
        store.stop()
        store.serve()
        expect(second in console.send(path)[2], "the codes are lost with the process")
    finally:
        store.stop()


def scenarios():
    yield "connect: a purchase on the live page, refunded and notified again", developed, {}
    yield "connect: promo codes are made, downloaded and redeemed", codes_of_apps, {}
    yield "connect: files and tables are imported", files, {}
    yield "connect: a store killed while a file is imported", killed_while_importing, {}
    yield "connect: the printed addresses set a team up once", addresses, {}
    yield "connect: pyotp's codes sign in", codes, {}
    yield "connect: the operator's commands", commands, {}
    yield "connect: a registered product is sold", registered, {}
    yield "connect: a store killed while products are registered", killed_while_registering, {}
    yield "connect: a killed store has kept its answers", killed, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
