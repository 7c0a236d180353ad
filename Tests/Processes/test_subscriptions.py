# SPDX-License-Identifier: Apache-2.0
"""`storectl clock`, `subscription`, `app grace-period`, `key`, `code` and `product price`: their output, and their
refusals.
"""

import base64
import hashlib
import json
import stat
import subprocess
import time
import uuid
from datetime import datetime, timedelta, timezone

import pytest
from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

from baskets import GIFT, Desk, redeem, sheet_of_a_code
from harness import BUNDLE, EMAIL, PASSWORD, Device, Failed, ask, charges, code_of, complains, wait_until
from processes import BINARIES, storectl


@pytest.fixture
def desk(folder):
    with Desk(folder) as desk:
        yield desk
        print(f"--- the store\n{desk.store.tail()}")


def test_a_clock_is_shown_set_advanced_and_sped_up(desk):
    """The verbs of the clock, their output, and their refusals."""
    first = desk.subscribe("monthly")
    desk.run("clock", "set", EMAIL, "2040-01-10T20:00:00Z")
    started = desk.time()
    assert started.startswith("2040-01-10T20:"), f"the clock shows {started}"

    moved = desk.json("clock", "advance", EMAIL, "2mo")
    kinds = [event["kind"] for event in moved["events"]]
    assert moved["from"].startswith("2040-01-10T20:") and moved["clock"]["time"].startswith("2040-03-10T20:"), (
        f"the clock was moved: {moved}")
    assert kinds.count("renewed") == 2, f"the events of two months: {kinds}"
    wanted = {"bundle", "kind", "product", "subscription", "time", "transaction"}
    assert all(wanted <= set(event) for event in moved["events"]), f"the keys of {moved['events'][0]}"
    assert all(event["subscription"] == first and event["product"] == "monthly" and event["bundle"] == BUNDLE
               for event in moved["events"]), f"the values of {moved['events']}"

    lines = desk.run("clock", "advance", EMAIL, "--to-next-event").splitlines()
    assert len(lines) == 2 and " monthly " in lines[0] and EMAIL in lines[1], f"printed: {lines}"
    assert lines[0][:13] == lines[1].split()[1][:13], f"the clock doesn't stand at the event: {lines}"
    assert "month=5m" in desk.run("clock", "speed", EMAIL, "month=5m"), "the speed isn't shown"
    complains(desk.fails("clock", "speed", EMAIL, "fast"), "fast", "real, month=30s, month=3m", "every=15m")
    complains(desk.fails("clock", "advance", EMAIL, "100y"), "2098", "Nothing was changed")
    complains(desk.fails("clock", "advance", EMAIL, "three days"), "three days", "1y2w")
    complains(desk.fails("clock", "set", EMAIL, "2026-01-01"), "last event", "2040-", "Nothing was changed")
    complains(desk.fails("clock", "set", EMAIL, "tomorrow"), "tomorrow", "2026-03-01T00:00:00Z")
    complains(desk.fails("clock", "show", "nobody@example.com"), "nobody@example.com")


def test_subscriptions_are_listed_cancelled_resumed_and_extended(desk):
    """The verbs of subscriptions and the grace period, their output, and their refusals."""
    assert desk.json("subscription", "list", EMAIL) == [], "there is a subscription from the start"
    first = desk.subscribe("monthly")
    [listed] = desk.json("subscription", "list", EMAIL, "--bundle-id", BUNDLE)
    assert (listed["status"] == "active" and listed["renews"] and listed["nextProduct"] == "monthly"
           and [event["kind"] for event in listed["events"]] == ["subscribed"]), f"listed: {listed}"
    assert desk.json("subscription", "list", EMAIL, "--bundle-id", "com.example.other") == [], "another app's"

    complains(desk.run("subscription", "cancel", first), first, "active", "doesn't renew")
    complains(desk.run("subscription", "resume", first), "renews as monthly")
    order = ("--days", 10, "--reason", "outage", "--identifier", "outage-1")
    ends = {desk.run("subscription", "extend", first, *order) for _ in range(2)}
    assert len(ends) == 1, f"a repeated extension: {ends}"
    said = desk.run("subscription", "extend", "--product", "monthly", "--bundle-id", BUNDLE, "--days", 1,
                    "--reason", "satisfaction")
    assert said.splitlines()[-1] == "1 extended, 0 not.", f"the subscribers of a product: {said}"
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
    assert listed["status"] == "grace period" and listed["graceUntil"] > listed["paidUntil"], f"unpaid: {listed}"


def test_contacts_of_subscribers_are_listed(desk):
    """The list of the contacts that subscribers share with a seller."""
    listing = ("subscription", "contacts", "--bundle-id", BUNDLE)
    assert desk.json(*listing) == [] and desk.run(*listing) == "", "there is a contact from the start"
    shared = {"name": "Anna Ast", "contactEmail": "anna.ast@example.org", "postcode": "1010"}
    first = desk.subscribe("magazine", share="yes", **shared)

    [contact] = desk.json(*listing)
    wanted = {"name": "Anna Ast", "email": "anna.ast@example.org", "postcode": "1010", "product": "magazine",
              "transaction": first}
    assert {key: contact.get(key) for key in wanted} == wanted, f"the contact in JSON: {contact}"
    [line] = desk.run(*listing).splitlines()
    assert line.split("\t")[1:] == ["magazine", first, "Anna Ast", "anna.ast@example.org", "1010"], (
        f"printed: {line}")
    refusal = desk.fails("subscription", "contacts", "--bundle-id", "com.example.other")
    assert "com.example.other" in refusal, f"the contacts of an unknown app: {refusal}"


def sign(key_file, *values):
    """A signature by OpenSSL: the values with U+2063 between them, in DER and base64."""
    signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key_file], check=True, capture_output=True,
                            input="\u2063".join(map(str, values)).encode())
    return base64.b64encode(signed.stdout).decode()


def test_keys_are_made_listed_and_revoked_and_sign_offers(folder, desk):
    """Keys are made, listed and revoked, and OpenSSL signs an offer with one."""
    assert desk.json("key", "list") == [], "there is a key from the start"
    file = folder / "seller.p8"
    key = desk.json("key", "create", "Shop", "--output", file)["key"]
    assert len(key) == 10 and stat.S_IMODE(file.stat().st_mode) == 0o600, (
        f"the key {key}, {oct(file.stat().st_mode)}")
    complains(desk.fails("key", "create", "Shop", "--output", file), str(file), "--output")
    [listed] = desk.json("key", "list")
    assert listed["key"] == key and listed["name"] == "Shop" and "revoked" not in listed, f"listed: {listed}"

    desk.subscribe("monthly")

    def offer(**changed):
        discount = {"identifier": "spring", "keyIdentifier": key, "nonce": str(uuid.uuid4()),
                    "timestamp": int(time.time() * 1000)}
        values = {"bundle": BUNDLE, "product": "monthly", "username": "anna", **discount, **changed}
        order = ("bundle", "keyIdentifier", "product", "identifier", "username", "nonce", "timestamp")
        discount["signature"] = sign(file, *(values[name] for name in order))
        _, paid = desk.device.pay(discount["nonce"], "monthly", applicationUsername="Anna", discount=discount)
        return paid

    assert "sheet" in offer(), f"an offer that OpenSSL has signed: {offer()}"
    assert "sheet" in offer(username="Anna"), "the user name in the app's letters"
    refused = offer(product="weekly")
    assert refused["failure"]["code"] == 12 and "weekly" in refused["failure"]["message"], f"refused: {refused}"
    desk.run("key", "revoke", key)
    complains(offer()["failure"]["message"], "revoked")
    complains(desk.run("key", "list"), key, "revoked", "all apps")
    complains(desk.fails("key", "revoke", "NONE"), "NONE")


def test_offers_that_the_library_of_apple_signs_are_accepted(folder, desk):
    """Apple's library for Python signs offers in both forms, and no changed value is accepted."""
    file = folder / "seller.p8"
    key = desk.json("key", "create", "Shop", "--output", file)["key"]
    first = desk.subscribe("monthly")
    older = PromotionalOfferSignatureCreator(file.read_bytes(), key, BUNDLE)
    newer = PromotionalOfferV2SignatureCreator(file.read_bytes(), key, str(uuid.uuid4()), BUNDLE)

    def pay(**discount):
        _, paid = desk.device.pay(str(uuid.uuid4()), "monthly", applicationUsername="Anna",
                                  discount={"identifier": "spring", **discount})
        return paid

    def signed(**changed):
        values = {"product": "monthly", "offer": "spring", "username": "Anna", "nonce": uuid.uuid4(),
                  "timestamp": int(time.time() * 1000)}
        signature = older.create_signature(*{**values, **changed}.values())
        return pay(keyIdentifier=key, nonce=str(values["nonce"]), timestamp=values["timestamp"],
                   signature=signature)

    def token(product="monthly", offer="spring", transaction=None):
        return newer.create_signature(product, offer, transaction)

    def pay_by_token(token):
        return pay(keyIdentifier="", nonce="", timestamp=0, signature="", token=token)

    def refuses(answer, reason):
        failure = answer.get("failure", {})
        assert failure.get("code") == 12 and reason in failure["message"], f"not refused because {reason}: {answer}"

    assert "sheet" in signed(), f"an offer that the library has signed: {signed()}"
    refuses(signed(product="weekly"), "for the product \"weekly\"")
    refuses(signed(username=""), "without a user name")
    for changed in ({"offer": "autumn"}, {"username": "Ben"}, {"nonce": uuid.uuid4()}, {"timestamp": 1}):
        refuses(signed(**changed), f"isn't one of the payment's values by the key {key}")

    for transaction in (None, first):
        accepted = token(transaction=transaction)
        answer = pay_by_token(accepted)
        assert "sheet" in answer, f"a JWS of the library for {transaction}: {answer}"
        refuses(pay_by_token(accepted), "used already")
    refuses(pay_by_token(token("weekly")), "for the product \"weekly\"")
    refuses(pay_by_token(token(offer="autumn")), "for the offer \"autumn\"")
    refuses(pay_by_token(token(transaction="2000000000000000001")), "2000000000000000001")
    changed = token()
    refuses(pay_by_token(changed[:-4] + ("AAAA" if changed[-4:] != "AAAA" else "BBBB")), "was changed")


def exported(desk, file):
    """The codes of a batch in their order, with their redemptions."""
    head, *lines = desk.run("code", "export", file).splitlines()
    assert head == "code,redeemed", f"the first line of the export: {head}"
    return {code: int(count) for code, count in (line.split(",") for line in lines)}


def test_codes_are_made_listed_redeemed_exported_and_revoked(folder, desk):
    """Codes are made, listed, redeemed on the sheet's page, exported and revoked."""
    listing = ("code", "list", "--bundle-id", BUNDLE)
    assert desk.json(*listing) == [], "there is a batch of codes from the start"
    file = folder / "codes.json"
    batch = desk.json("code", "create", *GIFT, "--count", 3, "--name", "letter", "--output", file)["batch"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, f"the rights of the codes: {oct(file.stat().st_mode)}"
    contents = file.read_text()
    complains(desk.fails("code", "create", *GIFT, "--count", 3, "--output", file), str(file), "exists")
    assert file.read_text() == contents, "a command that was refused has changed the file"
    none = folder / "none.json"
    unknown = ("--bundle-id", BUNDLE, "--product", "monthly", "--offer", "none", "--count", 1, "--output", none)
    complains(desk.fails("code", "create", *unknown), "no code offer", "none")
    assert not none.exists(), "the file of a batch that was refused is left"
    first, second, third = exported(desk, file)
    kept = {one for (one,) in desk.store.rows("SELECT hash FROM offer_code")}
    assert len(kept) == 3 and not kept & {first, second, third}, f"the store keeps {kept}"

    # The code in lower case and two parts, as a customer types it.
    typed = f"{first[:9]} {first[9:]}".lower()
    desk.device.register()
    sheet = sheet_of_a_code(desk.device)
    status, page = ask("GET", sheet)
    assert status == 200 and 'name="code"' in page, f"the page of a code: {status} {page[:500]}"
    status, text = redeem(sheet, "NO-SUCH-CODE", "check")
    assert status == 404 and code_of(text) == "code-unknown", f"an unknown code: {status} {text}"
    status, text = redeem(sheet, typed, "check")
    assert status == 200, f"checking a code: {status} {text}"
    given = json.loads(text)
    assert given["shown"] == "990 USD" and given["change"] == "subscribe" and given["terms"], f"given: {given}"
    assert charges(desk.store) == [], "a code that was only checked is charged"
    terms = {name: given[name] for name in ("shown", "change", "offer")}
    status, text = redeem(sheet, typed, **terms)
    assert status == 200 and json.loads(text) == {"outcome": "purchased"}, f"redeeming: {status} {text}"
    status, text = redeem(sheet, typed, **terms)
    assert status == 409 and code_of(text) == "sheet-used", f"redeeming again: {status} {text}"
    assert sheet_of_a_code(desk.device) is None, "the sheet is shown again after its answer"
    _, queue = desk.device.call("queue", bundleIdentifier=BUNDLE)
    [waiting] = queue["transactions"]
    assert waiting["productIdentifier"] == "monthly" and not waiting.get("requestIdentifier"), f"got {waiting}"
    assert charges(desk.store) == [("monthly", 990)], f"charged {charges(desk.store)}"

    assert exported(desk, file) == {first: 1, second: 0, third: 0}, "the export of one redeemed code"
    [listed] = desk.json(*listing)
    wanted = {"batch": batch, "name": "letter", "kind": "one-time", "product": "monthly", "offer": "gift",
              "size": 3, "limit": 1, "redeemed": 1, "isComplete": True}
    assert {key: listed.get(key) for key in wanted} == wanted and "revoked" not in listed, f"listed: {listed}"
    complains(desk.run("code", "revoke", batch), batch, "1 redemptions")
    complains(desk.run(*listing), "revoked", "1 of 3")
    complains(desk.fails("code", "revoke", "none"), "none")

    other = "ben@example.com"
    desk.store.add_account(other, PASSWORD)
    sheet = sheet_of_a_code(Device(desk.store).register())
    for code, refusal in ((first, "code-revoked"), (second, "code-revoked")):
        status, text = redeem(sheet, code, email=other)
        assert status == 409 and code_of(text) == refusal, f"{code} after the batch was revoked: {status} {text}"
    assert exported(desk, file) == {first: 1, second: 0, third: 0}, "a refused code counts as redeemed"
    assert charges(desk.store) == [("monthly", 990)], f"charged {charges(desk.store)}"


def test_a_batch_of_codes_goes_on_after_the_store_was_killed(folder, desk):
    """The store is killed in the middle of a batch; the repeated command makes the rest of the same codes."""
    count = 10_000
    # When the store is killed after the last code, another batch follows.
    for number in range(1, 10):
        file = folder / f"codes-{number}.json"
        creating = subprocess.Popen(
            [BINARIES / "storectl", "code", "create", *GIFT, "--count", str(count), "--output", file, "--data",
             desk.store.data], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until("some codes are made", lambda: desk.store.rows(
            "SELECT count(*) FROM offer_code_batch WHERE made > 0") == [(number,)])
        desk.store.kill()
        _, said = creating.communicate()
        call = json.loads(file.read_text())["call"]
        query = f"SELECT hash FROM offer_code WHERE batch_id = '{call['batch']}' ORDER BY number"
        made = desk.store.rows(query)
        if len(made) < count:
            break
        desk.store.serve()
    complains(said, "hasn't answered", f"--repeat {file}")
    assert 0 < len(made) < count, f"{len(made)} of {count} codes were made before the store was killed"

    desk.store.serve()
    assert "\tincomplete\t" in desk.run("code", "list", "--bundle-id", BUNDLE), "the batch isn't incomplete"
    sheet = sheet_of_a_code(desk.device.register())
    texts = list(exported(desk, file))
    status, text = redeem(sheet, texts[0])
    assert status == 404 and code_of(text) == "code-unknown", f"a code of a part of a batch: {status} {text}"

    for _ in range(2):
        said = desk.run("code", "create", "--repeat", file)
        complains(said, call["batch"], f"{count} codes")
    hashes = [(hashlib.sha256(f"{BUNDLE} {code}".encode()).hexdigest(),) for code in texts]
    assert len(set(hashes)) == count and hashes[:len(made)] == made, "other codes were made before"
    assert desk.store.rows(query) == hashes, "other codes are in the store"
    for code in (texts[0], texts[-1]):
        status, text = redeem(sheet, code, "check")
        assert status == 200, f"checking {code} of the complete batch: {status} {text}"


def test_a_price_is_scheduled_and_a_subscriber_agrees_to_it(desk):
    """A price is scheduled, a subscriber is informed of it, agrees and pays it, and refuses the next one."""
    first = desk.subscribe("monthly")
    changes = ("product", "prices", BUNDLE, "monthly")
    answer = ("subscription", "price-consent")
    complains(desk.fails(*answer, "agree", first), "No higher price waits", first)

    def schedule(price, starts, *others):
        return ("product", "price", BUNDLE, "monthly", price, "--starts", starts, *others)

    needed = ("--subscribers", "change", "--consent", "needed")
    complains(desk.fails(*schedule("5.99", "2020-01-01T00:00:00Z", *needed)), "now or later")
    complains(desk.fails(*schedule("5.99", "tomorrow", *needed)), "tomorrow", "2026-03-01T00:00:00Z")
    complains(desk.fails(*schedule("5.99", "2020-01-01T00:00:00Z", "--subscribers", "all")), "keep, change")
    later = (datetime.now(timezone.utc) + timedelta(days=300)).strftime("%Y-%m-%dT%H:%M:%SZ")
    complains(desk.run(*schedule("9.99", later)), "9.99", later, "subscribers keep", "scheduled")
    # In place of the one of 9.99.
    change = desk.run(*schedule("5.99", later, *needed)).split()[0]
    [listed] = desk.json(*changes)
    assert (listed["change"] == change and listed["price"] == "5.99" and listed["starts"] == later
           and listed["consent"] == "needed" and "previous" not in listed), f"the scheduled price: {listed}"

    def begins_soon(seconds=2):
        """Schedules the price for a moment that is so near that the store may be asked for it too late."""
        soon = (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            return desk.run(*schedule("5.99", soon, *needed)).split()[0]
        except Failed as failed:
            assert "now or later" in str(failed), f"scheduling a price: {failed}"
            return begins_soon(2 * seconds)

    change = begins_soon()

    def told():
        [listed] = desk.json("subscription", "list", EMAIL)
        return listed if listed.get("priceIncrease") else None

    listed = wait_until("the subscriber is informed", told)
    increase = listed["priceIncrease"]
    assert increase == {"price": "5.99", "currency": "USD", "applies": listed["paidUntil"], "needsConsent": True,
                        "isAgreed": False}, f"informed of {increase}, paid until {listed['paidUntil']}"
    wait_until("all subscribers are informed", lambda: desk.json(*changes)[0]["status"] == "done")
    assert desk.json(*changes)[0]["previous"] == "4.99", f"the price that has begun: {desk.json(*changes)}"
    complains(desk.fails("product", "cancel-price", change), "applies already")
    complains(desk.run("subscription", "list", EMAIL), "5.99 USD from", "consent needed", "renews as monthly")

    for _ in range(2):
        agreed = desk.json(*answer, "agree", first)
        assert agreed["priceIncrease"]["isAgreed"] and agreed["renews"], f"after the agreement: {agreed}"
    assert charges(desk.store) == [("monthly", 4990)], f"charged {charges(desk.store)} for agreeing"
    moved = desk.json("clock", "advance", EMAIL, "1mo1d")
    assert "renewed" in [event["kind"] for event in moved["events"]], f"the events of a month: {moved}"
    assert charges(desk.store) == [("monthly", 4990), ("monthly", 5990)], f"charged {charges(desk.store)}"

    asked = desk.json(*answer, "ask", first, "--price", "7.99")
    assert asked["priceIncrease"]["price"] == "7.99" and not asked["priceIncrease"]["isAgreed"], f"asked: {asked}"
    declined = desk.json(*answer, "decline", first)
    assert declined["renews"] is False, f"after the refusal: {declined}"
    assert desk.json(*answer, "agree", first)["renews"] is True, "a refusal can't be taken back"
