# SPDX-License-Identifier: Apache-2.0
"""The App Store Server API, driven by Apple's own library for Python with its online checks on.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import subprocess
import sys
import uuid
from pathlib import Path

from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import BUNDLE, EMAIL, expect, play_all  # noqa: E402
from test_subscriptions import Desk  # noqa: E402


class Server:
    """A seller's server with a key of the store."""

    def __init__(self, desk, folder):
        file = Path(folder) / "server.p8"
        made = desk.json("key", "create", "Server", "--output", file)
        self.client = AppStoreServerAPIClient(file.read_bytes(), made["key"], made["issuer"], BUNDLE, Environment.SANDBOX)
        self.client._base_url = desk.store.url
        ran = subprocess.run(["curl", "-fsS", desk.store.url + "/pki/jws-root.cer"], capture_output=True, timeout=30)
        expect(ran.returncode == 0, f"the root: {ran.stderr.decode()}")
        self.verifier = SignedDataVerifier([ran.stdout], True, Environment.SANDBOX, BUNDLE)

    def transaction(self, signed):
        return self.verifier.verify_and_decode_signed_transaction(signed)

    def history(self, transaction, request=None, revision=None):
        page = self.client.get_transaction_history(
            transaction, revision, request or TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
        return page, [self.transaction(signed) for signed in page.signedTransactions]


def refusal(action, *arguments):
    try:
        action(*arguments)
    except APIException as error:
        return error
    raise AssertionError(f"{action.__name__}{arguments} was answered")


def reads(folder):
    """Transactions, histories, refunds and statuses are read and verified."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        first = desk.subscribe("monthly")
        info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
        expect(info.transactionId == first and info.productId == "monthly", f"the transaction: {info}")
        desk.json("clock", "advance", EMAIL, "1mo1d")

        page, transactions = server.history(first)
        expect([one.productId for one in transactions] == ["monthly"] * 2, f"the history: {transactions}")
        expect([one.rawTransactionReason for one in transactions] == ["PURCHASE", "RENEWAL"], f"reasons: {transactions}")
        expect(page.hasMore is False and page.bundleId == BUNDLE, f"the page: {page}")
        newest = TransactionHistoryRequest(sort=Order.DESCENDING)
        _, reversed_ = server.history(first, newest)
        expect([one.transactionId for one in reversed_] == [one.transactionId for one in transactions[::-1]],
               f"descending: {reversed_}")
        _, later = server.history(first, revision=page.revision)
        expect(later == [], f"nothing has changed: {later}")

        [group] = server.client.get_all_subscription_statuses(first).data
        [last] = group.lastTransactions
        renewal = server.verifier.verify_and_decode_renewal_info(last.signedRenewalInfo)
        expect(last.rawStatus == 1 and renewal.rawAutoRenewStatus == 1, f"the status: {last}, {renewal}")
        expect(renewal.renewalPrice == 4990 and renewal.autoRenewProductId == "monthly", f"the renewal: {renewal}")
        expect(server.transaction(last.signedTransactionInfo).transactionId == transactions[1].transactionId,
               f"the newest transaction: {last}")
        refunds = server.client.get_refund_history(first, None)
        expect(refunds.signedTransactions == [] and refunds.hasMore is False, f"refunds: {refunds}")


def refusals(folder):
    """Unknown transactions and other keys are refused as Apple refuses them."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        unknown = refusal(server.client.get_transaction_info, "2000000000000000001")
        expect(unknown.api_error == APIError.TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}")
        malformed = refusal(server.client.get_transaction_info, "x")
        expect(malformed.api_error == APIError.INVALID_TRANSACTION_ID, f"malformed: {malformed}")
        server.client._issuer_id = str(uuid.uuid4())
        other = refusal(server.client.get_transaction_info, "2000000000000000001")
        expect(other.http_status_code == 401, f"another issuer: {other}")


def scenarios():
    yield "Apple's library reads transactions, histories and statuses", reads, {}
    yield "Apple's library recognises the refusals", refusals, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
