# SPDX-License-Identifier: Apache-2.0
"""Every address that a command or a document prints is a page for a person: opened as a browser opens it, also without
its last slash, or with one."""

import os
import re
import signal
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from harness import PEAR, ask, wait_until
from processes import BINARIES, ROOT, free_port

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+[^\s)`\"'<>]*")
# The addresses of documents that no command prints. Others of documents are for programs, or of a seller's server.
DOCUMENTS = ("README.md", "docs/connect.md", "docs/server-api.md", "docs/product-pages.md")


def opened(address):
    """The status and the type of the answer to a browser, which follows redirects."""
    request = urllib.request.Request(address, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    try:
        with urllib.request.urlopen(request, timeout=900) as answer:
            return answer.status, answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_content_type()


def is_page(address):
    status, kind = opened(address)
    assert status == 200 and kind == "text/html", f"{address} was answered with {status}, {kind}"


class Command:
    """A script that starts servers and prints their addresses."""

    def __init__(self, script, **environment):
        self.lines = []
        # A group of its own: Ctrl-C reaches the servers, too.
        self.process = subprocess.Popen(
            [ROOT / "scripts" / script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
            start_new_session=True, env={**os.environ, "BINARIES": str(BINARIES), **environment})
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()

    def addresses(self, end):
        """The addresses that it prints before a sentence."""
        def printed():
            assert self.process.poll() is None, f"it ended:\n{''.join(self.lines)}"
            return end in "".join(self.lines)
        wait_until(f'it prints "{end}"', printed, seconds=900)
        return ADDRESS.findall("".join(self.lines))

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=900)


def test_the_addresses_of_make_run(folder):
    command = Command("run", PORT=str(free_port()), BUYFRUIT_PORT=str(free_port()), RUN_FOLDER=str(folder / "run"))
    try:
        addresses = command.addresses("Ctrl-C stops both")
        assert len(set(addresses)) == 2, addresses
        for address in addresses:
            is_page(address)
    finally:
        command.stop()


def test_the_payment_sheet_is_one_click_away_without_a_desktop(folder):
    command = Command("run", PORT=str(free_port()), BUYFRUIT_PORT=str(free_port()), RUN_FOLDER=str(folder / "run"),
                      DISPLAY="", WAYLAND_DISPLAY="", BROWSER="")
    try:
        fruit = next(address for address in command.addresses("Ctrl-C stops both") if address.endswith("/"))
        assert '<a id="sheet" href="/sheet"' in ask("GET", fruit)[1], "BuyFruit's page has no link"
        assert ask("GET", f"{fruit}sheet")[0] == 404, "a sheet is open from the start"
        wait_until("the fruit is listed", lambda: PEAR in ask("GET", fruit)[1])
        assert ask("POST", f"{fruit}buy", form={"product": PEAR})[0] == 200
        wait_until("a sheet is open", lambda: ask("GET", f"{fruit}sheet")[0] == 200)
        [sheet] = set(ADDRESS.findall(ask("GET", f"{fruit}sheet")[1]))
        is_page(sheet)
    finally:
        command.stop()


def test_the_addresses_of_make_garden(folder):
    command = Command("garden", FLOWERGARDEN_PORT=str(free_port()), FLOWERGARDEN_APP_PORT=str(free_port()),
                      RUN_FOLDER=str(folder / "run"))
    try:
        addresses = command.addresses("Ctrl-C stops all of them")
        assert len(addresses) == 3, addresses
        for address in addresses:
            # The back end's list is for the app: a browser shows it as it is.
            if address.endswith("/products"):
                assert opened(address) == (200, "application/json"), address
            else:
                is_page(address)
    finally:
        command.stop()


def test_the_addresses_of_a_store(store):
    """Those that `storectl serve` prints, the parts of a store, and those of the documents."""
    printed = ADDRESS.findall(store.log.read_text())
    assert printed, f"the store prints no address: {store.tail()}"
    for address in {*printed, *(store.url + path for path in ("", "/", "/account", "/connect", "/openapi"))}:
        is_page(address)
        is_page(address.removesuffix("/") if address.endswith("/") else address + "/")
    assert opened(f"{store.url}/nothing")[0] == 404

    found = {address for name in DOCUMENTS for address in ADDRESS.findall((ROOT / name).read_text())}
    paths = {urllib.parse.urlsplit(address).path for address in found} - {"/verifyReceipt", "/connect/setup/5f0c…"}
    assert paths, "the documents have no address"
    for path in paths:
        assert opened(store.url + path)[0] == 200, f"{path} of a document isn't there"
