# SPDX-License-Identifier: Apache-2.0
"""Requests as bytes, which needn't be HTTP, and their answers.

A source address such as 127.0.0.9 makes the client a stranger on another machine, for limits per network address.
"""

import contextlib
import json
import socket
import struct
import time
from dataclasses import dataclass, field

from processes import PATIENCE, Failed


@dataclass
class Answer:
    """Status 0 means that the store closed the connection without an answer."""

    status: int = 0
    headers: dict = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def code(self):
        """The machine-readable code of a refusal, or Apple's number; `None` when it has none."""
        try:
            if "errorCode" in self.json:
                return str(self.json["errorCode"])
            code = self.json["error"]["code"]
            return code if isinstance(code, str) and code else None
        except (TypeError, KeyError):
            return None

    @property
    def retry_after(self):
        text = self.headers.get("retry-after", "")
        return int(text) if text.isdigit() else None

    def __str__(self):
        return f"{self.status} {self.body[:160]!r}" if self.status else "closed without an answer"


def connect(store, source=None, seconds=PATIENCE, receive_buffer=None):
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            connection.bind((source, 0))
        connection.connect(("127.0.0.1", store.port))
        return connection
    except OSError:
        connection.close()
        raise


def reset(connection):
    """Closes so that the peer receives a reset."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    except OSError:
        pass  # It is closed already.


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def head(method, path, headers, version="1.1"):
    """A request's head; header values may be bytes."""
    lines = [as_bytes(f"{method} ") + as_bytes(path) + as_bytes(f" HTTP/{version}")]
    lines += [as_bytes(name) + b": " + as_bytes(value) for name, value in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def whole(method, path, headers, body=None, version="1.1"):
    """A request with its correct length."""
    if body is not None:
        headers = [*headers, ("Content-Length", str(len(body)))]
    return head(method, path, headers, version) + (body or b"")


def read_answer(connection, has_body=True):
    """Reads one answer; of one without an end, such as a stream of events, only the head."""
    received = b""
    try:
        while b"\r\n\r\n" not in received:
            more = connection.recv(65536)
            if not more:
                return Answer()
            received += more
            if received.startswith(b"HTTP/1.1 100"):
                received = received.partition(b"\r\n\r\n")[2]
        top, _, body = received.partition(b"\r\n\r\n")
        lines = top.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        length = int(headers.get("content-length", "0")) if has_body else 0
        while len(body) < length:
            more = connection.recv(65536)
            if not more:
                break
            body += more
        return Answer(int(lines[0].split()[1]), headers, body[:length])
    except ConnectionError:
        return Answer()


def exchange(connection, request, ends=False):
    """Sends bytes on an open connection and returns the answer. With `ends` the client closes its direction then."""
    try:
        connection.sendall(request)
        if ends:
            connection.shutdown(socket.SHUT_WR)
    except ConnectionError:
        pass  # The store may answer and close before it has read everything.
    return read_answer(connection, has_body=not request.startswith(b"HEAD "))


@contextlib.contextmanager
def answered_in_time(request):
    """Names a request that has no answer at the end of its connection's patience."""
    started = time.monotonic()
    try:
        yield
    except TimeoutError:
        waited = time.monotonic() - started
        raise Failed(f"no answer in {waited:.1f} s to {request[:120]!r}") from None


def send(store, request, source=None, ends=False, seconds=PATIENCE):
    """Sends bytes on a connection of their own and returns the answer; `ends` as of `exchange`."""
    with answered_in_time(request):
        try:
            with connect(store, source, seconds) as connection:
                return exchange(connection, request, ends)
        except ConnectionError:
            return Answer()


class KeptConnection:
    """A connection that is used for one request after another, as that of a browser. A request that the store leaves
    without an answer is sent again on a new connection: the store may have closed the old one before."""

    def __init__(self, store, seconds=PATIENCE):
        self.store, self.seconds, self.connection = store, seconds, None

    def send(self, request):
        for is_new in (self.connection is None, True):
            answer = Answer()
            try:
                with answered_in_time(request):
                    if self.connection is None:
                        self.connection = connect(self.store, seconds=self.seconds)
                    answer = exchange(self.connection, request)
            except ConnectionError:
                pass  # The store has closed it.
            finally:
                # Of an answer without a length, as a stream's, the end isn't known.
                if "content-length" not in answer.headers or answer.headers.get("connection", "").lower() == "close":
                    self.close()
            if answer.status or is_new:
                return answer

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def host_of(store):
    return f"127.0.0.1:{store.port}"


def ask(store, method, path, headers=(), body=None, source=None, seconds=PATIENCE):
    """Sends a request as a well-behaved client writes it, and returns the answer."""
    headers = [("Host", host_of(store)), ("Accept", "application/json"), *headers]
    return send(store, whole(method, path, headers, body), source, seconds=seconds)


def problem(answer, may_hang_up=False):
    """The fault of an answer to a hostile request; `None` when it is in order."""
    status = answer.status
    if status == 0:
        return None if may_hang_up else "was closed without an answer"
    if status == 503:
        return None if answer.retry_after is not None else f"was answered {answer} without Retry-After"
    if status >= 500 or status < 200:
        return f"was answered {answer}"
    if status < 400 or not answer.body:
        # The server's HTTP parser refuses an unreadable head by an answer without a body.
        return None
    if answer.headers.get("content-type", "").startswith("application/json") and not answer.code:
        apple = answer.json.get("status") if isinstance(answer.json, dict) else None
        if not isinstance(apple, int):
            return f"was answered {answer} without a code"
    return None
