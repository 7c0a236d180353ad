# SPDX-License-Identifier: Apache-2.0
"""Absurd answers to messages."""

import base64
import json
import threading

from harness import APPLE, Failed
from hostile_store import DATE, HostileStore, list_products, product, show_sheet, transaction
from hostile_store_variant import Variant
from values import size

LARGEST, SMALLEST = 2**63 - 1, -2**63
MEGABYTE = 1 << 20
POSITION = {"account": "account", "number": LARGEST}
STOREFRONT = {"countryCode": "USA", "identifier": "143441"}
BLANKS = b" " * 65536


def products_with(**changes):
    def answer(wire):
        listed = [product(identifier, **changes) for identifier in wire.message["productIdentifiers"]]
        wire.json({"products": listed, "invalidProductIdentifiers": [], "storefront": STOREFRONT})

    return answer


def many_products(wire):
    listed = [product(APPLE)] * 20_000
    wire.json({"products": listed, "invalidProductIdentifiers": [APPLE] * 20_000, "storefront": STOREFRONT})


def replaced(old, new):
    """The products, with another text in the place of one."""
    def answer(wire):
        text = json.dumps({"products": [product(APPLE)], "invalidProductIdentifiers": [], "storefront": STOREFRONT})
        wire.text(text.replace(old, new))

    return answer


def endless(wire):
    """A body of a gigabyte without a length."""
    wire.head()
    wire.write(b'{"products":[')
    wire.flood(BLANKS, 1 << 30)


def endless_chunks(wire):
    wire.head("200 OK", None, "application/json", "Transfer-Encoding: chunked")
    wire.flood(b"10000\r\n" + BLANKS + b"\r\n", 1 << 30)


def values(wire):
    """A body of sixty megabytes with a value in every two bytes."""
    body = b"1," * (30 * MEGABYTE)
    wire.head("200 OK", len(body) + 4)
    wire.write(b"[0" + b"," + body[:-1] + b"]]")


def byte_by_byte(wire):
    for _ in range(1000):
        wire.write(b"x")
        wire.connection.settimeout(1)
        try:
            if not wire.connection.recv(1):
                return
        except TimeoutError:
            pass
        if wire.store.is_closed:
            return


def endless_head(wire):
    wire.write(b"HTTP/1.1 200 OK\r\n")
    number = iter(range(1 << 30))
    wire.flood(lambda: b"".join(b"X-%d: %s\r\n" % (next(number), b"y" * 900) for _ in range(64)), 300 * MEGABYTE)


def informational(wire):
    wire.flood(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1000, 64 * MEGABYTE, seconds=size(1, 3))
    list_products(wire)


class Redirecting:
    """A redirect to another store. The app must not follow it, because that store would receive the app's secret."""

    def __init__(self):
        self.other = None

    def answer(self, wire):
        self.other = self.other or HostileStore({})
        wire.text("", "307 Temporary Redirect", f"Location: {self.other.url}/device/v1/products")

    def is_over(self, store, victim):
        if self.other and self.other.asked:
            raise Failed(f"the app followed a redirect: {self.other.asked}")
        return store.answered.get("products") and victim.state["hasFailed"]


def bought(**changes):
    """A purchase of the requested product, with another transaction each time."""
    lock, number = threading.Lock(), [2_000_000_000_000_000]

    def answer(wire):
        with lock:
            number[0] += 1
        wire.json({"status": "purchased", "position": POSITION, "transaction": transaction(
            str(number[0]), wire.message["productIdentifier"],
            requestIdentifier=wire.message["requestIdentifier"], **changes)})

    return answer


def failed(wire):
    wire.json({"status": "failed", "failure": {
        "code": SMALLEST, "message": "\u001b[2J\n" * 1_000_000, "underlying": {"domain": "\u001b", "code": LARGEST}}})


def restored(count, next_page, same=False):
    def answer(wire):
        page = wire.message["page"]
        first = 0 if same else page * count
        rows = [transaction(str(2_100_000_000_000_000 + first + number), APPLE, restores={
            "transactionIdentifier": "2000000000000001", "purchaseDate": DATE, "quantity": 1})
            for number in range(count)]
        wire.json({"transactions": rows, "nextPage": next_page(page), "position": {"account": "account", "number": 5}})

    return answer


def hurry(wire):
    """A stream from which the app reads that an account is signed in, so that it requests a receipt."""
    wire.stream()
    wire.event("transaction", {"transaction": transaction("2000000000000009", APPLE),
                               "position": {"account": "account", "number": 5}})
    wire.hold()


def failed_restore(store, victim):
    return "Ups!" in victim.page.titles()


def raw(data, *arguments):
    return {"products": lambda wire: wire.text(data, *arguments)}


def lists():
    """Whole answers with an absurd list of products."""
    listed = {
        "products: nested 100,000 deep": raw("[" * 100_000 + "]" * 100_000),
        "products: nested 100,000 deep in an object": raw('{"a":' * 100_000 + "1" + "}" * 100_000),
        "products: nothing": raw(""),
        "products: no JSON": raw(bytes(range(256)) * 1000),
        "products: null": raw("null"),
        "products: numbers that no integer holds": {"products": replaced("990", "1e400")},
        "products: a number of 10 million digits": {"products": lambda wire: replaced("990", "9" * 10_000_000)(wire)},
        "products: the lowest price": {"products": products_with(milliunits=SMALLEST)},
        "products: the highest price": {"products": products_with(milliunits=LARGEST)},
        "products: a currency of a megabyte": {"products": products_with(
            currency="X" * MEGABYTE, priceLocale="en_US@currency=" + "X" * MEGABYTE)},
        "products: a locale of control characters": {"products": products_with(
            priceLocale="\u0000\u001b@=;@currency=\u0000", currency="")},
        "products: titles of a megabyte": {"products": products_with(
            title="\u202e" * 300_000, description="x" * MEGABYTE)},
        "products: a period of a megabyte": {"products": products_with(subscriptionPeriod="P" * MEGABYTE)},
        "products: a group of a megabyte": {"products": products_with(subscriptionGroupIdentifier="g" * MEGABYTE)},
        "products: a period that is a number": {"products": products_with(subscriptionPeriod=LARGEST)},
        "products: a period without an end": {"products": products_with(subscriptionPeriod="P" + "9" * 38 + "Y")},
        "products: empty identifiers": {"products": replaced(APPLE, "")},
        "products: 20,000 times the same": {"products": many_products},
    }
    for name, replacing in listed.items():
        yield Variant(name, replacing)


def answers():
    listed = {
        "products: a gigabyte": {"products": endless},
        "products: a gigabyte in chunks": {"products": endless_chunks},
        "products: 30 million numbers": {"products": values},
        "products: headers without an end": {"products": endless_head},
        "products: informational answers": {"products": informational},
        "products: less than the length says": {"products": lambda wire: (wire.head("200 OK", 1000), wire.write(b"{"))},
        "products: a negative length": {"products": lambda wire: wire.head("200 OK", -1)},
        "products: a refusal of 50 megabytes": {"products": lambda wire: wire.json({"error": {
            "code": "x" * MEGABYTE, "message": "\u001b[2J" * (5 * MEGABYTE)}}, "500 Internal Server Error")},
        "products: try again after 1e400 seconds": raw(json.dumps({"error": {
            "code": "unavailable", "message": "Later."}}), "503 Service Unavailable", "Retry-After: 1e400"),
        "payments: a gigabyte": {"payments": endless},
        "payments: a status of a megabyte": {"payments": lambda wire: wire.json({"status": "x" * MEGABYTE})},
        "payments: failed with a long message": {"payments": failed},
        "payments: the largest quantity and date": {"payments": bought(
            quantity=LARGEST, purchaseDate=LARGEST, originalPurchaseDate=SMALLEST)},
        "payments: the smallest quantity and date": {"payments": bought(
            quantity=SMALLEST, purchaseDate=SMALLEST, originalPurchaseDate=LARGEST)},
        "payments: a transaction without an identifier": {"payments": lambda wire: wire.json({
            "status": "purchased", "position": POSITION, "transaction": transaction("", "")})},
        "payments: an identifier with a NUL": {"payments": lambda wire: wire.json({
            "status": "purchased", "position": POSITION, "transaction": transaction("1\u0000", "\u0000")})},
        "receipt: no base64": {"events": hurry, "receipt": lambda wire: wire.json({
            "receipt": "%%%", "position": POSITION})},
        "receipt: twelve megabytes of nothing": {"events": hurry, "receipt": lambda wire: wire.json({
            "receipt": base64.b64encode(b"\x30\x84\x7f\xff\xff\xff" + bytes(12 * MEGABYTE)).decode(),
            "position": POSITION})},
        "receipt: nested DER": {"events": hurry, "receipt": lambda wire: wire.json({
            "receipt": base64.b64encode(b"\x30\x80" * 500_000).decode(), "position": POSITION})},
        "register: another environment": {"register": lambda wire: wire.json({"environment": "../../" * 1000})},
    }
    for name, replacing in listed.items():
        twice = None
        if "receipt" in replacing:  # It is asked for again after a refusal.
            twice = lambda store, victim: store.answered.get("receipt", 0) >= 2  # noqa: E731
        yield Variant(name, replacing, is_over=twice)
    yield Variant("products: byte by byte", {"products": lambda wire: (wire.head("200 OK", 1000), byte_by_byte(wire))},
                  is_over=lambda store, victim: store.asked.get("products"))
    redirecting = Redirecting()
    yield Variant("products: a redirect", {"products": redirecting.answer}, is_over=redirecting.is_over)
    # HostileStoreTests have the same page again, and pages without an end.
    pages = {
        "the largest page": restored(1, lambda page: LARGEST),
        "the smallest page": restored(1, lambda page: SMALLEST),
    }
    for name, answer in pages.items():
        yield Variant(f"restore: {name}", {"restore": answer}, is_over=failed_restore)
    yield Variant("restore: 10,000 times the same transaction", {"restore": restored(10_000, lambda page: None, True)})
    yield Variant("device: never known", {path: lambda wire: wire.json({"error": {
        "code": "unknown-device", "message": "Who?"}}, "401 Unauthorized") for path in ("products", "queue")},
        is_over=lambda store, victim: victim.state["hasFailed"])
    yield Variant("payments: an ordinary sheet, answered twice", {"payments": show_sheet})
