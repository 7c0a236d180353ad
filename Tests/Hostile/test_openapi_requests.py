# SPDX-License-Identifier: Apache-2.0
"""Generated requests by Schemathesis to a running store: every answer has to be described, and none is a 5xx.

OPENAPI_EXAMPLES is the number of random requests of each operation (default: 1), and OPENAPI_SEED is their seed
(default: 1). The requests with each limit of each field are made for one in OPENAPI_SHARE operations (default: 10; for all
with more examples), and OPENAPI_PART chooses them (default: at random). The hostile requests of test_every_route.py, whose
answers have to be described as well, are made for all.
"""

import copy
import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.parse
from collections import Counter

import pytest

import samples
import wire
from attacked_store import STRANGER, STRANGERS_PASSWORD, add_accounts, attacked_store
from connect_console import png
from described import difference, strict_schemas
from harness import BUNDLE, PATIENCE, PEAR, SEEDS
from honest import FORM, decide, payment
from openapi_descriptions import DESCRIPTIONS, NAMES, reference, without_null
from targets import Targets

EXAMPLES, SEED = int(os.environ.get("OPENAPI_EXAMPLES", 1)), int(os.environ.get("OPENAPI_SEED", 1))
SHARE = int(os.environ.get("OPENAPI_SHARE") or (10 if EXAMPLES == 1 else 1))
PART = int(os.environ.get("OPENAPI_PART") or random.SystemRandom().randrange(SHARE))
# Operations whose valid message, or a random one, is refused, and whose other requests are accepted: always covered.
ALWAYS = {
    "/device/v1/payments", "/control/v1/product-price", "/control/v1/restore", "/control/v1/revoke-codes",
    "/control/v1/schedule-price",
    "/connect/v1/apps/{app}/products", "/connect/v1/apps/{app}/products/{product}"}

CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "ignored_auth")
# Answers that don't end; the test of the descriptions below checks their refusals.
STREAMS = ("/device/v1/events",)
# Nothing listens there.
RECEIVER, FORMER_RECEIVER = "http://127.0.0.1:9/known", "http://127.0.0.1:9/former"
LEAVING, ORGANISER, CHILD = "leaving@example.com", "organiser@example.com", "child@example.com"
ENDING, CLEARING = "ending@example.com", "clearing@example.com"
# Calls that no generated request gets right: an offer and a shared product that BuyFruit lacks, a code, the bytes of
# an upload, a user of Connect (test_connect.py has one), and a product in the queue of the review (ProductReviewTests).
UNCARRIED = (
    "/control/v1/win-back", "/control/v1/revoke", "/control/v1/redeem",
    "/control/v1/content-uploads/{upload}/{offset}", "/control/v1/recover-team-user", "/control/v1/review-product",
    "/control/v1/show-review")
# Of Connect's API: the bytes of images and packages, which no description can have, and a request, a contract, a
# notification and a queue that this store lacks (ConnectAPI…Tests have them).
UNCARRIED_OF_CONNECT = (
    "setIcon", "setImage", "setScreenshot", "setItemIcon", "setItemScreenshot", "setStorePageScreenshot",
    "decideRequest", "contract", "resendNotification", "decideReview", "uploadContent")
# Schemathesis takes identifiers from answers: these operations would remove the testers, addresses and versions of the
# other ones.
ENDING_OF_CONNECT = (
    "endFamily", "removeTester", "replaceNotificationAddress", "removeNotificationAddress", "removeVersion")
# The other requests need the session and the data that these two end.
RESET, SIGN_OUT = "/control/v1/reset", "/device/v1/sign-out"
SECONDS = 1800 + 60 * EXAMPLES  # after which a run counts as hung


def test_the_store_serves_its_descriptions(folder):
    """The store serves the descriptions as they are in the sources, their paths refuse other methods, and the event stream,
    which Schemathesis can't read to its end, refuses requests with statuses that are described."""
    described = DESCRIPTIONS["device"]["paths"][STREAMS[0]]["post"]["responses"]
    with attacked_store(folder) as attacked:
        for name in NAMES:
            answer = wire.ask(attacked.store, "GET", f"/openapi/{name}.json", [])
            assert answer.status == 200, f"{name}.json was answered {answer}"
            assert answer.json == DESCRIPTIONS[name], f"{name}.json is another one than that in the sources"
        refuses_other_methods(attacked.store)
        headers = [("Authorization", attacked.device().authorization)]

        def of(*apps):
            return json.dumps({"apps": apps}).encode()

        app = {"bundleIdentifier": "a"}
        for body, head in ((b"", headers), (b"{}", headers), (of(), headers), (of(app), headers), (of(app), []),
                           (of(app, app), headers), (of({**app, "newsNumber": -1}), headers),
                           (of({**app, "position": {"account": "b", "number": "c"}}), headers),
                           (of({"bundleIdentifier": "a" * 256}), headers), (b" " * (1 << 20), headers),
                           (of(*({"bundleIdentifier": str(number)} for number in range(65))), headers)):
            answer = wire.ask(attacked.store, "POST", STREAMS[0], head, body)
            assert str(answer.status) in described and answer.status >= 400, f"{body[:40]} was answered {answer}"


def refuses_other_methods(store):
    """Requires that each described path refuses a method that it doesn't take, with 405 and with those that it takes."""
    wrong, others, connection = [], itertools.cycle(["DELETE", "PATCH", "PUT", "OPTIONS", "TRACE"]), wire.KeptConnection(store)
    for path, item in ((path, item) for name in NAMES for path, item in DESCRIPTIONS[name]["paths"].items()):
        taken = {method.upper() for method in item if method != "parameters"}
        method = next(method for method in others if method not in taken)
        request = wire.whole(method, re.sub(r"\{\w+\}", "1", path), [("Host", wire.host_of(store))], b"")
        answer = connection.send(request)
        allowed = {method.strip() for method in answer.headers.get("allow", "").split(",")}
        if answer.status != 405 or allowed - {"HEAD"} != taken - {"HEAD"}:
            wrong.append(f"{method} {path} was answered {answer}, allowing {allowed} instead of {taken}")
    connection.close()
    assert not wrong, "\n".join(wrong)


def filled(targets, messages):
    """The valid messages of samples.py with the values of this store, without null."""
    return {path: without_null(samples.fresh(samples.filled(message, targets.known)))
            for path, message in messages.items()}


def calls(targets):
    """Valid calls of the remote control, and the things that they are about: a subscription, requests that wait for a
    decision, a pending payment, an upload that is complete, an account to close, and a family."""
    buyer, store = targets.buyer, targets.store

    def buy(identifier, product=SEEDS):
        asked = buyer.answered("payments", **payment(identifier, product))
        if asked["status"] != "authorise":
            return asked
        sheet = urllib.parse.urlsplit(asked["sheet"]).path
        answer = decide(store, sheet, "buy", STRANGER, STRANGERS_PASSWORD)
        assert answer.status in (200, 202), f"the purchase {identifier} was answered {answer}"
        return buyer.answered("payments", **payment(identifier, product))

    def ask_for_refund(identifier):
        """Asks for the refund of a new purchase on the customer's page, and returns the request."""
        bought = buy(identifier)["transaction"]["transactionIdentifier"]
        form = {"email": STRANGER, "password": STRANGERS_PASSWORD, "decision": "ask", "reason": "other"}
        answer = wire.ask(
            store, "POST", f"/account/purchases/{bought}/problem", [FORM], urllib.parse.urlencode(form).encode())
        assert answer.status == 200, f"the request for a refund of {bought} was answered {answer}"
        requests = targets.control("refund-requests", {})["requests"]
        return {one["transaction"]: one["request"] for one in requests}[bought]

    for url in (RECEIVER, FORMER_RECEIVER):
        targets.control("add-notification-address", {"url": url})
    subscription = buy("basket", samples.BASKET)["transaction"]["transactionIdentifier"]
    refunds = ask_for_refund("to refund"), ask_for_refund("to keep")
    targets.control("account", {"email": STRANGER, "asksToBuy": True})
    buy("to approve"), buy("to decline")
    targets.control("account", {"email": STRANGER, "asksToBuy": False, "interruptsPurchases": True})
    buy("to resolve")
    targets.control("account", {"email": STRANGER, "interruptsPurchases": False})
    waiting = {}
    for request in targets.control("requests", {})["requests"]:
        waiting.setdefault(request["status"], []).append(request["transaction"])
    targets.control("set-payment-answer", {"account": STRANGER, "answer": "pending"})
    buy("pending")
    [pending] = targets.control("payments", {})["payments"]
    targets.control("set-payment-answer", {"account": STRANGER})
    upload, content = targets.begin_upload("3.0")
    targets.control(f"content-uploads/{upload}/0", body=content)
    for email in (LEAVING, ORGANISER, CHILD, ENDING, CLEARING):
        targets.control("add-account", {"email": email, "password": STRANGERS_PASSWORD, "storefront": "USA"})
    targets.control("begin-family", {"email": ORGANISER})
    targets.control("add-family-member", {"email": CHILD, "role": "child", "organiser": ORGANISER})
    cards = [targets.control("add-payment-method", {"email": CHILD, "card": "accepted"})["methods"][-1]["method"]
             for _ in range(2)]
    ended, eaten = (targets.control("buy", {"email": ENDING, "bundle": BUNDLE, "product": product})["transaction"]
                    for product in (samples.BASKET, SEEDS))
    returned = targets.control("buy", {"email": ENDING, "bundle": BUNDLE, "product": SEEDS})["transaction"]
    targets.control("refund", {"transaction": returned})
    assert targets.control("settle-notifications", {})["settled"], "notifications weren't sent"
    notification = targets.control("notifications", {})["notifications"][0]["notification"]
    known = {
        "buy": {"email": ENDING}, "finish": {"transaction": eaten}, "restore": {"email": ENDING},
        "ask-refund": {"transaction": eaten}, "charges": {"transaction": eaten}, "clear-purchases": {"email": CLEARING},
        "expire-subscription": {"transaction": ended}, "reverse-refund": {"transaction": returned},
        **{verb: {"transaction": subscription} for verb in ("choose-plan", "share-subscription", "renew-subscription")},
        "notifications": {"after": notification},
        "remove-notification-address": {"url": FORMER_RECEIVER, "bundle": None},
        **{verb: {"notification": notification} for verb in ("show-notification", "resend-notification")},
        **{verb: {"email": CHILD} for verb in ("payment-methods", "add-payment-method")},
        "prefer-payment-method": {"email": CHILD, "method": cards[0]},
        "remove-payment-method": {"email": CHILD, "method": cards[1]},
        "approve": {"transaction": waiting["deferred"][0]}, "decline": {"transaction": waiting["deferred"][1]},
        "approve-refund": {"request": refunds[0]}, "decline-refund": {"request": refunds[1]},
        "resolve": {"transaction": waiting["interrupted"][0]}, "answer-payment": {"payment": pending["payment"]},
        "family": {"email": CHILD}, "begin-family": {"email": ORGANISER}, "remove-family-member": {"email": CHILD},
        "add-family-member": {"email": CHILD, "role": "child", "organiser": ORGANISER},
        "set-family-role": {"email": CHILD, "role": "adult"}, "end-family": {"email": ORGANISER},
        "close-account": {"email": LEAVING}, "subscriptions": {"email": STRANGER},
        "subscription-events": {"email": STRANGER, "after": []}, "publish-content-upload": {"upload": upload},
        "remove-content": {"product": PEAR}, "schedule-price": {"bundle": BUNDLE}, "set-grace-period": {"bundle": BUNDLE},
        **{verb: {"transaction": subscription} for verb in (
            "set-renewal", "extend-subscription", "ask-price-consent", "answer-price-consent")}}
    messages = filled(targets, samples.CONTROL)
    messages["schedule-price"].pop("starts")
    for offer in ("discount", "offer", "winBackOffer"):
        messages["buy"].pop(offer)
    messages["ask-price-consent"]["price"] = "99.99"
    return {verb: without_null(message | known.get(verb, {})) for verb, message in messages.items()}


def strict(name, prefix="", messages=()):
    """A description for one run: fields that aren't described are refused, and valid messages are examples and
    preferred values."""
    description = copy.deepcopy(DESCRIPTIONS[name])
    schemas = description["components"]["schemas"] = copy.deepcopy(strict_schemas(name))
    for path, message in dict(messages).items():
        content = description["paths"][prefix + path]["post"]["requestBody"]["content"]["application/json"]
        content["example"] = message
        prefer(schemas[reference(content["schema"])], message)
    return description


def prefer(schema, message, keeps=False):
    """Makes the values of a message as probable as all others together, also its identifier if it `keeps` that."""
    for field, value in message.items():
        if (keeps or field != "requestIdentifier") and not schema["properties"][field].get("anyOf"):
            schema["properties"][field] = {"anyOf": [{"const": value}, schema["properties"][field]]}


def run(folder, store, description, headers):
    """Runs Schemathesis, which has to find nothing, and returns the number of answers by operation and status."""
    started = time.monotonic()
    file, traffic = f"{folder}/description.json", f"{folder}/traffic.har"
    with open(file, "w") as written:
        json.dump(description, written)
    # Schemathesis reads a configuration from the folder in which it runs. A test below sends the methods that a path refuses.
    paths = sorted(description["paths"])
    covered = sorted({*paths[PART % SHARE::SHARE], *ALWAYS & {*paths}})
    with open(f"{folder}/schemathesis.toml", "w") as written:
        written.write("[phases.coverage]\nunexpected-methods = []\n")
        if SHARE > 1:
            written.write(f"[[operations]]\nexclude-path = {covered or ['none']}\nphases.coverage.enabled = false\n")
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", file, "--url", store.url, "--seed", str(SEED),
        "--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing", "--checks", ",".join(CHECKS),
        "--generation-database", "none", "--continue-on-failure", "--no-color", "--warnings", "off",
        "--request-timeout", str(PATIENCE), "--suppress-health-check", "all", "--report-har-path", traffic,
        *(part for name, value in headers for part in ("--header", f"{name}: {value}"))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, check=False)
    output = ended.stdout + ended.stderr
    assert ended.returncode == 0, f"Schemathesis ended with {ended.returncode}:\n{output[-12000:]}"
    answers = Counter()
    with open(traffic) as written:
        for entry in json.load(written)["log"]["entries"]:
            path = urllib.parse.urlsplit(entry["request"]["url"]).path
            answers[entry["request"]["method"], path, entry["response"]["status"]] += 1
    print(f"OPENAPI_PART={PART}; {answers.total()} requests in {time.monotonic() - started:.0f} s", flush=True)
    return answers


def accepts(description, answers, refused=()):
    """Requires that each operation has carried out a request, except those that are named."""
    done = {(method, path) for method, path, status in answers if status < 300}
    missing = {path for path, item in description["paths"].items() for method in item
               if method != "parameters" and (method.upper(), path) not in done}
    assert missing == set(refused), f"operations that refused every request: {sorted(missing)}; expected: {refused}"


def is_carried_out(store, path, authorization, message):
    """Sends a message that the store has to carry out, with an answer that is described."""
    body = json.dumps(samples.fresh(message)).encode()
    answer = wire.ask(store, "POST", path, [("Authorization", authorization)], body)
    wrong = difference(f"POST {path}", answer)
    assert answer.status == 200 and not wrong, f"{path} {wrong or f'was answered {answer}'}"


@pytest.mark.slow
def test_the_device_api_answers_as_described(folder):
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        description = strict("device", "/device/v1/", filled(targets, samples.DEVICE))
        paths = set(description["paths"]) - {SIGN_OUT, *STREAMS}
        chosen = description | {"paths": {path: description["paths"][path] for path in sorted(paths)}}
        accepts(chosen, run(folder, attacked.store, chosen, [("Authorization", targets.buyer.authorization)]))
        # The buyer stays signed in.
        is_carried_out(attacked.store, SIGN_OUT, targets.leaver.authorization, samples.DEVICE["sign-out"])


@pytest.mark.slow
def test_the_remote_control_answers_as_described(folder):
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        headers = [("Authorization", f"Bearer {targets.token}")]
        description = strict("control", "/control/v1/", calls(targets))
        chosen = description | {"paths": {path: item for path, item in description["paths"].items() if path != RESET}}
        accepts(chosen, run(folder, attacked.store, chosen, headers), UNCARRIED)
        # The reset is the last call, because it empties the store.
        is_carried_out(attacked.store, RESET, headers[0][1], samples.CONTROL["reset"])
        # The customer of `attacked_store` buys again at the end.
        add_accounts(attacked.store)
        attacked.honest.device.register()


@pytest.mark.slow
def test_the_app_store_server_api_answers_as_described(folder):
    """Each operation is asked about a subscription, which can be extended, and about other numbers."""
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        sheet = targets.buyer.sheet("basket", samples.BASKET)
        answer = decide(attacked.store, sheet, "buy", STRANGER, STRANGERS_PASSWORD)
        assert answer.status == 200, f"the purchase of a basket was answered {answer}"
        paid = targets.buyer.answered("payments", **payment("basket", samples.BASKET))
        bought = paid["transaction"]["transactionIdentifier"]
        known = {"transaction": bought, "order": bought, "product": samples.BASKET,
                 "request": samples.SERVER["POST /inApps/v1/subscriptions/extend/mass"]["requestIdentifier"]}
        headers = [("Authorization", targets.seller)]
        targets.control("add-notification-address", {"url": RECEIVER})
        answer = wire.ask(attacked.store, "POST", "/inApps/v1/notifications/test", headers, b"")
        assert answer.status == 200, f"the test notification was answered {answer}"
        known["token"] = json.loads(answer.body)["testNotificationToken"]
        assert targets.control("settle-notifications", {})["settled"], "the test notification wasn't sent"
        description = strict("server")
        for path, item in description["paths"].items():
            for method, operation in item.items():
                for parameter in operation.get("parameters", []):
                    if parameter["in"] == "path":
                        value = known[parameter["name"]]
                        parameter |= {"schema": {"anyOf": [{"const": value}, parameter["schema"]]}, "example": value}
                if "requestBody" in operation:
                    message = dict(samples.SERVER[f"{method.upper()} " + re.sub(r"\{(\w+)\}", r":\1", path)])
                    message.pop("consumptionPercentage", None)  # not of a subscription
                    content = operation["requestBody"]["content"]["application/json"]
                    content["example"] = message
                    prefer(description["components"]["schemas"][reference(content["schema"])], message, keeps=True)
        message = samples.SERVER["POST /inApps/v1/subscriptions/extend/mass"]
        answer = wire.ask(attacked.store, "POST", "/inApps/v1/subscriptions/extend/mass", headers,
                          json.dumps(message).encode())
        assert answer.status == 200, f"the extension of all subscribers was answered {answer}"
        answers = run(folder, attacked.store, description, headers)
        done = {(method, path) for method, path, status in answers if status < 300}
        wanted = {(method.upper(), path.format(**known)) for path, item in description["paths"].items()
                  for method in item}
        assert wanted <= done, f"operations that refused every request: {sorted(wanted - done)}"


def sales(targets, products):
    """Images, offers, codes and a scheduled price in Connect; returns the identifiers of the last two."""
    for name in ("lime", "plum", "quince"):
        targets.asked("POST", products, {
            "product": name, "kind": "Consumable", "reference": name, "tier": 2,
            "texts": {"en_US": {"title": name, "description": name}}})
    for place, size in (("icon", (1024, 1024)), ("products/kiwi/image", (1024, 1024)),
                        ("products/quince/screenshot", (640, 920)), ("products/fig/screenshot", (640, 920))):
        answer = wire.ask(targets.store, "PUT", f"/connect/v1/apps/{BUNDLE}/{place}", targets.program, png(*size))
        assert answer.status == 200, f"{place} was answered {answer}"
    targets.asked("POST", products, {
        "product": "melon", "kind": "Auto-Renewable Subscription", "reference": "Melon", "tier": 3,
        "newGroup": "Melons", "period": "P1M", "texts": {"en_US": {"title": "Melon", "description": "A melon"}}})
    targets.asked("POST", f"{products}/plum/offers", {"kind": "code", "identifier": "old", "mode": "free"}, '"1"')
    targets.asked("POST", f"{products}/melon/offers", {"kind": "introductory", "mode": "free", "period": "P1W"}, '"1"')
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 30 * 86_400))
    empty = targets.asked("GET", f"{products}/lime/scheduled-prices")
    change = {"price": "2.49", "country": "FRA", "firstDay": day}
    price = targets.asked("POST", f"{products}/lime/scheduled-prices", change, empty.headers["etag"])
    batch = targets.asked("POST", f"apps/{BUNDLE}/codes", {"product": "kiwi", "name": "Spare", "count": 2})
    for name in ("spare", "import"):
        targets.asked("POST", "apps", {
            "bundle": f"com.example.{name}", "name": name, "sku": name, "locale": "en_US"})
    targets.asked("PATCH", "apps/com.example.spare/store-page", {
        "link": "https://seller.example/spare", "tier": 0, "texts": {"en_US": {"title": "Spare"}}}, '"0"')
    for version in ("1.0", "1.1", "1.2"):
        targets.asked("POST", "apps/com.example.spare/versions", {"version": version})
    for route, file in samples.CONNECT_FILES.items():
        path = route.split()[1].replace(":app", "com.example.import")
        if path.endswith("/comparison"):
            answer = wire.ask(targets.store, "PUT", path, targets.program, file)
            assert answer.status == 200, f"{path} was answered {answer}"
    return {"change": price.json["scheduled"][0]["change"], "batch": batch.json["batch"]}


def address_of(targets, name):
    """Adds a notification address, and returns its name in paths."""
    values = {"url": f"http://127.0.0.1:9/{name}", "version": 2, "environment": "Sandbox"}
    return targets.asked("POST", f"apps/{BUNDLE}/notification-addresses", values).json["address"]


def servers(targets):
    """A notification address that stays, with a test that was sent to it, and the owner of a secret."""
    address = address_of(targets, "kept")
    targets.asked("POST", f"apps/{BUNDLE}/notification-test")
    return {"address": address, "owner": "app"}


def item_with_images(targets):
    """An item with an icon and a screenshot, and the place of the screenshot."""
    for place in ("icon", "screenshots/1"):
        path = f"/connect/v1/items/{targets.item}/{place}"
        answer = wire.ask(targets.store, "PUT", path, targets.program, png(64, 64))
        assert answer.status == 200, f"{path} was answered {answer}"
    return {"item": targets.item, "place": 1}


@pytest.mark.slow
def test_the_api_of_connect_answers_as_described(folder):
    """Each operation is asked about an object of its own, so that none removes or changes that of another."""
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        products = f"apps/{BUNDLE}/products"
        targets.asked("POST", products, {
            "product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
            "texts": {"en_US": {"title": "Fig", "description": "A fig"}}})
        targets.asked("POST", "invitations", {"email": "guest@example.com", "role": "support"})
        known = {"app": BUNDLE, "product": "kiwi", "user": targets.user, "email": "guest@example.com", "kind": "code",
                 "offer": "old", "tester": targets.tester, "transaction": targets.known["transaction"],
                 "refund": "5e" * 16, "number": "1", "notification": "unknown"} | sales(targets, products)
        known |= servers(targets) | item_with_images(targets) | {"version": "1.0"}
        parent, leaving, organiser, child, joining = (
            targets.add_tester(name) for name in ("parent", "leaving", "organiser", "child", "joining"))
        for head in (parent, organiser):
            targets.asked("POST", f"testers/{head}/family")
        targets.asked(
            "POST", f"testers/{organiser}/family/members", {"email": "child@testers.example", "role": "child"})
        joins = {"email": "joining@testers.example", "role": "child"}
        special = {"removeUser": {"user": targets.leaving_user}, "submitProduct": {"product": "fig"},
                   "addOffer": {"product": "lime"}, "cancelPrice": {"product": "lime"},
                   "removeOffer": {"product": "plum"}, "removeIntroductoryOffer": {"product": "melon"},
                   "removeImage": {"product": "plum"}, "screenshot": {"product": "quince"},
                   "reviewScreenshot": {"product": "quince"}, "removeContent": {"product": PEAR},
                   "removeTester": {"tester": leaving},
                   "endFamily": {"tester": parent}, "addMember": {"tester": organiser},
                   "leaveFamily": {"tester": child},
                   "importFile": {"app": "com.example.import"}, "importTable": {"app": "com.example.import"},
                   "removeVersion": {"app": "com.example.spare", "version": "1.1"},
                   "releaseVersion": {"app": "com.example.spare", "version": "1.2"},
                   **{operation: {"app": "com.example.spare"} for operation in (
                       "discardFile", "discardTable", "version", "setStorePageScreenshot",
                       "removeStorePageScreenshot")},
                   **{operation: {"address": address_of(targets, name)} for operation, name in (
                       ("replaceNotificationAddress", "former"), ("removeNotificationAddress", "removed"))}}
        # Nothing is scheduled, and the files of samples.py change nothing.
        nothing = hashlib.sha256(b"").hexdigest()
        tags = {"changeRole": '"developer"', "changeApp": '"0"', "changeProduct": '"1"', "submitProduct": '"1"',
                "addOffer": '"1"', "removeOffer": '"2"', "removeIntroductoryOffer": '"2"',
                "schedulePrice": f'"{nothing[:32]}"',
                "changeTester": targets.asked("GET", f"testers/{targets.tester}").headers["etag"],
                "arrangePromotions": f'"{nothing[:32]}"', "setBank": '"0"', "setTax": '"1"',
                "changeStorePage": '"0"', "importFile": f'"{nothing}"', "importTable": f'"{nothing}"',
                "replaceNotificationAddress": '"2"', "changeItem": '"0"', "decideReview": '"1"',
                "makeSecret": targets.asked("GET", f"apps/{BUNDLE}/secrets").headers["etag"]}
        description = strict("connect")
        wanted = set()
        for path, item in description["paths"].items():
            for method, operation in item.items():
                mine = known | special.get(operation["operationId"], {})
                if operation["operationId"] not in UNCARRIED_OF_CONNECT:
                    wanted.add((method.upper(), path.format(**mine)))
                for parameter in operation.get("parameters", []):
                    if parameter["in"] != "query":
                        value = mine[parameter["name"]] if parameter["in"] == "path" else tags[operation["operationId"]]
                        is_fixed = operation["operationId"] in ENDING_OF_CONNECT
                        schema = {"const": value} if is_fixed else {"anyOf": [{"const": value}, parameter["schema"]]}
                        parameter |= {"schema": schema, "example": value}
                route = f"{method.upper()} " + re.sub(r"\{(\w+)\}", r":\1", path)
                if route in samples.CONNECT:
                    message = joins if operation["operationId"] == "addMember" else samples.CONNECT[route]
                    content = operation["requestBody"]["content"]["application/json"]
                    content["example"] = message
                    prefer(description["components"]["schemas"][reference(content["schema"])], message)
                elif route in samples.CONNECT_FILES and operation["operationId"] not in UNCARRIED_OF_CONNECT:
                    for content in operation["requestBody"]["content"].values():
                        content["example"] = samples.CONNECT_FILES[route].decode()
        answers = run(folder, attacked.store, description, targets.program)
        statuses = {}
        for method, path, status in answers:
            statuses.setdefault((method, urllib.parse.unquote(path)), set()).add(status)
        refused = {one: sorted(statuses.get(one, [])) for one in wanted if min(statuses.get(one, [999])) >= 300}
        assert not refused, f"operations that refused every request, with the statuses: {refused}"


@pytest.mark.slow
def test_the_pages_answer_as_described(folder):
    """The requests are a browser's. test_every_route.py sends those of a program."""
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        description = strict("pages")
        sheets = [sheet.rpartition("/")[2] for sheet in targets.sheets]
        token = {"anyOf": [{"enum": sheets}, {"type": "string", "minLength": 1}]}
        for path in ("/sheet/{token}", "/sheet/{token}/closed"):
            description["paths"][path]["parameters"][0] |= {"schema": token, "example": sheets[0]}
        form = samples.filled(samples.FORM, targets.known)
        for title in ("SheetForm", "AccountForm"):
            schema = description["components"]["schemas"][title]
            prefer(schema, {key: form[key] for key in form if key in schema["properties"] and key != "decision"})
        run(folder, attacked.store, description, [("Accept", "text/html")])
