# SPDX-License-Identifier: Apache-2.0
"""A store as a test sees it."""

import base64
import secrets
from typing import TYPE_CHECKING

from pytest_openstorekit.control import Control, SubscriptionAnswer, TransactionAnswer
from pytest_openstorekit.errors import StorekitError
from pytest_openstorekit.process import StoreFacts
from pytest_openstorekit.transport import Transport

if TYPE_CHECKING:
    from appstoreserverlibrary.api_client import AppStoreServerAPIClient
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


class Storekit:
    """A store for the tests of a seller's server.

    `control` has all calls of its remote control; the methods here are the most used ones.
    """

    def __init__(self, facts: StoreFacts) -> None:
        self._facts = facts
        self._transport = Transport(facts.address, facts.control_token)
        self.control = Control(self._transport)

    @property
    def address(self) -> str:
        """The base address, such as `http://127.0.0.1:34567`: it takes the place of Apple's addresses."""
        return self._facts.address

    @property
    def bundle_id(self) -> str:
        """The app under test."""
        return self._facts.bundle_id

    @property
    def control_token(self) -> str:
        """The bearer token of `/control/v1`."""
        return self._facts.control_token

    @property
    def root_certificate(self) -> str:
        """The root of signed transactions and notifications, PEM. It takes the place of Apple's root."""
        return self._facts.root_certificate

    @property
    def root_certificate_der(self) -> bytes:
        """The same as DER, as Apple's verifier takes it."""
        body = "".join(line for line in self.root_certificate.splitlines() if not line.startswith("-----"))
        return base64.b64decode(body)

    @property
    def receipt_root_certificate(self) -> str:
        """The root of app receipts, PEM."""
        return self._facts.receipt_root_certificate

    @property
    def key_id(self) -> str:
        """The identifier of a key for the App Store Server API."""
        return self._facts.key_id

    @property
    def issuer_id(self) -> str:
        """The issuer of the App Store Server API's tokens."""
        return self._facts.issuer_id

    @property
    def private_key(self) -> str:
        """The private part of the key, PEM, as a `.p8` file has it."""
        return self._facts.private_key

    def add_customer(self, email: str | None = None, *, storefront: str = "USA") -> str:
        """Adds a tester, and returns the email address, by which the calls name the account."""
        address = email or f"customer-{secrets.token_hex(6)}@example.com"
        self.control.add_account(email=address, password=f"Aa1-{secrets.token_hex(12)}", storefront=storefront)
        return address

    def buy(self, customer: str, product: str, *, account_token: str | None = None) -> TransactionAnswer:
        """Buys a product of the app as a device and its customer do.

        `account_token` is the `appAccountToken`, a UUID.
        """
        return self.control.buy(email=customer, bundle=self.bundle_id, product=product, account_token=account_token)

    def renew(self, transaction: str) -> SubscriptionAnswer:
        """Ends the running period of a subscription, and charges the next one."""
        return self.control.renew_subscription(transaction=transaction)

    def refund(self, transaction: str) -> TransactionAnswer:
        """Refunds a purchase, or a period of a subscription."""
        return self.control.refund(transaction=transaction)

    def settle(self) -> None:
        """Returns when all notifications that are due were sent."""
        if not self.control.settle_notifications(bundle=self.bundle_id)["settled"]:
            raise StorekitError("Notifications are still being sent: does the server under test answer?")

    def reset(self) -> None:
        """Deletes accounts, purchases and notifications. The apps, products, keys and addresses stay."""
        self.control.reset()

    def api_client(self) -> "AppStoreServerAPIClient":
        """Apple's client of the App Store Server API, which calls this store.

        Raises `StorekitError` without Apple's library.
        """
        try:
            from appstoreserverlibrary.api_client import AppStoreServerAPIClient
            from appstoreserverlibrary.models.Environment import Environment
        except ImportError:
            raise _no_library() from None
        client = AppStoreServerAPIClient(
            self.private_key.encode(), self.key_id, self.issuer_id, self.bundle_id, Environment.SANDBOX
        )
        client._base_url = self.address
        return client

    def verifier(self) -> "SignedDataVerifier":
        """Apple's verifier of signed data, which trusts this store's root.

        Raises `StorekitError` without Apple's library.
        """
        try:
            from appstoreserverlibrary.models.Environment import Environment
            from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
        except ImportError:
            raise _no_library() from None
        return SignedDataVerifier([self.root_certificate_der], True, Environment.SANDBOX, self.bundle_id)


def _no_library() -> StorekitError:
    return StorekitError("Apple's library is missing: install it with pip install 'pytest-openstorekit[apple]'.")
