# SPDX-License-Identifier: Apache-2.0
"""The forms of a page, with the values that a browser would send without typing anything."""

import urllib.parse
from html.parser import HTMLParser

BOUNDARY = "a-boundary"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"  # of forms that are sent as parts (RFC 7578)


class Form:
    """A form of a page."""

    def __init__(self, attributes):
        self.action = attributes.get("action")  # the address of another page, to which it is sent
        self.is_multipart = attributes.get("enctype") == "multipart/form-data"
        self.fields = {}  # names and values, with those of the first button
        self.hidden = set()  # the names of fields that a page has for itself
        self.choices = {}  # the values that each choice offers, by its name
        self.buttons = []  # the values of all buttons


class FormReader(HTMLParser):
    """Collects the forms of a page that change something."""

    def __init__(self):
        super().__init__()
        self.forms, self.form, self.select, self.text = [], None, None, None

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        name, value = known.get("name"), known.get("value") or ""
        if tag == "form":
            self.form = Form(known)
            if known.get("method", "").lower() == "post":
                self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "option" and self.select:
            self.form.choices[self.select].append(value)
            if "selected" in known or self.select not in self.form.fields:
                self.form.fields[self.select] = value
        elif not name:
            return
        elif tag == "select":
            self.select = name
            self.form.choices[name] = []
        elif tag == "textarea":
            self.text = name
            self.form.fields[name] = ""
        elif tag == "input" and (known.get("type") != "radio" or "checked" in known or name not in self.form.fields):
            self.form.fields[name] = value
            if known.get("type") == "hidden":
                self.form.hidden.add(name)
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
    """Returns the forms of a page that are sent by POST."""
    reader = FormReader()
    reader.feed(page)
    return reader.forms


def encoded(fields, is_multipart=False):
    """The body of a form. The value of a file is a tuple of its name and its bytes."""
    if not is_multipart:
        return urllib.parse.urlencode({name: as_bytes(value) for name, value in fields.items()}).encode()
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
