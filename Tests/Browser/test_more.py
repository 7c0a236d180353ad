# SPDX-License-Identifier: Apache-2.0
"""The store's pages of an app and of a song, which BuyFruit opens in a browser: "More from this shop"."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from customer import BUNDLE, alert_says, answer, fruit, has_bought, photograph, press_buy
from processes import ROOT, storectl

pytestmark = [pytest.mark.xdist_group("buyfruit"), pytest.mark.slow]

ITEMS = ROOT / "Examples" / "BuyFruit" / "Items" / "items.json"
APP, SONG = 1001, 1002
TOKENS = {"affiliateToken": "fruit-friends", "providerToken": "118571", "advertisingPartnerToken": "orchard",
          "customProductPage": "4e1b1f6a-0c4a-4b44-9a3f-6d2f1c7a5b10"}
# The names in the query of the tokens, and of the product, for which SKStoreProductViewController has keys.
QUERY = {"at", "ct", "pt", "advp", "ppid", "product"}


def publish(shop):
    storectl("item", "add", ITEMS, *shop.store.where)
    storectl("product", "promote", BUNDLE, fruit("Strawberry"), fruit("Pear"), fruit("Seeds"), *shop.store.where)


def campaigns(shop):
    """The campaigns of the shop by their campaign token and item."""
    listed = json.loads(storectl("report", "campaigns", "--seller", "Fruit Shop", "--json", *shop.store.where))
    return {(one.get("campaignToken"), one["item"]): one for one in listed["campaigns"]}


def numbers(shop, *key):
    found = campaigns(shop).get(key, {"purchases": 0, "amount": "0.00"})
    return found["purchases"], float(found["amount"])


def open_page(device, page, item):
    """Presses Show for an item, and opens the page that BuyFruit hands over."""
    page.locator(f"#more-{item}").click()
    address = device.sheet_address()
    query = parse_qs(urlsplit(address).query)
    assert query.keys() == QUERY, f"the address of {item} has {sorted(query)} instead of {sorted(QUERY)}"
    shown = device.context.new_page()
    shown.goto(address)
    shown.locator("button#order").wait_for()
    return shown


def get(device, shown):
    """Orders the item of a page, signs in, and confirms the sheet."""
    shown.locator("button#order").click()
    shown.locator("#sign-in").wait_for()
    answer(shown, device.email, button="sign-in")
    shown.locator("button#buy").wait_for()
    answer(shown, device.email)
    shown.locator("a#open").wait_for()


def check_tokens(shop, key):
    found = campaigns(shop)[key]
    assert {name: found.get(name) for name in TOKENS} == TOKENS, f"the tokens of {key} are {found}"


def test_an_item_that_the_store_does_not_have_is_an_alert(shop):
    # It runs before the others, which add the items.
    assert not json.loads(storectl("item", "list", "--json", *shop.store.where))["items"], "the store has items already"
    device = shop.device()
    page = device.open()
    page.locator(f"#more-{SONG}").click()
    alert_says(page, "Peel can’t be shown.")
    assert not device.addresses.exists(), "a page was opened"


def test_an_app_and_a_song_are_shown_and_bought_with_their_tokens(shop):
    publish(shop)
    device = shop.device()
    page = device.open()
    photograph(page, "more")
    before = {item: numbers(shop, campaign, item) for campaign, item in (("more-app", APP), ("more-song", SONG))}

    shown = open_page(device, page, APP)
    promoted = shown.locator("#promoted ~ ul li bdi").all_inner_texts()
    assert promoted == ["Pear", "Strawberry", "Seeds"], f"the page promotes {promoted} instead of the pear first"
    photograph(shown, "product-page-app")
    get(device, shown)
    shown = open_page(device, page, SONG)
    photograph(shown, "product-page-song")
    get(device, shown)

    assert numbers(shop, "more-app", APP) == (before[APP][0] + 1, before[APP][1]), f"{campaigns(shop)}"
    assert numbers(shop, "more-song", SONG) == (before[SONG][0] + 1, round(before[SONG][1] + 0.99, 2)), (
        f"{campaigns(shop)}")
    check_tokens(shop, ("more-app", APP))
    check_tokens(shop, ("more-song", SONG))
    assert shop.charges(device) == 1, f"charged {shop.charges(device)} times"


def test_a_fruit_that_is_bought_after_the_click_has_the_tokens(shop):
    publish(shop)
    device = shop.device()
    page = device.open()
    press_buy(page, "Apple")
    answer(device.sheet(), device.email)
    has_bought(page, "Apple")
    alert_says(page, "Bought successfully!")
    before = numbers(shop, "more-app", APP)

    open_page(device, page, APP)
    press_buy(page, "Orange")
    answer(device.sheet(), device.email)
    has_bought(page, "Orange")
    count, amount = numbers(shop, "more-app", APP)
    assert (count, round(amount - before[1], 2)) == (before[0] + 1, 2.99), f"{before} became {count}, {amount}"

    cookies = {cookie["name"]: cookie for cookie in device.context.cookies()}
    click = cookies.pop("store_click")
    assert click["httpOnly"] and click["sameSite"] == "Strict" and not cookies, f"the cookies are {click}, {cookies}"
