# SPDX-License-Identifier: Apache-2.0
"""Floods of connections: slow heads, half heads, unread streams, incomplete bodies and large bodies.

Each attack leaves its connections open, so that they are still open at the honest purchase and SIGTERM after it.
"""

import threading
import time

import values
import wire
from attacked_store import MEGABYTES, STRANGER, STRANGERS_PASSWORD
from harness import BUNDLE
from honest import HonestDevice
from processes import PATIENCE
from streams import events_request, stream

SLOW, HALF, STREAMS, LARGE, PIPELINES = 200, 1100, values.size(160, 300), 100, 200
DRIPPING = 6  # seconds
GROWTH = 200 * MEGABYTES
BODY = 3_145_728


def slow_connections(attacked, count=SLOW, seconds=DRIPPING):
    """Heads that are sent at one byte a second."""
    request = b"GET /healthz HTTP/1.1\r\nHost: " + wire.host_of(attacked.store).encode() + b"\r\nX-Slow: " + b"x" * 500
    connections = [attacked.hold(wire.connect(attacked.store)) for _ in range(count)]
    started = time.monotonic()
    for byte in range(len(request)):
        for connection in connections:
            try:
                connection.send(request[byte:byte + 1])
            except OSError:
                pass  # The store has closed it.
        if time.monotonic() - started > seconds:
            return
        time.sleep(1)


def half_heads(attacked, count=HALF):
    """More half-sent heads than the store may have files."""
    for number in range(count):
        try:
            connection = attacked.hold(wire.connect(attacked.store, seconds=5))
            connection.sendall(b"POST /device/v1/queue HTTP/1.1\r\nX: %d" % number)
        except OSError:
            pass  # The store may refuse or close the connection.


def held_bodies(attacked, count=20):
    """Complete heads, each followed by the first byte of its body only."""
    device = attacked.device(attacked.address())
    for path in ("/verifyReceipt", "/device/v1/queue", "/pki/ocsp", "/sheet/x"):
        for _ in range(count // 4):
            connection = attacked.hold(wire.connect(attacked.store))
            connection.sendall(wire.head("POST", path, [
                ("Host", wire.host_of(attacked.store)), ("Authorization", device.authorization),
                ("Content-Length", "1000")]) + b"{")


def unread_streams(attacked, count=STREAMS):
    """Event streams that the client doesn't read, while the country of the stranger's account changes 100 times."""
    source, devices = attacked.address(), []
    while len(devices) * 4 < count:
        device = HonestDevice(attacked.store, source).register()
        if len(devices) < 4:
            device.sign_in(STRANGER, STRANGERS_PASSWORD)
        devices.append(device)
        for _ in range(4):
            stream(attacked, device, BUNDLE, source=source, receive_buffer=4096)
    token = (attacked.store.data / "control.token").read_text().strip()
    for number in range(100):
        body = b'{"email": "%s", "storefront": "%s"}' % (STRANGER.encode(), (b"USA", b"DEU")[number % 2])
        answer = wire.ask(attacked.store, "POST", "/control/v1/account", [("Authorization", f"Bearer {token}")], body)
        assert answer.status == 200, f"changing the stranger's country was answered {answer}"


def large_bodies(attacked, count=LARGE):
    """Bodies of 3 MiB without their last byte, from ten addresses; returns the growth of the peak memory in KiB."""
    store = attacked.store
    before = store.kilobytes("VmRSS")
    refused, lock = [], threading.Lock()
    head = wire.head("POST", "/verifyReceipt", [("Host", wire.host_of(store)), ("Content-Length", str(BODY))])
    content = b'{"receipt-data": "' + b"A" * (BODY - 19)

    def send(source):
        try:
            connection = attacked.hold(wire.connect(store, source, seconds=10))
            connection.sendall(head + content)
            return
        except TimeoutError:
            return  # The store reads no further.
        except OSError:
            pass
        answer = wire.read_answer(connection)
        with lock:
            refused.append(answer)

    sources = [attacked.address() for _ in range(10)]
    threads = [threading.Thread(target=send, args=(sources[number % 10],)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    odd = [str(answer) for answer in refused if answer.status and wire.problem(answer)]
    assert not odd, f"of {len(refused)} refused bodies: {odd[:3]}"
    settle(attacked)
    grown = store.kilobytes("VmHWM") - before
    assert grown < GROWTH, f"{count} bodies of {BODY} bytes took {grown // MEGABYTES} MB of memory"
    return grown


def bodies_of_one_address(attacked):
    """Bodies from one address that would fill the memory for bodies if an address weren't limited to a share of it."""
    store, source = attacked.store, attacked.address()
    for size in [BODY] * 21 + [2_000_000]:
        try:
            connection = attacked.hold(wire.connect(store, source, seconds=2))
            connection.sendall(wire.head("POST", "/verifyReceipt", [
                ("Host", wire.host_of(store)), ("Content-Length", str(BODY))]) + b"A" * (size - 1))
        except OSError:
            pass  # The store may refuse or close the connection.
    answer = wire.ask(store, "POST", "/verifyReceipt", body=b"A" * (BODY - 1), source=attacked.address())
    assert answer.status == 200, f"a body of three megabytes from another address was answered {answer}"


def pipelined_requests(attacked, count=PIPELINES):
    """Many requests on each connection without reading an answer, on some connections behind an event stream."""
    store = attacked.store
    before, device = store.kilobytes("VmRSS"), attacked.device(attacked.address())
    one = wire.head("GET", "/pages/page.css", [("Host", wire.host_of(store))])
    events = events_request(store, device, BUNDLE)
    for number in range(count):
        try:
            connection = attacked.hold(wire.connect(store, seconds=1, receive_buffer=4096))
            connection.sendall((events if number % 4 == 0 else b"") + one * ((256 << 10) // len(one)))
        except OSError:
            pass  # The store closed the connection, or reads no further.
    settle(attacked)
    grown = store.kilobytes("VmHWM") - before
    assert grown < GROWTH, f"{count} connections with many requests took {grown // MEGABYTES} MB of memory"


def settle(attacked):
    """Waits until the store has read as much of the attack as it takes: until three honest purchases leave the number
    of unread bytes as it is."""
    until, unread, unchanged = time.monotonic() + PATIENCE, None, 0
    while unchanged < 3:
        assert time.monotonic() < until, f"the store still reads the attack after {PATIENCE} s"
        attacked.honest.purchase()
        before, unread = unread, attacked.store.unread(attacked.open)
        unchanged = unchanged + 1 if unread == before else 0


def everything_at_the_same_time(attacked):
    """Slow heads, held bodies and streams together."""
    held_bodies(attacked)
    unread_streams(attacked, 40)
    slow_connections(attacked, 100, 3)
