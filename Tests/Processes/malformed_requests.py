# SPDX-License-Identifier: Apache-2.0
"""Every device route with malformed requests: never a 5xx, always a machine-readable code."""

import json

from harness import BUNDLE, EMAIL, SEEDS, Device, Market, code_of, exchange, expect, nothing_charged, raw
from processes import ask

MESSAGES = {
    "register": {},
    "products": {"bundleIdentifier": BUNDLE, "productIdentifiers": [SEEDS], "languages": ["en_US"]},
    "payments": {"requestIdentifier": "payment", "bundleIdentifier": BUNDLE, "productIdentifier": SEEDS, "quantity": 1,
                 "simulatesAskToBuy": False, "applicationUsername": "somebody"},
    "finish": {"bundleIdentifier": BUNDLE, "transactionIdentifier": "2000000000000000"},
    "restore": {"requestIdentifier": "restore", "bundleIdentifier": BUNDLE, "page": 0},
    "receipt": {"requestIdentifier": "receipt", "bundleIdentifier": BUNDLE, "applicationVersion": "1.0",
                "mayAskToSignIn": False},
    "queue": {"bundleIdentifier": BUNDLE},
    "sign-out": {},
}
OPTIONAL = {"applicationUsername"}

# Bodies that aren't JSON, or aren't an object. RFC 8259 requires UTF-8.
NOT_JSON = {
    "nothing": b"", "blank": b"  \n", "cut": b'{"bundleIdentifier": "', "half": b"{", "text": b"hello",
    "only bad UTF-8": b"\xff\xfe\xfd", "zeros": b"\0" * 64, "two objects": b"{}{}",
    "form": b"bundleIdentifier=x&page=0", "deep list": b"[" * 200_000, "deep object": b'{"a":' * 50_000,
    "deep and whole": b"[" * 100_000 + b"]" * 100_000, "XML": b"<?xml version='1.0'?><plist/>",
}
# Bodies that Foundation's decoder accepts nevertheless if it reads none of their fields.
DOUBTFUL = {
    "bad UTF-8": b'{"other": "\xff\xfe\xc0\xaf"}', "a comma too many": b'{"bundleIdentifier": "x",}',
    "UTF-16": '{"page": 0}'.encode("utf-16"),
}
NOT_AN_OBJECT = {"null": b"null", "list": b"[]", "number": b"7", "string": b'"x"', "true": b"true"}
VALUES = [
    None, True, 0, 1, -1, 11, 1.5, 2**31, 2**62, 2**63 - 1, 2**63, -2**63, 2**64, 1e300, "", " ", "x", "\0", "a\0b",
    "\ud800", "\u202e", "../../etc/passwd", "' OR 1=1 --", "%s%n", "x" * 100_000, [], ["x"], [None], [[]], {},
    {"x": 1}, [""] * 3000, ["x" * 2000] * 100,
]


class Findings:
    """Collects wrong answers, so that one run reports all of them."""

    def __init__(self):
        self.problems = []
        self.asked = 0

    def check(self, what, status, text, statuses=None, code=None):
        self.asked += 1
        said = f"{what}: {status} {text[:200]!r}"
        if status >= 500 or (statuses and status not in statuses):
            self.problems.append(f"{said}, expected {statuses or 'no 5xx'}")
        elif status != 200 and code_of(text) is None:
            self.problems.append(f"{said} has no code")
        elif code and code_of(text) != code:
            self.problems.append(f"{said}, expected the code {code}")
        elif status == 200:
            try:
                json.loads(text)
            except ValueError:
                self.problems.append(f"{said} isn't JSON")

    def end(self, market):
        """Requires that all answers were right, that nothing was sold, and that the log has no unexpected error."""
        expect(not self.problems, f"{len(self.problems)} of {self.asked} answers:\n" + "\n".join(self.problems[:30]))
        expect(self.asked > 0, "nothing was asked")
        expect(ask("GET", f"{market.store.url}/healthz")[0] == 200, "the store doesn't answer any more")
        surprises = [line for line in market.store.log.read_text().splitlines() if "unexpected error" in line]
        expect(not surprises, f"the store's log: {surprises[:5]}")
        nothing_charged(market.store)


def bodies(folder):
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


def fields(folder):
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


def encode(message):
    return json.dumps(message).encode()


def credentials(folder):
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


def paths_and_methods(folder):
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
        for path in ("/", "/device", "/device/v1", "/device/v1/", "/device/v1/nothing", "/device/v2/register",
                     "/device/v1/register/x", "/device/v1/../../etc/passwd", "/%00", "/%ff%fe",
                     "/%", "/%zz", "/favicon.ico", "/sheet", "/sheet/", "/" + "x" * 6000, "/?" + "a=b&" * 1000):
            for method in ("GET", "POST", "OPTIONS", "PURGE"):
                answer = exchange(market.store, method, path, b"{}" if method == "POST" else None, headers)
                findings.check(f"{method} {path[:60]}", *answer, statuses={404, 405})
        findings.end(market)


def refusals(folder):
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
                expect(status == 200 and answer["status"] == "failed", f"{name}: {status} {answer}")
                failure = answer["failure"]
                expect(failure["code"] == code and word in failure["message"], f"{name}: {failure}")
        status, answer = device.call(
            "payments", requestIdentifier="other", bundleIdentifier="com.example.other", productIdentifier=SEEDS,
            quantity=1, simulatesAskToBuy=False)
        expect((status, answer["error"]["code"]) == (404, "not-found"), f"a product of another app: {status} {answer}")
        status, answer = device.pay("quantity 0", quantity=1)
        expect((status, answer["error"]["code"]) == (400, "request-mismatch"), f"another payment: {status} {answer}")
        for name in ("", "x" * 201):
            status, answer = device.pay(name)
            expect((status, answer["error"]["code"]) == (400, "invalid"), f"request {name[:9]!r}: {status} {answer}")
        status, answer = device.call(
            "receipt", requestIdentifier="receipt", bundleIdentifier=BUNDLE, applicationVersion="1.0",
            mayAskToSignIn=False)
        expect((status, answer) == (200, {}), f"a receipt without being signed in: {status} {answer}")
        status, answer = device.call(
            "finish", bundleIdentifier=BUNDLE, transactionIdentifier="2000000000000000")
        expect(status in (200, 404), f"finishing an unknown transaction: {status} {answer}")
        expect(EMAIL not in json.dumps(answer), "an address is in an answer")
        nothing_charged(market.store)


def scenarios():
    yield "requests: bodies that aren't JSON", bodies, {}
    yield "requests: fields with other values and types", fields, {}
    yield "requests: wrong credentials", credentials, {}
    yield "requests: wrong paths, methods and queries", paths_and_methods, {}
    yield "requests: payments that are always refused", refusals, {}
