# SPDX-License-Identifier: Apache-2.0
"""The store whose pages are shown in a browser, and its customers."""

import functools
import json
import re
from pathlib import Path

from connect_sales import png
from customer import PATIENCE, store_with_file
from elements import fill, press, wait_for
from harness import BUNDLE, Device, ask
from processes import APPLE, CONFIGURATION, ORANGE, PASSWORD, PEAR, ROOT, storectl, wait_until

BASKET = APPLE.replace("Apple", "LargeBasket")
LANGUAGES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
# A small window, which costs less to draw.
WINDOW = {"width": 960, "height": 360}
# Characters that turn the direction of the text behind them around.
BACKWARDS = "\u202eegnaro\u2067"
ATTACK = "\"><img src=x onerror=\"window.attacked=1\"><script>window.attacked=1</script>"


def hostile_catalogue(folder):
    """BuyFruit's products, with markup in the texts of the pear, and of the small basket that is offered as a plan. The
    texts of the orange turn the direction around."""
    catalogue = json.loads(CONFIGURATION.read_text())
    products = catalogue["products"] + [
        plan for group in catalogue["subscriptionGroups"] for plan in group["subscriptions"]]
    for product in products:
        if product["productID"] in (PEAR, APPLE.replace("Apple", "SmallBasket")):
            product["localizations"][0].update(displayName=ATTACK, description=ATTACK)
        if product["productID"] == ORANGE:
            product["localizations"][0].update(displayName=BACKWARDS, description=BACKWARDS)
    file = Path(folder) / "Hostile.storekit"
    file.write_text(json.dumps(catalogue))
    return file


class Shop:
    """The store that all tests share, and a page of a browser for each language: a new page starts a process, which
    takes longer than to show one. `script` is added to each page."""

    def __init__(self, folder, browser, script):
        self.folder, self.browser, self.script = Path(folder), browser, script
        self.html = self.folder / "html"
        self.html.mkdir()
        taxes = self.folder / "taxes.csv"
        taxes.write_text("country,category,rate,included\nUSA,any,8.875,exclusive\n")
        self.mail = self.folder / "mail"
        self.mail.mkdir()
        sendmail = self.folder / "sendmail"
        sendmail.write_text(f'#!/bin/sh\ncat > "{self.mail}/.$$" && mv "{self.mail}/.$$" "{self.mail}/$$"\n')
        sendmail.chmod(0o755)
        self.store = store_with_file(
            folder, hostile_catalogue(folder), arguments=("--taxes", taxes, "--sendmail", sendmail))
        self.count = 0
        self.has_items = False
        self.connect_session = self.seller_session = None
        self.pages, self.shown = {}, None
        sources = ROOT / "Sources" / "StoreServer"
        self.weight = sum((sources / name).stat().st_size for name in (
            "Pages/Shared/Templates/page.css", "Pages/Sheet/Templates/sheet.js", "Connect/Templates/connect.css"))

    def page(self, language):
        """The page of a language, without cookies. Its window and its colours are those of the test before."""
        self.shown = self.pages.get(language)
        if self.shown and not self.shown.is_closed():
            self.shown.context.clear_cookies()
        else:
            context = self.browser.new_context(locale=LANGUAGES[language], viewport=WINDOW)
            context.set_default_timeout(PATIENCE)
            self.shown = self.pages[language] = context.new_page()
            self.shown.add_init_script(self.script)
        return self.shown

    def account(self, email=None):
        self.count += 1
        email = email or f"customer{self.count}@example.com"
        self.store.add_account(email, PASSWORD)
        self.store.make_sign_ins_cheap(email, PASSWORD)
        return email

    def items(self):
        """Adds an app with images, a song and an item with a hostile title, and promotes two products of the app."""
        if self.has_items:
            return
        self.has_items = True
        for name, width, height, color in (("icon", 96, 96, (180, 40, 60)), ("one", 180, 320, (60, 140, 60)),
                                           ("two", 320, 180, (200, 150, 40))):
            (self.folder / f"{name}.png").write_bytes(png(width, height, color))
        texts = {"en_US": {"title": "BuyFruit", "description": "Fruit for everyone.\nApples, pears and seeds."},
                 "de_DE": {"title": "ObstKauf", "description": "Obst f\u00fcr alle.\n\u00c4pfel, Birnen und Samen."}}
        common = {"seller": "Fruit Records", "link": "https://seller.example/item", "price": "0.99"}
        items = [
            {**common, "item": 1001, "kind": "app", "bundle": BUNDLE, "texts": texts, "price": "0", "icon": "icon.png",
             "screenshots": ["one.png", "two.png", "one.png", "two.png"]},
            {**common, "item": 1002, "kind": "song", "texts": {"en_US": {"title": "Peel", "description": "A song."}}},
            {**common, "item": 1003, "kind": "book", "seller": ATTACK,
             "texts": {"en_US": {"title": ATTACK, "description": ATTACK}}},
        ]
        file = self.folder / "items.json"
        file.write_text(json.dumps({"items": items}))
        storectl("item", "add", *self.store.where, str(file))
        storectl("product", "promote", *self.store.where, BUNDLE, PEAR, APPLE, ORANGE)

    def wait_for_sales(self):
        """Waits until the store has counted a sale."""
        wait_until("a sale is counted", lambda: self.store.rows("SELECT count(*) FROM product_sales") != [(0,)])

    def set(self, email, *arguments):
        storectl("account", "set", *self.store.where, email, *arguments)

    def link(self, kind, email):
        """The address of the link of a kind in the newest message to an address, once the store has sent it."""
        def found():
            files = sorted(self.mail.iterdir(), key=lambda file: file.stat().st_mtime)
            messages = [text for text in (file.read_text() for file in files) if f"To: {email}" in text]
            links = [re.search(rf"https?://\S+/account/{kind}/\w+", text) for text in messages]
            return links and links[-1] and links[-1].group()
        return wait_until(f"a message has a link of the kind {kind}", found)

    def family(self, command, *arguments):
        storectl("family", command, *arguments, "--store", self.store.url, "--data", self.store.data)

    def card(self, email, card):
        storectl("account", "payment", "add", email, card, "--store", self.store.url, "--data", self.store.data)

    def answer(self, email, *arguments):
        storectl("payment", "answer", *self.store.where, "--account", email, *arguments)

    def charges(self, email):
        return self.store.rows(
            "SELECT count(*) FROM ledger_entry JOIN account USING (environment, account_id) "
            f"WHERE email = '{email}' AND milliunits > 0")[0][0]


class Customer:
    """An account with a device that asks for sheets, each made when it is needed, and the page in a browser."""

    def __init__(self, shop, language="en", email=None):
        self.shop, self.language = shop, language
        self.given = email
        self.asked = 0
        self.page = shop.page(language)
        self.context = self.page.context

    @functools.cached_property
    def email(self):
        return self.shop.account(self.given)

    @functools.cached_property
    def device(self):
        return Device(self.shop.store).register()

    def sheet(self, product=APPLE):
        """Asks for a payment, and returns the address of its sheet."""
        self.asked += 1
        status, answer = self.device.pay(f"request-{self.asked}", product)
        assert status == 200 and "sheet" in answer, f"a payment was answered {status} {answer}"
        return answer["sheet"]

    # By requests, which prepare a page.

    def ask(self, address, **fields):
        """Sends a form without a browser, and returns the answer."""
        status, text = ask("POST", address, accept="application/json", form={
            "email": self.email, "password": PASSWORD, **fields})
        assert status == 200, f"{address} was answered {status} {text}"
        return json.loads(text)

    def buy(self, product=APPLE):
        answer = self.ask(self.sheet(product), decision="buy")
        assert answer["outcome"] == "purchased", f"the purchase was answered {answer}"

    def receipt(self):
        """Returns the address of the newest purchase's receipt."""
        newest = self.ask(f"{self.shop.store.url}/account/purchases")["purchases"][0]
        return f"/account/purchases/{newest['transaction']}"

    # In the browser.

    def open(self, address, shows=None):
        """Opens a page, and waits until it shows an element, if one is named."""
        self.page.goto(address if address.startswith("http") else self.shop.store.url + address)
        if shows:
            self.sees(shows)
        return self.page

    def fill(self, button, **fields):
        """Fills in the account if the page asks for it, and gives a button the focus."""
        fill(self.page, f"#{button}", fields, self.account)

    def press(self, button, shows=None, **fields):
        """Fills in the account if the page asks for it, presses a button, and waits until the next page shows an
        element, if one is named."""
        press(self.page, f"#{button}", fields, self.account)
        if shows:
            self.sees(shows)
        return self.page

    @property
    def account(self):
        if "<" in self.email:  # which a browser refuses to send
            self.page.evaluate("document.querySelectorAll('form').forEach((form) => { form.noValidate = true })")
        return {"email": self.email, "password": PASSWORD}

    def sees(self, selector):
        """Waits until the page shows an element."""
        wait_for(self.page, selector)

    def buy_on_the_sheet(self, product=APPLE):
        self.open(self.sheet(product))
        self.press("buy", "h1#outcome")

    def open_purchases(self):
        self.open("/account/purchases")
        self.press("sign-in", "ul.list a")
