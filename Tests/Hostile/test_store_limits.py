# SPDX-License-Identifier: Apache-2.0
"""Limits of the whole store: the names that it answers to, registrations, streams, secrets and health."""

import contextlib
import itertools
import json
import sqlite3
import time

import values
import wire
from attacked_store import attacked_store
from findings import check, report
from harness import BUNDLE
from processes import CONFIGURATION, PATIENCE, wait_until
from streams import ended, stream
from targets import Targets

FOREIGN = "rebind.attacker.example"


def test_it_answers_to_its_own_names_only(folder):
    """A foreign Host is refused with 403 on every route except the health checks."""
    findings = []
    with attacked_store(folder) as attacked:
        store, targets = attacked.store, list(Targets(attacked).all())
        kept = wire.KeptConnection(store)
        # Each route gets a foreign name and one of its own, in turn; the same code compares them for all routes.
        foreign = itertools.cycle((FOREIGN, f"{FOREIGN}:{store.port}"))
        own = itertools.cycle(("localhost", f"LOCALHOST:{store.port}", f"[::1]:{store.port}", "127.0.0.1"))
        for target in targets:
            is_health = target.path in ("/healthz", "/readyz")
            for host in itertools.islice(foreign, values.size(1, 2)):
                answer = kept.send(target.request(store, host=host))
                # An answer to HEAD has no body with a code.
                expected = (200,) if is_health else (403,) if target.method == "HEAD" else (403, "cross-site")
                check(findings, f"{target.route} for {host}", answer, *expected)
            for host in itertools.islice(own, values.size(1, 4)):
                answer = kept.send(target.request(store, host=host))
                if answer.code == "cross-site" or answer.status in (0, 500):
                    findings.append(f"{target.route} for {host} was answered {answer}")
        kept.close()
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
        assert not findings, report(findings)


def test_it_answers_to_a_name_that_was_added(folder):
    """The store answers to a name that --allow-host adds."""
    with attacked_store(folder, arguments=("--allow-host", "fruit-store")) as attacked:
        store = attacked.store
        for host, status in (("fruit-store", 200), (f"fruit-store:{store.port}", 200), (FOREIGN, 403)):
            request = wire.whole("GET", "/pki/roots.pem", [("Host", host)])
            answer = wire.send(store, request)
            assert answer.status == status, f"{host} was answered {answer}"


def test_registrations_of_one_address_are_throttled(folder):
    """A network address registers about 200 devices, then one a second; other addresses aren't affected."""
    with attacked_store(folder) as attacked:
        stranger, count, refusal = attacked.address(), 0, None
        with attacked.honest.buying():
            while count < 400 and not refusal:
                answer = register(attacked.store, stranger, count)
                count += 1
                if answer.status != 200:
                    refusal = answer
            assert refusal, f"{count} devices were registered from one address"
            assert refusal.status == 429 and refusal.code == "throttled" and refusal.retry_after, f"{refusal}"
            assert 150 <= count <= 300, f"registration {count} was the first to be refused"
            answer = register(attacked.store, attacked.address(), 1000)
            assert answer.status == 200, f"another address was answered {answer}"
            wait_until("the address may register again",
                       lambda: register(attacked.store, stranger, 2000).status == 200)


def test_registrations_behind_a_proxy_are_counted_by_customer(folder):
    """Behind a trusted proxy, customers are counted by the last address in X-Forwarded-For, which the proxy adds."""
    with attacked_store(folder, arguments=("--trusted-proxy", "127.0.0.77")) as attacked:
        store = attacked.store

        def status(number, forwarded, source="127.0.0.77"):
            credentials = f"Device {number:032x}:{number:064x}"
            return wire.ask(store, "POST", "/device/v1/register", [
                ("Authorization", credentials), ("X-Forwarded-For", forwarded)], b"{}", source).status

        begun, more = time.monotonic(), 20
        # The store ignores the addresses that the stranger writes before its own.
        refused = next((number for number in range(400) if status(number, f"10.0.0.{number % 250}, 192.0.2.1") == 429),
                       None)
        assert refused, "an address behind the proxy may register without end"
        assert status(1000, "192.0.2.2") == 200, "another customer of the proxy is refused"
        registered = sum(status(1001 + number, "192.0.2.1") == 200 for number in range(more))
        allowed = 2 + (time.monotonic() - begun)  # one a second, since the first of them
        assert registered <= allowed, f"the stranger registers {registered} of {more} more devices"
        # The store ignores X-Forwarded-For from other senders.
        other = attacked.address()
        refused = next((number for number in range(2000, 2400)
                        if status(number, f"192.0.2.{number % 250}", other) == 429), None)
        assert refused, "a stranger gives itself addresses"


def register(store, source, number):
    credentials = f"Device {number:032x}:{number:064x}"
    return wire.ask(store, "POST", "/device/v1/register", [("Authorization", credentials)], b"{}", source)


def test_streams_of_one_device_are_limited(folder):
    """A fifth stream of one app on a device ends the oldest, and a device has at most 64 apps in its streams."""
    apps = [f"com.example.app{number}" for number in range(17)]
    arguments = [part for app in apps for part in ("--configuration", CONFIGURATION, "--bundle-id", app)]
    with attacked_store(folder, arguments=arguments) as attacked:
        device = attacked.device()
        streams = [stream(attacked, device, BUNDLE) for _ in range(5)]
        wait_until("the oldest of five streams ends", lambda: ended(streams[0]))
        assert all(not ended(one) for one in streams[1:]), "a newer stream ended instead of the oldest"
        many = [one for app in apps for _ in range(4) if (one := stream(attacked, device, app))]

        def at_most_64():
            return sum(not ended(one) for one in [*streams[1:], *many]) <= 64

        wait_until("a device has at most 64 streams", at_most_64)

        # A stream of all apps takes the place of the older ones.
        device = attacked.device()
        shared = [stream(attacked, device, *apps) for _ in range(6)]
        assert all(shared), "a stream of 17 apps that begins again is refused"
        for one in shared[:2]:
            wait_until("the oldest of them end", lambda: ended(one))
        assert not ended(shared[-1]), "the newest stream has ended"


def test_guesses_of_a_shared_secret_are_throttled(folder):
    """A shared secret can't be guessed: after about ten wrong ones the address is answered 429."""
    secret = folder / "secret"
    secret.write_text("0123456789abcdef0123456789abcdef")
    with attacked_store(folder, arguments=("--shared-secret", f"{BUNDLE}={secret}")) as attacked:
        receipt = Targets(attacked).known["receipt"]

        def verify(password, source):
            body = json.dumps({"receipt-data": receipt, "password": password}).encode()
            return wire.ask(attacked.store, "POST", "/verifyReceipt", body=body, source=source)

        stranger = attacked.address()
        statuses = [verify(f"guess-{number}", stranger).status for number in range(40)]
        refused = statuses.count(429)
        assert refused >= 25, f"of 40 wrong secrets {refused} were answered 429: {statuses}"
        answer = verify("0123456789abcdef0123456789abcdef", attacked.address())
        assert answer.status == 200 and answer.json["status"] == 0, f"the seller was answered {answer}"


def test_it_says_whether_it_can_write(folder):
    """/readyz is 503 while the database is locked by others; /healthz stays 200, and doesn't wait for the lock."""
    with attacked_store(folder) as attacked:
        def status(path):
            """The status of an answer, and the seconds that it took."""
            begun = time.monotonic()
            return wire.ask(attacked.store, "GET", path).status, time.monotonic() - begun

        assert status("/readyz")[0] == 200, "/readyz of an idle store isn't 200"
        database = sqlite3.connect(attacked.store.data / "store.sqlite", timeout=PATIENCE, isolation_level=None)
        with contextlib.closing(database):
            database.execute("BEGIN IMMEDIATE")
            waited = wait_until("/readyz says that nothing can be written", lambda: [
                took for answer, took in [status("/readyz")] if answer == 503])[0]
            answer, took = status("/healthz")
            assert answer == 200, f"/healthz is {answer} while the database is locked"
            assert took < waited / 2, f"with the database locked, /healthz took {took:.1f} s, /readyz {waited:.1f} s"
            database.execute("ROLLBACK")
        wait_until("/readyz is 200 again", lambda: status("/readyz")[0] == 200)
