# SPDX-License-Identifier: Apache-2.0
"""Attacks of sellers on the limits of docs/seller-costs.md: a row for each. The next attack is one row."""

import json
import uuid
from typing import Callable, NamedTuple
from urllib.parse import quote

import pytest

from selling import Seller
from upload_attacks import honest_file


def soak(row):
    """A row that is too long for each change."""
    return pytest.param(row, marks=pytest.mark.soak, id=row.what)


def rows(*table):
    """The parameters of a test, named after the rows."""
    return [row if hasattr(row, "marks") else pytest.param(row, id=row.what) for row in table]


class Places(NamedTuple):
    """Requests of some teams that wait for the database together. `held` of them have a place. Of those, `refused_later` are
    refused by another limit, and the answers to the others are `different` ones at most."""

    what: str
    teams: int
    requests: Callable[[list[Seller]], list[bytes]]
    held: int
    refused_later: int = 0
    different: int = 1000


def versions(seller, key, count):
    return [seller.api("POST", "apps/:app/versions", {"version": f"1.{uuid.uuid4().int % 10 ** 12}"}, key)
            for _ in range(count)]


def account_tokens(seller, count):
    return [seller.server("PUT", f"v1/transactions/{seller.transaction}/appAccountToken",
                          {"appAccountToken": str(uuid.uuid4())}) for _ in range(count)]


def comparisons(seller, count):
    return [seller.api("PUT", "apps/:app/table/comparison?name=t", b"product_id\r\n") for _ in range(count)]


def mass_extensions(seller, count):
    return [seller.server("POST", "v1/subscriptions/extend/mass", {
        "extendByDays": 1, "extendReasonCode": 3, "requestIdentifier": str(uuid.uuid4()),
        "productId": f"{seller.plans}{number}"}) for number in range(count)]


def test_notifications(seller, count):
    seller.accepted(seller.api("POST", "apps/:app/notification-addresses", {
        "url": "https://seller.example/", "version": 2, "environment": "Sandbox"}))
    return [seller.server("POST", "v1/notifications/test") for _ in range(count)]


PLACES = rows(
    Places("a user of Connect", 1, lambda teams: versions(teams[0], "connect", 12), 8),
    Places("a team of Connect", 1, lambda teams: [
        request for key in ("connect", "connect 2", "connect 3") for request in versions(teams[0], key, 8)], 16),
    Places("files of a team", 1, lambda teams: comparisons(teams[0], 4), 1),
    Places("files of all teams", 3, lambda teams: [one for team in teams for one in comparisons(team, 2)], 2),
    Places("servers of a team", 1, lambda teams: account_tokens(teams[0], 40), 32),
    Places("extensions of all subscribers", 1, lambda teams: mass_extensions(teams[0], 25), 25, 5),
    Places("tests of notifications", 1, lambda teams: test_notifications(teams[0], 20), 20, different=1),
    soak(Places("all users of Connect", 5, lambda teams: [
        request for team in teams for key in ("connect", "connect 2") for request in versions(team, key, 8)], 64)),
    soak(Places("all servers", 5, lambda teams: [one for team in teams for one in account_tokens(team, 32)], 128)),
)


class Filling(NamedTuple):
    """Requests of which `limit` are carried out, and no more. `refusal` is a part of the next answer."""

    what: str
    limit: int
    request: Callable[[Seller, int], bytes]
    refusal: str


def api(method, path, tag='"1"', key="connect", **message):
    """Makes requests of messages; `{}` in a text of theirs is replaced by the number, `:product` by the product."""
    def request(seller, number=0):
        filled = {name: seller.path(value.replace("{}", str(number))) if isinstance(value, str) else value
                  for name, value in message.items()}
        return seller.api(method, path.replace("{}", str(number)), filled, key, [("If-Match", tag.format(number + 1))])
    return request


def waiting_file(seller, number):
    """A file that waits: two kinds for each of 26 apps."""
    app = f"{seller.app}.n{number // 2}"
    if number % 2 == 0:
        seller.register(app)
        return seller.api("PUT", f"apps/{app}/file/comparison", b"{}")
    return seller.api("PUT", f"apps/{app}/table/comparison", b"product_id\r\n")


FILLINGS = rows(
    Filling("notification addresses of an app", 20, api(
        "POST", "apps/:app/notification-addresses", url="https://seller.example/{}", version=2, environment="Sandbox"),
        "20 notification addresses"),
    Filling("files of a team that wait", 50, waiting_file, "50 files of your team wait"),
    Filling("promo codes of a product", 4, api("POST", "apps/:app/codes", product=":product", name="Press", count=25),
            "promo codes"),
    Filling("code offers of a product", 10, api(
        "POST", "apps/:app/products/:product/offers", kind="code", identifier="offer{}", mode="free",
        tag='"{}"'), "10"),
    Filling("open invitations of a team", 50, api("POST", "invitations", email="user{}@example.com", role="support"),
            "50"),
    soak(Filling("apps of a team", 499, api(
        "POST", "apps", bundle="com.example.many{}", name="Many {}", sku="S{}", locale="en_US"), "500")),
    soak(Filling("versions of an app", 500, api("POST", "apps/:app/versions", version="3.{}"), "500")),
    soak(Filling("items of a team", 1000, api("POST", "items", kind="book", version="1.0", link="https://seller.example/",
                                              price="0.99", texts={"en_US": {"title": "B", "description": "A"}}), "1000")),
)


class Rate(NamedTuple):
    """Requests that are sent one after another. Of `burst` seconds' requests all are answered, and then some each second.
    The numbers are multiples of `storectl serve --server-api-rate`."""

    what: str
    request: Callable[[Seller, int], bytes]
    burst: int
    per_second: int


def purchase(app):
    return lambda seller, number: seller.server("GET", "v1/transactions/1", app=app(seller, number))


RATES = rows(
    Rate("an app's servers", purchase(lambda seller, number: seller.app), 2, 1),
    Rate("a team's servers", purchase(lambda seller, number: seller.others[number % len(seller.others)]), 4, 2),
    Rate("a team's programs", lambda seller, number: seller.api("GET", "team"), 2, 1),
)


class Refusal(NamedTuple):
    """One request beyond a limit, the status of its answer, and a part of it."""

    what: str
    request: Callable[[Seller], bytes]
    status: int
    answer: str


def texts(count, length=1):
    return {f"l{number}": {"title": "t" * length, "description": "d"} for number in range(count)}


REFUSALS = [
    Refusal("25,001 codes", api("POST", "apps/:app/codes", product=":product", name="All", offer="o", count=25_001), 400,
            '"count"'),
    Refusal("101 promo codes", api("POST", "apps/:app/codes", product=":product", name="All", count=101), 400, '"count"'),
    Refusal("a number of codes beyond all numbers", lambda seller: seller.api(
        "POST", "apps/:app/codes", b'{"name": "All", "count": %s}' % (b"9" * 60_000)), 400, '"count"'),
    Refusal("a word for a million and one", api(
        "POST", "apps/:app/codes", product=":product", name="W", offer="o", word="SUMMERTIME", limit=1_000_001), 400, '"limit"'),
    Refusal("a price in three years", api(
        "POST", "apps/:app/products/:product/scheduled-prices", country="DEU", price="1", firstDay="2999-01-01"), 400,
        '"firstDay"'),
    Refusal("a price of 30,000 digits", api(
        "POST", "apps/:app/products/:product/scheduled-prices", country="DEU", price="9" * 30_000), 400, '"price"'),
    Refusal("an address of 1025 bytes", api(
        "POST", "apps/:app/notification-addresses", url="https://a.example/" + "x" * 1010, version=2,
        environment="Sandbox"), 400, "1024"),
    Refusal("a version of 19 characters", api("POST", "apps/:app/versions", version="1." + "1" * 17), 400, '"version"'),
    Refusal("a product with 700 languages", api(
        "POST", "apps/:app/products", product="p", kind="Consumable", reference="P", tier=1, texts=texts(700)), 400,
        "texts"),
    Refusal("prices of 5000 countries", api(
        "POST", "apps/:app/products", product="p", kind="Consumable", reference="P", tier=1,
        prices={f"C{number}": "1" for number in range(4000)}), 400, "prices"),
    Refusal("an item with 700 languages", api(
        "POST", "items", kind="book", version="1", link="https://a.example/", price="1", texts=texts(700)), 400, "texts"),
    Refusal("a ninth screenshot", lambda seller: seller.api(
        "PUT", "apps/:app/store-page/screenshots/9", b"\x89PNG\r\n\x1a\n"), 404, "places 1 to 8"),
    Refusal("a search of nine words", lambda seller: seller.api("GET", "log?search=" + "a+" * 9), 400, "8"),
    Refusal("a search of 30,000 bytes", lambda seller: seller.api("GET", "apps?search=" + "a" * 30_000), 400, "200"),
    Refusal("a search of 1000 marks", lambda seller: seller.api("GET", "testers?search=" + quote("%_" * 1000)), 400, "200"),
    Refusal("101 products of a history", lambda seller: seller.server(
        "GET", "v2/history/1?" + "&".join(f"productId=p{number}" for number in range(101))), 400, "4000"),
    Refusal("a body of 16 KiB for a server", lambda seller: seller.server(
        "POST", "v1/notifications/history", b'{"startDate": 1, "paginationToken": "%s"}' % (b"x" * (16 << 10))), 400, "4000000"),
    Refusal("nested lists for a server", lambda seller: seller.server(
        "POST", "v1/notifications/history", b'{"startDate": ' + b"[" * 16_000 + b"}"), 400, "4000000"),
    Refusal("a date beyond all numbers", lambda seller: seller.server(
        "POST", "v1/notifications/history", b'{"startDate": 1e400, "endDate": %s}' % (b"9" * 400)), 400, "4000"),
    Refusal("an extension of 10^18 days", lambda seller: seller.server("POST", "v1/subscriptions/extend/mass", {
        "extendByDays": 10 ** 18, "extendReasonCode": 3, "requestIdentifier": str(uuid.uuid4()),
        "productId": f"{seller.plans}0"}), 400, "4000"),
    Refusal("an extension in 1500 countries", lambda seller: seller.server("POST", "v1/subscriptions/extend/mass", {
        "extendByDays": 1, "extendReasonCode": 3, "requestIdentifier": str(uuid.uuid4()),
        "productId": f"{seller.plans}0", "storefrontCountryCodes": [f"{number:03}" for number in range(1500)]}), 400, "4000"),
]


class Reading(NamedTuple):
    """A request that reads much. Of many that are sent together at most `answered` are answered, and the others refused."""

    what: str
    request: Callable[[Seller, str], bytes]
    answered: int = 32
    begin: Callable[[Seller], None] = lambda seller: None


def with_codes(seller):
    """Makes a batch of as many codes as one may have."""
    if not seller.codes:
        seller.accepted(api("POST", "apps/:app/products/:product/offers", kind="code", identifier="all", mode="free")(seller))
        made = seller.accepted(api(
            "POST", "apps/:app/codes", product=":product", name="All", offer="all", count=25_000)(seller))
        seller.codes = made.json["batch"]


def with_many_products(seller):
    """Imports two megabytes."""
    if not seller.is_full:
        seller.add_products(**json.loads(honest_file()))
        seller.is_full = True


# As many as have a place, and those that begin when one of them is over.
WHOLE = 6
READINGS = rows(
    Reading("the codes of a batch", lambda seller, key: seller.api(
        "GET", f"apps/:app/codes/{seller.codes}/codes", key=key), WHOLE, with_codes),
    soak(Reading("the codes of a batch as a table", lambda seller, key: seller.api(
        "GET", f"apps/:app/codes/{seller.codes}/codes", key=key, headers=[("Accept", "text/csv")]), WHOLE, with_codes)),
    soak(Reading("new codes", lambda seller, key: api(
        "POST", "apps/:app/codes", product=":product", name="All", offer="all", count=25_000, key=key)(seller), WHOLE,
        with_codes)),
    soak(Reading("the app's file", lambda seller, key: seller.api("GET", "apps/:app/file", key=key), WHOLE,
                 with_many_products)),
    soak(Reading("the app's table", lambda seller, key: seller.api("GET", "apps/:app/table", key=key), WHOLE,
                 with_many_products)),
    soak(Reading("products that are searched for", lambda seller, key: seller.api(
        "GET", "apps/:app/products?search=a+b+c+d+e+f+g+p", key=key), begin=with_many_products)),
    soak(Reading("the checklist", lambda seller, key: seller.page("apps/:app/checklist"), begin=with_many_products)),
    Reading("the contacts", lambda seller, key: seller.page("apps/:app/contacts/download")),
    Reading("the live page", lambda seller, key: seller.page("live")),
    Reading("the transactions", lambda seller, key: seller.api("GET", "transactions?search=stranger@example.com", key=key)),
    Reading("the history", lambda seller, key: seller.server("GET", f"v2/history/{seller.transaction}")),
    Reading("the statuses", lambda seller, key: seller.server("GET", f"v1/subscriptions/{seller.transaction}")),
)
