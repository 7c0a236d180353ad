# SPDX-License-Identifier: Apache-2.0
"""The keys of a team of Connect, the tokens that PyJWT signs with them, and a program that uses Connect's API."""

import html
import json
import re
import time

import jwt

from connect_console import PASSWORD
from harness import answered

VALID = 1200  # seconds: the longest that a token of Connect's API is accepted


def make_key(console, purpose, role="admin"):
    """Makes a key on the page of the keys, and returns its identifier, the issuer and the private key."""
    form = {"decision": "make", "name": f"{purpose} {role}", "purpose": purpose, "role": role,
            "password": PASSWORD}
    status, _, text = console.send("/connect/keys", form)
    assert status == 200, f"the key was answered {status} {text}"
    private, key, issuer = [html.unescape(found).strip() for found in re.findall(r"<pre>(.*?)</pre>", text, re.S)]
    assert private.startswith("-----BEGIN PRIVATE KEY-----"), f"the page shows {private[:40]}"
    assert private not in console.send("/connect/keys")[2], "the private key is shown twice"
    return key, issuer, private + "\n"


def token(key, issuer, private, seconds=VALID, **claims):
    """A token that ends after some seconds."""
    now = int(time.time())
    payload = {"iss": issuer, "iat": now, "exp": now + seconds, "aud": "appstoreconnect-v1"} | claims
    return jwt.encode(payload, private, algorithm="ES256", headers={"kid": key})


class Program:
    """A program with a key of the team."""

    def __init__(self, store, made):
        self.store = store
        self.key, self.issuer, self.private = made

    def token(self, **claims):
        return token(self.key, self.issuer, self.private, **claims)

    def send(self, method, path, message=None, tag=None, **claims):
        """Returns the status, the ETag and the answer."""
        body = None if message is None else json.dumps(message)
        status, headers, body = self.exchange(method, path, body, {"If-Match": tag} if tag else {}, **claims)
        return status, headers.get("ETag"), json.loads(body) if body else None

    def exchange(self, method, path, body=None, headers=None, **claims):
        """Returns the status, the headers and the bytes of the answer."""
        headers = {"Authorization": f"Bearer {self.token(**claims)}"} | (headers or {})
        return answered(self.store, method, path, body, headers)
