# SPDX-License-Identifier: Apache-2.0
"""The pages of Connect with items, store pages, content, the operator's review and a seller's servers, each as a
function that shows it."""

import tempfile
from pathlib import Path

from connect_pages import FRUIT, forms, has_problems, registered, send, sign_in
from connect_sales import png
from content_package import package, packed
from elements import count, value

ITEM = {"kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99", "prices": "DEU 3.99",
        "exclusions": "JPN", "title-en_US": "The Orchard", "description-en_US": "A year among apple trees."}
HOSTED = "com.example.fruit.almanac"


def connect_no_items(customer):
    sign_in(customer)
    customer.open("/connect/items?q=nothing", "main .detail")


def item(customer):
    """Adds an item if it isn't there, and returns the address of its page."""
    found = "/connect/items?q=Orchard"
    if not forms(customer).entries(found):
        send(customer.open("/connect/new-item"), "add", **ITEM)
    return forms(customer).first(found)


def connect_items(customer):
    item(customer)
    customer.open("/connect/items", ".list .name a")


def connect_new_item(customer):
    sign_in(customer)
    customer.open("/connect/new-item", "input[name=link]")


def connect_item_refused(customer):
    sign_in(customer)
    page = customer.open("/connect/new-item")
    send(page, "add", **{**ITEM, "link": "http://seller.example", "price": "free", "title-en_US": ""})
    has_problems(page, 3)
    assert value(page, "input[name=price]") == "free", "a typed value was lost"


def connect_item(customer):
    customer.open(item(customer), "button[value=save]")


def orchard(customer):
    """Registers an app if it isn't there, and returns the address of its page."""
    if not forms(customer).entries("/connect/apps?q=com.example.orchard"):
        forms(customer).send(
            "/connect/apps", "register", name="Orchard", bundle="com.example.orchard", sku="O-1", locale="en_US")
    return "/connect/apps/com.example.orchard"


def connect_versions(customer):
    """Two versions, of which the first is released."""
    place = f"{orchard(customer)}/versions"
    if not forms(customer).shows(place, "release"):
        for version in ("1.0", "1.1"):
            forms(customer).send(place, "add", version=version)
        forms(customer).send(place, "release", release="1.0")
    customer.open(place, "button[value=release]")


def connect_versions_refused(customer):
    page = customer.open(f"{orchard(customer)}/versions")
    send(page, "add", version="1.0 beta")
    has_problems(page, 1)


def store_page(customer):
    """Saves the app's store page with a screenshot if it has none, and returns its address."""
    place = f"{orchard(customer)}/store-page"
    if not forms(customer).shows(place, "remove-image"):
        forms(customer).send(
            place, "save", link="https://seller.example/orchard", tier="1", prices="DEU 1.19", exclusions="JPN",
            **{"title-en_US": "Orchard", "description-en_US": "A year among apple trees."})
        forms(customer).send(place, "upload", screenshot=("image.png", png(300, 500, (20, 90, 40))))
    return place


def connect_store_page(customer):
    customer.open(store_page(customer), "button[value=remove-image]")


def connect_codes_of_app(customer):
    store_page(customer)
    place = f"{orchard(customer)}/codes"
    if "/download" not in forms(customer).page(place):
        forms(customer).send(place, "app", name="For the press", count="5")
    page = customer.open(place)
    send(page, "app", name="", count="101")
    has_problems(page, 2)


def connect_store_page_refused(customer):
    page = customer.open(f"{orchard(customer)}/store-page")
    send(page, "save", link="http://seller.example", firstDay="2999-01-01", **{"title-en_US": ""})
    assert count(page, "p.problem") >= 2, "the problems aren't beside their fields"


def hosted(customer):
    """Registers a product that can have content if it isn't there, and shows the page of its content."""
    if not forms(customer).page(f"{FRUIT}/products/{HOSTED}"):
        forms(customer).send(
            f"{FRUIT}/new-product?kind=Non-Consumable", "register", product=HOSTED, reference="Almanac", tier="2",
            **{"title-en_US": "Almanac", "description-en_US": "When to plant"})
    return customer.open(f"{FRUIT}/products/{HOSTED}/content")


def chosen(page, contents):
    """Chooses a packed file, and presses the button."""
    form = page.locator("main form:has(button[value=upload])").first
    form.locator("input[type=file]").set_input_files(
        {"name": "almanac.package", "mimeType": "application/octet-stream", "buffer": contents})
    form.locator("button[value=upload]").click()


def connect_content(customer):
    """The script sends the package, and shows the page with its version."""
    page = hosted(customer)
    if not count(page, "button[value=remove]"):
        with tempfile.TemporaryDirectory() as folder:
            chosen(page, packed(package(Path(folder) / "almanac", HOSTED, files={"almanac.bin": 300_000})))
        customer.sees("button[value=remove]")
    customer.open(f"{FRUIT}/products/{HOSTED}/content", "button[value=remove]")


def connect_content_refused(customer):
    page = hosted(customer)
    chosen(page, b"not a package")
    customer.sees("p.problem")


def submitted(customer):
    """The identifier of a product that waits for the review."""
    identifier = f"{customer.language}.durian"
    address = registered(customer, identifier)
    # A product is submitted with a screenshot.
    if not forms(customer).shows(f"{address}/images", "remove-image"):
        forms(customer).send(
            f"{address}/images", "upload", review=("image.png", png(640, 1136, (20, 90, 40))))
        forms(customer).send(address, "submit")
    return identifier


def connect_reviews(customer):
    submitted(customer)
    customer.open("/connect/reviews", ".list .name a")


def connect_no_reviews(customer):
    sign_in(customer)
    customer.open("/connect/reviews?q=nothing", "main .detail")


def connect_review(customer):
    address = forms(customer).first(f"/connect/reviews?q={submitted(customer)}")
    customer.open(address, "button[value=approve]")


def connect_review_refused(customer):
    connect_review(customer)
    send(customer.page, "reject", reason="")
    has_problems(customer.page, 1)


def connect_addresses(customer):
    if not forms(customer).shows(f"{FRUIT}/notifications", "remove"):
        forms(customer).send(f"{FRUIT}/notifications", "add", url="https://seller.example/notifications")
    customer.open(f"{FRUIT}/notifications", "button[value=remove]")


def connect_addresses_refused(customer):
    sign_in(customer)
    page = customer.open(f"{FRUIT}/notifications")
    send(page, "add", url="ftp://seller.example")
    has_problems(page, 1)


def connect_secrets(customer):
    sign_in(customer)
    page = customer.open(f"{FRUIT}/secrets")
    if not count(page, ".copy pre"):
        send(page, "make")
    customer.sees(".copy pre")


def connect_no_contacts(customer):
    sign_in(customer)
    customer.open(f"{FRUIT}/contacts", "main .detail")


def connect_app_sells(customer):
    """An app with products for sale isn't removed."""
    sign_in(customer)
    page = customer.open(FRUIT)
    send(page, "change", state="removed")
    has_problems(page, 1)


def connect_removed_app(customer):
    """An app without products leaves the list, and is found among the removed ones."""
    sign_in(customer)
    if "com.example.crate" not in forms(customer).page("/connect/apps?state=removed"):
        forms(customer).send(
            "/connect/apps", "register", name="Crate", bundle="com.example.crate", sku="C-1", locale="en_US")
        forms(customer).send(
            "/connect/apps/com.example.crate", "change", name="Crate", version="1", state="removed")
    assert "com.example.crate" not in forms(customer).page("/connect/apps"), "the list has the removed app"
    customer.open("/connect/apps?state=removed", ".list .name a")


PAGES = [
    connect_no_items, connect_items, connect_new_item, connect_item_refused, connect_item, connect_versions,
    connect_versions_refused, connect_store_page, connect_store_page_refused, connect_codes_of_app, connect_content,
    connect_content_refused, connect_reviews, connect_no_reviews, connect_review, connect_review_refused,
    connect_addresses, connect_addresses_refused, connect_secrets, connect_no_contacts, connect_app_sells,
    connect_removed_app,
]
