# SPDX-License-Identifier: Apache-2.0
"""The forms of a page, with the values that a browser would send without typing anything."""

import urllib.parse
from html.parser import HTMLParser

BOUNDARY = "a-boundary"


class Form:
    """A form that is sent back to its page."""

    def __init__(self, is_multipart):
        self.is_multipart = is_multipart  # whether it is sent as parts (RFC 7578)
        self.fields = {}  # with the first button
        self.buttons = []  # the values of all buttons


class FormReader(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self):
        super().__init__()
        self.forms, self.form, self.select, self.text = [], None, None, None

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        name, value = known.get("name"), known.get("value") or ""
        if tag == "form":
            self.form = Form(known.get("enctype") == "multipart/form-data")
            # A form with an address of its own is another page's.
            if known.get("method", "").lower() == "post" and not known.get("action"):
                self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "option" and self.select and ("selected" in known or self.select not in self.form.fields):
            self.form.fields[self.select] = value
        elif not name:
            return
        elif tag == "select":
            self.select = name
        elif tag == "textarea":
            self.text = name
            self.form.fields[name] = ""
        elif tag == "input" and (known.get("type") != "radio" or "checked" in known or name not in self.form.fields):
            self.form.fields[name] = value
        elif tag == "button":
            self.form.fields.setdefault(name, value)
            self.form.buttons.append(value)

    def handle_data(self, data):
        if self.text:
            self.form.fields[self.text] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        self.select = None if tag == "select" else self.select
        self.text = None if tag == "textarea" else self.text


def forms_of(page):
    """Returns the forms of a page."""
    reader = FormReader()
    reader.feed(page)
    return reader.forms


def encoded(fields, is_multipart=False):
    """The body of a form. The value of a file is a tuple of its name and its bytes."""
    if not is_multipart:
        return urllib.parse.urlencode({
            name: as_bytes(value) for name, value in fields.items()}).encode()
    body = b""
    for name, value in fields.items():
        filename, contents = "", value
        if isinstance(value, tuple):
            filename, contents = f'; filename="{value[0]}"', value[1]
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{filename}\r\n\r\n'
        body += as_bytes(head) + as_bytes(contents) + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()


def as_bytes(value):
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
