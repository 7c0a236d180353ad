# SPDX-License-Identifier: Apache-2.0
"""A store that answers an app's messages as a test scripts it.

Each path of `/device/v1/` has an ordinary answer; a variant replaces some of them with a function that writes
to the connection.
"""

import json
import re
import socket
import threading
import time

from processes import PATIENCE

# A root certificate, without which an app sends no payment. The store has no key for it.
ROOT = """-----BEGIN CERTIFICATE-----
MIIBqzCCAVGgAwIBAgIUTKmA8Q6x63EjtJwPLo3FOsMyWqUwCgYIKoZIzj0EAwIw
IjEgMB4GA1UEAwwXUm9vdCBvZiBhIGhvc3RpbGUgc3RvcmUwIBcNMjYxMTIyMDA0
MjUzWhgPMjEyNjEwMjkwMDQyNTNaMCIxIDAeBgNVBAMMF1Jvb3Qgb2YgYSBob3N0
aWxlIHN0b3JlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnpPvLetZ5zN49x+K
WbcnvXgFEY2G4TIawuSkj4edzdLR7i116FnRiluzZ7PJcGdyzrDP1SAW4HW/nLOK
8wkuE6NjMGEwHQYDVR0OBBYEFCf0GMsc424sx0xlVvaNAdO6zGhaMB8GA1UdIwQY
MBaAFCf0GMsc424sx0xlVvaNAdO6zGhaMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
AQH/BAQDAgEGMAoGCCqGSM49BAMCA0gAMEUCIQDJ9qJjQ8O/JLs8RcBkBj/yW2a6
/WbAegxn+kMiPkH8rQIgD9Y2PVy6MNxbLi5ELYQ1ulLDxv4hq8DJASA0L9cKx+4=
-----END CERTIFICATE-----
"""
DATE = 1_700_000_000_000


class Wire:
    """One message of the app, and the connection to answer it on."""

    def __init__(self, store, connection, path, body):
        self.store, self.connection, self.path, self.body = store, connection, path, body

    @property
    def message(self):
        return json.loads(self.body)

    def write(self, data):
        self.connection.sendall(data)

    def head(self, status="200 OK", length=None, kind="application/json", *lines):
        rows = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *lines]
        rows += [] if length is None else [f"Content-Length: {length}"]
        self.write("\r\n".join([*rows, "", ""]).encode())

    def text(self, text, status="200 OK", *lines):
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self.head(status, len(data), "application/json", *lines)
        self.write(data)

    def json(self, value, status="200 OK", *lines):
        self.text(json.dumps(value), status, *lines)

    def stream(self):
        """Begins the stream of events, which lasts until the connection ends."""
        self.head(kind="text/event-stream")

    def event(self, name, text):
        self.write(f"id: 0\nevent: {name}\ndata: {text if isinstance(text, str) else json.dumps(text)}\n\n".encode())

    def flood(self, part, size, seconds=PATIENCE):
        """Writes a part over and over until the app ends the connection, or there were enough bytes or seconds."""
        deadline, written = time.monotonic() + seconds, 0
        while written < size and time.monotonic() < deadline and not self.store.is_closed:
            data = part() if callable(part) else part
            self.write(data)
            written += len(data)

    def hold(self):
        """Waits until the app or the test ends the connection."""
        while not self.store.is_closed:
            self.connection.settimeout(0.2)
            try:
                if not self.connection.recv(4096):
                    return
            except TimeoutError:
                pass


def product(identifier, **changes):
    return {"productIdentifier": identifier, "type": "Non-Consumable", "title": "Fruit", "description": "A fruit.",
            "milliunits": 990, "currency": "USD", "priceLocale": "en_US@currency=USD", "isFamilyShareable": False,
            **changes}


def transaction(identifier, product, **changes):
    return {"transactionIdentifier": identifier, "originalTransactionIdentifier": identifier,
            "productIdentifier": product, "quantity": 1, "purchaseDate": DATE, "originalPurchaseDate": DATE, **changes}


def list_products(wire):
    wire.json({"products": [product(identifier) for identifier in wire.message["productIdentifiers"]],
               "invalidProductIdentifiers": [], "storefront": {"countryCode": "USA", "identifier": "143441"}})


def show_sheet(wire):
    wire.store.remember(wire.message["requestIdentifier"])
    wire.json({"status": "authorise", "sheet": f"{wire.store.url}/sheet/{wire.message['requestIdentifier']}"})


def stay_silent(wire):
    wire.stream()
    wire.write(b": open\n\n")
    wire.event("snapshot", {"snapshot": {"transactions": []}})
    wire.hold()


ORDINARY = {
    "register": lambda wire: wire.json({"environment": "Sandbox"}),
    "products": list_products,
    "payments": show_sheet,
    "finish": lambda wire: wire.json({}),
    "restore": lambda wire: wire.json({"transactions": []}),
    "receipt": lambda wire: wire.json({}),
    "transaction-receipts": lambda wire: wire.json({"receipts": {}}),
    "signed-transactions": lambda wire: wire.json({"transactions": [], "hasMore": False}),
    "queue": lambda wire: wire.json({"transactions": []}),
    "sign-out": lambda wire: wire.json({}),
    "key-values": lambda wire: wire.json({"values": [], "refused": [], "isWhole": True}),
    "events": stay_silent,
}


class HostileStore:
    """Listens on a port of the loopback interface until it is closed."""

    def __init__(self, answers):
        self.answers = {**ORDINARY, **answers}
        self.lock = threading.Lock()
        self.asked, self.answered, self.faults = {}, {}, []
        self.is_closed = False
        self.requests = set()  # The request identifiers of the payments that have arrived.
        self.has_request = threading.Event()  # Set when a payment has arrived, and when the store is closed.
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.listen, daemon=True).start()

    def answer_by(self, answers):
        """Answers by others than before, and counts from 0 again."""
        with self.lock:
            self.answers, self.asked, self.answered = {**ORDINARY, **answers}, {}, {}

    def count(self, counts, path):
        with self.lock:
            counts[path] = counts.get(path, 0) + 1

    def remember(self, request):
        self.requests.add(request)
        self.has_request.set()

    def listen(self):
        while not self.is_closed:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            connection.settimeout(PATIENCE)
            path = None
            try:
                path, body = self.read(connection)
                self.count(self.asked, path)
                self.answers.get(path, lambda wire: wire.json({}, "404 Not Found"))(Wire(self, connection, path, body))
            except (OSError, EOFError):
                pass  # The app has ended the connection, as it may.
            except Exception as error:  # noqa: BLE001: the test reports it
                self.faults.append(f"{path}: {error!r}")
            self.count(self.answered, path)

    @staticmethod
    def read(connection):
        received = b""
        while b"\r\n\r\n" not in received:
            more = connection.recv(65536)
            if not more:
                raise EOFError
            received += more
        head, _, body = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        while length and len(body) < int(length.group(1)):
            more = connection.recv(65536)
            if not more:
                raise EOFError
            body += more
        path = head.split(b" ")[1].decode().partition("?")[0]
        return path.removeprefix("/device/v1/"), body

    def close(self):
        self.is_closed = True
        self.has_request.set()
        self.listener.close()
