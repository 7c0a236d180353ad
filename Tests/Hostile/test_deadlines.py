# SPDX-License-Identifier: Apache-2.0
"""Connections that stop halfway are closed at their deadlines; RESERVE seconds are allowed for a busy machine."""

import json
import select
import time

import pytest

import wire
from attacked_store import attacked_store
from harness import BUNDLE

RESERVE = 60
HEAD, BODY, IDLE, UNREAD = 10, 30, 60, 30
PIPELINED = 12  # requests whose answers of 0.5 MB each fill every buffer between store and client


@pytest.mark.slow
def test_connections_that_stop_halfway_are_closed(folder):
    """Half heads, half bodies, idle connections and unread answers are closed in time, in the order of their deadlines,
    and not much before."""
    with attacked_store(folder) as attacked:
        store, started = attacked.store, time.monotonic()
        host = wire.host_of(store).encode()
        half = b"POST /verifyReceipt HTTP/1.1\r\nHost: " + host + b"\r\n"
        authorization = f"Authorization: {attacked.device().authorization}\r\n".encode()
        body = half + b"Content-Length: 1000\r\n\r\n{"
        message = body.replace(b"/verifyReceipt", b"/device/v1/queue").replace(
            b"Content-Length", authorization + b"Content-Length")
        health = b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"

        waiting = {}  # connection: description, deadline, bytes sent each second, earliest end (in seconds)
        for what, bytes_, seconds, drip, earliest in (
            ("a connection without a byte", b"", HEAD, b"", 3),
            ("half a request line", b"GET /hea", HEAD, b"", 3),
            ("half a head", half, HEAD, b"", 3),
            ("a head that drips", half + b"X: ", HEAD, b"x", 3),
            ("half a body", body, BODY, b"", 10),
            ("half a device's message", message, BODY, b"", 10),
            ("a body that drips", body, BODY, b" ", 10),
            ("chunks that drip", half + b"Transfer-Encoding: chunked\r\n\r\n", BODY, b"1\r\n \r\n", 10),
            ("an idle connection", health, IDLE, b"", 20),
            ("half a second head", health + half, IDLE, b"", 3),
        ):
            connection = attacked.hold(wire.connect(store))
            connection.sendall(bytes_)
            connection.setblocking(False)
            waiting[connection] = (what, seconds, drip, earliest)
        unread = attacked.hold(wire.connect(store, receive_buffer=4096))
        unknown = json.dumps({"bundleIdentifier": BUNDLE, "productIdentifiers": [
            f"{number:0255}" for number in range(2000)], "languages": []}).encode()
        flood(unread, wire.whole("POST", "/device/v1/products", [
            ("Host", host), ("Authorization", attacked.device().authorization)], unknown))

        closed = {HEAD: [], BODY: [], IDLE: []}  # deadline: the seconds after which its connections were closed
        findings, next_drip = [], 0
        while waiting and not findings and time.monotonic() - started < IDLE + RESERVE:
            now = time.monotonic() - started
            drips = now >= next_drip
            if drips:
                next_drip = now + 1
            watch(waiting, now, findings, drips, closed)
            if unread and not store.still_has(unread):
                assert now > 10, f"a client that reads slowly was closed after {now:.0f} s"
                unread = None
            if unread and now > UNREAD + RESERVE:
                findings.append(f"unread answers are still kept after {now:.0f} s")
                unread = None
            for connection, (what, seconds, _, _) in list(waiting.items()):
                if now > seconds + RESERVE:
                    findings.append(f"{what} is still open after {now:.0f} s, {RESERVE} s after its deadline")
                    del waiting[connection]
            wait_for_one(waiting, next_drip - (time.monotonic() - started))
        assert not findings, "\n".join(findings)
        assert not waiting, f"still open: {[what for what, *_ in waiting.values()]}"
        for earlier, later in ((HEAD, BODY), (BODY, IDLE)):
            assert max(closed[earlier]) <= min(closed[later]), f"closed after {closed} s"


def flood(connection, request):
    """Sends requests until nothing more fits, and reads no answer."""
    connection.setblocking(False)
    data = memoryview(request * PIPELINED)
    while data and select.select([], [connection], [], 2)[1]:
        try:
            data = data[connection.send(data):]
        except OSError:
            return


def wait_for_one(connections, seconds):
    """Waits until the store has closed one of the connections or has sent something on it, at most for seconds."""
    poller = select.poll()  # `select` refuses large file numbers.
    for connection in connections:
        poller.register(connection, select.POLLIN)
    poller.poll(max(seconds, 0) * 1000)


def watch(waiting, now, findings, drips, closed):
    """Sends a byte on each connection that drips, if it is time; removes the connections that the store has closed."""
    for connection, (what, deadline, drip, earliest) in list(waiting.items()):
        over = False
        try:
            if drip and drips:
                connection.send(drip)
            over = connection.recv(65536) == b""
        except BlockingIOError:
            pass
        except OSError:
            over = True
        if over:
            if now < earliest:
                findings.append(f"{what} was closed after {now:.1f} s already")
            closed[deadline].append(now)
            del waiting[connection]
