# SPDX-License-Identifier: Apache-2.0
"""The store's page of subscriptions, `/account/subscriptions`, in a browser."""

import pytest

from account import press_on_card, says, sign_in
from customer import PATIENCE, answer, fruit, has_bought, photograph, row

pytestmark = [pytest.mark.xdist_group("buyfruit"), pytest.mark.slow]

SMALL, LARGE = "SmallBasket", "LargeBasket"


def test_manages_subscriptions_on_the_stores_page(shop):
    device = shop.device()
    page = device.open()
    row(page, LARGE).get_by_role("button").click()
    answer(device.sheet(), device.email)
    has_bought(page, LARGE)
    visitor = shop.browser.new_context()  # Another browser than the one that BuyFruit opens.
    visitor.set_default_timeout(PATIENCE)
    try:
        manages_subscriptions(shop, device, visitor.new_page())
    finally:
        visitor.close()


def manages_subscriptions(shop, device, page):
    page.goto(f"{shop.store.url}/account/subscriptions")
    photograph(page, "account-sign-in")
    sign_in(page, device.email, "not the password")
    page.locator("#message").wait_for()
    sign_in(page, device.email)

    card = page.locator("section.subscription")
    card.wait_for()
    assert card.locator("h2").inner_text() == "Large basket", f"listed: {card.inner_text()!r}"
    says(card, "Paid until", "It renews then for $9.99")
    photograph(page, "account-subscriptions")

    page.locator("section.subscription button[value=renewal-off]").click()
    says(page.locator("#message"), "password")
    sign_in(page, device.email)
    press_on_card(page, fruit(SMALL))
    says(page.locator("#notice"), "The plan is changed. Nothing was charged.")
    says(card, "It renews then as Small basket for $4.99")
    photograph(page, "account-plan-changed")

    press_on_card(page, "renewal-off")
    says(page.locator("#notice"), "The renewal is turned off. Nothing was charged.")
    says(card, "It doesn't renew.")
    photograph(page, "account-renewal-off")
    press_on_card(page, "renewal-on")
    says(page.locator("#notice"), "The renewal is turned on. Nothing was charged.")
    says(card, "It renews then as Small basket")
    assert shop.charges(device) == 1, f"charged {shop.charges(device)} times"
