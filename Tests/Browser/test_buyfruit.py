# SPDX-License-Identifier: Apache-2.0
"""BuyFruit in a real browser, with real processes: a store, a device per test, Chromium.

    .venv/bin/python Tests/Browser/test_buyfruit.py [words of a test's name]

Screenshots are left in artifacts/browser. The last line says how many passed and failed.
"""

import shutil
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

import account
import basket
import more
import recipes
from customer import (
    ARTIFACTS, Device, alert_says, answer, has_bought, has_not_bought, launch, outcome,
    photograph, press_buy, row, shows_no_alert,
)
from processes import PASSWORD, Store, expect

PRICES = {"Apple": "$0.99", "Blackberry": "$1.99", "Orange": "$2.99", "Pear": "$0.99", "Tomato": "$0.49"}


def lists_every_fruit_with_its_price(shop):
    page = shop.device().open()

    for name, price in PRICES.items():
        text = row(page, name).inner_text()
        expect(name in text and price in text, f"the row of {name} says {text!r}, without {price}")
        has_not_bought(page, name)

    expect(page.title() == "Buy Fruits", f"the title is {page.title()!r}")
    photograph(page, "list")


def buys_on_the_sheet_and_sees_it_without_a_reload(shop):
    device = shop.device()
    page = device.open()
    page.evaluate("window.wasHereBefore = true")

    press_buy(page, "Apple")
    sheet = device.sheet()
    for words in ("Apple", "Environment: Sandbox"):
        expect(words in sheet.locator("body").inner_text(), f"the sheet doesn't say {words!r}")
    photograph(sheet, "sheet")
    answer(sheet, device.email)
    outcome(sheet)

    has_bought(page, "Apple")
    expect(page.evaluate("window.wasHereBefore === true"), "the page was reloaded")
    page.locator("dialog#alert[open]").wait_for()
    photograph(page, "alert")
    alert_says(page, "Bought successfully!")
    photograph(page, "bought")
    device.queue_is_empty()
    expect(shop.charges(device) == 1, f"charged {shop.charges(device)} times")


def a_bought_fruit_unlocks_its_picture_on_the_detail_page(shop):
    device = shop.device()
    page = device.open()
    row(page, "Orange").get_by_role("link").click()
    page.wait_for_url("**/fruit/Orange")
    expect(page.locator("figure img").count() == 0, "the picture is there before it was bought")
    photograph(page, "detail")

    press_buy(page, "Orange")
    answer(device.sheet(), device.email)

    has_bought(page, "Orange")
    alert_says(page, "Bought successfully!")
    page.locator("figure img").wait_for()
    page.wait_for_function("document.querySelector('figure img').naturalWidth > 0")
    photograph(page, "detail-bought")


def cancelling_shows_no_alert_and_charges_nothing(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Pear")
    sheet = device.sheet()
    answer(sheet, device.email, button="cancel")
    outcome(sheet)

    device.queue_is_empty()
    has_not_bought(page, "Pear")
    shows_no_alert(page)
    expect(shop.charges(device) == 0, "charged, though the user cancelled")


def wrong_password_is_said_and_may_be_corrected(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Tomato")
    sheet = device.sheet()
    answer(sheet, device.email, password="not the password")
    sheet.locator("p#message").wait_for()
    expect(sheet.locator("p#message").inner_text().strip(), "the sheet shows no message")
    photograph(sheet, "sheet-error")
    expect(shop.charges(device) == 0, "charged with a wrong password")

    answer(sheet, device.email)
    outcome(sheet)
    has_bought(page, "Tomato")
    expect(shop.charges(device) == 1, f"charged {shop.charges(device)} times")


def closing_the_tab_cancels(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Blackberry")
    sheet = device.sheet()
    sheet.close(run_before_unload=True)

    device.queue_is_empty()
    has_not_bought(page, "Blackberry")
    shows_no_alert(page)
    expect(shop.charges(device) == 0, "charged, though the tab was closed")

    press_buy(page, "Blackberry")
    answer(device.sheet(), device.email)
    has_bought(page, "Blackberry")


def reloading_the_sheet_is_not_closing_it(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Apple")
    sheet = device.sheet()
    sheet.reload()
    answer(sheet, device.email)
    outcome(sheet)

    has_bought(page, "Apple")


def second_tab_of_a_used_sheet_is_told(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Orange")
    first = device.sheet()
    second = device.context.new_page()
    second.goto(first.url)
    second.locator("form#sheet").wait_for()
    answer(first, device.email)
    bought = outcome(first)
    answer(second, device.email)
    told = outcome(second)

    has_bought(page, "Orange")
    expect(told, f"the second tab says nothing, the first said {bought!r}")
    expect(shop.charges(device) == 1, f"charged {shop.charges(device)} times")


def both_windows_of_buyfruit_see_a_purchase(shop):
    device = shop.device()
    first, second = device.open(), device.open()

    press_buy(first, "Pear")
    answer(device.sheet(), device.email)

    has_bought(first, "Pear")
    has_bought(second, "Pear")


def restores_on_a_second_device(shop):
    old = shop.device()
    page = old.open()
    press_buy(page, "Apple")
    answer(old.sheet(), old.email)
    has_bought(page, "Apple")
    old.queue_is_empty()

    new = shop.device(email=old.email)
    page = new.open()
    has_not_bought(page, "Apple")
    page.get_by_role("button", name="Restore").click()
    answer(new.sheet(), new.email, button="sign-in")

    has_bought(page, "Apple")
    alert_says(page, "Restored successfully!")
    has_not_bought(page, "Pear")
    new.queue_is_empty()
    expect(shop.charges(old) == 1, f"charged {shop.charges(old)} times")


def buying_again_on_a_second_device_is_free(shop):
    old = shop.device()
    page = old.open()
    press_buy(page, "Pear")
    answer(old.sheet(), old.email)
    has_bought(page, "Pear")

    new = shop.device(email=old.email)
    page = new.open()
    press_buy(page, "Pear")
    answer(new.sheet(), new.email)

    has_bought(page, "Pear")
    new.queue_is_empty()
    expect(shop.charges(old) == 1, f"charged {shop.charges(old)} times")


def a_purchase_survives_reload_and_relaunch(shop):
    device = shop.device()
    page = device.open()
    press_buy(page, "Tomato")
    answer(device.sheet(), device.email)
    has_bought(page, "Tomato")
    device.queue_is_empty()

    page.reload()
    has_bought(page, "Tomato")

    page.close()
    device.app.stop()
    device.launch()
    page = device.open()
    has_bought(page, "Tomato")
    has_not_bought(page, "Apple")


TESTS = [
    lists_every_fruit_with_its_price,
    buys_on_the_sheet_and_sees_it_without_a_reload,
    a_bought_fruit_unlocks_its_picture_on_the_detail_page,
    cancelling_shows_no_alert_and_charges_nothing,
    wrong_password_is_said_and_may_be_corrected,
    closing_the_tab_cancels,
    reloading_the_sheet_is_not_closing_it,
    second_tab_of_a_used_sheet_is_told,
    both_windows_of_buyfruit_see_a_purchase,
    restores_on_a_second_device,
    buying_again_on_a_second_device_is_free,
    a_purchase_survives_reload_and_relaunch,
    *basket.TESTS,
    *more.TESTS,
    *recipes.TESTS,
    *account.TESTS,
]


class Shop:
    """The store that all tests share, and the devices of one test. Each test has accounts and devices of its own."""

    def __init__(self, folder, store, browser):
        self.folder, self.store, self.browser = folder, store, browser
        self.devices, self.count = [], 0

    def device(self, email=None):
        self.count += 1
        if email is None:
            email = f"tester{self.count}@example.com"
            self.store.add_account(email, PASSWORD)
        device = Device(self.folder, self.store, self.browser, f"device{self.count}", email)
        self.devices.append(device)
        device.launch()
        return device

    def charges(self, device):
        return self.store.rows(
            "SELECT count(*) FROM ledger_entry JOIN account USING (environment, account_id) "
            f"WHERE email = '{device.email}' AND milliunits > 0"
        )[0][0]

    def run(self, test):
        self.devices = []
        try:
            test(self)
            for device in self.devices:
                expect(not device.errors, f"the browser's console: {device.errors}")
        except Exception:
            self.keep_evidence(test.__name__)
            raise
        finally:
            for device in self.devices:
                device.close()

    def keep_evidence(self, name):
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        for device in self.devices:
            for number, page in enumerate(device.context.pages):
                try:
                    page.screenshot(path=ARTIFACTS / f"failed-{name}-{device.app.home.parent.name}-{number}.png")
                except Exception as error:  # the page itself may have failed
                    print(f"    no screenshot: {error}")
            print("\n".join("    " + line for line in device.app.tail(12).splitlines()))


def main(words):
    shutil.rmtree(ARTIFACTS, ignore_errors=True)
    chosen = [test for test in TESTS if all(word in test.__name__ for word in words)]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="openstorekit-browser-") as folder, sync_playwright() as playwright:
        store = Store(folder)
        browser = launch(playwright, folder)
        try:
            store.serve()
            shop = Shop(folder, store, browser)
            for test in chosen:
                started, name = time.monotonic(), test.__name__.replace("_", " ")
                try:
                    shop.run(test)
                    passed += 1
                    print(f"ok      {name} ({time.monotonic() - started:.1f} s)", flush=True)
                except Exception:
                    failed += 1
                    print(f"FAILED  {name} ({time.monotonic() - started:.1f} s)")
                    print("    " + traceback.format_exc(limit=-3).strip().replace("\n", "\n    "), flush=True)
        finally:
            browser.close()
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            if store.log.exists():
                shutil.copy(store.log, ARTIFACTS / "store.log")
            store.stop()
    print(f"{passed} passed, {failed} failed")
    return 0 if chosen and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
