# SPDX-License-Identifier: Apache-2.0
"""Addresses that a hostile store calls payment sheets."""

from hostile_store_variant import Variant
from processes import PATIENCE

# One of each kind: SheetAddressTests have the others, which one function of StoreAgent refuses.
ADDRESSES = {
    "an option of a browser": "--remote-debugging-port=1",
    "a line break": "http://127.0.0.1/\n--remote-debugging-port=1",
    "a megabyte": "http://127.0.0.1/" + "a" * (1 << 20),
}


def is_decided(path):
    """Whether the browser was called, an alert was shown, or the app has repeated its request."""
    return lambda store, victim: (
        victim.browsed or "Ups!" in victim.page.titles() or store.answered.get(path, 0) >= 2)


def more_sheets(wire):
    number = wire.store.asked["payments"]
    wire.json({"status": "authorise", "sheet": f"{wire.store.url}/sheet/{number}"})


def news_of_every_request(wire):
    """Sends `request` events for the payment, so that the app repeats it and gets another sheet."""
    wire.stream()
    while not wire.store.is_closed:
        for request in list(wire.store.requests):
            wire.event("request", {"requestIdentifier": request})
        wire.connection.settimeout(0.02)
        try:
            if not wire.connection.recv(1):
                return
        except TimeoutError:
            pass
        wire.connection.settimeout(PATIENCE)


def remembered_payment(wire):
    wire.store.remember(wire.message["requestIdentifier"])
    more_sheets(wire)


def sheets():
    for name, address in ADDRESSES.items():
        yield Variant(
            f"sheet: {name}", {"payments": lambda wire, address=address: wire.json(
                {"status": "authorise", "sheet": address})},
            is_over=is_decided("payments"))
    yield Variant(
        "sheet: an ordinary one is opened", {}, is_over=lambda store, victim: len(victim.browsed) == 1, windows=1)
    yield Variant(
        "sheet: to sign in, a file", {
            "restore": lambda wire: wire.json({"transactions": [], "sheet": "file:///etc/passwd"})},
        is_over=lambda store, victim: len(victim.browsed) > 1 or "Ups!" in victim.page.titles(), windows=1)
    yield Variant(
        "sheet: another one at each repeat", {"payments": remembered_payment, "events": news_of_every_request},
        is_over=lambda store, victim: store.answered.get("payments", 0) >= 30, windows=5)
