# SPDX-License-Identifier: Apache-2.0
"""The tokens of programs that use the App Store Server API and Connect's API."""

import json
import tempfile
from pathlib import Path

from connect_keys import VALID, token
from harness import BUNDLE
from processes import storectl


def bearer(key, issuer, private, seconds=VALID, **claims):
    """A header of requests. Attacks end the token with "g", which has to be another one."""
    while (made := token(key, issuer, private, seconds, **claims)).endswith("g"):
        pass
    return f"Bearer {made}"


def seller(store):
    """The header of a seller's server with a key of the store."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "seller.p8"
        made = json.loads(storectl("key", "create", "Seller", "--output", file, "--data", store.data, "--json"))
        # The store accepts tokens for the App Store Server API for an hour.
        return bearer(made["key"], made["issuer"], file.read_text(), 3600, bid=BUNDLE)
