# SPDX-License-Identifier: Apache-2.0
"""`storectl notifications listen` and `deliver`, `storectl trigger`, and version 1, against a running store."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from harness import BUNDLE, EMAIL, PASSWORD, PATIENCE, ROOT, SEEDS, Store, exchange, wait_until
from laptop import Laptop
from processes import BINARIES, storectl


class Listener:
    """A running `storectl notifications listen --json`."""

    def __init__(self, store, folder, *arguments):
        self.output = Path(folder) / "listener.out"
        self.errors = Path(folder) / "listener.err"
        self.command = [str(BINARIES / "storectl"), "notifications", "listen", "--json", "--data", str(store.data),
                        *arguments]

    def __enter__(self):
        with open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        wait_until("the listener listens", lambda: self.said("Listening"))
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def said(self, words):
        return words in self.errors.read_text()

    def printed(self):
        return [json.loads(line) for line in self.output.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def waits_for(self, count):
        wait_until(f"{count} notifications are printed", lambda: len(self.printed()) >= count)
        assert len(self.printed()) == count, f"more than {count}: {self.printed()}"


def buy(store, count=1):
    for _ in range(count):
        storectl("buy", EMAIL, SEEDS, "--bundle-id", BUNDLE, "--data", store.data)


def test_a_listener_prints_and_forwards_each_notification_once(store, folder):
    """Each notification is printed and forwarded once, also after the store was killed, and Ctrl-C ends it."""
    store.add_account(EMAIL, PASSWORD)
    buy(store)
    with Laptop(refused=1) as laptop, Listener(store, folder, "--app", BUNDLE, "--forward", laptop.url) as listener:
        buy(store, 3)
        listener.waits_for(3)
        assert {one["notificationType"] for one in listener.printed()} == {"ONE_TIME_CHARGE"}, "another type"
        products = {one["data"]["transaction"]["productId"] for one in listener.printed()}
        assert products == {SEEDS}, f"the transactions aren't decoded: {products}"

        store.kill()
        wait_until("the listener waits", lambda: listener.said("Waiting for the store"))
        store.serve()
        buy(store, 2)
        listener.waits_for(5)
        assert len(laptop.bodies) == len(set(laptop.bodies)) == 5, f"{len(laptop.bodies)} were forwarded"
        listener.process.send_signal(signal.SIGINT)
        assert listener.process.wait(timeout=PATIENCE) == 0, f"Ctrl-C: {listener.errors.read_text()}"

    identifiers = [one["notificationUUID"] for one in listener.printed()]
    assert len(set(identifiers)) == 5, f"twice: {identifiers}"
    results = {attempt["result"] for attempt in attempts(store, identifiers[0])}
    assert results == {"UNSUCCESSFUL_HTTP_RESPONSE_CODE"}, f"the first one: {results}"
    results = {attempt["result"] for attempt in attempts(store, identifiers[-1])}
    assert results == {"SUCCESS"}, f"the last one: {results}"
    buy(store)
    assert len(listed(store)) == 5, "a listener that has ended still gets notifications"


def listed(store):
    return json.loads(storectl("notifications", "list", "--json", "--data", store.data))


def attempts(store, notification):
    shown = json.loads(storectl("notifications", "show", notification, "--json", "--data", store.data))
    return [attempt for delivery in shown["deliveries"] for attempt in delivery["attempts"]]


def test_the_commands_set_the_modes_of_delivery(folder, laptop):
    """The commands set, list and remove modes, and refuse those that don't fit together."""
    store = Store(folder, arguments=("--notify", f"{BUNDLE}={laptop.url}"))
    store.serve()
    try:
        store.add_account(EMAIL, PASSWORD)
        said = storectl("notifications", "deliver", "--twice", "--account", EMAIL, "--data", store.data)
        assert EMAIL in said and "twice" in said, f"it says {said}"
        buy(store)
        wait_until("it arrives twice", lambda: len(laptop.bodies) == 2)
        assert len(set(laptop.bodies)) == 1, "the bytes differ"
        storectl("notifications", "deliver", "--late", "1h", "--account", EMAIL, "--data", store.data)
        said = storectl("notifications", "modes", "--data", store.data)
        assert "3600 s late" in said, f"it lists {said}"
        refused = subprocess.run(
            [str(BINARIES / "storectl"), "notifications", "deliver", "--dropped", "--twice", "--data",
             str(store.data)], capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert refused.returncode == 1 and "dropped" in refused.stderr, f"it says {refused.stderr}"
        storectl("notifications", "deliver", "--account", EMAIL, "--data", store.data)
        assert not storectl("notifications", "modes", "--data", store.data), "the mode stays"
    finally:
        store.kill()


@pytest.mark.sampled
@pytest.mark.parametrize("step", ["signed", "saved", "sending", "sent"])
def test_a_killed_store_loses_no_notification(folder, laptop, step):
    """A store is killed at a step of a notification. It sends each notification at least once, with the same bytes, and
    has each once in its history."""
    store = Store(folder, arguments=("--notify", f"{BUNDLE}={laptop.url}"))
    try:
        store.serve()
        store.add_account(EMAIL, PASSWORD)
        store.stop()
        store.serve(OPENSTOREKIT_CRASH_AT=f"notification:{step}")
        try:
            buy(store)
        except AssertionError:
            pass  # The store has ended before it answered.
        wait_until("the store is killed", lambda: store.process.poll() is not None)
        assert store.process.returncode == -9, f"the store ended with {store.process.returncode}"
        before = len(laptop.bodies)
        assert before == (1 if step == "sent" else 0), f"{before} have arrived"

        store.serve()
        buy(store, 2)

        def delivered():
            states = [delivery["state"] for one in listed(store) for delivery in one["deliveries"]]
            return states == ["delivered"] * 3

        wait_until("all are delivered", delivered)
        assert store.rows("SELECT count(*) FROM purchase") == [(3,)], "another number of purchases"
        history = [one["payload"] for one in listed(store)]
        assert sorted(set(laptop.bodies)) == sorted(history), f"{len(laptop.bodies)} of {len(history)} arrived"
        assert len(laptop.bodies) == 3 + before, f"{len(laptop.bodies)} arrived"
        for one in listed(store):
            results = [attempt["result"] for attempt in attempts(store, one["notification"])]
            assert results == ["SUCCESS"], f"the attempts are {results}"
    finally:
        store.kill()


GARDEN = "com.example.garden"


def garden(folder):
    """The products of the scenarios, with a promotional offer of each subscription."""
    catalogue = json.loads((ROOT / "Sources/StoreScenarios/Shipped/garden.storekit").read_text())
    for group in catalogue["subscriptionGroups"]:
        for product in group["subscriptions"]:
            product["adHocOffers"] = [{"offerID": "welcome", "referenceName": "welcome", "paymentMode": "free",
                                       "subscriptionPeriod": "P1M", "internalID": product["internalID"] + "1"}]
    path = Path(folder) / "garden.storekit"
    path.write_text(json.dumps(catalogue))
    return path


def test_every_type_is_triggered_by_a_history_that_fits_it(folder):
    """Every type of the documentation is caused, and an unknown one is answered with the list."""
    store = Store(folder, configuration=garden(folder), bundle=GARDEN)
    store.serve()
    token = (store.data / "control.token").read_text().strip()

    def control(verb, **message):
        return exchange(store, "POST", f"/control/v1/{verb}", json.dumps(message),
                        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})

    def trigger(kind):
        status, text = control("trigger", type=kind, bundle=GARDEN)
        assert status == 200, f"{kind}: {status} {text}"
        notification = json.loads(text)["notification"]
        caused = "/".join(filter(None, (notification["type"], notification.get("subtype"))))
        assert caused == kind, f"{kind} caused {caused}"

    try:
        status, text = control("trigger", type="TEST", bundle=GARDEN)
        assert status == 400 and "listen" in text, f"without a receiver: {status} {text}"
        control("listen", listener="5e" * 16, limit=0)
        status, text = control("trigger", type="DID_RENEW/NONE", bundle=GARDEN)
        assert status == 400 and "DID_RENEW/BILLING_RECOVERY" in text, f"unknown: {status} {text}"
        kinds = re.search(r"These are: (.*?)\.\"", text)[1].split(", ")
        assert len(kinds) == 32, f"{len(kinds)} kinds: {kinds}"
        for kind in kinds:
            trigger(kind)
        said = storectl("trigger", "DID_RENEW", "--app", GARDEN, "--data", store.data)
        assert "DID_RENEW" in said and "@example.com" in said, f"it says {said}"
    finally:
        store.kill()


SECRET = "c0ffee00c0ffee00c0ffee00c0ffee00"


def test_an_address_of_version_1_gets_bodies_with_the_shared_secret(folder):
    """An address of version 1 gets bodies with the shared secret, one with the usual version signed payloads, and
    /verifyReceipt accepts the receipt of a body. No list has the secret."""
    secret = folder / "secret"
    secret.write_text(SECRET + "\n")
    with Laptop() as laptop, Laptop() as usual:
        store = Store(folder, configuration=garden(folder), bundle=GARDEN,
                      arguments=("--shared-secret", f"{GARDEN}={secret}", "--notify", f"{GARDEN}={usual.url}"))
        store.serve()
        try:
            added = storectl("notifications", "address", "add", laptop.url, "--version-1", "--app", GARDEN,
                             "--data", store.data)
            assert f"{laptop.url}  version 1" in added, f"it lists {added}"
            refused = subprocess.run(
                [str(BINARIES / "storectl"), "notifications", "address", "add", laptop.url, "--app", GARDEN, "--data",
                 str(store.data)], capture_output=True, text=True, timeout=PATIENCE, check=False)
            assert refused.returncode == 1 and "version 1" in refused.stderr, f"it says {refused.stderr}"
            with Listener(store, folder, "--app", GARDEN, "--version-1") as listener:
                for kind in ("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "DID_RENEW/BILLING_RECOVERY", "REFUND"):
                    storectl("trigger", kind, "--app", GARDEN, "--data", store.data)
                wanted = ["INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS", "INITIAL_BUY", "DID_FAIL_TO_RENEW",
                          "DID_RECOVER", "REFUND"]
                wait_until("version 1 has arrived", lambda: len(laptop.bodies) >= len(wanted))
                types = [body["notification_type"] for body in laptop.bodies]
                assert sorted(types) == sorted(wanted), f"the types are {types}"
                listener.waits_for(len(wanted))
                assert all("password" not in body for body in listener.printed()), "the listener has the secret"
            assert {body["password"] for body in laptop.bodies} == {SECRET}, "the password is another one"
            assert {body["environment"] for body in laptop.bodies} == {"Sandbox"}, "the environment is another one"
            assert {body["bid"] for body in laptop.bodies} == {GARDEN}, "the app is another one"
            assert all(isinstance(body, str) for body in usual.bodies), "version 2 isn't signed"
            recovered = laptop.bodies[types.index("DID_RECOVER")]["unified_receipt"]
            status, text = exchange(store, "POST", "/verifyReceipt", json.dumps(
                {"receipt-data": recovered["latest_receipt"], "password": SECRET}),
                {"Content-Type": "application/json"})
            answer = json.loads(text)
            assert (status, answer["status"]) == (200, 0), f"/verifyReceipt: {status} {answer['status']}"
            assert ([row["transaction_id"] for row in answer["latest_receipt_info"]]
                   == [row["transaction_id"] for row in recovered["latest_receipt_info"]]), (
                "the transactions differ")
            assert SECRET not in storectl("notifications", "list", "--json", "--data", store.data), "a list has it"
            shown = [one for one in listed(store) if one["version"] == 1]
            assert len(shown) == len(wanted), f"the list has {len(shown)}"
            storectl("notifications", "resend", shown[0]["notification"], "--data", store.data)
            wait_until("it is sent again", lambda: len(laptop.bodies) > len(wanted))
            assert laptop.bodies[-1] in laptop.bodies[:-1], "the bytes differ"
        finally:
            store.kill()


@pytest.mark.parametrize("kind", ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "EXPIRED/PRODUCT_NOT_FOR_SALE"])
def test_a_store_killed_during_a_history_changes_nothing_for_others(folder, kind):
    """A store that is killed during a history keeps the app's grace period and the sale of its products."""
    store = Store(folder, configuration=garden(folder), bundle=GARDEN)

    def shared():
        return (store.rows("SELECT bundle_id, grace_period_days FROM app ORDER BY 1")
                + store.rows("SELECT product_id, storefront FROM product_exclusion ORDER BY 1, 2"))

    store.serve()
    try:
        before = shared()
        storectl("notifications", "address", "add", "http://127.0.0.1:9/", "--data", store.data)
        store.stop()
        store.serve(OPENSTOREKIT_CRASH_AT="renew:before")
        try:
            storectl("trigger", kind, "--app", GARDEN, "--data", store.data)
        except AssertionError:
            pass  # The store has ended before it answered.
        wait_until("the store is killed", lambda: store.process.poll() is not None)
        assert store.process.returncode == -9, f"the store ended with {store.process.returncode}"
        assert shared() == before, f"{shared()} instead of {before}"
        assert store.rows("SELECT count(*) FROM account WHERE tester_until > 0") == [(1,)], "no tester has rules"
    finally:
        store.kill()
