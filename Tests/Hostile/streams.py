# SPDX-License-Identifier: Apache-2.0
"""Streams of events that are held open."""

import json

import wire
from targets import EVENTS


def events_request(store, device, *apps):
    """The bytes of a request for the events of some apps."""
    body = json.dumps({"apps": [{"bundleIdentifier": app} for app in apps]}).encode()
    return wire.whole("POST", EVENTS, [("Host", wire.host_of(store)), ("Authorization", device.authorization)], body)


def stream(attacked, device, *apps, source=None, receive_buffer=None):
    """Opens a stream of events and reads its head; `None` when the store has no room for it."""
    connection = attacked.hold(wire.connect(attacked.store, source, receive_buffer=receive_buffer))
    connection.sendall(events_request(attacked.store, device, *apps))
    answer = wire.read_answer(connection)
    if answer.status in (429, 503) and answer.retry_after:
        return None
    assert answer.status == 200, f"a stream of events was answered {answer}"
    return connection


def ended(connection):
    """Whether the other side has ended a stream: its last chunk was sent, or the connection is closed."""
    connection.setblocking(False)
    try:
        received = connection.recv(65536)
        return not received or received.endswith(b"0\r\n\r\n")
    except BlockingIOError:
        return False
    except OSError:
        return True
