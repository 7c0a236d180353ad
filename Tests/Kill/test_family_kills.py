# SPDX-License-Identifier: Apache-2.0
"""Kills (-9) a store before and after each step in which a child asks, a parent approves, and a family shares.

Real processes with a fault point each (`OPENSTOREKIT_CRASH_AT`): BuyFruit is the child's, and a parent answers on the
page of the family. Afterwards each parent was notified once, one was charged once, and the child's app has the
purchase once.
"""

import json

import pytest

from harness import APPLE, BUNDLE, EMAIL, PASSWORD, SEEDS, Device, ask
from processes import CONFIGURATION, storectl
from shop import LOST, Shop

# A kill of a store that commits on PostgreSQL is in test_kills.py, for every change.
pytestmark = pytest.mark.engines("sqlite", soak=["postgresql"])

# The child is the customer of the app.
PARENTS = ["organiser@example.com", "parent@example.com"]

ASK_STEPS = [f"{step}:{when}" for step in ("decide", "sheet", "reserve", "notify") for when in ("before", "after")]
ANSWER_STEPS = [f"{step}:{when}" for step in ("reserve", "authorise", "commit", "capture", "finished")
                for when in ("before", "after")]
SHARE_STEPS = ["share:before", "share:after", "share:finish"]


def with_family(store):
    """Prepares a store whose customer is a child, with two parents."""
    for email in [EMAIL, *PARENTS]:
        store.add_account(email, PASSWORD)
        store.make_sign_ins_cheap(email, PASSWORD)
    storectl("family", "create", PARENTS[0], "--data", store.data)
    storectl("family", "add", PARENTS[0], PARENTS[1], "--role", "parent", "--data", store.data)
    storectl("family", "add", PARENTS[0], EMAIL, "--role", "child", "--data", store.data)


class Home(Shop):
    """A shop whose customer is a child, with two parents."""

    prepare = staticmethod(with_family)

    def open(self):
        self.start_store()
        self.start_app()
        self.lists()

    def crash_at(self, step):
        """Starts the store again, which dies at a step."""
        self.store.stop()
        self.crash_store = step
        try:
            self.start_store()
        except AssertionError:
            if self.store.process.poll() is None:
                raise  # A step of the start.

    def reaches_the_fault(self):
        if self.crash_store:
            self.settle("the fault point was reached", lambda: not self.crash_store)

    def statuses(self):
        return self.store.rows("SELECT status FROM request WHERE kind = 'payment'")

    def notices(self):
        """The parents who were notified, in order of their addresses."""
        return self.store.rows("SELECT account.email FROM event JOIN account ON account.account_id = event.account_id"
                               " WHERE event.kind = 'child-request' ORDER BY account.email")

    def has_shared(self):
        return self.store.rows("SELECT count(*) FROM family_sharing WHERE done < revision") == [(0,)]

    def answer(self, parent, decision, **form):
        """An answer on the page of the family; `None` if the store dies meanwhile."""
        try:
            status, text = ask("POST", f"{self.store.url}/account/family", accept="application/json", form={
                "email": parent, "password": PASSWORD, "decision": decision, **form})
            return status, json.loads(text)
        except (*LOST, ValueError):
            return None

    def approve(self):
        """Approves the request that the page shows to the second parent; `True` once it was answered."""
        page = self.answer(PARENTS[1], "show")
        if page is None or page[0] != 200:
            return False
        for request in page[1]["requests"]:
            shown = {name: request[name] for name in ("request", "shown", "change", "offer", "then")}
            answer = self.answer(PARENTS[1], "approve", **shown)
            assert answer is None or answer[0] == 200, f"the approval was refused: {answer}"
        return self.statuses() != [("deferred",)]


@pytest.fixture
def home(folder):
    with Home(folder) as home:
        yield home


# Both have different numbers of steps: some steps of a request are repeated.
@pytest.mark.sampled
@pytest.mark.parametrize(("crash_ask", "crash_answer"), [
    (ASK_STEPS[number % len(ASK_STEPS)], answer) for number, answer in enumerate(ANSWER_STEPS)])
def test_the_store_dies_while_a_child_asks_and_a_parent_approves(home, crash_ask, crash_answer):
    """The store dies while the child asks, and again while the parent's approval is carried out."""
    home.crash_store = crash_ask
    home.open()
    home.press("buy", product=SEEDS)
    home.settle("the request waits", lambda: home.statuses() == [("deferred",)])
    home.settle("the parents are notified",
                lambda: home.store.rows("SELECT count(*) FROM parent_notice") == [(0,)])
    home.reaches_the_fault()
    assert home.notices() == [(parent,) for parent in PARENTS], f"notified were {home.notices()}"
    assert home.store.rows("SELECT * FROM sandbox_payment") == [], "the request was charged before its approval"

    home.crash_at(crash_answer)
    home.settle("a parent has approved", home.approve)
    home.settle("the seeds are there", lambda: home.count(SEEDS) > 0 and home.is_quiet())
    home.reaches_the_fault()
    assert home.crashes == 2, f"the store died {home.crashes} times"
    home.check()
    payers = home.store.rows("SELECT account.email FROM ledger_entry JOIN account"
                             " ON account.account_id = ledger_entry.account_id")
    assert payers == [(PARENTS[1],)], f"charged were {payers}"
    assert home.count(SEEDS) == 1, f"delivered {home.count(SEEDS)} times"
    assert home.statuses() == [("done",)], f"the requests are {home.statuses()}"
    assert len(home.notices()) == 2, f"notified were {home.notices()}"


@pytest.mark.parametrize("crash", SHARE_STEPS)
def test_the_store_dies_while_it_shares(folder, home, crash):
    """The store dies while it shares a parent's purchase with the child, whose app receives it once."""
    home.store.configuration = folder / "shared.storekit"
    catalogue = json.loads(CONFIGURATION.read_text())
    for product in catalogue["products"]:
        product["familyShareable"] = product["productID"] == APPLE
    home.store.configuration.write_text(json.dumps(catalogue))
    home.open()
    home.press("restore")
    home.settle("the child is signed in", lambda: home.store.rows(
        "SELECT count(*) FROM device WHERE account_id IS NOT NULL") == [(1,)])
    home.settle("nothing is left to share", home.has_shared)
    home.crash_at(crash)

    device = Device(home.store).register()
    status, paid = device.pay("apple", APPLE)
    assert status == 200 and paid.get("sheet"), f"asking for the apple: {status} {paid}"

    def buys():
        """The store may die before it answers, when it has charged the parent and begins to share."""
        try:
            status, text = ask("POST", paid["sheet"], accept="application/json", form={
                "email": PARENTS[0], "password": PASSWORD, "decision": "buy"})
        except LOST:
            return False
        return status == 200 or status == 409 and home.crashes

    home.settle("the apple is bought", buys)
    home.settle("the child has the apple", lambda: home.owns(APPLE))
    home.settle("all is shared", home.has_shared)
    home.reaches_the_fault()
    [(bought,)] = home.store.rows("SELECT transaction_id FROM purchase WHERE shared_by IS NULL")
    status, answer = device.call("finish", bundleIdentifier=BUNDLE, transactionIdentifier=bought,
                                 requestIdentifier="finish")
    assert status == 200, f"finishing the apple: {status} {answer}"
    home.settle("all is quiet", home.is_quiet)
    assert home.crashes == 1, f"the store died {home.crashes} times"
    home.check()
    shares = home.store.rows("SELECT shared_from, milliunits FROM purchase WHERE shared_by IS NOT NULL")
    assert shares == [(bought, 0)] * 2, f"the shares are {shares}"

    storectl("family", "remove", EMAIL, "--data", home.store.data)
    home.settle("the child has lost the apple", lambda: home.store.rows(
        "SELECT count(*) FROM purchase WHERE shared_by IS NOT NULL AND revoked_at IS NULL") == [(1,)])
