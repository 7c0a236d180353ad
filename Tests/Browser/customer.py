# SPDX-License-Identifier: Apache-2.0
"""A customer's actions in BuyFruit and on the payment sheet."""

import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from processes import BUNDLE, PASSWORD, ROOT, BuyFruit, expect, wait_until  # noqa: E402

ARTIFACTS = ROOT / "artifacts" / "browser"
PATIENCE = 20_000  # milliseconds that a page may take to show an awaited element


def fruit(name):
    return f"{BUNDLE}.{name}"


class Device:
    """BuyFruit on a device of its own, shown in a browser profile of its own."""

    def __init__(self, folder, store, browser, name, email):
        self.app = BuyFruit(folder, store, name)
        self.email = email
        self.addresses = Path(folder) / name / "sheets"
        self.taken = 0
        self.errors = []
        self.context = browser.new_context()
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))
        self.context.on("console", self.noticed)

    def noticed(self, message):
        # Chromium reports the 401 of a refused password as an error of the page; the tests don't count it.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def launch(self):
        self.app.launch(
            BROWSER=str(Path(__file__).resolve().parent / "hand-over"), SHEET_ADDRESSES=str(self.addresses)
        )

    def open(self):
        page = self.context.new_page()
        page.goto(f"{self.app.url}/")
        row(page, "Apple").wait_for()
        return page

    def sheet_address(self):
        """Waits for the next sheet that BuyFruit opens, and returns its address."""
        def next_address():
            lines = self.addresses.read_text().splitlines() if self.addresses.exists() else []
            return lines[self.taken] if len(lines) > self.taken else None

        address = wait_until("BuyFruit hands over a sheet", next_address)
        self.taken += 1
        return address

    def sheet(self):
        page = self.context.new_page()
        page.goto(self.sheet_address())
        page.locator("form#sheet").wait_for()
        return page

    def queue_is_empty(self):
        wait_until(f"the queue of {self.app.name} is empty", lambda: self.app.state()["unfinishedTransactions"] == 0)

    def close(self):
        self.context.close()
        self.app.stop()


def row(page, name):
    return page.locator(f'[data-product="{fruit(name)}"]')


def press_buy(page, name):
    row(page, name).get_by_role("button", name=re.compile("^Buy")).click()


def has_bought(page, name):
    """Waits until the fruit has its checkmark, without reloading the page."""
    page.locator(f'[data-product="{fruit(name)}"][data-state="purchased"]').wait_for()
    expect("✓" in row(page, name).inner_text(), f"{name} is purchased, without a checkmark")


def has_not_bought(page, name):
    row(page, name).get_by_role("button", name=re.compile("^Buy")).wait_for()


def alert_says(page, title):
    """Waits for an alert with this title, and presses OK."""
    page.locator("dialog#alert[open]").wait_for()
    said = page.locator("#alert-title").inner_text()
    expect(said == title, f"the alert says {said!r} rather than {title!r}")
    page.get_by_role("button", name="OK", exact=True).click()
    page.locator("dialog#alert:not([open])").wait_for(state="attached")


def shows_no_alert(page):
    expect(page.locator("dialog#alert[open]").count() == 0, "an alert where none belongs")


def answer(sheet, email, password=PASSWORD, button="buy"):
    """Fills in the account if the sheet asks for it, and presses the button."""
    if sheet.locator("input#email").count():
        sheet.locator("input#email").fill(email)
        sheet.locator("input#password").fill(password)
    sheet.locator(f"button#{button}").click()


def outcome(sheet):
    heading = sheet.locator("h1#outcome")
    heading.wait_for()
    return heading.inner_text()


def photograph(page, name):
    """Takes screenshots at phone and desktop width, light and dark. The page must not scroll sideways in any."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=ARTIFACTS / f"{name}-{width}-{scheme}.png", full_page=True)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(wider <= 0, f"{name} is {wider} px wider than a screen of {width} px")
    page.emulate_media(color_scheme="light")


def chromium():
    """The system's browser; None means the one that Playwright has installed. The shell without windows takes two thirds of
    the processor time."""
    names = [os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def launch(playwright, folder):
    """Starts a browser whose profile is in a folder. Its optimising compilers are off: a page ends before their work pays,
    and they took a seventh of the processor time of test_pages.py."""
    arguments = ["--js-flags=--no-opt --no-maglev"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses root otherwise
    return playwright.chromium.launch(
        executable_path=chromium(), args=arguments,
        env={**os.environ, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache"})
