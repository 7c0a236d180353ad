# SPDX-License-Identifier: Apache-2.0
"""The tests of BuyFruit's recipe book, whose content is downloaded after the purchase."""

import os
import re
import signal
from pathlib import Path

from customer import BUNDLE, alert_says, answer, fruit, has_bought, photograph, press_buy, row
from processes import expect, storectl, wait_until

BOOK = "RecipeBook"
MEGABYTES = 200
INFORMATION = f"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>IAPProductIdentifier</key><string>{BUNDLE}.{BOOK}</string>
<key>ContentVersion</key><string>1.0</string>
</dict></plist>
"""


def publish(shop):
    """Uploads a book of 200 MB, once for all tests."""
    book = Path(shop.folder) / "book"
    if book.exists():
        return
    (book / "Contents").mkdir(parents=True)
    (book / "ContentInfo.plist").write_text(INFORMATION)
    (book / "Contents" / "Apple crumble.txt").write_text("Peel and dice six apples.\n")
    with open(book / "Contents" / "pictures", "wb") as pictures:
        for _ in range(MEGABYTES):
            pictures.write(os.urandom(1_000_000))
    storectl("content", "upload", book, "--bundle-id", BUNDLE, *shop.store.where)


def download(device):
    """The download of the book, as BuyFruit shows it; `None` without one."""
    products = {product["identifier"]: product for product in device.app.state()["products"]}
    return products[fruit(BOOK)].get("download")


def press(page, verb):
    row(page, BOOK).get_by_role("button", name=re.compile(f"^{verb}")).click()


def in_state(page, state):
    return page.locator(f'[data-product="{fruit(BOOK)}"] [data-download="{state}"]')


class Halted:
    """Keeps the store from sending anything, so that a download stays where it is."""

    def __init__(self, store):
        self.store = store

    def __enter__(self):
        self.store.process.send_signal(signal.SIGSTOP)

    def __exit__(self, *_):
        self.store.process.send_signal(signal.SIGCONT)


def buy(device, page):
    press_buy(page, BOOK)
    sheet = device.sheet()
    answer(sheet, device.email)


def has_begun(device):
    wait_until("bytes of the book arrive", lambda: (download(device) or {}).get("percent", 0) > 0)


def a_recipe_book_is_downloaded_paused_and_resumed(shop):
    publish(shop)
    device = shop.device()
    page = device.open()
    page.evaluate("window.wasHereBefore = true")

    buy(device, page)
    has_begun(device)
    with Halted(shop.store):
        bar = page.locator(f"#progress-{BOOK}")
        bar.wait_for()
        alert_says(page, "Bought successfully!")
        photograph(page, "book-active")
        press(page, "Pause")
        in_state(page, "paused").wait_for()
        text = page.locator(f"#download-{BOOK}").inner_text()
        expect(re.match(r"Paused at \d+ % of 200 MB", text), f"a paused download says {text!r}")
        photograph(page, "book-paused")
        shown = download(device)["percent"]
        press(page, "Resume")
        in_state(page, "active").wait_for()
    has_bought(page, BOOK)
    wait_until("the book is complete", lambda: download(device) is None, seconds=120)
    device.queue_is_empty()
    expect(0 < shown < 100, f"it was paused at {shown} %")
    expect(page.evaluate("window.wasHereBefore === true"), "the page was reloaded")

    row(page, BOOK).get_by_role("link").click()
    page.get_by_text("Peel and dice six apples.").wait_for()
    photograph(page, "book-recipes")
    caches = device.app.caches / BUNDLE / "StoreKit"
    expect((caches / "CACHEDIR.TAG").exists(), "the folder of caches isn't marked")
    left = [path for path in caches.rglob("*") if path.is_file() and path.name != "CACHEDIR.TAG"]
    expect(not left, f"left behind in the caches: {left}")


def a_cancelled_book_leaves_nothing_and_is_downloaded_after_a_relaunch(shop):
    publish(shop)
    device = shop.device()
    page = device.open()
    buy(device, page)
    has_begun(device)
    with Halted(shop.store):
        alert_says(page, "Bought successfully!")
        press(page, "Cancel")
        in_state(page, "cancelled").wait_for()
        photograph(page, "book-cancelled")
        caches = device.app.caches
        wait_until("no file is left behind",
                   lambda: not [path for path in caches.rglob("*.partial/**/*") if path.is_file()])
    press(page, "Download")
    has_begun(device)
    device.app.kill()
    device.launch()
    page.goto(f"{device.app.url}/")
    wait_until("the book is complete", lambda: download(device) is None, seconds=120)
    device.queue_is_empty()
    page.goto(f"{device.app.url}/fruit/{BOOK}")
    page.get_by_text("Peel and dice six apples.").wait_for()


TESTS = [
    a_recipe_book_is_downloaded_paused_and_resumed,
    a_cancelled_book_leaves_nothing_and_is_downloaded_after_a_relaunch,
]
