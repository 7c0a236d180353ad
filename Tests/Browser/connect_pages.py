# SPDX-License-Identifier: Apache-2.0
"""The pages of Connect, each as a function that shows it to a person without an account in the store."""

import base64
import hashlib
import hmac
import re
import struct
import tempfile
import time
import zlib
from pathlib import Path

from harness import BUNDLE
from processes import expect, storectl

HOLDER = "holder@example.com"
PASSWORD = "correct horse battery"
SELLER = "seller@basket.example"
CONTRACT = """Paid Applications

1. The operator sells the seller's products in the seller's name.
2. The seller gets 70 percent of each price without its tax.
3. Either side ends this contract with a notice of 30 days.
"""


def code_of(secret, at=None):
    """The code of an authenticator app (RFC 6238) of a secret in Base32. `test_connect.py` asks pyotp."""
    key = base64.b32decode(secret.replace(" ", ""))
    digest = hmac.new(key, struct.pack(">Q", int((at or time.time()) // 30)), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def set_up_address(store):
    """The address that `serve` has printed."""
    return re.search(r"is set up at (\S+)", store.log.read_text()).group(1)


def send(page, decision, **fields):
    """Types values into the fields of a form, and presses its button."""
    form = page.locator(f"main form:has(button[value='{decision}'])").first
    for name, value in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.locator(f"button[value='{decision}']").click()
    page.wait_for_load_state()
    return page


def set_up(customer):
    """The set-up, with fields that can't be saved; of the language that comes first. Others see the refused address."""
    address = set_up_address(customer.shop.store)
    customer.open(address)
    if customer.page.locator("input[name=team]").count():
        send(customer.page, "save", team="", email="nobody", name="Hilda Holder", newPassword="short")
        expect(customer.page.locator("p.problem").count() == 3, "the problems aren't beside their fields")


def sign_in(customer, email=HOLDER, password=PASSWORD):
    """Signs in; the first one sets Connect up."""
    page = customer.open("/connect/sign-in")
    send(page, "sign-in", email=email, password=password)
    if page.locator("#message").count():
        customer.open(set_up_address(customer.shop.store))
        send(page, "save", team="Fruit & Flowers", email=email, name="Hilda Holder", newPassword=password)
    page.locator("#sign-out").wait_for()
    return page


def invite(customer, email, role="developer"):
    page = customer.open("/connect/users")
    send(page, "invite", email=email, role=role)
    return page.locator(".copy pre").inner_text().strip()


def connect_sign_in(customer):
    sign_in(customer)
    customer.page.locator("#sign-out").click()
    send(customer.page, "sign-in", email=HOLDER, password="wrong")
    customer.page.locator("#message").wait_for()


def connect_users(customer):
    sign_in(customer)
    email = f"{customer.language}.joins@example.com"
    if email not in customer.open("/connect/users").content():
        address = invite(customer, email, "marketing")
        other = customer.shop.browser.new_context(locale="en-GB")
        page = other.new_page()
        page.goto(address)
        send(page, "save", name="Marta Marketing", newPassword=PASSWORD)
        other.close()
    invite(customer, f"{customer.language}.waits@example.com", "account-holder")
    customer.open("/connect/users").locator("button[value=revoke]").first.wait_for()


def connect_invited(customer):
    sign_in(customer)
    invite(customer, f"{customer.language}.invited@example.com")


def connect_invitation(customer):
    sign_in(customer)
    customer.open(invite(customer, f"{customer.language}.opens@example.com")).locator("input[name=name]").wait_for()


def connect_user(customer):
    connect_users(customer)
    customer.page.locator(".list .name a", has_text="Marta").first.click()
    customer.page.locator("button[value=remove]").wait_for()


def connect_roles(customer):
    sign_in(customer)
    customer.open("/connect/roles").locator("table").wait_for()


def connect_log(customer):
    connect_users(customer)
    customer.open("/connect/log?q=example").locator(".list li").first.wait_for()


def connect_account(customer):
    sign_in(customer)
    page = customer.open("/connect/account")
    if page.locator("button[value=codes-begin]").count():
        send(page, "codes-begin", password=PASSWORD)
    page.locator("button[value=codes-use]").wait_for()


def connect_codes(customer):
    """The recovery codes, after which the app is turned off again."""
    connect_account(customer)
    page = customer.page
    secret = page.locator(".copy pre").inner_text().strip()
    send(page, "codes-use", code=code_of(secret))
    page.locator(".copy pre").wait_for()
    codes = page.locator(".copy pre").inner_text().split()
    expect(len(codes) == 10, f"there are {len(codes)} recovery codes")
    other = customer.shop.browser.new_context(locale="en-GB")
    try:
        off = other.new_page()
        off.goto(customer.shop.store.url + "/connect/sign-in")
        send(off, "sign-in", email=HOLDER, password=PASSWORD, code=codes[0])
        off.goto(customer.shop.store.url + "/connect/account")
        send(off, "codes-end", password=PASSWORD)
        off.locator("button[value=codes-begin]").wait_for()
    finally:
        other.close()


def connect_refused(customer):
    """The sign-in in the place of a page."""
    customer.open("/connect/users").locator("input[name=next]").wait_for(state="attached")


# The page of the app that the store's file has.
FRUIT = f"/connect/apps/{BUNDLE}"


def connect_apps(customer):
    sign_in(customer)
    page = customer.open("/connect/apps")
    if "com.example.basket" not in page.content():
        send(page, "register", name="Basket", bundle="com.example.basket", sku="B-1", locale="en_US")
    customer.open("/connect/apps").locator(".list .name a").first.wait_for()


def connect_apps_refused(customer):
    sign_in(customer)
    page = customer.open("/connect/apps")
    send(page, "register", name="B", bundle="com.example.*", sku="-")
    expect(page.locator("p.problem").count() == 3, "the problems aren't beside their fields")


def connect_app(customer):
    connect_product(customer)
    customer.open(FRUIT).locator(".list .name a").first.wait_for()


def connect_new_product(customer):
    sign_in(customer)
    customer.open(f"{FRUIT}/new-product?kind=Auto-Renewable%20Subscription")
    customer.page.locator("input[name=newGroup]").wait_for()


def connect_new_product_refused(customer):
    sign_in(customer)
    page = customer.open(f"{FRUIT}/new-product?kind=Consumable")
    send(page, "register", product="no spaces", reference="", prices="DEU many")
    expect(page.locator("p.problem").count() == 3, "the problems aren't beside their fields")
    expect(page.locator("textarea[name=prices]").input_value() == "DEU many", "a typed text was lost")


def registered(customer, identifier):
    """Registers a product if it isn't there, and shows its page."""
    page = customer.open(f"{FRUIT}/new-product?kind=Consumable")
    send(page, "register", product=identifier, reference="Papaya", tier="2",
         **{"title-en_US": "Papaya", "description-en_US": "A papaya"})
    customer.open(f"{FRUIT}/products/{identifier}").locator("button[value=save]").wait_for()
    return customer.page


def connect_product(customer):
    sign_in(customer)
    registered(customer, "papaya")


def connect_product_missing(customer):
    """A product without a price, which the page says is missing."""
    sign_in(customer)
    page = customer.open(f"{FRUIT}/new-product?kind=Non-Consumable")
    send(page, "register", product="priceless", reference="Priceless")
    customer.open(f"{FRUIT}/products/priceless").locator("button[value=save]").wait_for()


def connect_product_of_both(customer):
    """Another user has saved other values since the page was opened."""
    sign_in(customer)
    identifier = f"papaya.{customer.language}"
    page = registered(customer, identifier)
    other = customer.context.new_page()
    other.goto(page.url)
    send(other, "save", reference=f"Of the other user {time.time()}", tier="9")
    other.close()
    send(page, "save", reference="Mine", prices="DEU 1.19")
    expect(page.locator("p.present").count() >= 2, "the saved values aren't beside the typed ones")
    expect(page.locator("input[name=reference]").input_value() == "Mine", "the typed value was lost")


def png(width, height, color):
    """A PNG image of one colour without an alpha channel."""
    def chunk(name, contents):
        return (struct.pack(">I", len(contents)) + name + contents
                + struct.pack(">I", zlib.crc32(name + contents)))
    rows = (b"\0" + bytes(color) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def upload(page, purpose, contents, name="image.png"):
    form = page.locator(f"main form:has(input[name='{purpose}'])").first
    form.locator(f"input[name='{purpose}']").set_input_files(
        {"name": name, "mimeType": "image/png", "buffer": contents})
    form.locator("button[value=upload]").click()
    page.wait_for_load_state()


def connect_images(customer):
    """The images of a product that is promoted."""
    sign_in(customer)
    registered(customer, "papaya")
    page = customer.open(f"{FRUIT}/products/papaya/images")
    if not page.locator("p.image img").count():
        upload(page, "promotion", png(1024, 1024, (250, 160, 60)))
        send(page, "promote")
    customer.open(f"{FRUIT}/products/papaya/images").locator("p.image img").wait_for()


def connect_images_refused(customer):
    sign_in(customer)
    registered(customer, "papaya")
    page = customer.open(f"{FRUIT}/products/papaya/images")
    upload(page, "promotion", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "<b>fruit</b>.svg")
    expect(page.locator("p.problem").count() == 1, "the problem isn't beside its field")


def connect_promotion(customer):
    connect_images(customer)
    page = customer.page
    for name in ("guava", "lychee"):
        registered(customer, name)
        customer.open(f"{FRUIT}/products/{name}/images")
        if not page.locator("p.image img").count():
            upload(page, "promotion", png(1024, 1024, (120, 190, 90)))
            send(page, "promote")
    page = customer.open(f"{FRUIT}/promotion")
    if not page.locator("p.image img").count():
        upload(page, "icon", png(1024, 1024, (90, 120, 220)))
        page.locator("button[value=hide]").first.click()
        page.wait_for_load_state()
    page.locator(".list img.icon").first.wait_for()


def seller(customer):
    """Signs in the account holder of a team that isn't the operator's."""
    page = customer.open("/connect/sign-in")
    send(page, "sign-in", email=SELLER, password=PASSWORD)
    if page.locator("#message").count():
        address = storectl("team", "add", *customer.shop.store.where).strip()
        customer.open(address)
        send(page, "save", team="Basket Ltd", email=SELLER, name="Selma Seller", newPassword=PASSWORD)
        contract = Path(tempfile.mkdtemp()) / "contract.txt"
        contract.write_text(CONTRACT)
        storectl("agreement", "publish", str(contract), *customer.shop.store.where)
    page.locator("#sign-out").wait_for()
    return page


def connect_agreements_of_operator(customer):
    sign_in(customer)
    customer.open("/connect/agreements").locator("main section").first.wait_for()


def connect_agreements(customer):
    seller(customer)
    customer.open("/connect/agreements").locator("input[name=iban]").wait_for()


def connect_agreements_refused(customer):
    seller(customer)
    page = customer.open("/connect/agreements")
    send(page, "bank", holder="", iban="DE88 3704 0044 0532 0130 00", bic="?")
    expect(page.locator("p.problem").count() == 3, "the problems aren't beside their fields")


def connect_agreements_signed(customer):
    seller(customer)
    page = customer.open("/connect/agreements")
    if page.locator("button[value=accept]").count():
        send(page, "accept")
        send(page, "bank", holder="Basket Ltd", iban="DE89 3704 0044 0532 0130 00")
        send(page, "tax", legalName="Basket Ltd", address="1 Fruit Street\nLondon", country="GBR", taxNumber="GB123456789")
    expect("0532" not in customer.open("/connect/agreements").content(), "the page has the number of the account")


PAGES = [set_up, connect_sign_in, connect_users, connect_invited, connect_invitation, connect_user, connect_roles,
         connect_log, connect_account, connect_codes, connect_refused, connect_apps, connect_apps_refused, connect_app,
         connect_new_product, connect_new_product_refused, connect_product, connect_product_missing,
         connect_product_of_both, connect_images, connect_images_refused, connect_promotion,
         connect_agreements_of_operator, connect_agreements, connect_agreements_refused, connect_agreements_signed]
