# SPDX-License-Identifier: Apache-2.0
"""A customer who buys, and measures how long each purchase takes."""

import contextlib
import itertools
import json
import threading
import time
import urllib.parse

import wire
from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, Device
from processes import PATIENCE, Failed

# How much longer than on the idle store a purchase may take. The seconds that it may always take are 30 times those of
# a purchase during a flood, and fewer than those after which a store closes a connection that stops halfway: a customer
# doesn't have to wait for that.
FACTOR = 30
LEAST = 9
FORM = ("Content-Type", "application/x-www-form-urlencoded")


class HonestDevice(Device):
    """A device with an app, which keeps to the protocol and waits when the store asks for that."""

    def __init__(self, store, source=None):
        super().__init__(store)
        self.source = source

    def ask(self, path, message, seconds=PATIENCE):
        headers = [("Authorization", self.authorization), ("Content-Type", "application/json")]
        body = json.dumps(message).encode()
        return wire.ask(self.store, "POST", f"/device/v1/{path}", headers, body, self.source, seconds)

    def answered(self, path, **message):
        """Sends a message that the store has to accept, and returns the answer."""
        answer = self.ask(path, message)
        assert answer.status == 200 and answer.json is not None, f"{path} was answered {answer}"
        return answer.json

    def register(self):
        self.answered("register")
        return self

    def sheet(self, identifier, product=SEEDS):
        """Asks for a payment and returns the path of its sheet."""
        answer = self.answered("payments", **payment(identifier, product))
        assert answer["status"] == "authorise", f"a payment was answered {answer}"
        return urllib.parse.urlsplit(answer["sheet"]).path

    def sheet_of(self, path, identifier):
        """Asks for a sheet that no payment needs and returns its path."""
        answer = self.answered(path, requestIdentifier=identifier, bundleIdentifier=BUNDLE)
        return urllib.parse.urlsplit(answer["sheet"]).path

    def sign_in(self, email, password, identifier="sign-in"):
        """Signs in through a sheet and returns the account's position."""
        call = dict(requestIdentifier=identifier, bundleIdentifier=BUNDLE, applicationVersion="1.0",
                    mayAskToSignIn=True)
        sheet = urllib.parse.urlsplit(self.answered("receipt", **call)["sheet"]).path
        answer = decide(self.store, sheet, "sign-in", email, password, self.source)
        assert answer.status == 200, f"signing in was answered {answer}"
        self.receipt = self.answered("receipt", **call)
        return self.receipt["position"]


def payment(identifier, product=SEEDS):
    return dict(requestIdentifier=identifier, bundleIdentifier=BUNDLE, productIdentifier=product, quantity=1,
                simulatesAskToBuy=False)


def decide(store, sheet, decision, email, password, source=None, seconds=PATIENCE):
    form = urllib.parse.urlencode({"email": email, "password": password, "decision": decision}).encode()
    return wire.ask(store, "POST", sheet, [FORM], form, source, seconds)


class HonestCustomer:
    """Buys seeds repeatedly. The device is registered before an attack begins."""

    def __init__(self, store):
        self.store = store
        self.device = HonestDevice(store).register()
        self.numbers = itertools.count(1)
        self.limit = PATIENCE
        self.bought = 0
        self.failed = threading.Event()
        self.measure()

    def measure(self, count=3):
        """Measures the usual time of a purchase while the store is idle."""
        times = sorted(self.purchase() for _ in range(count))
        self.usual = times[count // 2]
        self.limit = max(FACTOR * self.usual, LEAST)

    def purchase(self):
        """Makes one purchase and returns the seconds that it took."""
        started = time.monotonic()
        until = started + self.limit
        identifier = f"honest-{next(self.numbers)}"
        sheet = self.step(until, "payments", payment(identifier))["sheet"]
        path = urllib.parse.urlsplit(sheet).path
        self.patient(until, "the sheet", lambda seconds: decide(
            self.store, path, "buy", EMAIL, PASSWORD, seconds=seconds))
        bought = self.step(until, "payments", payment(identifier))
        assert bought["status"] == "purchased", f"an honest payment became {bought}"
        self.step(until, "finish", dict(
            bundleIdentifier=BUNDLE,
            transactionIdentifier=bought["transaction"]["transactionIdentifier"]))
        self.bought += 1
        return time.monotonic() - started

    def step(self, until, path, message):
        return self.patient(until, path, lambda seconds: self.device.ask(path, message, seconds)).json

    def patient(self, until, what, attempt):
        """Repeats a step as long as the store answers 503 with Retry-After, until the purchase is late."""
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise Failed(f"an honest purchase isn't over after {self.limit:.1f} s (usual: {self.usual:.2f} s)")
            try:
                answer = attempt(left)
            except AssertionError as failed:
                raise Failed(f"an honest purchase isn't over after {self.limit:.1f} s: {failed}") from None
            if answer.status != 503 or answer.retry_after is None:
                assert answer.status == 200, f"{what} of an honest purchase was answered {answer}"
                return answer
            time.sleep(min(answer.retry_after, max(left, 0)))

    @contextlib.contextmanager
    def buying(self, pause=0.3):
        """Buys repeatedly during an attack; each purchase has to end within the limit."""
        over, failures, times = threading.Event(), [], []

        def shop():
            while not over.is_set() and not failures:
                try:
                    times.append(self.purchase())
                except Exception as failure:  # noqa: BLE001: every kind of failure is the finding
                    failures.append(failure)
                    self.failed.set()
                over.wait(pause)

        thread = threading.Thread(target=shop)
        thread.start()
        try:
            yield times
        except BaseException:
            self.failed.set()
            raise
        finally:
            over.set()
            thread.join()
        if failures:
            raise Failed(f"during the attack, after {len(times)} purchases: {failures[0]}") from failures[0]
        assert times, "the attack was over before one honest purchase was"
        print(f"{len(times)} honest purchases, the slowest in {max(times):.1f} s of {self.limit:.1f} s", flush=True)
