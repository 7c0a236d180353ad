# SPDX-License-Identifier: Apache-2.0
"""A valid request for every route of the store, from which the attacks are made."""

import base64
import hashlib
import json
import tempfile
import urllib.parse
from dataclasses import dataclass, field

import samples
import wire
from attacked_store import STRANGER, STRANGERS_PASSWORD, SUBJECT
from connect_console import PASSWORD as CONNECT_PASSWORD, Console, set_up
from connect_keys import make_key
from content_package import package, packed
from harness import BUNDLE, PEAR
from honest import FORM, decide, payment
from page_forms import MULTIPART, encoded, forms_of
from tokens import bearer, seller

# Paths as the router has them.
FILES = [
    "/", "/account", "/openapi", "/pages/page.css", "/pages/connect.css", "/pages/connect-upload.js", "/pages/live.js",
    "/sheet/sheet.js", "/sheet/pending.js", "/healthz", "/readyz", "/metrics",
    *(f"/openapi/{name}.json" for name in ("device", "pages", "server", "control", "connect"))]
EVENTS = "/device/v1/events"
RECEIPT = dict(requestIdentifier="receipt", bundleIdentifier=BUNDLE, applicationVersion="1.0", mayAskToSignIn=False)
CONTENT = "/content/:identifier/:expires/:signature"
# Requests to the App Store Server API without a body.
SERVER_API = [
    *(f"GET /inApps/{path}/:transaction" for path in (
        "v1/transactions", "v1/transactions/appTransactions", "v1/history", "v2/history", "v1/refund/lookup",
        "v2/refund/lookup", "v1/subscriptions")),
    "GET /inApps/v1/lookup/:order", "POST /inApps/v1/transactions/:transaction/finish",
    "GET /inApps/v1/subscriptions/extend/mass/:product/:request",
    "POST /inApps/v1/notifications/test", "GET /inApps/v1/notifications/test/:token",
]
UPLOAD = "/control/v1/content-uploads/:upload/:offset"
ACCOUNT_PAGES = ["subscriptions", "settings", "payment", "devices", "sessions", "password", "email", "delete"]
ITEM_PAGES = ["/app/:item", "/app/:item/:storefront/:language", "/item/:item", "/item/:item/:storefront/:language",
              "/item/:item/buy", "/item/:item/redeem", "/artwork/:item/:digest"]
# The pages of Connect that are attacked without a session, with and without a form.
ENTRIES = ["sign-in", "forgotten", "setup/:token", "invitation/:token", "recovery/:token"]
CONNECT = [*ENTRIES, "users", "users/:user", "keys", "account", "apps", "apps/:app", "apps/:app/new-product",
           "apps/:app/products/:product"]
# Requests to Connect's API without a body.
CONNECT_API = [
    *(f"GET /connect/v1/{path}" for path in (
        "team", "roles", "log", "price-tiers", "users", "users/:user", "invitations", "apps", "apps/:app",
        "apps/:app/groups", "apps/:app/products", "apps/:app/products/:product",
        "apps/:app/file", "apps/:app/file/comparison", "apps/:app/table", "apps/:app/table/comparison",
        "apps/:app/products/:product/offers", "apps/:app/products/:product/scheduled-prices",
        "apps/:app/contacts", "apps/:app/codes", "apps/:app/codes/:batch", "apps/:app/codes/:batch/codes", "testers", "testers/:tester",
        "apps/:app/icon", "apps/:app/products/:product/image", "apps/:app/products/:product/screenshot",
        "apps/:app/promotions", "apps/:app/store-page", "apps/:app/versions", "apps/:app/versions/:version",
        "agreements", "agreements/contracts/:number", "transactions", "transactions/:transaction",
        "apps/:app/notification-addresses", "apps/:app/notification-addresses/:address",
        "apps/:app/notification-test", "apps/:app/secrets", "items", "items/:item", "items/:item/icon",
        "items/:item/screenshots/:place", "reviews", "reviews/:app/:product", "reviews/:app/:product/screenshot",
        "apps/:app/products/:product/content")),
    *(f"DELETE /connect/v1/{path}" for path in (
        "users/:user", "invitations/:email", "apps/:app/file/comparison", "apps/:app/table/comparison",
        "apps/:app/products/:product/offers/introductory", "apps/:app/products/:product/offers/:kind/:offer",
        "apps/:app/products/:product/scheduled-prices/:change", "apps/:app/icon",
        "apps/:app/products/:product/image", "apps/:app/products/:product/screenshot",
        "apps/:app/store-page/screenshots/:place", "apps/:app/versions/:version", "testers/:tester",
        "testers/:tester/purchases", "testers/:tester/family", "testers/:tester/family/membership",
        "apps/:app/notification-addresses/:address", "items/:item/icon", "items/:item/screenshots/:place",
        "apps/:app/products/:product/content/:version")),
    *(f"POST /connect/v1/{path}" for path in (
        "apps/:app/products/:product/submission", "apps/:app/file/import",
        "apps/:app/table/import", "apps/:app/versions/:version/release", "apps/:app/codes/:batch/completion",
        "apps/:app/codes/:batch/revocation", "testers/:tester/family",
        "transactions/:transaction/notifications/:notification/attempts", "apps/:app/notification-test",
        "apps/:app/secrets/:owner")),
]
CONNECT_PAGES = ["/connect", "/connect/roles", "/connect/log"]
# The pages of Connect that are attacked by a user who is signed in, with and without a form.
CONSOLE_FORMS = [
    "agreements", "apps/:app/codes", "apps/:app/file", "apps/:app/notifications", "apps/:app/promotion",
    "apps/:app/secrets", "apps/:app/store-page", "apps/:app/table", "apps/:app/versions",
    "apps/:app/products/:product/content",
    "apps/:app/products/:product/images", "apps/:app/products/:product/offers",
    "apps/:app/products/:product/prices", "items/:item", "new-item", "reviews/:app/:product", "testers",
    "testers/:tester", "transactions/:transaction",
]
CONSOLE_PAGES = [
    "agreements/:number", "apps/:app/checklist", "apps/:app/contacts", "apps/:app/contacts/download", "apps/:app/codes/:batch/download", "apps/:app/file/download",
    "apps/:app/images/:digest", "apps/:app/products/:product/images/:digest", "apps/:app/table/download", "live",
    "items", "reviews", "reviews/:app/:product/screenshot/:digest",
    "transactions",
]
# The pages that show a form only for a product that waits for its review.
FORMLESS = {"reviews/:app/:product"}
LIVE = "/connect/live/stream"
PKI = ["roots.pem", "bundle.pem", "jws-root.cer", "intermediate.crl"]


def attacked_routes():
    """Every route that is attacked, as `METHOD /path` in the router's spelling."""
    return {
        *(f"POST /device/v1/{path}" for path in samples.DEVICE), f"POST {EVENTS}",
        *(f"POST /control/v1/{verb}" for verb in samples.CONTROL),
        *(f"GET {path}" for path in FILES),
        "GET /account/forgotten", "POST /account/forgotten",
        *(f"{method} /account/{page}/:token" for method in ("GET", "POST") for page in ("reset", "email")),
        "GET /sheet/:token", "POST /sheet/:token", "POST /sheet/:token/closed", "POST /verifyReceipt",
        *(f"{method} /account/{page}" for method in ("GET", "POST") for page in ACCOUNT_PAGES),
        "GET /account/purchases", "POST /account/purchases",
        "GET /account/purchases/:transaction", "POST /account/purchases/:transaction",
        "GET /account/purchases/:transaction/problem", "POST /account/purchases/:transaction/problem",
        "GET /account/family", "POST /account/family",
        *(f"{method} /connect/{page}" for method in ("GET", "POST") for page in CONNECT),
        *(f"GET {path}" for path in CONNECT_PAGES), "POST /connect/sign-out", f"GET {LIVE}",
        *(f"{method} /connect/{page}" for method in ("GET", "POST") for page in CONSOLE_FORMS),
        *(f"GET /connect/{page}" for page in CONSOLE_PAGES),
        *(f"GET {path}" for path in ITEM_PAGES), "POST /item/:item/buy",
        "POST /item/:item/redeem",
        "GET /sandbox/payments/:number", "POST /sandbox/payments/:number",
        *SERVER_API, *samples.SERVER, *CONNECT_API, *samples.CONNECT, *samples.CONNECT_FILES,
        "GET /pki/:file", "POST /pki/ocsp", "GET /pki/ocsp/**", f"GET {CONTENT}", f"HEAD {CONTENT}", f"POST {UPLOAD}",
    }


@dataclass
class Target:
    """A request that the store would accept."""

    route: str
    path: str
    headers: list = field(default_factory=list)
    message: dict = None
    form: dict = None
    body: bytes = None
    # Whether the form is sent as parts.
    is_multipart: bool = False
    # Whether a form of the same page is attacked, so that only its own fields differ.
    is_further: bool = False
    # The message that asks for a sheet with this form; `None` for a form of a page.
    asks: str = None

    @property
    def method(self):
        return self.route.split()[0]

    def content(self):
        if self.message is not None:
            return json.dumps(samples.fresh(self.message)).encode()
        return encoded(self.form, self.is_multipart) if self.form is not None else self.body

    def request(self, store, body=None, headers=(), host=None, method=None, path=None, drops=()):
        """The request's bytes with an attack's changes."""
        usual = [("Host", wire.host_of(store)), ("Accept", "application/json"), *self.headers]
        if host is not None:
            usual[0] = ("Host", host)
        kept = [(name, value) for name, value in usual if name not in drops]
        content = self.content() if body is None else body
        return wire.whole(method or self.method, path or self.path, [*kept, *headers], content)


class Targets:
    """Makes the devices, the transaction, the receipt, the sheets and the token that valid requests need."""

    def __init__(self, attacked):
        self.store = attacked.store
        buyer = attacked.device()
        position = buyer.sign_in(STRANGER, STRANGERS_PASSWORD)
        answer = decide(self.store, buyer.sheet("bought"), "buy", STRANGER, STRANGERS_PASSWORD)
        assert answer.status == 200, f"the stranger's purchase was answered {answer}"
        bought = buyer.answered("payments", **payment("bought"))
        self.buyer = buyer
        self.known = {
            "account": position["account"], "transaction": bought["transaction"]["transactionIdentifier"],
            "email": STRANGER, "subject": SUBJECT, "password": STRANGERS_PASSWORD,
            "receipt": buyer.answered("receipt", **RECEIPT)["receipt"],
        }
        self.token = (self.store.data / "control.token").read_text().strip()
        self.seller = seller(self.store)
        self.host_content()
        self.set_up_connect()
        self.leaver = attacked.device()  # signs out repeatedly
        self.control("add-item", samples.CONTROL["add-item"])
        self.sheets = [self.leaver.sheet(f"sheet-{number}") for number in range(3)]
        self.sheets.append(self.leaver.sheet_of("redemption", "redemption"))

    def control(self, path, message=None, body=None):
        """Sends a call of the remote control that the store has to accept, and returns the answer."""
        headers = [("Authorization", f"Bearer {self.token}")]
        body = json.dumps(message).encode() if body is None else body
        answer = wire.ask(self.store, "POST", f"/control/v1/{path}", headers, body)
        assert answer.status == 200, f"{path} was answered {answer}"
        return answer.json

    def begin_upload(self, version):
        with tempfile.TemporaryDirectory() as folder:
            content = packed(package(f"{folder}/book", PEAR, version, {"book.bin": 5000}))
        begun = self.control("begin-content-upload", {
            "bundle": BUNDLE, "product": PEAR, "version": version, "bytes": len(content),
            "checksum": hashlib.sha256(content).hexdigest()})
        return begun["upload"], content

    def host_content(self):
        """Publishes the content of a pear, buys the pear, and begins the upload of another version."""
        upload, content = self.begin_upload("1.0")
        self.control(f"content-uploads/{upload}/0", body=content)
        self.control("publish-content-upload", {"upload": upload})
        sheet = self.buyer.sheet("content", PEAR)
        answer = decide(self.store, sheet, "buy", STRANGER, STRANGERS_PASSWORD)
        assert answer.status == 200, f"the purchase of a pear was answered {answer}"
        bought = self.buyer.answered("payments", **payment("content", PEAR))
        self.known["content"] = bought["transaction"]["transactionIdentifier"]
        self.address = self.buyer.answered("content", transaction=self.known["content"])["address"]
        self.upload, self.part = self.begin_upload("2.0")

    def server_requests(self):
        headers = [("Authorization", self.seller), ("Content-Type", "application/json")]
        names = {":transaction": self.known["transaction"], ":order": self.known["transaction"],
                 ":product": samples.BASKET, ":request": "758883e8-151b-47b7-abd0-60c4d804c2f5",
                 ":token": "758883e8-151b-47b7-abd0-60c4d804c2f5"}
        for route in [*SERVER_API, *samples.SERVER]:
            path = "/".join(names.get(part, part) for part in route.split()[1].split("/"))
            message = samples.SERVER.get(route)
            body = b"" if message is None and route.startswith("POST") else None
            yield Target(route, path, headers, message, body=body)

    def set_up_connect(self):
        """A team with a key of Connect's API, a developer, and a product."""
        console = set_up(self.store)
        self.session = ("Cookie", console.cookie)
        self.program = [("Authorization", bearer(*make_key(console, "connect", "account-holder")))]
        self.user, self.leaving_user = (self.join(f"{name}@example.com") for name in ("staying", "leaving"))
        self.tester = self.add_tester("tester")
        self.item = self.asked("POST", "items", samples.CONNECT["POST /connect/v1/items"]).json["item"]
        self.asked("POST", "apps/" + BUNDLE + "/products", {
            "product": "kiwi", "kind": "Consumable", "reference": "Kiwi", "tier": 1,
            "texts": {"en_US": {"title": "Kiwi", "description": "A kiwi"}}})
        # The operator's team agrees to nothing: another one shows the forms of agreements.
        self.control("publish-agreement", samples.CONTROL["publish-agreement"])
        other = Console(self.store)
        address = self.control("add-team", samples.CONTROL["add-team"])["address"]
        status, _, _ = other.send(urllib.parse.urlsplit(address).path, {
            "team": "Vegetables", "email": "vera@example.com", "name": "Vera", "newPassword": CONNECT_PASSWORD})
        assert status == 303, f"the set-up of another team was answered {status}"
        self.other_session = ("Cookie", other.cookie)
        # Codes are drawn for an offer.
        product = f"apps/{BUNDLE}/products/{samples.BASKET}"
        self.asked("POST", f"{product}/offers", samples.CONNECT["POST /connect/v1/apps/:app/products/:product/offers"],
                   tag=self.asked("GET", product).headers["etag"])

    def join(self, email):
        """Makes a developer of the team, and returns the user's identifier."""
        invited = self.asked("POST", "invitations", {"email": email, "role": "developer"})
        path = urllib.parse.urlsplit(invited.json["address"]).path
        status, _, _ = Console(self.store).send(path, {"name": "Dora", "newPassword": CONNECT_PASSWORD})
        assert status == 303, f"the invitation was answered {status}"
        return self.asked("GET", f"users?search={email}").json["users"][0]["user"]

    def add_tester(self, name):
        """Adds a sandbox tester of the team, and returns its identifier."""
        added = self.asked("POST", "testers", {
            "email": f"{name}@testers.example", "password": CONNECT_PASSWORD, "storefront": "USA"})
        return added.json["tester"]

    def asked(self, method, path, message=None, tag=None):
        """Sends a request to Connect's API that the store has to carry out, and returns the answer."""
        body = None if message is None else json.dumps(message).encode()
        headers = [*self.program, *([("If-Match", tag)] if tag else [])]
        answer = wire.ask(self.store, method, f"/connect/v1/{path}", headers, body)
        assert answer.status < 300, f"{path} was answered {answer}"
        return answer

    def connect_requests(self):
        names = {":app": BUNDLE, ":product": "kiwi", ":user": self.user, ":email": "nobody@example.com",
                 ":batch": "0" * 16, ":kind": "code", ":offer": "unknown", ":change": "0" * 32,
                 ":tester": self.tester, ":number": "1", ":transaction": self.known["transaction"],
                 ":refund": "5e" * 16, ":notification": "758883e8-151b-47b7-abd0-60c4d804c2f5",
                 ":address": "5e" * 12, ":owner": "app", ":item": str(self.item), ":place": "1",
                 ":version": "1.0"}
        tags = {"users": '"developer"', "apps": '"0"', "products": '"1"', "reviews": '"1"'}
        # The user and the tester stay.
        kept = {":user": names[":user"], ":tester": names[":tester"]}
        for route in [*CONNECT_API, *samples.CONNECT, *samples.CONNECT_FILES]:
            method, path = route.split()
            names |= dict.fromkeys(kept, "0" * 32) if method == "DELETE" else kept
            words = path.split("/")
            tag = next((tags[word] for word in reversed(words) if word in tags), '"0"')
            headers = [*self.program, ("Content-Type", "application/json"), ("If-Match", tag)]
            if "content" in words:  # Only a non-consumable has content.
                words = [PEAR if word == ":product" else word for word in words]
            path = "/".join(names.get(word, word) for word in words)
            message, file = samples.CONNECT.get(route), samples.CONNECT_FILES.get(route)
            query = "?search=a&after=9.b&before=9&kind=Consumable&sort=newest" if method == "GET" else ""
            yield Target(route, path + query, headers, message,
                         body=b"" if message is None and method == "POST" else file)

    def device_messages(self):
        for path, sample in samples.DEVICE.items():
            device = self.leaver if path == "sign-out" else self.buyer
            headers = [("Authorization", device.authorization), ("Content-Type", "application/json")]
            message = samples.filled(sample, self.known)
            yield Target(f"POST /device/v1/{path}", f"/device/v1/{path}", headers, message)
            if path == "payments":
                # A discount or an offer that isn't sold ends a payment early.
                for ends in (
                    ("discount", "isWithdrawn", "winBackOffer", "introductoryOfferEligibility"),
                    ("discount", "isWithdrawn", "introductoryOfferEligibility"),
                    ("discount", "isWithdrawn", "winBackOffer")):
                    plain = {key: message[key] for key in message if key not in ends}
                    yield Target(f"POST /device/v1/{path}", f"/device/v1/{path}", headers, plain)

    def connect(self):
        """The pages of Connect, without a session."""
        headers = [FORM, ("Origin", self.store.url)]
        form = {"decision": "save", "email": self.known["email"], "password": "wrong", "next": "/connect/roles",
                "newPassword": "another long horse", "name": "Anna", "team": "Fruit", "role": "admin",
                "purpose": "connect", "key": "ABCDEFGH23", "kind": "Consumable", "product": "kiwi",
                "reference": "Kiwi", "tier": "1", "version": "1"}
        for page in CONNECT:
            path = "/connect/" + page.replace(":token", "0" * 64).replace(":user", "0" * 32)
            path = path.replace(":app", BUNDLE).replace(":product", "kiwi")
            yield Target(f"GET /connect/{page}", f"{path}?q=a&after=9.b&before=9&sort=newest&done=saved")
            # Without a session only these read a form.
            fields = {"form": form} if page in ENTRIES else {"body": encoded(form)}
            yield Target(f"POST /connect/{page}", path, headers, **fields)
        for path in CONNECT_PAGES:
            yield Target(f"GET {path}", f"{path}?q=a&before=9&sort=newest")
        yield Target("POST /connect/sign-out", "/connect/sign-out", headers, body=encoded(form))

    def console(self):
        """The pages of Connect that show and change the team's things, with the session of an account holder."""
        form = {"decision": "save", "version": "1", "email": "tester@example.com", "storefront": "USA", "name": "Anna",
                "offer": "summer", "start": "2030-01-01", "tier": "2", "count": "5", "holder": "Anna", "iban": "",
                "url": "https://seller.example/notify", "environment": "Sandbox", "address": "00" * 12}
        for page in [*CONSOLE_FORMS, *CONSOLE_PAGES]:
            path = self.console_path(page)
            query = f"q=a&app={BUNDLE}&before=9&sort=oldest&done=saved"
            yield Target(f"GET /connect/{page}", f"{path}?{query}", [self.session])
            if page in CONSOLE_FORMS:
                yield Target(f"POST /connect/{page}", path, [FORM, ("Origin", self.store.url), self.session],
                             body=encoded(form))
        # Without a session: a stream doesn't end, and requests wait for the end of each answer.
        yield Target(f"GET {LIVE}", f"{LIVE}?app={BUNDLE}")

    def console_path(self, page):
        names = {":app": BUNDLE, ":product": "kiwi", ":user": self.user, ":tester": self.known["account"],
                 ":number": "1", ":batch": "1", ":transaction": self.known["transaction"], ":digest": "00" * 32,
                 ":item": str(self.item)}
        words = page.split("/")
        if "content" in words:  # Only a non-consumable has content.
            names[":product"] = PEAR
        return "/connect/" + "/".join(names.get(word, word) for word in words)

    def page_forms(self):
        """The forms that Connect's pages show to an account holder. A valid one may revoke a key."""
        shown = []
        for page in [*CONNECT, *CONSOLE_FORMS]:
            if page in ENTRIES:
                continue
            path = self.console_path(page) + (f"?product={samples.BASKET}" if page.endswith("/codes") else "")
            session = self.other_session if page == "agreements" else self.session
            answer = wire.ask(self.store, "GET", path, [session, ("Accept", "text/html")])
            assert answer.status == 200, f"{path} was answered {answer}"
            for form in forms_of(answer.body.decode()):
                if form.action:  # It is another page's.
                    continue
                is_further = page in shown
                shown.append(page)
                kind = ("Content-Type", MULTIPART) if form.is_multipart else FORM
                yield Target(f"POST /connect/{page}", path, [kind, ("Origin", self.store.url), session],
                             form=form.fields, is_multipart=form.is_multipart, is_further=is_further)
        without = {*CONNECT, *CONSOLE_FORMS} - {*shown, *ENTRIES}
        assert without == FORMLESS, f"pages that show no form: {without}, not {FORMLESS}"

    def are_in_force(self):
        """Requires that the session and the key of Connect with which the attacks were made are still accepted."""
        answer = wire.ask(self.store, "GET", "/connect/apps", [self.session, ("Accept", "text/html")])
        assert answer.status == 200, f"the session was answered {answer} after the attacks"
        self.asked("GET", "team")

    def events(self):
        headers = [("Authorization", self.buyer.authorization), ("Content-Type", "application/json")]
        return Target(f"POST {EVENTS}", EVENTS, headers, samples.filled(samples.EVENTS, self.known))

    def all(self):
        yield from self.device_messages()
        yield self.events()
        for verb, sample in samples.CONTROL.items():
            # A reset would empty the store under the other attacks: its request has another token.
            token = "0" * 64 if verb == "reset" else self.token
            headers = [("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")]
            yield Target(f"POST /control/v1/{verb}", f"/control/v1/{verb}", headers,
                         samples.filled(sample, self.known))
        for method in ("GET", "HEAD"):
            yield Target(f"{method} {CONTENT}", self.address)
        headers = [("Authorization", f"Bearer {self.token}"), ("Content-Type", "application/octet-stream")]
        yield Target(f"POST {UPLOAD}", f"/control/v1/content-uploads/{self.upload}/0", headers, body=self.part)
        yield Target("GET /sheet/:token", self.sheets[0])
        form = samples.filled(samples.FORM, self.known) | {"password": ""}
        yield Target("POST /sheet/:token", self.sheets[1], [FORM], form=form, asks="payments")
        form = samples.filled(samples.REDEMPTION_FORM, self.known)
        yield Target("POST /sheet/:token", self.sheets[3], [FORM], form=form, asks="redemption")
        yield Target("POST /sheet/:token/closed", self.sheets[2] + "/closed", body=b"")
        page = "/account/purchases"
        form = {"decision": "show", "email": self.known["email"], "password": self.known["password"]}
        receipt = f"{page}/{self.known['transaction']}"
        yield Target(f"GET {page}", f"{page}?before={self.known['transaction']}")
        yield Target(f"POST {page}", page, [FORM], form=form | {"before": self.known["transaction"]})
        yield Target(f"GET {page}/:transaction", receipt)
        yield Target(f"POST {page}/:transaction", receipt, [FORM], form=form)
        yield Target(f"GET {page}/:transaction/problem", f"{receipt}/problem")
        yield Target(f"POST {page}/:transaction/problem", f"{receipt}/problem", [FORM],
                     form=form | {"decision": "ask", "reason": "other", "comment": "It is sour."})
        form = {"decision": "show", "email": self.known["email"], "password": self.known["password"]}
        for page in ACCOUNT_PAGES:
            yield Target(f"GET /account/{page}", f"/account/{page}")
            yield Target(f"POST /account/{page}", f"/account/{page}", [FORM], form=form)
        yield Target("GET /account/family", "/account/family")
        yield Target("POST /account/family", "/account/family", [FORM], form=form | {"request": "unknown"})
        for route in ITEM_PAGES:
            path = route.replace(":item", "1001").replace(":storefront", "USA").replace(":language", "en")
            yield Target(f"GET {route}", path.replace(":digest", "00" * 32))
        for action in ("buy", "redeem"):
            yield Target(f"POST /item/:item/{action}", f"/item/1001/{action}", [FORM], form=form)
        yield Target("GET /account/forgotten", "/account/forgotten")
        yield Target("POST /account/forgotten", "/account/forgotten", [FORM], form={"email": self.known["email"]})
        for page in ("reset", "email"):
            yield Target(f"GET /account/{page}/:token", f"/account/{page}/unknown")
            yield Target(f"POST /account/{page}/:token", f"/account/{page}/unknown", [FORM],
                         form={"newPassword": "another horse"})
        yield from self.connect()
        yield from self.console()
        yield Target("GET /sandbox/payments/:number", "/sandbox/payments/unknown")
        yield Target("POST /sandbox/payments/:number", "/sandbox/payments/unknown", [FORM], body=b"decision=confirm")
        yield Target("POST /verifyReceipt", "/verifyReceipt", [("Content-Type", "application/json")],
                     samples.filled(samples.VERIFY_RECEIPT, self.known))
        yield from self.server_requests()
        yield from self.connect_requests()
        for path in FILES:
            yield Target(f"GET {path}", path)
        for name in PKI:
            yield Target("GET /pki/:file", f"/pki/{name}")
        question = bytes.fromhex("3003300130") * 8
        yield Target("POST /pki/ocsp", "/pki/ocsp", [("Content-Type", "application/ocsp-request")], body=question)
        yield Target("GET /pki/ocsp/**", "/pki/ocsp/" + urllib.parse.quote(base64.b64encode(question), safe=""))

