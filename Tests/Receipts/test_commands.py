# SPDX-License-Identifier: Apache-2.0
"""`storectl receipt` and `storectl authority` as processes: their output and exit status."""

import base64
import json
import re
import subprocess

import pytest

from harness import PATIENCE, ROOT, Store
from processes import BINARIES

# Receipts of Apple's store, which aren't in the repository.
REAL_DATA = ROOT.parent / "shared" / "data"
APP_RECEIPT = {
    "format": "app-receipt", "environment": "ProductionSandbox", "bundleIdentifier": "com.example.fruit",
    "applicationVersion": "1.7", "originalApplicationVersion": "1.2", "creationDate": "2026-01-02T03:04:05Z",
    "expirationDate": "2026-02-02T03:04:05Z", "originalPurchaseDate": "2013-08-01T07:00:00Z", "appIdentifier": 12,
    "downloadIdentifier": 34, "versionExternalIdentifier": 56, "opaqueValue": "yv66vg==",
    "deviceIdentifier": "000102030405060708090a0b0c0d0e0f",
    "purchases": [{
        "productIdentifier": "juice", "transactionIdentifier": "2000000001", "originalTransactionIdentifier":
        "2000000000", "quantity": 2, "purchaseDate": "2025-12-01T00:00:00Z", "originalPurchaseDate":
        "2025-11-01T00:00:00Z", "productType": 3, "expirationDate": "2026-01-01T00:00:00Z", "cancellationDate":
        "2025-12-24T00:00:00Z", "webOrderLineItemIdentifier": 9, "isTrialPeriod": True,
        "isInIntroductoryPricePeriod": False, "promotionalOfferIdentifier": "loyal",
        "unknownAttributes": [{"type": 1799, "version": 2, "value": "DAA="}],
    }],
    "unknownAttributes": [{"type": 99, "version": 1, "value": "DAA="}],
}
TRANSACTION_RECEIPT = {
    "format": "transaction-receipt", "environment": "Sandbox", "bundleIdentifier": "com.example.fruit",
    "bundleVersion": "1.7", "productIdentifier": "apple", "quantity": 1, "transactionIdentifier": "2000000003",
    "purchaseDate": "2025-12-01T00:00:00Z", "originalTransactionIdentifier": "2000000002",
    "originalPurchaseDate": "2025-11-01T00:00:00Z", "expirationDate": "2026-01-01T00:00:00Z",
    "unknownEntries": {"unique-identifier": "ab"},
}
PAYLOAD = {"transactionId": "2000000004", "bundleId": "com.example.fruit", "productId": "apple",
           "signedDate": 1767323045000, "environment": "Sandbox", "price": 990}
JWS = {"format": "jws", "kind": "transaction", "payload": PAYLOAD}


class Ran:
    """The output and the exit status of a run of `storectl`."""

    def __init__(self, *arguments, given=b""):
        ran = subprocess.run([BINARIES / "storectl", *map(str, arguments)], input=given, capture_output=True,
                             timeout=PATIENCE)
        self.status, self.bytes = ran.returncode, ran.stdout
        self.text, self.complaint = ran.stdout.decode(errors="replace"), ran.stderr.decode()

    def ended(self, status, *words):
        assert self.status == status, f"exit status {self.status}, not {status}: {self.text}{self.complaint}"
        said = self.text + self.complaint
        for word in words:
            assert word in said, f"\"{word}\" isn't in {said}"
        return self


def made(folder, description, *arguments):
    """Makes a receipt, and the file of certificates to verify it with."""
    certificates = folder / "certificates.pem"
    ran = Ran("receipt", "make", "-", "--certificates", certificates, *arguments,
              given=json.dumps(description).encode()).ended(0)
    return ran.bytes, certificates


def kept(folder, receipt):
    file = folder / "receipt"
    file.write_bytes(receipt)
    return file


def test_what_is_made_can_be_inspected_and_made_again(folder):
    for description in APP_RECEIPT, TRANSACTION_RECEIPT:
        receipt, _ = made(folder, description)
        shown = json.loads(Ran("receipt", "inspect", "--json", kept(folder, receipt)).ended(0).text)
        expected = {**description}
        if expected.pop("deviceIdentifier", None):
            expected["deviceHash"] = shown["deviceHash"]  # made from the identifier
        assert shown == expected, f"{shown} isn't {expected}"
        again, _ = made(folder, shown)
        shown_again = json.loads(Ran("receipt", "inspect", "--json", kept(folder, again)).ended(0).text)
        assert shown_again == shown, f"{shown_again} isn't {shown}"
    text, _ = made(folder, JWS)
    shown = json.loads(Ran("receipt", "inspect", "--json", kept(folder, text)).ended(0).text)
    assert shown == PAYLOAD, f"{shown} isn't {PAYLOAD}"


def test_inspecting_prints_readable_text(folder):
    receipt, _ = made(folder, APP_RECEIPT)
    Ran("receipt", "inspect", kept(folder, receipt)).ended(
        0, "app receipt", "bundle identifier    com.example.fruit", "2 × juice", "cancelled 2025-12-24T00:00:00Z",
        "certificate")
    receipt, _ = made(folder, TRANSACTION_RECEIPT)
    Ran("receipt", "inspect", kept(folder, receipt)).ended(
        0, "transaction receipt", "product              apple", "signature version    3")
    text, _ = made(folder, JWS)
    Ran("receipt", "inspect", kept(folder, text)).ended(0, "JWS, transaction", "productId  \"apple\"")


def test_a_receipt_may_come_from_standard_input_and_as_base64(folder):
    for description in APP_RECEIPT, TRANSACTION_RECEIPT:
        receipt, certificates = made(folder, description)
        lines = base64.encodebytes(receipt)
        for given in receipt, base64.b64encode(receipt), lines, lines.replace(b"\n", b"\r\n"):
            Ran("receipt", "inspect", "-", given=given).ended(0, "com.example.fruit")
            Ran("receipt", "verify", "-", "--root", certificates, given=given).ended(0)
        encoded, certificates = made(folder, description, "--base64")
        assert re.fullmatch(rb"[A-Za-z0-9+/]+=*", encoded), "it isn't base64"
        Ran("receipt", "verify", "-", "--root", certificates, given=encoded).ended(0)


def test_verifying_says_what_holds_line_by_line(folder):
    receipt, certificates = made(folder, APP_RECEIPT)
    file = kept(folder, receipt)
    device = APP_RECEIPT["deviceIdentifier"]
    ran = Ran("receipt", "verify", file, "--root", certificates, "--bundle-id", "com.example.fruit", "--device",
              device).ended(0, "ok       signature holds", "ok       device is the expected one")
    assert all(line.startswith("ok ") for line in ran.text.splitlines()), ran.text
    assert len(ran.text.splitlines()) == 10, f"{len(ran.text.splitlines())} lines: {ran.text}"
    report = json.loads(Ran("receipt", "verify", "--json", file, "--root", certificates).ended(0).text)
    assert report["verified"] and all(item["holds"] for item in report["checks"]), f"{report}"


def test_verifying_says_what_doesnt_hold_and_ends_with_1(folder):
    receipt, certificates = made(folder, APP_RECEIPT)
    other = folder / "other.pem"
    Ran("receipt", "make", "-", "--certificates", other, given=json.dumps(APP_RECEIPT).encode()).ended(0)
    file = kept(folder, receipt)

    def refused(*arguments, checks):
        ran = Ran("receipt", "verify", *arguments).ended(1)
        found = [line.removeprefix("refused ").strip().split(":")[0] for line in ran.text.splitlines()
                 if line.startswith("refused ")]
        assert found == checks, f"refused are {found}, not {checks}: {ran.text}"

    refused(file, "--root", other, checks=["root is trusted"])
    refused(file, "--root", certificates, "--bundle-id", "com.example.vegetables", checks=["app is the expected one"])
    refused(file, "--root", certificates, "--device", "00" * 16, checks=["device is the expected one"])
    changed = bytearray(receipt)
    changed[receipt.index(b"juice")] ^= 1
    refused(kept(folder, bytes(changed)), "--root", certificates, checks=["signature holds"])
    refused(kept(folder, receipt[:-1]), "--root", certificates, checks=["format can be read"])
    old, certificates = made(folder, TRANSACTION_RECEIPT)
    refused(kept(folder, old.replace(b'"100"', b'"200"')), "--root", certificates,
            checks=["bytes are the store's own"])
    text, certificates = made(folder, JWS)
    refused(kept(folder, text), "--root", certificates, "--bundle-id", "com.example.vegetables",
            checks=["app is the expected one"])


def test_what_cant_be_used_is_said(folder):
    nothing = folder / "nothing"
    nothing.write_text("no receipt at all")
    Ran("receipt", "inspect", nothing).ended(1)
    assert Ran("receipt", "inspect", nothing).complaint.strip(), "nothing is said"
    Ran("receipt", "inspect", folder / "missing").ended(1, "missing", "can't be read")
    Ran("receipt", "verify", nothing, "--root", folder / "missing").ended(1, "can't be read")
    Ran("receipt", "make", "-", given=b"{").ended(1, "can't be used")
    Ran("receipt", "make", "-", given=b'{"format":"paper"}').ended(1, "paper", "transaction-receipt")
    Ran("receipt", "make", "-", given=b'{"format":"jws","kind":"odd","payload":{}}').ended(1, "odd", "renewal-info")
    Ran("receipt", "make", "-", given=json.dumps({**APP_RECEIPT, "creationDate": "today"}).encode()).ended(1, "today")
    Ran("receipt", "verify", nothing).ended(64, "--root")


def with_authority(folder, **options):
    """A store's folder with an authority in it, made as `serve` makes it."""
    store = Store(folder, **options)
    store.serve()
    store.stop()
    return store.data


def test_an_authority_can_be_shown_rotated_and_is_due_after_a_while(folder):
    data = with_authority(folder)
    before = Ran("authority", "show", "--data", data).ended(0, "root", "jws-intermediate", "sandbox leaf for receipts")
    assert "production" not in before.text, before.text
    Ran("authority", "rotate", "--if-due", "--data", data).ended(0, "receipts", "JWS")
    first = Ran("authority", "show", "--data", data).ended(0, "production leaf for receipts").text
    Ran("authority", "rotate", "--if-due", "--data", data).ended(0, "Nothing to do yet.")
    assert Ran("authority", "show", "--data", data).text == first, "it has rotated all the same"
    Ran("authority", "rotate", "--data", data).ended(0)
    second = Ran("authority", "show", "--data", data).text
    assert second != first, "it hasn't rotated"
    leaf = next(line.split()[-1] for line in first.splitlines() if line.startswith("production leaf for receipts"))
    Ran("authority", "revoke", "--data", data, leaf).ended(0, leaf)
    Ran("authority", "show", "--data", data).ended(0, f"revoked  {leaf}")
    Ran("authority", "revoke", "--data", data, "10ff00ff").ended(1, "10ff00ff")


def test_no_receipt_is_made_by_an_authority_that_signs_for_production(folder):
    data = with_authority(folder)
    description = json.dumps(APP_RECEIPT).encode()
    sandbox = Ran("receipt", "make", "-", "--authority", data / "authority", given=description).ended(0)
    Ran("receipt", "verify", "-", "--root", data / "authority" / "root.pem", given=sandbox.bytes).ended(0)
    Ran("authority", "rotate", "--data", data).ended(0)
    for made_up in APP_RECEIPT, TRANSACTION_RECEIPT, JWS:
        ran = Ran("receipt", "make", "-", "--authority", data / "authority", given=json.dumps(made_up).encode())
        ran.ended(1, "signs for production")
        assert ran.bytes == b"", "something was made"


def test_private_keys_are_their_owners(folder):
    data = with_authority(folder, is_first=True)
    keys = list((data / "authority").rglob("*.key.pem"))
    assert len(keys) == 10, f"{len(keys)} keys"
    for key in keys:
        assert key.stat().st_mode & 0o777 == 0o600, f"{key.name} has mode {key.stat().st_mode & 0o777:o}"


@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="there is no ../shared/data with real receipts")
def test_receipts_that_others_signed_can_be_inspected():
    for name in ["receipts/tikhop-receipt-production.base64", "receipts/apple-xcode-app-receipt-with-transaction",
                 "receipts/ideasoncanvas-hannes_mac_mindnode_receipt",
                 "receipts/ideasoncanvas-deprecatedSinglesTypeExpiredAppleCert_receipt.b64",
                 "jws/apple-xcode-signed-transaction"]:
        Ran("receipt", "inspect", REAL_DATA / name).ended(0, "format")
        json.loads(Ran("receipt", "inspect", "--json", REAL_DATA / name).ended(0).text)
    root = REAL_DATA / "receipts" / "AppleIncRootCertificate.cer"
    receipt = REAL_DATA / "receipts" / "tikhop-receipt-production.base64"
    Ran("receipt", "verify", "--lenient", receipt, "--root", root).ended(0, "ok       signature holds")
    Ran("receipt", "verify", receipt, "--root", root).ended(1, "refused")
