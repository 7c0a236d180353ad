# SPDX-License-Identifier: Apache-2.0
"""Other people's clients, written for Apple's store, against ours: only the address and the root are changed.

Apple's own library (`app-store-server-library`) verifies signed transactions, renewal info, app transactions and
notifications with its online checks on, so it asks our OCSP responder; its ReceiptUtility reads our receipts; and
`itunes-iap` posts receipts to our /verifyReceipt. One store serves all tests.
"""

import base64
import json
import subprocess
import tempfile
import time
from pathlib import Path

import itunesiap
import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus,
)

from harness import BUNDLE as FRUIT_SHOP, EMAIL, PASSWORD, PATIENCE, Device, Failed, Store, ask, exchange
from processes import BINARIES, storectl

pytestmark = [
    pytest.mark.xdist_group("receipts"),
    # itunes-iap warns of fields that it doesn't define, such as `expires_date_ms`; Apple's answers have them, too.
    pytest.mark.filterwarnings("ignore::UserWarning:itunesiap"),
]
BUNDLE = "com.example.fruit"
SECRETIVE, SECRET = "com.example.secretive", "c0ffee00c0ffee00c0ffee00c0ffee00"


def milliseconds():
    return int(time.time() * 1000)


class Seller:
    """A seller's server, which has the store's address and its roots and no other data."""

    def __init__(self, folder):
        self.folder = Path(folder)
        secret = self.folder / "secret"
        secret.write_text(SECRET + "\n")
        # Apple's library asks the addresses in the certificates about them.
        self.store = Store(folder, arguments=["--shared-secret", f"{SECRETIVE}={secret}"], is_first=True)

    def open(self):
        self.store.serve()
        self.root = base64.b64encode(self.get("/pki/jws-root.cer"))
        self.verifier = self.verifier_for(BUNDLE)

    def get(self, path):
        ran = subprocess.run(["curl", "-fsS", self.store.url + path], capture_output=True, timeout=PATIENCE)
        assert ran.returncode == 0, f"{path}: {ran.stderr.decode()}"
        return ran.stdout

    def verifier_for(self, bundle, roots=None, environment=Environment.SANDBOX):
        return SignedDataVerifier(roots or [base64.b64decode(self.root)], True, environment, bundle)

    def make(self, description):
        """A receipt or a payload that the store's own authority signs."""
        ran = subprocess.run(
            [str(BINARIES / "storectl"), "receipt", "make", "-", "--authority", str(self.store.data / "authority")],
            input=json.dumps(description).encode(), capture_output=True, timeout=PATIENCE)
        assert ran.returncode == 0, f"storectl receipt make: {ran.stderr.decode()}"
        return ran.stdout

    def jws(self, kind, **payload):
        return self.make({"format": "jws", "kind": kind, "payload": payload}).decode()

    def transaction(self, **changes):
        fields = {
            "transactionId": "2000000001", "originalTransactionId": "2000000001", "bundleId": BUNDLE,
            "productId": "apple", "purchaseDate": milliseconds(), "originalPurchaseDate": milliseconds(),
            "quantity": 1, "type": "Non-Consumable", "inAppOwnershipType": "PURCHASED",
            "signedDate": milliseconds(), "environment": "Sandbox", "price": 990, "currency": "USD",
            "transactionReason": "PURCHASE", "storefront": "USA", "storefrontId": "143441",
        }
        return self.jws("transaction", **{**fields, **changes})


@pytest.fixture(scope="module")
def seller():
    with tempfile.TemporaryDirectory(prefix="receipts.") as folder:
        seller = Seller(folder)
        try:
            seller.open()
            yield seller
        finally:
            seller.store.kill()


def refused(status, action):
    try:
        action()
    except VerificationException as error:
        assert error.status == status, f"refused as {error.status.name}, not {status.name}"
        return
    raise Failed("accepted")


def test_apples_library_accepts_a_transaction(seller):
    decoded = seller.verifier.verify_and_decode_signed_transaction(seller.transaction())
    assert decoded.productId == "apple" and decoded.price == 990, f"decoded as {decoded}"


def test_apples_library_accepts_renewal_info(seller):
    text = seller.jws(
        "renewal-info", originalTransactionId="2000000001", autoRenewProductId="juice", productId="juice",
        autoRenewStatus=1, signedDate=milliseconds(), environment="Sandbox", renewalDate=milliseconds())
    decoded = seller.verifier.verify_and_decode_renewal_info(text)
    assert decoded.autoRenewProductId == "juice", f"decoded as {decoded}"


def test_apples_library_accepts_an_app_transaction(seller):
    text = seller.jws(
        "app-transaction", receiptType="Sandbox", bundleId=BUNDLE, applicationVersion="1.2",
        receiptCreationDate=milliseconds(), originalPurchaseDate=milliseconds(), originalApplicationVersion="1.0")
    decoded = seller.verifier.verify_and_decode_app_transaction(text)
    assert decoded.originalApplicationVersion == "1.0", f"decoded as {decoded}"


def test_apples_library_accepts_a_notification(seller):
    text = seller.jws(
        "notification", notificationType="TEST", notificationUUID="00000000-0000-4000-8000-000000000000",
        version="2.0", signedDate=milliseconds(),
        data={"bundleId": BUNDLE, "environment": "Sandbox", "signedTransactionInfo": seller.transaction()})
    decoded = seller.verifier.verify_and_decode_notification(text)
    assert decoded.rawNotificationType == "TEST", f"decoded as {decoded}"


def test_apples_library_refuses_another_app_and_another_root(seller):
    text = seller.transaction()
    refused(VerificationStatus.INVALID_APP_IDENTIFIER,
            lambda: seller.verifier_for("com.example.other").verify_and_decode_signed_transaction(text))
    other = seller.get("/pki/root.cer")
    refused(VerificationStatus.VERIFICATION_FAILURE,
            lambda: seller.verifier_for(BUNDLE, roots=[other]).verify_and_decode_signed_transaction(text))


def test_apples_library_reads_identifiers_from_receipts(seller):
    purchase = {"productIdentifier": "apple", "transactionIdentifier": "2000000042",
                "purchaseDate": "2026-01-02T03:04:05Z"}
    receipt = seller.make({"format": "app-receipt", "bundleIdentifier": BUNDLE, "purchases": [purchase]})
    utility = ReceiptUtility()
    found = utility.extract_transaction_id_from_app_receipt(base64.b64encode(receipt).decode())
    assert found == "2000000042", f"found {found} in the app receipt"
    old = seller.make({"format": "transaction-receipt", "bundleIdentifier": BUNDLE, "productIdentifier": "apple",
                       "transactionIdentifier": "2000000043"})
    found = utility.extract_transaction_id_from_transaction_receipt(base64.b64encode(old).decode())
    assert found == "2000000043", f"found {found} in the transaction receipt"


def posted(seller, receipt, **options):
    """Verifies a receipt with itunes-iap, with only the address changed."""
    request = itunesiap.Request(base64.b64encode(receipt).decode(), **options)
    request.SANDBOX_VALIDATION_URL = seller.store.url + "/verifyReceipt"
    return request.verify(env=itunesiap.env.sandbox)


def test_itunes_iap_verifies_an_app_receipt(seller):
    purchases = [
        {"productIdentifier": "apple", "transactionIdentifier": "2000000051", "purchaseDate": "2026-01-02T03:04:05Z"},
        {"productIdentifier": "juice", "transactionIdentifier": "2000000052", "quantity": 3,
         "purchaseDate": "2026-02-02T03:04:05Z", "expirationDate": "2026-03-02T03:04:05Z"},
    ]
    answer = posted(seller, seller.make(
        {"format": "app-receipt", "bundleIdentifier": BUNDLE, "purchases": purchases}))
    assert answer.status == 0, f"status {answer.status}"
    found = [(item.product_id, item.quantity, str(item.purchase_date)) for item in answer.receipt.in_app]
    assert [item[0] for item in found] == ["apple", "juice"] and found[1][1] == 3, f"in_app is {found}"
    assert answer.receipt.last_in_app.expires_date_ms == 1772420645000, "the subscription's end is another one"
    assert len(answer.latest_receipt_info) == 2, "latest_receipt_info isn't the subscription and the apple"


def test_itunes_iap_verifies_a_transaction_receipt(seller):
    answer = posted(seller, seller.make(
        {"format": "transaction-receipt", "bundleIdentifier": BUNDLE, "productIdentifier": "apple",
         "transactionIdentifier": "2000000061"}))
    assert answer.receipt["product_id"] == "apple", f"answered {answer}"


def test_itunes_iap_sees_apples_status_for_a_forged_receipt(seller):
    receipt = bytearray(seller.make({"format": "app-receipt", "bundleIdentifier": BUNDLE}))
    receipt[receipt.index(b"com.example.fruit")] ^= 1
    try:
        posted(seller, bytes(receipt))
    except itunesiap.exc.InvalidReceipt as error:
        assert error.status == 21003, f"status {error.status}"
        return
    raise Failed("accepted")


def status_of(seller, receipt, **options):
    """The status that itunes-iap receives."""
    try:
        return posted(seller, receipt, **options).status
    except itunesiap.exc.InvalidReceipt as error:
        return error.status


def test_the_shared_secret_of_an_app_is_asked_for(seller):
    purchase = {"productIdentifier": "juice", "transactionIdentifier": "2000000071",
                "purchaseDate": "2026-02-02T03:04:05Z", "expirationDate": "2026-03-02T03:04:05Z"}
    receipt = seller.make({"format": "app-receipt", "bundleIdentifier": SECRETIVE, "purchases": [purchase]})
    for password, status in [(SECRET, 0), ("another", 21004), (None, 21004)]:
        found = status_of(seller, receipt, **({"password": password} if password else {}))
        assert found == status, f"status {found} for {password}"


def test_apples_other_statuses_are_sent(seller):
    old = {"format": "transaction-receipt", "bundleIdentifier": BUNDLE, "productIdentifier": "juice",
           "transactionIdentifier": "2000000081", "purchaseDate": "2026-01-01T00:00:00Z",
           "expirationDate": "2026-01-02T00:00:00Z"}
    found = status_of(seller, seller.make(old))
    assert found == 21006, f"{found} for a subscription that has ended"
    for made in [{"format": "app-receipt", "bundleIdentifier": BUNDLE, "environment": "Production"},
                 {**old, "environment": "Production", "appItemIdentifier": "1"}]:
        found = status_of(seller, seller.make(made))
        assert found == 21008, f"{found} for a receipt of production"
    found = status_of(seller, b"\x30\x00")
    assert found == 21002, f"{found} for no receipt"


def test_wrong_requests_get_apples_statuses(seller):
    def status(method, body=None):
        code, text = exchange(seller.store, method, "/verifyReceipt", body, {"Content-Type": "application/json"})
        assert code == 200, f"{method} is answered with {code}: {text[:200]}"
        return json.loads(text)["status"]

    for method in "GET", "PUT", "DELETE", "PATCH":
        assert status(method) == 21000, f"{method} isn't 21000"
    largest = 3_145_728
    padded = b'{"receipt-data":"' + b"A" * (largest - 19) + b'"}'
    assert len(padded) == largest, f"{len(padded)} bytes"
    for body in [b"", b"{", b"[]", b"{}", b'{"receipt-data":5}', b'{"receipt-data":"MAA="}', b"\xff\xfe", padded,
                 b" " * largest]:
        assert status("POST", body) == 21002, f"{body[:40]} isn't 21002"
    code, text = exchange(seller.store, "POST", "/verifyReceipt", padded + b" ", {"Content-Type": "application/json"})
    assert code == 413 and str(largest) in text, f"one byte more is answered with {code}: {text[:200]}"


def test_a_receipt_of_a_closed_account_is_21010(seller):
    seller.store.add_account(EMAIL, PASSWORD)
    device = Device(seller.store).register()
    status, answer = device.pay("one", product=f"{FRUIT_SHOP}.Apple")
    assert status == 200 and answer.get("sheet"), f"{status}: {answer}"
    status, text = ask("POST", answer["sheet"], accept="application/json", form={
        "email": EMAIL, "password": PASSWORD, "decision": "buy"})
    assert status == 200, f"{status}: {text}"
    status, answer = device.call("receipt", requestIdentifier="two", bundleIdentifier=FRUIT_SHOP,
                                 applicationVersion="1.0", mayAskToSignIn=False)
    assert status == 200 and answer.get("receipt"), f"{status}: {answer}"
    receipt = base64.b64decode(answer["receipt"])
    found = posted(seller, receipt)
    assert [item.product_id for item in found.receipt.in_app] == [f"{FRUIT_SHOP}.Apple"], f"{found}"

    storectl("account", "close", *seller.store.where, EMAIL)

    assert status_of(seller, receipt) == 21010, "the account is still there"


def test_openssl_is_answered_by_the_running_store(seller):
    bundle = seller.folder / "bundle.pem"
    bundle.write_bytes(seller.get("/pki/bundle.pem"))
    pieces = bundle.read_text().split("-----END CERTIFICATE-----\n")
    names = ["leaf", "intermediate", "root", "jws-leaf", "jws-intermediate", "jws-root"]
    files = {}
    for name, text in zip(names, pieces):
        files[name] = seller.folder / f"{name}.pem"
        files[name].write_text(text + "-----END CERTIFICATE-----\n")
    for prefix in ["", "jws-"]:
        for certificate, issuer in [("leaf", "intermediate"), ("intermediate", "root")]:
            ran = subprocess.run(
                ["openssl", "ocsp", "-sha256", "-issuer", files[prefix + issuer], "-cert",
                 files[prefix + certificate], "-url", seller.store.url + "/pki/ocsp", "-CAfile",
                 files[prefix + "root"], "-verify_other", files[prefix + "intermediate"]],
                capture_output=True, text=True, timeout=PATIENCE)
            said = ran.stdout + ran.stderr
            assert ": good" in said and "Response verify OK" in said, f"{prefix}{certificate}: {said}"


# The last tests, because they rotate and revoke the store's signing certificates.
def test_apples_library_refuses_what_a_revoked_certificate_signed(seller):
    text = seller.transaction()
    seller.verifier_for(BUNDLE).verify_and_decode_signed_transaction(text)
    shown = storectl("authority", "show", "--data", seller.store.data)
    leaf = next(line.split()[-1] for line in shown.splitlines() if line.startswith("sandbox leaf for JWS"))
    storectl("authority", "rotate", "--sandbox", "--data", seller.store.data)
    # A verifier caches a certificate's status for a quarter of an hour; a new one asks the responder.
    seller.verifier_for(BUNDLE).verify_and_decode_signed_transaction(text)
    storectl("authority", "revoke", "--data", seller.store.data, leaf)
    refused(VerificationStatus.VERIFICATION_FAILURE,
            lambda: seller.verifier_for(BUNDLE).verify_and_decode_signed_transaction(text))
    seller.verifier_for(BUNDLE).verify_and_decode_signed_transaction(seller.transaction())


def test_a_revocation_list_refuses_it_too(seller):
    """`storectl receipt verify` refuses a receipt whose certificate is in the store's list."""
    receipt = seller.folder / "listed"
    receipt.write_bytes(seller.make({"format": "app-receipt", "bundleIdentifier": BUNDLE}))
    bundle, crl = seller.folder / "roots.pem", seller.folder / "intermediate.crl"
    bundle.write_bytes(seller.get("/pki/bundle.pem"))

    def verify():
        crl.write_bytes(seller.get("/pki/intermediate.crl"))
        return subprocess.run(
            [BINARIES / "storectl", "receipt", "verify", receipt, "--root", bundle, "--crl", crl],
            capture_output=True, text=True, timeout=PATIENCE)

    before = verify()
    assert before.returncode == 0, f"{before.stdout}{before.stderr}"
    shown = storectl("authority", "show", "--data", seller.store.data)
    leaf = next(line.split()[-1] for line in shown.splitlines() if line.startswith("sandbox leaf for receipts"))
    storectl("authority", "rotate", "--sandbox", "--data", seller.store.data)
    storectl("authority", "revoke", "--data", seller.store.data, leaf)
    after = verify()
    assert after.returncode == 1 and "refused  certificates aren't revoked" in after.stdout, after.stdout
