# SPDX-License-Identifier: Apache-2.0
"""An ephemeral store (`storectl serve --ephemeral`) in folders of a test, and Apple's library for it."""

import json
import os
import subprocess
from pathlib import Path

from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from harness import BUNDLE, EMAIL, PASSWORD, PATIENCE, Device, ask
from processes import BINARIES, CONFIGURATION


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
        self.process.wait(timeout=PATIENCE)
        return rest

    def run(self, *arguments, given=None, **environment):
        # Foundation's client makes an empty folder for its cache in the home of a command.
        return subprocess.run(
            [str(BINARIES / "storectl"), *arguments, "--store", self.url], input=given, text=True,
            capture_output=True, timeout=PATIENCE, cwd=self.folder / "cwd",
            env=self.environment("../of-commands", **{
                "OPENSTOREKIT_CONTROL_TOKEN": self.facts["controlToken"], **environment}))

    def command(self, *arguments, given=None):
        ran = self.run(*arguments, given=given)
        assert ran.returncode == 0, f"{arguments} ended with {ran.returncode}: {ran.stderr}"
        return ran.stdout

    def buy(self, product):
        device = Device(self).register()
        status, paid = device.pay("one", product)
        assert status == 200 and paid.get("sheet"), f"asking for {product}: {status} {paid}"
        status, text = ask("POST", paid["sheet"], accept="application/json", form={
            "email": EMAIL, "password": PASSWORD, "decision": "buy"})
        assert status == 200, f"buying {product}: {status} {text}"
        status, paid = device.pay("one", product)
        assert status == 200 and paid.get("transaction"), f"the purchase: {status} {paid}"
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
