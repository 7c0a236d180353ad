# SPDX-License-Identifier: Apache-2.0
"""A seller's own server with one file, and an app that downloads the file with `BackgroundDownload`."""

import re
import signal
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from daemon_device import query
from harness import BUNDLE, Failed, wait_until
from processes import BINARIES, Running

FILE = "roses"


class Seller:
    """The server. It sends the first half of a file, and the rest when `middle` has returned, once for each of them."""

    def __init__(self, content, tag='"first"'):
        self.content, self.tag = content, tag
        self.length = None  # the length that the server announces, if it isn't the content's
        self.before = None  # is called before the head of an answer
        self.middle = None
        self.failure = None  # of a `middle`
        self.ranges = []  # the Range and If-Range of each request for the file
        seller = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                seller.answer(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # A process was killed.
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request):
        if request.path != f"/{FILE}":
            # The seller's server isn't a store: the app has no other one.
            request.send_response(503)
            request.send_header("Content-Length", "0")
            request.send_header("Retry-After", "60")
            return request.end_headers()
        if request.headers.get("X-Key") != "rose":
            request.send_response(403)
            request.send_header("Content-Length", "0")
            return request.end_headers()
        self.ranges.append((request.headers.get("Range"), request.headers.get("If-Range")))
        if self.before:
            self.before()
        start = self.start(*self.ranges[-1])
        request.send_response(206 if start else 200)
        request.send_header("ETag", self.tag)
        request.send_header("Content-Length", str((self.length or len(self.content)) - start))
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(self.content) - 1}/{len(self.content)}")
        request.end_headers()
        self.send(request, self.content[start:])

    def start(self, range_field, condition):
        asked = re.fullmatch(r"bytes=(\d+)-", range_field or "")
        return int(asked[1]) if asked and condition == self.tag and int(asked[1]) < len(self.content) else 0

    def send(self, request, content):
        half = len(content) // 2
        request.wfile.write(content[:half])
        request.wfile.flush()
        if middle := self.middle:
            self.middle = None
            try:
                middle(lambda: request.connection.shutdown(socket.SHUT_RDWR))
            except Exception as failure:  # noqa: BLE001: the test reports it
                self.failure = failure
        request.wfile.write(content[half:])


class Probe(Running):
    """The app, on a device of its own."""

    def __init__(self, folder, seller):
        self.folder = Path(folder).resolve() / "device"
        self.folder.mkdir()
        super().__init__("the app", self.folder / "app.log")
        self.home, self.caches, self.kept = (self.folder / name for name in ("home", "caches", "kept"))
        self.kept.mkdir()
        self.seller = seller

    def launch(self, *arguments, **environment):
        self.log.write_text("")
        self.start([BINARIES / "DownloadProbe", *arguments], {
            "STOREKIT_STORE_URL": self.seller.url, "STOREKIT_BUNDLE_ID": BUNDLE, "STOREKIT_HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.caches), "STOREKIT_SHEET": "terminal", **environment})

    def begin(self, seconds=3600, **environment):
        """Starts the download with a time limit, and prints its changes."""
        self.launch("start", FILE, f"{self.seller.url}/{FILE}", str(seconds), **environment)

    def ends(self):
        """Waits for the end, and requires that the process wasn't refused anything."""
        wait_until(f"the app ends:\n{self.tail()}", lambda: self.process.poll() is not None)
        assert self.process.returncode == 0, f"the app ended with {self.process.returncode}: {self.tail()}"

    def is_killed(self):
        wait_until("the app is killed", lambda: self.process.poll() is not None)
        assert self.process.returncode == -signal.SIGKILL, f"the app ended with {self.process.returncode}"

    def states(self):
        """The identifier, the bytes and the state of each line that the app has printed."""
        lines = [line.split("\t") for line in self.log.read_text().splitlines()]
        return [(line[0], int(line[1]), line[2]) for line in lines if len(line) >= 3 and line[1].isdigit()]

    def listed(self):
        self.launch("list")
        self.ends()
        return self.states()

    def phases(self):
        """The phases and bytes in the journal."""
        return query(self, "SELECT phase, received FROM background_download ORDER BY sequence")

    def finishes(self):
        """Waits until the journal has the file as finished, with whichever process that transfers it."""
        whole = [("finished", len(self.seller.content))]
        wait_until(f"the file is complete: {self.phases()}", lambda: self.phases() == whole)
        if self.seller.failure:
            raise Failed(f"in the middle of the transfer: {self.seller.failure!r}")

    def fails(self, code):
        """Waits until the journal has the file as failed, and requires that the next launch is given the reason."""
        wait_until(f"the download fails: {self.phases()}", lambda: self.phases()[0][0] == "failed")
        if self.seller.failure:
            raise Failed(f"in the middle of the transfer: {self.seller.failure!r}")
        self.launch("watch")
        wait_until("the failure is delivered", self.states)
        self.kill()
        [line] = [line.split("\t") for line in self.log.read_text().splitlines() if line.startswith(FILE)]
        assert line[2:] == ["failed", code], f"the app printed {line}"

    def takes(self):
        """The next launch moves the file to its folder and acknowledges it; nothing is left then."""
        self.launch("keep", FILE, self.kept)
        self.ends()
        assert self.states()[-1][2] == "finished", f"the app printed {self.states()}"
        assert (self.kept / FILE).read_bytes() == self.seller.content, "the file differs"
        assert self.listed() == [], f"an acknowledged download is listed: {self.states()}"
        self.launch("watch")
        wait_until(f"nothing is left: {self.left()} {self.phases()}", lambda: not self.phases() and not self.left())
        self.kill()
        assert self.states() == [], f"an acknowledged download is delivered: {self.states()}"

    def left(self):
        return [path for path in self.caches.rglob("*") if path.suffix in (".partial", ".complete")]
