# SPDX-License-Identifier: Apache-2.0
"""Connect's forms without a browser, which prepare the pages that a browser then shows."""

import html
import re
from urllib.parse import urlsplit

from harness import exchange
from page_forms import BOUNDARY, encoded, forms_of
from processes import expect

# A refused value, and a refused form.
PROBLEM = re.compile(r'<p class="problem"[^>]*>.*?</p>|<p id="message".*?</p>', re.S)


class Forms:
    """Sends the requests of a browser with the cookie of a session."""

    def __init__(self, store, cookie=""):
        self.store, self.cookie = store, cookie

    def request(self, method, address, body=None, **headers):
        place = urlsplit(address)
        path = place.path + (f"?{place.query}" if place.query else "")
        return exchange(self.store, method, path, body, {"Cookie": self.cookie, "Accept": "text/html", **headers})

    def page(self, address):
        """Returns the text of a page; an empty one if there is no such page."""
        status, text = self.request("GET", address)
        expect(status in (200, 404), f"{address} was answered {status}")
        return text if status == 200 else ""

    def shows(self, address, decision):
        """Whether a page has a form with a button."""
        return any(decision in form.buttons for form in forms_of(self.page(address)))

    def first(self, address):
        """Returns the address of the first entry of a list, if there is one."""
        found = re.search(r'<div class="name">\s*<p><a href="([^"]+)"', self.page(address))
        return found and html.unescape(found[1])

    def send(self, address, decision, /, **values):
        """Fills in the first form of a page that has the button and the fields, and sends it. A file is a tuple of its
        name and its bytes. Returns the text of the answer."""
        forms = [form for form in forms_of(self.page(address))
                 if decision in form.buttons and set(values) <= set(form.fields)]
        expect(forms, f"{address} has no form with {decision} and {sorted(values)}")
        form = forms[0]
        kind = f"multipart/form-data; boundary={BOUNDARY}" if form.is_multipart else "application/x-www-form-urlencoded"
        body = encoded({**form.fields, **values, "decision": decision}, form.is_multipart)
        status, text = self.request("POST", address, body, Origin=self.store.url, **{"Content-Type": kind})
        expect(status in (200, 303),
               f"{decision} at {address} was answered {status}: {PROBLEM.findall(text) or text[:300]}")
        return text
