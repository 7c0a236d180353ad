# SPDX-License-Identifier: Apache-2.0
"""A store with hosted content, its seller, who uploads packages, and a device that downloads them."""

import json
import signal
import socket
import subprocess
import threading
from pathlib import Path

from content_package import Download, bought
from harness import APPLE, BUNDLE, EMAIL, PASSWORD, PATIENCE, Device, Store, with_customer
from processes import BINARIES

PART = 4 << 20
# The places in an upload at which the store is killed.
PLACES = ["content-part:before", "content-part:after", "content-complete:before", "content-complete:after",
          "content-publish:after"]


class Desk:
    """A store, its seller and a device."""

    def __init__(self, folder, content=None, crash_at=""):
        """`content`: the folder of hosted content, if it isn't in the store's folder. `crash_at`: the fault point at
        which the first process of the store dies."""
        self.folder = Path(folder)
        self.elsewhere = ["--content", content] if content else []
        self.store = Store(folder, arguments=self.elsewhere, prepare=with_customer)
        self.content = Path(content or self.store.data / "content")
        self.crash_at = crash_at
        self.device = Device(self.store)

    def __enter__(self):
        self.store.serve(OPENSTOREKIT_CRASH_AT=self.crash_at)
        self.device.register()
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            print(f"--- the store\n{self.store.tail()}", flush=True)
        self.store.kill()

    def command(self, verb, *arguments, url=None):
        """A command of the running store."""
        words = [BINARIES / "storectl", "content", verb, *arguments]
        if verb != "pack":
            words += ["--bundle-id", BUNDLE, "--data", self.store.data, "--store", url or self.store.url]
        return [str(word) for word in words]

    def run(self, verb, *arguments):
        return subprocess.run(self.command(verb, *arguments), text=True, capture_output=True, timeout=PATIENCE)

    def json(self, verb, *arguments):
        ran = self.run(verb, *arguments, "--json")
        assert ran.returncode == 0, f"content {verb} ended with {ran.returncode}: {ran.stderr}"
        return json.loads(ran.stdout)

    def start_upload(self, source, url=None):
        """Starts the upload of a package, to the store or by a relay."""
        return subprocess.Popen(self.command("upload", source, url=url), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def ends(self, uploading):
        """Requires that an upload ends without an error."""
        _, complaint = uploading.communicate(timeout=PATIENCE)
        assert uploading.returncode == 0, f"the upload ended with {uploading.returncode}: {complaint}"

    def is_killed(self, uploading):
        """Waits until the store has died at its fault point, and starts it again."""
        self.store.process.wait(timeout=PATIENCE)
        assert self.store.process.returncode == -9, f"the store ended with {self.store.process.returncode}"
        self.serve_again(uploading)

    def serve_again(self, uploading):
        """Starts a store that was killed, while the process of an upload sleeps, which would give up after a while."""
        uploading.send_signal(signal.SIGSTOP)
        self.store.serve()
        uploading.send_signal(signal.SIGCONT)

    def received(self):
        """The bytes of the only upload; `None` without one."""
        rows = self.store.rows("SELECT received FROM content_upload")
        return rows[0][0] if rows else None

    def files(self, kind):
        """The files of uploads or objects in the folder of content."""
        return [path for path in self.content.glob(f"*/{kind}/**/*") if path.is_file()]

    def downloads(self, content, product=APPLE):
        """Buys a product, downloads its content, and compares the bytes."""
        transaction = bought(self.device, product, EMAIL, PASSWORD)
        assert transaction["content"][0]["product"] == product, f"the transaction is {transaction}"
        download = Download(self.device, transaction["transactionIdentifier"])
        download.read()
        download.check(content)

    def has_published_once(self, content):
        """Requires one version, its object, and nothing beside it."""
        assert self.store.rows("SELECT count(*) FROM content_version") == [(1,)], "there isn't one version"
        assert self.received() is None, "an upload is left"
        assert len(self.files("objects")) == 1 and not self.files("uploads"), (
            f"the folder has {self.files('objects')} and {self.files('uploads')}")
        self.downloads(content)


class Relay:
    """Passes connections on to a store, and holds the bytes after a number of them."""

    def __init__(self, store, limit):
        self.store, self.rest = store, limit
        self.goes_on = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.goes_on.set()
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # Closed.
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with client, socket.create_connection(("127.0.0.1", self.store.port)) as upstream:
                threading.Thread(target=self.pass_requests, args=(client, upstream), daemon=True).start()
                while answer := upstream.recv(64 << 10):
                    client.sendall(answer)
                client.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # One of both has ended.

    def pass_requests(self, client, upstream):
        try:
            while request := client.recv(64 << 10):
                if self.rest <= 0:
                    self.goes_on.wait()
                self.rest -= len(request)
                upstream.sendall(request)
            upstream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
