# SPDX-License-Identifier: Apache-2.0
"""Each field of a valid request in turn with each hostile value: messages, queries and forms."""

import json
import urllib.parse

import samples
import values
from attacks import case, described
from harness import BUNDLE
from attacked_store import STRANGER
from page_forms import encoded

PLACEHOLDER = "PLACE-OF-THE-VALUE"


def with_text(message, place, text):
    """A message's bytes with a text, which needn't be JSON, in the place of one value."""
    written = json.dumps(samples.replaced(samples.fresh(message), place, PLACEHOLDER))
    return written.replace(f'"{PLACEHOLDER}"', text).encode("utf-8", "surrogatepass")


def messages(target, store):
    if not target.message:
        return
    for place, value in samples.fields(target.message):
        for text in values.some(values.ALL if samples.is_number(value) else values.MOST):
            what = f"{samples.name(place)} = {text[:40]}"
            yield described(target, what, target.request(store, body=with_text(target.message, place, text)))
        if isinstance(place[-1], str):
            lacking = json.dumps(samples.without(target.message, place)).encode()
            yield described(target, f"no {samples.name(place)}", target.request(store, body=lacking))


RANGES = [
    "bytes=", "bytes=-", "bytes=--1", "bytes=0-", "bytes=-0", "bytes=5-4", "bytes=9223372036854775807-",
    "bytes=-9223372036854775808", "bytes=0-9223372036854775807", "bytes=18446744073709551616-", "bytes=0-0,-1",
    "bytes=" + "0-0," * 2000, "bytes=" + "9" * 5000 + "-", "lines=0-1", "=", "bytes", "bytes=a-b", "BYTES=0-1",
    "bytes=0-1 ", b"bytes=\xff-", "bytes=0x0-0x1",
]


def contents(target, store):
    """The parts of a content's address, its ranges and its preconditions."""
    if not target.path.startswith("/content/"):
        return
    parts = target.path.split("/")
    for place in (2, 3, 4):
        for text in (*values.TEXTS, parts[place][:-1], parts[place] + "0", parts[place].upper(), ".", "..", "%00"):
            path = "/".join([*parts[:place], urllib.parse.quote(text[:5000], errors="replace"), *parts[place + 1:]])
            yield described(target, f"{text[:30]!r} at {place}", target.request(store, path=path))
    for text in RANGES:
        yield described(target, f"the range {text[:30]!r}", target.request(store, headers=[("Range", text)]))
    for name in ("If-Range", "If-Match", "If-None-Match"):
        for text in ("", "*", '"', "W/", '"x"', "," * 5000, '"' + "x" * 5000 + '"'):
            headers = [(name, text), ("Range", "bytes=0-1")]
            yield described(target, f"{name}: {text[:30]!r}", target.request(store, headers=headers))


# Further texts for the fields of a sheet's form: decisions and prices.
SHEET_TEXTS = [
    "buy", "cancel", "sign-in", "check", "redeem", "990 USD", "-9223372036854775808 USD", "1e400 USD",
    "9223372036854775808 USD", "990 " + "U" * 5000, "990", "USD 990", "990  USD", "\u2066990 USD",
]
NO_FORMS = [
    b"&", b"=", b"&&==", b"decision", b"decision=%", b"decision=%zz", b"decision=%ff%fe", b"decision[]=buy",
    b"decision[x][y]=buy", b"decision=buy&decision=sign-in", b"decision=buy&password[]=x", b"a=b&" * 3000,
    b"decision=buy&email=%00&password=%00", b"[" * 5000, b"decision" + b"[a]" * 3000 + b"=x", b"decision=buy;email=x",
    b"--x\r\nContent-Disposition: form-data; name=decision\r\n\r\nbuy\r\n--x--",
]


def forms(target, store, new_sheet):
    """Every field of a form with every hostile text. Each sheet is used for a few of them."""
    if not target.form:
        return
    count = 0

    def path():
        nonlocal count, sheet
        if not target.asks:
            return target.path
        if count % 4 == 0:
            sheet = new_sheet(target.asks)
        count += 1
        return sheet

    sheet = None
    # Wrong passwords make the store hash and are tested by another scenario: here the password is empty.
    empty = dict.fromkeys(target.form.keys() & {"password"}, "")
    for name in [name for name in target.form if name != "decision" or not target.is_further]:
        for number, text in values.some(enumerate([*values.TEXTS, *(SHEET_TEXTS if target.asks else [])])):
            if name == "decision" and text == "cancel":
                continue
            email = {"email": f"{name}-{number}@example.com"} if "email" in target.form else {}
            body = encoded({**target.form, **email, **empty, name: text}, target.is_multipart)
            yield described(target, f"{name}={text[:40]!r}", target.request(store, body=body, path=path()),
                       may_hang_up=len(body) > 16_000)
    for body in [] if target.is_further else values.some(NO_FORMS):
        yield described(target, f"the form {body[:40]!r}", target.request(store, body=body, path=path()))
    if "email" not in target.form:
        return
    # The check of a wrong password takes a while: a form gets one of the addresses.
    addresses = [STRANGER.upper(), f" {STRANGER} ", f"{STRANGER}\0", f"{STRANGER}\r\nBcc: x"]
    for email in values.size([values.CHANCE.choice(addresses)], addresses):
        body = encoded({**target.form, "email": email, "password": "wrong"}, target.is_multipart)
        yield described(target, f"email={email!r}", target.request(store, body=body, path=path()))


PATHS = [
    "//", "/device", "/device/v1", "/device/v1/", "/device/v1/nothing", "/device/v2/register",
    "/device/v1/register/x", "/device/v1/../../etc/passwd", "/device/v1/..%2f..%2fcontrol/v1/refund", "/%00", "/%ff%fe",
    "/%", "/%zz", "/sheet",
    "/sheet/", "/sheet/%00", "/sheet/%2e%2e", "/sheet/..%2fsheet.js", "/sheet/x/closed", "/sheet/%F0%9F%8D%8E",
    "/sheet/'%20OR%201=1", "/sheet/" + "x" * 5000, "/sheet/sheet.js/..", "/pki/", "/pki/..%2fintermediate.key",
    "/pki/../authority/root.key", "/pki/%00.crl", "/pki/.crl", "/pki/.cer", "/pki/root.CRL", "/pki/root.cer%00.crl",
    "/pki/" + "x" * 5000 + ".crl", "/pki/é.cer", "/pki/ocsp/", "/pki/ocsp/%%%", "/pki/ocsp/====",
    "/pki/ocsp/MDAwLjAs%", "/pki/ocsp/" + "A" * 40_000, "/control", "/control/v1", "/control/v1/nothing",
    "/control/v1/approve/..",
    "/healthz/", "/healthz/x", "/readyz%00", "/favicon.ico", "/.git/config", "/x" * 3000, "/?" + "a=b&" * 1000,
    "/" + "%2f" * 3000,
    "/verifyReceipt/", "/VERIFYRECEIPT", "*", "http://attacker.example/healthz", "http://", "//attacker.example/x",
    f"/device/v1/events?bundle={BUNDLE}#x", "/\u202egnp", "/:token", "/sheet/:token", "/**", "\\..\\..",
]


def paths(target, store):
    """Paths that no route has, with each method that a route has."""
    for path in PATHS:
        for method in ("GET", "POST", "OPTIONS"):
            body = b"{}" if method == "POST" else None
            plain = path.isascii() and path.startswith("/") and len(path) < 16_000
            request = target.request(store, body=body, method=method, path=path)
            yield case(target, f"{method} {path[:50]!r} instead", request, may_hang_up=not plain, ends=not plain)
