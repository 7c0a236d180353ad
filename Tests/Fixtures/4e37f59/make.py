#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files beside this one with the programs of commit 4e37f59.

    git clone REPOSITORY OLD && git -C OLD checkout 4e37f59
    (cd OLD && swift build --product storectl && swift build --product BuyFruit)
    Tests/Fixtures/4e37f59/make.py OLD

A customer buys with BuyFruit on a phone, and with a second device that sends
messages without an agent, a tablet. The phone is stopped by a fault point
between the app's last finish and the message to the store.
"""

import base64
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

from harness import (
    APPLE, BUNDLE, EMAIL, ORANGE, PEAR, SEEDS, Device, Market, expect, lists, owns, press, row, wait_until)
from processes import storectl


def buy(market, app, product):
    press(app, "buy", product=product)
    status, text = market.customer.buy(market.customer.next_sheet())
    expect(status == 200, f"the sheet of {product}: {status} {text}")


def settled(app):
    wait_until("the phone has finished", lambda: app.state()["unfinishedTransactions"] == 0)


def account(market, *flags):
    storectl("account", "set", EMAIL, *flags, "--store", market.store.url, "--data", market.store.data)


def buy_on_phone(market, app):
    for product in (APPLE, PEAR):
        buy(market, app, product)
        wait_until(f"the phone owns {product}", lambda product=product: owns(app, product))
    buy(market, app, SEEDS)
    wait_until("the phone has seeds", lambda: row(app, SEEDS)["count"] == 1)
    settled(app)


def buy_on_tablet(market):
    """Signs in with a purchase of the pear, which the account owns already; the position before its refund."""
    tablet = Device(market.store)
    # As TestDevice(number: 2).
    tablet.identifier, tablet.secret = "02" * 16, "02" * 32
    tablet.register()
    status, answer = tablet.pay("tablet-pear", PEAR)
    expect(status == 200 and answer["status"] == "authorise", f"the tablet's payment: {status} {answer}")
    status, text = market.customer.buy(answer["sheet"])
    expect(status == 200, f"the tablet's sheet: {status} {text}")
    status, answer = tablet.call("key-values", bundleIdentifier=BUNDLE, writes=[
        {"key": "theme", "value": base64.b64encode(b"dark").decode(), "sequence": 1}])
    expect(status == 200 and "position" in answer, f"the tablet's value: {status} {answer}")
    status, answer = tablet.call("queue", bundleIdentifier=BUNDLE)
    expect(status == 200, f"the tablet's queue: {status} {answer}")
    return answer


def refund_pear(market):
    [(pear,)] = market.store.rows(
        f"SELECT transaction_id FROM purchase WHERE product_id = '{PEAR}' AND transaction_id = original_transaction_id")
    storectl("refund", pear, "--store", market.store.url, "--data", market.store.data)
    wait_until("the money is given back", lambda: market.store.rows(
        "SELECT count(*) FROM payment WHERE status = 'refunded'") == [(1,)])


def ask_a_parent(market, app):
    account(market, "--ask-to-buy")
    press(app, "buy", product=ORANGE)
    wait_until("the phone waits for approval", lambda: row(app, ORANGE)["state"] == "waiting")
    account(market, "--no-ask-to-buy")


def leave_a_finish_unsent(market, app):
    app.stop()
    market.launch(app, OPENSTOREKIT_CRASH_AT="confirm:before")
    lists(app)
    buy(market, app, SEEDS)
    wait_until("the phone has ended before the message", lambda: app.process.poll() is not None)


def dump(database, target):
    """Writes a database as SQL, its tables in the order in which they were made."""
    connection = sqlite3.connect(database)
    statements = []
    schema = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    ).fetchall()
    for kind, name, sql in schema:
        if kind == "table":
            statements.append(sql)
            columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
            values = " || ', ' || ".join(f"quote({column})" for column in columns)
            statements += [
                f"INSERT INTO {name} VALUES ({values})"
                for (values,) in connection.execute(f"SELECT {values} FROM {name} ORDER BY rowid")]
    statements += [sql for kind, _, sql in schema if kind != "table"]
    expect(not any(";\n" in statement for statement in statements), "a statement looks like two")
    target.write_text("".join(f"{statement};\n" for statement in statements))
    check = sqlite3.connect(":memory:")
    check.execute("PRAGMA foreign_keys = ON")
    check.executescript(target.read_text())


def main():
    with tempfile.TemporaryDirectory() as folder, Market(folder).open() as market:
        app = market.app("phone")
        market.launch(app)
        lists(app)
        buy_on_phone(market, app)
        before = buy_on_tablet(market)
        settled(app)
        refund_pear(market)
        wait_until("the phone's receipt has the refund", lambda: "cancellationDate" in storectl(
            "receipt", "inspect", app.receipt, "--json"))
        ask_a_parent(market, app)
        leave_a_finish_unsent(market, app)
        market.store.stop()
        dump(market.store.data / "store.sqlite", HERE / "store.sql")
        dump(app.home / "apps" / BUNDLE / "journal.sqlite", HERE / "journal.sql")
        # The file's inode makes a copy another device: the tests write that of their file.
        identity = {**json.loads((app.home / "device.json").read_text()), "inode": 0}
        (HERE / "device.json").write_text(json.dumps(identity) + "\n")
        receipt = base64.encodebytes(app.receipt.read_bytes()).decode()
        (HERE / "sandboxReceipt.base64").write_text(receipt)
        (HERE / "tablet.json").write_text(json.dumps(before, indent=2, sort_keys=True) + "\n")
        for file in HERE.iterdir():
            expect(file.name == "make.py" or folder not in file.read_text(), f"{file.name} names {folder}")


if __name__ == "__main__":
    main()
