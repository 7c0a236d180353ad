# SPDX-License-Identifier: Apache-2.0
"""BuyFruit in a real browser, with real processes: a store, a device per test, Chromium.

Screenshots are left in artifacts/browser.
"""

import socket

import pytest

from customer import (
    alert_says, answer, has_bought, has_not_bought, outcome, photograph, press_buy, row, shows_no_alert)

pytestmark = [pytest.mark.xdist_group("buyfruit"), pytest.mark.slow]

PRICES = {"Apple": "$0.99", "Blackberry": "$1.99", "Orange": "$2.99", "Pear": "$0.99", "Tomato": "$0.49"}


def test_lists_every_fruit_with_its_price(shop):
    page = shop.device().open()

    for name, price in PRICES.items():
        text = row(page, name).inner_text()
        assert name in text and price in text, f"the row of {name} says {text!r}, without {price}"
        has_not_bought(page, name)

    assert page.title() == "Buy Fruits", f"the title is {page.title()!r}"
    photograph(page, "list")


def test_buys_on_the_sheet_and_sees_it_without_a_reload(shop):
    device = shop.device()
    page = device.open()
    page.evaluate("window.wasHereBefore = true")

    press_buy(page, "Apple")
    sheet = device.sheet()
    for words in ("Apple", "Environment: Sandbox"):
        assert words in sheet.locator("body").inner_text(), f"the sheet doesn't say {words!r}"
    photograph(sheet, "sheet")
    answer(sheet, device.email)
    outcome(sheet)

    has_bought(page, "Apple")
    assert page.evaluate("window.wasHereBefore === true"), "the page was reloaded"
    page.locator("dialog#alert[open]").wait_for()
    photograph(page, "alert")
    alert_says(page, "Bought successfully!")
    photograph(page, "bought")
    device.queue_is_empty()
    assert shop.charges(device) == 1, f"charged {shop.charges(device)} times"


def test_a_bought_fruit_unlocks_its_picture_on_the_detail_page(shop):
    device = shop.device()
    page = device.open()
    row(page, "Orange").get_by_role("link").click()
    page.wait_for_url("**/fruit/Orange")
    assert page.locator("figure img").count() == 0, "the picture is there before it was bought"
    photograph(page, "detail")

    press_buy(page, "Orange")
    answer(device.sheet(), device.email)

    has_bought(page, "Orange")
    alert_says(page, "Bought successfully!")
    page.locator("figure img").wait_for()
    page.wait_for_function("document.querySelector('figure img').naturalWidth > 0")
    photograph(page, "detail-bought")


def test_cancelling_shows_no_alert_and_charges_nothing(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Pear")
    sheet = device.sheet()
    answer(sheet, device.email, button="cancel")
    outcome(sheet)

    device.queue_is_empty()
    has_not_bought(page, "Pear")
    shows_no_alert(page)
    assert shop.charges(device) == 0, "charged, though the user cancelled"


def test_wrong_password_is_said_and_may_be_corrected(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Tomato")
    sheet = device.sheet()
    answer(sheet, device.email, password="not the password")
    sheet.locator("p#message").wait_for()
    assert sheet.locator("p#message").inner_text().strip(), "the sheet shows no message"
    photograph(sheet, "sheet-error")
    assert shop.charges(device) == 0, "charged with a wrong password"

    answer(sheet, device.email)
    outcome(sheet)
    has_bought(page, "Tomato")
    assert shop.charges(device) == 1, f"charged {shop.charges(device)} times"


def test_closing_the_tab_cancels(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Blackberry")
    sheet = device.sheet()
    sheet.close(run_before_unload=True)

    device.queue_is_empty()
    has_not_bought(page, "Blackberry")
    shows_no_alert(page)
    assert shop.charges(device) == 0, "charged, though the tab was closed"

    press_buy(page, "Blackberry")
    answer(device.sheet(), device.email)
    has_bought(page, "Blackberry")


def test_reloading_the_sheet_is_not_closing_it(shop):
    device = shop.device()
    page = device.open()

    press_buy(page, "Apple")
    sheet = device.sheet()
    sheet.reload()
    answer(sheet, device.email)
    outcome(sheet)

    has_bought(page, "Apple")


def test_second_tab_of_a_used_sheet_is_told(shop):
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
    assert told, f"the second tab says nothing, the first said {bought!r}"
    assert shop.charges(device) == 1, f"charged {shop.charges(device)} times"


def test_both_windows_of_buyfruit_see_a_purchase(shop):
    device = shop.device()
    first, second = device.open(), device.open()

    press_buy(first, "Pear")
    answer(device.sheet(), device.email)

    has_bought(first, "Pear")
    has_bought(second, "Pear")


def test_restores_on_a_second_device(shop):
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
    assert shop.charges(old) == 1, f"charged {shop.charges(old)} times"


def test_buying_again_on_a_second_device_is_free(shop):
    old = shop.device()
    page = old.open()
    press_buy(page, "Pear")
    answer(old.sheet(), old.email)
    has_bought(page, "Pear")

    new = shop.device(email=old.email)
    page = new.open()
    press_buy(page, "Pear")
    sheet = new.sheet()
    assert "$0.99" in sheet.locator("#price").inner_text(), "this device knows no customer"
    answer(sheet, new.email)
    # The customer is known now: nothing is charged, and nothing is final yet.
    sheet.locator("#note").wait_for()
    assert sheet.locator("#price").inner_text() == "Free of charge", "the price of a pear that the customer owns"
    photograph(sheet, "sheet-owned")
    answer(sheet, new.email)

    has_bought(page, "Pear")
    new.queue_is_empty()
    assert shop.charges(old) == 1, f"charged {shop.charges(old)} times"


def test_the_list_is_loaded_again_when_the_page_comes_to_the_front(shop):
    page = shop.device().open()
    with page.expect_request("**/refresh") as asked:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert asked.value.method == "POST", f"the page sent {asked.value.method}"


def test_the_page_shows_that_it_waits_for_the_store(shop):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        device = shop.device(STOREKIT_STORE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}")
        page = device.context.new_page()
        page.goto(f"{device.app.url}/")
        page.get_by_text("Loading products…").locator("progress").wait_for()
        busy = page.locator("#refresh").get_attribute("aria-busy")
        assert busy == "true", f"Refresh is busy: {busy}"


def test_a_purchase_survives_reload_and_relaunch(shop):
    device = shop.device()
    page = device.open()
    press_buy(page, "Tomato")
    answer(device.sheet(), device.email)
    has_bought(page, "Tomato")
    device.queue_is_empty()
    said = device.app.log.read_text(errors="replace")
    for line in ("Loaded products…", "Buying ", "completeTransaction…", "provideContentForProductIdentifier"):
        assert line in said, f"BuyFruit's log has no {line!r}: {said[-500:]}"

    page.reload()
    has_bought(page, "Tomato")

    page.close()
    device.app.stop()
    device.launch()
    page = device.open()
    has_bought(page, "Tomato")
    has_not_bought(page, "Apple")
