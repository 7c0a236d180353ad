# SPDX-License-Identifier: Apache-2.0
"""A proxy between an app and a store, which counts the bytes of content that it passes on and acts at chosen ones."""

import re
import socket
import struct
import threading

RESET = struct.pack("ii", 1, 0)  # a close that sends RST and drops the bytes in the kernel


class Cut:
    """An action after a number of bytes, which are counted over all connections of one download."""

    def __init__(self, byte, name, action):
        self.byte, self.name, self.action = byte, name, action

    def __str__(self):
        return f"{self.name} after byte {self.byte}"


class CuttingProxy:
    """Passes everything on, until the app has got the bytes before a cut."""

    def __init__(self, store):
        self.store = store
        self.lock = threading.Lock()
        self.failure = None  # of a cut's action
        self.acting = 0  # the number of cuts whose actions are under way
        self.requests = 0  # the number of requests for content
        self.arm([])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, cuts, altered=None, times=0):
        """Counts from 0 again. `altered` is the place in the content of a byte that is changed, that many times."""
        with self.lock:
            self.passed, self.cuts, self.altered, self.times = 0, sorted(cuts, key=lambda cut: cut.byte), altered, times

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # Closed.
            threading.Thread(target=Pair(self, client).run, daemon=True).start()

    def until_cut(self):
        """The bytes that may pass before the next cut; `None` without one."""
        with self.lock:
            return self.cuts[0].byte - self.passed if self.cuts else None

    def count(self, number):
        """Counts bytes that were passed on. Returns the cut that is due, if there is one."""
        with self.lock:
            self.passed += number
            if not self.cuts or self.cuts[0].byte > self.passed:
                return None
            self.acting += 1
            return self.cuts.pop(0)

    def asked(self, is_content):
        with self.lock:
            self.requests += is_content

    def has_acted(self):
        with self.lock:
            self.acting -= 1

    def changed(self, part, position):
        """The bytes at a place of the content, one of them altered."""
        with self.lock:
            if self.altered is None or self.times == 0 or not position <= self.altered < position + len(part):
                return part
            self.times -= 1
            part = bytearray(part)
            part[self.altered - position] ^= 0x20
            return bytes(part)


class Pair:
    """A connection of the app and the one to the store that belongs to it."""

    def __init__(self, proxy, client):
        self.proxy, self.client, self.upstream = proxy, client, None
        self.is_content = False
        self.head = b""
        self.position = self.left = 0

    def run(self):
        try:
            self.upstream = socket.create_connection(("127.0.0.1", self.proxy.store.port))
            threading.Thread(target=self.pass_requests, daemon=True).start()
            while answer := self.upstream.recv(16 << 10):
                if self.is_content:
                    self.pass_content(answer)
                else:
                    self.client.sendall(answer)
        except OSError:
            pass  # A process has ended, or a cut has closed the connection.
        except Exception as failure:  # noqa: BLE001: the test reports it
            self.proxy.failure = failure
        finally:
            self.close()

    def pass_requests(self):
        try:
            # The app's client sends one request at a time, and its head with one call.
            while request := self.client.recv(64 << 10):
                if request.startswith((b"GET ", b"POST ")):
                    self.is_content, self.head = request.startswith(b"GET /content/"), b""
                    self.left = 0
                    self.proxy.asked(self.is_content)
                self.upstream.sendall(request)
        except OSError:
            pass
        finally:
            self.close()

    def pass_content(self, answer):
        if self.left == 0:
            self.head += answer
            head, end, answer = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            self.client.sendall(head + end)
            self.read_head(head.decode())
            if not self.is_content:
                self.client.sendall(answer)
        while self.left and answer:
            room = self.proxy.until_cut()
            part = answer[:self.left if room is None else min(room, self.left)]
            self.client.sendall(self.proxy.changed(part, self.position))
            answer = answer[len(part):]
            self.position += len(part)
            self.left -= len(part)
            if cut := self.proxy.count(len(part)):
                try:
                    cut.action(self)
                finally:
                    self.proxy.has_acted()

    def read_head(self, head):
        status = int(head.split()[1])
        length = re.search(r"(?im)^content-length: *(\d+)", head)
        first = re.search(r"(?im)^content-range: *bytes (\d+)-", head)
        self.left = int(length[1]) if status in (200, 206) and length else 0
        self.position = int(first[1]) if first else 0
        if self.left == 0:
            self.is_content = False  # A refusal, whose body isn't counted.

    def close(self, reset=False):
        for connection in filter(None, (self.client, self.upstream)):
            try:
                if reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                # It also ends the call of the other thread, without which the connection would stay open.
                connection.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()
