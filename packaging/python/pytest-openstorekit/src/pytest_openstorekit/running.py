# SPDX-License-Identifier: Apache-2.0
"""A store that was started by others: on this machine, or in a container."""

import base64
import functools
import secrets
import string

from pytest_openstorekit.control import Control
from pytest_openstorekit.errors import StorekitError
from pytest_openstorekit.process import StoreFacts
from pytest_openstorekit.transport import Transport


class RunningStore:
    """A store at an address. A key for the App Store Server API is made for this run."""

    def __init__(self, address: str, token: str, bundle_id: str) -> None:
        self._transport = Transport(address, token)
        self._token, self._bundle_id = token, bundle_id

    @functools.cached_property
    def facts(self) -> StoreFacts:
        """The store, and the new key.

        Raises `StorekitError` when no store answers, or without the package `cryptography`.
        """
        try:
            root = self._transport.get("/pki/jws-root.cer")
            receipt_root = self._transport.get("/pki/root.pem").decode()
        except OSError as error:
            raise StorekitError(
                f"No store answers at {self._transport.address} ({error}): start it, or correct storekit_address."
            ) from None
        key_id = "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(10))
        private_key, public_key = _make_key()
        keys = Control(self._transport).register_key(key=key_id, name="pytest", public_key=public_key)
        return StoreFacts(
            address=self._transport.address,
            bundle_id=self._bundle_id,
            control_token=self._token,
            root_certificate=_pem(root),
            receipt_root_certificate=receipt_root,
            key_id=key_id,
            issuer_id=keys["issuer"],
            private_key=private_key,
        )


def _pem(certificate: bytes) -> str:
    body = base64.encodebytes(certificate).decode()
    return f"-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----\n"


def _make_key() -> tuple[str, str]:
    """A private key of P-256 as PEM, and its public part as the store takes it."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise StorekitError(
            "storekit_noproc makes a key with the package cryptography: pip install 'pytest-openstorekit[apple]' "
            "installs it."
        ) from None
    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return private.decode(), base64.b64encode(public).decode()
