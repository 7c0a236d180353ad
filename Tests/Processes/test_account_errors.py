# SPDX-License-Identifier: Apache-2.0
"""`storectl account` and the address that a store has left in its folder."""

import socket
import subprocess

from harness import EMAIL, PASSWORD, PATIENCE, Store, complains, wait_until
from processes import BINARIES

ANOTHER = "another@example.com"


def add(*arguments):
    """Runs `storectl account add` with a password."""
    return subprocess.run(
        [str(BINARIES / "storectl"), "account", "add", *map(str, arguments), "--password-stdin"],
        input=PASSWORD + "\n", capture_output=True, text=True, timeout=PATIENCE)


def test_a_stranger_at_the_address_of_a_stopped_store(folder):
    """A program that listens at the address of a store that was stopped gets neither token nor password."""
    store = Store(folder)
    store.serve()
    store.add_account(EMAIL, PASSWORD)
    store.stop()
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", store.port))
        listener.listen()
        listener.settimeout(0.1)
        ran = add("--data", store.data, ANOTHER)
        assert ran.returncode == 0, f"account add ended with {ran.returncode}: {ran.stderr}"
        try:
            connection, _ = listener.accept()
            connection.close()
            assert False, "the command connected to the stranger"
        except TimeoutError:
            pass
    emails = store.rows("SELECT email FROM account ORDER BY email")
    assert emails == [(ANOTHER,), (EMAIL,)], f"the accounts are {emails}"


def test_a_store_on_another_database_than_that_of_the_folder(folder):
    """A store on another database than the folder's isn't guessed, whether it runs or not."""
    store = Store(folder, is_first=True)
    data, other = store.data, f"sqlite:{folder}/other.sqlite"
    store.arguments = ("--database", other)
    store.serve()
    try:
        wait_until("the store has recorded its address", (data / "control.address").exists)
        complains(add("--data", data, EMAIL).stderr, "another database", "--store", "--database")
        ran = add("--data", data, "--store", store.url, EMAIL)
        assert ran.returncode == 0, f"account add ended with {ran.returncode}: {ran.stderr}"
    finally:
        store.stop()
    ran = add("--data", data, ANOTHER)
    assert ran.returncode == 1, f"account add ended with {ran.returncode}"
    complains(ran.stderr, "another database", "--store", "--database")
    assert not (data / "store.sqlite").exists(), "a database was made that no store has"
    ran = add("--data", data, "--database", other, ANOTHER)
    assert ran.returncode == 0, f"account add ended with {ran.returncode}: {ran.stderr}"
