# SPDX-License-Identifier: Apache-2.0
"""Every address that a command or a document prints is a page for a person: opened as a browser opens it, also without
its last slash, or with one."""

import re
import shutil
import urllib.parse

from addresses import ADDRESS, Command, is_page, opened
from connect_console import set_up
from harness import PEAR, ask, wait_until
from processes import ROOT, Store, free_port

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Pages and files of a store by their paths. Those with a part that differs, and those of `connect/v1`, are for programs.
PATH = re.compile(r"`(/(?:account|connect|openapi|pages|pki|metrics|readyz|healthz)(?!/v1)(?:/[\w.-]+)*)`")
# Those that only answer a message of a program.
MESSAGES = {"/verifyReceipt", "/pki/ocsp", "/connect/sign-out"}


def test_the_addresses_of_make_run(folder):
    command = Command.script("run", PORT=str(free_port()), BUYFRUIT_PORT=str(free_port()),
                             RUN_FOLDER=str(folder / "run"))
    try:
        addresses = command.addresses("Ctrl-C stops both")
        assert len(set(addresses)) == 2, addresses
        for address in addresses:
            is_page(address)
    finally:
        command.stop()


def test_the_payment_sheet_is_one_click_away_without_a_desktop(folder):
    command = Command.script("run", PORT=str(free_port()), BUYFRUIT_PORT=str(free_port()),
                             RUN_FOLDER=str(folder / "run"), DISPLAY="", WAYLAND_DISPLAY="", BROWSER="")
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
    command = Command.script("garden", FLOWERGARDEN_PORT=str(free_port()), FLOWERGARDEN_APP_PORT=str(free_port()),
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


def test_the_addresses_of_the_documents(folder):
    """Those of a store on this machine, also without the address of the store before the path. The browser is one of a
    user who has signed in to Connect."""
    texts = [document.read_text() for document in DOCUMENTS]
    addresses = {address.rstrip(";") for text in texts for address in ADDRESS.findall(text)}
    paths = {urllib.parse.urlsplit(address).path for address in addresses if ":8080" in address}
    paths |= {path for text in texts for path in PATH.findall(text)}
    # The token of a team that isn't set up yet.
    paths -= MESSAGES | {"/connect/setup/5f0c…"}
    assert len(paths) > 40, paths
    # /account/forgotten and /connect/forgotten are there if the store can send messages.
    store = Store(folder, arguments=["--sendmail", shutil.which("true")])
    store.serve()
    try:
        cookie = set_up(store).cookie
        answers = {path: opened(store.url + path, Cookie=cookie) for path in sorted(paths)}
    finally:
        store.stop()
    wrong = {path: answer for path, answer in answers.items() if answer[0] != 200}
    assert not wrong, f"the documents have addresses that aren't there: {wrong}"
