# SPDX-License-Identifier: Apache-2.0
"""Buys an apple without a person, and checks the result from outside. Run by scripts/demo.

Prints one line for each step, with its observation. Exit status 0 only if every step succeeds.
"""

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import APPLE, BUNDLE, EMAIL, PASSWORD, ROOT, BuyFruit, Failed, Store, ask, storectl, wait_until

steps = 0


def observed(step, what):
    global steps
    steps += 1
    print(f"{steps:2}  {step:<12} {what}", flush=True)


def demo(folder):
    store = Store(folder)
    app = BuyFruit(folder, store)
    try:
        start(store)
        transaction = buy(folder, store, app)
        verify(folder, store, app, transaction)
        observed("stop", f"BuyFruit ended with {app.stop()}, the store with {store.stop()}")
    finally:
        app.kill()
        store.kill()


def start(store):
    store.serve()
    products = store.rows(f"SELECT count(*) FROM product WHERE bundle_id = '{BUNDLE}'")[0][0]
    observed("store", f"{store.url} answers /healthz and sells {products} products")
    store.add_account(EMAIL, PASSWORD)
    observed("account", EMAIL)


def buy(folder, store, app):
    sheet_log = Path(folder) / "sheet.log"
    app.launch(
        STOREKIT_SHEET=f"script:{ROOT / 'scripts' / 'answer-sheet'}",
        SHEET_EMAIL=EMAIL, SHEET_PASSWORD=PASSWORD, SHEET_LOG=str(sheet_log),
    )
    apple = wait_until("BuyFruit lists the apple", lambda: product(app, APPLE))
    assert not apple["isPurchased"], "the apple counts as bought before anybody paid"
    observed("BuyFruit", f"{app.url} lists {apple['title']} at {apple['price']}, not bought")

    ask("POST", f"{app.url}/buy", form={"product": APPLE})
    shown = wait_until("the sheet was shown", lambda: noted(sheet_log, "shown"))
    assert shown["status"] == 200 and shown["sandbox"], "the sheet doesn't say Environment: Sandbox"
    assert apple["title"] in shown["page"], f"the sheet doesn't name {apple['title']}"
    observed("sheet", f"names {apple['title']} and says Environment: Sandbox")
    answered = wait_until("the sheet was answered", lambda: noted(sheet_log, "answered"))
    assert answered["status"] == 200, f"the store answered {answered['status']}: {answered['answer']}"
    observed("Buy", f"the store answers {answered['answer']}")

    wait_until("the apple arrived in BuyFruit", lambda: product(app, APPLE)["isPurchased"])
    observed("delivered", "BuyFruit shows the apple as bought")
    wait_until("BuyFruit's queue is empty", lambda: app.state()["unfinishedTransactions"] == 0)
    wait_until("the store's queue is empty", lambda: store.rows("SELECT count(*) FROM queue_entry") == [(0,)])
    observed("finished", "the queue is empty in BuyFruit and in the store")

    ledger = store.rows("SELECT kind, transaction_id, milliunits, currency FROM ledger_entry")
    assert len(ledger) == 1, f"expected one ledger entry, found {ledger}"
    kind, transaction, milliunits, currency = ledger[0]
    observed("ledger", f"one entry: {kind} {milliunits / 1000:.2f} {currency}, transaction {transaction}")
    return transaction


def verify(folder, store, app, transaction):
    assert app.receipt.is_file(), f"no receipt at {app.receipt}"
    size = app.receipt.stat().st_size
    (device,) = store.rows("SELECT device_id FROM device")[0]
    storectl("receipt", "verify", app.receipt, "--root", store.root, "--bundle-id", BUNDLE, "--device", device)
    observed("receipt", f"{size} bytes; storectl receipt verify accepts chain, bundle identifier and device hash")

    content = Path(folder) / "content.der"
    ran = subprocess.run(
        ["openssl", "cms", "-verify", "-inform", "DER", "-in", str(app.receipt), "-CAfile", str(store.root),
         "-purpose", "any", "-out", str(content)],
        capture_output=True, text=True,
    )
    assert ran.returncode == 0, f"openssl refuses the receipt: {ran.stderr.strip()}"
    observed("openssl", f"cms -verify against the store's root: {ran.stderr.strip().splitlines()[-1]}")

    # This script acts as the seller's server. An app must not send this request itself.
    data = base64.b64encode(app.receipt.read_bytes()).decode()
    status, text = ask("POST", f"{store.url}/verifyReceipt", body={"receipt-data": data})
    answer = json.loads(text)
    assert status == 200 and answer.get("status") == 0, f"/verifyReceipt answers {status}: {text[:300]}"
    bought = answer["receipt"]["in_app"]
    assert [(item["product_id"], item["transaction_id"]) for item in bought] == [(APPLE, transaction)], (
        f"/verifyReceipt lists {bought}")
    observed("server", f"/verifyReceipt: status 0, {answer['environment']}, {bought[0]['product_id']}")


def product(app, identifier):
    return next((item for item in app.state()["products"] if item["identifier"] == identifier), None)


def noted(log, event):
    if not log.exists():
        return None
    return next((line for line in map(json.loads, log.read_text().splitlines()) if line["event"] == event), None)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="openstorekit-demo-") as folder:
        try:
            demo(folder)
        except (AssertionError, OSError, KeyError, ValueError) as error:
            print(f"FAILED after step {steps}: {error!r}" if not isinstance(error, Failed)
                  else f"FAILED after step {steps}: {error}", file=sys.stderr)
            for log in sorted(Path(folder).rglob("*.log")):
                print(f"--- the end of {log.name}", file=sys.stderr)
                print("\n".join(log.read_text(errors="replace").splitlines()[-15:])[:4000], file=sys.stderr)
            sys.exit(1)
    print("All of it held.")
