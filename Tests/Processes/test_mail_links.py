# SPDX-License-Identifier: Apache-2.0
"""Messages to customers by the operator's program: the store starts a script that writes each message to a file."""

import re
import shlex
from pathlib import Path

import pytest

from harness import EMAIL, PASSWORD, PEAR, Failed, Market, ask, press, row, wait_until
from processes import storectl

SCRIPT = """#!/bin/sh
folder={folder}
file=$(mktemp "$folder/XXXXXX")
env > "$folder/environment.txt"
{{ printf '%s\\n' "$#" "$@"; cat; }} > "$file" && mv "$file" "$file.mail"
echo "This goes nowhere: $(cat "$file.mail")"
"""


class Postbox:
    """The folder into which the script writes messages."""

    def __init__(self, folder):
        self.folder = Path(folder) / "post"
        self.folder.mkdir()
        self.program = Path(folder) / "sendmail"
        self.program.write_text(SCRIPT.format(folder=shlex.quote(str(self.folder))))
        self.program.chmod(0o755)
        self.read = set()

    def next(self):
        """The arguments, the headers and the text of the next message."""
        def found():
            return [file for file in self.folder.glob("*.mail") if file not in self.read]

        [file] = wait_until("a message is sent", found)
        self.read.add(file)
        count, *lines = file.read_text().split("\n")
        arguments, message = lines[:int(count)], "\n".join(lines[int(count):])
        head, _, text = message.partition("\n\n")
        return arguments, dict(line.split(": ", 1) for line in head.split("\n")), text

    def is_empty(self):
        return all(file in self.read for file in self.folder.glob("*.mail"))


@pytest.fixture
def post(folder):
    return Postbox(folder)


@pytest.fixture
def market(folder, post):
    """A store whose messages are in the postbox. Its log appears with the failure of a test."""
    market = Market(folder)
    market.store.arguments = ("--sendmail", post.program, "--verbose")
    with market.open():
        yield market
        print(market.store.tail())


def link_in(text, store):
    [address] = re.findall(r"https?://\S+", text)
    assert address.startswith(f"{store.url}/account/"), f"the message has the address {address}"
    return address


def signs_in(store, email, password):
    status, _ = ask("POST", f"{store.url}/account/settings",
                    form={"email": email, "password": password, "decision": "show"})
    assert status in (200, 401), f"signing in: {status}"
    return status == 200


def test_a_forgotten_password_is_replaced_by_the_link_of_a_message(market, post):
    """The link of a message replaces a forgotten password, once, and the answer is the same without an account."""
    store = market.store
    answers = {ask("POST", f"{store.url}/account/forgotten", form={"email": email})
               for email in ("other@example.com", "a@b.c\r\nBcc: d@e.f", "$(touch x)@example.com", EMAIL)}
    assert len(answers) == 1 and answers.pop()[0] == 200, f"the answers differ: {answers}"
    arguments, headers, text = post.next()
    assert arguments == ["-i", "--", EMAIL], f"sendmail got the arguments {arguments}"
    assert headers.get("To") == EMAIL and "Subject" in headers, f"the headers are {headers}"
    environment = (post.folder / "environment.txt").read_text()
    assert "HOME=" not in environment, f"the program's environment is {environment}"
    link = link_in(text, store)
    assert ask("GET", link)[0] == 200 and signs_in(store, EMAIL, PASSWORD), "opening the link has changed something"

    new = "a horse that was found"
    status, page = ask("POST", link, form={"newPassword": new})
    assert status == 200, f"setting the password: {status} {page}"
    assert signs_in(store, EMAIL, new) and not signs_in(store, EMAIL, PASSWORD), "the password isn't the new one"
    assert ask("POST", link, form={"newPassword": "again"})[0] == 404, "the link works again"
    assert post.is_empty(), "another address has got a message"
    token = link.rpartition("/")[2]
    log = store.log.read_text()
    assert token not in log and new not in log, "the log has a secret"


def test_an_account_gets_another_address_by_a_link(market, post):
    """The link of a message, which outlives the process, moves an account to another address."""
    store, moved = market.store, "moved@example.com"
    store.add_account("taken@example.com", PASSWORD)
    form = {"email": EMAIL, "password": PASSWORD, "decision": "change"}
    pages = {ask("POST", f"{store.url}/account/email", form=form | {"newEmail": email})
             for email in ("taken@example.com", moved)}
    assert len(pages) == 1 and pages.pop()[0] == 200, "a taken address has another answer"
    arguments, _, text = post.next()
    assert arguments[-1] == moved, f"the link went to {arguments}"
    link = link_in(text, store)

    # The link outlives the process.
    assert store.stop() == 0, "the store didn't end"
    store.serve()
    assert ask("POST", link, form={})[0] == 200, "the link doesn't work after a restart"
    assert signs_in(store, moved, PASSWORD) and not signs_in(store, EMAIL, PASSWORD), "the address is the old one"
    arguments, _, text = post.next()
    assert arguments[-1] == EMAIL and store.url in text, f"the old address got {arguments}: {text}"
    assert ask("POST", link, form={})[0] == 404, "the link works again"


def test_a_parent_gets_a_message_when_a_child_asks_to_buy(market, post):
    """A parent gets a message in the language of the account."""
    store, parent = market.store, "parent@example.com"
    store.add_account(parent, PASSWORD)
    app = market.app()
    market.launch(app)
    market.purchase(app)

    def control(*arguments):
        return storectl(*arguments, "--store", store.url, "--data", store.data)

    control("account", "set", parent, "--locale", "de")
    control("family", "create", parent)
    control("family", "add", parent, EMAIL, "--role", "child")
    press(app, "buy", product=PEAR)
    arguments, headers, text = post.next()
    assert arguments[-1] == parent and headers["Subject"] == "Eine Kaufanfrage", f"{arguments}, {headers}"
    assert EMAIL in text and f"{store.url}/account/family" in text, f"the message is {text}"
    wait_until("the app waits", lambda: row(app, PEAR)["state"] == "waiting")


def test_a_program_that_cannot_be_started_is_refused(folder):
    """A relative path, and one without a program, are refused with the option's name."""
    for path in ("sendmail", "/no/such/program"):
        with pytest.raises(Failed, match="--sendmail"):
            storectl("serve", "--sendmail", path, "--data", folder / "store")
