# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) a store while it renews subscriptions and `storectl clock advance` waits for it, and starts it again.

Real processes with a fault point each (`OPENSTOREKIT_CRASH_AT`). Afterwards each period was charged, recorded and
delivered once, and the advance went on where it was.
"""

import subprocess

import pytest

from baskets import Desk
from harness import BUNDLE, EMAIL, complains, wait_until
from processes import BINARIES
from shop import TAKEN_OVER

# A kill of a store that commits on PostgreSQL is in test_kills.py, for every change.
pytestmark = pytest.mark.engines("sqlite", soak=["postgresql"])

STEPS = ["advance:moved", *(f"{step}:{when}" for step in ("renew", "authorise", "commit", "capture")
                            for when in ("before", "after"))]
# A step that a store carries out again after each start, until the clock has caught up.
REPEATED = ["renew:after", "authorise:after", "commit:before", "capture:before", "capture:after"]


class Renewals(Desk):
    """A desk whose store dies, and a device that takes and finishes its transactions when the store is alive."""

    def __init__(self, folder):
        super().__init__(folder)
        self.taken = []

    def subscribe(self, product):
        first = super().subscribe(product)
        self.take()
        return first

    def serve_until(self, step):
        """Serves the store until it dies at a fault point, which may be before it answers."""
        try:
            self.store.serve(OPENSTOREKIT_CRASH_AT=step)
        except AssertionError:
            if self.store.process.poll() is None:
                raise

    def wait_for_death(self):
        wait_until("the store is killed", lambda: self.store.process.poll() is not None, TAKEN_OVER)
        assert self.store.process.returncode == -9, f"the store ended with {self.store.process.returncode}"

    def go_on(self):
        """Waits for everything that is due."""
        def done():
            try:
                self.run("clock", "advance", EMAIL, "0s")
                return True
            except AssertionError as failed:
                assert "still under way" in str(failed), f"waiting for the rest: {failed}"
                return False

        wait_until("nothing is due any more", done, TAKEN_OVER)

    def queue(self):
        """The identifiers of the device's unfinished transactions."""
        status, snapshot = self.device.call("queue", bundleIdentifier=BUNDLE)
        assert status == 200, f"the queue: {status} {snapshot}"
        return [transaction["transactionIdentifier"] for transaction in snapshot["transactions"]]

    def take(self):
        """Finishes the transactions of the device's queue, as an app does."""
        for transaction in self.queue():
            self.taken.append(transaction)
            status, answer = self.device.call(
                "finish", bundleIdentifier=BUNDLE, transactionIdentifier=transaction,
                requestIdentifier=f"finish-{transaction}")
            assert status == 200, f"finishing {transaction}: {status} {answer}"

    def check(self, renewals):
        """Requires that each period was charged, delivered and recorded once, and follows the one before."""
        [subscription] = self.json("subscription", "list", EMAIL, "--history")
        events = subscription["events"]
        begun = [event for event in events if event["kind"] in ("subscribed", "renewed")]
        assert len(begun) == renewals + 1, f"{len(begun) - 1} renewals instead of {renewals}: {events}"
        assert all(before["until"] == after["time"] for before, after in zip(begun, begun[1:])), (
            f"the periods don't follow one another: {begun}")
        assert events == sorted(events, key=lambda event: event["time"]), f"events out of order: {events}"
        transactions = sorted(event["transaction"] for event in begun)
        bought = self.store.rows("SELECT transaction_id FROM purchase WHERE expires_at IS NOT NULL")
        assert sorted(one for (one,) in bought) == transactions, (
            f"the purchases are {bought}, the events {transactions}")
        ledger = self.store.rows("SELECT transaction_id, milliunits FROM ledger_entry")
        assert sorted(ledger) == sorted((one, 4990) for one in transactions), f"the ledger is {ledger}"
        self.check_provider(len(transactions))
        self.take()
        assert sorted(self.taken) == transactions, f"delivered {self.taken} instead of {transactions}"
        assert self.queue() == [], "a finished transaction came back"

    def check_provider(self, periods):
        """Requires a captured charge a period. Beside them the next period may be authorised already."""
        def captured():
            return self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status = 'captured'") == [(periods,)]

        wait_until("every charge is captured", captured, TAKEN_OVER)
        others = self.store.rows("SELECT status FROM sandbox_payment WHERE status <> 'captured'")
        assert others in ([], [("authorised",)]), f"the provider has other charges: {others}"


@pytest.fixture
def desk(folder):
    with Renewals(folder) as desk:
        yield desk
        print(f"--- the store\n{desk.store.tail()}")


@pytest.mark.sampled
@pytest.mark.parametrize("step", STEPS)
def test_the_store_dies_in_an_advance(desk, step):
    """The store dies at a step of the first renewal."""
    killed_at(desk, step)


@pytest.mark.parametrize("step", ["authorise:after", "capture:before"])
def test_the_store_dies_in_the_fourth_renewal(desk, step):
    """The store dies at a step of the renewal after three months."""
    killed_at(desk, step, healthy=3)


def killed_at(desk, step, healthy=0):
    desk.subscribe("monthly")
    if healthy:
        desk.run("clock", "advance", EMAIL, f"{healthy}mo")
        desk.take()
    desk.store.stop()
    desk.store.serve(OPENSTOREKIT_CRASH_AT=step)
    # Three months after the 30th of November it is the 28th of February, and nine months later the 28th again.
    said = desk.fails("clock", "advance", EMAIL, f"{12 - healthy}mo3d" if healthy else "12mo")
    complains(said, "hasn't answered", f"clock show {EMAIL}", f"clock advance {EMAIL} 0s", "--history")
    desk.wait_for_death()
    desk.store.serve()
    desk.go_on()
    desk.check(renewals=12)


def test_the_store_is_killed_in_the_middle_of_an_advance(desk):
    """The store is killed in the middle of two years of weekly renewals."""
    first = desk.subscribe("weekly")
    # When it is killed after the last renewal, two more years follow.
    for weeks in range(104, 1040, 104):
        def renewals():
            return desk.store.rows("SELECT count(*) FROM purchase WHERE expires_at IS NOT NULL"
                                   f" AND transaction_id <> '{first}'")[0][0]

        advancing = subprocess.Popen([BINARIES / "storectl", "clock", "advance", EMAIL, "104w", "--data",
                                      desk.store.data], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until("some renewals are made", lambda: renewals() > weeks - 90)
        desk.store.kill()
        _, said = advancing.communicate()
        is_over = renewals() == weeks
        desk.store.serve()
        desk.take()
        desk.go_on()
        if not is_over:
            break
    complains(said, "hasn't answered|No store answers")
    desk.check(renewals=weeks)


@pytest.mark.slow
def test_the_store_dies_again_and_again_in_an_advance(desk):
    """The store dies at another step after each start. Each time it goes on without a command, until its next death."""
    desk.subscribe("weekly")
    desk.store.stop()
    desk.store.serve(OPENSTOREKIT_CRASH_AT="advance:moved")
    desk.fails("clock", "advance", EMAIL, "26w")
    desk.wait_for_death()
    for step in REPEATED:
        desk.serve_until(step)
        desk.wait_for_death()
    desk.store.serve()
    desk.take()
    desk.go_on()
    desk.check(renewals=26)
