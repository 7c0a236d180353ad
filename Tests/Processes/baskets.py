# SPDX-License-Identifier: Apache-2.0
"""A store that sells subscriptions, the operator's commands for it, and the sheet of a code."""

import json
import subprocess
from pathlib import Path

from harness import BUNDLE, EMAIL, PASSWORD, PATIENCE, SEEDS, Device, Store, ask, with_customer
from processes import BINARIES, storectl


def basket(name, period, level, **others):
    return {"displayPrice": "4.99", "groupNumber": level, "internalID": name, "localizations": [], "productID": name,
            "recurringSubscriptionPeriod": period, "referenceName": name, "subscriptionGroupID": "baskets",
            "type": "RecurringSubscription", **others}


CATALOGUE = {
    "products": [{"displayPrice": "0.99", "internalID": "S", "localizations": [], "productID": SEEDS,
                  "referenceName": "Seeds", "type": "Consumable"}],
    "subscriptionGroups": [{"id": "baskets", "localizations": [], "name": "Baskets", "subscriptions": [
        basket("monthly", "P1M", 1, adHocOffers=[{
            "displayPrice": "0.99", "internalID": "spring", "numberOfPeriods": 2, "offerID": "spring",
            "paymentMode": "payAsYouGo", "referenceName": "Spring", "subscriptionPeriod": "P1M"}], codeOffers=[{
                "displayPrice": "0.99", "eligibility": ["new", "existing", "expired"], "internalID": "gift",
                "isStackable": False, "numberOfPeriods": 1, "paymentMode": "payUpFront", "referenceName": "gift",
                "subscriptionPeriod": "P1M"}]),
        basket("weekly", "P1W", 2),
        basket("magazine", "P1M", 3, _openStoreKit={"sharesContact": {"bonus": "P1M"}})]}],
    "version": {"major": 2, "minor": 0},
}
# The arguments that select the offer of which codes are made.
GIFT = ("--bundle-id", BUNDLE, "--product", "monthly", "--offer", "gift")


class Desk:
    """A store that sells baskets, and the operator who moves the customer's clock."""

    def __init__(self, folder, **options):
        self.store = Store(folder, prepare=with_customer, **options)
        self.store.configuration = Path(folder) / "baskets.storekit"
        self.store.configuration.write_text(json.dumps(CATALOGUE))
        self.device = Device(self.store)

    def __enter__(self):
        self.store.serve()
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the store\n{self.store.tail()}", flush=True)
        self.store.kill()

    def subscribe(self, product, **form):
        """Buys a subscription on the customer's device, and returns its first transaction."""
        self.device.register()
        status, paid = self.device.pay("basket", product)
        assert status == 200 and paid.get("sheet"), f"asking for {product}: {status} {paid}"
        status, text = ask("POST", paid["sheet"], accept="application/json", form={
            "email": EMAIL, "password": PASSWORD, "decision": "buy", **form})
        assert status == 200, f"buying {product}: {status} {text}"
        status, paid = self.device.pay("basket", product)
        assert status == 200 and paid.get("transaction"), f"the purchase of {product}: {status} {paid}"
        return paid["transaction"]["transactionIdentifier"]

    def run(self, *arguments):
        """Runs a command for the running store, and returns its output."""
        return storectl(*arguments, "--data", self.store.data)

    def fails(self, *arguments):
        """The message of a command that has to fail with status 1."""
        ran = subprocess.run([str(BINARIES / "storectl"), *map(str, arguments), "--data", str(self.store.data)],
                             text=True, capture_output=True, timeout=PATIENCE)
        assert ran.returncode == 1, f"{arguments} ended with {ran.returncode}: {ran.stdout} {ran.stderr}"
        return ran.stderr

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def time(self):
        return self.json("clock", "show", EMAIL)["time"]


def sheet_of_a_code(device, request="code"):
    """The address of the sheet on which the customer of a device types a code; `None` after its answer."""
    status, asked = device.call("redemption", requestIdentifier=request, bundleIdentifier=BUNDLE)
    assert status == 200, f"asking for the sheet of a code: {status} {asked}"
    return asked.get("sheet")


def redeem(sheet, code, decision="redeem", email=EMAIL, **form):
    """Answers the sheet of a code, and returns status and text."""
    return ask("POST", sheet, accept="application/json", form={
        "email": email, "password": PASSWORD, "decision": decision, "code": code, **form})
