# SPDX-License-Identifier: Apache-2.0
"""The App Store Server API, driven by Apple's own library for Python with its online checks on."""

import time
import uuid
import warnings

import pytest
from appstoreserverlibrary.api_client import APIError, GetTransactionHistoryVersion
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
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

from baskets import Desk
from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, ask, wait_until
from seller_server import Server, receiving, refusal


@pytest.fixture
def desk(folder):
    """A store whose certificates have its own address, which Apple's library asks about them."""
    with Desk(folder, is_first=True) as desk:
        yield desk
        print(f"--- the store\n{desk.store.tail()}")


@pytest.fixture
def server(desk, folder):
    return Server(desk, folder)


def test_transactions_histories_and_statuses(desk, server):
    """Transactions, histories, refunds and statuses are read and verified."""
    first = desk.subscribe("monthly")
    info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
    assert info.transactionId == first and info.productId == "monthly", f"the transaction: {info}"
    desk.json("clock", "advance", EMAIL, "1mo1d")

    page, transactions = server.history(first)
    assert [one.productId for one in transactions] == ["monthly"] * 2, f"the history: {transactions}"
    assert [one.rawTransactionReason for one in transactions] == ["PURCHASE", "RENEWAL"], f"reasons: {transactions}"
    assert page.hasMore is False and page.bundleId == BUNDLE, f"the page: {page}"
    newest = TransactionHistoryRequest(sort=Order.DESCENDING)
    _, reversed_ = server.history(first, newest)
    assert [one.transactionId for one in reversed_] == [one.transactionId for one in transactions[::-1]], (
        f"descending: {reversed_}")
    _, later = server.history(first, revision=page.revision)
    assert later == [], f"nothing has changed: {later}"

    [group] = server.client.get_all_subscription_statuses(first).data
    [last] = group.lastTransactions
    renewal = server.verifier.verify_and_decode_renewal_info(last.signedRenewalInfo)
    assert last.rawStatus == 1 and renewal.rawAutoRenewStatus == 1, f"the status: {last}, {renewal}"
    assert renewal.renewalPrice == 4990 and renewal.autoRenewProductId == "monthly", f"the renewal: {renewal}"
    assert server.transaction(last.signedTransactionInfo).transactionId == transactions[1].transactionId, (
        f"the newest transaction: {last}")
    refunds = server.client.get_refund_history(first, None)
    assert refunds.signedTransactions == [] and refunds.hasMore is False, f"refunds: {refunds}"


def test_orders_the_old_history_and_app_transactions(desk, server):
    """An order, the old history and the app transaction are read and verified."""
    first = desk.subscribe("monthly")
    order = server.client.look_up_order_id(first)
    assert order.status == OrderLookupStatus.VALID, f"the order: {order}"
    assert [server.transaction(one).transactionId for one in order.signedTransactions] == [first], f"{order}"
    none = server.client.look_up_order_id("W002182")
    assert none.status == OrderLookupStatus.INVALID and none.signedTransactions is None, f"no order: {none}"
    old = server.client.get_transaction_history(
        first, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V1)
    assert [server.transaction(one).transactionId for one in old.signedTransactions] == [first], f"v1: {old}"
    info = server.client.get_app_transaction_info(first)
    app = server.verifier.verify_and_decode_app_transaction(info.signedAppTransactionInfo)
    assert app.bundleId == BUNDLE and app.rawReceiptType == "Sandbox", f"the app transaction: {app}"
    bought = server.transaction(old.signedTransactions[0])
    assert app.originalPurchaseDate <= bought.purchaseDate, f"{app}"

    number = app.appTransactionId
    assert number and bought.appTransactionId == number and app.rawOriginalPlatform == "iOS", f"{app} and {bought}"
    _, history = server.history(number)
    assert [one.transactionId for one in history] == [first], f"by the app transaction: {history}"
    again = server.client.get_app_transaction_info(number)
    found = server.verifier.verify_and_decode_app_transaction(again.signedAppTransactionInfo)
    assert found.appTransactionId == number, f"by its own number: {found}"
    [group] = server.client.get_all_subscription_statuses(number).data
    renewal = server.verifier.verify_and_decode_renewal_info(group.lastTransactions[0].signedRenewalInfo)
    assert renewal.appTransactionId == number, f"the renewal: {renewal}"
    refused = refusal(server.client.get_transaction_info, number)
    assert refused.api_error == APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, f"a transaction: {refused}"


def test_a_token_is_set_and_a_transaction_finished(desk, server):
    """A token is set, and a transaction is finished."""
    first = desk.subscribe("monthly")
    token = str(uuid.uuid4())
    assert server.client.set_app_account_token(first, UpdateAppAccountTokenRequest(token)) is None, "an answer"
    info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
    assert info.appAccountToken == token, f"the token: {info}"
    [group] = server.client.get_all_subscription_statuses(first).data
    renewal = server.verifier.verify_and_decode_renewal_info(group.lastTransactions[0].signedRenewalInfo)
    assert renewal.appAccountToken == token, f"the token of the renewal: {renewal}"
    wrong = refusal(server.client.set_app_account_token, first, UpdateAppAccountTokenRequest("anna"))
    assert wrong.api_error == APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, f"no UUID: {wrong}"

    def unfinished():
        status, queue = desk.device.call("queue", bundleIdentifier=BUNDLE)
        assert status == 200, f"the queue: {status} {queue}"
        return [one["transactionIdentifier"] for one in queue["transactions"]]

    assert unfinished() == [first], f"the queue before: {unfinished()}"
    for _ in range(2):
        server.client.finish_transaction(first)
    assert unfinished() == [], f"the queue after: {unfinished()}"


def test_a_period_and_those_of_all_subscribers_are_extended(desk, server):
    """A period is extended, and then those of all subscribers, whose progress is asked for."""
    first = desk.subscribe("monthly")
    ended = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo).expiresDate
    asked = ExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="outage")
    for _ in range(2):
        extended = server.client.extend_subscription_renewal_date(first, asked)
        assert extended.success and extended.effectiveDate == ended + 3 * 86_400_000, f"extended: {extended}"
        assert extended.originalTransactionId == first and extended.webOrderLineItemId, f"extended: {extended}"
    unknown = refusal(server.client.extend_subscription_renewal_date, "2000000000000000001", asked)
    assert unknown.api_error == APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}"

    identifier = str(uuid.uuid4())
    everyone = MassExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION, requestIdentifier=identifier,
        productId="monthly", storefrontCountryCodes=["USA", "DEU"])
    begun = server.client.extend_renewal_date_for_all_active_subscribers(everyone)
    assert begun.requestIdentifier == identifier, f"begun: {begun}"

    def complete():
        status = server.client.get_status_of_subscription_renewal_date_extensions(identifier, "monthly")
        return status if status.complete else None

    done = wait_until("the extension of all subscribers is complete", complete)
    assert (done.succeededCount, done.failedCount) == (1, 0) and done.completeDate, f"done: {done}"
    info = server.transaction(server.client.get_transaction_info(first).signedTransactionInfo)
    assert info.expiresDate == ended + 4 * 86_400_000, f"extended twice: {info}"
    third = refusal(server.client.extend_subscription_renewal_date, first, ExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="third"))
    assert third.api_error == APIError.SUBSCRIPTION_MAX_EXTENSION, f"the third: {third}"
    unknown = refusal(server.client.get_status_of_subscription_renewal_date_extensions, str(uuid.uuid4()), "monthly")
    assert unknown.api_error == APIError.STATUS_REQUEST_NOT_FOUND, f"unknown: {unknown}"


def test_consumption_information_for_a_refund(desk, server):
    """A customer asks for a refund, the seller's information is shown, and the refund has its reason."""
    bought = desk.subscribe(SEEDS)
    form = {"email": EMAIL, "password": PASSWORD, "decision": "ask", "reason": "broken", "comment": "It is sour."}
    status, text = ask("POST", f"{desk.store.url}/account/purchases/{bought}/problem", accept="application/json",
                       form=form)
    assert status < 400, f"asking for a refund: {status} {text}"
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
    assert request["consumption"]["playTime"] == "5", f"version 1: {request}"
    server.client.send_consumption_information(bought, ConsumptionRequest(
        customerConsented=True, deliveryStatus=DeliveryStatus.UNDELIVERED_QUALITY_ISSUE,
        sampleContentProvided=True, consumptionPercentage=0,
        refundPreference=RefundPreference.GRANT_PRORATED))
    [request] = desk.json("refunds", "list")
    assert request["consumption"]["deliveryStatus"] == "UNDELIVERED_QUALITY_ISSUE", f"version 2: {request}"
    printed = desk.run("refunds", "list")
    assert "consumptionPercentage 0" in printed, f"printed: {printed}"
    refused = refusal(server.client.send_consumption_information, bought, ConsumptionRequest(
        customerConsented=False, deliveryStatus=DeliveryStatus.DELIVERED, sampleContentProvided=True))
    assert refused.api_error == APIError.INVALID_CUSTOMER_CONSENTED, f"no consent: {refused}"

    desk.run("refunds", "approve", request["request"])
    [signed] = server.client.get_refund_history(bought, None).signedTransactions
    refunded = server.transaction(signed)
    assert refunded.transactionId == bought and refunded.revocationDate and refunded.rawRevocationReason == 1, (
        f"the refund: {refunded}")
    assert (refunded.rawRevocationType, refunded.revocationPercentage) == ("REFUND_FULL", 100_000), f"{refunded}"


def test_refunds_of_a_part_of_the_price(desk, server):
    """A request for a refund is approved for a part of the price, and further parts are given back."""
    with receiving() as (received, address):
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        first = desk.subscribe("monthly")
        request = desk.json("refunds", "ask", first, "--reason", "unintended")["request"]
        desk.run("refunds", "approve", request, "--amount", "1.00")
        desk.run("refund", first, "--amount", "0.99")
        [signed] = server.client.get_refund_history(first, None).signedTransactions
        refunded = server.transaction(signed)
        assert (refunded.rawRevocationType, refunded.revocationPercentage) == ("REFUND_PRORATED", 39_880), f"{refunded}"
        [group] = server.client.get_all_subscription_statuses(first).data
        assert group.lastTransactions[0].rawStatus == 5, f"the status: {group}"
        desk.run("refunds", "reverse", first)
        assert server.client.get_refund_history(first, None).signedTransactions == [], "the refund is still there"

        def sent():
            decoded = [server.verifier.verify_and_decode_notification(body) for body in received.bodies]
            return [server.transaction(one.data.signedTransactionInfo) for one in decoded
                    if one.rawNotificationType in ("REFUND", "REFUND_REVERSED")]

        wait_until("all refunds are sent", lambda: len(sent()) >= 3)
        shown = [(one.rawRevocationType, one.revocationPercentage) for one in sent()]
        assert shown == [("REFUND_PRORATED", 20_040), ("REFUND_PRORATED", 39_880), (None, None)], f"sent: {shown}"


def test_notifications_with_a_test_and_the_history(desk, server):
    """Notifications arrive and are verified, and the test and the history have the same payloads."""
    with receiving() as (receiver, address):
        missing = refusal(server.client.request_test_notification)
        assert missing.api_error == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND, f"no address: {missing}"
        desk.run("notifications", "address", "add", address, "--app", BUNDLE)
        [known] = desk.json("notifications", "address", "list")
        assert known == {"url": address, "bundle": BUNDLE, "version": 2}, f"the address: {known}"

        token = server.client.request_test_notification().testNotificationToken
        wait_until("the test notification arrives", lambda: receiver.bodies)
        wait_until("the result of the attempt is saved",
                   lambda: desk.json("notifications", "show", token)["deliveries"][0]["state"] == "delivered")
        status = server.client.get_test_notification_status(token)
        assert status.signedPayload == receiver.bodies[0], "another payload"
        assert [one.rawSendAttemptResult for one in status.sendAttempts] == ["SUCCESS"], f"attempts: {status}"
        test = server.verifier.verify_and_decode_notification(status.signedPayload)
        assert test.rawNotificationType == "TEST" and test.data.bundleId == BUNDLE, f"the test: {test}"

        first = desk.subscribe("monthly")
        desk.json("clock", "advance", EMAIL, "1mo1d")
        wait_until("the notifications of the subscription arrive", lambda: len(receiver.bodies) == 3)
        decoded = [server.verifier.verify_and_decode_notification(one) for one in receiver.bodies[1:]]
        assert ([(one.rawNotificationType, one.rawSubtype) for one in decoded]
               == [("SUBSCRIBED", "INITIAL_BUY"), ("DID_RENEW", None)]), f"notifications: {decoded}"
        for one in decoded:
            transaction = server.transaction(one.data.signedTransactionInfo)
            renewal = server.verifier.verify_and_decode_renewal_info(one.data.signedRenewalInfo)
            assert transaction.originalTransactionId == first == renewal.originalTransactionId, f"{one}"
            assert one.data.rawStatus == 1 and renewal.rawAutoRenewStatus == 1, f"the state: {one}"

        now = int(time.time() * 1000)
        page = server.client.get_notification_history(None, NotificationHistoryRequest(
            startDate=now - 3_600_000, endDate=now + 3_600_000, transactionId=first))
        assert [one.signedPayload for one in page.notificationHistory] == receiver.bodies[:0:-1], f"history: {page}"
        assert page.hasMore is False, f"the page: {page}"
        both = refusal(server.client.get_notification_history, None, NotificationHistoryRequest(
            startDate=1, endDate=2, transactionId=first, notificationType=NotificationTypeV2.TEST))
        assert both.api_error == APIError.MULTIPLE_FILTERS_SUPPLIED, f"both filters: {both}"

        printed = desk.run("notifications", "list")
        assert printed.count("delivered") == 3 and "SUBSCRIBED/INITIAL_BUY" in printed, f"the list: {printed}"
        desk.run("notifications", "resend", token)
        wait_until("the repeated notification arrives", lambda: len(receiver.bodies) == 4)
        assert receiver.bodies[3] == receiver.bodies[0], "the repetition has other bytes"
        desk.run("notifications", "address", "remove", address, "--app", BUNDLE)
        assert "no such notification address" in desk.fails("notifications", "address", "remove", address), (
            "an unknown address was removed")


def test_notifications_of_an_asked_refund_and_of_a_summary(desk, server):
    """The notifications of an asked refund, of the refund, and of the extension of all subscribers are verified."""
    with receiving() as (receiver, address):
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
        assert kinds == [("SUBSCRIBED", "INITIAL_BUY"), ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"),
                         ("CONSUMPTION_REQUEST", None), ("RENEWAL_EXTENDED", None), ("REFUND", None)], (
            f"notifications: {kinds}")
        asked, refunded = ordered[2], ordered[4]
        assert asked.data.rawConsumptionRequestReason == "UNINTENDED_PURCHASE", f"the reason: {asked}"
        renewal = server.verifier.verify_and_decode_renewal_info(asked.data.signedRenewalInfo)
        assert renewal.rawAutoRenewStatus == 0, f"the renewal: {renewal}"
        transaction = server.transaction(refunded.data.signedTransactionInfo)
        assert transaction.transactionId == first and transaction.revocationDate, f"the refund: {transaction}"
        assert refunded.data.rawStatus == 5, f"the state: {refunded}"
        [summary] = [one.summary for one in decoded if one.rawSubtype == "SUMMARY"]
        assert ((summary.requestIdentifier, summary.productId, summary.succeededCount, summary.failedCount)
               == (identifier, "monthly", 1, 0)), f"the summary: {summary}"
        assert summary.storefrontCountryCodes == ["USA"] and summary.bundleId == BUNDLE, f"the summary: {summary}"


def test_pages_and_filters(desk, server):
    """Pages and filters of histories are read with the library's requests."""
    with receiving() as (_, address):
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
        assert sizes == [20, 5] and len(set(found)) == 25 and found[0] == first, f"pages of {sizes}: {found}"
        newest, _ = all_pages(TransactionHistoryRequest(sort=Order.DESCENDING))
        assert newest == found[::-1], f"descending: {newest}"
        for request, count in (
                (TransactionHistoryRequest(productTypes=[ProductType.AUTO_RENEWABLE]), 1),
                (TransactionHistoryRequest(productTypes=[ProductType.CONSUMABLE, ProductType.NON_CONSUMABLE]), 24),
                (TransactionHistoryRequest(productIds=["monthly", "unknown"]), 1),
                (TransactionHistoryRequest(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED), 0),
                (TransactionHistoryRequest(revoked=True), 0), (TransactionHistoryRequest(revoked=False), 25),
                (TransactionHistoryRequest(startDate=1, endDate=2), 0)):
            some, _ = all_pages(request)
            assert len(some) == count, f"{len(some)} instead of {count} for {request}"

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
        assert len(payloads) == len(set(payloads)) == 24, f"{len(payloads)} notifications"
        server.verifier.verify_and_decode_notification(payloads[-1])
        early = refusal(server.client.get_notification_history, None, NotificationHistoryRequest(
            startDate=now - 181 * 86_400_000, endDate=now))
        assert early.api_error == APIError.START_DATE_TOO_FAR_IN_PAST, f"too early: {early}"
        wrong = refusal(server.client.get_transaction_history, first, "x", TransactionHistoryRequest(),
                        GetTransactionHistoryVersion.V2)
        assert wrong.api_error == APIError.INVALID_REQUEST_REVISION, f"another revision: {wrong}"


def test_refusals(server):
    """Unknown transactions and other keys are refused as Apple refuses them."""
    unknown = refusal(server.client.get_transaction_info, "2000000000000000001")
    assert unknown.api_error == APIError.TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}"
    malformed = refusal(server.client.get_transaction_info, "x")
    assert malformed.api_error == APIError.INVALID_TRANSACTION_ID, f"malformed: {malformed}"
    server.client._issuer_id = str(uuid.uuid4())
    other = refusal(server.client.get_transaction_info, "2000000000000000001")
    assert other.http_status_code == 401, f"another issuer: {other}"
