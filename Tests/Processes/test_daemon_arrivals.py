# SPDX-License-Identifier: Apache-2.0
"""Everything that arrives while only the daemon runs, at one launch."""

import json
import random
import signal
from pathlib import Path

from book_device import BOOK, BookDevice, files, write_book
from content_package import package
from cutting_proxy import Cut
from daemon_device import Daemon, entries, query, synchronizer, synchronizes
from harness import APPLE, BUNDLE, EMAIL, PRODUCT_LISTS, charged_once_each, is_quiet, owns, press, row, wait_until
from processes import storectl

SUBSCRIPTION = PRODUCT_LISTS["Subscriptions"][0]


class Evening:
    """A device with a daemon, whose child has asked for a book and an apple. Each product has content."""

    def __init__(self, folder):
        folder = Path(folder)
        self.device = BookDevice(folder / "device", write_book(folder / "book", random.Random(2)))
        self.app, self.store = self.device.app, self.device.store
        self.daemon = Daemon(self.app)
        self.contents = {BOOK: self.device.book, **{
            product: package(folder / product, product, files={"page.bin": 200_000, "notes.txt": b"Ripe."})
            for product in (APPLE, SUBSCRIPTION)}}

    def __enter__(self):
        self.daemon.launch()
        self.device.open()
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the app\n{self.app.tail()}\n--- storeagentd\n{self.daemon.tail()}", flush=True)
        self.daemon.kill()
        self.device.close()

    def command(self, *arguments):
        return storectl(*arguments, "--store", self.store.url, "--data", self.store.data)

    def upload(self, *products):
        for product in products:
            self.command("content", "upload", self.contents[product], "--bundle-id", BUNDLE)

    def subscribe(self):
        press(self.app, "buy", product=SUBSCRIPTION)
        status, text = self.device.customer.buy(self.device.customer.next_sheet())
        assert status == 200, f"buying on the sheet: {status} {text}"
        wait_until("the app subscribes", lambda: owns(self.app, SUBSCRIPTION))
        wait_until("the store is quiet", lambda: is_quiet(self.store))

    def ask_for(self, product):
        press(self.app, "buy", product=product)
        wait_until(f"{product} waits", lambda: row(self.app, product)["state"] == "waiting")

    def approve(self, product):
        [request] = [request for request in json.loads(self.command("requests", "--json"))
                     if request["product"] == product]
        self.command("approve", request["transaction"])

    def phases(self):
        """The phases of the downloads by their products."""
        return dict(query(self.app, "SELECT product, phase FROM download"))

    def is_downloaded(self, product):
        wait_until(f"the daemon has downloaded the content of {product}",
                   lambda: self.phases().get(product) == "finished")
        assert (product, "ready") in entries(self.app), f"the journal has {entries(self.app)}"

    def kept(self, product):
        return self.device.kept.parent / product


def test_all_that_arrives_meanwhile_is_there_at_the_next_launch(folder):
    """The app is killed in the middle of a download. Then the daemon completes it, and downloads the content of an
    approval and of a renewal that arrive; one launch has all of them."""
    with Evening(folder) as evening:
        app, daemon = evening.app, evening.daemon
        evening.subscribe()
        evening.upload(APPLE, SUBSCRIPTION)
        evening.command("account", "set", EMAIL, "--ask-to-buy")
        evening.ask_for(BOOK)
        evening.ask_for(APPLE)

        def kill(pair):
            app.process.kill()
            app.process.wait()
            pair.close()

        evening.device.proxy.arm([Cut(evening.device.length // 2, "app", kill)])
        evening.approve(BOOK)
        wait_until("the app is killed", lambda: app.process.poll() == -signal.SIGKILL)
        assert not evening.device.proxy.failure, f"the cut failed: {evening.device.proxy.failure}"
        evening.is_downloaded(BOOK)

        # Another daemon than the one that the app has met.
        daemon.kill()
        daemon.launch()
        synchronizes(app, daemon)
        evening.approve(APPLE)
        evening.is_downloaded(APPLE)
        evening.command("clock", "advance", EMAIL, "1mo2d")
        evening.is_downloaded(SUBSCRIPTION)
        assert app.process.poll() == -signal.SIGKILL, "the app runs"
        assert not any(evening.kept(product).is_dir() for product in evening.contents), "the app has content already"
        listed = json.loads(storectl("device", "downloads", "--home", app.home, "--json"))
        assert ({(line["productIdentifier"], line["state"]) for line in listed}
               == {(product, "finished") for product in evening.contents}), f"the list of downloads: {listed}"
        requests = evening.device.proxy.requests

        evening.device.launch()
        for product, content in evening.contents.items():
            wait_until(f"the app has the content of {product}", evening.kept(product).is_dir)
            assert files(evening.kept(product)) == files(content), f"the files of {product} differ"
        wait_until("the queue is empty", lambda: app.state()["unfinishedTransactions"] == 0)
        assert evening.device.proxy.requests == requests, "the app downloads again"
        assert owns(app, BOOK) and owns(app, APPLE), "the app doesn't own the book and the apple"
        wait_until("the store is quiet", lambda: is_quiet(evening.store))
        assert synchronizer(app) == daemon.process.pid, "the app doesn't use the daemon"
        charged_once_each(evening.store, SUBSCRIPTION, SUBSCRIPTION, BOOK, APPLE)
