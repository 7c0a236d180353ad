# SPDX-License-Identifier: Apache-2.0
"""The store behind a cache that all visitors share: Debian's nginx, which keeps all that the headers allow.

No visitor may get another one's country, language, prices, promotions, cookies or sheets. `scripts/setup test` unpacks
nginx if it isn't installed; without it the tests fail. The tests share one store.
"""

import http.client
import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlencode

import pytest

from processes import (
    APPLE, BUNDLE, PASSWORD, PATIENCE, PEAR, ROOT, SEEDS, Failed, Running, Store, free_port, storectl, wait_until)

pytestmark = pytest.mark.xdist_group("cache")

ORIGIN = "https://store.example"
ITEMS = ROOT / "Examples" / "BuyFruit" / "Items" / "items.json"
# The cache keeps every answer for an hour whose own headers don't forbid it, and ignores nothing of them.
CONFIGURATION = """
{user}
daemon off;
pid nginx.pid;
events {{ worker_connections 64; }}
http {{
    {temporary}
    access_log off;
    proxy_cache_path cache keys_zone=pages:1m;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{store};
            proxy_set_header Host store.example;
            proxy_cache pages;
            proxy_cache_valid any 1h;
            add_header X-Cache $upstream_cache_status always;
        }}
    }}
}}
"""


def nginx():
    """The path of nginx: the system's, which Debian has in /usr/sbin, or the one that scripts/setup has unpacked."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:{ROOT / '.venv/nginx/usr/sbin'}")
    if not found:
        raise Failed("nginx is missing: run scripts/setup test.")
    return found


class Cache(Running):
    """nginx in front of a store."""

    def __init__(self, folder, store):
        self.folder = Path(folder) / "nginx"
        self.folder.mkdir()
        super().__init__("nginx", self.folder / "nginx.log")
        self.port = free_port()
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "\n    ".join(f"{kind}_temp_path {kind};" for kind in kinds)
        # Without it nginx reads the folder as another user, which can't enter it.
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            CONFIGURATION.format(user=user, temporary=temporary, port=self.port, store=store.port))

    def serve(self):
        self.start([nginx(), "-p", self.folder, "-c", "nginx.conf", "-e", "error.log"])
        self.wait_for(f"http://127.0.0.1:{self.port}/healthz")


class Answer:
    def __init__(self, port, path, headers, method="GET", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request(method, path, body=body, headers={"Host": "store.example", **headers})
            answer = connection.getresponse()
            self.status, self.headers, self.text = answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    @property
    def cached(self):
        return self.headers.get("X-Cache") == "HIT"

    @property
    def content(self):
        """The values that a visitor sees and the browser keeps. The times of clicks differ, and a cookie's attributes
        have any order."""
        click = re.sub(r"=\d{13}", "=", self.headers.get("Set-Cookie") or "")
        return self.status, self.headers.get("Location"), sorted(click.split("; ")), self.text


class Shop:
    """A store with items behind the cache, and visitors of several countries, of whom two are signed in."""

    def __init__(self, folder):
        self.metrics = free_port()
        self.store = Store(
            folder, arguments=("--public-url", ORIGIN, "--metrics-listen", f"127.0.0.1:{self.metrics}"))
        self.store.serve()
        storectl("item", "add", ITEMS, *self.store.where)
        storectl("product", "promote", BUNDLE, PEAR, APPLE, *self.store.where)
        self.cache = Cache(folder, self.store)
        try:
            self.cache.serve()
        except Exception:
            self.store.stop()
            raise
        self.visitors = [
            {}, {"Accept-Language": "en-US"}, {"Accept-Language": "de-DE,en;q=0.5"}, {"Accept-Language": "fr-FR"},
            {"Cookie": "__Host-store_click=1&at=other", "Accept-Language": "de-AT"},
            {"Accept-Language": "de-DE", "Accept": "application/json"},
            {"Accept-Language": "en-US", "Cookie": self.signed_in("DEU")},
            {"Accept-Language": "de-DE", "Cookie": self.signed_in("JPN")},
        ]

    def signed_in(self, country):
        """The cookie of the session of a new account in a country."""
        email = f"{country}@example.com"
        self.store.add_account(email, PASSWORD)
        storectl("account", "set", email, "--storefront", country, *self.store.where)
        form = {"email": email, "password": PASSWORD, "decision": "show"}
        answer = self.post("/account/purchases", form)
        assert answer.status == 200 and "__Host-store_session=" in (answer.headers.get("Set-Cookie") or ""), (
            f"the sign-in was answered {answer.status} {answer.headers}")
        return answer.headers["Set-Cookie"].split(";")[0]

    def post(self, path, form, **headers):
        return Answer(self.cache.port, path, {
            "Origin": ORIGIN, "Content-Type": "application/x-www-form-urlencoded", **headers}, "POST", urlencode(form))

    def get(self, path, visitor):
        return Answer(self.cache.port, path, visitor)

    def straight(self, path, visitor):
        """The answer of the store itself."""
        return Answer(self.store.port, path, visitor)

    def close(self):
        self.cache.stop()
        self.store.stop()


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(tmp_path_factory.mktemp("cache"))
    yield shop
    shop.close()


PUBLIC = ["/app/1001/USA/en", "/app/1001/DEU/de", "/app/1001/FRA/fr", "/app/1001/JPN/en", "/item/1002/DEU/en"]
OWN = ["/app/1001", "/item/1002", "/app/1001?at=friends&ct=autumn", "/app/1001/USA/en?at=friends",
       f"/app/1001/USA/en?order={APPLE}", f"/app/1001?hide={PEAR}&show={SEEDS}", "/item/1001/USA/en", "/item/1001/buy",
       "/item/1001/redeem", "/app/1003", "/app/1001/XXX/en", "/account/purchases", "/account/settings",
       "/sheet/" + "0" * 64]


def test_a_public_page_is_kept_and_is_the_same_for_all(shop):
    for path in PUBLIC:
        answers = [shop.get(path, visitor) for visitor in shop.visitors]
        assert [answer.cached for answer in answers] == [False] + [True] * (len(answers) - 1), (
            f"{path}: {[answer.headers.get('X-Cache') for answer in answers]}")
        for visitor, answer in zip(shop.visitors, answers):
            assert answer.status == 200 and answer.content == shop.straight(path, visitor).content, (
                f"{path} isn't the store's for {visitor}")
            assert "Set-Cookie" not in answer.headers and "Vary" not in answer.headers, f"{path}: {answer.headers}"
            assert answer.headers["Cache-Control"] == "public, max-age=60", f"{path}: {answer.headers}"
    prices = [shop.get(f"/item/1002/{place}", {}).text.decode() for place in ("USA/en", "DEU/de")]
    assert "$0.99" in prices[0] and "1,09 €" in prices[1], "the pages have other prices than their countries'"


def test_no_other_answer_is_kept(shop):
    for path in OWN:
        # The cache would answer the second time at the latest, also if it kept an answer of each visitor.
        for visitor in shop.visitors * 2:
            answer = shop.get(path, visitor)
            assert not answer.cached, f"{path} was kept for {visitor}"
            assert answer.headers.get("Cache-Control") == "no-store", f"{path}: {answer.headers}"
        for visitor in shop.visitors:
            assert shop.get(path, visitor).content == shop.straight(path, visitor).content, f"{path} of {visitor}"
    places = [shop.get("/app/1001", visitor).headers["Location"] for visitor in shop.visitors]
    assert places == ["/app/1001/USA/en", "/app/1001/USA/en", "/app/1001/DEU/de", "/app/1001/FRA/fr",
                      "/app/1001/AUT/de", "/app/1001/DEU/de", "/app/1001/DEU/en", "/app/1001/JPN/de"], f"{places}"


def test_promotions_of_a_device_stay_on_it(shop):
    public, own = "/app/1001/USA/en", f"/app/1001/USA/en?order={APPLE}"

    def promoted(path, visitor):
        return re.findall(r"productIdentifier=[\w.]+\.(\w+)", shop.get(path, visitor).text.decode())
    for visitor in shop.visitors:
        assert promoted(public, visitor) == ["Pear", "Apple"], f"{promoted(public, visitor)}"
        assert promoted(own, visitor) == ["Apple", "Pear"], f"{promoted(own, visitor)}"
    for query in ("?", "?utm=1", "?Order=" + APPLE, "?order="):
        assert promoted(public + query, {}) == ["Pear", "Apple"], f"{query}: {promoted(public + query, {})}"


def test_headers_of_a_request_change_no_page(shop):
    lies = [{"X-Forwarded-Host": "attacker.example"}, {"X-Forwarded-Proto": "gopher"}, {"X-Original-URL": "/item/1002"},
            {"X-Forwarded-For": "203.0.113.9"}, {"Accept": "application/json"}, {"Range": "bytes=0-9"},
            {"If-None-Match": "*"}, {"Origin": "https://attacker.example"}, {"Accept-Encoding": "gzip, br"}]
    path = "/item/1002/FRA/fr"
    true = shop.straight(path, {}).content
    for lie in lies:
        # A path of its own for each, which the cache doesn't have yet.
        fresh = f"{path}?{urlencode({'try': json.dumps(lie)})}"
        shop.get(fresh, lie)
        assert shop.get(fresh, {}).content == true, f"{lie} has changed the page of others"


def test_orders_and_sheets_pass_through(shop):
    german = shop.visitors[6]["Cookie"]
    ordered = shop.post("/item/1002/buy", {"decision": "show"}, Cookie=german)
    sheet = ordered.headers.get("Location") or ""
    assert ordered.status == 303 and sheet.startswith("/sheet/"), (
        f"the order was answered {ordered.status} {ordered.text}")
    shown = shop.get(sheet, {"Cookie": german})
    assert "1.09" in shown.text.decode() or "1,09" in shown.text.decode(), "the sheet has another price"
    for visitor in ({}, {"Cookie": german}):
        again = shop.get(sheet, visitor)
        assert not again.cached and again.headers["Cache-Control"] == "no-store", f"the sheet was kept: {again.headers}"
    other = shop.get(sheet, {}).text.decode()
    assert "DEU@example.com".lower() not in other.lower() or shown.text != other.encode(), (
        "a visitor sees the session's sheet")
    form = {"email": "DEU@example.com", "password": PASSWORD, "decision": "buy", "shown": "1090 EUR"}
    bought = shop.post(sheet, form, Cookie=f"{german}; " + click(shop))
    assert bought.status == 200 and "fruit.example/peel" in bought.text.decode(), f"{bought.status} {bought.text}"
    listed = json.loads(storectl("report", "campaigns", "--json", *shop.store.where))["campaigns"]
    assert [(one["campaignToken"], one["amount"], one["currency"]) for one in listed] == [("autumn", "1.09", "EUR")], (
        f"{listed}")


def click(shop):
    """The cookie of a click on a link with tokens."""
    answer = shop.get("/item/1002?at=friends&ct=autumn", {})
    cookie = answer.headers["Set-Cookie"]
    for part in ("HttpOnly", "Secure", "SameSite=Strict", "Max-Age=86400"):
        assert part in cookie, f"the cookie {cookie} has no {part}"
    return cookie.split(";")[0]


def test_event_streams_pass_through_and_end_with_their_client(shop):
    """The proxy sends each event as it comes, and the store notices the end of the client before its next heartbeat."""
    device = {"Authorization": f"Device {1:032x}:{1:064x}"}
    registered = Answer(shop.cache.port, "/device/v1/register", device, "POST", b"{}")
    assert registered.status == 200, f"the device was answered {registered.status} {registered.text}"
    for _ in range(3):
        connection = http.client.HTTPConnection("127.0.0.1", shop.cache.port, timeout=PATIENCE)
        connection.request("POST", "/device/v1/events", json.dumps({"apps": [{"bundleIdentifier": BUNDLE}]}),
                           headers={"Host": "store.example", **device})
        answer = connection.getresponse()
        lines = [answer.readline().decode().strip() for _ in range(8)]
        assert lines[0] == ": open" and {"event: opened", "event: snapshot"} <= set(lines), f"the stream has {lines}"
        assert streams(shop) == 1, f"{streams(shop)} streams are open"
        answer.close()
        connection.close()
        wait_until("the store has no stream", lambda: streams(shop) == 0, seconds=10)


def streams(shop):
    """The number of open event streams, by the store's metrics."""
    text = Answer(shop.metrics, "/metrics", {"Host": f"127.0.0.1:{shop.metrics}"}).text.decode()
    [number] = re.findall(r"^openstorekit_event_streams (\d+)", text, re.MULTILINE)
    return int(number)
