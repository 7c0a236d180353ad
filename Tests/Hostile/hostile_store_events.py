# SPDX-License-Identifier: Apache-2.0
"""Absurd streams of events."""

import itertools
import json
import time

import values
from harness import APPLE, SEEDS, Failed
from hostile_store import transaction
from hostile_store_answers import LARGEST, MEGABYTE, SMALLEST, byte_by_byte
from hostile_store_variant import Variant

SECONDS = values.size(0.5, 1.5)  # How long a flood lasts.


def at(number, account="account"):
    return {"account": account, "number": number}


def frame(name, body):
    return f"id: 0\nevent: {name}\ndata: {json.dumps(body)}\n\n".encode()


def stream(*parts):
    """Sends these bytes, then a `request` event for the payment: the app repeats the payment when it has read all."""
    def events(wire):
        wire.stream()
        for part in parts:
            wire.write(part)
        wire.store.has_request.wait()
        for request in list(wire.store.requests):
            wire.event("request", {"requestIdentifier": request})
        wire.hold()

    return events


def flood(make, most=1 << 30):
    """Sends frames that are made from increasing numbers, for some seconds."""
    def events(wire):
        wire.stream()
        numbers = itertools.count(1)
        wire.flood(lambda: b"".join(make(next(numbers)) for _ in range(100)), most, SECONDS)
        wire.store.count(wire.store.answered, "flood")

    return events


def ending(wire):
    wire.stream()
    wire.event("account", {})


def limits():
    """Events whose numbers are at the limits of their types, and go back."""
    for number in (LARGEST, 5, SMALLEST, -1, 0):
        yield frame("position", {"position": at(number)})
        for quantity, date in ((LARGEST, LARGEST), (SMALLEST, SMALLEST), (0, 0)):
            yield frame("transaction", {"position": at(number), "transaction": transaction(
                f"20000{abs(number)}{abs(date)}", SEEDS, quantity=quantity, purchaseDate=date,
                originalPurchaseDate=-date - 1)})


def twice(quantity):
    """Two purchases of a consumable, which the app delivers without waiting for a receipt."""
    return {"snapshot": {"transactions": [
        transaction(str(2_200_000_000_000_000 + number), SEEDS, quantity=quantity) for number in range(2)]}}


def snapshot(count, identifier=lambda number: str(2_000_000_000_000_000 + number)):
    return frame("snapshot", {"snapshot": {"position": at(5), "transactions": [
        transaction(identifier(number), APPLE) for number in range(count)]}})


def has_begun(store, victim):
    return store.asked.get("events")


def has_read(store, victim):
    """Whether the app has repeated its payment, has finished a transaction, or opens a third stream."""
    return (store.answered.get("payments", 0) >= 2 or store.answered.get("finish")
            or store.asked.get("events", 0) >= 3)


def events():
    once = {
        "numbers at their limits": stream(*limits()),
        "quantities that add up to too much": stream(frame("snapshot", twice(LARGEST))),
        "quantities that add up to too little": stream(frame("snapshot", twice(SMALLEST))),
        "dates at their limits": stream(frame("snapshot", {"snapshot": {"transactions": [
            transaction("2000000000000001", APPLE, purchaseDate=LARGEST, originalPurchaseDate=SMALLEST)]}})),
        "many transactions in one event": stream(snapshot(values.size(10_000, 20_000))),
        "1,000 times the same transaction": stream(snapshot(1000, lambda number: "2000000000000001")),
        "transactions without identifiers": stream(snapshot(10, lambda number: "")),
        "nested 100,000 deep": stream(b"id: 0\nevent: position\ndata: " + b"[" * 100_000 + b"\n\n"),
        "no JSON": stream(b"id: 0\nevent: position\ndata: \xff\xfe\x00\n\n"),
        "a million numbers": stream(b"id: 0\nevent: position\ndata: [" + b"1," * MEGABYTE + b"1]\n\n"),
        "a storefront of a megabyte": stream(frame("storefront", {
            "position": at(5), "storefront": {"countryCode": "X" * MEGABYTE, "identifier": "\u0000"}})),
        "an app that the request doesn't name": stream(b"id: 1\nevent: position\ndata: {}\n\n"),
        "no app": stream(b"event: position\ndata: {}\n\n"),
        "a refusal": stream(frame("refused", {"code": "x" * MEGABYTE, "message": "\u001b[2J", "retryAfter": 0})),
        "an account of a megabyte": stream(frame("position", {"position": at(5, "x" * MEGABYTE)})),
        "a line without an end": lambda wire: (wire.stream(), wire.flood(b"x" * 65536, 300 * MEGABYTE, SECONDS)),
        "data without an end": lambda wire: (wire.stream(), wire.flood(b"data:\n" * 10_000, 300 * MEGABYTE, SECONDS)),
        "a name without an end": lambda wire: (
            wire.stream(), wire.write(b"event:"), wire.flood(b"x" * 65536, 300 * MEGABYTE, SECONDS)),
        "byte by byte": lambda wire: (wire.stream(), byte_by_byte(wire)),
    }
    for name, answer in once.items():
        yield Variant(f"events: {name}", {"events": answer}, is_over=has_begun if name == "byte by byte" else has_read)
    floods = {
        "positions": lambda number: frame("position", {"position": at(number)}),
        "requests": lambda number: frame("request", {"requestIdentifier": f"{number:032x}"}),
        "unknown names": lambda number: frame("weather", {"degrees": number}),
        "comments": lambda number: b": alive\n\n" * 100,
        "accounts": lambda number: frame("position", {"position": at(number, f"account {number}")}),
        "key-values": lambda number: frame("key-values", {"position": at(number)}),
        "transactions": lambda number: frame("transaction", {
            "position": at(number), "transaction": transaction(str(2_000_000_000_000_000 + number), APPLE)}),
        "refunds": lambda number: frame("revoked", {"position": at(number), "revoked": {
            "originalTransactionIdentifier": str(number), "productIdentifier": str(number), "isEntitlement": True}}),
        "storefronts": lambda number: frame("storefront", {
            "position": at(number), "storefront": {"countryCode": f"{number}", "identifier": f"{number}"}}),
    }
    for name, make in floods.items():
        yield Variant(f"events: a flood of {name}", {"events": flood(make)},
                      is_over=lambda store, victim: store.answered.get("flood"))
    yield Variant("events: an account that changes without an end", {"events": ending}, is_over=is_calm)


def is_calm(store, victim):
    """Requires, after two seconds, that the app has opened at most 40 streams per second."""
    wait = getattr(store, "since", None)
    if wait is None:
        store.since = (time.monotonic(), store.asked.get("events", 0))
        return False
    began, before = wait
    passed = time.monotonic() - began
    if passed < 2:
        return False
    rate = (store.asked.get("events", 0) - before) / passed
    if rate > 40:
        raise Failed(f"the app opens {rate:.0f} streams in a second")
    return True
