# SPDX-License-Identifier: Apache-2.0
"""A database that is locked, a disk that is full: a clear refusal in bounded time, and nothing lost."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import (
    APPLE, BUNDLE, PEAR, SEEDS, Device, Failed, Market, charged_once_each, charges, code_of, complains, expect,
    is_quiet, nothing_charged, requests, wait_until)
from processes import ask
from serve_errors import CATALOGUE, listener, serve

BOUND = 20  # seconds in which a store that can't write must have refused


def refused(status, answer, what):
    code = answer.get("error", {}).get("code") if isinstance(answer, dict) else code_of(answer)
    expect((status, code) == (503, "unavailable"), f"{what}: {status} {answer}")


def still_reads(market, device):
    expect(ask("GET", f"{market.store.url}/healthz", seconds=BOUND)[0] == 200, "/healthz doesn't answer")
    expect(ask("GET", f"{market.store.url}/pki/root.pem", seconds=BOUND)[0] == 200, "/pki doesn't answer")
    status, answer = device.products(APPLE, PEAR)
    expect(status == 200 and len(answer["products"]) == 2, f"the catalogue can't be read: {status} {answer}")
    status, answer = device.call("queue", bundleIdentifier=BUNDLE)
    expect(status == 200, f"the queue can't be read: {status} {answer}")


def bought(market, device, request, product, quantity=1):
    """Completes a recorded payment: sheet, charge, queue and finish."""
    status, answer = device.pay(request, product, quantity)
    expect(status == 200 and answer["status"] == "authorise", f"the payment isn't open: {status} {answer}")
    status, text = market.customer.buy(answer["sheet"])
    expect(status == 200, f"the sheet can't be confirmed: {status} {text}")
    finished(device, request, product, quantity)


def finished(device, request, product, quantity=1):
    status, answer = device.pay(request, product, quantity)
    expect(status == 200 and answer["status"] == "purchased", f"the payment isn't done: {status} {answer}")
    status, answer = device.call(
        "finish", bundleIdentifier=BUNDLE,
        transactionIdentifier=answer["transaction"]["transactionIdentifier"])
    expect(status == 200, f"finishing: {status} {answer}")


def locked(folder):
    with Market(folder).open() as market:
        device = Device(market.store).register()
        status, answer = device.pay("open", APPLE)
        sheet = answer["sheet"]
        payments = [("first", PEAR), ("second", SEEDS), ("third", SEEDS), ("fourth", SEEDS)]
        outside = sqlite3.connect(market.store.data / "store.sqlite", isolation_level=None, timeout=10)
        outside.execute("BEGIN EXCLUSIVE")
        try:
            # In parallel, so that no request waits for another one.
            asked = {
                **{name: lambda name=name, product=product: device.pay(name, product) for name, product in payments},
                "the sheet": lambda: market.customer.buy(sheet),
                "another device": lambda: Device(market.store).call("register"),
            }
            started = time.monotonic()
            with ThreadPoolExecutor(max_workers=len(asked) + 1) as pool:
                page = pool.submit(ask, "POST", sheet, form={"decision": "cancel"}, seconds=60)
                answers = {name: pool.submit(question) for name, question in asked.items()}
                still_reads(market, device)
            for name, answer in answers.items():
                refused(*answer.result(), name)
            status, text = page.result()
            expect(status == 503 and "try again" in text, f"the sheet's page: {status} {text[:300]}")
            took = time.monotonic() - started
            expect(took < BOUND, f"the refusals took {took:.0f} s")
        finally:
            outside.execute("ROLLBACK")
            outside.close()
        nothing_charged(market.store)
        for name, product in payments:
            bought(market, device, name, product)
        status, text = market.customer.buy(sheet)
        expect(status == 200, f"the sheet of before can't be confirmed: {status} {text}")
        finished(device, "open", APPLE)
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE, PEAR, SEEDS, SEEDS, SEEDS)
        expect(requests(market.store) == {APPLE: 1, PEAR: 1, SEEDS: 3}, f"asked for {requests(market.store)}")


def locked_at_start(folder):
    """A store that starts while another process holds the lock reports that, and starts when the lock is released."""
    with Market(folder).open() as market:
        market.store.stop()
        outside = sqlite3.connect(market.store.data / "store.sqlite", isolation_level=None, timeout=10)
        outside.execute("BEGIN EXCLUSIVE")
        said = serve("--data", market.store.data, *listener(), *CATALOGUE, status=1)
        outside.execute("ROLLBACK")
        outside.close()
        complains(said, "store.sqlite", "locked", "try again")
        market.store.serve()
        expect(Device(market.store).register().products(APPLE)[1]["products"], "the catalogue is gone")


def full_disk(folder):
    """Runs the test on a small disk of its own, in its own mount namespace."""
    plain = ["unshare", "--mount"]
    ways = [plain] if os.geteuid() == 0 else [[*plain, "--user", "--map-root-user"], ["sudo", "-n", *plain]]
    complaints = []
    for way in ways:
        ran = subprocess.run([*way, "mount", "-t", "tmpfs", "-o", "size=1m", "none", folder],
                             capture_output=True, text=True)
        if ran.returncode == 0:
            ran = subprocess.run([*way, sys.executable, __file__, folder], capture_output=True, text=True)
            expect(ran.returncode == 0, f"{ran.stdout}{ran.stderr}")
            return
        complaints.append(f"{' '.join(way)}: {ran.stderr.strip()}")
    raise Failed(f"no small disk can be mounted for the test: {'; '.join(complaints)}")


def fill(disk):
    """Fills a disk to the last byte, and returns the file to remove for free space."""
    ballast = disk / "ballast"
    with open(ballast, "ab", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue
    expect(shutil.disk_usage(disk).free == 0, "the disk isn't full")
    return ballast


def on_a_small_disk(folder):
    folder = Path(folder)
    disk = folder / "store"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], check=True)
    with Market(folder).open() as market:
        device = Device(market.store).register()
        sheet = device.pay("open", APPLE)[1]["sheet"]
        before = fill(disk)

        # The files of the database may have room for a few more payments.
        recorded, full = [], None
        for number in range(5000):
            name = f"payment-{number}"
            started = time.monotonic()
            status, answer = device.pay(name)
            expect(time.monotonic() - started < BOUND, f"an answer took {time.monotonic() - started:.0f} s")
            if status != 200:
                full = name
                break
            recorded.append(name)
        expect(full, "the disk is full and the store still records payments")
        refused(status, answer, f"payment {full}, after {len(recorded)} that found room")
        # The log names the reason, and an answer has no path of the store's machine.
        expect("disk is full" in market.store.tail(50), f"the log doesn't say why: {market.store.tail()}")
        expect("store.sqlite" not in answer["error"]["message"], f"the refusal names a path: {answer}")
        still_reads(market, device)
        # The smallest write may still fit where a larger one doesn't; it is answered or refused, never lost.
        status, text = market.customer.buy(sheet)
        if status != 200:
            refused(status, text, "buying on a sheet")
            nothing_charged(market.store)
        expect(market.store.process.poll() is None, f"the store has ended:\n{market.store.tail()}")

        before.unlink()
        rows = {name for name, in market.store.rows("SELECT request_id FROM request")}
        expect(rows == {"open", *recorded}, f"recorded {sorted(rows)}, answered {recorded}")
        if status != 200:
            status, text = market.customer.buy(sheet)
            expect(status == 200, f"the sheet can't be confirmed with room again: {status} {text}")
        finished(device, "open", APPLE)
        bought(market, device, full, SEEDS)
        if recorded:
            bought(market, device, recorded[-1], SEEDS)
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE, *[SEEDS] * (2 if recorded else 1))
        # The ledger survives a restart; the disk was full again while the store was stopped.
        ledger = charges(market.store)
        market.store.stop()
        fill(disk)
        (disk / "ballast").unlink()
        market.store.serve()
        expect(charges(market.store) == ledger, "the ledger changed by a restart")
        integrity = market.store.rows("PRAGMA integrity_check")
        expect(integrity == [("ok",)], f"the database is damaged: {integrity}")


def scenarios():
    yield "database: locked by another process", locked, {}
    yield "database: locked while the store starts", locked_at_start, {}
    yield "database: the disk is full", full_disk, {}


if __name__ == "__main__":
    try:
        on_a_small_disk(sys.argv[1])
    except Failed as failed:
        sys.exit(str(failed))
