# SPDX-License-Identifier: Apache-2.0
"""A seller's server: it uses the App Store Server API by Apple's own library with its online checks on, and receives
notifications."""

import contextlib
import http.server
import json
import threading
import urllib.request
from pathlib import Path

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from harness import BUNDLE, PATIENCE


class Server:
    """A seller's server with a key of the store."""

    def __init__(self, desk, folder):
        file = Path(folder) / "server.p8"
        made = desk.json("key", "create", "Server", "--output", file)
        self.client = AppStoreServerAPIClient(
            file.read_bytes(), made["key"], made["issuer"], BUNDLE, Environment.SANDBOX)
        self.client._base_url = desk.store.url
        with urllib.request.urlopen(desk.store.url + "/pki/jws-root.cer", timeout=PATIENCE) as answer:
            root = answer.read()
        self.verifier = SignedDataVerifier([root], True, Environment.SANDBOX, BUNDLE)

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
