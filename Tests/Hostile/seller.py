# SPDX-License-Identifier: Apache-2.0
"""A seller's server with a key of the store: its tokens for the App Store Server API, signed by OpenSSL."""

import base64
import json
import subprocess
import tempfile
import time
from pathlib import Path

from harness import BUNDLE
from processes import storectl

VALID = 3600  # seconds: the longest that the store accepts


def part(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def number(der, at):
    """An INTEGER of a signature in DER, as 32 bytes, and the place after it."""
    length = der[at + 1]
    return int.from_bytes(der[at + 2:at + 2 + length]).to_bytes(32), at + 2 + length


class Seller:
    def __init__(self, store):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "seller.p8"
            made = json.loads(storectl("key", "create", "Seller", "--output", file, "--data", store.data, "--json"))
            now = int(time.time())
            head = {"alg": "ES256", "kid": made["key"], "typ": "JWT"}
            claims = {"iss": made["issuer"], "iat": now, "exp": now + VALID, "aud": "appstoreconnect-v1", "bid": BUNDLE}
            text = f"{part(json.dumps(head).encode())}.{part(json.dumps(claims).encode())}"
            # Attacks end the token with "g", which has to be another one.
            while (signature := self.sign(file, text)).endswith("g"):
                pass
        self.authorization = f"Bearer {text}.{signature}"

    @staticmethod
    def sign(file, text):
        ran = subprocess.run(["openssl", "dgst", "-sha256", "-sign", file], check=True, capture_output=True,
                             input=text.encode())
        first, after = number(ran.stdout, 2)
        return part(first + number(ran.stdout, after)[0])
