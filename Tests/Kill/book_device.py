# SPDX-License-Identifier: Apache-2.0
"""A device with a small disk on which BuyFruit downloads its recipe book, and a customer who waits for it."""

import hashlib
import json
import os
import shutil
import sqlite3
import time
from pathlib import Path

from content_package import package, packed
from cutting_proxy import CuttingProxy
from harness import (
    BUNDLE, PATIENCE, BuyFruit, Customer, Failed, Page, Store, ask, row, wait_until, with_customer)
from processes import storectl
from shop import LOST
from small_disk import SmallDisk

BOOK = f"{BUNDLE}.RecipeBook"
DISK = 8 << 20
WHOLE_DOWNLOAD = 10 * PATIENCE  # the seconds after which a download counts as hung


def write_book(folder, chance):
    """A package with an empty file, small files, some in folders, and two large ones; about 1.5 MB."""
    sizes = {"Apple crumble.txt": 26, "empty": 0, "index/a/b/c.html": 4_097, "pictures/large.bin": 700_000,
             "sound.bin": 600_000 + chance.randrange(100_000)}
    sizes |= {f"pictures/{number}.svg": chance.randrange(1, 30_000) for number in range(12)}
    return package(folder, BOOK, files={path: chance.randbytes(size) for path, size in sizes.items()})


def files(folder):
    """The files of a folder, with their checksums."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*") if path.is_file()}


def walk(folder):
    """The files in a folder that changes, and the folders of incomplete downloads."""
    for place, folders, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in folders if name.endswith(".partial"))
        yield from (os.path.join(place, name) for name in names)


class BookDevice:
    """The device, with a store of its own, and a proxy between both."""

    def __init__(self, folder, book):
        folder = Path(folder)
        folder.mkdir()
        self.book, self.expected = book, files(book)
        self.length = len(packed(book))
        self.head = self.length - sum(path.stat().st_size for path in book.rglob("*") if path.is_file())
        self.store = Store(folder, prepare=with_customer)
        self.proxy = CuttingProxy(self.store)
        self.customer = Customer(folder)
        self.app = BuyFruit(folder, self.store)
        self.disk = SmallDisk(folder / "disk", DISK)
        self.app.caches = self.disk.folder / "caches"
        self.kept = self.disk.folder / "data" / "BuyFruit" / BOOK
        self.crash_at = ""
        self.asked = set()
        self.page, self.refused = None, 0

    def open(self):
        self.store.serve()
        storectl("content", "upload", self.book, "--bundle-id", BUNDLE, "--data", self.store.data,
                 "--store", self.store.url)
        self.launch()
        wait_until("the app lists the book", lambda: row(self.app, BOOK))

    def close(self):
        self.proxy.close()
        self.app.kill()
        self.store.kill()
        self.disk.close()

    def serve(self):
        try:
            self.store.serve()
        except AssertionError:
            if self.store.process.poll() != -9:
                raise

    def launch(self):
        crash_at, self.crash_at = self.crash_at, ""
        try:
            self.app.launch(**self.customer.environment, STOREKIT_STORE_URL=self.proxy.url,
                            XDG_DATA_HOME=str(self.disk.folder / "data"), OPENSTOREKIT_CRASH_AT=crash_at)
            self.page, self.refused = Page(self.app), 0
        except LOST:
            self.was_killed(self.app.process)  # By the transfer that goes on.
        except AssertionError:
            if self.app.process.poll() != -9:
                raise

    def was_killed(self, process):
        """Requires that a cut has killed the app's process, which doesn't answer. Another one may run already."""
        wait_until("the app that doesn't answer has ended", lambda: process.poll() == -9)

    # The customer.

    def state(self):
        try:
            return self.app.state()
        except (*LOST, Failed, json.JSONDecodeError):
            return None  # Killed meanwhile.

    def shown(self):
        """The download as BuyFruit shows it; `None` while there is none, or no app."""
        rows = (self.state() or {"products": []})["products"]
        return next((row.get("download") for row in rows if row["identifier"] == BOOK), None)

    def is_shown(self, state):
        return (self.shown() or {}).get("state") == state

    def press(self, button, **form):
        process = self.app.process

        def is_pressed():
            try:
                status, text = ask("POST", f"{self.app.url}/{button}", form={"product": BOOK, **form})
                assert status == 200, f"{button} {form} answers {status}: {text[:200]}"
            except LOST as error:
                # A new process downloads before it listens.
                if not isinstance(getattr(error, "reason", None), ConnectionRefusedError):
                    self.was_killed(process)
                return process.poll() == -9
            return True

        wait_until(f"the app takes {button} {form}", is_pressed)

    def begin(self, prepare=lambda: None):
        """Buys the book, restores it, or begins the download anew that has failed or was cancelled."""
        if shown := self.shown():
            prepare()
            self.press("download", command="start" if shown["state"] == "cancelled" else "resume")
        elif not row(self.app, BOOK)["isPurchased"]:
            prepare()
            self.press("buy")
        else:
            shutil.rmtree(self.kept)
            prepare()
            self.restore()

    def restore(self):
        self.refused = len(self.page.alerts)
        self.press("restore")

    def try_again(self):
        """Repeats a restore that failed, as one does whose connection the store's end has closed."""
        if "Ups!" in [alert["title"] for alert in self.page.alerts[self.refused:]]:
            self.restore()

    def answer_sheets(self):
        for address in set(self.customer.shown) - self.asked:
            try:
                status, page = ask("GET", address)
                if status == 200 and 'id="sheet"' in page:
                    self.customer.decide(address, "buy" if 'id="buy"' in page else "sign-in")
                self.asked.add(address)
            except LOST:
                return  # The store was killed: the sheet is answered later.

    def resume(self):
        if self.is_shown("paused"):
            self.press("download", command="resume")

    def raise_the_dead(self):
        """Starts a process again that a cut has killed; returns whether there was one."""
        for who, start in ((self.store, self.serve), (self.app, self.launch)):
            if (status := who.process.poll()) is not None:
                assert status == -9, f"{who.name} ended with {status}:\n{who.tail()}"
                start()
                return True
        return False

    def someone_died(self):
        return any(who.process.poll() is not None for who in (self.store, self.app))

    def settle(self, what, condition):
        """Answers sheets, resumes a paused download and starts dead processes again, until the condition holds.

        A cut that is still acting can kill a process after the condition holds, so its end is awaited, too.
        """
        deadline = time.monotonic() + WHOLE_DOWNLOAD
        while self.raise_the_dead() or self.proxy.acting or not condition() or self.someone_died():
            assert not self.proxy.failure, f"a cut failed: {self.proxy.failure}"
            self.answer_sheets()
            self.resume()
            self.try_again()
            if time.monotonic() > deadline:
                raise Failed(f"waited {WHOLE_DOWNLOAD} s in vain until {what}: {self.summary()}\n{self.app.tail()}")
            time.sleep(0.02)

    def journal(self, *tables):
        """The rows of tables of the app's journal."""
        found = {table: [] for table in tables}
        for file in self.app.home.rglob("journal.sqlite"):
            database = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)
            for table in tables:
                rows = database.execute(f"SELECT * FROM {table}")
                names = [column[0] for column in rows.description]
                found[table] += [dict(zip(names, values)) for values in rows]
            database.close()
        return found

    def summary(self):
        """The state, the disk and the journal for the message of a failed download."""
        journal = self.journal("download", "content", "entry", "app_request")
        names = [os.path.relpath(place, self.app.caches) for place in self.cached()]
        return (f"the book is {self.shown()}, and {'kept' if self.kept.is_dir() else 'not kept'}; "
                f"{(self.state() or {}).get('unfinishedTransactions')} unfinished transactions; the alerts are "
                f"{self.page and self.page.alerts}; the caches have {names}; {journal}")

    # The disk.

    def cached(self):
        """The files in the caches, but for the mark of the folder, and the folders of incomplete downloads."""
        return [place for place in walk(self.app.caches) if Path(place).name != "CACHEDIR.TAG"]

    def partial_bytes(self):
        sizes = 0
        for file in walk(self.app.caches):
            try:
                sizes += os.stat(file).st_size if ".partial/files/" in file else 0
            except FileNotFoundError:
                pass  # Moved meanwhile.
        return sizes

    def is_complete(self):
        """Whether the book is there, and nothing is under way that could download it again.

        A restore that failed after its transactions had arrived is repeated: its end is awaited, because it would
        restore the book during the next download.
        """
        if self.journal("app_request")["app_request"]:
            return False
        state = self.state()
        return bool(state) and self.kept.is_dir() and state["unfinishedTransactions"] == 0 and not self.cached()
