# SPDX-License-Identifier: Apache-2.0
"""A browser at Connect, the set-up of its teams, and the products that they sell."""

import re
import struct
import zlib
from urllib.parse import urlencode, urlsplit

from harness import Device, answered, exchange, wait_until
from page_forms import MULTIPART, encoded
from processes import storectl

EMAIL, PASSWORD = "holder@example.com", "correct horse battery"
PRINTED = re.compile(r"Connect, where apps and products are registered, is set up at (\S+)")


class Console:
    """A browser at Connect, which keeps the session's cookie."""

    def __init__(self, store, cookie=""):
        self.store, self.cookie = store, cookie

    def send(self, path, form=None, origin=True):
        """Returns the status, the headers and the text of the answer."""
        headers = {"Cookie": self.cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            if origin:
                headers["Origin"] = self.store.url
        status, headers, contents = answered(
            self.store, "GET" if form is None else "POST", path, urlencode(form) if form else None, headers)
        if headers.get("Set-Cookie"):
            self.cookie = headers["Set-Cookie"].split(";")[0]
        return status, headers, contents.decode()

    def upload(self, path, contents, name="fruit.storekit", **fields):
        """Sends a form with a file, as a browser does."""
        body = encoded({**fields, "file": (name, contents)}, is_multipart=True)
        headers = {"Cookie": self.cookie, "Origin": self.store.url, "Content-Type": MULTIPART}
        return exchange(self.store, "POST", path, body, headers)

    def apply(self, path):
        """Decides for the changes that a page shows."""
        shown = self.send(path)[2]
        version = re.search(r'name="version" value="([0-9a-f]+)"', shown).group(1)
        return self.send(path, {"decision": "apply", "version": version})[0], shown

    def sign_in(self, **code):
        return self.send("/connect/sign-in", {"email": EMAIL, "password": PASSWORD, **code})[0]


def printed(store):
    """The set-up addresses that the store has printed since it began."""
    return PRINTED.findall(store.log.read_text())


def set_up(store):
    """The console of the account holder of the operator's team, which has no user yet."""
    address = wait_until("the set-up address is printed", lambda: (printed(store) or [None])[-1])
    assert address.startswith(store.url + "/connect/setup/"), f"the address is {address}"
    console = Console(store)
    status, _, text = console.send(
        urlsplit(address).path, {"team": "Fruit", "email": EMAIL, "name": "Holder", "newPassword": PASSWORD})
    assert status == 303 and console.cookie.startswith("connect_session="), f"the set-up was answered {status} {text}"
    return console


def added_team(store, email="flora@example.com"):
    """The console of the account holder of a team that isn't the operator's."""
    console = Console(store)
    path = urlsplit(storectl("team", "add", *store.where)).path
    status, _, text = console.send(path, {"team": "Flowers", "email": email, "name": "Flora", "newPassword": PASSWORD})
    assert status == 303, f"the team's set-up was answered {status} {text}"
    return console


def product_form(identifier, **fields):
    return {"decision": "register", "kind": "Consumable", "product": identifier, "reference": identifier, "tier": "1",
            "cleared": "yes", "title-en_US": identifier, "description-en_US": "A fruit", **fields}


def sold(store, *identifiers):
    """The products that the store sells to a new device, by their identifiers."""
    return sold_to(Device(store).register(), *identifiers)


def sold_to(device, *identifiers):
    status, answer = device.products(*identifiers)
    assert status == 200, f"the products were answered {status} {answer}"
    return {product["productIdentifier"]: product for product in answer["products"]}


def png(width, height, bulk=0):
    """An image of which a store reads the header, with `bulk` bytes that mean nothing."""
    def chunk(name, contents):
        return struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" * 100) + bytes(bulk)) + chunk(b"IEND", b""))
