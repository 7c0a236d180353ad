# SPDX-License-Identifier: Apache-2.0
"""`storectl serve --ephemeral`: a store that exists for one run of a seller's tests, and leaves nothing on the disk."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from appstoreserverlibrary.api_client import APIError

from box import Box
from failing_start import serve
from harness import EMAIL, PASSWORD, PATIENCE, SEEDS, ask, wait_until
from processes import BINARIES
from seller_server import refusal


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_a_run_of_tests_leaves_nothing(folder, number):
    """Apple's library works with the printed key and root, and the ended store has left nothing."""
    with Box(Path(folder) / "box") as box:
        assert ask("GET", f"{box.url}/readyz")[0] == 200, "the store isn't ready when it has printed its line"
        assert len(box.line.splitlines()) == 1 and box.port > 0, f"the line: {box.line}"
        box.command("account", "add", EMAIL, "--password-stdin", given=PASSWORD + "\n")
        bought = box.buy(SEEDS)
        signed = box.client.get_transaction_info(bought).signedTransactionInfo
        info = box.verifier.verify_and_decode_signed_transaction(signed)
        assert info.transactionId == bought and info.productId == SEEDS, f"the transaction: {info}"
        unknown = refusal(box.client.get_transaction_info, "2000000000000000001")
        assert unknown.api_error == APIError.TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}"
        wrong = box.run("account", "list", OPENSTOREKIT_CONTROL_TOKEN="0" * 64)
        assert wrong.returncode == 1, f"another token: {wrong.stdout}"
        assert box.files() == box.before, f"the run has written {set(box.files()) - set(box.before)}"
        rest = box.end(number)
        assert rest == b"", f"more than a line was printed: {rest}"
        assert box.files() == box.before, f"the end has left {set(box.files()) - set(box.before)}"
        for secret in ("controlToken", "privateKey"):
            box.log.seek(0)
            assert box.facts[secret].encode() not in box.log.read(), f"{secret} is in the log"


def test_two_stores_side_by_side(folder):
    """Two stores at the same time have ports, tokens, keys and roots of their own."""
    with Box(Path(folder) / "one") as one, Box(Path(folder) / "two") as two:
        shared = [name for name in one.facts if one.facts[name] == two.facts[name]]
        assert shared == [], f"both stores have the same {shared}"
        wrong = two.run("account", "list", OPENSTOREKIT_CONTROL_TOKEN=one.facts["controlToken"])
        assert wrong.returncode == 1, f"the token of another store: {wrong.stdout}"
        other = one.client
        other._base_url = two.url
        refused = refusal(other.get_transaction_info, "2000000000000000001")
        assert refused.http_status_code == 401, f"the key of another store: {refused}"


def test_the_token_for_people():
    """Without --json the address and the token are printed as sentences."""
    process = subprocess.Popen(
        [str(BINARIES / "storectl"), "serve", "--ephemeral", "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        first, second = process.stdout.readline(), process.stdout.readline()
        assert first.startswith("The store is at http://127.0.0.1:"), f"first: {first}"
        assert "OPENSTOREKIT_CONTROL_TOKEN" in second and "--store http://127.0.0.1:" in second, f"second: {second}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


STARTER = """
import subprocess, sys
store = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
print(store.pid, store.stdout.readline().decode(), flush=True)
store.wait()
"""


def test_the_store_ends_with_its_starter():
    """With --end-with-input a store ends with its standard input, also when its starter is killed."""
    command = [str(BINARIES / "storectl"), "serve", "--ephemeral", "--json", "--end-with-input", "--listen",
               "127.0.0.1:0"]
    store = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    facts = json.loads(store.stdout.readline())
    store.stdin.write(b"ignored\n")
    store.stdin.flush()
    assert ask("GET", f"{facts['address']}/readyz")[0] == 200, "input has ended the store"
    store.stdin.close()
    assert store.wait(timeout=PATIENCE) == 0, "the end of the input isn't a regular end"
    store.stdout.close()

    starter = subprocess.Popen([sys.executable, "-c", STARTER, *command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    number, line = starter.stdout.readline().split(b" ", 1)
    address = json.loads(line)["address"]
    assert ask("GET", f"{address}/readyz")[0] == 200, "the store isn't ready"
    starter.kill()
    starter.wait()
    starter.stdout.close()
    wait_until("the store has ended", lambda: not Path(f"/proc/{int(number)}/exe").exists())


def test_options_that_it_refuses(folder):
    """Options that need a folder, and those that need an ephemeral store."""
    data = Path(folder) / "data"
    for option, value in (("--data", data), ("--database", f"sqlite:{data}"), ("--content", data),
                          ("--authority-key", data)):
        said = serve("--ephemeral", option, value, status=64)
        assert "--ephemeral" in said and option in said and "exclude" in said, f"{option}: {said}"
    assert "--ephemeral" in serve("--data", data, "--json", status=64), "--json alone"
    assert "--ephemeral" in serve("--data", data, "--listen", "127.0.0.1:0", status=64), "port 0 alone"
    assert not data.exists(), "a refused command line has made a folder"
