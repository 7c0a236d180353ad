# SPDX-License-Identifier: Apache-2.0
"""A customer's actions in BuyFruit and on the payment sheet, and the browser in which they happen."""

import os
import re
import shutil
from pathlib import Path
from unittest import mock

import processes
from processes import BUNDLE, PASSWORD, ROOT, BuyFruit, Store, wait_until

ARTIFACTS = ROOT / "artifacts" / "browser"
PATIENCE = 1000 * processes.PATIENCE  # milliseconds that a page may take to show an awaited element


def fruit(name):
    return f"{BUNDLE}.{name}"


class Device:
    """BuyFruit on a device of its own, shown in a browser profile of its own."""

    def __init__(self, folder, store, browser, name, email, **environment):
        self.app = BuyFruit(folder, store, name)
        self.email, self.environment = email, environment
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
            BROWSER=str(Path(__file__).resolve().parent / "hand-over"), SHEET_ADDRESSES=str(self.addresses),
            **self.environment)

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
    assert "✓" in row(page, name).inner_text(), f"{name} is purchased, without a checkmark"


def has_not_bought(page, name):
    row(page, name).get_by_role("button", name=re.compile("^Buy")).wait_for()


def alert_says(page, title):
    """Waits for an alert with this title, and presses OK."""
    page.locator("dialog#alert[open]").wait_for()
    said = page.locator("#alert-title").inner_text()
    assert said == title, f"the alert says {said!r} rather than {title!r}"
    page.get_by_role("button", name="OK", exact=True).click()
    page.locator("dialog#alert:not([open])").wait_for(state="attached")


def shows_no_alert(page):
    assert page.locator("dialog#alert[open]").count() == 0, "an alert where none belongs"


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


def photograph(page, name, folder=ARTIFACTS):
    """Takes screenshots, light at a phone's width and dark at a desktop's. The page must not scroll sideways in any."""
    for width, height, scheme in ((390, 844, "light"), (1280, 800, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{name} is {wider} px wider than a screen of {width} px"
    page.emulate_media(color_scheme="light")


def photograph_all(contexts, folder, name):
    """Takes a screenshot of each page of browsers, the evidence of a test that has failed."""
    for number, page in enumerate(page for context in contexts for page in context.pages):
        try:
            page.screenshot(path=folder / f"failed-{name}-{number}.png", full_page=True)
        except Exception as error:  # the page itself may have failed
            print(f"no screenshot of {page.url}: {error}")


def emptied(folder):
    """Makes a folder of artifacts, without those of the run before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def store_with_file(folder, *arguments, **options):
    """A store that several tests share. It is made before the engine of each test is chosen."""
    with mock.patch.dict(os.environ):
        os.environ.pop("OPENSTOREKIT_POSTGRES", None)
        return Store(folder, *arguments, **options)


def chromium():
    """The system's browser; None means the one that Playwright has installed. The shell without windows takes two
    thirds of the processor time."""
    names = [os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def launch(playwright, folder):
    """Starts a browser whose profile is in a folder. Its optimising compilers are off: a page ends before their work
    pays, and they took a seventh of the processor time of test_pages.py."""
    arguments = ["--js-flags=--no-opt --no-maglev --single-threaded-gc"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses root otherwise
    return playwright.chromium.launch(
        executable_path=chromium(), args=arguments,
        env={**os.environ, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache"})
