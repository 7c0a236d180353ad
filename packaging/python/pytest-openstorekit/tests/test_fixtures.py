# SPDX-License-Identifier: Apache-2.0
"""The fixtures, with real stores. Tests/Processes/test_packages.py runs them with the wheels."""

import threading
import urllib.request

import pytest
from appstoreserverlibrary.api_client import APIException
from pytest_openstorekit import ControlError


def test_a_store_is_empty_before_each_test(storekit):
    assert storekit.control.accounts()["accounts"] == []
    storekit.add_customer("anna@example.com")
    assert [one["email"] for one in storekit.control.accounts()["accounts"]] == ["anna@example.com"]


def test_the_next_test_finds_it_empty_too(storekit):
    assert storekit.control.accounts()["accounts"] == []


def test_a_refusal_has_the_code_of_the_store(storekit):
    with pytest.raises(ControlError, match=r"There is no account for anna@example\.com") as refused:
        storekit.buy("anna@example.com", "garden.seeds")
    assert (refused.value.status, refused.value.code, refused.value.verb) == (404, "not-found", "buy")


def test_a_notification_is_taken_once(storekit, storekit_notifications):
    customer = storekit.add_customer()
    first = storekit.buy(customer, "garden.seeds")["transaction"]
    second = storekit.buy(customer, "garden.gloves")["transaction"]
    taken = [storekit_notifications.wait_for("ONE_TIME_CHARGE") for _ in range(2)]
    assert sorted(one.transaction["transactionId"] for one in taken) == sorted([first, second])
    assert len({one.uuid for one in taken}) == 2
    storekit_notifications.assert_no_others()


def test_a_notification_that_does_not_come_fails_the_test(storekit, storekit_notifications):
    storekit.buy(storekit.add_customer(), "garden.seeds")
    storekit.settle()
    with pytest.raises(AssertionError, match=r"REFUND hasn't arrived in 0\.5 s\. Not taken: ONE_TIME_CHARGE"):
        storekit_notifications.wait_for("REFUND", timeout=0.5)
    with pytest.raises(AssertionError, match="others have arrived: ONE_TIME_CHARGE"):
        storekit_notifications.assert_no_others()
    assert [str(one) for one in storekit_notifications.take_all()] == ["ONE_TIME_CHARGE"]


def test_a_subtype_is_awaited(storekit, storekit_notifications):
    customer = storekit.add_customer()
    bought = storekit.buy(customer, "garden.plus")["transaction"]
    storekit.control.set_renewal(transaction=bought, renews=False)
    storekit.control.set_renewal(transaction=bought, renews=True)
    assert storekit_notifications.wait_for("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED").renewal
    assert [str(one) for one in storekit_notifications.take_all()] == [
        "SUBSCRIBED/INITIAL_BUY",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
    ]


def test_a_notification_is_awaited_before_its_cause(storekit, storekit_notifications):
    customer = storekit.add_customer()
    buying = threading.Timer(0.2, storekit.buy, (customer, "garden.seeds"))
    buying.start()
    assert storekit_notifications.wait_for("ONE_TIME_CHARGE").transaction["productId"] == "garden.seeds"
    buying.join()


def test_a_status_of_the_receiver_is_in_the_history(storekit, storekit_notifications):
    storekit_notifications.status = 500
    storekit.buy(storekit.add_customer(), "garden.seeds")
    storekit.settle()
    [notification] = storekit.control.notifications()["notifications"]
    [delivery] = notification["deliveries"]
    assert [attempt["result"] for attempt in delivery["attempts"]] == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"]


def test_no_receiver_is_left(storekit):
    assert storekit.control.notification_addresses()["addresses"] == []


def test_an_account_token_is_in_the_transaction(storekit, storekit_notifications):
    token = "7e3fb204-2ac1-4a4d-8a0b-4c1d6a3f6f11"
    storekit.buy(storekit.add_customer(), "garden.seeds", account_token=token)
    assert storekit_notifications.wait_for("ONE_TIME_CHARGE").transaction["appAccountToken"] == token


def test_another_store_has_another_app_and_other_secrets(storekit, other, other_notifications):
    assert other.address != storekit.address
    assert other.control_token != storekit.control_token
    assert other.root_certificate != storekit.root_certificate
    other.buy(other.add_customer(), "garden.seeds")
    assert other_notifications.wait_for("ONE_TIME_CHARGE").payload["data"]["bundleId"] == "com.example.other"
    assert storekit.control.accounts()["accounts"] == []


def test_more_arguments_reach_the_store(other):
    bought = other.buy(other.add_customer(), "garden.seeds")["transaction"]
    client = other.api_client()
    # One request a second, and twice as many without a pause.
    with pytest.raises(APIException) as refused:
        for _ in range(10):
            client.get_transaction_info(bought)
    assert refused.value.http_status_code == 429


def test_the_process_has_the_log_and_the_store_is_ready(storekit_proc):
    with urllib.request.urlopen(f"{storekit_proc.facts.address}/readyz") as answer:
        assert answer.status == 200
    assert "garden.seeds" in storekit_proc.log
