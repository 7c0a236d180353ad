# SPDX-License-Identifier: Apache-2.0
"""BuyFruit's fruit basket, a subscription with two plans, in a browser."""

import re

import pytest

from account import press_on_card, sign_in
from customer import alert_says, answer, has_bought, outcome, photograph, row, shows_no_alert
from processes import storectl, wait_until

pytestmark = [pytest.mark.xdist_group("buyfruit"), pytest.mark.slow]

SMALL, LARGE = "SmallBasket", "LargeBasket"


def press_plan(page, name, verb="Subscribe"):
    row(page, name).get_by_role("button", name=re.compile(f"^{verb}")).click()


def subscribe(device, page, name, verb="Subscribe"):
    """Buys a plan on its sheet, and returns the heading of the sheet's last page."""
    press_plan(page, name, verb)
    sheet = device.sheet()
    answer(sheet, device.email)
    return outcome(sheet)


def advance(shop, device, duration):
    """Lets time pass for the customer, and waits for everything that falls due."""
    storectl("clock", "advance", device.email, duration, "--data", shop.store.data)


def paid_until(device):
    """The end of the period that BuyFruit reads in its receipt; `None` without a subscription."""
    return (device.app.state().get("subscription") or {}).get("paidUntil")


def wait_for_status(page, words):
    """Waits until BuyFruit's sentence about the basket has these words, without a reload, and returns it."""
    page.wait_for_function(
        "words => document.getElementById('paid-until').textContent.includes(words)", arg=words)
    return page.locator("#paid-until").inner_text()


def test_a_basket_is_paid_renewed_and_over(shop):
    device = shop.device()
    page = device.open()
    for name, price in ((SMALL, "$4.99 a month"), (LARGE, "$9.99 a month")):
        text = row(page, name).inner_text()
        assert price in text, f"the row of {name} says {text!r}, without {price}"
    photograph(page, "basket")
    page.evaluate("window.wasHereBefore = true")

    press_plan(page, SMALL)
    sheet = device.sheet()
    terms = sheet.locator("#terms").inner_text()
    for words in ("$4.99 per month", "The first period is from", "It renews at the end of each period",
                  "To cancel", "Manage subscriptions"):
        assert words in terms, f"the sheet's terms don't say {words!r}: {terms!r}"
    photograph(sheet, "basket-sheet")
    answer(sheet, device.email)
    outcome(sheet)
    has_bought(page, SMALL)
    alert_says(page, "Bought successfully!")
    bought = wait_for_status(page, "Your basket is paid until")
    first = paid_until(device)
    photograph(page, "basket-paid")

    advance(shop, device, "1mo1d")
    wait_until("BuyFruit has the renewal", lambda: paid_until(device) > first)
    page.wait_for_function("old => document.getElementById('paid-until').textContent !== old", arg=bought)
    renewed = wait_for_status(page, "Your basket is paid until")
    assert renewed != bought, f"after the renewal BuyFruit still says {bought!r}"
    shows_no_alert(page)
    device.queue_is_empty()
    assert shop.charges(device) == 2, f"charged {shop.charges(device)} times"

    with page.expect_popup() as popup:
        page.locator("#manage").click()
    managed = popup.value
    sign_in(managed, device.email)
    press_on_card(managed, "renewal-off")
    managed.locator("#notice").wait_for()
    advance(shop, device, "2mo")
    page.get_by_role("button", name="Refresh").click()
    wait_for_status(page, "Your basket ended on")
    row(page, SMALL).get_by_role("button", name=re.compile("^Subscribe")).wait_for()
    photograph(page, "basket-ended")
    assert page.evaluate("window.wasHereBefore === true"), "the page was reloaded"
    assert shop.charges(device) == 2, f"charged {shop.charges(device)} times"


def test_a_smaller_basket_begins_at_the_renewal(shop):
    device = shop.device()
    page = device.open()
    subscribe(device, page, LARGE)
    has_bought(page, LARGE)
    alert_says(page, "Bought successfully!")

    press_plan(page, SMALL, "Change")
    sheet = device.sheet()
    terms = sheet.locator("#terms").inner_text()
    assert "It begins on" in terms and "Nothing is charged now" in terms, f"the sheet's terms: {terms!r}"
    answer(sheet, device.email)
    heading = outcome(sheet)
    assert heading.startswith("Your plan changes on"), f"the sheet's last page says {heading!r}"
    photograph(sheet, "basket-change")
    alert_says(page, "Your plan will change")
    has_bought(page, LARGE)

    advance(shop, device, "1mo1d")
    has_bought(page, SMALL)
    row(page, LARGE).get_by_role("button", name=re.compile("^Change")).wait_for()
    assert shop.charges(device) == 2, f"charged {shop.charges(device)} times"


def test_a_larger_basket_begins_at_once(shop):
    device = shop.device()
    page = device.open()
    subscribe(device, page, SMALL)
    has_bought(page, SMALL)
    alert_says(page, "Bought successfully!")
    advance(shop, device, "10d")

    assert subscribe(device, page, LARGE, "Change") == "Purchased", "an upgrade is a purchase"
    has_bought(page, LARGE)
    row(page, SMALL).get_by_role("button", name=re.compile("^Change")).wait_for()
