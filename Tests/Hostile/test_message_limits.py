# SPDX-License-Identifier: Apache-2.0
"""Limits of single messages: numbers, identifiers, languages, apps, credentials and sizes of bodies."""

import json

import samples
import wire
from attacked_store import attacked_store
from field_attacks import with_text
from findings import check, report
from harness import BUNDLE, SEEDS
from targets import EVENTS, Targets

LIMITS = ["9007199254740992", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1e400", "-1e400",
          "1.5", "NaN", "99999999999999999999999999"]
QUICKLY = 3  # seconds of the processor for a refusal without work


def test_numbers_out_of_range_are_refused(folder):
    """Each numeric field refuses a value out of its range with 400 and a code."""
    findings = []
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        for target in targets.device_messages():
            for place, value in samples.fields(target.message):
                for text in LIMITS if samples.is_number(value) else []:
                    request = target.request(attacked.store, body=with_text(target.message, place, text))
                    check(findings, f"{target.route}, {samples.name(place)} = {text}",
                          wire.send(attacked.store, request), 400, "invalid", "malformed")
        target = targets.events()
        for place, value in samples.fields(target.message):
            for text in ["-1", *LIMITS, '""', '"x"', "٣"] if samples.is_number(value) else []:
                answer = wire.send(attacked.store, target.request(
                    attacked.store, body=with_text(target.message, place, text)))
                check(findings, f"events, {samples.name(place)} = {text}", answer, 400, "invalid", "malformed")
        assert not findings, report(findings)


def events(targets, *apps):
    body = json.dumps({"apps": [{"bundleIdentifier": app} for app in apps]}).encode()
    return wire.ask(targets.store, "POST", EVENTS, [("Authorization", targets.buyer.authorization)], body)


LONG = {  # field, bytes allowed
    "requestIdentifier": 200, "bundleIdentifier": 255, "productIdentifier": 255, "transactionIdentifier": 255,
    "transactions.0": 255, "applicationVersion": 255, "applicationUsername": 1000, "position.account": 255,
    "discount.identifier": 255, "discount.keyIdentifier": 255, "discount.nonce": 255,
}


def test_long_identifiers_and_unknown_apps_are_refused(folder):
    """An identifier beyond its length in bytes is refused with 400, and one of an unknown app with 404."""
    findings = []
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        for target in targets.device_messages():
            path, message = target.route.rpartition("/")[2], target.message
            for place, _ in samples.fields(message):
                allowed = LONG.get(samples.name(place))
                for text in ("x" * (allowed + 1), "é" * (allowed // 2 + 1)) if allowed else []:
                    answer = targets.buyer.ask(path, samples.replaced(samples.fresh(message), place, text))
                    check(findings, f"{path}, {len(text.encode())} bytes of {samples.name(place)}", answer, 400,
                          "invalid")
            if "bundleIdentifier" in message:
                answer = targets.buyer.ask(path, {**samples.fresh(message), "bundleIdentifier": "com.example.unknown"})
                if path == "products":
                    refused = (answer.json or {}).get("invalidProductIdentifiers")
                    if answer.status != 200 or sorted(refused) != sorted(message["productIdentifiers"]):
                        findings.append(f"products of an unknown app were answered {answer}")
                else:
                    check(findings, f"{path} of an unknown app", answer, 404, "not-found")
        check(findings, "events of an unknown app", events(targets, "com.example.unknown"), 404, "not-found")
        check(findings, "events of a long bundle identifier", events(targets, "x" * 256), 400, "invalid")
        check(findings, "events of no app", events(targets), 400, "invalid")
        check(findings, "events of an app twice", events(targets, BUNDLE, BUNDLE), 400, "invalid")
        check(findings, "events of 65 apps", events(targets, *map(str, range(65))), 400, "invalid")
        check(findings, "events of 64 unknown apps", events(targets, *map(str, range(64))), 404, "not-found")
        assert not findings, report(findings)


def test_many_languages_are_refused(folder):
    """More than 20 languages in a message are refused; of Accept-Language only the first 20 are read."""
    findings = []
    with attacked_store(folder) as attacked:
        device = attacked.device()
        for count, status in ((20, 200), (21, 400), (200_000, 400)):
            message = dict(bundleIdentifier=BUNDLE, productIdentifiers=[SEEDS], languages=["x"] * count)
            before = attacked.store.processor_time()
            answer = device.ask("products", message)
            took = attacked.store.processor_time() - before
            check(findings, f"{count} languages", answer, status, *(["invalid"] if status == 400 else []))
            assert took < QUICKLY, f"{count} languages took {took:.1f} s"
        sheet = device.sheet("languages")
        for header in (",".join(f"x{n}" for n in range(4000)), "," * 25_000, "en;q=" + "1" * 25_000):
            before = attacked.store.processor_time()
            answer = wire.ask(attacked.store, "GET", sheet, [("Accept-Language", header)])
            took = attacked.store.processor_time() - before
            check(findings, f"Accept-Language of {len(header)} bytes", answer, 200)
            assert took < QUICKLY, f"Accept-Language of {len(header)} bytes took {took:.1f} s"
        assert not findings, report(findings)


def test_credentials_are_looked_at_before_bodies(folder):
    """A message with wrong credentials is refused before its body has arrived."""
    findings = []
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        for target in targets.all():
            wrong = dict(target.headers).get("Authorization")
            if not wrong or target.method not in ("POST", "PUT") or target.path.endswith("/register"):
                continue
            headers = [("Host", wire.host_of(attacked.store)), ("Authorization", wrong[:-1] + "g"),
                       ("Content-Length", "60000")]
            other = [*headers[:1], ("Authorization", f"Device {'0' * 32}:{'0' * 64}"), headers[2]]
            for chosen, what in ((headers, "malformed credentials"), (other, "an unknown device's credentials")):
                # A store that waits for the body answers with another status.
                answer = wire.send(attacked.store, wire.head(target.method, target.path, chosen))
                check(findings, f"{target.route} with {what}", answer, 401)
        assert not findings, report(findings)


# Forms of Connect with a file of at most so many bytes beside fields of 64 KiB.
UPLOADS = {"file": 2 << 20, "table": 2 << 20, "promotion": 5 << 20, "images": 5 << 20}
# The files of Connect's API. A package has up to 2 GiB, which are refused by its page (test_connect_content.py).
FILES = {"comparison": 2 << 20, "icon": 5 << 20, "image": 5 << 20, "screenshot": 5 << 20, ":place": 5 << 20,
         "content": None}


def test_large_bodies_are_refused(folder):
    """A body over its limit is refused with 413, or with Apple's number; /verifyReceipt takes 3,145,728 bytes."""
    findings = []
    with attacked_store(folder) as attacked:
        targets = Targets(attacked)
        for target in targets.all():
            path = target.route.split()[1]
            limit = (3_145_728 if path == "/verifyReceipt" else 2 << 20 if path.endswith("key-values")
                     else 8 << 20 if path.endswith(("import-catalogue", "add-item"))
                     else 4 << 20 if path.startswith("/control/v1/content-uploads/")
                     else 256 << 10 if path == "/device/v1/events"
                     else UPLOADS[path.split("/")[-1]] + (64 << 10)
                     if path.startswith("/connect/apps/") and path.split("/")[-1] in UPLOADS
                     else (5 << 20) + (64 << 10) if path in ("/connect/items/:item", "/connect/apps/:app/store-page")
                     else FILES[path.split("/")[-1]] if target.route in samples.CONNECT_FILES
                     else 1 << 20 if path.startswith("/device")
                     else 64 << 10 if path.startswith(("/control", "/connect"))
                     else 16 << 10 if target.form or path.startswith("/inApps") and target.message else None)
            if target.method not in ("POST", "PUT") or limit is None:
                continue
            refused = (400, "4000000") if path.startswith("/inApps") else (413, "too-large")
            if path == "/control/v1/reset":  # Its request has another token, which is checked before the body.
                refused = (401, "credentials-missing")
            for size, status in ((limit, None), (limit + 1, refused[0])):
                body = b'{"x": "' + b"x" * (size - 9) + b'"}'
                answer = wire.send(attacked.store, target.request(attacked.store, body=body))
                if status:
                    check(findings, f"{target.route} with {size} bytes", answer, *refused)
                elif answer.status in (0, 413) or answer.status >= 500:
                    findings.append(f"{target.route} with {size} bytes, its limit, was answered {answer}")
        padded = json.dumps({"receipt-data": targets.known["receipt"]}).encode()
        padded += b" " * (3_145_728 - len(padded))
        answer = wire.ask(attacked.store, "POST", "/verifyReceipt", body=padded)
        if answer.status != 200 or answer.json.get("status") != 0:
            findings.append(f"a receipt in 3,145,728 bytes was answered {answer}")
        assert not findings, report(findings)
