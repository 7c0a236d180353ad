# SPDX-License-Identifier: Apache-2.0
"""The keys of a team of Connect, and the tokens that they sign."""

import base64
import html
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from harness import expect

def make_key(console, purpose, role="admin"):
    """Makes a key on the page of the keys, and returns its identifier, the issuer and the private key."""
    form = {"decision": "make", "name": f"{purpose} {role}", "purpose": purpose, "role": role}
    status, _, text = console.send("/connect/keys", form)
    expect(status == 200, f"the key was answered {status} {text}")
    private, key, issuer = [html.unescape(found).strip() for found in re.findall(r"<pre>(.*?)</pre>", text, re.S)]
    expect(private.startswith("-----BEGIN PRIVATE KEY-----"), f"the page shows {private[:40]}")
    expect(private not in console.send("/connect/keys")[2], "the private key is shown twice")
    return key, issuer, private + "\n"


def part(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def number(der, at):
    """An INTEGER of a signature in DER, as 32 bytes, and the place after it."""
    length = der[at + 1]
    return int.from_bytes(der[at + 2:at + 2 + length]).to_bytes(32), at + 2 + length


def signed(file, text):
    """The signature of ES256, by OpenSSL."""
    ran = subprocess.run(["openssl", "dgst", "-sha256", "-sign", file], check=True, capture_output=True,
                         input=text.encode())
    first, after = number(ran.stdout, 2)
    return part(first + number(ran.stdout, after)[0])


def token(key, issuer, private, seconds=1200):
    """A token of Connect's API that ends after some seconds, which OpenSSL signs."""
    now = int(time.time())
    head = {"alg": "ES256", "kid": key, "typ": "JWT"}
    claims = {"iss": issuer, "iat": now, "exp": now + seconds, "aud": "appstoreconnect-v1"}
    text = f"{part(json.dumps(head).encode())}.{part(json.dumps(claims).encode())}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "key.p8"
        file.write_text(private)
        # Attacks end the token with "g", which has to be another one.
        while (signature := signed(file, text)).endswith("g"):
            pass
    return f"{text}.{signature}"
