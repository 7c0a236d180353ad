# SPDX-License-Identifier: Apache-2.0
"""The App Store Server API, driven by Apple's own library for Python with its online checks on.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import contextlib
import functools
import http.server
import json
import subprocess
import sys
import threading
import time
import uuid
import warnings
from pathlib import Path

from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UserStatus import UserStatus
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, ask, expect, play_all, wait_until  # noqa: E402
import test_subscriptions  # noqa: E402

# Apple's library asks the addresses in the certificates about them.
Desk = functools.partial(test_subscriptions.Desk, has_own_authority=True)


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


def lookups(folder):
    """An order, the old history and the app transaction are read and verified."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        first = desk.subscribe("monthly")
        order = server.client.look_up_order_id(first)
        expect(order.status == OrderLookupStatus.VALID, f"the order: {order}")
        expect([server.transaction(one).transactionId for one in order.signedTransactions] == [first], f"{order}")
        none = server.client.look_up_order_id("W002182")
        expect(none.status == OrderLookupStatus.INVALID and none.signedTransactions == [], f"no order: {none}")
        old = server.client.get_transaction_history(
            first, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V1)
        expect([server.transaction(one).transactionId for one in old.signedTransactions] == [first], f"v1: {old}")
        info = server.client.get_app_transaction_info(first)
        app = server.verifier.verify_and_decode_app_transaction(info.signedAppTransactionInfo)
        expect(app.bundleId == BUNDLE and app.rawReceiptType == "Sandbox", f"the app transaction: {app}")
        bought = server.transaction(old.signedTransactions[0])
        expect(app.originalPurchaseDate <= bought.purchaseDate, f"{app}")

        number = app.appTransactionId
        expect(number and bought.appTransactionId == number and app.rawOriginalPlatform == "iOS", f"{app} and {bought}")
        _, history = server.history(number)
        expect([one.transactionId for one in history] == [first], f"by the app transaction: {history}")
        again = server.client.get_app_transaction_info(number)
        found = server.verifier.verify_and_decode_app_transaction(again.signedAppTransactionInfo)
        expect(found.appTransactionId == number, f"by its own number: {found}")
        [group] = server.client.get_all_subscription_statuses(number).data
        renewal = server.verifier.verify_and_decode_renewal_info(group.lastTransactions[0].signedRenewalInfo)
        expect(renewal.appTransactionId == number, f"the renewal: {renewal}")
        refused = refusal(server.client.get_transaction_info, number)
        expect(refused.api_error == APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, f"a transaction: {refused}")


def changes(folder):
    """A token is set, and a transaction is finished."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        first = desk.subscribe("monthly")
        token = str(uuid.uuid4())
        expect(server.client.set_app_account_token(first, UpdateAppAccountTokenRequest(token)) is None, "an answer")
        info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
        expect(info.appAccountToken == token, f"the token: {info}")
        [group] = server.client.get_all_subscription_statuses(first).data
        renewal = server.verifier.verify_and_decode_renewal_info(group.lastTransactions[0].signedRenewalInfo)
        expect(renewal.appAccountToken == token, f"the token of the renewal: {renewal}")
        wrong = refusal(server.client.set_app_account_token, first, UpdateAppAccountTokenRequest("anna"))
        expect(wrong.api_error == APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, f"no UUID: {wrong}")

        def unfinished():
            status, queue = desk.device.call("queue", bundleIdentifier=BUNDLE)
            expect(status == 200, f"the queue: {status} {queue}")
            return [one["transactionIdentifier"] for one in queue["transactions"]]

        expect(unfinished() == [first], f"the queue before: {unfinished()}")
        for _ in range(2):
            server.client.finish_transaction(first)
        expect(unfinished() == [], f"the queue after: {unfinished()}")


def extensions(folder):
    """A period is extended, and then those of all subscribers, whose progress is asked for."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        first = desk.subscribe("monthly")
        ended = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo).expiresDate
        asked = ExtendRenewalDateRequest(
            extendByDays=3, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="outage")
        for _ in range(2):
            extended = server.client.extend_subscription_renewal_date(first, asked)
            expect(extended.success and extended.effectiveDate == ended + 3 * 86_400_000, f"extended: {extended}")
            expect(extended.originalTransactionId == first and extended.webOrderLineItemId, f"extended: {extended}")
        unknown = refusal(server.client.extend_subscription_renewal_date, "2000000000000000001", asked)
        expect(unknown.api_error == APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}")

        identifier = str(uuid.uuid4())
        everyone = MassExtendRenewalDateRequest(
            extendByDays=1, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION, requestIdentifier=identifier,
            productId="monthly", storefrontCountryCodes=["USA", "DEU"])
        begun = server.client.extend_renewal_date_for_all_active_subscribers(everyone)
        expect(begun.requestIdentifier == identifier, f"begun: {begun}")

        def complete():
            status = server.client.get_status_of_subscription_renewal_date_extensions(identifier, "monthly")
            return status if status.complete else None

        done = wait_until("the extension of all subscribers is complete", complete)
        expect((done.succeededCount, done.failedCount) == (1, 0) and done.completeDate, f"done: {done}")
        info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
        expect(info.expiresDate == ended + 4 * 86_400_000, f"extended twice: {info}")
        third = refusal(server.client.extend_subscription_renewal_date, first, ExtendRenewalDateRequest(
            extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="third"))
        expect(third.api_error == APIError.SUBSCRIPTION_MAX_EXTENSION, f"the third: {third}")
        unknown = refusal(server.client.get_status_of_subscription_renewal_date_extensions, "outage", "monthly")
        expect(unknown.api_error == APIError.STATUS_REQUEST_NOT_FOUND, f"unknown: {unknown}")


def refunds(folder):
    """A customer asks for a refund, the seller's information is shown, and the refund has its reason."""
    with Desk(folder) as desk:
        server = Server(desk, folder)
        bought = desk.subscribe(SEEDS)
        form = {"email": EMAIL, "password": PASSWORD, "decision": "ask", "reason": "broken", "comment": "It is sour."}
        status, text = ask("POST", f"{desk.store.url}/account/purchases/{bought}/problem", accept="application/json",
                           form=form)
        expect(status < 400, f"asking for a refund: {status} {text}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            server.client.send_consumption_data(bought, ConsumptionRequestV1(
                customerConsented=True, consumptionStatus=ConsumptionStatus.FULLY_CONSUMED,
                platform=Platform.NON_APPLE, sampleContentProvided=False,
                deliveryStatus=DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY, appAccountToken="",
                accountTenure=AccountTenure.THIRTY_DAYS_TO_NINETY_DAYS, playTime=PlayTime.ONE_DAY_TO_FOUR_DAYS,
                lifetimeDollarsRefunded=LifetimeDollarsRefunded.ZERO_DOLLARS,
                lifetimeDollarsPurchased=LifetimeDollarsPurchased.TWO_THOUSAND_DOLLARS_OR_GREATER,
                userStatus=UserStatus.LIMITED_ACCESS, refundPreference=RefundPreferenceV1.PREFER_DECLINE))
        [request] = desk.json("refunds", "list")
        expect(request["consumption"]["playTime"] == "5", f"version 1: {request}")
        server.client.send_consumption_information(bought, ConsumptionRequest(
            customerConsented=True, deliveryStatus=DeliveryStatus.UNDELIVERED_QUALITY_ISSUE,
            sampleContentProvided=True, consumptionPercentage=25_000,
            refundPreference=RefundPreference.GRANT_PRORATED))
        [request] = desk.json("refunds", "list")
        expect(request["consumption"]["deliveryStatus"] == "UNDELIVERED_QUALITY_ISSUE", f"version 2: {request}")
        printed = desk.run("refunds", "list")
        expect("consumptionPercentage 25000" in printed, f"printed: {printed}")
        refused = refusal(server.client.send_consumption_information, bought, ConsumptionRequest(
            customerConsented=False, deliveryStatus=DeliveryStatus.DELIVERED, sampleContentProvided=True))
        expect(refused.api_error == APIError.INVALID_CUSTOMER_CONSENTED, f"no consent: {refused}")

        desk.run("refunds", "approve", request["request"])
        [signed] = server.client.get_refund_history(bought, None).signedTransactions
        refunded = server.transaction(signed)
        expect(refunded.transactionId == bought and refunded.revocationDate and refunded.rawRevocationReason == 1,
               f"the refund: {refunded}")
        expect((refunded.rawRevocationType, refunded.revocationPercentage) == ("REFUND_FULL", 100_000), f"{refunded}")


def prorated(folder):
    """A request for a refund is approved for a part of the price, and further parts are given back."""
    with Desk(folder) as desk, receiving() as (received, address):
        server = Server(desk, folder)
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        first = desk.subscribe("monthly")
        request = desk.json("refunds", "ask", first, "--reason", "unintended")["request"]
        desk.run("refunds", "approve", request, "--amount", "1.00")
        desk.run("refund", first, "--amount", "0.996")
        [signed] = server.client.get_refund_history(first, None).signedTransactions
        refunded = server.transaction(signed)
        expect((refunded.rawRevocationType, refunded.revocationPercentage) == ("REFUND_PRORATED", 40_000), f"{refunded}")
        [group] = server.client.get_all_subscription_statuses(first).data
        expect(group.lastTransactions[0].rawStatus == 5, f"the status: {group}")
        desk.run("refunds", "reverse", first)
        expect(server.client.get_refund_history(first, None).signedTransactions == [], "the refund is still there")

        def sent():
            decoded = [server.verifier.verify_and_decode_notification(body) for body in received.bodies]
            return [server.transaction(one.data.signedTransactionInfo) for one in decoded
                    if one.rawNotificationType in ("REFUND", "REFUND_REVERSED")]

        wait_until("all refunds are sent", lambda: len(sent()) >= 3)
        shown = [(one.rawRevocationType, one.revocationPercentage) for one in sent()]
        expect(shown == [("REFUND_PRORATED", 20_040), ("REFUND_PRORATED", 40_000), (None, None)], f"sent: {shown}")


class Receiver(http.server.BaseHTTPRequestHandler):
    """A seller's server that keeps the bodies that it receives."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(body)["signedPayload"])
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def receiving():
    """A receiver on a free port, and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.bodies = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server, f"http://127.0.0.1:{server.server_port}/notify"
    finally:
        server.shutdown()
        server.server_close()


def notifications(folder):
    """Notifications arrive and are verified, and the test and the history have the same payloads."""
    with Desk(folder) as desk, receiving() as (receiver, address):
        server = Server(desk, folder)
        missing = refusal(server.client.request_test_notification)
        expect(missing.api_error == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND, f"no address: {missing}")
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        [known] = desk.json("notifications", "address", "list")
        expect(known == {"url": address, "bundle": BUNDLE, "version": 2}, f"the address: {known}")

        token = server.client.request_test_notification().testNotificationToken
        wait_until("the test notification arrives", lambda: receiver.bodies)
        wait_until("the result of the attempt is saved",
                   lambda: desk.json("notifications", "show", token)["deliveries"][0]["state"] == "delivered")
        status = server.client.get_test_notification_status(token)
        expect(status.signedPayload == receiver.bodies[0], "another payload")
        expect([one.rawSendAttemptResult for one in status.sendAttempts] == ["SUCCESS"], f"attempts: {status}")
        test = server.verifier.verify_and_decode_notification(status.signedPayload)
        expect(test.rawNotificationType == "TEST" and test.data.bundleId == BUNDLE, f"the test: {test}")

        first = desk.subscribe("monthly")
        desk.json("clock", "advance", EMAIL, "1mo1d")
        wait_until("the notifications of the subscription arrive", lambda: len(receiver.bodies) == 3)
        decoded = [server.verifier.verify_and_decode_notification(one) for one in receiver.bodies[1:]]
        expect([(one.rawNotificationType, one.rawSubtype) for one in decoded]
               == [("SUBSCRIBED", "INITIAL_BUY"), ("DID_RENEW", None)], f"notifications: {decoded}")
        for one in decoded:
            transaction = server.transaction(one.data.signedTransactionInfo)
            renewal = server.verifier.verify_and_decode_renewal_info(one.data.signedRenewalInfo)
            expect(transaction.originalTransactionId == first == renewal.originalTransactionId, f"{one}")
            expect(one.data.rawStatus == 1 and renewal.rawAutoRenewStatus == 1, f"the state: {one}")

        now = int(time.time() * 1000)
        page = server.client.get_notification_history(None, NotificationHistoryRequest(
            startDate=now - 3_600_000, endDate=now + 3_600_000, transactionId=first))
        expect([one.signedPayload for one in page.notificationHistory] == receiver.bodies[:0:-1], f"history: {page}")
        expect(page.hasMore is False, f"the page: {page}")
        both = refusal(server.client.get_notification_history, None, NotificationHistoryRequest(
            startDate=1, endDate=2, transactionId=first, notificationType=NotificationTypeV2.TEST))
        expect(both.api_error == APIError.MULTIPLE_FILTERS_SUPPLIED, f"both filters: {both}")

        printed = desk.run("notifications", "list")
        expect(printed.count("delivered") == 3 and "SUBSCRIBED/INITIAL_BUY" in printed, f"the list: {printed}")
        desk.run("notifications", "resend", token)
        wait_until("the repeated notification arrives", lambda: len(receiver.bodies) == 4)
        expect(receiver.bodies[3] == receiver.bodies[0], "the repetition has other bytes")
        desk.run("notifications", "address", "remove", address, "--app", BUNDLE)
        expect("no such notification address" in desk.fails("notifications", "address", "remove", address),
               "an unknown address was removed")


def asked_refunds(folder):
    """The notifications of a request for a refund, of the refund, and of the extension of all subscribers are verified."""
    with Desk(folder) as desk, receiving() as (receiver, address):
        server = Server(desk, folder)
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        first = desk.subscribe("monthly")
        desk.run("refunds", "ask", first, "--reason", "unintended")
        [request] = desk.json("refunds", "list")
        server.client.send_consumption_information(first, ConsumptionRequest(
            customerConsented=True, deliveryStatus=DeliveryStatus.DELIVERED, sampleContentProvided=False,
            refundPreference=RefundPreference.GRANT_FULL))
        identifier = str(uuid.uuid4())
        server.client.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(
            extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=identifier,
            productId="monthly", storefrontCountryCodes=["USA"]))
        wait_until("the extension and its summary arrive", lambda: len(receiver.bodies) == 5)
        desk.run("refunds", "approve", request["request"])
        wait_until("the refund arrives", lambda: len(receiver.bodies) == 6)

        decoded = [server.verifier.verify_and_decode_notification(one) for one in receiver.bodies]
        # The summary belongs to no transaction, so that it may arrive at any time.
        ordered = [one for one in decoded if one.rawSubtype != "SUMMARY"]
        kinds = [(one.rawNotificationType, one.rawSubtype) for one in ordered]
        expect(kinds == [("SUBSCRIBED", "INITIAL_BUY"), ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"),
                         ("CONSUMPTION_REQUEST", None), ("RENEWAL_EXTENDED", None), ("REFUND", None)],
               f"notifications: {kinds}")
        asked, refunded = ordered[2], ordered[4]
        expect(asked.data.rawConsumptionRequestReason == "UNINTENDED_PURCHASE", f"the reason: {asked}")
        renewal = server.verifier.verify_and_decode_renewal_info(asked.data.signedRenewalInfo)
        expect(renewal.rawAutoRenewStatus == 0, f"the renewal: {renewal}")
        transaction = server.transaction(refunded.data.signedTransactionInfo)
        expect(transaction.transactionId == first and transaction.revocationDate, f"the refund: {transaction}")
        expect(refunded.data.rawStatus == 5, f"the state: {refunded}")
        [summary] = [one.summary for one in decoded if one.rawSubtype == "SUMMARY"]
        expect((summary.requestIdentifier, summary.productId, summary.succeededCount, summary.failedCount)
               == (identifier, "monthly", 1, 0), f"the summary: {summary}")
        expect(summary.storefrontCountryCodes == ["USA"] and summary.bundleId == BUNDLE, f"the summary: {summary}")


def pages(folder):
    """Pages and filters of histories are read with the library's requests."""
    with Desk(folder) as desk, receiving() as (_, address):
        server = Server(desk, folder)
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        first = desk.subscribe("monthly")
        for number in range(24):
            desk.run("buy", EMAIL, SEEDS, "--bundle-id", BUNDLE, "--request", f"seeds-{number}")

        def all_pages(request):
            found, sizes, revision = [], [], None
            while True:
                page, transactions = server.history(first, request, revision)
                found += [one.transactionId for one in transactions]
                sizes.append(len(transactions))
                if not page.hasMore:
                    return found, sizes
                revision = page.revision

        found, sizes = all_pages(TransactionHistoryRequest(sort=Order.ASCENDING))
        expect(sizes == [20, 5] and len(set(found)) == 25 and found[0] == first, f"pages of {sizes}: {found}")
        newest, _ = all_pages(TransactionHistoryRequest(sort=Order.DESCENDING))
        expect(newest == found[::-1], f"descending: {newest}")
        for request, count in (
                (TransactionHistoryRequest(productTypes=[ProductType.AUTO_RENEWABLE]), 1),
                (TransactionHistoryRequest(productTypes=[ProductType.CONSUMABLE, ProductType.NON_CONSUMABLE]), 24),
                (TransactionHistoryRequest(productIds=["monthly", "unknown"]), 1),
                (TransactionHistoryRequest(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED), 0),
                (TransactionHistoryRequest(revoked=True), 0), (TransactionHistoryRequest(revoked=False), 25),
                (TransactionHistoryRequest(startDate=1, endDate=2), 0)):
            some, _ = all_pages(request)
            expect(len(some) == count, f"{len(some)} instead of {count} for {request}")

        def delivered():
            deliveries = [one["deliveries"] for one in desk.json("notifications", "list")]
            return all(each and each[0]["state"] == "delivered" for each in deliveries)

        wait_until("all notifications are delivered", delivered)
        now, token, payloads = int(time.time() * 1000), None, []
        while True:
            page = server.client.get_notification_history(token, NotificationHistoryRequest(
                startDate=now - 3_600_000, endDate=now + 3_600_000,
                notificationType=NotificationTypeV2.ONE_TIME_CHARGE))
            payloads += [one.signedPayload for one in page.notificationHistory]
            token = page.paginationToken
            if not page.hasMore:
                break
        expect(len(payloads) == len(set(payloads)) == 24, f"{len(payloads)} notifications")
        server.verifier.verify_and_decode_notification(payloads[-1])
        early = refusal(server.client.get_notification_history, None, NotificationHistoryRequest(
            startDate=now - 181 * 86_400_000, endDate=now))
        expect(early.api_error == APIError.START_DATE_TOO_FAR_IN_PAST, f"too early: {early}")
        wrong = refusal(server.client.get_transaction_history, first, "x", TransactionHistoryRequest(),
                        GetTransactionHistoryVersion.V2)
        expect(wrong.api_error == APIError.INVALID_REQUEST_REVISION, f"another revision: {wrong}")


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
    yield "Apple's library looks up orders, the old history and app transactions", lookups, {}
    yield "Apple's library sets a token and finishes a transaction", changes, {}
    yield "Apple's library extends a period, and those of all subscribers", extensions, {}
    yield "Apple's library sends consumption information for a refund", refunds, {}
    yield "Apple's library verifies refunds of a part of the price", prorated, {}
    yield "Apple's library verifies notifications, and reads a test and the history", notifications, {}
    yield "Apple's library verifies the notifications of an asked refund and of a summary", asked_refunds, {}
    yield "Apple's library reads pages and filters", pages, {}
    yield "Apple's library recognises the refusals", refusals, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
