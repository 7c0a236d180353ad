# SPDX-License-Identifier: Apache-2.0
"""Two nodes of one store on one PostgreSQL database, each at its own address: a device and its customer use both.
`scripts/postgres run` provides the cluster.
"""

import copy
import http.client
import json
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from baskets import CATALOGUE, GIFT, redeem, sheet_of_a_code
from harness import (
    BUNDLE, EMAIL, PASSWORD, PATIENCE, SEEDS, Device, Failed, Store, ask, code_of, exchange, wait_until,
    with_customer)
from processes import psql, storectl

pytestmark = pytest.mark.engines("postgresql")

# The seconds after which a node finds an event in the database whose announcement was lost.
CATCH_UP = 5


@contextmanager
def two_nodes(folder, catalogue=None, is_second_late=False):
    """Two nodes with one account; ends both. They sell a catalogue, or BuyFruit's. The test starts a late node."""
    nodes = []
    for name in ("a", "b"):
        (Path(folder) / name).mkdir()
        nodes.append(Store(Path(folder) / name, database=nodes[0].database if nodes else None,
                           prepare=None if nodes else with_customer))
        if catalogue:
            nodes[-1].configuration = Path(folder) / "catalogue.storekit"
            nodes[-1].configuration.write_text(json.dumps(catalogue))
        nodes[-1].name = f"node {name}"
    try:
        for node in nodes[:1] if is_second_late else nodes:
            node.serve()
        yield nodes
    except Exception:
        for node in nodes:
            print(f"--- {node.name}\n{node.tail()}", flush=True)
        raise
    finally:
        for node in nodes:
            node.kill()


def at(node, device):
    """The device, whose calls go to a node."""
    other = copy.copy(device)
    other.store = node
    return other


def answer(node, sheet, decision):
    """Answers a sheet at a node, whichever node has made its address."""
    return ask("POST", f"{node.url}/sheet/{sheet.rsplit('/', 1)[1]}", accept="application/json", form={
        "email": EMAIL, "password": PASSWORD, "decision": decision})


class Stream:
    """An event stream of a device at a node."""

    def __init__(self, node, device):
        self.events = []
        self.has_ended = False
        self.connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=PATIENCE)
        self.connection.request("POST", "/device/v1/events", json.dumps({"apps": [{"bundleIdentifier": BUNDLE}]}),
                                headers={"Authorization": device.authorization})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, f"the stream of {node.name} is answered {self.answer.status}"
        threading.Thread(target=self.listen, daemon=True).start()
        self.wait_for("snapshot", lambda _: True)

    def listen(self):
        name = None
        try:
            for line in self.answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    self.events.append((name, json.loads(value)))
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # The node has ended.
        self.has_ended = True

    def wait_for(self, name, condition):
        def found():
            return next((data for kind, data in list(self.events) if kind == name and condition(data)), None)

        try:
            return wait_until(f"an event {name}", found)
        except AssertionError as failed:
            raise Failed(f"{failed}; there were {self.events}") from None


def sheet_of(device, request):
    status, paid = device.pay(request)
    assert status == 200 and paid.get("sheet"), f"asking for {request}: {status} {paid}"
    return paid["sheet"]


def sign_in(node, device):
    """Buys once, so that the account is signed in on the device."""
    status, text = answer(node, sheet_of(at(node, device), "first"), "buy")
    assert status == 200, f"the first purchase: {status} {text}"


def completed(node, device, request):
    """Repeats a payment at a node, and confirms its sheet again if it is still open, until it is bought."""
    def bought():
        status, paid = at(node, device).pay(request)
        assert status == 200, f"repeating {request}: {status} {paid}"
        assert paid["status"] != "failed", f"{request} has failed: {paid}"
        if paid["status"] == "authorise":
            answer(node, paid["sheet"], "buy")
        return paid.get("transaction")

    return wait_until(f"{request} is bought", bought)


def charged(node, count):
    wait_until("every payment is captured", lambda: node.rows(
        "SELECT count(*) FROM payment WHERE status <> 'captured'") == [(0,)])
    for what, query in (("ledger entries", "SELECT count(*) FROM ledger_entry"),
                        ("purchases", "SELECT count(*) FROM purchase"),
                        ("captured payments", "SELECT count(*) FROM sandbox_payment WHERE status = 'captured'"),
                        ("payments at the provider", "SELECT count(*) FROM sandbox_payment")):
        found = node.rows(query)
        assert found == [(count,)], f"{found} {what} for {count} purchases"


@contextmanager
def announced(count):
    """Requires that events, each of which was waited for before the next one, were announced to the other node. If it
    found them in the database, each of them but the first would take about the whole period."""
    started = time.monotonic()
    yield
    took = time.monotonic() - started
    assert took < (count - 2) * CATCH_UP, f"{count} events took {took:.1f} s, as many as without announcements"


def test_a_purchase_on_one_node_reaches_a_stream_of_the_other(folder):
    """A customer buys at a node, and the device has the transaction from the other one."""
    with two_nodes(folder) as (a, b):
        device = Device(a).register()
        stream = Stream(a, device)
        sign_in(b, device)
        stream.wait_for("account", lambda event: event.get("number"))
        wait_until("the stream ends after the sign-in", lambda: stream.has_ended)

        stream = Stream(a, device)
        with announced(5):
            for number in range(5):
                status, text = answer(b, sheet_of(at(b, device), f"r{number}"), "buy")
                assert status == 200, f"buying at the other node: {status} {text}"
                stream.wait_for(
                    "transaction", lambda event: event["transaction"].get("requestIdentifier") == f"r{number}")
        charged(a, 6)


def test_a_cancelled_sheet_on_one_node_reaches_a_stream_of_the_other(folder):
    """A customer cancels at a node, and the device has the news from the other one, in their order."""
    with two_nodes(folder) as (a, b):
        device = Device(b).register()
        stream = Stream(b, device)
        numbers = []
        with announced(5):
            for number in range(5):
                status, text = answer(a, sheet_of(at(a, device), f"r{number}"), "cancel")
                assert status == 200, f"cancelling at the other node: {status} {text}"
                event = stream.wait_for("request", lambda event: event["requestIdentifier"] == f"r{number}")
                numbers.append(event["number"])
        assert numbers == [1, 2, 3, 4, 5], f"the news have the numbers {numbers}"


def test_lost_announcements_delay_events(folder):
    """The listening connections are ended at each purchase: events are late by seconds, and none is lost."""
    with two_nodes(folder) as (a, b):
        device = Device(a).register()
        sign_in(b, device)
        stream = Stream(a, device)
        for number in range(5):
            sheet = sheet_of(at(b, device), f"r{number}")
            psql(a.database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                 " AND pid <> pg_backend_pid() AND (query LIKE 'LISTEN %' OR query LIKE '%pg_notify%')")
            status, text = answer(b, sheet, "buy")
            assert status == 200, f"buying at the other node: {status} {text}"
        for number in range(5):
            stream.wait_for("transaction", lambda event: event["transaction"].get("requestIdentifier") == f"r{number}")


@contextmanager
def mortal_node(folder, step):
    """Two nodes, of which the second one is killed at a step, and a device with a stream at the first one."""
    with two_nodes(folder, is_second_late=True) as (a, b):
        device = Device(a).register()
        sign_in(a, device)
        stream = Stream(a, device)
        b.serve(OPENSTOREKIT_CRASH_AT=step)
        yield a, b, device, stream


def dies(node, call):
    """Makes a call at which a node is killed."""
    try:
        call()
    except (OSError, http.client.HTTPException):
        pass  # The node has ended.
    wait_until("the node is killed", lambda: node.process.poll() is not None)
    assert node.process.returncode == -9, f"the node ended with {node.process.returncode}"


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["sheet", "reserve", "authorise", "commit", "capture"])
def test_a_node_is_killed_while_it_confirms(folder, step, when):
    """The node at which the customer confirms is killed at a step; the other one completes the purchase."""
    with mortal_node(folder, f"{step}:{when}") as (a, b, device, stream):
        sheet = sheet_of(at(b, device), "r")
        dies(b, lambda: answer(b, sheet, "buy"))

        completed(a, device, "r")
        stream.wait_for("transaction", lambda event: event["transaction"].get("requestIdentifier") == "r")
        charged(a, 2)


@pytest.mark.sampled
@pytest.mark.parametrize("step", ["decide:before", "decide:after"])
def test_a_node_is_killed_while_it_is_asked(folder, step):
    """The node that a device asks for a payment is killed; the repeated request is decided once, by the other one."""
    with mortal_node(folder, step) as (a, b, device, stream):
        dies(b, lambda: at(b, device).pay("r"))

        completed(a, device, "r")
        stream.wait_for("transaction", lambda event: event["transaction"].get("requestIdentifier") == "r")
        asked = a.rows("SELECT count(*) FROM request WHERE request_id = 'r'")
        assert asked == [(1,)], f"the request was recorded {asked} times"
        charged(a, 2)


@pytest.mark.sampled
@pytest.mark.parametrize("step", ["finished:before", "finished:after"])
def test_a_node_is_killed_while_it_finishes(folder, step):
    """The node to which a device sends a finish is killed; the repeated finish removes the transaction once."""
    with mortal_node(folder, step) as (a, b, device, stream):
        status, text = answer(b, sheet_of(at(b, device), "r"), "buy")
        assert status == 200, f"buying at the other node: {status} {text}"
        bought = stream.wait_for(
            "transaction", lambda event: event["transaction"].get("requestIdentifier") == "r")
        number = bought["transaction"]["transactionIdentifier"]
        finish = {"bundleIdentifier": BUNDLE, "transactionIdentifier": number}
        dies(b, lambda: at(b, device).call("finish", **finish))

        status, said = device.call("finish", **finish)
        assert status == 200, f"finishing at the other node: {status} {said}"
        stream.wait_for("removed", lambda event: event["transactionIdentifier"] == number)
        queue = device.call("queue", bundleIdentifier=BUNDLE)[1]["transactions"]
        assert all(entry["transactionIdentifier"] != number for entry in queue), f"{number} came back: {queue}"
        status, said = device.call("finish", **finish)
        assert status == 200, f"repeating the finish: {status} {said}"
        charged(a, 2)


@pytest.mark.slow
def test_both_nodes_are_killed_and_started_again(folder):
    """A node is killed at a step, and then the other one: the purchase is completed after their next starts."""
    with two_nodes(folder, is_second_late=True) as (a, b):
        device = Device(a).register()
        sign_in(a, device)
        b.serve(OPENSTOREKIT_CRASH_AT="commit:before")
        sheet = sheet_of(at(b, device), "r")
        dies(b, lambda: answer(b, sheet, "buy"))
        a.kill()
        for node in (a, b):
            node.serve()

        stream = Stream(b, device)
        completed(a, device, "r")
        wait_until("the transaction is in the queue", lambda: any(
            transaction.get("requestIdentifier") == "r"
            for transaction in at(b, device).call("queue", bundleIdentifier=BUNDLE)[1]["transactions"]))
        assert not stream.has_ended, "the stream has ended"
        charged(b, 2)


def issued_receipt(device):
    status, issued = device.call("receipt", requestIdentifier="receipt", bundleIdentifier=BUNDLE,
                                 applicationVersion="1.0", mayAskToSignIn=False)
    assert status == 200 and issued.get("receipt"), f"the receipt: {status} {issued}"
    return issued["receipt"]


def verified(node, receipt, password=None):
    """The status of Apple's service at a node."""
    status, text = ask("POST", f"{node.url}/verifyReceipt", body={
        "receipt-data": receipt, **({"password": password} if password else {})})
    assert status == 200, f"/verifyReceipt of {node.name} is answered {status}: {text}"
    return json.loads(text)["status"]


def test_a_newer_version_changes_the_schema(folder):
    """A newer version migrates: the older nodes aren't ready, refuse devices, and end their streams. They verify
    receipts for as long as they run, because sellers' servers don't look at /readyz."""
    with two_nodes(folder) as (a, _):
        device = Device(a).register()
        sign_in(a, device)
        receipt = issued_receipt(device)
        stream = Stream(a, device)
        psql(a.database, "INSERT INTO schema_migration VALUES ('999 wonders', 999)")
        wait_until("the stream ends", lambda: stream.has_ended)
        status, _ = ask("GET", f"{a.url}/readyz")
        assert status == 503, f"readiness beside a newer schema: {status}"
        body = json.dumps({"requestIdentifier": "r", "bundleIdentifier": BUNDLE, "productIdentifier": SEEDS,
                           "quantity": 1, "simulatesAskToBuy": False})
        status, text = exchange(a, "POST", "/device/v1/payments", body.encode(), {
            "Authorization": device.authorization, "Content-Type": "application/json"})
        assert status == 503 and code_of(text) == "unavailable", f"a payment beside a newer schema: {status} {text}"
        assert verified(a, receipt) == 0, "the older node verifies no receipt"
        assert a.process.poll() is None, "the older node has ended"
        charged(a, 1)


def test_the_nodes_share_a_control_token(folder):
    """The token in the folder of one node controls the other node, also if a folder has another token."""
    with two_nodes(folder) as (a, b):
        token = (a.data / "control.token").read_text()
        assert (b.data / "control.token").read_text() == token, "the nodes have two control tokens"
        storectl("requests", "--data", a.data, "--store", b.url)

        b.stop()
        (b.data / "control.token").write_text("of-an-earlier-version\n")
        b.serve()
        assert (b.data / "control.token").read_text() == token, "the folder keeps its own token"
        rights = (b.data / "control.token").stat().st_mode & 0o777
        assert rights == 0o600, f"the token has the rights {rights:o}"
        for folder_of, other in ((a, b), (b, a)):
            storectl("requests", "--data", folder_of.data, "--store", other.url)
        secrets = a.rows("SELECT encode(secret, 'escape') AS secret FROM store_secret")
        assert len(secrets) == 1 and token.strip() not in secrets[0][0], "the token is readable"


def test_the_nodes_share_the_secret_of_an_app(folder):
    """The shared secret that one node is given is asked for at all nodes, until it is removed."""
    with two_nodes(folder) as (a, b):
        device = Device(a).register()
        sign_in(a, device)
        receipt = issued_receipt(device)
        assert verified(a, receipt, "wrong") == 0, "an app without a shared secret takes any password"
        secret = Path(folder) / "secret"
        secret.write_text("right\n")

        b.stop()
        b.arguments = ("--shared-secret", f"{BUNDLE}={secret}")
        b.serve()
        wait_until("the other node asks for the secret", lambda: verified(a, receipt, "wrong") == 21004)
        assert verified(a, receipt, "right") == 0, "the other node doesn't take the secret"

        b.stop()
        b.arguments = ()
        b.serve()
        assert verified(b, receipt, "wrong") == 21004, "the secret was forgotten"

        a.stop()
        a.arguments = ("--no-shared-secret", BUNDLE)
        a.serve()
        assert verified(a, receipt, "wrong") == 0, "the secret wasn't removed"


def test_the_last_use_of_a_code_is_asked_for_at_both_nodes(folder):
    """Two customers redeem the last use of a custom code, each at another node: one gets it, and only this one pays."""
    with two_nodes(folder, CATALOGUE) as (a, b):
        other = "ben@example.com"
        a.add_account(other, PASSWORD)
        file = Path(folder) / "codes.json"
        storectl("code", "create", *GIFT, "--custom", "LAST-ONE", "--limit", 1, "--output", file, "--data", a.data,
                 "--store", a.url)
        sheets = [(email, sheet_of_a_code(Device(node).register())) for email, node in ((EMAIL, a), (other, b))]
        ready = threading.Barrier(2)
        answers = []

        def ask_for_it(email, sheet):
            ready.wait(PATIENCE)
            answers.append((*redeem(sheet, "last-one", email=email), email, sheet))

        threads = [threading.Thread(target=ask_for_it, args=sheet) for sheet in sheets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        won, lost = sorted(answers, key=lambda answer: answer[0])
        assert won[0] == 200 and json.loads(won[1]) == {"outcome": "purchased"}, f"the answers: {answers}"
        assert lost[0] == 409 and code_of(lost[1]) == "code-used" and "Nothing was charged" in lost[1], (
            f"the answers: {answers}")
        charged(a, 1)
        payers = a.rows("SELECT account.email FROM ledger_entry JOIN account USING (environment, account_id)")
        assert payers == [(won[2],)], f"{payers} paid, and {won[2]} has the code"
        used = a.rows("SELECT uses FROM offer_code") + a.rows("SELECT count(*) FROM code_redemption")
        assert used == [(1,), (1,)], f"the code's uses and redemptions: {used}"
        for node in (a, b):
            said = storectl("code", "export", file, "--data", node.data, "--store", node.url)
            assert said.splitlines() == ["code,redeemed", "LAST-ONE,1"], f"exported at {node.name}: {said}"
        # The other customer's sheet is still open.
        status, text = redeem(lost[3], "last-one", email=lost[2])
        assert status == 409 and code_of(text) == "code-used", f"asking once more: {status} {text}"
