# SPDX-License-Identifier: Apache-2.0
"""The refusals of a store that can't write, and the purchases that it completes afterwards.

As a program, with a folder as its argument: a store on a disk that is full, in a mount namespace of its own (see
test_database_errors.py).
"""

import shutil
import subprocess
import sys
from pathlib import Path

from harness import (
    APPLE, BUNDLE, PEAR, SEEDS, Device, Market, ask, charged_once_each, charges, code_of, is_quiet, nothing_charged,
    wait_until, with_customer)


def refused(status, answer, what):
    code = answer.get("error", {}).get("code") if isinstance(answer, dict) else code_of(answer)
    assert (status, code) == (503, "unavailable"), f"{what}: {status} {answer}"


def still_reads(market, device):
    assert ask("GET", f"{market.store.url}/healthz")[0] == 200, "/healthz doesn't answer"
    assert ask("GET", f"{market.store.url}/pki/root.pem")[0] == 200, "/pki doesn't answer"
    status, answer = device.products(APPLE, PEAR)
    assert status == 200 and len(answer["products"]) == 2, f"the catalogue can't be read: {status} {answer}"
    status, answer = device.call("queue", bundleIdentifier=BUNDLE)
    assert status == 200, f"the queue can't be read: {status} {answer}"


def bought(market, device, request, product, quantity=1):
    """Completes a recorded payment: sheet, charge, queue and finish."""
    status, answer = device.pay(request, product, quantity)
    assert status == 200 and answer["status"] == "authorise", f"the payment isn't open: {status} {answer}"
    status, text = market.customer.buy(answer["sheet"])
    assert status == 200, f"the sheet can't be confirmed: {status} {text}"
    finished(device, request, product, quantity)


def finished(device, request, product, quantity=1):
    status, answer = device.pay(request, product, quantity)
    assert status == 200 and answer["status"] == "purchased", f"the payment isn't done: {status} {answer}"
    status, answer = device.call(
        "finish", bundleIdentifier=BUNDLE,
        transactionIdentifier=answer["transaction"]["transactionIdentifier"])
    assert status == 200, f"finishing: {status} {answer}"


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
    assert shutil.disk_usage(disk).free == 0, "the disk isn't full"
    return ballast


def on_a_small_disk(folder):
    """The disk fills while the store runs, and has room again."""
    folder = Path(folder)
    disk = folder / "store"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], check=True)
    with Market(folder).open() as market:
        with_customer(market.store)  # Its folder was there before it, and is no copy.
        device = Device(market.store).register()
        sheet = device.pay("open", APPLE)[1]["sheet"]
        before = fill(disk)

        # The files of the database may have room for a few more payments.
        recorded, full = [], None
        for number in range(5000):
            name = f"payment-{number}"
            status, answer = device.pay(name)
            if status != 200:
                full = name
                break
            recorded.append(name)
        assert full, "the disk is full and the store still records payments"
        refused(status, answer, f"payment {full}, after {len(recorded)} that found room")
        # The log names the reason, and an answer has no path of the store's machine.
        assert "disk is full" in market.store.tail(50), f"the log doesn't say why: {market.store.tail()}"
        assert "store.sqlite" not in answer["error"]["message"], f"the refusal names a path: {answer}"
        still_reads(market, device)
        # The smallest write may still fit where a larger one doesn't; it is answered or refused, never lost.
        status, text = market.customer.buy(sheet)
        if status != 200:
            refused(status, text, "buying on a sheet")
            nothing_charged(market.store)
        assert market.store.process.poll() is None, f"the store has ended:\n{market.store.tail()}"

        before.unlink()
        rows = {name for name, in market.store.rows("SELECT request_id FROM request")}
        assert rows == {"open", *recorded}, f"recorded {sorted(rows)}, answered {recorded}"
        if status != 200:
            status, text = market.customer.buy(sheet)
            assert status == 200, f"the sheet can't be confirmed with room again: {status} {text}"
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
        assert charges(market.store) == ledger, "the ledger changed by a restart"
        integrity = market.store.rows("PRAGMA integrity_check")
        assert integrity == [("ok",)], f"the database is damaged: {integrity}"


if __name__ == "__main__":
    try:
        on_a_small_disk(sys.argv[1])
    except AssertionError as failed:
        sys.exit(str(failed))
