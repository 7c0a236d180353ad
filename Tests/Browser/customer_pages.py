# SPDX-License-Identifier: Apache-2.0
"""The pages that a customer sees, each as a function that shows it to a customer who has bought nothing.

Requests prepare a page. The last form on the way to it is sent by the browser.
"""

from elements import press
from page_shop import BASKET, Customer
from processes import APPLE, ORANGE, PASSWORD, PEAR, SEEDS


def sheet(customer):
    customer.open(customer.sheet())


def sheet_with_terms(customer):
    customer.open(customer.sheet(BASKET))


def sheet_with_failure(customer):
    customer.open(customer.sheet())
    customer.press("buy", "#message", password="not the password")


def sheet_of_an_owned_product(customer):
    customer.buy()
    customer.open(customer.sheet(), "#note")


def sheet_of_a_child(customer):
    """A child that the store knew as a customer when the sheet was made; a known child's request needs no sheet."""
    customer.buy(SEEDS)
    address = customer.sheet()
    customer.shop.set(customer.email, "--ask-to-buy")
    customer.open(address, "#note")


def asked(customer):
    sheet_of_a_child(customer)
    customer.press("buy", "#outcome")


def purchased(customer):
    customer.buy_on_the_sheet()


def cancelled(customer):
    customer.open(customer.sheet())
    customer.press("cancel", "#outcome")


def declined(customer):
    customer.shop.answer(customer.email, "decline")
    customer.open(customer.sheet())
    customer.press("buy", "#message")


def step_at_the_bank(customer):
    customer.shop.answer(customer.email, "pending", "--action")
    customer.open(customer.sheet())
    customer.press("buy", "#action")


def bank(customer):
    step_at_the_bank(customer)
    customer.open(customer.page.evaluate("document.querySelector('#action').href"), "#confirm")


def unknown_sheet(customer):
    customer.open("/sheet/" + "0" * 64, "#outcome")


def purchases_before_the_sign_in(customer):
    customer.open("/account/purchases", "#sign-in")


def purchases(customer):
    customer.buy()
    customer.open_purchases()


def receipt(customer):
    customer.buy(BASKET)
    customer.open(customer.receipt())
    customer.press("sign-in", "#report")


def problem(customer):
    customer.buy()
    customer.open(customer.receipt() + "/problem")
    customer.press("sign-in", "#ask")


def problem_reported(customer):
    problem(customer)
    customer.press("ask", "#state", comment="It is sour.")


def subscriptions(customer):
    customer.buy(BASKET)
    customer.open("/account/subscriptions")
    customer.press("sign-in", "section.subscription")


def opened(name):
    """A page of the account, for a customer who has bought."""
    def show(customer):
        customer.buy()
        customer.open(f"/account/{name}")
        customer.press("sign-in", "main:not(:has(#sign-in))")
    show.__name__ = name
    return show


def family(customer):
    """The page of a parent whose child has asked to buy."""
    child = Customer(customer.shop, customer.language)
    child.buy(SEEDS)
    customer.shop.family("create", customer.email)
    customer.shop.family("add", customer.email, child.email, "--role", "child")
    status, answer = child.device.pay("asked", APPLE)
    assert status == 200 and answer["status"] == "deferred", f"the child's request was answered {status} {answer}"
    customer.open("/account/family")
    customer.press("sign-in", "section.request")


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
    customer.open(customer.sheet(), "#methods")
    customer.press("buy", "select#method")


def forgotten(customer):
    customer.open("/account/forgotten", "input[name=email]")


def link_ordered(customer):
    forgotten(customer)
    press(customer.page, "button.primary", {"email": customer.email})
    customer.sees("h1#outcome")


def new_password(customer):
    link_ordered(customer)
    customer.open(customer.shop.link("reset", customer.email), "input[name=newPassword]")


def password_set(customer):
    new_password(customer)
    press(customer.page, "button.primary", {"newPassword": "another horse"})
    customer.sees("h1#outcome")


def new_address(customer):
    """The page of the link that confirms an address."""
    opened("email")(customer)
    address = f"new-{customer.email}"
    press(customer.page, "button.primary", {"newEmail": address, "password": PASSWORD})
    customer.open(customer.shop.link("email", address), "button.primary")


def app_page(customer):
    """The public page of BuyFruit, with promoted products and those that were sold most often."""
    customer.buy(SEEDS)
    customer.shop.items()
    customer.shop.wait_for_sales()
    customer.open("/app/1001", "#promoted")
    customer.sees("#top")


def app_page_of_a_device(customer):
    """The page that BuyFruit opens on a device with its own order: no cache keeps it."""
    customer.shop.items()
    customer.open(f"/app/1001?order={APPLE}&show={SEEDS}&hide={ORANGE}&at=friends", "#promoted")
    assert f"order={APPLE}" in customer.page.url and "at=" not in customer.page.url, customer.page.url
    promoted = customer.page.evaluate(
        "[...document.querySelectorAll('#promoted ~ ul li a')].map((link) => link.href)")
    products = [address.rsplit("=", 1)[1] for address in promoted]
    assert products == [APPLE, PEAR, SEEDS], f"the device's page promotes {products}"


def item_page(customer):
    customer.shop.items()
    customer.open("/item/1002", "#order")


def item_bought(customer):
    item_page(customer)
    for button in ("order", "sign-in", "buy"):
        customer.press(button)
    customer.sees("a#open")


def item_owned(customer):
    item_bought(customer)
    customer.open("/item/1002")
    for button in ("order", "sign-in"):
        customer.press(button)
    customer.sees("a#open")


def receipt_of_an_item(customer):
    item_bought(customer)
    customer.open(customer.receipt())
    customer.press("sign-in", "a#open")


PAGES = [
    app_page, app_page_of_a_device, item_page, item_bought, item_owned, receipt_of_an_item,
    *(opened(name) for name in ("settings", "devices", "sessions", "password", "email", "delete")), family, payment,
    payment_before_the_first, choice_of_a_method, forgotten, link_ordered, new_password, password_set, new_address,
    sheet, sheet_with_terms, sheet_with_failure, sheet_of_an_owned_product, sheet_of_a_child, asked, purchased,
    cancelled, declined, step_at_the_bank, bank, unknown_sheet, purchases_before_the_sign_in, purchases, receipt,
    problem, problem_reported, subscriptions,
]
