# SPDX-License-Identifier: Apache-2.0
"""The part "iTunes Connect Metadata Setup" of the tutorial, clicked through in a real browser: an app and its products
are registered in Connect of an empty store, and BuyFruit sells them.

The tests are the steps of one story: each needs all before it, and those after a failed one are skipped. Fields and
clicks of each task are counted and compared with the table in docs/connect.md. Screenshots of failures are left in
artifacts/connect.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from connect_pages import code_of, set_up_address
from connect_person import Person
from connect_sales import CONTRACT, png
from content_package import package, packed
from customer import (
    alert_says, answer, emptied, has_bought, outcome, photograph_all, press_buy, row, store_with_file)
from customer import Device as Customer
from processes import APPLE, BUNDLE, PASSWORD, PATIENCE, ROOT, SEEDS, storectl, wait_until

pytestmark = [pytest.mark.xdist_group("connect-flow"), pytest.mark.slow]

ARTIFACTS = ROOT / "artifacts" / "connect"
BASKET = f"{BUNDLE}.SmallBasket"
SEASON = f"{BUNDLE}.Season"
LONG_PASSWORD = "correct horse battery"
TESTER = "tess@example.com"
PLUM = """{ "products" : [ { "displayPrice" : "3.49", "familyShareable" : false, "internalID" : "77",
  "productID" : "com.example.plum", "referenceName" : "Plum", "type" : "Consumable", "localizations" : [
    { "description" : "A plum", "displayName" : "Plum", "locale" : "en_US" } ] } ],
  "version" : { "major" : 4, "minor" : 0 } }"""


class Story:
    """A store without an app, its operator, a seller, and the people and devices that they need."""

    def __init__(self, folder, browser):
        self.folder, self.browser, self.counts, self.people = Path(folder), browser, {}, []
        self.store = store_with_file(folder, configuration=None)
        self.device = self.failed = None

    def person(self):
        self.people.append(Person(self.browser, self.counts))
        return self.people[-1]

    def close(self):
        for person in self.people:
            person.close()
        if self.device:
            self.device.close()
        self.store.stop()

    def close_step(self, name, has_failed):
        """Requires that no page had an error, and keeps the evidence of a failure."""
        errors = [error for person in self.people for error in person.errors]
        if has_failed or errors:
            self.failed = name
            contexts = [person.context for person in self.people + ([self.device] if self.device else [])]
            photograph_all(contexts, ARTIFACTS, name)
            print(f"--- {self.store.name}\n{self.store.tail(12)}")
        assert not errors, f"the browser's console: {errors}"


@pytest.fixture(scope="module")
def begun_story(browser):
    emptied(ARTIFACTS)
    with tempfile.TemporaryDirectory(prefix="openstorekit-connect-") as folder:
        story = Story(folder, browser)
        try:
            story.store.serve()
            yield story
        finally:
            story.close()


@pytest.fixture
def story(begun_story, request, has_failed):
    """The story up to the step of the test."""
    if begun_story.failed:
        pytest.skip(f"the step {begun_story.failed} has failed")
    yield begun_story
    begun_story.close_step(request.node.name.removeprefix("test_"), has_failed())


def product_page(identifier):
    return f"/products/{identifier}"


def test_both_teams_are_set_up_by_their_addresses(story):
    """The operator sets up the first team, publishes a contract, and lets a seller in."""
    story.operator, story.seller = operator, seller = story.person(), story.person()
    contract = story.folder / "contract.txt"
    contract.write_text(CONTRACT)
    addresses = [(operator, set_up_address(story.store), "Operator")]
    for person, address, name in addresses:
        person.open(address)
        with person.task("set Connect up"):
            person.send("save", team=name, email=f"{name.lower()}@example.com", name=name, newPassword=LONG_PASSWORD)
        person.reads("Register")
        if person is operator:
            storectl("agreement", "publish", contract, *story.store.where)
            addresses.append((seller, storectl("team", "add", *story.store.where), "Seller"))


def test_the_seller_signs_the_contract_and_gives_bank_and_tax(story):
    seller = story.seller
    with seller.task("accept the contract, and save both forms"):
        seller.go("agreements")
        seller.send("accept")
        seller.send("bank", holder="Seller Ltd", iban="DE89 3704 0044 0532 0130 00")
        seller.send(
            "tax", legalName="Seller Ltd", address="1 Fruit Street\nLondon", country="GBR", taxNumber="GB123456789")
    teams = json.loads(storectl("agreement", "list", "--json", *story.store.where))
    missing = [team["missing"] for team in teams if team["name"] == "Seller"]
    assert missing == [[]], f"agreement list printed {teams}"


def test_the_app_is_registered(story):
    seller = story.seller
    with seller.task("register an app"):
        seller.go("apps")
        seller.send("register", name="BuyFruit", bundle=BUNDLE, sku="BUYFRUIT-1")
    assert seller.page.url.split("?")[0].endswith(f"/connect/apps/{BUNDLE}"), seller.page.url
    with seller.task("add the icon of an app, from its page"):
        seller.follow("/promotion")
        seller.send("upload", icon=("icon.png", "image/png", png(1024, 1024, (90, 160, 90))))
    seller.page.locator("p.image img").wait_for()
    seller.follow(f"/connect/apps/{BUNDLE}")
    with seller.task("add a notification address and test it, from the page of its app"):
        seller.follow("/notifications")
        # No host has this name: the attempts fail.
        seller.send("add", url="https://seller.example/notifications")
        seller.send("test")


def register(story, task, kind, values):
    """Registers a product from the page of its app."""
    seller = story.seller
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    with seller.task(task):
        seller.click(f"main a[href*='new-product?kind={kind}']")
        seller.send("register", **values)
    seller.page.locator("#notice").wait_for()


def test_a_product_of_each_type_is_registered(story):
    register(story, "register a non-consumable with every field, from the page of its app", "Non-Consumable", {
        "product": APPLE, "reference": "Apple", "title-en_US": "Golden Apple", "description-en_US": "An apple of gold",
        "tier": "1", "prices": "DEU 1.19", "family": "yes", "exclusions": "FRA", "cleared": "yes",
        "note": "Sign in as the tester, and tap the apple."})
    register(story, "register a consumable, from the page of its app", "Consumable", {
        "product": SEEDS, "reference": "Seeds", "title-en_US": "Seeds", "description-en_US": "Ten seeds", "tier": "1"})
    register(story, "register a non-renewing subscription, from the page of its app", "Non-Renewing", {
        "product": SEASON, "reference": "Season", "title-en_US": "Season", "description-en_US": "A season of fruit",
        "tier": "10"})
    register(story, "register a subscription in a new group, from the page of its app", "Auto-Renewable", {
        "product": BASKET, "newGroup": "Baskets", "reference": "Small basket", "title-en_US": "Small basket",
        "description-en_US": "Fruit every month", "tier": "5"})
    story.seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    listed = story.seller.page.locator(".list li", has_text="on sale").all_inner_texts()
    assert all(any(product in line for line in listed) for product in (APPLE, SEEDS, SEASON, BASKET)), (
        f"on sale: {listed}")


def test_a_product_gets_its_screenshot_and_is_approved(story):
    seller = story.seller
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    seller.follow(product_page(APPLE))
    seller.reads("In production: ready to submit")
    with seller.task("submit a product to the review, from its page"):
        seller.follow("/images")
        seller.send("upload", review=("screen.png", "image/png", png(640, 1136, (0, 0, 0))))
        seller.follow(product_page(APPLE))
        seller.send("submit")
    seller.reads("In production: waiting for review")
    where = [BUNDLE, APPLE, *story.store.where]
    shown = storectl("review", "show", *where, "--screenshot", story.folder / "screen.png")
    assert "tap the apple" in shown, f"review show printed {shown}"
    assert (story.folder / "screen.png").read_bytes() == png(640, 1136, (0, 0, 0)), "the screenshot is another one"
    operator = story.operator
    operator.go("reviews")
    with operator.task("approve a submission, from the queue"):
        operator.click(".list .name a")
        operator.send("approve")
    seller.page.reload()
    assert "In production" not in seller.page.locator("main").inner_text(), "the page shows a review after the approval"


def test_a_product_is_promoted(story):
    seller = story.seller
    with seller.task("promote a product, from its page"):
        seller.follow("/images")
        seller.send("upload", promotion=("apple.png", "image/png", png(1024, 1024, (200, 60, 60))))
        seller.send("promote")
    seller.page.locator(".list .name a", has_text=APPLE).wait_for()


def test_a_tester_is_added(story):
    seller = story.seller
    with seller.task("add a tester"):
        seller.go("testers")
        seller.send("add", email=TESTER, password=PASSWORD, name="Tess")
    seller.reads("United States (USA)")


def test_buyfruit_sells_the_registered_products(story):
    """The tester signs in on the payment sheet and buys a non-consumable, a consumable and a subscription."""
    story.device = device = Customer(story.folder, story.store, story.browser, "device", TESTER)
    device.launch()
    page = device.open()
    text = row(page, "Apple").inner_text()
    assert "Golden Apple" in text and "$0.99" in text, f"the row of the apple says {text!r}"
    assert row(page, "Pear").count() == 0, "BuyFruit lists a product that isn't registered"
    for name in ("Apple", "Seeds", "SmallBasket"):
        if name == "SmallBasket":
            row(page, name).get_by_role("button").click()
        else:
            press_buy(page, name)
        sheet = device.sheet()
        assert "Environment: Sandbox" in sheet.locator("body").inner_text(), "the sheet doesn't name its environment"
        answer(sheet, TESTER)
        outcome(sheet)
        alert_says(page, "Bought successfully!")
    has_bought(page, "Apple")
    device.queue_is_empty()
    assert not device.errors, f"the browser's console: {device.errors}"


def test_the_purchase_is_among_the_transactions(story):
    seller = story.seller
    seller.go("transactions")
    listed = seller.page.locator(".list li", has_text=SEEDS)
    number = listed.locator(".detail").first.inner_text().strip()
    with seller.task("find a transaction and refund it"):
        seller.go("transactions")
        seller.fields += 1
        seller.page.locator("#q").fill(number)
        seller.click("form.search button")
        assert seller.page.locator(".list li").count() == 1, "the search has found another transaction, too"
        seller.click(".list .name a")
        seller.reads(TESTER)
        seller.send("refund")
    seller.page.locator("#notice").wait_for()
    seller.go("transactions")
    assert seller.page.locator(".list li", has_text=APPLE).count() == 1, "the apple isn't among the transactions"
    seller.click(f".list .name a:has-text('{SEEDS}')")
    with seller.task("send a notification again, from the transaction's page"):
        seller.send("resend")


def test_content_is_published(story):
    seller = story.seller
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}{product_page(APPLE)}")
    contents = packed(package(story.folder / "content", APPLE))
    with seller.task("publish a version of hosted content, from the product's page"):
        seller.follow("/content")
        seller.send("upload", file=("apple.oskcontent", "application/octet-stream", contents))
    seller.reads("1.0")


def test_a_user_is_invited_joins_and_signs_in_with_an_app(story):
    seller, other = story.seller, story.person()
    with seller.task("invite a user"):
        seller.go("users")
        seller.send("invite", email="dora@example.com", role="developer", password=LONG_PASSWORD)
    other.open(seller.page.locator(".copy pre").inner_text().strip())
    with other.task("join by an invitation"):
        other.send("save", name="Dora Developer", newPassword=LONG_PASSWORD)
    with other.task("turn the authenticator app on"):
        other.go("account")
        other.send("codes-begin", password=LONG_PASSWORD)
        other.send("codes-use", code=code_of(scanned(story, other)["secret"][0]))
    code = other.page.locator(".copy pre").inner_text().split()[0]
    other.click("#sign-out")
    with other.task("sign in with an authenticator app"):
        other.send("sign-in", email="dora@example.com", password=LONG_PASSWORD, code=code)
    other.page.locator("#sign-out").wait_for()
    seller.click("#sign-out")
    with seller.task("sign in"):
        seller.send("sign-in", email="seller@example.com", password=LONG_PASSWORD)
    with seller.task("make a key"):
        seller.go("keys")
        seller.send("make", name="Server", purpose="connect", role="developer", password=LONG_PASSWORD)
    seller.reads("BEGIN PRIVATE KEY")


def scanned(story, person):
    """The values of the link in the QR code on the page, as a phone's camera reads them from a dark page."""
    assert shutil.which("qrencode") and shutil.which("zbarimg"), "scripts/setup test installs qrencode and zbarimg"
    person.page.emulate_media(color_scheme="dark")
    image = story.folder / "code.png"
    person.page.locator("svg.code").screenshot(path=image)
    person.page.emulate_media(color_scheme="light")
    read = subprocess.run(["zbarimg", "--quiet", "--raw", image], text=True, capture_output=True, timeout=PATIENCE)
    link = read.stdout.strip()
    assert link == person.page.locator("main a[href^='otpauth:']").get_attribute("href"), f"zbarimg reads {read}"
    return parse_qs(urlsplit(link).query)


def test_a_product_is_changed(story):
    seller = story.seller
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}{product_page(SEEDS)}")
    with seller.task("change a price, from the page of the product"):
        seller.send("save", tier="2")
    with seller.task("take a product off sale, from its page"):
        seller.send("save", cleared="no")
    seller.reads("removed from sale")
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}{product_page(BASKET)}")
    with seller.task("add a free introductory offer, from the page of its product"):
        seller.follow("/offers")
        seller.follow("kind=introductory")
        seller.send("add", mode="free", period="P1W")
    seller.follow(product_page(BASKET))
    with seller.task("make promo codes and download them, from the page of a product"):
        seller.follow("/offers")
        seller.click("main a[href*='/codes?product=']")
        seller.send("draw", name="For the press", count="5")
        with seller.page.expect_download() as download:
            seller.clicks += 1
            seller.page.locator("main a[href$='/download']").click()
    codes = Path(download.value.path()).read_text().splitlines()
    assert codes[0] == "code,redeemed" and len(codes) == 6, f"the codes are {codes}"


def test_files_change_the_products(story):
    seller = story.seller
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    with seller.task("import a file, from the page of its app"):
        seller.follow("/file")
        seller.send("upload", file=("fruit.storekit", "application/json", PLUM.encode()))
        seller.send("apply")
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    with seller.task("change the prices and texts of many products, from the page of their app"):
        seller.follow("/table")
        seller.send("upload", file=("prices.csv", "text/csv", b"product_id,price\ncom.example.plum,4.99\n"))
        seller.send("apply")
    seller.open(f"{story.store.url}/connect/apps/{BUNDLE}")
    seller.follow(product_page("com.example.plum"))
    seller.reads("$4.99")


def test_a_tester_is_moved_in_time_and_cleared(story):
    seller = story.seller
    seller.go("testers")
    seller.click(".list .name a")
    for _ in ("the charge before the renewal", "the renewal"):
        with seller.task("move a tester to the next event of a subscription, from its page"):
            seller.send("move")
    wait_until("the subscription has renewed", lambda: story.store.rows(
        f"SELECT count(*) FROM purchase WHERE product_id = '{BASKET}'") == [(2,)])
    with seller.task("clear a tester's purchase history, from its page"):
        seller.send("clear")
    seller.go("transactions")
    assert seller.page.locator(".list li", has_text=APPLE).count() == 0, "a cleared purchase is listed"


def test_the_table_of_the_document_has_these_numbers(story):
    text = (ROOT / "docs" / "connect.md").read_text()
    table = text.split("## Fields and clicks", 1)[1].split("\n## ", 1)[0]
    rows = {task: (int(fields), int(clicks))
            for task, fields, clicks in re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \|$", table, re.M)}
    wrong = sorted(task for task in rows | story.counts if rows.get(task) != story.counts.get(task))
    right = "\n".join(f"| {task} | {fields} | {clicks} |" for task, (fields, clicks) in story.counts.items())
    assert not wrong, f"docs/connect.md: {', '.join(wrong)}. These are the rows:\n{right}"
