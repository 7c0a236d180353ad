# SPDX-License-Identifier: Apache-2.0
"""A process of an app that uses StoreKit 2, which a test tells to buy and to list."""

import json
import os
import subprocess
from pathlib import Path

from harness import BUNDLE, Failed, wait_until
from processes import BINARIES, ROOT, Running


class TransactionApp(Running):
    """The app on a device. It finishes a transaction only when the test sends the command."""

    def __init__(self, market, name="device", home=None):
        """Pass `home` to make another process of the app on the same device."""
        folder = Path(market.folder) / f"{name}-storekit2"
        folder.mkdir()
        super().__init__(f"the app of StoreKit 2 on {name}", folder / "app.log")
        self.home, self.store, self.customer = home or folder / "storekit", market.store, market.customer
        market.running.append(self)

    def launch(self, *arguments, **environment):
        self.log.write_text("")  # the lines of this launch only
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(BINARIES / "TransactionProbe"), *arguments], stdin=subprocess.PIPE, stdout=log, stderr=log,
                text=True, cwd=ROOT, env={
                    **os.environ, "STOREKIT_STORE_URL": self.store.url, "STOREKIT_BUNDLE_ID": BUNDLE,
                    "STOREKIT_APP_VERSION": "1.0", "STOREKIT_HOME": str(self.home),
                    "STOREKIT_TRUST": str(self.store.root), **self.customer.environment, **environment,
                })
        return self

    def quit(self):
        """Ends the input, and requires that the app ends without an error."""
        self.process.stdin.close()
        wait_until(f"{self.name} ends", lambda: self.process.poll() is not None)
        assert self.process.returncode == 0, f"{self.name} ended with {self.process.returncode}:\n{self.tail()}"

    def lines(self, event):
        # The last part has no end yet, or is empty.
        whole = self.log.read_text(errors="replace").split("\n")[:-1]
        return [line for line in (json.loads(text) for text in whole if text.startswith("{")) if line["event"] == event]

    def tell(self, command):
        """Sends a command, and returns a function that waits for its answer."""
        number = len(self.lines("answer"))
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

        def answered():
            if self.process.poll() is not None:
                raise Failed(f"{self.name} ended with {self.process.returncode}:\n{self.tail()}")
            return self.lines("answer")[number:]

        return lambda: wait_until(f"{self.name} answers {command}:\n{self.tail()}", answered)[0]

    def ask(self, command):
        return self.tell(command)()

    def listed(self, command):
        """The transactions that a command lists."""
        answer = self.ask(command)
        assert answer.get("outcome") is None, f"{command}: {answer}"
        return answer["transactions"]

    def products(self, command):
        return sorted(transaction["product"] for transaction in self.listed(command))

    def status(self, group):
        """The one subscription of a group."""
        answer = self.ask(f"statuses {group}")
        assert len(answer["statuses"]) == 1, f"the subscriptions of {group}: {answer}"
        return answer["statuses"][0]

    def updates(self):
        return [line["transactions"][0] for line in self.lines("update")]

    def statuses(self):
        return [line["statuses"][0] for line in self.lines("status")]

    def begin(self, product, decision, *words, **customer):
        """Answers the sheet of a purchase, and returns the purchase's end."""
        answer = self.tell(" ".join(["buy", product, *words]))
        status, text = self.customer.decide(self.customer.next_sheet(), decision, **customer)
        assert status == 200, f"the sheet of {product}: {status} {text}"
        return answer()

    def buys(self, product, *words, **customer):
        """Buys a product, and returns its transaction, which is verified and unfinished."""
        answer = self.begin(product, "buy", *words, **customer)
        assert answer["outcome"] == "success", f"buying {product}: {answer}"
        [transaction] = answer["transactions"]
        assert transaction["product"] == product and "refusal" not in transaction, f"bought: {transaction}"
        return transaction

    def finishes(self, transaction):
        answer = self.ask(f"finish {transaction['id']}")
        assert answer["outcome"] == "finished", f"finishing {transaction}: {answer}"
