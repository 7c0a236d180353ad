# SPDX-License-Identifier: Apache-2.0
"""Limits of the whole store: the names that it answers to, registrations, streams, secrets and health."""

import json
import sqlite3
import time

import wire
from harness import BUNDLE, expect
from processes import CONFIGURATION, wait_until
from message_limits import check, expect_none
from attacked_store import attacked_store
from targets import EVENTS, Targets

FOREIGN = "rebind.attacker.example"


def answers_to_its_own_names(folder):
    """A foreign Host is refused with 403 on every route except the health checks."""
    findings = []
    with attacked_store(folder) as attacked:
        store, targets = attacked.store, list(Targets(attacked).all())
        for target in targets:
            is_health = target.path in ("/healthz", "/readyz")
            for host in (FOREIGN, f"{FOREIGN}:{store.port}"):
                answer = wire.send(store, target.request(store, host=host))
                # An answer to HEAD has no body with a code.
                expected = (200,) if is_health else (403,) if target.method == "HEAD" else (403, "cross-site")
                check(findings, f"{target.route} for {host}", answer, *expected)
            for host in ("localhost", f"LOCALHOST:{store.port}", f"[::1]:{store.port}", "127.0.0.1"):
                answer = wire.send(store, target.request(store, host=host))
                if answer.code == "cross-site" or answer.status in (0, 500):
                    findings.append(f"{target.route} for {host} was answered {answer}")
        verify = next(target for target in targets if target.path == "/verifyReceipt")
        for site in ("cross-site", "same-site", "nonsense"):
            answer = wire.send(store, verify.request(store, headers=[("Sec-Fetch-Site", site)]))
            check(findings, f"/verifyReceipt from a page of {site}", answer, 403)
        # Browsers send Origin instead of Sec-Fetch-Site when the store's address is plain http.
        for origin in (f"http://{FOREIGN}", "null", f"http://{wire.host_of(store)}.{FOREIGN}"):
            answer = wire.send(store, verify.request(store, headers=[("Origin", origin)]))
            check(findings, f"/verifyReceipt from a page of {origin}", answer, 403)
        own = wire.send(store, verify.request(store, headers=[("Origin", f"http://{wire.host_of(store)}")]))
        check(findings, "/verifyReceipt from the store's own page", own, 200)
        expect_none(findings)


def answers_to_an_added_name(folder):
    """The store answers to a name that --allow-host adds."""
    with attacked_store(folder, arguments=("--allow-host", "fruit-store")) as attacked:
        store = attacked.store
        for host, status in (("fruit-store", 200), (f"fruit-store:{store.port}", 200), (FOREIGN, 403)):
            request = wire.whole("GET", "/pki/roots.pem", [("Host", host)])
            answer = wire.send(store, request)
            expect(answer.status == status, f"{host} was answered {answer}")


def throttles_registrations(folder):
    """A network address registers about 200 devices, then one a second; other addresses aren't affected."""
    with attacked_store(folder) as attacked:
        stranger, count, refusal = attacked.address(), 0, None
        with attacked.honest.buying():
            while count < 400 and not refusal:
                answer = register(attacked.store, stranger, count)
                count += 1
                if answer.status != 200:
                    refusal = answer
            expect(refusal, f"{count} devices were registered from one address")
            expect(refusal.status == 429 and refusal.code == "throttled" and refusal.retry_after, f"{refusal}")
            expect(150 <= count <= 300, f"registration {count} was the first to be refused")
            answer = register(attacked.store, attacked.address(), 1000)
            expect(answer.status == 200, f"another address was answered {answer}")
            retried = wait_until("the address may register again", lambda: register(
                attacked.store, stranger, 2000).status == 200, seconds=10)
            expect(retried, "a throttled address stays locked out")


def counts_customers_behind_a_proxy(folder):
    """Behind a trusted proxy, customers are counted by the last address in X-Forwarded-For, which the proxy adds."""
    with attacked_store(folder, arguments=("--trusted-proxy", "127.0.0.77")) as attacked:
        store = attacked.store

        def status(number, forwarded, source="127.0.0.77"):
            credentials = f"Device {number:032x}:{number:064x}"
            return wire.ask(store, "POST", "/device/v1/register", [
                ("Authorization", credentials), ("X-Forwarded-For", forwarded)], b"{}", source).status

        # The store ignores the addresses that the stranger writes before its own.
        refused = next((number for number in range(400) if status(number, f"10.0.0.{number % 250}, 192.0.2.1") == 429),
                       None)
        expect(refused, "an address behind the proxy may register without end")
        expect(status(1000, "192.0.2.2") == 200, "another customer of the proxy is refused")
        expect(status(1001, "192.0.2.1") == 429, "the stranger may register again")
        # The store ignores X-Forwarded-For from other senders.
        other = attacked.address()
        refused = next((number for number in range(2000, 2400)
                        if status(number, f"192.0.2.{number % 250}", other) == 429), None)
        expect(refused, "a stranger gives itself addresses")


def register(store, source, number):
    credentials = f"Device {number:032x}:{number:064x}"
    return wire.ask(store, "POST", "/device/v1/register", [("Authorization", credentials)], b"{}", source)


def limits_streams(folder):
    """A fifth stream of one app on a device ends the oldest, and a device has at most 64 apps in its streams."""
    apps = [f"com.example.app{number}" for number in range(17)]
    arguments = [part for app in apps for part in ("--configuration", CONFIGURATION, "--bundle-id", app)]
    with attacked_store(folder, arguments=arguments) as attacked:
        device = attacked.device()
        streams = [stream(attacked, device, BUNDLE) for _ in range(5)]
        wait_until("the oldest of five streams ends", lambda: ended(streams[0]), seconds=10)
        expect(all(not ended(one) for one in streams[1:]), "a newer stream ended instead of the oldest")
        many = [one for app in apps for _ in range(4) if (one := stream(attacked, device, app))]

        def at_most_64():
            return sum(not ended(one) for one in [*streams[1:], *many]) <= 64

        wait_until("a device has at most 64 streams", at_most_64, seconds=10)

        # A stream of all apps takes the place of the older ones.
        device = attacked.device()
        shared = [stream(attacked, device, *apps) for _ in range(6)]
        expect(all(shared), "a stream of 17 apps that begins again is refused")
        for one in shared[:2]:
            wait_until("the oldest of them end", lambda: ended(one), seconds=10)
        expect(not ended(shared[-1]), "the newest stream has ended")


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
    expect(answer.status == 200, f"a stream of events was answered {answer}")
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


def throttles_secrets(folder):
    """A shared secret can't be guessed: after about ten wrong ones the address is answered 429."""
    secret = folder + "/secret"
    with open(secret, "w") as file:
        file.write("0123456789abcdef0123456789abcdef")
    with attacked_store(folder, arguments=("--shared-secret", f"{BUNDLE}={secret}")) as attacked:
        receipt = Targets(attacked).known["receipt"]

        def verify(password, source):
            body = json.dumps({"receipt-data": receipt, "password": password}).encode()
            return wire.ask(attacked.store, "POST", "/verifyReceipt", body=body, source=source)

        stranger = attacked.address()
        statuses = [verify(f"guess-{number}", stranger).status for number in range(40)]
        refused = statuses.count(429)
        expect(refused >= 25, f"of 40 wrong secrets {refused} were answered 429: {statuses}")
        answer = verify("0123456789abcdef0123456789abcdef", attacked.address())
        expect(answer.status == 200 and answer.json["status"] == 0, f"the seller was answered {answer}")


def says_whether_it_can_write(folder):
    """/readyz is 503 while the database is locked by others; /healthz stays 200."""
    with attacked_store(folder) as attacked:
        store = attacked.store

        def status(path):
            return wire.ask(store, "GET", path).status

        expect(status("/readyz") == 200, f"/readyz of an idle store was answered {status('/readyz')}")
        if store.database:
            return  # PostgreSQL locks rows; another test covers its outage.
        outside = sqlite3.connect(store.data / "store.sqlite", timeout=10, isolation_level=None)
        outside.execute("BEGIN IMMEDIATE")
        try:
            wait_until("/readyz says that nothing can be written", lambda: status("/readyz") == 503, seconds=30)
            started = time.monotonic()
            expect(status("/healthz") == 200, "/healthz isn't 200 while the database is locked")
            took = time.monotonic() - started
            expect(took < 2, f"/healthz took {took:.1f} s while the database was locked")
        finally:
            outside.execute("ROLLBACK")
            outside.close()
        wait_until("/readyz is 200 again", lambda: status("/readyz") == 200, seconds=30)


def scenarios():
    yield "limits: names that the store answers to", answers_to_its_own_names, {}
    yield "limits: a name that was added", answers_to_an_added_name, {}
    yield "limits: registrations of one address", throttles_registrations, {}
    yield "limits: registrations behind a proxy", counts_customers_behind_a_proxy, {}
    yield "limits: streams of one device", limits_streams, {}
    yield "limits: guesses of a shared secret", throttles_secrets, {}
    yield "limits: the store's answer about its health", says_whether_it_can_write, {}
