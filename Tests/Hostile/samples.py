# SPDX-License-Identifier: Apache-2.0
"""A valid message for every path and verb, with every field that it can have.

`test_completeness.py` compares them with the sources. Strings in angle brackets are filled in by `targets.py`.
"""

import base64
import itertools
import time
import uuid

from harness import BUNDLE, PEAR, SEEDS
from swift_sources import account_switches

POSITION = {"account": "<account>", "number": 0}
DISCOUNT = {"identifier": "offer", "keyIdentifier": "ABCDE12345", "nonce": "6fbf1f1c-7b43-4b2a-9c0a-4d2a4e1e7e55",
            "signature": "MEUCIQDx", "timestamp": 1700000000000, "token": "e30.e30.MEUCIQDx"}

# The base point of P-256 (SP 800-186, section 3.2.1.3), uncompressed, in base64.
P256_POINT = base64.b64encode(bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")).decode()

BASKET = f"{BUNDLE}.LargeBasket"  # a subscription

# 32 bytes from which the store derives codes.
SEED = base64.b64encode(bytes(range(32))).decode()

DEVICE = {
    "register": {},
    "products": {"bundleIdentifier": BUNDLE, "productIdentifiers": [SEEDS, PEAR], "languages": ["en_US", "de"]},
    "payments": {"requestIdentifier": "fresh", "bundleIdentifier": BUNDLE, "productIdentifier": SEEDS, "quantity": 1,
                 "applicationUsername": "customer", "simulatesAskToBuy": False, "discount": DISCOUNT,
                 "winBackOffer": "back", "introductoryOfferEligibility": "e30.e30.MEUCIQDx", "acceptsRunning": True,
                 "isWithdrawn": False},
    "finish": {"bundleIdentifier": BUNDLE, "transactionIdentifier": "<transaction>", "requestIdentifier": "fresh"},
    "restore": {"requestIdentifier": "fresh", "bundleIdentifier": BUNDLE,
                "page": 0},
    "receipt": {"requestIdentifier": "fresh", "bundleIdentifier": BUNDLE, "applicationVersion": "1.0",
                "mayAskToSignIn": True,
                "properties": {"isExpired": False, "isRevoked": False, "isVolumePurchase": False}},
    "transaction-receipts": {"bundleIdentifier": BUNDLE, "applicationVersion": "1.0",
                             "transactions": ["<transaction>"]},
    "signed-transactions": {"bundleIdentifier": BUNDLE, "applicationVersion": "1.0", "account": "<account>",
                            "after": "1_2000000000000000"},
    "queue": {"bundleIdentifier": BUNDLE, "position": POSITION, "takesPages": True, "after": POSITION,
              "until": POSITION},
    "sign-out": {"requestIdentifier": "fresh"},
    "content": {"transaction": "<content>", "version": "1.0"},
    "redemption": {"requestIdentifier": "fresh", "bundleIdentifier": BUNDLE},
    "price-consent": {"requestIdentifier": "fresh", "bundleIdentifier": BUNDLE},
    "account-page": {"bundleIdentifier": BUNDLE, "page": "refund", "transactionIdentifier": "<transaction>"},
    "item": {"item": 1001},
    "key-values": {"bundleIdentifier": BUNDLE, "writes": [{"key": "colour", "value": "cmVk", "sequence": 1}],
                   "position": POSITION},
}

# The message of the event stream, whose answer has no end.
EVENTS = {"apps": [{"bundleIdentifier": BUNDLE, "position": POSITION, "newsNumber": 0, "takesPages": True}]}

CONTROL = {
    "approve": {"transaction": "<transaction>"},
    "decline": {"transaction": "<transaction>"},
    "resolve": {"transaction": "<transaction>"},
    "refund": {"transaction": "<transaction>", "amount": "0.01", "identifier": "5e" * 16},
    "reverse-refund": {"transaction": "<transaction>", "identifier": "6f" * 16},
    "revoke": {"transaction": "<transaction>"},
    "requests": {"after": "2000000000000000"},
    "reset": {},
    "buy": {"email": "<subject>", "bundle": BUNDLE, "product": SEEDS, "quantity": 1, "request": "fresh",
            "accountToken": "6f1d3f9e-6a5b-4c0e-9d53-1f6a1d2c3b4a", "discount": DISCOUNT, "offer": "spring",
            "winBackOffer": "back"},
    "redeem": {"email": "<subject>", "bundle": BUNDLE, "code": "WELCOME", "request": "fresh"},
    "charges": {"transaction": "<transaction>"},
    "finish": {"transaction": "<transaction>"},
    "restore": {"email": "<subject>", "bundle": BUNDLE, "request": "fresh"},
    "choose-plan": {"transaction": "<transaction>", "product": BASKET},
    "share-subscription": {"transaction": "<transaction>", "isShared": True},
    "expire-subscription": {"transaction": "<transaction>"},
    "renew-subscription": {"transaction": "<transaction>"},
    "ask-refund": {"transaction": "<transaction>", "reason": "other", "comment": "It is sour."},
    "clear-purchases": {"email": "<subject>"},
    "rotate-certificates": {},
    "refund-requests": {"after": "5e" * 16},
    "approve-refund": {"request": "5e" * 16, "amount": "0.01"},
    "decline-refund": {"request": "5e" * 16},
    "notification-addresses": {},
    # An address of another app, at which nothing listens.
    "add-notification-address": {"url": "http://127.0.0.1:9/hostile", "bundle": "com.example.other", "version": 1},
    "remove-notification-address": {"url": "http://127.0.0.1:9/hostile", "bundle": "com.example.other"},
    "notifications": {"bundle": BUNDLE, "after": "unknown"},
    "show-notification": {"notification": "unknown"},
    "resend-notification": {"notification": "unknown"},
    "settle-notifications": {"bundle": BUNDLE, "limit": 0},
    "listen": {"listener": "5e" * 16, "bundle": BUNDLE, "limit": 0, "version": 2,
               "taken": [{"notification": "unknown", "result": "SUCCESS"}]},
    "trigger": {"type": "TEST", "bundle": BUNDLE, "email": "<subject>"},
    "stop-listening": {"listener": "5e" * 16, "bundle": BUNDLE},
    "delivery-modes": {},
    "set-delivery-mode": {"account": "<subject>", "isSentTwice": False, "isOutOfOrder": False, "delay": 0,
                          "isDropped": False, "failures": 0},
    "account": {"email": "<subject>", "storefront": "USA", "name": "Anna", "locale": "en_US",
                "passwordRule": "after-15-minutes", **{name: False for name in account_switches()}},
    "accounts": {"after": "<subject>"},
    "show-account": {"email": "<subject>"},
    "product": {"bundle": BUNDLE, "product": PEAR, "notSoldIn": ["JPN"]},
    "items": {"after": 1000},
    "add-item": {"item": 1001, "kind": "app", "bundle": "com.example.item", "seller": "Fruit Records",
                 "version": "1.0", "link": "https://seller.example/1001", "price": "0.99", "prices": {"DEU": "1.09"},
                 "notSoldIn": ["JPN"], "firstDay": "2026-11-01",
                 "texts": {"en_US": {"title": "Peel", "description": "A song."}},
                 "icon": "iVBORw0KGgo=", "screenshots": ["/9j/4A=="]},
    "promote-products": {"bundle": BUNDLE, "products": [PEAR]},
    "campaigns": {"seller": "Fruit Records", "after": "00"},
    "win-back": {"bundle": BUNDLE, "product": PEAR, "offer": "back", "priority": "high",
                 "conditions": {"paidMonths": 1, "leastLapsedMonths": 0, "mostLapsedMonths": 24, "waitMonths": 2}},
    "product-price": {"bundle": BUNDLE, "product": PEAR, "storefront": "JPN", "price": "1.99"},
    # Another app, so that no variation changes this one's prices.
    "schedule-price": {"bundle": "com.example.other", "product": PEAR, "storefront": "JPN", "price": "1.99",
                       "starts": "2026-03-01T00:00:00Z", "subscribers": "change", "consent": "needed"},
    "price-changes": {"bundle": BUNDLE, "product": PEAR},
    "cancel-price": {"change": "00" * 16},
    "ask-price-consent": {"transaction": "<transaction>", "price": "1.99"},
    "answer-price-consent": {"transaction": "<transaction>", "agrees": True},
    "add-account": {"email": "<subject>", "password": "secret", "storefront": "USA", "name": "Anna", "locale": "en"},
    "close-account": {"email": "unknown@example.com"},
    "payment-methods": {"email": "<subject>"},
    # Another account's, so that the other samples are charged by the standard method.
    "add-payment-method": {"email": "unknown@example.com", "card": "accepted", "isPreferred": True},
    "prefer-payment-method": {"email": "<subject>", "method": "unknown"},
    "remove-payment-method": {"email": "<subject>", "method": "unknown"},
    "family": {"email": "<subject>"},
    # Another account's, so that the subject's clock and its purchases stay its own.
    "begin-family": {"email": "unknown@example.com"},
    "add-family-member": {"email": "<subject>", "role": "adult", "organiser": "unknown@example.com"},
    "set-family-role": {"email": "<subject>", "role": "adult", "organiser": None},
    "remove-family-member": {"email": "<subject>"},
    "end-family": {"email": "unknown@example.com"},
    "payments": {},
    # Not pending, so that the other samples are charged immediately.
    "set-payment-answer": {"account": "<subject>", "answer": "authorise", "hasAction": False, "lifetime": 600,
                           "outcome": None, "delay": 0, "isSentTwice": False, "isOutOfOrder": False, "times": None,
                           "reason": None},
    "answer-payment": {"payment": "unknown", "isConfirmed": True},
    # Another app, so that no variation takes this one's products off sale. The file is "{}".
    "import-catalogue": {"bundle": "com.example.other", "name": "other.storekit", "contents": "e30=",
                         "overwritesEdits": False, "isTrial": True},
    "export-catalogue": {"bundle": BUNDLE},
    "subscription-contacts": {"bundle": BUNDLE, "after": {"transaction": "<transaction>", "shared": 1}},
    "clock": {"email": "<subject>"},
    # By nothing, so that the other samples see the same day.
    "move-clock": {"email": "<subject>", "to": None, "by": "0s", "toNextEvent": None, "speed": None},
    "subscriptions": {"email": "<subject>", "bundle": BUNDLE},
    "subscription-events": {"email": "<subject>", "after": [{"subscription": "<transaction>", "number": 1}],
                            "waits": True},
    "set-renewal": {"transaction": "<transaction>", "renews": False},
    "extend-subscription": {"transaction": "<transaction>", "days": 1, "reason": "outage", "identifier": "hostile"},
    "extend-subscribers": {"bundle": BUNDLE, "product": PEAR, "days": 1, "reason": "outage", "identifier": "hostile",
                           "after": "2000000000000000"},
    # Another app, so that no variation changes this one's.
    "set-grace-period": {"bundle": "com.example.other", "days": 16},
    "content": {"bundle": BUNDLE, "after": {"product": PEAR, "version": "1.0"}},
    "begin-content-upload": {"bundle": BUNDLE, "product": SEEDS, "version": "1.0", "bytes": 1000,
                             "checksum": "0a" * 32},
    "publish-content-upload": {"upload": "unknown"},
    "abandon-content-upload": {"upload": "unknown"},
    # A product without content, so that the addresses of another one's stay.
    "remove-content": {"bundle": BUNDLE, "product": SEEDS, "version": "1.0"},
    "keys": {},
    "register-key": {"key": "HOSTILE123", "name": "hostile", "publicKey": P256_POINT},
    "revoke-key": {"key": "HOSTILE123"},
    "teams": {"after": "a"},
    "add-team": {},
    "recover-team-user": {"email": "unknown@example.com"},
    "product-reviews": {},
    "agreement": {},
    "publish-agreement": {"text": "Sellers get 70 percent.", "days": 30},
    "team-agreements": {"after": "store"},
    "show-review": {"bundle": "com.example.unknown", "product": "unknown", "withScreenshot": True},
    "review-product": {"bundle": "com.example.unknown", "product": "unknown", "decision": "reject", "version": 1,
                       "reason": "The text is wrong."},
    "codes": {"bundle": BUNDLE},
    "create-codes": {"batch": "hostile", "bundle": BUNDLE, "product": SEEDS, "kind": "promo", "offer": None,
                     "name": "hostile", "size": 2, "limit": 1, "expires": None, "seed": SEED, "code": None},
    "redeemed-codes": {"batch": "hostile"},
    "revoke-codes": {"batch": "unknown"},
}

# The requests of the App Store Server API that have a body, by their routes.
SERVER = {
    "PUT /inApps/v1/transactions/:transaction/appAccountToken": {
        "appAccountToken": "6fbf1f1c-7b43-4b2a-9c0a-4d2a4e1e7e55"},
    "PUT /inApps/v1/transactions/consumption/:transaction": {
        "customerConsented": True, "consumptionStatus": 3, "platform": 2, "sampleContentProvided": False,
        "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 7, "playTime": 6, "lifetimeDollarsRefunded": 1,
        "lifetimeDollarsPurchased": 5, "userStatus": 4, "refundPreference": 2},
    "PUT /inApps/v2/transactions/consumption/:transaction": {
        "customerConsented": True, "deliveryStatus": "DELIVERED", "sampleContentProvided": True,
        "consumptionPercentage": 25000, "refundPreference": "GRANT_PRORATED"},
    "PUT /inApps/v1/subscriptions/extend/:transaction": {
        "extendByDays": 1, "extendReasonCode": 3, "requestIdentifier": "fresh"},
    "POST /inApps/v1/subscriptions/extend/mass": {
        "extendByDays": 1, "extendReasonCode": 3, "requestIdentifier": "758883e8-151b-47b7-abd0-60c4d804c2f5",
        "productId": BASKET, "storefrontCountryCodes": ["USA"]},
    # A type and a transaction exclude one another.
    "POST /inApps/v1/notifications/history": {
        "startDate": int(time.time() - 86_400) * 1000, "endDate": 4000000000000, "notificationType": "EXPIRED",
        "notificationSubtype": "VOLUNTARY", "onlyFailures": False},
}

# Requests to Connect's API. Its fields are those of the description.
CONNECT = {
    "POST /connect/v1/apps": {"bundle": "com.example.hostile", "name": "Hostile", "sku": "H-1", "locale": "en_US"},
    "PATCH /connect/v1/apps/:app": {"name": "Fruit"},
    "POST /connect/v1/apps/:app/products": {
        "product": "hostile.basket", "kind": "Auto-Renewable Subscription", "reference": "Basket", "tier": 1,
        "prices": {"DEU": "1.19"}, "exclusions": ["FRA"], "cleared": True, "family": False, "note": "A basket",
        "texts": {"en_US": {"title": "Basket", "description": "A basket"}}, "level": 1, "group": "",
        "newGroup": "Baskets", "period": "P1M"},
    "PATCH /connect/v1/apps/:app/products/:product": {
        "reference": "Kiwi", "tier": 2, "prices": {"DEU": "1.29"}, "exclusions": [], "cleared": True, "note": "A kiwi",
        "texts": {"en_US": {"title": "Kiwi", "description": "A kiwi"}}},
    "PATCH /connect/v1/apps/:app/store-page": {
        "link": "https://seller.example/fruit", "tier": 1, "prices": {"DEU": "1.19"}, "exclusions": ["FRA"],
        "firstDay": "2012-12-31", "texts": {"en_US": {"title": "Fruit", "description": "Apples"}}},
    "POST /connect/v1/apps/:app/versions": {"version": "3.2.1"},
    "POST /connect/v1/invitations": {"email": "hostile@example.com", "role": "support", "language": "en"},
    "PATCH /connect/v1/users/:user": {"role": "developer"},
    "POST /connect/v1/apps/:app/products/:product/offers": {
        "kind": "code", "identifier": "hostile", "mode": "free", "period": "P1M", "eligibility": ["new", "expired"],
        "stackable": False},
    "POST /connect/v1/apps/:app/codes": {
        "product": "kiwi", "name": "Hostile", "count": 2},
    "POST /connect/v1/apps/:app/products/:product/scheduled-prices": {
        "country": "DEU", "price": "1.39", "firstDay": "", "subscribers": "keep", "consent": "rule"},
    "POST /connect/v1/testers": {
        "email": "hostile.tester@example.com", "password": "correct horse", "name": "Anna", "storefront": "USA"},
    "PATCH /connect/v1/testers/:tester": {"name": "Anna", "storefront": "USA", "switches": {"asksToBuy": False}},
    "POST /connect/v1/testers/:tester/clock": {"by": "1d"},
    "POST /connect/v1/testers/:tester/requests/:transaction": {"decision": "decline"},
    "POST /connect/v1/testers/:tester/family/members": {"email": "nobody@example.com", "role": "child"},
    "POST /connect/v1/apps/:app/promotions": {"change": "add", "product": "kiwi"},
    "PUT /connect/v1/agreements/bank": {"holder": "Fruit", "iban": "DE89370400440532013000", "bic": ""},
    "PUT /connect/v1/agreements/tax": {
        "legalName": "Fruit", "address": "A street", "country": "DEU", "taxNumber": "12345"},
    "PUT /connect/v1/transactions/:transaction/refunds/:refund": {"amount": "0.01"},
    "POST /connect/v1/items": {
        "kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
        "prices": {"DEU": "3.99"}, "exclusions": ["JPN"],
        "texts": {"en_US": {"title": "A book", "description": "About fruit"}}},
    "PATCH /connect/v1/items/:item": {
        "kind": "book", "version": "1.1", "link": "https://seller.example/other", "price": "5.99",
        "prices": {"DEU": None}, "exclusions": [], "texts": {"de_DE": {"title": "Ein Buch", "description": ""}}},
    "POST /connect/v1/reviews/:app/:product/decision": {"decision": "reject", "reason": "It shows no kiwi."},
    # An address of the reserved port 9, to which nothing can be sent.
    "POST /connect/v1/apps/:app/notification-addresses": {
        "url": "http://127.0.0.1:9/hostile", "version": 2, "environment": "Sandbox"},
    "PUT /connect/v1/apps/:app/notification-addresses/:address": {
        "url": "http://127.0.0.1:9/replaced", "version": 1, "environment": "Sandbox"},
}
# Connect's requests whose body is a file, by the file.
CONNECT_FILES = {
    "PUT /connect/v1/apps/:app/file/comparison": b'{"products": [], "version": {"major": 2, "minor": 0}}',
    "PUT /connect/v1/apps/:app/table/comparison": b"product_id,price\r\n",
    **{f"PUT /connect/v1/apps/:app/{place}": b"\x89PNG\r\n\x1a\n" for place in (
        "icon", "products/:product/image", "products/:product/screenshot", "store-page/screenshots/:place")},
    **{f"PUT /connect/v1/items/:item/{place}": b"\x89PNG\r\n\x1a\n" for place in ("icon", "screenshots/:place")},
    "PUT /connect/v1/apps/:app/products/:product/content": b"OSKCONT1\0\0\0\2{}",
}

VERIFY_RECEIPT = {"receipt-data": "<receipt>", "password": "secret", "exclude-old-transactions": True}

FORM = {"decision": "buy", "email": "<email>", "password": "<password>", "shown": "990 USD", "change": "upgrade",
        "offer": "introductory free P1W 1 0 4990 USD ", "then": "4990 USD P1M from 1798612404551", "bonus": "P1W",
        "terms": "renewal=4990 USD P1M from 1798612404551",
        "share": "yes", "name": "Anna", "contactEmail": "<email>", "postcode": "1010", "subscription": "<transaction>",
        "product": PEAR, "code": "HOSTILECODE", "session": "5e" * 8, "device": "5e" * 16,
        "newPassword": "another horse",
        "rule": "always", "request": "<transaction>", "before": "<transaction>", "reason": "other",
        "comment": "It is sour.", "newEmail": "<email>", "method": "", "card": "accepted",
        "member": "member@example.com", "memberPassword": "wrong", "role": "child"}
REDEMPTION_FORM = {"decision": "check", "code": "HOSTILECODE", "email": "<email>", "password": "", "shown": "0 USD",
                   "change": "", "offer": ""}


def filled(value, known):
    """A sample with the values of this store in the place of angle brackets."""
    if isinstance(value, dict):
        return {key: filled(inner, known) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, known) for inner in value]
    if isinstance(value, str) and value.startswith("<"):
        return known[value.strip("<>")]
    return value


def fields(message, place=()):
    """Every place in a message and the value there: fields, first elements of lists, and their contents."""
    inner = message.items() if isinstance(message, dict) else enumerate(message[:1])
    for key, value in inner:
        yield (*place, key), value
        if isinstance(value, (dict, list)):
            yield from fields(value, (*place, key))


NUMBERS = itertools.count(1)


def fresh(message):
    """A copy with an unused request identifier, a UUID for a UUID, so that the store handles it as a new request."""
    if not message or "requestIdentifier" not in message:
        return message
    is_uuid = message["requestIdentifier"].count("-") == 4
    return {**message, "requestIdentifier": str(uuid.uuid4()) if is_uuid else f"fresh-{next(NUMBERS)}"}


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def without(message, place):
    """A copy that lacks one field."""
    return replaced(message, place, None, removes=True)


def replaced(message, place, value, removes=False):
    """A copy with another value at a place."""
    key, *rest = place
    copy = dict(message) if isinstance(message, dict) else list(message)
    if rest:
        copy[key] = replaced(copy[key], rest, value, removes)
    elif removes:
        del copy[key]
    else:
        copy[key] = value
    return copy


def name(place):
    return ".".join(map(str, place))
