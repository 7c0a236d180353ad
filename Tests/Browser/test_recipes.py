# SPDX-License-Identifier: Apache-2.0
"""BuyFruit's recipe book, whose content is downloaded after the purchase, in a browser."""

import os
import re
import threading
from pathlib import Path

import pytest

from customer import BUNDLE, alert_says, answer, fruit, has_bought, photograph, press_buy, row
from cutting_proxy import Cut, CuttingProxy
from processes import storectl, wait_until

pytestmark = [pytest.mark.xdist_group("buyfruit"), pytest.mark.slow]

BOOK = "RecipeBook"
MEGABYTES = 4
INFORMATION = f"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>IAPProductIdentifier</key><string>{BUNDLE}.{BOOK}</string>
<key>ContentVersion</key><string>1.0</string>
</dict></plist>
"""


def publish(shop):
    """Uploads a book, once for all tests."""
    book = Path(shop.folder) / "book"
    if book.exists():
        return
    (book / "Contents").mkdir(parents=True)
    (book / "ContentInfo.plist").write_text(INFORMATION)
    (book / "Contents" / "Apple crumble.txt").write_text("Peel and dice six apples.\n")
    (book / "Contents" / "pictures").write_bytes(os.urandom(MEGABYTES * 1_000_000))
    storectl("content", "upload", book, "--bundle-id", BUNDLE, *shop.store.where)


class Proxy(CuttingProxy):
    """Passes everything on between a device and the store, and slows the book down when it is asked to."""

    goes_on = threading.Event()

    def slow_down(self, megabytes):
        """Lets as much of the book pass, and then few bytes at a time until `speed_up`: the app reports its progress
        only when bytes arrive, four times a second at most."""
        self.speed_up()
        self.goes_on = goes_on = threading.Event()
        self.arm([Cut(place, "pause", lambda _: goes_on.wait(0.3))
                  for place in range(megabytes * 1_000_000, MEGABYTES * 1_000_000, 500)])

    def speed_up(self):
        self.goes_on.set()


@pytest.fixture
def proxy(shop):
    proxy = Proxy(shop.store)
    yield proxy
    proxy.speed_up()
    proxy.close()


def download(device):
    """The download of the book, as BuyFruit shows it; `None` without one."""
    products = {product["identifier"]: product for product in device.app.state()["products"]}
    return products[fruit(BOOK)].get("download")


def press(page, verb):
    row(page, BOOK).get_by_role("button", name=re.compile(f"^{verb}")).click()


def in_state(page, state):
    return page.locator(f'[data-product="{fruit(BOOK)}"] [data-download="{state}"]')


def buy(device, page):
    press_buy(page, BOOK)
    sheet = device.sheet()
    answer(sheet, device.email)


def has_begun(device):
    wait_until("bytes of the book arrive", lambda: (download(device) or {}).get("percent", 0) > 0)


def test_a_recipe_book_is_downloaded_paused_and_resumed(shop, proxy):
    publish(shop)
    device = shop.device(STOREKIT_STORE_URL=proxy.url)
    page = device.open()
    page.evaluate("window.wasHereBefore = true")

    proxy.slow_down(2)
    buy(device, page)
    has_begun(device)
    bar = page.locator(f"#progress-{BOOK}")
    bar.wait_for()
    alert_says(page, "Bought successfully!")
    photograph(page, "book-active")
    press(page, "Pause")
    in_state(page, "paused").wait_for()
    text = page.locator(f"#download-{BOOK}").inner_text()
    assert re.match(rf"Paused at \d+ % of {MEGABYTES} MB", text), f"a paused download says {text!r}"
    photograph(page, "book-paused")
    shown = download(device)["percent"]
    assert 0 < shown < 100, f"it was paused at {shown} %"
    proxy.slow_down(1)
    press(page, "Resume")
    in_state(page, "active").wait_for()
    proxy.speed_up()
    has_bought(page, BOOK)
    wait_until("the book is complete", lambda: download(device) is None)
    device.queue_is_empty()
    assert page.evaluate("window.wasHereBefore === true"), "the page was reloaded"

    row(page, BOOK).get_by_role("link").click()
    page.get_by_text("Peel and dice six apples.").wait_for()
    photograph(page, "book-recipes")
    caches = device.app.caches / BUNDLE / "StoreKit"
    assert (caches / "CACHEDIR.TAG").exists(), "the folder of caches isn't marked"
    left = [path for path in caches.rglob("*") if path.is_file() and path.name != "CACHEDIR.TAG"]
    assert not left, f"left behind in the caches: {left}"


def test_a_cancelled_book_leaves_nothing_and_is_downloaded_after_a_relaunch(shop, proxy):
    publish(shop)
    device = shop.device(STOREKIT_STORE_URL=proxy.url)
    page = device.open()
    proxy.slow_down(2)
    buy(device, page)
    has_begun(device)
    alert_says(page, "Bought successfully!")
    press(page, "Cancel")
    in_state(page, "cancelled").wait_for()
    photograph(page, "book-cancelled")
    caches = device.app.caches
    wait_until("no file is left behind",
               lambda: not [path for path in caches.rglob("*.partial/**/*") if path.is_file()])
    proxy.slow_down(2)
    press(page, "Download")
    has_begun(device)
    device.app.kill()
    proxy.speed_up()
    device.launch()
    page.goto(f"{device.app.url}/")
    wait_until("the book is complete", lambda: download(device) is None)
    device.queue_is_empty()
    page.goto(f"{device.app.url}/fruit/{BOOK}")
    page.get_by_text("Peel and dice six apples.").wait_for()
