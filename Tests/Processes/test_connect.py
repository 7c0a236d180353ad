# SPDX-License-Identifier: Apache-2.0
"""Connect of a running store: the printed set-up address, authenticator apps, and the operator's commands.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import hashlib
import http.client
import json
import re
import signal
import struct
import sys
import threading
import time
import zlib
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pyotp
from stdnum import iban

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import BUNDLE, Device, Store, expect, play_all, wait_until  # noqa: E402
from processes import storectl  # noqa: E402

EMAIL, PASSWORD = "holder@example.com", "correct horse battery"
PRINTED = re.compile(r"Connect, where apps and products are registered, is set up at (\S+)")


class Console:
    """A browser at Connect, which keeps the session's cookie."""

    def __init__(self, store):
        self.store, self.cookie = store, ""

    def send(self, path, form=None, origin=True):
        """Returns the status, the headers and the text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.store.port, timeout=30)
        headers = {"Cookie": self.cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            if origin:
                headers["Origin"] = self.store.url
        try:
            connection.request("GET" if form is None else "POST", path, urlencode(form) if form else None, headers)
            answer = connection.getresponse()
            if answer.headers.get("Set-Cookie"):
                self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def upload(self, path, form, field, contents):
        """Sends a form with a file, and returns the status and the text of the answer."""
        parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in form.items()]
        parts.append(f'Content-Disposition: form-data; name="{field}"; filename="../a.svg"\r\n'
                     "Content-Type: text/html\r\n\r\n".encode() + contents)
        body = b"".join(b"--fruit\r\n" + part + b"\r\n" for part in parts) + b"--fruit--\r\n"
        connection = http.client.HTTPConnection("127.0.0.1", self.store.port, timeout=30)
        headers = {"Cookie": self.cookie, "Origin": self.store.url, "Content-Type": "multipart/form-data; boundary=fruit"}
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def sign_in(self, **code):
        return self.send("/connect/sign-in", {"email": EMAIL, "password": PASSWORD, **code})[0]


def printed(store):
    """The set-up addresses that the store has printed since it began."""
    return PRINTED.findall(store.log.read_text())


def set_up(store):
    address = wait_until("the set-up address is printed", lambda: (printed(store) or [None])[-1])
    expect(address.startswith(store.url + "/connect/setup/"), f"the address is {address}")
    console = Console(store)
    status, _, text = console.send(
        urlsplit(address).path, {"team": "Fruit", "email": EMAIL, "name": "Holder", "newPassword": PASSWORD})
    expect(status == 303 and console.cookie.startswith("connect_session="), f"the set-up was answered {status} {text}")
    return console


def addresses(folder):
    """Each start prints another address until Connect has a user; each works until then, and none afterwards."""
    store = Store(folder)
    try:
        store.serve()
        wait_until("an address is printed", lambda: printed(store))
        store.stop()
        store.serve()
        wait_until("another address is printed", lambda: len(printed(store)) == 2)
        first, second = printed(store)
        expect(first != second, "two starts printed one address")
        for address in (first, second):
            status, _, _ = Console(store).send(urlsplit(address).path)
            expect(status == 200, f"an address was answered {status}")
        console = set_up(store)
        expect(console.send("/connect/users")[0] == 200, "the holder isn't signed in")
        status, _, _ = Console(store).send(urlsplit(first).path)
        expect(status == 404, f"an address after the set-up was answered {status}")
        store.stop()
        store.serve()
        expect(len(printed(store)) == 2, "a store with a user printed an address")
        expect(console.send("/connect/users")[0] == 200, "the session ended with the store")
    finally:
        store.stop()


def codes(folder):
    """pyotp reads the link for an authenticator app, and its codes sign in, each once."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        account = "/connect/account"
        expect(console.send(account, {"decision": "codes-begin", "password": PASSWORD})[0] == 303, "no secret")
        _, _, text = console.send(account)
        link = re.search(r'href="(otpauth://[^"]+)"', text).group(1).replace("&amp;", "&")
        app = pyotp.parse_uri(link)
        expect(app.name == EMAIL and app.issuer == "Connect Fruit", f"the link has {app.name} of {app.issuer}")
        typed = re.search(r"<pre>([A-Z2-7 ]+)\n?</pre>", text).group(1).replace(" ", "")
        expect(parse_qs(urlsplit(link).query)["secret"] == [typed], "the link and the text differ")
        status, _, text = console.send(account, {"decision": "codes-use", "code": "000000"})
        expect(status == 400, f"a wrong code was answered {status}")
        status, _, text = console.send(account, {"decision": "codes-use", "code": app.now()})
        recovery = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", text)
        expect(status == 200 and len(set(recovery)) == 10, f"the codes were answered {status} {text}")

        other = Console(store)
        expect(other.sign_in() == 401 and other.sign_in(code=recovery[0]) == 303, "a recovery code doesn't sign in")
        # The code of the next period is accepted already, and is none that was used.
        following = app.at(time.time() + 30)
        expect(other.sign_in(code=following) == 303, "a code of pyotp doesn't sign in")
        expect(other.sign_in(code=following) == 401, "a code signs in twice")
        expect(other.sign_in(code=recovery[0]) == 401, "a recovery code signs in twice")
    finally:
        store.stop()


def commands(folder):
    """The operator adds a team, lists teams, and lets a user in again, while the store runs and while it doesn't."""
    store = Store(folder)
    try:
        store.serve()
        holder = set_up(store)
        added = storectl("team", "add", *store.where)
        expect(added.startswith(store.url + "/connect/setup/"), f"team add printed {added}")
        other = Console(store)
        status, _, _ = other.send(urlsplit(added).path, {
            "team": "Flowers", "email": "flora@example.com", "name": "Flora", "newPassword": PASSWORD})
        expect(status == 303, f"the other team's set-up was answered {status}")
        teams = json.loads(storectl("team", "list", "--json", *store.where))
        expect(sorted(team["name"] for team in teams) == ["Flowers", "Fruit"], f"the teams are {teams}")
        expect("flora@example.com" not in holder.send("/connect/users")[2], "a team sees the users of another")
        store.stop()
        path = storectl("team", "recover", EMAIL, *store.where)
        expect(path.startswith("/connect/recovery/"), f"team recover printed {path}")
        store.serve()
        status, _, _ = Console(store).send(path, {"newPassword": "another long horse"})
        expect(status == 303, f"the new password was answered {status}")
        expect(holder.send("/connect/users")[0] == 403, "a session outlived the password")
        expect(Console(store).sign_in() == 401, "the old password signs in")
    finally:
        store.stop()


def killed(folder):
    """A store that is killed after an answer has kept it: the user, the invitation, and the log."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        form = {"decision": "invite", "email": "berta@example.com", "role": "admin"}
        _, _, text = console.send("/connect/users", form)
        path = re.search(r"/connect/invitation/[0-9a-f]+", text).group()
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        berta = Console(store)
        status, _, _ = berta.send(path, {"name": "Berta", "newPassword": PASSWORD})
        expect(status == 303, f"the invitation was answered {status}")
        log = berta.send("/connect/log")[2]
        expect(log.count("berta@example.com") >= 2 and EMAIL in log, "the log lacks the invitation")
    finally:
        store.stop()


def product_form(identifier, **fields):
    return {"decision": "register", "kind": "Consumable", "product": identifier, "reference": identifier, "tier": "1",
            "cleared": "yes", "title-en_US": identifier, "description-en_US": "A fruit", **fields}


def sold(store, *identifiers):
    status, answer = Device(store).register().products(*identifiers)
    expect(status == 200, f"the products were answered {status} {answer}")
    return {product["productIdentifier"]: product for product in answer["products"]}


def registered(folder):
    """A product of Connect is sold after its registration, survives the start with the file, and is taken off sale."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page = f"/connect/apps/{BUNDLE}"
        expect("mango" not in sold(store, "mango"), "a product is sold before its registration")
        status, headers, _ = console.send(f"{page}/new-product", product_form("mango"))
        expect(status == 303 and headers["Location"] == f"{page}/products/mango?done=product", f"answered {status}")
        expect(sold(store, "mango")["mango"]["milliunits"] == 990, "the product isn't sold for its price")
        console.send(f"{page}/new-product", product_form("priceless", tier=""))
        expect(not sold(store, "priceless"), "a product without a price is sold")
        store.stop()
        store.serve()
        expect("mango" in sold(store, "mango"), "the start with the file has changed the product")
        version = re.search(r'name="version" value="(\d+)"', console.send(f"{page}/products/mango")[2]).group(1)
        form = product_form("mango", decision="save", cleared="no", version=version)
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused")
        expect(not sold(store, "mango"), "a product that was taken off sale is sold")
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the same change again was refused")
        form["reference"] = "Of an old page"
        status, _, text = console.send(f"{page}/products/mango", form)
        expect(status == 409 and "Of an old page" in text, f"a change of an old page was answered {status}")
    finally:
        store.stop()


def killed_while_registering(folder):
    """A store that is killed while products are registered and changed sells none that is incomplete."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page, answered, names = f"/connect/apps/{BUNDLE}", {}, []
        for round_ in range(5):
            stops = threading.Event()

            def register(number):
                mine = Console(store)
                mine.cookie = console.cookie
                for place in range(200):
                    if stops.is_set():
                        return
                    name = f"fruit.{round_}.{number}.{place}"
                    names.append(name)
                    try:
                        answered[name] = mine.send(f"{page}/new-product", product_form(name))[0]
                        mine.send(f"{page}/products/{name}", product_form(
                            name, decision="save", version="1", tier="", **{"title-en_US": ""}))
                    except (OSError, http.client.HTTPException):
                        return

            threads = [threading.Thread(target=register, args=(number,)) for number in range(3)]
            for thread in threads:
                thread.start()
            goal = len(answered) + 6 + round_
            wait_until("some products were registered", lambda: len(answered) >= goal)
            store.process.send_signal(signal.SIGKILL)
            stops.set()
            store.process.wait(timeout=15)
            for thread in threads:
                thread.join()
            store.serve()
            stored = {row[0]: row[1:] for row in store.rows(
                "SELECT product_id, for_sale, has_price, (SELECT count(*) FROM product_localization AS text WHERE "
                "text.bundle_id = product.bundle_id AND text.product_id = product.product_id), (SELECT count(*) FROM "
                "team_product WHERE team_product.product_id = product.product_id) FROM product")}
            for name in names:
                if answered.get(name) == 303:
                    expect(name in stored, f"the answered product {name} is lost")
                if name in stored:
                    for_sale, has_price, texts, claims = stored[name]
                    expect(claims == 1 and for_sale == (1 if has_price and texts else 0), f"{name}: {stored[name]}")
                    expect((has_price, texts) in ((1, 1), (0, 1), (0, 0)), f"{name}: {stored[name]}")
    finally:
        store.stop()


def png(width, height, bulk=0):
    """An image of which a store reads the header, with `bulk` bytes that mean nothing."""
    def chunk(name, contents):
        return struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" * 100) + bytes(bulk)) + chunk(b"IEND", b""))


def added_team(store, email="flora@example.com"):
    """The console of the account holder of a team that isn't the operator's."""
    console = Console(store)
    path = urlsplit(storectl("team", "add", *store.where).strip()).path
    status, _, text = console.send(path, {"team": "Flowers", "email": email, "name": "Flora", "newPassword": PASSWORD})
    expect(status == 303, f"the team's set-up was answered {status} {text}")
    return console


def reviewed(folder):
    """The reviewer sees the note and the screenshot; a team signs the operator's contract, and stdnum checks the accounts."""
    store = Store(folder)
    try:
        store.serve()
        console = added_team(store)
        app = "/connect/apps/com.example.flowers"
        expect(console.send("/connect/apps", {"decision": "register", "bundle": "com.example.flowers", "name": "Flowers",
                                              "sku": "F", "locale": "en_US"})[0] == 303, "the app isn't registered")
        note = "Sign in as tester.\nThen tap the rose."
        console.send(f"{app}/new-product", product_form("rose", note=note))
        submit = {"decision": "submit", "version": "1"}
        images, form = f"{app}/products/rose/images", {"decision": "upload", "purpose": "review"}
        for contents, status in ((b"<svg/>", 400), (png(600, 920), 400), (png(640, 920, 6 << 20), 413), (png(640, 920), 303)):
            answer = console.upload(images, form, "review", contents)
            expect(answer[0] == status, f"{len(contents)} bytes were answered {answer[0]}")
        expect(console.send(f"{app}/products/rose", submit)[0] == 303, "the submission was refused")
        picture = Path(folder) / "rose.png"
        shown = storectl("review", "show", "com.example.flowers", "rose", "--screenshot", str(picture), *store.where)
        expect("note: Sign in as tester.\n    Then tap the rose." in shown, f"review show printed {shown}")
        expect("display name en_US: rose" in shown and picture.read_bytes() == png(640, 920), "the submission isn't whole")
        storectl("review", "approve", "com.example.flowers", "rose", *store.where)
        expect("rose" in sold_in(store, "com.example.flowers", "rose"), "the sandbox needs a contract")

        contract = Path(folder) / "contract.txt"
        contract.write_text("Sellers get 70 percent.")
        storectl("agreement", "publish", str(contract), *store.where)
        page = "/connect/agreements"
        expect(console.send(page, {"decision": "accept", "number": "1"})[0] == 303, "the contract isn't accepted")
        number = iban.calc_check_digits("DE00370400440532013000")
        right = f"DE{number}370400440532013000"
        expect(iban.is_valid(right), f"{right} is wrong")
        version = 0
        for digit in "0123456789":
            for place in (2, 3, 7, 15, 21):
                typed = right[:place] + digit + right[place + 1:]
                bank = {"decision": "bank", "holder": "Flora", "iban": typed, "version": str(version)}
                status = console.send(page, bank)[0]
                expect((status == 303) == iban.is_valid(typed), f"{typed} was answered {status}")
                if status == 303:
                    version = int(re.search(r'name="version" value="(\d+)"', console.send(page)[2]).group(1))
        tax = {"decision": "tax", "legalName": "Flora", "address": "A street", "country": "DEU", "taxNumber": "12345678",
               "version": str(version)}
        expect(console.send(page, tax)[0] == 303, "the tax form was refused")
        text = console.send(page)[2] + console.send("/connect/log")[2] + store.log.read_text()
        expect("0532013000" not in text and "12345678" not in text, "a number is shown or logged")
        listed = json.loads(storectl("agreement", "list", "--json", *store.where))
        expect([team["missing"] for team in listed] == [[]], f"agreement list printed {listed}")
    finally:
        store.stop()


def sold_in(store, bundle, *identifiers):
    status, answer = Device(store).register().call(
        "products", bundleIdentifier=bundle, productIdentifiers=list(identifiers), languages=["en_US"])
    expect(status == 200, f"the products were answered {status} {answer}")
    return [product["productIdentifier"] for product in answer["products"]]


def delayed(folder):
    """A change reaches the store after the delay, also when the store was killed meanwhile; the file is sold at the start."""
    store = Store(folder, arguments=("--sandbox-propagation-delay", "6"))
    try:
        store.serve()
        console = set_up(store)
        page = f"/connect/apps/{BUNDLE}"
        console.send(f"{page}/new-product", product_form("mango"))
        registered_at = time.monotonic()
        expect(not sold(store, "mango"), "a product is sold before the delay")
        text = console.send(f"{page}/products/mango")[2]
        expect("The last change reaches the sandbox on" in text, "Connect doesn't say when")
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        wait_until("the product reaches the store", lambda: "mango" in sold(store, "mango"))
        expect(time.monotonic() - registered_at >= 5.5, "the product was sold too early")
        form = product_form("mango", decision="save", tier="2", version="1")
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused")
        expect(sold(store, "mango")["mango"]["milliunits"] == 990, "the change has no delay")
        wait_until("the change reaches the store", lambda: sold(store, "mango")["mango"]["milliunits"] == 1990)
    finally:
        store.stop()


def killed_while_uploading(folder):
    """A store that is killed while images are uploaded has whole images, and promotes none without one."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        page, answered = f"/connect/apps/{BUNDLE}", {}
        console.send(f"{page}/new-product", product_form("mango"))
        for round_ in range(4):
            stops = threading.Event()

            def send(purpose, path):
                mine = Console(store)
                mine.cookie = console.cookie
                for place in range(400):
                    if stops.is_set():
                        return
                    try:
                        contents = png(1024, 1024, (place % 7) * 100_000 + round_)
                        if mine.upload(path, {"decision": "upload", "purpose": purpose}, purpose, contents)[0] == 303:
                            answered[purpose] = answered.get(purpose, 0) + 1
                        if purpose == "promotion":
                            mine.send(path, {"decision": "promote", "before": ""})
                    except (OSError, http.client.HTTPException):
                        return

            threads = [threading.Thread(target=send, args=args) for args in (
                ("icon", f"{page}/promotion"), ("promotion", f"{page}/products/mango/images"))]
            for thread in threads:
                thread.start()
            goal = sum(answered.values()) + 5 + round_
            wait_until("some images were uploaded", lambda: sum(answered.values()) >= goal)
            store.process.send_signal(signal.SIGKILL)
            stops.set()
            store.process.wait(timeout=15)
            for thread in threads:
                thread.join()
            store.serve()
            images = store.rows("SELECT purpose, digest, size, bytes FROM registration_image")
            expect({row[0] for row in images} >= set(answered), "an answered image is lost")
            for purpose, digest, size, contents in images:
                if isinstance(contents, str):  # PostgreSQL's text of bytes
                    contents = bytes.fromhex(contents.removeprefix("\\x"))
                expect(len(contents) == size and hashlib.sha256(contents).hexdigest() == digest, f"a part of {purpose}")
            promoted = store.rows("SELECT count(*) FROM promoted_product")[0][0]
            expect(promoted <= sum(row[0] == "promotion" for row in images), "a product without an image is promoted")
    finally:
        store.stop()


def scenarios():
    yield "connect: the printed addresses set a team up once", addresses, {}
    yield "connect: pyotp's codes sign in", codes, {}
    yield "connect: the operator's commands", commands, {}
    yield "connect: a registered product is sold", registered, {}
    yield "connect: a store killed while products are registered", killed_while_registering, {}
    yield "connect: a killed store has kept its answers", killed, {}
    yield "connect: a review with a note, a screenshot and a contract", reviewed, {}
    yield "connect: a change reaches the store after the delay", delayed, {}
    yield "connect: a store killed while images are uploaded", killed_while_uploading, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
