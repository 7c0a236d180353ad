# SPDX-License-Identifier: Apache-2.0
"""The sheet and /verifyReceipt with bodies that they can't use, and every route with broken HTTP: never a 5xx."""

import json
import urllib.parse

from harness import Device, Market, ask, exchange, raw
from malformed import DOUBTFUL, MESSAGES, NOT_AN_OBJECT, NOT_JSON, VALUES, Findings, encode

FORMS = [
    b"", b"&", b"=", b"&&==", b"decision", b"decision=", b"decision=steal", b"decision=buy", b"decision=sign-in",
    b"decision=buy&email=%zz&password=%", b"decision=buy&email=%ff%fe&password=%c0%af", b"\xff\xfe\xfd", b"\0\0\0",
    b'{"decision": "buy"}', b"decision=buy&decision=cancel", b"decision[]=buy", b"decision[x][y]=buy",
    b"decision=buy&shown=cheap&email=a&password=b", b"decision=buy&shown=9223372036854775808+USD&email=a&password=b",
    b"decision=buy&email=" + b"x" * 8000 + b"&password=x", b"decision=buy&email=a%00b&password=a%00b",
    b"decision=buy&email=nobody%40example.com&password=" + b"p" * 8000, b"a=b&" * 2000,
]
TOKENS = ["x", "0" * 64, "%00", "%ff%fe", "..", "%2e%2e%2f", "x" * 5000, "'%20OR%201=1", "%F0%9F%8D%8E", "sheet.js/x"]
AS_PROGRAM = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}


def test_the_forms_of_a_sheet(folder):
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        address = device.pay("payment")[1]["sheet"]
        path = urllib.parse.urlsplit(address).path
        for form in FORMS:
            if form.endswith(b"decision=cancel"):
                continue
            answer = exchange(market.store, "POST", path, form, AS_PROGRAM)
            findings.check(f"the sheet with {form[:50]}", *answer, statuses={400, 401, 429})
        for type in ("application/json", "multipart/form-data; boundary=x", "text/plain", "nonsense", ""):
            answer = exchange(market.store, "POST", path, b"--x\r\n\r\n", {**AS_PROGRAM, "Content-Type": type})
            findings.check(f"the sheet with content of type {type!r}", *answer, statuses={400})
        answer = exchange(market.store, "POST", path, b"email=" + b"x" * (1 << 20), AS_PROGRAM)
        findings.check("the sheet with a huge form", *answer, statuses={413}, code="too-large")
        for cookie in ("store_session=x", "store_session=", "store_session=%00", "=", ";;;",
                       "store_session=" + "x" * 5000):
            answer = exchange(
                market.store, "POST", path, b"decision=buy", {**AS_PROGRAM, "Cookie": cookie})
            findings.check(f"the sheet with the cookie {cookie[:40]}", *answer, statuses={401}, code="wrong-password")
        for site in ("cross-site", "same-site", "nonsense"):
            for end in ("", "/closed"):
                answer = exchange(
                    market.store, "POST", path + end, b"decision=cancel", {**AS_PROGRAM, "Sec-Fetch-Site": site})
                findings.check(f"the sheet{end} from {site}", *answer, statuses={403}, code="cross-site")
        for token in TOKENS:
            for method, end in (("GET", ""), ("POST", ""), ("POST", "/closed")):
                answer = exchange(
                    market.store, method, f"/sheet/{token}{end}", b"decision=cancel" if method == "POST" else None,
                    AS_PROGRAM)
                findings.check(f"{method} /sheet/{token[:40]}{end}", *answer, statuses={404}, code="not-found")
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
            answer = exchange(market.store, method, path, None, AS_PROGRAM)
            findings.check(f"{method} of a sheet", *answer, statuses={404, 405})
        # A browser gets a page for every form.
        for form in FORMS:
            status, page = exchange(market.store, "POST", "/sheet/x", form, {"Accept": "text/html"})
            assert status in (400, 404) and "<html" in page, f"the page for {form[:50]}: {status} {page[:200]}"
        # None of these forms is a decision: the customer can still decide.
        status, text = market.customer.decide(address, "cancel")
        assert status == 200, f"the sheet can't be cancelled after all that: {status} {text}"
        assert device.pay("payment")[1]["failure"]["code"] == 2, "the payment isn't cancelled"
        findings.end(market)


def test_verify_receipt(folder):
    with Market(folder).open() as market:
        problems = []

        def check(what, wanted, status, text):
            try:
                found = json.loads(text)["status"]
            except (ValueError, KeyError, TypeError):
                found = None
            if status != 200 or found != wanted:
                problems.append(f"{what}: {status} {text[:100]!r}, expected Apple's {wanted}")

        def post(body, **headers):
            return exchange(market.store, "POST", "/verifyReceipt", body, headers)

        for name, body in {**NOT_JSON, **DOUBTFUL, **NOT_AN_OBJECT}.items():
            check(name, 21002, *post(body))
        for value in VALUES:
            check(f"receipt-data = {repr(value)[:40]}", 21002, *post(encode({"receipt-data": value})))
        for receipt in ("MA==", "MIAGCSqGSIb3DQEHAqCA", "AAAA" * 1000, "MIIB" + "A" * 4000, "MIT/////"):
            check(f"a receipt {receipt[:20]}", 21002, *post(encode({"receipt-data": receipt})))
        check("no receipt-data", 21002, *post(encode({"password": "secret"})))
        check("a huge body", 21002, *post(b'{"receipt-data": "' + b"A" * ((3 << 20) - 100) + b'"}'))
        check("another content type", 21002, *post(b"receipt-data=MA==", **{"Content-Type": "text/plain"}))
        for method in ("GET", "PUT", "DELETE", "PATCH"):
            check(method, 21000, *exchange(market.store, method, "/verifyReceipt"))
        assert not problems, "\n".join(problems)
        assert ask("GET", f"{market.store.url}/healthz")[0] == 200, "the store doesn't answer any more"


def test_broken_http(folder):
    """Bodies whose HTTP is broken (RFC 9112, sections 6 and 7)."""
    findings = Findings()
    with Market(folder).open() as market:
        device = Device(market.store).register()
        sheet = urllib.parse.urlsplit(device.pay("payment")[1]["sheet"]).path
        routes = [*(f"/device/v1/{path}" for path in MESSAGES), sheet, "/sheet/x", "/verifyReceipt"]
        chunked = "Transfer-Encoding: chunked\r\n"
        begun = {  # the head is valid, the body isn't
            "no chunk size": (chunked, b"zz\r\n{}\r\n0\r\n\r\n"),
            "a chunk size beyond everything": (chunked, b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
            "a negative chunk size": (chunked, b"-2\r\n{}\r\n0\r\n\r\n"),
            "a chunk longer than it says": (chunked, b"1\r\n{}\r\n0\r\n\r\n"),
            "chunks that break off": (chunked, b"2\r\n{"),
            "chunks without an end": (chunked, b"2\r\n{}\r\n"),
            "a body that breaks off": ("Content-Length: 1000\r\n", b"{}"),
        }
        headless = {  # the head isn't valid: no route is called
            "a length that is none": ("Content-Length: x\r\n", b"{}"),
            "a negative length": ("Content-Length: -2\r\n", b"{}"),
            "a length beyond everything": ("Content-Length: 99999999999999999999\r\n", b"{}"),
            "two lengths": ("Content-Length: 2\r\nContent-Length: 3\r\n", b"{}"),
            "a length and chunks": (f"Content-Length: 2\r\n{chunked}", b"2\r\n{}\r\n0\r\n\r\n"),
            "a header without a name": (": x\r\n", b""),
            "a header with a zero": ("X: a\0b\r\n", b""),
            "an endless header": ("X: " + "x" * (1 << 20) + "\r\n", b""),
        }
        for route in routes:
            head = (f"POST {route} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n"
                    f"Authorization: {device.authorization}\r\n")
            for name, (headers, body) in begun.items():
                status, text = raw(market.store, f"{head}{headers}\r\n".encode() + body, ends=True)
                what = f"{route} with {name}"
                if route == "/verifyReceipt":
                    findings.asked += 1
                    if (status, text) != (200, '{"status":21002}'):
                        findings.problems.append(f"{what}: {status} {text[:200]}")
                else:
                    findings.check(what, status, text, statuses={400, 404})
            for name, (headers, body) in headless.items():
                status, text = raw(market.store, f"{head}{headers}\r\n".encode() + body, ends=True)
                findings.asked += 1
                # The HTTP parser refuses these heads by an answer without a body.
                if status not in (0, 400, 431):
                    findings.problems.append(f"{route} with {name}: {status} {text[:200]}")
        for request in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n",
                        b"BREW / HTTP/1.1\r\n\r\n", b"\0" * 4096, b"POST /verifyReceipt HTTP/1.1\r\n",
                        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
            status, text = raw(market.store, request, ends=True)
            findings.asked += 1
            if status >= 500:
                findings.problems.append(f"{request[:40]}: {status} {text[:200]}")
        status, text = market.customer.decide(f"{market.store.url}{sheet}", "cancel")
        assert status == 200, f"the sheet can't be cancelled after all that: {status} {text}"
        findings.end(market)
