# SPDX-License-Identifier: Apache-2.0
"""A proxy in front of a seller's back end, which holds the answers with content back after half of their bytes.

With `breaks` it closes the connection of the first one there, and holds none back.
"""

import socket
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from processes import PATIENCE


class HoldingProxy:
    def __init__(self, server, breaks=False):
        self.server, self.breaks = server, breaks
        self.contents = []  # the Range field of each request for content
        self.is_held, self.goes_on = threading.Event(), threading.Event()
        if breaks:
            self.goes_on.set()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                proxy.pass_on(self)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listener.daemon_threads = True
        self.listener.handle_error = lambda *_: None  # A process was killed.
        self.url = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def pass_on(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request(request.command, request.path, body or None, dict(request.headers))
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        request.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                request.send_header(name, value)
        if answer.status not in (204, 304):
            request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        if request.path.startswith("/content/"):
            self.contents.append(request.headers.get("Range"))
            half = len(text) // 2
            request.wfile.write(text[:half])
            request.wfile.flush()
            if self.breaks:
                self.breaks = False
                return request.connection.shutdown(socket.SHUT_RDWR)
            self.is_held.set()
            self.goes_on.wait(10 * PATIENCE)
            text = text[half:]
        request.wfile.write(text)

    def close(self):
        self.goes_on.set()
        self.listener.shutdown()
        self.listener.server_close()
