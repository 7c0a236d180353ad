# SPDX-License-Identifier: Apache-2.0
"""The pages of Connect with images, promoted products and agreements, each as a function that shows it."""

import struct
import tempfile
import zlib
from pathlib import Path

from connect_pages import FRUIT, PASSWORD, forms, forms_of_session, has_problems, registered, send, sign_in
from elements import count
from processes import storectl

SELLER = "seller@basket.example"
CONTRACT = """Paid Applications

1. The operator sells the seller's products in the seller's name.
2. The seller gets 70 percent of each price without its tax.
3. Either side ends this contract with a notice of 30 days.
"""


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


def promoted(customer, identifier, color):
    """Promotes a product with an image if it has none, and returns the address of its images."""
    place = f"{registered(customer, identifier)}/images"
    if '<p class="image">' not in forms(customer).page(place):
        forms(customer).send(place, "upload", promotion=("image.png", png(1024, 1024, color)))
        forms(customer).send(place, "promote")
    return place


def connect_images(customer):
    """The images of a product that is promoted."""
    customer.open(promoted(customer, "papaya", (250, 160, 60)), "p.image img")


def connect_images_refused(customer):
    page = customer.open(f"{registered(customer, 'papaya')}/images")
    upload(page, "promotion", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "<b>fruit</b>.svg")
    has_problems(page, 1)


def connect_promotion(customer):
    for name, color in (("papaya", (250, 160, 60)), ("guava", (120, 190, 90)), ("lychee", (120, 190, 90))):
        promoted(customer, name, color)
    place = f"{FRUIT}/promotion"
    if '<p class="image">' not in forms(customer).page(place):
        forms(customer).send(place, "upload", icon=("image.png", png(1024, 1024, (90, 120, 220))))
        forms(customer).send(place, "hide")
    customer.open(place, ".list img")


def seller(customer):
    """Signs in the account holder of a team that isn't the operator's, with the session of the first sign-in."""
    if not customer.shop.seller_session:
        address = storectl("team", "add", *customer.shop.store.where).strip()
        customer.open(address)
        send(customer.page, "save", team="Basket Ltd", email=SELLER, name="Selma Seller", newPassword=PASSWORD)
        assert count(customer.page, "#sign-out"), "the team isn't set up"
        customer.shop.seller_session = customer.context.cookies()
        contract = Path(tempfile.mkdtemp()) / "contract.txt"
        contract.write_text(CONTRACT)
        storectl("agreement", "publish", str(contract), *customer.shop.store.where)
    customer.context.add_cookies(customer.shop.seller_session)
    return forms_of_session(customer, customer.shop.seller_session)


def connect_agreements_of_operator(customer):
    sign_in(customer)
    customer.open("/connect/agreements", "main section")


def connect_agreements(customer):
    seller(customer)
    customer.open("/connect/agreements", "input[name=iban]")


def connect_agreements_refused(customer):
    seller(customer)
    page = customer.open("/connect/agreements")
    send(page, "bank", holder="", iban="DE88 3704 0044 0532 0130 00", bic="?")
    has_problems(page, 3)


def connect_agreements_signed(customer):
    team, place = seller(customer), "/connect/agreements"
    if team.shows(place, "accept"):
        team.send(place, "accept")
        team.send(place, "bank", holder="Basket Ltd", iban="DE89 3704 0044 0532 0130 00")
        team.send(
            place, "tax", legalName="Basket Ltd", address="1 Fruit Street\nLondon", country="GBR",
            taxNumber="GB123456789")
    assert "0532" not in customer.open("/connect/agreements").content(), "the page has the number of the account"


PAGES = [connect_images, connect_images_refused, connect_promotion, connect_agreements_of_operator, connect_agreements,
         connect_agreements_refused, connect_agreements_signed]
