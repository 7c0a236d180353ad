# SPDX-License-Identifier: Apache-2.0
"""Messages to customers by the operator's program: the store starts a script that writes each message to a file."""

import re
import shlex
from pathlib import Path

from harness import EMAIL, PASSWORD, PEAR, Failed, Market, expect, press, row, wait_until
from processes import ask, storectl

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


def link_in(text, store):
    [address] = re.findall(r"https?://\S+", text)
    expect(address.startswith(f"{store.url}/account/"), f"the message has the address {address}")
    return address


def signs_in(store, email, password):
    status, _ = ask("POST", f"{store.url}/account/settings",
                    form={"email": email, "password": password, "decision": "show"})
    expect(status in (200, 401), f"signing in: {status}")
    return status == 200


def forgotten_password(folder):
    post = Postbox(folder)
    market = Market(folder)
    market.store.arguments = ("--sendmail", post.program, "--verbose")
    with market.open():
        store = market.store
        answers = {ask("POST", f"{store.url}/account/forgotten", form={"email": email})
                   for email in ("other@example.com", "a@b.c\r\nBcc: d@e.f", "$(touch x)@example.com", EMAIL)}
        expect(len(answers) == 1 and answers.pop()[0] == 200, f"the answers differ: {answers}")
        arguments, headers, text = post.next()
        expect(arguments == ["-i", "--", EMAIL], f"sendmail got the arguments {arguments}")
        expect(headers.get("To") == EMAIL and "Subject" in headers, f"the headers are {headers}")
        environment = (post.folder / "environment.txt").read_text()
        expect("HOME=" not in environment, f"the program's environment is {environment}")
        link = link_in(text, store)
        expect(ask("GET", link)[0] == 200 and signs_in(store, EMAIL, PASSWORD), "opening the link has changed something")

        new = "a horse that was found"
        status, page = ask("POST", link, form={"newPassword": new})
        expect(status == 200, f"setting the password: {status} {page}")
        expect(signs_in(store, EMAIL, new) and not signs_in(store, EMAIL, PASSWORD), "the password isn't the new one")
        expect(ask("POST", link, form={"newPassword": "again"})[0] == 404, "the link works again")
        expect(post.is_empty(), "another address has got a message")
        token = link.rpartition("/")[2]
        log = store.log.read_text()
        expect(token not in log and new not in log, "the log has a secret")


def new_address(folder):
    post = Postbox(folder)
    market = Market(folder)
    market.store.arguments = ("--sendmail", post.program)
    with market.open():
        store, moved = market.store, "moved@example.com"
        store.add_account("taken@example.com", PASSWORD)
        form = {"email": EMAIL, "password": PASSWORD, "decision": "change"}
        pages = {ask("POST", f"{store.url}/account/email", form=form | {"newEmail": email})
                 for email in ("taken@example.com", moved)}
        expect(len(pages) == 1 and pages.pop()[0] == 200, "a taken address has another answer")
        arguments, _, text = post.next()
        expect(arguments[-1] == moved, f"the link went to {arguments}")
        link = link_in(text, store)

        # The link outlives the process.
        expect(store.stop() == 0, "the store didn't end")
        store.serve()
        expect(ask("POST", link, form={})[0] == 200, "the link doesn't work after a restart")
        expect(signs_in(store, moved, PASSWORD) and not signs_in(store, EMAIL, PASSWORD), "the address is the old one")
        arguments, _, text = post.next()
        expect(arguments[-1] == EMAIL and store.url in text, f"the old address got {arguments}: {text}")
        expect(ask("POST", link, form={})[0] == 404, "the link works again")


def parents_are_informed(folder):
    post = Postbox(folder)
    market = Market(folder)
    market.store.arguments = ("--sendmail", post.program)
    with market.open():
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
        expect(arguments[-1] == parent and headers["Subject"] == "Eine Kaufanfrage", f"{arguments}, {headers}")
        expect(EMAIL in text and f"{store.url}/account/family" in text, f"the message is {text}")
        wait_until("the app waits", lambda: row(app, PEAR)["state"] == "waiting")


def refuses_a_relative_path(folder):
    for path in ("sendmail", "/no/such/program"):
        try:
            storectl("serve", "--sendmail", path, "--data", Path(folder) / "store")
        except Failed as failed:
            expect("--sendmail" in str(failed), f"it doesn't name the option: {failed}")
        else:
            raise Failed(f"--sendmail {path} was accepted")


def scenarios():
    yield "mail: a forgotten password is replaced by the link of a message", forgotten_password, {}
    yield "mail: an account gets another address by a link", new_address, {}
    yield "mail: a parent gets a message when a child asks to buy", parents_are_informed, {}
    yield "mail: a program that can't be started is refused", refuses_a_relative_path, {}
