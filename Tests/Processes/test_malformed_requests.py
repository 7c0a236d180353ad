# SPDX-License-Identifier: Apache-2.0
"""Every device route with malformed requests: never a 5xx, always a machine-readable code."""

import json

from harness import BUNDLE, EMAIL, SEEDS, Device, Market, exchange, nothing_charged, raw
from malformed import DOUBTFUL, MESSAGES, NOT_AN_OBJECT, NOT_JSON, OPTIONAL, VALUES, Findings, encode


def test_bodies_that_are_not_json(folder):
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        for path, message in MESSAGES.items():
            for name, body in NOT_JSON.items():
                findings.check(f"{path}, {name}", *device.send(path, body), statuses={400}, code="malformed")
            for name, body in NOT_AN_OBJECT.items():
                expected = {400} if message else {200, 400}
                findings.check(f"{path}, {name}", *device.send(path, body), statuses=expected)
            for name, body in DOUBTFUL.items():
                findings.check(f"{path}, {name}", *device.send(path, body), statuses={200, 400, 404})
            huge = b'{"x": "' + b"x" * (3 << 20) + b'"}'
            findings.check(f"{path}, huge", *send_huge(device, path, huge), statuses={413}, code="too-large")
        findings.end(market)


def send_huge(device, path, body):
    """Sends a body that the server may refuse before all of it was sent, and returns the answer."""
    head = (f"POST /device/v1/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {device.authorization}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()
    status, text = raw(device.store, head + body)
    return status, text


def test_fields_with_other_values_and_types(folder):
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        for path, message in MESSAGES.items():
            for field, good in message.items():
                without = {key: value for key, value in message.items() if key != field}
                statuses = {200, 400} if field in OPTIONAL else {400}
                findings.check(f"{path} without {field}", *device.send(path, encode(without)), statuses=statuses)
                for value in VALUES:
                    what = f"{path} with {field} = {repr(value)[:40]}"
                    answer = device.send(path, encode({**without, field: value}))
                    if type(value) is not type(good) and not (field in OPTIONAL and value is None):
                        # JSON has one type for numbers: 1 and 1.0 are the same.
                        findings.check(what, *answer, statuses={400}, code="malformed")
                    else:
                        findings.check(what, *answer)
            findings.check(f"{path} with more than it takes", *device.send(path, encode({**message, "more": [1]})))
            twice = encode(message)[:-1] + (b"," if message else b"") + b'"bundleIdentifier": 7}'
            findings.check(f"{path} with a field twice", *device.send(path, twice))
        findings.end(market)


def test_wrong_credentials(folder):
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        good = device.authorization
        wrong = [
            "", "Device", "Device ", "Device :", f"Bearer {device.secret}", f"Device {device.identifier}",
            f"Device {device.identifier}:", f"Device :{device.secret}", f"{good}:x", f"{good} x", good.upper(),
            f"Device {device.identifier[:-1]}:{device.secret}", f"Device {device.identifier}:{device.secret[:-1]}",
            f"Device {device.identifier}:{device.secret}00", f"Device {'g' * 32}:{device.secret}",
            f"Device {device.identifier}:{'é' * 64}", "Basic dXNlcjpwYXNz", "Device " + "a" * 9000,
        ]
        routes = [("POST", f"/device/v1/{path}", encode(message)) for path, message in MESSAGES.items()]
        routes.append(("POST", "/device/v1/events", encode({"apps": [{"bundleIdentifier": BUNDLE}]})))
        for method, path, body in routes:
            findings.check(
                f"{path} without credentials", *exchange(market.store, method, path, body), statuses={401},
                code="credentials-missing")
            for header in wrong:
                answer = exchange(market.store, method, path, body, {"Authorization": header.encode()})
                findings.check(
                    f"{path} with {header[:60]!r}", *answer, statuses={401}, code="credentials-missing")
            other = f"Device {device.identifier}:{'0' * 64}"
            answer = exchange(market.store, method, path, body, {"Authorization": other})
            expected = ({409}, "device-taken") if path.endswith("register") else ({401}, "unknown-device")
            findings.check(f"{path} with another secret", *answer, *expected)
            if not path.endswith("register"):
                unknown = f"Device {'0' * 32}:{device.secret}"
                answer = exchange(market.store, method, path, body, {"Authorization": unknown})
                findings.check(f"{path} of an unknown device", *answer, statuses={401}, code="unknown-device")
        findings.end(market)


def test_wrong_paths_methods_and_queries(folder):
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        headers = {"Authorization": device.authorization}
        for path in MESSAGES:
            for method in ("GET", "PUT", "DELETE", "PATCH"):
                answer = exchange(market.store, method, f"/device/v1/{path}", None, headers)
                findings.check(f"{method} {path}", *answer, statuses={405}, code="method-not-allowed")
        answer = exchange(market.store, "GET", "/device/v1/events", None, headers)
        findings.check("GET events", *answer, statuses={405}, code="method-not-allowed")
        for path in ("/device", "/device/v1", "/device/v1/", "/device/v1/nothing", "/device/v2/register",
                     "/device/v1/register/x", "/device/v1/../../etc/passwd", "/%00", "/%ff%fe",
                     "/%", "/%zz", "/favicon.ico", "/sheet", "/sheet/", "/" + "x" * 6000, "/x?" + "a=b&" * 1000):
            for method in ("GET", "POST", "OPTIONS", "PURGE"):
                answer = exchange(market.store, method, path, b"{}" if method == "POST" else None, headers)
                findings.check(f"{method} {path[:60]}", *answer, statuses={404, 405})
        findings.end(market)


def test_payments_that_are_always_refused(folder):
    """Well-formed payments that the store refuses: each is answered, recorded, and never charged."""
    with Market(folder).open() as market:
        device = Device(market.store).register()
        wrong = [
            ("unknown product", dict(product=f"{BUNDLE}.Durian"), 3, "Durian"),
            ("no product", dict(product=""), 3, "product"),
            ("quantity 0", dict(quantity=0), 3, "1 to 10"),
            ("quantity 11", dict(quantity=11), 3, "1 to 10"),
            ("quantity -1", dict(quantity=-1), 3, "1 to 10"),
            ("quantity 2^52", dict(quantity=2**52), 3, "1 to 10"),
            ("two of a non-consumable", dict(product=f"{BUNDLE}.Apple", quantity=2), 3, "once"),
        ]
        for name, payment, code, word in wrong:
            for _ in range(2):  # a repeat gets the same answer
                status, answer = device.pay(name, **payment)
                assert status == 200 and answer["status"] == "failed", f"{name}: {status} {answer}"
                failure = answer["failure"]
                assert failure["code"] == code and word in failure["message"], f"{name}: {failure}"
        status, answer = device.call(
            "payments", requestIdentifier="other", bundleIdentifier="com.example.other", productIdentifier=SEEDS,
            quantity=1, simulatesAskToBuy=False)
        assert (status, answer["error"]["code"]) == (404, "not-found"), f"a product of another app: {status} {answer}"
        status, answer = device.pay("quantity 0", quantity=1)
        assert (status, answer["error"]["code"]) == (400, "request-mismatch"), f"another payment: {status} {answer}"
        for name in ("", "x" * 201):
            status, answer = device.pay(name)
            assert (status, answer["error"]["code"]) == (400, "invalid"), f"request {name[:9]!r}: {status} {answer}"
        status, answer = device.call(
            "receipt", requestIdentifier="receipt", bundleIdentifier=BUNDLE, applicationVersion="1.0",
            mayAskToSignIn=False)
        assert (status, answer) == (200, {}), f"a receipt without being signed in: {status} {answer}"
        status, answer = device.call(
            "finish", bundleIdentifier=BUNDLE, transactionIdentifier="2000000000000000")
        assert status in (200, 404), f"finishing an unknown transaction: {status} {answer}"
        assert EMAIL not in json.dumps(answer), "an address is in an answer"
        nothing_charged(market.store)
