# SPDX-License-Identifier: Apache-2.0
"""Connect's API of a running store, with tokens that PyJWT signs.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import http.client
import json
import signal
import sys
import time
from pathlib import Path

import jwt

sys.path.insert(0, str(Path(__file__).resolve().parent))

from connect_keys import make_key  # noqa: E402
from harness import EMAIL, PASSWORD, Store, expect, play_all  # noqa: E402
from processes import storectl  # noqa: E402
from test_connect import set_up  # noqa: E402


class Program:
    """A program with a key of the team, whose tokens PyJWT signs."""

    def __init__(self, store, made):
        self.store = store
        self.key, self.issuer, self.private = made

    def token(self, **claims):
        now = int(time.time())
        payload = {"iss": self.issuer, "iat": now, "exp": now + 1200, "aud": "appstoreconnect-v1"} | claims
        return jwt.encode(payload, self.private, algorithm="ES256", headers={"kid": self.key})

    def send(self, method, path, message=None, tag=None, **claims):
        """Returns the status, the ETag and the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.store.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.token(**claims)}"} | ({"If-Match": tag} if tag else {})
        try:
            connection.request(method, path, None if message is None else json.dumps(message), headers)
            answer = connection.getresponse()
            body = answer.read()
            return answer.status, answer.headers.get("ETag"), json.loads(body) if body else None
        finally:
            connection.close()


def programs(folder):
    """A program registers an app and a product by the API, and a customer buys the product; a killed store has kept
    both, and a revoked key is refused."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        program = Program(store, make_key(console, "connect", "developer"))
        bundle, name = "com.example.api", "=HYPERLINK(1)"
        app = {"bundle": bundle, "name": name, "sku": "API-1", "locale": "en_US"}
        status, tag, answer = program.send("POST", "/connect/v1/apps", app)
        expect(status == 201 and tag == '"1"' and answer["name"] == name, f"the app was answered {status} {answer}")
        status, _, answer = program.send("POST", "/connect/v1/apps", app | {"sku": "API-2"})
        expect(status == 400 and answer["error"]["fields"] == [{"field": "bundle", "problem": "taken"}],
               f"another app was answered {status} {answer}")
        products = f"/connect/v1/apps/{bundle}/products"
        product = {"product": "fig", "kind": "Consumable", "reference": "Fig", "tier": 1,
                   "texts": {"en_US": {"title": "Fig", "description": "A fig"}}}
        status, tag, answer = program.send("POST", products, product)
        expect(status == 201 and answer["state"] == "approved", f"the product was answered {status} {answer}")
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        status, changed, _ = program.send("PATCH", f"{products}/fig", {"tier": 2}, tag)
        expect(status == 200 and changed == '"2"', f"the change was answered {status} {changed}")
        status, _, answer = program.send("PATCH", f"{products}/fig", {"tier": 3}, tag)
        expect(status == 409 and answer["saved"]["tier"] == 2, f"the second change was answered {status} {answer}")
        store.add_account(EMAIL, PASSWORD)
        bought = json.loads(storectl("buy", EMAIL, "fig", "--bundle-id", bundle, "--json", "--data", store.data))
        expect(bought["product"] == "fig", f"the purchase was answered {bought}")

        now = int(time.time())
        for claims in ({"exp": now - 1}, {"exp": now + 1300}, {"aud": "other"}, {"iss": "other"},
                       {"scope": ["GET /connect/v1/team"]}):
            status, _, answer = program.send("GET", products, **claims)
            expect(status == 401 and answer["error"]["code"] == "credentials-missing", f"{claims}: {status} {answer}")
        status, _, _ = program.send("GET", "/connect/v1/team", scope=["GET /connect/v1/team"])
        expect(status == 200, f"a token with a scope was answered {status}")
        expect(program.send("GET", "/connect/v1/log")[0] == 403, "a developer's key reads the log")
        console.send("/connect/keys", {"decision": "revoke", "key": program.key})
        expect(program.send("GET", products)[0] == 401, "a revoked key is accepted")
        expect(program.key in console.send("/connect/log")[2], "the log doesn't name the key")
        expect("BEGIN PRIVATE KEY" not in store.log.read_text(), "a private key is in the log")
    finally:
        store.stop()


def scenarios():
    yield "connect: a program registers a product by the API", programs, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
