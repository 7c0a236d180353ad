# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) a store while it renews subscriptions and `storectl clock advance` waits for it, and starts it again.

Real processes with a fault point each (`OPENSTOREKIT_CRASH_AT`). Afterwards each period was charged, recorded and
delivered once, and the advance went on where it was. Arguments choose the scenarios whose names have all of these
words. The last line is `N passed, N failed`.
"""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Processes"))

from harness import BUNDLE, EMAIL, Failed, complains, expect, play_all, wait_until  # noqa: E402
from test_subscriptions import Desk  # noqa: E402

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
        except Failed:
            if self.store.process.poll() is None:
                raise

    def wait_for_death(self, seconds=60):
        wait_until("the store is killed", lambda: self.store.process.poll() is not None, seconds)
        expect(self.store.process.returncode == -9, f"the store ended with {self.store.process.returncode}")

    def go_on(self):
        """Waits for everything that is due; a killed node's payment is taken up within a minute."""
        def done():
            try:
                self.run("clock", "advance", EMAIL, "0s")
                return True
            except Failed as failed:
                expect("still under way" in str(failed), f"waiting for the rest: {failed}")
                return False

        wait_until("nothing is due any more", done, seconds=120)

    def queue(self):
        """The identifiers of the device's unfinished transactions."""
        status, snapshot = self.device.call("queue", bundleIdentifier=BUNDLE)
        expect(status == 200, f"the queue: {status} {snapshot}")
        return [transaction["transactionIdentifier"] for transaction in snapshot["transactions"]]

    def take(self):
        """Finishes the transactions of the device's queue, as an app does."""
        for transaction in self.queue():
            self.taken.append(transaction)
            status, answer = self.device.call(
                "finish", bundleIdentifier=BUNDLE, transactionIdentifier=transaction,
                requestIdentifier=f"finish-{transaction}")
            expect(status == 200, f"finishing {transaction}: {status} {answer}")

    def check(self, renewals):
        """Requires that each period was charged, delivered and recorded once, and follows the one before."""
        [subscription] = self.json("subscription", "list", EMAIL, "--history")
        events = subscription["events"]
        begun = [event for event in events if event["kind"] in ("subscribed", "renewed")]
        expect(len(begun) == renewals + 1, f"{len(begun) - 1} renewals instead of {renewals}: {events}")
        expect(all(before["until"] == after["time"] for before, after in zip(begun, begun[1:])),
               f"the periods don't follow one another: {begun}")
        expect(events == sorted(events, key=lambda event: event["time"]), f"events out of order: {events}")
        transactions = sorted(event["transaction"] for event in begun)
        bought = self.store.rows("SELECT transaction_id FROM purchase WHERE expires_at IS NOT NULL")
        expect(sorted(one for (one,) in bought) == transactions,
               f"the purchases are {bought}, the events {transactions}")
        ledger = self.store.rows("SELECT transaction_id, milliunits FROM ledger_entry")
        expect(sorted(ledger) == sorted((one, 4990) for one in transactions), f"the ledger is {ledger}")
        self.check_provider(len(transactions))
        self.take()
        expect(sorted(self.taken) == transactions, f"delivered {self.taken} instead of {transactions}")
        expect(self.queue() == [], "a finished transaction came back")

    def check_provider(self, periods):
        """Requires a captured charge a period. Beside them the next period may be authorised already."""
        def captured():
            return self.store.rows("SELECT count(*) FROM sandbox_payment WHERE status = 'captured'") == [(periods,)]

        wait_until("every charge is captured", captured, seconds=60)
        others = self.store.rows("SELECT status FROM sandbox_payment WHERE status <> 'captured'")
        expect(others in ([], [("authorised",)]), f"the provider has other charges: {others}")


def killed_at(folder, step, healthy=0):
    """The store dies at a step of the first renewal, or of the one after `healthy` months."""
    with Renewals(folder) as desk:
        desk.subscribe("monthly")
        if healthy:
            desk.run("clock", "advance", EMAIL, f"{healthy}mo")
            desk.take()
        desk.store.stop()
        desk.store.serve(OPENSTOREKIT_CRASH_AT=step)
        said = desk.fails("clock", "advance", EMAIL, f"{12 - healthy}mo")
        complains(said, "hasn't answered", f"clock show {EMAIL}", f"clock advance {EMAIL} 0s", "--history")
        desk.wait_for_death(seconds=10)
        desk.store.serve()
        desk.go_on()
        desk.check(renewals=12)


def killed_in_the_middle(folder):
    """The store is killed in the middle of two years of weekly renewals."""
    with Renewals(folder) as desk:
        desk.subscribe("weekly")
        said = []
        advancing = threading.Thread(target=lambda: said.append(desk.fails("clock", "advance", EMAIL, "104w")))
        advancing.start()
        wait_until("some renewals are made", lambda: desk.store.rows(
            "SELECT count(*) FROM subscription_event")[0][0] > 30)
        desk.store.kill()
        advancing.join()
        complains("".join(said), "hasn't answered|No store answers")
        made = desk.store.rows("SELECT count(*) FROM subscription_event")[0][0]
        expect(made < 200, f"the store was killed after the last renewal: {made}")
        desk.store.serve()
        desk.take()
        desk.go_on()
        desk.check(renewals=104)


def killed_again_and_again(folder):
    """The store dies at another step after each start. Each time it goes on without a command, until its next death."""
    with Renewals(folder) as desk:
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


def scenarios():
    for step in STEPS:
        yield f"the store dies at {step} of an advance", killed_at, {"step": step}
    for step in ("authorise:after", "capture:before"):
        yield f"the store dies at {step} of the fourth renewal", killed_at, {"step": step, "healthy": 3}
    yield "the store is killed in the middle of an advance", killed_in_the_middle, {}
    yield "the store dies again and again in an advance", killed_again_and_again, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
