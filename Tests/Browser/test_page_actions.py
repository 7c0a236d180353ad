# SPDX-License-Identifier: Apache-2.0
"""The keyboard, a network that is down, a dropped file and a narrow menu on the store's pages, in a real browser.

Screenshots are left in artifacts/pages.
"""

import pytest

import connect_pages
from customer import PATIENCE
from elements import count
from harness import BUNDLE
from processes import PASSWORD

pytestmark = [pytest.mark.xdist_group("pages"), pytest.mark.slow]


def test_buys_by_keyboard_alone(customer):
    page = customer.open(customer.sheet())
    page.wait_for_function("document.activeElement && document.activeElement.id === 'email'")
    page.keyboard.type(customer.email)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "password", "the password isn't behind the account"
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "buy", "Buy isn't behind the password"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "the focus can't be seen"
    page.keyboard.press("Enter")
    page.locator("h1#outcome", has_text="Purchased").wait_for()


def test_keeps_the_typed_values_when_the_network_is_down(customer):
    page = customer.open(customer.sheet())
    customer.fill("buy")
    customer.context.set_offline(True)
    page.locator("#buy").click()
    page.locator("#network", has_text="can't be reached").wait_for()
    assert page.locator("#password").input_value() == PASSWORD, "the password is gone"
    assert page.locator("#buy").is_enabled(), "the button can't be pressed again"
    customer.context.set_offline(False)
    page.locator("#buy").click()
    page.locator("h1#outcome", has_text="Purchased").wait_for()


def test_the_menu_of_connect_opens_by_keyboard(customer, artifacts):
    """The navigation of a narrow page, without JavaScript."""
    connect_pages.sign_in(customer)
    state = customer.context.storage_state()
    context = customer.shop.browser.new_context(
        java_script_enabled=False, storage_state=state, viewport={"width": 360, "height": 800}, locale="de-DE")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{customer.shop.store.url}/connect/users")
    summary = page.locator(".menu summary")
    height = page.locator("header.bar").bounding_box()["height"]
    assert height <= 120, f"the navigation takes {height} px"
    assert "Benutzer" in summary.inner_text(), f"the menu says {summary.inner_text()!r}"
    assert not page.locator("#sign-out").is_visible(), "the closed menu shows its contents"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.locator("summary:focus").count() == 1, "the menu isn't behind the name"
    page.keyboard.press("Enter")
    page.locator("#sign-out").wait_for()
    page.screenshot(path=artifacts / "menu-de-360-light.png")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/connect/apps")
    assert not page.locator("#sign-out").is_visible(), "the menu of another page is open"
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#sign-out").wait_for()
    assert not summary.is_visible(), "a wide page has a menu"
    context.close()


DROP = """([contents, name]) => {
    const area = document.querySelector("input[type=file]").closest("section");
    const dataTransfer = new DataTransfer();
    for (const text of contents) dataTransfer.items.add(new File([text], name, {type: "application/json"}));
    for (const type of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer});
        area.querySelector("h2").dispatchEvent(event);
        const isMarked = event.defaultPrevented && area.classList.contains("dropping");
        if (type === "dragover" && !isMarked) return "not marked";
    }
    return area.classList.contains("dropping") ? "still marked" : document.activeElement.value;
}"""


def test_a_storekit_file_is_dropped_on_its_page(customer):
    """The heading of the form takes one file; two at a time are left alone."""
    connect_pages.sign_in(customer)
    page = customer.open(f"{connect_pages.FRUIT}/file")
    if count(page, "button[value=discard]"):
        page = connect_pages.send(page, "discard")
    text = connect_pages.FILE.replace("PRODUCT", "com.example.fruit.loquat")
    assert page.evaluate(DROP, [[text, text], "two.storekit"]) != "upload", "two files were taken"
    assert page.evaluate("document.querySelector('input[type=file]').files.length") == 0, "two files are in the form"
    focus = page.evaluate(DROP, [[text], "dropped.storekit"])
    assert focus == "upload", f"after a drop the focus is at {focus!r}"
    page.keyboard.press("Enter")
    page.locator("button[value=apply]").wait_for()
    assert "dropped.storekit" in page.locator("main").inner_text(), "the page shows another file"
    assert "com.example.fruit.loquat" in page.locator("main").inner_text(), "the dropped product isn't shown"
    connect_pages.send(page, "discard")


def test_a_registered_product_is_sold(customer):
    """The steps of "iTunes Connect Metadata Setup": a product is registered by clicks and bought on a sheet."""
    connect_pages.sign_in(customer)
    page = customer.open("/connect")
    page.locator("nav a", has_text="Apps").click()
    page.locator(f".list a[href='/connect/apps/{BUNDLE}']").click()
    page.locator("a[href*='kind=Consumable']").click()
    connect_pages.send(page, "register", product="mango", reference="Mango", tier="1",
                       **{"title-en_US": "Mango", "description-en_US": "A mango"})
    page.locator("#notice").wait_for()
    status, answer = customer.device.products("mango")
    assert status == 200 and [product["title"] for product in answer["products"]] == ["Mango"], f"sold: {answer}"
    customer.buy_on_the_sheet("mango")
    assert customer.shop.charges(customer.email) == 1, "the registered product wasn't charged"
