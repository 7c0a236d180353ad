# SPDX-License-Identifier: Apache-2.0
"""The review, the contract, the images and the delay of Connect of a running store."""

import hashlib
import http.client
import json
import re
import threading
import time

from stdnum import iban

from connect_console import Console, added_team, png, product_form, set_up, sold_to
from harness import BUNDLE, Device, Store, exchange, wait_until
from processes import storectl


def upload(console, path, form, field, contents):
    """Sends a form with a file, and returns the status and the text of the answer."""
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in form.items()]
    parts.append(f'Content-Disposition: form-data; name="{field}"; filename="../a.svg"\r\n'
                 "Content-Type: text/html\r\n\r\n".encode() + contents)
    body = b"".join(b"--fruit\r\n" + part + b"\r\n" for part in parts) + b"--fruit--\r\n"
    headers = {"Cookie": console.cookie, "Origin": console.store.url,
               "Content-Type": "multipart/form-data; boundary=fruit"}
    return exchange(console.store, "POST", path, body, headers)


def test_a_review_with_a_note_a_screenshot_and_a_contract(store, folder):
    """The reviewer sees the note and the screenshot; a team signs the contract, and stdnum checks the accounts."""
    console = added_team(store)
    app = "/connect/apps/com.example.flowers"
    assert console.send("/connect/apps", {"decision": "register", "bundle": "com.example.flowers", "name": "Flowers",
                                          "sku": "F", "locale": "en_US"})[0] == 303, (
        "the app isn't registered")
    note = "Sign in as tester.\nThen tap the rose."
    console.send(f"{app}/new-product", product_form("rose", note=note))
    submit = {"decision": "submit", "version": "1"}
    images, form = f"{app}/products/rose/images", {"decision": "upload", "purpose": "review"}
    for contents, status in (
            (b"<svg/>", 400), (png(600, 920), 400), (png(640, 920, 6 << 20), 413), (png(640, 920), 303)):
        answer = upload(console, images, form, "review", contents)
        assert answer[0] == status, f"{len(contents)} bytes were answered {answer[0]}"
    assert console.send(f"{app}/products/rose", submit)[0] == 303, "the submission was refused"
    picture = folder / "rose.png"
    shown = storectl("review", "show", "com.example.flowers", "rose", "--screenshot", str(picture), *store.where)
    assert "note: Sign in as tester.\n    Then tap the rose." in shown, f"review show printed {shown}"
    assert "display name en_US: rose" in shown and picture.read_bytes() == png(640, 920), (
        "the submission isn't whole")
    storectl("review", "approve", "com.example.flowers", "rose", *store.where)
    assert "rose" in sold_in(store, "com.example.flowers", "rose"), "the sandbox needs a contract"

    contract = folder / "contract.txt"
    contract.write_text("Sellers get 70 percent.")
    storectl("agreement", "publish", str(contract), *store.where)
    page = "/connect/agreements"
    assert console.send(page, {"decision": "accept", "number": "1"})[0] == 303, "the contract isn't accepted"
    number = iban.calc_check_digits("DE00370400440532013000")
    right = f"DE{number}370400440532013000"
    assert iban.is_valid(right), f"{right} is wrong"
    version = 0
    for digit in "0123456789":
        for place in (2, 3, 7, 15, 21):
            typed = right[:place] + digit + right[place + 1:]
            bank = {"decision": "bank", "holder": "Flora", "iban": typed, "version": str(version)}
            status = console.send(page, bank)[0]
            assert (status == 303) == iban.is_valid(typed), f"{typed} was answered {status}"
            if status == 303:
                version = int(re.search(r'name="version" value="(\d+)"', console.send(page)[2]).group(1))
    tax = {"decision": "tax", "legalName": "Flora", "address": "A street", "country": "DEU", "taxNumber": "12345678",
           "version": str(version)}
    assert console.send(page, tax)[0] == 303, "the tax form was refused"
    text = console.send(page)[2] + console.send("/connect/log")[2] + store.log.read_text()
    assert "0532013000" not in text and "12345678" not in text, "a number is shown or logged"
    listed = json.loads(storectl("agreement", "list", "--json", *store.where))
    assert [team["missing"] for team in listed] == [[]], f"agreement list printed {listed}"


def sold_in(store, bundle, *identifiers):
    status, answer = Device(store).register().call(
        "products", bundleIdentifier=bundle, productIdentifiers=list(identifiers), languages=["en_US"])
    assert status == 200, f"the products were answered {status} {answer}"
    return [product["productIdentifier"] for product in answer["products"]]


DELAY = 6  # seconds


def test_a_change_reaches_the_store_after_the_delay(folder):
    """A change reaches the store after the delay, also when the store was killed meanwhile."""
    store = Store(folder, arguments=("--sandbox-propagation-delay", str(DELAY)))
    try:
        store.serve()
        console = set_up(store)
        # A store limits the new devices of one address.
        device = Device(store).register()
        page = f"/connect/apps/{BUNDLE}"
        begun = time.monotonic()

        def is_early():
            return time.monotonic() - begun < DELAY

        console.send(f"{page}/new-product", product_form("mango"))
        assert not (sold_to(device, "mango") and is_early()), "a product is sold before the delay"
        text = console.send(f"{page}/products/mango")[2]
        assert "The last change reaches the sandbox on" in text, "Connect doesn't say when"
        store.kill()
        store.serve()
        wait_until("the product reaches the store", lambda: "mango" in sold_to(device, "mango"))
        assert not is_early(), "the product was sold too early"
        form = product_form("mango", decision="save", tier="2", version="1")
        begun = time.monotonic()
        assert console.send(f"{page}/products/mango", form)[0] == 303, "the change was refused"
        price = sold_to(device, "mango")["mango"]["milliunits"]
        assert price == 990 or not is_early(), "the change has no delay"
        wait_until("the change reaches the store", lambda: sold_to(device, "mango")["mango"]["milliunits"] == 1990)
    finally:
        print(f"--- {store.name}\n{store.tail()}")
        store.stop()


def test_a_store_killed_while_images_are_uploaded(store, console):
    """A store that is killed while images are uploaded has whole images, and promotes none without one."""
    page, answered = f"/connect/apps/{BUNDLE}", {}
    console.send(f"{page}/new-product", product_form("mango"))
    for round_ in range(4):
        stops = threading.Event()

        def send(purpose, path):
            mine = Console(store, console.cookie)
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
        store.kill()
        stops.set()
        for thread in threads:
            thread.join()
        store.serve()
        images = store.rows("SELECT purpose, digest, size, bytes FROM registration_image")
        assert {row[0] for row in images} >= set(answered), "an answered image is lost"
        for purpose, digest, size, contents in images:
            if isinstance(contents, str):  # PostgreSQL's text of bytes
                contents = bytes.fromhex(contents.removeprefix("\\x"))
            assert len(contents) == size and hashlib.sha256(contents).hexdigest() == digest, f"a part of {purpose}"
        promoted = store.rows("SELECT count(*) FROM promoted_product")[0][0]
        assert promoted <= sum(row[0] == "promotion" for row in images), "a product without an image is promoted"
