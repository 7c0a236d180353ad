# SPDX-License-Identifier: Apache-2.0
"""Faults of one request, made by hand: heads, hosts, credentials, bodies and framing. `play` sends them."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import values
import wire
from described import difference

THREADS = 6
SHOWN = 25  # findings in a report


@dataclass
class Case:
    """One hostile request. With `may_hang_up` the store may close the connection without an answer. The answer has to be
    as the description of the route, if one is named."""

    what: str
    data: bytes
    may_hang_up: bool = False
    ends: bool = False
    route: str = ""


def play(attacked, cases, threads=THREADS):
    """Sends all cases and returns their number. Raises `Failed` with the wrong answers."""
    store, findings, lock, played = attacked.store, [], threading.Lock(), 0
    kept = threading.local()

    def send(case):
        """Closes the connection after a request that the store may misunderstand, so that it spoils no other."""
        if case.ends or case.may_hang_up:
            return wire.send(store, case.data, ends=case.ends)
        if not hasattr(kept, "connection"):
            kept.connection = wire.KeptConnection(store)
        return kept.connection.send(case.data)

    def one(case):
        if len(findings) > 200 or store.process.poll() is not None:
            return
        try:
            answer = send(case)
            wrong = wire.problem(answer, case.may_hang_up) or difference(case.route, answer)
        except (AssertionError, OSError, ValueError) as failure:
            wrong = str(failure)
        if wrong:
            with lock:
                findings.append(f"{case.what} {wrong}")
        if store.process.poll() is not None:
            # The last few were sent by several threads: one of them ended the process.
            with lock:
                findings.append(f"{case.what}: the store ended with {store.process.returncode}")

    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(one, cases):
            played += 1
    assert not findings, f"{len(findings)} of {played} requests:\n" + "\n".join(findings[:SHOWN])
    attacked.lives()
    return played


def case(target, what, data, **options):
    return Case(f"{target.route} with {what}", data, **options)


def described(target, what, data, **options):
    """A request that reaches its route, so that its answer is described."""
    return case(target, what, data, route=target.route, **options)


def methods(target, store):
    for method in values.some(values.METHODS):
        if method != target.method:
            # The HTTP parser refuses unknown methods, and CONNECT names no path.
            odd = method in ("CONNECT", "PURGE", "get")
            yield case(target, f"the method {method}", target.request(store, method=method), may_hang_up=odd, ends=odd)


def heads(target, store):
    for name, headers in values.some(values.HEADERS.items()):
        long = sum(len(value) for _, value in headers) > 50_000 or len(headers) > 100
        yield case(target, name, target.request(store, headers=headers), may_hang_up=long or name == "an upgrade")
    request = target.request(store)
    line, _, rest = request.partition(b"\r\n")
    yield case(target, "HTTP/1.0", request.replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    for version in values.some((b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.99999999999", b"ICY/1.1", b"")):
        broken = line.replace(b"HTTP/1.1", version) + b"\r\n" + rest
        yield case(target, f"the version {version!r}", broken, may_hang_up=True, ends=True)
    for name, between in values.some((
            ("an empty header name", b": x\r\n"), ("a zero in a header", b"X: a\0b\r\n"),
            ("a bare line feed", b"X: a\nY: b\r\n"), ("a space before the colon", b"X : a\r\n"),
            ("a folded header", b"X: a\r\n b\r\n"), ("a line without a colon", b"garbage\r\n"))):
        yield case(target, name, line + b"\r\n" + between + rest, may_hang_up=True, ends=True)


def hosts(target, store):
    for name, host in values.some(values.HOSTS.items()):
        if host is None:
            yield case(target, name, target.request(store, drops=("Host",)))
        else:
            yield case(target, name, target.request(store, host=host), may_hang_up=True)
    yield case(target, "two Hosts", target.request(store, headers=[("Host", "attacker.example")]), may_hang_up=True)


def credentials(target, store):
    good = dict(target.headers).get("Authorization")
    if good is None:
        return
    kind, _, secret = good.partition(" ")
    identifier = secret.partition(":")[0]
    wrong = [
        "", kind, f"{kind} ", f"{kind} :", f"{good}:x", f"{good} x", good.upper(), good[:-1], f"{good}00",
        f"{kind} {identifier}", f"{kind} {identifier}:{'0' * 64}", f"{kind} {'0' * 32}:{'0' * 64}",
        f"{kind} {'é' * 32}:{'é' * 64}", f"Basic {secret}", f"Bearer {'x' * 9000}", b"Device \xff\xfe:\x80",
        "\t" * 300,
    ]
    for header in values.some(wrong):
        request = target.request(store, drops=("Authorization",), headers=[("Authorization", header)])
        yield described(target, f"the credentials {header[:50]!r}", request)
    yield described(target, "no credentials", target.request(store, drops=("Authorization",)))
    yield described(target, "credentials twice", target.request(store, headers=[("Authorization", good[:-1] + "0")]))


def bodies(target, store):
    if target.method not in ("POST", "PUT"):
        yield described(target, "a body that no one asked for", target.request(store, body=b"{}"))
        return
    for name, body in values.some(values.BODIES.items()):
        yield described(target, name, target.request(store, body=body), may_hang_up=len(body) > 16_000)
    if target.message:
        content = target.content()
        first = next(iter(target.message))
        twice = b', "%s": 7}' % first.encode()
        for name, end in (("a field twice", twice), ("unknown fields", b', "more": [[1e400]]}'),
                          ("bytes after it", b"}\0garbage")):
            yield described(target, name, target.request(store, body=content[:-1] + end))


def framings(target, store):
    """Bodies whose HTTP is broken (RFC 9112, sections 6 and 7)."""
    if target.method not in ("POST", "PUT"):
        return
    chunked = ("Transfer-Encoding", "chunked")
    begun = {
        "no chunk size": ([chunked], b"zz\r\n{}\r\n0\r\n\r\n"),
        "a chunk size beyond everything": ([chunked], b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
        "the largest chunk size": ([chunked], b"7fffffffffffffff\r\n{}\r\n"),
        "a negative chunk size": ([chunked], b"-2\r\n{}\r\n0\r\n\r\n"),
        "a chunk longer than it says": ([chunked], b"1\r\n{}\r\n0\r\n\r\n"),
        "chunks that break off": ([chunked], b"2\r\n{"), "chunks without an end": ([chunked], b"2\r\n{}\r\n"),
        "a chunk extension of 50 KB": ([chunked], b"2;x=" + b"y" * 50_000 + b"\r\n{}\r\n0\r\n\r\n"),
        "trailers": ([chunked], b"2\r\n{}\r\n0\r\nContent-Length: 9\r\nHost: x\r\n\r\n"),
        "5,000 chunks of one byte": ([chunked], b"1\r\n[\r\n" * 5000 + b"0\r\n\r\n"),
        "a body that breaks off": ([("Content-Length", "1000")], b"{}"),
        "a length of 9223372036854775807": ([("Content-Length", "9223372036854775807")], b"{}"),
        "a length of 99999999999999999999": ([("Content-Length", "9" * 20)], b"{}"),
        "a negative length": ([("Content-Length", "-1")], b"{}"),
        "a length that is none": ([("Content-Length", "x")], b"{}"),
        "a length with a sign": ([("Content-Length", "+2")], b"{}"),
        "two lengths": ([("Content-Length", "2"), ("Content-Length", "3")], b"{}"),
        "a length and chunks": ([("Content-Length", "2"), chunked], b"2\r\n{}\r\n0\r\n\r\n"),
        "an unknown coding": ([("Transfer-Encoding", "identity, x")], b"{}"),
        "chunked twice": ([("Transfer-Encoding", "chunked, chunked")], b"2\r\n{}\r\n0\r\n\r\n"),
    }
    usual = [("Host", wire.host_of(store)), ("Accept", "application/json"), *target.headers]
    for name, (headers, body) in values.some(begun.items()):
        data = wire.head(target.method, target.path, [*usual, *headers]) + body
        yield case(target, name, data, may_hang_up=True, ends=True)


def pipelines(target, store):
    request = target.request(store)
    for name, rest in values.some((
            ("garbage behind it", b"\x16\x03\x01\0\0GARBAGE\r\n\r\n" * 20), ("itself ten times", request * 9),
            ("half of itself behind it", request[:len(request) // 2]), ("line feeds before it", b""),
            ("another protocol behind it", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))):
        before = b"\r\n" * 50 if not rest else b""
        yield case(target, name, before + request + rest, may_hang_up=bool(before), ends=True)


def queries(target, store):
    bare = target.path.partition("?")[0]
    for query in values.some((
            "", "?", "&&&&", "=", "a=b&" * 1000, "%", "%zz=%zz", "%ff%fe=%00", "x" * 5000, "a[]=1&a[b]=2", "é=ü",
            "bundle=%00", "?" * 500)):
        yield described(target, f"the query {query[:30]!r}", target.request(store, path=f"{bare}?{query}"),
                   may_hang_up="é" in query)
