# SPDX-License-Identifier: Apache-2.0
"""The pages of Connect, each as a function that shows it to a person without an account in the store."""

import base64
import hashlib
import hmac
import re
import struct
import time

import elements
from connect_forms import Forms
from elements import count, text, value
from harness import BUNDLE, SEEDS
from processes import wait_until

HOLDER = "holder@example.com"
PASSWORD = "correct horse battery"


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
    """Fills in fields of a form, and presses its button."""
    elements.press(page, f"main form button[value='{decision}']", fields)
    return page


def has_problems(page, number):
    """Requires a problem beside each of as many fields."""
    assert count(page, "p.problem") == number, "the problems aren't beside their fields"


def set_up(customer):
    """The set-up, with fields that can't be saved; of the language that comes first. Others see the refused address."""
    address = set_up_address(customer.shop.store)
    customer.open(address)
    if count(customer.page, "input[name=team]"):
        send(customer.page, "save", team="", email="nobody", name="Hilda Holder", newPassword="short")
        has_problems(customer.page, 3)


def type_password(customer):
    """Signs in on the page; the first one sets Connect up."""
    page = customer.open("/connect/sign-in")
    send(page, "sign-in", email=HOLDER, password=PASSWORD)
    if count(page, "#message"):
        customer.open(set_up_address(customer.shop.store))
        send(page, "save", team="Fruit & Flowers", email=HOLDER, name="Hilda Holder", newPassword=PASSWORD)
    assert count(page, "#sign-out"), "the sign-in failed"


def sign_in(customer):
    """Signs in with the session of the shop's first sign-in, which saves the password's hash and two pages."""
    if not customer.shop.connect_session:
        type_password(customer)
        customer.shop.connect_session = customer.context.cookies()
    customer.context.add_cookies(customer.shop.connect_session)


def forms(customer):
    """The forms of the signed-in user, which prepare a page."""
    sign_in(customer)
    return forms_of_session(customer, customer.shop.connect_session)


def forms_of_session(customer, cookies):
    return Forms(customer.shop.store, "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies))


def invite(customer, email, role="developer"):
    """Returns the address of the invitation."""
    shown = forms(customer).send("/connect/users", "invite", email=email, role=role, password=PASSWORD)
    return re.search(r"http\S+/connect/invitation/\w+", shown).group()


def connect_sign_in(customer):
    type_password(customer)
    customer.page.evaluate("document.querySelector('.menu').open = true")
    elements.press(customer.page, "#sign-out")
    send(customer.page, "sign-in", email=HOLDER, password="wrong")
    customer.sees("#message")


def connect_users(customer):
    email = f"{customer.language}.joins@example.com"
    if email not in forms(customer).page("/connect/users"):
        address = invite(customer, email, "marketing")
        Forms(customer.shop.store).send(address, "save", name="Marta Marketing", newPassword=PASSWORD)
    invite(customer, f"{customer.language}.waits@example.com", "account-holder")
    customer.open("/connect/users", "button[value=revoke]")


def connect_invited(customer):
    sign_in(customer)
    page = customer.open("/connect/users")
    send(page, "invite", email=f"{customer.language}.invited@example.com", role="developer", password=PASSWORD)
    customer.sees(".copy pre")


def connect_invitation(customer):
    customer.open(invite(customer, f"{customer.language}.opens@example.com"), "input[name=name]")


def connect_user(customer):
    connect_users(customer)
    customer.page.locator(".list .name a", has_text="Marta").first.click()
    customer.sees("button[value=remove]")


def connect_roles(customer):
    sign_in(customer)
    customer.open("/connect/roles", "table")


def connect_keys(customer):
    if not forms(customer).shows("/connect/keys", "revoke"):
        forms(customer).send("/connect/keys", "make", name="Server of the fruit shop", purpose="in-app-purchase",
                             password=PASSWORD)
    customer.open("/connect/keys", "button[value=revoke]")


def connect_key_made(customer):
    sign_in(customer)
    send(customer.open("/connect/keys"), "make", name=f"CI {customer.language}", purpose="connect", role="developer",
         password=PASSWORD)
    assert "BEGIN PRIVATE KEY" in text(customer.page, ".copy pre"), "the private key isn't shown"


def connect_log(customer):
    connect_users(customer)
    customer.open("/connect/log?q=example", ".list li")


def connect_account(customer):
    if forms(customer).shows("/connect/account", "codes-begin"):
        forms(customer).send("/connect/account", "codes-begin", password=PASSWORD)
    customer.open("/connect/account", "button[value=codes-use]")


def connect_codes(customer):
    """The recovery codes, after which the app is turned off again."""
    connect_account(customer)
    page = customer.page
    secret = text(page, ".copy pre").strip()
    send(page, "codes-use", code=code_of(secret))
    customer.sees(".copy pre")
    codes = text(page, ".copy pre").split()
    assert len(codes) == 10, f"there are {len(codes)} recovery codes"
    other = forms_of_session(customer, [])
    other.send("/connect/sign-in", "sign-in", email=HOLDER, password=PASSWORD, code=codes[0])
    other.send("/connect/account", "codes-end", password=PASSWORD)
    assert other.shows("/connect/account", "codes-begin"), "the app isn't turned off"


def connect_refused(customer):
    """The sign-in in the place of a page."""
    customer.open("/connect/users", "form:has(input[name=next])")


# The page of the app that the store's file has.
FRUIT = f"/connect/apps/{BUNDLE}"


def connect_apps(customer):
    if "com.example.basket" not in forms(customer).page("/connect/apps"):
        forms(customer).send(
            "/connect/apps", "register", name="Basket", bundle="com.example.basket", sku="B-1", locale="en_US")
    customer.open("/connect/apps", ".list .name a")


def connect_apps_sorted(customer):
    """The order is chosen by keyboard."""
    connect_apps(customer)
    page = customer.page
    page.evaluate("document.querySelectorAll('.sorting a')[2].focus()")
    page.keyboard.press("Enter")
    customer.sees(".sorting li:nth-child(3) a[aria-current=true]")
    assert page.url.endswith("/connect/apps?sort=newest"), f"{page.url} isn't the address of the order"
    customer.sees(".list .name a")


def connect_apps_refused(customer):
    sign_in(customer)
    page = customer.open("/connect/apps")
    send(page, "register", name="B", bundle="com.example.*", sku="-")
    has_problems(page, 3)


def connect_app(customer):
    registered(customer, "papaya")
    customer.open(FRUIT, ".list .name a")


def connect_new_product(customer):
    sign_in(customer)
    customer.open(f"{FRUIT}/new-product?kind=Auto-Renewable%20Subscription")
    customer.sees("input[name=newGroup]")


def connect_new_product_refused(customer):
    sign_in(customer)
    page = customer.open(f"{FRUIT}/new-product?kind=Consumable")
    send(page, "register", product="no spaces", reference="", prices="DEU many")
    has_problems(page, 3)
    assert value(page, "textarea[name=prices]") == "DEU many", "a typed text was lost"


def registered(customer, identifier):
    """Registers a product if it isn't there, and returns the address of its page."""
    address = f"{FRUIT}/products/{identifier}"
    if not forms(customer).page(address):
        forms(customer).send(
            f"{FRUIT}/new-product?kind=Consumable", "register", product=identifier, reference="Papaya", tier="2",
            **{"title-en_US": "Papaya", "description-en_US": "A papaya"})
    return address


def connect_product(customer):
    customer.open(registered(customer, "papaya"), "button[value=save]")


def connect_product_missing(customer):
    """A product without a price, which the page says is missing."""
    address = f"{FRUIT}/products/priceless"
    if not forms(customer).page(address):
        forms(customer).send(
            f"{FRUIT}/new-product?kind=Non-Consumable", "register", product="priceless", reference="Priceless")
    customer.open(address, "button[value=save]")


def connect_product_of_both(customer):
    """Another user has saved other values since the page was opened."""
    address = registered(customer, f"papaya.{customer.language}")
    page = customer.open(address)
    forms(customer).send(address, "save", reference=f"Of the other user {time.time()}", tier="9")
    send(page, "save", reference="Mine", prices="DEU 1.19")
    assert count(page, "p.present") >= 2, "the saved values aren't beside the typed ones"
    assert value(page, "input[name=reference]") == "Mine", "the typed value was lost"


def bought(customer):
    """Buys on the customer's sheet, and returns the address of the newest transaction's page."""
    customer.buy(SEEDS)
    return forms(customer).first("/connect/transactions")


def connect_transactions(customer):
    bought(customer)
    customer.open("/connect/transactions", ".list .name a")


def connect_no_transactions(customer):
    sign_in(customer)
    customer.open("/connect/transactions?q=none", "main .detail")


def connect_transaction(customer):
    customer.open(bought(customer), ".side")


def connect_transaction_refused(customer):
    """A refund of more than is left, and then of a part."""
    page = customer.open(bought(customer))
    send(page, "refund", amount="1000")
    has_problems(page, 1)


def connect_refunded(customer):
    page = customer.open(bought(customer))
    send(page, "refund", amount="")
    customer.sees("#notice")


def tester(customer):
    """Adds a tester if it isn't there, and returns the address of its page."""
    email = f"{customer.language}.tester@example.com"
    found = f"/connect/testers?q={email}"
    if not forms(customer).entries(found):
        send(customer.open("/connect/testers"), "add", email=email, password="secret", name="Tess Tester",
             storefront="DEU")
    return forms(customer).first(found)


def connect_testers(customer):
    tester(customer)
    customer.open("/connect/testers", ".list .name a")


def connect_testers_refused(customer):
    sign_in(customer)
    page = customer.open("/connect/testers")
    send(page, "add", email="nobody", password="")
    has_problems(page, 2)


def connect_tester(customer):
    page = customer.open(tester(customer))
    if count(page, "button[value=family-begin]"):
        send(page, "family-begin")
    customer.sees("button[value=family-end]")


def connect_live(customer):
    """The script shows a purchase that is made after the page was opened."""
    sign_in(customer)
    page = customer.open("/connect/live")
    before = count(page, "#live li")
    wait_until("the page is live", lambda: text(page, "#live-state") != "")
    customer.sheet(SEEDS)
    wait_until("the new request is shown", lambda: count(page, "#live li") > before or before == 50)


def connect_checklist(customer):
    bought(customer)
    customer.open(f"{FRUIT}/checklist", ".list li")


def shown_changes(customer, place, name, contents):
    """Uploads a file by a page, which shows its changes."""
    if forms(customer).shows(f"{FRUIT}/{place}", "discard"):
        forms(customer).send(f"{FRUIT}/{place}", "discard")
    page = customer.open(f"{FRUIT}/{place}")
    form = page.locator("main form:has(button[value=upload])").first
    form.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": contents.encode()})
    form.locator("button[value=upload]").click()
    customer.sees("button[value=discard]")
    return page


# A file with a new product and one that Connect has not.
FILE = """{ "products" : [
  { "displayPrice" : "3.49", "familyShareable" : false, "internalID" : "77", "productID" : "com.example.fruit.quince",
    "referenceName" : "Quince", "type" : "Consumable", "localizations" : [
      { "description" : "A quince, ripe and ready to be cooked", "displayName" : "Quince", "locale" : "en_US" },
      { "description" : "Eine Quitte", "displayName" : "Quitte", "locale" : "de_DE" } ] },
  { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "78", "productID" : "PRODUCT",
    "referenceName" : "Other", "type" : "Consumable", "localizations" : [ ] } ],
  "version" : { "major" : 4, "minor" : 0 } }"""


def connect_file(customer):
    sign_in(customer)
    customer.open(f"{FRUIT}/file", "input[type=file]")


def connect_file_changes(customer):
    shown_changes(customer, "file", "fruit.storekit", FILE.replace("PRODUCT", "com.example.fruit.medlar"))
    customer.sees("button[value=apply]")


def connect_file_refused(customer):
    shown_changes(customer, "file", "fruit.storekit", FILE.replace("PRODUCT", "no spaces"))
    assert count(customer.page, "button[value=apply]") == 0, "a file with problems can be imported"


def connect_table(customer):
    registered(customer, "papaya")
    shown_changes(customer, "table", "prices.csv", "product_id,price,price:DEU\npapaya,5.55,4.44\n")
    customer.sees("button[value=apply]")


def connect_table_refused(customer):
    registered(customer, "papaya")
    shown_changes(customer, "table", "prices.csv", "product_id,price,name:en_US\npapaya,much,\nkiwi,1,\n")
    assert count(customer.page, "button[value=apply]") == 0, "a table with problems can be saved"


def subscription(customer):
    """Registers a subscription with a price if it isn't there, and returns the address of its offers."""
    if not forms(customer).page(f"{FRUIT}/products/orchard"):
        forms(customer).send(
            f"{FRUIT}/new-product?kind=Auto-Renewable%20Subscription", "register", product="orchard", tier="5",
            reference="Orchard", newGroup="Orchards", period="P1M",
            **{"title-en_US": "Orchard", "description-en_US": "Fruit every month"})
    return f"{FRUIT}/products/orchard/offers"


def offered(customer):
    """Adds an offer of each kind if they aren't there, and returns the address of their page."""
    place = subscription(customer)
    team = forms(customer)
    if not team.shows(place, "remove"):
        team.send(f"{place}?kind=introductory", "add", mode="free", period="P1W")
        team.send(
            f"{place}?kind=promotional", "add", reference="Loyal customers", identifier="loyal", mode="payAsYouGo",
            periods="3", price="1.99", prices="DEU 1.79")
        team.send(
            f"{place}?kind=code", "add", identifier="spring", mode="payUpFront", period="P3M", price="9.99")
        team.send(
            f"{place}?kind=win-back", "add", reference="Come back", identifier="back", mode="free", period="P1M",
            leastLapsedMonths="2", waitMonths="6")
    return place


def connect_offers(customer):
    page = customer.open(offered(customer))
    assert count(page, "button[value=remove]") == 4, "an offer of the four kinds is missing"


def connect_offer_refused(customer):
    page = customer.open(f"{subscription(customer)}?kind=code")
    send(page, "add", identifier="no spaces", mode="payAsYouGo", periods="99", price="much", new="no", existing="no",
         expired="no")
    has_problems(page, 4)
    assert value(page, "input[name=price]") == "much", "a typed value was lost"


def connect_offer_win_back(customer):
    customer.open(f"{subscription(customer)}?kind=win-back", "button[value=add]")


def connect_app_codes(customer):
    offered(customer)
    place = f"{FRUIT}/codes?product=orchard"
    if "/download" not in forms(customer).page(place):
        forms(customer).send(place, "draw", offer="", name="For the press", count="5")
        forms(customer).send(place, "draw", offer="spring", name="Letter in March", count="20")
        forms(customer).send(place, "revoke")
    page = customer.open(place)
    send(page, "word", name="", word="x", limit="0")
    has_problems(page, 3)


def connect_prices(customer):
    subscription(customer)
    place = f"{FRUIT}/products/orchard/prices"
    if not forms(customer).shows(place, "cancel"):
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 30 * 86_400))
        forms(customer).send(place, "schedule", price="5.99", firstDay=day, subscribers="change")
        forms(customer).send(place, "schedule", country="DEU", price="5.49", firstDay=day)
    page = customer.open(place)
    assert count(page, "button[value=cancel]") == 2, "the scheduled prices aren't shown"
    send(page, "schedule", country="XXX", price="much", firstDay="2020-01-01")
    has_problems(page, 3)


PAGES = [set_up, connect_sign_in, connect_users, connect_invited, connect_invitation, connect_user, connect_roles,
         connect_keys, connect_key_made, connect_log, connect_account, connect_codes, connect_refused, connect_apps,
         connect_apps_sorted, connect_apps_refused, connect_app,
         connect_new_product, connect_new_product_refused, connect_product, connect_product_missing,
         connect_product_of_both, connect_transactions, connect_no_transactions, connect_transaction,
         connect_transaction_refused, connect_refunded, connect_testers, connect_testers_refused, connect_tester,
         connect_live, connect_checklist, connect_file, connect_file_changes, connect_file_refused, connect_table,
         connect_table_refused, connect_offers, connect_offer_refused, connect_offer_win_back, connect_app_codes,
         connect_prices]
