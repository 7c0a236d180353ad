# SPDX-License-Identifier: Apache-2.0
"""The forms of a page, with the values that a browser would send without typing anything."""

import urllib.parse
from html.parser import HTMLParser

BOUNDARY = "a-boundary"


class FormReader(HTMLParser):
    """Collects the forms of a page that are sent back to it: each one's encoding, and its fields with their values."""

    def __init__(self):
        super().__init__()
        self.forms, self.form, self.select, self.text = [], None, None, None

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        name, value = known.get("name"), known.get("value") or ""
        if tag == "form":
            self.form = {"": known.get("enctype") == "multipart/form-data"}
            # A form with an address of its own is another page's.
            if known.get("method", "").lower() == "post" and not known.get("action"):
                self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "option" and self.select and ("selected" in known or self.select not in self.form):
            self.form[self.select] = value
        elif not name:
            return
        elif tag == "select":
            self.select = name
        elif tag == "textarea":
            self.text = name
            self.form[name] = ""
        elif tag == "input" and (known.get("type") != "radio" or "checked" in known or name not in self.form):
            self.form[name] = value
        elif tag == "button":
            self.form.setdefault(name, value)

    def handle_data(self, data):
        if self.text:
            self.form[self.text] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        self.select = None if tag == "select" else self.select
        self.text = None if tag == "textarea" else self.text


def forms_of(page):
    """Yields the fields of each form of a page, and whether they are sent as parts (RFC 7578)."""
    reader = FormReader()
    reader.feed(page)
    for form in reader.forms:
        is_multipart = form.pop("")
        yield form, is_multipart


def encoded(form, is_multipart=False):
    """The body of a form."""
    if not is_multipart:
        return urllib.parse.urlencode({
            name: value.encode("utf-8", "surrogatepass") for name, value in form.items()}).encode()
    parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
             for name, value in form.items()]
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode("utf-8", "surrogatepass")
