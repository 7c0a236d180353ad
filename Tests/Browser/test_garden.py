# SPDX-License-Identifier: Apache-2.0
"""FlowerGarden in a real browser, with real processes: a store, two back ends, a device per test, Chromium.

One back end checks receipts itself, the other at the store. Screenshots are left in artifacts/garden.
"""

import itertools
import json
import tempfile
from pathlib import Path

import pytest

import customer
from customer import PATIENCE, answer, emptied, outcome, photograph_all, store_with_file
from garden import BUNDLE, CONFIGURATION, GardenApp, GardenDaemon, GardenServer
from holding_proxy import HoldingProxy
from processes import PASSWORD, ROOT, ask, storectl, wait_until
from small_disk import SmallDisk

pytestmark = [pytest.mark.xdist_group("garden"), pytest.mark.slow]

ARTIFACTS = ROOT / "artifacts" / "garden"
SECRET = "Rose-Garden-1"  # the customers' password at the garden, which isn't that at the store


class GardenDevice:
    """FlowerGarden on a device of its own, shown in a browser profile of its own."""

    def __init__(self, folder, garden, server, number, like=None):
        self.name = like.name if like else f"gardener{number}"
        self.email = f"{self.name}@example.com"
        self.app = GardenApp(folder, garden.store, server, f"device{number}")
        self.addresses = Path(folder) / f"device{number}" / "sheets"
        self.daemon, self.taken, self.errors = None, 0, []
        self.context = garden.browser.new_context()
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))
        self.context.on("console", self.noticed)

    def noticed(self, message):
        # A page of a process that was stopped, and the 404 of a page that isn't there, are part of the tests.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def launch(self, **environment):
        self.app.launch(
            BROWSER=str(Path(__file__).resolve().parent / "hand-over"), SHEET_ADDRESSES=str(self.addresses),
            **environment)

    def start_daemon(self):
        self.daemon = GardenDaemon(self.app)
        self.daemon.launch()
        return self.daemon

    def open(self):
        page = self.context.new_page()
        page.goto(f"{self.app.url}/")
        row(page, "Roses").wait_for()
        return page

    def sheet(self):
        def next_address():
            lines = self.addresses.read_text().splitlines() if self.addresses.exists() else []
            return lines[self.taken] if len(lines) > self.taken else None

        address = wait_until("FlowerGarden opens a sheet", next_address)
        self.taken += 1
        page = self.context.new_page()
        page.goto(address)
        page.locator("form#sheet").wait_for()
        return page

    def queue_is_empty(self):
        wait_until(f"the queue of {self.app.name} is empty", lambda: self.app.state()["unfinishedTransactions"] == 0)

    def close(self):
        self.context.close()
        self.app.stop()
        if self.daemon:
            self.daemon.stop()


class Garden:
    """The store and the back ends that all tests share, and the devices of one test."""

    def __init__(self, folder, browser):
        self.folder, self.browser = folder, browser
        self.store = store_with_file(folder, CONFIGURATION, BUNDLE)
        self.server = GardenServer(folder, self.store)
        self.at_store = GardenServer(Path(folder) / "at-store", self.store, at_store=True)
        self.devices, self.numbers = [], itertools.count(1)

    def serve(self):
        self.at_store.log.parent.mkdir()
        self.store.serve()
        self.server.serve()
        self.at_store.serve()

    def device(self, server=None, like=None, **environment):
        device = GardenDevice(self.folder, self, server or self.server, next(self.numbers), like)
        if like is None:
            self.store.add_account(device.email, PASSWORD)
            self.store.make_sign_ins_cheap(device.email, PASSWORD)
        self.devices.append(device)
        device.launch(**environment)
        return device

    def charges(self, device):
        return self.store.rows(
            "SELECT count(*) FROM ledger_entry JOIN account USING (environment, account_id) "
            f"WHERE email = '{device.email}' AND milliunits > 0")[0][0]

    def transaction(self, device, name):
        return self.store.rows(
            "SELECT transaction_id FROM purchase JOIN account USING (environment, account_id) "
            f"WHERE email = '{device.email}' AND product_id = '{BUNDLE}.{name}'")[0][0]

    def close_devices(self, name, has_failed):
        """Requires that no page had an error, keeps the evidence of a failure, and ends the devices of a test."""
        devices, self.devices = self.devices, []
        errors = [error for device in devices for error in device.errors]
        if has_failed or errors:
            photograph_all([device.context for device in devices], ARTIFACTS, name)
            for process in [device.app for device in devices] + [self.server, self.at_store]:
                print(f"--- {process.name}\n{process.tail(12)}")
        for device in devices:
            device.close()
        assert not errors, f"the browser's console: {errors}"

    def stop(self):
        for server in (self.server, self.at_store, self.store):
            server.stop()


@pytest.fixture(scope="module")
def shared_garden(browser):
    emptied(ARTIFACTS)
    with tempfile.TemporaryDirectory(prefix="openstorekit-garden-") as folder:
        garden = Garden(folder, browser)
        try:
            garden.serve()
            yield garden
        finally:
            garden.stop()


@pytest.fixture
def garden(shared_garden, request, has_failed):
    """The garden, whose devices end with the test."""
    yield shared_garden
    shared_garden.close_devices(request.node.name.removeprefix("test_"), has_failed())


def photograph(page, name):
    customer.photograph(page, name, ARTIFACTS)


def row(page, name):
    return page.locator(f'[data-product="{BUNDLE}.{name}"]')


def has(page, name, state):
    """Waits until a product's row has a state, without a reload."""
    page.locator(f'[data-product="{BUNDLE}.{name}"][data-state="{state}"]').wait_for()


def sign_in(page, name, button="sign-in", password=SECRET):
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.locator(f"button#{button}").click()


def signed_in(page, name):
    page.locator("#customer", has_text=name).wait_for()


def buy(device, page, name):
    row(page, name).get_by_role("button").click()
    sheet = device.sheet()
    answer(sheet, device.email)
    outcome(sheet)
    return sheet


def test_seeds_are_bought_and_read(garden):
    device = garden.device()
    page = device.open()
    page.evaluate("window.wasHereBefore = true")
    photograph(page, "sign-in")
    assert row(page, "Roses").get_by_role("button").count() == 0, "roses can be bought without a sign-in"
    sign_in(page, device.name, "register")
    signed_in(page, device.name)
    for name, price in (("Roses", "$1.99"), ("Coins", "$0.99"), ("Almanac", "$9.99 a month"), ("BonusSeeds", "Free"),
                        ("SeasonPass", "$4.99 for 90 days")):
        row(page, name).filter(has_text=price).wait_for()

    buy(device, page, "Roses").close()
    has(page, "Roses", "owned")
    buy(device, page, "Coins").close()
    page.locator("#coins", has_text="10").wait_for()
    page.locator("#water").click()
    page.locator("#coins", has_text="9").wait_for()
    buy(device, page, "Almanac").close()
    has(page, "Almanac", "owned")
    row(page, "Almanac").filter(has_text="Paid until").wait_for()
    device.queue_is_empty()
    assert page.evaluate("window.wasHereBefore === true"), "the page was reloaded"
    photograph(page, "bought")

    row(page, "Roses").get_by_role("link").click()
    page.locator("#content", has_text="Damask rose").wait_for()
    photograph(page, "content")


def test_free_seeds_are_taken_with_the_keyboard(garden):
    device = garden.device()
    page = device.open()
    page.locator("#name").focus()
    page.keyboard.type(device.name)
    page.keyboard.press("Tab")
    page.keyboard.type(SECRET)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "register", "the second Tab isn't at New garden"
    page.keyboard.press("Enter")
    signed_in(page, device.name)

    row(page, "BonusSeeds").get_by_role("button").focus()
    page.keyboard.press("Enter")
    has(page, "BonusSeeds", "owned")
    page.wait_for_function("document.activeElement.id === 'open-BonusSeeds'")
    page.keyboard.press("Enter")
    page.locator("#content", has_text="Sunflower").wait_for()
    assert not device.addresses.exists(), "a free product opened a payment sheet"
    assert garden.charges(device) == 0, "a free product was charged"


def test_mistakes_have_sentences(garden):
    device = garden.device()
    page = device.open()
    sign_in(page, device.name)
    page.locator("#notice", has_text="The name or the password is wrong").wait_for()
    assert page.locator("#name").input_value() == device.name, "the name was lost"
    sign_in(page, device.name, "register", "short")
    page.locator("#notice", has_text="10 to 128 characters").wait_for()
    photograph(page, "mistake")
    page.goto(f"{device.app.url}/product/Roses")
    page.locator("h1", has_text="Not found").wait_for()


def test_a_purchase_waits_for_the_back_end_over_a_relaunch(garden):
    device = garden.device()
    page = device.open()
    sign_in(page, device.name, "register")
    signed_in(page, device.name)
    row(page, "Roses").get_by_role("button").wait_for()
    row(page, "Tulips").get_by_role("button").wait_for()

    garden.server.kill()
    try:
        buy(device, page, "Roses").close()
        page.locator("#failure", has_text="can’t be reached").wait_for()
        has(page, "Roses", "paid")
        assert row(page, "Roses").get_by_role("button").count() == 0, "a paid purchase can be paid for again"
        photograph(page, "waits")
        buy(device, page, "Tulips").close()
        wait_until("both purchases wait", lambda: device.app.state()["unfinishedTransactions"] == 2)
        device.app.kill()
    finally:
        garden.server.serve()
    device.launch()

    page = device.open()
    has(page, "Roses", "owned")
    has(page, "Tulips", "owned")
    device.queue_is_empty()
    assert garden.charges(device) == 2, f"charged {garden.charges(device)} times"


def test_a_download_outlives_the_app_in_storeagentd(garden):
    """The app is killed while its seeds are downloaded. The daemon completes them, and the next launch delivers
    them."""
    proxy = HoldingProxy(garden.server)
    device = garden.device(server=proxy)
    try:
        daemon = device.start_daemon()
        wait_until("the daemon serves the app", lambda: daemon.serves(BUNDLE))
        page = device.open()
        sign_in(page, device.name, "register")
        signed_in(page, device.name)
        buy(device, page, "Roses").close()
        assert proxy.is_held.wait(PATIENCE / 1000), "the roses weren't downloaded"
        device.app.kill()
        proxy.goes_on.set()

        def downloads():
            return [line["state"] for line in json.loads(
                storectl("device", "downloads", "--home", device.app.home, "--json")) if "file" in line]

        wait_until("the daemon has the roses", lambda: downloads() == ["finished"])
        device.launch()
        page = device.open()
        has(page, "Roses", "owned")
        row(page, "Roses").get_by_role("link").click()
        page.locator("#content", has_text="Damask rose").wait_for()
        device.queue_is_empty()
        assert len(proxy.contents) == 1, f"the seeds were requested {len(proxy.contents)} times"
        assert garden.charges(device) == 1, f"charged {garden.charges(device)} times"
    finally:
        proxy.close()


def test_a_full_disk_offers_to_resume_or_to_discard(garden):
    """The disk is full when seeds arrive: the row names the reason, and has a button to resume and one to discard."""
    with tempfile.TemporaryDirectory(prefix="openstorekit-garden-disk-") as folder:
        disk = SmallDisk(Path(folder) / "disk", 1 << 20)
        device = garden.device(XDG_CACHE_HOME=str(disk.folder))
        try:
            page = device.open()
            sign_in(page, device.name, "register")
            signed_in(page, device.name)
            row(page, "Tulips").get_by_role("button").wait_for()
            disk.fill(0)
            buy(device, page, "Tulips").close()
            has(page, "Tulips", "interrupted")
            row(page, "Tulips").get_by_text("The disk is full").wait_for()
            page.set_viewport_size({"width": 390, "height": 844})
            photograph(page, "full-disk")
            disk.make_room()
            row(page, "Tulips").get_by_role("button", name="Resume").click()
            has(page, "Tulips", "owned")
            device.queue_is_empty()

            disk.fill(0)
            buy(device, page, "SeasonPass").close()
            has(page, "SeasonPass", "interrupted")
            row(page, "SeasonPass").get_by_role("button", name="Discard").click()
            has(page, "SeasonPass", "missing")
            device.queue_is_empty()
            row(page, "SeasonPass").filter(has_text="Paid until").wait_for()
            disk.make_room()
            row(page, "SeasonPass").get_by_role("button", name="Download").click()
            has(page, "SeasonPass", "owned")
            assert garden.charges(device) == 2, f"charged {garden.charges(device)} times"
        finally:
            disk.close()


def test_a_broken_download_goes_on_where_it_was(garden):
    proxy = HoldingProxy(garden.server, breaks=True)
    device = garden.device(server=proxy)
    try:
        page = device.open()
        sign_in(page, device.name, "register")
        signed_in(page, device.name)
        buy(device, page, "Roses").close()
        has(page, "Roses", "owned")
        device.queue_is_empty()
        assert proxy.contents[0] is None and len(proxy.contents) == 2, f"the requests' ranges: {proxy.contents}"
        name = f"{BUNDLE}.Roses"
        content = CONFIGURATION.parent / "Sources" / "FlowerGardenServer" / "Resources" / "Content" / f"{name}.txt"
        whole = content.read_bytes()
        assert proxy.contents[1] == f"bytes={len(whole) // 2}-", f"the requests' ranges: {proxy.contents}"
        files = [file.read_bytes() for file in Path(device.app.files).rglob(name)]
        assert files == [whole], f"the app has {files}"
    finally:
        proxy.close()


def test_without_the_back_end_the_last_good_list_is_shown(garden):
    device = garden.device()
    page = device.open()
    sign_in(page, device.name, "register")
    signed_in(page, device.name)
    row(page, "BonusSeeds").get_by_role("button").click()
    has(page, "BonusSeeds", "owned")
    device.app.stop()
    garden.server.kill()
    try:
        device.launch()
        page = device.open()
        page.locator("#notice", has_text="can’t be reached").wait_for()
        row(page, "BonusSeeds").get_by_role("link").click()
        page.locator("#content", has_text="Sunflower").wait_for()
    finally:
        garden.server.serve()


def test_a_second_device_has_it_all_until_a_refund(garden):
    phone = garden.device(server=garden.at_store)
    page = phone.open()
    sign_in(page, phone.name, "register")
    signed_in(page, phone.name)
    buy(phone, page, "Tulips").close()
    has(page, "Tulips", "owned")
    buy(phone, page, "Coins").close()
    page.locator("#coins", has_text="10").wait_for()
    # The store restores no non-renewing subscription: the garden does.
    buy(phone, page, "SeasonPass").close()
    has(page, "SeasonPass", "owned")

    tablet = garden.device(server=garden.at_store, like=phone)
    other = tablet.open()
    sign_in(other, phone.name)
    signed_in(other, phone.name)
    other.locator("#coins", has_text="10").wait_for()
    has(other, "Tulips", "missing")
    photograph(other, "second-device")
    has(other, "SeasonPass", "missing")
    row(other, "SeasonPass").get_by_role("button", name="Download").click()
    has(other, "SeasonPass", "owned")
    row(other, "Tulips").get_by_role("button", name="Download").click()
    has(other, "Tulips", "owned")

    bought = garden.transaction(phone, "Tulips")
    storectl("refund", bought, "--data", garden.store.data)
    has(page, "Tulips", "for-sale")
    other.get_by_role("button", name="Refresh").click()
    has(other, "Tulips", "for-sale")


def test_another_customer_of_the_device_gets_nothing_of_the_first(garden):
    device = garden.device()
    page = device.open()
    sign_in(page, device.name, "register")
    signed_in(page, device.name)
    buy(device, page, "Roses").close()
    has(page, "Roses", "owned")

    page.get_by_role("button", name="Sign out").click()
    page.locator("#sign-in").wait_for()
    page.locator('[data-state="owned"]').wait_for(state="detached")
    sign_in(page, f"{device.name}.other", "register")
    signed_in(page, f"{device.name}.other")
    has(page, "Roses", "for-sale")
    # The receipt is the first customer's. A purchase of this one would be paid and refused.
    # Nothing is paid, however often the button is pressed: a change of the page may replace it just then.
    def is_refused():
        row(page, "Tulips").get_by_role("button").click()
        return page.locator("#notice", has_text="buys for another customer").is_visible()

    wait_until("the garden refuses the other customer", is_refused)
    page.goto(f"{device.app.url}/product/Roses")
    page.locator("h1", has_text="Not found").wait_for()
    assert garden.charges(device) == 1, f"charged {garden.charges(device)} times"


def test_a_waiting_purchase_stays_with_its_customer(garden):
    device = garden.device()
    page = device.open()
    sign_in(page, f"{device.name}.other", "register")
    signed_in(page, f"{device.name}.other")
    page.get_by_role("button", name="Sign out").click()
    page.locator("#sign-in").wait_for()
    sign_in(page, device.name, "register")
    signed_in(page, device.name)
    row(page, "Roses").get_by_role("button").wait_for()
    garden.server.kill()
    try:
        buy(device, page, "Roses").close()
        has(page, "Roses", "paid")
        # A tab that is out of date still has the button.
        ask("POST", f"{device.app.url}/get", {"product": f"{BUNDLE}.Roses"})
        page.locator("#notice", has_text="Nothing was bought again").wait_for()
        page.get_by_role("button", name="Sign out").click()
        page.locator("#sign-in").wait_for()
    finally:
        garden.server.serve()

    sign_in(page, f"{device.name}.other")
    signed_in(page, f"{device.name}.other")
    page.locator("#failure", has_text="waits for the customer who paid").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.locator("#sign-in").wait_for()
    sign_in(page, device.name)
    has(page, "Roses", "owned")
    device.queue_is_empty()
    assert garden.charges(device) == 1, f"charged {garden.charges(device)} times"
