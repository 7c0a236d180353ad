# SPDX-License-Identifier: Apache-2.0
"""A seller's server with a key of the store: its tokens for the App Store Server API, signed by OpenSSL."""

import json
import tempfile
import time
from pathlib import Path

from connect_keys import part, signed
from harness import BUNDLE
from processes import storectl

VALID = 3600  # seconds: the longest that the store accepts


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
            while (signature := signed(file, text)).endswith("g"):
                pass
        self.authorization = f"Bearer {text}.{signature}"
