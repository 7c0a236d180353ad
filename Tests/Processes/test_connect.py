# SPDX-License-Identifier: Apache-2.0
"""Connect of a running store: the printed set-up address, authenticator apps, and the operator's commands.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import http.client
import json
import re
import signal
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pyotp

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import Store, expect, play_all, wait_until  # noqa: E402
from processes import storectl  # noqa: E402

EMAIL, PASSWORD = "holder@example.com", "correct horse battery"
PRINTED = re.compile(r"Connect, where apps and products are registered, is set up at (\S+)")


class Console:
    """A browser at Connect, which keeps the session's cookie."""

    def __init__(self, store):
        self.store, self.cookie = store, ""

    def send(self, path, form=None, origin=True):
        """Returns the status, the headers and the text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.store.port, timeout=30)
        headers = {"Cookie": self.cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            if origin:
                headers["Origin"] = self.store.url
        try:
            connection.request("GET" if form is None else "POST", path, urlencode(form) if form else None, headers)
            answer = connection.getresponse()
            if answer.headers.get("Set-Cookie"):
                self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def sign_in(self, **code):
        return self.send("/connect/sign-in", {"email": EMAIL, "password": PASSWORD, **code})[0]


def printed(store):
    """The set-up addresses that the store has printed since it began."""
    return PRINTED.findall(store.log.read_text())


def set_up(store):
    address = wait_until("the set-up address is printed", lambda: (printed(store) or [None])[-1])
    expect(address.startswith(store.url + "/connect/setup/"), f"the address is {address}")
    console = Console(store)
    status, _, text = console.send(
        urlsplit(address).path, {"team": "Fruit", "email": EMAIL, "name": "Holder", "newPassword": PASSWORD})
    expect(status == 303 and console.cookie.startswith("connect_session="), f"the set-up was answered {status} {text}")
    return console


def addresses(folder):
    """Each start prints another address until Connect has a user; each works until then, and none afterwards."""
    store = Store(folder)
    try:
        store.serve()
        wait_until("an address is printed", lambda: printed(store))
        store.stop()
        store.serve()
        wait_until("another address is printed", lambda: len(printed(store)) == 2)
        first, second = printed(store)
        expect(first != second, "two starts printed one address")
        for address in (first, second):
            status, _, _ = Console(store).send(urlsplit(address).path)
            expect(status == 200, f"an address was answered {status}")
        console = set_up(store)
        expect(console.send("/connect/users")[0] == 200, "the holder isn't signed in")
        status, _, _ = Console(store).send(urlsplit(first).path)
        expect(status == 404, f"an address after the set-up was answered {status}")
        store.stop()
        store.serve()
        expect(len(printed(store)) == 2, "a store with a user printed an address")
        expect(console.send("/connect/users")[0] == 200, "the session ended with the store")
    finally:
        store.stop()


def codes(folder):
    """pyotp reads the link for an authenticator app, and its codes sign in, each once."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        account = "/connect/account"
        expect(console.send(account, {"decision": "codes-begin", "password": PASSWORD})[0] == 303, "no secret")
        _, _, text = console.send(account)
        link = re.search(r'href="(otpauth://[^"]+)"', text).group(1).replace("&amp;", "&")
        app = pyotp.parse_uri(link)
        expect(app.name == EMAIL and app.issuer == "Connect Fruit", f"the link has {app.name} of {app.issuer}")
        typed = re.search(r"<pre>([A-Z2-7 ]+)\n?</pre>", text).group(1).replace(" ", "")
        expect(parse_qs(urlsplit(link).query)["secret"] == [typed], "the link and the text differ")
        status, _, text = console.send(account, {"decision": "codes-use", "code": "000000"})
        expect(status == 400, f"a wrong code was answered {status}")
        status, _, text = console.send(account, {"decision": "codes-use", "code": app.now()})
        recovery = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", text)
        expect(status == 200 and len(set(recovery)) == 10, f"the codes were answered {status} {text}")

        other = Console(store)
        expect(other.sign_in() == 401 and other.sign_in(code=recovery[0]) == 303, "a recovery code doesn't sign in")
        # The code of the next period is accepted already, and is none that was used.
        following = app.at(time.time() + 30)
        expect(other.sign_in(code=following) == 303, "a code of pyotp doesn't sign in")
        expect(other.sign_in(code=following) == 401, "a code signs in twice")
        expect(other.sign_in(code=recovery[0]) == 401, "a recovery code signs in twice")
    finally:
        store.stop()


def commands(folder):
    """The operator adds a team, lists teams, and lets a user in again, while the store runs and while it doesn't."""
    store = Store(folder)
    try:
        store.serve()
        holder = set_up(store)
        added = storectl("team", "add", *store.where)
        expect(added.startswith(store.url + "/connect/setup/"), f"team add printed {added}")
        other = Console(store)
        status, _, _ = other.send(urlsplit(added).path, {
            "team": "Flowers", "email": "flora@example.com", "name": "Flora", "newPassword": PASSWORD})
        expect(status == 303, f"the other team's set-up was answered {status}")
        teams = json.loads(storectl("team", "list", "--json", *store.where))
        expect(sorted(team["name"] for team in teams) == ["Flowers", "Fruit"], f"the teams are {teams}")
        expect("flora@example.com" not in holder.send("/connect/users")[2], "a team sees the users of another")
        store.stop()
        path = storectl("team", "recover", EMAIL, *store.where)
        expect(path.startswith("/connect/recovery/"), f"team recover printed {path}")
        store.serve()
        status, _, _ = Console(store).send(path, {"newPassword": "another long horse"})
        expect(status == 303, f"the new password was answered {status}")
        expect(holder.send("/connect/users")[0] == 403, "a session outlived the password")
        expect(Console(store).sign_in() == 401, "the old password signs in")
    finally:
        store.stop()


def killed(folder):
    """A store that is killed after an answer has kept it: the user, the invitation, and the log."""
    store = Store(folder)
    try:
        store.serve()
        console = set_up(store)
        form = {"decision": "invite", "email": "berta@example.com", "role": "admin"}
        _, _, text = console.send("/connect/users", form)
        path = re.search(r"/connect/invitation/[0-9a-f]+", text).group()
        store.process.send_signal(signal.SIGKILL)
        store.process.wait(timeout=15)
        store.serve()
        berta = Console(store)
        status, _, _ = berta.send(path, {"name": "Berta", "newPassword": PASSWORD})
        expect(status == 303, f"the invitation was answered {status}")
        log = berta.send("/connect/log")[2]
        expect(log.count("berta@example.com") >= 2 and EMAIL in log, "the log lacks the invitation")
    finally:
        store.stop()


def scenarios():
    yield "connect: the printed addresses set a team up once", addresses, {}
    yield "connect: pyotp's codes sign in", codes, {}
    yield "connect: the operator's commands", commands, {}
    yield "connect: a killed store has kept its answers", killed, {}


if __name__ == "__main__":
    sys.exit(play_all(list(scenarios()), sys.argv[1:], workers=2))
