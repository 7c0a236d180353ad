# SPDX-License-Identifier: Apache-2.0
"""`storectl clock`, `subscription` and `app grace-period`: their output, and their refusals.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import (  # noqa: E402
    BUNDLE, EMAIL, PASSWORD, SEEDS, Device, Store, ask, complains, expect, play_all)
from processes import BINARIES, storectl  # noqa: E402


def basket(name, period, level, **others):
    return {"displayPrice": "4.99", "groupNumber": level, "internalID": name, "localizations": [], "productID": name,
            "recurringSubscriptionPeriod": period, "referenceName": name, "subscriptionGroupID": "baskets",
            "type": "RecurringSubscription", **others}


CATALOGUE = {
    "products": [{"displayPrice": "0.99", "internalID": "S", "localizations": [], "productID": SEEDS,
                  "referenceName": "Seeds", "type": "Consumable"}],
    "subscriptionGroups": [{"id": "baskets", "localizations": [], "name": "Baskets", "subscriptions": [
        basket("monthly", "P1M", 1), basket("weekly", "P1W", 2),
        basket("magazine", "P1M", 3, _openStoreKit={"sharesContact": {"bonus": "P1M"}})]}],
    "version": {"major": 2, "minor": 0},
}


class Desk:
    """A store that sells baskets, and the operator who moves the customer's clock."""

    def __init__(self, folder):
        self.store = Store(folder)
        self.store.configuration = Path(folder) / "baskets.storekit"
        self.store.configuration.write_text(json.dumps(CATALOGUE))
        self.device = Device(self.store)

    def __enter__(self):
        self.store.serve()
        self.store.add_account(EMAIL, PASSWORD)
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the store\n{self.store.tail()}", flush=True)
        self.store.kill()

    def subscribe(self, product, **form):
        """Buys a subscription on the customer's device, and returns its first transaction."""
        self.device.register()
        status, paid = self.device.pay("basket", product)
        expect(status == 200 and paid.get("sheet"), f"asking for {product}: {status} {paid}")
        status, text = ask("POST", paid["sheet"], accept="application/json", form={
            "email": EMAIL, "password": PASSWORD, "decision": "buy", **form})
        expect(status == 200, f"buying {product}: {status} {text}")
        status, paid = self.device.pay("basket", product)
        expect(status == 200 and paid.get("transaction"), f"the purchase of {product}: {status} {paid}")
        return paid["transaction"]["transactionIdentifier"]

    def run(self, *arguments):
        """Runs a command for the running store, and returns its output."""
        return storectl(*arguments, "--data", self.store.data)

    def fails(self, *arguments):
        """The message of a command that has to fail with status 1."""
        ran = subprocess.run([str(BINARIES / "storectl"), *map(str, arguments), "--data", str(self.store.data)],
                             text=True, capture_output=True, timeout=60)
        expect(ran.returncode == 1, f"{arguments} ended with {ran.returncode}: {ran.stdout} {ran.stderr}")
        return ran.stderr

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def time(self):
        return self.json("clock", "show", EMAIL)["time"]


def clock(folder):
    """The verbs of the clock, their output, and their refusals."""
    with Desk(folder) as desk:
        first = desk.subscribe("monthly")
        desk.run("clock", "set", EMAIL, "2040-01-10T20:00:00Z")
        started = desk.time()
        expect(started.startswith("2040-01-10T20:00:"), f"the clock shows {started}")

        moved = desk.json("clock", "advance", EMAIL, "2mo")
        kinds = [event["kind"] for event in moved["events"]]
        expect(moved["from"].startswith("2040-01-10T20:") and moved["clock"]["time"].startswith("2040-03-10T20:"),
               f"the clock was moved: {moved}")
        expect(kinds.count("renewed") == 2, f"the events of two months: {kinds}")
        wanted = {"bundle", "kind", "product", "subscription", "time", "transaction"}
        expect(all(wanted <= set(event) for event in moved["events"]), f"the keys of {moved['events'][0]}")
        expect(all(event["subscription"] == first and event["product"] == "monthly" and event["bundle"] == BUNDLE
                   for event in moved["events"]), f"the values of {moved['events']}")

        lines = desk.run("clock", "advance", EMAIL, "--to-next-event").splitlines()
        expect(len(lines) == 2 and " monthly " in lines[0] and EMAIL in lines[1], f"printed: {lines}")
        expect(lines[0][:13] == lines[1].split()[1][:13], f"the clock doesn't stand at the event: {lines}")
        expect("month=5m" in desk.run("clock", "speed", EMAIL, "month=5m"), "the speed isn't shown")
        complains(desk.fails("clock", "speed", EMAIL, "fast"), "fast", "real, month=30s, month=3m", "every=15m")
        complains(desk.fails("clock", "advance", EMAIL, "100y"), "2098", "Nothing was changed")
        complains(desk.fails("clock", "advance", EMAIL, "three days"), "three days", "1y2w")
        complains(desk.fails("clock", "set", EMAIL, "2026-01-01"), "last event", "2040-", "Nothing was changed")
        complains(desk.fails("clock", "set", EMAIL, "tomorrow"), "tomorrow", "2026-03-01T00:00:00Z")
        complains(desk.fails("clock", "show", "nobody@example.com"), "nobody@example.com")


def subscriptions(folder):
    """The verbs of subscriptions and the grace period, their output, and their refusals."""
    with Desk(folder) as desk:
        expect(desk.json("subscription", "list", EMAIL) == [], "there is a subscription from the start")
        first = desk.subscribe("monthly")
        [listed] = desk.json("subscription", "list", EMAIL, "--bundle-id", BUNDLE)
        expect(listed["status"] == "active" and listed["renews"] and listed["nextProduct"] == "monthly"
               and [event["kind"] for event in listed["events"]] == ["subscribed"], f"listed: {listed}")
        expect(desk.json("subscription", "list", EMAIL, "--bundle-id", "com.example.other") == [], "another app's")

        complains(desk.run("subscription", "cancel", first), first, "active", "doesn't renew")
        complains(desk.run("subscription", "resume", first), "renews as monthly")
        order = ("--days", 10, "--reason", "outage", "--identifier", "outage-1")
        ends = {desk.run("subscription", "extend", first, *order) for _ in range(2)}
        expect(len(ends) == 1, f"a repeated extension: {ends}")
        said = desk.run("subscription", "extend", "--product", "monthly", "--bundle-id", BUNDLE, "--days", 1,
                        "--reason", "satisfaction")
        expect(said.splitlines()[-1] == "1 extended, 0 not.", f"the subscribers of a product: {said}")
        complains(desk.fails("subscription", "extend", first, "--days", 1, "--reason", "other"), "twice in 365 days")
        complains(desk.fails("subscription", "extend", first, "--days", 91, "--reason", "other"), "1 to 90")
        complains(desk.fails("subscription", "extend", first, "--days", 1, "--reason", "x"), "undeclared, satisfaction")
        complains(desk.fails("subscription", "cancel", "2000000000000000"), "2000000000000000")

        complains(desk.run("app", "grace-period", "--bundle-id", BUNDLE, "--days", 16), "16 days")
        complains(desk.fails("app", "grace-period", "--bundle-id", BUNDLE, "--days", 5), "0, 3, 16 or 28")
        complains(desk.fails("app", "grace-period", "--bundle-id", "com.example.other", "--days", 3), "com.example.other")
        storectl("payment", "answer", "decline", "--data", desk.store.data)
        desk.run("clock", "advance", EMAIL, "1mo14d")
        [listed] = desk.json("subscription", "list", EMAIL)
        expect(listed["status"] == "grace period" and listed["graceUntil"] > listed["paidUntil"], f"unpaid: {listed}")


def contacts(folder):
    """The list of the contacts that subscribers share with a seller."""
    with Desk(folder) as desk:
        listing = ("subscription", "contacts", "--bundle-id", BUNDLE)
        expect(desk.json(*listing) == [] and desk.run(*listing) == "", "there is a contact from the start")
        shared = {"name": "Anna Ast", "contactEmail": "anna.ast@example.org", "postcode": "1010"}
        first = desk.subscribe("magazine", share="yes", **shared)

        [contact] = desk.json(*listing)
        wanted = {"name": "Anna Ast", "email": "anna.ast@example.org", "postcode": "1010", "product": "magazine",
                  "transaction": first}
        expect({key: contact.get(key) for key in wanted} == wanted, f"the contact in JSON: {contact}")
        [line] = desk.run(*listing).splitlines()
        expect(line.split("\t")[1:] == ["magazine", first, "Anna Ast", "anna.ast@example.org", "1010"], f"printed: {line}")
        refusal = desk.fails("subscription", "contacts", "--bundle-id", "com.example.other")
        expect("com.example.other" in refusal, f"the contacts of an unknown app: {refusal}")


def scenarios():
    yield "a clock is shown, set, advanced and sped up", clock, {}
    yield "subscriptions are listed, cancelled, resumed and extended", subscriptions, {}
    yield "contacts of subscribers are listed", contacts, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
