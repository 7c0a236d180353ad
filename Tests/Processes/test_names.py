# SPDX-License-Identifier: Apache-2.0
"""`storectl serve --tls --names apple`: clients with Apple's host names in their source reach the store, unchanged.

The names are resolved to the store by an override in this process, and its root is trusted by these clients alone.
"""

import base64
import json
import os
import socket
import ssl
import subprocess
import urllib.request
from pathlib import Path
from unittest import mock

import pytest
import requests
from appstoreserverlibrary.api_client import APIError, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment

from box import Box
from harness import BUNDLE, EMAIL, PASSWORD, SEEDS, Device, ask
from processes import BINARIES
from seller_server import refusal

SANDBOX = ("sandbox.itunes.apple.com", "api.storekit-sandbox.apple.com", "api.storekit-sandbox.itunes.apple.com")
PRODUCTION = ("buy.itunes.apple.com", "api.storekit.apple.com", "api.storekit.itunes.apple.com")
NAMES = ("--tls", "--names", "apple", "--tls-listen", "127.0.0.1:0")


@pytest.fixture
def box(folder):
    """A store with a customer and a purchase, whose names this process resolves to it."""
    with Box(Path(folder) / "box", *NAMES) as box:
        box.root = str(Path(folder) / "root.pem")
        Path(box.root).write_text(box.facts["tlsRootCertificate"])
        box.command("account", "add", EMAIL, "--password-stdin", given=PASSWORD + "\n")
        box.bought, box.receipt = buy(box)
        port = int(box.facts["tlsAddress"].rsplit(":", 1)[1])
        resolve = socket.getaddrinfo

        def override(host, _port, *arguments, **options):
            if host in SANDBOX + PRODUCTION:
                return resolve("127.0.0.1", port, *arguments, **options)
            return resolve(host, _port, *arguments, **options)

        with mock.patch("socket.getaddrinfo", override), mock.patch.dict(os.environ, REQUESTS_CA_BUNDLE=box.root):
            yield box


def buy(box):
    """Buys on a device, and returns the number of the transaction and the app's receipt."""
    device = Device(box).register()
    status, asked = device.pay("one", SEEDS)
    assert status == 200 and asked.get("sheet"), f"asking: {status} {asked}"
    status, text = ask("POST", asked["sheet"], accept="application/json", form={
        "email": EMAIL, "password": PASSWORD, "decision": "buy"})
    assert status == 200, f"buying: {status} {text}"
    status, paid = device.pay("one", SEEDS)
    assert status == 200 and paid.get("transaction"), f"the purchase: {status} {paid}"
    status, answer = device.call("receipt", requestIdentifier="r", bundleIdentifier=BUNDLE, applicationVersion="1.0",
                                 mayAskToSignIn=False)
    assert status == 200 and answer.get("receipt"), f"the receipt: {status} {answer}"
    return paid["transaction"]["transactionIdentifier"], answer["receipt"]


def client(box, environment):
    return AppStoreServerAPIClient(
        box.facts["privateKey"].encode(), box.facts["keyId"], box.facts["issuerId"], BUNDLE, environment)


def verify(box, name, receipt):
    """Asks /verifyReceipt at a name by Python's own TLS."""
    request = urllib.request.Request(
        f"https://{name}/verifyReceipt", data=json.dumps({"receipt-data": receipt}).encode())
    with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=box.root)) as answer:
        return json.load(answer)["status"]


def test_the_library_of_apple(box):
    """Apple's library, unchanged, reads a purchase in the sandbox, and production has none."""
    found = client(box, Environment.SANDBOX).get_transaction_info(box.bought)
    info = box.verifier.verify_and_decode_signed_transaction(found.signedTransactionInfo)
    assert info.transactionId == box.bought, f"the transaction: {info}"
    unknown = refusal(client(box, Environment.PRODUCTION).get_transaction_info, box.bought)
    assert unknown.api_error == APIError.TRANSACTION_ID_NOT_FOUND, f"production: {unknown}"


def test_every_name_has_its_environment(box):
    """Each name has its environment, at /verifyReceipt and at the Server API."""
    for name in SANDBOX:
        assert verify(box, name, box.receipt) == 0, f"{name} doesn't accept the receipt"
    for name in PRODUCTION:
        assert verify(box, name, box.receipt) == 21007, f"{name} doesn't answer 21007"
    for name in SANDBOX + PRODUCTION:
        assert verify(box, name, base64.b64encode(b"0").decode()) == 21002, f"{name}: a wrong receipt"
        token = client(box, Environment.SANDBOX)._generate_token()
        answer = requests.get(f"https://{name}/inApps/v1/transactions/{box.bought}",
                              headers={"Authorization": f"Bearer {token}"}, timeout=15)
        if name in SANDBOX:
            assert answer.status_code == 200, f"{name}: {answer.status_code} {answer.text}"
        else:
            assert answer.status_code == 404 and answer.json()["errorCode"] == 4040010, f"{name}: {answer.text}"
        refused = requests.get(f"https://{name}/inApps/v1/transactions/{box.bought}", timeout=15)
        assert refused.status_code == 401, f"{name} without a token: {refused.status_code}"
        for path in ("/", "/control/v1/accounts", "/device/v1/register", "/account/purchases"):
            other = requests.post(f"https://{name}{path}", json={}, timeout=15)
            assert other.status_code == 404, f"{name}{path} was answered {other.status_code}"


def test_no_other_name_is_accepted(box):
    """The certificate is for these names only, and the listener answers to no other one."""
    host, port = box.facts["tlsAddress"].rsplit(":", 1)
    for name in ("apple.com", "www.apple.com", "itunes.apple.com", "localhost", "127.0.0.1"):
        with socket.create_connection((host, int(port))) as connection:
            try:
                ssl.create_default_context(cafile=box.root).wrap_socket(connection, server_hostname=name)
                raise AssertionError(f"the certificate is accepted for {name}")
            except ssl.SSLCertVerificationError:
                pass
    with socket.create_connection((host, int(port))) as connection:
        try:
            ssl.create_default_context().wrap_socket(connection, server_hostname=SANDBOX[0])
            raise AssertionError("the certificate is accepted without its root")
        except ssl.SSLCertVerificationError:
            pass
    answer = requests.post(f"https://{SANDBOX[0]}/verifyReceipt", headers={"Host": "example.com"}, json={}, timeout=15)
    assert answer.status_code == 403, f"another Host was answered {answer.status_code}"
    ran = subprocess.run(
        ["openssl", "s_client", "-connect", f"{host}:{port}", "-servername", PRODUCTION[0], "-CAfile", box.root,
         "-verify_return_error", "-verify_hostname", PRODUCTION[0], "-tls1_2"],
        input="", capture_output=True, text=True, timeout=30, check=False)
    assert ran.returncode == 0 and "Verify return code: 0" in ran.stdout, f"s_client: {ran.stdout} {ran.stderr}"


def test_wrong_options(folder):
    """Options that don't fit together are refused with a sentence."""
    for arguments, words in (
            (("--tls",), "belong together"), (("--names", "apple"), "belong together"),
            (("--tls", "--names", "google"), "--names takes apple"), (("--tls", "--names", "apple"), "--tls-root"),
            (("--tls", "--names", "apple", "--tls-root", "r", "--tls-listen", "0.0.0.0:8443"), "of this machine"),
            (("--tls", "--names", "apple", "--tls-root", "r", "--tls-listen", "127.0.0.1:0"), "needs --ephemeral")):
        ran = subprocess.run([str(BINARIES / "storectl"), "serve", "--data", f"{folder}/store", *arguments],
                             capture_output=True, text=True, timeout=30, check=False)
        assert ran.returncode == 64 and words in ran.stderr, f"{arguments}: {ran.returncode} {ran.stderr}"
