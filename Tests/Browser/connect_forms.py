# SPDX-License-Identifier: Apache-2.0
"""Connect's forms without a browser, which prepare the pages that a browser then shows.

The pages and the buttons that a test is about stay in the browser: `connect_pages.py` and its neighbours send the forms
that they show, and `test_connect_flow.py` does the tasks of docs/connect.md by clicks.
"""

import html
import re
from urllib.parse import urlsplit

from harness import answered
from page_forms import MULTIPART, encoded, forms_of

# The messages of a page about a refused value and a refused form.
PROBLEM = re.compile(r'<p class="problem"[^>]*>.*?</p>|<p id="message".*?</p>', re.S)
ENTRY = re.compile(r'<div class="name">\s*<p><a href="([^"]+)"')


class Forms:
    """Sends the requests of a browser with the cookie of a session, which the answer to a sign-in sets."""

    def __init__(self, store, cookie=""):
        self.store, self.cookie = store, cookie

    def request(self, method, address, body=None, **headers):
        """Returns the status, the headers and the text of the answer."""
        place = urlsplit(address)
        path = place.path + (f"?{place.query}" if place.query else "")
        headers = {"Cookie": self.cookie, "Accept": "text/html", **headers}
        status, headers, contents = answered(self.store, method, path, body, headers)
        if given := headers.get("Set-Cookie"):
            self.cookie = given.split(";")[0]
        return status, headers, contents.decode()

    def page(self, address):
        """Returns the text of a page; an empty one if there is no such page."""
        status, headers, text = self.request("GET", address)
        if status == 302:
            return self.page(headers["Location"])
        assert status in (200, 404), f"{address} was answered {status}"
        return text if status == 200 else ""

    def shows(self, address, decision):
        """Whether a page has a form with a button."""
        return any(decision in form.buttons for form in forms_of(self.page(address)))

    def entries(self, address):
        """Returns the addresses of the entries of a list."""
        return [html.unescape(found) for found in ENTRY.findall(self.page(address))]

    def first(self, address):
        """Returns the address of the first entry of a list."""
        entries = self.entries(address)
        assert entries, f"the list {address} is empty"
        return entries[0]

    def send(self, address, decision, /, **values):
        """Fills in the first form of a page that has the button and the fields, and sends it. A value of a hidden field
        chooses the form, and a file is a tuple of its name and its bytes. Returns the text of the page that follows."""
        form = self.form(address, decision, values)
        for name, value in values.items():
            if name in form.choices:
                assert value in form.choices[name], f"{name} at {address} offers {form.choices[name]}, and not {value}"
        kind = MULTIPART if form.is_multipart else "application/x-www-form-urlencoded"
        body = encoded({**form.fields, **values, "decision": decision}, form.is_multipart)
        status, headers, text = self.request(
            "POST", form.action or address, body, Origin=self.store.url, **{"Content-Type": kind})
        assert status in (200, 303), (
            f"{decision} at {address} was answered {status}: {PROBLEM.findall(text) or text[:300]}")
        if status == 200:
            return text
        following = self.page(headers["Location"])
        assert following, f"{decision} at {address} leads to {headers['Location']}, where no page is"
        return following

    def form(self, address, decision, values):
        """Returns the first form of a page with a button, fields for values, and the hidden values among them."""
        forms = [form for form in forms_of(self.page(address)) if decision in form.buttons
                 and values.keys() <= form.fields.keys()
                 and all(form.fields[name] == values[name] for name in form.hidden & values.keys())]
        assert forms, f"{address} has no form with {decision} and {sorted(values)}"
        return forms[0]
