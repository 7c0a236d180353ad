# SPDX-License-Identifier: Apache-2.0
"""Connect of a running store: the printed set-up address, authenticator apps, and the operator's commands."""

import http.client
import json
import re
import threading
import time
from urllib.parse import parse_qs, urlsplit

import pyotp

from connect_console import EMAIL, PASSWORD, Console, printed, product_form, set_up, sold
from harness import APPLE, BUNDLE, PATIENCE, PEAR, Device, ask, wait_until
from processes import storectl


def test_each_start_prints_an_address_until_the_set_up(store):
    """Each start prints another address until Connect has a user; each works until then, and none afterwards."""
    wait_until("an address is printed", lambda: printed(store))
    store.stop()
    store.serve()
    wait_until("another address is printed", lambda: len(printed(store)) == 2)
    first, second = printed(store)
    assert first != second, "two starts printed one address"
    for address in (first, second):
        status, _, _ = Console(store).send(urlsplit(address).path)
        assert status == 200, f"an address was answered {status}"
    console = set_up(store)
    assert console.send("/connect/users")[0] == 200, "the holder isn't signed in"
    status, _, _ = Console(store).send(urlsplit(first).path)
    assert status == 404, f"an address after the set-up was answered {status}"
    store.stop()
    store.serve()
    assert len(printed(store)) == 2, "a store with a user printed an address"
    assert console.send("/connect/users")[0] == 200, "the session ended with the store"


def test_the_codes_of_pyotp_sign_in(store, console):
    """pyotp reads the link for an authenticator app, and its codes sign in, each once."""
    account = "/connect/account"
    assert console.send(account, {"decision": "codes-begin", "password": PASSWORD})[0] == 303, "no secret"
    _, _, text = console.send(account)
    link = re.search(r'href="(otpauth://[^"]+)"', text).group(1).replace("&amp;", "&")
    app = pyotp.parse_uri(link)
    assert app.name == EMAIL and app.issuer == "Connect Fruit", f"the link has {app.name} of {app.issuer}"
    typed = re.search(r"<pre>([A-Z2-7 ]+)\n?</pre>", text).group(1).replace(" ", "")
    assert parse_qs(urlsplit(link).query)["secret"] == [typed], "the link and the text differ"
    status, _, text = console.send(account, {"decision": "codes-use", "code": "000000"})
    assert status == 400, f"a wrong code was answered {status}"
    status, _, text = console.send(account, {"decision": "codes-use", "code": app.now()})
    recovery = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", text)
    assert status == 200 and len(set(recovery)) == 10, f"the codes were answered {status} {text}"

    other = Console(store)
    assert other.sign_in() == 401 and other.sign_in(code=recovery[0]) == 303, "a recovery code doesn't sign in"
    # The code of the next period is accepted already, and is none that was used.
    following = app.at(time.time() + 30)
    assert other.sign_in(code=following) == 303, "a code of pyotp doesn't sign in"
    assert other.sign_in(code=following) == 401, "a code signs in twice"
    assert other.sign_in(code=recovery[0]) == 401, "a recovery code signs in twice"


def test_the_commands_of_the_operator(store):
    """The operator adds a team, lists teams, and lets a user in again, while the store runs and while it doesn't."""
    holder = set_up(store)
    added = storectl("team", "add", *store.where)
    assert added.startswith(store.url + "/connect/setup/"), f"team add printed {added}"
    other = Console(store)
    status, _, _ = other.send(urlsplit(added).path, {
        "team": "Flowers", "email": "flora@example.com", "name": "Flora", "newPassword": PASSWORD})
    assert status == 303, f"the other team's set-up was answered {status}"
    teams = json.loads(storectl("team", "list", "--json", *store.where))
    assert sorted(team["name"] for team in teams) == ["Flowers", "Fruit"], f"the teams are {teams}"
    assert "flora@example.com" not in holder.send("/connect/users")[2], "a team sees the users of another"
    store.stop()
    path = storectl("team", "recover", EMAIL, *store.where)
    assert path.startswith("/connect/recovery/"), f"team recover printed {path}"
    store.serve()
    status, _, _ = Console(store).send(path, {"newPassword": "another long horse"})
    assert status == 303, f"the new password was answered {status}"
    assert holder.send("/connect/users")[0] == 403, "a session outlived the password"
    assert Console(store).sign_in() == 401, "the old password signs in"


def test_a_killed_store_has_kept_its_answers(store, console):
    """A store that is killed after an answer has kept it: the user, the invitation, and the log."""
    form = {"decision": "invite", "email": "berta@example.com", "role": "admin", "password": PASSWORD}
    _, _, text = console.send("/connect/users", form)
    path = re.search(r"/connect/invitation/[0-9a-f]+", text).group()
    store.kill()
    store.serve()
    berta = Console(store)
    status, _, _ = berta.send(path, {"name": "Berta", "newPassword": PASSWORD})
    assert status == 303, f"the invitation was answered {status}"
    log = berta.send("/connect/log")[2]
    assert log.count("berta@example.com") >= 2 and EMAIL in log, "the log lacks the invitation"


def test_a_registered_product_is_sold(store, console):
    """A product of Connect is sold after its registration, survives the start with the file, and is taken off sale."""
    page = f"/connect/apps/{BUNDLE}"
    assert "mango" not in sold(store, "mango"), "a product is sold before its registration"
    status, headers, _ = console.send(f"{page}/new-product", product_form("mango"))
    assert status == 303 and headers["Location"] == f"{page}/products/mango?done=product", f"answered {status}"
    assert sold(store, "mango")["mango"]["milliunits"] == 990, "the product isn't sold for its price"
    console.send(f"{page}/new-product", product_form("priceless", tier=""))
    assert not sold(store, "priceless"), "a product without a price is sold"
    store.stop()
    store.serve()
    assert "mango" in sold(store, "mango"), "the start with the file has changed the product"
    version = re.search(r'name="version" value="(\d+)"', console.send(f"{page}/products/mango")[2]).group(1)
    form = product_form("mango", decision="save", cleared="no", version=version)
    assert console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused"
    assert not sold(store, "mango"), "a product that was taken off sale is sold"
    assert console.send(f"{page}/products/mango", form)[0] == 303, "the same change again was refused"
    form["reference"] = "Of an old page"
    status, _, text = console.send(f"{page}/products/mango", form)
    assert status == 409 and "Of an old page" in text, f"a change of an old page was answered {status}"


def test_a_store_killed_while_products_are_registered(store, console):
    """A store that is killed while products are registered and changed sells none that is incomplete."""
    page, answered, names = f"/connect/apps/{BUNDLE}", {}, []
    for round_ in range(5):
        stops = threading.Event()

        def register(number):
            mine = Console(store, console.cookie)
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
        store.kill()
        stops.set()
        for thread in threads:
            thread.join()
        store.serve()
        stored = {row[0]: row[1:] for row in store.rows(
            "SELECT product_id, for_sale, has_price, (SELECT count(*) FROM product_localization AS text WHERE "
            "text.bundle_id = product.bundle_id AND text.product_id = product.product_id), (SELECT count(*) FROM "
            "team_product WHERE team_product.product_id = product.product_id) FROM product")}
        for name in names:
            if answered.get(name) == 303:
                assert name in stored, f"the answered product {name} is lost"
            if name in stored:
                for_sale, has_price, texts, claims = stored[name]
                assert claims == 1 and for_sale == (1 if has_price and texts else 0), f"{name}: {stored[name]}"
                assert (has_price, texts) in ((1, 1), (0, 1), (0, 0)), f"{name}: {stored[name]}"


class LivePage:
    """The stream of the live page, whose newest list it keeps."""

    def __init__(self, console):
        self.text, self.lists = "", 0
        self.connection = http.client.HTTPConnection("127.0.0.1", console.store.port, timeout=PATIENCE)
        self.connection.request("GET", "/connect/live/stream", headers={"Cookie": console.cookie})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, f"the stream was answered {self.answer.status}"
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


def test_a_purchase_on_the_live_page(store, console, laptop):
    """A purchase appears on the live page; its page refunds it, once for two clicks, and notifies again."""
    storectl("notifications", "address", "add", laptop.url, *store.where)
    store.add_account("tess@example.com", PASSWORD)
    live = LivePage(console)
    wait_until("the stream has begun", lambda: live.lists)
    device = Device(store).register()
    status, answer = device.pay("1", product=PEAR)
    assert status == 200, f"the payment was answered {status} {answer}"
    wait_until("the request waits on its sheet", lambda: "The sheet waits for the customer." in live.text)
    bought = ask("POST", answer["sheet"], accept="application/json", form={
        "email": "tess@example.com", "password": PASSWORD, "decision": "buy"})
    assert bought[0] == 200, f"the purchase was answered {bought}"
    wait_until("the purchase is live", lambda: re.search(r"/connect/transactions/\d+", live.text))
    page = re.search(r"/connect/transactions/\d+", live.text).group()
    assert "tess@example.com" in live.text, "the live page lacks the tester"
    wait_until("the notification is live", lambda: "SUCCESS" in live.text)

    text = console.send(page)[2]
    for word in ("tess@example.com", "charged", "ONE_TIME_CHARGE", laptop.url, device.identifier, "tess"):
        assert word in text, f"the page of the transaction lacks {word}"
    refund = re.search(r'name="refund" value="(\w+)"', text).group(1)
    for _ in range(2):
        status, headers, _ = console.send(page, {"decision": "refund", "amount": "", "refund": refund})
        assert status == 303 and headers["Location"] == f"{page}?done=refunded", f"answered {status}"
    refunds = store.rows("SELECT count(*) FROM ledger_entry WHERE kind = 'refund'")[0][0]
    assert refunds == 1, f"there are {refunds} refunds"
    wait_until("two notifications were sent", lambda: len(laptop.bodies) == 2)
    text = console.send(page)[2]
    assert "REFUND" in text and "was refunded" in text, "the page lacks the refund"
    notification = re.search(r'name="notification" value="([0-9a-f-]+)"', text).group(1)
    status, _, _ = console.send(page, {"decision": "resend", "notification": notification})
    assert status == 303, f"the second sending was answered {status}"
    wait_until("the notification was sent again", lambda: len(laptop.bodies) == 3)
    found = console.send(f"/connect/transactions?q={device.identifier}")[2]
    assert page in found, "the search for the device doesn't find the transaction"
    checks = console.send(f"/connect/apps/{BUNDLE}/checklist")[2]
    assert "A purchase was made" in checks and page in checks, "the check list lacks the purchase"


# A file with many products, so that its import takes a while.
MANY = 200


def many(price, first="1.00"):
    products = [
        {"displayPrice": first if number == 0 else price, "familyShareable": False, "internalID": str(number),
         "productID": f"many.{number}", "referenceName": f"Many {number}", "type": "Consumable",
         "localizations": [{"description": "One of many", "displayName": f"Many {number}", "locale": "en_US"}]}
        for number in range(MANY)]
    return json.dumps({"products": products, "version": {"major": 4, "minor": 0}}).encode()


def test_files_and_tables_are_imported(store, console):
    """A file and a table are compared, imported and downloaded; the store's start with its own file keeps them."""
    page, table = f"/connect/apps/{BUNDLE}/file", f"/connect/apps/{BUNDLE}/table"
    status, text = console.upload(page, b"no JSON", decision="upload", others="keep")
    assert status == 400 and "is not JSON" in text, f"a bad file was answered {status}"
    status, _ = console.upload(page, many("2.00"), decision="upload", others="keep")
    assert status == 303, f"the file was answered {status}"
    assert "many.1" not in sold(store, "many.1"), "a file was imported before the decision"
    status, shown = console.apply(page)
    assert status == 303 and len(shown) < 80_000, f"the import was answered {status}, {len(shown)} bytes"
    assert sold(store, "many.1")["many.1"]["milliunits"] == 2000, "the imported product isn't sold"
    exported = json.loads(console.send(f"{page}/download")[2])
    names = {product["productID"] for product in exported["products"]}
    assert f"many.{MANY - 1}" in names and APPLE in names, "the export lacks a product"

    rows = console.send(f"{table}/download")[2]
    assert rows.count("\n") > MANY and "many.1,Many 1,2.00" in rows, "the table lacks a product"
    status, _ = console.upload(table, "product_id;price\nmany.1;3,50\n".encode(), "a.csv", decision="upload")
    assert status == 303 and console.apply(table)[0] == 303, "the table was refused"
    assert sold(store, "many.1")["many.1"]["milliunits"] == 3500, "the table's price isn't sold"
    store.stop()
    store.serve()
    assert sold(store, "many.1")["many.1"]["milliunits"] == 3500, "the start has changed the price"


def test_a_store_killed_while_a_file_is_imported(store, console):
    """A store that is killed while a file is imported has all prices of a file, and never those of two."""
    page = f"/connect/apps/{BUNDLE}/file"
    assert console.upload(page, many("1.00"), decision="upload", others="keep")[0] == 303, "refused"
    begun = time.monotonic()
    assert console.apply(page)[0] == 303, "the first import was refused"
    took = time.monotonic() - begun
    for round_ in range(6):
        price = f"{round_ + 2}.00"
        assert console.upload(page, many(price, price), decision="upload", others="keep")[0] == 303, "refused"
        outcome = []

        def apply():
            try:
                outcome.append(console.apply(page)[0])
            except (OSError, http.client.HTTPException):
                outcome.append(None)

        importer = threading.Thread(target=apply)
        importer.start()
        # Each round kills at another moment of the import.
        importer.join(timeout=took * (round_ + 0.5) / 6)
        store.kill()
        importer.join()
        store.serve()
        prices = {row[0] for row in store.rows("SELECT milliunits FROM product WHERE product_id LIKE 'many.%'")}
        assert len(prices) <= 1, f"round {round_} has the prices {prices}"
        if outcome == [303]:
            assert prices == {(round_ + 2) * 1000}, f"the answered import is lost: {prices}"
        if prices != {(round_ + 2) * 1000}:
            assert console.apply(page)[0] == 303, "the file is lost"


def test_promo_codes_are_made_downloaded_and_redeemed(store, console):
    """Promo codes of Connect are downloaded as CSV, and one gives its product for nothing, once."""
    page = f"/connect/apps/{BUNDLE}"
    console.send(f"{page}/new-product", product_form("mango", kind="Non-Consumable"))
    form = {"decision": "draw", "product": "mango", "offer": "", "name": "Press", "count": "3"}
    assert console.send(f"{page}/codes", form)[0] == 303, "the codes were refused"
    path = re.search(r'href="([^"]+/download)"', console.send(f"{page}/codes")[2]).group(1)
    status, headers, table = console.send(path)
    assert status == 200 and headers["Content-Type"].startswith("text/csv"), f"the table was answered {status}"
    first, second = [line.split(",")[0] for line in table.splitlines()[1:3]]
    store.add_account("anna@example.com", "correct horse battery")
    assert "mango" in storectl("code", "redeem", "anna@example.com", first, "--bundle-id", BUNDLE, *store.where), (
        "the code gave nothing")
    assert f"{first},1" in console.send(path)[2], "the redemption isn't in the table"
    batch = path.split("/")[-2]
    assert console.send(f"{page}/codes", {"decision": "revoke", "batch": batch})[0] == 303, "not revoked"
    assert storectl("code", "list", "--bundle-id", BUNDLE, *store.where).count("revoked") >= 1, "not revoked"
    store.stop()
    store.serve()
    assert second in console.send(path)[2], "the codes are lost with the process"
