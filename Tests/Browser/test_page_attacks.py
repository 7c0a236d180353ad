# SPDX-License-Identifier: Apache-2.0
"""Attacks on the store's pages, in a real browser: other sites, texts with markup, host names, redirects."""

import contextlib
import http.client
import http.server
import json
import threading
from urllib.parse import quote, urlencode, urlsplit

import pytest

import connect_pages
from customer_pages import problem
from elements import count
from harness import BUNDLE
from page_shop import ATTACK, BACKWARDS, BASKET, WINDOW, Customer
from processes import ORANGE, PASSWORD, PATIENCE, PEAR, Failed, storectl, wait_until

pytestmark = [pytest.mark.xdist_group("pages"), pytest.mark.slow]

ACCOUNT = ["/account/" + page for page in (
    "purchases", "subscriptions", "family", "payment", "settings", "devices", "sessions", "password", "delete")]


def test_no_other_site_frames_a_sheet(customer):
    """Clickjacking: another origin shows a sheet in a frame."""
    with attacker(f'<iframe src="{customer.sheet()}"></iframe>') as address:
        customer.page.goto(address)
        customer.page.wait_for_load_state("networkidle")
    frames = [frame for frame in customer.page.frames if frame.parent_frame]
    shown = [frame for frame in frames if frame.locator("form#sheet").count()]
    assert frames and not shown, "a page of another site shows the sheet in a frame"


@contextlib.contextmanager
def attacker(page):
    """A site of its own on this machine, whose address is yielded: a browser loads nothing of this machine into a page
    that pretends to come from elsewhere."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def test_no_other_site_answers_a_sheet(customer):
    """A form of another origin that submits itself with a known password."""
    address = customer.sheet()
    fields = {"email": customer.email, "password": PASSWORD, "decision": "buy"}
    inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    customer.page.route("http://attacker.example/**", lambda route: route.fulfill(
        content_type="text/html", body=f'<form id="form" method="post" action="{address}">{inputs}</form>'))
    customer.page.goto("http://attacker.example/")
    customer.page.evaluate("document.getElementById('form').submit()")
    customer.sees("#message, #outcome")
    assert customer.shop.charges(customer.email) == 0, "a form of another site has bought"


def test_no_text_becomes_a_script(customer):
    """Reflected: a typed e-mail address, a comment, a token and a query with markup in them."""
    customer.open(customer.sheet())
    customer.page.evaluate("document.querySelectorAll('input').forEach((field) => { field.type = 'text' })")
    customer.press("buy", "#message", email=ATTACK)
    is_unharmed(customer.page)
    problem(customer)
    customer.press("ask", "#state", comment=ATTACK)
    is_unharmed(customer.page)
    for path in ("/account/purchases/%3Cscript%3Ewindow.attacked=1%3C%2Fscript%3E",
                 "/account/purchases?before=%22%3E%3Cimg"):
        customer.open(path)
        is_unharmed(customer.page)
    connect_pages.sign_in(customer)
    for path in ("users", "log", "apps", f"apps/{BUNDLE}", f"apps/{BUNDLE}/new-product", f"apps/{BUNDLE}/checklist",
                 "transactions", "live", "testers", "log?before=%22%3E%3Cimg", "roles?done=%3Cscript%3E",
                 "sign-in?done=%22%3E%3Cimg"):
        customer.open(f"/connect/{path}{'&' if '?' in path else '?'}q={quote(ATTACK)}")
        is_unharmed(customer.page)


def test_no_text_of_a_seller_or_an_account_becomes_a_script(page_shop):
    """Stored: the titles and descriptions of products, and an address with markup, on each page that has them."""
    customer = Customer(page_shop, email="o'x&<b>\"{{x}}@example.com")
    customer.page.set_viewport_size(WINDOW)

    def address(selector):
        return customer.page.evaluate("selector => document.querySelector(selector).href", selector)

    for show in (lambda: customer.open(customer.sheet(PEAR), "#buy"),
                 lambda: customer.press("buy", "h1#outcome"), customer.open_purchases,
                 lambda: customer.open(address("ul.list a")), lambda: customer.press("sign-in", "#report"),
                 lambda: customer.open(address("#report")), lambda: customer.press("sign-in", "#ask"),
                 lambda: customer.buy_on_the_sheet(BASKET), lambda: customer.open("/account/subscriptions"),
                 lambda: customer.press("sign-in", "section.subscription"),
                 page_shop.items, lambda: customer.open("/item/1003", "#order")):
        show()
        is_unharmed(customer.page)
    assert (ATTACK in customer.page.content().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
           .replace("&amp;", "&")), "the pages haven't shown the seller's text"


HARMLESS = """() => [...document.querySelectorAll("*")].flatMap((element) => [
    ...[...element.attributes].filter(({name}) => name.startsWith("on"))
        .map(({name}) => `<${element.localName} ${name}>`),
    ...(element.matches("a") && !/^(https?|itms-services):/.test(element.href) ? [element.href] : []),
    ...(element.matches("script, iframe, object, embed, base, meta[http-equiv], img[src='x']")
        ? [element.outerHTML] : []),
])"""
# Whether each text of a seller that turns the direction around is alone in an element that ends its effect.
ISOLATED = """(text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode;
        if (!data.includes(text)) continue;
        const {unicodeBidi} = getComputedStyle(parentElement);
        found.push(["isolate", "plaintext"].includes(unicodeBidi) && data.trim() === text);
    }
    return found;
}"""


def test_no_title_or_link_of_an_item_does_harm(customer):
    shop = customer.shop
    shop.items()
    item = {"item": 1004, "kind": "song", "seller": "S", "link": "https://seller.example/", "price": "0.99"}
    links = ("javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x",
             "//a.example", "http://a.example/", "https://u:p@a.example/", "https://a.example/\"onclick=", "https:///x",
             "https://a.example/\u202e", "")
    titles = ("\u202eevil", "a\u2067b", "a\u200fb", "a\u0000b", "a\nb", "", "a" * 201)
    wrong = [{**item, "link": link, "texts": {"en_US": {"title": "T", "description": ""}}} for link in links]
    wrong += [{**item, "texts": {"en_US": {"title": title, "description": ""}}} for title in titles]
    file = shop.folder / "wrong.json"
    for one in wrong:
        file.write_text(json.dumps({"items": [one]}))
        try:
            storectl("item", "add", *shop.store.where, str(file))
        except AssertionError:
            continue
        raise Failed(f"the item {one} was added")
    customer.buy(ORANGE)
    customer.buy(PEAR)
    wait_until("both sales are counted", lambda: shop.store.rows(
        f"SELECT count(*) FROM product_sales WHERE product_id IN ('{ORANGE}', '{PEAR}')") == [(2,)])
    query = "%22%3E%3Cscript%3Ewindow.attacked=1%3C/script%3E"
    for path in ("/app/1001/USA/en", "/item/1003/FRA/fr",
                 f"/app/1001/DEU/de?order={query}&hide={query}&product=javascript:alert(1)",
                 f"/app/1001?at={query}&ct=javascript:alert(1)"):
        page = customer.open(path)
        assert count(page, "h1#title") == 1, f"{path} shows no item"
        assert page.evaluate("window.attacked") is None, f"a script ran on {path}"
        found = page.evaluate(HARMLESS)
        assert not found, f"{path} has {found}"
        isolated = page.evaluate(ISOLATED, BACKWARDS)
        assert all(isolated) and (len(isolated) >= 4 or "1001" not in path), f"{path}: {isolated}"
    page = customer.open("/app/1001/USA/en")
    for link in page.locator("#promoted ~ ul a").all():
        link.click()
    assert page.url.endswith("/app/1001/USA/en") and page.evaluate("window.attacked") is None, (
        f"a link led to {page.url}")


def test_no_host_name_of_a_request_is_believed(customer):
    """A proxy or a name server that lies: the pages name the store's own address, and its forms are for it alone."""
    shop = customer.shop
    sheet = urlsplit(customer.sheet()).path
    lies = {"Host": "attacker.example", "X-Forwarded-Host": "attacker.example", "X-Original-URL": "/attacker.example",
            "Forwarded": "host=attacker.example", "Referer": "http://attacker.example/"}
    for path in (sheet, "/sheet/" + "0" * 64, *ACCOUNT):
        status, headers, text = raw(shop, "GET", path, lies)
        assert status < 300 or status >= 400, f"{path} redirects with {status}"
        assert "attacker.example" not in text + str(headers), f"{path} names the host of the request"
    form = urlencode({"email": customer.email, "password": PASSWORD, "decision": "buy"})
    status, _, text = raw(shop, "POST", sheet, {
        **lies, "Origin": "http://attacker.example", "Content-Type": "application/x-www-form-urlencoded"}, form)
    assert status == 403, f"a form of the name that the request has was answered {status}"
    assert shop.charges(customer.email) == 0, "a form of another name has bought"


def test_no_page_leads_elsewhere(page_shop):
    """Open redirects: no address of the store sends a browser to another site that its path or query names."""
    goal, pages = "attacker.example", (*ACCOUNT, "/connect/sign-in", "/connect/users")
    for path in ("//" + goal, "/\\" + goal, "/%2F%2F" + goal, "/sheet//" + goal, "/account//" + goal, "/..//" + goal,
                 *(f"{page}?{name}=//{goal}" for page in pages for name in ("next", "url", "return", "redirect"))):
        for method in ("GET", "POST"):
            status, headers, text = raw(page_shop, method, path, {"Content-Type": "application/x-www-form-urlencoded"})
            assert status < 300 or status >= 400, f"{method} {path} redirects with {status}"
            assert "location" not in {name.lower() for name in headers} and "refresh" not in {
                name.lower() for name in headers}, f"{method} {path} has {headers}"
            assert f'href="//{goal}' not in text and f'action="//{goal}' not in text, f"{path} leads to {goal}"


def raw(shop, method, path, headers, body=None):
    """Sends a request whose path and host name aren't corrected on the way."""
    connection = http.client.HTTPConnection("127.0.0.1", shop.store.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        if method == "POST":
            connection.putheader("Content-Length", str(len(body or "")))
        connection.endheaders((body or "").encode() if method == "POST" else None)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")
    finally:
        connection.close()


def is_unharmed(page):
    assert page.evaluate("window.attacked") is None, f"a script ran on {page.url}"
    assert count(page, "img") == 0, f"markup was inserted into {page.url}"
    assert count(page, "script:not([src])") == 0, f"{page.url} has an inline script"
