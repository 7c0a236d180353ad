# SPDX-License-Identifier: Apache-2.0
"""A database that is locked, a disk that is full: a clear refusal in bounded time, and nothing lost."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from failing_start import CATALOGUE, listener, serve
from full_disk import bought, finished, refused, still_reads
from harness import (
    APPLE, PATIENCE, PEAR, SEEDS, Device, Failed, Market, ask, charged_once_each, complains, is_quiet, nothing_charged,
    requests, wait_until)


def test_a_database_that_another_process_locks(folder):
    """Everything that writes is refused, everything that reads is answered, and nothing is lost."""
    with Market(folder).open() as market:
        device = Device(market.store).register()
        status, answer = device.pay("open", APPLE)
        sheet = answer["sheet"]
        payments = [("first", PEAR), ("second", SEEDS), ("third", SEEDS), ("fourth", SEEDS)]
        outside = sqlite3.connect(market.store.data / "store.sqlite", isolation_level=None, timeout=PATIENCE)
        outside.execute("BEGIN EXCLUSIVE")
        try:
            # In parallel, so that no request waits for another one.
            asked = {
                **{name: lambda name=name, product=product: device.pay(name, product) for name, product in payments},
                "the sheet": lambda: market.customer.buy(sheet),
                "another device": lambda: Device(market.store).call("register"),
            }
            with ThreadPoolExecutor(max_workers=len(asked) + 1) as pool:
                page = pool.submit(ask, "POST", sheet, form={"decision": "cancel"})
                answers = {name: pool.submit(question) for name, question in asked.items()}
                still_reads(market, device)
            for name, answer in answers.items():
                refused(*answer.result(), name)
            status, text = page.result()
            assert status == 503 and "try again" in text, f"the sheet's page: {status} {text[:300]}"
        finally:
            outside.execute("ROLLBACK")
            outside.close()
        nothing_charged(market.store)
        for name, product in payments:
            bought(market, device, name, product)
        status, text = market.customer.buy(sheet)
        assert status == 200, f"the sheet of before can't be confirmed: {status} {text}"
        finished(device, "open", APPLE)
        wait_until("the store is quiet", lambda: is_quiet(market.store))
        charged_once_each(market.store, APPLE, PEAR, SEEDS, SEEDS, SEEDS)
        assert requests(market.store) == {APPLE: 1, PEAR: 1, SEEDS: 3}, f"asked for {requests(market.store)}"


def test_a_database_that_is_locked_at_the_start(folder):
    """A store that starts while another process holds the lock reports that, and starts when the lock is released."""
    with Market(folder).open() as market:
        market.store.stop()
        outside = sqlite3.connect(market.store.data / "store.sqlite", isolation_level=None, timeout=PATIENCE)
        outside.execute("BEGIN EXCLUSIVE")
        said = serve("--data", market.store.data, *listener(), *CATALOGUE, status=1)
        outside.execute("ROLLBACK")
        outside.close()
        complains(said, "store.sqlite", "locked", "try again")
        market.store.serve()
        assert Device(market.store).register().products(APPLE)[1]["products"], "the catalogue is gone"


def test_a_full_disk(folder):
    """A store without room refuses new payments and loses none, on a small disk in a mount namespace."""
    plain = ["unshare", "--mount"]
    ways = [plain] if os.geteuid() == 0 else [[*plain, "--user", "--map-root-user"], ["sudo", "-n", *plain]]
    complaints = []
    for way in ways:
        ran = subprocess.run([*way, "mount", "-t", "tmpfs", "-o", "size=1m", "none", folder],
                             capture_output=True, text=True)
        if ran.returncode == 0:
            ran = subprocess.run([*way, sys.executable, Path(__file__).with_name("full_disk.py"), folder], text=True,
                                 capture_output=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
            assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}"
            return
        complaints.append(f"{' '.join(way)}: {ran.stderr.strip()}")
    raise Failed(f"no small disk can be mounted for the test: {'; '.join(complaints)}")
