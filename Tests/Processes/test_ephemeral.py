# SPDX-License-Identifier: Apache-2.0
"""`storectl serve --ephemeral`: a store that exists for one run of a seller's tests, and leaves nothing on the disk.

Arguments choose the scenarios whose names have all of these words. The last line is `N passed, N failed`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from appstoreserverlibrary.api_client import APIError, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import (  # noqa: E402
    BUNDLE, EMAIL, PASSWORD, SEEDS, Device, ask, expect, play_all, wait_until)
from processes import BINARIES, CONFIGURATION  # noqa: E402
from serve_errors import serve  # noqa: E402
from test_server_api import refusal  # noqa: E402


class Box:
    """An ephemeral store whose working directory, home and temporary folder are folders of the test."""

    def __init__(self, folder, *arguments):
        self.folder = Path(folder)
        for name in ("cwd", "home", "tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.before = self.files()
        self.log = open(self.folder.parent / f"{self.folder.name}.log", "w+b")  # outside of the compared folder
        self.process = subprocess.Popen(
            [str(BINARIES / "storectl"), "serve", "--ephemeral", "--json", "--listen", "127.0.0.1:0",
             "--configuration", str(CONFIGURATION), "--bundle-id", BUNDLE, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, cwd=self.folder / "cwd",
            env=self.environment())

    def environment(self, home="home", **others):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENSTOREKIT_", "XDG_"))}
        return {**kept, "HOME": str(self.folder / home), "TMPDIR": str(self.folder / "tmp"), **others}

    def files(self):
        """All files and folders of the test, with their sizes."""
        return sorted((str(path), path.stat().st_size if path.is_file() else -1) for path in self.folder.rglob("*"))

    def __enter__(self):
        self.line = self.process.stdout.readline()
        try:
            self.facts = json.loads(self.line)
        except ValueError:
            self.process.kill()
            self.process.wait()
            self.log.seek(0)
            raise AssertionError(f"no line of JSON: {self.line} {self.log.read().decode()}") from None
        self.url = self.facts["address"]
        self.port = int(self.url.rsplit(":", 1)[1])
        return self

    def __exit__(self, kind, error, trace):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
        os.unlink(self.log.name)

    def end(self, number):
        """Ends the store by a signal, and returns the output after its line."""
        self.process.send_signal(number)
        rest = self.process.stdout.read()
        self.process.wait(timeout=30)
        return rest

    def run(self, *arguments, given=None, **environment):
        # Foundation's client makes an empty folder for its cache in the home of a command.
        ran = subprocess.run(
            [str(BINARIES / "storectl"), *arguments, "--store", self.url], input=given, text=True,
            capture_output=True, timeout=60, cwd=self.folder / "cwd",
            env=self.environment("../of-commands", **({"OPENSTOREKIT_CONTROL_TOKEN": self.facts["controlToken"]} | environment)))
        return ran

    def command(self, *arguments, given=None):
        ran = self.run(*arguments, given=given)
        expect(ran.returncode == 0, f"{arguments} ended with {ran.returncode}: {ran.stderr}")
        return ran.stdout

    def buy(self, product):
        device = Device(self).register()
        status, paid = device.pay("one", product)
        expect(status == 200 and paid.get("sheet"), f"asking for {product}: {status} {paid}")
        status, text = ask("POST", paid["sheet"], accept="application/json", form={
            "email": EMAIL, "password": PASSWORD, "decision": "buy"})
        expect(status == 200, f"buying {product}: {status} {text}")
        status, paid = device.pay("one", product)
        expect(status == 200 and paid.get("transaction"), f"the purchase: {status} {paid}")
        return paid["transaction"]["transactionIdentifier"]

    @property
    def client(self):
        client = AppStoreServerAPIClient(
            self.facts["privateKey"].encode(), self.facts["keyId"], self.facts["issuerId"], BUNDLE,
            Environment.SANDBOX)
        client._base_url = self.url
        return client

    @property
    def verifier(self):
        root = x509.load_pem_x509_certificate(self.facts["rootCertificate"].encode())
        return SignedDataVerifier([root.public_bytes(Encoding.DER)], True, Environment.SANDBOX, BUNDLE)


def run_of_tests(folder, number):
    """Apple's library works with the printed key and root, and the ended store has left nothing."""
    with Box(Path(folder) / "box") as box:
        expect(ask("GET", f"{box.url}/readyz")[0] == 200, "the store isn't ready when it has printed its line")
        expect(len(box.line.splitlines()) == 1 and box.port > 0, f"the line: {box.line}")
        box.command("account", "add", EMAIL, "--password-stdin", given=PASSWORD + "\n")
        bought = box.buy(SEEDS)
        signed = box.client.get_transaction_info(bought).signedTransactionInfo
        info = box.verifier.verify_and_decode_signed_transaction(signed)
        expect(info.transactionId == bought and info.productId == SEEDS, f"the transaction: {info}")
        unknown = refusal(box.client.get_transaction_info, "2000000000000000001")
        expect(unknown.api_error == APIError.TRANSACTION_ID_NOT_FOUND, f"unknown: {unknown}")
        wrong = box.run("account", "list", OPENSTOREKIT_CONTROL_TOKEN="0" * 64)
        expect(wrong.returncode == 1, f"another token: {wrong.stdout}")
        expect(box.files() == box.before, f"the run has written {set(box.files()) - set(box.before)}")
        rest = box.end(number)
        expect(rest == b"", f"more than a line was printed: {rest}")
        expect(box.files() == box.before, f"the end has left {set(box.files()) - set(box.before)}")
        for secret in ("controlToken", "privateKey"):
            box.log.seek(0)
            expect(box.facts[secret].encode() not in box.log.read(), f"{secret} is in the log")


def side_by_side(folder):
    """Two stores at the same time have ports, tokens, keys and roots of their own."""
    with Box(Path(folder) / "one") as one, Box(Path(folder) / "two") as two:
        shared = [name for name in one.facts if one.facts[name] == two.facts[name]]
        expect(shared == [], f"both stores have the same {shared}")
        wrong = two.run("account", "list", OPENSTOREKIT_CONTROL_TOKEN=one.facts["controlToken"])
        expect(wrong.returncode == 1, f"the token of another store: {wrong.stdout}")
        other = one.client
        other._base_url = two.url
        refused = refusal(other.get_transaction_info, "2000000000000000001")
        expect(refused.http_status_code == 401, f"the key of another store: {refused}")


def for_people(folder):
    """Without --json the address and the token are printed as sentences."""
    process = subprocess.Popen(
        [str(BINARIES / "storectl"), "serve", "--ephemeral", "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        first, second = process.stdout.readline(), process.stdout.readline()
        expect(first.startswith("The store is at http://127.0.0.1:"), f"first: {first}")
        expect("OPENSTOREKIT_CONTROL_TOKEN" in second and "--store http://127.0.0.1:" in second, f"second: {second}")
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


def with_its_starter(folder):
    """With --end-with-input a store ends with its standard input, also when its starter is killed."""
    command = [str(BINARIES / "storectl"), "serve", "--ephemeral", "--json", "--end-with-input", "--listen",
               "127.0.0.1:0"]
    store = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    facts = json.loads(store.stdout.readline())
    store.stdin.write(b"ignored\n")
    store.stdin.flush()
    expect(ask("GET", f"{facts['address']}/readyz")[0] == 200, "input has ended the store")
    store.stdin.close()
    expect(store.wait(timeout=30) == 0, "the end of the input isn't a regular end")
    store.stdout.close()

    starter = subprocess.Popen([sys.executable, "-c", STARTER, *command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    number, line = starter.stdout.readline().split(b" ", 1)
    address = json.loads(line)["address"]
    expect(ask("GET", f"{address}/readyz")[0] == 200, "the store isn't ready")
    starter.kill()
    starter.wait()
    starter.stdout.close()
    wait_until("the store has ended", lambda: not Path(f"/proc/{int(number)}/exe").exists())


def refusals(folder):
    """Options that need a folder, and those that need an ephemeral store."""
    data = Path(folder) / "data"
    for option, value in (("--data", data), ("--database", f"sqlite:{data}"), ("--content", data),
                          ("--authority-key", data)):
        said = serve("--ephemeral", option, value, status=64)
        expect("--ephemeral" in said and option in said and "exclude" in said, f"{option}: {said}")
    expect("--ephemeral" in serve("--data", data, "--json", status=64), "--json alone")
    expect("--ephemeral" in serve("--data", data, "--listen", "127.0.0.1:0", status=64), "port 0 alone")
    expect(not data.exists(), "a refused command line has made a folder")


def quick(folder):
    """A store is ready within seconds also in a build for debugging."""
    started = time.monotonic()
    with Box(Path(folder) / "box") as box:
        expect(ask("GET", f"{box.url}/readyz")[0] == 200, "ready")
        print(f"ready after {time.monotonic() - started:.1f} s", flush=True)


def scenarios():
    yield "Apple's library tests against an ephemeral store that SIGTERM ends", run_of_tests, {"number": signal.SIGTERM}
    yield "Apple's library tests against an ephemeral store that is killed", run_of_tests, {"number": signal.SIGKILL}
    yield "Two ephemeral stores run side by side", side_by_side, {}
    yield "An ephemeral store says its token to people", for_people, {}
    yield "An ephemeral store ends with the process that has started it", with_its_starter, {}
    yield "Options that an ephemeral store refuses", refusals, {}
    yield "An ephemeral store is ready soon", quick, {}


if __name__ == "__main__":
    sys.exit(play_all(scenarios(), sys.argv[1:]))
