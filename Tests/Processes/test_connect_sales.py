# SPDX-License-Identifier: Apache-2.0
"""The review, the contract, the images and the delay of Connect of a running store.

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
from urllib.parse import urlsplit

from stdnum import iban

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import BUNDLE, Device, Store, exchange, expect, play_all, wait_until  # noqa: E402
from processes import storectl  # noqa: E402
from test_connect import PASSWORD, Console, product_form, set_up, sold_to  # noqa: E402


def upload(console, path, form, field, contents):
    """Sends a form with a file, and returns the status and the text of the answer."""
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in form.items()]
    parts.append(f'Content-Disposition: form-data; name="{field}"; filename="../a.svg"\r\n'
                 "Content-Type: text/html\r\n\r\n".encode() + contents)
    body = b"".join(b"--fruit\r\n" + part + b"\r\n" for part in parts) + b"--fruit--\r\n"
    headers = {"Cookie": console.cookie, "Origin": console.store.url, "Content-Type": "multipart/form-data; boundary=fruit"}
    return exchange(console.store, "POST", path, body, headers, seconds=30)


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
            answer = upload(console, images, form, "review", contents)
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
        # A store limits the new devices of one address.
        device = Device(store).register()
        page = f"/connect/apps/{BUNDLE}"
        console.send(f"{page}/new-product", product_form("mango"))
        registered_at = time.monotonic()
        expect(not sold_to(device, "mango"), "a product is sold before the delay")
        text = console.send(f"{page}/products/mango")[2]
        expect("The last change reaches the sandbox on" in text, "Connect doesn't say when")
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        wait_until("the product reaches the store", lambda: "mango" in sold_to(device, "mango"))
        expect(time.monotonic() - registered_at >= 5.5, "the product was sold too early")
        form = product_form("mango", decision="save", tier="2", version="1")
        expect(console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused")
        expect(sold_to(device, "mango")["mango"]["milliunits"] == 990, "the change has no delay")
        wait_until("the change reaches the store", lambda: sold_to(device, "mango")["mango"]["milliunits"] == 1990)
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
                        if upload(mine, path, {"decision": "upload", "purpose": purpose}, purpose, contents)[0] == 303:
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
    yield "connect: a review with a note, a screenshot and a contract", reviewed, {}
    yield "connect: a change reaches the store after the delay", delayed, {}
    yield "connect: a store killed while images are uploaded", killed_while_uploading, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
