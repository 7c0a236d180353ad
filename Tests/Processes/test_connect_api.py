# SPDX-License-Identifier: Apache-2.0
"""Connect's API of a running store, with tokens that PyJWT signs."""

import csv
import json
import time

from connect_console import added_team, png
from connect_keys import Program, make_key
from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, wait_until
from laptop import Laptop
from processes import storectl


def test_a_program_registers_a_product(store, console):
    """A program registers an app and a product by the API, and a customer buys the product; a killed store has kept
    both, and a revoked key is refused."""
    program = Program(store, make_key(console, "connect", "developer"))
    bundle, name = "com.example.api", "=HYPERLINK(1)"
    app = {"bundle": bundle, "name": name, "sku": "API-1", "locale": "en_US"}
    status, tag, answer = program.send("POST", "/connect/v1/apps", app)
    assert status == 201 and tag == '"1"' and answer["name"] == name, f"the app was answered {status} {answer}"
    status, _, answer = program.send("POST", "/connect/v1/apps", app | {"sku": "API-2"})
    assert status == 400 and answer["error"]["fields"] == [{"field": "bundle", "problem": "taken"}], (
        f"another app was answered {status} {answer}")
    products = f"/connect/v1/apps/{bundle}/products"
    product = {"product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
               "texts": {"en_US": {"title": "Fig", "description": "A fig"}}}
    status, tag, answer = program.send("POST", products, product)
    assert status == 201 and answer["state"] == "approved", f"the product was answered {status} {answer}"
    store.kill()
    store.serve()
    status, changed, _ = program.send("PATCH", f"{products}/fig", {"tier": 2}, tag)
    assert status == 200 and changed == '"2"', f"the change was answered {status} {changed}"
    status, _, answer = program.send("PATCH", f"{products}/fig", {"tier": 3}, tag)
    assert status == 409 and answer["saved"]["tier"] == 2, f"the second change was answered {status} {answer}"
    store.add_account(EMAIL, PASSWORD)
    bought = json.loads(storectl("buy", EMAIL, "fig", "--bundle-id", bundle, "--json", "--data", store.data))
    assert bought["product"] == "fig", f"the purchase was answered {bought}"

    now = int(time.time())
    for claims in ({"exp": now - 1}, {"exp": now + 1300}, {"aud": "other"}, {"iss": "other"},
                   {"scope": ["GET /connect/v1/team"]}):
        status, _, answer = program.send("GET", products, **claims)
        assert status == 401 and answer["error"]["code"] == "credentials-missing", f"{claims}: {status} {answer}"
    status, _, _ = program.send("GET", "/connect/v1/team", scope=["GET /connect/v1/team"])
    assert status == 200, f"a token with a scope was answered {status}"
    assert program.send("GET", "/connect/v1/log")[0] == 403, "a developer's key reads the log"
    console.send("/connect/keys", {"decision": "revoke", "key": program.key})
    assert program.send("GET", products)[0] == 401, "a revoked key is accepted"
    assert program.key in console.send("/connect/log")[2], "the log doesn't name the key"
    assert "BEGIN PRIVATE KEY" not in store.log.read_text(), "a private key is in the log"


def test_a_program_imports_a_table_and_makes_codes(store, console):
    """A program uploads a table and an image, and makes codes; a killed store has kept the upload, whose import after
    a change of another key is refused with the new comparison."""
    program, other = (Program(store, make_key(console, "connect", role)) for role in ("developer", "admin"))
    bundle = "com.example.api"
    app = f"/connect/v1/apps/{bundle}"
    program.send("POST", "/connect/v1/apps", {"bundle": bundle, "name": "Api", "sku": "A", "locale": "en_US"})
    status, tag, answer = program.send("POST", f"{app}/products", {
        "product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
        "texts": {"en_US": {"title": "Fig", "description": "A fig"}}})
    assert status == 201, f"the product was answered {status} {answer}"
    status, headers, body = program.exchange("PUT", f"{app}/table/comparison?name=prices.csv",
                                             b"product_id,price\r\nfig,2.49\r\n")
    assert status == 200 and b"2.49" in body, f"the table was answered {status} {body}"
    store.kill()
    store.serve()
    assert other.send("PATCH", f"{app}/products/fig", {"tier": 3}, tag)[0] == 200, "the price wasn't changed"
    status, tag, answer = program.send("POST", f"{app}/table/import", tag=headers["ETag"])
    assert status == 409 and "2.99" in json.dumps(answer["saved"]), f"the import was answered {status} {answer}"
    for _ in range(2):
        status, _, answer = program.send("POST", f"{app}/table/import", tag=tag)
        assert status == 204, f"the second import was answered {status} {answer}"
    assert program.send("GET", f"{app}/products/fig")[2]["price"] == "2.49", "the table wasn't imported"
    status, _, body = program.exchange("GET", f"{app}/table")
    assert status == 200 and b"fig,Fig,2.49" in body, f"the table is {body}"
    status, _, body = program.exchange("GET", f"{app}/file")
    assert status == 200 and json.loads(body)["products"][0]["displayPrice"] == "2.49", f"the file is {body}"

    icon = png(1024, 1024)
    assert program.exchange("PUT", f"{app}/icon", icon)[0] == 200, "the icon wasn't saved"
    status, headers, body = program.exchange("GET", f"{app}/icon")
    assert body == icon and headers["Content-Type"] == "image/png", f"the icon was answered {status} {headers}"
    status, _, answer = program.send("POST", f"{app}/codes", {"product": "fig", "name": "Press", "count": 2})
    assert status == 201, f"the codes were answered {status} {answer}"
    codes = f"{app}/codes/{answer['batch']}/codes"
    status, headers, body = program.exchange("GET", codes, headers={"Accept": "text/csv"})
    listed = [one["code"] for one in program.send("GET", codes)[2]["codes"]]
    rows = list(csv.DictReader(body.decode().splitlines()))
    assert [row["code"] for row in rows] == listed and len(listed) == 2, f"the codes are {body}"
    assert not any(code in store.log.read_text() for code in listed), "a code is in the log"


def test_a_program_works_with_a_tester_and_a_purchase(store, console):
    """A program adds a tester, who buys; the program refunds the purchase once, and moves the tester's clock."""
    program = Program(store, make_key(console, "connect", "admin"))
    tester = {"email": EMAIL, "password": PASSWORD, "storefront": "USA"}
    status, tag, answer = program.send("POST", "/connect/v1/testers", tester)
    assert status == 201 and "password" not in answer, f"the tester was answered {status} {answer}"
    path = f"/connect/v1/testers/{answer['tester']}"
    status, tag, answer = program.send("PATCH", path, {"switches": {"asksToBuy": False}, "name": "Anna"}, tag)
    assert status == 200 and answer["name"] == "Anna", f"the change was answered {status} {answer}"
    time_before = answer["time"]
    bought = json.loads(storectl("buy", EMAIL, SEEDS, "--bundle-id", BUNDLE, "--json", "--data", store.data))
    transaction = f"/connect/v1/transactions/{bought['transaction']}"
    status, _, answer = program.send("GET", "/connect/v1/transactions?state=valid")
    assert [one["product"] for one in answer["transactions"]] == [SEEDS], f"the list is {answer}"
    for _ in range(2):
        status, _, answer = program.send("PUT", f"{transaction}/refunds/{'5e' * 16}", {})
        assert status == 200 and "revoked" in answer["transaction"], f"the refund was answered {status} {answer}"
    assert [line["kind"] for line in answer["ledger"]] == ["charge", "refund"], f"the ledger is {answer['ledger']}"
    status, _, answer = program.send("POST", f"{path}/clock", {"by": "1mo"})
    assert status == 200 and answer["time"] > time_before, f"the clock was answered {status} {answer}"
    assert program.send("DELETE", path)[0] == 204 and program.send("GET", path)[0] == 404, (
        "the tester is still there")
    assert PASSWORD not in store.log.read_text(), "a tester's password is in the log"


def test_a_program_tests_a_notification_address_and_makes_secrets(store, console):
    """A program adds a notification address, sends a test that the seller's server gets, and makes shared secrets."""
    program = Program(store, make_key(console, "connect", "developer"))
    app = f"/connect/v1/apps/{BUNDLE}"
    with Laptop(refused=1) as laptop:
        address = {"url": laptop.url, "version": 2, "environment": "Sandbox"}
        for _ in range(2):
            status, tag, answer = program.send("POST", f"{app}/notification-addresses", address)
            assert status == 201 and tag == '"2"', f"the address was answered {status} {answer}"
        path = f"{app}/notification-addresses/{answer['address']}"
        test = f"{app}/notification-test"
        assert program.send("GET", test)[0] == 404, "there is a test that no one has sent"

        def attempts():
            return [attempt for delivery in program.send("GET", test)[2]["deliveries"]
                    for attempt in delivery["attempts"]]

        status, _, first = program.send("POST", test)
        assert status == 200 and first["type"] == "TEST", f"the test was answered {status} {first}"
        [attempt] = wait_until("the test was sent", attempts)
        assert attempt["result"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE" and attempt["status"] == 500, (
            f"the attempt is {attempt}")
        status, _, second = program.send("POST", test)
        assert status == 200 and second["notification"] != first["notification"], f"answered {status} {second}"
        [attempt] = wait_until("the other test was sent", attempts)
        assert attempt["result"] == "SUCCESS" and len(laptop.bodies) == 2, f"the attempt is {attempt}"
        changed = address | {"version": 1}
        assert program.send("PUT", path, changed, '"1"')[0] == 409, "another version was changed"
        status, tag, answer = program.send("PUT", path, changed, tag)
        assert status == 200 and tag == '"1"', f"the change was answered {status} {answer}"
        assert program.send("DELETE", path)[0] == 204, "the address wasn't removed"
        assert program.send("GET", f"{app}/notification-addresses")[2] == {"addresses": []}, "an address is left"
    status, tag, answer = program.send("GET", f"{app}/secrets")
    assert status == 200 and answer == {}, f"the secrets were answered {status} {answer}"
    status, headers, body = program.exchange("POST", f"{app}/secrets/app", headers={"If-Match": tag})
    assert status == 201 and headers["Cache-Control"] == "no-store", f"the secret was answered {status}"
    status, _, answer = program.send("POST", f"{app}/secrets/app", tag=tag)
    assert status == 409 and answer["saved"] == json.loads(body), f"the same request was answered {status} {answer}"
    status, _, answer = program.send("POST", f"{app}/secrets/master", tag=headers["ETag"])
    assert status == 201, f"the master secret was answered {status} {answer}"
    assert set(answer) == {"app", "master"}, f"the secrets are {sorted(answer)}"
    assert not any(secret in store.log.read_text() for secret in answer.values()), "a secret is in the log"


def test_programs_submit_a_product_and_review_it(store, console):
    """A team's program submits a product, and the operator's rejects it with a reason and approves it later."""
    operator = Program(store, make_key(console, "connect", "admin"))
    seller = Program(store, make_key(added_team(store), "connect", "developer"))
    bundle = "com.example.flowers"
    seller.send("POST", "/connect/v1/apps", {"bundle": bundle, "name": "Flowers", "sku": "F", "locale": "en_US"})
    product, review = f"/connect/v1/apps/{bundle}/products/rose", f"/connect/v1/reviews/{bundle}/rose"
    seller.send("POST", f"/connect/v1/apps/{bundle}/products", {
        "product": "rose", "kind": "Consumable", "reference": "Rose", "tier": 1, "note": "Tap the rose.",
        "texts": {"en_US": {"title": "Rose", "description": "A rose"}}})
    assert seller.exchange("PUT", f"{product}/screenshot", png(640, 920))[0] == 200, "the screenshot wasn't saved"
    for decision, state in (({"decision": "reject", "reason": "It shows a tulip."}, "rejected"),
                            ({"decision": "approve"}, "approved")):
        status, _, answer = seller.send(
            "POST", f"{product}/submission", tag=seller.send("GET", product)[1])
        assert status == 200, f"the submission was answered {status} {answer}"
        status, _, answer = operator.send("GET", "/connect/v1/reviews?search=rose&state=waiting")
        assert [one["team"] for one in answer["submissions"]] == ["Flowers"], f"the queue is {answer}"
        status, tag, answer = operator.send("GET", review)
        assert status == 200 and answer["product"]["note"] == "Tap the rose.", f"answered {status} {answer}"
        assert operator.exchange("GET", f"{review}/screenshot")[2] == png(640, 920), "the screenshot is another one"
        assert seller.send("POST", f"{review}/decision", decision, tag)[0] == 404, "the seller decides"
        status, _, answer = operator.send("POST", f"{review}/decision", decision, '"99"')
        assert status == 409 and answer["error"]["code"] == "changed", f"answered {status} {answer}"
        for _ in range(2):
            status, tag, answer = operator.send("POST", f"{review}/decision", decision, tag)
            assert status == 200, f"the decision was answered {status} {answer}"
        shown = seller.send("GET", product)[2]["review"]
        assert shown["state"] == state and shown.get("reason") == decision.get("reason"), f"the seller sees {shown}"
    assert operator.send("GET", "/connect/v1/reviews")[2] == {"submissions": []}, "the queue isn't empty"


def test_a_program_registers_an_item_with_images(store, console):
    """A program registers an item with images, changes its price, and its page shows both."""
    program = Program(store, make_key(console, "connect", "developer"))
    book = {"kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
            "texts": {"en_US": {"title": "A book", "description": "About fruit"}}}
    status, tag, answer = program.send("POST", "/connect/v1/items", book)
    assert status == 201 and tag == '"0"', f"the item was answered {status} {answer}"
    path, number = f"/connect/v1/items/{answer['item']}", answer["item"]
    for place, image in (("icon", png(64, 64)), ("screenshots/1", png(64, 65))):
        assert program.exchange("PUT", f"{path}/{place}", image)[0] == 200, f"{place} wasn't saved"
        status, headers, body = program.exchange("GET", f"{path}/{place}")
        assert body == image and headers["Content-Type"] == "image/png", f"{place} was answered {status} {headers}"
    for _ in range(2):
        status, changed, answer = program.send("PATCH", path, {"price": "5.99", "prices": {"DEU": "5.49"}}, tag)
        assert status == 200 and changed == '"1"', f"the change was answered {status} {answer}"
    assert program.send("PATCH", path, {"price": "6.99"}, tag)[0] == 409, "an old change was carried out"
    page = program.exchange("GET", f"/item/{number}/DEU/en")[2].decode()
    assert "5.49" in page and f"/artwork/{number}/{answer['icon']}" in page, f"the page is {page}"
    assert [one["item"] for one in program.send("GET", "/connect/v1/items?kind=book")[2]["items"]] == [number], (
        "the list lacks the item")
