# SPDX-License-Identifier: Apache-2.0
"""Uploads of a seller that would cost a store without limits much: a row for each element of docs/seller-costs.md.

A row has the name of the attack, the function that makes the bytes, the status, and a part of the answer that names the
limit. The next attack is one row.
"""

import json
import re
import struct
import zlib
from typing import Callable, NamedTuple

from connect_console import png
from swift_sources import text_of

MEGABYTE = 1 << 20


class Upload(NamedTuple):
    what: str
    contents: Callable[[], bytes]
    status: int = 400
    answer: str = ""


def file(**lists):
    return json.dumps(lists, separators=(",", ":")).encode()


def product(number, **fields):
    return {"productID": f"p{number}", "type": "Consumable", "displayPrice": "1"} | fields


def subscription(number=0, **fields):
    return product(number, type="RecurringSubscription", groupNumber=1, recurringSubscriptionPeriod="P1M") | fields


def groups(*subscriptions):
    return [{"id": "g", "subscriptions": list(subscriptions)}]


def offers(count, **fields):
    return [{"offerID": f"o{number}", "paymentMode": "free", "subscriptionPeriod": "P1W", "numberOfPeriods": 1}
            | fields for number in range(count)]


def texts(count, title="t"):
    return [{"locale": f"l{number}", "displayName": title, "description": "d"} for number in range(count)]


def honest_file():
    """A file of two megabytes that no limit refuses."""
    return file(products=[
        product(number, localizations=[
            {"locale": f"l{language}", "displayName": "x" * 30, "description": "y" * 30} for language in range(50)])
        for number in range(330)])


def countries():
    """The codes of all storefronts."""
    return re.findall(r"^ +([A-Z]{3}) [A-Z]{2} \d{6} ", text_of("StoreDomain", "Catalogue"), re.M)


def padded(before, filling, after="", size=2 * MEGABYTE):
    """A text of some bytes whose middle is repeated."""
    room = size - len(before) - len(after)
    return (before + (filling * (room // len(filling) + 1))[:room] + after).encode()


def nested(opening, closing, depth=400_000):
    return (b'{"settings": ' + opening * depth + b"0" + closing * depth + b"}")[:2 * MEGABYTE]


FILES = [
    Upload("10,001 products", lambda: file(products=[{}] * 10_001), answer="has 10001 entries, of at most 10000"),
    Upload("10,001 non-renewing products", lambda: file(nonRenewingSubscriptions=[{}] * 10_001),
           answer="has 10001 entries, of at most 10000"),
    Upload("10,001 groups", lambda: file(subscriptionGroups=[{}] * 10_001), answer="of at most 10000"),
    Upload("10,001 subscriptions of a group", lambda: file(subscriptionGroups=groups(*[{}] * 10_001)),
           answer="of at most 10000"),
    Upload("10,001 products in two lists", lambda: file(
        products=[product(number) for number in range(5001)],
        nonRenewingSubscriptions=[product(number, type="NonRenewingSubscription") for number in range(5001, 10_001)]),
        200, '"too-many"'),
    Upload("1001 groups", lambda: file(subscriptionGroups=[
        {"id": str(number), "subscriptions": []} for number in range(1001)]), 200, '"too-many-groups"'),
    Upload("51 languages of a product", lambda: file(products=[product(0, localizations=texts(51))]),
           answer="of at most 50"),
    Upload("101 languages", lambda: file(products=[
        product(number, localizations=[{"locale": f"l{number}", "displayName": "a", "description": "b"}])
        for number in range(101)]), 200, '"too-many-languages"'),
    Upload("351 win-back offers", lambda: file(subscriptionGroups=groups(subscription(winbackOffers=offers(351)))),
           answer="has 351 entries, of at most 350"),
    Upload("351 offers of other plans", lambda: file(subscriptionGroups=groups(
        subscription(adHocOffers=offers(351, billingPlanType="MONTHLY")))), answer="of at most 350"),
    Upload("11 promotional offers", lambda: file(subscriptionGroups=groups(subscription(adHocOffers=offers(11)))),
           answer="at most 10 of this kind"),
    Upload("11 offers of codes", lambda: file(subscriptionGroups=groups(
        subscription(codeOffers=offers(11)))), answer="at most 10 of this kind"),
    Upload("7 kinds of customers", lambda: file(subscriptionGroups=groups(subscription(codeOffers=offers(
        1, eligibility=["new"] * 7)))), answer="of at most"),
    Upload("a text of two megabytes", lambda: padded(
        '{"products": [{"productID": "p", "type": "Consumable", "displayPrice": "1", "referenceName": "', "x", '"}]}'),
        200, '"too-long"'),
    Upload("an identifier of 256 bytes", lambda: file(products=[product(0, productID="x" * 256)]),
           answer="longer than 255 bytes"),
    Upload("a language of 36 bytes", lambda: file(products=[product(0, localizations=[
        {"locale": "x" * 36, "displayName": "a", "description": "b"}])]), answer="is no language"),
    Upload("too many countries", lambda: file(products=[product(0, _openStoreKit={"notSoldIn": ["USA"] * 2000})]),
           answer="of at most"),
    Upload("a type of two megabytes", lambda: padded(
        '{"products": [{"productID": "p", "displayPrice": "1", "type": "', "&", '"}]}'), answer="is no product type"),
    Upload("a price of two million digits", lambda: padded(
        '{"products": [{"productID": "p", "type": "Consumable", "displayPrice": "', "9", '"}]}'), answer="is more than"),
    Upload("a country of two megabytes", lambda: padded(
        '{"products": [{"productID": "p", "type": "Consumable", "displayPrice": "1", "_openStoreKit": {"prices": {"',
        "<", '": "1"}}}]}'), answer="is no storefront"),
    Upload("an infinite level", lambda: b'{"subscriptionGroups": [{"id": "g", "subscriptions": [{"productID": "p", "type": '
           b'"RecurringSubscription", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", "groupNumber": 1e400}]}]}',
           answer="is not JSON"),
    Upload("a level of 30 digits", lambda: b'{"subscriptionGroups": [{"id": "g", "subscriptions": [{"productID": "p", '
           b'"type": "RecurringSubscription", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", "groupNumber": '
           + b"9" * 30 + b"}]}]}", answer="is not a whole number"),
    Upload("a level of two million digits", lambda: padded(
        '{"subscriptionGroups": [{"id": "g", "subscriptions": [{"productID": "p", "type": "RecurringSubscription", '
        '"displayPrice": "1", "recurringSubscriptionPeriod": "P1M", "groupNumber": ', "9", "}]}]}"), answer="is not JSON"),
    Upload("400,000 nested lists", lambda: nested(b"[", b"]"), answer="is not JSON"),
    Upload("nested objects", lambda: nested(b'{"":', b"}", 300_000), answer="is not JSON"),
    Upload("a key that is no key", lambda: file(subscriptionOffersKeyPair={"id": "k", "privateKey": "A" * MEGABYTE}),
           answer="P-256"),
    Upload("UTF-16", lambda: '{"products": []}'.encode("utf-16"), answer="UTF-8"),
    Upload("zeros", lambda: bytes(2 * MEGABYTE), answer="UTF-8"),
    Upload("a byte too many", lambda: padded('{"products": []}', " ", size=2 * MEGABYTE + 1), 413),
]

# These cost seconds.
LARGE_FILES = [
    Upload("320,000 countries", lambda: file(products=[
        product(number, _openStoreKit={"notSoldIn": countries()}) for number in range(1800)]), 200, '"too-large"'),
    Upload("180,000 prices", lambda: file(products=[
        product(number, _openStoreKit={"prices": dict.fromkeys(countries()[:100], "1")}) for number in range(1800)]), 200),
]

TABLES = [
    Upload("401 columns", lambda: ("product_id" + ",price" * 400 + "\r\n").encode(), 200, '"too-many-columns"'),
    Upload("10,002 rows", lambda: b"product_id\r\n" + b"x\r\n" * 10_001, 200, '"too-many-rows"'),
    Upload("a cell of 4001 bytes", lambda: b"product_id,reference_name\r\nx," + b"x" * 4001, 200, '"too-long"'),
    Upload("an open quotation mark", lambda: padded('product_id,"', "x"), 200, '"open-quote"'),
    Upload("two megabytes of quotation marks", lambda: padded('"', '"'), 200, '"too-long"'),
    Upload("two megabytes of separators", lambda: padded("product_id", ","), 200, '"too-many-columns"'),
    Upload("10,000 rows of 200 cells", lambda: b"product_id\r\n" + (b"x" + b"," * 200 + b"\r\n") * 10_000, 200,
           '"unknown-product"'),
    Upload("400 unknown columns of 4000 bytes", lambda: ",".join(
        f"{number:0>4000}" for number in range(400)).encode(), 200, '"unknown-column"'),
    Upload("zeros", lambda: bytes(2 * MEGABYTE), answer="UTF-8"),
    Upload("a byte too many", lambda: padded("product_id\n", "x", size=2 * MEGABYTE + 1), 413),
]

LARGE_TABLES = [
    Upload("two megabytes of empty lines", lambda: padded("product_id\n", "\n"), 200),
    Upload("two megabytes of carriage returns", lambda: padded("product_id\r", "\r"), 200),
]

BODIES = [
    Upload("30,000 nested lists", lambda: b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", answer="JSON object"),
    Upload("nested objects", lambda: b'{"name":' * 5000 + b"1" + b"}" * 5000, answer="JSON object"),
    Upload("9000 unknown fields", lambda: json.dumps(dict.fromkeys(map(str, range(9000)), 0)).encode()[:64 << 10],
           answer="JSON object"),
    Upload("5000 unknown fields", lambda: json.dumps(dict.fromkeys(map(str, range(5000)), 0)).encode(), answer="unknown"),
    Upload("a field twice", lambda: b'{"name": "a", "name": "b"}', answer="JSON object"),
    Upload("a number of 60,000 digits", lambda: b'{"name": ' + b"9" * 60_000 + b"}", answer="malformed"),
    Upload("an infinite number", lambda: b'{"name": 1e999999999}', answer="malformed"),
    Upload("a name of 60,000 characters", lambda: b'{"name": "' + b"x" * 60_000 + b'"}', answer="name"),
    Upload("a byte too many", lambda: b'{"name": "' + b"x" * (64 << 10) + b'"}', 413),
]

CHUNK = struct.pack(">I4sI", 0, b"abCd", zlib.crc32(b"abCd"))
PICTURE = png(1024, 1024)
END = PICTURE[-12:]

IMAGES = [
    Upload("bytes after the end", lambda: PICTURE + b"PK\3\4" + bytes(1000), answer="malformed"),
    Upload("400,000 chunks", lambda: PICTURE[:33] + CHUNK * 400_000 + END, answer="malformed"),
    Upload("a chunk of four gigabytes", lambda: PICTURE[:33] + b"\xff\xff\xff\xffIDAT" + bytes(1000), answer="malformed"),
    Upload("sides of two billion", lambda: png(0x7fffffff, 0x7fffffff), answer="wrong-size"),
    Upload("a ZIP file", lambda: b"PK\3\4" + bytes(MEGABYTE), answer="malformed"),
    Upload("an SVG", lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>', answer="malformed"),
    Upload("a byte too many", lambda: bytes(5 * MEGABYTE + 1), 413),
]

LARGE_IMAGES = [
    Upload("a million JPEG segments", lambda: b"\xff\xd8" + b"\xff\xe0\0\2" * (5 * MEGABYTE // 4 - 1), answer="malformed"),
    Upload("five megabytes of fill bytes", lambda: b"\xff\xd8" + b"\xff" * (5 * MEGABYTE - 2), answer="malformed"),
]

def entry(path, size=1):
    return {"path": path, "size": size, "sha256": "0" * 64}


def manifest(*files, **fields):
    """The head of a package whose files are missing."""
    message = {"product": "p", "version": "1", "files": [entry("ContentInfo.plist"), *files]} | fields
    return head(json.dumps(message, separators=(",", ":")).encode())


def head(contents, length=None):
    return b"OSKCONT1" + struct.pack(">I", len(contents) if length is None else length) + contents


PACKAGES = [
    Upload("a ZIP file", lambda: b"PK\3\4" + bytes(MEGABYTE), answer="not-package"),
    Upload("a manifest of four gigabytes", lambda: head(b"{", 0xffffffff), answer="file-too-large"),
    Upload("a manifest that breaks off", lambda: head(b"{" * 1000, 2000), answer="ends in its head"),
    Upload("nested lists", lambda: head(b"[" * MEGABYTE), answer="can't be read"),
    Upload("nested objects", lambda: head(b'{"files":' * 200_000), answer="can't be read"),
    Upload("a path out of its folder", lambda: manifest(entry("Contents/../../etc/passwd")), answer="leaves its folder"),
    Upload("an absolute path", lambda: manifest(entry("/etc/passwd")), answer="empty name"),
    Upload("a path of 40 folders", lambda: manifest(entry("Contents/" + "a/" * 40 + "b")), answer="deeper than"),
    Upload("a path of 1025 bytes", lambda: manifest(entry("Contents/" + "a/" * 508)), answer="1024 bytes"),
    Upload("a size of eight exabytes", lambda: manifest(entry("Contents/a", 2 ** 63 - 1)), answer="from 0 to 2147483648"),
    Upload("a size beyond all numbers", lambda: manifest(entry("Contents/a", 10 ** 40)), answer="can't be read"),
    Upload("a size below zero", lambda: manifest(entry("Contents/a", -1)), answer="from 0 to"),
    Upload("four gigabytes in three files", lambda: manifest(*(entry(f"Contents/{name}", 2 ** 31 - 1) for name in "abc")),
           answer="file-too-large"),
    Upload("a path twice", lambda: manifest(entry("Contents/a"), entry("Contents/a")), answer="Two files"),
    Upload("a file that is a folder", lambda: manifest(entry("Contents/a"), entry("Contents/a/b")), answer="is a file"),
    Upload("100,001 files", lambda: head(json.dumps({"product": "p", "version": "1", "files": [
        entry("ContentInfo.plist"), *(entry(f"Contents/{number:06}") for number in range(100_000))]},
        separators=(",", ":")).encode()), answer="file-too-large"),
]

